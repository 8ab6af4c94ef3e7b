// SPDX-License-Identifier: Apache-2.0
// redc_mul_scalable_pkg: sizes and cycle counts of redc_mul_scalable, from its parameters.
//
// Contract  `width` is the precision in use, which the modulus sets at run time; all else is fixed
//           when the core is built. Precision counts in whole words only.
// Partner   src/redcore/families/scalable.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/scalable.md.
`default_nettype none

package redc_mul_scalable_pkg;

  import redc_pkg::ceil_div;
  import redc_pkg::max;

  /// Multiplications in flight: one result is read while the next one is computed.
  function automatic int unsigned slots();
    return 2;
  endfunction

  /// Multiplier bits that a stage consumes: log2 of the radix. 1 for an illegal radix.
  function automatic int unsigned digit_bits(int unsigned radix);
    return (radix == 8) ? 3 : (radix == 4) ? 2 : 1;
  endfunction

  /// Beats of an operand.
  function automatic int unsigned beats(int unsigned width, int unsigned word);
    return ceil_div(width, word);
  endfunction

  /// Bits that the digits have to cover: Booth's digits are signed and need a zero on top.
  function automatic int unsigned covered_bits(int unsigned width, int unsigned radix,
                                               int unsigned word);
    return beats(width, word) * word + ((radix > 2) ? 1 : 0);
  endfunction

  /// Multiplier bits that all stages together consume while the words pass through once.
  function automatic int unsigned pass_bits(int unsigned radix, int unsigned stages);
    return digit_bits(radix) * stages;
  endfunction

  /// Times that the words pass through the stages.
  function automatic int unsigned passes(int unsigned width, int unsigned radix, int unsigned word,
                                         int unsigned stages);
    return ceil_div(covered_bits(width, radix, word), pass_bits(radix, stages));
  endfunction

  function automatic int unsigned r_bits(int unsigned width, int unsigned radix, int unsigned word,
                                         int unsigned stages);
    return passes(width, radix, word, stages) * pass_bits(radix, stages);
  endfunction

  /// Cycles that a pass keeps the first stage: a word each, one more than an operand has, and
  /// enough of them to bring every stage its digit.
  function automatic int unsigned pass_slots(int unsigned width, int unsigned word,
                                             int unsigned stages);
    return max(beats(width, word) + 1, stages);
  endfunction

  /// Cycles from a pass to the next one of the same multiplication.
  function automatic int unsigned pass_cycles(int unsigned width, int unsigned word,
                                              int unsigned stages, bit retimed);
    return max(pass_slots(width, word, stages), 2 * stages + (retimed ? 1 : 0));
  endfunction

  /// Cycles from the first operand beat up to the last word that leaves the last stage, both
  /// counted: what the source's equation 1 counts.
  function automatic int unsigned kernel_cycles(int unsigned width, int unsigned radix,
                                                int unsigned word, int unsigned stages,
                                                bit retimed);
    return (passes(width, radix, word, stages) - 1) * pass_cycles(width, word, stages, retimed)
         + 2 * stages + beats(width, word) + 1 + (retimed ? 1 : 0);
  endfunction

  /// Cycles from the first operand beat to the last result beat, nothing else in flight: two for
  /// sum and difference behind the kernel, and the result's beats.
  function automatic int unsigned latency(int unsigned width, int unsigned radix,
                                          int unsigned word, int unsigned stages, bit retimed);
    return kernel_cycles(width, radix, word, stages, retimed) + 1 + beats(width, word);
  endfunction

  /// Half cycles per multiplication in steady state: what the first stage is kept for, unless
  /// waiting for one of the two places for results takes longer.
  function automatic int unsigned interval_halves(int unsigned width, int unsigned radix,
                                                  int unsigned word, int unsigned stages,
                                                  bit retimed);
    return max(2 * ((passes(width, radix, word, stages) - 1)
                    * pass_cycles(width, word, stages, retimed)
                    + pass_slots(width, word, stages)),
               latency(width, radix, word, stages, retimed) + 1);
  endfunction

endpackage

`default_nettype wire
