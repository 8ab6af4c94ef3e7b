// SPDX-License-Identifier: Apache-2.0
// redc_add_carry_save: three summands to two, one full adder a bit, no carry travels.
//
// Contract  combinational; x_i + y_i + z_i + carry_i = sum_o + carry_o + 2^Width * top_o.
// Method    carry-save row (Pakzad 2023, section 2.2.3). The carries are handed out in place, a bit
//           up; the lowest place that frees takes carry_i, so rows of words can be chained.
// Timing    one full adder.
// Leakage   none: no register, no schedule.
// Refuses   Width < 1: at elaboration.
// Partner   tests/families/test_adders.py.
`default_nettype none

module redc_add_carry_save #(
  /// Bits, at least 1.
  parameter int unsigned Width = 64
) (
  /// Summands.
  input  wire logic [Width-1:0] x_i,
  input  wire logic [Width-1:0] y_i,
  input  wire logic [Width-1:0] z_i,
  /// Carry into bit 0; appears as bit 0 of carry_o.
  input  wire logic             carry_i,
  /// The sum vector.
  output      logic [Width-1:0] sum_o,
  /// The carry vector, at its own weight.
  output      logic [Width-1:0] carry_o,
  /// Carry out of the top bit, of weight 2^Width.
  output      logic             top_o
);

  if (Width < 1) begin : gen_refuse_width
    $error("redc_add_carry_save: Width=%0d is below 1", Width);
  end

  assign sum_o            = x_i ^ y_i ^ z_i;
  assign {top_o, carry_o} = {(x_i & y_i) | (z_i & (x_i ^ y_i)), carry_i};

endmodule

`default_nettype wire
