// SPDX-License-Identifier: Apache-2.0
// redc_prim_line: a bundle of signals, some cycles later, through a memory.
//
// Contract  q_o is the d_i of so many cycles before, once as many have passed since a reset: as
//           redc_prim_delay, for bundles and times that are worth a memory.
// Method    a ring that is read and then overwritten at one address, and a register behind it.
//           Block memory, which has its own register and another one behind it, is read an address
//           ahead, as it cannot be read and written at the same.
// Timing    Cycles cycles.
// Leakage   keeps what came until overwritten.
// Refuses   Bits < 1, Cycles < 3, Storage other than 1 and 2: at elaboration.
// Partner   tests/families/test_blocks.py.
`default_nettype none

module redc_prim_line #(
  /// Bits handed on together.
  parameter int unsigned Bits = 18,
  /// Cycles of delay, at least 3.
  parameter int unsigned Cycles = 11,
  /// 1: distributed memory. 2: block memory.
  parameter int unsigned Storage = 1,
  /// Primitives, as redc_prim_block has them.
  parameter int unsigned Technology = 0
) (
  input  wire logic            clk_i,
  /// Active low, synchronous: what is inside is not kept in step.
  input  wire logic            rst_ni,
  /// What comes, and what came Cycles cycles before.
  input  wire logic [Bits-1:0] d_i,
  output      logic [Bits-1:0] q_o
);

  if (Bits < 1 || Cycles < 3) begin : gen_refuse_sizes
    $error("redc_prim_line: Bits=%0d < 1 or Cycles=%0d < 3", Bits, Cycles);
  end
  if (Storage < 1 || Storage > 2) begin : gen_refuse_storage
    $error("redc_prim_line: Storage=%0d is neither 1 nor 2", Storage);
  end

  localparam int unsigned Depth       = redc_pkg::max(Cycles, 3) - 1;
  localparam int unsigned AddressBits = redc_pkg::index_bits(Depth);

  // The address ahead, and that it is the last one, are registers: block memory is far from them.
  logic [AddressBits-1:0] address_q, next_q;
  logic                   last_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      address_q <= '0;
      next_q    <= AddressBits'(1);
      last_q    <= (Depth == 2);
    end else begin
      address_q <= next_q;
      next_q    <= last_q ? '0 : next_q + 1'b1;
      last_q    <= (next_q == AddressBits'(Depth - 2));
    end
  end
  if (Storage == 2) begin : gen_block
    redc_prim_block #(.Bits(Bits), .Depth(Depth), .Technology(Technology)) i_ring (
      .clk_i, .write_i(1'b1), .write_address_i(address_q), .write_data_i(d_i),
      .read_address_i(next_q), .read_i(1'b1), .read_data_o(q_o)
    );
  end else begin : gen_distributed
    logic [Bits-1:0] word;
    redc_prim_ram #(.Bits(Bits), .Depth(Depth), .Storage(1)) i_ring (
      .clk_i, .write_i(1'b1), .write_address_i(address_q), .write_data_i(d_i), .read_i(1'b1),
      .read_address_i(address_q), .read_data_o(word)
    );
    always_ff @(posedge clk_i) q_o <= word;
  end

endmodule

`default_nettype wire
