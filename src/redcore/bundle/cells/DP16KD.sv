// SPDX-License-Identifier: Apache-2.0
// DP16KD: simulation model of the ECP5 block memory as redc_prim_block and redc_prim_rings use
// it, for tools that do not bring one.
//
// Method    two ports of one width and one clock, with or without the register behind it, that read
//           what is there before they write. Enables, clears, and chip selects are not modelled.
// Partner   redc_prim_block and redc_prim_rings; tests hold both equal to the generic memories.
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
  parameter string GSR = "ENABLED"
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
    word_b_q   <= memory_q[address_b[13:Shift]];
    behind_a_q <= word_a_q;
    behind_b_q <= word_b_q;
    if (WEA) memory_q[address_a[13:Shift]] <= data_a[DATA_WIDTH_A-1:0];
    if (WEB) memory_q[address_b[13:Shift]] <= data_b[DATA_WIDTH_A-1:0];
  end
  assign read_a = 18'((REGMODE_A == "OUTREG") ? behind_a_q : word_a_q);
  assign read_b = 18'((REGMODE_B == "OUTREG") ? behind_b_q : word_b_q);

  wire unused = ^{CLKB, CEA, CEB, OCEA, OCEB, RSTA, RSTB, CSA0, CSA1, CSA2, CSB0, CSB1, CSB2,
    address_a, address_b, data_a, data_b};

endmodule

`default_nettype wire
