# SPDX-License-Identifier: Apache-2.0
"""Draws a figure as SVG, PNG or PDF with Matplotlib, byte for byte the same each time."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from io import BytesIO
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redcore.plots import style
from redcore.plots.figure import Axis, Cells, Figure, Origin, Panel, Series, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Sheet

_MARKERS = {
    "circle": "o",
    "square": "s",
    "triangle-up": "^",
    "triangle-down": "v",
    "diamond": "D",
    "pentagon": "p",
    "star": "*",
    "hexagon": "h",
    "hexagon2": "H",
    "triangle-left": "<",
    "triangle-right": ">",
    "octagon": "8",
    "diamond-tall": "d",
    "plus": "P",
    "cross": "X",
    "": "none",
}
_LINES = {Origin.HERE: "-", Origin.PUBLISHED: (0, (4, 2)), Origin.MODEL: (0, (1, 1.2))}
_PNG_DPI = 300
# Millimetres: a panel with its labels, rows of a legend, of notes, of a shaded table, a margin.
_PANEL_MM, _LEGEND_ROW_MM, _NOTE_ROW_MM, _CELL_MM, _MARGIN_MM = 60.0, 3.4, 2.9, 5.2, 1.0
_LETTER = 0.21
"""Width of a letter in millimetres for each point of its size."""
_SAMPLE_MM = 8.0
"""What a legend's entry takes beside its words."""
_HASH = re.compile(r'(?<=["#])[mp][0-9a-f]{10}(?=[")])')
_STYLE = Path(__file__).with_name("paper.mplstyle")
_STEPS = [1, 2, 5, 10]
_NARROW, _FEW_DECADES = 4, 100
"""Ratios of a logarithmic axis's ends: below the first it is ticked evenly, then at 1, 2 and 5."""
_NOTE_PLACES = ((4, 5), (4, -5), (0, 8), (0, -8), (-4, 5), (-4, -5), (7, 0), (-7, 0))
"""Where a note may stand, in points from its mark, the first being the best."""
_MARKER_POINTS = 2.5
"""Half a marker, as far as notes keep away from it."""
_NOTE_SMALLER = 1.5
"""By how many points notes are smaller than labels."""


