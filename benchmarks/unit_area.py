# SPDX-License-Identifier: Apache-2.0
"""Area of the prime tester and of redc_rsa at 512 bits on Virtex-5 and ECP5, and clocks on ECP5.

The tester stands beside Le Masle 2009, tables 5.3 and 5.4: two blocks, four replicas, 19,731 slices
on Virtex-5. That is compared with the slices that would hold our LUTs and registers, four of each,
packed without a gap, which no placer reaches: the ratio says how much room is left for that. Writes
benchmarks/unit_area_prime.json and .md, and unit_area_rsa, row by row. Exit status 1 where the
tester has not less.

    python benchmarks/unit_area.py [prime] [rsa] [rsa-dsp]
"""

from __future__ import annotations

import json
import sys
from typing import Any

from figures import FOLDER, measured, table, tell, versions, write

from redcore.families import Value, family
from redcore.families.base import ceil_div
from redcore.synthesize import synthesize, target

WIDTH = 512
SEED = 1
PUBLISHED_SLICES = 19_731
IN_A_SLICE = 4
"""LUTs, and registers, of a Virtex-5 slice."""
TARGETS = ("xc5v", "ecp5-85k")
_TWO_BLOCKS: dict[str, Value] = {"stages": 2, "replicas": 4, "add_stages": 4}
_RSA: dict[str, Value] = {"stages": 2, "memory": "lutram"}
_ON_DSP: dict[str, Value] = {"generate": 0}
SUBJECTS: dict[str, dict[str, tuple[str, dict[str, Value]]]] = {
    "prime": {
        "its multiplier": ("csa", _TWO_BLOCKS),
        "prime tester": ("prime-csa", _TWO_BLOCKS),
    },
    "rsa": {
        "its multiplier": ("csa", {"stages": 2, "moduli": 3}),
        "RSA, no key generation": ("rsa-csa", {**_RSA, "generate": 0}),
        "RSA, halves apart": ("rsa-csa", {**_RSA, "generate": 0, "halves": 1}),
        "RSA with key generation": ("rsa-csa", {**_RSA, "generate": 1}),
    },
    "rsa-dsp": {
        "its multiplier": ("cios", {"moduli": 3}),
        "RSA, no key generation": ("rsa-cios", _ON_DSP),
        "RSA, halves apart": ("rsa-cios", {**_ON_DSP, "halves": 1}),
        "RSA with key generation, halves apart": ("rsa-cios", {"halves": 1}),
    },
}
TABLES = {"prime": "unit_area_prime", "rsa": "unit_area_rsa", "rsa-dsp": "unit_area_rsa"}
COLUMNS = {
    "part": "part",
    "parameters": "multiplier",
    "target": "target",
    "lut": "LUTs",
    "lutram": "of them memory",
    "ff": "registers",
    "carry": "carry cells",
    "dsp": "DSP",
    "bram": "memory blocks",
    "fmax_mhz": "MHz, seed 1",
}
COMPARED = {"slices": "slices at least", "published_slices": "published", "ratio": "ratio"}
"""What the tester's table has besides."""


def parameters(name: str, settings: dict[str, Value]) -> str:
    """The multiplier and how it is built."""
    multiplier = name.rpartition("-")[2]
    if multiplier != "csa":
        return multiplier
    return f"csa stages={settings['stages']} replicas={settings.get('replicas', 1)}"


def row(subject: str, part: str, place: str) -> dict[str, Any]:
    """One design on one target."""
    name, settings = SUBJECTS[subject][part]
    device = target(place)
    result = synthesize(family(name).design(WIDTH, settings), device, seed=SEED, progress=tell)
    slices = max(ceil_div(result.lut, IN_A_SLICE), ceil_div(result.ff, IN_A_SLICE))
    compared = place == "xc5v" and part == "prime tester"
    return {
        "subject": subject,
        "part": part,
        "parameters": parameters(name, settings),
        **measured(result),
        "fmax_mhz": result.fmax_mhz if device.places and result.fmax_mhz else "-",
        "failure": result.failure,
        "slices": slices if place == "xc5v" else "-",
        "published_slices": PUBLISHED_SLICES if compared else "-",
        "ratio": round(slices / PUBLISHED_SLICES, 3) if compared else "-",
    }


def record(table_name: str, new: dict[str, Any]) -> None:
    """Put a row into its table, in place of the one measured before."""
    file = FOLDER / f"{table_name}.json"
    known = json.loads(file.read_text("utf-8"))["rows"] if file.is_file() else []
    by_place = {(each["subject"], each["part"], each["target"]): each for each in [*known, new]}
    rows = list(by_place.values())
    figures = {
        "command": "python benchmarks/unit_area.py",
        "width": WIDTH,
        "tool_versions": versions("pyosys"),
        "rows": rows,
    }
    failed = "".join(
        f"- {each['part']} on {each['target']}: {each['failure']}\n"
        for each in rows
        if each["failure"]
    )
    columns = COLUMNS | (COMPARED if table_name == TABLES["prime"] else {})
    text = table(rows, columns) + (f"\n{failed}" if failed else "")
    write(table_name, figures, text)


def main(wanted: list[str]) -> int:
    """Measure and record; returns the exit status."""
    worse = False
    for subject in wanted or list(SUBJECTS):
        # Areas on Virtex-5 first: clocks take much longer.
        for place in TARGETS:
            for part in SUBJECTS[subject]:
                new = row(subject, part, place)
                worse |= new["ratio"] != "-" and new["ratio"] >= 1
                record(TABLES[subject], new)
    return int(worse)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
