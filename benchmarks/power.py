# SPDX-License-Identifier: Apache-2.0
"""Relative power of design points, beside the trends of Le Masle 2009, figures 5.14 to 5.17.

Writes benchmarks/power.json and .md after each point. The source gives curves and no numbers, so
each trend is a sentence that our figures meet or do not, as far as they are measured; exit status 1
where one is not met. Each trend is judged by measured activity and, as the source's estimator has
no other, by an equal one of all nets. docs/power.md says why one is not met as measured.

    python benchmarks/power.py
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from figures import table, tell, versions, write

from redcore.families import Value, family
from redcore.power import LABEL, measure
from redcore.synthesize import target

SOURCE = "Le Masle 2009, section 5.4, figures 5.14 to 5.17 (XPower Estimator, 512 bits, 150 MHz)"
TARGET = "xc5v"
GRID = 32
STAGES, REPLICAS = (1, 2), (1, 2, 4)
WIDTHS = (64, 128)
ASSUMED_ACTIVITY = 0.125
"""Toggles per net and cycle: what the source's estimator takes where it is told nothing else."""
MODULES = ("csa", "exp-csa", "prime-csa")
"""In the source's order: multiplier, exponentiator, prime tester."""

Row = dict[str, Any]


def main() -> int:
    """Measure each point and judge the trends; returns the exit status."""
    rows: list[Row] = []
    points: list[tuple[str, int, dict[str, Value]]] = [
        ("csa", GRID, {"stages": stages, "replicas": replicas})
        for stages in STAGES
        for replicas in REPLICAS
    ]
    points += [("exp-csa", GRID, {"stages": 2}), ("csa", WIDTHS[0], {})]
    points += [(name, GRID, {}) for name in ("carrychain", "radix4", "cios")]
    points += [("csa", width, {}) for width in WIDTHS[1:]]
    measured = [(name, width, settings, None) for name, width, settings in points]
    assumed = [
        (name, GRID, {"stages": stages, "replicas": replicas}, ASSUMED_ACTIVITY)
        for name in MODULES
        for stages in STAGES
        for replicas in REPLICAS
    ]
    for name, width, settings, activity in [*measured, *assumed]:
        design = family(name).design(width, settings)
        # An operation of a unit is many multiplications.
        operations = 1 if name in MODULES[1:] else 8
        result = measure(
            design, target(TARGET), operations=operations, progress=tell, activity=activity
        )
        rows.append(
            {
                "family": name,
                "width": width,
                "stages": settings.get("stages", ""),
                "replicas": settings.get("replicas", ""),
                "design": design.command_line(),
                **asdict(result),
            }
        )
        record(rows)
    return 1 if any(trend["met"] is False for trend in record(rows)) else 0


Grid = dict[tuple[int, int], float]


def _grid(rows: list[Row], name: str, activity: float | None) -> Grid:
    """Power by stages and replicas."""
    return {
        (row["stages"], row["replicas"] or 1): float(row["power"])
        for row in rows
        if row["stages"] != ""
        and (row["family"], row["width"]) == (name, GRID)
        and row["assumed_activity"] == activity
    }


def _rises(grid: Grid, with_stages: bool) -> bool | None:
    """Whether every step up in one parameter, the other held, takes more."""
    if with_stages:
        steps = [((p, r), (q, r)) for p, q in pairwise(STAGES) for r in REPLICAS]
    else:
        steps = [((p, r), (p, s)) for r, s in pairwise(REPLICAS) for p in STAGES]
    known = [(grid[low], grid[high]) for low, high in steps if low in grid and high in grid]
    return all(low < high for low, high in known) if known else None


def _in_order(*powers: float | None) -> bool | None:
    known = [power for power in powers if power is not None]
    return all(low < high for low, high in pairwise(known)) if len(known) == len(powers) else None


def trends(rows: list[Row]) -> list[dict[str, Any]]:
    """What the source says of its curves, and whether it holds here as far as it is measured."""
    grid, around = _grid(rows, "csa", None), _grid(rows, "exp-csa", None)
    equal = {name: _grid(rows, name, ASSUMED_ACTIVITY) for name in MODULES}
    found: list[tuple[str, bool | None]] = [
        ("figure 5.14: power rises with the replicas", _rises(grid, with_stages=False)),
        ("figure 5.14: power rises with the stages", _rises(grid, with_stages=True)),
        (
            "figure 5.17: at two stages the exponentiator takes more than the multiplier",
            _in_order(grid.get((2, 1)), around.get((2, 1))),
        ),
    ]
    for figure, name in zip((14, 15, 16), MODULES, strict=True):
        found += [
            (
                f"figure 5.{figure}, equal activity: {name} rises with the {what}",
                _rises(equal[name], with_stages=what == "stages"),
            )
            for what in ("replicas", "stages")
        ]
    found += [
        (
            "figure 5.17, equal activity: multiplier, exponentiator, prime tester in this order, "
            f"stages=2 replicas={replicas}",
            _in_order(*(equal[name].get((2, replicas)) for name in MODULES)),
        )
        for replicas in REPLICAS
    ]
    return [{"trend": trend, "met": met} for trend, met in found]


def record(rows: list[Row]) -> list[dict[str, Any]]:
    """Write what is known so far; returns the trends."""
    shown = [
        row
        | {
            "interconnect": row["shares"]["interconnect"],
            "clock": row["shares"]["clock"],
            "toggles": row["activity"].get("register", 0.0),
            "assumed": row["assumed_activity"] or "measured",
        }
        for row in rows
    ]
    columns = {
        "family": "family",
        "width": "bits",
        "stages": "stages",
        "replicas": "replicas",
        "assumed": "activity",
        "power": "relative power",
        "energy_per_operation": "relative energy per operation",
        "interconnect": "of it interconnect",
        "clock": "of it clock",
        "toggles": "toggles per register and cycle",
    }
    judged = trends(rows)
    figures = {
        "label": LABEL,
        "source": SOURCE,
        "command": "python benchmarks/power.py",
        "tool_versions": versions("yosys", "verilator"),
        "trends": judged,
        "rows": rows,
    }
    words = {True: "met", False: "NOT met", None: "not measured"}
    said = "".join(f"- {each['trend']}: {words[each['met']]}\n" for each in judged)
    write("power", figures, f"{table(shown, columns)}\n{said}")
    return judged


if __name__ == "__main__":
    sys.exit(main())
