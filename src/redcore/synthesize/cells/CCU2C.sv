// SPDX-License-Identifier: Apache-2.0
// CCU2C: simulation model of the ECP5 carry cell, for tools that do not bring one.
//
// Method    two bits of a carry chain: a LUT4 propagates, its lower LUT2 (C = D = 0) generates.
// Partner   Yosys' own model of the cell; a test proves the two equal.
`default_nettype none

module CCU2C #(
  parameter logic [15:0] INIT0 = 16'h0000,
  parameter logic [15:0] INIT1 = 16'h0000,
  /// "YES" cuts the carry into this bit's sum and generates nothing.
  parameter string INJECT1_0 = "YES",
  parameter string INJECT1_1 = "YES"
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

  localparam bit Inject0 = INJECT1_0 == "YES";
  localparam bit Inject1 = INJECT1_1 == "YES";

  wire logic propagate0 = INIT0[{D0, C0, B0, A0}];
  wire logic propagate1 = INIT1[{D1, C1, B1, A1}];
  wire logic generate0  = INIT0[{2'b00, B0, A0}] & ~Inject0;
  wire logic generate1  = INIT1[{2'b00, B1, A1}] & ~Inject1;
  wire logic carry      = propagate0 ? CIN : generate0;

  assign S0   = propagate0 ^ (CIN & ~Inject0);
  assign S1   = propagate1 ^ (carry & ~Inject1);
  assign COUT = propagate1 ? carry : generate1;

endmodule

`default_nettype wire
