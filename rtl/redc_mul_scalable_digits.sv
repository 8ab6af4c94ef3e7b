// SPDX-License-Identifier: Apache-2.0
// redc_mul_scalable_digits: cuts the words of an operand into overlapping digits, lowest first.
//
// Contract  words are written as they come, and digits may be taken meanwhile: one with the first
//           word, and then at most one a cycle that also brings a word, so that a digit's bits are
//           always there, given two digits or more in a word. Above the last word come zeros.
// Method    a window of two words in registers, moved on by a digit each time. It goes to the next
//           word only when a digit begins beyond it: the next word may still be coming. The upper
//           word is taken from the queue of words in the cycle behind such a move, as the digit in
//           that cycle is within the lower one.
// Timing    digit_o belongs to the cycle in which it is taken.
// Leakage   none: moves with its control inputs alone.
// Refuses   nothing itself; redc_mul_scalable does.
// Partner   src/redcore/families/scalable.py.
`default_nettype none

module redc_mul_scalable_digits #(
  /// 2, 4 or 8.
  parameter int unsigned Radix = 8,
  /// Bits of a word.
  parameter int unsigned Word = 8,
  /// Words of an operand at most.
  parameter int unsigned MaxBeats = 32,
  /// Where they are kept, as redc_prim_queue counts.
  parameter int unsigned Storage = 1,
  /// Derived; not to be set.
  localparam int unsigned K = redc_mul_scalable_pkg::digit_bits(Radix)
) (
  input  wire logic            clk_i,
  /// Active low, synchronous; forgets all words.
  input  wire logic            rst_ni,
  /// A word comes.
  input  wire logic            write_i,
  input  wire logic [Word-1:0] word_i,
  /// It is the first: the digit in this cycle is its lowest.
  input  wire logic            start_i,
  /// The digit is taken.
  input  wire logic            take_i,
  /// The digit, and below it the highest bit of the one before.
  output      logic [K:0]      digit_o
);

  localparam int unsigned OffsetBits = $clog2(Word + K + 1);

  logic [Word-1:0]       low_q, high_q, low, head, next;
  logic [OffsetBits-1:0] offset_q, offset, offset_next;
  logic                  before_q, advance, push, some, there;
  logic [K-1:0]          digit;

  assign push = write_i & ~start_i;
  logic [Word-1:0]                 unused_next;
  logic [$clog2(MaxBeats + 1)-1:0] unused_level;
  redc_prim_queue #(.Bits(Word), .Depth(MaxBeats), .Storage(Storage)) i_words (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(1'b0), .write_i(push), .data_i(word_i),
    .push_i(push), .pop_i(take_i & advance & some), .head_o(head), .head_next_o(unused_next),
    .level_o(unused_level), .some_o(some)
  );
  if (Word < 3 * K) begin : gen_as_it_comes
    // The third digit begins in the second word, which may have come just in the cycle before.
    assign next  = some ? head : word_i;
    assign there = some | push;
  end else begin : gen_from_queue
    assign next  = head;
    assign there = some;
  end
  // Above the last word come zeros: the digits of a pass may reach far beyond the operand.
  always_ff @(posedge clk_i) high_q <= there ? next : '0;

  assign low    = start_i ? word_i : low_q;
  assign offset = start_i ? '0 : offset_q;
  assign digit  = K'({high_q, low} >> offset);
  assign digit_o = {digit, before_q & ~start_i};

  assign offset_next = offset + OffsetBits'(K);
  assign advance     = ~start_i & (offset_next > OffsetBits'(Word));

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      before_q <= digit[K-1];
      low_q    <= advance ? high_q : low;
      offset_q <= advance ? (offset_next - OffsetBits'(Word)) : offset_next;
    end
  end

endmodule

`default_nettype wire
