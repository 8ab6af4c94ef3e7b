// SPDX-License-Identifier: Apache-2.0
// redc_mul_tablechain_digits: the multiplier's words, and its digits one after another.
//
// Contract  words are written as they come. Behind fetch_i the lowest digit stands on digit_o, and
//           next_i asks for the one above it. Above the last word there are zeros. Tells when
//           one of two numbers of digits has been asked for.
// Method    a memory of words with a register behind it, of which a digit is chosen in two steps
//           with a register between. The next word is asked for with the last digit but one; from
//           block memory with the one before that.
// Timing    a digit in every cycle, in the one behind next_i. A word is read until its last digit
//           has gone to the register, at the latest.
// Leakage   none: addresses count. The memory keeps words until overwritten.
// Refuses   nothing itself; redc_mul_tablechain does.
// Partner   rtl/redc_mul_tablechain.sv.
`default_nettype none

module redc_mul_tablechain_digits
  import redc_mul_tablechain_pkg::*;
#(
  /// Bits of a word, a multiple of Digit.
  parameter int unsigned Word = 20,
  /// Words.
  parameter int unsigned Beats = 13,
  /// Bits of a digit, 1 to 3.
  parameter int unsigned Digit = 2,
  /// Digits of a multiplication, at least 2, and those behind which early_o is high.
  parameter int unsigned Last = 130,
  parameter int unsigned Early = 114,
  /// 1: words are in block memory.
  parameter bit          Block = 1'b0,
  /// See redc_prim_choose.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned PlaceBits = redc_pkg::index_bits(Beats),
  localparam int unsigned Told      = redc_pkg::max(Digit, 2)
) (
  input  wire logic                 clk_i,
  /// A word comes, and where it belongs.
  input  wire logic                 write_i,
  input  wire logic [PlaceBits-1:0] place_i,
  input  wire logic [Word-1:0]      word_i,
  /// Begins with the lowest digit; high for two cycles at least.
  input  wire logic                 fetch_i,
  /// Moves to the next digit.
  input  wire logic                 next_i,
  /// The digit, its upper bit 0 where it has one only.
  output      logic [Told-1:0]      digit_o,
  /// It is the last one of a multiplication,
  output      logic                 last_o,
  /// or the one behind Early others.
  output      logic                 early_o
);

  localparam int unsigned Digits   = Word / Digit;
  localparam int unsigned Groups   = redc_pkg::ceil_div(Digits, 8);
  localparam int unsigned AtBits   = 3 + redc_pkg::index_bits(Groups);
  // Digits before a word's first one with which it is asked for.
  localparam int unsigned Lead      = Block ? 2 : 1;
  // It counts beyond the last word where there are digits above that.
  localparam int unsigned Counted   = (Last - 1 + Lead) / Digits + 2;
  localparam int unsigned CountBits = redc_pkg::max(PlaceBits, $clog2(Counted));

  logic [AtBits-1:0]           at_q, group_q;  // digit of the word, and of the one in the registers
  logic [CountBits-1:0]        count_q;        // word, that of the next digit
  logic [Word-1:0]             word;
  logic [Groups-1:0][Digit-1:0] chosen, chosen_q;
  logic                        more_q, last_q, early_q;
  logic                        ends_q, beyond_q;  // the digit is the word's last; no word is left

  if (Block) begin : gen_block
    redc_prim_block #(.Bits(Word), .Depth(Beats), .Technology(Technology)) i_words (
      .clk_i, .write_i, .write_address_i(place_i), .write_data_i(word_i),
      .read_address_i(fetch_i ? '0 : PlaceBits'(count_q)), .read_i(1'b1), .read_data_o(word)
    );
  end else begin : gen_lutram
    redc_prim_ram #(.Bits(Word), .Depth(Beats), .Registered(1)) i_words (
      .clk_i, .write_i, .write_address_i(place_i), .write_data_i(word_i), .read_i(1'b1),
      .read_address_i(PlaceBits'(count_q)), .read_data_o(word)
    );
  end

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int unsigned Own = redc_pkg::min(8, Digits - 8 * g);
    redc_prim_choose #(.Width(Digit), .Words(Own), .Technology(Technology)) i_digit (
      .index_i(at_q[2:0]), .words_i(word[8*g*Digit +: Own*Digit]), .word_o(chosen[g])
    );
  end

  always_ff @(posedge clk_i) begin
    if (fetch_i) begin
      {at_q, count_q, ends_q, beyond_q} <= '0;
      more_q <= 1'b1;
    end else if (next_i) begin
      at_q   <= ends_q ? '0 : AtBits'(increment(16'(at_q)));
      ends_q <= (at_q == AtBits'(Digits - 2));
      if (at_q == AtBits'(Digits - 1 - Lead)) begin
        count_q  <= CountBits'(increment(16'(count_q)));
        beyond_q <= beyond_q | (count_q == CountBits'(Beats - 1));
      end
      if (ends_q && beyond_q) more_q <= 1'b0;
    end
    group_q <= at_q;
    last_q  <= next_i & (at_q == AtBits'((Last - 1) % Digits))
             & (count_q == CountBits'((Last - 1 + Lead) / Digits));
    early_q <= (at_q == AtBits'(Early % Digits)) & (count_q == CountBits'((Early + Lead) / Digits));
    if (!more_q) chosen_q <= '0;
    else chosen_q <= chosen;
  end

  if (Groups == 1) begin : gen_one_group
    assign digit_o = Told'(chosen_q[0]);
  end else begin : gen_groups
    assign digit_o = Told'(chosen_q[group_q[AtBits-1:3]]);
  end
  assign last_o  = last_q;
  assign early_o = early_q;
  wire unused = ^group_q;

endmodule

`default_nettype wire
