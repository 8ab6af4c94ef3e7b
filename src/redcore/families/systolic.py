# SPDX-License-Identifier: Apache-2.0
"""systolic: bit-serial systolic array for Montgomery products (``rtl/redc_mul_systolic.sv``).

Same rules and formulas as ``rtl/redc_mul_systolic_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivation of the bounds: ``docs/families/systolic.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import log2

from redcore.design import (
    CHECKS,
    MODULI,
    Family,
    Geometry,
    Memory,
    Terms,
    Value,
    number,
    plain_terms,
    register,
)


def iterations(width: int) -> int:
    """Cycles that the first cell works on a multiplication; the first of them does not halve."""
    return width + 3


def result_cells(width: int) -> int:
    """Cells of two columns that hold the bits of a result below 2m."""
    return (width + 2) // 2


class Systolic(Family):
    """The family's registry entry."""

    name = "systolic"
    title = "Bit-serial systolic Montgomery multiplier, a baseline"
    source = "Daly & Marnane 2002, sections 3 and 5, algorithm 1 and figure 3; Kornerup 1994"
    module = "redc_mul_systolic"
    parameters = (MODULI, CHECKS)

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """All iterations, the last one's way to the result's last cell, the output register."""
        return Geometry(
            word_bits=width + 1,
            r_bits=width + 2,
            bound=2,
            slots=2,
            moduli=number(values, "moduli"),
            latency_cycles=iterations(width) + result_cells(width) + 1,
            interval_cycles=Fraction(iterations(width)),
        )

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """Cells of two columns, and what each holds."""
        area = plain_terms(width, values)
        delay = {"each": 1, "spread": log2(width)}
        return Terms(lut=area, ff=area, carry=area, delay=delay)


register(Systolic())
