# SPDX-License-Identifier: Apache-2.0
"""What the bundles of prime testers and prime generators have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import gcd

from gmpy2 import is_strong_prp

from redcore.design import Design, ceil_div
from redcore.face import Face, counted
from redcore.moduli import NamedModulus
from redcore.ports import Port, random_ports
from redcore.units.prime.copies import SeveralPrime
from redcore.units.prime.model import PrimeGenerator, PrimeTester, first_primes
from redcore.units.prime.unit import PrimeUnit

CYCLES = 4_000_000
"""What a pass of the bench may take, about, in clock cycles."""


@dataclass(frozen=True)
class Timed:
    """What comes at the earliest and at the latest so many cycles after its request."""

    least: int
    most: int

    def out_of_time(self, what: str, cycles: int) -> str:
        """A sentence where it came too early or too late, and nothing otherwise."""
        if self.least <= cycles <= self.most:
            return ""
        return f"{what} took {cycles} cycles, which is not within {self.least} and {self.most}"


class PrimeUnitFace(Face):
    """A unit of strong tests: the times of what it waits for."""

    constant_time = None

    def __init__(self, design: Design, modulus: NamedModulus | None, seed: int) -> None:
        super().__init__(design, modulus, seed)
        family = design.family
        assert isinstance(family, PrimeUnit | SeveralPrime)
        self.family = family

    @cached_property
    def multiplier(self) -> Design:
        """The multiplier beside the unit."""
        return self.family.multiplier_design(self.design.width, self.design.values)

    @cached_property
    def power_cycles(self) -> Callable[[int], int]:
        """Cycles of an exponentiation by the bits of its exponent."""
        return self.family.power_cycles(self.design.width, self.design.values)

    @cached_property
    def modulus_cycles(self) -> int:
        """What the load of a modulus makes wait, at most.

        R^2 and what the multiplier derives, which it may take a multiplication's time for unsaid.
        """
        exponent = self.family.exponentiator(self.design.width, self.design.values)
        return exponent.geometry.modulus_cycles + self.multiplier.geometry.latency_cycles

    @property
    def hex_digits(self) -> int:
        """Digits of a number in the vectors."""
        geometry = self.design.geometry
        return ceil_div(geometry.word_bits * geometry.beats, 4)

    def waits(self, powers: int) -> int:
        """At most, for so many exponentiations: one may begin in step with the multiplier only."""
        return powers * self.multiplier.pace().every

    @staticmethod
    def random_ports(taken: str) -> list[Port]:
        """The stream of random bits; ``taken`` says what for."""
        return random_ports(1, f"A random bit is offered; {taken}.")


def bases_of(unit: PrimeTester | PrimeGenerator) -> str:
    """The bases of a unit's strong tests, for people."""
    first = [f"the first {counted(unit.bases, 'prime')}"] if unit.bases else []
    drawn = [counted(unit.random_bases, "random number")] if unit.random_bases else []
    return " and ".join(first + drawn)


def passes_first_primes(candidate: int, bases: int) -> bool:
    """Whether a number passes the strong tests to so many first primes, by GMP."""
    return all(
        gcd(candidate, base) == 1 and is_strong_prp(candidate, base) for base in first_primes(bases)
    )
