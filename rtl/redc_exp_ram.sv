// SPDX-License-Identifier: Apache-2.0
// redc_exp_ram: a memory of words with one write port and any number of read ports.
//
// Contract  what is written in a cycle is read from the next on.
// Method    registers with a multiplexer for each port, or distributed memory with a copy for each.
// Timing    read data in the cycle of the address.
// Leakage   keeps words until overwritten.
// Refuses   Bits, Depth or Ports < 1, Storage > 1: at elaboration.
`default_nettype none

module redc_exp_ram #(
  /// Bits of a word.
  parameter int unsigned Bits = 32,
  /// Words.
  parameter int unsigned Depth = 4,
  /// Read ports.
  parameter int unsigned Ports = 2,
  /// 0: registers. 1: distributed memory.
  parameter int unsigned Storage = 0,
  /// Derived; not to be set.
  localparam int unsigned AddressBits = redc_pkg::index_bits(Depth)
) (
  input  wire logic                               clk_i,
  /// Writes data at the address.
  input  wire logic                               write_i,
  input  wire logic [AddressBits-1:0]             write_address_i,
  input  wire logic [Bits-1:0]                    write_data_i,
  /// Address that each port reads.
  input  wire logic [Ports-1:0][AddressBits-1:0]  read_address_i,
  /// What is there.
  output      logic [Ports-1:0][Bits-1:0]         read_data_o
);

  if (Bits < 1 || Depth < 1 || Ports < 1) begin : gen_refuse_sizes
    $error("redc_exp_ram: Bits=%0d, Depth=%0d or Ports=%0d is below 1", Bits, Depth, Ports);
  end
  if (Storage > 1) begin : gen_refuse_storage
    $error("redc_exp_ram: Storage=%0d is neither 0 nor 1", Storage);
  end

  for (genvar port = 0; port < Ports; port++) begin : gen_port
    if (Storage == 0) begin : gen_registers
      // The ports' copies of the registers are one after synthesis.
      logic [Depth-1:0][Bits-1:0] memory_q;
      always_ff @(posedge clk_i) begin
        for (int unsigned word = 0; word < Depth; word++)
          if (write_i && write_address_i == AddressBits'(word)) memory_q[word] <= write_data_i;
      end
      assign read_data_o[port] = memory_q[read_address_i[port]];
    end else begin : gen_distributed
      (* ram_style = "distributed" *)
      logic [Bits-1:0] memory_q [Depth];
      always_ff @(posedge clk_i) if (write_i) memory_q[write_address_i] <= write_data_i;
      assign read_data_o[port] = memory_q[read_address_i[port]];
    end
  end

endmodule

`default_nettype wire
