# SPDX-License-Identifier: Apache-2.0
"""Curve processors: programs, schedules, every point of small curves, RFC 7748, what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from cryptography.hazmat.primitives.asymmetric.x448 import X448PrivateKey, X448PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from curve_simulator import (
    STALLED,
    CurveBench,
    Status,
    cycles_of,
    same_cycles,
    same_cycles_under_stalls,
)
from faulty_programs import faulty_programs, kept_values, once
from gmpy2 import is_prime, legendre

from patched import patched_sources
from redcore import rtl
from redcore.bundle import build_bundle
from redcore.bundle.schedule import COLOURS, schedule_svg
from redcore.catalogue import design_of, family
from redcore.cli import run as redcore
from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.families import registered
from redcore.moduli import modulus
from redcore.simulate import Simulator, refusal, simulate
from redcore.synthesize import target
from redcore.units.curve.bounds import PLAYED, gantt
from redcore.units.curve.curves import curve
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.formulas import Loop, Operation, Program, Refused, digits, read, run
from redcore.units.curve.kummer import Kummer, multiply_wrapped
from redcore.units.curve.montgomery import LADDER, Montgomery, by_chords, multiply
from redcore.units.curve.places import allocate, single_writers
from redcore.units.curve.play import Machine, Sizes
from redcore.units.curve.programmed import scheduled
from redcore.units.curve.run import scalar_multiplication
from redcore.units.curve.schedule import _SETTLED, arrange, steady
from tiers import tiers

pytestmark = pytest.mark.kept

MULTIPLIERS = list(registered())
STEPS, AT_ONCE = LADDER.program(), LADDER.program(at_once=True)


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
    with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
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


@pytest.mark.parametrize("one", tiers(SHAPES, 8), ids=Design.label)
def test_products_cycles_and_stalls(one: Design) -> None:
    """Random scalars and points, modulo primes; cycles equal the formula."""
    result = simulate(one, [], 40, stalls=True)
    assert result.failures() == [] and result.ok


@pytest.mark.parametrize("stalled", STALLED)
@pytest.mark.parametrize("multiplier", ["csa", "cios"])
def test_a_thousand_jobs_take_the_same_cycles(multiplier: str, stalled: int) -> None:
    one, p, choose = design(multiplier, 16), 65521, Random(5)
    jobs = [(choose.randrange(p), choose.randrange(1 << 16)) for _ in range(1000)]
    assert sum(map(bool, same_cycles(one, p, jobs, stalled))) > 900


def test_cycles_that_follow_a_secret_under_stalls_alone_are_found(tmp_path: Path) -> None:
    """A random bit that comes behind a pause is dropped where the scalar's lowest bit is set."""
    one, p, choose = design("csa", 16), 65521, Random(6)
    jobs = [(choose.randrange(p), choose.randrange(1 << 16)) for _ in range(12)]
    right = [one.product(*job, p) for job in jobs]
    assert same_cycles_under_stalls(one, p, jobs) == right
    leaks = [
        (
            "assign taken_word  = now.took_word;",
            """assign taken_word = now.took_word;
        logic came_q, secret_q;
        always_ff @(posedge clk_i) begin
          came_q <= rnd_valid_i;
          if (scalar_write_i) secret_q <= scalar_i[0];
        end""",
        ),
        (
            "~now.took_word & (rnd_valid_i | stuck_q);",
            "~now.took_word & ((rnd_valid_i & (came_q | ~secret_q)) | stuck_q);",
        ),
    ]
    files = patched_sources(tmp_path, one.sources(), {"redc_curve_random": leaks})
    with Simulator(one, 1, files, cycles=cycles_of(one, len(jobs))) as core:
        core.load_modulus(p)
        done = core.run([(*job, 0) for job in jobs])
    assert done.results == right and not done.faults
    cycles = {b - a for a, b in zip(done.accepted, done.answered, strict=True)}
    assert cycles == {one.geometry.latency_cycles}
    with pytest.raises(AssertionError, match="other cycles"):
        same_cycles_under_stalls(one, p, jobs, files)


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
        (
            "203d494428b8399352665ddca42f9de8fef600908e0d461cb021f8c5"
            "38345dd77c3e4806e25f46d3315c44e0a5b4371282dd2c8d5be3095f",
            "0fbcc2f993cd56d3305b0b7d9e55d4c1a8fb5dbb52f8e9a1e9b6201b"
            "165d015894e56c4d3570bee52fe205e28a78b91cdfbde71ce8d157db",
            "884a02576239ff7a2f2f63b2db6a9ff37047ac13568e1e30fe63c4a7"
            "ad1b3ee3a5700df34321d62077e63633c575c1c954514e99da7c179d",
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
        pytest.param("x448", 1, "cios", marks=pytest.mark.full),
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


KEYS: dict[str, tuple[Any, Any]] = {
    "x25519": (X25519PrivateKey, X25519PublicKey),
    "x448": (X448PrivateKey, X448PublicKey),
}
"""Of cryptography."""


@pytest.mark.parametrize("name", ["x25519", "x448"])
def test_the_model_is_what_cryptography_does(name: str) -> None:
    """By the thousand, with every bit of the scalar and the point, unused ones too."""
    one, choose = curve(name), Random(1)
    assert isinstance(one, Montgomery)
    size = (one.width + 7) // 8
    private, public = KEYS[name]
    for _ in range(1000 if name == "x25519" else 200):
        scalar, point = (choose.getrandbits(8 * size) for _ in range(2))
        key = private.from_private_bytes(scalar.to_bytes(size, "little"))
        right = key.exchange(public.from_public_bytes(point.to_bytes(size, "little")))
        decoded, u = one.decode_scalar(scalar), one.decode_point((point,))[0]
        found = multiply(u, decoded, one.a24, one.prime, one.scalar_bits)
        assert found == int.from_bytes(right, "little")


@pytest.mark.full
@pytest.mark.parametrize(("name", "count"), [("x25519", 500), ("x448", 60)])
def test_random_numbers_on_the_real_curve(name: str, count: int) -> None:
    """The hardware at full width against cryptography; the first 40 with stalls, too."""
    one, choose, chosen = design("cios", curve(name).width), Random(2), curve(name)
    size = (chosen.width + 7) // 8
    jobs, right = [], []
    for _ in range(count):
        scalar, point = (choose.getrandbits(8 * size) for _ in range(2))
        key = KEYS[name][0].from_private_bytes(scalar.to_bytes(size, "little"))
        theirs = KEYS[name][1].from_public_bytes(point.to_bytes(size, "little"))
        right.append(int.from_bytes(key.exchange(theirs), "little"))
        jobs.append((chosen.decode_point((point,))[0], chosen.decode_scalar(scalar), 0))
    for given, stalls in ((jobs, False), (jobs[:40], True)):
        with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
            core.load_modulus(chosen.prime)
            done = core.run(given, stalls=stalls)
        assert done.results == right[: len(given)] and not done.faults


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


def test_a_modulus_gets_in_between_jobs_that_are_offered_without_a_pause() -> None:
    one, p, a24 = design("csa", 16), 65521, 5
    with CurveBench(one) as bench:
        bench.load(p, a24)
        assert bench.together(77, 5, p, 4 * one.geometry.latency_cycles) == 1
        assert bench.give(False, [a24], [0], 10_000)
        assert bench.multiply(1234, 777) == (Status.DONE, multiply(1234, 777, a24, p, 16))


@pytest.mark.parametrize("chunk", [4, 8, 64])
def test_a_load_ends_in_the_cycle_that_is_played(chunk: int) -> None:
    """Its last product is written in as many words as a number has: 9, 5 and 1."""
    one, p, a24 = design("radix4", 33, chunk=chunk), (1 << 33) - 9, 5
    assert isinstance(one.family, CurveUnit)
    multiplier = one.family.multiplier_design(one.width, one.values)
    ends = one.geometry.modulus_cycles - multiplier.geometry.modulus_cycles
    parts = Sizes.of(multiplier, chunk, "bram").parts
    with CurveBench(one) as bench:
        bench.load(p, a24)
        # Behind the last part of the constant.
        assert not bench.give(True, [77], [5], ends + (parts if parts > 1 else 0))
        assert bench.give(True, [77], [5], 1)


@pytest.mark.parametrize(
    ("width", "settings", "told"),
    [
        (255, {"order": 12345}, "order=12345 has no effect with form=montgomery, but with form=w"),
        (256, {"order": curve("p256").settings["order"]}, "has no effect with form=montgomery"),
        (255, {"window": 4}, "window=4 has no effect with form=montgomery"),
        (256, {"window": 4}, "window=4 has no effect with form=montgomery"),
        (127, {"form": "kummer", "order": 77}, "order=77 has no effect with form=kummer"),
        (127, {"form": "kummer", "window": 4}, "window=4 has no effect with form=kummer"),
        (127, {"form": "kummer", "window": 4, "copies": 2}, "window=4 has no effect with form=k"),
        (255, {"b": 5}, "b=5 has no effect with form=montgomery, but with form=weierstrass or fo"),
        (255, {"theta_a": 5}, "theta_a=5 has no effect with form=montgomery, but with form=kummer"),
        (256, {"form": "weierstrass", "a24": 5}, "a24=5 has no effect with form=weierstrass"),
        (256, {"form": "edwards", "a24": 5}, "a24=5 has no effect with form=edwards"),
        (127, {"form": "kummer", "base_x": 5}, "base_x=5 has no effect with form=kummer"),
    ],
)
def test_settings_without_effect_are_refused(
    width: int, settings: dict[str, int | str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a sentence, which the page tells, too: it asks for ``reasons``."""
    unit = family("curve-cios")
    (reason,) = unit.reasons(width, settings)
    assert reason.startswith(told) or told in reason
    words = ["--set", *(f"{name}={value}" for name, value in settings.items())]
    assert redcore(["info", "curve-cios", "--width", str(width), *words]) == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("curve --curve x448 --family fold", "of the form that fold is built for, 2^448 - c with a"
         " small c; solinas can be built for it, cios and array take any odd modulus"),
        ("curve --curve ed448 --family fold", "the prime of ed448, 0x"),
        ("curve --curve x25519 --family solinas", "fold can be built for it"),
        ("ecdh --curve brainpoolp256r1 --family solinas --point 5,7",
         "2^e1 - 1; cios and array take any odd modulus"),
    ],
)  # fmt: skip
def test_a_prime_that_is_not_the_multipliers_is_refused(
    words: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is built, and what fits is named."""
    assert redcore(["run", *words.split(), "--scalar", "3"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("redcore: the prime of ") and told in said


def test_a_search_tries_the_defaults_of_the_form() -> None:
    """Those of parameters at 256 bits are P-256's, which says nothing of a Montgomery curve."""
    unit = family("curve-cios")
    names = [each.name for each in unit.parameters]
    tried = {name: unit.parameter(name).default_for(256) for name in names}
    assert tried["window"] == 4 and tried["order"]
    plain, blinded = (unit.legal(256, tried | {"form": form, "copies": 1})
                      for form in ("montgomery", "weierstrass"))  # fmt: skip
    assert plain == unit.design(256, {}) and plain.values["order"] == 0
    assert blinded == unit.design(256, {"form": "weierstrass"}) and blinded.values["window"] == 4
    assert unit.legal(256, tried | {"window": 3}) is None


def test_refused_parameters() -> None:
    """By Python in a sentence, and by the RTL."""
    for settings in ({"chunk": 3}, {"scalar_bits": 0}, {"scalar_bits": 17}, {"memory": "none"}):
        with pytest.raises(BadInput, match=next(iter(settings))):
            design("csa", 16, **settings)
    files = rtl.sources("redc_curve")
    for changed in (
        {"Bound": 3}, {"Bound": 0}, {"Parts": 0}, {"Parts": 2}, {"ScalarBits": 0},
        {"ScalarBits": 273}, {"Places": 7}, {"Places": 12}, {"Kept": 0}, {"Kept": 17},
        {"Numbers": 0}, {"Numbers": 4}, {"Constants": 0}, {"Moduli": 0}, {"Moduli": 3},
        {"Blinds": 273}, {"RandomBits": 273},
        {"Main": 2}, {"Flush": 2}, {"InFlight": 0}, {"Storage": 0}, {"Storage": 3},
        {"WaitBits": 2},
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
    """Results are held against chords and tangents."""
    one = design("csa", 10)
    report = build_bundle(one, modulus("1021"), target("xc5v"), tmp_path / "bundle", vectors=20)
    assert report.passed, report.failure
    drawing = tmp_path / "bundle" / "schedule.svg"
    assert "schedule.svg" in report.files
    assert drawing.read_text(encoding="utf-8") == schedule_svg(one)
    assert one.family.otherwise(10, one.values, 5, 7, 1021) == one.product(5, 7, 1021) > 0
    assert one.family.otherwise(10, one.values, 5, 7, 1023) is None


def test_a_point_of_small_order_gets_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    words = "run curve --curve x25519 --scalar 8 --point 1 --family cios"
    assert redcore(words.split()) == 2
    assert "small order" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["x25519", "x448"])
def test_full_order_is_that_of_the_base(name: str) -> None:
    """Multiples of the base are, by themselves; with the point of order 2 added,
    which turns u round, with points of small order, and on the twist they are not."""
    one = curve(name)
    assert isinstance(one, Montgomery) and is_prime(one.order)
    p, a24, choose = one.prime, one.a24, Random(name)
    assert by_chords(one.base[0], one.order, a24, p) == 0
    for small in (0, 1, p - 1):
        assert not one.is_of_full_order((small,))
    for _ in range(20):
        u = by_chords(one.base[0], choose.randrange(1, one.order), a24, p)
        assert one.is_of_full_order((u,)) and one.of_full_order((u,)) == (u,)
        assert not one.is_of_full_order((pow(u, -1, p),))
        other = choose.randrange(2, p - 1)
        on_twist = legendre(other**3 + (4 * a24 + 2) * other**2 + other, p) == -1
        cofactor = 1 << one.cofactor_bits
        assert not (on_twist and one.is_of_full_order((other,)))
        if not on_twist:
            assert one.is_of_full_order((by_chords(other, cofactor, a24, p),))
    with pytest.raises(BadInput, match=f"^the point 0x1 is not of the order of {name}'s base"):
        one.of_full_order((1,))


def test_full_order_of_points_of_a_kummer_surface() -> None:
    one = curve("kummer1271")
    assert isinstance(one, Kummer)
    choose = Random(1271)
    for _ in range(3):
        scalar = choose.randrange(1, one.order)
        point = multiply_wrapped(one.base, scalar, one.theta, one.prime)
        assert point and one.is_of_full_order(point)
    # of the curve, with a part of order 2, and 16 times it; of the twist, and 16 times it
    known = ((1, 1, 142668736628566833081506437571682436771), True), (
        (1, 2, 49843417731050106690631714733628779390), False)  # fmt: skip
    for point, of_the_curve in known:
        assert one.has(point) and not one.is_of_full_order(point)
        whole = multiply_wrapped(point, 16, one.theta, one.prime)
        assert whole and one.is_of_full_order(whole) == of_the_curve


def test_full_order_where_there_are_no_others() -> None:
    one = curve("p256")
    assert one.of_full_order(one.base) == one.base


@pytest.mark.parametrize(
    "words",
    [
        "curve --curve x25519 --scalar 8 --point 1",
        "ecdh --curve x448 --scalar 8 --point 2",
        "curve --curve kummer1271 --scalar 8 --point 1,2,49843417731050106690631714733628779390",
    ],
)
def test_a_point_of_another_order_gets_a_sentence(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"run {words} --family cios --full-order"
    assert redcore(words.split()) == 2
    assert "is not of the order of" in capsys.readouterr().err


def test_a_point_of_full_order_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    words = "run curve --curve x25519 --scalar 8 --family cios --full-order --json"
    assert redcore(words.split()) == 0
    assert json.loads(capsys.readouterr().out)["point"] == "0x9"


def test_both_sides_of_an_exchange_share_a_secret(capsys: pytest.CaptureFixture[str]) -> None:
    """Alice and Bob of RFC 7748, section 6.1: she on the hardware, he with cryptography."""
    alice = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"
    public = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
    bob = X25519PrivateKey.from_private_bytes(
        bytes.fromhex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    )
    theirs = int.from_bytes(bob.public_key().public_bytes_raw(), "little")
    words = f"run ecdh --curve x25519 --scalar {little(alice)} --point {theirs} --family cios"
    assert redcore([*words.split(), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert int(answer["public"], 16) == little(public)
    ours = X25519PublicKey.from_public_bytes(bytes.fromhex(public))
    assert int(answer["result"], 16) == int.from_bytes(bob.exchange(ours), "little")


def test_no_message_tells_the_scalar(capsys: pytest.CaptureFixture[str]) -> None:
    """Messages are kept in logs."""
    one, p, scalar = design("csa", 16, a24=5), 65521, 0x1E240
    with pytest.raises(BadInput, match=r"^the scalar is not within 0 to 0xffff$"):
        scalar_multiplication(one, p, scalar, 7)
    with pytest.raises(BadInput, match="the scalar times the point 0x0 is 0"):
        scalar_multiplication(one, p, 0x1E24, 0)
    with (
        pytest.MonkeyPatch.context() as patch,
        pytest.raises(CheckFailed, match=r"for the scalar times the point 0x7; its model says 0x1"),
    ):
        patch.setattr(Design, "product", lambda *_: 1)
        scalar_multiplication(one, p, 0x1E24, 7)
    assert redcore(["run", "curve", "--curve", "x25519", "--scalar", str(1 << 256)]) == 2
    told = capsys.readouterr().err
    assert "the scalar is not within 0 to 2^256 - 1" in told and f"{1 << 256:x}" not in told


def test_copies_are_run() -> None:
    one = design("csa", 16, a24=5, copies=2)
    done = scalar_multiplication(one, 65521, 0x1E24, 7)
    assert (done.result, done.cycles) == (
        by_chords(7, 0x1E24, 5, 65521), one.geometry.latency_cycles,
    )  # fmt: skip


def test_a_singular_curve_gets_a_sentence() -> None:
    for a24 in (0, 65520):
        with pytest.raises(BadInput, match="makes the curve singular"):
            scalar_multiplication(design("csa", 16, a24=a24), 65521, 5, 7)
        with pytest.raises(BadInput, match="makes the curve singular"):
            simulate(design("csa", 16, a24=a24), [65521], 1)


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
        ("for a in b:\n    modulo(n)", "a change of modulus inside a loop"),
        ("modulo(x)", "line 1 is no modulus"),
        ("z = 3", "no formula"),
        ("z = pick(z, x, y)", "no formula"),
        ("for a in windows(b, 0):\n    z = x + y", "no loop over bits"),
        ("for a in windows(b, c, d, 2):\n    z = x + y", "no loop over bits"),
        ("for a in b + c:\n    z = x + y", "no loop over bits"),
        ("a = b\nz = = x", "line 2 is no formula: z = = x"),
        ("z = x +", r"line 1 is no formula: z = x \+"),
    ],
)
def test_what_is_no_formula_is_named(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read(text)


def ladder_of(program: tuple[Operation | Loop, ...], p: int, a24: int, bits: int) -> bool:
    """Whether a program gives the model's results for some operands."""
    r = 1 << 7
    kept = kept_values(p, r, {"a24": a24})
    for u in range(p):
        for k in (0, 1, 2, 3, 5, 22, 23, 31):
            right = multiply(u, k, a24, p, bits)
            numbers = {
                "scalar": (k, bits),
                "exponent": (p - 2, p.bit_length()),
                "random": (u * k % 8, 3),
            }
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
    assert ladder_of(STEPS, 61, 5, 5) and ladder_of(AT_ONCE, 61, 5, 5)
    for name in ("csa", "cios"):
        multiplier = family(name).design(6)
        sizes = Sizes.of(multiplier, 32, "bram")
        found = scheduled(multiplier, 6, sizes)
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
    ("x3 = x1 * power", "x3 = one * power"),
    ("z3 = one * power", "z3 = one * one"),
    ("p1 = z * one", "p1 = one * one"),
    ("p0 = chosen**2", "p0 = chosen * p0"),
    ("inverse = choose(p0, p1)", "inverse = choose(p1, p0)"),
    ("(x * inverse) * unit", "(x * inverse) * one"),
    ("Result = nonzero(result)", "Result = reduced(result)"),
    ("zero(x1 * unit - u)", "zero(x1 * unit - u - u)"),
    ("zero(a24 * unit - a24_raw)", "zero(a24 * unit + a24_raw)"),
]


@pytest.mark.parametrize(("right", "wrong"), SEEDED, ids=[wrong for _, wrong in SEEDED])
def test_a_wrong_formula_is_found(right: str, wrong: str) -> None:
    text = LADDER.whole()
    assert text.count(right) == 1
    assert not ladder_of(read(text.replace(right, wrong)), 61, 5, 5)


FAULTY = (1 << 64) - 59, 5, 1 << 66
"""A prime, a constant and R: a fault is not seen by a chance of some in p."""
LOOP_BITS = {
    # Of a number: before an iteration, in it, behind it. The first two end in 0, as the next part
    # of the loop begins with that before.
    "scalar": ((0b1010110, 7), (0, 1), (0b0110, 4)),
    "exponent": (((FAULTY[0] - 2) >> 3, 61), (0, 1), (3, 2)),
    "random": ((0, 1), (0, 1), (1, 1)),
}


def outcome(program: tuple[Operation | Loop, ...], **changed: int) -> int | str:
    """The result of a job with faults, or what refuses it."""
    p, a24, r = FAULTY
    numbers = {f"{over}{k}": LOOP_BITS[over][k] for over in LOOP_BITS for k in range(3)}
    numbers |= {"scalar": (0b1010110_0_0110, 12), "exponent": (p - 2, 64), "random": (5, 3)}
    try:
        values = kept_values(p, r, {"a24": a24}) | {"u": 123456789} | changed
        return run(program, values, p, r, numbers)["Result"]
    except Refused as told:
        return str(told)


RIGHT = multiply(123456789, 0b1010110_0_0110, FAULTY[1], FAULTY[0], 12)


@pytest.mark.parametrize("steps", [STEPS, AT_ONCE], ids=["chosen", "at_once"])
def test_a_fault_on_the_way_gives_no_wrong_result(steps: Program) -> None:
    """Each value of the program is changed in turn: one of its checks does not hold, or the result
    is right all the same. What is checked is what goes out."""
    assert outcome(steps) == RIGHT
    found = {name: outcome(program) for name, program in faulty_programs(steps, once)}
    assert len(found) > 60
    assert {name: told for name, told in found.items() if told not in (RIGHT, "zero")} == {}
    assert sum(told == RIGHT for told in found.values()) < 10
    assert [told for name, told in found.items() if name.startswith("Result ")] == ["zero"]


def test_a_fault_in_what_is_kept_gives_no_wrong_result() -> None:
    """But for one of u itself, which is an operand then like any other."""
    p, a24, r = FAULTY
    for name, value in kept_values(p, r, {"a24": a24}).items():
        if name != "m":
            assert outcome(STEPS, **{name: value + 1}) in (RIGHT, "zero"), name
    other = multiply(123456788, 0b1010110_0_0110, a24, p, 12)
    assert outcome(STEPS, u=123456788) == other


def test_the_page_shows_a_step_as_it_is_played() -> None:
    one = design("cios", 255)
    unit = one.family
    assert isinstance(unit, CurveUnit)
    found = unit.programs(255, one.values)
    loops = [part for part in found.main.program if isinstance(part, Loop)]
    loop = next(part for part in loops if part.over == "scalar")
    lines = gantt(loop, Machine(unit.multiplier_design(255, one.values), found.sizes))
    page = Path(__file__).parents[2] / "docs" / "units" / "curve.md"
    assert "\n".join(lines) in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "loops"),
    [
        ("curve-cios --width 255", [("random", 32, 1), ("scalar", 255, 1), ("exponent", 255, 1)]),
        (
            "curve-csa --width 256 --set form=weierstrass copies=2",
            [("random", 32, 1), ("scalar", 72, 4), ("exponent", 256, 1)],
        ),
        (
            "curve-cios --width 127 --set form=kummer scalar_bits=251",
            [("random", 32, 1), ("high", 115, 1), ("scalar", 136, 1), ("exponent", 127, 1)],
        ),
        (
            "curve-cios --width 256 --set form=weierstrass task=verify",
            [("exponent", 256, 1), ("scalar", 128, 2), ("exponent", 256, 1)],
        ),
    ],
)
def test_info_tells_the_schedule(
    words: str, loops: list[tuple[str, int, int]], capsys: pytest.CaptureFixture[str]
) -> None:
    """As keys beside those that are there without, and as text."""
    assert redcore(["info", *words.split(), "--json"]) == 0
    without = json.loads(capsys.readouterr().out)
    assert redcore(["info", *words.split(), "--schedule", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    schedule, job = told.pop("schedule"), told.pop("job")
    assert told == without
    assert job["cycles"] == without["latency_cycles"] >= job["bound"]
    assert job["bound"] == design_of(words).outlook.latency_cycles
    assert job["above_percent"] == round(100 * (job["cycles"] / job["bound"] - 1), 1) >= 0
    assert [(one["loop"], one["iterations"], one["bits"]) for one in schedule] == loops
    assert redcore(["info", *words.split(), "--schedule"]) == 0
    text = capsys.readouterr().out
    for one in schedule:
        assert one["bound"] == max(one[each] for each in ("products", "reads", "path", "turn"))
        assert one["above_percent"] == round(100 * (one["cycles"] / one["bound"] - 1), 1) >= 0
        begun = [int(line.split()[0]) for line in one["gantt"]]
        # Iterations overlap, so that the last one begins within the next.
        assert begun == sorted(begun) and begun[0] == 0
        assert "\n".join(one["gantt"]) in text
        assert f"{one['cycles']:,} cycles: {one['above_percent']:g} % above" in text
    assert text.endswith(
        f"\na job: {job['cycles']:,} cycles: {job['above_percent']:g} % above {job['bound']:,},"
        " which no order beats\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        "curve-cios --width 255",
        "curve-csa --width 256 --set form=weierstrass copies=2 b=5 order=0",
    ],
)
def test_a_schedule_is_drawn(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each operation is a bar as long as it takes, in the order in which they begin."""
    file = tmp_path / "schedule.svg"
    assert redcore(["info", *words.split(), "--schedule", "--svg", str(file), "--json"]) == 0
    loops = json.loads(capsys.readouterr().out)["schedule"]
    text = file.read_text(encoding="utf-8")
    tag = "{http://www.w3.org/2000/svg}"
    drawing = ElementTree.fromstring(text)
    named = [(rect, rect.findtext(f"{tag}title")) for rect in drawing.iter(f"{tag}rect")]
    bars = [(rect, told) for rect, told in named if told]
    expected = [(loop, one) for loop in loops for one in loop["operations"]]
    for (rect, told), (loop, one) in zip(bars, expected, strict=True):
        assert told == f"{one['does']}: {one['unit']}, cycles {one['begins']} to {one['there']}"
        assert rect.get("fill") == COLOURS[one["unit"]]
        last = max(loop["cycles"], *(each["there"] for each in loop["operations"]))
        left, right = (236 + 640 * one[at] / last for at in ("begins", "there"))
        assert float(rect.get("x", "")) == pytest.approx(left, abs=0.06)
        assert float(rect.get("width", "")) == pytest.approx(max(1, right - left), abs=0.11)
    words_of = [each.text for each in drawing.iter(f"{tag}text")]
    assert all(one["does"] in words_of for _, one in expected)
    assert all(loop["gantt"][0].endswith(("#", "=")) for loop in loops)
    assert text == schedule_svg(design_of(words))


def test_a_schedule_is_drawn_where_a_file_can_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, told in (
        (f"--schedule --svg {tmp_path / 'no' / 'such.svg'}", "there is no folder"),
        (f"--svg {tmp_path / 'a.svg'}", "--svg is of --schedule: give that, too"),
    ):
        assert redcore(["info", "curve-csa", "--width", "16", *words.split()]) == 2
        assert told in capsys.readouterr().err
    assert schedule_svg(design_of("csa --width 16")) == ""


def test_what_has_no_program_has_no_schedule(capsys: pytest.CaptureFixture[str]) -> None:
    for words, told in (("csa --width 16", "has no program"), ("curve-csa", "give --width")):
        assert redcore(["info", *words.split(), "--schedule"]) == 2
        assert told in capsys.readouterr().err


def test_loops_are_near_their_bounds() -> None:
    """At most 5 % above on the multipliers of the page's aims, and nowhere below."""
    for name in MULTIPLIERS:
        one = design(name, 255)
        assert isinstance(one.family, CurveUnit)
        for loop in one.family.programs(255, one.values).main.loops:
            assert loop.cycles >= loop.bound.cycles, name
            if name in ("cios", "csa", "radix4", "carrychain"):
                assert loop.cycles <= loop.bound.cycles * 105 / 100, (name, loop)


@pytest.mark.parametrize("name", MULTIPLIERS)
def test_a_play_that_is_cut_short_tells_what_a_whole_one_does(name: str) -> None:
    """In orders good and bad: a loop that has repeated itself is not played on."""
    drawn = Random(1)
    for bits, multipliers in ((16, 1), (33, 1), (16, 2)):
        one = design(name, bits, multipliers=multipliers)
        assert isinstance(one.family, CurveUnit)
        found = one.family.programs(bits, one.values)
        machine = Machine(one.family.multiplier_design(bits, one.values), found.sizes)
        loops = [part for part in found.main.program if isinstance(part, Loop)]
        assert loops
        for body in (list(loop.body) for loop in loops):
            for _ in range(3):
                play, ends = machine.play(), []
                for _ in range(PLAYED):
                    ends.append(
                        [play.issue(each.kind, each.target, each.a, each.b) for each in body][-1]
                    )
                whole = Fraction(ends[-1] - ends[_SETTLED - 1], PLAYED - _SETTLED)
                assert steady(body, machine) == whole
                drawn.shuffle(body)


def test_places_do_not_collide() -> None:
    """A value is alive nowhere where another one has its place."""
    for name in ("csa", "cios"):
        for bits in (6, 16):
            multiplier = family(name).design(bits)
            sizes = Sizes.of(multiplier, 32, "lutram")
            found = scheduled(multiplier, bits, sizes)
            for one in (found.load, found.main):
                flat = [
                    each
                    for part in one.program
                    for each in ((part,) if isinstance(part, Operation) else 2 * part.body)
                ]
                holds: dict[tuple[int, int], str] = {}
                for name_, place in one.places.items():
                    if name_ in FORM.kept or name_ == "u":
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
    with pytest.raises(ValueError, match="no place is left for a5 in bank 0"):
        allocate(program, {"x": (0, 0), "y": (0, 1)}, 2, 10)


FORM = LADDER
FIXED = FORM.fixed


def test_what_goes_in_keeps_its_place_through_a_loop_that_reads_it() -> None:
    text = "s = u + u\nfor bit in scalar:\n    t = s + u\n    q = t + t\n    s = q + q"
    found = allocate(single_writers(read(text)), FIXED, FORM.kept_places, FORM.places)
    assert [name for name, place in found.items() if place == FIXED["u"]] == ["u"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Result = u * u", "Result has its place in the other unit's bank"),
        ("Result = u + uu", r"^uu has no value there \(nearest: "),
        ("for bit in scalar:\n    b = a + u\n    a = b + u", "^a has no value there"),
        ("for bit in scalars:\n    a = u + u", r"^scalars has no value there \(nearest: scalar\)$"),
    ],
)
def test_what_cannot_be_arranged_is_named(text: str, told: str) -> None:
    multiplier = family("csa").design(16)
    machine = Machine(multiplier, Sizes.of(multiplier, 32, "bram"))
    with pytest.raises(ValueError, match=told):
        arrange([read(text)], machine, {"scalar": 16}, FIXED, FORM.kept_places, FORM.places)


@pytest.mark.parametrize("text", ["z = x + y", "for bit in k:\n    z = x + x"])
def test_a_name_without_a_value_is_told_by_a_run_on_integers(text: str) -> None:
    with pytest.raises(ValueError, match="has no value there"):
        run(read(text), {"x": 5}, 97, 16, {})


def test_no_value_gets_a_place_with_a_meaning() -> None:
    """The last three of the adder's: the hardware, or an added operation, writes there."""
    for name in ("csa", "cios"):
        multiplier = family(name).design(16)
        sizes = Sizes.of(multiplier, 32, "bram")
        found = scheduled(multiplier, 16, sizes)
        for one in (found.load, found.main):
            meant = {name for name, place in one.places.items() if place >= (0, FORM.places - 3)
                     and not place[0]}  # fmt: skip
            assert meant == {"nothing'", "Exponent", "Result"}
    text = "\n".join(f"a{k} = u + u" for k in range(9)) + "\n" + "\n".join(
        f"b{k} = a{k} + a{k}" for k in range(9)
    )  # fmt: skip
    with pytest.raises(ValueError, match="no place is left for a7 in bank 0"):
        allocate(single_writers(read(text)), FIXED, FORM.kept_places, FORM.places)


def test_the_page_counts_the_cycles_of_an_operation() -> None:
    """Sums, and products, from beginning to beginning of what reads them."""
    page = (Path(__file__).parents[2] / "docs" / "units" / "curve.md").read_text(encoding="utf-8")
    assert "| sum, difference | Words + 5 |" in page
    assert "| product | the multiplier's latency + 6; where a word is cut into parts, + 7 " in page
    for name, width, chunk in (
        ("cios", 255, 32), ("csa", 16, 32), ("csa", 33, 8), ("array", 40, 8),
    ):  # fmt: skip
        multiplier = family(name).design(width)
        for memory in ("lutram", "bram"):
            sizes = Sizes.of(multiplier, chunk, memory)
            play = Machine(multiplier, sizes).play()
            late = int(memory == "bram")
            begun = play.issue("add", "s", "a", "b")
            assert play.there("s") - begun == sizes.words + 5 + late
            play = Machine(multiplier, sizes).play()
            begun = play.issue("mul", "p", "a", "b")
            more = 6 if sizes.parts == 1 else 7 + sizes.parts
            assert play.there("p") - begun == multiplier.geometry.latency_cycles + more + late


# ----------------------------------------------------------------------------------------------
# Seeded faults in the RTL.
# ----------------------------------------------------------------------------------------------

RTL_SEEDED = [
    ("redc_curve_bits", "now.previous ^ (value & ~now.over)", "value & ~now.over"),
    ("redc_curve_bits", "next.over     = now.ends;", "next.over     = 1'b0;"),
    ("redc_curve_issue", "~sum_awaited & ~product_awaited", "~sum_awaited"),
    ("redc_curve_adder", "less ~^ over_q", "less & 1'b0"),
    ("redc_curve_adder", "less ~^ over_q", "less & over_q"),
    ("redc_curve_adder", "less & ~choose, reduced_carry", "less & ~choose, 1'b0"),
    # An operation that begins while a value it reads, or one it writes, is on its way.
    (
        "redc_curve_pending",
        "held_t'({same_q.are[ask], same_q.will[ask]})",
        "held_t'({same_q.are[ask], 1'b0})",
    ),
    ("redc_curve_pending", "may_i[ask] & (places_q[at] == next_i[ask]);", "1'b0;"),
    ("redc_curve_result", "{range_i, zero_i,", "{range_i, zero_i & 1'b0,"),
    ("redc_curve_result", "{range_i, zero_i,", "{range_i & 1'b0, zero_i,"),
    ("redc_curve_datapath", ".a_i(a), .b_i(b), .done_o", ".a_i(b), .b_i(a), .done_o"),
]


@pytest.mark.parametrize(
    ("file", "right", "wrong"), tiers(RTL_SEEDED, 4), ids=lambda text: text[:30]
)
def test_a_seeded_fault_is_found(file: str, right: str, wrong: str, tmp_path: Path) -> None:
    """By every point and scalar of a small curve, and an operand out of range."""
    one, p, a24 = design("csa", 6, a24=5), 61, 5
    sources = patched_sources(tmp_path, one.sources(), {file: [(right, wrong)]})

    def wrongs(bench: CurveBench) -> bool:
        bench.load(p, a24)
        for u in range(p + 2):
            right_of = list(multiples(u, a24, p, 8)) if u < p else 8 * [0]
            for k in range(8):
                status, result = bench.multiply(u, k)
                expected = Status.RANGE if u >= p else Status.DONE if right_of[k] else Status.ZERO
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


def test_digits_are_those_of_the_number() -> None:
    """Of one without its lowest bit, below a sign of 0 inverted; of two with all bits, which take
    turns."""
    (one,) = read("for digit in windows(k, 3):\n    z = pick(z, x, 5)")
    (both,) = read("for digit in windows(k, l, 2):\n    z = pick(z, x, 5)")
    assert isinstance(one, Loop) and isinstance(both, Loop)
    for bits in range(2, 12):
        for number in (0, 1, (1 << bits) - 1, 0x5B3 % (1 << bits)):
            found = [d if d > 3 else d ^ 3 for d in digits(one, {"k": (number, bits)})]
            assert len(found) == one.iterations({"k": bits}) == -(-(bits - 1) // 3)
            assert sum(d << 3 * at for at, d in enumerate(reversed(found))) == number >> 1
            # The signed digits behind a 1 at the top are the odd number that it is or is below.
            odd = 1 << 3 * len(found)
            odd += sum((2 * d - 7) << 3 * at for at, d in enumerate(reversed(found)))
            assert odd == number | 1
    for first, second in ((0, 0), (0b10110, 0b01101), (31, 0), (0, 31)):
        found = list(digits(both, {"k": (first, 5), "l": (second, 5)}))
        numbers = [0, 0]
        for d in found:
            for which, (high, low) in enumerate(((3, 1), (2, 0))):
                numbers[which] = numbers[which] << 2 | (d >> high & 1) << 1 | d >> low & 1
        assert numbers == [first, second]
