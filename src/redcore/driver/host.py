# SPDX-License-Identifier: Apache-2.0
"""What drivers of units behind ``redc_host`` have in common. Registers: ``docs/units/host.md``."""

from __future__ import annotations

from collections.abc import Sequence

from redcore.driver import redc_host_registers as reg
from redcore.driver.registers import Registers, field, number_of
from redcore.errors import CheckFailed

CAUSES = {
    reg.CAUSE_ADDRESS_MASK: "address",
    reg.CAUSE_ACCESS_MASK: "access",
    reg.CAUSE_FULL_MASK: "full",
    reg.CAUSE_RESULT_EMPTY_MASK: "result_empty",
    reg.CAUSE_ORDER_MASK: "order",
}
"""Why registers refuse an access."""


class Host:
    """A unit behind registers; sizes as its registers tell.

    ``width`` are bits of a number that it works on, ``words``, ``result_words`` and
    ``modulus_words`` are words of 32 bits, ``operation`` is UNIT.operation. ``status_bits`` are
    bits of why a result is 0, 0 where the unit does not say, and ``status`` says it of the last
    result: 0 where it is one. ``polls`` is how often STATUS is looked at before a wait is given up.
    Refused accesses that nobody has looked at are
    forgotten. Raises CheckFailed where the registers are of another unit.
    """

    def __init__(self, registers: Registers, polls: int = 1_000_000) -> None:
        self.registers = registers
        self.polls = polls
        minor = registers.identify((reg.ID, reg.VERSION), "MOD1", 1, "redc_host")
        sizes, numbers, unit = (registers.read(at) for at in (reg.WORDS, reg.NUMBERS, reg.UNIT))
        self.words = field(sizes, reg.WORDS_OPERAND_MASK)
        self.modulus_words = field(sizes, reg.WORDS_MODULUS_MASK)
        self.result_words = self.words
        # Version 1.0 of the map has results of as many words as operands, and does not say so.
        if minor:
            of_result = registers.read(reg.RESULT_WORDS)
            self.result_words = field(of_result, reg.RESULT_WORDS_WORDS_MASK)
        self.width = field(numbers, reg.NUMBERS_WIDTH_MASK)
        self.r_bits = field(numbers, reg.NUMBERS_R_BITS_MASK)
        self.operation = field(unit, reg.UNIT_OPERATION_MASK)
        self.bound = field(unit, reg.UNIT_BOUND_MASK)
        self.moduli = field(unit, reg.UNIT_MODULI_MASK)
        self.status_bits = field(unit, reg.UNIT_STATUS_BITS_MASK)
        self.status = 0
        registers.write(reg.CAUSE, 0xFFFFFFFF)

    def reset(self) -> None:
        """Drop what is under way, forget moduli, empty and overwrite the FIFOs; clear CAUSE."""
        self.registers.write(reg.CONTROL, reg.CONTROL_RESET_MASK)
        self._idle()
        self.registers.write(reg.CAUSE, 0xFFFFFFFF)

    def result(self) -> int:
        """Wait for the next result; why it is 0 is ``status`` then, of a unit that says so.

        CheckFailed where the unit says that a number was illegal, or where registers refused an
        access, which over plain memory only CAUSE tells.
        """
        found = []
        for _ in range(self.result_words):
            state = self._until(reg.STATUS_RESULT_READY_MASK, True)
            self.status = field(state, reg.STATUS_RESULT_STATUS_MASK)
            found.append(self.registers.read(reg.RESULT))
        self._no_fault()
        return number_of(found)

    def _put(self, *streams: tuple[int, int, Sequence[int]]) -> None:
        """Words of streams that are taken together, each an address, its bit of STATUS, words.

        A word of each once there is room for it: FIFOs may be shorter than a number.
        """
        for words in zip(*(words for _, _, words in streams), strict=True):
            for (address, room, _), word in zip(streams, words, strict=True):
                self._until(room, True)
                self.registers.write(address, word)

    def _idle(self) -> None:
        self._until(reg.STATUS_BUSY_MASK, False)

    def _until(self, mask: int, value: bool) -> int:
        """STATUS, once it is so."""
        for _ in range(self.polls):
            state = self.registers.read(reg.STATUS)
            if bool(state & mask) == value:
                return state
        self._no_fault()
        raise CheckFailed(f"STATUS has not changed (mask {mask:#x}) in {self.polls} reads")

    def _no_fault(self) -> None:
        self.registers.not_refused(reg.CAUSE, CAUSES)
        if self.registers.read(reg.STATUS) & reg.STATUS_UNIT_ERROR_MASK:
            raise CheckFailed(self._error)

    _error = "the unit says that a number was illegal; reset it"
