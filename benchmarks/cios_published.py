# SPDX-License-Identifier: Apache-2.0
"""cios beside Gallin & Tisserand 2019, table II, Virtex-7: cycles, LUTs, registers, slices.

Writes benchmarks/cios_published.json and .md. The paper's figures are the vendor's after place and
route; ours are Yosys's estimate for the 7 series. Beyond 256 bits the paper has no figures. Exit
status 1 when a point needs more than published.

    python benchmarks/cios_published.py
"""

from __future__ import annotations

import sys
from typing import Any

from figures import measured, table, tell, write

from redcore.families import family
from redcore.families.cios import cycles
from redcore.synthesize import synthesize, target

SOURCE = "Gallin & Tisserand 2019, table II, XC7VX690T speed grade 3"
TARGET = "xc7"
PUBLISHED: list[tuple[str, int, str, int, str, tuple[int, int, int, int, int] | None]] = [
    # name, bits, version, sigma, storage: LUTs, registers, block memories, DSP slices, latency
    ("F44B", 128, "fast", 4, "bram", (545, 725, 2, 9, 75)),
    ("F44D", 128, "fast", 4, "lutram", (600, 758, 0, 9, 75)),
    ("S44B", 128, "small", 4, "bram", (523, 683, 2, 9, 74)),
    ("F28B", 256, "fast", 2, "bram", (556, 743, 2, 9, 143)),
    ("F28D", 256, "fast", 2, "lutram", (634, 778, 0, 9, 143)),
    ("F48D", 256, "fast", 4, "lutram", (674, 787, 0, 9, 255)),
    ("S28B", 256, "small", 2, "bram", (552, 703, 2, 9, 142)),
    ("", 512, "fast", 1, "lutram", None),
    ("", 1024, "fast", 1, "lutram", None),
    ("", 1024, "fast", 1, "bram", None),
]


def main() -> int:
    """Synthesize each point; returns the exit status."""
    rows: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    for name, width, version, sigma, storage, published in PUBLISHED:
        design = family("cios").design(
            width, {"word": 34, "version": version, "sigma": sigma, "storage": storage}
        )
        times = cycles(width, design.values)
        result = synthesize(design, target(TARGET), progress=tell)
        versions |= result.tool_versions
        row: dict[str, Any] = {
            "design": design.command_line(),
            "name": name or "-",
            "width": width,
            "version": version,
            "sigma": sigma,
            "storage": storage,
            **measured(result),
            "latency_cycles": times.latency,
            "eight_cycles": times.total(8),
            "interval_cycles": float(design.geometry.interval_cycles),
        }
        if published:
            lut, ff, bram, dsp, latency = published
            row |= {
                "published_lut": lut,
                "published_ff": ff,
                "published_bram": bram,
                "published_dsp": dsp,
                "published_latency": latency,
                "meets_goal": result.lut <= lut
                and result.ff <= ff
                and result.dsp <= dsp
                and result.bram <= bram
                and times.latency <= latency,
            }
        rows.append(row)
    columns = {
        "name": "source's name",
        "width": "bits",
        "sigma": "sigma",
        "storage": "storage",
        "lut": "LUTs",
        "published_lut": "published",
        "ff": "registers",
        "published_ff": "published ",
        "dsp": "DSP48E1",
        "published_dsp": "published  ",
        "bram": "RAMB18",
        "published_bram": "published   ",
        "latency_cycles": "latency",
        "published_latency": "published    ",
        "eight_cycles": "cycles for 8",
        "interval_cycles": "interval",
    }
    goal = all(row.get("meets_goal", True) for row in rows)
    figures = {
        "source": SOURCE,
        "command": "python benchmarks/cios_published.py",
        "tool_versions": versions,
        "goals": {"LUTs, registers, slices, block memories and latency at most as published": goal},
        "rows": [{**dict.fromkeys(columns), **row} for row in rows],
    }
    told = "met" if goal else "missed"
    write(
        "cios_published",
        figures,
        f"{table([{**dict.fromkeys(columns, '-'), **row} for row in rows], columns)}\n"
        f"- LUTs, registers, slices, block memories and latency at most as published: {told}\n",
    )
    return 0 if goal else 1


if __name__ == "__main__":
    sys.exit(main())
