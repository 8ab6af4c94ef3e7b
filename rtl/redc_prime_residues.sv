// SPDX-License-Identifier: Apache-2.0
// redc_prime_residues: which of the first odd primes divide a number, for numbers of any length.
//
// Contract  the number's bits from the top one down, first_i with the first; then zero_o tells.
//           After add_two_i it tells of the number + 2.
// Method    trial division by all primes at once (Le Masle 2009, section 5.6.1, says what it
//           saves), a redc_prime_residue each, without a divider.
// Timing    a bit a cycle; + 2 in one cycle. What comes in is registered first, as it goes far,
//           and so is what goes out: zero_o has it three cycles later.
// Leakage   none in time.
// Refuses   Primes < 1 or > 255: at elaboration.
// Partner   src/redcore/units/prime/model.py.
`default_nettype none

module redc_prime_residues #(
  /// Odd primes to divide by, from 3 on: 1 to 255.
  parameter int unsigned Primes = 53
) (
  input  wire logic              clk_i,
  /// Takes a bit.
  input  wire logic              shift_i,
  /// It is the number's first.
  input  wire logic              first_i,
  /// The bit.
  input  wire logic              bit_i,
  /// The number grows by 2; not together with shift_i.
  input  wire logic              add_two_i,
  /// Bit k: the number is a multiple of the k-th odd prime, 3 being the one of bit 0.
  output      logic [Primes-1:0] zero_o
);

  if (Primes < 1 || Primes > redc_prime_pkg::MaxPrimes - 1) begin : gen_refuse_primes
    $error("redc_prime_residues: Primes=%0d is not within 1 to %0d", Primes,
           redc_prime_pkg::MaxPrimes - 1);
  end else begin : gen_primes
    // Primes that share a register.
    localparam int unsigned Shared = 4;
    localparam int unsigned Copies = redc_pkg::ceil_div(Primes, Shared);
    logic [Copies-1:0][3:0] told;
    redc_prim_fanout #(.Bits(4), .Copies(Copies)) i_told (
      .clk_i, .d_i({shift_i, first_i, bit_i, add_two_i}), .q_o(told)
    );

    for (genvar k = 0; k < Primes; k++) begin : gen_prime
      localparam int unsigned Modulus = 32'(redc_prime_pkg::FirstPrimes[k+1]);
      logic [$clog2(Modulus)-1:0] residue;
      redc_prime_residue #(.Modulus(Modulus)) i_residue (
        .clk_i, .shift_i(told[k/Shared][3]), .first_i(told[k/Shared][2]),
        .bit_i(told[k/Shared][1]), .add_two_i(told[k/Shared][0]),
        .residue_o(residue)
      );
      logic zero_q;
      always_ff @(posedge clk_i) zero_q <= (residue == '0);
      assign zero_o[k] = zero_q;
    end
  end

endmodule

`default_nettype wire
