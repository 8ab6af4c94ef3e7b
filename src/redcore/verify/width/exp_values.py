# SPDX-License-Identifier: Apache-2.0
"""What is in ``redc_exp``'s slots, and which values a product is asked of."""

from __future__ import annotations

from redcore.units.exp.family import Exponentiator
from redcore.verify.induction import Proof
from redcore.verify.width import exp_steps
from redcore.verify.width.exp_control import (
    BITS,
    CONSTANT,
    FIRST,
    LAST,
    MODULUS,
    NONE,
    SECOND,
    SEQUENCER,
    SQUARE,
    TIMES,
    Control,
    among,
)
from redcore.verify.words import FALSE, Word, concat, const, from_low, ite

PORT = 4
"""The line of the slot that x comes in and the result leaves from."""
CONTROL_BITS = 20
"""What a lane has beside it: sources of a and of b, 7 each, slot, kept, results come."""
SOURCE_ONE = 4
SOURCES = {"ltr": (0b001_0110, 0b011_0111)}
"""What a and b ever come from: redc_exp_pkg."""


def slot(proof: Proof, number: int) -> list[Word]:
    """A slot's contents, in each memory that has a copy of it."""
    found: list[list[Word]] = []
    lane = 0
    while f"u_values.gen_lane[{lane}].u_lane.a_o" in proof.core.wires:
        own = f"u_values.gen_lane[{lane}].u_lane."
        if proof.design.values["memory"] == "registers":
            value = proof.net(f"{own}gen_registers.value")
            bits = value.width // 4
            words = [value.piece(bits * number + bits - 1, bits * number)]
            if number == 2:
                words.append(
                    proof.net(
                        f"{own}gen_registers.u_out.gen_port[0].gen_whole.gen_registers.memory_q"
                    )
                )
        else:
            words = [
                proof.net(
                    f"{own}gen_memory.u_words.gen_port[{port}].gen_whole.gen_distributed"
                    f".memory_q[{number}]"
                )
                for port in range(2)
            ]
        found.append(words)
        lane += 1
    return [from_low(lanes) for lanes in zip(*found, strict=True)]


