# SPDX-License-Identifier: Apache-2.0
"""Curves on integers: what ``rtl/redc_curve.sv`` answers, independent of its program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, count, islice
from math import prod

from gmpy2 import is_prime, legendre

from redcore.design import Value, nearest
from redcore.errors import BadInput
from redcore.units.curve.edwards import EDWARDS
from redcore.units.curve.named import Curve


@dataclass(frozen=True)
class Montgomery(Curve):
    """v^2 = u^3 + A u^2 + u, points given by u; ``a24`` is (A - 2) / 4.

    ``scalar_bits`` and ``cofactor_bits`` say how RFC 7748 decodes scalars: the highest bit is set
    and the lowest ones are cleared.
    """

    a24: int
    cofactor_bits: int

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
        self._counted(numbers, "one number, u")
        self._fits(numbers[0], f"point {numbers[0]:#x}", self._size)
        return (numbers[0] % (1 << self.width) % self.prime,)

    @property
    def _size(self) -> int:
        return 8 * -(-self.width // 8)


@dataclass(frozen=True)
class Weierstrass(Curve):
    """y^2 = x^3 + a x + b, points given by x and y; ``a`` is below the prime, or -3."""

    a: int
    b: int
    order: int

    @property
    def settings(self) -> dict[str, Value]:
        settings = {"a": self.a, "b": self.b, "order": self.order}
        return {"form": "weierstrass", **settings, "scalar_bits": self.scalar_bits}

    @property
    def signing(self) -> dict[str, Value]:
        """Those of a design that signs or verifies, besides."""
        return {"base_x": self.base[0], "base_y": self.base[1]}

    def decode_point(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """As they are: below the prime, on the curve."""
        return self._as_it_is(
            numbers,
            "two numbers, x,y",
            lambda: is_on_curve((numbers[0], numbers[1]), self.a, self.b, self.prime),
        )


Four = tuple[int, int, int, int]
Three = tuple[int, int, int]


@dataclass(frozen=True)
class Kummer(Curve):
    """The Kummer surface of a curve of genus 2, points given by x/y, x/z and x/t.

    ``theta`` are the squares of its theta constants, ``order`` is the base's.
    """

    theta: Four
    order: int

    @property
    def settings(self) -> dict[str, Value]:
        theta = dict(zip(THETA, self.theta, strict=True))
        return {"form": "kummer", **theta, "scalar_bits": self.scalar_bits}

    def decode_point(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """As they are: below the prime, on the surface, none of them 0."""
        surface = Surface.of(self.theta, self.prime)
        assert surface
        return self._as_it_is(
            numbers,
            "three numbers, x/y,x/z,x/t",
            lambda: all(numbers) and surface.has(unwrapped(numbers, self.prime)),
        )


THETA = ("theta_a", "theta_b", "theta_c", "theta_d")
"""The parameters of a design with a Kummer surface."""


def _named(
    name: str, prime: int, a: int, b: int, x: int, y: int, order: int
) -> tuple[str, Weierstrass]:
    return name, Weierstrass(name, prime, order.bit_length(), (x, y), a, b, order)


CURVES: dict[str, Curve] = {
    # RFC 7748, sections 4.1 and 4.2.
    "x25519": Montgomery("x25519", 2**255 - 19, 255, (9,), 121665, 3),
    "x448": Montgomery("x448", 2**448 - 2**224 - 1, 448, (5,), 39081, 2),
}
# SEC 2, version 2; RFC 5639 for those of brainpool. All of prime order.
CURVES |= dict(
    (
        _named(
            "p192",
            0xfffffffffffffffffffffffffffffffeffffffffffffffff,
            -3,
            0x64210519e59c80e70fa7e9ab72243049feb8deecc146b9b1,
            0x188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1012,
            0x7192b95ffc8da78631011ed6b24cdd573f977a11e794811,
            0xffffffffffffffffffffffff99def836146bc9b1b4d22831,
        ),
        _named(
            "p224",
            0xffffffffffffffffffffffffffffffff000000000000000000000001,
            -3,
            0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4,
            0xb70e0cbd6bb4bf7f321390b94a03c1d356c21122343280d6115c1d21,
            0xbd376388b5f723fb4c22dfe6cd4375a05a07476444d5819985007e34,
            0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d,
        ),
        _named(
            "p256",
            0xffffffff00000001000000000000000000000000ffffffffffffffffffffffff,
            -3,
            0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b,
            0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296,
            0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5,
            0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551,
        ),
        _named(
            "p384",
            int(
                "ffffffffffffffffffffffffffffffff"
                "fffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff",
                16,
            ),
            -3,
            int(
                "b3312fa7e23ee7e4988e056be3f82d19"
                "181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef",
                16,
            ),
            int(
                "aa87ca22be8b05378eb1c71ef320ad74"
                "6e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7",
                16,
            ),
            int(
                "3617de4a96262c6f5d9e98bf9292dc29"
                "f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f",
                16,
            ),
            int(
                "ffffffffffffffffffffffffffffffff"
                "ffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
                16,
            ),
        ),
        _named(
            "p521",
            int(
                "1ff"
                "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
                "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                16,
            ),
            -3,
            int(
                "51"
                "953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e1"
                "56193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00",
                16,
            ),
            int(
                "c6"
                "858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dba"
                "a14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66",
                16,
            ),
            int(
                "118"
                "39296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c"
                "97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650",
                16,
            ),
            int(
                "1ff"
                "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa"
                "51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
                16,
            ),
        ),
        _named(
            "secp256k1",
            0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f,
            0x0,
            0x7,
            0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798,
            0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8,
            0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141,
        ),
        _named(
            "brainpoolp256r1",
            0xa9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377,
            0x7d5a0975fc2c3057eef67530417affe7fb8055c126dc5c6ce94a4b44f330b5d9,
            0x26dc5c6ce94a4b44f330b5d9bbd77cbf958416295cf7e1ce6bccdc18ff8c07b6,
            0x8bd2aeb9cb7e57cb2c4b482ffc81b7afb9de27e1e3bd23c23a4453bd9ace3262,
            0x547ef835c3dac4fd97f8461a14611dc9c27745132ded8e545c1d54c72f046997,
            0xa9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7,
        ),
        _named(
            "brainpoolp384r1",
            int(
                "8cb91e82a3386d280f5d6f7e50e641df"
                "152f7109ed5456b412b1da197fb71123acd3a729901d1a71874700133107ec53",
                16,
            ),
            int(
                "7bc382c63d8c150c3c72080ace05afa0"
                "c2bea28e4fb22787139165efba91f90f8aa5814a503ad4eb04a8c7dd22ce2826",
                16,
            ),
            int(
                "4a8c7dd22ce28268b39b55416f0447c"
                "2fb77de107dcd2a62e880ea53eeb62d57cb4390295dbc9943ab78696fa504c11",
                16,
            ),
            int(
                "1d1c64f068cf45ffa2a63a81b7c13f6b"
                "8847a3e77ef14fe3db7fcafe0cbd10e8e826e03436d646aaef87b2e247d4af1e",
                16,
            ),
            int(
                "8abe1d7520f9c2a45cb1eb8e95cfd552"
                "62b70b29feec5864e19c054ff99129280e4646217791811142820341263c5315",
                16,
            ),
            int(
                "8cb91e82a3386d280f5d6f7e50e641df"
                "152f7109ed5456b31f166e6cac0425a7cf3ab6af6b7fc3103b883202e9046565",
                16,
            ),
        ),
        _named(
            "brainpoolp512r1",
            int(
                "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330871"
                "7d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3",
                16,
            ),
            int(
                "7830a3318b603b89e2327145ac234cc594cbdd8d3df91610a83441caea9863bc"
                "2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9e7c1ac4d77fc94ca",
                16,
            ),
            int(
                "3df91610a83441caea9863bc2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a7"
                "2bf2c7b9e7c1ac4d77fc94cadc083e67984050b75ebae5dd2809bd638016f723",
                16,
            ),
            int(
                "81aee4bdd82ed9645a21322e9c4c6a9385ed9f70b5d916c1b43b62eef4d0098e"
                "ff3b1f78e2d0d48d50d1687b93b97d5f7c6d5047406a5e688b352209bcb9f822",
                16,
            ),
            int(
                "7dde385d566332ecc0eabfa9cf7822fdf209f70024a57b1aa000c55b881f8111"
                "b2dcde494a5f485e5bca4bd88a2763aed1ca2b2fa8f0540678cd1e0f3ad80892",
                16,
            ),
            int(
                "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870"
                "553e5c414ca92619418661197fac10471db1d381085ddaddb58796829ca90069",
                16,
            ),
        ),
    )
)

# Gaudry & Schost 2012; the name is that of Bos, Costello, Hisil & Lauter 2013. The base is the
# point of that prime order with the smallest x/y, then x/z, that has both small.
CURVES["kummer1271"] = Kummer(
    "kummer1271",
    2**127 - 1,
    251,
    (3, 2, 57741697534323447021728481856718436757),
    (11, -22, -19, -3),
    1809251394333065553571917326471206521441306174399683558571672623546356726339,
)
CURVES |= EDWARDS


def curve(name: str) -> Curve:
    """The curve called ``name``; raise BadInput with the nearest right name."""
    plain = name.lower().replace("-", "")
    if plain not in CURVES:
        raise BadInput(
            f"there is no curve {name!r}; there are {', '.join(CURVES)}{nearest(name, CURVES)}"
        )
    return CURVES[plain]


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


Point = tuple[int, int]
_Projective = tuple[int, int, int]


def _added(one: _Projective, other: _Projective, a: int, b: int, m: int) -> _Projective:
    """The complete sum of points of y^2 = x^3 + a x + b, as Bosma & Lenstra 1995 write it."""
    (x1, y1, z1), (x2, y2, z2) = one, other
    xy, xz, yz = x1 * y2 + x2 * y1, x1 * z2 + x2 * z1, y1 * z2 + y2 * z1
    xx, yy, zz = x1 * x2, y1 * y2, z1 * z2
    shift = a * xz + 3 * b * zz
    rest = a * xx + 3 * b * xz - a * a * zz
    slope = 3 * xx + a * zz
    return (
        (xy * (yy - shift) - yz * rest) % m,
        ((yy + shift) * (yy - shift) + slope * rest) % m,
        (yz * (yy + shift) + xy * slope) % m,
    )


def is_on_curve(point: Point, a: int, b: int, modulus: int) -> bool:
    """Whether a point's coordinates are below the modulus, and y^2 = x^3 + a x + b."""
    x, y = point
    inside = 0 <= x < modulus and 0 <= y < modulus
    return inside and (y * y - x**3 - a * x - b) % modulus == 0


