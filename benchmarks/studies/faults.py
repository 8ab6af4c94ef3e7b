# SPDX-License-Identifier: Apache-2.0
"""Single bits of registers turned in single cycles of an RSA-CRT operation: what comes of them."""

from __future__ import annotations

import ctypes
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.study import Case, Row, Rows, Study
from redcore.catalogue import family
from redcore.design import Design
from redcore.simulate import compile as build
from redcore.simulate.loaded import Loaded
from redcore.units.rsa import bench
from redcore.units.rsa.model import Command, Key, Rsa, Status, to_number, to_words

DRIVER = Path(__file__).resolve().parents[1] / "faults.cpp"
WORDS = 64
KEY, X = Key.of_primes(251, 241, 7), 12345
SAMPLES = 2_000
EVERY = 100
"""After one in so many faults the next operation is looked at, too."""
SMALL = {"generate": 0, "blinding": 16, "primes": 3, "random_bases": 4, "public_exponent": 17}


class _Result(ctypes.Structure):
    """As ``Result`` in faults.cpp; compared when the library is loaded."""

    _fields_ = (
        ("cycles", ctypes.c_uint64),
        ("count", ctypes.c_uint64),
        ("status", ctypes.c_uint32),
        ("answered", ctypes.c_uint32),
        ("same", ctypes.c_uint32),
        ("output", ctypes.c_uint32 * WORDS),
    )


@dataclass(frozen=True)
class Register:
    """A register or memory: its place among them all, name, and bits of its elements."""

    number: int
    name: str
    bits: int
    elements: int


@dataclass(frozen=True)
class Flip:
    """A bit turned at the beginning of a cycle."""

    cycle: int
    register: Register
    element: int
    bit: int


class Faults(Loaded):
    """A unit with the key ``KEY``, and its private operation on ``X`` in which bits are turned."""

    def __init__(self, unit: Rsa, multiplier: Design) -> None:
        self.unit = unit
        files = bench.sources(unit, multiplier)
        path = build.library(files, bench.TOP, {}, driver=DRIVER, visible=True)
        super().__init__(path, _Result, "faults", ctypes.c_uint64(1))
        self._library.faults_registers.restype = ctypes.c_char_p
        self._bits = bytes(random.Random(5).choices((0, 1), k=5000))
        lines = self._library.faults_registers(self._live()).decode().splitlines()
        self.registers = [
            Register(number, name, int(bits), int(elements))
            for number, line in enumerate(lines)
            for name, bits, elements in [line.rsplit(" ", 2)]
        ]
        self.right = to_words(pow(X, KEY.d, KEY.n), unit.full_words)
        self.load()
        answer = self._run(Command.PRIVATE_CRT, to_words(X, unit.full_words), kept=True)
        if self._words(answer) != self.right:
            raise RuntimeError("the operation is wrong without a fault")
        self.cycles = int(answer.cycles)

    @property
    def bits(self) -> int:
        """Bits of all registers and memories."""
        return sum(each.bits * each.elements for each in self.registers)

    def load(self) -> None:
        """Load the key."""
        answer = self._run(Command.LOAD_KEY, self.unit.key_words(KEY))
        if Status(answer.status) is not Status.OK:
            raise RuntimeError("the key is refused")

    def some(self, count: int) -> list[Flip]:
        """So many, every bit and cycle as likely, in the order of cycles."""
        choose = random.Random(1)
        sizes = [each.bits * each.elements for each in self.registers]
        found = []
        for _ in range(count):
            (register,) = choose.choices(self.registers, sizes)
            at = choose.randrange(register.bits * register.elements)
            flip = Flip(choose.randrange(self.cycles), register, *divmod(at, register.bits))
            found.append(flip)
        return sorted(found, key=lambda each: each.cycle)

    def outcome(self, flip: Flip) -> str:
        """What comes of it: see ``OUTCOMES``."""
        result = _Result()
        self._library.faults_try(
            self._live(), ctypes.c_uint64(flip.cycle), flip.register.number, flip.element, flip.bit,
            ctypes.c_uint64(3 * self.cycles + 2000), ctypes.byref(result),
        )  # fmt: skip
        if result.same:
            return "masked"
        words = self._words(result)
        if not result.answered:
            return "wrong out" if words and words != self.right[: len(words)] else "no answer"
        status = Status(result.status) if result.status in set(Status) else None
        if status is Status.OK:
            if words == self.right and result.answered == 1:
                return "masked"
            of = pow(to_number(words), KEY.e, KEY.n) ^ X
            return "of another operand" if of.bit_count() == 1 else "wrong out"
        if words and words != self.right:
            return "wrong out"
        return "reported"

    def following(self) -> tuple[Status, bool]:
        """The next operation after a fault, with the key loaded anew; and whether it is right.

        An answer other than right has to say so.
        """
        self._run(Command.CLEAR, [])
        self.load()
        answer = self._run(Command.PRIVATE_CRT, to_words(X, self.unit.full_words))
        return Status(answer.status), self._words(answer) == self.right

    def _run(self, command: Command, words: list[int], kept: bool = False) -> _Result:
        operands = (ctypes.c_uint32 * max(1, len(words)))(*words)
        self._library.faults_set(
            self._live(), int(command), operands, ctypes.c_uint64(len(words)), self._bits,
            ctypes.c_uint64(len(self._bits)),
        )  # fmt: skip
        result = _Result()
        limit = ctypes.c_uint64(10_000_000)
        self._library.faults_run(self._live(), limit, int(kept), ctypes.byref(result))
        if not result.answered:
            raise RuntimeError(f"{command.name} is not answered")
        return result

    def _words(self, result: _Result) -> list[int]:
        return list(result.output[: min(WORDS, result.count)])


