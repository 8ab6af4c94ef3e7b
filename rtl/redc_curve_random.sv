// SPDX-License-Identifier: Apache-2.0
// redc_curve_random: random bits of redc_curve's jobs: a number that a loop goes through, and,
// where the order n of the point is known, the scalar k as k + r n.
//
// Contract  the scalar's words come (scalar_write_i), the order's behind a modulus; start_i then
//           draws RandomBits bits for the number, and then Blinds bits for r. Both numbers
//           leave as words for the memory of bits: 0 the scalar, 2 the random one. done_o tells
//           that all are written. A source that is stuck (redc_random_repetition) is told until
//           reset; from then on zeros overwrite both numbers, as nothing would blind the scalar:
//           before a loop begins, also in the job in which that is found.
// Method    bits go to the number; with Blinds as many to redc_curve_blinding, one for each of its
//           passes. Behind reset the source is tested with bits that nobody uses: one that is dead
//           blinds no job, not even the first. What decides is kept twice: any one bit of it that
//           is turned is a fault. Random bits are what they are.
// Timing    64 cycles of a test behind reset; two cycles for each bit of the number;
//           Blinds passes of ScalarWords + 5 cycles, and one of a cycle less; more where the source
//           lets it wait. Without Blinds the scalar's words go straight on.
// Leakage   none: bits are data alone. wipe_i overwrites all but n, in 2 * ScalarWords cycles.
// Refuses   RandomBits above Bits * ScalarWords, neither of these bits: at elaboration.
// Partner   src/redcore/units/curve/family.py.
`default_nettype none

module redc_curve_random #(
  /// Bits of a word.
  parameter int unsigned Bits = 34,
  /// Words of a value.
  parameter int unsigned Words = 8,
  /// Bits of the number, 0 for none,
  parameter int unsigned RandomBits = 32,
  /// and of r; with 0 the scalar is not blinded.
  parameter int unsigned Blinds = 0,
  /// Words of the scalar as loops go through it.
  parameter int unsigned ScalarWords = 8,
  /// Derived; not to be set.
  localparam int unsigned BeatBits = redc_pkg::index_bits(Words),
  localparam int unsigned WordBits = redc_pkg::index_bits(redc_pkg::max(Words, ScalarWords))
) (
  input  wire logic                clk_i,
  /// Active low, synchronous.
  input  wire logic                rst_ni,
  /// Overwrites all but the order.
  input  wire logic                wipe_i,
  /// Draws, once the scalar is there.
  input  wire logic                start_i,
  /// All is written.
  output      logic                done_o,
  /// The source is stuck.
  output      logic                stuck_o,
  /// A bit was turned.
  output      logic                fault_o,
  /// A word of the order, of the scalar.
  input  wire logic                order_write_i,
  input  wire logic                scalar_write_i,
  input  wire logic [BeatBits-1:0] beat_i,
  input  wire logic [Bits-1:0]     order_i,
  input  wire logic [Bits-1:0]     scalar_i,
  /// Random bits.
  input  wire logic                rnd_valid_i,
  output      logic                rnd_ready_o,
  input  wire logic                rnd_data_i,
  /// A word for the memory of bits, of which number.
  output      logic                write_o,
  output      logic [1:0]          number_o,
  output      logic [WordBits-1:0] word_o,
  output      logic [Bits-1:0]     data_o,
  /// Its parity.
  output      logic                parity_o,
  /// Both are to be 0.
  output      logic                clears_o
);

  if (RandomBits + Blinds < 1 || RandomBits > Bits * ScalarWords) begin : gen_refuse
    $error("redc_curve_random: RandomBits=%0d is above %0d, or there are none, and Blinds=%0d",
           RandomBits, Bits * ScalarWords, Blinds);
  end

  // Equal bits in a row by which a source is stuck, and bits that it is tested with behind reset.
  localparam int unsigned Limit     = 64;
  localparam int unsigned TestBits  = $clog2(Limit) + 1;
  localparam int unsigned LeftBits  = $clog2(redc_pkg::max(RandomBits, Blinds) + 1);
  // Bits that are drawn first.
  localparam int unsigned First     = (RandomBits > 0) ? RandomBits : Blinds;
  // and behind those of the number.
  localparam int unsigned Behind    = (Blinds > 0) ? Blinds : RandomBits;
  localparam int unsigned PlaceBits = redc_pkg::index_bits(Bits);
  typedef logic [WordBits-1:0] word_t;

  // All but words and random bits: one of two copies.
  typedef struct packed {
    // At most one: a bit is drawn, of the number or of r, once the source is tested; or a pass.
    logic                 draws_word;
    logic                 draws_bit;
    logic                 passes;
    logic                 took_word;  // it was in the cycle before
    logic                 took_bit;
    logic                 done;
    logic [LeftBits-1:0]  left;   // bits, or passes, to come behind this one
    logic                 final_one;  // none
    // Of the number: the bit of the word, its first one, its last one, the word, and whether it is
    // written.
    logic [PlaceBits-1:0] place;
    logic                 fresh;
    logic                 full;
    word_t                drawn_word;
    logic                 drawn_write;
  } state_t;
  state_t now, copy, next;
  redc_prim_fanout #(.Bits($bits(state_t)), .Copies(2)) u_state (
    .clk_i, .d_i(next), .q_o({copy, now})
  );

  logic [TestBits-1:0]  tests_q;  // bits of the test so far, Limit at last
  logic                 tested, asks, random, random_q, taken_word, taken_bit, last_bit;
  logic                 stuck_q;  // a cycle later, as it does not hurry
  assign tested      = tests_q[TestBits-1];
  assign rnd_ready_o = rst_ni & (~tested | asks) & ~stuck_o;
  assign asks        = (now.draws_word & ~now.took_word) | (now.draws_bit & ~now.took_bit);
  assign taken_word  = now.took_word;
  assign taken_bit   = now.took_bit;
  assign random      = random_q & ~stuck_o;
  assign last_bit    = now.final_one;
  assign done_o      = now.done;

  redc_random_repetition #(.Limit(Limit)) u_repetition (
    .clk_i, .rst_ni, .clear_i(1'b0), .valid_i(rnd_valid_i & rnd_ready_o), .data_i(rnd_data_i),
    .stuck_o
  );

  always_ff @(posedge clk_i) begin
    stuck_q  <= stuck_o & rst_ni;
    random_q <= rnd_valid_i & rnd_data_i & asks & ~wipe_i & rst_ni;
    if (!rst_ni) tests_q <= '0;
    else if (rnd_valid_i && !tested) tests_q <= tests_q + 1'b1;
  end

  // ------------------------------------------------------------------------------------------
  // The number: a word is written once it is full, and the last one.
  // ------------------------------------------------------------------------------------------
  logic [Bits-1:0] drawn_q;
  logic            drawn_parity_q;
  logic            full;
  assign full = now.full | last_bit;

  logic begins_word;
  // Of the other copy, as much hangs on it.
  logic shifts;
  assign shifts      = copy.took_word;
  assign begins_word = shifts & copy.fresh;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe_i || begins_word) drawn_q[Bits-1:1] <= '0;
    else if (shifts) drawn_q[Bits-1:1] <= drawn_q[Bits-2:0];
    if (!rst_ni || wipe_i) drawn_q[0] <= 1'b0;
    else if (shifts) drawn_q[0] <= random;
    if (!rst_ni || wipe_i) drawn_parity_q <= 1'b0;
    else if (shifts) drawn_parity_q <= random ^ (drawn_parity_q & ~copy.fresh);
  end

  // ------------------------------------------------------------------------------------------
  // The scalar.
  // ------------------------------------------------------------------------------------------
  logic            pass_ends, all_ends, scalar_write, scalar_parity, scalar_fault;
  word_t           scalar_word;
  logic [Bits-1:0] scalar_data;

  if (Blinds == 0) begin : gen_straight
    assign {pass_ends, all_ends, scalar_fault} = '0;
    assign scalar_write  = scalar_write_i;
    assign scalar_word   = word_t'(beat_i);
    assign scalar_data   = scalar_i;
    assign scalar_parity = ^scalar_i;
    wire unused = &{1'b0, order_write_i, order_i};
  end else begin : gen_blinds
    redc_curve_blinding #(.Bits(Bits), .Words(Words), .ScalarWords(ScalarWords)) u_blinding (
      .clk_i, .rst_ni, .wipe_i, .start_i, .begins_i(taken_bit), .bit_i(random), .final_i(last_bit),
      .stuck_i(stuck_o), .order_write_i, .scalar_write_i, .beat_i, .order_i, .scalar_i,
      .pass_ends_o(pass_ends), .all_ends_o(all_ends), .write_o(scalar_write),
      .word_o(scalar_word), .data_o(scalar_data), .parity_o(scalar_parity), .fault_o(scalar_fault)
    );
  end

  logic unlike;
  redc_curve_same #(.Bits($bits(state_t))) u_same (
    .clk_i, .rst_ni, .first_i(now), .second_i(copy), .fault_o(unlike)
  );
  assign fault_o = scalar_fault | unlike;

  // ------------------------------------------------------------------------------------------
  // One behind the other.
  // ------------------------------------------------------------------------------------------
  logic       overwrites, wiped_q;  // which number is overwritten
  logic [1:0] wipes;
  word_t wiped_word_q;
  // Neither of two bits that are turned overwrites a number by itself.
  redc_prim_fanout #(.Bits(1), .Copies(2)) u_wipes (
    .clk_i, .d_i(wipe_i | stuck_o), .q_o(wipes)
  );
  assign overwrites = &wipes;
  assign clears_o   = overwrites;

  always_comb begin
    write_o  = scalar_write | now.drawn_write;
    number_o = {now.drawn_write, 1'b0};
    word_o   = now.drawn_write ? now.drawn_word : scalar_word;
    data_o   = now.drawn_write ? drawn_q : scalar_data;
    parity_o = now.drawn_write ? drawn_parity_q : scalar_parity;
    if (overwrites) begin
      write_o  = 1'b1;
      number_o = {wiped_q, 1'b0};
      word_o   = wiped_word_q;
    end
  end

  logic finishes;
  assign finishes = (Blinds == 0) ? taken_word & last_bit
                                  : all_ends;

  always_comb begin
    next             = now;
    next.took_word   = tested & now.draws_word & ~now.took_word & (rnd_valid_i | stuck_q);
    next.took_bit    = tested & now.draws_bit & ~now.took_bit & (rnd_valid_i | stuck_q);
    next.done        = finishes;
    next.drawn_write = taken_word & full;
    if (!now.draws_word && !now.draws_bit && !now.passes) begin
      next.left       = LeftBits'(First - 1);
      next.final_one  = First == 1;
      next.place      = '0;
      next.fresh      = 1'b1;
      next.full       = 1'b0;
      next.drawn_word = '0;
      next.draws_word = start_i & (RandomBits > 0);
      next.draws_bit  = start_i & (RandomBits == 0);
    end
    if (now.drawn_write && now.draws_word) next.drawn_word = now.drawn_word + 1'b1;
    if (taken_word) begin
      next.place     = full ? '0 : now.place + 1'b1;
      next.fresh     = full;
      next.full      = ~full & (now.place == PlaceBits'(Bits - 2));
      next.left      = last_bit ? LeftBits'(Behind - 1) : now.left - 1'b1;
      next.final_one = last_bit ? Behind == 1 : now.left == LeftBits'(1);
      next.draws_word = ~last_bit;
      next.draws_bit  = last_bit & (Blinds != 0);
    end
    if (taken_bit) {next.draws_bit, next.passes} = 2'b01;
    if (pass_ends || all_ends) next.passes = 1'b0;
    if (pass_ends) begin
      next.left      = now.left - 1'b1;
      next.final_one = now.left == LeftBits'(1);
      next.draws_bit = 1'b1;
    end
    if (!rst_ni) next = '0;
  end

  always_ff @(posedge clk_i) begin
    if (overwrites) begin
      wiped_word_q <= (wiped_word_q == word_t'(ScalarWords - 1)) ? '0 : wiped_word_q + 1'b1;
      wiped_q      <= wiped_q ^ (wiped_word_q == word_t'(ScalarWords - 1));
    end else begin
      wiped_word_q <= '0;
      wiped_q      <= 1'b0;
    end
  end

endmodule

`default_nettype wire
