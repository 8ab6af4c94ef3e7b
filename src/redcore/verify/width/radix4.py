# SPDX-License-Identifier: Apache-2.0
"""radix4 at any width: multiples are put together in a table, and added a digit at a time.

A multiplication is at *work* from its operands to its last subtraction, and the core's schedule is
a function of its age alone; then its answer passes through two cycles (*subtracting*, *settling*)
and is *done*. A step that the schedule gives out is carried out a cycle later; the ghosts move when
it is. Words of the table are the sums that made them: b and m, plus or minus m or b.
"""

from __future__ import annotations

from itertools import pairwise

from redcore.verify.algebra import Algebra
from redcore.verify.induction import NotDescribed, Proof
from redcore.verify.width.streams import Streams
from redcore.verify.words import FALSE, TRUE, Size, Word, concat, const, coq, ite, leaf, repeat

_PART = "gen_part[0].i_part."
_LANE_BITS = 32
_ROUTE = (
    (0, 1), (1, 1), (1, 2), (1, 3), (2, 3), (2, 2), (2, 1), (2, 0), (3, 0), (3, 1), (3, 2), (3, 3)
)  # fmt: skip
"""Rows d and columns q of the words d b + q m in the order in which they are made from m."""
_BUILDS = len(_ROUTE) - 1
_IDLE, _COLUMNS, _BUILD, _REST, _ITERATE, _SUBTRACT, _SETTLE = 0, 1, 4, 5, 6, 7, 8
"""States of the schedule."""


def less(x: Word, m: Word) -> Word:
    """x - m, as the adder makes it."""
    return x + ~m + const(1, x.width)


Table = dict[tuple[int, int], Word]
"""A word for each pair of digits, row d and column q."""


def sources(b: Word, m: Word, table: Table) -> Table:
    """The sums that words d b + q m are, each of a neighbour in the table, as the core makes it.

    b and m are as wide as the sums, n + 3 bits; three words need no sum.
    """
    made = {(0, 2): m + m, (0, 3): table[0, 2] + m}
    for (d, q), (d_next, q_next) in pairwise(_ROUTE):
        now = table[d, q]
        made[d_next, q_next] = (
            now + b if d_next > d else now + m if q_next > q else less(now, m)
        )
    return made


def plain(b: Word, m: Word) -> Table:
    """The words that are no sums."""
    return {(0, 0): const(0, m.width), (0, 1): m, (1, 0): b}


def words(b: Word, m: Word) -> Table:
    """d b + q m for d and q of two bits; b and m as in :func:`sources`."""
    table = plain(b, m)
    for where in ((0, 2), (0, 3), *_ROUTE[1:]):
        known = {key: table.get(key, m) for key in ((d, q) for d in range(4) for q in range(4))}
        table[where] = sources(b, m, known)[where]
    return table


def chosen(d: Word, q: Word, table: Table) -> Word:
    """The word at the digits d and q, two bits each."""

    def row(number: int) -> Word:
        four = [table[number, column] for column in range(4)]
        return ite(q.bit(1), ite(q.bit(0), four[3], four[2]), ite(q.bit(0), four[1], four[0]))

    return ite(d.bit(1), ite(d.bit(0), row(3), row(2)), ite(d.bit(0), row(1), row(0)))


def quarter(total: Word) -> Word:
    """Less its lowest digit, which is zero."""
    return total.half().half()


def digits(a: Word, total: Word, b: Word, m: Word) -> tuple[Word, Word]:
    """The multiplier's digit, and the quotient's that clears the sum's lowest digit."""
    d = a.piece(1, 0)
    residue = total.piece(3, 2)
    zero = const(0, 2)
    residue += ite(d.bit(0), b.piece(1, 0), zero)
    residue += ite(d.bit(1), concat(b.bit(0), FALSE), zero)
    return d, ite(m.bit(1), residue, zero - residue)


def step(a: Word, total: Word, b: Word, m: Word, table: Table) -> tuple[Word, Word]:
    """What is left of a (n bits), and the sum of n + 3 bits, whose lowest digit comes off in the
    next step."""
    d, q = digits(a, total, b, m)
    after = quarter(total) + chosen(d, q, table)
    return a.half().half(), after


