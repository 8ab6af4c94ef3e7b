// SPDX-License-Identifier: Apache-2.0
// redc_curve_issue: the program of redc_curve, its loops, and when each instruction begins.
//
// Contract  start_i begins at an entry; every instruction begins in the order of the program, once
//           its operands and its destination are no longer waited for; halt_o tells its end. A loop
//           has at least two instructions, and loops are not nested.
// Method    a flag for each place: set when an instruction that writes it begins, cleared when that
//           has been written as far as the next one reads. So no time is in the program, and the
//           times are those of the schedule played in units/curve/play.py. A loop goes through the
//           bits of a number, from the one in its instruction to bit 0; a choice sees the bit and
//           the one before (0 before the first), behind the loop bit 0 alone. A change of modulus
//           waits, as the end does, until everything is written. A loop over digits takes Window
//           bits of the scalar at a time, down to bit 1, which leaves bit 0 to choices behind it;
//           with Joint down to bit 0, and beside each bit the same one of number 2. Those of the
//           next iteration come while one goes on. A pick is a choice of what is there and an entry
//           of a table, by whether the digit is the entry's number, so that all entries are read.
// Timing    an instruction begins at least spacing(Words) cycles behind the one before, five cycles
//           behind start_i, and two behind the event that it waits for.
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
  /// Derived; not to be set.
  localparam int unsigned PlaceBits  = redc_curve_pkg::place_bits(Places),
  localparam int unsigned LoopWords  = redc_curve_pkg::loop_words(Words, RBits, LoopBits, Bits),
  localparam int unsigned WordIndex  = redc_pkg::index_bits(LoopWords),
  localparam int unsigned BitIndex   = redc_pkg::index_bits(Bits),
  localparam int unsigned OperandBits = redc_curve_pkg::operand_bits(Places, LoopWords, Bits),
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
  /// The adder has words on their way.
  input  wire logic                    adding_i,

  /// Writes a word of a number that loops go through: 0 the scalar, 1 the exponent, 2 a random one.
  input  wire logic                    bits_write_i,
  input  wire logic [1:0]              bits_number_i,
  input  wire logic [WordIndex-1:0]    bits_word_i,
  input  wire logic [Bits-1:0]         bits_data_i
);

  import redc_curve_pkg::*;

  localparam int unsigned Spacing  = spacing(Words);
  localparam int unsigned GapBits  = redc_pkg::index_bits(Spacing);
  localparam int unsigned Flags    = 1 << PlaceBits;
  localparam int unsigned BitsDeep = 1 << WordIndex;
  // The number in a loop's instruction that is none: the loop goes through digits.
  localparam logic [1:0]  Digits   = 2'd3;

  typedef struct packed {
    logic                   last;
    kind_e                  kind;
    logic [OperandBits-1:0] operand;
  } instruction_t;

  // ------------------------------------------------------------------------------------------
  // Fetch: the program's word of pc_q is in fetched_q a cycle later, then, as memory is slow, in
  // next_q, then in head_q.
  // ------------------------------------------------------------------------------------------
  logic [CounterBits-1:0] pc_q, back_q;
  instruction_t           fetched_q, next_q, head_q;
  logic                   active_q, fetched_valid_q, ready_q, head_valid_q;
  logic                   load, issue, begins, again;
  logic [WordIndex-1:0]   word_index_q;
  logic [BitIndex-1:0]    bit_index_q;
  logic [1:0]             number_q;
  logic                   ends;

  // A loop over digits goes on with its next bit, or ends with this digit.
  logic next_bit, final_q, digits_q, over_digits;

  assign load   = active_q & ready_q & (~head_valid_q | issue);
  assign begins = load & (next_q.kind == KindLoop);
  // The bit that the loop is at is its last.
  assign ends   = (word_index_q == '0) & (bit_index_q == '0);
  assign again  = next_q.last & ~(digits_q ? final_q : ends);

  always_ff @(posedge clk_i) begin
    fetched_q <= Program[pc_q];
    next_q    <= fetched_q;
    if (!rst_ni) begin
      active_q        <= 1'b0;
      fetched_valid_q <= 1'b0;
      ready_q         <= 1'b0;
      head_valid_q    <= 1'b0;
    end else begin
      active_q        <= start_i | (active_q & ~halt_o);
      fetched_valid_q <= ~start_i & ~load;
      ready_q         <= ~start_i & ~load & fetched_valid_q;
      head_valid_q    <= ~start_i & ~halt_o & (load | (head_valid_q & ~issue));
    end
    if (start_i) pc_q <= entry_i;
    else if (load) pc_q <= again ? back_q : pc_q + 1'b1;
    if (begins) back_q <= pc_q + 1'b1;
    if (load) begin
      head_q <= next_q;
      if (Window > 0 && next_q.kind == KindPick) begin
        head_q.kind                          <= KindChoose;
        head_q.operand[PlaceBits+:PlaceBits] <= next_q.operand[2*PlaceBits+:PlaceBits];
      end
    end
  end

  // ------------------------------------------------------------------------------------------
  // Bits of loops.
  // ------------------------------------------------------------------------------------------
  logic            bit_q, before_q, over_q;
  logic [Bits-1:0] word_q;
  redc_prim_ram #(.Bits(Bits), .Depth(4 * BitsDeep), .Registered(1)) u_bits (
    .clk_i, .write_i(bits_write_i), .write_address_i({bits_number_i, bits_word_i}),
    .write_data_i(bits_data_i), .read_i(1'b1),
    .read_address_i({number_q, word_index_q}), .read_data_o(word_q)
  );
  logic picks_q, picked;
  assign choose_o    = picks_q ? picked : before_q ^ (bit_q & ~over_q);
  assign over_digits = (Window > 0) & (next_q.operand[WordIndex+BitIndex+:2] == Digits);

  always_ff @(posedge clk_i) begin
    bit_q <= word_q[bit_index_q];
    if (start_i) {before_q, over_q} <= '0;
    if (begins) begin
      number_q     <= over_digits ? 2'd0 : next_q.operand[WordIndex+BitIndex+:2];
      word_index_q <= next_q.operand[BitIndex+:WordIndex];
      bit_index_q  <= next_q.operand[0+:BitIndex];
      before_q     <= 1'b0;
      over_q       <= 1'b0;
    end else begin
      if (issue && head_q.last && !digits_q) begin
        before_q <= bit_q;
        over_q   <= ends;
      end
      if (next_bit && Joint != 0 && digits_q) number_q[1] <= ~number_q[1];
      if (next_bit && !ends && !(Joint != 0 && digits_q && !number_q[1])) begin
        bit_index_q <= (bit_index_q == '0) ? BitIndex'(Bits - 1) : bit_index_q - 1'b1;
        if (bit_index_q == '0) word_index_q <= word_index_q - 1'b1;
      end
    end
  end

  // ------------------------------------------------------------------------------------------
  // Digits of loops: a bit in three cycles, as it has come from memory. Zeros come before the first
  // bit, so that the last digit ends with the last bit.
  // ------------------------------------------------------------------------------------------
  logic gathered;  // the next digit is there
  if (Window == 0) begin : gen_bits
    assign {final_q, digits_q, picks_q, picked} = '0;
    assign gathered = 1'b1;
    assign next_bit = issue & head_q.last;
    wire unused = &{1'b0, over_digits};
  end else begin : gen_digits
    localparam int unsigned Digit    = Window * (1 + Joint);
    localparam int unsigned Lowest   = 1 - Joint;
    localparam int unsigned Pad      =
        (Window - (LoopBits - Lowest) % Window) % Window * (1 + Joint);
    localparam int unsigned LeftBits = $clog2(Digit + 1);
    logic [Digit-1:0]     digit_q, coming_q;
    logic [PlaceBits-1:0] which_q;
    logic [LeftBits-1:0]  left_q, pad_q;
    logic [1:0]           step_q;
    logic                 takes, turns, last_q, lowest;
    if (Digit > PlaceBits) begin : gen_refuse_digit
      $error("redc_curve_issue: Window=%0d and Joint=%0d are more bits than a place has, %0d",
             Window, Joint, PlaceBits);
    end

    // At or below the last one: a bit that is turned must not lead past it, as there is no way on.
    assign lowest   = (word_index_q == '0) & (bit_index_q <= BitIndex'(Lowest));
    assign gathered = ~digits_q | (left_q == '0);
    assign takes    = (left_q != '0) & step_q[1];
    assign next_bit = digits_q ? takes & (pad_q == '0) : issue & head_q.last;
    assign turns    = digits_q & issue & (head_q.last | (head_q.kind == KindLoop));
    assign picked   = digit_q == Digit'(which_q);

    always_ff @(posedge clk_i) begin
      if (load) begin
        picks_q <= next_q.kind == KindPick;
        which_q <= next_q.operand[PlaceBits+:PlaceBits];
      end
      if (begins || start_i || !rst_ni) begin
        // The last digits of a job are overwritten as its next loop begins.
        {digit_q, coming_q, final_q, last_q} <= '0;
        digits_q <= begins & over_digits & rst_ni;
        left_q   <= (begins & over_digits & rst_ni) ? LeftBits'(Digit) : '0;
        pad_q    <= LeftBits'(Pad);
        step_q   <= '0;
      end else if (turns) begin
        digit_q <= coming_q;
        final_q <= last_q;
        left_q  <= last_q ? '0 : LeftBits'(Digit);
        step_q  <= '0;
      end else if (left_q != '0) begin
        step_q <= takes ? '0 : step_q + 1'b1;
        if (takes) begin
          coming_q <= Digit'({coming_q, bit_q & (pad_q == '0)});
          left_q   <= left_q - 1'b1;
          if (pad_q != '0) pad_q <= pad_q - 1'b1;
          else if (lowest && (Joint == 0 || number_q[1])) last_q <= 1'b1;
        end
      end
    end
  end

  // ------------------------------------------------------------------------------------------
  // When the head begins.
  // ------------------------------------------------------------------------------------------
  logic [Flags-1:0]               awaited_q, awaited;
  logic [GapBits-1:0]             gap_q;
  logic [$clog2(Waiting+1)-1:0]   waiting_q;
  logic [$clog2(InFlight+1)-1:0]  in_flight_q;
  logic                           clear_q, clear, writes, product;
  logic [PlaceBits-1:0]           place, a, b;

  assign {place, a, b} = head_q.operand[3*PlaceBits-1:0];
  logic                           changes;
  assign changes    = (Moduli > 1) & (head_q.kind == KindModulus);
  assign writes     = ~(head_q.kind inside {KindLoop, KindHalt}) & ~changes;
  assign product    = multiplies(head_q.kind);
  assign issue      = clear_q & (gap_q == '0);

  always_comb begin
    unique case (head_q.kind)
      KindLoop: clear = gathered;
      KindHalt: clear = (awaited_q == '0) & ~adding_i;
      default: clear = ~(awaited_q[place] | awaited_q[a] | awaited_q[b]
                         | (product & ((32'(waiting_q) == Waiting)
                                          | (32'(in_flight_q) == InFlight))));
    endcase
    if (changes) clear = (awaited_q == '0) & ~adding_i;
  end

  // A product is told as it comes, a sum two cycles before its first word is written.
  always_comb begin
    awaited = awaited_q;
    if (sum_done_i) awaited[sum_place_i] = 1'b0;
    if (product_done_i) awaited[product_place_i] = 1'b0;
    if (issue && writes) awaited[place] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clear_q     <= 1'b0;
      gap_q       <= '0;
      awaited_q   <= '0;
      waiting_q   <= '0;
      in_flight_q <= '0;
    end else begin
      clear_q   <= head_valid_q & ~issue & clear;
      gap_q     <= issue ? GapBits'(Spacing - 1) : (gap_q == '0) ? '0 : gap_q - 1'b1;
      awaited_q <= awaited;
      waiting_q   <= waiting_q + $bits(waiting_q)'(issue & product)
                   - $bits(waiting_q)'(taken_i);
      in_flight_q <= in_flight_q + $bits(in_flight_q)'(issue & product)
                   - $bits(in_flight_q)'(product_done_i);
    end
  end

  if (Moduli > 1) begin : gen_moduli
    always_ff @(posedge clk_i) begin
      if (start_i || !rst_ni) {exponent_o, modulus_o} <= 3'b010;
      else if (issue && changes) {exponent_o, modulus_o} <= head_q.operand[2:0];
    end
  end else begin : gen_modulus
    assign {exponent_o, modulus_o} = 3'b010;
  end

  assign issue_o = issue & writes;
  assign halt_o  = issue & (head_q.kind == KindHalt);
  assign kind_o  = head_q.kind;
  assign place_o = place;
  assign a_o     = a;
  assign b_o     = b;

endmodule

`default_nettype wire
