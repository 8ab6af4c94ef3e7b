// SPDX-License-Identifier: Apache-2.0
// redc_prim_block: a block memory with the register behind it, which can be held; one write and one
// read port.
//
// Contract  what is read was there before the cycle of its address; anything where that word is
//           written in this very cycle, and nothing may depend on it. The address is read in each
//           cycle, or while read_i is high (Held); the register behind the memory takes what was
//           read last while read_i is high.
// Method    Technology 1 instantiates DP16KD (ECP5), whose own register behind the memory, and that
//           register's enable, nothing else takes into use: without it a word comes 4 ns after the
//           clock. Elsewhere, and where a memory is deeper than a block, two registers in a row, of
//           which synthesis takes one into the memory.
// Timing    read data two cycles behind the address.
// Leakage   keeps words until overwritten.
// Refuses   Bits or Depth < 1, Held > 1: at elaboration.
// Partner   tests/families/test_blocks.py.
`default_nettype none

module redc_prim_block #(
  /// Bits of a word.
  parameter int unsigned Bits = 18,
  /// Words.
  parameter int unsigned Depth = 64,
  /// 0: generic. 1: ECP5. 2: as 0.
  parameter int unsigned Technology = 0,
  /// 1: nothing is read while read_i is low, so that addresses and words stand still together.
  parameter int unsigned Held = 0,
  /// Derived; not to be set.
  localparam int unsigned AddressBits = redc_pkg::index_bits(Depth)
) (
  input  wire logic                   clk_i,
  /// Writes data at the address.
  input  wire logic                   write_i,
  input  wire logic [AddressBits-1:0] write_address_i,
  input  wire logic [Bits-1:0]        write_data_i,
  /// Address that is read.
  input  wire logic [AddressBits-1:0] read_address_i,
  /// What was at the address read last is there in the next cycle; else nothing changes.
  input  wire logic                   read_i,
  output      logic [Bits-1:0]        read_data_o
);

  if (Bits < 1 || Depth < 1) begin : gen_refuse_sizes
    $error("redc_prim_block: Bits=%0d or Depth=%0d is below 1", Bits, Depth);
  end
  if (Held > 1) begin : gen_refuse_held
    $error("redc_prim_block: Held=%0d is above 1", Held);
  end

  logic reads;
  assign reads = (Held == 0) | read_i;

  if (Technology == 1 && Depth <= 16384) begin : gen_ecp5
    // A block has words of 18 bits or, twice as many each time, of 9, 4, 2 or 1; their addresses
    // are the upper bits. With 18 bits the two lowest ones enable the halves.
    localparam int unsigned Shift = (AddressBits <= 10) ? 4 : (AddressBits > 13) ? 0
                                  : 14 - AddressBits;
    localparam int unsigned Width = (Shift == 4) ? 18 : (Shift == 3) ? 9 : 1 << Shift;
    localparam int unsigned Count = redc_pkg::ceil_div(Bits, Width);
    logic [13:0]                 write_address, read_address;
    logic [Count-1:0][Width-1:0] words, read_words;
    assign words         = (Count * Width)'(write_data_i);
    assign read_data_o   = Bits'(read_words);
    assign write_address = (14'(write_address_i) << Shift) | ((Shift == 4) ? 14'd3 : 14'd0);
    assign read_address  = 14'(read_address_i) << Shift;
    for (genvar k = 0; k < Count; k++) begin : gen_block
      logic [17:0] data, read, nothing;
      assign data          = 18'(words[k]);
      assign read_words[k] = read[Width-1:0];
      DP16KD #(
        .DATA_WIDTH_A(Width), .DATA_WIDTH_B(Width), .REGMODE_A("NOREG"), .REGMODE_B("OUTREG"),
        .WRITEMODE_A("NORMAL"), .WRITEMODE_B("NORMAL"), .GSR("DISABLED")
      ) i_memory (
        .CLKA(clk_i), .CLKB(clk_i), .CEA(1'b1), .CEB(reads), .OCEA(1'b1), .OCEB(read_i),
        .WEA(write_i), .WEB(1'b0), .RSTA(1'b0), .RSTB(1'b0), .CSA0(1'b0), .CSA1(1'b0),
        .CSA2(1'b0), .CSB0(1'b0), .CSB1(1'b0), .CSB2(1'b0), .ADA0(write_address[0]),
        .ADA1(write_address[1]), .ADA2(write_address[2]), .ADA3(write_address[3]),
        .ADA4(write_address[4]), .ADA5(write_address[5]), .ADA6(write_address[6]),
        .ADA7(write_address[7]), .ADA8(write_address[8]), .ADA9(write_address[9]),
        .ADA10(write_address[10]), .ADA11(write_address[11]), .ADA12(write_address[12]),
        .ADA13(write_address[13]), .ADB0(read_address[0]), .ADB1(read_address[1]),
        .ADB2(read_address[2]), .ADB3(read_address[3]), .ADB4(read_address[4]),
        .ADB5(read_address[5]), .ADB6(read_address[6]), .ADB7(read_address[7]),
        .ADB8(read_address[8]), .ADB9(read_address[9]), .ADB10(read_address[10]),
        .ADB11(read_address[11]), .ADB12(read_address[12]), .ADB13(read_address[13]),
        .DIA0(data[0]), .DIA1(data[1]),
        .DIA2(data[2]), .DIA3(data[3]), .DIA4(data[4]), .DIA5(data[5]), .DIA6(data[6]),
        .DIA7(data[7]), .DIA8(data[8]), .DIA9(data[9]), .DIA10(data[10]), .DIA11(data[11]),
        .DIA12(data[12]), .DIA13(data[13]), .DIA14(data[14]), .DIA15(data[15]), .DIA16(data[16]),
        .DIA17(data[17]), .DIB0(1'b0), .DIB1(1'b0), .DIB2(1'b0), .DIB3(1'b0), .DIB4(1'b0),
        .DIB5(1'b0), .DIB6(1'b0), .DIB7(1'b0), .DIB8(1'b0), .DIB9(1'b0), .DIB10(1'b0), .DIB11(1'b0),
        .DIB12(1'b0), .DIB13(1'b0), .DIB14(1'b0), .DIB15(1'b0), .DIB16(1'b0), .DIB17(1'b0),
        .DOA0(nothing[0]), .DOA1(nothing[1]), .DOA2(nothing[2]), .DOA3(nothing[3]),
        .DOA4(nothing[4]), .DOA5(nothing[5]), .DOA6(nothing[6]), .DOA7(nothing[7]),
        .DOA8(nothing[8]), .DOA9(nothing[9]), .DOA10(nothing[10]), .DOA11(nothing[11]),
        .DOA12(nothing[12]), .DOA13(nothing[13]), .DOA14(nothing[14]), .DOA15(nothing[15]),
        .DOA16(nothing[16]), .DOA17(nothing[17]), .DOB0(read[0]), .DOB1(read[1]), .DOB2(read[2]),
        .DOB3(read[3]), .DOB4(read[4]), .DOB5(read[5]), .DOB6(read[6]), .DOB7(read[7]),
        .DOB8(read[8]), .DOB9(read[9]), .DOB10(read[10]), .DOB11(read[11]), .DOB12(read[12]),
        .DOB13(read[13]), .DOB14(read[14]), .DOB15(read[15]), .DOB16(read[16]), .DOB17(read[17])
      );
      wire unused = ^{read, nothing};
    end
    wire unused_top = ^read_words;
  end else begin : gen_generic
    logic [Bits-1:0] read, read_q;
    redc_prim_ram #(.Bits(Bits), .Depth(Depth), .Storage(2)) i_memory (
      .clk_i, .write_i, .write_address_i, .write_data_i, .read_i(reads), .read_address_i,
      .read_data_o(read)
    );
    always_ff @(posedge clk_i) if (read_i) read_q <= read;
    assign read_data_o = read_q;
  end

endmodule

`default_nettype wire
