// SPDX-License-Identifier: Apache-2.0
// redc_host_words_pkg: how words of 32 bits and words of a core fit each other.
//
// Partner   src/redcore/units/hosted.py.
`default_nettype none

package redc_host_words_pkg;

  /// The largest power of two that divides 32 and the bits of a word.
  function automatic int unsigned step(int unsigned word_bits);
    automatic int unsigned found = 1;
    for (int unsigned power = 2; power <= 32; power *= 2)
      if (word_bits % power == 0) found = power;
    return found;
  endfunction

  /// Words of 32 bits that a number takes.
  function automatic int unsigned host_words(int unsigned word_bits, int unsigned beats);
    return redc_pkg::ceil_div(word_bits * beats, 32);
  endfunction

endpackage

`default_nettype wire
