# SPDX-License-Identifier: Apache-2.0
"""The chart of a space: points by family, the trade-off curve, the optimum, what was measured."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from redcore.web.candidates import Candidate
from redcore.web.engine import Answer, figure, front
from redcore.web.fields import FIGURES, Figure

COLOURS = (
    "#4269d0", "#e8a013", "#ff6b52", "#2fa88f", "#3f9b46", "#e76fae", "#9a5cf0", "#7d9ec7",
    "#9c6b4e", "#8a8f98", "#b5651d", "#1f8a99", "#a3203a", "#5b6b1f",
)  # fmt: skip
_CELLS = 90
"""Cells of each axis in which one point for each family is drawn."""
_LOG_RATIO = 12.0
"""Axes whose values span more than this are logarithmic."""

Measured = Mapping[str, Mapping[str, Any]]

_TIP = (
    "p => { const f = v => v >= 1e9 ? (v/1e9).toPrecision(3)+' G' : v >= 1e6 ? "
    "(v/1e6).toPrecision(3)+' M' : v >= 1e4 ? (v/1e3).toPrecision(3)+' k' : "
    "(+v.toPrecision(4)).toString(); "
    "return p.data && p.data.tip ? '<b>' + p.data.name + '</b><br>' + p.data.tip + '<br>' + "
    "p.data.x + ' ' + f(p.data.real[0]) + '<br>' + p.data.y + ' ' + f(p.data.real[1]) : ''; }"
)
_AXIS = (
    "v => v >= 1e9 ? +(v/1e9).toPrecision(3)+' G' : v >= 1e6 ? +(v/1e6).toPrecision(3)+' M' : "
    "v >= 1e3 ? +(v/1e3).toPrecision(3)+' k' : (+v.toPrecision(3)).toString()"
)


def colour(name: str, families: Sequence[str]) -> str:
    """A family's colour, the same in every chart."""
    return COLOURS[sorted(families).index(name) % len(COLOURS)]


def thinned(
    points: Iterable[tuple[float, float, Candidate]], keep: frozenset[str]
) -> list[tuple[float, float, Candidate]]:
    """One point for each family and cell, as those in a cell lie on top of each other.

    The cells divide the logarithms of both axes evenly; those in ``keep`` stay in any case.
    """
    found = list(points)
    if len(found) < 400:
        return found

    def scale(values: list[float]) -> tuple[float, float]:
        logs = [math.log(v) for v in values if v > 0]
        low, high = (min(logs), max(logs)) if logs else (0.0, 1.0)
        return low, (high - low) / _CELLS or 1.0

    (low_x, step_x) = scale([x for x, _, _ in found])
    (low_y, step_y) = scale([y for _, y, _ in found])

    def cell(value: float, low: float, step: float) -> int:
        return -1 if value <= 0 else int((math.log(value) - low) / step)

    taken: set[tuple[str, int, int]] = set()
    kept = []
    for x, y, each in found:
        place = each.family, cell(x, low_x, step_x), cell(y, low_y, step_y)
        if each.key in keep or place not in taken:
            taken.add(place)
            kept.append((x, y, each))
    return kept


def curve(
    found: Answer, measured: Measured, extra: Iterable[Candidate], x: str, y: str
) -> list[Candidate]:
    """The trade-off curve: of what the chart is about, what nothing beats in both axes."""
    every = {each.key: each for each in (*found.points, *extra)}
    return front(
        [e for e in every.values() if e.key in found.shown or e.key in measured],
        measured, x, y, FIGURES[x].better, FIGURES[y].better,
    )  # fmt: skip


