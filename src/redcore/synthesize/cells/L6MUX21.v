// SPDX-License-Identifier: Apache-2.0
// L6MUX21: simulation model of the ECP5 multiplexer behind two PFUMX.
//
// Partner   Yosys' own model of the cell.
`default_nettype none

module L6MUX21 (
  input  wire D0,
  input  wire D1,
  input  wire SD,
  output wire Z
);

  assign Z = SD ? D1 : D0;

endmodule

`default_nettype wire
