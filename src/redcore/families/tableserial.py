# SPDX-License-Identifier: Apache-2.0
"""tableserial: Montgomery multiplication word by word from one table
(``rtl/redc_mul_tableserial.sv``).

Same rules and formulas as ``rtl/redc_mul_tableserial_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivations of the bounds: ``docs/families/tableserial.md``.
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
"""Bits of the shortest carry chain: two digits."""
LEAST_WORDS = 4
"""Words of the sum, at least: a word that is written is read again four cycles later."""
USUAL_WORD = 66
"""Bits of a word, at most, where none is chosen: 256 bits then take four."""
ASKED = 4
"""Cycles from a word of a result to the next one."""
ENTRIES = 12
"""Passes that make the entries with b, and as many for those of the modulus alone."""


def _even_word(width: int, words: int) -> int:
    """Bits of the shortest word of which so many hold the sum."""
    return max(LEAST_WORD, 2 * ceil_div(width + 4, 2 * words))


def most_word(width: int) -> int:
    """Bits of the longest word: fewer words than four would not be faster."""
    return _even_word(width, LEAST_WORDS)


def usual_word(width: int) -> int:
    """Bits of the default: as few words as those of ``USUAL_WORD`` bits, and as short ones."""
    return _even_word(width, max(LEAST_WORDS, ceil_div(width + 4, USUAL_WORD)))


def beats(width: int, word: int) -> int:
    """Words of an operand and of the sum, which stays below 9m; and cycles of a pass."""
    return max(LEAST_WORDS, ceil_div(width + 4, word))


def digits(width: int) -> int:
    """Digits of the least R that keeps results below 2m without a subtraction."""
    return ceil_div(width + 2, 2)


class TableSerial(Family):
    """The family's registry entry."""

    name = "tableserial"
    title = "Word-serial radix-4 Montgomery multiplier from a table in block RAM, the smallest"
    source = "redcore"
    module = "redc_mul_tableserial"
    has_technology = True
    parameters = (
        Parameter(
            "word", "Word", "bits of a word and of the carry chain, even", default=usual_word,
            minimum=LEAST_WORD, maximum=most_word,
        ),
        MODULI,
        CHECKS,
    )  # fmt: skip

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Words are of whole digits."""
        (word,) = numbers(values, "word")
        return [f"word={word} is not even: digits have two bits"] if word % 2 else []

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles: passes of as many cycles as there are words."""
        word, moduli = numbers(values, "word", "moduli")
        words = beats(width, word)
        made = ENTRIES * (2 if moduli > 1 else 1)
        latency = words * (1 + made + digits(width) + 4) - 1
        return Geometry(
            word_bits=word,
            beats=words,
            r_bits=2 * digits(width),
            bound=2,
            moduli=moduli,
            latency_cycles=latency,
            interval_cycles=Fraction(latency + 1),
        )

    def pace(self, width: int, values: Mapping[str, Value]) -> Pace:
        """A result's word is asked for when the one before has been taken."""
        pace = super().pace(width, values)
        pace.leaving *= ASKED
        return pace

    def digit_bits(self, width: int, values: Mapping[str, Value]) -> int:
        """Two, always."""
        return 2

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """Bits of a word, counters of words and digits, the comparison of operands."""
        word, moduli, checks = numbers(values, "word", "moduli", "checks")
        words = beats(width, word)
        several = int(moduli > 1)
        area: dict[str, float] = {
            "each": 1,
            "word": word,
            "words": log2(words),
            "digits": log2(digits(width)),
            "several moduli": several * log2(moduli),
            "checks": word * checks,
        }
        depth = power_of_two(words)
        # table, S, b with the moduli, a
        kept = (16, 2, 2 * power_of_two(moduli) if several else 1, 1)
        blocks = sum(ceil_div(word, 18) * ceil_div(count * depth, 1024) for count in kept)
        return Terms(
            lut=area | memory.terms((word * checks, moduli * depth)),
            ff=area,
            carry={"each": 1, "word": word, "checks": word * checks},
            delay={"each": 1, "chain": word, "words": log2(words), "checks": checks},
            bram={"blocks": blocks},
        )

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Words of 8 to 144 bits, the usual one, and those of four words, which are the fastest."""
        most = most_word(width)
        few = {word for word in (8, 16, 24, 36, 52, 72, 104, 144) if word <= most}
        return super().levels(width) | {"word": tuple(sorted(few | {usual_word(width), most}))}

    def follows_operands(self, values: Mapping[str, Value]) -> str:
        """The table."""
        return (
            "tableserial reads its table at digits of an operand, "
            "so one power trace shows which operands are alike"
        )


register(TableSerial())
