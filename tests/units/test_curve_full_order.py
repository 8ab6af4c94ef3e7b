# SPDX-License-Identifier: Apache-2.0
"""Curve processors that take points of one prime order alone: every point of small curves, real
ones, what is refused, and wrong programs."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import count, product
from random import Random

import pytest
from curve_simulator import CurveBench, Status, cycles_of, joined, on_multipliers, same_cycles
from edwards_curves import PAIRED, PAIRED_POINT, points
from faulty_programs import Body, faulty_programs, kept_values
from gmpy2 import legendre

from redcore.catalogue import family, general
from redcore.cli import run as redcore
from redcore.design import Design
from redcore.errors import BadInput
from redcore.simulate import Simulator
from redcore.units.curve.curves import curve
from redcore.units.curve.edwards import NEUTRAL, Edwards, Point, added, multiple
from redcore.units.curve.edwards_programs import edwards_text
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.formulas import Loop, Operation, Program, Refused, read, run
from redcore.units.curve.full_order import has_order
from redcore.units.curve.montgomery import Montgomery, by_chords, ladder, multiply
from redcore.units.curve.weierstrass import point_by_chords

pytestmark = pytest.mark.kept

MONTGOMERY = [(61, 58, 56, 7), (53, 20, 52, 13), (61, 53, 68, 17), (127, 117, 124, 31)]
"""A prime, a24, the number of points, and the prime order: of the second and the third curve all
three points of order 2 have coordinates, so that it is not cyclic."""
EDWARDS = [(61, -1, 2, 56, 7), (61, 1, 7, 52, 13), (61, 5, 8, 56, 7)]
"""A prime, a, d, the number of points, and the prime order. As one point alone is of order 2, those
of cofactor 4 and 8 are cyclic."""
RADIX = 1 << 8


def design(multiplier: str, width: int, **settings: int | str) -> Design:
    return family(f"curve-{multiplier}").design(width, settings)


@cache
def montgomery_orders(p: int, a24: int) -> dict[int, tuple[int, int]]:
    """Of each u the order of its points, by sums one behind the other, and 1 on the curve, -1 on
    the twist."""
    a, found = 4 * a24 + 2, {0: (2, 1)}
    for u in range(1, p):
        b, k = (u**3 + a * u * u + u) % p, 2
        while b and point_by_chords((u, 1), k, 1, p, a, b):
            k += 1
        found[u] = k, legendre(b, p) if b else 1
    return found


@cache
def edwards_orders(p: int, a: int, d: int) -> dict[Point, int]:
    found = {}
    for one in points(p, a, d):
        end, k = one, 1
        while end != NEUTRAL:
            end, k = added(end, one, a, d, p), k + 1
        found[one] = k
    return found


def edwards(multiplier: str, at: int, **settings: int | str) -> Design:
    p, a, d, _, order = EDWARDS[at]
    given = {"form": "edwards", "a": a, "b": d, "full_order": order, **settings}
    return design(multiplier, p.bit_length(), **given)


@pytest.mark.parametrize(
    ("multiplier", "at", "settings"),
    [
        ("csa", 0, {}),
        ("csa", 1, {"blinding": 0}),
        ("cios", 2, {"blinding": 0, "memory": "lutram"}),
        *(
            pytest.param(name, at, {}, marks=pytest.mark.full)
            for name in ("csa", "cios", "interleaved")
            for at in range(len(MONTGOMERY))
        ),
    ],
)
def test_every_point_of_a_small_montgomery_curve(
    multiplier: str, at: int, settings: dict[str, int | str]
) -> None:
    """On the curve and on the twist; cycles are the same for all."""
    p, a24, count, order = MONTGOMERY[at]
    orders = montgomery_orders(p, a24)
    assert (
        2
        + sum(k > 2 for k, on in orders.values() if on == 1) * 2
        + sum(k == 2 for k, _ in orders.values())
        - 1
        == count
    )
    one = design(multiplier, p.bit_length(), a24=a24, full_order=order, **settings)
    scalars = (1, 2, 5, order - 1, order, order + 1)
    jobs = [(u, k, 0) for u in range(p) for k in scalars]
    right = [by_chords(u, k, a24, p) if orders[u] == (order, 1) else 0 for u, k, _ in jobs]
    assert [one.product(u, k, p) for u, k, _ in jobs] == right
    assert [one.family.otherwise(one.width, one.values, u, k, p) for u, k, _ in jobs] == right
    assert sum(map(bool, right)) == (order - 1) // 2 * 5
    with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
        core.load_modulus(p)
        done = core.run(jobs)
    assert done.results == right and not done.faults
    cycles = {b - a for a, b in zip(done.accepted, done.answered, strict=True)}
    assert cycles == {one.geometry.latency_cycles}


@pytest.mark.parametrize("at", [1, pytest.param(0, marks=pytest.mark.full)])
def test_another_order_says_why(at: int) -> None:
    """Out of range; the point with u = 0 has no multiple but 0, whatever the scalar, and is found
    to be of another order where the order's bits are all ones."""
    p, a24, _, order = MONTGOMERY[at]
    one = design("csa", p.bit_length(), a24=a24, full_order=order)
    told, all_ones = set(), order & (order + 1) == 0
    with CurveBench(one) as bench:
        bench.load(p, a24, order)
        for u, found in [*montgomery_orders(p, a24).items(), (p, (0, 0))]:
            for k in (0, 3, order):
                full = found == (order, 1)
                end = by_chords(u, k, a24, p) if full else 0
                other = (u or all_ones) and not full
                status = Status.DONE if end else Status.RANGE if other else Status.ZERO
                assert bench.multiply(u, k) == (status, end), (u, k)
                told.add((found, status))
        bench.load(p, a24, p)  # an order that is not below the prime
        assert bench.multiply(1, 3) == (Status.RANGE, 0)
    assert len(told) > 6


