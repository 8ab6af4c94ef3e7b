# SPDX-License-Identifier: Apache-2.0
"""What the benches of both buses share: keys, their words, a random source, pauses."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd
from typing import Any, Self

from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from gmpy2 import is_prime, next_prime

from redcore.units.rsa import model as rsa


def command(name: str) -> int:
    """The code of a command, by its name in redc_rsa_pkg without ``Cmd``."""
    return rsa.Command[_snake(name)]


def status(name: str) -> int:
    """The code of a status, by its name in redc_rsa_pkg without ``Status``."""
    return rsa.Status[_snake(name)]


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()


class Key(rsa.Key):
    """A private key of a test."""

    @classmethod
    def random(cls, width: int, exponent: int, choose: random.Random) -> Self:
        """A key whose modulus has exactly ``width`` bits."""
        half = width // 2
        while True:
            p, q = (
                int(next_prime(3 << (half - 2) | choose.getrandbits(half - 2))) for _ in range(2)
            )
            fits = p != q and p >> half == 0 and q >> half == 0
            if fits and gcd(exponent, (p - 1) * (q - 1)) == 1:
                return cls(*rsa.Key.of_primes(p, q, exponent).numbers)

    def check(self, width: int, exponent: int) -> None:
        """Fail unless this is a key of ``width`` bits in which all belongs together."""
        assert is_prime(self.p) and is_prime(self.q) and self.p != self.q
        assert self.n.bit_length() == width and self.e == exponent
        assert self.numbers == rsa.Key.of_primes(self.p, self.q, exponent).numbers


@dataclass(frozen=True)
class Words:
    """How numbers of a key of ``width`` bits become words."""

    width: int

    @property
    def unit(self) -> rsa.Rsa:
        """What knows."""
        return rsa.Rsa(self.width, self.width)

    @property
    def full(self) -> int:
        """Words of a number below n."""
        return self.unit.full_words

    @property
    def half(self) -> int:
        """Words of a prime."""
        return self.unit.half_words

    def words(self, value: int) -> list[int]:
        """A number below n, least significant word first."""
        return rsa.to_words(value, self.full)

    def number(self, words: list[int]) -> int:
        """The number of these words, which are as many as a number below n has."""
        assert len(words) == self.full
        return rsa.to_number(words)

    def key(self, key: Key) -> list[int]:
        """All words of a private key."""
        return self.unit.key_words(key)

    def to_key(self, words: list[int]) -> Key:
        """The private key of these words."""
        assert len(words) == 3 * self.full + 5 * self.half
        return Key(*self.unit.key_of(words).numbers)


def pauses(seed: int, often: float) -> Iterator[bool]:
    """Whether a stream pauses, cycle by cycle, in runs of several lengths."""
    choose = random.Random(seed)
    while True:
        pause = choose.random() < often
        for _ in range(choose.choice([1, 1, 2, 7])):
            yield pause


class RandomSource:
    """Random bits on the port, now and then, while ``on``; all of one ``level`` where that is set.

    An offer stays until it is taken.
    """

    def __init__(self, dut: Any, choose: random.Random) -> None:
        self.dut = dut
        self.choose = choose
        self.on = True
        self.level: int | None = None

    async def run(self) -> None:
        """Offer bits, for ever."""
        dut, offered = self.dut, False
        dut.trng_valid.value = 0
        dut.trng_data.value = 0
        while True:
            if offered and not int(dut.trng_ready.value):
                await RisingEdge(dut.trng_ready)  # nothing happens before
            await FallingEdge(dut.aclk)
            if not offered and self.on and self.choose.random() < 0.7:
                bit = self.choose.getrandbits(1)
                dut.trng_data.value = bit if self.level is None else self.level
                offered = True
            dut.trng_valid.value = int(offered)
            await ReadOnly()
            if int(dut.trng_ready.value):
                offered = False
