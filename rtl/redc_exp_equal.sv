// SPDX-License-Identifier: Apache-2.0
// redc_exp_equal: whether two wide words are equal, told a cycle later.
//
// Contract  equal_o is of the words of the cycle before.
// Method    pieces of about as many bits as there are pieces are compared in a cycle, and what they
//           say is gathered in the next. Of a short word, as multipliers on DSP slices have it, a
//           piece is a LUT's: its bits may come from block memory, far away.
// Timing    a cycle; a word in each.
// Leakage   none but the answer, and that the pieces' answers toggle registers.
// Refuses   Known > 1: at elaboration.
`default_nettype none

module redc_exp_equal #(
  /// Bits of a word.
  parameter int unsigned Bits = 256,
  /// 1: of b nothing but bit 0 ever changes, so that more bits of a go into a LUT.
  parameter int unsigned Known = 0,
  /// Derived; not to be set.
  localparam int unsigned Piece  =
      (Bits <= 32) ? 2 + 2 * Known : 1 << (($clog2(Bits) + 1) / 2),
  localparam int unsigned Pieces = redc_pkg::ceil_div(Bits, Piece)
) (
  input  wire logic            clk_i,
  /// The words,
  input  wire logic [Bits-1:0] a_i,
  input  wire logic [Bits-1:0] b_i,
  /// and whether they were equal.
  output      logic            equal_o
);

  if (Known > 1) begin : gen_refuse_known
    $error("redc_exp_equal: Known=%0d is above 1", Known);
  end

  logic [Pieces-1:0][Piece-1:0] differ;
  logic [Pieces-1:0]            differ_q;

  assign differ = (Pieces * Piece)'(a_i ^ b_i);
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Pieces; i++) differ_q[i] <= |differ[i];
  end
  assign equal_o = differ_q == '0;

endmodule

`default_nettype wire
