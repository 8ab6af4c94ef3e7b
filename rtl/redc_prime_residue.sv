// SPDX-License-Identifier: Apache-2.0
// redc_prime_residue: a number modulo a small constant, bit by bit, and kept up as the number
// grows.
//
// Contract  bits come from the highest on, the first one with first_i; hit_o tells of the number so
//           far.
// Method    from the top bit down, r = 2r + bit - q, or + q where r is below zero: within -q to
//           q - 1, so that one addition is enough and nothing is chosen behind it. For a search,
//           r + 2 - q, or r + 2, the same way.
// Timing    a bit a cycle; + 2 in one cycle.
// Leakage   none in time.
// Refuses   Modulus < 3, or above 2^31, Tested not below it: at elaboration.
`default_nettype none

module redc_prime_residue #(
  /// q, 3 to 2^31.
  parameter int unsigned Modulus = 3,
  /// The residue that is told of, below q.
  parameter int unsigned Tested = 0,
  /// Derived; not to be set.
  localparam int unsigned Bits = $clog2(Modulus)
) (
  input  wire logic clk_i,
  /// The residue of the bits so far and this one.
  input  wire logic shift_i,
  /// This is the first of them.
  input  wire logic first_i,
  /// The bit.
  input  wire logic bit_i,
  /// The number grows by 2; not together with shift_i.
  input  wire logic add_two_i,
  /// The residue is Tested.
  output      logic hit_o
);

  if (Modulus < 3 || Modulus > 32'h8000_0000) begin : gen_refuse_modulus
    $error("redc_prime_residue: Modulus=%0d is not within 3 to 2^31", Modulus);
  end

  if (Tested >= Modulus) begin : gen_refuse_tested
    $error("redc_prime_residue: Tested=%0d is not below Modulus=%0d", Tested, Modulus);
  end

  // The top bit is the sign.
  typedef logic [Bits:0] signed_t;
  signed_t residue_q, from, step;
  logic    below;
  assign below = residue_q[Bits];
  assign from  = add_two_i ? residue_q : {residue_q[Bits-1:0], bit_i};
  assign step  = add_two_i ? (below ? signed_t'(2) : signed_t'(2 - Modulus))
                           : (below ? signed_t'(Modulus) : -signed_t'(Modulus));

  always_ff @(posedge clk_i) begin
    if (shift_i && first_i) residue_q <= signed_t'(bit_i);
    else if (shift_i || add_two_i) residue_q <= from + step;
  end

  assign hit_o = residue_q == (below ? signed_t'(Tested - Modulus) : signed_t'(Tested));

endmodule

`default_nettype wire
