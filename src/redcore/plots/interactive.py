# SPDX-License-Identifier: Apache-2.0
"""Draws a figure as an HTML page with Plotly: points tell what they are, axes zoom.

The page holds all it needs, Plotly's own program included (about 5 MB), and asks nothing of any
other place, so it can be mailed or put beside a paper.
"""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

from redcore.plots import style
from redcore.plots.figure import Axis, Cells, Figure, Origin, Panel, Series, plain

_DASHES = {Origin.HERE: "solid", Origin.PUBLISHED: "dash", Origin.MODEL: "dot"}
_SYMBOLS = {"plus": "cross", "cross": "x"}
"""Where Plotly has another name for a marker."""
_GAP = 0.2
"""Between panels, as a part of the width: an axis's label or a scale of shades fits in."""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<!-- SPDX-License-Identifier: Apache-2.0 -->
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; color: {ink}; max-width: 1200px; margin: 1.5rem auto;
  padding: 0 1rem; }}
h1 {{ font-size: 1.3rem; margin: 0; }}
p {{ margin: .4rem 0; }}
.faint {{ color: {faint}; font-size: .87rem; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{shows}</p>
{chart}
{notes}
</body>
</html>
"""


def draw(figure: Figure) -> Any:
    """The figure as a Plotly one."""
    from plotly.subplots import make_subplots

    sheet = make_subplots(
        rows=1,
        cols=len(figure.panels),
        subplot_titles=[panel.title for panel in figure.panels],
        horizontal_spacing=_GAP if len(figure.panels) > 1 else 0,
    )
    listed: set[str] = set()
    for column, panel in enumerate(figure.panels, start=1):
        cells = panel.cells
        if cells:
            _cells(sheet, column, cells)
        for each in panel.series:
            sheet.add_trace(_trace(each, panel, each.label not in listed), row=1, col=column)
            listed.add(each.label)
        if panel.diagonal:
            sheet.add_trace(_diagonal(panel), row=1, col=column)
        across = [mark.x for each in panel.series for mark in each.marks]
        up = [mark.y for each in panel.series for mark in each.marks]
        sheet.update_xaxes(**_axis(panel.x, across, cells.columns if cells else ()), col=column)
        sheet.update_yaxes(**_axis(panel.y, up, cells.rows if cells else ()), col=column)
    rows = -(-len(listed) // 4)
    sheet.update_layout(
        template="simple_white",
        font={"size": 13, "color": style.INK},
        legend={"orientation": "h", "y": -0.18, "yanchor": "top"},
        margin={"l": 70, "r": 20, "t": 60, "b": 60},
        height=480 + 24 * rows,
        hovermode="closest",
    )
    sheet.update_annotations(font_size=14)
    return sheet


def save(figure: Figure, path: Path) -> None:
    """Write the page."""
    chart = draw(figure).to_html(
        full_html=False,
        include_plotlyjs=True,
        div_id="figure",
        config={"displaylogo": False, "responsive": True},
    )
    notes = [figure.source, *figure.missing]
    page = _PAGE.format(
        title=escape(figure.title),
        shows=escape(figure.shows),
        ink=style.INK,
        faint=style.FAINT,
        chart=chart,
        notes="\n".join(f'<p class="faint">{escape(each)}</p>' for each in notes if each),
    )
    path.write_text(page, encoding="utf-8")


def _trace(each: Series, panel: Panel, in_legend: bool) -> Any:
    from plotly import graph_objects as plotly

    hollow = each.origin is Origin.PUBLISHED
    bare = each.origin is Origin.MODEL or not each.look.marker
    symbol = _SYMBOLS.get(each.look.marker, each.look.marker)
    noted = any(mark.note for mark in each.marks)
    modes = [*(["lines"] if each.joined else []), *([] if bare else ["markers"])]
    return plotly.Scatter(
        x=[mark.x for mark in each.marks],
        y=[mark.y for mark in each.marks],
        name=each.label,
        legendgroup=each.label,
        showlegend=in_legend,
        mode="+".join([*modes, *(["text"] if noted else [])]),
        text=[mark.note for mark in each.marks] if noted else None,
        textposition=[
            "top left" if len(each.marks) > 1 and mark is each.marks[-1] else "top right"
            for mark in each.marks
        ],
        textfont={"size": 10},
        customdata=[mark.name for mark in each.marks],
        hovertemplate=(
            f"<b>{escape(each.label)}</b><br>%{{customdata}}<br>"
            f"{escape(panel.x.label)}: %{{x:,.4~g}}<br>{escape(panel.y.label)}: %{{y:,.4~g}}"
            "<extra></extra>"
        ),
        line={
            "color": each.look.colour,
            "width": 1.5,
            "dash": _DASHES[each.origin],
            "shape": "hv" if each.steps else "linear",
        },
        marker={
            "symbol": f"{symbol}-open" if hollow else symbol or "circle",
            "size": 9,
            "color": each.look.colour,
            "line": {"width": 1.6 if hollow else 0.6,
                     "color": each.look.colour if hollow else "white"},
        },
        cliponaxis=False,
        zorder=0 if bare else 1,
    )  # fmt: skip


def _diagonal(panel: Panel) -> Any:
    from plotly import graph_objects as plotly

    ends = panel.ends()
    return plotly.Scatter(
        x=ends, y=ends, mode="lines", line={"color": style.FAINT, "width": 1}, hoverinfo="skip",
        showlegend=False,
    )  # fmt: skip


def _axis(axis: Axis, values: list[float], categories: tuple[int, ...]) -> dict[str, Any]:
    options: dict[str, Any] = {"title_text": axis.label}
    if categories:
        places = list(range(len(categories)))
        return options | {"tickvals": places, "ticktext": [str(each) for each in categories]}
    options |= {"showgrid": True, "gridcolor": style.GRID}
    ticks = list(axis.ticks)
    if axis.log:
        options["type"] = "log"
        ticks = ticks or round_numbers(values)
    elif axis.from_zero:
        options["rangemode"] = "tozero"
    if ticks:
        options |= {"tickmode": "array", "tickvals": ticks,
                    "ticktext": [plain(each) for each in ticks]}  # fmt: skip
    return options


def round_numbers(values: list[float]) -> list[float]:
    """1, 2 and 5 of every decade that the values lie in; decades alone where there are many."""
    if not values:
        return []
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    digits = (1, 2, 5) if high - low < 4 else (1,)
    return [digit * 10.0**decade for decade in range(low, high + 1) for digit in digits]


def _cells(sheet: Any, column: int, cells: Cells) -> None:
    from plotly import graph_objects as plotly

    words = {(row, across): word for row, across, word in cells.outlined}
    texts = [
        [f"{text}<br><i>{words[row, across]}</i>" if (row, across) in words else text
         for across, text in enumerate(line)]
        for row, line in enumerate(cells.texts)
    ]  # fmt: skip
    last = len(style.SHADES) - 1
    subplot = sheet.get_subplot(1, column)
    sheet.add_trace(
        plotly.Heatmap(
            z=[list(row) for row in cells.values],
            x=list(range(len(cells.columns))),
            y=list(range(len(cells.rows))),
            text=texts,
            texttemplate="%{text}",
            textfont={"size": 11},
            zmin=0,
            colorscale=[[place / last, shade] for place, shade in enumerate(style.SHADES)],
            colorbar={"title": {"text": cells.label, "side": "right"}, "thickness": 12,
                      "x": subplot.xaxis.domain[1] + 0.005, "xanchor": "left"},
            hovertemplate="%{z:,.0f}<extra></extra>",
            xgap=1,
            ygap=1,
        ),
        row=1,
        col=column,
    )  # fmt: skip
    for row, across in words:
        sheet.add_shape(
            type="rect", x0=across - 0.48, x1=across + 0.48, y0=row - 0.48, y1=row + 0.48,
            line={"color": style.COLOURS[2], "width": 2}, fillcolor="rgba(0,0,0,0)", opacity=1,
            row=1, col=column,
        )  # fmt: skip
