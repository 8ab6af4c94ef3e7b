// SPDX-License-Identifier: Apache-2.0
// redc_mul_carrychain_add: one carry chain with a gate on each operand,
// (x & x_gate) + (y & y_gate) + carry.
//
// Contract  combinational.
// Method    Technology 0 and 2 leave the mapping to synthesis. Technology 1 instantiates CCU2C
//           (ECP5), two bits a cell, whose four inputs a bit take both gates along. Its generate
//           term is the LUT's value for C = D = 0: y & y_gate, which equals the other operand
//           wherever the chain does not propagate.
// Leakage   none.
// Refuses   Width < 1: at elaboration.
`default_nettype none

module redc_mul_carrychain_add #(
  /// Bits.
  parameter int unsigned Width = 8,
  /// 0, 2: generic. 1: ECP5 carry cells.
  parameter int unsigned Technology = 0
) (
  /// First operand, and whether it counts.
  input  wire logic [Width-1:0] x_i,
  input  wire logic             x_gate_i,
  /// Second operand, and whether it counts.
  input  wire logic [Width-1:0] y_i,
  input  wire logic             y_gate_i,
  /// Carry into bit 0.
  input  wire logic             carry_i,
  /// The sum.
  output      logic [Width-1:0] sum_o,
  /// Carry out of the top bit.
  output      logic             carry_o
);

  if (Width < 1) begin : gen_refuse
    $error("redc_mul_carrychain_add: Width=%0d is below 1", Width);
  end

  if (Technology == 1) begin : gen_ecp5
    // A bit below takes the carry in (as carry + carry) and a bit above hands it out, so that both
    // lie in the chain's own cells.
    localparam int unsigned Cells = redc_pkg::ceil_div(Width + 2, 2);
    localparam int unsigned Pad   = 2 * Cells - Width - 1;
    // Propagate (A & B) ^ (C & D).
    localparam logic [15:0] Init = 16'h7888;
    logic [2*Cells-1:0] x, y, x_gate, y_gate, sum;
    logic [Cells:0]     carry;
    assign x        = {{Pad{1'b0}}, x_i, carry_i};
    assign y        = {{Pad{1'b0}}, y_i, carry_i};
    assign x_gate   = {{Pad{1'b1}}, {Width{x_gate_i}}, 1'b1};
    assign y_gate   = {{Pad{1'b1}}, {Width{y_gate_i}}, 1'b1};
    assign carry[0] = 1'b0;
    for (genvar i = 0; i < Cells; i++) begin : gen_cell
      CCU2C #(
        .INIT0(Init), .INIT1(Init), .INJECT1_0("NO"), .INJECT1_1("NO")
      ) i_cell (
        .CIN(carry[i]),
        .A0(y[2*i]), .B0(y_gate[2*i]), .C0(x[2*i]), .D0(x_gate[2*i]), .S0(sum[2*i]),
        .A1(y[2*i+1]), .B1(y_gate[2*i+1]), .C1(x[2*i+1]), .D1(x_gate[2*i+1]), .S1(sum[2*i+1]),
        .COUT(carry[i+1])
      );
    end
    assign sum_o   = sum[Width:1];
    assign carry_o = sum[Width+1];
    wire unused = ^{carry[Cells], sum};
  end else begin : gen_generic
    logic [Width-1:0] x, y;
    assign x = x_i & {Width{x_gate_i}};
    assign y = y_i & {Width{y_gate_i}};
    assign {carry_o, sum_o} = {1'b0, x} + {1'b0, y} + {{Width{1'b0}}, carry_i};
  end

endmodule

`default_nettype wire
