# SPDX-License-Identifier: Apache-2.0
"""What is in ``redc_exp``'s slots, and which values a product is asked of."""

from __future__ import annotations

from redcore.units.exp.family import Exponentiator
from redcore.verify.induction import Proof
from redcore.verify.width import exp_steps, exp_table
from redcore.verify.width.exp_control import BITS, CONSTANT, MODULUS, Control
from redcore.verify.width.exp_methods import (
    BUILD,
    FIRST,
    LAST,
    METHODS,
    NONE,
    SECOND,
    SQUARE,
    TIMES,
    among,
)
from redcore.verify.width.exp_specification import Specification, slot
from redcore.verify.width.exp_window import SEQUENCER
from redcore.verify.words import FALSE, Word, concat, const, ite

PORT = 4
"""The line of the slot that x comes in and the result leaves from."""
CONTROL_BITS = 20
"""What a lane has beside it: sources of a and of b, 7 each, slot, kept, results come."""
SOURCE_ONE = 4


def left_to_right(spec: Specification) -> exp_steps.Operands:
    """The base in slot 0, a square in 1, a product in 2."""
    proof, at, working, answer = spec.proof, spec.at, spec.working, spec.proof.input("mul_p_i")
    base, power, squared = (spec.value(name) for name in ("base", "power", "squared"))
    proof.follows(base, ite(spec.answered(FIRST), answer, base))
    proof.follows(squared, ite(spec.answered(SQUARE), answer, squared))
    went = exp_steps.chosen(spec.took, squared, answer)
    proof.follows(power, ite(spec.answered(SECOND), answer,
                             ite(spec.answered(TIMES), went, power)))  # fmt: skip
    chose = spec.chosen_of_two()
    spec.stands("x is in slot 2", at.begun | among(at.kind, (FIRST, SECOND)), 2, spec.x)
    spec.stands("x converted is in slot 0", working & at.got.ne(NONE), 0, base)
    goes_on = working & among(at.got, (SECOND, TIMES))
    spec.stands("the square goes on", goes_on & ~chose, 1, power)
    spec.stands("the product goes on", goes_on & chose, 2, power)
    spec.stands("the square is in slot 1", working & at.got.eq(SQUARE), 1, squared)
    proof.covers["1 converted"] = at.ask & at.asks(SECOND) & ~spec.bit
    return {
        FIRST: exp_steps.convert(spec.x, spec.constant),
        SECOND: exp_steps.begin(spec.bit, spec.x, spec.one, spec.constant),
        SQUARE: exp_steps.square(power),
        TIMES: exp_steps.times(squared, base),
        LAST: exp_steps.leave(power, spec.one),
    }


def ladder(spec: Specification) -> exp_steps.Operands:
    """Two values one power apart, in slots 0 and 1, and in 2 and 3 for every other bit; which is
    the higher one is as the last bit chose."""
    proof, at, working, answer = spec.proof, spec.at, spec.working, spec.proof.input("mul_p_i")
    low, high, product = (spec.value(name) for name in ("low", "high", "product"))
    proof.follows(product, ite(spec.answered(SQUARE), answer, product))
    next_low, next_high = exp_steps.rung(spec.took, product, answer)
    proof.follows(low, ite(spec.answered(SECOND), answer,
                           ite(spec.answered(TIMES), next_low, low)))  # fmt: skip
    proof.follows(high, ite(spec.answered(FIRST), answer,
                            ite(spec.answered(TIMES), next_high, high)))  # fmt: skip
    chose = spec.chosen_of_two()
    before = spec.took
    proof.invariant("no bit is taken at first", (working & among(
        at.last, (NONE, FIRST, SECOND))).implies(~before), data=True)  # fmt: skip
    proof.invariant("which is the higher one while both are read", (
        working & at.kind.eq(SQUARE)).implies(chose.eq(before)), data=True)  # fmt: skip
    spec.stands("x is in slot 2", at.begun | at.kind.eq(FIRST), 2, spec.x)
    spec.stands("x converted is in slot 0", working & at.got.eq(FIRST), 0, high)
    # From the second answer of a rung on, until the next rung's second product is told.
    both = (
        working
        & among(at.got, (SECOND, SQUARE, TIMES))
        & (at.last.ne(TIMES) | at.told & at.kind.eq(TIMES) & at.got.ne(TIMES) | ~at.one)
    )
    for parity, base in ((~at.odd, 0), (at.odd, 2)):
        for turned, first, second in ((~chose, high, low), (chose, low, high)):
            which = "lower" if first is low else "higher"
            spec.stands(f"the {which} one is in slot {base}", both & parity & turned, base, first)
            spec.stands(f"the other is in slot {base + 1}, the {which} before",
                        both & parity & turned, base + 1, second)  # fmt: skip
        made = working & at.got.eq(SQUARE)
        fresh = at.last.eq(SQUARE) | at.told
        spec.stands(f"their product is in slot {2 - base}, yet to turn", made & fresh & parity,
                    2 - base, product)  # fmt: skip
        spec.stands(f"their product is in slot {base}", made & ~fresh & parity, base,
                    product)  # fmt: skip
    return {
        FIRST: exp_steps.convert(spec.x, spec.constant),
        SECOND: exp_steps.convert(spec.one, spec.constant),
        SQUARE: exp_steps.both(before, low, high),
        TIMES: exp_steps.one_of(spec.bit, low, high),
        LAST: exp_steps.leave(low, spec.one),
    }


