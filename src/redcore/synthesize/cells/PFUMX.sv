// SPDX-License-Identifier: Apache-2.0
// PFUMX: simulation model of the ECP5 multiplexer behind two lookup tables.
//
// Partner   Yosys' own model of the cell.
`default_nettype none

module PFUMX (
  input  wire logic ALUT,
  input  wire logic BLUT,
  input  wire logic C0,
  output      logic Z
);

  assign Z = C0 ? ALUT : BLUT;

endmodule

`default_nettype wire
