// SPDX-License-Identifier: Apache-2.0
// redc_mul_wide_narrow: a wide and a narrow multiplier that look like one, whose place 0 is the
// wide one's and whose places from 1 on are the narrow one's.
//
// Contract  multiplier contract towards the parent, but for R, which is the wide one's at place 0
//           and the narrow one's at the others; its mirror towards the two, which keep the contract
//           themselves. Numbers of the narrow one are the lowest of the parent's words, or bits of
//           its only word; what is above is dropped on the way in and zero on the way out.
//           Slots are those of the multiplier that a place names.
// Method    results leave in order, so the one is used only when the other has nothing under way.
//           Words above the narrow one's are taken and given here.
// Timing    that of the wide one; of the narrow one, with Beats - NarrowBeats cycles more until the
//           last word of a result, and an interval of at least Beats. A multiplication behind one
//           of the other kind waits for that to leave, and a cycle.
// Leakage   none of its own: cycles depend on places alone.
// Refuses   WordBits, Beats, NarrowBits or NarrowBeats < 1, NarrowBeats > Beats, NarrowBits >
//           WordBits, words of two sizes where there are several of them, IndexBits < 1, Flights
//           < 2, Moduli < 2 or more than the indices name, Checks > 1: at elaboration.
//           Checks = 1: index not below Moduli, and what the multipliers refuse: err_o.
// Partner   tests/units/test_mul_wide_narrow.py.
`default_nettype none

module redc_mul_wide_narrow #(
  /// Bits of a word of the wide multiplier,
  parameter int unsigned WordBits = 64,
  /// and words of its operands.
  parameter int unsigned Beats = 1,
  /// Bits of a word of the narrow multiplier: WordBits, or with a single word each at most that,
  parameter int unsigned NarrowBits = 32,
  /// and words of its operands, at most Beats.
  parameter int unsigned NarrowBeats = 1,
  /// Bits of the parent's modulus index.
  parameter int unsigned IndexBits = 2,
  /// Bits of the narrow multiplier's modulus index.
  parameter int unsigned NarrowIndexBits = 1,
  /// Places of both multipliers together.
  parameter int unsigned Moduli = 3,
  /// Multiplications that are under way at once, at least 2; more have to wait, but for one.
  parameter int unsigned Flights = 16,
  /// 1: an index that names no place is told, its modulus dropped, and its operands go to place 0.
  parameter int unsigned Checks = 0
) (
  input  wire logic                       clk_i,
  /// Active low, synchronous; to be given to the multipliers, too.
  input  wire logic                       rst_ni,

  /// Modulus stream.
  input  wire logic                       mod_valid_i,
  output      logic                       mod_ready_o,
  input  wire logic [WordBits-1:0]        mod_data_i,
  /// High in the last beat of a modulus.
  input  wire logic                       mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0]       mod_idx_i,

  /// Operand stream.
  input  wire logic                       in_valid_i,
  output      logic                       in_ready_o,
  input  wire logic [WordBits-1:0]        a_i,
  input  wire logic [WordBits-1:0]        b_i,
  /// High in the last beat of an operand pair.
  input  wire logic                       in_last_i,
  /// Place of the modulus to use.
  input  wire logic [IndexBits-1:0]       in_idx_i,

  /// Result stream, in order.
  output      logic                       out_valid_o,
  input  wire logic                       out_ready_i,
  output      logic [WordBits-1:0]        p_o,
  output      logic                       out_last_o,

  /// One of the multipliers says so.
  output      logic                       err_o,

  /// The wide multiplier's streams; it has one place.
  output      logic                       wide_mod_valid_o,
  input  wire logic                       wide_mod_ready_i,
  output      logic [WordBits-1:0]        wide_mod_data_o,
  output      logic                       wide_mod_last_o,
  output      logic                       wide_in_valid_o,
  input  wire logic                       wide_in_ready_i,
  output      logic [WordBits-1:0]        wide_a_o,
  output      logic [WordBits-1:0]        wide_b_o,
  output      logic                       wide_in_last_o,
  input  wire logic                       wide_out_valid_i,
  output      logic                       wide_out_ready_o,
  input  wire logic [WordBits-1:0]        wide_p_i,
  input  wire logic                       wide_out_last_i,
  /// Its err_o.
  input  wire logic                       wide_err_i,

  /// The narrow multiplier's streams; its places are the parent's less one.
  output      logic                       narrow_mod_valid_o,
  input  wire logic                       narrow_mod_ready_i,
  output      logic [NarrowBits-1:0]      narrow_mod_data_o,
  output      logic                       narrow_mod_last_o,
  output      logic [NarrowIndexBits-1:0] narrow_mod_idx_o,
  output      logic                       narrow_in_valid_o,
  input  wire logic                       narrow_in_ready_i,
  output      logic [NarrowBits-1:0]      narrow_a_o,
  output      logic [NarrowBits-1:0]      narrow_b_o,
  output      logic                       narrow_in_last_o,
  output      logic [NarrowIndexBits-1:0] narrow_in_idx_o,
  input  wire logic                       narrow_out_valid_i,
  output      logic                       narrow_out_ready_o,
  input  wire logic [NarrowBits-1:0]      narrow_p_i,
  input  wire logic                       narrow_out_last_i,
  /// Its err_o.
  input  wire logic                       narrow_err_i
);

  if (WordBits < 1 || Beats < 1 || NarrowBits < 1 || NarrowBeats < 1) begin : gen_refuse_sizes
    $error(
        "redc_mul_wide_narrow: WordBits=%0d, Beats=%0d, NarrowBits=%0d or NarrowBeats=%0d below 1",
        WordBits, Beats, NarrowBits, NarrowBeats);
  end
  if (NarrowBeats > Beats || NarrowBits > WordBits) begin : gen_refuse_wider
    $error("redc_mul_wide_narrow: %0d words of %0d bits are not within %0d words of %0d",
           NarrowBeats, NarrowBits, Beats, WordBits);
  end
  if (Beats > 1 && NarrowBits != WordBits) begin : gen_refuse_words
    $error("redc_mul_wide_narrow: words of NarrowBits=%0d and of WordBits=%0d do not meet",
           NarrowBits, WordBits);
  end
  if (IndexBits < 1 || NarrowIndexBits < 1) begin : gen_refuse_index_bits
    $error("redc_mul_wide_narrow: IndexBits=%0d or NarrowIndexBits=%0d is below 1",
           IndexBits, NarrowIndexBits);
  end

  if (Moduli < 2 || redc_pkg::index_bits(Moduli) > IndexBits ||
      redc_pkg::index_bits(Moduli - 1) > NarrowIndexBits) begin : gen_refuse_moduli
    $error("redc_mul_wide_narrow: Moduli=%0d below 2 or above IndexBits=%0d, NarrowIndexBits=%0d",
           Moduli, IndexBits, NarrowIndexBits);
  end
  if (Flights < 2) begin : gen_refuse_flights
    $error("redc_mul_wide_narrow: Flights=%0d is below 2", Flights);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_wide_narrow: Checks=%0d is neither 0 nor 1", Checks);
  end

  localparam int unsigned BeatBits = redc_pkg::index_bits(Beats);
  // A multiplication is counted in the cycle behind the one that it begins in.
  localparam int unsigned FlightBits = Flights + 1;

  typedef logic [BeatBits-1:0] beat_t;

  // What is to be known of a word, in registers, as the streams' owner acts on it in the same
  // cycle: it is one of the narrow multiplier's, the last of these, and the last of all.
  typedef struct packed {
    logic head;
    logic head_last;
    logic last;
  } word_t;
  localparam word_t First = '{head: 1'b1, head_last: NarrowBeats == 1, last: Beats == 1};
  // No sum is compared, as that would put its carry chain before the comparison.
  function automatic word_t word_behind(beat_t beat, logic last);
    return last ? First : '{
      head:      NarrowBeats >= Beats || (NarrowBeats > 1 && 32'(beat) < NarrowBeats - 1),
      head_last: NarrowBeats > 1 && 32'(beat) == NarrowBeats - 2,
      last:      Beats > 1 && 32'(beat) == Beats - 2
    };
  endfunction

  // ------------------------------------------------------------------------------------------
  // Modulus
  // ------------------------------------------------------------------------------------------
  beat_t mod_beat_q;
  word_t mod_word_q;
  logic  mod_narrow, mod_head, mod_take, mod_first, mod_first_q;

  assign mod_narrow = mod_idx_i != '0;
  if (Checks != 0) begin : gen_mod_known
    // A modulus without a place has no word that is the narrow one's.
    assign mod_head = mod_word_q.head & redc_pkg::index_in_range(32'(mod_idx_i), Moduli);
  end else begin : gen_mod_any
    assign mod_head = mod_word_q.head;
  end
  assign mod_take   = mod_valid_i & mod_ready_o;
  // A narrow modulus is complete when its last word is taken here, not before.
  assign mod_first  = mod_take ? mod_last_i : mod_first_q;

  assign wide_mod_valid_o   = mod_valid_i & ~mod_narrow;
  assign wide_mod_data_o    = mod_data_i;
  assign wide_mod_last_o    = mod_last_i;
  assign narrow_mod_valid_o = mod_valid_i & mod_narrow & mod_head;
  assign narrow_mod_data_o  = mod_data_i[NarrowBits-1:0];
  assign narrow_mod_last_o  = mod_word_q.head_last;
  assign narrow_mod_idx_o   = NarrowIndexBits'(mod_idx_i - 1'b1);
  assign mod_ready_o        = mod_narrow ? (~mod_head | narrow_mod_ready_i) : wide_mod_ready_i;

  // ------------------------------------------------------------------------------------------
  // Operands
  // ------------------------------------------------------------------------------------------
  beat_t                 in_beat_q;
  logic                  narrow_q, in_narrow, in_pass, in_take, begins, ends;
  word_t                 in_word_q;
  logic                  in_first_q;
  // The word is dropped; a multiplication may begin, as far as that hangs on the modulus and on how
  // many are under way; some are, or were in the cycle before. In registers, as what comes acts on
  // the answer in the same cycle.
  logic                  in_drop_q, may_begin_q, some_q, full;
  // Of multiplications under way there is a bit for each, lowest first; one that began in the cycle
  // before is not among them.
  logic [FlightBits-1:0] flight_q;
  logic                  begun_q;

  if (Checks != 0) begin : gen_in_known
    assign in_narrow = (in_idx_i != '0) & redc_pkg::index_in_range(32'(in_idx_i), Moduli);
  end else begin : gen_in_any
    assign in_narrow = in_idx_i != '0;
  end
  assign in_pass   = ~in_first_q | (may_begin_q & (~some_q | (narrow_q == in_narrow)));
  // One that leaves makes room a cycle later.
  assign full      = begun_q ? flight_q[Flights-2] : flight_q[Flights-1];
  assign in_take   = in_valid_i & in_ready_o;
  assign begins    = in_take & in_first_q;

  // No word of the wide one is dropped: it makes the two alike where they are one multiplier.
  assign wide_in_valid_o   = in_valid_i & ~in_narrow & in_pass & ~in_drop_q;
  assign wide_a_o          = a_i;
  assign wide_b_o          = b_i;
  assign wide_in_last_o    = in_last_i;
  assign narrow_in_valid_o = in_valid_i & in_narrow & in_pass & ~in_drop_q;
  assign narrow_a_o        = a_i[NarrowBits-1:0];
  assign narrow_b_o        = b_i[NarrowBits-1:0];
  assign narrow_in_last_o  = in_word_q.head_last;
  assign narrow_in_idx_o   = NarrowIndexBits'(in_idx_i - 1'b1);
  assign in_ready_o        = in_pass
                           & (in_drop_q | (in_narrow ? narrow_in_ready_i : wide_in_ready_i));

  // ------------------------------------------------------------------------------------------
  // Results
  // ------------------------------------------------------------------------------------------
  beat_t out_beat_q;
  word_t out_word_q;
  logic  out_head, out_take, owed;

  // The narrow one may be ready before the last word of its operands is dropped here, so that a
  // multiplication whose words are still coming is not owed, counted already or not.
  assign owed               = (in_first_q | begun_q) ? flight_q[0] : flight_q[1];
  assign out_head           = out_word_q.head;
  assign out_valid_o        = owed
                            & (narrow_q ? (~out_head | narrow_out_valid_i) : wide_out_valid_i);
  assign out_last_o         = narrow_q ? out_word_q.last : wide_out_last_i;
  assign p_o                = (narrow_q ? WordBits'(narrow_p_i) : wide_p_i) & {WordBits{out_head}};
  assign wide_out_ready_o   = out_ready_i & owed & ~narrow_q & out_head;
  assign narrow_out_ready_o = out_ready_i & owed & narrow_q & out_head;
  assign out_take           = out_valid_o & out_ready_i;
  assign ends               = out_take & out_last_o;

  if (Checks != 0) begin : gen_checks
    logic err_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) err_q <= 1'b0;
      else
        err_q <= err_q | (mod_take & ~redc_pkg::index_in_range(32'(mod_idx_i), Moduli))
               | (in_take & ~redc_pkg::index_in_range(32'(in_idx_i), Moduli));
    end
    assign err_o = wide_err_i | narrow_err_i | err_q;
  end else begin : gen_no_checks
    assign err_o = wide_err_i | narrow_err_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mod_beat_q <= '0;
      in_beat_q  <= '0;
      out_beat_q <= '0;
      flight_q   <= '0;
      {narrow_q, begun_q, some_q, in_drop_q} <= '0;
      may_begin_q                           <= 1'b1;
      {mod_first_q, in_first_q}             <= '1;
      {mod_word_q, in_word_q, out_word_q}   <= {3{First}};
    end else begin
      if (mod_take) begin
        mod_beat_q  <= mod_last_i ? '0 : mod_beat_q + 1'b1;
        mod_word_q  <= word_behind(mod_beat_q, mod_last_i);
      end
      mod_first_q <= mod_first;
      may_begin_q <= mod_first & ~full;
      if (in_take) begin
        in_beat_q  <= in_last_i ? '0 : in_beat_q + 1'b1;
        in_word_q  <= word_behind(in_beat_q, in_last_i);
        in_drop_q  <= in_narrow & ~in_last_i & ~word_behind(in_beat_q, 1'b0).head;
        in_first_q <= in_last_i;
      end
      some_q <= begins | begun_q | flight_q[0];
      if (out_take) begin
        out_beat_q <= out_last_o ? '0 : out_beat_q + 1'b1;
        out_word_q <= word_behind(out_beat_q, out_last_o);
        // All are words of the wide one, so that one register says what may leave.
        if (!narrow_q) out_word_q.head <= 1'b1;
      end
      begun_q <= begins;
      if (begun_q != ends)
        flight_q <= begun_q ? {flight_q[FlightBits-2:0], 1'b1} : {1'b0, flight_q[FlightBits-1:1]};
      // What begins beside others is of their kind.
      if (in_valid_i && in_first_q && !some_q) narrow_q <= in_narrow;
    end
  end

  // The beats counted here say the same.
  wire unused = ^{a_i, b_i, mod_data_i, narrow_out_last_i, mod_word_q, in_word_q, out_word_q};

endmodule

`default_nettype wire
