# SPDX-License-Identifier: Apache-2.0
"""Montgomery curves v^2 = u^3 + A u^2 + u, points given by u: on integers, independent of the
program; their program, the ladder; and designs with ``form=montgomery``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gmpy2 import is_prime

from redcore.design import Parameter, Value, number
from redcore.units.curve.form import CurveForm, Numbers
from redcore.units.curve.named import Curve
from redcore.units.curve.programs import ProgramText
from redcore.units.curve.weierstrass import point_by_chords


@dataclass(frozen=True)
class Montgomery(Curve):
    """v^2 = u^3 + A u^2 + u, points given by u; ``a24`` is (A - 2) / 4.

    ``scalar_bits`` and ``cofactor_bits`` say how RFC 7748 decodes scalars: the highest bit is set
    and the lowest ones are cleared. ``order`` is the base's, a prime.
    """

    a24: int
    cofactor_bits: int
    order: int
    numbers = "one number, u"

    @property
    def settings(self) -> dict[str, Value]:
        return {"form": "montgomery", "a24": self.a24, "scalar_bits": self.scalar_bits}

    def decode_scalar(self, number: int) -> int:
        """As RFC 7748, section 5, has it."""
        self._fits(number, "scalar", self._size)  # which is not told
        lowest = (1 << self.cofactor_bits) - 1
        top = 1 << (self.scalar_bits - 1)
        return (number & (top - 1) & ~lowest) | top

    def decode_point(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """As RFC 7748, section 5, has it: unused bits dropped, then modulo the prime."""
        self._counted(numbers)
        self._fits(numbers[0], f"point {numbers[0]:#x}", self._size)
        return (numbers[0] % (1 << self.width) % self.prime,)

    def is_of_full_order(self, point: tuple[int, ...]) -> bool:
        """So many times it is infinity; of points of small order, and of those of the twist, whose
        number the order does not divide, it is not."""
        (u,) = point
        a = (4 * self.a24 + 2) % self.prime
        b = (u**3 + a * u * u + u) % self.prime
        return b != 0 and point_by_chords((u, 1), self.order, 1, self.prime, a, b) is None

    @property
    def _size(self) -> int:
        return 8 * -(-self.width // 8)


_ORDER_25519 = 2**252 + 0x14DEF9DEA2F79CD65812631A5CF5D3ED
_ORDER_448 = 2**446 - 0x8335DC163BB124B65129C96FDE933D8D723A70AADC873D6D54A7BB0D
MONTGOMERY: dict[str, Montgomery] = {
    # RFC 7748, sections 4.1 and 4.2.
    "x25519": Montgomery("x25519", 2**255 - 19, 255, (9,), 121665, 3, _ORDER_25519),
    "x448": Montgomery("x448", 2**448 - 2**224 - 1, 448, (5,), 39081, 2, _ORDER_448),
}


def multiply(u: int, scalar: int, a24: int, modulus: int, bits: int) -> int:
    """u of ``scalar`` times a point, 0 where that is refused: as RFC 7748, section 5, has it.

    The ladder goes through ``bits`` bits of the scalar. ``modulus`` is odd; where it is no prime
    and a quotient does not exist, there is no result.
    """
    x2, z2, x3, z3, swap = 1, 0, u, 1, 0
    for place in reversed(range(bits)):
        bit = scalar >> place & 1
        if swap ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        plus, minus = (x2 + z2) ** 2 % modulus, (x2 - z2) ** 2 % modulus
        crossed = (x3 - z3) * (x2 + z2), (x3 + z3) * (x2 - z2)
        x3 = sum(crossed) ** 2 % modulus
        z3 = u * (crossed[0] - crossed[1]) ** 2 % modulus
        x2 = plus * minus % modulus
        z2 = (plus - minus) * (plus + a24 * (plus - minus)) % modulus
    if swap:
        x2, z2 = x3, z3
    if modulus < 3:
        return 0
    result = x2 * pow(z2, modulus - 2, modulus) % modulus
    return result if (result * z2 - x2) % modulus == 0 else 0


def by_chords(u: int, scalar: int, a24: int, prime: int) -> int:
    """The same on a prime by chords and tangents of points, which have another coordinate, too.

    A point with u is on b v^2 = u^3 + A u^2 + u with v = 1 and the b that follows, which is the
    curve or its twist. Where b is 0, u is of order 2. A is neither 2 nor -2.
    """
    a = (4 * a24 + 2) % prime
    b = (u**3 + a * u * u + u) % prime
    if b == 0:
        return u if scalar % 2 else 0
    found = point_by_chords((u, 1), scalar, 1, prime, a, b)
    return found[0] if found else 0


LADDER_TEXT = """
x1 = below(u) * r2
{random}
x2 = one * power
z2 = zero * one
x3 = x1 * power
z3 = one * power
for bit in scalar:
    a = x2 + z2
    b = x2 - z2
    c = x3 + z3
    d = x3 - z3
    aa = choose(a, c)**2
    bb = choose(b, d)**2
    e = aa - bb
    da = d * a
    cb = c * b
    x3 = (da + cb)**2
    z3 = x1 * (da - cb)**2
    x2 = aa * bb
    z2 = e * (aa + a24 * e)

