# SPDX-License-Identifier: Apache-2.0
"""When tablechain does what, whatever the data.

What is stated here is of the handshakes, the schedule and the places of results. Of the values
there is no description yet, so that the family is not among those proved at a given width.

Three multiplications are in flight at most: one is *coming*, while its words come and entries with
them are made; its *claim* of places for its result begins the iterations; the *older* and the
*newer* of two that have claimed leave the units, which cannot wait, for the memory of results. What
goes on there is a function of the cycles since the last claim and since the last iteration.
"""

from __future__ import annotations

from redcore.design import number
from redcore.verify.induction import Proof
from redcore.verify.width.beats import Beats, times
from redcore.verify.words import FALSE, TRUE, Word, concat, const, ite

BUILD = 12
"""Cycles in which entries are made."""
ROWS = 3
"""Multiples of the modulus, which are divided."""
_STATES = ("boot", "rest", "", "build", "divide", "", "settle", "iterate")
"""As they stand in the register; those without a name are of several moduli."""


class Control(Beats):
    """Ghosts of one design, and what is stated of handshakes and times.

    ``since``: cycles since the last claim, 1 in the first one behind it; ``fin``: since the last
    iteration. Both stay at the most that they can hold, from where they also begin.
    """

    def __init__(self, proof: Proof) -> None:
        super().__init__(proof)
        self.iterations = -(-(self.n + 2) // 2) + 1
        self.digits = number(proof.design.values, "word") // 2  # of a word
        units = self.beats
        self.proof_at = min(units + 1, BUILD - 1)
        self.ahead = min(units - 1, self.proof_at + 1)
        self.opens = max(0, min(units * self.digits, self.iterations) - units - 3)
        self.levels = max(-(-(units - 1).bit_length() // 3), 1) - 1
        self.offered = 5 + self.levels  # cycles behind the last iteration
        late = min(max(0, BUILD - self.offered), units)
        least = max(min(16, 2 * units), 2 * units - late)
        self.places = 1 << (least - 1).bit_length() if least <= 16 else -(-least // 16) * 16
        self.least = max(0, 2 * units - self.places)
        """Words of the older result that have to be gone before another one is claimed."""
        state = proof.net("i_schedule.state_q")
        self.states = {name: state.bit(7 - at) for at, name in enumerate(_STATES) if name}
        self.in_boot, self.in_rest, self.in_build = (
            self.states[name] for name in ("boot", "rest", "build")
        )
        self.in_divide, self.in_settle, self.in_iterate = (
            self.states[name] for name in ("divide", "settle", "iterate")
        )
        self.index = proof.register("i_schedule.index_q")
        self.claim = proof.register("i_schedule.claim_o")
        self.ghosts()
        self.phases()
        self.counts()
        self.operands()
        self.company()
        self.ring()
        self.lone()
        self.waits()
        self.limits()
        self.claims()

    def plus(self, word: Word, more: int) -> Word:
        """So many more."""
        return word.wide(self.bits) + self.number(more)

    def within(self, word: Word, least: int, most: int) -> Word:
        """It is one of these numbers."""
        return const(least, word.width).le(word) & word.le(most)

    def ghosts(self) -> None:
        """What is in flight, and since when."""
        proof, claim = self.proof, self.claim
        one, most = self.number(1), self.number(-1)
        self.full = proof.ghost("full", 1)
        proof.follows(self.full, self.unless_reset(self.whole | self.full & ~claim))
        self.coming = ~self.first | self.full
        self.since, self.fin = proof.ghost("since", self.bits), proof.ghost("fin", self.bits)
        proof.follows(self.since, self.unless_reset(ite(claim, one, self.grows(self.since)), most))
        self.iterating = self.within(self.since, 1, self.iterations)
        ends = self.since.eq(self.iterations)
        proof.follows(self.fin, self.unless_reset(ite(ends, one, self.grows(self.fin)), most))
        # The last one that has claimed is not offered yet.
        self.pending = self.iterating | self.fin.lt(self.offered)
        self.older, self.newer = proof.ghost("older", 1), proof.ghost("newer", 1)
        leaves = self.leaves
        stays = self.older & ~(leaves & ~self.newer)
        proof.follows(self.older, self.unless_reset(stays | claim))
        proof.follows(self.newer, self.unless_reset(
            self.newer & ~leaves | claim & stays
        ))  # fmt: skip
        self.one, self.two = self.older & (self.newer | ~self.pending), self.newer & ~self.pending
        # A modulus's entries are made.
        self.ready = proof.ghost("ready", 1)
        made = proof.wire("i_schedule.made")
        proof.follows(self.ready, self.unless_reset(~self.mod_end & (self.ready | made)))
        self.derives = self.loaded & ~self.ready
        # Cycles, and whether others were in the way.
        hinders = self.stall | self.pause
        self.coming_age, self.coming_calm, self.coming_lone = (
            proof.ghost("coming_age", self.bits), proof.ghost("coming_calm", self.bits),
            proof.ghost("coming_lone", 1),
        )  # fmt: skip
        self.age, self.time, self.lone_one = (
            proof.ghost("older_age", self.bits), proof.ghost("older_time", self.bits),
            proof.ghost("older_lone", 1),
        )  # fmt: skip
        self.calm, self.newer_calm = (
            proof.ghost("older_calm", self.bits), proof.ghost("newer_calm", self.bits)
        )  # fmt: skip
        zero = self.number(0)
        proof.follows(self.coming_age, ite(self.begins, one, self.grows(self.coming_age)))
        lone = ite(self.begins, ~stays, self.coming_lone & ~hinders)
        proof.follows(self.coming_lone, lone)
        calm = ite(self.begins | hinders, zero, self.grows(self.coming_calm))
        proof.follows(self.coming_calm, calm)
        # What has claimed takes the older place where that is free.
        takes, moves = claim & ~stays, leaves & self.newer
        proof.follows(self.age, self.grows(ite(takes, self.coming_age, self.age)))
        proof.follows(self.time, ite(takes, one, self.grows(ite(moves, self.since, self.time))))
        lone = ite(takes, self.coming_lone, self.lone_one & ~moves) & ~self.stall
        proof.follows(self.lone_one, lone)
        own = ite(moves, self.newer_calm, self.calm)
        own = ite(takes, self.coming_calm, own)
        proof.follows(self.calm, ite(self.stall, zero, self.grows(own)))
        own = ite(claim, self.coming_calm, self.newer_calm)
        proof.follows(self.newer_calm, ite(self.stall, zero, self.grows(own)))

    def phases(self) -> None:
        """The schedule's state, and its counter."""
        says, index, register = self.says, self.index, self.proof.register
        rest, build, divide = self.in_rest, self.in_build, self.in_divide
        settle, iterate = self.in_settle, self.in_iterate
        each = [self.in_boot, rest, build, divide, settle, iterate]
        both = FALSE
        for k, state in enumerate(each):
            for other in each[:k]:
                both |= state & other
        says("something is done", self.in_boot | rest | build | divide | settle | iterate)
        says("one thing", ~both)
        self.of_modulus = register("i_schedule.modulus_q")
        of_modulus = self.of_modulus
        mod_end = register("mod_end_q")
        says("nothing before a modulus", (~self.loaded).implies(
            (self.in_boot | rest) & ~mod_end & ~self.ready
        ))  # fmt: skip
        says("boot is before a modulus", self.in_boot.implies(~self.loaded))
        most = self.number(-1)
        says("nothing before boot", self.in_boot.implies(
            self.since.eq(most) & self.fin.eq(most) & self.shut.eq(0) & self.mod_shut.eq(0)
        ))  # fmt: skip
        says("entries of a modulus", self.derives.implies(
            mod_end & rest | of_modulus & ~mod_end & (build | divide)
        ))  # fmt: skip
        says("entries are there", self.ready.implies(
            ~mod_end & ~of_modulus & ~divide & self.loaded
        ))  # fmt: skip
        says("entries are counted", build.implies(index.le(BUILD - 1)))
        says("multiples are counted", divide.implies(index.le(ROWS - 1)))
        read, divides = register("i_schedule.read_q"), register("i_schedule.divides_q")
        says("three cycles for a multiple", ~(read & divides) & (read | divides).implies(divide))
        last = build & index.eq(BUILD - 1)
        says("the last entry", register("i_schedule.last_q").eq(last & ~of_modulus))
        says("the last of a modulus", register("i_schedule.last_multiple_q").eq(
            last & of_modulus
        ))  # fmt: skip
        says("when words have to be there", register("i_schedule.proof_q").eq(
            build & ~of_modulus & index.eq(self.proof_at)
        ))  # fmt: skip
        self.building = build & ~of_modulus
        says("entries are made of operands", (self.building | settle | iterate).implies(
            self.ready
        ))  # fmt: skip
        says("operands are there, or come", self.building.implies(self.coming))
        late = const(self.proof_at, index.width).lt(index)
        says("they were there in time", (self.building & late).implies(self.full))
        says("all of them are there", settle.implies(self.full))
        says("a claim ends the waiting", self.claim.implies(settle))
        says("iterations", iterate.eq(self.iterating))
        says("the first one", iterate.implies(
            register("i_schedule.first_q").eq(self.since.eq(1))
        ))  # fmt: skip
        says("digits are asked for", register("i_schedule.next_o").eq(self.claim | iterate))
        # What came before.
        done = self.number(self.iterations)
        says("since the end", iterate | self.since.eq(self.number(-1)) | self.fin.eq(
            self.since - done
        ))  # fmt: skip
        says("the end is long ago", self.since.eq(self.number(-1)).implies(
            (self.number(-1) - done).le(self.fin)
        ))  # fmt: skip
        says("the claim was", self.number(1).le(self.since) & self.number(1).le(self.fin))
        says("built behind the end", self.building.implies(index.wide(self.bits).lt(self.fin)))
        says("settled behind the end", settle.implies(self.number(BUILD).lt(self.fin)))
        says("the end before", iterate.implies(
            self.plus(self.since, BUILD + 1).le(self.fin) | self.fin.eq(self.number(-1))
        ))  # fmt: skip
        finishes = register("finish_q")
        for k in range(3):
            says(f"the end, {k + 1} before", finishes.bit(k).eq(self.fin.eq(k + 1)))

    def counts(self) -> None:
        """Digits of the multiplier."""
        says, register = self.says, self.proof.register
        at, count = register("i_digits.at_q"), register("i_digits.count_q")
        ends = register("i_digits.ends_q")
        last = at.wide(self.bits).eq(self.digits - 1)
        self.digit_at, self.digit_word = at, count
        number = times(count.wide(self.bits), self.digits) + at.wide(self.bits)
        behind = self.number(self.digits).gated(last)  # the next word is asked for
        begun = self.building & self.index.ne(0) | self.in_settle
        none = at.eq(0) & count.eq(0) & ~ends
        says("the lowest digit", begun.implies(none))
        says("digits", self.in_iterate.implies(number.eq(self.since + behind)))
        says("digits of a word", self.in_iterate.implies(
            at.wide(self.bits).lt(self.digits) & count.wide(self.bits).le(
                self.number((self.iterations + 1) // self.digits))
            & ends.eq(last)
        ))  # fmt: skip
        says("the last digit", self.in_iterate.implies(
            register("i_digits.last_q").eq(self.since.eq(self.iterations))
        ))  # fmt: skip
        says("digits behind which operands come", self.in_iterate.implies(
            register("i_digits.early_q").eq(self.since.eq(self.opens + 1))
        ))  # fmt: skip

    def operands(self) -> None:
        """The streams."""
        says, register = self.says, self.proof.register
        first, mod_first = self.first, self.mod_beat.eq(0)
        rest, iterate = self.in_rest, self.in_iterate
        in_ready, mod_ready = self.in_ready, self.mod_ready
        says("loaded is known", register("i_shell.loaded_q").eq(self.loaded))
        says("beats are known", register("beat_q").eq(self.in_beat))
        says("further beats are known", register("more_q").eq(~first))
        says("further beats of a modulus", register("gen_at_once.mod_more_q").eq(~mod_first))
        says("all beats are known", register("full_q").eq(self.full))
        says("a place is taken", register("occupied_q").eq(self.coming))
        says("beats are beats", self.in_beat.le(self.beats - 1) & self.mod_beat.le(self.beats - 1))
        says("one at a time", first | ~self.full)
        if 0 < self.ahead < self.beats - 1:
            says("enough beats are known", register("gen_wait_for_some.ample_q").eq(
                self.within(self.in_beat, self.beats - self.ahead, self.beats - 1)
            ))  # fmt: skip
        says("built of enough", self.building.implies(
            self.full | const(max(1, self.beats - self.ahead), self.beat_bits).le(self.in_beat)
            & const(self.ahead != 0, 1)
        ))  # fmt: skip
        opened = register("i_schedule.open_q")
        self.opened = opened
        says("open in rest or late", opened.implies(
            rest | self.building | self.in_settle | register("mod_end_q") | iterate
            & self.number(self.opens + 2).le(self.since)
        ))  # fmt: skip
        says("open late", (iterate & self.number(self.opens + 2).le(self.since)).implies(opened))
        says("no entries are built while open", (opened & register("mod_end_q")).implies(rest))
        says("operands in time", in_ready.implies(
            self.ready & (~first | ~self.full & (
                rest | iterate & self.number(self.opens + 3).le(self.since)))
            & mod_first & ~mod_ready
        ))  # fmt: skip
        says("operands that came", (self.coming & iterate).implies(
            self.number(self.opens + 4).le(self.since)
            & self.plus(self.in_beat, self.opens + 3).le(self.since)
        ))  # fmt: skip
        says("operands go on", (~first).implies(in_ready))
        says("a modulus in rest", mod_ready.implies(rest & ~self.coming & ~in_ready))
        says("a modulus goes on", (~mod_first).implies(mod_ready))
        says("a modulus that waits", (mod_ready & mod_first).implies(self.mod_waits))
        says("no modulus beside another", register("mod_end_q").implies(
            rest & ~self.coming & ~in_ready & ~mod_ready & mod_first & self.loaded
        ))  # fmt: skip

    def company(self) -> None:
        """Who may be beside whom."""
        says, register = self.says, self.proof.register
        older, newer, pending = self.older, self.newer, self.pending
        says("newer than one", newer.implies(older))
        says("a modulus was there", older.implies(self.loaded) & self.coming.implies(self.ready))
        says("those that claimed", register("i_results.owed_q").eq(concat(newer, older)))
        says("those that are offered", register("i_results.some_q").eq(concat(self.two, self.one)))
        says("the last that claimed", pending.implies(older))
        says("a claim has a place", self.claim.implies(
            ~newer & (~older | self.enough_left())
        ))  # fmt: skip
        says("a result leaves the older one's", newer.implies(self.enough_left()))
        says("all that claimed is offered before", (
            self.in_settle | self.building & const(self.offered, 4).le(self.index)
        ).implies(~pending))  # fmt: skip

    def enough_left(self) -> Word:
        """Words of the older result are gone."""
        return const(self.least, self.beat_bits + 1).le(self.out_beat.wide(self.beat_bits + 1))

    def written(self) -> Word:
        """Words of the last result that have been written."""
        fin, units = self.fin, self.beats
        first = 4 + (self.levels if units > 15 or units <= 8 else 0)
        zero = self.number(0)
        count = ite(fin.lt(first), zero, fin - self.number(first))
        if 8 < units <= 15:  # seven at once, the others a cycle later
            count = ite(self.number(12).le(fin), fin - self.number(5), count)
            count = ite(fin.eq(11), self.number(7), count)
            first = 5
        return ite(self.number(first + units).le(fin), self.number(units), count)

    def ring(self) -> None:
        """Words of results, as they are written, kept and taken."""
        says, register, fin, units = self.says, self.proof.register, self.fin, self.beats
        out, one, two = self.out_beat, self.one, self.two
        if units > 1:
            says("words taken", register("i_results.beat_q").eq(out))
        says("words are words", out.le(units - 1))
        says("the last word", register("i_results.last_q").eq(self.is_last(out)))
        says("no word of none", out.ne(0).implies(one))
        if self.least:
            says("enough are gone", register("i_results.gone_q").eq(
                ~const(units - 1, self.beat_bits + 1).lt(self.least) & self.enough_left()
            ))  # fmt: skip
        taken = out.wide(self.bits)
        says("taken behind written", (one & ~two & self.number(self.offered).le(fin)).implies(
            self.plus(taken, self.offered).le(fin)
        ))  # fmt: skip
        says("a result leaves once it is written", one | fin.lt(self.offered) | self.number(
            self.offered + units
        ).le(fin))  # fmt: skip
        begins = self.proof.wire("i_results.begins")
        for k in range(self.levels + 1):
            says(f"a result begins, {k}", begins.bit(k + 1).eq(fin.eq(4 + k)))
        if units <= 15:
            self.gather_few()
        else:
            self.gather_many()
        early = fin.lt(self.offered)
        zero, whole = self.number(0), self.number(units)
        kept = ite(
            early | two, ite(one, whole - taken, zero) + self.written(),
            ite(one, self.written() - taken, zero),
        )  # fmt: skip
        self.kept = kept
        read, write = register("i_results.read_q"), register("i_results.write_q")
        places = self.number(self.places)
        says("words have places", read.wide(self.bits).lt(places) & write.wide(self.bits).lt(
            places
        ))  # fmt: skip
        to = read.wide(self.bits) + kept
        to = ite(to.lt(places), to, to - places)
        says("where words are written", write.wide(self.bits).eq(to))

    def gather_few(self) -> None:
        """Up to 15 words."""
        says, register, fin, units = self.says, self.proof.register, self.fin, self.beats
        few = "i_results.gen_few."
        direct = units <= 8
        last, end = (units - 1, units + 3) if direct else (7, units + 4)
        running = self.within(fin, 4, end)
        says("words are gathered", register(f"{few}running_q").eq(running))
        step = (fin - self.number(4)).low(3)
        over = self.number(4 + last).le(fin)
        index = ite(running, ite(over, const(last, 3), step), const(0, 3))
        index = ite(fin.eq(end + 1), const(last, 3), index)
        copies = self.proof.net(f"{few}index")
        for k in range(copies.width // 3):
            says(f"which word, {k}", self.in_boot | copies.piece(3 * k + 2, 3 * k).eq(index))
        if not direct:
            count = register(f"{few}gen_others.count_q")
            behind = ite(over, (fin - self.number(11)).low(4), const(0, 4))
            late = self.within(fin, 4, end)
            says("which of the others", late.implies(count.eq(behind)))
            writes = self.within(fin, 4, 10) | self.within(fin, 12, end)
            says("words are written", register(f"{few}gen_others.writes_q").eq(writes))

    def gather_many(self) -> None:
        """More than 15 words."""
        says, register, fin, units = self.says, self.proof.register, self.fin, self.beats
        many = "i_results.gen_many."
        running = self.within(fin, 4, units + 3)
        says("words are gathered", register(f"{many}running_q").eq(running))
        count = self.proof.net(f"{many}count_q")
        says("which word", running.implies(
            count.wide(self.bits).eq(fin - self.number(4))
        ))  # fmt: skip
        ahead, counts = self.proof.net(f"{many}ahead_q"), self.within(fin, 4, units + 2)
        says("which word comes", ite(
            counts, ahead.wide(self.bits).eq(fin - self.number(3)), ahead.eq(0)
        ))  # fmt: skip
        valid = self.proof.wire(f"{many}valid")
        for k in range(1, self.levels + 1):
            says(f"words of level {k}", valid.bit(k).eq(self.within(fin, 4 + k, units + 3 + k)))

    def lone(self) -> None:
        """A multiplication with nothing else in flight, from its first word to its last."""
        says, age, lone, index = self.says, self.coming_age, self.coming_lone, self.index
        units, wide = self.beats, self.bits
        awaited = units - self.ahead  # words that building waits for
        alone = self.coming & lone
        self.made = awaited + 1 + BUILD  # its claim, in cycles behind the first beat
        says("alone", alone.implies(~self.older & ~self.in_iterate & ~self.in_boot))
        says("words alone", (alone & ~self.first).implies(age.eq(self.in_beat.wide(wide))))
        says("all words alone", (alone & self.full).implies(self.number(units).le(age)))
        says("rest alone", (alone & self.in_rest).implies(age.le(awaited)))
        says("built alone", (alone & self.in_build).implies(
            age.eq(self.plus(index, awaited + 1))
        ))  # fmt: skip
        says("settled alone", (alone & self.in_settle).implies(
            self.claim & age.eq(self.made)
        ))  # fmt: skip
        older = self.older & self.lone_one
        says("time of the last", (self.older & ~self.newer).implies(self.time.eq(self.since)))
        says("age alone", older.implies(self.age.eq(self.plus(self.time, self.made))))
        begun = self.number(self.iterations + self.offered)
        says("offered alone", older.implies(self.one.eq(begun.le(self.time))))
        says("words taken alone", (older & self.one).implies(
            self.time.eq(self.out_beat.wide(wide) + begun)
        ))  # fmt: skip

    def waits(self) -> None:
        """How long each is in flight."""
        says, since, out, one, two = self.says, self.since, self.out_beat, self.one, self.two
        units, wide, calm, index = self.beats, self.bits, self.coming_calm, self.index
        out = out.wide(wide)
        coming, older, newer = self.coming, self.older, self.newer
        says("words are calm", (~self.first).implies(calm.le(self.in_beat.wide(wide))))
        says("operands that wait for iterations", (coming & self.in_iterate).implies(
            calm.le(since)
        ))  # fmt: skip
        says("operands in rest", (coming & self.in_rest).implies(calm.le(units)))
        begun = self.iterations + 1
        says("operands of which entries are made", self.building.implies(
            calm.le(self.plus(index, begun))
        ))  # fmt: skip
        begun += BUILD
        says("operands that wait for places", self.in_settle.implies(
            calm.le(self.patience(begun))
        ))  # fmt: skip
        self.claimed = begun + 2 * units + 2
        newest = self.plus(since, self.claimed)
        offered = self.claimed + self.iterations + self.offered
        says("the newer one", newer.implies(self.newer_calm.le(
            ite(two, self.plus(out, offered), newest)
        )))  # fmt: skip
        says("the older one", older.implies(self.calm.le(
            ite(one, self.plus(out, offered + units), newest)
        )))  # fmt: skip

    def patience(self, begun: int) -> Word:
        """Cycles that may have gone while operands wait for places: words of results leave."""
        out, units = self.out_beat.wide(self.bits), self.beats
        alone = ite(self.older, self.plus(out, units), self.number(2 * units))
        late = (~self.older & self.claim).wide(self.bits)
        return ite(self.newer, out, alone) + self.number(begun) + late

    def limits(self) -> None:
        """How long a stream is shut."""
        says, shut, mod_shut, since = self.says, self.shut, self.mod_shut, self.since
        rest, build, divide, iterate = self.in_rest, self.in_build, self.in_divide, self.in_iterate
        index, coming = self.index, self.coming
        register, in_ready = self.proof.register, self.in_ready
        units = self.beats
        mod_end = register("mod_end_q")
        read, divides = register("i_schedule.read_q"), register("i_schedule.divides_q")
        third = times(index.wide(self.bits), 3) + ite(
            read, self.number(1), ite(divides, self.number(2), self.number(0))
        )
        for name, count in (("operands", shut), ("a modulus", mod_shut)):
            says(f"{name} behind a modulus", mod_end.implies(count.le(2)))
            says(f"{name} behind its multiples", (build & self.of_modulus).implies(
                count.le(self.plus(index, 3))
            ))  # fmt: skip
            says(f"{name} behind what is divided", divide.implies(
                count.le(third + self.number(3 + BUILD))
            ))  # fmt: skip
        derived = 3 + BUILD + 3 * ROWS
        idle = rest & ~coming & ~mod_end
        says("operands wait for nothing", idle.implies(
            shut.eq(0) | self.ready & ite(
                in_ready, shut.le(derived + 2),
                ite(self.opened, shut.le(derived + 1), shut.le(derived)),
            )
        ))  # fmt: skip
        says("a modulus closes the other", self.mod_waits.implies(shut.eq(0)))
        says("operands are open while they come", (~self.first).implies(shut.eq(0)))
        says("operands that are there in rest", (rest & coming).implies(shut.le(1)))
        begun = self.iterations + 1
        says("operands behind entries", self.building.implies(shut.le(self.plus(index, begun))))
        begun += BUILD
        says("operands behind results", self.in_settle.implies(shut.le(self.patience(begun))))
        says("operands behind operands", (iterate & coming).implies(shut.le(since)))
        open_late = self.number(self.opens + 3).le(since)
        says("operands behind iterations", (iterate & ~coming).implies(
            ite(open_late, in_ready | self.mod_waits | shut.eq(0),
                shut.le(self.plus(since, self.claimed)))
            & shut.le(self.claimed + self.opens + 3)
        ))  # fmt: skip
        # A modulus.
        says("a modulus while operands come", (~self.first).implies(
            mod_shut.le(self.plus(self.in_beat, 1))
        ))  # fmt: skip
        says("a modulus before operands", in_ready.implies(
            ~self.first | mod_shut.le(1)
        ))  # fmt: skip
        says("a modulus behind both", (iterate & coming).implies(mod_shut.le(self.plus(since, 1))))
        says("a modulus in rest, behind operands", (rest & coming).implies(
            mod_shut.le(units + 2)
        ))  # fmt: skip
        begun += 1
        says("a modulus behind entries", self.building.implies(
            mod_shut.le(self.plus(index, self.iterations + 2))
        ))  # fmt: skip
        says("a modulus behind results", self.in_settle.implies(
            mod_shut.le(self.patience(begun))
        ))  # fmt: skip
        says("a modulus behind iterations", (iterate & ~coming).implies(
            mod_shut.le(self.plus(since, self.claimed + 1))
        ))  # fmt: skip
        most = self.claimed + 2 + self.iterations
        says("a modulus in rest", idle.implies(ite(
            self.mod_ready, mod_shut.le(most + 1), mod_shut.le(most)
        )))  # fmt: skip

    def claims(self) -> None:
        """What follows for the contract."""
        proof, register = self.proof, self.proof.register
        proof.claim("order", "no operands are overwritten", self.accept.implies(~self.full))
        proof.claim("order", "what begins is there", self.claim.implies(self.full))
        proof.claim("order", "no iterations are cut short", self.claim.implies(~self.pending))
        proof.claim("order", "no result is overwritten", self.claim.implies(~self.newer))
        proof.claim("order", "a result was asked for", self.leaves.implies(self.older))
        proof.claim("order", "results have places", self.kept.le(self.places))
        proof.claim("order", "none between beats of a modulus", self.accept.implies(
            self.mod_beat.eq(0)
        ))  # fmt: skip
        proof.claim("order", "entries of a modulus are there", (
            self.building | self.in_iterate
        ).implies(self.ready))  # fmt: skip
        # Results that have left the lowest unit do not hold a modulus back.
        self.contract(self.one, ~self.coming & ~self.iterating)
        for name, place, calm in (
            ("coming", self.coming, self.coming_calm), ("the older one", self.older, self.calm),
            ("the newer one", self.newer, self.newer_calm),
        ):  # fmt: skip
            proof.claim("answer", f"within the limit: {name}", place.implies(calm.lt(self.limit)))
        lone = self.older & self.lone_one
        last = self.out_valid & self.is_last(self.out_beat)
        proof.claim("latency", "not later", lone.implies(self.age.le(self.latency)))
        proof.claim("latency", "its last word by then", (
            lone & self.age.eq(self.latency)
        ).implies(last))  # fmt: skip
        proof.claim("latency", "not sooner", (lone & last).implies(self.age.eq(self.latency)))
        proof.claim("latency", "not later: coming", (self.coming & self.coming_lone).implies(
            self.coming_age.lt(self.latency)
        ))  # fmt: skip
        for name, word in (
            ("full", self.full), ("since", self.since), ("fin", self.fin), ("older", self.older),
            ("newer", self.newer), ("ready", self.ready), ("its state", concat(
                *self.states.values())),
            ("its claim", self.claim), ("its opening", self.opened),
        ):  # fmt: skip
            proof.same.append((name, TRUE, word))
        counts = self.in_build | self.in_divide
        proof.same.append(("its index", counts, self.index))
        proof.same.append(("what is built", counts, self.of_modulus))
        for name in ("read_q", "divides_q"):
            proof.same.append((f"its {name}", TRUE, register(f"i_schedule.{name}")))
        proof.covers["a multiplication that nobody lets wait"] = lone & last
        proof.covers["two have claimed"] = self.newer
        proof.covers["a result waits for places"] = self.in_settle & ~self.claim & self.stall
        if self.opens + 3 + self.beats <= self.iterations:
            proof.covers["operands wait for iterations"] = self.full & self.in_iterate
        proof.covers["a modulus waits for iterations"] = self.in_iterate & self.mod_shut.eq(
            self.iterations // 2
        )  # fmt: skip
        proof.covers["a modulus waits for the one before"] = self.in_divide & self.mod_shut.ne(0)
        proof.covers["operands wait for entries of a modulus"] = self.in_divide & self.shut.eq(
            BUILD + 4
        )  # fmt: skip
        if self.beats > 1:
            proof.covers["a word of a result waits"] = self.stall & ~self.is_last(self.out_beat)
            proof.covers["operands pause"] = self.pause
            late = self.proof.wire("i_schedule.late")
            proof.covers["operands come too late for their entries"] = late
