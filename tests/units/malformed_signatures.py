# SPDX-License-Identifier: Apache-2.0
"""Jobs of signing and verifying on real curves that are malformed, of every kind, and what each is
answered: keys, nonces, hashes and signatures at the ends of their range, keys that are no point,
signatures that are wrong."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from curve_simulator import Status
from malformed_points import Numbers, no_edwards_points, no_points, number_bits, of_small_order

from redcore.units.curve.curves import CURVES
from redcore.units.curve.edwards import NEUTRAL, Edwards, added, multiple
from redcore.units.curve.form import SIGN
from redcore.units.curve.weierstrass import Weierstrass, point_by_chords, sign, verify

Job = tuple[Numbers, Numbers, Status, Numbers]
"""Both operands' numbers, what is to be said of them, and what they give."""
Kind = Callable[[Random], Job]
Point = tuple[int, int]
End = Callable[[Random], tuple[int, Status]]
"""A number at an end of its range, and what is said of it."""
VALID = (1,)
Given = tuple[Point, int, int, int]
"""A key's point, z, and the signature r, s."""
Signed = tuple[Point, int, int, Point]
"""A key's point A, h, and the signature S, R."""


def ends_of(order: int, wide: int) -> dict[str, End]:
    """Numbers that have to be within 1 to n - 1, at the ends of that and outside."""
    return {
        "0": lambda _: (0, Status.ZERO),
        "1": lambda _: (1, Status.DONE),
        "n - 1": lambda _: (order - 1, Status.DONE),
        "n": lambda _: (order, Status.RANGE),
        "above n": lambda choose: (choose.randrange(order + 1, 2 * order), Status.RANGE),
        "of other bits": lambda choose: (choose.randrange(2 * order, 1 << wide), Status.RANGE),
    }


def refused(first: Numbers, second: Numbers, status: Status) -> Job:
    return first, second, status, ()


# ----------------------------------------------------------------------------------------------
# ECDSA.
# ----------------------------------------------------------------------------------------------


def of_signing(one: Weierstrass) -> dict[str, Kind]:
    """z and a zero; nonce and key."""
    n, wide = one.order, number_bits(one.name)
    group = one.a, one.b, one.prime, (one.base[0], one.base[1]), n

    def inside(choose: Random) -> int:
        return choose.randrange(1, n)

    def told(z: int, nonce: int, key: int, status: Status) -> Job:
        if status is not Status.DONE:
            return refused((z, 0), (nonce, key), status)
        found = sign(key, nonce, z, *group)
        assert found
        return (z, 0), (nonce, key), status, found

    def right(choose: Random) -> Job:
        return told(choose.randrange(n), inside(choose), inside(choose), Status.DONE)

    kinds: dict[str, Kind] = {"right": right}
    for name, make in ends_of(n, wide).items():

        def of_a_nonce(choose: Random, make: End = make) -> Job:
            nonce, status = make(choose)
            return told(choose.randrange(n), nonce, inside(choose), status)

        def of_a_key(choose: Random, make: End = make) -> Job:
            key, status = make(choose)
            return told(choose.randrange(n), inside(choose), key, status)

        def of_a_hash(choose: Random, make: End = make) -> Job:
            z, status = make(choose)  # a hash may be 0
            status = Status.DONE if z == 0 else status
            return told(z, inside(choose), inside(choose), status)

        kinds |= {f"nonce {name}": of_a_nonce, f"key {name}": of_a_key, f"hash {name}": of_a_hash}

    def s_is_zero(choose: Random) -> Job:
        nonce, key = inside(choose), inside(choose)
        point = point_by_chords(group[3], nonce, one.a, one.prime)
        assert point
        return refused((-point[0] * key % n, 0), (nonce, key), Status.ZERO)

    def spare(choose: Random) -> Job:
        """A number where there is none."""
        more = choose.choice((1, n, choose.randrange(1, 1 << wide)))
        return refused((choose.randrange(n), more), (inside(choose), inside(choose)), Status.RANGE)

    return kinds | {"s is 0": s_is_zero, "a number more": spare}


