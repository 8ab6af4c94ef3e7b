// SPDX-License-Identifier: Apache-2.0
// redc_rsa_memory: rows with two read ports and one write port, as block memory has them.
//
// Contract  a read gives, a cycle later, what was there before the cycle of the address; anything
//           where that row is written in this very cycle. A row is written as a whole or in lanes
//           of 32 bits.
// Method    one memory for each read port, written alike.
// Timing    data a cycle after the address.
// Leakage   keeps rows until overwritten.
// Refuses   Bits < 32 or no multiple of it, Depth < 1: at elaboration.
`default_nettype none

module redc_rsa_memory #(
  /// Bits of a row.
  parameter int unsigned Bits = 32,
  /// Rows.
  parameter int unsigned Depth = 64,
  /// Derived; not to be set.
  localparam int unsigned AddressBits = redc_pkg::index_bits(Depth),
  localparam int unsigned Lanes       = redc_pkg::ceil_div(Bits, 32)
) (
  input  wire logic                        clk_i,
  /// Writes these lanes of data at the address.
  input  wire logic [Lanes-1:0]            write_i,
  input  wire logic [AddressBits-1:0]      write_address_i,
  input  wire logic [Bits-1:0]             write_data_i,
  /// Address that each port reads.
  input  wire logic [1:0][AddressBits-1:0] read_address_i,
  /// What was there a cycle ago.
  output      logic [1:0][Bits-1:0]        read_data_o
);

  if (Bits < 32 || Bits % 32 != 0 || Depth < 1) begin : gen_refuse_sizes
    $error("redc_rsa_memory: Bits=%0d is no multiple of 32, or Depth=%0d below 1", Bits, Depth);
  end

  for (genvar port = 0; port < 2; port++) begin : gen_port
    // Block memory does not say what a read beside a write gives, and synthesis builds a bypass
    // around it unless it is told that nobody wants to know.
    (* no_rw_check *)
    logic [Bits-1:0] memory_q [Depth];
    logic [Bits-1:0] data_q;
    always_ff @(posedge clk_i) begin
      for (int unsigned lane = 0; lane < Lanes; lane++)
        if (write_i[lane]) memory_q[write_address_i][32*lane +: 32] <= write_data_i[32*lane +: 32];
      data_q <= memory_q[read_address_i[port]];
    end
    assign read_data_o[port] = data_q;
  end

endmodule

`default_nettype wire
