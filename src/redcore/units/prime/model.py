# SPDX-License-Identifier: Apache-2.0
"""Prime tests: rules, cycle counts and integer model of ``rtl/redc_prime_tester.sv``.

``PrimeTester.verdict`` answers as the hardware does, for the same random bits; ``cycles`` counts
what the hardware takes, given what an exponentiation and the load of a modulus take.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cache, lru_cache
from math import isqrt, log, prod
from typing import Any

from redcore.design import Parameter, Value
from redcore.errors import BadInput

MAX_PRIMES = 256
"""Primes in the hardware's table, 2 among them."""
PRIME_BITS = 11
"""Bits of the largest one."""


class Reason(IntEnum):
    """Why a tester answered as it did; the numbers are those of ``redc_prime_pkg::reason_e``."""

    TRIAL = 0
    WITNESS = 1
    PASSED = 2
    RANGE = 3


@cache
def first_primes(count: int) -> tuple[int, ...]:
    """The first ``count`` primes."""
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found if prime * prime <= number):
            found.append(number)
        number += 1
    return tuple(found)


def fips_rounds(width: int) -> int:
    """Rounds with random bases for a random candidate of ``width`` bits, a generator's default.

    FIPS 186-5, table B.1, from 1024 bits; FIPS 186-4, table C.2 (an error below 2^-100) from 512.
    Below that what holds for the worst composite: 4^-40.
    """
    return next((rounds for bits, rounds in ((1536, 4), (1024, 5), (512, 7)) if width >= bits), 40)


@lru_cache
def odd_prime(number: int) -> bool:
    """Whether a number is an odd prime up to 2^20, as a generator's public exponent has to be."""
    divisors = range(3, isqrt(max(number, 0)) + 1, 2)
    return 3 <= number <= 1 << 20 and number % 2 == 1 and all(number % k for k in divisors)


def split(number: int) -> tuple[int, int]:
    """``(s, d)`` with ``number - 1 = 2^s d`` and d odd, for an odd number above 1."""
    twos = ((number - 1) & -(number - 1)).bit_length() - 1
    return twos, (number - 1) >> twos


@dataclass(frozen=True)
class Round:
    """One strong test: whether it is passed, the draws of its base, the squarings it took."""

    passed: bool
    draws: int
    squarings: int


def strong_test(number: int, base: int, draws: int = 0) -> Round:
    """The strong test of an odd number above 1 to a base below it."""
    twos, odd = split(number)
    value = pow(base, odd, number)
    if value in (1, number - 1):
        return Round(True, draws, 0)
    for squarings in range(1, twos):
        value = value * value % number
        if value == number - 1:
            return Round(True, draws, squarings)
        if value == 1:
            return Round(False, draws, squarings)
    return Round(False, draws, twos - 1)


@dataclass(frozen=True)
class Verdict:
    """The answer, and what it took: rounds in order, and steps of the walk through the list."""

    prime: bool
    reason: Reason
    passed: int
    steps: int
    rounds: tuple[Round, ...] = ()
    listed: bool = False
    """The base reached the number itself."""


@dataclass(frozen=True)
class OnWords(ABC):
    """A unit's parameters: fields named as those of the RTL, each in the style of its language."""

    width: int
    word_bits: int
    beats: int = 1

    @classmethod
    def among(cls, own: Iterable[Parameter], values: Mapping[str, Value]) -> dict[str, Any]:
        """Those of a unit's own parameters that are fields; a multiplier's may be named alike."""
        names = {field.name for field in fields(cls)}
        return {p.name: values[p.name] for p in own if p.name in names}

    @abstractmethod
    def broken_rules(self) -> list[str]:
        """Why the hardware refuses these parameters; empty where it does not."""

    def outside(self, **ranges: tuple[int, int]) -> list[str]:
        """What is not within its range."""
        return [
            f"{name}={value} is not within {least} to {most}"
            for name, (least, most) in ranges.items()
            if not least <= (value := getattr(self, name)) <= most
        ]

    def check(self) -> None:
        """Raise BadInput with every broken rule."""
        reasons = self.broken_rules()
        if reasons:
            raise BadInput("; ".join(reasons))

    def rtl_parameters(self) -> dict[str, int]:
        """The RTL's parameters that are set here, by name."""
        return {name.title().replace("_", ""): value for name, value in vars(self).items()}

    @property
    def bits(self) -> int:
        """Bits of a number in words, as of the registers that turn."""
        return self.word_bits * self.beats


