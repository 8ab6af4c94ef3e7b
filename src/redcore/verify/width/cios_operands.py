# SPDX-License-Identifier: Apache-2.0
"""Operands of cios in their memories: a word that enters is that of its own multiplication.

One multiplication is watched, whichever an input of the model chooses; its words are kept as they
were accepted, and compared with what the wheel reads at its place.
"""

from __future__ import annotations

from redcore.design import numbers
from redcore.families import cios
from redcore.verify.induction import Proof
from redcore.verify.width.cios_control import Control
from redcore.verify.width.tables import chosen
from redcore.verify.words import Word, const, ite

_RAM = "gen_distributed.i_memory.gen_port[0].gen_whole.gen_distributed.memory_q"


def read_at_once(proof: Proof) -> bool:
    """The memories have no register, as where they are short."""
    design = proof.design
    sigma, shared = numbers(design.values, "sigma", "latency_reduction")
    depth = sigma << max(1, (design.geometry.beats - 1).bit_length())
    plain = design.values["storage"] == "lutram" and design.values["version"] == "fast"
    return plain and shared == 1 and depth <= cios.ROW_DEPTH


class Operands:
    """Words of the watched multiplication, as they came and as they are read."""

    def __init__(self, proof: Proof, control: Control) -> None:
        self.proof, self.control = proof, control
        self.on, self.ahead = control.watched, control.watched_ahead
        one = control.number(1)
        self.comes = control.middle & (self.ahead + one).eq(control.flight)
        given = control.begun_q.wide(control.bits) - control.working.wide(control.bits)
        self.leaves = self.ahead.lt(given)
        self.off = self.ahead - given
        self.enters = control.number(control.depth).lt(control.watched_line)
        self.kept()
        self.where()
        self.ahead_of_it()
        self.memories()
        self.reads()

    def says(self, name: str, holds: Word) -> None:
        """An invariant about data."""
        self.proof.invariant(name, holds, data=True)

    def kept(self) -> None:
        """Its words, and its place."""
        proof, control = self.proof, self.control
        begins = control.watched_begins
        mine = begins | self.on & self.comes & control.accept
        top = proof.design.width + 1 - (control.beats - 1) * control.word
        b = proof.input("b_i")
        low = const((1 << top) - 1, control.word) if top < control.word else b
        last = control.is_last(control.in_beat)
        masked = ite(last, b & low, b) if top < control.word else b
        self.a = control.collected("watched a", mine, control.in_beat, proof.input("a_i"))
        self.b = control.collected("watched b", mine, control.in_beat, masked)
        self.place = proof.ghost("watched place", control.place_bits)
        proof.follows(self.place, ite(begins, control.load_place, self.place))

    def where(self) -> None:
        """Its place is that of its turn."""
        control = self.control
        bits = control.working.width
        self.proof.invariant("the watched one's place", (self.on & ~self.leaves).implies(
            self.place.eq(control.along(control.oldest, self.off.low(bits)))
        ))  # fmt: skip
        self.present = control.place.eq(self.place) & control.run
        self.proof.invariant("the watched one's last pass", (
            self.on & self.leaves & self.enters
        ).implies(self.present))  # fmt: skip
        self.proof.invariant("it is a place", self.on.implies(self.place.le(control.sigma - 1)))
        # The pass at hand is the last one of whom this place was given up by.
        inner = control.run & control.in_pass & ~control.first_word
        self.given = inner & control.own.bit(control.beat_bits)
        wide = max(control.time.width, control.beat_bits)
        again = self.given & control.middle & control.load_place.eq(control.place)
        self.proof.invariant("operands come behind a last pass", again.implies(
            control.in_beat.wide(wide).lt(control.time.wide(wide))
        ))  # fmt: skip

    def ahead_of_it(self) -> None:
        """Words that are there of operands which begin while they come."""
        proof, control, says = self.proof, self.control, self.control.says
        ahead, there = proof.net("i_wheel.ahead_q"), proof.net("i_wheel.there_q")
        inner = control.run & control.in_pass & ~control.first_word
        coming = inner & control.active & ~control.own.top()
        says("one that begins is there", coming.implies(control.full.ne(0) | control.middle))
        wide = max(ahead.width, control.time.width, control.in_beat.width)
        came, time = control.in_beat.wide(wide), control.time.wide(wide)
        says("words ahead", (coming & control.full.eq(0)).implies(
            ahead.wide(wide).eq(ite(time.lt(came), came - time, const(0, wide)))
        ))  # fmt: skip
        says("words ahead of a pass", (control.run & control.first_word).implies(
            ahead.eq(control.in_beat.wide(ahead.width))
        ))  # fmt: skip
        says("the next word is there", inner.implies(there.eq(ahead.ne(0))))

    def known(self, j: int) -> Word:
        """Word j has come."""
        return ~self.comes | const(j, self.control.beat_bits).lt(self.control.in_beat)

    def memories(self) -> None:
        """What it needs yet is in its place."""
        proof, control = self.proof, self.control
        wide = max(control.time.width, control.beat_bits)
        for p in range(control.sigma):
            here = self.on & self.place.eq(p)
            for j in range(control.beats):
                at = (p << control.beat_bits) + j
                words = {x: proof.net(f"i_{x}.{_RAM}[{at}]") for x in "ab"}
                known = here & self.known(j)
                self.says(f"a, place {p}, word {j}", (known & ~self.leaves).implies(
                    words["a"].eq(self.a[j])
                ))  # fmt: skip
                read = self.leaves & ~(self.enters & control.time.wide(wide).le(j))
                self.says(f"b, place {p}, word {j}", (known & ~read).implies(
                    words["b"].eq(self.b[j])
                ))  # fmt: skip

    def reads(self) -> None:
        """What the wheel reads in its turn."""
        proof, control = self.proof, self.control
        valid, first = proof.wire("valid"), proof.wire("first")
        mine = self.on & self.present & ite(self.leaves, self.enters, ~self.given)
        time = control.time.wide(max(control.time.width, control.beat_bits)).low(control.beat_bits)
        self.says("a word of b that enters", (mine & valid).implies(
            proof.net("b_word").eq(chosen(time, self.b))
        ))  # fmt: skip
        iteration = control.own.low(control.beat_bits)
        self.says("a word of a that enters", (mine & first & ~self.leaves).implies(
            proof.net("a_word").eq(chosen(iteration, self.a))
        ))  # fmt: skip
        comes = self.comes & mine & valid
        proof.covers["a word of operands enters while others come"] = comes
        last = mine & self.leaves & valid & control.middle
        if control.sigma > 1:
            proof.covers["a last pass's word enters while others come"] = last
