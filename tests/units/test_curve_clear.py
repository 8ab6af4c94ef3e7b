# SPDX-License-Identifier: Apache-2.0
"""``clear_i`` of ``redc_curve``: nothing of a key is left, whenever it comes, each job that was
taken is answered, by its whole result or by none of it, and the next modulus brings all back."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from curve_simulator import CurveBench, Status, of_jobs
from edwards_curves import SMALL as EDWARDS
from edwards_curves import points as edwards_points

from patched import patched_sources
from redcore.catalogue import family
from redcore.design import Design
from redcore.units.curve.family import CurveUnit

pytestmark = pytest.mark.kept

SMALL: dict[str, int | str] = {"clear": 1, "scalar_bits": 3, "blinding": 3}
POINTS = {"form": "weierstrass", "a": -3, "b": 3}
PRIME, A, D, _ = EDWARDS[0]
SHAPES: dict[str, tuple[str, int, int, dict[str, int | str]]] = {
    "one word": ("csa", 8, 251, {"a24": 5}),
    "in parts": ("csa", 8, 251, {"a24": 5, "chunk": 4}),
    "two words": ("cios", 20, 1048573, {"a24": 5}),
    "a bit at a time": ("interleaved", 8, 251, {"a24": 5}),
    "two multipliers": ("csa", 8, 251, {"a24": 5, "multipliers": 2}),
    "two numbers": ("csa", 8, 251, POINTS),
    "four words": ("cios", 20, 1048573, POINTS),
    "edwards": ("csa", 6, PRIME, {"form": "edwards", "a": A, "b": D}),
}
QUICK = ("one word",)
EVERY = [pytest.param(name, marks=[] if name in QUICK else pytest.mark.full) for name in SHAPES]


def small(name: str) -> tuple[Design, list[int], list[tuple[int, int]]]:
    """A design, its modulus and constants, and two jobs that have results."""
    multiplier, width, prime, more = SHAPES[name]
    design = family(f"curve-{multiplier}").design(width, {**SMALL, **more})
    if "form" not in more:
        return design, [prime, 5], [(9, 5), (200, 7)]
    points = []
    if more["form"] == "edwards":
        points = [(x, y) for x, y in edwards_points(PRIME, A, D) if x and y]
    else:
        points = [(x, y) for x in range(2, 40) for y in range(1, 3000)
                  if (y * y - x**3 + 3 * x - 3) % prime == 0 and y < prime]  # fmt: skip
    if not points:  # roots modulo a prime that is 1 modulo 4 are looked for
        points = [(x, y) for x in range(2, 6) for y in range(1, prime)
                  if (y * y - x**3 + 3 * x - 3) % prime == 0]  # fmt: skip
    unit = design.family
    assert isinstance(unit, CurveUnit)
    joined = [unit.joined(width, design.values, each) for each in points]
    jobs = [(point, k) for point, k in zip(joined, (5, 7), strict=False)]
    assert len(jobs) == 2 and all(design.product(*job, prime) for job in jobs)
    return design, [prime, D if more["form"] == "edwards" else 3], jobs


def over(design: Design) -> int:
    """Cycles in which a job, and what is overwritten behind it, has ended."""
    return int(design.geometry.interval_cycles) + 4 * design.geometry.beats + 8


@pytest.mark.parametrize("stalls", [False, True], ids=["prompt", "stalls"])
@pytest.mark.parametrize("name", EVERY)
def test_a_clear_in_each_cycle_of_a_job(name: str, stalls: bool) -> None:
    """Its answer is its result or zeros, whole; without stalls it is the result once a word is
    offered. What follows without a modulus has none; with it all is as ever."""
    design, loads, (job, other) = small(name)
    right, others = (design.product(*each, loads[0]) for each in (job, other))
    found = []
    with CurveBench(design, jobs=2 * over(design)) as bench:
        for when in range(over(design) * (2 if stalls else 1)):
            bench.load(*loads)
            bench.wait(over(design))
            found.append(bench.cleared(*job, when, stalls))
            assert found[-1] in ((Status.DONE, right), (Status.FAULT, 0)), when
            if when % 16 == 0:
                assert bench.multiply(*other) == (Status.FAULT, 0), when
                bench.load(*loads)
                assert bench.multiply(*other) == (Status.DONE, others), when
    assert found[0][0] is Status.FAULT and found[-1][0] is Status.DONE
    if not stalls:
        done = [status is Status.DONE for status, _ in found]
        first = done.index(True)
        assert all(done[first:])
        assert abs(first - design.geometry.latency_cycles) <= 2 * design.geometry.beats + 2


@pytest.mark.parametrize("stalls", [False, True], ids=["prompt", "stalls"])
@pytest.mark.parametrize("name", EVERY)
def test_a_clear_in_each_cycle_of_a_modulus(name: str, stalls: bool) -> None:
    """A modulus that comes behind it is there, one that had begun is lost or was there, and the
    next one is right."""
    design, loads, (job, _) = small(name)
    right = design.product(*job, loads[0])
    found = []
    with CurveBench(design, jobs=2 * over(design)) as bench:
        bench.load(*loads)
        assert bench.multiply(*job) == (Status.DONE, right)
        comes = 12 * len(loads) * design.geometry.beats + 30
        for when in (*range(comes), *range(comes, over(design), 5)):
            bench.load_cleared(when, stalls, *loads)
            found.append(bench.multiply(*job))
            assert found[-1] in ((Status.DONE, right), (Status.FAULT, 0)), when
            bench.load(*loads)
            assert bench.multiply(*job) == (Status.DONE, right), when
    if not stalls:  # offered in the cycle behind the clear it is not lost
        assert found[-1][0] is Status.FAULT
    with CurveBench(design, jobs=2 * over(design)) as bench:
        bench.load(*loads)
        bench.clear()
        bench.load(*loads)
        assert bench.multiply(*job) == (Status.DONE, right)


@pytest.mark.parametrize("name", ["one word", "in parts", "two words"])
def test_a_clear_before_a_word_of_a_modulus_is_taken_loses_nothing(name: str) -> None:
    """All values are overwritten then, a word a cycle, and are so again while the modulus waits."""
    design, loads, (job, _) = small(name)
    right = design.product(*job, loads[0])
    assert isinstance(design.family, CurveUnit)
    written = design.family.written(design.width, design.values)
    overwritten = written.text.places * written.sizes.words
    with CurveBench(design, jobs=2 * over(design)) as bench:
        for when in (*range(overwritten), overwritten + 20):
            bench.load(*loads)
            bench.wait(over(design))
            bench.load_cleared(when, False, *loads)
            answer = (Status.DONE, right) if when < overwritten else (Status.FAULT, 0)
            assert bench.multiply(*job) == answer, when


def left(bench: CurveBench, small_one: tuple[Design, list[int], list[tuple[int, int]]], when: int,
         taken: bool) -> list[str]:  # fmt: skip
    """What differs between both jobs, long after a clear ``when`` cycles into them; their answers
    wait until all is overwritten, and then are taken or not."""
    design, loads, jobs = small_one
    found = []
    for job in jobs:
        bench.reset()
        bench.load(*loads)
        assert bench.give(True, [job[0]], [job[1]], 100_000)
        bench.wait(when)
        bench.clear()
        bench.wait(over(design))
        if taken:
            answer = bench.take()
            assert answer in ((Status.FAULT, 0), (Status.DONE, design.product(*job, loads[0])))
            bench.wait(over(design))
        found.append(of_jobs(bench.state()))
    return [name for name in found[0] if found[0][name] != found[1][name]]


STEPS = [
    pytest.param(name, step, marks=[] if step > 1 else pytest.mark.full)
    for name in SHAPES
    for step in (1, 31)
    if step == 1 or name in (*QUICK, "edwards")
]


@pytest.mark.parametrize("taken", [True, False], ids=["taken", "held back"])
@pytest.mark.parametrize(("name", "step"), STEPS)
def test_nothing_of_a_key_is_left(name: str, step: int, taken: bool) -> None:
    """Each register and memory word is the same behind two jobs, in whichever cycle the clear
    comes; while nobody takes the answer, too, unless that is one that was leaving."""
    small_one = design, *_ = small(name)
    leaves = design.geometry.latency_cycles - 2 * design.geometry.beats - 4
    end = over(design) if taken else leaves
    with CurveBench(design, visible=True) as bench:
        for when in sorted({*range(0, end, step), *range(12), *range(leaves - 12, end)}):
            assert left(bench, small_one, when, taken) == [], when


@pytest.mark.full
@pytest.mark.parametrize("taken", [True, False], ids=["taken", "held back"])
@pytest.mark.parametrize("multiplier", ["csa", "cios", "barrett", "fold", "solinas"])
def test_nothing_of_a_longer_key_is_left(multiplier: str, taken: bool) -> None:
    design = family(f"curve-{multiplier}").design(16, {"clear": 1, "a24": 5})
    own = design.family.known_moduli(16, design.values) if design.family.one_modulus else [65521]
    small_one = design, [own[0], 5], [(4321, 0xFFFF), (1234, 0x8765)]
    leaves = design.geometry.latency_cycles - 2 * design.geometry.beats - 4
    choose = Random(5)
    with CurveBench(design, visible=True) as bench:
        for when in (choose.randrange(leaves) for _ in range(30)):
            assert left(bench, small_one, when, taken) == [], when


# File, text and what stands there instead, in which a clear is not one.
SEEDED = {
    "it answers first, as behind a fault": (
        "(now.owed & ~now.clear) ? StSend", "now.owed ? StSend",
    ),
    "it is taken for a fault while an answer leaves": (
        "| (now.clear & ~now.state[StSend])", "| now.clear",
    ),
    "the answer that is owed is forgotten": ("now.owed ? StSend : StIdle", "StIdle"),
    "a modulus overtakes it": (
        "(now.fault | now.clear) & ~now.taken", "now.fault & ~now.taken & ~mod_waits_i",
    ),
}  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("shape", ["one word", "edwards"])
@pytest.mark.parametrize("name", SEEDED)
def test_seeded_faults_are_found(name: str, shape: str, tmp_path: Path) -> None:
    design, loads, jobs = small(shape)
    patches = {"redc_curve_control": [SEEDED[name]]}
    sources = patched_sources(tmp_path, design.sources(), patches)
    result = design.product(*jobs[0], loads[0])
    end = over(design)
    with CurveBench(design, sources=sources, visible=True) as bench:
        found = False
        for when in (500, design.geometry.latency_cycles - 2, *range(end - 25, end)):
            if when == 500:
                found |= bool(left(bench, (design, loads, jobs), when, False))
            bench.reset()
            bench.load(*loads)
            bench.wait(end)
            try:
                bench.cleared(*jobs[0], when, held=60)
                bench.wait(end)
                found |= bench.multiply(*jobs[0])[0] is not Status.FAULT
                bench.load(*loads)
                found |= bench.multiply(*jobs[0]) != (Status.DONE, result)
                bench.clear()
                bench.load(*loads)
                found |= bench.multiply(*jobs[0]) != (Status.DONE, result)
            except AssertionError:
                found = True
    assert found


def test_registers_have_their_own() -> None:
    """CONTROL.reset; clear=1 is refused there."""
    one = family("curve-csa")
    values = {"clear": 1, "bus": "apb"}
    assert one.reasons(16, one.design(16).values | values)
