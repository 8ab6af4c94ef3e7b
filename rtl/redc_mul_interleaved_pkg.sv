// SPDX-License-Identifier: Apache-2.0
// redc_mul_interleaved_pkg: sizes and cycle counts of redc_mul_interleaved.
//
// Partner   src/redcore/families/interleaved.py has the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/interleaved.md.
`default_nettype none

package redc_mul_interleaved_pkg;

  /// Cycles of a multiplication in the data path: so many for each bit of a.
  function automatic int unsigned steps(int unsigned width, int unsigned pace);
    return width * pace;
  endfunction

  /// Cycles per multiplication in steady state.
  function automatic int unsigned interval(int unsigned width, int unsigned pace);
    return steps(width, pace);
  endfunction

  /// Cycles from the accepted operands to the result, nothing else in flight.
  function automatic int unsigned latency(int unsigned width, int unsigned pace);
    return steps(width, pace) + 1;
  endfunction

  /// Multiplications in flight in steady state: one in the data path, one in the output register.
  function automatic int unsigned slots();
    return 2;
  endfunction

endpackage

`default_nettype wire
