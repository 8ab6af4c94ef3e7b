# SPDX-License-Identifier: Apache-2.0
"""Jobs of scalar multiplication on real curves that are malformed, of every kind, and what each is
answered: points that are none, coordinates at and above p, small orders, scalars at the ends of
their range."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random

from curve_simulator import Status
from gmpy2 import legendre

from redcore.catalogue import family
from redcore.design import Design, Value
from redcore.units.curve.curves import CURVES
from redcore.units.curve.edwards import NEUTRAL, Edwards, is_on_edwards, multiple
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.form import MULTIPLY
from redcore.units.curve.kummer import Kummer, Surface, multiply_wrapped, wrapped_from_below
from redcore.units.curve.montgomery import Montgomery, by_chords
from redcore.units.curve.square_root import square_root
from redcore.units.curve.weierstrass import Point, Weierstrass, is_on_curve, point_by_chords

QUICK: dict[str, Value] = {"word": 51, "sigma": 3}
LONG: dict[str, dict[str, Value]] = {
    "p521": {"word": 54, "sigma": 2},
    "brainpoolp512r1": {"word": 52, "sigma": 2},
}
"""The multipliers of the fewest cycles whose words have at most 64 bits."""
Numbers = tuple[int, ...]
Case = tuple[Numbers, int, Status]
"""A point's numbers, a scalar, and what is to be said of them."""
Kind = Callable[[Random], Case]


@dataclass(frozen=True)
class Malformed:
    """What is given to a processor of a curve, of each kind in turn, and what is right of it."""

    kinds: dict[str, Kind]
    right: Callable[[Numbers, int], Numbers]


@cache
def design(name: str, task: str = MULTIPLY) -> Design:
    """Of a named curve, also of its signatures."""
    one = CURVES[name]
    more = {} if task == MULTIPLY else {**one.signing, "task": task}
    settings = {**one.settings, **more, **LONG.get(name, QUICK)}
    return family("curve-cios").design(one.width, settings)


def number_bits(name: str) -> int:
    """As many as a number has on its way: more than the prime."""
    one = design(name)
    assert isinstance(one.family, CurveUnit)
    geometry = one.family.multiplier_design(one.width, one.values).geometry
    return geometry.word_bits * geometry.beats


def a_bit_turned(choose: Random, point: Numbers, bits: int) -> Numbers:
    """In one of the numbers."""
    turned, bit = choose.randrange(len(point)), 1 << choose.randrange(bits)
    return tuple(each ^ bit * (at == turned) for at, each in enumerate(point))


def with_scalars(
    point: Callable[[Random], Numbers],
    order: int,
    bits: int,
    scalars: dict[str, Callable[[Random], int]],
) -> dict[str, Kind]:
    """A point of an order with scalars, those of more than so many bits among them."""

    def kind(make: Callable[[Random], int]) -> Kind:
        def made(choose: Random) -> Case:
            scalar = make(choose)
            if scalar >> bits:
                return point(choose), scalar, Status.RANGE
            return point(choose), scalar, Status.DONE if scalar % order else Status.ZERO

        return made

    return {name: kind(make) for name, make in scalars.items()}


def ends_of(order: int, bits: int) -> dict[str, Callable[[Random], int]]:
    """Scalars at the ends of their range."""
    return {
        "scalar 0": lambda _: 0,
        "scalar 1": lambda _: 1,
        "scalar n - 1": lambda _: order - 1,
        "scalar n": lambda _: order,
        "scalar above n": lambda choose: choose.randrange(order + 1, 1 << bits),
        "scalar of all ones": lambda _: (1 << bits) - 1,
    }


def refused(
    make: Callable[[Random], Numbers], is_one: Callable[[Numbers], bool], order: int
) -> Kind:
    """Numbers that are no point."""

    def made(choose: Random) -> Case:
        point = make(choose)
        assert not is_one(point)
        return point, choose.randrange(1, order), Status.RANGE

    return made


# ----------------------------------------------------------------------------------------------
# Weierstrass curves; their primes are 3 modulo 4, or have a root by ``square_root``.
# ----------------------------------------------------------------------------------------------


