// SPDX-License-Identifier: Apache-2.0
// SPX9, DPX9B, MULT9X9, MULT18X18: block memories and multipliers of Gowin as Yosys maps to them,
// for mapped netlists.
//
// Method    memories: 2,048 groups of nine bits, of which a word takes one, two or four; a word
//           that is read stays until the next one. INIT holds all groups (tests/mapped_cores.py
//           gathers them). Multipliers: without registers, which Yosys does not use; parameters of
//           these are left out, so that a netlist with them is refused.
// Partner   tests/cells/shared.v; the generic memories and products. Widths below nine are not modelled.

module SPX9 #(
  parameter [18431:0] INIT = 18432'd0,
  parameter READ_MODE = 1'b0,
  // 0: a port that writes reads nothing. 1: it reads what it writes. 2: what was there.
  parameter WRITE_MODE = 2'b00,
  parameter BIT_WIDTH = 36,
  parameter BLK_SEL = 3'b000,
  parameter RESET_MODE = "SYNC"
) (
  input  wire        CLK,
  input  wire        CE,
  input  wire        OCE,
  input  wire        RESET,
  input  wire        WRE,
  input  wire [13:0] AD,
  input  wire [35:0] DI,
  input  wire [2:0]  BLKSEL,
  output reg  [35:0] DO
);
  localparam integer Groups = BIT_WIDTH / 9;
  reg [8:0] group_q [0:2047];
  integer at, of;
  initial for (at = 0; at < 2048; at = at + 1) group_q[at] = INIT[9*at+:9];
  wire [10:0] first = AD[13:3] & ~(Groups - 1);

  always @(posedge CLK or posedge RESET) begin
    if (RESET) DO <= 36'd0;
    else if (CE && (!WRE || WRITE_MODE != 0)) begin
      for (of = 0; of < Groups; of = of + 1)
        DO[9*of+:9] <= (WRE && WRITE_MODE == 1 && (Groups == 1 || AD[of])) ? DI[9*of+:9]
                     : group_q[first | of];
    end
  end
  integer write;
  always @(posedge CLK) begin
    for (write = 0; write < Groups; write = write + 1)
      if (CE && WRE && (Groups == 1 || AD[write])) group_q[first | write] <= DI[9*write+:9];
  end
endmodule

module DPX9B #(
  parameter [18431:0] INIT = 18432'd0,
  parameter READ_MODE0 = 1'b0,
  parameter READ_MODE1 = 1'b0,
  parameter WRITE_MODE0 = 2'b00,
  parameter WRITE_MODE1 = 2'b00,
  parameter BIT_WIDTH_0 = 18,
  parameter BIT_WIDTH_1 = 18,
  parameter BLK_SEL_0 = 3'b000,
  parameter BLK_SEL_1 = 3'b000,
  parameter RESET_MODE = "SYNC"
) (
  input  wire        CLKA,
  input  wire        CLKB,
  input  wire        CEA,
  input  wire        CEB,
  input  wire        OCEA,
  input  wire        OCEB,
  input  wire        RESETA,
  input  wire        RESETB,
  input  wire        WREA,
  input  wire        WREB,
  input  wire [13:0] ADA,
  input  wire [13:0] ADB,
  input  wire [17:0] DIA,
  input  wire [17:0] DIB,
  input  wire [2:0]  BLKSELA,
  input  wire [2:0]  BLKSELB,
  output wire [17:0] DOA,
  output wire [17:0] DOB
);
  cells_two_ports #(
    .INIT(INIT), .GROUPS(BIT_WIDTH_0 / 9),
    .THROUGH_A(WRITE_MODE0 == 1), .THROUGH_B(WRITE_MODE1 == 1)
  ) i_ports (
    .clk_i(CLKA), .enable_a_i(CEA), .enable_b_i(CEB), .write_a_i(WREA), .write_b_i(WREB),
    .reset_a_i(RESETA), .reset_b_i(RESETB), .address_a_i(ADA), .address_b_i(ADB),
    .data_a_i(DIA), .data_b_i(DIB), .data_a_o(DOA), .data_b_o(DOB)
  );
endmodule

module MULT18X18 (
  input  wire [17:0] A,
  input  wire [17:0] SIA,
  input  wire [17:0] B,
  input  wire [17:0] SIB,
  input  wire        ASIGN,
  input  wire        BSIGN,
  input  wire        ASEL,
  input  wire        BSEL,
  input  wire        CE,
  input  wire        CLK,
  input  wire        RESET,
  output wire [35:0] DOUT,
  output wire [17:0] SOA,
  output wire [17:0] SOB
);
  assign SOA = ASEL ? SIA : A;
  assign SOB = BSEL ? SIB : B;
  cells_product #(
    .BITS(18)
  ) i_product (
    .a_i(SOA), .b_i(SOB), .signed_a_i(ASIGN), .signed_b_i(BSIGN), .product_o(DOUT)
  );
endmodule

module MULT9X9 (
  input  wire [8:0]  A,
  input  wire [8:0]  SIA,
  input  wire [8:0]  B,
  input  wire [8:0]  SIB,
  input  wire        ASIGN,
  input  wire        BSIGN,
  input  wire        ASEL,
  input  wire        BSEL,
  input  wire        CE,
  input  wire        CLK,
  input  wire        RESET,
  output wire [17:0] DOUT,
  output wire [8:0]  SOA,
  output wire [8:0]  SOB
);
  assign SOA = ASEL ? SIA : A;
  assign SOB = BSEL ? SIB : B;
  cells_product #(
    .BITS(9)
  ) i_product (
    .a_i(SOA), .b_i(SOB), .signed_a_i(ASIGN), .signed_b_i(BSIGN), .product_o(DOUT)
  );
endmodule
