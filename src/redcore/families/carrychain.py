# SPDX-License-Identifier: Apache-2.0
"""carrychain: radix-2 Montgomery multiplication on carry chains (``rtl/redc_mul_carrychain.sv``).

Same rules and formulas as ``rtl/redc_mul_carrychain_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivations of the bounds: ``docs/families/carrychain.md``.
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
    number,
    numbers,
    register,
)

VARIANTS = ("monarch1", "monarch2", "monarch3", "monarch4", "muxadd", "ramadd")
"""In the order of their numbers in the RTL."""

LEAD = {"monarch4": 1, "muxadd": 1, "ramadd": 3}
"""Cycles between a unit's operands in their registers and its first addition, where not 0."""

LEAST_WORD = 8
"""Bits of the shortest carry chain, where the width has as many."""


def r_bits(width: int) -> int:
    """log2 of the least R = 2^k that keeps results below 2m without a subtraction."""
    return width + 2


def iterations(width: int, variant: str) -> int:
    """One more than log2 R where the quotient bit does not wait for the product of this cycle."""
    return r_bits(width) + (variant != "monarch2")


def units(width: int, word: int) -> int:
    """Words that the sum is cut into, one unit each."""
    return ceil_div(width, word)


class Openings(Pace):
    """The operand stream opens in every second cycle, with at most one multiplication inside."""

    every = 2

    def __init__(self, geometry: Geometry) -> None:
        super().__init__(geometry)
        self._taken: int | None = None
        self._answered = (0, 0)  # of the last two

    def take(self, ready: int, free: int = 0) -> tuple[int, int]:
        """As in the base class; the first one is offered when the stream is open."""
        opened = self._opened
        if self._taken is not None:
            opened = max(self._taken + self._spacing, self._answered[0] + 2)
        taken = self._taken = self.loaded = self._open_at(ready, opened)
        self._answered = (self._answered[1], max(taken + self._latency, free))
        return taken, self._answered[1]

    def state(self, now: int) -> tuple[object, ...]:
        taken = None if self._taken is None else self._taken - now
        return taken, *(answered - now for answered in self._answered)

    def move(self, cycles: int) -> None:
        self._taken = None if self._taken is None else self._taken + cycles
        self._answered = (self._answered[0] + cycles, self._answered[1] + cycles)


class CarryChain(Family):
    """The family's registry entry."""

    name = "carrychain"
    title = "Radix-2 Montgomery multiplier on short carry chains, pipelined by words"
    source = "Daly & Marnane 2002, sections 3, 7 and 8, figures 4 to 11"
    module = "redc_mul_carrychain"
    has_technology = True
    parameters = (
        # least area, and a clock that does not depend on the width, on ECP5
        Parameter(
            "variant", "Variant",
            "what an iteration adds: a and m in turn (monarch1 to 3), both together beforehand"
            " (monarch4), one of 0, m, 2a, m + 2a by multiplexer (muxadd) or LUT RAM (ramadd)",
            default="monarch4", choices=VARIANTS,
        ),
        # chains of 16 bits cross in the time that wires take on ECP5
        Parameter(
            "word", "Word",
            "bits of a carry chain, 8 to the width, or the width itself: not pipelined",
            default=lambda width: min(16, width), minimum=4, maximum=lambda width: width,
        ),
        MODULI,
        CHECKS,
    )  # fmt: skip
    presets: Mapping[str, Mapping[str, Value]] = {
        "small": {"variant": "monarch4", "word": 64},
        "balanced": {"variant": "monarch4", "word": 16},
        "fast": {"variant": "muxadd", "word": 16},
    }

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Chains of less than 8 bits make sense only where the width has no more."""
        word = number(values, "word")
        if word < LEAST_WORD and word != width:
            return [f"word={word} is below {LEAST_WORD} and is not width={width}"]
        return []

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles; the result's words stand on the output one after another.

        Where a is doubled, the sum is (2 a b + q m) / (2 R) with q below 2 R; q is even then, so
        the result is the same.
        """
        variant = str(values["variant"])
        interval = iterations(width, variant)
        latency = interval + LEAD.get(variant, 0) + units(width, number(values, "word")) + 1
        return Geometry(
            word_bits=width + 1,
            r_bits=r_bits(width),
            bound=2,
            slots=ceil_div(latency, interval),
            moduli=number(values, "moduli"),
            latency_cycles=latency,
            interval_cycles=Fraction(interval),
        )

    def follows_operands(self, values: Mapping[str, Value]) -> str:
        """The LUT RAM of ``ramadd``."""
        if values["variant"] != "ramadd":
            return ""
        return (
            "carrychain with variant=ramadd reads its table at digits of an operand, "
            "so one power trace shows which operands are alike"
        )

    def pace(self, width: int, values: Mapping[str, Value]) -> Openings:
        """That of a stream that opens for single cycles."""
        return Openings(self.geometry(width, values))

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """The bits of the variant's units, the units, and the ways between them."""
        variant = str(values["variant"])
        word, moduli, checks = numbers(values, "word", "moduli", "checks")
        count, several = units(width, word), float(moduli > 1)
        own: dict[str, float] = {f"bits, {each}": width * (variant == each) for each in VARIANTS}
        units_of: dict[str, float] = {
            f"units, {each}": count * (variant == each) for each in VARIANTS
        }
        rest: dict[str, float] = {
            "each": 1,
            "units": count,
            # a and m take turns, so each unit chooses
            "choosing units": count * (variant in ("monarch1", "monarch2", "monarch3")),
            "pipelined bits": width * float(count > 1),
            "modulus places": width * (moduli - 1),
            "several moduli": width * several,
            "checks": width * checks,
        }
        return Terms(
            lut=own | rest | memory.terms((width, 4 if variant == "ramadd" else 0)),
            ff=own | rest,
            carry=own | units_of | {"each": 1, "checks": width * checks},
            delay={
                "each": 1,
                "chain": max(0, word - 16),
                "spread": log2(width),
                "choosing": float(variant in ("monarch1", "monarch2", "monarch3")),
                "gated": float(variant not in ("muxadd", "ramadd")),
                "same cycle": float(variant == "monarch2"),
                "memory": float(variant == "ramadd"),
                "not pipelined": log2(width) * float(count == 1),
            },
        )

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Chains of 8 to 128 bits, or one in all where nothing is longer."""
        chains = tuple(word for word in (8, 12, 16, 24, 32, 64, 128) if word <= width)
        return super().levels(width) | {"word": chains}

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """Every variant, unpipelined; and in two words where the width allows it."""
        return [
            {"variant": variant, "word": word}
            for variant in VARIANTS
            for word in sorted({min(width, LEAST_WORD), width})
        ]


register(CarryChain())
