// SPDX-License-Identifier: Apache-2.0
// redc_prim_carry_chain: one carry chain, gates in front of its operands.
//
// Contract  {carry_o, sum_o} = x + y + (carry0 & carry1); Gate = 0: x = x0 & x1 and y = y0 & y1, a
//           number and whether it counts. Gate = 1: x = x0 | x1 and y = y0 | ~y1: a pair that is
//           out of use is held at its neutral value (0; y1: 1), so the chain serves one sum after
//           another without a multiplexer in front. Gate = 2: x = x1 ? y1 : x0, bit by bit, and
//           y = y0: one of two numbers is added.
// Method    Technology 0 and 2 leave the mapping to synthesis: one LUT a bit where a LUT has six
//           inputs beside its carry logic. Technology 1 instantiates CCU2C (ECP5), two bits a cell,
//           whose four inputs a bit take the gates along; its generate term is the LUT's value for
//           C = D = 0, hence y, which equals x wherever the chain does not propagate. Left to
//           itself, synthesis puts a LUT a bit in front.
// Timing    combinational.
// Leakage   none.
// Refuses   Width < 1, Gate > 2: at elaboration. What it has no cells for is left to synthesis.
// Partner   tests/families/test_primitives.py.
`default_nettype none

module redc_prim_carry_chain #(
  /// Bits.
  parameter int unsigned Width = 8,
  /// 0: whether each operand counts. 1: two pairs in turn. 2: one of two; see Contract.
  parameter int unsigned Gate = 0,
  /// 0, 2: generic. 1: ECP5 carry cells.
  parameter int unsigned Technology = 0
) (
  /// What makes x, and what makes y.
  input  wire logic [Width-1:0] x0_i,
  input  wire logic [Width-1:0] x1_i,
  input  wire logic [Width-1:0] y0_i,
  input  wire logic [Width-1:0] y1_i,
  /// Carry into bit 0, where both are high.
  input  wire logic             carry0_i,
  input  wire logic             carry1_i,
  /// The sum.
  output      logic [Width-1:0] sum_o,
  /// Carry out of the top bit.
  output      logic             carry_o
);

  if (Width < 1) begin : gen_refuse
    $error("redc_prim_carry_chain: Width=%0d is below 1", Width);
  end
  if (Gate > 2) begin : gen_refuse_gate
    $error("redc_prim_carry_chain: Gate=%0d is above 2", Gate);
  end

  if (Technology == 1) begin : gen_ecp5
    // A bit below adds the two carries in and a bit above hands the carry out, so that both lie in
    // the chain's own cells, and the flip-flop behind the carry beside it.
    localparam int unsigned Cells = redc_pkg::ceil_div(Width + 2, 2);
    localparam int unsigned Pad   = 2 * Cells - Width - 1;
    // Propagate (A & B) ^ (C & D), (A | ~B) ^ (C | D), or A ^ (D ? B : C).
    localparam logic [15:0] Init = (Gate == 0) ? 16'h7888 : (Gate == 1) ? 16'h444b : 16'h665a;
    logic [2*Cells-1:0] x0, x1, y0, y1, sum;
    logic [Cells:0]     carry;
    assign x0       = {{Pad{1'b0}}, x0_i, carry1_i};
    assign x1       = {{Pad{Gate == 0}}, x1_i, Gate == 0};
    assign y0       = {{Pad{1'b0}}, y0_i, carry0_i};
    assign y1       = {{Pad{1'b1}}, y1_i, 1'b1};
    assign carry[0] = 1'b0;
    for (genvar i = 0; i < Cells; i++) begin : gen_cell
      CCU2C #(
        .INIT0(Init), .INIT1(Init), .INJECT1_0("NO"), .INJECT1_1("NO")
      ) i_cell (
        .CIN(carry[i]),
        .A0(y0[2*i]), .B0(y1[2*i]), .C0(x0[2*i]), .D0(x1[2*i]), .S0(sum[2*i]),
        .A1(y0[2*i+1]), .B1(y1[2*i+1]), .C1(x0[2*i+1]), .D1(x1[2*i+1]), .S1(sum[2*i+1]),
        .COUT(carry[i+1])
      );
    end
    assign sum_o   = sum[Width:1];
    assign carry_o = sum[Width+1];
    wire unused = ^{carry[Cells], sum};
  end else begin : gen_generic
    logic [Width-1:0] x, y;
    assign x = (Gate == 0) ? x0_i & x1_i : (Gate == 1) ? x0_i | x1_i
                                         : (x0_i & ~x1_i) | (y1_i & x1_i);
    assign y = (Gate == 0) ? y0_i & y1_i : (Gate == 1) ? y0_i | ~y1_i : y0_i;
    assign {carry_o, sum_o} = {1'b0, x} + {1'b0, y} + {{Width{1'b0}}, carry0_i & carry1_i};
  end

endmodule

`default_nettype wire
