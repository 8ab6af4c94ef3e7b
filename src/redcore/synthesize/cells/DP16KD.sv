// SPDX-License-Identifier: Apache-2.0
// DP16KD: simulation model of the ECP5 block memory as redc_prim_block, redc_prim_two_writers,
// redc_prim_rings and redc_prim_rom use it, for tools that do not bring one.
//
// Method    two ports of one width and one clock, with or without the register behind it, that read
//           what is there before they write. Of enables those of port B are modelled; clears and
//           chip selects are not.
// Partner   redc_prim_block, redc_prim_two_writers, redc_prim_rings and redc_prim_rom; tests hold
//           them equal to the generic memories.
`default_nettype none

module DP16KD #(
  /// Bits of a word: 18, 9, 4, 2, 1.
  parameter int DATA_WIDTH_A = 18,
  parameter int DATA_WIDTH_B = 18,
  /// "NOREG" or "OUTREG".
  parameter string REGMODE_A = "NOREG",
  parameter string REGMODE_B = "NOREG",
  parameter string WRITEMODE_A = "NORMAL",
  parameter string WRITEMODE_B = "NORMAL",
  parameter string GSR = "ENABLED",
  /// What it holds at first: 16 groups of 18 bits each, with two bits between them.
  parameter logic [319:0] INITVAL_00 = '0, parameter logic [319:0] INITVAL_01 = '0,
  parameter logic [319:0] INITVAL_02 = '0, parameter logic [319:0] INITVAL_03 = '0,
  parameter logic [319:0] INITVAL_04 = '0, parameter logic [319:0] INITVAL_05 = '0,
  parameter logic [319:0] INITVAL_06 = '0, parameter logic [319:0] INITVAL_07 = '0,
  parameter logic [319:0] INITVAL_08 = '0, parameter logic [319:0] INITVAL_09 = '0,
  parameter logic [319:0] INITVAL_0A = '0, parameter logic [319:0] INITVAL_0B = '0,
  parameter logic [319:0] INITVAL_0C = '0, parameter logic [319:0] INITVAL_0D = '0,
  parameter logic [319:0] INITVAL_0E = '0, parameter logic [319:0] INITVAL_0F = '0,
  parameter logic [319:0] INITVAL_10 = '0, parameter logic [319:0] INITVAL_11 = '0,
  parameter logic [319:0] INITVAL_12 = '0, parameter logic [319:0] INITVAL_13 = '0,
  parameter logic [319:0] INITVAL_14 = '0, parameter logic [319:0] INITVAL_15 = '0,
  parameter logic [319:0] INITVAL_16 = '0, parameter logic [319:0] INITVAL_17 = '0,
  parameter logic [319:0] INITVAL_18 = '0, parameter logic [319:0] INITVAL_19 = '0,
  parameter logic [319:0] INITVAL_1A = '0, parameter logic [319:0] INITVAL_1B = '0,
  parameter logic [319:0] INITVAL_1C = '0, parameter logic [319:0] INITVAL_1D = '0,
  parameter logic [319:0] INITVAL_1E = '0, parameter logic [319:0] INITVAL_1F = '0,
  parameter logic [319:0] INITVAL_20 = '0, parameter logic [319:0] INITVAL_21 = '0,
  parameter logic [319:0] INITVAL_22 = '0, parameter logic [319:0] INITVAL_23 = '0,
  parameter logic [319:0] INITVAL_24 = '0, parameter logic [319:0] INITVAL_25 = '0,
  parameter logic [319:0] INITVAL_26 = '0, parameter logic [319:0] INITVAL_27 = '0,
  parameter logic [319:0] INITVAL_28 = '0, parameter logic [319:0] INITVAL_29 = '0,
  parameter logic [319:0] INITVAL_2A = '0, parameter logic [319:0] INITVAL_2B = '0,
  parameter logic [319:0] INITVAL_2C = '0, parameter logic [319:0] INITVAL_2D = '0,
  parameter logic [319:0] INITVAL_2E = '0, parameter logic [319:0] INITVAL_2F = '0,
  parameter logic [319:0] INITVAL_30 = '0, parameter logic [319:0] INITVAL_31 = '0,
  parameter logic [319:0] INITVAL_32 = '0, parameter logic [319:0] INITVAL_33 = '0,
  parameter logic [319:0] INITVAL_34 = '0, parameter logic [319:0] INITVAL_35 = '0,
  parameter logic [319:0] INITVAL_36 = '0, parameter logic [319:0] INITVAL_37 = '0,
  parameter logic [319:0] INITVAL_38 = '0, parameter logic [319:0] INITVAL_39 = '0,
  parameter logic [319:0] INITVAL_3A = '0, parameter logic [319:0] INITVAL_3B = '0,
  parameter logic [319:0] INITVAL_3C = '0, parameter logic [319:0] INITVAL_3D = '0,
  parameter logic [319:0] INITVAL_3E = '0, parameter logic [319:0] INITVAL_3F = '0
) (
  input  wire logic CLKA,
  input  wire logic CLKB,
  input  wire logic CEA,
  input  wire logic CEB,
  input  wire logic OCEA,
  input  wire logic OCEB,
  input  wire logic WEA,
  input  wire logic WEB,
  input  wire logic RSTA,
  input  wire logic RSTB,
  input  wire logic CSA0,
  input  wire logic CSA1,
  input  wire logic CSA2,
  input  wire logic CSB0,
  input  wire logic CSB1,
  input  wire logic CSB2,
  input  wire logic ADA0,
  input  wire logic ADA1,
  input  wire logic ADA2,
  input  wire logic ADA3,
  input  wire logic ADA4,
  input  wire logic ADA5,
  input  wire logic ADA6,
  input  wire logic ADA7,
  input  wire logic ADA8,
  input  wire logic ADA9,
  input  wire logic ADA10,
  input  wire logic ADA11,
  input  wire logic ADA12,
  input  wire logic ADA13,
  input  wire logic ADB0,
  input  wire logic ADB1,
  input  wire logic ADB2,
  input  wire logic ADB3,
  input  wire logic ADB4,
  input  wire logic ADB5,
  input  wire logic ADB6,
  input  wire logic ADB7,
  input  wire logic ADB8,
  input  wire logic ADB9,
  input  wire logic ADB10,
  input  wire logic ADB11,
  input  wire logic ADB12,
  input  wire logic ADB13,
  input  wire logic DIA0,
  input  wire logic DIA1,
  input  wire logic DIA2,
  input  wire logic DIA3,
  input  wire logic DIA4,
  input  wire logic DIA5,
  input  wire logic DIA6,
  input  wire logic DIA7,
  input  wire logic DIA8,
  input  wire logic DIA9,
  input  wire logic DIA10,
  input  wire logic DIA11,
  input  wire logic DIA12,
  input  wire logic DIA13,
  input  wire logic DIA14,
  input  wire logic DIA15,
  input  wire logic DIA16,
  input  wire logic DIA17,
  input  wire logic DIB0,
  input  wire logic DIB1,
  input  wire logic DIB2,
  input  wire logic DIB3,
  input  wire logic DIB4,
  input  wire logic DIB5,
  input  wire logic DIB6,
  input  wire logic DIB7,
  input  wire logic DIB8,
  input  wire logic DIB9,
  input  wire logic DIB10,
  input  wire logic DIB11,
  input  wire logic DIB12,
  input  wire logic DIB13,
  input  wire logic DIB14,
  input  wire logic DIB15,
  input  wire logic DIB16,
  input  wire logic DIB17,
  output      logic DOA0,
  output      logic DOA1,
  output      logic DOA2,
  output      logic DOA3,
  output      logic DOA4,
  output      logic DOA5,
  output      logic DOA6,
  output      logic DOA7,
  output      logic DOA8,
  output      logic DOA9,
  output      logic DOA10,
  output      logic DOA11,
  output      logic DOA12,
  output      logic DOA13,
  output      logic DOA14,
  output      logic DOA15,
  output      logic DOA16,
  output      logic DOA17,
  output      logic DOB0,
  output      logic DOB1,
  output      logic DOB2,
  output      logic DOB3,
  output      logic DOB4,
  output      logic DOB5,
  output      logic DOB6,
  output      logic DOB7,
  output      logic DOB8,
  output      logic DOB9,
  output      logic DOB10,
  output      logic DOB11,
  output      logic DOB12,
  output      logic DOB13,
  output      logic DOB14,
  output      logic DOB15,
  output      logic DOB16,
  output      logic DOB17
);

  localparam int unsigned Shift = (DATA_WIDTH_B == 18) ? 4 : (DATA_WIDTH_B == 9) ? 3
                                : (DATA_WIDTH_B == 4) ? 2 : (DATA_WIDTH_B == 2) ? 1 : 0;
  logic [DATA_WIDTH_A-1:0] memory_q [1 << (14 - Shift)];
  logic [DATA_WIDTH_A-1:0] word_a_q, behind_a_q, word_b_q, behind_b_q;
  localparam logic [63:0][15:0][19:0] Initial = {
    INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38,
    INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30,
    INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28,
    INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20,
    INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18,
    INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10,
    INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
    INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00
  };
  // Words of fewer than 9 bits begin as zeros: none of them is read before it is written.
  localparam int unsigned Halves = DATA_WIDTH_A / 9;
  initial begin
    for (int unsigned word = 0; word < 1 << (14 - Shift); word++) begin
      memory_q[word] = '0;
      for (int unsigned half = 0; half < Halves; half++) begin
        automatic int unsigned group = (word * Halves + half) / 2;
        automatic int unsigned upper = (word * Halves + half) % 2;
        memory_q[word][9*half +: 9] = Initial[6'(group/16)][4'(group)][9*upper +: 9];
      end
    end
  end
  logic [13:0]             address_a, address_b;
  logic [17:0]             data_a, data_b, read_a, read_b;

  assign address_a =
    {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  assign address_b =
    {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  assign data_a =
    {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
    DIA3, DIA2, DIA1, DIA0};
  assign data_b =
    {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
    DIB3, DIB2, DIB1, DIB0};
  assign
    {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
    DOA3, DOA2, DOA1, DOA0} = read_a;
  assign
    {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0} = read_b;
  always_ff @(posedge CLKA) begin
    word_a_q   <= memory_q[address_a[13:Shift]];
    if (CEB) word_b_q <= memory_q[address_b[13:Shift]];
    behind_a_q <= word_a_q;
    if (OCEB) behind_b_q <= word_b_q;
    if (WEA) memory_q[address_a[13:Shift]] <= data_a[DATA_WIDTH_A-1:0];
    if (WEB) memory_q[address_b[13:Shift]] <= data_b[DATA_WIDTH_A-1:0];
  end
  assign read_a = 18'((REGMODE_A == "OUTREG") ? behind_a_q : word_a_q);
  assign read_b = 18'((REGMODE_B == "OUTREG") ? behind_b_q : word_b_q);

  wire unused = ^{CLKB, CEA, OCEA, RSTA, RSTB, CSA0, CSA1, CSA2, CSB0, CSB1, CSB2,
    address_a, address_b, data_a, data_b};

endmodule

`default_nettype wire
