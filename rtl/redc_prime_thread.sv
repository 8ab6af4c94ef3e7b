// SPDX-License-Identifier: Apache-2.0
// redc_prime_thread: the strong test of one candidate to one base after the other, on an
// exponentiator that it shares with others.
//
// Contract  takes n - 1 for an odd n of at least 5, Beats words in as many cycles, with what
//           redc_prime_trial knows of it; asks for exponentiations modulo n; gives a verdict and
//           waits until it is taken.
// Method    Le Masle 2009, algorithm 8, without a conversion to Montgomery form: the squarings go
//           through the exponentiator, too, with the exponent 2, as there are few. n - 1 = 2^s d
//           turns in one register: s places to the right of where it began, it is d, as its lowest
//           s bits are zero. All comparisons are made bit by bit while the registers turn, so that
//           no carry chain or tree of gates grows with Width. A random base is drawn with as many
//           bits as n has, from the top one down, and drawn again unless 2 <= a <= n - 2: every
//           one of those is equally likely.
// Timing    with B = WordBits * Beats: a base takes 1 + Beats (first primes) or 2 + B a draw
//           (random), B - s to turn, the exponentiation, s to turn back, B to compare; a squaring
//           the exponentiation and B. What a comparison or a draw says is a cycle in a register
//           before anything follows from it. src/redcore/units/prime/model.py counts them.
// Leakage   stops at the first witness; cycles depend on n (s, the bases it takes, draws).
// Refuses   what redc_prime_tester refuses.
// Partner   src/redcore/units/prime/model.py.
`default_nettype none

module redc_prime_thread #(
  /// Bits of a candidate.
  parameter int unsigned Width = 512,
  /// Bits of a word.
  parameter int unsigned WordBits = Width,
  /// Words of a candidate.
  parameter int unsigned Beats = 1,
  /// Words of a number on the exponentiator's face: those above Beats are zero.
  parameter int unsigned FaceBeats = Beats,
  /// The first primes that are bases, from 2 on: 0 to 256.
  parameter int unsigned Bases = 1,
  /// Random bases after them.
  parameter int unsigned RandomBases = 0,
  /// Derived; not to be set.
  localparam int unsigned LengthBits = $clog2(Width + 1),
  localparam int unsigned RoundBits  = $clog2(Bases + RandomBases + 1)
) (
  input  wire logic                    clk_i,
  /// Active low, synchronous; drops the candidate.
  input  wire logic                    rst_ni,

  /// Candidate stream: words of n - 1.
  input  wire logic                    load_valid_i,
  output      logic                    load_ready_o,
  input  wire logic [WordBits-1:0]     load_data_i,
  /// Taken with the last word: bits of n,
  input  wire logic [LengthBits-1:0]   length_i,
  /// s,
  input  wire logic [LengthBits-1:0]   twos_i,
  /// and n itself where it is below 2^11.
  input  wire logic                    small_i,
  input  wire logic [redc_prime_pkg::PrimeBits-1:0] low_i,

  /// Random bits, one a beat.
  input  wire logic                    rnd_valid_i,
  output      logic                    rnd_ready_o,
  input  wire logic                    rnd_data_i,

  /// The exponentiator's modulus stream.
  output      logic                    mod_valid_o,
  input  wire logic                    mod_ready_i,
  output      logic [WordBits-1:0]     mod_data_o,
  output      logic                    mod_last_o,
  /// The exponentiator's operand stream: base, exponent, its length.
  output      logic                    exp_valid_o,
  input  wire logic                    exp_ready_i,
  output      logic [WordBits-1:0]     exp_a_o,
  output      logic [WordBits-1:0]     exp_b_o,
  output      logic                    exp_last_o,
  output      logic [LengthBits-1:0]   exp_bits_o,
  /// The exponentiator's result stream, always taken.
  input  wire logic                    exp_valid_i,
  input  wire logic [WordBits-1:0]     exp_p_i,

  /// Nothing to do: a candidate may come, or does.
  output      logic                    idle_o,
  /// The verdict stands until it is taken.
  output      logic                    done_o,
  output      logic                    prime_o,
  output      redc_prime_pkg::reason_e reason_o,
  /// Strong tests passed.
  output      logic [RoundBits-1:0]    passed_o,
  input  wire logic                    taken_i
);

  import redc_prime_pkg::*;

  // An illegal size must reach its own message in the parent.
  localparam int unsigned Bits      = redc_pkg::max(WordBits * Beats, 2);
  localparam int unsigned Rounds    = Bases + RandomBases;
  localparam int unsigned PlaceBits = $clog2(Bits + 1);
  localparam int unsigned BeatBits  = redc_pkg::index_bits(FaceBeats);

  typedef enum logic [3:0] {
    StIdle,
    StModulus,
    StBase,
    StFill,
    StDraw,
    StDrawn,
    StTurn,
    StAsk,
    StWait,
    StTurnBack,
    StCompare,
    StJudge,
    StDone
  } state_e;

  state_e                state_q;
  logic [BeatBits-1:0]   beat_q;
  logic [PlaceBits-1:0]  place_q;
  logic [LengthBits-1:0] length_q, twos_q, odd_bits_q, squares_q;
  logic [RoundBits-1:0]  round_q, round_next_q;
  prime_t                low_q;
  logic                  small_q, squaring_q, squares_none_q, prime_q;
  reason_e               reason_q;

  // ------------------------------------------------------------------------------------------
  // Two registers that turn: n - 1, and the base or what became of it
  // ------------------------------------------------------------------------------------------
  logic [WordBits-1:0] number_low, value_low;
  logic                number_top, value_top;
  logic                number_word, number_bit, value_word, value_bit;
  logic [WordBits-1:0] number_in, value_in;
  logic                value_in_bit, drew_q, drawn_q, drawn_last;
  logic                last_beat, last_place_q, beat_moves, drawing, head, wordwise;
  prime_t              base, base_q, base_next_q;

  logic                loads, sends, asks, fills, answers, draws, compares;

  assign last_beat  = (beat_q == BeatBits'(((load_ready_o || fills) ? Beats : FaceBeats) - 1));
  // Words above are zero and go past the registers.
  assign head       = (FaceBeats == Beats) || (beat_q < BeatBits'(Beats));
  assign base       = base_q;

  assign load_ready_o = (state_q == StIdle);
  assign mod_valid_o  = (state_q == StModulus);
  assign exp_valid_o  = (state_q == StAsk);

  // In StDraw the bits above the length are zero.
  logic                drawing_q, at_edge_q;
  logic [PlaceBits:0]  edge_q, ahead_q;
  always_ff @(posedge clk_i) begin
    edge_q  <= (PlaceBits + 1)'(length_q) + 1'b1;
    ahead_q <= (PlaceBits + 1)'(length_q) + (PlaceBits + 1)'(2);
    // The place moves on in each cycle above the edge, as nothing is waited for.
    at_edge_q <= (state_q == StDraw) ? (PlaceBits + 1)'(place_q) == ahead_q
                                     : edge_q == (PlaceBits + 1)'(Bits);
    if (state_q != StDraw) drawing_q <= (edge_q > (PlaceBits + 1)'(Bits));
    else if (at_edge_q) drawing_q <= 1'b1;
  end
  assign drawing     = drawing_q;
  assign rnd_ready_o = (RandomBases != 0) & (state_q == StDraw) & drawing;

  assign loads    = load_valid_i & (state_q == StIdle);
  assign sends    = mod_ready_i & (state_q == StModulus);
  assign asks     = exp_ready_i & (state_q == StAsk);
  assign fills    = (state_q == StFill);
  assign answers  = exp_valid_i & (state_q == StWait);
  assign draws    = (RandomBases != 0) & (state_q == StDraw) & (rnd_valid_i | ~drawing);
  assign compares = (state_q == StCompare);

  // Words or bits: the state tells it to every place. Whether it turns at all is known late.
  assign wordwise     = load_ready_o | mod_valid_o | exp_valid_o | fills | (state_q == StWait);
  // Words of a candidate come one behind the other: before the first one it holds whatever comes.
  assign number_word  = load_ready_o | (head & (sends | asks));
  assign number_in    = load_ready_o ? load_data_i : number_low;
  assign number_bit   = drew_q | compares | (state_q == StTurn) | (state_q == StTurnBack);
  assign value_word   = fills | (head & (asks | answers));
  assign value_bit    = drew_q | compares;
  assign drawn_last   = drew_q & (state_q == StDrawn);
  assign value_in_bit = drew_q ? drawn_q : value_top;

  // That a bit is drawn is known late, and moves all bits of two registers: a cycle later.
  always_ff @(posedge clk_i) begin
    drew_q  <= draws;
    drawn_q <= draws & drawing & rnd_data_i;
  end

  always_comb begin
    value_in = exp_p_i;
    // A base may be longer than a word.
    if (fills) value_in = WordBits'(32'(base) >> (WordBits * 32'(beat_q)));
    else if (exp_valid_o) value_in = value_low;
  end

  // Of one word a turn by a word changes nothing.
  redc_prime_ring #(.Bits(Bits), .WordBits((Beats == 1) ? Bits : WordBits)) i_number (
    .clk_i, .move_i(number_bit | ((Beats == 1) ? load_ready_o : number_word)),
    .by_word_i(wordwise), .word_i(number_in), .bit_i(number_top), .low_o(number_low),
    .top_o(number_top)
  );
  redc_prime_ring #(.Bits(Bits), .WordBits((Beats == 1) ? Bits : WordBits)) i_value (
    .clk_i, .move_i(value_bit | ((Beats == 1) ? fills | (head & answers) : value_word)),
    .by_word_i(wordwise), .word_i(value_in), .bit_i(value_in_bit), .low_o(value_low),
    .top_o(value_top)
  );

  assign mod_data_o = head ? number_low | WordBits'(beat_q == '0) : '0;
  assign mod_last_o = last_beat;
  assign exp_a_o    = head ? value_low : '0;
  assign exp_b_o    = !squaring_q ? number_low & {WordBits{head}}
                    : (beat_q == '0) ? WordBits'(2) : '0;
  assign exp_last_o = last_beat;
  assign exp_bits_o = squaring_q ? LengthBits'(2) : odd_bits_q;

  // ------------------------------------------------------------------------------------------
  // Comparisons, from the top bit down: what the bits so far say, and with this one
  // ------------------------------------------------------------------------------------------
  logic differs_q, less_q, above_q, differs, less, above;
  logic equal_q, is_one_q, in_range_q, last_bit;

  assign last_bit = drawn_last | (last_place_q & compares);
  assign differs = differs_q | (value_in_bit ^ number_top);
  // No choice between the register and a bit, of which synthesis would make an enable that follows
  // the prime.
  assign less    = (differs_q & less_q) | (~differs_q & number_top & ~value_in_bit);
  // A bit above the lowest: the value is at least 2.
  assign above   = above_q | (value_in_bit & ~last_bit);

  always_ff @(posedge clk_i) begin
    // With the last bit; what is drawn, and what is compared, each for itself, as both come late.
    equal_q    <= ~differs_q & (value_top == number_top);
    is_one_q   <= ~above_q & value_top;
    in_range_q <= above_q & (differs_q ? less_q : number_top & ~drawn_q);
    if (value_bit) begin
      differs_q <= differs & ~last_bit;
      less_q    <= less;
      above_q   <= above & ~last_bit;
    end else if (state_q == StIdle) begin
      differs_q <= 1'b0;
      above_q   <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------
  // Sequence
  // ------------------------------------------------------------------------------------------
  assign idle_o   = (state_q == StIdle);
  assign done_o   = (state_q == StDone);
  assign prime_o  = prime_q;
  assign reason_o = reason_q;
  assign passed_o = round_q;

  assign beat_moves = loads | sends | asks | fills | answers;

  // Of the round: its base is a random one, the next one's is; it is the last one. A round is long
  // enough to find that out, and the base of the next one, and whether a squaring is left.
  logic passes, listed, random_q, random_next_q, last_round_q;
  // 1 says nothing after a squaring but that a root of 1 other than n - 1 came before.
  assign passes      = equal_q | (is_one_q & ~squaring_q);
  // It cannot be below: all primes are bases in turn.
  assign listed      = small_q & (low_q == base);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      beat_q  <= '0;
    end else begin
      if (beat_moves) beat_q <= last_beat ? '0 : beat_q + 1'b1;
      unique case (state_q)
        StIdle:     if (loads && last_beat) state_q <= StModulus;
        StModulus:  if (sends && last_beat) state_q <= StBase;
        StBase:     state_q <= random_q ? StDraw : listed ? StDone : StFill;
        StFill:     if (last_beat) state_q <= StTurn;
        StDraw:     if (draws && last_place_q) state_q <= StDrawn;
        StDrawn:    if (!drew_q) state_q <= in_range_q ? StTurn : StDraw;
        StTurn:     if (last_place_q) state_q <= StAsk;
        StAsk:      if (asks && last_beat) state_q <= StWait;
        StWait:     if (answers && last_beat) state_q <= squaring_q ? StCompare : StTurnBack;
        StTurnBack: if (last_place_q) state_q <= StCompare;
        StCompare:  if (last_place_q) state_q <= StJudge;
        StJudge: begin
          if (passes) state_q <= last_round_q ? StDone : StBase;
          else state_q <= (squares_none_q || (is_one_q && squaring_q)) ? StDone : StAsk;
        end
        StDone:     if (taken_i) state_q <= StIdle;
        default:    state_q <= StIdle;
      endcase
    end
  end

  // Places left to turn in the present state, and whether it is the last one.
  logic [PlaceBits-1:0] rest_q;
  logic                 rest_one_q, twos_one_q, next_last;
  assign next_last = place_q == PlaceBits'(2);
  always_ff @(posedge clk_i) begin
    rest_q     <= PlaceBits'(Bits) - PlaceBits'(twos_q);
    rest_one_q <= 32'(twos_q) == Bits - 1;
    twos_one_q <= twos_q == LengthBits'(1);
    odd_bits_q <= length_q - twos_q;
    unique case (state_q)
      StDraw: begin
        if (draws) {place_q, last_place_q} <= {place_q - 1'b1, next_last};
      end
      StDrawn: {place_q, last_place_q} <= in_range_q ? {rest_q, rest_one_q}
                                                     : {PlaceBits'(Bits), 1'b0};
      StFill: {place_q, last_place_q} <= {rest_q, rest_one_q};
      StWait: {place_q, last_place_q} <= squaring_q ? {PlaceBits'(Bits), 1'b0}
                                                    : {PlaceBits'(twos_q), twos_one_q};
      StTurnBack: {place_q, last_place_q} <= last_place_q ? {PlaceBits'(Bits), 1'b0}
                                                          : {place_q - 1'b1, next_last};
      StTurn, StCompare: {place_q, last_place_q} <= {place_q - 1'b1, next_last};
      default: {place_q, last_place_q} <= {PlaceBits'(Bits), 1'b0};
    endcase
  end

  always_ff @(posedge clk_i) begin
    round_next_q   <= round_q + 1'b1;
    base_next_q    <= prime_t'(prime(32'(round_next_q)));
    random_next_q  <= (RandomBases != 0) & (32'(round_q) + 2 > Bases);
    last_round_q   <= (round_q == RoundBits'(Rounds - 1));
    squares_none_q <= squares_q == '0;
    // Before a candidate comes it is whatever there is.
    if (state_q == StIdle) begin
      length_q <= length_i;
      twos_q   <= twos_i;
      small_q  <= small_i;
      low_q    <= low_i;
      round_q  <= '0;
      base_q   <= prime_t'(prime(0));
      random_q <= (RandomBases != 0) & (1 > Bases);
    end
    if (state_q == StBase) begin
      squaring_q <= 1'b0;
      squares_q  <= twos_q - 1'b1;
      prime_q    <= 1'b1;
      reason_q   <= ReasonTrial;
    end
    if (state_q == StJudge) begin
      prime_q    <= passes;
      reason_q   <= passes ? ReasonPassed : ReasonWitness;
      if (passes) begin
        round_q  <= round_q + 1'b1;
        base_q   <= base_next_q;
        random_q <= random_next_q;
      end
      squaring_q <= 1'b1;
      squares_q  <= squares_q - 1'b1;
    end
  end

endmodule

`default_nettype wire
