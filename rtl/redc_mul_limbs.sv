// SPDX-License-Identifier: Apache-2.0
// redc_mul_limbs: the streams of a multiplier modulo one prime, and products limb by limb.
//
// Contract  multiplier contract's modulus and operand streams, words of Word digits; the modulus is
//           Prime and no other. The 2 Limbs limbs of each pair's product leave with limb_o, the
//           lowest one first, in the order of the pairs, whether anybody takes them or not; digits
//           are a bit longer than a digit. deliver_i tells that a result made of them has left.
// Method    Rows^2 slices multiply a limb of one operand by a limb of the other in each cycle
//           (redc_mul_limbs_columns), column by column (redc_mul_limbs_order); what reduces them
//           (redc_mul_fold_reduce, redc_mul_solinas_reduce) goes behind, and where results wait
//           (redc_mul_limbs_results) behind that. Two pairs of operands have room.
// Timing    Limbs^2 + 1 cycles a product, and Gap of rest; a limb leaves SumLevels + 5 cycles
//           behind the last product of its column.
// Leakage   handshakes alone decide. Memories keep operands until overwritten.
// Refuses   nothing itself; the multipliers around it do.
// Partner   src/redcore/families/fold.py, src/redcore/families/solinas.py.
`default_nettype none

module redc_mul_limbs #(
  /// Bits of the prime.
  parameter int unsigned Width = 255,
  /// Bits of a digit, digits of a limb and of a word, limbs and words of a number.
  parameter int unsigned Digit = 17,
  parameter int unsigned Rows = 3,
  parameter int unsigned Word = 2,
  parameter int unsigned Limbs = 5,
  parameter int unsigned Beats = 8,
  /// The highest digit has a bit more.
  parameter bit          Exact = 1'b1,
  /// Levels of adders behind the slices.
  parameter int unsigned SumLevels = 3,
  /// Cycles of rest behind a multiplication.
  parameter int unsigned Gap = 0,
  /// Multiplications that have begun and not left, at most.
  parameter int unsigned Slots = 3,
  /// The modulus.
  parameter logic [Beats*Word*Digit-1:0] Prime = '1,
  /// 1: err_o reports another modulus, an operand not below twice it, a misplaced last.
  parameter int unsigned Checks = 0,
  /// Primitives, as redc_prim_mul has them.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits = Word * Digit
) (
  input  wire logic                        clk_i,
  /// Active low, synchronous.
  input  wire logic                        rst_ni,
  /// Streams, as of redc_mul_fold.
  input  wire logic                        mod_valid_i,
  output      logic                        mod_ready_o,
  input  wire logic [WordBits-1:0]         mod_data_i,
  input  wire logic                        mod_last_i,
  input  wire logic [0:0]                  mod_idx_i,
  input  wire logic                        in_valid_i,
  output      logic                        in_ready_o,
  input  wire logic [WordBits-1:0]         a_i,
  input  wire logic [WordBits-1:0]         b_i,
  input  wire logic                        in_last_i,
  input  wire logic [0:0]                  in_idx_i,
  /// A limb of a product.
  output      logic                        limb_o,
  output      logic [Rows-1:0][Digit+1:0]  data_o,
  /// The last word of a result leaves where results wait; one is offered behind that.
  input  wire logic                        deliver_i,
  input  wire logic                        out_valid_i,
  /// Sticky until reset; see Checks.
  output      logic                        err_o
);

  localparam int unsigned Factor    = Digit + 32'(Exact);
  localparam int unsigned PlaceBits = redc_pkg::index_bits(Limbs);
  localparam int unsigned LevelBits = $clog2(Slots + 1);

  // ------------------------------------------------------------------------------------------
  // Streams. A multiplication begins when its result has room.
  // ------------------------------------------------------------------------------------------
  logic                 accept, mod_accept, open_next, mod_open_next, no_modulus, bad;
  logic                 last, limb, begins, ends, take, free_d, middle_d;
  logic                 middle_q, may_q, idle_q;
  logic [1:0]           taken_q;     // pairs of operands inside, the one that comes included
  logic [LevelBits-1:0] begun_q;     // multiplications that have begun and not left
  assign take     = accept & ~middle_q;
  assign middle_d = accept ? ~last : middle_q;
  // Of two places one is free, or will be.
  assign free_d   = ~middle_d & ((taken_q == 2'd0) | ((taken_q == 2'd1) & ~take) | ends);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {taken_q, begun_q, middle_q} <= '0;
      {may_q, idle_q} <= 2'b11;
    end else begin
      middle_q <= middle_d;
      if (take != ends) taken_q <= take ? taken_q + 1'b1 : taken_q - 1'b1;
      if (begins != deliver_i) begun_q <= begins ? begun_q + 1'b1 : begun_q - 1'b1;
      may_q  <= (begun_q < LevelBits'(Slots - 1))
              | ((begun_q == LevelBits'(Slots - 1)) & ~begins)
              | deliver_i;
      idle_q <= (taken_q == '0) & (begun_q == '0) & ~out_valid_i;
    end
  end

  redc_mul_shell #(
    .Width(1), .WordBits(WordBits), .Checks(Checks), .Ahead(1), .Waits(1'b1), .ManyBeats(1'b1),
    .ChainBits(0)
  ) i_shell (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i,
    .free_i(free_d), .more_i(middle_d), .idle_i(idle_q & ~accept), .accept_o(accept),
    .open_next_o(open_next), .mod_accept_o(mod_accept), .mod_open_next_o(mod_open_next),
    .modulus_o(no_modulus), .bad_i(bad), .err_o
  );
  wire unused_shell = ^{open_next, mod_open_next, no_modulus};

  // ------------------------------------------------------------------------------------------
  // From operands to the product's limbs.
  // ------------------------------------------------------------------------------------------
  logic                        set, valid, first, column_last;
  logic [PlaceBits-1:0]        x, y;
  logic [Rows-1:0][Factor-1:0] a, b;

  redc_mul_limbs_operands #(
    .Digit(Digit), .Rows(Rows), .Word(Word), .Limbs(Limbs), .Beats(Beats), .Exact(Exact)
  ) i_operands (
    .clk_i, .rst_ni, .accept_i(accept), .a_i, .b_i, .last_o(last), .limb_o(limb), .set_i(set),
    .x_i(x), .y_i(y), .a_o(a), .b_o(b)
  );
  redc_mul_limbs_order #(.Limbs(Limbs), .Gap(Gap)) i_order (
    .clk_i, .rst_ni, .limb_i(limb), .may_i(may_q), .begin_o(begins), .end_o(ends), .set_o(set),
    .x_o(x), .y_o(y), .valid_o(valid), .first_o(first), .last_o(column_last)
  );
  redc_mul_limbs_columns #(
    .Digit(Digit), .Rows(Rows), .Limbs(Limbs), .Exact(Exact), .SumLevels(SumLevels),
    .Technology(Technology)
  ) i_columns (
    .clk_i, .rst_ni, .valid_i(valid), .first_i(first), .last_i(column_last), .top_i(ends),
    .a_i(a), .b_i(b), .limb_o, .limb_data_o(data_o)
  );

  // ------------------------------------------------------------------------------------------
  // Checks
  // ------------------------------------------------------------------------------------------
  if (Checks != 0) begin : gen_checks
    localparam int unsigned BeatBits = redc_pkg::index_bits(Beats);
    typedef logic [BeatBits-1:0] beat_t;
    localparam logic [Beats-1:0][WordBits-1:0] PrimeWord = Prime;
    logic  words_bad, prime_bad_q;
    beat_t beat_q, mod_beat_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {beat_q, mod_beat_q, prime_bad_q} <= '0;
      else begin
        if (accept) beat_q <= last ? '0 : beat_q + 1'b1;
        if (mod_accept) begin
          mod_beat_q <= (mod_last_i || mod_beat_q == beat_t'(Beats - 1)) ? '0 : mod_beat_q + 1'b1;
        end
        prime_bad_q <= mod_accept & (mod_data_i != PrimeWord[mod_beat_q]);
      end
    end
    redc_mul_word_checks #(.Width(Width), .Word(WordBits), .Beats(Beats)) i_words (
      .clk_i, .rst_ni, .mod_accept_i(mod_accept), .mod_data_i, .mod_last_i, .mod_idx_i(1'b0),
      .accept_i(accept), .beat_i(beat_q), .a_i, .b_i, .last_i(in_last_i), .idx_i(1'b0),
      .bad_o(words_bad)
    );
    assign bad = words_bad | prime_bad_q;
  end else begin : gen_no_checks
    assign bad = 1'b0;
    wire unused = mod_accept;
  end

endmodule

`default_nettype wire
