# SPDX-License-Identifier: Apache-2.0
"""What is measured: a unit, its secrets, and how inputs of its jobs are drawn."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gmpy2 import is_prime

from redcore.design import Design, number
from redcore.errors import BadInput
from redcore.simulate import check_modulus, design_moduli
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.weierstrass import multiply_point, sign
from redcore.units.rsa import bench as rsa_bench
from redcore.units.rsa.family import RsaUnit
from redcore.units.rsa.model import Command, Key, to_words

NOTHING = "nothing"
"""As a secret: both classes are drawn alike, so that a test of it has to pass."""
_NAMES = {"exp": ("message", "exponent"), "curve": ("point", "scalar")}
"""Operands a and b, by kind of unit."""
_SIGNED = {"sign": ("nonce", "hash", "key"), "verify": ("hash",)}
"""What is drawn for each job of a processor of signatures, by task."""
_POINTS = 256
"""Of a curve, which random ones are chosen from."""


@dataclass(frozen=True)
class Inputs:
    """Of one job, as bytes; ``key`` is what an RSA unit loads before it."""

    a: bytes
    b: bytes = b""
    key: bytes = b""


class Subject(ABC):
    """A unit with what all its jobs have in common: modulus or key."""

    secrets: tuple[str, ...]
    same_time = True
    """Whether each job has to take the cycles of the first one."""
    command = 0
    """Of RSA: the operation's number."""

    def __init__(self, design: Design, seed: int) -> None:
        self.design = design
        self.seed = seed
        self._fixed = self._values(random.Random(f"{seed} fixed"))

    @abstractmethod
    def _values(self, choose: random.Random) -> dict[str, int]:
        """A value of each secret."""

    @abstractmethod
    def inputs(self, values: dict[str, int]) -> Inputs:
        """As the unit takes them."""

    @abstractmethod
    def sources(self) -> list[Path]:
        """The RTL, the top last."""

    @property
    @abstractmethod
    def top(self) -> str:
        """The module."""

    def draw(
        self, choose: random.Random, secret: str, fixed: bool
    ) -> tuple[Inputs, dict[str, int]]:
        """A job in which that secret is the fixed value, or drawn as all else; and its values."""
        values = self._values(choose)
        if fixed and secret != NOTHING:
            values[secret] = self._fixed[secret]
        return self.inputs(values), values

    @abstractmethod
    def answer(self, values: dict[str, int]) -> int:
        """What comes out of a job."""

    def right(self, values: dict[str, int], given: int) -> bool:
        """Whether that is the answer of a job."""
        return given == self.answer(values)

    @property
    def setup(self) -> bytes:
        """What is loaded once: a modulus with its constants, or a key."""
        return b""

    @property
    def parameters(self) -> dict[str, int]:
        """Of the top."""
        return {}

    def told(self) -> dict[str, str]:
        """What is public and was chosen."""
        return {}


