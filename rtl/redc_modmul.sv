// SPDX-License-Identifier: Apache-2.0
// redc_modmul: a * b mod m of plain numbers, into Montgomery form and out of it, on any multiplier.
//
// Contract  that of a multiplier, with op_i beside the operands: 0 a * b mod m, 1 the multiplier's
//           own a * b / R, 2 into Montgomery form a * R, 3 out of it a / R; b plays no part in the
//           last two. a and b are below Bound * m, and results are; those of 3 are at most m, and m
//           only for 0 where Bound is 2. The multiplier is beside it: the ports mul_* are the
//           contract's, seen from the other side. With R2Outside the modulus stream brings
//           R^2 mod m, R = 2^RBits, in as many words again behind m.
// Method    M(x, y) = x y / R mod m: operation 0 is M(M(a, b), R^2), 2 is M(a, R^2), 3 is M(a, 1).
//           What has gone through once waits whole in a queue and goes before what is new; a lone
//           product waits until no earlier pair of them is between its two. Moduli and R^2 are in
//           redc_exp_moduli.
// Timing    an operand is offered two cycles after what it waits for, and the choice takes a cycle
//           between operands; words go through unregistered. docs/units/modmul.md.
// Leakage   cycle counts depend on parameters and op_i alone. The queue keeps products until
//           overwritten.
// Refuses   Width, WordBits, Beats, Jobs or Moduli < 1, Width above WordBits * Beats, Jobs or
//           Moduli > 1024, Bound outside 1 to 2, Storage > 1, a switch above 1: at elaboration.
//           Checks = 1: an index not below Moduli, and what the multiplier refuses: err_o.
// Partner   src/redcore/units/modmul/: same rules, same cycles, integer model.
`default_nettype none

module redc_modmul #(
  /// Bits of the modulus.
  parameter int unsigned Width = 256,
  /// The multiplier's constants (functions in its package): bits of a word,
  parameter int unsigned WordBits = Width,
  /// words of an operand,
  parameter int unsigned Beats = 1,
  /// log2 R,
  parameter int unsigned RBits = Width,
  /// and the multiple of m that operands and results are below.
  parameter int unsigned Bound = 1,
  /// Operations in flight.
  parameter int unsigned Jobs = 2,
  /// Memory of products that wait and of constants: 0 registers, 1 distributed.
  parameter int unsigned Storage = 1,
  /// 1: R^2 mod m comes behind m on the modulus stream. 0: it is computed.
  parameter int unsigned R2Outside = 0,
  /// Bits that redc_exp_r2 works on at a time.
  parameter int unsigned ChunkBits = 32,
  /// Moduli held; the multiplier has to hold as many.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports illegal numbers. 0: err_o is the multiplier's.
  parameter int unsigned Checks = 0,
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; drops everything and forgets that a modulus is loaded. The multiplier
  /// has to be reset, too.
  input  wire logic                 rst_ni,

  /// Modulus stream. Waits, and holds the operand stream, until nothing is in flight.
  input  wire logic                 mod_valid_i,
  output      logic                 mod_ready_o,
  input  wire logic [WordBits-1:0]  mod_data_i,
  /// High in the last beat.
  input  wire logic                 mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0] mod_idx_i,

  /// Operand stream.
  input  wire logic                 in_valid_i,
  output      logic                 in_ready_o,
  input  wire logic [WordBits-1:0]  a_i,
  input  wire logic [WordBits-1:0]  b_i,
  /// High in the last beat.
  input  wire logic                 in_last_i,
  /// Place of the modulus to use.
  input  wire logic [IndexBits-1:0] in_idx_i,
  /// What is done with a and b, see Contract; the same in all beats.
  input  wire logic [1:0]           op_i,

  /// Result stream, in order.
  output      logic                 out_valid_o,
  input  wire logic                 out_ready_i,
  /// 0 while out_valid_o is low.
  output      logic [WordBits-1:0]  p_o,
  output      logic                 out_last_o,

  /// Sticky until reset; see Checks.
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
  /// The multiplier's result stream.
  input  wire logic                 mul_out_valid_i,
  output      logic                 mul_out_ready_o,
  input  wire logic [WordBits-1:0]  mul_p_i,
  input  wire logic                 mul_out_last_i,
  /// The multiplier's err_o.
  input  wire logic                 mul_err_i
);

  if (Width < 1 || WordBits < 1 || Beats < 1 || WordBits * Beats < Width) begin : gen_refuse_words
    $error("redc_modmul: WordBits=%0d * Beats=%0d does not hold Width=%0d bits, or one is below 1",
           WordBits, Beats, Width);
  end
  if (Jobs < 1 || Jobs > 1024 || Moduli < 1 || Moduli > 1024) begin : gen_refuse_counts
    $error("redc_modmul: Jobs=%0d or Moduli=%0d is not within 1 to 1024", Jobs, Moduli);
  end
  if (Bound < 1 || Bound > 2 || Storage > 1 || R2Outside > 1 || Checks > 1)
  begin : gen_refuse_switches
    $error("redc_modmul: Bound=%0d is neither 1 nor 2, or Storage=%0d, R2Outside=%0d or Checks=%0d \
is above 1", Bound, Storage, R2Outside, Checks);
  end

  localparam int unsigned BeatBits = redc_pkg::index_bits(Beats);
  localparam int unsigned JobBits  = $clog2(Jobs + 1);
  localparam int unsigned QueueStorage = (Jobs * Beats == 1) ? 0 : Storage;

  localparam logic [1:0] OpPlain = 2'd0;
  localparam logic [1:0] OpIn    = 2'd2;
  localparam logic [1:0] OpOut   = 2'd3;

  typedef enum logic [1:0] {
    StChoose,
    // Operands from outside go to the multiplier.
    StNew,
    // A product of theirs goes there again.
    StAgain
  } state_e;

  // What stands as the second factor.
  typedef enum logic [1:0] {
    FactorB,
    FactorR2,
    FactorOne
  } factor_e;

  state_e               state_q;
  factor_e              factor_q;
  logic                 ends_q, again, begins, take, take_last, open, waits, loaded, m_is_one, bad;
  logic                 bad_q, in_order;
  logic [BeatBits-1:0]  beat_q, beat_d;
  logic [IndexBits-1:0] place_q, place_d, again_place, again_next, loaded_place;
  // Of the operations in flight, those whose second product has not begun.
  logic [JobBits-1:0]   jobs_q, firsts_q;
  logic [WordBits-1:0]  r2, product, product_next;
  // Of the result that comes: it leaves.
  logic                 leaves, leaves_next, result_last, job_end;
  logic [IndexBits-1:0] result_place, result_place_next;
  logic                 waiting, unused_some, unused_there;
  logic [JobBits-1:0]   unused_waiting, unused_flying;
  logic [$clog2(Jobs*Beats+1)-1:0] unused_level;

  // ------------------------------------------------------------------------------------------
  // Moduli
  // ------------------------------------------------------------------------------------------
  logic                mod_step, mod_end, mod_last_q, unused_equal;
  logic [BeatBits-1:0] mod_beat_q;

  // Words of a modulus, then those of R^2 mod m.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (mod_step && (mod_last_q || mod_end))) begin
      mod_beat_q <= '0;
      mod_last_q <= Beats == 1;
    end else if (mod_step) begin
      mod_beat_q <= mod_beat_q + 1'b1;
      mod_last_q <= Beats > 1 && 32'(mod_beat_q) == Beats - 2;
    end
  end

  redc_exp_moduli #(
    .Width(Width), .WordBits(WordBits), .Beats(Beats), .RBits(RBits), .Bound(1), .Moduli(Moduli),
    .Storage(Storage), .R2Outside(R2Outside), .ChunkBits(ChunkBits), .Checks(Checks)
  ) u_moduli (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_idx_i, .step_o(mod_step),
    .end_o(mod_end), .mul_mod_valid_o, .mul_mod_ready_i, .mul_mod_data_o, .mul_mod_last_o,
    .mul_mod_idx_o, .mul_in_ready_i,
    .quiet_i((jobs_q == '0) & (state_q == StChoose)), .open_o(open), .waits_o(waits),
    .loaded_o(loaded), .loaded_place_o(loaded_place), .place_i(place_d), .beat_i(beat_d),
    .read_i(1'b1), .wanted_i(1'b1), .r2_o(r2), .one_o(m_is_one), .result_valid_i(1'b0),
    .result_i('0),
    .result_beat_i('0), .result_place_i('0), .equal_o(unused_equal), .in_take_i(1'b0), .x_i('0),
    .in_beat_i(mod_beat_q), .in_head_i(1'b1), .in_head_last_i(mod_last_q),
    .in_last_i(mod_last_q), .in_idx_i, .bad_o(bad)
  );

  // ------------------------------------------------------------------------------------------
  // Operands
  // ------------------------------------------------------------------------------------------
  // A lone product would overtake those that go through twice.
  assign in_order = (op_i == OpPlain) | (firsts_q == '0);

  assign again  = (state_q == StChoose) & waiting;
  assign begins = (state_q == StChoose) & ~waiting & in_valid_i & open & ~waits
                & (jobs_q != JobBits'(Jobs)) & in_order;

  assign mul_in_valid_o = (state_q == StAgain) | ((state_q == StNew) & in_valid_i);
  assign in_ready_o     = (state_q == StNew) & mul_in_ready_i;
  assign take           = mul_in_valid_o & mul_in_ready_i;
  assign mul_in_last_o  = beat_q == BeatBits'(Beats - 1);
  assign take_last      = take & mul_in_last_o;
  assign mul_in_idx_o   = place_q;
  assign mul_a_o        = (state_q == StAgain) ? product : a_i;

  always_comb begin
    unique case (factor_q)
      FactorR2:  mul_b_o = r2;
      // With the modulus 1 even the number 1 is out of range: 0 takes its place.
      FactorOne: mul_b_o = WordBits'(beat_q == '0 && !m_is_one);
      default:   mul_b_o = b_i;
    endcase
    beat_d = beat_q;
    if (take) beat_d = mul_in_last_o ? '0 : beat_q + 1'b1;
    place_d = place_q;
    // Until an operand comes, the place just loaded: a multiplier may be ready for some only.
    if (loaded) place_d = loaded_place;
    else if (again) place_d = again_place;
    else if (begins) place_d = in_idx_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= StChoose;
      beat_q   <= '0;
      jobs_q   <= '0;
      firsts_q <= '0;
      bad_q    <= 1'b0;
    end else begin
      beat_q <= beat_d;
      if (again) state_q <= StAgain;
      else if (begins) state_q <= StNew;
      else if (take_last) state_q <= StChoose;
      if (begins != job_end) jobs_q <= begins ? jobs_q + 1'b1 : jobs_q - 1'b1;
      if (again) firsts_q <= firsts_q - 1'b1;
      else if (begins && op_i == OpPlain) firsts_q <= firsts_q + 1'b1;
      if (bad || (begins && Checks != 0 && !redc_pkg::index_in_range(32'(in_idx_i), Moduli)))
        bad_q <= 1'b1;
    end
    place_q <= place_d;
    if (again) {factor_q, ends_q} <= {FactorR2, 1'b1};
    if (begins) begin
      factor_q <= (op_i == OpIn) ? FactorR2 : (op_i == OpOut) ? FactorOne : FactorB;
      ends_q   <= op_i != OpPlain;
    end
  end

  assign err_o = mul_err_i | bad_q;

  // ------------------------------------------------------------------------------------------
  // Results
  // ------------------------------------------------------------------------------------------
  assign result_last = mul_out_valid_i & mul_out_ready_o & mul_out_last_i;
  assign job_end     = result_last & leaves;

  // What the multiplications in flight are.
  redc_prim_queue #(.Bits(1 + IndexBits), .Depth(Jobs)) i_flying (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(1'b0), .write_i(take & (beat_q == '0)),
    .data_i({ends_q, place_q}), .push_i(take & (beat_q == '0)), .pop_i(result_last),
    .head_o({leaves, result_place}), .head_next_o({leaves_next, result_place_next}),
    .level_o(unused_flying), .some_o(unused_there)
  );

  // Places of products that wait whole, and their words.
  redc_prim_queue #(.Bits(IndexBits), .Depth(Jobs)) i_places (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(1'b0), .write_i(result_last & ~leaves),
    .data_i(result_place), .push_i(result_last & ~leaves), .pop_i(again), .head_o(again_place),
    .head_next_o(again_next), .level_o(unused_waiting), .some_o(waiting)
  );
  redc_prim_queue #(.Bits(WordBits), .Depth(Jobs * Beats), .Storage(QueueStorage)) i_products (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(1'b0),
    .write_i(mul_out_valid_i & ~leaves), .data_i(mul_p_i), .push_i(mul_out_valid_i & ~leaves),
    .pop_i((state_q == StAgain) & mul_in_ready_i), .head_o(product), .head_next_o(product_next),
    .level_o(unused_level), .some_o(unused_some)
  );

  assign mul_out_ready_o = ~leaves | out_ready_i;
  assign out_valid_o     = mul_out_valid_i & leaves;
  assign out_last_o      = mul_out_last_i;
  assign p_o             = out_valid_o ? mul_p_i : '0;

  wire unused = ^{mod_last_i, in_last_i, unused_equal, unused_some, unused_there, unused_waiting,
                  unused_flying, unused_level, leaves_next, result_place_next, again_next,
                  product_next};

endmodule

`default_nettype wire
