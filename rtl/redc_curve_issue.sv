// SPDX-License-Identifier: Apache-2.0
// redc_curve_issue: the program of redc_curve, its loops, and when each instruction begins.
//
// Contract  start_i begins at an entry; every instruction begins in the order of the program, once
//           its operands and its destination are no longer waited for; halt_o tells its end. A loop
//           has at least two instructions, and loops are not nested.
// Method    the destinations under way are kept (redc_curve_pending) from when an instruction
//           begins until it has been written as far as the next one reads. So no time is in the
//           program, and times are those of the schedule played in units/curve/play.py. A loop goes
//           through the bits of a number, from the one in its instruction to bit 0; a choice sees
//           the bit and the one before (0 before the first), behind the loop bit 0 alone. A change
//           of modulus waits, as the end does, until everything is written, to the last word. A
//           loop over digits takes several bits of the scalar at a time (redc_curve_digits), down
//           to bit 1, which leaves bit 0 to choices behind it. A pick is a choice by one bit of the
//           digit. Instructions, their addresses and numbers that loops go through have a parity
//           bit each, all else of state a copy: any one bit that is turned is a fault.
// Timing    an instruction begins at least spacing(Words) cycles behind the one before, six cycles
//           behind start_i, and two behind the event that it waits for. A fault shows in the second
//           cycle behind that in which a bit was turned.
// Leakage   program and times do not depend on the bits; only choose_o does.
// Refuses   what redc_curve refuses.
// Partner   src/redcore/units/curve/.
`default_nettype none

module redc_curve_issue #(
  /// As of redc_curve.
  parameter int unsigned Bits = 34,
  parameter int unsigned Words = 8,
  parameter int unsigned RBits = 272,
  /// Bits of the longest other number that loops go through.
  parameter int unsigned LoopBits = 255,
  parameter int unsigned Places = 16,
  parameter int unsigned Length = 2,
  parameter int unsigned InFlight = 4,
  parameter int unsigned Waiting = 2,
  parameter int unsigned Moduli = 1,
  /// Bits of a number in a digit, 0 where no loop goes through digits, and whether it has two.
  parameter int unsigned Window = 0,
  parameter int unsigned Joint = 0,
  /// As of redc_curve.
  parameter int unsigned Storage = 1,
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned PlaceBits  = redc_curve_pkg::place_bits(Places),
  localparam int unsigned LoopWords  = redc_curve_pkg::loop_words(Words, RBits, LoopBits, Bits),
  localparam int unsigned WordIndex  = redc_pkg::index_bits(LoopWords),
  localparam int unsigned BitIndex   = redc_pkg::index_bits(Bits),
  localparam int unsigned OperandBits = redc_curve_pkg::operand_bits(Places, LoopWords, Bits,
                                                                      Window),
  localparam int unsigned InstructionBits = 5 + OperandBits,
  localparam int unsigned CounterBits = redc_pkg::index_bits(Length),
  /// The program, its first instruction lowest.
  parameter logic [Length-1:0][InstructionBits-1:0] Program =
      {Length{{1'b0, redc_curve_pkg::KindHalt, (OperandBits)'(1'b0)}}}
) (
  input  wire logic                    clk_i,
  /// Active low, synchronous.
  input  wire logic                    rst_ni,
  /// Begins at an instruction.
  input  wire logic                    start_i,
  input  wire logic [CounterBits-1:0]  entry_i,
  /// The program has ended.
  output      logic                    halt_o,
  /// A bit was turned.
  output      logic                    fault_o,

  /// An instruction begins.
  output      logic                    issue_o,
  output      redc_curve_pkg::kind_e   kind_o,
  output      logic [PlaceBits-1:0]    place_o,
  output      logic [PlaceBits-1:0]    a_o,
  output      logic [PlaceBits-1:0]    b_o,
  /// What a choice takes.
  output      logic                    choose_o,
  /// The modulus of what is under way, and the number that exponents are written to.
  output      logic                    modulus_o,
  output      logic [1:0]              exponent_o,

  /// A sum or a product will be there in time.
  input  wire logic                    sum_done_i,
  input  wire logic [PlaceBits-1:0]    sum_place_i,
  input  wire logic                    product_done_i,
  input  wire logic [PlaceBits-1:0]    product_place_i,
  /// The multiplier has taken all of a pair of operands.
  input  wire logic                    taken_i,
  /// Adder or multiplier has words on their way to memory.
  input  wire logic                    writing_i,

  /// Writes a word of a number that loops go through: 0 the scalar, 1 the exponent, 2 a random one.
  input  wire logic                    bits_write_i,
  input  wire logic [1:0]              bits_number_i,
  input  wire logic [WordIndex-1:0]    bits_word_i,
  input  wire logic [Bits-1:0]         bits_data_i,
  /// of even parity with this bit.
  input  wire logic                    bits_parity_i
);

  import redc_curve_pkg::*;

  localparam int unsigned Spacing     = spacing(Words);
  localparam int unsigned GapBits     = redc_pkg::index_bits(Spacing);
  localparam int unsigned WaitingBits = $clog2(Waiting + 1);
  localparam int unsigned BitsDeep    = 1 << WordIndex;
  // Sums that may be under way: as many begin while one's words are on their way.
  localparam int unsigned Sums        = 4;
  // The number in a loop's instruction that is none: the loop goes through digits.
  localparam logic [1:0]  Digits      = 2'd3;

  // Of even parity.
  typedef struct packed {
    logic                   parity;
    logic                   last;
    kind_e                  kind;
    logic [OperandBits-1:0] operand;
  } instruction_t;
  typedef instruction_t [Length-1:0] instructions_t;
  typedef struct packed {
    logic                   parity;
    logic [CounterBits-1:0] at;
  } address_t;

  function automatic instructions_t coded();
    instructions_t found;
    for (int unsigned at = 0; at < Length; at++) found[at] = {^Program[at], Program[at]};
    return found;
  endfunction
  localparam instructions_t Coded = coded();

  function automatic address_t address_of(logic [CounterBits-1:0] at);
    return {^at, at};
  endfunction

  // Bits of a place in a word that are looked at first.
  localparam int unsigned FirstBits = redc_pkg::min(3, BitIndex);
  localparam int unsigned Groups    = redc_pkg::ceil_div(Bits, 1 << FirstBits);

  // All that decides when instructions begin and which bit a loop is at: one of two copies.
  typedef struct packed {
    logic                   active;
    logic                   fetched_valid;
    logic                   next_valid;
    logic                   head_valid;
    logic [GapBits-1:0]     gap;
    logic                   gap_ends;
    // Decided a cycle ahead, as much hangs on them: what follows becomes the head; the head begins,
    // the adder's or the multiplier's.
    logic                   load;
    logic                   issue;
    logic                   issue_sum;
    logic                   issue_product;
    // Of what follows, and of the head: it begins a loop, ends the program, writes a value, by the
    // multiplier.
    logic                   next_loop;
    logic                   next_halt;
    logic                   next_writes;
    logic                   next_product;
    logic                   is_loop;
    logic                   is_halt;
    logic                   writes;
    logic                   product;
    logic [WaitingBits-1:0] waiting;
    logic                   crowded;  // as many as may
    logic [1:0]             number;
    logic [WordIndex-1:0]   word;
    logic [BitIndex-1:0]    place;
    // The bit, one of several by the highest bits of its place, and whether the parity of its word
    // is wrong; the bit before; the loop is over.
    logic [Groups-1:0]      values;
    logic                   odd;
    logic                   previous;
    logic                   over;
    // Of the cycle before: the bit is the lowest of its word, and of the number.
    logic                   lowest;
    logic                   ends;
  } state_t;
  state_t now, copy, next;
  redc_prim_fanout #(.Bits($bits(state_t)), .Copies(2)) u_state (
    .clk_i, .d_i(next), .q_o({copy, now})
  );

  // ------------------------------------------------------------------------------------------
  // Fetch: the program's word of pc_q is in following two cycles later, where it waits a cycle for
  // what is known of its places (redc_curve_pending), then in head_q.
  // ------------------------------------------------------------------------------------------
  address_t     pc_q, back_q, behind_q;  // the one behind stands for longer than a cycle
  instruction_t following, head_q;
  logic [2:0][PlaceBits-1:0] next_places;  // destination and operands of what follows
  logic         load, issue, begins, again, ends;

  // A loop over digits goes on with its next bit, or ends with this digit.
  logic next_bit, final_digit, by_digits, over_digits;

  assign load   = now.load;
  assign begins = now.load & now.next_loop;
  // The bit that the loop is at is its last: it stands for longer than a cycle before that matters.
  assign ends   = now.ends;
  assign again  = following.last & ~(by_digits ? final_digit : ends);

  redc_prim_rom #(
    .Bits($bits(instruction_t)), .Depth(Length), .Technology((Length > 1024) ? 0 : Technology),
    .Content(Coded)
  ) u_program (.clk_i, .read_i(1'b1), .address_i(pc_q.at), .data_o(following));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) pc_q <= '0;
    else if (start_i) pc_q <= address_of(entry_i);
    else if (load) pc_q <= again ? back_q : behind_q;
    if (!rst_ni) back_q <= '0;
    else if (begins) back_q <= behind_q;
    behind_q <= address_of(pc_q.at + 1'b1);
    if (load) head_q <= following;
  end

  // ------------------------------------------------------------------------------------------
  // Bits of loops.
  // ------------------------------------------------------------------------------------------
  logic [Bits:0]   word_q;
  logic [Groups-1:0][(1<<FirstBits)-1:0] groups;  // without their parity
  logic            value;
  assign groups = (Groups << FirstBits)'(word_q[Bits-1:0]);
  assign value  = 1'(now.values >> (now.place >> FirstBits));
  if (Storage == 2) begin : gen_block
    redc_prim_block #(
      .Bits(Bits + 1), .Depth(4 * BitsDeep),
      .Technology((4 * BitsDeep > 16384) ? 0 : Technology)
    ) u_bits (
      .clk_i, .write_i(bits_write_i), .write_address_i({bits_number_i, bits_word_i}),
      .write_data_i({bits_parity_i, bits_data_i}), .read_address_i({now.number, now.word}),
      .read_data_o(word_q)
    );
  end else begin : gen_distributed
    logic [Bits:0] word;
    redc_prim_ram #(.Bits(Bits + 1), .Depth(4 * BitsDeep), .Registered(1)) u_bits (
      .clk_i, .write_i(bits_write_i), .write_address_i({bits_number_i, bits_word_i}),
      .write_data_i({bits_parity_i, bits_data_i}), .read_i(1'b1),
      .read_address_i({now.number, now.word}), .read_data_o(word)
    );
    always_ff @(posedge clk_i) word_q <= word;
  end
  logic picks, picked, odd_choice, odd_digit, differs_q;
  assign picks       = (Window > 0) & (head_q.kind == KindPick);
  assign choose_o    = picks ? picked : now.previous ^ (value & ~now.over);
  assign over_digits = (Window > 0) & (following.operand[WordIndex+BitIndex+:2] == Digits);
  // Of a copy no bit is looked at.
  assign odd_choice  = issue & now.odd & ~now.over & differs_q
                     & (head_q.kind inside {KindChoose, KindSquare});

  always_ff @(posedge clk_i)
    if (load) differs_q <= next_places[1] != next_places[0];

  logic gathered;  // the next digit is there
  if (Window == 0) begin : gen_bits
    assign {final_digit, by_digits, picked, odd_digit} = '0;
    assign gathered = 1'b1;
    assign next_bit = issue & head_q.last;
    wire unused = &{1'b0, over_digits};
  end else begin : gen_digits
    logic next_of_digit;
    redc_curve_digits #(
      .Window(Window), .Joint(Joint), .LoopBits(LoopBits), .WordIndex(WordIndex),
      .BitIndex(BitIndex)
    ) u_digits (
      .clk_i, .rst_ni, .start_i, .begins_i(begins), .over_digits_i(over_digits),
      .turn_i(issue & (head_q.last | now.is_loop)), .word_i(now.word),
      .bit_i(now.place), .second_i(now.number[1]), .value_i(value), .odd_i(now.odd),
      .next_o(next_of_digit), .on_o(by_digits), .gathered_o(gathered), .final_o(final_digit),
      .pick_i(head_q.operand[3*PlaceBits+:PickBits]), .picked_o(picked), .odd_o(odd_digit)
    );
    assign next_bit = by_digits ? next_of_digit : issue & head_q.last;
  end

  // ------------------------------------------------------------------------------------------
  // When the head begins.
  // ------------------------------------------------------------------------------------------
  logic                  clear, writes, product, sum_awaited, product_awaited;
  logic                  sums, products, sums_full, products_full, odd_sums, odd_products;
  logic [PlaceBits-1:0]  place, a, b;


  assign {place, a, b} = head_q.operand[3*PlaceBits-1:0];
  assign next_places   = following.operand[3*PlaceBits-1:0];
  // A unit's results are in its own memory.
  localparam int unsigned NumberBits = PlaceBits - 1;
  logic [2:0]                 next_banks;
  logic [2:0][NumberBits-1:0] next_numbers;
  always_comb
    for (int unsigned at = 0; at < 3; at++)
      {next_banks[at], next_numbers[at]} = next_places[at];
  assign writes  = now.writes;
  assign product = now.product;
  assign issue   = now.issue;

  // A product is told as it comes, a sum two cycles before its first word is written.
  redc_curve_pending #(.Bits(NumberBits), .Depth(Sums)) u_sums (
    .clk_i, .rst_ni, .push_i(now.issue_sum), .place_i(place[NumberBits-1:0]), .pop_i(sum_done_i),
    .pop_place_i(sum_place_i[NumberBits-1:0]), .next_i(next_numbers), .may_i(~next_banks),
    .load_i(load),
    .hit_o(sum_awaited), .some_o(sums), .full_o(sums_full), .odd_o(odd_sums)
  );
  redc_curve_pending #(.Bits(NumberBits), .Depth(InFlight)) u_products (
    .clk_i, .rst_ni, .push_i(now.issue_product), .place_i(place[NumberBits-1:0]),
    .pop_i(product_done_i), .pop_place_i(product_place_i[NumberBits-1:0]), .next_i(next_numbers),
    .may_i(next_banks), .load_i(load),
    .hit_o(product_awaited), .some_o(products), .full_o(products_full), .odd_o(odd_products)
  );

  always_comb begin
    if (now.is_loop) clear = gathered;
    else if (!writes) clear = ~sums & ~products & ~writing_i;
    else clear = ~sum_awaited & ~product_awaited
               & ~(product ? now.crowded | products_full : sums_full);
  end

  always_comb begin
    next = now;
    next.active        = start_i | (now.active & ~halt_o);
    next.fetched_valid = ~start_i & ~load;
    next.next_valid    = ~start_i & ~load & now.fetched_valid;
    next.head_valid    = ~start_i & ~halt_o & (load | (now.head_valid & ~issue));
    next.gap           = issue ? GapBits'(Spacing - 1) : (now.gap == '0) ? '0 : now.gap - 1'b1;
    next.gap_ends      = ~issue & (now.gap <= GapBits'(2));
    next.issue         = now.head_valid & ~issue & now.gap_ends & clear;
    next.issue_sum     = next.issue & writes & ~product;
    next.issue_product = next.issue & product;
    // Not in the cycle behind that in which the head begins, unless in that one; none while a
    // program starts, as until then there was none.
    next.load          = now.active & ~load & now.next_valid
                       & (~now.head_valid | (~issue & now.gap_ends & clear));
    next.next_loop     = following.kind == KindLoop;
    next.next_halt     = following.kind == KindHalt;
    next.next_product  = multiplies(following.kind);
    next.next_writes   = ~(following.kind inside {KindLoop, KindHalt})
                       & ~((Moduli > 1) & (following.kind == KindModulus));
    if (load) begin
      next.is_loop = now.next_loop;
      next.is_halt = now.next_halt;
      next.product = now.next_product;
      next.writes  = now.next_writes;
    end
    next.waiting       = now.waiting + WaitingBits'(now.issue_product) - WaitingBits'(taken_i);
    next.crowded       = (32'(now.waiting) == Waiting - 1) ? now.issue_product & ~taken_i
                       : (32'(now.waiting) == Waiting) & ~taken_i;
    next.lowest        = now.place == '0;
    next.ends          = (now.word == '0) & (now.place == '0);
    for (int unsigned at = 0; at < Groups; at++)
      next.values[at] = groups[at][now.place[FirstBits-1:0]];
    next.odd           = ^word_q;
    if (start_i) {next.previous, next.over} = '0;
    if (begins) begin
      next.number = over_digits ? 2'd0 : following.operand[WordIndex+BitIndex+:2];
      next.word   = following.operand[BitIndex+:WordIndex];
      next.place  = following.operand[0+:BitIndex];
      next.previous = 1'b0;
      next.over   = 1'b0;
    end else begin
      if (issue && head_q.last && !by_digits) begin
        next.previous = value;
        next.over   = ends;
      end
      if (next_bit && Joint != 0 && by_digits) next.number[1] = ~now.number[1];
      if (next_bit && !ends && !(Joint != 0 && by_digits && !now.number[1])) begin
        next.place = now.lowest ? BitIndex'(Bits - 1) : now.place - 1'b1;
        if (now.lowest) next.word = now.word - 1'b1;
      end
    end
    if (!rst_ni) next = '0;
  end

  logic odd_modulus;
  if (Moduli > 1) begin : gen_moduli
    logic [2:0] modulus, modulus_copy, modulus_next;
    redc_prim_fanout #(.Bits(3), .Copies(2)) u_modulus (
      .clk_i, .d_i(modulus_next), .q_o({modulus_copy, modulus})
    );
    assign modulus_next = (start_i | ~rst_ni) ? 3'b010
                        : (issue & (head_q.kind == KindModulus)) ? head_q.operand[2:0] : modulus;
    assign {exponent_o, modulus_o} = modulus;
    assign odd_modulus             = modulus != modulus_copy;
  end else begin : gen_modulus
    assign {exponent_o, modulus_o} = 3'b010;
    assign odd_modulus             = 1'b0;
  end

  // ------------------------------------------------------------------------------------------
  // What was turned.
  // ------------------------------------------------------------------------------------------
  // The copies are compared in pieces, as all bits of them are many.
  localparam int unsigned Piece  = 12;
  localparam int unsigned Pieces = redc_pkg::ceil_div($bits(state_t), Piece);
  logic [Pieces-1:0][Piece-1:0] unlike;
  logic [Pieces-1:0]            differs_in;
  assign unlike = (Pieces * Piece)'(now ^ copy);
  always_comb for (int unsigned at = 0; at < Pieces; at++) differs_in[at] = |unlike[at];

  logic [Pieces+4:0] odd_q;
  always_ff @(posedge clk_i) begin
    odd_q <= {differs_in, ^pc_q | ^back_q, now.head_valid & ^head_q, odd_choice | odd_digit,
              odd_modulus, odd_sums | odd_products};
    if (!rst_ni) odd_q <= '0;
  end
  assign fault_o = |odd_q;

  assign issue_o = now.issue_sum | now.issue_product;
  assign halt_o  = issue & now.is_halt;
  assign kind_o  = picks ? KindChoose : head_q.kind;
  assign place_o = place;
  wire unused_banks = &{1'b0, sum_place_i[PlaceBits-1], product_place_i[PlaceBits-1]};
  assign a_o     = a;
  assign b_o     = b;

endmodule

`default_nettype wire
