// SPDX-License-Identifier: Apache-2.0
// redc_mul_tableserial_pkg: sizes and cycle counts of redc_mul_tableserial as functions of its
// parameters.
//
// Partner   src/redcore/families/tableserial.py holds the same formulas; tests hold the two, and
//           the measured cycles, equal. Derivations: docs/families/tableserial.md.
`default_nettype none

package redc_mul_tableserial_pkg;

  import redc_pkg::ceil_div;
  import redc_pkg::max;

  /// Words of the sum, at least: a word that is written is read again four cycles later.
  localparam int unsigned LeastWords = 4;

  /// The longest word: fewer words than four would not be faster.
  function automatic int unsigned most_word(int unsigned width);
    return max(4, 2 * ceil_div(width + 4, 2 * LeastWords));
  endfunction

  /// The word where none is chosen: as few words as those of 66 bits, and as short ones.
  function automatic int unsigned usual_word(int unsigned width);
    automatic int unsigned words = max(LeastWords, ceil_div(width + 4, 66));
    return max(4, 2 * ceil_div(width + 4, 2 * words));
  endfunction

  /// What the core is built of.
  typedef struct packed {
    int unsigned width;
    int unsigned word;
    int unsigned moduli;
  } config_t;

  /// What follows from it.
  typedef struct packed {
    int unsigned beats;       // words of an operand and of the sum, and cycles of a pass
    int unsigned r_bits;      // log2 R
    int unsigned digits;      // of R, of two bits; an iteration each, and one more
    int unsigned build;       // passes in which entries of the table are made
    int unsigned interval;    // cycles per multiplication
    int unsigned latency;     // from the first beat of operands to the last of the result
    int unsigned slots;       // multiplications in flight that reach the interval
  } sizes_t;

  function automatic sizes_t sizes(config_t c);
    automatic sizes_t s;
    s.beats    = max(LeastWords, ceil_div(c.width + 4, c.word));
    s.digits   = ceil_div(c.width + 2, 2);
    s.r_bits   = 2 * s.digits;
    s.build    = (c.moduli > 1) ? 24 : 12;
    // Operands come in beats, results every fourth cycle.
    s.latency  = s.beats * (1 + s.build + s.digits + 4) - 1;
    s.interval = s.latency + 1;
    s.slots    = 1;
    return s;
  endfunction

endpackage

`default_nettype wire
