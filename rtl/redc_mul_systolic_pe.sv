// SPDX-License-Identifier: Apache-2.0
// redc_mul_systolic_pe: processing element, a full adder of one bit of a partial product.
//
// Contract  s + c + x y = s_o + 2 c_o.
// Method    Daly & Marnane 2002, figure 1: s + c + x y.
// Timing    combinational.
// Leakage   none.
// Refuses   nothing: it has no parameters.
// Partner   rtl/redc_mul_systolic_cell.sv.
`default_nettype none

module redc_mul_systolic_pe (
  /// Bit of the partial sum.
  input  wire logic s_i,
  /// Carry from the column on the right.
  input  wire logic c_i,
  /// Bit of the operand that stands in the array, and bit that travels along it.
  input  wire logic x_i,
  input  wire logic y_i,
  /// Bit of the new partial sum.
  output      logic s_o,
  /// Carry into the column on the left.
  output      logic c_o
);

  logic product;
  assign product = x_i & y_i;
  assign s_o     = s_i ^ c_i ^ product;
  assign c_o     = (s_i & c_i) | (s_i & product) | (c_i & product);

endmodule

`default_nettype wire
