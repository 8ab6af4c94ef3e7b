# SPDX-License-Identifier: Apache-2.0
"""Proofs at width prove what is right, and fail on wrong RTL, invariants and algebra."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from at_width_found import needs_coq
from patched import patched_sources
from redcore import toolchain
from redcore.catalogue import family
from redcore.design import Design
from redcore.errors import BadInput
from redcore.verify import WidthResult, algebra, at_width, harness, induction, prove_at_width
from redcore.verify.keys import key_of_parts
from redcore.verify.width import (
    barrett,
    carrychain,
    csa,
    interleaved,
    radix4,
    systolic,
    tablechain_pipeline,
    tables,
    tableserial,
)
from redcore.verify.words import FALSE, Machine, const, from_low, leaf
from solver_alone import without_run

pytestmark = [pytest.mark.kept, pytest.mark.usefixtures("own_cache")]

SMALL = {
    "interleaved": 9, "barrett": 9, "radix4": 31, "csa": 49, "systolic": 33, "carrychain": 33,
    "tableserial": 17, "tablechain": 9,
}  # fmt: skip
"""Bits; enough for every shape that these proofs speak of: csa's adders have four words, systolic's
registers two lanes, carrychain's sum and tablechain a lowest, a middle and a topmost word."""
SETTINGS = {"tablechain": {"word": 4}}
"""That are not the default ones at these widths."""
WIDE = 256
CONTROL = {
    "order", "last", "stable", "modulus", "latency", "answer", "in_ready", "mod_ready", "error",
    "timing",
}  # fmt: skip
ALL = CONTROL | {"invariants", "result", "value"}

