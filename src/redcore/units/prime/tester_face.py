# SPDX-License-Identifier: Apache-2.0
"""A prime tester in a bundle: candidates with known answers, and the cycles of each."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from gmpy2 import iroot, is_prime, next_prime

from redcore.errors import CheckFailed
from redcore.face import CHECK_STAGE, counted
from redcore.ports import CLOCK_AND_RESET, Port
from redcore.progress import Staged
from redcore.units.prime.bench import Answer, PrimeBench
from redcore.units.prime.model import PRIME_BITS, PrimeTester, Reason, Verdict, first_primes
from redcore.units.prime.unit_face import (
    CYCLES,
    PrimeUnitFace,
    Timed,
    bases_of,
    passes_first_primes,
)
from redcore.units.random_bits import RandomBits

_MOST = 96
_SPECIAL = 4
"""The first of those that the strong tests decide, which are always there."""
_BASE_BITS = 16
# Those below 10^4, and some larger ones.
_CARMICHAEL = (561, 1105, 1729, 2465, 2821, 6601, 8911, 825265, 321197185, 9746347772161)
# Jaeschke 1993: the least composites that pass for the first 1, 2, ... primes.
_PSEUDOPRIMES = (2047, 1373653, 25326001, 3215031751, 2152302898747, 3474749660383)


@dataclass(frozen=True)
class Vector(Timed):
    """A candidate, its answer, and the cycles between which that comes, alone in the tester."""

    number: int
    verdict: Verdict
    drawn: bool
    """A random base tells that it is composite: which one does may differ."""


class PrimeTesterFace(PrimeUnitFace):
    """Ports, bench and check of a prime tester."""

    bench_template = "prime_testbench.sv.j2"

    @cached_property
    def tester(self) -> PrimeTester:
        """The rules and the model."""
        tester = self.family.unit(self.design.width, self.design.values)
        assert isinstance(tester, PrimeTester)
        return tester

    def _vector(self, candidate: int, bits: Iterator[int]) -> Vector:
        """A candidate's answer by the model, agreed with GMP; raises CheckFailed otherwise."""
        tester = self.tester
        verdict = tester.verdict(candidate, bits)
        prime = bool(is_prime(candidate)) and verdict.reason is not Reason.RANGE
        if verdict.prime != prime and (prime or not self._passes(candidate, verdict)):
            raise CheckFailed(
                f"the model of {self.design.label()} disagrees with GMP on {candidate:#x}"
            )
        jobs = len(verdict.rounds) + sum(entry.squarings for entry in verdict.rounds)
        return Vector(
            tester.cycles(candidate, verdict, self.power_cycles),
            tester.cycles(candidate, verdict, self.power_cycles, self.modulus_cycles)
            + self.waits(jobs),
            candidate,
            verdict,
            drawn=not prime and len(verdict.rounds) > tester.bases,
        )

    def _passes(self, candidate: int, verdict: Verdict) -> bool:
        """Whether a composite passes for all first primes, by GMP, so that it may be let through.

        Random bases let through what is drawn with luck; nobody but the model knows them.
        """
        passed = verdict.reason is Reason.PASSED
        return passed and passes_first_primes(candidate, self.tester.bases)

    # ---- candidates -----------------------------------------------------------------------------

    def _affordable(self, count: int, candidate: Callable[[int], int]) -> int:
        """The most bits, by halves, of which so many candidates take half a pass of the bench."""
        bits = self.design.width
        while bits > 16:
            vector = self._vector(candidate(bits), RandomBits.seeded(self.seed))
            if count * vector.most <= CYCLES // 2:
                break
            bits //= 2
        return bits

    @cached_property
    def prime_bits(self) -> int:
        """Bits of the longest prime that is tested: less than the width where that takes long."""
        return self._affordable(2, _longest_prime)

    @cached_property
    def composite_bits(self) -> int:
        """The same for composites, which a base or two tell."""
        return self._affordable(4, lambda bits: _longest_prime(bits // 2) ** 2)

    def _decided_early(self) -> list[int]:
        """What needs no strong test, or is near to that: all of it is cheap at any width."""
        width, bits = self.design.width, self.tester.bits
        top, small = 1 << width, 1 << PRIME_BITS
        listed = first_primes(max(self.tester.primes, 1) + 1)[-1]
        base = first_primes(max(self.tester.bases, 1))[-1]
        found = [0, 1, 2, 3, 4, 5, 6, 9, listed, listed * 3, base, base * base]
        found += [top - 2, top >> 1, (top - 1) // 3 * 3, (top - 1) // 15 * 15]
        found += [small - 1, small, small + 1, small + 5]
        found = [candidate for candidate in found if candidate < top]
        if bits > width:
            found += [top, top | 3, (1 << bits) - 1]
        return found

    def _strongly_tested(self, draw: random.Random) -> Iterator[int]:
        """Numbers that the strong tests decide: special ones, then random ones without end."""
        width, primes, composites = self.design.width, self.prime_bits, self.composite_bits
        yield _longest_prime(primes)
        yield _prime_with_many_twos(primes)
        half = _prime_of(max(3, composites // 2), draw)
        # However long that takes, one composite has all the bits there are.
        yield _longest_prime(width // 2) * _prime_of(width // 2, draw)
        yield half * half
        known = (_chernick(composites), *_CARMICHAEL, *_PSEUDOPRIMES)
        yield from (n for n in known if n >> width == 0)
        while True:
            yield _prime_of(draw.randint(4, primes), draw)
            yield _prime_of(draw.randint(3, max(3, composites // 2)), draw) * half
            yield draw.getrandbits(composites) | 1

    @cached_property
    def vectors(self) -> list[Vector]:
        """What the bench tests: as many as a pass affords, and the special ones in any case."""
        bits = RandomBits.seeded(self.seed)
        draw = random.Random(f"{self.seed}/{self.design.label()}")
        found = [self._vector(candidate, bits) for candidate in self._decided_early()]
        spent = 0
        for place, candidate in enumerate(self._strongly_tested(draw)):
            before = bits.state
            vector = self._vector(candidate, bits)
            if vector.drawn and vector.verdict.prime:
                bits.state = before  # let through by luck, which another order would not have
                continue
            spent += vector.most
            if place >= _SPECIAL and (spent > CYCLES or len(found) >= _MOST):
                bits.state = before
                break
            found.append(vector)
        return found

    # ---- what a bundle asks for -----------------------------------------------------------------

    @property
    def ports(self) -> list[Port]:
        word = self.design.geometry.word_bits
        return [
            *CLOCK_AND_RESET,
            Port("in_valid_i", 0, "A word of a candidate is offered."),
            Port("in_ready_o", 0, "It is taken at the end of this cycle."),
            Port("in_data_i", word, "The word, least significant first."),
            Port("in_last_i", 0, "It is the candidate's last word."),
            *self.random_ports("none is taken without random bases"),
            Port("out_valid_o", 0, "An answer is offered, in the order of the candidates."),
            Port("out_ready_i", 0, "It is taken at the end of this cycle."),
            Port("out_prime_o", 0, "The candidate is prime."),
            Port(
                "out_reason_o",
                2,
                "Why: 0 trial division, 1 a base, 2 it passed all bases, 3 it has too many bits.",
            ),
            Port("out_base_o", _BASE_BITS, "How many strong tests it passed."),
            Port("err_o", 0, "Sticky: the multiplier's err_o."),
        ]

    @property
    def header(self) -> list[str]:
        g = self.design.geometry
        return [
            f"Contract  candidates of {counted(g.beats, 'word')} of {g.word_bits} bits in, least "
            "significant first; an",
            "          answer for each, in order. Random bits one a beat, for random bases alone.",
            f"Timing    at most {g.latency_cycles} cycles for a prime of {self.design.width} bits "
            "that is 3 modulo 4.",
            "Leakage   cycles depend on the candidates. Registers keep them until overwritten.",
        ]

    @property
    def summary(self) -> list[str]:
        """What it does, how sure an answer is."""
        tester, g = self.tester, self.design.geometry
        trial = f"trial division by the first {tester.primes} odd primes, then " * bool(
            tester.primes
        )
        let = [v for v in self.vectors if v.verdict.prime and not is_prime(v.number)]
        return [
            f"Whether a number of at most {tester.width} bits is prime: {trial}strong tests with "
            f"{bases_of(tester)} as bases.",
            f"Candidates travel as {counted(g.beats, 'word')} of {g.word_bits} bits; {g.slots} "
            f"{'is' if g.slots == 1 else 'are'} tested at once, and answers come in order.",
            "A prime is always answered as one. So is a composite that passes every strong test: "
            "there is none below 2^64 for the first 12 primes as bases, and each random base lets "
            "at most a quarter of the draws pass.",
            *(
                [
                    f"Among the numbers checked, {len(let)} such: "
                    f"{', '.join(str(vector.number) for vector in let)}."
                ]
                if let
                else []
            ),
        ]

    @property
    def bench_note(self) -> str:
        """How long its numbers are."""
        width, primes, composites = self.design.width, self.prime_bits, self.composite_bits
        if min(primes, composites) == width:
            return ""
        return (
            f" (strong tests of primes of {primes} bits, composites of {composites}, "
            f"and one of {width})"
        )

    @property
    def constants(self) -> dict[str, tuple[str, int]]:
        """Sizes."""
        g = self.design.geometry
        return {
            "WORD_BITS": ("positive", g.word_bits),
            "BEATS": ("positive", g.beats),
            "THREADS": ("positive", g.slots),
            "LATENCY_CYCLES": ("positive", g.latency_cycles),
        }

    @property
    def operations(self) -> int:
        return 2 * len(self.vectors)

    def vector_text(self) -> str:
        """A candidate a line."""
        lines = []
        for v in self.vectors:
            answer = f"{v.drawn:x}{v.verdict.prime:x}{v.verdict.reason:x}{v.verdict.passed:04x}"
            lines.append(f"{answer}_{v.least:016x}_{v.most:016x}_{v.number:0{self.hex_digits}x}\n")
        return "".join(lines)

    def bench_context(self) -> dict[str, Any]:
        """Sizes, the random source, and when to give up."""
        return {
            "vectors": len(self.vectors),
            "hex_bits": 4 * self.hex_digits,
            "base_bits": _BASE_BITS,
            "stated_bits": self.prime_bits,
            "stated": len(self._decided_early()),
            "random_seed": RandomBits.seeded(self.seed).state,
            "patience": self._patience(self.vectors),
        }

    def _patience(self, vectors: list[Vector]) -> int:
        """Cycles without anything moving after which there is no hope."""
        return 8 * self.design.geometry.slots * max(v.most for v in vectors) + 10_000

    def cycles(self) -> list[tuple[str, str]]:
        """A prime's, as stated."""
        (_, latency), *others = super().cycles()
        return [("a prime that is 3 modulo 4, at most", latency), *others]

    def check(self, vectors: int, tell: Staged) -> Iterator[dict[str, Any]]:
        """One candidate after the other, then all at once under stalls."""
        draw = random.Random(f"{self.seed}/{self.design.label()}/check")
        built = self.family.simulation(self.design.width, self.design.values)
        early = self._decided_early()
        # One has the longest power, the other the most squarings behind it.
        slowest = [
            self._vector(of(self.prime_bits), RandomBits.seeded(1))
            for of in (_longest_prime, _prime_with_many_twos)
        ]
        for name, count, stalls in self.runs("one candidate after the other", vectors):
            source = self._strongly_tested(draw)
            chosen = [
                early[k // 4 % len(early)] if k % 4 == 3 else next(source) for k in range(count)
            ]
            wanted = 4 * self.design.width * self.tester.random_bases * count + 4096
            began = time.perf_counter()
            tell(CHECK_STAGE, 0, 0)
            with PrimeBench(self.tester, built, self.seed) as bench:
                answers = bench.run(
                    chosen,
                    stalls=stalls,
                    lone=not stalls,
                    random_bits=wanted if self.tester.random_bases else 0,
                    patience=self._patience(slowest),
                )
                bits = chain(bench.bits, RandomBits.seeded(self.seed))
            seconds = time.perf_counter() - began
            judged = [
                self._judge(self._vector(candidate, bits), answer, stalls)
                for candidate, answer in zip(chosen, answers, strict=True)
            ]
            yield self.entry(name, count, stalls, list(filter(None, judged)), seconds)

    def _judge(self, vector: Vector, answer: Answer, stalls: bool) -> str:
        """What is wrong with an answer, in a sentence; nothing where it is right."""
        verdict = vector.verdict
        given = (answer.prime, answer.reason, answer.passed)
        right = (verdict.prime, verdict.reason, verdict.passed)
        # Several candidates that draw at once do not take the bits in the model's order.
        open_ = stalls and self.design.geometry.slots > 1 and vector.drawn
        if given != right and not open_:
            return f"{vector.number:#x} was answered with {given}; right is {right}"
        return "" if stalls else vector.out_of_time(f"{vector.number:#x}", answer.cycles)


def _prime_of(bits: int, draw: random.Random) -> int:
    """A random prime of so many bits, from 3."""
    while True:
        found = int(next_prime(draw.getrandbits(bits) | 1 << (bits - 1)))
        if found.bit_length() == bits:
            return found


def _longest_prime(bits: int) -> int:
    """The largest prime of so many bits that is 3 modulo 4, for which cycles are stated."""
    candidate = (1 << bits) - 1
    while not is_prime(candidate):
        candidate -= 4
    return candidate


def _prime_with_many_twos(bits: int) -> int:
    """A prime n of at most so many bits with n - 1 = 2^s d and s as large as can be."""
    for twos in range(bits - 1, 0, -1):
        for odd in range(1, 1 << min(bits - twos, 12), 2):
            if is_prime((odd << twos) + 1) and ((odd << twos) + 1) >> bits == 0:
                return (odd << twos) + 1
    raise AssertionError("3 is one")


def _chernick(bits: int) -> int:
    """A Carmichael number (6k+1)(12k+1)(18k+1) of at most so many bits; 561 where there is none."""
    # Of longer ones it takes too long to find one.
    bits = min(bits, 256)
    for factor in range(int(iroot((1 << bits) // 1296, 3)[0]), 0, -1):
        parts = [multiple * factor + 1 for multiple in (6, 12, 18)]
        if all(is_prime(part) for part in parts):
            product = parts[0] * parts[1] * parts[2]
            if product >> bits == 0:
                return product
    return 561
