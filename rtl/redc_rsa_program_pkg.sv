// SPDX-License-Identifier: Apache-2.0
// redc_rsa_program_pkg: the program that redc_rsa_control runs.
//
// Method    a listing of instructions, some of which have a label, in the order of their addresses;
//           labels that instructions go to become addresses at the end. The routines on top of
//           passes are in docs/units/rsa.md with their bounds.
// Partner   src/redcore/units/rsa/model.py: what each command gives, on integers.
`default_nettype none

package redc_rsa_program_pkg;

  import redc_rsa_pkg::*;
  import redc_rsa_instruction_pkg::*;

  typedef enum arg_t {
    LNone = NoLabel, LReset, LIdle,
    // Commands, in the order of command_e.
    LGenerate, LLoadKey, LLoadPublic, LReadKey, LPublic, LPrivate, LPrivateCrt, LClear,
    // Their ends.
    LDone, LRefuse, LNoKey, LLength, LBadOperand, LKeyLength, LBadKey, LFault, LStuck,
    LUnsupported,
    // Routines and parts,
    LMod, LReduce, LJoin, LMul, LInvert, LDivide, LForgetAll, LWipeKey, LWipe,
    LCheckPublic, LCheckPlace,
    LPrepare, LOperand, LBlind, LPlain, LCrt, LFinish,
    // and places in them.
    LModLoop, LMulLoop, LInvertLoop, LDivideLoop, LForgetLoop, LPair, LPairDone,
    LBlindDone, LPlainJob, LCrtSteps, LCrtReduced, LCrtJobs, LGarner, LAnotherPair, LUnblinded,
    LAnotherP, LAnotherQ, LTwos, LReadPublic, LPublicOnce, LGive,
    Labels
  } label_e;

  // ------------------------------------------------------------------------------------------
  // Routines: their result is in SlotT
  // ------------------------------------------------------------------------------------------
  localparam Routines = {
    // Scanned number mod m, a bit at a time from the highest, -m <= t < m.
    at(LMod, zero(SlotT)),
    at(LModLoop, bare(OpScan)),
    pass(SlotT, SlotT, SlotM, ShiftUp | BitIn | ToZero | Write | Flags),
    loop(LModLoop), correct(SlotT, SlotT), bare(OpReturn),

    // t below 2 m, mod m.
    at(LReduce, pass(SlotT, SlotT, SlotM, Sub | Write | Flags)), correct(SlotT, SlotT),
    bare(OpReturn),

    // t + s mod m, both below 2 m.
    at(LJoin, pass(SlotT, SlotT, SlotM, Sub | Write | Flags)),
    pass(SlotT, SlotT, SlotS, Write | Flags),
    {2{pass(SlotT, SlotT, SlotM, ToZero | Write | Flags)}}, correct(SlotT, SlotT), bare(OpReturn),

    // Scanned number times b.
    at(LMul, zero(SlotT)),
    at(LMulLoop, bare(OpScan)),
    pass(SlotT, SlotT, SlotB, ShiftUp | ByBit | Write),
    loop(LMulLoop), bare(OpReturn),

    // 1/u mod m, v = -m, m odd: Hars 2006, right shifts, with a fixed number of steps, and u and v
    // of opposite signs, so that they are added and the sum tells which was larger. `zero` unless
    // there is none; v is - gcd(u, m) then.
    at(LInvert, zero(SlotT)),
    zero(SlotXv), fill(SlotXu, FromConstant, ConstantOne),
    pass(SlotZero, SlotU, SlotZero, Flags | OddOfA), bare(OpHold),
    at(LInvertLoop, pass(SlotT, SlotXu, SlotXv, ByHeld | Write | Flags)),
    pass(SlotXu, SlotT, SlotM, ByOdd | ToZero | ShiftDown | Write),
    pass(SlotU, SlotU, SlotV, ByHeld | ShiftDown | Write | Flags),
    // Where the sign has turned, v and y become what u and x were: the sums less themselves.
    pass(SlotV, SlotU, SlotV, ShiftUp | Turned | Write),
    pass(SlotXv, SlotT, SlotXv, Turned | Write), bare(OpHold),
    loop(LInvertLoop), pass(SlotT, SlotZero, SlotXv, Sub | Write | Flags), correct(SlotT, SlotT),
    pass(SlotZero, SlotV, SlotZero, Unit | Flags), bare(OpReturn),

    // t / m, m odd, without a remainder: from the lowest bit. The quotient comes in from above as
    // the dividend goes.
    at(LDivide, count(CountSlot)), compare(SlotT, SlotZero),
    at(LDivideLoop,
       pass(SlotT, SlotT, SlotM, ByOdd | Sub | ShiftDown | FillOdd | Write | Flags | Full)),
    loop(LDivideLoop), bare(OpReturn)
  };

  // ------------------------------------------------------------------------------------------
  // What commands have in common
  // ------------------------------------------------------------------------------------------
  localparam Parts = {
    // Overwrites the temporaries; LWipeKey everything; LForgetAll what units beside hold, too.
    // Between two resets, so that what they end with does not depend on what they began with.
    // The generator first: a multiplier may take in what is on its operand stream while it waits.
    at(LForgetAll, reset(ResetBeside)), bare(OpScrub), reset(ResetToOverwrite), call(LWipeKey),
    bare(OpExponent), bare(OpHold), bare(OpUsed),
    fill(SlotX, FromConstant, ConstantThree),
    // Twice: a multiplier may keep the modulus before in a second bank.
    {2{modulus(SlotX, 2'd0), modulus(SlotX, 2'd1), modulus(SlotX, 2'd2)}},
    zero(SlotX), use_(SlotX, SlotX, Whole), count(CountWord), bare(OpScan), count(CountForget),
    // Both threads, at each place.
    at(LForgetLoop, job(SlotX, SlotX, 2'd0, BitsOne)), job(SlotX, SlotX, 2'd0, BitsOne),
    {2{fill(SlotX, FromExp, WordsSlot)}},
    {2{job(SlotX, SlotX, 2'd1, BitsOne)}}, {2{fill(SlotX, FromExp, WordsSlot)}},
    {2{job(SlotX, SlotX, 2'd2, BitsOne)}}, {2{fill(SlotX, FromExp, WordsSlot)}},
    loop(LForgetLoop), reset(ResetBeside), jump(LWipe),
    at(LWipeKey, zero(SlotN)), zero(SlotE), zero(SlotD), zero(SlotP), zero(SlotQ), zero(SlotDp),
    zero(SlotDq), zero(SlotQi), zero(SlotNc), zero(SlotEc), zero(SlotVi), zero(SlotVf),
    at(LWipe, zero(SlotX)), zero(SlotY), zero(SlotT), zero(SlotS), zero(SlotB), zero(SlotU),
    zero(SlotV), zero(SlotXu), zero(SlotXv), bare(OpReturn),

    // n odd and above 1, e odd and above 1; the length of e.
    at(LCheckPublic, compare_with_one(SlotN)), branch(IfEven, LBadKey), branch(IfZero, LBadKey),
    compare_with_one(SlotE), branch(IfEven, LBadKey), branch(IfZero, LBadKey),
    measure(SlotE), bare(OpExponent), bare(OpReturn),

    // Modulo n 2 (n - 1) is n - 2, and modulo no other number: none but n is in its place.
    at(LCheckPlace, fill(SlotS, FromConstant, ConstantTwo)), decrement(SlotU, SlotN),
    product(SlotU, SlotS, 2'd0), fill(SlotT, FromExp, WordsSlot), use_(SlotS, SlotN, Whole),
    call(LReduce), add(SlotT, SlotT, SlotS), compare(SlotT, SlotN), branch(IfNonzero, LFault),
    // And e is what it was.
    pass(SlotZero, SlotEc, SlotE, Unit | Flags | Full), branch(IfNonzero, LFault), bare(OpReturn),

    // Moduli to their places, and r^e and 1/r for a random r.
    at(LPrepare, modulus(SlotN, 2'd0)), modulus(SlotP, 2'd1), modulus(SlotQ, 2'd2),
    call(LCheckPlace), branch(IfNoBlinding, LPairDone),
    at(LPair, fill(SlotS, FromRandom, WordsFull)),
    use_(SlotS, SlotN, Whole), count(CountFull), call(LMod), copy(SlotB, SlotT),
    copy(SlotU, SlotT), subtract(SlotV, SlotZero, SlotN), count(CountTwice), call(LInvert),
    // No inverse: another r.
    branch(IfNonzero, LPair), copy(SlotVf, SlotT),
    job(SlotB, SlotE, 2'd0, BitsPublic), fill(SlotVi, FromExp, WordsSlot), bare(OpUsed),
    at(LPairDone, bare(OpReturn)),

    // x: the right length, and below n.
    at(LOperand, fill(SlotX, FromHost, WordsFull)), bare(OpReadEnd), branch(IfLength, LLength),
    compare(SlotX, SlotN), branch(IfNotSign, LBadOperand), bare(OpReturn),
    // y = x r^e mod n.
    at(LBlind, copy(SlotY, SlotX)), branch(IfNoBlinding, LBlindDone),
    product(SlotX, SlotVi, 2'd0), fill(SlotT, FromExp, WordsSlot), use_(SlotX, SlotN, Whole),
    call(LReduce), copy(SlotY, SlotT),
    at(LBlindDone, bare(OpReturn)),

    // y = x^d mod n, the exponent blinded: d + r (n - p - q + 1).
    at(LPlain, call(LBlind)), use_(SlotS, SlotN, Whole), copy(SlotU, SlotD),
    branch(IfNoBlinding, LPlainJob), fill(SlotS, FromRandom, WordsBlinding),
    decrement(SlotT, SlotQ), subtract(SlotB, SlotN, SlotP), subtract(SlotB, SlotB, SlotT),
    count(CountBlinding), call(LMul), add(SlotU, SlotT, SlotD),
    at(LPlainJob, job(SlotY, SlotU, 2'd0, BitsFull)), fill(SlotY, FromExp, WordsSlot),
    jump(LFinish),

    // The same by p and q; goes on to the check.
    at(LCrt, call(LBlind)),
    // Where n has all Width bits, p and q have Width/2. y = b 2^(Width/2) + s; b is below p and q,
    // as y is below p q, and so is 2^(Width/2) - p below p.
    fill(SlotS, FromConstant, ConstantTop), compare(SlotN, SlotS), branch(IfSign, LCrtSteps),
    part(SlotB, FromUpper, SlotY), part(SlotS, FromLower, SlotY),
    fill(SlotT, FromConstant, ConstantAboveHalf), subtract(SlotU, SlotT, SlotP),
    subtract(SlotV, SlotT, SlotQ), product(SlotB, SlotU, 2'd1), product(SlotB, SlotV, 2'd2),
    fill(SlotT, FromExp, WordsSlot), use_(SlotS, SlotP, Half), call(LJoin), copy(SlotU, SlotT),
    fill(SlotT, FromExp, WordsSlot), use_(SlotS, SlotQ, Half), call(LJoin), copy(SlotV, SlotT),
    jump(LCrtReduced),
    // Else bit by bit.
    at(LCrtSteps, use_(SlotY, SlotP, Half)), count(CountFull), call(LMod), copy(SlotU, SlotT),
    use_(SlotY, SlotQ, Half), count(CountFull), call(LMod), copy(SlotV, SlotT),
    // Exponents, blinded: d + r (p - 1).
    at(LCrtReduced, copy(SlotXu, SlotDp)), copy(SlotXv, SlotDq), branch(IfNoBlinding, LCrtJobs),
    fill(SlotS, FromRandom, WordsBlinding), decrement(SlotB, SlotP), use_(SlotS, SlotP, Whole),
    count(CountBlinding), call(LMul), add(SlotXu, SlotT, SlotDp),
    fill(SlotS, FromRandom, WordsBlinding), decrement(SlotB, SlotQ),
    count(CountBlinding), call(LMul), add(SlotXv, SlotT, SlotDq),
    at(LCrtJobs, job(SlotU, SlotXu, 2'd1, BitsHalf)), job(SlotV, SlotXv, 2'd2, BitsHalf),
    fill(SlotU, FromExp, WordsSlot), fill(SlotV, FromExp, WordsSlot),
    // h = (u - v) / q mod p, y = v + h q, as h q is below n. v may be above p, but not above 2 p
    // where that has Width/2 bits.
    fill(SlotS, FromConstant, ConstantTop), use_(SlotV, SlotP, Half), copy(SlotT, SlotV),
    compare(SlotN, SlotS), branch(IfNotSign, LGarner), count(CountHalf), call(LMod),
    at(LGarner, pass(SlotT, SlotU, SlotT, Sub | Write | Flags)),
    pass(SlotT, SlotT, SlotM, ToZero | Write | Flags), correct(SlotT, SlotT),
    product(SlotT, SlotQi, 2'd1), fill(SlotT, FromExp, WordsSlot), call(LReduce),
    product(SlotT, SlotQ, 2'd0), fill(SlotT, FromExp, WordsSlot), use_(SlotV, SlotN, Whole),
    call(LReduce), add(SlotY, SlotT, SlotV),

    // y / r; then the pair is squared, or drawn anew. Last of all y^e must be x again: what the
    // check has seen is what leaves, as long as SlotB has its complement from before.
    at(LFinish, branch(IfNoBlinding, LUnblinded)),
    product(SlotY, SlotVf, 2'd0), fill(SlotT, FromExp, WordsSlot), use_(SlotY, SlotN, Whole),
    call(LReduce), copy(SlotY, SlotT), plain(OpUsed, UsedOnceMore), branch(IfUsedUp, LAnotherPair),
    product(SlotVi, SlotVi, 2'd0), product(SlotVf, SlotVf, 2'd0),
    fill(SlotT, FromExp, WordsSlot), call(LReduce), copy(SlotVi, SlotT),
    fill(SlotT, FromExp, WordsSlot), call(LReduce), copy(SlotVf, SlotT), jump(LUnblinded),
    at(LAnotherPair, call(LPair)),
    at(LUnblinded, complement(SlotB, SlotY)), branch(IfNotSign, LFault), complement(SlotU, SlotX),
    // Bits above n's do not get to the exponentiator, so that y below zero would pass the check;
    // and y + n, where the multiplier takes that, is no result. An n in which a bit was turned
    // would let it pass: it and its complement, and one, are 0. It is b as in LReduce and in
    // comparing, as a memory may have a copy for each.
    compare(SlotY, SlotN), branch(IfNotSign, LFault),
    pass(SlotZero, SlotNc, SlotN, Unit | Flags | Full), branch(IfNonzero, LFault),
    job(SlotY, SlotE, 2'd0, BitsPublic), fill(SlotT, FromExp, WordsSlot), check(SlotT, SlotU),
    bare(OpReturn)
  };

  // ------------------------------------------------------------------------------------------
  // Commands and their ends
  // ------------------------------------------------------------------------------------------
  // Their complements before the numbers behind them come.
  localparam PublicNumbers = {
    fill(SlotN, FromHost, WordsFull), fill(SlotE, FromHost, WordsFull),
    complement(SlotNc, SlotN), complement(SlotEc, SlotE)
  };

  localparam Commands = {
    at(LReset, key(KeyNone)), call(LForgetAll),
    at(LIdle, bare(OpIdle)),

    at(LGenerate, branch(IfNoGenerator, LUnsupported)), call(LForgetAll), key(KeyNone),
    at(LAnotherP, fill(SlotP, FromGenerator, WordsSlot)),
    at(LAnotherQ, fill(SlotQ, FromGenerator, WordsSlot)),
    // p is the larger one, as most software has it; q has to be far enough from it.
    subtract(SlotT, SlotP, SlotQ),
    pass(SlotP, SlotP, SlotT, BySign | Sub | Write | Full),
    pass(SlotQ, SlotQ, SlotT, BySign | Write | Full),
    subtract(SlotT, SlotP, SlotQ), fill(SlotS, FromConstant, ConstantLeastGap),
    compare(SlotS, SlotT), branch(IfNotSign, LAnotherQ),
    fill(SlotE, FromConstant, ConstantExponent), complement(SlotEc, SlotE), measure(SlotE),
    bare(OpExponent),
    copy(SlotB, SlotQ), use_(SlotP, SlotE, Whole), count(CountHalf), call(LMul),
    copy(SlotN, SlotT), complement(SlotNc, SlotN),
    // phi = n - p - (q - 1), and lambda = lcm(p - 1, q - 1) = phi / gcd: halved as long as
    // u = p - 1 and v = q - 1 are even, which both become odd, ... A number is halved, or kept
    // where the mask says so: (d + d) / 2.
    decrement(SlotU, SlotP), decrement(SlotV, SlotQ), subtract(SlotY, SlotN, SlotP),
    subtract(SlotY, SlotY, SlotV), bare(OpHold), count(CountHalf),
    at(LTwos, pass(SlotY, SlotY, SlotY, ByEither | ShiftDown | Write | Full)),
    pass(SlotV, SlotV, SlotV, ByOdd | ShiftDown | Write | Full),
    pass(SlotU, SlotU, SlotU, ByHeld | ShiftDown | Write | Flags | Full), bare(OpHold),
    compare(SlotV, SlotZero), loop(LTwos),
    // ... then divided by the odd part of the gcd, which an inversion finds.
    subtract(SlotV, SlotZero, SlotV), count(CountFull), call(LInvert),
    subtract(SlotB, SlotZero, SlotV), use_(SlotS, SlotB, Whole), copy(SlotT, SlotY),
    call(LDivide), copy(SlotY, SlotT),
    // k = -1/lambda mod e; d = (1 + k lambda) / e.
    use_(SlotS, SlotE, Whole), copy(SlotU, SlotY), subtract(SlotV, SlotZero, SlotE),
    count(CountTwice), call(LInvert), branch(IfNonzero, LFault), subtract(SlotS, SlotE, SlotT),
    copy(SlotB, SlotY), count(CountWord), call(LMul),
    pass(SlotT, SlotT, SlotZero, Unit | Write | Full), call(LDivide),
    fill(SlotS, FromConstant, ConstantLeastD), compare(SlotS, SlotT),
    branch(IfNotSign, LAnotherP), copy(SlotD, SlotT),
    decrement(SlotS, SlotP), use_(SlotD, SlotS, Half), count(CountFull), call(LMod),
    copy(SlotDp, SlotT),
    decrement(SlotS, SlotQ), count(CountFull), call(LMod), copy(SlotDq, SlotT),
    copy(SlotU, SlotQ), subtract(SlotV, SlotZero, SlotP), use_(SlotD, SlotP, Half),
    count(CountFull), call(LInvert), branch(IfNonzero, LFault), copy(SlotQi, SlotT),
    // The generator uses a place of the multiplier's, so before the moduli go there.
    bare(OpScrub), reset(ResetBeside), call(LPrepare),
    // A key that does not give 2 back is not given out.
    fill(SlotX, FromConstant, ConstantTwo), call(LCrt), key(KeyPrivate), jump(LDone),

    at(LLoadKey, call(LForgetAll)), key(KeyNone), PublicNumbers, fill(SlotD, FromHost, WordsFull),
    fill(SlotP, FromHost, WordsHalf), fill(SlotQ, FromHost, WordsHalf),
    fill(SlotDp, FromHost, WordsHalf), fill(SlotDq, FromHost, WordsHalf),
    fill(SlotQi, FromHost, WordsHalf), bare(OpReadEnd), branch(IfLength, LKeyLength),
    call(LCheckPublic),
    // p and q above 1 with p q = n; the rest below what it is modulo.
    compare_with_one(SlotP), branch(IfZero, LBadKey),
    compare_with_one(SlotQ), branch(IfZero, LBadKey),
    copy(SlotB, SlotQ), use_(SlotP, SlotN, Whole), count(CountHalf), call(LMul),
    compare(SlotT, SlotN), branch(IfNonzero, LBadKey), compare(SlotN, SlotD),
    branch(IfSign, LBadKey), compare(SlotP, SlotDp), branch(IfSign, LBadKey),
    compare(SlotQ, SlotDq), branch(IfSign, LBadKey), compare(SlotQi, SlotP),
    branch(IfNotSign, LBadKey), call(LPrepare), key(KeyPrivate), jump(LDone),

    at(LLoadPublic, call(LForgetAll)), key(KeyNone), PublicNumbers, bare(OpReadEnd),
    branch(IfLength, LKeyLength), call(LCheckPublic),
    modulus(SlotN, 2'd0), key(KeyPublic), jump(LDone),

    at(LReadKey, branch(IfNoKey, LNoKey)),
    // Before the first word, which waits as long as the host lets it.
    // Twice: one that goes wrong gives nothing away.
    branch(IfNotPrivate, LReadPublic), {2{branch(IfReadLocked, LReadPublic)}},
    write(SlotN, SlotNc, Whole, More), write(SlotE, SlotEc, Whole, More), give(SlotD, Whole, More),
    give(SlotP, Half, More), give(SlotQ, Half, More), give(SlotDp, Half, More),
    give(SlotDq, Half, More), give(SlotQi, Half, Last), jump(LDone),
    at(LReadPublic, write(SlotN, SlotNc, Whole, More)), write(SlotE, SlotEc, Whole, Last),
    jump(LDone),

    at(LPublic, branch(IfNoKey, LRefuse)), call(LOperand), job(SlotX, SlotE, 2'd0, BitsPublic),
    branch(IfNotPrivate, LPublicOnce),
    // Twice, and compared as it leaves: one that used a private number would give it away.
    job(SlotX, SlotE, 2'd0, BitsPublic), fill(SlotY, FromExp, WordsSlot),
    complement(SlotB, SlotY), fill(SlotY, FromExp, WordsSlot), call(LCheckPlace), jump(LGive),
    at(LPublicOnce, fill(SlotY, FromExp, WordsSlot)), complement(SlotB, SlotY), jump(LGive),
    at(LPrivate, branch(IfNotPrivate, LRefuse)), call(LOperand), call(LPlain), jump(LGive),
    at(LPrivateCrt, branch(IfNotPrivate, LRefuse)), call(LOperand), call(LCrt),
    at(LGive, write(SlotY, SlotB, Whole, Last)), jump(LDone),
    at(LClear, key(KeyNone)), reset(ResetRandomTest), call(LForgetAll), status(StatusOk),

    at(LDone, call(LWipe)), status(StatusOk),
    at(LUnsupported, status(StatusUnsupported)),
    // Operands are taken, whatever comes of them.
    at(LRefuse, bare(OpReadEnd)),
    at(LNoKey, status(StatusNoKey)),
    // The key stays.
    at(LLength, call(LWipe)), status(StatusLength),
    at(LBadOperand, call(LWipe)), status(StatusBadOperand),
    // What was loaded goes. A step left out may come here before all operands are taken.
    at(LKeyLength, call(LWipeKey)), status(StatusLength),
    at(LBadKey, bare(OpReadEnd)), call(LWipeKey), status(StatusBadKey),
    // Everything goes. A fault may come before all operands are taken.
    at(LFault, key(KeyNone)), reset(ResetRandomTest), call(LForgetAll), bare(OpReadEnd),
    status(StatusFault),
    at(LStuck, key(KeyNone)), reset(ResetRandomTest), call(LForgetAll), status(StatusRandomStuck)
  };

  // ------------------------------------------------------------------------------------------
  // Addresses in place of labels
  // ------------------------------------------------------------------------------------------
  localparam Listing = {Routines, Parts, Commands};
  localparam int unsigned Lines = $bits(Listing) / $bits(line_t);
  /// All that an address can name.
  localparam int unsigned Size  = 1 << $bits(arg_t);

  // Arguments, as a constant that a function names is made anew by some tools each time.
  typedef line_t [Lines-1:0] lines_t;
  typedef arg_t [Labels-1:0] places_t;
  typedef instruction_t [Size-1:0] code_t;

  function automatic places_t places(lines_t lines);
    automatic places_t found = '0;
    for (int unsigned place = 0; place < Lines; place++)
      found[lines[Lines-1-place].label] = arg_t'(place);
    return found;
  endfunction

  function automatic code_t assemble(lines_t lines, places_t at_label);
    code_t        code;
    instruction_t now;
    for (int unsigned place = 0; place < Size; place++) begin
      now = '0;
      if (place < Lines) now = lines[Lines-1-place].instruction;
      if (now.op inside {OpJump, OpCall, OpLoop, OpBranch}) now.arg = at_label[now.arg];
      code[place] = now;
    end
    return code;
  endfunction

  /// The address of each label.
  localparam places_t At = places(Listing);
  // Who imports this reads it.
  /*verilator lint_off UNUSEDPARAM*/
  localparam code_t Code = assemble(Listing, At);
  /*verilator lint_on UNUSEDPARAM*/
endpackage

`default_nettype wire
