// SPDX-License-Identifier: Apache-2.0
// DP16KD: simulation model of the ECP5 block memory as redc_prim_block, redc_prim_two_writers,
// redc_prim_rings and redc_prim_rom use it, for tools that do not bring one.
//
// Method    two ports of one width and one clock, with or without the register behind it, that read
//           what is there before they write. Of enables those of port B are modelled; clears and
//           chip selects are not.
// Partner   redc_prim_block, redc_prim_two_writers, redc_prim_rings and redc_prim_rom; tests
//           hold them equal to the generic memories.
`default_nettype none

module DP16KD #(
  // Bits of a word: 18, 9, 4, 2, 1.
  parameter integer DATA_WIDTH_A = 18,
  parameter integer DATA_WIDTH_B = 18,
  // "NOREG" or "OUTREG".
  parameter REGMODE_A = "NOREG",
  parameter REGMODE_B = "NOREG",
  parameter WRITEMODE_A = "NORMAL",
  parameter WRITEMODE_B = "NORMAL",
  parameter GSR = "ENABLED",
  // What it holds at first: 16 groups of 18 bits each, with two bits between them.
  parameter [319:0] INITVAL_00 = 320'h0, parameter [319:0] INITVAL_01 = 320'h0,
  parameter [319:0] INITVAL_02 = 320'h0, parameter [319:0] INITVAL_03 = 320'h0,
  parameter [319:0] INITVAL_04 = 320'h0, parameter [319:0] INITVAL_05 = 320'h0,
  parameter [319:0] INITVAL_06 = 320'h0, parameter [319:0] INITVAL_07 = 320'h0,
  parameter [319:0] INITVAL_08 = 320'h0, parameter [319:0] INITVAL_09 = 320'h0,
  parameter [319:0] INITVAL_0A = 320'h0, parameter [319:0] INITVAL_0B = 320'h0,
  parameter [319:0] INITVAL_0C = 320'h0, parameter [319:0] INITVAL_0D = 320'h0,
  parameter [319:0] INITVAL_0E = 320'h0, parameter [319:0] INITVAL_0F = 320'h0,
  parameter [319:0] INITVAL_10 = 320'h0, parameter [319:0] INITVAL_11 = 320'h0,
  parameter [319:0] INITVAL_12 = 320'h0, parameter [319:0] INITVAL_13 = 320'h0,
  parameter [319:0] INITVAL_14 = 320'h0, parameter [319:0] INITVAL_15 = 320'h0,
  parameter [319:0] INITVAL_16 = 320'h0, parameter [319:0] INITVAL_17 = 320'h0,
  parameter [319:0] INITVAL_18 = 320'h0, parameter [319:0] INITVAL_19 = 320'h0,
  parameter [319:0] INITVAL_1A = 320'h0, parameter [319:0] INITVAL_1B = 320'h0,
  parameter [319:0] INITVAL_1C = 320'h0, parameter [319:0] INITVAL_1D = 320'h0,
  parameter [319:0] INITVAL_1E = 320'h0, parameter [319:0] INITVAL_1F = 320'h0,
  parameter [319:0] INITVAL_20 = 320'h0, parameter [319:0] INITVAL_21 = 320'h0,
  parameter [319:0] INITVAL_22 = 320'h0, parameter [319:0] INITVAL_23 = 320'h0,
  parameter [319:0] INITVAL_24 = 320'h0, parameter [319:0] INITVAL_25 = 320'h0,
  parameter [319:0] INITVAL_26 = 320'h0, parameter [319:0] INITVAL_27 = 320'h0,
  parameter [319:0] INITVAL_28 = 320'h0, parameter [319:0] INITVAL_29 = 320'h0,
  parameter [319:0] INITVAL_2A = 320'h0, parameter [319:0] INITVAL_2B = 320'h0,
  parameter [319:0] INITVAL_2C = 320'h0, parameter [319:0] INITVAL_2D = 320'h0,
  parameter [319:0] INITVAL_2E = 320'h0, parameter [319:0] INITVAL_2F = 320'h0,
  parameter [319:0] INITVAL_30 = 320'h0, parameter [319:0] INITVAL_31 = 320'h0,
  parameter [319:0] INITVAL_32 = 320'h0, parameter [319:0] INITVAL_33 = 320'h0,
  parameter [319:0] INITVAL_34 = 320'h0, parameter [319:0] INITVAL_35 = 320'h0,
  parameter [319:0] INITVAL_36 = 320'h0, parameter [319:0] INITVAL_37 = 320'h0,
  parameter [319:0] INITVAL_38 = 320'h0, parameter [319:0] INITVAL_39 = 320'h0,
  parameter [319:0] INITVAL_3A = 320'h0, parameter [319:0] INITVAL_3B = 320'h0,
  parameter [319:0] INITVAL_3C = 320'h0, parameter [319:0] INITVAL_3D = 320'h0,
  parameter [319:0] INITVAL_3E = 320'h0, parameter [319:0] INITVAL_3F = 320'h0
) (
  input  wire CLKA,
  input  wire CLKB,
  input  wire CEA,
  input  wire CEB,
  input  wire OCEA,
  input  wire OCEB,
  input  wire WEA,
  input  wire WEB,
  input  wire RSTA,
  input  wire RSTB,
  input  wire CSA0,
  input  wire CSA1,
  input  wire CSA2,
  input  wire CSB0,
  input  wire CSB1,
  input  wire CSB2,
  input  wire ADA0,
  input  wire ADA1,
  input  wire ADA2,
  input  wire ADA3,
  input  wire ADA4,
  input  wire ADA5,
  input  wire ADA6,
  input  wire ADA7,
  input  wire ADA8,
  input  wire ADA9,
  input  wire ADA10,
  input  wire ADA11,
  input  wire ADA12,
  input  wire ADA13,
  input  wire ADB0,
  input  wire ADB1,
  input  wire ADB2,
  input  wire ADB3,
  input  wire ADB4,
  input  wire ADB5,
  input  wire ADB6,
  input  wire ADB7,
  input  wire ADB8,
  input  wire ADB9,
  input  wire ADB10,
  input  wire ADB11,
  input  wire ADB12,
  input  wire ADB13,
  input  wire DIA0,
  input  wire DIA1,
  input  wire DIA2,
  input  wire DIA3,
  input  wire DIA4,
  input  wire DIA5,
  input  wire DIA6,
  input  wire DIA7,
  input  wire DIA8,
  input  wire DIA9,
  input  wire DIA10,
  input  wire DIA11,
  input  wire DIA12,
  input  wire DIA13,
  input  wire DIA14,
  input  wire DIA15,
  input  wire DIA16,
  input  wire DIA17,
  input  wire DIB0,
  input  wire DIB1,
  input  wire DIB2,
  input  wire DIB3,
  input  wire DIB4,
  input  wire DIB5,
  input  wire DIB6,
  input  wire DIB7,
  input  wire DIB8,
  input  wire DIB9,
  input  wire DIB10,
  input  wire DIB11,
  input  wire DIB12,
  input  wire DIB13,
  input  wire DIB14,
  input  wire DIB15,
  input  wire DIB16,
  input  wire DIB17,
  output wire DOA0,
  output wire DOA1,
  output wire DOA2,
  output wire DOA3,
  output wire DOA4,
  output wire DOA5,
  output wire DOA6,
  output wire DOA7,
  output wire DOA8,
  output wire DOA9,
  output wire DOA10,
  output wire DOA11,
  output wire DOA12,
  output wire DOA13,
  output wire DOA14,
  output wire DOA15,
  output wire DOA16,
  output wire DOA17,
  output wire DOB0,
  output wire DOB1,
  output wire DOB2,
  output wire DOB3,
  output wire DOB4,
  output wire DOB5,
  output wire DOB6,
  output wire DOB7,
  output wire DOB8,
  output wire DOB9,
  output wire DOB10,
  output wire DOB11,
  output wire DOB12,
  output wire DOB13,
  output wire DOB14,
  output wire DOB15,
  output wire DOB16,
  output wire DOB17
);

  localparam Shift = (DATA_WIDTH_B == 18) ? 4 : (DATA_WIDTH_B == 9) ? 3
                   : (DATA_WIDTH_B == 4) ? 2 : (DATA_WIDTH_B == 2) ? 1 : 0;
  reg [DATA_WIDTH_A-1:0] memory_q [0:(1 << (14 - Shift))-1];
  reg [DATA_WIDTH_A-1:0] word_a_q, behind_a_q, word_b_q, behind_b_q;
  localparam [64*320-1:0] Initial = {
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
  integer word;
  initial begin
    for (word = 0; word < 1 << (14 - Shift); word = word + 1) begin
      if (DATA_WIDTH_A == 18) memory_q[word] = Initial[20*word+:18];
      else if (DATA_WIDTH_A == 9) memory_q[word] = {9'd0, Initial[20*(word/2)+9*(word%2)+:9]};
      else memory_q[word] = 0;
    end
  end
  wire [13:0] address_a, address_b;
  wire [17:0] data_a, data_b, read_a, read_b;

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
  always @(posedge CLKA) begin
    word_a_q   <= memory_q[address_a[13:Shift]];
    if (CEB) word_b_q <= memory_q[address_b[13:Shift]];
    behind_a_q <= word_a_q;
    if (OCEB) behind_b_q <= word_b_q;
    if (WEA) memory_q[address_a[13:Shift]] <= data_a[DATA_WIDTH_A-1:0];
    if (WEB) memory_q[address_b[13:Shift]] <= data_b[DATA_WIDTH_A-1:0];
  end
  // A name that was given may be shorter.
  // verilator lint_off WIDTH
  assign read_a = (REGMODE_A == "OUTREG") ? behind_a_q : word_a_q;
  assign read_b = (REGMODE_B == "OUTREG") ? behind_b_q : word_b_q;

  wire unused = ^{CLKB, CEA, OCEA, RSTA, RSTB, CSA0, CSA1, CSA2, CSB0, CSB1, CSB2,
    address_a, address_b, data_a, data_b};

endmodule

`default_nettype wire
