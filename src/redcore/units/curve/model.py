# SPDX-License-Identifier: Apache-2.0
"""Montgomery curves on integers: what ``rtl/redc_curve.sv`` answers, independent of its program."""

from __future__ import annotations

from dataclasses import dataclass

from redcore.design import nearest
from redcore.errors import BadInput


@dataclass(frozen=True)
class Curve:
    """v^2 = u^3 + A u^2 + u modulo a prime; ``a24`` is (A - 2) / 4, ``base`` the base point's u.

    ``scalar_bits`` and ``cofactor_bits`` say how RFC 7748 decodes scalars: the highest bit is set
    and the lowest ones are cleared.
    """

    name: str
    prime: int
    a24: int
    base: int
    scalar_bits: int
    cofactor_bits: int

    @property
    def width(self) -> int:
        """Bits of the prime."""
        return self.prime.bit_length()

    def decode_scalar(self, number: int) -> int:
        """A scalar as RFC 7748, section 5, decodes it; BadInput where it has too many bits."""
        self._fits(number, "scalar")  # which is not told
        lowest = (1 << self.cofactor_bits) - 1
        top = 1 << (self.scalar_bits - 1)
        return (number & (top - 1) & ~lowest) | top

    def decode_point(self, number: int) -> int:
        """u as RFC 7748, section 5, decodes it: unused bits dropped, then modulo the prime."""
        self._fits(number, f"point {number:#x}")
        return number % (1 << self.width) % self.prime

    def _fits(self, number: int, what: str) -> None:
        size = 8 * -(-self.width // 8)
        if not 0 <= number < 1 << size:
            raise BadInput(f"the {what} is not within 0 to 2^{size} - 1")


CURVES = {
    # RFC 7748, sections 4.1 and 4.2.
    "x25519": Curve("x25519", 2**255 - 19, 121665, 9, 255, 3),
    "x448": Curve("x448", 2**448 - 2**224 - 1, 39081, 5, 448, 2),
}


def curve(name: str) -> Curve:
    """The curve called ``name``; raise BadInput with the nearest right name."""
    if name not in CURVES:
        raise BadInput(
            f"there is no curve {name!r}; there are {', '.join(CURVES)}{nearest(name, CURVES)}"
        )
    return CURVES[name]


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

    def added(one: tuple[int, int] | None, other: tuple[int, int] | None) -> tuple[int, int] | None:
        if one is None or other is None:
            return one or other
        if one[0] == other[0] and (one[1] + other[1]) % prime == 0:
            return None
        if one == other:
            rise, run = 3 * one[0] ** 2 + 2 * a * one[0] + 1, 2 * b * one[1]
        else:
            rise, run = other[1] - one[1], other[0] - one[0]
        slope = rise * pow(run, -1, prime) % prime
        third = (b * slope * slope - a - one[0] - other[0]) % prime
        return third, (slope * (one[0] - third) - one[1]) % prime

    found: tuple[int, int] | None = None
    power: tuple[int, int] | None = (u, 1)
    while scalar:
        if scalar & 1:
            found = added(found, power)
        power = added(power, power)
        scalar >>= 1
    return 0 if found is None else found[0]
