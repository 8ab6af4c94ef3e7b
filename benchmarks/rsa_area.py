# SPDX-License-Identifier: Apache-2.0
"""Area of redc_rsa with its multiplier, with and without key generation.

``python benchmarks/rsa_area.py [WIDTH]``: csa with 2 stages, 512 bits unless said otherwise, mapped
for Virtex-5 and ECP5 by Yosys; the exponentiators' values in distributed memory.
"""

from __future__ import annotations

import sys

from figures import measured, table, tell, versions, write

from redcore.families import Value, family
from redcore.families.base import Design
from redcore.synthesize import synthesize, target

TARGETS = ("xc5v", "ecp5-85k")
SETTINGS: dict[str, Value] = {"stages": 2, "moduli": 3}
WITH_UNIT: dict[str, Value] = {"stages": 2, "memory": "lutram"}


def main() -> None:
    """Map and record."""
    width = int(sys.argv[1]) if sys.argv[1:] else 512
    rows, unit = [], family("rsa-csa")
    for name in TARGETS:
        alone = family("csa").design(width, SETTINGS)
        designs: list[tuple[str, Design]] = [("multiplier alone", alone)]
        for generates, title in ((0, "without key generation"), (1, "with key generation")):
            designs.append((title, unit.design(width, WITH_UNIT | {"generate": generates})))
        for title, design in designs:
            result = synthesize(design, target(name), False, progress=tell)
            rows.append({"part": title, "width": width, **measured(result)})
            print(rows[-1], file=sys.stderr, flush=True)
    figures = {
        "command": f"python benchmarks/rsa_area.py {width}",
        "versions": versions("yosys"),
        "rows": rows,
    }
    columns = {"target": "target", "part": "part", "lut": "LUT", "lutram": "of these memory"}
    columns |= {"ff": "FF", "carry": "carry", "dsp": "DSP", "bram": "BRAM"}
    write("rsa_area", figures, table(rows, columns))


if __name__ == "__main__":
    main()
