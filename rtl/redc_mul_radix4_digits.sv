// SPDX-License-Identifier: Apache-2.0
// redc_mul_radix4_digits: the digits that redc_mul_radix4 looks its table up at.
//
// Contract  digit_o and q_o belong to the step that is given out in this cycle, for the next one.
// Method    digits of the multiplier: a, or in a second pass the sum U of the first one. That is
//           given up part by part, each a cycle after the one below; meanwhile the digits move on.
//           Quotient digit: U + d * b + q * m is to be a multiple of the radix. -1 / m modulo 4 is
//           1 where m is 3 modulo 4, else -1; modulo 2 it is 1.
// Timing    combinational from look_i, the sum of this cycle.
// Leakage   none in time: registers move as the schedule says. a stays until shifted out.
// Refuses   nothing itself; redc_mul_radix4 does.
// Partner   rtl/redc_mul_radix4.sv.
`default_nettype none

module redc_mul_radix4_digits #(
  /// What the core is built of.
  parameter redc_mul_radix4_pkg::config_t Config = '{
    width: 256, radix: 4, merged: 1'b1, carry_save: 1'b0, split: 1, converts: 1'b0, moduli: 1
  },
  /// Derived; not to be set.
  localparam redc_mul_radix4_pkg::sizes_t Sizes = redc_mul_radix4_pkg::sizes(Config),
  localparam int unsigned DigitBits = Sizes.digit_bits,
  localparam int unsigned IndexBits = redc_pkg::index_bits(Config.moduli),
  localparam int unsigned Width     = Config.width,
  localparam int unsigned SumBits   = Sizes.sum_bits
) (
  input  wire logic                       clk_i,
  /// A modulus is taken, its place and lowest digit.
  input  wire logic                       mod_accept_i,
  input  wire logic [IndexBits-1:0]       mod_idx_i,
  input  wire logic [DigitBits-1:0]       m_i,
  /// Operands are taken, and the lowest digit of b.
  input  wire logic                       in_accept_i,
  input  wire logic [Width-1:0]           a_i,
  input  wire logic [DigitBits-1:0]       b_i,

  /// As the schedule says, on the modulus at this place.
  input  wire redc_mul_radix4_pkg::turn_t turn_i,
  input  wire logic [IndexBits-1:0]       place_i,

  /// The sum of this cycle, low two digits.
  input  wire logic [2*DigitBits-1:0]     look_i,
  /// U as it enters the step of this cycle.
  input  wire logic [SumBits-1:0]         value_i,
  /// Digit of the multiplier, and the quotient's.
  output      logic [DigitBits-1:0]       digit_o,
  output      logic [DigitBits-1:0]       q_o
);

  typedef logic [DigitBits-1:0] digit_t;

  // The lowest digit of U as it enters the next step.
  digit_t low_digit;
  assign low_digit = turn_i.reduces ? look_i[2*DigitBits-1:DigitBits] : look_i[DigitBits-1:0];

  localparam int unsigned Kept = Config.converts ? SumBits : Width;
  logic [Kept-1:0] a_q, a_d;
  if (Config.converts) begin : gen_digits_of_sum
    localparam int unsigned Parts    = Config.split;
    localparam int unsigned PartBits = Sizes.part_bits;
    logic [Parts-1:0] taking_q;  // part k gives up its bits
    always_ff @(posedge clk_i) taking_q <= Parts'({taking_q, turn_i.take_sum});
    always_comb begin
      digit_o = a_q[DigitBits-1:0];
      if (Config.merged && taking_q[0]) digit_o = value_i[2*DigitBits-1:DigitBits];
      if (turn_i.first && !turn_i.bank) digit_o = low_digit;
      a_d = turn_i.take_digit ? a_q >> DigitBits : a_q;
      for (int k = 0; k < int'(Parts); k++) begin
        // Digits gone by the end of this cycle.
        automatic int gone = Config.merged ? k + 2 : 1 + (k + 1) / 2;
        automatic int low  = k * int'(PartBits);
        for (int i = 0; i < int'(PartBits); i++) begin
          if (taking_q[k] && low + i < int'(SumBits) && low + i >= gone * int'(DigitBits)) begin
            a_d[low+i-gone*int'(DigitBits)] = value_i[low+i];
          end
        end
      end
      if (in_accept_i) a_d = Kept'(a_i);
    end
  end else begin : gen_digits
    assign digit_o = a_q[DigitBits-1:0];
    assign a_d     = in_accept_i ? a_i : turn_i.take_digit ? a_q >> DigitBits : a_q;
    wire unused = ^{value_i, turn_i.take_sum};
  end
  always_ff @(posedge clk_i) a_q <= a_d;

  digit_t                   b_low_q, multiplicand_low, residue;
  logic [Config.moduli-1:0] m_negative_q;  // -1 / m is 1
  if (Config.converts) begin : gen_low_of_constant
    digit_t [Config.moduli-1:0] constant_low_q;
    always_ff @(posedge clk_i) begin
      if (turn_i.constant) constant_low_q[place_i] <= look_i[DigitBits-1:0];
    end
    assign multiplicand_low = turn_i.bank ? constant_low_q[place_i] : b_low_q;
  end else begin : gen_low
    assign multiplicand_low = b_low_q;
    wire unused = ^{turn_i.bank, turn_i.constant};
  end
  always_ff @(posedge clk_i) begin
    if (in_accept_i) b_low_q <= b_i;
    if (mod_accept_i) m_negative_q[mod_idx_i] <= (DigitBits == 1) | m_i[DigitBits-1];
  end
  always_comb begin
    residue = turn_i.first ? '0 : low_digit;
    // Bit by bit: synthesis puts a product, however small, into a DSP block.
    for (int i = 0; i < int'(DigitBits); i++) begin
      if (Config.merged && digit_o[i]) residue = residue + (multiplicand_low << i);
    end
    q_o = m_negative_q[place_i] ? residue : -residue;
  end
  wire unused_low = m_i[0];

endmodule

`default_nettype wire