class OnContract(Subject):
    """A multiplier, exponentiator or curve processor with one modulus."""

    def __init__(self, design: Design, seed: int, modulus: int | None = None) -> None:
        design.require_contract()
        self.modulus = _usual(design, seed) if modulus is None else modulus
        check_modulus(design, self.modulus)
        self.secrets = _NAMES.get(design.family.kind, ("a", "b"))
        super().__init__(design, seed)

    @property
    def top(self) -> str:
        return self.design.family.module

    def sources(self) -> list[Path]:
        return self.design.sources()

    @property
    def parameters(self) -> dict[str, int]:
        return self.design.rtl_parameters()

    @cached_property
    def _points(self) -> list[int]:
        """Points of a curve as they travel, multiples of one of them that are none of order 2."""
        unit = self.design.family
        assert isinstance(unit, CurveUnit)
        form = unit.form(self.design.width, self.design.values, self.modulus)
        choose, first = random.Random(f"{self.seed} points"), form.first_point()
        times = (choose.randrange(1, form.scalar_limit) for _ in range(_POINTS))
        found = (form.multiple(first, k) for k in times)
        return [form.joined(point) for point in found if point and form.multiple(point, 1)]

    def _values(self, choose: random.Random) -> dict[str, int]:
        limits = self.design.operand_limits(self.modulus)
        first, second = self.secrets
        found = {first: choose.randrange(limits[0]), second: choose.randrange(limits[1])}
        if isinstance(self.design.family, CurveUnit):
            found[first] = choose.choice(self._points)
        return found

    @property
    def r_bits(self) -> int:
        """Of the multiplier inside."""
        return self.design.family.inside(self.design.width, self.design.values)[0].geometry.r_bits

    @cached_property
    def operand_bytes(self) -> int:
        """Bytes of an operand."""
        geometry = self.design.geometry
        return -(-geometry.word_bits * geometry.beats // 8)

    def inputs(self, values: dict[str, int]) -> Inputs:
        size = self.operand_bytes
        a, b = (values[name].to_bytes(size, "little") for name in self.secrets)
        return Inputs(a, b)

    def answer(self, values: dict[str, int]) -> int:
        first, second = (values[name] for name in self.secrets)
        return int(self.design.product(first, second, self.modulus))

    @property
    def setup(self) -> bytes:
        design, geometry = self.design, self.design.geometry
        words = design.family.modulus_words(design.width, design.values, self.modulus)
        beats = geometry.modulus_beats or geometry.beats
        return int(words).to_bytes(-(-geometry.word_bits * beats // 8), "little")

    def told(self) -> dict[str, str]:
        return {"modulus": hex(self.modulus)}


class OnSignature(OnContract):
    """A processor of signatures: what it signs or verifies, and who signs, is drawn for each job.

    Of ``task=verify``, which has no secrets, the hash is fixed or random: signatures are right.
    """

    def __init__(self, design: Design, seed: int, modulus: int | None = None) -> None:
        super().__init__(design, seed, modulus)
        self.secrets = _SIGNED[str(design.values["task"])]
        choose = random.Random(f"{seed} fixed")
        while self._signed(self._fixed) is None:  # a nonce that gives no r would never be drawn out
            self._fixed = self._values(choose)

    @property
    def _curve(self) -> tuple[int, int, int, tuple[int, int], int]:
        """a, b, p, base point and order."""
        a, b, x, y, order = (
            number(self.design.values, name) for name in ("a", "b", "base_x", "base_y", "order")
        )
        return a, b, self.modulus, (x, y), order

    def _values(self, choose: random.Random) -> dict[str, int]:
        order = number(self.design.values, "order")
        found = {"hash": choose.randrange(order)}
        return found | {name: choose.randrange(1, order) for name in ("nonce", "key")}

    def _signed(self, values: dict[str, int]) -> tuple[int, int] | None:
        return sign(values["key"], values["nonce"], values["hash"], *self._curve)

    def draw(
        self, choose: random.Random, secret: str, fixed: bool
    ) -> tuple[Inputs, dict[str, int]]:
        """As of others; what gives no signature is drawn again."""
        while True:
            inputs, values = super().draw(choose, secret, fixed)
            if self._signed(values) is not None:
                return inputs, values

    def inputs(self, values: dict[str, int]) -> Inputs:
        size = self.operand_bytes
        return Inputs(*(one.to_bytes(size, "little") for one in self._operands(values)))

    def _operands(self, values: dict[str, int]) -> tuple[int, int]:
        """a and b, as they travel."""
        design, unit = self.design, self.design.family
        assert isinstance(unit, CurveUnit)
        width, settings = design.width, design.values
        if settings["task"] == "sign":
            return values["hash"], unit.joined(width, settings, (values["nonce"], values["key"]))
        a, b, p, base, order = self._curve
        public = multiply_point(base, values["key"], a, b, p, order.bit_length())
        assert public is not None
        first = unit.joined(width, settings, (*public, values["hash"]))
        return first, unit.joined(width, settings, self._signed(values) or (0, 0))

    def answer(self, values: dict[str, int]) -> int:
        return int(self.design.product(*self._operands(values), self.modulus))


class OnRsa(Subject):
    """The private operation of an RSA unit.

    Of the exponent, keys are of the same primes and fit to different public exponents of one
    length, so that nothing but d, dP, dQ and e differs; they are loaded before each job.
    """

    secrets = ("message", "exponent")
    same_time = False  # where a blind has no inverse it is drawn again

    def __init__(self, design: Design, seed: int) -> None:
        family = design.family
        assert isinstance(family, RsaUnit)
        self.unit = family.unit(design.width, design.values)
        crt = design.values["operation"] == "crt"
        self.command = Command.PRIVATE_CRT if crt else Command.PRIVATE
        choose = random.Random(f"{seed} key")
        half = design.width // 2
        while True:
            top = 3 << half - 2
            p, q = (top | choose.getrandbits(half - 2) | 1 for _ in range(2))
            if p > q and is_prime(p) and is_prime(q):
                self.exponents = [e for e in _odd(17, 31) if _fits(e, p, q)]
                if len(self.exponents) > 2:
                    break
        self.primes = (p, q)
        super().__init__(design, seed)

    @property
    def top(self) -> str:
        return rsa_bench.TOP

    def sources(self) -> list[Path]:
        family = self.design.family
        assert isinstance(family, RsaUnit)
        multiplier = family.multiplier_design(self.design.width, self.design.values)
        return rsa_bench.sources(self.unit, multiplier)

    def key(self, e: int) -> Key:
        """Of that public exponent."""
        return Key.of_primes(*self.primes, e)

    def _values(self, choose: random.Random) -> dict[str, int]:
        p, q = self.primes
        return {"message": choose.randrange(p * q), "exponent": choose.choice(self.exponents)}

    def inputs(self, values: dict[str, int]) -> Inputs:
        return Inputs(_raw(to_words(values["message"], self.unit.full_words)), b"", b"")

    def draw(
        self, choose: random.Random, secret: str, fixed: bool
    ) -> tuple[Inputs, dict[str, int]]:
        inputs, values = super().draw(choose, secret, fixed)
        if secret != "exponent":
            return inputs, values | {"exponent": self.exponents[0]}
        return Inputs(inputs.a, b"", self._loaded(values["exponent"])), values

    def _loaded(self, e: int) -> bytes:
        return _raw(self.unit.key_words(self.key(e)))

    def answer(self, values: dict[str, int]) -> int:
        p, q = self.primes
        return pow(values["message"], self.key(values["exponent"]).d, p * q)

    @property
    def setup(self) -> bytes:
        return self._loaded(self.exponents[0])

    def told(self) -> dict[str, str]:
        return {"modulus": hex(self.primes[0] * self.primes[1])}


def _usual(design: Design, seed: int) -> int:
    """A random prime of the full width: powers modulo a smooth number run into few values."""
    choose, top = random.Random(f"{seed} modulus"), 1 << design.width - 1
    for _ in range(20 * design.width):
        tried = top | choose.getrandbits(design.width - 1) | 1
        if is_prime(tried) and not design.family.modulus_reason(design.width, design.values, tried):
            return tried
    return max(design_moduli(design, seed))


def subject(design: Design, seed: int, modulus: int | None = None) -> Subject:
    """What is measured of a design; BadInput where its face is none that is known."""
    if isinstance(design.family, RsaUnit):
        if modulus is not None:
            raise BadInput("an RSA unit makes its own modulus of two primes; leave --modulus out")
        return OnRsa(design, seed)
    if design.values.get("task", "multiply") != "multiply":
        return OnSignature(design, seed, modulus)
    return OnContract(design, seed, modulus)


def _odd(low: int, high: int) -> range:
    return range(low, high + 1, 2)


def _fits(e: int, p: int, q: int) -> bool:
    try:
        Key.of_primes(p, q, e)
    except BadInput:
        return False
    return True


def _raw(words: list[int]) -> bytes:
    return b"".join(word.to_bytes(4, "little") for word in words)
