# SPDX-License-Identifier: Apache-2.0
"""When carrychain does what, whatever the data.

Words above the lowest still end what is in the tail, and its result waits. Words of the result go
to the output one by one, from the lowest (*moving*), until it is done. No word ever waits, so the
words' schedule is a function of the time since operands were accepted.
"""

from __future__ import annotations

from redcore.design import number
from redcore.verify.induction import Proof
from redcore.verify.width.line import Line
from redcore.verify.words import FALSE, TRUE, Word, const, from_low, ite, repeat

_OPEN = "i_shell.gen_ahead.gen_two."
MODULUS = "i_shell.gen_one_modulus.gen_ahead.i_modulus."
"""The register of the modulus."""


class Control(Line):
    """Ghosts of one design, and what is stated of handshakes and times.

    Times are cycles since operands were accepted, 1 in the first one behind.
    """

    def __init__(self, proof: Proof) -> None:
        super().__init__(proof)
        self.iterations = self.n + 3
        self.units = -(-self.n // number(proof.design.values, "word"))
        self.kept = self.iterations + 2  # time at which a result may move
        self.moves = proof.wire("move").bit(0)
        self.complete = proof.wire("complete")
        self.opens = proof.register(f"{_OPEN}open_q")
        self.mod_opens = proof.register(f"{_OPEN}mod_open_q")
        self.places()
        self.counts()
        self.schedule()
        self.company()
        self.streams()
        self.waits()
        self.limits()
        self.claims()

    def plus(self, word: Word, more: int) -> Word:
        """So many more."""
        return word + self.number(more)

    def places(self) -> None:
        """Who is where, and since when."""
        proof = self.proof
        self.front, self.tail, self.moving, self.done = (
            proof.ghost(name, 1) for name in ("front", "tail", "moving", "done")
        )
        self.time, self.tail_time, self.move_time = (
            proof.ghost(f"{name}_time", self.bits) for name in ("front", "tail", "move")
        )
        self.behind = self.tail | self.moving
        self.finish = self.front & self.time.eq(self.iterations)
        proof.follows(self.front, self.unless_reset(self.accept | self.front & ~self.finish))
        proof.follows(self.tail, self.unless_reset(self.finish | self.tail & ~self.moves))
        moving = (self.moves | self.moving) & ~self.complete
        proof.follows(self.moving, self.unless_reset(moving))
        proof.follows(self.done, self.unless_reset(self.complete | self.done & ~self.deliver))
        one = self.number(1)
        proof.follows(self.time, ite(self.accept, one, self.grows(self.time)))
        proof.follows(self.tail_time, self.grows(ite(self.finish, self.time, self.tail_time)))
        proof.follows(self.move_time, ite(self.moves, one, self.grows(self.move_time)))
        # Bit j: the front is at time j + 1 or later. Bit j: word j has not made the last iteration
        # of the one behind.
        zeros, none = const(0, self.units + 2), const(0, self.units)
        self.begun = proof.ghost("begun", self.units + 2)
        self.open = proof.ghost("open", self.units)
        goes_on = ite(self.front & ~self.finish, self.begun.pushed(TRUE), zeros)
        begun = ite(self.accept, const(1, self.units + 2), goes_on)
        proof.follows(self.begun, self.unless_reset(begun, zeros))
        ends = ite(self.complete, none, self.open.pushed(FALSE))
        proof.follows(self.open, self.unless_reset(ite(self.finish, ~none, ends), none))

    def counts(self) -> None:
        """Cycles on the way to the answer."""
        self.ends = self.proof.ghost("done_took", self.bits)
        after = ite(self.complete, self.grows(self.tail_time), self.ends)
        self.proof.follows(self.ends, after)
        self.stalls(self.complete)

    def schedule(self) -> None:
        """The core's counters and tokens as functions of times."""
        proof, front, time, says = self.proof, self.front, self.time, self.says
        behind, late, units = self.behind, self.tail_time, self.units
        counts = front & time.le(self.iterations - 2)
        count, running = proof.register("count_q"), proof.register("running_q")
        left = (self.number(self.iterations - 3) - time).low(count.width)
        says("iterations left", count.eq(ite(counts, left, const(-1, count.width))))
        says("the count runs", running.eq(counts))
        says("it fits", const(self.iterations - 3, count.width + 1).lt(1 << count.width - 1))
        steps, finish = proof.register("step_q"), proof.register("finish_q")
        says("first cycles", steps.eq(
            from_low(front & time.eq(t) for t in range(1, steps.width + 1))
        ))  # fmt: skip
        ends = [front & time.eq(self.iterations - 1), self.finish]
        ends += [behind & late.eq(self.iterations + 1 + j) for j in range(units)]
        says("last cycles", finish.eq(from_low(ends)))
        says("words begun", self.begun.eq(
            from_low(front & self.number(j + 1).le(time) for j in range(units + 2))
        ))  # fmt: skip
        says("words not ended", self.open.eq(
            from_low(behind & late.le(self.iterations + 1 + j) for j in range(units))
        ))  # fmt: skip
        says("a result waits", proof.register("pending_q").eq(
            self.tail & self.number(self.kept).le(late)
        ))  # fmt: skip
        says("the output is taken", proof.register("taken_q").eq(self.moving | self.done))
        says("done is known", self.out_valid.eq(self.done))
        says("loaded is known", proof.register("i_shell.loaded_q").eq(self.loaded))
        if units > 1:
            moves = from_low(self.moving & self.move_time.eq(j) for j in range(1, units))
            says("words on their way", proof.register("gen_move.move_q").eq(moves))
            says("the topmost is awaited", proof.register("gen_move.coming_q").eq(self.moving))
            arrive = proof.register("gen_move.arrive_q")
            left = (self.number(units - 2) - self.move_time).low(arrive.width)
            says("words to come", self.moving.implies(arrive.eq(left)))
        one = self.number(1)
        says("front is in time", front.implies(one.le(time) & time.le(self.iterations)))
        says("moving is in time", self.moving.implies(
            one.le(self.move_time) & self.move_time.lt(units)
            & self.plus(self.move_time, self.kept).le(late)
        ))  # fmt: skip
        says("the tail has left the lowest word", self.tail.implies(
            self.number(self.iterations).lt(late)
        ))  # fmt: skip

    def company(self) -> None:
        """Who may be beside whom."""
        front, tail, moving, done, says = self.front, self.tail, self.moving, self.done, self.says
        places = [each.wide(2) for each in (front, tail, moving, done)]
        inside = self.proof.register("inside_q")
        says("those inside are counted", inside.eq(places[0] + places[1] + places[2] + places[3]))
        says("two at most", inside.lt(3))
        says("one result on its way", ~(tail & moving) & ~(moving & done))
        says("a modulus was there", (front | tail | moving | done).implies(self.loaded))
        says("the tail leaves a front in time", (front & tail).implies(
            ~done & self.plus(self.time, self.iterations).le(self.tail_time)
            & self.tail_time.le(self.kept)
        ))  # fmt: skip
        says("moves in time before a front", (front & moving).implies(
            self.time.le(self.plus(self.move_time, 2))
        ))  # fmt: skip

    def streams(self) -> None:
        """When the streams are open, and what is taken then."""
        proof, front, time, says = self.proof, self.front, self.time, self.says
        in_ready, opens = self.in_ready, self.opens
        mod_ready, mod_opens = self.mod_ready, self.mod_opens
        says("open for single cycles", ~(opens & in_ready))
        says("room for another", (opens | in_ready).implies(proof.register("inside_q").lt(2)))
        says("operands at the end", (front & opens).implies(
            self.number(self.iterations - 1).le(time)
        ) & (front & in_ready).implies(time.eq(self.iterations)))  # fmt: skip
        says("operands with a modulus", (opens | in_ready).implies(self.loaded))
        says("the tail has left by then", (in_ready & self.tail).implies(
            self.tail_time.le(self.kept)
        ))  # fmt: skip
        idle = ~front & ~self.tail & ~self.moving & ~self.done
        self.idle = idle
        says("a modulus alone", (mod_opens | mod_ready).implies(
            idle & ~opens & ~in_ready & self.mod_waits
        ))  # fmt: skip
        says("for a single cycle", ~(mod_opens & mod_ready))
        names = ["i_b", *(["gen_hold.i_a"] if self.units > 1 else [])]
        for name in (*(f"{each}.i_load" for each in names), "i_bottom_open"):
            copies = proof.net(f"{name}.copy_q")
            says(f"{name} says when", in_ready.implies((~copies).eq(0)))
            says(f"{name} says when not", front.implies(copies.eq(repeat(in_ready, copies.width))))
        copies = proof.net(f"{MODULUS}i_load.copy_q")
        says("m is taken", mod_ready.implies((~copies).eq(0)))
        says("m is not taken", (self.loaded & ~mod_ready).implies(copies.eq(0)))

    def waits(self) -> None:
        """How long answers take."""
        front, tail, moving, done = self.front, self.tail, self.moving, self.done
        says, late, kept = self.says, self.tail_time, self.kept
        says("an answer before leaves at once", (front & ~self.stalled & done).implies(
            self.time.le(self.units + 2)
        ))  # fmt: skip
        says("tail that saw no stall", (tail & ~self.hindered).implies(~done & late.le(kept)))
        says("moving that saw no stall", (moving & ~self.hindered).implies(
            late.eq(self.plus(self.move_time, kept))
        ))  # fmt: skip
        says("an answer that saw no stall", (done & ~self.slow).implies(self.ends.eq(self.latency)))
        waiting = tail & self.number(kept).lt(late)
        says("front is calm", front.implies(self.calm.le(self.time)))
        says("an answer waits in stalls alone", (waiting & done).implies(
            self.tail_calm.eq(0) & self.mod_shut.eq(0)
        ))  # fmt: skip
        says("tail is as calm as old", (tail & late.le(kept)).implies(self.tail_calm.le(late)))
        # An answer may be taken just as the one behind it could move.
        says("tail waits a cycle more", waiting.implies(self.tail_calm.le(kept + 1)))
        says("moving is calm", moving.implies(
            self.tail_calm.le(self.plus(self.move_time, kept + 1))
        ))  # fmt: skip

    def limits(self) -> None:
        """How long a stream is shut."""
        proof, front, says, last = self.proof, self.front, self.says, self.iterations
        shut, mod_shut, opens, in_ready = self.shut, self.mod_shut, self.opens, self.in_ready
        says("operands behind front", front.implies(shut.le(self.time)))
        says("operands in the end", (~front | self.number(last - 1).le(self.time)).implies(
            shut.eq(0) | opens & shut.le(last - 1) | in_ready & shut.le(last)
        ))  # fmt: skip
        says("operands wait with a modulus", (~self.loaded).implies(shut.eq(0)))
        says("no operands beside a modulus", mod_shut.ne(0).implies(
            ~opens & (~in_ready | mod_shut.eq(1))
        ))  # fmt: skip
        says("a modulus behind front", front.implies(mod_shut.le(self.plus(self.time, 1))))
        early = self.tail & self.tail_time.le(self.kept)
        says("a modulus behind tail", (early & ~front).implies(
            mod_shut.le(self.plus(self.tail_time, 1))
        ))  # fmt: skip
        most = self.kept + 2
        says("a modulus behind a result", self.tail.implies(mod_shut.le(most)))
        says("a modulus behind words", self.moving.implies(
            mod_shut.le(self.plus(self.move_time, most))
        ))  # fmt: skip
        most += self.units
        says("a modulus behind an answer", (self.done & ~front & ~self.tail).implies(
            mod_shut.le(most)
        ))  # fmt: skip
        says("a modulus behind all", self.idle.implies(
            mod_shut.eq(0) | self.mod_opens & mod_shut.le(most + 1)
            | self.mod_ready & mod_shut.le(most + 2) | in_ready & mod_shut.eq(1)
        ))  # fmt: skip
        proof.covers["operands wait as long as iterations take"] = shut.eq(last - 1)
        whole = mod_shut.eq(self.latency)
        proof.covers["a modulus waits as long as a multiplication takes"] = whole

    def claims(self) -> None:
        """What follows for the contract."""
        proof, front, tail, done = self.proof, self.front, self.tail, self.done
        accept, moving = self.accept, self.moving
        proof.claim("order", "no front is overwritten", accept.implies(~front | self.finish))
        proof.claim("order", "no tail is overwritten", self.finish.implies(
            (~tail | self.moves) & ~moving
        ))  # fmt: skip
        proof.claim("order", "no result is overwritten", self.moves.implies(
            tail & ~moving & ~done
        ))  # fmt: skip
        proof.claim("order", "no answer is overwritten", self.complete.implies(
            (moving | self.moves) & ~done
        ))  # fmt: skip
        self.contract(done, self.idle)
        self.in_time(self.behind, self.time, self.tail_time, self.ends)
        for name, word in (
            ("moving", moving), ("opens", self.opens), ("mod_opens", self.mod_opens),
        ):  # fmt: skip
            proof.same.append((name, TRUE, word))
        proof.same.append(("move_time", moving, self.move_time))
        waits = tail & self.number(self.kept).le(self.tail_time) & self.stall
        proof.covers["a result waits in its words for an answer that is not taken"] = waits
