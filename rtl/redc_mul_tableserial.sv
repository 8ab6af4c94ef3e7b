// SPDX-License-Identifier: Apache-2.0
// redc_mul_tableserial: Montgomery product word by word, every multiple from a table in block RAM.
//
// Contract  multiplier contract, words of Word bits, as many as Width + 4 bits take, at least four;
//           m odd, operands and results below 2m (Bound 2); RBits = Width + 2 in whole digits of
//           two bits.
// Method    S' = floor(S / 4) + i b + E_q for a digit i of the multiplier a, the lowest digit q of
//           S, and E_q = (q + j m) / 4 with the j below 4 that makes it whole: the iteration of
//           redc_mul_tablechain, one word of it a cycle. The entries i b + E_q lie in one block
//           memory, S in a second, b and m in a third, a in a fourth. One carry chain adds an entry
//           to S, or to b or m where entries are made. What goes to the memory of S is shifted by a
//           digit on its way, so that S is read divided by four, and a word of a goes back to its
//           memory without the digit that was taken. docs/families/tableserial.md has the bounds.
// Timing    a pass of Beats cycles for each entry made and for each digit; results every fourth
//           cycle: redc_mul_tableserial_pkg.
// Leakage   cycle counts depend on parameters alone. The table is read at digits of an operand and
//           of the quotient. Registers and memories keep operands until overwritten.
// Refuses   Width < 4 or > 8192, Word < 4, odd, or longer than four words need (most_word),
//           Moduli < 1 or > 1024: at elaboration.
//           Checks = 1: even or too wide modulus, operand not below 2m, index not below Moduli,
//           misplaced last: err_o.
// Partner   src/redcore/families/tableserial.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_tableserial #(
  /// Bits of the modulus, 4 to 8192.
  parameter int unsigned Width = 256,
  /// Bits of a word and of the carry chain: even, 4 to a quarter of the sum's.
  parameter int unsigned Word = redc_mul_tableserial_pkg::usual_word(Width),
  /// Moduli held; with more than one, their entries of the table are made anew for each
  /// multiplication.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Primitives: 0 generic, 1 ECP5 (redc_prim_carry_chain, redc_prim_block), 2 Xilinx (as generic).
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

  import redc_mul_tableserial_pkg::*;

  if (Width < 4 || Width > 8192) begin : gen_refuse_width
    $error("redc_mul_tableserial: Width=%0d is not within 4 to 8192", Width);
  end
  if (Word < 4 || Word > most_word(Width) || Word % 2 != 0) begin : gen_refuse_word
    $error("redc_mul_tableserial: Word=%0d is not within 4 to %0d, and even", Word,
           most_word(Width));
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_mul_tableserial: Moduli=%0d is not within 1 to 1024", Moduli);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_tableserial: Checks=%0d is neither 0 nor 1", Checks);
  end
  if (Technology > 2) begin : gen_refuse_technology
    $error("redc_mul_tableserial: Technology=%0d is not within 0 to 2", Technology);
  end

  // An illegal set must reach its own message above, not a vector of no bits.
  localparam int unsigned Bits      = WordBits - WordBits % 2;
  localparam int unsigned Places    = redc_pkg::max(Moduli, 1);
  localparam bit          Several   = Places > 1;
  localparam config_t     Config    = '{width: redc_pkg::max(Width, 4), word: Bits,
                                        moduli: Places};
  localparam sizes_t      Sizes     = sizes(Config);
  localparam int unsigned Beats     = Sizes.beats;
  localparam int unsigned PlaceBits = redc_pkg::index_bits(Beats);
  localparam int unsigned Digits    = Bits / 2;  // of a word
  localparam int unsigned DigitBits = $clog2(Digits);
  localparam int unsigned LastWord  = Sizes.digits / Digits;  // of a, where its last digit is
  localparam int unsigned LastDigit = Sizes.digits % Digits;
  typedef logic [PlaceBits-1:0] place_t;
  typedef logic [DigitBits-1:0] digit_t;
  typedef logic [Bits-1:0]      word_t;

  // ------------------------------------------------------------------------------------------
  // Passes. One word is addressed in each cycle, its sum is made two cycles later (second), and is
  // in a register in the third (third), from where it is written.
  // ------------------------------------------------------------------------------------------
  // What is done: zeros are written, behind reset (zero_q, as if entries of the modulus were made);
  // operands or a modulus come; entries of the modulus are made; those with b; iterations; the last
  // one, whose words wait for those before to be taken.
  logic       entries_q, zero_q, load_q, build_q, iterate_q, finish_q;
  logic       entries_d, load_d, build_d, iterate_d, finish_d;
  logic       first_q;    // the first iteration adds to zero
  logic       divides_q;  // adds one to a multiple of the modulus that has been divided
  logic [3:0] entry_q, entry_d;  // of the table that is read, {i, q}; counts where entries are made
  place_t     word_q;
  logic       takes_digit, top, turn, all_made, last_digit, accept, mod_accept, mod_end, take;
  logic [1:0] digit, low;

  assign top         = (word_q == place_t'(Beats - 1));
  assign take        = out_valid_o & out_ready_i;
  assign turn        = top & (load_q ? accept : ~finish_q | take);
  assign mod_end     = mod_accept & mod_last_i;
  assign all_made    = entry_q[3] & (&entry_q[1:0]);  // it counts to 11
  assign takes_digit = iterate_q | (build_q & all_made);

  always_comb begin
    {entries_d, load_d, build_d, iterate_d, finish_d} =
        {entries_q, load_q, build_q, iterate_q, finish_q};
    if (turn) begin
      if (entries_q & all_made) begin
        {entries_d, load_d, build_d} = {1'b0, zero_q | ~Several, ~zero_q & Several};
      end
      if (load_q)                 {load_d, entries_d, build_d} = {1'b0, Several, ~Several};
      if (build_q & all_made)     {build_d, iterate_d}         = 2'b01;
      if (iterate_q & last_digit) {iterate_d, finish_d}        = 2'b01;
      if (finish_q)               {finish_d, load_d}           = 2'b01;
    end
    if (~Several & mod_end)       {load_d, entries_d}          = 2'b01;
  end

  // The lowest digit of the table's address is that of the sum before; what counts ends in 0.
  always_comb begin
    entry_d[1:0] = iterate_q ? low : (load_q | finish_q) ? '0
                 : {entry_q[1] ^ entry_q[0], ~entry_q[0]};
    entry_d[3:2] = takes_digit ? digit : (load_q | finish_q | all_made) ? '0
                 : {entry_q[3] | (entry_q[2] & (&entry_q[1:0])), entry_q[2] ^ (&entry_q[1:0])};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {load_q, build_q, iterate_q, finish_q, first_q} <= '0;
      {entries_q, zero_q, divides_q} <= '1;
      entry_q <= 4'd9;  // three passes: with the third what is added is zero, too
    end else begin
      {entries_q, load_q, build_q, iterate_q, finish_q} <=
          {entries_d, load_d, build_d, iterate_d, finish_d};
      if (load_d) zero_q <= 1'b0;
      if (turn) begin
        entry_q   <= entry_d;
        first_q   <= build_q & all_made;
        divides_q <= entries_q & ((entry_q[1:0] == 2'd2) | (zero_q & (entry_q[1:0] == 2'd1)));
      end
    end
    if (!rst_ni || turn || mod_end) word_q <= '0;
    else if (load_q ? accept | mod_accept : ~finish_q | take) word_q <= word_q + 1'b1;
  end

  // Words on their way through the stages, and whether a word is the last of its pass. A result's
  // word is asked for when the one before has been taken.
  logic ask_q, asked_q, answer_q, first_valid_q, second_valid_q, third_valid_q;
  logic first_last_q, second_last_q, third_last_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {ask_q, asked_q, answer_q, out_valid_o, first_valid_q, second_valid_q, third_valid_q} <= '0;
      third_last_q <= 1'b1;
    end else begin
      ask_q          <= finish_q ? take & ~top : finish_d;
      asked_q        <= ask_q;
      answer_q       <= asked_q;
      out_valid_o    <= answer_q | (out_valid_o & ~out_ready_i);
      first_valid_q  <= entries_q | build_q | iterate_q | ask_q;
      second_valid_q <= first_valid_q;
      third_valid_q  <= second_valid_q;
      if (second_valid_q) third_last_q <= second_last_q;
    end
    first_last_q  <= top;
    second_last_q <= first_last_q;
  end
  assign out_last_o = third_last_q;

  // ------------------------------------------------------------------------------------------
  // Streams. Operands and a modulus go to their memories while the last pass leaves the stages.
  // ------------------------------------------------------------------------------------------
  logic bad, more_d, more_q, open_next, mod_open_next, no_modulus;
  assign more_d = accept ? ~top : more_q;
  always_ff @(posedge clk_i) more_q <= rst_ni ? more_d : 1'b0;
  redc_mul_shell #(
    .Width(1), .WordBits(WordBits), .Moduli(Places), .Checks(Checks), .Ahead(1), .Waits(1'b1),
    .ManyBeats(1'b1), .ChainBits(0)
  ) i_shell (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i,
    .free_i(load_d), .more_i(more_d), .idle_i(load_d & ~accept & ~more_q), .accept_o(accept),
    .open_next_o(open_next), .mod_accept_o(mod_accept), .mod_open_next_o(mod_open_next),
    .modulus_o(no_modulus), .bad_i(bad), .err_o
  );
  wire unused_shell = ^{open_next, mod_open_next, no_modulus};

  // ------------------------------------------------------------------------------------------
  // The chain, between the memories
  // ------------------------------------------------------------------------------------------
  logic       adds, adds_first_q, adds_second_q;  // an operand or the modulus, and not to S
  logic       carry_q, carry, counts_q, lowest_q, entry_write_q, zero_write_q;
  logic [1:0] low_q;
  logic [3:0] read_entry, write_entry_q;
  place_t     write_word_q;
  word_t      operand, entry, value, sum, sum_q;

  assign adds = (entries_q & ~divides_q) | build_q;
  redc_prim_carry_chain #(.Width(Bits), .Gate(2), .Technology(Technology)) i_sum (
    .x0_i(value), .x1_i({Bits{adds_second_q}}), .y0_i(entry), .y1_i(operand),
    .carry0_i(carry_q), .carry1_i(counts_q), .sum_o(sum), .carry_o(carry)
  );
  always_ff @(posedge clk_i) begin
    adds_first_q  <= adds & ~zero_q;
    adds_second_q <= adds_first_q;
    if (zero_q) sum_q <= '0;
    else if (second_valid_q) sum_q <= sum;
    // Into a first word goes what is added; the pair of registers saves a LUT before the chain.
    if (second_last_q) carry_q <= 1'b1;
    else if (second_valid_q) carry_q <= carry;
    if (second_valid_q) counts_q <= ~second_last_q | divides_q;
  end
  assign p_o = WordBits'(sum_q);

  // The lowest digit of the sum of a pass, for the next one: with four words it is just there.
  always_ff @(posedge clk_i) begin
    if (second_valid_q) lowest_q <= third_last_q;
    if (!rst_ni) low_q <= '0;
    else if (third_valid_q && lowest_q) low_q <= sum_q[1:0];
  end
  assign low = (Beats == LeastWords) ? sum_q[1:0] : low_q;

  // Where the words of a pass are written is found when its first one is in the second stage.
  always_ff @(posedge clk_i) begin
    if (second_valid_q && third_last_q) begin
      zero_write_q  <= zero_q;
      entry_write_q <= entries_q | build_q;
      // T[i + 1, q] of T[i, q]; of a divided multiple, E_q, where q is minus its lowest digit. That
      // is never 0 where the modulus is odd; of another one T[0, 0] is kept.
      write_entry_q <= divides_q ? {1'b0, ~zero_q & (low_q == '0),
                                    low_q[1] ^ low_q[0], low_q[0]}
                     : {read_entry[3] | read_entry[2], ~read_entry[2], read_entry[1:0]};
    end
    if (!rst_ni) write_word_q <= '0;
    else if (third_valid_q) write_word_q <= third_last_q ? '0 : write_word_q + 1'b1;
  end

  // While entries of the modulus are made the counter's lowest digit says what is done; E_0 is 0.
  assign read_entry = entry_q & {{2{~divides_q}}, {2{~entries_q}}};
  localparam int unsigned TableDepth = 16 << PlaceBits;
  redc_prim_block #(.Bits(Bits), .Depth(TableDepth), .Technology(Technology)) i_table (
    .clk_i, .write_i(third_valid_q & entry_write_q),
    .write_address_i({write_entry_q, write_word_q}), .write_data_i(sum_q),
    .read_address_i({read_entry, word_q}), .read_i(1'b1), .read_data_o(entry)
  );

  // S, divided by four as it is written, and a zero, into which nothing comes that nobody wrote.
  redc_prim_block #(.Bits(Bits), .Depth(2 << PlaceBits), .Technology(Technology)) i_values (
    .clk_i, .write_i(third_valid_q), .write_address_i({zero_write_q, write_word_q}),
    .write_data_i({sum[1:0] & {2{~third_last_q & ~zero_q}}, sum_q[Bits-1:2]}),
    .read_address_i({zero_q | first_q, word_q}), .read_i(1'b1), .read_data_o(value)
  );

  // b is at 0, of several moduli all are in the upper half. A single one is not asked for again
  // when its entries have been made.
  localparam int unsigned OperandBits = PlaceBits + (Several ? IndexBits + 1 : 0);
  logic [OperandBits-1:0] operand_place;
  if (Several) begin : gen_places
    logic [IndexBits-1:0] idx_q, idx;
    always_ff @(posedge clk_i) if (accept && !more_q) idx_q <= in_idx_i;
    assign idx           = load_q ? mod_idx_i : idx_q;
    assign operand_place = {~build_q, build_q ? IndexBits'(0) : idx, word_q};
  end else begin : gen_one_place
    assign operand_place = word_q;
    wire unused_idx = ^{mod_idx_i, in_idx_i};
  end
  redc_prim_two_writers #(
    .Bits(Bits), .Depth(1 << OperandBits), .Technology(Technology)
  ) i_operands (
    .clk_i, .first_write_i(accept), .first_address_i(OperandBits'(word_q)),
    .first_data_i(b_i[Bits-1:0]), .second_write_i(mod_accept),
    .second_data_i(mod_data_i[Bits-1:0]), .read_address_i(operand_place), .read_data_o(operand)
  );

  // ------------------------------------------------------------------------------------------
  // Digits of a: that of the next pass is there when a pass ends.
  // ------------------------------------------------------------------------------------------
  place_t digit_word_q;
  digit_t digit_q;
  word_t  a_word;
  logic   word_ends;
  assign word_ends  = (digit_q == digit_t'(Digits - 1));
  assign last_digit = (digit_word_q == place_t'(LastWord)) & (digit_q == digit_t'(LastDigit));
  always_ff @(posedge clk_i) begin
    if (load_q || !rst_ni) {digit_word_q, digit_q} <= '0;
    else if (turn && takes_digit) begin
      digit_q <= word_ends ? '0 : digit_q + 1'b1;
      if (word_ends) digit_word_q <= digit_word_q + 1'b1;
    end
  end
  // A word goes back without the digit that was taken, so that the next one is its lowest; it may
  // be read again in the cycle after. No word is chosen from: the wires of the memory shift it.
  redc_prim_two_writers #(.Bits(Bits), .Depth(Beats), .Technology(Technology)) i_multiplier (
    .clk_i, .first_write_i(accept), .first_address_i(word_q), .first_data_i(a_i[Bits-1:0]),
    .second_write_i(takes_digit & top), .second_data_i(a_word >> 2),
    .read_address_i(digit_word_q), .read_data_o(a_word)
  );
  // A word is there in the third cycle of a pass, the digit in the fourth.
  always_ff @(posedge clk_i) digit <= a_word[1:0];

  // ------------------------------------------------------------------------------------------
  // Checks
  // ------------------------------------------------------------------------------------------
  if (Checks != 0) begin : gen_checks
    redc_mul_word_checks #(
      .Width(Config.width), .Word(Bits), .Beats(Beats), .Moduli(Places)
    ) i_checks (
      .clk_i, .rst_ni, .mod_accept_i(mod_accept), .mod_data_i(mod_data_i[Bits-1:0]), .mod_last_i,
      .mod_idx_i, .accept_i(accept), .beat_i(word_q), .a_i(a_i[Bits-1:0]), .b_i(b_i[Bits-1:0]),
      .last_i(in_last_i), .idx_i(in_idx_i), .bad_o(bad)
    );
  end else begin : gen_no_checks
    assign bad = 1'b0;
    wire unused_last = in_last_i;
  end

endmodule

`default_nettype wire