def multiply_point(
    point: Point, scalar: int, a: int, b: int, modulus: int, bits: int
) -> Point | None:
    """``scalar`` times a point of y^2 = x^3 + a x + b, None where that is refused.

    That is: off the curve, a point of order 2, and infinity. The ladder goes through ``bits`` bits
    of the scalar. ``modulus`` is odd; where it is no
    prime and a quotient does not exist, there is no result.
    """
    m, (x, y) = modulus, point
    if not is_on_curve(point, a, b, m) or y == 0:
        return None
    low, high = (0, 1, 0), (x, y, 1)
    for place in reversed(range(bits)):
        both = _added(low, high, a, b, m)
        if scalar >> place & 1:
            low, high = both, _added(high, high, a, b, m)
        else:
            low, high = _added(low, low, a, b, m), both
    check = _added(low, (x, y, 1), a, b, m)
    if any((check[k] * high[2] - high[k] * check[2]) % m for k in (0, 1)):
        return None
    inverse = pow(low[2], m - 2, m)
    x, y = low[0] * inverse % m, low[1] * inverse % m
    if low[2] == 0 or (x * low[2] - low[0]) % m or (y * low[2] - low[1]) % m:
        return None
    return (x, y) if is_on_curve((x, y), a, b, m) else None


def _is_near(order: int, prime: int) -> bool:
    """Whether a curve may have so many points: these differ from the prime's residues and 1 by at
    most twice its root (Hasse)."""
    return (order - prime - 1) ** 2 <= 4 * prime


