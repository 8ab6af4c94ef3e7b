# SPDX-License-Identifier: Apache-2.0
"""The tuner against exhaustive search, on spaces whose truth is a formula with scatter."""

from __future__ import annotations

import json
import math
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

import pytest

from netlists import multipliers
from redcore.catalogue import design_of, family
from redcore.design import Design, Value
from redcore.errors import BadInput
from redcore.explore import (
    Constraints,
    Event,
    Explained,
    Figures,
    Finished,
    Objective,
    ToolRun,
    TuneRequest,
    TuneResult,
    best_of,
    explore,
    space,
    tune,
)
from redcore.explore.belief import NOISE, Belief, Guess, counted, from_model, likeness
from redcore.explore.filling import one_more, room_for, so_many, to_be_placed
from redcore.explore.objective import equivalent_area
from redcore.model import Estimate, Prediction
from redcore.model import predict as package_predict
from redcore.synthesize import Target, target
from redcore.synthesize.dsp_blocks import crowding
from stand_in_bench import Keeping, StandIn, formula

pytestmark = pytest.mark.kept

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
TARGET = target("ecp5-85k")
AREA_ONLY = target("xc5vlx50t")
GRID = {
    "stages": list(range(1, 9)),
    "replicas": list(range(1, 9)),
    "add_stages": [4],
    "final_sub": [1],
}
CSA = space("mul", 64, ["csa"], GRID)
CROWDED = crowding(multipliers(157, lambda index: {"CE0": 10 + index}), "top", TARGET)
MANY = [
    *CSA,
    *space("mul", 64, ["systolic", "interleaved"]),
    *space("mul", 64, ["carrychain"], {"word": [8, 16, 32, 64]}),
]


@dataclass
class Memory:
    """A bench that keeps its figures in memory."""

    truth: Callable[[ToolRun], Figures] = formula
    measured: dict[ToolRun, Figures] = field(default_factory=dict)

    def known(self, job: ToolRun) -> Figures | None:
        return self.measured.get(job)

    def measure(self, job: ToolRun, stop: threading.Event) -> Figures:
        self.measured[job] = self.truth(job)
        return self.measured[job]

    def export(self, job: ToolRun) -> object:
        raise AssertionError("only workers elsewhere export, and everything runs here")

    def accept(self, job: ToolRun, exported: object) -> None:
        raise AssertionError("only what workers elsewhere export is accepted")


def around(value: float, share: float) -> Estimate:
    return Estimate(value, value * (1 - share), value * (1 + share))


def model(bias: float = 1.0, share: float = 0.1) -> Callable[[Design, Target], Prediction]:
    """The stand-in's formula without its scatter, off by a factor, sure within ``share``."""

    def predict(design: Design, target: Target) -> Prediction:
        values = design.values
        rows = int(values.get("stages", 1)) * int(values.get("replicas", 1))
        lut = design.width * (3 + 2 * rows) * bias
        clock = 300 / (1 + 0.25 * (int(values.get("replicas", 1)) - 1)) / bias
        none = Estimate(0.0, 0.0, 0.0)
        return Prediction(
            lut=around(lut, share),
            ff=around(1.2 * lut, share),
            carry=none,
            dsp=none,
            bram=none,
            lut_in_all=around(lut, share),
            fmax_mhz=around(clock, share),
            time_per_op_ns=None,
            ops_per_second=None,
            extrapolates=(),
            basis="the formula",
        )

    return predict


def no_model(design: Design, target: Target) -> None:
    return None


def searched(
    designs: list[Design],
    objective: str,
    constraints: Constraints | None = None,
    predictor: Callable[[Design, Target], Prediction | None] | None = None,
    **more: object,
) -> tuple[TuneResult, Memory]:
    bench = Memory()
    request = TuneRequest(
        64,
        TARGET,
        objective=Objective.parse(objective),
        constraints=constraints or Constraints(),
        designs=designs,
        jobs=1,
        **more,  # type: ignore[arg-type]
    )
    return tune(request, predictor=predictor or model(), bench=bench), bench


def test_what_has_too_many_controls_for_the_blocks_is_tried_once() -> None:
    """Designs of the family with as many multipliers are then left; those with fewer are not."""

    def dsp_of(design: Design) -> int:
        return 19 * int(design.values["stages"])

    def truth(job: ToolRun) -> Figures:
        found = replace(formula(job), dsp=dsp_of(job.design))
        return replace(found, failure=CROWDED, clock=None) if found.dsp >= 19 * 6 else found

    def predict(design: Design, device: Target) -> Prediction:
        found, dsp = model()(design, device), float(dsp_of(design))
        assert isinstance(found, Prediction)
        return replace(found, dsp=Estimate(dsp, dsp, dsp))

    assert CROWDED
    bench = Memory(truth)
    request = TuneRequest(64, TARGET, designs=CSA, jobs=1)
    result = tune(request, predictor=predict, bench=bench)
    # more stages are faster: the model leads to eight of them, then to seven, then to six
    failed = [job.design.values["stages"] for job in bench.measured if truth(job).failure]
    assert failed == [8, 7, 6]
    assert result.chosen is not None
    assert result.chosen.design.values["stages"] == 5
    assert any(each.endswith(f"left: {CROWDED}") for each in result.explanations)


