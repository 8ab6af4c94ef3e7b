// SPDX-License-Identifier: Apache-2.0
// redc_mul_carrychain_pkg: sizes and cycle counts of redc_mul_carrychain as functions of its
// parameters.
//
// Partner   src/redcore/families/carrychain.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/carrychain.md.
`default_nettype none

package redc_mul_carrychain_pkg;

  import redc_pkg::ceil_div;

  /// Numbers of the variants, as the parameter Variant takes them.
  typedef enum int unsigned {
    Monarch1 = 0,
    Monarch2 = 1,
    Monarch3 = 2,
    Monarch4 = 3,
    MuxAdd   = 4,
    RamAdd   = 5
  } variant_e;

  /// Results are below 2m, as operands may be.
  function automatic int unsigned bound();
    return 2;
  endfunction

  /// Bits of an operand and of a result, which are below 2m.
  function automatic int unsigned word_bits(int unsigned width);
    return width + 1;
  endfunction

  /// R = 2^r_bits, the least that keeps results below 2m without a subtraction.
  function automatic int unsigned r_bits(int unsigned width);
    return width + 2;
  endfunction

  /// Whether the multiplicand is added twofold, which frees the quotient bit from it.
  function automatic bit doubled(int unsigned variant);
    return variant >= Monarch3;
  endfunction

  /// Whether what an iteration adds is one number from a register, not two added in turn.
  function automatic bit prepared(int unsigned variant);
    return variant >= Monarch4;
  endfunction

  /// What the core is built of.
  typedef struct packed {
    int unsigned width;
    int unsigned variant;
    int unsigned word;
  } config_t;

  /// What follows from it.
  typedef struct packed {
    int unsigned sum_bits;  // of the running sum, before it is halved
    int unsigned units;     // words, a carry chain's length each; the topmost has the guard bits
    int unsigned lead;      // cycles between a unit's operands in registers and its first addition
    int unsigned interval;  // cycles per multiplication in steady state, one an iteration
    int unsigned latency;   // from accepted operands to the result, nothing in flight
    int unsigned slots;     // multiplications in flight that reach the interval; as many fit in
  } sizes_t;

  function automatic sizes_t sizes(config_t c);
    automatic sizes_t s;
    s.sum_bits = c.width + 3 + (doubled(c.variant) ? 1 : 0);
    s.units    = ceil_div(c.width, c.word);
    s.lead     = (c.variant == RamAdd) ? 3 : (prepared(c.variant) ? 1 : 0);
    // an extra iteration halves away what the quotient bit's freedom costs
    s.interval = r_bits(c.width) + ((c.variant == Monarch2) ? 0 : 1);
    s.latency  = s.interval + s.lead + s.units + 1;
    s.slots    = ceil_div(s.latency, s.interval);
    return s;
  endfunction

endpackage

`default_nettype wire
