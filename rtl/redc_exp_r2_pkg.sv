// SPDX-License-Identifier: Apache-2.0
// redc_exp_r2_pkg: sizes and cycle count of redc_exp_r2 as a function of its parameters.
//
// Partner   src/redcore/units/exp/r2.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal.
`default_nettype none

package redc_exp_r2_pkg;

  import redc_pkg::ceil_div;
  import redc_pkg::max;

  /// What the unit is built of. The modulus's own width plays no part.
  typedef struct packed {
    int unsigned word_bits;
    int unsigned beats;
    int unsigned r_bits;
    int unsigned chunk_bits;
  } config_t;

  /// What follows from it.
  typedef struct packed {
    int unsigned word_chunks;  // chunks that a word is cut into,
    int unsigned even_bits;    // and bits of each, at most chunk_bits: all of a word's alike, the
                               // last one perhaps not full
    int unsigned cycles;       // from the first accepted modulus beat to the last result beat, no
                               // stream stalled
  } sizes_t;

  /// Sizes of a unit. Illegal zeros count as ones: they meet their own message.
  function automatic sizes_t sizes(config_t unit);
    automatic int unsigned bits = max(unit.word_bits, 1);
    automatic int unsigned each = ceil_div(bits, max(unit.chunk_bits, 1));
    // 2 r_bits + 2 passes over all chunks with a cycle before each, the modulus's words behind the
    // first, and a cycle for each word of the result.
    return '{
        word_chunks: each,
        even_bits: ceil_div(bits, each),
        cycles: (2 * unit.r_bits + 2) * (unit.beats * each + 1) + (unit.beats - 1) * each
              + unit.beats};
  endfunction

endpackage

`default_nettype wire
