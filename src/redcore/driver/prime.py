# SPDX-License-Identifier: Apache-2.0
"""Driver of ``redc_host`` with a prime tester or a prime generator behind it.

The same calls as ``c/redc_prime.h``. Registers: ``docs/units/host.md``.
"""

from __future__ import annotations

from dataclasses import dataclass

from redcore.driver import redc_host_registers as reg
from redcore.driver.host import Host
from redcore.driver.registers import Registers, words_of
from redcore.errors import CheckFailed

TESTS, GENERATES = 2, 3
"""UNIT.operation of either."""


@dataclass(frozen=True)
class Answer:
    """A tester's answer: prime or not, why (0 trial division, 1 a base, 2 it passed all bases, 3 it
    has too many bits), and how many strong tests it passed."""

    prime: bool
    reason: int
    passed: int


class Prime(Host):
    """A prime tester or generator behind registers; see ``Host``. Random bits come from its port.

    ``width`` are the bits of the longest candidate, or of a prime that it finds.
    """

    _error = "the unit says that its random source is stuck, or that it is at fault; reset it"

    def __init__(self, registers: Registers, polls: int = 10_000_000) -> None:
        super().__init__(registers, polls)
        if self.operation not in (TESTS, GENERATES):
            raise CheckFailed(f"UNIT.operation is {self.operation}: no prime unit")

    def start_test(self, candidate: int) -> None:
        """Give a candidate; answers come in the same order. BadInput where it does not fit.

        Raises CheckFailed where the unit does not test numbers.
        """
        self._give(TESTS, words_of(candidate, self.words, "the candidate"))

    def tested(self) -> Answer:
        """Wait for the next answer."""
        word = self.result()
        return Answer(bool(word & 1), word >> 1 & 3, word >> 16)

    def test(self, candidate: int) -> Answer:
        """Whether a number is prime."""
        self.start_test(candidate)
        return self.tested()

    def start_search(self) -> None:
        """Ask for a prime; CheckFailed where the unit does not find any."""
        self._give(GENERATES, [0])

    def find(self) -> int:
        """A random prime of ``width`` bits."""
        self.start_search()
        return self.result()

    def _give(self, operation: int, words: list[int]) -> None:
        if self.operation != operation:
            does = "tests numbers" if self.operation == TESTS else "finds primes"
            raise CheckFailed(f"this unit {does}")
        self._put((reg.A, reg.STATUS_A_ROOM_MASK, words))
