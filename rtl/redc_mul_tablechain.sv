// SPDX-License-Identifier: Apache-2.0
// redc_mul_tablechain: Montgomery product by digits, every multiple from a table in LUT RAM.
//
// Contract  multiplier contract, words of Word bits; m odd, operands and results below 2m
//           (Bound 2); RBits = Width + 2 in whole digits.
// Method    S' = floor(S / r) + i b + E_q for a digit i of the multiplier a, the lowest digit q of
//           S, and E_q = (q + j m) / r with the j below r that makes it whole: the Montgomery
//           iteration with its quotient digit in a table's address, r = 2, 4 or 8. The sum is cut
//           into words, a unit each (redc_mul_tablechain_unit), which does in every cycle what its
//           lower neighbour did a cycle before. The adders of the units also make the table, as
//           redc_mul_tablechain_schedule tells them. docs/families/tablechain.md has the bounds.
// Timing    interval = r (r - 1) + 1 + RBits / log2 r + 1 where the next operands are there by
//           then; that and latency: redc_mul_tablechain_pkg. Operands whose words pause may take
//           the making of the table once more.
// Leakage   cycle counts depend on parameters alone. Tables are read at digits of an operand
//           (redc_mul_tablechain_unit). Registers and memories keep operands until overwritten.
// Refuses   Width < 4 or > 8192, Radix other than 2, 4, 8, Word < 4, of no whole digits or longer
//           than an operand, Storage > 1, or 0 with words of fewer than three digits, Moduli < 1 or
//           > 1024: at elaboration.
//           Checks = 1: even or too wide modulus, operand not below 2m, index not below Moduli,
//           misplaced last: err_o.
// Partner   src/redcore/families/tablechain.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_tablechain #(
  /// Bits of the modulus, 4 to 8192.
  parameter int unsigned Width = 256,
  /// 2, 4 or 8: one to three bits of the multiplier an iteration.
  parameter int unsigned Radix = 4,
  /// Bits of a word, of a unit and of its carry chain: whole digits, 4 to those of an operand.
  parameter int unsigned Word = (Width < 24) ? 2 * ((Width + 2) / 2) : 24,
  /// Words of operands and results: 0 in block memory, 1 in distributed memory, as those of b are
  /// that wait for their modulus, of several.
  parameter int unsigned Storage = (Width <= 512) ? 1 : 0,
  /// Moduli held; with more than one, entries of the table are made anew for each multiplication.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Primitives: 0 generic, 1 ECP5 (redc_prim_carry_chain), 2 Xilinx (as generic).
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits  = redc_pkg::max(Word, 4),
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

  /// Result stream, in order.
  output      logic                 out_valid_o,
  input  wire logic                 out_ready_i,
  output      logic [WordBits-1:0]  p_o,
  output      logic                 out_last_o,

  /// Sticky until reset; see Checks.
  output      logic                 err_o
);

  import redc_mul_tablechain_pkg::*;

  if (Width < 4 || Width > 8192) begin : gen_refuse_width
    $error("redc_mul_tablechain: Width=%0d is not within 4 to 8192", Width);
  end
  if (Radix != 2 && Radix != 4 && Radix != 8) begin : gen_refuse_radix
    $error("redc_mul_tablechain: Radix=%0d is neither 2 nor 4 nor 8", Radix);
  end
  if (Word < 4 || Word > most_word(Width) || Word % digit_bits(Radix) != 0) begin
    : gen_refuse_word
    $error("redc_mul_tablechain: Word=%0d is not within 4 to %0d, in whole digits of Radix=%0d",
           Word, most_word(Width), Radix);
  end
  if (Storage > 1 || (Storage == 0 && Word < 3 * digit_bits(Radix))) begin : gen_refuse_storage
    $error("redc_mul_tablechain: Storage=%0d is neither 0 nor 1, or 0 with words, Word=%0d, of %s",
           Storage, Word, "fewer than three digits");
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_mul_tablechain: Moduli=%0d is not within 1 to 1024", Moduli);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_tablechain: Checks=%0d is neither 0 nor 1", Checks);
  end
  if (Technology > 2) begin : gen_refuse_technology
    $error("redc_mul_tablechain: Technology=%0d is not within 0 to 2", Technology);
  end

  // An illegal Word must reach its own message above, not a vector of no bits.
  localparam int unsigned Wide    = redc_pkg::max(Width, 4);
  localparam int unsigned Chain   = (WordBits > most_word(Wide)) ? most_word(Wide)
                                  : WordBits - WordBits % digit_bits(Radix);
  localparam int unsigned Places  = redc_pkg::max(Moduli, 1);
  localparam bit          Block   = Storage == 0 && Chain >= 3 * digit_bits(Radix);
  localparam config_t     Config  = '{width: Wide, radix: Radix, word: Chain, moduli: Places,
                                      block: Block};
  localparam sizes_t      Sizes   = sizes(Config);
  localparam int unsigned Digit   = Sizes.digit;
  localparam int unsigned Told    = redc_pkg::max(Digit, 2);
  localparam int unsigned Beats   = Sizes.beats;
  localparam int unsigned SumBits = Sizes.sum_bits;
  localparam int unsigned Leaves  = Sizes.leaves;
  localparam int unsigned Branch  = redc_pkg::ceil_div(Beats, Leaves);
  localparam bit          Several = Places > 1;
  localparam int unsigned PlaceBits = redc_pkg::index_bits(Beats);
  typedef logic [PlaceBits-1:0] place_t;
  typedef logic [Chain-1:0]     word_t;

  // ------------------------------------------------------------------------------------------
  // Streams
  // ------------------------------------------------------------------------------------------
  logic       accept, mod_accept, bad, open, rest, claim, first, top, more_d, more_q;
  logic       full_q, ample, occupied_q, mod_end_q;
  place_t     beat_q;

  assign first  = ~more_q;
  assign top    = (beat_q == place_t'(Beats - 1));
  assign more_d = accept ? ~top : more_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {more_q, full_q, occupied_q, mod_end_q} <= '0;
      beat_q <= '0;
    end else begin
      more_q     <= more_d;
      full_q     <= (full_q & ~claim) | (accept & top);
      occupied_q <= (occupied_q & ~claim) | accept;  // more_q or full_q
      mod_end_q  <= mod_accept & mod_last_i;
      if (accept) beat_q <= top ? '0 : place_t'(increment(16'(beat_q)));
    end
  end

  // So many words are there that the others, one a cycle, come in time for the units above.
  if (Sizes.ahead == 0) begin : gen_wait_for_all
    assign ample = 1'b0;
  end else if (Sizes.ahead == Beats - 1) begin : gen_wait_for_first
    assign ample = occupied_q;
  end else begin : gen_wait_for_some
    logic ample_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) ample_q <= 1'b0;
      else if (accept) ample_q <= ~top & (ample_q | (32'(beat_q) == Beats - 1 - Sizes.ahead));
    end
    assign ample = ample_q;
  end

  logic open_next, mod_open_next, no_modulus;
  redc_mul_shell #(
    .Width(1), .WordBits(WordBits), .Moduli(Places), .Checks(Checks), .Ahead(1), .Waits(1'b1),
    .ManyBeats(1'b1), .ChainBits(0)
  ) i_shell (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i,
    .free_i(open & ~mod_ready_o & ~accept & ~occupied_q), .more_i(more_d),
    .idle_i(rest & ~accept & ~occupied_q), .accept_o(accept),
    .open_next_o(open_next),
    .mod_accept_o(mod_accept), .mod_open_next_o(mod_open_next), .modulus_o(no_modulus),
    .bad_i(bad), .err_o
  );
  wire unused_shell = ^{open_next, mod_open_next, no_modulus};

  // ------------------------------------------------------------------------------------------
  // Words for the units: they pass by all of them, and each takes its own.
  // ------------------------------------------------------------------------------------------
  word_t              bus_d, modulus_word, b_word;
  word_t [Leaves-1:0] leaf;
  logic  [Beats-1:0]  load;
  logic               feed_modulus, feed, modulus_valid, b_valid, bus_first, bus_next, bus_last;
  logic               modulus_first;  // what would come is the lowest word of a modulus
  logic [Told-1:1]    second_bit_q;  // those of a modulus that decide where its multiples go

  if (Several || Checks != 0) begin : gen_modulus
    redc_mul_tablechain_modulus #(
      .Width(Wide), .Word(Chain), .Beats(Beats), .Moduli(Places), .Checks(Checks)
    ) i_modulus (
      .clk_i, .rst_ni, .mod_accept_i(mod_accept), .mod_data_i(mod_data_i[Chain-1:0]),
      .mod_last_i, .mod_idx_i, .accept_i(accept), .beat_i(beat_q), .a_i(a_i[Chain-1:0]),
      .b_i(b_i[Chain-1:0]), .last_i(in_last_i), .idx_i(in_idx_i), .feed_i(feed_modulus),
      .valid_o(modulus_valid), .word_o(modulus_word), .bad_o(bad)
    );
  end else begin : gen_no_modulus
    assign {modulus_valid, modulus_word, bad} = '0;
    wire unused = ^{in_last_i, in_idx_i, mod_idx_i};
  end

  if (Several) begin : gen_wait
    // The multiplicand waits for the entries of its modulus.
    place_t feed_q;
    logic   fed_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) fed_q <= 1'b0;
      else fed_q <= feed | (fed_q & (feed_q != place_t'(Beats - 1)));
      feed_q <= feed ? '0 : feed_q + 1'b1;
    end
    redc_prim_ram #(.Bits(Chain), .Depth(Beats)) i_multiplicand (
      .clk_i, .write_i(accept), .write_address_i(beat_q), .write_data_i(b_i[Chain-1:0]),
      .read_i(1'b1), .read_address_i(feed_q), .read_data_o(b_word)
    );
    assign b_valid   = fed_q;
    assign bus_d     = modulus_valid ? modulus_word : b_word;
    assign bus_next  = modulus_valid | b_valid;
    assign bus_last  = 1'b0;
    wire unused = first;
    // The cycle behind a feed has its first word.
    logic fed_first_q;
    always_ff @(posedge clk_i) fed_first_q <= feed | feed_modulus;
    assign bus_first     = fed_first_q;
    assign modulus_first = fed_first_q & modulus_valid;
  end else begin : gen_at_once
    logic mod_more_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) mod_more_q <= 1'b0;
      else if (mod_accept) mod_more_q <= ~mod_last_i;
    end
    assign {b_word, b_valid} = '0;
    assign bus_d     = mod_ready_o ? mod_data_i[Chain-1:0] : b_i[Chain-1:0];
    assign bus_next  = accept | mod_accept;
    assign bus_last  = mod_accept & mod_last_i;
    assign bus_first = (accept & first) | (mod_accept & ~mod_more_q);
    assign modulus_first = mod_ready_o & ~mod_more_q;
    wire unused = ^{feed, feed_modulus, modulus_valid, modulus_word, b_word, b_valid};
  end

  always_ff @(posedge clk_i) if (modulus_first) second_bit_q <= bus_d[Told-1:1];
  redc_mul_tablechain_load #(.Word(Chain), .Beats(Beats), .Leaves(Leaves)) i_load (
    .clk_i, .rst_ni, .valid_i(bus_next), .first_i(bus_first), .last_i(bus_last), .word_i(bus_d),
    .load_o(load), .leaf_o(leaf)
  );

  // ------------------------------------------------------------------------------------------
  // Schedule and digits
  // ------------------------------------------------------------------------------------------
  logic            room_next, fetch, next, finish, last, early;
  // A step, with digits of three bits in radix 8.
  typedef struct packed {
    logic [Told-1:0] row, quotient;
    logic            forced, mode, write, clear, carry;
  } own_step_t;
  logic [Told-1:0] digit;
  own_step_t       step;

  redc_mul_tablechain_schedule #(.Config(Config), .step_t(own_step_t)) i_schedule (
    .clk_i, .rst_ni, .modulus_i(mod_end_q), .second_bit_i(second_bit_q), .full_i(full_q),
    .ample_i(ample), .room_next_i(room_next), .digit_i(digit), .last_i(last), .early_i(early),
    .open_o(open), .rest_o(rest),
    .feed_modulus_o(feed_modulus), .feed_o(feed), .fetch_o(fetch), .next_o(next),
    .claim_o(claim), .finish_o(finish), .step_o(step)
  );
  redc_mul_tablechain_digits #(
    .Word(Chain), .Beats(Beats), .Digit(Digit), .Last(Sizes.iterations), .Early(Sizes.opens),
    .Block(Block), .Technology(Technology)
  ) i_digits (
    .clk_i, .write_i(accept), .place_i(beat_q), .word_i(a_i[Chain-1:0]), .fetch_i(fetch),
    .next_i(next), .digit_o(digit), .last_o(last), .early_o(early)
  );

  // ------------------------------------------------------------------------------------------
  // Units. Index s of what follows: s cycles behind unit 0's reading.
  // ------------------------------------------------------------------------------------------
  // A vector of one bit is not split, and Verilator says so.
  // verilator lint_off SPLITVAR
  logic [Beats+1:0][2*Digit-1:0] address /*verilator split_var*/;
  logic [Beats:0]                mode /*verilator split_var*/, clear /*verilator split_var*/;
  // the lowest bit of the next row
  logic [Beats+1:0]              turned /*verilator split_var*/;
  logic [Beats+1:0]              write /*verilator split_var*/;
  // verilator lint_on SPLITVAR
  logic                          carry_in_q;
  logic [Beats:0][Digit-1:0]     low;
  logic [Beats-1:0][Digit-1:0]   low_next;
  logic [Digit-1:0]              quotient_q;

  // The quotient digit is the lowest one of the sum that is being made, or the schedule says it.
  assign address[0] = {step.row[Digit-1:0], quotient_q};
  assign mode[0]    = step.mode;
  assign clear[0]   = step.clear;
  assign write[0]   = step.write;
  if (Digit == 3) begin : gen_turned_three
    assign turned[0] = behind_three(step.row);
  end else begin : gen_turned
    assign turned[0] = ~step.row[Digit-1];
  end
  always_ff @(posedge clk_i) begin
    address[Beats+1:1] <= address[Beats:0];
    mode[Beats:1]      <= mode[Beats-1:0];
    clear[Beats:1]     <= clear[Beats-1:0];
    write[Beats+1:1]   <= write[Beats:0];
    turned[Beats+1:1]  <= turned[Beats:0];
    carry_in_q         <= step.carry;
    quotient_q         <= step.forced ? step.quotient[Digit-1:0] : low_next[0];
  end

  logic [Beats:0]                carry;
  logic [Beats-1:0][Chain-1:0]   words;

  assign carry[0]   = carry_in_q;
  assign low[Beats] = '0;
  for (genvar w = 0; w < Beats; w++) begin : gen_unit
    localparam int unsigned Own  = (w == Beats - 1) ? SumBits - w * Chain : Chain;
    localparam int unsigned Load = redc_pkg::min(Own, Chain);
    logic [2*Digit-1:0] behind;  // the next row at the same quotient digit
    logic [Own-1:0]     sum;
    if (Digit == 1) begin : gen_next_bit
      assign behind = {turned[w+2], address[w+2][0]};
    end else begin : gen_next_digit
      assign behind = {address[w+2][2*Digit-2:Digit], turned[w+2], address[w+2][Digit-1:0]};
    end
    redc_mul_tablechain_unit #(
      .Bits(Own), .Digit(Digit), .LoadBits(Load), .Technology(Technology)
    ) i_unit (
      .clk_i, .load_i(load[w]), .word_i(leaf[w/Branch][Load-1:0]), .clear_i(clear[w]),
      .read_address_i(address[w]), .write_i(write[w+2]), .write_address_i(behind),
      .mode_i(mode[w+1]), .carry_i(carry[w]), .carry_o(carry[w+1]),
      .high_i(low[w+1]), .low_o(low[w]), .next_o(low_next[w]), .sum_o(sum)
    );
    assign words[w] = Chain'(sum);
    wire unused_guard = ^sum;  // above the word
  end
  wire unused_ends = ^{carry[Beats], clear[Beats], step.quotient, step.row, low[0],
                       low_next};

  // ------------------------------------------------------------------------------------------
  // Results: four cycles from the schedule's last step to the lowest word of the sum.
  // ------------------------------------------------------------------------------------------
  logic [2:0] finish_q;
  word_t      p;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) finish_q <= '0;
    else finish_q <= {finish_q[1:0], finish};
  end
  redc_mul_tablechain_results #(
    .Word(Chain), .Beats(Beats), .Places(Sizes.places), .Block(Block), .Technology(Technology)
  ) i_results (
    .clk_i, .rst_ni, .claim_i(claim), .start_next_i(finish_q[2]), .words_i(words),
    .room_next_o(room_next), .out_valid_o, .out_ready_i, .p_o(p), .out_last_o
  );
  assign p_o = WordBits'(p);

endmodule

`default_nettype wire
