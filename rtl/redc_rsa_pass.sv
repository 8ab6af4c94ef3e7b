// SPDX-License-Identifier: Apache-2.0
// redc_rsa_pass: d = a +- b over the rows of two numbers, one row a cycle.
//
// Contract  while run_i is high, from the first cycle on rows_i, and ahead of that pass_i and
//           chained_i, stand: row_o is the row to be read, its data come four cycles later; d's
//           rows are written from the lowest, two cycles behind these. ends_o is high in the last
//           cycle but two. flags_o tells when the flags of this pass stand, before what follows
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
  /// High from the first cycle to the second one behind ends_o.
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

  /// The last cycle but two.
  output      logic                                ends_o,
  /// In the cycle of the first row's data: the slot of d may be looked at before, not behind.
  output      logic                                starts_o,
  /// High in the cycle in which flags stand:
  output      logic                                flags_o,
  /// The sum, before it is halved, is below zero;
  output      logic                                sign_o,
  /// a cycle later, whether it is zero;
  output      logic                                zero_o,
  /// what is written, or a, is odd;
  output      logic                                odd_o,
  /// and, three cycles later and until the next pass, bits that a has; 0 where none were measured.
  output      logic [LengthBits-1:0]               length_o
);

  import redc_rsa_instruction_pkg::*;

  localparam int unsigned TopBits   = $clog2(Bits);
  // Of a row, bits that a carry goes through; those above are added with and without it.
  localparam int unsigned LowBits   = (Bits < 64) ? Bits : Bits / 2;
  localparam int unsigned HighBits  = redc_pkg::max(Bits - LowBits, 1);

  localparam int unsigned Least = 4;
  localparam int unsigned Tail  = 5;

  // In cycle k row k is addressed; valid_q[n]: n cycles ago a row was. With 4 its data have come,
  // with 5 they are added, with 6 it is in sum_q.
  logic [7:1]            valid_q;
  logic [CountBits-1:0]  step_q, rows_q, end_q, row_q;
  logic                  starts, minus, counts, turned, sign_now, odd_now;
  // What a pass does, before it starts: subtracts where `sign` is low, and where it is high; b
  // counts in any case, by `odd`, by `sign`; a counts where `sign` has turned.
  logic [1:0]            minus_by, minus_by_q;
  // The first carry, as `minus_by_q`: a one for a number that is subtracted, and `unit` one less.
  logic [1:0]            carry_by_q;
  logic                  counts_all_q, by_odd_q, by_sign_q, by_turn_q;
  logic                  carry_in, up_q, odd_q, last_q;
  // What is done, from registers.
  logic                  minus_q, counts_q, counts_a_q, shift_up_q, shift_down_q, fill_odd_q;
  logic                  odd_a_q, write_q, flags_q, measure_q;
  logic                  ending_q, ends_q, ended_q;
  logic [Bits-1:0]       a, b, a_q, b_q, sum_q;
  // Of the two lowest bits: they differ; of the lowest, one is set, or both.
  logic [1:0]            differ_q;
  logic                  any_q, both_q;
  // The lowest bits of what will be in sum_q.
  logic [1:0]            sum;
  logic                  odd_in_q;
  // Of the row in sum_q in the cycle before and those below it, four bits of each.
  logic [Bits/4-1:0]     some_q;
  logic [LengthBits-1:0] length_q;
  // Of a_q, what a pass that measures has for b is zero: whether there is a bit in each byte and in
  // each four of them, and the place of the highest one; that of the row.
  logic [Bits/8-1:0]              byte_q;
  logic [Bits/8-1:0][2:0]         byte_place_q;
  logic [Bits/32-1:0]             word_q;
  logic [Bits/32-1:0][4:0]        word_place_q;
  logic [TopBits-1:0]             place;
  logic [CountBits-1:0]           measured_row_q;

  assign row_o       = step_q;
  assign ends_o      = ending_q;
  assign starts      = valid_q[3] & ~valid_q[4];
  assign starts_o    = starts;
  assign write_o     = valid_q[6] & write_q;
  assign write_row_o = row_q;

  // Flags that the pass before sets in this very cycle are those that count.
  assign sign_now = flags_o ? sign_o : sign_i;
  assign odd_now  = flags_o ? odd_o : odd_i;
  assign turned   = sign_now ^ held_sign_i;
  assign minus    = minus_by_q[sign_now];
  assign counts   = counts_all_q | (by_odd_q & odd_now) | (by_sign_q & sign_now);
  always_comb begin
    unique case (pass_i.sense)
      SenseSub:    minus_by = 2'b11;
      SenseToZero: minus_by = 2'b01;
      SenseTurned: minus_by = {~held_sign_i, held_sign_i};
      default:     minus_by = 2'b00;
    endcase
  end
  always_ff @(posedge clk_i) begin
    minus_by_q <= minus_by;
    carry_by_q <= minus_by ^ {2{pass_i.unit}};
    unique case (pass_i.mask)
      MaskBit:              counts_all_q <= bit_i;
      MaskHeld, MaskEither: counts_all_q <= held_odd_i;
      MaskOdd, MaskSign:    counts_all_q <= 1'b0;
      default:              counts_all_q <= 1'b1;
    endcase
    by_odd_q  <= pass_i.mask == MaskOdd || pass_i.mask == MaskEither;
    by_sign_q <= pass_i.mask == MaskSign;
    by_turn_q <= pass_i.mask == MaskTurned;
  end

  // The carry of the lower bits would be late at the end of the others: these are added twice, and
  // a choice is made behind registers, for the sum and for the carry into the next row.
  logic [LowBits-1:0] low, low_q;
  logic               middle;
  assign {middle, low} = {1'b0, a_q[LowBits-1:0]} + {1'b0, b_q[LowBits-1:0]}
                       + (LowBits + 1)'(carry_in);
  // The lowest one goes to the highest bit of a row before it. Both are made without the chain.
  assign sum = {differ_q[1] ^ (carry_in ? any_q : both_q), differ_q[0] ^ carry_in};
  if (Bits == LowBits) begin : gen_one_chain
    logic carry_q;
    always_ff @(posedge clk_i) begin
      if (starts) carry_q <= carry_by_q[sign_now];
      else if (valid_q[5]) carry_q <= middle;
    end
    assign carry_in = carry_q;
    assign sum_q    = low_q;
  end else begin : gen_two_chains
    logic [HighBits-1:0] without, with_one, without_q, with_one_q;
    logic                middle_q, carry_without, carry_with, unused;
    // Carries out of the row; before the first one the same in both.
    logic                carry_without_q, carry_with_q;
    assign {carry_without, without} = {1'b0, a_q[Bits-1:LowBits]} + {1'b0, b_q[Bits-1:LowBits]};
    // A bit below carries, or synthesis would add one to the other sum.
    assign {carry_with, with_one, unused} = {1'b0, a_q[Bits-1:LowBits], 1'b1}
                                          + {1'b0, b_q[Bits-1:LowBits], 1'b1};
    always_ff @(posedge clk_i) begin
      if (starts) {carry_without_q, carry_with_q} <= {2{carry_by_q[sign_now]}};
      else if (valid_q[5]) {carry_without_q, carry_with_q} <= {carry_without, carry_with};
      {middle_q, without_q, with_one_q} <= {middle, without, with_one};
    end
    assign carry_in = middle_q ? carry_with_q : carry_without_q;
    assign sum_q    = {middle_q ? with_one_q : without_q, low_q};
  end

  assign a = (shift_up_q ? {a_i[Bits-2:0], up_q} : a_i) & {Bits{counts_a_q}};
  assign b = (b_i & {Bits{counts_q}}) ^ {Bits{minus_q}};

  always_comb begin
    place = '0;
    for (int unsigned word = 0; word < Bits / 32; word++)
      if (word_q[word]) place = TopBits'(32 * word) | TopBits'(word_place_q[word]);
  end

  always_ff @(posedge clk_i) begin
    step_q  <= (run_i && !ended_q) ? step_q + 1'b1 : '0;
    // A cycle ahead; there are some, as the least number of rows is above one.
    ending_q <= run_i & (step_q == end_q - 1'b1);
    {ended_q, ends_q} <= {ends_q, ends_o};
    rows_q  <= rows_i;
    end_q   <= ((rows_q < CountBits'(Least)) ? CountBits'(Least - 1) : rows_q - 1'b1)
             + (chained_i ? '0 : CountBits'(Tail));
    valid_q <= {valid_q[6:1], run_i & ~ended_q & (step_q < rows_q || step_q == '0)};
    if (starts) begin
      minus_q      <= minus;
      counts_q     <= counts & ~zero_b_i;
      counts_a_q   <= (~by_turn_q | turned) & ~zero_a_i;
      shift_up_q   <= pass_i.shift_up;
      shift_down_q <= pass_i.shift_down;
      fill_odd_q   <= pass_i.fill_odd;
      odd_a_q      <= pass_i.odd_a;
      write_q      <= pass_i.write;
      flags_q      <= pass_i.flags;
      measure_q    <= pass_i.measure;
      up_q         <= pass_i.bit_in & bit_i;
    end
    if (valid_q[4]) up_q <= a_i[Bits-1];
    {a_q, b_q} <= {a, b};
    differ_q   <= a[1:0] ^ b[1:0];
    any_q      <= a[0] | b[0];
    both_q     <= a[0] & b[0];
    odd_in_q   <= a_i[0] & counts_a_q;
    low_q      <= low;
    if (valid_q[5] && !valid_q[6])
      odd_q <= odd_a_q ? odd_in_q : shift_down_q ? sum[1] : sum[0];
    last_q     <= valid_q[5] & ~valid_q[4] & flags_q;
    row_q      <= valid_q[6] ? row_q + 1'b1 : '0;
    if (valid_q[6]) begin
      for (int unsigned group = 0; group < Bits / 4; group++)
        some_q[group] <= (sum_q[4*group+:4] != '0) | (some_q[group] & valid_q[7]);
    end
    for (int unsigned group = 0; group < Bits / 8; group++) begin
      byte_q[group]       <= a_q[8*group+:8] != '0;
      byte_place_q[group] <= '0;
      for (int unsigned k = 0; k < 8; k++) if (a_q[8*group+k]) byte_place_q[group] <= 3'(k);
    end
    for (int unsigned word = 0; word < Bits / 32; word++) begin
      word_q[word] <= byte_q[4*word+:4] != '0;
      // Of the lowest byte it is 0 where that has no bit: nothing is kept of a row before.
      word_place_q[word] <= 5'(byte_place_q[4*word]);
      for (int unsigned k = 1; k < 4; k++)
        if (byte_q[4*word+k]) word_place_q[word] <= {2'(k), byte_place_q[4*word+k]};
    end
    measured_row_q <= row_q;
    if (starts) length_q <= '0;
    else if (valid_q[7] && measure_q && word_q != '0)
      length_q <= LengthBits'(32'(measured_row_q) * Bits + 32'(place) + 1);
  end

  assign data_o = !shift_down_q ? sum_q
                : {valid_q[5] ? sum[0] : fill_odd_q ? odd_i : sum_q[Bits-1], sum_q[Bits-1:1]};

  assign flags_o  = last_q;
  assign sign_o   = sum_q[Bits-1];
  assign zero_o   = (some_q == '0);
  assign odd_o    = odd_q;
  assign length_o = length_q;

  wire unused = pass_i.full;

endmodule

`default_nettype wire
