# SPDX-License-Identifier: Apache-2.0
"""Area and clock of families with default parameters on ecp5-85k, at four widths.

One is cut where place and route does not take it whole, see CUT.

Writes benchmarks/ecp5_widths_FAMILY.json and .md for each. Areas come first, then the clocks,
seed by seed and from the narrowest to the widest, and the table is written after each: place and
route takes minutes for wide ones, and an interrupted run leaves what it has. The table says of how
many seeds a clock is the median; a run that place and route does not survive counts as the slowest,
and is told.

    python benchmarks/ecp5_widths.py [FAMILY ...]
"""

from __future__ import annotations

import sys
from statistics import median_low
from typing import Any

from figures import measured, table, tell, write

from redcore.families import Design, Value, family
from redcore.synthesize import SynthesisResult, synthesize, target

TARGET = "ecp5-85k"
WIDTHS = (128, 256, 512, 1024)
SEEDS = (1, 2, 3)
FAMILIES = ("interleaved", "barrett", "systolic", "radix4", "scalable")
"""Those without a script of their own that measures clocks at these widths."""
CUT: dict[tuple[str, int], dict[str, Value]] = {("radix4", 1024): {"split": 4}}
"""Place and route gives up on a carry chain of that length; in parts over several cycles it does
not."""
WIDEST_PLACED = {"barrett": 256}
"""Place and route of 512 bits had no answer after 12 minutes, and nothing wider was tried."""


def design_of(name: str, width: int) -> Design:
    """What is measured of a family at a width."""
    return family(name).design(width, CUT.get((name, width), {}))


def measure(name: str) -> None:
    """Synthesize a family's default designs, then place and route them, and write its table."""
    device = target(TARGET)
    designs = {width: design_of(name, width) for width in WIDTHS}
    areas = {
        width: synthesize(design, device, place_and_route=False, progress=tell)
        for width, design in designs.items()
    }
    runs: dict[int, list[SynthesisResult]] = {width: [] for width in WIDTHS}
    record(name, areas, runs)
    for seed in SEEDS:
        for width, design in designs.items():
            if width > WIDEST_PLACED.get(name, width):
                continue
            runs[width].append(synthesize(design, device, seed=seed, progress=tell))
            record(name, areas, runs)


def record(
    name: str, areas: dict[int, SynthesisResult], runs: dict[int, list[SynthesisResult]]
) -> None:
    """Write the table as far as it is known."""
    rows: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    for width, area in areas.items():
        design = design_of(name, width)
        geometry = design.geometry
        interval = float(geometry.interval_cycles)
        placed = runs[width]
        clock = median_low([run.fmax_mhz or 0.0 for run in placed]) if placed else None
        for result in (area, *placed):
            versions |= result.tool_versions
        rows.append(
            {
                "design": design.command_line(),
                "width": width,
                **measured(placed[0] if placed else area),
                "lut4_per_bit": round(area.lut_in_all / width, 3),
                "fmax_mhz": clock or "-",
                "seeds": len(placed),
                "fmax_mhz_by_seed": {run.seed: run.fmax_mhz for run in placed},
                "failures": [run.failure for run in placed if run.failure],
                "latency_cycles": geometry.latency_cycles,
                "interval_cycles": interval,
                "ops_per_second": round(clock * 1e6 / interval, 1) if clock else "-",
            }
        )
    columns = {
        "width": "bits",
        "fmax_mhz": "MHz, median",
        "seeds": "of seeds",
        "lut": "LUT4",
        "carry": "CCU2C",
        "lut4_per_bit": "LUT4 per bit in all",
        "ff": "registers",
        "latency_cycles": "latency",
        "interval_cycles": "interval",
        "ops_per_second": "multiplications per second",
    }
    figures = {
        "command": f"python benchmarks/ecp5_widths.py {name}",
        "target": TARGET,
        "tool_versions": versions,
        "rows": rows,
    }
    failed = "".join(
        f"- {row['design']}: {failure}\n"
        for row in rows
        for failure in dict.fromkeys(row["failures"])
    )
    if name in WIDEST_PLACED:
        failed += (
            f"- not placed above {WIDEST_PLACED[name]} bits: no answer after 12 minutes at 512\n"
        )
    markdown = table(rows, columns) + (f"\n{failed}" if failed else "")
    write(f"ecp5_widths_{name}", figures, markdown)


if __name__ == "__main__":
    for wanted in sys.argv[1:] or FAMILIES:
        measure(wanted)
