// SPDX-License-Identifier: Apache-2.0
// redc_mul_tablechain_schedule: what redc_mul_tablechain's lowest unit does, cycle by cycle.
//
// Contract  told what came in, it gives out a step a cycle. Operands may come once all digits of
//           the multiplier before have been fetched that they would overwrite.
// Method    a state, and a counter of its cycles where it needs one. Build: each entry with the
//           multiplicand b is the one of the row below, plus b. Of the modulus, the same with b = m
//           gives its multiples; Divide: each of them, read behind a zero, divided by the radix and
//           one added, is an entry of the modulus alone. Zero, from which all begins, is written
//           once behind reset. Build may begin while operands are still coming; it begins again
//           where their last word has come late.
// Timing    redc_mul_tablechain_pkg; a step leaves two cycles behind the state that says it.
// Leakage   steps follow what has come, not what it is; bits 1 and, in radix 8, 2 of the modulus
//           decide in which order its entries are written.
// Refuses   nothing itself; redc_mul_tablechain does.
// Partner   rtl/redc_mul_tablechain.sv.
`default_nettype none

module redc_mul_tablechain_schedule
  import redc_mul_tablechain_pkg::*;
#(
  /// What the core is built of.
  parameter config_t Config = '{width: 256, radix: 4, word: 20, moduli: 1, block: 1'b0},
  /// A step, with digits of three bits in radix 8.
  parameter type     step_t = redc_mul_tablechain_pkg::step_t,
  /// Derived; not to be set.
  localparam sizes_t      Sizes = sizes(Config),
  localparam int unsigned Told  = redc_pkg::max(Sizes.digit, 2)  // bits of a digit, as it is told
) (
  input  wire logic       clk_i,
  /// Active low, synchronous.
  input  wire logic       rst_ni,
  /// All words of a modulus are there, and its bit 1, in radix 8 with 2 (or of that of the operands
  /// that wait).
  input  wire logic       modulus_i,
  input  wire logic [Told-1:1] second_bit_i,
  /// All words of operands are there, until claim_o; or so many that the others come in time.
  input  wire logic       full_i,
  input  wire logic       ample_i,
  /// In the next cycle there is a place for every word of one more result.
  input  wire logic       room_next_i,
  /// The digit that comes next, whether it is the last one, or operands may come behind it.
  input  wire logic [Told-1:0] digit_i,
  input  wire logic       last_i,
  input  wire logic       early_i,
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
  /// The step of this cycle.
  output      step_t      step_o
);

  localparam bit          Several = Config.moduli > 1;
  localparam int unsigned Digit   = Sizes.digit;
  localparam int unsigned Rows    = (1 << Digit) - 1;
  localparam int unsigned IndexBits = 2 * Told;
  localparam int unsigned Refilling = redc_pkg::max(Sizes.renew, Sizes.entries + 3) - Sizes.entries
                                    - 2;

  // The state, a bit each. Renew and Refill are of several moduli.
  typedef struct packed {
    logic boot;
    logic rest;
    logic renew;
    logic build;
    logic divide;
    logic refill;
    logic settle;
    logic iterate;
  } state_t;

  state_t     state_q, state_d;
  logic [IndexBits-1:0] index_q;  // cycles of build, and multiples divided
  logic       modulus_q;  // what is built is of the modulus
  logic       begins, renewed, built, late, made, refilled, ends, claim, open_q, renews_q;
  // What index_q says, found a cycle before: the last entry of the multiplicand or of the modulus
  // is made in this cycle, or the last word of operands has to be there.
  logic       last_q, last_multiple_q, proof_q;
  logic       zero, read_q, divides_q, first_q;
  step_t      soon_d, soon_q, step_q;

  assign begins  = (full_i | ample_i) & (state_q.rest | ends);
  assign renewed = Several ? state_q.renew & renews_q : modulus_i;
  assign built   = last_q | last_multiple_q;
  // Words below the last one are then in time.
  assign late    = proof_q & ~full_i;
  assign made    = divides_q & (index_q[Told-1:0] == Told'(Rows - 1));
  assign ends    = state_q.iterate & last_i;

  always_comb begin
    state_d         = '0;
    state_d.rest    = state_q.boot | (state_q.rest & ~begins & ~renewed) | (made & !Several)
                    | (ends & ~begins) | late;
    state_d.renew   = Several & (begins | (state_q.renew & ~renews_q));
    state_d.build   = (state_q.build & ~built & ~late) | (Several ? feed_o : begins) | renewed;
    state_d.divide  = last_multiple_q | (state_q.divide & ~made);
    state_d.refill  = Several & (made | (state_q.refill & ~refilled));
    state_d.settle  = (last_q & ~late) | (state_q.settle & ~claim_o);
    state_d.iterate = claim_o | (state_q.iterate & ~last_i);
  end

  assign claim = state_d.settle & room_next_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= '{boot: 1'b1, default: 1'b0};
      {open_q, read_q, divides_q, claim_o, next_o, last_q, last_multiple_q, proof_q} <= '0;
    end else begin
      state_q   <= state_d;
      claim_o   <= claim;
      next_o    <= claim | state_d.iterate;
      read_q    <= zero;
      divides_q <= read_q;
      last_q    <= state_q.build & ~late & ~modulus_q
                 & (index_q == IndexBits'(Sizes.build - 2));
      proof_q   <= state_q.build & ~modulus_q & (index_q == IndexBits'(Sizes.proof - 1));
      last_multiple_q <= state_q.build & modulus_q & (index_q == IndexBits'(Sizes.build - 2));
      open_q    <= (open_q | state_q.rest | (state_q.iterate & early_i)) & ~claim_o & ~modulus_i;
    end
    renews_q  <= state_q.renew;
    first_q   <= claim_o;
    modulus_q <= renewed | (modulus_q & ~made);
    if (built || !(state_q.build || state_q.divide)) index_q <= '0;
    else if (state_q.build || divides_q) index_q <= IndexBits'(increment(16'(index_q)));
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

  assign open_o         = open_q & ~modulus_i;
  assign rest_o         = state_q.rest & ~modulus_i;
  assign feed_modulus_o = begins & Several;
  assign feed_o         = state_q.refill & refilled;
  assign fetch_o        = state_q.build;
  assign finish_o       = ends;

  // Three cycles for each multiple of the modulus: zero, for which the modulus is forgotten, the
  // multiple read, and divided.
  logic [Told-1:0] multiple;
  assign zero = state_q.divide & ~read_q & ~divides_q;
  if (Digit == 3) begin : gen_seven
    assign multiple = 3'(increment(16'(index_q[2:0])));
  end else begin : gen_three
    assign multiple = {|index_q[1:0], ~index_q[0]};
  end

  always_comb begin
    soon_d = '0;
    // Behind the last row comes the lowest: boot and divides write there.
    if (state_q.build) soon_d.row = Told'(row_code(3'(index_q >> Digit), Digit));
    else if (state_q.iterate) soon_d.row = Told'(row_code(3'(digit_i), Digit));
    else if (state_q.boot | divides_q) soon_d.row = Told'(row_code(3'(Rows), Digit));
    else soon_d.row = Told'(row_code(3'(multiple), Digit));
    if (state_q.build) soon_d.quotient = index_q[Told-1:0];
    else if (divides_q) begin
      soon_d.quotient = Told'(column_of(3'(multiple), 2'(second_bit_i), Digit));
    end
    // In the first iteration the sum is 0, and so is the multiplicand.
    soon_d.forced = ~state_q.iterate | first_q;
    soon_d.mode   = soon_d.forced & ~divides_q;
    soon_d.write  = state_q.boot | state_q.build | divides_q;
    soon_d.clear  = state_q.boot | state_q.settle | zero | divides_q;
    soon_d.carry  = divides_q;
  end

  always_ff @(posedge clk_i) begin
    soon_q <= soon_d;
    step_q <= soon_q;
    // Reset, it is no part of a shift register, whose output is late: the way to the quotient digit
    // begins here.
    if (Digit == 3) begin
      if (!rst_ni) step_q.mode <= 1'b0;
    end
  end
  always_comb begin
    step_o          = step_q;
    step_o.quotient = soon_q.quotient;
    step_o.forced   = soon_q.forced;
  end
  wire unused_step = ^step_q;

endmodule

`default_nettype wire
