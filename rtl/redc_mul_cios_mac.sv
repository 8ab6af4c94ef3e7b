// SPDX-License-Identifier: Apache-2.0
// redc_mul_cios_mac: x * Y + T, word by word, Y and T entering and the sum leaving a word a cycle.
//
// Contract  as redc_mul_cios_chain; a word that is not valid counts as zero, so what a row of words
//           carries out comes with the word behind it, whoever's that is.
// Method    word j of the sum is the low half of product j, the high half of product j - 1 and the
//           carry of word j - 1.
// Timing    low digits as in the chain; a word of the sum Registers + 1 + align_cycles after its y.
// Leakage   none.
// Refuses   nothing itself; redc_mul_cios does.
`default_nettype none

module redc_mul_cios_mac
  import redc_mul_cios_pkg::*;
#(
  /// Bits of a word.
  parameter int unsigned Word = 34,
  /// Registers of a slice's product, 2 or 3.
  parameter int unsigned Registers = 3,
  /// When x_hold has which digit: see redc_mul_cios_chain.
  parameter int unsigned Hold = 4,
  parameter int unsigned Late = 0,
  /// 1, with Late = 0: steps behind the first take x_hold a cycle later, from registers.
  parameter int unsigned Staged = 0,
  /// Primitives, as redc_prim_mul has them.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned Count = redc_mul_cios_pkg::digits(Word),
  localparam int unsigned Digit = redc_mul_cios_pkg::digit_bits(Word)
) (
  input  wire logic                        clk_i,
  /// Active low, synchronous, until nothing unknown comes any more; nothing has been carried.
  input  wire logic                        rst_ni,
  /// Step 0 of a new x.
  input  wire logic                        first_i,
  /// Low: the product counts as zero.
  input  wire logic                        valid_i,
  /// The standing factor, early and kept.
  input  wire logic [Count-1:0][Digit-1:0] x_now_i,
  input  wire logic [Count-1:0][Digit-1:0] x_hold_i,
  /// The words of Y.
  input  wire logic [Word-1:0]             y_i,
  /// The words of T.
  input  wire logic [Word-1:0]             add_i,
  /// The low digits of x * y + t, as each gets known.
  output      logic [Count-1:0][Digit-1:0] digits_o,
  /// The words of the sum, not registered.
  output      logic [Word-1:0]             sum_o
);

  localparam int unsigned Columns = 2 * Count - 1;
  localparam int unsigned Padded  = Count * Digit;
  localparam int unsigned Align   = align_cycles(Word);
  localparam int unsigned SumBits = 2 * Digit + 3;

  logic [Columns-1:0][SumBits-1:0] column;
  redc_mul_cios_chain #(
    .Word(Word), .Columns(Columns), .Registers(Registers), .Hold(Hold), .Late(Late),
    .Staged(Staged), .Technology(Technology)
  ) i_chain (
    .clk_i, .first_i, .valid_i, .x_now_i, .x_hold_i, .y_i(Padded'(y_i)), .add_i(Padded'(add_i)),
    .sum_o(column)
  );

  // All digits of the product: low ones beside the high ones of the product before.
  logic [2*Count-1:0][Digit-1:0] low, high;
  for (genvar k = 0; k < 2 * Count; k++) begin : gen_digit
    localparam int unsigned Column = redc_pkg::min(k, Columns - 1);
    localparam int unsigned Known  = column_end(Count, Column);
    logic [Digit-1:0] digit;
    assign digit = column[Column][((k < Columns) ? 0 : Digit)+:Digit];
    if (k < Count) begin : gen_low
      assign digits_o[k] = digit;
      redc_prim_delay #(.Bits(Digit), .Cycles(Align - Known)) i_low (
        .clk_i, .d_i(digit), .q_o(low[k])
      );
    end else begin : gen_no_low
      assign low[k] = '0;
    end
    if (k + 1 >= Count) begin : gen_high
      redc_prim_delay #(.Bits(Digit), .Cycles(Align + 1 - Known)) i_high (
        .clk_i, .d_i(digit), .q_o(high[k])
      );
    end else begin : gen_no_high
      assign high[k] = '0;
    end
  end

  logic [2*Padded-1:0] low_bits, high_bits;
  assign low_bits  = low;
  assign high_bits = high;

  logic carry, carry_q;
  assign {carry, sum_o} = {1'b0, low_bits[Word-1:0]} + {1'b0, high_bits[2*Word-1:Word]}
                        + (Word+1)'(carry_q);
  // Words that are not valid leave a carry of 0 behind, but a simulation cannot tell that of an
  // unknown one.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) carry_q <= 1'b0;
    else carry_q <= carry;
  end

  wire unused = ^{low_bits, high_bits, column};

endmodule

`default_nettype wire
