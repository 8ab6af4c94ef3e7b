# SPDX-License-Identifier: Apache-2.0
"""Curve processors with several multipliers: results, cycles, what is left, what is refused."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from curve_simulator import (
    STALLED,
    CurveBench,
    Status,
    cycles_of,
    of_source,
    on_multipliers,
    same_cycles,
    same_cycles_under_stalls,
)

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
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.formulas import PRODUCTS, Loop, Operation, Program
from redcore.units.curve.montgomery import by_chords
from redcore.units.curve.play import Turns
from redcore.units.curve.programmed import scheduled
from redcore.units.curve.schedule import Scheduled

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.studies.faults import CurveFaults, Flip, all_of

pytestmark = pytest.mark.kept

SEVERAL = (2, 3, 4)
PRIME, A24 = 65521, 5
WEIERSTRASS: dict[str, int | str] = {"form": "weierstrass", "a": -3, "b": 9, "order": 65223}
SIGNING: dict[str, int | str] = {
    "form": "weierstrass", "a": -3, "b": 10, "order": 65183, "base_x": 0, "base_y": 25768,
}  # fmt: skip
KUMMER: dict[str, int | str] = {"form": "kummer", "scalar_bits": 30}
OUT_OF_STEP: dict[str, int | str] = {"add_stages": 2, "multipliers": 3}
"""Of csa at 33 bits: jobs leave its multipliers open in other cycles than the first one met."""


def design(multiplier: str, width: int, multipliers: int, **settings: int | str) -> Design:
    return family(f"curve-{multiplier}").design(width, {**settings, "multipliers": multipliers})


def unit_of(one: Design) -> CurveUnit:
    assert isinstance(one.family, CurveUnit)
    return one.family


# ----------------------------------------------------------------------------------------------
# Results and cycles.
# ----------------------------------------------------------------------------------------------


def slow(value: object, is_slow: bool) -> object:
    return pytest.param(*value, marks=[pytest.mark.full] if is_slow else [])  # type: ignore[misc]


@pytest.mark.parametrize(
    ("multiplier", "multipliers"),
    [
        slow((name, count), (name, count) not in (("csa", 2), ("cios", 3), ("csa", 4)))
        for name in ("csa", "cios", "carrychain")
        for count in SEVERAL
    ],
)
def test_every_point_and_scalar_of_a_small_curve(multiplier: str, multipliers: int) -> None:
    """In the cycles that are stated, each."""
    p, a24 = 61, 5
    one = design(multiplier, 6, multipliers, a24=a24)
    jobs = [(u, k, 0) for u in range(p) for k in range(64)]
    with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
        core.load_modulus(p)
        done = core.run(jobs)
    assert not done.faults
    assert done.results == [by_chords(u, k, a24, p) for u, k, _ in jobs]
    assert {b - a for a, b in zip(done.accepted, done.answered, strict=True)} == {
        one.geometry.latency_cycles
    }


SHAPES = [
    *on_multipliers(design(name, 16, 2 + at % 3) for at, name in enumerate(registered())),
    design("csa", 33, 2, chunk=8, memory="lutram"),
    design("csa", 40, 3, stages=3, replicas=2, chunk=16),
    design("cios", 40, 4, word=17, sigma=1, memory="lutram"),
    design("cios", 64, 2, scalar_bits=5),
    design("carrychain", 33, 4, chunk=11),
    design("csa", 4, 2),
    design("cios", 16, 2, **WEIERSTRASS, window=1),
    design("cios", 16, 4, **WEIERSTRASS, window=4),
    design("csa", 16, 3, **SIGNING, task="sign"),
    design("csa", 16, 2, **SIGNING, task="verify", window=4),
    design("cios", 16, 2, **KUMMER),
    design("csa", 16, 4, **KUMMER),
]


@pytest.mark.parametrize("one", SHAPES, ids=Design.label)
def test_products_cycles_and_stalls(one: Design) -> None:
    """Random scalars and points, modulo primes; cycles equal the formula."""
    assert one.geometry.slack_cycles == 0
    result = simulate(one, [], 30, stalls=True)
    assert result.failures() == [] and result.ok


@pytest.mark.parametrize("stalled", STALLED)
@pytest.mark.parametrize(("multiplier", "multipliers"), [("csa", 2), ("cios", 4)])
def test_jobs_take_the_same_cycles(multiplier: str, multipliers: int, stalled: int) -> None:
    one, choose = design(multiplier, 16, multipliers), Random(5)
    jobs = [(choose.randrange(PRIME), choose.randrange(1 << 16)) for _ in range(max(300, stalled))]
    assert sum(map(bool, same_cycles(one, PRIME, jobs, stalled))) > 0.9 * len(jobs)


def test_multipliers_that_come_out_of_step_are_told() -> None:
    """Cycles of a job then follow from the jobs before it, within what is told, not from data."""
    one = family("curve-csa").design(33, OUT_OF_STEP)
    assert one.geometry.slack_cycles > 0 and one.geometry.interval_estimated
    assert family("curve-csa").design(33, {**OUT_OF_STEP, "multipliers": 4}).geometry == (
        design("csa", 33, 4, add_stages=2).geometry
    )
    result = simulate(one, [], 40, stalls=True)
    assert result.failures() == [] and result.ok
    prime, choose = (1 << 33) - 9, Random(7)
    jobs = [(choose.randrange(prime), choose.randrange(1 << 33)) for _ in range(24)]
    right = [one.product(*job, prime) for job in jobs]
    assert same_cycles_under_stalls(one, prime, jobs) == right
    with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
        core.load_modulus(prime)
        done = core.run([(*job, 0) for job in jobs])
    waits = [b - a for a, b in zip(done.accepted, done.answered, strict=True)]
    assert waits[0] == one.geometry.latency_cycles and len(set(waits)) > 1
    assert max(waits) - min(waits) <= one.geometry.slack_cycles


def made(program: Scheduled, one: Design) -> int:
    """Products of a program, the constants that are made of them included."""
    lengths, count = unit_of(one).programs(one.width, one.values).lengths, 0
    for part in program.program:
        if isinstance(part, Loop):
            count += part.iterations(lengths) * sum(each.kind in PRODUCTS for each in part.body)
        elif isinstance(part, Operation):
            count += part.kind in PRODUCTS
    return count


@pytest.mark.parametrize("one", SHAPES, ids=Design.label)
def test_each_multiplier_makes_as_many_products(one: Design) -> None:
    """Behind a reset, a modulus and each job the first one has its turn."""
    multipliers = int(one.values["multipliers"])
    found = unit_of(one).programs(one.width, one.values)
    for program in (found.load, found.main):
        assert made(program, one) % multipliers == 0
    flush = programs.flush(0)
    slots = unit_of(one).multiplier_design(one.width, one.values).geometry.slots
    behind = list(found.main.program[-len(flush) - 2 * slots - 2 * multipliers :])
    products = [part for part in behind if isinstance(part, Operation) and part.kind in PRODUCTS]
    assert len(products) == len(behind) - len(flush) == 2 * (slots + multipliers)


def test_more_multipliers_take_fewer_cycles() -> None:
    """Of named curves; with one all is as it was without the parameter."""
    for name, width, settings in (
        ("x25519", 255, {}),
        ("kummer", 127, {"form": "kummer", "scalar_bits": 251, "sigma": 3}),
    ):
        cycles = [design("cios", width, n, **settings).geometry.latency_cycles for n in (1, 2)]
        assert cycles[1] < 0.84 * cycles[0], name
        plain = family("curve-cios").design(width, settings)
        assert plain.geometry.latency_cycles == cycles[0]
        names = {path.name for path in plain.sources()}
        assert not names & {"redc_mul_several.sv", "redc_curve_turns.sv"}


# ----------------------------------------------------------------------------------------------
# Nothing left, no fault.
# ----------------------------------------------------------------------------------------------


def states(one: Design, when: int | None = None) -> list[dict[str, str]]:
    """All that is held behind each of some jobs, or where a reset cuts them short."""
    found = []
    for u, scalar in ((1234, 0x8765), (4321, 0xFFFF), (0, 0x8765), (PRIME, 2)):
        with CurveBench(one, visible=True) as bench:
            bench.load(PRIME, A24)
            if when is None:
                bench.multiply(u, scalar)
            else:
                assert bench.give(True, [u], [scalar], 100_000)
                bench.wait(when)
                bench.reset()
            bench.wait(4000)
            state = bench.state()
        found.append({name: text for name, text in state.items() if not of_source(name)})
    return found


@pytest.mark.parametrize("when", [None, 1111])
@pytest.mark.parametrize(
    ("multiplier", "multipliers"),
    [
        slow((name, count), name not in ("csa", "cios") or count == 3)
        for name in registered()
        for count in SEVERAL
    ],
)
def test_nothing_of_a_job_is_left(multiplier: str, multipliers: int, when: int | None) -> None:
    """In any multiplier: of a secret, of another one, of what is refused."""
    first, *others = states(design(multiplier, 16, multipliers), when)
    cores = {name.split(".u_mul")[1][0] for name in first if ".u_mul" in name}
    assert cores == {str(number) for number in range(multipliers)}
    for other in others:
        assert [name for name in first if first[name] != other[name]] == []


@pytest.mark.parametrize("multiplier", ["csa", "cios"])
def test_too_few_products_leave_something(multiplier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of constants, for one of three multipliers alone: the comparison finds it."""
    flush: Callable[[int], Program] = programs.flush
    monkeypatch.setattr(programs, "flush", lambda count: flush(1))
    scheduled.cache_clear()
    try:
        one = design(multiplier, 17, 3)
        first, *others = states(one)
        assert any(first != other for other in others)
    finally:
        monkeypatch.undo()
        scheduled.cache_clear()