@pytest.mark.parametrize(
    ("multiplier", "at", "settings"),
    [
        ("csa", 0, {"order": 56, "window": 3}),
        ("csa", 1, {"order": 0}),
        ("cios", 2, {"order": 56, "window": 1, "blinding": 0}),
        *(
            pytest.param(name, at, {"order": order, "window": window}, marks=pytest.mark.full)
            for name in ("csa", "cios")
            for at, (*_, order, _) in enumerate(EDWARDS)
            for window in (1, 2, 4, 5)
        ),
    ],
)
def test_every_point_of_a_small_edwards_curve(
    multiplier: str, at: int, settings: dict[str, int | str]
) -> None:
    """Pairs that are no points among them; cycles are the same for all."""
    p, a, d, count, order = EDWARDS[at]
    one, orders = edwards(multiplier, at, **settings), edwards_orders(p, a, d)
    assert len(orders) == count
    jobs = [(point, k) for point in orders for k in (1, 2, 5, order - 1, order, order + 1)]
    jobs += [(each, 3) for each in product(range(64), repeat=2) if each not in orders][::7]
    right = []
    for point, k in jobs:
        end = multiple(point, k, a, d, p) if orders.get(point) == order else NEUTRAL
        right.append(0 if end == NEUTRAL else joined(one, end))
    given = [(joined(one, point), k, 0) for point, k in jobs]
    assert [one.product(point, k, p) for point, k, _ in given] == right
    assert [one.family.otherwise(one.width, one.values, a, b, p) for a, b, _ in given] == right
    with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
        core.load_modulus(p)
        done = core.run(given)
    assert done.results == right and not done.faults
    cycles = {b - a for a, b in zip(done.accepted, done.answered, strict=True)}
    assert cycles == {one.geometry.latency_cycles}


def test_each_point_of_an_edwards_curve_says_why() -> None:
    p, a, d, count, order = EDWARDS[0]
    one = edwards("csa", 0, order=count)
    with CurveBench(one) as bench:
        bench.load(p, d, order, count)
        for point, found in edwards_orders(p, a, d).items():
            full = found == order
            end = multiple(point, 3, a, d, p)
            status = Status.DONE if full else Status.ZERO if found == 1 else Status.RANGE
            assert bench.multiply(joined(one, point), 3) == (status, joined(one, end) * full)


WIDE = {"a24": 28, "full_order": 8221}
"""Modulo 65521: 8 times as many points."""


@pytest.mark.parametrize(
    "one",
    on_multipliers(
        [
            *(design(name, 16, **WIDE) for name in general()),
            design("csa", 16, **WIDE, memory="lutram"),
            design("csa", 16, **WIDE, chunk=8),
            design("csa", 16, **WIDE, multipliers=2),
            design("cios", 16, **WIDE, word=17, sigma=1, memory="lutram"),
        ]
    ),
    ids=Design.label,
)
def test_every_multiplier_takes_the_same_cycles(one: Design) -> None:
    """Of points that are refused, too; the exponent's number is written and gone through."""
    p, a24, order = 65521, 28, 8221
    known = (u for u in range(2, p) if by_chords(u, order, a24, p) == 0)
    u = next(u for u in known if legendre(u**3 + 114 * u * u + u, p) == 1)
    some = [u, by_chords(u, 77, a24, p), pow(u, -1, p), 1, 0, 2, 3, 4]
    jobs = [(each, k) for k in (1, 12345) for each in some]
    results = same_cycles(one, p, jobs)
    assert results[:2] == some[:2] and not any(results[2:8])


