// SPDX-License-Identifier: Apache-2.0
// redc_proof_timing: two copies of a core, equal handshakes, different data: equal valid and ready.
//
// Contract  the core is redc_proof_dut and the sizes are redc_proof_pkg, both written by
//           src/redcore/verify/harness.py for the design at hand.
// Method    one set of valid, ready, last and index signals drives both copies; operands and moduli
//           are chosen by the solver for each copy apart, in every cycle, out-of-range and even
//           ones included. bad_timing_o is 1 when any handshake output of the two differs. The data
//           path needs no cutting: sequential correspondence merges the two copies' control
//           registers.
// Partner   src/redcore/verify/properties.py names the property in words.
`default_nettype none

module redc_proof_timing
  import redc_proof_pkg::*;
(
    input  logic                clk_i,
    input  logic                any_reset_i,
    input  logic                any_mod_valid_i,
    input  logic [ IdxBits-1:0] any_mod_idx_i,
    input  logic [WordBits-1:0] any_mod_data_x_i,
    input  logic [WordBits-1:0] any_mod_data_y_i,
    input  logic                any_in_valid_i,
    input  logic [ IdxBits-1:0] any_in_idx_i,
    input  logic [WordBits-1:0] any_a_x_i,
    input  logic [WordBits-1:0] any_a_y_i,
    input  logic [WordBits-1:0] any_b_x_i,
    input  logic [WordBits-1:0] any_b_y_i,
    input  logic                any_out_ready_i,
    output logic                bad_timing_o,
    output logic                cover_timing_o,
    output logic                see_reset,
    output logic                see_mod_valid,
    output logic [WordBits-1:0] see_mod_data_x,
    output logic [WordBits-1:0] see_mod_data_y,
    output logic [         1:0] see_mod_ready_xy,
    output logic                see_in_valid,
    output logic [WordBits-1:0] see_a_x,
    output logic [WordBits-1:0] see_a_y,
    output logic [WordBits-1:0] see_b_x,
    output logic [WordBits-1:0] see_b_y,
    output logic [         1:0] see_in_ready_xy,
    output logic [         1:0] see_out_valid_xy,
    output logic                see_out_ready
);

  localparam logic [BeatBits-1:0] LastBeat = BeatBits'(Beats - 1);

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  logic rst_n;
  assign rst_n = started_q & ~any_reset_i;

  logic [1:0] mod_ready, in_ready, out_valid, out_last, err;
  logic [1:0][WordBits-1:0] mod_data, a, b, p;
  // The streams follow the first copy's handshakes; the second one's are equal or the check fails.
  logic mod_valid, in_valid, out_ready, mod_fire, in_fire;
  logic [IdxBits-1:0] mod_idx, in_idx, mod_idx_q, in_idx_q;
  logic [BeatBits-1:0] mod_beat_q, in_beat_q;
  logic [Moduli-1:0] loaded_q;
  // Of one place an index says nothing; of several it names one that is there.
  function automatic logic [IdxBits-1:0] legal_index(input logic [IdxBits-1:0] index);
    return ((Moduli == 1) | (32'(index) < Moduli)) ? index : '0;
  endfunction
  function automatic logic [IdxBits-1:0] place(input logic [IdxBits-1:0] index);
    return (Moduli == 1) ? '0 : index;
  endfunction
  // Senders keep an offer up, unchanged, until it is taken: the rule the core keeps for its
  // results.
  logic mod_waits_q, in_waits_q;
  logic [1:0][WordBits-1:0] mod_data_q, a_q, b_q;
  assign mod_valid = rst_n & (mod_waits_q | any_mod_valid_i);
  assign in_valid  = rst_n & (in_waits_q |
                              (any_in_valid_i & ((in_beat_q != '0) | loaded_q[place(in_idx)])));
  assign mod_data  = mod_waits_q ? mod_data_q : {any_mod_data_y_i, any_mod_data_x_i};
  assign a         = in_waits_q ? a_q : {any_a_y_i, any_a_x_i};
  assign b         = in_waits_q ? b_q : {any_b_y_i, any_b_x_i};
  assign out_ready = rst_n & any_out_ready_i;
  assign mod_fire  = mod_valid & mod_ready[0];
  assign in_fire   = in_valid & in_ready[0];
  always_comb begin
    mod_idx = legal_index(any_mod_idx_i);
    in_idx  = legal_index(any_in_idx_i);
    if ((mod_beat_q != '0) | mod_waits_q) mod_idx = mod_idx_q;
    if ((in_beat_q != '0) | in_waits_q) in_idx = in_idx_q;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      mod_beat_q <= '0;
      in_beat_q  <= '0;
      loaded_q   <= '0;
    end else begin
      if (mod_fire) begin
        mod_beat_q <= (mod_beat_q == LastBeat) ? '0 : mod_beat_q + 1'b1;
        loaded_q[place(mod_idx)] <= (mod_beat_q == LastBeat);
      end
      if (in_fire) in_beat_q <= (in_beat_q == LastBeat) ? '0 : in_beat_q + 1'b1;
    end
    mod_waits_q <= mod_valid & ~mod_ready[0];
    in_waits_q  <= in_valid & ~in_ready[0];
    mod_idx_q   <= mod_idx;
    in_idx_q    <= in_idx;
    mod_data_q  <= mod_data;
    a_q         <= a;
    b_q         <= b;
  end

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    redc_proof_dut u_dut (
        .clk_i      (clk_i),
        .rst_ni     (rst_n),
        .mod_valid_i(mod_valid),
        .mod_ready_o(mod_ready[i]),
        .mod_data_i (mod_data[i]),
        .mod_last_i (mod_beat_q == LastBeat),
        .mod_idx_i  (mod_idx),
        .in_valid_i (in_valid),
        .in_ready_o (in_ready[i]),
        .a_i        (a[i]),
        .b_i        (b[i]),
        .in_last_i  (in_beat_q == LastBeat),
        .in_idx_i   (in_idx),
        .out_valid_o(out_valid[i]),
        .out_ready_i(out_ready),
        .p_o        (p[i]),
        .out_last_o (out_last[i]),
        .err_o      (err[i])
    );
  end

  assign bad_timing_o = rst_n & ((mod_ready[0] != mod_ready[1]) | (in_ready[0] != in_ready[1]) |
                                 (out_valid[0] != out_valid[1]) |
                                 (out_valid[0] & (out_last[0] != out_last[1])));
  // The copies really differ: two different results are delivered in the same cycle.
  assign cover_timing_o = rst_n & out_valid[0] & out_valid[1] & out_ready & (p[0] != p[1]) &
                          (p[0] != '0) & (p[1] != '0);

  assign see_reset        = ~rst_n;
  assign see_mod_valid    = mod_valid;
  assign see_mod_data_x   = mod_data[0];
  assign see_mod_data_y   = mod_data[1];
  assign see_mod_ready_xy = {mod_ready[0], mod_ready[1]};
  assign see_in_valid     = in_valid;
  assign see_a_x          = a[0];
  assign see_a_y          = a[1];
  assign see_b_x          = b[0];
  assign see_b_y          = b[1];
  assign see_in_ready_xy  = {in_ready[0], in_ready[1]};
  assign see_out_valid_xy = {out_valid[0], out_valid[1]};
  assign see_out_ready    = out_ready;

  logic unused;
  assign unused = ^err;

endmodule

`default_nettype wire
