# SPDX-License-Identifier: Apache-2.0
"""cios: hyper-threaded word-serial Montgomery multiplication (``rtl/redc_mul_cios.sv``).

Same rules and formulas as ``rtl/redc_mul_cios_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivations: ``docs/families/cios.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
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
    flag,
    number,
    numbers,
    power_of_two,
    register,
)

DIGIT_LIMIT = 18
"""Bits of the widest factor of one multiplier slice."""
WORD_LIMIT = 72
ROW_DEPTH = 16
"""Words of distributed memory that reach the slices without a register on the way."""
BLOCK_DEPTH = 64
"""Words of moduli, spare banks included, or of waiting results that stay in distributed memory."""
NEAR = 8
"""Words of results in front of the stream, where the others wait in a deep memory."""
SIGMA_LIMIT = 32


def words(width: int, word: int) -> int:
    """Words of an operand: two bits above the modulus, as R must be above 4m."""
    return ceil_div(width + 2, word)


def digits(word: int) -> int:
    """Digits of a word: factors of one multiplier slice each."""
    return ceil_div(word, DIGIT_LIMIT)


def align_cycles(word: int) -> int:
    """Cycles until a product's low half stands beside the high half of the product before."""
    count = digits(word)
    return 0 if count == 1 else count * count - 2


@dataclass(frozen=True)
class Cycles:
    """The cycles of a design (the names are those of Gallin & Tisserand 2019, algorithm 3).

    ``theta`` between neighbours on the wheel, ``alpha`` of a turn of the wheel, ``tau`` in which
    ``sigma`` multiplications enter and leave, ``depth`` of the latency beside the iterations but
    one and the words.
    """

    words: int
    sigma: int
    theta: int
    alpha: int
    depth: int

    @property
    def tau(self) -> int:
        """Cycles between two multiplications in one logical multiplier."""
        return self.alpha * self.words

    @property
    def latency(self) -> int:
        """From the first accepted beat to the last result word, nothing else in flight."""
        return self.alpha * (self.words - 1) + self.words + self.depth

    def total(self, count: int) -> int:
        """Cycles for ``count`` multiplications offered at once (Lambda of the source)."""
        turns, rest = divmod(count - 1, self.sigma)
        return self.tau * turns + self.theta * rest + self.latency


def through(word: int, product: int) -> int:
    """Cycles from block 1's sum to block 3's, with slices of ``product`` cycles there."""
    return max((2 if digits(word) == 1 else 4) + product, align_cycles(word) + 2)


def product_cycles(sigma: int, theta: int, word: int) -> int:
    """Cycles of block 3's slices: with all registers where a turn of the wheel has the time."""
    return 4 if sigma * theta >= through(word, 4) + align_cycles(word) + 3 else 3


def cycles(width: int, values: Mapping[str, Value]) -> Cycles:
    """Cycles of a design; the same formulas as in ``redc_mul_cios_pkg``."""
    word, sigma = numbers(values, "word", "sigma")
    align = align_cycles(word)
    theta = words(width, word) + 1 - number(values, "latency_reduction")
    product = product_cycles(sigma, theta, word)
    first = 4 if values["version"] == "fast" else 3
    settle = 0 if digits(word) == 1 else 1
    entry = 2 if values["storage"] == "bram" else 0
    return Cycles(
        words=words(width, word),
        sigma=sigma,
        theta=theta,
        alpha=max(sigma * theta, through(word, product) + align + 3),
        depth=2 + entry + first + through(word, product) + align + settle,
    )


