// SPDX-License-Identifier: Apache-2.0
// redc_curve_datapath: what redc_curve computes with: the values, the adder, and the multiplier's
// side.
//
// Contract  an instruction that begins (issue_i) is done on the values that its places name; when
//           what reads its result may begin is told by sum_done_o and product_done_o. Words that
//           come from outside, and zeros, are written in place of results: of these none is under
//           way then.
// Method    two memories (redc_curve_values), each with its writer: one adder (redc_curve_adder),
//           and the multiplier beside redc_curve (redc_curve_product). Words of sums leave, too,
//           for what else takes them: exponents and results.
// Timing    docs/units/curve.md; src/redcore/units/curve/play.py plays it.
// Leakage   none: addresses and enables are those of the program.
// Refuses   what redc_curve refuses.
// Partner   src/redcore/units/curve/.
`default_nettype none

module redc_curve_datapath #(
  /// As of redc_curve.
  parameter int unsigned WordBits = 34,
  parameter int unsigned Beats = 8,
  parameter int unsigned Parts = 1,
  parameter int unsigned Bound = 2,
  parameter int unsigned Moduli = 1,
  parameter int unsigned Places = 16,
  parameter int unsigned InFlight = 4,
  parameter int unsigned Storage = 1,
  parameter int unsigned Technology = 0,
  /// Bits of a part.
  parameter int unsigned Bits = 34,
  /// Pairs of operands that wait for the multiplier.
  parameter int unsigned Waiting = 2,
  /// Derived; not to be set.
  localparam int unsigned Words      = Beats * Parts,
  localparam int unsigned PlaceBits  = redc_curve_pkg::place_bits(Places),
  localparam int unsigned NumberBits = PlaceBits - 1,
  localparam int unsigned BeatBits   = redc_pkg::index_bits(Words)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous; drops what is under way.
  input  wire logic                  rst_ni,

  /// A word that comes, for each memory; of zeros (wipe_i) for both. The first one may be the
  /// modulus's, or the second modulus's.
  input  wire logic [1:0]            come_i,
  input  wire logic [NumberBits-1:0] come_number_i,
  input  wire logic [BeatBits-1:0]   beat_i,
  input  wire logic [1:0][Bits-1:0]  come_data_i,
  input  wire logic                  m_write_i,
  input  wire logic                  m_second_i,
  input  wire logic                  wipe_i,
  input  wire logic [NumberBits-1:0] wipe_number_i,

  /// An instruction begins. The modulus is that of all under way.
  input  wire logic                  issue_i,
  input  wire redc_curve_pkg::kind_e kind_i,
  input  wire logic [PlaceBits-1:0]  place_i,
  input  wire logic [PlaceBits-1:0]  place_a_i,
  input  wire logic [PlaceBits-1:0]  place_b_i,
  input  wire logic                  choose_i,
  input  wire logic                  modulus_i,

  /// A sum or a product will be there in time for what reads it.
  output      logic                  sum_done_o,
  output      logic [PlaceBits-1:0]  sum_place_o,
  output      logic                  product_done_o,
  output      logic [PlaceBits-1:0]  product_place_o,
  /// The multiplier has taken all of a pair of operands.
  output      logic                  taken_o,
  /// Words of what was told are on their way to memory.
  output      logic                  writing_o,

  /// A word of a sum.
  output      logic                  sum_valid_o,
  output      logic [NumberBits-1:0] sum_number_o,
  /// It goes to the result's place.
  output      logic                  sum_result_o,
  output      logic [BeatBits-1:0]   sum_beat_o,
  output      logic [Bits-1:0]       sum_data_o,
  /// Told once: as of redc_curve_adder.
  output      logic                  above_o,
  output      logic                  nonzero_o,
  output      logic                  zero_o,
  output      logic                  invalid_o,
  /// A bit was turned.
  output      logic                  fault_o,

  /// The multiplier's operand and result streams.
  output      logic                  mul_in_valid_o,
  input  wire logic                  mul_in_ready_i,
  output      logic [WordBits-1:0]   mul_a_o,
  output      logic [WordBits-1:0]   mul_b_o,
  output      logic                  mul_in_last_o,
  input  wire logic                  mul_out_valid_i,
  output      logic                  mul_out_ready_o,
  input  wire logic [WordBits-1:0]   mul_p_i,
  input  wire logic                  mul_out_last_i
);

  import redc_curve_pkg::*;

  logic                 given, given_last, multiplied, squared;
  logic [1:0]           given_chosen;
  kind_e                given_kind, next_kind;
  logic [PlaceBits-1:0] given_place, sum_to, sum_next, product_to;
  logic [BeatBits-1:0]  given_beat, next_beat, product_beat;
  logic [Bits-1:0]      a, b, product;
  logic                 product_valid, adding, gives, adder_fault, product_fault;

  redc_curve_values #(
    .Bits(Bits), .Words(Words), .Places(Places), .Storage(Storage), .Technology(Technology),
    .Outside(32'(Moduli > 1))
  ) u_values (
    .clk_i, .rst_ni, .valid_i({product_valid, sum_valid_o}),
    .number_i({product_to[NumberBits-1:0], sum_number_o}), .beat_i({product_beat, sum_beat_o}),
    .data_i({product, sum_data_o}), .come_i, .come_number_i, .come_beat_i(beat_i), .come_data_i,
    .wipe_i, .wipe_number_i, .issue_i, .kind_i, .place_i, .place_a_i, .place_b_i, .choose_i,
    .valid_o(given), .beat_o(given_beat), .last_o(given_last), .a_o(a), .b_o(b),
    .kind_o(given_kind), .multiplies_o(multiplied), .square_o(squared), .choose_o(given_chosen),
    .place_o(given_place), .kind_next_o(next_kind), .beat_next_o(next_beat)
  );

  redc_curve_adder #(
    .Bits(Bits), .Words(Words), .Bound(Bound), .PlaceBits(PlaceBits), .Moduli(Moduli),
    .Technology(Technology)
  ) u_adder (
    .clk_i, .rst_ni, .modulus_i, .m_write_i, .m_second_i, .m_beat_i(beat_i),
    .m_data_i(come_data_i[0]), .valid_i(given & ~multiplied), .beat_i(given_beat),
    .last_i(given_last), .kind_i(given_kind), .kind_next_i(next_kind), .beat_next_i(next_beat),
    .bit_i(given_chosen), .place_i(given_place), .a_i(a), .b_i(b), .done_o(sum_done_o),
    .done_place_o(sum_place_o), .valid_o(sum_valid_o), .beat_o(sum_beat_o), .place_o(sum_to),
    .place_next_o(sum_next), .data_o(sum_data_o), .above_o, .nonzero_o, .zero_o, .invalid_o,
    .busy_o(adding), .fault_o(adder_fault)
  );

  // Operands wait for the multiplier in order, results come in that order.
  redc_curve_product #(
    .WordBits(WordBits), .Beats(Beats), .Parts(Parts), .InFlight(InFlight), .Bits(Bits),
    .Waiting(Waiting), .PlaceBits(PlaceBits)
  ) u_product (
    .clk_i, .rst_ni, .issue_i(issue_i & multiplies(kind_i)), .issue_place_i(place_i),
    .valid_i(given & multiplied), .square_i(squared), .bit_i(given_chosen),
    .rests_i(wipe_i | (|come_i)), .fault_o(product_fault), .a_i(a), .b_i(b), .taken_o,
    .done_o(product_done_o), .done_place_o(product_place_o), .valid_o(product_valid),
    .place_o(product_to), .beat_o(product_beat), .data_o(product), .busy_o(gives),
    .mul_in_valid_o, .mul_in_ready_i, .mul_a_o, .mul_b_o, .mul_in_last_o, .mul_out_valid_i,
    .mul_out_ready_o, .mul_p_i, .mul_out_last_i
  );

  always_ff @(posedge clk_i) sum_result_o <= sum_next[NumberBits-1:0] == NumberBits'(Places - 1);

  assign sum_number_o = sum_to[NumberBits-1:0];
  assign writing_o    = adding | gives;
  assign fault_o      = adder_fault | product_fault;

  wire unused = &{1'b0, product_to[PlaceBits-1], sum_to[PlaceBits-1], sum_next[PlaceBits-1]};

endmodule

`default_nettype wire
