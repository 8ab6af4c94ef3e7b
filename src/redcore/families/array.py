# SPDX-License-Identifier: Apache-2.0
"""array: Montgomery multiplication on rows of a multiplier slice (``rtl/redc_mul_array.sv``).

Same rules and formulas as ``rtl/redc_mul_array_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivations: ``docs/families/array.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
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
    number,
    numbers,
    power_of_two,
    register,
)

DIGIT_LIMIT = 18
"""Bits of the widest factor of one multiplier slice."""
WIDE_DIGITS = (24, 26)
"""Bits of the longer factor of DSP48E1 and DSP48E2, without a sign."""
ROW_CYCLES = 11
"""Cycles from a row to the next one, where q does not wait."""
LATER_CYCLES = 6
"""Cycles that a digit of a row's first sum waits for its second product, likewise."""
WIDE_ROW_CYCLES = 14
"""The same of rows whose slice adds."""
Q_CYCLES = 2
"""More cycles of each for each register in which q, or its digit, waits; of a frame once."""
DISTRIBUTED_DEPTH = 32
"""Words of memory that are distributed; deeper ones are block memory."""
RESULT_DEPTH = 8
"""Words of distributed memory behind the block memory of results."""


_LUTS_A_BIT, _REGISTERS_A_BIT = 4, 14
"""Of a row's digit, sums included; the model's prices are for these."""
_COMMON_LUTS, _COMMON_REGISTERS = 7, 30
"""Of a digit of what all rows share: m', operands, results."""


def words(width: int, digit: int) -> int:
    """Digits of an operand: two bits above the modulus, as R must be above 4m."""
    return ceil_div(width + 2, digit)


@dataclass(frozen=True)
class Sizes:
    """What follows from a design's parameters; names as in ``redc_mul_array_pkg``, in cycles.

    ``passes``, ``turns``, ``places`` and ``begun`` are counts, ``late`` is in frames.
    """

    width: int
    digit: int
    rows: int
    q_register: int = 0
    wide: int = 0

    @cached_property
    def span(self) -> int:
        """Bits of a digit of b and m, and of a word of the streams."""
        return max(self.wide, self.digit)

    @cached_property
    def words(self) -> int:
        """Such digits of an operand."""
        return words(self.width, self.span)

    @cached_property
    def digits(self) -> int:
        """Digits of a."""
        return words(self.width, self.digit)

    @cached_property
    def sums(self) -> int:
        """Digits of a row's sum that have a slot."""
        return words(self.width + self.digit, self.span) if self.wide else self.words

    @cached_property
    def load(self) -> int:
        """Cycles in which an operand is taken; where a's digits are cut out of words, one each."""
        return self.words if self.span == self.digit else self.digits + 1

    @cached_property
    def taking(self) -> int:
        """Cycles from the first word of an operand to its last one; a word is taken where less
        than a digit is left of those before when one has been cut off (redc_mul_array_cut)."""
        if self.span == self.digit:
            return self.words - 1
        left, cycles, taken = self.span, 0, 1
        while taken < self.words:
            cycles += 1
            word = self.span if left < 2 * self.digit else 0
            left = left - (self.digit if left >= self.digit else 0) + word
            taken += bool(word)
        return cycles

    @cached_property
    def frame(self) -> int:
        """Cycles that a row takes for an iteration: two products a digit, the quotient, a carry."""
        return 2 * self.sums + 2 + Q_CYCLES * min(self.q_register, 1)

    @cached_property
    def row_cycles(self) -> int:
        """Cycles from a row to the next one."""
        return WIDE_ROW_CYCLES if self.wide else ROW_CYCLES + Q_CYCLES * self.q_register

    @cached_property
    def passes(self) -> int:
        """How often a multiplication goes through the rows."""
        return ceil_div(self.digits, self.rows)

    @cached_property
    def last_rows(self) -> int:
        """Rows that the last pass uses."""
        return self.digits - (self.passes - 1) * self.rows

    @cached_property
    def turns(self) -> int:
        """Multiplications that alternate on the first row."""
        return 1 if self.passes == 1 else ceil_div(self.row_cycles * self.rows + 2, self.frame)

    @cached_property
    def wait_cycles(self) -> int:
        """Cycles that a partial sum waits between the last row and the first."""
        if self.passes == 1:
            return 0
        return self.turns * self.frame - self.row_cycles * self.rows - bool(self.wide)

    @cached_property
    def late(self) -> int:
        """Frames by which a's digit for the row that comes last is read behind its frame."""
        return (self.row_cycles - 2) * (self.last_rows - 1) // self.frame

    @cached_property
    def history(self) -> int:
        """The same for any row."""
        return (self.row_cycles - 2) * (self.rows - 1) // self.frame

    @cached_property
    def places(self) -> int:
        """Places for operands: of those at work, and one that is filled."""
        return max(self.turns, self.late + 1) + 1

    @cached_property
    def begun(self) -> int:
        """Multiplications that have begun and are not delivered, at most."""
        inside = (
            (self.passes - 1) * self.turns
            + 1
            + (self.row_cycles * (self.last_rows - 1) + 25 + Q_CYCLES * self.q_register)
            // self.frame
        )
        cycles, rest = divmod(inside, self.passes * self.turns)
        return self.turns * cycles + min(self.turns, rest) + 1

    @cached_property
    def slots(self) -> int:
        """Multiplications that fill it, if each turn gets a new one when one is delivered."""
        return self.turns * ceil_div(self.latency, self.turns * self.interval)

    @cached_property
    def result_cycles(self) -> int:
        """Cycles from the last row's sum to the result stream."""
        return 6 if self.begun * self.words > DISTRIBUTED_DEPTH else 3

    @cached_property
    def rest(self) -> int:
        """Cycles of a frame with nothing inside."""
        return self.row_cycles + 1

    @cached_property
    def first_beat_to_frame(self) -> int:
        """Cycles from the last beat of operands to the frame, where nothing is inside."""
        return 2

    @cached_property
    def frame_to_last(self) -> int:
        """Cycles from the first frame to the last result word."""
        return (
            (self.passes - 1) * self.turns * self.frame
            + self.row_cycles * (self.last_rows - 1)
            + 2 * self.words
            + 18
            + Q_CYCLES * self.q_register
            - bool(self.wide)
            + self.result_cycles
        )

    @cached_property
    def latency(self) -> int:
        """From the first accepted beat to the last result word, nothing else in flight."""
        return self.load - 1 + self.first_beat_to_frame + self.frame_to_last

    @cached_property
    def interval(self) -> int:
        """Cycles between multiplications in the long run."""
        return self.passes * self.frame


