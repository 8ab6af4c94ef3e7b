// SPDX-License-Identifier: Apache-2.0
// redc_mul_radix4_pkg: sizes and cycle counts of redc_mul_radix4, and the step of its parts.
//
// Partner   src/redcore/families/radix4.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/radix4.md.
`default_nettype none

package redc_mul_radix4_pkg;

  import redc_pkg::ceil_div;

  /// What the core is built of.
  typedef struct packed {
    int unsigned width;
    int unsigned radix;
    bit          merged;
    bit          carry_save;  // in the iterations
    int unsigned split;
    bit          converts;    // Precomputed = 1: a first pass brings a into Montgomery form
    int unsigned moduli;
  } config_t;

  /// What follows from it.
  typedef struct packed {
    int unsigned digit_bits;       // of the multiplier; anything but radix 4 counts as radix 2
    int unsigned digits;           // of a
    int unsigned last_digits;      // of the last pass: in a second one of a number below 2m
    int unsigned r_bits;           // log2 R of the result; none where the core converts a itself
    int unsigned sum_bits;         // of the accumulator: sums stay below 2m * radix
    int unsigned part_bits;        // of every part of the adder but the top one, which has the rest
    int unsigned least_part_bits;  // that part_bits may be
    int unsigned address_bits;     // of the table: place of the modulus, bank, word
    int unsigned doublings;        // of 1 up to the constant, R of both passes modulo m
    bit          leads;            // several moduli, merged: m is fetched before b's multiples
    bit          restarts;         // operands are taken right behind the subtraction
    int unsigned latency;          // cycles from accepted operands to result, nothing in flight
    int unsigned interval;         // cycles per multiplication in steady state
    int unsigned modulus_cycles;   // from an accepted modulus until operands are taken
  } sizes_t;

  /// Split as it comes: parts of at most some 256 bits, and of 128 just above 256 bits.
  function automatic int unsigned default_split(int unsigned width);
    return (width <= 256) ? 1 : redc_pkg::max(4, 1 << $clog2(ceil_div(width, 256)));
  endfunction

  function automatic sizes_t sizes(config_t c);
    automatic sizes_t s;
    automatic int unsigned radix, build, pass_each, pass_more;
    s.digit_bits  = (c.radix == 4) ? 2 : 1;
    s.digits      = ceil_div(c.width, s.digit_bits);
    s.last_digits = ceil_div(c.width + (c.converts ? 1 : 0), s.digit_bits);
    s.r_bits      = c.converts ? 0 : s.digits * s.digit_bits;
    s.sum_bits    = c.width + 1 + s.digit_bits;
    s.part_bits   = ceil_div(s.sum_bits, c.split);
    // What leaves a part must not have entered it a cycle before, and a multiplier digit is wanted
    // a cycle earlier where the sum becomes the multiplier.
    s.least_part_bits = s.digit_bits * (c.converts ? 3 : 2);
    s.address_bits = ((c.moduli > 1) ? redc_pkg::index_bits(c.moduli) : 0) + (c.converts ? 1 : 0)
                   + (c.merged ? 2 * s.digit_bits : s.digit_bits + 1);
    s.doublings = (s.digits + s.last_digits) * s.digit_bits;
    s.leads     = c.merged && c.moduli > 1;
    // The first step on them does not begin with what the accumulator holds, and no upper part is
    // still at work.
    s.restarts  = c.split == 1 && (!c.merged || s.leads);
    // Multiples are put together, of b or the constant; iterations; in a carry-save pass the sum of
    // both vectors. Without a first pass over the constant's multiples those of b are waited for.
    radix       = 1 << s.digit_bits;
    build       = c.merged ? radix * radix - radix - 1 : radix - 1;
    pass_each   = c.merged ? 1 : 2;
    pass_more   = c.carry_save ? 1 : 0;
    s.latency   = build + (s.leads ? 1 : 0) + s.digits * pass_each + pass_more + c.split + 2
                + (c.converts ? s.last_digits * pass_each + pass_more : 1);
    s.interval  = s.latency - 1 - (s.restarts ? 1 : 0);
    s.modulus_cycles = radix + 2 + c.split;
    if (c.converts) begin
      s.modulus_cycles += 2 + s.doublings * (4 + c.split) + build + (c.merged ? 1 : 0);
    end
    return s;
  endfunction

  /// What a part does in a cycle, besides the two table addresses. U is the accumulator.
  typedef struct packed {
    logic shift;      // U enters without its lowest digit
    logic clear;      // 0 enters instead of U
    logic invert;     // ~T is added, not the table's word T
    logic carry;      // carry into the lowest part
    logic propagate;  // carry-save: the sum becomes one number
    logic capture;    // the result takes U as it enters
    logic write;      // the table takes the sum, a cycle later
  } step_t;

  /// What the digits do in a cycle, and which ones.
  typedef struct packed {
    logic take_digit;  // the multiplier moves on to its next digit
    logic take_sum;    // then U as it enters the next step becomes the multiplier
    logic bank;        // the constant is at work, in place of b
    logic first;       // this pass has not begun
    logic reduces;     // the sum of this cycle loses a digit
    logic constant;    // the sum of this cycle is the constant, or on the way to it
  } turn_t;

endpackage

`default_nettype wire
