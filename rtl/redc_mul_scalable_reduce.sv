// SPDX-License-Identifier: Apache-2.0
// redc_mul_scalable_reduce: the last S, word by word, into the reduced result.
//
// Contract  words of S (sum and carry vector) and M come least significant first, with idle cycles
//           between them or not, the one above the operand last; S, the bias left aside, is below
//           2M. Results leave in order. Two fit in; the owner sees to it that no third comes.
// Method    final reduction on the fly (Tenca, Todorov, Koc 2001, section 4): S and S - M are
//           formed and stored beside each other; the word on top tells which one is the result. Of
//           that word only the lowest bit matters, as the bias is even there.
// Timing    the first result word is offered three cycles after the top word came.
// Leakage   none: moves with flow_i and out_ready_i alone.
// Refuses   nothing itself; redc_mul_scalable does.
// Partner   src/redcore/families/scalable.py.
`default_nettype none

module redc_mul_scalable_reduce #(
  /// Bits of a word.
  parameter int unsigned Word = 8,
  /// Words of an operand at most.
  parameter int unsigned MaxBeats = 32,
  /// Where results are kept, as redc_prim_queue counts.
  parameter int unsigned Storage = 1,
  /// Derived; not to be set.
  localparam int unsigned CountBits = $clog2(MaxBeats + 2)
) (
  input  wire logic                         clk_i,
  /// Active low, synchronous; forgets all results.
  input  wire logic                         rst_ni,

  /// What comes; words of a final pass count.
  input  wire redc_mul_scalable_pkg::flow_t flow_i,
  /// Sum and carry vector of S.
  input  wire logic [Word-1:0]              sum_i,
  input  wire logic [Word-1:0]              carry_i,
  /// Word of M.
  input  wire logic [Word-1:0]              m_i,

  /// Result stream, in order.
  output      logic                         out_valid_o,
  input  wire logic                         out_ready_i,
  output      logic [Word-1:0]              p_o,
  output      logic                         out_last_o
);

  import redc_mul_scalable_pkg::flow_t;

  // The word as it left the last stage.
  flow_t           flow_q;
  logic [Word-1:0] sum_q, carry_q, m_q;
  always_ff @(posedge clk_i) begin
    flow_q                <= flow_i;
    flow_q.valid          <= rst_ni & flow_i.valid & flow_i.data & flow_i.final_pass;
    {sum_q, carry_q, m_q} <= {sum_i, carry_i, m_i};
  end

  // S
  flow_t           s_flow_q;
  logic            s_carry, s_carry_q;
  logic [Word-1:0] s, s_q, s_m_q;
  assign {s_carry, s} = (Word + 1)'(sum_q) + (Word + 1)'(carry_q)
                      + (Word + 1)'(flow_q.first ? flow_q.hidden : s_carry_q);
  always_ff @(posedge clk_i) begin
    s_flow_q       <= flow_q;
    s_flow_q.valid <= rst_ni & flow_q.valid;
    {s_q, s_m_q}   <= {s, m_q};
    if (flow_q.valid) s_carry_q <= s_carry;
  end
  wire unused_flow = ^s_flow_q;

  // S - M: no_borrow is the carry of S + ~M + 1.
  logic            no_borrow, no_borrow_q;
  logic [Word-1:0] d, inverse;
  assign inverse = ~s_m_q;
  assign {no_borrow, d} = (Word + 1)'(s_q) + (Word + 1)'(inverse)
                        + (Word + 1)'(s_flow_q.first | no_borrow_q);
  always_ff @(posedge clk_i) if (s_flow_q.valid) no_borrow_q <= no_borrow;

  // Both, in two places in turn, and the verdict.
  logic                 in_place_q, decide, take;
  logic [CountBits-1:0] in_word_q;
  logic [1:0]           take_q;
  logic [1:0][CountBits-1:0] beats_q;

  assign decide = s_flow_q.valid & s_flow_q.top;
  assign take   = s_q[0] | no_borrow_q;

  logic [CountBits-1:0] in_word;
  assign in_word = s_flow_q.first ? '0 : in_word_q;
  always_ff @(posedge clk_i) begin
    if (s_flow_q.valid) in_word_q <= in_word + 1'b1;
    if (decide) begin
      take_q[in_place_q]  <= take;
      beats_q[in_place_q] <= in_word;
    end
    if (!rst_ni) in_place_q <= 1'b0;
    else in_place_q <= in_place_q ^ decide;
  end

  // Results decided and not yet read; one that is decided in this cycle may be read in it.
  logic [1:0]           waiting_q;
  logic                 out_place_q, out_fire, fetch, fetch_last, fetch_take, now;
  logic [CountBits-1:0] out_word_q, out_beats;
  logic [2*Word-1:0]    fetched;

  assign now        = (waiting_q == '0);
  assign out_fire   = out_valid_o & out_ready_i;
  assign fetch      = (~now | decide) & (~out_valid_o | out_ready_i);
  assign out_beats  = now ? in_word : beats_q[out_place_q];
  assign fetch_take = now ? take : take_q[out_place_q];
  assign fetch_last = fetch & (out_word_q + 1'b1 == out_beats);
  // Of the word on top only the verdict is kept.
  logic                                write;
  logic [2*Word-1:0]                   unused_next;
  logic [$clog2(2 * MaxBeats + 1)-1:0] unused_level;
  logic                                unused_some;
  assign write = s_flow_q.valid & ~s_flow_q.top;
  redc_prim_queue #(.Bits(2 * Word), .Depth(2 * MaxBeats), .Storage(Storage)) i_store (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(1'b0), .write_i(write), .data_i({d, s_q}),
    .push_i(write), .pop_i(fetch), .head_o(fetched), .head_next_o(unused_next),
    .level_o(unused_level), .some_o(unused_some)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {waiting_q, out_place_q, out_word_q, out_valid_o} <= '0;
    end else begin
      waiting_q   <= waiting_q + 2'(decide) - 2'(fetch_last);
      out_place_q <= out_place_q ^ fetch_last;
      out_valid_o <= fetch | (out_valid_o & ~out_fire);
      if (fetch) out_word_q <= fetch_last ? '0 : (out_word_q + 1'b1);
    end
    if (fetch) begin
      p_o        <= fetch_take ? fetched[2*Word-1:Word] : fetched[Word-1:0];
      out_last_o <= fetch_last;
    end
  end

endmodule

`default_nettype wire
