# SPDX-License-Identifier: Apache-2.0
"""Area of redc_rsa with its multiplier, with and without key generation.

``python benchmarks/rsa_area.py [WIDTH]``: csa with 2 stages, 512 bits unless said otherwise, mapped
for Virtex-5 and ECP5 by Yosys; the exponentiators' values in distributed memory.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from figures import measured, table, tell, versions, write

from redcore.families import Value, family
from redcore.families.base import Design, Family, Geometry, Parameter, number
from redcore.synthesize import synthesize, target
from redcore.units import compose
from redcore.units.rsa import Rsa

TARGETS = ("xc5v", "ecp5-85k")
SETTINGS: dict[str, Value] = {"stages": 2, "moduli": 3}


class RsaOnCsa(Family):
    """The unit and its multiplier as one design, for synthesis alone."""

    name = "rsa-csa"
    kind = "rsa"
    title = "RSA on csa"
    source = "docs/units/rsa.md"
    module = "redc_rsa_csa"
    minimum_width, maximum_width = 16, 8192
    width_is_parameter = False
    parameters = (Parameter("generate", "Generate", "with key generation", 1, 0, 1),)

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The unit's."""
        return self._unit(width, values).broken_rules()

    def _unit(self, width: int, values: Mapping[str, Value]) -> Rsa:
        generates = number(values, "generate")
        return Rsa.on(family("csa").design(width, SETTINGS), generate=generates, storage=1)

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """The multiplier's."""
        return family("csa").design(width, SETTINGS).geometry

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """There is none: the unit has commands."""
        raise NotImplementedError

    def rtl_parameters(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        """None: the top is written for the design."""
        return {}

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """Library files and the composed top."""
        multiplier = family("csa").design(width, SETTINGS)
        sizes = {"RBits": multiplier.geometry.r_bits, "Bound": multiplier.geometry.bound}
        settings = {**self._unit(width, values).rtl_parameters(), **sizes}
        context = {"settings": settings, "faults": False}
        return compose.sources(self.module, "rsa_top.sv.j2", multiplier, context)


def main() -> None:
    """Map and record."""
    width = int(sys.argv[1]) if sys.argv[1:] else 512
    rows = []
    for name in TARGETS:
        alone = family("csa").design(width, SETTINGS)
        designs: list[tuple[str, Design]] = [("multiplier alone", alone)]
        for generates, title in ((0, "without key generation"), (1, "with key generation")):
            designs.append((title, RsaOnCsa().design(width, {"generate": generates})))
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
