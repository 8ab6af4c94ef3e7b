# SPDX-License-Identifier: Apache-2.0
"""Bits of registers turned in RSA's commands and in a curve's job: what comes of them."""

from __future__ import annotations

import ctypes
import itertools
import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.study import Case, Row, Rows, Study
from redcore.catalogue import family
from redcore.design import Design, Value
from redcore.errors import BadInput
from redcore.simulate import compile as build
from redcore.simulate.loaded import Loaded
from redcore.units.curve.family import CurveUnit
from redcore.units.rsa import bench
from redcore.units.rsa.model import Command, Key, Rsa, Status, to_number, to_words
from redcore.verify.registers import Sequential, in_simulation, sequential

DRIVER = Path(__file__).resolve().parents[1] / "faults.cpp"
WORDS = 64
KEY, X = Key.of_primes(251, 241, 7), 12345
OTHER = replace(Key.of_primes(241, 251, 7), d=KEY.d + 6000)
"""The same public key of other private numbers: d is the same modulo lcm(250, 240)."""
EVERY = 100
"""After one in so many faults that change nothing the next operation is looked at, too."""
NOW = (1 << 64) - 1
WHOLE = 1000
"""Of faults that the unit has seen, of which many are tried, one in so many is not cut short."""
SMALL = {"generate": 0, "blinding": 16, "primes": 3, "random_bases": 4, "public_exponent": 17}
NUMBERS = ".i_numbers."
OF_CURVES_CONTROL = (
    ".u_control.", ".u_issue.", ".u_numbers.", ".u_result.", ".u_several.", ".u_turns.",
)  # fmt: skip
LAST = 400
"""Cycles of a curve's job in which each bit of control is turned."""


@dataclass(frozen=True)
class CurveJob:
    """A curve, and what it is asked for."""

    width: int
    settings: Mapping[str, Value]
    prime: int
    point: tuple[int, ...]
    scalar: int


CURVE_JOBS = {
    "weierstrass": CurveJob(
        16, {"form": "weierstrass", "a": -3, "b": 9, "order": 65223}, 65521, (2, 2952), 0x8765
    ),
    # Modulo a larger prime, as a chance of some hundreds in it is left; the scalar in two parts.
    "kummer": CurveJob(
        24, {"form": "kummer", "scalar_bits": 36}, (1 << 24) - 3, (1, 1, 491528), 0x876543210
    ),
}


class _Result(ctypes.Structure):
    """As ``Result`` in faults.cpp; compared when the library is loaded."""

    _fields_ = (
        ("cycles", ctypes.c_uint64),
        ("count", ctypes.c_uint64),
        ("lasts", ctypes.c_uint64),
        ("status", ctypes.c_uint32),
        ("answered", ctypes.c_uint32),
        ("same", ctypes.c_uint32),
        ("asserted", ctypes.c_uint32),
        ("unasked", ctypes.c_uint32),
        ("left", ctypes.c_uint32),
        ("output", ctypes.c_uint32 * WORDS),
    )


@dataclass(frozen=True)
class Register:
    """A register or memory: its place among all signals, name, and bits of its elements."""

    number: int
    name: str
    bits: int
    elements: int
    kept: tuple[int, ...]
    """Which of these are registers."""

    @property
    def size(self) -> int:
        """Bits of all elements that are registers."""
        return self.elements * len(self.kept)

    def place(self, at: int) -> tuple[int, int]:
        """The element and bit of one of these."""
        element, bit = divmod(at, len(self.kept))
        return element, self.kept[bit]


@dataclass(frozen=True)
class Flip:
    """A bit turned at the beginning of a cycle."""

    cycle: int
    register: Register
    element: int
    bit: int


class _Turn(ctypes.Structure):
    """As ``Turn`` in faults.cpp."""

    _fields_ = (
        ("cycle", ctypes.c_uint64),
        ("number", ctypes.c_uint32),
        ("element", ctypes.c_uint32),
        ("bit", ctypes.c_uint32),
    )


@cache
def _sequential(files: tuple[Path, ...], top: str) -> dict[str, Sequential]:
    """Asked once where several units are open."""
    return sequential(files, top)


