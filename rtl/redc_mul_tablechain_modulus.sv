// SPDX-License-Identifier: Apache-2.0
// redc_mul_tablechain_modulus: words of redc_mul_tablechain's moduli, where there are several or
// operands are compared with them.
//
// Contract  words are kept as they come, in places of their own. feed_i asks for those of the
//           modulus of the operands that came last, one after another.
// Method    a memory of words, read twice; the comparison runs along with the words.
// Timing    a word a cycle, the first one in the cycle behind feed_i.
// Leakage   none: addresses count. The memory keeps words until overwritten.
// Refuses   Checks = 1: an even modulus, one of more bits than Width, an operand not below twice
//           the modulus, a last beat in another place.
// Partner   rtl/redc_mul_tablechain.sv.
`default_nettype none

module redc_mul_tablechain_modulus #(
  /// Bits of a modulus.
  parameter int unsigned Width = 256,
  /// Bits of a word.
  parameter int unsigned Word = 20,
  /// Words.
  parameter int unsigned Beats = 13,
  /// Moduli held.
  parameter int unsigned Moduli = 1,
  /// 1: bad_o says what is illegal.
  parameter int unsigned Checks = 0,
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli),
  localparam int unsigned PlaceBits = redc_pkg::index_bits(Beats)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; forgets the beats of a modulus that is not complete.
  input  wire logic                 rst_ni,
  /// A beat of a modulus is taken.
  input  wire logic                 mod_accept_i,
  input  wire logic [Word-1:0]      mod_data_i,
  input  wire logic                 mod_last_i,
  input  wire logic [IndexBits-1:0] mod_idx_i,
  /// A beat of operands is taken, and which one it is.
  input  wire logic                 accept_i,
  input  wire logic [PlaceBits-1:0] beat_i,
  input  wire logic [Word-1:0]      a_i,
  input  wire logic [Word-1:0]      b_i,
  input  wire logic                 last_i,
  input  wire logic [IndexBits-1:0] idx_i,
  /// The words of the operands' modulus are wanted.
  input  wire logic                 feed_i,
  output      logic                 valid_o,
  output      logic [Word-1:0]      word_o,
  /// Something illegal has come.
  output      logic                 bad_o
);

  localparam int unsigned Depth       = ((Moduli - 1) << PlaceBits) + Beats;
  localparam int unsigned AddressBits = redc_pkg::index_bits(Depth);
  typedef logic [PlaceBits-1:0] place_t;
  localparam place_t Top = place_t'(Beats - 1);

  place_t                 mod_beat_q, feed_q;
  logic                   over_q, store, first, fed_q;
  logic [IndexBits-1:0]   idx, idx_q;
  logic [1:0][AddressBits-1:0] read_address;
  logic [1:0][Word-1:0]        read;

  // Beats beyond the last one go nowhere.
  assign store = mod_accept_i & ~over_q & redc_pkg::index_in_range(32'(mod_idx_i), Moduli);
  assign first = (beat_i == '0);
  assign idx   = first ? idx_i : idx_q;
  if (Moduli == 1) begin : gen_one
    assign read_address = {AddressBits'(beat_i), AddressBits'(feed_q)};
  end else begin : gen_several
    assign read_address = {AddressBits'({idx, beat_i}), AddressBits'({idx_q, feed_q})};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (mod_accept_i && mod_last_i)) {mod_beat_q, over_q} <= '0;
    else if (mod_accept_i) begin
      mod_beat_q <= mod_beat_q + 1'b1;
      over_q     <= over_q | (mod_beat_q == Top);
    end
    if (accept_i) idx_q <= idx;
    if (!rst_ni) fed_q <= 1'b0;
    else fed_q <= feed_i | (fed_q & (feed_q != Top));
    feed_q <= feed_i ? '0 : feed_q + 1'b1;
  end
  redc_prim_ram #(.Bits(Word), .Depth(Depth), .Ports(2)) i_words (
    .clk_i, .write_i(store),
    .write_address_i(AddressBits'({(Moduli == 1) ? '0 : mod_idx_i, mod_beat_q})),
    .write_data_i(mod_data_i), .read_i(1'b1), .read_address_i(read_address), .read_data_o(read)
  );
  assign valid_o = fed_q;
  assign word_o  = read[0];

  if (Checks != 0) begin : gen_checks
    // Operands against twice the modulus, word by word: no borrow of x - 2m.
    localparam int unsigned TopBits = Width - (Beats - 1) * Word;  // of the modulus, 0 to Word
    logic                 over;  // the topmost bit of the word below
    logic [1:0]           no_borrow_q, no_borrow;
    logic [Word-1:0]      inverse;
    logic [1:0][Word-1:0] difference;
    logic                 top_q, bits_too_high;
    assign over    = ~first & top_q;
    assign inverse = ~Word'({read[1], over});
    for (genvar x = 0; x < 2; x++) begin : gen_operand
      assign {no_borrow[x], difference[x]} = (Word + 1)'((x == 0) ? a_i : b_i)
                                           + (Word + 1)'(inverse)
                                           + (Word + 1)'(first | no_borrow_q[x]);
    end
    always_ff @(posedge clk_i) if (accept_i) {top_q, no_borrow_q} <= {read[1][Word-1], no_borrow};
    assign bits_too_high = (mod_beat_q == Top) & ((mod_data_i >> TopBits) != '0);
    assign bad_o = (mod_accept_i & (((mod_beat_q == '0) & ~mod_data_i[0]) | over_q | bits_too_high
                                    | (mod_last_i != (mod_beat_q == Top))))
                 | (accept_i & ((last_i != (beat_i == Top)) | (last_i & (|no_borrow))));
    wire unused_difference = ^difference;
  end else begin : gen_no_checks
    assign bad_o = 1'b0;
    wire unused_checks = ^{a_i, b_i, last_i, read[1]};
  end

endmodule

`default_nettype wire
