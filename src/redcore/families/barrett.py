# SPDX-License-Identifier: Apache-2.0
"""barrett: multiplication, then Barrett reduction (``rtl/redc_mul_barrett.sv``).

Same rules and formulas as ``rtl/redc_mul_barrett_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivation of the bounds: ``docs/families/barrett.md``.
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
    ceil_div,
    numbers,
    plain_terms,
    register,
)

CORRECTION_STEPS = 4
"""Two subtractions of m in the end, each a difference and then its sign's decision."""


def digits(width: int, digit: int) -> int:
    """Digits of an operand."""
    return ceil_div(width, digit)


def guard_digits(digit: int) -> int:
    """Digits beyond those of m that the remainder before its correction needs: two bits or more."""
    return 2 if digit == 1 else 1


def derive_steps(width: int, digit: int) -> int:
    """Cycles that both streams are closed behind a modulus, while mu is divided."""
    return digits(width, digit) + digit * (digits(width, digit) + 1) + 1


class Barrett(Family):
    """The family's registry entry."""

    name = "barrett"
    title = "Multiplication, then Barrett reduction, digit by digit, a baseline"
    source = "Le Masle 2009, section 2.3.1; Barrett 1986"
    module = "redc_mul_barrett"
    parameters = (
        # beyond 8, dividing mu would take longer than the answers to full slots
        Parameter(
            "digit", "Digit", "bits of the multiplier taken per cycle", default=1, minimum=1,
            maximum=lambda width: min(8, width),
        ),
        ADDER_WORD,
        MODULI,
        CHECKS,
    )  # fmt: skip
    presets: Mapping[str, Mapping[str, Value]] = {
        "small": {"digit": 1},
        "balanced": {"digit": 2},
        "fast": {"digit": 4},
    }

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Product and quotient, remainder, corrections; one cycle more for the output register."""
        digit, moduli = numbers(values, "digit", "moduli")
        count = digits(width, digit)
        steps = 3 * count + guard_digits(digit) + CORRECTION_STEPS
        return Geometry(
            word_bits=width,
            slots=2,
            moduli=moduli,
            latency_cycles=steps + 1,
            interval_cycles=Fraction(steps),
            modulus_cycles=count + digit * (count + 1) + 1,
        )

    def follows_operands(self, values: Mapping[str, Value]) -> str:
        """The corrections."""
        return (
            "barrett writes the subtractions at the end or not as the operands have it, "
            "so one power trace shows which operands are alike"
        )

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """Adders of the digit's multiples, the registers, the comparisons at the end."""
        digit, word = numbers(values, "digit", "word")
        area = plain_terms(width, values) | {
            "adders in words": width * float(word > 0) * digit,
            "digit bits": width * (digit - 1),
            "several bits a digit": width * float(digit > 1),
        }
        delay: dict[str, float] = {
            "each": 1,
            "chain": word + width / word if word else width,
            "digit": digit - 1,
            "spread": log2(width),
        }
        return Terms(lut=area, ff=area, carry=area, delay=delay)

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Every digit."""
        return super().levels(width) | {"digit": tuple(range(1, min(8, width) + 1))}

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """Every digit, one modulus and two, with and without checks in turn; adders in words."""
        return [
            {"digit": digit, "moduli": moduli, "checks": (digit + moduli) % 2, "word": 0}
            for digit in range(1, min(8, width) + 1)
            for moduli in (1, 2)
        ] + [{"digit": 1, "word": 1}, {"digit": 2, "word": 3, "moduli": 2, "checks": 1}]


register(Barrett())
