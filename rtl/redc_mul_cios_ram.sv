// SPDX-License-Identifier: Apache-2.0
// redc_mul_cios_ram: a memory with a write port and a read port.
//
// Contract  a word is never read in the cycle in which it is written.
// Method    distributed memory, read at once or through a register, or block memory. Where it is
//           deep, each half has a register of its own and the choice is made behind them.
// Timing    read data in the cycle of the address (Registered = 0) or the next.
// Leakage   keeps words until overwritten.
`default_nettype none

module redc_mul_cios_ram #(
  /// Bits of a word.
  parameter int unsigned Bits = 34,
  /// Words.
  parameter int unsigned Depth = 16,
  /// 0: distributed memory. 1: block memory.
  parameter int unsigned Block = 0,
  /// 1: what is read comes from a register, as it always does from block memory.
  parameter int unsigned Registered = Block,
  /// Derived; not to be set.
  localparam int unsigned AddressBits = redc_pkg::index_bits(Depth)
) (
  input  wire logic                   clk_i,
  /// Writes data at the address.
  input  wire logic                   write_i,
  input  wire logic [AddressBits-1:0] write_address_i,
  input  wire logic [Bits-1:0]        write_data_i,
  /// Address to read.
  input  wire logic [AddressBits-1:0] read_address_i,
  /// What is there.
  output      logic [Bits-1:0]        read_data_o
);

  if (Block != 0) begin : gen_block
    (* ram_style = "block", no_rw_check *)
    logic [Bits-1:0] memory_q [Depth];
    logic [Bits-1:0] read_q;
    always_ff @(posedge clk_i) begin
      if (write_i) memory_q[write_address_i] <= write_data_i;
      read_q <= memory_q[read_address_i];
    end
    assign read_data_o = read_q;
  end else begin : gen_distributed
    if (Registered != 0 && Depth > 32 && Depth == (1 << AddressBits)) begin : gen_halves
      localparam int unsigned Top = AddressBits - 1;
      logic [1:0][Bits-1:0] read_q;
      logic                 upper_q;
      for (genvar half = 0; half < 2; half++) begin : gen_half
        (* ram_style = "distributed" *)
        logic [Bits-1:0] memory_q [Depth/2];
        always_ff @(posedge clk_i) begin
          if (write_i && write_address_i[Top] == (half != 0)) begin
            memory_q[write_address_i[Top-1:0]] <= write_data_i;
          end
          read_q[half] <= memory_q[read_address_i[Top-1:0]];
        end
      end
      always_ff @(posedge clk_i) upper_q <= read_address_i[Top];
      assign read_data_o = read_q[upper_q];
    end else begin : gen_whole
      (* ram_style = "distributed" *)
      logic [Bits-1:0] memory_q [Depth];
      always_ff @(posedge clk_i) if (write_i) memory_q[write_address_i] <= write_data_i;
      if (Registered != 0) begin : gen_registered
        logic [Bits-1:0] read_q;
        always_ff @(posedge clk_i) read_q <= memory_q[read_address_i];
        assign read_data_o = read_q;
      end else begin : gen_at_once
        assign read_data_o = memory_q[read_address_i];
      end
    end
  end

endmodule

`default_nettype wire
