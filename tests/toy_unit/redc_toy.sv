// SPDX-License-Identifier: Apache-2.0
// redc_toy: gives a multiplier one operand twice.
//
// Partner   tests/toy_unit.
`default_nettype none

module redc_toy #(
  /// Bits of a word.
  parameter int unsigned WordBits = 8
) (
  /// The operand.
  input  wire logic [WordBits-1:0] a_i,
  /// To the multiplier.
  output      logic [WordBits-1:0] mul_a_o,
  /// The same again.
  output      logic [WordBits-1:0] mul_b_o
);

  assign mul_a_o = a_i;
  assign mul_b_o = a_i;

endmodule

`default_nettype wire
