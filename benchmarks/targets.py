# SPDX-License-Identifier: Apache-2.0
"""Cores on every device that is placed and routed: cells by kind, and the clock with one seed.

Writes benchmarks/targets.json and .md. All families at 32 bits, and those of the widths below; the
files are written after each run, so that an interrupted one leaves what it has.

    python benchmarks/targets.py
"""

from __future__ import annotations

from typing import Any

from figures import measured, table, tell, write

from redcore.families import family, registered
from redcore.synthesize import synthesize, targets

SEED = 1
EVERY = 32
WIDER = {64: ("csa",), 128: ("csa", "cios", "carrychain")}
DEVICES = [each for each in targets().values() if each.places]
ONE_OF_ECP5 = "ecp5-25k"


def main() -> None:
    """Place each core on each device."""
    rows: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    wanted = [(width, name) for width, names in WIDER.items() for name in names]
    order = [pair for pair in wanted if pair[0] == 128]
    order = [(EVERY, name) for name in ("csa", "cios", "carrychain")] + order
    order += [pair for pair in wanted if pair not in order]
    order += [(EVERY, name) for name in registered() if (EVERY, name) not in order]
    for width, name in order:
        for device in DEVICES:
            if device.family == "ecp5" and device.name != ONE_OF_ECP5:
                continue
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
    names = list(registered())
    ordered = sorted(rows, key=lambda row: (names.index(row["family"]), row["width"]))
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