def right_to_left(spec: Specification) -> exp_steps.Operands:
    """Powers of even number in slot 0, of odd number in 2, the product in 1."""
    proof, at, working, answer = spec.proof, spec.at, spec.working, spec.proof.input("mul_p_i")
    even, other, product = (spec.value(name) for name in ("even power", "odd power", "product"))
    squared = spec.answered(SQUARE)
    proof.follows(even, ite(spec.answered(FIRST) | squared & at.old_odd, answer, even))
    proof.follows(other, ite(squared & ~at.old_odd, answer, other))
    went = exp_steps.kept(spec.took, answer, product)
    proof.follows(product, ite(spec.answered(SECOND), answer,
                               ite(spec.answered(TIMES), went, product)))  # fmt: skip
    there = proof.ghost("an odd power is there", 1)
    proof.follows(there, ~at.begun & (there | squared))
    power = ite(at.odd, other, even)
    op = proof.net(f"{SEQUENCER}op_q")
    have = proof.register(f"{SEQUENCER}have_q")
    proof.invariant("a product is kept where the bit is 1", (have & at.kind.eq(TIMES)).implies(
        op.bit(8).eq(spec.bit)), data=True)  # fmt: skip
    for name, in_flight, kind, own in (
        ("old", at.one, at.old, at.old_op), ("new", at.two, at.new, at.new_op),
    ):  # fmt: skip
        proof.invariant(f"so is the {name} one", (in_flight & kind.eq(TIMES)).implies(
            own.bit(8).eq(spec.took)), data=True)  # fmt: skip
    spec.stands("x is in slot 2", at.begun | among(at.kind, (FIRST, SECOND)), 2, spec.x)
    spec.stands("powers of even number are in slot 0", working & at.got.ne(NONE), 0, even)
    spec.stands("those of odd number in slot 2", working & there & at.got.ne(LAST), 2, other)
    spec.stands("the product is in slot 1", working & ~among(at.got, (NONE, FIRST)), 1, product)
    first = at.one & at.old.eq(SQUARE), at.two & at.new.eq(SQUARE)
    for in_flight, parity in zip(first, (at.old_odd, at.new_odd), strict=True):
        proof.invariant("the first square has an odd power", (working & ~there & in_flight).implies(
            ~parity))  # fmt: skip
    proof.invariant("which is in flight until it is there", (working & ~there & ~at.fresh).implies(
        first[0] | first[1]))  # fmt: skip
    proof.invariant("an odd one is there once one was made", (working & at.got.eq(SQUARE)).implies(
        there))  # fmt: skip
    proof.invariant("and stays", (working & among(at.got, (TIMES,))).implies(there))
    proof.invariant("none before", (working & among(at.got, (NONE, FIRST))).implies(~there))
    proof.covers["1 converted"] = at.ask & at.asks(SECOND) & ~spec.bit
    return {
        FIRST: exp_steps.convert(spec.x, spec.constant),
        SECOND: exp_steps.begin(spec.bit, spec.x, spec.one, spec.constant),
        SQUARE: exp_steps.square(power),
        TIMES: exp_steps.times(product, power),
        LAST: exp_steps.leave(product, spec.one),
    }


