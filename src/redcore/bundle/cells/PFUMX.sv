// SPDX-License-Identifier: Apache-2.0
// PFUMX: simulation model of the ECP5 multiplexer behind two LUTs, for tools that do not bring one.
//
// Method    Z is ALUT where C0 is high, else BLUT.
// Partner   Yosys' own model of the cell; a test proves the two equal.
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
