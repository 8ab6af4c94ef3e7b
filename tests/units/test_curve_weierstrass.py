# SPDX-License-Identifier: Apache-2.0
"""Curve processors on y^2 = x^3 + a x + b: every point and scalar of small curves, the named ones
against ``cryptography``, what is refused, faults."""

from __future__ import annotations

import json
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from curve_simulator import (
    CurveBench,
    Status,
    cycles_of,
    joined,
    on_multipliers,
    same_cycles_under_stalls,
)
from faulty_programs import faulty_programs, kept_values, once_for_the_scalar

from patched import patched_sources
from redcore.bundle import build_bundle
from redcore.catalogue import family
from redcore.cli import run as redcore
from redcore.design import Design
from redcore.errors import BadInput
from redcore.families import registered
from redcore.moduli import modulus
from redcore.simulate import Simulator, simulate
from redcore.synthesize import target
from redcore.units.curve.curves import CURVES, curve
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.formulas import Loop, Operation, Program, Refused, read, run
from redcore.units.curve.play import Sizes
from redcore.units.curve.programmed import scheduled
from redcore.units.curve.programs import ProgramText
from redcore.units.curve.run import scalar_multiplication
from redcore.units.curve.weierstrass import Point, Weierstrass, multiply_point, point_by_chords
from redcore.units.curve.weierstrass_programs import weierstrass_text

pytestmark = pytest.mark.kept

SMALL = [(61, -3, 7), (61, 0, 2), (59, 0, 3), (61, 5, 7), (53, 40, 11), (37, -3, 2)]
"""Primes of 6 bits, a and b; some have points of order 2."""
ODD = [(37, -3, 9, 41), (61, 5, 26, 53), (61, 0, 5, 63), (61, -3, 7, 57)]
"""The same of odd order, with it; those of the last two are composite."""
KINDS = ("any", "-3", "0")
WINDOWS = (1, 2, 4)
BITS = 6


def design(multiplier: str, width: int, **settings: int | str) -> Design:
    return family(f"curve-{multiplier}").design(width, {"form": "weierstrass", **settings})


def points(p: int, a: int, b: int) -> list[Point]:
    """All of a small curve but infinity."""
    return [(x, y) for x in range(p) for y in range(p) if (y * y - x**3 - a * x - b) % p == 0]


def right(point: Point, scalar: int, p: int, a: int, b: int) -> Point | None:
    """By chords and tangents, which no formula here has; None of what is refused."""
    x, y = point
    if x >= p or y >= p or y == 0 or (y * y - x**3 - a * x - b) % p:
        return None
    return point_by_chords(point, scalar, a, p)


@pytest.mark.parametrize(("p", "a", "b"), SMALL)
def test_the_model_is_the_group_law(p: int, a: int, b: int) -> None:
    for x in range(p):
        for y in range(p):
            on_curve = (x, y) in points(p, a, b) if (x + y) % 7 == 0 else True
            for k in range(1 << BITS) if on_curve else (3,):
                assert multiply_point((x, y), k, a, b, p, BITS) == right((x, y), k, p, a, b)


@pytest.mark.parametrize(
    ("multiplier", "number"),
    [
        ("csa", 0),
        pytest.param("csa", 1, marks=pytest.mark.full),
        pytest.param("csa", 3, marks=pytest.mark.full),
        *(pytest.param("cios", number, marks=pytest.mark.full) for number in range(len(SMALL))),
    ],
)
def test_every_point_and_scalar_of_a_small_curve(multiplier: str, number: int) -> None:
    """Those of the order and above among them; and every pair of coordinates that is no point."""
    p, a, b = SMALL[number]
    one = design(multiplier, BITS, a=a, b=b)
    every_point_and_scalar(one, p, a, b)


def test_small_curves_are_of_odd_order() -> None:
    for p, a, b, order in ODD:
        assert len(points(p, a, b)) + 1 == order


@pytest.mark.parametrize(
    ("multiplier", "window", "number"),
    [
        ("csa", 4, 0),
        ("csa", 3, 3),
        *(
            pytest.param(name, window, number, marks=pytest.mark.full)
            for name in ("csa", "cios")
            for window in (2, 3, 4, 5)
            for number in range(len(ODD))
        ),
    ],
)
@pytest.mark.parametrize("blinding", [0, pytest.param(3, marks=pytest.mark.full)])
def test_every_point_and_scalar_by_digits(
    multiplier: str, window: int, number: int, blinding: int
) -> None:
    """Even and odd scalars, of every length of the first digit."""
    p, a, b, order = ODD[number]
    settings = {"order": order, "window": window, "blinding": blinding}
    one = design(multiplier, BITS, a=a, b=b, **settings)
    every_point_and_scalar(one, p, a, b)


