# SPDX-License-Identifier: Apache-2.0
"""Curve processors: programs, schedules, every point of small curves, RFC 7748, what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.x448 import X448PrivateKey, X448PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from curve_simulator import CurveBench, Status

from redcore import rtl
from redcore.bundle import build_bundle
from redcore.catalogue import family
from redcore.cli import run as redcore
from redcore.design import Design
from redcore.errors import BadInput
from redcore.families import registered
from redcore.moduli import modulus
from redcore.simulate import Simulator, refusal, simulate
from redcore.synthesize import target
from redcore.units.curve import programs
from redcore.units.curve.family import CurveUnit, scheduled
from redcore.units.curve.formulas import Loop, Operation, Refused, read, run
from redcore.units.curve.model import CURVES, by_chords, curve, multiply
from redcore.units.curve.schedule import Machine, allocate, gantt, single_writers

pytestmark = pytest.mark.kept

MULTIPLIERS = list(registered())


def design(multiplier: str, width: int, **settings: int | str) -> Design:
    return family(f"curve-{multiplier}").design(width, settings)


# ----------------------------------------------------------------------------------------------
# The group law by chord and tangent, which no formula here has.
# ----------------------------------------------------------------------------------------------


def multiples(u: int, a24: int, p: int, count: int) -> Iterator[int]:
    """u of 0, 1, 2 ... times a point with that u; 0 where there is none."""
    yield from (by_chords(u, k, a24, p) for k in range(count))


def small_curves() -> list[tuple[int, int]]:
    """Primes of 6 bits, each with a constant; A is not 2 or -2."""
    return [(61, 5), (59, 17), (53, 30), (37, 8)]


@pytest.mark.parametrize(("p", "a24"), small_curves())
def test_the_model_is_the_group_law(p: int, a24: int) -> None:
    for u in range(p):
        for k, right in enumerate(multiples(u, a24, p, 64)):
            assert multiply(u, k, a24, p, 6) == right, (u, k)


@pytest.mark.parametrize("multiplier", ["csa", pytest.param("cios", marks=pytest.mark.full)])
@pytest.mark.parametrize(("p", "a24"), small_curves()[:2])
def test_every_point_and_scalar_of_a_small_curve(multiplier: str, p: int, a24: int) -> None:
    one = design(multiplier, 6, a24=a24)
    jobs = [(u, k, 0) for u in range(p) for k in range(64)]
    with Simulator(one) as core:
        core.load_modulus(p)
        done = core.run(jobs)
    assert not done.faults
    right = [result for u in range(p) for result in multiples(u, a24, p, 64)]
    assert done.results == right
    assert {b - a for a, b in zip(done.accepted, done.answered, strict=True)} == {
        one.geometry.latency_cycles
    }


# ----------------------------------------------------------------------------------------------
# Cycles, constant time, stalls, on every multiplier.
# ----------------------------------------------------------------------------------------------

SHAPES = [
    *(design(name, 16) for name in MULTIPLIERS),
    design("csa", 33, chunk=8, memory="lutram"),
    design("csa", 40, stages=3, replicas=2, chunk=16),
    design("cios", 40, word=17, sigma=1, memory="lutram"),
    design("cios", 64, scalar_bits=5),
    design("carrychain", 33, chunk=11),
    design("scalable", 20, word=4, radix=2),
    design("csa", 4),
    design("csa", 16, scalar_bits=1),
]


@pytest.mark.parametrize("one", SHAPES, ids=Design.label)
def test_products_cycles_and_stalls(one: Design) -> None:
    """Random scalars and points on primes and on other odd numbers; cycles equal the formula."""
    result = simulate(one, [], 40, stalls=True)
    assert result.failures() == [] and result.ok


@pytest.mark.parametrize("multiplier", ["csa", "cios"])
def test_a_thousand_jobs_take_the_same_cycles(multiplier: str) -> None:
    one, p, choose = design(multiplier, 16), 65521, Random(5)
    jobs = [(choose.randrange(p), choose.randrange(1 << 16), 0) for _ in range(1000)]
    with Simulator(one) as core:
        core.load_modulus(p)
        done = core.run(jobs)
        stalled = core.run(jobs[:200], stalls=True)
    right = [one.product(u, k, p) for u, k, _ in jobs]
    assert done.results == right and stalled.results == right[:200]
    assert not done.faults and not stalled.faults
    assert sum(map(bool, right)) > 900
    cycles = {b - a for a, b in zip(done.accepted, done.answered, strict=True)}
    assert cycles == {one.geometry.latency_cycles}
    assert {b - a for a, b in pairwise(done.accepted)} == {one.geometry.interval_cycles}


# ----------------------------------------------------------------------------------------------
# RFC 7748.
# ----------------------------------------------------------------------------------------------


def little(text: str) -> int:
    return int.from_bytes(bytes.fromhex(text), "little")


VECTORS = {
    "x25519": (
        (
            "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
            "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
            "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
        ),
        # Its point has its highest bit set, which is not looked at.
        (
            "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
            "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
            "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
        ),
    ),
    "x448": (
        (
            "3d262fddf9ec8e88495266fea19a34d28882acef045104d0d1aae121"
            "700a779c984c24f8cdd78fbff44943eba368f54b29259a4f1c600ad3",
            "06fce640fa3487bfda5f6cf2d5263f8aad88334cbd07437f020f08f9"
            "814dc031ddbdc38c19c6da2583fa5429db94ada18aa7a7fb4ef8a086",
            "ce3e4ff95a60dc6697da1db1d85e6afbdf79b50a2412d7546d5f239f"
            "e14fbaadeb445fc66a01b0779d98223961111e21766282f73dd96b6f",
        ),
    ),
}
"""Scalar, point and result of section 5.2, in bytes."""


@pytest.mark.parametrize(
    ("name", "vector", "multiplier"),
    [
        ("x25519", 0, "cios"),
        pytest.param("x25519", 1, "cios", marks=pytest.mark.full),
        pytest.param("x448", 0, "cios", marks=pytest.mark.full),
        *(
            pytest.param("x25519", 0, other, marks=pytest.mark.full)
            for other in MULTIPLIERS
            if other != "cios"
        ),
    ],
)
def test_vectors_of_the_rfc(
    name: str, vector: int, multiplier: str, capsys: pytest.CaptureFixture[str]
) -> None:
    scalar, point, right = map(little, VECTORS[name][vector])
    words = f"run curve --curve {name} --family {multiplier} --scalar {scalar} --point {point:#x}"
    assert redcore([*words.split(), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert int(answer["result"], 16) == right
    one = design(multiplier, curve(name).width)
    assert answer["cycles"] == one.geometry.latency_cycles


@pytest.mark.parametrize("name", CURVES)
def test_the_model_is_what_cryptography_does(name: str) -> None:
    """By the thousand, with every bit of the scalar and the point, unused ones too."""
    one, choose = curve(name), Random(1)
    size = (one.width + 7) // 8
    private, public = {
        "x25519": (X25519PrivateKey, X25519PublicKey),
        "x448": (X448PrivateKey, X448PublicKey),
    }[name]
    for _ in range(1000 if name == "x25519" else 200):
        scalar, point = (choose.getrandbits(8 * size) for _ in range(2))
        key = private.from_private_bytes(scalar.to_bytes(size, "little"))
        right = key.exchange(public.from_public_bytes(point.to_bytes(size, "little")))
        decoded, u = one.decode_scalar(scalar), one.decode_point(point)
        found = multiply(u, decoded, one.a24, one.prime, one.scalar_bits)
        assert found == int.from_bytes(right, "little")


@pytest.mark.full
def test_random_numbers_on_the_real_curve() -> None:
    """The hardware at full width against cryptography."""
    one, choose = design("cios", 255), Random(2)
    x = curve("x25519")
    jobs, right = [], []
    for _ in range(40):
        scalar, point = choose.getrandbits(256), choose.getrandbits(256)
        key = X25519PrivateKey.from_private_bytes(scalar.to_bytes(32, "little"))
        theirs = X25519PublicKey.from_public_bytes(point.to_bytes(32, "little"))
        right.append(int.from_bytes(key.exchange(theirs), "little"))
        jobs.append((x.decode_point(point), x.decode_scalar(scalar), 0))
    with Simulator(one) as core:
        core.load_modulus(x.prime)
        done = core.run(jobs, stalls=True)
    assert done.results == right and not done.faults


# ----------------------------------------------------------------------------------------------
# What is refused.
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("multiplier", ["csa", "cios", "carrychain"])
def test_what_is_refused_says_why_and_the_next_job_is_right(multiplier: str) -> None:
    p, a24 = 65521, 5
    one = design(multiplier, 16, a24=a24, scalar_bits=15)
    word = one.geometry.word_bits * one.geometry.beats
    top = (1 << word) - 1
    with CurveBench(one) as bench:
        bench.load(p, a24)
        for u, scalar, status in (
            (p, 3, Status.RANGE),
            (p + 1, 3, Status.RANGE),
            (top, 3, Status.RANGE),
            (77, 1 << 15, Status.RANGE),
            (77, top, Status.RANGE),
            (0, 3, Status.ZERO),
            (0, 4, Status.ZERO),
            (77, 0, Status.ZERO),
            (1, 4, Status.ZERO),  # of order 4
            (p - 1, 1, Status.DONE),
            (77, (1 << 15) - 1, Status.DONE),
        ):
            right = multiply(u, scalar, a24, p, 15) if status is Status.DONE else 0
            assert bench.multiply(u, scalar) == (status, right), (u, scalar)
            assert bench.multiply(1234, 777) == (Status.DONE, multiply(1234, 777, a24, p, 15))
        assert not bench.err
        # Of no field: what it gives does not hold.
        assert bench.multiply(3, 5)[0] is Status.DONE
        bench.load(255 * 253, a24)
        answers = [bench.multiply(u, 0x1235) for u in range(2, 30)]
        assert any(status is Status.FAULT for status, _ in answers)
        assert all((status is Status.DONE) == (result != 0) for status, result in answers)
        assert not bench.err
        # Constants that do not fit, one after the other, and then the right ones.
        for modulus, constant in ((p - 1, a24), (p, p), (p, p + 7)):
            bench.load(modulus, constant)
            assert bench.multiply(77, 5) == (Status.RANGE, 0)
            assert bench.err
        bench.load(p, a24)
        assert bench.multiply(77, 5) == (Status.DONE, multiply(77, 5, a24, p, 15))
        bench.reset()
        assert not bench.give(True, [77], [5], 20_000)  # no modulus is there
        assert not bench.err


def test_refused_parameters() -> None:
    """By Python in a sentence, and by the RTL."""
    for settings in ({"chunk": 3}, {"scalar_bits": 0}, {"scalar_bits": 17}, {"memory": "none"}):
        with pytest.raises(BadInput, match=next(iter(settings))):
            design("csa", 16, **settings)
    files = rtl.sources("redc_curve")
    for changed in (
        {"Bound": 3}, {"Bound": 0}, {"Parts": 0}, {"Parts": 2}, {"ScalarBits": 0},
        {"ScalarBits": 273}, {"Places": 7}, {"Places": 12}, {"Kept": 0}, {"Kept": 17},
        {"Main": 2}, {"Flush": 2}, {"InFlight": 0}, {"Storage": 0}, {"Storage": 3},
    ):  # fmt: skip
        told = refusal(files, "redc_curve", changed)
        assert told and "redc_curve: " in told, changed


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("curve --curve x25518 --scalar 5", "nearest: x25519"),
        ("curve --curve x25519 --scalar -5", "scalar"),
        ("curve --curve x25519 --scalar 0x1" + 64 * "0", "2^256 - 1"),
        ("curve --curve x25519 --scalar 5 --point -1", "point"),
        ("curve --curve x25519 --scalar 5 --set a24=7", "a24 is 121665"),
        ("curve --curve x25519 --scalar 5 --family cioss", "nearest: cios"),
    ],
)
def test_bad_input_gets_a_sentence(
    options: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert redcore(["run", *options.split()]) == 2
    assert told in capsys.readouterr().err


def test_a_bundle_checks_itself(tmp_path: Path) -> None:
    """With primes, whose results are held against chords and tangents, and other odd numbers."""
    one = design("csa", 10)
    report = build_bundle(one, modulus("1021"), target("xc5v"), tmp_path / "bundle", vectors=20)
    assert report.passed, report.failure
    assert one.family.otherwise(10, one.values, 5, 7, 1021) == one.product(5, 7, 1021) > 0
    assert one.family.otherwise(10, one.values, 5, 7, 1023) is None


def test_a_point_of_small_order_gets_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    words = "run curve --curve x25519 --scalar 8 --point 1 --family cios"
    assert redcore(words.split()) == 2
    assert "small order" in capsys.readouterr().err


def test_both_sides_of_an_exchange_share_a_secret(capsys: pytest.CaptureFixture[str]) -> None:
    """The keys of RFC 7748, section 6.1; one side on the hardware, the other with cryptography."""
    scalar = little("77076d0a7318a57d3c16c17251b26645df4b5fea52d1e9e4c5a5d8f4b4f2f4a3")
    other = X25519PrivateKey.generate()
    theirs = int.from_bytes(other.public_key().public_bytes_raw(), "little")
    words = f"run ecdh --curve x25519 --scalar {scalar} --point {theirs} --family cios --json"
    assert redcore(words.split()) == 0
    answer = json.loads(capsys.readouterr().out)
    ours = X25519PublicKey.from_public_bytes(int(answer["public"], 16).to_bytes(32, "little"))
    assert int(answer["result"], 16) == int.from_bytes(other.exchange(ours), "little")


# ----------------------------------------------------------------------------------------------
# Formulas, orders and places.
# ----------------------------------------------------------------------------------------------


def test_formulas_are_read_as_arithmetic() -> None:
    p, r = 97, 16
    text = "z = (x*y - a)**2 + x\nfor bit in k:\n    z = choose(z, a) + x\n    a = a - z\nb = z"
    values = {"x": 5, "y": 7, "a": 11}
    inverse = pow(r, -1, p)
    z, a, before = ((5 * 7 * inverse - 11) ** 2 * inverse + 5) % p, 11, 0
    for bit in (1, 0, 1, 1):
        z = ((a if bit != before else z) + 5) % p
        a = (a - z) % p
        before = bit
    found = run(read(text), values, p, r, {"k": (0b1011, 4)})
    assert found["b"] == z and found["a"] == a


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("z = x / y", "line 1 is no formula: x / y"),
        ("a = b\nz = x**3", r"line 2 is no formula: x \*\* 3"),
        ("z = choose(x)", "choose with 1 operands"),
        ("z = other(x)", "no formula"),
        ("while z: pass", "neither an assignment nor a loop"),
        ("for a in b:\n    for c in d:\n        z = x + y", "a loop inside a loop"),
        ("z = 3", "no formula"),
    ],
)
def test_what_is_no_formula_is_named(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read(text)


def ladder_of(program: tuple[Operation | Loop, ...], p: int, a24: int, bits: int) -> bool:
    """Whether a program gives the model's results for some operands."""
    r = 1 << 7
    kept = {"unit": 1, "zero": 0, "m": p, "one": r % p, "r2": r * r % p, "a24": a24 * r % p}
    for u in range(p):
        for k in (0, 1, 2, 3, 5, 22, 23, 31):
            right = multiply(u, k, a24, p, bits)
            numbers = {"scalar": (k, bits), "exponent": (p - 2, p.bit_length())}
            try:
                found = run(program, kept | {"u": u}, p, r, numbers)["Result"]
            except Refused as told:
                # Nothing but a result that is 0 is refused here.
                if right or told.args != ("nonzero",):
                    return False
            else:
                if found != right:
                    return False
    return True


