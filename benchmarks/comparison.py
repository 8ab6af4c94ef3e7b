# SPDX-License-Identifier: Apache-2.0
"""All families side by side with their default parameters at one width, on ecp5-85k and xc7.

Writes benchmarks/comparison.json and .md: cycles from the formulas (held equal to simulation by the
tests), area on both devices, the clock of one placement (seed 1) and what follows from it. The
families' own pages have more widths, other parameters and medians of seeds.

    python benchmarks/comparison.py
"""

from __future__ import annotations

from typing import Any

from figures import measured, table, tell, write

from redcore.families import registered
from redcore.synthesize import synthesize, target

WIDTH = 256
PLACED = "ecp5-85k"
MAPPED = "xc7"
COLUMNS = {
    "family": "family",
    "latency_cycles": "latency",
    "interval_cycles": "interval",
    "slots": "slots",
    "fmax_mhz": "ECP5 MHz",
    "lut": "LUT4",
    "carry": "CCU2C",
    "ff": "registers",
    "dsp": "DSP",
    "ops_per_second": "multiplications per second",
    "latency_ns": "latency, ns",
    "xc7_lut": "xc7 LUTs",
    "xc7_ff": "xc7 registers",
    "xc7_dsp": "xc7 DSP",
}


def main() -> None:
    """Measure family by family; the table is written after each, so nothing is lost."""
    rows: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    for core in registered().values():
        if core.kind != "mul":
            continue
        design = core.design(WIDTH)
        geometry = design.geometry
        placed = synthesize(design, target(PLACED), progress=tell)
        mapped = synthesize(design, target(MAPPED), progress=tell)
        versions |= placed.tool_versions | mapped.tool_versions
        clock = placed.fmax_mhz
        rows.append(
            {
                "family": core.name,
                "design": design.command_line(),
                "latency_cycles": geometry.latency_cycles,
                "interval_cycles": float(geometry.interval_cycles),
                "slots": geometry.slots,
                **measured(placed),
                "fmax_mhz": clock or "-",
                "failure": placed.failure,
                "ops_per_second": round(placed.ops_per_second) if placed.ops_per_second else "-",
                "latency_ns": round(geometry.latency_cycles * 1e3 / clock) if clock else "-",
                "xc7_lut": mapped.lut,
                "xc7_ff": mapped.ff,
                "xc7_dsp": mapped.dsp,
            }
        )
        figures = {
            "command": "python benchmarks/comparison.py",
            "width": WIDTH,
            "targets": [PLACED, MAPPED],
            "tool_versions": versions,
            "rows": rows,
        }
        write("comparison", figures, table(rows, COLUMNS))


if __name__ == "__main__":
    main()
