# SPDX-License-Identifier: Apache-2.0
"""cios at a given width: its control is proved, on wrong RTL it is not, and data are left open."""

from __future__ import annotations

from pathlib import Path

import pytest

from at_width_found import by_status
from patched import patched_sources
from redcore.catalogue import family
from redcore.design import Design
from redcore.verify import btor, induction, prove_at_width
from redcore.verify.width import cios
from redcore.verify.words import FALSE
from solver_alone import without_run

pytestmark = [pytest.mark.kept, pytest.mark.usefixtures("no_coq", "own_cache")]

SMALL = 20
SHORT = {"word": 3, "sigma": 2}
"""Eight words, two places: the shape that ships at 256 bits, but for a second digit."""
WIDE = 256
CONTROL = {
    "order", "last", "stable", "modulus", "latency", "answer", "in_ready", "mod_ready", "error",
    "timing", "invariants",
}  # fmt: skip
OPEN = {"result", "value"}

# File, replaced text, text put in, and properties that have to fail.
MUTANTS: dict[str, tuple[str, str, str, set[str]]] = {
    "some words of b are read of another place": (
        "redc_mul_cios",
        ".read_address_i(DepthBits'({place, word}))",
        ".read_address_i(DepthBits'({place ^ PlaceBits'(&word), word}))",
        {"invariants"},
    ),
    "a result begins without room for it": (
        "redc_mul_cios_wheel",
        "(any_full_q | middle_q) & room_q;",
        "(any_full_q | middle_q) & (room_q | middle_q);",
        {"invariants"},
    ),
    "some words of results are lost": (
        "redc_mul_cios",
        ".clk_i, .d_i(valid & ends), .q_o(keep)",
        ".clk_i, .d_i(valid & ends & ~(&a_word)), .q_o(keep)",
        {"invariants", "order", "timing", "latency", "answer"},
    ),
    "a modulus's last word beside a first word of operands": (
        "redc_mul_cios_modulus",
        "((inside_q == '0) & ~take_i)",
        "(inside_q == '0)",
        {"invariants", "modulus"},
    ),
    "another word has the last one's mark": (
        "redc_mul_cios",
        "(out_word_q == CounterBits'(Words - 2));",
        "(out_word_q == CounterBits'(Words - 3));",
        {"invariants", "last"},
    ),
    "a word that waits changes": (
        "redc_mul_cios",
        "if (refill) p_o <=",
        "if (refill | (mod_valid_i & in_valid_i)) p_o <=",
        {"stable"},
    ),
    "a word that waits is overwritten": (
        "redc_mul_cios",
        ".push_i(keep & (any_waiting | ~refill))",
        ".push_i(keep & any_waiting)",
        {"invariants", "order"},
    ),
    "words go to results a cycle later": (
        "redc_mul_cios",
        ".Cycles(Sizes.result + settle_cycles(Word) + 1)",
        ".Cycles(Sizes.result + settle_cycles(Word) + 2)",
        {"invariants", "latency"},
    ),
    "a pass counts though its last word is late": (
        "redc_mul_cios_wheel",
        "| (active_q & any_full_q));",
        "| (active_q & (any_full_q | there_q)));",
        {"invariants"},
    ),
    "a place is given up a pass too early": (
        "redc_mul_cios_wheel",
        "assign give      = first_word_q & own_q.ends;",
        "assign give      = first_word_q & (own_q.iteration == WordBits'(Words - 2));",
        {"invariants"},
    ),
    "the wheel stops at one place only": (
        "redc_mul_cios_wheel",
        "assign rests    = late_q & ~any_taken_q & ~take;",
        "assign rests    = late_q & ~any_taken_q & ~take & ~deliver_i & place_q[0];",
        {"invariants"},
    ),
    "operands wait while results are taken": (
        "redc_mul_cios",
        ".free_i(free & empty & ~closed)",
        ".free_i(free & empty & ~closed & ~out_ready_i)",
        {"invariants", "in_ready"},
    ),
    "a modulus waits while operands do": (
        "redc_mul_shell",
        "assign mod_open = (Waits | BeatByBeat) & mod_valid_i & idle_i;",
        "assign mod_open = (Waits | BeatByBeat) & mod_valid_i & idle_i & ~in_valid_i;",
        {"invariants", "mod_ready"},
    ),
    "the last pass has another word of a": (
        "redc_mul_cios",
        ".read_address_i(DepthBits'({place, iteration}))",
        ".read_address_i(DepthBits'({place, iteration & ~CounterBits'(&iteration)}))",
        {"invariants"},
    ),
    "bits above b are kept": (
        "redc_mul_cios",
        "b_i & (last_beat ? TopMask : '1)",
        "b_i & (last_beat & ~b_i[0] ? TopMask : '1)",
        {"invariants"},
    ),
    "operands come before a last pass has read those before": (
        "redc_mul_cios_wheel",
        "assign give      = first_word_q & own_q.ends;",
        "assign give      = (time_q == TimeBits'(LastTime)) & ring_next.ends & (Sigma > 1);",
        {"invariants"},
    ),
    "operands come before m'": (
        "redc_mul_cios_modulus",
        "assign closed_o = inverse_busy | ends;",
        "assign closed_o = inverse_busy & ~ends;",
        {"invariants"},
    ),
    "operands come before the pipeline is empty": (
        "redc_mul_cios",
        "(Sizes.result + 4)}",
        "(Sizes.result - 4)}",
        {"invariants"},
    ),
}
QUICK = 3
"""Mutants that the quick tests take."""
# Of words in block 1, whose digits are two: seen by invariants alone.
IN_WORDS: dict[str, tuple[str, str, str]] = {
    "some products are wrong": (
        "redc_prim_mul",
        "product_q <= Product'(x_q) * Product'(y_q);",
        "product_q <= (Product'(x_q) * Product'(y_q)) ^ Product'(&{x_q[3:0], y_q[2], y_q[5]});",
    ),
    "a carry between words is lost, under six particular bits": (
        "redc_mul_cios_mac",
        "else carry_q <= carry;",
        "else carry_q <= carry & ~(&low_bits[5:0]);",
    ),
    "a word that is not valid counts in one slice": (
        "redc_mul_cios_chain",
        ".valid_i(valid[step]),",
        ".valid_i(valid[step] | (step == 2)),",
    ),
    "a word of a is taken a cycle late": (
        "redc_mul_cios_chain",
        "assign load = (step == 0 && Late == 0) ? 1'b1 : first[step];",
        "assign load = (step == 0 && Late == 0) ? 1'b1 : first[(Late == 0) ? step - 1 : step];",
    ),
    "operands come before the last pass has read them": (
        "redc_mul_cios_wheel",
        "assign give      = first_word_q & own_q.ends;",
        "assign give      = (time_q == TimeBits'(LastTime)) & ring_next.ends & (Sigma > 1);",
    ),
}
DIGITS = {"word": 19, "sigma": 4}
"""Of 74 bits: four words of two digits."""


