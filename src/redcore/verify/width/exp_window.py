# SPDX-License-Identifier: Apache-2.0
"""Fixed windows of ``redc_exp``: when the table is built, digits are taken and entries looked for.

A job's products make the table, an entry each; it is waited for (``CHOOSE``), and the first digit's
entry is chosen. Each digit behind it is chosen while squares are made for it, as many as it has
bits: its bits are taken one by one, and then all of the table is gone through.
"""

from __future__ import annotations

from dataclasses import dataclass

from redcore.units.exp.schedule import multiplications
from redcore.verify.induction import Proof
from redcore.verify.width.exp_methods import (
    BUILD,
    CHOOSE,
    FIRST,
    LAST,
    NONE,
    SECOND,
    SQUARE,
    TIMES,
    among,
)
from redcore.verify.words import TRUE, Word, const, ite

THREAD = "gen_thread[0].u_thread."
WINDOW = f"{THREAD}gen_window.u_window."
SEQUENCER = f"{THREAD}u_sequencer."
PHASES = f"{SEQUENCER}u_phases."
READY, DIGITS, SCAN = range(3)
"""States of redc_exp_window."""
TABLE = (FIRST, SECOND, BUILD)
"""Products whose results are the table."""


def counted(word: Word, most: int) -> Word:
    """One more, up to ``most``."""
    return ite(word.eq(most), word, word + const(1, word.width))


