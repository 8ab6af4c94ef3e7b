// SPDX-License-Identifier: Apache-2.0
// redc_mul_systolic_cell: two columns of the systolic array, an iteration per cycle.
//
// Contract  an iteration in every cycle, of whichever multiplication the tokens and bits are.
// Method    Column j adds to bit j + 1 of the last partial sum (it is halved on the way) q times
//           bit j + 1 of m, then b times bit j of a: four processing elements for two columns, each
//           a full adder of one bit of a partial product (Daly & Marnane 2002, figure 1). What
//           travels to the next cell (multiplier bit, quotient bit, carries, tokens) is registered,
//           so this cell makes iteration i a cycle before the next one does. Of the next cell's
//           present results only the low column's bit is looked at, for the high column here; the
//           path ends there, as the high column's bit is used a cycle later: that is what two
//           columns in a cell are for.
// Timing    one cycle; a result is collected at the end of the cycle of its last iteration.
// Leakage   none: the schedule does not see the data.
// Refuses   nothing itself; redc_mul_systolic does.
// Partner   rtl/redc_mul_systolic.sv lines the cells up.
`default_nettype none

module redc_mul_systolic_cell #(
  /// 1: keeps a copy of its bits of a, taken as a multiplication arrives. All cells but the first
  /// need it, as they still work on one multiplication while the next one's operands come in.
  parameter bit CopyA = 1'b1,
  /// 1: the same for its bits of m.
  parameter bit CopyM = 1'b0
) (
  input  wire logic       clk_i,
  /// Active low, synchronous: removes the tokens.
  input  wire logic       rst_ni,
  /// The next cycle is the first iteration of a multiplication here.
  input  wire logic       arrives_i,
  /// This is the first iteration of a multiplication: the old partial sum is not looked at.
  input  wire logic       first_i,
  /// This is the last iteration.
  input  wire logic       last_i,
  /// Multiplier bit and quotient bit of the iteration.
  input  wire logic       b_i,
  input  wire logic       q_i,
  /// Carries into the low column, of the multiples of m and of a.
  input  wire logic       carry_m_i,
  input  wire logic       carry_a_i,
  /// The low column's bit in the next cell, of the iteration before.
  input  wire logic       above_i,
  /// Bits 2J and 2J + 1 of a, for cell J.
  input  wire logic [1:0] a_i,
  /// Bits 2J + 1 and 2J + 2 of m.
  input  wire logic [1:0] m_i,
  /// To the next cell, a cycle later.
  output      logic       first_o,
  output      logic       last_o,
  output      logic       b_o,
  output      logic       q_o,
  output      logic       carry_m_o,
  output      logic       carry_a_o,
  /// The low column's bit of the new partial sum.
  output      logic       low_o,
  /// Bits 2J and 2J + 1 of the result, until the next result's arrive.
  output      logic [1:0] result_o
);

  logic [1:0] a, m;
  if (CopyA) begin : gen_copy_a
    logic [1:0] a_q;
    always_ff @(posedge clk_i) if (arrives_i) a_q <= a_i;
    assign a = a_q;
  end else begin : gen_a
    assign a = a_i;
  end
  if (CopyM) begin : gen_copy_m
    logic [1:0] m_q;
    always_ff @(posedge clk_i) if (arrives_i) m_q <= m_i;
    assign m = m_q;
  end else begin : gen_m
    assign m = m_i;
  end

  // The high column's bit of the last partial sum, zero before the first iteration.
  logic high_q;

  logic [1:0] mid, sum;
  logic       carry_m, carry_a, carry_m_d, carry_a_d;
  redc_prim_full_adder #(.Width(1)) i_low_m (
    .x_i(high_q), .y_i(carry_m_i), .z_i(m[0]), .gate_i(q_i), .sum_o(mid[0]), .carry_o(carry_m)
  );
  redc_prim_full_adder #(.Width(1)) i_low_a (
    .x_i(mid[0]), .y_i(carry_a_i), .z_i(a[0]), .gate_i(b_i), .sum_o(sum[0]), .carry_o(carry_a)
  );
  redc_prim_full_adder #(.Width(1)) i_high_m (
    .x_i(above_i & ~first_i), .y_i(carry_m), .z_i(m[1]), .gate_i(q_i), .sum_o(mid[1]),
    .carry_o(carry_m_d)
  );
  redc_prim_full_adder #(.Width(1)) i_high_a (
    .x_i(mid[1]), .y_i(carry_a), .z_i(a[1]), .gate_i(b_i), .sum_o(sum[1]), .carry_o(carry_a_d)
  );
  assign low_o = sum[0];

  always_ff @(posedge clk_i) begin
    high_q    <= sum[1] & ~arrives_i;
    b_o       <= b_i;
    q_o       <= q_i;
    carry_m_o <= carry_m_d;
    carry_a_o <= carry_a_d;
    first_o   <= first_i & rst_ni;
    last_o    <= last_i & rst_ni;
  end

  logic [1:0] result_q;
  always_ff @(posedge clk_i) if (last_i) result_q <= sum;
  assign result_o = result_q;

endmodule

`default_nettype wire
