# SPDX-License-Identifier: Apache-2.0
"""benchmarks/model_calibration.py: which clocks of older RTL a model keeps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from benchmark_programs import FOLDER, program
from redcore.catalogue import family
from redcore.model.calibration import observes
from redcore.model.models import SHIPPED, Observation, load
from redcore.synthesize import target

CSA, DEVICE = family("csa"), target("ecp5-85k")


@pytest.fixture
def calibration(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program; its neighbours are found as where it is run."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return program("model_calibration")


def result_of(seen: Observation, clock: float = 1.0, **more: int) -> SimpleNamespace:
    """A synthesis that gave what was observed, with more cells and a clock so many times."""
    amounts = {name: getattr(seen, name) + more.get(name, 0) for name in seen.amounts()}
    fmax = seen.fmax_mhz and clock * seen.fmax_mhz
    return SimpleNamespace(amounts=lambda: amounts, fmax_mhz=fmax)


def placed() -> list[Observation]:
    return [each for each in load(SHIPPED / "csa--ecp5.json").observations if each.fmax_mhz]


def test_a_clock_stays_where_the_area_is_close(
    calibration: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = next(each for each in placed() if each.lut > 1000)

    def again(**more: int) -> Observation:
        found = result_of(seen, 0.5, **more)
        monkeypatch.setattr(calibration, "synthesize", lambda *of, **how: found)
        now: Observation = calibration.mapped_again(seen, CSA, DEVICE)
        assert now.lut == seen.lut + more.get("lut", 0)
        return now

    assert again() == seen
    assert again(lut=10, ff=-4).fmax_mhz == seen.fmax_mhz
    assert again(lut=10, ff=-4).seeds == seen.seeds
    assert again(lut=seen.lut // 50).fmax_mhz != seen.fmax_mhz
    assert again(ff=-(seen.ff // 50)).fmax_mhz != seen.fmax_mhz
    assert again(bram=1).fmax_mhz != seen.fmax_mhz


@pytest.mark.parametrize(("clocks", "held"), [([1, 1.03, 0.8], True), ([0.94, 0.94, 1], False)])
def test_older_clocks_are_held_against_a_sample(
    clocks: list[float], held: bool, calibration: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, asked = placed(), []
    by_design = {each.design(CSA): each for each in seen}

    def synthesize(design: Any, device: Any) -> SimpleNamespace:
        asked.append(by_design[design].lut)
        return result_of(by_design[design], clocks[len(asked) - 1])

    monkeypatch.setattr(calibration, "synthesize", synthesize)
    assert calibration.still_as_fast(seen, CSA, DEVICE) is held
    assert len(asked) == calibration.SAMPLE and asked[-1] <= calibration.MOST_LUT
    assert asked[0] == min(each.lut for each in seen)
    # nothing small enough to be placed: nobody knows
    large = [replace(each, lut=calibration.MOST_LUT + 1) for each in seen]
    assert not calibration.still_as_fast(large, CSA, DEVICE)
    assert calibration.still_as_fast([], CSA, DEVICE)


def test_copies_and_buses_tell_the_model_of_what_is_inside_nothing() -> None:
    assert observes(CSA.design(64), CSA)
    for around in ({"copies": 2}, {"bus": "axi"}):
        assert not observes(CSA.design(64, around), CSA)
    exponentiator = family("exp-cios")
    assert observes(exponentiator.design(64), family("exp-csa"))
    assert not observes(exponentiator.design(64), family("cios"))


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.json")), ids=lambda path: path.stem)
def test_models_that_come_with_redcore_are_of_what_they_predict(path: Path) -> None:
    model = load(path)
    assert all(observes(each.design(model.family), model.family) for each in model.observations)
