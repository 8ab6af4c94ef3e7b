// SPDX-License-Identifier: Apache-2.0
// redc_exp_words: hands out the words of a number that stands in a memory, as a stream.
//
// Contract  go_i is high from when the number may be read until its last word has left, go_ahead_i
//           a cycle before; data_i is the word of beat_o, or of beat_o as it was when read_o was
//           last high (Piped), or the last time but two (Far).
// Method    Piped, memory and stream are a register away from each other on either side: the
//           memory's own, with the enable read_o, and a slice as redc_prim_slice, whose readiness
//           has registers of its own for what counts, what is read and what is offered. Far, the
//           memory has two registers more: it is block memory, and a wire's way from it is as long
//           as all else that a cycle has room for. Words of few bits need no slice where
//           little else is to be chosen (Spare = 0): their registers all stand still while nothing
//           is taken, by one enable.
// Timing    the first word is offered with go_i, or two cycles later (Piped), or four (Far); a word
//           in each cycle.
// Leakage   none but the data; the slice keeps them until overwritten.
// Refuses   what redc_exp refuses.
`default_nettype none

module redc_exp_words #(
  /// Bits of a word.
  parameter int unsigned Bits = 32,
  /// Words.
  parameter int unsigned Beats = 8,
  /// 1: with registers.
  parameter int unsigned Piped = 1,
  /// 1, with Piped: for block memory, see Method.
  parameter int unsigned Far = 0,
  /// 0, with Piped: no register to spare.
  parameter int unsigned Spare = 1,
  /// 1: another number follows two cycles behind this one at the earliest. Then go_ahead_i may
  /// still be high as the last word leaves.
  parameter int unsigned Apart = 0,
  /// Derived; not to be set.
  localparam int unsigned BeatBits = redc_pkg::index_bits(Beats)
) (
  input  wire logic                clk_i,
  /// Active low, synchronous.
  input  wire logic                rst_ni,
  /// See the contract.
  input  wire logic                go_i,
  input  wire logic                go_ahead_i,
  output      logic [BeatBits-1:0] beat_o,
  /// beat_o of the next cycle, but Far; 0 where nothing goes on.
  output      logic [BeatBits-1:0] ahead_o,
  output      logic                read_o,
  input  wire logic [Bits-1:0]     data_i,
  /// Which word data_i is; it is the first one.
  output      logic [BeatBits-1:0] here_o,
  output      logic                first_o,
  /// The stream.
  output      logic                valid_o,
  input  wire logic                ready_i,
  output      logic [Bits-1:0]     data_o,
  output      logic                last_o,
  /// With other_i a word is offered by this in place of valid_o, as the number is for another one.
  /// It does not change while words are on their way.
  input  wire logic                other_i,
  output      logic                other_valid_o,
  input  wire logic                other_ready_i,
  /// Its word, 0 while none is offered, and with other_zero_i from the cycle before on.
  input  wire logic                other_zero_i,
  output      logic [Bits-1:0]     other_data_o,
  /// Its last word leaves.
  output      logic                end_o
);

  // Words to read, now and behind it; it is the last one.
  logic [BeatBits-1:0] beat_q, behind_q;
  // It moves to the next one, if it does not rest at the first.
  logic                last, next, moves, rests;

  // Whoever the word is for takes it.
  logic                takes;

  assign takes  = other_i ? other_ready_i : ready_i;
  assign beat_o = beat_q;

  // Whether it moves on is known late. Behind the last word comes the first one, and what is behind
  // that is a reset's value: a counter that only counts is half the size.
  assign ahead_o = next ? (behind_q & {BeatBits{~last}}) : beat_q;
  if (Beats == 1) begin : gen_one
    assign {last, behind_q} = {1'b1, BeatBits'(0)};
  end else begin : gen_several
    logic last_q;
    assign last = last_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || rests) {last_q, behind_q} <= {1'b0, BeatBits'(1)};
      else if (moves) begin
        last_q   <= behind_q == BeatBits'(Beats - 1);
        behind_q <= behind_q + 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || rests) beat_q <= '0;
    else if (moves) beat_q <= behind_q;
  end

  if (Piped == 0) begin : gen_at_once
    assign read_o  = 1'b1;
    assign here_o  = beat_q;
    assign first_o = beat_q == '0;
    assign next    = go_i & takes;
    assign moves   = next;
    assign rests   = next & last;
    assign valid_o = go_i & ~other_i;
    assign other_valid_o = go_i & other_i;
    assign other_data_o  = data_i & {Bits{other_valid_o & ~other_zero_i}};
    assign data_o  = data_i;
    assign last_o  = last;
    assign end_o   = go_i & takes & last_o;
    wire unused = go_ahead_i;
  end else begin : gen_piped
    // Words are to be read; all of them are, but not gone. Addresses of memories follow from it.
    logic          open_q, all_q, all_next, ended, valid_q, valid_next, other_next;
    logic          ends_q, next_ends, arrives;
    // For whom it is: what takes words is far away.
    logic          this_q, other_q;
    logic [2:0]    ready;
    logic [Bits:0] offered_q, word, next_word;

    assign read_o           = ready[1];
    assign valid_o          = this_q;
    assign other_valid_o    = other_q;
    assign valid_next       = (valid_q & ~takes) | ~ready[0] | arrives;
    // If it is for the other one; the same, with less in front of it.
    assign other_next       = (valid_q & ~other_ready_i) | ((Spare != 0) & ~ready[0]) | arrives;
    assign {data_o, last_o} = offered_q;
    assign end_o            = ends_q & takes;
    assign next             = open_q & ready[0];
    // Nobody looks a cycle ahead at what block memory reads: there it rests while nothing is read.
    assign moves            = (Far != 0) ? ready[0] : next;
    assign rests            = (Far != 0) ? ~open_q : next & last;
    assign all_next         = (all_q & ~ended) | (next & last);
    if (Apart != 0) begin : gen_apart
      logic ended_q;
      always_ff @(posedge clk_i) ended_q <= end_o;
      assign ended = ended_q;
    end else begin : gen_at_once
      assign ended = end_o;
    end
    if (Spare != 0) begin : gen_spare
      logic [Bits:0] spare_q;
      redc_prim_fanout #(.Copies(3)) u_ready (
        .clk_i, .d_i(~rst_ni | ~valid_q | takes | (ready[0] & ~arrives)), .q_o(ready)
      );
      // The spare register is in use as long as nothing can be taken.
      always_ff @(posedge clk_i) if (ready[2]) spare_q <= word;
      assign next_word = ready[2] ? word : spare_q;
      assign next_ends = ready[2] ? arrives & word[0] : spare_q[0];
    end else begin : gen_no_spare
      assign ready     = {3{~valid_q | takes}};
      assign next_word = word;
      assign next_ends = arrives & word[0];
    end

    // A word on its way, register by register: at the last one it is data_i.
    typedef struct packed {
      logic                last;
      logic                first;
      logic [BeatBits-1:0] here;
    } about_t;
    localparam int unsigned Ways = (Far != 0) ? 2 : 0;
    logic   [Ways:0] read_q;
    about_t [Ways:0] about_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) read_q <= '0;
      else if (ready[0]) read_q <= (Ways + 1)'({read_q, next});
      if (ready[0]) about_q <= $bits(about_q)'({about_q, last, beat_q == '0, beat_q});
    end
    assign {first_o, here_o} = {about_q[Ways].first, about_q[Ways].here};
    assign {arrives, word}   = {read_q[Ways], data_i, about_q[Ways].last};

    always_ff @(posedge clk_i) begin
      if (!rst_ni) {open_q, all_q} <= '0;
      else begin
        open_q <= go_ahead_i & ~all_next;
        all_q  <= all_next;
      end
      valid_q <= rst_ni & valid_next;
      this_q  <= rst_ni & valid_next & ~other_i;
      other_q <= rst_ni & valid_next & other_i;
      // The last word is offered: it hangs together with the readiness of others.
      if (!rst_ni) ends_q <= 1'b0;
      else if (!valid_q || takes) ends_q <= next_ends;
      if (!valid_q || takes) offered_q <= next_word;
      // A register of its own: its reset costs no gate.
      if (!rst_ni || !other_i || other_zero_i || !other_next) other_data_o <= '0;
      else if (!valid_q || takes) other_data_o <= next_word[Bits:1];
    end
    wire unused = &{1'b0, go_i, ready};
  end

endmodule

`default_nettype wire