@dataclass(frozen=True)
class _Legend:
    """How a legend is laid out."""

    per_row: int
    rows: int

    @classmethod
    def of(cls, entries: tuple[Series, ...], width_mm: float, points: float) -> _Legend:
        """As many entries beside each other as fit."""
        labels = {each.label for each in entries if each.marks}
        longest = max(map(len, labels), default=0)
        fit = int((width_mm - 2) / (longest * (points - 0.5) * _LETTER + _SAMPLE_MM))
        per_row = max(1, min(fit, len(labels)))
        return cls(per_row, -(-len(labels) // per_row))


def _cells_mm(panel: Panel) -> float:
    """Height of a shaded table with its labels."""
    return _CELL_MM * len(panel.cells.rows) + 13 if panel.cells else 0.0


def draw(figure: Figure, size: str = "") -> Sheet:
    """The figure as a Matplotlib one; ``size`` is a key of ``style.WIDTHS_MM``.

    By default a figure of one panel is as wide as a column and any other as wide as the text.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure as Sheet

    size = size or ("column" if len(figure.panels) == 1 else "full")
    points, width = style.POINTS[size], style.WIDTHS_MM[size]
    columns = 1 if size == "column" else len(figure.panels)
    rows = [figure.panels[n : n + columns] for n in range(0, len(figure.panels), columns)]
    room = width if figure.one_legend else width / columns
    entries = [_Legend.of(panel.series, room, points) for panel in figure.panels]
    under = [
        0.0 if figure.one_legend and number < len(rows) - 1
        else max(each.rows for each in entries[number * columns : (number + 1) * columns])
        * _LEGEND_ROW_MM
        for number in range(len(rows))
    ]  # fmt: skip
    tall = [max(_PANEL_MM, *(_cells_mm(panel) for panel in row)) for row in rows]
    notes = _wrapped(figure.missing, int((width - 2) / (points - _NOTE_SMALLER) / _LETTER))
    note_mm = len(notes) * _NOTE_ROW_MM + 1.5 if notes else 0.0
    height = sum(tall) + sum(under) + note_mm
    with mpl.rc_context(_settings(points)):
        sheet = Sheet(figsize=(width / style.MM_PER_INCH, height / style.MM_PER_INCH))
        top = height
        for number, panels in enumerate(rows):
            bottom = top - tall[number]
            drawn = [sheet.add_axes((0.2, 0.2, 0.6, 0.6)) for _ in panels]
            for axes, panel in zip(drawn, panels, strict=True):
                _panel(axes, panel, points)
            _place(sheet, drawn, bottom / height, top / height)
            for column, axes in enumerate(drawn):
                _settle_notes(sheet, axes, panels[column], (column + 1) / columns)
                if not figure.one_legend:
                    shape = entries[number * columns + column]
                    _legend(sheet, axes, shape, (column + 0.5) / columns, bottom / height)
            top = bottom - under[number]
        if figure.one_legend:
            _legend(sheet, sheet.axes[0], entries[0], 0.5, bottom / height)
        sheet.text(
            1 / width, 0.8 / height, "\n".join(notes), fontsize=points - _NOTE_SMALLER,
            color=style.FAINT, va="bottom", linespacing=1.25,
        )  # fmt: skip
    return sheet


def save(figure: Figure, path: Path | BytesIO, kind: str, size: str = "") -> None:
    """Write the figure as ``kind``: svg, png or pdf."""
    import matplotlib as mpl

    metadata: dict[str, Any] = {"Title": figure.title, "Creator": "redcore"}
    if kind == "svg":
        metadata |= {"Date": None, "Description": figure.shows or None}
    elif kind == "png":
        metadata = {"Title": figure.title, "Software": "redcore"}
    else:
        metadata |= {"CreationDate": None, "Producer": None}
    sheet = draw(figure, size)
    with mpl.rc_context(_settings(style.POINTS["column"])):
        sheet.savefig(path, format=kind, dpi=_PNG_DPI, metadata=metadata)


def svg(figure: Figure) -> str:
    """The figure as the text of an SVG file, the same on every processor.

    Matplotlib names clip paths and marks by a hash of unrounded places, whose last bit differs
    between processors; here they are numbered.
    """
    content = BytesIO()
    save(figure, content, "svg")
    text = content.getvalue().decode("utf-8")
    hashes = dict.fromkeys(_HASH.findall(text))
    names = {each: f"{each[0]}{place}" for place, each in enumerate(hashes)}
    return _HASH.sub(lambda found: names[found[0]], text)


def _settings(points: float) -> Any:
    """All that a user's own matplotlibrc could change and a figure depends on."""
    import matplotlib as mpl

    defaults = {
        key: value
        for key, value in mpl.rcParamsDefault.items()
        if key.partition(".")[0] not in ("backend", "backend_fallback", "interactive", "toolbar")
    }
    sizes = dict.fromkeys(("font.size", "axes.titlesize", "axes.labelsize"), points)
    small = ("xtick.labelsize", "ytick.labelsize", "legend.fontsize")
    own = {**sizes, **dict.fromkeys(small, points - 0.5), "font.family": [style.FONT]}
    return defaults | mpl.rc_params_from_file(_STYLE, use_default_template=False) | own


def _panel(axes: Axes, panel: Panel, points: float) -> None:
    from matplotlib.lines import Line2D

    small = points - _NOTE_SMALLER
    if panel.title:
        axes.set_title(panel.title, loc="left", color=style.INK)
    if panel.cells:
        _cells(axes, panel.cells, small)
    else:
        axes.grid(True)
    for each in panel.series:
        if each.marks:  # an empty line would count as one at the sheet's corner
            _draw_series(axes, each, small)
    if panel.diagonal:
        ends = panel.ends()
        axes.add_line(Line2D(ends, ends, color=style.FAINT, linewidth=0.8, zorder=1))
    axes.set_xlabel(panel.x.label)
    axes.set_ylabel(panel.y.label)
    if not panel.cells:
        _scale(axes, "x", panel.x)
        _scale(axes, "y", panel.y)


def _draw_series(axes: Axes, each: Series, size: float) -> None:
    hollow = each.origin is Origin.PUBLISHED
    bare = each.origin is Origin.MODEL or not each.look.marker
    axes.plot(
        [mark.x for mark in each.marks],
        [mark.y for mark in each.marks],
        label=each.label,
        color=each.look.colour,
        linestyle=_LINES[each.origin] if each.joined else "none",
        linewidth=0.9 if each.steps or bare else 1.0,
        drawstyle="steps-post" if each.steps else "default",
        marker="none" if bare else _MARKERS[each.look.marker],
        markerfacecolor="none" if hollow else each.look.colour,
        markeredgecolor=each.look.colour if hollow else "white",
        markeredgewidth=0.9 if hollow else 0.4,
        # a ring around a point that lies on it
        markersize=5.6 if hollow else 4.2,
        zorder=2 if bare else 4 if hollow else 3,
        clip_on=False,
    )
    for mark in each.marks:
        if mark.note:
            axes.annotate(
                mark.note, (mark.x, mark.y), xytext=_NOTE_PLACES[0], zorder=5, fontsize=size,
                textcoords="offset points", color=each.look.colour, va="center",
            )  # fmt: skip


def _settle_notes(sheet: Sheet, axes: Axes, panel: Panel, right: float) -> None:
    """Move each note to where it covers least of the points and of the notes before it.

    ``right`` is the end of the panel's share of the sheet, a part of its width.
    """
    from matplotlib.text import Annotation
    from matplotlib.transforms import Bbox

    notes = [each for each in axes.texts if isinstance(each, Annotation)]
    if not notes:
        return
    reach = _MARKER_POINTS / 72 * sheet.dpi
    taken = [
        Bbox.from_bounds(x - reach, y - reach, 2 * reach, 2 * reach)
        for each in panel.series
        for x, y in axes.transData.transform([(mark.x, mark.y) for mark in each.marks] or [(1, 1)])
        if each.look.marker and each.marks
    ]
    across = sheet.bbox.width
    for note in notes:

        def covered(place: tuple[float, float], note: Annotation = note) -> float:
            note.set_position(place)
            note.set_horizontalalignment(
                "center" if place[0] == 0 else "left" if place[0] > 0 else "right"
            )
            box = note.get_window_extent()
            if box.x0 < axes.bbox.x0 or box.x1 > right * across or box.y0 < axes.bbox.y0:
                return float("inf")
            shared = [Bbox.intersection(box, each) for each in taken]
            return sum(each.width * each.height for each in shared if each)

        best = min(_NOTE_PLACES, key=covered)
        covered(best)
        taken.append(note.get_window_extent())


def _scale(axes: Axes, which: str, axis: Axis) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

    own = axes.xaxis if which == "x" else axes.yaxis
    limits = axes.set_xlim if which == "x" else axes.set_ylim
    if axis.log:
        (axes.set_xscale if which == "x" else axes.set_yscale)("log")
        low, high = own.get_data_interval()
        ratio = high / low if 0 < low <= high else inf  # nothing is drawn: low is above high
        few = ratio < _FEW_DECADES
        if ratio < _NARROW:
            own.set_major_locator(MaxNLocator(5, steps=_STEPS))
        else:
            own.set_major_locator(LogLocator(10, (1, 2, 5) if few else (1,)))
        own.set_minor_formatter(NullFormatter())
    else:
        own.set_major_locator(MaxNLocator(6, steps=_STEPS))
        if axis.from_zero:
            limits(0, own.get_data_interval()[1] * 1.07)
    if axis.ticks:
        own.set_ticks(list(axis.ticks))
        own.set_minor_locator(NullLocator())
    own.set_major_formatter(FuncFormatter(lambda value, _: plain(value)))


def _cells(axes: Axes, cells: Cells, size: float) -> None:
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    shades = LinearSegmentedColormap.from_list("shades", style.SHADES)
    table = np.array([[np.nan if v is None else v for v in row] for row in cells.values])
    across, up = np.arange(len(cells.columns) + 1) - 0.5, np.arange(len(cells.rows) + 1) - 0.5
    axes.add_patch(
        Rectangle((-0.5, -0.5), len(cells.columns), len(cells.rows), fill=False, hatch="////",
                  edgecolor="#bbbbbb", linewidth=0)
    )  # fmt: skip
    mesh = axes.pcolormesh(across, up, np.ma.masked_invalid(table), cmap=shades, vmin=0)
    mesh.set_edgecolor("white")
    mesh.set_linewidth(0.5)
    most = float(np.nanmax(table))
    worded = {(row, column) for row, column, _ in cells.outlined}
    for row, texts in enumerate(cells.texts):
        for column, text in enumerate(texts):
            value = cells.values[row][column]
            dark = value is not None and value / most > 0.55
            lift = 0.14 if (row, column) in worded else 0
            axes.text(
                column, row + lift, text, ha="center", va="center",
                fontsize=size + 0.5,
                color="white" if dark else style.INK,
            )  # fmt: skip
    for row, column, word in cells.outlined:
        axes.add_patch(
            Rectangle((column - 0.48, row - 0.48), 0.96, 0.96, fill=False,
                      edgecolor=style.COLOURS[2], linewidth=1.3, zorder=5)
        )  # fmt: skip
        axes.text(
            column, row - 0.45, word, ha="center", va="bottom", color=style.COLOURS[2], zorder=6,
            fontsize=size - 1.5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.2},
        )  # fmt: skip
    axes.set_xticks(range(len(cells.columns)), [str(each) for each in cells.columns])
    axes.set_yticks(range(len(cells.rows)), [str(each) for each in cells.rows])
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    sheet = axes.get_figure(root=True)
    assert sheet is not None
    bar = sheet.colorbar(mesh, cax=axes.inset_axes((1.03, 0, 0.035, 1)))
    bar.set_label(cells.label)
    bar.ax.yaxis.set_major_formatter(lambda value, _: plain(value))
    bar.outline.set_visible(False)


def _place(sheet: Sheet, drawn: list[Axes], bottom: float, top: float) -> None:
    """Give each of a row's axes an equal share of the width, with all labels inside it.

    Twice, as labels change with the size.
    """
    across, up = sheet.get_size_inches() * style.MM_PER_INCH
    for _ in range(2):
        sheet.draw_without_rendering()
        found = [axes.get_tightbbox() for axes in drawn]
        outer = [each.transformed(sheet.transFigure.inverted()) for each in found if each]
        inner = [axes.get_position() for axes in drawn]
        low = max(i.y0 - o.y0 for i, o in zip(inner, outer, strict=True))
        high = max(o.y1 - i.y1 for i, o in zip(inner, outer, strict=True))
        y0, y1 = bottom + low + _MARGIN_MM / up, top - high - _MARGIN_MM / up
        for column, axes in enumerate(drawn):
            left = inner[column].x0 - outer[column].x0
            right = outer[column].x1 - inner[column].x1
            x0 = column / len(drawn) + left + _MARGIN_MM / across
            x1 = (column + 1) / len(drawn) - right - _MARGIN_MM / across
            axes.set_position((x0, y0, x1 - x0, y1 - y0))


def _legend(sheet: Sheet, axes: Axes, shape: _Legend, middle: float, top: float) -> None:
    """A legend below axes, its upper edge at ``top``."""
    # several series may be of one kind
    found = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    if found:
        sheet.legend(
            list(found.values()), list(found), ncols=shape.per_row, loc="upper center",
            bbox_to_anchor=(middle, top), handlelength=1.7, columnspacing=1.0,
            handletextpad=0.5, labelspacing=0.35, borderaxespad=0, borderpad=0,
        )  # fmt: skip


def _wrapped(lines: tuple[str, ...], columns: int) -> list[str]:
    return [part for line in lines for part in textwrap.wrap(line, columns)]
