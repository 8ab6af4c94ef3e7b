# SPDX-License-Identifier: Apache-2.0
"""Figures of what `redcore explore --json` and `redcore tune --json` print."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from redcore import json_text
from redcore.design import nearest
from redcore.errors import BadInput
from redcore.explore.objective import METRICS
from redcore.explore.points import Figures
from redcore.plots import style
from redcore.plots.figure import Axis, Figure, Mark, Panel, Series, front_series
from redcore.synthesize.targets import target

Point = Mapping[str, Any]


@dataclass(frozen=True)
class Quantity:
    """What an axis may show; ``better`` is 1 where more is better, -1 where less, else 0."""

    axis: Axis
    value: Callable[[Point], float | None]
    better: int


def _figures(point: Point) -> Figures | None:
    """What was measured of a point, or None."""
    found = point["measured"]
    names = {each.name for each in fields(Figures)}
    return None if not found else Figures(**{k: v for k, v in found.items() if k in names})


def _metric(name: str, scale: float = 1.0) -> Callable[[Point], float | None]:
    def value(point: Point) -> float | None:
        figures = _figures(point)
        if figures is None or figures.failure:
            return None
        found = METRICS[name](figures, target(point["target"]))
        return None if found is None else found * scale

    return value


_AXES = {
    "throughput": (Axis("throughput (million/s)", log=True), 1e-6, 1),
    "latency": (Axis("latency (µs)", log=True), 1e-3, -1),
    "area": (Axis("equivalent area (LUTs)", log=True), 1.0, -1),
    "lut": (Axis("LUTs, those of carry cells included", log=True), 1.0, -1),
    "ff": (Axis("registers", log=True), 1.0, -1),
    "dsp": (Axis("DSP blocks", from_zero=True), 1.0, -1),
    "bram": (Axis("memory blocks", from_zero=True), 1.0, -1),
    "clock": (Axis("clock (MHz)", from_zero=True), 1.0, 1),
}
"""Axes by the names that ``redcore explore --axes`` has."""
QUANTITIES = {
    **{
        name: Quantity(axis, _metric(name, scale), better)
        for name, (axis, scale, better) in _AXES.items()
    },
    "width": Quantity(Axis("width (bits)", log=True), lambda point: float(point["width"]), 0),
}
_TEXTS = {"clock", "failure"}
"""Figures that are no numbers."""
_LARGEST = 1e30
_TOLD = 4
"""Failures named one by one; of more only the number is."""


def read_points(path: Path) -> list[Point]:
    """The points of a file that explore or tune wrote; BadInput where it is none."""
    try:
        found = json_text.parsed(path.read_text(encoding="utf-8"))
        points: list[Point] = found["candidates"]
        if not all(_whole(each) for each in points):
            raise ValueError("a point is none")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it has not the keys of one"
        raise BadInput(
            f"{path} is no result of `redcore explore --json` or `redcore tune --json`: {why}"
        ) from None
    if not any(each["measured"] for each in points):
        raise BadInput(f"{path} holds no measured design")
    return points


def _whole(point: Point) -> bool:
    """Whether each key of a point is there and of its kind."""
    names = point["family"], point["design"], point["target"]
    values, found = point["parameters"], point["measured"] or {}
    failure, numbers = found.get("failure"), {each.name for each in fields(Figures)} - _TEXTS
    return (
        all(isinstance(each, str) for each in names)
        and _counts(point["width"])
        and isinstance(values, dict)
        and all(isinstance(each, int | str) for each in values.values())
        and isinstance(failure, str | None)
        and all(_counts(found[each]) for each in numbers & found.keys() if found[each] is not None)
    )


def _counts(value: Any) -> bool:
    """An amount that can be drawn, whatever its unit."""
    return isinstance(value, int | float) and 0 <= value < _LARGEST


def quantity(name: str, points: Sequence[Point]) -> Quantity:
    """The quantity called ``name``, else the parameter; BadInput with the nearest right name."""
    if name in QUANTITIES:
        return QUANTITIES[name]
    values = {each["parameters"].get(name) for each in points} - {None}
    if not values or not all(isinstance(value, int) for value in values):
        numbers = {
            key for each in points for key, value in each["parameters"].items()
            if isinstance(value, int)
        }  # fmt: skip
        known = [*QUANTITIES, *sorted(numbers)]
        raise BadInput(
            f"there is nothing called {name!r} to draw; there are {', '.join(known)}"
            f"{nearest(name, known)}"
        )
    ticks = tuple(float(value) for value in sorted(values)) if len(values) < 13 else ()
    return Quantity(
        Axis(name, ticks=ticks),
        lambda point: point["parameters"].get(name),
        0,
    )


def explored_figure(
    path: Path, x: str = "area", y: str = "throughput", by: str | None = None
) -> Figure:
    """What was measured, ``y`` against ``x``.

    Where both have a better end, the trade-off curve is drawn. Points are grouped by family, or
    joined by the values of the parameter ``by``. What has no figure for an axis is named in
    ``missing``.
    """
    points = read_points(path)
    across, up = quantity(x, points), quantity(y, points)
    marks: list[tuple[Point, Mark]] = []
    without: list[Point] = []
    for each in points:
        a, b = _place(across, each), _place(up, each)
        if a is None or b is None:
            without.append(each)
        else:
            marks.append((each, Mark(a, b, each["design"])))
    found = _by_family(marks) if by is None else _by_parameter(marks, points, by)
    lines = list(found)
    if across.better and up.better and len(marks) > 1:
        lines.append(front_series(found, across.better, up.better, style.FRONT))
    targets = sorted({each["target"] for each in points})
    widths = sorted({each["width"] for each in points})
    return Figure(
        name=path.stem,
        title=f"{y.capitalize()} against {x}, {_span(widths)} bits, {', '.join(targets)}",
        panels=(Panel(across.axis, up.axis, tuple(lines)),),
        shows=f"{len(marks)} of {len(points)} designs.",
        source=f"From {path.name}.",
        missing=_missing(points, without),
    )


def _place(quantity: Quantity, point: Point) -> float | None:
    """Where a point is on an axis; nothing at all has no place on one of logarithms."""
    value = quantity.value(point)
    return None if value is None or (quantity.axis.log and value <= 0) else value


def _by_family(marks: Sequence[tuple[Point, Mark]]) -> list[Series]:
    names = sorted({point["family"] for point, _ in marks})
    return [
        Series(
            name,
            tuple(mark for point, mark in marks if point["family"] == name),
            style.family_look(name),
        )
        for name in names
    ]


def _by_parameter(
    marks: Sequence[tuple[Point, Mark]], points: Sequence[Point], by: str
) -> list[Series]:
    quantity(by, points)

    def value(point: Point) -> Any:
        return point["width"] if by == "width" else point["parameters"].get(by)

    values = sorted({value(point) for point, _ in marks} - {None})
    return [
        Series(
            f"{by} {each}",
            tuple(sorted((m for p, m in marks if value(p) == each), key=lambda m: (m.x, m.y))),
            style.step_look(place, len(values)),
            joined=True,
        )
        for place, each in enumerate(values)
    ]


def _missing(points: Sequence[Point], without: Sequence[Point]) -> tuple[str, ...]:
    """A sentence for each kind of point that is not drawn or not what it seems."""
    lines = []
    failed = [each for each in without if each["measured"] and each["measured"].get("failure")]
    lines += [f"Failed: {each['design']}: {each['measured']['failure']}" for each in failed[:_TOLD]]
    if len(failed) > _TOLD:
        lines.append(f"Failed: {len(failed) - _TOLD} more.")
    if unmeasured := sum(not each["measured"] for each in without):
        lines.append(f"Not run: {unmeasured} designs.")
    if clockless := len(without) - len(failed) - unmeasured:
        lines.append(f"Without a figure for an axis: {clockless} designs.")
    if guessed := sum((each["measured"] or {}).get("clock") == "estimated" for each in points):
        lines.append(f"The clock of {guessed} designs is estimated, not placed and routed.")
    return tuple(lines)


def _span(widths: Sequence[int]) -> str:
    return str(widths[0]) if len(widths) == 1 else f"{widths[0]} to {widths[-1]}"
