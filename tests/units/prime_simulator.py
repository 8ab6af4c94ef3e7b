# SPDX-License-Identifier: Apache-2.0
"""Prime units on a stand-in of the exponentiator, with seeded files, or on a multiplier."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from redcore.design import Design
from redcore.simulate import compile as build
from redcore.units.prime import bench as prime_bench
from redcore.units.prime.bench import Answer, Found, PrimeBench
from redcore.units.prime.model import PrimeGenerator, PrimeTester

__all__ = ["STAND_IN", "STAND_IN_CYCLES", "Answer", "Found", "PrimeBench", "build_unit", "library"]

STAND_IN = Path(__file__).with_name("prime_exp_stand_in.sv")
"""``redc_exp`` in behaviour: x^e mod m after a fixed time; stops on a broken contract."""
STAND_IN_CYCLES = 6
"""From its first operand beat to the last result beat, with one beat; each more adds 2."""


def library(sources: Sequence[Path]) -> Path:
    """The library of a module ``prime_bench`` of one's own."""
    ordered = sorted(sources, key=lambda path: not path.stem.endswith("_pkg"))
    return build.library(ordered, prime_bench.TOP, {}, driver=prime_bench.DRIVER)


def build_unit(
    unit: PrimeTester | PrimeGenerator,
    folder: Path,
    multiplier: Design | None = None,
    extra: dict[str, int] | None = None,
    replace: dict[str, str] | None = None,
    wild: bool = False,
) -> Path:
    """The library of a unit with a multiplier, or with the stand-in where there is none.

    ``replace`` puts seeded files, by name, in the place of the library's; ``wild`` makes the
    stand-in's streams wait at random.
    """
    texts = dict(replace or {})
    if multiplier is None:
        text = STAND_IN.read_text(encoding="utf-8")
        texts["redc_exp.sv"] = text.replace("Wild  = 0", f"Wild  = {int(wild)}")
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return prime_bench.library(unit, multiplier, extra, [folder / name for name in texts])