class Unanswered(RuntimeError):
    """A command, or a job, that is not answered, and none behind it is."""


class Injected(Loaded, ABC):
    """A unit in simulation with one operation, in which bits of registers are turned."""

    def __init__(
        self, sources: Sequence[Path], top: str, replaced: Sequence[Path], random_bits: int
    ) -> None:
        changed = {path.name: path for path in replaced}
        files = [changed.get(path.name, path) for path in sources]
        path = build.library(files, top, {}, driver=DRIVER, visible=True)
        super().__init__(path, _Result, "faults", ctypes.c_uint64(1))
        self.asserted = 0
        """Faults so far in which a check of the RTL complained, which hardware has not."""
        self.right: list[int] = []
        self.cycles = 0
        self._limit, self._longest = ctypes.c_uint64(0), 0
        self._library.faults_registers.restype = ctypes.c_char_p
        self._bits = bytes(random.Random(5).choices((0, 1), k=random_bits))
        lines = self._library.faults_registers(self._live()).decode().splitlines()
        signals = [
            (name, int(bits), int(elements))
            for name, bits, elements in (line.rsplit(" ", 2) for line in lines)
        ]
        kept = in_simulation(
            _sequential(tuple(files), top), top, {name: elements for name, _, elements in signals}
        )
        self.registers = [
            Register(number, name, bits, elements, kept[name].bits)
            for number, (name, bits, elements) in enumerate(signals)
            if name in kept
        ]

    def _keep(self, command: int, words: list[int], right: list[int], stays: bool = False) -> None:
        """Do an operation of which the right words are known, for faults to be tried in.

        ``stays``: whether it was right shows in what comes behind it.
        """
        answer = self._run(command, words, kept=True)
        if self._words(answer) != right:
            raise RuntimeError("the operation is wrong without a fault")
        self.right, self.cycles = right, int(answer.cycles)
        self._limit = ctypes.c_uint64(4 * self._longest + 4000)
        known = (ctypes.c_uint32 * max(1, len(right)))(*right)
        self._library.faults_right(
            self._live(), known, ctypes.c_uint64(len(right)), ctypes.c_uint32(stays)
        )

    @property
    def bits(self) -> int:
        """Bits of all registers and memories."""
        return sum(each.size for each in self.registers)

    def register(self, ending: str) -> Register:
        """The one whose name ends so."""
        (found,) = [each for each in self.registers if each.name.endswith(ending)]
        return found

    def some(self, count: int, seed: int = 1) -> list[Flip]:
        """So many, every bit and cycle as likely, in the order of cycles."""
        choose = random.Random(seed)
        sizes = [each.size for each in self.registers]
        found = []
        for _ in range(count):
            (register,) = choose.choices(self.registers, sizes)
            at = choose.randrange(register.size)
            flip = Flip(choose.randrange(self.cycles), register, *register.place(at))
            found.append(flip)
        return sorted(found, key=lambda each: each.cycle)

    def outcome(self, *flips: Flip) -> str:
        """What comes of bits turned in one operation: see ``OUTCOMES``."""
        flips = tuple(sorted(flips, key=lambda each: each.cycle))
        turns = (_Turn * len(flips))(
            *((each.cycle, each.register.number, each.element, each.bit) for each in flips)
        )
        result = _Result()
        self._library.faults_try(
            self._live(), turns, ctypes.c_uint64(len(flips)), self._limit, ctypes.byref(result)
        )
        return self._judged(result)

    def every(
        self, register: Register, element: int, bit: int, begin: int, stride: int
    ) -> Counter[str]:
        """Of one bit, turned in every ``stride``-th cycle, how often what comes of it.

        Where the unit has seen a fault, all but one in ``WHOLE`` count as reported without that the
        rest is run.
        """
        count = len(range(begin, self.cycles, stride))
        codes, asserted = (ctypes.c_uint8 * count)(), (ctypes.c_uint8 * count)()
        self._library.faults_all(
            self._live(), register.number, element, bit, ctypes.c_uint64(begin),
            ctypes.c_uint64(stride), ctypes.c_uint64(WHOLE), self._limit, codes, asserted,
        )  # fmt: skip
        self.asserted += sum(code != 3 and told for code, told in zip(codes, asserted, strict=True))
        found: Counter[str] = Counter()
        for at, code in enumerate(codes):
            if code == 3:
                found[self.outcome(Flip(begin + at * stride, register, element, bit))] += 1
            else:
                found[("masked", "reported", "no answer", "", "reported")[code]] += 1
        return found

    def look(self, cycle: int, register: Register, element: int = 0) -> int:
        """A register's element at the beginning of a cycle without a fault; as it is: ``NOW``."""
        value = (ctypes.c_uint8 * max(8, register.bits // 8 + 8))()
        self._library.faults_look(
            self._live(), ctypes.c_uint64(cycle), register.number, element, value
        )
        return int.from_bytes(bytes(value), "little") & ((1 << register.bits) - 1)

    def turned(self, cycle: int, register: Register, to: int) -> list[Flip]:
        """The bits that have to be turned for a register to be as wanted."""
        change = self.look(cycle, register) ^ to
        return [Flip(cycle, register, 0, bit) for bit in range(register.bits) if change >> bit & 1]

    def _set(self, command: int, words: list[int]) -> None:
        operands = (ctypes.c_uint32 * max(1, len(words)))(*words)
        self._library.faults_set(
            self._live(), int(command), operands, ctypes.c_uint64(len(words)), self._bits,
            ctypes.c_uint64(len(self._bits)),
        )  # fmt: skip

    def _run(self, command: int, words: list[int], kept: bool = False) -> _Result:
        self._set(command, words)
        result = _Result()
        limit = ctypes.c_uint64(10_000_000)
        self._library.faults_run(self._live(), limit, int(kept), ctypes.byref(result))
        if not result.answered:
            raise Unanswered(f"{command!r} is not answered")
        self._longest = max(self._longest, int(result.cycles))
        return result

    def _words(self, result: _Result) -> list[int]:
        return list(result.output[: min(WORDS, result.count)])

    @abstractmethod
    def _judged(self, result: _Result) -> str:
        """What came of it: a key of ``OUTCOMES``."""

    @abstractmethod
    def goes_on(self) -> bool:
        """Whether the next operation after a fault is right, with all that is kept loaded anew."""


class Faults(Injected):
    """A unit with the key ``KEY``, and one of its commands, in which bits are turned."""

    def __init__(
        self,
        unit: Rsa,
        multiplier: Design,
        replaced: Sequence[Path] = (),
        x: int = X,
        command: Command = Command.PRIVATE_CRT,
        key: Key = KEY,
    ) -> None:
        self.unit, self.key = unit, key
        self._other: Faults | None = None
        super().__init__(bench.sources(unit, multiplier), bench.TOP, replaced, 5000)
        self._told: list[int] = []
        self._cut = False
        if key is not KEY:
            self._bits = self._bits[::-1]
        elif command is not Command.PRIVATE_CRT:
            self._other = Faults(unit, multiplier, replaced, x, command, OTHER)
        self.operate(x, command)

    def operate(self, x: int, command: Command = Command.PRIVATE_CRT) -> None:
        """Load the key, and keep a command, of x where that is its operand, for faults."""
        self._run(Command.CLEAR, [])
        self.load()
        self.x, self.command = x, command
        stays = command is Command.LOAD_KEY
        self._keep(command, self._operands(command), self._right(command), stays)
        if self._other is not None:
            self._other.operate(x, command)
            if self._other.cycles != self.cycles:
                raise RuntimeError("one key takes other cycles than the other")

    def close(self) -> None:
        """The unit beside it, too."""
        if self._other is not None:
            self._other.close()
        super().close()

    def outcome(self, *flips: Flip) -> str:
        """As above; a wrong word tells of private numbers where it is another one with others."""
        found = super().outcome(*flips)
        if found == "wrong out" and self._other is not None:
            self._other.outcome(*flips)
            if self._other._told == self._told:
                return "of public numbers"
        return found

    def _operands(self, command: Command) -> list[int]:
        if command is Command.LOAD_KEY:
            return self.unit.key_words(self.key)
        if command is Command.READ_KEY:
            return []
        return to_words(self.x, self.unit.full_words)

    def _right(self, command: Command) -> list[int]:
        """What a command gives."""
        if command is Command.LOAD_KEY:
            return []
        if command is Command.READ_KEY:
            full = self.unit.full_words
            return to_words(KEY.n, full) + to_words(KEY.e, full)
        power = KEY.e if command is Command.PUBLIC else KEY.d
        return to_words(pow(self.x, power, KEY.n), self.unit.full_words)

    def load(self) -> None:
        """Load the key."""
        answer = self._run(Command.LOAD_KEY, self.unit.key_words(self.key))
        if Status(answer.status) is not Status.OK:
            raise RuntimeError("the key is refused")

    def _judged(self, result: _Result) -> str:
        self.asserted += bool(result.asserted)
        self._cut = bool(result.same)
        if self._cut:
            return "masked"
        words = self._words(result)
        self._told = [*words, result.status]
        last = 1 << len(words) - 1 if words and len(words) == len(self.right) else 0
        wrong = words != self.right[: len(words)] or result.lasts != last
        if not result.answered:
            return "wrong out" if wrong else "no answer"
        status = Status(result.status) if result.status in set(Status) else None
        if result.left and not wrong:
            return "out of step"
        if status is not Status.OK:
            return "wrong out" if wrong else "reported"
        if not wrong and words == self.right and result.answered == 1:
            return self._behind() if self.command is Command.LOAD_KEY else "masked"
        if self.command in (Command.READ_KEY, Command.LOAD_KEY):
            return "wrong out"
        back = KEY.d if self.command is Command.PUBLIC else KEY.e
        of = pow(to_number(words), back, KEY.n) ^ self.x
        return "of another operand" if of.bit_count() == 1 else "wrong out"

    def _behind(self) -> str:
        """What the commands behind a key's load give, which was answered as if all were well."""
        try:
            for command in (Command.PUBLIC, Command.READ_KEY, Command.PRIVATE_CRT):
                answer = self._run(command, self._operands(command))
                words, right = self._words(answer), self._right(command)
                self._told += [*words, answer.status]
                if words != right and command is Command.PRIVATE_CRT:
                    self._told.append(self.key.p)
                if words != right[: len(words)]:
                    return "wrong out"
                if Status(answer.status) is not Status.OK:
                    return "reported"
                if words != right:
                    return "wrong out"
            return "masked"
        except RuntimeError:
            return "no answer"
        finally:
            self._set(self.command, self._operands(self.command))

    def idle(self, cycles: int) -> None:
        """Let the unit be idle for so many cycles, in which bits are turned."""
        self._library.faults_idle(self._live(), ctypes.c_uint64(cycles))

    def unasked(self, flip: Flip, wait: int = 200) -> str:
        """What comes of a bit turned in a cycle of ``idle``, in that and in the next operation.

        ``unasked``: an answer, or a word, that nobody asked for, or an operand taken for nothing,
        in ``wait`` cycles before or after the operation.
        """
        result = _Result()
        turn = _Turn(flip.cycle, flip.register.number, flip.element, flip.bit)
        self._library.faults_idle_try(
            self._live(), ctypes.byref(turn), ctypes.c_uint64(wait), self._limit,
            ctypes.byref(result),
        )  # fmt: skip
        outcome = self._judged(result)
        return "unasked" if result.unasked else outcome

    def steps(self) -> list[int]:
        """The cycles in which instructions of the program begin, without a fault."""
        runs, begun = self.register(".i_sequencer.run_q"), self.register(".i_control.begun_q")
        return [
            cycle
            for cycle in range(self.cycles)
            if self.look(cycle, runs) and not self.look(cycle, begun)
        ]

    def skipped(self, at: int) -> list[Flip]:
        """What has to be turned for the instruction that begins there to be left out."""
        names = ("run_q", "is_q", "from_generator_q")
        return [
            flip
            for name in names
            for flip in self.turned(at, self.register(f".i_sequencer.{name}"), 0)
        ]

    def repeated(self, before: int, at: int) -> list[Flip]:
        """The same for one that began before to be run again, with what it left so far."""
        kept = ("stack_q", ".i_works.copy_q", "fault_q", "odd_q")
        return [
            flip
            for each in self.registers
            if ".i_sequencer." in each.name and not each.name.endswith(kept)
            for flip in self.turned(at, each, self.look(before, each))
        ]

    def stuck(self, cycle: int, value: int) -> str:
        """What comes of a random source that gives one value from a cycle on.

        Right results until it is told, after operations at most as have 64 such bits, are
        ``reported``.
        """
        operands = self._operands(self.command)
        bits, self._bits = self._bits, bytes([value])
        try:
            self._set(self.command, operands)
            result = _Result()
            turns = (_Turn * 1)(_Turn(cycle))
            self._library.faults_try(
                self._live(), turns, ctypes.c_uint64(0), self._limit, ctypes.byref(result)
            )
            for _ in range(5):
                words = self._words(result)
                if words and words != self.right:
                    return "wrong out"
                if not result.answered:
                    return "no answer"
                if Status(result.status) is not Status.OK:
                    return "reported"
                result = self._run(self.command, operands)
            return "masked"
        finally:
            self._bits = bits
            self._set(self.command, operands)

    def following(self) -> tuple[Status, bool]:
        """A private operation after a fault, with the key loaded anew; and whether it is right.

        An answer other than right has to say so.
        """
        command = Command.PRIVATE_CRT
        try:
            self._run(Command.CLEAR, [])
            self.load()
            answer = self._run(command, self._operands(command))
        finally:
            self._set(self.command, self._operands(self.command))
        return Status(answer.status), self._words(answer) == self._right(command)

    def goes_on(self) -> bool:
        """Whether the operation of ``following`` is right, and says so.

        A command that was cut short, as nothing differs any more, would go on as without the fault.
        """
        return self._cut or self.following() == (Status.OK, True)


class CurveFaults(Injected):
    """A curve of a few bits, a Weierstrass one by default, and a job in which bits are turned."""

    def __init__(
        self, name: str, replaced: Sequence[Path] = (), settings: Mapping[str, Value] | None = None
    ) -> None:
        given = dict(settings or {})
        job = self.job = CURVE_JOBS[str(given.get("form", "weierstrass"))]
        design = self.design = family(name).design(job.width, {**job.settings, **given})
        unit = design.family
        if not isinstance(unit, CurveUnit):
            raise BadInput(f"{name} is no curve processor")
        super().__init__(design.sources(), unit.module, replaced, 100_000)
        place = design.width, design.values
        g, point = design.geometry, unit.joined(*place, job.point)
        constants = unit.modulus_words(*place, job.prime)
        self._modulus = _cut(constants, g.word_bits, g.modulus_beats or g.beats)
        of_both = zip(
            *(_cut(one, g.word_bits, g.beats) for one in (point, job.scalar)), strict=True
        )
        self._job = [word for pair in of_both for word in pair]
        right = _cut(design.product(point, job.scalar, job.prime), g.word_bits, g.beats)
        self._run(0, self._modulus)
        self._taking = False
        # Another job waits, of which nothing is to be taken.
        self._keep(1, 2 * self._job, right)

    def _judged(self, result: _Result) -> str:
        self.asserted += bool(result.asserted)
        self._taking = bool(result.same and result.left % len(self._job))
        if result.same:
            return "masked"
        if result.left != len(self._job):
            return "out of step"
        words = self._words(result)
        if not result.answered:
            return "wrong out" if words != self.right[: len(words)] else "no answer"
        whole = len(words) == len(self.right) and result.lasts == 1 << len(words) - 1
        if result.status:  # of a fault found as words leave, zeros behind the ones that were right
            same = zip(words, self.right, strict=False)
            count = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], same))
            return "reported" if whole and not any(words[count:]) else "wrong out"
        if whole and words == self.right:
            return "masked"
        unit, design = self.design.family, self.design
        assert isinstance(unit, CurveUnit)
        number = sum(word << design.geometry.word_bits * k for k, word in enumerate(words))
        form = unit.form(design.width, design.values, self.job.prime)
        there = whole and form.has(form.split(number))
        return "another point" if there else "wrong out"

    def goes_on(self) -> bool:
        """Whether the next job is right, with the modulus loaded anew.

        A job that was cut short as its words were taken, as nothing differs any more, waits for the
        others, and would go on as without the fault.
        """
        if self._taking:
            return True
        try:
            self._run(0, self._modulus)
            # What was under way may end first.
            for _ in range(2):
                answer = self._run(1, self._job)
        finally:
            self._set(1, 2 * self._job)
        return not answer.status and self._words(answer) == self.right


