# SPDX-License-Identifier: Apache-2.0
"""What tablechain's units are told, and which words they have, whatever the data.

A *command* is what the schedule says in one cycle. It stands in ``soon`` a cycle later, and then in
``line[0]`` and on: unit w reads its table with the command in ``line[w]``, adds with that in
``line[w + 1]``, and with that in ``line[w + 2]`` has the sum and writes it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from redcore.verify.induction import Proof
from redcore.verify.width.tablechain_control import BUILD, ROWS, Control
from redcore.verify.width.tables import build_plan, chosen, digit, next_row
from redcore.verify.words import FALSE, TRUE, Word, all_of, concat, const, ite

_DERIVED = BUILD + 3 * ROWS
"""Cycles in which the entries of a modulus are made."""


class Command(NamedTuple):
    """What a unit does: one of the bits from ``boot`` to ``iterate``, or nothing.

    ``multiply`` adds the modulus to an entry, ``zero`` forgets it, ``fetch`` reads a multiple,
    ``divide`` divides it; ``build`` adds b to an entry, ``settle`` forgets it, ``iterate`` adds an
    entry to the sum, with ``first`` to none, and ``last`` behind which the sum is the result.
    ``row`` and ``column`` are those of the entry. ``result``: the lowest bit of the result's
    number. ``junk``: nothing is known, as a reset was.
    """

    boot: Word
    multiply: Word
    zero: Word
    fetch: Word
    divide: Word
    build: Word
    settle: Word
    iterate: Word
    first: Word
    last: Word
    row: Word
    column: Word
    result: Word
    junk: Word

    @property
    def clears(self) -> Word:
        """No entry is added, and the multiplicand is forgotten."""
        return self.boot | self.zero | self.divide | self.settle

    @property
    def derives(self) -> Word:
        """It forgets a multiplicand before operands come."""
        return self.boot | self.zero | self.divide

    @property
    def writes(self) -> Word:
        """The sum becomes an entry."""
        return self.boot | self.multiply | self.divide | self.build

    @property
    def adds(self) -> Word:
        """An entry is made of another one and the multiplicand."""
        return self.multiply | self.build

    @property
    def reads(self) -> Word:
        """An entry is added."""
        return self.multiply | self.fetch | self.build | self.iterate

    @property
    def does(self) -> Word:
        """Anything."""
        return self.clears | self.reads

    @property
    def shifts(self) -> Word:
        """It adds to the sum before without its lowest digit."""
        return self.divide | self.iterate & ~self.first

    @property
    def place(self) -> Word:
        """Of the entry."""
        return concat(self.row, self.column)

    @property
    def to(self) -> Word:
        """Where the sum goes, where it does."""
        return concat(*behind(self.row, self.column))


_DIGITS = ("row", "column")


def gray(row: Word) -> Word:
    """The order of rows in addresses."""
    return concat(row.bit(1), row.bit(1) ^ row.bit(0))


def quotient_column(multiple: Word, second: Word) -> Word:
    """The quotient digit that a multiple of the modulus goes with, whose bit 1 is ``second``."""
    return concat(multiple.bit(1) ^ (multiple.bit(0) & ~second), multiple.bit(0))


def behind(row: Word, column: Word) -> tuple[Word, Word]:
    """Where what is made with an entry goes: into the next row, round and round."""
    return row + const(1, 2), column


def fetched(count: Word) -> tuple[Word, Word]:
    """The entry that is multiple ``count`` of a modulus, of three, counted from 0."""
    return next_row(count), const(0, 2)


def divides(count: Word, second: Word) -> tuple[Word, Word]:
    """The place before the one where it goes, divided; ``second`` is bit 1 of the modulus."""
    return const(3, 2), quotient_column(next_row(count), second)


class Pipeline:
    """Commands on their way, the words that units have, and the digits of a."""

    def __init__(self, proof: Proof, control: Control) -> None:
        self.proof, self.control = proof, control
        self.units = control.beats
        self.says = control.says
        self.running = control.running
        self.ghosts()
        self.digits()
        self.commands()
        self.core()
        self.behind()
        self.times()
        self.words()
        self.misses()

    # -- ghosts --------------------------------------------------------------------------------

    def command(self, name: str) -> Command:
        """Ghosts of one."""
        return Command(*(
            self.proof.ghost(f"{name} {x}", 2 if x in _DIGITS else 1) for x in Command._fields
        ))  # fmt: skip

    def ghosts(self) -> None:
        """Operands as they came, and when they were built of."""
        proof, control = self.proof, self.control
        at = control.in_beat
        self.a = control.collected("a", control.accept, at, proof.input("a_i"))
        self.b = control.collected("b", control.accept, at, proof.input("b_i"))
        register, wire = proof.register, proof.wire
        self.read, self.divides = register("i_schedule.read_q"), register("i_schedule.divides_q")
        # Cycles since entries with b began, and whether all of them are, or may be, made.
        self.built, self.alive = proof.ghost("built", control.bits), proof.ghost("alive", 1)
        begins, late = wire("i_schedule.begins"), wire("i_schedule.late")
        zero, most = control.number(0), control.number(-1)
        proof.follows(self.built, ite(begins, zero, control.grows(self.built)))
        proof.follows(self.alive, control.unless_reset(begins | self.alive & ~late))
        # The same of a modulus.
        self.derived = proof.ghost("derived", control.bits)
        after = ite(register("mod_end_q"), zero, control.grows(self.derived))
        proof.follows(self.derived, control.unless_reset(after, most))
        # Which result is in front, and which was claimed last.
        self.front, self.newest = proof.ghost("front", 1), proof.ghost("newest", 1)
        proof.follows(self.front, control.unless_reset(self.front ^ control.leaves))
        proof.follows(self.newest, control.unless_reset(self.newest ^ control.claim, TRUE))

    def digits(self) -> None:
        """The multiplier, as it was when its result was claimed, digit by digit."""
        proof, control, claim = self.proof, self.control, self.control.claim
        size, bits = control.word, control.bits
        self.multiplier = [proof.ghost(f"multiplier {w}", size) for w in range(self.units)]
        for ghost, word in zip(self.multiplier, self.a, strict=True):
            proof.follows(ghost, ite(claim, word, ghost))
        self.left = proof.ghost("left", size)
        self.digit_word, self.digit_at = proof.ghost("digit word", bits), proof.ghost("digit", bits)
        zero, one = control.number(0), control.number(1)
        self.word_ends = self.digit_at.eq(control.digits - 1)
        more = self.word_ends.wide(bits)
        self.next_at = ite(self.word_ends, zero, self.digit_at + one)
        self.next_word = self.digit_word + more
        self.digit, left = digit(self.left, self.word_ends, self.of_a(self.next_word))
        proof.follows(self.left, ite(claim, self.a[0], left))
        proof.follows(self.digit_at, ite(claim, zero, self.next_at))
        proof.follows(self.digit_word, ite(claim, zero, self.next_word))

    def of_a(self, word: Word) -> Word:
        """This word of the multiplier, and zeros above."""
        low = chosen(word.low(self.control.beat_bits), self.multiplier)
        return low.gated(word.lt(self.units))

    # -- commands ------------------------------------------------------------------------------

    def commands(self) -> None:
        """What is said in this cycle, and what was."""
        control = self.control
        index = control.index
        multiplies = control.in_build & control.of_modulus
        divide = control.in_divide & self.divides
        fetch = control.in_divide & self.read
        iterate = control.in_iterate
        plan = build_plan(index)
        other = fetched(index.low(2))
        divided = divides(index.low(2), control.m[0].bit(1))
        first = (const(3, 2), const(0, 2))
        row, column = (
            ite(control.in_boot, of_boot, ite(control.in_build, made, ite(divide, after, read)))
            for of_boot, made, after, read in zip(first, plan, divided, other, strict=False)
        )
        row = ite(iterate, self.digit, row)
        column = column.gated(~iterate)
        self.now = Command(
            control.in_boot, multiplies, control.in_divide & ~self.read & ~self.divides, fetch,
            divide, control.building, control.in_settle, iterate,
            iterate & control.since.eq(1), iterate & control.since.eq(control.iterations),
            row, column, self.newest, FALSE,
        )  # fmt: skip
        self.soon = self.command("soon")
        self.line = [self.command(f"line {s}") for s in range(self.units + 2)]

    def follow(self, column: Word) -> None:
        """A cycle further; ``column`` is that of the command in ``line[0]``."""
        stages = [self.now, self.soon, *self.line]
        for at, (before, after) in enumerate(pairwise(stages)):
            for name, given, ghost in zip(Command._fields, before, after, strict=True):
                if at == 2 and name == "column":
                    given = column
                # Behind a reset nothing is known of what was on its way.
                other = const(name == "junk", ghost.width) if name not in _DIGITS else given
                self.proof.follows(ghost, ite(self.running, given, other))

    def core(self) -> None:
        """What the core has of them in its registers."""
        net, says = self.proof.net, self.says
        soon, first = net("i_schedule.soon_q"), net("i_schedule.step_q")
        for name, own, word in (("soon", self.soon, soon), ("at first", self.line[0], first)):
            known = ~own.junk
            says(f"{name}: what is told", known.implies(
                word.bit(3).eq(~own.shifts) & word.bit(2).eq(own.writes)
                & word.bit(1).eq(own.clears) & word.bit(0).eq(own.divide)
            ))  # fmt: skip
            says(f"{name}: its row", (own.reads & ~own.iterate | own.writes).implies(
                word.piece(8, 7).eq(gray(own.row))
            ))  # fmt: skip
        summed = self.soon.iterate & ~self.soon.first
        says("soon: a sum's digit", (~self.soon.junk).implies(soon.bit(4).eq(~summed)))
        told = self.soon.adds | self.soon.fetch | self.soon.boot | self.soon.first
        says("soon: the column told", told.implies(soon.piece(6, 5).eq(self.soon.column)))
        own = self.line[0]
        told = own.adds | own.fetch | own.boot | own.first
        says("at first: the column told", told.implies(
            net("quotient_q").eq(own.column)
        ))  # fmt: skip
        address, write, turned = net("address"), net("write"), net("turned")
        mode, clear = net("mode"), net("clear")
        for s, own in enumerate(self.line):
            if s == 0:
                continue
            here = address.piece(4 * s + 3, 4 * s)
            told = own.reads & ~own.iterate | own.writes
            says(f"line {s}: row", told.implies(
                here.piece(3, 2).eq(gray(own.row)) & turned.bit(s).eq(~own.row.bit(1))
            ))  # fmt: skip
            told = own.adds | own.fetch | own.boot | own.first
            says(f"line {s}: column", told.implies(here.low(2).eq(own.column)))
            known = ~own.junk
            says(f"line {s}: write", known.implies(write.bit(s).eq(own.writes)))
            if s <= self.units:
                says(f"line {s}: mode", known.implies(mode.bit(s).eq(~own.shifts)))
            if s < self.units:
                says(f"line {s}: clear", known.implies(clear.bit(s).eq(own.clears)))
        says("the carry in", (~self.line[1].junk).implies(
            net("carry_in_q").eq(self.line[1].divide)
        ))  # fmt: skip

    def behind(self) -> None:
        """What stands behind one another."""
        control = self.control
        stages = [self.now, self.soon, *self.line]
        for at, (own, old) in enumerate(pairwise(stages)):
            own_index, old_index = own.place, old.place
            follows = own_index.eq(old_index + const(1, 4))
            further = own_index.ne(0)
            holds = [
                own.zero.implies(old.divide | old.multiply & old_index.eq(BUILD - 1)),
                own.fetch.implies(old.zero),
                own.divide.implies(old.fetch),
                own.first.implies(old.settle & own.iterate),
                (own.iterate & ~own.first).implies(old.iterate & ~old.last),
                own.settle.implies(old.settle | old.build & old_index.eq(BUILD - 1)),
                (own.build & further).implies(old.build & follows),
                (own.multiply & further).implies(old.multiply & follows),
                (own.adds & ~further).implies(~old.writes & ~old.clears),
                own.last.implies(own.iterate),
                own.adds.implies(own_index.lt(BUILD)),
                own.junk.implies(old.junk),
                old.junk.implies(own.junk | own.boot),
                old.zero.implies(own.fetch),
                old.fetch.implies(own.divide),
                old.settle.implies(own.settle | own.first),
                (own.boot | own.divide).implies(own.row.eq(3)),
                own.boot.implies(own.column.eq(0)),
                own.divide.implies(own.column.ne(0)),
            ]
            says = TRUE
            for each in holds:
                says &= each
            self.says(f"in order, {at}", says)
            kinds = concat(*own[:8])
            one = (kinds & (kinds - const(1, 8))).eq(0)
            self.says(f"one of them, {at}", one & (~own.junk | kinds.eq(0)))
            if at + 2 < len(stages):
                two = stages[at + 2]
                apart = (own.reads & two.writes).implies(two.to.ne(own.place) & (
                    own.adds | own.fetch | own.first
                ))  # fmt: skip
                self.says(f"no entry is read too soon, {at}", apart)
        last = self.line[-1]
        kinds = concat(*last[:8])
        self.says("one of them at last", (kinds & (kinds - const(1, 8))).eq(0) & (
            ~last.junk | kinds.eq(0)
        ) & last.last.implies(last.iterate))  # fmt: skip
        soon, first = self.soon, self.line[0]
        self.says("a modulus comes behind nothing", self.proof.register("mod_end_q").implies(
            ~soon.does & ~soon.junk
        ))  # fmt: skip
        self.says("open behind nothing of a modulus", control.opened.implies(
            ~soon.derives & ~soon.multiply & ~soon.fetch & ~soon.junk
        ))  # fmt: skip
        self.says("operands come behind nothing of a modulus", (
            control.in_ready | control.coming
        ).implies(
            ~soon.derives & ~first.derives & ~soon.multiply & ~first.multiply
            & ~soon.fetch & ~first.fetch
        ))  # fmt: skip
        self.says("a modulus comes behind nothing of another", control.mod_ready.implies(
            ~soon.does & ~soon.junk
        ))  # fmt: skip

    # -- times ---------------------------------------------------------------------------------

    def times(self) -> None:
        """Entries with b, and of a modulus: how long ago."""
        control, says = self.control, self.says
        built, alive, index = self.built, self.alive, control.index
        number, wide = control.number, control.bits
        says(
            "entries are being built", control.building.implies(alive & built.eq(index.wide(wide)))
        )
        says("entries were built", control.in_settle.implies(alive & number(BUILD).le(built)))
        claimed = control.plus(control.since, BUILD)
        says("entries were built before", control.in_iterate.implies(alive & claimed.le(built)))
        says("built long ago", (alive & control.in_rest).implies(
            number(control.iterations + BUILD + 1).le(built)
        ))  # fmt: skip
        ago = number(control.iterations + BUILD + 1)
        says("built at work", (alive & built.lt(ago)).implies(
            control.building | control.in_settle | control.in_iterate
        ))  # fmt: skip
        stages = [self.now, self.soon, *self.line]
        for at, own in enumerate(stages):
            known = alive & number(at).le(built)
            here = built.lt(number(BUILD + at))
            says(f"built, {at}", known.implies(own.build.eq(here) & (
                ~own.build | own.place.wide(wide).eq(built - number(at))
            )))  # fmt: skip
            if at + 1 < len(stages):
                says(f"settled, {at}", (own.settle & stages[at + 1].build).implies(
                    alive & built.eq(BUILD + at)
                ))  # fmt: skip
        # A modulus.
        derived = self.derived
        says("entries of a modulus", self.now.multiply.implies(derived.eq(index.wide(wide))))
        says("no modulus at first", control.in_boot.implies(derived.eq(number(-1))))
        third = ite(self.read, number(1), ite(self.divides, number(2), number(0)))
        multiple = index.low(2).wide(wide)
        says("multiples of a modulus", control.in_divide.implies(
            derived.eq(number(BUILD) + multiple + multiple + multiple + third)
        ))  # fmt: skip
        done = number(_DERIVED).le(derived)
        says("a modulus is done", (
            control.ready | control.in_rest | control.in_boot | control.building
            | control.in_settle | control.in_iterate
        ).implies(done))  # fmt: skip
        begun = control.plus(control.in_beat, _DERIVED)
        says("operands came later", control.coming.implies(begun.le(derived)))
        whole = number(_DERIVED + self.units).le(derived)
        says("all operands came later", control.full.implies(whole))
        says("a modulus came later", self.proof.register("mod_end_q").implies(whole))
        begun = control.plus(control.mod_beat, _DERIVED)
        says("words of a modulus came later", begun.le(derived) | control.mod_beat.eq(0))
        for at, own in enumerate(stages):
            says(f"multiplied, {at}", own.multiply.implies(
                (derived - number(at)).eq(own.place.wide(wide)) & number(at).le(derived)
            ))  # fmt: skip
            early = derived.lt(number(BUILD + at))
            if at < self.units + 2:
                says(f"nothing is forgotten before, {at}", early.implies(~own.clears & ~own.junk))

    # -- words ---------------------------------------------------------------------------------

    def words(self) -> None:
        """Words on the bus, and in units."""
        proof, control, says = self.proof, self.control, self.says
        self.came, self.mod_came = proof.ghost("came", 1), proof.ghost("modulus came", 1)
        proof.follows(self.came, control.unless_reset(control.accept))
        proof.follows(self.mod_came, control.unless_reset(control.mod_accept))
        self.at, self.mod_at = (
            proof.ghost("came at", control.beat_bits), proof.ghost("modulus at", control.beat_bits)
        )  # fmt: skip
        zero = control.beat(0)
        proof.follows(self.at, control.unless_reset(control.in_beat, zero))
        proof.follows(self.mod_at, control.unless_reset(control.mod_beat, zero))
        came, mod_came, at, mod_at = self.came, self.mod_came, self.at, self.mod_at
        says("a word came", control.in_beat.eq(ite(came, control.next_beat(at), at)))
        says("all words came", (came & control.is_last(at)).implies(control.full))
        says("a word of a modulus came", control.mod_beat.eq(
            ite(mod_came, control.next_beat(mod_at), mod_at)
        ))  # fmt: skip
        mod_end = proof.register("mod_end_q")
        says("a modulus came", mod_end.eq(mod_came & control.is_last(mod_at)))
        says("one word came", ~(came & mod_came) & (at.eq(0) | mod_at.eq(0))
             & (came.implies(mod_at.eq(0))) & (mod_came.implies(at.eq(0))))  # fmt: skip
        says("it came with others", came.implies(control.coming))
        says("it came in time", (control.coming & control.in_iterate).implies(
            control.plus(at, control.opens + 4).le(control.since)
        ))  # fmt: skip
        bus_valid, load = proof.register("i_load.valid_q"), proof.net("i_load.load_q")
        drop = proof.register("i_load.drop_q") if self.units > 1 else FALSE
        says("the bus has a word", bus_valid.eq(came | mod_came))
        says("nothing came before", (drop & ~bus_valid).implies(
            control.in_boot & ~control.coming & control.mod_beat.eq(0) & ~control.in_ready
            & ~control.mod_ready & at.eq(0) & mod_at.eq(0)
            & all_of(x.junk for x in self.line)
        ))  # fmt: skip
        says("nothing is dropped before", (drop & bus_valid).implies(mod_end))
        self.have, self.mod_have = (
            [proof.ghost(f"{name} {w}", 1) for w in range(self.units)]
            for name in ("has b", "has m")
        )  # fmt: skip
        late = control.number(control.proof_at).lt(self.built)
        for w in range(self.units):
            mine, mod_mine = at.eq(w), mod_at.eq(w)
            if w == 0:
                loads = came & mine | mod_came & mod_mine
                says("the lowest unit loads", load.bit(0).eq(loads))
            else:
                loads = mine | mod_mine
                says(f"unit {w} loads", drop & ~bus_valid | load.bit(w).eq(loads))
            clear = self.line[w].clears | self.line[w].junk
            keeps = ~load.bit(w) & ~clear
            own = came & mine & ~clear | self.have[w] & keeps
            own &= ~(control.accept & control.in_beat.eq(w))
            proof.follows(self.have[w], control.unless_reset(own))
            own = mod_came & mod_mine & ~clear | self.mod_have[w] & keeps
            own &= ~(control.mod_accept & control.mod_beat.eq(w))
            proof.follows(self.mod_have[w], control.unless_reset(own))
            # What is forgotten was not needed any more.
            forgets = clear & ~control.in_settle
            says(f"word {w} comes behind what forgets", forgets.implies(
                ~control.full & control.in_beat.le(w) & control.mod_beat.le(w) & ~mod_end
            ))  # fmt: skip
            older = self.alive & late & self.built.lt(control.number(w + 2))
            says(f"nothing is forgotten while all build, {w}", older.implies(~clear))
            there = control.full | const(w, control.beat_bits).lt(control.in_beat)
            there &= ~(came & mine)
            says(f"unit {w} has its word", (there & ~control.in_settle).implies(self.have[w]))
            there = const(w, control.beat_bits).lt(control.mod_beat) & ~(mod_came & mod_mine)
            says(f"unit {w} has its word of a modulus", there.implies(self.mod_have[w]))
            if w < self.units - 1:
                says(f"unit {w} has its word of the modulus", mod_end.implies(self.mod_have[w]))
            early = self.derived.le(control.number(BUILD + 2 + w))
            says(f"unit {w} has it at work", early.implies(self.mod_have[w]))
            says(f"unit {w} multiplies its word", self.line[w + 1].multiply.implies(
                self.mod_have[w]
            ))  # fmt: skip
        for s, told in enumerate(self.line):
            forgets = told.zero | told.settle & ~control.in_settle
            quiet = TRUE
            for beat in (control.in_beat, control.mod_beat):
                quiet &= beat.eq(0) | beat.lt(s) if s < self.units else TRUE
            if s <= 1:
                quiet &= ~came & ~mod_came
            says(f"words come behind what forgets, {s}", forgets.implies(quiet))
            # What was before a reset is gone before anything is asked for.
            most = control.number(-1)
            begun = control.mod_beat.ne(0) if s < 1 else ~(
                control.mod_beat.eq(0) | control.mod_beat.lt(s) if s < self.units else TRUE
            )  # fmt: skip
            loaded = control.loaded & (~mod_end if s > self.units else TRUE)
            says(f"nothing is known of before, {s}", told.junk.implies(
                ~begun & ~loaded & control.since.eq(most) & control.fin.eq(most)
            ))  # fmt: skip
            says(f"claimed, {s}", told.settle.implies(
                control.in_settle | control.since.le(s + 2)
            ))  # fmt: skip

    def misses(self) -> None:
        """Whether units built without their words."""
        proof, control, says = self.proof, self.control, self.says
        built, alive, number = self.built, self.alive, control.number
        self.missed = [proof.ghost(f"missed {w}", 1) for w in range(self.units)]
        for w, missed in enumerate(self.missed):
            own = self.line[w + 1]
            again = missed & own.place.ne(0)
            after = ite(own.build, ~self.have[w] | again, missed)
            proof.follows(missed, after)
            ends, begun = built.le(number(BUILD + 2 + w)), number(3 + w).lt(built)
            late = number(control.proof_at).lt(built)
            says(f"unit {w} has its word while all build", (alive & late & ends).implies(
                self.have[w]
            ))  # fmt: skip
            says(f"unit {w} has missed its word", (alive & begun & ~late & missed).implies(
                ~control.full & control.plus(control.in_beat, 2).le(built)
            ))  # fmt: skip
            says(f"unit {w} missed nothing", (alive & begun & late).implies(~missed))
            done = self.line[w + 2]
            says(f"unit {w} has built", (done.settle | done.iterate).implies(~missed))
