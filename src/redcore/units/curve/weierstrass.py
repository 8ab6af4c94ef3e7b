# SPDX-License-Identifier: Apache-2.0
"""Short Weierstrass curves y^2 = x^3 + a x + b on integers, independent of the program: points,
signatures (FIPS 186-5, section 6.4), orders, and named curves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import islice

from gmpy2 import is_prime, legendre

from redcore.design import Value
from redcore.units.curve.named import Curve

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
    of the scalar. ``modulus`` is odd; where it is no prime and a quotient does not exist, there is
    no result.
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


def _chord(
    one: Point | None, other: Point | None, a: int, prime: int, square: int, scale: int
) -> Point | None:
    """The sum of points by chord and tangent; None is infinity."""
    if one is None or other is None:
        return one or other
    if one[0] == other[0] and (one[1] + other[1]) % prime == 0:
        return None
    if one == other:
        rise, run = 3 * one[0] ** 2 + 2 * square * one[0] + a, 2 * scale * one[1]
    else:
        rise, run = other[1] - one[1], other[0] - one[0]
    slope = rise * pow(run, -1, prime) % prime
    third = (scale * slope * slope - square - one[0] - other[0]) % prime
    return third, (slope * (one[0] - third) - one[1]) % prime


def point_by_chords(
    point: Point, scalar: int, a: int, prime: int, square: int = 0, scale: int = 1
) -> Point | None:
    """The same on a prime by chords and tangents; None for infinity. The curve may be
    scale y^2 = x^3 + square x^2 + a x + b."""
    found: Point | None = None
    power: Point | None = point
    while scalar:
        if scalar & 1:
            found = _chord(found, power, a, prime, square, scale)
        power = _chord(power, power, a, prime, square, scale)
        scalar >>= 1
    return found


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
    found = _chord(*ends, a, prime, 0, 1)
    return found is not None and found[0] % order == r


# ----------------------------------------------------------------------------------------------
# Named curves, and orders.
# ----------------------------------------------------------------------------------------------


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
        return {"base_x": self.base[0], "base_y": self.base[1]}

    def has(self, point: tuple[int, ...]) -> bool:
        return is_on_curve((point[0], point[1]), self.a, self.b, self.prime)


_NUMBERS = {
    "p192": """
fffffffffffffffffffffffffffffffeffffffffffffffff;
-3;
64210519e59c80e70fa7e9ab72243049feb8deecc146b9b1;
188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1012;
7192b95ffc8da78631011ed6b24cdd573f977a11e794811;
ffffffffffffffffffffffff99def836146bc9b1b4d22831
""",
    "p224": """
ffffffffffffffffffffffffffffffff000000000000000000000001;
-3;
b4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4;
b70e0cbd6bb4bf7f321390b94a03c1d356c21122343280d6115c1d21;
bd376388b5f723fb4c22dfe6cd4375a05a07476444d5819985007e34;
ffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d
""",
    "p256": """
ffffffff00000001000000000000000000000000ffffffffffffffffffffffff;
-3;
5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b;
6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296;
4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5;
ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551
""",
    "p384": """
fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff;
-3;
b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef;
aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7;
3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f;
ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973
""",
    "p521": """
1ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
    ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff;
-3;
51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e1
    56193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00;
c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dba
    a14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66;
11839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c
    97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650;
1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa
    51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409
""",
    "secp256k1": """
fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f;
0;
7;
79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798;
483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8;
fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141
""",
    "brainpoolp256r1": """
a9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377;
7d5a0975fc2c3057eef67530417affe7fb8055c126dc5c6ce94a4b44f330b5d9;
26dc5c6ce94a4b44f330b5d9bbd77cbf958416295cf7e1ce6bccdc18ff8c07b6;
8bd2aeb9cb7e57cb2c4b482ffc81b7afb9de27e1e3bd23c23a4453bd9ace3262;
547ef835c3dac4fd97f8461a14611dc9c27745132ded8e545c1d54c72f046997;
a9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7
""",
    "brainpoolp384r1": """
8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123acd3a729901d1a71874700133107ec53;
7bc382c63d8c150c3c72080ace05afa0c2bea28e4fb22787139165efba91f90f8aa5814a503ad4eb04a8c7dd22ce2826;
4a8c7dd22ce28268b39b55416f0447c2fb77de107dcd2a62e880ea53eeb62d57cb4390295dbc9943ab78696fa504c11;
1d1c64f068cf45ffa2a63a81b7c13f6b8847a3e77ef14fe3db7fcafe0cbd10e8e826e03436d646aaef87b2e247d4af1e;
8abe1d7520f9c2a45cb1eb8e95cfd55262b70b29feec5864e19c054ff99129280e4646217791811142820341263c5315;
8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b31f166e6cac0425a7cf3ab6af6b7fc3103b883202e9046565
""",
    "brainpoolp512r1": """
aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330871
    7d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3;
7830a3318b603b89e2327145ac234cc594cbdd8d3df91610a83441caea9863bc
    2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9e7c1ac4d77fc94ca;
3df91610a83441caea9863bc2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a7
    2bf2c7b9e7c1ac4d77fc94cadc083e67984050b75ebae5dd2809bd638016f723;
81aee4bdd82ed9645a21322e9c4c6a9385ed9f70b5d916c1b43b62eef4d0098e
    ff3b1f78e2d0d48d50d1687b93b97d5f7c6d5047406a5e688b352209bcb9f822;
7dde385d566332ecc0eabfa9cf7822fdf209f70024a57b1aa000c55b881f8111
    b2dcde494a5f485e5bca4bd88a2763aed1ca2b2fa8f0540678cd1e0f3ad80892;
aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870
    553e5c414ca92619418661197fac10471db1d381085ddaddb58796829ca90069
""",
}
"""p, a, b, the base point and its order, that of all points, hexadecimal: SEC 2, version 2, and RFC
5639 for those of brainpool."""


def _named(name: str) -> Weierstrass:
    prime, a, b, x, y, order = (int("".join(one.split()), 16) for one in _NUMBERS[name].split(";"))
    return Weierstrass(name, prime, order.bit_length(), (x, y), a, b, order)


WEIERSTRASS = {name: _named(name) for name in _NUMBERS}


def usual(width: int) -> Weierstrass:
    """The first named curve over a prime of so many bits, else P-256."""
    fits = (one for one in WEIERSTRASS.values() if one.width == width)
    return next(fits, WEIERSTRASS["p256"])


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
    named = (one for one in WEIERSTRASS.values() if one.prime == prime)
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


def is_group_order(order: int, a: int, b: int, prime: int, base: Point) -> bool:
    """Whether a prime is the number of points of a curve, which are multiples of the base point."""
    there = is_on_curve(base, a, b, prime)
    near = _is_near(order, prime)
    return there and near and point_by_chords(base, order, a, prime) is None
