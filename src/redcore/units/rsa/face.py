# SPDX-License-Identifier: Apache-2.0
"""An RSA unit in a bundle: commands with known answers, right ones and wrong ones."""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd
from pathlib import Path
from typing import Any

from gmpy2 import is_prime, next_prime, powmod

from redcore import rtl
from redcore.design import Design
from redcore.driver import c_files
from redcore.errors import CheckFailed
from redcore.face import CHECK_STAGE, Face
from redcore.moduli import NamedModulus
from redcore.ports import CLOCK_AND_RESET, Port
from redcore.progress import Staged
from redcore.units.copies import copies_of
from redcore.units.random_bits import RandomBits
from redcore.units.rsa.bench import Answer, RsaBench
from redcore.units.rsa.copies import SeveralRsa
from redcore.units.rsa.family import RsaUnit
from redcore.units.rsa.hosts import HOSTS, Host
from redcore.units.rsa.model import (
    HOST_BITS,
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

_CYCLES = 4_000_000
"""What a pass of the bench may take, about, in clock cycles."""
_MOST_PRIVATE = 24
_ALL_STEPS = 8
"""Private operations that the bench has to afford to go through all of its steps."""
_GENERATED_WIDTH = 64
"""Keys are made in the bench up to this width."""
_END = 0xE0DE0F1E
_LEAST_HALF = 5
"""Bits of the shortest primes of keys: of fewer there are no two with the upper bits set."""
_KEYS_EVERY = 40
"""A key of the check serves so many operations."""
_PRIVATE = (Command.PRIVATE, Command.PRIVATE_CRT)
_TITLES = {
    Command.LOAD_KEY: "a private key loaded",
    Command.PUBLIC: "x^e",
    Command.PRIVATE: "x^d by d alone",
    Command.PRIVATE_CRT: "x^d by p and q",
    Command.GENERATE: "a key made",
}


def _takes_its_own_time(model: RsaModel, command: Command) -> bool:
    """Whether the last command's cycles are not those of others of its kind.

    It drew the blinding pair anew; or, with p and q, its n has not all bits, as numbers are reduced
    in another way then, where halves are whole words.
    """
    short = model.key.n.bit_length() < model.unit.width
    joins = model.unit.width % (2 * HOST_BITS) == 0
    return model.drawn or (command is Command.PRIVATE_CRT and joins and short)


@dataclass(frozen=True)
class Step:
    """A command with its operands, and how it has to end."""

    title: str
    command: Command
    words: list[int]
    status: Status
    held: Held
    output: list[int]
    apart: bool
    """It takes a time of its own, as ``_takes_its_own_time`` says."""

    @property
    def lines(self) -> list[str]:
        """As the bench reads it, a word a line."""
        head = self.apart << 14 | self.held << 12 | self.status << 8 | self.command
        numbers = [head, len(self.words), len(self.output), *self.words, *self.output]
        return [f"// {self.title}", *(f"{word:08x}" for word in numbers)]


class Script:
    """Steps in order, their ends by the model with the bench's random bits, agreed with GMP."""

    def __init__(self, model: RsaModel, bits: RandomBits) -> None:
        self.unit = model.unit
        self.model = model
        self.steps: list[Step] = []
        self._bits = bits

    def give(
        self, title: str, command: Command, words: list[int], right: Status = Status.OK
    ) -> list[int]:
        """A step, which has to end with ``right``; its output. Raises CheckFailed otherwise."""
        key = self.model.key
        status, output = self.model.run(command, words, self._bits)
        agreed = status is right
        if agreed and status is Status.OK and command in OPERATIONS:
            exponent = key.e if command is Command.PUBLIC else key.d
            agreed = to_number(output) == powmod(to_number(words), exponent, key.n)
        if agreed and status is Status.OK and command is Command.GENERATE:
            made = self.model.key
            agreed = (
                bool(is_prime(made.p) and is_prime(made.q))
                and made.n == made.p * made.q
                and made.n.bit_length() == self.unit.width
                and powmod(powmod(2, made.e, made.n), made.d, made.n) == 2
            )
        if not agreed:
            raise CheckFailed(
                f"the model of redc_rsa with {self.unit.width} bits disagrees with GMP or with what"
                f" is right: {title}, {status.name}"
            )
        apart = _takes_its_own_time(self.model, command)
        self.steps.append(Step(title, command, words, status, self.model.held, output, apart))
        return output

    def load(self, title: str, key: Key, right: Status = Status.OK) -> None:
        """Load a private key."""
        self.give(title, Command.LOAD_KEY, self.unit.key_words(key), right)

    def operate(self, title: str, command: Command, x: int, right: Status = Status.OK) -> int:
        """x^e or x^d; the result."""
        return to_number(self.give(title, command, to_words(x, self.unit.full_words), right))

    def fault(self, title: str, command: Command, draw: random.Random, n: int) -> None:
        """An operation with a wrong key that shows: with short ones some numbers go through."""
        while True:
            words = to_words(draw.randrange(2, n), self.unit.full_words)
            trial, bits = copy.deepcopy(self.model), RandomBits(self._bits.state)
            if trial.run(command, words, bits)[0] is Status.FAULT:
                self.give(title, command, words, Status.FAULT)
                return


class RsaFace(Face):
    """Ports, bench and check of an RSA unit."""

    bench_template = "rsa_testbench.sv.j2"
    exact_cycles = None
    least_vectors = 2

    def __init__(self, design: Design, modulus: NamedModulus | None, seed: int) -> None:
        super().__init__(design, modulus, seed)
        family = design.family
        assert isinstance(family, RsaUnit | SeveralRsa)
        self.family = family
        # Polls of registers, and a FIFO of random words, are in what AXI4-Lite measures.
        self.constant_time = None if self.host.polled else True

    @property
    def host(self) -> Host:
        """What is in front of the unit."""
        return HOSTS[str(self.design.values["bus"])]

    @cached_property
    def unit(self) -> Rsa:
        """The rules and the model's parameters."""
        return self.family.unit(self.design.width, self.design.values)

    @cached_property
    def _copies(self) -> int:
        return copies_of(self.design)

    @property
    def _module(self) -> str:
        """What the host sees."""
        return "redc_rsa_several" if self._copies > 1 else self.host.module

    @property
    def _model(self) -> RsaModel:
        return self.family.model(self.design.width, self.design.values)

    @cached_property
    def _multiplier(self) -> Design:
        return self.family.multiplier_design(self.design.width, self.design.values)

    @cached_property
    def _private_cycles(self) -> int:
        """About the cycles of a private operation, the slower way."""
        width, values = self.design.width, self.design.values
        ways = ({**values, "operation": way} for way in ("crt", "plain"))
        return max(self.family.geometry(width, way).latency_cycles for way in ways)

    # ---- keys and commands ----------------------------------------------------------------------

    def _key(self, draw: random.Random, half: int) -> Key:
        """A key of two primes of so many bits each, in any order, with the usual exponent.

        Where that is too long, the largest Fermat prime that is not.
        """
        exponents = (65537, 257, 17, 5, 3)
        e = next(each for each in exponents if each < 1 << (self.design.width // 2 - 1))
        while True:
            p, q = (int(next_prime(draw.getrandbits(half) | 3 << (half - 2))) for _ in range(2))
            if p != q and max(p, q) >> half == 0 and gcd(e, (p - 1) * (q - 1)) == 1:
                return Key.of_primes(p, q, e)

    @cached_property
    def _script(self) -> tuple[list[Step], int]:
        """The bench's steps, and how many of them are in the second pass, too."""
        unit, width = self.unit, self.design.width
        draw = random.Random(f"{self.seed}/{self.design.label()}")
        script = Script(self._model, RandomBits.seeded(self.seed))
        first, second = (
            self._key(draw, width // 2),
            self._key(draw, max(_LEAST_HALF, width // 2 - 3)),
        )
        x = draw.randrange(2, first.n)

        no_key, bad = Status.NO_KEY, Status.BAD_KEY
        affordable = min(_MOST_PRIVATE, _CYCLES // self._private_cycles)
        # First, as of several units none knows which random bits the others will have taken.
        if affordable >= _ALL_STEPS:
            self._make_key(script, draw)
        script.operate("x^d without a key", Command.PRIVATE, 1, no_key)
        script.load("a wrong key: n is not p q", replace(first, n=first.n - 2), bad)
        script.operate("x^d without a key", Command.PRIVATE_CRT, 1, no_key)
        script.load("a key", first)
        y = script.operate("x^e", Command.PUBLIC, x)
        script.operate("n^e", Command.PUBLIC, first.n, Status.BAD_OPERAND)
        script.give("a word too many", Command.PUBLIC, [1] * (unit.full_words + 1), Status.LENGTH)
        script.give("the key is read", Command.READ_KEY, [])
        cheap = len(script.steps)
        script.operate("(x^e)^d by p and q", Command.PRIVATE_CRT, y)
        likely = len(script.steps)
        script.operate("(x^e)^d by d alone", Command.PRIVATE, y)

        if affordable < _ALL_STEPS:
            # Where each takes long the second pass does the least.
            return script.steps, likely if self._private_cycles < 5 * _CYCLES else cheap
        for edge in (0, 1, first.n - 1):
            for command in _PRIVATE:
                script.operate(f"{'n - 1' if edge > 1 else edge}^d", command, edge)
        script.give("a public key", Command.LOAD_PUBLIC, self._public_words(second))
        script.operate("x^e", Command.PUBLIC, x % second.n)
        script.operate("x^d without a private key", Command.PRIVATE, 1, no_key)
        script.load("a key with a d that does not belong to it", replace(first, d=first.d ^ 2))
        script.fault("x^d is wrong, and not told", Command.PRIVATE, draw, first.n)
        script.operate("the key is gone", Command.PUBLIC, x, no_key)
        script.load("a key with a dP that does not belong to it", replace(first, dp=first.dp ^ 1))
        script.fault("x^d is wrong, and not told", Command.PRIVATE_CRT, draw, first.n)
        script.load("a shorter key", second)
        for _ in range((affordable - _ALL_STEPS) // 2):
            x = draw.randrange(second.n)
            for command in _PRIVATE:
                y = script.operate("x^d", command, x)
            script.operate("(x^d)^e", Command.PUBLIC, y)
        script.give("the key is forgotten", Command.CLEAR, [])
        script.operate("x^e without a key", Command.PUBLIC, 1, no_key)
        return script.steps, len(script.steps)

    def _make_key(self, script: Script, draw: random.Random) -> None:
        """A key made and used, where the unit can and that does not take long."""
        if not self.unit.generate:
            script.give("a key cannot be made", Command.GENERATE, [], Status.UNSUPPORTED)
        elif self.design.width <= _GENERATED_WIDTH:
            script.give("a key is made", Command.GENERATE, [])
            script.give("it is read", Command.READ_KEY, [])
            y = script.operate("x^e", Command.PUBLIC, draw.randrange(script.model.key.n))
            script.operate("(x^e)^d by p and q", Command.PRIVATE_CRT, y)
            script.operate("(x^e)^d by d alone", Command.PRIVATE, y)
            script.give("it is forgotten", Command.CLEAR, [])

    def _public_words(self, key: Key) -> list[int]:
        full = self.unit.full_words
        return [*to_words(key.n, full), *to_words(key.e, full)]

    # ---- what a bundle asks for -----------------------------------------------------------------

    @property
    def ports(self) -> list[Port]:
        return [*CLOCK_AND_RESET, *self.host.ports]

    @property
    def header(self) -> list[str]:
        return [
            f"Contract  that of {self._module}, in rtl/{self._module}.sv: {self.host.title}.",
            "          Random bits one a beat, from a source of full entropy.",
            f"Timing    about {self.design.geometry.latency_cycles} cycles for x^d; report.md has "
            "what was measured.",
            "Leakage   x^d takes the same time for all numbers, and keys with all bits of n.",
        ]

    @property
    def summary(self) -> list[str]:
        """What it does, and with which keys."""
        unit = self.unit
        makes = f"keys of exactly {unit.width} bits with e = {unit.public_exponent}, "
        blinded = f"blinded by {unit.blinding} random bits, " if unit.blinding else ""
        return [
            f"RSA with keys of at most {unit.width} bits: {makes if unit.generate else ''}x^e mod "
            f"n, and x^d mod n by d alone or by p and q, {blinded}which leaves only if its public "
            "power is x again.",
            f"The host's side is {self.host.title} of 32 bits: `rtl/{self._module}.sv`.",
            *(
                [
                    f"{self._copies} units hold one key; an operation may be given before the one "
                    "before is answered, and answers come in order."
                ]
                if self._copies > 1
                else []
            ),
        ]

    @property
    def bench_note(self) -> str:
        """What is not gone through."""
        if not self.unit.generate or self.design.width <= _GENERATED_WIDTH:
            return ""
        return " (keys are loaded, not made, which would take long)"

    @property
    def constants(self) -> dict[str, tuple[str, int]]:
        """Sizes on the host's side."""
        return {
            "WIDTH": ("positive", self.unit.width),
            "FULL_WORDS": ("positive", self.unit.full_words),
            "HALF_WORDS": ("positive", self.unit.half_words),
        }

    @property
    def software(self) -> list[Path]:
        """The C header of the registers, their map, and the driver in C."""
        if not self.host.bus:
            return []
        found = [rtl.rtl_folder() / f"redc_rsa_axi.{kind}" for kind in ("h", "rdl", "xml")]
        return [*found, *c_files("redc_rsa")]

    @property
    def operations(self) -> int:
        """The commands of both passes."""
        steps, stalled = self._script
        return len(steps) + stalled

    def vector_text(self) -> str:
        """The steps, and a word at the end that shows that all is there."""
        lines = [line for step in self._script[0] for line in step.lines]
        return "\n".join([*lines, "// the end", f"{_END:08x}"]) + "\n"

    def bench_context(self) -> dict[str, Any]:
        """Sizes, the random source, what is measured."""
        steps, stalled = self._script
        done = {step.command for step in steps if step.status is Status.OK}
        return {
            "bus": self.design.values["bus"],
            "words": sum(3 + len(step.words) + len(step.output) for step in steps) + 1,
            "steps": len(steps),
            "stalled_steps": stalled,
            "most_output": max(len(step.output) for step in steps),
            "patience": self._patience,
            "end": _END,
            "random_seed": RandomBits.seeded(self.seed).state,
            "slack": self._slack + self.host.ahead if self.constant_time else None,
            "measured": {
                int(command): title for command, title in _TITLES.items() if command in done
            },
        }

    @property
    def _patience(self) -> int:
        """Cycles without anything moving after which there is no hope."""
        return 8 * self._private_cycles + 1_000_000

    @property
    def _slack(self) -> int:
        """By how many cycles equal operations may differ, by the moment of the command.

        One multiplier is waited for once. Of two, each keeps its own time, so that every job on
        them may wait: the powers modulo p and q, the check, the squares of both blinds.
        """
        wide, narrow = self.unit.multipliers(self._multiplier)
        if narrow is None:
            return wide.pace().every - 1
        return 4 * (max(wide.pace().every, narrow.pace().every) - 1)

    def cycles(self) -> list[tuple[str, str]]:
        """A private operation's, an estimate."""
        geometry, way = self.design.geometry, self.design.values["operation"]
        named = _TITLES[Command.PRIVATE_CRT if way == "crt" else Command.PRIVATE]
        return [(f"{named}, estimated", f"{geometry.latency_cycles} cycles")]

    def check(self, vectors: int, tell: Staged) -> Iterator[dict[str, Any]]:
        """Operations with keys of several lengths; then the same under stalls, wrong keys, too.

        Of several units every second lot of operations is given at once.
        """
        draw = random.Random(f"{self.seed}/{self.design.label()}/check")
        built = self.family.simulation(self.design.width, self.design.values)
        copies = self._copies
        for name, count, stalls in self.runs("keys of several lengths, without stalls", vectors):
            began = time.perf_counter()
            cycles: dict[Command, set[int]] = {command: set() for command in _PRIVATE}
            wrong, place, lot, key_until = "", 0, 0, 0
            with RsaBench(self.unit, built, self.seed, copies > 1) as bench:
                run = _Check(self._model, bench, stalls, self._patience)
                while place < count and not wrong:
                    if place >= key_until:
                        half = self.design.width // 2
                        longest = key_until % (2 * _KEYS_EVERY) == 0
                        key = self._key(draw, half if longest else draw.randint(_LEAST_HALF, half))
                        wrong = run.load(key)
                        key_until += _KEYS_EVERY
                    command = (Command.PRIVATE_CRT, Command.PUBLIC, Command.PRIVATE)[lot % 3]
                    together = min(copies, count - place) if lot % 2 else 1
                    numbers = [draw.randrange(key.n) for _ in range(together)]
                    wrong = wrong or run.operate(command, numbers, cycles)
                    place, lot = place + together, lot + 1
                    tell(CHECK_STAGE, place, count)
            seconds = time.perf_counter() - began
            spread = max((max(each) - min(each) for each in cycles.values() if each), default=0)
            constant = None if stalls else spread <= self._slack
            if not wrong and constant is False:
                wrong = f"private operations differ by {spread} cycles"
            faults = [wrong] if wrong else []
            yield self.entry(name, count, stalls, faults, seconds, exact=False, constant=constant)


class _Check:
    """The library's unit in simulation, beside its model, with the simulation's random bits."""

    def __init__(self, model: RsaModel, bench: RsaBench, stalls: bool, patience: int) -> None:
        self._unit, self._bench = model.unit, bench
        self._stalls, self._patience = stalls, patience
        self._model = model
        self._key = Key(*[0] * 8)

    def _give(self, command: Command, *operands: list[int]) -> tuple[str, list[Answer]]:
        """What is wrong with the answers to a command, for each of the operands, and they."""
        given = [(command, words) for words in operands]
        answers = self._bench.commands(given, self._stalls, patience=self._patience)
        bits, wrong = iter(answers[0].bits), ""
        for answer, words in zip(answers, operands, strict=True):
            status, output = self._model.run(command, words, bits)
            same = (answer.status, answer.words, answer.held) == (status, output, self._model.held)
            if not (wrong or same):
                wrong = f"{command.name}: {answer.status.name} {answer.words}"
        return wrong, answers

    def load(self, key: Key) -> str:
        """Load a key, under stalls a wrong one before; what is wrong."""
        for each in (replace(key, p=key.p + 2), key) if self._stalls else (key,):
            wrong, _ = self._give(Command.LOAD_KEY, self._unit.key_words(each))
            if wrong or self._model.held is not (Held.PRIVATE if each is key else Held.NONE):
                return wrong or "LOAD_KEY: the model is wrong"
        self._key = key
        return ""

    def operate(self, command: Command, numbers: list[int], cycles: dict[Command, set[int]]) -> str:
        """An operation with each of the numbers, held to GMP as well; what is wrong."""
        operands = (to_words(x, self._unit.full_words) for x in numbers)
        wrong, answers = self._give(command, *operands)
        exponent = self._key.e if command is Command.PUBLIC else self._key.d
        # Side by side they wait for one another's random bits, and for their turn.
        alike = not _takes_its_own_time(self._model, command)
        if command in cycles and alike and len(answers) == 1:
            cycles[command].add(answers[0].cycles)
        for x, answer in zip(numbers, answers, strict=True):
            right = int(powmod(x, exponent, self._key.n))
            if not wrong and answer.number != right:
                wrong = f"{command.name} of {x:#x} gave {answer.number:#x}, GMP says {right:#x}"
        return wrong
