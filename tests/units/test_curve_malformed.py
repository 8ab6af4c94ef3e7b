# SPDX-License-Identifier: Apache-2.0
"""Malformed input on real curves: points that are none, coordinates at and above p, small orders,
scalars at the ends of their range; each gets its status and nothing else, in the same cycles, and
the job behind it is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, cycle, islice
from random import Random

import pytest
from curve_simulator import CurveBench, Status
from gmpy2 import legendre

from redcore.catalogue import family
from redcore.design import Design
from redcore.units.curve import ed25519
from redcore.units.curve.curves import CURVES
from redcore.units.curve.edwards import NEUTRAL, is_on_edwards, multiple
from redcore.units.curve.montgomery import Montgomery, by_chords
from redcore.units.curve.weierstrass import Point, Weierstrass, is_on_curve, point_by_chords

pytestmark = pytest.mark.kept

QUICK = {"word": 51, "sigma": 3}
"""The multiplier of the fewest cycles whose words have at most 64 bits."""
Case = tuple[tuple[int, ...], int, Status]
"""A point's numbers, a scalar, and what is to be said of them."""
Kind = Callable[[Random], Case]


def design(name: str) -> Design:
    one = CURVES[name]
    return family("curve-cios").design(one.width, {**one.settings, **QUICK})


def number_bits(name: str) -> int:
    """As many as a number has on its way: more than the prime."""
    geometry = design(name).geometry
    return geometry.word_bits * geometry.beats // len(CURVES[name].base)


# ----------------------------------------------------------------------------------------------
# P-256.
# ----------------------------------------------------------------------------------------------

P256 = CURVES["p256"]
assert isinstance(P256, Weierstrass)
P, A, B, N = P256.prime, P256.a, P256.b, P256.order
G: Point = (P256.base[0], P256.base[1])


def some_point(choose: Random) -> Point:
    found = point_by_chords(G, choose.randrange(1, N), A, P)
    assert found
    return found


