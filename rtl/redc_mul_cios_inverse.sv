// SPDX-License-Identifier: Apache-2.0
// redc_mul_cios_inverse: m' = -m^-1 mod 2^Word from the low word of an odd m, a bit a cycle.
//
// Contract  load_i takes the word, which stays until m' is there; start_i begins, anew while busy.
// Method    acc = (1 + m * x) / 2^i for the i bits of x found so far, x the partial m'; the next
//           bit is the one that makes acc + bit * m even.
// Timing    busy for Word + 1 cycles after start; m' stands from then to the next start.
// Leakage   none: all bits take a cycle each.
// Refuses   nothing itself; redc_mul_cios does.
`default_nettype none

module redc_mul_cios_inverse #(
  /// Bits of a word.
  parameter int unsigned Word = 34
) (
  input  wire logic            clk_i,
  /// Active low, synchronous: not busy.
  input  wire logic            rst_ni,
  /// Takes the modulus's low word.
  input  wire logic            load_i,
  input  wire logic [Word-1:0] word_i,
  /// Begins with the word taken.
  input  wire logic            start_i,
  /// m' is not yet there.
  output      logic            busy_o,
  /// m'.
  output      logic [Word-1:0] inverse_o
);

  localparam int unsigned CountBits = redc_pkg::index_bits(Word);

  logic [Word-1:0]      word_q, acc_q, term_q, inverse_q;
  logic [CountBits-1:0] count_q;
  logic                 busy_q, begin_q;

  logic [Word:0] sum;
  assign sum = {1'b0, acc_q} + {1'b0, term_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (start_i) busy_q <= 1'b1;
    else if (!begin_q && count_q == '0) busy_q <= 1'b0;

    // a cycle for the start to reach all of the sum
    begin_q <= start_i;
    if (begin_q) count_q <= CountBits'(Word - 1);
    else count_q <= count_q - 1'b1;

    if (load_i) word_q <= word_i;
    acc_q <= begin_q ? Word'(1) : sum[Word:1];
    // What is added comes from a register, as one bit chooses all of it: that of the next sum, into
    // which acc_q[0] is carried, being the same as term_q[0].
    term_q <= (begin_q | (acc_q[1] ^ term_q[1] ^ acc_q[0])) ? word_q : '0;
    if (busy_q) inverse_q <= {acc_q[0], inverse_q[Word-1:1]};
  end

  assign busy_o    = busy_q;
  assign inverse_o = inverse_q;
  wire unused = sum[0];

endmodule

`default_nettype wire