def options(
    found: Answer,
    measured: Measured,
    extra: Iterable[Candidate],
    x: Figure,
    y: Figure,
    selected: str | None,
    dark: bool,
    hidden: Collection[str] = (),
    outside: bool = False,
) -> dict[str, Any]:
    """What ECharts is given. ``extra`` are measured points outside the question's space.

    Families in ``hidden`` are left out. Designs that break a constraint are shown with ``outside``,
    and where nothing fits those that come near; what lies beyond the others is drawn at the edge.
    """
    ink, faint, grid = (
        ("#e6e8ee", "#7c8394", "#2b303b") if dark else ("#22262f", "#7a8190", "#e6e8ee")
    )
    names = sorted({each.family for each in found.points} | {each.family for each in extra})
    extra = list(extra)
    every = {
        each.key: each
        for each in (*found.points, *extra)
        if each.family not in hidden
        and (outside or each.key in found.shown or each.key in measured or each.key == selected)
    }  # fmt: skip
    line_of = [e for e in curve(found, measured, extra, x.name, y.name) if e.key in every]
    keep = frozenset(
        {e.key for e in line_of} | set(measured) | ({selected} if selected else set())
        | ({found.best.key} if found.best else set())
    )  # fmt: skip
    placed = [
        (a, b, each)
        for each in every.values()
        if (a := figure(each, measured.get(each.key), x.name)) is not None
        and (b := figure(each, measured.get(each.key), y.name)) is not None
    ]
    shown = thinned(placed, keep)
    # What the chart is about and what was measured set the ends of the axes.
    within = [
        (a, b) for a, b, each in shown if each.key in found.shown or each.key in measured
    ] or [(a, b) for a, b, _ in shown]
    log_x, log_y = (_logarithmic([each[axis] for each in within]) for axis in (0, 1))
    ends_x, ends_y = (
        _ends([each[axis] for each in within], log) for axis, log in ((0, log_x), (1, log_y))
    )

    def drawn(a: float, b: float, each: Candidate, tip: str) -> dict[str, Any]:
        at = [_clamped(a, ends_x), _clamped(b, ends_y)]
        beyond = {"symbol": "triangle", "tip": f"{tip}; beyond the axes"} if at != [a, b] else {}
        return {
            "value": at,
            "real": [a, b],
            "key": each.key,
            "name": each.label,
            "tip": tip,
            "x": x.label,
            "y": y.label,
        } | beyond

    series: list[dict[str, Any]] = []
    told = "model" if found.fitting else "model; breaks a constraint"
    # Designs that break a constraint lie behind, grey.
    breaking = [
        drawn(a, b, each, "model; breaks a constraint")
        for a, b, each in shown
        if each.key not in measured and each.key not in found.shown
    ]
    series.append(_scatter("breaks a constraint", breaking, 5, faint, 0.28))
    for name in names:
        inside = [
            drawn(a, b, each, (told if each.predicted else "cycles") + _bounds(each))
            for a, b, each in shown
            if each.family == name and each.key not in measured and each.key in found.shown
        ]
        real = [
            drawn(a, b, each, "synthesized") | {
                "symbol": "diamond",
                "symbolSize": 15,
                "itemStyle": {"opacity": 1, "borderColor": ink, "borderWidth": 1.6},
            }
            for a, b, each in shown
            if each.family == name and each.key in measured
        ]  # fmt: skip
        dots = _scatter(name, [*inside, *real], 8, colour(name, names), 0.62)
        series.append(dots | {"z": 3})
    step = "start" if x.better < 0 else "end"
    line = [
        [figure(e, measured.get(e.key), x.name), figure(e, measured.get(e.key), y.name)]
        for e in line_of
    ]
    series.append(
        {
            "name": "trade-off curve",
            "type": "line",
            "data": sorted(line, key=lambda pair: pair[0] or 0.0),
            "step": "end" if step == "start" else "start",
            "symbol": "none",
            "silent": True,
            "lineStyle": {"color": ink, "width": 1.8, "type": "solid", "opacity": 0.85},
            "itemStyle": {"color": ink},
            "z": 5,
        }
    )
    marks: list[dict[str, Any]] = []
    for key, text, size, width in (
        (found.best.key if found.best else None, "optimum", 24, 3),
        (selected, "", 30, 2),
    ):
        where = next(((a, b) for a, b, each in placed if each.key == key), None)
        if key is not None and where is not None:
            marks.append(
                {
                    "value": list(where),
                    "symbolSize": size,
                    "label": {"show": bool(text), "formatter": text, "position": "top",
                              "color": ink, "fontWeight": 600, "fontSize": 12,
                              "textBorderColor": "#181b22" if dark else "#ffffff",
                              "textBorderWidth": 4},
                    "itemStyle": {"color": "transparent", "borderWidth": width,
                                  "borderColor": "#c4273a" if text else ink},
                }
            )  # fmt: skip
    series.append(
        {"name": "marks", "type": "scatter", "data": marks, "silent": True, "symbol": "circle",
         "z": 6, "animation": False}
    )  # fmt: skip
    return {
        "animationDuration": 350,
        "backgroundColor": "transparent",
        "textStyle": {"fontFamily": "Roboto, system-ui, sans-serif"},
        "grid": {"left": 64, "right": 22, "top": 34, "bottom": 56},
        "toolbox": {
            "top": 0,
            "right": 14,
            "itemSize": 14,
            "iconStyle": {"borderColor": faint},
            "feature": {
                "dataZoom": {"title": {"zoom": "Zoom into a part", "back": "Back"}},
                "restore": {"title": "Whole space"},
                "saveAsImage": {"title": "Save as picture", "name": "redcore",
                                "backgroundColor": "#14171d" if dark else "#ffffff"},
            },
        },
        "tooltip": {
            "trigger": "item",
            ":formatter": _TIP,
            "backgroundColor": "#1c2029" if dark else "#ffffff",
            "borderColor": grid,
            "textStyle": {"color": ink, "fontSize": 12},
            "confine": True,
        },
        "xAxis": _axis(x, log_x, ink, faint, grid, vertical=False)
        | ends_x,
        "yAxis": _axis(y, log_y, ink, faint, grid, vertical=True)
        | ends_y,
        "series": series,
    }  # fmt: skip