@pytest.fixture(scope="module", params=[2, pytest.param(3, marks=pytest.mark.full)])
def faults(request: pytest.FixtureRequest) -> Iterator[CurveFaults]:
    with CurveFaults("curve-csa", settings={"multipliers": request.param}) as unit:
        yield unit


def test_a_turned_bit_gives_nothing_that_is_no_point(faults: CurveFaults) -> None:
    """A sample of all registers; the job behind some is right."""
    counts: Counter[str] = Counter()
    for number, flip in enumerate(faults.some(150, seed=11)):
        outcome = faults.outcome(flip)
        counts[outcome] += 1
        if outcome == "reported":
            assert number % 4 or faults.goes_on(), flip
    assert set(counts) == {"masked", "reported"} and counts["masked"] > 80, counts


TURNS = (".u_several.", ".u_turns.")
TAKEN = 400
"""Cycles until a job's operands are taken. Whose turn it is may be lost before: then nothing
answers until another modulus comes (docs/units/curve.md, what is not kept)."""


def test_a_turn_that_is_turned_gives_nothing(faults: CurveFaults) -> None:
    """Whose turn it is, what waits for it: each bit, in many cycles; the next job is right."""
    turns = [one for one in faults.registers if any(part in one.name for part in TURNS)]
    assert len(turns) >= 8
    found: Counter[str] = Counter()
    for register in turns:
        begin = TAKEN + register.number % 397
        for _, outcome, count in all_of(faults, [register], 397, begin):
            found[outcome] += count
        for at in range(register.size):  # before, nothing may answer, and nothing wrong leaves
            early = faults.outcome(Flip(register.number % TAKEN, register, *register.place(at)))
            assert early in {"masked", "reported", "no answer", "out of step"}, register
    assert set(found) == {"masked", "reported"} and found["reported"] > 20, found
    for register in turns:
        for at in range(0 if register.elements > 1 else register.size):
            for cycle in (3000, 3024, 3048):  # whoever's turn it is
                faults.outcome(Flip(cycle, register, *register.place(at)))
                assert faults.goes_on(), (cycle, register.name, at)


