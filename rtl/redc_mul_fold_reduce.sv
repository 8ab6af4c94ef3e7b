// SPDX-License-Identifier: Apache-2.0
// redc_mul_fold_reduce: a product modulo 2^Width - c, folded twice.
//
// Contract  limbs of a product come, the lowest first (limb_i), digits of up to Digit + 2 bits:
//           Limbs lower ones, then as many upper ones. The result's limbs leave with valid_o in
//           cycles one behind the other, digits of Digit bits, below 2 (2^Width - c) in all.
// Method    2^(Width + s) = 2^s c, where s bits are above Width in all digits: the upper limbs
//           times that are added to the lower ones, which waited in a memory. Of the sum what is at
//           Width and above goes the same way (its s lowest bits as if they were a limb below the
//           lowest one), and the rest, which waited in another memory, is added. Carries go to the
//           next digit only, so digits have a bit more than they should, until the end: then those
//           that a limb makes and passes on are found at once.
// Timing    the first limb leaves 2 FoldLevels + Limbs + 8 cycles behind the first upper limb, or,
//           where these come with gaps, FoldLevels * 2 + 9 behind the last one.
// Leakage   none. Memories keep limbs until overwritten.
// Refuses   nothing itself; redc_mul_fold does.
// Partner   src/redcore/families/fold.py.
`default_nettype none

module redc_mul_fold_reduce #(
  /// The core.
  parameter redc_mul_fold_pkg::config_t Core = '{width: 255, less: 48'd19, digit: 17, rows: 3,
                                                  word: 2},
  /// Primitives, as redc_prim_carry_chain has them.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam redc_mul_fold_pkg::sizes_t Sizes = redc_mul_fold_pkg::sizes(Core),
  localparam int unsigned Digit = Core.digit,
  localparam int unsigned Rows  = Core.rows
) (
  input  wire logic                       clk_i,
  /// Active low, synchronous: nothing is on its way.
  input  wire logic                       rst_ni,
  /// A limb of the product.
  input  wire logic                       limb_i,
  input  wire logic [Rows-1:0][Digit+1:0] data_i,
  /// A limb of the result; the last one. The highest digit of an exact number has a bit more.
  output      logic                       valid_o,
  output      logic                       last_o,
  output      logic [Rows-1:0][Digit:0]   data_o
);

  localparam int unsigned Limbs = Sizes.limbs;
  localparam int unsigned Drain = Sizes.drain;
  localparam int unsigned PlaceBits = redc_pkg::index_bits(Limbs);
  // Limbs of both foldings: -1, where what is folded lies below the lowest one, is the highest.
  localparam int unsigned OrderBits = $clog2(Limbs + Drain + 1);
  localparam int unsigned SumBits = Digit + (Sizes.whole ? redc_mul_fold_pkg::WholeBits + 2
                                             : 2 + $clog2(2 * Sizes.pieces + 2));
  localparam int unsigned Over    = SumBits - Digit;
  typedef logic [PlaceBits-1:0] place_t;
  typedef logic [OrderBits-1:0] order_t;
  localparam order_t Top  = order_t'(Limbs - 1);
  localparam order_t Most = order_t'(Limbs + Drain - 1);
  localparam order_t Under = '1;
  typedef logic [Rows-1:0][Digit:0] limb_t;

  // Bits of the highest limb that are below Width, by digits; what a digit has above its bits is of
  // the next one.
  function automatic limb_t below_width();
    automatic limb_t       mask = '0;
    automatic int unsigned kept = Rows * Digit - Sizes.spare;
    for (int unsigned row = 0; row < Rows; row++) begin
      for (int unsigned i = 0; i <= Digit; i++) begin
        mask[row][i] = (row * Digit + i < kept);
      end
    end
    return mask;
  endfunction
  localparam limb_t Below = below_width();

  // ------------------------------------------------------------------------------------------
  // What comes: lower limbs wait, upper ones go on.
  // ------------------------------------------------------------------------------------------
  place_t at_q;       // of the next limb
  logic   upper_q;    // it is an upper one
  order_t drain_q;    // behind the upper limbs nothing comes, but what they carry
  logic   drains_q, drains_next, come;
  assign come        = limb_i & upper_q;
  assign drains_next = (come & (at_q == place_t'(Top))) | (drains_q & (drain_q != Most));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {at_q, upper_q, drains_q} <= '0;
    end else begin
      if (limb_i) begin
        at_q    <= (at_q == place_t'(Top)) ? '0 : at_q + 1'b1;
        upper_q <= upper_q ^ (at_q == place_t'(Top));
      end
      drains_q <= drains_next;
    end
    drain_q <= drains_q ? drain_q + 1'b1 : order_t'(Limbs);
  end

  // ------------------------------------------------------------------------------------------
  // Foldings, the first one and the second. Of the second, -1 and Drain limbs are folded.
  // ------------------------------------------------------------------------------------------
  logic                       valid_q, second_q, first_q, run_q;
  order_t                    order_q, next_q;
  limb_t                     lower, sums, folded, above, l_q;
  logic [Rows-1:0][Digit+1:0] h_q;
  // from the lanes: which limb, and its sum without what is carried to the next digit
  logic                      sum_valid, sum_first, out_valid_q, out_second_q, second;
  order_t                    out_order_q, sum_order;

  redc_prim_ram #(.Bits(Rows * (Digit + 1)), .Depth(1 << PlaceBits)) i_lower (
    .clk_i, .write_i(limb_i & ~upper_q), .write_address_i(at_q), .write_data_i(sums),
    .read_i(1'b1), .read_address_i(at_q), .read_data_o(lower)
  );
  for (genvar row = 0; row < Rows; row++) begin : gen_narrow
    assign sums[row] = data_i[row][Digit:0];
  end
  redc_prim_ram #(.Bits(Rows * (Digit + 1)), .Depth(1 << PlaceBits)) i_folded (
    .clk_i, .write_i(out_valid_q & ~out_second_q), .write_address_i(place_t'(out_order_q)),
    .write_data_i(above), .read_i(1'b1), .read_address_i(place_t'(next_q)), .read_data_o(folded)
  );

  // The second folding begins when the highest lower limb is known, and runs through all of them.
  // What chooses is from registers: begins_q, the limb below the lowest one; run_q, those behind
  // it, of which Drain are folded (folds_q) and the highest one keeps what is below Width (kept_q);
  // come_q, those of the first folding, with what has come.
  logic begins_q, begins, folds_q, kept_q, run_next, comes_q;
  order_t next_next;
  assign begins      = sum_valid & ~second & (sum_order == Top);
  assign run_next    = begins_q | (run_q & (next_q != Top));
  assign next_next   = run_q ? next_q + 1'b1 : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {run_q, valid_q, begins_q} <= '0;
    end else begin
      begins_q <= begins;
      run_q    <= run_next;
      valid_q  <= come | drains_q | begins_q | run_q;
    end
    next_q   <= next_next;
    folds_q  <= begins | (run_next & (next_next < order_t'(Drain)));
    kept_q   <= run_next & (next_next != Top);
    comes_q  <= ~begins & ~run_next & ~drains_next;
    second_q <= begins_q | run_q;
    first_q  <= begins_q | (~run_q & ~drains_q & (at_q == '0));
    order_q  <= begins_q ? Under : run_q ? next_q : drains_q ? drain_q : order_t'(at_q);
    for (int unsigned row = 0; row < Rows; row++) begin
      // What is at Width and above; of the limb below the lowest one no more than that.
      h_q[row] <= (data_i[row] & {(Digit + 2){comes_q}})
                | {1'b0, above[row] & ((Below[row] & {(Digit + 1){folds_q & ~begins_q}})
                                       | (~Below[row] & {(Digit + 1){folds_q}}))};
      l_q[row] <= (lower[row] & {(Digit + 1){comes_q}})
                | (folded[row] & ((Below[row] & {(Digit + 1){run_q}})
                                  | (~Below[row] & {(Digit + 1){kept_q}})));
    end
  end
  logic [Rows-1:0][SumBits-1:0] sum;
  redc_mul_fold_lanes #(.Core(Core)) i_lanes (
    .clk_i, .rst_ni, .valid_i(valid_q), .first_i(first_q), .h_i(h_q), .l_i(l_q),
    .valid_o(sum_valid), .first_o(sum_first), .sum_o(sum)
  );
  redc_prim_delay #(.Bits(OrderBits + 1), .Cycles(Sizes.fold_levels)) i_order (
    .clk_i, .d_i({second_q, order_q}), .q_o({second, sum_order})
  );

  // Carries go to the next digit. The result's highest digit keeps its own.
  logic [Over-1:0] over_q;
  logic            highest;
  limb_t           once;
  assign highest = Sizes.exact & second & (sum_order == Top);
  for (genvar row = 0; row < Rows; row++) begin : gen_once
    logic            no_carry, own;
    logic [Over-1:0] below;
    assign own   = (row == Rows - 1) & highest & sum[row][Digit];
    assign below = (row == 0) ? over_q : sum[(row+Rows-1)%Rows][Digit+:Over];
    redc_prim_carry_chain #(.Width(Digit + 1), .Gate(0), .Technology(Technology)) i_add (
      .x0_i({own, sum[row][Digit-1:0]}), .x1_i('1), .y0_i((Digit+1)'(below)),
      .y1_i({(Digit + 1){(row != 0) | ~sum_first}}), .carry0_i(1'b0), .carry1_i(1'b0),
      .sum_o(once[row]), .carry_o(no_carry)
    );
    wire unused = ^{no_carry, below};
  end
  always_ff @(posedge clk_i) begin
    out_valid_q  <= sum_valid & rst_ni;
    out_second_q <= second;
    out_order_q  <= sum_order;
    if (sum_valid) over_q <= sum[Rows-1][Digit+:Over];
    above <= once;
  end

  // ------------------------------------------------------------------------------------------
  // The result's carries: each digit makes one, or passes one on, or neither.
  // ------------------------------------------------------------------------------------------
  logic [2:0]      result_q, result_last_q;
  limb_t           first_wait_q, second_wait_q;
  logic [Rows-1:0] makes_q, passes_q, carry_q;
  logic [Rows:0]   carry;
  logic            carry_out_q;
  assign carry[0] = carry_out_q;
  for (genvar row = 0; row < Rows; row++) begin : gen_carry
    assign carry[row+1] = makes_q[row] | (passes_q[row] & carry[row]);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) result_q <= '0;
    else result_q <= {result_q[1:0], out_valid_q & out_second_q & (out_order_q != Under)};
    result_last_q <= {result_last_q[1:0], out_order_q == Top};
    first_wait_q  <= above;
    second_wait_q <= first_wait_q;
    for (int unsigned row = 0; row < Rows; row++) begin
      makes_q[row]  <= above[row][Digit];
      passes_q[row] <= &above[row][Digit-1:0];
    end
    carry_q <= carry[Rows-1:0];
    if (!rst_ni) carry_out_q <= 1'b0;
    else if (result_q[0]) carry_out_q <= carry[Rows] & ~result_last_q[0];
    for (int unsigned row = 0; row < Rows; row++) begin
      data_o[row] <= {(row == Rows - 1) & result_last_q[1] & second_wait_q[row][Digit],
                      second_wait_q[row][Digit-1:0]} + (Digit+1)'(carry_q[row]);
    end
  end
  assign valid_o = result_q[2];
  assign last_o  = result_last_q[2];

endmodule

`default_nettype wire
