# SPDX-License-Identifier: Apache-2.0
"""What a form of curves is to a processor of curves: the base class of each one's ``*_design``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import ClassVar

from gmpy2 import is_prime

from redcore.design import Parameter, Value, number
from redcore.errors import BadInput
from redcore.units.curve.programs import ProgramText

Numbers = tuple[int, ...]
"""Those of a point, or of a signature and its hash."""
REFUSED: Numbers = ()
"""In place of a result."""
SCALAR_BLINDING, AS_MANY = "scalar_blinding", -1
"""A parameter, and its value for as many bits as ``blinding`` has."""
IDLE: Mapping[str, Value] = {"order": 0, "window": 1, SCALAR_BLINDING: 0}
"""What says nothing in a form that takes no order: scalars are not blinded, and go bit by bit."""
MULTIPLY, SIGN, VERIFY = TASKS = "multiply", "sign", "verify"


class CurveForm(ABC):
    """A curve of one form as the parameters of a design have it, modulo a prime.

    ``prime`` is 0 where it does not matter, ``number_bits`` are those of a number as it travels.
    """

    parameters: ClassVar[tuple[Parameter, ...]] = ()
    """Those that no other form has."""
    takes: ClassVar[frozenset[str]] = frozenset()
    """Parameters of some forms that say something of this one."""
    signs: ClassVar[bool] = False
    """Whether there are signatures."""
    widths_of_scalar: ClassVar[int] = 1
    """How many times as long as a number a scalar may be."""
    primes_alone: ClassVar[bool] = False
    """Whether with a modulus that is refused sums may have no result."""

    def __init__(self, values: Mapping[str, Value], prime: int = 0, number_bits: int = 0) -> None:
        self.values, self.prime, self.number_bits = values, prime, number_bits
        self.task, self.scalar_bits = str(values["task"]), number(values, "scalar_bits")
        self.full_order = number(values, "full_order")
        # All numbers of a verification are public.
        self.blinding = 0 if self.task == VERIFY else number(values, "blinding")
        self.scalar_blinding = number(values, SCALAR_BLINDING)

    @classmethod
    def completed(cls, width: int, settings: Mapping[str, Value]) -> Mapping[str, Value]:
        """Settings with defaults that differ from those of parameters."""
        return {name: idle for name, idle in IDLE.items() if name not in cls.takes} | dict(settings)

    @classmethod
    def known_order(cls, width: int, values: Mapping[str, Value]) -> int:
        """That of a named curve's base, a prime; 0 where these parameters are of none."""
        return 0

    @classmethod
    def blinds(cls, values: Mapping[str, Value]) -> Value:
        """Bits that blind a scalar, of all other parameters: as many as of coordinates, where there
        is an order and the scalar is secret."""
        secret = values["order"] and values["task"] != VERIFY and SCALAR_BLINDING in cls.takes
        return values["blinding"] if secret else 0

    def reasons(self, width: int) -> list[str]:
        """What is illegal of parameters taken together."""
        full, most = self.full_order, width - 1
        if full == 0 or "full_order" not in self.takes:
            return []
        if full == 1:
            return ["full_order=1 takes a named curve; give the prime order of the base instead"]
        if self.task != MULTIPLY:
            return [f"full_order is for task={MULTIPLY}; leave it out with task={self.task}"]
        if full < 5 or not is_prime(full):
            return [f"full_order={full:#x} is no prime above 3"]
        if not 1 < full.bit_length() <= most:
            return [f"full_order={full:#x} has more than {most} bits"]
        return []

    def no_such_order(self) -> str:
        """Why a prime is none for a design that asks for an order."""
        return f"makes a curve without points of full_order={self.full_order:#x}"

    def no_first_point(self) -> BadInput:
        """No point was found."""
        return BadInput(f"no point of the curve modulo {self.prime:#x} was found")

    def reason(self) -> str:
        """Why a prime is none for the design; empty where it is one."""
        return ""

    def singular(self) -> str:
        """Why a prime makes no curve; empty where it makes one."""
        return ""

    @property
    @abstractmethod
    def text(self) -> ProgramText:
        """What a design is programmed with."""

    @abstractmethod
    def formula(self) -> str:
        """What a job computes."""

    @abstractmethod
    def has(self, point: Numbers) -> bool:
        """Whether that is a point."""

    @abstractmethod
    def first_point(self) -> Numbers:
        """A point that is found by trial, by which jobs may be tried; BadInput where none is."""

    @abstractmethod
    def multiple(self, point: Numbers, scalar: int) -> Numbers:
        """The scalar times a point."""

    @abstractmethod
    def by_another_law(self, point: Numbers, scalar: int) -> Numbers | None:
        """The same in another way; None where there is none."""

    def signature(self, first: Numbers, second: Numbers) -> Numbers:
        """What a job gives that signs or verifies: no form without ``signs`` has such a task."""
        raise NotImplementedError

    @property
    def scalar_limit(self) -> int:
        """What scalars are below."""
        return 1 << self.scalar_bits

    def greatest(self) -> tuple[Numbers, Numbers, Numbers]:
        """The greatest numbers of both operands and of a result."""
        point = len(self.text.numbers) * (self.prime - 1,)
        return point, (self.scalar_limit - 1,), point

    def constants(self) -> Numbers:
        """What comes behind a modulus."""
        names = {"gx": "base_x", "gy": "base_y", "d": "b", "l": "full_order"}
        text = self.text
        found = [number(self.values, names.get(one, one)) % self.prime for one in text.constants]
        return (*found, *(text.behind - len(found)) * (number(self.values, "order"),))

    def joined(self, numbers: Numbers) -> int:
        """Numbers as they travel, the first lowest."""
        return sum(one << (at * self.number_bits) for at, one in enumerate(numbers))

    def split(self, joined: int) -> Numbers:
        """The numbers of a point from what travels."""
        bits, above = self.number_bits, len(self.text.numbers) - 1
        lower = (joined >> at * bits & (1 << bits) - 1 for at in range(above))
        return (*lower, joined >> above * bits)


