// SPDX-License-Identifier: Apache-2.0
// redc_mul_two_widths: a multiplier whose place 0 is wide and whose places from 1 on are narrow,
// behind streams of wide numbers.
//
// Contract  that of redc_mul_wide_narrow towards the parent; its mirror towards one multiplier that
//           has both widths, by the place (redc_mul_array and redc_mul_productscan with Narrow).
// Method    redc_mul_wide_narrow, whose wide and narrow multiplier are the same one, between two
//           redc_mul_slice: which of the two is meant hangs on places, and parent and multiplier on
//           that.
// Timing    that of redc_mul_wide_narrow, with four cycles more until a result.
// Leakage   none of its own: cycles depend on places alone.
// Refuses   what redc_mul_wide_narrow refuses.
// Partner   tests/units/test_mul_wide_narrow.py.
`default_nettype none

module redc_mul_two_widths #(
  /// Bits of a word of the multiplier,
  parameter int unsigned WordBits = 64,
  /// and words of wide operands.
  parameter int unsigned Beats = 1,
  /// Bits of a word of narrow operands: WordBits, or with a single word each at most that,
  parameter int unsigned NarrowBits = 32,
  /// and how many they are, at most Beats.
  parameter int unsigned NarrowBeats = 1,
  /// Bits of the modulus index.
  parameter int unsigned IndexBits = 2,
  /// Places of both widths together.
  parameter int unsigned Moduli = 3,
  /// Multiplications that are under way at once, at least 2; more have to wait, but for one.
  parameter int unsigned Flights = 16,
  /// 1: an index that names no place is told, its modulus dropped, and its operands go to place 0.
  parameter int unsigned Checks = 0
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; to be given to the multiplier, too.
  input  wire logic                 rst_ni,

  /// Modulus stream.
  input  wire logic                 mod_valid_i,
  output      logic                 mod_ready_o,
  input  wire logic [WordBits-1:0]  mod_data_i,
  /// High in the last beat of a modulus.
  input  wire logic                 mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0] mod_idx_i,

  /// Operand stream.
  input  wire logic                 in_valid_i,
  output      logic                 in_ready_o,
  input  wire logic [WordBits-1:0]  a_i,
  input  wire logic [WordBits-1:0]  b_i,
  /// High in the last beat of an operand pair.
  input  wire logic                 in_last_i,
  /// Place of the modulus to use.
  input  wire logic [IndexBits-1:0] in_idx_i,
  /// The operands are one number twice.
  input  wire logic                 in_square_i,

  /// Result stream, in order.
  output      logic                 out_valid_o,
  input  wire logic                 out_ready_i,
  output      logic [WordBits-1:0]  p_o,
  output      logic                 out_last_o,

  /// An index named no place, or the multiplier says so.
  output      logic                 err_o,

  /// The multiplier's modulus stream.
  output      logic                 mul_mod_valid_o,
  input  wire logic                 mul_mod_ready_i,
  output      logic [WordBits-1:0]  mul_mod_data_o,
  output      logic                 mul_mod_last_o,
  output      logic [IndexBits-1:0] mul_mod_idx_o,
  /// The multiplier's operand stream.
  output      logic                 mul_in_valid_o,
  input  wire logic                 mul_in_ready_i,
  output      logic [WordBits-1:0]  mul_a_o,
  output      logic [WordBits-1:0]  mul_b_o,
  output      logic                 mul_in_last_o,
  output      logic [IndexBits-1:0] mul_in_idx_o,
  /// What in_square_i said of it.
  output      logic                 mul_square_o,
  /// The multiplier's result stream.
  input  wire logic                 mul_out_valid_i,
  output      logic                 mul_out_ready_o,
  input  wire logic [WordBits-1:0]  mul_p_i,
  input  wire logic                 mul_out_last_i,
  /// Its err_o.
  input  wire logic                 mul_err_i
);

  // An illegal count must reach its own message in redc_mul_wide_narrow.
  localparam int unsigned NarrowIndexBits = redc_pkg::index_bits((Moduli < 2) ? 1 : Moduli - 1);

  // The streams on the parent's side of redc_mul_wide_narrow, and on the multiplier's.
  typedef struct packed {
    logic                 valid;
    logic                 last;
    logic [IndexBits-1:0] idx;
    logic [WordBits-1:0]  data;
  } modulus_t;
  typedef struct packed {
    logic                 valid;
    logic                 last;
    logic                 square;
    logic [IndexBits-1:0] idx;
    logic [WordBits-1:0]  a;
    logic [WordBits-1:0]  b;
  } operands_t;
  typedef struct packed {
    logic                valid;
    logic                last;
    logic [WordBits-1:0] p;
  } result_t;
  modulus_t  near_mod, far_mod;
  operands_t near_in, far_in;
  result_t   near_out, far_out;
  logic      near_mod_ready, near_in_ready, near_out_ready;
  logic      far_mod_ready, far_in_ready, far_out_ready;

  logic                       wide_mod_valid, wide_mod_last, wide_in_valid, wide_in_last;
  logic                       wide_out_ready, narrow_out_ready;
  logic                       narrow_mod_valid, narrow_mod_last, narrow_in_valid, narrow_in_last;
  logic [NarrowBits-1:0]      narrow_mod_data, narrow_a, narrow_b;
  logic [NarrowIndexBits-1:0] narrow_mod_idx, narrow_in_idx;

  // What is said of a square goes with the place.
  logic [1:0] unused_square;
  redc_mul_slice #(.WordBits(WordBits), .IndexBits(1 + IndexBits)) i_near (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i,
    .mod_idx_i({1'b0, mod_idx_i}),
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i({in_square_i, in_idx_i}),
    .out_valid_o, .out_ready_i, .p_o, .out_last_o,
    .mul_mod_valid_o(near_mod.valid), .mul_mod_ready_i(near_mod_ready),
    .mul_mod_data_o(near_mod.data), .mul_mod_last_o(near_mod.last),
    .mul_mod_idx_o({unused_square[0], near_mod.idx}),
    .mul_in_valid_o(near_in.valid), .mul_in_ready_i(near_in_ready), .mul_a_o(near_in.a),
    .mul_b_o(near_in.b), .mul_in_last_o(near_in.last),
    .mul_in_idx_o({near_in.square, near_in.idx}),
    .mul_out_valid_i(near_out.valid), .mul_out_ready_o(near_out_ready), .mul_p_i(near_out.p),
    .mul_out_last_i(near_out.last)
  );

  redc_mul_wide_narrow #(
    .WordBits(WordBits), .Beats(Beats), .NarrowBits(NarrowBits), .NarrowBeats(NarrowBeats),
    .IndexBits(IndexBits), .NarrowIndexBits(NarrowIndexBits), .Moduli(Moduli), .Flights(Flights),
    .Checks(Checks)
  ) i_widths (
    .clk_i, .rst_ni, .mod_valid_i(near_mod.valid), .mod_ready_o(near_mod_ready),
    .mod_data_i(near_mod.data), .mod_last_i(near_mod.last), .mod_idx_i(near_mod.idx),
    .in_valid_i(near_in.valid), .in_ready_o(near_in_ready), .a_i(near_in.a), .b_i(near_in.b),
    .in_last_i(near_in.last), .in_idx_i(near_in.idx),
    .out_valid_o(near_out.valid), .out_ready_i(near_out_ready), .p_o(near_out.p),
    .out_last_o(near_out.last), .err_o,
    .wide_mod_valid_o(wide_mod_valid), .wide_mod_ready_i(far_mod_ready),
    .wide_mod_data_o(far_mod.data), .wide_mod_last_o(wide_mod_last),
    .wide_in_valid_o(wide_in_valid), .wide_in_ready_i(far_in_ready),
    .wide_a_o(far_in.a), .wide_b_o(far_in.b), .wide_in_last_o(wide_in_last),
    .wide_out_valid_i(far_out.valid), .wide_out_ready_o(wide_out_ready),
    .wide_p_i(far_out.p), .wide_out_last_i(far_out.last), .wide_err_i(1'b0),
    .narrow_mod_valid_o(narrow_mod_valid), .narrow_mod_ready_i(far_mod_ready),
    .narrow_mod_data_o(narrow_mod_data), .narrow_mod_last_o(narrow_mod_last),
    .narrow_mod_idx_o(narrow_mod_idx),
    .narrow_in_valid_o(narrow_in_valid), .narrow_in_ready_i(far_in_ready),
    .narrow_a_o(narrow_a), .narrow_b_o(narrow_b), .narrow_in_last_o(narrow_in_last),
    .narrow_in_idx_o(narrow_in_idx),
    .narrow_out_valid_i(far_out.valid), .narrow_out_ready_o(narrow_out_ready),
    .narrow_p_i(far_out.p[NarrowBits-1:0]), .narrow_out_last_i(far_out.last),
    .narrow_err_i(mul_err_i)
  );

  // Words of both come and go the same way; where they come from says which it is.
  assign far_mod.valid = wide_mod_valid | narrow_mod_valid;
  assign far_mod.last  = narrow_mod_valid ? narrow_mod_last : wide_mod_last;
  assign far_mod.idx   = near_mod.idx;
  assign far_in.valid  = wide_in_valid | narrow_in_valid;
  assign far_in.square = near_in.square;
  assign far_in.last   = narrow_in_valid ? narrow_in_last : wide_in_last;
  assign far_in.idx    = narrow_in_valid ? near_in.idx : '0;
  assign far_out_ready = wide_out_ready | narrow_out_ready;
  wire unused = ^{narrow_mod_data, narrow_a, narrow_b, narrow_mod_idx, narrow_in_idx,
                 unused_square};

  redc_mul_slice #(.WordBits(WordBits), .IndexBits(1 + IndexBits)) i_far (
    .clk_i, .rst_ni, .mod_valid_i(far_mod.valid), .mod_ready_o(far_mod_ready),
    .mod_data_i(far_mod.data), .mod_last_i(far_mod.last), .mod_idx_i({1'b0, far_mod.idx}),
    .in_valid_i(far_in.valid), .in_ready_o(far_in_ready), .a_i(far_in.a), .b_i(far_in.b),
    .in_last_i(far_in.last), .in_idx_i({far_in.square, far_in.idx}),
    .out_valid_o(far_out.valid), .out_ready_i(far_out_ready), .p_o(far_out.p),
    .out_last_o(far_out.last),
    .mul_mod_valid_o, .mul_mod_ready_i, .mul_mod_data_o, .mul_mod_last_o,
    .mul_mod_idx_o({unused_square[1], mul_mod_idx_o}),
    .mul_in_valid_o, .mul_in_ready_i, .mul_a_o, .mul_b_o, .mul_in_last_o,
    .mul_in_idx_o({mul_square_o, mul_in_idx_o}),
    .mul_out_valid_i, .mul_out_ready_o, .mul_p_i, .mul_out_last_i
  );

endmodule

`default_nettype wire
