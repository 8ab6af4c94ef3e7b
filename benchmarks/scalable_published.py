# SPDX-License-Identifier: Apache-2.0
"""scalable beside Tenca, Todorov & Koc 2001: gates of the kernel, and the design points of table 5.

Writes benchmarks/scalable_published.json and .md. Gates are NAND2 equivalents of a generic mapping
(Yosys, abc) with the weights below, a quarter of a static CMOS cell's transistors; the kernel is
the stages alone, as in the source, whose area equation stands beside it. Memories and the reduction
behind the kernel are left out on both sides. Times are cycles: one clock is assumed for all numbers
of stages, as no net of the core is longer with more of them; the source's ratios are of times.

    python benchmarks/scalable_published.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from figures import table, tell, versions, write

from redcore import rtl
from redcore.families import Design, family
from redcore.families.scalable import kernel_cycles, published_cycles

WORD = 8
MAX_WIDTH = 1024
GATES = {
    "$_NOT_": 0.5,
    **dict.fromkeys(("$_NAND_", "$_NOR_"), 1.0),
    **dict.fromkeys(("$_AOI3_", "$_OAI3_"), 1.5),
    **dict.fromkeys(("$_AOI4_", "$_OAI4_"), 2.0),
    **dict.fromkeys(("$_XOR_", "$_XNOR_"), 2.5),
    "$_DFF_P_": 6.0,
}
"""NAND2 equivalents of each cell of the mapping."""
PUBLISHED = {
    # stages: table 5's area in gates, time at 15 stages over this one's at 256 and at 1024 bits
    15: (14_964, 1.0, 1.0),
    16: (15_969, 1.0, 1.04),
    18: (17_979, 1.05, 1.21),
    22: (21_999, 1.04, 1.37),
    24: (24_009, 0.92, 1.39),
    26: (26_019, 0.83, 1.42),
}


def area_equation(stages: int) -> float:
    """Section 6.1: gates of the source's radix-8 kernel."""
    return 92 * WORD * stages + 269 * stages - 9.42 * WORD - 35.5


def kernel_gates(design: Design) -> float:
    """NAND2 equivalents of all stages of a design."""
    module = design.family.module
    flags = " ".join(f"-G {name}={value}" for name, value in design.rtl_parameters().items())
    files = " ".join(map(str, rtl.sources(module)))
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "cells.json"
        commands = [
            f"read_slang --keep-hierarchy --top {module} {flags} {files}",
            f"flatten -noscopeinfo {module}_stage*",
            *("proc -norom", "opt", "memory -nomap", f"memory_map {module}_stage*/*"),
            *("opt -full", "techmap", "opt"),
            *("dfflegalize -cell $_DFF_P_ x", "simplemap", "opt_clean"),
            "abc -g NAND,NOR,XOR,XNOR,AOI3,OAI3,AOI4,OAI4",
            *("opt_clean", f"tee -q -o {report} stat -json"),
        ]
        subprocess.run(
            [sys.executable, "-m", "redcore.verify.yosys_child"],
            input="\n".join(commands),
            text=True,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        modules = json.loads(report.read_text(encoding="utf-8"))["modules"]
    stages = [
        cells["num_cells_by_type"]
        for name, cells in modules.items()
        if name.startswith(f"\\{module}_stage")
    ]
    assert len(stages) == design.values["stages"]
    # A KeyError says that a cell has no weight.
    return sum(GATES[cell] * count for cells in stages for cell, count in cells.items())


def main() -> int:
    """Map each design point; returns the exit status, 1 where a kernel needs more cycles."""
    rows: list[dict[str, Any]] = []
    cycles: dict[tuple[int, int], int] = {}
    for stages, (gates, time_256, time_1024) in PUBLISHED.items():
        tell(f"reading {stages} stages")
        settings = {"radix": 8, "word": WORD, "stages": stages, "retimed": 1}
        design = family("scalable").design(256, {**settings, "max_width": MAX_WIDTH})
        for width in (256, 1024):
            cycles[width, stages] = kernel_cycles(width, 8, WORD, stages, 1)
        ours = kernel_gates(design)
        rows.append(
            {
                "stages": stages,
                "gates": round(ours),
                "published_gates": gates,
                "equation_gates": round(area_equation(stages)),
                "gates_ratio": round(ours / gates, 3),
                "cycles_256": cycles[256, stages],
                "equation_256": published_cycles(256, WORD, stages),
                "cycles_1024": cycles[1024, stages],
                "equation_1024": published_cycles(1024, WORD, stages),
                "speed_256": round(cycles[256, 15] / cycles[256, stages], 3),
                "published_256": time_256,
                "speed_1024": round(cycles[1024, 15] / cycles[1024, stages], 3),
                "published_1024": time_1024,
            }
        )
    columns = {
        "stages": "stages",
        "gates": "gates of the kernel",
        "published_gates": "published",
        "gates_ratio": "ratio",
        "cycles_256": "cycles, 256 bits",
        "equation_256": "equation 1",
        "cycles_1024": "cycles, 1024 bits",
        "equation_1024": "equation 1",
        "speed_256": "15 stages' time over this, 256 bits",
        "published_256": "published",
        "speed_1024": "the same, 1024 bits",
        "published_1024": "published",
    }
    figures = {
        "source": "Tenca, Todorov & Koc 2001, section 6.1, equation 1 and table 5",
        "command": "python benchmarks/scalable_published.py",
        "weights": GATES,
        "tool_versions": versions("yosys"),
        "rows": rows,
    }
    write("scalable_published", figures, table(rows, columns))
    late = [
        row
        for row in rows
        if row["cycles_256"] > row["equation_256"] or row["cycles_1024"] > row["equation_1024"]
    ]
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
