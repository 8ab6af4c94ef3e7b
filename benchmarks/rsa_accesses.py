# SPDX-License-Identifier: Apache-2.0
"""Random accesses, legal and illegal, to the registers of RSA by its bus, held against a model.

Jobs go on word by word among accesses of all kinds: registers and bytes that there are and are not,
commands too early, words that nobody wants, results that are not there, zeroizations, resets, and a
lock on private keys. Each access has to be answered, and refused where it must be; results are
those of the integer model; no word of a private key is read but by the command that may give it;
and now and then a fresh key is loaded, whose private operation has to be right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from gmpy2 import next_prime

from benchmarks.bus_exchanges import PATIENCE, Tried
from benchmarks.host_parts import Wrong, expect
from redcore.design import Design
from redcore.emulate import Simulated
from redcore.emulate.simulated import Access
from redcore.errors import CheckFailed
from redcore.generate.registers import Register, registers
from redcore.units.rsa.family import RsaUnit
from redcore.units.rsa.model import (
    OPERATIONS,
    Command,
    Held,
    Key,
    Rsa,
    RsaModel,
    Status,
    to_number,
    to_words,
)

MAP: dict[int, Register] = {each.address: each for each in registers("redc_rsa_axi")}
AT: dict[str, int] = {each.name: each.address for each in MAP.values()}
(ADDRESS, ACCESS, COMMAND, UNWANTED, FULL, EMPTY, RANDOM, JOB) = (1 << bit for bit in range(8))
"""Bits of CAUSE."""
BUSY, WANTED, READY = 1, 2, 4
"""Bits of STATUS."""
WHOLE = ("COMMAND", "OPERAND", "OPERAND_LAST", "RANDOM")
"""Written with all bytes, or refused."""
POLLS = 20_000
SETTLE_EVERY = 400
NO_SECRET = 1 << 20
"""Words below are met anywhere."""
MASK = (1 << 32) - 1


@dataclass
class Job:
    """A command under way or ended, its operand words, and what it gives once they are known."""

    command: Command
    words: list[int] = field(default_factory=list)
    whole: bool = False
    """No more operand words are wanted."""
    status: Status | None = None
    output: list[int] | None = None
    """None where nothing is known of it."""
    read: int = 0
    told: bool = True
    """Whether CAUSE has not been cleared of an end's bit since it began."""


