// SPDX-License-Identifier: Apache-2.0
// redc_mul_solinas_reduce: Montgomery reduction modulo a prime of few powers of two, without
//                          products.
//
// Contract  limbs of a product T come, the lowest first (limb_i), 2 Limbs of them, digits below
//           2^(Digit + 1). The Limbs limbs of (T + Q m) / R leave with valid_o, digits below
//           2^Digit, R = 2^(Limbs Rows Digit) and Q the number below R that makes it whole.
// Method    m is -1 modulo a limb, so a limb of T, once what lower ones add to it is there, is
//           itself the quotient's limb: Q m takes it away from its own place and adds it at each of
//           the prime's powers of two above. Those are shifts by constants, hence wires, as limbs
//           of Q have all their carries. What is subtracted is added bit by bit inverted, as if Q
//           had zeros above and below it, with a one at the very bottom for the whole number.
//           A limb longer than the lowest exponent counts in itself, too: what is below that
//           exponent is then known, and added once more (again).
//           Limbs of T wait in a memory until the limb of Q below is there (Sizes.spacing cycles),
//           upper limbs follow each other in each cycle.
// Timing    early_levels + late_levels + 3 cycles from where a limb enters to where it leaves.
// Leakage   none. The memory keeps limbs until overwritten.
// Refuses   nothing itself; redc_mul_solinas does.
// Partner   src/redcore/families/solinas.py.
`default_nettype none

module redc_mul_solinas_reduce #(
  /// The core.
  parameter redc_mul_solinas_pkg::config_t Core = '{
    width: 256, between: '{e1: 96, e2: 192, e3: 224, minus: 3'd4}, digit: 18, rows: 3, word: 2},
  /// Derived; not to be set.
  localparam redc_mul_solinas_pkg::sizes_t Sizes = redc_mul_solinas_pkg::sizes(Core),
  localparam int unsigned Digit = Core.digit,
  localparam int unsigned Rows  = Core.rows
) (
  input  wire logic                       clk_i,
  /// Active low, synchronous: nothing is on its way.
  input  wire logic                       rst_ni,
  /// A limb of the product.
  input  wire logic                       limb_i,
  input  wire logic [Rows-1:0][Digit+1:0] data_i,
  /// A limb of the result; the last one.
  output      logic                       valid_o,
  output      logic                       last_o,
  output      logic [Rows-1:0][Digit:0]   data_o
);

  import redc_mul_solinas_pkg::*;

  localparam int unsigned Limbs   = Sizes.limbs;
  localparam int unsigned Early   = Sizes.early_levels;
  localparam int unsigned Late    = Sizes.late_levels;
  localparam int unsigned Spacing = Sizes.spacing;
  localparam int unsigned Bits    = Rows * Digit;  // of a limb
  // A digit of T is below 2^(Digit + 1), one of each term below 2^Digit.
  localparam int unsigned OverBits  = $clog2(2 + Sizes.terms);
  localparam int unsigned SumBits   = Digit + OverBits;
  localparam int unsigned IndexBits = $clog2(2 * Limbs);
  // Limbs that may wait: as many as Spacing, which is 8 at most (and more where Limbs is 2).
  localparam int unsigned Places    = 8;
  localparam int unsigned PlaceBits = $clog2(Places);
  typedef logic [IndexBits-1:0] index_t;
  typedef logic [Bits-1:0]      limb_t;

  // ------------------------------------------------------------------------------------------
  // Limbs wait until it is their turn, and enter.
  // ------------------------------------------------------------------------------------------
  logic                 go;
  logic [Places-1:0]    level_q;          // as many ones as limbs wait
  logic [PlaceBits-1:0] write_q, read_q;
  index_t               next_q;           // the number of the limb to enter
  logic [Spacing-2:0]   wait_q;           // ones: no limb may enter yet
  logic [Rows-1:0][Digit:0] waiting, product;
  // of the limb that enters: the quotient's limb before it is to be taken, was the last one
  logic                 enter_q, feeds_q, clears_q, upper_q, first_q, last_q;
  assign go = level_q[0] & ~wait_q[0];
  for (genvar row = 0; row < Rows; row++) begin : gen_waiting
    assign waiting[row] = data_i[row][Digit:0];
    wire unused = data_i[row][Digit+1];
  end
  redc_prim_ram #(
    .Bits(Rows * (Digit + 1)), .Depth(Places), .Registered(1)
  ) i_waiting (
    .clk_i, .write_i(limb_i), .write_address_i(write_q), .write_data_i(waiting), .read_i(1'b1),
    .read_address_i(read_q), .read_data_o(product)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {level_q, write_q, read_q, next_q, wait_q, enter_q} <= '0;
    end else begin
      if (limb_i) write_q <= write_q + 1'b1;
      if (limb_i != go) level_q <= limb_i ? {level_q[Places-2:0], 1'b1} : level_q >> 1;
      wait_q  <= wait_q >> 1;
      enter_q <= go;
      if (go) begin
        read_q <= read_q + 1'b1;
        next_q <= (next_q == index_t'(2 * Limbs - 1)) ? '0 : next_q + 1'b1;
        if (next_q < index_t'(Limbs)) wait_q <= '1;
        else if (next_q == index_t'(Limbs)) wait_q <= (Spacing-1)'((1 << (Early - 1)) - 1);
        else wait_q <= '0;
      end
    end
    first_q  <= (next_q == '0);
    feeds_q  <= (next_q != '0) & (next_q <= index_t'(Limbs));
    clears_q <= (next_q == index_t'(Limbs + 1));
    upper_q  <= (next_q >= index_t'(Limbs));
    last_q   <= (next_q == index_t'(2 * Limbs - 1));
  end

  // What goes with a limb, so many cycles behind.
  localparam int unsigned Cycles = Early + Late + 2 + (Sizes.again ? AgainCycles : 0);
  logic [Cycles:0] enter, first, feeds, upper, last;
  assign {enter[0], first[0], feeds[0], upper[0], last[0]} =
         {enter_q, first_q, feeds_q, upper_q, last_q};
  logic [Cycles:1] enter_late_q, first_late_q, feeds_late_q, upper_late_q, last_late_q;
  always_ff @(posedge clk_i) begin
    enter_late_q <= rst_ni ? enter[Cycles-1:0] : '0;
    first_late_q <= first[Cycles-1:0];
    feeds_late_q <= feeds[Cycles-1:0];
    upper_late_q <= upper[Cycles-1:0];
    last_late_q  <= last[Cycles-1:0];
  end
  assign enter[Cycles:1] = enter_late_q;
  assign first[Cycles:1] = first_late_q;
  assign feeds[Cycles:1] = feeds_late_q;
  assign upper[Cycles:1] = upper_late_q;
  assign last[Cycles:1]  = last_late_q;

  // ------------------------------------------------------------------------------------------
  // The quotient. While a limb enters, quotient_q is the limb two below it; Early cycles later the
  // one below. above_q are those further below. There are none behind the highest one.
  // ------------------------------------------------------------------------------------------
  limb_t quotient_q, settled, quotient_next;
  limb_t [Limbs:2] below;  // so many below the limb that enters
  assign below[2] = quotient_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (enter_q && clears_q)) quotient_q <= '0;
    else if (enter[Early-1] && feeds[Early-1]) quotient_q <= quotient_next;
  end
  if (Limbs > 2) begin : gen_above
    localparam int unsigned KeptBits = (Limbs - 2) * Bits;
    limb_t [Limbs:3] above_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) above_q <= '0;
      else if (enter_q) above_q <= KeptBits'({above_q, quotient_q});
    end
    assign below[Limbs:3] = above_q;
  end

  // ------------------------------------------------------------------------------------------
  // What each power of two adds: to bit number bit of a limb a bit of the limb so many below.
  // ------------------------------------------------------------------------------------------
  localparam int unsigned EarlyTerms = Sizes.terms - Sizes.late;
  logic [EarlyTerms:0][Bits-1:0] early;       // of the limb that enters, the product in place 0
  logic [Sizes.late:0][Bits-1:0] late_term;   // Early cycles later, from place 1 on
  assign early[0]     = '0;
  assign late_term[0] = '0;
  for (genvar term = 0; term < Sizes.terms; term++) begin : gen_term
    localparam int unsigned Exponent = exponent(Core.between, Core.width, term);
    localparam bit          Minus    = minus(Core.between.minus, term);
    localparam bit          IsLate   = late(Core.between, Core.width, Bits, term);
    localparam int unsigned Number   = 1 + numbered(Core.between, Core.width, Bits, term, IsLate);
    limb_t now, further;
    for (genvar i = 0; i < Bits; i++) begin : gen_bit
      localparam int unsigned Below = (Exponent > i) ? redc_pkg::ceil_div(Exponent - i, Bits) : 0;
      localparam int unsigned From  = Below * Bits + i - Exponent;
      if (Below == 0) begin : gen_again
        assign now[i]     = 1'b0;
        assign further[i] = 1'b0;
      end else if (Below == 1) begin : gen_next
        assign now[i]     = quotient_q[From];
        assign further[i] = 1'b0;
      end else begin : gen_further
        assign now[i] = 1'b0;
        if (Below <= Limbs) begin : gen_below
          assign further[i] = below[Below][From];
        end else begin : gen_beyond
          assign further[i] = 1'b0;
        end
      end
    end
    if (IsLate) begin : gen_late
      limb_t waited;
      redc_prim_delay #(.Bits(Bits), .Cycles(Early)) i_further (
        .clk_i, .d_i(further), .q_o(waited)
      );
      assign late_term[Number] = (waited | now) ^ {Bits{Minus}};
    end else begin : gen_early
      assign early[Number] = further ^ {Bits{Minus}};
      wire unused = ^now;
    end
  end

  // ------------------------------------------------------------------------------------------
  // Sums by digits; what each has above its bits goes to the next one, and then all carries.
  // ------------------------------------------------------------------------------------------
  localparam int unsigned SumAt = Early + Late;  // cycles until the sum is there
  logic [Rows-1:0][SumBits-1:0] sum;
  for (genvar row = 0; row < Rows; row++) begin : gen_sum
    logic [EarlyTerms:0][SumBits-1:0] early_terms;
    logic [Sizes.late:0][SumBits-1:0] late_terms;
    assign early_terms[0] = SumBits'(product[row]);
    for (genvar term = 1; term <= EarlyTerms; term++) begin : gen_early
      assign early_terms[term] = SumBits'(early[term][row*Digit+:Digit]);
    end
    for (genvar term = 1; term <= Sizes.late; term++) begin : gen_late
      assign late_terms[term] = SumBits'(late_term[term][row*Digit+:Digit]);
    end
    redc_mul_limbs_sum #(
      .Terms(EarlyTerms + 1), .Bits(SumBits), .TermBits(Digit + 1), .Levels(Early)
    ) i_early (
      .clk_i, .terms_i(early_terms), .sum_o(late_terms[0])
    );
    redc_mul_limbs_sum #(
      .Terms(Sizes.late + 1), .Bits(SumBits), .Levels(Late)
    ) i_late (
      .clk_i, .terms_i(late_terms), .sum_o(sum[row])
    );
  end
  wire unused_terms = ^{early[0], late_term[0]};

  // Below a product there are the ones of what is subtracted.
  logic [OverBits-1:0]           over_q;
  logic [Rows-1:0][Digit:0]      once_q;
  logic [Rows-1:0][Digit-1:0]    digit_q, plus_one_q;
  logic [Rows-1:0]               makes_q, passes_q;
  logic [Rows:0]                 carry;
  logic                          carry_q, again_carry;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) over_q <= OverBits'(Sizes.minuses);
    else if (enter[SumAt]) begin
      over_q <= last[SumAt] ? OverBits'(Sizes.minuses) : sum[Rows-1][Digit+:OverBits];
    end else if (again_carry) over_q <= over_q + 1'b1;
    for (int unsigned row = 0; row < Rows; row++) begin
      once_q[row] <= (Digit+1)'(sum[row][Digit-1:0])
                   + (Digit+1)'((row == 0) ? over_q : sum[(row+Rows-1)%Rows][Digit+:OverBits]);
    end
    // These stay until the limb behind comes: the quotient is taken from them as it needs it.
    if (enter[SumAt+1]) begin
      carry_q <= carry[Rows] & ~first[SumAt+1];
      for (int unsigned row = 0; row < Rows; row++) begin
        makes_q[row]  <= once_q[row][Digit];
        passes_q[row] <= &once_q[row][Digit-1:0];
        digit_q[row]  <= once_q[row][Digit-1:0];
        plus_one_q[row]  <= once_q[row][Digit-1:0] + 1'b1;
      end
    end
  end
  assign carry[0] = carry_q;
  for (genvar row = 0; row < Rows; row++) begin : gen_carry
    assign carry[row+1] = makes_q[row] | (passes_q[row] & carry[row]);
    assign settled[row*Digit+:Digit] = carry[row] ? plus_one_q[row] : digit_q[row];
  end

  // ------------------------------------------------------------------------------------------
  // A limb that counts in itself: what is below the lowest exponent, once more. It carries to the
  // limb behind, which has not come so far.
  // ------------------------------------------------------------------------------------------
  if (Sizes.again) begin : gen_again
    localparam int unsigned Lowest = exponent(Core.between, Core.width, 0);
    localparam int unsigned SecondAt = SumAt + 2;
    limb_t                    first_pass_q, added;
    logic [Rows-1:0][Digit:0] twice_q;
    logic [Rows-1:0][Digit-1:0] again_digit_q, again_plus_one_q;
    logic [Rows-1:0]          again_makes_q, again_passes_q;
    logic [Rows:0]            ripple;
    assign added = first_pass_q << Lowest;
    always_ff @(posedge clk_i) begin
      first_pass_q <= settled;
      for (int unsigned row = 0; row < Rows; row++) begin
        twice_q[row] <= (Digit+1)'(first_pass_q[row*Digit+:Digit])
                      + (Digit+1)'(added[row*Digit+:Digit]);
        if (enter[SecondAt+2]) begin
          again_makes_q[row]    <= twice_q[row][Digit];
          again_passes_q[row]   <= &twice_q[row][Digit-1:0];
          again_digit_q[row]    <= twice_q[row][Digit-1:0];
          again_plus_one_q[row] <= twice_q[row][Digit-1:0] + 1'b1;
        end
      end
    end
    assign ripple[0] = 1'b0;
    for (genvar row = 0; row < Rows; row++) begin : gen_ripple
      assign ripple[row+1] = again_makes_q[row] | (again_passes_q[row] & ripple[row]);
      assign quotient_next[row*Digit+:Digit] = ripple[row] ? again_plus_one_q[row]
                                                           : again_digit_q[row];
    end
    assign again_carry = enter[SecondAt+AgainCycles] & ~upper[SecondAt+AgainCycles] & ripple[Rows];
  end else begin : gen_once
    assign quotient_next = settled;
    assign again_carry   = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    valid_o <= rst_ni & enter[SumAt+2] & upper[SumAt+2];
    last_o  <= last[SumAt+2];
    for (int unsigned row = 0; row < Rows; row++) begin
      data_o[row] <= {1'b0, settled[row*Digit+:Digit]};
    end
  end

endmodule

`default_nettype wire
