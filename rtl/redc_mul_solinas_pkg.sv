// SPDX-License-Identifier: Apache-2.0
// redc_mul_solinas_pkg: sizes and cycle counts of redc_mul_solinas as functions of its parameters.
//
// Partner   src/redcore/families/solinas.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/solinas.md.
`default_nettype none

package redc_mul_solinas_pkg;

  import redc_pkg::ceil_div;
  import redc_pkg::max;

  /// Powers of two between that of the width and 1, at most.
  localparam int unsigned BetweenLimit = 3;
  /// Cycles from the last product of a column until its limb may be reduced, without the adders
  /// behind the slices; and from there, without the adders that reduce, until it leaves.
  localparam int unsigned ColumnCycles = 7;
  localparam int unsigned CarryCycles  = 3;
  /// And more, where a limb of the quotient counts in itself.
  localparam int unsigned AgainCycles  = 3;
  /// Cycles until a result of which enough has come is offered.
  localparam int unsigned OfferCycles = 3;

  /// The powers of two between that of the width and 1: m = 2^width +- 2^e3 +- 2^e2 +- 2^e1 - 1.
  typedef struct packed {
    int unsigned             e1;     // 0: none, nor any above
    int unsigned             e2;
    int unsigned             e3;
    logic [BetweenLimit-1:0] minus;  // which of these are subtracted, the highest always
  } between_t;

  /// What the core is built of.
  typedef struct packed {
    int unsigned width;
    between_t    between;
    int unsigned digit;
    int unsigned rows;
    int unsigned word;
  } config_t;

  /// What follows from it.
  typedef struct packed {
    int unsigned limbs;        // of rows digits each
    int unsigned digits;
    int unsigned beats;        // words of an operand
    int unsigned terms;        // powers of two above 1
    int unsigned late;         // of these, which reach the very next limb
    int unsigned minuses;      // that are subtracted
    bit          again;        // a limb of the quotient counts in itself
    int unsigned sum_levels;   // of adders behind the slices
    int unsigned early_levels; // of adders for the terms that are not late, and the product
    int unsigned late_levels;  // of adders for those that are
    int unsigned spacing;      // cycles from a limb to the next, while a quotient limb is awaited
    int unsigned chain;        // cycles from the first limb to the last
    int unsigned interval;     // cycles per multiplication
    int unsigned gap;          // of these, without work for the slices
    int unsigned release_limb; // of a result, with which the rest comes fast enough
    int unsigned start;        // cycles from the first word to the first product, words coming
    int unsigned latency;      // from the first beat of operands to the last of the result
    int unsigned slots;        // multiplications in flight
    int unsigned ring;         // limbs of results that may wait
  } sizes_t;

  /// Powers of two above 1.
  function automatic int unsigned terms(logic [BetweenLimit-1:0] minus);
    return $clog2(32'(minus) + 1) + 1;
  endfunction

  /// Powers of two by number, the lowest first, that of the width the last one.
  function automatic int unsigned exponent(between_t between, int unsigned width,
                                           int unsigned number);
    if (number + 1 >= terms(between.minus)) return width;
    return (number == 0) ? between.e1 : (number == 1) ? between.e2 : between.e3;
  endfunction

  function automatic bit minus(logic [BetweenLimit-1:0] minuses, int unsigned number);
    return (minuses >> number) % 2 == 1;
  endfunction

  /// Whether a limb of the quotient, of so many bits, counts in the very next one.
  function automatic bit late(between_t between, int unsigned width, int unsigned limb,
                              int unsigned number);
    return exponent(between, width, number) < 2 * limb;
  endfunction

  /// The longest limb: up to twice the lowest exponent it counts in itself no more than once, where
  /// that power is added and the next one is above the limb.
  function automatic int unsigned longest(between_t between, int unsigned width);
    automatic int unsigned lowest = exponent(between, width, 0);
    if (minus(between.minus, 0) || terms(between.minus) == 1) return lowest;
    return redc_pkg::min(2 * lowest, exponent(between, width, 1));
  endfunction

  /// How many terms below that one are late, or are not.
  function automatic int unsigned numbered(between_t between, int unsigned width,
                                           int unsigned limb, int unsigned number, bit lateness);
    automatic int unsigned found = 0;
    for (int unsigned i = 0; i < number; i++) begin
      found += 32'(late(between, width, limb, i) == lateness);
    end
    return found;
  endfunction

  /// The modulus.
  function automatic logic [1024:0] prime(between_t between, int unsigned width);
    automatic logic [1024:0] value = '1;  // -1
    for (int unsigned i = 0; i < terms(between.minus); i++) begin
      automatic logic [1024:0] power = 1025'(1) << exponent(between, width, i);
      value = minus(between.minus, i) ? value - power : value + power;
    end
    return value;
  endfunction

  /// Words that have come with that of the limb.
  function automatic int unsigned words_to(int unsigned rows, int unsigned word,
                                           int unsigned limb);
    return ceil_div(rows * (limb + 1), word);
  endfunction

  function automatic sizes_t sizes(config_t c);
    automatic sizes_t s = '0;
    automatic int unsigned limb_bits = c.rows * c.digit;
    automatic int unsigned waited;
    s.limbs  = max(2, ceil_div(c.width + 2, limb_bits));
    s.digits = s.limbs * c.rows;
    s.beats  = ceil_div(s.digits, c.word);
    s.terms  = terms(c.between.minus);
    for (int unsigned i = 0; i < s.terms; i++) begin
      s.late    += 32'(late(c.between, c.width, limb_bits, i));
      s.minuses += 32'(minus(c.between.minus, i));
    end
    // products of a digit, lower and upper halves, that meet in one
    s.sum_levels   = $clog2(2 * c.rows - 1);
    s.early_levels = max(1, $clog2(1 + s.terms - s.late));
    s.late_levels  = $clog2(1 + s.late);
    s.again        = exponent(c.between, c.width, 0) < limb_bits;
    s.spacing      = s.late_levels + CarryCycles + (s.again ? AgainCycles : 0);
    s.chain        = s.spacing * s.limbs + s.early_levels + s.limbs - 2;
    s.interval     = max(max(s.limbs * s.limbs + 1, s.beats), s.chain + 1);
    s.gap          = s.interval - (s.limbs * s.limbs + 1);
    // The first limb of a result that no word has to wait for, once it has come: those behind it
    // come as columns end, each with a product less, the first ones at least early_levels apart.
    for (int unsigned limb = s.limbs - 1; limb < s.limbs; limb--) begin
      waited = 0;
      for (int unsigned behind = limb + 1; behind < s.limbs; behind++) begin
        waited += max(max(s.limbs - 1 - behind, 1), (behind == 1) ? s.early_levels : 1);
        if (waited > behind * c.rows / c.word) return with_latency(c.rows, c.word, s);
      end
      s.release_limb = limb;
    end
    return with_latency(c.rows, c.word, s);
  endfunction

  /// The rest of the sizes, from a first word in cycle 0 on.
  function automatic sizes_t with_latency(int unsigned rows, int unsigned word, sizes_t known);
    automatic sizes_t s = known;
    automatic int unsigned begins, ends, enters, released;
    s.start  = 0;
    begins   = 0;
    enters   = 0;
    released = 0;
    for (int unsigned column = 0; column < 2 * s.limbs; column++) begin
      // A column may have to wait for the limb that it is the first to read.
      if (column < s.limbs) begins = max(begins, words_to(rows, word, column) + 1);
      ends = begins + ((column < s.limbs) ? column + 1 : (column + 1 == 2 * s.limbs) ? 1
                                                       : 2 * s.limbs - 1 - column);
      enters = max((column == 0) ? 0 : enters + ((column <= s.limbs) ? s.spacing
                                  : (column == s.limbs + 1) ? s.early_levels : 1),
                   ends - 1 + s.sum_levels + ColumnCycles);
      if (column == s.limbs + s.release_limb) released = enters;
      begins = ends;
    end
    s.start   = begins - 1 - s.limbs * s.limbs;
    s.latency = released + s.early_levels + s.late_levels + CarryCycles + OfferCycles + s.beats - 1;
    s.slots   = ceil_div(s.latency - s.start + 3, s.interval);
    s.ring    = 1 << $clog2(s.slots * s.limbs);
    return s;
  endfunction

endpackage

`default_nettype wire
