// SPDX-License-Identifier: Apache-2.0
// redc_mul_csa_head: the quotient bits of the next Bits iterations from the lowest Bits columns.
//
// Contract  combinational; only the lowest Bits columns of every operand matter.
// Method    the carry-save loop itself (Le Masle 2009, Alg. 7), restricted to the columns that can
//           reach column 0 in time.
// Timing    combinational.
// Leakage   none.
// Refuses   nothing itself; redc_mul_csa does.
`default_nettype none

module redc_mul_csa_head #(
  /// Iterations looked ahead, and columns.
  parameter int unsigned Bits = 2
) (
  /// The sum in front of the iterations, in two vectors.
  input  wire logic [Bits-1:0] s_i,
  input  wire logic [Bits-1:0] c_i,
  /// Multiplier bits of the iterations.
  input  wire logic [Bits-1:0] a_i,
  input  wire logic [Bits-1:0] b_i,
  input  wire logic [Bits-1:0] bm_i,
  input  wire logic [Bits-1:0] m_i,
  output      logic [Bits-1:0] q_o
);

  always_comb begin
    automatic logic [Bits-1:0] s = s_i;
    automatic logic [Bits-1:0] c = c_i;
    automatic logic [Bits-1:0] addend;
    automatic logic [Bits-1:0] sum;
    q_o = '0;
    for (int unsigned j = 0; j < Bits; j++) begin
      q_o[j] = s[0] ^ c[0] ^ (a_i[j] & b_i[0]);
      addend = a_i[j] ? (q_o[j] ? bm_i : b_i) : (m_i & {Bits{q_o[j]}});
      sum    = s ^ c ^ addend;
      c      = (s & c) | (s & addend) | (c & addend);
      s      = sum >> 1;
    end
  end

endmodule

`default_nettype wire