def _cut(number: int, bits: int, count: int) -> list[int]:
    """Words of a number, the lowest first."""
    return [number >> bits * k & (1 << bits) - 1 for k in range(count)]


OUTCOMES = {
    "masked": "the right result, nothing reported",
    "reported": "no result, and a status that says so",
    "no answer": "neither a result nor an answer",
    "of another operand": "the right result of an operand in which the bit is turned",
    "of public numbers": "a wrong word of a public command, the same whatever is private",
    "another point": "of a curve, a point that is not the right one",
    "wrong out": "any other wrong word",
    "out of step": "an answer while words of the operands are not taken",
    "unasked": "an idle unit gives what nobody asked for, or takes an operand for nothing",
}


def until_reset(register: Register) -> bool:
    """Whether a curve's random source is stuck where its bit is turned: no job is done until reset,
    as ``docs/units/curve.md`` says."""
    return register.name.startswith("core.redc_curve") and register.name.endswith(".stuck_q")


Outcomes = Iterator[tuple[str, str, int]]
"""Where the fault was, what came of it, and how often."""


def sampled(faults: Injected) -> Outcomes:
    """2,000 single bits; and the operation behind those that changed something, and some others."""
    for number, flip in enumerate(faults.some(2_000)):
        outcome = faults.outcome(flip)
        yield flip.register.name, outcome, 1
        looks = (outcome != "masked" or number % EVERY == 0) and not until_reset(flip.register)
        if looks and not works_on(faults, outcome):
            yield flip.register.name, "following wrong", 1


