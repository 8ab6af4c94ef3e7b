// SPDX-License-Identifier: Apache-2.0
// redc_mul_csa_block: one pipeline block of redc_mul_csa, some iterations of the carry-save loop.
//
// Contract  the token's b, b + m, m and remaining multiplier bits come from the previous block at
//           the edge at which the token enters; the sum so far, in two vectors, is read from the
//           previous block's registers in the token's first cycle. The same on the way out.
// Method    Replicas carry-save rows in series; each adds 0, m, b or b + m as the multiplier bit a
//           and the quotient bit q say, and halves (Le Masle 2009, Alg. 7, fig. 3.6). The
//           iterations that do not fill a cycle come first: the token then enters in front of a
//           later row, where a multiplexer exists anyway, instead of leaving behind an earlier one.
//           a and q of a cycle stand in registers, copied for each lane of LaneBits columns.
//           Replicas = 1: q is computed two iterations ahead from the three lowest columns, so that
//           it has a whole cycle to travel. Replicas > 1: the next cycle's q are computed from the
//           rows' lowest columns, one cycle ahead.
// Timing    ceil(Iterations / Replicas) cycles.
// Leakage   cycle counts depend on parameters alone.
// Refuses   ABits below Iterations + bits looked ahead: at elaboration.
`default_nettype none

module redc_mul_csa_block #(
  /// Bits of m.
  parameter int unsigned Width = 8,
  /// Bits of b.
  parameter int unsigned OperandBits = 8,
  /// Columns of a row: bits of b + m.
  parameter int unsigned RowBits = 9,
  /// Iterations of this block.
  parameter int unsigned Iterations = 8,
  /// Rows in series.
  parameter int unsigned Replicas = 1,
  /// Multiplier bits that enter with a token, those for the following blocks included.
  parameter int unsigned ABits = 10,
  /// 1: the sum of an entering token is zero.
  parameter bit FirstBlock = 1'b1,
  /// 1: m_i stands still as long as a token is inside.
  parameter bit StillModulus = 1'b1,
  /// Columns that share one copy of the selects.
  parameter int unsigned LaneBits = 32,
  /// See redc_prim_full_adder.
  parameter int unsigned Technology = 0,
  /// 1: the token stands in front of this block, and in it, for two cycles at least, so that the
  /// selects of a coming cycle can be decided a cycle before their copies take them.
  parameter bit SelectsEarly = 1'b0,
  /// Derived; not to be set: quotient bits known ahead.
  localparam int unsigned Ahead = (Replicas == 1) ? 2 : Replicas,
  /// Derived; not to be set: columns that decide them.
  localparam int unsigned Head  = (Replicas == 1) ? 3 : Replicas,
  /// Derived; not to be set: multiplier bits that leave with a token.
  localparam int unsigned RestBits = ABits - Iterations
) (
  /// Clock.
  input  wire logic                   clk_i,
  /// The token enters at the end of this cycle.
  input  wire logic                   load_i,
  /// The same for the next cycle.
  input  wire logic                   load_next_i,
  /// The state advances in the next cycle.
  input  wire logic                   run_next_i,
  /// The next cycle is the token's first.
  input  wire logic                   first_next_i,

  /// What the token brings along: modulus, b, b + m.
  input  wire logic [Width-1:0]       m_i,
  input  wire logic [OperandBits-1:0] b_i,
  input  wire logic [RowBits-1:0]     bm_i,
  /// Multiplier bits from this block's first iteration on.
  input  wire logic [ABits-1:0]       a_i,
  /// Quotient bits of the entering token's first iterations.
  input  wire logic [Ahead-1:0]       q_i,
  /// SelectsEarly: the lowest of these a cycle before the token enters.
  input  wire logic                   q_early_i,
  /// Replicas = 1: bits 2 and 1 of what the token's first iteration adds.
  input  wire logic [2:1]             addend_i,
  /// Replicas = 1: lowest columns of the entering token's sum.
  input  wire logic [Head-1:0]        head_s_i,
  input  wire logic [Head-1:0]        head_c_i,
  /// The entering token's sum, in its first cycle.
  input  wire logic [RowBits-1:0]     s_i,
  input  wire logic [RowBits-1:0]     c_i,

  /// The same for the next block.
  output      logic [Width-1:0]       m_o,
  output      logic [OperandBits-1:0] b_o,
  output      logic [RowBits-1:0]     bm_o,
  output      logic [RestBits-1:0]    a_o,
  output      logic [Ahead-1:0]       q_o,
  output      logic                   q_early_o,
  output      logic [2:1]             addend_o,
  output      logic [Head-1:0]        head_s_o,
  output      logic [Head-1:0]        head_c_o,
  /// Registered sum: what the next block reads in its first cycle.
  output      logic [RowBits-1:0]     s_o,
  output      logic [RowBits-1:0]     c_o,
  /// The sum as it is being registered: what the final adder takes when the token leaves.
  output      logic [RowBits-1:0]     s_next_o,
  output      logic [RowBits-1:0]     c_next_o
);

  localparam int unsigned Cycles = redc_pkg::ceil_div(Iterations, Replicas);
  localparam int unsigned Lanes  = redc_pkg::ceil_div(RowBits, LaneBits);
  // Iterations of the first cycle, and the row that the token enters at.
  localparam int unsigned FirstIterations = Iterations - (Cycles - 1) * Replicas;
  localparam int unsigned EntryRow        = Replicas - FirstIterations;
  // Multiplier bits after the first cycle's, with those of the next block's first iterations.
  localparam int unsigned ShiftBits = Iterations - FirstIterations + Ahead;

  if (ABits < Iterations + Ahead) begin : gen_refuse
    $error("redc_mul_csa_block: ABits=%0d is below Iterations=%0d + %0d",
           ABits, Iterations, Ahead);
  end

  // What stands still while the token is here.
  redc_prim_register #(.Bits(OperandBits)) i_b (.clk_i, .load_next_i, .d_i(b_i), .q_o(b_o));
  redc_prim_register #(.Bits(RowBits)) i_bm (.clk_i, .load_next_i, .d_i(bm_i), .q_o(bm_o));
  redc_prim_register #(.Bits(RestBits)) i_rest (
    .clk_i, .load_next_i, .d_i(a_i[ABits-1:Iterations]), .q_o(a_o)
  );
  if (StillModulus) begin : gen_m_stands
    assign m_o = m_i;
  end else begin : gen_m
    redc_prim_register #(.Bits(Width)) i_m (.clk_i, .load_next_i, .d_i(m_i), .q_o(m_o));
  end

  // Copies of the controls, a set for each lane.
  logic [Lanes-1:0] run, first;
  redc_prim_fanout #(.Copies(Lanes)) i_run (.clk_i, .d_i(run_next_i), .q_o(run));
  redc_prim_fanout #(.Copies(Lanes)) i_first (.clk_i, .d_i(first_next_i), .q_o(first));
  logic run_q;
  always_ff @(posedge clk_i) run_q <= run_next_i;

  // Multiplier bits of the coming cycles.
  localparam int unsigned ShiftLanes = redc_pkg::ceil_div(ShiftBits, LaneBits);
  logic [ShiftLanes-1:0] shift_load, shift_run;
  logic [ShiftBits-1:0]  shift_q, shift_next;
  redc_prim_fanout #(.Copies(ShiftLanes)) i_shift_load (
    .clk_i, .d_i(load_next_i), .q_o(shift_load)
  );
  redc_prim_fanout #(.Copies(ShiftLanes)) i_shift_run (
    .clk_i, .d_i(load_next_i | run_next_i), .q_o(shift_run)
  );
  logic [ShiftBits-1:0]  shifted;
  assign shifted = shift_q >> Replicas;
  for (genvar l = 0; l < ShiftLanes; l++) begin : gen_shift
    localparam int unsigned Low = l * LaneBits;
    localparam int unsigned Own = redc_pkg::min(LaneBits, ShiftBits - Low);
    assign shift_next[Low+:Own] = shift_load[l] ? a_i[FirstIterations+Low+:Own]
                                                : shifted[Low+:Own];
    always_ff @(posedge clk_i) if (shift_run[l]) shift_q[Low+:Own] <= shift_next[Low+:Own];
  end

  // The selects of a cycle, in copies. They must be right when the state advances; where it stands
  // still they are kept.
  logic [Replicas-1:0] own_q_next;
  logic [Lanes-1:0][2*Replicas-1:0] select;
  if (SelectsEarly && Replicas == 1) begin : gen_selects_early
    // select_next_q is what the copies take at the end of this cycle: decided a cycle before.
    logic [1:0] select_next_d, select_next_q;
    logic       a_next;
    assign a_next = run_q ? shift_q[1] : shift_q[0];
    always_comb begin
      select_next_d = select_next_q;
      if (load_next_i) select_next_d = {a_i[0], q_early_i};
      else if (run_next_i) select_next_d = {load_i ? a_i[1] : a_next, q_early_o};
    end
    always_ff @(posedge clk_i) select_next_q <= select_next_d;
    redc_prim_fanout #(.Bits(2), .Copies(Lanes)) i_select (
      .clk_i, .d_i(select_next_q), .q_o(select)
    );
    wire unused_next = ^own_q_next;
  end else begin : gen_selects
    logic [Replicas-1:0] select_a_next, select_q_next, select_a_q, select_q_q;
    always_comb begin
      select_a_next = select_a_q;
      select_q_next = select_q_q;
      if (load_i) begin
        select_a_next = Replicas'({{Replicas{1'b0}}, a_i[FirstIterations-1:0]} << EntryRow);
        select_q_next = Replicas'({{Replicas{1'b0}}, q_i[FirstIterations-1:0]} << EntryRow);
      end else if (run_q) begin
        select_a_next = shift_q[Replicas-1:0];
        select_q_next = own_q_next;
      end
    end
    always_ff @(posedge clk_i) begin
      select_a_q <= select_a_next;
      select_q_q <= select_q_next;
    end
    redc_prim_fanout #(.Bits(2 * Replicas), .Copies(Lanes)) i_select (
      .clk_i, .d_i({select_a_next, select_q_next}), .q_o(select)
    );
    wire unused_early = q_early_i;
  end

  // The rows. Row j reads s[j], c[j]; sum is not halved yet.
  logic [RowBits-1:0] s_q, c_q;
  logic [RowBits-1:0] b_row, m_row;
  assign b_row = RowBits'(b_o);
  assign m_row = RowBits'(m_o);

  logic [RowBits-1:0] last_sum;
  for (genvar j = 0; j < Replicas; j++) begin : gen_row
    logic [RowBits-1:0] s_before, c_before, s, c, addend, sum, carry;

    if (j == 0) begin : gen_from_register
      assign s_before = s_q;
      assign c_before = c_q;
    end else begin : gen_from_row
      assign s_before = gen_row[j-1].sum >> 1;
      assign c_before = gen_row[j-1].carry;
    end

    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      localparam int unsigned Low = l * LaneBits;
      localparam int unsigned Own = redc_pkg::min(LaneBits, RowBits - Low);
      wire logic a = select[l][Replicas+j];
      wire logic q = select[l][j];
      assign addend[Low+:Own] = a ? (q ? bm_o[Low+:Own] : b_row[Low+:Own])
                                  : ({Own{q}} & m_row[Low+:Own]);
      // The token's sum enters here: zero in the first block, else the previous block's.
      if (j == EntryRow && !FirstBlock) begin : gen_enter
        redc_prim_select_pair #(.Width(Own), .Technology(Technology)) i_enter (
          .select_i(first[l]), .x0_i(s_before[Low+:Own]), .x1_i(s_i[Low+:Own]),
          .y0_i(c_before[Low+:Own]), .y1_i(c_i[Low+:Own]), .x_o(s[Low+:Own]), .y_o(c[Low+:Own])
        );
      end else begin : gen_pass
        assign s[Low+:Own] = s_before[Low+:Own];
        assign c[Low+:Own] = c_before[Low+:Own];
      end
      redc_prim_full_adder #(.Width(Own), .Clears(1'b1), .Technology(Technology)) i_adders (
        .x_i(s[Low+:Own]), .y_i(c[Low+:Own]), .z_i(addend[Low+:Own]),
        .gate_i((j == EntryRow && FirstBlock) ? first[l] : 1'b0),
        .sum_o(sum[Low+:Own]), .carry_o(carry[Low+:Own])
      );
    end

    if (j + 1 == Replicas) begin : gen_last
      assign last_sum = sum;
      assign c_next_o = carry;
    end
  end

  // Not every shape of block reads all of what enters.
  wire unused = ^{q_i, addend_i, head_s_i, head_c_i, s_i, c_i, shift_q};

  // The lowest sum bit is zero: that is what q is chosen for.
  assign s_next_o = last_sum >> 1;
  for (genvar l = 0; l < Lanes; l++) begin : gen_state
    localparam int unsigned Low = l * LaneBits;
    localparam int unsigned Own = redc_pkg::min(LaneBits, RowBits - Low);
    always_ff @(posedge clk_i) begin
      if (run[l]) begin
        s_q[Low+:Own] <= s_next_o[Low+:Own];
        c_q[Low+:Own] <= c_next_o[Low+:Own];
      end
    end
  end
  assign s_o = s_q;
  assign c_o = c_q;

  // Quotient bits ahead of the rows.
  assign head_s_o = s_next_o[Head-1:0];
  assign head_c_o = c_next_o[Head-1:0];
  if (Replicas == 1) begin : gen_two_ahead
    // With V the sum, I the addend now and J the next one, the bit wanted is bit 2 of V + I + 2 J,
    // plus a b of the iteration after. V + I is even and V + I + 2 J a multiple of 4, which leaves
    // few carries: s0 | c0 out of column 0, and out of column 1 an odd number exactly when the
    // count of its four other ones is 1 or 2.
    logic [2:0] head_s_q, head_c_q;
    logic [2:1] addend_q;
    logic       q_next_q;
    logic       carry0, odd1;
    logic [2:1] addend_next;
    assign carry0      = head_s_q[0] | head_c_q[0];
    assign odd1        = (head_s_q[1] | head_c_q[1] | addend_q[1] | carry0)
                       & ~(head_s_q[1] & head_c_q[1] & (addend_q[1] | carry0))
                       & ~(addend_q[1] & carry0 & (head_s_q[1] | head_c_q[1]));
    assign addend_next = shift_q[0] ? (q_next_q ? bm_o[2:1] : b_o[2:1])
                                    : (m_o[2:1] & {2{q_next_q}});
    assign addend_o    = addend_next;
    assign q_o[0]      = q_next_q;
    assign q_o[1]      = odd1 ^ head_s_q[2] ^ head_c_q[2] ^ addend_q[2] ^ addend_next[1]
                       ^ (shift_q[1] & b_o[0]);
    assign own_q_next  = q_o[0];
    // q_next_q of the next cycle.
    assign q_early_o   = load_i ? q_i[1] : (run_q ? q_o[1] : q_next_q);
    always_ff @(posedge clk_i) begin
      q_next_q <= q_early_o;
      if (load_i) begin
        head_s_q <= head_s_i;
        head_c_q <= head_c_i;
        addend_q <= addend_i;
      end else if (run_q) begin
        head_s_q <= head_s_o;
        head_c_q <= head_c_o;
        addend_q <= addend_next;
      end
    end
  end else begin : gen_one_ahead
    assign addend_o   = '0;
    assign q_early_o  = 1'b0;
    assign own_q_next = q_o;
    redc_mul_csa_head #(.Bits(Replicas)) i_head (
      .s_i(head_s_o), .c_i(head_c_o), .a_i(shift_q[Replicas-1:0]), .b_i(Replicas'(b_o)),
      .bm_i(Replicas'(bm_o)), .m_i(Replicas'(m_o)), .q_o(q_o)
    );
  end

endmodule

`default_nettype wire