def sizes(width: int, values: Mapping[str, Value]) -> Sizes:
    """The sizes of a design; the same formulas as in ``redc_mul_array_pkg``."""
    return _sizes(width, *numbers(values, "digit", "rows", "q_register", "wide_digit"))


_sizes = lru_cache(maxsize=1 << 12)(Sizes)
"""What follows is worked out once: searches ask for it again and again."""


class Frames(Pace):
    """The frames of ``redc_mul_array_frames``: each turn has every ``turns``-th one."""

    def __init__(self, geometry: Geometry, times: Sizes) -> None:
        super().__init__(geometry)
        self.loading = times.taking
        self._times = times
        self._loaded = -1  # the last cycle in which a digit is taken
        self._base = 0  # cycle 0 of frame 0, of those in step with the present one
        self._begun: list[int] = []  # those of them with which the latest multiplications begin
        self._freed: list[int] = []  # the last cycle in which each place was in use

    def take(self, ready: int, free: int = 0) -> tuple[int, int]:
        """As in the base class."""
        times = self._times
        taken = max(ready, self._loaded + 1)
        if len(self._freed) == times.places:
            taken = max(taken, self._freed[0] + 1)
        self._loaded = taken + times.load - 1
        frame = self._next_frame()
        start = self._base + frame * times.frame
        self._begun = [*self._begun, frame][-times.turns * times.passes :]
        used = (times.passes - 1) * times.turns + times.late + 1
        self._freed = [*self._freed, start + used * times.frame - 1][-times.places :]
        self.loaded = taken + self.loading
        return taken, max(start + times.frame_to_last, free + self.leaving)

    def _next_frame(self) -> int:
        """The frame in which what is loaded begins; the present ones go on while any is inside."""
        times = self._times
        known = self._loaded + 2
        if self._begun:
            turns, length = times.turns, times.frame
            # of a turn's multiplications the latest ends last
            free = {other % turns: other + turns * times.passes for other in self._begun}
            frame = max(self._begun[-1] + 1, ceil_div(known - self._base, length))
            while self._base + frame * length <= self._freed[-1] + 1:
                if frame >= free.get(frame % turns, 0):
                    return frame
                frame += 1
            known = max(known, self._freed[-1] + 1 + times.rest)
        self._base = known
        self._begun = []
        return 0

    def state(self, now: int) -> tuple[object, ...]:
        """As in the base class; while nobody is inside the frames count no more."""
        times = self._times
        freed = tuple(max(0, cycle + 1 - now) for cycle in self._freed)
        loading = max(0, self._loaded + 1 - now)
        if not self._freed or self._freed[-1] + 1 + times.rest <= now + times.load:
            return loading, freed
        last = self._begun[-1]
        start = self._base + last * times.frame
        return loading, freed, start - now, tuple(last - frame for frame in self._begun)

    def move(self, cycles: int) -> None:
        """As in the base class."""
        self._base += cycles
        self._loaded += cycles
        self._freed = [cycle + cycles for cycle in self._freed]


