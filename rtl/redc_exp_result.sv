// SPDX-License-Identifier: Apache-2.0
// redc_exp_result: the results of redc_exp's threads as a stream, in turn.
//
// Contract  a thread's result may be read while finished_i is high; released_o tells it that the
//           last word leaves. Results that are m, as can be where Bound is 2, leave as 0.
// Method    redc_exp_words hands out the words of one thread after the other. The values' address,
//           which goes to every bit, has a register of its own. A lone thread reads no operands
//           while its result leaves: what hands these out does so with its words, too (Shared).
// Timing    that of redc_exp_words; the next thread's first word may be read when the last one's
//           last word has left.
// Leakage   none but the data, which stand until overwritten and are 0 while nothing is offered.
// Refuses   what redc_exp refuses.
// Partner   src/redcore/units/exp/schedule.py.
`default_nettype none

module redc_exp_result #(
  /// As of redc_exp.
  parameter int unsigned WordBits = 32,
  parameter int unsigned Beats = 8,
  parameter int unsigned FaceBeats = Beats,
  parameter int unsigned Threads = 1,
  parameter int unsigned Bound = 1,
  /// 1: words come through registers.
  parameter int unsigned Piped = (Beats > 1) ? 1 : 0,
  /// 1: from block memory.
  parameter int unsigned Far = 0,
  /// Cycles from the last word of a result to equal_i.
  parameter int unsigned EqualAfter = 1 + Piped,
  /// 1: a lone thread's words are handed out by what hands out operands, of as many words.
  parameter int unsigned Shared = 0,
  /// Derived; not to be set.
  localparam int unsigned ThreadBits = redc_pkg::index_bits(Threads),
  localparam int unsigned BeatBits   = redc_pkg::index_bits(Beats),
  localparam int unsigned FaceBits   = redc_pkg::index_bits(FaceBeats)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous.
  input  wire logic                  rst_ni,

  /// Threads with a result, in this cycle and, unless it leaves, in the next; the one whose result
  /// leaves.
  input  wire logic [Threads-1:0]    finished_i,
  input  wire logic [Threads-1:0]    finished_ahead_i,
  output      logic [Threads-1:0]    released_o,
  /// Shared: words may be handed out in the next cycle; one is offered, the last one leaves.
  output      logic                  go_ahead_o,
  input  wire logic                  valid_i,
  input  wire logic                  last_i,
  input  wire logic                  end_i,

  /// The last word of a result that leaves comes, of this thread; later, whether it is m.
  input  wire logic                  final_i,
  input  wire logic [ThreadBits-1:0] final_thread_i,
  input  wire logic                  equal_i,

  /// Reads words of the threads' values, see redc_exp_values. Shared: the word that is offered,
  /// which is to be 0 while none is, and with zero_o from the cycle before on.
  output      logic [ThreadBits-1:0] thread_o,
  output      logic [BeatBits-1:0]   beat_o,
  output      logic [BeatBits-1:0]   ahead_o,
  output      logic                  read_o,
  input  wire logic [WordBits-1:0]   word_i,
  output      logic                  zero_o,

  /// The stream.
  output      logic                  valid_o,
  input  wire logic                  ready_i,
  output      logic [WordBits-1:0]   p_o,
  output      logic                  last_o
);

  logic [Threads-1:0]    zero_q;
  logic [ThreadBits-1:0] thread_q, final_thread;
  logic                  final_here, go_ahead, ends;

  if (Shared != 0) begin : gen_shared
    assign {beat_o, ahead_o, read_o} = '0;
    assign {valid_o, last_o, ends}   = {valid_i, last_i, end_i};
    assign p_o = word_i;
    wire unused = &{1'b0, rst_ni, finished_i, ready_i};
  end else begin : gen_own
    logic [FaceBits-1:0] beat, ahead, shown_beat;
    logic [WordBits-1:0] word, unused_word;
    logic                shown, unused_first, unused_other;

    // A face of more words than operands has more bits.
    assign beat_o  = BeatBits'(beat);
    assign ahead_o = BeatBits'(ahead);
    wire unused = &{1'b0, beat, ahead, unused_first, unused_other, unused_word, valid_i, last_i,
                    end_i};

    assign shown = ((FaceBeats == Beats) || (shown_beat < FaceBits'(Beats)))
                 & ~zero_o;
    redc_exp_words #(.Bits(WordBits), .Beats(FaceBeats), .Piped(Piped), .Far(Far)) u_words (
      .clk_i, .rst_ni, .go_i(finished_i[thread_q]), .go_ahead_i(go_ahead), .beat_o(beat),
      .ahead_o(ahead), .read_o, .data_i(word_i & {WordBits{shown}}),
      .here_o(shown_beat), .first_o(unused_first), .valid_o, .ready_i, .data_o(word), .last_o,
      .other_i(1'b0), .other_ready_i(1'b0), .other_valid_o(unused_other), .other_zero_i(1'b0),
      .other_data_o(unused_word), .end_o(ends)
    );
    // Between answers there is what is computed with.
    assign p_o        = word & {WordBits{valid_o}};
  end
  assign go_ahead_o = go_ahead;
  assign zero_o     = zero_q[thread_q] & (Bound > 1);
  assign released_o = Threads'(ends) << thread_q;

  redc_prim_delay #(.Bits(1 + ThreadBits), .Cycles(EqualAfter)) u_final (
    .clk_i, .d_i({final_i, final_thread_i}), .q_o({final_here, final_thread})
  );
  always_ff @(posedge clk_i) begin
    if (final_here) zero_q[final_thread] <= equal_i;
  end

  // Of a lone thread synthesis has to see that it is always the first.
  if (Threads == 1) begin : gen_lone
    assign {thread_q, thread_o} = '0;
    // What hands out operands knows that the last word leaves.
    assign go_ahead = finished_ahead_i[0] & ~((Shared == 0) & ends);
  end else begin : gen_turns
    logic [ThreadBits-1:0] behind, next;
    assign behind = (thread_q == ThreadBits'(Threads - 1)) ? '0 : thread_q + 1'b1;
    assign next   = !rst_ni ? '0 : ends ? behind : thread_q;
    redc_prim_fanout #(.Bits(ThreadBits), .Copies(2)) u_thread (
      .clk_i, .d_i(next), .q_o({thread_o, thread_q})
    );
    assign go_ahead = finished_ahead_i[ends ? behind : thread_q];
  end

endmodule

`default_nettype wire
