// SPDX-License-Identifier: Apache-2.0
// redc_curve_digits: digits of a scalar for a loop of redc_curve that goes through it by these.
//
// Contract  a loop that goes through digits begins (begins_i and over_digits_i), and gathered_o
//           tells that its first digit is there; turn_i takes it, and begins to gather the next one
//           while an iteration goes on. The bits come from value_i, from the highest one on, looked
//           up for word_i and bit_i; next_o asks for the one below.
// Method    Window bits a digit, down to bit 1; where its highest bit, the sign, is 0, those below
//           it count inverted. With Joint down to bit 0, and beside each bit the same one of a
//           second number, as they are. Zeros come before the first bit, so that the last digit
//           ends with the last bit. All of it is kept twice.
// Timing    a bit in four cycles, or five where it comes late, as it has come from memory.
// Leakage   cycles and enables do not depend on the bits. The last digits are overwritten as their
//           iteration ends, whether another loop follows in the program or not.
// Refuses   what redc_curve refuses.
// Partner   redc_curve_bits.
`default_nettype none

module redc_curve_digits #(
  /// As of redc_curve: bits of a number in a digit, and whether it has those of two;
  parameter int unsigned Window = 4,
  parameter int unsigned Joint = 0,
  /// bits of such a number,
  parameter int unsigned LoopBits = 255,
  /// of a word's index, and of that of a bit in it.
  parameter int unsigned WordIndex = 3,
  parameter int unsigned BitIndex = 6,
  /// As of redc_curve_bits.
  parameter int unsigned Late = 0
) (
  input  wire logic                                clk_i,
  /// Active low, synchronous.
  input  wire logic                                rst_ni,
  /// A program begins;
  input  wire logic                                start_i,
  /// a loop does, and goes through digits.
  input  wire logic                                begins_i,
  input  wire logic                                over_digits_i,
  /// An iteration begins, or the last one ends.
  input  wire logic                                turn_i,

  /// The bit that the loop is at: where it is, of which number, what it is, and whether the parity
  /// of its word is wrong.
  input  wire logic [WordIndex-1:0]                word_i,
  input  wire logic [BitIndex-1:0]                 bit_i,
  input  wire logic                                second_i,
  input  wire logic                                value_i,
  input  wire logic                                odd_i,
  /// The next one is to be looked up.
  output      logic                                next_o,

  /// A loop goes through digits,
  output      logic                                on_o,
  /// its next digit is there, and the iteration's is the last one.
  output      logic                                gathered_o,
  output      logic                                final_o,
  /// A bit of the iteration's digit.
  input  wire logic [redc_curve_pkg::PickBits-1:0] pick_i,
  output      logic                                picked_o,
  /// A bit was turned.
  output      logic                                fault_o
);

  localparam int unsigned Digit    = Window * (1 + Joint);
  localparam int unsigned Lowest   = 1 - Joint;
  localparam int unsigned Pad      = (Window - (LoopBits - Lowest) % Window) % Window * (1 + Joint);
  localparam int unsigned LeftBits = $clog2(Digit + 1);

  // A digit, and the next one as it comes: bits to come, zeros of these, and the cycles of a bit.
  typedef struct packed {
    logic                on;
    logic                last;
    logic                final_one;
    logic                sign;
    logic [Digit-1:0]    digit;
    logic [Digit-1:0]    coming;
    logic [LeftBits-1:0] left;
    logic [LeftBits-1:0] pad;
    logic [2:0]          step;
    // There are no bits to come, or no loop goes through digits.
    logic                gathered;
    // Decided a cycle ahead: a bit of a number is taken, and the one below is asked for.
    logic                asks;
  } digits_t;
  digits_t now, copy, next;
  logic    takes, lowest, value;
  redc_prim_fanout #(.Bits($bits(digits_t)), .Copies(2)) u_digits (
    .clk_i, .d_i(next), .q_o({copy, now})
  );

  // At or below the last one: a bit that is turned must not lead past it, as there is no way on.
  assign lowest     = (word_i == '0) & (bit_i <= BitIndex'(Lowest));
  assign takes      = ~now.gathered & (now.step == 3'(3 + Late));
  assign next_o     = now.asks;
  assign on_o       = now.on;
  assign gathered_o = now.gathered;
  assign final_o    = now.final_one;
  assign picked_o   = 1'(now.digit >> pick_i);
  // Below a sign of 0 bits are inverted.
  assign value      = (value_i & (now.pad == '0))
                    ^ ((Joint == 0) & (now.left != LeftBits'(Digit)) & ~now.sign);

  always_comb begin
    next      = now;
    next.asks = 1'b0;
    if (begins_i || start_i) begin
      next     = '0;
      next.on  = begins_i & over_digits_i;
      next.pad = LeftBits'(Pad);
      next.gathered = ~next.on;
      if (next.on) next.left = LeftBits'(Digit);
    end else if (now.on && turn_i) begin
      next.digit     = now.coming;
      next.final_one = now.last;
      next.left      = now.last ? '0 : LeftBits'(Digit);
      next.step      = '0;
      next.gathered  = now.last;
      if (now.final_one) begin
        next          = '0;
        next.gathered = 1'b1;
      end
    end else if (!now.gathered) begin
      next.step = takes ? '0 : now.step + 1'b1;
      next.asks = (now.step == 3'(2 + Late)) & (now.pad == '0);
      if (takes) begin
        if (now.left == LeftBits'(Digit)) next.sign = value;
        next.coming = Digit'({now.coming, value});
        next.left     = now.left - 1'b1;
        next.gathered = now.left == LeftBits'(1);
        if (now.pad != '0) next.pad = now.pad - 1'b1;
        else if (lowest && (Joint == 0 || second_i)) next.last = 1'b1;
      end
    end
    if (!rst_ni) begin
      next          = '0;
      next.gathered = 1'b1;
    end
  end

  logic odd_q, unlike;
  always_ff @(posedge clk_i) begin
    odd_q <= takes & (now.pad == '0) & odd_i;
    if (!rst_ni) odd_q <= 1'b0;
  end
  redc_curve_same #(.Bits($bits(digits_t))) u_same (
    .clk_i, .rst_ni, .first_i(now), .second_i(copy), .fault_o(unlike)
  );
  assign fault_o = odd_q | unlike;

endmodule

`default_nettype wire
