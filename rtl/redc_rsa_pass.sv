// SPDX-License-Identifier: Apache-2.0
// redc_rsa_pass: d = a +- b over the rows of two numbers, one row a cycle.
//
// Contract  while run_i is high: row_o is the row to be read, its data come a cycle later; d's
//           rows are written from the lowest, two behind. done_o is high in the last cycle, and
//           the flags of this pass stand then, and from the next on the length, if it
//           measures. redc_rsa_instruction_pkg::pass_t says what is done.
// Method    two's complement; a doubled on its way in, the sum halved on its way out, so that a
//           step of a division or of an inversion is one pass.
// Timing    rows_i + 2 cycles.
// Leakage   cycles depend on rows_i alone; what is masked is added all the same. A write enable
//           follows the numbers in a pass that measures, and in no other: that is for e.
// Refuses   nothing.
`default_nettype none

module redc_rsa_pass #(
  /// Bits of a row.
  parameter int unsigned Bits = 32,
  /// Most rows of a number.
  parameter int unsigned Rows = 4,
  /// Derived; not to be set.
  localparam int unsigned CountBits  = $clog2(Rows + 2),
  localparam int unsigned LengthBits = $clog2(Rows * Bits + 1)
) (
  input  wire logic                                clk_i,
  /// High from the first cycle to that of done_o.
  input  wire logic                                run_i,
  /// What to do, as long as run_i.
  input  wire redc_rsa_instruction_pkg::pass_t         pass_i,
  /// Rows of the numbers, from 1.
  input  wire logic [CountBits-1:0]                rows_i,
  /// Flags that passes before, or a scan, have set.
  input  wire logic                                sign_i,
  input  wire logic                                odd_i,
  input  wire logic                                bit_i,
  /// `sign` and `odd` as they are held.
  input  wire logic                                held_sign_i,
  input  wire logic                                held_odd_i,

  /// Row to be read; at or above rows_i: none.
  output      logic [CountBits-1:0]                row_o,
  /// The rows read, a cycle later.
  input  wire logic [Bits-1:0]                     a_i,
  input  wire logic [Bits-1:0]                     b_i,

  /// Writes a row of d.
  output      logic                                write_o,
  output      logic [CountBits-1:0]                write_row_o,
  output      logic [Bits-1:0]                     data_o,

  /// The last cycle.
  output      logic                                done_o,
  /// The sum, before it is halved, is below zero;
  output      logic                                sign_o,
  /// it is zero;
  output      logic                                zero_o,
  /// what is written, or a, is odd;
  output      logic                                odd_o,
  /// and, a cycle later and until the next pass, bits that it has; 0 where none were measured.
  output      logic [LengthBits-1:0]               length_o
);

  import redc_rsa_instruction_pkg::*;

  localparam int unsigned TopBits = $clog2(Bits + 1);

  // In cycle k row k is addressed, row k - 1 is added and row k - 2 is written.
  logic [CountBits-1:0]  step_q;
  logic                  first, last, minus, counts, turned, carry_q, up_q, zero_q, odd_q;
  // What is done, from registers: in cycle 0, while nothing is added, it is decoded.
  logic                  minus_q, counts_q, counts_a_q, shift_up_q, bit_in_q, carry_in_q, odd_a_q;
  logic                  measure_q;
  logic [Bits-1:0]       a, b, sum, sum_q;
  logic                  carry, carry_in;
  logic [LengthBits-1:0] length_q;
  logic [TopBits-1:0]    bits;

  assign row_o       = step_q;
  assign first        = (step_q == CountBits'(1));
  assign last         = (step_q == rows_i + 1'b1);
  assign done_o       = run_i & last;
  assign write_o      = run_i & pass_i.write & (step_q >= CountBits'(2));
  assign write_row_o = step_q - CountBits'(2);

  assign turned = sign_i ^ held_sign_i;
  always_comb begin
    unique case (pass_i.sense)
      SenseSub:    minus = 1'b1;
      SenseToZero: minus = ~sign_i;
      SenseTurned: minus = turned;
      default:     minus = 1'b0;
    endcase
  end
  always_comb begin
    unique case (pass_i.mask)
      MaskBit: counts = bit_i;
      MaskOdd: counts = odd_i;
      MaskSign: counts = sign_i;
      MaskHeld: counts = held_odd_i;
      MaskEither: counts = odd_i | held_odd_i;
      default: counts = 1'b1;
    endcase
  end

  assign a = (shift_up_q ? {a_i[Bits-2:0], first ? bit_in_q : up_q} : a_i) & {Bits{counts_a_q}};
  assign b = (b_i & {Bits{counts_q}}) ^ {Bits{minus_q}};
  assign carry_in     = first ? carry_in_q : carry_q;
  assign {carry, sum} = {1'b0, a} + {1'b0, b} + (Bits + 1)'(carry_in);

  always_comb begin
    bits = '0;
    for (int unsigned place = 0; place < Bits; place++)
      if (sum_q[place]) bits = TopBits'(place + 1);
  end

  always_ff @(posedge clk_i) begin
    step_q     <= (run_i & ~last) ? step_q + 1'b1 : '0;
    minus_q    <= minus;
    counts_q   <= counts;
    counts_a_q <= (pass_i.mask != MaskTurned) | turned;
    shift_up_q <= pass_i.shift_up;
    bit_in_q   <= pass_i.bit_in & bit_i;
    carry_in_q <= minus ^ pass_i.unit;
    odd_a_q    <= pass_i.odd_a;
    measure_q  <= pass_i.measure;
    if (!last) begin
      sum_q   <= sum;
      carry_q <= carry;
      up_q    <= a_i[Bits-1];
      // Of the rows before the one in sum_q, whose sum is known late in the cycle.
      zero_q  <= first | zero_o;
      if (first) odd_q <= odd_a_q ? a_i[0] : pass_i.shift_down ? sum[1] : sum[0];
    end
    // Of the row added in the cycle before.
    if (first) length_q <= '0;
    else if (run_i && measure_q && bits != '0)
      length_q <= LengthBits'(32'(write_row_o) * Bits + 32'(bits));
  end

  assign data_o = !pass_i.shift_down ? sum_q
                : {!last ? sum[0] : pass_i.fill_odd ? odd_i : sum_q[Bits-1], sum_q[Bits-1:1]};

  assign sign_o   = sum_q[Bits-1];
  assign zero_o   = zero_q & (sum_q == '0);
  assign odd_o    = odd_q;
  assign length_o = length_q;

  wire unused = ^{pass_i.flags, pass_i.full};

endmodule

`default_nettype wire
