# SPDX-License-Identifier: Apache-2.0
"""The tuner on curves, whose cycles take long to know: it ranks by what no schedule beats."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from redcore.catalogue import family, general, on
from redcore.design import Design, Geometry, Value
from redcore.explore import (
    Constraints,
    Explained,
    Figures,
    Objective,
    ToolRun,
    TuneRequest,
    called,
    tune,
    what_is_left_out,
)
from redcore.explore.belief import Belief, package_model
from redcore.explore.promising import promising
from redcore.explore.space import families_of, grid_of, neighbours
from redcore.explore.tune import _Search
from redcore.synthesize import target
from redcore.units.base import Unit
from redcore.units.curve import programmed
from redcore.units.curve.play import Machine
from redcore.units.curve.schedule import arrange
from stand_in_bench import StandIn

pytestmark = pytest.mark.kept

Forms = tuple[tuple[int, dict[str, Value]], ...]
"""Widths, and what is fixed."""
TARGET = target("ecp5-85k")
FORMS: Forms = (
    (255, {}),
    (256, {"form": "weierstrass"}),
    (256, {"form": "weierstrass", "task": "sign"}),
    (255, {"form": "edwards"}),
    (127, {"form": "kummer"}),
    (96, {}),
    (64, {"form": "weierstrass"}),
)


def drawn(forms: Forms, count: int, seed: int) -> list[Design]:
    """Designs of any form, on any multiplier's design."""
    chance = random.Random(seed)
    found: list[Design] = []
    while len(found) < count:
        width, fixed = chance.choice(forms)
        multiplier = chance.choice(general())
        grid = grid_of(family(multiplier), width)
        if not grid:
            continue
        inner = {n: v for n, v in chance.choice(grid).settings if n not in ("moduli", "checks")}
        own = {
            "memory": chance.choice(("lutram", "bram")),
            "chunk": chance.choice((16, 32, 64)),
            "multipliers": chance.choice((1, 1, 1, 2, 3, 4)),
        }
        unit = family(f"curve-{multiplier}")
        if not unit.reasons(width, inner | fixed | own):
            found.append(unit.design(width, inner | fixed | own))
    return found


def bounded(design: Design) -> float:
    """By how much the latency is above the outlook's, as a part of that; it may not be below."""
    quick, exact = design.outlook, design.geometry
    assert quick.at_least and not exact.at_least
    assert quick.latency_cycles <= exact.latency_cycles, design.command_line()
    assert quick.interval_cycles <= exact.interval_cycles, design.command_line()
    assert (quick.word_bits, quick.beats, quick.modulus_beats) == (
        exact.word_bits,
        exact.beats,
        exact.modulus_beats,
    )
    unit: Any = design.family
    written = unit.written(design.width, design.values)
    assert written.length == len(unit.programs(design.width, design.values).instructions)
    return exact.latency_cycles / quick.latency_cycles - 1


def test_no_schedule_beats_the_outlook() -> None:
    small: Forms = ((16, {}), (24, {}), (16, {"form": "weierstrass", "order": 0}))
    gaps = [bounded(design) for design in drawn(small, 10, seed=1)]
    assert max(gaps) < 0.6


@pytest.mark.full
def test_no_schedule_of_a_named_curve_beats_the_outlook() -> None:
    """docs/units/curve.md says what this prints."""
    gaps = sorted(bounded(design) for design in drawn(FORMS, 110, seed=7))
    print(f"median {gaps[55]:.1%}, nine of ten below {gaps[99]:.1%}, at most {gaps[-1]:.1%}")
    assert gaps[55] < 0.05 and gaps[-1] < 0.3


def test_results_of_several_multipliers_wait_outside() -> None:
    """The bound was 14 % above the cycles: as of copies behind the contract's face, whose cores
    wait for each other's results to leave."""
    unit: Any = family("curve-productscan")
    design = unit.design(64, {"digit": 4, "multipliers": 3})
    three = unit.multiplier_design(64, design.values)
    machine = Machine(three, unit.written(64, design.values).sizes)
    one = design.family.inside(64, design.values)[0].geometry.interval_cycles
    assert machine.interval == one / 3 < three.geometry.interval_cycles
    bounded(design)


def measured(job: ToolRun) -> Figures:
    """Cells and a clock that anything else knows nothing of."""
    scatter = random.Random(job.design.label())
    lut = 900 + 20 * int(job.design.values["chunk"]) + scatter.randrange(400)
    resources = Figures(lut=lut, lut_in_all=lut, ff=lut)
    return Figures.at_clock(job.design, resources, 150 + scatter.randrange(40), "placed")


