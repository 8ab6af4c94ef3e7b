# SPDX-License-Identifier: Apache-2.0
"""Runs a unit's hardware, simulated, on the user's own numbers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from gmpy2 import is_prime, powmod

from redcore.errors import BadInput, CheckFailed
from redcore.families.base import Design, Value
from redcore.pem import RsaKey
from redcore.simulate import Simulator
from redcore.units import on, prime_bench, rsa_bench
from redcore.units.prime import PrimeGenerator, PrimeTester, Reason
from redcore.units.rsa import Command, Key, Rsa, RsaModel, Status, to_words

Progress = Callable[[int, int], None]

_POLL_SECONDS = 0.2
T = TypeVar("T")


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
    if length < max(1, exponent.bit_length()):
        raise BadInput(
            f"an exponent of {exponent.bit_length()} bits has more than the {length} to go through"
            f" (--bits); {max(1, exponent.bit_length())} at least are needed"
        )
    if length > longest:
        raise BadInput(
            f"an exponent of {exponent.bit_length()} bits with {length} to go through does not fit"
            f" exp_bits={longest}; set exp_bits to {length} or more"
        )
    with Simulator(design, seed) as core:
        core.set_exponent_bits(length)
        core.load_modulus(modulus)
        began, expected = core.cycle, design.geometry.latency_cycles * length // longest
        run = _watched(
            lambda: core.run([(base, exponent, 0)]),
            lambda: core.cycle - began,
            expected,
            progress,
        )
    if run.faults:
        raise CheckFailed(f"{design.label()}: {'; '.join(run.faults)}")
    right = design.product(base, exponent, modulus)
    if run.results != [right]:
        raise CheckFailed(
            f"{design.label()} gave {run.results[0]:#x} for {base:#x}^{exponent:#x} mod"
            f" {modulus:#x}; GMP says {right:#x}"
        )
    return UnitRun(right, run.answered[0] - run.accepted[0])


def _watched(
    work: Callable[[], T], cycles: Callable[[], int], expected: int, progress: Progress | None
) -> T:
    """The answer of ``work``, in a thread of its own, with its progress told meanwhile."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        job = pool.submit(work)
        while wait([job], timeout=_POLL_SECONDS).not_done:
            if progress:
                progress(min(cycles(), expected), expected)
        return job.result()


@dataclass(frozen=True)
class PrimeRun:
    """A tester's answer: whether the number is prime, why, the bases it passed, the cycles."""

    prime: bool
    reason: str
    bases_passed: int
    cycles: int


def check_prime(
    tester: PrimeTester,
    multiplier: Design,
    number: int,
    seed: int = 1,
    progress: Progress | None = None,
) -> PrimeRun:
    """The answer of a prime tester on ``multiplier`` to ``number``, held against its model.

    Random bases come from ``seed``. ``progress`` is called with cycles done and an estimate of
    cycles in all. Raises BadInput for illegal parameters or a number that does
    not fit, and CheckFailed where the hardware does not answer as its model.
    """
    tester.check()
    if number < 0 or number.bit_length() > tester.width:
        raise BadInput(f"p={number:#x} is not within 0 and {tester.width} bits")
    patience = 1000 * multiplier.geometry.latency_cycles * max(8, tester.width)
    expected = (tester.bases + tester.random_bases) * _power_cycles(multiplier, tester.width)
    with prime_bench.Bench(tester, prime_bench.library(tester, multiplier), seed) as bench:
        # A draw takes as many bits as the number has, and is repeated once in a while.
        wanted = 64 * tester.random_bases * max(8, number.bit_length())
        (answer,) = _watched(
            lambda: bench.run([number], random_bits=wanted, patience=patience),
            lambda: bench.cycles,
            expected,
            progress,
        )
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


def generate_prime(
    generator: PrimeGenerator,
    multiplier: Design,
    seed: int = 1,
    progress: Progress | None = None,
) -> GeneratedPrime:
    """A prime from a prime generator on ``multiplier``, its random bits from ``seed``.

    For looking at the hardware: ``seed`` is no source of secrets. ``progress`` is called with
    cycles done and an estimate of cycles in all. Raises BadInput for illegal parameters and
    CheckFailed where the hardware's prime is not its model's, or GMP says it is none.
    """
    generator.check()
    patience = 1000 * multiplier.geometry.latency_cycles * max(8, generator.width)
    library = prime_bench.library(generator, multiplier)
    with prime_bench.Bench(generator, library, seed) as bench:
        (found,) = _watched(
            lambda: bench.generate(1, random_bits=64 * 1024 * 8, patience=patience),
            lambda: bench.cycles,
            _search_cycles(generator, multiplier),
            progress,
        )
        search = generator.search(iter(bench.bits))
    if found.prime != search.prime or not is_prime(found.prime):
        raise CheckFailed(
            f"the generator on {multiplier.label()} gave {found.prime:#x}; its model"
            f" {search.prime:#x}"
        )
    return GeneratedPrime(found.prime, found.count, found.tested, found.cycles)