_TRIED = 64
"""Points that have to agree: on a curve of twice the order each does with a chance of a half."""


@cache
def is_order(order: int, a: int, b: int, prime: int) -> bool:
    """Whether ``order`` times each point of y^2 = x^3 + a x + b modulo a prime is infinity.

    Of a named curve that is known. A prime of the size of a number of points (Hasse) that makes one
    point infinity is that number: it divides it, and no other multiple has that size. Of any other
    order several points are tried. No root is drawn: where d = x^3 + a x + b is a square,
    (d x, d^2) is a point of the same curve in other coordinates, y^2 = x^3 + a d^2 x + b d^3.
    """
    named = (one for one in CURVES.values() if isinstance(one, Weierstrass) and one.prime == prime)
    if any((one.a % prime, one.b, one.order) == (a % prime, b, order) for one in named):
        return True
    sure = _is_near(order, prime) and order**2 > 16 * prime and is_prime(order)
    values = ((x, (x**3 + a * x + b) % prime) for x in range(min(prime, 1000)))
    squares = ((x, d) for x, d in values if legendre(d, prime) == 1)
    points = list(islice(squares, 1 if sure else _TRIED))
    return bool(points) and not any(
        point_by_chords((d * x % prime, d * d % prime), order, a * d * d % prime, prime)
        for x, d in points
    )


