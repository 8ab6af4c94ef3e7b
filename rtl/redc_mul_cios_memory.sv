// SPDX-License-Identifier: Apache-2.0
// redc_mul_cios_memory: a memory of words that is read through as many registers as there is time.
//
// Contract  as redc_prim_block: what is read was there before the cycle of its address, and nothing
//           depends on a word that is written in this very cycle.
// Method    distributed memory, read at once or through a register of each half, or block memory
//           with its own register.
// Timing    read data as many cycles behind the address as there are Registers.
// Leakage   keeps words until overwritten.
// Refuses   Registers > 2: at elaboration.
// Partner   src/redcore/families/cios.py.
`default_nettype none

module redc_mul_cios_memory #(
  /// Bits of a word.
  parameter int unsigned Bits = 34,
  /// Words.
  parameter int unsigned Depth = 64,
  /// 0 and 1: distributed memory. 2: block memory.
  parameter int unsigned Registers = 2,
  /// See redc_prim_block.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned AddressBits = redc_pkg::index_bits(Depth)
) (
  input  wire logic                   clk_i,
  /// Writes data at the address.
  input  wire logic                   write_i,
  input  wire logic [AddressBits-1:0] write_address_i,
  input  wire logic [Bits-1:0]        write_data_i,
  /// Address that is read, and what was there `Registers` cycles before.
  input  wire logic [AddressBits-1:0] read_address_i,
  output      logic [Bits-1:0]        read_data_o
);

  if (Registers > 2) begin : gen_refuse_registers
    $error("redc_mul_cios_memory: Registers=%0d is above 2", Registers);
  end

  if (Registers >= 2) begin : gen_block
    redc_prim_block #(.Bits(Bits), .Depth(Depth), .Technology(Technology)) i_memory (
      .clk_i, .write_i, .write_address_i, .write_data_i, .read_address_i, .read_i(1'b1),
      .read_data_o
    );
  end else begin : gen_distributed
    redc_prim_ram #(
      .Bits(Bits), .Depth(Depth), .Registered((Registers == 1) ? 2 : 0)
    ) i_memory (
      .clk_i, .write_i, .write_address_i, .write_data_i, .read_i(1'b1), .read_address_i,
      .read_data_o
    );
  end

endmodule

`default_nettype wire
