# SPDX-License-Identifier: Apache-2.0
"""The recorded figures in ``benchmarks``, as plots read them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from redcore.errors import BadInput

Row = Mapping[str, Any]


class Records:
    """The ``*.json`` of a folder; by default that of the checkout this package runs from."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @cached_property
    def folder(self) -> Path:
        """Where the records are; BadInput in an installed wheel, which has none."""
        if self._folder is not None:
            return self._folder
        from redcore.generate import generated

        try:
            return generated.repository() / "benchmarks"
        except BadInput:
            raise BadInput(
                "the recorded measurements are in the repository's benchmarks, not in an installed "
                "package; run this in a checkout, or plot a file of `redcore explore --json`"
            ) from None

    def has(self, name: str) -> bool:
        """Whether there is a record ``NAME.json``."""
        return (self.folder / f"{name}.json").is_file()

    def read(self, name: str) -> dict[str, Any]:
        """The whole record ``NAME.json``; BadInput where it is not there."""
        path = self.folder / f"{name}.json"
        if not self.has(name):
            raise BadInput(f"{path} is not there; the script of the same name writes it")
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found

    def rows(self, name: str, section: str = "") -> list[Row]:
        """Its rows, or those of a section."""
        found = self.read(name)
        rows: list[Row] = (found[section] if section else found)["rows"]
        return rows


def amount(row: Row, key: str) -> float | None:
    """A number of a row, or None where there is none: "-", null, "failed"."""
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value)


def known(rows: Iterable[Row], *keys: str) -> list[Row]:
    """The rows that have a number for every key."""
    return [row for row in rows if all(amount(row, key) is not None for key in keys)]


def family_of(row: Row) -> str:
    """The family of a row's design, which is the first word of its command line."""
    return str(row["design"]).partition(" ")[0]
