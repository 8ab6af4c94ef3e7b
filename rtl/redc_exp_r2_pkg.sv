// SPDX-License-Identifier: Apache-2.0
// redc_exp_r2_pkg: sizes and cycle count of redc_exp_r2 as functions of its parameters.
//
// Partner   src/redcore/units/exp/r2.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal.
`default_nettype none

package redc_exp_r2_pkg;

  import redc_pkg::ceil_div;
  import redc_pkg::max;

  /// Chunks that a word is cut into. Illegal zeros count as ones: they meet their own message.
  function automatic int unsigned word_chunks(int unsigned word_bits, int unsigned chunk_bits);
    return ceil_div(max(word_bits, 1), max(chunk_bits, 1));
  endfunction

  /// Bits of a chunk, at most `chunk_bits`: all of a word's chunks alike, the last one perhaps not
  /// full.
  function automatic int unsigned even_bits(int unsigned word_bits, int unsigned chunk_bits);
    return ceil_div(max(word_bits, 1), word_chunks(word_bits, chunk_bits));
  endfunction

  /// Cycles from the first accepted modulus beat to the last result beat, no stream stalled:
  /// 2 r_bits + 2 passes over all chunks with a cycle before each, the modulus's words behind the
  /// first, and a cycle for each word of the result. The modulus's own width plays no part.
  function automatic int unsigned r2_cycles(int unsigned word_bits, int unsigned beats,
                                            int unsigned r_bits, int unsigned chunk_bits);
    automatic int unsigned each = word_chunks(word_bits, chunk_bits);
    return (2 * r_bits + 2) * (beats * each + 1) + (beats - 1) * each + beats;
  endfunction

endpackage

`default_nettype wire
