// SPDX-License-Identifier: Apache-2.0
// redc_add_words: x + y + carry, in words whose carries are selected.
//
// Contract  {carry_o, sum_o} = x_i + y_i + carry_i; Held = 0: combinational, Held = 1: where the
//           summands were the same in the cycle before.
// Method    carry-select: each word is added without and with a carry. The first sum's carry says
//           that the word generates one, the second's that it hands one on; a chain of one bit a
//           word adds these two numbers, whose carries are those of the words, and they select.
// Timing    a chain of Word bits, one of a bit for each word, a selection; Held = 1: a register
//           behind the first.
// Leakage   none: no schedule.
// Refuses   Width or Word < 1: at elaboration.
// Partner   rtl/redc_mul_interleaved.sv and rtl/redc_mul_barrett.sv; tests/families/test_adders.py.
`default_nettype none

module redc_add_words #(
  /// Bits, at least 1.
  parameter int unsigned Width = 64,
  /// Bits of a word; the top one has the rest.
  parameter int unsigned Word = 32,
  /// 1: what words generate and propagate comes from registers.
  parameter bit          Held = 1'b0
) (
  input  wire logic             clk_i,
  /// Summands.
  input  wire logic [Width-1:0] x_i,
  input  wire logic [Width-1:0] y_i,
  /// Carry into bit 0.
  input  wire logic             carry_i,
  /// Sum, low Width bits.
  output      logic [Width-1:0] sum_o,
  /// Carry out of the top bit.
  output      logic             carry_o
);

  if (Width < 1 || Word < 1) begin : gen_refuse
    $error("redc_add_words: Width=%0d or Word=%0d is below 1", Width, Word);
  end

  // An illegal Word must reach its own message above.
  localparam int unsigned Bits  = redc_pkg::max(Word, 1);
  localparam int unsigned Words = redc_pkg::ceil_div(Width, Bits);

  logic [Words-1:0] generates, propagates, carry;  // of each word; carry: into it
  logic [Words-1:0] known_g, known_p;
  logic [Words:0]   carries;                       // a word's carry in is the sum's odd one out

  if (Held) begin : gen_held
    logic [Words-1:0] generates_q, propagates_q;
    always_ff @(posedge clk_i) {generates_q, propagates_q} <= {generates, propagates};
    assign {known_g, known_p} = {generates_q, propagates_q};
  end else begin : gen_at_once
    assign {known_g, known_p} = {generates, propagates};
    wire unused = clk_i;
  end
  assign carries = {1'b0, known_g} + {1'b0, known_p} + (Words + 1)'(carry_i);
  assign carry   = carries[Words-1:0] ^ known_g ^ known_p;
  assign carry_o = carries[Words];

  for (genvar w = 0; w < Words; w++) begin : gen_word
    localparam int unsigned Low = w * Bits;
    localparam int unsigned Own = redc_pkg::min(Bits, Width - Low);
    logic [Own-1:0] without, with_one;
    assign {generates[w], without} = {1'b0, x_i[Low+:Own]} + {1'b0, y_i[Low+:Own]};
    assign {propagates[w], with_one} = {1'b0, x_i[Low+:Own]} + {1'b0, y_i[Low+:Own]}
                                     + (Own + 1)'(1'b1);
    assign sum_o[Low+:Own] = carry[w] ? with_one : without;
  end

endmodule

`default_nettype wire
