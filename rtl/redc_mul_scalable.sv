// SPDX-License-Identifier: Apache-2.0
// redc_mul_scalable: word-serial Montgomery product of any precision, p = a * b * 2^-RBits mod m.
//
// Contract  multiplier contract; words of Word bits, as many beats as the modulus had, up to
//           ceil(MaxWidth / Word): the precision is set at run time. m odd, operands below m,
//           Bound 1. RBits = Passes * Stages * log2(Radix), Passes as below.
// Method    MWR2^kMM (Tenca, Todorov, Koc 2001): a pipeline of Stages cells, each takes a digit
//           of a and sees the words of S, b and m go by; S, in carry-save form, goes round as
//           often as a has digits for. Booth digits for radix 4 and 8. Words move when their
//           data is there, so that no stall signal reaches all stages. S and S - m are formed
//           as the last words leave (redc_mul_scalable_reduce).
// Timing    n = beats * Word; Passes = ceil((n, + 1 for radix 4 and 8) / (Stages * log2(Radix)));
//           Slots = max(beats + 1, Stages); Pass = max(Slots, 2 * Stages + Retimed);
//           latency = (Passes - 1) * Pass + 2 * Stages + 2 * beats + 2 + Retimed;
//           interval = max((Passes - 1) * Pass + Slots, (latency + 1) / 2)
//           (redc_mul_scalable_pkg).
// Leakage   cycle counts depend on parameters and on the modulus's number of words alone. Memories
//           keep operands until overwritten.
// Refuses   MaxWidth < 4 or > 8192, Radix other than 2, 4, 8, Word < 2 * log2(Radix) or > 256,
//           Stages < 1 or > 1024, Moduli < 1 or > 1024: at elaboration.
//           Checks = 1: even modulus, one of too many words, operand not below m, an operand's last
//           beat where the modulus had none, index not below Moduli: err_o.
// Partner   src/redcore/families/scalable.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_scalable #(
  /// 2, 4 or 8; 4 and 8 take Booth digits.
  parameter int unsigned Radix = 8,
  /// Bits of a word, at least two digits.
  parameter int unsigned Word = 8,
  /// Cells of the pipeline.
  parameter int unsigned Stages = 15,
  /// 1: quotient digits found a cycle ahead, for a higher clock and a cycle more each time round.
  parameter int unsigned Retimed = 1,
  /// 0: operands, moduli, results and words between the passes in block memory. 1: in distributed
  /// memory.
  parameter int unsigned Storage = 1,
  /// Longest modulus in bits, 4 to 8192.
  parameter int unsigned MaxWidth = 256,
  /// Moduli held, each with its own precision.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Primitives: 0 generic, 1 ECP5, 2 Xilinx (redc_prim_full_adder).
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits  = redc_pkg::max(Word, 2),
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; empties the pipeline and forgets that a modulus is loaded.
  input  wire logic                 rst_ni,

  /// Modulus stream. Waits, and holds the operand stream, until nothing is in flight.
  input  wire logic                 mod_valid_i,
  output      logic                 mod_ready_o,
  input  wire logic [WordBits-1:0]  mod_data_i,
  /// High in the last beat of a modulus: it sets the precision of its place.
  input  wire logic                 mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0] mod_idx_i,

  /// Operand stream.
  input  wire logic                 in_valid_i,
  output      logic                 in_ready_o,
  input  wire logic [WordBits-1:0]  a_i,
  input  wire logic [WordBits-1:0]  b_i,
  /// High in the last beat of an operand pair.
  input  wire logic                 in_last_i,
  /// Place of the modulus to use.
  input  wire logic [IndexBits-1:0] in_idx_i,

  /// Result stream, in order.
  output      logic                 out_valid_o,
  input  wire logic                 out_ready_i,
  output      logic [WordBits-1:0]  p_o,
  output      logic                 out_last_o,

  /// Sticky until reset; see Checks.
  output      logic                 err_o
);

  import redc_mul_scalable_pkg::*;

  if (Radix != 2 && Radix != 4 && Radix != 8) begin : gen_refuse_radix
    $error("redc_mul_scalable: Radix=%0d is neither 2 nor 4 nor 8", Radix);
  end
  if (Word < 2 * digit_bits(Radix) || Word > 256) begin : gen_refuse_word
    $error("redc_mul_scalable: Word=%0d is not within %0d, two digits, to 256", Word,
           2 * digit_bits(Radix));
  end
  if (Stages < 1 || Stages > 1024) begin : gen_refuse_stages
    $error("redc_mul_scalable: Stages=%0d is not within 1 to 1024", Stages);
  end
  if (Retimed > 1 || Storage > 1 || Checks > 1) begin : gen_refuse_switches
    $error("redc_mul_scalable: Retimed=%0d, Storage=%0d or Checks=%0d is neither 0 nor 1", Retimed,
           Storage, Checks);
  end
  if (MaxWidth < 4 || MaxWidth > 8192) begin : gen_refuse_max_width
    $error("redc_mul_scalable: MaxWidth=%0d is not within 4 to 8192", MaxWidth);
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_mul_scalable: Moduli=%0d is not within 1 to 1024", Moduli);
  end
  if (Technology > 2) begin : gen_refuse_technology
    $error("redc_mul_scalable: Technology=%0d is not within 0 to 2", Technology);
  end

  // An illegal set must reach its own message above, not a vector of no bits.
  localparam int unsigned K          = digit_bits(Radix);
  localparam int unsigned Bits       = redc_pkg::max(Word, 2 * K);
  localparam int unsigned Cells      = redc_pkg::max(Stages, 1);
  localparam int unsigned Places     = redc_pkg::max(Moduli, 1);
  localparam sizes_t      Sizes      = sizes('{width: redc_pkg::max(MaxWidth, 1), radix: Radix,
                                               word: Bits, stages: Cells, retimed: Retimed != 0});
  localparam int unsigned MaxBeats   = Sizes.beats;
  localparam int unsigned CountBits  = $clog2(MaxBeats + 2);
  localparam int unsigned SlotBits   = $clog2(Sizes.pass_slots + 1);
  localparam int unsigned PlaceBits  = redc_pkg::index_bits(MaxBeats);
  localparam int unsigned LeftBits   = $clog2(MaxBeats * Bits + 2);
  localparam int unsigned Kind       = (Storage == 0) ? 2 : 1;  // as redc_prim_ram counts
  localparam logic [Bits-1:0] Bias   = (Radix == 2) ? '0 : Bits'(1 << (K - 1));

  typedef logic [CountBits-1:0] count_t;
  typedef logic [LeftBits-1:0]  left_t;

  // Where a slot of a pass stands.
  typedef struct packed {
    logic operand; // a word of an operand
    logic top;     // the word above it
    logic digit;   // brings a cell its digit
    logic ends;    // last of the pass
  } where_t;

  // A modulus has a word at least, so the first slot stands there whatever the modulus.
  localparam where_t FirstSlot = '{operand: 1'b1, top: 1'b0, digit: 1'b1, ends: 1'b0};

  typedef struct packed {
    flow_t           flow;
    logic [K:0]      digit;
    logic [Bits-1:0] sum;
    logic [Bits-1:0] carry;
    logic [Bits-1:0] y;
    logic [Bits-1:0] m;
  } word_t;

  // ------------------------------------------------------------------------------------------
  // Control: the streams, and which word enters the first stage.
  // ------------------------------------------------------------------------------------------
  logic       in_fire, mod_fire, start, finish, last_slot, issue, round_valid;
  logic [1:0] flight_q, flight_d;

  // Issued are: operand words as they come, words of S as they come round, or words for the digits
  // (and, the first time, the top), which wait for nothing.
  logic                running_q, first_pass_q, round_q, free_q;
  logic                running_d, first_pass_d, operand_d;
  logic                final_pass, final_pass_q, next_final_q;
  logic [SlotBits-1:0] slot_q, slot_next;
  where_t              where_q, where_d;
  count_t              beats_now;
  left_t               left_now, left_q;
  logic                some_waits, round_there;

  assign start    = in_fire & ~running_q;
  assign finish   = out_valid_o & out_ready_i & out_last_o;
  assign flight_d = flight_q + 2'(start) - 2'(finish);

  function automatic where_t where(logic [SlotBits-1:0] of_slot, count_t word_count);
    automatic logic operand = of_slot < SlotBits'(word_count);
    // Signed, because with one stage nothing unsigned is below Cells - 1, which is a lint error.
    return '{operand: operand, top: of_slot == SlotBits'(word_count),
             digit: 32'(of_slot) < Cells, ends: ~operand & (int'(of_slot) >= int'(Cells) - 1)};
  endfunction

  // Whether a word comes round is known late in the cycle. So where the next slot stands is worked
  // out beside that, not behind it.
  assign issue     = in_fire | free_q | (round_q & round_there);
  assign last_slot = issue & where_q.ends;
  assign slot_next = where_q.ends ? '0 : slot_q + 1'b1;
  assign where_d   = last_slot ? FirstSlot : issue ? where(slot_q + 1'b1, beats_now) : where_q;

  assign final_pass   = start ? (32'(left_now) <= Sizes.pass_bits) : final_pass_q;
  assign running_d    = start | (running_q & ~(last_slot & final_pass_q));
  assign first_pass_d = start | (first_pass_q & ~last_slot);
  // Whether the next slot is a word of an operand. None in a first pass waits for what comes round.
  assign operand_d    = in_fire ? (slot_q + 1'b1 < SlotBits'(beats_now))
                                : (first_pass_q & where_q.operand);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {running_q, first_pass_q, round_q, free_q, slot_q, flight_q} <= '0;
      where_q      <= FirstSlot;
    end else begin
      running_q    <= running_d;
      first_pass_q <= first_pass_d;
      round_q      <= running_d & ~first_pass_d & (where_d.operand | where_d.top);
      free_q       <= running_d & ~where_d.operand & (first_pass_d | ~where_d.top);
      if (issue) slot_q <= slot_next;
      where_q      <= where_d;
      flight_q     <= flight_d;
    end
    // Multiplier bits that are left for this pass and later ones. A pass has two slots at least, so
    // that what is told of the next one is of this one's bits when the last slot comes.
    if (start) left_q <= left_now;
    else if (last_slot) left_q <= left_q - left_t'(Sizes.pass_bits);
    next_final_q <= 32'(start ? left_now : left_q) <= 2 * Sizes.pass_bits;
    final_pass_q <= last_slot ? next_final_q : final_pass;
  end

  logic bad, open_next, mod_open_next, no_modulus;
  redc_mul_shell #(
    .Width(1), .WordBits(WordBits), .Moduli(Places), .Checks(Checks), .Ahead(1), .Waits(1'b1),
    .ManyBeats(1'b1), .ChainBits(0)
  ) i_shell (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i,
    .free_i(~running_d & (flight_d != 2'(Sizes.slots))), .more_i(operand_d),
    .idle_i(flight_d == '0), .accept_o(in_fire), .open_next_o(open_next),
    .mod_accept_o(mod_fire), .mod_open_next_o(mod_open_next), .modulus_o(no_modulus),
    .bad_i(bad), .err_o
  );
  wire unused_shell = ^{open_next, mod_open_next, no_modulus};

  logic [PlaceBits-1:0] place, read_place;
  logic [Bits-1:0]      m_word;
  // What is read in the slot of the word on top is masked: memories need no place for it.
  assign place      = PlaceBits'(slot_q);
  assign read_place = (Storage == 0) ? PlaceBits'(slot_next) : place;
  redc_mul_scalable_modulus #(
    .Word(Bits), .MaxBeats(MaxBeats), .MoreBits(Sizes.more_bits), .Moduli(Places),
    .Storage(Kind), .Checks(Checks)
  ) i_modulus (
    .clk_i, .rst_ni, .mod_accept_i(mod_fire), .mod_data_i(mod_data_i[Bits-1:0]), .mod_last_i,
    .mod_idx_i, .accept_i(in_fire), .a_i(a_i[Bits-1:0]), .b_i(b_i[Bits-1:0]), .last_i(in_last_i),
    .idx_i(in_idx_i), .start_i(start), .running_i(running_q), .slot_i(read_place),
    .next_i(issue), .ends_i(slot_q + 1'b1 == SlotBits'(beats_now)), .word_o(m_word),
    .beats_o(beats_now), .left_o(left_now), .bad_o(bad)
  );

  // ------------------------------------------------------------------------------------------
  // Operands: b word by word again and again, a in digits.
  // ------------------------------------------------------------------------------------------
  logic [Bits-1:0] b_word;
  logic [K:0]      digit;
  redc_prim_ram #(.Bits(Bits), .Depth(MaxBeats), .Storage(Kind)) i_b (
    .clk_i, .write_i(in_fire), .write_address_i(place), .write_data_i(b_i[Bits-1:0]),
    .read_i(issue), .read_address_i(read_place), .read_data_o(b_word)
  );

  redc_mul_scalable_digits #(
    .Radix(Radix), .Word(Bits), .MaxBeats(MaxBeats), .Storage(Kind)
  ) i_digits (
    .clk_i, .rst_ni, .write_i(in_fire), .word_i(a_i[Bits-1:0]), .start_i(start),
    .take_i(issue & where_q.digit), .digit_o(digit)
  );

  // ------------------------------------------------------------------------------------------
  // The pipeline, and the words of S that wait to go round again.
  // ------------------------------------------------------------------------------------------
  word_t           entry, last;
  word_t [Cells:0] word;
  logic [2*Bits:0] round_word, stored_word, last_word, unused_next;
  logic [$clog2(Sizes.round_depth + 1)-1:0] unused_level;

  assign last        = word[Cells];
  assign last_word   = {last.flow.hidden, last.carry, last.sum};
  assign round_valid = last.flow.valid & last.flow.data & ~last.flow.final_pass;
  assign round_there = some_waits | round_valid;
  assign round_word  = some_waits ? stored_word : last_word;
  // A word that is asked for as it comes does not wait.
  redc_prim_queue #(.Bits(2 * Bits + 1), .Depth(Sizes.round_depth), .Storage(Kind)) i_round (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(1'b0), .write_i(round_valid), .data_i(last_word),
    .push_i(round_valid & (some_waits | ~round_q)), .pop_i(some_waits & round_q),
    .head_o(stored_word), .head_next_o(unused_next), .level_o(unused_level), .some_o(some_waits)
  );

  logic first_pass;
  assign first_pass = first_pass_q | ~running_q;
  always_comb begin
    entry.flow.valid      = issue;
    entry.flow.first      = (slot_q == '0);
    entry.flow.top        = where_q.top;
    entry.flow.data       = where_q.operand | where_q.top;
    entry.flow.final_pass = final_pass;
    entry.flow.hidden     = ~first_pass & round_word[2*Bits];
    entry.digit           = digit;
    entry.sum             = first_pass ? (where_q.top ? Bias : '0) : round_word[Bits-1:0];
    entry.carry           = first_pass ? '0 : round_word[2*Bits-1:Bits];
    entry.y               = where_q.top ? '0 : first_pass ? b_i[Bits-1:0] : b_word;
    entry.m               = where_q.top ? '0 : m_word;
  end

  if (Retimed != 0) begin : gen_ahead
    // What the first stage has to see a cycle ahead.
    word_t entry_q;
    always_ff @(posedge clk_i) begin
      entry_q <= entry;
      if (!rst_ni) entry_q.flow.valid <= 1'b0;
    end
    assign word[0] = entry_q;
  end else begin : gen_direct
    assign word[0] = entry;
  end

  for (genvar stage = 0; stage < Cells; stage++) begin : gen_stage
    redc_mul_scalable_stage #(
      .Radix(Radix), .Word(Bits), .Retimed(Retimed), .Technology(Technology)
    ) i_stage (
      .clk_i, .rst_ni, .flow_i(word[stage].flow), .digit_i(word[stage].digit),
      .sum_i(word[stage].sum), .carry_i(word[stage].carry), .y_i(word[stage].y),
      .m_i(word[stage].m), .flow_o(word[stage+1].flow), .digit_o(word[stage+1].digit),
      .sum_o(word[stage+1].sum), .carry_o(word[stage+1].carry), .y_o(word[stage+1].y),
      .m_o(word[stage+1].m)
    );
  end
  wire unused_last = ^{last.digit, last.y};

  // ------------------------------------------------------------------------------------------
  // Result
  // ------------------------------------------------------------------------------------------
  logic [Bits-1:0] p;
  redc_mul_scalable_reduce #(.Word(Bits), .MaxBeats(MaxBeats), .Storage(Kind)) i_reduce (
    .clk_i, .rst_ni, .flow_i(last.flow), .sum_i(last.sum), .carry_i(last.carry), .m_i(last.m),
    .out_valid_o, .out_ready_i, .p_o(p), .out_last_o
  );
  assign p_o = WordBits'(p);

endmodule

`default_nettype wire