# Per family: file, replaced text, text put in, and properties that have to fail.
MUTANTS: dict[str, dict[str, tuple[str, str, str, set[str]]]] = {
    "interleaved": {
        "a carry lost in one column, under six particular ones": (
            "redc_mul_interleaved",
            "assign less_m  = sum - {2'b00, m};",
            "assign less_m  = sum - {2'b00, m} - ((&part_q[5:2] & b_q[3] & a_q[Width-1]) << 6);",
            {"result"},
        ),
        "a wrong last subtraction": (
            "redc_mul_interleaved",
            "if (finish) p_q <= part;",
            "if (finish) p_q <= less_m[SumBits-1] ? sum[Width-1:0] : less_m[Width-1:0];",
            {"result"},
        ),
        "an answer that changes while it waits": (
            "redc_mul_interleaved",
            "if (finish) p_q <= part;",
            "if (finish | (out_valid_o & in_valid_i & (step == 2))) p_q <= part;",
            {"result", "stable"},
        ),
        "an answer that is overwritten while it waits": (
            "redc_serial_ctrl",
            "assign finish_o    = last_q & ~out_valid_q;",
            "assign finish_o    = last_q;",
            {"order", "result", "stable"},
        ),
        "a modulus taken too early": (
            "redc_mul_interleaved",
            ".idle_i(idle), .accept_o",
            ".idle_i(free), .accept_o",
            {"modulus"},
        ),
        "operands of zero are answered sooner": (
            "redc_mul_interleaved",
            ".out_ready_i, .run_o(run)",
            ".out_ready_i(out_ready_i | (b_q == '0)), .run_o(run)",
            {"order", "stable", "timing"},
        ),
        "an answer that hangs on a register without reset": (
            "redc_mul_interleaved",
            "assign p_o        = p_q;",
            "logic lost_q;\n  always_ff @(posedge clk_i) if (in_take && a_i == Width'(37))"
            " lost_q <= 1'b0;\n  assign p_o        = p_q ^ Width'(lost_q);",
            {"result"},
        ),
        "neither stream moves while both are offered": (
            "redc_mul_shell",
            "assign mod_ready_o = waits_q & idle_i;",
            "assign mod_ready_o = waits_q & idle_i & ~(loaded_q & in_valid_i);",
            {"mod_ready"},
        ),
        "an error that nothing has made": (
            "redc_mul_shell",
            "assign err_o = 1'b0;",
            "assign err_o = a_i[0];",
            {"error", "timing"},
        ),
        "a step too few": (
            "redc_mul_interleaved_pkg",
            "return width * pace;",
            "return width * pace - 1;",
            {"result", "latency"},
        ),
    },
    "barrett": {
        "a carry lost in one column, under six particular ones": (
            "redc_mul_barrett_row",
            "    sum_o = SumBits'(base_i);",
            "    sum_o = SumBits'(base_i)\n"
            "            ^ (SumBits'(&base_i[5:2] & factor_i[3] & digit_i[0]) << 6);",
            {"invariants", "result"},
        ),
        "a quotient without its last digit": (
            "redc_mul_barrett",
            "assign open = multiply & (left_q != '0)",
            "assign open = multiply & (left_q > 1)",
            {"invariants", "result"},
        ),
        "the window of some moduli is a digit short": (
            "redc_mul_barrett_mu",
            "if (m_q[Bits-1-:Digit] == '0) begin",
            "if (m_q[Bits-1-:Digit] == '0 || (&m_q[2:0] && step_q == 0)) begin",
            {"invariants", "result"},
        ),
        "one subtraction of m in the end": (
            "redc_mul_barrett",
            "else if (decides) low_q <= corrected;",
            "else if (decides & (low_q < LowBits'(m) << 1)) low_q <= corrected;",
            {"invariants", "result"},
        ),
        "an answer that changes while it waits": (
            "redc_mul_barrett",
            "if (finish) p_q <= corrected[Width-1:0];",
            "if (finish | (out_valid_o & in_valid_i & (step == 2))) p_q <= corrected[Width-1:0];",
            {"result", "stable"},
        ),
        "an answer that is overwritten while it waits": (
            "redc_serial_ctrl",
            "assign finish_o    = last_q & ~out_valid_q;",
            "assign finish_o    = last_q;",
            {"order", "stable"},
        ),
        "operands taken while constants are derived": (
            "redc_mul_barrett",
            ".free_i(~deriving & free)",
            ".free_i(free)",
            {"invariants", "order"},
        ),
        "constants of some moduli are derived sooner": (
            "redc_mul_barrett_mu",
            "assign done_o   = busy_q & (step_q == StepBits'(Steps));",
            "assign done_o   = busy_q & ((step_q == StepBits'(Steps)) | (&m_q));",
            {"timing"},
        ),
        "a step too few": (
            "redc_mul_barrett_pkg",
            "s.interval       = s.multiply_steps + s.subtract_steps + 4;",
            "s.interval       = s.multiply_steps + s.subtract_steps + 3;",
            {"latency"},
        ),
    },
    "radix4": {
        "a carry lost in one column, under six particular ones": (
            "redc_mul_radix4_part",
            "always_ff @(posedge clk_i) u_q <= sum;",
            "always_ff @(posedge clk_i) u_q <= sum ^ Width'((&u[6:3] & y[4] & u[8]) << 9);",
            {"invariants", "result"},
        ),
        "a wrong quotient digit for some moduli": (
            "redc_mul_radix4_digits",
            "q_o = m_negative_q[place_i] ? residue : -residue;",
            "q_o = (m_negative_q[place_i] | &a_q[7:2]) ? residue : -residue;",
            {"invariants", "result"},
        ),
        "an answer that is overwritten while it waits": (
            "redc_mul_radix4_schedule",
            "if (!valid_q) begin",
            "if (!valid_q || now_q.count[0]) begin",
            {"invariants", "order"},
        ),
        "a modulus taken too early": (
            "redc_mul_radix4_schedule",
            "& ~done_q & ~valid_q;",
            "& ~done_q;",
            {"invariants", "modulus"},
        ),
        "operands let in for a cycle alone": (
            "redc_mul_radix4_schedule",
            "assign free_o       = (state_d == Idle);",
            "assign free_o       = (state_d == Idle) && (state != Idle);",
            {"invariants", "in_ready"},
        ),
        "a modulus that waits for an answer": (
            "redc_mul_radix4_schedule",
            "& ~done_q & ~valid_q;",
            "& ~done_q & valid_q;",
            {"invariants", "modulus", "mod_ready"},
        ),
        "an answer that waits for somebody who is not ready": (
            "redc_mul_radix4_schedule",
            "if (!valid_q) begin",
            "if (!valid_q && !out_ready_i) begin",
            {"invariants", "answer"},
        ),
        "one iteration too few": (
            "redc_mul_radix4_schedule",
            "localparam int unsigned FirstLeft = Sizes.digits - (Config.carry_save ? 0 : 1);",
            "localparam int unsigned FirstLeft = Sizes.digits - (Config.carry_save ? 1 : 2);",
            {"invariants", "latency"},
        ),
    },
    "csa": {
        "a carry lost in one column, under six particular ones": (
            "redc_mul_csa_block",
            "assign c_next_o = carry;",
            "assign c_next_o = carry & ~(RowBits'(&s[5:2] & c[3] & addend[4]) << 3);",
            {"result"},
        ),
        "a wrong last subtraction": (
            "redc_add_reduce",
            "assign keep      = top_q | ripple[Words];",
            "assign keep      = (top_q & ripple[1]) | ripple[Words];",
            {"result"},
        ),
        "an answer that changes while it waits": (
            "redc_mul_csa_final",
            ".clk_i, .load_next_i(load_next_i[Sizes.finals]), .d_i(result), .q_o(p_o)",
            ".clk_i, .load_next_i(|load_next_i), .d_i(result), .q_o(p_o)",
            {"result", "stable"},
        ),
        "an answer that is overwritten while it waits": (
            "redc_mul_csa",
            "free_next = ~occupied_next[stage] | leave_next[stage];",
            "free_next = ~occupied_next[stage] | leave_next[stage]"
            " | (stage == int'(Output) && in_ready_o);",
            {"order", "result"},
        ),
        "a quotient bit looked ahead wrongly": (
            "redc_mul_csa_block",
            "assign carry0      = head_s_q[0] | head_c_q[0];",
            "assign carry0      = head_s_q[0] & head_c_q[0];",
            {"result"},
        ),
        "a modulus taken too early": (
            "redc_mul_csa",
            ".idle_i(~(|occupied_next) & (~Lag | ~in_ready_o))",
            ".idle_i(~(|occupied_next[PipeStages-2:0]) & (~Lag | ~in_ready_o))",
            {"modulus"},
        ),
        "operands are let in as those before say": (
            "redc_mul_csa",
            "assign calm = ~Lag | ~(",
            "assign calm = ~Lag | ~(p_o[3] | ",
            {"timing"},
        ),
        "a carry between words of the difference that comes late": (
            "redc_add_reduce",
            "    always_ff @(posedge clk_i) begin\n      wave[w+1]   <= wave[w];\n"
            "      ripple[w+1] <= carry[w];",
            "    always_ff @(posedge clk_i) begin\n      wave[w+1]   <= wave[w];\n"
            "      ripple[w+1] <= (w == 1 && wave[w+1]) ? ripple[w+1] : carry[w];",
            {"result"},
        ),
    },
    "systolic": {
        "a carry lost in one column, under six particular ones": (
            "redc_mul_systolic_cell",
            "carry_m_o <= carry_m_d;",
            "carry_m_o <= carry_m_d & ~(high_q & carry_m_i & carry_a_i & b_i & q_i & a[1]);",
            {"invariants", "result"},
        ),
        "an answer that is overwritten while it waits": (
            "redc_mul_systolic",
            "assign move_d   = complete & ~move_q & ~out_valid_q;",
            "assign move_d   = complete & ~move_q;",
            {"invariants", "order", "stable"},
        ),
        "the last sum of the multiplication before is looked at": (
            "redc_mul_systolic_cell",
            ".x_i(above_i & ~first_i)",
            ".x_i(above_i)",
            {"invariants", "result"},
        ),
        "a last iteration a cycle late": (
            "redc_mul_systolic",
            "last_q    <= feeding_q & (left_q == CountBits'(1));",
            "last_q    <= feeding_q & (left_q == CountBits'(0));",
            {"invariants", "order", "latency"},
        ),
        "one iteration too few": (
            "redc_mul_systolic",
            "left_q <= CountBits'(Iterations - 1);",
            "left_q <= CountBits'(Iterations - 2);",
            {"invariants", "result", "latency"},
        ),
        "a modulus taken too early": (
            "redc_mul_systolic",
            "(flight_q == '0)",
            "~flight_q[1]",
            {"invariants", "modulus"},
        ),
        "a third multiplication is let in": (
            "redc_mul_systolic",
            "assign room = samples_next & ~flight_d[1];",
            "assign room = samples_next & (~flight_d[1] | out_valid_o);",
            {"invariants", "order"},
        ),
        "a second pair is written over the one that was taken": (
            "redc_mul_systolic",
            "assign samples_far  = ~(in_valid_i & ready_far) & free[1];",
            "assign samples_far  = free[1];",
            {"invariants", "result"},
        ),
        "a copy of a that comes a cycle late": (
            "redc_mul_systolic",
            "assign arrives = first[j-1];",
            "assign arrives = (j == 3) ? first[j] : first[j-1];",
            {"invariants", "result"},
        ),
        "a result register that does not wait for its last cell": (
            "redc_mul_systolic",
            "assign complete = last[ResultCells-1] | complete_q;",
            "assign complete = last[ResultCells-3] | complete_q;",
            {"invariants", "result", "latency"},
        ),
        "results with zeros at the bottom are given out sooner": (
            "redc_mul_systolic",
            "assign complete = last[ResultCells-1] | complete_q;",
            "assign complete = last[ResultCells-1] | complete_q"
            " | (last[ResultCells-2] & (result[3:0] == '0));",
            {"invariants", "timing", "latency"},
        ),
        "operands wait for an answer that is taken": (
            "redc_mul_systolic",
            "assign room = samples_next & ~flight_d[1];",
            "assign room = samples_next & ~flight_d[1] & ~out_valid_o;",
            {"invariants", "in_ready"},
        ),
    },
    "carrychain": {
        "a carry lost between words, under six particular bits": (
            "redc_mul_carrychain_unit",
            ".clk_i, .d_i(carry), .q_o({low_carry_o, carry_o})",
            ".clk_i, .d_i(carry & ~{&sum_q[4:1] & add_a_i & a_q[2], 1'b0}),"
            " .q_o({low_carry_o, carry_o})",
            {"invariants", "result"},
        ),
        "a result that is overwritten while an answer waits": (
            "redc_mul_carrychain",
            "assign move[0] = pending_q & ~taken_q;",
            "assign move[0] = pending_q & (~taken_q | free);",
            {"invariants", "order", "stable"},
        ),
        "the first words of results for some moduli move too soon": (
            "redc_mul_carrychain",
            "assign move[0] = pending_q & ~taken_q;",
            "assign move[0] = (pending_q | (finish_q[Finish] & modulus[2])) & ~taken_q;",
            {"invariants", "timing", "latency"},
        ),
        "a bit handed down that lacks a carry": (
            "redc_mul_carrychain_unit",
            "assign low = half_sum[0] ^ addend_q[0] ^ low_carry_i[1];",
            "assign low = half_sum[0] ^ addend_q[0] ^ (low_carry_i[1] & ~(&half_sum[3:1]));",
            {"invariants", "result"},
        ),
        "the sum of the multiplication before is handed down": (
            "redc_mul_carrychain_unit",
            "assign low_o   = low & ~clear_i;",
            "assign low_o   = low;",
            {"invariants", "result"},
        ),
        "a quotient bit of the multiplication before": (
            "redc_mul_carrychain_unit",
            "^ half_sum[0]) & ~clear_i;",
            "^ half_sum[0]);",
            {"invariants", "result"},
        ),
        "a word of a that comes a cycle late": (
            "redc_mul_carrychain",
            "assign load = step_q[w];",
            "assign load = step_q[w + ((w == 1) ? 1 : 0)];",
            {"invariants", "result"},
        ),
        "a word of the result that is kept a cycle early": (
            "redc_mul_carrychain",
            ".capture_i(finish_q[Finish+w])",
            ".capture_i(finish_q[Finish+w-((w == 1) ? 1 : 0)])",
            {"invariants", "result"},
        ),
        "an answer whose topmost word is still to come": (
            "redc_mul_carrychain",
            "ArriveBits'(int'(Units) - 3)",
            "ArriveBits'(int'(Units) - 4)",
            {"invariants", "latency", "stable"},
        ),
        "one iteration too few": (
            "redc_mul_carrychain",
            "CountBits'(Sizes.interval - 4)",
            "CountBits'(Sizes.interval - 5)",
            {"invariants", "result", "latency"},
        ),
        "a third multiplication is let in": (
            "redc_mul_carrychain",
            "assign room     = free & ~accept & ~inside_d[1];",
            "assign room     = free & ~accept & (~inside_d[1] | out_valid_o);",
            {"invariants", "order"},
        ),
        "a modulus taken too early": (
            "redc_mul_carrychain",
            ".idle_i(inside_d == '0)",
            ".idle_i(~inside_d[1])",
            {"invariants", "modulus"},
        ),
        "operands wait for an answer that is taken": (
            "redc_mul_carrychain",
            "assign room     = free & ~accept & ~inside_d[1];",
            "assign room     = free & ~accept & ~inside_d[1] & ~out_valid_o;",
            {"invariants", "in_ready"},
        ),
        "operands beside a modulus": (
            "redc_mul_shell",
            "mod_open & ~open_q & ~mod_open_q & ~mod_ready_q;",
            "mod_open & ~mod_open_q & ~mod_ready_q;",
            {"invariants", "modulus"},
        ),
    },
    "tableserial": {
        "a carry lost between words, under six particular bits": (
            "redc_mul_tableserial",
            "else if (second_valid_q) carry_q <= carry;",
            "else if (second_valid_q) carry_q <= carry & ~(&value[3:0] & entry[0] & entry[2]);",
            {"invariants", "result"},
        ),
        "a modulus that comes between words of operands": (
            "redc_mul_tableserial",
            ".idle_i(load_d & ~accept & ~more_q)",
            ".idle_i(load_d & ~accept)",
            {"invariants", "modulus"},
        ),
        "an entry of some moduli goes to a wrong place": (
            "redc_mul_tableserial",
            "low_q[1] ^ low_q[0], low_q[0]}",
            "low_q[1] ^ (low_q[0] & ~(&sum_q[2:0])), low_q[0]}",
            {"invariants", "result"},
        ),
        "an even modulus writes over the entry that is zero": (
            "redc_mul_tableserial",
            "divides_q ? {1'b0, ~zero_q & (low_q == '0),",
            "divides_q ? {1'b0, 1'b0,",
            {"invariants", "result"},
        ),
        "the topmost word is told a digit": (
            "redc_mul_tableserial",
            "{sum[1:0] & {2{~third_last_q & ~zero_q}}",
            "{sum[1:0] & {2{~zero_q}}",
            {"invariants", "result"},
        ),
        "the first iteration of some digits adds to the sum before": (
            "redc_mul_tableserial",
            "{zero_q | first_q, word_q}",
            "{zero_q | (first_q & ~(&digit)), word_q}",
            {"invariants", "result"},
        ),
        "one digit too few": (
            "redc_mul_tableserial_pkg",
            "s.digits   = ceil_div(c.width + 2, 2);",
            "s.digits   = ceil_div(c.width + 2, 2) - 1;",
            {"invariants", "result", "latency"},
        ),
        "a word is asked for before the one before is taken": (
            "redc_mul_tableserial",
            "ask_q          <= finish_q ? take & ~top : finish_d;",
            "ask_q          <= finish_q ? (take | (out_valid_o & in_valid_i)) & ~top : finish_d;",
            {"invariants", "order", "result", "stable"},
        ),
        "words are offered before they are made": (
            "redc_mul_tableserial",
            "answer_q | (out_valid_o & ~out_ready_i);",
            "answer_q | (asked_q & word_q[0]) | (out_valid_o & ~out_ready_i);",
            {"invariants", "result", "stable", "latency"},
        ),
        "another word has the last one's mark": (
            "redc_mul_tableserial",
            "if (second_valid_q) third_last_q <= second_last_q;",
            "if (second_valid_q) third_last_q <= second_last_q | (finish_q & word_q[0]);",
            {"invariants", "last"},
        ),
        "some operands are done sooner": (
            "redc_mul_tableserial",
            "if (iterate_q & last_digit) {iterate_d, finish_d}",
            "if (iterate_q & (last_digit | (&entry_q))) {iterate_d, finish_d}",
            {"invariants", "timing", "latency"},
        ),
        "operands beside a modulus": (
            "redc_mul_shell",
            "assign open_next_o = more_i | (open & ~(mod_ready_q & ~mod_end));",
            "assign open_next_o = more_i | open;",
            {"invariants", "order"},
        ),
        "operands wait for an answer that is taken": (
            "redc_mul_tableserial",
            ".free_i(load_d), .more_i",
            ".free_i(load_d & ~out_ready_i), .more_i",
            {"invariants", "in_ready"},
        ),
        "a modulus waits while operands do": (
            "redc_mul_tableserial",
            ".idle_i(load_d & ~accept & ~more_q)",
            ".idle_i(load_d & ~accept & ~more_q & ~in_valid_i)",
            {"invariants", "mod_ready"},
        ),
    },
    "tablechain": {
        "a carry lost between units, under six particular bits": (
            "redc_mul_tablechain_unit",
            "carry_o <= carry;",
            "carry_o <= carry & ~(&sum_q[3:1] & entry_q[0] & ~entry_q[1] & entry_q[3]);",
            {"invariants", "result"},
        ),
        "an entry of some moduli in a wrong place": (
            "redc_mul_tablechain_pkg",
            "return {1'b0, multiple[1] ^ (multiple[0] & ~bits[1]), multiple[0]};",
            "return {1'b0, multiple[1] ^ (multiple[0] & bits[1]), multiple[0]};",
            {"invariants", "result"},
        ),
        "iterations begin though a word came too late": (
            "redc_mul_tablechain_schedule",
            "assign late    = proof_q & ~full_i;",
            "assign late    = proof_q & ~full_i & ~ample_i;",
            {"invariants", "order"},
        ),
        "a third result is claimed": (
            "redc_mul_tablechain_results",
            "assign room_next_o = ~owed_q[0] | (~owed_q[1] & gone_q);",
            "assign room_next_o = ~owed_q[0] | ~owed_q[1] | out_ready_i;",
            {"invariants", "order"},
        ),
        "a modulus that comes beside operands": (
            "redc_mul_tablechain",
            ".idle_i(rest & ~accept & ~occupied_q)",
            ".idle_i(rest & ~accept)",
            {"invariants", "modulus"},
        ),
        "operands are overwritten": (
            "redc_mul_tablechain",
            ".free_i(open & ~mod_ready_o & ~accept & ~occupied_q)",
            ".free_i(open & ~mod_ready_o & ~accept & ~more_q)",
            {"invariants", "order"},
        ),
        "some operands are done sooner": (
            "redc_mul_tablechain_schedule",
            "assign ends    = state_q.iterate & last_i;",
            "assign ends    = state_q.iterate & (last_i | (&digit_i & ~first_q));",
            {"invariants", "timing"},
        ),
        "another word has the last one's mark": (
            "redc_mul_tablechain_results",
            "(32'(beat_q) == Beats - 2);",
            "(32'(beat_q) == Beats - 3);",
            {"invariants", "last"},
        ),
        "a word changes while it waits": (
            "redc_mul_tablechain_results",
            "if (pop) read_q <= behind(read_q);",
            "if (pop | (out_valid_o & claim_i)) read_q <= behind(read_q);",
            {"invariants", "stable"},
        ),
        "one iteration too few": (
            "redc_mul_tablechain_pkg",
            "s.iterations = s.r_bits / s.digit + 1;",
            "s.iterations = s.r_bits / s.digit;",
            {"invariants", "latency"},
        ),
        "operands wait for a result that is taken": (
            "redc_mul_tablechain",
            ".free_i(open & ~mod_ready_o & ~accept & ~occupied_q)",
            ".free_i(open & ~mod_ready_o & ~accept & ~occupied_q & ~out_ready_i)",
            {"invariants", "in_ready"},
        ),
        "a modulus waits while operands do": (
            "redc_mul_tablechain",
            ".idle_i(rest & ~accept & ~occupied_q)",
            ".idle_i(rest & ~accept & ~occupied_q & ~in_valid_i)",
            {"invariants", "mod_ready"},
        ),
        "the upper unit's digit lacks a carry": (
            "redc_mul_tablechain_unit",
            "2'(entry_q[Digit-1:0]), carry_i));",
            "2'(entry_q[Digit-1:0]), carry_i & ~(&sum_q[3:2])));",
            {"invariants", "result"},
        ),
        "the quotient digit looks at an entry that is older": (
            "redc_mul_tablechain_unit",
            "2'(entry[Digit-1:0]), 1'b0));",
            "2'(entry_q[Digit-1:0]), 1'b0));",
            {"invariants", "result"},
        ),
        "a multiplicand that is not forgotten": (
            "redc_mul_tablechain_unit",
            "if (clear_i) word_q <= '0;",
            "if (clear_i & ~&word_q) word_q <= '0;",
            {"invariants", "result"},
        ),
        "no zeros above the multiplier": (
            "redc_mul_tablechain_digits",
            "if (!more_q) chosen_q <= '0;",
            "if (!more_q && !(&word)) chosen_q <= '0;",
            {"invariants", "result"},
        ),
    },
}
DESCRIBED = list(MUTANTS)
EACH = [(name, each) for name, mutants in MUTANTS.items() for each in mutants]
QUICK = 3
"""Mutants of csa, radix4, systolic, carrychain and both with tables that quick tests take, and of
the last four those at the width that ships; interleaved takes no second for each."""


