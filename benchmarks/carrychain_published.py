# SPDX-License-Identifier: Apache-2.0
"""carrychain beside the tables of Daly & Marnane 2002, on the nearest device that Yosys knows.

Writes benchmarks/carrychain_published.json and .md. A slice of the source's Virtex holds two LUTs
and two registers; how well a tool fills slices is the placer's business, so ours are the least
slices that hold the LUTs, and those that hold the registers. Areas only: there is no open place and
route for these devices. The source's clocks stand beside them.

    python benchmarks/carrychain_published.py
"""

from __future__ import annotations

import sys
from typing import Any

from figures import measured, table, tell, write

from redcore.families import Value, family
from redcore.synthesize import synthesize, target

SOURCE = "Daly & Marnane 2002, tables 1 (Virtex V600-6), 2 and 3 (Virtex V1000-6)"
TARGET = "xcve"

VARIANTS = {
    # table 1, 64 bits, not pipelined: the source's name, slices, MHz
    "monarch1": ("MonArch1", 162, 104.46),
    "monarch2": ("MonArch2", 161, 102.40),
    "monarch3": ("MonArch3", 161, 105.74),
    "monarch4": ("MonArch4", 194, 119.47),
    "muxadd": ("MuxMult1", 161, 114.53),
    "ramadd": ("RAMMult4", 194, 74.12),
}
EXTRA = {"monarch1": 1, "monarch2": 0, "monarch3": 1, "monarch4": 1, "muxadd": 3}
"""Cycles that the source says beyond its multiplier length, which is two bits more than the
modulus; for the table in RAM it names no number."""
CHAIN = 120
"""Bits of the source's units."""
PIPELINED = {
    # table 2, units of 120 bits: slices, MHz
    120: (603, 88.47),
    240: (1211, 57.99),
    480: (2426, 59.03),
    720: (3641, 56.83),
    1080: (5458, 54.61),
}
PLAIN = {
    # table 3, one unit: slices, MHz
    120: (603, 88.47),
    240: (1203, 41.41),
    480: (2403, 18.52),
    720: (3603, 12.64),
    1080: (5403, 8.40),
}


def main() -> int:
    """Synthesize every point; returns the exit status."""
    points: list[tuple[int, int, dict[str, Value], str, int, float]] = []
    for kind, (name, slices, mhz) in VARIANTS.items():
        points.append((1, 64, {"variant": kind, "word": 64}, name, slices, mhz))
    for number, published in ((2, PIPELINED), (3, PLAIN)):
        for width, (slices, mhz) in published.items():
            word = CHAIN if number == 2 else width
            settings: dict[str, Value] = {"variant": "muxadd", "word": word}
            points.append((number, width, settings, "MuxMult3", slices, mhz))
    rows: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    for number, width, settings, name, slices, mhz in points:
        design = family("carrychain").design(width, settings)
        variant = str(settings["variant"])
        result = synthesize(design, target(TARGET), progress=tell)
        versions |= result.tool_versions
        rows.append(
            {
                "table": number,
                "design": design.command_line(),
                "width": width,
                "variant": design.values["variant"],
                "word": design.values["word"],
                **measured(result),
                "slices_by_lut": -(-result.lut // 2),
                "slices_by_ff": -(-result.ff // 2),
                "published_name": name,
                "published_slices": slices,
                "published_mhz": mhz,
                "interval_cycles": int(design.geometry.interval_cycles),
                # of a modulus two bits narrower, which is what the source means by the size
                "same_interval_cycles": int(
                    family("carrychain")
                    .design(width - 2, {"variant": variant, "word": width - 2})
                    .geometry.interval_cycles
                ),
                "published_interval_cycles": (
                    width + EXTRA[variant] if variant in EXTRA else "not given"
                ),
                "latency_cycles": design.geometry.latency_cycles,
            }
        )
    columns = {
        "table": "table",
        "width": "bits",
        "variant": "variant",
        "word": "word",
        "lut": "LUTs",
        "ff": "registers",
        "slices_by_lut": "slices for the LUTs",
        "slices_by_ff": "for the registers",
        "published_slices": "published",
        "published_name": "as",
        "published_mhz": "MHz there",
        "interval_cycles": "interval",
        "same_interval_cycles": "with two bits less",
        "published_interval_cycles": "published",
    }
    figures = {
        "source": SOURCE,
        "command": "python benchmarks/carrychain_published.py",
        "tool_versions": versions,
        "rows": rows,
    }
    write("carrychain_published", figures, table(rows, columns))
    return 0


if __name__ == "__main__":
    sys.exit(main())
