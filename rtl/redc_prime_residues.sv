// SPDX-License-Identifier: Apache-2.0
// redc_prime_residues: whether one of the first odd primes divides a number, for any length of it.
//
// Contract  the number's bits from the top one down, first_i with the first; then multiple_o tells.
//           After add_two_i it tells of the number + 2.
// Method    trial division by all primes at once (Le Masle 2009, section 5.6.1, says what it
//           saves), a redc_prime_residue each, without a divider.
// Timing    a bit a cycle; + 2 in one cycle. What comes in is registered first, as it goes far,
//           and so is what some primes tell, and all: multiple_o has it four cycles later.
// Leakage   none in time.
// Refuses   Primes < 1 or > 255: at elaboration.
// Partner   src/redcore/units/prime/model.py.
`default_nettype none

module redc_prime_residues #(
  /// Odd primes to divide by, from 3 on: 1 to 255.
  parameter int unsigned Primes = 53,
  /// 0: add_two_i is low.
  parameter int unsigned Grows = 1
) (
  input  wire logic clk_i,
  /// Takes a bit.
  input  wire logic shift_i,
  /// It is the number's first.
  input  wire logic first_i,
  /// The bit.
  input  wire logic bit_i,
  /// The number grows by 2; not together with shift_i.
  input  wire logic add_two_i,
  /// The number is a multiple of one of them.
  output      logic multiple_o
);

  if (Primes < 1 || Primes > redc_prime_pkg::MaxPrimes - 1) begin : gen_refuse_primes
    $error("redc_prime_residues: Primes=%0d is not within 1 to %0d", Primes,
           redc_prime_pkg::MaxPrimes - 1);
  end else begin : gen_primes
    // Primes that share a register.
    localparam int unsigned Shared = 4;
    localparam int unsigned Copies = redc_pkg::ceil_div(Primes, Shared);
    logic [Copies-1:0][2:0] told;
    logic [Copies-1:0]      told_two, some_q;
    logic [Copies*Shared-1:0] hit;
    redc_prim_fanout #(.Bits(3), .Copies(Copies)) i_told (
      .clk_i, .d_i({shift_i, first_i, bit_i}), .q_o(told)
    );
    if (Grows != 0) begin : gen_two
      redc_prim_fanout #(.Copies(Copies)) i_two (.clk_i, .d_i(add_two_i), .q_o(told_two));
    end else begin : gen_no_two
      assign told_two = '0;
      wire unused = add_two_i;
    end

    for (genvar k = 0; k < Primes; k++) begin : gen_prime
      localparam int unsigned Modulus = 32'(redc_prime_pkg::FirstPrimes[k+1]);
      redc_prime_residue #(.Modulus(Modulus)) i_residue (
        .clk_i, .shift_i(told[k/Shared][2]), .first_i(told[k/Shared][1]),
        .bit_i(told[k/Shared][0]), .add_two_i(told_two[k/Shared]), .hit_o(hit[k])
      );
    end
    for (genvar k = Primes; k < Copies * Shared; k++) begin : gen_none
      assign hit[k] = 1'b0;
    end
    always_ff @(posedge clk_i) begin
      for (int unsigned copy = 0; copy < Copies; copy++) some_q[copy] <= |hit[Shared*copy+:Shared];
      multiple_o <= |some_q;
    end
  end

endmodule

`default_nettype wire