def shortfall(result: TuneResult) -> float:
    """How much worse the choice is than the best of all, as a part."""
    request = result.request
    assert request.designs is not None
    points = explore(request.designs, TARGET, bench=Memory()).points
    best = best_of(points, request.objective, request.constraints)
    assert best is not None
    assert best.measured is not None
    assert result.chosen is not None
    assert result.chosen.measured is not None
    ideal = request.objective.score(best.measured, TARGET)
    found = request.objective.score(result.chosen.measured, TARGET)
    assert ideal is not None
    assert found is not None
    return 1 - math.exp(found - ideal)


OBJECTIVES = ("throughput", "latency", "area", "throughput-per-area", "throughput=1,area=0.5")
LIMITS = (
    Constraints(),
    Constraints(max_lut=2000),
    Constraints(min_freq_mhz=200.0),
    Constraints(max_lut=5000, min_freq_mhz=150.0),
)


@pytest.mark.parametrize(("objective", "constraints"), list(product(OBJECTIVES, LIMITS)))
def test_a_tenth_of_the_syntheses_comes_within_three_percent(
    objective: str, constraints: Constraints
) -> None:
    result, bench = searched(CSA, objective, constraints, max_syntheses=len(CSA) // 10)
    assert shortfall(result) <= 0.03
    placed = {job.design for job in bench.measured}
    assert len(placed) == result.syntheses_run <= len(CSA) // 10
    assert result.chosen is not None
    assert not constraints.broken(result.chosen.measured or Figures(), TARGET)


@pytest.mark.parametrize("bias", [0.4, 2.5])
def test_a_model_that_is_off_is_corrected_and_believed_less(bias: float) -> None:
    """It says 5 % and is off by 150 %: the chosen design is as good, and a design that fits is
    found though the model has none. Without the doubt it is worse by a third."""
    result, _ = searched(CSA, "throughput", predictor=model(bias, 0.05), max_syntheses=10)
    assert shortfall(result) <= 0.03
    tight = Constraints(max_lut=1000, min_freq_mhz=230.0)
    result, _ = searched(CSA, "throughput", tight, predictor=model(bias, 0.05), max_syntheses=10)
    assert result.chosen is not None
    assert shortfall(result) <= 0.03


def unsure(designs_with: int, stale: bool = False) -> Callable[[Design, Target], Prediction]:
    """The formula, but far too good for so many stages, which the model says it has not seen."""

    def predict(design: Design, target: Target) -> Prediction:
        said = model()(design, target)
        assert isinstance(said, Prediction) and said.fmax_mhz
        if design.values["stages"] == designs_with:
            clock = around(said.fmax_mhz.value * 1.1, 0.4)
            said = replace(said, fmax_mhz=clock, extrapolates=("more stages than calibrated",))
        return replace(said, stale=stale)

    return predict


def test_what_the_model_knows_comes_before_what_it_extrapolates() -> None:
    """The extrapolation promises most, is measured after what is known, and is marked as such."""
    most = max(GRID["stages"])
    result, bench = searched(CSA, "throughput", predictor=unsure(most))
    first = next(iter(bench.measured)).design
    assert first.values["stages"] != most
    assert "(extrapolated)" not in result.explanations[0]
    later = [each for each in result.points if each.design.values["stages"] == most]
    assert later, "it may still be the best, so it is measured before it is left"
    told = [each for each in result.explanations if "stages=8" in each and "measured" in each]
    assert told and all("(extrapolated)" in each for each in told)
    candidates = result.to_json()["candidates"]
    assert {bool(each["predicted"]["extrapolates"]) for each in candidates} == {True, False}


def test_a_model_of_older_rtl_is_told() -> None:
    result, _ = searched(CSA, "throughput", predictor=unsure(8, stale=True))
    assert any("the model of csa is of older RTL" in each for each in result.explanations)
    assert all(each["predicted"]["stale"] for each in result.to_json()["candidates"])
    result, _ = searched(CSA, "throughput")
    assert not any("older RTL" in each for each in result.explanations)


def test_a_clock_that_no_model_has_is_called_a_guess() -> None:
    def areas_alone(design: Design, target: Target) -> Prediction:
        return replace(model()(design, target), fmax_mhz=None)  # type: ignore[type-var]

    result, _ = searched(CSA, "throughput", predictor=areas_alone)
    assert "(clock guessed)" in result.explanations[0]


def test_without_any_model_the_runs_alone_decide() -> None:
    result, _ = searched(CSA, "throughput", predictor=no_model, max_syntheses=16)
    assert shortfall(result) <= 0.05
    assert "no model" in result.basis["csa"]


def test_a_confirmed_optimum_is_the_best_of_all_but_for_the_scatter() -> None:
    def exact(job: ToolRun) -> Figures:
        predicted = model(share=0.02)(job.design, TARGET)
        lut = round(predicted.lut_in_all.value)
        clock = predicted.fmax_mhz
        assert clock is not None
        return Figures.at_clock(job.design, Figures(lut=lut, lut_in_all=lut), clock.value, "placed")

    bench = Memory(exact)
    request = TuneRequest(64, TARGET, designs=CSA, jobs=1, max_syntheses=30)
    result = tune(request, predictor=model(share=0.02), bench=bench)
    assert result.confirmed
    assert result.headroom is not None
    assert result.headroom <= 0.01
    points = explore(CSA, TARGET, bench=Memory(exact)).points
    best = best_of(points, Objective.parse("throughput"))
    assert best is not None
    assert result.chosen is not None
    assert result.chosen.measured == best.measured
    assert "no other design can be more than 1% better" in result.explanations[-1]


def test_equal_requests_give_equal_answers() -> None:
    one, _ = searched(MANY, "throughput-per-area")
    other, _ = searched(MANY, "throughput-per-area")
    assert one.explanations == other.explanations


def test_what_is_known_costs_no_synthesis(tmp_path: Path) -> None:
    bench = Keeping(tmp_path)
    request = TuneRequest(64, TARGET, designs=CSA, jobs=2)
    first = tune(request, predictor=model(), bench=bench)
    again = tune(request, predictor=model(), bench=bench)
    assert first.syntheses_run > 0
    assert again.syntheses_run == 0
    assert again.chosen is not None
    assert first.chosen is not None
    assert again.chosen.design == first.chosen.design
    assert any("known from before" in each for each in again.explanations)


# Explanations -------------------------------------------------------------------------------------


def test_every_family_that_is_left_has_its_reason() -> None:
    result, _ = searched(MANY, "throughput")
    text = "\n".join(result.explanations)
    for name in ("carrychain", "interleaved", "systolic"):
        assert f"{name} left: at most" in text
    slow, _ = searched(
        MANY, "throughput", Constraints(min_freq_mhz=200.0), model_with_slow_systolic
    )
    text = "\n".join(slow.explanations)
    end = r"at the better end of the model's error bars \(expected: ([\d,]+)\)"
    assert re.search(
        f"systolic left: cannot reach 200 MHz at 64 bits, at most 91 {end}$", text, re.M
    )
    large, _ = searched(MANY, "area", Constraints(max_ff=0), model())
    text = "\n".join(large.explanations)
    told = re.search(f"systolic left: needs 338 flip-flops or more at 64 bits {end}, above", text)
    # the figure that would fit, where it is the one family
    alone, _ = searched([each for each in MANY if each.family.name == "systolic"], "area",
                        Constraints(max_ff=0))  # fmt: skip
    assert told and f"at least {told[1]} flip-flops instead of 0" in str(alone.failure)


def model_with_slow_systolic(design: Design, target: Target) -> Prediction:
    bias = 0.25 if design.family.name == "systolic" else 1.0
    found = model()(design, target)
    assert isinstance(found, Prediction)
    assert found.fmax_mhz is not None
    return Prediction(**{**vars(found), "fmax_mhz": found.fmax_mhz.scaled(bias * 80 / 75)})


def test_each_measurement_is_told_with_what_was_expected() -> None:
    told: list[Event] = []
    bench = Memory()
    request = TuneRequest(64, TARGET, designs=CSA, jobs=1)
    result = tune(request, told.append, predictor=model(), bench=bench)
    sentences = [each.text for each in told if isinstance(each, Explained)]
    assert tuple(sentences) == result.explanations
    measured = [each for each in sentences if " measured: " in each]
    assert len(measured) == result.syntheses_run
    assert all("against what was expected" in each for each in measured)


# Nothing fits -------------------------------------------------------------------------------------


@pytest.mark.parametrize("predictor", [model(), model(1.6), no_model])
def test_the_constraint_that_binds_is_named_with_what_it_would_take(
    predictor: Callable[[Design, Target], Prediction | None],
) -> None:
    """By exhaustive search: the smallest design of all is what another limit has to admit."""
    points = explore(CSA, TARGET, bench=Memory()).points
    least = min(p.measured.lut_in_all for p in points if p.measured)
    result, bench = searched(
        CSA, "throughput", Constraints(max_lut=100), predictor, max_syntheses=7
    )
    assert result.chosen is None
    assert [each.limit.metric for each in result.binding] == ["lut"]
    assert result.binding[0].needed == least
    assert result.binding[0].point.measured is not None
    assert result.failure is not None
    assert f"with --max-lut at least {least:,} LUTs instead of 100, csa" in result.failure
    assert result.nearest is not None
    assert result.nearest.measured is not None
    assert len(bench.measured) < len(CSA) / 4


def test_a_spent_budget_is_told_from_nothing_that_fits() -> None:
    """A model that is off leads it astray until the syntheses are used up: no verdict then."""

    def hopeful(design: Design, target: Target) -> Prediction:
        found = model(share=0.5)(design, target)
        assert isinstance(found, Prediction)
        assert found.fmax_mhz is not None
        return Prediction(**{**vars(found), "fmax_mhz": found.fmax_mhz.scaled(1.5)})

    asked = Constraints(min_freq_mhz=330.0)
    result, bench = searched(CSA, "throughput", asked, hopeful, max_syntheses=2)
    assert result.chosen is None
    assert result.spent
    assert result.binding == ()
    assert result.syntheses_run == len(bench.measured) == 2
    assert "--max-syntheses allows more" in str(result.failure)


def test_two_constraints_that_only_clash_together_are_both_named() -> None:
    """No design is this fast within the area; either alone could give way."""
    asked = Constraints(max_lut=400, min_freq_mhz=310.0)
    result, _ = searched(CSA, "throughput", asked)
    assert result.chosen is None
    exact = explore(CSA, TARGET, bench=Memory()).points
    alone = {
        "lut": any(p.measured and p.measured.lut_in_all <= 400 for p in exact),
        "clock": any(p.measured and (p.measured.fmax_mhz or 0) >= 310 for p in exact),
    }
    # with the clock dropped something fits; with the area dropped only where the clock can be had
    assert {each.limit.metric for each in result.binding} == {
        other for other, has in (("lut", alone["clock"]), ("clock", alone["lut"])) if has
    }
    assert result.binding


def test_where_no_single_constraint_helps_the_nearest_is_told() -> None:
    result, _ = searched(CSA, "throughput", Constraints(max_lut=100, max_ff=100))
    assert result.chosen is None
    assert result.binding == ()
    assert result.failure is not None
    assert "whichever single constraint is dropped; nearest is csa" in result.failure
    assert result.to_json()["nearest"]["measured"]["lut_in_all"] < 400


def test_a_clock_is_needed_where_one_is_asked_for() -> None:
    """A target without place and route and without an estimate has no clock to keep."""

    def without(job: ToolRun) -> Figures:
        found = formula(job)
        return Figures(lut=found.lut, lut_in_all=found.lut_in_all, ff=found.ff)

    request = TuneRequest(64, AREA_ONLY, designs=CSA, jobs=1)
    result = tune(request, predictor=no_model, bench=Memory(without))
    assert result.chosen is None
    modelled = tune(request, predictor=model(), bench=Memory(without))
    assert modelled.chosen is not None
    assert modelled.chosen.measured is not None
    assert modelled.chosen.measured.clock == "model"
    assert any("MHz (by the model)" in each for each in modelled.explanations)
    area = TuneRequest(64, AREA_ONLY, designs=CSA, objective=Objective.parse("area"), jobs=1)
    assert tune(area, predictor=model(), bench=Memory(without)).chosen is not None


def test_without_place_and_route_areas_are_run_and_clocks_are_the_models() -> None:
    bench = Memory()
    request = TuneRequest(64, TARGET, designs=CSA, jobs=1, place=False)
    result = tune(request, predictor=model(), bench=bench)
    assert not any(job.place for job in bench.measured)
    assert result.chosen is not None
    found, predicted = result.chosen.measured, result.chosen.predicted
    assert found is not None
    assert predicted is not None
    assert predicted.fmax_mhz is not None
    assert found.clock == "model"
    assert found.fmax_mhz == pytest.approx(predicted.fmax_mhz.value, abs=0.1)


@pytest.mark.parametrize("known", ["nothing", "areas"])
def test_without_placement_a_guessed_clock_is_no_reason_to_run_a_design(known: str) -> None:
    """The smallest by a guess is left where no run could say that it keeps --min-freq."""

    def predict(design: Design, target: Target) -> Prediction | None:
        said = model()(design, target)
        if design.family.name == "csa":
            return said
        small = around(10.0, 0.1)
        guess = replace(said, lut=small, ff=small, lut_in_all=small, fmax_mhz=None)
        return None if known == "nothing" else guess

    designs = [*CSA, *space("mul", 64, ["interleaved"])]
    slow = Constraints(min_freq_mhz=50.0)
    request = TuneRequest(64, TARGET, designs=designs, objective=Objective.parse("area"),
                          constraints=slow, jobs=1, place=False)  # fmt: skip
    bench = Memory()
    result = tune(request, predictor=predict, bench=bench)
    assert result.chosen is not None and result.chosen.design.family.name == "csa"
    assert {job.design.family.name for job in bench.measured} == {"csa"}
    assert any(each.startswith("interleaved left: no model") for each in result.explanations)
    alone = tune(replace(request, designs=designs[len(CSA) :]), predictor=predict, bench=Memory())
    assert alone.clockless and "leave --no-pnr out" in str(alone.failure)
    # a placement tells the clock, so its run is worth a guess
    placed = tune(replace(request, place=True, max_syntheses=20), predictor=predict, bench=Memory())
    assert not any("left: no model" in each for each in placed.explanations)
    assert {"interleaved"} <= {point.design.family.name for point in placed.points}


def test_every_failed_design_is_left_and_the_search_goes_on() -> None:
    def fails(job: ToolRun) -> Figures:
        deep = int(job.design.values["replicas"]) in (3, 4)
        return Figures(failure="no room") if deep else formula(job)

    bench = Memory(fails)
    request = TuneRequest(64, TARGET, designs=CSA, jobs=1, max_syntheses=12)
    result = tune(request, predictor=model(), bench=bench)
    assert any("left: no room" in each for each in result.explanations)
    assert result.chosen is not None
    assert result.chosen.good


# Requests -----------------------------------------------------------------------------------------


def test_the_area_objective_maps_only_and_places_its_choice() -> None:
    result, bench = searched(CSA, "area")
    placed = [job.design for job in bench.measured if job.place]
    assert result.chosen is not None
    assert placed == [result.chosen.design]
    assert result.chosen.measured is not None
    assert result.chosen.measured.fmax_mhz is not None


def test_the_grid_is_refined_around_the_best() -> None:
    bench = Memory()
    request = TuneRequest(
        256, TARGET, families=["csa"], constraints=Constraints(max_lut=11000), jobs=1
    )
    result = tune(request, predictor=model(), bench=bench)
    assert result.chosen is not None
    grid = set(space("mul", 256, ["csa"]))
    assert any(job.design not in grid for job in bench.measured)
    assert sum(result.space.values()) > len(grid)


def test_stop_gives_the_best_so_far(tmp_path: Path) -> None:
    bench, stop = StandIn(tmp_path, slow=0.1), threading.Event()

    def after_two(event: Event) -> None:
        if isinstance(event, Finished) and len(bench.runs("end")) >= 2:
            stop.set()

    began = time.monotonic()
    request = TuneRequest(64, TARGET, designs=CSA, jobs=1)
    result = tune(request, after_two, stop, no_model, bench)
    assert result.stopped
    assert result.chosen is not None
    assert time.monotonic() - began < 20
    stop.set()
    nothing = tune(TuneRequest(64, TARGET, designs=CSA), None, stop, model(), bench)
    assert nothing.chosen is None
    assert "stopped" in str(nothing.failure)


def test_a_senseless_request_is_bad_input() -> None:
    with pytest.raises(BadInput, match="--max-syntheses"):
        tune(TuneRequest(64, TARGET, designs=CSA, max_syntheses=0))
    with pytest.raises(BadInput, match="no design to choose from"):
        tune(TuneRequest(64, TARGET, designs=[]))
    with pytest.raises(BadInput, match="--jobs"):
        tune(TuneRequest(64, TARGET, designs=CSA, jobs=0), predictor=model())


@pytest.mark.parametrize("kind", ["prime", "prime-gen"])
def test_testers_are_tuned_like_any_other_kind(kind: str, tmp_path: Path) -> None:
    request = TuneRequest(
        64, TARGET, kind=kind, families=["csa", "interleaved"],
        constraints=Constraints(max_lut=5000), max_syntheses=6, jobs=1,
        overrides={"stages": [1, 4], "replicas": [1], "add_stages": [4], "final_sub": [1]},
    )  # fmt: skip
    result = tune(request, bench=StandIn(tmp_path))
    assert result.chosen is not None
    assert result.chosen.design.family.kind == kind
    assert set(result.space) == {f"{kind}-csa", f"{kind}-interleaved"}


def test_the_answer_is_json_with_the_promised_keys() -> None:
    import json

    result, _ = searched(CSA, "throughput")
    keys = json.loads(json.dumps(result.to_json()))
    assert {"constraints", "model", "candidates", "chosen", "syntheses_run", "pareto"} <= set(keys)
    assert keys["chosen"]["family"] == "csa"
    assert keys["chosen"]["measured"]["clock"] == "placed"
    assert keys["chosen"]["predicted"]["fmax_mhz"]["low"] < 300
    assert keys["model"]["space"] == {"csa": 64}


# Beliefs ------------------------------------------------------------------------------------------


def test_a_belief_is_the_models_until_something_is_measured() -> None:
    belief = Belief(model(share=0.2), TARGET)
    guess = belief.guesses(CSA[0])["clock"]
    assert guess == from_model(model(share=0.2)(CSA[0], TARGET))["clock"]
    # four of five measurements lie within the model's range
    assert guess.at(1.2816) - guess.at(-1.2816) == pytest.approx(math.log(1.2 / 0.8), rel=1e-3)


def test_a_measurement_corrects_its_neighbours_much_and_its_family_a_little() -> None:
    belief = Belief(model(share=0.2), TARGET)
    before = {design: belief.guesses(design) for design in CSA}
    here = family("csa").design(64, {"stages": 2, "replicas": 2, "add_stages": 4})
    found = formula(ToolRun(here, TARGET))
    lut = round(found.lut * 1.2)
    belief.observe(here, Figures.at_clock(here, Figures(lut=lut, lut_in_all=lut), 100.0, "placed"))
    near = family("csa").design(64, {"stages": 2, "replicas": 3, "add_stages": 4})
    far = family("csa").design(64, {"stages": 8, "replicas": 8, "add_stages": 4})

    def shift(design: Design) -> float:
        return belief.guesses(design)["lut"].mean - before[design]["lut"].mean

    assert shift(here) > shift(near) > shift(far) > 0.02
    sds = [belief.guesses(each)["lut"].sd for each in (here, near, far)]
    assert sds[0] < 2 * NOISE["lut"] < sds[1] < sds[2]
    assert likeness(here, here) == 1.0


def test_the_measured_design_is_believed_as_measured() -> None:
    belief = Belief(model(share=0.3), TARGET)
    for design in CSA[::5]:
        belief.observe(design, formula(ToolRun(design, TARGET)))
    for design in CSA[::5]:
        found = formula(ToolRun(design, TARGET))
        guesses = belief.guesses(design)
        assert guesses["lut"].mean == pytest.approx(counted(found.lut_in_all), abs=0.03)
        assert guesses["dsp"] == Guess(0.0, 0.0)


# At once ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "option", "found"),
    [
        (Constraints(max_lut=0), "--max-lut", "lut_in_all"),
        (Constraints(max_lut=20), "--max-lut", "lut_in_all"),
        (Constraints(max_ff=0), "--max-ff", "ff"),
        (Constraints(min_freq_mhz=20_000.0), "--min-freq", "fmax_mhz"),
    ],
)
def test_what_is_out_of_all_reach_is_said_at_once(
    asked: Constraints, option: str, found: str
) -> None:
    """No tool is run; what comes nearest, and what it would take, is the model's."""
    predict = model()
    result, bench = searched(CSA, "throughput", asked, predict)
    assert not bench.measured and result.syntheses_run == 0
    assert result.chosen is None and not result.spent
    assert [each.limit.option for each in result.binding] == [option]
    assert str(result.failure).startswith(f"nothing fits: with {option} at ")
    assert "(by the model)" in str(result.failure)
    expected = {each: getattr(predict(each, TARGET), found).value for each in CSA}
    best = (max if found == "fmax_mhz" else min)(expected.values())
    assert result.nearest is not None and result.nearest_figures is not None
    assert expected[result.nearest.design] == pytest.approx(best, rel=0.01)
    assert result.binding[0].needed == pytest.approx(best, rel=0.01)


