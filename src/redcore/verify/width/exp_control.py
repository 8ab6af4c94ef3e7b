# SPDX-License-Identifier: Apache-2.0
"""What ``redc_exp`` does when, whatever its numbers are: one thread, one word a number.

The specification's job goes through kinds of products, in the order of its method. A product that
is asked for is in *flight* until its answer comes; two may be, and answers come in order. A job
waits (``begun``) for a cycle, asks for its products, is ``over`` behind the last one, and leaves
with its answer.
"""

from __future__ import annotations

from dataclasses import dataclass

from redcore.units.exp.schedule import multiplications
from redcore.verify.induction import Proof
from redcore.verify.width.exp_methods import (
    BUILD,
    CHOOSE,
    FIRST,
    LAST,
    METHODS,
    NONE,
    SECOND,
    SQUARE,
    TIMES,
    among,
    fewer,
    following,
)
from redcore.verify.width.exp_window import (
    PHASES,
    SEQUENCER,
    TABLE,
    THREAD,
    WINDOW,
    Window,
    counted,
)
from redcore.verify.words import FALSE, TRUE, Word, all_of, concat, const, ite, leaves

LEAST = 2
"""Cycles that an answer comes at least behind its question, and behind the answer before."""

BITS = f"{THREAD}u_bits."
R2 = "u_moduli.gen_r2_inside.u_r2."
OPEN, MODULUS, CONSTANT, SETTLE = range(4)
"""States of redc_exp_moduli."""


@dataclass(frozen=True)
class Control:
    """Bits of the current cycle: a job is accepted, a product asked for, an answer of the
    multiplier there, the job's answer delivered; ``kind`` of the product to be asked for, ``told``
    in the cycle after it was. ``old`` and ``new``: kinds of the products in flight, of which there
    are ``one`` or ``two``; ``got``: that of the last one answered; ``last``: of the last one asked
    for. ``left`` bits of the exponent, of ``length``. A modulus is ``known``, its R^2 is there now
    (``converted``). Cycles ``since`` the kind changed, and ``calm`` ones since the oldest in flight
    is, with its operation as the RTL has it. ``odd``: parity of the bits gone through; ``fresh``:
    nothing is squared yet. ``..._held``: an offer of the cycle before was not taken. A kind ends by
    its ``turn``; a bit of the exponent ``uses`` itself up."""

    accept: Word
    ask: Word
    answer: Word
    deliver: Word
    begun: Word
    busy: Word
    over: Word
    kind: Word
    told: Word
    one: Word
    two: Word
    old: Word
    new: Word
    got: Word
    last: Word
    left: Word
    known: Word
    converted: Word
    uses_bit: Word
    length: Word
    since: Word
    calm: Word
    old_op: Word
    new_op: Word
    odd: Word
    old_odd: Word
    new_odd: Word
    fresh: Word
    offer_held: Word
    hand_held: Word
    ask_held: Word
    answer_held: Word
    turn: Word
    uses: Word
    window: Window | None

    def asks(self, kind: int) -> Word:
        """The product to be asked for is of that kind."""
        return self.kind.eq(kind)


def driven(proof: Proof, word: Word) -> set[int]:
    """The bits that something drives: Yosys leaves out registers that nothing reads."""
    free = set(proof.core.free)
    return {k for k, bit in enumerate(bits_of(word)) if free.isdisjoint(leaves([bit]))}


def alike(proof: Proof, own: Word, ghost: Word) -> Word:
    """All bits of ``own`` that are driven are those of ``ghost``, which has no others above."""
    own_bits, ghost_bits = bits_of(own), bits_of(ghost.wide(own.width))
    return all_of(own_bits[k].eq(ghost_bits[k]) for k in sorted(driven(proof, own)))


