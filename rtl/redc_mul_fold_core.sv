// SPDX-License-Identifier: Apache-2.0
// redc_mul_fold_core: redc_mul_fold with legal parameters.
//
// Contract  as of redc_mul_fold.
// Method    operands, the order of their limbs, columns, foldings, results: one behind the other.
// Timing    as of redc_mul_fold.
// Leakage   as of redc_mul_fold.
// Refuses   nothing itself; redc_mul_fold does.
// Partner   src/redcore/families/fold.py.
`default_nettype none

module redc_mul_fold_core #(
  /// What it is built of; legal.
  parameter redc_mul_fold_pkg::config_t Core = '{width: 255, less: 48'd19, digit: 17, rows: 3,
                                                  word: 2},
  /// As of redc_mul_fold.
  parameter int unsigned Checks = 0,
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits = Core.word * Core.digit
) (
  input  wire logic                clk_i,
  /// Active low, synchronous.
  input  wire logic                rst_ni,
  /// Streams, as of redc_mul_fold.
  input  wire logic                mod_valid_i,
  output      logic                mod_ready_o,
  input  wire logic [WordBits-1:0] mod_data_i,
  input  wire logic                mod_last_i,
  input  wire logic [0:0]          mod_idx_i,
  input  wire logic                in_valid_i,
  output      logic                in_ready_o,
  input  wire logic [WordBits-1:0] a_i,
  input  wire logic [WordBits-1:0] b_i,
  input  wire logic                in_last_i,
  input  wire logic [0:0]          in_idx_i,
  output      logic                out_valid_o,
  input  wire logic                out_ready_i,
  output      logic [WordBits-1:0] p_o,
  output      logic                out_last_o,
  output      logic                err_o
);

  import redc_mul_fold_pkg::*;

  localparam sizes_t      Sizes     = sizes(Core);
  localparam int unsigned Digit     = Core.digit;
  localparam int unsigned Rows      = Core.rows;
  localparam int unsigned Word      = Core.word;
  localparam int unsigned Limbs     = Sizes.limbs;
  localparam int unsigned Beats     = Sizes.beats;
  localparam int unsigned Factor    = Digit + 32'(Sizes.exact);
  localparam int unsigned PlaceBits = redc_pkg::index_bits(Limbs);
  localparam int unsigned LevelBits = $clog2(Sizes.slots + 1);

  // ------------------------------------------------------------------------------------------
  // Streams. Two pairs of operands have room; a multiplication begins when its result has.
  // ------------------------------------------------------------------------------------------
  logic                 accept, mod_accept, open_next, mod_open_next, no_modulus, bad;
  logic                 last, limb, begins, ends, deliver, take, fill, free_d, middle_d;
  logic                 middle_q, may_q, idle_q;
  logic [1:0]           taken_q;     // pairs of operands inside, the one that comes included
  logic [LevelBits-1:0] begun_q;     // multiplications that have begun and not left
  assign take     = accept & ~middle_q;
  assign fill     = accept & last;
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
      if (begins != deliver) begun_q <= begins ? begun_q + 1'b1 : begun_q - 1'b1;
      may_q  <= (begun_q < LevelBits'(Sizes.slots - 1))
              | ((begun_q == LevelBits'(Sizes.slots - 1)) & ~begins)
              | deliver;
      idle_q <= (taken_q == '0) & (begun_q == '0) & ~out_valid_o;
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
  wire unused_shell = ^{open_next, mod_open_next, no_modulus, fill};

  // ------------------------------------------------------------------------------------------
  // From operands to results.
  // ------------------------------------------------------------------------------------------
  logic                       set, valid, first, column_last, column_limb, result_limb, result_last;
  logic [PlaceBits-1:0]       x, y;
  logic [Rows-1:0][Factor-1:0] a, b;
  logic [Rows-1:0][Digit+1:0] column;
  logic [Rows-1:0][Digit:0]   result;

  redc_mul_fold_operands #(
    .Digit(Digit), .Rows(Rows), .Word(Word), .Limbs(Limbs), .Beats(Beats), .Exact(Sizes.exact)
  ) i_operands (
    .clk_i, .rst_ni, .accept_i(accept), .a_i, .b_i, .last_o(last), .limb_o(limb), .set_i(set),
    .x_i(x), .y_i(y), .a_o(a), .b_o(b)
  );
  redc_mul_fold_order #(.Limbs(Limbs), .Gap(Sizes.gap)) i_order (
    .clk_i, .rst_ni, .limb_i(limb), .may_i(may_q), .begin_o(begins), .end_o(ends), .set_o(set),
    .x_o(x), .y_o(y), .valid_o(valid), .first_o(first), .last_o(column_last)
  );
  redc_mul_fold_columns #(
    .Digit(Digit), .Rows(Rows), .Limbs(Limbs), .Exact(Sizes.exact), .SumLevels(Sizes.sum_levels),
    .Technology(Technology)
  ) i_columns (
    .clk_i, .rst_ni, .valid_i(valid), .first_i(first), .last_i(column_last), .top_i(ends),
    .a_i(a), .b_i(b), .limb_o(column_limb), .limb_data_o(column)
  );
  redc_mul_fold_reduce #(.Core(Core), .Technology(Technology)) i_reduce (
    .clk_i, .rst_ni, .limb_i(column_limb), .data_i(column), .valid_o(result_limb),
    .last_o(result_last), .data_o(result)
  );
  redc_mul_fold_results #(
    .Digit(Digit), .Rows(Rows), .Word(Word), .Limbs(Limbs), .Beats(Beats), .Exact(Sizes.exact),
    .Ring(Sizes.ring), .Slots(Sizes.slots)
  ) i_results (
    .clk_i, .rst_ni, .limb_i(result_limb), .last_i(result_last), .data_i(result),
    .deliver_o(deliver), .out_valid_o, .out_ready_i, .p_o, .out_last_o
  );

  // ------------------------------------------------------------------------------------------
  // Checks
  // ------------------------------------------------------------------------------------------
  if (Checks != 0) begin : gen_checks
    localparam int unsigned BeatBits = redc_pkg::index_bits(Beats);
    typedef logic [BeatBits-1:0] beat_t;
    // The prime, word by word.
    localparam int unsigned AllBits = Beats * WordBits;
    localparam logic [Beats-1:0][WordBits-1:0] Prime =
        AllBits'({Core.width{1'b1}}) - AllBits'(Core.less) + AllBits'(1);
    logic  words_bad, prime_bad_q;
    beat_t beat_q, mod_beat_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {beat_q, mod_beat_q, prime_bad_q} <= '0;
      else begin
        if (accept) beat_q <= last ? '0 : beat_q + 1'b1;
        if (mod_accept) begin
          mod_beat_q <= (mod_last_i || mod_beat_q == beat_t'(Beats - 1)) ? '0 : mod_beat_q + 1'b1;
        end
        prime_bad_q <= mod_accept & (mod_data_i != Prime[mod_beat_q]);
      end
    end
    redc_mul_word_checks #(.Width(Core.width), .Word(WordBits), .Beats(Beats)) i_words (
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