def small(name: str) -> Design:
    """A design of the family."""
    return family(name).design(SMALL[name], SETTINGS.get(name, {}))


def by_name(results: list[WidthResult]) -> dict[str, WidthResult]:
    return {result.property_name: result for result in results}


@pytest.mark.parametrize("name", DESCRIBED)
@pytest.mark.usefixtures("no_coq")
def test_right_core_is_proved(name: str) -> None:
    design = small(name)
    found = by_name(induction.prove_design(design, design.sources()))
    assert set(found) == ALL
    status = {key: result.status for key, result in found.items()}
    assert {key for key in ALL if status[key] != "proved"} == {"value"}
    # Without the tool nothing is said to be proved, and the rest says what it lacks.
    assert found["value"].status == "unavailable"
    assert found["result"].assumptions


@pytest.mark.parametrize("digit", [2, 4])
@pytest.mark.usefixtures("no_coq")
def test_digits_of_several_bits_leave_the_answers_open(digit: int) -> None:
    """Nothing is said to be proved of what the description does not speak of.

    With digits of four bits constants take longer than a multiplication.
    """
    design = family("barrett").design(9, {"digit": digit})
    found = by_name(induction.prove_design(design, design.sources()))
    assert {key for key in ALL if found[key].status == "open"} == {"result", "value"}
    assert {found[key].status for key in ALL - {"result", "value"}} == {"proved"}


