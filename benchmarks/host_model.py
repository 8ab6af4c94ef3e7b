# SPDX-License-Identifier: Apache-2.0
"""What the registers in front of a unit may answer: a model of their map that knows no cycles.

It is told each access and its answer, and knows of each word what is sure and what may be: words
that were taken are there, those that a unit may have taken meanwhile are there or not. What is read
narrows that down, so that an answer is right only if it fits all that came before it.
"""

from __future__ import annotations

from gmpy2 import is_prime

from benchmarks.host_parts import (
    A_ROOM,
    ACCESS,
    ADDRESS,
    AT,
    B_ROOM,
    BUSY,
    DONE,
    EMPTY,
    ERROR,
    FULL,
    MAP,
    MODULUS_ROOM,
    ORDER,
    READY,
    REASON_AT,
    RESULT_READY,
    UNIT_ERROR,
    Job,
    Port,
    assembled,
    expect,
)  # fmt: skip
from benchmarks.host_state import HostState
from redcore.design import Design
from redcore.units.curve.family import CurveUnit
from redcore.units.prime.generator import PrimeGeneratorUnit
from redcore.units.prime.tester import PrimeTesterUnit


def fits_curve(one: Design, modulus: int) -> bool:
    """Whether a modulus is a prime for which there is the design's curve."""
    unit = one.family
    assert isinstance(unit, CurveUnit)
    told = unit.modulus_reason(one.width, one.values, modulus)
    return not (told or unit.no_curve(one.width, one.values, modulus))


