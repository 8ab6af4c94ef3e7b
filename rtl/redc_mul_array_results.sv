// SPDX-License-Identifier: Apache-2.0
// redc_mul_array_results: the result stream of redc_mul_array, and a queue for what has to wait.
//
// Contract  digits come with keep_i, whether anybody takes them or not; there is room for Depth.
// Method    the stream's own register, and a queue for what comes while it is full: each digit is
//           written there, and overwritten if it need not wait, as that comes late in the cycle.
// Timing    a digit is offered in the cycle behind the one in which it comes.
// Leakage   handshakes alone decide. The queue keeps digits until overwritten.
// Refuses   nothing itself; redc_mul_array does.
// Partner   src/redcore/families/array.py.
`default_nettype none

module redc_mul_array_results #(
  /// Bits of a digit.
  parameter int unsigned Digit = 18,
  /// Digits of a result.
  parameter int unsigned Words = 15,
  /// Digits of results that may wait.
  parameter int unsigned Depth = 45
) (
  input  wire logic             clk_i,
  /// Active low, synchronous: forgets all.
  input  wire logic             rst_ni,
  /// A digit of a result.
  input  wire logic             keep_i,
  input  wire logic [Digit-1:0] result_i,
  /// The last digit of a result is delivered at the end of this cycle.
  output      logic             deliver_o,
  /// Result stream.
  output      logic             out_valid_o,
  input  wire logic             out_ready_i,
  output      logic [Digit-1:0] p_o,
  output      logic             out_last_o
);

  localparam int unsigned WordBits = redc_pkg::index_bits(Words);

  logic [Digit-1:0]           held, unused_next;
  logic [$clog2(Depth+1)-1:0] unused_level;
  logic [WordBits-1:0]        word_q;
  logic                       any_held, pop, refill;

  assign pop       = out_valid_o & out_ready_i;
  assign deliver_o = pop & out_last_o;
  assign refill    = pop | ~out_valid_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {out_valid_o, out_last_o, word_q} <= '0;
    end else begin
      out_valid_o <= keep_i | any_held | ~refill;
      if (pop) begin
        word_q     <= out_last_o ? '0 : word_q + 1'b1;
        out_last_o <= (word_q == WordBits'(Words - 2));
      end
    end
    if (refill) p_o <= any_held ? held : result_i;
  end
  redc_prim_queue #(.Bits(Digit), .Depth(Depth), .Storage((Depth > 64) ? 2 : 1)) i_queue (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(1'b0), .write_i(keep_i), .data_i(result_i),
    .push_i(keep_i & (any_held | ~refill)), .pop_i(any_held & refill), .head_o(held),
    .head_next_o(unused_next), .level_o(unused_level), .some_o(any_held)
  );

endmodule

`default_nettype wire
