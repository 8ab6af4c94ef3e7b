// SPDX-License-Identifier: Apache-2.0
// Face of the ECP5 lookup table that redc_prim_* instantiate, for front ends that do not know it.
// Yosys's synth_ecp5 has the cell itself.
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

`default_nettype wire
