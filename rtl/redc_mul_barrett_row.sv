// SPDX-License-Identifier: Apache-2.0
// redc_mul_barrett_row: base + digit * factor, shift and add.
//
// Contract  the sum in whole: nothing is cut off, reduced or kept.
// Timing    combinational; the clock is for redc_add_words.
// Leakage   none.
// Refuses   nothing itself; redc_mul_barrett does.
// Partner   rtl/redc_mul_barrett.sv makes a digit of a product with it every cycle.
`default_nettype none

module redc_mul_barrett_row #(
  /// Bits of base and factor.
  parameter int unsigned Bits = 16,
  /// Bits of the digit.
  parameter int unsigned Digit = 2,
  /// Bits of a word of the adders (redc_add_words); 0: whole carry chains.
  parameter int unsigned Word = 0
) (
  input  wire logic                  clk_i,
  /// What is added to.
  input  wire logic [Bits-1:0]       base_i,
  /// What is multiplied.
  input  wire logic [Digit-1:0]      digit_i,
  input  wire logic [Bits-1:0]       factor_i,
  /// Below 2^(Bits + Digit), as base and factor are below 2^Bits.
  output      logic [Bits+Digit-1:0] sum_o
);

  localparam int unsigned SumBits = Bits + Digit;

  if (Word == 0) begin : gen_whole
    wire unused = clk_i;
    always_comb begin
      sum_o = SumBits'(base_i);
      for (int unsigned i = 0; i < Digit; i++) begin
        sum_o = sum_o + ((SumBits'(factor_i) & {SumBits{digit_i[i]}}) << i);
      end
    end
  end else begin : gen_words
    logic [Digit:0][SumBits-1:0] sum;
    logic [Digit-1:0]            over;
    assign sum[0] = SumBits'(base_i);
    for (genvar i = 0; i < Digit; i++) begin : gen_multiple
      redc_add_words #(.Width(SumBits), .Word(Word)) i_add (
        .clk_i, .x_i(sum[i]), .y_i((SumBits'(factor_i) & {SumBits{digit_i[i]}}) << i),
        .carry_i(1'b0), .sum_o(sum[i+1]), .carry_o(over[i])
      );
    end
    assign sum_o = sum[Digit];
    wire unused = ^over;
  end

endmodule

`default_nettype wire
