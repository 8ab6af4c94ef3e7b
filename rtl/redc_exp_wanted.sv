// SPDX-License-Identifier: Apache-2.0
// redc_exp_wanted: a word behind a block memory of redc_exp, 0 where it is not wanted.
//
// Contract  word_o is the word_i of the last cycle in which read_i was high, or 0 where wanted_i
//           was low in it.
// Method    of a lone thread by the register's reset, which costs no gate; of several by gates, as
//           what is wanted then comes late, and the reset would join it with the enable.
// Timing    one cycle, where read_i is high; else the word stays.
// Leakage   what reads it says whether wanted_i is secret. Keeps the word until overwritten.
// Refuses   nothing itself; redc_exp does.
`default_nettype none

module redc_exp_wanted #(
  /// Bits of the word.
  parameter int unsigned Bits = 32,
  /// As of redc_exp.
  parameter int unsigned Threads = 1
) (
  input  wire logic            clk_i,
  /// The word is taken;
  input  wire logic            read_i,
  /// else zeros are.
  input  wire logic            wanted_i,
  input  wire logic [Bits-1:0] word_i,
  output      logic [Bits-1:0] word_o
);

  logic [Bits-1:0] word_q;

  assign word_o = word_q;

  always_ff @(posedge clk_i) if (read_i) begin
    word_q <= word_i & {Bits{wanted_i | (Threads == 1)}};
    if (Threads == 1 && !wanted_i) word_q <= '0;
  end

endmodule

`default_nettype wire
