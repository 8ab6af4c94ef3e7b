# SPDX-License-Identifier: Apache-2.0
"""Which designs of a unit are asked about: few, and among them what the whole grid's best is."""

from __future__ import annotations

import math
import threading

import pytest

from redcore.catalogue import design_of, family
from redcore.design import Design
from redcore.explore import (
    Constraints,
    Figures,
    Objective,
    ToolRun,
    TuneRequest,
    kinds,
    space,
    what_is_left_out,
)
from redcore.explore.acquisition import Acquisition
from redcore.explore.belief import Belief, figures, package_model, unknown
from redcore.explore.promising import promising
from redcore.families import registered
from redcore.synthesize import synthesize, target
from stand_in_bench import formula

pytestmark = pytest.mark.kept

TARGET = target("ecp5-85k")


@pytest.mark.parametrize(
    ("kind", "families", "constraints"),
    [
        ("exp", ["radix4"], Constraints()),
        ("exp", ["scalable", "interleaved"], Constraints(max_lut=4000)),
        ("prime-gen", ["radix4", "carrychain"], Constraints(max_bram=0)),
        ("rsa", ["systolic", "interleaved"], Constraints()),
    ],
)
def test_the_best_of_the_whole_grid_is_found_among_few(
    kind: str, families: list[str], constraints: Constraints
) -> None:
    belief = Belief(package_model(), TARGET)

    def believe(design: Design) -> tuple[Figures, bool]:
        said = figures(design, belief.guesses(design))
        return said, not constraints.broken(said, TARGET)

    whole = space(kind, 64, families)
    few = promising(kind, 64, TARGET, believe, families)
    assert all(not each.family.reasons(64, each.values) for each in few)

    def best(designs: list[Design], objective: str) -> float:
        said = [believe(each) for each in designs]
        scores = [Objective.parse(objective).score(what, TARGET) for what, fits in said if fits]
        return max(score for score in scores if score is not None)

    for objective in ("throughput", "latency", "area", "throughput-per-area"):
        # scores are logarithms
        assert best(few, objective) >= best(whole, objective) - 0.03, objective


def test_most_of_a_large_grid_is_left_out() -> None:
    belief = Belief(package_model(), TARGET)
    asked = []

    def believe(design: Design) -> tuple[Figures, bool]:
        asked.append(design)
        return figures(design, belief.guesses(design)), True

    few = promising("rsa", 64, TARGET, believe, ["csa"])
    assert 100 < len(few) < 800  # of 216 settings on hundreds of multipliers
    # Its exponents are secret, so the method stays what it is; the rest is weighed.
    assert {each.values["method"] for each in few} == {"window"}
    assert len({each.values["pass_bits"] for each in few}) > 2


def test_where_nothing_fits_the_nearest_are_still_looked_at() -> None:
    """All of a unit's grid was asked about where no multiplier kept the constraints."""
    belief = Belief(package_model(), TARGET)
    few = promising(
        "exp", 64, TARGET, lambda each: (figures(each, belief.guesses(each)), False), ["csa"]
    )
    assert 0 < len(few) < 2000


@pytest.mark.parametrize("kind", ["exp", "rsa"])
def test_multipliers_that_follow_operands_are_left_out_of_units_unless_asked_for(kind: str) -> None:
    def believe(design: Design) -> tuple[Figures, bool]:
        return formula(ToolRun(design, TARGET)), True

    def names(designs: list[Design]) -> set[str]:
        return {each.family.name.removeprefix(f"{kind}-") for each in designs}

    showing = {"radix4", "barrett", "tablechain", "tableserial"}
    few = promising(kind, 64, TARGET, believe)
    assert names(few) and not names(few) & showing
    assert not any(each.follows_operands for each in few)
    asked = promising(kind, 64, TARGET, believe, ["radix4"])
    assert names(asked) == {"radix4"} and all(each.follows_operands for each in asked)
    said = what_is_left_out(kind, 64, None)
    showing_too = "barrett, carrychain variant=ramadd, radix4, tablechain, tableserial"
    assert said.startswith(f"{showing_too} left out: ")
    assert "--family tableserial" in said
    assert what_is_left_out(kind, 64, ["csa"]) == "" == what_is_left_out("mul", 64, ["csa"])
    # the page asks family by family
    assert promising(kind, 64, TARGET, believe, only="radix4") == []
    assert names(promising(kind, 64, TARGET, believe, ["radix4"], only="radix4")) == {"radix4"}


