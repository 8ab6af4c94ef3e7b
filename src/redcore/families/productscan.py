# SPDX-License-Identifier: Apache-2.0
"""productscan: Montgomery multiplication column by column on one multiplier slice
(``rtl/redc_mul_productscan.sv``).

Same rules and formulas as ``rtl/redc_mul_productscan_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivations: ``docs/families/productscan.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import log2
from types import MappingProxyType

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
    number,
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


LEAST_OF_SQUARES = 3
"""Words of an operand that can be squared as such: the last column is of one digit with itself."""
LONG = 1150
"""Bits above which 98 % of the cycles have a product with a bit of the quotient a cycle."""


def usual_step(width: int) -> int:
    """Bits of the default: the fewest LUTs where nearly every cycle has a product so."""
    return 1 if width > LONG else 2


def words(width: int, digit: int) -> int:
    """Digits of an operand and of R: two bits above the modulus, as R must not be below 4m."""
    return max(2, ceil_div(width + 2, digit))


@dataclass(frozen=True)
class Walk:
    """How long the columns of so many digits take, with so many steps to a digit of the quotient.

    ``doubling``: cycles of the register that doubles products, 0 or 1. ``square``: of a square that
    is told as one, of whose products of a and b those above the middle are left out.
    """

    count: int
    steps: int
    doubling: int = 0
    square: bool = False

    @property
    def above(self) -> int:
        """Cycles from a column's last product to its word at the face."""
        return ABOVE + self.doubling

    def _of_operands(self, digits: int) -> int:
        """Products of a and b in a column that has so many digits of each."""
        return ceil_div(digits, 2) if self.square else digits

    def above_cycles(self) -> list[int]:
        """Cycles of each column above the one of the result's first digit, waits left out."""
        count = self.count
        lengths = [count - 1 - column for column in range(1, count)]
        found = [max(1, length + self._of_operands(length)) for length in lengths]
        found[0] += int(not self.square)  # past a place that was done before
        return found

    def spaced(self) -> list[int]:
        """The same with waits: a digit of the result leaves before the next one may come."""
        return [max(cycles, self.above + 1) for cycles in self.above_cycles()]

    def cycles(self) -> int:
        """Cycles from the first product to the last column's end."""
        count, late = self.count, BEHIND + self.doubling + self.steps
        lengths = [*range(2, count + 1), count - 1]
        operands = [self._of_operands(length) for length in lengths]
        # Before it asks for the digit of the column below; the second of its last two.
        asked = [two + length - 1 for two, length in zip(operands, lengths, strict=True)]
        asked[-1] += 1
        taken = [two + length for two, length in zip(operands, lengths, strict=True)]
        taken[-1] += 1  # what the last digit of the quotient carries
        waits = sum(max(0, late - cycles) for cycles in asked)
        total: int = 2 + sum(taken) + waits + sum(self.spaced())
        return total


@cache
def run_cycles(walk: Walk) -> int:
    """Those of a walk."""
    return walk.cycles()


@cache
def ends(walk: Walk) -> tuple[int, int, tuple[int, ...]]:
    """Of the columns whose digits are the result's: cycles of the first one without its waits, of
    the walk before it ends, and from its end to the end of each."""
    spaced = walk.spaced()
    before = run_cycles(walk) - sum(spaced)
    return walk.above_cycles()[0], before, tuple(accumulate(spaced[1:], initial=0))