def test_the_program_gives_the_models_results_and_so_does_its_schedule() -> None:
    assert ladder_of(programs.LADDER, 61, 5, 5)
    for name in ("csa", "cios"):
        found = scheduled(family(name).design(6), 6, 32, "bram")
        assert ladder_of(found.main.program, 61, 5, 5)


SEEDED = [
    ("b = x2 - z2", "b = x2 + z2"),
    ("e = aa - bb", "e = bb - aa"),
    ("aa + a24 * e", "bb + a24 * e"),
    ("z3 = x1 * (da - cb)**2", "z3 = (da - cb)**2"),
    ("choose(a, c)**2", "choose(c, a)**2"),
    ("bb = choose(b, d)**2", "bb = b**2"),
    ("x = choose(x2, x3)", "x = choose(x3, x2)"),
    ("z = choose(z2, z3)", "z = choose(choose(z2, z3), z2)"),
    ("cross = x * w + v * z", "cross = x * w - v * z"),
    ("half = half + half + zw", "half = half + zw"),
    ("x3 = x1 * one", "x3 = one * one"),
    ("p1 = z * one", "p1 = one * one"),
    ("p0 = chosen**2", "p0 = chosen * p0"),
    ("inverse = choose(p0, p1)", "inverse = choose(p1, p0)"),
    ("(x * inverse) * unit", "(x * inverse) * one"),
    ("Result = nonzero(result)", "Result = reduced(result)"),
]