def of_the_base(one: Weierstrass, choose: Random) -> Point:
    """A multiple of the base point."""
    base, scalar = (one.base[0], one.base[1]), choose.randrange(1, one.order)
    found = point_by_chords(base, scalar, one.a, one.prime)
    assert found
    return found


def no_points(one: Weierstrass) -> dict[str, Callable[[Random], Point]]:
    """Two numbers of each kind that are no point."""
    p, a, b, wide = one.prime, one.a, one.b, number_bits(one.name)

    def of_order_three(choose: Random) -> Point:
        """A point of another curve y^2 = x^3 + a x + b', where 3 x^4 + 6 a x^2 + 12 b' x = a^2."""
        while True:
            x = choose.randrange(1, p)
            other = (a * a - 6 * a * x * x - 3 * x**4) * pow(12 * x, -1, p) % p
            if other != b and (y := square_root(x**3 + a * x + other, p)):
                assert point_by_chords((x, y), 3, a, p) is None
                return x, y

    def on_the_twist(choose: Random) -> Point:
        """An x that has no y."""
        while True:
            x = choose.randrange(p)
            if legendre(x**3 + a * x + b, p) == -1:
                return x, choose.randrange(p)

    def a_bit_off(choose: Random) -> Point:
        x, y = a_bit_turned(choose, of_the_base(one, choose), p.bit_length() - 1)
        return x, y

    def above(choose: Random) -> Point:
        """A point of the curve but for a p too much, or numbers as large as they can be."""
        (x, y), top = of_the_base(one, choose), (1 << wide) - 1
        more = choose.choice((p, 2 * p, p << wide - p.bit_length() - 1))
        return choose.choice(
            ((x + more, y), (x, y + more), (p, y), (x, p), (top, y), (x, top), (top, top))
        )

    return {
        "random numbers": lambda choose: (choose.randrange(p), choose.randrange(p)),
        "a bit turned": a_bit_off,
        "on the twist": on_the_twist,
        "at or above p": above,
        "zeros": lambda _: (0, 0),
        "of order 2 elsewhere": lambda choose: (choose.randrange(p), 0),
        "of order 3 elsewhere": of_order_three,
    }


def of_weierstrass(one: Weierstrass) -> Malformed:
    p, a, b, n, bits = one.prime, one.a, one.b, one.order, one.scalar_bits
    wide = number_bits(one.name)

    def right(point: Numbers, scalar: int) -> Point:
        found = point_by_chords((point[0], point[1]), scalar, a, p)
        assert found
        return found

    def off(make: Callable[[Random], Numbers]) -> Kind:
        return refused(make, lambda point: is_on_curve((point[0], point[1]), a, b, p), n)

    scalars = ends_of(n, bits) | {
        "scalar of more bits": lambda choose: 1 << bits | choose.getrandbits(bits),
        "scalar of other bits": lambda choose: 1 << choose.randrange(bits, wide),
    }
    kinds = {
        **{name: off(make) for name, make in no_points(one).items()},
        **with_scalars(lambda choose: of_the_base(one, choose), n, bits, scalars),
    }
    return Malformed(kinds, right)


# ----------------------------------------------------------------------------------------------
# Montgomery curves: points of the twist are points; those of small order are refused by clamped
# scalars.
# ----------------------------------------------------------------------------------------------

SMALL = {
    "x25519": (
        325606250916557431795983626356110631294008115727848805560023387167927233504,
        39382357235489614581723060781553021112529911719440698176882885853963445705823,
    ),
    "x448": (),
}
"""u of the points of order 8, of the curve and of its twist: those of order 1, 2 and 4 are 0, 1 and
p - 1."""


