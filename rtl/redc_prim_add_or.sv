// SPDX-License-Identifier: Apache-2.0
// redc_prim_add_or: one carry chain for two pairs of operands, (x0 | x1) + (y | ~z) + carry.
//
// Contract  a pair that is out of use is held at its neutral value (x, y: 0, z: 1), so the chain
//           serves one sum after another without a multiplexer in front.
// Method    Technology 0 leaves the mapping to synthesis: one LUT a bit where a LUT has six inputs
//           beside its carry logic. Technology 1 instantiates CCU2C (ECP5), whose four inputs a bit
//           take the gates along; its generate term is the LUT's value for C = D = 0, hence x
//           there.
// Timing    combinational.
// Leakage   none.
// Refuses   nothing: what it has no cells for is left to synthesis.
// Partner   tests/families/test_primitives.py.
`default_nettype none

module redc_prim_add_or #(
  /// Bits.
  parameter int unsigned Width = 8,
  /// 0: generic. 1: ECP5 carry cells.
  parameter int unsigned Technology = 0
) (
  /// The first pair; one of the two is 0.
  input  wire logic [Width-1:0] x0_i,
  input  wire logic [Width-1:0] x1_i,
  /// The second pair; y is 0 or z all ones.
  input  wire logic [Width-1:0] y_i,
  /// Taken inverted.
  input  wire logic [Width-1:0] z_i,
  /// Carry into bit 0, where the gate is open.
  input  wire logic             carry_i,
  input  wire logic             gate_i,
  /// The sum.
  output      logic [Width-1:0] sum_o,
  /// Carry out of the top bit.
  output      logic             carry_o
);

  if (Technology == 1) begin : gen_ecp5
    // A bit below takes the carry in and a bit above hands it out, so that both lie in the chain's
    // own cells, and the flip-flop behind the carry beside it. The bit below passes on carry &
    // gate: it propagates, and that a zero, where the two differ.
    localparam int unsigned Cells = redc_pkg::ceil_div(Width + 2, 2);
    localparam int unsigned Pad   = 2 * Cells - Width - 1;
    // Propagate (A | ~B) ^ (C | D).
    localparam logic [15:0] Init = 16'h444b;
    logic [2*Cells-1:0] x0, x1, y, z, sum;
    logic [Cells:0]     carry;
    assign x0       = {{Pad{1'b0}}, x0_i, gate_i};
    assign x1       = {{Pad{1'b0}}, x1_i, 1'b0};
    assign y        = {{Pad{1'b0}}, y_i, carry_i};
    assign z        = {{Pad{1'b1}}, z_i, 1'b1};
    assign carry[0] = 1'b0;
    for (genvar i = 0; i < Cells; i++) begin : gen_cell
      CCU2C #(
        .INIT0(Init), .INIT1(Init), .INJECT1_0("NO"), .INJECT1_1("NO")
      ) i_cell (
        .CIN(carry[i]),
        .A0(y[2*i]), .B0(z[2*i]), .C0(x0[2*i]), .D0(x1[2*i]), .S0(sum[2*i]),
        .A1(y[2*i+1]), .B1(z[2*i+1]), .C1(x0[2*i+1]), .D1(x1[2*i+1]), .S1(sum[2*i+1]),
        .COUT(carry[i+1])
      );
    end
    assign sum_o   = sum[Width:1];
    assign carry_o = sum[Width+1];
    wire unused = ^{carry[Cells], sum};
  end else begin : gen_generic
    logic [Width-1:0] x, y;
    assign x = x0_i | x1_i;
    assign y = y_i | ~z_i;
    assign {carry_o, sum_o} = {1'b0, x} + {1'b0, y} + {{Width{1'b0}}, carry_i & gate_i};
  end

endmodule

`default_nettype wire