def every_point_and_scalar(one: Design, p: int, a: int, b: int) -> None:
    """All of them on the hardware, and all that is no point."""
    jobs = [(point, k) for point in points(p, a, b) for k in range(1 << BITS)]
    jobs += [((x, y), 3) for x in range(p) for y in range(p)]
    with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
        core.load_modulus(p)
        done = core.run([(joined(one, point), k, 0) for point, k in jobs])
    assert not done.faults
    ends = (right(point, k, p, a, b) for point, k in jobs)
    assert done.results == [joined(one, end) if end else 0 for end in ends]
    cycles = {b - a for a, b in zip(done.accepted, done.answered, strict=True)}
    assert cycles == {one.geometry.latency_cycles}
    assert {b - a for a, b in pairwise(done.accepted)} == {one.geometry.interval_cycles}


# ----------------------------------------------------------------------------------------------
# Every multiplier, cycles, stalls.
# ----------------------------------------------------------------------------------------------

P16, B16 = 65521, 3
OF_PRIME_ORDER = {"solinas": {"b": 62, "order": 65053}}
"""Curves over a multiplier's own prime where that is not P16."""


def prime_of(one: Design) -> int:
    """The multiplier's own where it has one."""
    if one.family.one_modulus:
        return one.family.known_moduli(one.width, one.values)[0]
    return P16 if one.width == 16 else (1 << 33) - 9


SHAPES = [
    *on_multipliers(design(name, 16, a=-3, b=B16) for name in registered()),
    design("csa", 16, a=0, b=B16, memory="lutram"),
    design("csa", 16, a=1234, b=B16),
    design("cios", 16, a=77, b=B16, word=17, sigma=1),
    design("csa", 33, a=-3, b=B16, chunk=8),
    *on_multipliers(
        design(name, 16, a=-3, **OF_PRIME_ORDER.get(name, {"b": 9, "order": 65223}), window=4)
        for name in registered()
    ),
    design("csa", 16, a=-3, b=9, order=65223, window=5, memory="lutram", chunk=4),
    design("cios", 16, a=-3, b=9, order=65223, window=3, blinding=0, word=17, sigma=1),
]


