# SPDX-License-Identifier: Apache-2.0
"""How every figure looks, here and on the web page: a family has its colour and marker everywhere.

The colours are those of Okabe and Ito (2008), which people with any of the common colour
vision deficiencies tell apart, with a grey for their yellow, which is too pale on white, and a
brown. Markers differ as well, so that nothing depends on colour alone. Plain data: no drawing
library is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """A colour as #rrggbb and the name of a marker; ``marker`` is empty for a bare line."""

    colour: str
    marker: str = ""


# In the order of the families' names.
COLOURS = (
    "#000000", "#009e73", "#d55e00", "#0072b2", "#8c8c8c", "#e69f00", "#cc79a7", "#56b4e9",
    "#5d3a1a", "#7f00ff", "#6b8e23", "#8b0000", "#00c2c7",
    "#000088",
)  # fmt: skip
MARKERS = ("plus", "triangle-up", "square", "circle", "cross", "triangle-down", "diamond",
           "pentagon", "star", "hexagon", "triangle-left", "triangle-right",
           "octagon", "diamond-tall", "hexagon2")  # fmt: skip
"""One more than colours, so that pairs repeat after 210 families only."""

INK = "#222222"
FAINT = "#7a7a7a"
GRID = "#dddddd"
FRONT = Look("#444444")
OTHERS = Look("#8c8c8c", "circle")
"""Published designs of nobody's family."""

RAMP = ("#440154", "#443983", "#31688e", "#21918c", "#35b779", "#90d743")
"""Dark to light (viridis without its pale end), for a parameter's values in order."""
SHADES = ("#f7fbff", "#c6dbef", "#6baed6", "#2171b5", "#08306b")
"""Light to dark, for shaded tables."""

FONT = "DejaVu Sans"
MM_PER_INCH = 25.4
WIDTHS_MM = {"column": 85.0, "full": 178.0}
"""Widths of a printed column and of a page's text."""
POINTS = {"column": 7.0, "full": 7.5}
"""Size of type."""


def family_look(name: str, families: Sequence[str] = ()) -> Look:
    """The look of a family, or of a unit on one (``exp-csa`` looks like ``csa``).

    ``families`` are all there are, by default the registered multipliers; an unknown one comes
    behind them.
    """
    if not families:
        from redcore.families import registered

        families = [each.name for each in registered().values() if each.kind == "mul"]
    order = sorted(families)
    if name not in order:
        name = name.rpartition("-")[2]
    place = order.index(name) if name in order else len(order)
    return Look(COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)])


def step_look(place: int, count: int) -> Look:
    """The look of a parameter's value number ``place`` of ``count`` in order."""
    last = len(RAMP) - 1
    shade = round(place * last / max(1, count - 1)) if count > 1 else 0
    return Look(RAMP[shade], ("circle", "square", "triangle-up", "diamond", "triangle-down",
                              "pentagon", "star", "plus", "cross")[place % 9])  # fmt: skip
