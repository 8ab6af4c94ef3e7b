# SPDX-License-Identifier: Apache-2.0
"""Writes the top module that puts a unit beside its multiplier.

The file is named after its module and kept in the cache folder by content, so that every tool
that takes files by path can be given it.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redcore import rtl, templates, toolchain
from redcore.families.base import Design


@dataclass(frozen=True)
class Top:
    """A composed design that is no family's: what a synthesis has to know of it."""

    subject: str
    """What it is, for people."""
    file: Path
    has_technology: bool
    """Whether the top has a parameter ``Technology``, as its multiplier."""

    @property
    def module(self) -> str:
        """The top module."""
        return self.file.stem

    @property
    def files(self) -> list[Path]:
        """All files, the top last."""
        return [*rtl.sources_of(self.file.read_text(encoding="utf-8")), self.file]


def sources(
    module: str, template: str, multiplier: Design, context: Mapping[str, Any]
) -> list[Path]:
    """The files of a composed design, its top ``module`` last.

    ``template`` is one of this package's; it sees ``context``, ``module`` and the multiplier.
    """
    file = top(module, template, multiplier, context)
    return [*rtl.sources_of(file.read_text(encoding="utf-8")), file]


def top(module: str, template: str, multiplier: Design | None, context: Mapping[str, Any]) -> Path:
    """The top module alone."""
    text = _render(template, module, multiplier, context)
    folder = toolchain.cache_folder() / "composed" / hashlib.sha256(text.encode()).hexdigest()[:24]
    file = folder / f"{module}.sv"
    if not file.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as part:
            part.write(text)
        os.replace(name, file)
    return file


def _render(
    template: str, module: str, multiplier: Design | None, context: Mapping[str, Any]
) -> str:
    return (
        templates.environment("redcore.units")
        .get_template(template)
        .render(
            module=module,
            multiplier=multiplier,
            g=multiplier and multiplier.geometry,
            **context,
        )
    )
