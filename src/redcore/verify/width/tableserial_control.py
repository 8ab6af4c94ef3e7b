# SPDX-License-Identifier: Apache-2.0
"""When tableserial does what, whatever the data.

A pass goes through the words of a number, one in a cycle, and each of them goes through three
stages: it is read in two cycles, added, and written. The specification makes a word when the core
addresses it. Its own counters say which word of which pass that is: of a modulus 12 passes make
entries of the table; of a multiplication 12 make those with b, one for each digit of R follows,
and a last one, which waits for each word of the result to be taken.
"""

from __future__ import annotations

from redcore.verify.induction import Proof
from redcore.verify.width.beats import InBeats, times
from redcore.verify.words import FALSE, TRUE, Word, concat, const, ite

ENTRIES = 12
"""Passes that make entries: with b one for each; of a modulus three sums, and what is divided, for
each of its multiples."""
ASKED = 4
"""Cycles for a word of a result."""


class Control(InBeats):
    """Ghosts of one design, and what is stated of handshakes and times.

    ``steps``: the specification makes a word, ``at`` of pass ``turn`` (of a modulus where
    ``derives`` is high). ``stage``: what is on its way behind that, by the number of cycles.
    ``place``: cycles since operands began to come, less those in which others let wait.
    """

    def __init__(self, proof: Proof) -> None:
        super().__init__(proof)
        self.digits = -(-(self.n + 2) // 2)
        self.in_word = self.word // 2  # digits
        self.final = ENTRIES + self.digits
        self.finishes = self.beats * (1 + self.final)
        register = proof.register
        self.entries, self.zero, self.load, self.build, self.iterate, self.finish = (
            register(f"{name}_q")
            for name in ("entries", "zero", "load", "build", "iterate", "finish")
        )
        self.word_q, self.entry = register("word_q"), register("entry_q")
        self.asks = [register(f"{name}_q") for name in ("ask", "asked", "answer")]
        self.asks.append(self.out_valid)
        stages = enumerate(("first", "second", "third"), 1)
        self.valid = {k: register(f"{name}_valid_q") for k, name in stages}
        self.counters()
        self.stages()
        self.phases()
        self.shell()
        self.pipeline()
        self.order()
        self.places()
        self.claims()

    def beats_of(self, count: Word) -> Word:
        """Cycles of so many passes."""
        return times(count.wide(self.bits), self.beats)

    def counters(self) -> None:
        """The specification's words and passes."""
        proof = self.proof
        self.boots = self.entries & self.zero
        self.passing = self.entries | self.build | self.iterate
        self.steps = self.passing & ~self.boots | self.asks[0]
        self.derives, self.ready = proof.ghost("derives", 1), proof.ghost("ready", 1)
        turns = (self.final + 2).bit_length()
        self.turn, self.at = proof.ghost("turn", turns), proof.ghost("at", self.beat_bits)
        begun, ends = self.mod_end | self.whole, self.steps & self.is_last(self.at)
        proof.follows(self.derives, ite(self.mod_end, TRUE, ~self.whole & self.derives))
        made = self.ready | self.derives & ends & self.turn.eq(ENTRIES - 1)
        proof.follows(self.ready, self.unless_reset(~self.mod_end & made))
        more = ite(ends, self.turn + const(1, turns), self.turn)
        proof.follows(self.turn, ite(begun, const(0, turns), more))
        after = ite(self.steps, self.next_beat(self.at), self.at)
        after = ite(begun, self.beat(0), after)
        proof.follows(self.at, self.unless_reset(after, self.beat(0)))
        self.place = proof.ghost("place", self.bits)
        moves = ite(self.stall | self.pause, self.place, self.grows(self.place))
        proof.follows(self.place, ite(self.begins, self.number(1), moves))

    def stages(self) -> None:
        """What is in the three stages: which word, whether zeros are written behind reset, whether
        these read zeros, too (``sound``), whether an entry is written, and whether the word is one
        of the last pass (``out``)."""
        proof = self.proof
        now = {
            "at": self.word_q, "boots": self.boots, "writes": self.entries | self.build,
            "sound": ~self.boots | self.entry.eq(ENTRIES - 1), "out": self.finish,
        }  # fmt: skip
        self.now = now
        self.stage = [now]
        for k in (1, 2, 3):
            own = {name: proof.ghost(f"{name} {k}", word.width) for name, word in now.items()}
            for name, ghost in own.items():
                proof.follows(ghost, self.stage[k - 1][name])
            self.stage.append(own)

    def phases(self) -> None:
        """What is done, and the specification's word."""
        proof, says, entry, turn, word_q = self.proof, self.says, self.entry, self.turn, self.word_q
        entries, zero, load, build = self.entries, self.zero, self.load, self.build
        iterate, finish = self.iterate, self.finish
        each = [entries, load, build, iterate, finish]
        both = FALSE
        for k, one in enumerate(each):
            for other in each[:k]:
                both |= one & other
        says("something is done", entries | load | build | iterate | finish)
        says("one thing", ~both)
        says("words are words", word_q.le(self.beats - 1) & self.at.le(self.beats - 1))
        says("beats are beats", self.in_beat.le(self.beats - 1) & self.mod_beat.le(self.beats - 1))
        says("entries are counted", (entries | build).implies(entry.le(ENTRIES - 1)))
        says("zeros at first", zero.implies(entries & ~self.loaded & const(9, 4).le(entry)))
        divides = proof.register("divides_q")
        says("what divides", divides.eq(entries & (zero | entry.low(2).eq(3))))
        first = proof.register("first_q")
        says("the first iteration", first.eq(iterate & turn.eq(ENTRIES)))
        says("nothing is counted in between", load.implies(entry.eq(0)))
        own = entry.wide(turn.width)
        says("entries of a modulus", (entries & ~zero).implies(
            self.loaded & ~self.ready & self.derives & turn.eq(own) & self.at.eq(word_q)
        ))  # fmt: skip
        says("entries with b", build.implies(~self.derives & turn.eq(own) & self.at.eq(word_q)))
        says("iterations", iterate.implies(
            ~self.derives & const(ENTRIES, turn.width).le(turn) & turn.lt(self.final)
            & self.at.eq(word_q)
        ))  # fmt: skip
        asks = self.asks[0]
        says("a word that is asked for", (finish & asks).implies(
            turn.eq(self.final) & self.at.eq(word_q)
        ))  # fmt: skip
        says("a word that was asked for", (finish & ~asks).implies(
            self.at.eq(self.next_beat(word_q))
            & turn.eq(ite(self.is_last(word_q), const(self.final + 1, turn.width),
                          const(self.final, turn.width)))
        ))  # fmt: skip
        says("the last pass", finish.implies(~self.derives))
        says("with a modulus", (build | iterate | finish).implies(self.loaded & self.ready))
        says("entries are there", (load & self.loaded).implies(self.ready))
        # Digits.
        self.digit_word, self.digit_at = proof.register("digit_word_q"), proof.register("digit_q")
        none = self.digit_word.eq(0) & self.digit_at.eq(0)
        says("the lowest digit", (build | load & word_q.ne(0)).implies(none))
        digit = times(self.digit_word.wide(self.bits), self.in_word)
        digit += self.digit_at.wide(self.bits)
        says("digits", iterate.implies(
            digit.eq(turn.wide(self.bits) - self.number(ENTRIES - 1))
            & self.digit_at.wide(self.bits).lt(self.in_word)
        ))  # fmt: skip

    def shell(self) -> None:
        """The streams."""
        proof, says, load, first = self.proof, self.says, self.load, self.first
        in_ready, mod_ready, mod_first = self.in_ready, self.mod_ready, self.mod_beat.eq(0)
        says("loaded is known", proof.register("i_shell.loaded_q").eq(self.loaded))
        says("further beats are known", proof.register("more_q").eq(~first))
        says("beats are counted", load.implies(
            self.word_q.eq(ite(first, self.mod_beat, self.in_beat))
        ))  # fmt: skip
        says("one stream at a time", first | mod_first)
        says("beats come one behind another", (~load).implies(first & mod_first))
        going = self.build | self.iterate | self.finish
        says("work", self.work.eq(~first | going))
        says("results", self.out_beat.eq(ite(self.finish, self.word_q, self.beat(0))))
        says("operands", in_ready.implies(load & self.loaded & mod_first))
        says("a modulus", mod_ready.implies(load & first & ~in_ready))
        says("operands go on", (~first).implies(in_ready))
        says("a modulus goes on", (~mod_first).implies(mod_ready))
        says("a modulus that waits", (mod_ready & mod_first).implies(self.mod_waits))
        says("one stream is open", (load & self.loaded).implies(in_ready | mod_ready))

    def back(self, word: Word, by: int) -> Word:
        """The word so many before."""
        least = self.beat(by)
        return ite(word.lt(least), word + self.beat(self.beats - by), word - least)

    def pipeline(self) -> None:
        """Which stages have a word, and which word it is."""
        proof, says, word_q, stage = self.proof, self.says, self.word_q, self.stage
        valid, load, finish, passing = self.valid, self.load, self.finish, self.passing
        entry, asks, top = self.entry, self.asks, self.beats - 1
        begins = ite(self.boots, entry.eq(9), (self.entries | self.build) & entry.eq(0))
        for k in (1, 2, 3):
            says(f"stage {k} fills", (passing & begins).implies(
                valid[k].eq(self.beat(k).le(word_q))
            ))  # fmt: skip
            says(f"stage {k} is full", (passing & ~begins).implies(valid[k]))
            says(f"stage {k} is behind", (passing & valid[k]).implies(
                stage[k]["at"].eq(self.back(word_q, k))
            ))  # fmt: skip
            says(f"stage {k} empties", (load & valid[k]).implies(word_q.lt(k)))
            for first in range(1, k + 1):
                leads = valid[first] & (~valid[first - 1] if first > 1 else TRUE)
                says(f"stage {k} empties, {first}", (load & leads).implies(
                    valid[k] & stage[k]["at"].eq(top - k + first)
                ))  # fmt: skip
        # The last pass: a word is in one stage, those before it are at first.
        one = asks[0] | asks[1] | asks[2] | asks[3]
        two = FALSE
        for k, ask in enumerate(asks):
            for other in asks[:k]:
                two |= ask & other
        says("a word is asked for or on its way", finish.eq(one))
        says("only one", ~two)
        lowest = word_q.eq(0)
        for s in range(4):
            for k in (1, 2, 3):
                guard = finish & asks[s]
                if k <= s:
                    own = valid[k] if k == s else ~valid[k]
                    if s < 3 or k < 3:
                        says(f"stage {k} of word asked {s}", guard.implies(own))
                    if k == s:
                        says(f"stage {k} has word asked {s}", (guard & valid[k]).implies(
                            stage[k]["at"].eq(word_q)
                        ))  # fmt: skip
                else:
                    says(f"stage {k} before word asked {s}", guard.implies(valid[k].eq(lowest)))
                    says(f"stage {k} has a word before {s}", (guard & lowest).implies(
                        stage[k]["at"].eq(self.beats - k + s)
                    ))  # fmt: skip
        for k in (1, 2):
            says(f"stages {k} and {k + 1}", (valid[k] & valid[k + 1]).implies(
                stage[k]["at"].eq(self.next_beat(stage[k + 1]["at"]))
            ))  # fmt: skip
        # Where words are written, and marks of a pass's last one.
        write = proof.register("write_word_q")
        third_last = proof.register("third_last_q")
        first_last, second_last = proof.register("first_last_q"), proof.register("second_last_q")
        idle = ~valid[1] & ~valid[2] & ~valid[3]
        says("the third is written", valid[3].implies(write.eq(stage[3]["at"])))
        says("the second will be", (valid[2] & ~valid[3]).implies(write.eq(stage[2]["at"])))
        says("the first will be", (valid[1] & ~valid[2] & ~valid[3]).implies(
            write.eq(stage[1]["at"])
        ))  # fmt: skip
        behind = ite(asks[3], self.next_beat(word_q), word_q)
        says("the next will be", idle.implies(write.eq(ite(finish, behind, self.beat(0)))))
        says("the last one's mark", third_last.eq(
            ite(valid[3], self.is_last(write), write.eq(0))
        ))  # fmt: skip
        for k, mark in ((1, first_last), (2, second_last)):
            says(f"the mark of stage {k}", valid[k].implies(
                mark.eq(self.is_last(stage[k]["at"]))
            ))  # fmt: skip
        further, not_last = word_q.ne(0), word_q.ne(top)
        says("no mark before a word", (finish & asks[0] & further).implies(
            ~first_last & ~second_last
        ))  # fmt: skip
        says("no mark behind it", (finish & asks[1] & further).implies(~second_last))
        says("no mark in between", (finish & asks[2] & not_last).implies(~first_last))
        says("no mark until the next", (finish & asks[3] & not_last).implies(
            ~first_last & ~second_last
        ))  # fmt: skip
        says("the lowest word's digit", valid[3].implies(
            proof.register("lowest_q").eq(stage[3]["at"].eq(0))
        ))  # fmt: skip

    def order(self) -> None:
        """Words of one pass do the same."""
        proof, says, valid, stage = self.proof, self.says, self.valid, self.stage
        zero_write, entry_write = proof.register("zero_write_q"), proof.register("entry_write_q")
        names = ("boots", "writes", "sound")

        def alike(one: dict[str, Word], other: dict[str, Word]) -> Word:
            return concat(*(one[x] for x in names)).eq(concat(*(other[x] for x in names)))

        says("the first stage is of the pass", (
            self.passing & valid[1] & self.word_q.ne(0)
        ).implies(alike(stage[1], self.now)))  # fmt: skip
        for k in (1, 2):
            says(f"stages {k} and {k + 1} of a pass", (
                valid[k] & valid[k + 1] & stage[k]["at"].ne(0)
            ).implies(alike(stage[k], stage[k + 1])))  # fmt: skip
        for k in (1, 2, 3):
            own = stage[k]
            says(f"stage {k} in the end", (self.finish & valid[k]).implies(
                ~own["boots"] & ~own["writes"]
            ))  # fmt: skip
            says(f"stage {k} behind reset", valid[k].implies(
                ite(self.zero, own["boots"], ~own["boots"] | self.load & own["sound"])
            ))  # fmt: skip
            says(f"stage {k} is sound", valid[k].implies(own["boots"] | own["sound"]))
            says(f"stage {k} is not of the last pass", (valid[k] & ~self.finish).implies(
                ~own["out"]
            ))  # fmt: skip
            for s, ask in enumerate(self.asks):
                says(f"stage {k} of word asked {s} is of it", (
                    self.finish & ask & valid[k]
                ).implies(own["out"].eq(k == s)))  # fmt: skip
        says("what is written", valid[3].implies(
            zero_write.eq(stage[3]["boots"]) & entry_write.eq(stage[3]["writes"])
        ))  # fmt: skip
        says("no entry in the end", (
            self.finish & (self.word_q.ne(0) | self.asks[3])
        ).implies(~zero_write & ~entry_write))  # fmt: skip

    def places(self) -> None:
        """How long everything takes."""
        says, place, work, word_q = self.says, self.place, self.work, self.word_q
        wide = word_q.wide(self.bits)
        says("place while operands come", (work & self.load).implies(
            place.eq(self.in_beat.wide(self.bits))
        ))  # fmt: skip
        says("place in passes", (self.build | self.iterate).implies(
            place.eq(self.beats_of(self.turn) + wide + self.number(self.beats))
        ))  # fmt: skip
        said = times(wide, ASKED) + self.number(self.finishes)
        for s, ask in enumerate(self.asks):
            says(f"place in the end, {s}", (self.finish & ask).implies(
                place.eq(said + self.number(s))
            ))  # fmt: skip
        says("cycles without a wait", (work & ~self.hindered).implies(self.age.eq(place)))
        says("calm cycles", work.implies(self.calm.lt(place)))
        most, shut, mod_shut = self.latency + 1, self.shut, self.mod_shut
        since = self.beats_of(self.entry) + wide + self.number(1)
        says("operands behind work", work.implies(shut.le(place)))
        says("operands behind a modulus", self.entries.implies(shut.le(since)))
        idle = self.load & ~work
        says("operands find it open", idle.implies(shut.eq(0) | self.in_ready & shut.le(most)))
        says("a modulus behind work", work.implies(mod_shut.le(place)))
        says("a modulus behind one", self.entries.implies(mod_shut.le(since)))
        says("a modulus finds it open", idle.implies(
            mod_shut.eq(0) | self.mod_ready & mod_shut.le(most)
        ))  # fmt: skip

    def claims(self) -> None:
        """What follows for the contract."""
        proof, work, place, out_valid = self.proof, self.work, self.place, self.out_valid
        done = place - self.number(self.finishes)
        done = work & self.number(self.finishes).le(place) & done.low(2).eq(ASKED - 1)
        self.contract(done, ~work, data=True)
        self.in_time()
        turn = self.turn
        proof.claim("result", "entries of a modulus have had all passes", self.accept.implies(
            self.ready
        ))  # fmt: skip
        proof.claim("result", "a result's word is of the last pass, and the last one made", (
            out_valid.implies(
                ~self.derives & self.at.eq(self.next_beat(self.out_beat))
                & turn.eq(ite(self.is_last(self.out_beat), const(self.final + 1, turn.width),
                              const(self.final, turn.width)))
            )
        ))  # fmt: skip
        register = proof.register
        for name in (
            "entries", "load", "build", "iterate", "finish", "word", "ask", "asked", "answer",
            "first_valid", "second_valid", "third_last", "digit_word", "digit",
        ):  # fmt: skip
            proof.same.append((f"its {name}", TRUE, register(f"{name}_q")))
        proof.same.append(("out_valid", TRUE, out_valid))
        proof.same.append(("its entry", self.entries | self.build, self.entry))
        proof.same.append(("its first mark", self.valid[1], register("first_last_q")))
        proof.same.append(("its second mark", self.valid[2], register("second_last_q")))
        proof.covers["a multiplication that nobody lets wait"] = (
            out_valid & ~self.hindered & self.is_last(self.out_beat)
        )
        proof.covers["a word of a result waits"] = self.stall & ~self.is_last(self.out_beat)
        proof.covers["operands wait for work"] = self.build & self.shut.eq(5)
        proof.covers["operands wait for entries of a modulus"] = self.entries & self.shut.eq(9)
        long = self.mod_shut.eq(self.beats + 9)
        proof.covers["a modulus waits for a result"] = self.finish & long
        proof.covers["a modulus waits for the one before"] = self.entries & self.mod_shut.eq(9)
        proof.covers["operands pause"] = self.pause
        # The cycle before was that of a last word.
        follows = self.begins & register("first_last_q")
        proof.covers["operands follow a result at once"] = follows