def values(proof: Proof, at: Control) -> None:
    """The specification's values, where they are, and the claims about operands and results."""
    design = proof.design
    called, longest = str(design.values["method"]), int(design.values["exp_bits"])
    method = METHODS[called]
    unit = design.family
    assert isinstance(unit, Exponentiator)
    bound = unit.seen(design.width, design.values).bound
    lutram = design.values["memory"] != "registers"
    a, b = proof.output("mul_a_o"), proof.output("mul_b_o")
    width = a.width
    answer = proof.input("mul_p_i")
    state = proof.net("u_moduli.state_q")
    mod_data = proof.input("mod_data_i")
    mod_accept = proof.input("mod_valid_i") & proof.output("mod_ready_o")

    # ------------------------------------------------------------------------------------------
    # Ghosts.
    # ------------------------------------------------------------------------------------------
    x, final = proof.ghost("x", width), proof.ghost("final", width)
    modulus, constant, held = (proof.ghost(name, width) for name in ("modulus", "R^2", "offered"))
    exponent, rest = proof.ghost("exponent", longest), proof.ghost("rest", longest)
    took, just = proof.ghost("took", 1), proof.ghost("final was there", 1)
    next_bit = exp_steps.next_bit if method.highest else exp_steps.lowest_bit
    bit, rest_next = next_bit(rest)
    proof.follows(x, ite(at.accept, proof.input("a_i"), x))
    given = proof.input("b_i").low(longest)
    proof.follows(exponent, ite(at.accept, given, exponent))
    # What is above the length leaves it as the RTL passes over it; how much has is counted.
    passes = proof.net(f"{BITS}skipping") if method.highest else FALSE
    above = proof.ghost("passed over", at.length.width)
    proof.follows(above, ite(at.accept, const(0, above.width), above + passes.wide(above.width)))
    proof.follows(rest, ite(at.accept, given, ite(at.uses | passes, rest_next, rest)))
    proof.follows(took, ite(at.begun, FALSE, ite(at.ask & at.asks(TIMES), bit, took)))

    def answered(kind: int) -> Word:
        return at.answer & at.old.eq(kind)

    proof.follows(final, ite(answered(LAST), answer, final))
    proof.follows(modulus, ite(mod_accept & state.eq(MODULUS), mod_data, modulus))
    outside = design.values["r2"] == "outside"
    r2 = proof.net("u_moduli.r2_o")
    proof.follows(constant, ite(at.converted, mod_data if outside else r2, constant))
    proof.follows(held, mod_data)
    proof.follows(just, ite(proof.input("rst_ni"), answered(LAST), FALSE))
    proof.environment("its words are unchanged while it waits", at.offer_held.implies(
        mod_data.eq(held)), data=True)  # fmt: skip
    one = exp_steps.unit(modulus)
    working = at.kind.ne(NONE) | at.over
    held_since = at.begun | working

    # ------------------------------------------------------------------------------------------
    # Lines: of operands that are ready, of the result that comes, of x.
    # ------------------------------------------------------------------------------------------
    operands = proof.net(f"{SEQUENCER}operands_q")
    ready = proof.register(f"{SEQUENCER}ready_q")
    finished = proof.register(f"{SEQUENCER}finished_q")
    in_ready = proof.register("u_intake.ready_q")
    control = proof.net("u_values.control")
    wanted = 0x7F ^ (1 if lutram else 1 << SOURCE_ONE)
    source_a, source_b = (sources & wanted for sources in method.sources)
    slots = (method.sources[0] | method.sources[1]) & 15
    stand = ready | at.over & (at.since.eq(2) | at.since.eq(3))
    for lane in range(control.width // CONTROL_BITS):
        own = control.piece(CONTROL_BITS * lane + CONTROL_BITS - 1, CONTROL_BITS * lane)
        proof.invariant(f"lane {lane} has the sources", stand.implies(
            own.piece(19, 13).eq(operands.piece(13, 7) & const(source_a, 7))
            & own.piece(12, 6).eq(operands.piece(6, 0) & const(source_b, 7))))  # fmt: skip
        keeps = at.old_op.bit(8)
        proof.invariant(f"lane {lane} has the slot", (at.one & ~at.calm.lt(2)).implies(
            own.piece(5, 2).eq((at.old_op.piece(12, 9) & const(slots, 4)).gated(keeps))
            & own.bit(1).eq(keeps) & own.bit(0)))  # fmt: skip
        proof.invariant(f"lane {lane} takes x", in_ready.implies(
            own.piece(5, 2).eq(PORT) & own.bit(1) & ~own.bit(0)))  # fmt: skip

    # ------------------------------------------------------------------------------------------
    # The modulus, 1 and R^2.
    # ------------------------------------------------------------------------------------------
    given_q, took_q = proof.register("u_moduli.given_q"), proof.register("u_moduli.took_q")
    stands = at.known & state.ne(MODULUS)
    proof.invariant("a word is known to be 1", (given_q | took_q).ne(0).implies(
        proof.net("u_moduli.word_is_one").eq(held.eq(1))), data=True)  # fmt: skip
    so_far = proof.register("u_moduli.one_so_far_q")
    is_one = proof.register("u_moduli.one_q")
    proof.invariant("a modulus of 1 is known",
                    state.eq(CONSTANT).implies(so_far.eq(modulus.eq(1))), data=True)  # fmt: skip
    proof.invariant("and kept", stands.implies(is_one.eq(modulus.eq(1))), data=True)
    proof.invariant("R^2 stands still", stands.implies(r2.eq(constant)), data=True)
    ones = concat(operands.bit(SOURCE_ONE), operands.bit(7 + SOURCE_ONE))
    own_ones = proof.register("u_operands.one_of_q")
    proof.invariant("1 is an operand", ready.implies(own_ones.eq(ones)), data=True)

    # ------------------------------------------------------------------------------------------
    # The exponent.
    # ------------------------------------------------------------------------------------------
    late, now = proof.register(f"{BITS}late_q"), proof.register(f"{BITS}bit_q")
    shift = proof.net(f"{BITS}shift_q")
    moved = ite(late, next_bit(shift)[1], shift)
    proof.invariant("the exponent is there", at.begun.implies(shift.eq(exponent)), data=True)
    proof.invariant("its bit is given out", held_since.implies(now.eq(next_bit(moved)[0])),
                    data=True)  # fmt: skip
    proof.invariant("so is the specification's", held_since.implies(rest.eq(moved)), data=True)
    ask_valid = proof.output("mul_in_valid_o")
    if method.highest:
        passed = proof.register(f"{BITS}gen_highest.passed_q")
        free = proof.register(f"{BITS}gen_highest.free_q")
        size = max(passed.width, at.length.width) + 2
        unused, longer = above.wide(size), const(longest, size)
        to_use = longer - at.length.wide(size)
        proof.invariant("nothing is passed over yet", at.begun.implies(above.eq(0)))
        proof.invariant("what is passed over is counted", (working & ~free).implies(
            unused.eq(passed.wide(size) + const(1, size) + to_use - longer)))  # fmt: skip
        proof.invariant("all above the length is", (working & free).implies(unused.eq(to_use)))
        where = at.uses if at.window else ask_valid & at.uses_bit
        proof.claim("schedule", "bits are the exponent's from its length down",
                    where.implies(unused.eq(to_use)))  # fmt: skip

    # ------------------------------------------------------------------------------------------
    # Values.
    # ------------------------------------------------------------------------------------------
    spec = Specification(proof, at, method, x, one, constant, bit, took, working)
    kinds = {
        "ltr": left_to_right, "ladder": ladder, "rtl": right_to_left, "window": exp_table.windowed,
    }[called](spec)  # fmt: skip
    for copy, word in enumerate(slot(proof, 2)):
        proof.invariant(f"the last product is in slot 2, copy {copy}", (
            working & at.got.eq(LAST)).implies(word.eq(final)), data=True)  # fmt: skip
    proof.invariant("the last answer is the last one's",
                    (working & at.got.eq(LAST)).implies(at.over))  # fmt: skip

    # ------------------------------------------------------------------------------------------
    # Results that are m.
    # ------------------------------------------------------------------------------------------
    value = final
    if bound > 1:
        value = exp_steps.result(final, modulus)
        own = proof.net("u_moduli.gen_modulus.result_m")
        proof.invariant("the modulus is kept", (stands | state.eq(CONSTANT)).implies(
            own.eq(modulus)), data=True)  # fmt: skip
        proof.invariant("as it came", took_q.bit(0).implies(own.eq(held)), data=True)
        here = proof.net("u_result.final_here")
        proof.invariant("a last result is known", at.busy.implies(here.eq(just)))
        proof.invariant("of the one thread", just.implies(
            proof.net("u_result.final_thread").eq(0)))  # fmt: skip
        proof.invariant("soon", just.implies(at.over & at.got.eq(LAST) & ~finished))
        proof.invariant("to be m or not", just.implies(
            proof.net("u_moduli.equal_o").eq(final.eq(modulus))), data=True)  # fmt: skip
        zero = proof.register("u_result.zero_q")
        proof.invariant("and kept till it leaves", (at.over & at.got.eq(LAST) & ~just).implies(
            zero.eq(final.eq(modulus))), data=True)  # fmt: skip

    # ------------------------------------------------------------------------------------------
    # Claims.
    # ------------------------------------------------------------------------------------------
    names = {
        FIRST: "the first conversion", SECOND: "the second one", SQUARE: "a bit's first product",
        TIMES: "a bit's second product", LAST: "the last one",
    }  # fmt: skip
    if at.window:
        names |= {BUILD: "an entry", SQUARE: "a square", TIMES: "a digit's product"}
    wanted_a = wanted_b = const(0, width)
    for kind, (left, right) in kinds.items():
        proof.claim("schedule", names[kind], (ask_valid & at.asks(kind)).implies(
            a.eq(left) & b.eq(right)), data=True)  # fmt: skip
        wanted_a = ite(at.asks(kind), left, wanted_a)
        wanted_b = ite(at.asks(kind), right, wanted_b)
    held_a, held_b = proof.ghost("asked a", width), proof.ghost("asked b", width)
    shown_p = proof.ghost("shown", width)
    p = proof.output("p_o")
    proof.follows(held_a, a)
    proof.follows(held_b, b)
    proof.follows(shown_p, p)
    proof.invariant("operands that wait are the specification's", at.ask_held.implies(
        held_a.eq(wanted_a) & held_b.eq(wanted_b)), data=True)  # fmt: skip
    proof.invariant("a result that waits is, too", at.answer_held.implies(shown_p.eq(value)),
                    data=True)  # fmt: skip
    proof.claim("asks", "operands that wait stay unchanged", at.ask_held.implies(
        a.eq(held_a) & b.eq(held_b)), data=True)  # fmt: skip
    proof.claim("asks", "a modulus that waits stays unchanged", at.hand_held.implies(
        proof.output("mul_mod_data_o").eq(held)), data=True)  # fmt: skip
    proof.claim("result", "p_o is the specification's",
                finished.implies(p.eq(value)), data=True)  # fmt: skip
    proof.claim("result", "0 while nothing is offered",
                (~finished).implies(p.eq(0)), data=True)  # fmt: skip
    proof.claim("stable", "its value stays", at.answer_held.implies(p.eq(shown_p)), data=True)
    proof.assumptions["value"] = [
        "the multiplier's products are those of its contract (its own proof), at most m where one"
        " factor is 1",
        "R^2 mod m is what redc_exp_r2 makes, or the stream brings, and x is below m",
    ]
    if called in exp_steps.THEOREMS:
        proof.algebra = exp_steps.algebra(called)
    some = const(1, width)
    proof.covers["a result above 1"] = finished & some.lt(value)
    if longest > 1 and not at.window:
        proof.covers["a bit of 1 behind the first"] = answered(TIMES) & took
        proof.covers["a bit of 0 behind the first"] = answered(TIMES) & ~took
