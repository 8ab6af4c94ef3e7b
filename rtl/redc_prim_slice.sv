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
  parameter int unsigned Bits = 32
) (
  input  wire logic            clk_i,
  /// Active low, synchronous; drops what is in it.
  input  wire logic            rst_ni,
  /// The stream that comes.
  input  wire logic            valid_i,
  output      logic            ready_o,
  input  wire logic [Bits-1:0] data_i,
  /// The stream that leaves.
  output      logic            valid_o,
  input  wire logic            ready_i,
  output      logic [Bits-1:0] data_o
);

  if (Bits < 1) begin : gen_refuse_bits
    $error("redc_prim_slice: Bits=%0d is below 1", Bits);
  end

  logic            ready_q, valid_q;
  logic [Bits-1:0] data_q, spare_q;

  assign ready_o = ready_q;
  assign valid_o = valid_q;
  assign data_o  = data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ready_q <= 1'b1;
      valid_q <= 1'b0;
    end else begin
      // The spare register is in use as long as nothing can be taken.
      ready_q <= ~valid_q | ready_i | (ready_q & ~valid_i);
      valid_q <= (valid_q & ~ready_i) | ~ready_q | valid_i;
    end
    if (ready_q) spare_q <= data_i;
    if (!valid_q || ready_i) data_q <= ready_q ? data_i : spare_q;
  end

endmodule

`default_nettype wire