class OrderedForm(CurveForm):
    """A form of curves with points of two coordinates, whose order blinds scalars, and with
    signatures."""

    takes = frozenset(("a", "b", "order", "window", "base_x", "base_y", SCALAR_BLINDING))
    signs = True
    odd_order: ClassVar[bool] = False
    """Whether digits take an odd order."""
    kinds: ClassVar[Collection[str]]
    """The coefficients a that have formulas of their own, and ``any``."""

    def __init__(self, values: Mapping[str, Value], prime: int = 0, number_bits: int = 0) -> None:
        super().__init__(values, prime, number_bits)
        self.order, self.window = number(values, "order"), number(values, "window")
        self.base = number(values, "base_x"), number(values, "base_y")
        self.curve = number(values, "a"), number(values, "b"), prime

    def reasons(self, width: int) -> list[str]:
        order, bits, window = self.order, self.scalar_bits, self.window
        reasons = super().reasons(width)
        if window > 1 and order > 0:
            if self.odd_order and order % 2 == 0:
                reasons.append(f"window={window} takes an odd order, {order:#x} is even")
            if window >= bits:
                reasons.append(f"window={window} is not below scalar_bits={bits}")
        if self.scalar_blinding and (order == 0 or self.task == VERIFY):
            without = f"task={VERIFY}, whose numbers are public" if order else "order=0"
            reasons.append(f"scalar_blinding={self.scalar_blinding} blinds nothing with {without}")
        if order.bit_length() > bits:
            reasons.append(f"order={order:#x} has more than scalar_bits={bits} bits")
        return reasons

    @property
    def kind(self) -> str:
        """That of the curve's a."""
        a, *_ = map(str, self.curve)
        return a if a in self.kinds else "any"

    @abstractmethod
    def text_of(self, task: str, window: int) -> ProgramText:
        """The program of a task by digits of so many bits, by the ladder with 1."""

    @property
    def text(self) -> ProgramText:
        window = self.window if self.order else 1
        if self.task == VERIFY:
            window = max(1, window // 2)
        return replace(self.text_of(self.task, window), order=self.scalar_blinding > 0)
