# SPDX-License-Identifier: Apache-2.0
"""Relative power of design points, beside the trends of Le Masle 2009, figures 5.14 to 5.17.

Writes benchmarks/power.json and .md after each point. The source gives curves and no numbers, so
each trend is a sentence that our figures meet or do not, as far as they are measured; exit status 1
where one is not met. docs/power.md says why one of them is not.

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
    for name, width, settings in points:
        design = family(name).design(width, settings)
        operations = 1 if name.startswith("exp") else 8
        result = measure(design, target(TARGET), operations=operations, progress=tell)
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


def _power(rows: list[Row], **wanted: Any) -> float | None:
    for row in rows:
        if all(row[key] == value for key, value in wanted.items()):
            return float(row["power"])
    return None


def trends(rows: list[Row]) -> list[dict[str, Any]]:
    """What the source says of its curves, and whether it holds here as far as it is measured."""
    grid = {
        (stages, replicas): _power(rows, family="csa", width=GRID, stages=stages, replicas=replicas)
        for stages in STAGES
        for replicas in REPLICAS
    }

    def rises(pairs: list[tuple[tuple[int, int], tuple[int, int]]]) -> bool | None:
        known = [(grid[low] or 0.0, grid[high] or 0.0) for low, high in pairs]
        measured = [(low, high) for low, high in known if low and high]
        return all(low < high for low, high in measured) if measured else None

    by_replicas = [
        ((stages, low), (stages, high)) for stages in STAGES for low, high in pairwise(REPLICAS)
    ]
    by_stages = [
        ((low, replicas), (high, replicas))
        for replicas in REPLICAS
        for low, high in pairwise(STAGES)
    ]
    alone, around = grid[2, 1], _power(rows, family="exp-csa", width=GRID)
    sizes = [
        sum(row["cells"].values())
        for row in rows
        if row["family"] == "exp-csa"
        or (row["family"], row["stages"], row["replicas"]) == ("csa", 2, 1)
    ]
    return [
        {"trend": "figure 5.14: power rises with the replicas", "met": rises(by_replicas)},
        {"trend": "figure 5.14: power rises with the stages", "met": rises(by_stages)},
        {
            "trend": "figure 5.17: at two stages the exponentiator takes more than the multiplier",
            "met": around > alone if around is not None and alone is not None else None,
        },
        {
            "trend": "figure 5.17: and it has more cells, which the source gives as the reason",
            "met": sizes[1] > sizes[0] if len(sizes) == 2 else None,
        },
    ]


def record(rows: list[Row]) -> list[dict[str, Any]]:
    """Write what is known so far; returns the trends."""
    shown = [
        row
        | {
            "interconnect": row["shares"]["interconnect"],
            "clock": row["shares"]["clock"],
            "toggles": row["activity"].get("register", 0.0),
        }
        for row in rows
    ]
    columns = {
        "family": "family",
        "width": "bits",
        "stages": "stages",
        "replicas": "replicas",
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
