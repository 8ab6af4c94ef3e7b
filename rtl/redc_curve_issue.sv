// SPDX-License-Identifier: Apache-2.0
// redc_curve_issue: the program of redc_curve, and when each instruction begins.
//
// Contract  start_i begins at an entry; every instruction begins in the order of the program, once
//           its operands and its destination are no longer waited for; halt_o tells its end. A loop
//           has at least two instructions, and loops are not nested.
// Method    the destinations under way are kept (redc_curve_pending) from when an instruction
//           begins until it has been written as far as the next one reads. So no time is in the
//           program, and times are those of the schedule played in units/curve/play.py. Where a
//           loop is, and what choices take by its bit, redc_curve_bits says. A change of modulus
//           waits, as the end does, until everything is written, to the last word. Instructions and
//           their addresses have a parity bit each, all else of state a copy: any one bit that is
//           turned is a fault.
// Timing    an instruction begins at least spacing(Words) cycles behind the one before, eight
//           behind start_i, so that the next one becomes the head as it begins, and two behind the
//           event that it waits for. A fault shows in the third cycle behind that in which a bit
//           was turned, or sooner.
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
  // Sums that may be under way: as many begin while one's words are on their way.
  localparam int unsigned Sums        = 4;

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

  // The one behind: ones at the end are turned, and the bit above them, if there is one.
  function automatic address_t after(address_t one);
    logic odd;
    odd = 1'b0;
    for (int at = CounterBits - 1; at >= 0; at--) odd = ~(one.at[at] & odd);
    return {one.parity ^ odd, one.at + 1'b1};
  endfunction

  // All that decides when instructions begin: one of two copies.
  typedef struct packed {
    logic                   active;
    logic                   started;  // in the cycle before
    logic                   fetched_valid;
    logic                   next_valid;
    logic                   head_valid;
    logic [GapBits-1:0]     gap;
    logic                   gap_ends;
    // Decided a cycle ahead, as much hangs on them: what follows becomes the head; the head begins,
    // the adder's or the multiplier's.
    logic                   load;
    logic                   begun;  // in the cycle before a loop became the head,
    logic                   fresh;  // or whatever follows
    logic                   issue;
    logic                   issue_sum;
    logic                   issue_product;
    // Of what follows, and of the head: it begins a loop, ends the program, is the adder's, waits
    // until all is written, is the multiplier's.
    logic                   next_loop;
    logic                   next_halt;
    logic                   next_adds;
    logic                   next_waits;
    logic                   next_product;
    logic                   is_loop;
    logic                   is_halt;
    logic                   adds;
    logic                   waits;
    logic                   product;
    logic [WaitingBits-1:0] waiting;
    logic                   crowded;  // as many as may
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
  // Destination and operands of what follows, a cycle later, as the memory is far from what asks.
  logic [2:0][PlaceBits-1:0] asked_q;
  logic         load, issue, begins, again, final_turn;

  assign load   = now.load;
  assign begins = now.load & now.next_loop;
  assign again  = following.last & ~final_turn;

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
    behind_q <= after(pc_q);
    if (load) head_q <= following;
    else asked_q <= following.operand[3*PlaceBits-1:0];
  end

  // ------------------------------------------------------------------------------------------
  // Bits of loops.
  // ------------------------------------------------------------------------------------------
  logic                 picks, looks, differs_q, gathered, odd_bits;
  logic [PlaceBits-1:0] place, a, b;
  assign {place, a, b} = head_q.operand[3*PlaceBits-1:0];
  assign picks = (Window > 0) & (head_q.kind == KindPick);
  // Of a copy no bit is looked at.
  assign looks = differs_q & (head_q.kind inside {KindChoose, KindSquare});
  always_ff @(posedge clk_i)
    if (now.fresh) differs_q <= a != b;

  redc_curve_bits #(
    .Bits(Bits), .LoopBits(LoopBits), .Window(Window), .Joint(Joint), .Late(32'(Spacing > 4)),
    .Storage(Storage), .Technology(Technology), .WordIndex(WordIndex), .BitIndex(BitIndex)
  ) u_bits (
    .clk_i, .rst_ni, .start_i(now.started), .begins_i(now.begun),
    .position_i(head_q.operand[1+WordIndex+BitIndex:0]), .issue_i(issue), .last_i(head_q.last),
    .loop_i(now.is_loop), .picks_i(picks),
    .pick_i(PickBits'((3 * PlaceBits + PickBits)'(head_q.operand) >> (3 * PlaceBits))),
    .looks_i(looks), .choose_o, .gathered_o(gathered), .final_o(final_turn), .fault_o(odd_bits),
    .write_i(bits_write_i), .write_number_i(bits_number_i), .write_word_i(bits_word_i),
    .write_data_i(bits_data_i), .write_parity_i(bits_parity_i)
  );

  // ------------------------------------------------------------------------------------------
  // When the head begins.
  // ------------------------------------------------------------------------------------------
  logic                  sum_awaited, product_awaited;
  logic                  sums, products, odd_sums, odd_products;

  // A unit's results are in its own memory.
  localparam int unsigned NumberBits = PlaceBits - 1;
  logic [2:0]                 next_banks;
  logic [2:0][NumberBits-1:0] next_numbers;
  always_comb
    for (int unsigned at = 0; at < 3; at++)
      {next_banks[at], next_numbers[at]} = asked_q[at];
  assign issue = now.issue;

  // A product is told as it comes, a sum two cycles before its first word is written.
  redc_curve_pending #(.Bits(NumberBits), .Depth(Sums)) u_sums (
    .clk_i, .rst_ni, .push_i(now.issue_sum), .place_i(place[NumberBits-1:0]), .pop_i(sum_done_i),
    .pop_place_i(sum_place_i[NumberBits-1:0]), .next_i(next_numbers), .may_i(~next_banks),
    .load_i(now.fresh), .mine_i(now.adds), .hit_o(sum_awaited), .some_o(sums),
    .odd_o(odd_sums)
  );
  redc_curve_pending #(.Bits(NumberBits), .Depth(InFlight)) u_products (
    .clk_i, .rst_ni, .push_i(now.issue_product), .place_i(place[NumberBits-1:0]),
    .pop_i(product_done_i), .pop_place_i(product_place_i[NumberBits-1:0]), .next_i(next_numbers),
    .may_i(next_banks), .load_i(now.fresh), .mine_i(now.product), .hit_o(product_awaited),
    .some_o(products), .odd_o(odd_products)
  );

  // Whether the head may begin, and by whom: what is awaited is known from the third cycle on in
  // which it stands.
  logic due, free, begins_sum, begins_product, begins_else, goes;
  assign due            = now.head_valid & ~issue & now.gap_ends;
  assign free           = ~sum_awaited & ~product_awaited;
  assign begins_sum     = due & now.adds & free;
  assign begins_product = due & now.product & free & ~now.crowded;
  assign begins_else    = due & ((now.is_loop & gathered)
                               | (now.waits & ~sums & ~products & ~writing_i));
  assign goes           = begins_sum | begins_product | begins_else;

  always_comb begin
    next = now;
    next.started       = start_i;
    next.active        = start_i | (now.active & ~halt_o);
    next.fetched_valid = ~start_i & ~load;
    next.next_valid    = ~start_i & ~load & now.fetched_valid;
    next.head_valid    = ~start_i & ~halt_o & (load | (now.head_valid & ~issue));
    // The first one waits for what follows it.
    next.gap           = issue ? GapBits'(Spacing - 1)
                       : (load & ~now.head_valid) ? GapBits'(3)
                       : (now.gap == '0) ? '0 : now.gap - 1'b1;
    next.gap_ends      = ~issue & ~(load & ~now.head_valid) & (now.gap <= GapBits'(2));
    next.issue         = goes;
    next.issue_sum     = begins_sum;
    next.issue_product = begins_product;
    // Not in the cycle behind that in which the head begins, unless in that one; none while a
    // program starts, as until then there was none.
    next.load          = now.active & ~load & now.next_valid & (~now.head_valid | goes);
    next.begun         = begins;
    next.fresh         = load;
    next.next_loop     = following.kind == KindLoop;
    next.next_halt     = following.kind == KindHalt;
    next.next_product  = multiplies(following.kind);
    next.next_waits    = (following.kind == KindHalt)
                       | ((Moduli > 1) & (following.kind == KindModulus));
    next.next_adds     = ~next.next_waits & ~next.next_loop & ~next.next_product;
    if (load) {next.is_loop, next.is_halt, next.adds, next.waits, next.product}
        = {now.next_loop, now.next_halt, now.next_adds, now.next_waits, now.next_product};
    next.waiting       = now.waiting + WaitingBits'(now.issue_product) - WaitingBits'(taken_i);
    next.crowded       = (32'(now.waiting) == Waiting - 1) ? now.issue_product & ~taken_i
                       : (32'(now.waiting) == Waiting) & ~taken_i;
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
  logic       unlike;
  logic [6:0] odd_q;
  logic       head_valid_q;
  logic [2:0] thirds, thirds_q;  // of the head's bits, every third one
  always_comb begin
    thirds = '0;
    for (int unsigned at = 0; at < $bits(instruction_t); at++) thirds[at%3] ^= head_q[at];
  end
  redc_curve_same #(.Bits($bits(state_t))) u_same (
    .clk_i, .rst_ni, .first_i(now), .second_i(copy), .fault_o(unlike)
  );
  always_ff @(posedge clk_i) begin
    odd_q <= {^pc_q, ^back_q, head_valid_q & ^thirds_q, now.fresh & (asked_q != {place, a, b}),
              odd_modulus, odd_sums, odd_products};
    head_valid_q <= now.head_valid;
    thirds_q     <= thirds;
    if (!rst_ni) odd_q <= '0;
  end
  assign fault_o = (|odd_q) | unlike | odd_bits;

  assign issue_o = now.issue_sum | now.issue_product;
  assign halt_o  = issue & now.is_halt;
  assign kind_o  = picks ? KindChoose : head_q.kind;
  assign place_o = place;
  assign a_o     = a;
  assign b_o     = b;
  wire unused_banks = &{1'b0, sum_place_i[PlaceBits-1], product_place_i[PlaceBits-1]};

endmodule

`default_nettype wire
