// SPDX-License-Identifier: Apache-2.0
// redc_mul_tablechain_schedule: what redc_mul_tablechain's lowest unit does, cycle by cycle.
//
// Contract  told what came in, it gives out a step a cycle. Operands may come once all digits of
//           the multiplier before have been fetched that they would overwrite.
// Method    a state, and a counter of its cycles where it needs one. Build: each entry with the
//           multiplicand b is the one of the row below, plus b. Entries: with b = m, the same gives
//           m, 2m and 3m in the place of b, 2b and 3b; each of them, divided by the radix and one
//           added, is an entry of the modulus alone. Zero, from which all that begins, is written
//           once behind reset.
// Timing    redc_mul_tablechain_pkg; a step leaves two cycles behind the state that says it.
// Leakage   steps follow what has come, not what it is; the second-lowest bit of the modulus
//           decides in which order its entries are written.
// Refuses   nothing itself; redc_mul_tablechain does.
// Partner   rtl/redc_mul_tablechain.sv.
`default_nettype none

module redc_mul_tablechain_schedule
  import redc_mul_tablechain_pkg::*;
#(
  /// What the core is built of.
  parameter config_t Config = '{width: 256, radix: 4, word: 20, moduli: 1}
) (
  input  wire logic       clk_i,
  /// Active low, synchronous.
  input  wire logic       rst_ni,
  /// All words of a modulus are there, and its bit 1 (or of that of the operands that wait).
  input  wire logic       modulus_i,
  input  wire logic       second_bit_i,
  /// All words of operands are there, until begin_o.
  input  wire logic       full_i,
  /// There is a place for every word of one more result.
  input  wire logic       room_i,
  /// The digit that comes next, whether it is the last one, or operands may come behind it.
  input  wire logic [1:0] digit_i,
  input  wire logic       last_i,
  input  wire logic       early_i,
  /// The operands' words are about to be used.
  output      logic       begin_o,
  /// Operands may come, unless some wait already.
  output      logic       open_o,
  /// Nothing is being done.
  output      logic       rest_o,
  /// Of several moduli: words of the modulus, and those of the multiplicand, go to the units.
  output      logic       feed_modulus_o,
  output      logic       feed_o,
  /// The lowest digit is wanted, and the next.
  output      logic       fetch_o,
  output      logic       next_o,
  /// A result is going to need its places, and its last step is told.
  output      logic       claim_o,
  output      logic       finish_o,
  /// The step of the next cycle, and of this one.
  output      step_t      soon_o,
  output      step_t      step_o
);

  localparam sizes_t      Sizes   = sizes(Config);
  localparam bit          Several = Config.moduli > 1;
  localparam int unsigned Digit   = Sizes.digit;
  localparam int unsigned Rows    = (1 << Digit) - 1;
  localparam int unsigned Refilling = redc_pkg::max(Sizes.renew, Sizes.entries + 3) - Sizes.entries
                                    - 2;

  // The state, a bit each. Renew and Refill are of several moduli.
  typedef struct packed {
    logic boot;
    logic rest;
    logic renew;
    logic entries;
    logic refill;
    logic build;
    logic settle;
    logic iterate;
  } state_t;

  state_t     state_q, state_d;
  logic [3:0] index_q;  // cycles of entries or build
  logic       built, made, refilled, ends, ready_q, passed_q, waits_q, renews_q;
  step_t      soon_d, soon_q, step_q;

  assign built = state_q.build & (index_q == 4'(Sizes.build - 1));
  assign made  = state_q.entries & (index_q == 4'(Sizes.entries - 1));
  assign ends  = state_q.iterate & last_i;

  always_comb begin
    state_d         = '0;
    state_d.rest    = state_q.boot | (state_q.rest & ~begin_o & ~waits_q) | (made & !Several)
                    | (ends & ~full_i);
    state_d.renew   = Several & (begin_o | (state_q.renew & ~renews_q));
    state_d.entries = (state_q.entries & ~made) | (Several ? state_q.renew & renews_q
                                                           : state_q.rest & waits_q);
    state_d.refill  = Several & (made | (state_q.refill & ~refilled));
    state_d.build   = (state_q.build & ~built) | (Several ? feed_o : begin_o);
    state_d.settle  = built | (state_q.settle & ~room_i);
    state_d.iterate = claim_o | (state_q.iterate & ~last_i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= '{boot: 1'b1, default: 1'b0};
      ready_q  <= Several;
      passed_q <= 1'b1;
      waits_q  <= 1'b0;
    end else begin
      state_q  <= state_d;
      waits_q  <= (modulus_i & !Several) | (waits_q & ~state_q.rest);
      // With one modulus its entries stand from Entries on; with several they are made each time.
      ready_q  <= Several | (~modulus_i & (ready_q | made));
      passed_q <= ~begin_o & (passed_q | (state_q.iterate & early_i));
    end
    renews_q <= state_q.renew;
    if (!state_q.entries && !state_q.build) index_q <= '0;
    else index_q <= 4'(increment(16'(index_q)));
  end

  if (Several && Refilling > 1) begin : gen_refill
    localparam int unsigned CountBits = $clog2(Refilling);
    logic [CountBits-1:0] count_q;
    always_ff @(posedge clk_i) begin
      count_q <= state_q.refill ? CountBits'(increment(16'(count_q))) : '0;
    end
    assign refilled = (count_q == CountBits'(Refilling - 1));
  end else begin : gen_refill_at_once
    assign refilled = 1'b1;
  end

  assign begin_o        = full_i & ((state_q.rest & ~waits_q) | ends);
  assign open_o         = ready_q & passed_q & (Several | ~modulus_i);
  assign rest_o         = state_q.rest & ~waits_q;
  assign feed_modulus_o = begin_o & Several;
  assign feed_o         = state_q.refill & refilled;
  assign fetch_o        = state_q.build;
  assign claim_o        = state_q.settle & room_i;
  assign next_o         = state_q.iterate | claim_o;
  assign finish_o       = ends;

  // Entries in eight steps for the multiples of m, three cycles apart, and two for each multiple,
  // read and divided; zero is read as the first of them, when m is forgotten.
  logic [1:0] multiple;
  assign multiple = index_q[2:1];

  logic divides, upper;
  assign divides = state_q.entries & index_q[3] & index_q[0];
  assign upper   = state_q.entries & index_q[3] & ~index_q[0];

  always_comb begin
    soon_d = '0;
    // Behind the last row comes the lowest: boot and divides write there.
    if (state_q.build) soon_d.row = gray(2'(index_q >> Digit));
    else if (state_q.iterate) soon_d.row = gray(digit_i);
    else if (state_q.boot | divides) soon_d.row = gray(2'(Rows));
    else if (index_q[3]) soon_d.row = gray(multiple);
    else soon_d.row = {index_q[2], index_q[2] | index_q[0]};  // in steps 0, 3 and 6
    if (state_q.build) soon_d.quotient = index_q[1:0];
    else if (divides) begin
      soon_d.quotient = {multiple[1] ^ (multiple[0] & ~second_bit_i), multiple[0]};
    end
    // In the first iteration the sum is 0.
    soon_d.forced = ~state_q.iterate | soon_q.mode;
    soon_d.mode   = ~state_q.iterate & ~divides & ~state_q.rest;
    soon_d.write  = state_q.boot | state_q.build | (divides & (multiple != '0))
                  | (state_q.entries & ((index_q == 4'd0)
                     | ((Digit == 2) & ((index_q == 4'd3) | (index_q == 4'd6)))));
    soon_d.clear  = state_q.boot | state_q.settle | divides | (upper & (multiple == '0));
    soon_d.carry  = divides;
  end

  always_ff @(posedge clk_i) begin
    soon_q <= soon_d;
    step_q <= soon_q;
  end
  assign soon_o = soon_q;
  assign step_o = step_q;

endmodule

`default_nettype wire
