// SPDX-License-Identifier: Apache-2.0
// redc_mul_scalable_digits: cuts the words of an operand into overlapping digits, lowest first.
//
// Contract  words are written as they come, and digits may be taken meanwhile: one with the first
//           word, and then at most one a cycle that also brings a word, so that a digit's bits are
//           always there, given two digits or more in a word. Above the last word come zeros.
// Method    a window of two words in registers, moved on by a digit each time. It goes to the next
//           word only when a digit begins beyond it: the next word may still be coming. The upper
//           word is read from memory in the cycle behind such a move, as the digit in that cycle is
//           within the lower one.
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
  /// Derived; not to be set.
  localparam int unsigned K         = redc_mul_scalable_pkg::digit_bits(Radix),
  localparam int unsigned CountBits = $clog2(MaxBeats + 2)
) (
  input  wire logic                 clk_i,
  /// A word comes, and its place.
  input  wire logic                 write_i,
  input  wire logic [CountBits-1:0] place_i,
  input  wire logic [Word-1:0]      word_i,
  /// It is the first: the digit in this cycle is its lowest.
  input  wire logic                 start_i,
  /// The digit is taken.
  input  wire logic                 take_i,
  /// Words of the operand; from the cycle after start_i on.
  input  wire logic [CountBits-1:0] beats_i,
  /// The digit, and below it the highest bit of the one before.
  output      logic [K:0]           digit_o
);

  localparam int unsigned OffsetBits = $clog2(Word + K + 1);

  logic [Word-1:0]       low_q, high_q, low;
  logic [CountBits-1:0]  next_q;
  logic [OffsetBits-1:0] offset_q, offset, offset_next;
  logic                  before_q, advance, more_q;
  logic [K-1:0]          digit;

  // Places of words need fewer bits than counts may have; what is read above the last is masked.
  localparam int unsigned PlaceBits = redc_pkg::index_bits(MaxBeats);
  logic [Word-1:0] stored, read;
  redc_prim_ram #(.Bits(Word), .Depth(MaxBeats)) i_words (
    .clk_i, .write_i, .write_address_i(place_i[PlaceBits-1:0]), .write_data_i(word_i),
    .read_i(1'b1), .read_address_i(next_q[PlaceBits-1:0]), .read_data_o(stored)
  );
  wire unused = ^place_i;
  if (Word < 3 * K) begin : gen_as_it_comes
    // The third digit begins in the second word, which may have come just in the cycle before.
    assign read = (write_i & (place_i == next_q)) ? word_i : stored;
  end else begin : gen_from_memory
    assign read = stored;
  end

  // It stays behind the last word: the digits of a pass may reach far beyond the operand.
  logic more;
  assign more = (next_q < beats_i);
  always_ff @(posedge clk_i) begin
    more_q <= more;
    high_q <= more ? read : '0;
  end

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
      next_q   <= start_i ? CountBits'(1) : (next_q + CountBits'(advance & more_q));
      offset_q <= advance ? (offset_next - OffsetBits'(Word)) : offset_next;
    end
  end

endmodule

`default_nettype wire