def works_on(faults: Injected, outcome: str) -> bool:
    """Whether the next operation is right; behind one without an answer, which may still be at work
    and is then ended by a reset alone, it may have none, too."""
    try:
        return faults.goes_on()
    except Unanswered:
        return outcome == "no answer"


def one_cycle(faults: Injected) -> Outcomes:
    """Every bit of state, each in a cycle that is drawn."""
    choose = random.Random(6)
    for register in faults.registers:
        for at in range(register.size):
            flip = Flip(choose.randrange(faults.cycles), register, *register.place(at))
            yield register.name, faults.outcome(flip), 1


def pairs(faults: Faults) -> Outcomes:
    """10,000 times two bits of one operation."""
    first, second = faults.some(10_000, seed=2), faults.some(10_000, seed=3)
    random.Random(4).shuffle(second)
    for one, other in zip(first, second, strict=True):
        outcome = faults.outcome(one, other)
        yield f"{one.register.name} and {other.register.name}", outcome, 1


def all_of(
    faults: Injected, registers: Iterable[Register], stride: int, begin: int | None = None
) -> Outcomes:
    """Every bit of registers, in every ``stride``-th cycle from ``begin`` on, or each register
    from another one on."""
    for register in registers:
        first = register.number % stride if begin is None else begin
        for at in range(register.size):
            found = faults.every(register, *register.place(at), first, stride)
            for outcome, count in found.items():
                yield register.name, outcome, count