@pytest.mark.parametrize(("right", "wrong"), SEEDED, ids=[wrong for _, wrong in SEEDED])
def test_a_wrong_formula_is_found(right: str, wrong: str) -> None:
    text = programs.LADDER_TEXT
    assert text.count(right) == 1
    assert not ladder_of(read(text.replace(right, wrong)), 61, 5, 5)


@pytest.mark.parametrize("at", range(18))
def test_a_fault_on_the_way_gives_no_wrong_result(at: int) -> None:
    """A value of the ladder is changed in one iteration: the relation of the three points is gone.

    A chance of some in p remains, so the prime has 64 bits.
    """
    p, a24, r = (1 << 64) - 59, 5, 1 << 66
    kept = {"unit": 1, "zero": 0, "m": p, "one": r % p, "r2": r * r % p, "a24": a24 * r % p}
    loop = next(part for part in programs.LADDER if isinstance(part, Loop))
    assert len(loop.body) == 18
    where = programs.LADDER.index(loop)
    target = loop.body[at].target
    turned = Operation("add", target, target, "unit")
    faulty = (*loop.body[: at + 1], turned, *loop.body[at + 1 :])
    # Three loops; the bits of each but the last end in 0, as the next one begins with that before.
    numbers = {"scalar": (0b1010110, 7), "once": (0, 1), "rest": (0b0110, 4)}
    numbers["exponent"] = (p - 2, 64)

    def result(body: tuple[Operation, ...]) -> int:
        before, after = programs.LADDER[:where], programs.LADDER[where + 1 :]
        program = (*before, loop, Loop("once", body), Loop("rest", loop.body), *after)
        return run(program, kept | {"u": 123456789}, p, r, numbers)["Result"]

    assert result(loop.body) == multiply(123456789, 0b1010110_0_0110, a24, p, 12)
    with pytest.raises(Refused, match=r"^zero$"):
        result(faulty)


