// SPDX-License-Identifier: Apache-2.0
// redc_rsa_operand: whether what a result was checked against is the operand that came.
//
// Contract  the words that are taken in a private command, and then the complements of those of x
//           that y^e was compared with: differs_o rises two cycles behind the last one if they are
//           not the same, and stays until the command's end.
// Method    the exclusive or of all of them is zero. A word that was lost, or that was turned on
//           its way to the memory or in it before it was blinded, would give the right result of
//           another operand, which the check lets pass.
// Timing    words go through a register first.
// Leakage   forgets with the command.
// Refuses   nothing.
// Partner   redc_rsa_release.
`default_nettype none

module redc_rsa_operand (
  input  wire logic        clk_i,
  /// Active low, synchronous; forgets.
  input  wire logic        rst_ni,
  /// A private command is under way.
  input  wire logic        private_i,
  /// A word is taken.
  input  wire logic        taken_i,
  input  wire logic [31:0] word_i,
  /// A complement was compared, and whether all were.
  input  wire logic        compared_i,
  input  wire logic [31:0] complement_i,
  input  wire logic        all_i,
  output      logic        differs_o
);

  logic        taken_q, some_q, all_q;
  logic [31:0] word_q, sum_q;

  always_ff @(posedge clk_i) begin
    taken_q   <= taken_i;
    word_q    <= word_i;
    sum_q     <= sum_q ^ (word_q & {32{taken_q & private_i}}) ^ (~complement_i & {32{compared_i}});
    all_q     <= all_i;
    some_q    <= sum_q != '0;
    differs_o <= private_i & all_q & some_q;
    if (!rst_ni) {taken_q, word_q, sum_q, all_q, some_q, differs_o} <= '0;
  end

endmodule

`default_nettype wire
