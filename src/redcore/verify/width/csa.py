# SPDX-License-Identifier: Apache-2.0
"""csa at any width: one block of one row, adders in words, sum and subtraction on one chain.

A multiplication stands in four places, one after the other: *front* (b + m is made word by word),
*block* (an iteration a cycle), *reduce* (sum and final subtraction, word by word) and *done*. The
data path follows its control a cycle behind. Each place has ghosts of its own, which move on as
the data path does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from redcore.verify.algebra import Algebra
from redcore.verify.induction import NotDescribed, Proof, Statement
from redcore.verify.words import (
    FALSE,
    TRUE,
    Exchange,
    Size,
    Word,
    all_of,
    concat,
    const,
    coq,
    ite,
    leaf,
    repeat,
)

_BLOCK = "gen_block[0].i_block."
_MODULUS = "i_shell.gen_one_modulus.gen_ahead.i_modulus"
_REDUCE = "i_final.gen_reduce.i_reduce."


def quotient(a: Word, s: Word, c: Word, b: Word) -> Word:
    """The quotient bit of an iteration: with q m the sum becomes even."""
    return s.low(1) ^ c.low(1) ^ (a.low(1) & b.low(1))


def addend(a: Word, s: Word, c: Word, b: Word, bm: Word, m: Word) -> Word:
    """What an iteration adds, n + 1 bits: 0, m, b or b + m."""
    q, wide = quotient(a, s, c, b), s.width
    return ite(a.low(1), ite(q, bm, b.wide(wide)), m.wide(wide).gated(q))


def step(a: Word, s: Word, c: Word, b: Word, bm: Word, m: Word) -> tuple[Word, Word, Word]:
    """The bits of a that are left and the two vectors after an iteration, column by column.

    a, b and m have n bits; s, c and bm = b + m have n + 1.
    """
    both = s ^ c
    x = addend(a, s, c, b, bm, m)
    return a.half(), (both ^ x).half(), (s & c) | (both & x)


def final(s: Word, c: Word, m: Word) -> Word:
    """The two vectors' sum, less m where it is not below; s and c have n + 1 bits, m has n."""
    bits = m.width + 2
    total = s.wide(bits) + c.wide(bits)
    less = total - m.wide(bits)
    return ite(less.top(), total, less).low(m.width)


def algebra() -> Algebra:
    """What Coq proves of :func:`step` and :func:`final` for every n."""
    n = Size()
    wide = {"s", "c", "bm"}
    names = [leaf(name, n + 1 if name in wide else n) for name in ("a", "s", "c", "b", "bm", "m")]
    a, s, c, b, bm, m = names
    return Algebra(
        "redc_algebra_csa.v",
        "csa_value",
        "for every n, n steps from (a, 0, 0) and the final subtraction give p < m with"
        " 2^n p = a b mod m, for a < 2^n, b < m < 2^n, m odd",
        coq("csa_step", names, step(a, s, c, b, bm, m))
        + coq("csa_final", [s, c, m], [final(s, c, m)]),
    )


@dataclass(frozen=True)
class Serial:
    """A sum made word by word: a ``total`` per word, one bit wider than the word."""

    totals: list[Word]

    def carry(self, word: int) -> Word:
        """The carry into a word, of word 1 or above."""
        return self.totals[word - 1].top()

    def sum(self, word: int) -> Word:
        """The word's bits of the sum."""
        return self.totals[word].low(self.totals[word].width - 1)

    def whole(self, words: int) -> Word:
        """The sum of so many words, with the carry."""
        return concat(self.carry(words), *(self.sum(w) for w in reversed(range(words))))


def serial(x: Sequence[Word], y: Sequence[Word], carry: Word) -> Serial:
    """x + y + carry of words, the lowest first."""
    totals: list[Word] = []
    for one, other in zip(x, y, strict=True):
        bits = one.width + 1
        totals.append(one.wide(bits) + other.wide(bits) + carry.wide(bits))
        carry = totals[-1].top()
    return Serial(totals)


def lemmas(proof: Proof, name: str, made: Serial, x: Word, y: Word, carry: Word) -> None:
    """The sum made word by word is the sum; a lemma for each word."""
    high = 0
    for word, total in enumerate(made.totals, start=1):
        high += total.width - 1
        low_x, low_y = x.low(high).wide(high + 1), y.low(high).wide(high + 1)
        plain = low_x + low_y + carry.wide(high + 1) if carry is not FALSE else low_x + low_y
        proof.lemmas.append(_lemma(f"{name}, words up to {word}", made.whole(word).eq(plain)))


def _lemma(name: str, holds: Word) -> Statement:
    return Statement(name, holds, data=True)


