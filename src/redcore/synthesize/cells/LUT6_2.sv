// SPDX-License-Identifier: Apache-2.0
// LUT6_2: simulation model of the Xilinx two-output LUT, for tools that do not bring one.
//
// Method    O6 looks up all six inputs, O5 the lower half of the table with five.
// Partner   Yosys' own model of the cell; a test proves the two equal.
`default_nettype none

module LUT6_2 #(
  parameter logic [63:0] INIT = 64'h0
) (
  output      logic O6,
  output      logic O5,
  input  wire logic I0,
  input  wire logic I1,
  input  wire logic I2,
  input  wire logic I3,
  input  wire logic I4,
  input  wire logic I5
);

  assign O6 = INIT[{I5, I4, I3, I2, I1, I0}];
  assign O5 = INIT[{1'b0, I4, I3, I2, I1, I0}];

endmodule

`default_nettype wire
