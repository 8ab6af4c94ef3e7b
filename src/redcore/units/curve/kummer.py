# SPDX-License-Identifier: Apache-2.0
"""Kummer surfaces of curves of genus 2: on integers, by the relations of theta functions, where no
formula of the program is used; and designs with ``form=kummer``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, count, islice
from math import prod

from gmpy2 import is_prime, legendre

from redcore.design import Parameter, Value, number
from redcore.errors import BadInput
from redcore.units.curve.form import REFUSED, CurveForm, Numbers
from redcore.units.curve.kummer_programs import kummer_text
from redcore.units.curve.named import Curve
from redcore.units.curve.programs import ProgramText

Four = tuple[int, int, int, int]
Three = tuple[int, int, int]
_TRIED = 1 << 20
"""Triples of numbers among which a point is looked for: seconds, and enough modulo 2^16."""


@dataclass(frozen=True)
class Kummer(Curve):
    """The Kummer surface of a curve of genus 2, points given by x/y, x/z and x/t.

    ``theta`` are the squares of its theta constants, ``order`` is the base's.
    """

    theta: Four
    order: int
    numbers = "three numbers, x/y,x/z,x/t"

    @property
    def settings(self) -> dict[str, Value]:
        theta = dict(zip(THETA, self.theta, strict=True))
        return {"form": "kummer", **theta, "scalar_bits": self.scalar_bits}

    def secret(self, shared: tuple[int, ...]) -> tuple[int, ...]:
        """All of it."""
        return shared

    def is_of_full_order(self, point: tuple[int, ...]) -> bool:
        """So many times it is neutral; of points of order 2, with a part of order 2, and of the
        twist it is not."""
        surface = Surface.of(self.theta, self.prime)
        assert surface
        x, y, z = point
        there = surface.taken((x, y, z))
        return there is not None and surface.same(
            surface.multiple(there, self.order), surface.theta
        )

    def has(self, point: tuple[int, ...]) -> bool:
        """Of those none of which is 0."""
        surface = Surface.of(self.theta, self.prime)
        assert surface
        return all(point) and surface.has(unwrapped(point, self.prime))


THETA = ("theta_a", "theta_b", "theta_c", "theta_d")
"""The parameters of a design with a Kummer surface."""


# Gaudry & Schost 2012; the name is that of Bos, Costello, Hisil & Lauter 2013. The base is the
# point of that prime order with the smallest x/y, then x/z, that has both small.
KUMMER: dict[str, Kummer] = {
    "kummer1271": Kummer(
        "kummer1271",
        2**127 - 1,
        251,
        (3, 2, 57741697534323447021728481856718436757),
        (11, -22, -19, -3),
        1809251394333065553571917326471206521441306174399683558571672623546356726339,
    )
}


def _sums(one: Sequence[int]) -> list[int]:
    """The sums and differences by which theta functions and their duals follow from each other."""
    signs = ((1, 1, 1, 1), (1, 1, -1, -1), (1, -1, 1, -1), (1, -1, -1, 1))
    return [sum(s * each for s, each in zip(row, one, strict=True)) for row in signs]


def unwrapped(numbers: Sequence[int], prime: int) -> Four:
    """(1 : y : z : t), of x/y, x/z and x/t that are not 0."""
    y, z, t = (pow(one, -1, prime) for one in numbers)
    return 1, y, z, t


@dataclass(frozen=True)
class Surface:
    """A Kummer surface modulo a prime: squares of its theta constants, of their duals, and
    4 E^2 x y z t = (x^2 + y^2 + z^2 + t^2 - F (x t + y z) - G (x z + y t) - H (x y + z t))^2."""

    prime: int
    theta: Four
    dual: Four
    equation: Four
    """F, G, H and 4 E^2."""

    @classmethod
    @cache
    def of(cls, theta: Four, prime: int) -> Surface | None:
        """None where there is none: a constant is 0, or a denominator."""
        p, (a, b, c, d) = prime, theta
        dual = [one % p for one in _sums(theta)]
        below = (a * d - b * c, a * c - b * d, a * b - c * d)
        if not all(one % p for one in (*theta, *dual, *below)):
            return None
        above = (
            a * a - b * b - c * c + d * d,
            a * a - b * b + c * c - d * d,
            a * a + b * b - c * c - d * d,
        )
        f, g, h = (n * pow(under, -1, p) % p for n, under in zip(above, below, strict=True))
        e = prod(dual) * pow(prod(below), -1, p)
        squared = 4 * prod(theta) * e * e % p
        first, second, third, fourth = dual
        return cls(p, theta, (first, second, third, fourth), (f, g, h, squared))

    @property
    def constants(self) -> tuple[int, ...]:
        """As a design takes them: a^2/b^2, a^2/c^2, a^2/d^2, A^2/B^2, A^2/C^2, A^2/D^2, F, G, H,
        4 E^2, and what is no square."""
        p = self.prime
        ratios = [
            four[0] * pow(one, -1, p) % p for four in (self.theta, self.dual) for one in four[1:]
        ]
        no_square = next(one for one in chain([p - 1], count(2)) if legendre(one, p) == -1)
        return (*ratios, *self.equation, no_square)

    def has(self, point: Sequence[int]) -> bool:
        """Whether a point is on it."""
        x, y, z, t = point
        f, g, h, e = self.equation
        sides = f * (x * t + y * z) + g * (x * z + y * t) + h * (x * y + z * t)
        left = x * x + y * y + z * z + t * t - sides
        return any(one % self.prime for one in point) and not (
            (left * left - e * x * y * z * t) % self.prime
        )

    def _quotients(self, above: Sequence[int], below: Sequence[int]) -> list[int]:
        return [n * pow(d, -1, self.prime) % self.prime for n, d in zip(above, below, strict=True)]

    def added(self, one: Sequence[int], other: Sequence[int], third: Sequence[int]) -> list[int]:
        """The sum of points whose difference is ``third``, which has no 0; of equal points it is
        the neutral one, ``theta``."""
        products = [u * v for u, v in zip(_sums(one), _sums(other), strict=True)]
        return self._quotients([q * q for q in _sums(self._quotients(products, self.dual))], third)

    def multiple(self, point: Sequence[int], scalar: int) -> Sequence[int]:
        """``scalar`` times a point without a 0, step by step from the highest bit."""
        low: Sequence[int] = self.theta
        high: Sequence[int] = point
        for place in reversed(range(scalar.bit_length())):
            both = self.added(low, high, point)
            end = high if scalar >> place & 1 else low
            doubled = self.added(end, end, self.theta)
            low, high = (both, doubled) if scalar >> place & 1 else (doubled, both)
        return low

    def same(self, one: Sequence[int], other: Sequence[int]) -> bool:
        """Whether two points are the same."""
        return not any(
            (one[i] * other[k] - one[k] * other[i]) % self.prime for i in range(4) for k in range(i)
        )

    def taken(self, numbers: Three) -> Four | None:
        """The point of x/y, x/z and x/t; None of what is refused: off the surface, with a 0, of
        order 2 or neutral."""
        if not all(0 < one < self.prime for one in numbers):
            return None
        point = unwrapped(numbers, self.prime)
        fits = self.has(point) and not self.same(self.added(point, point, self.theta), self.theta)
        return point if fits else None

    def given(self, point: Sequence[int]) -> Three | None:
        """x/y, x/z and x/t of a point; None of what is refused: the neutral one, or with a 0."""
        if self.same(point, self.theta) or not all(one % self.prime for one in point):
            return None
        y, z, t = self._quotients([point[0]] * 3, point[1:])
        return y, z, t


def multiply_wrapped(numbers: Three, scalar: int, theta: Four, modulus: int) -> Three | None:
    """``scalar`` times a point of the surface, None where that is refused; ``modulus`` is a
    prime."""
    surface = Surface.of(theta, modulus)
    point = surface and surface.taken(numbers)
    if not surface or not point:
        return None
    return surface.given(surface.multiple(point, scalar))


class NoDifferenceError(Exception):
    """A difference of two points has a 0, so that their sum does not follow."""


def wrapped_from_below(numbers: Three, scalar: int, theta: Four, modulus: int) -> Three | None:
    """The same from the lowest bit on: of 2^i P the part that the bits below name, and the rest,
    are added to 2^i P, each with the other as the difference. NoDifferenceError where that has a
    0."""
    surface = Surface.of(theta, modulus)
    point = surface and surface.taken(numbers)
    if not surface or not point:
        return None
    power: Sequence[int] = point
    parts: list[Sequence[int]] = [surface.theta, point]  # of bits that are 1, and the rest
    while scalar:
        grows = 1 - (scalar & 1)
        if not all(one % modulus for one in parts[1 - grows]):
            raise NoDifferenceError
        parts[grows] = surface.added(parts[grows], power, parts[1 - grows])
        power = surface.added(power, power, surface.theta)
        scalar >>= 1
    return surface.given(parts[0])


class KummerForm(CurveForm):
    """The Kummer surface of a curve of genus 2, points given by x/y, x/z and x/t."""

    parameters = tuple(
        Parameter(
            name, f"Theta{name[-1].upper()}", f"{name[-1]}^2, the square of a theta constant, of a"
            " Kummer surface", default=default, minimum=-(1 << 16), grid=(),
        )
        for name, default in zip(THETA, next(iter(KUMMER.values())).theta, strict=True)
    )  # fmt: skip
    takes = frozenset(THETA)
    widths_of_scalar = 2

    def __init__(self, values: Mapping[str, Value], prime: int = 0, number_bits: int = 0) -> None:
        super().__init__(values, prime, number_bits)
        a, b, c, d = (number(values, name) for name in THETA)
        self.theta = a, b, c, d

    def reason(self) -> str:
        if Surface.of(self.theta, self.prime):
            return ""
        return f"makes no surface of {', '.join(f'{name}={self.values[name]}' for name in THETA)}"

    @property
    def text(self) -> ProgramText:
        return kummer_text(self.scalar_bits > self.number_bits)

    def formula(self) -> str:
        theta = " : ".join(map(str, self.theta))
        return f"p = b * a on the Kummer surface of ({theta}) mod m, as x/y, x/z, x/t"

    def has(self, point: Numbers) -> bool:
        y, z, t = point
        surface = Surface.of(self.theta, self.prime)
        there = surface and surface.has((y * z * t, z * t, y * t, y * z))
        return bool(there) and max(point) < self.prime

    @property
    def scalar_limit(self) -> int:
        """Of what is longer than a number the rest is below the prime, too."""
        limit = 1 << self.scalar_bits
        return min(limit, self.prime << self.number_bits) if self.text.long else limit

    def first_point(self) -> Numbers:
        for one in KUMMER.values():
            if (one.prime, one.theta) == (self.prime, self.theta):
                return one.base
        surface = Surface.of(self.theta, self.prime)
        assert surface
        # Two numbers, and an equation of degree 4 for the third, of which all are tried.
        tried = ((1, z, t) for z in range(2, self.prime) for t in range(1, self.prime))
        for point in islice(tried, _TRIED):
            if surface.taken(point):
                return point
        raise BadInput(f"points of a surface modulo {self.prime:#x} are not drawn; take another")

    def multiple(self, point: Numbers, scalar: int) -> Numbers:
        if scalar >= self.scalar_limit:
            return REFUSED
        y, z, t = point
        return multiply_wrapped((y, z, t), scalar, self.theta, self.prime) or REFUSED

    def by_another_law(self, point: Numbers, scalar: int) -> Numbers | None:
        if not is_prime(self.prime) or scalar >= self.scalar_limit:
            return None
        y, z, t = point
        try:
            return wrapped_from_below((y, z, t), scalar, self.theta, self.prime) or REFUSED
        except NoDifferenceError:
            return None

    def constants(self) -> Numbers:
        """Where there is no surface, zeros."""
        surface, text = Surface.of(self.theta, self.prime), self.text
        given = surface.constants if surface else (0,) * len(text.constants)
        return (*given, *text.long * (self.prime,))
