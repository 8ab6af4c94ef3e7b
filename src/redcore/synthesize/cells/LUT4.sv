// SPDX-License-Identifier: Apache-2.0
// LUT4: simulation model of the ECP5 lookup table, for tools that do not bring one.
//
// Method    Z looks up the four inputs, A the lowest bit of the place.
// Partner   Yosys' own model of the cell; a test proves the two equal.
`default_nettype none

module LUT4 #(
  parameter logic [15:0] INIT = 16'h0
) (
  input  wire logic A,
  input  wire logic B,
  input  wire logic C,
  input  wire logic D,
  output      logic Z
);

  assign Z = INIT[{D, C, B, A}];

endmodule

`default_nettype wire