def test_multipliers_for_one_modulus_are_said_to_be_left_out() -> None:
    for kind in ("mul", "curve"):
        said = what_is_left_out(kind, 255, None)
        assert "fold, solinas left out: built for one modulus each" in said
        assert "--family fold" in said
        assert what_is_left_out(kind, 255, ["cios"]) == ""
    assert "fold" not in what_is_left_out("exp", 255, None)


def test_a_step_away_from_a_design_nothing_that_follows_operands_is_tried() -> None:
    start = family("exp-carrychain").design(64)
    for families, found in ((None, False), (["carrychain"], True)):
        request = TuneRequest(64, TARGET, "exp", families)
        search = Acquisition(request, lambda event: None, threading.Event(), package_model())
        assert any(each.follows_operands for each in search._neighbours(start)) == found


@pytest.mark.parametrize(
    ("line", "recorded"),
    [("tablechain --width 256", 26), ("scalable --width 256 --set radix=4 word=24 stages=6", 9)],
)
def test_block_memories_are_guessed_where_luts_hold_no_words(line: str, recorded: int) -> None:
    """Those of benchmarks/fabric_targets.json on a device without memory in LUTs."""
    design = design_of(line)
    found = {place: unknown(design, target(place)) for place in ("ice40-hx8k", "ecp5-85k")}
    blocks = {place: math.expm1(each["bram"].mean) for place, each in found.items()}
    assert 0.9 * recorded < blocks["ice40-hx8k"] < 1.5 * recorded and blocks["ecp5-85k"] == 0
    luts = [math.expm1(found[place]["lut"].mean) for place in ("ice40-hx8k", "ecp5-85k")]
    assert luts[0] < luts[1]


BESIDE_BLOCKS = {"tableserial": (2, 4)}
"""Words of LUTs and of flip-flops that block memories' own registers, which can be held, are made
of there: elsewhere the blocks have them."""
GUESSED = ("array", "csa", "scalable")
"""A multiplier of DSP blocks, one of carry-save rows and one of words; a synthesis takes 6 s."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in GUESSED else pytest.mark.full)
        for name in registered()
    ],
)
def test_a_guess_without_a_model_is_near_a_synthesis(name: str) -> None:
    """Of a 7-series device, which most families are not calibrated for: LUTs within a third of
    them, registers within a factor of 2.3, as cios has its delays in LUTs there."""
    design, device = family(name).design(64), target("xc7a35t")
    guessed = unknown(design, device)
    real = synthesize(design, device, place_and_route=False)
    luts, flip_flops = (
        cells - words * design.geometry.word_bits
        for cells, words in zip(
            (real.lut_in_all, real.ff), BESIDE_BLOCKS.get(name, (0, 0)), strict=True
        )
    )
    assert 3 / 4 < math.expm1(guessed["lut"].mean) / luts < 4 / 3
    assert 3 / 4 < math.expm1(guessed["ff"].mean) / flip_flops < 2.3


@pytest.mark.parametrize("kind", kinds())
def test_each_kind_is_asked_without_a_family(kind: str) -> None:
    """A curve's own settings decide what its multiplier has; left out, the search ended in a
    KeyError."""
    belief = Belief(package_model(), TARGET)

    def believe(design: Design) -> tuple[Figures, bool]:
        return figures(design, belief.guesses(design)), True

    few = promising(kind, 40, TARGET, believe)
    assert few and {each.family.kind for each in few} == {kind}
    shown = [each for each in few if each.family.holds_secrets and each.follows_operands]
    assert not shown