@pytest.mark.parametrize("multiplier", ["csa", pytest.param("cios", marks=pytest.mark.full)])
def test_cycles_are_the_same_for_all_under_stalls(multiplier: str) -> None:
    p, a, d, count = PAIRED
    one = design(multiplier, 16, form="edwards", a=a, b=d, order=count, full_order=count // 4)
    base = multiple(PAIRED_POINT, 4, a, d, p)
    some = [base, multiple(base, 77, a, d, p), PAIRED_POINT, NEUTRAL, (0, p - 1), (5, 5)]
    jobs = [(joined(one, each), k) for k in (1, 12345, 16273, 65535) for each in some]
    assert sum(map(bool, same_cycles(one, p, jobs))) == 6


def test_points_of_the_real_curves() -> None:
    """Of small order, with a part of small order, and on the twist."""
    one, there = curve("ed25519"), curve("x25519")
    assert isinstance(one, Edwards) and isinstance(there, Montgomery)
    a, d, p = one.a, one.d, one.prime
    base: Point = (one.base[0], one.base[1])
    y = next(y for y in range(2, 50) if eighth(one, y) is not None)
    small = eighth(one, y)
    assert small
    parts = [multiple(small, k, a, d, p) for k in (1, 2, 4, 8)]
    assert [sum(multiple(each, k, a, d, p) == NEUTRAL for k in (1, 2, 4, 8)) for each in parts] == [
        1, 2, 3, 4,
    ]  # fmt: skip
    scalar = Random(9).getrandbits(250)
    processor = design("cios", 256, form="edwards", full_order=1)
    full = multiple(base, 8, a, d, p)
    jobs = [*parts, *(added(full, each, a, d, p) for each in parts)]
    with Simulator(processor, cycles=cycles_of(processor, len(jobs))) as core:
        core.load_modulus(p)
        done = core.run([(joined(processor, each), scalar, 0) for each in jobs])
    assert not any(done.results[:-1])
    assert done.results[-1] == joined(processor, multiple(full, scalar, a, d, p))
    # The same in u, which is (1 + y) / (1 - y); then a point with u and 1 / u, and of the twist.
    processor = design("cios", 255, full_order=1)
    us = [(1 + each[1]) * pow(1 - each[1], -1, p) % p for each in (*jobs[:3], *jobs[4:])]
    twist = next(u for u in range(2, 99) if legendre(u**3 + 486662 * u * u + u, p) == -1)
    us += [9, pow(9, -1, p), twist, by_chords(twist, 8, there.a24, p)]
    right = [multiply(u, scalar, there.a24, p, 255) if number in (6, 7) else 0
             for number, u in enumerate(us)]  # fmt: skip
    with Simulator(processor, cycles=cycles_of(processor, len(us))) as core:
        core.load_modulus(p)
        done = core.run([(u, scalar, 0) for u in us])
    assert done.results == right


def eighth(one: Edwards, y: int) -> Point | None:
    """A point of order 8 from one with y, if there is such a point."""
    a, d, p = one.a, one.d, one.prime
    square = (1 - y * y) * pow(a - d * y * y, -1, p) % p
    if legendre(square, p) != 1:
        return None
    x = pow(square, (p + 3) // 8, p)
    x = x if (x * x - square) % p == 0 else x * pow(2, (p - 1) // 4, p) % p
    end = multiple((x, y), one.order, a, d, p)
    return end if multiple(end, 4, a, d, p) != NEUTRAL else None


# ----------------------------------------------------------------------------------------------
# Programs: comparisons that are left out, wrong ones, and values that a fault changes.
# ----------------------------------------------------------------------------------------------


def refuses_others(form: str, at: int, program: Program) -> bool:
    """Whether a program takes points of the order that is asked for, and no others."""
    p, *_, order = (MONTGOMERY if form == "montgomery" else EDWARDS)[at]
    values: dict[str, int]
    if form == "montgomery":
        _, a24, *_ = MONTGOMERY[at]
        constants = {"a24": a24}
        ends = {
            (u,): (by_chords(u, 5, a24, p),) if found == (order, 1) else (0,)
            for u, found in montgomery_orders(p, a24).items()
        }
        names, results = ("u",), ("Result",)
    else:
        _, a, d, *_ = EDWARDS[at]
        constants = {"a": a, "d": d}
        ends = {
            point: multiple(point, 5, a, d, p) if found == order else (0, 0)
            for point, found in edwards_orders(p, a, d).items()
        }
        names, results = ("x_raw", "y_raw"), ("ResultX", "ResultY")
    numbers = {"scalar": (5, 6), "exponent": (p - 2, p.bit_length()), "random": (5, 3)}
    numbers["full"] = 0, order.bit_length()
    for point, end in ends.items():
        values = kept_values(p, RADIX, constants | {"l": order})
        values |= dict(zip(names, point, strict=True))
        try:
            found = run(program, values, p, RADIX, numbers)
            made = tuple(found[name] for name in results)
        except Refused:
            made = (0,) * len(results)
        if made != end:
            return False
    return True


def texts(form: str, at: int, window: int = 4) -> str:
    """A program as it is written."""
    *_, order = (MONTGOMERY if form == "montgomery" else EDWARDS)[at]
    if form == "montgomery":
        return ladder(order.bit_length()).whole()
    kind = {-1: "-1", 1: "1"}.get(EDWARDS[at][1], "any")
    return edwards_text("multiply", kind, window, order.bit_length()).whole()


PROGRAMS = [*(("montgomery", at) for at in range(4)), *(("edwards", at) for at in range(3))]


@pytest.mark.parametrize(("form", "at"), PROGRAMS)
def test_programs_refuse_what_they_should(form: str, at: int) -> None:
    """As they are written, and in the order of a schedule."""
    assert refuses_others(form, at, read(texts(form, at)))
    one = (
        edwards("cios", at, window=4, order=EDWARDS[at][3])
        if form == "edwards"
        else design("cios", 7, a24=MONTGOMERY[at][1], full_order=MONTGOMERY[at][3])
    )
    assert isinstance(one.family, CurveUnit)
    found = one.family.programs(one.width, one.values)
    assert refuses_others(form, at, found.main.program)


SEEDED = [
    # Comparisons that are left out.
    ("montgomery", 0, ["valid(choose(z2, z3))", "valid(choose(x3, x2) - x1 * choose(z3, z2))"],
     ["choose(z2, z3)", "choose(x3, x2) - x1 * choose(z3, z2)"]),
    ("edwards", 0, ["valid(fx)", "valid(fy - fz)"], ["reduced(fx)", "fy - fz"]),
    # Another number, or the exponent of inversions lost.
    ("montgomery", 0, ["Exponent = l_raw"], ["Exponent = l_raw + l_raw"]),
    ("edwards", 0, ["Exponent = l_raw"], ["Exponent = l_raw + unit"]),
    ("montgomery", 0, ["Exponent = m - (unit + unit)"], [""]),
    ("edwards", 0, ["Exponent = m - (unit + unit)"], [""]),
    # Wrong formulas.
    ("montgomery", 1, ["x3 = x1 * gate"], ["x3 = gate * one"]),
    ("edwards", 0, ["wu = choose(wu, o)"], ["wu = choose(o, wu)"]),
    ("edwards", 1, ["bt = nt + ct"], ["bt = nt + nt"]),
    ("edwards", 0, ["dd = fz + fz"], ["dd = fz + zero"]),
    ("edwards", 2, ["pt = px * py"], ["pt = px * px"]),
]  # fmt: skip


@pytest.mark.parametrize(("form", "at", "old", "new"), SEEDED, ids=[new[0] for *_, new in SEEDED])
def test_a_wrong_program_is_found(form: str, at: int, old: list[str], new: list[str]) -> None:
    text = texts(form, at)
    for right, wrong in zip(old, new, strict=True):
        assert right in text
        text = text.replace(right, wrong, 1)
    assert not refuses_others(form, at, read(text))


def last(loop: Loop, body: Body) -> Program:
    """A loop whose last iteration has another body."""
    return replace(loop, over=f"{loop.over}0"), replace(loop, over=f"{loop.over}1", body=body)


@pytest.mark.parametrize("form", ["montgomery", "edwards"])
def test_a_fault_on_the_way_takes_no_other_point(form: str) -> None:
    """Each value, in the loop over the order that of its last iteration, is one more, or 0: a point
    of another order stays refused."""
    p, r, order = (1 << 64) - 59, 1 << 66, (1 << 61) - 1
    if form == "montgomery":
        given = {"u": 123456789} | kept_values(p, r, {"a24": 5, "l": order})
        program = ladder(61).program()
    else:
        x, d = 77, 12345
        y = next(y for y in count(3) if legendre(d := edwards_d(x, y, p), p) == -1)
        given = {"x_raw": x, "y_raw": y} | kept_values(p, r, {"d": d, "l": order})
        program = edwards_text("multiply", "1", 1, 61).program()
    bits = {"scalar": (12345, 14), "exponent": (p - 2, 64), "random": (5, 3), "full": (0, 61),
            "full0": (order >> 1, 60), "full1": (order & 1, 1)}  # fmt: skip
    found = set()
    (at,) = (n for n, part in enumerate(program) if isinstance(part, Loop) and part.over == "full")
    changed = [*faulty_programs(program[: at + 7], last)]
    loop = program[at]
    assert isinstance(loop, Loop)
    for number, one in enumerate(loop.body):
        nought = Operation("sub", one.target, one.target, one.target)
        body = (*loop.body[: number + 1], nought, *loop.body[number + 1 :])
        changed.append((f"{one.target} 0", (*program[:at], *last(loop, body))))
    checks = program[at + 1 :]
    for name, one in changed:
        try:
            run((*one, *checks) if name.endswith(" 0") else one, given, p, r, bits)
            found.add(name)
        except Refused:
            pass
    assert len(changed) > 40 and not found


def edwards_d(x: int, y: int, p: int) -> int:
    """d of the curve x^2 + y^2 = 1 + d x^2 y^2 through a point."""
    return (x * x + y * y - 1) * pow(x * x * y * y, -1, p) % p


# ----------------------------------------------------------------------------------------------
# Parameters and moduli that do not fit.
# ----------------------------------------------------------------------------------------------


def test_the_order_of_a_named_curve_is_known() -> None:
    for width, form, name in (
        (255, "montgomery", "x25519"),
        (448, "montgomery", "x448"),
        (256, "edwards", "ed25519"),
        (448, "edwards", "ed448"),
    ):
        one, known = design("cios", width, form=form, full_order=1), curve(name)
        assert isinstance(known, Montgomery | Edwards)
        assert one.values["full_order"] == known.order
        assert one == design("cios", width, form=form, full_order=known.order)
        assert one.family.modulus_reason(width, one.values, known.prime) == ""


@pytest.mark.parametrize(
    ("width", "settings", "told"),
    [
        (256, {"form": "weierstrass"}, "full_order=1 has no effect with form=weierstrass"),
        (254, {}, "full_order=1 takes a named curve; give the prime order of the base instead"),
        (255, {"a24": 7}, "full_order=1 takes a named curve"),
        (256, {"form": "edwards", "b": 7, "order": 0}, "full_order=1 takes a named curve"),
        (256, {"form": "edwards", "task": "sign"}, "full_order is for task=multiply; leave it out"),
        (16, {"full_order": 15}, "full_order=0xf is no prime above 3"),
        (16, {"full_order": 3}, "full_order=0x3 is no prime above 3"),
        (16, {"full_order": 65521}, "full_order=0xfff1 has more than 15 bits"),
    ],
)
def test_refused_parameters(
    width: int, settings: dict[str, int | str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [f"{name}={value}" for name, value in ({"full_order": 1} | settings).items()]
    assert redcore(["info", "curve-cios", "--width", str(width), "--set", *words]) == 2
    said = capsys.readouterr().err
    assert told in said and said.count("\n") == 1


def test_a_modulus_without_such_points_is_refused() -> None:
    p, a24, *_ = MONTGOMERY[0]
    with pytest.raises(BadInput, match="makes a curve without points of full_order=0x13"):
        loaded(design("csa", 6, a24=a24, full_order=19), p)
    with pytest.raises(BadInput, match="makes a curve without points of full_order=0x13"):
        loaded(edwards("csa", 0, full_order=19), EDWARDS[0][0])
    assert has_order(17, 4 * 1 + 2, 1, 67)  # of 136 points on the curve and on the twist
    with pytest.raises(BadInput, match="full_order=0x11 on its twist, too"):
        loaded(design("csa", 7, a24=1, full_order=17), 67)


def loaded(one: Design, p: int) -> None:
    with Simulator(one, cycles=0) as core:
        core.load_modulus(p)


@pytest.mark.parametrize("p", [53, 61, 113])
def test_orders_are_those_of_points(p: int) -> None:
    for a24 in range(1, p - 1):
        there = {k for k, on in montgomery_orders(p, a24).values() if on == 1}
        for order in (5, 7, 11, 13, 17, 19, 23, 29, 31):
            divides = any(k % order == 0 for k in there)
            assert has_order(order, 4 * a24 + 2, 1, p) == divides, (a24, order)
