// SPDX-License-Identifier: Apache-2.0
// redc_prime_generator: random primes of exactly Width bits, the top two of them set.
//
// Contract  a request (in_valid_i) takes random bits and gives one prime, Beats words, least
//           significant first. The exponentiator is beside it, as with redc_prime_tester, but that
//           it is always the same place that a modulus goes to: any one.
// Method    a random odd number with its top two bits set, so that the product of two has 2 * Width
//           bits; from there in steps of 2 up to the first number that no trial prime divides, that
//           leaves no residue 1 modulo PublicExponent (so that it is coprime to p - 1), and that
//           passes the strong tests. The residues are made once, while the bits come in, and then
//           kept up (redc_prime_residue). The number itself stays where the search began, with an
//           offset beside it, added bit by bit once a number goes to the tester. Past 2^Width, or
//           after 8 * Width steps, it draws anew. A prime behind a long gap is found more often
//           than others.
// Timing    B = WordBits * Beats cycles for a draw, 4 for a step, 2 + B and the tester's for a
//           strong test (src/redcore/units/prime/model.py).
// Leakage   cycles depend on the random bits; of the prime they tell the distance from the number
//           drawn, and what the tester's tell. Registers keep the prime until overwritten.
// Refuses   Width < 8, trial primes not below 3 * 2^(Width-2), PublicExponent neither 0 nor an odd
//           prime up to 2^20, and what redc_prime_tester and redc_prime_residues refuse: at
//           elaboration. 64 equal random bits in a row: err_o, and no random bit is taken any more
//           until reset.
// Partner   src/redcore/units/prime/model.py.
`default_nettype none

module redc_prime_generator #(
  /// Bits of a prime, from 8.
  parameter int unsigned Width = 512,
  /// The multiplier's constants (functions in its package): bits of a word,
  parameter int unsigned WordBits = Width,
  /// and words of an operand.
  parameter int unsigned Beats = 1,
  /// Words of a number on the exponentiator's face, see redc_prime_tester.
  parameter int unsigned FaceBeats = Beats,
  /// Odd primes of the trial division, from 3 on: 1 to 255.
  parameter int unsigned Primes = 53,
  /// The first primes that are bases, 0 to 256.
  parameter int unsigned Bases = 0,
  /// Random bases after them.
  parameter int unsigned RandomBases = redc_prime_pkg::fips_rounds(Width),
  /// A prime that shall not divide p - 1; 0: none.
  parameter int unsigned PublicExponent = 65537,
  /// Derived; not to be set.
  localparam int unsigned LengthBits = $clog2(Width + 1)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous; drops the search. The exponentiator has to be reset, too.
  input  wire logic                  rst_ni,

  /// Asks for a prime.
  input  wire logic                  in_valid_i,
  output      logic                  in_ready_o,

  /// Random bits, one a beat: Width - 3 for a draw, and the tester's.
  input  wire logic                  rnd_valid_i,
  output      logic                  rnd_ready_o,
  input  wire logic                  rnd_data_i,

  /// The prime.
  output      logic                  out_valid_o,
  input  wire logic                  out_ready_i,
  /// 0 while out_valid_o is low.
  output      logic [WordBits-1:0]   out_data_o,
  /// High in the last beat.
  output      logic                  out_last_o,
  /// Numbers that were looked at for it,
  output      logic [31:0]           out_count_o,
  /// and how many of them went to the strong tests.
  output      logic [31:0]           out_tested_o,

  /// Sticky until reset: the random source is stuck.
  output      logic                  err_o,

  /// The exponentiator's modulus stream.
  output      logic                  exp_mod_valid_o,
  input  wire logic                  exp_mod_ready_i,
  output      logic [WordBits-1:0]   exp_mod_data_o,
  output      logic                  exp_mod_last_o,
  /// The exponentiator's operand stream: base, exponent, its length.
  output      logic                  exp_in_valid_o,
  input  wire logic                  exp_in_ready_i,
  output      logic [WordBits-1:0]   exp_a_o,
  output      logic [WordBits-1:0]   exp_b_o,
  output      logic                  exp_in_last_o,
  output      logic [LengthBits-1:0] exp_bits_o,
  /// The exponentiator's result stream, always taken.
  input  wire logic                  exp_out_valid_i,
  input  wire logic [WordBits-1:0]   exp_p_i,
  input  wire logic                  exp_out_last_i
);

  import redc_prime_pkg::*;

  if (Width < 8) begin : gen_refuse_width
    $error("redc_prime_generator: Width=%0d is below 8", Width);
  end
  // All candidates have to be above the trial primes, or these are never found.
  if (Primes < 1 || Primes > MaxPrimes - 1
      || (Width < PrimeBits + 2 && prime(Primes) >= (3 << (Width - 2)))) begin : gen_refuse_primes
    $error("redc_prime_generator: Primes=%0d is not within 1 to %0d, or reaches 3*2^(Width=%0d-2)",
           Primes, MaxPrimes - 1, Width);
  end
  if (PublicExponent != 0 && !odd_prime(PublicExponent)) begin : gen_refuse_exponent
    $error("redc_prime_generator: PublicExponent=%0d is neither 0 nor an odd prime up to 2^20",
           PublicExponent);
  end

  // Illegal sizes must reach their own messages, above or in the tester.
  localparam int unsigned Bits      = redc_pkg::max(WordBits * Beats, 8);
  localparam int unsigned PlaceBits = $clog2(redc_pkg::max(Bits, Width));
  localparam int unsigned BeatBits  = redc_pkg::index_bits(Beats);
  localparam int unsigned StepBits  = $clog2(search_steps(Width) + 1);

  typedef enum logic [3:0] {
    StIdle,
    StDraw,
    StSettle,
    StLook,
    StChoose,
    StAdd,
    StGive,
    StWait,
    StJudge,
    StOut
  } state_e;

  state_e               state_q;
  logic [PlaceBits-1:0] place_q;
  logic [BeatBits-1:0]  beat_q;
  logic [StepBits-1:0]  steps_q, offset_q;
  logic [31:0]          count_q, tested_q;
  logic                 stuck, past_q, carry_q;
  logic                 last_beat, draws, fixed, free_place, first, drawn, unfit, step;
  logic                 give_ready, verdict_valid, verdict_prime, tester_rnd_ready;
  logic                 gives;

  assign last_beat   = (beat_q == BeatBits'(Beats - 1));
  assign in_ready_o  = (state_q == StIdle);
  assign out_valid_o = (state_q == StOut);
  assign out_last_o  = last_beat;
  assign out_count_o  = count_q;
  assign out_tested_o = tested_q;

  // ------------------------------------------------------------------------------------------
  // The number drawn: bits from the top one down
  // ------------------------------------------------------------------------------------------
  logic [Bits-1:0] number_q;
  logic            sum, offset_bit, draws_q, drawn_q;

  // Of the place, which moves on by one.
  typedef struct packed {
    logic first;
    logic fixed;
    logic free;
  } kind_t;
  function automatic kind_t kind_of(logic [PlaceBits-1:0] place);
    logic fixed_place;
    fixed_place = (32'(place) == Width - 1) | (32'(place) == Width - 2) | (place == '0);
    return '{first: 32'(place) == Width - 1, fixed: fixed_place,
             free: ~fixed_place & (32'(place) < Width)};
  endfunction
  logic [PlaceBits-1:0] next_place;
  kind_t                kind_q;
  assign next_place = (place_q == '0) ? PlaceBits'(Bits - 1) : place_q - 1'b1;
  assign first      = kind_q.first;
  assign fixed      = kind_q.fixed;
  assign free_place = kind_q.free;
  assign draws = (state_q == StDraw) & (~free_place | (rnd_valid_i & ~stuck));
  assign drawn = fixed | (free_place & rnd_data_i);

  assign rnd_ready_o = ~stuck & (((state_q == StDraw) & free_place) | tester_rnd_ready);

  // The offset counts steps of 2: its bit k belongs to place k + 1.
  assign offset_bit = offset_q[0] & (place_q != PlaceBits'(Bits - 1));
  assign sum        = number_q[0] ^ offset_bit ^ carry_q;
  assign gives      = ((state_q == StGive) & give_ready) | ((state_q == StOut) & out_ready_i);

  // That a bit is drawn has far to go, and nothing looks at the number for some cycles.
  always_ff @(posedge clk_i) {draws_q, drawn_q} <= {draws, drawn};

  if (Beats == 1) begin : gen_one_word
    always_ff @(posedge clk_i) begin
      if (draws_q) number_q <= {number_q[Bits-2:0], drawn_q};
      else if (state_q == StAdd) number_q <= {sum, number_q[Bits-1:1]};
    end
  end else begin : gen_words
    always_ff @(posedge clk_i) begin
      if (draws_q) number_q <= {number_q[Bits-2:0], drawn_q};
      else if (state_q == StAdd) number_q <= {sum, number_q[Bits-1:1]};
      else if (gives) number_q <= {number_q[WordBits-1:0], number_q[Bits-1:WordBits]};
    end
  end

  // Until it is a prime, nobody is to see it.
  assign out_data_o = number_q[WordBits-1:0] & {WordBits{out_valid_o}};

  // While it is added the places go down as ever: the lowest bit has place Bits - 1.
  always_ff @(posedge clk_i) begin
    if (draws || state_q == StAdd) begin
      place_q <= next_place;
      kind_q  <= kind_of(next_place);
    end else if (state_q == StIdle) begin
      place_q <= PlaceBits'(Bits - 1);
      kind_q  <= kind_of(PlaceBits'(Bits - 1));
    end
    if (state_q == StDraw) begin
      offset_q <= '0;
      steps_q  <= '0;
      past_q   <= 1'b0;
    end else if (step) begin
      offset_q <= offset_q + 1'b1;
      steps_q  <= steps_q + 1'b1;
    end else if (state_q == StAdd) begin
      // It is all zero in the end.
      if (place_q != PlaceBits'(Bits - 1)) offset_q <= offset_q >> 1;
      carry_q <= (number_q[0] & (offset_bit | carry_q)) | (offset_bit & carry_q);
      // The top bit was set; it is not any more, or a carry left it.
      if (place_q == PlaceBits'(Bits - Width)) past_q <= ~sum;
    end
    if (state_q == StChoose) carry_q <= 1'b0;
  end

  // ------------------------------------------------------------------------------------------
  // Residues
  // ------------------------------------------------------------------------------------------
  logic multiple, shares_factor;

  redc_prime_residues #(.Primes(Primes)) i_residues (
    .clk_i, .shift_i(draws), .first_i(first), .bit_i(drawn),
    .add_two_i(step), .multiple_o(multiple)
  );

  if (odd_prime(PublicExponent)) begin : gen_exponent
    // As far behind as the others.
    logic shift_q, first_q, bit_q, step_q, shares;
    always_ff @(posedge clk_i) begin
      shift_q <= draws;
      first_q <= first;
      bit_q   <= drawn;
      step_q  <= step;
    end
    redc_prime_residue #(.Modulus(PublicExponent), .Tested(1)) i_residue (
      .clk_i, .shift_i(shift_q), .first_i(first_q), .bit_i(bit_q), .add_two_i(step_q),
      .hit_o(shares)
    );
    redc_prim_delay #(.Bits(1), .Cycles(2)) i_shares (.clk_i, .d_i(shares), .q_o(shares_factor));
  end else begin : gen_no_exponent
    assign shares_factor = 1'b0;
  end

  logic settled_q;
  always_ff @(posedge clk_i) settled_q <= (state_q == StSettle);

  assign unfit = multiple | shares_factor;

  // ------------------------------------------------------------------------------------------
  // Sequence
  // ------------------------------------------------------------------------------------------
  logic searched_q, prime_q;
  // Some cycles go by from a step to the next question about it.
  always_ff @(posedge clk_i) searched_q <= (steps_q == StepBits'(search_steps(Width)));
  assign step = ~searched_q & (((state_q == StJudge) & ~prime_q) | ((state_q == StChoose) & unfit));

  // The verdict comes late, and what follows from it has far to go.
  always_ff @(posedge clk_i) prime_q <= verdict_prime & (state_q == StWait);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      beat_q  <= '0;
    end else begin
      if (gives) beat_q <= last_beat ? '0 : beat_q + 1'b1;
      unique case (state_q)
        StIdle:   if (in_valid_i) state_q <= StDraw;
        StDraw:   if (draws && place_q == '0) state_q <= StSettle;
        // The residues follow four cycles behind.
        StSettle: if (settled_q) state_q <= StLook;
        StLook:   state_q <= StChoose;
        StChoose: state_q <= !unfit ? StAdd : searched_q ? StDraw : StSettle;
        StAdd:    if (place_q == '0) state_q <= (past_q | (Bits == Width & ~sum)) ? StDraw : StGive;
        StGive:   if (gives && last_beat) state_q <= StWait;
        StWait:   if (verdict_valid) state_q <= StJudge;
        StJudge:  state_q <= prime_q ? StOut : searched_q ? StDraw : StSettle;
        StOut:    if (gives && last_beat) state_q <= StIdle;
        default:  state_q <= StIdle;
      endcase
    end
    if (state_q == StIdle) begin
      count_q  <= '0;
      tested_q <= '0;
    end else begin
      if (state_q == StChoose) count_q <= count_q + 1'b1;
      if (state_q == StWait && verdict_valid) tested_q <= tested_q + 1'b1;
    end
  end

  // ------------------------------------------------------------------------------------------
  // Is the random source alive?
  // ------------------------------------------------------------------------------------------
  redc_random_repetition i_repetition (
    .clk_i, .rst_ni, .clear_i(1'b0), .valid_i(rnd_valid_i & rnd_ready_o), .data_i(rnd_data_i),
    .stuck_o(stuck)
  );

  assign err_o = stuck;

  // ------------------------------------------------------------------------------------------
  // Strong tests
  // ------------------------------------------------------------------------------------------
  logic [1:0]                                verdict_reason;
  logic [$clog2(Bases + RandomBases + 1)-1:0] verdict_base;
  logic                                      tester_err, mod_idx, in_idx;

  redc_prime_tester #(
    .Width(Width), .WordBits(WordBits), .Beats(Beats), .FaceBeats(FaceBeats), .Primes(0),
    .Bases(Bases), .RandomBases(RandomBases), .Threads(1), .Queue(1), .Checks(0)
  ) i_tester (
    .clk_i, .rst_ni,
    .in_valid_i(state_q == StGive), .in_ready_o(give_ready), .in_data_i(number_q[WordBits-1:0]),
    .in_last_i(last_beat),
    .rnd_valid_i(rnd_valid_i & ~stuck), .rnd_ready_o(tester_rnd_ready), .rnd_data_i,
    .out_valid_o(verdict_valid), .out_ready_i(state_q == StWait), .out_prime_o(verdict_prime),
    .out_reason_o(verdict_reason), .out_base_o(verdict_base), .err_o(tester_err),
    .exp_mod_valid_o, .exp_mod_ready_i, .exp_mod_data_o, .exp_mod_last_o, .exp_mod_idx_o(mod_idx),
    .exp_in_valid_o, .exp_in_ready_i, .exp_a_o, .exp_b_o, .exp_in_last_o, .exp_in_idx_o(in_idx),
    .exp_bits_o, .exp_out_valid_i, .exp_p_i, .exp_out_last_i
  );

  wire unused = ^{verdict_reason, verdict_base, tester_err, mod_idx, in_idx};

endmodule

`default_nettype wire
