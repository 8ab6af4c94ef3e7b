# SPDX-License-Identifier: Apache-2.0
"""When cios does what, whatever the data.

The wheel turns through ``sigma`` places; each of them has a state, which the core keeps in a ring
that turns with it. Words of results go through a line of marks to the queue in front of the stream.
Here it is stated who has a place, in which order places are taken, begin and are given up, and that
the words on their way are those that multiplications owe.
"""

from __future__ import annotations

from redcore.design import Design, numbers
from redcore.families import cios
from redcore.verify.induction import Proof
from redcore.verify.width.beats import Beats, times
from redcore.verify.width.streams import Streams
from redcore.verify.words import TRUE, Word, all_of, const, ite, leaf


class Places:
    """The state of each place: it has ``begun``, the pass at hand or the next one ``ends``, and
    that pass's number, which is zero for a first one. ``given``: others may take it."""

    def __init__(self, own: Word, ring: Word | None, place: Word, sigma: int, bits: int) -> None:
        size = bits + 2
        states = [own]
        if ring is not None:
            states += [ring.piece(size * k + size - 1, size * k) for k in range(sigma - 1)]
        self.state = []
        for p in range(sigma):
            state = states[0]
            for at in range(sigma):
                state = ite(place.eq(at), states[(p - at) % sigma], state)
            self.state.append(state)
        self.begun = [each.bit(bits + 1) for each in self.state]
        self.ends = [each.bit(bits) for each in self.state]
        self.iteration = [each.low(bits) for each in self.state]


