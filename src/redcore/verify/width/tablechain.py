# SPDX-License-Identifier: Apache-2.0
"""tablechain at any width: words of a pass, each made a cycle behind the one below.

The specification has the table and the sum as words, one for each unit, and makes a unit's word
when the unit adds. Words of b come while entries are already being made. What a unit adds before
its word has come, the specification takes from the core; that such entries are made anew before
they are read is proved of the control (``tablechain_pipeline``).
"""

from __future__ import annotations

from redcore.verify.algebra import Algebra
from redcore.verify.induction import NotDescribed, Proof
from redcore.verify.width import tables
from redcore.verify.width.tablechain_control import Control
from redcore.verify.width.tablechain_pipeline import (
    Command,
    Pipeline,
    behind,
    divides,
    fetched,
    gray,
)
from redcore.verify.width.tables import add, build_plan, chosen, shifted
from redcore.verify.words import FALSE, Exchange, Word, concat, const, coq, ite, leaf

_RAM = "gen_port[0].gen_whole.gen_distributed.memory_q"
_WORDS = "i_digits.gen_lutram.i_words.gen_port[0].gen_whole.gen_registered.read_q"
_ENTRIES = 16


def algebra() -> Algebra:
    """What Coq proves of these functions, for words of any size and any number of them."""
    count, second = leaf("count", 2), leaf("second", 1)
    return Algebra(
        "redc_algebra_tablechain.v",
        "tablechain_value",
        "for every width w, units of 2 bits and more, the topmost one of its own, that hold w + 4"
        " bits, the passes give p < 2 m with 4^((w + 3) / 2) p = a b mod m, for a and b < 2 m,"
        " m < 2^w odd, whatever multiplications came before with that modulus",
        coq("tablechain_fetched", [count], [*fetched(count)])
        + coq("tablechain_divided", [count, second], [*behind(*divides(count, second))])
        + tables.definitions(),
        (tables.FILE,),
    )


def describe(proof: Proof) -> None:
    """Radix 4, distributed memory, one modulus, no checks; words of any size."""
    fixed = {"radix": 4, "storage": "lutram", "moduli": 1, "checks": 0}
    for name, value in fixed.items():
        if proof.design.values[name] != value:
            raise NotDescribed(
                "the proof of tablechain covers "
                + ", ".join(f"{each}={wanted}" for each, wanted in fixed.items())
            )
    control = Control(proof)
    _Data(proof, control, Pipeline(proof, control))


