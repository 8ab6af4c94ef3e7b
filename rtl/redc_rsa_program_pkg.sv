// SPDX-License-Identifier: Apache-2.0
// redc_rsa_program_pkg: the instructions of redc_rsa_control, and the program that it runs.
//
// Method    numbers are in slots of a memory. The work is done by passes: d = a +- b over the words
//           of a slot, from the lowest, with a shifted up or the sum shifted down, and a or b
//           masked by a flag, so that no secret decides which instructions run or which slots they
//           read and write. The routines on top of
//           passes are in docs/units/rsa.md with their bounds. The program is put together by a
//           function: put() appends an instruction, mark() names the place of the next one, and
//           targets are resolved at the end.
// Partner   src/redcore/units/rsa/model.py: what each command gives, on integers.
`default_nettype none

package redc_rsa_program_pkg;

  import redc_rsa_pkg::*;

  typedef logic [4:0] slot_t;
  typedef enum slot_t {
    // The key.
    SlotN, SlotE, SlotD, SlotP, SlotQ, SlotDp, SlotDq, SlotQi,
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
  localparam int unsigned Slots     = 19;
  localparam int unsigned FirstTemp = 10;

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
    /// a, for OpJob also b, to b (sink_e) with arg.
    OpWrite, OpModulus, OpJob,
    /// Bits of e = length of what the pass just before gave.
    OpExponent,
    /// Private operations that the blinding pair has served: one more where arg[0] is set, or none.
    OpUsed,
    /// Overwrites what the generator holds.
    OpScrub,
    /// Resets exponentiator, generator and multiplier; arg[0]: the random source's test, too;
    /// arg[1]: what they hold is overwritten from now on, until the next one.
    OpReset,
    /// The key held is now arg (key_e). No call is open any more.
    OpKey,
    /// The command ends with arg (status_e).
    OpStatus
  } op_e;

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
    /// The length is set, of the sum, which no secret decides.
    logic   measure;
    /// All of the slot, whatever OpUse said.
    logic   full;
  } pass_t;

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
  typedef enum slot_t {FromHost, FromRandom, FromExp, FromGenerator, FromConstant} source_e;
  /// Of FromConstant: which. Of others: words and bits of the number.
  typedef enum arg_t {WordsSlot, WordsFull, WordsHalf, WordsBlinding} words_e;
  /// 1, 2, 3, e of generated keys, and of FIPS 186-5, A.1, what |p - q| and d have to be above.
  typedef enum arg_t {
    ConstantOne, ConstantTwo, ConstantThree, ConstantExponent, ConstantLeastGap, ConstantLeastD
  } constant_e;
  typedef enum arg_t {
    CountFull, CountHalf, CountTwice, CountBlinding, CountWord, CountSlot, CountForget
  } count_e;
  /// Of OpJob, above the place: bits of the exponent.
  typedef enum logic [2:0] {BitsPublic, BitsFull, BitsHalf, BitsTwo, BitsOne} bits_e;

  typedef enum arg_t {
    LReset, LIdle,
    // Commands, in the order of command_e.
    LGenerate, LLoadKey, LLoadPublic, LReadKey, LPublic, LPrivate, LPrivateCrt, LClear,
    // Their ends.
    LDone, LRefuse, LNoKey, LLength, LBadOperand, LKeyLength, LBadKey, LFault, LStuck,
    LUnsupported,
    // Routines and parts,
    LMod, LModMul, LMul, LInvert, LDivide, LForget, LForgetAll, LWipeKey, LWipe, LCheckPublic,
    LPrepare, LOperand, LBlind, LPlain, LCrt, LFinish,
    // and places in them.
    LModLoop, LModMulLoop, LMulLoop, LInvertLoop, LDivideLoop, LForgetLoop, LPair, LPairDone,
    LBlindDone, LPlainJob, LCrtJobs, LUnblinded, LFinishDone, LAnotherP, LAnotherQ, LTwos,
    LReadPublic,
    Labels
  } label_e;

  localparam int unsigned Size = 448;
  typedef struct packed {
    instruction_t [Size-1:0] code;
    arg_t [Labels-1:0]       at;
    arg_t                    next;
  } program_t;

  // ------------------------------------------------------------------------------------------
  // Building blocks
  // ------------------------------------------------------------------------------------------
  function automatic program_t put(program_t p, instruction_t instruction);
    put = p;
    put.code[p.next] = instruction;
    put.next = p.next + 1'b1;
  endfunction

  function automatic program_t mark(program_t p, label_e name);
    mark = p;
    mark.at[name] = p.next;
  endfunction

  function automatic instruction_t plain(op_t op, arg_t arg);
    return '{op: op, arg: arg, default: '0};
  endfunction
  function automatic instruction_t jump(label_e target);
    return plain(OpJump, target);
  endfunction
  function automatic instruction_t call(label_e target);
    return plain(OpCall, target);
  endfunction
  function automatic instruction_t branch(condition_e condition, label_e target);
    return '{op: OpBranch, a: condition, arg: target, default: '0};
  endfunction
  function automatic instruction_t fill(slot_t d, source_e from, arg_t arg);
    return '{op: OpFill, d: d, a: from, arg: arg, default: '0};
  endfunction
  /// b counts as half the length where half is set; arg[1]: the last word of a command's output.
  function automatic instruction_t write(slot_t a, logic half, logic last);
    return '{op: OpWrite, a: a, arg: arg_t'({last, half}), default: '0};
  endfunction
  function automatic instruction_t modulus(slot_t a, logic [1:0] place);
    return '{op: OpModulus, a: a, arg: arg_t'(place), default: '0};
  endfunction
  function automatic instruction_t job(slot_t x, slot_t e, logic [1:0] place, bits_e bits);
    return '{op: OpJob, a: x, b: e, arg: arg_t'({bits, place}), default: '0};
  endfunction
  function automatic instruction_t use_(slot_t scanned, slot_t m, logic half);
    return '{op: OpUse, a: scanned, b: m, arg: arg_t'(half), default: '0};
  endfunction

  function automatic instruction_t pass(slot_t d, slot_t a, slot_t b, pass_t options);
    return '{op: OpPass, d: d, a: a, b: b, pass: options, default: '0};
  endfunction
  /// d = a
  function automatic instruction_t copy(slot_t d, slot_t a);
    return pass(d, a, SlotZero, '{write: 1'b1, full: 1'b1, default: '0});
  endfunction
  function automatic instruction_t zero(slot_t d);
    return pass(d, SlotZero, SlotZero, '{write: 1'b1, flags: 1'b1, full: 1'b1, default: '0});
  endfunction
  function automatic instruction_t add(slot_t d, slot_t a, slot_t b);
    return pass(d, a, b, '{write: 1'b1, full: 1'b1, default: '0});
  endfunction
  function automatic instruction_t subtract(slot_t d, slot_t a, slot_t b);
    return pass(d, a, b, '{sense: SenseSub, write: 1'b1, flags: 1'b1, full: 1'b1, default: '0});
  endfunction
  /// d = a - 1
  function automatic instruction_t decrement(slot_t d, slot_t a);
    return pass(d, a, SlotZero, '{sense: SenseSub, unit: 1'b1, write: 1'b1, flags: 1'b1, full: 1'b1,
                                  default: '0});
  endfunction
  /// Flags of a - b; `odd` is a's.
  function automatic instruction_t compare(slot_t a, slot_t b);
    return pass(SlotZero, a, b, '{sense: SenseSub, flags: 1'b1, odd_a: 1'b1, full: 1'b1,
                                  default: '0});
  endfunction
  /// The length of a, which is no secret.
  function automatic instruction_t measure(slot_t a);
    return pass(SlotZero, a, SlotZero, '{measure: 1'b1, full: 1'b1, default: '0});
  endfunction
  function automatic instruction_t compare_with_one(slot_t a);
    return pass(SlotZero, a, SlotZero, '{sense: SenseSub, unit: 1'b1, flags: 1'b1, odd_a: 1'b1,
                                         full: 1'b1, default: '0});
  endfunction
  /// t + m where t is below zero.
  function automatic instruction_t correct(slot_t d, slot_t a);
    return pass(d, a, SlotM, '{mask: MaskSign, write: 1'b1, default: '0});
  endfunction

  /// d = d / 2, but d where the mask says so: (d + d) / 2.
  function automatic instruction_t halve_unless(slot_t d, mask_t mask, logic flags);
    return pass(d, d, d, '{mask: mask, shift_down: 1'b1, write: 1'b1, flags: flags, full: 1'b1,
                           default: '0});
  endfunction

  // ------------------------------------------------------------------------------------------
  // The program
  // ------------------------------------------------------------------------------------------
  /// Routines: their result is in SlotT.
  function automatic program_t routines(program_t so_far);
    program_t p;
    p = so_far;
    // Scanned number mod m, a bit at a time from the highest, -m <= t < m.
    p = mark(p, LMod);
    p = put(p, zero(SlotT));
    p = mark(p, LModLoop);
    p = put(p, plain(OpScan, '0));
    p = put(p, pass(SlotT, SlotT, SlotM, '{shift_up: 1'b1, bit_in: 1'b1, sense: SenseToZero,
                                           write: 1'b1, flags: 1'b1, default: '0}));
    p = put(p, plain(OpLoop, LModLoop));
    p = put(p, correct(SlotT, SlotT));
    p = put(p, plain(OpReturn, '0));

    // Scanned number times b mod m: doubled towards zero, b added, and towards zero again.
    p = mark(p, LModMul);
    p = put(p, zero(SlotT));
    p = mark(p, LModMulLoop);
    p = put(p, plain(OpScan, '0));
    p = put(p, pass(SlotT, SlotT, SlotM, '{shift_up: 1'b1, sense: SenseToZero, write: 1'b1,
                                           flags: 1'b1, default: '0}));
    p = put(p, pass(SlotT, SlotT, SlotB, '{mask: MaskBit, write: 1'b1, flags: 1'b1,
                                           default: '0}));
    p = put(p, pass(SlotT, SlotT, SlotM, '{sense: SenseToZero, write: 1'b1, flags: 1'b1,
                                           default: '0}));
    p = put(p, plain(OpLoop, LModMulLoop));
    p = put(p, correct(SlotT, SlotT));
    p = put(p, plain(OpReturn, '0));

    // Scanned number times b.
    p = mark(p, LMul);
    p = put(p, zero(SlotT));
    p = mark(p, LMulLoop);
    p = put(p, plain(OpScan, '0));
    p = put(p, pass(SlotT, SlotT, SlotB, '{shift_up: 1'b1, mask: MaskBit, write: 1'b1,
                                           default: '0}));
    p = put(p, plain(OpLoop, LMulLoop));
    p = put(p, plain(OpReturn, '0));

    // 1/u mod m, v = -m, m odd: Hars 2006, right shifts, with a fixed number of steps, and u and v
    // of opposite signs, so that they are added and the sum tells which was larger. `zero` unless
    // there is none; v is - gcd(u, m) then.
    p = mark(p, LInvert);
    p = put(p, zero(SlotT));
    p = put(p, zero(SlotXv));
    p = put(p, fill(SlotXu, FromConstant, ConstantOne));
    p = put(p, pass(SlotZero, SlotU, SlotZero, '{flags: 1'b1, odd_a: 1'b1, default: '0}));
    p = put(p, plain(OpHold, '0));
    p = mark(p, LInvertLoop);
    p = put(p, pass(SlotT, SlotXu, SlotXv, '{mask: MaskHeld, write: 1'b1, flags: 1'b1,
                                             default: '0}));
    p = put(p, pass(SlotXu, SlotT, SlotM, '{mask: MaskOdd, sense: SenseToZero, shift_down: 1'b1,
                                            write: 1'b1, default: '0}));
    p = put(p, pass(SlotU, SlotU, SlotV, '{mask: MaskHeld, shift_down: 1'b1, write: 1'b1,
                                           flags: 1'b1, default: '0}));
    // Where the sign has turned, v and y become what u and x were: the sums less themselves.
    p = put(p, pass(SlotV, SlotU, SlotV, '{shift_up: 1'b1, mask: MaskTurned, sense: SenseTurned,
                                           write: 1'b1, default: '0}));
    p = put(p, pass(SlotXv, SlotT, SlotXv, '{mask: MaskTurned, sense: SenseTurned, write: 1'b1,
                                             default: '0}));
    p = put(p, plain(OpHold, '0));
    p = put(p, plain(OpLoop, LInvertLoop));
    p = put(p, pass(SlotT, SlotZero, SlotXv, '{sense: SenseSub, write: 1'b1, flags: 1'b1,
                                               default: '0}));
    p = put(p, correct(SlotT, SlotT));
    p = put(p, pass(SlotZero, SlotV, SlotZero, '{unit: 1'b1, flags: 1'b1, default: '0}));
    p = put(p, plain(OpReturn, '0));

    // t / m, m odd, without a remainder: from the lowest bit. The quotient comes in from above as
    // the dividend goes.
    p = mark(p, LDivide);
    p = put(p, plain(OpCount, CountSlot));
    p = put(p, compare(SlotT, SlotZero));
    p = mark(p, LDivideLoop);
    p = put(p, pass(SlotT, SlotT, SlotM, '{mask: MaskOdd, sense: SenseSub, shift_down: 1'b1,
                                           fill_odd: 1'b1, write: 1'b1, flags: 1'b1, full: 1'b1,
                                           default: '0}));
    p = put(p, plain(OpLoop, LDivideLoop));
    p = put(p, plain(OpReturn, '0));
    return p;
  endfunction

  /// What commands have in common.
  function automatic program_t parts(program_t so_far);
    program_t p;
    p = so_far;
    // Overwrites the temporaries; LWipeKey everything; LForgetAll what units beside hold, too.
    // Between two resets, so that what they end with does not depend on what they began with.
    // The generator first: a multiplier may take in what is on its operand stream while it waits.
    p = mark(p, LForgetAll);
    p = put(p, plain(OpReset, '0));
    p = put(p, plain(OpScrub, '0));
    p = put(p, plain(OpReset, arg_t'(2)));
    p = put(p, call(LWipeKey));
    p = put(p, plain(OpExponent, '0));
    p = put(p, plain(OpHold, '0));
    p = put(p, plain(OpUsed, '0));
    p = put(p, fill(SlotX, FromConstant, ConstantThree));
    // Twice: a multiplier may keep the modulus before in a second bank.
    for (int unsigned load = 0; load < 6; load++)
      p = put(p, modulus(SlotX, 2'(load % 3)));
    p = put(p, zero(SlotX));
    p = put(p, use_(SlotX, SlotX, 1'b0));
    p = put(p, plain(OpCount, CountWord));
    p = put(p, plain(OpScan, '0));
    p = put(p, plain(OpCount, CountForget));
    p = mark(p, LForgetLoop);
    // Both threads, at each place.
    for (int unsigned place = 0; place < 3; place++) begin
      for (int unsigned thread = 0; thread < 2; thread++)
        p = put(p, job(SlotX, SlotX, 2'(place), BitsOne));
      for (int unsigned thread = 0; thread < 2; thread++)
        p = put(p, fill(SlotX, FromExp, WordsSlot));
    end
    p = put(p, plain(OpLoop, LForgetLoop));
    p = put(p, plain(OpReset, '0));
    p = put(p, jump(LWipe));
    p = mark(p, LWipeKey);
    for (int unsigned slot = 0; slot < FirstTemp; slot++) p = put(p, zero(slot_t'(slot)));
    p = mark(p, LWipe);
    for (int unsigned slot = FirstTemp; slot < Slots; slot++) p = put(p, zero(slot_t'(slot)));
    p = put(p, plain(OpReturn, '0));

    // Before a key comes: nothing is left of the one before.
    p = mark(p, LForget);
    p = put(p, branch(IfNoKey, LWipeKey));
    p = put(p, jump(LForgetAll));

    // n odd and above 1, e odd and above 1; the length of e.
    p = mark(p, LCheckPublic);
    p = put(p, compare_with_one(SlotN));
    p = put(p, branch(IfEven, LBadKey));
    p = put(p, branch(IfZero, LBadKey));
    p = put(p, compare_with_one(SlotE));
    p = put(p, branch(IfEven, LBadKey));
    p = put(p, branch(IfZero, LBadKey));
    p = put(p, measure(SlotE));
    p = put(p, plain(OpExponent, '0));
    p = put(p, plain(OpReturn, '0));

    // Moduli to their places, and r^e and 1/r for a random r.
    p = mark(p, LPrepare);
    p = put(p, modulus(SlotN, 2'd0));
    p = put(p, modulus(SlotP, 2'd1));
    p = put(p, modulus(SlotQ, 2'd2));
    p = put(p, branch(IfNoBlinding, LPairDone));
    p = mark(p, LPair);
    p = put(p, fill(SlotS, FromRandom, WordsFull));
    p = put(p, use_(SlotS, SlotN, 1'b0));
    p = put(p, plain(OpCount, CountFull));
    p = put(p, call(LMod));
    p = put(p, copy(SlotX, SlotT));
    p = put(p, copy(SlotU, SlotT));
    p = put(p, subtract(SlotV, SlotZero, SlotN));
    p = put(p, plain(OpCount, CountTwice));
    p = put(p, call(LInvert));
    // No inverse: another r.
    p = put(p, branch(IfNonzero, LPair));
    p = put(p, copy(SlotVf, SlotT));
    p = put(p, job(SlotX, SlotE, 2'd0, BitsPublic));
    p = put(p, fill(SlotVi, FromExp, WordsSlot));
    p = put(p, plain(OpUsed, '0));
    p = mark(p, LPairDone);
    p = put(p, plain(OpReturn, '0));

    // x: the right length, and below n.
    p = mark(p, LOperand);
    p = put(p, fill(SlotX, FromHost, WordsFull));
    p = put(p, plain(OpReadEnd, '0));
    p = put(p, branch(IfLength, LLength));
    p = put(p, compare(SlotX, SlotN));
    p = put(p, branch(IfNotSign, LBadOperand));
    p = put(p, plain(OpReturn, '0));
    // y = x r^e mod n.
    p = mark(p, LBlind);
    p = put(p, copy(SlotY, SlotX));
    p = put(p, branch(IfNoBlinding, LBlindDone));
    p = put(p, copy(SlotB, SlotVi));
    p = put(p, use_(SlotX, SlotN, 1'b0));
    p = put(p, plain(OpCount, CountFull));
    p = put(p, call(LModMul));
    p = put(p, copy(SlotY, SlotT));
    p = mark(p, LBlindDone);
    p = put(p, plain(OpReturn, '0));

    // y = x^d mod n, the exponent blinded: d + r (n - p - q + 1).
    p = mark(p, LPlain);
    p = put(p, call(LBlind));
    p = put(p, use_(SlotS, SlotN, 1'b0));
    p = put(p, copy(SlotU, SlotD));
    p = put(p, branch(IfNoBlinding, LPlainJob));
    p = put(p, fill(SlotS, FromRandom, WordsBlinding));
    p = put(p, decrement(SlotT, SlotQ));
    p = put(p, subtract(SlotB, SlotN, SlotP));
    p = put(p, subtract(SlotB, SlotB, SlotT));
    p = put(p, plain(OpCount, CountBlinding));
    p = put(p, call(LMul));
    p = put(p, add(SlotU, SlotT, SlotD));
    p = mark(p, LPlainJob);
    p = put(p, job(SlotY, SlotU, 2'd0, BitsFull));
    p = put(p, fill(SlotY, FromExp, WordsSlot));
    p = put(p, jump(LFinish));

    // The same by p and q; goes on to the check.
    p = mark(p, LCrt);
    p = put(p, call(LBlind));
    p = put(p, use_(SlotY, SlotP, 1'b1));
    p = put(p, plain(OpCount, CountFull));
    p = put(p, call(LMod));
    p = put(p, copy(SlotU, SlotT));
    p = put(p, use_(SlotY, SlotQ, 1'b1));
    p = put(p, plain(OpCount, CountFull));
    p = put(p, call(LMod));
    p = put(p, copy(SlotV, SlotT));
    // Exponents, blinded: d + r (p - 1).
    p = put(p, copy(SlotXu, SlotDp));
    p = put(p, copy(SlotXv, SlotDq));
    p = put(p, branch(IfNoBlinding, LCrtJobs));
    p = put(p, fill(SlotS, FromRandom, WordsBlinding));
    p = put(p, decrement(SlotB, SlotP));
    p = put(p, use_(SlotS, SlotP, 1'b0));
    p = put(p, plain(OpCount, CountBlinding));
    p = put(p, call(LMul));
    p = put(p, add(SlotXu, SlotT, SlotDp));
    p = put(p, fill(SlotS, FromRandom, WordsBlinding));
    p = put(p, decrement(SlotB, SlotQ));
    p = put(p, plain(OpCount, CountBlinding));
    p = put(p, call(LMul));
    p = put(p, add(SlotXv, SlotT, SlotDq));
    p = mark(p, LCrtJobs);
    p = put(p, job(SlotU, SlotXu, 2'd1, BitsHalf));
    p = put(p, job(SlotV, SlotXv, 2'd2, BitsHalf));
    p = put(p, fill(SlotU, FromExp, WordsSlot));
    p = put(p, fill(SlotV, FromExp, WordsSlot));
    // h = (u - v) / q mod p, y = v + h q. v may be above p.
    p = put(p, use_(SlotV, SlotP, 1'b1));
    p = put(p, plain(OpCount, CountHalf));
    p = put(p, call(LMod));
    p = put(p, pass(SlotT, SlotU, SlotT, '{sense: SenseSub, write: 1'b1, flags: 1'b1,
                                           default: '0}));
    p = put(p, correct(SlotT, SlotT));
    p = put(p, copy(SlotS, SlotT));
    p = put(p, copy(SlotB, SlotQi));
    p = put(p, use_(SlotS, SlotP, 1'b1));
    p = put(p, plain(OpCount, CountHalf));
    p = put(p, call(LModMul));
    p = put(p, copy(SlotS, SlotT));
    p = put(p, copy(SlotB, SlotQ));
    p = put(p, use_(SlotS, SlotP, 1'b0));
    p = put(p, plain(OpCount, CountHalf));
    p = put(p, call(LMul));
    p = put(p, add(SlotY, SlotT, SlotV));

    // y / r, and y^e must be x again; then the pair is squared, or drawn anew. That is before y
    // leaves: a source that is stuck then is an answer without output, too.
    p = mark(p, LFinish);
    p = put(p, branch(IfNoBlinding, LUnblinded));
    p = put(p, copy(SlotB, SlotVf));
    p = put(p, use_(SlotY, SlotN, 1'b0));
    p = put(p, plain(OpCount, CountFull));
    p = put(p, call(LModMul));
    p = put(p, copy(SlotY, SlotT));
    p = mark(p, LUnblinded);
    p = put(p, job(SlotY, SlotE, 2'd0, BitsPublic));
    p = put(p, fill(SlotT, FromExp, WordsSlot));
    p = put(p, compare(SlotT, SlotX));
    p = put(p, branch(IfNonzero, LFault));
    p = put(p, branch(IfNoBlinding, LFinishDone));
    p = put(p, plain(OpUsed, 1));
    p = put(p, branch(IfUsedUp, LPair));
    p = put(p, fill(SlotS, FromConstant, ConstantTwo));
    p = put(p, job(SlotVi, SlotS, 2'd0, BitsTwo));
    p = put(p, job(SlotVf, SlotS, 2'd0, BitsTwo));
    p = put(p, fill(SlotVi, FromExp, WordsSlot));
    p = put(p, fill(SlotVf, FromExp, WordsSlot));
    p = mark(p, LFinishDone);
    p = put(p, plain(OpReturn, '0));
    return p;
  endfunction

  /// Commands and their ends.
  function automatic program_t commands(program_t so_far);
    program_t p;
    p = so_far;
    p = mark(p, LReset);
    p = put(p, plain(OpKey, arg_t'(KeyNone)));
    p = put(p, call(LForgetAll));
    p = mark(p, LIdle);
    p = put(p, plain(OpIdle, '0));

    p = mark(p, LGenerate);
    p = put(p, branch(IfNoGenerator, LUnsupported));
    p = put(p, call(LForget));
    p = put(p, plain(OpKey, arg_t'(KeyNone)));
    p = mark(p, LAnotherP);
    p = put(p, fill(SlotP, FromGenerator, WordsSlot));
    p = mark(p, LAnotherQ);
    p = put(p, fill(SlotQ, FromGenerator, WordsSlot));
    // p is the larger one, as most software has it; q has to be far enough from it.
    p = put(p, subtract(SlotT, SlotP, SlotQ));
    p = put(p, pass(SlotP, SlotP, SlotT, '{mask: MaskSign, sense: SenseSub, write: 1'b1,
                                           full: 1'b1, default: '0}));
    p = put(p, pass(SlotQ, SlotQ, SlotT, '{mask: MaskSign, write: 1'b1, full: 1'b1,
                                           default: '0}));
    p = put(p, subtract(SlotT, SlotP, SlotQ));
    p = put(p, fill(SlotS, FromConstant, ConstantLeastGap));
    p = put(p, compare(SlotS, SlotT));
    p = put(p, branch(IfNotSign, LAnotherQ));
    p = put(p, fill(SlotE, FromConstant, ConstantExponent));
    p = put(p, measure(SlotE));
    p = put(p, plain(OpExponent, '0));
    p = put(p, copy(SlotB, SlotQ));
    p = put(p, use_(SlotP, SlotE, 1'b0));
    p = put(p, plain(OpCount, CountHalf));
    p = put(p, call(LMul));
    p = put(p, copy(SlotN, SlotT));
    // phi = n - p - (q - 1), and lambda = lcm(p - 1, q - 1) = phi / gcd: halved as long as
    // u = p - 1 and v = q - 1 are even, which both become odd, ...
    p = put(p, decrement(SlotU, SlotP));
    p = put(p, decrement(SlotV, SlotQ));
    p = put(p, subtract(SlotY, SlotN, SlotP));
    p = put(p, subtract(SlotY, SlotY, SlotV));
    p = put(p, plain(OpHold, '0));
    p = put(p, plain(OpCount, CountHalf));
    p = mark(p, LTwos);
    p = put(p, halve_unless(SlotY, MaskEither, 1'b0));
    p = put(p, halve_unless(SlotV, MaskOdd, 1'b0));
    p = put(p, halve_unless(SlotU, MaskHeld, 1'b1));
    p = put(p, plain(OpHold, '0));
    p = put(p, compare(SlotV, SlotZero));
    p = put(p, plain(OpLoop, LTwos));
    // ... then divided by the odd part of the gcd, which an inversion finds.
    p = put(p, subtract(SlotV, SlotZero, SlotV));
    p = put(p, plain(OpCount, CountFull));
    p = put(p, call(LInvert));
    p = put(p, subtract(SlotB, SlotZero, SlotV));
    p = put(p, use_(SlotS, SlotB, 1'b0));
    p = put(p, copy(SlotT, SlotY));
    p = put(p, call(LDivide));
    p = put(p, copy(SlotY, SlotT));
    // k = -1/lambda mod e; d = (1 + k lambda) / e.
    p = put(p, use_(SlotS, SlotE, 1'b0));
    p = put(p, copy(SlotU, SlotY));
    p = put(p, subtract(SlotV, SlotZero, SlotE));
    p = put(p, plain(OpCount, CountTwice));
    p = put(p, call(LInvert));
    p = put(p, branch(IfNonzero, LFault));
    p = put(p, subtract(SlotS, SlotE, SlotT));
    p = put(p, copy(SlotB, SlotY));
    p = put(p, plain(OpCount, CountWord));
    p = put(p, call(LMul));
    p = put(p, pass(SlotT, SlotT, SlotZero, '{unit: 1'b1, write: 1'b1, full: 1'b1, default: '0}));
    p = put(p, call(LDivide));
    p = put(p, fill(SlotS, FromConstant, ConstantLeastD));
    p = put(p, compare(SlotS, SlotT));
    p = put(p, branch(IfNotSign, LAnotherP));
    p = put(p, copy(SlotD, SlotT));
    p = put(p, decrement(SlotS, SlotP));
    p = put(p, use_(SlotD, SlotS, 1'b1));
    p = put(p, plain(OpCount, CountFull));
    p = put(p, call(LMod));
    p = put(p, copy(SlotDp, SlotT));
    p = put(p, decrement(SlotS, SlotQ));
    p = put(p, plain(OpCount, CountFull));
    p = put(p, call(LMod));
    p = put(p, copy(SlotDq, SlotT));
    p = put(p, copy(SlotU, SlotQ));
    p = put(p, subtract(SlotV, SlotZero, SlotP));
    p = put(p, use_(SlotD, SlotP, 1'b1));
    p = put(p, plain(OpCount, CountFull));
    p = put(p, call(LInvert));
    p = put(p, branch(IfNonzero, LFault));
    p = put(p, copy(SlotQi, SlotT));
    // The generator uses a place of the multiplier's, so before the moduli go there.
    p = put(p, plain(OpScrub, '0));
    p = put(p, plain(OpReset, '0));
    p = put(p, call(LPrepare));
    // A key that does not give 2 back is not given out.
    p = put(p, fill(SlotX, FromConstant, ConstantTwo));
    p = put(p, call(LCrt));
    p = put(p, plain(OpKey, arg_t'(KeyPrivate)));
    p = put(p, jump(LDone));

    p = mark(p, LLoadKey);
    p = put(p, call(LForget));
    p = put(p, plain(OpKey, arg_t'(KeyNone)));
    for (int unsigned slot = 32'(SlotN); slot <= 32'(SlotD); slot++)
      p = put(p, fill(slot_t'(slot), FromHost, WordsFull));
    for (int unsigned slot = 32'(SlotP); slot <= 32'(SlotQi); slot++)
      p = put(p, fill(slot_t'(slot), FromHost, WordsHalf));
    p = put(p, plain(OpReadEnd, '0));
    p = put(p, branch(IfLength, LKeyLength));
    p = put(p, call(LCheckPublic));
    // p and q above 1 with p q = n; the rest below what it is modulo.
    p = put(p, compare_with_one(SlotP));
    p = put(p, branch(IfZero, LBadKey));
    p = put(p, compare_with_one(SlotQ));
    p = put(p, branch(IfZero, LBadKey));
    p = put(p, copy(SlotB, SlotQ));
    p = put(p, use_(SlotP, SlotN, 1'b0));
    p = put(p, plain(OpCount, CountHalf));
    p = put(p, call(LMul));
    p = put(p, compare(SlotT, SlotN));
    p = put(p, branch(IfNonzero, LBadKey));
    p = put(p, compare(SlotN, SlotD));
    p = put(p, branch(IfSign, LBadKey));
    p = put(p, compare(SlotP, SlotDp));
    p = put(p, branch(IfSign, LBadKey));
    p = put(p, compare(SlotQ, SlotDq));
    p = put(p, branch(IfSign, LBadKey));
    p = put(p, compare(SlotQi, SlotP));
    p = put(p, branch(IfNotSign, LBadKey));
    p = put(p, call(LPrepare));
    p = put(p, plain(OpKey, arg_t'(KeyPrivate)));
    p = put(p, jump(LDone));

    p = mark(p, LLoadPublic);
    p = put(p, call(LForget));
    p = put(p, plain(OpKey, arg_t'(KeyNone)));
    p = put(p, fill(SlotN, FromHost, WordsFull));
    p = put(p, fill(SlotE, FromHost, WordsFull));
    p = put(p, plain(OpReadEnd, '0));
    p = put(p, branch(IfLength, LKeyLength));
    p = put(p, call(LCheckPublic));
    p = put(p, modulus(SlotN, 2'd0));
    p = put(p, plain(OpKey, arg_t'(KeyPublic)));
    p = put(p, jump(LDone));

    p = mark(p, LReadKey);
    p = put(p, branch(IfNoKey, LNoKey));
    // Before the first word, which waits as long as the host lets it.
    p = put(p, branch(IfNotPrivate, LReadPublic));
    p = put(p, branch(IfReadLocked, LReadPublic));
    p = put(p, write(SlotN, 1'b0, 1'b0));
    p = put(p, write(SlotE, 1'b0, 1'b0));
    p = put(p, write(SlotD, 1'b0, 1'b0));
    for (int unsigned slot = 32'(SlotP); slot < 32'(SlotQi); slot++)
      p = put(p, write(slot_t'(slot), 1'b1, 1'b0));
    p = put(p, write(SlotQi, 1'b1, 1'b1));
    p = put(p, plain(OpStatus, arg_t'(StatusOk)));
    p = mark(p, LReadPublic);
    p = put(p, write(SlotN, 1'b0, 1'b0));
    p = put(p, write(SlotE, 1'b0, 1'b1));
    p = put(p, plain(OpStatus, arg_t'(StatusOk)));

    p = mark(p, LPublic);
    p = put(p, branch(IfNoKey, LRefuse));
    p = put(p, call(LOperand));
    p = put(p, job(SlotX, SlotE, 2'd0, BitsPublic));
    p = put(p, fill(SlotY, FromExp, WordsSlot));
    p = put(p, write(SlotY, 1'b0, 1'b1));
    p = put(p, jump(LDone));

    p = mark(p, LPrivate);
    p = put(p, branch(IfNotPrivate, LRefuse));
    p = put(p, call(LOperand));
    p = put(p, call(LPlain));
    p = put(p, write(SlotY, 1'b0, 1'b1));
    p = put(p, jump(LDone));

    p = mark(p, LPrivateCrt);
    p = put(p, branch(IfNotPrivate, LRefuse));
    p = put(p, call(LOperand));
    p = put(p, call(LCrt));
    p = put(p, write(SlotY, 1'b0, 1'b1));
    p = put(p, jump(LDone));

    p = mark(p, LClear);
    p = put(p, plain(OpKey, arg_t'(KeyNone)));
    p = put(p, plain(OpReset, arg_t'(1)));
    p = put(p, call(LForgetAll));
    p = put(p, plain(OpStatus, arg_t'(StatusOk)));

    p = mark(p, LDone);
    p = put(p, call(LWipe));
    p = put(p, plain(OpStatus, arg_t'(StatusOk)));
    p = mark(p, LUnsupported);
    p = put(p, plain(OpStatus, arg_t'(StatusUnsupported)));
    // Operands are taken, whatever comes of them.
    p = mark(p, LRefuse);
    p = put(p, plain(OpReadEnd, '0));
    p = mark(p, LNoKey);
    p = put(p, plain(OpStatus, arg_t'(StatusNoKey)));
    // The key stays.
    p = mark(p, LLength);
    p = put(p, call(LWipe));
    p = put(p, plain(OpStatus, arg_t'(StatusLength)));
    p = mark(p, LBadOperand);
    p = put(p, call(LWipe));
    p = put(p, plain(OpStatus, arg_t'(StatusBadOperand)));
    // What was loaded goes.
    p = mark(p, LKeyLength);
    p = put(p, call(LWipeKey));
    p = put(p, plain(OpStatus, arg_t'(StatusLength)));
    p = mark(p, LBadKey);
    p = put(p, call(LWipeKey));
    p = put(p, plain(OpStatus, arg_t'(StatusBadKey)));
    // Everything goes.
    p = mark(p, LFault);
    p = put(p, plain(OpKey, arg_t'(KeyNone)));
    p = put(p, plain(OpReset, arg_t'(1)));
    p = put(p, call(LForgetAll));
    p = put(p, plain(OpStatus, arg_t'(StatusFault)));
    p = mark(p, LStuck);
    p = put(p, plain(OpKey, arg_t'(KeyNone)));
    p = put(p, plain(OpReset, arg_t'(1)));
    p = put(p, call(LForgetAll));
    p = put(p, plain(OpStatus, arg_t'(StatusRandomStuck)));
    return p;
  endfunction

  /// All of it, targets in place of labels.
  function automatic program_t assemble();
    program_t p;
    for (int unsigned place = 0; place < Size; place++) p.code[place] = '0;
    p.at   = '0;
    p.next = '0;
    p = routines(p);
    p = parts(p);
    p = commands(p);
    for (int unsigned place = 0; place < Size; place++) begin
      if (p.code[place].op == OpJump || p.code[place].op == OpCall || p.code[place].op == OpLoop
          || p.code[place].op == OpBranch)
        p.code[place].arg = p.at[p.code[place].arg];
    end
    return p;
  endfunction

endpackage

`default_nettype wire