def test_without_any_model_nothing_at_all_is_still_out_of_reach() -> None:
    result, bench = searched(CSA, "throughput", Constraints(max_lut=0, max_ff=0), no_model)
    assert not bench.measured
    assert "whichever single constraint is dropped; nearest is csa" in str(result.failure)
    assert str(result.failure).endswith("(by the model)")


@pytest.mark.parametrize("asked", [Constraints(), Constraints(min_freq_mhz=100.0)])
def test_no_clock_anywhere_is_said_before_any_run(asked: Constraints) -> None:
    bench, gates = Memory(), target("asic")
    objective = "area" if asked.min_freq_mhz else "throughput"
    request = TuneRequest(
        64, gates, designs=CSA, constraints=asked, objective=Objective.parse(objective), jobs=1
    )
    result = tune(request, predictor=no_model, bench=bench)
    assert not bench.measured and result.chosen is None
    assert str(result.failure).startswith(f"no design has a clock on {gates.name}")
    assert "take --objective area without --min-freq" in str(result.failure)


def of_copies(job: ToolRun) -> Figures:
    """The formula of one, so many times, and a clock that falls a little with each doubling."""
    copies = int(job.design.values.get("copies", 1))
    values = {name: value for name, value in job.design.values.items() if name != "copies"}
    one = formula(replace(job, design=family("csa").design(job.design.width, values)))
    assert one.fmax_mhz is not None
    lut = copies * one.lut
    whole = replace(one, lut=lut, lut_in_all=lut, ff=copies * one.ff)
    clock = one.fmax_mhz * (1 - 0.01 * math.log2(copies))
    return Figures.at_clock(job.design, whole, clock, "placed")


