# SPDX-License-Identifier: Apache-2.0
"""What a model of the registers in front of a unit is made of: names, bits, ports and jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from redcore.generate.registers import Register, registers

MAP: dict[int, Register] = {each.address: each for each in registers("redc_host")}
AT: dict[str, int] = {each.name: each.address for each in MAP.values()}
ADDRESS, ACCESS, FULL, EMPTY, ORDER, UNIT = (1 << bit for bit in range(6))
"""Bits of CAUSE."""
DONE, ERROR, READY, OPERAND_ROOM = (1 << bit for bit in range(4))
"""Bits of IRQ_STATUS."""
BUSY, MODULUS_ROOM, A_ROOM, B_ROOM, RESULT_READY, UNIT_ERROR = (1 << bit for bit in range(6))
"""Bits of STATUS."""
REASON_AT = 8
"""Where in STATUS the field result_status begins."""


class Wrong(Exception):
    """An answer that the registers must not give."""


@dataclass
class Bits:
    """Bits of which some are surely 1, and some may be."""

    sure: int = 0
    may: int = 0

    def set(self, bits: int) -> None:
        """They are 1 from here on."""
        self.sure |= bits
        self.may |= bits

    def clear(self, bits: int) -> None:
        """They are 0."""
        self.sure &= ~bits
        self.may &= ~bits

    def read(self, value: int, what: str) -> None:
        """This is what they are."""
        expect(not self.sure & ~value, f"{what} is {value:#x}, without bits of {self.sure:#x}")
        expect(not value & ~self.may, f"{what} is {value:#x}, no more than {self.may:#x} can be")
        self.sure = self.may = value


def expect(holds: bool, otherwise: str) -> None:
    """Raise Wrong where it does not hold."""
    if not holds:
        raise Wrong(otherwise)


@dataclass
class Job:
    """An operation whose operands were all taken; its result where it is known."""

    value: int | None
    words: int
    read: int = 0
    """Of the result, what was read so far."""
    since_clear: bool = True
    """Its operands came after IRQ_STATUS.done was cleared."""


@dataclass
class Port:
    """A port for words of a number: those that were taken, and words that there is room for."""

    capacity: int
    behind: int
    """Words that may wait behind its FIFO."""
    each: int
    """Words of a number; 0: there is no such port."""
    words: list[int] = field(default_factory=list)
    least: int = 0
    """Room that there surely is."""

    def empty(self) -> None:
        """Nothing waits."""
        self.least = self.capacity if self.each else 0


def assembled(words: Sequence[int]) -> int:
    """Of words, least significant first."""
    return sum(word << 32 * at for at, word in enumerate(words))
