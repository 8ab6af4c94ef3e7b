# SPDX-License-Identifier: Apache-2.0
"""interleaved: a reduction after each bit of a (``rtl/redc_mul_interleaved.sv``).

Same rules and formulas as ``rtl/redc_mul_interleaved_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivation of the bounds: ``docs/families/interleaved.md``.
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


class Interleaved(Family):
    """The family's registry entry."""

    name = "interleaved"
    title = "Interleaved multiplication and reduction (Blakley), a baseline"
    source = "Le Masle 2009, section 2.3.2, algorithm 2"
    module = "redc_mul_interleaved"
    parameters = (MODULI, CHECKS)

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """A cycle for each bit of a, one more for the output register."""
        return Geometry(
            word_bits=width,
            slots=2,
            moduli=number(values, "moduli"),
            latency_cycles=width + 1,
            interval_cycles=Fraction(width),
        )

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """Adders, comparisons and registers of every bit."""
        area = plain_terms(width, values)
        delay = {"each": 1, "chain": width, "spread": log2(width)}
        return Terms(lut=area, ff=area, carry=area, delay=delay)


register(Interleaved())