def some_points(p: int, a: int, b: int, count: int) -> list[Point]:
    """Points, of a prime that is 1 less than a multiple of 4 or small."""
    roots = {y * y % p: y for y in range(1, min(p, 1 << 16))} if p < 1 << 17 else {}
    found: list[Point] = []
    x = 1
    while len(found) < count:
        x += 1
        square = (x**3 + a * x + b) % p
        y = roots.get(square, 0) if roots else pow(square, (p + 1) // 4, p)
        if y and y * y % p == square:
            found.append((x, y))
    return found


@pytest.mark.parametrize("one", SHAPES, ids=Design.label)
def test_points_on_every_multiplier(one: Design) -> None:
    """Always the same cycles, without and with stalls."""
    p = prime_of(one)
    a, b, choose = int(one.values["a"]), int(one.values["b"]), Random(3)
    of = [(point, choose.getrandbits(16)) for point in some_points(p, a, b, 12)]
    of += [((1, 1), 5), ((p - 1, p - 1), 7), (of[0][0], 0), (of[0][0], 1)]
    jobs = [(joined(one, point), k, 0) for point, k in of]
    with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
        core.load_modulus(p)
        done = core.run(jobs)
    expected = [joined(one, end) if (end := right(at, k, p, a, b)) else 0 for at, k in of]
    assert done.results == expected and not done.faults
    assert same_cycles_under_stalls(one, p, [job[:2] for job in jobs]) == expected
    assert sum(map(bool, expected)) >= 12
    cycles = {b - a for a, b in zip(done.accepted, done.answered, strict=True)}
    assert cycles == {one.geometry.latency_cycles}
    assert {b - a for a, b in pairwise(done.accepted)} == {one.geometry.interval_cycles}


def test_any_numbers_are_answered() -> None:
    """Of coordinates that are hardly ever a point's; a modulus is a prime."""
    with pytest.raises(BadInput, match="is no prime"):
        simulate(design("csa", 16, a=-3, b=B16), [65535], 1)
    result = simulate(design("csa", 16, a=-3, b=B16), [], 40, stalls=True)
    assert result.failures() == [] and result.ok


def test_a_bundle_checks_itself(tmp_path_factory: pytest.TempPathFactory) -> None:
    one = design("csa", 10, a=-3, b=7)
    folder = tmp_path_factory.mktemp("bundle") / "bundle"
    report = build_bundle(one, modulus("1021"), target("xc5v"), folder, vectors=12)
    assert report.passed, report.failure


# ----------------------------------------------------------------------------------------------
# The named curves.
# ----------------------------------------------------------------------------------------------

NAMED = [one for one in CURVES.values() if isinstance(one, Weierstrass)]
P256 = next(one for one in NAMED if one.name == "p256")
GROUPS: dict[str, type[ec.EllipticCurve]] = {
    "p192": ec.SECP192R1, "p224": ec.SECP224R1, "p256": ec.SECP256R1, "p384": ec.SECP384R1,
    "p521": ec.SECP521R1, "secp256k1": ec.SECP256K1, "brainpoolp256r1": ec.BrainpoolP256R1,
    "brainpoolp384r1": ec.BrainpoolP384R1, "brainpoolp512r1": ec.BrainpoolP512R1,
}  # fmt: skip


def public(one: Weierstrass, scalar: int) -> Point:
    """By cryptography."""
    numbers = ec.derive_private_key(scalar, GROUPS[one.name]()).public_key().public_numbers()
    return numbers.x, numbers.y


@pytest.mark.parametrize("one", NAMED, ids=lambda one: one.name)
def test_a_named_curve_is_that_of_cryptography(one: Weierstrass) -> None:
    choose, (x, y) = Random(one.name), one.base

    def times(k: int) -> Point | None:
        return multiply_point((x, y), k, one.a, one.b, one.prime, one.scalar_bits)

    for k in (1, 2, *(choose.randrange(1, one.order) for _ in range(6))):
        assert times(k) == public(one, k)
    assert times(one.order) is None and times(0) is None
    assert times(one.order - 1) == (x, one.prime - y)
    assert one.order.bit_length() == one.scalar_bits <= one.width
    assert curve(one.name.upper()) is one


@pytest.mark.parametrize(
    ("name", "multiplier"),
    [
        *(
            pytest.param(one.name, "cios", marks=[] if one.name == "p256" else [pytest.mark.full])
            for one in NAMED
        ),
        ("secp256k1", "fold"),
        ("p256", "solinas"),
        pytest.param("p192", "solinas", marks=[pytest.mark.full]),
        pytest.param("p384", "solinas", marks=[pytest.mark.full]),
        pytest.param("p521", "solinas", marks=[pytest.mark.full]),
    ],
)
def test_a_named_curve_on_the_hardware(
    name: str, multiplier: str, capsys: pytest.CaptureFixture[str]
) -> None:
    one = curve(name)
    assert isinstance(one, Weierstrass)
    scalar = Random(name).randrange(1, one.order)
    words = f"run curve --curve {name} --family {multiplier} --scalar {scalar} --json"
    assert redcore(words.split()) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["result"] == ",".join(map(hex, public(one, scalar)))
    multiplied = family(f"curve-{multiplier}").design(one.width, one.settings)
    assert answer["cycles"] == multiplied.geometry.latency_cycles


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "multiplier", "count"),
    [
        ("p256", "cios", 200),
        ("secp256k1", "cios", 200),
        ("brainpoolp256r1", "cios", 100),
        ("p256", "solinas", 200),
        ("secp256k1", "fold", 200),
        ("p384", "cios", 40),
        ("p521", "cios", 20),
    ],
)
def test_random_scalars_and_points_on_the_hardware(name: str, multiplier: str, count: int) -> None:
    """Against cryptography, whose points are those of a scalar: k times j G."""
    one, choose = curve(name), Random(count)
    assert isinstance(one, Weierstrass)
    made = family(f"curve-{multiplier}").design(one.width, one.settings)
    unit = made.family
    assert isinstance(unit, CurveUnit)
    jobs, right = [], []
    for _ in range(count):
        j, k = (choose.randrange(1, one.order) for _ in range(2))
        jobs.append((unit.joined(one.width, made.values, public(one, j)), k, 0))
        right.append(unit.joined(one.width, made.values, public(one, j * k % one.order)))
    with Simulator(made, cycles=cycles_of(made, count)) as core:
        core.load_modulus(one.prime)
        done = core.run(jobs)
    assert done.results == right and not done.faults


