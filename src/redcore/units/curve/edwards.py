# SPDX-License-Identifier: Apache-2.0
"""Twisted Edwards curves a x^2 + y^2 = 1 + d x^2 y^2 on integers, independent of the program: the
affine law, where each sum takes two quotients, and signatures (RFC 8032).

With a square a and a d that is none the law holds of all points (Bernstein & Lange 2007), (0, 1),
the neutral one, among them.
"""

from __future__ import annotations

from dataclasses import dataclass

from gmpy2 import legendre

from redcore.design import Value
from redcore.units.curve.named import Curve

Point = tuple[int, int]
NEUTRAL: Point = (0, 1)


def is_complete(a: int, d: int, prime: int) -> bool:
    """Whether the law holds of all points of a curve modulo an odd prime."""
    return bool(legendre(a % prime, prime) == 1 and legendre(d % prime, prime) == -1)


def is_on_edwards(point: Point, a: int, d: int, prime: int) -> bool:
    """Whether coordinates are below the prime, and those of a point."""
    x, y = point
    inside = 0 <= x < prime and 0 <= y < prime
    return inside and (a * x * x + y * y - 1 - d * x * x * y * y) % prime == 0


def added(one: Point, other: Point, a: int, d: int, prime: int) -> Point:
    """The sum of two points."""
    (x1, y1), (x2, y2) = one, other
    product = d * x1 * x2 * y1 * y2
    x = (x1 * y2 + y1 * x2) * pow(1 + product, -1, prime)
    y = (y1 * y2 - a * x1 * x2) * pow(1 - product, -1, prime)
    return x % prime, y % prime


def multiple(point: Point, scalar: int, a: int, d: int, prime: int) -> Point:
    """``scalar`` times a point."""
    found, power = NEUTRAL, point
    while scalar:
        if scalar & 1:
            found = added(found, power, a, d, prime)
        power = added(power, power, a, d, prime)
        scalar >>= 1
    return found


def multiply_edwards(point: Point, scalar: int, a: int, d: int, prime: int) -> Point | None:
    """The same; None where that is refused: off the curve, or the result is neutral."""
    if not is_on_edwards(point, a, d, prime):
        return None
    found = multiple(point, scalar, a, d, prime)
    return None if found == NEUTRAL else found


# ----------------------------------------------------------------------------------------------
# The same group as a short Weierstrass curve, whose law is another one.
# ----------------------------------------------------------------------------------------------


def as_montgomery(a: int, d: int, prime: int) -> tuple[int, int]:
    """A and B of the same group on B v^2 = u^3 + A u^2 + u."""
    inverse = pow(a - d, -1, prime)
    return 2 * (a + d) * inverse % prime, 4 * inverse % prime


def as_weierstrass(a: int, d: int, prime: int) -> tuple[int, int]:
    """Coefficients of y^2 = x^3 + a x + b with the same group, of a prime above 3."""
    big, scale = as_montgomery(a, d, prime)
    first = (3 - big**2) * pow(3 * scale**2, -1, prime)
    second = (2 * big**3 - 9 * big) * pow(27 * scale**3, -1, prime)
    return first % prime, second % prime


def to_weierstrass(point: Point, a: int, d: int, prime: int) -> Point | None:
    """A point there; None, infinity, is the neutral one."""
    x, y = point
    if point == NEUTRAL:
        return None
    big, scale = as_montgomery(a, d, prime)
    u = (1 + y) * pow(1 - y, -1, prime)
    v = u * pow(x, -1, prime) if x else 0
    inverse = pow(scale, -1, prime)
    return (u + big * pow(3, -1, prime)) * inverse % prime, v * inverse % prime


def from_weierstrass(point: Point | None, a: int, d: int, prime: int) -> Point:
    """The point of a complete curve that is that one there."""
    if point is None:
        return NEUTRAL
    big, scale = as_montgomery(a, d, prime)
    u = (scale * point[0] - big * pow(3, -1, prime)) % prime
    if point[1] == 0:
        return 0, prime - 1
    x = u * pow(scale * point[1], -1, prime)
    return x % prime, (u - 1) * pow(u + 1, -1, prime) % prime


