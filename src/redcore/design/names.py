# SPDX-License-Identifier: Apache-2.0
"""Hints for mistyped names."""

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
