# SPDX-License-Identifier: Apache-2.0
"""Which cases a campaign has met: digits, carries, final subtraction, moduli, waits on the streams.

Cases follow from the numbers and from the cycles of acceptance and answer, not from signals inside:
the quotient q is the one number below R that makes (a b + q m) / R whole, whatever computes it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import ceil

import gmpy2
import numpy as np
from gmpy2 import mpz

from redcore import moduli as named
from redcore.design import Design
from redcore.simulate import default_moduli
from redcore.simulate.check import moduli_in_use
from redcore.simulate.simulator import Answers
from redcore.simulate.stimulus import Piece

_PLACES = ("lowest", "inner", "highest")
_KINDS = ("zero", "one", "top bit only", "all ones", "other")
"""Of a digit of more than ``_EACH`` bits; of a smaller one each value is a case."""
_EACH = 3
_DRAWN = 24
"""Moduli of ``biased_moduli`` that are drawn."""


def biased_moduli(design: Design, seed: int) -> list[int]:
    """Odd moduli of at most the design's width that its digits find hard.

    The largest and the smallest first; then lowest digits of zeros but for the last bit, or of
    ones, near powers of two, small products, named primes, products of two primes of half the size,
    random ones.
    """
    width, digit = design.width, design.digit_bits()
    choose = random.Random(f"campaign moduli {seed} {width} {digit}")
    top = 1 << width
    found = {*default_moduli(width, seed), 9, 15, 21, 45}
    for count in (1, 2, max(1, width // digit // 2)):
        low = 1 << min(digit * count, width - 1)
        for _ in range(2):
            upper = choose.randrange(top // 2, top) // low * low
            found |= {upper + 1, upper + low - 1}
    found |= {1 << (width - 1) | 1 << choose.randrange(width) | 1 for _ in range(4)}
    found |= {top - 1 - (1 << choose.randrange(1, width)) for _ in range(4)}
    # The largest that fit: beside the width's own they have leading zeros.
    found |= set([p for p in _named_primes() if p < top][-6:])
    for _ in range(4 if width >= 8 else 0):
        p, q = (int(gmpy2.next_prime(choose.getrandbits(width // 2) | 3)) for _ in range(2))
        found.add(p * q)
    found |= {choose.getrandbits(width) | 1 for _ in range(_DRAWN)}
    legal = sorted(m for m in found if 1 < m < top - 1 and m % 2)
    choose.shuffle(legal)
    return [top - 1, 1, *legal]


class Cases:
    """Counts the cases of one design while it is simulated."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._geometry = design.geometry
        self._bits = design.digit_bits()
        self._multiplies = design.family.kind == "mul"
        self._inverse: dict[int, mpz] = {}
        self._moduli: set[int] = set()
        # A number's bits; its highest digit may have fewer than the others.
        longest = (self._geometry.bound << design.width) - 1
        self._sizes = {"a": longest.bit_length(), "q": self._geometry.r_bits or design.width}
        self.counts: Counter[str] = Counter(dict.fromkeys(self._wanted(), 0))

    def see(self, piece: Piece, answers: Answers, in_place: Sequence[int]) -> None:
        """Count what one piece of a simulation has shown."""
        self._see_times(answers)
        if not self._multiplies:
            return
        run, items = answers.run(), piece.batch.items()
        used = moduli_in_use(run, piece.loads, in_place, [place for _, _, place in items])
        for at, ((a, b, _), modulus) in enumerate(zip(items, used, strict=False)):
            self._see_product(mpz(a), mpz(b), modulus, at)

    def _wanted(self) -> list[str]:
        waits = [
            "operands taken as soon as may be", "operands taken after a pause",
            "operands taken with nothing in flight", "result at the stated latency",
            "result later than the stated latency", "results one right after another",
            "modulus changed",
        ]  # fmt: skip
        if self._geometry.slots > 1:
            waits.append("operands taken with all slots in use")
        if self._geometry.moduli > 1:
            waits.append("modulus changed with multiplications in flight")
        if not self._multiplies:
            return waits
        operands = [f"{name} is {what}" for name in "ab" for what in ("0", "1", "m - 1")]
        operands += ["a = b", "a and b are m - 1"]
        sums = ["sum: carries over half of the width"]
        if self._geometry.r_bits:
            sums += ["sum: nothing carried into its upper half", "sum: above the width"]
            sums += ["result: the sum is m", "result: below m"]
            if self._geometry.bound == 1:
                sums += ["final subtraction: taken", "final subtraction: not taken"]
                sums += ["final subtraction: borrows over half of the width"]
            else:
                sums += ["result: above m", "a is above m", "b is above m"]
        moduli = [
            "1", "2^width - 1", "of fewer bits than the width", "just above a power of two",
            "just below a power of two", "with a lowest digit of ones",
            "with a lowest digit of 1", "a named prime",
        ]  # fmt: skip
        if _named_primes()[0].bit_length() > self._design.width:
            moduli.remove("a named prime")
        digits = [
            f"{number}: {place} digit {kind}"
            for number, size in self._sizes.items()
            for place, where in zip(_PLACES, self._where(size, 0), strict=True)
            if place != "inner" or size > 2 * self._bits
            for kind in _kinds(min(self._bits, size - where * self._bits))
        ]
        return [*waits, *operands, *sums, *(f"modulus: {m}" for m in moduli), *digits]

    def _met(self, case: str) -> None:
        # A case that cannot be met is not wanted, and not counted.
        if case in self.counts:
            self.counts[case] += 1

    def _see_times(self, answers: Answers) -> None:
        count, geometry = answers.count, self._geometry
        if not count:
            return
        accepted, answered, loaded = (
            np.frombuffer(memoryview(each), dtype=np.uint64, count=count).astype(np.int64)
            for each in (answers.accepted, answers.answered, answers.loaded)
        )
        interval = ceil(geometry.interval_cycles)
        spacing, latency = np.diff(accepted), answered - accepted
        before = np.searchsorted(answered, accepted, side="left")
        flying = np.arange(count) - before
        changed = np.diff(loaded) > 0
        for case, hits in (
            ("operands taken as soon as may be", (spacing <= interval).sum()),
            ("operands taken after a pause", (spacing > interval).sum()),
            ("operands taken with nothing in flight", (flying == 0).sum()),
            ("operands taken with all slots in use", (flying >= geometry.slots - 1).sum()),
            ("result at the stated latency", (latency <= geometry.latency_cycles).sum()),
            ("result later than the stated latency", (latency > geometry.latency_cycles).sum()),
            ("results one right after another", (np.diff(answered) <= interval).sum()),
            ("modulus changed", changed.sum()),
            ("modulus changed with multiplications in flight", (changed & (flying[1:] > 0)).sum()),
        ):
            if case in self.counts:
                self.counts[case] += int(hits)

    def _see_modulus(self, modulus: int) -> None:
        width = self._design.width
        low = modulus % (1 << self._bits)
        near = 1 << width // 2
        # Distance to the powers of two around it, from 8 on: below that all are near.
        above = modulus - (1 << (modulus.bit_length() - 1))
        below = (1 << modulus.bit_length()) - modulus
        for case, met in (
            ("1", modulus == 1),
            ("2^width - 1", modulus == (1 << width) - 1),
            ("of fewer bits than the width", modulus.bit_length() < width),
            ("just above a power of two", modulus > 8 and above < near),
            ("just below a power of two", modulus > 8 and below < near),
            ("with a lowest digit of ones", low == (1 << self._bits) - 1),
            ("with a lowest digit of 1", low == 1),
            ("a named prime", modulus in _named_primes()),
        ):
            if met:
                self._met(f"modulus: {case}")

    def _see_product(self, a: mpz, b: mpz, modulus: int, at: int) -> None:
        if modulus not in self._moduli:
            self._moduli.add(modulus)
            self._see_modulus(modulus)
        for name, value in (("a", a), ("b", b)):
            if value <= 1:
                self._met(f"{name} is {value}")
            if value == modulus - 1:
                self._met(f"{name} is m - 1")
            elif value > modulus:
                self._met(f"{name} is above m")
        if a == b:
            self._met("a = b")
            if a == modulus - 1:
                self._met("a and b are m - 1")
        self._see_digits("a", a, at)
        if self._geometry.r_bits:
            self._see_montgomery(a * b, modulus, at)
        elif modulus > 1:
            quotient = a * b // modulus
            self._see_digits("q", quotient, at)
            self._see_carries("sum", a * b, -quotient * modulus, self._design.width)

    def _see_montgomery(self, product: mpz, modulus: int, at: int) -> None:
        r_bits, width = self._geometry.r_bits, self._design.width
        radix = mpz(1) << r_bits
        if modulus not in self._inverse:
            self._inverse[modulus] = -gmpy2.invert(modulus, radix) if modulus > 1 else mpz(-1)
        quotient = product * self._inverse[modulus] % radix
        more = quotient * modulus
        total = (product + more) >> r_bits
        self._see_digits("q", quotient, at)
        self._see_carries("sum", product >> r_bits, more >> r_bits, width)
        if not product % radix:
            self._met("sum: nothing carried into its upper half")
        if total.bit_length() > width:
            self._met("sum: above the width")
        if total == modulus:
            self._met("result: the sum is m")
        elif total > modulus:
            self._met("result: above m")
        else:
            self._met("result: below m")
        taken = total >= modulus
        self._met(f"final subtraction: {'taken' if taken else 'not taken'}")
        if taken and _long(total ^ modulus ^ (total - modulus), width):
            self._met("final subtraction: borrows over half of the width")

    def _see_carries(self, name: str, one: mpz, other: mpz, width: int) -> None:
        if _long((one ^ other ^ (one + other)) & ((mpz(1) << width) - 1), width):
            self._met(f"{name}: carries over half of the width")

    def _see_digits(self, name: str, value: mpz, at: int) -> None:
        size = self._sizes[name]
        for place, where in zip(_PLACES, self._where(size, at), strict=True):
            bits = min(self._bits, size - where * self._bits)
            digit = int(value >> where * self._bits) & ((1 << bits) - 1)
            self._met(f"{name}: {place} digit {_kind(digit, bits)}")

    def _where(self, size: int, at: int) -> tuple[int, int, int]:
        """The lowest digit of ``size`` bits, one between that changes with ``at``, the highest."""
        last = (size - 1) // self._bits
        return 0, 1 + at % max(1, last - 1), last


def _kinds(bits: int) -> Sequence[str]:
    return [str(value) for value in range(1 << bits)] if bits <= _EACH else _KINDS


def _kind(digit: int, bits: int) -> str:
    """Of a digit of ``bits`` bits."""
    if bits <= _EACH:
        return str(digit)
    special = (0, 1, 1 << (bits - 1), (1 << bits) - 1)
    return _KINDS[special.index(digit) if digit in special else 4]


def _long(carries: mpz, width: int) -> bool:
    """Whether half of ``width`` carries in a row are ones."""
    wanted, have = max(2, width // 2), 1
    while have < wanted and carries:
        step = min(have, wanted - have)
        carries &= carries >> step
        have += step
    return bool(carries)


@cache
def _named_primes() -> tuple[int, ...]:
    return tuple(sorted(named.modulus(name).value for name in named.names()))
