// SPDX-License-Identifier: Apache-2.0
// redc_prim_add_select: one of two numbers added to a third, on a single carry chain.
//
// Contract  {carry_o, sum_o} = x + (select ? y1 : y0) + carry.
// Method    Technology 1 instantiates CCU2C (ECP5), two bits a cell, whose four inputs a bit take
//           the choice along; its generate term is the LUT's value for C = D = 0, hence x, which
//           equals what is added wherever the chain does not propagate. Left to itself, synthesis
//           puts a LUT a bit in front.
// Timing    combinational.
// Leakage   none.
// Refuses   Width < 1: at elaboration.
// Partner   tests/families/test_primitives.py.
`default_nettype none

module redc_prim_add_select #(
  /// Bits.
  parameter int unsigned Width = 8,
  /// 0, 2: generic. 1: ECP5 carry cells.
  parameter int unsigned Technology = 0
) (
  /// What is added to.
  input  wire logic [Width-1:0] x_i,
  /// Which of the two is added.
  input  wire logic             select_i,
  input  wire logic [Width-1:0] y0_i,
  input  wire logic [Width-1:0] y1_i,
  /// Carry into bit 0.
  input  wire logic             carry_i,
  /// The sum.
  output      logic [Width-1:0] sum_o,
  /// Carry out of the top bit.
  output      logic             carry_o
);

  if (Width < 1) begin : gen_refuse
    $error("redc_prim_add_select: Width=%0d is below 1", Width);
  end

  if (Technology == 1) begin : gen_ecp5
    // A bit below makes the carry in, as its operands are alike, and a bit above hands it out.
    localparam int unsigned Cells = redc_pkg::ceil_div(Width + 2, 2);
    // Propagate A ^ (D ? B : C).
    localparam logic [15:0] Init = 16'h665a;
    logic [2*Cells-1:0] x, y0, y1, sum;
    logic [Cells:0]     carry;
    assign x        = (2 * Cells)'({x_i, carry_i});
    assign y0       = (2 * Cells)'({y0_i, carry_i});
    assign y1       = (2 * Cells)'({y1_i, carry_i});
    assign carry[0] = 1'b0;
    for (genvar i = 0; i < Cells; i++) begin : gen_cell
      CCU2C #(
        .INIT0(Init), .INIT1(Init), .INJECT1_0("NO"), .INJECT1_1("NO")
      ) i_cell (
        .CIN(carry[i]),
        .A0(x[2*i]), .B0(y1[2*i]), .C0(y0[2*i]), .D0(select_i), .S0(sum[2*i]),
        .A1(x[2*i+1]), .B1(y1[2*i+1]), .C1(y0[2*i+1]), .D1(select_i), .S1(sum[2*i+1]),
        .COUT(carry[i+1])
      );
    end
    assign sum_o   = sum[Width:1];
    assign carry_o = sum[Width+1];
    wire unused = ^{carry[Cells], sum};
  end else begin : gen_generic
    assign {carry_o, sum_o} = {1'b0, x_i} + {1'b0, select_i ? y1_i : y0_i}
                            + (Width + 1)'(carry_i);
  end

endmodule

`default_nettype wire
