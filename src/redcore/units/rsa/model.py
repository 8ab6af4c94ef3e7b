# SPDX-License-Identifier: Apache-2.0
"""RSA: rules and integer model of ``rtl/redc_rsa.sv``, command by command.

``RsaModel`` answers as the hardware does, for the same random bits. The method and its bounds:
``docs/units/rsa.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import gcd, lcm
from typing import Any

from redcore.design import Design, ceil_div
from redcore.errors import BadInput
from redcore.units.exp.family import DEFAULT_METHOD, METHODS_ON_ONE
from redcore.units.prime.model import OnWords, PrimeGenerator, fips_rounds, odd_prime

HOST_BITS = 32
"""Bits of a word on the host's face."""
MODULI = 3
"""Places that the multiplier has to have: n, p and q."""


def step_bits(word_bits: int) -> int:
    """Bits of a word that come or go in a cycle: the greatest power of two in it, up to 32."""
    return min(HOST_BITS, word_bits & -word_bits)


class Command(IntEnum):
    """What the unit can be asked for; the numbers are those of ``redc_rsa_pkg::command_e``."""

    GENERATE = 0
    LOAD_KEY = 1
    LOAD_PUBLIC = 2
    READ_KEY = 3
    PUBLIC = 4
    PRIVATE = 5
    PRIVATE_CRT = 6
    CLEAR = 7


OPERATIONS = (Command.PUBLIC, Command.PRIVATE, Command.PRIVATE_CRT)
"""The commands that use a key."""


class Status(IntEnum):
    """How a command ended; the numbers are those of ``redc_rsa_pkg::status_e``."""

    OK = 0
    NO_KEY = 1
    LENGTH = 2
    BAD_KEY = 3
    BAD_OPERAND = 4
    FAULT = 5
    RANDOM_STUCK = 6
    UNSUPPORTED = 7
    BUSY = 8


class Held(IntEnum):
    """The key that is held; the numbers are those of ``redc_rsa_pkg::key_e``."""

    NONE = 0
    PUBLIC = 1
    PRIVATE = 2


@dataclass(frozen=True)
class Key:
    """A private key, in the order of its numbers on the host's face."""

    n: int
    e: int
    d: int
    p: int
    q: int
    dp: int
    dq: int
    qi: int

    @staticmethod
    def of_primes(p: int, q: int, e: int) -> Key:
        """The key of two primes, d modulo lcm(p - 1, q - 1); raise BadInput without such a d."""
        order = lcm(p - 1, q - 1)
        if gcd(e, order) != 1:
            raise BadInput(f"e = {e} has a factor in common with (p - 1)(q - 1)")
        d = pow(e, -1, order)
        return Key(p * q, e, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))

    @property
    def numbers(self) -> tuple[int, ...]:
        """All eight."""
        return (self.n, self.e, self.d, self.p, self.q, self.dp, self.dq, self.qi)


