// SPDX-License-Identifier: Apache-2.0
// redc_exp_issue: the turns of redc_exp's threads at the multiplier, and whose its results are.
//
// Contract  of the threads that have an operation (op_valid_i) one is chosen, and stays so until
//           the multiplier has taken all words of its operands. Results come in that order.
// Method    a turn goes round over operations: next comes the first thread behind the last one that
//           has an operation. It is chosen a cycle ahead, as operands and their place follow from
//           it. What was issued stands in a queue, oldest first; a thread has no more than two
//           operations there.
// Timing    an operation is offered in the cycle after op_valid_next_i, if it is its thread's turn.
// Leakage   none: turns depend on when threads are ready.
// Refuses   what redc_exp refuses.
`default_nettype none

module redc_exp_issue #(
  /// As of redc_exp.
  parameter int unsigned Threads = 1,
  parameter int unsigned Beats = 1,
  /// Derived; not to be set.
  localparam int unsigned ThreadBits = redc_pkg::index_bits(Threads),
  localparam int unsigned BeatBits   = redc_pkg::index_bits(Beats)
) (
  input  wire logic                                clk_i,
  /// Active low, synchronous; drops everything.
  input  wire logic                                rst_ni,

  /// Which threads have an operation, and which will in the next cycle.
  input  wire logic [Threads-1:0]                  op_valid_i,
  input  wire logic [Threads-1:0]                  op_valid_next_i,
  /// Thread whose operation is offered, and whose will be in the next cycle.
  output      logic [ThreadBits-1:0]               chosen_o,
  output      logic [ThreadBits-1:0]               chosen_next_o,
  /// Its operation.
  input  wire redc_exp_pkg::operation_t            op_i,
  /// Word of its operands.
  output      logic [BeatBits-1:0]                 beat_o,
  /// The last word of a thread's operation is taken.
  output      logic [Threads-1:0]                  issued_o,
  /// The multiplier's operand stream, but for what it carries.
  output      logic                                mul_in_valid_o,
  input  wire logic                                mul_in_ready_i,
  output      logic                                mul_in_last_o,

  /// The multiplier's result stream.
  input  wire logic                                mul_out_valid_i,
  input  wire logic                                mul_out_last_i,
  /// Whose result comes next, of which operation, and which word of it.
  output      logic [ThreadBits-1:0]               result_thread_o,
  output      redc_exp_pkg::operation_t            result_op_o,
  output      logic [BeatBits-1:0]                 result_beat_o,
  /// The line of the slot that it is kept in, if it is; and what that will be in the next cycle.
  output      logic [redc_exp_pkg::ValueSlots-1:0] kept_o,
  output      logic [redc_exp_pkg::ValueSlots-1:0] kept_next_o,
  /// The last word of a thread's result is there.
  output      logic [Threads-1:0]                  done_o
);

  import redc_exp_pkg::*;

  typedef struct packed {
    logic [ThreadBits-1:0] thread;
    operation_t            op;
    logic [ValueSlots-1:0] kept;
  } issued_t;

  logic                issue_end;
  logic [BeatBits-1:0] issue_beat_q, result_beat_q;
  issued_t             oldest, oldest_next;

  if (Threads == 1) begin : gen_lone
    assign {chosen_o, chosen_next_o} = '0;
    assign mul_in_valid_o            = op_valid_i[0];
    wire unused = &{1'b0, op_valid_next_i};
  end else begin : gen_turns
    logic [ThreadBits-1:0] turn_q, turn, pick, chosen_q;

    assign turn = issue_end ? next_thread(chosen_q) : turn_q;

    function automatic logic [ThreadBits-1:0] next_thread(logic [ThreadBits-1:0] thread);
      return (thread == ThreadBits'(Threads - 1)) ? '0 : thread + 1'b1;
    endfunction

    always_comb begin
      pick = turn;
      // The last match counts: the thread whose turn it is, then the ones after it.
      for (int unsigned distance = Threads; distance > 0; distance--) begin
        automatic logic [ThreadBits-1:0] thread =
            ThreadBits'((32'(turn) + distance - 1) % Threads);
        if (op_valid_next_i[thread]) pick = thread;
      end
    end

    assign chosen_o       = chosen_q;
    assign mul_in_valid_o = |op_valid_i;
    // An offer stays until it is taken, whoever else comes meanwhile.
    assign chosen_next_o  = (mul_in_valid_o & ~issue_end) ? chosen_q : pick;

    always_ff @(posedge clk_i) begin
      turn_q   <= rst_ni ? turn : '0;
      chosen_q <= rst_ni ? chosen_next_o : '0;
    end
  end

  assign beat_o        = issue_beat_q;
  assign mul_in_last_o = issue_beat_q == BeatBits'(Beats - 1);
  assign issue_end     = mul_in_valid_o & mul_in_ready_i & mul_in_last_o;

  logic [$clog2(2*Threads+1)-1:0] unused_level;
  logic                           unused_some;
  redc_prim_queue #(.Bits($bits(issued_t)), .Depth(2 * Threads)) u_order (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(1'b0), .write_i(issue_end),
    .data_i({chosen_o, op_i, ValueSlots'(op_i.keep) << op_i.slot}), .push_i(issue_end),
    .pop_i(mul_out_valid_i & mul_out_last_i), .head_o(oldest), .head_next_o(oldest_next),
    .level_o(unused_level), .some_o(unused_some)
  );
  wire unused_next = &{1'b0, oldest_next};

  assign result_thread_o = oldest.thread;
  assign result_op_o     = oldest.op;
  assign result_beat_o   = result_beat_q;
  assign kept_o          = oldest.kept;
  assign kept_next_o     = oldest_next.kept;

  always_comb begin
    issued_o = '0;
    issued_o[chosen_o] = issue_end;
    done_o = '0;
    done_o[oldest.thread] = mul_out_valid_i & mul_out_last_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      issue_beat_q  <= '0;
      result_beat_q <= '0;
    end else begin
      if (mul_in_valid_o && mul_in_ready_i)
        issue_beat_q <= mul_in_last_o ? '0 : issue_beat_q + 1'b1;
      if (mul_out_valid_i) result_beat_q <= mul_out_last_i ? '0 : result_beat_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
