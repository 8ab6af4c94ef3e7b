// SPDX-License-Identifier: Apache-2.0
// redc_mul_array_row: one iteration of Montgomery's multiplication on one multiplier slice.
//
// Contract  T := (T + a_i * b + q * m) / 2^Digit, digit by digit. A frame begins Lead cycles
//           behind edge_i, and its last digits follow behind the next edge_i, a frame of 2 * Words
//           + Lead cycles later or, with Q twice QRegister, at least 12 + Q after a rest. Slot 0 is
//           its first cycle. a_i is what was on the line with the latest token before slot -2.
//           factor_i has b's digit j in slot 2j, m' in slot 5 or 7, m's j in slot 7 + Q + 2j; t_i
//           T's digit j in slot 2j + 3; t_o the new T's digit j in slot 2j + 14 + Q, which is the
//           next row's slot 2j + 3. What is between two frames does not matter.
// Method    the slice multiplies a_i by b and q by m in turn, and in the free slot the sum's digit
//           0 by m', of which q is the low digit: it goes from the product to the factor at once,
//           or waits two cycles in a register; so may the sum's digit.
//           Else the factor is in a register, from a_i's and q's in turn; where it is the sum or
//           the product, all bits of that register say which: a LUT a bit behind the product, with
//           no other use, so that it can lie at the slice.
//           Each product has its low digit and the high one of the product two slots before added,
//           then T or the first sum, with a saved carry each for odd and even slots.
//           The first sum waits for its second product, and factors for the next row, in rings of
//           memory that are read and then overwritten at one address: of distributed memory 5 + Q
//           words and 10 + Q, of block memory, which is read two cycles later, two less each.
//           Where they are goes along the rows a cycle each; so does a's digit, with token_i, which
//           takes two.
// Timing    see Contract; edge_o (and keep_o), factor_o: 11 + Q cycles behind edge_i, factor_i.
// Leakage   none: all slots are alike for all operands. Registers keep digits until overwritten.
// Refuses   nothing itself; redc_mul_array does.
// Partner   src/redcore/families/array.py.
`default_nettype none

module redc_mul_array_row #(
  /// Bits of a digit.
  parameter int unsigned Digit = 18,
  /// 1: q waits in a register before it is a factor. 2: so does the digit that makes q.
  parameter int unsigned QRegister = 0,
  /// Rings of digits: 0: block memory. 1: distributed memory.
  parameter int unsigned Storage = 1,
  /// Primitives, as redc_prim_mul has them.
  parameter int unsigned Technology = 0
) (
  input  wire logic             clk_i,
  /// Active low, synchronous: no edge is on its way.
  input  wire logic             rst_ni,

  /// Two cycles before a frame, for this row and the next.
  input  wire logic             edge_i,
  output      logic             edge_o,
  /// Where the rings are: that of factors in the lower four bits, that of first sums above.
  input  wire logic [7:0]       ring_i,
  output      logic [7:0]       ring_o,
  /// With the edge: digits of the frame's new T are a result's; for the next row.
  input  wire logic             keep_i,
  output      logic             keep_o,
  /// The new T's digit five cycles later is one of a result.
  output      logic             result_o,
  /// Digits of b and m, and m'; for the next row.
  input  wire logic [Digit-1:0] factor_i,
  output      logic [Digit-1:0] factor_o,
  /// The line of a's digits, and when this row's is on it; for the next row.
  input  wire logic [Digit-1:0] scan_i,
  input  wire logic             token_i,
  output      logic [Digit-1:0] scan_o,
  output      logic             token_o,
  /// T counts as zero.
  input  wire logic             void_i,
  /// T, and the new one.
  input  wire logic [Digit-1:0] t_i,
  output      logic [Digit-1:0] t_o
);

  typedef logic [Digit-1:0] digit_t;

  // ------------------------------------------------------------------------------------------
  // Slots. Bit k is high in slot k - Lead.
  // ------------------------------------------------------------------------------------------
  localparam int unsigned Lead   = (QRegister != 0) ? 4 : 2;
  localparam int unsigned Cycles = 11 + 2 * QRegister;
  // the one of m'
  localparam int unsigned Inverse = (QRegister > 1) ? 7 : 5;
  logic [Cycles:1] at_q;
  logic        odd_q, token_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) at_q <= '0;
    else at_q <= {at_q[Cycles-1:1], edge_i};
    odd_q   <= edge_i | ~odd_q;
    token_q <= token_i;
    token_o <= token_q;
    scan_o  <= scan_i;
    ring_o  <= ring_i;
  end
  assign edge_o = at_q[Cycles];

  // Frames may be shorter than the way to the next row: two registers for what is kept.
  // What a slot multiplies is a result's digit from m's second one on, in odd slots, up to the slot
  // of m'.
  logic keep_q, result_q;
  always_ff @(posedge clk_i) begin
    if (edge_i) keep_q <= keep_i;
    if (at_q[6]) keep_o <= keep_q;
    if (!rst_ni || at_q[Inverse+1+Lead]) result_q <= 1'b0;
    else if (at_q[(QRegister == 0) ? Cycles - 1 : Cycles]) result_q <= keep_o;
  end
  assign result_o = result_q & odd_q;

  // ------------------------------------------------------------------------------------------
  // Factors.
  // ------------------------------------------------------------------------------------------
  digit_t             next_q, a_q, quotient_q, turn_q, factor, sum_q;
  logic               other_q;
  logic [2*Digit-1:0] product;
  always_ff @(posedge clk_i) begin
    if (token_i) next_q <= scan_i;
    if ((QRegister != 0) ? at_q[2] : edge_i) a_q <= next_q;
    // zeros in slot 5, ones in slot 7
    if (QRegister == 0 && at_q[6]) quotient_q <= '1;
    else if (QRegister > 1 && at_q[5+Lead]) quotient_q <= sum_q;
    else if (at_q[Inverse+2+Lead]) quotient_q <= product[Digit-1:0];
    if (QRegister == 0 && at_q[6]) turn_q <= '0;
    else turn_q <= odd_q ? a_q : quotient_q;
    other_q <= at_q[4+Lead] | (QRegister == 0 && at_q[8]);
  end
  if (QRegister > 1) begin : gen_register
    assign factor = turn_q;
    wire unused = other_q;
  end else if (QRegister == 1) begin : gen_waits
    assign factor = other_q ? sum_q : turn_q;
  end else begin : gen_at_once
    assign factor = other_q ? (turn_q & product[Digit-1:0]) | (~turn_q & sum_q) : turn_q;
  end

  redc_prim_mul #(
    .Bits(Digit), .Registers(2), .Adds(0), .SumBits(2 * Digit), .Technology(Technology)
  ) i_slice (
    .clk_i, .x_i(factor), .load_i(1'b1), .y_i(factor_i), .valid_i(1'b1), .add_i('0),
    .p_o(product)
  );

  // ------------------------------------------------------------------------------------------
  // Digits of the products, then of the sums.
  // ------------------------------------------------------------------------------------------
  // Behind each last digit, and before each first, is a slot without a product; then carries end.
  // Two slots behind that of m', where q waits, something is multiplied: what is above its low
  // digit is added to a digit that is zero, and makes no carry.
  logic [3:0]   clear_q;
  digit_t       low_q, first_q;
  digit_t [2:0] high_q;
  digit_t       later, later_q, factor_later, t_q;
  logic [1:0]   carry_1_q, carry_2_q;
  logic         first_carry, sum_carry;
  digit_t       first, sum;

  assign {first_carry, first} = {1'b0, low_q} + {1'b0, high_q[2]} + (Digit + 1)'(carry_1_q[1]);
  // the first sum in odd slots, T in even ones
  redc_prim_carry_chain #(.Width(Digit), .Gate(2), .Technology(Technology)) i_sum (
    .x0_i(t_q), .x1_i({Digit{odd_q}}), .y0_i(first_q), .y1_i(later_q), .carry0_i(carry_2_q[1]),
    .carry1_i(carry_2_q[1]), .sum_o(sum), .carry_o(sum_carry)
  );
  if (Storage == 0) begin : gen_block
    redc_prim_rings #(.Bits(Digit), .Technology(Technology)) i_rings (
      .clk_i, .address_i(ring_o), .data_i({sum_q, factor_i}),
      .data_o({later, factor_later})
    );
  end else begin : gen_distributed
    redc_prim_ram #(.Bits(Digit), .Depth(16), .Storage(1)) i_factors (
      .clk_i, .write_i(1'b1), .write_address_i(ring_o[3:0]), .write_data_i(factor_i),
      .read_i(1'b1), .read_address_i(ring_o[3:0]), .read_data_o(factor_later)
    );
    redc_prim_ram #(.Bits(Digit), .Depth(16), .Storage(1)) i_later (
      .clk_i, .write_i(1'b1), .write_address_i(ring_o[7:4]), .write_data_i(sum_q),
      .read_i(1'b1), .read_address_i(ring_o[7:4]), .read_data_o(later)
    );
  end

  always_ff @(posedge clk_i) begin
    clear_q <= {clear_q[2:0], at_q[1] | at_q[Inverse+1+Lead]
                              | (QRegister != 0 && at_q[3])};
    high_q[2:1] <= high_q[1:0];
    if (clear_q[0]) begin
      low_q     <= '0;
      high_q[0] <= '0;
    end else begin
      {high_q[0], low_q} <= product;
    end
    first_q   <= first;
    sum_q     <= sum;
    carry_1_q <= {carry_1_q[0] & ~clear_q[2], first_carry};
    carry_2_q <= {carry_2_q[0] & ~clear_q[3], sum_carry};
    later_q   <= later;
    factor_o  <= factor_later;
    t_q       <= (at_q[3] | void_i) ? '0 : t_i;
  end
  assign t_o = sum_q;

endmodule

`default_nettype wire
