// SPDX-License-Identifier: Apache-2.0
// redc_prim_rom: a block memory that is never written, with the register behind it.
//
// Contract  data_o is the word of the address that stood two enabled cycles before.
// Method    as redc_prim_block: Technology 1 instantiates DP16KD (ECP5), whose own register
//           behind the memory nothing else takes into use. Elsewhere two registers in a row.
// Timing    data two cycles behind the address, of cycles in which read_i is high.
// Leakage   none: what it holds is in the bitstream.
// Refuses   Bits or Depth < 1, Depth above 1024 with Technology 1: at elaboration.
// Partner   tests/families/test_blocks.py.
`default_nettype none

module redc_prim_rom #(
  /// Bits of a word.
  parameter int unsigned Bits = 18,
  /// Words.
  parameter int unsigned Depth = 64,
  /// 0: generic. 1: ECP5. 2: as 0.
  parameter int unsigned Technology = 0,
  /// The words.
  parameter logic [Depth-1:0][Bits-1:0] Content = '0,
  /// Derived; not to be set.
  localparam int unsigned AddressBits = redc_pkg::index_bits(Depth)
) (
  input  wire logic                   clk_i,
  /// Both registers take what comes.
  input  wire logic                   read_i,
  /// Address that is read, and what is there, two such cycles later.
  input  wire logic [AddressBits-1:0] address_i,
  output      logic [Bits-1:0]        data_o
);

  if (Bits < 1 || Depth < 1) begin : gen_refuse_sizes
    $error("redc_prim_rom: Bits=%0d or Depth=%0d is below 1", Bits, Depth);
  end
  if (Technology == 1 && Depth > 1024) begin : gen_refuse_depth
    $error("redc_prim_rom: Depth=%0d is above 1024 with Technology=%0d", Depth, Technology);
  end

  // Of one of a block's 64 parameters the words: 16, which take 20 bits each.
  function automatic logic [319:0] words_of(int unsigned block, int unsigned part);
    logic [319:0] found;
    found = '0;
    for (int unsigned place = 0; place < 16; place++)
      if (16 * part + place < Depth)
        found[20*place +: 18] = 18'(Content[16*part+place] >> (18 * block));
    return found;
  endfunction

  if (Technology == 1) begin : gen_ecp5
    localparam int unsigned Count = redc_pkg::ceil_div(Bits, 18);
    logic [13:0]            address;
    logic [Count-1:0][17:0] words;
    assign address = {10'(address_i), 4'd0};
    assign data_o  = Bits'(words);

    for (genvar k = 0; k < Count; k++) begin : gen_block
      logic [17:0] nothing;
      DP16KD #(
        .DATA_WIDTH_A(18), .DATA_WIDTH_B(18), .REGMODE_A("NOREG"), .REGMODE_B("OUTREG"),
        .WRITEMODE_A("NORMAL"), .WRITEMODE_B("NORMAL"), .GSR("DISABLED"),
        .INITVAL_00(words_of(k, 0)), .INITVAL_01(words_of(k, 1)), .INITVAL_02(words_of(k, 2)),
        .INITVAL_03(words_of(k, 3)), .INITVAL_04(words_of(k, 4)), .INITVAL_05(words_of(k, 5)),
        .INITVAL_06(words_of(k, 6)), .INITVAL_07(words_of(k, 7)), .INITVAL_08(words_of(k, 8)),
        .INITVAL_09(words_of(k, 9)), .INITVAL_0A(words_of(k, 10)), .INITVAL_0B(words_of(k, 11)),
        .INITVAL_0C(words_of(k, 12)), .INITVAL_0D(words_of(k, 13)), .INITVAL_0E(words_of(k, 14)),
        .INITVAL_0F(words_of(k, 15)), .INITVAL_10(words_of(k, 16)), .INITVAL_11(words_of(k, 17)),
        .INITVAL_12(words_of(k, 18)), .INITVAL_13(words_of(k, 19)), .INITVAL_14(words_of(k, 20)),
        .INITVAL_15(words_of(k, 21)), .INITVAL_16(words_of(k, 22)), .INITVAL_17(words_of(k, 23)),
        .INITVAL_18(words_of(k, 24)), .INITVAL_19(words_of(k, 25)), .INITVAL_1A(words_of(k, 26)),
        .INITVAL_1B(words_of(k, 27)), .INITVAL_1C(words_of(k, 28)), .INITVAL_1D(words_of(k, 29)),
        .INITVAL_1E(words_of(k, 30)), .INITVAL_1F(words_of(k, 31)), .INITVAL_20(words_of(k, 32)),
        .INITVAL_21(words_of(k, 33)), .INITVAL_22(words_of(k, 34)), .INITVAL_23(words_of(k, 35)),
        .INITVAL_24(words_of(k, 36)), .INITVAL_25(words_of(k, 37)), .INITVAL_26(words_of(k, 38)),
        .INITVAL_27(words_of(k, 39)), .INITVAL_28(words_of(k, 40)), .INITVAL_29(words_of(k, 41)),
        .INITVAL_2A(words_of(k, 42)), .INITVAL_2B(words_of(k, 43)), .INITVAL_2C(words_of(k, 44)),
        .INITVAL_2D(words_of(k, 45)), .INITVAL_2E(words_of(k, 46)), .INITVAL_2F(words_of(k, 47)),
        .INITVAL_30(words_of(k, 48)), .INITVAL_31(words_of(k, 49)), .INITVAL_32(words_of(k, 50)),
        .INITVAL_33(words_of(k, 51)), .INITVAL_34(words_of(k, 52)), .INITVAL_35(words_of(k, 53)),
        .INITVAL_36(words_of(k, 54)), .INITVAL_37(words_of(k, 55)), .INITVAL_38(words_of(k, 56)),
        .INITVAL_39(words_of(k, 57)), .INITVAL_3A(words_of(k, 58)), .INITVAL_3B(words_of(k, 59)),
        .INITVAL_3C(words_of(k, 60)), .INITVAL_3D(words_of(k, 61)), .INITVAL_3E(words_of(k, 62)),
        .INITVAL_3F(words_of(k, 63))
      ) i_memory (
        .CLKA(clk_i), .CLKB(clk_i), .CEA(1'b1), .CEB(read_i), .OCEA(1'b1), .OCEB(read_i),
        .WEA(1'b0), .WEB(1'b0), .RSTA(1'b0), .RSTB(1'b0), .CSA0(1'b0), .CSA1(1'b0), .CSA2(1'b0),
        .CSB0(1'b0), .CSB1(1'b0), .CSB2(1'b0), .ADA0(1'b0), .ADA1(1'b0), .ADA2(1'b0), .ADA3(1'b0),
        .ADA4(1'b0), .ADA5(1'b0), .ADA6(1'b0), .ADA7(1'b0), .ADA8(1'b0), .ADA9(1'b0), .ADA10(1'b0),
        .ADA11(1'b0), .ADA12(1'b0), .ADA13(1'b0), .ADB0(address[0]), .ADB1(address[1]),
        .ADB2(address[2]), .ADB3(address[3]), .ADB4(address[4]), .ADB5(address[5]),
        .ADB6(address[6]), .ADB7(address[7]), .ADB8(address[8]), .ADB9(address[9]),
        .ADB10(address[10]), .ADB11(address[11]), .ADB12(address[12]), .ADB13(address[13]),
        .DIA0(1'b0), .DIA1(1'b0), .DIA2(1'b0), .DIA3(1'b0), .DIA4(1'b0), .DIA5(1'b0), .DIA6(1'b0),
        .DIA7(1'b0), .DIA8(1'b0), .DIA9(1'b0), .DIA10(1'b0), .DIA11(1'b0), .DIA12(1'b0),
        .DIA13(1'b0), .DIA14(1'b0), .DIA15(1'b0), .DIA16(1'b0), .DIA17(1'b0), .DIB0(1'b0),
        .DIB1(1'b0), .DIB2(1'b0), .DIB3(1'b0), .DIB4(1'b0), .DIB5(1'b0), .DIB6(1'b0), .DIB7(1'b0),
        .DIB8(1'b0), .DIB9(1'b0), .DIB10(1'b0), .DIB11(1'b0), .DIB12(1'b0), .DIB13(1'b0),
        .DIB14(1'b0), .DIB15(1'b0), .DIB16(1'b0), .DIB17(1'b0), .DOA0(nothing[0]),
        .DOA1(nothing[1]), .DOA2(nothing[2]), .DOA3(nothing[3]), .DOA4(nothing[4]),
        .DOA5(nothing[5]), .DOA6(nothing[6]), .DOA7(nothing[7]), .DOA8(nothing[8]),
        .DOA9(nothing[9]), .DOA10(nothing[10]), .DOA11(nothing[11]), .DOA12(nothing[12]),
        .DOA13(nothing[13]), .DOA14(nothing[14]), .DOA15(nothing[15]), .DOA16(nothing[16]),
        .DOA17(nothing[17]), .DOB0(words[k][0]), .DOB1(words[k][1]), .DOB2(words[k][2]),
        .DOB3(words[k][3]), .DOB4(words[k][4]), .DOB5(words[k][5]), .DOB6(words[k][6]),
        .DOB7(words[k][7]), .DOB8(words[k][8]), .DOB9(words[k][9]), .DOB10(words[k][10]),
        .DOB11(words[k][11]), .DOB12(words[k][12]), .DOB13(words[k][13]), .DOB14(words[k][14]),
        .DOB15(words[k][15]), .DOB16(words[k][16]), .DOB17(words[k][17])
      );
      wire unused = ^nothing;
    end
    wire unused_top = ^words;
  end else begin : gen_generic
    logic [Bits-1:0] read_q, data_q;
    always_ff @(posedge clk_i) if (read_i) begin
      read_q <= Content[address_i];
      data_q <= read_q;
    end
    assign data_o = data_q;
  end

endmodule

`default_nettype wire