def _default_digit(width: int) -> int:
    """18 bits fill ECP5's multipliers; less for tiny moduli, as an operand has three digits."""
    return min(DIGIT_LIMIT, (width + 1) // 2)


def _default_q_register(width: int) -> int:
    """1 where the two cycles are at most 5 % of a frame's products."""
    return int(words(width, _default_digit(width)) >= 28)


def _default_rows(width: int) -> int:
    """Of up to eight, the most that waste the fewest rows in the last pass."""
    count = words(width, _default_digit(width))
    return min(
        range(min(3, count), min(8, count) + 1),
        key=lambda rows: (rows * ceil_div(count, rows), -rows),
    )


class Array(Family):
    """The family's registry entry."""

    name = "array"
    title = "Montgomery multiplier on an array of rows with a DSP multiplier each"
    source = "Tenca, Todorov & Koc 2001, figure 1 (stages); Gallin & Tisserand 2019 (slices)"
    module = "redc_mul_array"
    has_technology = True
    amount = "rows"
    narrow = "Narrow"
    narrow_before = "Storage"
    parameters = (
        Parameter(
            "rows", "Rows",
            "rows, a multiplier slice each; divisors of the number of digits waste none",
            default=_default_rows, minimum=1, maximum=lambda width: words(width, 2),
            grid=lambda width: _useful_rows(words(width, _default_digit(width))),
        ),
        Parameter(
            "digit", "Digit",
            "bits of a digit: 18 fill the multipliers of ECP5, 17 those of Xilinx",
            default=_default_digit, minimum=2,
            maximum=lambda width: min(DIGIT_LIMIT, (width + 1) // 2),
            grid=lambda width: (8, 9, 16, 17, 18),
        ),
        Parameter(
            "q_register", "QRegister",
            "1: q waits in a register before it is a factor; higher clock, two cycles more;"
            " 2: so does the digit that makes q, for many rows",
            default=_default_q_register, minimum=0, maximum=2, grid=(0, 1, 2),
        ),
        Parameter(
            "wide_digit", "WideDigit",
            "bits of a digit of b and m, with slices that add: 24 fill DSP48E1 (digit 17), 26"
            " DSP48E2; 0: as digit, and adders beside the slices",
            default=0, minimum=0, maximum=lambda width: min(WIDE_DIGITS[-1], (width + 1) // 2),
            grid=(0,),
        ),
        Parameter(
            "storage", "Storage",
            "memory of digits that wait in the rows; bram: a block a row, and fewer LUTs",
            default="bram", choices=("bram", "lutram"),
        ),
        MODULI,
        CHECKS,
    )  # fmt: skip

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """No more rows than an operand has digits; wide digits are longer, and q waits."""
        rows, digit, wide, waits = numbers(values, "rows", "digit", "wide_digit", "q_register")
        count = words(width, digit)
        wrong = []
        if rows > count:
            wrong.append(f"rows={rows} is above the {count} digits of an operand")
        if 0 < wide < digit:
            wrong.append(f"wide_digit={wide} is below digit={digit}")
        if wide > 2 * digit:  # digits of a are cut out of words, one a cycle
            wrong.append(f"wide_digit={wide} is above twice digit={digit}")
        if wide and waits != 1:
            wrong.append(f"wide_digit={wide} is for q_register=1, and that is {waits}")
        return wrong

    def one_width_reason(self, values: Mapping[str, Value]) -> str:
        """Wide digits have one."""
        wide = number(values, "wide_digit")
        return f"an array with wide_digit={wide} has one width" if wide else ""

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles; so many are inside that the first row always works."""
        times = sizes(width, values)
        digit = number(values, "digit")
        return Geometry(
            word_bits=times.span,
            beats=times.words,
            r_bits=times.digits * digit,
            bound=2,
            slots=times.slots,
            moduli=number(values, "moduli"),
            latency_cycles=times.latency,
            interval_cycles=Fraction(times.interval),
        )

    def pace(self, width: int, values: Mapping[str, Value]) -> Frames:
        """The frames'."""
        return Frames(self.geometry(width, values), sizes(width, values))

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """Rows, the lines between them, and the memories of operands, sums and results."""
        rows, digit, moduli, checks = numbers(values, "rows", "digit", "moduli", "checks")
        times = sizes(width, values)
        span, wide = times.span, bool(number(values, "wide_digit"))
        place = power_of_two(times.words + 1)
        factors = 2 * max(power_of_two(times.places), power_of_two(moduli)) * place
        scans = power_of_two(times.places) * power_of_two(times.passes) * power_of_two(rows)
        results = times.begun * times.words
        deep = [(span, factors), (digit, scans), (span, results), (span, times.wait_cycles)]
        distributed = [(bits, depth) for bits, depth in deep if depth <= DISTRIBUTED_DEPTH]
        blocks = [depth for _, depth in deep if depth > DISTRIBUTED_DEPTH]
        block = values["storage"] == "bram"
        later = LATER_CYCLES + Q_CYCLES * times.q_register
        rings = () if block else (times.row_cycles - 1, later - 1)
        memories = memory.terms(
            *((span, depth) for depth in rings * rows),
            *((bits, depth) for bits, depth in distributed if depth),
            (span, RESULT_DEPTH * (results in blocks)),
            (span, power_of_two(moduli) * place * checks),
        )
        common: dict[str, float] = {
            "each": 1,
            "rows": rows,
            "rows by digit": rows * digit,
            "digit": digit,
            "address": log2(factors),
            "frames": times.history + times.turns,
            "checks": digit * checks,
        }
        # of a bit of a row: two LUTs for the factor, two sums; registers on the way. Where the
        # slice adds, one for the factor, and one for a sum of the wide digits.
        luts = (digit + span) if wide else _LUTS_A_BIT * digit
        registers = 5 * (digit + span) if wide else _REGISTERS_A_BIT * digit
        return Terms(
            lut=common
            | memories
            | {"rows by digit": luts * rows, "digit": _COMMON_LUTS * span},
            ff=common
            | {"rows by digit": registers * rows, "digit": _COMMON_REGISTERS * span},
            carry={"rows": rows, "rows by digit": rows * span, "each": 1, "checks": checks},
            delay={
                "each": 1,
                "digit": digit,
                "spread": log2(1 + rows),
                "memory": log2(
                    max(1.0, max((depth for _, depth in distributed), default=1) / memory.words)
                ),
                "block memory": float(bool(blocks)),
                "address": log2(factors),
                "checks": checks,
            },
            dsp={"rows": rows, "rows of long digits": rows * float(digit > 17)},
            bram={"blocks": sum(ceil_div(depth, 1024) for depth in blocks) + rows * block},
        )

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Rows that waste few, and digits that fill multipliers."""
        count = words(width, _default_digit(width))
        digits = tuple(digit for digit in (8, 12, 16, 17, 18) if 2 * digit <= width + 1)
        return super().levels(width) | {
            "rows": tuple(rows for rows in _useful_rows(count) if rows <= 64),
            "digit": digits or (2,),
        }

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """One pass and several, one row and several, a last pass of one row, several moduli, a q
        that waits, digits of b longer than those of a.
        """
        count = words(width, 2)
        return [
            {"rows": 1},
            {"rows": count, "digit": 2, "storage": "lutram"},
            {"rows": 2, "digit": 2},
            {"rows": 1, "moduli": 2},
            {"rows": 2, "digit": 2, "q_register": 1},
            {"rows": 2, "digit": 2, "q_register": 1, "wide_digit": min(3, (width + 1) // 2)},
        ]


def _useful_rows(count: int) -> tuple[int, ...]:
    """Numbers of rows of which no smaller one has as few passes."""
    return tuple(sorted({ceil_div(count, passes) for passes in range(1, count + 1)}))


register(Array())
