// SPDX-License-Identifier: Apache-2.0
// redc_rsa_random: random bits for two users, and whether their source is alive.
//
// Contract  collect_i asks for a word of bits_i bits, others zero, which stands (valid_o) as long
//           as it does; while no word is wanted bits may also go straight to the other user. 64
//           equal bits in a row set stuck_o, and no bit is taken any more until clear_i.
// Method    redc_random_repetition. Which user wants bits comes from a register on either side.
// Timing    a cycle for each bit, and one before.
// Leakage   forgets a word as it is no longer wanted.
// Refuses   nothing.
`default_nettype none

module redc_rsa_random (
  input  wire logic        clk_i,
  /// Active low, synchronous.
  input  wire logic        rst_ni,
  /// Random bits.
  input  wire logic        rnd_valid_i,
  output      logic        rnd_ready_o,
  input  wire logic        rnd_data_i,
  /// A word is wanted; low in the cycle after it is taken.
  input  wire logic        collect_i,
  /// Its bits, 1 to 32.
  input  wire logic [5:0]  bits_i,
  output      logic        valid_o,
  output      logic [31:0] data_o,
  /// The other user's bits.
  output      logic        other_valid_o,
  input  wire logic        other_ready_i,
  /// The source is stuck.
  output      logic        stuck_o,
  /// It may be tried again.
  input  wire logic        clear_i
);

  logic [31:0] data_q;
  logic [5:0]  count_q, last_q;
  logic        collects_q, valid_q, moves, is_last_q;

  assign valid_o       = valid_q;
  assign rnd_ready_o   = ~stuck_o & (collects_q | other_ready_i);
  assign other_valid_o = rnd_valid_i & ~stuck_o;
  assign moves         = rnd_valid_i & rnd_ready_o;
  assign data_o        = data_q;

  redc_random_repetition i_repetition (
    .clk_i, .rst_ni, .clear_i, .valid_i(moves), .data_i(rnd_data_i), .stuck_o
  );

  always_ff @(posedge clk_i) begin
    last_q <= bits_i - 1'b1;
    // The bits of a word are known some cycles before the first of them.
    is_last_q <= (count_q + 6'(moves & collects_q) == last_q);
    if (!rst_ni || !collect_i) begin
      {collects_q, valid_q} <= '0;
    end else if (!collects_q) begin
      collects_q <= ~valid_q;
    end else if (moves && is_last_q) begin
      {collects_q, valid_q} <= 2'b01;
    end
    if (!collects_q && !valid_q) begin
      data_q  <= '0;
      count_q <= '0;
    end else if (moves && collects_q) begin
      data_q[count_q[4:0]] <= rnd_data_i;
      count_q              <= count_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
