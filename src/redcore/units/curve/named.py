# SPDX-License-Identifier: Apache-2.0
"""What a named curve says of itself, whatever its form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from redcore.design import Value
from redcore.errors import BadInput
from redcore.face import counted


@dataclass(frozen=True)
class Curve(ABC):
    """A curve modulo a prime, and how its numbers are given; ``base`` is the base point."""

    name: str
    prime: int
    scalar_bits: int
    base: tuple[int, ...]
    numbers: ClassVar[str] = "two numbers, x,y"
    """Those of a point."""
    no_exchange: ClassVar[str] = ""
    """Why no Diffie-Hellman is on it."""

    @property
    def width(self) -> int:
        """Bits of the prime."""
        return self.prime.bit_length()

    @property
    @abstractmethod
    def settings(self) -> dict[str, Value]:
        """The parameters of a design."""

    @property
    def signing(self) -> dict[str, Value]:
        """Those of a design that signs or verifies, besides; empty where no signatures are."""
        return {}

    def secret(self, shared: tuple[int, ...]) -> tuple[int, ...]:
        """What of a point is a Diffie-Hellman's secret: u, or x alone (SEC 1, section 3.3.1)."""
        return shared[:1]

    def of_full_order(self, point: tuple[int, ...]) -> tuple[int, ...]:
        """A point of the base's order, as it is; BadInput where it is none."""
        if not self.is_of_full_order(point):
            told = ",".join(map(hex, point))
            raise BadInput(f"the point {told} is not of the order of {self.name}'s base point")
        return point

    def is_of_full_order(self, point: tuple[int, ...]) -> bool:
        """Whether a point that is decoded has the base's order; here there are no others, as the
        number of points is a prime."""
        return self.has(point)

    def decode_scalar(self, number: int) -> int:
        """A scalar as it is used, here as it is; BadInput where it has too many bits, which are not
        told."""
        self._fits(number, "scalar", self.scalar_bits)
        return number

    def has(self, point: tuple[int, ...]) -> bool:
        """Whether that is a point; any u is one of a Montgomery curve or of its twist."""
        return True

    def decode_point(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """A point as it is used, here as it is; BadInput where its numbers are too many, too few or
        too large, or are those of no point."""
        self._counted(numbers)
        told = ",".join(map(hex, numbers))
        if not all(0 <= one < self.prime for one in numbers):
            raise BadInput(f"the point {told} has a number that is not below the prime")
        if not self.has(numbers):
            raise BadInput(f"the point {told} is not on {self.name}")
        return numbers

    def _fits(self, number: int, what: str, size: int) -> None:
        if not 0 <= number < 1 << size:
            raise BadInput(f"the {what} is not within 0 to 2^{size} - 1")

    def _counted(self, numbers: tuple[int, ...]) -> None:
        if len(numbers) != len(self.base):
            given = counted(len(numbers), "number")
            raise BadInput(f"a point of {self.name} is {self.numbers}, not {given}")