@dataclass(frozen=True)
class PrimeTester(OnWords):
    """A tester's parameters, as those of the RTL; see there."""

    primes: int = 53
    bases: int = 20
    random_bases: int = 0
    threads: int = 1

    def broken_rules(self) -> list[str]:
        rules = {
            f"width={self.width} is not within 8 to word_bits={self.word_bits} * "
            f"beats={self.beats}": 8 <= self.width <= self.word_bits * self.beats,
            f"word_bits={self.word_bits} is below 2": self.word_bits >= 2,
            "there is no base at all; set bases or random_bases above 0": (
                self.bases + self.random_bases >= 1
            ),
        }
        return [reason for reason, holds in rules.items() if not holds] + self.outside(
            primes=(0, MAX_PRIMES - 1),
            bases=(0, MAX_PRIMES),
            random_bases=(0, 1024),
            threads=(1, 64),
        )

    def verdict(self, number: int, random_bits: Iterator[int] | None = None) -> Verdict:
        """What the hardware answers for a number of the registers' bits.

        ``random_bits`` are taken as the hardware takes them; of several threads that draw at once
        it depends on the times which one gets a bit.
        """
        if not 0 <= number < 1 << self.bits:
            raise BadInput(f"the candidate {number:#x} does not fit into {self.bits} bits")
        if number >> self.width:
            return Verdict(False, Reason.RANGE, 0, 1)
        listed = first_primes(max(self.primes, 1) + 1)
        small = number < 1 << PRIME_BITS
        steps = len(listed) if small else 1
        if number in listed:
            return Verdict(True, Reason.TRIAL, 0, listed.index(number) + 1)
        multiple = any(number % prime == 0 for prime in listed[1:] if self.primes)
        if number < 2 or number % 2 == 0 or multiple:
            return Verdict(False, Reason.TRIAL, 0, steps)
        rounds: list[Round] = []
        for base in first_primes(self.bases):
            if number <= base:
                return Verdict(True, Reason.TRIAL, len(rounds), steps, tuple(rounds), True)
            rounds.append(strong_test(number, base))
            if not rounds[-1].passed:
                return Verdict(False, Reason.WITNESS, len(rounds) - 1, steps, tuple(rounds))
        for _ in range(self.random_bases):
            base, draws = draw_base(number, random_bits or iter(()))
            rounds.append(strong_test(number, base, draws))
            if not rounds[-1].passed:
                return Verdict(False, Reason.WITNESS, len(rounds) - 1, steps, tuple(rounds))
        return Verdict(True, Reason.PASSED, len(rounds), steps, tuple(rounds))

    def cycles(
        self, number: int, verdict: Verdict, exponentiation: Callable[[int], int], load: int = 0
    ) -> int:
        """Cycles from the first accepted beat to the answer, alone in the tester, without stalls.

        ``exponentiation`` gives the cycles from the first operand beat to the last result beat for
        a length of the exponent in bits; ``load`` is how long the modulus or the operands behind it
        have to wait, in cycles.
        """
        total = self.beats + self.bits + verdict.steps + 4
        if verdict.reason is Reason.RANGE or not (verdict.rounds or verdict.listed):
            return total + 1  # its place in the queue is read again
        odd = split(number)[1]
        total += 2 * self.beats + load
        for count, entry in enumerate(verdict.rounds):
            total += 1 + (self.beats if count < self.bases else entry.draws * (self.bits + 2))
            # turn, the grant and the slice, back, compare and judge
            total += self.bits + 4 + exponentiation(odd.bit_length()) + self.bits
            total += entry.squarings * (4 + exponentiation(2) + self.bits)
        return total + verdict.listed


def draw_base(number: int, random_bits: Iterator[int]) -> tuple[int, int]:
    """A base within 2 to number - 2 and the draws it took, each of as many bits as the number has.

    Bits come from the top one down; a draw out of range is drawn again.
    """
    draws = 0
    while True:
        draws += 1
        base = 0
        for _ in range(number.bit_length()):
            base = base << 1 | next(random_bits)
        if 2 <= base <= number - 2:
            return base, draws


@dataclass(frozen=True)
class Search:
    """A generator's prime, and what it took."""

    prime: int
    count: int
    """Numbers looked at."""
    tested: int
    """Numbers that went to the strong tests."""
    cycles: int
    """From the request to the prime's first beat."""


@dataclass(frozen=True)
class Expectation:
    """What a search takes in the mean."""

    count: float
    """Numbers looked at."""
    tested: float
    """Numbers that go to the strong tests."""
    cycles: float
    """From the request to the prime's first beat."""


