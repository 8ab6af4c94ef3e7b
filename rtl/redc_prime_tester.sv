// SPDX-License-Identifier: Apache-2.0
// redc_prime_tester: is n prime? Trial division, then strong tests (Rabin and Miller), for any n
// below 2^Width.
//
// Contract  candidates of Beats words in, least significant first; an answer for each, in the same
//           order. The exponentiator is beside it: the ports exp_* are those of redc_exp seen from
//           the other side, its results taken at once. It holds Threads moduli and takes exponents
//           of Width bits; others may use it, too, as long as this one asks for nothing.
// Method    redc_prime_trial decides 0, 1, even numbers, small primes and what a small prime
//           divides; others go to the first idle one of Threads redc_prime_thread, each of which
//           tests one candidate to one base after the other (Le Masle 2009, algorithm 8 and figure
//           3.10: one multiplier for everything). They share the exponentiator, a modulus place
//           each. A number answered as not prime is composite or 0 or 1; one answered as prime may
//           be composite, with a probability below 4^-RandomBases for any n, or where it is a
//           strong pseudoprime to all of the first Bases primes.
// Timing    docs/units/prime.md; src/redcore/units/prime/model.py counts a candidate's cycles.
//           While threads are busy, trial division goes on; answers wait for an earlier one, as
//           many as Queue has room for.
// Leakage   cycles depend on the candidates. Registers keep them until overwritten.
// Refuses   Width < 8 or above WordBits * Beats, WordBits < 2, Primes > 255, Bases > 256, no bases
//           at all or more than 1024 random ones, Threads outside 1 to 64, Queue outside 1 to 1024,
//           FaceBeats < Beats, Checks > 1: at elaboration. A candidate not below 2^Width is
//           answered as not prime, with ReasonRange. Checks = 1: that, and in_last_i on a wrong
//           beat: err_o.
// Partner   src/redcore/units/prime/model.py.
`default_nettype none

module redc_prime_tester #(
  /// Bits of a candidate, from 8.
  parameter int unsigned Width = 512,
  /// The multiplier's constants (functions in its package): bits of a word,
  parameter int unsigned WordBits = Width,
  /// and words of an operand.
  parameter int unsigned Beats = 1,
  /// Words of a number on the exponentiator's face (redc_exp_pkg::face_beats): more than Beats
  /// where it takes exponents longer than an operand.
  parameter int unsigned FaceBeats = Beats,
  /// Odd primes of the trial division, from 3 on: 0 to 255.
  parameter int unsigned Primes = 53,
  /// The first primes that are bases, from 2 on: 0 to 256.
  parameter int unsigned Bases = 20,
  /// Random bases after them, 0 to 1024.
  parameter int unsigned RandomBases = 0,
  /// Candidates under test at once, 1 to 64.
  parameter int unsigned Threads = 1,
  /// Candidates that are under test or have an answer that waits, 1 to 1024.
  parameter int unsigned Queue = 8 * Threads,
  /// 1: err_o reports illegal input. 0: err_o is low.
  parameter int unsigned Checks = 0,
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(Threads),
  localparam int unsigned LengthBits = $clog2(Width + 1),
  localparam int unsigned RoundBits = $clog2(Bases + RandomBases + 1)
) (
  input  wire logic                    clk_i,
  /// Active low, synchronous; drops everything. The exponentiator has to be reset, too.
  input  wire logic                    rst_ni,

  /// Candidate stream.
  input  wire logic                    in_valid_i,
  output      logic                    in_ready_o,
  input  wire logic [WordBits-1:0]     in_data_i,
  /// High in the last beat.
  input  wire logic                    in_last_i,

  /// Random bits, one a beat; as many as n has for each draw of a base. Unused without RandomBases.
  input  wire logic                    rnd_valid_i,
  output      logic                    rnd_ready_o,
  input  wire logic                    rnd_data_i,

  /// Answers, in the order of the candidates.
  output      logic                    out_valid_o,
  input  wire logic                    out_ready_i,
  output      logic                    out_prime_o,
  /// See redc_prime_pkg.
  output      logic [1:0]              out_reason_o,
  /// Strong tests that it passed: with ReasonWitness the number of the base that told, from 0.
  output      logic [RoundBits-1:0]    out_base_o,

  /// Sticky until reset; see Checks.
  output      logic                    err_o,

  /// The exponentiator's modulus stream.
  output      logic                    exp_mod_valid_o,
  input  wire logic                    exp_mod_ready_i,
  output      logic [WordBits-1:0]     exp_mod_data_o,
  output      logic                    exp_mod_last_o,
  output      logic [IndexBits-1:0]    exp_mod_idx_o,
  /// The exponentiator's operand stream: base, exponent, its length.
  output      logic                    exp_in_valid_o,
  input  wire logic                    exp_in_ready_i,
  output      logic [WordBits-1:0]     exp_a_o,
  output      logic [WordBits-1:0]     exp_b_o,
  output      logic                    exp_in_last_o,
  output      logic [IndexBits-1:0]    exp_in_idx_o,
  output      logic [LengthBits-1:0]   exp_bits_o,
  /// The exponentiator's result stream, always taken.
  input  wire logic                    exp_out_valid_i,
  input  wire logic [WordBits-1:0]     exp_p_i,
  input  wire logic                    exp_out_last_i
);

  import redc_prime_pkg::*;

  if (Width < 8 || WordBits < 2 || Beats < 1 || WordBits * Beats < Width) begin : gen_refuse_width
    $error("redc_prime_tester: Width=%0d is not within 8 to WordBits=%0d * Beats=%0d",
           Width, WordBits, Beats);
  end
  if (Primes > MaxPrimes - 1) begin : gen_refuse_primes
    $error("redc_prime_tester: Primes=%0d is not within 0 to %0d", Primes, MaxPrimes - 1);
  end
  if (Bases > MaxPrimes || RandomBases > 1024 || Bases + RandomBases < 1) begin : gen_refuse_bases
    $error("redc_prime_tester: Bases=%0d above %0d, RandomBases=%0d above 1024, or none at all",
           Bases, MaxPrimes, RandomBases);
  end
  if (Threads < 1 || Threads > 64) begin : gen_refuse_threads
    $error("redc_prime_tester: Threads=%0d is not within 1 to 64", Threads);
  end
  if (Queue < 1 || Queue > 1024) begin : gen_refuse_queue
    $error("redc_prime_tester: Queue=%0d is not within 1 to 1024", Queue);
  end
  if (FaceBeats < Beats) begin : gen_refuse_face
    $error("redc_prime_tester: FaceBeats=%0d is below Beats=%0d", FaceBeats, Beats);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_prime_tester: Checks=%0d is neither 0 nor 1", Checks);
  end

  // An illegal Threads must reach its own message above.
  localparam int unsigned Count      = redc_pkg::min(redc_pkg::max(Threads, 1), 64);
  localparam int unsigned QueueDepth = redc_pkg::min(redc_pkg::max(Queue, 1), 1024);

  // ------------------------------------------------------------------------------------------
  // Trial division
  // ------------------------------------------------------------------------------------------
  logic                  trial_valid, trial_ready, trial_last, trial_decided, trial_prime;
  logic                  trial_small;
  logic [WordBits-1:0]   trial_data;
  logic [LengthBits-1:0] trial_length, trial_twos;
  prime_t                trial_low;
  reason_e               trial_reason;

  redc_prime_trial #(
    .Width(Width), .WordBits(WordBits), .Beats(Beats), .Primes(Primes)
  ) i_trial (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i,
    .out_valid_o(trial_valid), .out_ready_i(trial_ready), .out_data_o(trial_data),
    .out_last_o(trial_last), .decided_o(trial_decided), .prime_o(trial_prime),
    .reason_o(trial_reason), .length_o(trial_length), .twos_o(trial_twos),
    .small_o(trial_small), .low_o(trial_low)
  );

  // ------------------------------------------------------------------------------------------
  // Threads
  // ------------------------------------------------------------------------------------------
  logic [Count-1:0]                 load_valid, load_ready, idle, done, prime_of, taken;
  logic [Count-1:0]                 rnd_valid, rnd_ready;
  logic [Count-1:0]                 mod_valid, mod_ready, mod_last;
  logic [Count-1:0]                 exp_valid, exp_ready, exp_last, answer;
  logic [Count-1:0][WordBits-1:0]   mod_data, exp_a, exp_b;
  logic [Count-1:0][LengthBits-1:0] exp_bits;
  logic [Count-1:0][RoundBits-1:0]  passed;
  reason_e [Count-1:0]              reason_of;

  for (genvar k = 0; k < Count; k++) begin : gen_threads
    redc_prime_thread #(
      .Width(Width), .WordBits(WordBits), .Beats(Beats), .FaceBeats(FaceBeats), .Bases(Bases),
      .RandomBases(RandomBases)
    ) i_thread (
      .clk_i, .rst_ni,
      .load_valid_i(load_valid[k]), .load_ready_o(load_ready[k]), .load_data_i(trial_data),
      .length_i(trial_length), .twos_i(trial_twos), .small_i(trial_small), .low_i(trial_low),
      .rnd_valid_i(rnd_valid[k]), .rnd_ready_o(rnd_ready[k]), .rnd_data_i,
      .mod_valid_o(mod_valid[k]), .mod_ready_i(mod_ready[k]), .mod_data_o(mod_data[k]),
      .mod_last_o(mod_last[k]),
      .exp_valid_o(exp_valid[k]), .exp_ready_i(exp_ready[k]), .exp_a_o(exp_a[k]),
      .exp_b_o(exp_b[k]), .exp_last_o(exp_last[k]), .exp_bits_o(exp_bits[k]),
      .exp_valid_i(answer[k]), .exp_p_i,
      .idle_o(idle[k]), .done_o(done[k]), .prime_o(prime_of[k]), .reason_o(reason_of[k]),
      .passed_o(passed[k]), .taken_i(taken[k])
    );
  end

  // A random bit goes to the first thread that draws.
  always_comb begin
    rnd_valid = '0;
    for (int unsigned k = 0; k < Count; k++)
      if (rnd_ready[Count-1-k]) rnd_valid = Count'(rnd_valid_i) << (Count - 1 - k);
  end
  assign rnd_ready_o = |rnd_ready;

  // ------------------------------------------------------------------------------------------
  // A candidate to the first idle thread, and its place in the queue of answers
  // ------------------------------------------------------------------------------------------
  logic                 full, put, loading_q;
  logic [IndexBits-1:0] loading_thread_q, first_idle, load_thread;

  always_comb begin
    first_idle = '0;
    for (int unsigned k = 0; k < Count; k++)
      if (idle[Count-1-k]) first_idle = IndexBits'(Count - 1 - k);
  end

  assign load_thread = loading_q ? loading_thread_q : first_idle;
  assign trial_ready = loading_q | (~full & (trial_decided | (|idle)));
  assign put         = trial_valid & trial_ready & trial_last;

  always_comb begin
    load_valid              = '0;
    load_valid[load_thread] = trial_valid & ~trial_decided & (loading_q | (~full & (|idle)));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) loading_q <= 1'b0;
    else if (trial_valid && trial_ready) loading_q <= ~trial_last;
    if (!loading_q) loading_thread_q <= first_idle;
  end

  redc_prime_answers #(
    .Threads(Count), .Depth(QueueDepth), .RoundBits(RoundBits)
  ) i_answers (
    .clk_i, .rst_ni, .put_i(put), .decided_i(trial_decided), .prime_i(trial_prime),
    .reason_i(trial_reason), .thread_i(load_thread), .full_o(full),
    .done_i(done), .thread_prime_i(prime_of), .thread_reason_i(reason_of),
    .thread_passed_i(passed), .taken_o(taken),
    .out_valid_o, .out_ready_i, .out_prime_o, .out_reason_o, .out_base_o
  );

  // ------------------------------------------------------------------------------------------
  // The exponentiator's streams, each through a register slice
  // ------------------------------------------------------------------------------------------
  logic                 mod_granted, mod_room, mod_take;
  logic                 exp_granted, exp_room, exp_take, exp_end;
  logic [IndexBits-1:0] mod_thread, exp_thread;
  logic [Count-1:0]     pending_q;

  redc_prime_grant #(.Requests(Count)) i_mod_grant (
    .clk_i, .rst_ni, .request_i(mod_valid), .release_i(mod_take & mod_last[mod_thread]),
    .granted_o(mod_granted), .index_o(mod_thread)
  );
  redc_prime_grant #(.Requests(Count)) i_exp_grant (
    .clk_i, .rst_ni, .request_i(exp_valid & ~pending_q), .release_i(exp_end),
    .granted_o(exp_granted), .index_o(exp_thread)
  );

  always_comb begin
    mod_ready             = '0;
    mod_ready[mod_thread] = mod_take;
    exp_ready             = '0;
    exp_ready[exp_thread] = exp_take;
  end
  assign mod_take = mod_granted & mod_room;
  assign exp_take = exp_granted & exp_room;
  assign exp_end  = exp_take & exp_last[exp_thread];

  redc_prim_slice #(.Bits(WordBits + 1 + IndexBits)) i_mod_slice (
    .clk_i, .rst_ni, .valid_i(mod_granted), .ready_o(mod_room),
    .data_i({mod_data[mod_thread], mod_last[mod_thread], mod_thread}),
    .valid_o(exp_mod_valid_o), .ready_i(exp_mod_ready_i),
    .data_o({exp_mod_data_o, exp_mod_last_o, exp_mod_idx_o})
  );
  redc_prim_slice #(.Bits(2 * WordBits + 1 + IndexBits + LengthBits)) i_exp_slice (
    .clk_i, .rst_ni, .valid_i(exp_granted), .ready_o(exp_room),
    .data_i({exp_a[exp_thread], exp_b[exp_thread], exp_last[exp_thread], exp_thread,
             exp_bits[exp_thread]}),
    .valid_o(exp_in_valid_o), .ready_i(exp_in_ready_i),
    .data_o({exp_a_o, exp_b_o, exp_in_last_o, exp_in_idx_o, exp_bits_o})
  );
  // Operands of a thread whose modulus is in the slice would be worked on with the one before.
  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < Count; k++) begin
      if (mod_granted && mod_thread == IndexBits'(k)) pending_q[k] <= 1'b1;
      else if (exp_mod_ready_i && exp_mod_last_o && exp_mod_idx_o == IndexBits'(k))
        pending_q[k] <= 1'b0;
    end
    if (!rst_ni) pending_q <= '0;
  end

  // Whose the results are: a thread has one exponentiation under way at most.
  logic                       unused_some;
  logic [IndexBits-1:0]       answered, unused_next;
  logic [$clog2(Count+1)-1:0] unused_level;

  redc_prim_queue #(.Bits(IndexBits), .Depth(Count)) i_order (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(1'b0), .write_i(exp_end), .data_i(exp_thread),
    .push_i(exp_end), .pop_i(exp_out_valid_i & exp_out_last_i), .head_o(answered),
    .head_next_o(unused_next), .level_o(unused_level), .some_o(unused_some)
  );

  always_comb begin
    answer           = '0;
    answer[answered] = exp_out_valid_i;
  end

  // ------------------------------------------------------------------------------------------
  // Checks
  // ------------------------------------------------------------------------------------------
  if (Checks != 0) begin : gen_checks
    localparam int unsigned BeatBits = redc_pkg::index_bits(Beats);
    logic                err_q;
    logic [BeatBits-1:0] beat_q;
    logic                last_beat;
    assign last_beat = (beat_q == BeatBits'(Beats - 1));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        err_q  <= 1'b0;
        beat_q <= '0;
      end else begin
        if (in_valid_i && in_ready_o) beat_q <= last_beat ? '0 : beat_q + 1'b1;
        err_q <= err_q | (in_valid_i & in_ready_o & (in_last_i != last_beat))
               | (put & trial_decided & (trial_reason == ReasonRange));
      end
    end
    assign err_o = err_q;
  end else begin : gen_no_checks
    assign err_o = 1'b0;
    wire unused = in_last_i;
  end

  wire unused = ^load_ready;

endmodule

`default_nettype wire
