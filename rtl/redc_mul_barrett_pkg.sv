// SPDX-License-Identifier: Apache-2.0
// redc_mul_barrett_pkg: sizes and cycle counts of redc_mul_barrett.
//
// Partner   src/redcore/families/barrett.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/barrett.md.
`default_nettype none

package redc_mul_barrett_pkg;

  /// Digits of an operand.
  function automatic int unsigned digits(int unsigned width, int unsigned digit);
    return redc_pkg::ceil_div(width, digit);
  endfunction

  /// Digits beyond those of m in which the remainder before its correction, below 3m, is kept: two
  /// bits at least.
  function automatic int unsigned guard_digits(int unsigned digit);
    return (digit == 1) ? 2 : 1;
  endfunction

  /// Subtractions of m in the end.
  function automatic int unsigned corrections();
    return 2;
  endfunction

  /// Bits of mu, at most 2^(Digit (digits + 1)).
  function automatic int unsigned mu_bits(int unsigned width, int unsigned digit);
    return digit * (digits(width, digit) + 1) + 1;
  endfunction

  /// Cycles in which a b and, from its digits, the quotient are made.
  function automatic int unsigned multiply_steps(int unsigned width, int unsigned digit);
    return 2 * digits(width, digit);
  endfunction

  /// Cycles in which the quotient times m is subtracted.
  function automatic int unsigned subtract_steps(int unsigned width, int unsigned digit);
    return digits(width, digit) + guard_digits(digit);
  endfunction

  function automatic int unsigned steps(int unsigned width, int unsigned digit);
    return multiply_steps(width, digit) + subtract_steps(width, digit) + corrections();
  endfunction

  /// Cycles in which the constants are derived from a modulus, the streams being closed: m is
  /// shifted to its place, mu is divided, both are handed over.
  function automatic int unsigned derive_steps(int unsigned width, int unsigned digit);
    return digits(width, digit) - 1 + mu_bits(width, digit) + 1;
  endfunction

  /// Cycles per multiplication in steady state.
  function automatic int unsigned interval(int unsigned width, int unsigned digit);
    return steps(width, digit);
  endfunction

  /// Cycles from the accepted operands to the result, nothing else in flight.
  function automatic int unsigned latency(int unsigned width, int unsigned digit);
    return steps(width, digit) + 1;
  endfunction

  /// Multiplications in flight in steady state: one in the data path, one in the output register.
  function automatic int unsigned slots();
    return 2;
  endfunction

endpackage

`default_nettype wire
