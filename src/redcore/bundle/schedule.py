# SPDX-License-Identifier: Apache-2.0
"""A picture of a unit's scheduled program: an iteration of each of its loops, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from textwrap import shorten
from typing import Any

from redcore.design import Design
from redcore.errors import BadInput

COLOURS = {"multiplier": "#2f6fab", "adder": "#c8761d"}
_NAMES, _CYCLES, _MARGIN = 220, 640, 16
"""Of what an operation does, of its bar, around all: in pixels across."""
_ROW, _BAR, _HEAD, _AXIS = 16, 10, 46, 34
"""Of an operation, of its bar in it, of a loop's words, of its axis: in pixels down."""
_LETTERS = 110
"""Of the first line."""
_TICKS = 8
"""At most so many are on an axis."""


def schedule_svg(design: Design) -> str:
    """The loops of a design's program, each operation a bar from where it begins to where its
    result is there; empty where it has no program."""
    loops = design.family.schedule(design.width, design.values)
    return drawn(design, loops) if loops else ""


def require_schedule(design: Design) -> Sequence[Mapping[str, Any]]:
    """The loops of a design's program; BadInput where it has none."""
    if loops := design.family.schedule(design.width, design.values):
        return loops
    raise BadInput(f"{design.family.name} has no program: --schedule is of curve processors")


def drawn(design: Design, loops: Sequence[Mapping[str, Any]]) -> str:
    """These loops of the design's program, as ``schedule_svg`` has them."""
    parts: list[str] = []
    top = _MARGIN + _HEAD
    for loop in loops:
        parts += _loop(loop, top)
        top += _HEAD + _ROW * len(loop["operations"]) + _AXIS
    width = 2 * _MARGIN + _NAMES + _CYCLES
    title = escape(f"Schedule of {design.command_line()}")
    head = escape(
        shorten(
            f"Schedule at {design.width} bits of {design.short()}", _LETTERS, placeholder=" ..."
        )
    )
    legend = _text(_MARGIN, 2 * _MARGIN, head, weight="bold")
    at = _MARGIN
    for unit, colour in COLOURS.items():
        legend += _bar(at, 2 * _MARGIN + 10, 20, colour) + _text(at + 26, 2 * _MARGIN + 19, unit)
        at += 120
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" width="{width}"'
        f' height="{top}" font-family="monospace" font-size="11" role="img">\n'
        f"<title>{title}</title>\n"
        f'<rect width="{width}" height="{top}" fill="#ffffff"/>\n'
        f"{legend}{''.join(parts)}</svg>\n"
    )


def _loop(loop: Mapping[str, Any], top: int) -> Iterator[str]:
    """A loop's words, an iteration of it, and its axis, from ``top`` on downwards."""
    operations = loop["operations"]
    last: float = max(float(loop["cycles"]), *(one["there"] for one in operations))
    left, rows = _MARGIN + _NAMES, top + _HEAD - 10

    def across(cycle: float) -> float:
        return round(left + _CYCLES * cycle / last, 1)

    bottom = rows + _ROW * len(operations)
    yield _text(_MARGIN, top + 18, f"{loop['loop']}: {loop['iterations']} iterations of"
                f" {loop['cycles']:,} cycles, {loop['above_percent']:g} % above"
                f" {loop['bound']:,}, which no order beats")  # fmt: skip
    for tick in range(0, int(last) + 1, _step(last)):
        at = across(tick)
        yield f'<path d="M{at} {rows}V{bottom + 4}" stroke="#d8d8d8"/>\n'
        yield _text(at, bottom + 16, f"{tick:,}", anchor="middle")
    at = across(float(loop["cycles"]))
    yield f'<path d="M{at} {rows}V{bottom + 4}" stroke="#606060" stroke-dasharray="4 3"/>\n'
    for number, one in enumerate(operations):
        down = rows + _ROW * number
        begins, there = across(one["begins"]), across(one["there"])
        yield _text(_MARGIN, down + 11, escape(one["does"]))
        told = escape(f"{one['does']}: {one['unit']}, cycles {one['begins']} to {one['there']}")
        yield _bar(begins, down + 3, max(1, round(there - begins, 1)), COLOURS[one["unit"]], told)


def _step(last: float) -> int:
    """Cycles from tick to tick, a round number."""
    size = 1
    while True:
        for step in (size, 2 * size, 5 * size):
            if last / step < _TICKS:
                return step
        size *= 10


def _text(x: float, y: float, words: str, anchor: str = "start", weight: str = "normal") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-weight="{weight}">{words}</text>\n'


def _bar(x: float, y: float, width: float, colour: str, told: str = "") -> str:
    shape = f'<rect x="{x}" y="{y}" width="{width}" height="{_BAR}" fill="{colour}"'
    return f"{shape}><title>{told}</title></rect>\n" if told else f"{shape}/>\n"