# ----------------------------------------------------------------------------------------------
# What is asked for.
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("multipliers", "told"),
    [(0, "multipliers=0 is below 1"), (5, "multipliers=5 is above 4"), (-1, "is below 1")],
)
def test_other_numbers_are_refused(multipliers: int, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        design("cios", 16, multipliers)


def test_a_number_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert redcore(["info", "curve-cios", "--width", "16", "--set", "multipliers=two"]) == 2
    assert "multipliers takes a whole number" in capsys.readouterr().err


def test_copies_are_processors() -> None:
    """Of two multipliers each."""
    one = family("curve-csa").design(16, {"multipliers": 2, "copies": 2})
    result = simulate(one, [], 12, stalls=True)
    assert result.failures() == [] and result.ok


@pytest.mark.full
def test_a_bundle_checks_itself(tmp_path: Path) -> None:
    one = design("csa", 10, 2)
    report = build_bundle(one, modulus("1021"), target("xc5v"), tmp_path / "bundle", vectors=20)
    assert report.passed, report.failure


def test_a_refused_job_is_answered_and_the_next_one_is_right() -> None:
    one = design("cios", 16, 2, a24=A24)
    with CurveBench(one) as bench:
        bench.load(PRIME, A24)
        right = one.product(1234, 0x8765, PRIME)
        for u, status in ((PRIME, Status.RANGE), (0, Status.ZERO)):
            assert bench.multiply(u, 3) == (status, 0)
            assert bench.multiply(1234, 0x8765) == (Status.DONE, right)


def test_openings_of_several_begin_with_whose_turn_it_is() -> None:
    both = Turns([registered()["carrychain"].design(16).pace() for _ in range(2)], 1)
    both.idle_in_step(0)
    assert both.openings(0) == (0, 0) and both.every == 2
    taken, _ = both.take(0)
    first, second = both.openings(taken + 1)
    assert first == 2 and second > first


def test_the_rtl_refuses_no_places() -> None:
    for changed in ({"Copies": 0}, {"Bits": 0}, {"Depth": 0}):
        told = refusal(rtl.sources("redc_curve_turns"), "redc_curve_turns", changed)
        assert told and "redc_curve_turns: " in told, changed