class Wheel(Pace):
    """The wheel of ``redc_mul_cios_wheel``: a multiplication begins when its place comes around.

    The wheel starts with a first word and stops at the end of a pass in which nobody has a place.
    """

    def __init__(self, geometry: Geometry, times: Cycles) -> None:
        super().__init__(geometry)
        self._times = times
        self._number = 0
        self._base = 0  # a cycle in which the pass of place `_base_number` begins
        self._base_number = 0
        self._given: list[int] = []  # when each multiplication gave up its place

    def take(self, ready: int, free: int = 0) -> tuple[int, int]:
        times, number = self._times, self._number
        taken = ready
        if number >= times.sigma:
            taken = max(taken, self._given[number - times.sigma] + 1)
        if not number or taken >= self._given[-1] + times.theta:
            self._base, self._base_number = taken + 1, number
        offset = times.theta * ((number - self._base_number) % times.sigma)
        least = taken + 1
        if number:  # they begin in order: one that missed its place holds those behind it
            least = max(least, self._given[-1] - times.alpha * (times.words - 1) + 1)
        turns = max(0, ceil_div(least - self._base - offset, times.alpha))
        begun = self._base + offset + turns * times.alpha
        self._given.append(begun + times.alpha * (times.words - 1))
        self._number += 1
        self.loaded = taken + self.loading
        return taken, max(begun + times.latency - 1, free + self.leaving)

    def state(self, now: int) -> tuple[object, ...]:
        """As in the base class; the wheel's pass counts, not since when it has turned."""
        sigma = self._times.sigma
        return (
            min(self._number, sigma),
            (self._number - self._base_number) % sigma,
            (self._base - now) % self._times.alpha,
            *(given - now for given in self._given[-sigma:]),
        )

    def move(self, cycles: int) -> None:
        self._base += cycles
        sigma = self._times.sigma
        self._given[-sigma:] = [given + cycles for given in self._given[-sigma:]]


def _default_word(width: int) -> int:
    """34 bits, as the source recommends, 17 where that leaves few words, less for tiny moduli."""
    if width >= 100:
        return 34
    return min(17, ceil_div(width + 2, 2))


def _default_sigma(width: int) -> int:
    """As many as fill the loop: 13 cycles with two digits a word, 9 with one."""
    word = _default_word(width)
    return ceil_div(13 if digits(word) > 1 else 9, words(width, word))


