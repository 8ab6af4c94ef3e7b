// SPDX-License-Identifier: Apache-2.0
// PFUMX: simulation model of the ECP5 multiplexer behind two lookup tables.
//
// Partner   Yosys' own model of the cell.
`default_nettype none

module PFUMX (
  input  wire ALUT,
  input  wire BLUT,
  input  wire C0,
  output wire Z
);

  assign Z = C0 ? ALUT : BLUT;

endmodule

`default_nettype wire
