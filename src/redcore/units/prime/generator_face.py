# SPDX-License-Identifier: Apache-2.0
"""A prime generator in a bundle: searches with recorded random bits, whose ends the model knows."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, repeat
from typing import Any

from gmpy2 import is_prime

from redcore.errors import CheckFailed
from redcore.face import CHECK_STAGE, counted
from redcore.ports import CLOCK_AND_RESET, Port
from redcore.progress import Staged
from redcore.units.prime.bench import Found, PrimeBench
from redcore.units.prime.model import PrimeGenerator, Search
from redcore.units.prime.unit_face import (
    CYCLES,
    PrimeUnitFace,
    Timed,
    bases_of,
    passes_first_primes,
)
from redcore.units.random_bits import RandomBits

_MOST = 64
"""Searches of a pass."""
_LEAST = 2
_COUNT_BITS = 16
_MOST_LUCK = 20
"""Composites in a row that no random base tells; each lets at most a quarter of its draws pass."""
_REPETITION_LIMIT = 64
"""Equal random bits in a row of which the generator takes no more (RepetitionLimit)."""


@dataclass(frozen=True)
class Vector(Timed):
    """A search: the random source's state at its request, its end, and the cycles between which
    the prime comes, without stalls."""

    state: int
    search: Search
    bits: tuple[int, ...]
    """The random bits it takes."""


class _Recorded(Iterator[int]):
    """Bits, and which of them were taken."""

    def __init__(self, bits: Iterator[int]) -> None:
        self._bits = bits
        self.taken: list[int] = []

    def __next__(self) -> int:
        self.taken.append(next(self._bits))
        return self.taken[-1]


class PrimeGeneratorFace(PrimeUnitFace):
    """Ports, bench and check of a prime generator."""

    bench_template = "prime_gen_testbench.sv.j2"
    least_vectors = 1

    @cached_property
    def generator(self) -> PrimeGenerator:
        """The rules and the model."""
        generator = self.family.unit(self.design.width, self.design.values)
        assert isinstance(generator, PrimeGenerator)
        return generator

    # ---- searches -------------------------------------------------------------------------------

    def _vector(self, state: int, bits: Iterator[int]) -> Vector:
        """What the model finds with these bits; StopIteration where they do not suffice."""
        powers = 0

        def power(length: int) -> int:
            nonlocal powers
            powers += 1
            return self.power_cycles(length)

        recorded = _Recorded(bits)
        search = self.generator.search(recorded, power)
        waits = self.waits(powers) + search.tested * self.modulus_cycles
        cycles = search.cycles
        return Vector(cycles, cycles + waits, state, search, tuple(recorded.taken))

    def _agreed(self, vector: Vector) -> bool:
        """Whether GMP finds the same prime; False where a composite had luck with random bases.

        Raises CheckFailed where the model errs.
        """
        generator, search = self.generator, vector.search
        begun = generator.draw(iter(vector.bits))
        right = search.prime >> (generator.width - 2) == 3
        right &= not generator.unfit(search.prime)
        if search.prime - begun == 2 * (search.count - 1):  # else it drew anew
            passed_over = range(begun, search.prime, 2)
            right &= not any(is_prime(each) and not generator.unfit(each) for each in passed_over)
        composite = not is_prime(search.prime)
        if not right or (composite and not passes_first_primes(search.prime, generator.bases)):
            raise CheckFailed(
                f"the model of {self.design.label()} disagrees with GMP on the search from "
                f"{begun:#x} to {search.prime:#x}"
            )
        return not (composite and generator.random_bases)

    @cached_property
    def near(self) -> bool:
        """Whether searches have to begin near a prime: any other would take long."""
        return self.design.geometry.latency_cycles * 4 > CYCLES

    def _tested(self, state: int, most: int) -> int:
        """How many numbers a search tests that begins so; 0 where it is more than ``most``."""
        generator = self.generator
        number, tested = generator.draw(RandomBits(state)), 0
        while tested < most and not number >> generator.width:
            if not generator.unfit(number):
                tested += 1
                if is_prime(number):
                    return tested
            number += 2
        return 0

    def _searches(self, purpose: str) -> Iterator[Vector]:
        """Searches without end; where each takes long, those that test a number, two, one, ..."""
        draw = random.Random(f"{self.seed}/{self.design.label()}/{purpose}")
        tested, lucky = 1, 0
        while True:
            state = draw.randrange(1, 1 << 32)
            if self.near and self._tested(state, tested) != tested:
                continue
            vector = self._vector(state, RandomBits(state))
            if self._agreed(vector):
                yield vector
                tested, lucky = 3 - tested, 0
                continue
            lucky += 1
            if lucky == _MOST_LUCK:
                raise CheckFailed(
                    f"the model of {self.design.label()} takes {lucky} composites in a row for"
                    " primes"
                )

    @cached_property
    def vectors(self) -> list[Vector]:
        """The bench's searches: as many as a pass affords, and two in any case."""
        found: list[Vector] = []
        spent = 0
        for vector in self._searches("bench"):
            spent += vector.most
            if len(found) >= _LEAST and (spent > CYCLES or len(found) >= _MOST):
                return found
            found.append(vector)
        raise AssertionError("there is no end of searches")

    @property
    def stalled(self) -> int:
        """How many of them are in the pass with stalls."""
        return 1 if self.near else len(self.vectors)

    @property
    def living(self) -> int:
        """How many of them come before the source is stuck."""
        return 0 if self.near else 1

    def stuck(self, level: int) -> tuple[list[Vector], int]:
        """The searches that end though the source is stuck, and how many bits it still gives.

        With few bits a number there are some until there were too many equal bits in a row.
        """
        before = [bit for vector in self.vectors[: self.living] for bit in vector.bits]
        run = next((k for k, bit in enumerate(reversed(before)) if bit != level), len(before))
        bits = repeat(level, _REPETITION_LIMIT - run)
        found: list[Vector] = []
        while True:
            try:
                found.append(self._vector(0, bits))
            except StopIteration:
                return found, _REPETITION_LIMIT - run

    # ---- what a bundle asks for -----------------------------------------------------------------

    @property
    def ports(self) -> list[Port]:
        word = self.design.geometry.word_bits
        return [
            *CLOCK_AND_RESET,
            Port("in_valid_i", 0, "A prime is asked for."),
            Port("in_ready_o", 0, "The search begins at the end of this cycle."),
            *self.random_ports("draws and random bases take them"),
            Port("out_valid_o", 0, "A word of the prime is offered."),
            Port("out_ready_i", 0, "It is taken at the end of this cycle."),
            Port("out_data_o", word, "The word, least significant first."),
            Port("out_last_o", 0, "It is the prime's last word."),
            Port("out_count_o", _COUNT_BITS, "Numbers that were looked at for the prime."),
            Port("out_tested_o", _COUNT_BITS, "How many of them went to the strong tests."),
            Port("err_o", 0, "Sticky: the random source is stuck, or the multiplier's err_o."),
        ]

    @property
    def header(self) -> list[str]:
        g = self.design.geometry
        return [
            f"Contract  a request gives a prime of {self.design.width} bits, "
            f"{counted(g.beats, 'word')} of {g.word_bits} bits, least",
            "          significant first. Random bits one a beat, from a source of full entropy.",
            f"Timing    about {g.latency_cycles} cycles in the mean, an estimate; no two searches "
            "are alike.",
            "Leakage   cycles tell how far the search went. Registers keep the prime until "
            "overwritten.",
        ]

    @property
    def summary(self) -> list[str]:
        """What it does, how sure a prime is."""
        generator, g = self.generator, self.design.geometry
        e = generator.public_exponent
        let = [v.search.prime for v in self.vectors if not is_prime(v.search.prime)]
        return [
            f"Random primes of exactly {generator.width} bits, the top two of them set"
            f"{f', {e} no divisor of p - 1' * bool(e)}: from a random number in steps of 2, trial "
            f"division by the first {counted(generator.primes, 'odd prime')}, then strong tests "
            f"with {bases_of(generator)} as bases.",
            f"Primes travel as {counted(g.beats, 'word')} of {g.word_bits} bits. "
            f"{_REPETITION_LIMIT} equal random bits in a row set `err_o`, and no bit is taken any "
            "more until reset.",
            *([f"Composites among those found: {', '.join(map(str, let))}."] if let else []),
        ]

    @property
    def bench_note(self) -> str:
        """Which searches there are where not any will do."""
        return " (searches that begin near a prime: others would take long)" if self.near else ""

    @property
    def constants(self) -> dict[str, tuple[str, int]]:
        """Sizes, and the mean of the cycles."""
        g = self.design.geometry
        return {
            "WORD_BITS": ("positive", g.word_bits),
            "BEATS": ("positive", g.beats),
            "MEAN_CYCLES": ("positive", g.latency_cycles),
        }

    @property
    def operations(self) -> int:
        """The primes of all passes."""
        stuck = sum(len(self.stuck(level)[0]) + self.living for level in (0, 1))
        return len(self.vectors) + self.stalled + stuck

    def vector_text(self) -> str:
        """A search a line; behind those of the live source the ones of a stuck one."""
        lines = []
        stuck = [each for level in (0, 1) for each in self.stuck(level)[0]]
        for v in (*self.vectors, *stuck):
            fields = (
                f"{v.search.count & 0xFFFF:04x}{v.search.tested & 0xFFFF:04x}{len(v.bits):08x}",
                f"{v.least:016x}",
                f"{v.most:016x}",
                f"{v.search.prime:0{self.hex_digits}x}",
            )
            lines.append(f"0{v.state:08x}_{'_'.join(fields)}\n")
        return "".join(lines)

    def bench_context(self) -> dict[str, Any]:
        """Sizes, the searches of each pass, and when to give up."""
        stuck = [self.stuck(level) for level in (0, 1)]
        every = [*self.vectors, *(vector for found, _ in stuck for vector in found)]
        return {
            "lines": len(every),
            "vectors": len(self.vectors),
            "living": self.living,
            "stalled_vectors": self.stalled,
            "stuck_primes": [len(found) for found, _ in stuck],
            "stuck_bits": [bits for _, bits in stuck],
            "hex_bits": 4 * self.hex_digits,
            "count_bits": _COUNT_BITS,
            "measured": self._measured,
            "operations": self.operations,
            "random_seed": RandomBits.seeded(self.seed).state,
            "sticks": True,
            "patience": self._patience(every),
        }

    @property
    def _measured(self) -> str:
        near = " near a prime" * self.near
        return f"a search{near}, mean of {len(self.vectors)}"

    def _patience(self, vectors: list[Vector]) -> int:
        """Cycles without anything moving after which there is no hope."""
        return 8 * max(v.most for v in vectors) + 10_000

    def cycles(self) -> list[tuple[str, str]]:
        """A search's in the mean, an estimate."""
        geometry = self.design.geometry
        return [("a search in the mean, estimated", f"{geometry.latency_cycles} cycles")]

    def check(self, vectors: int, tell: Staged) -> Iterator[dict[str, Any]]:
        """Searches one after the other, each with the bits of its own; then under stalls."""
        built = self.family.simulation(self.design.width, self.design.values)
        for name, count, stalls in self.runs("one search after the other", vectors):
            spent, wrong = 0.0, ""
            with PrimeBench(self.generator, built, self.seed) as bench:
                for place, vector in enumerate(islice(self._searches(name), count)):
                    tell(CHECK_STAGE, place, count)
                    began = time.perf_counter()
                    (found,) = bench.generate(
                        1,
                        stalls=stalls,
                        random_bits=vector.bits,
                        patience=self._patience([vector]),
                    )
                    spent += time.perf_counter() - began
                    wrong = self._judge(vector, found, bench, stalls)
                    if wrong:
                        break
            yield self.entry(name, count, stalls, [wrong] if wrong else [], spent)

    def _judge(self, vector: Vector, found: Found, bench: PrimeBench, stalls: bool) -> str:
        """What is wrong with a prime, in a sentence; nothing where it is right."""
        search = vector.search
        right = (search.prime, search.count & 0xFFFF, search.tested & 0xFFFF, len(vector.bits))
        given = (found.prime, found.count, found.tested, len(bench.bits))
        if given != right or bench.err:
            return f"prime, numbers looked at and tested, bits taken: {given}; right is {right}"
        searched = f"the search for {search.prime:#x}"
        return "" if stalls else vector.out_of_time(searched, found.cycles)