def _bounds(point: Candidate) -> str:
    """What is said of a point's cycles where that is not the usual."""
    if point.geometry.at_least:
        return "; cycles at least"
    return "" if point.predicted else ", exact"


def _scatter(
    name: str, data: list[dict[str, Any]], size: int, shade: str, opacity: float
) -> dict[str, Any]:
    return {
        "name": name,
        "type": "scatter",
        "data": data,
        "symbolSize": size,
        "itemStyle": {"color": shade, "opacity": opacity},
        "emphasis": {"itemStyle": {"opacity": 1}, "scale": 1.6},
        "cursor": "pointer",
    }


def _logarithmic(values: Sequence[float]) -> bool:
    positive = [value for value in values if value > 0]
    return len(positive) == len(values) > 0 and max(positive) / min(positive) > _LOG_RATIO


def _ends(values: Sequence[float], logarithmic: bool) -> dict[str, float]:
    """The ends of an axis, a little beyond the values: round, but not whole decades."""
    if not values:
        return {}
    if not logarithmic:
        low, high = min(values), max(values)
        spare = (high - low) * 0.08 or max(abs(high), 1.0) * 0.1
        unit = 10.0 ** math.floor(math.log10(spare))
        bottom = math.floor((low - spare) / unit) * unit
        return {
            "min": max(0.0, bottom) if low >= 0 else bottom,
            "max": math.ceil((high + spare) / unit) * unit,
        }
    low, high = min(values) * 0.8, max(values) * 1.25
    low_unit, high_unit = (10.0 ** math.floor(math.log10(value)) for value in (low, high))
    return {
        "min": math.floor(low / low_unit) * low_unit,
        "max": math.ceil(high / high_unit) * high_unit,
    }


def _clamped(value: float, ends: Mapping[str, float]) -> float:
    return min(max(value, ends.get("min", value)), ends.get("max", value))


def _axis(
    what: Figure, logarithmic: bool, ink: str, faint: str, grid: str, vertical: bool
) -> dict[str, Any]:
    unit = f" ({'1' if what.unit == '/s' else ''}{what.unit})" if what.unit else ""
    return {
        "type": "log" if logarithmic else "value",
        "scale": True,
        "name": what.label + unit,
        "nameLocation": "end" if vertical else "middle",
        "nameGap": 14 if vertical else 32,
        "nameTextStyle": {"color": ink, "fontWeight": 600, "align": "left" if vertical else
                          "center", "padding": [0, 0, 0, -44] if vertical else 0},
        "axisLabel": {"color": faint, ":formatter": _AXIS, "hideOverlap": True},
        "axisLine": {"lineStyle": {"color": faint}},
        "splitLine": {"lineStyle": {"color": grid}},
        "minorSplitLine": {"show": False},
    }  # fmt: skip


def axis_names() -> dict[str, str]:
    """The figures that may be an axis."""
    return {name: each.label for name, each in FIGURES.items()}
