// SPDX-License-Identifier: Apache-2.0
// redc_prim_rings: two rings of words in one block memory.
//
// Contract  each ring is read at its address and then overwritten there, a word every cycle; what
//           was there before is read two cycles later. An address that comes again every n cycles
//           makes a delay of n + 2.
// Method    ECP5: one memory with both ports at work, a half for each ring. Elsewhere two memories,
//           each with one port that reads first.
// Timing    read data two cycles behind the address.
// Leakage   keeps words until overwritten.
// Refuses   Bits < 1, or above 18 with Technology 1: at elaboration.
// Partner   tests/families/test_blocks.py.
`default_nettype none

module redc_prim_rings #(
  /// Bits of a word; 1 to 18 in ECP5's memory.
  parameter int unsigned Bits = 18,
  /// 0: generic. 1: ECP5. 2: as 0.
  parameter int unsigned Technology = 0
) (
  input  wire logic                 clk_i,
  /// Of each ring: its address, the word that is written there and what was there.
  input  wire logic [1:0][3:0]      address_i,
  input  wire logic [1:0][Bits-1:0] data_i,
  output      logic [1:0][Bits-1:0] data_o
);

  if (Bits < 1 || (Technology == 1 && Bits > 18)) begin : gen_refuse_bits
    $error("redc_prim_rings: Bits=%0d is below 1, or above 18 with Technology=%0d", Bits,
           Technology);
  end

  if (Technology == 1) begin : gen_ecp5
    // the two lowest bits enable the halves of a word, the highest one tells the rings apart
    logic [1:0][13:0] address;
    logic [1:0][17:0] data, read;
    for (genvar ring = 0; ring < 2; ring++) begin : gen_ring
      assign address[ring] = {1'(ring), 5'd0, address_i[ring], 4'b0011};
      assign data[ring]    = 18'(data_i[ring]);
      assign data_o[ring]  = read[ring][Bits-1:0];
    end
    DP16KD #(
      .DATA_WIDTH_A(18), .DATA_WIDTH_B(18), .REGMODE_A("OUTREG"), .REGMODE_B("OUTREG"),
      .WRITEMODE_A("READBEFOREWRITE"), .WRITEMODE_B("READBEFOREWRITE"), .GSR("DISABLED")
    ) i_memory (
      .CLKA(clk_i), .CLKB(clk_i), .CEA(1'b1), .CEB(1'b1), .OCEA(1'b1), .OCEB(1'b1), .WEA(1'b1),
      .WEB(1'b1), .RSTA(1'b0), .RSTB(1'b0), .CSA0(1'b0), .CSA1(1'b0), .CSA2(1'b0), .CSB0(1'b0),
      .CSB1(1'b0), .CSB2(1'b0), .ADA0(address[0][0]), .ADA1(address[0][1]), .ADA2(address[0][2]),
      .ADA3(address[0][3]), .ADA4(address[0][4]), .ADA5(address[0][5]), .ADA6(address[0][6]),
      .ADA7(address[0][7]), .ADA8(address[0][8]), .ADA9(address[0][9]), .ADA10(address[0][10]),
      .ADA11(address[0][11]), .ADA12(address[0][12]), .ADA13(address[0][13]), .DIA0(data[0][0]),
      .DIA1(data[0][1]), .DIA2(data[0][2]), .DIA3(data[0][3]), .DIA4(data[0][4]), .DIA5(data[0][5]),
      .DIA6(data[0][6]), .DIA7(data[0][7]), .DIA8(data[0][8]), .DIA9(data[0][9]),
      .DIA10(data[0][10]), .DIA11(data[0][11]), .DIA12(data[0][12]), .DIA13(data[0][13]),
      .DIA14(data[0][14]), .DIA15(data[0][15]), .DIA16(data[0][16]), .DIA17(data[0][17]),
      .DOA0(read[0][0]), .DOA1(read[0][1]), .DOA2(read[0][2]), .DOA3(read[0][3]), .DOA4(read[0][4]),
      .DOA5(read[0][5]), .DOA6(read[0][6]), .DOA7(read[0][7]), .DOA8(read[0][8]), .DOA9(read[0][9]),
      .DOA10(read[0][10]), .DOA11(read[0][11]), .DOA12(read[0][12]), .DOA13(read[0][13]),
      .DOA14(read[0][14]), .DOA15(read[0][15]), .DOA16(read[0][16]), .DOA17(read[0][17]),
      .ADB0(address[1][0]), .ADB1(address[1][1]), .ADB2(address[1][2]), .ADB3(address[1][3]),
      .ADB4(address[1][4]), .ADB5(address[1][5]), .ADB6(address[1][6]), .ADB7(address[1][7]),
      .ADB8(address[1][8]), .ADB9(address[1][9]), .ADB10(address[1][10]), .ADB11(address[1][11]),
      .ADB12(address[1][12]), .ADB13(address[1][13]), .DIB0(data[1][0]), .DIB1(data[1][1]),
      .DIB2(data[1][2]), .DIB3(data[1][3]), .DIB4(data[1][4]), .DIB5(data[1][5]), .DIB6(data[1][6]),
      .DIB7(data[1][7]), .DIB8(data[1][8]), .DIB9(data[1][9]), .DIB10(data[1][10]),
      .DIB11(data[1][11]), .DIB12(data[1][12]), .DIB13(data[1][13]), .DIB14(data[1][14]),
      .DIB15(data[1][15]), .DIB16(data[1][16]), .DIB17(data[1][17]), .DOB0(read[1][0]),
      .DOB1(read[1][1]), .DOB2(read[1][2]), .DOB3(read[1][3]), .DOB4(read[1][4]), .DOB5(read[1][5]),
      .DOB6(read[1][6]), .DOB7(read[1][7]), .DOB8(read[1][8]), .DOB9(read[1][9]),
      .DOB10(read[1][10]), .DOB11(read[1][11]), .DOB12(read[1][12]), .DOB13(read[1][13]),
      .DOB14(read[1][14]), .DOB15(read[1][15]), .DOB16(read[1][16]), .DOB17(read[1][17])
    );
    wire unused = ^read;
  end else begin : gen_generic
    for (genvar ring = 0; ring < 2; ring++) begin : gen_ring
      (* ram_style = "block", syn_ramstyle = "block_ram" *)
      logic [Bits-1:0] memory_q [16];
      logic [Bits-1:0] word_q;
      always_ff @(posedge clk_i) begin
        word_q                    <= memory_q[address_i[ring]];
        memory_q[address_i[ring]] <= data_i[ring];
        data_o[ring]              <= word_q;
      end
    end
  end

endmodule

`default_nettype wire