@pytest.fixture
def schedules(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Grows by one for each program that is scheduled; none is known at first."""
    counted: list[int] = []

    def counting(*args: Any) -> Any:
        counted.append(1)
        return arrange(*args)

    monkeypatch.setattr(programmed, "arrange", counting)
    programmed.scheduled.cache_clear()
    yield counted
    programmed.scheduled.cache_clear()


def request(**of: Any) -> TuneRequest:
    return TuneRequest(24, TARGET, "curve", families=["cios", "csa"], **of)


def believed(design: Design) -> tuple[Figures, bool]:
    """Cells by the parameters' names alone."""
    lut = 900 + sum(map(ord, design.label())) % 400
    resources = Figures(lut=lut, lut_in_all=lut, ff=lut)
    return Figures.at_clock(design, resources, 150, "model", design.outlook), True


@pytest.mark.parametrize("form", ["edwards", "weierstrass", "kummer", "montgomery"])
def test_a_search_has_the_defaults_of_the_form(form: str) -> None:
    """Edwards curves had the coefficients of P-256, and the ladder."""
    unit = family("curve-cios")
    width = 127 if form == "kummer" else 256
    found = promising("curve", width, TARGET, believed, ["cios"], {"form": [form]})
    usual = unit.complete(width, {"form": form})
    told = ("a", "b", "order", "window", "scalar_bits", "base_x", "theta_a", "scalar_blinding")
    assert found
    for each in found:
        assert {name: each.values[name] for name in told} == {name: usual[name] for name in told}
    for each in neighbours(found[0], {"form": [form]}):
        assert {name: each.values[name] for name in told} == {name: usual[name] for name in told}


@pytest.mark.parametrize(
    ("name", "built"),
    [
        ("x25519", {"fold"}),
        ("p256", {"solinas"}),
        ("secp256k1", {"fold"}),
        ("p521", {"fold", "solinas"}),
        ("brainpoolp256r1", set()),
        ("ed448", {"solinas"}),
    ],
)
def test_a_named_curve_brings_multipliers_of_its_prime(name: str, built: set[str]) -> None:
    named, values = called("curve", name, None, {})
    chosen = families_of("curve", None, named.width, named.modulus)
    assert {each.name.removeprefix("curve-") for each in chosen} - {*general()} == built
    for multiplier in built:
        found = promising(
            "curve", named.width, TARGET, believed, None, values, f"curve-{multiplier}",
            named.modulus,
        )  # fmt: skip
        assert found
        for each in found:
            assert not each.family.modulus_reason(each.width, each.values, named.modulus)
            assert isinstance(each.family, Unit)
            known = each.family.recognized(each.width, each.values)
            assert known is not None and known.name == name
    assert "built for one modulus" not in what_is_left_out("curve", named.width, None, 7)


def test_every_named_curve_is_recognized_by_its_parameters() -> None:
    unit = on("curve", "cios")
    for name in unit.titles():
        named = unit.called(name, {})
        design = unit.design(named.width, named.settings)
        known = unit.recognized(named.width, design.values)
        assert known is not None and known.name == name
        assert not unit.modulus_reason(named.width, design.values, named.modulus)
    assert unit.recognized(64, unit.design(64).values) is None


def test_nothing_is_scheduled_before_the_models_answer(
    schedules: list[int], tmp_path: Path
) -> None:
    """It took a minute of the processor before anything was said."""
    when: list[tuple[int, str]] = []

    def tell(event: Any) -> None:
        if isinstance(event, Explained):
            when.append((len(schedules), event.text))

    found = tune(request(), tell, bench=StandIn(tmp_path, truth=measured))
    assert when[0][0] == 0 and "at best: its cycles are a bound" in when[0][1]
    assert when[1][0] > 0 and when[1][1].startswith("with cycles that are counted ")
    assert "at best" not in when[1][1]
    # two programs of a design: of what was looked at closely, and no more
    assert len(schedules) < sum(found.space.values())
    keys = json.loads(json.dumps(found.to_json()))
    assert found.chosen is not None
    geometry = found.chosen.design.geometry
    assert keys["chosen"]["latency_cycles"] == geometry.latency_cycles
    assert keys["chosen"]["cycles_at_least"] is False
    assert not any(each["cycles_at_least"] for each in keys["candidates"] if each["measured"])


@pytest.mark.parametrize(
    ("objective", "most"),
    [
        ("latency", 4),
        pytest.param("throughput", None, marks=pytest.mark.full),
        pytest.param("throughput-per-area", None, marks=pytest.mark.full),
    ],
)
def test_the_answer_is_that_of_exact_cycles(
    objective: str, most: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = request(objective=Objective.parse(objective), constraints=Constraints(max_dsp=most))
    one, other = (StandIn(tmp_path / name, truth=measured) for name in ("bounds", "cycles"))
    for bench in (one, other):
        bench.folder.mkdir()
    by_bounds = tune(asked, bench=one)
    monkeypatch.setattr(Belief, "geometry", exact_of)
    by_cycles = tune(asked, bench=other)
    assert by_bounds.chosen is not None and by_cycles.chosen is not None
    assert by_bounds.chosen.design == by_cycles.chosen.design
    assert by_bounds.chosen.measured == by_cycles.chosen.measured


def exact_of(belief: Belief, design: Design) -> Geometry:
    return design.geometry


def test_what_is_asked_to_be_exact_stays_first() -> None:
    """Of designs with bounds the first with its own cycles is first of all with theirs."""
    search = _Search(request(), lambda event: None, threading.Event(), package_model())
    search.rank()
    theirs = [each for kin in search.ranked.values() for each in kin if search.possible(each)]
    assert all(each.at_least for each in theirs)
    first = search.exact(theirs, search._promise)[0]
    assert not first.at_least and first.middle.ops_per_second
    rate = first.middle.fmax_mhz or 0.0
    cycles = first.design.geometry.interval_cycles
    assert first.middle.ops_per_second == pytest.approx(rate * 1e6 / float(cycles))
    for each in theirs[:40]:
        search.belief.be_exact(each.design)
        assert search._promise(search.consider(each.design)) <= search._promise(first)