@dataclass(frozen=True)
class Rsa(OnWords):
    """A unit's parameters, as those of ``rtl/redc_rsa.sv``; see there.

    ``random_bases`` below 0 stands for the default of the width. ``read_private``: READ_KEY gives
    all of a private key. ``halves``: p and q have a multiplier of half the width to themselves.
    ``wide_part``: the one for n then has one in so many of that one's rows, replicas or stages; 0:
    they are one, which has the width of n or half of it, by the place of a modulus.
    """

    generate: int = 1
    read_private: int = 0
    public_exponent: int = 65537
    blinding: int = 64
    blinding_uses: int = 32
    pass_bits: int = 64
    method: str = DEFAULT_METHOD
    window: int = 4
    storage: int = 1
    chunk: int = 32
    primes: int = 53
    random_bases: int = -1
    halves: int = 0
    wide_part: int = 1

    def __post_init__(self) -> None:
        if self.random_bases < 0:
            object.__setattr__(self, "random_bases", fips_rounds(self.width // 2))

    @staticmethod
    def on(multiplier: Design, **settings: int | str) -> Rsa:
        """The unit for a multiplier's width and words."""
        geometry = multiplier.geometry
        sizes: dict[str, int | str] = {
            "width": multiplier.width,
            "word_bits": geometry.word_bits,
            "beats": geometry.beats,
        }
        return Rsa(**{**sizes, **settings})  # type: ignore[arg-type]

    @property
    def generator(self) -> PrimeGenerator:
        """The generator inside."""
        return PrimeGenerator(
            self.width // 2,
            self.word_bits,
            self.beats,
            self.primes,
            0,
            self.random_bases,
            self.public_exponent,
        )

    @property
    def one(self) -> bool:
        """Whether one multiplier has both widths."""
        return bool(self.halves) and not self.wide_part

    @property
    def exp_bits(self) -> int:
        """Bits of the longest exponent."""
        return self.width + self.blinding

    @property
    def full_words(self) -> int:
        """Words of a number below n on the host's face."""
        return ceil_div(self.width, HOST_BITS)

    @property
    def half_words(self) -> int:
        """Words of p, of q and of what is modulo one of them."""
        return ceil_div(self.width // 2, HOST_BITS)

    @property
    def slot_words(self) -> int:
        """Words of a slot of the memory."""
        rows = ceil_div(self.width + max(self.blinding, HOST_BITS) + 3, self.pass_bits)
        return rows * self.pass_bits // HOST_BITS

    def broken_rules(self) -> list[str]:
        e, top = self.public_exponent, self.width // 2
        rules = {
            f"width={self.width} is below 16 or odd": self.width >= 16 and self.width % 2 == 0,
            f"word_bits={self.word_bits} * beats={self.beats} does not hold width={self.width} "
            "bits": self.word_bits >= 1
            and self.beats >= 1
            and self.word_bits * self.beats >= self.width,
            f"public_exponent={e} is not an odd prime up to 2^20 and below 2^{top}": not (
                self.generate
            )
            or (odd_prime(e) and e < 1 << top),
            f"pass_bits={self.pass_bits} is not a power of two within 32 to 1024": (
                32 <= self.pass_bits <= 1024 and self.pass_bits & (self.pass_bits - 1) == 0
            ),
            f"method={self.method} is not one of {', '.join(METHODS_ON_ONE)}": (
                self.method in METHODS_ON_ONE
            ),
            f"chunk={self.chunk} is below 1": self.chunk >= 1,
        }
        reasons = [reason for reason, holds in rules.items() if not holds]
        reasons += [
            f"{name}={getattr(self, name)} is neither 0 nor 1"
            for name in ("generate", "read_private", "halves")
            if getattr(self, name) not in (0, 1)
        ]
        reasons += self.outside(
            blinding=(0, 256),
            blinding_uses=(1, 65535),
            window=(1, 6),
            storage=(0, 3),
            wide_part=(0, 64),
        )
        if not reasons and self.wide_part != 1 and not self.halves:
            reasons = [f"wide_part={self.wide_part} is for halves=1, where there are two sizes"]
        if not reasons and self.generate:
            reasons = self.generator.broken_rules()
        return reasons

    @property
    def least_gap(self) -> int:
        """What |p - q| of a key made here is above, of FIPS 186-5, A.1: 1 is as good as less."""
        return 1 << max(0, self.width // 2 - 100)

    @property
    def least_d(self) -> int:
        """What d of a key made here is above, of FIPS 186-5, A.1."""
        return 1 << self.width // 2

    def rtl_parameters(self) -> dict[str, int]:
        named = super().rtl_parameters()
        named |= {"Method": METHODS_ON_ONE[self.method], "ChunkBits": named.pop("Chunk")}
        for name in ("Halves", "WidePart"):
            del named[name]
        return named

    def multipliers(self, multiplier: Design) -> tuple[Design, Design | None]:
        """The multipliers beside the unit: for n, or for all, and for p and q where they have one.

        ``multiplier`` has three moduli. The second one has its settings, but for those that follow
        the width, the first one ``wide_part`` of its amount; or they are one, as it is at n's width
        and at half of it. Raises BadInput where there is no such one, or its words
        do not meet the first's.
        """
        geometry = multiplier.geometry
        if geometry.moduli != MODULI:
            raise BadInput(
                f"the multiplier holds moduli={geometry.moduli}, redc_rsa needs {MODULI}"
            )
        if (geometry.word_bits, geometry.beats) != (self.word_bits, self.beats):
            raise BadInput("the multiplier's words are not those of the unit")
        if not self.halves:
            return multiplier, None
        family, width = multiplier.family, multiplier.width
        same = {name: value for name, value in multiplier.values.items() if name != "moduli"}
        own = {
            name: value
            for name, value in same.items()
            if value != family.parameter(name).default_for(width)
        }
        if self.one:
            reasons = [
                f"at half the width {reason}"
                for reason in family.reasons(width // 2, same | {"moduli": MODULI - 1})
            ]
            if reason := family.one_width_reason(multiplier.values):
                reasons = [reason]
            if reasons:
                line = multiplier.command_line()
                raise BadInput(f"wide_part=0 with {line}: {'; '.join(reasons)}")
            return multiplier, family.design(width // 2, same | {"moduli": MODULI - 1})
        if told := family.told(multiplier.values):
            raise BadInput(
                f"{told[0]}=1 takes one multiplier for n and its primes: halves=0 or wide_part=0"
            )
        reasons = [f"words of {geometry.word_bits} bits do not meet those at half the width"]
        for settings in (own, same):
            wanted = settings | {"moduli": MODULI - 1}
            broken = family.reasons(width // 2, wanted)
            if broken:
                reasons = broken
                continue
            narrow = family.design(width // 2, wanted)
            if 1 == geometry.beats == narrow.geometry.beats or (
                narrow.geometry.word_bits == geometry.word_bits
                and narrow.geometry.beats <= geometry.beats
            ):
                return part_of(family.design(width, same | {"moduli": 1}), self.wide_part), narrow
        raise BadInput(f"halves=1 with {multiplier.command_line()}: {'; '.join(reasons)}")

    def top_context(
        self, multiplier: Design, extra: Mapping[str, int] | None = None, faults: bool = False
    ) -> tuple[Design, dict[str, Any]]:
        """The multiplier for n and what the template of the top sees.

        ``extra`` sets more of the unit's RTL parameters; ``faults`` adds the port that turns a bit
        of the multiplier's results. Raises BadInput where unit and multiplier do not fit.
        """
        wide, narrow = self.multipliers(multiplier)
        r_bits = wide.geometry.r_bits
        both = [design.geometry for design in (wide, narrow) if design]
        sizes = {
            "RBits": r_bits,
            "HalfRBits": both[-1].r_bits,
            "Slots": max(geometry.slots for geometry in both),
        }
        return wide, {
            "settings": {
                **self.rtl_parameters(),
                **sizes,
                "Bound": wide.geometry.bound,
                **(extra or {}),
            },
            "narrow": narrow,
            "one": self.one,
            "faults": faults,
        }

    def bits_of(self, place: int) -> int:
        """Bits of a key's number, by its place in the order of ``Key``."""
        return self.width if place < 3 else self.width // 2

    def key_words(self, key: Key) -> list[int]:
        """A key as the host's face takes it; numbers too long lose their upper bits."""
        words = []
        for place, number in enumerate(key.numbers):
            words += to_words(number, self.full_words if place < 3 else self.half_words)
        return words

    def key_of(self, words: Sequence[int]) -> Key:
        """A private key as the host's face gives it."""
        numbers, at = [], 0
        for place in range(8):
            count = self.full_words if place < 3 else self.half_words
            numbers.append(to_number(words[at : at + count]))
            at += count
        return Key(*numbers)


def part_of(multiplier: Design, part: int) -> Design:
    """The multiplier with one in ``part`` of its rows, replicas or stages, at least one; with 0, as
    where it has both widths, and 1 it is whole.

    Raises BadInput for a family that has nothing to take less of.
    """
    family, amount = multiplier.family, multiplier.family.amount
    if part <= 1:
        return multiplier
    if not amount:
        raise BadInput(f"wide_part={part}: there is no smaller {family.name} with the same words")
    less = max(1, int(multiplier.values[amount]) // part)
    return family.design(multiplier.width, {**multiplier.values, amount: less})


def to_words(number: int, count: int) -> list[int]:
    """The lowest words of a number, least significant first."""
    return [number >> (HOST_BITS * k) & ((1 << HOST_BITS) - 1) for k in range(count)]


def to_number(words: Sequence[int]) -> int:
    """The number of these words, least significant first."""
    return sum(word << (HOST_BITS * k) for k, word in enumerate(words))


class _Stuck(Exception):
    """So many equal random bits in a row."""


class _Random:
    """Random bits with the repetition test."""

    LIMIT = 64

    def __init__(self) -> None:
        self.bits: Iterator[int] = iter(())
        self._run = 0
        self._last = 0

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        bit = next(self.bits)
        self._run = self._run + 1 if self._run and bit == self._last else 1
        self._last = bit
        if self._run == self.LIMIT:
            raise _Stuck
        return bit

    def restart(self) -> None:
        """The test begins anew."""
        self._run = 0

    def number(self, count: int) -> int:
        """A number of so many bits, the lowest first."""
        return sum(next(self) << k for k in range(count))


class RsaModel:
    """The unit on integers; it keeps its key and its blinding pair from command to command.

    ``read_lock`` is the unit's input of that name.
    """

    def __init__(self, unit: Rsa) -> None:
        self.unit = unit
        self.read_lock = False
        self.held = Held.NONE
        self.key = Key(0, 0, 0, 0, 0, 0, 0, 0)
        self.pair = (0, 0)
        self.uses = 0
        """Private operations that the pair has served."""
        self.drawn = False
        """Whether the last command has drawn it."""
        self._random = _Random()

    def run(
        self, command: Command, words: Sequence[int], random_bits: Iterator[int]
    ) -> tuple[Status, list[int]]:
        """The status of a command and the words it gives; ``words`` are its operands."""
        self._random.bits, self.drawn = random_bits, False
        try:
            status, output = self._run(command, words)
        except _Stuck:
            self.held = Held.NONE
            status, output = Status.RANDOM_STUCK, []
        if command is Command.CLEAR or status in (Status.FAULT, Status.RANDOM_STUCK):
            self._random.restart()
        return status, output

    def _run(self, command: Command, words: Sequence[int]) -> tuple[Status, list[int]]:
        unit = self.unit
        if command is Command.GENERATE:
            return self._generate(), []
        if command in (Command.LOAD_KEY, Command.LOAD_PUBLIC):
            return self._load(words, command is Command.LOAD_KEY), []
        if command is Command.CLEAR:
            self.held = Held.NONE
            return Status.OK, []
        if command is Command.READ_KEY:
            if self.held is Held.NONE:
                return Status.NO_KEY, []
            numbers = unit.key_words(self.key)
            whole = self.held is Held.PRIVATE and unit.read_private and not self.read_lock
            return Status.OK, numbers if whole else numbers[: 2 * unit.full_words]
        if self.held < (Held.PUBLIC if command is Command.PUBLIC else Held.PRIVATE):
            return Status.NO_KEY, []
        x = to_number(words)
        if len(words) != unit.full_words or x >> unit.width:
            return Status.LENGTH, []
        if x >= self.key.n:
            return Status.BAD_OPERAND, []
        if command is Command.PUBLIC:
            return Status.OK, to_words(pow(x, self.key.e, self.key.n), unit.full_words)
        result = self._private(x, command is Command.PRIVATE_CRT)
        if result is None:
            self.held = Held.NONE
            return Status.FAULT, []
        return Status.OK, to_words(result, unit.full_words)

    def _generate(self) -> Status:
        if not self.unit.generate:
            return Status.UNSUPPORTED
        self.held = Held.NONE
        generator = self.unit.generator
        self.key = Key(0, 0, 0, 0, 0, 0, 0, 0)
        while self.key.d <= self.unit.least_d:
            p = q = generator.search(self._random).prime
            while p - q <= self.unit.least_gap:
                other = generator.search(self._random).prime
                p, q = max(p, other), min(p, other)
            self.key = Key.of_primes(p, q, self.unit.public_exponent)
        self._prepare()
        if self._private(2, True) is None:
            return Status.FAULT
        self.held = Held.PRIVATE
        return Status.OK

    def _load(self, words: Sequence[int], private: bool) -> Status:
        unit = self.unit
        self.held = Held.NONE
        full, half = unit.full_words, unit.half_words
        count = 3 * full + 5 * half if private else 2 * full
        if len(words) != count:
            return Status.LENGTH
        key = unit.key_of([*words, *[0] * (3 * full + 5 * half - count)])
        if any(number >> unit.bits_of(place) for place, number in enumerate(key.numbers)):
            return Status.LENGTH
        if min(key.n, key.e) < 3 or not key.n & key.e & 1:
            return Status.BAD_KEY
        if private:
            beyond = key.d > key.n or key.dp > key.p or key.dq > key.q or key.qi >= key.p
            if min(key.p, key.q) < 2 or key.p * key.q != key.n or beyond:
                return Status.BAD_KEY
        self.key = key
        if private:
            self._prepare()
        self.held = Held.PRIVATE if private else Held.PUBLIC
        return Status.OK

    def _prepare(self) -> None:
        """The blinding pair: r^e and 1/r."""
        if not self.unit.blinding:
            return
        n = self.key.n
        while True:
            r = self._random.number(self.unit.width) % n
            if gcd(r, n) == 1:
                break
        self.pair, self.uses = (pow(r, self.key.e, n), pow(r, -1, n)), 0
        self.drawn = True

    def _private(self, x: int, crt: bool) -> int | None:
        """x^d mod n, as numbers that do not belong together give it; None where it is not that."""
        key, blinding = self.key, self.unit.blinding
        vi, vf = self.pair if blinding else (1, 1)
        y = x * vi % key.n
        if crt:
            dp = key.dp + self._random.number(blinding) * (key.p - 1)
            dq = key.dq + self._random.number(blinding) * (key.q - 1)
            u, v = pow(y % key.p, dp, key.p), pow(y % key.q, dq, key.q)
            y = v + (u - v) * key.qi % key.p * key.q
        else:
            d = key.d + self._random.number(blinding) * (key.n - key.p - key.q + 1)
            y = pow(y, d, key.n)
        y = y * vf % key.n
        # The next pair is made before the result is checked, and takes random bits in any case.
        if blinding:
            self.uses += 1
            if self.uses == self.unit.blinding_uses:
                self._prepare()
            else:
                self.pair = vi * vi % key.n, vf * vf % key.n
        return y if pow(y, key.e, key.n) == x else None
