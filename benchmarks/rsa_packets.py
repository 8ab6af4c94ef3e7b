# SPDX-License-Identifier: Apache-2.0
"""Random packets, legal and illegal, to RSA on AXI4-Stream, held against the integer model.

Headers that mean nothing, packets too short and too long, words without all their bytes, keys that
are none: each packet is answered by one, with the status and the key that it has to have, and with
the output of its command or with none, so that no word of a private key leaves but by the command
that may give it; and the next job is right.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from gmpy2 import is_prime, next_prime

from benchmarks.bus_exchanges import Tried
from benchmarks.figures import FOLDER
from benchmarks.host_parts import Wrong, expect
from redcore.design import Design
from redcore.errors import CheckFailed
from redcore.simulate import compile as build
from redcore.simulate.loaded import Loaded
from redcore.units.rsa.bench import TOP
from redcore.units.rsa.family import RsaUnit
from redcore.units.rsa.model import OPERATIONS, Command, Held, Key, RsaModel, Status, to_words

DRIVER = FOLDER.parent / "tests" / "units" / "rsa_bus_driver.cpp"
NEVER = (1 << 64) - 1
DRAWN = 2
HEADER, KEEP = 16, 17
"""``packet_e`` of redc_rsa_stream_pkg."""
RIGHT_EVERY = 20
"""Packets from one job that has to be right to the next."""


class _Job(ctypes.Structure):
    """As ``Job`` in rsa_bus_driver.cpp; compared when a library is loaded."""

    _fields_ = (
        ("fault_at", ctypes.c_uint64),
        *((name, ctypes.c_uint32) for name in (
            "random", "write", "address", "data", "keep", "answered", "refused",
        )),
    )  # fmt: skip


class Packets(Loaded):
    """RSA on a stream that is tried; ``sources`` stand for files of the same names."""

    def __init__(self, design: Design, seed: int, sources: Sequence[Path] = ()) -> None:
        assert isinstance(design.family, RsaUnit)
        self.unit = design.family.unit(design.width, design.values)
        by_name = {path.name: path for path in sources}
        files = design.family.named(TOP, design.width, design.values, faults=True)
        files = [by_name.get(path.name, path) for path in files]
        library = build.library(files, TOP, {}, driver=DRIVER)
        super().__init__(library, _Job, "bus", ctypes.c_uint64(seed))
        self._library.bus_access.restype = ctypes.c_char_p
        self._job = _Job(fault_at=NEVER, random=DRAWN)
        self._library.bus_seed(self._live(), ctypes.c_uint64(seed))
        self.choose, self.tried = Random(seed), Tried()
        self.key = self.new_key()
        self.reset()

    def reset(self) -> None:
        """As the reset port does."""
        self._library.bus_reset(self._live())
        self.model = RsaModel(self.unit)

    def new_key(self) -> Key:
        """Primes of half the width."""
        half, choose = self.unit.width // 2, self.choose
        while True:
            p, q = (int(next_prime(choose.getrandbits(half) | 3 << half - 2)) for _ in range(2))
            if p != q and max(p, q) < 1 << half and (p - 1) % 65537 and (q - 1) % 65537:
                return Key.of_primes(p, q, 65537)

    # Words ----------------------------------------------------------------------------------------

    def word(self, write: bool, data: int = 0, last: bool = False, keep: int = 15) -> int:
        """A word in or out, in whatever time; of one that comes out ``last`` is then told."""
        if self.choose.random() < 0.2:
            count = ctypes.c_uint64(self.choose.randrange(12))
            self._library.bus_wait(self._live(), ctypes.byref(self._job), count)
        job = self._job
        job.write, job.address, job.data, job.keep = write, last, data, keep
        fault = self._library.bus_access(self._live(), ctypes.byref(job)).decode()
        if fault or not job.answered:
            raise Wrong(fault or f"no word is {'taken' if write else 'given'}")
        self.tried.accesses += 1
        return int(job.data)

    def packet(self, header: int, words: Sequence[int], keeps: Sequence[int]) -> list[int]:
        """A packet, with the bytes of each of its words; the answer and the output."""
        every = [header, *words]
        for at, (word, keep) in enumerate(zip(every, keeps, strict=True)):
            self.word(True, word, at + 1 == len(every), keep)
        found, most = [self.word(False)], 4 + len(self.unit.key_words(self.key))
        while not self._job.refused:
            found.append(self.word(False))
            expect(len(found) <= most, "an answer without an end")
        return found

    # Packets --------------------------------------------------------------------------------------

    def wanted(self, command: Command) -> int:
        """Operand words of a command."""
        unit = self.unit
        if command is Command.LOAD_KEY:
            return 3 * unit.full_words + 5 * unit.half_words
        if command is Command.LOAD_PUBLIC:
            return 2 * unit.full_words
        return unit.full_words if command in OPERATIONS else 0

    def right(
        self, header: int, words: Sequence[int], keeps: Sequence[int]
    ) -> tuple[int, Sequence[int]]:
        """The status and the output that a packet has to have."""
        if keeps[0] != 15:
            return KEEP, []
        if header >> 8 & 255 or header & 255 > 7:
            return HEADER, []
        command = Command(header & 255)
        wanted = self.wanted(command)
        if bool(wanted) != bool(words):
            return Status.LENGTH, []
        broken = any(keep != 15 for keep in keeps[1:])
        seen = list(words)
        if broken:  # the core is given another number of words
            at = next(k for k, keep in enumerate(keeps[1:]) if keep != 15)
            seen = [0] * (at + 1 if at + 1 != wanted else wanted + 1)
        status, output = self.model.run(command, seen, self.bits())
        if broken:
            return KEEP, []
        return status, output if status is Status.OK else []

    def bits(self) -> Iterator[int]:
        """Any: no answer depends on them."""
        while True:
            yield self.choose.getrandbits(1)

    def tell(self, header: int, words: Sequence[int], keeps: Sequence[int] = ()) -> None:
        """A packet, whose answer has to be right."""
        keeps = keeps or [15] * (1 + len(words))
        status, output = self.right(header, words, keeps)
        answer, *found = self.packet(header, words, keeps)
        told = (answer >> 16, answer >> 10 & 63, answer & 255)
        expect(told == (header >> 16, 0, status), f"{header:#x} gave {answer:#x}, not {status}")
        expect(found == list(output), f"{header:#x} gave {len(found)} words that are not right")
        held = answer >> 8 & 3
        expect(held == self.model.held, f"{header:#x}: key {held}, not {self.model.held}")
        self.tried.refused += status != Status.OK
        self.tried.taken += status == Status.OK
        self.tried.results += bool(found)
        if status is Status.OK and header & 255 == Command.GENERATE:
            self.take_generated()

    def take_generated(self) -> None:
        """The model drew other random bits: it goes on with the key that the hardware made, which
        ``read_private`` lets out."""
        _, *found = self.packet(Command.READ_KEY, [], [15])
        self.key = key = self.unit.key_of(found)
        made = is_prime(key.p) and is_prime(key.q) and key == Key.of_primes(key.p, key.q, key.e)
        expect(made and key.e == self.unit.public_exponent, "what was made is no key")
        status, _ = self.model.run(Command.LOAD_KEY, self.unit.key_words(key), self.bits())
        expect(status is Status.OK, "what was made is refused")

    def any_packet(self) -> None:
        """Of some kind."""
        choose, unit = self.choose, self.unit
        (command,) = choose.choices(list(Command), [1, 4, 2, 3, 4, 4, 6, 1])
        words: list[int] = []
        if command is Command.LOAD_KEY:
            self.key, key = self.new_key(), self.key
            key = self.key
            if choose.random() < 0.3:
                name = choose.choice(["n", "e", "d", "p", "q", "dp", "dq", "qi"])
                key = replace(key, **{name: choose.choice([0, getattr(key, name) ^ 2])})
            words = unit.key_words(key)
        elif command is Command.LOAD_PUBLIC:
            numbers = (self.key.n & ~(choose.random() < 0.2), self.key.e)
            words = [word for n in numbers for word in to_words(n, unit.full_words)]
        elif command in OPERATIONS:
            n = self.key.n
            x = choose.choice([0, 1, n - 1, n, *(choose.randrange(n) for _ in range(8))])
            words = to_words(x, unit.full_words)
        header = choose.getrandbits(16) << 16 | command
        kind = choose.random()
        if kind < 0.06:
            header = choose.choice([header | choose.randrange(1, 256) << 8, header | 8,
                                    choose.getrandbits(32)])  # fmt: skip
        elif kind < 0.16:
            more = [choose.getrandbits(32) for _ in range(choose.randrange(1, 6))]
            words = choose.choice([words[:-1], [*words, *more], []])
        keeps = [15] * (1 + len(words))
        if choose.random() < 0.06:
            keeps[choose.randrange(len(keeps))] = choose.randrange(15)
        self.tell(header, words, keeps)

    def next_job(self) -> None:
        """A fresh key and its private operation are right, whatever came before."""
        self.key = self.new_key()
        tag = self.choose.getrandbits(16) << 16
        self.tell(tag | Command.LOAD_KEY, self.unit.key_words(self.key))
        expect(self.model.held is Held.PRIVATE, "the model holds no key")
        x = self.choose.randrange(self.key.n)
        command = self.choose.choice((Command.PRIVATE, Command.PRIVATE_CRT))
        done = self.tried.results
        self.tell(tag | command, to_words(x, self.unit.full_words))
        expect(self.tried.results == done + 1, "the next job gave no result")

    def shake(self, count: int) -> Tried:
        """``count`` words or some more; stops at the first packet that is wrong."""
        number = 0
        try:
            while self.tried.accesses < count:
                if number % RIGHT_EVERY == 0:
                    self.next_job()
                if self.choose.random() < 0.003:
                    self.tried.resets += 1
                    self.reset()
                self.any_packet()
                number += 1
            self.next_job()
        except (Wrong, CheckFailed) as fault:
            self.tried.wrong.append(f"packet {number}: {fault}")
        return self.tried
