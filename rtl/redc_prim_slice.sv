// SPDX-License-Identifier: Apache-2.0
// redc_prim_slice: a register slice of a valid/ready stream.
//
// Contract  what is taken at the input is offered at the output, in order; an offer stays until it
//           is taken.
// Method    a register that is offered, and a spare one for what comes while that waits: ready_o,
//           valid_o and data_o come from registers, and no path leads through.
// Timing    a cycle; a word in each cycle.
// Leakage   none; data registers keep their words until overwritten.
// Refuses   Bits < 1: at elaboration.
// Partner   tests/families/test_blocks.py.
`default_nettype none

module redc_prim_slice #(
  /// Bits of a word.
  parameter int unsigned Bits = 32,
  /// Registers of ready_o beside the slice's own, where it goes far; 0: none.
  parameter int unsigned Copies = 0,
  /// Derived; not to be set.
  localparam int unsigned ReadyBits = redc_pkg::max(Copies, 1)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; drops what is in it.
  input  wire logic                 rst_ni,
  /// The stream that comes.
  input  wire logic                 valid_i,
  output      logic [ReadyBits-1:0] ready_o,
  input  wire logic [Bits-1:0]      data_i,
  /// The stream that leaves.
  output      logic                 valid_o,
  input  wire logic                 ready_i,
  output      logic [Bits-1:0]      data_o
);

  if (Bits < 1) begin : gen_refuse_bits
    $error("redc_prim_slice: Bits=%0d is below 1", Bits);
  end

  logic            ready, ready_next, valid_q;
  logic [Bits-1:0] data_q, spare_q;

  assign valid_o = valid_q;
  assign data_o  = data_q;

  // The spare register is in use as long as nothing can be taken.
  assign ready_next = ~rst_ni | ~valid_q | ready_i | (ready & ~valid_i);
  if (Copies == 0) begin : gen_ready
    logic ready_q;
    always_ff @(posedge clk_i) ready_q <= ready_next;
    assign ready   = ready_q;
    assign ready_o = ready_q;
  end else begin : gen_copies
    redc_prim_fanout #(.Copies(Copies + 1)) u_ready (
      .clk_i, .d_i(ready_next), .q_o({ready, ready_o})
    );
  end

  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni & ((valid_q & ~ready_i) | ~ready | valid_i);
    if (ready) spare_q <= data_i;
    if (!valid_q || ready_i) data_q <= ready ? data_i : spare_q;
  end

endmodule

`default_nettype wire
