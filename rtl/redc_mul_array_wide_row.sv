// SPDX-License-Identifier: Apache-2.0
// redc_mul_array_wide_row: a row of redc_mul_array whose slice adds, too, and whose digits of b and
// m are as long as its longer factor.
//
// Contract  as redc_mul_array_row with QRegister = 1, but for these: digits of a, m' and q have
//           Digit bits, those of b, m and T Wide. A frame is 2 * Sums + 4 cycles, T and what is
//           added to it below 2^(Sums * Wide). factor_i is zero where it is not told: it has b's
//           digit j in slot 2j, m' in slot 5, m's j in slot 9 + 2j. t_i has T's digit j in slot
//           2j + 1, and zero where it counts as zero; t_o the new T's digit j in slot 2j + 15,
//           which is the next row's slot 2j + 1.
// Method    the slice's register holds x * y + c. c is what was above the digit two slots before,
//           and T's digit, or that of T + a_i * b. No sum is longer than a product: with c it is
//           below 2^(Digit + Wide). So one adder is left, before the slice's. Where c is cleared,
//           before a frame's first digits and at m', the sum is the product.
//           The new T is the sum without its Digit low bits, which are zero: its digits are each of
//           two digits of the sum.
// Timing    see Contract; edge_o (and keep_o), factor_o: 14 cycles behind edge_i, factor_i. Rings
//           of 6 and 13 words of distributed memory; of block memory two less each.
// Leakage   none: all slots are alike for all operands. Registers keep digits until overwritten.
// Refuses   nothing itself; redc_mul_array does.
// Partner   src/redcore/families/array.py.
`default_nettype none

module redc_mul_array_wide_row #(
  /// Bits of a digit of a.
  parameter int unsigned Digit = 17,
  /// Bits of a digit of b and m, at least Digit.
  parameter int unsigned Wide = 26,
  /// 1: the digit of a sum above b's and m's last ones has a slot.
  parameter bit          Above = 1'b0,
  /// Rings of digits: 0: block memory. 1: distributed memory.
  parameter int unsigned Storage = 1,
  /// Primitives, as redc_prim_mul has them.
  parameter int unsigned Technology = 0
) (
  input  wire logic             clk_i,
  /// Active low, synchronous: no edge is on its way.
  input  wire logic             rst_ni,

  /// Four cycles before a frame, for this row and the next.
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
  input  wire logic [Wide-1:0]  factor_i,
  output      logic [Wide-1:0]  factor_o,
  /// The line of a's digits, and when this row's is on it; for the next row.
  input  wire logic [Digit-1:0] scan_i,
  input  wire logic             token_i,
  output      logic [Digit-1:0] scan_o,
  output      logic             token_o,
  /// T, and the new one.
  input  wire logic [Wide-1:0]  t_i,
  output      logic [Wide-1:0]  t_o
);

  typedef logic [Digit-1:0] digit_t;
  typedef logic [Wide-1:0]  wide_t;

  // ------------------------------------------------------------------------------------------
  // Slots. Bit k is high in slot k - Lead.
  // ------------------------------------------------------------------------------------------
  localparam int unsigned Lead   = 4;
  localparam int unsigned Cycles = redc_mul_array_pkg::WideRowCycles;
  logic [Cycles:1] at_q;
  logic            odd_q, token_q, keep_q, result_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) at_q <= '0;
    else at_q <= {at_q[Cycles-1:1], edge_i};
    odd_q   <= edge_i | ~odd_q;
    token_q <= token_i;
    token_o <= token_q;
    scan_o  <= scan_i;
    ring_o  <= ring_i;
    if (edge_i) keep_q <= keep_i;
    if (at_q[6]) keep_o <= keep_q;
    // digits of a result, as many as b has, from slot 15 on; told five cycles before
    if (!rst_ni || at_q[(Above ? 3 : 5)+Lead]) result_q <= 1'b0;
    else if (at_q[9+Lead]) result_q <= keep_o;
  end
  assign edge_o   = at_q[Cycles];
  assign result_o = result_q & ~odd_q;

  // ------------------------------------------------------------------------------------------
  // Factors: a_i and, in turn, U_0 in slot 5, and q, which is there in time for slot 9.
  // ------------------------------------------------------------------------------------------
  localparam int unsigned SumBits = Digit + Wide;
  digit_t             next_q, a_q, quotient_q, turn_q;
  logic [SumBits-1:0] sum;
  logic [Wide:0]      add_q;
  always_ff @(posedge clk_i) begin
    if (token_i) next_q <= scan_i;
    if (at_q[2]) a_q <= next_q;
    if (at_q[3+Lead] | at_q[8+Lead]) quotient_q <= sum[Digit-1:0];
    turn_q <= odd_q ? a_q : at_q[8+Lead] ? sum[Digit-1:0] : quotient_q;
  end

  redc_prim_mul #(
    .Bits(Digit), .YBits(Wide), .Registers(2), .Adds(1), .SumBits(SumBits), .Technology(Technology)
  ) i_slice (
    .clk_i, .x_i(turn_q), .load_i(1'b1), .y_i(factor_i), .valid_i(1'b1), .add_i(SumBits'(add_q)),
    .p_o(sum)
  );

  // ------------------------------------------------------------------------------------------
  // Sums.
  // ------------------------------------------------------------------------------------------
  wide_t later, later_q, factor_later;
  wide_t earlier_q;  // the sum's digit before
  always_ff @(posedge clk_i) begin
    // behind the product of m' comes one with nothing, whose sum is below 2^Digit
    if (at_q[Lead-1] | at_q[6+Lead]) add_q <= '0;
    else add_q <= (Wide + 1)'(sum[SumBits-1:Wide]) + (Wide + 1)'(odd_q ? t_i : later_q);
    later_q  <= later;
    factor_o <= factor_later;
    if (!odd_q) earlier_q <= sum[Wide-1:0];
    t_o <= Wide'({sum[Digit-1:0], earlier_q} >> Digit);
    // above the sum's last digit is nothing, but what makes q is in the slice
    if (at_q[8+Lead]) t_o[Wide-1:Wide-Digit] <= '0;
  end

  if (Storage == 0) begin : gen_block
    redc_prim_rings #(.Bits(Wide), .Technology(Technology)) i_rings (
      .clk_i, .address_i(ring_o), .data_i({sum[Wide-1:0], factor_i}),
      .data_o({later, factor_later})
    );
  end else begin : gen_distributed
    redc_prim_ram #(.Bits(Wide), .Depth(16), .Storage(1)) i_factors (
      .clk_i, .write_i(1'b1), .write_address_i(ring_o[3:0]), .write_data_i(factor_i),
      .read_i(1'b1), .read_address_i(ring_o[3:0]), .read_data_o(factor_later)
    );
    redc_prim_ram #(.Bits(Wide), .Depth(16), .Storage(1)) i_later (
      .clk_i, .write_i(1'b1), .write_address_i(ring_o[7:4]), .write_data_i(sum[Wide-1:0]),
      .read_i(1'b1), .read_address_i(ring_o[7:4]), .read_data_o(later)
    );
  end

endmodule

`default_nettype wire