@pytest.mark.parametrize("name", ["interleaved", "barrett"])
@pytest.mark.usefixtures("no_coq")
def test_selected_carries_are_proved_and_wrong_ones_are_not(name: str, tmp_path: Path) -> None:
    design = family(name).design(SMALL[name], {"word": 3})
    found = by_name(induction.prove_design(design, design.sources()))
    assert {key for key in ALL if found[key].status != "proved"} == {"value"}
    change = ("assign carry   = carries[Words-1:0]", "assign carry   = Words'(carry_i)")
    files = patched_sources(tmp_path, design.sources(), {"redc_add_words": [change]})
    found = by_name(induction.prove_design(design, files))
    assert {found[key].status for key in ("invariants", "result")} == {"failed"}


@pytest.mark.full
@pytest.mark.parametrize("name", DESCRIBED)
def test_right_core_is_proved_at_the_width_that_ships(name: str) -> None:
    found = prove_at_width([family(name).design(WIDE)], keep=False)
    assert {each.property_name for each in found} == ALL
    assert [each.reason for each in found if not each.ok] == []


@pytest.mark.parametrize(
    ("name", "mutant"),
    [
        pytest.param(*each, marks=pytest.mark.full)
        if each[0] in ("csa", "radix4", "systolic", "carrychain", "tableserial", "tablechain")
        and each[1] not in list(MUTANTS[each[0]])[:QUICK]
        else each
        for each in EACH
    ],
)
@pytest.mark.usefixtures("no_coq")
def test_mutants_are_not_proved(name: str, mutant: str, tmp_path: Path) -> None:
    file, old, new, seen_by = MUTANTS[name][mutant]
    design = small(name)
    files = patched_sources(tmp_path, design.sources(), {file: [(old, new)]})
    found = by_name(induction.prove_design(design, files))
    failed = {key for key, result in found.items() if result.status == "failed"}
    assert seen_by <= failed
    assert all(found[key].reason for key in failed)


@pytest.mark.parametrize("edge", ["negedge clk_i", "posedge in_valid_i", "posedge (clk_i & run)"])
@pytest.mark.usefixtures("no_coq")
def test_a_register_of_another_clock_is_no_model(edge: str, tmp_path: Path) -> None:
    """The expressions step all registers at once."""
    design = family("interleaved").design(SMALL["interleaved"])
    new = f"always_ff @({edge}) if (finish) p_q <= part;"
    change = ("always_ff @(posedge clk_i) if (finish) p_q <= part;", new)
    files = patched_sources(tmp_path, design.sources(), {"redc_mul_interleaved": [change]})
    with pytest.raises(RuntimeError, match="is not clocked by the rising edge of clk_i"):
        induction.prove_design(design, files)


