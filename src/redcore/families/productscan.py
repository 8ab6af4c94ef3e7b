# SPDX-License-Identifier: Apache-2.0
"""productscan: Montgomery multiplication column by column on one multiplier slice
(``rtl/redc_mul_productscan.sv``).

Same rules and formulas as ``rtl/redc_mul_productscan_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivations: ``docs/families/productscan.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import log2

from redcore.design import (
    CHECKS,
    MODULI,
    Family,
    Geometry,
    Memory,
    Pace,
    Parameter,
    Terms,
    Value,
    ceil_div,
    numbers,
    power_of_two,
    register,
)

DIGIT_LIMIT = 18
"""Bits of the factors of one multiplier slice."""
BEHIND = 8
"""Cycles from a column's last product until the next digit of q can be read, beside its steps."""
ABOVE = 6
"""Cycles from a column's last product to its word at the face."""
SHORT = 4
"""Bits of a counter, at most, that synthesis makes without a carry chain."""


LONG = 1150
"""Bits above which 98 % of the cycles have a product with a bit of the quotient a cycle."""


def usual_step(width: int) -> int:
    """Bits of the default: the fewest LUTs where nearly every cycle has a product so."""
    return 1 if width > LONG else 2


def words(width: int, digit: int) -> int:
    """Digits of an operand and of R: two bits above the modulus, as R must not be below 4m."""
    return max(2, ceil_div(width + 2, digit))


def above_cycles(count: int) -> list[int]:
    """Cycles of each column above the one of the result's first digit, waits left out."""
    return [max(1, 2 * (count - 1 - column)) + (column == 1) for column in range(1, count)]


@cache
def run_cycles(count: int, steps: int) -> int:
    """Cycles from the first product to the last column's end, of so many digits."""
    late = BEHIND + steps
    before = [2 * column + 1 for column in range(1, count)] + [2 * count - 2]
    above = above_cycles(count)
    waits = sum(max(0, late - products) for products in before)
    waits += sum(max(0, ABOVE + 1 - products) for products in above)
    return 2 * count * count + 3 + waits


class Columns(Pace):
    """While the columns of the result are made words of the next operands come, one for each, of
    which they know a cycle behind its end.

    A column ends when the digit before it has been taken.
    """

    def __init__(self, geometry: Geometry, run: int) -> None:
        super().__init__(geometry)
        self._above = above_cycles(geometry.beats)
        spaced = [max(cycles, ABOVE + 1) for cycles in self._above]
        self.leaving = ABOVE + 1 + sum(spaced[1:])
        self._first = run - sum(spaced)  # cycles to the end of the column before these
        self._to_end = list(accumulate(spaced[1:], initial=0))  # from the end of the first of these
        # Of the multiplication that began last, the ends of the column before and of the first one.
        self._before: int | None = None
        self._begun = 0
        self._answered = -1

    def take(self, ready: int, free: int = 0) -> tuple[int, int]:
        """As in the base class."""
        taken, at = self._words_taken(ready)
        self.loaded = at
        end = max(at, self._answered) + 1 + self._first
        left = max(end + ABOVE, free)
        self._before, self._begun = end, max(end + self._above[0], left + 1)
        self._answered = left = self._begun + self._to_end[-1] + ABOVE
        return taken, left

    def _words_taken(self, ready: int) -> tuple[int, int]:
        """When the first and the last word are taken, of operands there from ``ready`` on."""
        last = len(self._above)
        known = [1 + self._begun + cycles for cycles in self._to_end]  # that a column has ended
        if self._before is None or ready > known[-1]:
            return ready, ready + last  # one a cycle
        known = [1 + self._before, *known]
        taken, at, place = ready, -1, 0
        for word in range(last + 1):
            if ready > known[-1]:
                return taken, ready + last - word
            while known[place] < at:
                place += 1
            at = max(ready, 1 + known[place])
            taken = taken if word else at
            ready = at + 1
        return taken, at

    def state(self, now: int) -> tuple[object, ...]:
        """As in the base class."""
        if self._before is None:
            return (max(-1, self._answered - now),)
        return (
            max(-1, self._answered - now),
            max(-2, self._before - now),
            max(-2 - self._to_end[-1], self._begun - now),
        )

    def move(self, cycles: int) -> None:
        """As in the base class."""
        self._answered += cycles
        self._begun += cycles
        if self._before is not None:
            self._before += cycles


