// SPDX-License-Identifier: Apache-2.0
// redc_proof_mutants: whether a user of the contract can tell a core from one of its mutants.
//
// Contract  the core with its mutants is redc_proof_dut, which mutsel_i chooses (0: none), and the
//           sizes are redc_proof_pkg; both are written by src/redcore/verify/unobservable.py.
// Method    both have the same inputs, which the solver chooses in every cycle as
//           redc_proof_contract has them: an offer stays until it is taken, operands come once
//           their place holds a modulus, beats carry one index. bad_o: they differ in a
//           handshake; in the result of one multiplication, the picked one, whose own modulus and
//           operands are legal, whatever else was illegal; in an err_o that is raised without a
//           reason, or still missing after AnswerLimit cycles. bad_same_o: they do before a ready
//           has ever differed, which is other_o.
// Partner   src/redcore/verify/unobservable.py, which lets both copies start in the same state.
`default_nettype none

module redc_proof_mutants
  import redc_proof_pkg::*;
(
    input  logic                clk_i,
    // Which mutant u_one (0: the core itself) and u_two are, for ever.
    input  logic [        15:0] any_core_i,
    input  logic [        15:0] any_mutant_i,
    input  logic                any_reset_i,
    input  logic                any_mod_valid_i,
    input  logic [WordBits-1:0] any_mod_data_i,
    input  logic [ IdxBits-1:0] any_mod_idx_i,
    input  logic                any_in_valid_i,
    input  logic [WordBits-1:0] any_a_i,
    input  logic [WordBits-1:0] any_b_i,
    input  logic [ IdxBits-1:0] any_in_idx_i,
    input  logic                any_out_ready_i,
    input  logic                any_pick_i,
    output logic                bad_o,
    output logic                bad_same_o,
    output logic                other_o,
    // What of it.
    output logic                see_mod_ready_o,
    output logic                see_in_ready_o,
    output logic                see_out_valid_o,
    output logic                see_result_o,
    output logic                see_error_o
);

  localparam logic [BeatBits-1:0] LastBeat = BeatBits'(Beats - 1);
  localparam int unsigned PaddedBits = Beats * WordBits;
  localparam int unsigned LimitBits = PaddedBits + 2;

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  logic rst_n;
  assign rst_n = started_q & ~any_reset_i;

  logic mod_valid, mod_last, mod_fire, in_valid, in_last, in_fire, out_ready;
  logic [WordBits-1:0] mod_data, a, b;
  logic [IdxBits-1:0] mod_idx, in_idx;

  // What the core itself, and its mutant, say.
  logic [1:0] mod_ready, in_ready, out_valid, out_last, err;
  logic [WordBits-1:0] p[2];
  redc_proof_dut u_one (
      .mutsel_i(any_core_i), .clk_i, .rst_ni(rst_n),
      .mod_valid_i(mod_valid), .mod_ready_o(mod_ready[0]), .mod_data_i(mod_data),
      .mod_last_i(mod_last), .mod_idx_i(mod_idx),
      .in_valid_i(in_valid), .in_ready_o(in_ready[0]), .a_i(a), .b_i(b), .in_last_i(in_last),
      .in_idx_i(in_idx),
      .out_valid_o(out_valid[0]), .out_ready_i(out_ready), .p_o(p[0]), .out_last_o(out_last[0]),
      .err_o(err[0])
  );
  redc_proof_dut u_two (
      .mutsel_i(any_mutant_i), .clk_i, .rst_ni(rst_n),
      .mod_valid_i(mod_valid), .mod_ready_o(mod_ready[1]), .mod_data_i(mod_data),
      .mod_last_i(mod_last), .mod_idx_i(mod_idx),
      .in_valid_i(in_valid), .in_ready_o(in_ready[1]), .a_i(a), .b_i(b), .in_last_i(in_last),
      .in_idx_i(in_idx),
      .out_valid_o(out_valid[1]), .out_ready_i(out_ready), .p_o(p[1]), .out_last_o(out_last[1]),
      .err_o(err[1])
  );

  // ---- the streams ------------------------------------------------------------------------------
  logic mod_waits_q, in_waits_q, mod_first, in_first;
  logic [BeatBits-1:0] mod_beat_q, in_beat_q;
  logic [WordBits-1:0] mod_data_q, a_q, b_q;
  logic [IdxBits-1:0] mod_idx_q, in_idx_q;
  logic [Moduli-1:0] loaded_q;
  assign mod_first = (mod_beat_q == '0);
  assign in_first  = (in_beat_q == '0);
  assign mod_valid = rst_n & (any_mod_valid_i | mod_waits_q);
  assign mod_last  = (mod_beat_q == LastBeat);
  assign mod_fire  = mod_valid & mod_ready[0];
  assign mod_data  = mod_waits_q ? mod_data_q : any_mod_data_i;
  // Where the core checks, an index may name a place that is not there; of one place it says
  // nothing.
  function automatic logic [IdxBits-1:0] place(input logic [IdxBits-1:0] index);
    return ((Checks != 0) | there(index)) ? index : '0;
  endfunction
  function automatic logic there(input logic [IdxBits-1:0] index);
    return (Moduli == 1) | (32'(index) < Moduli);
  endfunction
  function automatic logic [IdxBits-1:0] real_place(input logic [IdxBits-1:0] index);
    return (32'(index) < Moduli) ? index : '0;
  endfunction
  assign mod_idx   = (!mod_first | mod_waits_q) ? mod_idx_q : place(any_mod_idx_i);
  assign in_idx    = (!in_first | in_waits_q) ? in_idx_q : place(any_in_idx_i);
  assign in_valid  = rst_n & (in_waits_q | (any_in_valid_i
                                            & (~in_first | loaded_q[real_place(in_idx)])));
  assign in_last   = (in_beat_q == LastBeat);
  assign in_fire   = in_valid & in_ready[0];
  assign {a, b}    = in_waits_q ? {a_q, b_q} : {any_a_i, any_b_i};
  assign out_ready = rst_n & any_out_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      loaded_q   <= '0;
      mod_beat_q <= '0;
      in_beat_q  <= '0;
    end else begin
      if (mod_fire) begin
        mod_beat_q <= mod_last ? '0 : mod_beat_q + 1'b1;
        if (there(mod_idx)) loaded_q[real_place(mod_idx)] <= mod_last;
      end
      if (in_fire) in_beat_q <= in_last ? '0 : in_beat_q + 1'b1;
    end
    mod_waits_q <= mod_valid & ~mod_ready[0];
    in_waits_q  <= in_valid & ~in_ready[0];
    mod_idx_q   <= mod_idx;
    in_idx_q    <= in_idx;
    mod_data_q  <= mod_data;
    {a_q, b_q}  <= {a, b};
  end

  // ---- whether all was legal --------------------------------------------------------------------
  // Operands that come with a modulus for their place must be legal with both.
  logic [PaddedBits-1:0] m_q[Moduli];
  logic [PaddedBits-1:0] words_q, a_words_q, b_words_q, m_now, a_now, b_now, m_used, m_used_q;
  logic clean_q, legal_modulus, legal_operands, fitting;
  function automatic logic below(input logic [PaddedBits-1:0] value,
                                 input logic [PaddedBits-1:0] m);
    return LimitBits'(value) < LimitBits'(Bound) * LimitBits'(m);
  endfunction
  function automatic logic is_modulus(input logic [PaddedBits-1:0] m);
    return takes(m[Width-1:0]) & (LimitBits'(m) >> Width == '0);
  endfunction
  always_comb begin
    m_now = words_q;
    a_now = a_words_q;
    b_now = b_words_q;
    m_now[WordBits*32'(mod_beat_q)+:WordBits] = mod_data;
    a_now[WordBits*32'(in_beat_q)+:WordBits]  = a;
    b_now[WordBits*32'(in_beat_q)+:WordBits]  = b;
    m_used = in_first ? m_q[real_place(in_idx)] : m_used_q;
    legal_modulus = there(mod_idx) & is_modulus(m_now);
    fitting = below(a_now, m_used) & below(b_now, m_used);
    legal_operands = there(in_idx) & fitting
        & (~(mod_fire & (real_place(mod_idx) == real_place(in_idx)))
           | (mod_last & below(a_now, m_now) & below(b_now, m_now)));
  end
  logic dirty;
  assign dirty = (mod_fire & mod_last & ~legal_modulus) | (in_fire & in_last & ~legal_operands);
  always_ff @(posedge clk_i) begin
    if (!rst_n) clean_q <= 1'b1;
    else if (dirty) clean_q <= 1'b0;
    if (mod_fire) words_q <= mod_last ? '0 : m_now;
    if (in_fire) begin
      a_words_q <= in_last ? '0 : a_now;
      b_words_q <= in_last ? '0 : b_now;
    end
    if (!rst_n) {words_q, a_words_q, b_words_q} <= '0;
    if (mod_fire & mod_last & there(mod_idx)) m_q[real_place(mod_idx)] <= m_now;
    m_used_q <= m_used;
  end

  // ---- the picked multiplication ----------------------------------------------------------------
  // A place with an illegal modulus is dirty until it gets another one; nothing else is disturbed.
  logic accepted, delivered, picks, coming, coming_q, picked_q, judged;
  logic [CountBits-1:0] in_flight_q, ahead_q;
  assign accepted  = in_fire & in_first;
  assign delivered = out_valid[0] & out_ready & out_last[0];
  assign picks = accepted & any_pick_i & ~picked_q & there(in_idx) & is_modulus(m_used)
                 & ~(mod_fire & (real_place(mod_idx) == real_place(in_idx)));
  assign coming = in_first ? picks : coming_q;
  assign judged = picked_q & ~coming_q & (ahead_q == '0);
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      in_flight_q <= '0;
      {picked_q, coming_q} <= '0;
    end else begin
      in_flight_q <= in_flight_q + CountBits'(accepted) - CountBits'(delivered);
      if (in_fire) coming_q <= coming & ~in_last;
      if (in_fire & in_last & coming) picked_q <= fitting;
      else if (picks) picked_q <= 1'b1;
      else if (delivered & (ahead_q == '0)) picked_q <= 1'b0;
    end
    if (picks) ahead_q <= in_flight_q - CountBits'(delivered);
    else if (delivered) ahead_q <= ahead_q - 1'b1;
  end

  // ---- what a user sees -------------------------------------------------------------------------
  logic [TimeBits-1:0] missing_q;
  logic late;
  assign late = (missing_q == TimeBits'(AnswerLimit));
  always_ff @(posedge clk_i) begin
    if (!rst_n | ~(err[0] & ~err[1])) missing_q <= '0;
    else if (!late) missing_q <= missing_q + 1'b1;
  end
  assign see_mod_ready_o = rst_n & mod_valid & (mod_ready[0] != mod_ready[1]);
  assign see_in_ready_o  = rst_n & in_valid & (in_ready[0] != in_ready[1]);
  assign see_out_valid_o = rst_n & (out_valid[0] != out_valid[1]);
  assign see_result_o    = rst_n & out_valid[0] & ((out_last[0] != out_last[1])
                                                   | (judged & (p[0] != p[1])));
  assign see_error_o     = rst_n & ((err[1] & ~err[0] & clean_q & ~dirty) | late);
  assign bad_o = see_mod_ready_o | see_in_ready_o | see_out_valid_o | see_result_o | see_error_o;
  logic other_q;
  assign other_o = started_q & (other_q | see_mod_ready_o | see_in_ready_o);
  always_ff @(posedge clk_i) other_q <= other_o;
  assign bad_same_o = bad_o & ~other_o;

endmodule

`default_nettype wire
