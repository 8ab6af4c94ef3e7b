// SPDX-License-Identifier: Apache-2.0
// redc_proof_shell: what redc_mul_shell promises, around it alone and with any schedule.
//
// Contract  redc_proof_shell_pkg, which tests/test_shell.py writes, has the shell's parameters. Of
//           each output bad_* that these allow to ask for it is asked that it is never 1, and of
//           cover_* of the same name that it can be.
// Method    every any_* input is chosen by the solver in every cycle. Offers stay until they are
//           taken; operands name a place that holds a modulus, or one that is not there. The data
//           path is free to refuse operands and to stay busy. It keeps a multiplication for as long
//           as the comparison takes, and takes none sooner after another than a group of it does,
//           as each family says of itself.
// Partner   tests/test_shell.py.
`default_nettype none

module redc_proof_shell
  import redc_proof_shell_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 any_reset_i,
    input  logic                 any_mod_valid_i,
    input  logic [ WordBits-1:0] any_mod_data_i,
    input  logic                 any_mod_last_i,
    input  logic [IndexBits-1:0] any_mod_idx_i,
    input  logic                 any_in_valid_i,
    input  logic [ WordBits-1:0] any_a_i,
    input  logic [ WordBits-1:0] any_b_i,
    input  logic                 any_in_last_i,
    input  logic [IndexBits-1:0] any_in_idx_i,
    input  logic                 any_free_i,
    input  logic                 any_idle_i,
    input  logic                 any_deliver_i,
    input  logic                 any_bad_i,
    // A modulus is taken while a multiplication is in flight or begins.
    output logic                 bad_waits_o,
    output logic                 cover_waits_o,
    // Operands are taken before there is a modulus.
    output logic                 bad_loaded_o,
    output logic                 cover_loaded_o,
    // Operands overtake a modulus that waits.
    output logic                 bad_overtakes_o,
    output logic                 cover_overtakes_o,
    // A modulus, or operands, wait though nothing is in their way.
    output logic                 bad_starves_o,
    output logic                 cover_starves_o,
    // The modulus is not the one that its place was given last.
    output logic                 bad_modulus_o,
    output logic                 cover_modulus_o,
    // A stream is open in other cycles than announced.
    output logic                 bad_announced_o,
    output logic                 cover_announced_o,
    // err_o without a fault, or none long after one.
    output logic                 bad_error_o,
    output logic                 cover_error_o
);

  localparam int unsigned Places  = 1 << IndexBits;
  localparam int unsigned Compare = (ChainBits == 0) ? 1 : (WordBits + ChainBits - 1) / ChainBits;
  localparam int unsigned Late    = Compare + 2;

  logic started_q, rst_n;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  assign rst_n = started_q & ~any_reset_i;

  // ---- the streams ------------------------------------------------------------------------------
  logic                 mod_valid, mod_ready, mod_last, in_valid, in_ready, in_last;
  logic                 mod_waited_q, in_waited_q, mod_last_q, in_last_q;
  logic [ WordBits-1:0] mod_data, mod_data_q, a, a_q, b, b_q;
  logic [IndexBits-1:0] mod_idx, mod_idx_q, in_idx, in_idx_q;
  logic [   Places-1:0] there_q;
  logic                 accept, open_next, mod_accept, mod_open_next, bad, err, mod_end;
  logic [    Width-1:0] modulus;

  assign mod_valid = rst_n & (any_mod_valid_i | mod_waited_q);
  assign in_valid  = rst_n & (in_waited_q
                   | (any_in_valid_i & (there_q[any_in_idx_i] | (32'(any_in_idx_i) >= Moduli))));
  assign {mod_data, mod_last, mod_idx} = mod_waited_q ? {mod_data_q, mod_last_q, mod_idx_q}
                                       : {any_mod_data_i, any_mod_last_i, any_mod_idx_i};
  assign {a, b, in_last, in_idx} = in_waited_q ? {a_q, b_q, in_last_q, in_idx_q}
                                 : {any_a_i, any_b_i, any_in_last_i, any_in_idx_i};
  assign mod_end = mod_accept & (mod_last | ~ManyBeats);
  always_ff @(posedge clk_i) begin
    mod_waited_q <= mod_valid & ~mod_ready;
    in_waited_q  <= in_valid & ~in_ready;
    {mod_data_q, mod_last_q, mod_idx_q} <= {mod_data, mod_last, mod_idx};
    {a_q, b_q, in_last_q, in_idx_q}     <= {a, b, in_last, in_idx};
    // A single place has the modulus that was loaded, whatever the index.
    if (!rst_n) there_q <= '0;
    else if (mod_end) there_q <= (Moduli == 1) ? '1 : there_q | (Places'(1) << mod_idx);
  end

  // ---- a data path ------------------------------------------------------------------------------
  logic [2:0] flight_q, flight_d, age_q;
  logic       begins, beat_q, beat_d, deliver, free, idle;

  // With several beats an operand has two.
  assign begins   = accept & ~beat_q;
  assign beat_d   = beat_q ^ (accept & ManyBeats);
  assign deliver  = any_deliver_i & (flight_q != '0) & (32'(age_q) >= Compare) & ~beat_q;
  assign flight_d = flight_q + 3'(begins) - 3'(deliver);
  always_ff @(posedge clk_i) begin
    if (!rst_n) {flight_q, age_q, beat_q} <= '0;
    else begin
      flight_q <= flight_d;
      beat_q   <= beat_d;
      age_q    <= begins ? 3'd1 : age_q + 3'(age_q != '1);
    end
  end
  if (Ahead == 0) begin : gen_now
    assign free = any_free_i & (flight_q < 3'd4) & ~beat_q;
    assign idle = any_idle_i & (flight_q == '0);
  end else begin : gen_ahead
    // Ahead cycles from now the youngest is so much older.
    assign free = any_free_i & (flight_q < 3'd4) & ~beat_d
                & (32'(begins ? 3'd0 : age_q) + Ahead >= GroupWords);
    assign idle = any_idle_i & ((flight_d == '0) | (BeatByBeat & (~Waits | ~mod_last)));
  end
  assign bad  = any_bad_i & (ChainBits == 0);

  redc_mul_shell #(
      .Width(Width), .WordBits(WordBits), .Moduli(Moduli), .Bound(Bound), .Checks(Checks),
      .Ahead(Ahead), .Waits(Waits), .ManyBeats(ManyBeats), .BeatByBeat(BeatByBeat),
      .Copies(Copies), .ChainBits(ChainBits), .GroupWords(GroupWords)
  ) u_shell (
      .clk_i          (clk_i),
      .rst_ni         (rst_n),
      .mod_valid_i    (mod_valid),
      .mod_ready_o    (mod_ready),
      .mod_data_i     (mod_data),
      .mod_last_i     (mod_last),
      .mod_idx_i      (mod_idx),
      .in_valid_i     (in_valid),
      .in_ready_o     (in_ready),
      .a_i            (a),
      .b_i            (b),
      .in_last_i      (in_last),
      .in_idx_i       (in_idx),
      .free_i         (free),
      .more_i         (ManyBeats & beat_d),
      .idle_i         (idle),
      .accept_o       (accept),
      .open_next_o    (open_next),
      .mod_accept_o   (mod_accept),
      .mod_open_next_o(mod_open_next),
      .modulus_o      (modulus),
      .bad_i          (bad),
      .err_o          (err)
  );

  // ---- when the streams are open ----------------------------------------------------------------
  logic [2:0] waits_q, mod_starves_q, in_starves_q;
  logic       loaded_q, announced_q, mod_announced_q, reset_q, mod_counts;
  // Of a modulus that comes beat by beat only the last one has to do with multiplications.
  assign mod_counts = mod_valid & (mod_last | ~BeatByBeat);
  always_ff @(posedge clk_i) begin
    reset_q <= ~rst_n;
    {announced_q, mod_announced_q} <= {open_next, mod_open_next};
    if (!rst_n) begin
      loaded_q      <= 1'b0;
      waits_q       <= '0;
      mod_starves_q <= '0;
      in_starves_q  <= '0;
    end else begin
      loaded_q      <= loaded_q | mod_end;
      waits_q       <= (mod_counts & ~mod_ready) ? waits_q + 3'(waits_q != '1) : '0;
      mod_starves_q <= (mod_valid & ~mod_ready & (idle | ~(Waits | BeatByBeat)))
                     ? mod_starves_q + 3'd1 : '0;
      in_starves_q  <= (loaded_q & ~(mod_counts & Waits) & (free | ManyBeats & beat_q) & ~in_ready
                        & ~(ManyBeats & ~BeatByBeat & mod_ready)) ? in_starves_q + 3'd1 : '0;
    end
  end

  assign bad_waits_o       = mod_accept & mod_counts & ((flight_q != '0) | accept);
  assign cover_waits_o     = mod_accept & mod_counts & loaded_q & (waits_q > 3'd2);
  assign bad_loaded_o      = accept & ~loaded_q;
  assign cover_loaded_o    = accept;
  assign bad_overtakes_o   = begins & (32'(waits_q) >= ((Ahead == 0) ? 1 : Ahead));
  assign cover_overtakes_o = accept & (Ahead == 0 | waits_q == 3'(Ahead - 1));
  assign bad_starves_o     = rst_n
                           & ((mod_starves_q > 3'(Ahead + 1)) | (in_starves_q > 3'(Ahead + 1)));
  assign cover_starves_o   = accept & (Ahead == 0 | in_starves_q != '0);
  assign bad_announced_o   = ~reset_q & rst_n
                           & ((in_ready != announced_q)
                              | (Waits | BeatByBeat ? mod_ready != mod_announced_q : ~mod_ready));
  assign cover_announced_o = accept & loaded_q;

  // ---- what is kept -----------------------------------------------------------------------------
  logic [Places-1:0][Width-1:0] given_q;
  logic [            Width-1:0] given, used_q;
  logic                         used_valid_q;
  assign given = given_q[(Moduli == 1) ? '0 : in_idx];
  always_ff @(posedge clk_i) begin
    if (mod_accept) given_q[(Moduli == 1) ? '0 : mod_idx] <= mod_data[Width-1:0];
    used_q       <= given;
    used_valid_q <= rst_n & accept & (32'(in_idx) < Moduli);
  end
  assign bad_modulus_o   = rst_n & ((Copies && Moduli > 1)
                           ? used_valid_q & (modulus != used_q)
                           : in_valid & there_q[in_idx] & (32'(in_idx) < Moduli)
                             & (modulus != given));
  assign cover_modulus_o = rst_n & used_valid_q & (used_q == '1) & (flight_q > 3'd0);

  // ---- what is illegal --------------------------------------------------------------------------
  logic [WordBits+1:0] limit;
  logic                mod_fault, in_fault, fault, faulty_q, err_q;
  logic [    Late-1:0] past_q;
  assign limit     = (WordBits + 2)'(Bound * (WordBits + 2)'(given));
  assign mod_fault = (32'(mod_idx) >= Moduli)
                   | (~ManyBeats & (~mod_data[0] | ~mod_last | ((mod_data >> Width) != '0)));
  assign in_fault  = (begins & (32'(in_idx) >= Moduli)) | (~ManyBeats & ~in_last)
                   | ((ChainBits > 0)
                      & (((WordBits + 2)'(a) >= limit) | ((WordBits + 2)'(b) >= limit)));
  assign fault     = (mod_accept & mod_fault) | (accept & in_fault) | bad;
  always_ff @(posedge clk_i) begin
    err_q <= rst_n & err;
    if (!rst_n) {faulty_q, past_q} <= '0;
    else begin
      faulty_q <= faulty_q | fault;
      past_q   <= Late'({past_q, faulty_q});
    end
  end
  assign bad_error_o   = ~reset_q & rst_n
                       & ((err & ~faulty_q) | (past_q[Late-1] & ~err) | (err_q & ~err));
  assign cover_error_o = rst_n & err & ~err_q;

endmodule

`default_nettype wire