def test_both_sides_of_an_exchange_share_a_secret(capsys: pytest.CaptureFixture[str]) -> None:
    """One on the hardware, the other with cryptography."""
    one, choose = curve("p256"), Random(8)
    assert isinstance(one, Weierstrass)
    ours, theirs = (choose.randrange(1, one.order) for _ in range(2))
    point = ",".join(map(str, public(one, theirs)))
    words = f"run ecdh --curve P-256 --scalar {ours} --point {point} --family cios --json"
    assert redcore(words.split()) == 0
    answer = json.loads(capsys.readouterr().out)
    key = ec.derive_private_key(ours, ec.SECP256R1())
    assert answer["public"] == ",".join(map(hex, public(one, ours)))
    other = ec.derive_private_key(theirs, ec.SECP256R1())
    secret = other.exchange(ec.ECDH(), key.public_key())
    assert int(answer["result"], 16) == int.from_bytes(secret, "big")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("curve --curve p25 --scalar 5", "nearest: p256"),
        ("curve --curve p256 --scalar -5", "scalar"),
        ("curve --curve p256 --scalar 0x1" + 64 * "0", "2^256 - 1"),
        ("curve --curve p256 --scalar 5 --point 5", "two numbers, x,y, not 1"),
        ("curve --curve p256 --scalar 5 --point 5,7", "is not on p256"),
        ("curve --curve p256 --scalar 5 --point 5,x", "'5,x' is no point"),
        ("curve --curve p256 --scalar 5 --point 5,-1", "not below the prime"),
        ("curve --curve p256 --scalar 5 --set a=0", "order is of p256, a and b are not"),
        ("curve --curve p256 --scalar 5 --set a=0 order=0", "a is -3 on p256"),
        ("curve --curve x25519 --scalar 5 --point 5,7", "one number, u, not 2"),
        (f"curve --curve p256 --scalar {P256.order} --family cios", "multiple"),
        ("ecdh --curve p256 --scalar 5 --point 5,7", "is not on p256"),
    ],
)
def test_bad_input_gets_a_sentence(
    options: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert redcore(["run", *options.split()]) == 2
    assert told in capsys.readouterr().err


def test_a_singular_curve_gets_a_sentence() -> None:
    one = design("csa", 16, a=-3, b=2)
    with pytest.raises(BadInput, match="makes the curve singular"):
        scalar_multiplication(one, P16, 5, joined(one, (2, 2)))
    with pytest.raises(BadInput, match="makes the curve singular"):
        simulate(one, [P16], 1)


# ----------------------------------------------------------------------------------------------
# What is refused.
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("multiplier", ["csa", "cios", "carrychain"])
def test_what_is_refused_says_why_and_the_next_job_is_right(multiplier: str) -> None:
    p, a, b = P16, 5, 7
    one = design(multiplier, 16, a=a, b=b, scalar_bits=15)
    word = one.geometry.word_bits * one.geometry.beats // 2
    top = (1 << word) - 1
    (x, y), other = some_points(p, a, b, 2)
    good = joined(one, right(other, 777, p, a, b) or ())
    # On the curve modulo p all the same: only their size tells.
    large = [(x + p, y), (x, y + p)] if (p - 1 + p) <= top else []
    with CurveBench(one) as bench:
        bench.load(p, a, b)
        for point, scalar, status in (
            *((point, 3, Status.RANGE) for point in large),
            ((top, top), 3, Status.RANGE),
            ((p, y), 3, Status.RANGE),
            ((x, p), 3, Status.RANGE),
            ((x, y + 1), 3, Status.RANGE),
            ((x + 1, y), 3, Status.RANGE),
            ((0, 0), 3, Status.RANGE),
            ((x, y), 1 << 15, Status.RANGE),
            ((x, y), top, Status.RANGE),
            ((x, y), 0, Status.ZERO),
            ((x, y), 1, Status.DONE),
            ((x, p - y), 1, Status.DONE),
            ((x, y), (1 << 15) - 1, Status.DONE),
        ):
            end = right(point, scalar, p, a, b) if status is Status.DONE else None
            expected = (status, joined(one, end) if end else 0)
            assert bench.multiply(joined(one, point), scalar) == expected, (point, scalar)
            assert bench.multiply(joined(one, other), 777) == (Status.DONE, good)
        assert not bench.err
        # Constants that do not fit, each of them, and then the right ones.
        for wrong in ((p - 1, a, b), (p, p, b), (p, a, p), (p, a, p + 7), (p, p + 5, b)):
            bench.load(*wrong)
            assert bench.multiply(joined(one, (x, y)), 5) == (Status.RANGE, 0)
            assert bench.err
        bench.load(p, a, b)
        assert bench.multiply(joined(one, other), 777) == (Status.DONE, good)
        # Another b: the point is on another curve.
        bench.load(p, a, b + 1)
        assert bench.multiply(joined(one, other), 777) == (Status.RANGE, 0)


def test_a_point_of_order_two_is_refused() -> None:
    p, a, b = SMALL[3]
    one = design("csa", BITS, a=a, b=b)
    of_order_two = [point for point in points(p, a, b) if point[1] == 0]
    assert of_order_two
    with CurveBench(one) as bench:
        bench.load(p, a, b)
        for point in of_order_two:
            for k in range(4):
                assert bench.multiply(joined(one, point), k) == (Status.ZERO, 0)


# ----------------------------------------------------------------------------------------------
# Formulas.
# ----------------------------------------------------------------------------------------------


def form_of(kind: str, window: int = 1) -> tuple[ProgramText, tuple[int, int, int]]:
    """A form, and a small curve of it; by digits one of odd order."""
    form = weierstrass_text("multiply", kind, window)
    if window > 1:
        return form, ODD[{"any": 1, "-3": 0, "0": 2}[kind]][:3]
    return form, SMALL[{"any": 3, "-3": 0, "0": 1}[kind]]


def is_right(
    program: Program, form: ProgramText, p: int, a: int, b: int, first: bool = True
) -> bool:
    """Whether a program gives the group law's results, and no point is taken that is none.

    ``first``: what is no point is refused for that, before anything else.
    """
    r = 1 << 7
    kept = kept_values(p, r, {name: {"a": a, "b": b}[name] for name in form.constants})
    # Every third point, and all of order 2, which are few.
    taken = {*points(p, a, b)[::3], *(point for point in points(p, a, b) if not point[1])}
    every = [(point, k) for point in sorted(taken) for k in (0, 1, 2, 3, 22, 37, 62, 63)]
    every += [((x, y), 5) for x in range(0, p, 7) for y in range(0, p, 5)]
    for (x, y), k in every:
        expected = right((x, y), k, p, a, b)
        numbers = {"scalar": (k, BITS), "exponent": (p - 2, p.bit_length()), "random": (k % 8, 3)}
        try:
            found = run(program, kept | {"x_raw": x, "y_raw": y}, p, r, numbers)
        except Refused as told:
            # What is no point is refused for that; nothing but infinity and order 2 else.
            on_curve = (y * y - x**3 - a * x - b) % p == 0
            if expected or (first and told.args != ("nonzero" if on_curve else "valid",)):
                return False
        else:
            if (found["ResultX"], found["ResultY"]) != expected:
                return False
    return True


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "window", [1, 4, *(pytest.param(window, marks=pytest.mark.full) for window in (2, 3, 5))]
)
def test_the_program_gives_the_group_law_and_so_does_its_schedule(kind: str, window: int) -> None:
    form, small = form_of(kind, window)
    assert is_right(form.program(), form, *small)
    assert is_right(form.program(at_once=True), form, *small)
    for name in ("csa", "cios"):
        multiplier = family(name).design(BITS)
        sizes = Sizes.of(multiplier, 32, "bram")
        found = scheduled(multiplier, BITS, sizes, form)
        assert is_right(found.main.program, form, *small, first=False)


