// SPDX-License-Identifier: Apache-2.0
// redc_exp_issue: the turns of redc_exp's threads at the multiplier, and whose its results are.
//
// Contract  of the threads whose operation is ready (op_ready_i) one is chosen, and stays so until
//           the multiplier has taken all words of its operands. Results come in that order.
// Method    a turn goes round over operations: next comes the first thread behind the last one that
//           has an operation ready. What was issued stands in registers, oldest first, that move
//           up when a result is there: that comes late, from afar, and only chooses. A thread has
//           no more than two operations there; a lone one's are a register each, without a choice.
// Timing    a lone thread's operation may be read when it is ready; of several threads one is
//           chosen in a cycle, and read in the next but one. That it is taken is told in the next
//           cycle, that a result is there at once (Late = 0) or in the next.
// Leakage   none: turns depend on when threads are ready.
// Refuses   what redc_exp refuses.
`default_nettype none

module redc_exp_issue #(
  /// As of redc_exp.
  parameter int unsigned Threads = 1,
  parameter int unsigned Beats = 1,
  /// 1: values are written a cycle late.
  parameter int unsigned Late = 1,
  /// Bits of a modulus's place.
  parameter int unsigned PlaceBits = 1,
  /// Derived; not to be set.
  localparam int unsigned ThreadBits = redc_pkg::index_bits(Threads),
  localparam int unsigned BeatBits   = redc_pkg::index_bits(Beats)
) (
  input  wire logic                               clk_i,
  /// Active low, synchronous; drops everything.
  input  wire logic                               rst_ni,

  /// Which threads have an operation ready, in this cycle and in the next.
  input  wire logic [Threads-1:0]                 op_ready_i,
  input  wire logic [Threads-1:0]                 op_ready_ahead_i,
  /// Thread that is chosen; its operation.
  output      logic [ThreadBits-1:0]              chosen_o,
  input  wire redc_exp_pkg::operation_t           op_i,
  /// Place of the modulus that it is offered with.
  input  wire logic [PlaceBits-1:0]               place_i,
  /// Its operands are to be read, until their last word is taken: now, and in the next cycle.
  output      logic                               go_o,
  output      logic                               go_ahead_o,
  input  wire logic                               end_i,
  /// That of a lone thread's operation is, and that of any was in the cycle before.
  output      logic [Threads-1:0]                 taken_o,
  output      logic [Threads-1:0]                 issued_o,

  /// The multiplier's result stream.
  input  wire logic                               mul_out_valid_i,
  input  wire logic                               mul_out_last_i,
  /// Which word of a lone thread's result comes: redc_exp_intake counts them.
  input  wire logic [BeatBits-1:0]                lone_beat_i,
  /// Whose result comes next, modulo what, of which operation, and which word of it.
  output      logic [ThreadBits-1:0]              result_thread_o,
  output      logic [PlaceBits-1:0]               result_place_o,
  output      redc_exp_pkg::operation_t           result_op_o,
  output      logic [BeatBits-1:0]                result_beat_o,
  /// The last word of a thread's result is there: the line of its slot.
  output      redc_exp_pkg::slots_t [Threads-1:0] done_o
);

  import redc_exp_pkg::*;

  typedef struct packed {
    logic [ThreadBits-1:0] thread;
    logic [PlaceBits-1:0]  place;
    operation_t            op;
  } issued_t;

  logic                 end_q;
  logic [Threads-1:0]   issued_by_q;
  issued_t              issued_q, oldest_q;
  slots_t [Threads-1:0] done;
  logic                 pop;

  if (Threads == 1) begin : gen_lone
    assign chosen_o   = '0;
    assign go_o       = op_ready_i[0];
    assign go_ahead_o = op_ready_ahead_i[0];
  end else begin : gen_turns
    logic [ThreadBits-1:0] turn_q, pick, chosen_q;
    logic                  busy_q, go_q;
    logic [Threads-1:0]    ready;

    always_comb begin
      pick = turn_q;
      // The last match counts: the thread whose turn it is, then the ones after it.
      for (int unsigned distance = Threads; distance > 0; distance--) begin
        automatic logic [ThreadBits-1:0] thread =
            ThreadBits'((32'(turn_q) + distance - 1) % Threads);
        if (ready[thread]) pick = thread;
      end
    end

    // One that has just been issued is ready for a cycle more.
    assign ready      = op_ready_i & ~issued_o;
    assign chosen_o   = chosen_q;
    assign go_o       = go_q;
    assign go_ahead_o = busy_q & ~end_i;
    wire unused = &{1'b0, op_ready_ahead_i};

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        {busy_q, go_q} <= '0;
        turn_q         <= '0;
      end else begin
        busy_q <= busy_q ? ~end_i : (|ready);
        go_q   <= go_ahead_o;
        if (end_i) turn_q <= (chosen_q == ThreadBits'(Threads - 1)) ? '0 : chosen_q + 1'b1;
      end
      if (!busy_q) chosen_q <= rst_ni ? pick : '0;
    end
  end

  assign pop = mul_out_valid_i & mul_out_last_i;
  if (Threads == 1) begin : gen_two
    // The second one waits where it was issued; end_q is high until the first one has left.
    logic used_q, waits;
    assign waits = end_q & used_q & ~pop;
    always_ff @(posedge clk_i) begin
      end_q  <= rst_ni & (end_i | waits);
      used_q <= rst_ni & (end_q | (used_q & ~pop));
      if (!end_q) issued_q <= {chosen_o, place_i, op_i};
      if (pop || !used_q) oldest_q <= issued_q;
    end
`ifndef SYNTHESIS
    always @(posedge clk_i) if (rst_ni && waits && end_i) $fatal(1, "redc_exp_issue: three");
`endif
  end else begin : gen_order
    always_ff @(posedge clk_i) begin
      end_q    <= end_i & rst_ni;
      issued_q <= {chosen_o, place_i, op_i};
    end
    redc_exp_order #(.Bits($bits(issued_t)), .Depth(2 * Threads)) u_order (
      .clk_i, .rst_ni, .push_i(end_q), .data_i(issued_q), .pop_i(pop), .head_o(oldest_q)
    );
  end

  assign result_thread_o = oldest_q.thread;
  assign result_place_o  = oldest_q.place;
  assign result_op_o     = oldest_q.op;

  if (Threads == 1) begin : gen_lone_beat
    assign result_beat_o = lone_beat_i;
  end else begin : gen_beat
    logic [BeatBits-1:0] result_beat_q;
    assign result_beat_o = result_beat_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || pop) result_beat_q <= '0;
      else if (mul_out_valid_i) result_beat_q <= result_beat_q + 1'b1;
    end
    wire unused = ^lone_beat_i;
  end

  assign issued_o = issued_by_q;
  always_comb begin
    taken_o           = '0;
    taken_o[chosen_o] = end_i & (Threads == 1);
    done = '0;
    done[oldest_q.thread] = oldest_q.op.slot & {ValueSlots{pop}};
  end
  redc_prim_delay #(.Bits(Threads * ValueSlots), .Cycles(Late)) u_done (
    .clk_i, .d_i(done), .q_o(done_o)
  );

  always_ff @(posedge clk_i) issued_by_q <= Threads'(end_i & rst_ni) << chosen_o;

endmodule

`default_nettype wire
