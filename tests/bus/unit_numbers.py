# SPDX-License-Identifier: Apache-2.0
"""Numbers for a unit on a bus, and what it has to answer: of registers' and of streams' benches."""

from __future__ import annotations

import random

from gmpy2 import is_prime

from redcore.design import Design
from redcore.simulate import design_moduli
from redcore.units.prime.generator import PrimeGeneratorUnit
from redcore.units.prime.tester import PrimeTesterUnit


class Numbers:
    """Of a unit, without the bus."""

    def __init__(self, design: Design, seed: int) -> None:
        self.design = design
        self.seed = seed
        self.choose = random.Random(seed)
        self.tests = isinstance(design.family, PrimeTesterUnit)
        self.finds = isinstance(design.family, PrimeGeneratorUnit)
        self.modular = not self.tests and not self.finds
        """It has a modulus and two operands."""

    def modulus(self) -> int:
        if self.design.family.prime_moduli:
            return self.choose.choice(design_moduli(self.design, self.seed))
        width = self.design.width
        return self.choose.randrange(1 << width - 1, 1 << width) | 1

    def operands(self, modulus: int) -> tuple[int, int]:
        if not self.modular:
            return self.choose.choice([0, 561, self.choose.getrandbits(self.design.width) | 1]), 0
        a, b = (
            self.choose.choice([0, 1, limit - 1, self.choose.randrange(limit)])
            for limit in self.design.operand_limits(modulus)
        )
        return a, b

    def refusals(self) -> list[tuple[int, list[tuple[int, int, int, int]]]]:
        """Of a curve unit on u alone: moduli with what stands behind them, and for each jobs, an
        even number: point, scalar, result and status. Each kind of refusal is among them."""
        design, prime = self.design, max(design_moduli(self.design, self.seed))
        words = design.family.modulus_words(design.width, design.values, prime)
        done = [(u, k, design.product(u, k, prime), 0) for u, k in ((9, 0x35), (prime - 2, 3))]
        assert all(right for _, _, right, _ in done)
        jobs = [done[0], (prime, 5, 0, 1), (0, 5, 0, 2), done[1], (7, 0, 0, 2), done[0]]
        # An odd modulus that is no prime has no inverses; an even one does not fit, nor does a
        # constant that is not below it.
        composite = words - prime + (prime // 35 - 1 | 1) * 35
        even = words & ~1
        return [
            (words, jobs),
            (composite, [(9, 0x35, 0, 3), (11, 3, 0, 3)]),
            (words, done),
            (even, [(9, 0x35, 0, 1), (9, 3, 0, 1)]),
            (words, done),
        ]

    def right(self, found: int, a: int, b: int, modulus: int) -> None:
        """A result is that of these operands; of a generator it is any prime as it has to be."""
        family, width, values = self.design.family, self.design.width, self.design.values
        if isinstance(family, PrimeTesterUnit):
            verdict = family.unit(width, values).verdict(a, iter(()))
            assert bool(is_prime(a)) == verdict.prime
            assert found == verdict.prime | verdict.reason << 1 | verdict.passed << 16, hex(a)
        elif isinstance(family, PrimeGeneratorUnit):
            assert is_prime(found) and found >> width - 2 == 3, hex(found)
            assert not family.unit(width, values).unfit(found)
        else:
            assert found == self.design.product(a, b, modulus)