def test_the_page_shows_a_step_as_it_is_played() -> None:
    one = design("cios", 255)
    unit = one.family
    assert isinstance(unit, CurveUnit)
    found = unit.programs(255, one.values)
    loop = next(part for part in found.main.program if isinstance(part, Loop))
    lines = gantt(loop, Machine(unit.multiplier_design(255, one.values), found.sizes))
    page = Path(__file__).parents[2] / "docs" / "units" / "curve.md"
    assert "\n".join(lines) in page.read_text(encoding="utf-8")


def test_loops_are_near_their_bounds() -> None:
    """At most 5 % above on the multipliers of the page's aims, and nowhere below."""
    for name in MULTIPLIERS:
        one = design(name, 255)
        assert isinstance(one.family, CurveUnit)
        for loop in one.family.programs(255, one.values).main.loops:
            assert loop.cycles >= loop.bound.cycles, name
            if name in ("cios", "csa", "radix4", "carrychain"):
                assert loop.cycles <= loop.bound.cycles * 105 / 100, (name, loop)


def test_places_do_not_collide() -> None:
    """A value is alive nowhere where another one has its place."""
    for name in ("csa", "cios"):
        for bits in (6, 16):
            found = scheduled(family(name).design(bits), bits, 32, "lutram")
            for one in (found.load, found.main):
                flat = [
                    each
                    for part in one.program
                    for each in ((part,) if isinstance(part, Operation) else 2 * part.body)
                ]
                holds: dict[tuple[int, int], str] = {}
                for name_, place in one.places.items():
                    if name_ in programs.KEPT or name_ == "u":
                        holds[place] = name_
                for each in flat:
                    for read_ in (each.a, each.b):
                        assert holds[one.places[read_]] == read_, (each, holds)
                    holds[one.places[each.target]] = each.target


