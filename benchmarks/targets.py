# SPDX-License-Identifier: Apache-2.0
"""Cores on every device that is placed and routed: cells by kind, and the clock with one seed.

Writes benchmarks/targets.json and .md after each run, so that an interrupted one leaves what it
has.

    python benchmarks/targets.py
"""

from __future__ import annotations

from typing import Any

from figures import measured, table, tell, write

from redcore.families import family
from redcore.synthesize import synthesize, targets

SEED = 1
FAMILIES = ("csa", "carrychain", "cios")
WIDTHS = (32, 128)
DEVICES = [
    each
    for each in targets().values()
    if each.places and (each.family != "ecp5" or each.name == "ecp5-25k")
]
SLOW = {("cios", "gw5a-25"), ("cios", "ice40-hx8k")}
"""Products made of LUTs: minutes to place; they come last."""


def main() -> None:
    """Place each core on each device."""
    rows: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    order = [(width, name, device) for width in WIDTHS for name in FAMILIES for device in DEVICES]
    order.sort(key=lambda item: (item[1], item[2].name) in SLOW)
    for width, name, device in order:
        design = family(name).design(width)
        result = synthesize(design, device, seed=SEED, progress=tell)
        versions |= result.tool_versions
        rows.append(
            {
                "family": name,
                "width": width,
                **measured(result),
                "lut_in_all": result.lut_in_all,
                "fmax_mhz": result.fmax_mhz or "-",
                "harness_ff": result.harness_ff,
                "placed": result.placed,
                "failure": result.failure,
                "fits": result.fits(device),
            }
        )
        record(rows, versions)


def record(rows: list[dict[str, Any]], versions: dict[str, str]) -> None:
    """Write what is known so far, by family, width and device."""
    columns = {
        "family": "family",
        "width": "bits",
        "target": "target",
        "lut": "LUTs",
        "lutram": "of memory",
        "carry": "carry cells",
        "ff": "registers",
        "dsp": "DSP",
        "bram": "RAM blocks",
        "fmax_mhz": "MHz",
    }
    places = {device.name: place for place, device in enumerate(DEVICES)}
    ordered = sorted(
        rows,
        key=lambda row: (FAMILIES.index(row["family"]), row["width"], places[row["target"]]),
    )
    failed = "".join(
        f"- {row['family']}, {row['width']} bits, {row['target']}: {row['failure']}\n"
        for row in ordered
        if row["failure"]
    )
    figures = {
        "command": "python benchmarks/targets.py",
        "seed": SEED,
        "tool_versions": versions,
        "rows": ordered,
    }
    write("targets", figures, table(ordered, columns) + (f"\n{failed}" if failed else ""))


if __name__ == "__main__":
    main()
