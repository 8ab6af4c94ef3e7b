# SPDX-License-Identifier: Apache-2.0
"""Driver of ``redc_host``: a multiplier, modmul, an exponentiator or a curve unit on a bus.

The same calls as ``c/redc_modular.h``. Registers: ``docs/units/host.md``.
"""

from __future__ import annotations

from collections.abc import Sequence

from redcore.driver import redc_host_registers as reg
from redcore.driver.registers import Registers, field, number_of, words_of
from redcore.errors import BadInput, CheckFailed


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
        registers.identify((reg.ID, reg.VERSION), "MOD1", 1, "redc_host")
        sizes, numbers, unit = (registers.read(at) for at in (reg.WORDS, reg.NUMBERS, reg.UNIT))
        self.words = field(sizes, reg.WORDS_OPERAND_MASK)
        self.modulus_words = field(sizes, reg.WORDS_MODULUS_MASK)
        self.width = field(numbers, reg.NUMBERS_WIDTH_MASK)
        self.r_bits = field(numbers, reg.NUMBERS_R_BITS_MASK)
        self.operation = field(unit, reg.UNIT_OPERATION_MASK)
        self.bound = field(unit, reg.UNIT_BOUND_MASK)
        self.moduli = field(unit, reg.UNIT_MODULI_MASK)

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
        words = words_of(modulus, self.modulus_words, "the modulus")
        self._choose(place)
        self._put(reg.MODULUS, words, reg.STATUS_MODULUS_ROOM_MASK)
        self._until(reg.STATUS_BUSY_MASK, False)
        self._no_fault()

    def set_length(self, bits: int) -> None:
        """How many bits of an exponent are gone through, from 1. Waits for what is under way."""
        self._until(reg.STATUS_BUSY_MASK, False)
        self.registers.write(reg.LENGTH, bits)

    def start(self, a: int, b: int) -> None:
        """Give operands, each word once there is room for it; results come in the same order."""
        a_words, b_words = words_of(a, self.words, "a"), words_of(b, self.words, "b")
        self._put(reg.A, a_words, reg.STATUS_A_ROOM_MASK)
        self._put(reg.B, b_words, reg.STATUS_B_ROOM_MASK)

    def result(self) -> int:
        """Wait for the next result; below ``bound`` times m. CheckFailed where the unit says that a
        number was illegal."""
        found = []
        for _ in range(self.words):
            self._until(reg.STATUS_RESULT_READY_MASK, True)
            found.append(self.registers.read(reg.RESULT))
        self._no_fault()
        return number_of(found)

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

    def _put(self, address: int, words: Sequence[int], room: int) -> None:
        for word in words:
            self._until(room, True)
            self.registers.write(address, word)

    def _until(self, mask: int, value: bool) -> None:
        for _ in range(self.polls):
            if bool(self.registers.read(reg.STATUS) & mask) == value:
                return
        raise CheckFailed(f"STATUS has not changed (mask {mask:#x}) in {self.polls} reads")

    def _no_fault(self) -> None:
        if self.registers.read(reg.STATUS) & reg.STATUS_UNIT_ERROR_MASK:
            raise CheckFailed("the unit says that a number was illegal; reset it")
