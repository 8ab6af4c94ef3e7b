# SPDX-License-Identifier: Apache-2.0
"""Driver of ``redc_host``: a multiplier, modmul, an exponentiator or a curve unit on a bus.

The same calls as ``c/redc_modular.h``. Registers: ``docs/units/host.md``.
"""

from __future__ import annotations

from redcore.driver import redc_host_registers as reg
from redcore.driver.registers import Registers
from redcore.errors import BadInput, CheckFailed

_ID = int.from_bytes(b"MOD1", "big")
_MAJOR = 1


def _field(value: int, mask: int) -> int:
    """The field of a register that ``mask`` covers."""
    return (value & mask) // (mask & -mask)


class Modular:
    """A unit behind registers; sizes as its registers tell.

    ``width`` are the bits of the longest modulus, ``words`` and ``modulus_words`` are words of 32
    bits, ``bound`` is the multiple of m that operands and results are below, ``r_bits`` log2 R or
    0. ``polls`` is how often STATUS is looked at before a wait is given up. Raises CheckFailed
    where the registers are of another unit.
    """

    def __init__(self, registers: Registers, polls: int = 1_000_000) -> None:
        self.registers = registers
        self.polls = polls
        if (found := registers.read(reg.ID)) != _ID:
            raise CheckFailed(f"ID is {found:#x}, not {_ID:#x}: no registers of redc_host")
        if (major := registers.read(reg.VERSION) >> 16) != _MAJOR:
            raise CheckFailed(f"the map's version is {major}, and this driver is for {_MAJOR}")
        sizes, numbers, unit = (registers.read(at) for at in (reg.WORDS, reg.NUMBERS, reg.UNIT))
        self.words = _field(sizes, reg.WORDS_OPERAND_MASK)
        self.modulus_words = _field(sizes, reg.WORDS_MODULUS_MASK)
        self.width = _field(numbers, reg.NUMBERS_WIDTH_MASK)
        self.r_bits = _field(numbers, reg.NUMBERS_R_BITS_MASK)
        self.operation = _field(unit, reg.UNIT_OPERATION_MASK)
        self.bound = _field(unit, reg.UNIT_BOUND_MASK)
        self.moduli = _field(unit, reg.UNIT_MODULI_MASK)

    def reset(self) -> None:
        """Drop what is under way, forget moduli, empty and overwrite the FIFOs; clear CAUSE."""
        self.registers.write(reg.CONTROL, reg.CONTROL_RESET_MASK)
        self._until(reg.STATUS_BUSY_MASK, False)
        self.registers.write(reg.CAUSE, 0xFFFFFFFF)

    def load_modulus(self, modulus: int, place: int = 0) -> None:
        """Load an odd modulus; what the unit wants behind it stands above it. Waits for what is
        under way.

        Raises BadInput where it does not fit, or there is no such place.
        """
        self._check("the modulus", modulus, self.modulus_words)
        self._choose(place)
        self._put(reg.MODULUS, modulus, self.modulus_words, reg.STATUS_MODULUS_ROOM_MASK)
        self._until(reg.STATUS_BUSY_MASK, False)
        self._no_fault()

    def set_length(self, bits: int) -> None:
        """How many bits of an exponent are gone through, from 1. Waits for what is under way."""
        self._until(reg.STATUS_BUSY_MASK, False)
        self.registers.write(reg.LENGTH, bits)

    def start(self, a: int, b: int) -> None:
        """Give operands, each word once there is room for it; results come in the same order."""
        self._check("a", a, self.words)
        self._check("b", b, self.words)
        self._put(reg.A, a, self.words, reg.STATUS_A_ROOM_MASK)
        self._put(reg.B, b, self.words, reg.STATUS_B_ROOM_MASK)

    def result(self) -> int:
        """Wait for the next result; below ``bound`` times m. CheckFailed where the unit says that a
        number was illegal."""
        found = 0
        for word in range(self.words):
            self._until(reg.STATUS_RESULT_READY_MASK, True)
            found |= self.registers.read(reg.RESULT) << 32 * word
        self._no_fault()
        return found

    def compute(self, a: int, b: int, place: int = 0) -> int:
        """One operation modulo what is in a place: a b / R, a b or a^b, as the unit is built.

        Raises BadInput where there is no such place, or a number does not fit.
        """
        self._choose(place)
        self.start(a, b)
        return self.result()

    def _choose(self, place: int) -> None:
        if not 0 <= place < self.moduli:
            raise BadInput(f"place={place} is not one of {self.moduli}")
        self._until(reg.STATUS_BUSY_MASK, False)
        self.registers.write(reg.PLACE, place)

    def _put(self, address: int, number: int, words: int, room: int) -> None:
        for word in range(words):
            self._until(room, True)
            self.registers.write(address, number >> 32 * word & 0xFFFFFFFF)

    def _until(self, mask: int, value: bool) -> None:
        for _ in range(self.polls):
            if bool(self.registers.read(reg.STATUS) & mask) == value:
                return
        raise CheckFailed(f"STATUS has not changed (mask {mask:#x}) in {self.polls} reads")

    def _no_fault(self) -> None:
        if self.registers.read(reg.STATUS) & reg.STATUS_UNIT_ERROR_MASK:
            raise CheckFailed("the unit says that a number was illegal; reset it")

    @staticmethod
    def _check(name: str, number: int, words: int) -> None:
        if not 0 <= number < 1 << 32 * words:
            raise BadInput(f"{name}={number:#x} does not fit {words} words of 32 bits")