def filled(
    most: int, objective: str = "throughput", width: int = 64, beside: float = 1.0
) -> tuple[TuneResult, Memory]:
    """Cores in LUTs ``most``; what is measured is ``beside`` times as large as expected."""
    one = model()

    def measured(job: ToolRun) -> Figures:
        found = of_copies(job)
        lut, ff = round(beside * found.lut), round(beside * found.ff)
        whole = replace(found, lut=lut, lut_in_all=lut, ff=ff)
        return Figures.at_clock(job.design, whole, found.fmax_mhz, "placed")

    def predict(design: Design, target: Target) -> Prediction:
        copies = int(design.values.get("copies", 1))
        said = one(design, target)
        names = ("lut", "ff", "lut_in_all")
        return replace(said, **{name: getattr(said, name).scaled(copies) for name in names})

    bench = Memory(measured)
    request = TuneRequest(
        width,
        TARGET,
        families=["csa"],
        objective=Objective.parse(objective),
        constraints=Constraints(max_lut=most),
        overrides=GRID,
        jobs=1,
        copies=True,
    )
    return tune(request, predictor=predict, bench=bench), bench


@pytest.mark.parametrize(
    ("limit", "says"),
    [
        (8_000, "LUTs run out first: {copies} cores take {luts:,} of --max-lut"),
        (12_000, "words of operands or results limit it"),
    ],
)
def test_copies_fill_what_a_limit_leaves(limit: int, says: str) -> None:
    result, bench = filled(limit)
    chosen = result.chosen
    assert chosen is not None and chosen.measured is not None
    found, copies = chosen.measured, int(chosen.design.values["copies"])
    assert copies > 1 and found.lut_in_all <= limit < found.lut_in_all * (copies + 2) / copies
    assert chosen.design in [job.design for job in bench.measured]
    # by trying each core of the grid in as many copies as fit
    best = 0.0
    for each in CSA:
        one = of_copies(ToolRun(each, TARGET))
        assert one.ops_per_second is not None
        most = min(limit // one.lut_in_all, math.ceil(each.geometry.interval_cycles))
        best = max(best, most * one.ops_per_second)
    assert found.ops_per_second is not None and found.ops_per_second > 0.85 * best
    assert says.format(copies=copies, luts=found.lut_in_all) in result.explanations[-1]


@pytest.mark.parametrize(
    ("name", "settings", "most"),
    [
        ("productscan", {"step": 1, "digit": 18}, 4),  # a word waits for all of one before
        ("array", {"rows": 15}, 3),  # a word a cycle
        ("csa", {}, 256),
    ],
)
def test_no_copies_that_bring_nothing(name: str, settings: dict[str, Value], most: int) -> None:
    one = family(name).design(256, settings)
    room = room_for(one, [], {})
    assert room == most
    times = []
    for copies in (room - 1, room, room + 1):
        many = so_many(one, copies) if copies > 1 else one
        assert many is not None
        times.append(many.geometry.interval_cycles)
    assert times[0] > times[1] == times[2]
    many = so_many(one, room)
    assert many is not None
    found = Figures(lut_in_all=100 * room, ops_per_second=1e6)
    limit = Constraints(max_lut=30_000).limits(TARGET)
    assert "words of operands or results limit it" in one_more(many, found, limit, TARGET)
    fewer = so_many(one, 2)
    assert fewer is not None and room > 2
    assert "LUTs run out first: 2 cores take" in one_more(fewer, found, limit, TARGET)


def test_what_one_more_gives_follows_from_its_cycles() -> None:
    """From three cores to four it is the words that limit, not the cores."""
    three = family("productscan").design(256, {"step": 1, "digit": 18, "copies": 3})
    found = Figures(lut_in_all=600, ops_per_second=3e6)
    said = one_more(three, found, Constraints(max_lut=800).limits(TARGET), TARGET)
    assert "one more needs 200 where 200 are left, and gives 439 kop/s more" in said


def test_block_memories_count_towards_a_full_device() -> None:
    four = family("exp-csa").design(64, {"copies": 4})
    assert TARGET.capacity is not None
    for bram, placed in ((0.2, 4), (0.3, 2)):
        expected = Figures(lut_in_all=10, ff=10, dsp=0, bram=int(bram * TARGET.capacity.bram))
        assert to_be_placed(four, expected, TARGET).values["copies"] == placed


def test_of_a_full_device_half_is_placed_and_told() -> None:
    result, bench = filled(60_000, width=512)
    chosen = result.chosen
    assert chosen is not None and (found := chosen.measured) is not None
    assert found.clock == "half placed"
    copies = int(chosen.design.values["copies"])
    placed = {job.design: figures for job, figures in bench.measured.items()}
    assert chosen.design not in placed
    half = family("csa").design(512, chosen.design.values | {"copies": -(-copies // 2)})
    assert found.fmax_mhz == placed[half].fmax_mhz
    assert found.lut_in_all == round(placed[half].lut_in_all * copies / -(-copies // 2))
    assert any("another number of copies was placed" in each for each in result.explanations)


@pytest.mark.parametrize("beside", [1.25, 1.6, 2.1])
@pytest.mark.parametrize("limit", [25_000, 30_000, 60_000])
def test_what_was_placed_is_called_so(beside: float, limit: int) -> None:
    """Where as many fit as were placed of more, these are no estimate."""
    result, bench = filled(limit, width=512, beside=beside)
    placed = {job.design: figures for job, figures in bench.measured.items()}
    for point in result.points:
        if point.design in placed:
            assert point.measured == placed[point.design]
        else:
            assert point.measured is not None and point.measured.clock == "half placed"


@pytest.mark.parametrize("beside", [0.8, 1.25])
def test_a_device_is_as_full_as_what_was_placed_says(beside: float) -> None:
    """As many copies as fit by the measured area of fewer, where the model had another one."""
    limit = 60_000
    result, _ = filled(limit, width=512, beside=beside)
    chosen = result.chosen
    assert chosen is not None and (found := chosen.measured) is not None
    assert found.clock == "half placed"
    copies = int(chosen.design.values["copies"])
    assert copies > 2
    assert found.lut_in_all <= limit < found.lut_in_all * (copies + 1) / copies + copies
    needs, left = re.findall(r"one more needs ([\d,]+) where ([\d,]+)", result.explanations[-1])[0]
    assert int(needs.replace(",", "")) >= int(left.replace(",", ""))


def test_rsa_units_fill_a_device_unasked() -> None:
    asked = TuneRequest(64, TARGET, kind="rsa", copies=True)
    assert asked.fills
    for other in (
        replace(asked, kind="exp"),
        replace(asked, copies=False),
        replace(asked, objective=Objective.parse("latency")),
        replace(asked, overrides={"copies": [1]}),
    ):
        assert not other.fills
    assert replace(asked, kind="exp", constraints=Constraints(max_dsp=9)).fills


def by_the_models(job: ToolRun) -> Figures:
    """What the models that come with redcore expect, in place of a run of the tools."""
    said = package_predict(job.design, job.target)
    parts = ("lut", "ff", "carry", "dsp", "bram", "lut_in_all")
    areas = Figures(**{part: round(getattr(said, part).value) for part in parts})
    if not job.place or said.fmax_mhz is None:
        return areas
    return Figures.at_clock(job.design, areas, round(said.fmax_mhz.value, 2), "placed")


@pytest.mark.parametrize("objective", ["throughput", "throughput-per-area"])
def test_without_dsp_blocks_tablechain_is_found(objective: str) -> None:
    """`redcore tune --width 256 --target ecp5-85k --max-dsp 0`, nobody naming a family."""
    request = TuneRequest(
        256,
        TARGET,
        objective=Objective.parse(objective),
        constraints=Constraints(max_dsp=0),
        jobs=1,
        copies=True,
    )
    bench = Memory(by_the_models)
    chosen = tune(request, bench=bench).chosen
    assert chosen is not None and chosen.design.family.name == "tablechain"
    assert all(job.design.family.name == "tablechain" for job in bench.measured)


def by_default(width: int) -> float:
    """Area, block memories among it, times microseconds of tablechain as it comes, as placed."""
    rows = json.loads((BENCHMARKS / "tablechain_ecp5.json").read_text(encoding="utf-8"))["rows"]
    for row in rows:
        if row["width"] == width:
            figures = Figures(lut_in_all=row["lut_in_all"], ff=row["ff"], bram=row["bram"])
            return equivalent_area(figures, TARGET) * row["interval_cycles"] / row["fmax_mhz"]
    return math.inf


def area_time(figures: Figures) -> float:
    """Area, block memories among it, times microseconds."""
    assert figures.ops_per_second is not None
    return equivalent_area(figures, TARGET) * 1e6 / figures.ops_per_second


@pytest.mark.parametrize("width", [128, 192, 256, 384, 521, 1024, 2048, 4096])
def test_without_dsp_blocks_the_tuner_s_answer_is_the_best_of_the_fabric_study(width: int) -> None:
    """`redcore tune --width 256 --target ecp5-85k --max-dsp 0 --objective throughput-per-area`.

    Where the family that it finds has not been placed by the study yet, its figures by the model
    are better than those of every family that has.
    """
    request = TuneRequest(
        width,
        TARGET,
        objective=Objective.parse("throughput-per-area"),
        constraints=Constraints(max_dsp=0),
        jobs=1,
    )
    chosen = tune(request, bench=Memory(by_the_models)).chosen
    placed = [
        row
        for row in json.loads((BENCHMARKS / "fabric.json").read_text(encoding="utf-8"))["rows"]
        if row["width"] == width and row.get("with_blocks")
    ]
    families = {row["family"] for row in placed}
    assert "tableserial" in families
    assert "tablechain" in families or width == 521
    best = min(placed, key=lambda row: float(row["with_blocks"]))
    assert chosen is not None and chosen.measured is not None
    if chosen.design.family.name in families:
        assert chosen.design.family.name == best["family"]
        # and where its design is placed itself, no other one on record is much better
        own = [row for row in placed if design_of(row["design"]) == chosen.design]
        for row in own:
            assert row["with_blocks"] <= 1.05 * min(best["with_blocks"], by_default(width))
        if not own:  # of another word, say: by the model it is no worse than what was placed
            placed_best = by_the_models(ToolRun(design_of(best["design"]), TARGET))
            assert area_time(chosen.measured) <= 1.01 * area_time(placed_best)
    else:
        assert area_time(chosen.measured) < best["with_blocks"]


@pytest.mark.parametrize("objective", ["throughput", "latency"])
def test_in_few_luts_without_dsp_blocks_tableserial_is_found(objective: str) -> None:
    """`redcore tune --width 256 --target ecp5-85k --max-lut 300 --max-dsp 0`."""
    request = TuneRequest(
        256,
        TARGET,
        objective=Objective.parse(objective),
        constraints=Constraints(max_lut=300, max_dsp=0),
        jobs=1,
        copies=True,
    )
    bench = Memory(by_the_models)
    chosen = tune(request, bench=bench).chosen
    assert chosen is not None and chosen.design.family.name == "tableserial"
    assert chosen.measured is not None and chosen.measured.lut_in_all <= 300


@pytest.mark.parametrize("width", [256, 1024, 2048])
@pytest.mark.parametrize("objective", ["throughput", "latency"])
def test_in_few_luts_with_one_dsp_block_productscan_is_found(objective: str, width: int) -> None:
    """`redcore tune --width 1024 --target ecp5-85k --max-lut 300 --max-dsp 1 --max-bram 4`.

    With many block memories tableserial has long words, and is faster from 1024 bits on.
    """
    request = TuneRequest(
        width,
        TARGET,
        objective=Objective.parse(objective),
        constraints=Constraints(max_lut=300, max_dsp=1, max_bram=4),
        jobs=1,
    )
    chosen = tune(request, bench=Memory(by_the_models)).chosen
    assert chosen is not None and chosen.design.family.name == "productscan"
    assert chosen.measured is not None and chosen.measured.lut_in_all <= 300


@pytest.mark.parametrize("objective", ["latency", "throughput=1,area=1"])
def test_without_throughput_alone_one_core_is_the_answer(objective: str) -> None:
    result, bench = filled(12_000, objective)
    assert result.chosen is not None
    assert all("copies" not in job.design.values for job in bench.measured)
