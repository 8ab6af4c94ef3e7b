# SPDX-License-Identifier: Apache-2.0
"""exp: modular exponentiation on any multiplier (``rtl/redc_exp.sv``).

The cycles are those of the schedule that ``rtl/redc_exp_sequencer.sv`` follows, played here on the
multiplier's latency and acceptance; tests hold them equal to simulation. Derivations and the
methods: ``docs/units/exp.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import log2
from pathlib import Path

from gmpy2 import powmod

from redcore.families.base import (
    CHECKS,
    MODULI,
    Design,
    Family,
    Geometry,
    Memory,
    Pace,
    Parameter,
    Terms,
    Value,
    ceil_div,
    number,
)
from redcore.units import compose
from redcore.units.r2 import r2_cycles

METHODS = ("rtl", "rtl_dual", "ltr", "ladder", "window")
_RTL_METHOD = {"rtl": 0, "rtl_dual": 0, "ltr": 1, "ladder": 2, "window": 3}
METHODS_ON_ONE = {name: value for name, value in _RTL_METHOD.items() if name != "rtl_dual"}
"""The methods on a single multiplier, by the number that the RTL takes."""
METHOD_ON_ONE = Parameter(
    "method",
    "Method",
    "order of squares and products",
    default="rtl",
    choices=tuple(METHODS_ON_ONE),
)
"""Of units that have an exponentiator on one multiplier inside."""
MEMORIES = ("registers", "lutram", "bram")
PARAMETERS = (
    Parameter(
        "method",
        "Method",
        "order of squares and products; rtl_dual: two multipliers side by side",
        default="rtl",
        choices=METHODS,
    ),
    Parameter(
        "exp_bits",
        "ExpBits",
        "bits of the longest exponent",
        default=lambda width: width,
        minimum=1,
        maximum=16384,
        grid=(),
    ),
    Parameter("window", "Window", "bits of a window", default=4, minimum=1, maximum=6),
    Parameter(
        "threads",
        "Threads",
        "exponentiations that share the multiplier",
        default=1,
        minimum=1,
        maximum=64,
        grid=(1, 2, 4, 8),
    ),
    Parameter(
        "memory",
        "Storage",
        "where values and table are; bram: the table in block, values in distributed memory",
        # At word-serial multipliers distributed memory, see `suited`.
        default="registers",
        choices=MEMORIES,
    ),
    Parameter(
        "r2",
        "R2Outside",
        "R^2 mod m computed inside, or brought behind the modulus",
        default="inside",
        choices=("inside", "outside"),
        grid=(),
    ),
    Parameter(
        "chunk",
        "ChunkBits",
        "bits at a time where R^2 mod m is computed",
        default=32,
        minimum=1,
        maximum=1024,
        grid=(),
    ),
)


def suited(parameters: Iterable[Parameter], multiplier: Family) -> tuple[Parameter, ...]:
    """A unit's parameters with the defaults for that multiplier.

    Of values in many words one word is read at a time, for which registers would need a multiplexer
    as wide as a value.
    """
    return tuple(
        replace(p, default="lutram") if p.name == "memory" and multiplier.word_serial else p
        for p in parameters
    )


class Alternating(Pace):
    """Some of the same core behind ``redc_mul_several``, taken in turn.

    They are alike at first: a core that stands idle is ready when the others are.
    """

    def __init__(self, paces: Sequence[Pace], beats: int) -> None:
        self._paces = paces
        self._beats = beats
        self._number = 0
        self._next = self._answered = 0

    def take(self, ready: int) -> tuple[int, int]:
        """As in the base class; results leave in order."""
        pace = self._paces[self._number % len(self._paces)]
        self._number += 1
        taken, answered = pace.take(max(ready, self._next))
        if self._number == 1:
            for other in self._paces[1:]:
                other.idle_in_step(taken)
        self._next = taken + self._beats
        self._answered = max(answered, self._answered + self._beats)
        return taken, self._answered


@dataclass
class _Bits:
    """When each bit of an exponent is there (redc_exp_bits)."""

    word: int  # bits of the shift register
    left: int  # bits in it, from the cycle `since` on
    since: int

    def take(self, ready: int) -> int:
        """The cycle, at least ``ready``, in which the next bit is taken."""
        at = max(ready, self.since)
        self.left -= 1
        if self.left == 0:
            self.left, self.since = self.word, at + 2
        return at


def _bits(begin: int, word_bits: int, exp_bits: int, length: int, lowest_first: bool) -> _Bits:
    """The exponent's register, begun in cycle ``begin``."""
    words = ceil_div(exp_bits, word_bits)
    if words == 1:
        skip = 0 if lowest_first else exp_bits - length
        return _Bits(exp_bits, exp_bits - skip, begin + 1 + skip)
    passed, skip = (0, 0) if lowest_first else divmod(words * word_bits - length, word_bits)
    return _Bits(word_bits, word_bits - skip, begin + 1 + passed + 1 + skip)