# `nonzero(py)` is not among them: the complete sum of two points whose difference has order 2 is
# (0 : 0 : 0), so that `nonzero(z)` refuses such a point, too.
SEEDED = [
    ("any", "azz = a * zz\nu = a * xz", "azz = a * zz\nu = b * xz"),
    ("any", "t = a * (xx - azz)", "t = a * (xx + azz)"),
    ("-3", "minus = yy - u", "minus = yy + u"),
    ("-3", "s = xx + xx + xx - zz", "s = xx + xx - zz"),
    ("-3", "ez = yz * plus + xy * s", "ez = yz * plus - xy * s"),
    ("-3", "x = choose(dx, sx)\n    y", "x = choose(sx, dx)\n    y"),
    ("-3", "    z = choose(dz, sz)", "    z = choose(choose(dz, sz), dz)"),
    ("-3", "dz = yz * yy", "dz = yz * xx"),
    ("-3", "\ny = choose(dy, sy)", "\ny = choose(sy, dy)"),
    ("-3", "valid(py**2", "valid(px**2"),
    ("-3", "valid(py**2 - px**2 * px - (b - (px + px + px)))", "valid(py - py)"),
    ("-3", "nonzero(z)", "reduced(z)"),
    ("-3", "sz = power", "sz = one"),
    ("-3", "zero(ex * nz - nx * ez)", "zero(ex * nz + nx * ez)"),
    ("-3", "zero(py * unit - y_raw)", "zero(py * unit - x_raw)"),
    ("-3", "zero(ry * z - y)", "zero(ry * z - x)"),
    ("-3", "ResultY = reduced((y *", "ResultY = reduced((x *"),
    ("0", "minus = yy - (u + u + u)", "minus = yy - (u + u)"),
    ("0", "dy = plus * minus + u * yy8", "dy = plus * minus + u * yy"),
    ("0", "b3 = b + b + b", "b3 = b + b"),
]  # fmt: skip
SEEDED_DIGITS = [
    ("-3", "wy = pick(minus, y1, 3)", "wy = pick(y1, minus, 3)"),
    ("-3", "wx0d = pick(p13x, p15x, 0)", "wx0d = pick(p13x, p11x, 0)"),
    ("-3", "wz1b = pick(wz0c, wz0d, 1)", "wz1b = pick(wz0c, wz0d, 2)"),
    ("any", "windows(scalar, 4)", "windows(scalar, 3)"),
    ("any", "cy = zero - p1y", "cy = p1y"),
    ("0", "x = choose(ex, x)", "x = choose(x, ex)"),
    ("0", "minus = zero - y1", "minus = y1 - zero"),
    ("0", "\nz = p1z", "\nz = one"),
]


