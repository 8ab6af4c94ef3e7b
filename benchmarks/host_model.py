# SPDX-License-Identifier: Apache-2.0
"""What the registers in front of a unit may answer: a model of their map that knows no cycles.

It is told each access and its answer, and knows of each word what is sure and what may be: words
that were taken are there, those that a unit may have taken meanwhile are there or not. What is read
narrows that down, so that an answer is right only if it fits all that came before it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from gmpy2 import is_prime

from redcore.design import Design
from redcore.generate.registers import Register, registers
from redcore.units.around import Around
from redcore.units.hosted import host_words
from redcore.units.prime.generator import PrimeGeneratorUnit
from redcore.units.prime.tester import PrimeTesterUnit

MAP: dict[int, Register] = {each.address: each for each in registers("redc_host")}
AT: dict[str, int] = {each.name: each.address for each in MAP.values()}
ADDRESS, ACCESS, FULL, EMPTY, ORDER, UNIT = (1 << bit for bit in range(6))
"""Bits of CAUSE."""
DONE, ERROR, READY, OPERAND_ROOM = (1 << bit for bit in range(4))
"""Bits of IRQ_STATUS."""
BUSY, MODULUS_ROOM, A_ROOM, B_ROOM, RESULT_READY, UNIT_ERROR = (1 << bit for bit in range(6))
"""Bits of STATUS."""


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


class Host:
    """The registers of a design on a bus."""

    def __init__(self, design: Design) -> None:
        family = design.family
        assert isinstance(family, Around) and hasattr(family, "host")
        told = family.host(design.width, design.values)
        self.one: Design = family.single(design.width, design.values)
        word, beats = told["WordBits"], told["Beats"]
        in_operand, modulus_beats = host_words(word, beats), told["ModulusBeats"]
        self.in_modulus = host_words(word, modulus_beats)
        self.in_result = host_words(told.get("ResultBits", word), told.get("ResultBeats", beats))
        takes_b = told.get("TakesB", 1)
        behind = -(-(word + 31) // 32) + 1
        self.modulus = Port(self.in_modulus or host_words(word, 1), behind, self.in_modulus)
        self.a = Port(2 * in_operand, behind, in_operand)
        self.b = Port(2 * in_operand, behind, in_operand * takes_b)
        self.ports = {AT["MODULUS"]: self.modulus, AT["A"]: self.a, AT["B"]: self.b}
        self.operands = [port for port in (self.a, self.b) if port.each]
        self.results = 2 * self.in_result
        self.number_bits = word * beats
        self.places, self.longest = told["Moduli"], told["ExpBits"]
        self.fixed = {
            AT["ID"]: int.from_bytes(b"MOD1", "big"),
            AT["VERSION"]: MAP[AT["VERSION"]].reset,
            AT["WORDS"]: in_operand | self.in_modulus << 16,
            AT["NUMBERS"]: design.width | told["RBits"] << 16,
            AT["UNIT"]: told["Operation"] | told["Bound"] << 4 | told["Moduli"] << 16,
            AT["CONTROL"]: 0,
            AT["RESULT_WORDS"]: self.in_result,
        }
        self.right = 0
        """Results that were right."""
        self.by_port()

    # Resets ---------------------------------------------------------------------------------------

    def by_port(self) -> None:
        """Of everything."""
        self.illegal = False
        self.cause, self.events = Bits(), Bits()
        self.enabled, self.place, self.length = 0, 0, self.longest
        self.forget()
        self.ends_unseen = self.reset_ends = False

    def forget(self) -> None:
        """As CONTROL.reset does: FIFOs and the unit; its end is an event. What is told stays."""
        self.unit_may_fail()
        self.moduli: dict[int, int | None] = {}
        self.jobs: deque[Job] = deque()
        self.given = 0
        """Words of the oldest result that were read."""
        self.read_so_far = 0
        self.ready_least = 0
        self.not_ended = 0
        """Jobs that may not have ended."""
        self.quiet = False
        self.operands_may_wait = self.modulus_may_wait = True
        self.illegal = self.stuck = self.faulty = False
        self.ends_unseen = self.reset_ends = True
        """Something ends, or has ended, after IRQ_STATUS.done was cleared; a reset may not have."""
        for port in self.ports.values():
            port.words, port.least = [], 0

    def unit_may_fail(self) -> None:
        """A number that it must not take may have been seen."""
        if self.illegal:
            self.cause.may |= UNIT
            self.events.may |= ERROR

    # What is sure ---------------------------------------------------------------------------------

    @property
    def partial(self) -> bool:
        """Operand words surely wait for others."""
        a, b = self.a, self.b
        return bool(len(a.words) % a.each or (b.each and len(a.words) != len(b.words)))

    @property
    def unread(self) -> int:
        """Result words that are there or will be."""
        return sum(job.words for job in self.jobs) - self.given

    def most(self, port: Port) -> int:
        """Room that there is at most: words wait for those of the other operand."""
        if not port.each:
            return 0
        other = self.b if port is self.a else self.a
        ahead = len(port.words) - len(other.words) if other.each and port is not self.modulus else 0
        return port.capacity - min(port.capacity, max(0, ahead - port.behind))

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
            self.operands_may_wait, self.modulus_may_wait = False, True
            if len(port.words) == port.each:
                self.moduli[self.place] = self._modulus(_number(port.words))
                port.words = []
            return
        self.operands_may_wait = True
        self.stuck |= bool(self.modulus.words)
        whole = len(port.words) % port.each == 0
        if whole and all(len(each.words) >= len(port.words) for each in self.operands):
            self._job(len(port.words) // port.each - 1)

    def _modulus(self, told: int) -> int | None:
        """The modulus of these words; None where it is none that the unit must take."""
        width = self.one.width
        modulus = told & (1 << self.number_bits) - 1
        family = self.one.family
        legal = modulus & 1 and modulus.bit_length() == width and not family.prime_moduli
        if legal and family.modulus_words(width, self.one.values, modulus) == told:
            return modulus
        self.illegal = True
        return None

    def _job(self, number: int) -> None:
        """Both operands of that number are there."""
        each = self.a.each
        a, b = (
            _number(port.words[number * each : (number + 1) * each]) for port in (self.a, self.b)
        )
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
        if modulus is not None:
            most_a, most_b = self.one.operand_limits(modulus)
            if a < most_a and b < most_b:
                used = b & (1 << self.length) - 1 if self.longest else b
                return self.one.product(a, used, modulus)
        self.illegal = True
        return None

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
        if self.given == job.words:
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
        expect(word >> 6 == 0, f"STATUS is {word:#x}")
        self._seen_ready(bool(word & RESULT_READY))
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

    # The interrupt --------------------------------------------------------------------------------

    def reasons(self) -> tuple[int, int]:
        """IRQ_STATUS: bits that are surely 1, and those that may be."""
        self.unit_may_fail()
        self.events.may |= DONE if self.not_ended or self.reset_ends else 0
        sure, may = self.events.sure, self.events.may
        sure |= READY if self.ready_least else 0
        may |= READY if self.unread else 0
        sure |= OPERAND_ROOM if all(port.least for port in self.operands) else 0
        may |= OPERAND_ROOM if all(map(self.most, self.operands)) else 0
        return sure, may

    def line(self, irq: bool) -> None:
        """The interrupt line, as it is now."""
        sure, may = self.reasons()
        expect(irq or not sure & self.enabled, f"no interrupt for {sure & self.enabled:#x}")
        expect(not irq or bool(may & self.enabled), "an interrupt for nothing")


def _number(words: Sequence[int]) -> int:
    """Of words, least significant first."""
    return sum(word << 32 * at for at, word in enumerate(words))
