// SPDX-License-Identifier: Apache-2.0
// redc_curve_pkg: the instructions of redc_curve, and sizes that follow from its parameters.
//
// Contract  an instruction is, from its highest bit: whether it is the last of a loop, its kind,
//           and its operand: three places (destination, a, b), behind the bit that a pick sees; or,
//           of a loop, where its bits begin; or a modulus.
// Partner   src/redcore/units/curve/encode.py.
`default_nettype none

package redc_curve_pkg;

  /// What an instruction does. a and b are values below Bound * m.
  typedef enum logic [3:0] {
    /// (a + b) mod Bound * m,
    KindAdd,
    /// (a - b) mod Bound * m,
    KindSub,
    /// b where the loop's bit differs from the one before, else a,
    KindChoose,
    /// the multiplier's product of a and b,
    KindMul,
    /// of what a choice gives by itself,
    KindSquare,
    /// a mod m, for a below 2m,
    KindReduce,
    /// the same, and the job is refused unless a is below m,
    KindBelow,
    /// or unless it is 0,
    KindZero,
    /// or if it is 0,
    KindNonzero,
    /// or, as an operand out of range, unless it is 0.
    KindValid,
    /// A loop over bits begins.
    KindLoop,
    /// The program ends when everything is written.
    KindHalt,
    /// When everything is written, what follows is of the modulus in bit 0 of the operand, and
    /// exponents are written to the number in the bits above.
    KindModulus,
    /// A choice by a bit of the loop's digit: b where it is set, else a.
    KindPick
  } kind_e;

  /// What is known of a job.
  typedef enum logic [1:0] {
    /// Done.
    StatusDone,
    /// An operand or the modulus is out of range.
    StatusRange,
    /// The result would be 0: a point of small order, or a scalar that is a multiple of the order.
    StatusZero,
    /// The result does not hold: a fault, or no prime; or the source of random bits is stuck.
    StatusFault
  } status_e;

  /// Bits of a pick's operand that say which one of the digit it sees.
  localparam int unsigned PickBits = 3;

  /// Whether it is the multiplier's.
  function automatic logic multiplies(kind_e kind);
    return kind inside {KindMul, KindSquare};
  endfunction

  /// Bits of a place: bank and number.
  function automatic int unsigned place_bits(int unsigned places);
    return 1 + redc_pkg::index_bits(places);
  endfunction

  /// Words that a loop's bits may begin in.
  function automatic int unsigned loop_words(int unsigned words, int unsigned r_bits,
                                             int unsigned scalar_bits, int unsigned bits);
    return redc_pkg::max(words, redc_pkg::ceil_div(redc_pkg::max(r_bits, scalar_bits), bits));
  endfunction

  /// Bits of an operand.
  function automatic int unsigned operand_bits(int unsigned places, int unsigned word_count,
                                               int unsigned bits, int unsigned window);
    return redc_pkg::max(3 * place_bits(places) + ((window > 0) ? PickBits : 0),
                         2 + redc_pkg::index_bits(word_count) + redc_pkg::index_bits(bits));
  endfunction

  /// Cycles from one instruction to the next at least: words are read, a successor is fetched.
  function automatic int unsigned spacing(int unsigned words);
    return redc_pkg::max(words, 4);
  endfunction

endpackage

`default_nettype wire