def of_verifying(one: Weierstrass) -> dict[str, Kind]:
    """x, y, z; r, s and a zero."""
    p, n, wide = one.prime, one.order, number_bits(one.name)
    base = one.base[0], one.base[1]
    group = one.a, one.b, p, base, n

    def signed(choose: Random) -> tuple[int, Point, int, Point]:
        """Key, its point, z and a signature."""
        key, nonce, z = choose.randrange(1, n), choose.randrange(1, n), choose.randrange(n)
        point, found = point_by_chords(base, key, one.a, p), sign(key, nonce, z, *group)
        assert point and found
        return key, point, z, found

    def right(choose: Random) -> Job:
        _, point, z, (r, s) = signed(choose)
        s = choose.choice((s, n - s))  # as right
        assert verify(point, z, (r, s), *group)
        return (*point, z), (r, s, 0), Status.DONE, VALID

    def infinity(choose: Random) -> Job:
        """z + r d is 0."""
        key, point, _, (r, s) = signed(choose)
        return refused((*point, -r * key % n), (r, s, 0), Status.ZERO)

    def a_number_more(choose: Random) -> Job:
        _, point, z, (r, s) = signed(choose)
        more = choose.choice((1, n, choose.randrange(1, 1 << wide)))
        return refused((*point, z), (r, s, more), Status.RANGE)

    def both_zero(choose: Random) -> Job:
        _, point, z, _ = signed(choose)
        return refused((*point, z), (0, 0, 0), Status.ZERO)

    def wrong(change: Callable[[Random, Point, int, int, int], Given]) -> Kind:
        def made(choose: Random) -> Job:
            _, point, z, (r, s) = signed(choose)
            point, z, r, s = change(choose, point, z, r, s)
            assert not verify(point, z, (r, s), *group)
            return refused((*point, z), (r, s, 0), Status.FAULT)

        return made

    def other_key(choose: Random, _: Point, z: int, r: int, s: int) -> Given:
        return signed(choose)[1], z, r, s

    kinds: dict[str, Kind] = {
        "right": right,
        "infinity": infinity,
        "a number more": a_number_more,
        "r and s 0": both_zero,
        "wrong hash": wrong(lambda choose, q, z, r, s: (q, choose.randrange(n), r, s)),
        "wrong r": wrong(lambda choose, q, z, r, s: (q, z, choose.randrange(1, n), s)),
        "wrong s": wrong(lambda choose, q, z, r, s: (q, z, r, choose.randrange(1, n))),
        "a bit of r": wrong(
            lambda choose, q, z, r, s: (q, z, r ^ 1 << choose.randrange(n.bit_length() - 1), s)
        ),
        "r and s exchanged": wrong(lambda choose, q, z, r, s: (q, z, s, r)),
        "r and s 1": wrong(lambda choose, q, z, r, s: (q, z, 1, 1)),
        "r and s n - 1": wrong(lambda choose, q, z, r, s: (q, z, n - 1, n - 1)),
        "another key": wrong(other_key),
        "the key's negative": wrong(lambda choose, q, z, r, s: ((q[0], p - q[1]), z, r, s)),
    }
    for name, make in ends_of(n, wide).items():
        if name in ("1", "n - 1"):
            continue

        def of_r(choose: Random, make: End = make) -> Job:
            (_, point, z, (_, s)), (r, status) = signed(choose), make(choose)
            return refused((*point, z), (r, s, 0), status)

        def of_s(choose: Random, make: End = make) -> Job:
            (_, point, z, (r, _)), (s, status) = signed(choose), make(choose)
            return refused((*point, z), (r, s, 0), status)

        kinds |= {f"r {name}": of_r, f"s {name}": of_s}
        if name != "0":

            def of_z(choose: Random, make: End = make) -> Job:
                (_, point, _, (r, s)), (z, status) = signed(choose), make(choose)
                return refused((*point, z), (r, s, 0), status)

            kinds[f"hash {name}"] = of_z
    for name, make_point in no_points(one).items():

        def of_a_key(choose: Random, make: Callable[[Random], Point] = make_point) -> Job:
            _, _, z, (r, s) = signed(choose)
            return refused((*make(choose), z), (r, s, 0), Status.RANGE)

        kinds[f"key: {name}"] = of_a_key
    return kinds


# ----------------------------------------------------------------------------------------------
# EdDSA, without its hash.
# ----------------------------------------------------------------------------------------------


def of_edwards_signing(one: Edwards) -> dict[str, Kind]:
    """h and two zeros; k, whose multiple of the base is made, nonce and key."""
    n, wide, curve = one.order, number_bits(one.name), (one.a, one.d, one.prime)
    base = one.base[0], one.base[1]

    def told(h: int, scalars: list[int], status: Status) -> Job:
        k, nonce, key = scalars
        if status is not Status.DONE:
            return refused((h, 0, 0), (k, nonce, key), status)
        found = *multiple(base, k, *curve), (nonce + h * key) % n
        return (h, 0, 0), (k, nonce, key), status, found

    def inside(choose: Random) -> list[int]:
        return [choose.randrange(1, n) for _ in range(3)]

    kinds: dict[str, Kind] = {
        "right": lambda choose: told(choose.randrange(n), inside(choose), Status.DONE)
    }
    for name, make in ends_of(n, wide).items():
        for place, scalar in enumerate(("k", "nonce", "key")):

            def of_a_scalar(
                choose: Random,
                make: End = make,
                place: int = place,
            ) -> Job:
                number, status = make(choose)
                scalars = inside(choose)
                scalars[place] = number
                if place and number == 0:
                    status = Status.DONE
                return told(choose.randrange(n), scalars, status)

            kinds[f"{scalar} {name}"] = of_a_scalar

        def of_a_hash(choose: Random, make: End = make) -> Job:
            h, status = make(choose)
            return told(h, inside(choose), Status.DONE if h == 0 else status)

        kinds[f"hash {name}"] = of_a_hash

    def spare(choose: Random) -> Job:
        """A number where there is none."""
        more = choose.choice((1, n, choose.randrange(1, 1 << wide)))
        numbers = choose.choice(((more, 0), (0, more)))
        k, nonce, key = inside(choose)
        return refused((choose.randrange(n), *numbers), (k, nonce, key), Status.RANGE)

    return kinds | {"a number more": spare}