@dataclass(frozen=True)
class PrimeGenerator(OnWords):
    """A generator's parameters, as those of ``rtl/redc_prime_generator.sv``; see there.

    ``random_bases`` below 0 stands for the default of the width.
    """

    primes: int = 53
    bases: int = 0
    random_bases: int = -1
    public_exponent: int = 65537

    def __post_init__(self) -> None:
        if self.random_bases < 0:
            object.__setattr__(self, "random_bases", fips_rounds(self.width))

    @property
    def tester(self) -> PrimeTester:
        """The tester inside, which leaves trial division to the generator."""
        return PrimeTester(self.width, self.word_bits, self.beats, 0, self.bases, self.random_bases)

    @property
    def search_steps(self) -> int:
        """Steps of 2 from a drawn number on before another is drawn."""
        return 8 * self.width

    def broken_rules(self) -> list[str]:
        reasons = self.tester.broken_rules()
        if not 1 <= self.primes < MAX_PRIMES:
            reasons.append(f"primes={self.primes} is not within 1 to {MAX_PRIMES - 1}")
        elif self.width >= 8 and first_primes(self.primes + 1)[-1] >= 3 << (self.width - 2):
            reasons.append(
                f"primes={self.primes} reach 3 * 2^{self.width - 2}, where the search begins;"
                " set primes lower"
            )
        e = self.public_exponent
        if e and not odd_prime(e):
            reasons.append(f"public_exponent={e} is neither 0 nor an odd prime up to 2^20")
        return reasons

    def unfit(self, number: int) -> bool:
        """Whether the residues speak against a number."""
        if self.public_exponent and number % self.public_exponent == 1:
            return True
        return any(number % prime == 0 for prime in first_primes(self.primes + 1)[1:])

    def draw(self, random_bits: Iterator[int]) -> int:
        """The odd number where a search begins, its top two bits set."""
        number = 0
        for place in range(self.width - 1, -1, -1):
            fixed = place >= self.width - 2 or place == 0
            number = number << 1 | (1 if fixed else next(random_bits))
        return number

    def search(
        self,
        random_bits: Iterator[int],
        exponentiation: Callable[[int], int] = lambda length: 0,
        load: int = 0,
    ) -> Search:
        """What the hardware finds with these random bits; cycles as in ``PrimeTester.cycles``."""
        count = tested = 0
        cycles = 1
        while True:
            number = self.draw(random_bits)
            cycles += self.bits
            for _ in range(self.search_steps + 1):
                count += 1
                cycles += 4
                if not self.unfit(number):
                    cycles += self.bits
                    if number >> self.width:
                        break
                    tested += 1
                    verdict = self.tester.verdict(number, random_bits)
                    cycles += self.tester.cycles(number, verdict, exponentiation, load) + 2
                    if verdict.prime:
                        return Search(number, count, tested, cycles)
                number += 2

    def expected(self, exponentiation: Callable[[int], int], load: int = 0) -> Expectation:
        """The mean of ``search``, an estimate: primes as if each number were one by chance.

        Of the odd numbers around x one in ln(x) / 2 is prime; a prime is 1 modulo e once in e - 1
        times. Of few bits fewer numbers are looked at, as what trial division leaves lies more
        evenly than by chance; and draws that end beyond the width, which are left out, count.
        """
        e, trial = self.public_exponent, first_primes(self.primes + 1)[1:]
        count = log(7 << (self.width - 3)) / 2  # of the middle of the range
        left = prod(1 - 1 / prime for prime in trial)
        if e:
            count *= (e - 1) / (e - 2)
            left *= 1 - 1 / (e - 1 if e in trial else e)
        tested = max(1.0, count * left)
        # n - 1 = 2^s d with s = 2 is the mean of odd numbers.
        number = (1 << self.width) - 3
        # A composite falls at once and takes s - 1 squarings; a prime two thirds in the mean.
        witness = Verdict(False, Reason.WITNESS, 0, 1, (Round(False, 1, 1),))
        rounds = self.bases + self.random_bases
        passed = tuple(Round(True, 1, 2 * (k + 1) // 3 - 2 * k // 3) for k in range(rounds))
        prime = Verdict(True, Reason.PASSED, rounds, 1, passed)
        # 2^width over a number of the upper quarter is 4 ln(4/3) draws of a base in the mean.
        again = (4 * log(4 / 3) - 1) * (self.bits + 2)
        composite_cycles, prime_cycles = (
            self.tester.cycles(number, verdict, exponentiation, load) + drawn * again
            for verdict, drawn in ((witness, int(not self.bases)), (prime, self.random_bases))
        )
        cycles = 1 + self.bits + 4 * count + tested * (self.bits + 2)
        cycles += (tested - 1) * composite_cycles + prime_cycles
        return Expectation(count, tested, cycles)
