// SPDX-License-Identifier: Apache-2.0
// Faces of the ECP5 multiplexers that redc_prim_* instantiate, for front ends that do not know
// them. Yosys's synth_ecp5 has the cells themselves.
`default_nettype none

(* blackbox *)
module PFUMX (
  input  wire logic ALUT,
  input  wire logic BLUT,
  input  wire logic C0,
  output      logic Z
);
endmodule

(* blackbox *)
module L6MUX21 (
  input  wire logic D0,
  input  wire logic D1,
  input  wire logic SD,
  output      logic Z
);
endmodule

`default_nettype wire
