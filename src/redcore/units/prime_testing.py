# SPDX-License-Identifier: Apache-2.0
"""Prime testers as designs that can be synthesized and searched (``rtl/redc_prime_tester.sv``).

The face is the tester's own and not the multiplier contract, so ``redcore run prime`` simulates it;
area, clock and the choice of its multiplier go the way of every other design. An operation is the
test of a prime, the longest there is: every base is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

from gmpy2 import is_prime

from redcore.families.base import (
    Design,
    Family,
    Geometry,
    Memory,
    Parameter,
    Terms,
    Value,
    number,
)
from redcore.units import compose, prime_bench
from redcore.units.exp import MEMORIES, PARAMETERS, Exponentiator, multiplications
from redcore.units.prime import PrimeTester, Reason, Round, Verdict

METHODS = {"rtl": 0, "ltr": 1, "ladder": 2, "window": 3}
"""The exponentiator's methods on one multiplier, by the number that the RTL takes."""
_SHARED = {p.name: p for p in PARAMETERS}
_OWN = (
    Parameter(
        "method",
        "Method",
        "order of squares and products",
        default="rtl",
        choices=tuple(METHODS),
    ),
    _SHARED["window"],
    Parameter(
        "threads",
        "Threads",
        "candidates at once, which share the multiplier",
        default=1,
        minimum=1,
        maximum=64,
        grid=(1, 2, 4, 8),
    ),
    _SHARED["memory"],
    Parameter("primes", "Primes", "odd primes of trial division", default=53, maximum=255, grid=()),
    Parameter("bases", "Bases", "first primes as bases", default=20, maximum=256, grid=()),
    Parameter("random_bases", "RandomBases", "random bases", default=0, maximum=1024, grid=()),
)
_DRAWS = 2
"""Of a random base, on average."""


class PrimeTesting(Family):
    """The prime tester on one family of multipliers."""

    kind = "prime"
    width_is_parameter = False
    other_face = "redcore run prime"

    def __init__(self, multiplier: Family) -> None:
        self.multiplier = multiplier
        self.name = f"prime-{multiplier.name}"
        self.title = f"Prime tester on: {multiplier.title}"
        self.source = f"Le Masle 2009, section 3.5; multiplier: {multiplier.source}"
        self.module = f"redc_prime_{multiplier.name}"
        self.minimum_width = max(8, multiplier.minimum_width)
        self.maximum_width = multiplier.maximum_width
        self.has_technology = multiplier.has_technology
        inner = [p for p in multiplier.parameters if p.name not in ("moduli", "checks")]
        self.parameters = (*_OWN, *inner)

    def __reduce__(self) -> tuple[Callable[[str], Family], tuple[str]]:
        """Other processes make it anew from its name: parameters hold functions."""
        from redcore.families import family

        return family, (self.name,)

    def multiplier_design(self, width: int, values: Mapping[str, Value]) -> Design:
        """The multiplier in a design, with a modulus for each candidate."""
        return self.multiplier.design(width, self._inner(values))

    def _inner(self, values: Mapping[str, Value]) -> dict[str, Value]:
        names = {p.name for p in self.multiplier.parameters}
        theirs = {name: value for name, value in values.items() if name in names}
        return theirs | {"moduli": values["threads"]}

    def exponentiator(self, width: int, values: Mapping[str, Value]) -> Design:
        """The exponentiator inside."""
        names = ("method", "window", "threads", "memory")
        settings = {name: values[name] for name in names} | self._inner(values)
        return Exponentiator(self.multiplier).design(width, settings)

    def tester(self, width: int, values: Mapping[str, Value]) -> PrimeTester:
        """The tester's rules and cycles."""
        geometry = self.multiplier_design(width, values).geometry
        return PrimeTester(
            width,
            geometry.word_bits,
            geometry.beats,
            number(values, "primes"),
            number(values, "bases"),
            number(values, "random_bases"),
            number(values, "threads"),
        )

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The multiplier's and the tester's."""
        inner = self.multiplier.reasons(width, self._inner(values))
        return inner or self.tester(width, values).broken_rules()

    def worth_trying(self, width: int, values: Mapping[str, Value]) -> bool:
        """A window's bits matter to the method of that name alone."""
        default = self.parameter("window").default_for(width)
        return values["method"] == "window" or values["window"] == default

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes, and cycles of the test of a prime that is 3 modulo 4; its bits are a beat each.

        With several candidates the interval is estimated: the multiplier is busy all the time, or
        each candidate goes at its own pace.
        """
        exponent = self.exponentiator(width, values)
        unit, tester = exponent.family, self.tester(width, values)
        assert isinstance(unit, Exponentiator)
        mul = self.multiplier_design(width, values).geometry
        rounds = (
            *(Round(True, 0, 0) for _ in range(tester.bases)),
            *(Round(True, _DRAWS, 0) for _ in range(tester.random_bases)),
        )
        prime = (1 << width) - 1  # as long as can be; of its kind all take the same
        verdict = Verdict(True, Reason.PASSED, len(rounds), 1, rounds)
        threads = number(values, "threads")
        latency = tester.cycles(
            prime,
            verdict,
            lambda length: unit.job_cycles(width, exponent.values, length)[0],
            exponent.geometry.modulus_cycles,
        )
        busy = (
            len(rounds)
            * multiplications(str(values["method"]), width - 1, number(values, "window"))
            * mul.interval_cycles
        )
        return Geometry(
            word_bits=mul.word_bits,
            beats=mul.beats,
            r_bits=0,
            bound=1,
            slots=threads,
            moduli=1,
            latency_cycles=latency,
            interval_cycles=Fraction(latency)
            if threads == 1
            else max(busy, Fraction(latency, threads)),
            interval_estimated=threads > 1,
        )

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """The exponentiator's, the register that turns, trial division, and a base a candidate."""
        inside = self.exponentiator(width, values).terms(memory)
        threads = number(values, "threads")
        own = {
            "turning": float(width * threads),
            "trial": 11.0 * number(values, "primes"),
            "candidates": 40.0 * threads,
        }
        area = {f"exp: {name}": value for name, value in inside.lut.items()} | own
        registers = {f"exp: {name}": value for name, value in inside.ff.items()} | own
        return Terms(area, registers, inside.carry, inside.delay, inside.dsp, inside.bram)

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """Whether ``a`` is prime."""
        return int(is_prime(a))

    def rtl_parameters(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        """None: the top is written for the design."""
        return {}

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """Library files and the composed top."""
        extra = {
            "Threads": number(values, "threads"),
            "Method": METHODS[str(values["method"])],
            "Window": number(values, "window"),
            "Storage": MEMORIES.index(str(values["memory"])),
        }
        multiplier = self.multiplier_design(width, values)
        context = prime_bench.context(self.tester(width, values), multiplier, extra)
        return compose.sources(self.module, prime_bench.TEMPLATE, multiplier, context)
