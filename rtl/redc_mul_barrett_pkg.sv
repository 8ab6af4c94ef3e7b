// SPDX-License-Identifier: Apache-2.0
// redc_mul_barrett_pkg: sizes and cycle counts of redc_mul_barrett.
//
// Partner   src/redcore/families/barrett.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/barrett.md.
`default_nettype none

package redc_mul_barrett_pkg;

  /// What the core is built of.
  typedef struct packed {
    int unsigned width;
    int unsigned digit;
  } config_t;

  /// What follows from it.
  typedef struct packed {
    int unsigned digits;         // of an operand
    int unsigned guard_digits;   // beyond those of m in which the remainder before its correction,
                                 // below 3m, is kept: two bits at least
    int unsigned mu_bits;        // of mu, at most 2^(digit (digits + 1))
    int unsigned multiply_steps; // cycles in which a b and, from its digits, the quotient are made,
    int unsigned subtract_steps; // in which the quotient times m is subtracted,
    int unsigned derive_steps;   // and in which, the streams being closed, constants are derived: m
                                 // is shifted to its place, mu is divided, both are handed over
    int unsigned interval;       // cycles per multiplication in steady state
    int unsigned latency;        // from accepted operands to the result, nothing in flight
    int unsigned slots;          // one in the data path, one in the output register
  } sizes_t;

  function automatic sizes_t sizes(config_t c);
    automatic sizes_t s;
    s.digits         = redc_pkg::ceil_div(c.width, c.digit);
    s.guard_digits   = (c.digit == 1) ? 2 : 1;
    s.mu_bits        = c.digit * (s.digits + 1) + 1;
    s.multiply_steps = 2 * s.digits;
    s.subtract_steps = s.digits + s.guard_digits;
    s.derive_steps   = s.digits + s.mu_bits;
    s.interval       = s.multiply_steps + s.subtract_steps + 4;  // two subtractions of m
    s.latency        = s.interval + 1;
    s.slots          = 2;
    return s;
  endfunction

endpackage

`default_nettype wire
