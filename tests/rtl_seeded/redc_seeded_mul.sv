// SPDX-License-Identifier: Apache-2.0
// redc_seeded_mul: a small Montgomery multiplier with the contract's face, into which bugs are
// seeded.
//
// Contract  multiplier contract, one beat, one multiplication in flight besides a waiting result;
//           m odd; a and b below m.
// Method    radix 2, one bit of a per cycle, one final subtraction; Bug selects what is broken:
//           0 nothing; 1 the quotient bit of the last iteration; 2 a finished product overwrites a
//           result that still waits to be taken; 3 an early exit when a is zero. Checks = 1: an
//           even modulus and an operand not below m raise err_o.
// Timing    latency = Width + 1, interval = Width + 1.
// Leakage   cycle counts depend on Width alone, except with Bug 3.
// Refuses   nothing: it exists to test the proof harness and is no part of the library.
// Partner   tests/test_verify.py.
`default_nettype none

module redc_seeded_mul #(
    parameter int unsigned Width  = 4,
    parameter int unsigned Bug    = 0,
    parameter int unsigned Checks = 0
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             mod_valid_i,
    output logic             mod_ready_o,
    input  logic [Width-1:0] mod_data_i,
    input  logic             mod_last_i,
    input  logic             mod_idx_i,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    input  logic             in_last_i,
    input  logic             in_idx_i,
    output logic             out_valid_o,
    input  logic             out_ready_i,
    output logic [Width-1:0] p_o,
    output logic             out_last_o,
    output logic             err_o
);

  localparam int unsigned CountBits = $clog2(Width + 1);

  logic [Width-1:0] m_q, a_q, b_q, p_q;
  logic [Width:0] sum_q;
  logic [CountBits-1:0] left_q;
  logic busy_q, valid_q, err_q;

  // One iteration: add b where the bit of a is set, make the sum even with m, halve.
  logic quotient;
  logic [Width+1:0] with_b, with_m, sum_next, reduced;
  assign with_b   = {1'b0, sum_q} + (a_q[0] ? {2'b0, b_q} : '0);
  assign quotient = with_b[0] & ~((Bug == 1) & (left_q == CountBits'(1)) & b_q[1]);
  assign with_m   = with_b + (quotient ? {2'b0, m_q} : '0);
  assign sum_next = {1'b0, with_m[Width+1:1]};
  assign reduced  = sum_next - {2'b0, m_q};

  logic finished, may_finish, out_free, early;
  assign early      = (Bug == 3) & (a_q == '0) & (left_q == CountBits'(Width));
  assign out_free   = ~valid_q | out_ready_i;
  assign may_finish = out_free | (Bug == 2);
  assign finished   = busy_q & may_finish & ((left_q == CountBits'(1)) | early);

  assign in_ready_o  = ~busy_q & ~mod_valid_i;
  assign mod_ready_o = ~busy_q & ~valid_q;
  assign out_valid_o = valid_q;
  assign p_o         = p_q;
  assign out_last_o  = 1'b1;
  assign err_o       = (Checks != 0) & err_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      valid_q <= 1'b0;
      err_q   <= 1'b0;
    end else begin
      if (out_ready_i) valid_q <= 1'b0;
      if (finished) begin
        busy_q  <= 1'b0;
        valid_q <= 1'b1;
      end
      if (in_valid_i & in_ready_o) busy_q <= 1'b1;
      if (mod_valid_i & mod_ready_o & ~mod_data_i[0]) err_q <= 1'b1;
      if (in_valid_i & in_ready_o & ((a_i >= m_q) | (b_i >= m_q))) err_q <= 1'b1;
    end
    if (mod_valid_i & mod_ready_o) m_q <= mod_data_i;
    if (in_valid_i & in_ready_o) begin
      a_q    <= a_i;
      b_q    <= b_i;
      sum_q  <= '0;
      left_q <= CountBits'(Width);
    end else if (busy_q & ((left_q != CountBits'(1)) | may_finish)) begin
      a_q    <= a_q >> 1;
      sum_q  <= sum_next[Width:0];
      left_q <= left_q - 1'b1;
    end
    if (finished) p_q <= reduced[Width+1] ? sum_next[Width-1:0] : reduced[Width-1:0];
  end

  logic unused;
  assign unused = ^{mod_last_i, mod_idx_i, in_last_i, in_idx_i};

endmodule

`default_nettype wire