@dataclass(frozen=True)
class Window:
    """Digits of ``size`` bits, and a table of ``entries``. A choice has ``passed``; an entry is
    looked for from ``start`` on, and ``owed`` bits of its digit are to come, of ``long`` ones.
    ``squares`` are to be made for it; ``digits`` behind the first one are done. ``entry`` to be
    made next, and those ``filled``. Cycles for which the bits left are ``steady``, up to seven;
    ``place`` of the table that was gone by the cycle before."""

    proof: Proof
    size: int
    entries: int
    passed: Word
    start: Word
    owed: Word
    long: Word
    squares: Word
    digits: Word
    entry: Word
    filled: Word
    steady: Word
    place: Word

    @classmethod
    def of(cls, proof: Proof, number: int) -> Window:
        """Its ghosts; ``number``: bits of a length."""
        size = int(proof.design.values["window"])
        bits = {
            "passed": 1, "start": 1, "owed": 3, "long": 3, "squares": 3, "digits": number,
            "entry": size + 1, "filled": size + 1, "steady": 3, "place": size,
        }  # fmt: skip
        return cls(proof, size, 1 << size, **{
            name: proof.ghost(f"window's {name}", width) for name, width in bits.items()
        })  # fmt: skip

    @property
    def takes(self) -> Word:
        """A bit of the digit is taken."""
        return self.proof.net(f"{WINDOW}bit_next_o")

    def state(self, state: int) -> Word:
        """The RTL is in this state."""
        return self.proof.register(f"{WINDOW}state_q").eq(state)

    def short(self, left: Word) -> Word:
        """So many bits are no more than a window has."""
        return left.le(self.size) if self.size < 1 << left.width else TRUE

    def least(self, left: Word) -> Word:
        """Bits of the next digit: those left, but no more than a window has."""
        low = left.low(min(3, left.width)).wide(3)
        return ite(self.short(left), low, const(self.size, 3))

    def chooses(self, kind: Word, left: Word, fresh: Word) -> Word:
        """Behind this the next digit's entry is looked for."""
        return kind.eq(CHOOSE) | kind.eq(SQUARE) & fresh | kind.eq(TIMES) & left.ne(0)

    def reads(self, kind: Word, fresh: Word) -> Word:
        """This product is one of the entry looked for."""
        return kind.eq(TIMES) | self.after_choice(kind, fresh)

    @staticmethod
    def after_choice(kind: Word, fresh: Word) -> Word:
        """It is the first one that is, and none is in flight."""
        return (kind.eq(SQUARE) | kind.eq(LAST)) & fresh

    def following(self, kind: Word, left: Word) -> Word:
        """The kind behind one, with so many bits that no digit has yet."""
        built = self.entry.eq(self.entries - 1)
        then = {
            FIRST: const(SECOND, 4),
            SECOND: const(BUILD if self.size > 1 else CHOOSE, 4),
            BUILD: ite(built, const(CHOOSE, 4), const(BUILD, 4)),
            CHOOSE: ite(self.short(left), const(LAST, 4), const(SQUARE, 4)),
            SQUARE: ite(self.squares.eq(1), const(TIMES, 4), const(SQUARE, 4)),
            TIMES: ite(left.eq(0), const(LAST, 4), const(SQUARE, 4)),
        }
        result = const(NONE, 4)
        for each, behind in then.items():
            result = ite(kind.eq(each), behind, result)
        return result

    def follow(
        self, kind: Word, left: Word, fresh: Word, begun: Word, told: Word, one: Word, fills: Word
    ) -> None:
        """What comes next; ``fills``: an answer comes that is an entry."""
        proof, running = self.proof, self.proof.input("rst_ni")
        turn = told | self.passed
        chooses = turn & self.chooses(kind, left, fresh)
        digit = self.least(left)
        proof.follows(self.passed, running & kind.eq(CHOOSE) & ~one & ~self.passed)
        proof.follows(self.start, running & chooses)
        proof.follows(self.owed, ite(chooses, digit, self.owed - self.takes.wide(3)).gated(running))
        proof.follows(self.long, ite(chooses, digit, self.long))
        # Squares are for the digit behind the entry in use.
        behind = self.least(left - digit.fitted(left.width))
        made = self.squares - (told & kind.eq(SQUARE)).wide(3)
        more = ite(kind.eq(CHOOSE), behind, ite(kind.eq(TIMES), digit, made))
        proof.follows(self.squares, ite(turn, more, self.squares))
        done = self.digits + (told & kind.eq(TIMES)).wide(self.digits.width)
        proof.follows(self.digits, done.gated(~begun))
        bits = self.entry.width
        entry = self.entry + (told & kind.eq(BUILD)).wide(bits)
        proof.follows(self.entry, ite(begun, const(2, bits), entry))
        proof.follows(self.filled, (self.filled + fills.wide(bits)).gated(~begun))
        proof.follows(self.steady, ite(begun | chooses, const(0, 3), counted(self.steady, 7)))
        proof.follows(self.place, proof.net(f"{WINDOW}at").low(self.size))

    # ------------------------------------------------------------------------------------------
    # Invariants.
    # ------------------------------------------------------------------------------------------
    def phases(
        self, kind: Word, left: Word, fresh: Word, asking: Word, over: Word, begun: Word,
        since: Word, told: Word, ready: Word, one: Word, busy: Word, length: Word,
    ) -> None:  # fmt: skip
        """What redc_exp_phases tells, and when; digits that are owed."""
        proof, steady, owed = self.proof, self.steady, self.owed

        def phase(name: str) -> Word:
            return proof.net(f"{PHASES}{name}")

        proof.mirror("a choice passes", TRUE, proof.register(f"{SEQUENCER}chosen_q"), self.passed,
                     data=False)  # fmt: skip
        proof.invariant("a choice passes while there is one", self.passed.implies(
            kind.eq(CHOOSE) & ~one & (since.eq(2) | since.eq(3))))  # fmt: skip
        proof.invariant("nothing is told then", kind.eq(CHOOSE).implies(~told))
        proof.mirror("an entry is looked for", TRUE,
                     proof.register(f"{SEQUENCER}u_window_start.gen_registers.line_q"), self.start,
                     data=False)  # fmt: skip
        own_fresh = phase("fresh_q")
        proof.invariant("nothing is squared to begin with", begun.implies(own_fresh))
        proof.mirror("what is squared is known", asking, own_fresh, fresh, data=False)
        proof.invariant("not while the table is built", among(kind, (*TABLE, CHOOSE)).implies(
            fresh))  # fmt: skip
        proof.invariant("bits stand as long as the kind", asking.implies(
            since.wide(3).le(steady)))  # fmt: skip
        proof.invariant("and long when the table does", among(kind, (BUILD, CHOOSE)).implies(
            const(3, 3).lt(steady)))  # fmt: skip
        proof.invariant("or is begun", kind.eq(SECOND).implies(since.wide(3).lt(steady)))
        few = left.piece(left.width - 1, 3).eq(0) if left.width > 3 else TRUE
        digit = self.least(left)
        second, third = asking & ~steady.lt(2), ~steady.lt(3)
        proof.invariant("few bits are known", (asking & steady.ne(0)).implies(
            phase("few_q").eq(few)))  # fmt: skip
        proof.invariant("so is the next digit's length", second.implies(phase("digits_q").eq(
            digit)))  # fmt: skip
        proof.invariant("so is that there is none", second.implies(phase("none_q").eq(
            left.eq(0))))  # fmt: skip
        proof.invariant("or but one", second.implies(phase("short_q").eq(self.short(left))))
        chooses = self.chooses(kind, left, fresh)
        amount = phase("amount_q")
        used = const(0, 4) - digit.wide(4)
        never = asking & since.ne(0) & ~chooses & kind.ne(TIMES)
        known = asking & since.ne(0) & third
        proof.invariant("no bits are used without a choice", never.implies(amount.eq(0)))
        proof.invariant("what a choice uses is known",
                        known.implies(amount.eq(used.gated(chooses))))  # fmt: skip
        own_chooses = proof.register(f"{SEQUENCER}chooses_q")
        proof.invariant("no choice is told of", never.implies(~own_chooses))
        proof.invariant("but of those there are", known.implies(own_chooses.eq(chooses)))
        # Squares.
        own_squares, squares = phase("squares_q"), self.squares
        squaring = kind.eq(SQUARE)
        proof.invariant("there are squares to make", squaring.implies(
            squares.ne(0) & squares.le(self.size)))  # fmt: skip
        proof.invariant("of the first digit's as many as the next one has",
                        (squaring & fresh).implies(squares.eq(digit)))  # fmt: skip
        proof.invariant("none is left for a product", (
            kind.eq(TIMES) | kind.eq(LAST) & ~fresh).implies(squares.eq(0)))  # fmt: skip
        proof.invariant("squares are counted", (squaring & (~fresh | third)).implies(
            own_squares.eq(squares)))  # fmt: skip
        proof.invariant("and known before", (kind.eq(TIMES) & since.ne(0) & third).implies(
            own_squares.eq(digit)))  # fmt: skip
        proof.invariant("a single one is known", (
            squaring & since.ne(0) & (~fresh | ~steady.lt(4))).implies(
                phase("single_q").eq(squares.eq(1))))  # fmt: skip
        proof.invariant("the first one waits long enough",
                        (squaring & fresh & (ready | told)).implies(~steady.lt(4)))  # fmt: skip
        # Entries.
        if self.size > 1:
            entry, own = self.entry, phase("entry_q")
            building = kind.eq(BUILD)
            proof.invariant("the table begins with the third entry",
                            among(kind, (FIRST, SECOND)).implies(entry.eq(2)))  # fmt: skip
            proof.invariant("its entry is known", building.implies(
                own.eq(entry.low(self.size)) & ~entry.lt(2) & entry.lt(self.entries)))  # fmt: skip
            proof.invariant("and which is the last", (building & since.ne(0)).implies(
                phase("built_q").eq(entry.eq(self.entries - 1))))  # fmt: skip
            proof.invariant("and the first",
                            building.implies(phase("begins_q").eq(entry.eq(2))))  # fmt: skip
        # Digits.
        state = self.state
        proof.invariant("a state of the window", proof.register(f"{WINDOW}state_q").ne(3))
        proof.invariant("bits are owed from a choice on",
                        owed.ne(0).eq(self.start | state(DIGITS)))  # fmt: skip
        proof.invariant("no more than a window has", owed.le(self.size))
        wide = max(3, length.width) + 1
        proof.invariant("nor than there are", busy.implies(
            (left.wide(wide) + owed.wide(wide)).le(length.wide(wide))))  # fmt: skip
        left_digits = proof.register(f"{WINDOW}digits_q")
        proof.invariant("as many as are owed", state(DIGITS).implies(
            ~self.start & left_digits.eq(owed)
            & proof.register(f"{WINDOW}last_digit_q").eq(owed.eq(1))))  # fmt: skip
        proof.invariant("a digit's length is told", self.start.implies(
            phase("digits_q").eq(owed) & state(READY)))  # fmt: skip
        entry_kinds = among(kind, (SQUARE, TIMES, LAST))
        goes = self.start | ~state(READY) | proof.register(f"{WINDOW}read_q")
        proof.invariant("entries are looked for with a table", goes.implies(entry_kinds))
        proof.invariant("behind a choice", self.start.implies(since.eq(0) & steady.eq(0)))
        first = self.after_choice(kind, fresh)
        proof.invariant("none is in flight then", (first & ~told).implies(~one))
        proof.invariant("the first one at once", (first & steady.eq(0)).implies(self.start))
        proof.invariant("with its digit", (first & steady.eq(1)).implies(state(DIGITS)))
        at = proof.net(f"{WINDOW}at").low(self.size)
        proof.invariant("before the table", (first & steady.eq(2)).implies(
            state(DIGITS) | state(SCAN) & at.eq(0)))  # fmt: skip
        proof.invariant("all of it", (first & steady.eq(3)).implies(
            state(DIGITS) | state(SCAN) & at.le(1)))  # fmt: skip
        proof.invariant("from its choice on", first.implies(since.wide(3).eq(
            ite(steady.lt(3), steady, const(3, 3)))))  # fmt: skip
        own_ready = proof.register(f"{WINDOW}ready_q")
        proof.invariant("an entry is ready when none is looked for",
                        own_ready.implies(state(READY)))  # fmt: skip
        proof.invariant("it is there for what reads it", (
            (ready | told) & self.reads(kind, fresh)).implies(~goes & own_ready))  # fmt: skip
        proof.invariant("and none is owed in the end",
                        (over | kind.eq(LAST) & ~fresh).implies(~goes))  # fmt: skip

    def scan(self) -> None:
        """The table is gone through, each entry once."""
        proof, entries, place = self.proof, self.entries, self.place
        after, at = proof.net(f"{WINDOW}next_q"), proof.net(f"{WINDOW}at").low(self.size)
        after_last = proof.register(f"{WINDOW}next_last_q")
        last, read = proof.register(f"{WINDOW}last_q"), proof.register(f"{WINDOW}read_q")
        scan = self.state(SCAN)
        behind = at + const(1, self.size)
        proof.invariant("the table's place is told ahead", after.eq(
            behind.gated(scan).wide(after.width)))  # fmt: skip
        proof.invariant("so is the last one",
                        after_last.eq(scan & at.eq(entries - 2)))  # fmt: skip
        proof.invariant("and known", last.eq(scan & at.eq(entries - 1)))
        proof.invariant("it begins at the first", self.state(DIGITS).implies(at.eq(0) & ~read))
        proof.invariant("a look begins with none", self.start.implies(~read))
        proof.invariant("entries are read one by one", scan.implies(
            read.eq(at.ne(0)) & (read.implies((place + const(1, self.size)).eq(at)))
        ))  # fmt: skip
        proof.invariant("up to the last", (read & ~scan).implies(
            self.state(READY) & place.eq(entries - 1)))  # fmt: skip
        proof.invariant("the first one is known",
                        proof.register(f"{WINDOW}first_q").eq(place.eq(0)))  # fmt: skip
        copies = proof.net(f"{WINDOW}place")
        step = self.size + 1
        for lane in range(copies.width // step):
            own = copies.piece(step * lane + self.size - 1, step * lane)
            ahead = own.eq(at) if self.ahead else own.eq(place)
            proof.invariant(f"lane {lane} is at the same place", ahead)

    @property
    def ahead(self) -> bool:
        """The table is read through a register."""
        return self.proof.design.values["memory"] != "lutram" or self.entries > 16

    def table(
        self, kind: Word, one: Word, two: Word, old: Word, new: Word, last: Word, over: Word,
        asked: Word, told: Word,
    ) -> None:  # fmt: skip
        """Entries are filled in their order."""
        proof, filled, bits = self.proof, self.filled, asked.width
        flying = one.wide(bits) + two.wide(bits)
        building = among(kind, (*TABLE, CHOOSE))
        proof.invariant("entries are filled by answers",
                        building.implies((filled.wide(bits) + flying).eq(asked)))  # fmt: skip
        proof.invariant("none of another kind", (building & one).implies(
            among(old, TABLE) & two.implies(among(new, TABLE))))  # fmt: skip
        for each, number in ((FIRST, filled.eq(0)), (SECOND, filled.eq(1)), (BUILD, ~filled.lt(2))):
            proof.invariant(f"entries before one of kind {each} are filled",
                            (one & old.eq(each)).implies(number))  # fmt: skip
        proof.invariant("the third entry is asked for behind the conversions", (
            kind.eq(BUILD) & ~told).implies(self.entry.eq(2).eq(last.eq(SECOND))))  # fmt: skip
        later = among(kind, (SQUARE, TIMES, LAST)) | over
        proof.invariant("the table is whole", later.implies(filled.eq(self.entries)))
        proof.invariant("and stays", (later & one).implies(
            among(old, (SQUARE, TIMES, LAST)) & ~two))  # fmt: skip

    def waits(self, remaining: Word) -> Word:
        """Cycles until an entry is ready, with so many until bits are the exponent's."""
        width = remaining.width
        at = self.proof.net(f"{WINDOW}at").low(self.size).wide(width)
        digits = self.owed.wide(width) + const(self.entries + 1, width) + remaining
        ready = ~self.proof.register(f"{WINDOW}ready_q")
        scans = const(self.entries + 1, width) - at
        then = ite(self.state(DIGITS), digits, ite(self.state(SCAN), scans, ready.wide(width)))
        return ite(self.start, digits + const(1, width), then)

    def counts(
        self, kind: Word, left: Word, fresh: Word, length: Word, busy: Word, asked: Word,
        told: Word, accept: Word, accepted: Word,
    ) -> Word:  # fmt: skip
        """How many products come before each; how many a job of its length makes."""
        proof, size, longest = self.proof, asked.width, int(self.proof.design.values["exp_bits"])
        entries = const(self.entries, size)
        above = (length.wide(size) - const(self.size, size)).gated(~self.short(length))
        done, now = self.digits.wide(size), told.wide(size)
        # The formula, at each length.
        formula = const(0, size)
        for bits in range(1, longest + 1):
            products = multiplications("window", bits, self.size)
            formula = ite(accepted.eq(bits), const(products, size), formula)
        whole = proof.ghost("window's products", size)
        proof.follows(whole, ite(accept, formula, whole))
        of_digits = whole - entries - above - const(1, size)

        def bits_of(number: Word) -> Word:
            """Bits of so many whole digits."""
            bits = const(0, size)
            for place in range(3):
                if self.size >> place & 1:
                    bits += number
                number = number.double()
            return bits

        def all_digits(number: Word) -> Word:
            """So many digits behind the first one have the bits above it, and none is empty."""
            bits = bits_of(number)
            return above.le(bits) & bits.lt(above + const(self.size, size)) & number.le(above)

        proof.invariant("the formula counts digits", busy.implies(all_digits(of_digits)))
        for each, before in ((FIRST, 0), (SECOND, 1), (CHOOSE, self.entries)):
            proof.invariant(f"products before kind {each} are counted",
                            kind.eq(each).implies(asked.eq(const(before, size) + now)))  # fmt: skip
        if self.size > 1:
            proof.invariant("entries are asked for in their order", kind.eq(BUILD).implies(
                asked.eq(self.entry.wide(size) + now)))  # fmt: skip
        squares = self.squares.gated(~fresh).wide(size)
        behind_table = among(kind, (SQUARE, TIMES, LAST))
        proof.invariant("products of digits are counted", behind_table.implies(
            asked.eq(entries + done + above - left.wide(size) - squares + now)))  # fmt: skip
        own = self.long.wide(size).gated(~fresh)
        squaring = among(kind, (SQUARE, TIMES))
        proof.invariant("digits are counted", squaring.implies(
            (bits_of(done) + own + left.wide(size)).eq(above)))  # fmt: skip
        proof.invariant("none is done to begin with", (
            among(kind, (*TABLE, CHOOSE, SQUARE, LAST)) & fresh).implies(done.eq(0)))  # fmt: skip
        proof.invariant("a last one is as long as it is", (squaring & ~fresh).implies(
            self.long.ne(0) & self.long.le(self.size)
            & left.ne(0).implies(self.long.eq(self.size))))  # fmt: skip
        proof.invariant("as many digits as the length has",
                        kind.eq(LAST).implies(all_digits(done)))  # fmt: skip
        return whole

    def same(self, kind: Word) -> list[tuple[str, Word, Word]]:
        """What two copies agree on."""
        return [
            *((str(ghost.info), TRUE, ghost) for ghost in (self.passed, self.start, self.owed)),
            *(
                (f"window's {name}", TRUE, self.proof.net(f"{WINDOW}{name}_q"))
                for name in ("state", "next", "next_last", "last", "ready")
            ),
            ("window's squares", kind.eq(SQUARE), self.squares),
            ("window's entry", among(kind, (*TABLE, CHOOSE)), self.entry),
        ]
