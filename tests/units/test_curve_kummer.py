# SPDX-License-Identifier: Apache-2.0
"""Curve processors on Kummer surfaces: small ones against the orders of their Jacobians, the named
one, what is refused, faults."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from curve_simulator import (
    STALLED,
    CurveBench,
    Status,
    cycles_of,
    joined,
    of_source,
    on_multipliers,
    same_cycles,
)
from faulty_programs import faulty_programs, kept_values, once_for_the_scalar
from gmpy2 import legendre

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
from redcore.units.curve.curves import CURVES
from redcore.units.curve.formulas import Operation, Program, Refused, read, run
from redcore.units.curve.kummer import (
    Four,
    Kummer,
    NoDifferenceError,
    Surface,
    Three,
    multiply_wrapped,
    unwrapped,
    wrapped_from_below,
)
from redcore.units.curve.kummer_programs import kummer_text
from redcore.units.curve.play import Sizes
from redcore.units.curve.programmed import scheduled
from redcore.units.curve.programs import ProgramText
from tiers import tiers

pytestmark = pytest.mark.kept

KUMMER = next(one for one in CURVES.values() if isinstance(one, Kummer))
BASE: Three = (KUMMER.base[0], KUMMER.base[1], KUMMER.base[2])
THETA = KUMMER.theta
OTHER: Four = (5, 2, -3, 1)
TWIST = 1809251394333065553414675955050290598923508843635941313077767297801179626051
"""The prime order of the Jacobian of the twist, but for a 16 (Gaudry & Schost 2012)."""
SMALL = 29
SIX_BITS = 43
"""Primes by which the duals of the theta constants are known, and so the curve; the second is the
only one of 6 bits."""

P16 = 65521
FAULTY = (1 << 61) - 1
"""A fault is not seen by a chance of some in p."""
FIRST: dict[int, Three] = {
    P16: (1, 1, 30242),
    (1 << 33) - 9: (1, 1, 8400093288),
    FAULTY: (1, 3, 747341798239020234),
}
"""A point of surfaces modulo large primes."""


def surface(prime: int, theta: Four = THETA) -> Surface:
    found = Surface.of(theta, prime)
    assert found
    return found


@cache
def points(prime: int, theta: Four = THETA) -> list[Four]:
    """All of a small surface."""
    every = [(1, y, z, t) for y, z, t in product(range(prime), repeat=3)]
    every += [(0, 1, z, t) for z, t in product(range(prime), repeat=2)]
    every += [(0, 0, 1, t) for t in range(prime)] + [(0, 0, 0, 1)]
    return [one for one in every if surface(prime, theta).has(one)]


def wrapped(point: Four, prime: int) -> Three:
    x, *others = point
    y, z, t = (x * pow(one, -1, prime) % prime for one in others)
    return y, z, t


@cache
def wrapped_points(prime: int, theta: Four = THETA) -> list[Three]:
    """Those that can be given."""
    return [wrapped(one, prime) for one in points(prime, theta) if all(one)]


def fits(numbers: Three, curve: Surface) -> bool:
    """Whether that is a point of the surface; no number is divided by."""
    y, z, t = numbers
    return curve.has((y * z * t, z * t, y * t, y * z))


def some_points(prime: int, count: int) -> list[Three]:
    """Of a large prime."""
    found = [FIRST[prime]]
    while len(found) < count:
        more = multiply_wrapped(found[-1], 3, THETA, prime)
        assert more
        found.append(more)
    return found


def design(multiplier: str, width: int, **settings: int | str) -> Design:
    return family(f"curve-{multiplier}").design(width, {"form": "kummer", **settings})


def number_bits(one: Design) -> int:
    return one.geometry.word_bits * one.geometry.beats // 3


def constants(one: Design, prime: int) -> list[int]:
    """Those behind a modulus."""
    long = int(one.values["scalar_bits"]) > number_bits(one)
    return [*surface(prime).constants, *long * [prime]]


# ----------------------------------------------------------------------------------------------
# The model.
# ----------------------------------------------------------------------------------------------


def jacobian_orders(prime: int) -> tuple[int, int]:
    """Points of the Jacobian of y^2 = x (x - 1) (x - l) (x - m) (x - n), and of its twist, which
    has the surface in question (Gaudry 2007), by counting the curve modulo p and in F_p^2."""
    (a, b, c, d), dual, p = THETA, surface(prime).dual, prime
    square = dual[2] * dual[3] * pow(dual[0] * dual[1], -1, p) % p
    root = next(x for x in range(p) if x * x % p == square)
    e, f = 1 + root, 1 - root
    quotients = ((a * c, b * d), (c * e, d * f), (a * e, b * f))
    roots = [above * pow(below, -1, p) % p for above, below in quotients]
    assert len({0, 1, *roots}) == 5
    no_square = next(x for x in range(2, p) if legendre(x, p) == -1)
    first = second = 1
    for x, i in product(range(p), repeat=2):
        real, imaginary = x, i
        for one in (1, *roots):
            real, imaginary = (
                (real * (x - one) + no_square * imaginary * i) % p,
                (real * i + imaginary * (x - one)) % p,
            )
        second += 1 + legendre(real * real - no_square * imaginary * imaginary, p)
        first += (i == 0) * (1 + legendre(real, p))
    trace = p + 1 - first
    middle = (trace * trace + second - p * p - 1) // 2
    ends = (sign**4 - sign * trace + middle - p * sign * trace + p * p for sign in (1, -1))
    return next(ends), next(ends)


def times(point: Three, scalar: int, prime: int, theta: Four = THETA) -> Three | None:
    return multiply_wrapped(point, scalar, theta, prime)


@pytest.mark.parametrize("prime", [SMALL, 43, 71])
def test_points_of_a_small_surface_are_of_the_orders_of_both_jacobians(prime: int) -> None:
    """As many as the mean of both, and each is of one of them; what is refused is of order 2."""
    orders, curve = jacobian_orders(prime), surface(prime)
    assert len(points(prime)) == sum(orders) // 2
    of_order_two = 0
    for point in wrapped_points(prime)[:: 1 if prime == SMALL else 9]:
        if not curve.taken(point):
            doubled = curve.added(unwrapped(point, prime), unwrapped(point, prime), THETA)
            assert curve.same(doubled, THETA)
            of_order_two += 1
            continue
        assert not all(times(point, order, prime) for order in orders)
        assert any(times(point, order + 1, prime) in (point, None) for order in orders)
    assert prime != SMALL or of_order_two == 4  # the other twelve have a 0


@pytest.mark.parametrize(("prime", "theta"), [(SMALL, THETA), (31, OTHER), (37, THETA)])
def test_multiples_are_those_of_repeated_addition(prime: int, theta: Four) -> None:
    """n P + P from (n - 1) P, by the table of all multiples before; where that has a 0, from the
    halves. All sums and differences of the table's entries agree."""
    curve, choose = surface(prime, theta), Random(prime)
    taken = [one for one in wrapped_points(prime, theta) if curve.taken(one)]
    for given in choose.sample(taken, 8):
        point = unwrapped(given, prime)
        table: list[Four | list[int]] = [curve.theta, point]
        for n in range(1, 160):
            if all(one % prime for one in table[n - 1]):
                table.append(curve.added(table[n], point, table[n - 1]))
            elif n % 2:
                half = table[(n + 1) // 2]
                table.append(curve.added(half, half, curve.theta))
            else:
                table.append(curve.added(table[n // 2 + 1], table[n // 2], point))
            assert curve.has(table[-1])
        for n, found in enumerate(table):
            assert times(given, n, prime, theta) == curve.given(found)
            try:
                assert wrapped_from_below(given, n, theta, prime) == curve.given(found)
            except NoDifferenceError:
                assert n > 1
        for n, m in product(range(0, 80, 7), range(0, 80, 3)):
            if n >= m and all(one % prime for one in table[n - m]):
                assert curve.same(curve.added(table[n], table[m], table[n - m]), table[n + m])


def test_the_named_surface_is_that_of_gaudry_and_schost() -> None:
    p, base, order = KUMMER.prime, BASE, KUMMER.order
    assert order.bit_length() == KUMMER.scalar_bits
    assert times(base, order, p) is None and times(base, 0, p) is None
    assert times(base, order - 1, p) == times(base, order + 1, p) == base
    choose = Random(7)
    for _ in range(3):
        first, second = (choose.randrange(1, order) for _ in range(2))
        both = times(times(base, first, p) or base, second, p)
        assert both == times(times(base, second, p) or base, first, p)
        assert both == times(base, first * second % order, p)
        assert both == wrapped_from_below(base, first * second % order, THETA, p)
    # Points of the curve and of its twist, which have x/y = 1 and x/z = 1, 2.
    curve = (1, 1, 142668736628566833081506437571682436771)
    twist = (1, 2, 49843417731050106690631714733628779390)
    for given, of, other in ((curve, order, TWIST), (twist, TWIST, order)):
        assert times(given, 16 * of, p) is None and times(given, 16 * other, p)


def test_there_is_no_surface_where_a_constant_is_0() -> None:
    """Modulo 11 it is a^2; sums and denominators vanish elsewhere."""
    found = [p for p in (5, 7, 11, 13, 17, 19, 23, 29, 31, 37) if not Surface.of(THETA, p)]
    assert found == [5, 7, 11, 13, 17, 19, 23]
    with pytest.raises(BadInput, match="makes no surface of theta_a=11"):
        simulate(design("csa", 5), [23], 1)


# ----------------------------------------------------------------------------------------------
# Every multiplier, cycles, stalls, small surfaces.
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("multiplier", ["csa", pytest.param("cios", marks=pytest.mark.full)])
@pytest.mark.parametrize("bits", [5, 10])
def test_every_point_of_a_small_surface(multiplier: str, bits: int) -> None:
    """With scalars in a number, and on csa of more bits; and numbers that are no point."""
    one = design(multiplier, 5, scalar_bits=bits)
    choose = Random(bits)
    jobs = [(at, choose.getrandbits(bits)) for at in wrapped_points(SMALL)]
    jobs += [((x, y, t), 3) for x in range(0, 32, 5) for y in range(0, 32, 3) for t in (0, 7, 30)]
    results = same_cycles(one, SMALL, [(joined(one, at), k) for at, k in jobs])
    expected = [times(at, k, SMALL) if k < one.operand_limits(SMALL)[1] else None for at, k in jobs]
    assert results == [joined(one, end) if end else 0 for end in expected]
    assert sum(map(bool, results)) > 500


@pytest.mark.parametrize("multiplier", ["csa", pytest.param("cios", marks=pytest.mark.full)])
@pytest.mark.parametrize("bits", [5, 10])
def test_every_scalar_of_a_small_surface(multiplier: str, bits: int) -> None:
    """Those of the order and above among them, and those that are refused."""
    one = design(multiplier, 5, scalar_bits=bits)
    given = [point for point in wrapped_points(SMALL) if surface(SMALL).taken(point)][77:79]
    jobs = [(at, k) for at in given for k in range(1 << bits)]
    results = same_cycles(one, SMALL, [(joined(one, at), k) for at, k in jobs])
    limit = one.operand_limits(SMALL)[1]
    ends = [times(at, k, SMALL) if k < limit else None for at, k in jobs]
    assert results == [joined(one, end) if end else 0 for end in ends]


PARTS = 8


@pytest.mark.full
@pytest.mark.parametrize(
    ("prime", "part", "parts"), [(SMALL, 0, 1), *((SIX_BITS, part, PARTS) for part in range(PARTS))]
)
def test_every_point_and_scalar_of_a_number_and_all_that_are_no_points(
    prime: int, part: int, parts: int
) -> None:
    """All points of a small surface with all scalars of a number, and all numbers of as many bits
    in the place of a point."""
    bits = prime.bit_length()
    one = design("csa", bits, scalar_bits=bits)
    jobs = [(at, k) for at in wrapped_points(prime) for k in range(1 << bits)]
    jobs += [(at, 3) for at in product(range(1 << bits), repeat=3)]
    assert len(jobs) == {SMALL: 732, SIX_BITS: 1740}[prime] * 2**bits + 2 ** (3 * bits)
    jobs = jobs[part::parts]
    results = same_cycles(one, prime, [(joined(one, at), k) for at, k in jobs])
    ends = [times(at, k, prime) for at, k in jobs]
    assert results == [joined(one, end) if end else 0 for end in ends]


@pytest.mark.full
@pytest.mark.parametrize(
    ("prime", "part"), [*((SMALL, part) for part in range(PARTS)), (SIX_BITS, 0), (SIX_BITS, 1)]
)
def test_every_point_and_every_long_scalar(prime: int, part: int) -> None:
    """All points of a small surface with all scalars of twice the bits: up to the orders of both
    Jacobians and beyond, to where they are refused. Of the larger surface some points."""
    bits = 2 * prime.bit_length()
    one = design("csa", prime.bit_length(), scalar_bits=bits)
    limit = one.operand_limits(prime)[1]
    assert min(jacobian_orders(prime)) < limit < 1 << bits
    given = wrapped_points(prime)[part :: PARTS if prime == SMALL else 128]
    jobs = [(at, k) for at in given for k in range(min(1 << bits, limit + 100))]
    results = same_cycles(one, prime, [(joined(one, at), k) for at, k in jobs])
    ends = [times(at, k, prime) if k < limit else None for at, k in jobs]
    assert results == [joined(one, end) if end else 0 for end in ends]


SHAPES = [
    # that of solinas is another prime
    *on_multipliers(design(name, 16, scalar_bits=32) for name in registered() if name != "solinas"),
    *(design(name, 16) for name in ("csa", "cios")),
    design("csa", 16, scalar_bits=19, memory="lutram", blinding=0),
    # A job's operands come right behind the load, while its last product's 5 or 9 words are written
    # where a halt does not wait for them.
    *(design("csa", 33, scalar_bits=66, chunk=chunk) for chunk in (8, 4)),
    design("cios", 16, scalar_bits=32, word=17, sigma=1),
]


@pytest.mark.parametrize("one", SHAPES, ids=Design.label)
def test_points_on_every_multiplier(one: Design) -> None:
    """Always the same cycles, without and with stalls."""
    p = P16 if one.width == 16 else (1 << 33) - 9
    choose, bits = Random(3), int(one.values["scalar_bits"])
    given = some_points(p, 12)
    jobs = [(at, choose.getrandbits(bits)) for at in given]
    jobs += [(given[0], 0), (given[0], 1), ((1, 2, 3), 5), (given[1], (1 << bits) - 1)]
    results = same_cycles(one, p, [(joined(one, at), k) for at, k in jobs])
    assert sum(map(bool, results)) >= 12


def test_any_numbers_are_answered() -> None:
    """Of numbers that are hardly ever a point's."""
    result = simulate(design("csa", 16, scalar_bits=32), [], 40, stalls=True)
    assert result.failures() == [] and result.ok


@pytest.mark.full
def test_a_bundle_checks_itself(tmp_path_factory: pytest.TempPathFactory) -> None:
    one = design("csa", 10, scalar_bits=20)
    folder = tmp_path_factory.mktemp("bundle") / "bundle"
    report = build_bundle(one, modulus("1021"), target("xc5v"), folder, vectors=12)
    assert report.passed, report.failure


# ----------------------------------------------------------------------------------------------
# The command line.
# ----------------------------------------------------------------------------------------------


def test_the_named_surface_on_the_hardware(capsys: pytest.CaptureFixture[str]) -> None:
    scalar = Random(1).randrange(1, KUMMER.order)
    words = f"run curve --curve Kummer-1271 --family cios --scalar {scalar} --json"
    assert redcore(words.split()) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["result"] == ",".join(map(hex, times(BASE, scalar, KUMMER.prime) or ()))
    multiplied = family("curve-cios").design(KUMMER.width, KUMMER.settings)
    assert answer["cycles"] == multiplied.geometry.latency_cycles


def test_both_sides_of_an_exchange_share_a_secret(capsys: pytest.CaptureFixture[str]) -> None:
    choose, p = Random(8), KUMMER.prime
    ours, theirs = (choose.randrange(1, KUMMER.order) for _ in range(2))
    public = times(BASE, theirs, p)
    assert public
    point = ",".join(map(str, public))
    words = f"run ecdh --curve kummer1271 --scalar {ours} --point {point} --family cios --json"
    assert redcore(words.split()) == 0
    answer = json.loads(capsys.readouterr().out)
    our_public = times(BASE, ours, p)
    assert our_public and answer["public"] == ",".join(map(hex, our_public))
    assert answer["result"] == ",".join(map(hex, times(our_public, theirs, p) or ()))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("curve --curve kummer127 --scalar 5", "nearest: kummer1271"),
        ("curve --curve kummer1271 --scalar -5", "scalar"),
        ("curve --curve kummer1271 --scalar 0x8" + 62 * "0", "2^251 - 1"),
        ("curve --curve kummer1271 --scalar 5 --point 5,7", "x/y,x/z,x/t, not 2"),
        ("curve --curve kummer1271 --scalar 5 --point 5,7,9", "is not on kummer1271"),
        ("curve --curve kummer1271 --scalar 5 --point 0,0,0", "is not on kummer1271"),
        ("curve --curve kummer1271 --scalar 5 --point 5,7,-1", "not below the prime"),
        ("curve --curve kummer1271 --scalar 5 --set theta_a=5", "theta_a is 11 on kummer1271"),
        (f"curve --curve kummer1271 --scalar {KUMMER.order} --family cios", "multiple"),
        ("ecdsa-sign --curve kummer1271 --key 5 --hash 7", "kummer1271 has no ECDSA"),
    ],
)
def test_bad_input_gets_a_sentence(
    options: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert redcore(["run", *options.split()]) == 2
    assert told in capsys.readouterr().err


def test_only_kummer_surfaces_have_long_scalars() -> None:
    with pytest.raises(BadInput, match="scalar_bits=17 is above 16"):
        family("curve-csa").design(16, {"scalar_bits": 17})
    with pytest.raises(BadInput, match="scalar_bits=33 is above 32"):
        design("csa", 16, scalar_bits=33)
    with pytest.raises(BadInput, match="task=sign takes form=weierstrass"):
        design("csa", 16, task="sign")


# ----------------------------------------------------------------------------------------------
# What is refused.
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("multiplier", "bits"), [("csa", 30), ("csa", 15), ("cios", 15)])
def test_what_is_refused_says_why_and_the_next_job_is_right(multiplier: str, bits: int) -> None:
    p = P16
    one = design(multiplier, 16, scalar_bits=bits)
    word, (point, other) = number_bits(one), some_points(p, 2)
    top, (x, y, t) = (1 << word) - 1, point
    good = joined(one, times(other, 777, p) or ())
    neutral = wrapped(THETA, p)
    of_order_two = wrapped((THETA[1], THETA[0], THETA[3], THETA[2]), p)
    long = bits > word
    with CurveBench(one) as bench:
        bench.load(p, *constants(one, p))
        for given, scalar, status in (
            *(((x + p, y, t), 3, Status.RANGE) for _ in range(x + p <= top)),
            ((top, top, top), 3, Status.RANGE),
            ((p, y, t), 3, Status.RANGE),
            ((x, p, t), 3, Status.RANGE),
            ((x, y, p), 3, Status.RANGE),
            ((x, y, t + 1), 3, Status.RANGE),
            ((x + 1, y, t), 3, Status.RANGE),
            ((0, y, t), 3, Status.RANGE),
            # Zeros that fulfil the equation.
            ((0, 0, 0), 3, Status.ZERO),
            ((0, 0, t), 3, Status.ZERO),
            (neutral, 1, Status.ZERO),
            (of_order_two, 1, Status.ZERO),
            (point, 1 << bits, Status.RANGE),
            (point, 1 << 2 * word, Status.RANGE),
            (point, 1 << 3 * word - 1, Status.RANGE),
            *((point, high << word, Status.RANGE) for high in (1 << 16, p, top) if long),
            (point, 0, Status.ZERO),
            (point, 1, Status.DONE),
            (point, (1 << bits) - 1, Status.DONE),
        ):
            end = times(given, scalar, p) if status is Status.DONE else None
            expected = (status, joined(one, end) if end else 0)
            assert bench.multiply(joined(one, given), scalar) == expected, (given, scalar)
            assert bench.multiply(joined(one, other), 777) == (Status.DONE, good)
        assert not bench.err
        # A constant that does not fit, each of them, and one that is another.
        right = constants(one, p)
        for at in range(len(right)):
            bench.load(p, *(p + 1 if at == k else each for k, each in enumerate(right)))
            assert bench.multiply(joined(one, point), 5) == (Status.RANGE, 0), at
            assert bench.err
        bench.load(p, *right)
        assert bench.multiply(joined(one, other), 777) == (Status.DONE, good)
        bench.load(p, *right[:9], right[9] + 1, *right[10:])  # another surface
        assert bench.multiply(joined(one, other), 777) == (Status.RANGE, 0)


# ----------------------------------------------------------------------------------------------
# Formulas.
# ----------------------------------------------------------------------------------------------

LONG = (False, True)
LOW = 4
"""Bits of a number here where the scalar is longer; of those above it there are as many."""


def outcome(
    program: Program,
    form: ProgramText,
    p: int,
    point: Three,
    scalar: int,
    numbers: dict[str, tuple[int, int]] | None = None,
    **changed: int,
) -> Three | str:
    """What a program gives, or the kind of the operation that refuses."""
    r = 1 << 62
    values = kept_values(p, r, dict(zip(form.constants, surface(p).constants, strict=True)))
    values |= dict(zip(form.numbers, point, strict=True)) | {"spare_raw": 0}
    low, high = scalar & (1 << LOW) - 1, scalar >> LOW
    lengths = {"scalar": (0, LOW) if form.long else (scalar, 2 * LOW), "random": (scalar % 8, 3)}
    lengths |= {"high": (0, LOW), "exponent": (p - 2, p.bit_length())} | (numbers or {})
    try:
        values |= {"low_raw": low, "high_raw": high} | changed
        found = run(program, values, p, r, lengths, p)
    except Refused as told:
        return str(told)
    y, z, t = (found[name] for name in form.results)
    return y, z, t


def is_right(program: Program, form: ProgramText, first: bool = True) -> bool:
    """Whether a program gives the model's results, and no point is taken that is none.

    ``first``: what is no point is refused for that, before anything else.
    """
    p, curve = SMALL, surface(SMALL)
    jobs = [(at, k) for at in wrapped_points(p)[::23] for k in (0, 1, 2, 3, 16, 22, 154, 255)]
    of_order_two = [at for at in wrapped_points(p) if not curve.taken(at)]
    jobs += [(at, 3) for at in of_order_two]
    jobs += [((0, 0, t), 5) for t in range(0, p, 7)]
    jobs += [((x, y, t), 5) for x in range(2, p, 7) for y in range(1, p, 5) for t in (3, 5)]
    for at, k in jobs:
        expected = times(at, k, p)
        found = outcome(program, form, p, at, k)
        if isinstance(found, str):
            there = fits(at, curve) or at[:2] == (0, 0)
            if expected or (first and found != ("nonzero" if there else "valid")):
                return False
        elif found != expected:
            return False
    # A higher part of more bits, and what is beside it.
    return not form.long or {
        outcome(program, form, p, wrapped_points(p)[5], 1 << 2 * LOW),
        outcome(program, form, p, wrapped_points(p)[5], 5, spare_raw=1),
    } == {"valid"}


@pytest.mark.parametrize("long", LONG)
def test_the_program_gives_the_models_results_and_so_does_its_schedule(long: bool) -> None:
    form = kummer_text(long)
    assert is_right(form.program(), form) and is_right(form.program(randomized=False), form)
    assert is_right(form.program(at_once=True), form)
    for name in ("csa", "cios"):
        bits = 30 if name == "csa" else 60
        multiplier = family(name).design(16)
        sizes = Sizes.of(multiplier, 32, "bram")
        found = scheduled(multiplier, bits, sizes, form)
        assert is_right(found.main.program, form, first=False)


SEEDED = [
    ("ay = low - high", "ay = low + high", 1),  # a sign
    ("k2 * qy**2", "k3 * qy**2", 0),
    ("my = e2 * cy", "my = e3 * cy", 0),
    ("sz = w3 * qz**2", "sz = k3 * qz**2", 0),
    ("cy = choose(ay, by)", "cy = choose(by, ay)", 1),  # an exchange too much
    ("ot = choose(bt, at)", "ot = bt", 1),
    ("\nx = choose(dx, sx)", "\nx = choose(sx, dx)", 1),
    ("dt = nt * power", "dt = nt * one", 1),
    ("valid((px**2", "valid((zero**2", 1),  # a point that is not checked
    ("valid((px**2", "zero((px**2", 1),
    ("+ h * (px * py + pz * pt)", "- h * (px * py + pz * pt)", 1),
    ("nonzero(((qx - k2 * (k2 * qy**2))**2", "reduced(((qx - k2 * (k2 * qy**2))**2", 1),
    ("nonzero(((x - k2 * y)**2", "reduced(((x - k2 * y)**2", 1),
    # Of points with a 0 as a difference to the neutral one.
    ("nonzero(((x - k2 * y)**2 - c * (x - k3 * z)**2)**2 - c * (x - k4 * t)**2)",
     "nonzero(x - k2 * y)", 1),
    ("**2 - c * (x - k4 * t)**2)", "**2 - (x - k4 * t)**2)", 1),
    ("nonzero(x * yzt)", "reduced(x * yzt)", 1),
    ("(inverse * yt)", "(inverse * yz)", 1),
    ("zero((ResultT * r2) * t - x)", "zero((ResultT * r2) * z - x)", 1),
    ("zero(w3 * unit - w3_raw)", "zero(w3 * unit - w4_raw)", 1),
]  # fmt: skip
SEEDED_LONG = [
    ("sy = choose(sy, dy) * one", "sy = choose(dy, sy) * one"),
    ("valid(choose(count, further) * unit - highest)", "reduced(highest)"),
    ("count = counted + counted", "count = counted + further"),
    ("valid(below(spare_raw))", "below(spare_raw)"),
    ("Exponent = below(high_raw)", "Exponent = below(low_raw)"),
    ("doubled = choose(dt, st)", "doubled = choose(st, dt)"),
    ("Exponent = low_raw", "Exponent = high_raw"),
    ("modulo(m, scalar)", "modulo(m, high)"),
]


@pytest.mark.parametrize(("old", "new", "times_"), SEEDED, ids=[new for _, new, _ in SEEDED])
def test_a_wrong_formula_is_found(old: str, new: str, times_: int) -> None:
    """``times_``: how often it stands there, 0 where often."""
    form = kummer_text(long=False)
    assert form.whole().count(old) == times_ or (not times_ and old in form.whole())
    assert not is_right(read(form.whole().replace(old, new)), form)


@pytest.mark.parametrize(("old", "new"), SEEDED_LONG, ids=[new for _, new in SEEDED_LONG])
def test_a_wrong_formula_of_long_scalars_is_found(old: str, new: str) -> None:
    form = kummer_text(long=True)
    assert form.whole().count(old) == 1
    assert not is_right(read(form.whole().replace(old, new)), form)


LOOP_BITS = {
    # By whether the scalar is long: of it before an iteration, in it, behind it. The higher part is
    # in one piece.
    False: ((0b101, 3), (0, 1), (0b1100, 4)),
    True: ((0b1, 1), (1, 1), (0b00, 2)),
}


@pytest.mark.parametrize("long", LONG)
def test_a_fault_on_the_way_gives_no_wrong_result(long: bool) -> None:
    """Each value of the program is changed in turn, and each one that is kept."""
    form, p, (point,) = kummer_text(long), FAULTY, some_points(FAULTY, 1)
    bits = {f"scalar{k}": LOOP_BITS[long][k] for k in range(3)}
    scalar = 0b1010_1100

    def given(program: Program, **changed: int) -> Three | str:
        return outcome(program, form, p, point, scalar, bits, **changed)

    good = times(point, scalar, p)
    assert good and given(form.program()) == good
    faults = faulty_programs(form.program(), once_for_the_scalar)
    found = {name: given(program) for name, program in faults}
    assert len(found) > 200
    wrong = {name: told for name, told in found.items()
             if told not in (good, "zero", "valid", "nonzero")}  # fmt: skip
    # The lower part of a long scalar is not compared: a 1 more there is the scalar above.
    assert list(wrong.values()) == [times(point, scalar + 1, p)] * long
    # Right all the same: what only tells a point of order 2, and copies.
    assert sum(told == good for told in found.values()) < 100
    for name in ("one", "r2", *form.constants, *(f"{each}_raw" for each in form.constants)):
        r = 1 << 62
        fresh = {"one": r % p, "r2": r * r % p}
        for each, value in zip(form.constants, surface(p).constants, strict=True):
            fresh |= {f"{each}_raw": value, each: value * r % p}
        assert given(form.program(), **{name: fresh[name] + 1}) in (
            good, "zero", "valid", "nonzero"
        ), name  # fmt: skip


def test_what_is_chosen_is_written_over_something_else_and_places_do_not_collide() -> None:
    for long, name in product(LONG, ("csa", "cios")):
        form = kummer_text(long)
        bits = {"csa": 30, "cios": 60}[name] if long else 16
        multiplier = family(name).design(16)
        sizes = Sizes.of(multiplier, 32, "lutram")
        found = scheduled(multiplier, bits, sizes, form)
        for one in (found.load, found.main):
            holds = {form.fixed[each]: each for each in (*form.kept, *form.numbers, *form.others)}
            for part in one.program:
                body = getattr(part, "body", ())
                for each in (part,) if isinstance(part, Operation) else 2 * body:
                    where = [one.places[each.a], one.places[each.b]]
                    for read_, place in zip((each.a, each.b), where, strict=True):
                        assert holds[place] == read_, (each, holds)
                    if each.kind == "choose" and each.a != each.b:
                        assert one.places[each.target] not in where
                    holds[one.places[each.target]] = each.target


# ----------------------------------------------------------------------------------------------
# What is left, and seeded faults in the RTL.
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("multiplier", "bits"),
    [("csa", 30), ("csa", 16), pytest.param("cios", 16, marks=pytest.mark.full)],
)
@pytest.mark.parametrize("when", [None, 3333])
def test_nothing_is_left(multiplier: str, bits: int, when: int | None) -> None:
    """Of any two jobs, of refused ones, and of one that a reset cut short."""
    one, p = design(multiplier, 16, scalar_bits=bits), P16
    first, second = some_points(p, 2)

    def after(point: Three, scalar: int, status: Status) -> dict[str, str]:
        with CurveBench(one, visible=True) as bench:
            bench.load(p, *constants(one, p))
            if when is None:
                assert bench.multiply(joined(one, point), scalar)[0] is status
            else:
                assert bench.give(True, [joined(one, point)], [scalar], 100_000)
                bench.wait(when)
                bench.reset()
            bench.wait(4000 + one.geometry.latency_cycles // 4)
            return {name: told for name, told in bench.state().items() if not of_source(name)}

    expected = after(first, 0x8765, Status.DONE)
    assert after(second, (1 << bits) - 1, Status.DONE) == expected
    assert after((p, *first[1:]), 0x8765, Status.RANGE) == expected
    assert after(first, 0, Status.ZERO) == expected


RTL_SEEDED = [
    # A point that is not checked; the third number of one; a scalar's higher words.
    ("redc_curve", "above | in_above | invalid", "above | in_above"),
    ("redc_curve_control", "? WhoseBits'(Numbers - 1) :", "? WhoseBits'(1) :"),
    ("redc_curve", "{in_data[1], in_part ?", "{in_data[0], in_part ?"),
    ("redc_curve", ".come_i({(Moduli > 1) & in_part,", ".come_i({1'b0,"),
]


@pytest.mark.parametrize(
    ("file", "old", "new"), tiers(RTL_SEEDED, 3), ids=[new for *_, new in RTL_SEEDED]
)
def test_a_seeded_fault_is_found(file: str, old: str, new: str, tmp_path: Path) -> None:
    p, one = P16, design("csa", 16, scalar_bits=30)
    sources = patched_sources(tmp_path, one.sources(), {file: [(old, new)]})
    x, y, t = some_points(p, 1)[0]

    def wrongs(bench: CurveBench) -> bool:
        try:
            bench.load(p, *constants(one, p))
            for at, k in (((x, y, t), 0x12345678), ((x, y, t + 1), 5), ((x, y, t), 0x3FFFFFFF)):
                end = times(at, k, p)
                meant = Status.DONE if end else Status.RANGE
                if bench.multiply(joined(one, at), k) != (meant, joined(one, end) if end else 0):
                    return True
        except AssertionError:  # nothing comes
            return True
        return False

    with CurveBench(one) as bench:
        assert not wrongs(bench)
    with CurveBench(one, sources=sources) as bench:
        assert wrongs(bench)


@pytest.mark.parametrize("stalled", STALLED)
def test_cycles_are_the_same_for_many_scalars_and_points(stalled: int) -> None:
    """On the hardware, of 1,000 at random."""
    one, p, choose = design("csa", 16, scalar_bits=32), P16, Random(9)
    given = some_points(p, 40)
    jobs = [(joined(one, choose.choice(given)), choose.getrandbits(32)) for _ in range(1000)]
    same_cycles(one, p, jobs, stalled)
    with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
        core.load_modulus(p)
        assert core.run([(*jobs[0], 0)]).results == [one.product(*jobs[0], p)]