class Columns(Pace):
    """While the columns of the result are made words of the next operands come, one for each, of
    which they know a cycle behind its end.

    A column ends when the digit before it has been taken.
    """

    def __init__(self, geometry: Geometry, walk: Walk) -> None:
        super().__init__(geometry)
        self._walk = walk
        self._turn(walk)
        # Of the multiplication that began last, the ends of the column before and of the first one.
        self._before: int | None = None
        self._begun = 0
        self._answered = -1

    def _turn(self, walk: Walk) -> None:
        """What follows is walked like that."""
        self._square = walk.square
        self._own, self._first, self._to_end = ends(walk)
        self.leaving = walk.above + 1 + self._to_end[-1]

    def take(self, ready: int, free: int = 0) -> tuple[int, int]:
        """As in the base class."""
        return self._take(ready, free, self._walk)

    def take_square(self, ready: int, free: int = 0) -> tuple[int, int]:
        """As in the base class."""
        square = bool(self._walk.doubling)
        return self._take(ready, free, replace(self._walk, square=square))

    def _take(self, ready: int, free: int, walk: Walk) -> tuple[int, int]:
        taken, at = self._words_taken(ready)
        self.loaded = at
        self._turn(walk)
        above = walk.above
        end = max(at, self._answered) + 1 + self._first
        left = max(end + above, free)
        self._before, self._begun = end, max(end + self._own, left + 1)
        self._answered = left = self._begun + self._to_end[-1] + above
        return taken, left

    def _words_taken(self, ready: int) -> tuple[int, int]:
        """When the first and the last word are taken, of operands there from ``ready`` on."""
        last = len(self._to_end)
        if self._before is None or ready > 1 + self._begun + self._to_end[-1]:
            return ready, ready + last  # one a cycle
        # That a column has ended.
        known = [1 + self._before, *(1 + self._begun + cycles for cycles in self._to_end)]
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
            self._square,
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
    narrow = "Narrow"
    narrow_before = "Checks"
    has_technology = True
    told_of_operands = MappingProxyType(
        {"in_square_i": "With squares=1: both are the same number; taken with the first word."}
    )
    told_parameters = ("squares",)
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
        Parameter(
            "squares", "Squares", "1: squares told by in_square_i take a quarter fewer cycles",
            default=0, minimum=0, maximum=1,
        ),
    )  # fmt: skip

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Digits are of whole steps, and of more than one."""
        digit, step, squares = numbers(values, "digit", "step", "squares")
        found = []
        if digit % step or step == digit:
            found.append(f"step={step} is no divisor of digit={digit} below it; step=1 is")
        if squares and words(width, digit) < LEAST_OF_SQUARES:
            found.append(
                f"squares=1 takes {LEAST_OF_SQUARES} words at least, and {width} bits are "
                f"{words(width, digit)} of digit={digit}"
            )
        return found

    def worth_trying(self, width: int, values: Mapping[str, Value]) -> bool:
        """By itself it is told of no squares."""
        return not values["squares"]

    def one_width_reason(self, values: Mapping[str, Value]) -> str:
        """A core that checks its operands has one."""
        return "productscan with checks=1 has one width" if number(values, "checks") else ""

    def walk(self, width: int, values: Mapping[str, Value], square: bool = False) -> Walk:
        """How its columns are gone through, of a pair or of a square that is told as one."""
        digit, step, doubling = numbers(values, "digit", "step", "squares")
        return Walk(words(width, digit), digit // step, doubling, square)

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles: two products for each pair of digits, and what waits."""
        digit, moduli = numbers(values, "digit", "moduli")
        walk = self.walk(width, values)
        count, run = walk.count, run_cycles(walk)
        return Geometry(
            word_bits=digit,
            beats=count,
            r_bits=digit * count,
            bound=2,
            slots=2,
            moduli=moduli,
            latency_cycles=count + run + walk.above,
            interval_cycles=Fraction(run + walk.above + 1),
        )

    def square_cycles(self, width: int, values: Mapping[str, Value]) -> tuple[int, Fraction]:
        """As in the base class."""
        walk = self.walk(width, values, square=bool(values["squares"]))
        run = run_cycles(walk) + walk.above
        return walk.count + run, Fraction(run + 1)

    def pace(self, width: int, values: Mapping[str, Value]) -> Columns:
        """That of its columns."""
        return Columns(self.geometry(width, values), self.walk(width, values))

    def digit_bits(self, width: int, values: Mapping[str, Value]) -> int:
        """A digit."""
        return int(values["digit"])

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """Bits of a digit, of its steps and of places; the comparison of operands."""
        digit, step, moduli, checks, squares = numbers(
            values, "digit", "step", "moduli", "checks", "squares"
        )
        count = words(width, digit)
        several = int(moduli > 1)
        area: dict[str, float] = {
            "each": 1,
            "digit": digit,
            "places": log2(count),
            "several moduli": several * log2(moduli),
            "checks": digit * checks,
            "squares": squares * digit,
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
            "squares": squares * counters,
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
                "squares": squares,
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
