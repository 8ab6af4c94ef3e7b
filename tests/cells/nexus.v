// SPDX-License-Identifier: Apache-2.0
// PDPSC16K, DP16K: block memories of Nexus as Yosys maps memories to them, for mapped netlists.
//
// Method    2,048 groups of nine bits, of which a word takes one, two or four; a word that is read
//           stays until the next one. INIT holds all groups (tests/mapped_cores.py gathers them).
//           PDPSC16K reads what is there before it writes. A port of DP16K that writes reads
//           nothing.
// Partner   tests/cells/shared.v; the generic memories. The register behind is not modelled, nor are
//           widths below nine.

module PDPSC16K #(
  parameter [18431:0] INIT = 18432'd0,
  parameter DATA_WIDTH_W = "X36",
  parameter DATA_WIDTH_R = "X36",
  parameter OUTREG = "BYPASSED",
  parameter RESETMODE = "SYNC",
  parameter ASYNC_RST_RELEASE = "SYNC",
  parameter CSDECODE_W = "111",
  parameter CSDECODE_R = "111",
  parameter ECC = "DISABLED",
  parameter GSR = "DISABLED"
) (
  input  wire [35:0] DI,
  input  wire [13:0] ADW,
  input  wire [13:0] ADR,
  input  wire        CLK,
  input  wire        CER,
  input  wire        CEW,
  input  wire [2:0]  CSW,
  input  wire [2:0]  CSR,
  input  wire        RST,
  output reg  [35:0] DO
);
  localparam integer Write = (DATA_WIDTH_W == "X36") ? 4 : (DATA_WIDTH_W == "X18") ? 2 : 1;
  localparam integer Read = (DATA_WIDTH_R == "X36") ? 4 : (DATA_WIDTH_R == "X18") ? 2 : 1;
  reg [8:0] group_q [0:2047];
  integer at, reading, writing;
  initial for (at = 0; at < 2048; at = at + 1) group_q[at] = INIT[9*at+:9];

  always @(posedge CLK or posedge RST) begin
    if (RST) DO <= 36'd0;
    else if (CER) begin
      for (reading = 0; reading < Read; reading = reading + 1)
        DO[9*reading+:9] <= group_q[(ADR[13:3] & ~(Read - 1)) | reading];
    end
  end
  always @(posedge CLK) begin
    for (writing = 0; writing < Write; writing = writing + 1)
      if (CEW && (Write == 1 || ADW[writing]))
        group_q[(ADW[13:3] & ~(Write - 1)) | writing] <= DI[9*writing+:9];
  end
endmodule

module DP16K #(
  parameter [18431:0] INIT = 18432'd0,
  parameter DATA_WIDTH_A = "X18",
  parameter DATA_WIDTH_B = "X18",
  parameter OUTREG_A = "BYPASSED",
  parameter OUTREG_B = "BYPASSED",
  parameter RESETMODE_A = "SYNC",
  parameter RESETMODE_B = "SYNC",
  parameter ASYNC_RST_RELEASE_A = "SYNC",
  parameter ASYNC_RST_RELEASE_B = "SYNC",
  parameter CSDECODE_A = "111",
  parameter CSDECODE_B = "111",
  parameter GSR = "DISABLED"
) (
  input  wire [17:0] DIA,
  input  wire [17:0] DIB,
  input  wire [13:0] ADA,
  input  wire [13:0] ADB,
  input  wire        CLKA,
  input  wire        CLKB,
  input  wire        CEA,
  input  wire        CEB,
  input  wire        WEA,
  input  wire        WEB,
  input  wire [2:0]  CSA,
  input  wire [2:0]  CSB,
  input  wire        RSTA,
  input  wire        RSTB,
  output wire [17:0] DOA,
  output wire [17:0] DOB
);
  cells_two_ports #(
    .INIT(INIT), .GROUPS((DATA_WIDTH_A == "X18") ? 2 : 1)
  ) i_ports (
    .clk_i(CLKA), .enable_a_i(CEA), .enable_b_i(CEB), .write_a_i(WEA), .write_b_i(WEB),
    .reset_a_i(RSTA), .reset_b_i(RSTB), .address_a_i(ADA), .address_b_i(ADB),
    .data_a_i(DIA), .data_b_i(DIB), .data_a_o(DOA), .data_b_o(DOB)
  );
endmodule
