// SPDX-License-Identifier: Apache-2.0
// redc_prime_ring: a number that turns by words or by bits.
//
// Contract  a move by a word drops the lowest one and takes one in at the top; one by a bit drops
//           the highest bit and takes one in at the bottom. In the next cycle low_o and top_o show
//           what there is then.
// Method    of several words the number itself moves a cycle later, by registers for every 32 bits:
//           that it is to move is often known late, and has far to go. What is shown meanwhile is
//           the word, or the bit, that comes next.
// Timing    a move in each cycle.
// Leakage   keeps the number until overwritten.
// Refuses   WordBits < 1 or no divisor of Bits: at elaboration.
// Partner   redc_prime_thread.
`default_nettype none

module redc_prime_ring #(
  /// Bits of the number.
  parameter int unsigned Bits = 512,
  /// Bits of a word.
  parameter int unsigned WordBits = Bits
) (
  input  wire logic                clk_i,
  /// Moves; by a word, or by a bit.
  input  wire logic                move_i,
  input  wire logic                by_word_i,
  /// What comes in.
  input  wire logic [WordBits-1:0] word_i,
  input  wire logic                bit_i,
  /// The lowest word, and the highest bit.
  output      logic [WordBits-1:0] low_o,
  output      logic                top_o
);

  if (WordBits < 1 || Bits % WordBits != 0) begin : gen_refuse_word
    $error("redc_prime_ring: WordBits=%0d is no divisor of Bits=%0d", WordBits, Bits);
  end

  logic [Bits-1:0] number_q;

  if (Bits <= WordBits) begin : gen_one_word
    always_ff @(posedge clk_i) if (move_i)
      number_q <= by_word_i ? word_i : Bits'({number_q, bit_i});
    assign low_o = number_q;
    assign top_o = number_q[Bits-1];
  end else begin : gen_words
    localparam int unsigned LaneBits = 32;
    localparam int unsigned Lanes    = redc_pkg::ceil_div(Bits, LaneBits);
    // The move before, which is being made: each lane, the lowest word and the highest bit, which
    // goes on to much else, are told by registers of their own.
    localparam int unsigned Low = Lanes;
    localparam int unsigned Top = Lanes + 1;
    logic                bit_q;
    logic [WordBits-1:0] word_q;
    logic [Lanes+1:0]    move, by_word;
    logic [Bits-1:0]     by_a_word, by_a_bit;

    redc_prim_fanout #(.Copies(Lanes + 2)) u_move (.clk_i, .d_i(move_i), .q_o(move));
    redc_prim_fanout #(.Copies(Lanes + 2)) u_by_word (.clk_i, .d_i(by_word_i), .q_o(by_word));
    always_ff @(posedge clk_i) begin
      word_q <= word_i;
      bit_q  <= bit_i;
    end

    assign by_a_word = {word_q, number_q[Bits-1:WordBits]};
    assign by_a_bit  = {number_q[Bits-2:0], bit_q};
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      localparam int unsigned First = l * LaneBits;
      localparam int unsigned Own   = redc_pkg::min(LaneBits, Bits - First);
      always_ff @(posedge clk_i) if (move[l])
        number_q[First+:Own] <= by_word[l] ? by_a_word[First+:Own] : by_a_bit[First+:Own];
    end

    assign low_o = !move[Low] ? number_q[WordBits-1:0]
                 : by_word[Low] ? by_a_word[WordBits-1:0] : by_a_bit[WordBits-1:0];
    assign top_o = !move[Top] ? number_q[Bits-1] : by_word[Top] ? word_q[WordBits-1]
                                                 : number_q[Bits-2];
  end

endmodule

`default_nettype wire