class ProductScan(Family):
    """The family's registry entry."""

    name = "productscan"
    title = "Product-scanning Montgomery multiplier on one DSP slice, the smallest that has one"
    source = "redcore"
    module = "redc_mul_productscan"
    has_technology = True
    parameters = (
        Parameter(
            "digit", "Digit", "bits of a digit and of a word of the streams", default=DIGIT_LIMIT,
            minimum=4, maximum=DIGIT_LIMIT,
        ),
        Parameter(
            "step", "Step", "bits of the quotient made in a cycle, a divisor of digit",
            default=usual_step, minimum=1, maximum=DIGIT_LIMIT // 2,
        ),
        MODULI,
        CHECKS,
    )  # fmt: skip

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Digits are of whole steps, and of more than one."""
        digit, step = numbers(values, "digit", "step")
        if digit % step or step == digit:
            return [f"step={step} is no divisor of digit={digit} below it; step=1 is"]
        return []

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles: two products for each pair of digits, and what waits."""
        digit, step, moduli = numbers(values, "digit", "step", "moduli")
        count = words(width, digit)
        run = run_cycles(count, digit // step)
        return Geometry(
            word_bits=digit,
            beats=count,
            r_bits=digit * count,
            bound=2,
            slots=2,
            moduli=moduli,
            latency_cycles=count + run + ABOVE,
            interval_cycles=Fraction(run + ABOVE + 1),
        )

    def pace(self, width: int, values: Mapping[str, Value]) -> Columns:
        """That of its columns."""
        digit, step = numbers(values, "digit", "step")
        run = run_cycles(words(width, digit), digit // step)
        return Columns(self.geometry(width, values), run)

    def digit_bits(self, width: int, values: Mapping[str, Value]) -> int:
        """A digit."""
        return int(values["digit"])

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """Bits of a digit, of its steps and of places; the comparison of operands."""
        digit, step, moduli, checks = numbers(values, "digit", "step", "moduli", "checks")
        count = words(width, digit)
        several = int(moduli > 1)
        area: dict[str, float] = {
            "each": 1,
            "digit": digit,
            "places": log2(count),
            "several moduli": several * log2(moduli),
            "checks": digit * checks,
        }
        places = power_of_two(count + 1)
        kept = (2, 2 * power_of_two(moduli) if several else 2)
        blocks = sum(ceil_div(number * places, 1024) for number in kept)
        places_bits = (places - 1).bit_length()
        counters = ceil_div(places_bits, 2) if places_bits > SHORT else 0
        carry: dict[str, float] = {
            "sum": (2 * digit + (2 * count - 1).bit_length()) // 2,
            "steps": step * (digit // 2 + 2),
            "counters": (3 + checks) * counters,
            "checks": (digit + 2) * checks,
        }
        return Terms(
            lut=area | memory.terms((digit * checks, moduli * places), (digit * several, moduli)),
            ff=area,
            carry=carry,
            delay={
                "each": 1,
                "digit": digit,
                "step": step,
                "places": log2(count),
                "checks": checks,
            },
            dsp={"slices": 1},
            bram={"blocks": blocks},
        )

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Digits as long as slices take them, with and without a sign, and steps that divide."""
        return super().levels(width) | {"digit": (16, 17, 18), "step": (1, 2, 3)}

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """Short digits, one and two bits of the quotient a cycle."""
        return [
            {"digit": 4, "step": step, "moduli": moduli, "checks": checks}
            for step, moduli, checks in ((1, 1, 0), (2, 1, 1), (2, 2, 0), (1, 2, 1))
        ]


register(ProductScan())
