# SPDX-License-Identifier: Apache-2.0
"""``redc_rsa`` beside its integer model, command by command."""

from __future__ import annotations

import random
from collections.abc import Sequence

from redcore.units.rsa.bench import Answer, RsaBench
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
from redcore.verify.unit_checks.rsa import random_command, random_key


class Pair:
    """The hardware and its model, held equal command by command."""

    def __init__(self, unit: Rsa, bench: RsaBench) -> None:
        self.unit, self.bench, self.model = unit, bench, RsaModel(unit)
        self.temporaries = 12 * unit.slot_words

    def run(
        self, command: Command, words: Sequence[int] = (), stalls: bool = False,
        bits: Sequence[int] | int | None = None,
    ) -> Answer:  # fmt: skip
        answer = self.bench.command(command, words, random_bits=bits, stalls=stalls)
        left = iter(answer.bits)
        status, output = self.model.run(command, words, left)
        assert (answer.status, answer.words) == (status, output), command.name
        assert answer.held == self.model.held
        assert list(left) == [], "random bits that the model does not take"
        assert answer.taken == len(words)
        memory = self.bench.memory()
        assert not any(memory[self.temporaries :]), "temporaries are left"
        assert answer.held is not Held.NONE or not any(memory), "a key is left"
        if answer.held is Held.PRIVATE and self.unit.blinding:
            size = self.unit.slot_words
            pair = (to_number(memory[k * size : (k + 1) * size]) for k in (10, 11))
            assert (*pair,) == self.model.pair
        return answer

    def load(self, key: Key, stalls: bool = False) -> Answer:
        return self.run(Command.LOAD_KEY, self.unit.key_words(key), stalls)

    def load_public(self, n: int, e: int) -> Answer:
        full = self.unit.full_words
        return self.run(Command.LOAD_PUBLIC, [*to_words(n, full), *to_words(e, full)])

    def operate(self, command: Command, x: int, stalls: bool = False) -> Answer:
        return self.run(command, to_words(x, self.unit.full_words), stalls)

    def works(self, key: Key, x: int = 3) -> None:
        """The next job does."""
        assert self.load(key).status is Status.OK
        for command in OPERATIONS:
            assert self.operate(command, x % key.n).status is Status.OK


def walk(pair: Pair, choose: random.Random, count: int) -> dict[Status, int]:
    """Commands at random, legal and not; how often each status was the answer."""
    unit, seen = pair.unit, dict.fromkeys(Status, 0)
    key = random_key(choose, unit.width)
    for _ in range(count):
        command, words, key = random_command(choose, unit, key, pair.model.key.n)
        seen[pair.run(command, words, stalls=choose.random() < 0.5).status] += 1
    return seen
