# SPDX-License-Identifier: Apache-2.0
"""Clock and area of cios on ecp5-85k with 34-bit words, four multipliers of 18 bits a product.

Words of 36 bits fill the multipliers, but their longer chains cost 5 to 15 MHz.

Writes benchmarks/cios_ecp5_clock.json and .md. The clock is the median of three seeds. Exit status
1 when a goal is missed.

    python benchmarks/cios_ecp5_clock.py [BITS ...]
"""

from __future__ import annotations

import sys
from typing import Any

from figures import measured, table, tell, write

from redcore.families import Value, family
from redcore.synthesize import synthesize_median, target

TARGET = "ecp5-85k"
WIDTHS = {128: 4, 256: 2, 512: 1, 1024: 1, 2048: 1}
"""Bits, and logical multipliers: as many as fill the loop."""
SEEDS = (1, 2, 3)
GOAL_MHZ = 250.0
"""At least."""


def main() -> int:
    """Place and route each design with each seed; returns the exit status."""
    rows: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    chosen = [int(text) for text in sys.argv[1:]] or list(WIDTHS)
    for width, sigma in ((width, WIDTHS[width]) for width in chosen):
        # memory distributed at 2048 bits, too, where block memory is the default
        settings: dict[str, Value] = {"word": 34, "sigma": sigma, "storage": "lutram"}
        design = family("cios").design(width, settings)
        outcome = synthesize_median(design, target(TARGET), SEEDS, progress=tell)
        result = outcome.median
        versions |= result.tool_versions
        rows.append(
            {
                "design": design.command_line(),
                "width": width,
                "sigma": sigma,
                **measured(result),
                "fmax_mhz": result.fmax_mhz,
                "fmax_mhz_by_seed": {run.seed: run.fmax_mhz for run in outcome.runs},
                "failures": [run.failure for run in outcome.runs if run.failure],
                "interval_cycles": float(design.geometry.interval_cycles),
                "latency_cycles": design.geometry.latency_cycles,
                "time_per_op_ns": result.time_per_op_ns,
                "ops_per_second": result.ops_per_second,
            }
        )
    goals = {
        f"at least {GOAL_MHZ:g} MHz at {row['width']} bits": (row["fmax_mhz"] or 0) >= GOAL_MHZ
        for row in rows
    }
    columns = {
        "width": "bits",
        "sigma": "sigma",
        "fmax_mhz": f"MHz, median of seeds {', '.join(map(str, SEEDS))}",
        "lut": "LUT4",
        "carry": "CCU2C",
        "ff": "registers",
        "dsp": "MULT18X18D",
        "latency_cycles": "latency",
        "interval_cycles": "interval",
        "ops_per_second": "multiplications per second",
    }
    figures = {
        "command": " ".join(["python benchmarks/cios_ecp5_clock.py", *map(str, chosen)]),
        "tool_versions": versions,
        "seeds": list(SEEDS),
        "goals": goals,
        "rows": rows,
    }
    met = "".join(f"- {goal}: {'met' if holds else 'missed'}\n" for goal, holds in goals.items())
    write("cios_ecp5_clock", figures, f"{table(rows, columns)}\n{met}")
    return 0 if all(goals.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
