# SPDX-License-Identifier: Apache-2.0
"""Prime generators as designs that can be synthesized and searched (``redc_prime_generator``).

The face is the generator's own, so ``redcore run prime-gen`` simulates it. An operation is the
search for a prime. No two take the same time: the cycles are those of a search in the mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from gmpy2 import next_prime

from redcore.design import Geometry, Parameter, Value, number
from redcore.units.prime.model import PrimeGenerator, fips_rounds
from redcore.units.prime.unit import (
    MEMORY,
    METHOD,
    WINDOW,
    PrimeUnit,
    first_bases,
    random_bases,
    trial_primes,
)


def _most_trial_primes(width: int) -> int:
    """53; of 8 bits those that are below every number that is looked at."""
    return 42 if width == 8 else 53


class PrimeGeneratorUnit(PrimeUnit[PrimeGenerator]):
    """The prime generator on one family of multipliers."""

    kind = "prime-gen"
    operation = "prime search"
    title = "Prime generator"
    own = (
        METHOD,
        WINDOW,
        MEMORY,
        trial_primes(_most_trial_primes, least=1),
        first_bases(0),
        replace(random_bases(fips_rounds), doc="random bases; as FIPS 186-5 has them by default"),
        Parameter(
            "public_exponent",
            "PublicExponent",
            "an odd prime that does not divide p - 1; 0: none",
            default=65537,
            maximum=1 << 20,
            grid=(),
        ),
    )
    compared = ("primes",)
    model = PrimeGenerator

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes, and the cycles of a search in the mean: an estimate."""
        mul = self.multiplier_design(width, values).geometry
        load = self.exponentiator(width, values).geometry.modulus_cycles
        search = self.unit(width, values).expected(self.power_cycles(width, values), load)
        latency = round(search.cycles) + mul.beats - 1
        return Geometry(
            word_bits=mul.word_bits,
            beats=mul.beats,
            latency_cycles=latency,
            interval_cycles=Fraction(latency + 1),
            interval_estimated=True,
        )

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Trial primes, and no exponent or the usual one."""
        return super().levels(width) | {"public_exponent": (0, 65537)}

    def own_terms(self, width: int, values: Mapping[str, Value]) -> dict[str, float]:
        """The tester's, the number where the search began, and what keeps e from p - 1."""
        exponent = number(values, "public_exponent")
        return super().own_terms(width, values) | {
            "number": float(width),
            "exponent": 3.0 * exponent.bit_length(),
        }

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """The prime of a search that begins at the odd number ``a``."""
        generator, found = self.unit(width, values), int(next_prime(a - 1))
        while generator.unfit(found):
            found = int(next_prime(found))
        return found
