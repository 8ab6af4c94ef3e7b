// SPDX-License-Identifier: Apache-2.0
// redc_exp: modular exponentiation, p = x^e mod m, on any multiplier behind the contract.
//
// Contract  that of a multiplier, with x on a_i and the exponent e on b_i: three streams of words,
//           least significant first, FaceBeats words each. m odd, x < m, e below 2^bits_i; the
//           result is below m. The multiplier is beside it: the ports mul_* are the contract's,
//           seen from the other side. With R2Outside the modulus stream brings R^2 mod m, R =
//           2^RBits, in as many words again behind m.
// Method    see redc_exp_sequencer. Threads exponentiations share the multiplier, operation by
//           operation in turn; they take jobs in turn and answer in the same order. R^2 mod m is
//           computed from m (redc_exp_r2). The last operation multiplies by 1, so that its result
//           is at most m even where operands go up to 2m, and m itself only for 0
//           (docs/units/exp.md): then 0 is given out. Values lie in lanes of bits (redc_exp_lane);
//           with one thread each lane has registers of its own for what it reads and writes, which
//           are decoded a cycle ahead.
// Timing    in docs/units/exp.md; src/redcore/units/exp/schedule.py plays the schedule. An
//           operation that waits for a result is offered to the multiplier in the cycle after the
//           result's last word.
// Leakage   cycle counts depend on parameters and bits_i alone. With Method = 3, the default, so do
//           write enables and addresses; the other methods show the exponent in them
//           (docs/units/exp.md). Memories keep values until overwritten.
// Refuses   Width, WordBits, Beats, ExpBits, Threads or Moduli < 1, Width above WordBits * Beats,
//           Moduli > 1024, Method > 3, Window outside 1 to 6, Bound or Multipliers outside 1 to 2,
//           Storage > 2: at elaboration.
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
  /// Memory of values and table: 0 registers, 1 distributed, 2 block memory for the table.
  parameter int unsigned Storage = 1,
  /// 1: R^2 mod m comes behind m on the modulus stream. 0: it is computed.
  parameter int unsigned R2Outside = 0,
  /// Bits that redc_exp_r2 works on at a time.
  parameter int unsigned ChunkBits = 32,
  /// 1: err_o reports illegal numbers. 0: err_o is the multiplier's.
  parameter int unsigned Checks = 0,
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
  /// The multiplier's result stream; always taken at once.
  input  wire logic                  mul_out_valid_i,
  output      logic                  mul_out_ready_o,
  input  wire logic [WordBits-1:0]   mul_p_i,
  input  wire logic                  mul_out_last_i,
  /// The multiplier's err_o.
  input  wire logic                  mul_err_i
);

  import redc_exp_pkg::*;

  if (Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_exp: Moduli=%0d is above 1024", Moduli);
  end
  if (Width < 1 || ExpBits < 1 || Threads < 1 || Moduli < 1) begin : gen_refuse_counts
    $error("redc_exp: Width=%0d, ExpBits=%0d, Threads=%0d or Moduli=%0d is below 1",
           Width, ExpBits, Threads, Moduli);
  end
  if (WordBits < 1 || Beats < 1 || WordBits * Beats < Width) begin : gen_refuse_words
    $error("redc_exp: WordBits=%0d * Beats=%0d does not hold Width=%0d bits",
           WordBits, Beats, Width);
  end
  if (Bound < 1 || Bound > 2) begin : gen_refuse_bound
    $error("redc_exp: Bound=%0d is neither 1 nor 2", Bound);
  end
  if (Multipliers < 1 || Multipliers > 2) begin : gen_refuse_multipliers
    $error("redc_exp: Multipliers=%0d is neither 1 nor 2", Multipliers);
  end
  if (Method > 3) begin : gen_refuse_method
    $error("redc_exp: Method=%0d is not within 0 to 3", Method);
  end
  if (Window < 1 || Window > 6) begin : gen_refuse_window
    $error("redc_exp: Window=%0d is not within 1 to 6", Window);
  end
  if (Storage > 2 || R2Outside > 1 || Checks > 1) begin : gen_refuse_switches
    $error("redc_exp: Storage=%0d above 2, R2Outside=%0d or Checks=%0d above 1",
           Storage, R2Outside, Checks);
  end

  localparam int unsigned ThreadBits  = redc_pkg::index_bits(Threads);
  localparam int unsigned BeatBits    = redc_pkg::index_bits(Beats);
  localparam int unsigned FaceBits    = redc_pkg::index_bits(FaceBeats);
  localparam int unsigned ExpWords    = redc_pkg::ceil_div(ExpBits, WordBits);
  localparam int unsigned ExpBeatBits = redc_pkg::index_bits(ExpWords);
  localparam int unsigned ValueWords  = Threads * Beats;
  localparam int unsigned ValueBits   = redc_pkg::index_bits(ValueWords);
  // With checks, words for every place that an index can name: what is loaded to one that is not
  // there must not go to another one's.
  localparam int unsigned Places      = (Checks != 0) ? 1 << IndexBits : Moduli;
  localparam int unsigned ConstDepth  = Places * Beats;
  localparam int unsigned ConstBits   = redc_pkg::index_bits(ConstDepth);
  // In memories a lone thread leaves the multiplier's operand port to the result while that goes
  // out. From registers a result is read by wires.
  localparam bit          OutPort     = (Threads > 1) || (Storage == 0);
  // Values are cut into lanes of so many bits, each with its own control.
  localparam int unsigned LaneBits    = 32;
  localparam int unsigned Lanes       = redc_pkg::ceil_div(WordBits, LaneBits);
  localparam int unsigned RamStorage  = redc_pkg::min(Storage, 1);
  // m is needed again where results can be m, and to check x.
  localparam bit          KeepModulus = (Bound > 1) || (Checks != 0);

  function automatic logic [ValueBits-1:0] value_word(logic [ThreadBits-1:0] thread,
                                                      logic [BeatBits-1:0] beat);
    return ValueBits'(shared_address(32'(beat), 32'(thread), Threads));
  endfunction

  function automatic logic [ConstBits-1:0] const_address(logic [IndexBits-1:0] place,
                                                         logic [BeatBits-1:0] beat);
    return ConstBits'(shared_address(32'(beat), 32'(place), Places));
  endfunction

  function automatic logic [ThreadBits-1:0] next_thread(logic [ThreadBits-1:0] thread);
    // Of a lone thread synthesis has to see that it is always the first.
    return (Threads == 1 || thread == ThreadBits'(Threads - 1)) ? '0 : thread + 1'b1;
  endfunction

  // ------------------------------------------------------------------------------------------
  // Threads: who is busy, for which place.
  // ------------------------------------------------------------------------------------------
  logic [Threads-1:0]                idle, finished, released, start;
  logic [Threads-1:0]                op_valid, op_valid_next, issued, done;
  operation_t                        op [Threads];
  operands_t                         operands [Threads];
  operands_t                         operands_next [Threads];
  logic [Threads-1:0]                busy_next;
  logic [Threads-1:0][WordBits-1:0]  window_word;
  logic [WordBits-1:0]               value_written;
  logic [IndexBits-1:0]              place_q [Threads];
  logic [ThreadBits-1:0]             load_thread_q, out_thread_q;
  logic [1:0]                        done_slot;

  // An operation on its way, and whose it is; `tag` is of the result that comes next.
  typedef struct packed {
    logic [ThreadBits-1:0] thread;
    operation_t            op;
    // The line of the slot that the result is kept in, if it is.
    logic [ValueSlots-1:0] kept;
  } tag_t;
  tag_t                              tag, tag_next;
  logic [BeatBits-1:0]               issue_beat_q, result_beat_q;

  // ------------------------------------------------------------------------------------------
  // Moduli: to the multiplier, to redc_exp_r2 or from outside, and into memories here.
  // ------------------------------------------------------------------------------------------
  typedef enum logic [1:0] {
    StOpen,
    StModulus,
    StR2,
    StSettle
  } state_e;

  state_e               state_q;
  logic                 loaded_q, mod_waits_q, mod_take, mod_head, mul_took_q, r2_took_q;
  logic [FaceBits-1:0]  mod_beat_q, in_beat_q, out_beat_q;
  logic                 mod_last_beat;
  logic [IndexBits-1:0] mod_place_q, mod_place;
  logic [Moduli-1:0]    one_q;
  logic                 one_so_far_q, one_so_far;
  logic                 r2_m_valid, r2_m_ready, r2_valid, r2_last, r2_write;
  logic [WordBits-1:0]  r2_data;
  logic [BeatBits-1:0]  r2_beat_q;

  assign mod_last_beat = mod_beat_q == FaceBits'(FaceBeats - 1);
  // Words above the multiplier's are zero and go nowhere.
  assign mod_head      = (FaceBeats == Beats) || (mod_beat_q < FaceBits'(Beats));
  // Each of the two takes a word when it can; the word is done with when both have.
  assign mod_ready_o   = (state_q == StModulus)
                       ? (~mod_head | ((mul_mod_ready_i | mul_took_q) & (r2_m_ready | r2_took_q)))
                       : (R2Outside != 0) & (state_q == StR2);
  assign mod_take      = mod_valid_i & mod_ready_o;
  assign mod_place     = (mod_beat_q == '0 && state_q == StModulus) ? mod_idx_i : mod_place_q;

  assign mul_mod_valid_o = (state_q == StModulus) & mod_valid_i & mod_head & ~mul_took_q;
  assign mul_mod_data_o  = mod_data_i;
  assign mul_mod_last_o  = mod_beat_q == FaceBits'(Beats - 1);
  assign mul_mod_idx_o   = mod_place;
  assign r2_m_valid      = (state_q == StModulus) & mod_valid_i & mod_head & ~r2_took_q;

  // With the modulus 1 even the number 1 is out of range: 0 takes its place.
  assign one_so_far = (mod_beat_q == '0) ? (mod_data_i == WordBits'(1))
                                         : one_so_far_q & (mod_data_i == '0);

  if (R2Outside != 0) begin : gen_r2_outside
    assign r2_m_ready = 1'b1;
    assign r2_valid   = (state_q == StR2) & mod_valid_i & mod_head;
    assign r2_data    = mod_data_i;
    assign r2_last    = mod_last_beat;
    logic unused;
    assign unused = &{1'b0, r2_m_valid, ChunkBits[0]};
  end else begin : gen_r2_inside
    redc_exp_r2 #(
      .Width    (Width),
      .WordBits (WordBits),
      .Beats    (Beats),
      .RBits    (RBits),
      .OtherRBits(OtherRBits),
      .ChunkBits(ChunkBits)
    ) u_r2 (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .m_valid_i (r2_m_valid),
      .m_ready_o (r2_m_ready),
      .m_data_i  (mod_data_i),
      .m_last_i  (mul_mod_last_o),
      .other_i   (mod_place != '0),
      .r2_valid_o(r2_valid),
      .r2_ready_i(state_q == StR2),
      .r2_data_o (r2_data),
      .r2_last_o (r2_last)
    );
  end

  assign r2_write = r2_valid & (state_q == StR2);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= StOpen;
      loaded_q    <= 1'b0;
      mod_waits_q <= 1'b0;
      mod_beat_q  <= '0;
      r2_beat_q   <= '0;
      mul_took_q  <= 1'b0;
      r2_took_q   <= 1'b0;
    end else begin
      mod_waits_q <= mod_valid_i & (state_q == StOpen);
      unique case (state_q)
        StOpen: if (mod_waits_q && (&idle) && in_beat_q == '0) state_q <= StModulus;
        StModulus: if (mod_take && mod_last_beat) state_q <= StR2;
        StR2: begin
          if ((R2Outside != 0) ? (mod_take & mod_last_beat) : (r2_write & r2_last))
            state_q <= StSettle;
        end
        // Until the multiplier has derived its own constants: the time of a job is the same
        // whenever it comes.
        StSettle: begin
          if (mul_in_ready_i) state_q <= StOpen;
          loaded_q <= 1'b1;
        end
        default: state_q <= StOpen;
      endcase
      mul_took_q <= ~mod_take & (mul_took_q | (mul_mod_valid_o & mul_mod_ready_i));
      r2_took_q  <= ~mod_take & (r2_took_q | (r2_m_valid & r2_m_ready));
      if (mod_take) mod_beat_q <= mod_last_beat ? '0 : mod_beat_q + 1'b1;
      if (r2_write) r2_beat_q <= (r2_beat_q == BeatBits'(Beats - 1)) ? '0 : r2_beat_q + 1'b1;
    end
    if (mod_take) begin
      mod_place_q  <= mod_place;
      one_so_far_q <= one_so_far;
      if (mod_last_beat && state_q == StModulus) one_q[mod_place] <= one_so_far;
    end
  end

  // ------------------------------------------------------------------------------------------
  // Jobs: x into the value memory, e into the thread's register.
  // ------------------------------------------------------------------------------------------
  logic                in_take, in_last_beat, in_head, in_step, value_busy;
  logic [BeatBits-1:0] in_beat;

  assign in_last_beat = in_beat_q == FaceBits'(FaceBeats - 1);
  assign in_head      = (FaceBeats == Beats) || (in_beat_q < FaceBits'(Beats));
  assign in_beat      = BeatBits'(in_beat_q);
  // The value memory has one write port, and results cannot wait.
  assign in_ready_o   = loaded_q & (state_q == StOpen) & idle[load_thread_q]
                      & (~mod_waits_q | (in_beat_q != '0)) & ~value_busy
                      & ((in_beat_q != '0) | in_step);
  assign in_take      = in_valid_i & in_ready_o;

  // Some multipliers that stand idle are ready in one cycle of two or three only. An exponentiation
  // that finds nothing else going on begins in step with them, its first operation FaceBeats cycles
  // after its first beat, so that it takes the same time whenever it comes.
  localparam int unsigned Ago = 6 - FaceBeats % 6;
  logic [6:1] ready_q;
  always_ff @(posedge clk_i) ready_q <= {ready_q[5:1], mul_in_ready_i};
  assign in_step = ready_q[Ago] | ((Threads > 1) & ~(&idle));
  logic unused_ready;
  assign unused_ready = &{1'b0, ready_q};

  always_comb begin
    start = '0;
    start[load_thread_q] = in_take & in_last_beat;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_beat_q     <= '0;
      load_thread_q <= '0;
    end else if (in_take) begin
      in_beat_q <= in_last_beat ? '0 : in_beat_q + 1'b1;
      if (in_last_beat) load_thread_q <= next_thread(load_thread_q);
    end
    if (in_take) place_q[load_thread_q] <= in_idx_i;
    // Until a job comes, the place just loaded: a multiplier may be ready for some places only.
    if (state_q == StR2) for (int unsigned i = 0; i < Threads; i++) place_q[i] <= mod_place_q;
  end

  // Beyond ExpBits there is nothing to go through; 0 bits would have no end.
  logic                  bits_legal;
  logic [LengthBits-1:0] length;
  assign bits_legal = (bits_i != '0) && (32'(bits_i) <= ExpBits);
  assign length     = bits_legal ? bits_i : LengthBits'(ExpBits);

  for (genvar t = 0; t < Threads; t++) begin : gen_thread
    logic       exp_write, bit_valid, exp_bit, bit_next, sequencer_next, window_next;
    logic       bit_ahead, bit_valid_ahead, bit_valid_passed;
    logic       window_start, window_ready_ahead;
    logic [2:0] window_digits;

    assign exp_write = in_valid_i & (load_thread_q == ThreadBits'(t))
                     & ((ExpWords == FaceBeats) || (in_beat_q < FaceBits'(ExpWords)));

    redc_exp_bits #(
      .WordBits   (WordBits),
      .ExpBits    (ExpBits),
      .LowestFirst((Method == MethodRtl) ? 1 : 0)
    ) u_bits (
      .clk_i            (clk_i),
      .rst_ni           (rst_ni),
      .write_i          (exp_write),
      .write_open_next_i(~busy_next[t]),
      .write_beat_i     (ExpBeatBits'(in_beat_q)),
      .write_data_i     (b_i),
      .begin_i          (start[t]),
      .length_i         (length),
      .valid_o          (bit_valid),
      .bit_o            (exp_bit),
      .valid_ahead_o    (bit_valid_ahead),
      .bit_ahead_o      (bit_ahead),
      .valid_passed_o   (bit_valid_passed),
      .next_i           (bit_next)
    );

    redc_exp_sequencer #(
      .Method (Method),
      .Window (Window),
      .ExpBits(ExpBits),
      .Paired ((Multipliers == 2 && Threads == 1 && Method == MethodRtl) ? 1 : 0)
    ) u_sequencer (
      .clk_i               (clk_i),
      .rst_ni              (rst_ni),
      .start_i             (start[t]),
      .length_i            (length),
      .idle_o              (idle[t]),
      .busy_next_o         (busy_next[t]),
      .bit_i               (exp_bit),
      .bit_ahead_i         (bit_ahead),
      .bit_valid_ahead_i   (bit_valid_ahead),
      .bit_valid_passed_i  (bit_valid_passed),
      .bit_next_o          (sequencer_next),
      .window_start_o      (window_start),
      .window_digits_o     (window_digits),
      .window_ready_ahead_i(window_ready_ahead),
      .op_valid_o          (op_valid[t]),
      .op_valid_next_o     (op_valid_next[t]),
      .op_o                (op[t]),
      .operands_o          (operands[t]),
      .operands_next_o     (operands_next[t]),
      .issued_i            (issued[t]),
      .done_i              (done[t]),
      .done_slot_i         (done_slot),
      .finished_o          (finished[t]),
      .released_i          (released[t])
    );

    assign bit_next = sequencer_next | window_next;

    if (Method == MethodWindow) begin : gen_window
      // As late as values are.
      logic                table_write_now, table_write;
      logic [5:0]          table_entry;
      logic [BeatBits-1:0] table_beat;
      assign table_write_now = mul_out_valid_i & tag.op.tabled & (tag.thread == ThreadBits'(t));
      if (Beats > 1) begin : gen_late
        always_ff @(posedge clk_i) begin
          table_write <= table_write_now;
          table_entry <= tag.op.entry;
          table_beat  <= result_beat_q;
        end
      end else begin : gen_at_once
        assign table_write = table_write_now;
        assign table_entry = tag.op.entry;
        assign table_beat  = result_beat_q;
      end

      redc_exp_window #(
        .WordBits(WordBits),
        .Beats   (Beats),
        .Window  (Window),
        .Storage (Storage)
      ) u_window (
        .clk_i        (clk_i),
        .rst_ni       (rst_ni),
        .write_i      (table_write),
        .write_entry_i(table_entry),
        .write_beat_i (table_beat),
        .write_data_i ((Beats > 1) ? value_written : mul_p_i),
        .start_i      (window_start),
        .digits_i     (window_digits),
        .bit_valid_i  (bit_valid),
        .bit_i        (exp_bit),
        .bit_next_o   (window_next),
        .ready_ahead_o(window_ready_ahead),
        .read_beat_i  (issue_beat_q),
        .read_data_o  (window_word[t])
      );
    end else begin : gen_no_window
      assign window_next        = 1'b0;
      assign window_ready_ahead = 1'b0;
      assign window_word[t]     = '0;
      logic unused;
      assign unused = &{1'b0, window_start, window_digits, bit_valid, value_written};
    end
  end

  // ------------------------------------------------------------------------------------------
  // Operations: one thread after the other, an operation at a time.
  // ------------------------------------------------------------------------------------------
  logic [ThreadBits-1:0] chosen, chosen_next;
  logic                  issue_last, issue_end;
  tag_t                  issue_tag;

  if (Threads == 1) begin : gen_lone
    assign {chosen, chosen_next} = '0;
    assign mul_in_valid_o        = op_valid[0];
    logic unused;
    assign unused = &{1'b0, op_valid_next};
  end else begin : gen_turns
    // Chosen a cycle ahead, as operands and their place follow from it.
    logic [ThreadBits-1:0] turn_q, turn, pick, chosen_q;

    assign turn = issue_end ? next_thread(chosen_q) : turn_q;

    always_comb begin
      pick = turn;
      // The last match counts: the thread whose turn it is, then the ones after it.
      for (int unsigned distance = Threads; distance > 0; distance--) begin
        automatic logic [ThreadBits-1:0] thread =
            ThreadBits'((32'(turn) + distance - 1) % Threads);
        if (op_valid_next[thread]) pick = thread;
      end
    end

    assign chosen         = chosen_q;
    assign mul_in_valid_o = |op_valid;
    // An offer stays until it is taken, whoever else comes meanwhile.
    assign chosen_next    = (mul_in_valid_o & ~issue_end) ? chosen_q : pick;

    always_ff @(posedge clk_i) begin
      turn_q   <= rst_ni ? turn : '0;
      chosen_q <= rst_ni ? chosen_next : '0;
    end
  end

  assign issue_last = issue_beat_q == BeatBits'(Beats - 1);
  assign issue_end  = mul_in_valid_o & mul_in_ready_i & issue_last;
  assign issue_tag  = '{thread: chosen, op: op[chosen],
                        kept: ValueSlots'(op[chosen].keep) << op[chosen].slot};

  always_comb begin
    issued = '0;
    issued[chosen] = issue_end;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) issue_beat_q <= '0;
    else if (mul_in_valid_o && mul_in_ready_i)
      issue_beat_q <= issue_last ? '0 : issue_beat_q + 1'b1;
  end

  // Operations in the multiplier, oldest first: a thread has no more than two.
  logic [$clog2(2*Threads+1)-1:0] unused_level;
  logic                           unused_some;
  redc_prim_queue #(
    .Bits ($bits(tag_t)),
    .Depth(2 * Threads)
  ) u_order (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .wipe_i     (1'b0),
    .clear_i    (1'b0),
    .write_i    (issue_end),
    .data_i     (issue_tag),
    .push_i     (issue_end),
    .pop_i      (mul_out_valid_i & mul_out_last_i),
    .head_o     (tag),
    .head_next_o(tag_next),
    .level_o    (unused_level),
    .some_o     (unused_some)
  );

  // ------------------------------------------------------------------------------------------
  // Memories.
  // ------------------------------------------------------------------------------------------
  // What a lane of values has to know; a lone thread has it in registers beside each lane.
  typedef struct packed {
    // Sources of the operands in this cycle.
    sources_t              a;
    sources_t              b;
    // Where the oldest operation's result goes, if it is kept; where x does, when nothing goes on.
    logic [ValueSlots-1:0] slot;
    // Results are written, not x.
    logic                  busy;
  } lane_control_t;

  localparam int unsigned ControlBits = $bits(lane_control_t);

  lane_control_t [Lanes-1:0] control;
  logic [ValueBits-1:0]      value_write_word, value_read_word, value_out_word;
  logic [WordBits-1:0]       value_a, value_b, value_out, r2_word;
  logic                      x_offered;

  assign mul_out_ready_o  = 1'b1;
  // A lone thread that takes a job has no result coming.
  assign value_busy       = (Threads > 1) & mul_out_valid_i;
  // What is offered is written while its thread is idle, taken yet or not: nothing there is in use,
  // and whether a word is taken, which is known late, does not reach the enables of all registers.
  assign x_offered        = in_valid_i & in_head & ((Threads == 1) | idle[load_thread_q]);
  assign value_out_word   = value_word(out_thread_q, BeatBits'(out_beat_q));

  // Each of these lines reaches every bit of an operand or of a slot. So they are decoded a cycle
  // ahead and stand in registers, and a lane has registers of its own: from one for all it would
  // take most of a cycle to get to the last bit. Lines that the method or the memory has no use
  // for get no registers, as synthesis keeps these at any rate, so as not to merge them again.
  // Where threads take turns, whether a result comes is known in the cycle itself only.
  localparam bit                     Lone    = (Threads == 1);
  localparam sources_t               Wanted  = ~source_line((Storage == 0) ? SourceOne : 3'd0);
  localparam logic [ValueSlots-1:0]  Slots   = ValueSlots'(sources_a(Method) | sources_b(Method));
  localparam logic [ControlBits-1:0] Used    =
      {sources_a(Method) & Wanted, sources_b(Method) & Wanted, Lone ? Slots : '0, Lone};

  lane_control_t                     control_next;
  logic [ControlBits-1:0]            next;
  logic [ControlBits-1:0][Lanes-1:0] copies;

  assign control_next = '{
      a:    operands_next[chosen_next].a,
      b:    operands_next[chosen_next].b,
      // In the first cycle that is not idle no result can come yet: whether this is the last one
      // that is, which is known late, does not matter.
      slot: (idle[0] | finished[0]) ? ValueSlots'(1 << PortSlot) : tag_next.kept,
      busy: busy_next[0]};
  assign next = control_next;

  for (genvar i = 0; i < ControlBits; i++) begin : gen_line
    if (Used[i]) begin : gen_copies
      redc_prim_fanout #(.Copies(Lanes)) u_copies (.clk_i, .d_i(next[i]), .q_o(copies[i]));
    end else begin : gen_unused
      assign copies[i] = '0;
    end
  end
  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      for (int unsigned i = 0; i < ControlBits; i++) control[l][i] = copies[i][l];
      if (!Lone) begin
        control[l].slot = mul_out_valid_i ? tag.kept : ValueSlots'(1 << PortSlot);
        control[l].busy = mul_out_valid_i;
      end
    end
  end

  if (Lone) begin : gen_lone_words
    assign value_write_word = value_word('0, idle[0] ? in_beat : result_beat_q);
    assign value_read_word  =
        value_word('0, (~OutPort & finished[0]) ? BeatBits'(out_beat_q) : issue_beat_q);
  end else begin : gen_shared_words
    assign value_write_word = mul_out_valid_i ? value_word(tag.thread, result_beat_q)
                                              : value_word(load_thread_q, in_beat);
    assign value_read_word  = value_word(chosen, issue_beat_q);
  end
  logic unused_control;
  assign unused_control = &{1'b0, next, tag_next, tag};

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int unsigned Low = l * LaneBits;
    localparam int unsigned Own = redc_pkg::min(LaneBits, WordBits - Low);
    redc_exp_lane #(
      .Bits   (Own),
      .Method (Method),
      .Threads(Threads),
      .Beats  (Beats),
      .Storage(RamStorage)
    ) u_lane (
      .clk_i        (clk_i),
      .write_i      (control[l].busy ? mul_out_valid_i : x_offered),
      .slot_i       (control[l].slot),
      .write_word_i (value_write_word),
      .result_here_i(control[l].busy),
      .result_i     (mul_p_i[Low+:Own]),
      .x_i          (a_i[Low+:Own]),
      .written_o    (value_written[Low+:Own]),
      .a_i          (control[l].a),
      .b_i          (control[l].b),
      .read_word_i  (value_read_word),
      .r2_i         (r2_word[Low+:Own]),
      .window_i     (window_word[chosen][Low+:Own]),
      .a_o          (value_a[Low+:Own]),
      .b_o          (value_b[Low+:Own]),
      .out_word_i   (value_out_word),
      .out_o        (value_out[Low+:Own])
    );
  end

  redc_prim_ram #(
    .Bits   (WordBits),
    .Depth  (ConstDepth),
    .Ports  (1),
    .Storage((ConstDepth == 1) ? 0 : RamStorage)
  ) u_r2_words (
    .clk_i          (clk_i),
    .write_i        (r2_write),
    .write_address_i(const_address(mod_place_q, r2_beat_q)),
    .write_data_i   (r2_data),
    .read_i         (1'b1),
    .read_address_i (const_address(place_q[chosen], issue_beat_q)),
    .read_data_o    (r2_word)
  );

  // The number 1 is its lowest bit; in the lanes it is zero.
  logic one, a_is_one, b_is_one;
  assign one      = (issue_beat_q == '0) & ~one_q[place_q[chosen]];
  assign a_is_one = operands[chosen].a[SourceOne];
  assign b_is_one = operands[chosen].b[SourceOne];
  assign mul_a_o  = value_a | WordBits'(one & a_is_one);
  assign mul_b_o  = value_b | WordBits'(one & b_is_one);
  assign mul_in_last_o = issue_last;
  assign mul_in_idx_o  = place_q[chosen];

  // ------------------------------------------------------------------------------------------
  // Results: back to their slots; the last one out.
  // ------------------------------------------------------------------------------------------
  logic [Threads-1:0] zero_q;
  logic               equal_q, equal, x_high, out_take, out_last;

  assign done_slot = tag.op.slot;
  always_comb begin
    done = '0;
    done[tag.thread] = mul_out_valid_i & mul_out_last_i;
    released = '0;
    released[out_thread_q] = out_take & out_last;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) result_beat_q <= '0;
    else if (mul_out_valid_i) result_beat_q <= mul_out_last_i ? '0 : result_beat_q + 1'b1;
  end

  if (KeepModulus) begin : gen_modulus
    logic [1:0][WordBits-1:0] m_word;
    logic                     borrow_q;
    logic [WordBits:0]        difference;

    redc_prim_ram #(
      .Bits   (WordBits),
      .Depth  (ConstDepth),
      .Ports  (2),
      .Storage((ConstDepth == 1) ? 0 : RamStorage)
    ) u_m_words (
      .clk_i          (clk_i),
      .write_i        (mod_take & (state_q == StModulus) & mod_head),
      .write_address_i(const_address(mod_place, BeatBits'(mod_beat_q))),
      .write_data_i   (mod_data_i),
      .read_i         (1'b1),
      .read_address_i ({const_address(in_idx_i, in_beat),
                        const_address(place_q[tag.thread], result_beat_q)}),
      .read_data_o    (m_word)
    );

    assign equal      = ((result_beat_q == '0) | equal_q) & (mul_p_i == m_word[0]);
    // x - m, word by word: no borrow at the end means that x is too large.
    assign difference = {1'b0, a_i} - {1'b0, m_word[1]}
                      - (WordBits + 1)'(borrow_q & (in_beat_q != '0));
    assign x_high     = (in_head & (in_beat_q == FaceBits'(Beats - 1)) & ~difference[WordBits])
                      | (~in_head & (a_i != '0));

    always_ff @(posedge clk_i) begin
      if (in_take) borrow_q <= difference[WordBits];
      if (mul_out_valid_i) equal_q <= equal;
    end
  end else begin : gen_no_modulus
    assign equal   = 1'b0;
    assign equal_q = 1'b0;
    assign x_high  = 1'b0;
    logic unused;
    assign unused = &{1'b0, equal_q};
  end

  always_ff @(posedge clk_i) begin
    if (mul_out_valid_i && mul_out_last_i && tag.op.final_one) zero_q[tag.thread] <= equal;
  end

  assign out_valid_o = finished[out_thread_q];
  assign out_last    = out_beat_q == FaceBits'(FaceBeats - 1);
  assign out_last_o  = out_last;
  assign out_take    = out_valid_o & out_ready_i;
  // Between answers the slot holds what is computed with.
  assign p_o         = value_out
                     & {WordBits{out_valid_o & ~zero_q[out_thread_q]
                                 & ((FaceBeats == Beats) || (out_beat_q < FaceBits'(Beats)))}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_beat_q   <= '0;
      out_thread_q <= '0;
    end else if (out_take) begin
      out_beat_q <= out_last ? '0 : out_beat_q + 1'b1;
      if (out_last) out_thread_q <= next_thread(out_thread_q);
    end
  end

  // ------------------------------------------------------------------------------------------
  // Errors.
  // ------------------------------------------------------------------------------------------
  if (Checks != 0) begin : gen_checks
    logic err_q, exponent_high;

    // The exponent's bits in this word, all below ExpBits?
    always_comb begin
      exponent_high = 1'b0;
      for (int unsigned i = 0; i < WordBits; i++)
        if (32'(in_beat_q) * WordBits + i >= ExpBits) exponent_high |= b_i[i];
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) err_q <= 1'b0;
      else
        err_q <= err_q | mul_err_i
               | (in_take & (x_high | exponent_high | (in_last_beat & ~bits_legal)))
               | (mod_take & ~redc_pkg::index_in_range(32'(mod_place), Moduli))
               | (in_take & ~redc_pkg::index_in_range(32'(in_idx_i), Moduli));
    end
    assign err_o = err_q;
  end else begin : gen_no_checks
    assign err_o = mul_err_i;
    logic unused;
    assign unused = &{1'b0, x_high};
  end

  // Where a stream ends follows from the parameters.
  logic unused_lasts;
  assign unused_lasts = &{1'b0, mod_last_i, in_last_i};

endmodule

`default_nettype wire
