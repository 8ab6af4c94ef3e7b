# SPDX-License-Identifier: Apache-2.0
"""Curve processors on a x^2 + y^2 = 1 + d x^2 y^2: every point and scalar of small curves, what is
refused, what is left, faults in the RTL."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from curve_simulator import CurveBench, Status, cycles_of, same_cycles
from edwards_curves import SMALL, WIDE, Small, design, group, joined, points, right

from patched import patched_sources
from redcore.catalogue import general
from redcore.errors import BadInput
from redcore.simulate import Simulator
from redcore.units.curve.edwards import (
    NEUTRAL,
    added,
    as_weierstrass,
    from_weierstrass,
    is_complete,
    multiple,
    to_weierstrass,
)
from redcore.units.curve.weierstrass import is_on_curve, is_order, point_by_chords

pytestmark = pytest.mark.kept

# ----------------------------------------------------------------------------------------------
# Small curves.
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("small", SMALL)
def test_the_model_is_that_of_another_form(small: Small) -> None:
    """All sums of two points, by chords and tangents of the same group."""
    p, a, d, count = small
    assert is_complete(a, d, p) and len(points(p, a, d)) == count
    there, coefficients = {}, as_weierstrass(a, d, p)
    for one in points(p, a, d):
        there[one] = to_weierstrass(one, a, d, p)
        assert from_weierstrass(there[one], a, d, p) == one
        assert there[one] is None or is_on_curve(there[one], *coefficients, p)
    assert len({*there.values()}) == count
    assert is_order(count, *coefficients, p) and not is_order(count // 2, *coefficients, p)
    for one, k in product(points(p, a, d), range(70)):
        end = point_by_chords(there[one], k, coefficients[0], p) if there[one] else None
        found = multiple(one, k, a, d, p)
        assert there[found] == end and found == (right(one, k, p, a, d) or NEUTRAL)


@pytest.mark.parametrize(
    ("multiplier", "number", "window"),
    [
        ("csa", 0, 4),
        *(
            pytest.param(name, number, window, marks=pytest.mark.full)
            for name in ("csa", "cios")
            for number in range(len(SMALL))
            for window in range(1, 6)
        ),
    ],
)
def test_every_point_and_scalar_of_a_small_curve(multiplier: str, number: int, window: int) -> None:
    """Those of small order and the neutral one among them; and every pair that is no point."""
    p, a, d, order = SMALL[number]
    one = design(multiplier, 6, SMALL[number], order=order, window=window)
    jobs = [(point, k) for point in points(p, a, d) for k in range(64)]
    jobs += [((x, y), 3) for x in range(64) for y in range(64) if (x, y) not in points(p, a, d)]
    with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
        core.load_modulus(p)
        done = core.run([(joined(one, *point), k, 0) for point, k in jobs])
    ends = (right(point, k, p, a, d) for point, k in jobs)
    assert done.results == [joined(one, *end) if end else 0 for end in ends]
    assert not done.faults
    cycles = {b - a for a, b in zip(done.accepted, done.answered, strict=True)}
    assert cycles == {one.geometry.latency_cycles}


def test_small_orders_and_what_is_malformed_say_why() -> None:
    """A point of small order is one like others; what is refused is a neutral result."""
    p, a, d, order = SMALL[0]
    one = design("csa", 6, SMALL[0], order=order, window=4)
    orders = {q: next(k for k in range(1, 65) if multiple(q, k, a, d, p) == NEUTRAL)
              for q in points(p, a, d)}  # fmt: skip
    eighth = next(q for q, found in orders.items() if found == 8)
    fourth, half = multiple(eighth, 2, a, d, p), (0, p - 1)
    assert orders[fourth] == 4 and orders[half] == 2
    cases = [
        (NEUTRAL, 5, Status.ZERO), (NEUTRAL, 0, Status.ZERO), (half, 5, Status.DONE),
        (half, 4, Status.ZERO), (fourth, 7, Status.DONE), (fourth, 12, Status.ZERO),
        (eighth, 63, Status.DONE), (eighth, 4, Status.DONE), (eighth, 56, Status.ZERO),
        ((0, p), 3, Status.RANGE), ((p, 1), 3, Status.RANGE), ((0, 0), 3, Status.RANGE),
        ((1, 1), 3, Status.RANGE), ((63, 63), 3, Status.RANGE), (eighth, 64, Status.RANGE),
        # a number behind the scalar
        (eighth, 5 << 6 | 7, Status.RANGE),
    ]  # fmt: skip
    good = next(q for q, found in orders.items() if found == 56)
    with CurveBench(one) as bench:
        bench.load(p, d, order)
        for point, k, status in cases:
            end = multiple(point, k, a, d, p) if status is Status.DONE else None
            given, result = joined(one, *point), joined(one, *end) if end else 0
            assert bench.multiply(given, k) == (status, result), (point, k)
            assert one.product(given, k, p) == result
            assert one.family.otherwise(one.width, one.values, given, k, p) == result
            expected = joined(one, *multiple(good, 37, a, d, p))
            assert bench.multiply(joined(one, *good), 37) == (Status.DONE, expected)
        bench.stick(1)  # three bits of it a job, and as many
        told = [bench.multiply(joined(one, *good), 37) for _ in range(14)]
        assert told[-1] == (Status.FAULT, 0)


@pytest.mark.parametrize("step", [29, pytest.param(1, marks=pytest.mark.full)])
@pytest.mark.parametrize("number", range(len(SMALL)))
def test_each_pair_of_numbers_and_each_scalar_say_why(number: int, step: int) -> None:
    """Points by all scalars, with a bit too many, too; pairs that are none."""
    p, a, d, order = SMALL[number]
    one, those = design("csa", 6, SMALL[number], order=order), points(p, a, d)
    jobs = [(point, k) for k in (0, 1, order - 1, order, order + 1, 63, 64) for point in those[::2]]
    jobs += [(point, k) for point in those for k in range(70)][::step]
    jobs += [(pair, 5) for pair in product(range(64), repeat=2) if pair not in those][::step]
    told = set()
    with CurveBench(one) as bench:
        bench.load(p, *[a] * (a == 5 or a == 4), d, order)
        for point, k in jobs:
            refused = k > 63 or point not in those
            end = None if refused else right(point, k, p, a, d)
            status = Status.RANGE if refused else Status.DONE if end else Status.ZERO
            found = bench.multiply(joined(one, *point), k)
            assert found == (status, joined(one, *end) if end else 0), (point, k)
            told.add(status)
    assert told == {Status.RANGE, Status.ZERO, Status.DONE}


@pytest.mark.full
@pytest.mark.parametrize("multiplier", ["csa", "cios"])
def test_a_thousand_jobs_take_the_same_cycles(multiplier: str) -> None:
    """All with stalls, too, refused ones among them."""
    p, a, d, order = SMALL[0]
    one, choose = design(multiplier, 6, SMALL[0], order=order, window=4), Random(1000)
    every = points(p, a, d)
    jobs = [(joined(one, *choose.choice(every)), choose.randrange(64)) for _ in range(900)]
    jobs += [
        (joined(one, choose.randrange(64), choose.randrange(64)), choose.randrange(64))
        for _ in range(100)
    ]
    assert sum(map(bool, same_cycles(one, p, jobs, 1000))) > 700


@pytest.mark.parametrize(
    "multiplier",
    [
        pytest.param(name, marks=[] if name in ("csa", "cios") else [pytest.mark.full])
        for name in general()
    ],
)
@pytest.mark.parametrize("window", [1, 4])
def test_every_multiplier_takes_the_same_cycles(multiplier: str, window: int) -> None:
    """For all points and scalars, under stalls, too."""
    p, a, d, _ = WIDE
    choose, near = Random(4), (5, 1)
    roots = {y * y % p: y for y in range(p)}
    some = []
    for x in range(2, 60):
        square = (1 - a * x * x) * pow(1 - d * x * x, -1, p) % p
        if square in roots:
            some.append((x, roots[square]))
    one = design(multiplier, 17, WIDE, order=wide_order(), window=window)
    jobs = [(joined(one, *each), choose.getrandbits(17)) for each in some[:10]]
    jobs += [(joined(one, *some[0]), k) for k in (0, 1, wide_order(), (1 << 17) - 1)]
    jobs += [(joined(one, *near), 3), (joined(one, *NEUTRAL), 3)]
    assert sum(map(bool, same_cycles(one, p, jobs))) >= 12


@cache
def wide_order() -> int:
    """The number of points of the wide curve, by counting."""
    p, a, d, _ = WIDE
    squares = {y * y % p for y in range(1, p)}
    found = 0
    for x in range(p):
        square = (1 - a * x * x) * pow(1 - d * x * x, -1, p) % p
        found += 1 if square == 0 else 2 * (square in squares)
    return found


@pytest.mark.parametrize("task", ["sign", "verify"])
@pytest.mark.parametrize("window", [1, 4])
@pytest.mark.parametrize("a", [-1, pytest.param(1, marks=pytest.mark.full), 5])
def test_scalar_parts_and_verifications(task: str, window: int, a: int) -> None:
    """Right ones and wrong ones, numbers at and above the order among them."""
    small, base, order = group(a=a)
    p, a, d, _ = small
    choose = Random(5)
    settings = {"order": order, "base_x": base[0], "base_y": base[1], "scalar_bits": 6}
    one = design("csa", 6, small, task=task, window=window, **settings)
    jobs, expected = [], []
    for _ in range(200):
        k, h, r, s = (choose.randrange(order + choose.randrange(2)) for _ in range(4))
        spare = choose.choice([0] * 20 + [1, order])
        if task == "sign":
            jobs.append((joined(one, h, spare, 0), joined(one, k, r, s)))
            fits = max(k, h, r, s) < order and not spare and k
            expected.append(joined(one, *multiple(base, k, a, d, p), (r + h * s) % order)
                            if fits else 0)  # fmt: skip
            continue
        public = choose.choice(points(p, a, d))
        x, y = multiple(public, h, a, d, p)
        end = added(multiple(base, s, a, d, p), (-x % p, y), a, d, p)
        wrong = choose.randrange(4)
        if wrong == 0:
            end = choose.choice(points(p, a, d))
        if wrong == 1:
            public = choose.choice(points(p, a, d))
        there = added(end, multiple(public, h, a, d, p), a, d, p) == multiple(base, s, a, d, p)
        jobs.append((joined(one, *public, h), joined(one, s, *end)))
        expected.append(int(there and max(h, s) < order))
    assert same_cycles(one, p, jobs) == expected
    assert 40 < sum(map(bool, expected)) < 200


@pytest.mark.full
@pytest.mark.parametrize("task", ["sign", "verify"])
def test_every_signature_of_a_small_curve(task: str) -> None:
    """All numbers up to the order, of all points."""
    small, base, order = group()
    p, a, d, _ = small
    settings = {"order": order, "base_x": base[0], "base_y": base[1], "scalar_bits": 6}
    one = design("csa", 6, small, task=task, **settings)
    jobs, expected = [], []
    if task == "sign":
        for h, k, r, s in product(range(order + 1), repeat=4):
            jobs.append((joined(one, h, 0, 0), joined(one, k, r, s)))
            fits = k and order not in (h, k, r, s)
            end = (*multiple(base, k, a, d, p), (r + h * s) % order)
            expected.append(joined(one, *end) if fits else 0)
    else:
        choose = Random(8)
        for public, h, s in product(points(p, a, d), range(order + 1), range(order + 1)):
            x, y = multiple(public, h, a, d, p)
            end = added(multiple(base, s, a, d, p), (-x % p, y), a, d, p)
            for point in (end, choose.choice(points(p, a, d))):
                jobs.append((joined(one, *public, h), joined(one, s, *point)))
                expected.append(int(point == end and order not in (h, s)))
    with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
        core.load_modulus(p)
        assert core.run([(*job, 0) for job in jobs]).results == expected


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"task": "sign", "order": 0}, "takes the order of the base point, a prime"),
        ({"task": "verify", "order": 56}, "takes the order of the base point, a prime"),
        ({"order": 64}, "more than scalar_bits=6 bits"),
        ({"order": 3, "window": 5, "scalar_bits": 5}, "is not below scalar_bits=5"),
    ],
)
def test_refused_parameters(settings: dict[str, int | str], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        design("csa", 6, SMALL[0], **settings)


@pytest.mark.parametrize(
    ("small", "settings", "told"),
    [
        ((61, -1, 3, 0), {}, "sums may have no result"),  # d is a square
        ((61, 2, 6, 0), {}, "sums may have no result"),  # a is none
        (SMALL[0], {"order": 28}, "points are not of order"),
        (SMALL[0], {"order": 7, "task": "sign", "base_x": 0, "base_y": 1}, "base point is not"),
    ],
)
def test_a_modulus_that_does_not_fit_is_refused(
    small: Small, settings: dict[str, int | str], told: str
) -> None:
    one = design("csa", 6, small, **settings)
    with Simulator(one, cycles=0) as core, pytest.raises(BadInput, match=told):
        core.load_modulus(small[0])


RTL_SEEDED = [
    # A point that is not checked; a scalar that is another number's; a result's second number.
    ("redc_curve", "above | in_above | invalid", "above | in_above"),
    ("redc_curve", ".scalar_write_i(in_part & (whose == '0))", ".scalar_write_i(in_part)"),
    ("redc_curve_result", "+ 2 == Numbers * Beats)", "+ 2 == Beats)"),
    # An entry of the table by another bit, and the sign.
    ("redc_curve_digits", "1'(now.digit >> pick_i)", "1'(now.digit >> (pick_i ^ 1'b1))"),
    ("redc_curve_digits", "& ~now.sign);", "& now.sign);"),
]


@pytest.mark.parametrize(("file", "old", "new"), RTL_SEEDED, ids=[new for *_, new in RTL_SEEDED])
def test_a_seeded_fault_is_found(file: str, old: str, new: str, tmp_path: Path) -> None:
    p, a, d, order = SMALL[0]
    one = design("csa", 6, SMALL[0], order=order, window=3)
    sources = patched_sources(tmp_path, one.sources(), {file: [(old, new)]})

    def wrongs(bench: CurveBench) -> bool:
        try:
            bench.load(p, d, order)
            for point in [*points(p, a, d)[5:14], (1, 1), (2, 5)]:
                for k in (1, 5, 62):
                    status, result = bench.multiply(joined(one, *point), k)
                    end = right(point, k, p, a, d)
                    off = point not in points(p, a, d)
                    meant = Status.RANGE if off else Status.DONE if end else Status.ZERO
                    if (status, result) != (meant, joined(one, *end) if end else 0):
                        return True
        except AssertionError:  # nothing comes
            return True
        return False

    with CurveBench(one) as bench:
        assert not wrongs(bench)
    with CurveBench(one, sources=sources) as bench:
        assert wrongs(bench)
