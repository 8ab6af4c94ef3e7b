# SPDX-License-Identifier: Apache-2.0
"""tablechain: Montgomery multiplication by digits from tables (``rtl/redc_mul_tablechain.sv``).

Same rules and formulas as ``rtl/redc_mul_tablechain_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivations of the bounds: ``docs/families/tablechain.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    numbers,
    power_of_two,
    register,
)

LEAST_WORD = 4
"""Bits of the shortest carry chain."""


def digit_bits(radix: int) -> int:
    """Bits of a multiplier digit; 2 for an illegal radix."""
    return {2: 1, 8: 3}.get(radix, 2)


def most_word(width: int) -> int:
    """Bits of the longest word: an operand, a bit more than the modulus, in digits of two bits."""
    return 2 * ceil_div(width + 1, 2)


def beats(width: int, word: int) -> int:
    """Words of an operand, and units."""
    return ceil_div(width + 1, word)


def r_bits(width: int, radix: int) -> int:
    """log2 of the least R, in whole digits, that keeps results below 2m without a subtraction."""
    digit = digit_bits(radix)
    return ceil_div(width + 2, digit) * digit


def iterations(width: int, radix: int) -> int:
    """Digits of R, and one more iteration, which divides what the last digit has left."""
    return r_bits(width, radix) // digit_bits(radix) + 1


def sum_bits(width: int, radix: int) -> int:
    """Bits of the running sum, which stays below (2r + 1) m in radix r."""
    return width + 2 + digit_bits(radix)


def build_cycles(radix: int) -> int:
    """Cycles in which the entries with the multiplicand are made: one each."""
    return radix * (radix - 1)


def entries_cycles(radix: int) -> int:
    """Cycles in which the entries with the modulus alone are made."""
    return build_cycles(radix) + 3 * (radix - 1)


def renew_cycles(width: int, radix: int, word: int, moduli: int) -> int:
    """The same before each multiplication, where it may have another modulus than the last."""
    return max(entries_cycles(radix) + 3, beats(width, word)) if moduli > 1 else 0


def opens(width: int, radix: int, word: int) -> int:
    """Iterations behind which the next operands may come: no word is written before it is read."""
    words, digits = beats(width, word), word // digit_bits(radix)
    return max(0, min(words * digits, iterations(width, radix)) - words - 3)


def ahead(width: int, radix: int, word: int, moduli: int) -> int:
    """Words of operands that the making of the table does not wait for; they come meanwhile."""
    words = beats(width, word)
    return 0 if moduli > 1 else min(words - 1, min(words + 1, build_cycles(radix) - 1) + 1)


def levels(words: int) -> int:
    """Registers between the units and the memory of results, behind choices of one of eight."""
    return max(ceil_div((words - 1).bit_length(), 3), 1) - 1


def places(words: int, build: int, block: bool) -> int:
    """Words of results that are kept; ``build`` cycles of building go before the next ones."""
    gone = min(max(0, build - 5 - levels(words) - block), words)
    least = max(min(16, 2 * words), 2 * words - gone)
    return power_of_two(least) if least <= 16 else 16 * ceil_div(least, 16)


def leaves(words: int) -> int:
    """Copies of the word on its way to the units, where block memory has operands' words."""
    return ceil_div(words, 48)


def choices(words: int) -> int:
    """Pairs of words between the units and the memory of results, of which one is chosen."""
    if 8 < words <= 15:
        return _pairs(8) + _pairs(words - 7)
    pairs = 0
    while words > 1:
        whole, rest = divmod(words, 8)
        pairs += whole * _pairs(8) + _pairs(rest)
        words = ceil_div(words, 8)
    return pairs


def _pairs(words: int) -> int:
    """Of the least multiplexer of two, four or eight words; none for one word or none."""
    return power_of_two(words) // 2 if words > 1 else 0


class Prefetching(Pace):
    """The next operands are taken near the end of the iterations, and begin right behind them."""

    def __init__(self, geometry: Geometry, awaited: int, opened: int, shortest: int) -> None:
        super().__init__(geometry)
        self._beats = awaited  # words that a beginning waits for
        self._after = opened  # cycles from a beginning until operands are taken
        self._least = shortest  # and until the next beginning
        self._begun: int | None = None

    def take(self, ready: int, free: int = 0) -> tuple[int, int]:
        """As in the base class. Words come one a cycle."""
        taken = ready if self._begun is None else max(ready, self._begun + self._after)
        begun = taken + self._beats
        if self._begun is not None:
            begun = max(begun, self._begun + self._least)
        self._begun = begun
        self.loaded = taken + self.loading
        return taken, max(begun + self._latency - self._beats, free + self.leaving)

    def state(self, now: int) -> tuple[object, ...]:
        return (None if self._begun is None else max(self._begun - now, -self._least),)

    def move(self, cycles: int) -> None:
        self._begun = None if self._begun is None else self._begun + cycles