def _chord(one: Point | None, other: Point | None, a: int, prime: int) -> Point | None:
    """The sum of points by chord and tangent; None is infinity."""
    if one is None or other is None:
        return one or other
    if one[0] == other[0] and (one[1] + other[1]) % prime == 0:
        return None
    if one == other:
        rise, run = 3 * one[0] ** 2 + a, 2 * one[1]
    else:
        rise, run = other[1] - one[1], other[0] - one[0]
    slope = rise * pow(run, -1, prime) % prime
    third = (slope * slope - one[0] - other[0]) % prime
    return third, (slope * (one[0] - third) - one[1]) % prime


def point_by_chords(point: Point, scalar: int, a: int, prime: int) -> Point | None:
    """The same on a prime by chords and tangents; None for infinity."""
    found: Point | None = None
    power: Point | None = point
    while scalar:
        if scalar & 1:
            found = _chord(found, power, a, prime)
        power = _chord(power, power, a, prime)
        scalar >>= 1
    return found


def is_group_order(order: int, a: int, b: int, prime: int, base: Point) -> bool:
    """Whether a prime is the number of points of a curve, which are multiples of the base point."""
    there = is_on_curve(base, a, b, prime)
    near = _is_near(order, prime)
    return there and near and point_by_chords(base, order, a, prime) is None


def sign(
    key: int, nonce: int, z: int, a: int, b: int, prime: int, base: Point, order: int
) -> tuple[int, int] | None:
    """The signature r, s of z as FIPS 186-5, section 6.4.1, has it; None where that is refused.

    That is: z not below the order, key or nonce not within 1 to order - 1, r or s 0. z is the
    message's hash, its leftmost bits, modulo the order.
    """
    if not (0 < key < order and 0 < nonce < order and z < order):
        return None
    point = point_by_chords(base, nonce, a, prime)
    r = point[0] % order if point else 0
    s = pow(nonce, -1, order) * (z + r * key) % order
    return (r, s) if r and s else None


def verify(
    point: Point,
    z: int,
    signature: tuple[int, int],
    a: int,
    b: int,
    prime: int,
    base: Point,
    order: int,
) -> bool:
    """Whether r, s is a signature of z by the owner of a point: FIPS 186-5, section 6.4.2.

    Where the point is none of the curve, it is not.
    """
    r, s = signature
    if not is_on_curve(point, a, b, prime):
        return False
    if not (0 < r < order and 0 < s < order and z < order):
        return False
    inverse = pow(s, -1, order)
    ends = (
        point_by_chords(base, z * inverse % order, a, prime),
        point_by_chords(point, r * inverse % order, a, prime),
    )
    found = _chord(*ends, a, prime)
    return found is not None and found[0] % order == r


# ----------------------------------------------------------------------------------------------
# Kummer surfaces, by the relations of theta functions: no formula of the program is used.
# ----------------------------------------------------------------------------------------------


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
    low: Sequence[int] = surface.theta
    high: Sequence[int] = point
    for place in reversed(range(scalar.bit_length())):
        both = surface.added(low, high, point)
        end = high if scalar >> place & 1 else low
        doubled = surface.added(end, end, surface.theta)
        low, high = (both, doubled) if scalar >> place & 1 else (doubled, both)
    return surface.given(low)


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
