// SPDX-License-Identifier: Apache-2.0
// redc_curve_product: the multiplier's side of redc_curve: operands wait in order, results come in
// that order and find their places.
//
// Contract  each product's place is told as its instruction begins (issue_i), its operands come
//           word by word, and what the multiplier gives leaves the same way. A square is that of a
//           or, where the bit says so, of b.
// Timing    src/redcore/units/curve/play.py: a word waits a cycle at least, a result's word leaves
//           a cycle after it came.
// Leakage   none: the bit of a square is data. The queue keeps words until overwritten.
// Refuses   what redc_curve refuses.
// Partner   src/redcore/units/curve/.
`default_nettype none

module redc_curve_product #(
  /// As of redc_curve.
  parameter int unsigned WordBits = 34,
  parameter int unsigned Beats = 8,
  parameter int unsigned Parts = 1,
  parameter int unsigned InFlight = 4,
  /// Bits of a part.
  parameter int unsigned Bits = 34,
  /// Pairs of operands that wait.
  parameter int unsigned Waiting = 2,
  /// Bits of a destination.
  parameter int unsigned PlaceBits = 5,
  /// Derived; not to be set.
  localparam int unsigned Words    = Beats * Parts,
  localparam int unsigned BeatBits = redc_pkg::index_bits(Words)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; drops what is inside.
  input  wire logic                 rst_ni,
  /// The instruction of a product begins, with the place of its result.
  input  wire logic                 issue_i,
  input  wire logic [PlaceBits-1:0] issue_place_i,

  /// A word of its operands,
  input  wire logic                 valid_i,
  input  wire logic [Bits-1:0]      a_i,
  input  wire logic [Bits-1:0]      b_i,
  /// of a square, and the bit that chooses of what, behind its complement.
  input  wire logic                 square_i,
  input  wire logic [1:0]           bit_i,
  /// Nothing is under way: a turned bit does not outlive this.
  input  wire logic                 rests_i,
  /// A bit of these was turned.
  output      logic                 fault_o,
  /// All of a pair has left the queue.
  output      logic                 taken_o,

  /// The product for that place will be there in time for what reads it.
  output      logic                 done_o,
  output      logic [PlaceBits-1:0] done_place_o,
  /// Its words.
  output      logic                 valid_o,
  output      logic [PlaceBits-1:0] place_o,
  output      logic [BeatBits-1:0]  beat_o,
  /// 0 when none comes.
  output      logic [Bits-1:0]      data_o,
  /// Of a word in parts there are more to come.
  output      logic                 busy_o,

  /// The multiplier's operand stream.
  output      logic                 mul_in_valid_o,
  input  wire logic                 mul_in_ready_i,
  output      logic [WordBits-1:0]  mul_a_o,
  output      logic [WordBits-1:0]  mul_b_o,
  output      logic                 mul_in_last_o,
  /// The multiplier's result stream.
  input  wire logic                 mul_out_valid_i,
  output      logic                 mul_out_ready_o,
  input  wire logic [WordBits-1:0]  mul_p_i,
  input  wire logic                 mul_out_last_i
);

  localparam int unsigned FaceBits  = redc_pkg::index_bits(Beats);
  localparam int unsigned PairWords = Waiting * Words;

  // Operands.
  logic                           pair_some, pair_pop, pair_ready;
  logic [1:0][Bits-1:0]           pair_given, pair;
  logic [$clog2(PairWords+1)-1:0] unused_pairs;
  logic [2*Bits-1:0]              unused_pair;
  logic [BeatBits-1:0]            pair_beat_q;
  logic [FaceBits-1:0]            mul_beat_q;
  assign pair_given[0] = (square_i & bit_i[0]) ? b_i : a_i;
  assign pair_given[1] = (square_i & ~bit_i[0]) ? a_i : b_i;
  // Emptied while nothing is under way, as all that counts here begins anew: where a bit of a
  // pointer was turned, the two meet again. A cycle later, as what tells it is far away; the first
  // pair comes later still.
  logic rests_q;
  always_ff @(posedge clk_i) rests_q <= rests_i;
  redc_prim_queue #(.Bits(2 * Bits), .Depth(PairWords), .Storage(1)) u_pairs (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(rests_q),
    .write_i(valid_i), .data_i(pair_given), .push_i(valid_i), .pop_i(pair_pop), .head_o(pair),
    .head_next_o(unused_pair), .level_o(unused_pairs), .some_o(pair_some)
  );
  redc_curve_join #(
    .Lanes(2), .WordBits(WordBits), .Parts(Parts), .PartBits(Bits)
  ) u_operands (
    .clk_i, .rst_ni(rst_ni & ~rests_q), .valid_i(pair_some), .ready_o(pair_ready), .data_i(pair),
    .valid_o(mul_in_valid_o), .ready_i(mul_in_ready_i), .data_o({mul_b_o, mul_a_o})
  );
  assign pair_pop      = pair_some & pair_ready;
  assign taken_o       = pair_pop & (pair_beat_q == BeatBits'(Words - 1));
  assign mul_in_last_o = mul_beat_q == FaceBits'(Beats - 1);

  // Results.
  logic                          valid, last;
  logic [Bits-1:0]               data;
  logic [BeatBits-1:0]           beat_q;
  logic [$clog2(InFlight+2)-1:0] unused_level;
  logic [PlaceBits-1:0]          place, place_next;
  logic                          unused_some;
  logic                          issue_q;
  logic [PlaceBits-1:0]          issue_place_q;
  assign last = beat_q == BeatBits'(Words - 1);
  // No product comes that soon.
  always_ff @(posedge clk_i) begin
    issue_q       <= issue_i & rst_ni;
    issue_place_q <= issue_place_i;
  end
  // Where an answer is several words the next one's place need not be known at once.
  localparam bit Seldom = Parts == 1 && Words > 1;
  // One more, whose last parts are still to be written.
  redc_prim_queue #(.Bits(PlaceBits), .Depth(InFlight + 1), .Storage(32'(Seldom))) u_order (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(rests_q), .write_i(issue_q), .data_i(issue_place_q),
    .push_i(issue_q), .pop_i(valid & last), .head_o(place), .head_next_o(place_next),
    .level_o(unused_level), .some_o(unused_some)
  );
  redc_curve_split #(.WordBits(WordBits), .Parts(Parts), .PartBits(Bits)) u_product (
    .clk_i, .rst_ni, .valid_i(mul_out_valid_i), .ready_o(mul_out_ready_o), .data_i(mul_p_i),
    .valid_o(valid), .ready_i(1'b1), .data_o(data)
  );
  // Of a word in parts the others follow for certain, as fast as they are read.
  assign done_o = valid & ((Parts > 1) ? beat_q == '0 : mul_out_last_i);
  assign busy_o = (Parts > 1) & valid;

  always_ff @(posedge clk_i) begin
    done_place_o <= Seldom ? place : place_next;
    valid_o      <= valid & rst_ni;
    fault_o      <= valid_i & square_i & ~^bit_i & rst_ni;
    place_o      <= Seldom ? place : done_place_o;
    beat_o       <= beat_q;
    data_o       <= data;
    if (!valid || !rst_ni) data_o <= '0;
    if (!rst_ni || rests_q) begin
      pair_beat_q <= '0;
      beat_q      <= '0;
      mul_beat_q  <= '0;
    end else begin
      if (pair_pop) pair_beat_q <= taken_o ? '0 : pair_beat_q + 1'b1;
      if (valid) beat_q <= last ? '0 : beat_q + 1'b1;
      if (mul_in_valid_o && mul_in_ready_i) mul_beat_q <= mul_in_last_o ? '0 : mul_beat_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
