// SPDX-License-Identifier: Apache-2.0
// Faces of the Xilinx cells that redc_prim_* instantiate, for front ends that do not know them.
// Yosys's synth_xilinx has the cells themselves.
`default_nettype none

(* blackbox *)
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
endmodule

`default_nettype wire
