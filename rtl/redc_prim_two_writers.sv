// SPDX-License-Identifier: Apache-2.0
// redc_prim_two_writers: a block memory that two streams write, with the register behind it.
//
// Contract  the streams do not write in the same cycle; when the second one writes, it does at the
//           read address, and nothing is read. Otherwise as redc_prim_block.
// Method    Technology 1: one stream at each port of DP16KD (ECP5), and what is read comes from the
//           second one's; so no multiplexer of words stands before the memory. Elsewhere, and with
//           more than 1024 words, a multiplexer and redc_prim_block.
// Timing    read data two cycles behind the address.
// Leakage   keeps words until overwritten.
// Refuses   nothing itself; redc_prim_block does.
// Partner   tests/families/test_blocks.py.
`default_nettype none

module redc_prim_two_writers #(
  /// Bits of a word.
  parameter int unsigned Bits = 18,
  /// Words.
  parameter int unsigned Depth = 64,
  /// 0: generic. 1: ECP5. 2: as 0.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned AddressBits = redc_pkg::index_bits(Depth)
) (
  input  wire logic                   clk_i,
  /// The first stream writes data at the address.
  input  wire logic                   first_write_i,
  input  wire logic [AddressBits-1:0] first_address_i,
  input  wire logic [Bits-1:0]        first_data_i,
  /// The second one writes data at the address that is read.
  input  wire logic                   second_write_i,
  input  wire logic [Bits-1:0]        second_data_i,
  /// Address that is read, and what was there two cycles before.
  input  wire logic [AddressBits-1:0] read_address_i,
  output      logic [Bits-1:0]        read_data_o
);

  if (Technology == 1 && AddressBits <= 10) begin : gen_ecp5
    // The two lowest bits of an address enable the halves of a word.
    localparam int unsigned Count = redc_pkg::ceil_div(redc_pkg::max(Bits, 1), 18);
    logic [13:0]            first_address, second_address;
    logic [Count-1:0][17:0] first_words, second_words, read_words;
    assign first_address  = (14'(first_address_i) << 4) | 14'd3;
    assign second_address = (14'(read_address_i) << 4) | 14'd3;
    assign first_words    = (Count * 18)'(first_data_i);
    assign second_words   = (Count * 18)'(second_data_i);
    assign read_data_o    = Bits'(read_words);
    for (genvar k = 0; k < Count; k++) begin : gen_block
      logic [17:0] first, second, read, nothing;
      assign first         = first_words[k];
      assign second        = second_words[k];
      assign read_words[k] = read;
      DP16KD #(
        .DATA_WIDTH_A(18), .DATA_WIDTH_B(18), .REGMODE_A("NOREG"), .REGMODE_B("OUTREG"),
        .WRITEMODE_A("NORMAL"), .WRITEMODE_B("NORMAL"), .GSR("DISABLED")
      ) i_memory (
        .CLKA(clk_i), .CLKB(clk_i), .CEA(1'b1), .CEB(1'b1), .OCEA(1'b1), .OCEB(1'b1),
        .WEA(first_write_i), .WEB(second_write_i), .RSTA(1'b0), .RSTB(1'b0), .CSA0(1'b0),
        .CSA1(1'b0), .CSA2(1'b0), .CSB0(1'b0), .CSB1(1'b0), .CSB2(1'b0), .ADA0(first_address[0]),
        .ADA1(first_address[1]), .ADA2(first_address[2]), .ADA3(first_address[3]),
        .ADA4(first_address[4]), .ADA5(first_address[5]), .ADA6(first_address[6]),
        .ADA7(first_address[7]), .ADA8(first_address[8]), .ADA9(first_address[9]),
        .ADA10(first_address[10]), .ADA11(first_address[11]), .ADA12(first_address[12]),
        .ADA13(first_address[13]), .ADB0(second_address[0]), .ADB1(second_address[1]),
        .ADB2(second_address[2]), .ADB3(second_address[3]), .ADB4(second_address[4]),
        .ADB5(second_address[5]), .ADB6(second_address[6]), .ADB7(second_address[7]),
        .ADB8(second_address[8]), .ADB9(second_address[9]), .ADB10(second_address[10]),
        .ADB11(second_address[11]), .ADB12(second_address[12]), .ADB13(second_address[13]),
        .DIA0(first[0]), .DIA1(first[1]), .DIA2(first[2]), .DIA3(first[3]), .DIA4(first[4]),
        .DIA5(first[5]), .DIA6(first[6]), .DIA7(first[7]), .DIA8(first[8]), .DIA9(first[9]),
        .DIA10(first[10]), .DIA11(first[11]), .DIA12(first[12]), .DIA13(first[13]),
        .DIA14(first[14]), .DIA15(first[15]), .DIA16(first[16]), .DIA17(first[17]),
        .DIB0(second[0]), .DIB1(second[1]), .DIB2(second[2]), .DIB3(second[3]), .DIB4(second[4]),
        .DIB5(second[5]), .DIB6(second[6]), .DIB7(second[7]), .DIB8(second[8]), .DIB9(second[9]),
        .DIB10(second[10]), .DIB11(second[11]), .DIB12(second[12]), .DIB13(second[13]),
        .DIB14(second[14]), .DIB15(second[15]), .DIB16(second[16]), .DIB17(second[17]),
        .DOA0(nothing[0]), .DOA1(nothing[1]), .DOA2(nothing[2]), .DOA3(nothing[3]),
        .DOA4(nothing[4]), .DOA5(nothing[5]), .DOA6(nothing[6]), .DOA7(nothing[7]),
        .DOA8(nothing[8]), .DOA9(nothing[9]), .DOA10(nothing[10]), .DOA11(nothing[11]),
        .DOA12(nothing[12]), .DOA13(nothing[13]), .DOA14(nothing[14]), .DOA15(nothing[15]),
        .DOA16(nothing[16]), .DOA17(nothing[17]), .DOB0(read[0]), .DOB1(read[1]), .DOB2(read[2]),
        .DOB3(read[3]), .DOB4(read[4]), .DOB5(read[5]), .DOB6(read[6]), .DOB7(read[7]),
        .DOB8(read[8]), .DOB9(read[9]), .DOB10(read[10]), .DOB11(read[11]), .DOB12(read[12]),
        .DOB13(read[13]), .DOB14(read[14]), .DOB15(read[15]), .DOB16(read[16]), .DOB17(read[17])
      );
      wire unused = ^nothing;
    end
    wire unused_top = ^read_words;
  end else begin : gen_one_port
    redc_prim_block #(.Bits(Bits), .Depth(Depth), .Technology(Technology)) i_block (
      .clk_i, .write_i(first_write_i | second_write_i),
      .write_address_i(second_write_i ? read_address_i : first_address_i),
      .write_data_i(second_write_i ? second_data_i : first_data_i), .read_address_i,
      .read_i(1'b1), .read_data_o
    );
  end

endmodule

`default_nettype wire
