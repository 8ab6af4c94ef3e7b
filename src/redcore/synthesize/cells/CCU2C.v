// SPDX-License-Identifier: Apache-2.0
// CCU2C: simulation model of the ECP5 carry cell, for tools that do not bring one.
//
// Method    two bits of a carry chain: a LUT4 propagates, its lower LUT2 (C = D = 0) generates.
//           Chosen bit by bit, so that an unknown input that does not matter does not come out.
// Partner   Yosys' own model of the cell; a test proves the two equal.
`default_nettype none

module CCU2C #(
  parameter [15:0] INIT0 = 16'h0000,
  parameter [15:0] INIT1 = 16'h0000,
  // "YES" cuts the carry into this bit's sum and generates nothing.
  parameter INJECT1_0 = "YES",
  parameter INJECT1_1 = "YES"
) (
  input  wire CIN,
  input  wire A0,
  input  wire B0,
  input  wire C0,
  input  wire D0,
  input  wire A1,
  input  wire B1,
  input  wire C1,
  input  wire D1,
  output wire S0,
  output wire S1,
  output wire COUT
);

  // A name that was given may be shorter.
  // verilator lint_off WIDTH

  localparam Inject0 = INJECT1_0 == "YES";
  localparam Inject1 = INJECT1_1 == "YES";

  wire [7:0] of_d0 = D0 ? INIT0[15:8] : INIT0[7:0];
  wire [3:0] of_c0 = C0 ? of_d0[7:4] : of_d0[3:0];
  wire [1:0] of_b0 = B0 ? of_c0[3:2] : of_c0[1:0];
  wire [1:0] lower0 = B0 ? INIT0[3:2] : INIT0[1:0];
  wire [7:0] of_d1 = D1 ? INIT1[15:8] : INIT1[7:0];
  wire [3:0] of_c1 = C1 ? of_d1[7:4] : of_d1[3:0];
  wire [1:0] of_b1 = B1 ? of_c1[3:2] : of_c1[1:0];
  wire [1:0] lower1 = B1 ? INIT1[3:2] : INIT1[1:0];

  wire propagate0 = A0 ? of_b0[1] : of_b0[0];
  wire propagate1 = A1 ? of_b1[1] : of_b1[0];
  wire generate0  = (A0 ? lower0[1] : lower0[0]) & ~Inject0;
  wire generate1  = (A1 ? lower1[1] : lower1[0]) & ~Inject1;
  wire carry      = propagate0 ? CIN : generate0;

  assign S0   = propagate0 ^ (CIN & ~Inject0);
  assign S1   = propagate1 ^ (carry & ~Inject1);
  assign COUT = propagate1 ? carry : generate1;

endmodule

`default_nettype wire