def small() -> Design:
    return family("cios").design(SMALL, SHORT)


def test_control_is_proved_and_data_are_open() -> None:
    design = small()
    found = induction.prove_design(design, design.sources())
    assert [each.reason for each in found if not each.ok] == []
    assert by_status(found, "proved") == CONTROL
    assert by_status(found, "open") == OPEN


@pytest.mark.full
def test_control_is_proved_at_the_width_that_ships() -> None:
    found = prove_at_width([family("cios").design(WIDE)], keep=False)
    assert [each.reason for each in found if not each.ok] == []
    assert by_status(found, "proved") == CONTROL
    assert by_status(found, "open") == OPEN


@pytest.mark.full
@pytest.mark.parametrize(
    ("n", "settings"),
    [
        (16, {"sigma": 1, "word": 6}),
        (17, {"sigma": 3, "word": 5, "latency_reduction": 0, "version": "small"}),
        (16, {}),
        (9, {"sigma": 1, "word": 3, "storage": "bram", "latency_reduction": 0}),
        (33, {"sigma": 4, "word": 9}),
        (74, DIGITS),
        (9, {"sigma": 2, "word": 2}),
        (128, {}),
        (512, {}),
        (1024, {}),
    ],
)
def test_other_shapes_are_proved(n: int, settings: dict[str, int | str]) -> None:
    """Where the bound that is proved is above the limit that is stated, the limit stays open."""
    design = family("cios").design(n, settings)
    found = induction.prove_design(design, design.sources())
    assert [each.reason for each in found if not each.ok] == []
    assert by_status(found, "open") <= OPEN | {"answer", "in_ready", "mod_ready"}


