# SPDX-License-Identifier: Apache-2.0
"""The quick check of RSA units: commands, legal and not, answer as the integer model does."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import gcd
from pathlib import Path

from gmpy2 import next_prime

from redcore.design import Design, Value
from redcore.errors import CheckFailed
from redcore.units.rsa.bench import DRIVER, TOP, RsaBench
from redcore.units.rsa.family import RsaUnit
from redcore.units.rsa.model import OPERATIONS, Command, Held, Key, Rsa, RsaModel, Status, to_words
from redcore.verify import shaken
from redcore.verify.unit_checks import becoming

LINES: tuple[tuple[str, int, dict[str, Value]], ...] = (
    ("rsa-cios", 32, {"word": 16, "public_exponent": 17, "primes": 3, "random_bases": 2,
                      "blinding": 8, "read_private": 1}),
    ("rsa-csa", 16, {"public_exponent": 17, "primes": 3, "random_bases": 1, "blinding": 8,
                     "read_private": 1, "halves": 1, "blinding_uses": 2}),
)  # fmt: skip
COMMANDS = 40
FAULTS = 6
PATIENCE = 200_000

INSIDE = """#include <cstdint>
#include "Vmodel.h"
// A flat model has no names of the unit's.
uint64_t words_inside(const Vmodel &, uint32_t *, uint64_t) { return 0; }
uint64_t traces_inside(const Vmodel &, const uint8_t *, uint64_t) { return 0; }
"""


def files_of(design: Design) -> list[Path]:
    """With the port that turns a bit of the multiplier's results."""
    assert isinstance(design.family, RsaUnit)
    return design.family.named(TOP, design.width, design.values, faults=True)


def top_of(design: Design) -> str:
    """The module of these."""
    return TOP


class Mutated(shaken.Becoming, RsaBench):
    """A unit as one of its mutants."""

    def __init__(self, unit: Rsa, library: Path, number: int, seed: int) -> None:
        self._number = number
        super().__init__(unit, library, seed)


def wrong(design: Design, number: int, sources: Sequence[Path], seed: int = 1) -> str:
    """What of a mutant is seen to be wrong first, in a sentence; nothing where nothing is."""
    assert isinstance(design.family, RsaUnit)
    unit = design.family.unit(design.width, design.values)
    library = becoming.compiled(design, sources, becoming.becoming(DRIVER), INSIDE, TOP)
    with Mutated(unit, library, number, seed) as bench:
        try:
            return next(Pair(unit, bench, random.Random(seed)).wrong(), "")
        except CheckFailed as fault:
            return str(fault)