def copies(values: Mapping[str, Value]) -> int:
    """Multipliers side by side."""
    return 2 if values["method"] == "rtl_dual" else 1


def paired(values: Mapping[str, Value]) -> bool:
    """Whether an exponentiation makes 1 times 1 besides, so that two multipliers get as many."""
    return copies(values) > 1 and number(values, "threads") == 1


def multiplications(method: str, length: int, window: int) -> int:
    """Multiplications of an exponentiation with an exponent of ``length`` bits."""
    if method == "ladder":
        return 2 * length + 3
    if method == "window":
        digits = ceil_div(length, window)
        return (1 << window) + max(0, length - window) + (digits - 1) + 1
    return 2 * length + 1


@lru_cache(maxsize=4096)
def job_cycles(
    multiplier: Design,
    copies: int,
    method: str,
    exp_bits: int,
    length: int,
    window: int,
    paired: bool = False,
) -> tuple[int, int]:
    """Latency and interval of exponentiations one at a time.

    The latency is from the first beat of x to the last of the result; the next x comes as soon as
    the result has left, and in step with the multiplier.
    The play follows the sequencer: operations in order, each once its slots are there, on
    ``copies`` of ``multiplier``.
    """
    geometry = multiplier.geometry
    word_bits, beats = geometry.word_bits, geometry.beats
    face = max(beats, ceil_div(exp_bits, word_bits))
    paces = [multiplier.pace() for _ in range(copies)]
    pace = Alternating(paces, beats) if copies > 1 else paces[0]
    begin = face - 1
    bits = _bits(begin, word_bits, exp_bits, length, method in ("rtl", "rtl_dual"))
    there: dict[int, int] = {}  # slot: cycle from which its value can be used
    at = face  # the next operation may be offered from here on

    def issue(slot: int, *needs: int, wait: int = 0) -> int:
        nonlocal at
        ready = max(at, wait, *(there.get(need, 0) for need in needs), 0)
        taken, answered = pace.take(ready)
        end = taken + beats - 1
        there[slot] = answered + 1
        at = end + 1
        return end

    def drained() -> int:
        return max(at, *there.values())

    if method in ("rtl", "rtl_dual"):
        issue(0)
        issue(1, wait=bits.take(at))
        power = 0
        if length > 1:
            issue(2, 0)
            power = 2
        for index in range(1, length):
            if index < length - 1:
                issue(2 - power, power)
            # The bit is there long before what it decides about.
            issue(1, 1, power, wait=bits.take(at))
            power = 2 - power
        needed = drained()
        if paired:
            issue(3, 0)
        issue(2, wait=needed)
    elif method == "ltr":
        issue(0)
        issue(1, wait=bits.take(at))
        for _ in range(length - 1):
            issue(1, 1, 2)
            issue(2, 1, 0, wait=bits.take(max(at, there[1])))
        issue(2, wait=drained())
    elif method == "ladder":
        issue(0)
        issue(1)
        now, new = (0, 1), (2, 3)
        for _ in range(length):
            issue(new[0], *now)
            issue(new[1], *now, wait=bits.take(at))
            now, new = new, now
        issue(2, wait=drained())
    else:
        issue(1)
        issue(2)
        for _ in range(2, 1 << window):
            issue(0, 0, 1)
        entries = (1 << window) * beats

        def choose(start: int, digits: int) -> int:
            taken = start
            for _ in range(digits):
                taken = bits.take(taken + 1)
            return taken + entries + 2

        chosen_at = drained()
        digits = min(window, length)
        left = length - digits
        entry = choose(chosen_at, digits)
        at = chosen_at + 1
        fresh = True
        while left:
            squares = min(window, left)
            for _ in range(squares):
                if fresh:
                    end = issue(0, wait=entry)
                    entry = choose(end, squares)
                    fresh = False
                else:
                    issue(0, 0)
            left -= squares
            end = issue(0, 0, wait=entry)
            if left:
                entry = choose(end, min(window, left))
        issue(2, wait=max(drained(), entry if fresh else 0))
    latency = there[2] + face - 1
    # The unit looks back six cycles to begin in step.
    opened, _ = deepcopy(pace).take(0)
    following, _ = pace.take(max(latency + 1 + face, opened + 6))
    return latency, following - face


