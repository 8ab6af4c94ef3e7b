// SPDX-License-Identifier: Apache-2.0
// redc_mul_several: several multipliers that look like one with as many times the slots.
//
// Contract  multiplier contract towards the parent; its mirror, an element for each multiplier,
//           towards the multipliers, which are all alike and keep the contract themselves.
//           WordBits, Beats, RBits, Bound and Moduli are theirs; Slots and their number multiply.
//           A result's word may be longer (ResultBits): what is told beside it stands above it.
// Method    multiplication k goes to multiplier k mod Copies, and results are collected in that
//           order. A modulus goes to all: each beat waits until every one has taken it, and who
//           took it early is remembered. While a modulus comes in no multiplication begins, and one
//           that has been offered is taken before: else a multiplier that is done early would use
//           the new modulus for what the parent offered with the old. A multiplication never
//           overtakes the one before, so multipliers stand idle where the parent feeds too slowly.
// Timing    latency as a multiplier's; interval = max(interval / Copies, Beats), as each of the
//           shared streams carries a beat a cycle; in place of Beats what an operand takes to be
//           taken, or a result that has waited to leave, where that is longer. A modulus is taken a
//           cycle later than alone.
//           Multipliers that open their operand stream in single cycles (redc_mul_csa with adders
//           of several words, redc_mul_carrychain: one in three) are waited for one after another:
//           an interval below three is then between the formula and three.
// Leakage   none of its own: nothing here sees data. With multipliers that open in single cycles,
//           cycle counts also depend on when each was used before, as the data does not decide.
// Refuses   Copies < 1 or > 1024, WordBits < 1, IndexBits < 1, ResultBits < 1: at elaboration.
// Partner   tests/units/test_mul_several.py.
`default_nettype none

module redc_mul_several #(
  /// Multipliers, 1 to 1024.
  parameter int unsigned Copies = 2,
  /// Bits of a word of theirs.
  parameter int unsigned WordBits = 34,
  /// Bits of their modulus index.
  parameter int unsigned IndexBits = 1,
  /// Bits of a word that comes back: more than WordBits where it has a status above it.
  parameter int unsigned ResultBits = WordBits
) (
  input  wire logic                                clk_i,
  /// Active low, synchronous; to be given to the multipliers, too.
  input  wire logic                                rst_ni,

  /// Modulus stream. Waits, and holds the operand stream, until all multipliers have taken it.
  input  wire logic                                mod_valid_i,
  output      logic                                mod_ready_o,
  input  wire logic [WordBits-1:0]                 mod_data_i,
  /// High in the last beat of a modulus.
  input  wire logic                                mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0]                mod_idx_i,

  /// Operand stream.
  input  wire logic                                in_valid_i,
  output      logic                                in_ready_o,
  input  wire logic [WordBits-1:0]                 a_i,
  input  wire logic [WordBits-1:0]                 b_i,
  /// High in the last beat of an operand pair.
  input  wire logic                                in_last_i,
  /// Place of the modulus to use.
  input  wire logic [IndexBits-1:0]                in_idx_i,

  /// Result stream, in order.
  output      logic                                out_valid_o,
  input  wire logic                                out_ready_i,
  output      logic [ResultBits-1:0]               p_o,
  output      logic                                out_last_o,

  /// One of the multipliers says so.
  output      logic                                err_o,

  /// The multipliers' modulus streams; they share the data.
  output      logic [Copies-1:0]                   mul_mod_valid_o,
  input  wire logic [Copies-1:0]                   mul_mod_ready_i,
  /// Data of that stream.
  output      logic [WordBits-1:0]                 mul_mod_data_o,
  output      logic                                mul_mod_last_o,
  output      logic [IndexBits-1:0]                mul_mod_idx_o,

  /// The multipliers' operand streams; they share the data.
  output      logic [Copies-1:0]                   mul_in_valid_o,
  input  wire logic [Copies-1:0]                   mul_in_ready_i,
  /// Data of that stream.
  output      logic [WordBits-1:0]                 mul_a_o,
  output      logic [WordBits-1:0]                 mul_b_o,
  output      logic                                mul_in_last_o,
  output      logic [IndexBits-1:0]                mul_in_idx_o,

  /// The multipliers' result streams.
  input  wire logic [Copies-1:0]                   mul_out_valid_i,
  output      logic [Copies-1:0]                   mul_out_ready_o,
  /// Data of those streams.
  input  wire logic [Copies-1:0][ResultBits-1:0]   mul_p_i,
  input  wire logic [Copies-1:0]                   mul_out_last_i,
  /// The multipliers' err_o.
  input  wire logic [Copies-1:0]                   mul_err_i
);

  if (Copies < 1 || Copies > 1024) begin : gen_refuse_copies
    $error("redc_mul_several: Copies=%0d is not within 1 to 1024", Copies);
  end
  if (WordBits < 1) begin : gen_refuse_word_bits
    $error("redc_mul_several: WordBits=%0d is below 1", WordBits);
  end
  if (IndexBits < 1) begin : gen_refuse_index_bits
    $error("redc_mul_several: IndexBits=%0d is below 1", IndexBits);
  end
  if (ResultBits < 1) begin : gen_refuse_result_bits
    $error("redc_mul_several: ResultBits=%0d is below 1", ResultBits);
  end

  // An illegal number must reach its own message above.
  localparam int unsigned Lanes = redc_pkg::max(Copies, 1);

  // ------------------------------------------------------------------------------------------
  // Modulus
  // ------------------------------------------------------------------------------------------
  // Multiplications may begin: a modulus is loaded and none is on its way.
  logic             open_q;
  // This beat is at the multiplier already.
  logic [Lanes-1:0] taken_q, arrived;
  logic             in_first_q, in_waits;

  assign mul_mod_valid_o = {Lanes{mod_valid_i & ~open_q}} & ~taken_q;
  assign arrived         = taken_q | mul_mod_ready_i;
  assign mod_ready_o     = ~open_q & (&arrived);
  assign mul_mod_data_o  = mod_data_i;
  assign mul_mod_last_o  = mod_last_i;
  assign mul_mod_idx_o   = mod_idx_i;

  // What a multiplier has been offered stays until taken, and is taken with the old modulus.
  assign in_waits = in_valid_i & in_first_q & ~in_ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q  <= 1'b0;
      taken_q <= '0;
    end else begin
      if (open_q) open_q <= ~mod_valid_i | in_waits;
      else open_q <= mod_valid_i & mod_ready_o & mod_last_i;
      taken_q <= (mod_valid_i & ~open_q & ~(&arrived)) ? arrived : '0;
    end
  end

  // ------------------------------------------------------------------------------------------
  // Operands and results
  // ------------------------------------------------------------------------------------------
  logic in_pass, turn_ready;

  assign in_pass       = open_q | ~in_first_q;
  assign in_ready_o    = in_pass & turn_ready;
  assign mul_a_o       = a_i;
  assign mul_b_o       = b_i;
  assign mul_in_last_o = in_last_i;
  assign mul_in_idx_o  = in_idx_i;
  assign err_o         = |mul_err_i;

  redc_prim_turns #(.Copies(Copies), .Bits(ResultBits)) i_turns (
    .clk_i, .rst_ni,
    .in_valid_i(in_valid_i & in_pass), .in_ready_o(turn_ready), .in_last_i,
    .copy_in_valid_o(mul_in_valid_o), .copy_in_ready_i(mul_in_ready_i),
    .copy_out_valid_i(mul_out_valid_i), .copy_out_ready_o(mul_out_ready_o),
    .copy_out_last_i(mul_out_last_i), .copy_out_data_i(mul_p_i),
    .out_valid_o, .out_ready_i, .out_last_o, .out_data_o(p_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) in_first_q <= 1'b1;
    else if (in_valid_i & in_ready_o) in_first_q <= in_last_i;
  end

endmodule

`default_nettype wire