def of_montgomery(one: Montgomery) -> Malformed:
    p, a24, n, bits = one.prime, one.a24, one.order, one.scalar_bits
    small, wide = (0, 1, p - 1, *SMALL[one.name]), number_bits(one.name)

    def clamped(choose: Random) -> int:
        return one.decode_scalar(choose.getrandbits(bits))

    def of_the_order(choose: Random) -> Numbers:
        """u of a point of that prime order."""
        return (by_chords(one.base[0], choose.randrange(1, n), a24, p),)

    def out_of_range(make: Callable[[Random], int]) -> Kind:
        return lambda choose: ((make(choose),), clamped(choose), Status.RANGE)

    scalars = ends_of(n, bits) | {
        "multiples of n": lambda choose: n * choose.randrange(2, 1 << one.cofactor_bits),
        "scalar of more bits": lambda choose: 1 << choose.randrange(bits, wide),
    }
    kinds = {
        "any u": lambda choose: ((choose.randrange(2, p - 1),), clamped(choose), Status.DONE),
        "small order": lambda choose: ((choose.choice(small),), clamped(choose), Status.ZERO),
        "at or above p": out_of_range(lambda choose: choose.randrange(p, 1 << bits)),
        "p and a point": out_of_range(lambda choose: of_the_order(choose)[0] + p),
        "u of more bits": out_of_range(lambda choose: 1 << bits | choose.getrandbits(bits)),
        "u of all ones": out_of_range(lambda _: (1 << wide) - 1),
        **with_scalars(of_the_order, n, bits, scalars),
    }
    return Malformed(kinds, lambda point, scalar: (by_chords(point[0], scalar, a24, p),))


# ----------------------------------------------------------------------------------------------
# Edwards curves: points of small order are points, and a neutral result is refused.
# ----------------------------------------------------------------------------------------------


def of_any_order(one: Edwards, choose: Random) -> Point:
    p, a, d = one.prime, one.a, one.d
    while True:
        y = choose.randrange(2, p - 1)
        x = square_root((1 - y * y) * pow(a - d * y * y, -1, p), p)
        if x:
            return choose.choice((x, p - x)), y