# ----------------------------------------------------------------------------------------------
# Signatures: the parts that the processor makes. The hash is outside.
# ----------------------------------------------------------------------------------------------


def scalar_part(nonce: int, hashed: int, key: int, order: int) -> int | None:
    """S = r + h s of RFC 8032, section 5.1.6, step 5; None where one is not below the order."""
    if not all(0 <= one < order for one in (nonce, hashed, key)):
        return None
    return (nonce + hashed * key) % order


def verify_edwards(
    public: Point,
    hashed: int,
    signature: tuple[int, Point],
    a: int,
    d: int,
    prime: int,
    base: Point,
    order: int,
) -> bool:
    """Whether S B is R + h A, of the public key A and the signature S, R: RFC 8032, section 5.1.7,
    step 3, without the cofactor."""
    scalar, point = signature
    if not (0 <= scalar < order and 0 <= hashed < order):
        return False
    if not all(is_on_edwards(one, a, d, prime) for one in (public, point)):
        return False
    end = added(point, multiple(public, hashed, a, d, prime), a, d, prime)
    return end == multiple(base, scalar, a, d, prime)


# ----------------------------------------------------------------------------------------------
# Named curves.
# ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Edwards(Curve):
    """a x^2 + y^2 = 1 + d x^2 y^2, points given by x and y; ``a`` is below the prime, or -1.

    ``order`` is the prime order of the base, ``cofactor`` times that the number of points.
    """

    a: int
    d: int
    order: int
    cofactor: int
    no_exchange = "is for signatures; take x25519 or x448"

    @property
    def points(self) -> int:
        """How many there are: so many times any point is the neutral one."""
        return self.cofactor * self.order

    @property
    def width(self) -> int:
        """Bits of the prime and of the number of points, which blinds scalars."""
        return max(self.prime, self.points).bit_length()

    @property
    def settings(self) -> dict[str, Value]:
        settings = {"a": self.a, "b": self.d, "order": self.points}
        return {"form": "edwards", **settings, "scalar_bits": self.scalar_bits}

    @property
    def signing(self) -> dict[str, Value]:
        return {
            "base_x": self.base[0],
            "base_y": self.base[1],
            "order": self.order,
            "scalar_bits": self.order.bit_length(),
        }

    def has(self, point: tuple[int, ...]) -> bool:
        return is_on_edwards((point[0], point[1]), self.a, self.d, self.prime)

    def is_of_full_order(self, point: tuple[int, ...]) -> bool:
        x, y = point
        end = multiple((x, y), self.order, self.a, self.d, self.prime)
        return end == NEUTRAL != (x, y)


_P25519 = 2**255 - 19
_P448 = 2**448 - 2**224 - 1
EDWARDS: dict[str, Edwards] = {
    # RFC 8032, section 5.1.
    "ed25519": Edwards(
        "ed25519",
        _P25519,
        256,
        (
            0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a,
            0x6666666666666666666666666666666666666666666666666666666666666658,
        ),
        -1,
        -121665 * pow(121666, -1, _P25519) % _P25519,
        2**252 + 27742317777372353535851937790883648493,
        8,
    ),
    # RFC 8032, section 5.2.
    "ed448": Edwards(
        "ed448",
        _P448,
        448,
        (
            int(
                "4f1970c66bed0ded221d15a622bf36da9e146570470f1767ea6de324"
                "a3d3a46412ae1af72ab66511433b80e18b00938e2626a82bc70cc05e",
                16,
            ),
            int(
                "693f46716eb6bc248876203756c9c7624bea73736ca3984087789c1e"
                "05a0c2d73ad3ff1ce67c39c4fdbd132c4ed7c8ad9808795bf230fa14",
                16,
            ),
        ),
        1,
        _P448 - 39081,
        2**446 - 0x8335dc163bb124b65129c96fde933d8d723a70aadc873d6d54a7bb0d,
        4,
    ),
}  # fmt: skip
