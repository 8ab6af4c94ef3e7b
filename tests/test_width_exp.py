# SPDX-License-Identifier: Apache-2.0
"""exp on a multiplier that is cut away: what it asks for is proved, and on wrong RTL it is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from at_width_found import by_status, needs_coq
from patched import patched_sources
from redcore.catalogue import family
from redcore.design import Design
from redcore.errors import BadInput
from redcore.verify import algebra, induction, prove_at_width
from redcore.verify.width import exp, exp_control, exp_steps
from redcore.verify.width.exp_methods import METHODS
from redcore.verify.words import FALSE
from solver_alone import without_run
from tiers import tiers

pytestmark = [pytest.mark.kept, pytest.mark.usefixtures("own_cache")]

SMALL = 8
WIDE = 256
LEFT_TO_RIGHT: dict[str, int | str] = {"method": "ltr"}
PROVED = {*exp.SAYS} - {"value"}

# File, replaced text, text put in, and properties that have to fail.
MUTANTS: dict[str, tuple[str, str, str, set[str]]] = {
    "the square goes on where the bit is 1": (
        "redc_exp_method_pkg",
        "PhA:      return chose ? row(3'd2, 3'd2, 2'd1, 4'b0110)\n"
        "                             : row(3'd1, 3'd1, 2'd1, 4'b0110);\n"
        "      PhB:      return row(3'd1, 3'd0, 2'd2, 4'b0011);",
        "PhA:      return !chose ? row(3'd2, 3'd2, 2'd1, 4'b0110)\n"
        "                             : row(3'd1, 3'd1, 2'd1, 4'b0110);\n"
        "      PhB:      return row(3'd1, 3'd0, 2'd2, 4'b0011);",
        {"schedule"},
    ),
    "a product is left out": (
        "redc_exp_phases",
        "else next[last_bit_q ? Ending",
        "else next[(last_bit_q | (Ltr & two_bits_q)) ? Ending",
        {"invariants"},
    ),
    "an answer is taken twice": (
        "redc_exp_issue",
        "assign pop = mul_out_valid_i & mul_out_last_i;",
        "logic again_q;\n  always_ff @(posedge clk_i) again_q <= mul_out_valid_i;\n"
        "  assign pop = (mul_out_valid_i | again_q) & mul_out_last_i;",
        {"invariants"},
    ),
    "the exponent's bits are those one place above": (
        "redc_exp_bits",
        "assign none      = ~above & (InBits'(passed_q) == InBits'(Bits - 1));",
        "assign none      = ~above & (InBits'(passed_q) == InBits'(Bits - 2));",
        {"invariants"},
    ),
    "a product does not wait for its operand": (
        "redc_exp_method_pkg",
        "PhB:      return row(3'd1, 3'd0, 2'd2, 4'b0011);",
        "PhB:      return row(3'd1, 3'd0, 2'd2, 4'b0001);",
        {"schedule"},
    ),
    "what it multiplies by is the number 1": (
        "redc_exp_method_pkg",
        "PhB:      return row(3'd1, 3'd0, 2'd2, 4'b0011);",
        "PhB:      return row(3'd1, 3'd1, 2'd2, 4'b0011);",
        {"schedule"},
    ),
    "an offer to the multiplier is taken back": (
        "redc_exp_sequencer",
        "& ((needed_q & pending_left) == '0));",
        "& ((needed_q & pending_left) == '0) & ~(ready_q & bit_i));",
        {"invariants", "asks", "timing"},
    ),
    "the exponent decides how long a product waits": (
        "redc_exp_sequencer",
        "~makes[PhFirst] & (bit_valid_i | ~uses_bit));",
        "~makes[PhFirst] & ((bit_valid_i & (bit_i | settled_q)) | ~uses_bit));",
        {"invariants", "timing"},
    ),
    "one operand's lowest bit is lost while a result comes": (
        "redc_exp",
        ".a_i(value_a), .b_i(value_b),",
        ".a_i(value_a), .b_i(value_b & ~WordBits'(mul_out_valid_i)),",
        {"schedule", "asks"},
    ),
    "a modulus of 1 counts as another one while the next one waits": (
        "redc_exp_moduli",
        "assign one_o = one_q[place_i];",
        "assign one_o = one_q[place_i] & ~mod_waits_q;",
        {"invariants"},
    ),
    "R^2 changes while a modulus waits": (
        "redc_exp_moduli",
        "assign r2_o = r2_data;",
        "assign r2_o = r2_data ^ WordBits'(mod_waits_q);",
        {"invariants"},
    ),
    "a result is what was computed before": (
        "redc_exp_sequencer",
        "assign drained = drains & settled_q & ~finished_q;",
        "assign drained = drains & ~finished_q;",
        {"invariants"},
    ),
    "a modulus comes beside a job": (
        "redc_exp",
        ".quiet_i((&idle) & in_quiet)",
        ".quiet_i(in_quiet)",
        {"invariants"},
    ),
    "no job comes while the multiplier stays ready": (
        "redc_exp_intake",
        "assign in_step = readies[StepsBack] | (",
        "assign in_step = (readies[StepsBack] & ~readies[0]) | (",
        {"invariants"},
    ),
}
QUICK = 6
"""Mutants that the quick tests take."""
# Method, and as above.
OTHERS: dict[str, tuple[str, str, str, str, set[str]]] = {
    "a rung squares the other value": (
        "ladder",
        "redc_exp_method_pkg",
        "return row({1'b0, odd, exponent_bit == chose}, {1'b0, odd, exponent_bit == chose},",
        "return row({1'b0, odd, exponent_bit != chose}, {1'b0, odd, exponent_bit != chose},",
        {"schedule"},
    ),
    "a rung reads what the one beside it has replaced": (
        "ladder",
        "redc_exp_method_pkg",
        "PhA:      return odd ? row(3'd2, 3'd3, 2'd0, 4'b1100)",
        "PhA:      return odd ? row(3'd2, 3'd3, 2'd3, 4'b1100)",
        {"invariants"},
    ),
    "the ladder leaves with the value above": (
        "ladder",
        "redc_exp_method_pkg",
        "PhFinal:  return row({1'b0, odd, ~chose}, SourceOne, 2'd2, 4'b1111);",
        "PhFinal:  return row({1'b0, odd, chose}, SourceOne, 2'd2, 4'b1111);",
        {"schedule"},
    ),
    "a product is kept where the bit is 0": (
        "rtl",
        "redc_exp_sequencer",
        "keep: (Rtl && makes[PhB]) ? bit_i",
        "keep: (Rtl && makes[PhB]) ? ~bit_i",
        {"invariants"},
    ),
    "a product takes the power behind its own": (
        "rtl",
        "redc_exp_method_pkg",
        "PhB:      return odd ? row(3'd1, 3'd2, 2'd1, 4'b0110)",
        "PhB:      return odd ? row(3'd1, 3'd0, 2'd1, 4'b0110)",
        {"schedule"},
    ),
    "the last but one bit has a square too many": (
        "rtl",
        "redc_exp_phases",
        "(Rtl && two_bits_q) ? PhB : PhA",
        "(Rtl && two_bits_q && bit_i) ? PhB : PhA",
        {"invariants"},
    ),
    "the lowest bit comes twice": (
        "rtl",
        "redc_exp_bits",
        "assign next_bit = bit_at(shift_q, late_q ? 2 : 1);",
        "assign next_bit = bit_at(shift_q, late_q ? 2 : begun_q ? 0 : 1);",
        {"invariants"},
    ),
    "the square does not wait for the one before": (
        "rtl",
        "redc_exp_method_pkg",
        "PhA:      return odd ? row(3'd2, 3'd2, 2'd0, 4'b0100)\n"
        "                           : row(3'd0, 3'd0, 2'd2, 4'b0001);",
        "PhA:      return odd ? row(3'd2, 3'd2, 2'd0, 4'b0000)\n"
        "                           : row(3'd0, 3'd0, 2'd2, 4'b0001);",
        {"invariants"},
    ),
    "an entry is another one's": (
        "window",
        "redc_exp_window",
        ".d_i(at.entry == number_q)",
        ".d_i(at.entry == (number_q | Window'(1)))",
        {"invariants"},
    ),
    "the last entry is not looked at": (
        "window",
        "redc_exp_window",
        "next_last_q <= next_q == {BeatBits'(Beats - 1), Window'(Entries - 2)};",
        "next_last_q <= next_q == {BeatBits'(Beats - 1), Window'(Entries - 3)};",
        {"invariants"},
    ),
    "an entry keeps some of the one before": (
        "window",
        "redc_exp_window",
        "gathered_q <= (first_q ? '0 : gathered_q)",
        "gathered_q <= ((first_q & number_q[0]) ? '0 : gathered_q)",
        {"invariants"},
    ),
    "an entry is lost that comes as another one is asked for": (
        "window",
        "redc_exp",
        ".table_write_i(mul_out_valid_i & result_op.tabled &",
        ".table_write_i(mul_out_valid_i & ~issued[t] & result_op.tabled &",
        {"invariants"},
    ),
    "entries go to the place behind theirs": (
        "window",
        "redc_exp_sequencer",
        "entry: ({6{makes[PhBuild]}} & 6'(entry))",
        "entry: ({6{makes[PhBuild]}} & 6'(Window'(entry + 1'b1)))",
        {"invariants"},
    ),
    "entries are not times x": (
        "window",
        "redc_exp_method_pkg",
        "PhBuild:  return row(begins ? 3'd1 : 3'd0, 3'd1, 2'd0, 4'b0011);",
        "PhBuild:  return row(begins ? 3'd1 : 3'd0, begins ? 3'd1 : 3'd0, 2'd0, 4'b0011);",
        {"invariants", "schedule"},
    ),
    "the table is an entry short": (
        "window",
        "redc_exp_phases",
        "built_q    <= &entry_q;",
        "built_q    <= entry_q == Window'((1 << Window) - 2);",
        {"invariants"},
    ),
    "the table is not waited for": (
        "window",
        "redc_exp_sequencer",
        "chosen_q   <= rst_ni & choose & settled_q & ~chosen_q;",
        "chosen_q   <= rst_ni & choose & ~chosen_q;",
        {"invariants"},
    ),
    "a last digit has a square too few": (
        "window",
        "redc_exp_phases",
        "single_q   <= squares_q == 3'd1;",
        "single_q   <= squares_q == 3'd1 || (squares_q == 3'd2 && few_q);",
        {"invariants"},
    ),
    "a last digit has as many bits as all": (
        "window",
        "redc_exp_phases",
        "digits_q   <= (few_q && 3'(left_q) < 3'(Window)) ? 3'(left_q) : 3'(Window);",
        "digits_q   <= (few_q && 3'(left_q) < 3'(Window - 1)) ? 3'(left_q) : 3'(Window);",
        {"invariants"},
    ),
    "a last digit of one bit is left out": (
        "window",
        "redc_exp_phases",
        "none_q     <= few_q && 3'(left_q) == '0;",
        "none_q     <= few_q && 3'(left_q) <= 3'd1;",
        {"invariants"},
    ),
    "a product does not wait for its entry": (
        "window",
        "redc_exp_sequencer",
        "assign entry_there  = window_ready_ahead_i | ~from_entry_q;",
        "assign entry_there  = window_ready_ahead_i | ~(from_entry_q & situation.fresh);",
        {"invariants"},
    ),
    "a digit of 0 takes no look at the table": (
        "window",
        "redc_exp_window",
        "if (bit_valid_i && last_digit_q) state_q <= StScan;",
        "if (bit_valid_i && last_digit_q)\n"
        "          state_q <= (number_q == '0 && !bit_i) ? StReady : StScan;",
        {"invariants", "timing"},
    ),
}
"""Of the other methods; the quick tests take the first one of each."""
FIRST_OF_METHOD = {method: name for name, (method, *_) in reversed(OTHERS.items())}
EVERY = {name: ("ltr", *mutant) for name, mutant in MUTANTS.items()} | OTHERS
OF_WINDOWS = [name for name, (method, *_) in OTHERS.items() if method == "window"]


def design(name: str, width: int, settings: dict[str, int | str]) -> Design:
    return family(name).design(width, settings)


@pytest.mark.usefixtures("no_coq")
@pytest.mark.parametrize(
    ("name", "width", "settings"),
    [
        ("exp-interleaved", SMALL, {}),
        ("exp-interleaved", SMALL, {"memory": "registers", "r2": "outside"}),
        ("exp-interleaved", SMALL, {"method": "ladder"}),
        ("exp-interleaved", SMALL, {"method": "rtl", "memory": "registers"}),
        ("exp-interleaved", SMALL, {"method": "window"}),
        # Results of such a multiplier may be m, which leaves as 0.
        ("exp-csa", 33, {"final_sub": 0, "exp_bits": 5}),
    ],
)
def test_it_is_proved(name: str, width: int, settings: dict[str, int | str]) -> None:
    one = design(name, width, LEFT_TO_RIGHT | settings)
    found = induction.prove_design(one, one.sources())
    assert [each.reason for each in found if not each.ok] == []
    assert by_status(found, "proved") >= PROVED


@pytest.mark.full
@pytest.mark.usefixtures("no_coq")
@pytest.mark.parametrize(
    ("name", "width", "settings"),
    [
        ("exp-csa", 64, {"chunk": 7}),
        ("exp-csa", WIDE, {}),
        ("exp-interleaved", WIDE, {"memory": "registers", "exp_bits": 17}),
        ("exp-csa", WIDE, {"final_sub": 0, "r2": "outside"}),
        ("exp-csa", WIDE, {"method": "ladder"}),
        ("exp-csa", WIDE, {"method": "rtl"}),
        ("exp-csa", 64, {"method": "rtl", "final_sub": 0, "memory": "registers"}),
        ("exp-csa", 64, {"method": "ladder", "final_sub": 0, "memory": "registers"}),
        ("exp-csa", WIDE, {"method": "window"}),
        ("exp-csa", 64, {"method": "window", "final_sub": 0, "window": 5, "r2": "outside"}),
        *(
            ("exp-interleaved", 9, {"method": "window", "window": size, "memory": memory})
            for size, memory in (
                (1, "registers"),
                (2, "lutram"),
                (3, "bram"),
                (5, "block"),
                (6, "lutram"),
                (6, "registers"),
            )
        ),
        *(
            ("exp-interleaved", 9, {"method": method, "exp_bits": bits})
            for method in METHODS
            for bits in (1, 2, 3)
        ),
    ],
)
def test_other_shapes_are_proved(name: str, width: int, settings: dict[str, int | str]) -> None:
    found = prove_at_width([design(name, width, LEFT_TO_RIGHT | settings)], keep=False)
    assert [each.reason for each in found if not each.ok] == []
    assert by_status(found, "proved") >= PROVED


@pytest.mark.usefixtures("no_coq")
@pytest.mark.parametrize(
    "mutant",
    [
        each if number < QUICK else pytest.param(each, marks=pytest.mark.full)
        for number, each in enumerate(MUTANTS)
    ],
)
def test_mutants_are_not_proved(
    mutant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the solver alone, without the simulated run."""
    file, old, new, seen_by = MUTANTS[mutant]
    one = design("exp-interleaved", SMALL, LEFT_TO_RIGHT)
    files = patched_sources(tmp_path, one.sources(), {file: [(old, new)]})
    without_run(monkeypatch)
    found = induction.prove_design(one, files)
    assert seen_by <= by_status(found, "failed")


