# SPDX-License-Identifier: Apache-2.0
"""interleaved: a reduction after each bit of a (``rtl/redc_mul_interleaved.sv``).

Same rules and formulas as ``rtl/redc_mul_interleaved_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivation of the bounds: ``docs/families/interleaved.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import log2

from redcore.design import (
    ADDER_WORD,
    CHECKS,
    MODULI,
    Family,
    Geometry,
    Memory,
    Parameter,
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
    parameters = (
        ADDER_WORD,
        Parameter(
            "pace", "Pace",
            "cycles for a bit of a, 1 or 2: with 2, words and their carries have one each",
            default=lambda width: 1 if width <= 1024 else 2, minimum=1, maximum=2, grid=(),
        ),
        MODULI,
        CHECKS,
    )  # fmt: skip

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """One or two cycles for each bit of a, one more for the output register."""
        steps = width * number(values, "pace")
        return Geometry(
            word_bits=width,
            slots=2,
            moduli=number(values, "moduli"),
            latency_cycles=steps + 1,
            interval_cycles=Fraction(steps),
        )

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """Adders, comparisons and registers of every bit."""
        word = number(values, "word")
        area = plain_terms(width, values) | {"adders in words": width * float(word > 0)}
        # A word's own chain and the one over all words, in a cycle each or together.
        chains = (word, width / word) if word else (width,)
        chain = max(chains) if values["pace"] == 2 else sum(chains)
        delay = {"each": 1, "chain": chain, "spread": log2(width)}
        return Terms(lut=area, ff=area, carry=area, delay=delay)

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """One modulus and two, with and without checks; adders in words of one and several bits."""
        more = [{"word": 3, "pace": pace, "moduli": 2, "checks": 1} for pace in (1, 2)]
        return [*super().proof_settings(width), {"word": 1}, *more]


register(Interleaved())
