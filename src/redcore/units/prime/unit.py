# SPDX-License-Identifier: Apache-2.0
"""What prime testers and prime generators have in common as designs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from math import log2
from pathlib import Path
from typing import Generic, TypeVar

from redcore.design import Design, Memory, Parameter, Terms, Value, number
from redcore.units.base import OtherFace, on
from redcore.units.exp.family import METHOD_ON_ONE, PARAMETERS, Exponentiator
from redcore.units.prime import bench as prime_bench
from redcore.units.prime.model import PrimeGenerator, PrimeTester

Modelled = TypeVar("Modelled", PrimeTester, PrimeGenerator)
_SHARED = {p.name: p for p in PARAMETERS}
METHOD, WINDOW, THREADS, MEMORY = (
    METHOD_ON_ONE,
    _SHARED["window"],
    _SHARED["threads"],
    _SHARED["memory"],
)
"""Parameters of the exponentiator inside."""


class PrimeUnit(OtherFace, Generic[Modelled]):
    """A unit of strong tests on one family of multipliers."""

    source = "Le Masle 2009, section 3.5"
    least_width = 8
    model: type[Modelled]

    def unit(self, width: int, values: Mapping[str, Value]) -> Modelled:
        """The unit's rules and cycles."""
        geometry = self.multiplier_design(width, values).geometry
        own = self.model.among(self.own, values)
        return self.model(width, geometry.word_bits, geometry.beats, **own)

    def held(self, values: Mapping[str, Value]) -> int:
        """One for each candidate that is tested at once."""
        return number(values, "threads") if "threads" in values else 1

    def exponentiator(self, width: int, values: Mapping[str, Value]) -> Design:
        settings = {name: values[name] for name in ("method", "window", "memory")}
        settings |= {"threads": self.held(values)} | self.inner(values)
        return on(Exponentiator, self.multiplier.name).design(width, settings)

    def power_cycles(self, width: int, values: Mapping[str, Value]) -> Callable[[int], int]:
        """Cycles of an exponentiation, alone, by the bits of its exponent."""
        exponent = self.exponentiator(width, values)
        unit = exponent.family
        assert isinstance(unit, Exponentiator)
        return cache(lambda bits: unit.job_cycles(width, exponent.values, bits)[0])

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The multiplier's and the unit's."""
        inner = self.multiplier.reasons(width, self.inner(values))
        return inner or self.unit(width, values).broken_rules()

    def own_terms(self, width: int, values: Mapping[str, Value]) -> dict[str, float]:
        """The register that turns, the residues of the trial division, and a base a candidate."""
        candidates = self.held(values)
        return {
            "each": 1.0,
            "turning": float(width * candidates),
            "trial": 11.0 * number(values, "primes"),
            "candidates": 40.0 * candidates,
        }

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        own = self.own_terms(width, values)
        carry = {
            "each": 1.0,
            "primes": float(number(values, "primes")),
            "candidates": float(self.held(values)),
        }
        return Terms(own, own, carry, {"each": 1.0, "spread": log2(width)})

    def simulation(self, width: int, values: Mapping[str, Value]) -> Path:
        """The compiled simulation of a design, for ``prime_bench.PrimeBench``."""
        # Of a number, or the search for one, and some of them for a bundle.
        cycles = 8 * self.geometry(width, values).latency_cycles
        exponentiator = self.exponentiator(width, values)
        return prime_bench.library(self.unit(width, values), exponentiator, cycles=cycles)

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """Library files, the exponentiator's top, and the composed one."""
        exponentiator = self.exponentiator(width, values)
        return prime_bench.sources(self.unit(width, values), exponentiator, self.module)


def trial_primes(default: int | Callable[[int], Value], least: int) -> Parameter:
    """How many odd primes the trial division has."""
    return Parameter(
        "primes", "Primes", "odd primes of trial division", default, least, maximum=255, grid=()
    )


def first_bases(default: int) -> Parameter:
    """How many of the first primes are bases."""
    return Parameter("bases", "Bases", "first primes as bases", default, maximum=256, grid=())


def random_bases(default: int | Callable[[int], Value]) -> Parameter:
    """How many random bases there are."""
    return Parameter("random_bases", "RandomBases", "random bases", default, maximum=1024, grid=())
