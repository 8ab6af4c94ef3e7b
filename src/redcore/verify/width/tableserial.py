# SPDX-License-Identifier: Apache-2.0
"""tableserial at any width: a machine that makes a word of a pass after another.

The specification has the table and the sum as words, and makes a word when the core addresses it.
What the core has in its memories is the same but for what is on its way through its three stages:
``reaches`` says what a word will be then.
"""

from __future__ import annotations

from redcore.verify.algebra import Algebra
from redcore.verify.induction import NotDescribed, Proof
from redcore.verify.width import tables
from redcore.verify.width.tables import Plan, add, build_plan, chosen, digit, next_row, shifted
from redcore.verify.width.tableserial_control import ENTRIES, Control
from redcore.verify.words import FALSE, Word, concat, const, coq, ite, leaf

_MEMORY = "gen_generic.i_memory.gen_port[0].gen_whole"
_TABLE, _VALUES = "i_table.", "i_values."
_OPERANDS, _MULTIPLIER = "i_operands.gen_one_port.i_block.", "i_multiplier.gen_one_port.i_block."
_ROWS = 4
"""Of the table, and columns."""


def modulus_plan(count: Word, low: Word) -> Plan:
    """Pass ``count`` of a modulus, of 12; ``low`` is the lowest digit of the sum before. Three
    passes add m to a row's first entry, the fourth makes an entry of m alone."""
    divides = count.bit(1) & count.bit(0)
    zero = const(0, 2)
    row = ite(divides, zero, count.piece(3, 2))
    # An odd modulus has no multiple that is zero there; T[0, 0] is kept all the same.
    own = concat(FALSE, low.eq(zero))
    column = concat(low.bit(1) ^ low.bit(0), low.bit(0))
    return Plan(row, zero, divides, ite(divides, own, next_row(row)), ite(divides, column, zero))


def algebra() -> Algebra:
    """What Coq proves of these functions, for words of any size and any number of them."""
    count, low = leaf("count", 4), leaf("low", 2)
    return Algebra(
        "redc_algebra_tableserial.v",
        "tableserial_value",
        "for every width w and words of 2 bits and more that hold w + 4 bits, the passes give"
        " p < 2 m with 4^((w + 3) / 2) p = a b mod m, for a and b < 2 m, m < 2^w odd, whatever"
        " multiplications came before with that modulus",
        coq("tableserial_modulus_plan", [count, low], [*modulus_plan(count, low)])
        + tables.definitions(),
        (tables.FILE,),
    )


def describe(proof: Proof) -> None:
    """One modulus, no checks; words of any size."""
    fixed = {"moduli": 1, "checks": 0}
    for name, value in fixed.items():
        if proof.design.values[name] != value:
            raise NotDescribed(
                "the proof of tableserial covers "
                + ", ".join(f"{each}={wanted}" for each, wanted in fixed.items())
            )
    _Data(proof, Control(proof))


