// SPDX-License-Identifier: Apache-2.0
// redc_prim_block: a block memory with the register behind it, one write and one read port.
//
// Contract  what is read was there before the cycle of its address; anything where that word is
//           written in this very cycle, and nothing may depend on it.
// Method    redc_prim_block_held, which is never held.
// Timing    read data two cycles behind the address.
// Leakage   keeps words until overwritten.
// Refuses   nothing itself; redc_prim_block_held does.
// Partner   tests/families/test_blocks.py.
`default_nettype none

module redc_prim_block #(
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
  /// Writes data at the address.
  input  wire logic                   write_i,
  input  wire logic [AddressBits-1:0] write_address_i,
  input  wire logic [Bits-1:0]        write_data_i,
  /// Address that is read, and what was there two cycles before.
  input  wire logic [AddressBits-1:0] read_address_i,
  output      logic [Bits-1:0]        read_data_o
);

  redc_prim_block_held #(.Bits(Bits), .Depth(Depth), .Technology(Technology)) i_held (
    .clk_i, .write_i, .write_address_i, .write_data_i, .read_address_i, .read_i(1'b1), .read_data_o
  );

endmodule

`default_nettype wire
