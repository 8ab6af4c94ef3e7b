# SPDX-License-Identifier: Apache-2.0
"""Programs of Edwards curves on integers: right as they are, wrong formulas found, no value that is
changed on the way gives a wrong result."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from edwards_curves import KINDS, SMALL, Small, design, group, joined, points, right
from faulty_programs import Body, faulty_programs, kept_values

from redcore.units.curve.edwards import Point, added, is_complete, multiple
from redcore.units.curve.edwards_programs import edwards_text
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.formulas import Loop, Program, Refused, read, run

pytestmark = pytest.mark.kept

RADIX = 1 << 8


def is_right(program: Program, small: Small) -> bool:
    """Whether a program gives the right multiples of all points, and of no others."""
    p, a, d, _ = small
    others = [(x, y) for x, y in product(range(64), repeat=2) if (x, y) not in points(p, a, d)]
    jobs = [(point, k) for point in points(p, a, d) for k in (0, 1, 2, 3, 14, 37, 45, 62, 63)]
    jobs += [(point, k) for point in points(p, a, d)[5:7] for k in range(64)]
    far = [(p, p - 1), *((x, y) for x, y in others if max(x, y) >= p)]
    for point, k in jobs + [(point, 5) for point in (*others[::17], *far[::3])]:
        numbers = {"scalar": (k, 6), "exponent": (p - 2, 6), "random": (5, 3)}
        given = {"x_raw": point[0], "y_raw": point[1], **kept_values(p, RADIX, {"a": a, "d": d})}
        try:
            found = run(program, given, p, RADIX, numbers)
        except Refused:
            found = {"ResultX": 0, "ResultY": 0}
        if (found["ResultX"], found["ResultY"]) != (right(point, k, p, a, d) or (0, 0)):
            return False
    return True


@pytest.mark.parametrize("small", SMALL[:3])
@pytest.mark.parametrize("window", [1, 2, 4])
def test_the_programs_give_the_models_answers(small: Small, window: int) -> None:
    """And so do their schedules."""
    form = edwards_text("multiply", KINDS[small[1]], window)
    assert is_right(form.program(), small) and is_right(form.program(at_once=True), small)
    one = design("cios", 6, small, window=window, order=small[3])
    assert isinstance(one.family, CurveUnit)
    assert is_right(one.family.programs(6, one.values).main.program, small)


SEEDED = [
    # Points that are not checked, or not to be below the prime; the neutral one given out.
    (0, 4, "valid(yy - xx - one - d * (xx * yy))", "yy - xx"),
    (0, 4, "px = below(x_raw) * r2", "px = x_raw * r2"),
    (0, 4, "nonzero(y - z)", "y - z"),
    # Wrong formulas.
    (0, 4, "c1t = d2 * p1t", "c1t = d * p1t"),
    (0, 4, "d2 = d + d", "d2 = d + zero"),
    (0, 1, "qt = d2 * st", "qt = d * st"),
    (1, 1, "qt = d * st", "qt = st"),
    (0, 1, "dt = zero * one", "dt = one * one"),
    (0, 4, "bt = x * y", "bt = x * z"),
    (2, 1, "axx = a * xx", "axx = xx + zero"),
    # Entries and signs of the table exchanged.
    (0, 4, "nu0a = pick(c1u, c3u, 0)", "nu0a = pick(c3u, c1u, 0)"),
    (0, 4, "wz0d = pick(c13z, c15z, 0)", "wz0d = pick(c13z, c13z, 0)"),
    (0, 4, "nt1a = pick(nt0a, nt0b, 1)", "nt1a = pick(nt0a, nt0b, 2)"),
    (0, 4, "wu = pick(nv, nu, 3)", "wu = pick(nu, nv, 3)"),
    (0, 4, "wt = pick(mt, nt, 3)", "wt = pick(nt, mt, 3)"),
    (1, 4, "wu = pick(mu, nu, 3)", "wu = pick(nu, mu, 3)"),
    # Of odd and even scalars, and of the ladder.
    (0, 4, "x = choose(ex, bx)", "x = choose(bx, ex)"),
    (0, 4, "lessu = c1v", "lessu = c1u"),
    (0, 1, "    y = choose(dy, sy)", "    y = choose(sy, dy)"),
]


@pytest.mark.parametrize(
    ("number", "window", "old", "new"), SEEDED, ids=[new for *_, new in SEEDED]
)
def test_a_wrong_formula_is_found(number: int, window: int, old: str, new: str) -> None:
    small = SMALL[number]
    text = edwards_text("multiply", KINDS[small[1]], window).whole()
    assert old in text
    assert not is_right(read(text.replace(old, new, 1)), small)


SEEDED_SIGNATURES = [
    ("sign", "hashed * (key - power)", "hashed * key"),
    ("sign", "hashed = below(h_raw) * r2n", "hashed = h_raw * r2n"),
    ("sign", "below(k_raw)\n", ""),
    ("sign", "valid(below(spare_raw))\n", ""),
    ("verify", "below(s_raw)\n", ""),
    ("verify", "Exponent = below(h_raw)", "Exponent = h_raw"),
    ("verify", "px = zero - ax", "px = ax + zero"),
    ("verify", "zero(x - qx * z)", "x - qx * z"),
    ("verify", "valid(yy - xx - one - d * (xx * yy))", "yy - xx"),
    ("verify", "windows(scalar, second, 2)", "windows(second, scalar, 2)"),
    ("verify", "o0y = one", "o0y = zero"),
]


def signs_right(task: str, program: Program) -> bool:
    """Whether a program gives scalar parts, or takes what are signatures alone."""
    small, base, order = group()
    p, a, d, _ = small
    unit = design("csa", 6, small, task=task, order=order, scalar_bits=6,
                  base_x=base[0], base_y=base[1])  # fmt: skip
    kept = kept_values(p, RADIX, {"a": a, "d": d}) | {"n_raw": order}
    kept |= {"onen": RADIX % order, "r2n": RADIX**2 % order}
    for name, value in zip(("gx", "gy"), base, strict=True):
        kept |= {f"{name}_raw": value, name: value * RADIX % p}
    choose = Random(7)
    for at in range(150):
        k, h, r, s = (choose.randrange(order) for _ in range(4))
        public, spare = choose.choice(points(p, a, d)), 0
        x, y = multiple(public, h, a, d, p)
        end = added(multiple(base, s, a, d, p), (-x % p, y), a, d, p)
        k, h, s = k + order * (at % 20 == 1), h + order * (at % 20 == 2), s + order * (at % 20 == 3)
        spare = int(at % 20 == 4)
        if at % 20 == 5:
            end = choose.choice(points(p, a, d))
        if at % 20 == 6:
            public = public[0], (public[1] + 1) % p
        if at % 20 == 7:
            end = -end[0] % p, end[1]
        sides = ((h, spare, 0), (k, r, s)) if task == "sign" else ((*public, h), (s, *end))
        names = edwards_text(task, "-1", 1)
        given = dict(zip((*names.numbers, *names.others), (*sides[0], *sides[1]), strict=True))
        numbers = {"scalar": (sides[1][0], 6), "second": (0, 6), "random": (5, 3),
                   "exponent": (p - 2, 6)}  # fmt: skip
        try:
            found = run(program, kept | given, p, RADIX, numbers, order)
            made = joined(unit, *(found[name] for name in names.results))
        except Refused:
            made = 0
        if made != unit.product(joined(unit, *sides[0]), joined(unit, *sides[1]), p):
            return False
    return True


@pytest.mark.parametrize("task", ["sign", "verify"])
@pytest.mark.parametrize("window", [1, 2])
def test_programs_of_signatures_are_right(task: str, window: int) -> None:
    form = edwards_text(task, "-1", window)
    assert signs_right(task, form.program()) and signs_right(task, form.program(at_once=True))


@pytest.mark.parametrize(("task", "old", "new"), SEEDED_SIGNATURES)
def test_a_wrong_formula_of_signatures_is_found(task: str, old: str, new: str) -> None:
    text = edwards_text(task, "-1", 2).whole()
    assert old in text
    assert not signs_right(task, read(text.replace(old, new, 1)))


FAULTY, FAULTY_RADIX, SCALAR = (1 << 61) - 259, 1 << 62, 0b1010_11_0001_0
"""A prime that is 5 modulo 8, R, and a scalar."""


@pytest.mark.parametrize("kind", ["-1", pytest.param("any", marks=pytest.mark.full)])
@pytest.mark.parametrize("window", [1, 2])
def test_a_fault_on_the_way_gives_no_wrong_result(kind: str, window: int) -> None:
    """Each value of the program is changed in turn, and each one that is kept."""
    p, radix = FAULTY, FAULTY_RADIX
    a = -1 if kind == "-1" else 9
    d = next(d for d in range(2, p) if is_complete(a, d, p))
    point = some_point(p, a, d)
    kept = kept_values(p, radix, {"a": a, "d": d})
    program = edwards_text("multiply", kind, window).program()
    # Of a number: before an iteration, in it, behind it.
    parts = {"s0": (0b1010_0, 5), "s1": (0b11_0, 3), "s2": (0b0001_0, 5)}
    if window == 1:
        parts = {"s0": (0b1010110, 7), "s1": (0, 1), "s2": (0b0010, 4)}
    scalar = (0b1010110_0_0010, 12) if window == 1 else (SCALAR, 11)

    def outcome(given: Program, **changed: int) -> Point | str:
        numbers = {**parts, "scalar": scalar, "exponent": (p - 2, 61), "random": (5, 3)}
        values = kept | {"x_raw": point[0], "y_raw": point[1]} | changed
        try:
            found = run(given, values, p, radix, numbers)
        except Refused as told:
            return str(told)
        return found["ResultX"], found["ResultY"]

    good = multiple(point, scalar[0], a, d, p)
    assert outcome(program) == good

    def in_the_second(loop: Loop, body: Body) -> Program:
        """Of three parts of the loop over the scalar."""
        if loop.over != "scalar":
            return ()
        first, second, third = (replace(loop, over=name) for name in parts)
        return first, replace(second, body=body), third

    found = {name: outcome(each) for name, each in faulty_programs(program, in_the_second)}
    assert len(found) > 120
    refused = (good, "zero", "valid", "nonzero")
    assert {name: told for name, told in found.items() if told not in refused} == {}
    assert sum(told == good for told in found.values()) < (30 if window == 1 else 60)
    for name, value in kept.items():
        if name != "m":
            assert outcome(program, **{name: value + 1}) in refused, name


def some_point(p: int, a: int, d: int) -> Point:
    """A point, of a prime that is 5 modulo 8."""
    for x in range(2, 1000):
        square = (1 - a * x * x) * pow(1 - d * x * x, -1, p) % p
        y = pow(square, (p + 3) // 8, p)
        y = y if y * y % p == square else y * pow(2, (p - 1) // 4, p) % p
        if y * y % p == square:
            return x, y
    raise AssertionError
