// SPDX-License-Identifier: Apache-2.0
// redc_add_reduce: (x + y) mod m for x + y < 2m, a word a cycle on one carry chain.
//
// Contract  the token stays Cycles cycles (redc_pipe_ctrl) and may stand in the last; m_i stands
//           still meanwhile; the result stands on d_o in the last cycle.
// Method    two waves run over the words, one word apart: the first adds x and y and puts the sum
//           aside, the second subtracts m from it on the same chain (redc_prim_carry_chain). The
//           last borrow decides: either the difference stands already, or m is cleared, the
//           carries are shut out, and the chain passes the sum on. No second chain, no multiplexer.
// Timing    Cycles = Words + 2 + Settle, Words = ceil(Width / WordBits). Settle = min(Words - 1, 3)
//           register stages lie between the last borrow and the clear; a long single chain has
//           none.
// Leakage   none: both outcomes take the same cycles.
// Refuses   nothing itself; redc_mul_csa does.
// Partner   redc_mul_csa; docs/families/csa.md derives the bounds.
`default_nettype none

module redc_add_reduce #(
  /// Bits of m and of the result; the sum has one more.
  parameter int unsigned Width = 16,
  /// Longest carry chain crossed in one cycle.
  parameter int unsigned WordBits = 4,
  /// See redc_prim_carry_chain.
  parameter int unsigned Technology = 0
) (
  input  wire logic             clk_i,
  /// A token is taken at the end of the next cycle.
  input  wire logic             load_next_i,
  input  wire logic [Width-1:0] x_i,
  input  wire logic [Width-1:0] y_i,
  /// Bit Width of the sum, less the carry into it.
  input  wire logic             top_i,
  input  wire logic [Width-1:0] m_i,
  output      logic [Width-1:0] d_o
);

  localparam int unsigned Words  = redc_pkg::ceil_div(Width, WordBits);
  localparam int unsigned Settle = redc_pkg::min(Words - 1, 3);
  // Enables are copied for every LaneBits bits.
  localparam int unsigned LaneBits = 32;
  localparam int unsigned Copies   = redc_pkg::ceil_div(Width, LaneBits);

  // wave[w]: word w adds; wave[w+1]: it subtracts.
  logic [Words+1:0]  wave;
  // A vector of one bit is not split, and Verilator says so.
  // verilator lint_off SPLITVAR
  logic [Words:0]    ripple /*verilator split_var*/;
  // verilator lint_on SPLITVAR
  logic [Words-1:0]  carry;
  logic              load_q, keep, verdict, undo_next, undo, subtract_q, top_q, top_carry;
  logic [Copies-1:0] load, clear, gate;

  // The verdict: the sum has a bit above m, or the difference does not borrow.
  if (Settle == 0) begin : gen_keep_now
    assign keep      = top_q | carry[Words-1];
    assign top_carry = carry[Words-1];
    wire unused = ripple[Words];
  end else begin : gen_keep_registered
    assign keep      = top_q | ripple[Words];
    assign top_carry = ripple[Words];
  end
  assign verdict = wave[(Settle == 0) ? Words : Words + 1] & ~keep;
  if (Settle == 3) begin : gen_verdict_registered
    always_ff @(posedge clk_i) undo_next <= verdict;
  end else begin : gen_verdict
    assign undo_next = verdict;
  end

  always_ff @(posedge clk_i) begin
    load_q        <= load_next_i;
    wave[0]       <= load_q;
    wave[Words+1] <= wave[Words];
    if (load_q) top_q <= top_i;
    else if (wave[(Settle == 0) ? Words - 1 : Words]) top_q <= top_q ^ top_carry;
    // carry into word 0: one from its subtraction on
    if (load_q) subtract_q <= 1'b0;
    else if (wave[0]) subtract_q <= 1'b1;
  end
  assign ripple[0] = subtract_q;

  // load: a token enters. clear: m back to neutral. gate: carries may come in; after the clear none
  // may, whatever their flip-flops still hold.
  redc_prim_fanout #(.Copies(Copies)) i_load (.clk_i, .d_i(load_next_i), .q_o(load));
  if (Settle >= 2) begin : gen_clear_copied
    always_ff @(posedge clk_i) undo <= undo_next;
    redc_prim_fanout #(.Copies(Copies)) i_clear (
      .clk_i, .d_i(load_next_i | undo_next), .q_o(clear)
    );
  end else begin : gen_clear
    assign undo  = undo_next;
    assign clear = load | {Copies{undo_next}};
  end
  redc_prim_fanout #(.Copies(Copies)) i_gate (
    .clk_i, .d_i(load_q | (gate[0] & ~undo)), .q_o(gate)
  );

  for (genvar w = 0; w < Words; w++) begin : gen_word
    localparam int unsigned Low   = w * WordBits;
    localparam int unsigned Own   = redc_pkg::min(WordBits, Width - Low);
    localparam int unsigned Lanes = redc_pkg::ceil_div(Own, LaneBits);

    // step is wave[w], for each lane of this word
    logic [Lanes-1:0] step;
    redc_prim_fanout #(.Copies(Lanes)) i_step (
      .clk_i, .d_i((w == 0) ? load_q : wave[redc_pkg::max(w, 1)-1]), .q_o(step)
    );

    logic [Own-1:0] x_q, y_q, sum_q, m_q;
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      localparam int unsigned At   = l * LaneBits;
      localparam int unsigned Bits = redc_pkg::min(LaneBits, Own - At);
      localparam int unsigned Copy = (Low + At) / LaneBits;
      always_ff @(posedge clk_i) begin
        if (step[l]) x_q[At+:Bits] <= '0;
        else if (load[Copy]) x_q[At+:Bits] <= x_i[Low+At+:Bits];
        if (step[l]) y_q[At+:Bits] <= '0;
        else if (load[Copy]) y_q[At+:Bits] <= y_i[Low+At+:Bits];
        if (load[Copy]) sum_q[At+:Bits] <= '0;
        else if (step[l]) sum_q[At+:Bits] <= d_o[Low+At+:Bits];
        if (clear[Copy]) m_q[At+:Bits] <= '1;
        else if (step[l]) m_q[At+:Bits] <= m_i[Low+At+:Bits];
      end
    end

    redc_prim_carry_chain #(.Width(Own), .Gate(1), .Technology(Technology)) i_chain (
      .x0_i(x_q), .x1_i(sum_q), .y0_i(y_q), .y1_i(m_q), .carry0_i(ripple[w]),
      .carry1_i(gate[Low/LaneBits]), .sum_o(d_o[Low+:Own]), .carry_o(carry[w])
    );
    always_ff @(posedge clk_i) begin
      wave[w+1]   <= wave[w];
      ripple[w+1] <= carry[w];
    end
  end

endmodule

`default_nettype wire
