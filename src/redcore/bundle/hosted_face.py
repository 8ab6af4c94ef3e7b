# SPDX-License-Identifier: Apache-2.0
"""A unit behind registers in a bundle: what goes through the bus, and comes back, is checked."""

from __future__ import annotations

import random
import time
from abc import abstractmethod
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from itertools import accumulate
from math import ceil
from pathlib import Path
from typing import Any

from gmpy2 import is_prime

from redcore import driver, rtl
from redcore.bundle.stream_face import StreamFace
from redcore.design import Design
from redcore.driver import Modular, Prime
from redcore.driver.registers import words_of
from redcore.emulate import Simulated
from redcore.face import CHECK_STAGE, Face, counted, face_of
from redcore.moduli import NamedModulus
from redcore.ports import Port
from redcore.progress import Staged
from redcore.simulate import usual_moduli
from redcore.units.buses import REGISTER_BUSES
from redcore.units.hosted import Hosted, host_words
from redcore.units.prime.generator_face import PrimeGeneratorFace
from redcore.units.prime.generator_face import Vector as SearchVector
from redcore.units.prime.hosted import HostedPrime
from redcore.units.prime.tester_face import PrimeTesterFace
from redcore.units.prime.tester_face import Vector as TestVector
from redcore.units.random_bits import RandomBits

_END = 0x454E4421
_MODULUS, _JOB, _RANDOM = 1, 2, 3
_CYCLES = 400_000
"""Of the bench's jobs, about."""
_MOST_JOBS = 24


class RegistersFace(Face):
    """Ports and bench of a design behind registers."""

    bench_template = "hosted_testbench.sv.j2"
    exact_cycles = None
    constant_time = None
    driver: str
    """Of the unit, in C."""

    def __init__(self, design: Design, modulus: NamedModulus | None, seed: int) -> None:
        super().__init__(design, modulus, seed)
        assert isinstance(design.family, Hosted)
        self.family = design.family
        self.bus = str(design.values["bus"])
        self.unit = self.family.single(design.width, design.values)
        told = self.family.host(design.width, design.values)
        word, beats = told["WordBits"], told["Beats"]
        self.operand_words = host_words(word, beats)
        self.modulus_words = host_words(word, told["ModulusBeats"])
        self.result_words = host_words(told.get("ResultBits", word), told.get("ResultBeats", beats))

    @property
    def ports(self) -> list[Port]:
        return self.family.ports(self.design.width, self.design.values)

    @property
    def header(self) -> list[str]:
        title = REGISTER_BUSES[self.bus].title
        return [
            f"Contract  registers of rtl/redc_host.sv on {title}; {self.summary[0]}",
            "Timing    that of the unit; no access waits for it.",
            "Leakage   that of the unit.",
        ]

    @property
    def travel(self) -> str:
        """How numbers travel, for the summary."""
        return (
            f"Numbers are {counted(self.operand_words, 'word')} of 32 bits in, "
            f"{counted(self.result_words, 'word')} out, behind registers on "
            f"{REGISTER_BUSES[self.bus].title}: `software/redc_host.rdl`."
        )

    @property
    def constants(self) -> dict[str, tuple[str, int]]:
        return {
            "WIDTH": ("positive", self.unit.width),
            "OPERAND_WORDS": ("positive", self.operand_words),
            "BOUND": ("positive", self.unit.geometry.bound),
        }

    @property
    def software(self) -> list[Path]:
        """Map, header and driver in C."""
        found = [rtl.rtl_folder() / f"redc_host.{kind}" for kind in ("h", "rdl", "xml")]
        drivers = (*driver.c_files("redc_modular"), *driver.c_files(self.driver))
        return [*found, *dict.fromkeys(drivers)]

    @property
    @abstractmethod
    def script(self) -> list[int]:
        """The bench's steps as words: its kind, and a modulus, an operation, or random bits."""

    @property
    @abstractmethod
    def patience(self) -> int:
        """Cycles after which STATUS is not waited for any more."""

    @cached_property
    def _words(self) -> list[int]:
        return [*self.script, _END]

    def vector_text(self) -> str:
        """A word a line, and one at the end that shows that all is there."""
        return "".join(f"{word:08x}\n" for word in self._words)

    def bench_context(self) -> dict[str, Any]:
        return {
            "bus": self.bus,
            "words": len(self._words),
            "end": _END,
            "modulus_words": self.modulus_words,
            "operand_words": self.operand_words,
            "result_words": self.result_words,
            "modulus_kind": _MODULUS,
            "random_kind": _RANDOM,
            "random": any(port.name == "rnd_valid_i" for port in self.ports),
            "random_lanes": self.family.random_lanes(self.design.values),
            "status_bits": self.unit.family.status_bits,
            "random_seed": RandomBits.seeded(self.seed).state,
            "patience": self.patience,
        }

    def entries(
        self, jobs: Iterable[Callable[[Any], str]], unit: Callable[[Simulated], Any], tell: Staged
    ) -> Iterator[dict[str, Any]]:
        """A run's entry: each job asks the driver and says what is wrong, or nothing."""
        wrong: list[str] = []
        began, done = time.perf_counter(), 0
        wanted = self.operations // 2
        with Simulated(self.design, self.seed) as core:
            opened = unit(core)
            for job in jobs:
                wrong += filter(None, [job(opened)])
                done += 1
                tell(CHECK_STAGE, min(done, wanted), wanted)
        seconds = time.perf_counter() - began
        yield self.entry("through the registers", done, False, wrong, seconds, exact=False)

    def default_vectors(self) -> int:
        return self.operations // 2