def everywhere(faults: Faults, stride: int = 16) -> Outcomes:
    """Every bit of state."""
    return all_of(faults, faults.registers, stride)


def always(faults: Faults) -> Outcomes:
    """Every bit of state, in every cycle."""
    return everywhere(faults, 1)


def control(faults: Faults) -> Outcomes:
    """Every bit of what decides what the program does and what leaves, in every cycle."""
    registers = [
        each for each in faults.registers if ".i_control." in each.name and NUMBERS not in each.name
    ]
    return all_of(faults, registers, 1)


def idling(faults: Faults) -> Outcomes:
    """Every bit of state in one of the first cycles of an idle unit, and the operation behind."""
    faults.idle(64)
    for register in faults.registers:
        for at in range(register.size):
            place = register.place(at)
            yield register.name, faults.unasked(Flip(at % 8, register, *place)), 1


def skipped(faults: Faults) -> Outcomes:
    """Each step of the program left out."""
    for cycle in faults.steps():
        yield f"step at {cycle}", faults.outcome(*faults.skipped(cycle)), 1


def repeated(faults: Faults) -> Outcomes:
    """Each step of the program run twice."""
    steps = faults.steps()
    for before, cycle in itertools.pairwise(steps):
        yield f"step at {before}", faults.outcome(*faults.repeated(before, cycle)), 1