def of_edwards_verifying(one: Edwards) -> dict[str, Kind]:
    """x, y of the key A, h; S, and x, y of R."""
    p, n, wide, curve = one.prime, one.order, number_bits(one.name), (one.a, one.d, one.prime)
    base, smallest = (one.base[0], one.base[1]), of_small_order(one)

    def negative(point: Point) -> Point:
        return -point[0] % p, point[1]

    def by_any_key(key: Point, h: int, s: int) -> Signed:
        """R = S B - h A."""
        less = multiple(negative(key), h, *curve)
        return key, h, s, added(multiple(base, s, *curve), less, *curve)

    def signed(choose: Random) -> Signed:
        """A, h, S, R."""
        key = multiple(base, choose.randrange(1, n), *curve)
        return by_any_key(key, choose.randrange(n), choose.randrange(n))

    def right(make: Callable[[Random], Signed]) -> Kind:
        def made(choose: Random) -> Job:
            key, h, s, point = make(choose)
            return (*key, h), (s, *point), Status.DONE, VALID

        return made

    def of_a_small_key(choose: Random) -> Signed:
        key = multiple(smallest, choose.randrange(one.cofactor), *curve)
        return by_any_key(key, choose.randrange(n), choose.randrange(n))

    def with_a_small_part(choose: Random) -> Signed:
        key = multiple(smallest, choose.randrange(one.cofactor), *curve)
        key = added(key, multiple(base, choose.randrange(1, n), *curve), *curve)
        return by_any_key(key, choose.randrange(n), choose.randrange(n))

    def wrong(change: Callable[[Random, Signed], Signed], status: Status = Status.FAULT) -> Kind:
        def made(choose: Random) -> Job:
            key, h, s, point = change(choose, signed(choose))
            return refused((*key, h), (s, *point), status)

        return made

    kinds: dict[str, Kind] = {
        "right": right(signed),
        "a key of small order": right(of_a_small_key),
        "a key with a part of small order": right(with_a_small_part),
        "S and h 0": right(lambda choose: by_any_key(signed(choose)[0], 0, 0)),
        "wrong hash": wrong(lambda choose, x: (x[0], (x[1] + 1) % n, *x[2:])),
        "wrong S": wrong(lambda choose, x: (*x[:2], choose.randrange(n), x[3])),
        "S 0": wrong(lambda choose, x: (*x[:2], 0, x[3])),
        "wrong R": wrong(lambda choose, x: (*x[:3], signed(choose)[3])),
        "R's negative": wrong(lambda choose, x: (*x[:3], negative(x[3]))),
        "R and a point of small order": wrong(
            lambda choose, x: (*x[:3], added(x[3], smallest, *curve))
        ),
        "R neutral": wrong(lambda choose, x: (*x[:3], NEUTRAL)),
        "another key": wrong(lambda choose, x: (signed(choose)[0], *x[1:])),
        "the key's negative": wrong(lambda choose, x: (negative(x[0]), *x[1:])),
        # The same S modulo n, which is no signature: RFC 8032, section 5.1.7.
        "S + n": wrong(lambda choose, x: (*x[:2], x[2] + n, x[3]), Status.RANGE),
    }
    for name, make in ends_of(n, wide).items():
        if name in ("0", "1", "n - 1"):
            continue

        def of_s(_: Random, x: Signed, make: End = make) -> Signed:
            return *x[:2], make(_)[0], x[3]

        def of_h(_: Random, x: Signed, make: End = make) -> Signed:
            return x[0], make(_)[0], *x[2:]

        kinds |= {f"S {name}": wrong(of_s, Status.RANGE), f"h {name}": wrong(of_h, Status.RANGE)}
    for name, make_point in no_edwards_points(one).items():

        def of_a(choose: Random, x: Signed, make: Callable[[Random], Point] = make_point) -> Signed:
            return make(choose), *x[1:]

        def of_r(choose: Random, x: Signed, make: Callable[[Random], Point] = make_point) -> Signed:
            return *x[:3], make(choose)

        # R is only compared.
        status = Status.RANGE if name == "at or above p" else Status.FAULT
        kinds |= {f"A: {name}": wrong(of_a, Status.RANGE), f"R: {name}": wrong(of_r, status)}
    return kinds


def malformed_signatures(name: str, task: str) -> dict[str, Kind]:
    match one := CURVES[name]:
        case Weierstrass():
            return of_signing(one) if task == SIGN else of_verifying(one)
        case Edwards():
            return of_edwards_signing(one) if task == SIGN else of_edwards_verifying(one)
    raise AssertionError(name)
