# SPDX-License-Identifier: Apache-2.0
"""Prime testers as designs that can be synthesized and searched (``rtl/redc_prime_tester.sv``).

The face is the tester's own and not the multiplier contract, so ``redcore run prime`` simulates it;
area, clock and the choice of its multiplier go the way of every other design. An operation is the
test of a prime, the longest there is: every base is tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from gmpy2 import is_prime

from redcore.families.base import (
    Design,
    Geometry,
    Memory,
    Parameter,
    Terms,
    Value,
    number,
)
from redcore.units import compose, prime_bench
from redcore.units.exp import (
    MEMORIES,
    METHOD_ON_ONE,
    METHODS_ON_ONE,
    PARAMETERS,
    Exponentiator,
    multiplications,
)
from redcore.units.other_face import OtherFace
from redcore.units.prime import PrimeTester, Reason, Round, Verdict

if TYPE_CHECKING:
    from redcore.report.face import Face

_SHARED = {p.name: p for p in PARAMETERS}
_OWN = (
    METHOD_ON_ONE,
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


class PrimeTesting(OtherFace):
    """The prime tester on one family of multipliers."""

    kind = "prime"
    operation = "prime test"
    title = "Prime tester"
    source = "Le Masle 2009, section 3.5"
    own = _OWN
    least_width = 8
    other_face = "redcore run prime"

    def held(self, values: Mapping[str, Value]) -> int:
        """One for each candidate."""
        return number(values, "threads")

    def exponentiator(self, width: int, values: Mapping[str, Value]) -> Design:
        """The exponentiator inside."""
        names = ("method", "window", "threads", "memory")
        settings = {name: values[name] for name in names} | self.inner(values)
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

    def rtl_settings(self, values: Mapping[str, Value]) -> dict[str, int]:
        """RTL parameters of the exponentiator inside, by name."""
        return {
            "Threads": number(values, "threads"),
            "Method": METHODS_ON_ONE[str(values["method"])],
            "Window": number(values, "window"),
            "Storage": MEMORIES.index(str(values["memory"])),
        }

    def bundle_face(self) -> type[Face]:
        """The tester's."""
        from redcore.report.prime_face import PrimeFace

        return PrimeFace

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The multiplier's and the tester's."""
        inner = self.multiplier.reasons(width, self.inner(values))
        return inner or self.tester(width, values).broken_rules()

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

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """Library files and the composed top."""
        multiplier = self.multiplier_design(width, values)
        context = prime_bench.context(
            self.tester(width, values), multiplier, self.rtl_settings(values)
        )
        return compose.sources(self.module, prime_bench.TEMPLATE, multiplier, context)
