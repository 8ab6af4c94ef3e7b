// SPDX-License-Identifier: Apache-2.0
// redc_mul_word_checks: whether moduli and operands are legal, word by word as they come.
//
// Contract  bad_o is high in the cycle of a beat that makes its number illegal.
// Method    a memory of moduli of its own; operands are compared with twice their modulus by a
//           borrow that waits from word to word.
// Timing    combinational, from the beat.
// Leakage   none beyond bad_o. The memory keeps moduli until overwritten.
// Refuses   an even modulus, one of more bits than Width, an operand not below twice the modulus, a
//           last beat in another place: bad_o.
// Partner   rtl/redc_mul_tableserial.sv, rtl/redc_mul_productscan.sv.
`default_nettype none

module redc_mul_word_checks #(
  /// Bits of a modulus.
  parameter int unsigned Width = 256,
  /// Bits of a word.
  parameter int unsigned Word = 34,
  /// Words.
  parameter int unsigned Beats = 8,
  /// Moduli held.
  parameter int unsigned Moduli = 1,
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
  /// Something illegal has come.
  output      logic                 bad_o
);

  localparam int unsigned Depth       = Moduli << PlaceBits;
  localparam int unsigned AddressBits = redc_pkg::index_bits(Depth);
  localparam int unsigned TopWord     = (Width - 1) / Word;  // of a modulus, words above are 0
  localparam int unsigned TopBits     = Width - TopWord * Word;
  typedef logic [PlaceBits-1:0] place_t;
  localparam place_t Top = place_t'(Beats - 1);

  place_t                 mod_beat_q;
  logic                   over_q, store, first, high;
  logic [IndexBits-1:0]   idx, idx_q;
  logic [AddressBits-1:0] write_address, read_address;
  logic [Word-1:0]        modulus;

  // Beats beyond the last one go nowhere.
  assign store = mod_accept_i & ~over_q & redc_pkg::index_in_range(32'(mod_idx_i), Moduli);
  assign first = (beat_i == '0);
  assign idx   = first ? idx_i : idx_q;
  assign write_address = AddressBits'({(Moduli == 1) ? '0 : mod_idx_i, mod_beat_q});
  assign read_address  = AddressBits'({(Moduli == 1) ? '0 : idx, beat_i});
  redc_prim_ram #(.Bits(Word), .Depth(Depth)) i_words (
    .clk_i, .write_i(store), .write_address_i(write_address), .write_data_i(mod_data_i),
    .read_i(1'b1), .read_address_i(read_address), .read_data_o(modulus)
  );

  // No borrow of x - 2m.
  logic                 doubled_q;  // the topmost bit of the word below
  logic [1:0]           no_borrow_q, no_borrow;
  logic [Word-1:0]      inverse;
  logic [1:0][Word-1:0] difference;
  assign inverse = ~{modulus[Word-2:0], ~first & doubled_q};
  for (genvar x = 0; x < 2; x++) begin : gen_operand
    assign {no_borrow[x], difference[x]} = (Word + 1)'((x == 0) ? a_i : b_i) + (Word + 1)'(inverse)
                                         + (Word + 1)'(first | no_borrow_q[x]);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (mod_accept_i && mod_last_i)) {mod_beat_q, over_q} <= '0;
    else if (mod_accept_i) begin
      mod_beat_q <= mod_beat_q + 1'b1;
      over_q     <= over_q | (mod_beat_q == Top);
    end
    if (accept_i) begin
      idx_q <= idx;
      {doubled_q, no_borrow_q} <= {modulus[Word-1], no_borrow};
    end
  end
  assign high  = (32'(mod_beat_q) > TopWord) ? (mod_data_i != '0)
               : (32'(mod_beat_q) == TopWord) & ((mod_data_i >> TopBits) != '0);
  assign bad_o = (mod_accept_i & (((mod_beat_q == '0) & ~mod_data_i[0]) | over_q | high
                                  | (mod_last_i != (mod_beat_q == Top))))
               | (accept_i & ((last_i != (beat_i == Top)) | (last_i & (|no_borrow))));
  wire unused = ^difference;

endmodule

`default_nettype wire
