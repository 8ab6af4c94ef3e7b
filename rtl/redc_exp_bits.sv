// SPDX-License-Identifier: Apache-2.0
// redc_exp_bits: an exponent, given out bit by bit from its lowest or from its highest.
//
// Contract  the words come least significant first; begin_i with or after the last one. Then
//           bit_o is good while valid_o is high, and next_i goes on to the next one. Of the
//           exponent only its lowest `length_i` bits are used.
// Method    a shift register of one word, refilled from a small memory where there are more words.
//           From the highest bit: whole words above `length_i` are passed over, one in two cycles,
//           then the bits above it one a cycle. The bit given out has a register, and the
//           word moves a cycle after it, by enables that come from registers: a long word does not
//           hang on the news that a bit was used.
// Timing    from the lowest bit valid_o a cycle after begin_i, with several words two. From the
//           highest three cycles after it and those above, less one of the bits' with one word.
//           Low for a cycle at the end of a word. Never depends on the exponent's value.
// Leakage   keeps the exponent until overwritten.
// Refuses   WordBits or ExpBits < 1: at elaboration.
`default_nettype none

module redc_exp_bits #(
  /// Bits of a word.
  parameter int unsigned WordBits = 32,
  /// Bits of the longest exponent.
  parameter int unsigned ExpBits = 256,
  /// 1: from the lowest bit up. 0: from the highest down.
  parameter int unsigned LowestFirst = 1,
  /// 1: words in block memory, from the highest bit.
  parameter int unsigned Block = 0,
  /// Of block memory, as redc_prim_block has it, and of carry chains.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned Words      = redc_pkg::ceil_div(ExpBits, WordBits),
  localparam int unsigned BeatBits   = redc_pkg::index_bits(Words),
  localparam int unsigned LengthBits = $clog2(ExpBits + 1)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous.
  input  wire logic                  rst_ni,
  /// Takes a word, if open_ahead_i was high in the cycle before: that comes from afar and has
  /// registers beside the word.
  input  wire logic                  write_i,
  input  wire logic                  open_ahead_i,
  input  wire logic [BeatBits-1:0]   write_beat_i,
  input  wire logic [WordBits-1:0]   write_data_i,
  /// Begins, with the length in bits, 1 to ExpBits.
  input  wire logic                  begin_i,
  input  wire logic [LengthBits-1:0] length_i,
  /// The bit, while valid_o.
  output      logic                  valid_o,
  output      logic                  bit_o,
  /// Passes on to the next bit.
  input  wire logic                  next_i
);

  if (WordBits < 1 || ExpBits < 1) begin : gen_refuse_sizes
    $error("redc_exp_bits: WordBits=%0d or ExpBits=%0d is below 1", WordBits, ExpBits);
  end

  localparam bit          Up        = (LowestFirst != 0);
  // A lone word needs no more register than the exponent has bits.
  localparam int unsigned Bits      = (Words == 1) ? ExpBits : WordBits;
  // Bits left in the word, less two: from the last one on it is below 0.
  localparam int unsigned CountBits = $clog2(Bits + 1) + 1;
  // Bits of the word that share an enable.
  localparam int unsigned LaneBits  = 32;
  localparam int unsigned Lanes     = redc_pkg::ceil_div(Bits, LaneBits);

  // An exponent was begun since reset; the bit given out; the word has not moved yet for the one
  // before.
  logic                 begun_q, bit_q, late_q;
  // A bit, a whole word is passed over; the word moves by a bit, is filled.
  logic                 skipping, pass, shift, fill;
  // Bits are left in the word, a last one is; none is to be passed over.
  logic                 some_q, some_next, last, free_next, valid_q;
  // What is to be passed over is not known yet; it is a whole word or more.
  logic                 judge, above;
  logic [Lanes-1:0]     move, open, fill_lane;
  logic [Bits-1:0]      shift_q, moved, word;
  logic [CountBits-1:0] count_q;

  assign bit_o   = bit_q;
  assign last    = count_q[CountBits-1];
  assign valid_o = valid_q;
  assign shift   = next_i | skipping;
  redc_prim_fanout #(.Copies(Lanes)) u_open (.clk_i, .d_i(open_ahead_i), .q_o(open));

  if (Words == 1) begin : gen_word
    assign word = write_data_i[Bits-1:0];
    assign fill_lane = {Lanes{write_i}} & open;
    assign fill      = fill_lane[0];
    wire unused = &{1'b0, write_beat_i, write_data_i, pass, judge, above};
  end else begin : gen_words
    if (Block != 0 && !Up) begin : gen_block
      // The word to read next, which stands in the memory: the one in use, or to be used two cycles
      // after it is known that it comes, stands in the register behind it.
      logic [BeatBits-1:0] next_q;
      // The register behind the memory is far away.
      logic                read_q;
      always_ff @(posedge clk_i) begin
        read_q <= begin_i | fill | pass;
        if (write_i && open[0]) next_q <= BeatBits'(Words - 1);
        else if (begin_i || fill || pass) next_q <= next_q - 1'b1;
      end
      redc_prim_block #(.Bits(WordBits), .Depth(Words), .Technology(Technology)) u_words (
        .clk_i, .write_i(write_i & open[0]), .write_address_i(write_beat_i), .write_data_i,
        .read_address_i(next_q), .read_i(read_q), .read_data_o(word)
      );
    end else begin : gen_distributed
      logic [BeatBits-1:0] beat_q;
      always_ff @(posedge clk_i) begin
        if (begin_i) beat_q <= Up ? '0 : BeatBits'(Words - 1);
        else if (fill || pass) beat_q <= Up ? beat_q + 1'b1 : beat_q - 1'b1;
      end
      redc_prim_ram #(.Bits(WordBits), .Depth(Words), .Storage(1)) u_words (
        .clk_i, .write_i(write_i & open[0]), .write_address_i(write_beat_i), .write_data_i,
        .read_i(1'b1), .read_address_i(beat_q), .read_data_o(word)
      );
    end

    assign fill      = begun_q & ~some_q & ~above & ~judge;
    assign fill_lane = {Lanes{fill}};
    // One copy serves the memory.
    wire unused = &{1'b0, open};
  end

  if (Up) begin : gen_lowest
    assign skipping  = 1'b0;
    assign free_next = 1'b1;
    assign pass      = 1'b0;
    assign judge     = 1'b0;
    assign above     = 1'b0;
    wire unused = &{1'b0, length_i};
  end else begin : gen_highest
    // The length, and what was passed over of the bits above it, less what leaves a whole word of
    // these: below 0 one is left, and from there on there is as much as the word has gone down.
    localparam int unsigned Above    = (Words - 1) * Bits + 1;
    localparam int unsigned InBits   = redc_pkg::index_bits(Bits);
    localparam int unsigned SkipBits = redc_pkg::max($clog2(Above), InBits) + 1;
    logic [SkipBits-1:0] passed_q, passed_next, amount;
    // The word has no bits.
    logic                one_q, none_q, free_q, judge_q, empty_q;
    // Bits are passed over, where there are some.
    logic                skips_q, none;

    assign amount    = (SkipBits'(Bits) & {SkipBits{empty_q}}) | SkipBits'(some_q);
    assign judge     = judge_q;
    assign above     = passed_q[SkipBits-1];
    assign skipping  = some_q & skips_q;
    assign none      = ~above & (InBits'(passed_q) == InBits'(Bits - 1));
    assign pass      = (Words > 1) & ~some_q & ~judge_q & above;
    assign free_next = ~begin_i & (free_q | (~judge_q & (none_q | (skipping & one_q))));

    always_ff @(posedge clk_i) begin
      judge_q <= begin_i | pass;
      empty_q <= ~some_next;
      free_q  <= free_next | ~rst_ni;
      one_q   <= InBits'(passed_q) == InBits'(Bits - (skipping ? 3 : 2));
      none_q  <= none;
      // As free_q, judge_q and none_q will be.
      skips_q <= rst_ni & ~begin_i & ~pass & ~none & ~free_q
               & (judge_q | (~none_q & ~(skipping & one_q)));
      if (begin_i | pass | skipping) passed_q <= passed_next;
    end

    // What is added to is chosen in the chain itself.
    logic unused_carry;
    redc_prim_carry_chain #(.Width(SkipBits), .Gate(2), .Technology(Technology)) u_passed (
      .x0_i(passed_q), .x1_i({SkipBits{begin_i}}), .y1_i(SkipBits'(length_i)),
      .y0_i(begin_i ? -SkipBits'(Above) : amount), .carry0_i(1'b0), .carry1_i(1'b0),
      .sum_o(passed_next), .carry_o(unused_carry)
    );
  end

  // The bit at a place, counted from where bits leave.
  function automatic logic bit_at(logic [Bits-1:0] from, int unsigned index);
    return (index < Bits) && from[Up ? index % Bits : (2 * Bits - 1 - index) % Bits];
  endfunction

  // The word still has to move for the bit before.
  logic next_bit;
  assign next_bit = bit_at(shift_q, late_q ? 2 : 1);

  always_comb begin
    if (begin_i) some_next = Words == 1;
    else if (fill) some_next = 1'b1;
    else if (shift) some_next = ~last;
    else some_next = some_q;
  end

  // A bit is there, or passed over, in a word that has some: none is filled then.
  redc_prim_fanout #(.Copies(Lanes)) u_move (.clk_i, .d_i(shift), .q_o(move));
  assign moved = Up ? (shift_q >> 1) : (shift_q << 1);
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int unsigned Low = l * LaneBits;
    localparam int unsigned Own = redc_pkg::min(LaneBits, Bits - Low);
    // A fill that comes with a late move is of the next word.
    always_ff @(posedge clk_i)
      if (fill_lane[l] | move[l])
        shift_q[Low+:Own] <= fill_lane[l] ? word[Low+:Own] : moved[Low+:Own];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      begun_q <= begun_q | begin_i;
      valid_q <= (begun_q | begin_i) & some_next & free_next;
    end

    bit_q  <= fill ? bit_at(word, 0) : shift ? next_bit : bit_q;
    some_q <= some_next;
    late_q <= shift;

    // Of several words the first one's are counted from when it is there.
    if (fill || (Words == 1 && begin_i)) count_q <= CountBits'(Bits) - CountBits'(2);
    else if (shift) count_q <= count_q - 1'b1;
  end

endmodule

`default_nettype wire
