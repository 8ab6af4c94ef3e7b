// SPDX-License-Identifier: Apache-2.0
// redc_prim_delay: a bundle of signals, some cycles later.
//
// Contract  q_o is the d_i of so many cycles before, whatever reset does.
// Method    registers without reset, so that devices with shift-register LUTs can use them.
// Timing    Cycles cycles; none for 0.
// Leakage   none.
// Refuses   nothing.
// Partner   the multipliers whose RTL names it.
`default_nettype none

module redc_prim_delay #(
  /// Bits handed on together.
  parameter int unsigned Bits = 1,
  /// Cycles of delay.
  parameter int unsigned Cycles = 1
) (
  input  wire logic            clk_i,
  /// What comes, and what came Cycles cycles before.
  input  wire logic [Bits-1:0] d_i,
  output      logic [Bits-1:0] q_o
);

  if (Cycles == 0) begin : gen_wire
    assign q_o = d_i;
    wire unused = clk_i;
  end else begin : gen_registers
    logic [Cycles-1:0][Bits-1:0] line_q;
    always_ff @(posedge clk_i) begin
      line_q[0] <= d_i;
      for (int unsigned i = 1; i < Cycles; i++) line_q[i] <= line_q[i-1];
    end
    assign q_o = line_q[Cycles-1];
  end

endmodule

`default_nettype wire
