// SPDX-License-Identifier: Apache-2.0
// redc_rsa_turns: program and prime generator take turns at the exponentiator.
//
// Contract  a word of the one whose turn it is, of a modulus or of operands, is kept and then
//           offered. The turn changes while neither offers a word.
// Method    whose turn it is reaches every bit, and what the exponentiator takes follows from what
//           it gets just then: words go through a register, where they stand for a cycle before
//           they are offered. That one was taken is a register, too.
// Timing    a word is offered two cycles after it is taken, the next one is taken a cycle after it
//           has left.
// Leakage   keeps the last word; cycles do not depend on the words.
// Refuses   Bits < 1: at elaboration.
// Partner   redc_rsa.
`default_nettype none

module redc_rsa_turns #(
  /// Bits of a word and of all that goes with it.
  parameter int unsigned Bits = 64
) (
  input  wire logic            clk_i,
  /// Active low, synchronous; drops the word.
  input  wire logic            rst_ni,
  /// It is the generator's turn.
  input  wire logic            generating_i,
  /// What the program asks: a word of a modulus, or of operands.
  input  wire logic            program_valid_i,
  output      logic            program_ready_o,
  input  wire logic            program_modulus_i,
  input  wire logic [Bits-1:0] program_i,
  /// What the generator asks.
  input  wire logic            generator_valid_i,
  output      logic            generator_ready_o,
  input  wire logic            generator_modulus_i,
  input  wire logic [Bits-1:0] generator_i,
  /// The word kept is offered as one of a modulus, or as operands.
  output      logic            mod_valid_o,
  input  wire logic            mod_ready_i,
  output      logic            in_valid_o,
  input  wire logic            in_ready_i,
  output      logic [Bits-1:0] data_o
);

  if (Bits < 1) begin : gen_refuse
    $error("redc_rsa_turns: Bits=%0d is below 1", Bits);
  end

  // A word has come and, unless it was taken in the cycle before, is kept: those who ask are far
  // from it.
  logic [1:0] come, taken, kept;
  logic       modulus_q;

  assign kept              = come & ~taken;
  assign program_ready_o   = ~kept[1] & ~generating_i;
  assign generator_ready_o = ~kept[1] & generating_i;

  redc_prim_fanout #(.Copies(2)) i_come (
    .clk_i, .q_o(come),
    .d_i(rst_ni & (kept[0] | (generating_i ? generator_valid_i : program_valid_i)))
  );
  redc_prim_fanout #(.Copies(2)) i_taken (
    .clk_i, .q_o(taken),
    .d_i((mod_valid_o & mod_ready_i) | (in_valid_o & in_ready_i))
  );

  always_ff @(posedge clk_i) begin
    if (!kept[0]) begin
      data_o    <= generating_i ? generator_i : program_i;
      modulus_q <= generating_i ? generator_modulus_i : program_modulus_i;
    end
    mod_valid_o <= rst_ni & kept[0] & modulus_q & ~(mod_valid_o & mod_ready_i);
    in_valid_o  <= rst_ni & kept[0] & ~modulus_q & ~(in_valid_o & in_ready_i);
  end

endmodule

`default_nettype wire