def final(value: Word, m: Word) -> tuple[Word, Word]:
    """Whether m can be taken from a number of n + 3 bits, and the difference."""
    bits = value.width + 1
    total = value.wide(bits) + (~m.wide(value.width)).wide(bits) + const(1, bits)
    return total.top(), total.low(value.width)


def result(total: Word, m: Word) -> Word:
    """The answer, n bits, of the sum of n + 3 bits behind the last step."""
    value = quarter(total)
    fits, difference = final(value, m)
    return ite(fits, difference, value).low(m.width)


def algebra() -> Algebra:
    """What Coq proves of :func:`step` and :func:`result` for every n."""
    n = Size()
    a, b, m, total = leaf("a", n), leaf("b", n), leaf("m", n), leaf("total", n + 3)
    table = words(b.wide(n + 3), m.wide(n + 3))
    return Algebra(
        "redc_algebra_radix4.v",
        "radix4_value",
        "for every n, (n + 1) / 2 steps from (a, 0) and the final subtraction give p < m with"
        " 4^((n + 1) / 2) p = a b mod m, for a < 2^n, b < m < 2^n, m odd",
        coq("radix4_step", [a, total, b, m], step(a, total, b, m, table))
        + coq("radix4_final", [total, m], [result(total, m)]),
    )


def describe(proof: Proof) -> None:
    """The default parameters."""
    values = dict(proof.design.values)
    fixed = {
        "radix": 4, "merged": 1, "adder": "carrychain", "split": 1, "multiples": "lutram",
        "precomputed": "outside", "moduli": 1, "checks": 0,
    }  # fmt: skip
    for name, value in fixed.items():
        if values[name] != value:
            raise NotDescribed(
                "the proof of radix4 covers "
                + ", ".join(f"{each}={wanted}" for each, wanted in fixed.items())
            )
    _Core(proof)