class _Pipeline:
    """The four places, and the control of what moves from one to the next."""

    def __init__(self, proof: Proof, chain: int) -> None:
        self.proof = proof
        self.n = proof.design.width
        self.chain = chain
        self.words = -(-self.n // chain)
        self.reduces = self.words + 5
        self.running = self.proof.input("rst_ni")
        self.in_valid, self.mod_valid = (
            self.proof.input("in_valid_i"),
            self.proof.input("mod_valid_i"),
        )
        self.in_ready, self.mod_ready = (
            self.proof.output("in_ready_o"),
            self.proof.output("mod_ready_o"),
        )
        self.out_valid, self.out_ready = (
            self.proof.output("out_valid_o"),
            self.proof.input("out_ready_i"),
        )
        self.accept, self.mod_accept = (
            self.in_valid & self.in_ready,
            self.mod_valid & self.mod_ready,
        )
        self.deliver, self.stall = self.out_valid & self.out_ready, self.out_valid & ~self.out_ready
        self.leave = self.proof.register("leave_q")
        data_load = self.proof.register("data_load")
        self.to_block, self.to_reduce, self.to_done = (data_load.bit(k) for k in (1, 2, 3))
        self.latency = self.proof.design.geometry.latency_cycles
        geometry = self.proof.design.geometry
        self.limit = self.latency + geometry.slots * ceil(geometry.interval_cycles)
        self.bits = (2 * self.limit).bit_length()
        self.places()
        self.control()
        self.lone_ones()
        self.liveness()
        self.claims()

    def cut(self, word: Word) -> list[Word]:
        """The adders' words of n bits."""
        return [
            word.piece(min(at + self.chain, self.n) - 1, at) for at in range(0, self.n, self.chain)
        ]

    def number(self, value: int) -> Word:
        """A count."""
        return const(value, self.bits)

    def grows(self, word: Word, most: int = -1) -> Word:
        """One more, up to ``most`` (all ones by default)."""
        return ite(word.eq(self.number(most)), word, word + self.number(1))

    def unless_reset(self, word: Word) -> Word:
        """Cleared by a reset."""
        return self.running & word

    def copies(
        self, name: str, guard: Word, value: Word, *split: Word, data: bool = False
    ) -> None:
        """An enable in copies, which have no reset, is ``value`` where ``guard`` is 1."""
        word, says = self.proof.net(name), f"{name} in copies"
        self.proof.mirror(says, guard, word, repeat(value, word.width), *split, data=data)

    def places(self) -> None:
        """Ghosts of who is where, and for how long."""
        proof, n, words, reduces, number = self.proof, self.n, self.words, self.reduces, self.number
        self.front, self.block, self.reduce, self.done = (
            proof.ghost(name, 1) for name in ("front", "block", "reduce", "done")
        )
        for place, comes, goes in (
            (self.front, self.accept, self.to_block),
            (self.block, self.to_block, self.to_reduce),
            (self.reduce, self.to_reduce, self.to_done),
            (self.done, self.to_done, self.deliver),
        ):
            proof.follows(place, self.unless_reset(comes | place & ~goes))
        self.loaded, self.modulus = proof.ghost("loaded", 1), proof.ghost("modulus", n)
        proof.follows(self.loaded, self.unless_reset(self.loaded | self.mod_accept))
        proof.follows(self.modulus, ite(self.mod_accept, proof.input("mod_data_i"), self.modulus))
        self.waits = proof.ghost("mod_waits", 1)
        proof.follows(self.waits, self.unless_reset(self.mod_valid & ~self.mod_ready))
        proof.environment(
            "a modulus that is offered stays offered until it is taken",
            self.waits.implies(self.mod_valid),
        )
        proof.environment(
            "moduli are odd", self.mod_accept.implies(proof.input("mod_data_i").bit(0)), data=True
        )

        # Cycles since the control of a place took a multiplication, and since a reset.
        self.cycles = [words - 1, n, reduces, 1]
        self.ages = [proof.ghost(f"age_{k}", self.bits) for k in range(4)]
        loads = [self.accept, *(self.leave.bit(k) for k in range(3))]
        for age, load, most in zip(self.ages, loads, self.cycles, strict=True):
            proof.follows(age, ite(load, number(1), self.grows(age, most + 1)))
        self.awake_most = words + 8
        self.awake = proof.ghost("awake", self.bits)
        proof.follows(
            self.awake, ite(self.running, self.grows(self.awake, self.awake_most), number(0))
        )

        # Iterations made in the block; cycles in reduce; steps that each answer has had.
        self.count, self.within = (
            proof.ghost("block_steps", self.bits),
            proof.ghost("reduce_age", self.bits),
        )
        self.advance = self.block & (self.count.lt(n - 1) | self.to_reduce)
        proof.follows(
            self.count,
            ite(self.to_block, number(0), ite(self.advance, self.grows(self.count), self.count)),
        )
        proof.follows(self.within, ite(self.to_reduce, number(1), self.grows(self.within, reduces)))
        self.made, self.made_done = (
            proof.ghost("reduce_steps", self.bits),
            proof.ghost("done_steps", self.bits),
        )
        proof.follows(self.made, ite(self.to_reduce, self.grows(self.count), self.made))
        proof.follows(self.made_done, ite(self.to_done, self.made, self.made_done))

    def control(self) -> None:
        """What the control's registers say of the places."""
        proof, n, reduces, number, within, count = (
            self.proof,
            self.n,
            self.reduces,
            self.number,
            self.within,
            self.count,
        )
        reduce, block, front, done, ages = self.reduce, self.block, self.front, self.done, self.ages
        self.occupied = [proof.register(f"gen_stage[{k}].i_ctrl.occupied_q") for k in range(4)]
        self.run = [proof.register(f"gen_stage[{k}].i_ctrl.run_q") for k in range(3)]
        self.first = [proof.register(f"gen_stage[{k}].i_ctrl.first_q") for k in range(3)]
        self.none = all_of(~each for each in self.occupied)
        proof.mirror(
            "a modulus is known to be loaded",
            TRUE,
            proof.register("i_shell.loaded_q"),
            self.loaded,
            data=False,
        )
        for k in range(3):
            here, age, last = (
                self.occupied[k],
                ages[k],
                proof.register(f"gen_stage[{k}].i_ctrl.gen_count.last_q"),
            )
            left = proof.register(f"gen_stage[{k}].i_ctrl.gen_count.count_q")
            name = f"control {k}"
            proof.invariant(f"{name}: last", last.eq(here & number(self.cycles[k]).le(age)))
            proof.invariant(
                f"{name}: run",
                here.implies(self.run[k].eq(age.lt(self.cycles[k]) | self.leave.bit(k))),
            )
            proof.invariant(f"{name}: first", here.implies(self.first[k].eq(age.eq(1))))
            proof.invariant(f"{name}: age", here.implies(~age.eq(0)))
            past = number(self.cycles[k] - 1).le(age)
            proof.invariant(
                f"{name}: count",
                here.implies(
                    ite(
                        past,
                        const(-1, left.width),
                        (number(self.cycles[k] - 2) - age).low(left.width),
                    ).eq(left)
                ),
            )
            ahead = self.occupied[k + 1] & ~(self.leave.bit(k + 1) if k < 2 else FALSE)
            proof.invariant(
                f"{name}: leaves from its last cycle to a free place",
                self.leave.bit(k).implies(here & number(self.cycles[k]).le(age) & ~ahead),
            )
            proof.invariant(f"{name}: age is bounded", here.implies(age.le(self.cycles[k] + 1)))
        self.open_q = proof.register("i_shell.gen_ahead.gen_two.open_q")
        self.mod_open = proof.register("i_shell.gen_ahead.gen_two.mod_open_q")
        proof.invariant(
            "open",
            self.open_q.implies(
                ~self.in_ready & (~self.occupied[0] | self.leave.bit(0)) & self.loaded
            ),
        )
        proof.invariant("in_ready", self.in_ready.implies(~self.occupied[0] & self.loaded))
        proof.invariant(
            "a modulus will come",
            self.mod_open.implies(
                self.none & ~self.in_ready & ~self.open_q & ~self.mod_ready & self.waits
            ),
        )
        proof.invariant(
            "a modulus comes",
            self.mod_ready.implies(self.none & ~self.in_ready & ~self.open_q & self.waits),
        )
        for k, load in ((1, self.to_block), (2, self.to_reduce), (3, self.to_done)):
            proof.invariant(
                f"data enter {k} behind control", load.implies(self.occupied[k] & ages[k].eq(1))
            )
        proof.invariant(
            "nothing follows into front at once", self.to_block.implies(~self.occupied[0])
        )
        proof.invariant("into block", (self.to_reduce & self.occupied[1]).implies(self.to_block))
        proof.invariant("into reduce", (self.to_done & self.occupied[2]).implies(self.to_reduce))
        proof.invariant("front holds", front.eq(self.occupied[0] | self.to_block))
        proof.invariant(
            "block holds", block.eq((self.occupied[1] & ~self.to_block) | self.to_reduce)
        )
        proof.invariant(
            "reduce holds", reduce.eq((self.occupied[2] & ~self.to_reduce) | self.to_done)
        )
        proof.invariant("done holds", self.occupied[3].eq(self.to_done | done))
        proof.invariant("done is free", ~(self.to_done & done))
        proof.mirror("valid while an answer is done", TRUE, self.out_valid, done, data=False)
        self.inside = front | block | reduce | done
        proof.invariant("work without a modulus is none", self.inside.implies(self.loaded))
        proof.invariant(
            "front is long enough", self.to_block.implies(number(self.words).le(ages[0]))
        )
        proof.invariant(
            "iterations follow control",
            (self.occupied[1] & ~self.to_block).implies((count + number(2)).eq(ages[1])),
        )
        proof.invariant("all iterations are made", self.to_reduce.implies(count.eq(n - 1)))
        proof.invariant("iterations are below n", block.implies(count.lt(n)))
        proof.invariant(
            "reduce follows control",
            (self.occupied[2] & ~self.to_reduce).implies((within + number(1)).eq(ages[2])),
        )
        proof.invariant("reduce is long enough", self.to_done.implies(number(reduces).le(within)))
        proof.invariant("reduce counts", reduce.implies(~within.eq(0) & within.le(reduces)))
        proof.invariant("an answer has had all steps", reduce.implies(self.made.eq(n)))
        proof.invariant("and still has", done.implies(self.made_done.eq(n)))
        proof.invariant(
            "awake since", block.implies(count.le(self.awake) | self.awake.eq(self.awake_most))
        )
        proof.invariant(
            "awake at all", (self.inside | self.loaded | self.waits).implies(~self.awake.eq(0))
        )
        proof.invariant("awake is bounded", self.awake.le(self.awake_most))

    def lone_ones(self) -> None:
        """How long one takes that finds nobody ahead."""
        proof, n, words, reduces, number, reduce = (
            self.proof,
            self.n,
            self.words,
            self.reduces,
            self.number,
            self.reduce,
        )
        block, front, done, ages, occupied = (
            self.block,
            self.front,
            self.done,
            self.ages,
            self.occupied,
        )
        # Latency: a multiplication that finds nobody ahead, and sees no stall.
        self.total = [proof.ghost(f"total_{k}", self.bits) for k in range(4)]
        self.lone = [proof.ghost(f"lone_{k}", 1) for k in range(4)]
        proof.follows(self.total[0], ite(self.accept, number(1), self.grows(self.total[0])))
        proof.follows(
            self.lone[0], ite(self.accept, ~(block | reduce | done | front), self.lone[0])
        )
        for k, load in ((1, self.to_block), (2, self.to_reduce), (3, self.to_done)):
            proof.follows(
                self.total[k],
                ite(
                    load,
                    self.grows(self.total[k - 1]),
                    self.grows(self.total[k]) if k < 3 else self.total[k],
                ),
            )
            proof.follows(self.lone[k], ite(load, self.lone[k - 1], self.lone[k]))
        alone = (front & self.lone[0], block & self.lone[1], reduce & self.lone[2])
        proof.invariant(
            "lone in front",
            alone[0].implies(
                self.total[0].eq(ages[0])
                & ~(block | reduce | done)
                & (
                    occupied[0]
                    & ~self.to_block
                    & ~occupied[1]
                    & (self.leave.bit(0).eq(ages[0].eq(words - 1)))
                    & ages[0].lt(words)
                    | self.to_block & ages[0].eq(words) & ~occupied[0]
                )
                & ~occupied[2]
                & ~occupied[3]
            ),
        )
        proof.invariant(
            "lone in block",
            alone[1].implies(
                self.total[1].eq(self.count + number(words + 1))
                & ~(reduce | done)
                & (
                    occupied[1]
                    & ~self.to_reduce
                    & ~occupied[2]
                    & self.leave.bit(1).eq(ages[1].eq(n))
                    & ages[1].le(n)
                    | self.to_reduce
                )
                & ~occupied[3]
            ),
        )
        proof.invariant(
            "lone in reduce",
            alone[2].implies(
                self.total[2].eq(self.within + number(words + n))
                & ~done
                & (
                    occupied[2]
                    & ~self.to_done
                    & ~occupied[3]
                    & self.leave.bit(2).eq(ages[2].eq(reduces))
                    & ages[2].le(reduces)
                    | self.to_done
                )
            ),
        )
        proof.invariant(
            "lone and done", (done & self.lone[3]).implies(self.total[3].eq(self.latency))
        )

    def liveness(self) -> None:
        """How long answers and both streams take while no result waits.

        What is bounded is the sum of cycles that were waited and of those still to come, if nothing
        stalls; these are counted from the places and ages of all, and each cycle is one fewer.
        """
        proof, number, leave, ages = self.proof, self.number, self.leave, self.ages
        occupied, limit = self.occupied, number(self.limit)
        _, blocks, reduces, _ = self.cycles

        def most(one: Word, other: Word) -> Word:
            return ite(one.lt(other), other, one)

        def plus(word: Word, more: int) -> Word:
            return word + number(more)

        # busy[k]: cycles until place k of the control is free, or given up, a cycle later.
        stays = [occupied[k] & ~leave.bit(k) for k in range(3)]
        last = ite(self.to_done, number(1), number(0))
        busy = [number(0)] * 3 + [ite(leave.bit(2), number(2), last)]
        for k in (2, 1, 0):
            cycles = self.cycles[k]
            left = ite(ages[k].lt(cycles), number(cycles - 1) - ages[k], number(0))
            busy[k] = ite(stays[k], most(left, busy[k + 1]), number(0))
            if k:
                fresh = most(number(cycles - 1), busy[k + 1])
                busy[k] = ite(leave.bit(k - 1), fresh, busy[k])
        # Cycles until who stands in place k of the control is delivered.
        leaves = [ite(leave.bit(k), number(0), plus(busy[k], 1)) for k in range(3)]
        behind = (blocks + reduces + 2, reduces + 2, 2)
        to_come = [*(plus(leaves[k], behind[k]) for k in range(3)), last]
        entering = plus(most(number(self.cycles[0] - 1), busy[1]), behind[0] + 1)

        calm = proof.ghost("calm", self.bits)
        proof.follows(calm, ite(self.stall, number(0), self.grows(calm)))
        standing = (
            ite(self.to_block, to_come[1], to_come[0]),
            ite(self.to_reduce, to_come[2], to_come[1]),
            ite(self.to_done, number(1), to_come[2]),
            number(0),
        )
        for k, place in enumerate((self.front, self.block, self.reduce, self.done)):
            waited = ite(calm.lt(self.total[k]), calm, self.total[k])
            in_time = waited.lt(limit) & (waited + standing[k]).lt(limit)
            proof.invariant(f"answered in time, {k}", place.implies(in_time))
            proof.claim(
                "answer", f"within the limit, {k}",
                (place & limit.lt(self.total[k])).implies(calm.lt(limit)),
            )  # fmt: skip

        ready, mod_valid = self.proof.input("out_ready_i"), self.mod_valid
        shut, mod_shut = proof.ghost("in_shut", self.bits), proof.ghost("mod_shut", self.bits)
        for ghost, waits in (
            (shut, ready & ~mod_valid & ~self.in_ready & self.loaded),
            (mod_shut, ready & mod_valid & ~self.mod_ready),
        ):
            proof.follows(ghost, ite(self.running & waits, self.grows(ghost), number(0)))
        opens = ite(self.open_q, number(1), plus(busy[0], 2))
        opens = ite(self.in_ready, number(0), opens)
        proof.invariant("operands in time", shut.lt(limit) & (shut + opens).lt(limit))
        proof.claim("in_ready", "within the limit", shut.lt(limit))
        empty = to_come[3]
        for k in (2, 1, 0):
            empty = ite(occupied[k], to_come[k], empty)
        empty = ite(self.in_ready, entering, empty)
        empty = ite(self.open_q, plus(entering, 1), empty)
        comes = ite(self.mod_open, number(1), plus(empty, 2))
        comes = ite(self.mod_ready, number(0), comes)
        late = number(self.limit + 3)
        proof.invariant("a modulus in time", mod_shut.lt(late) & (mod_shut + comes).lt(late))
        proof.claim("mod_ready", "within the limit and three cycles", mod_shut.lt(late))
        proof.covers["operands are shut out for long"] = number(self.words).lt(shut)

    def claims(self) -> None:
        """The contract, as far as it is about control."""
        proof, reduce, block, front, done, occupied = (
            self.proof,
            self.reduce,
            self.block,
            self.front,
            self.done,
            self.occupied,
        )
        proof.claim(
            "order", "front is not overwritten", self.accept.implies(~front | self.to_block)
        )
        proof.claim(
            "order",
            "block is not overwritten",
            self.to_block.implies(front & (~block | self.to_reduce)),
        )
        proof.claim(
            "order",
            "reduce is not overwritten",
            self.to_reduce.implies(block & (~reduce | self.to_done)),
        )
        proof.claim(
            "order",
            "no answer is overwritten",
            self.to_done.implies(reduce & (~done | self.deliver)),
        )
        proof.claim("order", "no answer that nobody asked for", self.out_valid.implies(done))
        proof.claim("order", "an answer is offered once it is done", done.implies(self.out_valid))
        proof.claim("order", "no operands before a modulus", self.accept.implies(self.loaded))
        proof.claim(
            "result",
            "an answer has had all steps",
            self.out_valid.implies(self.made_done.eq(self.n)),
        )
        proof.claim("last", "out_last_o is high", proof.output("out_last_o"))
        self.value = proof.output("p_o")
        proof.claim("stable", "an answer stays", self.stall.implies(proof.after(self.out_valid)))
        proof.claim("modulus", "only with nothing in flight", self.mod_accept.implies(~self.inside))
        proof.claim("modulus", "not together with operands", ~(self.mod_accept & self.accept))
        for k, place in enumerate((front, block, reduce)):
            proof.claim(
                "latency",
                f"not later, {k}",
                (place & self.lone[k]).implies(self.total[k].lt(self.latency)),
            )
        proof.claim(
            "latency", "not sooner", (done & self.lone[3]).implies(self.total[3].eq(self.latency))
        )

        plain = {
            "data_load": proof.register("data_load"),
            "leave": self.leave,
            "loaded": proof.register("i_shell.loaded_q"),
            "open": self.open_q,
            "mod_open": self.mod_open,
            "in_ready": self.in_ready,
            "mod_ready": self.mod_ready,
            "out_valid": self.out_valid,
        }
        for name, word in plain.items():
            proof.same.append((name, TRUE, word))
        for k in range(4):
            proof.same.append((f"occupied {k}", TRUE, occupied[k]))
            if k < 3:
                for part in ("gen_count.last_q", "run_q", "first_q"):
                    word = proof.register(f"gen_stage[{k}].i_ctrl.{part}")
                    proof.same.append((f"{part} {k}", TRUE, word))
                word = proof.register(f"gen_stage[{k}].i_ctrl.gen_count.count_q")
                proof.same.append((f"count {k}", occupied[k], word))


class _DataPath(_Pipeline):
    """What stands in the registers of each place."""

    def __init__(self, proof: Proof, chain: int) -> None:
        super().__init__(proof, chain)
        self.enables()
        self.in_front()
        self.in_block()
        self.in_reduce()
        self.at_the_end()

    def enables(self) -> None:
        """Copies of enables, which have no reset."""
        proof, block = self.proof, self.block
        self.alive = ~self.awake.eq(0)  # the cycle before was none of reset
        self.copies(f"{_MODULUS}.i_load.copy_q", self.alive, self.mod_ready)
        for name in ("i_x", "i_payload"):
            self.copies(f"i_front.gen_group[0].{name}.i_load.copy_q", self.alive, self.in_ready)
        for name in ("i_b", "i_bm"):
            self.copies(f"{_BLOCK}{name}.i_load.copy_q", self.alive, self.to_block)
        self.copies("i_final.i_result.i_load.copy_q", self.alive, self.to_done)
        for name, own in (("data_run_next", self.run[1]), ("data_first_next", self.first[1])):
            proof.invariant(
                f"{name} of block", self.occupied[1].implies(proof.net(name).bit(1).eq(own))
            )
        self.copies(f"{_BLOCK}i_run.copy_q", block, self.advance)
        self.copies(f"{_BLOCK}run_q", block, self.advance)
        self.copies(f"{_BLOCK}i_first.copy_q", block, self.count.eq(0))
        self.copies(f"{_BLOCK}i_shift_load.copy_q", self.alive, self.to_block)
        self.copies(f"{_BLOCK}i_shift_run.copy_q", block, self.advance | self.to_block)
        self.copies(f"{_BLOCK}i_shift_run.copy_q", self.to_block, TRUE)

    def in_front(self) -> None:
        """b + m, word by word."""
        proof, n, words, number, front, ages = (
            self.proof,
            self.n,
            self.words,
            self.number,
            self.front,
            self.ages,
        )
        self.a0, self.b0, self.m0 = (proof.ghost(f"front_{x}", n) for x in "abm")
        proof.follows(self.a0, ite(self.accept, proof.input("a_i"), self.a0))
        proof.follows(self.b0, ite(self.accept, proof.input("b_i"), self.b0))
        proof.follows(self.m0, ite(self.accept, self.modulus, self.m0))
        proof.invariant("the modulus is odd", self.loaded.implies(self.modulus.bit(0)), data=True)
        self.m = proof.net(f"{_MODULUS}.data_q")
        proof.mirror("the modulus is kept", self.loaded, self.m, self.modulus)
        proof.mirror("nobody changes it in front", front, self.m0, self.modulus)
        proof.mirror("b in front", front, proof.net("i_front.gen_group[0].i_x.data_q"), self.b0)
        proof.mirror(
            "a in front", front, proof.net("i_front.gen_group[0].i_payload.data_q"), self.a0
        )
        self.added = serial(self.cut(self.b0), self.cut(self.m0), FALSE)
        lemmas(proof, "b + m", self.added, self.b0, self.m0, FALSE)
        self.stands = [front & number(w + 1).le(ages[0]) for w in range(words + 1)]
        for w in range(1, words):
            split = (front, self.loaded, *([self.stands[w - 1 + 0]] if w > 1 else []))
            proof.mirror(
                f"carry into word {w} of b + m",
                front & number(w + 1).le(ages[0]),
                proof.net(f"i_front.gen_group[0].gen_word[{w - 1}].gen_ripple.ripple_q"),
                self.added.carry(w),
                *split,
            )
        zero = const(0, n + 1)
        start = (self.a0, zero, zero, self.b0, self.added.whole(words), self.m0)
        start_a, start_s, start_c = step(*start)
        self.start_q = quotient(self.a0, zero, zero, self.b0)
        settled = front & number(2).le(ages[0])
        proof.mirror(
            "the first quotient bits",
            settled,
            proof.net("block_q").low(2),
            concat(quotient(start_a, start_s, start_c, self.b0), self.start_q),
            front,
            self.loaded,
        )
        proof.mirror(
            "the first addend",
            settled,
            proof.net("block_addend").low(2),
            addend(*start).piece(2, 1),
            front,
            self.loaded,
        )

    def in_block(self) -> None:
        """An iteration a cycle."""
        zero = const(0, self.n + 1)
        proof, n, words, count, block, front = (
            self.proof,
            self.n,
            self.words,
            self.count,
            self.block,
            self.front,
        )
        a1, b1, self.m1 = (proof.ghost(f"block_{x}", n) for x in "abm")
        s1, c1, bm1 = (proof.ghost(f"block_{x}", n + 1) for x in ("s", "c", "bm"))
        now = (a1, s1, c1, b1, bm1, self.m1)
        next_a, self.next_s, self.next_c = step(*now)
        q, next_q = quotient(a1, s1, c1, b1), quotient(next_a, self.next_s, self.next_c, b1)
        for ghost, begin, after in (
            (a1, self.a0, next_a),
            (s1, zero, self.next_s),
            (c1, zero, self.next_c),
            (b1, self.b0, b1),
            (bm1, self.added.whole(words), bm1),
            (self.m1, self.m0, self.m1),
        ):
            proof.follows(ghost, ite(self.to_block, begin, ite(self.advance, after, ghost)))
        proof.mirror("nobody changes it in block", block, self.m1, self.modulus, block, front)
        proof.mirror("b in block", block, proof.net(f"{_BLOCK}i_b.data_q"), b1)
        proof.mirror(
            "b + m in block",
            block,
            proof.net(f"{_BLOCK}i_bm.data_q"),
            bm1,
            self.to_block,
            front,
            self.loaded,
            self.alive,
            *self.stands[1:words],
        )
        proof.invariant(
            "b + m is odd where b is even", block.implies(bm1.bit(0).eq(~b1.bit(0))), data=True
        )
        begun, later = block & count.eq(0), block & ~count.eq(0)
        proof.mirror("the sum begins with zero", begun, concat(s1, c1), const(0, 2 * n + 2))
        proof.mirror("sum bits", later, proof.net(f"{_BLOCK}s_q"), s1, later, block)
        proof.mirror("carry bits", later, proof.net(f"{_BLOCK}c_q"), c1, later, block)
        proof.mirror(
            "bits of a to come", block, proof.net(f"{_BLOCK}shift_q"), a1.half().wide(n + 1)
        )
        ahead = f"{_BLOCK}gen_two_ahead."
        proof.mirror("low sum bits", block, proof.net(f"{ahead}head_s_q"), s1.low(3))
        proof.mirror("low carry bits", block, proof.net(f"{ahead}head_c_q"), c1.low(3))
        proof.mirror(
            "low addend bits", block, proof.net(f"{ahead}addend_q"), addend(*now).piece(2, 1)
        )
        proof.mirror("the next quotient bit", block, proof.net(f"{ahead}q_next_q"), next_q)
        selects = proof.net(f"{_BLOCK}gen_selects_early.i_select.copy_q")
        early = proof.net(f"{_BLOCK}gen_selects_early.select_next_q")
        this, coming = concat(a1.bit(0), q), concat(next_a.bit(0), next_q)
        proof.mirror("selects", block, selects, concat(*[this] * (selects.width // 2)))
        proof.mirror("selects to come", block & count.lt(n - 1), early, coming)
        proof.mirror("selects that stand", block & count.eq(n - 1) & ~self.to_reduce, early, this)
        proof.mirror(
            "selects that enter", self.to_block, early, concat(self.a0.bit(0), self.start_q)
        )

    def in_reduce(self) -> None:
        """Sum, difference, and which of them."""
        proof, n, words, number, within, reduce = (
            self.proof,
            self.n,
            self.words,
            self.number,
            self.within,
            self.reduce,
        )
        s2, self.c2, m2 = (proof.ghost(f"reduce_{x}", n + (x != "m")) for x in "scm")
        for ghost, begin in ((s2, self.next_s), (self.c2, self.next_c), (m2, self.m1)):
            proof.follows(ghost, ite(self.to_reduce, begin, ghost))
        proof.mirror("nobody changes it in reduce", reduce, m2, self.modulus, reduce, self.block)
        x, y, less = self.cut(s2.low(n)), self.cut(self.c2.low(n)), self.cut(m2)
        self.total_2 = serial(x, y, FALSE)
        sums = [self.total_2.sum(w) for w in range(words)]
        difference = serial(sums, [~each for each in less], TRUE)
        kept = (self.c2.top() ^ self.total_2.carry(words)) | difference.carry(words)
        # Whether m stays taken away is a ghost bit, so that little depends on the sums themselves.
        self.keep = proof.ghost("reduce_keep", 1)
        entering = Exchange({s2: self.next_s, self.c2: self.next_c, m2: self.m1})
        proof.follows(self.keep, ite(self.to_reduce, entering(kept), self.keep))
        proof.mirror(
            "whether m stays taken away",
            *(reduce, self.keep, kept, self.to_reduce),
            other=(reduce, ~self.to_reduce),
        )
        whole = concat(*reversed(sums))
        self.answer = ite(kept, difference.whole(words).low(n), whole)
        lemmas(proof, "the vectors' sum", self.total_2, s2.low(n), self.c2.low(n), FALSE)
        lemmas(proof, "less m", difference, whole, ~m2, TRUE)
        value_2 = s2.low(n).wide(n + 2) + self.c2.wide(n + 2)
        proof.lemmas.append(
            _lemma(
                "the answer is the final subtraction's, for a sum below 2 m",
                value_2.lt(m2.wide(n + 2).double()).implies(
                    self.answer.eq(final(s2.low(n).wide(n + 1), self.c2, m2))
                ),
            )
        )
        wave = proof.net(f"{_REDUCE}wave")

        def at(cycle: int) -> Word:
            return within.eq(cycle)

        for k in range(words + 2):
            proof.invariant(f"wave {k}", reduce.implies(wave.bit(k).eq(at(k + 1))))
            proof.invariant(
                f"wave {k} at rest", (~reduce & number(k + 2).le(self.awake)).implies(~wave.bit(k))
            )
        for w in range(words):
            name = f"{_REDUCE}gen_word[{w}].i_step.copy_q"
            self.copies(name, reduce, at(w + 1))
            self.copies(name, ~reduce & number(w + 2).le(self.awake), FALSE)
        self.copies(f"{_REDUCE}load_q", self.alive, self.to_reduce)
        self.copies(f"{_REDUCE}load", self.alive, self.to_reduce)
        self.undone = ~self.keep
        rest = [~reduce & number(words + k).le(self.awake) for k in range(7)]
        self.copies(f"{_REDUCE}undo_next", rest[4], FALSE, data=True)
        self.copies(f"{_REDUCE}undo", reduce, at(words + 4) & self.undone, data=True)
        self.copies(f"{_REDUCE}undo", rest[5], FALSE, data=True)
        self.copies(
            f"{_REDUCE}clear", reduce, self.to_reduce | at(words + 4) & self.undone, data=True
        )
        self.copies(f"{_REDUCE}clear", self.to_reduce, TRUE, data=True)
        standing = within.le(words + 4) | self.keep
        self.copies(f"{_REDUCE}gate", reduce & standing, TRUE, data=True)
        self.copies(f"{_REDUCE}gate", reduce & ~standing, FALSE, data=True)
        self.opened = reduce & standing

        # adds[w]: word w has not been added yet; gone[w]: it has; minus[w]: m is taken from it.
        adds = [reduce & within.le(w + 1) for w in range(words + 1)]
        self.gone = [reduce & number(w + 2).le(within) for w in range(words + 1)]
        self.minus = [each & standing for each in self.gone]
        due = [adds[0], *(reduce & at(w + 1) for w in range(1, words + 1))]
        self.copies(
            f"{_REDUCE}undo_next",
            reduce,
            at(words + 3) & self.undone,
            *(reduce, self.gone[words], self.minus[words]),
            data=True,
        )
        self.copies(f"{_REDUCE}subtract_q", adds[0], FALSE)
        self.copies(f"{_REDUCE}subtract_q", self.gone[0], TRUE)
        ripple = proof.net(f"{_REDUCE}ripple")
        for w in range(1, words + 1):
            proof.mirror(
                f"carry into word {w} of the sum",
                due[w],
                ripple.bit(w),
                self.total_2.carry(w),
                adds[w - 1],
                due[w - 1],
                self.opened,
            )
            proof.mirror(
                f"carry into word {w} of the difference",
                self.minus[w],
                ripple.bit(w),
                difference.carry(w),
                self.minus[w - 1],
                self.gone[w - 1],
                self.gone[0],
                self.opened,
            )
        top = proof.net(f"{_REDUCE}top_q")
        proof.mirror("top bit", adds[words], top, self.c2.top())
        proof.mirror(
            "top bit of the sum", self.gone[words], top, self.c2.top() ^ self.total_2.carry(words)
        )
        for w in range(words):
            size = x[w].width
            at_x, at_y, at_sum, at_m = (
                proof.net(f"{_REDUCE}gen_word[{w}].{name}_q") for name in ("x", "y", "sum", "m")
            )
            proof.mirror(f"x, word {w}", adds[w], at_x, x[w])
            proof.mirror(f"y, word {w}", adds[w], at_y, y[w])
            proof.mirror(f"no sum yet, word {w}", adds[w], at_sum, const(0, size))
            proof.mirror(f"no m yet, word {w}", adds[w], at_m, const(-1, size))
            proof.mirror(f"x gone, word {w}", self.gone[w], at_x, const(0, size))
            proof.mirror(f"y gone, word {w}", self.gone[w], at_y, const(0, size))
            proof.mirror(
                f"sum, word {w}", self.gone[w], at_sum, sums[w], adds[w], due[w], self.opened
            )
            proof.mirror(f"m, word {w}", self.minus[w], at_m, less[w], reduce, self.loaded)
            proof.mirror(f"m gone, word {w}", self.gone[w] & ~standing, at_m, const(-1, size))

    def at_the_end(self) -> None:
        """The answer, and what has to be seen."""
        proof, n, reduce, block, front, done = (
            self.proof,
            self.n,
            self.reduce,
            self.block,
            self.front,
            self.done,
        )
        result = proof.ghost("done_p", n)
        proof.follows(result, ite(self.to_done, self.answer, result))
        for w, (here, there) in enumerate(zip(self.cut(self.value), self.cut(result), strict=True)):
            proof.mirror(
                f"the answer, word {w}",
                done,
                here,
                there,
                self.to_done,
                reduce,
                self.gone[w],
                self.gone[0],
                self.minus[w],
                self.opened,
                self.alive,
            )
        proof.claim(
            "result",
            "p_o is the specification's",
            self.out_valid.implies(self.value.eq(result)),
            data=True,
        )
        proof.claim(
            "stable",
            "its value stays",
            self.stall.implies(proof.after(self.value).eq(self.value)),
            data=True,
        )

        proof.covers["all places are full"] = front & block & reduce & done
        proof.covers["all wait for an answer that is not taken"] = (
            self.stall
            & reduce
            & self.within.eq(self.reduces)
            & block
            & self.count.eq(n - 1)
            & ~self.advance
            & front
        )
        proof.covers["a hand-over into block and out of it"] = self.to_block & self.to_reduce
        proof.covers["an answer with m taken away"] = self.to_done & self.keep
        proof.covers["an answer without"] = self.to_done & self.undone
        proof.covers["a sum of more than n bits"] = self.to_done & (
            self.c2.top() | self.total_2.carry(self.words)
        )
        proof.covers["a modulus waits for work"] = self.mod_valid & ~self.mod_ready & block
        proof.assumptions["value"] = ["b is below m (the contract)"]
        proof.algebra = algebra()


def describe(proof: Proof) -> None:
    """Default parameters, with adders of at least four words."""
    width, values = proof.design.width, dict(proof.design.values)
    chain = -(-width // int(values["add_stages"]))
    words = -(-width // chain)
    fixed = {"stages": 1, "replicas": 1, "final_sub": 1, "moduli": 1, "checks": 0}
    if any(values[name] != value for name, value in fixed.items()) or not 4 <= words <= width - 9:
        raise NotDescribed(
            "the proof of csa covers stages=1, replicas=1, final_sub=1, moduli=1, checks=0 and"
            " add_stages that makes 4 words or more and at most width - 9"
        )
    _DataPath(proof, chain)
