// SPDX-License-Identifier: Apache-2.0
// redc_pkg: small constant functions shared by every core.
`default_nettype none

package redc_pkg;

  /// Quotient of two positive numbers, rounded up.
  function automatic int unsigned ceil_div(int unsigned numerator, int unsigned denominator);
    return (numerator + denominator - 1) / denominator;
  endfunction

  function automatic int unsigned min(int unsigned left, int unsigned right);
    return (left < right) ? left : right;
  endfunction

  function automatic int unsigned max(int unsigned left, int unsigned right);
    return (left > right) ? left : right;
  endfunction

  /// Bits of an index into `count` places; one even where there is a single place.
  function automatic int unsigned index_bits(int unsigned count);
    return (count <= 2) ? 1 : $clog2(count);
  endfunction

  /// Whether an index names one of `count` places; where those are no power of two its bits can say
  /// more than there are.
  function automatic logic index_in_range(int unsigned index, int unsigned count);
    return index < count;
  endfunction

endpackage

`default_nettype wire
