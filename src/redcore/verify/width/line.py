# SPDX-License-Identifier: Apache-2.0
"""Cores in which nothing ever waits inside: a line of cells, or words one behind another.

The lowest cell works on a multiplication, the *front*; its last iteration there hands it to the
*tail*, which leaves the line, until its answer is *done*.
"""

from __future__ import annotations

from redcore.verify.algebra import Algebra
from redcore.verify.induction import Proof
from redcore.verify.width.streams import Streams
from redcore.verify.words import TRUE, Word, const, ite


class Line(Streams):
    """Stalls that each multiplication in flight has seen.

    A family's places come first: ``front``, ``tail`` and ``done``, a bit each, ``finish`` of the
    front, and ``time`` and ``tail_time`` since operands were accepted.
    """

    front: Word
    tail: Word
    done: Word
    finish: Word
    time: Word
    tail_time: Word

    def stalls(self, answered: Word) -> None:
        """Whether a cycle on the way was a stall, and cycles in a row without one since operands
        were accepted; ``answered``: the tail's answer is done in the next cycle."""
        proof, accept, finish, stall = self.proof, self.accept, self.finish, self.stall
        self.stalled, self.hindered, self.slow = (
            proof.ghost(f"{x}_stalled", 1) for x in ("front", "tail", "done")
        )
        proof.follows(self.stalled, ite(accept, stall, self.stalled | stall))
        proof.follows(self.hindered, ite(finish, self.stalled, self.hindered) | stall)
        proof.follows(self.slow, ite(answered, self.hindered | stall, self.slow))
        self.calm, self.tail_calm = (proof.ghost(f"{x}_calm", self.bits) for x in ("front", "tail"))
        zero = self.number(0)
        proof.follows(self.calm, ite(accept | stall, zero, self.grows(self.calm)))
        calm = self.grows(ite(finish, self.calm, self.tail_calm))
        proof.follows(self.tail_calm, ite(stall, zero, calm))

    def in_time(self, behind: Word, took: Word, came: Word, ends: Word) -> None:
        """Claims about answers; ``behind``: one is behind the front. ``took`` and ``came`` are the
        cycles that the front and the one behind have been in, ``ends`` those of what is done."""
        proof, limit = self.proof, self.limit
        calm = self.front.implies(self.calm.lt(limit))
        proof.claim("answer", "front, within the limit", calm)
        calm = behind.implies(self.tail_calm.lt(limit))
        proof.claim("answer", "behind it, within the limit", calm)
        for name, place, stalled, cycles in (
            ("front", self.front, self.stalled, took), ("behind it", behind, self.hindered, came),
        ):  # fmt: skip
            early = (place & ~stalled).implies(cycles.lt(self.latency))
            proof.claim("latency", f"not later: {name}", early)
        late = (self.out_valid & ~self.slow).implies(ends.eq(self.latency))
        proof.claim("latency", "not sooner", late)
        for name, word in (("front", self.front), ("tail", self.tail)):
            proof.same.append((name, TRUE, word))
        proof.same.append(("front_time", self.front, self.time))
        proof.same.append(("tail_time", behind, self.tail_time))
        proof.covers["one follows at once behind another"] = self.finish & self.accept
        proof.covers["an answer waits, and operands have gone on"] = self.front & self.stall


class InLine:
    """Operands of the two multiplications in flight, and the answer; ``bound`` 2, so that they
    have a bit more than the modulus.

    ``behind``: one is behind the front. ``own_m`` is the core's register of the modulus.
    """

    def __init__(self, proof: Proof, line: Line, behind: Word, own_m: Word) -> None:
        self.proof = proof
        n = line.n
        self.a, self.tail_a = (proof.ghost(f"{place}_a", n + 1) for place in ("front", "tail"))
        self.m, self.tail_m = (proof.ghost(f"{place}_m", n) for place in ("front", "tail"))
        proof.follows(self.a, ite(line.accept, proof.input("a_i"), self.a))
        proof.follows(self.m, ite(line.accept, line.modulus, self.m))
        proof.follows(self.tail_a, ite(line.finish, self.a, self.tail_a))
        proof.follows(self.tail_m, ite(line.finish, self.m, self.tail_m))
        self.holds("the modulus is kept", line.loaded, own_m, line.modulus)
        self.holds("nobody changes it", line.front, self.m, line.modulus)
        self.holds("nor behind front", behind, self.tail_m, line.modulus)

    def holds(self, name: str, guard: Word, word: Word, value: Word) -> None:
        """An invariant: a word has a value where ``guard`` is 1."""
        self.proof.invariant(name, guard.implies(word.eq(value)), data=True)

    def answers(
        self, line: Line, answered: Word, value: Word, least: int, algebra: Algebra
    ) -> None:
        """What is answered is the specification's ``value``, of ``least`` cycles and more, by when
        ``algebra`` speaks of it."""
        proof = self.proof
        answer = proof.ghost("answer", line.n + 1)
        steps = proof.ghost("answer_steps", line.bits)
        proof.follows(answer, ite(answered, value, answer))
        proof.follows(steps, ite(answered, line.tail_time, steps))
        self.holds("the answer", line.done, proof.output("p_o"), answer)
        made = line.done.implies(line.number(least).le(steps))
        line.says("an answer has had all steps", made)
        proof.claim("result", "an answer has had all steps", made)
        proof.claim(
            "result", "p_o is the specification's",
            line.out_valid.implies(proof.output("p_o").eq(answer)), data=True,
        )  # fmt: skip
        proof.assumptions["value"] = ["m is odd, a and b are below 2m (the contract)"]
        proof.algebra = algebra
        one = const(1, line.n + 1)
        proof.covers["an answer above 1, of operands above 1"] = (
            line.done & one.lt(answer) & line.front & one.lt(self.a)
        )