class _Core(Streams):
    """Ghosts and statements about one design."""

    def __init__(self, proof: Proof) -> None:
        super().__init__(proof)
        self.size = self.n + 3
        self.digits = -(-self.n // 2)
        self.rest = _BUILDS  # age at which the schedule rests
        self.subtracts = self.rest + 1 + self.digits  # and first may subtract
        self.most = self.subtracts + 2
        self.lanes = -(-self.size // _LANE_BITS)
        self.places()
        self.control()
        self.waits()
        self.steps()
        self.data()
        self.claims()

    def places(self) -> None:
        """Who is where, and since when."""
        proof = self.proof
        self.state = proof.register("i_schedule.state_q")
        self.finish = proof.wire("i_schedule.step").bit(1)
        self.work, self.subtracting, self.settling, self.done = (
            proof.ghost(name, 1) for name in ("work", "subtracting", "settling", "done")
        )
        proof.follows(self.work, self.unless_reset(self.accept | self.work & ~self.finish))
        proof.follows(self.subtracting, self.unless_reset(self.finish))
        proof.follows(self.settling, self.unless_reset(self.subtracting))
        proof.follows(self.done, self.unless_reset(self.settling | self.done & ~self.deliver))
        # Cycles since operands, and since a modulus, were accepted.
        self.age, self.since = proof.ghost("work_age", self.bits), proof.ghost("since", self.bits)
        proof.follows(self.age, ite(self.accept, self.number(1), self.grows(self.age, self.most)))
        proof.follows(
            self.since,
            self.unless_reset(
                ite(self.mod_accept, self.number(1), self.grows(self.since, 7)), self.number(7)
            ),
        )
        # Cycles on the way to the answer with all, and whether the last of them was a stall.
        self.came, self.hindered = proof.ghost("came", self.bits), proof.ghost("hindered", 1)
        self.took, self.stalled = proof.ghost("took", self.bits), proof.ghost("stalled", 1)
        proof.follows(self.took, ite(self.accept, self.number(1), self.grows(self.took)))
        proof.follows(self.stalled, ite(self.accept, self.stall, self.stalled | self.stall))
        proof.follows(self.came, ite(self.finish, self.grows(self.took), self.grows(self.came)))
        proof.follows(
            self.hindered, ite(self.finish, self.stalled, self.hindered) | self.stall
        )
        # Cycles in a row without a stall since operands were accepted, and whether a modulus could
        # have been let in.
        self.calm = proof.ghost("work_calm", self.bits)
        proof.follows(
            self.calm, ite(self.accept | self.stall, self.number(0), self.grows(self.calm))
        )
        self.rests = (
            self.state.eq(_IDLE) & ~self.work & ~self.subtracting & ~self.settling & ~self.done
        )
        self.rested = proof.ghost("rested", 1)
        proof.follows(
            self.rested, self.unless_reset(self.rests & ~self.accept & ~self.mod_accept)
        )
        self.ends = proof.ghost("done_came", self.bits)
        self.slow = proof.ghost("done_hindered", 1)
        proof.follows(self.ends, ite(self.settling, self.grows(self.came), self.ends))
        proof.follows(self.slow, ite(self.settling, self.hindered | self.stall, self.slow))

    def aged(self, age: int) -> Word:
        """A multiplication is at work and so old."""
        return self.work & self.age.eq(age)

    def between(self, low: int, high: int) -> Word:
        """Its age is within, both included."""
        return self.work & self.number(low).le(self.age) & self.age.le(self.number(high))

    def control(self) -> None:
        """The schedule as a function of ages."""
        proof, work, age, since = self.proof, self.work, self.age, self.since
        for name, word, value in (
            ("loaded", proof.register("i_shell.loaded_q"), self.loaded),
            ("subtracting", proof.register("i_schedule.subtracting_q"), self.subtracting),
            ("settling", proof.register("i_schedule.done_q"), self.settling),
            ("done", proof.register("i_schedule.valid_q"), self.done),
        ):
            proof.mirror(f"{name} is known", TRUE, word, value, data=False)
        now = proof.wire("i_schedule.now_q")
        lag, row, column = now.piece(10, 8), now.piece(7, 6), now.piece(5, 4)
        first, reduces = now.bit(2), now.bit(1)
        count = now.piece(now.width - 1, 11)
        self.now = now

        def says(name: str, holds: Word) -> None:
            self.says(f"schedule: {name}", holds)

        def state(number: int) -> Word:
            return self.state.eq(number)

        says("ages", work.implies(age.ne(0) & age.le(self.number(self.most))))
        for at in range(1, _BUILDS):
            d, q = _ROUTE[at]
            says(
                f"build {at}",
                self.aged(at).implies(state(_BUILD) & row.eq(d) & column.eq(q) & ~reduces),
            )
        says(
            "rest",
            self.aged(self.rest).implies(
                state(_REST) & first & ~reduces & count.eq(self.digits - 1)
            ),
        )
        iterates = self.between(self.rest + 1, self.subtracts - 1)
        left = self.number(self.subtracts - 1) - age
        says(
            "iterations",
            iterates.implies(
                state(_ITERATE) & count.eq(left.low(count.width))
                & first.eq(age.eq(self.rest + 1)) & reduces.eq(~age.eq(self.rest + 1))
            ),
        )  # fmt: skip
        says("counts fit", const(self.digits - 1, self.bits).low(count.width).eq(self.digits - 1))
        late = work & self.number(self.subtracts).le(age)
        says(
            "subtraction", late.implies(state(_SUBTRACT) & reduces.eq(age.eq(self.subtracts)))
        )
        says("rests without work", (~work).implies(
            state(_IDLE) | state(_COLUMNS) | state(_SETTLE)
        ))
        says("nothing is shifted then", (~work & ~self.subtracting).implies(~reduces))
        says("nothing is shifted behind", self.subtracting.implies(~reduces))
        says("work with a modulus", work.implies(self.loaded & since.eq(7)))
        says("since", since.ne(0) & since.le(7))
        for at in range(1, 5):
            says(
                f"columns {at}",
                since.eq(at).implies(state(_COLUMNS) & column.eq((at + 2) % 4) & self.loaded),
            )
        for at in (5, 6):
            settles = state(_SETTLE) & lag.eq(6 - at) & self.loaded
            says(f"settles {at}", since.eq(at).implies(settles))
        says("columns are counted", state(_COLUMNS).implies(since.lt(5)))
        says("settles briefly", state(_SETTLE).implies(lag.le(1)))
        says("idle", state(_IDLE).implies(row.eq(0) & column.eq(1) & since.eq(7)))
        alone = ~self.subtracting & ~self.settling & ~self.done
        in_ready, mod_ready = proof.output("in_ready_o"), proof.output("mod_ready_o")
        says("operands in idle", in_ready.implies(state(_IDLE) & self.loaded & ~work))
        says("a modulus in idle", mod_ready.implies(state(_IDLE) & alone & ~work & ~in_ready))
        says("a modulus that waits", mod_ready.implies(self.mod_waits))
        says(
            "settles behind work",
            (state(_SETTLE) & self.loaded & since.eq(7)).implies(self.subtracting),
        )
        says("a modulus is alone", since.lt(7).implies(alone & ~work))
        says("one behind work", self.subtracting.implies(~work & ~self.settling & ~self.done))
        says("subtraction settles", self.subtracting.implies(state(_SETTLE) & lag.eq(0)))
        says("one settles", self.settling.implies(~work & ~self.done))
        says("settled is idle", self.settling.implies(state(_IDLE)))
        says("results of a modulus", (~alone).implies(self.loaded))
        says("work that saw no stall", (work & ~self.stalled).implies(
            self.took.eq(age) & age.le(self.number(self.subtracts))
        ))
        says("no answer is old", (work & ~self.stalled).implies(
            ~self.done | age.eq(1)
        ))
        says("came", (self.subtracting & ~self.hindered).implies(
            self.came.eq(self.subtracts + 1)
        ))
        says("came on", (self.settling & ~self.hindered).implies(
            self.came.eq(self.subtracts + 2)
        ))
        says("ended", (self.done & ~self.slow).implies(
            self.ends.eq(self.subtracts + 3)
        ))

    def waits(self) -> None:
        """How long an answer takes, and a stream is shut, while nobody else lets wait."""
        proof, work, age, since = self.proof, self.work, self.age, self.since
        calm, shut, mod_shut = self.calm, self.shut, self.mod_shut
        late, settles = self.number(self.subtracts).lt(age), self.state.eq(_SETTLE)

        def says(name: str, holds: Word) -> None:
            self.says(f"wait: {name}", holds)

        says("work goes on", (work & ~late).implies(calm.lt(age)))
        says("work waits for an answer alone", (work & late & self.done).implies(calm.eq(0)))
        for name, guard, most in (
            ("late work", work & late, 0), ("subtracts", self.subtracting, 1),
            ("settles", self.settling, 2),
        ):  # fmt: skip
            says(f"{name} in time", guard.implies(calm.le(self.subtracts + most)))
        moving = work | self.subtracting
        says("operands behind work", moving.implies(shut.le(calm)))
        says("operands behind a modulus", since.lt(7).implies(shut.lt(since)))
        says("operands in idle", self.state.eq(_IDLE).implies(
            shut.eq(0) | proof.output("in_ready_o") & shut.le(self.subtracts + 2)
        ))  # fmt: skip
        says("no operands beside a modulus", proof.output("in_ready_o").implies(mod_shut.eq(0)))
        says("no operands without a modulus", (~self.loaded).implies(shut.eq(0)))
        says("a modulus behind work", moving.implies(mod_shut.le(calm + self.number(1))))
        says("a modulus behind one", since.lt(7).implies(mod_shut.lt(since)))
        says("the first modulus", (settles & ~self.loaded).implies(
            mod_shut.eq(0) | mod_shut.eq(1) & self.now.piece(10, 8).eq(0)
        ))  # fmt: skip
        for name, guard, most in (
            ("settles", self.settling, 3), ("an answer", self.done & ~work, 4),
            ("rest", self.rests & ~self.rested, 5), ("a rest", self.rests, 6),
        ):  # fmt: skip
            says(f"a modulus behind {name}", guard.implies(mod_shut.le(self.subtracts + most)))
        says("a modulus that rests lets in", self.rested.implies(
            mod_shut.eq(0) | proof.output("mod_ready_o")
        ))  # fmt: skip
        waiting = work | self.subtracting | self.settling
        proof.claim("answer", "within the limit", waiting.implies(calm.lt(self.limit)))
        proof.covers["operands wait for work"] = shut.eq(5) & work
        proof.covers["a modulus waits for it"] = mod_shut.eq(5) & work

    def steps(self) -> None:
        """The steps that are carried out, a cycle after they are given out, in each lane's copy."""
        proof = self.proof
        self.copy = proof.net(f"{_PART}i_step.copy_q")

        def does(
            read: int, *, shift: int = 0, clear: int = 0, minus: int = 0, write: int | None = None
        ) -> int:
            flags = shift << 6 | clear << 5 | minus << 4 | minus << 3 | 1 << 2 | (write is not None)
            return flags << 8 | (write or 0) << 4 | read

        def word(d: int, q: int) -> int:
            return 4 * d + q

        def carried(name: str, guard: Word, value: int) -> None:
            whole = repeat_word(const(value, 15), self.lanes)
            proof.mirror(f"step: {name}", guard, self.copy, whole, data=False)

        idle = does(word(0, 1), clear=1)
        carried("idle", self.state.eq(_IDLE), idle)
        for at in range(1, _BUILDS + 1):
            (d, q), (d_next, q_next) = _ROUTE[at - 1 : at + 1]
            read = word(1, 0) if d_next > d else word(0, 1)
            value = does(read, minus=int(q_next < q), write=word(d_next, q_next))
            carried(f"build {at}", self.aged(at), value)
        carried("rest", self.aged(self.rest + 1), does(0))
        carried("a modulus", self.since.eq(1), idle)
        for at in range(4):
            carried(
                f"column {at}", self.since.eq(at + 2), does(word(0, 1), minus=int(at == 0),
                write=word(0, at)),
            )  # fmt: skip
        carried("settles", self.since.eq(6), does(0))
        # Iterations: what is read is data.
        self.first = self.aged(self.rest + 2)
        self.later = self.between(self.rest + 3, self.subtracts)
        # Nothing is propagated, which only matters with carries kept.
        self.flags = {"first": does(0, clear=1) - 1024, "later": does(0, shift=1) - 1024}
        for name, guard in (("first", self.first), ("later", self.later)):
            flags = self.flags[name]
            holds = TRUE
            for lane in range(self.lanes):
                holds &= self.copy.piece(15 * lane + 14, 15 * lane + 4).eq(flags >> 4)
            proof.invariant(f"step: {name} iteration", guard.implies(holds))
        carried("last shift", self.aged(self.subtracts + 1), does(0, shift=1))
        carried("waits", self.aged(self.most), does(0))
        self.late = proof.ghost("late", 1)
        proof.follows(
            self.late, ite(self.finish, self.age.ne(self.subtracts), self.late)
        )
        last = does(word(0, 1), minus=1) | 1 << 9
        carried("subtracts", self.subtracting & ~self.late, last | 1 << 14)
        carried("subtracts late", self.subtracting & self.late, last)

        # Writes, a cycle later again.
        for lane in range(self.lanes):
            name = f"{_PART}gen_lane[{lane}]."
            write = proof.net(f"{name}write_q")
            address = proof.net(f"{name}write_address_q")
            for at in range(1, _BUILDS + 1):
                proof.invariant(
                    f"lane {lane} writes word {at}",
                    self.aged(at + 1).implies(write & address.eq(word(*_ROUTE[at]))),
                )
            for at in range(4):
                proof.invariant(
                    f"lane {lane} writes column {at}",
                    self.since.eq(at + 3).implies(write & address.eq(at)),
                )
            quiet = self.work & ~self.between(2, _BUILDS + 1)
            proof.invariant(f"lane {lane} writes no more", quiet.implies(~write))
            proof.invariant(f"lane {lane} is not written idle", (
                self.state.eq(_IDLE) & ~self.subtracting
            ).implies(~write))
            proof.invariant(f"lane {lane} is not written at first", (
                self.since.eq(1) | self.since.eq(2) | self.subtracting
            ).implies(~write))
        quiet_step = self.state.eq(_SETTLE) & self.now.piece(10, 8).eq(0)
        holds = TRUE
        for lane in range(self.lanes):
            holds &= ~self.copy.bit(15 * lane + 8)
        proof.invariant("nothing is written at the end", quiet_step.implies(holds))
        in_ready, mod_ready = proof.output("in_ready_o"), proof.output("mod_ready_o")
        for name, ready in (("b", in_ready), ("m", mod_ready)):
            copies = proof.net(f"{_PART}i_load_{name}.copy_q")
            proof.invariant(f"{name} is taken", ready.implies((~copies).eq(0)))
            proof.invariant(f"{name} is not taken", (self.loaded & ~ready).implies(copies.eq(0)))

    def table(self, d: int, q: int) -> Word:
        """A word of the table, of all lanes."""
        name = "i_table.gen_port[0].gen_whole.gen_distributed.memory_q"
        return concat(
            *(
                self.proof.net(f"{_PART}gen_lane[{lane}].{name}[{4 * d + q}]")
                for lane in reversed(range(self.lanes))
            )
        )

    def kept(
        self, name: str, guard: Word, word: Word, value: Word, *split: Word,
        other: tuple[Word, ...] = (),
    ) -> None:  # fmt: skip
        """A mirror about data, also in cases without a stream's handshake: ghosts stand then."""
        calm = ~self.accept, ~self.mod_accept
        cases = [(*(split or (guard,)), *calm), *([(*other, *calm)] if other else [])]
        self.proof.mirror(name, guard, word, value, *cases[0], others=cases[1:])

    def data(self) -> None:
        """Words of the table, sums and digits."""
        proof, n, size, work, loaded = self.proof, self.n, self.size, self.work, self.loaded
        a, b, m = (proof.ghost(f"work_{name}", n) for name in "abm")
        total = proof.ghost("work_total", size)
        iterates = self.first | self.later
        wide = self.modulus.wide(size)
        multiples = plain(b.wide(size), wide)
        for d, q in ((0, 2), (0, 3), *_ROUTE[1:]):
            multiples[d, q] = proof.ghost(f"word {d} {q}", size)
        made_of = sources(b.wide(size), wide, multiples)
        whens = {
            (d, q): self.since.eq(q + 2) if d == 0 else self.aged(_ROUTE.index((d, q)))
            for d, q in made_of
        }
        for (d, q), source in made_of.items():
            when = whens[d, q]
            ghost = multiples[d, q]
            proof.follows(ghost, ite(when, source, ghost))
            stands = (
                loaded & self.number(q + 3).le(self.since) if d == 0
                else work & self.number(_ROUTE.index((d, q)) + 1).le(self.age)
            )  # fmt: skip
            others = [~other for key, other in whens.items() if key != (d, q)]
            # A guard of its own, so that no other case puts the sum in for the word.
            self.kept(
                f"{d} b + {q} m is that sum", stands & ~self.since.eq(0), ghost, source,
                *(stands & ~self.since.eq(0), ~when, *others), other=(when, *others),
            )  # fmt: skip
            proof.claim(
                "result", f"steps find {d} b + {q} m", (self.first | self.later).implies(
                    ghost.eq(source)
                ), data=True,
            )  # fmt: skip
        next_a, next_total = step(a, total, b, m, multiples)
        zero = const(0, size)
        accept = self.accept
        for ghost, begin, after in (
            (a, proof.input("a_i"), next_a), (b, proof.input("b_i"), b), (m, self.modulus, m),
            (total, zero, next_total),
        ):  # fmt: skip
            proof.follows(ghost, ite(accept, begin, ite(iterates, after, ghost)))
        made, count = proof.ghost("work_steps", self.bits), self.number(0)
        proof.follows(made, ite(accept, count, ite(iterates, self.grows(made), made)))
        proof.invariant("none is made yet", self.between(1, self.rest + 2).implies(made.eq(0)))
        proof.invariant(
            "steps are counted", self.between(self.rest + 2, self.subtracts + 1).implies(
                made.eq(self.age - self.number(self.rest + 2))
            ),
        )  # fmt: skip
        proof.invariant(
            "all steps are made", (self.aged(self.most) | self.subtracting).implies(
                made.eq(self.digits)
            ),
        )  # fmt: skip
        self.kept("nobody changes it", work | self.subtracting, m, self.modulus)
        modulus = wide
        # Words of the modulus.
        known: dict[tuple[int, int], Word] = {}
        kept = {(0, 1): 1, (0, 0): 4, (0, 2): 6, (0, 3): 7}
        for (d, q), at in kept.items():
            known[d, q] = loaded if at == 1 else loaded & self.number(at).le(self.since)
        known[1, 0] = work
        for at in range(1, _BUILDS + 1):
            known[_ROUTE[at]] = work & self.number(at + 2).le(self.age)
        u = proof.net(f"{_PART}u_q")
        columns = {at + 3: (0, at) for at in range(4)}
        for (d, q), guard in known.items():
            if d == 0:
                at = {(0, 0): 3, (0, 1): 4, (0, 2): 5, (0, 3): 6}[d, q]
                written: tuple[Word, ...] = (self.since.eq(at), loaded)
            elif (d, q) == (1, 0):
                written = (work,)
            else:
                written = (self.aged(_ROUTE.index((d, q)) + 1),)
            self.kept(
                f"word {d} b + {q} m", guard, self.table(d, q), multiples[d, q], guard,
                other=written,
            )  # fmt: skip
        # The accumulator.
        self.kept("the sum begins with m", self.since.eq(2), u, modulus, self.since.eq(1), loaded)
        for at, where in columns.items():
            self.kept(
                f"column {where[1]}", self.since.eq(at), u, multiples[where],
                *(self.since.eq(at - 1), loaded),
            )  # fmt: skip
        self.kept("a table begins with m", self.aged(1), u, modulus, self.state.eq(_IDLE), loaded)
        for at in range(1, _BUILDS + 1):
            self.kept(
                f"the sum {at}", self.aged(at + 1), u, multiples[_ROUTE[at]],
                *(self.aged(at), work, loaded),
            )  # fmt: skip
        own = {(1, 0): work, (0, 1): loaded}
        everything = (
            work, loaded, work | self.subtracting,
            *(guard for where, guard in known.items() if where not in own),
        )  # fmt: skip
        after_first = self.between(self.rest + 3, self.subtracts + 1)
        self.kept(
            "the sum", after_first, u, total, *(self.first, *everything),
            other=(self.later, *everything, after_first),
        )  # fmt: skip
        proof.invariant(
            "the sum begins with zero",
            self.between(1, self.rest + 2).implies(total.eq(zero)), data=True,
        )  # fmt: skip
        self.kept(
            "the sum that waits", self.aged(self.most), u, quarter(total),
            *(self.aged(self.subtracts + 1), after_first, work, loaded, *everything),
            other=(self.aged(self.most), work, loaded, *everything),
        )  # fmt: skip
        # Digits.
        own_a = proof.register("i_digits.a_q")
        ahead = concat(const(0, 2), a.piece(n - 1, 2))
        self.kept("a", self.between(1, self.rest + 1), own_a, a)
        self.kept("a ahead", iterates, own_a, ahead)
        self.kept("low bits of b", work, proof.register("i_digits.b_low_q"), b.low(2))
        self.kept(
            "what -1 / m is", loaded, proof.register("i_digits.m_negative_q"), self.modulus.bit(1)
        )
        self.kept("the place", work, proof.register("i_schedule.place_q"), FALSE)
        address = concat(*digits(a, total, b, m))
        for name, guard in (("first", self.first), ("later", self.later)):
            value = concat(const(self.flags[name] >> 4, 11), address)
            split = {
                "first": (self.aged(self.rest + 1), work, loaded, self.between(1, self.rest + 1)),
                "later": (self.later, *everything, after_first, iterates),
            }[name]
            other = (self.first, *everything, iterates) if name == "later" else ()
            self.kept(
                f"digits of a {name} step", guard, self.copy, repeat_word(value, self.lanes),
                *split, other=other,
            )  # fmt: skip
        # The end.
        early = self.subtracting & ~self.late
        slow = self.subtracting & self.late
        value = proof.ghost("settling_value", size)
        fits, difference = final(value, self.modulus)
        shifted = quarter(total)
        proof.follows(value, ite(self.subtracting, shifted, value))
        self.kept(
            "the sum to subtract from", early, u, total,
            *(self.aged(self.subtracts), self.later, *everything, after_first),
        )
        self.kept(
            "the sum to subtract from, late", slow, u, shifted,
            *(self.aged(self.subtracts + 1), after_first, *everything),
            other=(self.aged(self.most), *everything),
        )
        p = proof.output("p_o")
        settled = (early, self.subtracting, loaded, work | self.subtracting)
        slowly = (slow, self.subtracting, loaded, work | self.subtracting)
        for name, word, is_ in (
            ("the result before", p, value.low(n)), ("the difference", u, difference),
            ("which of them", proof.net(f"{_PART}i_commit.copy_q"), repeat(fits, self.lanes)),
        ):
            self.kept(name, self.settling, word, is_, *settled, other=slowly)
        self.kept("the modulus is known", loaded, self.table(0, 1), modulus)
        answer = proof.ghost("done_p", size)
        proof.follows(answer, ite(self.settling, ite(fits, difference, value), answer))
        proof.invariant(
            "results are not replaced", self.done.implies(
                proof.net(f"{_PART}i_commit.copy_q").eq(0)
            ), data=True,
        )  # fmt: skip
        self.kept("the answer", self.done, p, answer.low(n), self.settling, loaded)
        steps_made = proof.ghost("done_steps", self.bits)
        proof.follows(steps_made, ite(self.subtracting, made, steps_made))
        proof.invariant(
            "an answer has had all steps",
            (self.settling | self.done).implies(steps_made.eq(self.digits)),
        )
        proof.claim(
            "result", "an answer has had all steps", self.done.implies(steps_made.eq(self.digits))
        )
        proof.claim(
            "result", "p_o is the specification's",
            self.out_valid.implies(proof.output("p_o").eq(answer.low(n))), data=True,
        )  # fmt: skip
        proof.assumptions["value"] = ["m is odd, b is below m (the contract)"]
        proof.algebra = algebra()
        proof.covers["an answer less m"] = self.settling & fits
        proof.covers["an answer as it is"] = self.settling & ~fits
        proof.covers["an answer above 1"] = self.done & const(1, size).lt(answer)

    def claims(self) -> None:
        """What follows for the contract."""
        proof, work, done, accept = self.proof, self.work, self.done, self.accept
        behind = self.subtracting | self.settling
        out_valid = self.out_valid
        proof.claim("order", "no multiplication at work is overwritten", accept.implies(~work))
        proof.claim("order", "none is passed", self.finish.implies(work & ~behind & ~done))
        proof.claim("order", "no answer is overwritten", self.settling.implies(~done))
        self.contract(done, ~work & ~behind & ~done, data=True)
        proof.claim(
            "latency", "not later", (work & ~self.stalled).implies(self.took.lt(self.latency))
        )
        proof.claim(
            "latency", "not sooner, nor later behind work",
            (out_valid & ~self.slow).implies(self.ends.eq(self.latency)),
        )  # fmt: skip
        for name, word in (
            ("work", work), ("subtracting", self.subtracting), ("settling", self.settling),
            ("since", self.since), ("state", self.state),
        ):  # fmt: skip
            proof.same.append((name, TRUE, word))
        proof.same.append(("age", work, self.age))
        proof.same.append(("lag", self.state.eq(_SETTLE), self.now.piece(10, 8)))
        proof.covers["a subtraction that waits"] = self.aged(self.most) & self.stall
        proof.covers["work behind an answer that waits"] = self.aged(4) & done
        proof.covers["an answer after a stall"] = out_valid & self.slow
        proof.covers["an answer without one"] = out_valid & ~self.slow
        proof.covers["a modulus waits for work"] = work & self.mod_waits


def repeat_word(word: Word, times: int) -> Word:
    """The word side by side."""
    return concat(*[word] * times)
