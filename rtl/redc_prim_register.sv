// SPDX-License-Identifier: Apache-2.0
// redc_prim_register: a wide register with enable, the enable registered once per lane.
//
// Contract  keeps d_i until the next load, or hands it out from the low end, Shift bits a cycle;
//           what it holds before the first load is unknown.
// Method    the enable is given a cycle ahead and copied, one flip-flop per LaneBits bits, so that
//           wide operands load as fast as narrow ones.
// Timing    q_o takes the d_i of the cycle after the one in which load_next_i was high.
// Leakage   none.
// Refuses   nothing itself; redc_prim_fanout does.
// Partner   the multipliers whose RTL names it.
`default_nettype none

module redc_prim_register #(
  /// Bits of the register.
  parameter int unsigned Bits = 64,
  /// Bits that share one copy of the enable.
  parameter int unsigned LaneBits = 32,
  /// Bits that it moves down in each cycle without a load; 0: stands still.
  parameter int unsigned Shift = 0
) (
  input  wire logic            clk_i,
  /// The register loads at the end of the next cycle.
  input  wire logic            load_next_i,
  input  wire logic [Bits-1:0] d_i,
  output      logic [Bits-1:0] q_o
);

  localparam int unsigned Lanes = redc_pkg::ceil_div(Bits, LaneBits);

  logic [Lanes-1:0] load;
  redc_prim_fanout #(.Copies(Lanes)) i_load (.clk_i, .d_i(load_next_i), .q_o(load));

  logic [Bits-1:0] data_q, moved;
  assign moved = data_q >> Shift;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int unsigned Low = l * LaneBits;
    localparam int unsigned Own = redc_pkg::min(LaneBits, Bits - Low);
    always_ff @(posedge clk_i) begin
      if (load[l]) data_q[Low+:Own] <= d_i[Low+:Own];
      else if (Shift != 0) data_q[Low+:Own] <= moved[Low+:Own];
    end
  end
  assign q_o = data_q;

endmodule

`default_nettype wire
