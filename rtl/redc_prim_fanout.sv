// SPDX-License-Identifier: Apache-2.0
// redc_prim_fanout: control bits registered several times, so that no flip-flop drives a whole row.
//
// Contract  every copy of q_o is the d_i of the cycle before.
// Method    Copies identical registers. Synthesis merges equal registers unless told not to, hence
//           the attributes: on the signal for vendor tools, on the process for Yosys.
// Timing    one cycle.
// Leakage   none: a delay of one cycle whatever the data.
// Refuses   Bits or Copies < 1: at elaboration.
// Partner   the multipliers whose RTL names it.
`default_nettype none

module redc_prim_fanout #(
  /// Bits handed out together.
  parameter int unsigned Bits = 1,
  /// Number of copies.
  parameter int unsigned Copies = 4
) (
  input  wire logic                        clk_i,
  /// The bits to hand out.
  input  wire logic [Bits-1:0]             d_i,
  /// The bits one cycle later, a copy for each user.
  output      logic [Copies-1:0][Bits-1:0] q_o
);

  if (Bits < 1 || Copies < 1) begin : gen_refuse
    $error("redc_prim_fanout: Bits=%0d and Copies=%0d must be at least 1", Bits, Copies);
  end

  (* keep = "true", dont_touch = "true", syn_preserve = 1 *)
  logic [Copies-1:0][Bits-1:0] copy_q;

  (* keep *)
  always_ff @(posedge clk_i) copy_q <= {Copies{d_i}};

  assign q_o = copy_q;

endmodule

`default_nettype wire
