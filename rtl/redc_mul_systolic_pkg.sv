// SPDX-License-Identifier: Apache-2.0
// redc_mul_systolic_pkg: sizes and cycle counts of redc_mul_systolic.
//
// Partner   src/redcore/families/systolic.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/systolic.md.
`default_nettype none

package redc_mul_systolic_pkg;

  /// Bits of an operand and of a result: both are below 2m.
  function automatic int unsigned word_bits(int unsigned width);
    return width + 1;
  endfunction

  /// R = 2^RBits; the first of the iterations does not halve.
  function automatic int unsigned r_bits(int unsigned width);
    return width + 2;
  endfunction

  function automatic int unsigned iterations(int unsigned width);
    return r_bits(width) + 1;
  endfunction

  /// Columns: the partial sum is below m + 2a, hence below 5m.
  function automatic int unsigned columns(int unsigned width);
    return width + 3;
  endfunction

  /// Cells in a line, two columns each.
  function automatic int unsigned cells(int unsigned width);
    return (columns(width) + 1) / 2;
  endfunction

  /// Cells that hold bits of a result, which has fewer than the partial sum.
  function automatic int unsigned result_cells(int unsigned width);
    return (word_bits(width) + 1) / 2;
  endfunction

  /// Cycles per multiplication in steady state.
  function automatic int unsigned interval(int unsigned width);
    return iterations(width);
  endfunction

  /// Cycles from the accepted operands to the result, nothing else in flight: all iterations in the
  /// first cell, the way of the last one to the result's last cell, and the output register.
  function automatic int unsigned latency(int unsigned width);
    return iterations(width) + result_cells(width) + 1;
  endfunction

  /// Multiplications in flight in steady state, and at most: one result is being collected while
  /// another waits in the output register.
  function automatic int unsigned slots();
    return 2;
  endfunction

endpackage

`default_nettype wire
