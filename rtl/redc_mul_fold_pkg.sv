// SPDX-License-Identifier: Apache-2.0
// redc_mul_fold_pkg: sizes and cycle counts of redc_mul_fold as functions of its parameters.
//
// Partner   src/redcore/families/fold.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/fold.md.
`default_nettype none

package redc_mul_fold_pkg;

  import redc_pkg::ceil_div;
  import redc_pkg::max;

  /// Bits of the widest digit that a multiplier slice takes.
  localparam int unsigned DigitLimit = 18;
  /// Bits of c, and of the c 2^s that is added as it is, without being cut into digits.
  localparam int unsigned LessBits  = 48;
  localparam int unsigned WholeBits = 12;

  typedef logic [LessBits-1:0] less_t;
  typedef logic [127:0]        multiple_t;

  /// What the core is built of.
  typedef struct packed {
    int unsigned width;
    less_t       less;   // c
    int unsigned digit;
    int unsigned rows;
    int unsigned word;
  } config_t;

  /// What follows from it.
  typedef struct packed {
    int unsigned limbs;      // of rows digits each
    int unsigned digits;
    bit          exact;      // they have width bits; the highest digit has one more
    int unsigned spare;      // s: bits that they have above width
    int unsigned beats;      // words of an operand
    bit          whole;      // c 2^s is not cut into digits
    int unsigned pieces;     // half digits of c 2^s that are not 0
    int unsigned drain;      // limbs above the highest one that the first folding reaches
    int unsigned sum_levels; // of adders behind the slices
    int unsigned times_levels; // of those that multiply by a piece of c 2^s
    int unsigned fold_levels;  // of all those that fold
    int unsigned interval;   // cycles per multiplication
    int unsigned gap;        // of these, without work for the slices
    int unsigned start;      // cycles from the first word to the first product
    int unsigned latency;    // from the first beat of operands to the last of the result
    int unsigned slots;      // multiplications in flight
    int unsigned ring;       // limbs of results that may wait
  } sizes_t;

  function automatic int unsigned bits(multiple_t value);
    automatic int unsigned found = 0;
    for (int unsigned i = 0; i < $bits(value); i++) if (value[i]) found = i + 1;
    return found;
  endfunction

  function automatic int unsigned ones(multiple_t value);
    automatic int unsigned found = 0;
    for (int unsigned i = 0; i < $bits(value); i++) found += 32'(value[i]);
    return found;
  endfunction

  /// Where the one of that number is, from the lowest on.
  function automatic int unsigned one(multiple_t value, int unsigned number);
    automatic int unsigned found = 0;
    for (int unsigned i = 0; i < $bits(value); i++) begin
      if (value[i]) begin
        if (found == number) return i;
        found++;
      end
    end
    return 0;
  endfunction

  /// Bits of half a digit: pieces of c 2^s, two to a digit.
  function automatic int unsigned half(int unsigned digit);
    return ceil_div(digit, 2);
  endfunction

  /// The piece of that number among those of a multiple, zero or not.
  function automatic multiple_t piece(multiple_t value, int unsigned digit, int unsigned number);
    automatic int unsigned low   = (number / 2) * digit + (number % 2) * half(digit);
    automatic int unsigned width = (number % 2 == 0) ? half(digit) : digit - half(digit);
    return (value >> low) & ((multiple_t'(1) << width) - 1);
  endfunction

  /// Pieces up to the highest one that is not 0.
  function automatic int unsigned places(multiple_t value, int unsigned digit);
    return 2 * ceil_div(bits(value), digit);
  endfunction

  /// How many pieces below that one are not 0.
  function automatic int unsigned numbered(multiple_t value, int unsigned digit,
                                           int unsigned number);
    automatic int unsigned found = 0;
    for (int unsigned i = 0; i < number; i++) found += 32'(piece(value, digit, i) != '0);
    return found;
  endfunction

  /// c 2^s; cut off where no legal core is so large.
  function automatic multiple_t multiple(less_t less, int unsigned spare);
    return multiple_t'(less) << ((spare > 80) ? 80 : spare);
  endfunction

  function automatic sizes_t sizes(config_t c);
    automatic sizes_t s = '0;
    automatic multiple_t value;
    automatic int unsigned most, late, limb_bits, busy;
    limb_bits = c.rows * c.digit;
    s.limbs   = max(2, c.width / limb_bits);
    s.exact   = s.limbs * limb_bits == c.width && c.digit < DigitLimit && c.word == 2
              && (s.limbs * c.rows) % 2 == 1;
    if (!s.exact) s.limbs = max(2, ceil_div(c.width + 1, limb_bits));
    s.digits = s.limbs * c.rows;
    s.spare  = s.digits * c.digit - c.width;
    s.beats  = ceil_div(s.digits, c.word);
    value    = multiple(c.less, s.spare);
    s.whole  = bits(value) <= WholeBits && bits(value) + 2 <= c.digit;
    // products of a digit, lower and upper halves, that meet in one
    s.sum_levels = $clog2(2 * c.rows - 1);
    most = 0;
    for (int unsigned i = 0; i < places(value, c.digit); i++) begin
      if (piece(value, c.digit, i) != '0) s.pieces++;
      most = max(most, ones(piece(value, c.digit, i)));
    end
    s.times_levels = s.whole ? $clog2(ones(value) + 1) : $clog2(most);
    s.fold_levels  = s.whole ? s.times_levels : s.times_levels + $clog2(2 * s.pieces + 1);
    s.drain = s.whole ? 1 : ceil_div(places(value, c.digit) / 2 + 2, c.rows);
    // The adders that fold: from the first upper limb to the last one of the result.
    busy       = (s.limbs - 1) * (s.limbs - 2) / 2 + s.fold_levels + s.limbs + 4;
    s.interval = max(max(s.limbs * s.limbs + 1, s.beats), busy);
    s.gap      = s.interval - (s.limbs * s.limbs + 1);
    // A limb may come later than the products of those below have been made.
    late = 0;
    for (int unsigned n = 0; n < s.limbs; n++) begin
      most = ceil_div(c.rows * (n + 1), c.word) - 1;
      late = max(late, (most > n * (n + 1) / 2) ? most - n * (n + 1) / 2 : 0);
    end
    s.start   = late + 2;
    s.latency = s.start + s.limbs * s.limbs + s.sum_levels + 2 * s.fold_levels + s.beats + 15;
    // from its first product until another one may take its place among the results
    s.slots   = ceil_div(s.latency - s.start + 3, s.interval);
    s.ring    = 1 << $clog2(s.slots * s.limbs);
    return s;
  endfunction

  /// Whether two foldings are enough: c (4 c + 2^s + 4) is at most 2^(width - 1).
  function automatic bit fits(less_t less, int unsigned width, int unsigned spare);
    automatic logic [255:0] c     = 256'(less);
    automatic logic [255:0] above = 4 * c + (256'(1) << ((spare > 96) ? 96 : spare)) + 4;
    return (width > 200) || (c * above <= (256'(1) << (width - 1)));
  endfunction

endpackage

`default_nettype wire