def root(square: int) -> int | None:
    """p is 3 modulo 4."""
    return pow(square, (P + 1) // 4, P) if legendre(square, P) == 1 else None


def of_order_three(choose: Random) -> Point:
    """A point of another curve y^2 = x^3 + a x + b', where 3 x^4 + 6 a x^2 + 12 b' x = a^2."""
    while True:
        x = choose.randrange(1, P)
        other = (A * A - 6 * A * x * x - 3 * x**4) * pow(12 * x, -1, P) % P
        y = root((x**3 + A * x + other) % P)
        if y:
            assert point_by_chords((x, y), 3, A, P) is None
            return x, y


def on_the_twist(choose: Random) -> Point:
    """An x that has no y."""
    while True:
        x = choose.randrange(P)
        if legendre(x**3 + A * x + B, P) == -1:
            return x, choose.randrange(P)


def a_bit_turned(
    choose: Random, point: Callable[[Random], Point] = some_point, bits: int = 255
) -> Point:
    (x, y), bit = point(choose), 1 << choose.randrange(bits)
    return (x ^ bit, y) if choose.getrandbits(1) else (x, y ^ bit)


def above(choose: Random) -> Point:
    """A point of the curve but for a p too much, or numbers as large as they can be."""
    (x, y), top = some_point(choose), (1 << number_bits("p256")) - 1
    more = choose.choice((P, 2 * P, P << 40))
    return choose.choice(
        ((x + more, y), (x, y + more), (P, y), (x, P), (top, y), (x, top), (top, top))
    )


def point_refused(make: Callable[[Random], Point]) -> Kind:
    def made(choose: Random) -> Case:
        point = make(choose)
        assert not is_on_curve(point, A, B, P)
        return point, choose.randrange(1, N), Status.RANGE

    return made


def with_scalar(make: Callable[[Random], int]) -> Kind:
    """A point of the curve."""

    def made(choose: Random) -> Case:
        scalar = make(choose)
        if scalar >> 256:
            return some_point(choose), scalar, Status.RANGE
        return some_point(choose), scalar, Status.DONE if scalar % N else Status.ZERO

    return made


P256_KINDS: dict[str, Kind] = {
    "random numbers": point_refused(lambda choose: (choose.randrange(P), choose.randrange(P))),
    "a bit turned": point_refused(a_bit_turned),
    "on the twist": point_refused(on_the_twist),
    "at or above p": point_refused(above),
    "zeros": point_refused(lambda _: (0, 0)),
    "of order 2 elsewhere": point_refused(lambda choose: (choose.randrange(P), 0)),
    "of order 3 elsewhere": point_refused(of_order_three),
    "scalar 0": with_scalar(lambda _: 0),
    "scalar 1": with_scalar(lambda _: 1),
    "scalar n - 1": with_scalar(lambda _: N - 1),
    "scalar n": with_scalar(lambda _: N),
    "scalar above n": with_scalar(lambda choose: choose.randrange(N + 1, 1 << 256)),
    "scalar of all ones": with_scalar(lambda _: (1 << 256) - 1),
    "scalar of more bits": with_scalar(lambda choose: 1 << 256 | choose.getrandbits(256)),
    "scalar of other bits": with_scalar(lambda choose: 1 << choose.randrange(256, 306)),
}


def p256_right(point: tuple[int, ...], scalar: int) -> tuple[int, ...]:
    found = point_by_chords((point[0], point[1]), scalar, A, P)
    assert found
    return found


# ----------------------------------------------------------------------------------------------
# X25519: points of the twist are points; those of small order are refused by clamped scalars.
# ----------------------------------------------------------------------------------------------

X25519 = CURVES["x25519"]
assert isinstance(X25519, Montgomery)
Q, A24 = X25519.prime, X25519.a24
ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the base point (RFC 7748, section 4.1)."""
SMALL = (
    0,
    1,
    Q - 1,
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
)
"""u of the points of order 1, 2, 4 and 8, of the curve and of its twist."""


def clamped(choose: Random) -> int:
    assert isinstance(X25519, Montgomery)
    return X25519.decode_scalar(choose.getrandbits(256))


def of_the_order(choose: Random) -> int:
    """u of a point of that prime order."""
    return by_chords(9, choose.randrange(1, ORDER), A24, Q)


def scaled(make: Callable[[Random], int]) -> Kind:
    """A point of prime order."""

    def made(choose: Random) -> Case:
        scalar, u = make(choose), of_the_order(choose)
        if scalar >> 255:
            return (u,), scalar, Status.RANGE
        return (u,), scalar, Status.DONE if scalar % ORDER else Status.ZERO

    return made


def out_of_range(make: Callable[[Random], int]) -> Kind:
    return lambda choose: ((make(choose),), clamped(choose), Status.RANGE)


X25519_KINDS: dict[str, Kind] = {
    "any u": lambda choose: ((choose.randrange(2, Q - 1),), clamped(choose), Status.DONE),
    "small order": lambda choose: ((choose.choice(SMALL),), clamped(choose), Status.ZERO),
    "at or above p": out_of_range(lambda choose: choose.randrange(Q, 1 << 255)),
    "p and a point": out_of_range(lambda choose: of_the_order(choose) + Q),
    "u of more bits": out_of_range(lambda choose: 1 << 255 | choose.getrandbits(255)),
    "u of all ones": out_of_range(lambda _: (1 << number_bits("x25519")) - 1),
    "scalar 0": scaled(lambda _: 0),
    "scalar 1": scaled(lambda _: 1),
    "scalar n - 1": scaled(lambda _: ORDER - 1),
    "scalar n": scaled(lambda _: ORDER),
    "scalar above n": scaled(lambda choose: choose.randrange(ORDER + 1, 1 << 255)),
    "multiples of n": scaled(lambda choose: ORDER * choose.randrange(2, 8)),
    "scalar of more bits": scaled(lambda choose: 1 << choose.randrange(255, 306)),
}


def x25519_right(point: tuple[int, ...], scalar: int) -> tuple[int, ...]:
    return (by_chords(point[0], scalar, A24, Q),)


# ----------------------------------------------------------------------------------------------
# Ed25519: points of small order are points, and a neutral result is refused.
# ----------------------------------------------------------------------------------------------

ED25519 = ed25519.CURVE
ED_ORDER = ED25519.order


def ed25519_times(point: tuple[int, ...], scalar: int) -> Point:
    return multiple((point[0], point[1]), scalar, ED25519.a, ED25519.d, ED25519.prime)


def ed25519_point(choose: Random) -> Point:
    """Of any order."""
    while True:
        if point := ed25519.decode(choose.randbytes(32)):
            return point


EIGHTH = ed25519_times(ed25519_point(Random(1)), ED_ORDER)
"""A point of order 8."""
assert ed25519_times(EIGHTH, 4) != NEUTRAL


def off_ed25519(make: Callable[[Random], Point]) -> Kind:
    def made(choose: Random) -> Case:
        point = make(choose)
        assert not is_on_edwards(point, ED25519.a, ED25519.d, ED25519.prime)
        return point, choose.randrange(1, ED_ORDER), Status.RANGE

    return made


def ed25519_above(choose: Random) -> Point:
    (x, y), prime, top = ed25519_point(choose), ED25519.prime, (1 << number_bits("ed25519")) - 1
    return choose.choice(
        ((x + prime, y), (x, y + prime), (0, prime + 1), (prime, 1), (top, y), (x, top))
    )


def of_small_order(make: Callable[[Random], int]) -> Kind:
    """The neutral point, and those of order 2, 4 and 8."""

    def made(choose: Random) -> Case:
        scalar, times = make(choose), choose.randrange(8)
        neutral = scalar * times % 8 == 0
        return ed25519_times(EIGHTH, times), scalar, Status.ZERO if neutral else Status.DONE

    return made


def of_large_order(make: Callable[[Random], int]) -> Kind:
    """Of the base's order."""

    def made(choose: Random) -> Case:
        point, scalar = ed25519_times(ED25519.base, choose.randrange(1, ED_ORDER)), make(choose)
        if scalar >> 256:
            return point, scalar, Status.RANGE
        return point, scalar, Status.DONE if scalar % ED_ORDER else Status.ZERO

    return made


ED25519_KINDS: dict[str, Kind] = {
    "random numbers": off_ed25519(
        lambda choose: (choose.randrange(ED25519.prime), choose.randrange(ED25519.prime))
    ),
    "a bit turned": off_ed25519(lambda choose: a_bit_turned(choose, ed25519_point, 254)),
    "at or above p": off_ed25519(ed25519_above),
    "zeros": off_ed25519(lambda _: (0, 0)),
    "small order": of_small_order(lambda choose: choose.getrandbits(256)),
    "small order, times 8": of_small_order(lambda choose: choose.getrandbits(253) << 3),
    "neutral": lambda choose: (NEUTRAL, choose.getrandbits(256), Status.ZERO),
    "scalar 0": of_large_order(lambda _: 0),
    "scalar 1": of_large_order(lambda _: 1),
    "scalar n - 1": of_large_order(lambda _: ED_ORDER - 1),
    "scalar n": of_large_order(lambda _: ED_ORDER),
    "scalar above n": of_large_order(lambda choose: choose.randrange(ED_ORDER + 1, 1 << 256)),
    "multiples of n": of_large_order(lambda choose: ED_ORDER * choose.randrange(2, 9)),
    "scalar of all ones": of_large_order(lambda _: (1 << 256) - 1),
    "scalar of more bits": of_large_order(lambda choose: 1 << choose.randrange(256, 306)),
}


Right = Callable[[tuple[int, ...], int], tuple[int, ...]]
CURVE: dict[str, tuple[dict[str, Kind], Right, tuple[int, ...]]] = {
    "p256": (P256_KINDS, p256_right, (B, N)),
    "x25519": (X25519_KINDS, x25519_right, (A24,)),
    "ed25519": (ED25519_KINDS, ed25519_times, (ED25519.d, ED25519.points)),
}


def cases(kinds: dict[str, Kind], count: int, choose: Random) -> Iterator[Case]:
    """Of each kind in turn."""
    yield from (kind(choose) for kind in islice(cycle(kinds.values()), count))


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("p256", len(P256_KINDS)),
        ("x25519", len(X25519_KINDS)),
        ("ed25519", len(ED25519_KINDS)),
        pytest.param("ed25519", 1000, marks=pytest.mark.full),
        pytest.param("p256", 1000, marks=pytest.mark.full),
        pytest.param("x25519", 1000, marks=pytest.mark.full),
    ],
)
def test_each_gets_its_status_and_the_next_job_is_right(name: str, count: int) -> None:
    one, (kinds, right, constants) = design(name), CURVE[name]
    bits, choose = number_bits(name), Random(count)
    good: Case = (CURVES[name].base, 0x123456789ABCDEF, Status.DONE)
    told = dict.fromkeys(Status, 0)
    took = set()
    with CurveBench(one, seed=count) as bench:
        bench.load(CURVES[name].prime, *constants)
        given = cases(kinds, count, choose)
        for number, (point, scalar, status) in enumerate(chain([good], given, [good])):
            joined = sum(each << at * bits for at, each in enumerate(point))
            begun = bench.cycle
            found = bench.multiply(joined, scalar)
            if number:  # the first one waits for the modulus
                took.add(bench.cycle - begun)
            end = right(point, scalar) if status is Status.DONE else ()
            expected = sum(each << at * bits for at, each in enumerate(end))
            assert found == (status, expected), (point, scalar)
            assert not bench.err
            told[status] += 1
    assert len(took) == 1
    assert min(told[each] for each in (Status.DONE, Status.RANGE, Status.ZERO)) >= count // 15
