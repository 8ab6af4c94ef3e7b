# SPDX-License-Identifier: Apache-2.0
"""What ``redc_mul_shell`` (Ahead 0, one modulus) and ``redc_serial_ctrl`` do, whatever the data.

The specification has two places: a multiplication is at *work*, and the one before it may be
*done*, its answer waiting. Accepted operands go to work; work moves on with its last step; what is
done leaves with the result stream's handshake. So answers come in the order of operands by
construction; that no place is overwritten and that the core agrees is what is proved. How many
steps an answer has had is counted, not believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from redcore.design import Design
from redcore.verify.induction import NotDescribed, Proof
from redcore.verify.words import FALSE, TRUE, Word, const, ite

MOST_IN_WORDS = 64
"""Bits of an adder in words that the solver compares with a sum within seconds; at 96 it took a
minute, and at 256 more than three."""


def selected_carries(design: Design) -> None:
    """Raise NotDescribed where adders are in words and wide.

    ``redc_add_words`` by itself is equal to ``+`` there: tests/families/test_adders.py.
    """
    if design.values["word"] and design.width > MOST_IN_WORDS:
        raise NotDescribed(
            f"the proof of {design.family.name} covers word=0 at any width, and adders in words up"
            f" to {MOST_IN_WORDS} bits"
        )


@dataclass(frozen=True)
class Serial:
    """Bits of the current cycle: operands are accepted, ``work`` makes a step (``run``), its last
    one (``finish``); a place is taken (``work``, ``done``); ``count`` of steps that work has had,
    ``made`` of those that what is done had.
    ``modulus`` is the one accepted last, of ``loaded`` one was. ``reset`` is high without one."""

    accept: Word
    run: Word
    finish: Word
    work: Word
    done: Word
    count: Word
    made: Word
    modulus: Word
    loaded: Word


def serial(proof: Proof, steps: int, derives: int = 0) -> Serial:
    """Ghosts, invariants and claims about control; ``steps`` cycles a multiplication.

    ``derives``: a core that derives constants of a modulus (``i_mu``), as many cycles and one,
    keeps both streams shut meanwhile.
    """
    running = proof.input("rst_ni")
    in_valid, mod_valid = proof.input("in_valid_i"), proof.input("mod_valid_i")
    in_ready, mod_ready = proof.output("in_ready_o"), proof.output("mod_ready_o")
    out_valid, out_ready = proof.output("out_valid_o"), proof.input("out_ready_i")
    accept, mod_accept = in_valid & in_ready, mod_valid & mod_ready
    deliver, stall = out_valid & out_ready, out_valid & ~out_ready
    run, finish = proof.wire("i_ctrl.run_o"), proof.wire("i_ctrl.finish_o")
    busy, last = proof.register("i_ctrl.busy_q"), proof.register("i_ctrl.last_q")
    step_q, waits = proof.register("i_ctrl.step_q"), proof.register("i_shell.gen_at_once.waits_q")
    limit = proof.design.geometry.latency_cycles + proof.design.geometry.slots * ceil(
        proof.design.geometry.interval_cycles
    )
    bits = (2 * limit).bit_length()

    def number(value: int) -> Word:
        return const(value, bits)

    def grows(word: Word) -> Word:
        # Saturates, so that no count returns to zero by itself.
        return ite(word.eq(number(-1)), word, word + number(1))

    def unless_reset(word: Word, start: Word) -> Word:
        return ite(running, word, start)

    # Whether constants are being derived, and for how long.
    deriving, since = FALSE, number(0)
    if derives:
        deriving = proof.register("i_mu.busy_q")
        own_step = proof.register("i_mu.step_q")
        since = own_step.wide(bits)
        proof.same.append(("deriving", TRUE, deriving))
        proof.same.append(("its step", deriving, own_step))

    # The places, and the modulus.
    work, done = proof.ghost("work", 1), proof.ghost("done", 1)
    proof.follows(work, unless_reset(accept | work & ~finish, FALSE))
    proof.follows(done, unless_reset(finish | done & ~deliver, FALSE))
    loaded, modulus = proof.ghost("loaded", 1), proof.ghost("modulus", proof.design.width)
    proof.follows(loaded, unless_reset(loaded | mod_accept, FALSE))
    proof.follows(modulus, ite(mod_accept, proof.input("mod_data_i"), modulus))
    # Steps that each has had.
    count, made = proof.ghost("work_steps", bits), proof.ghost("done_steps", bits)
    proof.follows(count, ite(accept, number(0), ite(run, grows(count), count)))
    proof.follows(made, ite(finish, grows(count), made))
    # Cycles since each was accepted, and whether one of them was a stall.
    age, stalled = proof.ghost("work_age", bits), proof.ghost("work_stalled", 1)
    proof.follows(age, ite(accept, number(1), grows(age)))
    proof.follows(stalled, ite(accept, stall, stalled | stall))
    came, hindered = proof.ghost("done_age", bits), proof.ghost("done_stalled", 1)
    proof.follows(came, ite(finish, grows(age), came))
    proof.follows(hindered, ite(finish, stalled | stall, hindered))
    # Cycles in a row without a stall since it was accepted; with nobody at either stream's door.
    calm = proof.ghost("work_calm", bits)
    proof.follows(calm, ite(accept | stall, number(0), grows(calm)))
    shut, mod_shut = proof.ghost("in_shut", bits), proof.ghost("mod_shut", bits)
    proof.follows(
        shut, unless_reset(
            ite(out_ready & ~mod_valid & ~in_ready & loaded, grows(shut), number(0)), number(0)
        ),
    )  # fmt: skip
    proof.follows(
        mod_shut, unless_reset(
            ite(out_ready & mod_valid & ~mod_ready, grows(mod_shut), number(0)),
            number(0),
        ),
    )  # fmt: skip

    for name, word, value in (
        ("a modulus is known to be loaded", proof.register("i_shell.loaded_q"), loaded),
        ("busy while a multiplication is at work", busy, work),
        ("valid while an answer is done", proof.register("i_ctrl.out_valid_q"), done),
    ):
        proof.mirror(name, TRUE, word, value, data=False)
    proof.invariant("no last step without work", busy | ~last)
    proof.invariant("steps are counted", busy.implies(step_q.wide(bits).eq(count)))
    proof.invariant("steps are below their number", busy.implies(count.lt(steps)))
    proof.invariant("the last step is known", busy.implies(last.eq(count.eq(steps - 1))))
    proof.invariant("an answer has had all steps", done.implies(made.eq(steps)))
    proof.invariant("work without a modulus is none", (work | done).implies(loaded))
    before = work & ~stalled
    more = count + number(1)
    proof.invariant("one before leaves in the first step", (before & done).implies(count.eq(0)))
    proof.invariant("work that saw no stall never waits", before.implies(age.eq(more)))
    proof.invariant(
        "an answer that saw no stall came in time", (done & ~hindered).implies(came.eq(steps + 1))
    )
    patient = (count.eq(steps - 1) & ~done).wide(bits)
    proof.invariant("work waits at most a cycle while calm", work.implies(calm.le(count + patient)))
    proof.invariant("no modulus waits behind calm", shut.ne(0).implies(~waits))
    proof.invariant(
        "shut only while at work", (~work & ~deriving).implies(shut.le(derives + 1))
    )
    if derives:
        proof.invariant("constants are derived alone", deriving.implies(loaded & ~work & ~done))
        proof.invariant("as long as stated", deriving.implies(since.le(derives)))
        proof.invariant("shut no longer than derived", deriving.implies(shut.le(since)))
        proof.invariant(
            "a modulus waits for the one before",
            deriving.implies(mod_shut.le(since + number(1))),
        )
        proof.covers["a modulus waits for the one before"] = deriving & waits
        proof.covers["operands wait for constants"] = deriving & shut.eq(since) & shut.eq(derives)
    proof.invariant("shut no longer than at work", work.implies(shut.le(more + patient)))
    proof.invariant("a modulus that waits is known", mod_shut.ne(0).implies(waits))
    # Constants of many steps take longer than a multiplication.
    longest = max(steps + 2, derives + 1)
    proof.invariant(
        "a modulus waits for work",
        mod_shut.le(ite(work, more + patient, number(longest) + (~done).wide(bits))),
    )

    proof.claim("order", "no multiplication at work is overwritten", accept.implies(~work | finish))
    proof.claim("order", "no answer is overwritten", finish.implies(work & (~done | deliver)))
    proof.claim("order", "no answer that nobody asked for", out_valid.implies(done))
    proof.claim("order", "an answer is offered once it is done", done.implies(out_valid))
    proof.claim("order", "no operands before a modulus", accept.implies(loaded))
    proof.claim("last", "out_last_o is high", proof.output("out_last_o"))
    proof.claim("stable", "an answer stays", stall.implies(proof.after(out_valid)))
    value = proof.output("p_o")
    proof.claim("stable", "its value stays", stall.implies(proof.after(value).eq(value)))
    proof.claim("modulus", "only with nothing in flight", mod_accept.implies(~work & ~done))
    proof.claim("modulus", "not together with operands", ~(mod_accept & accept))
    latency = proof.design.geometry.latency_cycles
    proof.claim("latency", "not later", before.implies(age.lt(latency)))
    proof.claim("latency", "not sooner", (out_valid & ~hindered).implies(came.eq(latency)))
    proof.claim("answer", "within the limit", work.implies(calm.lt(limit)))
    proof.claim("in_ready", "within the limit", shut.lt(limit))
    proof.claim("mod_ready", "within the limit and three cycles", mod_shut.lt(limit + 3))

    for name, word in (("loaded", loaded), ("work", work), ("done", done), ("waits", waits)):
        proof.same.append((name, TRUE, word))
    proof.same.append(("last", TRUE, last))
    proof.same.append(("busy", TRUE, busy))
    proof.same.append(("out_valid", TRUE, proof.register("i_ctrl.out_valid_q")))
    proof.same.append(("loaded_q", TRUE, proof.register("i_shell.loaded_q")))
    proof.same.append(("step", busy, step_q))

    proof.covers["an answer leaves, the next one is finished, and another begins"] = (
        finish & accept & work
    )
    proof.covers["the last step waits for an answer that is not taken"] = last & stall
    proof.covers["an answer after a stall"] = out_valid & hindered
    proof.covers["an answer without one"] = out_valid & ~hindered
    proof.covers["a modulus waits for work"] = mod_shut.eq(min(5, steps // 2)) & work
    return Serial(accept, run, finish, work, done, count, made, modulus, loaded)
