# SPDX-License-Identifier: Apache-2.0
"""Toggles from a waveform: how often each bit of each variable changed in a span of time."""

from __future__ import annotations

from pathlib import Path


def toggles(path: Path, first: int, end: int) -> dict[tuple[str, int], int]:
    """Changes at times ``first`` to ``end - 1`` by (variable, bit); bit 0 is the lowest.

    Variables of one name in several scopes must be one net; scopes are not told apart. A change
    from or to an unknown value does not count.
    """
    names: dict[str, list[tuple[str, int]]] = {}
    values: dict[str, str] = {}
    counts: dict[str, dict[int, int]] = {}
    inside = False
    with path.open(encoding="ascii") as file:
        for indented in file:
            line = indented.strip()
            if line.startswith("$var"):
                words = line.split()
                width, code, name = int(words[2]), words[3], words[4].split("[")[0]
                names.setdefault(code, []).append((name, width))
            elif line.startswith("#"):
                inside = first <= int(line[1:]) < end
            elif line[:1] in ("0", "1", "x", "z"):
                _change(values, counts, line[1:], line[0], inside)
            elif line.startswith("b"):
                value, code = line[1:].split()
                _change(values, counts, code, value, inside)
    found: dict[tuple[str, int], int] = {}
    for code, aliases in names.items():
        for name, width in aliases:
            for bit in range(width):
                found[name, bit] = counts.get(code, {}).get(bit, 0)
    return found


def _change(
    values: dict[str, str],
    counts: dict[str, dict[int, int]],
    code: str,
    value: str,
    inside: bool,
) -> None:
    before = values.get(code)
    values[code] = value
    if not inside or before is None:
        return
    length = max(len(before), len(value))
    mine = counts.setdefault(code, {})
    for place, (old, new) in enumerate(
        zip(reversed(before.zfill(length)), reversed(value.zfill(length)), strict=True)
    ):
        if old != new and old in "01" and new in "01":
            mine[place] = mine.get(place, 0) + 1
