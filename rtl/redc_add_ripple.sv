// SPDX-License-Identifier: Apache-2.0
// redc_add_ripple: x + y + carry, one full adder a bit, the carry handed from bit to bit.
//
// Contract  combinational; {carry_o, sum_o} = x_i + y_i + carry_i.
// Method    ripple-carry adder (Pakzad 2023, section 2.2.1), in logic: no carry cells are inferred.
// Timing    the carry passes Width full adders.
// Leakage   none: no register, no schedule.
// Refuses   Width < 1: at elaboration.
// Partner   tests/families/test_adders.py.
`default_nettype none

module redc_add_ripple #(
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
    $error("redc_add_ripple: Width=%0d is below 1", Width);
  end

  always_comb begin
    automatic logic carry = carry_i;
    for (int i = 0; i < int'(Width); i++) begin
      sum_o[i] = x_i[i] ^ y_i[i] ^ carry;
      carry    = (x_i[i] & y_i[i]) | (carry & (x_i[i] ^ y_i[i]));
    end
    carry_o = carry;
  end

endmodule

`default_nettype wire