def of_small_order(one: Edwards) -> Point:
    """A point of the order of the cofactor."""
    curve = one.a, one.d, one.prime
    ends = (multiple(of_any_order(one, Random(at)), one.order, *curve) for at in range(100))
    return next(end for end in ends if multiple(end, one.cofactor // 2, *curve) != NEUTRAL)


def no_edwards_points(one: Edwards) -> dict[str, Callable[[Random], Point]]:
    """Two numbers of each kind that are no point."""
    p, wide = one.prime, number_bits(one.name)

    def a_bit_off(choose: Random) -> Point:
        x, y = a_bit_turned(choose, of_any_order(one, choose), p.bit_length() - 1)
        return x, y

    def above(choose: Random) -> Point:
        (x, y), top = of_any_order(one, choose), (1 << wide) - 1
        return choose.choice(((x + p, y), (x, y + p), (0, p + 1), (p, 1), (top, y), (x, top)))

    return {
        "random numbers": lambda choose: (choose.randrange(p), choose.randrange(p)),
        "a bit turned": a_bit_off,
        "at or above p": above,
        "zeros": lambda _: (0, 0),
    }


def of_edwards(one: Edwards) -> Malformed:
    p, a, d, n, bits, h = one.prime, one.a, one.d, one.order, one.scalar_bits, one.cofactor
    wide, smallest = number_bits(one.name), of_small_order(one)

    def right(point: Numbers, scalar: int) -> Point:
        return multiple((point[0], point[1]), scalar, a, d, p)

    def of_the_order(choose: Random) -> Point:
        """Of the base's order."""
        return right(one.base, choose.randrange(1, n))

    def small(make: Callable[[Random], int]) -> Kind:
        """The neutral point, and those of order 2, 4 and, where there are some, 8."""

        def made(choose: Random) -> Case:
            scalar, times = make(choose), choose.randrange(h)
            neutral = scalar * times % h == 0
            return right(smallest, times), scalar, Status.ZERO if neutral else Status.DONE

        return made

    def off(make: Callable[[Random], Numbers]) -> Kind:
        return refused(make, lambda point: is_on_edwards((point[0], point[1]), a, d, p), n)

    scalars = ends_of(n, bits) | {
        "multiples of n": lambda choose: n * choose.randrange(2, h + 1),
        "scalar of more bits": lambda choose: 1 << choose.randrange(bits, wide),
    }
    kinds = {
        **{name: off(make) for name, make in no_edwards_points(one).items()},
        "small order": small(lambda choose: choose.getrandbits(bits)),
        "small order, times the cofactor": small(
            lambda choose: choose.getrandbits(bits - h.bit_length()) * h
        ),
        "neutral": lambda choose: (NEUTRAL, choose.getrandbits(bits), Status.ZERO),
        **with_scalars(of_the_order, n, bits, scalars),
    }
    return Malformed(kinds, right)


# ----------------------------------------------------------------------------------------------
# Kummer surfaces: points of the twist are points; the neutral one and those of order 2 are refused.
# ----------------------------------------------------------------------------------------------

KUMMER_TWIST = (1, 2, 49843417731050106690631714733628779390)
"""A point of the twist of kummer1271."""


def of_kummer(one: Kummer) -> Malformed:
    p, theta, n, bits = one.prime, one.theta, one.order, one.scalar_bits
    wide, surface = number_bits(one.name), Surface.of(one.theta, one.prime)
    assert surface

    def wrapped(point: tuple[int, ...]) -> Numbers:
        """x/y, x/z and x/t."""
        return tuple(point[0] * pow(each, -1, p) % p for each in point[1:])

    def right(point: Numbers, scalar: int) -> Numbers:
        """By another law."""
        found = wrapped_from_below((point[0], point[1], point[2]), scalar, theta, p)
        assert found
        return found

    def times(point: tuple[int, int, int], scalar: int) -> Numbers:
        found = multiply_wrapped(point, scalar, theta, p)
        assert found
        return found

    base = (one.base[0], one.base[1], one.base[2])
    a, b, c, d = theta
    of_order_two = [wrapped(each) for each in ((b, a, d, c), (c, d, a, b), (d, c, b, a))]

    def of_the_order(choose: Random) -> Numbers:
        return times(base, choose.randrange(1, n))

    def of_the_twist(choose: Random) -> Numbers:
        return times(KUMMER_TWIST, choose.getrandbits(bits) | 1)

    def above(choose: Random) -> Numbers:
        """A point of the surface but for a p too much, or numbers as large as they can be."""
        point, at, top = of_the_order(choose), choose.randrange(3), (1 << wide) - 1
        more = choose.choice((point[at] + p, point[at] + (p << 20), p, top))
        return tuple(more if at == k else each for k, each in enumerate(point))

    def with_a_zero(choose: Random) -> Numbers:
        point, at = of_the_order(choose), choose.randrange(3)
        return tuple(0 if at == k else each for k, each in enumerate(point))

    def is_one(point: Numbers) -> bool:
        return max(point) < p and all(point) and one.has(point)

    def off(make: Callable[[Random], Numbers]) -> Kind:
        return refused(make, is_one, n)

    def zero(make: Callable[[Random], Numbers]) -> Kind:
        return lambda choose: (make(choose), choose.randrange(1, n), Status.ZERO)

    scalars = ends_of(n, bits) | {
        "scalar of more bits": lambda choose: 1 << bits | choose.getrandbits(bits),
        "scalar of other bits": lambda choose: 1 << choose.randrange(bits, 3 * wide),
    }
    kinds = {
        "random numbers": off(lambda choose: tuple(choose.randrange(1, p) for _ in range(3))),
        "a bit turned": off(
            lambda choose: a_bit_turned(choose, of_the_order(choose), p.bit_length() - 1)
        ),
        "at or above p": off(above),
        "a zero": off(with_a_zero),
        "zeros": zero(lambda _: (0, 0, 0)),
        "neutral": zero(lambda _: wrapped(theta)),
        "of order 2": zero(lambda choose: choose.choice(of_order_two)),
        "of the twist": lambda choose: (
            of_the_twist(choose), choose.randrange(1, 1 << 200), Status.DONE,
        ),
        **with_scalars(of_the_order, n, bits, scalars),
    }  # fmt: skip
    return Malformed(kinds, right)


# ----------------------------------------------------------------------------------------------
# All of them.
# ----------------------------------------------------------------------------------------------


@cache
def malformed(name: str) -> Malformed:
    match one := CURVES[name]:
        case Weierstrass():
            return of_weierstrass(one)
        case Montgomery():
            return of_montgomery(one)
        case Edwards():
            return of_edwards(one)
        case Kummer():
            return of_kummer(one)
    raise AssertionError(name)
