// SPDX-License-Identifier: Apache-2.0
// redc_rsa_axi_fifo: a FIFO of words that can be overwritten with zeros.
//
// Contract  never pushed when level_o is Depth, never popped when it is 0, neither under wipe_i.
// Method    a ring in a memory with one write port and an unregistered read port.
// Timing    head_o is the oldest word from the cycle after its push.
// Leakage   words stay in the memory until overwritten: by others, or under wipe_i.
// Refuses   Bits or Depth < 1: at elaboration.
`default_nettype none

module redc_rsa_axi_fifo #(
  /// Bits of a word.
  parameter int unsigned Bits  = 32,
  /// Words.
  parameter int unsigned Depth = 16,
  /// Derived; not to be set.
  localparam int unsigned LevelBits = $clog2(Depth + 1)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; empties it.
  input  wire logic                 rst_ni,
  /// Empties it, and overwrites one word a cycle: all of them in Depth cycles.
  input  wire logic                 wipe_i,
  /// Empties it.
  input  wire logic                 clear_i,
  /// Adds a word.
  input  wire logic                 push_i,
  input  wire logic [Bits-1:0]      push_data_i,
  /// Drops the oldest word.
  input  wire logic                 pop_i,
  /// The oldest word.
  output      logic [Bits-1:0]      head_o,
  /// How many there are.
  output      logic [LevelBits-1:0] level_o
);

  if (Bits < 1 || Depth < 1) begin : gen_refuse_sizes
    $error("redc_rsa_axi_fifo: Bits=%0d or Depth=%0d is below 1", Bits, Depth);
  end

  localparam int unsigned IndexBits = redc_pkg::index_bits(Depth);

  logic [IndexBits-1:0] write_q, read_q;
  logic [LevelBits-1:0] level_q;
  logic [Bits-1:0]      words [Depth];
  logic                 write;

  function automatic logic [IndexBits-1:0] after(logic [IndexBits-1:0] index);
    return (index == IndexBits'(Depth - 1)) ? '0 : index + 1'b1;
  endfunction

  assign head_o  = words[read_q];
  assign level_o = level_q;
  assign write   = push_i | wipe_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
      level_q <= '0;
    end else begin
      if (write) write_q <= after(write_q);
      if (wipe_i) read_q <= after(write_q);
      else if (clear_i) read_q <= push_i ? after(write_q) : write_q;
      else if (pop_i) read_q <= after(read_q);
      if (wipe_i || clear_i) level_q <= '0;
      else if (push_i && !pop_i) level_q <= level_q + 1'b1;
      else if (pop_i && !push_i) level_q <= level_q - 1'b1;
    end
    if (write) words[write_q] <= wipe_i ? '0 : push_data_i;
  end

endmodule

`default_nettype wire
