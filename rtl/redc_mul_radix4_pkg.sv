// SPDX-License-Identifier: Apache-2.0
// redc_mul_radix4_pkg: sizes and cycle counts of redc_mul_radix4 as functions of its parameters.
//
// Partner   src/redcore/families/radix4.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/radix4.md.
`default_nettype none

package redc_mul_radix4_pkg;

  import redc_pkg::ceil_div;

  /// Bits of a multiplier digit; anything but radix 4 counts as radix 2.
  function automatic int unsigned digit_bits(int unsigned radix);
    return (radix == 4) ? 2 : 1;
  endfunction

  /// Digits of the multiplier in pass `pass`: a, or in a second pass a number below 2m.
  function automatic int unsigned digits(int unsigned width, int unsigned radix,
                                         int unsigned pass);
    return ceil_div(width + pass, digit_bits(radix));
  endfunction

  /// log2 R of the result; none where the core converts a itself.
  function automatic int unsigned r_bits(int unsigned width, int unsigned radix, bit converts);
    return converts ? 0 : digits(width, radix, 0) * digit_bits(radix);
  endfunction

  /// Bits of the accumulator: sums stay below 2m * radix.
  function automatic int unsigned sum_bits(int unsigned width, int unsigned radix);
    return width + 1 + digit_bits(radix);
  endfunction

  /// Bits of every part of the adder but the top one, which has the rest.
  function automatic int unsigned part_bits(int unsigned width, int unsigned radix,
                                            int unsigned split);
    return ceil_div(sum_bits(width, radix), split);
  endfunction

  /// The least that part_bits may be: what leaves a part must not have entered it a cycle before,
  /// and a multiplier digit is wanted a cycle earlier where the sum becomes the multiplier.
  function automatic int unsigned least_part_bits(int unsigned radix, bit converts);
    return digit_bits(radix) * (converts ? 3 : 2);
  endfunction

  /// Cycles in which the multiples of b are put together.
  function automatic int unsigned build_cycles(int unsigned radix, bit merged,
                                               int unsigned moduli);
    automatic int unsigned r = 1 << digit_bits(radix);
    if (!merged) return r - 1;
    return r * r - r - 1 + ((moduli > 1) ? 1 : 0);
  endfunction

  /// Cycles of the iterations, with the sum of the two vectors behind a carry-save pass.
  function automatic int unsigned pass_cycles(int unsigned width, int unsigned radix, bit merged,
                                              bit carry_save, int unsigned pass);
    return digits(width, radix, pass) * (merged ? 1 : 2) + (carry_save ? 1 : 0);
  endfunction

  /// Cycles from the accepted operands to the result, nothing else in flight. Without a first pass
  /// over the constant's multiples, those of b are waited for.
  function automatic int unsigned latency(int unsigned width, int unsigned radix, bit merged,
                                          bit carry_save, int unsigned split, bit converts,
                                          int unsigned moduli);
    return build_cycles(radix, merged, moduli)
         + pass_cycles(width, radix, merged, carry_save, 0)
         + (converts ? pass_cycles(width, radix, merged, carry_save, 1) : 1) + split + 2;
  endfunction

  /// Whether operands are taken right behind the subtraction: the first step on them does not begin
  /// with what the accumulator holds, and no upper part is still at work.
  function automatic bit restarts(bit merged, int unsigned split, int unsigned moduli);
    return split == 1 && (!merged || moduli > 1);
  endfunction

  /// Cycles per multiplication in steady state.
  function automatic int unsigned interval(int unsigned width, int unsigned radix, bit merged,
                                           bit carry_save, int unsigned split, bit converts,
                                           int unsigned moduli);
    return latency(width, radix, merged, carry_save, split, converts, moduli) - 1
         - (restarts(merged, split, moduli) ? 1 : 0);
  endfunction

  /// Cycles after an accepted modulus until operands are taken.
  function automatic int unsigned modulus_cycles(int unsigned width, int unsigned radix,
                                                 bit merged, int unsigned split, bit converts);
    automatic int unsigned r = 1 << digit_bits(radix);
    automatic int unsigned doublings =
        (digits(width, radix, 0) + digits(width, radix, 1)) * digit_bits(radix);
    automatic int unsigned total = r + 2 + split;
    if (converts) total += 2 + doublings * (4 + split) + build_cycles(radix, merged, 2);
    return total;
  endfunction

endpackage

`default_nettype wire
