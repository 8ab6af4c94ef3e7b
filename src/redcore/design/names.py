# SPDX-License-Identifier: Apache-2.0
"""Hints for mistyped names, and long numbers in short."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable


def nearest(text: str, names: Iterable[str]) -> str:
    """A hint for a mistyped name: `` (nearest: csa)``, or nothing where nothing is near.

    Case and what stands between parts do not matter, nor the order of the parts, nor their rest.
    """
    known = list(names)

    def parts(name: str) -> list[str]:
        return sorted(re.split(r"[-_. ]+", name.lower()))

    plain = text.lower()
    match = (
        [name for name in known if parts(name) == parts(text)]
        or difflib.get_close_matches(plain, known, n=1)
        or [name for name in known if plain and plain in name]
    )
    return f" (nearest: {match[0]})" if match else ""


_LONG = re.compile(r"(\d{4})\d{13,}(\d{4})")
"""Numbers that nobody reads, such as a curve's order."""


def brief(value: object, dots: str = "..") -> str:
    """A value for people: of a long number both ends."""
    return _LONG.sub(rf"\1{dots}\2", str(value))