def control(proof: Proof) -> Control:
    """Ghosts, invariants and claims about control."""
    values = proof.design.values
    longest = int(values["exp_bits"])
    called = str(values["method"])
    method = METHODS[called]
    running = proof.input("rst_ni")
    number = proof.input("bits_i").width
    window = Window.of(proof, number) if called == "window" else None
    own_kinds = [each for each in method.kinds if each != BUILD or not window or window.size > 1]

    def unless_reset(word: Word) -> Word:
        return ite(running, word, const(0, word.width))

    # ------------------------------------------------------------------------------------------
    # The streams.
    # ------------------------------------------------------------------------------------------
    accept = proof.input("in_valid_i") & proof.output("in_ready_o")
    mod_valid, mod_ready = proof.input("mod_valid_i"), proof.output("mod_ready_o")
    mod_accept = mod_valid & mod_ready
    out_valid, out_ready = proof.output("out_valid_o"), proof.input("out_ready_i")
    deliver = out_valid & out_ready
    ask_valid = proof.output("mul_in_valid_o")
    ask = ask_valid & proof.input("mul_in_ready_i")
    answer = proof.input("mul_out_valid_i")
    hand_valid = proof.output("mul_mod_valid_o")
    hand = hand_valid & proof.input("mul_mod_ready_i")

    # ------------------------------------------------------------------------------------------
    # Ghosts.
    # ------------------------------------------------------------------------------------------
    busy, begun, over, told = (proof.ghost(name, 1) for name in ("busy", "begun", "over", "told"))
    kind, last, got = (proof.ghost(name, 4) for name in ("kind", "last asked", "last answered"))
    left, length = proof.ghost("left", number), proof.ghost("length", number)
    since = proof.ghost("since", 2)
    uses_bit = among(kind, method.uses)
    last_bit = left.eq(1)
    bits = proof.input("bits_i")
    legal = bits.ne(0) & bits.le(longest)
    own_length = ite(legal, bits, const(longest, number))
    proof.follows(busy, unless_reset(accept | busy & ~deliver))
    proof.follows(begun, unless_reset(accept))
    proof.follows(told, unless_reset(ask))
    # Whether bits so far are of even number; whether nothing is squared yet.
    odd, fresh = proof.ghost("odd", 1), proof.ghost("fresh", 1)
    first_square = kind.eq(SQUARE) & fresh if method.fresh else FALSE
    turns = told & (among(kind, method.turns) | first_square)
    proof.follows(odd, ~begun & (odd ^ turns))
    proof.follows(fresh, begun | fresh & ~(told & kind.eq(SQUARE)))
    turn, to_come, uses = told, left, told & uses_bit
    if window:
        then = window.following(kind, left)
        turn, uses = told | window.passed, window.takes
        # Bits that a digit is to have are not left for another one, but are to come.
        to_come = left + window.owed.fitted(number)
        chooses = turn & window.chooses(kind, left, fresh)
        used = window.least(left).fitted(number).gated(chooses)
    else:
        then = following(called, kind, left, fresh)
        used = uses.wide(number)
    proof.follows(kind, unless_reset(ite(begun, const(FIRST, 4), ite(turn, then, kind))))
    proof.follows(over, unless_reset(told & kind.eq(LAST) | over & ~deliver))
    proof.follows(since, unless_reset(ite(begun | turn, const(0, 2), counted(since, 3))))
    proof.follows(length, ite(accept, own_length, length))
    proof.follows(left, ite(accept, own_length, left - used))
    # Products in flight.
    one, two = proof.ghost("one in flight", 1), proof.ghost("two in flight", 1)
    old, new = proof.ghost("old in flight", 4), proof.ghost("new in flight", 4)
    calm = proof.ghost("calm", 2)
    alone = one & answer
    proof.follows(one, unless_reset(ask | two | one & ~answer))
    proof.follows(two, unless_reset(ite(answer, two & ask, two | one & ask)))
    proof.follows(old, ite(answer & two, new, ite(~one | alone, kind, old)))
    proof.follows(new, ite(ask, kind, new))
    if window:
        window.follow(kind, left, fresh, begun, told, one, answer & among(old, TABLE))
    proof.follows(calm, ite(answer | ask & ~one, const(1, 2), counted(calm, 3)))
    proof.follows(last, ite(begun, const(NONE, 4), ite(ask, kind, last)))
    proof.follows(got, ite(begun, const(NONE, 4), ite(answer, old, got)))
    # Operations as the RTL has them, beside these kinds.
    op = proof.net(f"{SEQUENCER}op_q")
    old_op, new_op = proof.ghost("old operation", op.width), proof.ghost("new operation", op.width)
    proof.follows(old_op, ite(answer & two, new_op, ite(~one | alone, op, old_op)))
    proof.follows(new_op, ite(ask, op, new_op))
    old_odd, new_odd = proof.ghost("old is odd", 1), proof.ghost("new is odd", 1)
    proof.follows(old_odd, ite(answer & two, new_odd, ite(~one | alone, odd, old_odd)))
    proof.follows(new_odd, ite(ask, odd, new_odd))
    # Of the last square that was asked for: it was the first.
    newest_fresh = proof.ghost("first square", 1)
    proof.follows(newest_fresh, ite(ask & kind.eq(SQUARE), fresh, newest_fresh))
    # Moduli: handed on, known with what is made of them; what an offer was that was not taken.
    handed, known, half = (proof.ghost(name, 1) for name in ("handed", "known", "half known"))
    held, hand_held = proof.ghost("offer held", 1), proof.ghost("hand held", 1)
    ask_held = proof.ghost("ask held", 1)
    answer_held = proof.ghost("answer held", 1)
    state = proof.net("u_moduli.state_q")
    outside = values["r2"] == "outside"
    made = (mod_accept if outside else proof.net("mod_end")) & state.eq(CONSTANT)
    proof.follows(half, unless_reset(mod_accept & state.eq(MODULUS) | half & ~made))
    proof.follows(known, unless_reset(made | known & ~(mod_accept & state.eq(MODULUS))))
    proof.follows(handed, unless_reset(hand | handed & ~mod_accept))
    proof.follows(held, unless_reset(mod_valid & ~mod_ready))
    proof.follows(hand_held, unless_reset(hand_valid & ~hand))
    proof.follows(ask_held, unless_reset(ask_valid & ~ask))
    proof.follows(answer_held, unless_reset(out_valid & ~deliver))

    # ------------------------------------------------------------------------------------------
    # What the two sides keep to.
    # ------------------------------------------------------------------------------------------
    proof.environment("an offered modulus stays until it is taken", held.implies(mod_valid))
    proof.allow(
        f"the multiplier answers what it was asked, no sooner than {LEAST} cycles behind the"
        " question and behind the answer before", "mul_out_valid_i", one & ~calm.lt(LEAST),
    )  # fmt: skip
    proof.environment(
        "the multiplier marks the last word of an answer",
        answer.implies(proof.input("mul_out_last_i")),
    )

    # ------------------------------------------------------------------------------------------
    # Constants of this shape.
    # ------------------------------------------------------------------------------------------
    for name in ("u_intake.beat_q", "u_intake.thread_q", "u_operands.u_words.beat_q",
                 "u_result.gen_own.u_words.beat_q"):  # fmt: skip
        if name in proof.core.registers:
            proof.mirror(f"{name} stays 0", TRUE, proof.register(name), FALSE, data=False)
    proof.mirror("a word is a last one", TRUE, proof.register("u_intake.last_q"), TRUE, data=False)
    proof.mirror("and a first one", TRUE, proof.register("u_intake.first_q"), TRUE, data=False)

    # ------------------------------------------------------------------------------------------
    # Jobs.
    # ------------------------------------------------------------------------------------------
    drains = proof.register(f"{PHASES}drains_q")
    finished = proof.register(f"{SEQUENCER}finished_q")
    have, ready = proof.register(f"{SEQUENCER}have_q"), proof.register(f"{SEQUENCER}ready_q")
    pending = proof.register(f"{SEQUENCER}pending_q")
    settled = proof.register(f"{SEQUENCER}settled_q")
    own_left = proof.register(f"{PHASES}left_q")
    in_ready = proof.register("u_intake.ready_q")
    asking = kind.ne(NONE)
    proof.mirror("idle without a job", TRUE, proof.register(f"{SEQUENCER}idle_q"), ~busy,
                 data=False)  # fmt: skip
    for index, copy in enumerate(bits_of(proof.net(f"{BITS}open"))):
        proof.mirror(f"lane {index} of the exponent is open", TRUE, copy, ~busy, data=False)
    proof.mirror("a job begins", TRUE, proof.register(f"{SEQUENCER}start_q"), begun, data=False)
    proof.mirror("a product is told", TRUE, proof.register("u_issue.issued_by_q"), told, data=False)
    proof.mirror("and kept while another one is older", TRUE, proof.register("u_issue.end_q"),
                 told | two, data=False)  # fmt: skip
    proof.invariant("a job is in one of its parts", busy.eq(begun | asking | over))
    proof.invariant("and in one alone", ~(begun & asking | begun & over | asking & over))
    proof.invariant("kinds are those of the method",
                    among(kind, (NONE, *own_kinds)))  # fmt: skip
    proof.mirror("the first phase is that of the first product", TRUE,
                 proof.register(f"{PHASES}first_q"), kind.eq(FIRST), data=False)  # fmt: skip
    for each, line in enumerate(bits_of(proof.net(f"{PHASES}line_q")), SECOND):
        own_kind = kind.eq(each) if each in own_kinds else FALSE
        proof.mirror(f"phase {each} has its line", TRUE, line, own_kind, data=False)
    proof.mirror("so has none of these", TRUE, proof.register(f"{PHASES}stands_q"),
                 among(kind, (NONE, FIRST, CHOOSE)), data=False)  # fmt: skip
    proof.mirror("the table is waited for", TRUE, proof.register(f"{PHASES}choose_q"),
                 kind.eq(CHOOSE) if window else FALSE, data=False)  # fmt: skip
    if not window:
        proof.invariant("nothing was chosen", ~proof.register(f"{SEQUENCER}chosen_q"))
    proof.invariant("nothing drains before the last product", drains.implies(over))
    proof.invariant("it drains until it is finished",
                    over.implies(finished | drains & ~out_valid))  # fmt: skip
    proof.invariant("finished behind the last product", finished.implies(over))
    proof.invariant("and later", finished.implies(since.eq(2) | since.eq(3)))
    proof.mirror("bits are counted", busy, own_left, left, data=False)
    proof.invariant("lengths are legal",
                    busy.implies(length.ne(0) & length.le(longest) & left.le(length)))  # fmt: skip
    early = begun | among(kind, (FIRST, SECOND, BUILD, CHOOSE))
    with_bits = kind.eq(SQUARE) & fresh if window else among(kind, (SQUARE, TIMES))
    proof.invariant("bits are left for all", (early | with_bits).implies(left.ne(0)))
    proof.invariant("none is used by the first product", early.implies(left.eq(length)))
    proof.invariant("all are by the last one", (kind.eq(LAST) | over).implies(left.eq(0)))
    if method.turns:
        own_odd = proof.register(f"{PHASES}odd_q")
        proof.mirror("parity is known", asking, own_odd, odd, data=False)
        proof.invariant("even to begin with", begun.implies(~own_odd))
    proof.invariant("even for the first products", (
        asking & among(last, (NONE, FIRST, SECOND, BUILD))).implies(~odd & fresh))  # fmt: skip
    proof.invariant("something is squared before a product", kind.eq(TIMES).implies(~fresh))
    proof.invariant("and for the first square", (asking & fresh).implies(~odd))
    proof.invariant("as they were asked for", (one & among(old, (FIRST, SECOND))).implies(~old_odd))
    proof.invariant("so was the second", (two & new.eq(SECOND)).implies(~new_odd))
    proof.invariant("and the first square", (two & old.eq(SECOND) & new.eq(SQUARE)).implies(
        ~new_odd & newest_fresh))  # fmt: skip
    if method.fresh:
        own_fresh = proof.register(f"{PHASES}fresh_q")
        proof.invariant("nothing is squared to begin with", begun.implies(own_fresh))
        proof.mirror("what is squared is known", asking, own_fresh, fresh, data=False)
        proof.invariant("not before a square", among(kind, (FIRST, SECOND)).implies(fresh))
        proof.invariant("a second one has a product", (kind.eq(SQUARE) & ~fresh).implies(
            left.ne(1)))  # fmt: skip
        two_left = proof.register(f"{PHASES}two_bits_q")
        proof.invariant("the last but one is known", (asking & since.ne(0)).implies(
            two_left.eq(left.eq(2))))  # fmt: skip
    settles = asking & since.ne(0)
    amount = proof.register(f"{PHASES}amount_q")
    if window:
        window.phases(kind, left, fresh, asking, over, begun, since, told, ready, one, busy,
                      length)  # fmt: skip
        window.scan()
    else:
        known_last = proof.register(f"{PHASES}last_bit_q")
        proof.invariant("the last bit is known", settles.implies(known_last.eq(last_bit)))
        proof.invariant("what a product uses is known",
                        settles.implies(amount.eq(repeated(uses_bit, amount.width))))  # fmt: skip
    proof.invariant("none while none is made", (in_ready | begun | kind.eq(FIRST) & since.eq(0))
                    .implies(amount.eq(0)))  # fmt: skip
    proof.invariant("no job is a mere product",
                    busy.implies(~proof.register(f"{PHASES}product_q")))  # fmt: skip

    # ------------------------------------------------------------------------------------------
    # Operations.
    # ------------------------------------------------------------------------------------------
    row = proof.wire(f"{SEQUENCER}next_row")
    operands = proof.net(f"{SEQUENCER}operands_q")
    needed = proof.register(f"{SEQUENCER}needed_q")
    row_read, row_slot, row_needed = row.piece(21, 8), row.piece(7, 4), row.piece(3, 0)
    slot, keep, op_bits = op.piece(12, 9), op.bit(8), driven(proof, op)
    stands = have | ~busy & in_ready | begun | over & since.ne(0)
    proof.invariant("operands are the row's", stands.implies(operands.eq(row_read)))
    proof.invariant("so is what it waits for", stands.implies(needed.eq(row_needed)))
    proof.invariant("so is its slot", stands.implies(slot.eq(row_slot)))
    kept = kind.eq(TIMES) | keep if called == "rtl" else keep
    if window:
        kept = keep.eq(kind.ne(SECOND))
    proof.invariant("every result is kept", stands.implies(kept))
    entry = kind.ne(SECOND).wide(6)
    if window:
        entry = ite(kind.eq(BUILD), window.entry.fitted(6), entry)
    tabled = among(kind, (NONE, *TABLE)) if window else FALSE
    told_of = {7: tabled, **{index + 1: entry.bit(index) for index in range(6)}, 0: kind.eq(LAST)}
    for index in sorted(op_bits & told_of.keys()):
        proof.invariant(f"bit {index}, of a table or of the last one, is known",
                        stands.implies(op.bit(index).eq(told_of[index])))  # fmt: skip
    reads = window.reads(kind, fresh) if window else FALSE
    proof.invariant("what reads the table's entry is known", stands.implies(
        proof.register(f"{SEQUENCER}from_entry_q").eq(reads)))  # fmt: skip
    proof.invariant("an operation is of a job", have.implies(asking & kind.ne(CHOOSE)))
    proof.invariant("the first one is there", kind.eq(FIRST).implies(have))
    proof.invariant("others later", (have & ~kind.eq(FIRST)).implies(since.ne(0)))
    proof.invariant("what is ready stands", ready.implies(have & ~told))
    proof.invariant("and has stood",
                    (ready & ~kind.eq(FIRST)).implies(since.eq(2) | since.eq(3)))  # fmt: skip
    proof.invariant("the first one is ready at once", kind.eq(FIRST).implies(ready | told))
    proof.invariant("what is told was ready", told.implies(have & since.ne(0)))
    proof.invariant("and stood as long",
                    (told & ~kind.eq(FIRST)).implies(since.eq(3)))  # fmt: skip
    proof.invariant("what it needs is there", ready.implies((needed & pending).eq(0)))
    proof.invariant("a bit is there for what uses it",
                    (have & uses_bit).implies(proof.register(f"{BITS}valid_q")))  # fmt: skip
    proof.mirror("settled when nothing is pending", TRUE, settled, pending.eq(0), data=False)

    # ------------------------------------------------------------------------------------------
    # Products in flight.
    # ------------------------------------------------------------------------------------------
    newest = ite(two, new, old)
    old_slot, new_slot = old_op.piece(12, 9), new_op.piece(12, 9)
    proof.invariant("two are more than one", two.implies(one))
    proof.invariant("a job's products are", one.implies(asking | over))
    proof.invariant("none of a job whose first one is to be asked", (kind.eq(FIRST) & ~told)
                    .implies(~one & last.eq(NONE) & got.eq(NONE)))  # fmt: skip
    proof.invariant("the newest was asked last", one.implies(newest.eq(last)))
    proof.invariant("what was told is in flight", told.implies(one & last.eq(kind)))
    proof.invariant("an answer is behind its question", told.implies(two | calm.eq(1)))
    proof.invariant("what was told is the operation that stands",
                    told.implies(alike(proof, op, ite(two, new_op, old_op))))  # fmt: skip
    proof.invariant("all are answered without", (~one & (asking | over)).implies(got.eq(last)))
    # What was asked for before.
    for each, kinds in method.before.items():
        proof.invariant(f"kind {each} comes behind its own",
                        (kind.eq(each) & ~told).implies(among(last, kinds)))  # fmt: skip
        proof.invariant(f"the oldest of kind {each} has those before answered",
                        (one & old.eq(each)).implies(among(got, kinds)))  # fmt: skip
    pairs = FALSE
    for first, second in method.pairs:
        pairs |= old.eq(first) & new.eq(second)
    proof.invariant("two are those that may be together", two.implies(pairs))
    newest_odd = ite(two, new_odd, old_odd)
    turned = ~told & (among(last, method.turns))
    squared = last.eq(SQUARE) & (ite(told, fresh, newest_fresh) if method.fresh else FALSE)
    proof.invariant("the newest has its parity", (one & asking).implies(
        odd.eq(newest_odd ^ (turned | ~told & squared))))  # fmt: skip
    if method.fresh:
        proof.invariant("what is squared first is known", (last.eq(SQUARE) & told).implies(
            newest_fresh.eq(fresh)))  # fmt: skip
        proof.invariant("a square behind a square is the second", (
            kind.eq(SQUARE) & ~told & last.eq(SQUARE)).implies(newest_fresh))  # fmt: skip
        proof.invariant("a product behind a lone one, too", (asking & fresh & ~told).implies(
            last.ne(SQUARE)))  # fmt: skip
    turned_old = among(old, method.turns)
    old_alone = FALSE
    proof.invariant("two have theirs", (two & ~old.eq(SECOND) & ~old.eq(FIRST)).implies(
        new_odd.eq(old_odd ^ (turned_old | old_alone))))  # fmt: skip
    proof.invariant("the last product was asked for", over.implies(last.eq(LAST)))
    proof.invariant("finished with all answered", finished.implies(~one))
    for each, lines_of_kind in method.slots.items():
        for which, there, own, its, parity in (
            ("old", one, old, old_op, old_odd), ("new", two, new, new_op, new_odd),
        ):  # fmt: skip
            even, other = (const(line, 4) for line in lines_of_kind)
            stays = TRUE if called == "rtl" and each == TIMES else its.bit(8)
            if window:
                # Of the second conversion only the table has the result.
                filled = window.filled if its is old_op else const(2, window.size + 1)
                number_of = {FIRST: const(1, 6), SECOND: const(0, 6), BUILD: filled.fitted(6)}
                stays = its.bit(8).eq(each != SECOND) & its.bit(7).eq(each in TABLE)
                stays &= its.piece(6, 1).eq(number_of.get(each, its.piece(6, 1)))
            proof.invariant(
                f"the {which} one of kind {each} has its slot",
                (there & own.eq(each)).implies(
                    its.piece(12, 9).eq(ite(parity, other, even))
                    & stays
                    & (its.bit(0).eq(own.eq(LAST)) if 0 in op_bits else TRUE)
                ),
            )
    shown_new = two & ~told
    shown_old = one & ~(told & ~two)
    flying = gate(old_slot, shown_old) | gate(new_slot, shown_new)
    proof.invariant("what is in flight is pending", pending.eq(flying))
    issued, oldest = proof.net("u_issue.issued_q"), proof.net("u_issue.oldest_q")
    proof.mirror("one is the oldest", TRUE, proof.register("u_issue.gen_two.used_q"), shown_old,
                 data=False)  # fmt: skip
    proof.invariant("it stands there",
                    one.implies(alike(proof, oldest, old_op)))  # fmt: skip
    proof.invariant("the other is behind it", two.implies(alike(proof, issued, new_op)))
    # One that waited moves up with an answer, and no other answer comes in the cycle after it.
    proof.invariant("what is offered stands there",
                    (ready & ~two & (~one | ~calm.lt(2)) | told).implies(
                        alike(proof, issued.low(op.width), op)))  # fmt: skip
    rest = all_of(~issued.bit(k) for k in sorted(driven(proof, issued)) if k >= op.width)
    proof.invariant("of one thread and place", (ready | told | two).implies(rest))

    # ------------------------------------------------------------------------------------------
    # Bits of the exponent.
    # ------------------------------------------------------------------------------------------
    open_bits = busy & ~begun
    some, count = proof.register(f"{BITS}some_q"), proof.register(f"{BITS}count_q")
    wide = max(count.width, number) + 2
    long = concat(*([count.top()] * (wide - count.width)), count)
    free, skipping, gone, skips = TRUE, FALSE, const(0, wide), FALSE
    if method.highest:
        passed = proof.register(f"{BITS}gen_highest.passed_q")
        assert passed.width + 2 <= wide
        free = proof.register(f"{BITS}gen_highest.free_q")
        judge, skips = (proof.register(f"{BITS}gen_highest.{n}_q") for n in ("judge", "skips"))
        none, single = (proof.register(f"{BITS}gen_highest.{n}_q") for n in ("none", "one"))
        all_bits = const(longest - 1, passed.width)
        skipping = open_bits & ~judge & ~free
        proof.mirror("words without bits are known", TRUE,
                     proof.register(f"{BITS}gen_highest.empty_q"), ~some, data=False)  # fmt: skip
        proof.invariant("nothing is passed over between jobs",
                        (~busy | begun).implies(free & ~skips))  # fmt: skip
        proof.invariant("judged once", open_bits.implies(judge.eq(kind.eq(FIRST) & since.eq(0))))
        proof.invariant("judged before", (open_bits & judge).implies(~free & ~skips))
        proof.invariant("passed over as long as there are some",
                        skipping.implies(skips.eq(passed.ne(all_bits))))  # fmt: skip
        proof.invariant("nothing is left to pass over",
                        skipping.implies(none.eq(passed.eq(all_bits))))  # fmt: skip
        almost = passed.eq((longest - 2) & ((1 << passed.width) - 1))
        proof.invariant("one is left to pass over", (skipping & skips).implies(single.eq(almost)))
        proof.invariant("only what is above the length", (open_bits & ~free).implies(
            passed.le(all_bits) & some & to_come.eq(length)))  # fmt: skip
        proof.invariant("from the length on", (open_bits & judge).implies(
            passed.wide(wide).eq(to_come.wide(wide) - const(1, wide))))  # fmt: skip
        proof.invariant("then all is", (open_bits & free).implies(passed.eq(all_bits) & ~skips))
        ahead = all_bits.wide(wide) - passed.wide(wide)
        gone = passed.wide(wide) - to_come.wide(wide) + const(1, wide)
        proof.invariant("bits of the word are counted", open_bits.implies(
            long.eq(to_come.wide(wide) + ahead - const(2, wide))))  # fmt: skip
        proof.invariant("and there while some are left", open_bits.implies(some.eq(to_come.ne(0))))
    else:
        unused = const(longest, wide) - (length.wide(wide) - to_come.wide(wide))
        proof.invariant("bits of the word are counted", open_bits.implies(
            long.eq(unused - const(2, wide))))  # fmt: skip
        proof.invariant("and there while some are left", open_bits.implies(some.eq(unused.ne(0))))
    proof.invariant("begun once", open_bits.implies(proof.register(f"{BITS}begun_q")))
    proof.invariant("valid once they are the exponent's", open_bits.implies(
        proof.register(f"{BITS}valid_q").eq(free & some)))  # fmt: skip
    late = proof.register(f"{BITS}late_q")
    for index, copy in enumerate(bits_of(proof.net(f"{BITS}move"))):
        proof.mirror(f"lane {index} moves late", TRUE, copy, late, data=False)
    proof.invariant("nothing moves as a job begins", begun.implies(~late))

    # ------------------------------------------------------------------------------------------
    # Moduli and jobs.
    # ------------------------------------------------------------------------------------------
    given, took = proof.register("u_moduli.given_q"), proof.register("u_moduli.took_q")
    waits, loaded = proof.register("u_moduli.mod_waits_q"), proof.register("u_moduli.loaded_q")
    proof.invariant("jobs come while none goes on and all is open",
                    in_ready.implies(~busy & state.eq(OPEN) & loaded))  # fmt: skip
    proof.invariant("moduli come alone", state.ne(OPEN).implies(~busy & ~in_ready))
    proof.invariant("a job has its modulus", (busy | loaded & state.eq(OPEN)).implies(known))
    proof.invariant("loaded with what is made", (state.eq(SETTLE)).implies(known))
    proof.invariant("and open with it", (state.eq(OPEN) & busy).implies(loaded))
    proof.invariant("half of it is there", state.eq(CONSTANT).implies(half & ~known))
    proof.invariant("a modulus waits", waits.implies(held | ~state.eq(OPEN)))
    proof.invariant("given in its state", given.ne(0).implies(state.eq(MODULUS) & held))
    proof.invariant("taken in its state", took.ne(0).implies(state.eq(MODULUS) & held))
    proof.invariant("given or taken", (given & took).eq(0))
    proof.invariant("handed on once", state.eq(MODULUS).implies(took.bit(0).eq(handed)))
    proof.invariant("not before", state.ne(MODULUS).implies(~handed))
    proof.invariant("an offer that was held is given", hand_held.implies(given.bit(0)))
    place = proof.register("u_moduli.mod_place_q")
    proof.invariant("one place", ((given | took).ne(0) | among(state, (CONSTANT, SETTLE)))
                    .implies(place.eq(0)))  # fmt: skip
    proof.invariant("and the same for products",
                    known.implies(proof.register("place_q[0]").eq(0) & place.eq(0)))  # fmt: skip
    if not outside:
        constant(proof, state, took.bit(1))

    # ------------------------------------------------------------------------------------------
    # How many products a job asks for, and how long it waits for nobody.
    # ------------------------------------------------------------------------------------------
    size = (max(number, window.size + 1) if window else number) + 4
    asked = proof.ghost("asked", size)
    proof.follows(asked, ite(begun, const(0, size), asked + ask.wide(size)))
    if window:
        whole = window.counts(kind, left, fresh, length, busy, asked, told, accept, own_length)
        window.table(kind, one, two, old, new, last, over, asked, told)
    else:
        of_bits = (length.wide(size) - left.wide(size)).double()
        less = fewer(called, kind, left, fresh).wide(size)
        for product, further in method.counts.items():
            proof.invariant(f"products before kind {product} are counted", kind.eq(product).implies(
                asked.eq(of_bits + const(further, size) + told.wide(size) - less)))  # fmt: skip
        beside = 2 * multiplications(called, 1, 1) - multiplications(called, 2, 1)
        whole = length.wide(size).double() + const(beside, size)
        # The formula, at each length.
        for bits_of_job in range(1, longest + 1):
            if (products := multiplications(called, bits_of_job, 1)) != 2 * bits_of_job + beside:
                whole = ite(length.eq(bits_of_job), const(products, size), whole)
    proof.invariant("all are", over.implies(asked.eq(whole)))
    proof.claim("products", "a job makes those of its length", out_valid.implies(asked.eq(whole)))
    proof.claim("products", "and none more", ask.implies(asked.lt(whole)))

    spare = 2 if not window else 3 + window.size
    waited = proof.ghost("waited for nobody", wide + spare)
    alone_now = busy & ~one & ~ask_valid & ~out_valid
    more_wide = waited.width
    proof.follows(waited, unless_reset(
        ite(alone_now, counted(waited, (1 << more_wide) - 1), const(0, more_wide))))  # fmt: skip
    gone = gone.wide(more_wide)
    skipped = const(longest, more_wide) - left.wide(more_wide)
    # The first bit is waited for where those above the length are passed over.
    waits_bit = uses_bit & left.eq(length) if method.highest else FALSE
    first_read = window.after_choice(kind, fresh) if window else FALSE
    later = asking & ~among(kind, (FIRST, CHOOSE)) & ~waits_bit
    proof.invariant("one before is in flight", (
        (asking & kind.ne(FIRST) & ~first_read | over) & since.eq(0)).implies(one))  # fmt: skip
    if method.highest:
        proof.invariant("all is passed over for the first bit", (
            asking & to_come.ne(length) | over | waits_bit & have).implies(free))  # fmt: skip
        proof.invariant("what is passed over counts", (open_bits & ~free).implies(
            to_come.wide(wide).le(passed.wide(wide) + const(1, wide))))  # fmt: skip
    there = TRUE
    if window:
        there = ~reads | proof.register(f"{WINDOW}ready_q")
    proof.invariant("operations stand soon", (later & since.ne(0)).implies(have))
    proof.invariant("and are ready with all answered",
                    (later & since.ne(0) & since.ne(1) & ~told & ~one & there).implies(
                        ready))  # fmt: skip

    def waits_at_most(name: str, where: Word, most: Word | int) -> None:
        proof.invariant(f"waits for nobody {name}", where.implies(waited.le(most)))

    def and_more(most: Word, more: int) -> Word:
        return most + const(more, more_wide)

    waits_at_most("before it begins", ~busy | begun, 0)
    waits_at_most("for its first product", kind.eq(FIRST), 1)
    waits_at_most("but for what is passed over", waits_bit & ~free, gone)
    waits_at_most("but for what was", waits_bit & free & ~have, and_more(skipped, 1))
    waits_at_most("and for the operation", waits_bit & have & ~ready & ~told,
                  and_more(skipped, 2))  # fmt: skip
    waits_at_most("and for it to be ready", waits_bit & ready, and_more(skipped, 3))
    waits_at_most("once told", told, 0)
    at_once = later & ~reads
    waits_at_most("for later products", at_once & ~told & ~ready | over & ~finished, 0)
    waits_at_most("or a cycle", at_once & ready | over, 1)
    most = longest + 3 if method.highest else 3
    if window:
        # Until an entry is there, its digit is taken, and all of the table gone through.
        remaining = const(longest, more_wide) - passed.fitted(more_wide)
        until = window.waits(remaining.gated(~free))
        most += window.size + window.entries + 2
        waits_at_most("for the table", kind.eq(CHOOSE) & ~window.passed, 0)
        waits_at_most("or a cycle more", kind.eq(CHOOSE), 1)
        waits_at_most("before an entry is looked for", window.start, 2)
        waits_at_most("beside the product before", kind.eq(TIMES) & since.lt(2), 0)
        proof.invariant("waits for nobody but the entry", (reads & ~ready & ~told).implies(
            waited.le(most - 1) & (waited + until).le(most - 1)))  # fmt: skip
        waits_at_most("and until it is ready", reads & ready, most)
    proof.claim("progress", f"within {most} cycles", waited.le(most))

    # ------------------------------------------------------------------------------------------
    # Time depends on no data.
    # ------------------------------------------------------------------------------------------
    same = proof.same
    for ghost in (busy, begun, over, told, kind, since, one, two, known, half, held):
        same.append((str(ghost.info), TRUE, ghost))
    same += [
        ("old", one, old),
        ("new", two, new),
        ("old parity", one, old_odd),
        ("new parity", two, new_odd),
        ("calm", one, calm),
    ]
    # When the multiplier was ready is known from reset on.
    warm = proof.ghost("warm", 3)
    proof.follows(warm, unless_reset(counted(warm, 5)))
    proof.invariant("cycles since reset are counted to five", warm.le(5))
    readies = proof.register("u_intake.readies_q")
    for index, each_ready in enumerate(bits_of(readies)):
        same.append((f"readiness {index + 1} cycles ago", ~warm.lt(index + 1), each_ready))
    for name, where, cycles in (
        ("waits", waits, 1), ("comes", state.eq(MODULUS), 2), ("is given", given.ne(0), 3),
        ("is taken", took.ne(0), 4), ("is made use of", among(state, (CONSTANT, SETTLE)), 5),
        ("is there", loaded, 5),
    ):  # fmt: skip
        proof.invariant(f"reset is long ago when a modulus {name}", where.implies(~warm.lt(cycles)))
    for word in (ready, in_ready, state, given, took, waits, loaded, finished):
        same.append((repr(word)[:60], TRUE, word))
    for ghost in (left, length):
        same.append((str(ghost.info), busy, ghost))
    for ghost in (odd, fresh):
        same.append((str(ghost.info), asking, ghost))
    same.append(("have", TRUE, have))
    if window:
        same += window.same(kind)

    # ------------------------------------------------------------------------------------------
    # When a job may come: in step with a multiplier that is ready.
    # ------------------------------------------------------------------------------------------
    shut = proof.ghost("shut", 3)
    rests = ~busy & loaded & state.eq(OPEN) & ~mod_valid & proof.input("mul_in_ready_i")
    proof.follows(shut, unless_reset(ite(rests & ~in_ready, counted(shut, 7), const(0, 3))))
    for index, each_ready in enumerate(bits_of(readies)):
        proof.invariant(f"it was ready {index + 1} cycles ago", const(index, 3).lt(shut).implies(
            each_ready))  # fmt: skip
    proof.invariant("all is open meanwhile", shut.ne(0).implies(
        ~busy & loaded & state.eq(OPEN) & ~waits))  # fmt: skip
    proof.invariant("a job may come then", shut.le(4) & shut.eq(4).implies(in_ready))
    proof.claim("in_ready", "within four cycles", shut.lt(5))

    # ------------------------------------------------------------------------------------------
    # Claims.
    # ------------------------------------------------------------------------------------------
    stall = ask_valid & ~ask
    proof.invariant("an offer to the multiplier stays", ask_held.implies(ready))
    proof.claim("asks", "operands once offered stay offered", ask_held.implies(ask_valid))
    proof.claim("asks", "a word is all", proof.output("mul_in_last_o"))
    proof.claim("asks", "its place is the only one", ask_valid.implies(
        proof.output("mul_in_idx_o").eq(0)))  # fmt: skip
    proof.claim("asks", "not before a modulus", ask_valid.implies(known))
    proof.claim("asks", "answers are taken", proof.output("mul_out_ready_o"))
    proof.claim("asks", "never three in flight", ask.implies(~two))
    proof.claim("asks", "a modulus once offered stays offered", hand_held.implies(hand_valid))
    proof.claim("asks", "a modulus is a word", hand_valid.implies(proof.output("mul_mod_last_o")))
    proof.claim("asks", "its place is the only one, too", hand_valid.implies(
        proof.output("mul_mod_idx_o").eq(0)))  # fmt: skip
    proof.claim("asks", "each modulus is handed on once", hand.implies(~handed))
    proof.claim("asks", "and is, before it is done with",
                (mod_accept & state.eq(MODULUS)).implies(handed))  # fmt: skip
    proof.claim("asks", "with none in flight", hand_valid.implies(~one & ~ask_valid))
    proof.claim("schedule", "a product is asked for by a job", ask_valid.implies(asking & ~told))
    proof.claim("order", "no job while one goes on", accept.implies(~busy & known))
    proof.claim("order", "an answer is a job's, whose products are", out_valid.implies(
        over & got.eq(LAST) & ~one))  # fmt: skip
    proof.claim("order", "each product is answered to its job", one.implies(busy))
    proof.claim("last", "out_last_o is high", proof.output("out_last_o"))
    proof.invariant("an answer stays", answer_held.implies(finished))
    proof.claim("stable", "an answer stays", answer_held.implies(out_valid))
    proof.claim("modulus", "only with nothing in flight", mod_accept.implies(~busy & ~one))
    proof.claim("modulus", "not together with operands", ~(mod_accept & accept))
    proof.claim("error", "err_o is the multiplier's",
                proof.output("err_o").eq(proof.input("mul_err_i")))  # fmt: skip

    proof.covers["a product waits for the multiplier"] = stall
    proof.covers["two products are in flight"] = two
    proof.covers["a result waits"] = out_valid & ~deliver
    proof.covers["a job of one bit"] = over & length.eq(1)
    if longest > 1:
        proof.covers["a job of several"] = over & const(1, number).lt(length)
    if method.highest:
        same += [("passed over", open_bits, passed), ("free", TRUE, free)]
        if longest > 1:
            proof.covers["bits are passed over"] = skipping & skips
    proof.covers["a job may not come yet"] = shut.ne(0)
    proof.covers["a modulus waits for a job"] = waits & busy

    return Control(
        accept, ask, answer, deliver, begun, busy, over, kind, told, one, two, old, new, got, last,
        left, known, made, uses_bit, length, since, calm, old_op, new_op, odd,
        old_odd, new_odd, fresh, held, hand_held, ask_held, answer_held, turn, uses, window,
    )  # fmt: skip