class RsaAccesses(Simulated):
    """RSA on a bus that is tried; ``sources`` stand for the design's own files."""

    def __init__(self, design: Design, seed: int, sources: Sequence[Path] | None = None) -> None:
        super().__init__(design, seed, 0, sources=sources)
        assert isinstance(design.family, RsaUnit)
        self.unit: Rsa = design.family.unit(design.width, design.values)
        self.bus = str(design.values["bus"])
        self.choose = Random(seed)
        self.tried = Tried()
        self.secrets: set[int] = set()
        self.key = self.new_key()
        self.by_port()

    def by_port(self) -> None:
        """All is as behind a reset."""
        self.model = RsaModel(self.unit)
        self.made = False
        """Whether a key was made of which only its public part is known."""
        self.job: Job | None = None
        self.plan: list[int] = []
        self.busy: bool | None = None
        """Surely, surely not, or not known."""
        self.cause, self.cause_may, self.enabled, self.error_sure = 0, 0, 0, False
        self.readable = bool(self.unit.read_private)
        self.software = False
        self.room, self.ready, self.random_room = 0, 0, 0
        """Sure of the access before."""

    def new_key(self) -> Key:
        """Primes of half the width, both of all their bits; its private words are secrets."""
        half, choose = self.unit.width // 2, self.choose
        while True:
            p, q = (int(next_prime(choose.getrandbits(half) | 3 << half - 2)) for _ in range(2))
            if p != q and max(p, q) < 1 << half and (p - 1) % 65537 and (q - 1) % 65537:
                break
        key = Key.of_primes(p, q, 65537)
        public = {*to_words(key.n, self.unit.full_words), 65537}
        words = {
            word
            for number in (key.d, key.p, key.q, key.dp, key.dq, key.qi)
            for word in to_words(number, self.unit.full_words)
        }
        self.secrets |= {word for word in words - public if word >= NO_SECRET}
        return key

    # One access -----------------------------------------------------------------------------------

    def put(self, write: bool, address: int, data: int = 0, strobes: int = 15) -> int | None:
        """An access in whatever time; what was read, None where it was refused."""
        choose = self.choose
        kind = choose.random()
        if kind < 0.3:
            self.pass_cycles(choose.randrange(2_000 if kind < 0.03 else 8))
        if self.bus == "wishbone":
            address &= ~3
        access = Access(int(write), address, data, strobes, PATIENCE)
        if choose.random() < 0.4:
            for name in ("address_after", "data_after", "answer_after"):
                setattr(access, name, choose.choice((0, 0, 1, 2, 5)))
        beside = None
        if self.bus == "axi" and write and choose.random() < 0.1:
            beside = Access(0, AT[choose.choice(("ID", "WIDTH", "OPERAND"))], 0, 15, PATIENCE)
        self.exchange(access, beside)
        self.count(access)
        if beside is not None:
            self.tried.beside += 1
            self.count(beside)
            self.told(beside.address, False, 0, 15, beside)
        self.told(address, write, data, strobes, access)
        if beside is not None and beside.refused and not self.cause & ACCESS:
            self.cause_may |= ACCESS  # told before it was cleared, or behind that
        sure = self.error_sure and bool(self.enabled & 2)
        expect(self.irq or not sure, "no interrupt for an error")
        expect(not self.irq or bool(self.enabled), "an interrupt for nothing")
        return None if access.refused else int(access.data)

    def pass_cycles(self, cycles: int) -> None:
        """Without another thread's help."""
        self._told(self._function("wait")(self._live(), cycles))

    def count(self, access: Access) -> None:
        """One more, by its answer."""
        self.tried.accesses += 1
        self.tried.refused += bool(access.refused)
        self.tried.taken += not access.refused

    def told(self, address: int, write: bool, data: int, strobes: int, access: Access) -> None:
        """Whether the answer is one that may be, and what follows from it."""
        refused, word = bool(access.refused), int(access.data)
        register = MAP.get(address)
        room, ready, random_room = self.room, self.ready, self.random_room
        self.room = self.ready = self.random_room = 0
        if not write:
            expect(not refused or not word, "a refused read gives something")
            name = register.name if register else "no register"
            known = word not in self.secrets or name == "RESULT"
            expect(known, f"a word of a private key is read from {name}")
        if register is None:
            self.must(refused, True, ADDRESS, f"address {address:#x}")
        elif not (register.writable if write else register.readable):
            self.must(refused, True, ACCESS, f"{register.name}, {'write' if write else 'read'}")
        elif not write:
            self.was_read(register.name, word, refused, ready)
        elif not strobes:
            self.must(refused, False, 0, "a write of no byte")
        elif register.name in WHOLE and strobes != 15:
            self.must(refused, True, ACCESS, f"bytes {strobes:#x} of {register.name}")
        else:
            kept = data & sum(255 << 8 * at for at in range(4) if strobes >> at & 1)
            self.written(register.name, kept, strobes, refused, room, random_room)

    def must(self, refused: bool, wanted: bool | None, cause: int, what: str) -> None:
        """A refusal as it has to be (None: either), and what is told of it."""
        expect(
            wanted is None or refused == wanted, f"{what} was {'refused' if refused else 'taken'}"
        )
        if refused:
            self.cause |= cause
            self.error_sure = True

    # Writes ---------------------------------------------------------------------------------------

    def written(
        self, name: str, kept: int, strobes: int, refused: bool, room: int, random_room: int
    ) -> None:
        """A write of some bytes, the others of which are 0 in ``kept``."""
        job = self.job
        if name == "COMMAND":
            wanted = True if kept >> 3 or self.busy or self.unread else None
            if wanted is None and self.busy is False:
                wanted = False
            self.must(refused, wanted, COMMAND, f"command {kept}")
            if not refused:
                self.ended()
                self.begin(Command(kept))
        elif name in ("OPERAND", "OPERAND_LAST"):
            wants = job is not None and not job.whole
            wanted = None if wants else True
            if wants and room:
                wanted = False
            self.must(refused, wanted, FULL if wants else UNWANTED, f"{name} of {job}")
            if not refused and job:
                job.words.append(kept)
                if name == "OPERAND_LAST":
                    job.whole = True
                    self.know(job)
        elif name == "RANDOM":
            self.must(refused, False if random_room else None, RANDOM, "a random word")
        else:
            self.must(refused, False, 0, name)
            if name == "CONTROL":
                if strobes & 1:
                    self.software = bool(kept & 2)
                if kept & 1:
                    self.zeroized()
            elif name == "CAUSE":
                self.cause &= ~kept
                self.cause_may &= ~kept
                if kept & JOB and job:
                    job.told = False
                if self.busy is not False:
                    self.cause_may |= JOB
            elif name == "IRQ_STATUS" and kept & 2:
                self.error_sure = False
            elif name == "IRQ_ENABLE" and strobes & 1:
                self.enabled = kept & 31
            elif name == "READ_PRIVATE_REGWEN" and strobes & 1 and not kept & 1:
                self.readable = False

    def zeroized(self) -> None:
        """The job and the key are gone."""
        self.job, self.plan, self.busy, self.made = None, [], None, False
        self.model.held = Held.NONE
        self.cause_may |= JOB
        self.tried.resets += 1

    def begin(self, command: Command) -> None:
        """A job, as the registers take it."""
        self.job = job = Job(command)
        self.busy = True
        self.model.read_lock = not self.readable
        self.cause_may |= JOB
        if command in (Command.LOAD_KEY, Command.LOAD_PUBLIC, *OPERATIONS):
            return
        job.whole = True
        self.know(job)

    def know(self, job: Job) -> None:
        """What a job gives whose operands are known; from now on it may have ended."""
        self.busy = None
        command, model = job.command, self.model
        if command is Command.GENERATE and self.unit.generate:
            job.status, job.output = Status.OK, []
            model.held, self.made = Held.PRIVATE, True
            return
        if command in (Command.LOAD_KEY, Command.LOAD_PUBLIC, Command.CLEAR):
            self.made = False
        elif self.made:
            return  # of a key that is not known
        job.status, job.output = model.run(command, job.words, self.bits())

    def bits(self) -> Iterator[int]:
        """Any: no answer depends on them."""
        while True:
            yield self.choose.getrandbits(1)

    # Reads ----------------------------------------------------------------------------------------

    @property
    def unread(self) -> int:
        """Result words that are surely there or will be, before anything else."""
        job = self.job
        return len(job.output) - job.read if job and job.output and self.busy is False else 0

    def was_read(self, name: str, word: int, refused: bool, ready: int) -> None:
        """A read of a register that may be read."""
        job = self.job
        if name == "RESULT":
            self.must(refused, False if ready else None, EMPTY, "a result word")
            if not refused:
                self.result(word)
            return
        self.must(refused, False, 0, f"a read of {name}")
        fixed = {
            "ID": 0x52534131, "WIDTH": self.unit.width, "VERSION": MAP[AT["VERSION"]].reset,
            "IRQ_ENABLE": self.enabled, "CONTROL": 2 * self.software,
            "READ_PRIVATE_REGWEN": int(self.readable),
        }  # fmt: skip
        if name in fixed:
            expect(word == fixed[name], f"{name} is {word:#x}, not {fixed[name]:#x}")
        elif name == "STATUS":
            self.status(word)
        elif name == "CAUSE":
            expect(not self.cause & ~word, f"CAUSE is {word:#x} without {self.cause:#x}")
            may = self.cause | self.cause_may
            expect(not word & ~may, f"CAUSE is {word:#x}, and may be {may:#x}")
        elif name == "OPERAND_LEVEL":
            self.room = word >> 16
        elif name == "RESULT_LEVEL":
            self.ready = word & 0xFFFF
            if job and job.output is not None:
                expect(self.ready <= len(job.output) - job.read, f"{self.ready} result words")
        elif name == "RANDOM_LEVEL":
            self.random_room = 0 if self.busy is not False else word >> 16

    def status(self, word: int) -> None:
        """STATUS, which tells of an end."""
        job = self.job
        expect(not word & 64, "the core has an error")
        if word & WANTED:
            expect(job is not None and not job.whole, "operands are wanted by nothing")
        if word & READY:
            expect(job is not None and job.output != [], "a result of nothing")
            self.ready = 1
        if word & BUSY:
            expect(self.busy is not False, "busy with nothing")
            return
        wants = job is not None and not job.whole
        expect(not wants, "a job has ended that wants operands")
        self.ended()
        expect(word >> 4 & 3 == self.model.held, f"key is {word >> 4 & 3}, not {self.model.held}")
        if job and job.status is not None:
            told = word >> 8 & 15
            expect(told == job.status, f"{job.command.name}: status {told}, not {job.status}")
            if job.status is not Status.OK and job.told:
                self.cause |= JOB

    def ended(self) -> None:
        """Nothing goes on any more."""
        self.busy = False

    def result(self, word: int) -> None:
        """The next word of a job's output."""
        job = self.job
        expect(job is not None, "a result of no job")
        assert job
        if job.output is None:
            job.read += 1
            return
        expect(job.read < len(job.output), f"{job.command.name} gives a word too many")
        right = job.output[job.read]
        expect(word == right, f"{job.command.name} gave {word:#x}, not {right:#x}")
        job.read += 1
        self.tried.results += job.read == len(job.output)

    # What is tried --------------------------------------------------------------------------------

    def shake(self, count: int) -> Tried:
        """``count`` accesses or some more; stops at the first that is wrong."""
        kind = ""
        try:
            self.next_job()
            settled = 0
            while self.tried.accesses < count:
                kind = self.step()
                if self.tried.accesses - settled > SETTLE_EVERY:
                    kind = "settle"
                    self.next_job()
                    settled = self.tried.accesses
            self.next_job()
        except (Wrong, CheckFailed) as fault:
            self.tried.wrong.append(f"access {self.tried.accesses} ({kind}): {fault}")
        return self.tried

    def step(self) -> str:
        """An access of some kind, or a few; what kind."""
        kinds = {
            self.go_on: 60.0, self.read_any: 10.0, self.read_result: 4.0, self.settings: 6.0,
            self.bad_address: 4.0, self.bad_access: 4.0, self.bad_bytes: 3.0, self.any_command: 2.0,
            self.any_word: 2.0, self.flood: 0.5, self.zeroize: 0.2, self.lock: 0.03,
            self.reset_port: 0.03,
        }  # fmt: skip
        (work,) = self.choose.choices(list(kinds), list(kinds.values()))
        self.tried.kinds[work.__name__] += 1
        work()
        return work.__name__

    def go_on(self) -> None:
        """What a driver does next."""
        if not self.advance():
            self.start()

    def advance(self) -> bool:
        """A step of what is under way; whether there is anything."""
        job = self.job
        status = self.put(False, AT["STATUS"])
        assert status is not None
        if status & READY:
            self.read_result()
        elif status & WANTED and job is not None:
            if (self.put(False, AT["OPERAND_LEVEL"]) or 0) >> 16:
                words = self.plan or [self.choose.getrandbits(32)]
                name = "OPERAND_LAST" if len(words) == 1 else "OPERAND"
                if self.put(True, AT[name], words[0]) is not None:
                    self.plan = words[1:]
        elif status & BUSY:
            if status & 8 and self.choose.random() < 0.8:  # random words are wanted
                if self.choose.random() < 0.3:
                    self.put(True, AT["CONTROL"], 0)
                else:
                    self.put(True, AT["RANDOM"], self.choose.getrandbits(32))
            else:
                self.pass_cycles(self.choose.randrange(3_000))
        else:
            return False
        return True

    def start(self, command: Command | None = None) -> None:
        """A job with what it takes, mostly."""
        choose, unit = self.choose, self.unit
        if command is None:
            weights = (0.1 * unit.generate, 4, 1, 2, 4, 4, 6, 0.3)
            (command,) = choose.choices(list(Command), weights)
        if self.put(True, AT["COMMAND"], command) is None:
            return
        self.plan = []
        if command is Command.LOAD_KEY:
            self.key = self.new_key()
            key = self.key
            if choose.random() < 0.2:
                name = choose.choice(["n", "e", "d", "p", "q", "dp", "dq", "qi"])
                key = replace(key, **{name: getattr(key, name) ^ 2})
            self.plan = unit.key_words(key)
        elif command is Command.LOAD_PUBLIC:
            self.plan = [
                *to_words(self.key.n, unit.full_words), *to_words(self.key.e, unit.full_words)
            ]  # fmt: skip
        elif command in OPERATIONS:
            n = self.key.n
            x = choose.choice([0, 1, n - 1, n, *(choose.randrange(n) for _ in range(12))])
            self.plan = to_words(x, unit.full_words)
        if self.plan and choose.random() < 0.05:
            self.plan = choose.choice([self.plan[:-1] or [0, 0], [*self.plan, 0]])

    def read_any(self) -> None:
        names = [each.name for each in MAP.values() if each.readable and each.name != "RESULT"]
        self.put(False, AT[self.choose.choice(names)])

    def read_result(self) -> None:
        self.put(False, AT["RESULT"])

    def settings(self) -> None:
        """Registers that keep what is written, by all or some of their bytes."""
        choose, data = self.choose, self.choose.getrandbits(32)
        name = choose.choice(("CAUSE", "IRQ_STATUS", "IRQ_ENABLE", "CONTROL"))
        if name == "CONTROL":
            data &= ~1
        self.put(True, AT[name], data, choose.choice((15, 15, choose.randrange(16))))
        if choose.random() < 0.5:
            self.put(False, AT[name])

    def bad_address(self) -> None:
        address = self.choose.choice((self.choose.randrange(4096), 4 * self.choose.randrange(1024)))
        if address % 4 or address not in MAP:
            if self.bus == "tilelink":
                address &= ~3  # the bus itself refuses others, and tells no register
            if address not in MAP:
                self.put(self.choose.random() < 0.5, address, self.choose.getrandbits(32))

    def bad_access(self) -> None:
        write = self.choose.random() < 0.5
        names = [
            each.name for each in MAP.values() if not (each.writable if write else each.readable)
        ]
        self.put(write, AT[self.choose.choice(names)], self.choose.getrandbits(32))

    def bad_bytes(self) -> None:
        name = self.choose.choice(WHOLE)
        self.put(True, AT[name], self.choose.getrandbits(32), self.choose.randrange(15))

    def any_command(self) -> None:
        """At any time, whether there is such a one or not."""
        choose = self.choose
        code = choose.choice((choose.randrange(1, 8), choose.randrange(8, 1 << 32)))
        self.put(True, AT["COMMAND"], code)

    def any_word(self) -> None:
        name = self.choose.choice(("OPERAND", "OPERAND_LAST", "RANDOM"))
        self.put(True, AT[name], self.choose.getrandbits(32))

    def flood(self) -> None:
        """More words than there is room for."""
        name = self.choose.choice(("OPERAND", "RANDOM"))
        for _ in range(24):
            self.put(True, AT[name], self.choose.getrandbits(32))

    def zeroize(self) -> None:
        self.put(True, AT["CONTROL"], self.choose.getrandbits(2) | 1)

    def lock(self) -> None:
        """Private keys are not read from now on, until a reset."""
        self.put(True, AT["READ_PRIVATE_REGWEN"], self.choose.getrandbits(32) & ~1)
        self.put(True, AT["READ_PRIVATE_REGWEN"], MASK)
        self.put(False, AT["READ_PRIVATE_REGWEN"])

    def reset_port(self) -> None:
        self.tried.resets += 1
        self.reset()
        self.by_port()

    # The next job ---------------------------------------------------------------------------------

    def next_job(self) -> None:
        """Whatever was under way: a zeroization, a key, and its private operation, which is right;
        the key is then read as far as may be."""
        self.put(True, AT["CONTROL"], 1)
        self.idle()
        self.start(Command.LOAD_KEY)
        self.plan = self.unit.key_words(self.key)
        self.idle()
        x = self.choose.randrange(self.key.n)
        done = self.tried.results
        self.start(self.choose.choice((Command.PRIVATE, Command.PRIVATE_CRT)))
        self.plan = to_words(x, self.unit.full_words)
        self.idle()
        job = self.job
        expect(job is not None and job.output is not None, "no private operation")
        assert job and job.output is not None
        right = pow(x, self.key.d, self.key.n)
        expect(to_number(job.output) == right, "the model is wrong")
        expect(self.tried.results == done + 1, "the next job gave no result")
        self.start(Command.READ_KEY)
        self.idle()

    def idle(self) -> None:
        """Until a job has ended and all its results are read."""
        for _ in range(POLLS):
            job = self.job
            some = bool(job and job.output and job.read < len(job.output))
            if self.busy is False and not some:
                return
            if self.busy is False and some:
                self.read_result()
                continue
            self.advance()
        raise Wrong(f"busy for ever, with {self.job}")