class Cios(Family):
    """The family's registry entry."""

    name = "cios"
    title = "Hyper-threaded word-serial Montgomery multiplier on DSP blocks"
    source = "Gallin & Tisserand 2019, algorithms 1 to 3, figure 2"
    module = "redc_mul_cios"
    has_technology = True
    maximum_width = 4096
    parameters = (
        # what fills one to four digits of either kind of multiplier, and a half
        Parameter(
            "word", "Word",
            "bits of a word; multiples of 17 (Xilinx) or 18 (ECP5) fill the multipliers",
            default=_default_word, minimum=2, maximum=lambda width: min(WORD_LIMIT, width + 1),
            grid=lambda width: (8, 9, 17, 18, 34, 36, 51, 54, 68, 72),
        ),
        Parameter(
            "sigma", "Sigma",
            "logical multipliers: independent multiplications that share the hardware",
            default=_default_sigma, minimum=1, maximum=SIGMA_LIMIT,
        ),
        flag(
            "latency_reduction", "LatencyReduction",
            "1: neighbouring multiplications share a word; 0: they leave a cycle between them",
        ),
        Parameter(
            "version", "Version",
            "registers of the first multiplier: all, or one less for a cycle less",
            default="fast", choices=("fast", "small"),
        ),
        Parameter(
            "storage", "Storage",
            "memory of operands, long moduli and results; block memory takes two cycles more",
            default=lambda width: "lutram" if width <= 512 else "bram",
            choices=("bram", "lutram"),
        ),
        MODULI,
        CHECKS,
    )  # fmt: skip
    presets: Mapping[str, Mapping[str, Value]] = {
        "small": {"word": 17, "sigma": 1, "version": "small"},
        "balanced": {"word": 34},
        "fast": {"word": 34, "sigma": 4},
    }

    def digit_bits(self, width: int, values: Mapping[str, Value]) -> int:
        """A word: the product's, and the quotient's."""
        return number(values, "word")

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles; ``sigma`` multiplications share each ``tau`` cycles."""
        times = cycles(width, values)
        word = number(values, "word")
        return Geometry(
            word_bits=word,
            beats=times.words,
            r_bits=times.words * word,
            bound=2,
            slots=times.sigma,
            moduli=number(values, "moduli"),
            latency_cycles=times.latency,
            interval_cycles=Fraction(times.tau, times.sigma),
        )

    def pace(self, width: int, values: Mapping[str, Value]) -> Wheel:
        return Wheel(self.geometry(width, values), cycles(width, values))

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """Slices, what stands between them, and the memories of operands, modulus and results."""
        word, sigma, moduli, checks = numbers(values, "word", "sigma", "moduli", "checks")
        times, count = cycles(width, values), digits(word)
        small = float(values["version"] == "small")
        wide = float(count > 1)
        place = power_of_two(times.words)
        # words of T and U on their way from block to block
        waiting = times.alpha - align_cycles(word)
        block = values["storage"] == "bram"
        operands, modulus = sigma * place, 2 * moduli * place
        block_modulus = block and modulus > BLOCK_DEPTH
        # registers between memories and slices: of a's words, of m's, and of m's other half
        staged = 0
        if not block:
            staged += operands > ROW_DEPTH
        if not block_modulus and (block or modulus > ROW_DEPTH):
            staged += 2 if modulus > 2 * ROW_DEPTH else 1
        leaving = times.depth + times.words - times.alpha - 1
        begun = sigma + (0 if leaving < 0 else leaving // times.theta + 1)
        held = begun * times.words
        deep_results = held > BLOCK_DEPTH
        block_results = block and deep_results
        if deep_results and not block:
            staged += 2
        memories = memory.terms(
            *([] if block else [(word, operands), (word, operands)]),
            (word, 0 if block_modulus else modulus),
            (word, 0 if block_results else held),
            (word, NEAR if deep_results else 0),
            (word, 2 * moduli if moduli > 1 else 0),
            (word, modulus * checks),
        )
        quotient_slices = count * (count + 1) / 2
        one_slice = float(count > 1 and times.theta >= quotient_slices)
        # an unsigned digit of 18 bits fits a slice on ECP5 and takes more of them on Xilinx
        long_digits = float(ceil_div(word, count) > 17)
        common: dict[str, float] = {
            "each": 1,
            "word": word,
            "chain": word * count,
            "columns": word * wide,
            "align": word * align_cycles(word),
            "quotient chain": word * count * (1 - one_slice),
            "chain of long digits": word * count * long_digits,
            "address": log2(operands),
            "sigma": sigma,
            "places": log2(begun),
            "small": word * small,
            "block memory": word * float(block),
            "several moduli": word * float(moduli > 1),
            "checks": word * checks,
        }
        # what waits is in shift registers, where a target has them, else in flip-flops
        shifted = {"waiting": float(word * waiting)}
        blocks = 2 * ceil_div(word, 18) * ceil_div(operands, 1024)
        return Terms(
            lut=common | memories | shifted,
            ff=common | shifted | {"staged": float(word * staged)},
            carry={
                "each": 1,
                "word": word,
                "chain": word * count,
                "address": log2(operands),
                "sigma": sigma,
                "quotient chain": word * count * (1 - one_slice),
                "chain of long digits": word * count * long_digits,
                "checks": checks,
            },
            delay={
                "each": 1,
                "digit": ceil_div(word, count),
                # products of a third digit and more are added outside of the slices
                "more digits": max(0, count - 2),
                "checks": checks,
                "spread": log2(word * count),
                "memory": log2(max(1.0, operands / memory.words)) * float(not block),
                "results": log2(max(1.0, min(held, BLOCK_DEPTH) / memory.words))
                * float(not block_results),
                "small": small,
                # a register less in block 3's slices where the loop has no time for it
                "short slices": float(product_cycles(sigma, times.theta, word) == 3),
                "block memory": float(block),
            },
            dsp={
                "slices": count * count,
                "quotient slices": quotient_slices * (1 - one_slice),
                "quotient slice": one_slice,
                "slices of long digits": long_digits
                * (2 * count * count + (1.0 if one_slice else quotient_slices)),
            },
            bram={
                "operands": blocks * float(block),
                # of moduli and results
                "modulus": ceil_div(word, 18) * ceil_div(modulus, 1024) * float(block_modulus),
                "results": ceil_div(word, 18) * ceil_div(held, 1024) * float(block_results),
            },
        )

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Words of one to four digits, on the wheel up to twice as many as fill the usual loop."""
        useful = 2 * ceil_div(13, words(width, 34))
        some = (8, 16, 17, 18, 32, 34, 36, 51, 54, 68)
        return super().levels(width) | {
            "word": tuple(word for word in some if word < width),
            "sigma": tuple(count for count in (1, 2, 3, 4, 6, 8) if count <= useful),
        }

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """Both ways to carry, both memories, both versions, one to three on the wheel."""
        return [
            {"sigma": 1},
            {"sigma": 2, "latency_reduction": 0},
            {"sigma": 3, "version": "small"},
            {"sigma": 2, "storage": "bram"},
            {"sigma": 1, "storage": "bram", "version": "small", "latency_reduction": 0},
            {"sigma": 2, "word": 2},
            {"sigma": 1, "moduli": 2},
        ]


register(Cios())
