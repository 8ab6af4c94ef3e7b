// SPDX-License-Identifier: Apache-2.0
// redc_exp: modular exponentiation, p = x^e mod m, on any multiplier behind the contract.
//
// Contract  that of a multiplier, with x on a_i and the exponent e on b_i: three streams of words,
//           least significant first, FaceBeats words each. m odd, x < m, e below 2^bits_i; the
//           result is below m. The multiplier is beside it: the ports mul_* are the contract's,
//           seen from the other side. With R2Outside the modulus stream brings R^2 mod m, R =
//           2^RBits, in as many words again behind m. With Products it also makes products of two
//           numbers below m, below Bound * m: x times the x before.
// Method    see redc_exp_sequencer. Threads exponentiations (redc_exp_thread) share the multiplier,
//           operation by operation in turn (redc_exp_issue); they take jobs in turn
//           (redc_exp_intake) and answer in the same order. Moduli and what is made of them are in
//           redc_exp_moduli, values in redc_exp_values. The last operation multiplies by 1, so that
//           its result is at most m even where operands go up to 2m, and m only for 0
//           (docs/units/exp.md): then 0 is given out.
// Timing    in docs/units/exp.md; src/redcore/units/exp/schedule.py plays the schedule. An
//           operation that waits for a result is offered in the cycle after the result's last word;
//           two later where values have several words, two where these are in block memory, two
//           where there are several threads, and one where either is several.
// Leakage   cycle counts depend on parameters and bits_i alone where public_i is 0; else on all of
//           e. With Method = 3, the default, so do write enables and addresses; the other methods
//           show the exponent in them (docs/units/exp.md). Memories keep values until overwritten.
// Refuses   Width, WordBits, Beats, ExpBits, Threads or Moduli < 1, Width above WordBits * Beats,
//           Moduli > 1024, Method > 3, Window outside 1 to 6, Bound or Multipliers outside 1 to 2,
//           Storage > 3, a switch above 1: at elaboration.
//           Checks = 1: x not below m, exponent bits at or above ExpBits, bits_i of 0 or above
//           ExpBits, index not below Moduli, and what the multiplier refuses: err_o.
// Partner   src/redcore/units/exp/: same rules, same cycles, integer model.
`default_nettype none

module redc_exp #(
  /// Bits of the modulus.
  parameter int unsigned Width = 256,
  /// Bits of the longest exponent.
  parameter int unsigned ExpBits = Width,
  /// The multiplier's constants (functions in its package): bits of a word,
  parameter int unsigned WordBits = Width,
  /// words of an operand,
  parameter int unsigned Beats = 1,
  /// log2 R,
  parameter int unsigned RBits = Width,
  /// log2 R of moduli at places from 1 on, where these have a multiplier of their own
  /// (redc_mul_wide_narrow),
  parameter int unsigned OtherRBits = RBits,
  /// and the multiple of m that operands and results are below.
  parameter int unsigned Bound = 1,
  /// 0 right to left, 1 left to right, 2 ladder, 3 window.
  parameter int unsigned Method = 3,
  /// Bits of a window, 1 to 6.
  parameter int unsigned Window = 4,
  /// Multipliers behind the ports, 1 or 2: two are given operations in turn (redc_mul_several), and
  /// an exponentiation that has them to itself gives each as many.
  parameter int unsigned Multipliers = 1,
  /// Exponentiations that share the multiplier.
  parameter int unsigned Threads = 1,
  /// Moduli held; the multiplier has to hold as many.
  parameter int unsigned Moduli = 1,
  /// Memory of values and table: 0 registers, 1 distributed, 2 block memory for the table, 3 for
  /// all that is read through a register, where values have several words.
  parameter int unsigned Storage = 1,
  /// 1: R^2 mod m comes behind m on the modulus stream. 0: it is computed.
  parameter int unsigned R2Outside = 0,
  /// Bits that redc_exp_r2 works on at a time.
  parameter int unsigned ChunkBits = 32,
  /// 1: err_o reports illegal numbers. 0: err_o is the multiplier's.
  parameter int unsigned Checks = 0,
  /// 1: a bits_i of 0, from the cycle before its x is offered on, makes that x a factor of a
  /// product and no job; the next x is the other factor, with a bits_i of ExpBits. 0: no products.
  parameter int unsigned Products = 0,
  /// 1: exponents of which public_i says that they are no secrets go bit by bit, Method = 3 alone.
  parameter int unsigned Public = 0,
  /// Primitives of block memory and of carry chains: 0 generic, 1 ECP5, 2 as 0.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned FaceBeats  = redc_exp_pkg::face_beats(WordBits, Beats, ExpBits),
  localparam int unsigned IndexBits  = redc_pkg::index_bits(Moduli),
  localparam int unsigned LengthBits = $clog2(ExpBits + 1)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous; drops everything and forgets that a modulus is loaded. The multiplier
  /// has to be reset, too.
  input  wire logic                  rst_ni,

  /// Modulus stream. Waits, and holds the operand stream, until nothing is in flight.
  input  wire logic                  mod_valid_i,
  output      logic                  mod_ready_o,
  input  wire logic [WordBits-1:0]   mod_data_i,
  /// High in the last beat.
  input  wire logic                  mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0]  mod_idx_i,

  /// Operand stream.
  input  wire logic                  in_valid_i,
  output      logic                  in_ready_o,
  /// The base x.
  input  wire logic [WordBits-1:0]   a_i,
  /// The exponent e.
  input  wire logic [WordBits-1:0]   b_i,
  /// High in the last beat.
  input  wire logic                  in_last_i,
  /// Place of the modulus to use.
  input  wire logic [IndexBits-1:0]  in_idx_i,
  /// Bits of the exponent to go through, 1 to ExpBits; taken with the last beat.
  input  wire logic [LengthBits-1:0] bits_i,
  /// Public = 1: the exponent is no secret and has exactly bits_i bits, two at least. It takes a
  /// square for each of these but the highest, a product where such a bit is 1, and no table. Taken
  /// with the last beat; 0 where the job is a product.
  input  wire logic                  public_i,

  /// Result stream, in order.
  output      logic                  out_valid_o,
  input  wire logic                  out_ready_i,
  /// 0 while out_valid_o is low.
  output      logic [WordBits-1:0]   p_o,
  output      logic                  out_last_o,

  /// Sticky until reset; see Checks.
  output      logic                  err_o,

  /// The multiplier's modulus stream.
  output      logic                  mul_mod_valid_o,
  input  wire logic                  mul_mod_ready_i,
  output      logic [WordBits-1:0]   mul_mod_data_o,
  output      logic                  mul_mod_last_o,
  output      logic [IndexBits-1:0]  mul_mod_idx_o,
  /// The multiplier's operand stream.
  output      logic                  mul_in_valid_o,
  input  wire logic                  mul_in_ready_i,
  output      logic [WordBits-1:0]   mul_a_o,
  output      logic [WordBits-1:0]   mul_b_o,
  output      logic                  mul_in_last_o,
  output      logic [IndexBits-1:0]  mul_in_idx_o,
  /// Its operands are one value twice: while mul_in_valid_o.
  output      logic                  mul_square_o,
  /// The multiplier's result stream; always taken at once.
  input  wire logic                  mul_out_valid_i,
  output      logic                  mul_out_ready_o,
  input  wire logic [WordBits-1:0]   mul_p_i,
  input  wire logic                  mul_out_last_i,
  /// The multiplier's err_o.
  input  wire logic                  mul_err_i
);

  import redc_exp_pkg::*;

  if (Width < 1 || ExpBits < 1 || Threads < 1) begin : gen_refuse_counts
    $error("redc_exp: Width=%0d, ExpBits=%0d or Threads=%0d is below 1", Width, ExpBits, Threads);
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_exp: Moduli=%0d is not within 1 to 1024", Moduli);
  end
  if (WordBits < 1 || Beats < 1 || WordBits * Beats < Width) begin : gen_refuse_words
    $error("redc_exp: WordBits=%0d * Beats=%0d does not hold Width=%0d bits",
           WordBits, Beats, Width);
  end
  if (Bound < 1 || Bound > 2 || Multipliers < 1 || Multipliers > 2) begin : gen_refuse_one_or_two
    $error("redc_exp: Bound=%0d or Multipliers=%0d is neither 1 nor 2", Bound, Multipliers);
  end
  if (Method > 3 || Window < 1 || Window > 6) begin : gen_refuse_method
    $error("redc_exp: Method=%0d above 3 or Window=%0d not within 1 to 6", Method, Window);
  end
  if (Public > 1 || (Public != 0 && Method != MethodWindow)) begin : gen_refuse_public
    $error("redc_exp: Public=%0d is above 1 or without Method=%0d", Public, MethodWindow);
  end
  if (Storage > 3 || R2Outside > 1 || Checks > 1 || Products > 1) begin : gen_refuse_switches
    $error("redc_exp: Storage=%0d above 3, R2Outside=%0d, Checks=%0d or Products=%0d above 1",
           Storage, R2Outside, Checks, Products);
  end

  localparam int unsigned ThreadBits  = redc_pkg::index_bits(Threads);
  localparam int unsigned BeatBits    = redc_pkg::index_bits(Beats);
  localparam int unsigned FaceBits    = redc_pkg::index_bits(FaceBeats);
  localparam int unsigned ExpWords    = redc_pkg::ceil_div(ExpBits, WordBits);
  localparam int unsigned ExpBeatBits = redc_pkg::index_bits(ExpWords);

  // ------------------------------------------------------------------------------------------
  // Jobs: x into the value memory, e into the thread's register.
  // ------------------------------------------------------------------------------------------
  // Words go from memory to stream through registers; values are written a cycle late.
  localparam int unsigned Piped = (Beats > 1) ? 1 : 0;
  localparam int unsigned Late  = (Beats > 1 || Threads > 1 || Products != 0) ? 1 : 0;
  // Block memory has two registers more.
  localparam int unsigned Block = (Storage == 3 && Beats > 1) ? 1 : 0;
  // A lone thread's memories are read for operands or for what leaves: one hands out both.
  localparam int unsigned Shared =
      (Threads == 1 && Piped != 0 && Storage != 0 && FaceBeats == Beats) ? 1 : 0;

  logic [Threads-1:0]    idle, resting, finished, finished_ahead, released, start;
  logic [IndexBits-1:0]  place_q [Threads];
  logic [IndexBits-1:0]  place, mod_place;
  logic [ThreadBits-1:0] load_thread;
  logic [FaceBits-1:0]   in_beat;
  logic [LengthBits-1:0] length;
  logic                  in_take, in_head, in_head_last, in_tail, in_quiet, in_bad, x_offered;
  logic                  factor, product, whole;
  logic                  is_public;
  logic                  mod_open, mod_waits, mod_loaded, mod_bad, mod_step, mod_end;
  logic                  in_last, step, step_ends;

  redc_exp_intake #(
    .WordBits(WordBits), .ExpBits(ExpBits), .Threads(Threads), .FaceBeats(FaceBeats),
    .Beats(Beats), .Products(Products),
    .FirstAfter(FaceBeats + 1 + 2 * Piped + 2 * Block + ((Threads > 1) ? 3 : 0))
  ) u_intake (
    .clk_i, .rst_ni, .valid_i(in_valid_i), .ready_o(in_ready_o), .exponent_i(b_i), .bits_i,
    .public_i((Public != 0) & public_i), .public_o(is_public),
    .take_o(in_take), .start_o(start), .factor_o(factor), .product_o(product),
    .beat_o(in_beat), .last_o(in_last), .head_o(in_head), .head_last_o(in_head_last),
    .tail_o(in_tail), .thread_o(load_thread), .step_i(step), .end_i(step_ends),
    .quiet_o(in_quiet), .length_o(length), .whole_o(whole), .bad_o(in_bad), .idle_i(idle),
    .resting_i(resting), .open_i(mod_open),
    // The value memory has one write port, and results cannot wait. A lone thread that takes a job
    // has no result coming.
    .waits_i(mod_waits), .busy_i((Threads > 1) & mul_out_valid_i), .mul_in_ready_i
  );

  // So the words of its results are counted where those of jobs and moduli are.
  assign step      = mod_step | ((Threads == 1) & mul_out_valid_i);
  assign step_ends = mod_end | ((Threads == 1) & mul_out_valid_i & mul_out_last_i);
  // Words above the multiplier's are zero and go nowhere. What is offered is written while its
  // thread is idle, taken yet or not: nothing there is in use.
  assign x_offered = in_valid_i & in_head & idle[load_thread];

  always_ff @(posedge clk_i) begin
    if (in_take) place_q[load_thread] <= (Moduli > 1) ? in_idx_i : '0;
    // Until a job comes, the place just loaded: a multiplier may be ready for some places only.
    if (mod_loaded) for (int unsigned i = 0; i < Threads; i++) place_q[i] <= mod_place;
  end

  // ------------------------------------------------------------------------------------------
  // Threads: the operations of an exponentiation each, in order.
  // ------------------------------------------------------------------------------------------
  logic [Threads-1:0]               op_ready, op_ready_ahead, taken, issued;
  slots_t [Threads-1:0]             done;
  operation_t                       op [Threads];
  operands_t                        operands [Threads];
  logic [Threads-1:0][WordBits-1:0] window_word;
  logic [WordBits-1:0]              value_written;
  logic [BeatBits-1:0]              read_beat, read_ahead, result_beat;
  logic [ThreadBits-1:0]            chosen, result_thread;
  logic [IndexBits-1:0]             result_place;
  operation_t                       result_op;
  logic                             read;

  for (genvar t = 0; t < Threads; t++) begin : gen_thread
    redc_exp_thread #(
      .WordBits(WordBits), .Beats(Beats), .ExpBits(ExpBits), .Method(Method), .Window(Window),
      .Storage(Storage), .Paired((Multipliers == 2 && Threads == 1 && Method == MethodRtl) ? 1 : 0),
      .Public(Public), .Late(Late), .Technology(Technology)
    ) u_thread (
      .clk_i, .rst_ni,
      .exp_valid_i(in_valid_i & (load_thread == ThreadBits'(t)) & in_tail),
      .exp_beat_i(ExpBeatBits'(in_beat)), .exp_data_i(b_i), .start_i(start[t]),
      .length_i(length), .whole_i(whole), .product_i(product), .public_i(is_public),
      .idle_o(idle[t]), .resting_o(resting[t]),
      .op_ready_o(op_ready[t]), .op_ready_ahead_o(op_ready_ahead[t]),
      .op_o(op[t]), .operands_o(operands[t]),
      .taken_i(taken[t]), .issued_i(issued[t]), .done_i(done[t]),
      .finished_o(finished[t]), .finished_ahead_o(finished_ahead[t]), .released_i(released[t]),
      .table_write_i(mul_out_valid_i & result_op.tabled & (result_thread == ThreadBits'(t))),
      .table_entry_i(result_op.entry), .table_beat_i(result_beat),
      .table_data_i((Late != 0) ? value_written : mul_p_i), .read_beat_i(read_beat),
      .read_ahead_i(read_ahead), .read_i(read),
      .window_o(window_word[t])
    );
  end

  // ------------------------------------------------------------------------------------------
  // The multiplier, and what it works on.
  // ------------------------------------------------------------------------------------------
  logic [WordBits-1:0] value_a, value_b, value_out, r2_word;
  logic                modulus_is_one, equal, go, go_ahead, issue_end, r2_wanted;
  // Of the result that leaves.
  logic [ThreadBits-1:0] out_thread;
  logic [BeatBits-1:0] out_beat, out_ahead;
  logic                out_read, out_go_ahead, out_zero, leaves, out_offered, words_end;
  logic [WordBits-1:0] out_word;

  redc_exp_moduli #(
    .Width(Width), .WordBits(WordBits), .Beats(Beats), .RBits(RBits), .OtherRBits(OtherRBits),
    .Bound(Bound), .Moduli(Moduli), .Storage(Storage), .R2Outside(R2Outside),
    .ChunkBits(ChunkBits), .Checks(Checks), .FaceBeats(FaceBeats), .Threads(Threads),
    .Technology(Technology)
  ) u_moduli (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_idx_i, .mul_mod_valid_o,
    .mul_mod_ready_i, .mul_mod_data_o, .mul_mod_last_o, .mul_mod_idx_o, .mul_in_ready_i,
    .quiet_i((&idle) & in_quiet), .open_o(mod_open), .waits_o(mod_waits),
    .loaded_o(mod_loaded), .loaded_place_o(mod_place), .place_i(place), .beat_i(read_beat),
    .read_i(read), .wanted_i(r2_wanted), .r2_o(r2_word),
    .one_o(modulus_is_one), .result_valid_i(mul_out_valid_i),
    .result_i((Piped != 0) ? value_written : mul_p_i), .result_beat_i(result_beat),
    .result_place_i(result_place), .equal_o(equal), .in_take_i(in_take), .x_i(a_i),
    .in_beat_i(in_beat), .in_head_i(in_head), .in_head_last_i(in_head_last),
    .in_last_i(in_last), .in_idx_i, .step_o(mod_step), .end_o(mod_end),
    .bad_o(mod_bad)
  );

  redc_exp_issue #(
    .Threads(Threads), .Beats(Beats), .Late(Late), .PlaceBits(IndexBits)
  ) u_issue (
    .clk_i, .rst_ni, .op_ready_i(op_ready), .op_ready_ahead_i(op_ready_ahead), .chosen_o(chosen),
    .op_i(op[chosen]), .place_i(place), .go_o(go), .go_ahead_o(go_ahead), .end_i(issue_end),
    .taken_o(taken), .issued_o(issued), .mul_out_valid_i, .mul_out_last_i,
    .lone_beat_i(BeatBits'(in_beat)),
    .result_thread_o(result_thread), .result_place_o(result_place),
    .result_op_o(result_op), .result_beat_o(result_beat), .done_o(done)
  );

  redc_exp_values #(
    .WordBits(WordBits), .Beats(Beats), .Method(Method), .Threads(Threads), .Storage(Storage),
    .Late(Late), .Technology(Technology)
  ) u_values (
    .clk_i, .x_valid_i(x_offered), .x_i(a_i), .x_thread_i(load_thread),
    .x_beat_i(BeatBits'(in_beat)),
    .x_slot_i(slot_line(factor ? factor_slot(Method) : 2'(PortSlot))),
    .result_valid_i(mul_out_valid_i), .result_i(mul_p_i),
    .result_thread_i(result_thread), .result_beat_i(result_beat),
    .kept_i(result_op.slot & {ValueSlots{result_op.keep}}), .written_o(value_written),
    .resting_i(resting[0]), .leaves_i(finished[0]),
    .operands_i(operands[chosen]), .read_thread_i(chosen), .read_beat_i(read_beat),
    .read_ahead_i(read_ahead), .read_i(read), .r2_i(r2_word), .window_i(window_word),
    .a_o(value_a), .b_o(value_b),
    .out_thread_i(out_thread), .out_beat_i(out_beat),
    .out_ahead_i(out_ahead), .out_read_i((Shared != 0) ? read : out_read), .out_o(value_out)
  );

  redc_prim_delay #(.Bits(IndexBits), .Cycles((Threads > 1) ? 1 : 0)) u_place (
    .clk_i, .d_i(place_q[chosen]), .q_o(place)
  );
  // A result that leaves is a's words, where they are shared.
  assign leaves    = (Shared != 0) & finished[0];
  assign issue_end = words_end & ~leaves;
  redc_exp_operands #(
    .WordBits(WordBits), .Beats(Beats), .Far(Block), .Threads(Threads)
  ) u_operands (
    .clk_i, .rst_ni, .sources_i(operands[chosen]), .modulus_is_one_i(modulus_is_one),
    .go_i(go), .go_ahead_i(go_ahead | (out_go_ahead & (Shared != 0))), .beat_o(read_beat),
    .ahead_o(read_ahead), .read_o(read), .r2_wanted_o(r2_wanted), .square_o(mul_square_o),
    .a_i(value_a), .b_i(value_b),
    .valid_o(mul_in_valid_o), .ready_i(mul_in_ready_i), .a_o(mul_a_o), .b_o(mul_b_o),
    .last_o(mul_in_last_o), .end_o(words_end), .leaves_i(leaves), .out_valid_o(out_offered),
    .out_ready_i, .out_zero_i(out_zero), .out_o(out_word)
  );
  assign mul_in_idx_o    = place;
  assign mul_out_ready_o = 1'b1;

  // ------------------------------------------------------------------------------------------
  // Results.
  // ------------------------------------------------------------------------------------------
  redc_exp_result #(
    .WordBits(WordBits), .Beats(Beats), .FaceBeats(FaceBeats), .Threads(Threads), .Bound(Bound),
    .Piped(Piped), .Far(Block), .EqualAfter(1 + Piped + 2 * Block), .Shared(Shared)
  ) u_result (
    .clk_i, .rst_ni, .finished_i(finished), .finished_ahead_i(finished_ahead),
    .released_o(released), .go_ahead_o(out_go_ahead), .valid_i(out_offered),
    .last_i(mul_in_last_o), .end_i(words_end & leaves),
    .final_i(mul_out_valid_i & mul_out_last_i & result_op.final_one),
    .final_thread_i(result_thread), .equal_i(equal), .thread_o(out_thread),
    .beat_o(out_beat), .ahead_o(out_ahead), .read_o(out_read),
    .word_i((Shared != 0) ? out_word : value_out), .zero_o(out_zero), .valid_o(out_valid_o),
    .ready_i(out_ready_i), .p_o, .last_o(out_last_o)
  );

  // ------------------------------------------------------------------------------------------
  // Errors.
  // ------------------------------------------------------------------------------------------
  if (Checks != 0) begin : gen_checks
    logic err_q;
    always_ff @(posedge clk_i)
      err_q <= rst_ni ? err_q | mul_err_i | mod_bad | (in_take & in_bad) : 1'b0;
    assign err_o = err_q;
  end else begin : gen_no_checks
    assign err_o = mul_err_i;
    wire unused = mod_bad ^ in_bad;
  end

  // Where a stream ends follows from the parameters.
  wire unused_lasts = &{1'b0, mod_last_i, in_last_i, result_op, resting};

endmodule

`default_nettype wire