@dataclass(frozen=True)
class GeneratedKey:
    """A key, the cycles from the command to its answer, and how many random bits it took."""

    key: Key
    cycles: int
    random_bits: int


def generate_key(
    unit: Rsa, multiplier: Design, seed: int = 1, progress: Progress | None = None
) -> GeneratedKey:
    """An RSA key made by ``redc_rsa`` on ``multiplier``, its random bits from ``seed``.

    For looking at the hardware: ``seed`` is no source of secrets. ``progress`` is called with
    cycles done and an estimate of cycles in all, as nobody knows how many numbers will be tested.
    Raises BadInput for illegal parameters and CheckFailed where the key is not that of the model,
    or GMP says that its primes are none.
    """
    expected = 2 * _search_cycles(unit.generator, multiplier, unit.method, unit.window)
    library = rsa_bench.library(unit, multiplier)
    with rsa_bench.Bench(unit, library, seed) as bench:
        answer = _watched(bench.generate, lambda: bench.cycles, expected, progress)
        if answer.status is not Status.OK:
            raise CheckFailed(f"the key generator answered {answer.status.name}")
        key = bench.read_key()
    model = RsaModel(unit)
    status, _ = model.run(Command.GENERATE, [], iter(answer.bits))
    if status is not Status.OK or model.key != key:
        raise CheckFailed(f"the hardware made the key {key}; its model {model.key}")
    if not is_prime(key.p) or not is_prime(key.q):
        raise CheckFailed(f"the key {key} is not of two primes")
    return GeneratedKey(key, answer.cycles, len(answer.bits))


def rsa_operation(
    unit: Rsa,
    multiplier: Design,
    key: RsaKey,
    command: Command,
    number: int,
    seed: int = 1,
    progress: Progress | None = None,
) -> UnitRun:
    """``number`` to the power of e or d by ``redc_rsa`` on ``multiplier``, checked against GMP.

    ``command`` is PUBLIC, PRIVATE or PRIVATE_CRT; ``seed`` decides the random bits of the blinding.
    The cycles are those of the operation, without loading the key. Raises BadInput for a number
    not below n or a key without what is asked for, and CheckFailed where the hardware errs.
    """
    if not 0 <= number < key.n:
        raise BadInput(f"{number:#x} is not within 0 and the key's modulus {key.n:#x}")
    if command is not Command.PUBLIC and not key.private:
        raise BadInput("the key is a public one; x^d needs a private key")
    public = command is Command.PUBLIC
    bits = key.e.bit_length() if public else unit.width + unit.blinding
    if command is Command.PRIVATE_CRT:
        bits = unit.width // 2 + unit.blinding
    expected = _power_cycles(multiplier, bits, unit.method, unit.window)
    with rsa_bench.Bench(unit, rsa_bench.library(unit, multiplier), seed) as bench:
        if public:
            loaded = bench.load_public(key.n, key.e)
        else:
            d, p, q = key.d, key.p, key.q
            crt = (d % (p - 1), d % (q - 1), pow(q, -1, p))
            loaded = bench.load_key(Key(key.n, key.e, d, p, q, *crt))
        if loaded.status is not Status.OK:
            raise CheckFailed(f"loading the key was answered with {loaded.status.name}")
        words = to_words(number, unit.full_words)
        answer = _watched(
            lambda: bench.command(command, words), lambda: bench.cycles, expected, progress
        )
    right = int(powmod(number, key.e if public else key.d, key.n))
    if answer.status is not Status.OK or answer.number != right:
        raise CheckFailed(
            f"redc_rsa on {multiplier.label()} answered {answer.status.name} {answer.number:#x};"
            f" GMP says {right:#x}"
        )
    return UnitRun(right, answer.cycles)


def _search_cycles(
    generator: PrimeGenerator, multiplier: Design, method: str = "rtl", window: int = 4
) -> int:
    """About the cycles until a prime is found."""
    power = cache(lambda bits: _power_cycles(multiplier, bits, method, window))
    return int(generator.expected(power).cycles)


def _power_cycles(multiplier: Design, bits: int, method: str = "rtl", window: int = 4) -> int:
    """About the cycles of a power with an exponent of so many bits."""
    settings: dict[str, Value] = {"method": method, "window": window, "exp_bits": max(1, bits)}
    design = on("exp", multiplier.family.name).design(
        multiplier.width, {**multiplier.values, **settings}
    )
    return design.geometry.latency_cycles