def test_a_value_without_a_place_is_told() -> None:
    program = single_writers(
        read("\n".join(f"a{k} = x + y" for k in range(9)) + "\n"
             + "\n".join(f"b{k} = a{k} + x" for k in range(9)))
    )  # fmt: skip
    with pytest.raises(ValueError, match="no place is left for a6 in bank 0"):
        allocate(program, {"x": (0, 0), "y": (0, 1)}, 2, 10)


# ----------------------------------------------------------------------------------------------
# Seeded faults in the RTL.
# ----------------------------------------------------------------------------------------------

RTL_SEEDED = [
    ("redc_curve_issue", "before_q ^ (bit_q & ~over_q)", "bit_q & ~over_q"),
    ("redc_curve_issue", "over_q   <= ends;", "over_q   <= 1'b0;"),
    ("redc_curve_issue", "awaited_q[place] | awaited_q[a]", "awaited_q[place]"),
    ("redc_curve_adder", "take = carry_q | reduced[Bits]", "take = reduced[Bits]"),
    ("redc_curve_adder", "else take = ~carry_q;", "else take = 1'b0;"),
    ("redc_curve", "if (zero) zero_q <= 1'b1;", "if (zero) zero_q <= 1'b0;"),
    ("redc_curve", "if (above) range_q", "if (above && 1'b0) range_q"),
    ("redc_curve", ".a_i(a_q), .b_i(b_q)", ".a_i(b_q), .b_i(a_q)"),
]


