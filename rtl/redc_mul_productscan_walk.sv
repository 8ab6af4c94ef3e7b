// SPDX-License-Identifier: Apache-2.0
// redc_mul_productscan_walk: which words of a, b, q and m are multiplied, product by product and
// column by column.
//
// Contract  behind begin_i, while run_o: x_o is the place of a word of a or q, y_o that of one of b
//           or m, and x + y the column; reduces_o: of q and m. useful_o: they are multiplied, and
//           with twice_o the product counts twice. column_o: the column's last product, or the one
//           column that has none. While none is made and mod_write_i, y_o counts the words of a
//           modulus from mod_first_i on.
// Method    low products of a and b, x falling, then of q and m, x rising: what the column below
//           has left to find, the last digit of q and the carry, is asked for last. x and y move by
//           one.
//           Of a square the products of a and b begin in the middle, x as low as y or one below
//           it, and go on to the least x: what was above the middle would be the same again.
// Timing    a product a cycle; waits for known_i before the last digit of q of the column below,
//           and where a digit of the result would meet the one before, pending_i.
// Leakage   depends on parameters and square_i alone.
// Refuses   nothing itself; redc_mul_productscan does.
// Partner   src/redcore/families/productscan.py; docs/families/productscan.md has it as a table.
`default_nettype none

module redc_mul_productscan_walk #(
  /// Words of an operand.
  parameter int unsigned Beats = 15,
  /// Words of a narrow one; Beats where all are alike.
  parameter int unsigned NarrowBeats = Beats,
  /// 1: squares are walked as such, of three words at least.
  parameter int unsigned Squares = 0,
  /// Derived; not to be set.
  localparam int unsigned PlaceBits = $clog2(Beats + 1)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; ends the walk.
  input  wire logic                 rst_ni,
  /// Begins a walk in the next cycle.
  input  wire logic                 begin_i,
  /// Operands are narrow; stands while it goes on.
  input  wire logic                 narrow_i,
  /// It is that of a square.
  input  wire logic                 square_i,
  /// A digit of the result waits, and the next one must not come.
  input  wire logic                 pending_i,
  /// The digit of q, and the carry, of the column below are written.
  input  wire logic                 known_i,
  /// A word of a modulus is written, at y; the next one will be the first.
  input  wire logic                 mod_write_i,
  input  wire logic                 mod_first_i,
  output      logic                 run_o,
  output      logic                 reduces_o,
  /// Columns whose lowest digits are the result's: Beats and above.
  output      logic                 result_o,
  output      logic [PlaceBits-1:0] x_o,
  output      logic [PlaceBits-1:0] y_o,
  output      logic                 useful_o,
  output      logic                 twice_o,
  output      logic                 column_o
);

  typedef logic [PlaceBits-1:0] place_t;
  logic   run_q, reduces_q, result_q;
  logic   upper_q;   // columns above Beats
  logic   last_q;    // the last one, of no product
  logic   known_q;   // digit of q and carry of the column below have been written
  logic   edge_q;    // of the products of q and m the last one, where these are made
  logic   meets_q;   // column Beats, whose last product is at x = Beats; not of a square
  logic   passes_q;  // the cycle behind it, of a place done before
  place_t x_q, y_q;
  logic   stands, goes, turns, ends, returns;
  logic   x_moves, y_moves, y_rests;
  logic   x_up_q, y_up_q;  // where they move to, if they do

  // Places of the highest word, and of the one below it.
  place_t highest, second;
  if (NarrowBeats != Beats) begin : gen_narrow
    assign highest = narrow_i ? place_t'(NarrowBeats - 1) : place_t'(Beats - 1);
    assign second  = narrow_i ? place_t'(NarrowBeats - 2) : place_t'(Beats - 2);
  end else begin : gen_one_width
    assign highest = place_t'(Beats - 1);
    assign second  = place_t'(Beats - 2);
    wire unused_narrow = narrow_i;
  end

  // Of a square, at the end of a column: to the middle of the next one.
  logic   square, jumps;
  place_t middle_x, middle_y;
  logic   middle_x_least, middle_x_most, middle_y_second, middle_y_most;

  // Where x and y are, found while they move there.
  logic   x_least_q, x_most_q, y_least_q, y_second_q, y_most_q;
  always_ff @(posedge clk_i) begin
    if (!run_q) {x_least_q, x_most_q} <= 2'b10;
    else if (jumps) {x_least_q, x_most_q} <= {middle_x_least, middle_x_most};
    else if (x_moves) begin
      x_least_q <= ~x_up_q & (x_q == place_t'(1));
      x_most_q  <= x_up_q ? (x_q == second) : returns;
    end
    if (y_rests) {y_least_q, y_second_q, y_most_q} <= 3'b100;
    else if (jumps) {y_least_q, y_second_q, y_most_q} <= {1'b0, middle_y_second, middle_y_most};
    else if (y_moves) begin
      y_least_q  <= ~y_up_q & y_second_q;
      y_second_q <= y_up_q ? y_least_q : (y_q == place_t'(2));
      y_most_q   <= y_up_q & (y_q == second);
    end
  end

  // The end of a column, or of the cycle behind column Beats that passes a place done before. What
  // tells them stands in registers, as the next places hang on it.
  assign ends     = last_q | (reduces_q & edge_q);
  assign stands   = (reduces_q & y_second_q & ~upper_q & ~known_q)
                  | (ends & result_q & pending_i & ~passes_q);
  assign goes     = run_q & ~stands;
  assign turns    = ~reduces_q & (x_least_q | y_most_q);
  assign column_o = goes & ends & ~passes_q;
  assign useful_o = goes & ~last_q & ~passes_q & ~(reduces_q & x_least_q & y_least_q);
  always_ff @(posedge clk_i) begin
    if (!reduces_q) edge_q <= y_least_q | (upper_q & x_most_q);
    else if (goes) edge_q <= returns | y_second_q | (upper_q & (x_q == second));
    if (!run_q) {meets_q, passes_q, x_up_q, y_up_q} <= 4'b0001;
    else if (goes) begin
      x_up_q <= (reduces_q | turns) & (~ends | returns) & ~(reduces_q & y_second_q & meets_q);
      if (reduces_q) y_up_q <= ends | y_second_q | (upper_q & (x_q == second));
      else y_up_q <= ~turns | y_least_q | (upper_q & x_most_q);
      passes_q <= returns;
      if (ends) meets_q <= x_most_q & ~result_q & ~square;
    end
  end

  // Behind column Beats back to x = Beats - 1.
  assign returns = reduces_q & edge_q & meets_q;
  assign jumps   = square & goes & ends;
  assign x_moves = goes & ~turns & ~(ends & (upper_q | (x_most_q & ~result_q)));
  assign y_moves = mod_write_i | (goes & ~turns & ~(ends & ~result_q & ~x_most_q));
  assign y_rests = ~run_q & mod_first_i & ~mod_write_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {run_q, reduces_q, result_q, upper_q, last_q, known_q} <= '0;
    end else if (!run_q) begin
      {run_q, reduces_q, result_q, upper_q, last_q, known_q} <= {begin_i, 5'b0};
    end else begin
      if (goes) begin
        run_q     <= ~last_q;
        reduces_q <= (reduces_q | turns) & (~ends | returns);
        result_q  <= result_q | (ends & x_most_q);
        upper_q   <= upper_q | (ends & result_q);
        last_q    <= ends & upper_q & y_most_q;
      end
      known_q <= known_i | (known_q & ~column_o);
    end
    if (y_rests) y_q <= '0;
    else if (jumps) y_q <= middle_y;
    else if (y_moves) y_q <= y_q + {{(PlaceBits - 1){~y_up_q}}, 1'b1};
    if (!run_q) x_q <= '0;
    else if (jumps) x_q <= middle_x;
    else if (x_moves) x_q <= x_q + {{(PlaceBits - 1){~x_up_q}}, 1'b1};
  end
  assign {run_o, reduces_o, result_o, x_o, y_o} = {run_q, reduces_q, result_q, x_q, y_q};

  // ------------------------------------------------------------------------------------------
  // Squares. The middle of the next column stands here while this one is made: one place up, by
  // turns, of y and of x.
  // ------------------------------------------------------------------------------------------
  if (Squares != 0) begin : gen_squares
    logic   square_q, opens_q, even_q;
    place_t middle_x_q, middle_y_q;
    assign square   = square_q;
    assign middle_x = middle_x_q;
    assign middle_y = middle_y_q;
    assign twice_o  = square_q & ~reduces_q & ~(opens_q & even_q);
    always_ff @(posedge clk_i) begin
      // A column takes two cycles at least, so that these are there in time.
      middle_x_least  <= middle_x_q == '0;
      middle_x_most   <= middle_x_q == highest;
      middle_y_second <= middle_y_q == place_t'(1);
      middle_y_most   <= middle_y_q == highest;
      if (!run_q) begin
        square_q <= square_i;
        {middle_x_q, middle_y_q} <= {place_t'(0), place_t'(1)};
        {opens_q, even_q} <= 2'b11;
      end else if (goes) begin
        // The first product of a column, and whether it is of a digit with itself.
        opens_q <= ends;
        if (ends) even_q <= ~even_q;
        if (jumps) {middle_x_q, middle_y_q} <= {middle_y_q, middle_x_q + 1'b1};
      end
    end
  end else begin : gen_no_squares
    assign {square, twice_o, middle_x_least, middle_x_most} = '0;
    assign {middle_y_second, middle_y_most, middle_x, middle_y} = '0;
    wire unused_square = ^{square_i, highest};
  end

endmodule

`default_nettype wire