def bits_of(word: Word) -> list[Word]:
    """The bits of a word, the lowest first."""
    return [word.bit(index) for index in range(word.width)]


def gate(word: Word, bit: Word) -> Word:
    """The word where the bit is 1, else 0."""
    return word.gated(bit)


def repeated(bit: Word, times: int) -> Word:
    """A bit in so many places."""
    return const(-1, times).gated(bit)


def constant(proof: Proof, state: Word, taken: Word) -> None:
    """R^2 mod m is made while no job goes on, and stands then."""
    own = proof.net(f"{R2}state_q")
    fetch = proof.net(f"{R2}fetch")
    run = proof.net(f"{R2}run_lanes")
    valid = proof.register(f"{R2}out_valid_q")
    last, again = proof.register(f"{R2}last_q"), proof.register(f"{R2}again_q")
    shows = proof.register(f"{R2}shows_q")
    load, fetching, adding = 0, 1, 2
    ran = run.bit(0)
    proof.invariant("all chunks run", all_of(each.eq(ran) for each in bits_of(run)))
    proof.invariant("a state of its own", own.ne(3))
    proof.invariant("fetched in its state", fetch.implies(own.eq(fetching)))
    proof.invariant("added in its state", ran.implies(own.eq(adding)))
    proof.invariant("the constant is there when all is done",
                    valid.implies(own.eq(load) & proof.register(f"{R2}out_last_q")))  # fmt: skip
    proof.invariant("shown with the last chunk", (own.eq(adding) & shows).implies(last & ~again))
    proof.invariant("again behind the last one", (own.eq(adding) & again).implies(last))
    chunk, place = proof.register(f"{R2}chunk_q"), proof.register(f"{R2}place_q")
    proof.invariant("a word's chunks are all", chunk.eq(place))
    behind, end = proof.register(f"{R2}behind_q"), proof.register(f"{R2}chunk_last_q")
    chunks = -(-proof.output("mul_a_o").width // int(proof.design.values["chunk"]))
    assert run.width in (1, chunks)
    proof.invariant(
        "a chunk is one of them", chunk.lt(chunks) if chunks < 1 << chunk.width else TRUE
    )
    proof.invariant("the last one is known", end.eq(chunk.eq(chunks - 1)))
    more = chunk + const(1, chunk.width)
    following = ite(chunk.eq(chunks - 1), const(0, chunk.width), more)
    proof.invariant("so is the next one", behind.eq(following))
    proof.invariant("made of a modulus that was taken", own.ne(load).implies(
        (state.eq(MODULUS) & taken) | state.eq(CONSTANT)))  # fmt: skip
    proof.invariant("shown of one", valid.implies((state.eq(MODULUS) & taken) | state.eq(CONSTANT)))
    same = proof.same
    made = own.ne(load)
    for name, where, word in (
        ("state", TRUE, own),
        ("fetch", TRUE, fetch),
        ("run", TRUE, ran),
        ("valid", TRUE, valid),
        ("chunk", TRUE, chunk),
        ("pass", made, proof.register(f"{R2}pass_q")),
        ("doubled", made, proof.register(f"{R2}doubled_q")),
        ("final", made, proof.register(f"{R2}final_q")),
        ("last", own.eq(adding), last),
        ("again", own.eq(adding), again),
        ("shows", own.eq(adding), shows),
    ):
        same.append((f"{name} of the constant", where, word))
