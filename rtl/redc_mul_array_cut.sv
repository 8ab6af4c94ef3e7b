// SPDX-License-Identifier: Apache-2.0
// redc_mul_array_cut: digits of an operand out of its longer words.
//
// Contract  words come with accept_i, one by one, the last with last_i, and only where open_o or,
//           for a first one, not busy_o said so in the cycle before. As many digits as an operand
//           has leave, in order; the last one may be filled up with zeros.
// Method    words are shifted to what is left of those before. A digit a cycle leaves while there
//           is one, and a word is taken as soon as less than a digit is left then.
// Timing    the first digit a cycle behind the first word, where the sender does not pause one more
//           in each cycle.
// Leakage   handshakes alone decide. What is left of an operand is cleared with its last digit.
// Refuses   nothing itself; redc_mul_array does.
// Partner   src/redcore/families/array.py.
`default_nettype none

module redc_mul_array_cut #(
  /// Bits of a word.
  parameter int unsigned Word = 26,
  /// Bits of a digit, at most Word.
  parameter int unsigned Digit = 17,
  /// Digits of an operand; words hold at least all but the last of them, and a bit.
  parameter int unsigned Digits = 16
) (
  input  wire logic             clk_i,
  /// Active low, synchronous: forgets what is left.
  input  wire logic             rst_ni,
  /// A word is taken at the end of this cycle, the last one.
  input  wire logic             accept_i,
  input  wire logic             last_i,
  input  wire logic [Word-1:0]  word_i,
  /// Another word of these operands may be taken in the next cycle; none of others.
  output      logic             open_o,
  output      logic             busy_o,
  /// A digit leaves, the last one.
  output      logic             valid_o,
  output      logic             last_o,
  output      logic [Digit-1:0] digit_o
);

  localparam int unsigned Most      = Word + Digit - 1;
  localparam int unsigned LeftBits  = $clog2(Most + 1);
  localparam int unsigned CountBits = redc_pkg::index_bits(Digits);

  typedef logic [LeftBits-1:0] left_t;

  logic [Most-1:0]      word_q, left;
  left_t                left_q, behind, left_d;  // bits: now, without this digit, and then
  logic [CountBits-1:0] count_q;
  logic                 busy_q, ends_q, enough_q;

  assign valid_o = enough_q | ends_q;
  assign last_o  = ends_q & (count_q == CountBits'(Digits - 1));
  assign digit_o = word_q[Digit-1:0];
  assign left    = valid_o ? word_q >> Digit : word_q;
  assign behind  = enough_q ? left_q - left_t'(Digit) : left_q;
  assign left_d  = accept_i ? behind + left_t'(Word) : behind;
  assign busy_o  = (busy_q | accept_i) & ~last_o;
  assign open_o  = left_d < left_t'(2 * Digit);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || last_o) begin
      word_q   <= '0;
      left_q   <= '0;
      count_q  <= '0;
      busy_q   <= 1'b0;
      ends_q   <= 1'b0;
      enough_q <= 1'b0;
    end else begin
      word_q   <= left | (accept_i ? Most'(word_i) << behind : '0);
      left_q   <= left_d;
      if (valid_o) count_q <= count_q + 1'b1;
      busy_q   <= busy_o;
      ends_q   <= ends_q | (accept_i & last_i);
      enough_q <= left_d >= left_t'(Digit);
    end
  end

endmodule

`default_nettype wire
