# SPDX-License-Identifier: Apache-2.0
"""Clock and area of csa with one stage and one replica on ecp5-85k, at 256 and at 1024 bits.

Writes benchmarks/csa_ecp5_clock.json and .md. The clock is the median of three seeds; LUT4 per bit
count everything, a CCU2C as two. Exit status 1 when a goal is missed.

    python benchmarks/csa_ecp5_clock.py
"""

from __future__ import annotations

import sys
from typing import Any

from figures import measured, table, tell, write

from redcore.families import family
from redcore.synthesize import synthesize_median, target

TARGET = "ecp5-85k"
WIDTHS = (256, 1024)
SEEDS = (1, 2, 3)
GOAL_MHZ = 250.0
"""At 256 bits, at least."""
GOAL_RATIO = 0.9
"""Of the clock at 256 bits, at 1024 bits, at least."""
GOAL_LUT4_PER_BIT = 8.0
"""At most."""


def main() -> int:
    """Place and route each design with each seed; returns the exit status."""
    rows: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    for final_sub in (0, 1):
        for width in WIDTHS:
            design = family("csa").design(
                width, {"stages": 1, "replicas": 1, "final_sub": final_sub}
            )
            outcome = synthesize_median(design, target(TARGET), SEEDS, progress=tell)
            result = outcome.median
            versions |= result.tool_versions
            rows.append(
                {
                    "design": design.command_line(),
                    "width": width,
                    "final_sub": final_sub,
                    "add_stages": design.values["add_stages"],
                    **measured(result),
                    "lut4_in_all": result.lut_in_all,
                    "lut4_per_bit": round(result.lut_in_all / width, 3),
                    "fmax_mhz": result.fmax_mhz,
                    "fmax_mhz_by_seed": {run.seed: run.fmax_mhz for run in outcome.runs},
                    "failures": [run.failure for run in outcome.runs if run.failure],
                    "interval_cycles": float(design.geometry.interval_cycles),
                    "latency_cycles": design.geometry.latency_cycles,
                    "time_per_op_ns": result.time_per_op_ns,
                    "ops_per_second": result.ops_per_second,
                }
            )
    goals: dict[str, bool] = {}
    ratios: dict[str, float] = {}
    for final_sub in (0, 1):
        narrow, wide = (row for row in rows if row["final_sub"] == final_sub)
        clock = [row["fmax_mhz"] or 0.0 for row in (narrow, wide)]
        ratios[f"final_sub={final_sub}"] = round(clock[1] / clock[0], 4) if clock[0] else 0.0
        goals |= {
            f"final_sub={final_sub}: at least {GOAL_MHZ:g} MHz at {WIDTHS[0]} bits": clock[0]
            >= GOAL_MHZ,
            f"final_sub={final_sub}: at least {GOAL_RATIO:g} of that at {WIDTHS[1]} bits": clock[1]
            >= GOAL_RATIO * clock[0]
            > 0,
            f"final_sub={final_sub}: at most {GOAL_LUT4_PER_BIT:g} LUT4 per bit": all(
                row["lut4_per_bit"] <= GOAL_LUT4_PER_BIT for row in (narrow, wide)
            ),
        }
    columns = {
        "width": "bits",
        "final_sub": "final_sub",
        "add_stages": "add_stages",
        "fmax_mhz": f"MHz, median of seeds {', '.join(map(str, SEEDS))}",
        "lut": "LUT4",
        "carry": "CCU2C",
        "lut4_per_bit": "LUT4 per bit in all",
        "ff": "registers",
        "interval_cycles": "interval",
        "ops_per_second": "multiplications per second",
    }
    figures = {
        "command": "python benchmarks/csa_ecp5_clock.py",
        "tool_versions": versions,
        "seeds": list(SEEDS),
        "clock_ratio": ratios,
        "goals": goals,
        "rows": rows,
    }
    met = "".join(f"- {goal}: {'met' if holds else 'missed'}\n" for goal, holds in goals.items())
    write("csa_ecp5_clock", figures, f"{table(rows, columns)}\n{met}")
    return 0 if all(goals.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