@pytest.mark.parametrize(("file", "right", "wrong"), RTL_SEEDED, ids=lambda text: text[:30])
def test_a_seeded_fault_is_found(file: str, right: str, wrong: str, tmp_path: Path) -> None:
    """By every point and scalar of a small curve, and an operand out of range."""
    one, p, a24 = design("csa", 6, a24=5), 61, 5
    text = (rtl.rtl_folder() / f"{file}.sv").read_text(encoding="utf-8")
    assert text.count(right) == 1
    seeded = tmp_path / f"{file}.sv"
    seeded.write_text(text.replace(right, wrong), encoding="utf-8")
    sources = [seeded if path.name == seeded.name else path for path in one.sources()]

    def wrongs(bench: CurveBench) -> bool:
        bench.load(p, a24)
        for u in range(p + 2):
            right_of = list(multiples(u, a24, p, 8)) if u < p else 8 * [0]
            for k in range(8):
                status, result = bench.multiply(u, k)
                expected = (
                    Status.RANGE if u >= p else Status.DONE if right_of[k] else Status.ZERO
                )
                if result != right_of[k] or status is not expected:
                    return True
        return False

    with CurveBench(one, sources=sources) as bench:
        assert wrongs(bench)


def test_the_same_finds_nothing_without_a_fault() -> None:
    one, p, a24 = design("csa", 6, a24=5), 61, 5
    with CurveBench(one) as bench:
        bench.load(p, a24)
        for u in range(p + 2):
            for k, right in enumerate(multiples(u, a24, p, 8) if u < p else 8 * [0]):
                expected = Status.RANGE if u >= p else Status.DONE if right else Status.ZERO
                assert bench.multiply(u, k) == (expected, right)