@pytest.mark.usefixtures("no_coq")
@pytest.mark.parametrize(
    "mutant",
    [
        each if each in FIRST_OF_METHOD.values() else pytest.param(each, marks=pytest.mark.full)
        for each in OTHERS
    ],
)
def test_mutants_of_other_methods_are_not_proved(
    mutant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    method, file, old, new, seen_by = OTHERS[mutant]
    one = design("exp-interleaved", SMALL, {"method": method})
    files = patched_sources(tmp_path, one.sources(), {file: [(old, new)]})
    without_run(monkeypatch)
    assert seen_by <= by_status(induction.prove_design(one, files), "failed")


@pytest.mark.full
@pytest.mark.usefixtures("no_coq")
@pytest.mark.parametrize("mutant", [*MUTANTS, *OF_WINDOWS])
def test_the_run_alone_sees_mutants(mutant: str, tmp_path: Path) -> None:
    """A run from reset contradicts, so that it is no state out of reach that does."""
    method, file, old, new, _ = EVERY[mutant]
    one = design("exp-interleaved", SMALL, {"method": method})
    files = patched_sources(tmp_path, one.sources(), {file: [(old, new)]})
    proof = induction.described(one, files)
    holds = [each.holds for each in (*proof.invariants, *proof.claims)]
    assert any(
        wrong is not None
        for seed in range(1, 9)
        for wrong in induction.walk(proof, holds, seed).wrong
    )


@pytest.mark.full
@pytest.mark.usefixtures("no_coq")
@pytest.mark.parametrize(
    ("mutant", "width"),
    [*((each, WIDE) for each in MUTANTS), *((each, 64) for each in OF_WINDOWS)],
)
def test_the_solver_alone_sees_mutants_at_a_width_that_ships(
    mutant: str, width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    method, file, old, new, seen_by = EVERY[mutant]
    one = design("exp-csa", width, {"method": method})
    files = patched_sources(tmp_path, one.sources(), {file: [(old, new)]})
    without_run(monkeypatch)
    assert seen_by <= by_status(induction.prove_design(one, files), "failed")


@pytest.mark.usefixtures("no_coq")
def test_wrong_invariants_and_covers_fail() -> None:
    one = design("exp-interleaved", SMALL, LEFT_TO_RIGHT)
    proof = induction.described(one, one.sources())
    # True in the first cycles after a reset, and in no run for long.
    proof.invariant("no modulus ever comes", ~proof.register("u_moduli.loaded_q"))
    found = induction.settle(proof)
    assert {"invariants", "order", "schedule", "result"} <= by_status(found, "failed")

    proof = induction.described(one, one.sources())
    proof.covers["something that cannot be"] = FALSE
    assert "invariants" in by_status(induction.settle(proof), "failed")


@pytest.mark.usefixtures("no_coq")
@pytest.mark.parametrize("wrong", [2, 3])
def test_a_formula_that_is_wrong_at_one_length_is_not_proved(
    wrong: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = exp_control.multiplications

    def told(method: str, length: int, window: int) -> int:
        return right(method, length, window) + (length == wrong)

    monkeypatch.setattr(exp_control, "multiplications", told)
    one = design("exp-interleaved", SMALL, LEFT_TO_RIGHT)
    found = induction.settle(induction.described(one, one.sources()))
    assert "products" in by_status(found, "failed")


@pytest.mark.usefixtures("no_coq")
def test_a_multiplier_that_answers_at_once_is_too_fast() -> None:
    """What is taken for granted of the multiplier is needed."""
    one = design("exp-interleaved", SMALL, LEFT_TO_RIGHT)
    proof = induction.described(one, one.sources())
    proof.granted = [each for each in proof.granted if "answers" not in each.name]
    found = induction.settle(proof)
    assert {"invariants", "schedule", "result"} <= by_status(found, "failed")


@needs_coq
@pytest.mark.parametrize("method", tiers(exp_steps.THEOREMS, 2))
def test_the_program_gives_the_power(method: str) -> None:
    assert algebra.check(exp_steps.algebra(method)) == ("proved", "")


@needs_coq
@pytest.mark.full
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("if bit then product else squared", "if bit then squared else product"),
        ("if bit then value else one", "if bit then one else value"),
        ("(2 * rest) mod 2 ^ n", "(2 * rest) mod 2 ^ (n + 1)"),
        ("(squared, base)", "(squared, squared)"),
        ("(2 * value + Z.b2z bit)", "(value + Z.b2z bit)"),
        ("value =? modulus", "value =? 0"),
    ],
)
def test_a_wrong_program_does_not(right: str, wrong: str) -> None:
    whole = exp_steps.algebra("ltr")
    assert right in whole.definitions
    changed = replace(whole, definitions=whole.definitions.replace(right, wrong))
    assert algebra.check(changed)[0] == "failed"


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("exp-csa", {"method": "rtl_dual"}),
        ("exp-csa", {"method": "ltr", "threads": 2}),
        ("exp-csa", {"method": "ltr", "checks": 1}),
        ("exp-cios", {"method": "ltr"}),
        ("prime-csa", {}),
    ],
)
def test_what_is_not_described_is_refused(name: str, settings: dict[str, int | str]) -> None:
    with pytest.raises(BadInput, match="--campaign"):
        prove_at_width([family(name).design(64, settings)])
