# SPDX-License-Identifier: Apache-2.0
"""Prime tester and prime generator on the user's own numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gmpy2 import is_prime

from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.progress import Counted
from redcore.units.prime import bench as prime_bench
from redcore.units.prime.copies import SeveralPrime
from redcore.units.prime.generator import PrimeGeneratorUnit
from redcore.units.prime.model import PrimeGenerator, PrimeTester, Reason
from redcore.units.prime.tester import PrimeTesterUnit
from redcore.units.prime.unit import Modelled, PrimeUnit
from redcore.units.random_bits import taken
from redcore.units.running import Option, Ran, RunCommand, telling


@dataclass(frozen=True)
class PrimeRun:
    """A tester's answer: whether the number is prime, why, the bases it passed, the cycles."""

    prime: bool
    reason: str
    bases_passed: int
    cycles: int


def check_prime(
    design: Design,
    number: int,
    seed: int = 1,
    progress: Counted | None = None,
) -> PrimeRun:
    """The answer of a prime tester to ``number``, held against its model.

    Random bases come from ``seed``. ``progress`` is called with cycles done and an estimate of
    cycles in all. Raises BadInput for a design of something else or a number that does not fit,
    and CheckFailed where the hardware does not answer as its model.
    """
    tester, family = _unit(design, PrimeTester, "prime tester; take one as prime-csa")
    if number < 0 or number.bit_length() > tester.width:
        raise BadInput(f"p={number:#x} is not within 0 and {tester.width} bits")
    width, values = design.width, design.values
    patience = 1000 * family.multiplier_design(width, values).geometry.latency_cycles * width
    with prime_bench.PrimeBench(tester, family.simulation(width, values), seed) as bench:
        # A draw takes as many bits as the number has, and is repeated once in a while.
        wanted = 64 * tester.random_bases * max(8, number.bit_length())
        expected = design.geometry.latency_cycles
        tell = telling(lambda: bench.cycles, expected, progress)
        (answer,) = bench.run([number], random_bits=wanted, patience=patience, tell=tell)
        verdict = tester.verdict(number, taken(bench.bits))
    if answer.prime != verdict.prime or answer.reason != verdict.reason:
        raise CheckFailed(
            f"{design.label()} answered {answer} for {number:#x}; its model says {verdict}"
        )
    if is_prime(number) and not answer.prime:
        raise CheckFailed(f"{number:#x} is prime; the tester said it is not")
    reason = Reason(answer.reason).name.lower()
    return PrimeRun(answer.prime, reason, answer.passed, answer.cycles)


def _unit(
    design: Design, model: type[Modelled], wanted: str
) -> tuple[Modelled, PrimeUnit[Any] | SeveralPrime]:
    """Rules and family of a unit of that kind, or of several; BadInput otherwise."""
    family = design.family
    if isinstance(family, PrimeUnit | SeveralPrime):
        unit = family.unit(design.width, design.values)
        if isinstance(unit, model):
            return unit, family
    raise BadInput(f"{family.name} is no {wanted}")


@dataclass(frozen=True)
class GeneratedPrime:
    """A prime, how many numbers were looked at and strongly tested for it, and the cycles."""

    prime: int
    looked_at: int
    tested: int
    cycles: int


def generate_prime(
    design: Design,
    seed: int = 1,
    progress: Counted | None = None,
) -> GeneratedPrime:
    """A prime from a prime generator, its random bits from ``seed``.

    For looking at the hardware: ``seed`` is no source of secrets. ``progress`` is called with
    cycles done and an estimate of cycles in all. Raises BadInput for a design of something else and
    CheckFailed where the hardware's prime is not its model's, or GMP says it is none.
    """
    wanted = "prime generator; take one as prime-gen-csa"
    generator, family = _unit(design, PrimeGenerator, wanted)
    width, values = design.width, design.values
    patience = 1000 * family.multiplier_design(width, values).geometry.latency_cycles * width
    with prime_bench.PrimeBench(generator, family.simulation(width, values), seed) as bench:
        tell = telling(lambda: bench.cycles, design.geometry.latency_cycles, progress)
        (found,) = bench.generate(1, random_bits=64 * 1024 * 8, patience=patience, tell=tell)
        search = generator.search(taken(bench.bits))
    if found.prime != search.prime or not is_prime(found.prime):
        raise CheckFailed(f"{design.label()} gave {found.prime:#x}; its model {search.prime:#x}")
    return GeneratedPrime(found.prime, found.count, found.tested, found.cycles)


@dataclass(frozen=True)
class _Test(RunCommand):
    """``redcore run prime``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        done = check_prime(design, numbers["p"], seed, progress)
        answer = {
            "p": hex(numbers["p"]),
            "prime": done.prime,
            "result": done.prime,
            "reason": done.reason,
            "bases_passed": done.bases_passed,
        }
        return Ran(done.cycles, answer)


@dataclass(frozen=True)
class _Generate(RunCommand):
    """``redcore run prime-gen``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        done = generate_prime(design, seed, progress)
        answer = {
            "seed": seed,
            "result": hex(done.prime),
            "looked_at": done.looked_at,
            "tested": done.tested,
        }
        return Ran(done.cycles, answer)


COMMANDS = (
    _Test(
        "prime",
        PrimeTesterUnit,
        "Is P prime? By the prime tester on a multiplier, held against its model and GMP.",
        "testing",
        "Makes the random bases, and decides placement for --target.",
        "Bits of the longest number that can be tested.",
        as_wide_as="p",
        numbers=(Option("p", "--p", "The number to test.", "P", required=True),),
        settings=dict.fromkeys(("primes", "bases", "random_bases"), ""),
        shown=("primes", "bases", "random_bases"),
    ),
    _Generate(
        "prime-gen",
        PrimeGeneratorUnit,
        "A prime of WIDTH bits by the prime generator. The seed makes it repeatable, not secret.",
        "searching",
        "Makes the random bits that the prime follows from; placement for --target, too.",
        "Bits of the prime.",
        settings={"primes": "", "random_bases": "", "public_exponent": "--e"},
        shown=("primes", "random_bases", "public_exponent"),
    ),
)
