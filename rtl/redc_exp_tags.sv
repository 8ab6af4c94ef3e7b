// SPDX-License-Identifier: Apache-2.0
// redc_exp_tags: what is in the multiplier, oldest first.
//
// Contract  never more than Depth pushed and not popped; never popped when empty.
// Method    a ring of registers.
// Timing    head_o is the oldest entry from the cycle after its push; head_next_o is what head_o
//           will be in the next cycle, for registers that follow it.
// Leakage   none beyond its entries.
// Refuses   Bits or Depth < 1: at elaboration.
`default_nettype none

module redc_exp_tags #(
  /// Bits of an entry.
  parameter int unsigned Bits = 8,
  /// Entries.
  parameter int unsigned Depth = 2,
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(Depth)
) (
  input  wire logic            clk_i,
  /// Active low, synchronous.
  input  wire logic            rst_ni,
  /// Adds an entry.
  input  wire logic            push_i,
  input  wire logic [Bits-1:0] push_data_i,
  /// Drops the oldest.
  input  wire logic            pop_i,
  /// The oldest.
  output      logic [Bits-1:0] head_o,
  /// The oldest as of the next cycle.
  output      logic [Bits-1:0] head_next_o
);

  if (Bits < 1 || Depth < 1) begin : gen_refuse_sizes
    $error("redc_exp_tags: Bits=%0d or Depth=%0d is below 1", Bits, Depth);
  end

  logic [IndexBits-1:0]       write_q, read_q, read_next;
  logic [Depth-1:0][Bits-1:0] entries_q;

  function automatic logic [IndexBits-1:0] after(logic [IndexBits-1:0] index);
    return (index == IndexBits'(Depth - 1)) ? '0 : index + 1'b1;
  endfunction

  assign head_o      = entries_q[read_q];
  assign read_next   = pop_i ? after(read_q) : read_q;
  assign head_next_o = (push_i && write_q == read_next) ? push_data_i : entries_q[read_next];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
    end else begin
      if (push_i) write_q <= after(write_q);
      read_q <= read_next;
    end
    if (push_i) entries_q[write_q] <= push_data_i;
  end

endmodule

`default_nettype wire