OUTCOMES = {
    "masked": "the right result, nothing reported",
    "reported": "no result, and a status that says so",
    "no answer": "neither a result nor an answer",
    "of another operand": "the right result of an operand in which the bit is turned",
    "wrong out": "any other wrong word",
}


def sampled(one: Case) -> Iterator[Row]:
    """A row of counts; ``places`` are the registers of what is worse than reported."""
    multiplier = family(one.known["multiplier"]).design(one.known["width"], {"moduli": 3})
    counts: Counter[str] = Counter(dict.fromkeys(OUTCOMES, 0))
    places: Counter[str] = Counter()
    following = 0
    with Faults(Rsa.on(multiplier, **SMALL), multiplier) as faults:
        for number, flip in enumerate(faults.some(one.known["flips"])):
            outcome = faults.outcome(flip)
            counts[outcome] += 1
            if outcome not in ("masked", "reported"):
                places[f"{outcome}: {flip.register.name}"] += 1
            elif number % EVERY == 0:
                status, right = faults.following()
                following += not right or status is not Status.OK
    yield {
        "registers": len(faults.registers),
        "bits": faults.bits,
        "cycles": faults.cycles,
        **{name.replace(" ", "_"): count for name, count in counts.items()},
        "following_wrong": following,
        "places": dict(places.most_common()),
    }


def cases() -> Iterator[Case]:
    """RSA on a carry-save and on a DSP multiplier."""
    for name in ("csa", "cios"):
        known = {"multiplier": name, "width": 16, "flips": SAMPLES}
        yield Case(known, modules=("redc_rsa", f"redc_mul_{name}"))


def none_leaves(rows: Rows) -> dict[str, bool | None]:
    """What is claimed of faults."""
    return {
        "no wrong result of the operand leaves": not any(row["wrong_out"] for row in rows),
        "the next operation is right": not any(row["following_wrong"] for row in rows),
    }


STUDIES = [
    Study(
        "faults",
        "single bits turned in any register or memory and any cycle of RSA-CRT: a sample",
        ("multiplier", "width", "flips"),
        cases,
        sampled,
        {
            "multiplier": "multiplier",
            "width": "bits",
            "bits": "bits of state",
            "cycles": "cycles",
            "flips": "bits turned",
            "masked": "masked",
            "reported": "reported",
            "no_answer": "no answer",
            "of_another_operand": "of another operand",
            "wrong_out": "wrong",
        },
        tools=("verilator",),
        goals=none_leaves,
    ),
]
