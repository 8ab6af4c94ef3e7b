// SPDX-License-Identifier: Apache-2.0
// redc_mul_array_wait: a partial sum of redc_mul_array on its way from the last row to the first.
//
// Contract  q_o is the d_i of so many cycles before; with none of them it is zero.
// Method    registers, or a memory where they are more than three cycles.
// Timing    Cycles cycles.
// Leakage   keeps what came until overwritten.
// Refuses   nothing itself; redc_mul_array does.
// Partner   src/redcore/families/array.py.
`default_nettype none

module redc_mul_array_wait #(
  /// Bits of a digit.
  parameter int unsigned Bits = 18,
  /// Cycles, 0 where there is no other pass.
  parameter int unsigned Cycles = 40,
  /// Primitives, as redc_prim_block has them.
  parameter int unsigned Technology = 0
) (
  input  wire logic            clk_i,
  /// Active low, synchronous: what is inside is not kept in step.
  input  wire logic            rst_ni,
  /// What comes, and what came Cycles cycles before.
  input  wire logic [Bits-1:0] d_i,
  output      logic [Bits-1:0] q_o
);

  localparam bit Block = redc_mul_array_pkg::is_block(Cycles);

  if (Cycles == 0) begin : gen_none
    assign q_o = '0;
    wire unused = ^{clk_i, rst_ni, d_i};
  end else if (Cycles < 4) begin : gen_registers
    redc_prim_delay #(.Bits(Bits), .Cycles(Cycles)) i_line (.clk_i, .d_i, .q_o);
    wire unused = rst_ni;
  end else begin : gen_memory
    redc_prim_line #(
      .Bits(Bits), .Cycles(Cycles), .Storage(Block ? 2 : 1), .Technology(Technology)
    ) i_line (
      .clk_i, .rst_ni, .d_i, .q_o
    );
  end

endmodule

`default_nettype wire
