// SPDX-License-Identifier: Apache-2.0
// redc_mul_productscan: Montgomery product column by column, on one multiplier slice.
//
// Contract  multiplier contract, words of Digit bits, as many as Width + 2 bits take, at least two;
//           m odd, operands and results below 2m (Bound 2); R = 2^Digit to the number of words.
// Method    finely integrated product scanning (Koc, Acar & Kaliski 1996): column c sums a_j
//           b_(c-j) and q_j m_(c-j), a product a cycle; its lowest digit is made zero by q_c, or is
//           a digit of the result, and the rest is carried to column c + 1. a and q lie in one
//           block memory, b and m in another, so a product takes one word of each. q_c and what
//           q_c m_0 carries come a few bits a cycle from a chain of their own, beside the products
//           of the next column (redc_mul_productscan_quotient); the carry lies where q_(c+1) will,
//           and a 1 where m_0 would, so that it is one more product. With Squares the products of a
//           and b of a pair that is told to be a square begin in the middle of a column, and all of
//           them but those of a digit with itself count twice. docs/families/productscan.md.
// Timing    two products for each pair of digits, and few cycles more: redc_mul_productscan_pkg.
// Leakage   cycle counts and addresses depend on parameters alone, and with Squares on in_square_i.
//           Registers and memories keep operands until overwritten.
// Refuses   Width < 4 or > 8192, Digit < 4 or > 18, Step < 1, > 9 or no divisor of Digit below it,
//           Moduli < 1 or > 1024, Squares with fewer than three words; Narrow other than 0 with
//           fewer than two, or than three with Squares, above Width or with Checks: at elaboration.
//           Checks = 1: even or too wide modulus, operand not below 2m, index not below Moduli,
//           misplaced last, a square of two that differ: err_o.
// Partner   src/redcore/families/productscan.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_productscan #(
  /// Bits of the modulus, 4 to 8192.
  parameter int unsigned Width = 256,
  /// Bits of a digit and of a word, 4 to 18.
  parameter int unsigned Digit = 18,
  /// Bits of the quotient that are made in a cycle, a divisor of Digit below it.
  parameter int unsigned Step = redc_mul_productscan_pkg::usual_step(Width),
  /// Moduli held.
  parameter int unsigned Moduli = 1,
  /// Bits of moduli at places from 1 on, whose operands have fewer words and R follows; a pair of
  /// the other width must find nothing inside (redc_mul_wide_narrow sees to that). 0: all are of
  /// Width.
  parameter int unsigned Narrow = 0,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// 1: of a pair with in_square_i a quarter of the products are left out. 0: in_square_i is not
  /// looked at.
  parameter int unsigned Squares = 0,
  /// Primitives: 0 generic, 1 ECP5, 2 Xilinx (redc_prim_mul, redc_prim_carry_chain,
  /// redc_prim_block).
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits  = redc_pkg::max(Digit, 4),
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; drops everything and forgets that a modulus is loaded.
  input  wire logic                 rst_ni,

  /// Modulus stream. Waits, and holds the operand stream, until nothing is in flight.
  input  wire logic                 mod_valid_i,
  output      logic                 mod_ready_o,
  input  wire logic [WordBits-1:0]  mod_data_i,
  /// High in the last beat of a modulus.
  input  wire logic                 mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0] mod_idx_i,

  /// Operand stream.
  input  wire logic                 in_valid_i,
  output      logic                 in_ready_o,
  input  wire logic [WordBits-1:0]  a_i,
  input  wire logic [WordBits-1:0]  b_i,
  /// High in the last beat of an operand pair.
  input  wire logic                 in_last_i,
  /// Place of the modulus to use.
  input  wire logic [IndexBits-1:0] in_idx_i,
  /// The operands are the same number; taken with the first beat. 0 where that is not known.
  input  wire logic                 in_square_i,

  /// Result stream, in order.
  output      logic                 out_valid_o,
  input  wire logic                 out_ready_i,
  output      logic [WordBits-1:0]  p_o,
  output      logic                 out_last_o,

  /// Sticky until reset; see Checks.
  output      logic                 err_o
);

  import redc_mul_productscan_pkg::*;

  localparam bit LegalStep = Step >= 1 && Step < Digit && Digit % redc_pkg::max(Step, 1) == 0;
  if (Width < 4 || Width > 8192) begin : gen_refuse_width
    $error("redc_mul_productscan: Width=%0d is not within 4 to 8192", Width);
  end
  if (Digit < 4 || Digit > 18) begin : gen_refuse_digit
    $error("redc_mul_productscan: Digit=%0d is not within 4 to 18", Digit);
  end
  if (!LegalStep) begin : gen_refuse_step
    $error("redc_mul_productscan: Step=%0d is no divisor of Digit=%0d below it", Step, Digit);
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_mul_productscan: Moduli=%0d is not within 1 to 1024", Moduli);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_productscan: Checks=%0d is neither 0 nor 1", Checks);
  end
  if (Narrow != 0 && (Narrow > Width || Checks != 0 ||
                      redc_pkg::ceil_div(Narrow + 2, redc_pkg::max(Digit, 1)) < 2 + Squares))
  begin : gen_refuse_narrow
    $error("redc_mul_productscan: Narrow=%0d is above Width, of too few words or with Checks=%0d",
           Narrow, Checks);
  end
  if (Squares > 1 || (Squares != 0 && redc_pkg::ceil_div(Width + 2, redc_pkg::max(Digit, 1)) < 3))
  begin : gen_refuse_squares
    $error("redc_mul_productscan: Squares=%0d is above 1, or with fewer than three words", Squares);
  end
  if (Technology > 2) begin : gen_refuse_technology
    $error("redc_mul_productscan: Technology=%0d is not within 0 to 2", Technology);
  end

  // An illegal set must reach its own message above, not a vector of no bits.
  localparam int unsigned Bits      = redc_pkg::min(WordBits, 18);
  localparam int unsigned StepBits  = LegalStep ? Step : 1;
  localparam int unsigned Places    = redc_pkg::max(Moduli, 1);
  localparam bit          Several   = Places > 1;
  localparam config_t     Config    = '{width: redc_pkg::max(Width, 4), digit: Bits,
                                        step: StepBits, squares: (Squares != 0) ? 1 : 0};
  localparam sizes_t      Sizes     = sizes(Config);
  localparam int unsigned Beats     = Sizes.beats;
  localparam int unsigned ShortBeats = (Narrow == 0) ? Beats
                                     : redc_pkg::max(2, redc_pkg::ceil_div(Narrow + 2, Bits));
  localparam int unsigned PlaceBits = $clog2(Beats + 1);
  // 2 Beats products, and what the column below carries: docs/families/productscan.md.
  localparam int unsigned SumBits   = 2 * Bits + $clog2(2 * Beats);
  typedef logic [PlaceBits-1:0] place_t;
  typedef logic [Bits-1:0]      word_t;

  // ------------------------------------------------------------------------------------------
  // The walk over the products.
  // ------------------------------------------------------------------------------------------
  logic   run, reduces, result, column, useful, twice, begin_run, pending_q;
  logic   square, next_square;
  logic   narrow, comes_narrow;  // what is inside, and the word that comes
  place_t x_place, y_place;
  logic   found, ready, writes_carry;  // of the quotient's digit

  localparam int unsigned Delay = 5 + Config.squares;  // from a product's addresses to its sum
  // A column is over, so many cycles ago; it was the result's, if it was.
  logic [Delay:1] column_q, result_late_q;

  // A word of a modulus is written, at y; the next one will be the first.
  logic mod_write_q, first_q;

  redc_mul_productscan_walk #(
    .Beats(Beats), .NarrowBeats(ShortBeats), .Squares(Config.squares)
  ) i_walk (
    .clk_i, .rst_ni, .begin_i(begin_run), .narrow_i(narrow), .square_i(square),
    .pending_i(pending_q), .known_i(ready), .mod_write_i(mod_write_q), .mod_first_i(first_q),
    .run_o(run), .reduces_o(reduces), .result_o(result), .x_o(x_place), .y_o(y_place),
    .useful_o(useful), .twice_o(twice), .column_o(column)
  );

  // ------------------------------------------------------------------------------------------
  // Streams. A pair of words takes the place of one that was read for the last time: in columns
  // above Beats one in each, and any number when a multiplication has ended.
  // ------------------------------------------------------------------------------------------
  logic   bad, accept, mod_accept, open_next, mod_open_next, no_modulus;
  logic   may_q, may_d, full_q, begun_q, begun_d, allowed, fills, take;
  // Place of the word that comes, of an operand or of q, and whether it is the last one; behind
  // that of q comes a carry. It is over before operands may come, so it goes back by itself.
  place_t write_q, write_late_q;
  logic   write_top_q, write_above_q;

  assign fills     = accept & write_top_q;
  assign may_d     = (may_q & ~accept) | (column_q[1] & result_late_q[1]);
  assign begun_d   = accept ? ~fills : begun_q;
  assign allowed   = run ? may_d : ~full_q & ~fills & ~mod_accept;
  assign begin_run = full_q & ~pending_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {may_q, full_q, begun_q} <= '0;
    else begin
      may_q   <= may_d & run;
      full_q  <= fills | (full_q & (run | pending_q));
      begun_q <= begun_d;
    end
    if (!rst_ni || fills || write_above_q) {write_q, write_top_q} <= '0;
    else if (accept | found) begin
      write_q     <= write_q + 1'b1;
      write_top_q <= write_q == (comes_narrow ? place_t'(ShortBeats - 2) : place_t'(Beats - 2));
    end
    write_above_q <= found & write_top_q;
    write_late_q <= write_q;
  end
  redc_mul_shell #(
    .Width(1), .WordBits(WordBits), .Moduli(Places), .Checks(Checks), .Ahead(1), .Waits(1'b1),
    .ManyBeats(1'b1), .ChainBits(0)
  ) i_shell (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i,
    .free_i(allowed), .more_i(allowed & begun_d),
    .idle_i(~run & ~pending_q & ~full_q & ~begun_q & ~accept), .accept_o(accept),
    .open_next_o(open_next), .mod_accept_o(mod_accept), .mod_open_next_o(mod_open_next),
    .modulus_o(no_modulus), .bad_i(bad), .err_o
  );
  wire unused_shell = ^{open_next, mod_open_next, no_modulus};

  // Whether the pair that waits, or comes, is of one number twice.
  if (Squares != 0) begin : gen_squares
    logic next_square_q;
    assign next_square = begun_q ? next_square_q : in_square_i;
    assign square      = next_square_q;
    always_ff @(posedge clk_i) if (accept) next_square_q <= next_square;
  end else begin : gen_no_squares
    assign {square, next_square} = '0;
    wire unused_square = in_square_i;
  end

  // ------------------------------------------------------------------------------------------
  // Memories, multiplier and sum
  // ------------------------------------------------------------------------------------------
  logic [1:0]         useful_late_q;
  word_t              a_q, mod_q, modulus, x, y, q, carry, low_q;
  logic [2*Bits-1:0]  product;
  logic [SumBits-1:0] sum, sum_q;
  logic               accepted_q, shifts, load_q, no_carry;

  redc_prim_block #(
    .Bits(Bits), .Depth(2 << PlaceBits), .Technology(Technology)
  ) i_multipliers (
    .clk_i, .write_i(accepted_q | ready | writes_carry),
    .write_address_i({~accepted_q, write_late_q}),
    .write_data_i(a_q | (ready ? q : carry)),
    .read_address_i({reduces, x_place}), .read_i(1'b1), .read_data_o(x)
  );

  localparam int unsigned OtherBits = PlaceBits + 1 + (Several ? IndexBits : 0);
  logic [OtherBits-1:0] other_read, other_write;
  redc_prim_two_writers #(
    .Bits(Bits), .Depth(1 << OtherBits), .Technology(Technology)
  ) i_multiplicands (
    .clk_i, .first_write_i(accept), .first_address_i(other_write),
    .first_data_i(b_i[Bits-1:0]), .second_write_i(mod_write_q), .second_data_i(mod_q),
    .read_address_i(other_read), .read_data_o(y)
  );

  // Where m_0 would be is a 1: it takes part in no product, and stands beside the memory.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {first_q, mod_write_q} <= 2'b10;
    else begin
      if (mod_accept) first_q <= mod_last_i;
      mod_write_q <= mod_accept;
    end
    mod_q[0] <= mod_data_i[0];
    if (first_q) mod_q[Bits-1:1] <= '0;
    else mod_q[Bits-1:1] <= mod_data_i[Bits-1:1];
  end
  if (Several) begin : gen_places
    logic [IndexBits-1:0] next_idx_q, idx_q, mod_idx_q;
    always_ff @(posedge clk_i) begin
      if (accept && !begun_q) next_idx_q <= in_idx_i;
      if (!run) idx_q <= next_idx_q;
      mod_idx_q <= mod_idx_i;
    end
    assign narrow       = (ShortBeats != Beats) & (next_idx_q != '0);
    assign comes_narrow = (accept && !begun_q) ? (ShortBeats != Beats) & (in_idx_i != '0) : narrow;
    redc_prim_ram #(.Bits(Bits), .Depth(Places), .Storage(1), .Registered(1)) i_lowest (
      .clk_i, .write_i(mod_accept & first_q & redc_pkg::index_in_range(32'(mod_idx_i), Places)),
      .write_address_i(mod_idx_i), .write_data_i(mod_data_i[Bits-1:0]), .read_i(~run),
      .read_address_i(next_idx_q), .read_data_o(modulus)
    );
    assign other_read  = {reduces | mod_write_q,
                          reduces ? idx_q : mod_write_q ? mod_idx_q : '0, y_place};
    assign other_write = OtherBits'(write_q);
  end else begin : gen_one_place
    always_ff @(posedge clk_i) if (mod_accept && first_q) modulus <= mod_data_i[Bits-1:0];
    assign other_read  = {reduces | mod_write_q, y_place};
    assign other_write = {1'b0, write_q};
    assign {narrow, comes_narrow} = '0;
    wire unused_idx = ^{mod_idx_i, in_idx_i};
  end

  redc_prim_mul #(
    .Bits(Bits), .YBits(Bits), .Registers(2), .Adds(0), .SumBits(2 * Bits),
    .Technology(Technology)
  ) i_product (
    .clk_i, .x_i(x), .load_i(1'b1), .y_i(y), .valid_i(useful_late_q[1]), .add_i('0),
    .p_o(product)
  );
  logic [SumBits-1:0] term;
  if (Squares != 0) begin : gen_doubled
    logic               twice_late;
    logic [SumBits-1:0] term_q;
    redc_prim_delay #(.Bits(1), .Cycles(4)) i_twice (.clk_i, .d_i(twice), .q_o(twice_late));
    always_ff @(posedge clk_i)
      term_q <= twice_late ? SumBits'({product, 1'b0}) : SumBits'(product);
    assign term = term_q;
  end else begin : gen_product
    assign term = SumBits'(product);
    wire unused_twice = twice;
  end
  redc_prim_carry_chain #(.Width(SumBits), .Gate(2), .Technology(Technology)) i_sum (
    .x0_i(sum_q), .x1_i({SumBits{shifts}}), .y0_i(term), .y1_i(sum_q >> Bits),
    .carry0_i(1'b0), .carry1_i(1'b0), .sum_o(sum), .carry_o(no_carry)
  );
  wire unused_carry = no_carry;

  assign shifts = column_q[Delay];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {useful_late_q, column_q, load_q, accepted_q} <= '0;
      {pending_q, out_valid_o, writes_carry} <= '0;
    end else begin
      useful_late_q <= {useful_late_q[0], useful};
      column_q      <= {column_q[Delay-1:1], column};
      load_q        <= shifts & ~result_late_q[Delay];
      accepted_q    <= accept;
      pending_q     <= (column & result) | (pending_q & ~take);
      out_valid_o   <= (shifts & result_late_q[Delay]) | (out_valid_o & ~out_ready_i);
      writes_carry  <= ready;
    end
    result_late_q <= {result_late_q[Delay-1:1], result};
    a_q <= accept ? a_i[Bits-1:0] : '0;
    // What an illegal operand leaves above the result must not reach the next one.
    if (!run && !pending_q) sum_q <= '0;
    else sum_q <= sum;
    if (load_q) low_q <= '0;
    else if (shifts) low_q <= sum_q[Bits-1:0];
  end
  assign take       = out_valid_o & out_ready_i;
  assign p_o        = WordBits'(low_q);
  assign out_last_o = ~run;

  redc_mul_productscan_quotient #(
    .Digit(Bits), .Step(StepBits), .Technology(Technology)
  ) i_quotient (
    .clk_i, .rst_ni, .modulus_i(modulus), .load_i(load_q), .digit_i(low_q), .done_o(found),
    .ready_o(ready), .q_o(q), .carry_o(carry)
  );

  // ------------------------------------------------------------------------------------------
  // Checks
  // ------------------------------------------------------------------------------------------
  if (Checks != 0) begin : gen_checks
    logic bad_words;
    redc_mul_word_checks #(
      .Width(Config.width), .Word(Bits), .Beats(Beats), .Moduli(Places)
    ) i_checks (
      .clk_i, .rst_ni, .mod_accept_i(mod_accept), .mod_data_i(mod_data_i[Bits-1:0]), .mod_last_i,
      .mod_idx_i, .accept_i(accept), .beat_i(write_q[redc_pkg::index_bits(Beats)-1:0]),
      .a_i(a_i[Bits-1:0]), .b_i(b_i[Bits-1:0]), .last_i(in_last_i), .idx_i(in_idx_i),
      .bad_o(bad_words)
    );
    assign bad = bad_words | (accept & next_square & (a_i[Bits-1:0] != b_i[Bits-1:0]));
  end else begin : gen_no_checks
    assign bad = 1'b0;
    wire unused_checked = in_last_i ^ next_square;
  end

endmodule

`default_nettype wire
