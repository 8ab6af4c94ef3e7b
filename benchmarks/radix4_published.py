# SPDX-License-Identifier: Apache-2.0
"""radix4 beside the designs of Pakzad 2023, tables 3.1.1 to 4.2.1: cycles, and LUTs on 7 series.

Writes benchmarks/radix4_published.json and .md. The source's figures are the vendor's; ours are
Yosys's estimated logic cells and LUTs that hold memory. Exit status 1 when the last design takes
more than the published LUTs or any interval is above the published cycles.

    python benchmarks/radix4_published.py
"""

from __future__ import annotations

import sys
from typing import Any

from figures import measured, table, tell, write

from redcore.families import Value, family
from redcore.synthesize import synthesize, target

SOURCE = "Pakzad 2023, High radix and efficient hardware implementation, tables 3.1.1 to 4.2.1"
TARGET = "xc7"

INSIDE: dict[str, Value] = {"precomputed": "inside"}
DESIGNS: dict[str, dict[str, Value]] = {
    "basic radix 2": {"radix": 2, "merged": 0, **INSIDE},
    "merged radix 2": {"radix": 2, **INSIDE},
    "basic radix 4": INSIDE,
    "radix 4, ripple": {"adder": "ripple"},
    "radix 4, Kogge-Stone in two": {"adder": "koggestone", "split": 2},
    "radix 4, carry chain in four": {"split": 4},
}
PUBLISHED = {
    # (design, bits): cycles, LUTs
    ("basic radix 2", 128): (516, 1_179),
    ("merged radix 2", 128): (259, 969),
    ("basic radix 4", 128): (209, 1_565),
    ("basic radix 2", 256): (1_028, 2_462),
    ("merged radix 2", 256): (516, 2_462),
    ("basic radix 4", 256): (401, 3_483),
    ("radix 4, ripple", 256): (145, 2_312),
    ("radix 4, Kogge-Stone in two", 256): (147, 3_814),
}
CHAIN, PREFIX = "radix 4, carry chain in four", "radix 4, Kogge-Stone in two"
ALSO = [(PREFIX, 128), (CHAIN, 128), (CHAIN, 256), (CHAIN, 512), (CHAIN, 1024), (PREFIX, 512)]
"""The widths of the contract's table; the prefix tree's 1024 bits take long to map."""


def main() -> int:
    """Synthesize each design; returns the exit status."""
    rows: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    met = True
    for name, width in [*PUBLISHED, *ALSO]:
        design = family("radix4").design(width, DESIGNS[name])
        result = synthesize(design, target(TARGET), progress=tell)
        versions |= result.tool_versions
        cycles, lut = PUBLISHED.get((name, width), (None, None))
        geometry = design.geometry
        if lut is not None and cycles is not None:
            fits = geometry.interval_cycles <= cycles
            if name.endswith("in two"):
                fits = fits and result.lut <= lut
            met = met and fits
        rows.append(
            {
                "design": design.command_line(),
                "name": name,
                "width": width,
                **measured(result),
                "latency_cycles": geometry.latency_cycles,
                "interval_cycles": int(geometry.interval_cycles),
                "published_cycles": cycles if cycles is not None else "",
                "published_lut": lut if lut is not None else "",
                "lut_ratio": round(result.lut / lut, 4) if lut is not None else "",
            }
        )
    columns = {
        "name": "design",
        "width": "bits",
        "latency_cycles": "latency",
        "interval_cycles": "interval",
        "published_cycles": "published",
        "lut": "LUTs",
        "published_lut": "published",
        "lut_ratio": "ratio",
        "ff": "registers",
        "carry": "CARRY4",
    }
    figures = {
        "source": SOURCE,
        "command": "python benchmarks/radix4_published.py",
        "tool_versions": versions,
        "rows": rows,
    }
    write("radix4_published", figures, table(rows, columns))
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