def begun_at_most(design: Design) -> int:
    """Multiplications that may have begun and not been delivered."""
    cycles = cios.cycles(design.width, design.values)
    late = cycles.depth + cycles.words - cycles.alpha - 1
    return cycles.sigma + (0 if late < 0 else late // cycles.theta + 1)


class Control(Beats):
    """Ghosts of one design, and what is stated of handshakes and times."""

    def __init__(self, proof: Proof) -> None:
        values = proof.design.values
        (self.sigma,) = numbers(values, "sigma")
        cycles = cios.cycles(proof.design.width, values)
        self.theta, self.alpha = cycles.theta, cycles.alpha
        self.place_bits = max(1, (self.sigma - 1).bit_length())
        super().__init__(proof)
        self.middle = ~self.first
        register = proof.net
        self.marks = proof.net("i_keep.gen_registers.line_q")
        self.depth = self.marks.width
        self.flush, self.empty = register("flush_q"), register("empty")
        settle = 0 if cios.digits(self.word) == 1 else 1
        self.flushes = self.depth - settle + 3
        self.most = begun_at_most(proof.design)
        self.wheel()
        self.counts()
        self.modulus_waits()
        self.places()
        self.owed()
        self.lone()
        self.opens()
        self.answers()
        self.modulus_opens()
        self.claims()

    # Streams.

    def modulus_words(self, last: Word) -> None:
        """The core counts them, and does not ask the sender for the last one."""

    # The wheel.

    def wheel(self) -> None:
        """Where it is, and what its registers tell of that."""
        proof, says, register = self.proof, self.says, self.proof.net
        w = "i_wheel."
        self.run, self.time = register(f"{w}run_q"), register(f"{w}time_q")
        self.first_word, self.last_word = (
            register(f"{w}first_word_q"), register(f"{w}last_word_q"),
        )  # fmt: skip
        self.in_pass, self.late = register(f"{w}in_pass_q"), register(f"{w}late_q")
        self.pass_ends = register(f"{w}pass_ends_q")
        self.place = proof.net(f"{w}place_q").low(self.place_bits)
        self.longest = self.theta - 1 + self.alpha - self.sigma * self.theta
        # Where a turn is not longer than its passes, nobody has to know where it ends; of two
        # places both registers may be one.
        self.turns = self.sigma > 1 and self.longest > self.theta - 1
        self.turn, self.turn_ends = const(0, 1), TRUE
        if self.turns:
            self.turn_ends = register(f"{w}turn_ends_q")
            known = f"{w}turn_q" in {*proof.core.registers, *proof.core.wires}
            self.turn = self.turn_ends
            if known or self.sigma > 2:
                self.turn = register(f"{w}turn_q")
        elif f"{w}turn_ends_q" in proof.core.registers:
            always = proof.register(f"{w}turn_ends_q")
            says("one place is the last", self.run.implies(always))
            proof.same.append(("the only place", self.run, always))
        run, time = self.run, self.time
        bits = time.width
        ends = ite(self.turn_ends, const(self.longest, bits), const(self.theta - 1, bits))
        if self.turns:
            says("the last place of a turn", run.implies(
                self.turn_ends.eq(self.turn.eq(self.sigma - 1))
            ))  # fmt: skip
            says("places of a turn", run.implies(self.turn.le(self.sigma - 1)))
        says("places are places", run.implies(self.place.le(self.sigma - 1)))
        says("a pass's cycles", run.implies(time.le(ends)))
        for name, mark, holds in (
            ("the first word", self.first_word, time.eq(0)),
            ("the last word", self.last_word, time.eq(self.beats - 1)),
            ("words of a pass", self.in_pass, time.le(self.beats - 1)),
            ("the end is near", self.late, const(self.theta - 1, bits).le(time)),
            ("the end of a pass", self.pass_ends, time.eq(ends)),
        ):
            says(name, run.implies(mark.eq(holds)))
        ring = proof.net(f"{w}gen_ring.ring_q") if self.sigma > 1 else None
        self.own = proof.net(f"{w}own_q")
        self.at = Places(self.own, ring, self.place, self.sigma, self.beat_bits)
        says("nothing at rest", (~run).implies(
            self.own.eq(0) & (ring.eq(0) if ring is not None else TRUE)
        ))  # fmt: skip
        if ring is not None:
            proof.same.append(("ring", TRUE, ring))
        for p in range(self.sigma):
            begun, iteration = self.at.begun[p], self.at.iteration[p]
            says(f"place {p} counts its passes", ite(
                begun, iteration.ne(0) & iteration.le(self.beats - 1), iteration.eq(0)
            ))  # fmt: skip
            says(f"place {p} knows its last pass", self.at.ends[p].eq(self.is_last(iteration)))

    def counts(self) -> None:
        """Numbers of multiplications, as the core has them and as the streams tell."""
        proof, says, register = self.proof, self.says, self.proof.net
        w = "i_wheel."
        self.taken, self.full = register(f"{w}taken_q"), register(f"{w}full_q")
        self.begun_q, self.room = register(f"{w}begun_q"), register(f"{w}room_q")
        self.active = register(f"{w}active_q")
        self.inside = register("i_modulus.inside_q")
        self.flight = proof.ghost("flight", self.bits)
        one, zero = self.number(1), self.number(0)
        more = ite(self.leaves, self.flight, self.flight + one)
        fewer = ite(self.leaves, self.flight - one, self.flight)
        proof.follows(self.flight, self.unless_reset(ite(self.begins, more, fewer), zero))
        for count in (self.in_beat, self.mod_beat, self.out_beat):
            says(f"{count.info} is a beat", count.le(self.beats - 1))
        says("words taken are counted", register(f"{w}load_word_q").eq(self.in_beat))
        says("a word taken is the last", register(f"{w}last_q").eq(self.is_last(self.in_beat)))
        says("a word taken is not the first", register(f"{w}middle_q").eq(self.middle))
        says("some are taken", register(f"{w}any_taken_q").eq(self.taken.ne(0)))
        says("some are full", register(f"{w}any_full_q").eq(self.full.ne(0)))
        says("there is room", self.room.eq(self.begun_q.ne(self.most)))
        says("no more than there is room for", self.begun_q.le(self.most))
        says("words given are counted", register("out_word_q").eq(self.out_beat))
        says("a word given is the last",
             register("out_last_o").eq(self.is_last(self.out_beat))
             if "out_last_o" in proof.core.registers
             else proof.output("out_last_o").eq(self.is_last(self.out_beat)))  # fmt: skip
        inside = self.inside.wide(self.bits)
        says("who is inside is known", inside.eq(self.flight))
        coming = self.full.wide(self.bits) + self.middle.wide(self.bits)
        says("who is inside", self.flight.eq(coming + self.begun_q.wide(self.bits)))
        self.pending = (
            self.run & ~self.first_word & self.in_pass & self.active & ~self.own.top()
        )
        says("one that begins has room", self.pending.implies(self.room))

    def modulus_waits(self) -> None:
        """The streams, and m' of a modulus."""
        says, register = self.says, self.proof.net
        m, inverse = "i_modulus.", "i_modulus.i_inverse."
        self.busy, self.starts = register(f"{inverse}busy_q"), register(f"{inverse}begin_q")
        self.steps = register(f"{inverse}count_q")
        says("loaded is known", register("i_shell.loaded_q").eq(self.loaded))
        says("words of a modulus are counted", register(f"{m}word_q").eq(self.mod_beat))
        says("a modulus's first word", register(f"{m}first_q").eq(self.mod_beat.eq(0)))
        self.mod_last = self.is_last(self.mod_beat)
        says("a modulus's last word", register(f"{m}last_q").eq(self.mod_last))
        quiet = self.flight.eq(0)
        says("m' is made while nobody is inside", self.busy.implies(
            quiet & ~self.in_ready & self.mod_beat.eq(0)
        ))  # fmt: skip
        says("steps of m'", (self.busy & ~self.starts).implies(self.steps.le(self.word - 1)))
        says("no words before m'", self.busy.implies(~self.mod_ready))
        says("a modulus's last word is let in alone", (self.mod_ready & self.mod_last).implies(
            quiet & ~self.in_ready
        ))  # fmt: skip
        says("words of a modulus are let in as they wait", self.mod_ready.implies(self.mod_waits))
        says("operands go on", self.middle.implies(self.in_ready))
        says("operands find a place", (self.in_ready & self.first).implies(
            self.loaded & self.empty & self.taken.ne(self.sigma)
        ))  # fmt: skip
        says("no operands without a modulus", (~self.loaded).implies(
            quiet & ~self.in_ready
        ))  # fmt: skip

    def places(self) -> None:
        """They are taken, begin and are given up in order."""
        proof, says, at, sigma = self.proof, self.says, self.at, self.sigma
        size = (sigma * self.beats).bit_length() + 1
        bits = (2 * sigma).bit_length()
        self.oldest = proof.ghost("oldest place", self.place_bits)
        give = self.first_word & self.own.bit(self.beat_bits)
        after = self.next_place(self.oldest)
        proof.follows(self.oldest, self.unless_reset(
            ite(give, after, self.oldest), const(0, self.place_bits)
        ))  # fmt: skip
        load, begin = (
            proof.net(f"i_wheel.{name}_place_q").low(self.place_bits) for name in ("load", "begin")
        )
        self.load_place, self.begin_place = load, begin
        for name, place in (("oldest", self.oldest), ("load", load), ("begin", begin)):
            says(f"the {name} place is one", place.le(sigma - 1))
        given = [self.given(p) for p in range(sigma)]
        self.works = [at.begun[p] & ~given[p] for p in range(sigma)]
        count = const(0, bits)
        for each in self.works:
            count += each.wide(bits)
        self.working = count
        says("one that begins is the next one", self.pending.implies(self.place.eq(begin)))
        full, middle = self.full.wide(bits), self.middle.wide(bits)
        says("places taken", self.taken.wide(bits).eq(count + full + middle))
        says("no more places than there are", self.taken.le(sigma))
        says("where the next one begins", begin.eq(self.along(self.oldest, count)))
        says("where the next one is put", load.eq(self.along(begin, full)))
        says("nobody turns the wheel for nothing", (~self.run).implies(self.taken.eq(0)))
        for p in range(sigma):
            for oldest in range(sigma):
                behind = (p - oldest) % sigma
                here = self.oldest.eq(oldest)
                says(f"place {p} works, {oldest} is the oldest", here.implies(
                    self.works[p].eq(const(behind, bits).lt(count))
                ))  # fmt: skip
        # Visits until the one in which it is given up.
        self.visits = []
        for p in range(sigma):
            turns = at.iteration[p].wide(size)
            left = const(0, size)
            for _ in range(sigma):
                left += const(self.beats - 1, size) - turns
            self.visits.append(left + self.ahead(p, size))
        for p in range(sigma):
            q = (p + 1) % sigma
            if q != p:
                both = self.works[p] & self.works[q] & self.oldest.ne(q)
                says(f"place {p} is before {q}", both.implies(self.visits[p].lt(self.visits[q])))
        for p in range(sigma):
            says(f"passes of place {p} come in turn", self.works[p].implies(
                self.visits[p].le(sigma * (self.beats - 1))
            ))  # fmt: skip

    def given(self, p: int) -> Word:
        """The last pass of this place has begun."""
        here = self.run & self.place.eq(p) & self.in_pass
        return here & self.at.ends[p] & ~self.first_word

    def next_place(self, place: Word) -> Word:
        """The one behind it."""
        if self.sigma == 1:
            return place
        last = place.eq(self.sigma - 1)
        return ite(last, const(0, self.place_bits), place + const(1, self.place_bits))

    def along(self, place: Word, count: Word) -> Word:
        """The place so many behind."""
        result = place
        for k in range(1, self.sigma + 1):
            place = self.next_place(place)
            result = ite(const(k, count.width).le(count), place, result)
        return result

    def ahead(self, p: int, size: int) -> Word:
        """Visits of the wheel until it is at this place; at the present one it is, until the last
        word of the pass."""
        result = const(0, size)
        passed = ~self.in_pass
        for at in range(self.sigma):
            before = (p - at) % self.sigma
            visits = const(before, size)
            if before == 0:
                visits = ite(passed, const(self.sigma, size), visits)
            result = ite(self.place.eq(at), visits, result)
        return result

    def owed(self) -> None:
        """Words of those that have begun: in the core's line and queue, at the stream, or to come
        from places."""
        proof, says, bits, register = self.proof, self.says, self.bits, self.proof.net
        queue = "i_results.i_queue."
        self.level, some = register(f"{queue}level_q"), register(f"{queue}some_q")
        write, read = register(f"{queue}write_q"), register(f"{queue}read_q")
        deep = self.most * self.beats
        says("some words wait", some.eq(self.level.ne(0)))
        says("a word waits behind one at the stream", some.implies(self.out_valid))
        wide = max(write.width, self.level.width) + 1
        behind = read.wide(wide) + self.level.wide(wide)
        over = const(deep, wide).le(behind)
        says("where words wait", write.wide(wide).eq(ite(over, behind - const(deep, wide), behind)))
        says("words wait in places", read.lt(deep) if deep < 1 << read.width else TRUE)
        says("the queue is no deeper", self.level.le(deep))
        marks = self.number(0)
        for k in range(self.depth):
            marks += self.marks.bit(k).wide(bits)
        begun = self.number(0)
        for each in self.at.begun:
            begun += each.wide(bits)
        ends = self.own.bit(self.beat_bits)
        entered = ite(ends & self.run & self.in_pass, self.time.wide(bits), self.number(0))
        owed = times(self.begun_q.wide(bits), self.beats)
        says("words are owed", self.empty.implies(
            owed.eq(
                self.out_beat.wide(bits) + self.out_valid.wide(bits) + self.level.wide(bits)
                + marks + times(begun, self.beats) - entered
            )
        ))  # fmt: skip
        says("as many have begun", begun.le(self.begun_q.wide(bits)))
        says("flushing", self.flush.le(self.flushes))
        says("until it is empty", self.empty.implies(self.flush.eq(0)))
        shut = ~self.in_ready & self.flight.eq(0) & ~self.run
        none = ~self.out_valid & self.level.eq(0) & self.out_beat.eq(0)
        says("nothing before it is empty", (~self.empty).implies(shut & none))
        for k in range(self.depth):
            clean = self.flush.le(self.flushes - 1 - k)
            says(f"mark {k} is none", (~self.empty & clean).implies(~self.marks.bit(k)))
            proof.same.append((f"mark {k}", clean, self.marks.bit(k)))

    def lone(self) -> None:
        """A multiplication that begins while nobody is inside, and others that come behind it."""
        proof, says, bits, number, at = self.proof, self.says, self.bits, self.number, self.at
        self.alone, self.hindered = proof.ghost("alone", 1), proof.ghost("hindered", 1)
        self.age = proof.ghost("age", bits)
        self.own_place = proof.ghost("own place", self.place_bits)
        nobody = self.flight.eq(0) | self.flight.eq(1) & self.leaves
        begins = self.begins & nobody
        proof.follows(self.alone, self.unless_reset(begins | self.alone & ~self.leaves))
        waits = self.stall | self.pause
        proof.follows(self.hindered, ite(begins, self.stall, self.hindered | waits))
        proof.follows(self.age, ite(begins, number(1), self.grows(self.age)))
        proof.follows(self.own_place, ite(begins, self.load_place, self.own_place))
        # The wheel stops before the last result has left.
        late = self.run & self.taken.eq(0)
        ends = self.own.bit(self.beat_bits) & ~self.first_word
        says("it turns for one that leaves", late.implies(
            ite(self.in_pass, ends, self.late & self.marks.bit(0))
        ))  # fmt: skip
        says("it stands while nobody is inside", self.flight.eq(0).implies(~self.run))
        says("one that is alone is inside", self.alone.implies(self.flight.ne(0)))
        alone, age, own = self.alone & ~self.hindered, self.age, self.own_place
        beats, theta, alpha, depth = self.beats, self.theta, self.alpha, self.depth
        last_pass = 1 + alpha * (beats - 1)
        comes = age.lt(beats)
        says("it comes word by word", (alone & comes).implies(
            self.in_beat.wide(bits).eq(age) & self.full.eq(0) & self.flight.eq(1)
        ))  # fmt: skip
        iteration, begun = at.iteration[-1], at.begun[-1]
        for p in range(self.sigma - 1):
            iteration = ite(own.eq(p), at.iteration[p], iteration)
            begun = ite(own.eq(p), at.begun[p], begun)
        says("its place", self.alone.implies(own.le(self.sigma - 1)))
        # Places that the wheel has passed since it was at its own, and turns that are over.
        passed = number(0)
        for p in range(self.sigma):
            for here in range(self.sigma):
                both = own.eq(p) & self.place.eq(here)
                passed = ite(both, number(theta * ((here - p) % self.sigma)), passed)
        at_work = alone & age.le(last_pass)
        present = self.place.eq(own) & self.in_pass
        turns = iteration.wide(bits) - ite(present, number(0), number(1))
        said = self.time.wide(bits) + passed + times(turns, alpha) + number(1)
        says("its passes", at_work.implies(self.run & self.oldest.eq(own) & age.eq(said)))
        if self.turns:
            turn = times(self.turn.wide(bits), theta)
            says("the turn begins with it", at_work.implies(turn.eq(passed)))
        first = age.le(beats)
        says("its first pass", (at_work & first).implies(
            ~begun & self.begin_place.eq(own) & self.begun_q.eq(0) & self.place.eq(own)
            & (self.first_word | self.active)
        ))  # fmt: skip
        says("it is there in time", (at_work & age.eq(beats)).implies(
            self.full.ne(0) if beats > 1 else TRUE
        ))  # fmt: skip
        says("its other passes", (at_work & ~first).implies(begun))
        says("it is given up", (alone & ~at_work & age.le(last_pass + beats - 1)).implies(
            begun & self.run & self.place.eq(own) & iteration.eq(beats - 1)
            & self.time.wide(bits).eq(age - number(last_pass))
        ))  # fmt: skip
        for k in range(depth):
            entered = last_pass + 1 + k
            says(f"no mark {k} before its words", (alone & age.lt(entered)).implies(
                ~self.marks.bit(k)
            ))  # fmt: skip
            its = number(entered).le(age) & age.lt(entered + beats)
            says(f"mark {k} of its words", (alone & its).implies(self.marks.bit(k)))
        arrives = last_pass + depth + 1
        there = number(arrives).le(age)
        says("nothing waits behind it", alone.implies(self.level.eq(0)))
        says("its words at the stream", alone.implies(ite(
            there, self.out_valid & self.out_beat.wide(bits).eq(age - number(arrives)),
            ~self.out_valid & self.out_beat.eq(0),
        )))  # fmt: skip
        says("it leaves in time", alone.implies(age.lt(arrives + beats)))
        latency = proof.design.geometry.latency_cycles
        proof.claim("latency", "not later", alone.implies(age.le(latency)))
        proof.claim("latency", "its last word by then", (alone & age.eq(latency)).implies(
            self.out_valid & self.is_last(self.out_beat)
        ))  # fmt: skip
        proof.claim("latency", "not sooner", (
            alone & self.out_valid & self.is_last(self.out_beat)
        ).implies(age.eq(latency)))  # fmt: skip
        proof.covers["one that nobody lets wait, and one behind it"] = (
            alone & self.out_valid & self.is_last(self.out_beat) & number(1).lt(self.flight)
        )
        proof.covers["one that is alone has to wait"] = self.alone & self.hindered & self.stall

    def drained(self) -> tuple[Word, int]:
        """Cycles until words that have entered a last pass have left, while they are taken, and
        those of the pass at hand; and the most that this can be."""
        number, bits, depth = self.number, self.bits, self.depth
        line = number(0)
        for k in reversed(range(depth)):
            line = ite(self.marks.bit(k), number(depth - k), line)
        enters = self.run & self.in_pass & self.own.bit(self.beat_bits) & ~self.first_word
        line = ite(enters, number(self.beats + depth) - self.time.wide(bits), line)
        waits = self.level.wide(bits) + (line.ne(0) | self.out_valid).wide(bits)
        return line + waits, depth + 1 + self.most * self.beats

    def opens(self) -> None:
        """Operands find the stream open: ``left`` cycles are left until then, at most ``most``."""
        proof, says, number, bits = self.proof, self.says, self.number, self.bits
        sigma, longest = self.sigma, self.longest + 1
        rest = number(longest + 1) - self.time.wide(bits)  # of this pass, and two more
        # Passes until one has begun its last one that is about to begin now.
        whole = sigma * (self.beats - 1)
        comes = number(sigma)
        for p in range(sigma):
            for here in range(sigma):
                both = self.begin_place.eq(p) & self.place.eq(here)
                away = (p - here) % sigma
                now = number(away)
                if away == 0:
                    now = ite(self.first_word | self.pending, number(0), number(sigma))
                comes = ite(both, now, comes)
        visits = self.visits[-1]
        for p in range(sigma - 1):
            visits = ite(self.oldest.eq(p), self.visits[p], visits)
        visits = visits.wide(bits)
        waits = times(visits - number(1), longest) + rest
        works = ite(visits.eq(0), number(1), waits)
        begins = times(comes + number(whole - 1), longest) + rest
        drained, drains = self.drained()
        if drains < 1 << bits:
            says("words that are on their way", ~self.empty | drained.le(drains))
        self.comes, self.rest, self.drain, self.drains = comes, rest, drained, drains
        late = drained + number(longest * sigma * self.beats + 2)
        nobody = ite(self.room, begins, late)
        taken = ite(self.working.eq(0), nobody, works)
        steps = ite(self.starts, number(self.word + 2), self.steps.wide(bits) + number(2))
        quiet = steps.gated(self.busy) + (self.flush.wide(bits) + number(2)).gated(~self.empty)
        quiet = ite(self.busy | ~self.empty, quiet, number(1))
        left = ite(self.taken.eq(sigma), taken, quiet)
        most = max(
            drains + longest * sigma * self.beats + 2, self.word + 2 + self.flushes + 2
        )  # fmt: skip
        if most < self.limit:
            says("what is left until operands find it open", left.le(most))
            says("how long operands wait", ite(
                self.in_ready | ~self.loaded, self.shut.le(most),
                left.le(most) & self.shut.le(number(most) - left)
            ))  # fmt: skip
            proof.claim("in_ready", "within the limit", self.shut.lt(self.limit))
            proof.covers["operands wait for a place"] = self.shut.eq(5) & self.taken.eq(sigma)
            proof.covers["operands wait for m'"] = self.busy & self.shut.eq(min(4, self.word))

    def remains(self, ahead: Word) -> tuple[Word, Word, Word]:
        """Of the multiplication with so many ahead of it: whether its last pass has begun, and
        cycles until it has left, where it waits for its first pass and where it has begun."""
        number, bits = self.number, self.bits
        sigma, longest, whole = self.sigma, self.longest + 1, self.sigma * (self.beats - 1)
        begun, working = self.begun_q.wide(bits), self.working.wide(bits)
        given = begun - working
        older = ahead - given
        through = self.beats + self.depth
        drain = self.drain + times(older, through) + number(through + 1)
        # One of those ahead that waits as well may miss a turn for want of room.
        behind = times(ahead - begun, longest * (sigma + 1))
        late = self.pending & ~self.in_time
        comes = ite(late, number(sigma), self.comes)
        visits = ite(self.room, times(comes, longest) + self.rest,
                     number(longest * (sigma + 1) + 2))  # fmt: skip
        waits = visits + number(longest * (whole - 1)) + behind + drain
        own = self.visits[-1]
        for p in range(sigma):
            for oldest in range(sigma):
                here = self.oldest.eq(oldest) & older.eq((p - oldest) % sigma)
                own = ite(here, self.visits[p], own)
        own = own.wide(bits)
        passes = times(own - number(1), longest) + self.rest
        works = ite(own.eq(0), number(1), passes) + drain
        return ahead.lt(given), waits, works

    def answers(self) -> None:
        """One multiplication is watched, any: a leaf of the model chooses it, and what holds of it
        holds of all. It has so many ``ahead``."""
        proof, says, number, bits = self.proof, self.says, self.number, self.bits
        chosen = leaf("chosen to be watched", 1)
        proof.core.free.append(chosen)
        on, ahead = proof.ghost("watched", 1), proof.ghost("ahead", bits)
        calm, line = proof.ghost("calm", bits), proof.ghost("in line", bits)
        self.watched, self.watched_ahead, self.watched_line = on, ahead, line
        begins = self.begins & chosen & ~on
        self.watched_begins = begins
        one, zero = number(1), number(0)
        proof.follows(on, self.unless_reset(begins | on & ~(self.leaves & ahead.eq(0))))
        left = ite(self.leaves, one, zero)
        proof.follows(ahead, ite(begins, self.flight, ahead) - left)
        comes = self.middle & (ahead + one).eq(self.flight)
        waits = self.stall | comes & ~proof.input("in_valid_i")
        proof.follows(calm, ite(begins | waits, zero, self.grows(calm)))
        says("one that is watched is in flight", on.implies(ahead.lt(self.flight)))
        self.in_time = self.full.ne(0) | self.time.wide(bits).lt(self.in_beat.wide(bits))
        given = self.begun_q.wide(bits) - self.working.wide(bits)
        give = self.first_word & self.own.bit(self.beat_bits) & ahead.eq(given)
        through = self.beats + self.depth
        less = ite(line.eq(0), zero, line - one)
        proof.follows(line, ite(give, number(through - 1), less))
        leaving, waiting, working = self.remains(ahead)
        # Words up to its last one.
        words = times(ahead + one, self.beats) - self.out_beat.wide(bits)
        told = self.level.wide(bits) + self.out_valid.wide(bits)
        upto, sums = zero, zero
        for k in reversed(range(self.depth)):
            sums += self.marks.bit(k).wide(bits)
            upto = ite(line.eq(self.depth - k), sums, upto)
        enters = number(self.depth).lt(line)
        enter = line - number(self.depth)
        upto = ite(enters, sums + enter, upto)
        says("words until it has left", (on & leaving).implies(
            ite(line.eq(0), words.le(told), words.eq(told + upto))
        ))  # fmt: skip
        says("its words enter", (on & leaving & enters).implies(
            self.run & self.in_pass & self.own.bit(self.beat_bits)
            & (self.time.wide(bits) + enter).eq(self.beats) & (ahead + one).eq(given)
        ))  # fmt: skip
        says("its words are in the line", (on & leaving).implies(line.lt(through)))
        goes = ite(line.eq(0), words, line + self.level.wide(bits) + one)
        begun = ahead.lt(self.begun_q.wide(bits))
        rest = ite(leaving, goes, ite(begun, working, waiting))
        longest, sigma = self.longest + 1, self.sigma
        most = (
            longest * (sigma + 1) + 2 + longest * (sigma * (self.beats - 1) - 1)
            + (sigma - 1) * (longest * (sigma + 1) + through) + self.drains + through + 1
        )  # fmt: skip
        self.longest_wait = most
        if most < self.limit:
            says("what is left until it is answered", on.implies(rest.le(most)))
            says("how long it takes", on.implies(
                rest.le(most) & calm.le(number(most) - rest)
            ))  # fmt: skip
            proof.claim("answer", "within the limit", on.implies(calm.lt(self.limit)))
        proof.claim("order", "a word of an answer is of the one with nobody ahead", (
            on & ahead.eq(0) & self.out_valid
        ).implies(leaving & self.middle.wide(bits).lt(self.flight)))  # fmt: skip
        proof.covers["one that is watched is given up behind others"] = give & on & ahead.ne(0)
        proof.covers["one that is watched waits for its first pass"] = on & ~begun & calm.eq(3)

    def modulus_opens(self) -> None:
        """A modulus finds the stream open: its last word once the youngest has left."""
        proof, says, number, bits = self.proof, self.says, self.number, self.bits
        youngest = self.flight - number(1)
        leaving, waiting, working = self.remains(youngest)
        begun = youngest.lt(self.begun_q.wide(bits))
        flight = ite(leaving, self.drain + number(1), ite(begun, working, waiting))
        flight = ite(self.flight.eq(0), number(1), flight + number(1))
        steps = ite(self.starts, number(self.word + 2), self.steps.wide(bits) + number(2))
        left = ite(self.busy, steps, ite(self.mod_last, flight, number(1)))
        most = max(self.longest_wait + 2, self.word + 3)
        still_open = self.in_ready & self.first & self.mod_last
        if most < self.limit + 3:
            says("how long a modulus waits", ite(
                self.mod_ready, self.mod_shut.le(most),
                ite(still_open, self.mod_shut.eq(0),
                    left.le(most) & self.mod_shut.le(number(most) - left)),
            ))  # fmt: skip
            proof.claim("mod_ready", "within the limit and three cycles",
                        self.mod_shut.lt(self.limit + 3))  # fmt: skip
        proof.covers["a modulus's last word has to wait"] = self.mod_shut.eq(9)

    def blocked(self) -> tuple[Word, Word]:
        """No sender of operands stops between its beats."""
        operands, modulus = Streams.blocked(self)
        return operands, modulus & (self.proof.input("in_valid_i") | self.in_beat.eq(0))

    def claims(self) -> None:
        """What follows for the contract."""
        proof, register = self.proof, self.proof.net
        quiet = self.flight.eq(0)
        proof.claim("order", "no answer that nobody asked for", self.out_valid.implies(
            self.middle.wide(self.bits).lt(self.flight)
        ))  # fmt: skip
        proof.claim("order", "no operands before a modulus", self.accept.implies(self.loaded))
        proof.claim("order", "no more in flight than have room", self.flight.le(
            self.sigma + self.most
        ))  # fmt: skip
        self.last()
        proof.claim(
            "stable", "an answer stays", self.stall.implies(proof.after(self.out_valid))
        )
        value = proof.output("p_o")
        proof.claim("stable", "its value stays", self.stall.implies(proof.after(value).eq(value)))
        proof.claim("modulus", "its last word only with nothing in flight",
                    self.mod_end.implies(quiet))  # fmt: skip
        proof.claim("modulus", "not together with operands", ~(self.mod_end & self.accept))
        w, m, queue = "i_wheel.", "i_modulus.", "i_results.i_queue."
        names = [
            "i_shell.loaded_q", "flush_q", "empty", "out_word_q", f"{w}load_word_q",
            f"{w}taken_q", f"{w}full_q", f"{w}middle_q", f"{w}last_q", f"{w}any_taken_q",
            f"{w}any_full_q", f"{w}run_q", f"{w}begun_q", f"{w}room_q", f"{m}word_q",
            f"{m}first_q", f"{m}last_q", f"{m}inside_q", f"{m}i_inverse.busy_q",
            f"{queue}level_q", f"{queue}some_q",
        ]  # fmt: skip
        for name in names:
            proof.same.append((name, TRUE, register(name)))
        for name, word in (
            ("flight", self.flight), ("loaded", self.loaded), ("mod_waits", self.mod_waits),
            ("in_ready", self.in_ready), ("mod_ready", self.mod_ready),
            ("out_valid", self.out_valid), ("out_last", proof.output("out_last_o")),
            ("own", self.own), ("load_place", self.load_place),
            ("begin_place", self.begin_place), ("oldest", self.oldest),
        ):  # fmt: skip
            proof.same.append((name, TRUE, word))
        run = self.run
        for name, condition, word in (
            ("time", run, self.time), ("place", run, self.place), ("first_word", run,
             self.first_word), ("last_word", run, self.last_word), ("in_pass", run, self.in_pass),
            ("late", run, self.late), ("pass_ends", run, self.pass_ends),
            ("turn", run, self.turn), ("turn_ends", run, self.turn_ends),
            ("active", run & ~self.first_word, self.active),
            ("m' starts", self.busy, self.starts),
            ("m' steps", self.busy & ~self.starts, self.steps),
        ):  # fmt: skip
            if word.op != "const":
                proof.same.append((name, condition, word))
        proof.covers["an answer waits, and more are in flight"] = (
            self.stall & self.number(self.sigma).lt(self.flight)
        )
        proof.covers["all places are taken"] = self.taken.eq(self.sigma)
        proof.covers["as many have begun as there is room for"] = ~self.room
        if self.beats > 3:
            proof.covers["a last pass behind which its place is taken already"] = all_of(
                [self.own.bit(self.beat_bits), ~self.first_word, self.taken.eq(self.sigma)]
            )
        proof.covers["words of a modulus come while others are in flight"] = (
            self.mod_accept & ~quiet
        )
        proof.covers["a modulus's last word waits"] = self.mod_last & ~quiet & self.mod_waits
        if self.beats > 6:
            # With fewer words a pause seldom meets a first pass in a run.
            proof.covers["a pass that a late word makes void"] = (
                run & self.last_word & self.active & ~self.own.top() & self.full.eq(0)
            )
