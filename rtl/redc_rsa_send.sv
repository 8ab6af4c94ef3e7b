// SPDX-License-Identifier: Apache-2.0
// redc_rsa_send: two numbers in words of 32 bits, as words of any other size, side by side.
//
// Contract  takes InWords pairs of words and gives OutWords pairs, both least significant first,
//           zeros behind the last bit taken; bits above the last word given are dropped. busy_o
//           falls when all is given.
// Method    as many bits at a time as end where words end, redc_rsa_pkg::step_bits.
// Timing    a cycle for each of these, one for each word.
// Leakage   keeps the last words; cycles do not depend on the numbers.
// Refuses   InWords, OutWords or OutBits < 1: at elaboration.
`default_nettype none

module redc_rsa_send #(
  /// Words of 32 bits that come.
  parameter int unsigned InWords = 4,
  /// Bits of a word given.
  parameter int unsigned OutBits = 32,
  /// Words given.
  parameter int unsigned OutWords = 4
) (
  input  wire logic               clk_i,
  /// Active low, synchronous.
  input  wire logic               rst_ni,
  /// Begins; while not busy.
  input  wire logic               begin_i,
  output      logic               busy_o,
  /// The numbers' words.
  input  wire logic               in_valid_i,
  output      logic               in_ready_o,
  input  wire logic [31:0]        a_i,
  input  wire logic [31:0]        b_i,
  /// The words given.
  output      logic               out_valid_o,
  input  wire logic               out_ready_i,
  output      logic [OutBits-1:0] a_o,
  output      logic [OutBits-1:0] b_o,
  /// High in the last one.
  output      logic               out_last_o
);

  if (InWords < 1 || OutWords < 1 || OutBits < 1) begin : gen_refuse_sizes
    $error("redc_rsa_send: InWords=%0d, OutWords=%0d or OutBits=%0d is below 1",
           InWords, OutWords, OutBits);
  end

  localparam int unsigned Step     = redc_rsa_pkg::step_bits(OutBits);
  localparam int unsigned FillBits = $clog2(OutBits / Step + 1);
  localparam int unsigned BeatBits = redc_pkg::index_bits(OutWords);
  localparam int unsigned WordBits = $clog2(InWords + 1);

  logic                busy_q, full_q, some_q, all_q, loads, shift_q, take, given;
  logic                busy, full, some, all, fills, goes_on, has_part;
  // As counters stand at their last: a word is, a part of a word is, what is given is.
  logic                last_word_q, last_part_q, last_fill_q, last_beat_q;
  logic [5:0]          left_q;
  logic [31:0]         a_q, b_q;
  logic [OutBits-1:0]  out_a_q, out_b_q;
  logic [FillBits-1:0] fill_q;
  logic [BeatBits-1:0] beat_q;
  logic [WordBits-1:0] words_q;

  assign busy_o      = busy_q;
  assign given       = out_valid_o & out_ready_i;
  assign out_valid_o = busy_q & full_q;
  assign out_last_o  = last_beat_q;
  assign take        = in_ready_o & in_valid_i;
  assign a_o         = out_a_q;
  assign b_o         = out_b_q;

  // How it will be in the next cycle.
  always_comb begin
    {busy, full, some, all} = {busy_q, full_q, some_q, all_q};
    if (begin_i) {busy, full, some, all} = 4'b1000;
    else begin
      if (take) {some, all} = {1'b1, last_word_q};
      else if (shift_q && some_q) some = ~last_part_q;
      if (shift_q) full = fills;
      if (given) {busy, full} = {~out_last_o, 1'b0};
    end
    if (!rst_ni) busy = 1'b0;
  end

  // It will be busy and not full. Nothing is taken or shifted while a word stands, and whether that
  // leaves comes from afar. It begins while it is not busy.
  assign fills    = shift_q & last_fill_q;
  assign goes_on  = busy_q & (full_q ? out_ready_i & ~out_last_o : ~fills);
  assign has_part = some_q & ~(shift_q & last_part_q);

  // Of the words' bits each waits for it, and who gives them has far to go.
  redc_prim_fanout #(.Copies(2)) i_ready (
    .clk_i, .d_i(rst_ni & (begin_i | (goes_on & ~take & ~has_part & ~all_q))),
    .q_o({loads, in_ready_o})
  );

  always_ff @(posedge clk_i) begin
    {busy_q, full_q, some_q, all_q} <= {busy, full, some, all};
    // Behind the last word come zeros, as the registers are empty then.
    shift_q <= rst_ni & ~begin_i & goes_on & (take | has_part | all_q);
    if (begin_i) begin
      left_q  <= '0;
      fill_q  <= '0;
      beat_q  <= '0;
      words_q <= '0;
      last_word_q <= (InWords == 1);
      last_fill_q <= (OutBits == Step);
      last_beat_q <= (OutWords == 1);
    end else begin
      if (take) begin
        left_q      <= 6'(32 / Step);
        last_part_q <= (32 / Step == 1);
        words_q     <= words_q + 1'b1;
        last_word_q <= (InWords > 1 && 32'(words_q) == InWords - 2);
      end else if (shift_q && some_q) begin
        left_q      <= left_q - 1'b1;
        last_part_q <= (left_q == 6'd2);
      end
      if (shift_q) begin
        fill_q      <= fill_q + 1'b1;
        last_fill_q <= (OutBits > Step && 32'(fill_q) == OutBits / Step - 2);
      end
      if (given) begin
        fill_q      <= '0;
        last_fill_q <= (OutBits == Step);
        beat_q      <= beat_q + 1'b1;
        last_beat_q <= (OutWords > 1 && 32'(beat_q) == OutWords - 2);
      end
    end
    // Whether a word is there is known late.
    if (loads) begin
      a_q <= a_i;
      b_q <= b_i;
    end else if (shift_q) begin
      a_q <= 32'({1'b0, a_q} >> Step);
      b_q <= 32'({1'b0, b_q} >> Step);
    end
    if (shift_q) begin
      out_a_q <= OutBits'({a_q[Step-1:0], out_a_q} >> Step);
      out_b_q <= OutBits'({b_q[Step-1:0], out_b_q} >> Step);
    end
  end

endmodule

`default_nettype wire
