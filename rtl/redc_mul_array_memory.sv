// SPDX-License-Identifier: Apache-2.0
// redc_mul_array_memory: a memory of digits that is read through two registers.
//
// Contract  as redc_prim_block: what is read was there before the cycle of its address, and nothing
//           depends on a word that is written in this very cycle.
// Method    block memory where it is deeper than distributed memory is worth.
// Timing    read data two cycles behind the address.
// Leakage   keeps words until overwritten.
// Refuses   nothing itself; redc_mul_array does.
// Partner   src/redcore/families/array.py.
`default_nettype none

module redc_mul_array_memory #(
  /// Bits of a word.
  parameter int unsigned Bits = 18,
  /// Words.
  parameter int unsigned Depth = 64,
  /// Primitives, as redc_prim_block has them.
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

  if (redc_mul_array_pkg::is_block(Depth)) begin : gen_block
    redc_prim_block #(.Bits(Bits), .Depth(Depth), .Technology(Technology)) i_memory (
      .clk_i, .write_i, .write_address_i, .write_data_i, .read_address_i, .read_i(1'b1),
      .read_data_o
    );
  end else begin : gen_distributed
    logic [Bits-1:0] word;
    redc_prim_ram #(.Bits(Bits), .Depth(Depth), .Storage(1), .Registered(1)) i_memory (
      .clk_i, .write_i, .write_address_i, .write_data_i, .read_i(1'b1), .read_address_i,
      .read_data_o(word)
    );
    always_ff @(posedge clk_i) read_data_o <= word;
  end

endmodule

`default_nettype wire
