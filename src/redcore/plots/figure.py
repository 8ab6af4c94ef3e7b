# SPDX-License-Identifier: Apache-2.0
"""A figure as data: what is drawn, before any library draws it.

The builders make a :class:`Figure`; :mod:`redcore.plots.still` draws it as SVG or PNG and
:mod:`redcore.plots.interactive` as HTML. So both show the same points, and tests can look at them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any

from redcore.explore.objective import undominated
from redcore.plots.style import Look

_TEXTS = tomllib.loads(Path(__file__).with_name("figures.toml").read_text(encoding="utf-8"))


class Origin(Enum):
    """Where points come from, which decides how they are drawn."""

    HERE = "measured here"
    """Filled markers, solid lines."""
    PUBLISHED = "published"
    """Hollow markers, dashed lines."""
    MODEL = "model"
    """Lines without markers, dotted."""


@dataclass(frozen=True)
class Mark:
    """One point; ``name`` is what it is, for those who ask (a design, a source's name for it)."""

    x: float
    y: float
    name: str = ""
    note: str = ""
    """A word or two drawn beside it."""


@dataclass(frozen=True)
class Series:
    """Points of one kind; ``joined`` by a line, or by the steps of a trade-off curve."""

    label: str
    marks: tuple[Mark, ...]
    look: Look
    origin: Origin = Origin.HERE
    joined: bool = False
    steps: bool = False


@dataclass(frozen=True)
class Axis:
    """``label`` with its unit; logarithmic or not; ``ticks`` where the values are few."""

    label: str
    log: bool = False
    ticks: tuple[float, ...] = ()
    from_zero: bool = False


@dataclass(frozen=True)
class Cells:
    """A shaded table: ``values[row][column]`` shade it, ``texts`` are written in.

    None is a cell that nothing was measured for; it is drawn hatched. ``outlined`` are cells (row,
    column) with a word each.
    """

    columns: tuple[int, ...]
    rows: tuple[int, ...]
    values: tuple[tuple[float | None, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    label: str
    outlined: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    x: Axis
    y: Axis
    series: tuple[Series, ...] = ()
    title: str = ""
    cells: Cells | None = None
    diagonal: bool = False
    """Draw the line of equal x and y."""

    def ends(self) -> list[float]:
        """The least and the largest of all x and y."""
        values = [v for each in self.series for mark in each.marks for v in (mark.x, mark.y)]
        return [min(values), max(values)]


@dataclass(frozen=True)
class Figure:
    """Panels side by side (below each other in a column), and what the text around them says.

    ``shows`` is one sentence, ``source`` tells where points come from; ``missing`` has a line for
    whatever could not be drawn because there is no figure for it: it stands under the panels.
    """

    name: str
    title: str
    panels: tuple[Panel, ...]
    shows: str = ""
    source: str = ""
    missing: tuple[str, ...] = ()
    one_legend: bool = False
    records: tuple[str, ...] = field(default=())
    """Names of the records in ``benchmarks`` that it draws from."""

    @property
    def marks(self) -> list[Mark]:
        """Every point of every panel."""
        return [m for panel in self.panels for each in panel.series for m in each.marks]


def told_of(
    name: str, panels: Sequence[Panel], missing: tuple[str, ...] = (), also: Sequence[str] = (),
    **values: object,
) -> Figure:  # fmt: skip
    """The recorded figure of that name, with what ``figures.toml`` says around its panels.

    ``values`` are filled into its texts; ``also`` are records beside those named there.
    """
    about = dict(_TEXTS[name])
    records = (*about.pop("records"), *also)
    filled: dict[str, Any] = {
        k: v.format(**values) if isinstance(v, str) else v for k, v in about.items()
    }
    return Figure(name=name, panels=tuple(panels), missing=missing, records=records, **filled)


def series(
    label: str,
    points: Iterable[tuple[float, float] | tuple[float, float, str]],
    look: Look,
    origin: Origin = Origin.HERE,
    joined: bool = False,
) -> Series:
    """A series of plain points, in order of x where they are joined."""
    marks = [Mark(*each) for each in points]
    if joined:
        marks.sort(key=lambda mark: mark.x)
    return Series(label, tuple(marks), look, origin, joined)


def front(marks: Iterable[Mark], x_better: int, y_better: int) -> list[Mark]:
    """Those that no other beats on both axes, by x; ``better`` is 1 for more and -1 for less."""
    best = undominated(((-x_better * m.x, -y_better * m.y), m) for m in marks)
    return sorted(best, key=lambda mark: mark.x)


def front_series(all_series: Sequence[Series], x_better: int, y_better: int, look: Look) -> Series:
    """The trade-off curve of several series."""
    marks = front((m for each in all_series for m in each.marks), x_better, y_better)
    # its points are drawn already, by the series they are of
    return Series(
        "Pareto front", tuple(replace(m, note="") for m in marks), look, joined=True, steps=True
    )


def plain(value: float) -> str:
    """A number on an axis: 0.5, 20, 2,000, 1M."""
    if abs(value) >= 1e6:
        return f"{value / 1e6:g}M"
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:g}"
