// SPDX-License-Identifier: Apache-2.0
// redc_add_lookahead: x + y + carry with carries looked ahead over groups of four, in a tree.
//
// Contract  combinational; {carry_o, sum_o} = x_i + y_i + carry_i.
// Method    carry-lookahead adder (Pakzad 2023, section 2.2.2). Level 0 are the bits; a group of
//           level l + 1 is four of level l. On the way up each group says whether it generates a
//           carry and whether it propagates one; on the way down each hands its carry to its four.
// Timing    2 ceil(log4 Width) groups of logic, up and down the tree.
// Leakage   none: no register, no schedule.
// Refuses   Width < 1: at elaboration.
// Partner   tests/families/test_adders.py.
`default_nettype none

module redc_add_lookahead #(
  /// Bits, at least 1.
  parameter int unsigned Width = 64
) (
  /// Summands.
  input  wire logic [Width-1:0] x_i,
  input  wire logic [Width-1:0] y_i,
  /// Carry into bit 0.
  input  wire logic             carry_i,
  /// The sum's low Width bits.
  output      logic [Width-1:0] sum_o,
  /// Carry out of the top bit.
  output      logic             carry_o
);

  if (Width < 1) begin : gen_refuse_width
    $error("redc_add_lookahead: Width=%0d is below 1", Width);
  end

  // A tree of Levels levels over Leaves = 4^Levels bits; bits above Width do nothing.
  localparam int unsigned Levels = ($clog2(redc_pkg::max(Width, 2)) + 1) / 2;
  localparam int unsigned Leaves = 1 << (2 * Levels);

  // Element i of level l covers the bits from i * 4^l on.
  logic [Levels:0][Leaves-1:0] generates, propagates, carry;

  always_comb begin
    generates  = '0;
    propagates = '0;
    carry      = '0;
    generates[0][Width-1:0]  = x_i & y_i;
    propagates[0][Width-1:0] = x_i ^ y_i;
    // up
    for (int l = 0; l < int'(Levels); l++) begin
      for (int i = 0; i < int'(Leaves >> (2 * (l + 1))); i++) begin
        automatic logic [3:0] g = generates[l][4*i+:4];
        automatic logic [3:0] p = propagates[l][4*i+:4];
        generates[l+1][i]  = g[3] | (p[3] & g[2]) | (p[3] & p[2] & g[1])
                           | (p[3] & p[2] & p[1] & g[0]);
        propagates[l+1][i] = &p;
      end
    end
    // down
    carry[Levels][0] = carry_i;
    for (int l = int'(Levels) - 1; l >= 0; l--) begin
      for (int i = 0; i < int'(Leaves >> (2 * (l + 1))); i++) begin
        automatic logic [2:0] g = generates[l][4*i+:3];
        automatic logic [2:0] p = propagates[l][4*i+:3];
        automatic logic       c = carry[l+1][i];
        carry[l][4*i]   = c;
        carry[l][4*i+1] = g[0] | (p[0] & c);
        carry[l][4*i+2] = g[1] | (p[1] & g[0]) | (p[1] & p[0] & c);
        carry[l][4*i+3] = g[2] | (p[2] & g[1]) | (p[2] & p[1] & g[0])
                        | (p[2] & p[1] & p[0] & c);
      end
    end
    sum_o   = propagates[0][Width-1:0] ^ carry[0][Width-1:0];
    carry_o = generates[0][Width-1] | (propagates[0][Width-1] & carry[0][Width-1]);
  end

endmodule

`default_nettype wire
