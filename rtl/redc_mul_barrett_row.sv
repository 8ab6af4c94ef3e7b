// SPDX-License-Identifier: Apache-2.0
// redc_mul_barrett_row: base + digit * factor, shift and add.
//
// Timing    combinational.
// Leakage   none.
// Refuses   nothing itself; redc_mul_barrett does.
// Partner   rtl/redc_mul_barrett.sv makes a digit of a product with it every cycle.
`default_nettype none

module redc_mul_barrett_row #(
  /// Bits of base and factor.
  parameter int unsigned Bits = 16,
  /// Bits of the digit.
  parameter int unsigned Digit = 2
) (
  /// What is added to.
  input  wire logic [Bits-1:0]       base_i,
  /// What is multiplied.
  input  wire logic [Digit-1:0]      digit_i,
  input  wire logic [Bits-1:0]       factor_i,
  /// Below 2^(Bits + Digit), as base and factor are below 2^Bits.
  output      logic [Bits+Digit-1:0] sum_o
);

  localparam int unsigned SumBits = Bits + Digit;

  always_comb begin
    sum_o = SumBits'(base_i);
    for (int unsigned i = 0; i < Digit; i++) begin
      sum_o = sum_o + ((SumBits'(factor_i) & {SumBits{digit_i[i]}}) << i);
    end
  end

endmodule

`default_nettype wire
