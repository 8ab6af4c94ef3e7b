# SPDX-License-Identifier: Apache-2.0
"""Prime testers and generators on a bus: candidates or requests in, answers or primes out.

The registers are those of every unit (``rtl/redc_host.sv``), without a modulus and without b. An
answer is a word: bit 0 says whether the candidate is prime, bits 2 to 1 why (``Reason``), bits 31
to 16 how many strong tests it passed. A generator's counts are not to be had by a bus.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from redcore.design import BUS, Value
from redcore.ports import Port
from redcore.units import compose
from redcore.units.buses import REGISTER_BUSES, in_and_out
from redcore.units.hosted import Hosted, register_hosted
from redcore.units.prime.generator import PrimeGeneratorUnit
from redcore.units.prime.tester import PrimeTesterUnit
from redcore.units.prime.unit_face import PrimeUnitFace

ANSWER_BITS = 32
"""Of a tester's answer, and of a generator's request."""


class HostedPrime(Hosted):
    """A prime tester or generator, or several of either, on a bus."""

    fifos = 2

    @property
    def tests(self) -> bool:
        """Whether it tests numbers; otherwise it finds primes."""
        return self.one.kind == PrimeTesterUnit.kind

    def formula(self, width: int, values: Mapping[str, Value]) -> str:
        """What goes in and comes out, in words."""
        if self.tests:
            return f"whether a, of at most {width} bits, is prime"
        return f"random primes of {width} bits"

    def streams(self, width: int, values: Mapping[str, Value]) -> tuple[Port, ...]:
        word = self.single(width, values).geometry.word_bits
        if self.tests:
            return in_and_out("a candidate", word, "an answer", ANSWER_BITS)
        return in_and_out("a request, not looked at", 8, "a prime", word)

    def beside(self, width: int, values: Mapping[str, Value]) -> tuple[Port, ...]:
        """Random bits."""
        taken = "none is taken without random bases" if self.tests else "searches take them"
        return tuple(PrimeUnitFace.random_ports(taken))

    def host(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        geometry = self.single(width, values).geometry
        number = (geometry.word_bits, geometry.beats)
        (word, beats), (result, result_beats) = (
            (number, (ANSWER_BITS, 1)) if self.tests else ((ANSWER_BITS, 1), number)
        )
        return super().host(width, values) | {
            "WordBits": word,
            "Beats": beats,
            "ModulusBeats": 0,
            "TakesB": 0,
            "ResultBits": result,
            "ResultBeats": result_beats,
        }

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        context: dict[str, Any] = {
            "ports": self.ports(width, values)[2:],
            "tests": self.tests,
            "bus": REGISTER_BUSES.get(str(values[BUS.name])),
            "host": self.host(width, values),
        }
        one = self.single(width, values)
        return compose.sources(__package__, self.module, "prime_hosted_top.sv.j2", one, context)


for _kind in (PrimeTesterUnit.kind, PrimeGeneratorUnit.kind):
    register_hosted(_kind, HostedPrime)
