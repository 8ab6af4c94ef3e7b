// SPDX-License-Identifier: Apache-2.0
// redc_mul_limbs_results: limbs of results come, words leave.
//
// Contract  limbs of a result come whether anybody takes words or not; there is room for Ring of
//           them. Once limb number Release has come, no word has to wait for those behind it.
//           deliver_o tells that a result has left.
// Method    a memory for each digit of a limb, read into a register, from which the word's digits
//           are taken in turn, and the stream's register behind it.
// Timing    a word is offered three cycles behind the one in which limb Release comes.
// Leakage   handshakes alone decide. Memories keep digits until overwritten.
// Refuses   nothing itself; the multipliers around it do.
// Partner   src/redcore/families/fold.py, src/redcore/families/solinas.py.
`default_nettype none

module redc_mul_limbs_results #(
  /// Bits of a digit, digits of a limb and of a word, limbs and words of a number.
  parameter int unsigned Digit = 17,
  parameter int unsigned Rows = 3,
  parameter int unsigned Word = 2,
  parameter int unsigned Limbs = 5,
  parameter int unsigned Beats = 8,
  /// The highest digit has a bit more.
  parameter bit          Exact = 1'b1,
  /// Limbs that may wait, a power of two.
  parameter int unsigned Ring = 16,
  /// Results that may wait.
  parameter int unsigned Slots = 3,
  /// The limb with which a result may be read.
  parameter int unsigned Release = 0
) (
  input  wire logic                       clk_i,
  /// Active low, synchronous: nothing is offered.
  input  wire logic                       rst_ni,
  /// A limb of a result.
  input  wire logic                       limb_i,
  input  wire logic                       last_i,
  input  wire logic [Rows-1:0][Digit:0]   data_i,
  /// The last word of a result leaves.
  output      logic                       deliver_o,
  /// Result stream.
  output      logic                       out_valid_o,
  input  wire logic                       out_ready_i,
  output      logic [Word*Digit-1:0]      p_o,
  output      logic                       out_last_o
);

  localparam int unsigned Digits    = Rows * Limbs;
  localparam int unsigned BeatBits  = redc_pkg::index_bits(Beats);
  localparam int unsigned RingBits  = redc_pkg::index_bits(Ring);
  localparam int unsigned LevelBits = $clog2(Slots + 1);
  typedef logic [RingBits-1:0] place_t;

  function automatic bit meets(int unsigned lane, int unsigned row);
    for (int unsigned word = 0; word < Rows; word++) begin
      if ((word * Word + lane) % Rows == row) return 1'b1;
    end
    return 1'b0;
  endfunction
  function automatic logic [Rows-1:0] turned(logic [Rows-1:0] turn);
    automatic logic [Rows-1:0] result;
    for (int unsigned row = 0; row < Rows; row++) result[(row+Word)%Rows] = turn[row];
    return result;
  endfunction

  // Results that can be read: so many limbs are written that the others follow fast enough.
  logic                 some_q, there_q, room, pop, ends, begins;
  logic [LevelBits-1:0] level_q;
  logic [BeatBits-1:0]  beat_q;
  logic                 last_q;
  logic [Rows-1:0]      turn_q, turn_next;
  logic                 last_next;
  place_t               write_q;
  if (Release + 1 == Limbs) begin : gen_whole
    assign begins = limb_i & last_i;
  end else if (Release == 0) begin : gen_first
    logic first_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) first_q <= 1'b1;
      else if (limb_i) first_q <= last_i;
    end
    assign begins = limb_i & first_q;
  end else begin : gen_number
    localparam int unsigned PlaceBits = redc_pkg::index_bits(Limbs);
    logic [PlaceBits-1:0] number_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) number_q <= '0;
      else if (limb_i) number_q <= last_i ? '0 : number_q + 1'b1;
    end
    assign begins = limb_i & (number_q == PlaceBits'(Release));
  end
  assign pop    = some_q & (~there_q | room);  // into the register behind the memories
  assign ends   = pop & last_q;
  assign turn_next = last_q ? Rows'(1) : turned(turn_q);
  assign last_next = (Beats == 1) | (beat_q == BeatBits'(Beats - 2));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {some_q, there_q, level_q, beat_q, write_q} <= '0;
      last_q  <= (Beats == 1);
      turn_q  <= Rows'(1);
    end else begin
      if (limb_i) write_q <= write_q + 1'b1;
      there_q <= some_q | (there_q & ~room);
      if (begins != ends) level_q <= begins ? level_q + 1'b1 : level_q - 1'b1;
      some_q <= begins | (level_q > LevelBits'(1)) | ((level_q == LevelBits'(1)) & ~ends);
      if (pop) begin
        beat_q <= last_q ? '0 : beat_q + 1'b1;
        last_q <= last_next;
        turn_q <= turn_next;
      end
    end
  end

  // Of which memory each of a word's digits is, known before the word; above the highest one there
  // is none, but the bit that it may have more.
  logic [Word-1:0][Rows-1:0]  at_q, at_next, word_at_q;
  logic [Rows-1:0][Digit-1:0] digit_q;
  logic [Word-1:0][Digit-1:0] word;
  logic                       highest_q, word_last_q;
  for (genvar lane = 0; lane < Word; lane++) begin : gen_at
    localparam bit Part = Digits % Word != 0 && lane >= Digits % Word;
    for (genvar row = 0; row < Rows; row++) begin : gen_row
      if (meets(lane, row)) begin : gen_meets
        assign at_next[lane][row] = turn_next[(row+Rows*Word-lane)%Rows] & ~(Part & last_next);
      end else begin : gen_never
        assign at_next[lane][row] = 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned lane = 0; lane < Word; lane++) at_q[lane] <= Rows'(1 << lane);
    end else if (pop) at_q <= at_next;
    if (pop) begin
      word_at_q   <= at_q;
      word_last_q <= last_q;
    end
  end
  for (genvar row = 0; row < Rows; row++) begin : gen_row
    localparam int unsigned Bits = (row == Rows - 1 && Exact) ? Digit + 1 : Digit;
    logic [Word-1:0] at;
    logic [Bits-1:0] data;
    place_t          read_q;
    for (genvar lane = 0; lane < Word; lane++) begin : gen_at
      assign at[lane] = at_q[lane][row];
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) read_q <= '0;
      else if (pop && (|at)) read_q <= read_q + 1'b1;
    end
    redc_prim_ram #(.Bits(Bits), .Depth(Ring)) i_digits (
      .clk_i, .write_i(limb_i), .write_address_i(write_q), .write_data_i(data_i[row][Bits-1:0]),
      .read_i(1'b1), .read_address_i(read_q), .read_data_o(data)
    );
    always_ff @(posedge clk_i) if (pop) digit_q[row] <= data[Digit-1:0];
    if (row == Rows - 1) begin : gen_top
      always_ff @(posedge clk_i) if (pop) highest_q <= Exact & last_q & data[Bits-1];
    end
  end
  for (genvar lane = 0; lane < Word; lane++) begin : gen_lane
    always_comb begin
      word[lane] = '0;
      for (int unsigned row = 0; row < Rows; row++) begin
        word[lane] |= digit_q[row] & {Digit{word_at_q[lane][row]}};
      end
      if (Exact && lane == Word - 1) word[lane][0] |= highest_q;
    end
  end
  wire unused = ^{data_i, highest_q, last_i};

  assign room = ~out_valid_o | out_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) out_valid_o <= 1'b0;
    else out_valid_o <= there_q | (out_valid_o & ~out_ready_i);
    if (room) {out_last_o, p_o} <= {word_last_q, word};
  end
  assign deliver_o = ends;

endmodule

`default_nettype wire