class TableChain(Family):
    """The family's registry entry."""

    name = "tablechain"
    title = "Montgomery multiplier from tables in LUT RAM on short carry chains, radix 2 to 8"
    source = "redcore"
    module = "redc_mul_tablechain"
    has_technology = True
    parameters = (
        Parameter(
            "radix", "Radix", "2, 4 or 8: the multiplier is taken by one to three bits", default=4,
            minimum=2, maximum=8,
        ),
        # chains of 24 bits cross in the time that wires take on ECP5
        Parameter(
            "word", "Word", "bits of a word, of a unit and of its carry chain: whole digits",
            default=lambda width: min(24, most_word(width)), minimum=LEAST_WORD,
            maximum=most_word,
        ),
        Parameter(
            "storage", "Storage",
            "memory of operands' and results' words; block memory takes three cycles more",
            default=lambda width: "lutram" if width <= 512 else "bram",
            choices=("bram", "lutram"),
        ),
        MODULI,
        CHECKS,
    )  # fmt: skip

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The radix is one of three, and words are of whole digits."""
        radix, word = numbers(values, "radix", "word")
        if radix not in (2, 4, 8):
            return [f"radix={radix} is neither 2 nor 4 nor 8"]
        if over := word % digit_bits(radix):
            digit = f"{digit_bits(radix)}, a digit of radix={radix}"
            near = word - over if word - over >= LEAST_WORD else word - over + digit_bits(radix)
            return [f"word={word} is not a multiple of {digit}; word={near} is"]
        if values["storage"] == "bram" and word < 3 * digit_bits(radix):
            return [f"storage=bram takes words of three digits; word={word} has fewer"]
        return []

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles."""
        radix, word, moduli = numbers(values, "radix", "word", "moduli")
        words = beats(width, word)
        awaited = words - ahead(width, radix, word, moduli)
        before = renew_cycles(width, radix, word, moduli) + build_cycles(radix)
        steps = iterations(width, radix)
        entry = 3 if values["storage"] == "bram" else 0
        return Geometry(
            word_bits=word,
            beats=words,
            r_bits=r_bits(width, radix),
            bound=2,
            slots=2,
            moduli=moduli,
            latency_cycles=before + steps + words + awaited + levels(words) + 5 + entry,
            interval_cycles=Fraction(
                before + max(steps + 1, opens(width, radix, word) + awaited + 4)
            ),
        )

    def pace(self, width: int, values: Mapping[str, Value]) -> Prefetching:
        """That of a core that takes the next operands while it works."""
        radix, word, moduli = numbers(values, "radix", "word", "moduli")
        before = renew_cycles(width, radix, word, moduli) + build_cycles(radix)
        opened = before + opens(width, radix, word) + 4
        awaited = beats(width, word) - ahead(width, radix, word, moduli)
        return Prefetching(
            self.geometry(width, values), awaited, opened, before + iterations(width, radix) + 1
        )

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """Bits with their tables and chains, units, words that pass by, the memories of words."""
        radix, word, moduli, checks = numbers(values, "radix", "word", "moduli", "checks")
        digit, count, total = digit_bits(radix), beats(width, word), sum_bits(width, radix)
        several, block = int(moduli > 1), values["storage"] == "bram"
        copies = leaves(count) if block else 1
        units = [word] * (count - 1) + [total - word * (count - 1)]
        direct = count if count <= 8 else 7 if count <= 15 else 0
        parts = [ceil_div(count, 8**level) for level in range(1, levels(count) + 1)]
        area: dict[str, float] = {
            "each": 1,
            "bits": total,
            "units": count,
            "unit digits": count * digit,
            "word": word,
            "iterations": log2(iterations(width, radix)),
            "block memory": float(block),
            "several moduli": word * several,
            "checks": word * checks,
        }
        kept = (count, places(count, build_cycles(radix), block))
        depth = power_of_two(count)
        moduli_depth = (moduli - 1) * depth + count if several or checks else 0
        memories = memory.terms(
            *((bits, radix * radix) for bits in units),
            *((word, 0 if block else each) for each in kept),
            (word * (several + checks), moduli_depth),  # a port for each
            (word, depth * several),
        )  # fmt: skip
        # beside tables and chains there is nothing in LUTs for each bit
        cells = {name: each for name, each in area.items() if name != "bits"}
        return Terms(
            lut=cells | memories | {"result choices": word * choices(count)},
            ff=area
            | {"result registers": word * (int(direct == 7) if direct else sum(parts))}
            | {"leaves": (word + 2) * (copies if copies > 1 else 0)},
            carry={
                "chains": sum(ceil_div(bits + 2, 2) for bits in units),
                "each": 1,
                "checks": word * checks,
            },
            delay={
                "each": 1,
                "chain": word,
                "spread": log2(total),
                "depth": log2(count),
                # words in distributed memory are chosen among its cells
                "distributed": 0.0 if block else log2(ceil_div(count, memory.words)),
                "moduli": several * log2(count),
                "checks": checks,
                # a table of several cells is read through multiplexers
                "table cells": log2(ceil_div(radix * radix, memory.words)),
            },
            bram={
                "blocks": float(block) * sum(ceil_div(word, 18) * ceil_div(n, 1024) for n in kept)
            },
        )

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Words of 8 to 128 bits."""
        words = tuple(word for word in (8, 12, 16, 20, 24, 32, 64, 128) if word <= most_word(width))
        return super().levels(width) | {"word": words or (most_word(width),)}

    def follows_operands(self, values: Mapping[str, Value]) -> str:
        """The tables."""
        return (
            "tablechain reads its tables at digits of an operand, "
            "so one power trace shows which operands are alike"
        )

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """Radix 4 and 2, in one word and in several; words in block memory. Radix 8 is too long."""
        words = sorted({LEAST_WORD, most_word(width)})
        distributed: list[Mapping[str, Value]] = [
            {"radix": radix, "word": word, "storage": "lutram"}
            for radix in (4, 2)
            for word in words
        ]
        return [*distributed, {"radix": 2, "word": LEAST_WORD, "storage": "bram"}]


register(TableChain())
