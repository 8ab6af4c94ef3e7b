// SPDX-License-Identifier: Apache-2.0
// LUT4: simulation model of the ECP5 lookup table, for tools that do not bring one.
//
// Method    Z looks up the four inputs, A the lowest bit of the place.
//           Chosen bit by bit, so that an unknown input that does not matter does not come out.
// Partner   Yosys' own model of the cell; a test proves the two equal.
`default_nettype none

module LUT4 #(
  parameter [15:0] INIT = 16'h0
) (
  input  wire A,
  input  wire B,
  input  wire C,
  input  wire D,
  output wire Z
);

  wire [7:0] of_d = D ? INIT[15:8] : INIT[7:0];
  wire [3:0] of_c = C ? of_d[7:4] : of_d[3:0];
  wire [1:0] of_b = B ? of_c[3:2] : of_c[1:0];
  assign Z = A ? of_b[1] : of_b[0];

endmodule

`default_nettype wire
