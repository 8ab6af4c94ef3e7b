# SPDX-License-Identifier: Apache-2.0
"""Runs a unit's hardware, simulated, on the user's own numbers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

from gmpy2 import is_prime

from redcore.errors import BadInput, CheckFailed
from redcore.families.base import Design
from redcore.simulate import Simulator
from redcore.units import prime_bench
from redcore.units.prime import PrimeGenerator, PrimeTester, Reason

Progress = Callable[[int, int], None]

_POLL_SECONDS = 0.2


@dataclass(frozen=True)
class UnitRun:
    """What the hardware answered, and the clock cycles from the first operand beat to the last
    result beat."""

    result: int
    cycles: int


def exponentiate(
    design: Design,
    base: int,
    exponent: int,
    modulus: int,
    bits: int | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> UnitRun:
    """``base ** exponent mod modulus`` by an exponentiator, checked against GMP.

    ``bits``: how many bits of the exponent the hardware goes through; by default as many as the
    exponent has. ``progress`` is called with (cycles done, cycles in all). Raises BadInput for
    numbers that the design does not take and CheckFailed where the hardware errs.
    """
    longest = int(design.values["exp_bits"])
    if base < 0 or base >= modulus:
        raise BadInput(f"x={base:#x} must be at least 0 and below the modulus m={modulus:#x}")
    if exponent < 0:
        raise BadInput(f"e={exponent} must not be below zero")
    length = max(1, exponent.bit_length()) if bits is None else bits
    if exponent.bit_length() > min(length, longest) or not 1 <= length <= longest:
        raise BadInput(
            f"an exponent of {exponent.bit_length()} bits with {length} to go through does not fit"
            f" exp_bits={longest}; set exp_bits to {max(length, exponent.bit_length())} or more"
        )
    with Simulator(design, seed) as core, ThreadPoolExecutor(max_workers=1) as pool:
        core.set_exponent_bits(length)
        core.load_modulus(modulus)
        began, expected = core.cycle, design.geometry.latency_cycles * length // longest
        job = pool.submit(core.run, [(base, exponent, 0)])
        while wait([job], timeout=_POLL_SECONDS).not_done:
            if progress:
                progress(min(core.cycle - began, expected), expected)
        run = job.result()
    if run.faults:
        raise CheckFailed(f"{design.label()}: {'; '.join(run.faults)}")
    right = design.product(base, exponent, modulus)
    if run.results != [right]:
        raise CheckFailed(
            f"{design.label()} gave {run.results[0]:#x} for {base:#x}^{exponent:#x} mod"
            f" {modulus:#x}; GMP says {right:#x}"
        )
    return UnitRun(right, run.answered[0] - run.accepted[0])


@dataclass(frozen=True)
class PrimeRun:
    """A tester's answer: whether the number is prime, why, the bases it passed, the cycles."""

    prime: bool
    reason: str
    bases_passed: int
    cycles: int


def check_prime(tester: PrimeTester, multiplier: Design, number: int, seed: int = 1) -> PrimeRun:
    """The answer of a prime tester on ``multiplier`` to ``number``, held against its model.

    Random bases come from ``seed``. Raises BadInput for illegal parameters or a number that does
    not fit, and CheckFailed where the hardware does not answer as its model.
    """
    tester.check()
    if number < 0 or number.bit_length() > tester.width:
        raise BadInput(f"p={number:#x} is not within 0 and {tester.width} bits")
    patience = 1000 * multiplier.geometry.latency_cycles * max(8, tester.width)
    with prime_bench.Bench(tester, prime_bench.library(tester, multiplier), seed) as bench:
        # A draw takes as many bits as the number has, and is repeated once in a while.
        wanted = 64 * tester.random_bases * max(8, number.bit_length())
        (answer,) = bench.run([number], random_bits=wanted, patience=patience)
        verdict = tester.verdict(number, iter(bench.bits))
    if answer.prime != verdict.prime or answer.reason != verdict.reason:
        raise CheckFailed(
            f"the tester on {multiplier.label()} answered {answer} for {number:#x}; its model says"
            f" {verdict}"
        )
    if is_prime(number) and not answer.prime:
        raise CheckFailed(f"{number:#x} is prime; the tester said it is not")
    reason = Reason(answer.reason).name.lower()
    return PrimeRun(answer.prime, reason, answer.passed, answer.cycles)


@dataclass(frozen=True)
class GeneratedPrime:
    """A prime, how many numbers were looked at and strongly tested for it, and the cycles."""

    prime: int
    looked_at: int
    tested: int
    cycles: int


def generate_prime(generator: PrimeGenerator, multiplier: Design, seed: int = 1) -> GeneratedPrime:
    """A prime from a prime generator on ``multiplier``, its random bits from ``seed``.

    For looking at the hardware: ``seed`` is no source of secrets. Raises BadInput for illegal
    parameters and CheckFailed where the hardware's prime is not its model's, or GMP says it is
    none.
    """
    generator.check()
    patience = 1000 * multiplier.geometry.latency_cycles * max(8, generator.width)
    library = prime_bench.library(generator, multiplier)
    with prime_bench.Bench(generator, library, seed) as bench:
        (found,) = bench.generate(1, random_bits=64 * 1024 * 8, patience=patience)
        search = generator.search(iter(bench.bits))
    if found.prime != search.prime or not is_prime(found.prime):
        raise CheckFailed(
            f"the generator on {multiplier.label()} gave {found.prime:#x}; its model"
            f" {search.prime:#x}"
        )
    return GeneratedPrime(found.prime, found.count, found.tested, found.cycles)
