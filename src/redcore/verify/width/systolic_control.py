# SPDX-License-Identifier: Apache-2.0
"""When systolic does what, whatever the data.

The tail's last iterations leave the line, until its result moves to the output register. No cell
ever waits, so the cells' schedule is a function of the time since operands were accepted.
"""

from __future__ import annotations

from redcore.verify.induction import Proof
from redcore.verify.width.line import Line
from redcore.verify.words import FALSE, TRUE, const, from_low, ite, repeat


class Control(Line):
    """Ghosts of one design, and what is stated of handshakes, tokens and times."""

    def __init__(self, proof: Proof) -> None:
        super().__init__(proof)
        self.iterations = self.n + 3
        self.cells = (self.n + 4) // 2
        self.held = (self.n + 2) // 2  # cells with bits of the result
        self.whole = self.iterations + self.held - 1  # cycles until they have them all
        self.moves = proof.register("move_q")
        self.places()
        self.counts()
        self.control()
        self.streams()
        self.waits()
        self.claims()

    def places(self) -> None:
        """Who is where, and for how many cycles of the line."""
        proof = self.proof
        self.front, self.tail, self.done = (proof.ghost(x, 1) for x in ("front", "tail", "done"))
        self.time, self.tail_time = (proof.ghost(f"{x}_time", self.bits) for x in ("front", "tail"))
        self.finish = self.front & self.time.eq(self.iterations - 1)
        proof.follows(self.front, self.unless_reset(self.accept | self.front & ~self.finish))
        proof.follows(self.tail, self.unless_reset(self.finish | self.tail & ~self.moves))
        proof.follows(self.done, self.unless_reset(self.moves | self.done & ~self.deliver))
        proof.follows(self.time, ite(self.accept, self.number(0), self.grows(self.time)))
        proof.follows(self.tail_time, self.grows(ite(self.finish, self.time, self.tail_time)))
        # Cells that the front multiplication has begun, and one more behind the last; cells that
        # the one in the tail has not ended.
        zeros = const(0, self.cells + 1)
        self.begun, self.open = (proof.ghost(x, self.cells + 1) for x in ("begun", "open"))
        goes_on = ite(self.front & ~self.finish, self.begun.pushed(TRUE), zeros)
        begun = ite(self.accept, zeros.pushed(TRUE), goes_on)
        proof.follows(self.begun, self.unless_reset(begun, zeros))
        handed = (~zeros).pushed(FALSE)
        ends = ite(self.moves, zeros, self.open.pushed(FALSE))
        proof.follows(self.open, self.unless_reset(ite(self.finish, handed, ends), zeros))
        # Which cell makes the last iteration of the one in the tail.
        self.token = self.open & ~self.open.pushed(FALSE)

    def counts(self) -> None:
        """Cycles on the way to the answer."""
        proof = self.proof
        self.took, self.came, self.ends = (
            proof.ghost(f"{x}_took", self.bits) for x in ("front", "tail", "done")
        )
        proof.follows(self.took, ite(self.accept, self.number(1), self.grows(self.took)))
        proof.follows(self.came, self.grows(ite(self.finish, self.took, self.came)))
        proof.follows(self.ends, ite(self.moves, self.grows(self.came), self.ends))
        self.stalls(self.moves)

    def control(self) -> None:
        """The schedule as a function of times."""
        proof, front, tail, done, time = self.proof, self.front, self.tail, self.done, self.time
        says, last = self.says, self.iterations - 1
        for name, word, value in (
            ("loaded", proof.register("i_shell.loaded_q"), self.loaded),
            ("feeding", proof.register("feeding_q"), front),
            ("done", proof.register("out_valid_q"), done),
        ):
            proof.mirror(f"{name} is known", TRUE, word, value, data=False)
        left, flight = proof.register("left_q"), proof.register("flight_q")
        says("front is in time", front.implies(time.le(last)))
        says("iterations left", front.implies(left.eq((self.number(last) - time).low(left.width))))
        says("the number of iterations fits", const(last, left.width + 1).lt(1 << left.width))
        few = proof.register("few_q")
        says("few iterations are left", front.implies(few.eq(self.number(last - 2).le(time))))
        # Told for the next cycle: the first cell has nothing to do or is in its last iteration.
        free = proof.net("i_free.copy_q")
        says(
            "the end is near",
            (self.loaded | self.mod_ready).implies(
                free.eq(repeat(~front | self.number(last - 1).le(time), free.width))
            ),
        )
        says("the first iteration", proof.register("first_q").eq(front & time.eq(0)))
        says("the last iteration", proof.register("last_q").eq(self.finish))
        places = [each.wide(2) for each in (front, tail, done)]
        says("flight is counted", flight.eq(places[0] + places[1] + places[2]))
        says("two at most", flight.lt(3))
        says("a modulus was there", (front | tail | done).implies(self.loaded))
        # Regions and tokens.
        at = range(self.cells + 1)
        begun = from_low(front & self.number(j).le(time) for j in at)
        says("cells begun", self.begun.eq(begun))
        still = from_low(tail & self.tail_time.lt(self.iterations + j) for j in at)
        says("cells not ended", self.open.eq(still))
        first = proof.wire("first").low(self.cells - 1)
        own_first = self.begun & ~self.begun.half()
        says("first iterations are where they are", first.eq(own_first.low(self.cells - 1)))
        now_last = proof.wire("last").low(self.held)
        says(
            "last iterations are where they are",
            now_last.piece(self.held - 1, 1).eq(self.token.piece(self.held - 1, 1)),
        )
        says("the tail has left the first cell", tail.implies(self.number(last).lt(self.tail_time)))
        # The result's way out.
        self.ready = tail & self.number(self.whole).le(self.tail_time)
        says("complete", proof.register("complete_q").eq(self.ready & ~self.moves))
        says("complete results move", self.moves.implies(self.ready & ~done))
        copies = proof.net("i_result.i_load.copy_q")
        says(
            "where they move to",
            (front | tail | done).implies(copies.eq(repeat(self.moves, copies.width))),
        )
        both = front & tail
        says("a tail before a front", both.implies(~done & time.le(self.tail_time)))
        says("is older", both.implies(self.number(self.iterations).le(self.tail_time)))
        says(
            "and leaves in time",
            both.implies(
                (self.time + self.number(self.iterations)).le(self.tail_time)
                & (self.tail_time.lt(self.whole) | self.moves)
                & self.tail_time.le(self.number(self.whole))
                | time.eq(0) & self.moves
            ),
        )

    def streams(self) -> None:
        """When the streams are open, and what is taken then."""
        proof, front, time, in_ready = self.proof, self.front, self.time, self.in_ready
        says, last = self.says, self.iterations - 1
        ready = proof.net("i_ready.copy_q")
        says("operands for registers far away", in_ready.implies((~ready).eq(0)))
        says(
            "and no others, but behind reset",
            (~in_ready & ready.ne(0)).implies(~self.loaded & ~self.mod_ready),
        )
        says("operands at the end", in_ready.implies(~front | time.eq(last)))
        says("operands with a modulus", in_ready.implies(self.loaded & ~self.mod_ready))
        says("operands of a second", in_ready.implies(proof.register("flight_q").lt(2)))
        idle = ~front & ~self.tail & ~self.done
        says("a modulus alone", self.mod_ready.implies(idle))
        says("a modulus that waits", self.mod_ready.implies(self.mod_waits))
        for name in ("i_a", "i_b"):
            copies = proof.net(f"{name}.i_load.copy_q")
            takes = repeat(time.eq(last), copies.width)
            says(f"{name} is taken", in_ready.implies((~copies).eq(0)))
            says(f"{name} is not taken", front.implies(copies.eq(takes)))
        copies = proof.net("i_shell.gen_one_modulus.gen_ahead.i_modulus.i_load.copy_q")
        says("m is taken", self.mod_ready.implies((~copies).eq(0)))
        says("m is not taken", (self.loaded & ~self.mod_ready).implies(copies.eq(0)))

    def waits(self) -> None:
        """How long an answer takes, and a stream is shut."""
        proof, front, tail, done = self.proof, self.front, self.tail, self.done
        says, whole, time = self.says, self.whole, self.time
        tail_time, one = self.tail_time, self.number(1)
        says("front that saw no stall", front.implies(self.took.eq(time + one)))
        says(
            "an answer before leaves at once",
            (front & ~self.stalled & done).implies(time.le(self.held)),
        )
        smooth = tail & ~self.hindered
        says("tail that saw no stall", smooth.implies(
            ~done & self.came.eq(tail_time + one) & tail_time.le(whole)
            & self.moves.eq(tail_time.eq(whole))
        ))  # fmt: skip
        says("an answer that saw no stall", (done & ~self.slow).implies(self.ends.eq(self.latency)))
        # Answers.
        waiting = self.ready & ~self.moves
        says("front is calm", front.implies(self.calm.le(time)))
        for name, calm in (("calm", self.tail_calm), ("a modulus", self.mod_shut)):
            says(f"{name}: an answer waits in stalls alone", (waiting & done).implies(calm.eq(0)))
        early = tail & tail_time.lt(whole)
        says("tail is as calm as old", early.implies(self.tail_calm.le(tail_time)))
        # An answer may be taken just as the one behind it is complete.
        says("tail waits a cycle more", waiting.implies(self.tail_calm.le(whole)))
        says("tail is calm", tail.implies(self.tail_calm.le(whole + 1)))
        # Operands.
        opens = ~front | time.eq(self.iterations - 1)
        says("operands behind front", front.implies(self.shut.le(time)))
        says("operands in the end", opens.implies(
            self.shut.eq(0) | self.in_ready & self.shut.le(self.iterations)
        ))  # fmt: skip
        says("operands wait with a modulus", (~self.loaded).implies(self.shut.eq(0)))
        # A modulus.
        mod_shut = self.mod_shut
        says("no operands beside a modulus", mod_shut.ne(0).implies(~self.in_ready))
        says("a modulus behind front", front.implies(mod_shut.le(time + one)))
        behind = tail & ~front
        says("a modulus behind tail", (behind & early).implies(mod_shut.le(tail_time + one)))
        says("a modulus waits a cycle more", (behind & waiting).implies(mod_shut.le(whole + 1)))
        says("a modulus behind the result", behind.implies(mod_shut.le(whole + 2)))
        alone = ~front & ~tail
        says("a modulus behind an answer", (alone & done).implies(mod_shut.le(whole + 3)))
        says("a modulus behind all", (alone & ~done).implies(
            mod_shut.le(ite(self.mod_ready, self.number(whole + 5), self.number(whole + 4)))
        ))  # fmt: skip
        proof.covers["operands wait as long as iterations take"] = self.shut.eq(self.iterations - 2)
        proof.covers["a modulus waits as long as a multiplication takes"] = mod_shut.eq(whole + 1)

    def claims(self) -> None:
        """What follows for the contract."""
        proof, front, tail, done = self.proof, self.front, self.tail, self.done
        accept, out_valid = self.accept, self.out_valid
        proof.claim("order", "no front is overwritten", accept.implies(~front | self.finish))
        proof.claim("order", "no tail is overwritten", self.finish.implies(~tail | self.moves))
        proof.claim("order", "no answer is overwritten", self.moves.implies(tail & ~done))
        self.contract(done, ~front & ~tail & ~done)
        self.in_time(tail, self.took, self.came, self.ends)
        proof.same.append(("moves", TRUE, self.moves))
        proof.covers["a result waits in the cells for an answer that is not taken"] = (
            self.ready & ~self.moves & self.stall
        )
        proof.covers["a result moves while the next multiplication is at work"] = self.moves & front
        proof.covers["an answer after a stall"] = out_valid & self.slow
        proof.covers["an answer without one"] = out_valid & ~self.slow
        proof.covers["a modulus waits for a multiplication"] = front & self.mod_waits