class _Data:
    """The specification's words, and the core's."""

    def __init__(self, proof: Proof, control: Control, pipeline: Pipeline) -> None:
        self.proof, self.control, self.pipeline = proof, control, pipeline
        self.units, self.size = control.beats, control.word
        self.line = pipeline.line
        top = control.n + 4 - (self.units - 1) * self.size
        self.sizes = [self.size] * (self.units - 1) + [top]
        self.states()
        self.passes()
        self.follow()
        self.addresses()
        self.bus()
        for w in range(self.units):
            self.unit(w)
            self.table_of(w)
        self.digits()
        self.made_results()
        self.ring()
        self.claims()

    def says(self, name: str, holds: Word) -> None:
        """An invariant about data."""
        self.proof.invariant(name, holds, data=True)

    def own(self, w: int, name: str) -> Word:
        """Something of a unit of the core."""
        return self.proof.net(f"gen_unit[{w}].i_unit.{name}")

    # -- the specification ---------------------------------------------------------------------

    def states(self) -> None:
        """Ghosts: the table, the sum and its carries, and results."""
        ghost, sizes = self.proof.ghost, self.sizes
        self.table = [
            [ghost(f"T {place >> 2} {place & 3} {w}", size) for place in range(_ENTRIES)]
            for w, size in enumerate(sizes)
        ]
        self.sums = [ghost(f"sum {w}", size) for w, size in enumerate(sizes)]
        self.carries = [ghost(f"carry {w}", 1) for w in range(self.units)]
        self.results = [
            [ghost(f"result {k} {w}", size) for w, size in enumerate(sizes)] for k in (0, 1)
        ]
        self.booted = [ghost(f"booted {w}", 1) for w in range(self.units)]

    def command(self, w: int) -> Command:
        """What unit w adds in this cycle."""
        return self.line[w + 1]

    def entry(self, w: int) -> Word:
        """The entry that it adds."""
        own = self.command(w)
        return chosen(own.place, self.table[w]).gated(own.reads)

    def passes(self) -> None:
        """What each unit makes in this cycle."""
        control, pipeline = self.control, self.pipeline
        made = [const(0, size) for size in self.sizes]
        self.carry_out = [FALSE] * self.units
        for w in reversed(range(self.units)):
            own, size, top = self.command(w), self.sizes[w], w == self.units - 1
            came = ite(pipeline.have[w], pipeline.b[w].fitted(size), self.word(w))
            operand = ite(own.multiply, control.m[w].fitted(size), came)
            above = const(0, size) if top else made[w + 1].fitted(size)
            before = shifted(self.sums[w], above, const(top, 1)).gated(own.shifts)
            carry = own.divide if w == 0 else self.carries[w - 1]
            x = ite(own.adds, operand, before)
            made[w], self.carry_out[w] = add(x, self.entry(w), carry)
        self.made = made

    def word(self, w: int) -> Word:
        """What the core has as multiplicand."""
        return self.own(w, "word_q").fitted(self.sizes[w])

    def memory(self, w: int, place: int) -> Word:
        """An entry of the core's table."""
        row = place >> 2
        return self.own(w, f"i_table.{_RAM}[{4 * (row ^ row >> 1) + (place & 3)}]")

    def follow(self) -> None:
        """The specification a cycle later."""
        proof, control = self.proof, self.control
        later = Exchange(proof.core.following)
        for w in range(self.units):
            own, made = self.command(w), self.made[w]
            for place, ghost in enumerate(self.table[w]):
                # Behind a reset the table is what the core has.
                bits = later(self.memory(w, place))
                kept = ite(self.line[w + 2].junk, bits, ghost)
                after = ite(own.writes & own.to.eq(place), made, kept)
                proof.follows(ghost, ite(control.running, after, bits))
            proof.follows(self.sums[w], made)
            proof.follows(self.carries[w], self.carry_out[w])
            proof.follows(self.booted[w], control.unless_reset(self.booted[w] | own.boot))
            for k in (0, 1):
                ghost = self.results[k][w]
                proof.follows(ghost, ite(own.last & own.result.eq(k), made, ghost))
        first = self.line[0]
        self.quotient = self.made[0].low(2)
        summed = first.iterate & ~first.first
        self.pipeline.follow(ite(summed, self.quotient, first.column))

    # -- units ---------------------------------------------------------------------------------

    def addresses(self) -> None:
        """Entries that are read, where data say it."""
        net, says, pipeline = self.proof.net, self.says, self.pipeline
        soon, first = net("i_schedule.soon_q"), net("i_schedule.step_q")
        for name, own, word in (
            ("soon", pipeline.soon, soon), ("at first", self.line[0], first)
        ):  # fmt: skip
            says(f"{name}: a digit", own.iterate.implies(word.piece(8, 7).eq(gray(own.row))))
        says("soon: where a quotient's entry goes", pipeline.soon.divide.implies(
            soon.piece(6, 5).eq(pipeline.soon.column)
        ))  # fmt: skip
        says("at first: where a quotient's entry goes", self.line[0].divide.implies(
            net("quotient_q").eq(self.line[0].column)
        ))  # fmt: skip
        own = self.line[0]
        says("the quotient digit", (own.iterate & ~own.first).implies(
            net("quotient_q").eq(self.quotient)
        ))  # fmt: skip
        address = net("address")
        for s, own in enumerate(self.line[1:], 1):
            here = address.piece(4 * s + 3, 4 * s)
            says(f"line {s}: digits", own.iterate.implies(
                here.eq(concat(gray(own.row), own.column))
            ))  # fmt: skip
            says(f"line {s}: where a quotient's entry goes", own.divide.implies(
                here.low(2).eq(own.column)
            ))  # fmt: skip
        control = self.control
        derives = control.mod_beat.ne(0) | self.proof.register("mod_end_q")
        derives |= control.in_build & control.of_modulus | control.in_divide
        says("the second bit", derives.implies(
            self.proof.register("second_bit_q").eq(control.m[0].bit(1))
        ))  # fmt: skip

    def bus(self) -> None:
        """Words that pass by."""
        pipeline, bus = self.pipeline, self.proof.register("i_load.word_q")
        b = chosen(pipeline.at, pipeline.b)
        self.says("b on the bus", pipeline.came.implies(bus.eq(b)))
        m = chosen(pipeline.mod_at, self.control.m)
        self.says("m on the bus", pipeline.mod_came.implies(bus.eq(m)))

    def unit(self, w: int) -> None:
        """What the core has in a unit's registers."""
        own, old, says = self.command(w), self.line[w + 2], self.says
        size, pipeline = self.sizes[w], self.pipeline
        says(f"entry {w}", own.does.implies(self.own(w, "entry_q").eq(self.entry(w))))
        word = self.word(w)
        says(f"b in {w}", pipeline.have[w].implies(word.eq(pipeline.b[w].fitted(size))))
        says(f"m in {w}", pipeline.mod_have[w].implies(word.eq(self.control.m[w].fitted(size))))
        none = own.boot | own.zero | own.settle | own.fetch | own.first
        says(f"nothing in {w}", none.implies(word.eq(0)))
        says(f"sum {w}", old.does.implies(self.own(w, "sum_q").eq(self.sums[w])))
        none = old.boot | old.zero | old.settle
        says(f"no sum {w}", none.implies(self.sums[w].eq(0) & ~self.carries[w]))
        if w < self.units - 1:
            carry = self.own(w, "carry_o")
            says(f"carry {w}", old.does.implies(carry.eq(self.carries[w])))

    def table_of(self, w: int) -> None:
        """Its table."""
        old, says = self.line[w + 2], self.says
        for place, ghost in enumerate(self.table[w]):
            here = old.writes & old.to.eq(place)
            kept = ite(here, self.sums[w], self.memory(w, place))
            says(f"T[{place >> 2}, {place & 3}] of {w}", ghost.eq(kept))
        booted = self.booted[w]
        says(f"nothing is on its way to {w} from before", booted.implies(~old.junk))
        says(f"no entry in {w}", booted.implies(self.table[w][0].eq(0)))
        own = self.command(w)
        says(f"{w} begins with none", (~own.junk & ~own.boot).implies(booted))

    # -- digits --------------------------------------------------------------------------------

    def digits(self) -> None:
        """Those of the multiplier."""
        proof, control, pipeline, says = self.proof, self.control, self.pipeline, self.says
        iterate, settle, index = control.in_iterate, control.in_settle, control.index
        wide, number = control.bits, control.number
        coming = control.coming & iterate
        says("all words of operands that came", (coming & control.full).implies(
            number(control.opens + 3 + self.units).le(control.since)
        ))  # fmt: skip
        for w in range(self.units):
            kept = proof.net(f"i_digits.gen_lutram.i_words.{_RAM}[{w}]")
            came = control.full | const(w, control.beat_bits).lt(control.in_beat)
            says(f"a, word {w}", came.implies(kept.eq(pipeline.a[w])))
            says(f"the multiplier, word {w}", (iterate & ~came).implies(
                kept.eq(pipeline.multiplier[w])
            ))  # fmt: skip
        at, count = control.digit_at.wide(wide), control.digit_word.wide(wide)
        word_at, next_word = pipeline.next_at, pipeline.next_word
        ends = word_at.eq(control.digits - 1).wide(wide)
        says("digits in words", pipeline.digit_at.lt(control.digits) | ~iterate)
        says("which digit", iterate.implies(at.eq(word_at) & count.eq(next_word + ends)))
        beyond, more = proof.register("i_digits.beyond_q"), proof.register("i_digits.more_q")
        begun = control.building & index.ne(0) | settle
        says("words are left", begun.implies(~beyond & more))
        left = next_word.lt(self.units)
        says("digits are left", iterate.implies(
            more.eq(left) & beyond.eq(number(self.units).le(count))
        ))  # fmt: skip
        read = proof.register(_WORDS)
        begun = control.building & const(2, 4).le(index) | settle
        says("the lowest word", begun.implies(read.eq(pipeline.a[0])))
        needed = iterate & left & control.since.lt(control.iterations)
        says("the word of the next digit", needed.implies(read.eq(pipeline.of_a(next_word))))
        if control.digits > 8:  # else one group of digits, and nothing reads which it is
            group = proof.net("i_digits.group_q").wide(wide)
            says("the digit's group", iterate.implies(group.eq(pipeline.digit_at)))
        word = pipeline.of_a(pipeline.digit_word)
        rest = word
        for k in range(1, control.digits):
            gone = concat(const(0, 2 * k), word.piece(self.size - 1, 2 * k))
            rest = ite(pipeline.digit_at.eq(k), gone, rest)
        says("what is left of a word", iterate.implies(pipeline.left.eq(rest)))
        told = proof.net("i_digits.digit_o")
        says("the digit", iterate.implies(told.eq(pipeline.digit)))

    # -- results -------------------------------------------------------------------------------

    def made_results(self) -> None:
        """Results, as units finish."""
        control, pipeline, says = self.control, self.pipeline, self.says
        older, newer, fin = control.older, control.newer, control.fin
        front, newest = pipeline.front, pipeline.newest
        says("which is the newest", newest.eq(ite(older, front ^ newer, ~front)))
        early = fin.lt(control.offered)
        self.writing = front ^ ((early | control.two) & control.one)
        for at, own in enumerate([pipeline.soon, *self.line], 1):
            says(f"the last iteration, {at}", own.last.eq(fin.eq(at)) | own.junk)
            says(f"its result, {at}", own.last.implies(own.result.eq(self.writing)))
        for w in range(self.units):
            done = self.line[w + 2]
            made = ite(done.result, self.results[1][w], self.results[0][w])
            says(f"the result of {w}", done.last.implies(self.sums[w].eq(made)))

    def result(self, which: Word, w: int) -> Word:
        """A word of one of the two results, as it is offered."""
        word = ite(which, self.results[1][w], self.results[0][w])
        return word.fitted(self.size)

    def ring(self) -> None:
        """Words of results, as they wait."""
        proof, control, says = self.proof, self.control, self.says
        wide, number, places = control.bits, control.number, control.places
        front = self.pipeline.front
        words = [self.result(front, w) for w in range(self.units)]
        words += [self.result(~front, w) for w in range(self.units)]
        read = proof.register("i_results.read_q").wide(wide)
        bits = (len(words) - 1).bit_length()
        for x in range(places):
            own = number(x)
            off = ite(read.le(own), own - read, own + number(places) - read)
            word = chosen((control.out_beat.wide(wide) + off).low(bits), words)
            kept = proof.net(f"i_results.gen_lutram.i_kept.{_RAM}[{x}]")
            says(f"place {x}", off.lt(control.kept).implies(kept.eq(word)))
        late = [self.result(self.writing, w) for w in range(self.units)]
        if 8 < self.units <= 15:
            other = proof.net("i_results.gen_few.gen_others.chosen_q")
            says("a word of the others", control.within(control.fin, 12, self.units + 4).implies(
                other.eq(self.at_time(5, late))
            ))  # fmt: skip
        elif self.units > 15:
            self.many(late)

    def at_time(self, least: int, words: list[Word]) -> Word:
        """The first of the words so many cycles behind the last iteration, and so on."""
        at = self.control.fin - self.control.number(least)
        return chosen(at.low(max(1, (self.units - 1).bit_length())), words)

    def many(self, late: list[Word]) -> None:
        """Words of results on their way through levels of registers."""
        proof, control, says = self.proof, self.control, self.says
        fin, units, many = control.fin, self.units, "i_results.gen_many."
        count, bits = proof.net(f"{many}count"), 3 * (control.levels + 1)
        for level in range(control.levels + 1):
            least = 4 + level
            valid = control.within(fin, least, units + least - 1)
            at = fin - control.number(least)
            own = count.piece(bits * (level + 1) - 1, bits * level)
            says(f"which word, level {level}", valid.implies(own.eq(at.low(bits))))
            below = -(-units // 8**level)
            for group in range(-(-below // 8) if level < control.levels else 0):
                name = f"{many}gen_level[{level}].gen_word[{group}].gen_choose."
                if level == 0:
                    index = proof.net(f"{name}index")
                    for k in range(index.width // 3):
                        says(f"which word of group {group}, {k}", valid.implies(
                            index.piece(3 * k + 2, 3 * k).eq(at.low(3))
                        ))  # fmt: skip
                least = 5 + level
                at_next = fin - control.number(least)
                here = control.within(fin, least, units + least - 1)
                first, size = group * 8 ** (level + 1), 8 ** (level + 1)
                here &= control.within(at_next, first, first + size - 1)
                says(f"a word of level {level}, group {group}", here.implies(
                    proof.net(f"{name}chosen_q").eq(self.at_time(least, late))
                ))  # fmt: skip

    def claims(self) -> None:
        """What follows for the contract."""
        proof, control, pipeline = self.proof, self.control, self.pipeline
        p = proof.output("p_o")
        said = chosen(control.out_beat, [self.result(pipeline.front, w) for w in range(self.units)])
        proof.claim("result", "p_o is the specification's", control.out_valid.implies(
            p.eq(said)
        ), data=True)  # fmt: skip
        for w in range(self.units):
            own = self.command(w)
            plan = build_plan(own.place)
            proof.claim("result", f"entries of {w} go where the plan says", own.adds.implies(
                own.to.eq(concat(plan.to_row, plan.to_column))
            ))  # fmt: skip
            proof.claim("result", f"{w} begins with zero", own.multiply.implies(
                self.table[w][0].eq(0)
            ), data=True)  # fmt: skip
        one = const(1, self.size)
        proof.covers["an answer above 1, of operands above 1"] = (
            control.out_valid & one.lt(p) & one.lt(pipeline.b[0])
        )
        first = self.line[0]
        proof.assumptions["value"] = ["m is odd, a and b are below 2m (the contract)"]
        proof.algebra = algebra()
        for value in range(4):
            proof.covers[f"a quotient digit {value}"] = (
                first.iterate & ~first.first & self.quotient.eq(value)
            )
            proof.covers[f"a digit {value}"] = first.iterate & first.row.eq(value)
