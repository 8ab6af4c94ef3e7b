# SPDX-License-Identifier: Apache-2.0
"""Curve processors: how near their loops are to what no order beats."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.study import Case, Row, Rows, Study, case
from redcore.catalogue import registered
from redcore.design import plain
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.model import CURVES

WIDTH = CURVES["x25519"].width
NEAR_PERCENT = 5


def on_each_multiplier() -> Iterator[Case]:
    """Their defaults at the width of X25519."""
    for name in registered():
        yield case(f"curve-{name}", WIDTH, family=name)


def loops(one: Case) -> Iterator[Row]:
    """A row for the ladder and one for the inversion; of formulas alone."""
    assert one.design is not None
    unit = one.design.family
    assert isinstance(unit, CurveUnit)
    for loop in unit.programs(WIDTH, one.design.values).main.loops:
        bound = loop.bound
        if loop.over == "random":  # some products, one behind the other
            continue
        yield {
            "loop": {"scalar": "ladder", "exponent": "inversion"}[loop.over],
            "cycles": plain(loop.cycles),
            "products": plain(bound.products),
            "reads": bound.reads,
            "path": bound.path,
            "turn": bound.turn,
            "above_percent": round(100 * float(loop.cycles / bound.cycles - 1), 1),
            "busy_percent": round(100 * loop.busy, 1),
        }


def loops_goals(rows: Rows) -> dict[str, bool | None]:
    """Each near its bound."""
    return {
        f"{row['family']}, {row['loop']}: at most {NEAR_PERCENT} % above its bound":
        row["above_percent"] <= NEAR_PERCENT
        for row in rows
    }  # fmt: skip


STUDIES = [
    Study(
        "curve_loops",
        "curve: cycles of an iteration beside what no order beats, at 255 bits",
        ("family", "loop"),
        on_each_multiplier,
        loops,
        {"family": "family", "loop": "loop", "cycles": "cycles", "products": "products",
         "reads": "reads", "path": "longest way", "turn": "turn", "above_percent": "% above",
         "busy_percent": "% of the multiplier"},
        goals=loops_goals,
        computed=True,
    ),
]  # fmt: skip
