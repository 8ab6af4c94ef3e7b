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

  /// Iterations: an extra one halves away what the quotient bit's freedom costs.
  function automatic int unsigned iterations(int unsigned width, int unsigned variant);
    return r_bits(width) + ((variant == Monarch2) ? 0 : 1);
  endfunction

  /// Bits of the running sum, before it is halved.
  function automatic int unsigned sum_bits(int unsigned width, int unsigned variant);
    return width + 3 + (doubled(variant) ? 1 : 0);
  endfunction

  /// Word units, one carry chain length each; the topmost also takes the sum's guard bits.
  function automatic int unsigned units(int unsigned width, int unsigned word);
    return ceil_div(width, word);
  endfunction

  /// Cycles between a unit's operands in their registers and its first addition.
  function automatic int unsigned lead(int unsigned variant);
    return (variant == RamAdd) ? 3 : (prepared(variant) ? 1 : 0);
  endfunction

  /// Cycles per multiplication in steady state.
  function automatic int unsigned interval(int unsigned width, int unsigned variant);
    return iterations(width, variant);
  endfunction

  /// Cycles from the accepted operands to the result, nothing else in flight.
  function automatic int unsigned latency(int unsigned width, int unsigned variant,
                                          int unsigned word);
    return iterations(width, variant) + lead(variant) + units(width, word) + 1;
  endfunction

  /// Multiplications that must be in flight to reach the interval; also how many fit in.
  function automatic int unsigned slots(int unsigned width, int unsigned variant,
                                        int unsigned word);
    return ceil_div(latency(width, variant, word), interval(width, variant));
  endfunction

endpackage

`default_nettype wire
