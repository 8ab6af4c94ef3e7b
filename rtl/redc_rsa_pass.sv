// SPDX-License-Identifier: Apache-2.0
// redc_rsa_pass: d = a +- b over the words of two numbers, one word a cycle.
//
// Contract  while run_i is high: word_o is the word to be read, its data come a cycle later; d's
//           words are written from the lowest, two behind. done_o is high in the last cycle, and
//           the flags of this pass stand then. redc_rsa_program_pkg::pass_t says what is done.
// Method    two's complement; a doubled on its way in, the sum halved on its way out, so that a
//           step of a division or of an inversion is one pass.
// Timing    words_i + 2 cycles.
// Leakage   cycles depend on words_i alone; what is masked is added all the same.
// Refuses   nothing.
`default_nettype none

module redc_rsa_pass #(
  /// Most words of a number.
  parameter int unsigned Words = 4,
  /// Derived; not to be set.
  localparam int unsigned CountBits  = $clog2(Words + 2),
  localparam int unsigned LengthBits = $clog2(Words * 32 + 1)
) (
  input  wire logic                                clk_i,
  /// High from the first cycle to that of done_o.
  input  wire logic                                run_i,
  /// What to do, as long as run_i.
  input  wire redc_rsa_program_pkg::pass_t         pass_i,
  /// Words of the numbers, from 1.
  input  wire logic [CountBits-1:0]                words_i,
  /// Flags that passes before, or a scan, have set.
  input  wire logic                                sign_i,
  input  wire logic                                odd_i,
  input  wire logic                                bit_i,

  /// Word to be read; at or above words_i: none.
  output      logic [CountBits-1:0]                word_o,
  /// The words read, a cycle later.
  input  wire logic [31:0]                         a_i,
  input  wire logic [31:0]                         b_i,

  /// Writes a word of d.
  output      logic                                write_o,
  output      logic [CountBits-1:0]                write_word_o,
  output      logic [31:0]                         data_o,

  /// The last cycle.
  output      logic                                done_o,
  /// The sum, before it is halved, is below zero;
  output      logic                                sign_o,
  /// it is zero;
  output      logic                                zero_o,
  /// it, or a, is odd;
  output      logic                                odd_o,
  /// and bits that it has.
  output      logic [LengthBits-1:0]               length_o
);

  import redc_rsa_program_pkg::*;

  // In cycle k word k is addressed, word k - 1 is added and word k - 2 is written.
  logic [CountBits-1:0]  step_q, added;
  logic                  first, last, minus, counts, carry_q, up_q, zero_q, odd_q;
  logic [31:0]           a, b, sum, sum_q;
  logic                  carry, carry_in;
  logic [LengthBits-1:0] length_q;
  logic [5:0]            bits;

  assign word_o       = step_q;
  assign added        = step_q - 1'b1;
  assign first        = (step_q == CountBits'(1));
  assign last         = (step_q == words_i + 1'b1);
  assign done_o       = run_i & last;
  assign write_o      = run_i & pass_i.write & (step_q >= CountBits'(2));
  assign write_word_o = step_q - CountBits'(2);

  assign minus = (pass_i.sense == SenseSub) | ((pass_i.sense == SenseToZero) & ~sign_i);
  always_comb begin
    unique case (pass_i.mask)
      MaskBit: counts = bit_i;
      MaskOdd: counts = odd_i;
      MaskSign: counts = sign_i;
      default: counts = 1'b1;
    endcase
  end

  assign a = pass_i.shift_up ? {a_i[30:0], first ? (pass_i.bit_in & bit_i) : up_q} : a_i;
  assign b = (b_i & {32{counts}}) ^ {32{minus}};
  assign carry_in     = first ? (minus ^ pass_i.unit) : carry_q;
  assign {carry, sum} = {1'b0, a} + {1'b0, b} + 33'(carry_in);

  always_comb begin
    bits = '0;
    for (int unsigned place = 0; place < 32; place++) if (sum[place]) bits = 6'(place + 1);
  end

  always_ff @(posedge clk_i) begin
    step_q <= (run_i & ~last) ? step_q + 1'b1 : '0;
    if (!last) begin
      sum_q   <= sum;
      carry_q <= carry;
      up_q    <= a_i[31];
      zero_q  <= (first | zero_q) & (sum == '0);
      if (first) odd_q <= pass_i.odd_a ? a_i[0] : sum[0];
      if (sum != '0) length_q <= LengthBits'({added, 5'd0}) + LengthBits'(bits);
      else if (first) length_q <= '0;
    end
  end

  assign data_o = !pass_i.shift_down ? sum_q
                : {!last ? sum[0] : pass_i.fill_odd ? odd_i : sum_q[31], sum_q[31:1]};

  assign sign_o   = sum_q[31];
  assign zero_o   = zero_q;
  assign odd_o    = odd_q;
  assign length_o = length_q;

  wire unused = ^{pass_i.pick, pass_i.flags, pass_i.full};

endmodule

`default_nettype wire
