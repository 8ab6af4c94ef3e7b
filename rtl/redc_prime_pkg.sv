// SPDX-License-Identifier: Apache-2.0
// redc_prime_pkg: the first primes, and what testers and generators of primes agree on.
//
// Partner   src/redcore/units/prime/model.py holds the same tables, sizes and cycles; tests hold
//           the two, and the measured cycles, equal.
`default_nettype none

package redc_prime_pkg;

  /// Primes in the table, 2 among them; the last one is 1619.
  localparam int unsigned MaxPrimes = 256;
  /// Bits of the largest one.
  localparam int unsigned PrimeBits = 11;
  localparam int unsigned SieveEnd  = 1620;

  typedef logic [PrimeBits-1:0]     prime_t;
  typedef prime_t [MaxPrimes-1:0]   primes_t;

  /// Why a tester answered as it did.
  typedef enum logic [1:0] {
    /// Without a strong test: 0, 1, even, on the list of small primes, or a multiple of one.
    ReasonTrial   = 2'd0,
    /// A base showed that it is composite.
    ReasonWitness = 2'd1,
    /// It passed the strong test to every base.
    ReasonPassed  = 2'd2,
    /// Not below 2^Width: not tested, answered as not prime.
    ReasonRange   = 2'd3
  } reason_e;

  /// The sieve of Eratosthenes, as no table typed in is above doubt.
  function automatic primes_t first_primes();
    logic [SieveEnd-1:0] composite;
    primes_t             found;
    int unsigned         count;
    composite = '0;
    found     = '0;
    count     = 0;
    for (int unsigned number = 2; number < SieveEnd; number++) begin
      if (!composite[number]) begin
        found[count] = prime_t'(number);
        count++;
        for (int unsigned multiple = number * number; multiple < SieveEnd; multiple += number)
          composite[multiple] = 1'b1;
      end
    end
    return found;
  endfunction

  localparam primes_t FirstPrimes = first_primes();

  /// The first primes by number, from 0.
  function automatic int unsigned prime(int unsigned number);
    return 32'(FirstPrimes[number]);
  endfunction

  /// Rounds of the strong test with random bases for a random candidate: FIPS 186-5, table B.1,
  /// from 1024 bits; FIPS 186-4, table C.2 (an error below 2^-100) from 512. Below that what holds
  /// for the worst composite: 4^-40.
  function automatic int unsigned fips_rounds(int unsigned width);
    if (width >= 1536) return 4;
    if (width >= 1024) return 5;
    if (width >= 512) return 7;
    return 40;
  endfunction

  /// Whether a number from 3 to 2^20 is an odd prime, as a generator's public exponent has to be.
  function automatic bit odd_prime(int unsigned number);
    if (number < 3 || number > (1 << 20) || number % 2 == 0) return 1'b0;
    for (int unsigned divisor = 3; divisor * divisor <= number; divisor += 2)
      if (number % divisor == 0) return 1'b0;
    return 1'b1;
  endfunction

  /// Steps of 2 from a drawn number on before a generator draws anew: some 20 times the mean
  /// distance of primes of that size, so that a search that ends without one is rare.
  function automatic int unsigned search_steps(int unsigned width);
    return 8 * width;
  endfunction

endpackage

`default_nettype wire
