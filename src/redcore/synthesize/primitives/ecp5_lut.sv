// SPDX-License-Identifier: Apache-2.0
// Faces of the ECP5 lookup table, and of what joins two, that redc_prim_* instantiate, for front
// ends that do not know them. Yosys's synth_ecp5 has the cells themselves.
`default_nettype none

(* blackbox *)
module LUT4 #(
  parameter logic [15:0] INIT = 16'h0000
) (
  input  wire logic A,
  input  wire logic B,
  input  wire logic C,
  input  wire logic D,
  output      logic Z
);
endmodule

(* blackbox *)
module PFUMX (
  input  wire logic ALUT,
  input  wire logic BLUT,
  input  wire logic C0,
  output      logic Z
);
endmodule

`default_nettype wire