@pytest.mark.parametrize(
    "other",
    [
        "always_latch if (finish) p_q = part;",
        "always_ff @(posedge clk_i or negedge rst_ni)"
        " if (!rst_ni) p_q <= '0; else if (finish) p_q <= part;",
    ],
    ids=["latch", "asynchronous"],
)
@pytest.mark.usefixtures("no_coq")
def test_a_register_that_changes_between_edges_is_no_model(other: str, tmp_path: Path) -> None:
    design = family("interleaved").design(SMALL["interleaved"])
    change = ("always_ff @(posedge clk_i) if (finish) p_q <= part;", other)
    files = patched_sources(tmp_path, design.sources(), {"redc_mul_interleaved": [change]})
    with pytest.raises(RuntimeError, match="at other times than a clock's edge"):
        induction.prove_design(design, files)


def test_a_changed_formula_is_a_new_question() -> None:
    design = family("interleaved").design(SMALL["interleaved"])
    files = design.sources()
    before = at_width._content(design, files, 1)
    vars(design)["geometry"] = replace(design.geometry, latency_cycles=3)
    assert at_width._content(design, files, 1) != before


@pytest.mark.parametrize("name", ["units/exp/schedule.py", "families/cios.py", "verify/words.py"])
def test_so_is_changed_code_that_decides_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Path.read_bytes
    before = key_of_parts(harness._DECIDE, ())
    monkeypatch.setattr(
        Path, "read_bytes", lambda path: read(path) + b"#" * path.as_posix().endswith(name)
    )
    assert key_of_parts(harness._DECIDE, ()) != before


