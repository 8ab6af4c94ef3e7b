// SPDX-License-Identifier: Apache-2.0
// redc_mul_tablechain_pkg: sizes and cycle counts of redc_mul_tablechain as functions of its
// parameters.
//
// Partner   src/redcore/families/tablechain.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/tablechain.md.
`default_nettype none

package redc_mul_tablechain_pkg;

  import redc_pkg::ceil_div;
  import redc_pkg::max;

  /// Bits of a multiplier digit; 2 for an illegal radix.
  function automatic int unsigned digit_bits(int unsigned radix);
    return (radix == 2) ? 1 : (radix == 8) ? 3 : 2;
  endfunction

  /// The longest word: an operand, which has a bit more than the modulus, in digits of two bits.
  function automatic int unsigned most_word(int unsigned width);
    return 2 * ceil_div(width + 1, 2);
  endfunction

  /// What the core is built of.
  typedef struct packed {
    int unsigned width;
    int unsigned radix;
    int unsigned word;
    int unsigned moduli;
    bit          block;   // words of operands and results are in block memory
  } config_t;

  /// What follows from it.
  typedef struct packed {
    int unsigned digit;       // bits of a multiplier digit and of a quotient digit
    int unsigned beats;       // words of an operand, and units; the topmost has the guard bits
    int unsigned sum_bits;    // of the running sum
    int unsigned r_bits;      // log2 R
    int unsigned iterations;  // digits of R, and one to divide by the last of them
    int unsigned build;       // cycles in which entries with the multiplicand are made
    int unsigned ahead;       // words of operands that building does not wait for
    int unsigned proof;       // cycle of building in which they have to be there
    int unsigned entries;     // cycles in which those with the modulus alone are made
    int unsigned renew;       // of several moduli: cycles until those of an operand pair are made
    int unsigned opens;       // cycles of iterations behind which operands may come
    int unsigned levels;      // registers that a result's word goes through
    int unsigned leaves;      // copies of the word that goes to the units
    int unsigned places;      // for words of results
    int unsigned interval;    // cycles per multiplication in steady state
    int unsigned latency;     // from the first beat of operands to the last of the result
    int unsigned slots;       // multiplications in flight that reach the interval
  } sizes_t;

  /// Registers between the units and the memory of results: one for each choice of a word of eight
  /// but the last.
  function automatic int unsigned levels(int unsigned beats);
    return max(ceil_div($clog2(beats), 3), 1) - 1;
  endfunction

  /// Words that the last choice is made of as they are; the others come through registers.
  function automatic int unsigned direct(int unsigned beats);
    return (beats <= 8) ? beats : (beats <= 15) ? 7 : 0;
  endfunction

  /// Words of results that are kept: of one, and of those of the one before that may not have been
  /// taken yet when its places are asked for, `build` cycles later; no more of few words than of
  /// two results, so that a few multiplications overwrite all. A cell of LUT RAM has 16.
  function automatic int unsigned places(int unsigned beats, int unsigned build, bit block);
    automatic int unsigned late = 5 + levels(beats) + (block ? 1 : 0);
    automatic int unsigned gone = (build > late) ? redc_pkg::min(build - late, beats) : 0;
    automatic int unsigned least = max(redc_pkg::min(16, 2 * beats), 2 * beats - gone);
    return (least <= 16) ? 1 << $clog2(least) : 16 * ceil_div(least, 16);
  endfunction

  function automatic sizes_t sizes(config_t c);
    automatic sizes_t s;
    automatic int unsigned rows;
    s.digit      = digit_bits(c.radix);
    rows         = (1 << s.digit) - 1;
    s.beats      = ceil_div(c.width + 1, c.word);
    s.sum_bits   = c.width + 2 + s.digit;
    s.r_bits     = ceil_div(c.width + 2, s.digit) * s.digit;
    s.iterations = s.r_bits / s.digit + 1;
    s.build      = rows << s.digit;
    s.proof      = redc_pkg::min(s.beats + 1, s.build - 1);
    s.ahead      = (c.moduli > 1) ? 0 : redc_pkg::min(s.beats - 1, s.proof + 1);
    s.entries    = s.build + 3 * rows;
    s.renew      = (c.moduli > 1) ? max(s.entries + 3, s.beats) : 0;
    // Word k is read for the last time in iteration (k + 1) * word / digit - 2, and the k-th beat
    // comes 2 + k cycles behind this one, at the earliest.
    s.opens      = redc_pkg::min(s.beats * (c.word / s.digit), s.iterations);
    s.opens      = (s.opens > s.beats + 3) ? s.opens - s.beats - 3 : 0;
    s.levels     = levels(s.beats);
    s.leaves     = c.block ? ceil_div(s.beats, 48) : 1;
    s.places     = places(s.beats, s.build, c.block);
    s.interval   = s.renew + s.build + max(s.iterations + 1, s.opens + s.beats - s.ahead + 4);
    s.latency    = s.renew + s.build + s.iterations + 2 * s.beats - s.ahead + s.levels + 5
                 + (c.block ? 3 : 0);
    s.slots      = 2;
    return s;
  endfunction

  /// How a digit stands in an address, of `digit` bits: the next digit's code is this one moved up
  /// by a bit with another one below it, and is found without an adder. Gray code of one bit and of
  /// two, a de Bruijn sequence of three.
  function automatic logic [2:0] row_code(logic [2:0] value, int unsigned digit);
    if (digit == 3) begin
      automatic logic [7:0][2:0] three = {3'd4, 3'd6, 3'd7, 3'd3, 3'd5, 3'd2, 3'd1, 3'd0};
      return three[value];
    end
    return value ^ (value >> 1);
  endfunction

  /// The bit that comes in below a code of three bits; that of 0 is behind the last digit's.
  function automatic logic behind_three(logic [2:0] row);
    return ~(row[2] ^ (row[0] & ~row[1]));
  endfunction

  /// The quotient digit that a multiple of the modulus goes with, -multiple * m; `bits` are those
  /// of m above its lowest one, which is 1. -m is odd, too, and has the other bits turned over.
  function automatic logic [2:0] column_of(logic [2:0] multiple, logic [2:1] bits,
                                           int unsigned digit);
    if (digit == 3) begin
      return multiple ^ {multiple[1] & ~bits[1], multiple[0] & ~bits[1], 1'b0}
           ^ {(multiple[0] & ~bits[2]) ^ (&multiple[1:0] & ~bits[1]), 2'b0};
    end
    return {1'b0, multiple[1] ^ (multiple[0] & ~bits[1]), multiple[0]};
  endfunction

  /// One more, of at most 16 bits, by lookup tables alone: carry cells are not worth it.
  function automatic logic [15:0] increment(logic [15:0] count);
    automatic logic [15:0] more;
    automatic logic        carry = 1'b1;
    for (int i = 0; i < 16; i++) begin
      more[i] = count[i] ^ carry;
      carry   = count[i] & carry;
    end
    return more;
  endfunction

  /// What unit 0 does, told in the cycle in which it reads its table; the others follow. The
  /// quotient digit is told a cycle before, as it comes from a register. In radix 8 both digits
  /// have a bit more (redc_mul_tablechain).
  typedef struct packed {
    logic [1:0] row;       // multiple of the multiplicand that is read, as row_code says
    logic [1:0] quotient;  // quotient digit that is read, where it is not the sum's
    logic       forced;    // it is not
    logic       mode;      // adds the multiplicand to what is read, and not the sum
    logic       write;     // writes the sum behind what is read
    logic       clear;     // reads zero, and forgets the multiplicand
    logic       carry;     // adds one
  } step_t;

endpackage

`default_nettype wire
