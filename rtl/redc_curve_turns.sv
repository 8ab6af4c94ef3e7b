// SPDX-License-Identifier: Apache-2.0
// redc_curve_turns: where results of several multipliers wait for their turn.
//
// Contract  what comes is taken at once, and leaves in that order as it is asked for. No more than
//           Depth words of a multiplier wait: redc_curve has so many products under way at most.
//           Of one multiplier at a time a word is asked for.
// Method    queues, each beside the way of a word that need not wait. That one is written, too, and
//           its place passed over, so that products of constants overwrite each place. Without them
//           results would wait in the multipliers, some of which keep them until others wait there.
//           Where two are asked for words, a bit was turned in what says whose turn it is: then
//           there is a word in each cycle, which redc_curve takes for the fault that it is, as it
//           waits for none of that place. Else results would be wrong until the next reset.
// Timing    none of its own: a word leaves in the cycle in which it comes, if it may.
// Leakage   none: when words come depends on the program. Entries stay until overwritten.
// Refuses   Copies, Bits or Depth < 1: at elaboration.
// Partner   Turns in src/redcore/units/curve/play.py.
`default_nettype none

module redc_curve_turns #(
  /// Multipliers.
  parameter int unsigned Copies = 2,
  /// Bits of a word.
  parameter int unsigned Bits = 34,
  /// Words of each that may wait.
  parameter int unsigned Depth = 32
) (
  input  wire logic                        clk_i,
  /// Active low, synchronous; nothing waits.
  input  wire logic                        rst_ni,

  /// The multipliers' result streams.
  input  wire logic [Copies-1:0]           valid_i,
  output      logic [Copies-1:0]           ready_o,
  input  wire logic [Copies-1:0]           last_i,
  input  wire logic [Copies-1:0][Bits-1:0] data_i,

  /// The same, of each a word behind the other.
  output      logic [Copies-1:0]           valid_o,
  input  wire logic [Copies-1:0]           ready_i,
  output      logic [Copies-1:0]           last_o,
  output      logic [Copies-1:0][Bits-1:0] data_o
);

  if (Copies < 1 || Bits < 1 || Depth < 1) begin : gen_refuse
    $error("redc_curve_turns: Copies=%0d, Bits=%0d or Depth=%0d is below 1", Copies, Bits, Depth);
  end

  // An illegal number must reach its own message above.
  localparam int unsigned Lanes  = redc_pkg::max(Copies, 1);
  localparam int unsigned Places = redc_pkg::max(Depth, 1);

  // More than one was asked.
  logic odd_q;
  always_ff @(posedge clk_i) odd_q <= rst_ni & (odd_q | (|(ready_i & (ready_i - 1'b1))));

  assign ready_o = '1;

  for (genvar i = 0; i < Lanes; i++) begin : gen_turn
    logic                        some;
    logic [Bits:0]               head, unused_next;
    logic [$clog2(Places+1)-1:0] unused_level;
    redc_prim_queue #(.Bits(Bits + 1), .Depth(Places), .Storage(1)) u_queue (
      .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(valid_i[i] & ~some & ready_i[i]),
      .write_i(valid_i[i]), .data_i({last_i[i], data_i[i]}), .push_i(valid_i[i]),
      .pop_i(some & ready_i[i]), .head_o(head), .head_next_o(unused_next),
      .level_o(unused_level), .some_o(some)
    );
    assign valid_o[i]             = some | valid_i[i] | odd_q;
    assign {last_o[i], data_o[i]} = some ? head : {last_i[i] | odd_q, data_i[i]};
  end

endmodule

`default_nettype wire
