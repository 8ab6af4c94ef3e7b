# SPDX-License-Identifier: Apache-2.0
"""The streams of cores that take and give numbers word by word."""

from __future__ import annotations

from redcore.verify.induction import Proof
from redcore.verify.width.streams import Streams
from redcore.verify.words import TRUE, Word, concat, const, ite


def times(word: Word, factor: int) -> Word:
    """The number so many times, in as many bits."""
    total = const(0, word.width)
    for at in range(word.width):
        if factor >> at & 1:
            total += word if at == 0 else concat(word.low(word.width - at), const(0, at))
    return total


class Beats(Streams):
    """Beats of each stream are counted. ``begins`` and ``whole``: the first beat of operands is
    taken, and the last one; ``leaves``: the last beat of a result is. ``pause``: a sender lets its
    operands wait between their beats.
    """

    def __init__(self, proof: Proof) -> None:
        geometry = proof.design.geometry
        self.beats = geometry.beats
        self.word = geometry.word_bits
        self.beat_bits = max(1, (self.beats - 1).bit_length())
        super().__init__(proof)
        self.first = self.in_beat.eq(0)
        self.begins = self.accept & self.first
        self.whole = self.accept & self.is_last(self.in_beat)
        self.leaves = self.deliver & self.is_last(self.out_beat)
        self.pause = ~self.first & ~proof.input("in_valid_i")
        for name, word in (
            ("in_beat", self.in_beat), ("mod_beat", self.mod_beat), ("out_beat", self.out_beat),
        ):  # fmt: skip
            proof.same.append((name, TRUE, word))

    def beat(self, value: int) -> Word:
        """A beat's number."""
        return const(value, self.beat_bits)

    def is_last(self, beat: Word) -> Word:
        """It is that of a number's last word."""
        return beat.eq(self.beats - 1)

    def next_beat(self, beat: Word) -> Word:
        """The one behind it, round and round."""
        return ite(self.is_last(beat), self.beat(0), beat + self.beat(1))

    def counted(self, stream: str, taken: Word) -> Word:
        """Beats of a number that have been taken."""
        count = self.proof.ghost(f"{stream}_beat", self.beat_bits)
        after = ite(taken, self.next_beat(count), count)
        self.proof.follows(count, self.unless_reset(after, self.beat(0)))
        return count

    def collected(self, name: str, taken: Word, at: Word, word: Word) -> list[Word]:
        """The words of a number, as they come."""
        words = [self.proof.ghost(f"{name} {w}", self.word) for w in range(self.beats)]
        for w, own in enumerate(words):
            self.proof.follows(own, ite(taken & at.eq(w), word, own))
        return words

    def modulus_comes(self) -> Word:
        """Its words, counted."""
        self.in_beat = self.counted("in", self.accept)
        self.mod_beat = self.counted("mod", self.mod_accept)
        self.out_beat = self.counted("out", self.deliver)
        last = self.is_last(self.mod_beat)
        self.modulus_words(last)
        return self.mod_accept & last

    def modulus_words(self, last: Word) -> None:
        """They are kept; the sender marks the last one."""
        proof = self.proof
        proof.environment(
            "mod_last_i is high in the last beat of a modulus, and in no other",
            proof.input("mod_valid_i").implies(proof.input("mod_last_i").eq(last)),
        )
        data = proof.input("mod_data_i")
        self.m = self.collected("modulus", self.mod_accept, self.mod_beat, data)

    def blocked(self) -> tuple[Word, Word]:
        """No sender stops between its beats."""
        operands, modulus = super().blocked()
        goes_on = self.proof.input("in_valid_i") | self.in_beat.eq(0)
        return operands & self.mod_beat.eq(0), modulus & goes_on

    def last(self) -> None:
        """It marks the last beat of a result, and stays."""
        proof, last = self.proof, self.proof.output("out_last_o")
        proof.claim(
            "last", "out_last_o marks the last word of a result",
            self.out_valid.implies(last.eq(self.is_last(self.out_beat))),
        )  # fmt: skip
        proof.claim("stable", "its mark stays", self.stall.implies(proof.after(last).eq(last)))


class InBeats(Beats):
    """One multiplication at a time. ``work``: one is in flight, from its first beat to its
    result's last.
    """

    def __init__(self, proof: Proof) -> None:
        super().__init__(proof)
        self.work = proof.ghost("work", 1)
        proof.follows(self.work, self.unless_reset(self.begins | self.work & ~self.leaves))
        self.ages()
        proof.same.append(("work", TRUE, self.work))

    def ages(self) -> None:
        """Cycles since the first beat was taken, whether one of them was a stall or a pause of the
        sender, and cycles in a row without one."""
        proof, waits = self.proof, self.stall | self.pause
        self.age, self.hindered = proof.ghost("age", self.bits), proof.ghost("hindered", 1)
        self.calm = proof.ghost("calm", self.bits)
        one, zero = self.number(1), self.number(0)
        proof.follows(self.age, ite(self.begins, one, self.grows(self.age)))
        proof.follows(self.hindered, ite(self.begins, self.stall, self.hindered | waits))
        calm = ite(waits, zero, ite(self.begins, zero, self.grows(self.calm)))
        proof.follows(self.calm, calm)

    def in_time(self) -> None:
        """Claims about when answers come; one multiplication is in flight at a time."""
        proof, work = self.proof, self.work
        proof.claim("order", "no multiplication is overwritten", self.begins.implies(~work))
        proof.claim(
            "order", "further beats belong to one", (self.accept & ~self.first).implies(work)
        )
        proof.claim("order", "none between beats of a modulus", self.accept.implies(
            self.mod_beat.eq(0)
        ))  # fmt: skip
        proof.claim("answer", "within the limit", work.implies(self.calm.lt(self.limit)))
        lone = work & ~self.hindered
        proof.claim("latency", "not later", lone.implies(self.age.le(self.latency)))
        proof.claim("latency", "its last word by then", (lone & self.age.eq(self.latency)).implies(
            self.out_valid & self.is_last(self.out_beat)
        ))  # fmt: skip
        ends = lone & self.out_valid & self.is_last(self.out_beat)
        proof.claim("latency", "not sooner", ends.implies(self.age.eq(self.latency)))
