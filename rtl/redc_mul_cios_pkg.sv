// SPDX-License-Identifier: Apache-2.0
// redc_mul_cios_pkg: sizes and cycle counts of redc_mul_cios as functions of its parameters.
//
// Words are cut into digits that one hardware multiplier takes; a word product is a chain of slices
// (redc_mul_cios_chain), one for each pair of digits, column by column.
//
// Partner   src/redcore/families/cios.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/cios.md.
`default_nettype none

package redc_mul_cios_pkg;

  import redc_pkg::ceil_div;
  import redc_pkg::max;

  /// Widest factor of one slice, unsigned: 18 bits on ECP5; 17 fit a Xilinx slice.
  localparam int unsigned DigitLimit = 18;

  /// Words of an operand: two bits above the modulus, as R must be above 4m.
  function automatic int unsigned words(int unsigned width, int unsigned word);
    return ceil_div(width + 2, word);
  endfunction

  /// Digits of a word.
  function automatic int unsigned digits(int unsigned word);
    return ceil_div(word, DigitLimit);
  endfunction

  function automatic int unsigned digit_bits(int unsigned word);
    return ceil_div(word, digits(word));
  endfunction

  /// Steps of a word product's chain that come before column `column`: one slice a step.
  function automatic int unsigned column_start(int unsigned count, int unsigned column);
    automatic int unsigned steps = 0;
    for (int unsigned k = 0; k < column; k++) steps += (k < count) ? k + 1 : 2 * count - 1 - k;
    return steps;
  endfunction

  /// The last step of a column, behind which its digit is known.
  function automatic int unsigned column_end(int unsigned count, int unsigned column);
    return column_start(count, column + 1) - 1;
  endfunction

  /// The column of a step.
  function automatic int unsigned step_column(int unsigned count, int unsigned step);
    automatic int unsigned column = 0;
    while (column_end(count, column) < step) column++;
    return column;
  endfunction

  /// The digit of the standing factor that a step takes: in each column the lowest first, as the
  /// quotient's digits come one after another.
  function automatic int unsigned step_x(int unsigned count, int unsigned step);
    automatic int unsigned column = step_column(count, step);
    return step - column_start(count, column) + ((column < count) ? 0 : column + 1 - count);
  endfunction

  /// Slices of the quotient: the columns of the low word alone.
  function automatic int unsigned quotient_steps(int unsigned word);
    return column_start(digits(word), digits(word));
  endfunction

  /// Steps until the low half of a word product stands beside the high half of the one before.
  function automatic int unsigned align_cycles(int unsigned word);
    return (digits(word) == 1) ? 0 : digits(word) * digits(word) - 2;
  endfunction

  /// Cycles from a word of block 3's sum to the results: a register where its carry chain is long.
  function automatic int unsigned settle_cycles(int unsigned word);
    return (digits(word) == 1) ? 0 : 1;
  endfunction

  /// Cycles between neighbours on the wheel: a word each, one more where carries do not share.
  function automatic int unsigned theta(int unsigned width, int unsigned word, bit shared);
    return words(width, word) + (shared ? 0 : 1);
  endfunction

  /// Cycles of a slice of a * b: its registers and the addition.
  function automatic int unsigned first_cycles(bit small_version);
    return small_version ? 3 : 4;
  endfunction

  /// Cycles of the quotient's slice.
  function automatic int unsigned quotient_cycles(int unsigned word);
    return (digits(word) == 1) ? 2 : 4;
  endfunction

  /// Cycles from a * b to the slices of q * m: the quotient, and no less than it takes until the
  /// first sum's word is there to be added.
  function automatic int unsigned turn_cycles(int unsigned word, int unsigned product);
    return max(quotient_cycles(word) + product, align_cycles(word) + 2) - product;
  endfunction

  /// Cycles around the loop from one iteration to the next, with slices of `product` cycles.
  function automatic int unsigned loop_cycles(int unsigned word, int unsigned product);
    return turn_cycles(word, product) + product + align_cycles(word) + 3;
  endfunction

  /// Cycles of a slice of q * m: all registers where the loop has the time for them.
  function automatic int unsigned product_cycles(int unsigned width, int unsigned word,
                                                 int unsigned sigma, bit shared);
    return (sigma * theta(width, word, shared) >= loop_cycles(word, 4)) ? 4 : 3;
  endfunction

  /// Cycles of a turn of the wheel, from one iteration to the next.
  function automatic int unsigned alpha(int unsigned width, int unsigned word, int unsigned sigma,
                                        bit shared);
    return max(sigma * theta(width, word, shared),
               loop_cycles(word, product_cycles(width, word, sigma, shared)));
  endfunction

  /// Cycles from the first beat to the last word, less the iterations but one and the words.
  function automatic int unsigned depth(int unsigned width, int unsigned word, int unsigned sigma,
                                        bit shared, bit small_version, bit block);
    automatic int unsigned product = product_cycles(width, word, sigma, shared);
    return 2 + (block ? 1 : 0) + first_cycles(small_version) + turn_cycles(word, product) + product
         + align_cycles(word) + settle_cycles(word);
  endfunction

  /// From the first accepted beat to the last result word, nothing else in flight.
  function automatic int unsigned latency(int unsigned width, int unsigned word,
                                          int unsigned sigma, bit shared, bit small_version,
                                          bit block);
    return alpha(width, word, sigma, shared) * (words(width, word) - 1) + words(width, word)
         + depth(width, word, sigma, shared, small_version, block);
  endfunction

  /// Cycles in which `sigma` multiplications enter, and leave, in steady state.
  function automatic int unsigned tau(int unsigned width, int unsigned word, int unsigned sigma,
                                      bit shared);
    return alpha(width, word, sigma, shared) * words(width, word);
  endfunction

  /// Multiplications begun and not yet delivered, at most: one on each place of the wheel, and
  /// those that leave while their place has begun the next.
  function automatic int unsigned begun(int unsigned width, int unsigned word, int unsigned sigma,
                                        bit shared, bit small_version, bit block);
    automatic int unsigned leaving = depth(width, word, sigma, shared, small_version, block)
                                   + words(width, word);
    automatic int unsigned turn = alpha(width, word, sigma, shared) + 1;
    return sigma + ((leaving < turn) ? 0 : (leaving - turn) / theta(width, word, shared) + 1);
  endfunction

  /// Bits of R.
  function automatic int unsigned r_bits(int unsigned width, int unsigned word);
    return words(width, word) * word;
  endfunction

  /// Cycles from a modulus's last beat until operands are taken again: m' takes a cycle a bit.
  function automatic int unsigned modulus_cycles(int unsigned word);
    return word + 2;
  endfunction

endpackage

`default_nettype wire
