// SPDX-License-Identifier: Apache-2.0
// redc_curve_pending: the destinations of one unit's operations that are under way, oldest first.
//
// Contract  push_i adds a place, pop_i drops the oldest, which pop_place_i has to be; not pushed
//           when full_o. hit_o tells whether one of ask_i is among them. odd_o tells that the
//           oldest is not what came, or that a copy of what is held differs: a fault.
// Method    a shift register, the youngest first; which entries are held is a row of ones, twice.
// Timing    what is pushed or popped shows in the next cycle.
// Leakage   none: places are those of the program.
// Refuses   Bits, Depth or Asks < 1: at elaboration.
// Partner   redc_curve_issue.
`default_nettype none

module redc_curve_pending #(
  /// Bits of a place.
  parameter int unsigned Bits = 5,
  /// Entries.
  parameter int unsigned Depth = 4,
  /// Places that are asked for.
  parameter int unsigned Asks = 3
) (
  input  wire logic                      clk_i,
  /// Active low, synchronous; empties it.
  input  wire logic                      rst_ni,
  input  wire logic                      push_i,
  input  wire logic [Bits-1:0]           place_i,
  input  wire logic                      pop_i,
  input  wire logic [Bits-1:0]           pop_place_i,
  input  wire logic [Asks-1:0][Bits-1:0] ask_i,
  output      logic                      hit_o,
  output      logic                      some_o,
  output      logic                      full_o,
  output      logic                      odd_o
);

  if (Bits < 1 || Depth < 1 || Asks < 1) begin : gen_refuse
    $error("redc_curve_pending: Bits=%0d, Depth=%0d or Asks=%0d is below 1", Bits, Depth, Asks);
  end

  typedef logic [Depth-1:0] held_t;

  held_t                      held_q, copy_q, held, last;
  logic [Depth-1:0][Bits-1:0] places_q;
  logic [Bits-1:0]            oldest;

  redc_prim_fanout #(.Bits(Depth), .Copies(2)) u_held (
    .clk_i, .d_i(held), .q_o({copy_q, held_q})
  );

  always_comb begin
    held = held_q;
    if (push_i && !pop_i) held = held_t'({held_q, 1'b1});
    else if (pop_i && !push_i) held = held_q >> 1;
    if (!rst_ni) held = '0;
    hit_o  = 1'b0;
    oldest = '0;
    for (int unsigned at = 0; at < Depth; at++) begin
      for (int unsigned ask = 0; ask < Asks; ask++)
        hit_o |= held_q[at] & (places_q[at] == ask_i[ask]);
      if (last[at]) oldest |= places_q[at];
    end
  end

  assign last   = held_q & ~(held_q >> 1);
  assign some_o = held_q[0];
  assign full_o = held_q[Depth-1];
  assign odd_o  = (held_q != copy_q) | (pop_i & (~held_q[0] | (oldest != pop_place_i)));

  always_ff @(posedge clk_i) if (push_i) places_q <= (Depth * Bits)'({places_q, place_i});

endmodule

`default_nettype wire
