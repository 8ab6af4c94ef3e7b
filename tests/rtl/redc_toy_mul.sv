// SPDX-License-Identifier: Apache-2.0
// redc_toy_mul: a behavioural Montgomery product behind the multiplier contract, for tests of the
// test equipment only. It is right with Fault = 0 and wrong in one known way with any other.
//
// Contract  multiplier contract; Beats words of Word bits; RBits = Width; Bound 1; Depth in flight.
// Timing    interval = 2*Beats - 1; latency = 2*(Beats-1) + Depth.
// Refuses   Word*Beats < Width, Width < 4, no Depth, no Moduli: at elaboration.
// Partner   tests/toy_core.py

`default_nettype none

module redc_toy_mul #(
  parameter int unsigned Width  = 8,
  parameter int unsigned Word   = 8,
  parameter int unsigned Beats  = 1,
  parameter int unsigned Depth  = 3,
  parameter int unsigned Moduli = 1,
  // 0 none, 1 one wrong product, 2 an operand lost under back-pressure, 3 latency depends on a,
  // 4 valid falls while it waits, 5 data changes while it waits, 6 a waiting modulus is taken too
  // early, 7 never answers once a == b, 8 one cycle slower than it says, 9 last flag missing,
  // 10 an interval that depends on b, 11 a result too many, 12 reset leaves results behind.
  parameter int unsigned Fault  = 0,
  parameter int unsigned Checks = 0,

  localparam int unsigned IdxW = Moduli > 1 ? $clog2(Moduli) : 1
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,
  input  wire logic            mod_valid_i,
  output      logic            mod_ready_o,
  input  wire logic [Word-1:0] mod_data_i,
  input  wire logic            mod_last_i,
  input  wire logic [IdxW-1:0] mod_idx_i,
  input  wire logic            in_valid_i,
  output      logic            in_ready_o,
  input  wire logic [Word-1:0] a_i,
  input  wire logic [Word-1:0] b_i,
  input  wire logic            in_last_i,
  input  wire logic [IdxW-1:0] in_idx_i,
  output      logic            out_valid_o,
  input  wire logic            out_ready_i,
  output      logic [Word-1:0] p_o,
  output      logic            out_last_o,
  output      logic            err_o
);

  if (Width < 4) begin : gen_width
    $error("redc_toy_mul: Width=%0d is below 4", Width);
  end
  if (Word * Beats < Width) begin : gen_word
    $error("redc_toy_mul: Word*Beats=%0d is below Width=%0d", Word * Beats, Width);
  end
  if (Depth < 1 || Moduli < 1 || Beats < 1) begin : gen_some
    $error("redc_toy_mul: Depth=%0d, Moduli=%0d, Beats=%0d: each is at least 1",
           Depth, Moduli, Beats);
  end

  localparam int unsigned Bits  = Word * Beats;
  localparam int unsigned BeatW = Beats > 1 ? $clog2(Beats) : 1;
  // The stages as built: fault 8 has one more than it says.
  localparam int unsigned Built = Fault == 8 ? Depth + 1 : Depth;

  typedef logic [Bits-1:0] operand_t;

  // One beat shifted into an operand from above.
  function automatic operand_t collect(operand_t old, logic [Word-1:0] word);
    return operand_t'({word, old} >> Word);
  endfunction

  function automatic logic [Width-1:0] product(operand_t a, operand_t b, operand_t m);
    logic [Width+1:0] s;
    s = '0;
    for (int unsigned i = 0; i < Width; i++) begin
      if (a[i]) s = s + {2'b00, b[Width-1:0]};
      if (s[0]) s = s + {2'b00, m[Width-1:0]};
      s = s >> 1;
    end
    if (s >= {2'b00, m[Width-1:0]}) s = s - {2'b00, m[Width-1:0]};
    return s[Width-1:0];
  endfunction

  operand_t            a_q, b_q, modulus_part_q;
  operand_t            modulus_q [Moduli];
  logic [BeatW-1:0]    in_beat_q, out_beat_q;
  logic [Built-1:0]    valid_q;
  operand_t            a_in_q [Built], b_in_q [Built];
  logic [IdxW-1:0]     idx_q [Built];
  logic                err_q, hold_q, late_q, dead_q, mod_part_q;
  logic [1:0]          wait_q;
  logic [7:0]          lost_q;

  wire logic taken    = out_valid_o && out_ready_i;
  wire logic finished = taken && out_beat_q == BeatW'(Beats - 1);
  // The whole pipeline moves unless its end is full and not leaving.
  wire logic move     = (!valid_q[Built-1] || finished) && !late_q && !dead_q;
  wire logic busy     = |valid_q || in_beat_q != '0;
  wire logic in_fire  = in_valid_i && in_ready_o;
  wire logic mod_fire = mod_valid_i && mod_ready_o;

  assign mod_ready_o = Fault == 6 ? in_beat_q == '0 : !busy;
  // A waiting or half loaded modulus lets no operand start; one that has begun may finish.
  assign in_ready_o  = (move || (Fault == 2 && lost_q[3:0] == 4'd13)) && !hold_q
                       && (in_beat_q != '0 || (!mod_valid_i && !mod_part_q));
  assign out_valid_o = valid_q[Built-1] && !(Fault == 4 && wait_q == 2'd2)
                       && !(Fault == 3 && late_q);
  assign err_o       = err_q;

  operand_t a_all, b_all, m_all, p_all;
  wire operand_t m_used    = modulus_q[Moduli > 1 ? in_idx_i : '0];
  wire operand_t m_leaving = modulus_q[Moduli > 1 ? idx_q[Built-1] : '0];
  assign a_all = collect(a_q, a_i);
  assign b_all = collect(b_q, b_i);
  assign m_all = collect(modulus_part_q, mod_data_i);
  // Computed where it leaves, so that a modulus taken too early shows.
  assign p_all = operand_t'(product(a_in_q[Built-1], b_in_q[Built-1], m_leaving)
                            ^ Width'(Fault == 1 && a_in_q[Built-1] == operand_t'(5)
                                     && b_in_q[Built-1] == operand_t'(6)))
                 >> (Word * 32'(out_beat_q));
  assign p_o = p_all[Word-1:0] ^ Word'(Fault == 5 && wait_q == 2'd2);
  assign out_last_o = out_beat_q == BeatW'(Beats - 1) && Fault != 9;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_beat_q  <= '0;
      out_beat_q <= '0;
      if (Fault != 12) valid_q <= '0;
      err_q      <= 1'b0;
      hold_q     <= 1'b0;
      late_q     <= 1'b0;
      dead_q     <= 1'b0;
      mod_part_q <= 1'b0;
      wait_q     <= '0;
      lost_q     <= '0;
    end else begin
      late_q  <= 1'b0;
      hold_q  <= 1'b0;
      wait_q  <= out_valid_o && !out_ready_i ? (wait_q == 2'd3 ? wait_q : wait_q + 2'd1) : '0;
      if (mod_fire) begin
        modulus_part_q <= m_all;
        mod_part_q     <= !mod_last_i;
        if (mod_last_i) begin
          modulus_q[Moduli > 1 ? mod_idx_i : '0] <= m_all;
          if (Checks != 0 && !m_all[0]) err_q <= 1'b1;
        end
      end
      if (in_fire) begin
        a_q <= a_all;
        b_q <= b_all;
        in_beat_q <= in_last_i ? '0 : in_beat_q + 1'b1;
        if (Checks != 0 && in_last_i && (a_all >= m_used || b_all >= m_used)) err_q <= 1'b1;
        if (Fault == 10 && in_last_i && b_all[1]) hold_q <= 1'b1;
        if (Fault == 7 && in_last_i && a_all == b_all && |a_all[Bits-1:2]) dead_q <= 1'b1;
      end
      if (taken) out_beat_q <= finished ? '0 : out_beat_q + 1'b1;
      if (finished && Fault == 11) lost_q <= lost_q + 1'b1;
      if (Fault == 2 && !move) lost_q <= lost_q + 1'b1;
      if (move) begin
        valid_q[0] <= in_fire && in_last_i;
        a_in_q[0]  <= a_all;
        b_in_q[0]  <= b_all;
        idx_q[0]   <= in_idx_i;
        for (int unsigned i = 1; i < Built; i++) begin
          valid_q[i] <= valid_q[i-1];
          a_in_q[i]  <= a_in_q[i-1];
          b_in_q[i]  <= b_in_q[i-1];
          idx_q[i]   <= idx_q[i-1];
        end
        if (Fault == 3 && in_fire && in_last_i && a_all == '0) late_q <= 1'b1;
        if (Fault == 11 && finished && &lost_q[4:0]) begin
          valid_q[Built-1] <= 1'b1;
          a_in_q[Built-1]  <= a_in_q[Built-1];
        end
      end
    end
  end

endmodule

`default_nettype wire