class Host(HostState):
    """The registers of a design on a bus."""

    # Writes ---------------------------------------------------------------------------------------

    def causes(self, address: int, data: int, strobes: int) -> set[int]:
        """Why a write may be refused; 0 among them where it may be taken."""
        register = MAP.get(address)
        if register is None:
            return {ADDRESS}
        if not register.writable:
            return {ACCESS}
        if not strobes or address not in (AT["PLACE"], AT["LENGTH"], *self.ports):
            return {0}
        if strobes != 15:
            return {ACCESS}
        if address in (AT["PLACE"], AT["LENGTH"]):
            legal = data < self.places if address == AT["PLACE"] else 0 < data <= self.longest
            waits = self.partial or bool(self.modulus.words)
            may = waits or self.operands_may_wait or self.modulus_may_wait
            return ({ORDER} if may else set()) | (set() if waits else {0 if legal else ACCESS})
        port = self.ports[address]
        if not port.each:
            return {ACCESS}
        found = {0} if self.most(port) else set()
        if not port.least:
            found.add(FULL)
        if port is self.modulus:
            if self.operands_may_wait or self.partial:
                found.add(ORDER)
            if self.partial or (self.stuck and port.words):
                found = {ORDER}
        return found

    def write(self, address: int, data: int, strobes: int, refused: bool) -> None:
        """A write and whether it was refused; raises Wrong."""
        name = MAP[address].name if address in MAP else f"{address:#x}"
        possible = self.causes(address, data, strobes)
        if refused:
            self._refused(possible - {0}, f"a write to {name}")
            return
        expect(0 in possible, f"a write of {data:#x} to {name} by bytes {strobes:#x} was taken")
        kept = data & sum(255 << 8 * byte for byte in range(4) if strobes >> byte & 1)
        if not strobes:
            return
        if address in self.ports:
            self._word(self.ports[address], data)
        elif name == "CONTROL" and kept & 1:
            self.forget()
        elif name == "CAUSE":
            self.cause.clear(kept)
        elif name == "IRQ_STATUS":
            self.events.clear(kept & ERROR)
            if kept & DONE:
                self.events.clear(DONE)
                self.ends_unseen = False
                for job in self.jobs:
                    job.since_clear = False
        elif name == "IRQ_ENABLE" and strobes & 1:
            self.enabled = kept & 15
        elif name in ("PLACE", "LENGTH"):
            self.operands_may_wait = self.modulus_may_wait = False
            if name == "PLACE":
                self.place = data
            else:
                self.length = data

    def _refused(self, causes: set[int], what: str) -> None:
        expect(bool(causes), f"{what} was refused")
        if len(causes) == 1:
            self.cause.set(*causes)
        self.cause.may |= sum(causes)
        self.events.set(ERROR)

    def _word(self, port: Port, data: int) -> None:
        """A word of a number was taken."""
        self.quiet = self.reset_ends = False
        port.words.append(data)
        port.least = max(port.least - 1, 0)
        if port is self.modulus:
            if len(port.words) == 1:
                self.stuck = False  # no operands wait: the unit took them
            self.operands_may_wait, self.modulus_may_wait = False, True
            legal = self._legal_so_far(port.words)
            self.illegal |= not legal
            if len(port.words) == port.each:
                told = assembled(port.words) & (1 << self.number_bits) - 1
                self.moduli[self.place] = told if legal else None
                port.words = []
            return
        self.operands_may_wait = True
        self.stuck |= bool(self.modulus.words)
        if all(len(each.words) >= len(port.words) for each in self.operands):
            number, part = divmod(len(port.words), port.each)
            if part:
                self.illegal |= self._too_large(*self._of_job(number, part))
            else:
                self._job(number - 1)

    def _legal_so_far(self, words: list[int]) -> bool:
        """Whether these may be the lowest words of a modulus that the unit must take: it may tell
        that they are not as soon as they come, before the last word."""
        width, family = self.one.width, self.one.family
        told, bits = assembled(words), 32 * len(words)
        modulus = told & (1 << self.number_bits) - 1
        if not modulus & 1 or modulus.bit_length() > width:
            return False
        if bits < self.number_bits:
            return True
        if modulus.bit_length() != width:
            return False
        if family.prime_moduli and not fits_curve(self.one, modulus):
            return False
        right = family.modulus_words(width, self.one.values, modulus)
        return told == right & (1 << bits) - 1

    def _of_job(self, number: int, words: int) -> tuple[int, int]:
        """The lowest words of both operands of that number."""
        first = number * self.a.each
        a, b = (assembled(port.words[first : first + words]) for port in (self.a, self.b))
        return a, b

    def _too_large(self, a: int, b: int) -> bool:
        """Operands, or their lowest words, that are not below what the unit takes: it may tell of
        these before the last word."""
        modulus = self.moduli.get(self.place)
        if modulus is None:
            return False
        most_a, most_b = self.one.operand_limits(modulus)
        return a >= most_a or b >= most_b

    def _job(self, number: int) -> None:
        """Both operands of that number are there."""
        a, b = self._of_job(number, self.a.each)
        self.jobs.append(Job(self._value(a, b), self.in_result))
        self.not_ended += 1
        self.ends_unseen = True

    def _value(self, a: int, b: int) -> int | None:
        """What comes of operands; None where they are not what the unit must take."""
        family = self.one.family
        if isinstance(family, PrimeGeneratorUnit):
            return None
        if isinstance(family, PrimeTesterUnit):
            if a.bit_length() > self.one.width:
                return 3 << 1 if a.bit_length() <= self.number_bits else None
            verdict = family.unit(self.one.width, self.one.values).verdict(a, iter(()))
            return verdict.prime | verdict.reason << 1 | verdict.passed << 16
        if self.place not in self.moduli:
            self.stuck = True
            return None
        modulus = self.moduli[self.place]
        if modulus is None or self._too_large(a, b):
            self.illegal = True
            return None
        used = b & (1 << self.length) - 1 if self.longest else b
        return self.one.product(a, used, modulus)

    # Reads ----------------------------------------------------------------------------------------

    def read(self, address: int, word: int, refused: bool) -> None:
        """A read and its answer; raises Wrong."""
        register = MAP.get(address)
        if refused:
            expect(word == 0, f"a refused read of {address:#x} gives {word:#x}")
        if register is None or not register.readable:
            expect(refused, f"a read of {address:#x} was taken")
            self._refused({ADDRESS if register is None else ACCESS}, "")
            return
        name = register.name
        if name == "RESULT":
            self._result(word, refused)
            return
        expect(not refused, f"a read of {name} was refused")
        if address in self.fixed:
            expect(word == self.fixed[address], f"{name} is {word:#x}")
        elif name == "STATUS":
            self._status(word)
        elif name == "CAUSE":
            self.unit_may_fail()
            self.cause.read(word, name)
        elif name == "IRQ_STATUS":
            sure, may = self.reasons()
            expect(not sure & ~word and not word & ~may, f"{name} is {word:#x}, not {sure:#x}")
            self.events.read(word & (DONE | ERROR), name)
            self._seen_ready(bool(word & READY))
        elif name == "ROOM":
            for port, room in ((self.a, word & 0xFFFF), (self.b, word >> 16)):
                most = self.most(port)
                expect(port.least <= room <= most, f"room is {room}, not {port.least} to {most}")
                port.least = room
        elif name == "RESULT_LEVEL":
            most = min(self.results, self.unread)
            expect(self.ready_least <= word <= most, f"{word} result words, at most {most}")
            self.ready_least = word
        else:
            known = {"IRQ_ENABLE": self.enabled, "PLACE": self.place, "LENGTH": self.length}
            expect(word == known[name], f"{name} is {word:#x}, not {known[name]:#x}")

    def _result(self, word: int, refused: bool) -> None:
        if refused:
            expect(not self.ready_least, "a result word that is there was refused")
            self._refused({EMPTY}, "")
            return
        expect(self.unread > 0, f"a result word {word:#x} of nothing")
        job = self.jobs[0]
        if job.value is not None:
            right = job.value >> 32 * self.given & 0xFFFFFFFF
            expect(word == right, f"a result word is {word:#x}, {right:#x} is right")
        job.read |= word << 32 * self.given
        self.ready_least = max(self.ready_least - 1, 0)
        self.given += 1
        reason, self.reason = self.reason, None
        if self.given == job.words:
            expect(not reason or not job.read, f"{job.read:#x} with a status of {reason}")
            self.right += self._known(job)
            self.given = 0
            self.jobs.popleft()
            self.read_so_far += 1
            self.not_ended = min(self.not_ended, len(self.jobs))
            if job.since_clear:
                self.events.set(DONE)
            for port in self.operands:
                waiting = len(port.words) - self.read_so_far * port.each
                port.least = max(port.least, port.capacity - waiting)

    def _known(self, job: Job) -> bool:
        """Whether a result that was read whole could be compared; any prime is right."""
        family = self.one.family
        if not isinstance(family, PrimeGeneratorUnit):
            return job.value is not None
        unfit = family.unit(self.one.width, self.one.values).unfit(job.read)
        expect(bool(is_prime(job.read)) and not unfit, f"{job.read:#x} was found, no prime")
        return True

    def _seen_ready(self, ready: bool) -> None:
        expect(not (ready and not self.unread), "a result is ready of nothing")
        expect(ready or not self.ready_least, "a result is not ready any more")
        self.ready_least = max(self.ready_least, int(ready))

    def _status(self, word: int) -> None:
        reason = word >> REASON_AT
        known = word & ((1 << 6) - 1) | reason << REASON_AT
        expect(word == known and reason < self.statuses, f"STATUS is {word:#x}")
        self._seen_ready(bool(word & RESULT_READY))
        if word & RESULT_READY:
            same = self.reason in (None, reason)
            expect(same, f"a result's status is {reason}, and was {self.reason}")
            self.reason = reason
        else:
            expect(not reason, f"a status of {reason} without a result")
        expect(self.illegal or not word & UNIT_ERROR, "the unit has an error")
        expect(not self.faulty or bool(word & UNIT_ERROR), "the unit's error has gone")
        self.faulty = bool(word & UNIT_ERROR)
        for port, bit in ((self.a, A_ROOM), (self.b, B_ROOM)):
            room = bool(word & bit)
            expect(not room or bool(self.most(port)), "there is room where words wait")
            expect(room or not port.least, f"room of {port.least} has gone")
            port.least = max(port.least, int(room))
        if word & MODULUS_ROOM:
            expect(not self.partial and bool(self.in_modulus), "room for a modulus")
            self.operands_may_wait = False
            self.modulus.least = max(self.modulus.least, 1)
        else:
            sure = self.modulus.least and not (self.operands_may_wait or self.partial)
            expect(not sure, "room for a modulus has gone")
        if word & BUSY:
            expect(not self.quiet, "busy with nothing")
        else:
            waits = self.partial or self.modulus.words
            expect(not waits and self.unread <= self.results, "not busy while words wait")
            self._quiet()

    def _quiet(self) -> None:
        """Nothing is going on: all that was asked for has been answered."""
        self.quiet = True
        self.reset_ends = False
        self.operands_may_wait = self.modulus_may_wait = False
        self.ready_least, self.not_ended = self.unread, 0
        for port in self.ports.values():
            port.empty()
        if self.ends_unseen:
            self.events.set(DONE)
            self.ends_unseen = False
