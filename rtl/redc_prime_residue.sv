// SPDX-License-Identifier: Apache-2.0
// redc_prime_residue: a number modulo a small constant, bit by bit, and kept up as the number
// grows.
//
// Method    from the top bit down, r = 2r + bit mod q: below 2q, so that one subtraction is
//           enough. For a search, r = r + 2 mod q the same way.
// Timing    a bit a cycle; + 2 in one cycle.
// Leakage   none in time.
// Refuses   Modulus < 3, or above 2^31: at elaboration.
`default_nettype none

module redc_prime_residue #(
  /// q, 3 to 2^31.
  parameter int unsigned Modulus = 3,
  /// Derived; not to be set.
  localparam int unsigned Bits = $clog2(Modulus)
) (
  input  wire logic            clk_i,
  /// The residue of the bits so far and this one.
  input  wire logic            shift_i,
  /// This is the first of them.
  input  wire logic            first_i,
  /// The bit.
  input  wire logic            bit_i,
  /// The number grows by 2; not together with shift_i.
  input  wire logic            add_two_i,
  /// The residue.
  output      logic [Bits-1:0] residue_o
);

  if (Modulus < 3 || Modulus > 32'h8000_0000) begin : gen_refuse_modulus
    $error("redc_prime_residue: Modulus=%0d is not within 3 to 2^31", Modulus);
  end

  logic [Bits-1:0] residue_q;
  // Used where it is below q.
  logic [Bits-1:0] grown;
  logic [Bits:0]   less;

  // r + 2 goes up to q + 1, which is at most 2q - 2. Less q that is within -q to q - 1, so that the
  // top bit is the sign; both are made at once, not one of the other.
  logic [Bits:0] from;
  assign from  = shift_i ? {residue_q & {Bits{~first_i}}, bit_i} : {1'b0, residue_q};
  assign grown = Bits'(from + (shift_i ? '0 : (Bits + 1)'(2)));
  assign less  = from - (shift_i ? (Bits + 1)'(Modulus) : (Bits + 1)'(Modulus - 2));

  always_ff @(posedge clk_i) begin
    if (shift_i || add_two_i) residue_q <= less[Bits] ? grown : less[Bits-1:0];
  end

  assign residue_o = residue_q;

endmodule

`default_nettype wire