def values(proof: Proof, at: Control) -> None:
    """The specification's values, where they are, and the claims about operands and results."""
    design = proof.design
    method, longest = str(design.values["method"]), int(design.values["exp_bits"])
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
    x, base, power, squared, final = (
        proof.ghost(name, width) for name in ("x", "base", "power", "squared", "final")
    )
    modulus, constant, held = (proof.ghost(name, width) for name in ("modulus", "R^2", "offered"))
    exponent, rest = proof.ghost("exponent", longest), proof.ghost("rest", longest)
    took, just = proof.ghost("took", 1), proof.ghost("final was there", 1)
    bit, rest_next = exp_steps.next_bit(rest)
    proof.follows(x, ite(at.accept, proof.input("a_i"), x))
    given = proof.input("b_i").low(longest)
    proof.follows(exponent, ite(at.accept, given, exponent))
    # What is above the length leaves it as the RTL passes over it; how much has is counted.
    passes = proof.net(f"{BITS}skipping")
    above = proof.ghost("passed over", at.length.width)
    proof.follows(above, ite(at.accept, const(0, above.width), above + passes.wide(above.width)))
    used = at.told & at.uses_bit
    proof.follows(rest, ite(at.accept, given, ite(used | passes, rest_next, rest)))
    proof.follows(took, ite(at.ask & at.asks(TIMES), bit, took))

    def answered(kind: int) -> Word:
        return at.answer & at.old.eq(kind)

    proof.follows(base, ite(answered(FIRST), answer, base))
    proof.follows(squared, ite(answered(SQUARE), answer, squared))
    went = exp_steps.chosen(took, squared, answer)
    proof.follows(power, ite(answered(SECOND), answer, ite(answered(TIMES), went, power)))
    proof.follows(final, ite(answered(LAST), answer, final))
    proof.follows(modulus, ite(mod_accept & state.eq(MODULUS), mod_data, modulus))
    outside = design.values["r2"] == "outside"
    r2 = proof.net("u_moduli.r2_o")
    proof.follows(constant, ite(at.converted, mod_data if outside else r2, constant))
    proof.follows(held, mod_data)
    proof.follows(just, ite(proof.input("rst_ni"), answered(LAST), FALSE))
    proof.environment(
        "and unchanged", at.offer_held.implies(mod_data.eq(held)), data=True
    )  # fmt: skip
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
    source_a, source_b = (sources & wanted for sources in SOURCES[method])
    slots = (SOURCES[method][0] | SOURCES[method][1]) & 15
    stand = ready | at.over & (at.since.eq(2) | at.since.eq(3))
    for lane in range(control.width // CONTROL_BITS):
        own = control.piece(CONTROL_BITS * lane + CONTROL_BITS - 1, CONTROL_BITS * lane)
        proof.invariant(f"lane {lane} has the sources", stand.implies(
            own.piece(19, 13).eq(operands.piece(13, 7) & const(source_a, 7))
            & own.piece(12, 6).eq(operands.piece(6, 0) & const(source_b, 7))))  # fmt: skip
        proof.invariant(f"lane {lane} has the slot", (at.one & ~at.calm.lt(2)).implies(
            own.piece(5, 2).eq(at.old_op.piece(12, 9) & const(slots, 4)) & own.bit(1)
            & own.bit(0)))  # fmt: skip
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
    shown = ones & concat(~modulus.eq(1), ~modulus.eq(1))
    proof.invariant("1 is an operand", ready.implies(proof.register("one_of_q").eq(shown)),
                    data=True)  # fmt: skip

    # ------------------------------------------------------------------------------------------
    # The exponent.
    # ------------------------------------------------------------------------------------------
    passed = proof.register(f"{BITS}gen_highest.passed_q")
    free, late = proof.register(f"{BITS}gen_highest.free_q"), proof.register(f"{BITS}late_q")
    now = proof.register(f"{BITS}bit_q")
    shift = proof.net(f"{BITS}shift_q")
    moved = ite(late, shift.double(), shift)
    proof.invariant("the exponent is there", at.begun.implies(shift.eq(exponent)), data=True)
    proof.invariant("its bit is given out", held_since.implies(now.eq(moved.top())), data=True)
    proof.invariant("so is the specification's", held_since.implies(rest.eq(moved)), data=True)
    size = passed.width + 2
    unused = above.wide(size) if above.width < size else above.low(size)
    to_use = const(longest, size) - (
        at.length.wide(size) if at.length.width < size else at.length.low(size)
    )
    proof.invariant("nothing is passed over yet", at.begun.implies(above.eq(0)))
    proof.invariant("what is passed over is counted", (working & ~free).implies(
        unused.eq(passed.wide(size) + const(1, size) + to_use - const(longest, size))))  # fmt: skip
    proof.invariant("all above the length is", (working & free).implies(unused.eq(to_use)))
    proof.invariant("that is not above all", held_since.implies(above.le(longest)))

    # ------------------------------------------------------------------------------------------
    # Values.
    # ------------------------------------------------------------------------------------------
    chose = proof.register(f"{SEQUENCER}chose_q")
    later = at.last.eq(TIMES) & ~(at.told & at.kind.eq(TIMES))
    proof.invariant("what the bit is to choose", (at.told & at.kind.eq(TIMES)).implies(
        took.eq(bit)), data=True)  # fmt: skip
    proof.invariant("what the bit chose", (working & later).implies(chose.eq(took)), data=True)
    proof.invariant("nothing before", (at.begun | working & among(
        at.last, (NONE, FIRST, SECOND))).implies(~chose), data=True)  # fmt: skip
    proof.invariant("while it is squared or comes out", (working & among(
        at.got, (SECOND, TIMES)) & among(at.last, (SQUARE, LAST))).implies(
            chose.eq(took & at.got.eq(TIMES))), data=True)  # fmt: skip

    def stands_in(name: str, where: Word, number: int, value: Word) -> None:
        for copy, word in enumerate(slot(proof, number)):
            proof.invariant(f"{name}, copy {copy}", where.implies(word.eq(value)), data=True)

    stands_in("x is in slot 2", at.begun | among(at.kind, (FIRST, SECOND)), 2, x)
    stands_in("x converted is in slot 0", working & at.got.ne(NONE), 0, base)
    goes_on = working & among(at.got, (SECOND, TIMES))
    stands_in("the square goes on", goes_on & ~chose, 1, power)
    stands_in("the product goes on", goes_on & chose, 2, power)
    stands_in("the square is in slot 1", working & at.got.eq(SQUARE), 1, squared)
    stands_in("the last product is in slot 2", working & at.got.eq(LAST), 2, final)
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
    kinds = {
        FIRST: exp_steps.convert(x, constant),
        SECOND: exp_steps.begin(bit, x, one, constant),
        SQUARE: exp_steps.square(power),
        TIMES: exp_steps.times(squared, base),
        LAST: exp_steps.leave(power, one),
    }
    ask_valid = proof.output("mul_in_valid_o")
    proof.claim("schedule", "bits are the exponent's from its length down", (
        ask_valid & at.uses_bit).implies(unused.eq(to_use)))  # fmt: skip
    names = {
        FIRST: "x times R^2", SECOND: "x or 1 times R^2", SQUARE: "a square",
        TIMES: "the square times x", LAST: "the power times 1",
    }  # fmt: skip
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
    proof.algebra = exp_steps.algebra(method)
    some = const(1, width)
    proof.covers["a result above 1"] = finished & some.lt(value)
    proof.covers["a bit of 1 behind the first"] = answered(TIMES) & took
    proof.covers["a bit of 0 behind the first"] = answered(TIMES) & ~took
    proof.covers["1 converted"] = at.ask & at.asks(SECOND) & ~bit
