// SPDX-License-Identifier: Apache-2.0
// redc_curve_pending: the destinations of one unit's operations that are under way, oldest first.
//
// Contract  push_i adds a place, pop_i drops the oldest, which pop_place_i has to be; not pushed
//           when Depth are held. hit_o tells whether one of the places that were in next_i in the
//           cycle before load_i, and may be this unit's (may_i), is among them, from the second
//           cycle behind load_i on; with mine_i also whether Depth are held. Something is pushed
//           once between two of these, in the cycle before load_i, or it is not asked for hit_o.
//           odd_o tells, a cycle later, that the oldest is not what came, or that a copy of what
//           is held differs: a fault.
// Method    a shift register, the youngest first; which entries are held is a row of ones, twice.
//           Which of them are waited for is known before it matters.
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
  /// What hit_o will be about, and that it is what was there in the cycle before.
  input  wire logic [Asks-1:0][Bits-1:0] next_i,
  input  wire logic [Asks-1:0]           may_i,
  input  wire logic                      load_i,
  /// Something of this unit waits to begin: it is told in hit_o, too, that there is no room.
  input  wire logic                      mine_i,
  output      logic                      hit_o,
  output      logic                      some_o,
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

  // For each of next_i the entries that are it, and whether what is pushed is; then those of what
  // is held that are waited for.
  typedef struct packed {
    logic             push;
    logic [Asks-1:0]  will;
    held_t [Asks-1:0] are;
  } same_t;
  same_t           same, same_q, same_copy;
  held_t           loaded, waits, waits_q, waits_copy;
  logic            hits, hit_q, hit_copy, popped_q, missed_q;
  logic [Asks+2:0] differs_q;
  logic [Bits-1:0] oldest_q, popped_place_q;
  redc_prim_fanout #(.Bits($bits(same_t)), .Copies(2)) u_same (
    .clk_i, .d_i(same), .q_o({same_copy, same_q})
  );
  redc_prim_fanout #(.Bits(Depth + 1), .Copies(2)) u_waits (
    .clk_i, .d_i({hits, waits}), .q_o({hit_copy, waits_copy, hit_q, waits_q})
  );
  always_comb begin
    same = '{push: push_i, default: '0};
    for (int unsigned ask = 0; ask < Asks; ask++) begin
      same.will[ask] = may_i[ask] & (place_i == next_i[ask]);
      for (int unsigned at = 0; at < Depth; at++)
        same.are[ask][at] = may_i[ask] & (places_q[at] == next_i[ask]);
    end
    loaded = '0;
    for (int unsigned ask = 0; ask < Asks; ask++)
      loaded |= same_q.push ? held_t'({same_q.are[ask], same_q.will[ask]}) : same_q.are[ask];
  end
  // What pops comes late. Until the next load nothing is pushed that matters.
  assign waits  = (load_i ? loaded & held_q : waits_q) & ~(last & {Depth{pop_i}});
  // In the first cycle behind load_i that is of what was there before.
  assign hits   = (|(waits_q & ~last))
                | (((|(waits_q & last)) | (mine_i & held_q[Depth-1])) & ~pop_i);

  always_comb begin
    held = held_q;
    if (push_i && !pop_i) held = held_t'({held_q, 1'b1});
    else if (pop_i && !push_i) held = held_q >> 1;
    if (!rst_ni) held = '0;
    oldest = '0;
    for (int unsigned at = 0; at < Depth; at++) if (last[at]) oldest |= places_q[at];
  end

  assign last   = held_q & ~(held_q >> 1);
  always_ff @(posedge clk_i) begin
    differs_q[0]   <= {held_q, hit_q} != {copy_q, hit_copy};
    differs_q[1]   <= waits_q != waits_copy;
    differs_q[2]   <= {same_q.push, same_q.will} != {same_copy.push, same_copy.will};
    for (int unsigned ask = 0; ask < Asks; ask++)
      differs_q[3+ask] <= same_q.are[ask] != same_copy.are[ask];
    missed_q       <= pop_i & ~held_q[0];
    popped_q       <= pop_i & rst_ni;
    oldest_q       <= oldest;
    popped_place_q <= pop_place_i;
    if (!rst_ni) {differs_q, missed_q} <= '0;
  end
  assign hit_o  = hit_q;
  assign some_o = held_q[0];
  assign odd_o  = (|differs_q) | missed_q | (popped_q & (oldest_q != popped_place_q));

  always_ff @(posedge clk_i) if (push_i) places_q <= (Depth * Bits)'({places_q, place_i});

endmodule

`default_nettype wire
