# SPDX-License-Identifier: Apache-2.0
"""``redc_rsa`` in simulation: built on a multiplier, given commands, its answers read."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from redcore.design import Design
from redcore.errors import CheckFailed
from redcore.simulate import compile as build
from redcore.simulate.loaded import Loaded
from redcore.units import compose
from redcore.units.rsa.hosts import HOSTS
from redcore.units.rsa.model import OPERATIONS, Command, Held, Key, Rsa, Status, to_number, to_words

DRIVER = Path(__file__).with_name("driver.cpp")
TOP = "rsa_bench"
"""The module that puts the unit beside its multiplier."""
NEVER = (1 << 64) - 1
PATIENCE = 20_000_000
"""Clock cycles without anything moving after which there is no hope."""


class _Job(ctypes.Structure):
    """As ``Job`` in driver.cpp; compared when a library is loaded."""

    _fields_ = (
        ("operands", ctypes.c_void_p),
        ("operand_count", ctypes.c_uint64),
        ("last_at", ctypes.c_uint64),
        ("output", ctypes.c_void_p),
        ("output_room", ctypes.c_uint64),
        ("random", ctypes.c_char_p),
        ("random_count", ctypes.c_uint64),
        ("fault_at", ctypes.c_uint64),
        ("patience", ctypes.c_uint64),
        ("command", ctypes.c_uint32),
        ("stalls", ctypes.c_uint32),
        ("resumed", ctypes.c_uint32),
        ("read_lock", ctypes.c_uint32),
        ("several", ctypes.c_uint32),
        ("lock_turns_at", ctypes.c_uint64),
        ("output_count", ctypes.c_uint64),
        ("random_used", ctypes.c_uint64),
        ("operands_taken", ctypes.c_uint64),
        ("results", ctypes.c_uint64),
        ("waited", ctypes.c_uint64),
        ("cycles", ctypes.c_uint64),
        ("status", ctypes.c_uint32),
        ("key", ctypes.c_uint32),
        ("err", ctypes.c_uint32),
    )


@dataclass(frozen=True)
class Answer:
    """How a command ended, its output words, and what it took."""

    status: Status
    words: list[int]
    held: Held
    cycles: int
    """From the command's handshake to the answer's."""
    bits: list[int]
    """The random bits taken."""
    results: int
    """Words that the multiplier gave."""
    taken: int
    """Operand words that were taken."""

    @property
    def number(self) -> int:
        """The output as one number."""
        return to_number(self.words)


def library(
    unit: Rsa,
    multiplier: Design,
    extra: Mapping[str, int] | None = None,
    replaced: Sequence[Path] = (),
    visible: bool = False,
    cycles: int | None = None,
    trace: bool = False,
) -> Path:
    """The compiled unit on a multiplier with three moduli, with a port that makes faults.

    ``extra`` sets more of the unit's RTL parameters; ``replaced`` are files that stand in for the
    library's of the same names; ``visible`` makes ``RsaBench.state`` possible, ``trace`` its
    ``dump``; ``cycles`` is about how many are to be simulated, where that is known. Raises BadInput
    where unit and multiplier do not fit.
    """
    return compiled(sources(unit, multiplier, extra), replaced, visible, cycles, trace)


def compiled(
    files: Sequence[Path],
    replaced: Sequence[Path] = (),
    visible: bool = False,
    cycles: int | None = None,
    trace: bool = False,
) -> Path:
    """The compiled simulation of these files, the top ``TOP`` last; arguments as of ``library``."""
    by_name = {path.name: path for path in replaced}
    files = [by_name.get(path.name, path) for path in files]
    return build.library(files, TOP, {}, trace=trace, driver=DRIVER, visible=visible, cycles=cycles)


def sources(unit: Rsa, multiplier: Design, extra: Mapping[str, int] | None = None) -> list[Path]:
    """The files that ``library`` compiles, the top ``TOP`` last; arguments as there."""
    unit.check()
    wide, context = unit.top_context(multiplier, extra, faults=True)
    context |= {"host": HOSTS["none"]}
    return compose.sources(__package__, TOP, "rsa_top.sv.j2", wide, context)


class RsaBench(Loaded):
    """The unit in simulation, or ``several`` behind one face."""

    def __init__(self, unit: Rsa, library: Path, seed: int = 1, several: bool = False) -> None:
        super().__init__(library, _Job, "rsa", ctypes.c_uint64(seed))
        self.unit = unit
        self._several = several
        self.read_lock = False
        """The unit's input of that name, as a command begins."""
        self.lock_turns_at = NEVER
        """Output words of a command from which on it is the other way."""
        self._library.rsa_run.restype = ctypes.c_char_p
        self._library.rsa_state.restype = ctypes.c_char_p
        self._library.rsa_wait.restype = ctypes.c_uint64
        self._library.rsa_memory.restype = ctypes.c_uint64
        self._library.rsa_traces.restype = ctypes.c_uint64
        self._random = random.Random(seed)
        self._job = _Job()
        self.reset()

    def reset(self) -> None:
        """Hold reset for a few cycles."""
        self._library.rsa_reset(self._live())

    def wait(self, cycles: int = 1 << 40) -> int:
        """Wait, up to so many cycles, until nothing is going on; how many cycles it was."""
        count = ctypes.c_uint64(cycles)
        handle = self._live()
        return self._watched(lambda: int(self._library.rsa_wait(handle, count)))

    def command(
        self,
        command: Command,
        words: Sequence[int] = (),
        last_at: int | None = None,
        random_bits: Sequence[int] | int | None = None,
        stalls: bool = False,
        fault_at: int = NEVER,
        patience: int = PATIENCE,
        resumed: bool = False,
        tell: Callable[[], None] | None = None,
    ) -> Answer:
        """Give a command with its operands and return its answer.

        ``random_bits`` are bits, or how many there are; None: as many as can be needed. ``last_at``
        is the operand that is marked as the last; ``fault_at`` the multiplier's result, from 0,
        whose lowest bit is turned. ``resumed``: the command was given before, and raised for want
        of something. ``tell`` is called now and then meanwhile. Raises CheckFailed where the unit
        breaks its contract or does nothing for ``patience`` cycles.
        """
        given = [(command, words)]
        (answer,) = self._commands(
            given, last_at, random_bits, stalls, fault_at, patience, resumed, tell
        )
        return answer

    def commands(
        self,
        given: Sequence[tuple[Command, Sequence[int]]],
        stalls: bool = False,
        fault_at: int = NEVER,
        patience: int = PATIENCE,
    ) -> list[Answer]:
        """Offer commands one right behind the other; their answers, in order.

        Several units work on some of them side by side. All random bits taken are the first
        answer's, which ``fault_at`` counts from, too. Raises CheckFailed as ``command`` does.
        """
        return self._commands(given, stalls=stalls, fault_at=fault_at, patience=patience)

    def _commands(
        self,
        given: Sequence[tuple[Command, Sequence[int]]],
        last_at: int | None = None,
        random_bits: Sequence[int] | int | None = None,
        stalls: bool = False,
        fault_at: int = NEVER,
        patience: int = PATIENCE,
        resumed: bool = False,
        tell: Callable[[], None] | None = None,
    ) -> list[Answer]:
        if random_bits is None:
            random_bits = sum(self._enough(command) for command, _ in given)
        if isinstance(random_bits, int):
            drawn = self._random.randbytes(-(-random_bits // 8))
            random_bits = [byte >> k & 1 for byte in drawn for k in range(8)][:random_bits]
        raw = bytes(random_bits)
        jobs = (_Job * len(given))()
        kept = []  # what the jobs point to
        for job, (command, words) in zip(jobs, given, strict=True):
            operands = (ctypes.c_uint32 * max(1, len(words)))(*words)
            room = self._output_words(command)
            output = (ctypes.c_uint32 * max(1, room))()
            kept.append((operands, output))
            job.operands, job.output = ctypes.addressof(operands), ctypes.addressof(output)
            job.operand_count, job.output_room = len(words), room
            job.last_at = max(0, len(words) - 1) if last_at is None else last_at
            job.random, job.random_count = raw, len(raw)
            job.fault_at, job.patience, job.command = fault_at, patience, command
            job.stalls, job.resumed, job.several = stalls, resumed, self._several
            job.read_lock, job.lock_turns_at = self.read_lock, self.lock_turns_at
        self._job = jobs[0]
        handle, count = self._live(), ctypes.c_uint64(len(given))
        fault = self._watched(lambda: self._library.rsa_run(handle, jobs, count).decode(), tell)
        if fault:
            names = ", ".join(dict.fromkeys(command.name for command, _ in given))
            raise CheckFailed(f"{names}: {fault} after {jobs[0].cycles} cycles")
        return [
            Answer(
                Status(job.status),
                list(output[: job.output_count]),
                Held(job.key),
                int(job.cycles),
                list(random_bits[: job.random_used]),
                int(job.results),
                int(job.operands_taken),
            )
            for job, (_, output) in zip(jobs, kept, strict=True)
        ]

    @property
    def cycles(self) -> int:
        """Cycles of the command that is going on, or was last."""
        return int(self._job.cycles)

    def generate(self, stalls: bool = False, tell: Callable[[], None] | None = None) -> Answer:
        """Make a key; read it with ``read_key``. ``tell`` is as of ``command``."""
        return self.command(Command.GENERATE, stalls=stalls, tell=tell)

    def load_key(self, key: Key) -> Answer:
        """Load a private key."""
        return self.command(Command.LOAD_KEY, self.unit.key_words(key))

    def load_public(self, n: int, e: int) -> Answer:
        """Load a public key."""
        words = [*to_words(n, self.unit.full_words), *to_words(e, self.unit.full_words)]
        return self.command(Command.LOAD_PUBLIC, words)

    def read_key(self) -> Key:
        """The private key that is held; raise CheckFailed where there is none to be read."""
        answer = self.command(Command.READ_KEY)
        if answer.status is not Status.OK or not self._reads_private():
            raise CheckFailed(f"no private key to be read: {answer.status.name}")
        return self.unit.key_of(answer.words)

    def public(self, x: int) -> Answer:
        """x^e mod n."""
        return self.command(Command.PUBLIC, to_words(x, self.unit.full_words))

    def private(self, x: int, crt: bool = True) -> Answer:
        """x^d mod n, with or without p and q."""
        command = Command.PRIVATE_CRT if crt else Command.PRIVATE
        return self.command(command, to_words(x, self.unit.full_words))

    def clear(self) -> Answer:
        """Forget the key."""
        return self.command(Command.CLEAR)

    def memory(self) -> list[int]:
        """The words of the unit's memory, slot by slot."""
        size = int(self._library.rsa_memory(self._live(), None, ctypes.c_uint64(0)))
        words = (ctypes.c_uint32 * size)()
        self._library.rsa_memory(self._live(), words, ctypes.c_uint64(size))
        return list(words)

    def traces(self, number: int, bits: int) -> int:
        """How often the lowest ``bits`` of a number stand in the simulation's state."""
        raw = (number & ((1 << bits) - 1)).to_bytes(bits // 8, "little")
        return int(self._library.rsa_traces(self._live(), raw, ctypes.c_uint64(len(raw))))

    def state(self) -> dict[str, str]:
        """Every register, memory and signal of unit and multiplier, by name, as hexadecimal bytes.

        All inputs are zero. Raises CheckFailed where the library was not built ``visible``.
        """
        lines = self._library.rsa_state(self._live()).decode().splitlines()
        if not lines:
            raise CheckFailed("the simulation was built without names")
        return dict(line.split(" ") for line in lines)

    def _output_words(self, command: Command) -> int:
        """Words that the command gives where all is well."""
        unit = self.unit
        if command is Command.READ_KEY:
            return (
                3 * unit.full_words + 5 * unit.half_words
                if self._reads_private()
                else 2 * unit.full_words
            )
        return unit.full_words if command in OPERATIONS else 0

    def _reads_private(self) -> bool:
        """Whether READ_KEY gives the numbers of a private key."""
        self.wait()
        held = Held(self._library.rsa_key(self._live()))
        return held is Held.PRIVATE and bool(self.unit.read_private) and not self.read_lock

    def _enough(self, command: Command) -> int:
        """More random bits than a command should ever take."""
        if command is Command.GENERATE:
            return 2000 * self.unit.width + 200_000
        return 40 * self.unit.width + 4 * self.unit.blinding + 64