class _Data:
    """The specification's words, and the core's."""

    def __init__(self, proof: Proof, control: Control) -> None:
        self.proof, self.control = proof, control
        self.beats, self.size = control.beats, control.word
        self.states()
        self.passes()
        self.follow()
        self.path()
        self.carries()
        self.memories()
        self.digits()
        self.entries()
        self.answers()

    def says(self, name: str, holds: Word) -> None:
        """An invariant about data."""
        self.proof.invariant(name, holds, data=True)

    def word(self, name: str) -> Word:
        """A ghost of a word's size."""
        return self.proof.ghost(name, self.size)

    def memory(self, block: str, place: int) -> Word:
        """A word of a memory of the core."""
        return self.proof.net(f"{block}{_MEMORY}.gen_block.memory_q[{place}]")

    def states(self) -> None:
        """Ghosts."""
        proof, control = self.proof, self.control
        at = control.in_beat
        self.a = control.collected("a", control.accept, at, proof.input("a_i"))
        self.b = control.collected("b", control.accept, at, proof.input("b_i"))
        beats = range(self.beats)
        self.table = {
            (row, column): [
                self.word(f"T {row} {column} {w}") if (row, column) != (0, 0)
                else const(0, self.size)
                for w in beats
            ]
            for row in range(_ROWS)
            for column in range(_ROWS)
        }  # fmt: skip
        self.sums = [self.word(f"sum {w}") for w in beats]
        # The sum before without its lowest digit, as the core keeps it; ``good``: it is that.
        self.value = [self.word(f"value {w}") for w in beats]
        self.good = [proof.ghost(f"good {w}", 1) for w in beats]
        self.carry = proof.ghost("carry", 1)
        self.q = proof.ghost("q", 2)
        self.left, self.digit = self.word("left"), proof.ghost("digit", 2)
        self.digit_word = proof.ghost("digit word", control.beat_bits)
        self.digit_at = proof.ghost("digit at", control.digit_at.width)
        self.stage: list[dict[str, Word]] = [{}] + [
            {
                "x": self.word(f"x {k}"), "entry": self.word(f"entry {k}"),
                "carry": proof.ghost(f"carry {k}", 1), "adds": proof.ghost(f"adds {k}", 1),
                "made": self.word(f"made {k}"), "to": proof.ghost(f"to {k}", 4),
            }
            for k in (1, 2, 3)
        ]  # fmt: skip

    def passes(self) -> None:
        """What the specification does in this cycle."""
        control, turn, at = self.control, self.control.turn, self.control.at
        count = turn.low(4)
        derive, build = modulus_plan(count, self.q), build_plan(count)
        builds = turn.lt(ENTRIES)
        self.begins = turn.eq(ENTRIES)  # the first iteration
        column = self.q.gated(~self.begins)
        plan = [ite(control.derives, *pair) for pair in zip(derive, build, strict=True)]
        made = control.derives | builds
        self.row, self.column = ite(made, plan[0], self.digit), ite(made, plan[1], column)
        self.divides = control.derives & derive.divides
        self.writes = made
        self.to = concat(plan[3], plan[4])
        words = [self.table[e >> 2, e & 3] for e in range(16)]
        each = [chosen(at, own) for own in words]
        self.entry = chosen(concat(self.row, self.column), each)
        self.adds = made & ~self.divides
        operand = ite(control.derives, chosen(at, control.m), chosen(at, self.b))
        zero = const(0, self.size)
        above = [*self.sums[1:], zero]
        before = [
            shifted(*pair, const(w == self.beats - 1, 1))
            for w, pair in enumerate(zip(self.sums, above, strict=True))
        ]
        self.before = before
        value = ite(~made & self.begins, zero, chosen(at, before))
        self.x = ite(self.adds, operand, value)
        lowest = at.eq(0)
        self.carry_in = ite(lowest, self.divides, self.carry)
        self.made, self.carry_out = add(self.x, self.entry, self.carry_in)

    def follow(self) -> None:
        """The specification a cycle later."""
        proof, control, steps, at = self.proof, self.control, self.control.steps, self.control.at
        stage, running = self.stage, control.running
        core = proof.core
        for (row, column), words in self.table.items():
            if (row, column) == (0, 0):
                continue
            for w, ghost in enumerate(words):
                here = steps & self.writes & self.to.eq(4 * row + column) & at.eq(w)
                # Behind a reset the table is what the core has.
                own = self.memory(_TABLE, (4 * row + column << control.beat_bits) + w)
                bits = concat(*(core.following[bit] for bit in _leaves(own)))
                proof.follows(ghost, ite(running, ite(here, self.made, ghost), bits))
        # The word before is told its upper digit.
        first, boots = control.stage[1], control.stage[1]["boots"]
        told = control.valid[1] & ~boots & ~first["out"]
        over = control.valid[1] & ~boots & first["out"]
        last = control.is_last(first["at"])
        below = shifted(self.stage[1]["made"], self.made, last)
        for w, (ghost, good) in enumerate(zip(self.value, self.good, strict=True)):
            here = first["at"].eq(w)
            proof.follows(ghost, ite(told & here, below, ghost))
            begun = control.begins | control.mod_accept
            after = ~begun & (good & ~(over & here) | told & here)
            proof.follows(good, control.unless_reset(after))
        for w, ghost in enumerate(self.sums):
            proof.follows(ghost, ite(steps & at.eq(w), self.made, ghost))
        proof.follows(self.carry, ite(steps, self.carry_out, self.carry))
        ends = steps & control.is_last(at)
        proof.follows(self.q, ite(ends, self.sums[0].low(2), self.q))
        takes = ends & ~control.derives & const(ENTRIES - 1, control.turn.width).le(control.turn)
        # No digit is taken of a word behind the last one.
        following = chosen(self.digit_word + control.beat(1), self.a)
        word_ends = self.digit_at.eq(control.in_word - 1)
        taken, left = digit(self.left, word_ends, following)
        proof.follows(self.digit, ite(takes, taken, self.digit))
        whole = control.whole
        proof.follows(self.left, ite(whole, self.a[0], ite(takes, left, self.left)))
        zero, one = const(0, self.digit_at.width), const(1, self.digit_at.width)
        counted = ite(word_ends, zero, self.digit_at + one)
        proof.follows(self.digit_at, ite(whole, zero, ite(takes, counted, self.digit_at)))
        word = ite(takes & word_ends, self.digit_word + control.beat(1), self.digit_word)
        proof.follows(self.digit_word, ite(whole, control.beat(0), word))
        none, boots = const(0, self.size), control.boots
        now = {
            "x": self.x.gated(~boots), "entry": self.entry.gated(~boots),
            "carry": self.carry_in & ~boots, "adds": self.adds & ~boots,
            "made": ite(boots, none, self.made), "to": self.to.gated(~boots),
        }  # fmt: skip
        for k in (1, 2, 3):
            for name, ghost in stage[k].items():
                proof.follows(ghost, now[name] if k == 1 else stage[k - 1][name])

    def path(self) -> None:
        """The chain, between what is read and what is written."""
        proof, control, stage = self.proof, self.control, self.stage
        valid, where = control.valid, control.stage
        first = {
            name: proof.register(f"{block}{_MEMORY}.gen_registered.read_q")
            for name, block in (("entry", _TABLE), ("value", _VALUES), ("operand", _OPERANDS))
        }
        second = {name: proof.net(name) for name in ("entry", "value", "operand")}
        adds = {1: proof.register("adds_first_q"), 2: proof.register("adds_second_q")}
        for k, read in ((1, first), (2, second)):
            own = stage[k]
            sound = valid[k] & where[k]["sound"]
            self.says(f"stage {k} adds", valid[k].implies(adds[k].eq(own["adds"])))
            self.says(f"stage {k}: entry", sound.implies(read["entry"].eq(own["entry"])))
            self.says(f"stage {k}: an operand", (sound & adds[k]).implies(
                read["operand"].eq(own["x"])
            ))  # fmt: skip
            self.says(f"stage {k}: the sum before", (sound & ~adds[k]).implies(
                read["value"].eq(own["x"])
            ))  # fmt: skip
            made, _ = add(own["x"], own["entry"], own["carry"])
            self.says(f"stage {k}: what is made", valid[k].implies(own["made"].eq(made)))
        for k in (1, 2, 3):
            boots = valid[k] & where[k]["boots"]
            none = stage[k]["made"].eq(0) & stage[k]["to"].eq(0)
            if k < 3:
                none &= stage[k]["x"].eq(0) & stage[k]["entry"].eq(0) & ~stage[k]["carry"]
            self.says(f"stage {k}: zeros behind reset", boots.implies(none))
            kept = valid[k] & ~where[k]["boots"] & where[k]["writes"]
            self.says(f"stage {k}: zero is kept", kept.implies(stage[k]["to"].ne(0)))
        self.says("the third stage", valid[3].implies(
            proof.register("sum_q").eq(stage[3]["made"])
        ))  # fmt: skip
        self.says("where the entry goes", (valid[3] & where[3]["writes"]).implies(
            proof.net("write_entry_q").eq(stage[3]["to"])
        ))  # fmt: skip
        to = ite(control.boots, const(0, 4), self.to)
        guard = control.passing & self.control.now["writes"] & valid[1]
        self.says("entries of a pass", (guard & control.word_q.ne(0)).implies(
            stage[1]["to"].eq(to)
        ))  # fmt: skip
        for k in (1, 2):
            both = valid[k] & valid[k + 1] & where[k]["at"].ne(0)
            self.says(f"entries of stages {k} and {k + 1}", (both & where[k]["writes"]).implies(
                stage[k]["to"].eq(stage[k + 1]["to"])
            ))  # fmt: skip

    def carries(self) -> None:
        """The carry into the second stage, which waits there for the next word."""
        proof, control, stage = self.proof, self.control, self.stage
        valid, where = control.valid, control.stage
        counts, kept = proof.register("counts_q"), proof.register("carry_q")
        carry = counts & kept
        own = valid[2] & where[2]["sound"] & ~(where[2]["boots"] & where[2]["at"].eq(0))
        self.says("the second stage's carry", own.implies(carry.eq(stage[2]["carry"])))
        alone = valid[1] & ~valid[2]
        second_last = proof.register("second_last_q")
        self.says("the carry for the first stage", (alone & ~where[1]["boots"]).implies(
            carry.eq(stage[1]["carry"]) & (~second_last | ~counts)
        ))  # fmt: skip
        idle = ~valid[1] & ~valid[2]
        begins = control.load | control.build | control.entries & ~control.zero
        self.says("no carry into a first pass", (idle & begins).implies(~counts))
        waits = idle & control.finish
        end = control.is_last(control.word_q) & control.asks[3]
        self.says("a carry waits", waits.implies(ite(end, ~counts, carry.eq(self.carry))))
        carries = {k: add(*(stage[k][x] for x in ("x", "entry", "carry")))[1] for k in (1, 2)}
        self.says("the carry between stages", (
            valid[1] & valid[2] & where[1]["at"].ne(0)
        ).implies(stage[1]["carry"].eq(carries[2])))  # fmt: skip
        self.says("the carry of the word before", (valid[1] & ~where[1]["boots"]).implies(
            self.carry.eq(carries[1])
        ))  # fmt: skip
        self.says("the carry of the word asked for", (control.finish & control.asks[2]).implies(
            self.carry.eq(carries[2])
        ))  # fmt: skip
        lowest = valid[1] & ~where[1]["boots"] & where[1]["at"].eq(0)
        self.says("the carry into a pass", lowest.implies(
            stage[1]["carry"].eq(proof.register("divides_q"))
        ))  # fmt: skip
        # Digits of sums.
        low = self.sums[0].low(2)
        for k in (1, 2, 3):
            lowest = valid[k] & ~where[k]["boots"] & where[k]["at"].eq(0)
            self.says(f"stage {k}: the lowest digit", lowest.implies(
                stage[k]["made"].low(2).eq(low)
            ))  # fmt: skip
        low_q = proof.register("low_q")
        self.says("no digit behind reset", control.zero.implies(low_q.eq(0)))
        if self.beats > 4:
            late = control.beat(4).le(control.word_q)
            begun = control.passing & ~control.zero & late
            self.says("the digit of the sum", begun.implies(low_q.eq(low)))
        else:
            late = FALSE
        before = control.entries & control.entry.ne(0) & ~control.zero
        self.says("the digit of the sum before", (before & ~late).implies(low_q.eq(self.q)))

    def reaches(self, kept: Word, on_its_way: list[tuple[Word, Word]]) -> Word:
        """A word of a memory, once what is on its way has been written, the latest first."""
        for here, word in reversed(on_its_way):
            kept = ite(here, word, kept)
        return kept

    def memories(self) -> None:
        """Words of the four memories."""
        control, stage = self.control, self.stage
        valid, where, word_q = control.valid, control.stage, control.word_q
        bits = control.beat_bits
        for (row, column), words in self.table.items():
            place = 4 * row + column
            for w, ghost in enumerate(words):
                kept = self.memory(_TABLE, (place << bits) + w)
                coming = [
                    valid[k] & where[k]["writes"] & stage[k]["to"].eq(place) & where[k]["at"].eq(w)
                    for k in (1, 2, 3)
                ]
                if place == 0:
                    waits = ~self.known(w) | coming[0] | coming[1] | coming[2]
                    self.says(f"T[0, 0], word {w}", waits | kept.eq(0))
                    continue
                ways = [(here, stage[k]["made"]) for k, here in enumerate(coming, 1)]
                name = f"T[{row}, {column}], word {w}"
                self.says(name, ghost.eq(self.reaches(kept, ways)))
        # What stage k will write into the memory of the sum: it is told the digit above.
        wholes = {
            k: shifted(
                stage[k]["made"], stage[k - 1]["made"], control.is_last(where[k]["at"])
            )
            for k in (2, 3)
        }  # fmt: skip
        for w, ghost in enumerate(self.value):
            own = [valid[k] & ~where[k]["boots"] & where[k]["at"].eq(w) for k in (2, 3)]
            ways = [(here, wholes[k]) for k, here in zip((2, 3), own, strict=True)]
            kept = self.memory(_VALUES, w)
            self.says(f"the sum before, word {w}", self.good[w].implies(
                ghost.eq(self.reaches(kept, ways))
            ))  # fmt: skip
            # The last word made has not been told its upper digit yet.
            told = control.at.ne((w + 1) % self.beats)
            self.says(f"the sum before, word {w}, is that", (
                (control.passing & ~control.zero | control.finish) & self.good[w] & told
            ).implies(ghost.eq(self.before[w])))  # fmt: skip
            here = valid[1] & ~where[1]["boots"] & where[1]["at"].eq(w)
            self.says(f"sum, word {w}, is in the first stage", here.implies(
                stage[1]["made"].eq(self.sums[w])
            ))  # fmt: skip
            none = control.zero | control.load & (~control.first | control.mod_beat.ne(0))
            here = word_q.eq(w) & (control.asks[2] | control.asks[3])
            none |= control.finish & (here | const(w, bits).lt(word_q))
            self.proof.invariant(f"word {w} is none", none.implies(~self.good[w]))
            zero = self.memory(_VALUES, (1 << bits) + w)
            waits = ~self.known(w)
            for k in (1, 2, 3):
                waits |= valid[k] & where[k]["boots"] & where[k]["at"].eq(w)
            self.says(f"zero, word {w}", waits | zero.eq(0))
            begins = (control.entries | control.build) & ~control.zero
            begun = ite(
                control.entry.eq(0), const(w + 2, bits + 1).le(word_q.wide(bits + 1)),
                ~(control.entry.eq(1) & const(w == self.beats - 1, 1) & word_q.eq(0)),
            )  # fmt: skip
            self.proof.invariant(f"word {w} is good", begins.implies(self.good[w].eq(begun)))
            self.proof.invariant(f"word {w} stays good", control.iterate.implies(self.good[w]))
            for k in (2, 3):
                here = valid[k] & where[k]["out"] & where[k]["at"].eq(w)
                self.proof.invariant(f"word {w} goes in stage {k}", here.implies(~self.good[w]))
            later = word_q.lt(w) | control.asks[0] & word_q.eq(w)
            self.proof.invariant(f"word {w} is good in the end", (
                control.finish & later
            ).implies(self.good[w]))  # fmt: skip
        for w in range(self.beats):
            kept = self.memory(_OPERANDS, w)
            here = const(w, bits).lt(word_q)
            collects = control.load & ~control.first & here
            self.says(f"b, word {w}", (collects | control.build).implies(kept.eq(self.b[w])))
            derives = control.load & control.mod_beat.ne(0) & here
            derives |= control.entries & ~control.zero
            self.says(f"m, word {w}", derives.implies(kept.eq(control.m[w])))
            self.says(f"a, word {w}", collects.implies(
                self.memory(_MULTIPLIER, w).eq(self.a[w])
            ))  # fmt: skip

    def known(self, w: int) -> Word:
        """Word w of the zeros behind reset is written, or on its way."""
        control = self.control
        return ~control.zero | control.entry.ne(9) | const(w, control.beat_bits).lt(control.word_q)

    def digits(self) -> None:
        """What is left of the multiplier, and where the next digit is."""
        proof, control = self.proof, self.control
        at_work = control.build | control.iterate
        word, at = control.digit_word, control.digit_at
        self.says("where digits are", at_work.implies(
            self.digit_word.eq(word) & self.digit_at.eq(at)
        ))  # fmt: skip
        for w in range(self.beats):
            kept = self.memory(_MULTIPLIER, w)
            self.says(f"what is left in word {w}", (at_work & word.eq(w)).implies(
                kept.eq(self.left)
            ))  # fmt: skip
            self.says(f"word {w} of a", (at_work & word.lt(w)).implies(kept.eq(self.a[w])))
        first = proof.register(f"{_MULTIPLIER}{_MEMORY}.gen_registered.read_q")
        takes = control.iterate | control.build & control.entry.eq(ENTRIES - 1)
        for cycles, own, value in (
            (1, first, self.left), (2, proof.net("a_word"), self.left),
            (3, proof.register("digit"), self.left.low(2)),
        ):  # fmt: skip
            there = takes & control.beat(cycles).le(control.word_q)
            self.says(f"a digit after {cycles}", there.implies(own.eq(value)))

    def entries(self) -> None:
        """What the core reads of the table."""
        control = self.control
        own = concat(self.digit, self.q.gated(~self.begins))
        later = control.iterate
        later |= control.finish & (control.asks[0] | ~control.is_last(control.word_q))
        self.says("the entry", later.implies(control.entry.eq(own)))

    def answers(self) -> None:
        """A result's words."""
        proof, control = self.proof, self.control
        asks, p = control.asks, proof.output("p_o")
        finish = control.finish
        said = chosen(control.word_q, self.sums)
        for k in (1, 2):
            self.says(f"the word asked {k}", (finish & asks[k]).implies(
                self.stage[k]["made"].eq(said)
            ))  # fmt: skip
        self.says("the word", control.out_valid.implies(p.eq(said)))
        own = chosen(control.out_beat, self.sums)
        proof.claim(
            "result", "p_o is the specification's", control.out_valid.implies(p.eq(own)),
            data=True,
        )  # fmt: skip
        proof.assumptions["value"] = ["m is odd, a and b are below 2m (the contract)"]
        proof.algebra = algebra()
        proof.covers["an answer above 1, of operands above 1"] = (
            control.out_valid & const(1, self.size).lt(p) & const(1, self.size).lt(self.b[0])
        )
        for value in range(_ROWS):
            proof.covers[f"a quotient digit {value}"] = control.iterate & self.q.eq(value)
            proof.covers[f"a digit {value}"] = control.iterate & self.digit.eq(value)


def _leaves(word: Word) -> list[Word]:
    """The registers that a word of a memory is put together from, the highest first."""
    return [word] if word.op == "leaf" else list(word.args)