@pytest.mark.parametrize(
    "mutant",
    [
        each if number < QUICK else pytest.param(each, marks=pytest.mark.full)
        for number, each in enumerate(MUTANTS)
    ],
)
def test_mutants_are_not_proved(mutant: str, tmp_path: Path) -> None:
    file, old, new, seen_by = MUTANTS[mutant]
    design = small()
    files = patched_sources(tmp_path, design.sources(), {file: [(old, new)]})
    found = induction.prove_design(design, files)
    assert seen_by <= by_status(found, "failed")


@pytest.mark.full
@pytest.mark.parametrize("mutant", IN_WORDS)
def test_mutants_of_words_are_not_proved(
    mutant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the solver alone, without the simulated run."""
    file, old, new = IN_WORDS[mutant]
    design = family("cios").design(74, DIGITS)
    files = patched_sources(tmp_path, design.sources(), {file: [(old, new)]})
    proof = induction.described(design, files)
    without_run(monkeypatch)
    assert "invariants" in by_status(induction.settle(proof), "failed")


@pytest.mark.full
@pytest.mark.parametrize("mutant", MUTANTS)
def test_the_solver_alone_sees_mutants_at_the_width_that_ships(
    mutant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, old, new, seen_by = MUTANTS[mutant]
    design = family("cios").design(WIDE)
    files = patched_sources(tmp_path, design.sources(), {file: [(old, new)]})
    proof = induction.described(design, files)
    without_run(monkeypatch)
    assert seen_by <= by_status(induction.settle(proof), "failed")


def test_a_wrong_invariant_about_operands_fails() -> None:
    """Words that nobody has asked for yet need not be there."""
    design = small()
    proof = induction.described(design, design.sources())
    word = proof.net("b_word")
    own = next(ghost for ghost in proof.ghosts if ghost.info == "ghost watched b 0")
    watched = next(ghost for ghost in proof.ghosts if ghost.info == "ghost watched")
    proof.invariant("b's lowest word is read", watched.implies(word.eq(own)), data=True)
    found = {each.property_name: each for each in induction.settle(proof)}
    assert found["invariants"].status == "failed"
    assert "b's lowest word is read" in found["invariants"].reason
    # What is proved of the control rests on none of it.
    assert found["order"].status == "proved"


@pytest.mark.full
def test_wrong_invariants_and_covers_fail() -> None:
    design = small()
    proof = induction.described(design, design.sources())
    # True in the first cycles after a reset, and in no run for long.
    proof.invariant("no modulus ever comes", ~proof.register("i_shell.loaded_q"))
    found = induction.settle(proof)
    assert {"invariants", "order", "stable", "answer"} <= by_status(found, "failed")

    proof = induction.described(design, design.sources())
    proof.covers["something that cannot be"] = FALSE
    assert "invariants" in by_status(induction.settle(proof), "failed")


@pytest.mark.parametrize(
    ("width", "settings"), [(256, {"moduli": 2}), (256, {"checks": 1}), (2048, {})]
)
def test_what_is_not_described_is_refused(width: int, settings: dict[str, int | str]) -> None:
    proof = induction.Proof(family("cios").design(width, settings), btor.Netlist())
    with pytest.raises(induction.NotDescribed, match="covers moduli=1, checks=0 and at most 64"):
        cios.describe(proof)


def test_few_bits_are_left_to_the_model_checker() -> None:
    """It knows the answers, which this description leaves open."""
    proof = induction.Proof(family("cios").design(8), btor.Netlist())
    with pytest.raises(induction.NotDescribed, match="for more than 8 bits"):
        cios.describe(proof)