class HostedFace(RegistersFace):
    """A unit with the multiplier contract behind registers."""

    driver = "redc_modular"

    @property
    def summary(self) -> list[str]:
        """The formula, and how numbers travel."""
        formula = self.unit.family.formula(self.unit.width, self.unit.values)
        return [
            f"{formula.replace(' * ', ' · ')}, m odd and of at most {self.unit.width} bits.",
            self.travel,
        ]

    @cached_property
    def _jobs(self) -> list[tuple[int, list[tuple[int, int]]]]:
        """Moduli, and operands for each: the bundle's modulus first."""
        assert self.modulus is not None
        draw = random.Random(f"{self.seed}/{self.design.label()}")
        others = usual_moduli(self.unit, self.seed)[:2]
        most = max(1, _CYCLES // ceil(self.unit.geometry.interval_cycles))
        each = max(1, min(_MOST_JOBS, most) // 3)
        found = []
        for m in dict.fromkeys([self.modulus.value, *others]):
            limits = self.unit.operand_limits(m)
            pairs = [(limits[0] - 1, limits[1] - 1)]
            pairs += [
                (draw.randrange(limits[0]), draw.randrange(limits[1])) for _ in range(each - 1)
            ]
            found.append((m, pairs))
        return found

    @property
    def operations(self) -> int:
        return 2 * sum(len(pairs) for _, pairs in self._jobs)

    def _given(self, m: int) -> int:
        """The modulus, and what the unit wants behind it."""
        return self.unit.family.modulus_words(self.unit.width, self.unit.values, m)

    @property
    def script(self) -> list[int]:
        """A modulus, or a, b and the result."""
        found: list[int] = []
        for m, pairs in self._jobs:
            found += [_MODULUS, *words_of(self._given(m), self.modulus_words)]
            for a, b in pairs:
                found.append(_JOB)
                for number in (a, b, self.unit.product(a, b, m)):
                    found += words_of(number, self.operand_words)
        return found

    @property
    def patience(self) -> int:
        geometry = self.unit.geometry
        return 64 * geometry.latency_cycles + 4 * geometry.modulus_cycles + 100_000

    def check(self, vectors: int, tell: Staged) -> Iterator[dict[str, Any]]:
        """Through the registers, by the driver, on a simulated unit."""

        def job(m: int, loads: bool, a: int, b: int, unit: Modular) -> str:
            if loads:
                unit.load_modulus(self._given(m))
            got, right = unit.compute(a, b), self.unit.product(a, b, m)
            refused = right == 0 and self.unit.family.status_bits > 0
            if got == right and (unit.status != 0) == refused:
                return ""
            told = f" with status {unit.status}" if refused or unit.status else ""
            return f"a={a:#x} b={b:#x} m={m:#x} gave {got:#x}{told}, not {right:#x}"

        jobs = (
            partial(job, m, at == 0, a, b)
            for m, pairs in self._jobs
            for at, (a, b) in enumerate(pairs)
        )
        return self.entries(jobs, Modular, tell)


class HostedPrimeFace(RegistersFace):
    """A prime tester or generator behind registers: what its own bench asks, as far as it is short.

    Answers and primes are those of the same random bits in the same order.
    """

    driver = "redc_prime"

    def __init__(self, design: Design, modulus: NamedModulus | None, seed: int) -> None:
        super().__init__(design, modulus, seed)
        self.inside = face_of(self.unit, None, seed)

    @property
    def summary(self) -> list[str]:
        return [*self.inside.summary, self.travel]

    @cached_property
    def _vectors(self) -> list[TestVector | SearchVector]:
        inside = self.inside
        assert isinstance(inside, PrimeTesterFace | PrimeGeneratorFace)
        spent = list(accumulate(vector.most for vector in inside.vectors))
        return [*inside.vectors][: max(1, bisect(spent, _CYCLES))]

    @property
    def operations(self) -> int:
        return 2 * len(self._vectors)

    @property
    def script(self) -> list[int]:
        """A candidate and its answer, or random bits, a request and the prime."""
        found: list[int] = []
        for v in self._vectors:
            if isinstance(v, TestVector):
                verdict = v.verdict
                answer = verdict.prime | verdict.reason << 1 | verdict.passed << 16
                found += [_JOB, *words_of(v.number, self.operand_words), answer]
            else:
                found += [_RANDOM, v.state, _JOB, 0, *words_of(v.search.prime, self.result_words)]
        return found

    @property
    def patience(self) -> int:
        return 8 * max(vector.most for vector in self._vectors) + 100_000

    def check(self, vectors: int, tell: Staged) -> Iterator[dict[str, Any]]:
        """Through the registers, by the driver, against GMP; random bits are others."""
        return self.entries((partial(self._asked, v) for v in self._vectors), Prime, tell)

    def _asked(self, v: TestVector | SearchVector, unit: Prime) -> str:
        if isinstance(v, TestVector):
            told = unit.test(v.number)
            # A random base that another bit would have made may let a composite pass.
            good = v.drawn or told.prime == v.verdict.prime
            return "" if good else f"{v.number:#x} was answered with {told}"
        prime = unit.find()
        good = is_prime(prime) and prime >> self.unit.width - 2 == 3
        return "" if good else f"{prime:#x} is no prime of {self.unit.width} bits"


def hosted_face(design: Design, modulus: NamedModulus | None, seed: int) -> Face:
    """The face of a design on a bus."""
    assert isinstance(design.family, Hosted)
    if design.values["bus"] not in REGISTER_BUSES:
        return StreamFace(design, modulus, seed)
    primes = isinstance(design.family, HostedPrime)
    return (HostedPrimeFace if primes else HostedFace)(design, modulus, seed)