def stuck(faults: Faults) -> Outcomes:
    """The random source stuck at 0 or 1 from a cycle on."""
    for cycle in range(0, faults.cycles, 16):
        for value in (0, 1):
            yield f"from {cycle} at {value}", faults.stuck(cycle, value), 1
    faults.following()


def of_control(faults: CurveFaults, begin: int = 0, stride: int = 1) -> Outcomes:
    """Every bit of what decides what a curve's program does and what leaves, and of the scalar, in
    every ``stride``-th cycle."""
    registers = (
        each for each in faults.registers if any(part in each.name for part in OF_CURVES_CONTROL)
    )
    return all_of(faults, registers, stride, begin)


def at_the_end(faults: CurveFaults) -> Outcomes:
    """In each of the last cycles: the check of the result is among them."""
    return of_control(faults, faults.cycles - LAST)


def throughout(faults: CurveFaults) -> Outcomes:
    """In every 16th cycle of a job."""
    return of_control(faults, 0, 16)


KINDS: dict[str, Callable[[Faults], Outcomes]] = {
    "a bit, sampled": sampled,
    "each bit, each 16th cycle": everywhere,
    "each bit, each cycle": always,
    "each bit of control, each cycle": control,
    "two bits, sampled": pairs,
    "each bit of an idle unit": idling,
    "a step skipped": skipped,
    "a step repeated": repeated,
    "random source stuck": stuck,
}


