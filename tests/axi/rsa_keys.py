# SPDX-License-Identifier: Apache-2.0
"""What the benches of both buses share: keys, their words, a random source."""

from __future__ import annotations

import random
import re
from dataclasses import astuple, dataclass
from math import gcd, lcm
from typing import Any, Self

from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from gmpy2 import is_prime, next_prime

from redcore import rtl

HOST_BITS = 32


def _enumerated(prefix: str) -> dict[str, int]:
    text = (rtl.rtl_folder() / "redc_rsa_pkg.sv").read_text(encoding="utf-8")
    pattern = rf"\b{prefix}(\w+)\s*= \d'd(\d+)"
    return {name: int(value) for name, value in re.findall(pattern, text)}


_COMMANDS, _STATUSES = _enumerated("Cmd"), _enumerated("Status")


def command(name: str) -> int:
    """The code of a command, by its name in redc_rsa_pkg without ``Cmd``."""
    return _COMMANDS[name]


def status(name: str) -> int:
    """The code of a status; OK may be written in capitals."""
    return _STATUSES[name.capitalize() if name == "OK" else name]


@dataclass(frozen=True)
class Key:
    """A private key, its numbers in the order of the words."""

    n: int
    e: int
    d: int
    p: int
    q: int
    dp: int
    dq: int
    qinv: int

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
                d = pow(exponent, -1, lcm(p - 1, q - 1))
                return cls(p * q, exponent, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))

    def check(self, width: int, exponent: int) -> None:
        """Fail unless this is a key of ``width`` bits in which all belongs together."""
        assert self.n == self.p * self.q and self.n.bit_length() == width
        assert self.p != self.q and is_prime(self.p) and is_prime(self.q)
        assert self.e == exponent
        assert self.e * self.d % lcm(self.p - 1, self.q - 1) == 1
        assert self.dp == self.d % (self.p - 1) and self.dq == self.d % (self.q - 1)
        assert self.q * self.qinv % self.p == 1


@dataclass(frozen=True)
class Words:
    """How numbers of a key of ``width`` bits become words."""

    width: int

    @property
    def full(self) -> int:
        """Words of a number below n."""
        return -(-self.width // HOST_BITS)

    @property
    def half(self) -> int:
        """Words of a prime."""
        return -(-(self.width // 2) // HOST_BITS)

    def words(self, value: int, count: int | None = None) -> list[int]:
        """A number, least significant word first."""
        count = self.full if count is None else count
        assert 0 <= value < 1 << HOST_BITS * count
        return [value >> HOST_BITS * k & 0xFFFFFFFF for k in range(count)]

    def number(self, words: list[int]) -> int:
        """The number of these words, which are as many as a number below n has."""
        assert len(words) == self.full
        return sum(word << HOST_BITS * k for k, word in enumerate(words))

    def key(self, key: Key) -> list[int]:
        """All words of a private key."""
        sizes = [self.full] * 3 + [self.half] * 5
        return [
            word
            for value, size in zip(astuple(key), sizes, strict=True)
            for word in self.words(value, size)
        ]

    def to_key(self, words: list[int]) -> Key:
        """The private key of these words."""
        sizes = [self.full] * 3 + [self.half] * 5
        assert len(words) == sum(sizes)
        values, at = [], 0
        for size in sizes:
            values.append(
                sum(word << HOST_BITS * k for k, word in enumerate(words[at : at + size]))
            )
            at += size
        return Key(*values)


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
