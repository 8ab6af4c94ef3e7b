// SPDX-License-Identifier: Apache-2.0
// LUT6_2: simulation model of the Xilinx two-output LUT, for tools that do not bring one.
//
// Method    O6 looks up all six inputs, O5 the lower half of the table with five.
//           Chosen bit by bit, so that an unknown input that does not matter does not come out.
// Partner   Yosys' own model of the cell; a test proves the two equal.
`default_nettype none

module LUT6_2 #(
  parameter [63:0] INIT = 64'h0
) (
  output wire O6,
  output wire O5,
  input  wire I0,
  input  wire I1,
  input  wire I2,
  input  wire I3,
  input  wire I4,
  input  wire I5
);

  // The upper half is looked up beside the lower one.
  wire [31:0] of_4 = I4 ? {INIT[63:48], INIT[31:16]} : {INIT[47:32], INIT[15:0]};
  wire [15:0] of_3 = I3 ? {of_4[31:24], of_4[15:8]} : {of_4[23:16], of_4[7:0]};
  wire [7:0]  of_2 = I2 ? {of_3[15:12], of_3[7:4]} : {of_3[11:8], of_3[3:0]};
  wire [3:0]  of_1 = I1 ? {of_2[7:6], of_2[3:2]} : {of_2[5:4], of_2[1:0]};
  wire [1:0]  of_0 = I0 ? {of_1[3], of_1[1]} : {of_1[2], of_1[0]};
  assign O5 = of_0[0];
  assign O6 = I5 ? of_0[1] : of_0[0];

endmodule

`default_nettype wire
