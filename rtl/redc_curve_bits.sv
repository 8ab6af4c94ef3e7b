// SPDX-License-Identifier: Apache-2.0
// redc_curve_bits: the numbers that loops of redc_curve go through, at which bit a loop is, and
// what a choice takes by it.
//
// Contract  a loop begins (begins_i) at the number, word and place of position_i, or goes through
//           digits of the scalar, and turns with each instruction that begins (issue_i) and is the
//           last one of the loop (last_i). final_o tells whether the iteration is the last.
// Method    a loop goes through the bits of a number, from the one that it begins at to bit 0; a
//           choice sees the bit and the one before (0 before the first), behind the loop bit 0
//           alone. A loop over digits takes several bits of the scalar at a time
//           (redc_curve_digits), down to bit 1, which leaves bit 0 to choices behind it. A pick is
//           a choice by one bit of the digit. Words have a parity bit each, all else of state a
//           copy: any one bit that is turned is a fault, unless nothing looks at it.
// Timing    a bit is looked up in four cycles, with Late in five; where the one below it is is
//           known a cycle ahead.
// Leakage   which bit is looked up does not depend on bits; only choose_o does.
// Refuses   what redc_curve refuses.
// Partner   redc_curve_issue.
`default_nettype none

module redc_curve_bits #(
  /// As of redc_curve_issue.
  parameter int unsigned Bits = 34,
  parameter int unsigned LoopBits = 255,
  parameter int unsigned Window = 0,
  parameter int unsigned Joint = 0,
  /// 1: words come through one more register, as instructions begin more than four cycles apart.
  parameter int unsigned Late = 0,
  parameter int unsigned Storage = 1,
  parameter int unsigned Technology = 0,
  /// Bits of a word's index, and of that of a bit in it.
  parameter int unsigned WordIndex = 3,
  parameter int unsigned BitIndex = 6
) (
  input  wire logic                                clk_i,
  /// Active low, synchronous.
  input  wire logic                                rst_ni,
  /// A program begins;
  input  wire logic                                start_i,
  /// a loop does: at which bit of which number, from the highest on: number, word, place.
  input  wire logic                                begins_i,
  input  wire logic [1+WordIndex+BitIndex:0]       position_i,
  /// An instruction begins: the last one of a loop, the one that begins a loop, a pick, by which
  /// bit of the digit, or one that looks at the bit.
  input  wire logic                                issue_i,
  input  wire logic                                last_i,
  input  wire logic                                loop_i,
  input  wire logic                                picks_i,
  input  wire logic [redc_curve_pkg::PickBits-1:0] pick_i,
  input  wire logic                                looks_i,
  /// What a choice takes.
  output      logic                                choose_o,
  /// A loop's next digit is there, and its iteration is the last one.
  output      logic                                gathered_o,
  output      logic                                final_o,
  /// A bit was turned.
  output      logic                                fault_o,

  /// Writes a word of a number: 0 the scalar, 1 the exponent, 2 a random one.
  input  wire logic                                write_i,
  input  wire logic [1:0]                          write_number_i,
  input  wire logic [WordIndex-1:0]                write_word_i,
  input  wire logic [Bits-1:0]                     write_data_i,
  /// of even parity with this bit.
  input  wire logic                                write_parity_i
);

  localparam int unsigned Depth     = 4 << WordIndex;
  // The number in a loop's instruction that is none: the loop goes through digits.
  localparam logic [1:0]  Digits    = 2'd3;
  // Bits of a place in a word that are looked at first.
  localparam int unsigned FirstBits = redc_pkg::min(3, BitIndex);
  localparam int unsigned Groups    = redc_pkg::ceil_div(Bits, 1 << FirstBits);

  typedef struct packed {
    logic [1:0]           number;
    logic [WordIndex-1:0] word;
    logic [BitIndex-1:0]  place;
    // The bit, one of several by the highest bits of its place, and whether the parity of its word
    // is wrong; the bit before; the loop is over.
    logic [Groups-1:0]    values;
    logic                 odd;
    logic                 previous;
    logic                 over;
    // Of the cycle before: where the bit below is, and whether there is none.
    logic [WordIndex-1:0] word_below;
    logic [BitIndex-1:0]  place_below;
    logic                 ends;
  } state_t;
  state_t now, copy, next;
  redc_prim_fanout #(.Bits($bits(state_t)), .Copies(2)) u_state (
    .clk_i, .d_i(next), .q_o({copy, now})
  );

  logic [Bits:0]                         read_q, word_q;  // with its parity
  logic [Groups-1:0][(1<<FirstBits)-1:0] groups;
  logic                                  value, differs;  // the bit, from the one before
  assign groups  = (Groups << FirstBits)'(word_q[Bits-1:0]);
  assign value   = 1'(now.values >> (now.place >> FirstBits));
  assign differs = now.previous ^ (value & ~now.over);
  if (Storage == 2) begin : gen_block
    redc_prim_block #(.Bits(Bits + 1), .Depth(Depth), .Technology(Technology)) u_bits (
      .clk_i, .write_i, .write_address_i({write_number_i, write_word_i}),
      .write_data_i({write_parity_i, write_data_i}), .read_address_i({now.number, now.word}),
      .read_i(1'b1), .read_data_o(read_q)
    );
  end else begin : gen_distributed
    logic [Bits:0] word;
    redc_prim_ram #(.Bits(Bits + 1), .Depth(Depth), .Registered(1)) u_bits (
      .clk_i, .write_i, .write_address_i({write_number_i, write_word_i}),
      .write_data_i({write_parity_i, write_data_i}), .read_i(1'b1),
      .read_address_i({now.number, now.word}), .read_data_o(word)
    );
    always_ff @(posedge clk_i) read_q <= word;
  end
  // The memory is far from what looks for a bit.
  if (Late != 0) begin : gen_late
    always_ff @(posedge clk_i) word_q <= read_q;
  end else begin : gen_at_once
    assign word_q = read_q;
  end

  // A loop over digits goes on with its next bit, or ends with this digit.
  logic over_digits, by_digits, next_bit, digits_fault;
  assign over_digits = (Window > 0) & (position_i[WordIndex+BitIndex+:2] == Digits);
  if (Window == 0) begin : gen_bits
    assign {by_digits, digits_fault} = '0;
    assign gathered_o                = 1'b1;
    assign final_o                   = now.ends;
    assign choose_o                  = differs;
    assign next_bit                  = issue_i & last_i;
    wire unused = &{1'b0, loop_i, picks_i, pick_i};
  end else begin : gen_digits
    logic final_digit, picked, next_of_digit;
    redc_curve_digits #(
      .Window(Window), .Joint(Joint), .LoopBits(LoopBits), .WordIndex(WordIndex),
      .BitIndex(BitIndex), .Late(Late)
    ) u_digits (
      .clk_i, .rst_ni, .start_i, .begins_i, .over_digits_i(over_digits),
      .turn_i(issue_i & (last_i | loop_i)), .word_i(now.word), .bit_i(now.place),
      .second_i(now.number[1]), .value_i(value), .odd_i(now.odd), .next_o(next_of_digit),
      .on_o(by_digits), .gathered_o, .final_o(final_digit), .pick_i, .picked_o(picked),
      .fault_o(digits_fault)
    );
    // The bit that the loop is at is its last: it stands for longer than a cycle before that
    // matters.
    assign final_o  = by_digits ? final_digit : now.ends;
    assign choose_o = picks_i ? picked : differs;
    assign next_bit = next_of_digit | (issue_i & last_i & ~by_digits);
  end

  always_comb begin
    next             = now;
    next.word_below  = (now.place == '0) ? now.word - 1'b1 : now.word;
    next.place_below = (now.place == '0) ? BitIndex'(Bits - 1) : now.place - 1'b1;
    next.ends        = (now.word == '0) & (now.place == '0);
    for (int unsigned at = 0; at < Groups; at++)
      next.values[at] = groups[at][now.place[FirstBits-1:0]];
    next.odd         = ^word_q;
    if (start_i) {next.previous, next.over} = '0;
    if (begins_i) begin
      {next.number, next.word, next.place} = position_i;
      if (over_digits) next.number = 2'd0;
      {next.previous, next.over} = '0;
    end else begin
      if (issue_i && last_i && !by_digits) begin
        next.previous = value;
        next.over     = now.ends;
      end
      if (next_bit && Joint != 0 && by_digits) next.number[1] = ~now.number[1];
      if (next_bit && !now.ends && !(Joint != 0 && by_digits && !now.number[1]))
        {next.word, next.place} = {now.word_below, now.place_below};
    end
    if (!rst_ni) next = '0;
  end

  logic odd_q, unlike;
  always_ff @(posedge clk_i) begin
    odd_q <= issue_i & now.odd & ~now.over & looks_i;
    if (!rst_ni) odd_q <= 1'b0;
  end
  redc_curve_same #(.Bits($bits(state_t))) u_same (
    .clk_i, .rst_ni, .first_i(now), .second_i(copy), .fault_o(unlike)
  );
  assign fault_o = odd_q | unlike | digits_fault;

endmodule

`default_nettype wire