@pytest.mark.parametrize(("kind", "old", "new"), SEEDED, ids=[new for _, _, new in SEEDED])
def test_a_wrong_formula_is_found(kind: str, old: str, new: str) -> None:
    form, small = form_of(kind)
    assert old in form.whole()
    assert not is_right(read(form.whole().replace(old, new)), form, *small)


@pytest.mark.parametrize(
    ("kind", "old", "new"), SEEDED_DIGITS, ids=[new for _, _, new in SEEDED_DIGITS]
)
def test_a_wrong_formula_of_digits_is_found(kind: str, old: str, new: str) -> None:
    form, small = form_of(kind, 4)
    assert form.whole().count(old) == 1
    assert not is_right(read(form.whole().replace(old, new)), form, *small)


FAULTY, RADIX, SCALAR = (1 << 61) - 1, 1 << 62, 0b1010110_0_0110
"""A prime, R, and a scalar: a fault is not seen by a chance of some in p."""
LOOP_BITS = {
    # Of a number: before an iteration, in it, behind it; each next part begins with that before.
    "scalar": ((0b1010110, 7), (0, 1), (0b0110, 4)),
    "exponent": (((FAULTY - 2) >> 4, 57), (1, 1), ((FAULTY - 2) % 8, 3)),
}
DIGIT_BITS = {
    # By digits of 2 bits: without the lowest bit, which is behind each of the three here.
    "scalar": ((0b1010_0, 5), (0b11_0, 3), (0b0001_0, 5)),
}


