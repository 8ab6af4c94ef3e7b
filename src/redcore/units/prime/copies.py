# SPDX-License-Identifier: Apache-2.0
"""Several prime testers or generators behind one face: numbers in turn, answers in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import log2
from pathlib import Path
from typing import Any

from redcore.design import COPIES, Design, Memory, Terms, Value, number
from redcore.units import compose
from redcore.units.copies import Several, register_several
from redcore.units.prime import bench as prime_bench
from redcore.units.prime.generator import PrimeGeneratorUnit
from redcore.units.prime.model import PrimeGenerator, PrimeTester
from redcore.units.prime.tester import PrimeTesterUnit


class SeveralPrime(Several):
    """Several units of strong tests, each beside its own multiplier."""

    one: PrimeTesterUnit | PrimeGeneratorUnit

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """Two turns, and the choice of an answer's bits."""
        copies = number(values, COPIES.name)
        answer = self.answer_bits(width, values)
        return Terms(
            lut={"turns": 4.0 * copies, "choice": answer * copies / 3},
            ff={"turns": 2.0 * copies},
            carry={},
            delay={"each": 1.0, "choice": log2(copies)},
        )

    def answer_bits(self, width: int, values: Mapping[str, Value]) -> int:
        """Bits of a word of an answer: prime, reason, base; or a word of a prime and two counts."""
        tests = isinstance(self.unit(width, values), PrimeTester)
        return 19 if tests else 32 + self.single(width, values).geometry.word_bits

    def unit(self, width: int, values: Mapping[str, Value]) -> PrimeTester | PrimeGenerator:
        """The rules and cycles of one."""
        return self.one.unit(width, self.own(values))

    def multiplier_design(self, width: int, values: Mapping[str, Value]) -> Design:
        """The multiplier beside each."""
        return self.one.multiplier_design(width, self.own(values))

    def exponentiator(self, width: int, values: Mapping[str, Value]) -> Design:
        """The exponentiator in each."""
        return self.one.exponentiator(width, self.own(values))

    def power_cycles(self, width: int, values: Mapping[str, Value]) -> Callable[[int], int]:
        """Cycles of an exponentiation, alone, by the bits of its exponent."""
        return self.one.power_cycles(width, self.own(values))

    def simulation(self, width: int, values: Mapping[str, Value]) -> Path:
        """The compiled simulation of a design, for ``prime_bench.PrimeBench``."""
        cycles = 8 * self.single(width, values).geometry.latency_cycles
        return prime_bench.compiled(self.bench_sources(width, values), cycles=cycles)

    def bench_sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """The files that ``simulation`` compiles."""
        return self._named(prime_bench.TOP, width, values)

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        return self._named(self.module, width, values)

    def _named(self, module: str, width: int, values: Mapping[str, Value]) -> list[Path]:
        exponentiator, unit = self.exponentiator(width, values), self.unit(width, values)
        name = f"{module}_one"
        context: dict[str, Any] = {
            "one": name,
            "copies": number(values, COPIES.name),
            "tests": isinstance(unit, PrimeTester),
            "word_bits": unit.word_bits,
            "answer_bits": self.answer_bits(width, values),
        }
        parts = prime_bench.sources(unit, exponentiator, name)
        template = "prime_several_top.sv.j2"
        return compose.sources(__package__, module, template, exponentiator, context, parts)


for _kind in (PrimeTesterUnit.kind, PrimeGeneratorUnit.kind):
    register_several(_kind, SeveralPrime)
