// SPDX-License-Identifier: Apache-2.0
// redc_add_kogge_stone: x + y + carry with a Kogge-Stone prefix tree.
//
// Contract  combinational; {carry_o, sum_o} = x_i + y_i + carry_i.
// Method    parallel-prefix adder (Pakzad 2023, section 2.2.5): in level l each bit joins its span
//           with the one 2^l bits below, so every span doubles. The carry in counts as generated
//           by bit 0, so that it costs no level.
// Timing    Depth = ceil(log2 Width) levels of prefix cells, a level before and one behind.
// Leakage   none: no register, no schedule.
// Refuses   Width < 1: at elaboration.
// Partner   tests/families/test_adders.py.
`default_nettype none

module redc_add_kogge_stone #(
  /// Bits, at least 1.
  parameter int unsigned Width = 64,
  /// Derived; not to be set. Levels of prefix cells.
  localparam int unsigned Depth = (Width <= 1) ? 0 : $clog2(Width)
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
    $error("redc_add_kogge_stone: Width=%0d is below 1", Width);
  end

  logic [Width-1:0] half;
  assign half = x_i ^ y_i;

  // span[l][i]: whether the 2^l bits up to bit i generate, or propagate, a carry.
  logic [Width-1:0] span_g [Depth+1];
  logic [Width-1:0] span_p [Depth+1];
  assign span_g[0] = (x_i & y_i) | (half & Width'(carry_i));
  assign span_p[0] = half;
  for (genvar l = 0; l < Depth; l++) begin : gen_level
    localparam int unsigned Reach = 1 << l;
    // Below bit 0 nothing is generated and nothing propagates.
    assign span_g[l+1] = span_g[l] | (span_p[l] & (span_g[l] << Reach));
    assign span_p[l+1] = span_p[l] & (span_p[l] << Reach);
  end

  assign {carry_o, sum_o} = {span_g[Depth], carry_i} ^ {1'b0, half};
  wire unused = ^span_p[Depth];

endmodule

`default_nettype wire