COMMANDS = {
    "private, CRT": Command.PRIVATE_CRT,
    "public": Command.PUBLIC,
    "read key": Command.READ_KEY,
    "load key": Command.LOAD_KEY,
}
STEPS = ("a step skipped", "a step repeated")
OF_COMMANDS = {
    "public": ("a bit, sampled", "each bit, each 16th cycle", *STEPS),
    "read key": ("each bit, each cycle", *STEPS),
    "load key": ("a bit, sampled", "each bit, each 16th cycle", *STEPS),
}
"""What is tried of commands other than a private operation."""


OF_CURVES: dict[str, Callable[[CurveFaults], Outcomes]] = {
    "a bit, sampled": sampled,
    "each bit, a cycle": one_cycle,
    "each bit of control, each of the last 400 cycles": at_the_end,
    "each bit of control, each 16th cycle": throughout,
}


def subject(name: str, width: int, operation: str) -> Injected:
    """A curve processor, or RSA on a multiplier."""
    if name.startswith("curve"):
        unit, *settings = name.split()
        return CurveFaults(unit, settings={"window": 1, **family(unit).parse_settings(settings)})
    multiplier = family(name).design(width, {"moduli": 3})
    return Faults(Rsa.on(multiplier, **SMALL), multiplier, command=COMMANDS[operation])


