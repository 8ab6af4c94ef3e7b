# SPDX-License-Identifier: Apache-2.0
"""The toy unit as a design."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from redcore.design import CHECKS, MODULI, Design, Geometry, Value
from redcore.units import compose
from redcore.units.base import Unit


class Squarer(Unit):
    """a times a, by any multiplier; b is not looked at."""

    kind = "toy"
    operation = "square"
    title = "Squarer"
    source = "none"
    own = ()
    behind = (MODULI, CHECKS)

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        return self.multiplier.reasons(width, self.inner(values))

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        return self.multiplier_design(width, values).geometry

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        return (self.multiplier_design(width, values),)

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        return self.multiplier_design(width, values).product(a, a, m)

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        multiplier = self.multiplier_design(width, values)
        return compose.sources(__package__, self.module, "toy_top.sv.j2", multiplier, {})
