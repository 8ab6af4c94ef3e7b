// SPDX-License-Identifier: Apache-2.0
// redc_mul_tablechain_load: words on their way to redc_mul_tablechain's units.
//
// Contract  words of a number pass by all units, the lowest one first, and each unit takes what
//           passes until its own word has. A unit's word is there two cycles behind its coming, or
//           three where there are several leaves.
// Method    a register that all units see, and a bit for each that moves up with the words. Many
//           units are more than one register reaches within a cycle: behind it there is a leaf, a
//           copy of it, for so many of them.
// Timing    a word a cycle, with pauses or without.
// Leakage   none: units load by counts of words. Registers keep words until overwritten.
// Refuses   nothing itself; redc_mul_tablechain does.
// Partner   rtl/redc_mul_tablechain.sv.
`default_nettype none

module redc_mul_tablechain_load #(
  /// Bits of a word.
  parameter int unsigned Word = 20,
  /// Words of a number, and units.
  parameter int unsigned Beats = 13,
  /// Copies of the word, each for its part of the units; 1: the register itself.
  parameter int unsigned Leaves = 1,
  /// Derived; not to be set. Units of a leaf.
  localparam int unsigned Branch = redc_pkg::ceil_div(Beats, Leaves)
) (
  input  wire logic                        clk_i,
  /// Active low, synchronous; what has not been taken is dropped.
  input  wire logic                        rst_ni,
  /// A word comes, and it is the first one of a number,
  input  wire logic                        valid_i,
  input  wire logic                        first_i,
  /// or the last one, behind which no unit takes anything.
  input  wire logic                        last_i,
  input  wire logic [Word-1:0]             word_i,
  /// Each unit takes what its leaf has.
  output      logic [Beats-1:0]            load_o,
  output      logic [Leaves-1:0][Word-1:0] leaf_o
);

  logic              valid_q, drop_q, first;
  logic [Word-1:0]   word_q;
  logic [Leaves-1:0] valid, drop;
  logic [Beats-1:0]  load_q;

  always_ff @(posedge clk_i) begin
    word_q <= word_i;
    drop_q <= ~rst_ni | last_i;
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= valid_i;
    // At the first word all but the lowest are 0: the number before has had as many words.
    if (!rst_ni) load_q[0] <= 1'b0;
    else load_q[0] <= first | (load_q[0] & ~valid[0]);
  end
  for (genvar w = 1; w < Beats; w++) begin : gen_load
    always_ff @(posedge clk_i) begin
      if (drop[w/Branch]) load_q[w] <= 1'b0;
      else if (valid[w/Branch]) load_q[w] <= load_q[w-1];
    end
  end
  assign load_o = load_q;

  if (Leaves == 1) begin : gen_one_leaf
    assign leaf_o = word_q;
    assign valid  = valid_q;
    assign drop   = drop_q;
    assign first  = first_i;
  end else begin : gen_leaves
    logic                        first_q;
    logic [Leaves-1:0][Word+1:0] copies;
    redc_prim_fanout #(.Bits(Word + 2), .Copies(Leaves)) i_leaves (
      .clk_i, .d_i({valid_q & rst_ni, drop_q, word_q}), .q_o(copies)
    );
    for (genvar l = 0; l < Leaves; l++) begin : gen_leaf
      assign {valid[l], drop[l], leaf_o[l]} = copies[l];
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) first_q <= 1'b0;
      else first_q <= first_i;
    end
    assign first = first_q;
  end
  wire unused = ^drop;  // of one word

endmodule

`default_nettype wire