@pytest.mark.parametrize(
    ("kind", "window"),
    [
        *((kind, 1) for kind in KINDS),
        ("-3", 2),
        *(pytest.param(kind, 2, marks=pytest.mark.full) for kind in ("any", "0")),
    ],
)
def test_a_fault_on_the_way_gives_no_wrong_result(kind: str, window: int) -> None:
    """Each value of the program is changed in turn, and each one that is kept.

    By digits the curve is not looked at for its order: no sum here needs an odd one.
    """
    form, (p, r) = weierstrass_text("multiply", kind, window), (FAULTY, RADIX)
    scalar, bits, of = SCALAR, 12, LOOP_BITS
    if window > 1:
        scalar, bits, of = 0b1010_11_0001_0, 11, LOOP_BITS | DIGIT_BITS
    a, b = {"any": 1234567, "-3": -3, "0": 0}[kind], 987654321
    ((x, y),) = some_points(p, a, b, 1)
    kept = kept_values(p, r, {name: {"a": a, "b": b}[name] for name in form.constants})

    def outcome(program: tuple[Operation | Loop, ...], **changed: int) -> Point | str:
        numbers = {f"{over}{k}": of[over][k] for over in of for k in range(3)}
        numbers |= {"scalar": (scalar, bits), "exponent": (p - 2, 61), "random": (5, 3)}
        try:
            found = run(program, kept | {"x_raw": x, "y_raw": y} | changed, p, r, numbers)
        except Refused as told:
            return str(told)
        return found["ResultX"], found["ResultY"]

    good = right((x, y), scalar, p, a, b)
    assert good and outcome(form.program()) == good
    faults = faulty_programs(form.program(), once_for_the_scalar)
    found = {name: outcome(program) for name, program in faults}
    assert len(found) > 150
    wrong = {name: told for name, told in found.items()
             if told not in (good, "zero", "valid", "nonzero")}  # fmt: skip
    assert wrong == {}
    # Right all the same: copies, what is refused anyway, and what a check alone reads.
    # Of a table, entries that no digit names.
    assert sum(told == good for told in found.values()) < (30 if window == 1 else 60)
    for name, value in kept.items():
        if name != "m":
            assert outcome(form.program(), **{name: value + 1}) in (good, "zero", "valid"), name


def test_places_do_not_collide() -> None:
    """A value is alive nowhere where another one has its place."""
    for kind, window in product(KINDS, WINDOWS):
        form = weierstrass_text("multiply", kind, window)
        for name in ("csa", "cios"):
            multiplier = family(name).design(16)
            sizes = Sizes.of(multiplier, 32, "lutram")
            found = scheduled(multiplier, 16, sizes, form)
            for one in (found.load, found.main):
                holds = {form.fixed[name_]: name_ for name_ in (*form.kept, *form.numbers)}
                for part in one.program:
                    for each in (part,) if isinstance(part, Operation) else 2 * part.body:
                        for read_ in (each.a, each.b):
                            assert holds[one.places[read_]] == read_, (each, holds)
                        holds[one.places[each.target]] = each.target


# ----------------------------------------------------------------------------------------------
# Seeded faults in the RTL.
# ----------------------------------------------------------------------------------------------

RTL_SEEDED = [
    # A point that is not checked; one whose y is not; a constant that is not.
    ("redc_curve", "above | in_above | invalid", "above | in_above"),
    ("redc_curve_adder", "ends_q & ~nothing & (found_kind_q == KindValid)", "1'b0"),
    ("redc_curve", "+ NumberBits'(whose)", "+ NumberBits'(whose != '0)"),
    # y's beats where the scalar is.
    ("redc_curve", ".scalar_write_i(in_part & (whose == '0))", ".scalar_write_i(in_part)"),
    ("redc_curve_control", "? WhoseBits'(Numbers - 1) :", "? '0 :"),
    # The last beat of a result is that of its first number.
    ("redc_curve_result", "+ 2 == Numbers * Beats)", "+ 2 == Beats)"),
]


@pytest.mark.parametrize(("file", "old", "new"), RTL_SEEDED, ids=[new for *_, new in RTL_SEEDED])
def test_a_seeded_fault_is_found(file: str, old: str, new: str, tmp_path: Path) -> None:
    p, a, b = SMALL[3]
    one = design("csa", BITS, a=a, b=b)
    sources = patched_sources(tmp_path, one.sources(), {file: [(old, new)]})

    def wrongs(bench: CurveBench) -> bool:
        try:
            bench.load(p, a, b)
            for x, y in [*points(p, a, b)[:9], (1, 1), (2, 5)]:
                for k in (1, 5, 62):
                    status, result = bench.multiply(joined(one, (x, y)), k)
                    end = right((x, y), k, p, a, b)
                    off = (x, y) not in points(p, a, b)
                    meant = Status.RANGE if off else Status.DONE if end else Status.ZERO
                    if (status, result) != (meant, joined(one, end) if end else 0):
                        return True
        except AssertionError:  # nothing comes
            return True
        return False

    with CurveBench(one) as bench:
        assert not wrongs(bench)
    with CurveBench(one, sources=sources) as bench:
        assert wrongs(bench)
