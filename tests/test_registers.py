# SPDX-License-Identifier: Apache-2.0
"""The sequential signals of a design are found by what they are, not by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from redcore import rtl
from redcore.verify.registers import SIMULATED, Sequential, in_simulation, sequential

pytestmark = pytest.mark.kept

PARTS = """
module part (input wire logic clk_i, input wire logic d_i, output logic kept_o);
  always_ff @(posedge clk_i) kept_o <= d_i;
endmodule
module parts #(parameter int Bits = 4) (
  input wire logic clk_i, input wire logic [Bits-1:0] d_i, input wire logic [1:0] at_i,
  output logic [Bits-1:0] q_o
);
  typedef struct packed {logic [Bits-2:0] high; logic low;} pair_t;
  pair_t half;
  logic [Bits-1:0] wire_q, memory [4], table_q [4];
  logic kept;
  assign wire_q = ~d_i;
  part i_part [1:0] (.clk_i, .d_i(d_i[1:0]), .kept_o());
  always_comb for (int k = 0; k < 4; k++) table_q[k] = Bits'(k);
  always_ff @(posedge clk_i) begin
    half.high <= wire_q[Bits-1:1];
    memory[at_i] <= d_i;
  end
  assign half.low = d_i[0];
  assign q_o = half ^ memory[at_i] ^ table_q[at_i];
  if (1) begin : gen_inner
    always_latch if (at_i[0]) kept = d_i[1];
  end
endmodule
"""


def test_registers_are_what_is_sequential(tmp_path: Path) -> None:
    """Outputs, parts of structures, memories and latches are; a wire with another's name is not."""
    source = tmp_path / "parts.sv"
    source.write_text(PARTS)
    found = sequential([source], "parts", {"Bits": 5})
    assert {name: (each.bits, each.elements) for name, each in found.items()} == {
        "half": ((1, 2, 3, 4), 1),
        "i_part[0].kept_o": ((0,), 1),
        "i_part[1].kept_o": ((0,), 1),
        "kept": ((0,), 1),
        "memory": ((0, 1, 2, 3, 4), 4),
    }
    assert found["memory"].size == 20


def test_rtl_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "wrong.sv").write_text("module wrong (input wire logic clk_i; endmodule\n")
    with pytest.raises(RuntimeError, match="Yosys cannot read wrong"):
        sequential([tmp_path / "wrong.sv"], "wrong")


def test_registers_without_the_ending_are_among_a_multiplier_s() -> None:
    found = sequential(rtl.sources("redc_mul_cios"), "redc_mul_cios")
    assert {"out_last_o", "p_o"} <= set(found)
    assert not any(each.size == 0 for each in found.values())


def test_names_in_simulation() -> None:
    """Elements of an array that Yosys has apart are one; what is not shown is an error."""
    state = {
        name: Sequential(name, bits)
        for name, bits in (("a", (1,)), ("i.b[0]", (0,)), ("i.b[1]", (2,)))
    }
    shown = {f"{SIMULATED}.top.a": 1, f"{SIMULATED}.top.i.b": 2, f"{SIMULATED}.top.c": 1}
    assert in_simulation(state, "top", shown) == {
        "core.top.a": Sequential("a", (1,)),
        "core.top.i.b": Sequential("i.b", (0, 2), 2),
    }
    with pytest.raises(RuntimeError, match="does not show 1 registers"):
        in_simulation({"gone": Sequential("gone", (0,))}, "top", shown)
