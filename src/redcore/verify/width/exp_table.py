# SPDX-License-Identifier: Apache-2.0
"""What is in the table of a fixed window, and the entry that is gathered from it."""

from __future__ import annotations

from redcore.verify.induction import Proof
from redcore.verify.width import exp_steps
from redcore.verify.width.exp_methods import (
    BUILD,
    FIRST,
    LAST,
    NONE,
    SECOND,
    SQUARE,
    TIMES,
    among,
)
from redcore.verify.width.exp_specification import Specification
from redcore.verify.width.exp_window import READY, WINDOW
from redcore.verify.width.tables import chosen
from redcore.verify.words import Word, const, from_low, ite

_MEMORIES = {"registers": "registers", "lutram": "distributed", "bram": "block", "block": "block"}


def lanes(proof: Proof) -> list[str]:
    """Names of the window's lanes."""
    found: list[str] = []
    while f"{WINDOW}gen_lane[{len(found)}].table_word" in proof.core.wires:
        found.append(f"{WINDOW}gen_lane[{len(found)}].")
    return found


def words(proof: Proof, lane: str, entries: int) -> list[Word]:
    """What a lane's memory has of each entry."""
    port = f"{lane}gen_table[0].gen_read.u_table.gen_port[0]."
    if proof.design.values["memory"] == "lutram" and entries > 32:
        part = 32
        return [
            proof.net(f"{port}gen_parts.gen_part[{each // part}].memory_q[{each % part}]")
            for each in range(entries)
        ]
    whole = f"{port}gen_whole.gen_{_MEMORIES[str(proof.design.values['memory'])]}.memory_q"
    if f"{whole}[0]" in proof.core.registers or f"{whole}[0]" in proof.core.wires:
        return [proof.net(f"{whole}[{each}]") for each in range(entries)]
    all_words = proof.net(whole)
    bits = all_words.width // entries
    return [all_words.piece(bits * each + bits - 1, bits * each) for each in range(entries)]


def windowed(spec: Specification) -> exp_steps.Operands:
    """The value in slot 0, x converted in 1; powers in the table."""
    proof, at, working, answer = spec.proof, spec.at, spec.working, spec.proof.input("mul_p_i")
    window = at.window
    assert window is not None
    base, power = (spec.value(name) for name in ("base", "power"))
    proof.follows(base, ite(spec.answered(FIRST), answer, base))
    goes_on = at.answer & among(at.old, (FIRST, BUILD, SQUARE, TIMES))
    proof.follows(power, ite(goes_on, answer, power))
    # The table, in the order in which it is filled.
    table = [spec.value(f"entry {number}") for number in range(window.entries)]
    made = {0: spec.answered(SECOND), 1: spec.answered(FIRST)}
    for index, value in enumerate(table):
        built = spec.answered(BUILD) & window.filled.eq(index)
        proof.follows(value, ite(made.get(index, built), answer, value))
    # The digit, bit by bit.
    digit = proof.ghost("digit", window.size)
    chooses = at.turn & window.chooses(at.kind, at.left, at.fresh)
    proof.follows(digit, ite(chooses, const(0, window.size),
                             ite(at.uses, exp_steps.digit(digit, spec.bit), digit)))  # fmt: skip
    entry = chosen(digit, table)

    # ------------------------------------------------------------------------------------------
    # Slots.
    # ------------------------------------------------------------------------------------------
    spec.stands("x is in slot 2", at.begun | at.kind.eq(FIRST), 2, spec.x)
    spec.stands("x converted is in slot 1", working & at.got.ne(NONE), 1, base)
    proof.invariant("which is the first power", (working & among(at.got, (FIRST, SECOND))).implies(
        power.eq(base)), data=True)  # fmt: skip
    spec.stands("the value is in slot 0",
                working & among(at.got, (BUILD, SQUARE, TIMES)), 0, power)  # fmt: skip

    # ------------------------------------------------------------------------------------------
    # The table.
    # ------------------------------------------------------------------------------------------
    own_lanes = lanes(proof)
    rows = [words(proof, lane, window.entries) for lane in own_lanes]
    for index, value in enumerate(table):
        least = {0: 2, 1: 1}.get(index, index + 1)
        proof.invariant(f"entry {index} is in the table", (
            working & ~window.filled.lt(least)).implies(
                from_low(row[index] for row in rows).eq(value)), data=True)  # fmt: skip

    # ------------------------------------------------------------------------------------------
    # The entry that is looked for.
    # ------------------------------------------------------------------------------------------
    known = (among(at.kind, (SQUARE, TIMES, LAST)) | at.over) & ~window.start
    number = proof.register(f"{WINDOW}number_q")
    read, place = proof.register(f"{WINDOW}read_q"), window.place
    proof.invariant("the digit's number is known", known.implies(number.eq(digit)), data=True)
    proof.invariant("it has no bits at first", window.start.implies(digit.eq(0)), data=True)
    wanted = proof.net(f"{WINDOW}wanted")
    width = 0
    for index, lane in enumerate(own_lanes):
        gathered, word = proof.register(f"{lane}gathered_q"), proof.net(f"{lane}table_word")
        high, low = width + gathered.width - 1, width
        width += gathered.width
        proof.invariant(f"lane {index} knows the wanted one", read.implies(
            wanted.bit(index).eq(place.eq(digit))), data=True)  # fmt: skip
        proof.invariant(f"lane {index} reads one entry", read.implies(
            word.eq(chosen(place, table).piece(high, low))), data=True)  # fmt: skip
        proof.invariant(f"lane {index} has the entry once it was passed", (
            read & place.ne(0)).implies(gathered.eq(entry.piece(high, low).gated(
                digit.lt(place)))), data=True)  # fmt: skip
        proof.invariant(f"lane {index} has the entry", (
            known & ~read & window.state(READY)).implies(
                gathered.eq(entry.piece(high, low))), data=True)  # fmt: skip
    ask_valid = proof.output("mul_in_valid_o")
    reads = window.reads(at.kind, at.fresh)
    proof.claim("schedule", "an entry is of a whole digit",
                (ask_valid & reads).implies(window.owed.eq(0) & ~window.start))  # fmt: skip
    proof.covers["an entry is not that of 0"] = at.ask & reads & digit.ne(0)
    proof.covers["an entry is that of 0"] = at.ask & reads & digit.eq(0)
    longest = int(proof.design.values["exp_bits"])
    if longest > window.size:
        product = at.kind.eq(TIMES)
        proof.covers["several digits"] = at.ask & product
        proof.covers["an entry is waited for"] = product & ~window.state(READY) & ~at.one & ~at.told
    proof.covers["one digit"] = at.ask & at.kind.eq(LAST) & at.fresh
    return {
        FIRST: exp_steps.convert(spec.x, spec.constant),
        SECOND: exp_steps.convert(spec.one, spec.constant),
        BUILD: exp_steps.times(power, base),
        SQUARE: exp_steps.square(ite(at.fresh, entry, power)),
        TIMES: exp_steps.times(power, entry),
        LAST: exp_steps.leave(ite(at.fresh, entry, power), spec.one),
    }