def random_key(choose: random.Random, width: int) -> Key:
    """Primes of any size that fits, in any order; e of any size; d modulo phi or the lcm."""
    while True:
        p, q = (
            int(next_prime(choose.getrandbits(choose.randint(2, width // 2)) | 2)) for _ in range(2)
        )
        phi, e = (p - 1) * (q - 1), choose.getrandbits(choose.randint(2, width)) | 1
        if p != q and max(p, q) < 1 << width // 2 and e >= 3 and gcd(e, phi) == 1:
            key = Key.of_primes(p, q, e)
            return replace(key, d=pow(e, -1, phi)) if choose.randrange(2) else key


def damaged(key: Key, choose: random.Random) -> Key:
    """A key with one number changed, too long or exchanged for another."""
    name = choose.choice(["n", "e", "d", "p", "q", "dp", "dq", "qi"])
    number = getattr(key, name)
    other = choose.choice([0, 1, number + 1, number + 2, number ^ 2, key.p, number << 20])
    return replace(key, **{name: other})


def random_command(
    choose: random.Random, unit: Rsa, key: Key, held: int
) -> tuple[Command, list[int], Key]:
    """A command and its words, legal or not, and the key drawn last; ``held``: the n held, or 0."""
    command = choose.choices(list(Command), [1, 4, 2, 3, 8, 10, 10, 1])[0]
    words: list[int] = []
    if command is Command.LOAD_KEY:
        key = random_key(choose, unit.width)
        words = unit.key_words(damaged(key, choose) if choose.random() < 0.5 else key)
    elif command is Command.LOAD_PUBLIC:
        n, e = key.n & ~choose.randrange(2), key.e ^ (choose.random() < 0.2)
        words = [*to_words(n, unit.full_words), *to_words(e, unit.full_words)]
    elif command in OPERATIONS:
        n = held or 1
        x = choose.choice([0, 1, 2, n - 1, n, n + 1, *(choose.randrange(n) for _ in range(20))])
        words = to_words(x, unit.full_words)
    if words and choose.random() < 0.1:
        words = choose.choice([words[:-1] or [0] * 9, [*words, 0], [*words, 1, 2]])
    return command, words, key


class Pair:
    """The hardware and its model, held equal command by command.

    ``patience`` are cycles without anything moving after which nothing comes; ``met`` counts how
    often a command ended in which way.
    """

    def __init__(
        self, unit: Rsa, bench: RsaBench, choose: random.Random, patience: int = PATIENCE
    ) -> None:
        self.unit, self.bench, self.choose, self.patience = unit, bench, choose, patience
        self.model = RsaModel(unit)
        self.key = random_key(choose, unit.width)
        self.met: Counter[tuple[Command, Status]] = Counter()

    def wrong(self) -> Iterator[str]:
        """What is, in the order of what is likely to tell soon."""
        yield from self.works()
        yield from self.run(Command.GENERATE)
        yield from self.run(Command.READ_KEY)
        for _ in range(COMMANDS):
            yield from self.any_command()
        yield from self.stuck()
        yield from self.locked()
        yield from self.faulty()
        yield from self.resets()

    def run(
        self, command: Command, words: Sequence[int] = (), stalls: bool = False,
        bits: Sequence[int] | None = None,
    ) -> Iterator[str]:  # fmt: skip
        """What is wrong with a command's answer."""
        answer = self.bench.command(
            command, words, random_bits=bits, stalls=stalls, patience=self.patience
        )
        self.met[command, answer.status] += 1
        left = iter(answer.bits)
        try:
            status, output = self.model.run(command, words, left)
        except (RuntimeError, StopIteration):  # there are no more
            yield f"{command.name} takes fewer random bits than the model"
            return
        if (answer.status, answer.words) != (status, output):
            told = f"{answer.status.name} {answer.words}"
            yield f"{command.name}: {told}, not {status.name} {output}"
        if answer.held != self.model.held:
            yield f"{command.name}: key_o is {answer.held}"
        if next(left, None) is not None:
            yield f"{command.name} takes random bits that the model does not take"
        if answer.taken != len(words):
            yield f"{command.name} takes {answer.taken} words"

    def load(self, stalls: bool = False) -> Iterator[str]:
        """The key."""
        yield from self.run(Command.LOAD_KEY, self.unit.key_words(self.key), stalls)

    def works(self) -> Iterator[str]:
        """A key and each of its operations."""
        yield from self.load()
        for command in OPERATIONS:
            x = self.choose.randrange(self.key.n)
            yield from self.run(command, to_words(x, self.unit.full_words))

    def any_command(self) -> Iterator[str]:
        """Legal or not."""
        drawn = random_command(self.choose, self.unit, self.key, self.model.key.n)
        command, words, self.key = drawn
        yield from self.run(command, words, self.choose.random() < 0.5)

    def stuck(self) -> Iterator[str]:
        """A source that is stuck ends a command, and the key goes."""
        for level in (0, 1):
            yield from self.works()
            bits = [k >> 1 & 1 for k in range(21)] + [level] * 4000
            yield from self.run(Command.GENERATE, bits=bits)
            yield from self.works()

    def locked(self) -> Iterator[str]:
        """With read_lock a private key is not read."""
        yield from self.load()
        for lock in (True, False):
            self.bench.read_lock = self.model.read_lock = lock
            yield from self.run(Command.READ_KEY)

    def faulty(self) -> Iterator[str]:
        """A bit turned in a private operation: the right result, or the key goes."""
        for command in (Command.PRIVATE, Command.PRIVATE_CRT):
            yield from self.works()
            x = self.choose.randrange(self.key.n)
            words = to_words(x, self.unit.full_words)
            length = self.bench.command(command, words).results
            for _ in range(FAULTS):
                self.bench.load_key(self.key)
                at = self.choose.randrange(length)
                answer = self.bench.command(command, words, fault_at=at, patience=PATIENCE)
                if answer.status is Status.FAULT:
                    if answer.words or answer.held is not Held.NONE:
                        yield "words or a key are left behind a fault"
                elif answer.number != pow(x, self.key.d, self.key.n):
                    yield f"{command.name} with result {at} turned gave {answer.number:#x}"
            # the pair that blinds may be wrong, and is found so by the next one
            self.bench.clear()
            self.model.run(Command.CLEAR, [], iter(()))

    def resets(self) -> Iterator[str]:
        """In the middle of a command: no key is held, and the next one is right."""
        for at in range(6):
            yield from self.load()
            words = to_words(2, self.unit.full_words)
            with suppress(CheckFailed):
                self.bench.command(Command.PRIVATE, words, random_bits=3 * at, patience=40 * at + 1)
            self.bench.reset()
            self.model = RsaModel(self.unit)
            yield from self.run(Command.READ_KEY)
            yield from self.works()
