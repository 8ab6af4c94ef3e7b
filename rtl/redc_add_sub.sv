// SPDX-License-Identifier: Apache-2.0
// redc_add_sub: adder and subtractor in one, x + y + carry or x - y - 1 + carry.
//
// Contract  combinational; {carry_o, sum_o} = x_i + (subtract_i ? ~y_i : y_i) + carry_i. With
//           carry_i = subtract_i that is x + y or x - y; in a subtraction carry_o = 1 says that
//           nothing was borrowed. Words chain through carry_i and carry_o.
// Method    an XOR in front of the adder (Pakzad 2023, section 4.1.2, fig. 4.1.2).
// Timing    that of the adder and an XOR.
// Leakage   none: no register, no schedule.
// Refuses   Width < 1, Adder > 3: at elaboration.
// Partner   tests/families/test_adders.py.
`default_nettype none

module redc_add_sub #(
  /// Bits, at least 1.
  parameter int unsigned Width = 64,
  /// 0: carry chain of the device. 1: ripple. 2: lookahead. 3: Kogge-Stone.
  parameter int unsigned Adder = 0
) (
  /// Minuend or summand.
  input  wire logic [Width-1:0] x_i,
  /// Subtrahend or summand.
  input  wire logic [Width-1:0] y_i,
  /// 1: subtract.
  input  wire logic             subtract_i,
  /// Carry into bit 0: 0 for a sum, 1 for a difference, or the carry of the word below.
  input  wire logic             carry_i,
  /// Sum or difference, low Width bits.
  output      logic [Width-1:0] sum_o,
  /// Carry out of the top bit.
  output      logic             carry_o
);

  if (Width < 1) begin : gen_refuse_width
    $error("redc_add_sub: Width=%0d is below 1", Width);
  end
  if (Adder > 3) begin : gen_refuse_adder
    $error("redc_add_sub: Adder=%0d is not within 0 to 3", Adder);
  end

  redc_add_select #(.Width(Width), .Adder(Adder)) i_add (
    .x_i, .y_i(y_i ^ {Width{subtract_i}}), .carry_i, .sum_o, .carry_o
  );

endmodule

`default_nettype wire
