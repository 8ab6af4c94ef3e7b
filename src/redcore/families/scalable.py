# SPDX-License-Identifier: Apache-2.0
"""scalable: word-serial Montgomery multiplication of any precision (``rtl/redc_mul_scalable.sv``).

The RTL has no width: the number of words of the modulus sets the precision at run time, and one
build serves every width up to ``max_width``. Same rules and formulas as
``rtl/redc_mul_scalable_pkg.sv``; tests hold the two, and the measured cycles, equal. Derivations of
the bounds: ``docs/families/scalable.md``.
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
    flag,
    number,
    numbers,
    power_of_two,
    register,
)

SLOTS = 2
"""Multiplications in flight: one result is read while the next one is computed."""


def digit_bits(radix: int) -> int:
    """Multiplier bits that a stage consumes: log2 of the radix; 1 for an illegal one."""
    return {4: 2, 8: 3}.get(radix, 1)


def beats(width: int, word: int) -> int:
    """Words of an operand of ``width`` bits."""
    return ceil_div(width, word)


def passes(width: int, radix: int, word: int, stages: int) -> int:
    """Times that the words go through the stages; signed digits cover a zero on top as well."""
    covered = beats(width, word) * word + (radix > 2)
    return ceil_div(covered, digit_bits(radix) * stages)


def r_bits(width: int, radix: int, word: int, stages: int) -> int:
    """log2 R: the multiplier bits of all passes."""
    return passes(width, radix, word, stages) * digit_bits(radix) * stages


def pass_slots(width: int, word: int, stages: int) -> int:
    """Cycles that a pass keeps the first stage: its words, and at least a digit a stage."""
    return max(beats(width, word) + 1, stages)


def pass_cycles(width: int, word: int, stages: int, retimed: int) -> int:
    """Cycles from a pass to the next one of the same multiplication."""
    return max(pass_slots(width, word, stages), 2 * stages + retimed)


def round_depth(width: int, word: int, stages: int, retimed: int) -> int:
    """Words of S, at most, that wait for their next pass: those that the stages do not hold.

    A single stage gives one up while the first one of the next pass is just being asked for.
    """
    return max(1, beats(width, word) - stages + (stages == 1 and not retimed))


def busy_cycles(width: int, radix: int, word: int, stages: int, retimed: int) -> int:
    """Cycles that a multiplication keeps the first stage."""
    before = (passes(width, radix, word, stages) - 1) * pass_cycles(width, word, stages, retimed)
    return before + pass_slots(width, word, stages)


def kernel_cycles(width: int, radix: int, word: int, stages: int, retimed: int) -> int:
    """Cycles from the first operand beat to the last word out of the last stage, both counted.

    This is what the source's equation 1 counts.
    """
    before = (passes(width, radix, word, stages) - 1) * pass_cycles(width, word, stages, retimed)
    return before + 2 * stages + beats(width, word) + 1 + retimed


def published_cycles(width: int, word: int, stages: int) -> int:
    """Equation 1 of the source: cycles of its retimed radix-8 kernel for ``width`` bits."""
    words = ceil_div(width + 1, word)
    rounds = ceil_div(width, 3 * stages)
    if words <= 2 * stages:
        return rounds * (2 * stages + 1) + words + 1
    return rounds * (words + 1) + 2 * stages


class Passes(Pace):
    """One multiplication in the stages, and one whose result leaves."""

    def __init__(self, geometry: Geometry, passing: int) -> None:
        super().__init__(geometry)
        self._passing = passing  # cycles in which the first stage is busy with one
        self._answered = (-1, -1)  # of the last two

    def take(self, ready: int, free: int = 0) -> tuple[int, int]:
        """As in the base class."""
        taken = max(ready, self._next, self._answered[0] + 1)
        self.loaded = taken + self.loading
        self._next = taken + self._passing
        self._answered = self._answered[1], max(taken + self._latency, free + self.leaving)
        return taken, self._answered[1]

    def state(self, now: int) -> tuple[object, ...]:
        """As in the base class."""
        waits = tuple(max(0, answered + 1 - now) for answered in self._answered)
        return max(0, self._next - now), *waits

    def move(self, cycles: int) -> None:
        """As in the base class."""
        super().move(cycles)
        self._answered = (self._answered[0] + cycles, self._answered[1] + cycles)


class Scalable(Family):
    """The family's registry entry."""

    name = "scalable"
    title = "Scalable word-serial Montgomery multiplier, precision set at run time"
    source = "Tenca, Todorov & Koc 2001, figures 1 and 3 to 6"
    module = "redc_mul_scalable"
    width_is_parameter = False
    has_technology = True
    amount = "stages"
    parameters = (
        Parameter(
            "radix", "Radix",
            "2, 4 or 8: one, two or three multiplier bits a stage, Booth digits for 4 and 8",
            default=8, minimum=2, maximum=8,
        ),
        Parameter(
            "word", "Word", "bits of a word, at least two digits", default=8, minimum=2,
            maximum=256,
        ),
        # up to half the words: beyond, a pass waits for its own end
        Parameter(
            "stages", "Stages", "cells of the pipeline, two cycles each",
            default=lambda width: max(1, min(16, beats(width, 8) // 2)), minimum=1, maximum=1024,
        ),
        flag("retimed", "Retimed", "1: quotient digits found a cycle ahead, for a higher clock"),
        Parameter(
            "storage", "Storage",
            "memory of operands, moduli, results and what goes round, in as many cycles",
            default="lutram", choices=("bram", "lutram"), grid=(),
        ),
        Parameter(
            "max_width", "MaxWidth", "longest modulus in bits that the core takes at run time",
            default=lambda width: width, minimum=lambda width: width, maximum=8192, grid=(),
        ),
        MODULI,
        CHECKS,
    )  # fmt: skip
    presets: Mapping[str, Mapping[str, Value]] = {
        "small": {"radix": 2, "stages": 2},
        "balanced": {"radix": 8, "stages": 15},
        "fast": {"radix": 8, "stages": 22},
    }

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The radix is one of three, and a word holds two digits."""
        radix, word = numbers(values, "radix", "word")
        if radix not in (2, 4, 8):
            return [f"radix={radix} is neither 2 nor 4 nor 8"]
        if word < 2 * digit_bits(radix):
            return [f"word={word} is below {2 * digit_bits(radix)}, two digits of radix={radix}"]
        return []

    def rtl_reasons(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The RTL sees the longest width only, not the one in use."""
        return self.reasons(number(values, "max_width"), values)

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles at ``width`` bits, however much wider ``max_width`` is."""
        radix, word, stages, retimed = numbers(values, "radix", "word", "stages", "retimed")
        words = beats(width, word)
        latency = kernel_cycles(width, radix, word, stages, retimed) + 1 + words
        return Geometry(
            word_bits=word,
            beats=words,
            r_bits=r_bits(width, radix, word, stages),
            slots=SLOTS,
            moduli=number(values, "moduli"),
            latency_cycles=latency,
            interval_cycles=max(
                Fraction(busy_cycles(width, radix, word, stages, retimed)),
                Fraction(latency + 1, SLOTS),
            ),
        )

    def pace(self, width: int, values: Mapping[str, Value]) -> Passes:
        """Two multiplications under way, one of them in the stages."""
        radix, word, stages, retimed = numbers(values, "radix", "word", "stages", "retimed")
        passing = busy_cycles(width, radix, word, stages, retimed)
        return Passes(self.geometry(width, values), passing)

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """Stages of words, the memories of words that pass through them, the final subtraction."""
        radix, word, stages, retimed = numbers(values, "radix", "word", "stages", "retimed")
        moduli, checks = numbers(values, "moduli", "checks")
        depth = beats(number(values, "max_width"), word)
        stage_bits: dict[str, float] = {
            f"stage bits, radix {each}": word * stages * float(radix == each) for each in (2, 4, 8)
        }
        heads: dict[str, float] = {
            f"stages, radix {each}": stages * float(radix == each) for each in (2, 4, 8)
        }
        # a longer way through a stage is mapped for speed, at the price of copies
        longer: dict[str, float] = {
            f"stage bits not retimed, radix {each}": word
            * stages
            * float(radix == each and not retimed)
            for each in (4, 8)
        }
        rest: dict[str, float] = {
            "each": 1,
            "word": word,
            "digits": digit_bits(radix) * stages,
            "ahead": retimed * word,
            "retimed stages": retimed * stages,
            "address": log2(max(2, depth)),
            "modulus places": word * (moduli - 1),
            "several moduli": word * float(moduli > 1),
            "checks": word * checks,
        }
        place = power_of_two(depth + 1)
        kept = (
            (word, moduli * place),  # moduli
            (word, place),  # b
            (word, place),  # a, for its digits
            (2 * word + 1, place),  # S between the passes
            (2 * word, 2 * place),  # the result, reduced and not
        )
        block = values["storage"] == "bram"
        memories = memory.terms(*([] if block else kept))
        blocks = sum(ceil_div(bits, 36) * ceil_div(words, 512) for bits, words in kept)
        return Terms(
            lut=stage_bits | longer | heads | rest | memories,
            ff=stage_bits | heads | rest,
            carry={
                "each": 1,
                "word": word,
                "address": log2(max(2, depth)),
                "checks": checks,
                "retimed": retimed,
            },
            delay={
                "each": 1,
                "radix 4": float(radix == 4),
                "radix 8": float(radix == 8),
                "retimed, radix 4": retimed * float(radix == 4),
                "not retimed, radix 8": (1 - retimed) * float(radix == 8),
                "not retimed, radix 4": (1 - retimed) * float(radix == 4),
                "spread": log2(word * stages),
                "word": log2(word),
                "memory": log2(max(1.0, place / memory.words)) * float(not block),
                "block memory": float(block),
            },
            bram={"blocks": blocks * float(block)},
        )

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Words of 8 to 32 bits, 2 to 24 stages."""
        counts = (2, 4, 8, 12, 16, 24)
        return super().levels(width) | {
            "word": tuple(word for word in (8, 12, 16, 24, 32) if word <= width),
            "stages": tuple(count for count in counts if 4 * count <= width),
            "max_width": (width,),
        }

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """Each radix with its smallest word, retimed or not, one stage and two, each memory."""
        return [
            {"radix": radix, "word": 2 * digit_bits(radix), "stages": stages, "retimed": retimed}
            | ({"storage": "bram"} if block else {})
            for radix in (2, 4, 8)
            for stages in (1, 2)
            for retimed in (1, 0)
            for block in (0, 1)
            if not block or stages == 1 + retimed
        ]


register(Scalable())
