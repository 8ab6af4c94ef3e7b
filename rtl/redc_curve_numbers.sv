// SPDX-License-Identifier: Apache-2.0
// redc_curve_numbers: words of the numbers that redc_curve's loops go through: the scalar as it
// comes, or blinded, random bits, and exponents as they are made.
//
// Contract  redc_curve_random's, where RandomBits and Blinds are not both 0; else the scalar's
//           words go straight on, and zeros under wipe_i. Words of an exponent, which the program
//           makes, come at other times.
// Timing    redc_curve_random's, and a cycle more.
// Leakage   redc_curve_random's.
// Refuses   what redc_curve refuses.
// Partner   redc_curve_issue, which keeps them.
`default_nettype none

module redc_curve_numbers #(
  /// Bits of a word.
  parameter int unsigned Bits = 34,
  /// Words of a value.
  parameter int unsigned Words = 8,
  /// As of redc_curve.
  parameter int unsigned RandomBits = 32,
  parameter int unsigned Blinds = 0,
  /// Bits of the longest scalar, words of any number.
  parameter int unsigned LoopBits = 255,
  parameter int unsigned LoopWords = 8,
  /// Derived; not to be set.
  localparam int unsigned BeatBits  = redc_pkg::index_bits(Words),
  localparam int unsigned WordIndex = redc_pkg::index_bits(LoopWords)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous.
  input  wire logic                 rst_ni,
  /// Overwrites what is of a job.
  input  wire logic                 wipe_i,
  /// Random bits are drawn, and have been; the source is stuck.
  input  wire logic                 draw_i,
  output      logic                 drawn_o,
  output      logic                 stuck_o,
  /// A bit was turned.
  output      logic                 fault_o,
  /// A word of the order, of the scalar.
  input  wire logic                 order_write_i,
  input  wire logic                 scalar_write_i,
  input  wire logic [BeatBits-1:0]  beat_i,
  input  wire logic [Bits-1:0]      order_i,
  input  wire logic [Bits-1:0]      scalar_i,
  /// A word of a sum, which nothing else comes with, an exponent's: of which number.
  input  wire logic                 sum_valid_i,
  input  wire logic                 exponent_write_i,
  input  wire logic [1:0]           exponent_number_i,
  input  wire logic [BeatBits-1:0]  exponent_beat_i,
  input  wire logic [Bits-1:0]      exponent_i,
  /// Random bits.
  input  wire logic                 rnd_valid_i,
  output      logic                 rnd_ready_o,
  input  wire logic                 rnd_data_i,
  /// A word of a number: 0 the scalar, 1 an exponent, 2 the random one.
  output      logic                 write_o,
  output      logic [1:0]           number_o,
  output      logic [WordIndex-1:0] word_o,
  output      logic [Bits-1:0]      data_o,
  /// of even parity with this bit.
  output      logic                 parity_o
);

  localparam int unsigned ScalarWords = (Blinds > 0) ? redc_pkg::ceil_div(LoopBits, Bits) : Words;
  localparam int unsigned RandomIndex = redc_pkg::index_bits(redc_pkg::max(Words, ScalarWords));
  logic                   random_write;
  logic [1:0]             random_number;
  logic [RandomIndex-1:0] random_word;
  logic [Bits-1:0]        random_data;
  logic                   random_parity, random_fault, random_clears;
  if (RandomBits + Blinds == 0) begin : gen_nothing_drawn
    assign {drawn_o, stuck_o, random_fault, rnd_ready_o} = '0;
    assign random_write  = wipe_i | scalar_write_i;
    // The scalar and the second one of a verification are overwritten, one behind the other.
    logic second_q;
    always_ff @(posedge clk_i) begin
      second_q <= wipe_i & (second_q ^ (beat_i == BeatBits'(Words - 1)));
      if (!rst_ni) second_q <= 1'b0;
    end
    assign random_number = {wipe_i & second_q, 1'b0};
    assign random_word   = RandomIndex'(beat_i);
    assign random_data   = scalar_i;
    assign random_parity = ^scalar_i;
    assign random_clears = wipe_i;
    wire unused = &{1'b0, rnd_valid_i, rnd_data_i, draw_i, order_write_i, order_i};
  end else begin : gen_drawn
    redc_curve_random #(
      .Bits(Bits), .Words(Words), .RandomBits(RandomBits), .Blinds(Blinds),
      .ScalarWords(ScalarWords)
    ) u_random (
      .clk_i, .rst_ni, .wipe_i, .start_i(draw_i), .done_o(drawn_o), .stuck_o,
      .fault_o(random_fault),
      .order_write_i, .scalar_write_i, .beat_i, .order_i, .scalar_i, .rnd_valid_i, .rnd_ready_o,
      .rnd_data_i, .write_o(random_write), .number_o(random_number), .word_o(random_word),
      .data_o(random_data), .parity_o(random_parity), .clears_o(random_clears)
    );
  end
  // On its way to memory, in a register: where it goes in two copies, which have to agree.
  typedef struct packed {
    logic                 write;
    logic [1:0]           number;
    logic [WordIndex-1:0] word;
  } where_t;
  where_t where, where_copy, where_next;
  // Parity of every third bit of an exponent, or that of a random word.
  logic [2:0] odd, odd_q;
  logic   unlike_q;
  redc_prim_fanout #(.Bits($bits(where_t)), .Copies(2)) u_where (
    .clk_i, .d_i(where_next), .q_o({where_copy, where})
  );
  always_comb begin
    where_next = sum_valid_i ? {exponent_write_i, exponent_number_i, WordIndex'(exponent_beat_i)}
                             : {random_write, random_number, WordIndex'(random_word)};
    if (!rst_ni) where_next.write = 1'b0;
    odd = '0;
    for (int unsigned at = 0; at < Bits; at++) odd[at%3] ^= exponent_i[at];
    if (!sum_valid_i) odd = {2'b00, random_parity};
  end
  always_ff @(posedge clk_i) begin
    data_o   <= sum_valid_i ? exponent_i : random_data;
    odd_q  <= odd;
    if (random_clears && !sum_valid_i) {data_o, odd_q} <= '0;
    unlike_q <= rst_ni & (where != where_copy);
  end
  assign parity_o           = ^odd_q;
  assign write_o            = where.write & where_copy.write;
  assign {number_o, word_o} = {where.number, where.word};
  assign fault_o            = random_fault | unlike_q;

endmodule

`default_nettype wire