def counted(one: Case) -> Iterator[Row]:
    """A row of counts; ``places`` are the registers of what is worse than reported."""
    counts: Counter[str] = Counter(dict.fromkeys((*OUTCOMES, "following wrong"), 0))
    places: Counter[str] = Counter()
    known = one.known
    with subject(known["multiplier"], known["width"], known["operation"]) as faults:
        kinds: Mapping[str, Callable[[Any], Outcomes]] = {**KINDS, **OF_CURVES}
        for place, outcome, count in kinds[known["faults"]](faults):
            counts[outcome] += count
            if outcome not in ("masked", "reported"):
                places[f"{outcome}: {place}"] += count
        asserted = faults.asserted
    yield {
        "registers": len(faults.registers),
        "bits": faults.bits,
        "cycles": faults.cycles,
        "tried": sum(counts[name] for name in OUTCOMES),
        **{name.replace(" ", "_"): count for name, count in counts.items()},
        "asserted": asserted,
        "places": dict(places.most_common(40)),
    }


def cases() -> Iterator[Case]:
    """RSA on a carry-save multiplier, and less on a DSP one; a curve processor, by ladder and by
    digits, on a Kummer surface, on two multipliers, and with words in parts."""
    private = [faults for faults in KINDS if faults != "each bit, each cycle"]
    less = ("each bit, each 16th cycle", "two bits, sampled")
    for name in ("csa", "cios"):
        known = {"multiplier": name, "width": 16}
        modules = ("redc_rsa", f"redc_mul_{name}")
        for faults in private:
            if name == "csa" or faults not in less:
                yield Case(
                    {**known, "operation": "private, CRT", "faults": faults}, modules=modules
                )
        for operation, kinds in OF_COMMANDS.items():
            for faults in kinds:
                if name == "csa" or faults not in less:
                    yield Case({**known, "operation": operation, "faults": faults}, modules=modules)
    names = (
        "curve-csa", "curve-csa window=4", "curve-csa form=kummer", "curve-csa multipliers=2",
        "curve-csa chunk=4",
    )  # fmt: skip
    for name, faults in itertools.product(names, OF_CURVES):
        width = CURVE_JOBS["kummer" if "kummer" in name else "weierstrass"].width
        known = {"multiplier": name, "width": width, "operation": "job", "faults": faults}
        several = ("redc_mul_several", "redc_curve_turns") if "multipliers" in name else ()
        yield Case(known, modules=("redc_curve", "redc_mul_csa", *several))


def none_leaves(rows: Rows) -> dict[str, bool | None]:
    """What is claimed of faults."""
    single = [row for row in rows if not row["faults"].startswith("two")]
    curves = [row for row in single if row["multiplier"].startswith("curve")]

    def another(row: Row) -> bool:
        """The lower part of a Kummer surface's scalar is a value until it is gone through."""
        of_values = (
            count for place, count in row["places"].items()
            if place.startswith("another point") and ".u_values." in place
        )  # fmt: skip
        return bool(row["another_point"] > ("kummer" in row["multiplier"]) * sum(of_values))

    return {
        "of one fault in RSA no wrong result leaves": not any(
            row["wrong_out"] for row in single if row not in curves
        ),
        "of one fault nothing but points leaves a curve": (
            not any(row["wrong_out"] for row in curves) if curves else None
        ),
        "nor another point than the right one, of control and scalar": (
            not any(map(another, curves)) if curves else None
        ),
        "operands are taken to the last one": not any(row.get("out_of_step") for row in rows),
        "an idle unit gives nothing": not any(row.get("unasked") for row in rows),
        "the next operation is right": not any(row["following_wrong"] for row in rows),
    }


STUDIES = [
    Study(
        "faults",
        "bits turned in registers and memories of RSA's commands and of a curve processor, steps of"
        " RSA's program skipped and repeated",
        ("multiplier", "width", "operation", "faults"),
        cases,
        counted,
        {
            "multiplier": "RSA on, or",
            "width": "bits",
            "operation": "operation",
            "bits": "bits of state",
            "cycles": "cycles",
            "faults": "faults",
            "tried": "tried",
            "masked": "masked",
            "reported": "reported",
            "no_answer": "no answer",
            "of_another_operand": "of another operand",
            "of_public_numbers": "of public numbers",
            "out_of_step": "out of step",
            "unasked": "unasked",
            "another_point": "another point",
            "wrong_out": "wrong",
            "asserted": "checks of the simulation",
        },
        tools=("verilator",),
        goals=none_leaves,
    ),
]
