// SPDX-License-Identifier: Apache-2.0
// redc_rsa_pass: d = a +- b over the rows of two numbers, one row a cycle.
//
// Contract  while run_i is high, from the second cycle on rows_i, and ahead of that pass_i and
//           chained_i, stand: row_o is the row to be read, its data come four cycles later; d's
//           rows are written from the lowest, two cycles behind these. ends_o is high in the last
//           cycle but one. flags_o tells when the flags of this pass stand, before what follows
//           begins, and a's length stands then, if it measures. Where chained_i is high the pass
//           ends earlier, and another one may begin, while rows of this one are on their way: it
//           reads them when they are written, and masks by flags that are set.
//           redc_rsa_instruction_pkg::pass_t says what is done.
// Method    two's complement; a doubled on its way in, the sum halved on its way out, so that a
//           step of a division or of an inversion is one pass. What a cycle holds goes with bits
//           that say whether it is a row.
// Timing    rows_i + 2 cycles where chained_i is high, with four rows at least, else five more.
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
  localparam int unsigned CountBits  = $clog2(redc_pkg::max(Rows, 4) + 8),
  localparam int unsigned LengthBits = $clog2(Rows * Bits + 1)
) (
  input  wire logic                                clk_i,
  /// High from the first cycle to the one behind ends_o.
  input  wire logic                                run_i,
  /// What to do, as long as run_i.
  input  wire redc_rsa_instruction_pkg::pass_t         pass_i,
  /// Rows of the numbers, from 1.
  input  wire logic [CountBits-1:0]                rows_i,
  /// A pass or a loop follows.
  input  wire logic                                chained_i,
  /// Flags that passes before, or a scan, have set.
  input  wire logic                                sign_i,
  input  wire logic                                odd_i,
  input  wire logic                                bit_i,
  /// `sign` and `odd` as they are held.
  input  wire logic                                held_sign_i,
  input  wire logic                                held_odd_i,

  /// Row to be read; at or above rows_i: none.
  output      logic [CountBits-1:0]                row_o,
  /// The rows read, four cycles later.
  input  wire logic [Bits-1:0]                     a_i,
  input  wire logic [Bits-1:0]                     b_i,
  /// They count as zero, as starts_o is high.
  input  wire logic                                zero_a_i,
  input  wire logic                                zero_b_i,

  /// Writes a row of d.
  output      logic                                write_o,
  output      logic [CountBits-1:0]                write_row_o,
  output      logic [Bits-1:0]                     data_o,

  /// The last cycle but one.
  output      logic                                ends_o,
  /// In the cycle of the first row's data: the slot of d may be looked at before, not behind.
  output      logic                                starts_o,
  /// High in the cycle in which flags stand:
  output      logic                                flags_o,
  /// The sum, before it is halved, is below zero;
  output      logic                                sign_o,
  /// it is zero;
  output      logic                                zero_o,
  /// what is written, or a, is odd;
  output      logic                                odd_o,
  /// and, two cycles later and until the next pass, bits that a has; 0 where none were measured.
  output      logic [LengthBits-1:0]               length_o
);

  import redc_rsa_instruction_pkg::*;

  localparam int unsigned TopBits   = $clog2(Bits + 1);
  localparam int unsigned GroupBits = 8;

  localparam int unsigned Least = 4;
  localparam int unsigned Tail  = 5;

  // In cycle k row k is addressed; valid_q[n]: n cycles ago a row was. With 4 its data have come,
  // with 5 they are added, with 6 it is in sum_q.
  logic [6:1]            valid_q;
  logic [CountBits-1:0]  step_q, rows_q, end_q, row_q;
  logic                  starts, last, minus, counts, turned, sign_now, odd_now;
  logic                  carry_q, up_q, zero_q, odd_q;
  // What is done, from registers.
  logic                  minus_q, counts_q, counts_a_q, shift_up_q, shift_down_q, fill_odd_q;
  logic                  odd_a_q, write_q, flags_q, measure_q, ended_q;
  logic [Bits-1:0]       a_q, b_q, sum, sum_q;
  logic                  odd_in_q;
  logic                  carry;
  logic [LengthBits-1:0] length_q;
  // Of a: what a pass that measures has for b is zero. The bits of each group, and of the row.
  logic [Bits/GroupBits-1:0][3:0] group_bits_q;
  logic [TopBits-1:0]             bits, bits_q;

  assign row_o       = step_q;
  assign ends_o      = run_i & (step_q == end_q);
  assign starts      = valid_q[3] & ~valid_q[4];
  assign starts_o    = starts;
  assign last        = valid_q[6] & ~valid_q[5];
  assign write_o     = valid_q[6] & write_q;
  assign write_row_o = row_q;

  // Flags that the pass before sets in this very cycle are those that count.
  assign sign_now = flags_o ? sign_o : sign_i;
  assign odd_now  = flags_o ? odd_o : odd_i;
  assign turned   = sign_now ^ held_sign_i;
  always_comb begin
    unique case (pass_i.sense)
      SenseSub:    minus = 1'b1;
      SenseToZero: minus = ~sign_now;
      SenseTurned: minus = turned;
      default:     minus = 1'b0;
    endcase
  end
  always_comb begin
    unique case (pass_i.mask)
      MaskBit: counts = bit_i;
      MaskOdd: counts = odd_now;
      MaskSign: counts = sign_now;
      MaskHeld: counts = held_odd_i;
      MaskEither: counts = odd_now | held_odd_i;
      default: counts = 1'b1;
    endcase
  end

  assign {carry, sum} = {1'b0, a_q} + {1'b0, b_q} + (Bits + 1)'(carry_q);

  always_comb begin
    bits = '0;
    for (int unsigned group = 0; group < Bits / GroupBits; group++)
      if (group_bits_q[group] != '0)
        bits = TopBits'(group * GroupBits + 32'(group_bits_q[group]));
  end

  always_ff @(posedge clk_i) begin
    step_q  <= (run_i && !ended_q) ? step_q + 1'b1 : '0;
    ended_q <= ends_o;
    rows_q  <= rows_i;
    end_q   <= ((rows_q < CountBits'(Least)) ? CountBits'(Least) : rows_q)
             + (chained_i ? '0 : CountBits'(Tail));
    valid_q <= {valid_q[5:1], run_i & ~ended_q & (step_q < rows_q || step_q == '0)};
    if (starts) begin
      minus_q      <= minus;
      counts_q     <= counts & ~zero_b_i;
      counts_a_q   <= ((pass_i.mask != MaskTurned) | turned) & ~zero_a_i;
      shift_up_q   <= pass_i.shift_up;
      shift_down_q <= pass_i.shift_down;
      fill_odd_q   <= pass_i.fill_odd;
      odd_a_q      <= pass_i.odd_a;
      write_q      <= pass_i.write;
      flags_q      <= pass_i.flags;
      measure_q    <= pass_i.measure;
      carry_q      <= minus ^ pass_i.unit;
      up_q         <= pass_i.bit_in & bit_i;
    end
    if (valid_q[4]) up_q <= a_i[Bits-1];
    a_q <= (shift_up_q ? {a_i[Bits-2:0], up_q} : a_i) & {Bits{counts_a_q}};
    b_q <= (b_i & {Bits{counts_q}}) ^ {Bits{minus_q}};
    odd_in_q <= a_i[0] & counts_a_q;
    if (valid_q[5]) begin
      sum_q   <= sum;
      carry_q <= carry;
      // Of the rows before the one in sum_q, whose sum is known late in the cycle.
      zero_q  <= ~valid_q[6] | zero_o;
      if (!valid_q[6]) odd_q <= odd_a_q ? odd_in_q : shift_down_q ? sum[1] : sum[0];
    end
    row_q      <= valid_q[6] ? row_q + 1'b1 : '0;
    for (int unsigned group = 0; group < Bits / GroupBits; group++) begin
      group_bits_q[group] <= '0;
      for (int unsigned k = 0; k < GroupBits; k++)
        if (a_i[group*GroupBits+k]) group_bits_q[group] <= 4'(k + 1);
    end
    bits_q     <= bits;
    if (starts) length_q <= '0;
    else if (valid_q[6] && measure_q && bits_q != '0)
      length_q <= LengthBits'(32'(row_q) * Bits + 32'(bits_q));
  end

  assign data_o = !shift_down_q ? sum_q
                : {valid_q[5] ? sum[0] : fill_odd_q ? odd_i : sum_q[Bits-1], sum_q[Bits-1:1]};

  assign flags_o  = last & flags_q;
  assign sign_o   = sum_q[Bits-1];
  assign zero_o   = zero_q & (sum_q == '0);
  assign odd_o    = odd_q;
  assign length_o = length_q;

  wire unused = pass_i.full;

endmodule

`default_nettype wire
