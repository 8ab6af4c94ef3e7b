// SPDX-License-Identifier: Apache-2.0
// redc_curve_same: whether two copies of a state are the same.
//
// Contract  fault_o tells, a cycle later, that a bit of one of them is not that of the other.
// Method    in pieces, each with a register, as all bits of a state are many.
// Timing    a cycle, and a gate behind registers.
// Leakage   none: it sees no data but what is compared.
// Refuses   Bits < 1: at elaboration.
// Partner   redc_curve_bits, redc_curve_blinding, redc_curve_digits, redc_curve_issue,
//           redc_curve_random.
`default_nettype none

module redc_curve_same #(
  /// Bits of a copy.
  parameter int unsigned Bits = 12
) (
  input  wire logic            clk_i,
  /// Active low, synchronous; nothing was seen.
  input  wire logic            rst_ni,
  input  wire logic [Bits-1:0] first_i,
  input  wire logic [Bits-1:0] second_i,
  output      logic            fault_o
);

  if (Bits < 1) begin : gen_refuse
    $error("redc_curve_same: Bits=%0d is below 1", Bits);
  end

  localparam int unsigned Piece  = 12;
  localparam int unsigned Pieces = redc_pkg::ceil_div(Bits, Piece);
  logic [Pieces-1:0][Piece-1:0] unlike;
  logic [Pieces-1:0]            differs_q;
  assign unlike = (Pieces * Piece)'(first_i ^ second_i);
  always_ff @(posedge clk_i) begin
    for (int unsigned at = 0; at < Pieces; at++) differs_q[at] <= |unlike[at];
    if (!rst_ni) differs_q <= '0;
  end
  assign fault_o = |differs_q;

endmodule

`default_nettype wire
