# SPDX-License-Identifier: Apache-2.0
"""carrychain as it comes at 128 to 1024 bits: clock and area on ecp5-85k, area on xcve.

Writes benchmarks/carrychain_widths.json and .md. One run of place and route each, seed 1.

    python benchmarks/carrychain_widths.py
"""

from __future__ import annotations

import sys
from typing import Any

from figures import measured, table, tell, write

from redcore.families import family
from redcore.synthesize import synthesize, target

WIDTHS = (128, 256, 512, 1024)
SEED = 1


def main() -> int:
    """Synthesize every width; returns the exit status."""
    rows: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    for width in WIDTHS:
        design = family("carrychain").design(width)
        result = synthesize(design, target("ecp5-85k"), seed=SEED, progress=tell)
        old = synthesize(design, target("xcve"), progress=tell)
        versions |= result.tool_versions
        rows.append(
            {
                "design": design.command_line(),
                "width": width,
                "variant": design.values["variant"],
                "word": design.values["word"],
                **measured(result),
                "lut4_per_bit": round(result.lut_in_all / width, 3),
                "fmax_mhz": result.fmax_mhz,
                "failure": result.failure,
                "interval_cycles": int(design.geometry.interval_cycles),
                "latency_cycles": design.geometry.latency_cycles,
                "time_per_op_ns": result.time_per_op_ns,
                "ops_per_second": result.ops_per_second,
                "xcve": measured(old),
                "xcve_lut": old.lut,
                "xcve_ff": old.ff,
            }
        )
    columns = {
        "width": "bits",
        "variant": "variant",
        "word": "word",
        "fmax_mhz": f"MHz, seed {SEED}",
        "lut": "LUT4",
        "carry": "CCU2C",
        "lut4_per_bit": "LUT4 per bit in all",
        "ff": "registers",
        "interval_cycles": "interval",
        "latency_cycles": "latency",
        "ops_per_second": "multiplications per second",
        "xcve_lut": "Virtex-E LUTs",
        "xcve_ff": "registers there",
    }
    figures = {
        "command": "python benchmarks/carrychain_widths.py",
        "tool_versions": versions,
        "seed": SEED,
        "rows": rows,
    }
    write("carrychain_widths", figures, table(rows, columns))
    return 0


if __name__ == "__main__":
    sys.exit(main())
