// SPDX-License-Identifier: Apache-2.0
// redc_rsa_instruction_pkg: the instructions that redc_rsa_control runs, and words to list them.
//
// Method    numbers are in slots of a memory. The work is done by passes: d = a +- b over the words
//           of a slot, from the lowest, with a shifted up or the sum shifted down, and a or b
//           masked by a flag, so that no secret decides which instructions run or which slots they
//           read and write.
// Partner   redc_rsa_program_pkg.
`default_nettype none

package redc_rsa_instruction_pkg;

  import redc_rsa_pkg::key_e;
  import redc_rsa_pkg::status_e;

  typedef logic [4:0] slot_t;
  typedef enum slot_t {
    // The key.
    SlotN, SlotE, SlotD, SlotP, SlotQ, SlotDp, SlotDq, SlotQi,
    // The complements of n and e, made as these come: a turned bit, or another number that was
    // written there, is a fault.
    SlotNc, SlotEc,
    // The blinding pair: r^e and 1/r mod n.
    SlotVi, SlotVf,
    // What is wiped after each command: the operand, the result, the routines' result, what they
    // scan, a factor,
    SlotX, SlotY, SlotT, SlotS, SlotB,
    // and the two pairs of an inversion.
    SlotU, SlotV, SlotXu, SlotXv,
    // Not in the memory: the number 0, and the modulus that OpUse chose.
    SlotZero = 5'd30, SlotM = 5'd31
  } slot_e;

  typedef logic [4:0] op_t;
  typedef enum op_t {
    /// Waits for a command and goes to its entry.
    OpIdle,
    /// d = a +- b; see pass_t.
    OpPass,
    /// Holds `odd` and `sign` for masks and senses of passes to come.
    OpHold,
    /// The modulus is b, the number to be scanned a; passes are half as long where arg[0].
    OpUse,
    /// Counter = arg (count_e).
    OpCount,
    /// `bit` = bit counter - 1 of the scanned number.
    OpScan,
    /// Counter - 1; to arg unless it is 0 then.
    OpLoop,
    OpJump, OpCall, OpReturn,
    /// To arg if a (condition_e).
    OpBranch,
    /// d = words from a (source_e); arg: how many (words_e).
    OpFill,
    /// Takes what is left of the operands.
    OpReadEnd,
    /// A result may leave once each word of a is the complement of b's; else it is a fault.
    OpCheck,
    /// Words of a to the host, of which b has the complement; arg is a write_arg_t.
    OpWrite,
    /// a, for OpJob also b, to the exponentiator with arg (send_arg_t).
    OpModulus, OpJob,
    /// Bits of e = length of what the pass just before gave.
    OpExponent,
    /// Private operations that the blinding pair has served: arg (used_e).
    OpUsed,
    /// Overwrites what the generator holds.
    OpScrub,
    /// Resets exponentiator, generator and multiplier, and more (reset_e).
    OpReset,
    /// The key held is now arg (key_e). No call is open any more.
    OpKey,
    /// The command ends with arg (status_arg_t).
    OpStatus
  } op_e;
  /// A bit for each operation.
  typedef logic [OpStatus:0] ops_t;

  typedef logic [2:0] mask_t;
  /// b counts always, or where `bit`, `odd`, `sign`, the `odd` that is held, or one of both is set;
  /// or it counts always, and a where `sign` is not as the one that is held.
  typedef enum mask_t {
    MaskAll, MaskBit, MaskOdd, MaskSign, MaskHeld, MaskEither, MaskTurned
  } mask_e;
  typedef logic [1:0] sense_t;
  /// b is added, subtracted, subtracted unless `sign` is set, or subtracted where `sign` is not as
  /// the one that is held.
  typedef enum sense_t {SenseAdd, SenseSub, SenseToZero, SenseTurned} sense_e;

  typedef struct packed {
    /// a is doubled; its lowest bit is then `bit` where bit_in is set.
    logic   shift_up;
    logic   bit_in;
    /// The sum is halved; its highest bit is then `odd` where fill_odd is set, else stays.
    logic   shift_down;
    logic   fill_odd;
    mask_t  mask;
    sense_t sense;
    /// One more is added, or subtracted.
    logic   unit;
    /// d is written.
    logic   write;
    /// `sign`, `zero` and `odd` are set: of the sum, `odd` of what is written; but
    logic   flags;
    /// `odd` is that of a.
    logic   odd_a;
    /// The length is set, of a, which no secret decides; b is SlotZero.
    logic   measure;
    /// All of the slot, whatever OpUse said.
    logic   full;
  } pass_t;
  /// What can be asked of a pass, to be put together by |: each at its place in pass_t.
  typedef enum logic [$bits(pass_t)-1:0] {
    Full = 1, Measure = 2, OddOfA = 4, Flags = 8, Write = 16, Unit = 32,
    Sub = 64 * SenseSub, ToZero = 64 * SenseToZero,
    ByBit = 256 * MaskBit, ByOdd = 256 * MaskOdd, BySign = 256 * MaskSign, ByHeld = 256 * MaskHeld,
    ByEither = 256 * MaskEither, Turned = 256 * MaskTurned + 64 * SenseTurned,
    FillOdd = 2048, ShiftDown = 4096, BitIn = 8192, ShiftUp = 16384
  } option_e;

  typedef logic [8:0] arg_t;
  typedef struct packed {
    op_t   op;
    slot_t d;
    slot_t a;
    slot_t b;
    pass_t pass;
    arg_t  arg;
  } instruction_t;

  typedef enum slot_t {
    IfSign, IfNotSign, IfZero, IfNonzero, IfEven, IfNoKey, IfNotPrivate, IfLength, IfNoGenerator,
    IfReadLocked, IfUsedUp, IfNoBlinding
  } condition_e;
  typedef enum slot_t {
    FromHost, FromRandom, FromExp, FromGenerator, FromConstant,
    // Of the number b: its lowest words, and those above WordsHalf.
    FromLower, FromUpper
  } source_e;
  /// Of FromConstant: which. Of others: words and bits of the number.
  typedef enum arg_t {WordsSlot, WordsFull, WordsHalf, WordsBlinding} words_e;
  /// 1, 2, 3, e of generated keys; of FIPS 186-5, A.1, what |p - q| and d have to be above;
  /// 2^(Width/2), and the least number of Width bits, or 2^Width where half of these are no words.
  typedef enum arg_t {
    ConstantOne, ConstantTwo, ConstantThree, ConstantExponent, ConstantLeastGap, ConstantLeastD,
    ConstantAboveHalf, ConstantTop
  } constant_e;
  typedef enum arg_t {
    CountFull, CountHalf, CountTwice, CountBlinding, CountWord, CountSlot, CountForget
  } count_e;
  /// Of OpUse and OpWrite.
  typedef enum logic {Whole, Half} half_e;
  /// Of OpWrite: the last word of a command's output.
  typedef enum logic {More, Last} last_e;
  /// Of OpJob: bits of the exponent; or a is a factor of the job behind it.
  typedef enum logic [2:0] {BitsPublic, BitsFull, BitsHalf, BitsOne, BitsFactor} bits_e;
  /// Of OpUsed: none, or one more.
  typedef enum arg_t {UsedNever = 0, UsedOnceMore = 1} used_e;
  /// Of OpReset: no more; the random source's test, too; or what is reset holds is overwritten from
  /// now on, until the next one.
  typedef enum arg_t {ResetBeside = 0, ResetRandomTest = 1, ResetToOverwrite = 2} reset_e;

  /// arg of OpModulus and OpJob: the modulus's place.
  typedef struct packed {
    logic [3:0] none;
    bits_e      bits;
    logic [1:0] place;
  } send_arg_t;
  /// arg of OpWrite: said twice, as what leaves depends on it.
  typedef struct packed {
    logic [4:0] none;
    logic [1:0] complement;
    last_e      last;
    half_e      half;
  } write_arg_t;
  /// arg of OpStatus: said twice, as an answer is.
  typedef struct packed {
    logic       none;
    logic [3:0] complement;
    logic [3:0] status;
  } status_arg_t;

  // ------------------------------------------------------------------------------------------
  // Words that a listing is written in
  // ------------------------------------------------------------------------------------------
  /// An instruction with its label, which is not NoLabel where there is one.
  typedef struct packed {
    arg_t         label;
    instruction_t instruction;
  } line_t;
  localparam arg_t NoLabel = '0;

  function automatic line_t line(op_t op, slot_t d, slot_t a, slot_t b, pass_t pass, arg_t arg);
    return {NoLabel, op, d, a, b, pass, arg};
  endfunction
  function automatic line_t at(arg_t label, line_t labelled);
    return labelled | {label, instruction_t'('0)};
  endfunction

  function automatic line_t plain(op_t op, arg_t arg);
    return line(op, '0, '0, '0, '0, arg);
  endfunction
  function automatic line_t bare(op_t op);
    return plain(op, '0);
  endfunction
  function automatic line_t jump(arg_t target);
    return plain(OpJump, target);
  endfunction
  function automatic line_t call(arg_t target);
    return plain(OpCall, target);
  endfunction
  function automatic line_t loop(arg_t target);
    return plain(OpLoop, target);
  endfunction
  function automatic line_t branch(condition_e condition, arg_t target);
    return line(OpBranch, '0, condition, '0, '0, target);
  endfunction
  function automatic line_t count(count_e from);
    return plain(OpCount, from);
  endfunction
  function automatic line_t key(key_e held);
    return plain(OpKey, arg_t'(held));
  endfunction
  function automatic line_t reset(reset_e more);
    return plain(OpReset, more);
  endfunction
  function automatic line_t status(status_e answer);
    return plain(OpStatus, {1'b0, ~answer, answer});
  endfunction
  function automatic line_t fill(slot_t d, source_e from, arg_t arg);
    return line(OpFill, d, from, '0, '0, arg);
  endfunction
  function automatic line_t part(slot_t d, source_e from, slot_t b);
    return line(OpFill, d, from, b, '0, WordsHalf);
  endfunction
  function automatic line_t write(slot_t a, slot_t b, half_e half, last_e last);
    return line(OpWrite, '0, a, b, '0, {5'd0, ~last, ~half, last, half});
  endfunction
  /// The same with a complement made just before: a wrong address is that of one of both.
  function automatic line_t [1:0] give(slot_t a, half_e half, last_e last);
    return {complement(SlotB, a), write(a, SlotB, half, last)};
  endfunction
  function automatic line_t check(slot_t a, slot_t b);
    return line(OpCheck, '0, a, b, '0, '0);
  endfunction
  function automatic line_t modulus(slot_t a, logic [1:0] place);
    return line(OpModulus, '0, a, '0, '0, arg_t'(place));
  endfunction
  function automatic line_t job(slot_t x, slot_t e, logic [1:0] place, bits_e bits);
    return line(OpJob, '0, x, e, '0, {4'd0, bits, place});
  endfunction
  /// a b modulo what is at the place, below Bound times that.
  function automatic line_t [1:0] product(slot_t a, slot_t b, logic [1:0] place);
    return {job(a, SlotZero, place, BitsFactor), job(b, SlotZero, place, BitsFull)};
  endfunction
  function automatic line_t use_(slot_t scanned, slot_t m, half_e half);
    return line(OpUse, '0, scanned, m, '0, arg_t'(half));
  endfunction
  function automatic line_t pass(slot_t d, slot_t a, slot_t b, pass_t options);
    return line(OpPass, d, a, b, options, '0);
  endfunction

  /// d = a
  function automatic line_t copy(slot_t d, slot_t a);
    return pass(d, a, SlotZero, Write | Full);
  endfunction
  function automatic line_t zero(slot_t d);
    return pass(d, SlotZero, SlotZero, Write | Flags | Full);
  endfunction
  function automatic line_t add(slot_t d, slot_t a, slot_t b);
    return pass(d, a, b, Write | Full);
  endfunction
  function automatic line_t subtract(slot_t d, slot_t a, slot_t b);
    return pass(d, a, b, Sub | Write | Flags | Full);
  endfunction
  /// d = a - 1
  function automatic line_t decrement(slot_t d, slot_t a);
    return pass(d, a, SlotZero, Sub | Unit | Write | Flags | Full);
  endfunction
  /// d = -a - 1: every bit of a slot turned; `sign` where a is not below zero.
  function automatic line_t complement(slot_t d, slot_t a);
    return pass(d, SlotZero, a, Sub | Unit | Write | Flags | Full);
  endfunction
  /// Flags of a - b; `odd` is a's.
  function automatic line_t compare(slot_t a, slot_t b);
    return pass(SlotZero, a, b, Sub | Flags | OddOfA | Full);
  endfunction
  function automatic line_t compare_with_one(slot_t a);
    return pass(SlotZero, a, SlotZero, Sub | Unit | Flags | OddOfA | Full);
  endfunction
  /// The length of a, which is no secret.
  function automatic line_t measure(slot_t a);
    return pass(SlotZero, a, SlotZero, Measure | Full);
  endfunction
  /// t + m where t is below zero.
  function automatic line_t correct(slot_t d, slot_t a);
    return pass(d, a, SlotM, BySign | Write);
  endfunction

endpackage

`default_nettype wire
