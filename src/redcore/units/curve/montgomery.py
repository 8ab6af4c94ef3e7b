# SPDX-License-Identifier: Apache-2.0
"""Montgomery curves v^2 = u^3 + A u^2 + u, points given by u: on integers, independent of the
program; their program, the ladder; and designs with ``form=montgomery``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gmpy2 import is_prime

from redcore.design import Parameter, Value, number
from redcore.units.curve.form import CurveForm, Numbers
from redcore.units.curve.full_order import has_order
from redcore.units.curve.named import Curve
from redcore.units.curve.programs import USUAL_EXPONENT, WHOLE_ORDER, ProgramText, unchanged
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
    if modulus < 3:
        return 0
    x, z = _ladder(u, scalar, a24, modulus, bits)
    result = x * pow(z, modulus - 2, modulus) % modulus
    return result if (result * z - x) % modulus == 0 else 0


def _ladder(u: int, scalar: int, a24: int, modulus: int, bits: int) -> tuple[int, int]:
    """The same as a quotient, of which the lower number is 0 at infinity."""
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
    return (x3, z3) if swap else (x2, z2)


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


_STEP = """
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
"""
_FULL = f"""
# The order times the point is infinity, and once more it is the point
{WHOLE_ORDER}
x2 = gate * one
z2 = zero * gate
x3 = x1 * gate
z3 = gate * one
for bit in full:{_STEP}
valid(choose(z2, z3))
nonzero(choose(x2, x3))
valid(choose(x3, x2) - x1 * choose(z3, z2))
{unchanged("l")}{USUAL_EXPONENT}"""


def _multiply(full: int) -> str:
    return f"""
x1 = below(u) * r2
{_FULL if full else ""}{{random}}
x2 = one * power
z2 = zero * one
x3 = x1 * power
z3 = one * power
for bit in scalar:{_STEP}
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
{{inverse}}
result = reduced((x * inverse) * unit)
Result = nonzero(result)
zero((Result * r2) * z - x)
"""


def ladder(full: int = 0) -> ProgramText:
    """u of a scalar times a point, from u alone, checked; of an order of ``full`` bits, if any."""
    constants = ("a24", "l") if full else ("a24",)
    return ProgramText(_multiply(full), ("u",), constants, ("Result",), 16, full=full)


LADDER = ladder()


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

    takes = frozenset(("a24", "full_order"))

    def __init__(self, values: Mapping[str, Value], prime: int = 0, number_bits: int = 0) -> None:
        super().__init__(values, prime, number_bits)
        self.a24 = number(values, "a24")

    def singular(self) -> str:
        if self.a24 * (self.a24 + 1) % self.prime:
            return ""
        return f"makes the curve singular, as a24={self.a24} is 0 or -1 modulo it"

    @classmethod
    def known_order(cls, width: int, values: Mapping[str, Value]) -> int:
        fits = (one for one in MONTGOMERY.values() if one.width == width)
        return next((one.order for one in fits if one.a24 == values["a24"]), 0)

    def reason(self) -> str:
        if self.full_order and not has_order(self.full_order, 4 * self.a24 + 2, 1, self.prime):
            return self.no_such_order()
        # There are 2 (p + 1) points on the curve and on the twist together.
        if self.full_order and (self.prime + 1) % self.full_order == 0:
            return f"makes a curve with points of full_order={self.full_order:#x} on its twist, too"
        return ""

    @property
    def text(self) -> ProgramText:
        return ladder(self.full_order.bit_length())

    def formula(self) -> str:
        return f"p = u(b * point(a)) on v^2 = u^3 + A u^2 + u mod m, (A - 2) / 4 = {self.a24}"

    def has(self, point: Numbers) -> bool:
        return 0 <= point[0] < self.prime

    def first_point(self) -> Numbers:
        # Each number is one of a point, here or on the twist.
        found = (u for u in range(2, self.prime) if self._is_of_full_order(u))
        if (u := next(found, 0)) == 0:
            raise self.no_first_point()
        return (u,)

    def _is_of_full_order(self, u: int) -> bool:
        """Whether a point has the order that is asked for, if any is."""
        if not self.full_order:
            return True
        bits = self.full_order.bit_length()
        _, z = _ladder(u, self.full_order, self.a24 % self.prime, self.prime, bits)
        return u != 0 and z % self.prime == 0

    def multiple(self, point: Numbers, scalar: int) -> Numbers:
        a24 = self.a24 % self.prime
        if not self._is_of_full_order(point[0]):
            return (0,)
        return (multiply(point[0], scalar, a24, self.prime, self.scalar_bits),)

    def by_another_law(self, point: Numbers, scalar: int) -> Numbers | None:
        if self.prime <= 3 or self.singular() or not is_prime(self.prime):
            return None
        (u,), a24, a = point, self.a24 % self.prime, 4 * self.a24 + 2
        if self.full_order:
            b = (u**3 + a * u * u + u) % self.prime
            if b == 0 or point_by_chords((u, 1), self.full_order, 1, self.prime, a, b):
                return (0,)
        return (by_chords(u, scalar, a24, self.prime),)
