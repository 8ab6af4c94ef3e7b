// SPDX-License-Identifier: Apache-2.0
// Faces of the ECP5 cells that redc_prim_* instantiate, for front ends that do not know them.
// Yosys's synth_ecp5 has the cells themselves.
`default_nettype none

(* blackbox *)
module CCU2C #(
  parameter logic [15:0] INIT0 = 16'h0000,
  parameter logic [15:0] INIT1 = 16'h0000,
  parameter INJECT1_0 = "YES",
  parameter INJECT1_1 = "YES"
) (
  input  wire logic CIN,
  input  wire logic A0,
  input  wire logic B0,
  input  wire logic C0,
  input  wire logic D0,
  input  wire logic A1,
  input  wire logic B1,
  input  wire logic C1,
  input  wire logic D1,
  output      logic S0,
  output      logic S1,
  output      logic COUT
);
endmodule

`default_nettype wire