@pytest.mark.parametrize(
    "damaged",
    [
        '{"results": []}',
        '{"answer": {"results": []}, "blake2b": ""}',
        '{"results": 5}',
        "null",
        "[",
    ],
)
def test_a_kept_proof_that_is_not_as_it_was_written_is_asked_again(
    damaged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is cut short would look like one with nothing wrong."""
    design, asked = small("interleaved"), []

    def child(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        one = WidthResult(design.label(), "order", "proved", "", 1, 0.0, [])
        return subprocess.CompletedProcess([], 0, json.dumps({"results": [asdict(one)]}), "")

    monkeypatch.setattr(at_width, "_content", lambda *_: "key")
    monkeypatch.setattr(at_width.processes, "run", child)
    before = prove_at_width([design])
    assert prove_at_width([design]) == before and len(asked) == 1
    (toolchain.cache_folder() / "proofs" / "key.json").write_text(damaged)
    assert prove_at_width([design]) == before and len(asked) == 2


@pytest.mark.parametrize(
    ("ended", "says"),
    [
        (
            (-9, "", ""),
            "the proof of interleaved-9 was ended by SIGKILL, perhaps for want of memory",
        ),
        ((0, '{"host": "Coq was ended by SIGKILL"}', ""), "broke off: Coq was ended by SIGKILL"),
    ],
)
def test_a_proof_that_is_killed_is_one_sentence(
    ended: tuple[int, str, str], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_width, "_content", lambda *_: "key")
    monkeypatch.setattr(
        at_width.processes, "run", lambda *_, **__: subprocess.CompletedProcess([], *ended)
    )
    with pytest.raises(BadInput, match=says):
        prove_at_width([small("interleaved")])
    assert not (toolchain.cache_folder() / "proofs" / "key.json").exists()


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "mutant"),
    [
        each
        for each in EACH
        if each[0] != "radix4"
        and (
            each[0] not in ("systolic", "carrychain", "tableserial", "tablechain")
            or each[1] in list(MUTANTS[each[0]])[:QUICK]
        )
    ],
)
@pytest.mark.usefixtures("no_coq")
def test_the_solver_alone_sees_mutants_at_the_width_that_ships(
    name: str, mutant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the simulated run, which may find them as well."""
    file, old, new, seen_by = MUTANTS[name][mutant]
    design = family(name).design(WIDE)
    files = patched_sources(tmp_path, design.sources(), {file: [(old, new)]})
    proof = induction.described(design, files)
    without_run(monkeypatch)
    found = by_name(induction.settle(proof))
    assert seen_by <= {key for key, result in found.items() if result.status == "failed"}


@pytest.mark.parametrize(
    "name",
    [
        "interleaved",
        "barrett",
        "tablechain",
        *(
            pytest.param(each, marks=pytest.mark.full)
            for each in ("csa", "systolic", "carrychain", "tableserial")
        ),
    ],
)
@pytest.mark.usefixtures("no_coq")
def test_wrong_invariants_and_covers_fail(name: str) -> None:
    design = small(name)
    proof = induction.described(design, design.sources())
    # True in the first cycles after a reset, and in no run for long.
    loaded = proof.register("i_shell.loaded_q")
    proof.invariant("no modulus ever comes", ~loaded)
    found = by_name(induction.settle(proof))
    assert found["invariants"].status == "failed"
    assert "no modulus ever comes" in found["invariants"].reason
    # What rests on it is not proved either.
    assert {found[key].status for key in ("result", "order", "stable")} == {"failed"}

    proof = induction.described(design, design.sources())
    proof.covers["something that cannot be"] = FALSE
    found = by_name(induction.settle(proof))
    assert found["invariants"].status == "failed"
    assert "vacuous" in found["invariants"].reason


@pytest.mark.parametrize("granted", ["nothing at all", "no operands"])
@pytest.mark.usefixtures("no_coq")
def test_a_false_environment_proves_nothing(granted: str) -> None:
    """The run does not keep to it; taken for granted, it would prove every property."""
    design = family("interleaved").design(8)
    proof = induction.described(design, design.sources())
    holds = FALSE if granted == "nothing at all" else ~proof.input("in_valid_i")
    proof.environment(granted, holds)
    found = by_name(induction.settle(proof))
    assert f"{granted} is wrong in cycle" in found["invariants"].reason
    assert not [each for each, told in found.items() if told.status == "proved"]


@pytest.mark.usefixtures("no_coq")
def test_an_invariant_true_in_all_runs_but_not_inductive_fails() -> None:
    """It is no proof that no run shows a violation."""
    design = family("interleaved").design(SMALL["interleaved"])
    proof = induction.described(design, design.sources())
    # In the random run they are, but nothing demands it.
    loaded, modulus = proof.register("i_shell.loaded_q"), proof.register("i_shell.modulus")
    proof.invariant("moduli are odd", loaded.implies(modulus.bit(0)))
    found = by_name(induction.settle(proof))
    assert found["invariants"].status == "failed"
    assert "moduli are odd is kept" in found["invariants"].reason


def test_a_coq_that_is_killed_refuses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its end would be kept as a theorem that is wrong."""
    proof = induction.described(small("barrett"), small("barrett").sources())
    assert proof.algebra is not None
    monkeypatch.setattr(algebra.shutil, "which", lambda _: "coqc")
    monkeypatch.setattr(
        algebra.processes, "run", lambda *_, **__: subprocess.CompletedProcess([], -9, "", "")
    )
    with pytest.raises(BadInput, match="Coq was ended by SIGKILL"):
        algebra.check(proof.algebra)


@needs_coq
@pytest.mark.full
@pytest.mark.parametrize("name", DESCRIBED)
def test_algebra_is_proved(name: str) -> None:
    assert algebra.check(induction.description(name).algebra()) == ("proved", "")


@needs_coq
@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("interleaved", "= (a * b) mod m.", "= (a * b + 1) mod m."),
        (
            "interleaved",
            "0 <= a < 2 ^ n -> 0 <= b < m ->\n  snd",
            "0 <= a < 2 ^ n -> 0 <= b <= m ->\n  snd",
        ),
        ("interleaved", "rewrite H by lia. f_equal. ring.\nQed.", "Admitted."),
        ("csa", "0 <= csa_final n s c m < m\n", "0 <= csa_final n s c m < m - 1\n"),
        ("csa", "Z.odd m = true -> 0 <= a < 2 ^ n", "0 <= a < 2 ^ n"),
        ("radix4", "let digits := (n + 1) / 2 in", "let digits := n / 2 in"),
        ("radix4", "0 <= p < m /\\ (4", "0 <= p < m - 1 /\\ (4"),
        ("systolic", "  w + 3 + held <= Z.of_nat t + 1 ->", "  w + 2 + held <= Z.of_nat t + 1 ->"),
        ("systolic", "  p < 2 * m /\\ (2", "  p < 2 * m - 1 /\\ (2"),
        ("systolic", "  0 < w -> w + 3 <= 2 * n ->", "  0 < w -> w + 2 <= 2 * n ->"),
        ("carrychain", "  w + 3 + words <= Z.of_nat t ->", "  w + 2 + words <= Z.of_nat t ->"),
        ("carrychain", "  p < 2 * m /\\ (2", "  p < 2 * m - 1 /\\ (2"),
        ("carrychain", "3 <= w + 4 - c * (words - 1) ->", "2 <= w + 4 - c * (words - 1) ->"),
        ("tableserial", "w + 4 <= c * Z.of_nat words ->", "w + 3 <= c * Z.of_nat words ->"),
        ("tableserial", "  0 <= p < 2 * m /\\ (4", "  0 <= p < 2 * m - 1 /\\ (4"),
        ("tableserial", "  let digits := (w + 3) / 2 in", "  let digits := (w + 1) / 2 in"),
        (
            "tableserial",
            "  (forall k, 0 <= k < Z.of_nat words -> t0 0 0 k = 0) ->\n",
            "",
        ),
        (
            "tablechain",
            "w + 4 <= c * (Z.of_nat words - 1) + h ->",
            "w + 3 <= c * Z.of_nat words ->",
        ),
        ("tablechain", "  0 <= p < 2 * m /\\ (4", "  0 <= p < 2 * m - 1 /\\ (4"),
        ("tablechain", "  let digits := (w + 3) / 2 in", "  let digits := (w + 1) / 2 in"),
        (
            "tablechain",
            "fa k < 2 ^ c) -> (forall k, Z.of_nat words <= k -> fa k = 0) ->",
            "fa k < 2 ^ c) ->",
        ),
        ("barrett", "barrett n a b m mu kept = (a * b) mod m.", "barrett n a b m mu kept = a * b."),
        ("barrett", "0 <= x - q * m < 3 * m.", "0 <= x - q * m < 2 * m."),
        (
            "barrett",
            "shifts (Z.to_nat (n - 1)) n (m, 2 * n) in",
            "shifts (Z.to_nat n) n (m, 2 * n) in",
        ),
    ],
)
def test_wrong_algebra_fails(name: str, old: str, new: str, tmp_path: Path) -> None:
    known = induction.description(name).algebra()
    text = (harness.formal_folder() / known.file).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (tmp_path / known.file).write_text(text.replace(old, new), encoding="utf-8")
    status, reason = algebra.check(known, tmp_path)
    assert status == "failed"
    assert reason


@needs_coq
@pytest.mark.full
def test_another_step_is_not_what_the_theorem_is_about() -> None:
    """The definitions are the solver's: with another step the proof does not go through."""
    known = interleaved.algebra()
    changed = known.definitions.replace("if v2 then b else 0", "if v2 then 0 else b")
    assert changed != known.definitions
    status, _ = algebra.check(replace(known, definitions=changed))
    assert status == "failed"


def test_specification_is_the_product() -> None:
    """What the ghosts compute and Coq speaks of, against integers."""
    draw = random.Random(1)
    n = 40
    names = [leaf(name, n) for name in ("a", "part", "b", "m")]
    machine = Machine(names, interleaved.step(*names))
    for _ in range(20):
        m = draw.getrandbits(n) | 1
        a, b = draw.getrandbits(n), draw.randrange(m)
        left, part = a, 0
        for _ in range(n):
            left, part = machine.run([left, part, b, m])
        assert part == a * b % m


def test_specification_of_carry_save_is_montgomery_s_product() -> None:
    draw = random.Random(2)
    n = 40
    names = [leaf(name, n + (name in ("s", "c", "bm"))) for name in ("a", "s", "c", "b", "bm", "m")]
    machine = Machine(names, csa.step(*names))
    _, s, c, _, _, m = names
    last = Machine([s, c, m], [csa.final(s, c, m)])
    for _ in range(20):
        m_value = draw.getrandbits(n) | 1
        a, b = draw.getrandbits(n), draw.randrange(m_value)
        left, sums, carries = a, 0, 0
        for _ in range(n):
            left, sums, carries = machine.run([left, sums, carries, b, b + m_value, m_value])
        (p,) = last.run([sums, carries, m_value])
        assert p == a * b * pow(2, -n, m_value) % m_value


def test_specification_of_barrett_is_the_product() -> None:
    """Whatever mu and the kept bits begin with, for short moduli, too."""
    draw = random.Random(3)
    n = 24
    leaves = barrett._leaves(n)

    def machine(function: Any, wanted: str) -> Machine:
        given = [leaves[each] for each in wanted.split()]
        return Machine(given, function(*given))

    shift = machine(barrett.shift, "m window")
    divide = machine(barrett.divide, "m rest mu")
    multiply = machine(barrett.multiply, "keep a part q left kept b mu")
    subtract = machine(barrett.subtract, "part q borrow kept m")
    correct = machine(lambda kept, m: [barrett.correct(kept, m)], "kept m")
    for bits in (1, 2, 3, *range(4, n + 1, 4)):
        m = 1 << (bits - 1) | draw.getrandbits(bits) | 1
        a, b = draw.randrange(m), draw.randrange(m)
        top, window = m, 2 * n
        for _ in range(n - 1):
            top, window = shift.run([top, window])
        assert window == n + m.bit_length()
        rest, mu = 1 << (n - 1), draw.getrandbits(n + 2)
        for _ in range(n + 2):
            rest, mu = divide.run([top, rest, mu])
        assert mu == (1 << window) // m
        left, part, q, kept, borrow = a, 0, 0, draw.getrandbits(n + 2), 0
        for step in range(2 * n):
            left, part, q, window, kept = multiply.run(
                [step < n + 2, left, part, q, window, kept, b, mu]
            )
        assert 0 <= a * b // m - q <= 2
        for _ in range(n + 2):
            part, q, borrow, kept = subtract.run([part, q, borrow, kept, m])
        for _ in range(2):
            (kept,) = correct.run([kept, m])
        assert kept == a * b % m


@pytest.mark.parametrize("n", [8, 33, 40])
def test_specification_of_radix4_is_montgomery_s_product(n: int) -> None:
    """Its step and last subtraction, against integers."""
    draw = random.Random(4)
    a, b, m = (leaf(name, n) for name in "abm")
    total, value = leaf("total", n + 3), leaf("value", n + 3)
    table = radix4.words(b.wide(n + 3), m.wide(n + 3))
    machine = Machine([a, total, b, m], radix4.step(a, total, b, m, table))
    last = Machine([value, m], radix4.final(value, m))
    whole = -(-n // 2)
    for _ in range(60):
        m_now = draw.choice([draw.getrandbits(n) | 1, (1 << n) - 1, draw.getrandbits(n // 2) | 3])
        a_now, b_now = (draw.choice([draw.randrange(m_now), m_now - 1]) for _ in "ab")
        left, now = a_now, 0
        for _ in range(whole):
            left, now = machine.run([left, now, b_now, m_now])
            assert now % 4 == 0
        fits, difference = last.run([now // 4, m_now])
        answer = difference if fits else now // 4
        assert answer == a_now * b_now * pow(4, -whole, m_now) % m_now


@pytest.mark.parametrize("n", [4, 9, 40])
def test_specification_of_systolic_is_montgomery_s_product(n: int) -> None:
    """Its cells, bit by bit, collect the product of operands below 2m."""
    draw = random.Random(5)
    cells, held = (n + 4) // 2, (n + 2) // 2
    now = systolic.Cells(
        *(leaf(name, n + 1 if name == "rest" else cells) for name in systolic.Cells._fields)
    )
    a, m = (systolic.Operand(leaf(f"{x}_low", cells), leaf(f"{x}_high", cells)) for x in "am")
    ends = leaf("ends", 1)
    machine = Machine([*now, *a, *m, ends], systolic.step(now, a, m, ends))
    begin = Machine([now.rest], systolic.start(cells, now.rest))

    def entries(number: int, at: int) -> int:
        return sum((number >> (2 * j + at) & 1) << j for j in range(cells))

    for _ in range(20):
        m_now = draw.choice([draw.getrandbits(n) | 1, (1 << n) - 1, draw.getrandbits(n // 2) | 3])
        a_now, b_now = (draw.choice([draw.randrange(2 * m_now), 2 * m_now - 1]) for _ in "ab")
        values = begin.run([b_now])
        given = [*(entries(a_now, at) for at in (0, 1)), *(entries(m_now, at) for at in (1, 2))]
        for time in range(1, n + 3 + held):
            values = machine.run([*values, *given, time == n + 2])
        found = dict(zip(systolic.Cells._fields, values, strict=True))
        low, high = found["low_p"], found["high_p"]
        p = sum((low >> j & 1) << 2 * j | (high >> j & 1) << (2 * j + 1) for j in range(held))
        assert p < 2 * m_now
        assert p % m_now == a_now * b_now * pow(2, -n - 2, m_now) % m_now


@pytest.mark.parametrize(("n", "size"), [(4, 4), (9, 9), (33, 16), (40, 8)])
def test_specification_of_carrychain_is_montgomery_s_product(n: int, size: int) -> None:
    """Its words, a cycle behind each other, keep the product of operands below 2m."""
    draw = random.Random(6)
    count = -(-n // size)
    sizes = [size] * (count - 1) + [n + 4 - size * (count - 1)]
    now = [carrychain.unit_of(f"{j} ", bits) for j, bits in enumerate(sizes)]
    a, m = ([leaf(f"{name} {j}", bits) for j, bits in enumerate(sizes)] for name in "am")
    bit, ends = leaf("bit", 1), leaf("ends", 1)
    fields = [each for unit in now for each in unit]
    after = [each for unit in carrychain.step(now, bit, ends, a, m) for each in unit]
    machine = Machine([*fields, bit, ends, *a, *m], after)

    def words(number: int) -> list[int]:
        return [number >> size * j & (1 << bits) - 1 for j, bits in enumerate(sizes)]

    for _ in range(20):
        m_now = draw.choice([draw.getrandbits(n) | 1, (1 << n) - 1, draw.getrandbits(n // 2) | 3])
        a_now, b_now = (draw.choice([draw.randrange(2 * m_now), 2 * m_now - 1]) for _ in "ab")
        values = [0] * len(fields)
        for time in range(n + 3 + count):
            told = [b_now >> time & 1, time == n + 2, *words(2 * a_now), *words(m_now)]
            values = machine.run([*values, *told])
        kept = values[carrychain.Unit._fields.index("kept") :: len(carrychain.Unit._fields)]
        p, odd = divmod(sum(word << size * j for j, word in enumerate(kept)), 2)
        assert not odd
        assert p < 2 * m_now
        assert p % m_now == a_now * b_now * pow(2, -n - 2, m_now) % m_now


Table = dict[tuple[int, int], list[int]]


def begun(draw: random.Random, n: int, words: Callable[[int], list[int]]) -> tuple[int, Table]:
    """An odd modulus of at most ``n`` bits, and a table as whatever came before has left it, but
    for its first entry, which is 0."""
    modulus = draw.choice([draw.getrandbits(n) | 1, (1 << n) - 1, draw.getrandbits(n // 2) | 3])
    left = {
        (row, column): words(draw.getrandbits(n) if row or column else 0)
        for row in range(4)
        for column in range(4)
    }
    return modulus, left


@pytest.mark.parametrize(("n", "size"), [(8, 4), (17, 6), (33, 4), (40, 12)])
def test_specification_of_tableserial_is_montgomery_s_product(n: int, size: int) -> None:
    """Its passes over words, with entries of a modulus that serve several multiplications."""
    draw = random.Random(7)
    beats = max(4, -(-(n + 4) // size))
    count, low, carry, last, ends = (
        leaf(name, bits)
        for name, bits in (("count", 4), ("low", 2), ("carry", 1), ("last", 1), ("ends", 1))
    )
    x, entry, above = (leaf(name, size) for name in ("x", "entry", "above"))
    modulus = Machine([count, low], [*tableserial.modulus_plan(count, low)])
    build = Machine([count], [*tables.build_plan(count)])
    add = Machine([x, entry, carry], tables.add(x, entry, carry))
    shift = Machine([x, above, last], [tables.shifted(x, above, last)])
    digit = Machine([x, ends, above], tables.digit(x, ends, above))

    def words(number: int) -> list[int]:
        return [number >> size * w & (1 << size) - 1 for w in range(beats)]

    def divided(total: list[int]) -> list[int]:
        upper = [*total[1:], 3]
        return [shift.run([total[w], upper[w], w == beats - 1])[0] for w in range(beats)]

    def summed(one: list[int], other: list[int], carry_in: int) -> list[int]:
        made = []
        for pair in zip(one, other, strict=True):
            word, carry_in = add.run([*pair, carry_in])
            made.append(word)
        return made

    total: list[int] = []
    table: Table = {}

    def entries(plan: Machine, operand: list[int], told: bool) -> None:
        nonlocal total
        for number in range(12):
            given = [number, total[0] & 3] if told else [number]
            row, column, divides, to_row, to_column = plan.run(given)
            what = divided(total) if divides else operand
            total = summed(what, table[row, column], divides)
            table[to_row, to_column] = total

    whole = -(-(n + 2) // 2)
    for _ in range(6):
        m_now, table = begun(draw, n, words)
        total = words(draw.getrandbits(n))
        entries(modulus, words(m_now), told=True)
        for _ in range(4):
            a_now, b_now = (draw.choice([draw.randrange(2 * m_now), 2 * m_now - 1]) for _ in "ab")
            entries(build, words(b_now), told=False)
            rest, (left, *behind) = 0, words(a_now)
            for number in range(whole + 1):
                is_end = number % (size // 2) == size // 2 - 1
                row, left = digit.run([left, is_end, behind[0] if behind else 0])
                behind = behind[1:] if is_end else behind
                before = divided(total) if number else [0] * beats
                total = summed(before, table[row, rest], 0)
                rest = total[0] & 3
            p = sum(word << size * w for w, word in enumerate(total))
            assert p < 2 * m_now
            assert p % m_now == a_now * b_now * pow(4, -whole, m_now) % m_now


@pytest.mark.parametrize(("n", "size"), [(4, 4), (9, 4), (17, 18), (40, 12)])
def test_specification_of_tablechain_is_montgomery_s_product(n: int, size: int) -> None:
    """Its passes over units, the topmost one of a size of its own."""
    draw = random.Random(8)
    units = -(-(n + 1) // size)
    sizes = [size] * (units - 1) + [n + 4 - size * (units - 1)]
    count, place, second, carry, last, ends = (
        leaf(name, bits)
        for name, bits in (("count", 4), ("k", 2), ("s", 1), ("c", 1), ("last", 1), ("ends", 1))
    )

    def of_units(function: Any, *others: Any) -> list[Machine]:
        made = []
        for bits in sizes:
            x, y = leaf("x", bits), leaf("y", bits)
            made.append(Machine([x, y, *others], function(x, y, *others)))
        return made

    add = of_units(tables.add, carry)
    shift = of_units(lambda x, y, end: [tables.shifted(x, y, end)], last)
    build = Machine([count], [*tables.build_plan(count)])
    fetch = Machine([place], tablechain_pipeline.fetched(place))
    to = tablechain_pipeline.behind(*tablechain_pipeline.divides(place, second))
    divide = Machine([place, second], to)
    left, above = leaf("left", size), leaf("above", size)
    digit = Machine([left, ends, above], tables.digit(left, ends, above))

    def words(number: int) -> list[int]:
        return [number >> size * w & (1 << bits) - 1 for w, bits in enumerate(sizes)]

    def divided(total: list[int]) -> list[int]:
        upper = [word & 3 for word in total[1:]] + [3]
        return [each.run([total[w], upper[w], w == units - 1])[0] for w, each in enumerate(shift)]

    def summed(one: list[int], other: list[int], carry_in: int) -> list[int]:
        made = []
        for each, x, y in zip(add, one, other, strict=True):
            word, carry_in = each.run([x, y, carry_in])
            made.append(word)
        return made

    whole, nothing = -(-(n + 2) // 2), [0] * units
    for _ in range(6):
        m_now, table = begun(draw, n, words)

        def entries(operand: list[int], table: Table = table) -> None:
            for number in range(12):
                row, column, _, to_row, to_column = build.run([number])
                table[to_row, to_column] = summed(operand, table[row, column], 0)

        entries(words(m_now))
        for number in range(3):
            row, column = fetch.run([number])
            total = summed(nothing, table[row, column], 0)
            row, column = divide.run([number, m_now >> 1 & 1])
            table[row, column] = summed(divided(total), nothing, 1)
        for _ in range(4):
            a_now, b_now = (draw.choice([draw.randrange(2 * m_now), 2 * m_now - 1]) for _ in "ab")
            entries(words(b_now))
            rest, *behind = (a_now >> size * w & (1 << size) - 1 for w in range(units))
            total = nothing
            for number in range(whole + 1):
                is_end = number % (size // 2) == size // 2 - 1
                row, rest = digit.run([rest, is_end, behind[0] if behind else 0])
                behind = behind[1:] if is_end else behind
                column = total[0] & 3 if number else 0
                total = summed(divided(total) if number else nothing, table[row, column], 0)
            p = sum(word << size * w for w, word in enumerate(total))
            assert p < 2 * m_now
            assert p % m_now == a_now * b_now * pow(4, -whole, m_now) % m_now


@pytest.mark.full
@pytest.mark.parametrize(("n", "word"), [(4, 4), (16, 4), (17, 4), (40, 8), (64, 16)])
@pytest.mark.usefixtures("no_coq")
def test_tableserial_in_short_words_is_proved(n: int, word: int) -> None:
    """More than four words, as many as a power of two and others."""
    design = family("tableserial").design(n, {"word": word})
    found = by_name(induction.prove_design(design, design.sources()))
    assert {key for key in ALL if found[key].status != "proved"} == {"value"}


@pytest.mark.full
@pytest.mark.parametrize(("n", "word"), [(4, 4), (16, 16), (17, 16), (40, 8), (64, 64)])
@pytest.mark.usefixtures("no_coq")
def test_carrychain_in_one_word_and_in_short_ones_is_proved(n: int, word: int) -> None:
    design = family("carrychain").design(n, {"word": word})
    found = by_name(induction.prove_design(design, design.sources()))
    assert {key for key in ALL if found[key].status != "proved"} == {"value"}


@pytest.mark.full
@pytest.mark.parametrize(
    ("n", "word"), [(4, 4), (16, 6), (17, 18), (40, 4), (64, 4), (100, 8), (256, 24)]
)
@pytest.mark.usefixtures("no_coq")
def test_tablechain_in_units_of_any_size_is_proved(n: int, word: int) -> None:
    """One unit, up to eight, up to fifteen, and more."""
    design = family("tablechain").design(n, {"word": word})
    found = by_name(induction.prove_design(design, design.sources()))
    assert {key for key in ALL if found[key].status != "proved"} == {"value"}


def test_equal_expressions_are_one() -> None:
    x = leaf("x", 8)
    assert x.piece(7, 4).piece(1, 0) is x.piece(5, 4)
    assert (x & const(255, 8)) is x
    assert x.wide(10).low(8) is x
    assert x.pushed(FALSE) is x.double()
    assert from_low([x.piece(3, 0), x.piece(7, 4)]) is x


def test_what_is_not_described_is_refused() -> None:
    design = family("interleaved").design(16, {"moduli": 2})
    with pytest.raises(BadInput, match="covers pace=1, moduli=1"):
        prove_at_width([design])
    for name in ("interleaved", "barrett"):
        with pytest.raises(BadInput, match="adders in words up to 64 bits"):
            prove_at_width([family(name).design(512)])
    design = family("carrychain").design(16, {"variant": "muxadd"})
    with pytest.raises(BadInput, match="covers variant=monarch4, moduli=1, checks=0"):
        prove_at_width([design])
    design = family("tableserial").design(16, {"moduli": 2})
    with pytest.raises(BadInput, match="covers moduli=1, checks=0"):
        prove_at_width([design])
    for radix in (2, 8):
        design = family("tablechain").design(16, {"radix": radix, "word": 6})
        with pytest.raises(BadInput, match="covers radix=4, storage=lutram, moduli=1, checks=0"):
            prove_at_width([design])
    with pytest.raises(BadInput, match="scalable has no proof at a given width yet"):
        prove_at_width([family("scalable").design(16)])


@pytest.mark.full
@pytest.mark.parametrize("name", DESCRIBED)
@pytest.mark.usefixtures("no_coq")
def test_a_second_solver_agrees(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All questions of 64 bits again, to another solver and by another translation."""
    from second_solver import Z3Solver

    monkeypatch.setattr(induction, "_Solver", Z3Solver)
    design = family(name).design(64)
    found = by_name(induction.prove_design(design, design.sources()))
    asked = {key for key, result in found.items() if result.questions}
    assert {found[key].status for key in asked - {"value"}} == {"proved"}
