// SPDX-License-Identifier: Apache-2.0
// redc_exp_operands: the operands of the operation that is chosen, as the multiplier's stream.
//
// Contract  that of redc_exp_words for a's and b's words at once. a_i and b_i are the words of
//           redc_exp_values; they are 0 where the number 1 is wanted. A result that leaves goes the
//           same way, by a's words, and is offered apart.
// Method    the number 1 is its lowest bit alone, added to what is read. What tells where it goes
//           stands in registers beside those of redc_exp_values. Words of block memory of a lone
//           thread that have no more bits than one of its blocks need no register to spare.
// Timing    that of redc_exp_words.
// Leakage   none but the data.
// Refuses   what redc_exp refuses.
// Partner   src/redcore/units/exp/schedule.py.
`default_nettype none

module redc_exp_operands #(
  /// As of redc_exp.
  parameter int unsigned WordBits = 32,
  parameter int unsigned Beats = 8,
  /// 1: words come from block memory.
  parameter int unsigned Far = 0,
  /// As of redc_exp.
  parameter int unsigned Threads = 1,
  /// Derived; not to be set.
  localparam int unsigned BeatBits = redc_pkg::index_bits(Beats)
) (
  input  wire logic                    clk_i,
  /// Active low, synchronous.
  input  wire logic                    rst_ni,

  /// Where the operands come from, and whether the modulus is 1: then 1 is 0.
  input  wire redc_exp_pkg::operands_t sources_i,
  input  wire logic                    modulus_is_one_i,
  /// The operation may be read, now and in the next cycle, or a result that leaves.
  input  wire logic                    go_i,
  input  wire logic                    go_ahead_i,
  /// Word to read, now and in the next cycle, its enable, and that b is R^2.
  output      logic [BeatBits-1:0]     beat_o,
  output      logic [BeatBits-1:0]     ahead_o,
  output      logic                    read_o,
  output      logic                    r2_wanted_o,
  /// Both operands are the same value; with the stream's words.
  output      logic                    square_o,
  input  wire logic [WordBits-1:0]     a_i,
  input  wire logic [WordBits-1:0]     b_i,

  /// The multiplier's stream.
  output      logic                    valid_o,
  input  wire logic                    ready_i,
  output      logic [WordBits-1:0]     a_o,
  output      logic [WordBits-1:0]     b_o,
  /// Of it, or of a result that leaves: the last word, and that it does.
  output      logic                    last_o,
  output      logic                    end_o,

  /// A result leaves.
  input  wire logic                    leaves_i,
  output      logic                    out_valid_o,
  input  wire logic                    out_ready_i,
  /// It is 0, whatever is read.
  input  wire logic                    out_zero_i,
  /// Its word, 0 while none is offered.
  output      logic [WordBits-1:0]     out_o
);

  import redc_exp_pkg::*;

  logic [WordBits-1:0] unused_word;
  logic [BeatBits-1:0] unused_here;
  logic                first;
  logic [1:0]          one_of_q, ones;
  logic                r2_wanted_q;

  // Of several threads the place of a modulus is known a cycle later than who was chosen.
  assign ones        = one_of_q & {2{first & ~modulus_is_one_i}};
  assign r2_wanted_o = r2_wanted_q;
  if (Beats > 1) begin : gen_square_later
    logic square_q;
    always_ff @(posedge clk_i) square_q <= |(sources_i.a & sources_i.b);
    assign square_o = square_q;
  end else begin : gen_square_now
    assign square_o = |(sources_i.a & sources_i.b);
  end
  always_ff @(posedge clk_i) begin
    one_of_q    <= {sources_i.b[SourceOne], sources_i.a[SourceOne]};
    r2_wanted_q <= sources_i.b[SourceR2];
  end

  redc_exp_words #(
    .Bits(2 * WordBits), .Beats(Beats), .Piped((Beats > 1) ? 1 : 0), .Far(Far),
    .Spare((Far != 0 && WordBits <= 18 && Threads == 1) ? 0 : 1), .Apart(1)
  ) u_words (
    .clk_i, .rst_ni, .go_i, .go_ahead_i, .beat_o, .ahead_o, .read_o,
    .data_i({a_i | WordBits'(ones[0]), b_i | WordBits'(ones[1])}),
    .here_o(unused_here), .first_o(first), .valid_o, .ready_i, .data_o({a_o, b_o}), .last_o,
    .other_i(leaves_i), .other_valid_o(out_valid_o), .other_ready_i(out_ready_i),
    .other_zero_i(out_zero_i), .other_data_o({out_o, unused_word}), .end_o
  );
  wire unused = &{1'b0, sources_i, unused_word, unused_here};

endmodule

`default_nettype wire
