// SPDX-License-Identifier: Apache-2.0
// redc_mul_limbs_columns: products of two limbs a cycle, summed by columns.
//
// Contract  with each valid_i the product of limbs a and b counts, which come a cycle later;
//           first_i with a column's first one, or where none is under way; last_i with its last
//           one. A column's lowest limb leaves with limb_o, its digits a bit longer than a digit:
//           the rest is carried to the next column. The last of all of them (top_i) is one without
//           a product, and its highest digit has all that is there.
// Method    Rows^2 slices; the lower and upper halves of their products are added by digits, and
//           accumulated by digits, each with the carries that it makes. What a column sums above
//           its limb is where the next column begins. What a digit has above its bits is added to
//           the next one as the limb leaves.
// Timing    a limb leaves SumLevels + 5 cycles behind its last_i.
// Leakage   none. Registers keep sums until overwritten.
// Refuses   nothing itself; the multipliers around it do.
// Partner   src/redcore/families/fold.py, src/redcore/families/solinas.py.
`default_nettype none

module redc_mul_limbs_columns #(
  /// Bits of a digit, digits of a limb, limbs of a number.
  parameter int unsigned Digit = 17,
  parameter int unsigned Rows = 3,
  parameter int unsigned Limbs = 5,
  /// The highest digit has a bit more.
  parameter bit          Exact = 1'b1,
  /// Levels of adders behind the slices.
  parameter int unsigned SumLevels = 3,
  /// Primitives, as redc_prim_mul has them.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned Factor = Digit + 32'(Exact)
) (
  input  wire logic                        clk_i,
  /// Active low, synchronous: no limb is on its way.
  input  wire logic                        rst_ni,
  /// What comes; see Contract.
  input  wire logic                        valid_i,
  input  wire logic                        first_i,
  input  wire logic                        last_i,
  input  wire logic                        top_i,
  input  wire logic [Rows-1:0][Factor-1:0] a_i,
  input  wire logic [Rows-1:0][Factor-1:0] b_i,
  /// A limb of the product, the lowest one first.
  output      logic                        limb_o,
  output      logic [Rows-1:0][Digit+1:0]  limb_data_o
);

  localparam int unsigned Digits  = Rows * Limbs;
  localparam int unsigned Upper   = 2 * Factor - Digit;  // bits of a product's upper half
  // Of a digit, Digits lower and as many upper halves, and a few of a longer factor.
  localparam int unsigned SumBits = Digit + $clog2(2 * Digits + 9);
  localparam int unsigned Over    = SumBits - Digit;
  // Cycles from valid_i to the sums.
  localparam int unsigned Delay   = 3 + SumLevels;
  typedef logic [SumBits-1:0] sum_t;

  // ------------------------------------------------------------------------------------------
  // Products, and their sums by digits: 2 Rows of them.
  // ------------------------------------------------------------------------------------------
  logic                                        valid_q;
  logic [Rows-1:0][Rows-1:0][2*Factor-1:0]     product;
  sum_t [2*Rows-1:0]                           sum;
  always_ff @(posedge clk_i) valid_q <= valid_i;
  for (genvar u = 0; u < Rows; u++) begin : gen_a
    for (genvar v = 0; v < Rows; v++) begin : gen_b
      redc_prim_mul #(
        .Bits(Factor), .YBits(Factor), .Registers(2), .Adds(0), .SumBits(2 * Factor),
        .Technology(Technology)
      ) i_slice (
        .clk_i, .x_i(a_i[u]), .load_i(1'b1), .y_i(b_i[v]), .valid_i(valid_q), .add_i('0),
        .p_o(product[u][v])
      );
    end
  end
  for (genvar at = 0; at < 2 * Rows; at++) begin : gen_sum
    // lower halves of u + v = at, upper ones of u + v = at - 1
    localparam int unsigned Lower = (at < Rows) ? at + 1 : 2 * Rows - 1 - at;
    localparam int unsigned Above = (at <= Rows) ? at : 2 * Rows - at;
    sum_t [Lower+Above-1:0] terms;
    for (genvar i = 0; i < Lower; i++) begin : gen_lower
      localparam int unsigned U = i + ((at < Rows) ? 0 : at + 1 - Rows);
      assign terms[i] = sum_t'(product[U][at-U][Digit-1:0]);
    end
    for (genvar i = 0; i < Above; i++) begin : gen_upper
      localparam int unsigned U = i + ((at <= Rows) ? 0 : at - Rows);
      assign terms[Lower+i] = sum_t'(product[U][at-1-U][Digit+:Upper]);
    end
    redc_mul_limbs_sum #(
      .Terms(Lower + Above), .Bits(SumBits), .TermBits((Above == 0) ? Digit : Upper),
      .Levels(SumLevels)
    ) i_sum (
      .clk_i, .terms_i(terms), .sum_o(sum[at])
    );
  end

  // ------------------------------------------------------------------------------------------
  // Columns.
  // ------------------------------------------------------------------------------------------
  logic [Delay-1:0]   first_late_q;
  logic [Delay:0]     last_late_q, top_late_q;
  logic               first, last, top;
  sum_t [2*Rows-1:0]  column_q;
  always_ff @(posedge clk_i) begin
    first_late_q <= {first_late_q[Delay-2:0], first_i};
    top_late_q   <= {top_late_q[Delay-1:0], top_i};
    if (!rst_ni) last_late_q <= '0;
    else last_late_q <= {last_late_q[Delay-1:0], last_i};
  end
  assign first = first_late_q[Delay-1];
  assign last  = last_late_q[Delay];
  assign top   = top_late_q[Delay];
  for (genvar at = 0; at < 2 * Rows; at++) begin : gen_column
    sum_t next;
    logic no_carry;
    if (at < Rows) begin : gen_lower
      redc_prim_carry_chain #(.Width(SumBits), .Gate(2), .Technology(Technology)) i_add (
        .x0_i(column_q[at]), .x1_i({SumBits{first}}), .y0_i(sum[at]), .y1_i(column_q[at+Rows]),
        .carry0_i(1'b0), .carry1_i(1'b0), .sum_o(next), .carry_o(no_carry)
      );
    end else begin : gen_upper
      redc_prim_carry_chain #(.Width(SumBits), .Gate(0), .Technology(Technology)) i_add (
        .x0_i(column_q[at]), .x1_i({SumBits{~first}}), .y0_i(sum[at]), .y1_i({SumBits{1'b1}}),
        .carry0_i(1'b0), .carry1_i(1'b0), .sum_o(next), .carry_o(no_carry)
      );
    end
    always_ff @(posedge clk_i) column_q[at] <= next;
    wire unused = no_carry;
  end

  // ------------------------------------------------------------------------------------------
  // Limbs.
  // ------------------------------------------------------------------------------------------
  logic [Over-1:0] over_q;  // of the limb below
  logic [1:0]      rest;
  assign rest = (top && Exact) ? column_q[Rows-1][Digit+:2] : '0;
  always_ff @(posedge clk_i) begin
    limb_o <= last & rst_ni;
    if (!rst_ni) over_q <= '0;
    else if (last) over_q <= top ? '0 : column_q[Rows-1][Digit+:Over];
    for (int unsigned row = 0; row < Rows; row++) begin
      limb_data_o[row] <= (Digit+2)'({(row == Rows - 1) ? rest : 2'b00, column_q[row][Digit-1:0]})
                        + (Digit+2)'((row == 0) ? over_q
                                     : column_q[(row+Rows-1)%Rows][Digit+:Over]);
    end
  end

endmodule

`default_nettype wire
