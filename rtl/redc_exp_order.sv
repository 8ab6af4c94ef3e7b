// SPDX-License-Identifier: Apache-2.0
// redc_exp_order: few entries in order, the oldest in a register.
//
// Contract  nothing is pushed when Depth entries are there, nor popped when none is.
// Method    registers side by side. Those in use move up by one when the oldest leaves; the others
//           take what is offered, pushed or not: neither push nor pop is an address or an enable.
// Timing    an entry can be the head from the cycle after its push on.
// Leakage   keeps entries until overwritten.
// Asserts   a simulation ends where the contract is broken, from the first reset on.
// Refuses   Bits or Depth < 1: at elaboration.
// Partner   redc_exp_issue.
`default_nettype none

module redc_exp_order #(
  /// Bits of an entry.
  parameter int unsigned Bits = 16,
  /// Entries.
  parameter int unsigned Depth = 4
) (
  input  wire logic            clk_i,
  /// Active low, synchronous; empties it.
  input  wire logic            rst_ni,
  /// Adds an entry.
  input  wire logic            push_i,
  input  wire logic [Bits-1:0] data_i,
  /// Drops the oldest.
  input  wire logic            pop_i,
  /// The oldest.
  output      logic [Bits-1:0] head_o
);

  if (Bits < 1 || Depth < 1) begin : gen_refuse_sizes
    $error("redc_exp_order: Bits=%0d or Depth=%0d is below 1", Bits, Depth);
  end

  // Bit k: entry k is in use, which those below it are, too.
  logic [Depth-1:0]           used_q;
  logic [Depth-1:0][Bits-1:0] entry_q;
  assign head_o = entry_q[0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) used_q <= '0;
    else if (push_i != pop_i)
      used_q <= push_i ? Depth'({used_q, 1'b1}) : used_q >> 1;
    for (int unsigned k = 0; k < Depth; k++) begin
      if (pop_i) begin
        entry_q[k] <= (k + 1 < Depth && used_q[(k + 1) % Depth]) ? entry_q[(k + 1) % Depth]
                                                                  : data_i;
      end else if (!used_q[k]) entry_q[k] <= data_i;
    end
  end

`ifndef SYNTHESIS
  // Before its first reset it holds anything.
  logic known_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= known_q | ~rst_ni;
    if (known_q && rst_ni && push_i && used_q[Depth-1]) $fatal(1, "redc_exp_order: full");
    if (known_q && rst_ni && pop_i && !used_q[0]) $fatal(1, "redc_exp_order: popped when empty");
  end
`endif

endmodule

`default_nettype wire
