// SPDX-License-Identifier: Apache-2.0
// redc_proof_contract: the multiplier contract as properties, around one core of any family.
//
// Contract  the core is redc_proof_dut and the sizes are redc_proof_pkg, both written by
//           src/redcore/verify/harness.py for the design at hand.
// Method    every any_* input is chosen by the solver in every cycle. Outputs bad_* must never be
//           1; outputs cover_* must be reachable, or the bad_* of the same name proves nothing;
//           outputs see_* are there for the counterexample's table. One multiplication, the picked
//           one, carries fixed operands and a fixed modulus and is followed to its result; all
//           others, and moduli at other times, are arbitrary, out-of-range and even ones included.
//           Reset may come at any time; the first cycle is a reset with arbitrary registers.
// Partner   src/redcore/verify/properties.py names each property in words.
`default_nettype none

module redc_proof_contract
  import redc_proof_pkg::*;
(
    input  logic                   clk_i,
    input  logic                   any_reset_i,
    // Fixed for the whole run: read in the first cycle only.
    input  logic [OperandBits-1:0] any_picked_a_i,
    input  logic [OperandBits-1:0] any_picked_b_i,
    input  logic [      Width-1:0] any_picked_m_i,
    input  logic [    IdxBits-1:0] any_picked_idx_i,
    // Chosen anew in every cycle.
    input  logic                   any_pick_i,
    input  logic                   any_pick_modulus_i,
    input  logic                   any_mod_valid_i,
    input  logic [   WordBits-1:0] any_mod_data_i,
    input  logic [    IdxBits-1:0] any_mod_idx_i,
    input  logic                   any_in_valid_i,
    input  logic [   WordBits-1:0] any_a_i,
    input  logic [   WordBits-1:0] any_b_i,
    input  logic [    IdxBits-1:0] any_in_idx_i,
    input  logic                   any_out_ready_i,
    // Violations.
    output logic                   bad_result_o,
    output logic                   bad_last_o,
    output logic                   bad_stable_o,
    output logic                   bad_invented_o,
    output logic                   bad_lost_o,
    output logic                   bad_capacity_o,
    output logic                   bad_latency_o,
    output logic                   bad_answer_o,
    output logic                   bad_in_ready_o,
    output logic                   bad_mod_ready_o,
    output logic                   bad_error_o,
    // What the checks need to have seen.
    output logic                   cover_result_o,
    output logic                   cover_last_o,
    output logic                   cover_stable_o,
    output logic                   cover_invented_o,
    output logic                   cover_lost_o,
    output logic                   cover_capacity_o,
    output logic                   cover_latency_o,
    output logic                   cover_answer_o,
    output logic                   cover_in_ready_o,
    output logic                   cover_mod_ready_o,
    output logic                   cover_error_o,
    // The run as seen at the core's ports, for people.
    output logic                   see_reset,
    output logic                   see_mod_valid,
    output logic                   see_mod_ready,
    output logic [   WordBits-1:0] see_mod_data,
    output logic                   see_in_valid,
    output logic                   see_in_ready,
    output logic [   WordBits-1:0] see_a,
    output logic [   WordBits-1:0] see_b,
    output logic                   see_out_valid,
    output logic                   see_out_ready,
    output logic [   WordBits-1:0] see_p,
    output logic                   see_picked,
    output logic [OperandBits-1:0] see_expected,
    output logic [  CountBits-1:0] see_in_flight,
    output logic                   see_err
);

  localparam logic [BeatBits-1:0] LastBeat = BeatBits'(Beats - 1);
  localparam int unsigned PaddedBits = Beats * WordBits;

  // Reset in the first cycle, then whenever the solver likes.
  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  logic rst_n;
  assign rst_n = started_q & ~any_reset_i;

  // ---- fixed values of the picked multiplication ------------------------------------------------
  logic [OperandBits-1:0] a_q, b_q;
  logic [Width-1:0] m_q;
  logic [IdxBits-1:0] idx_q;
  always_ff @(posedge clk_i) begin
    if (!started_q) begin
      a_q   <= any_picked_a_i;
      b_q   <= any_picked_b_i;
      m_q   <= any_picked_m_i;
      idx_q <= (32'(any_picked_idx_i) < Moduli) ? any_picked_idx_i : '0;
    end
  end

  localparam int unsigned LimitBits = OperandBits + Width + 2;
  logic [LimitBits-1:0] limit;
  logic legal;
  assign limit = LimitBits'(Bound) * LimitBits'(m_q);
  assign legal = takes(m_q) & (LimitBits'(a_q) < limit) & (LimitBits'(b_q) < limit);

  // The right answer, from the product of integers: halve modulo m RBits times, then reduce.
  // Nothing here is interleaved with the multiplication, as it is in the cores.
  localparam int unsigned SumBits = 2 * OperandBits + 2;
  localparam int unsigned WideBits = SumBits + ReduceLevels;
  logic [WideBits-1:0] residue;
  always_comb begin
    residue = WideBits'(a_q) * WideBits'(b_q);
    for (int unsigned i = 0; i < RBits; i++) begin
      residue = (residue + (residue[0] ? WideBits'(m_q) : '0)) >> 1;
    end
    for (int unsigned i = 0; i < ReduceLevels; i++) begin
      if (residue >= (WideBits'(m_q) << (ReduceLevels - 1 - i))) begin
        residue = residue - (WideBits'(m_q) << (ReduceLevels - 1 - i));
      end
    end
  end

  // ---- the streams ------------------------------------------------------------------------------
  // Of one place an index says nothing; of several it names one that is there.
  function automatic logic [IdxBits-1:0] legal_index(input logic [IdxBits-1:0] index);
    return ((Moduli == 1) | (32'(index) < Moduli)) ? index : '0;
  endfunction
  function automatic logic [IdxBits-1:0] place(input logic [IdxBits-1:0] index);
    return (Moduli == 1) ? '0 : index;
  endfunction
  logic mod_valid, mod_ready, mod_last, in_valid, in_ready, in_last;
  logic out_valid, out_ready, out_last, err;
  logic [WordBits-1:0] mod_data, a, b, p;
  logic [IdxBits-1:0] mod_idx, in_idx;
  logic [BeatBits-1:0] mod_beat_q, in_beat_q, out_beat_q;

  // Senders keep an offer up, unchanged, until it is taken: the rule the core keeps for its
  // results. Modulus stream: with a first beat, the solver says whether this is the picked modulus.
  logic mod_waits_q, mod_first, mod_fire, mod_is_picked, mod_is_picked_q;
  logic [IdxBits-1:0] mod_idx_q, in_idx_q;
  logic [WordBits-1:0] mod_data_q, word_a_q, word_b_q;
  assign mod_first     = (mod_beat_q == '0);
  assign mod_is_picked = (mod_first & ~mod_waits_q) ? any_pick_modulus_i : mod_is_picked_q;
  assign mod_valid     = rst_n & (any_mod_valid_i | mod_waits_q);
  assign mod_last      = (mod_beat_q == LastBeat);
  assign mod_fire      = mod_valid & mod_ready;
  always_comb begin
    logic [PaddedBits-1:0] words;
    words = PaddedBits'(m_q) >> (WordBits * 32'(mod_beat_q));
    if (mod_waits_q) mod_data = mod_data_q;
    else if (mod_is_picked) mod_data = words[WordBits-1:0];
    else mod_data = any_mod_data_i;
    if (!mod_first | mod_waits_q) mod_idx = mod_idx_q;
    else if (any_pick_modulus_i & (Moduli > 1)) mod_idx = idx_q;
    else mod_idx = legal_index(any_mod_idx_i);
  end

  // Which places hold a modulus at all, and whether the picked place holds the picked modulus.
  logic [Moduli-1:0] loaded_q;
  logic picked_loaded_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      loaded_q        <= '0;
      picked_loaded_q <= 1'b0;
      mod_beat_q      <= '0;
    end else if (mod_fire) begin
      mod_beat_q        <= mod_last ? '0 : mod_beat_q + 1'b1;
      loaded_q[place(mod_idx)] <= mod_last;
      if (place(mod_idx) == idx_q) picked_loaded_q <= mod_last & mod_is_picked;
    end
    mod_waits_q     <= mod_valid & ~mod_ready;
    mod_idx_q       <= mod_idx;
    mod_data_q      <= mod_data;
    mod_is_picked_q <= mod_is_picked;
  end

  // Operand stream: never before the modulus; the picked operands count at most once, and only
  // where the picked modulus stands in its place and is not replaced in the same cycle.
  logic in_waits_q, in_first, in_fire, offers_picked, offers_picked_q, is_picked, picked_done_q;
  logic may_pick;
  assign in_first = (in_beat_q == '0);
  assign may_pick = ~picked_done_q & picked_loaded_q & legal;
  assign offers_picked = (in_first & ~in_waits_q) ? (any_pick_i & may_pick) : offers_picked_q;
  assign is_picked = offers_picked & may_pick & ~(mod_fire & (place(mod_idx) == idx_q));
  assign in_valid = rst_n & (in_waits_q | (any_in_valid_i & (~in_first | loaded_q[place(in_idx)])));
  assign in_last  = (in_beat_q == LastBeat);
  assign in_fire  = in_valid & in_ready;
  always_comb begin
    logic [PaddedBits-1:0] a_words, b_words;
    a_words = PaddedBits'(a_q) >> (WordBits * 32'(in_beat_q));
    b_words = PaddedBits'(b_q) >> (WordBits * 32'(in_beat_q));
    if (in_waits_q) {a, b} = {word_a_q, word_b_q};
    else if (offers_picked) {a, b} = {a_words[WordBits-1:0], b_words[WordBits-1:0]};
    else {a, b} = {any_a_i, any_b_i};
    if (!in_first | in_waits_q) in_idx = in_idx_q;
    else if (any_pick_i & may_pick & (Moduli > 1)) in_idx = idx_q;
    else in_idx = legal_index(any_in_idx_i);
  end

  assign out_ready = rst_n & any_out_ready_i;
  logic out_fire, delivered, accepted;
  assign out_fire  = out_valid & out_ready;
  assign delivered = out_fire & (out_beat_q == LastBeat);
  assign accepted  = in_fire & in_first;

  redc_proof_dut u_dut (
      .clk_i      (clk_i),
      .rst_ni     (rst_n),
      .mod_valid_i(mod_valid),
      .mod_ready_o(mod_ready),
      .mod_data_i (mod_data),
      .mod_last_i (mod_last),
      .mod_idx_i  (mod_idx),
      .in_valid_i (in_valid),
      .in_ready_o (in_ready),
      .a_i        (a),
      .b_i        (b),
      .in_last_i  (in_last),
      .in_idx_i   (in_idx),
      .out_valid_o(out_valid),
      .out_ready_i(out_ready),
      .p_o        (p),
      .out_last_o (out_last),
      .err_o      (err)
  );

  // ---- how many are in flight, and where the picked one is --------------------------------------
  logic [CountBits-1:0] in_flight_q, in_flight_d, ahead_q;
  logic picked_q;
  assign in_flight_d = in_flight_q + CountBits'(accepted) - CountBits'(delivered);
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      in_flight_q   <= '0;
      in_beat_q     <= '0;
      out_beat_q    <= '0;
      picked_q      <= 1'b0;
      picked_done_q <= 1'b0;
      ahead_q       <= '0;
    end else begin
      in_flight_q <= in_flight_d;
      if (in_fire) in_beat_q <= in_last ? '0 : in_beat_q + 1'b1;
      if (out_fire) out_beat_q <= (out_beat_q == LastBeat) ? '0 : out_beat_q + 1'b1;
      if (accepted & is_picked) begin
        picked_q      <= 1'b1;
        picked_done_q <= 1'b1;
        ahead_q       <= in_flight_q - CountBits'(delivered);
      end else if (picked_q & delivered) begin
        if (ahead_q == '0) picked_q <= 1'b0;
        else ahead_q <= ahead_q - 1'b1;
      end
    end
    in_waits_q      <= in_valid & ~in_ready;
    offers_picked_q <= offers_picked;
    in_idx_q        <= in_idx;
    word_a_q        <= a;
    word_b_q        <= b;
  end

  // ---- 1. the result ----------------------------------------------------------------------------
  logic is_answer;
  logic [WordBits-1:0] low_word, high_word;
  assign is_answer = rst_n & out_valid & picked_q & (ahead_q == '0);
  // With Bound 2 there are two right answers; the words of one of them must all match.
  logic low_q, high_q, low_now, high_now;
  always_comb begin
    logic [PaddedBits-1:0] low_words, high_words;
    low_words  = PaddedBits'(residue[OperandBits-1:0]);
    high_words = PaddedBits'(residue + WideBits'(m_q));
    low_words  = low_words >> (WordBits * 32'(out_beat_q));
    high_words = high_words >> (WordBits * 32'(out_beat_q));
    low_word   = low_words[WordBits-1:0];
    high_word  = high_words[WordBits-1:0];
    low_now    = ((out_beat_q == '0) | low_q) & (p == low_word);
    high_now   = (Bound == 2) & ((out_beat_q == '0) | high_q) & (p == high_word);
  end
  always_ff @(posedge clk_i) begin
    if (out_fire) begin
      low_q  <= low_now;
      high_q <= high_now;
    end
  end
  assign bad_result_o   = is_answer & ~low_now & ~high_now;
  // Non-trivial: a full-width modulus, and neither an operand nor the result 0 or 1.
  assign cover_result_o = is_answer & (out_beat_q == LastBeat) & m_q[Width-1] &
                          (a_q > OperandBits'(1)) & (b_q > OperandBits'(1)) & (a_q != b_q) &
                          (residue > WideBits'(1));

  assign bad_last_o   = rst_n & out_valid & (out_last != (out_beat_q == LastBeat));
  assign cover_last_o = rst_n & out_valid & out_last;

  // ---- 2. handshakes ----------------------------------------------------------------------------
  logic held_q, held_last_q;
  logic [WordBits-1:0] held_p_q;
  always_ff @(posedge clk_i) begin
    held_q      <= rst_n & out_valid & ~out_ready;
    held_p_q    <= p;
    held_last_q <= out_last;
  end
  assign bad_stable_o = rst_n & held_q & (~out_valid | (p != held_p_q) | (out_last != held_last_q));
  assign cover_stable_o = rst_n & held_q & (held_p_q > WordBits'(1));

  assign bad_invented_o   = rst_n & out_valid & (in_flight_q == '0);
  assign cover_invented_o = rst_n & out_valid & (in_flight_q == CountBits'(1)) & (p > WordBits'(1));

  assign bad_capacity_o   = rst_n & (in_flight_q > CountBits'(Capacity));
  assign cover_capacity_o = rst_n & (in_flight_q >= CountBits'(Slots));

  // Nothing lost: once nothing enters and the output is taken, all that was accepted comes out.
  logic [TimeBits-1:0] drain_q;
  logic drained;
  assign drained = (drain_q == TimeBits'(AnswerLimit));
  always_ff @(posedge clk_i) begin
    if (!rst_n | in_valid | ~out_ready) drain_q <= '0;
    else if (!drained) drain_q <= drain_q + 1'b1;
  end
  // Part of an operand, where it has several beats, is no multiplication yet.
  assign bad_lost_o = rst_n & drained & in_first & (in_flight_q != '0);
  logic was_full_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) was_full_q <= 1'b0;
    else if ((in_flight_q >= CountBits'(Slots)) & out_valid & ~out_ready) was_full_q <= 1'b1;
  end
  assign cover_lost_o = rst_n & drained & was_full_q;

  // Exactly the stated latency for a multiplication with nothing else in flight and no stall.
  logic [TimeBits-1:0] lone_time_q;
  logic lone_q, lone_checked;
  assign lone_checked = rst_n & lone_q & out_ready & (in_first | in_valid) & ~accepted;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      lone_q <= 1'b0;
    end else if (accepted) begin
      lone_q <= (in_flight_q == CountBits'(delivered));
    end else if (~out_ready | (~in_first & ~in_valid) | delivered) begin
      lone_q <= 1'b0;
    end
    lone_time_q <= accepted ? TimeBits'(1) : lone_time_q + TimeBits'(1);
  end
  assign bad_latency_o   = lone_checked & ((lone_time_q == TimeBits'(Latency)) != delivered);
  assign cover_latency_o = lone_checked & (lone_time_q == TimeBits'(Latency)) & (p > WordBits'(1));

  // Within the stated limit for any multiplication, whatever is ahead of it, while taken at once.
  logic [TimeBits-1:0] answer_time_q;
  logic answer_timed_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) answer_timed_q <= 1'b0;
    else if (accepted & is_picked) answer_timed_q <= 1'b1;
    else if (~out_ready | (~in_first & ~in_valid) | (delivered & (ahead_q == '0))) begin
      answer_timed_q <= 1'b0;
    end
    if (accepted & is_picked) answer_time_q <= TimeBits'(1);
    else if (answer_time_q != TimeBits'(AnswerLimit + 1)) answer_time_q <= answer_time_q + 1'b1;
  end
  assign bad_answer_o   = rst_n & answer_timed_q & (answer_time_q == TimeBits'(AnswerLimit + 1));
  assign cover_answer_o = rst_n & answer_timed_q & delivered & (ahead_q == '0) & was_full_q;

  // Ready comes: for operands while results are taken and no modulus asks to enter or is half way
  // in, for a modulus while results are taken, whatever operands wait; but no sender stops between
  // its beats. So of both streams that wait the modulus gets in, and then the operands.
  // A modulus waits for the last answer, and a core may learn through registers that it has left:
  // one counts what is inside, one says that this is nothing, one is the ready.
  localparam int unsigned ModulusLimit = AnswerLimit + 3;
  logic [TimeBits-1:0] in_wait_q;
  logic [TimeBits:0] mod_wait_q;
  logic in_blocked, mod_blocked, was_delivered_q;
  assign in_blocked  = rst_n & in_valid & ~in_ready & out_ready & ~mod_valid & mod_first;
  assign mod_blocked = rst_n & mod_valid & ~mod_ready & out_ready & (in_valid | in_first);
  always_ff @(posedge clk_i) begin
    if (!in_blocked) in_wait_q <= '0;
    else if (in_wait_q != TimeBits'(AnswerLimit)) in_wait_q <= in_wait_q + 1'b1;
    if (!mod_blocked) mod_wait_q <= '0;
    else if (mod_wait_q != (TimeBits + 1)'(ModulusLimit)) mod_wait_q <= mod_wait_q + 1'b1;
    if (!rst_n) was_delivered_q <= 1'b0;
    else if (delivered) was_delivered_q <= 1'b1;
  end
  assign bad_in_ready_o    = in_blocked & (in_wait_q == TimeBits'(AnswerLimit));
  assign bad_mod_ready_o   = mod_blocked & (mod_wait_q == (TimeBits + 1)'(ModulusLimit));
  assign cover_in_ready_o  = rst_n & was_full_q & in_fire;
  assign cover_mod_ready_o = rst_n & was_delivered_q & mod_fire & mod_last;

  // ---- 3. errors --------------------------------------------------------------------------------
  // Right for certain is the picked modulus, and are operands in range where it stands; wrong for
  // certain an even modulus, and other operands there. Without checks nothing is ever reported.
  logic a_below, b_below, a_below_q, b_below_q, at_picked, in_range, doubt, wrong, doubt_q, wrong_q;
  logic err_q;
  logic [TimeBits-1:0] unseen_q;
  always_comb begin
    logic [PaddedBits-1:0] words;
    words   = PaddedBits'(limit) >> (WordBits * 32'(in_beat_q));
    a_below = (a < words[WordBits-1:0]) | ((a == words[WordBits-1:0]) & ~in_first & a_below_q);
    b_below = (b < words[WordBits-1:0]) | ((b == words[WordBits-1:0]) & ~in_first & b_below_q);
  end
  assign at_picked = (place(in_idx) == idx_q) & picked_loaded_q
                   & ~(mod_fire & (place(mod_idx) == idx_q));
  assign in_range  = a_below & b_below;
  assign doubt = (mod_fire & mod_first & ~(mod_is_picked & takes(m_q)))
               | (in_fire & in_last & ~(at_picked & takes(m_q) & in_range));
  assign wrong = (mod_fire & mod_first & ~mod_data[0])
               | (in_fire & in_last & at_picked & ~in_range);
  always_ff @(posedge clk_i) begin
    if (in_fire) {a_below_q, b_below_q} <= {a_below, b_below};
    {doubt_q, wrong_q} <= rst_n ? {doubt_q | doubt, wrong_q | wrong} : 2'b00;
    err_q <= rst_n & err;
    if (!rst_n | ~wrong_q | ~out_ready) unseen_q <= '0;
    else if (unseen_q != TimeBits'(AnswerLimit)) unseen_q <= unseen_q + 1'b1;
  end
  assign bad_error_o   = rst_n & ((Checks != 0) ? (err & ~doubt_q & ~doubt) | (err_q & ~err)
                                                 | (~err & (unseen_q == TimeBits'(AnswerLimit)))
                                               : err);
  assign cover_error_o = rst_n & wrong_q & delivered & ((Checks != 0) ? err : 1'b1);

  assign see_reset     = ~rst_n;
  assign see_mod_valid = mod_valid;
  assign see_mod_ready = mod_ready;
  assign see_mod_data  = mod_data;
  assign see_in_valid  = in_valid;
  assign see_in_ready  = in_ready;
  assign see_a         = a;
  assign see_b         = b;
  assign see_out_valid = out_valid;
  assign see_out_ready = out_ready;
  assign see_p         = p;
  assign see_picked    = (accepted & is_picked) | picked_q;
  assign see_expected  = residue[OperandBits-1:0];
  assign see_in_flight = in_flight_q;
  assign see_err       = err;

  logic unused;
  assign unused = ^{any_in_idx_i, any_mod_idx_i};

endmodule

`default_nettype wire
