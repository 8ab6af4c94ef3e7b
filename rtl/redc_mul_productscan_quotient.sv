// SPDX-License-Identifier: Apache-2.0
// redc_mul_productscan_quotient: the quotient's digit that makes a column's lowest digit vanish,
// a few bits a cycle.
//
// Contract  behind load_i, with t the column's lowest digit: q with t + q m_0 a multiple of
//           2^Digit, and carry_o = (t + q m_0) / 2^Digit. done_o is high in the last step; behind
//           it q_o stands for one cycle, and carry_o for two.
// Method    radix-2 Montgomery reduction, Step of its iterations in a cycle: bit 0 of the sum is
//           the next bit of q, m_0 is added where it is 1, and the sum is halved. So q needs no
//           inverse of the modulus, and q m_0 is made on the way. A mark that goes in front of the
//           bits of q in their register says when they are all there.
// Timing    Digit / Step steps behind the cycle of load_i.
// Leakage   none but data in registers, which keep it until the next load.
// Refuses   nothing itself; redc_mul_productscan does.
// Partner   src/redcore/families/productscan.py.
`default_nettype none

module redc_mul_productscan_quotient #(
  /// Bits of a digit; a multiple of Step.
  parameter int unsigned Digit = 18,
  /// Bits of q that are made in a cycle.
  parameter int unsigned Step = 2,
  /// 0, 2: generic. 1: ECP5 carry cells.
  parameter int unsigned Technology = 0
) (
  input  wire logic             clk_i,
  /// Active low, synchronous; drops everything.
  input  wire logic             rst_ni,
  /// Lowest digit of the modulus.
  input  wire logic [Digit-1:0] modulus_i,
  /// Takes the digit.
  input  wire logic             load_i,
  /// Lowest digit of the column; zero behind load_i until done_o.
  input  wire logic [Digit-1:0] digit_i,
  /// The last step is made.
  output      logic             done_o,
  /// The cycle behind it.
  output      logic             ready_o,
  /// Digit of the quotient.
  output      logic [Digit-1:0] q_o,
  /// What it carries into the next column.
  output      logic [Digit-1:0] carry_o
);

  logic             busy_q;
  logic [Digit-1:0] carry_q, q_q;
  assign done_o  = busy_q & q_q[Step-1];
  assign q_o     = q_q;
  assign carry_o = carry_q;

  // Step rows, each of which halves. What is loaded passes them as if each had added nothing.
  logic [Step:0][Digit+Step:0] sum;
  logic [Step-1:0]             q;
  assign sum[0] = (Digit + Step + 1)'({carry_q, 1'b0});
  for (genvar row = 0; row < Step; row++) begin : gen_row
    localparam int unsigned Bits = Digit + Step - row;
    logic carry;
    assign q[row] = sum[row][1];
    if (row == 0) begin : gen_first
      redc_prim_carry_chain #(.Width(Bits), .Gate(2), .Technology(Technology)) i_sum (
        .x0_i({digit_i, Step'(0)}), .x1_i({Bits{q[row]}}), .y0_i(sum[row][Bits:1]),
        .y1_i(Bits'(modulus_i)), .carry0_i(1'b0), .carry1_i(1'b0),
        .sum_o(sum[row+1][Bits-1:0]), .carry_o(carry)
      );
    end else begin : gen_later
      redc_prim_carry_chain #(.Width(Bits), .Gate(0), .Technology(Technology)) i_sum (
        .x0_i(Bits'(modulus_i)), .x1_i({Bits{q[row]}}), .y0_i(sum[row][Bits:1]),
        .y1_i('1), .carry0_i(1'b0), .carry1_i(1'b0),
        .sum_o(sum[row+1][Bits-1:0]), .carry_o(carry)
      );
    end
    assign sum[row+1][Digit+Step:Bits] = '0;
    wire unused = ^{carry, sum[row][0]};
  end
  wire unused_top = ^sum[Step];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {busy_q, ready_o} <= '0;
    else {busy_q, ready_o} <= {load_i | (busy_q & ~done_o), done_o};
    if (!load_i && !busy_q && !ready_o) carry_q <= '0;
    else if (!ready_o) carry_q <= sum[Step][Digit:1];
    if (!busy_q) q_q <= {1'b1, {(Digit - 1){1'b0}}};
    else q_q <= Digit'({q, q_q} >> Step);
  end

endmodule

`default_nettype wire
