# SPDX-License-Identifier: Apache-2.0
"""Driver of ``redc_rsa_host``: RSA on a bus.

The same calls as ``c/redc_rsa.h``. Registers, commands and statuses: ``docs/units/rsa_bus.md``.
"""

from __future__ import annotations

from collections.abc import Sequence

from redcore.driver import redc_rsa_axi_registers as reg
from redcore.driver.registers import Registers, field, number_of, words_of
from redcore.errors import BadInput, CheckFailed

GENERATE, LOAD_KEY, LOAD_PUBLIC, READ_KEY, PUBLIC, PRIVATE, PRIVATE_CRT, CLEAR = range(8)
CAUSES = {
    reg.CAUSE_ADDRESS_MASK: "address",
    reg.CAUSE_ACCESS_MASK: "access",
    reg.CAUSE_COMMAND_MASK: "command",
    reg.CAUSE_OPERAND_UNWANTED_MASK: "operand_unwanted",
    reg.CAUSE_OPERAND_FULL_MASK: "operand_full",
    reg.CAUSE_RESULT_EMPTY_MASK: "result_empty",
    reg.CAUSE_RANDOM_FULL_MASK: "random_full",
}
"""Why registers refuse an access."""
STATUSES = (
    "done", "no key", "wrong length", "bad key", "bad operand", "fault", "random source stuck",
    "cannot make keys",
)  # fmt: skip


class JobFailed(CheckFailed):
    """A job ended with a status other than success."""

    def __init__(self, command: int, status: int) -> None:
        told = STATUSES[status] if status < len(STATUSES) else f"status {status}"
        super().__init__(f"command {command} ended with: {told}")
        self.status = status


class Rsa:
    """An RSA unit behind registers; ``width`` are the bits of n that it is built for.

    Numbers of the modulus's size are ``full`` words of 32 bits, those of a prime's ``half``.
    ``polls`` is how often STATUS is looked at before a wait is given up. Refused accesses that
    nobody has looked at are forgotten. Raises CheckFailed where the registers are of another unit.
    """

    def __init__(self, registers: Registers, polls: int = 10_000_000) -> None:
        self.registers = registers
        self.polls = polls
        registers.identify((reg.ID, reg.VERSION), "RSA1", 1, "redc_rsa_host")
        self.width = registers.read(reg.WIDTH)
        registers.write(reg.CAUSE, sum(CAUSES))
        self.full = -(-self.width // 32)
        self.half = -(-self.width // 64)

    def zeroize(self) -> None:
        """Drop the job, forget and overwrite the key; clear CAUSE."""
        self.registers.write(reg.CONTROL, reg.CONTROL_ZEROIZE_MASK)
        self._idle()
        self.registers.write(reg.CAUSE, 0xFFFFFFFF)

    def load_key(self, numbers: Sequence[int]) -> None:
        """Load a private key: n, e, d, p, q, d mod p - 1, d mod q - 1, 1 / q mod p."""
        sizes = (self.full,) * 3 + (self.half,) * 5
        if len(numbers) != len(sizes):
            raise BadInput(f"a private key has {len(sizes)} numbers, not {len(numbers)}")
        words = [words_of(n, k) for n, k in zip(numbers, sizes, strict=True)]
        self._job(LOAD_KEY, [word for each in words for word in each])

    def load_public(self, n: int, e: int) -> None:
        """Load a public key."""
        self._job(LOAD_PUBLIC, [*words_of(n, self.full), *words_of(e, self.full)])

    def generate(self) -> None:
        """Make a key; random bits come from the unit's port."""
        self._job(GENERATE, [])

    def read_public(self) -> tuple[int, int]:
        """n and e of the key that is held."""
        words = self._job(READ_KEY, [])
        return number_of(words[: self.full]), number_of(words[self.full : 2 * self.full])

    def public(self, x: int) -> int:
        """x^e mod n."""
        return number_of(self._job(PUBLIC, words_of(x, self.full)))

    def private(self, x: int, crt: bool = True) -> int:
        """x^d mod n, by p and q or by d alone."""
        return number_of(self._job(PRIVATE_CRT if crt else PRIVATE, words_of(x, self.full)))

    def clear(self) -> None:
        """Forget the key."""
        self._job(CLEAR, [])

    def _job(self, command: int, operands: Sequence[int]) -> list[int]:
        """Give a command and its operands; its output. JobFailed where it ends otherwise,
        CheckFailed where registers refused an access, which over plain memory only CAUSE tells."""
        self._idle()
        # Results of a job whose wait was given up would be taken for this one's.
        for _ in range(self.registers.read(reg.RESULT_LEVEL) & reg.RESULT_LEVEL_WORDS_MASK):
            self.registers.read(reg.RESULT)
        self.registers.write(reg.COMMAND, command)
        results: list[int] = []
        given = 0
        for _ in range(self.polls):
            status = self.registers.read(reg.STATUS)
            if status & reg.STATUS_RESULT_READY_MASK:
                results.append(self.registers.read(reg.RESULT))
            elif not status & reg.STATUS_BUSY_MASK:
                break
            elif (
                given < len(operands)
                and status & reg.STATUS_OPERANDS_WANTED_MASK
                and self.registers.read(reg.OPERAND_LEVEL) >> 16
            ):
                last = given + 1 == len(operands)
                self.registers.write(reg.OPERAND_LAST if last else reg.OPERAND, operands[given])
                given += 1
        else:
            self.registers.not_refused(reg.CAUSE, CAUSES)
            raise CheckFailed(f"command {command} has not ended in {self.polls} reads of STATUS")
        self.registers.not_refused(reg.CAUSE, CAUSES)
        if ended := field(status, reg.STATUS_JOB_STATUS_MASK):
            self.registers.write(reg.CAUSE, reg.CAUSE_JOB_MASK)
            raise JobFailed(command, ended)
        return results

    def _idle(self) -> None:
        for _ in range(self.polls):
            if not self.registers.read(reg.STATUS) & reg.STATUS_BUSY_MASK:
                return
        raise CheckFailed(f"STATUS is busy after {self.polls} reads")