# k P = (x : z) and (k + 1) P = (v : w)
x = choose(x2, x3)
z = choose(z2, z3)
v = choose(x3, x2)
w = choose(z3, z2)

# P, k P and -(k + 1) P lie on a line
zw = z * w
xv = x * v
cross = x * w + v * z
first = x1 * zw + cross
second = x1 * cross + xv
third = x1 * xv
half = a24 * zw
half = half + half + zw
third = third * (first + half + half)
third = third + third
zero((second - zw)**2 - (third + third))

# u and the constant are still what came, which the line does not tell
zero(x1 * unit - u)
zero(a24 * unit - a24_raw)
{inverse}
result = reduced((x * inverse) * unit)
Result = nonzero(result)
zero((Result * r2) * z - x)
"""
LADDER = ProgramText(LADDER_TEXT, ("u",), ("a24",), ("Result",), 16)
"""u of a scalar times a point, from u alone, checked."""


def _usual_constant(width: int) -> int:
    """That of the curve of RFC 7748 over a prime of so many bits, else Curve25519's."""
    known = {one.width: one.a24 for one in MONTGOMERY.values()}
    return known.get(width, known[255])


class MontgomeryForm(CurveForm):
    """v^2 = u^3 + A u^2 + u, points given by u."""

    parameters = (
        Parameter(
            "a24", "Constant", "the constant (A - 2) / 4 of a Montgomery curve",
            default=_usual_constant, minimum=0, grid=(),
        ),
    )  # fmt: skip

    takes = frozenset(("a24",))

    def __init__(self, values: Mapping[str, Value], prime: int = 0, number_bits: int = 0) -> None:
        super().__init__(values, prime, number_bits)
        self.a24 = number(values, "a24")

    def singular(self) -> str:
        if self.a24 * (self.a24 + 1) % self.prime:
            return ""
        return f"a24={self.a24} modulo {self.prime:#x} is 0 or -1: the curve is singular"

    @property
    def text(self) -> ProgramText:
        return LADDER

    def formula(self) -> str:
        return f"p = u(b * point(a)) on v^2 = u^3 + A u^2 + u mod m, (A - 2) / 4 = {self.a24}"

    def has(self, point: Numbers) -> bool:
        return 0 <= point[0] < self.prime

    def first_point(self) -> Numbers:
        return (2,)  # each number is one of a point, here or on the twist

    def multiple(self, point: Numbers, scalar: int) -> Numbers:
        a24 = self.a24 % self.prime
        return (multiply(point[0], scalar, a24, self.prime, self.scalar_bits),)

    def by_another_law(self, point: Numbers, scalar: int) -> Numbers | None:
        if self.prime <= 3 or self.singular() or not is_prime(self.prime):
            return None
        return (by_chords(point[0], scalar, self.a24 % self.prime, self.prime),)
