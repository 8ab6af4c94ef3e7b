# SPDX-License-Identifier: Apache-2.0
"""Area and clock of the baselines interleaved, barrett and systolic on ecp5-85k.

Writes benchmarks/baselines_area_FAMILY.json and .md for each. The clock is the median of three
seeds; a run that place and route does not survive counts as the slowest, and is told.

    python benchmarks/baselines_area.py [FAMILY ...]
"""

from __future__ import annotations

import sys
from typing import Any

from figures import measured, table, tell, write

from redcore.families import Value, family
from redcore.synthesize import synthesize_median, target

TARGET = "ecp5-85k"
WIDTHS = (128, 256, 512, 1024)
SEEDS = (1, 2, 3)
SETTINGS: dict[str, list[dict[str, Value]]] = {
    "interleaved": [{}],
    "barrett": [{"digit": 1}, {"digit": 4}],
    "systolic": [{}],
}


def measure(name: str) -> None:
    """Place and route a family's designs with each seed and write its table."""
    rows: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    for width in WIDTHS:
        for settings in SETTINGS[name]:
            design = family(name).design(width, settings)
            outcome = synthesize_median(design, target(TARGET), SEEDS, progress=tell)
            result = outcome.median
            versions |= result.tool_versions
            rows.append(
                {
                    "design": design.command_line(),
                    "width": width,
                    **settings,
                    **measured(result),
                    "lut4_per_bit": round(result.lut_in_all / width, 3),
                    "fmax_mhz": result.fmax_mhz if result.fmax_mhz is not None else "failed",
                    "fmax_mhz_by_seed": {run.seed: run.fmax_mhz for run in outcome.runs},
                    "failures": [run.failure for run in outcome.runs if run.failure],
                    "latency_cycles": design.geometry.latency_cycles,
                    "interval_cycles": float(design.geometry.interval_cycles),
                    "ops_per_second": result.ops_per_second or "-",
                }
            )
    columns = {
        "width": "bits",
        **{key: key for key in SETTINGS[name][0]},
        "fmax_mhz": f"MHz, median of seeds {', '.join(map(str, SEEDS))}",
        "lut": "LUT4",
        "carry": "CCU2C",
        "lut4_per_bit": "LUT4 per bit in all",
        "ff": "registers",
        "latency_cycles": "latency",
        "interval_cycles": "interval",
        "ops_per_second": "multiplications per second",
    }
    figures = {
        "command": f"python benchmarks/baselines_area.py {name}",
        "target": TARGET,
        "tool_versions": versions,
        "seeds": list(SEEDS),
        "rows": rows,
    }
    failed = "".join(
        f"- {row['design']}: {failure}\n" for row in rows for failure in row["failures"]
    )
    write(f"baselines_area_{name}", figures, table(rows, columns) + (f"\n{failed}" * bool(failed)))


if __name__ == "__main__":
    for wanted in sys.argv[1:] or SETTINGS:
        measure(wanted)