class Exponentiator(Family):
    """The exponentiator on one family of multipliers."""

    kind = "exp"
    operation = "exponentiation"
    minimum_width = 4
    width_is_parameter = False

    def __init__(self, multiplier: Family) -> None:
        self.multiplier = multiplier
        self.name = f"exp-{multiplier.name}"
        self.title = f"Exponentiator on: {multiplier.title}"
        self.source = (
            "Le Masle 2009, section 3.4; Daly & Marnane 2002, sections 4 and 9; multiplier: "
            + multiplier.source
        )
        self.module = f"redc_exp_{multiplier.name}"
        self.minimum_width = multiplier.minimum_width
        self.maximum_width = multiplier.maximum_width
        self.has_technology = multiplier.has_technology
        own = [p for p in multiplier.parameters if p.name not in ("moduli", "checks")]
        self.parameters = (*suited(PARAMETERS, multiplier), *own, MODULI, CHECKS)

    def __reduce__(self) -> tuple[Callable[[str], Family], tuple[str]]:
        """Other processes make it anew from its name: parameters hold functions."""
        return family, (self.name,)

    def multiplier_design(self, width: int, values: Mapping[str, Value]) -> Design:
        """The multiplier in a design of this unit."""
        return self.multiplier.design(width, self._multiplier_values(width, values))

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        """Its multipliers."""
        return copies(values) * (self.multiplier_design(width, values),)

    def _multiplier_values(self, width: int, values: Mapping[str, Value]) -> dict[str, Value]:
        names = {p.name for p in self.multiplier.parameters}
        return {name: value for name, value in values.items() if name in names}

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The multiplier's rules."""
        return self.multiplier.reasons(width, self._multiplier_values(width, values))

    def worth_trying(self, width: int, values: Mapping[str, Value]) -> bool:
        """A window's bits matter to the method of that name alone."""
        default = self.parameter("window").default_for(width)
        return values["method"] == "window" or values["window"] == default

    def seen(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """What the unit sees: the multiplier's geometry, or that of two side by side."""
        one = self.multiplier_design(width, values).geometry
        count = copies(values)
        if count == 1:
            return one
        interval = max(one.interval_cycles / count, Fraction(one.beats))
        return replace(one, slots=count * one.slots, interval_cycles=interval)

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles for exponents of full length."""
        return self.geometry_at(width, values, number(values, "exp_bits"))

    def geometry_at(self, width: int, values: Mapping[str, Value], exponent_bits: int) -> Geometry:
        """Sizes, and cycles for exponents of ``exponent_bits``."""
        mul = self.seen(width, values)
        exp_bits = number(values, "exp_bits")
        face = max(mul.beats, ceil_div(exp_bits, mul.word_bits))
        threads = number(values, "threads")
        latency, interval = self.job_cycles(width, values, exponent_bits)
        outside = values["r2"] == "outside"
        constants = (
            0
            if outside
            else r2_cycles(mul.word_bits, mul.beats, mul.r_bits, number(values, "chunk"))
        )
        return Geometry(
            word_bits=mul.word_bits,
            beats=face,
            r_bits=0,
            bound=1,
            slots=threads,
            moduli=number(values, "moduli"),
            latency_cycles=latency,
            interval_cycles=Fraction(interval)
            if threads == 1
            else self.shared_interval(width, values, latency, exponent_bits),
            modulus_cycles=constants + mul.modulus_cycles + 2 * face,
            modulus_beats=2 * face if outside else face,
            slack_cycles=self._slack(width, values),
            interval_estimated=threads > 1,
        )

    def _slack(self, width: int, values: Mapping[str, Value]) -> int:
        """Two multipliers that are ready now and then are found however other threads left them."""
        pace = self.multiplier_design(width, values).pace()
        return 3 * (pace.every - 1) if copies(values) > 1 and not paired(values) else 0

    def job_cycles(self, width: int, values: Mapping[str, Value], length: int) -> tuple[int, int]:
        """Latency and interval with exponents of ``length`` bits, one at a time."""
        return job_cycles(
            self.multiplier_design(width, values),
            copies(values),
            str(values["method"]),
            number(values, "exp_bits"),
            length,
            number(values, "window"),
            paired(values),
        )

    def shared_interval(
        self, width: int, values: Mapping[str, Value], latency: int, length: int
    ) -> Fraction:
        """Cycles per exponentiation of ``length`` bits with several threads: an estimate, a
        little low.

        The multiplier is busy all the time, or the threads each go at their own pace.
        """
        mul = self.seen(width, values)
        count = multiplications(str(values["method"]), length, number(values, "window"))
        return max(count * mul.interval_cycles, Fraction(latency + 1, number(values, "threads")))

    def occupancy(self, width: int, values: Mapping[str, Value]) -> float:
        """The share of the multiplier's intervals that is used, 0 to 1."""
        mul, own = self.seen(width, values), self.geometry(width, values)
        count = multiplications(
            str(values["method"]), number(values, "exp_bits"), number(values, "window")
        )
        return float(count * mul.interval_cycles / own.interval_cycles)

    def formula(self, width: int, values: Mapping[str, Value]) -> str:
        """x^e mod m, x and e in the places of the operands."""
        return "p = a ^ b mod m"

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """What the unit adds to its multipliers: values, table, exponents, R^2, the sequencers."""
        mul = self.multiplier_design(width, values).geometry
        word, beats, moduli = mul.word_bits, mul.beats, number(values, "moduli")
        threads, chunk = number(values, "threads"), min(number(values, "chunk"), mul.word_bits)
        window = 1 << number(values, "window") if values["method"] == "window" else 0
        kept, block = values["memory"] == "registers", values["memory"] == "bram"
        inside = float(values["r2"] == "inside")
        ports = 3 if threads > 1 else 2
        slots, constants = 4 * threads * beats, moduli * beats
        tables = window * beats
        exponent = min(number(values, "exp_bits"), word)
        exponents = ceil_div(number(values, "exp_bits"), word)
        unfolded = mul.bound == 2
        memories = [
            *([] if kept else ports * [(word, slots)]),
            *([] if kept or beats == 1 else [(word, constants), (word, (window > 0) * beats)]),
            *([] if kept or not unfolded or constants == 1 else 2 * [(word, constants)]),
            *([] if kept or block else threads * [(word, tables)]),
            *(threads * [(word, exponents)] if exponents > 1 else []),
            *(2 * [(chunk, ceil_div(word * beats, chunk))] if inside else []),
        ]
        registers = word * (constants + (2 * constants if unfolded else 0))
        area: dict[str, float] = {
            "each": 1,
            "word": word,
            "threads": threads,
            "exponent bits": threads * exponent,
            "kept values": word * slots * float(kept),
            "kept tables": word * tables * threads * float(kept),
            "kept constants": registers * float(kept or constants == 1),
            "table words": word * threads * float(window > 0),
            "comparison": word * float(unfolded),
            "constant": word * inside,
            "chunk": chunk * inside,
            "second multiplier": word * (copies(values) - 1),
            "counters": log2(max(2, beats * exponents)),
            "checks": word * number(values, "checks"),
        }
        return Terms(
            lut=area | memory.terms(*memories),
            ff=area,
            carry={
                "each": 1,
                "threads": threads,
                "chunk": chunk * inside,
                "counters": log2(max(2, beats * exponents)),
                "comparison": word * float(unfolded),
                "checks": word * number(values, "checks"),
            },
            delay={
                "each": 1,
                "spread": log2(word * slots),
                "bits": word / 64,
                "several blocks": float(mul.slots > 1),
                "threads": threads - 1,
            },
            bram={
                "tables": threads * ceil_div(word, 36) * ceil_div(tables, 512) * float(block),
            },
        )

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Those of the unit; the multiplier keeps its defaults."""
        own = {p.name: (p.default_for(width),) for p in self.parameters}
        return own | {
            "method": METHODS,
            "window": (2, 4, 5),
            "threads": (1, 2, 4),
            "memory": MEMORIES,
            "r2": ("inside", "outside"),
            "chunk": (16, 32, 64),
        }

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """x^e mod m."""
        return int(powmod(a, b, m))

    def operand_limits(
        self, width: int, values: Mapping[str, Value], modulus: int
    ) -> tuple[int, int]:
        """x below m, e below 2^exp_bits."""
        return modulus, 1 << number(values, "exp_bits")

    def modulus_words(self, width: int, values: Mapping[str, Value], modulus: int) -> int:
        """m, and R^2 mod m above it where it comes from outside."""
        if values["r2"] == "inside":
            return modulus
        own, mul = self.geometry(width, values), self.seen(width, values)
        return modulus | int(powmod(2, 2 * mul.r_bits, modulus)) << (own.word_bits * own.beats)

    def rtl_parameters(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        """None: the top is written for the design."""
        return {}

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """Library files and the composed top."""
        multiplier = self.multiplier_design(width, values)
        geometry, own = multiplier.geometry, self.geometry(width, values)
        unit = {p.rtl: p.rtl_value(values[p.name]) for p in (*PARAMETERS, MODULI, CHECKS)}
        numbers = (
            {
                "Width": width,
                "WordBits": geometry.word_bits,
                "Beats": geometry.beats,
                "RBits": geometry.r_bits,
                "Bound": geometry.bound,
            }
            | unit
            | {"Method": _RTL_METHOD[str(values["method"])], "Multipliers": copies(values)}
        )
        context = {
            "exp": numbers,
            "copies": copies(values),
            "face_beats": own.beats,
            "latency": own.latency_cycles,
            "index_bits": max(1, (own.moduli - 1).bit_length()),
        }
        return compose.sources(self.module, "exp_top.sv.j2", multiplier, context)

    def proof_designs(self, widths: Iterable[int]) -> list[Design]:
        """None: an exponentiation takes more cycles than the solvers follow."""
        return []


def family(name: str) -> Family:
    """The family of that name, as ``redcore.families.family`` gives it."""
    from redcore import families

    return families.family(name)
