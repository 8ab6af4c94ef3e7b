// SPDX-License-Identifier: Apache-2.0
// redc_prim_turns: messages go to several copies in turn, and their answers leave in that order.
//
// Contract  each copy answers each message with one, in order. What a message's words carry goes to
//           all copies beside this; only who takes them is said here.
// Method    a bit that turns at the last word of a message, and one at that of an answer.
// Timing    none of its own: no word waits but for its turn.
// Leakage   none: what turns does not depend on data.
// Refuses   Copies < 1 or > 1024, Bits < 1: at elaboration.
// Partner   tests/units/test_copies.py, tests/units/test_mul_several.py.
`default_nettype none

module redc_prim_turns #(
  /// Copies, 1 to 1024.
  parameter int unsigned Copies = 2,
  /// Bits of a word of an answer.
  parameter int unsigned Bits = 32
) (
  input  wire logic                        clk_i,
  /// Active low, synchronous.
  input  wire logic                        rst_ni,

  /// Messages.
  input  wire logic                        in_valid_i,
  output      logic                        in_ready_o,
  /// High in the last word of a message.
  input  wire logic                        in_last_i,
  /// Each copy's.
  output      logic [Copies-1:0]           copy_in_valid_o,
  input  wire logic [Copies-1:0]           copy_in_ready_i,

  /// Answers of each copy.
  input  wire logic [Copies-1:0]           copy_out_valid_i,
  output      logic [Copies-1:0]           copy_out_ready_o,
  input  wire logic [Copies-1:0]           copy_out_last_i,
  input  wire logic [Copies-1:0][Bits-1:0] copy_out_data_i,
  /// All of them, in order.
  output      logic                        out_valid_o,
  input  wire logic                        out_ready_i,
  output      logic                        out_last_o,
  output      logic [Bits-1:0]             out_data_o
);

  if (Copies < 1 || Copies > 1024) begin : gen_refuse_copies
    $error("redc_prim_turns: Copies=%0d is not within 1 to 1024", Copies);
  end
  if (Bits < 1) begin : gen_refuse_bits
    $error("redc_prim_turns: Bits=%0d is below 1", Bits);
  end

  // An illegal number must reach its own message above.
  localparam int unsigned Lanes = redc_pkg::max(Copies, 1);

  // One bit set: whose turn it is.
  logic [Lanes-1:0] in_turn_q, out_turn_q;

  assign copy_in_valid_o  = {Lanes{in_valid_i}} & in_turn_q;
  assign in_ready_o       = |(copy_in_ready_i & in_turn_q);
  assign out_valid_o      = |(copy_out_valid_i & out_turn_q);
  assign out_last_o       = |(copy_out_last_i & out_turn_q);
  assign copy_out_ready_o = {Lanes{out_ready_i}} & out_turn_q;

  always_comb begin
    out_data_o = '0;
    for (int unsigned i = 0; i < Lanes; i++) if (out_turn_q[i]) out_data_o |= copy_out_data_i[i];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_turn_q  <= Lanes'(1);
      out_turn_q <= Lanes'(1);
    end else begin
      if (in_valid_i & in_ready_o & in_last_i)
        in_turn_q <= Lanes'({in_turn_q, in_turn_q} >> (Lanes - 1));
      if (out_valid_o & out_ready_i & out_last_o)
        out_turn_q <= Lanes'({out_turn_q, out_turn_q} >> (Lanes - 1));
    end
  end

endmodule

`default_nettype wire
