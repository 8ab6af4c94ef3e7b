# SPDX-License-Identifier: Apache-2.0
"""Writes the top module that puts a unit beside its multiplier, or its exponentiator.

The file is named after its module and kept in the cache folder by content, so that every tool
that takes files by path can be given it.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from redcore import cache, rtl, templates, toolchain
from redcore.design import Design


def sources(
    package: str,
    module: str,
    template: str,
    beside: Design,
    context: Mapping[str, Any],
    parts: Iterable[Path] = (),
) -> list[Path]:
    """The files of a composed design, its top ``module`` last.

    ``template`` is one of the unit's ``package``; it sees ``context``, ``module``, and the design
    ``beside`` the unit, which it makes an instance of. ``parts`` are files of composed designs
    that are inside.
    """
    file = top(package, module, template, beside, context)
    needed = [*rtl.sources_of(file.read_text(encoding="utf-8")), *beside.sources(), *parts]
    return [*sorted(dict.fromkeys(needed), key=lambda path: not path.stem.endswith("_pkg")), file]


def top(
    package: str, module: str, template: str, beside: Design, context: Mapping[str, Any]
) -> Path:
    """The top module alone."""
    text = _render(package, template, module, beside, context)
    folder = toolchain.cache_folder() / "composed" / hashlib.sha256(text.encode()).hexdigest()[:24]
    file = folder / f"{module}.sv"
    if not _holds(file, text):
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as part:
            part.write(text)
        os.replace(name, file)
        cache.trim(file)
    return file


def _holds(file: Path, text: str) -> bool:
    """Whether the file is there and whole; then it is one that has just been used."""
    try:
        whole = file.read_text(encoding="utf-8") == text
        os.utime(file)
    except (OSError, ValueError):
        return False
    return whole


def _render(
    package: str, template: str, module: str, beside: Design, context: Mapping[str, Any]
) -> str:
    return (
        templates.environment(package, "redcore.units")
        .get_template(template)
        .render(module=module, beside=beside, g=beside.geometry, **context)
    )
