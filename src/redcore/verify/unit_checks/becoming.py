# SPDX-License-Identifier: Apache-2.0
"""Drivers of models that hold mutants: a unit's own one, and which mutant the model is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from redcore.design import Design
from redcore.simulate import compile as build

BECOME = """
// The mutant of this number from now on; none of them for 0.
REDC_API void redc_become({handle} *handle, uint32_t number) {{
    handle->model->mutsel = number;
}}
"""
CYCLES = 1_000_000
"""About as many as a mutant takes; the model is compiled for all of them together."""


def compiled(
    design: Design, files: Sequence[Path], driver: str, inside: str = "", top: str = ""
) -> Path:
    """The model of ``files``, the last of which has the mutants, with a driver of this text.

    ``inside`` is what looks into the model; ``top`` its module where that is not the design's.
    """
    folder, kind = files[-1].parent, design.family.kind
    path = folder / f"mutants_{kind}.cpp"
    for place, text in ((path, driver), (path.with_stem(f"{path.stem}_inside"), inside)):
        if text:
            place.write_text(text, encoding="utf-8")
    module = top or design.family.module
    return build.library(files, module, {}, driver=path, cycles=CYCLES)


def becoming(driver: Path) -> str:
    """A unit's driver whose handle is ``Clocked``, and ``redc_become``."""
    return driver.read_text(encoding="utf-8") + BECOME.format(handle="Clocked")
