# SPDX-License-Identifier: Apache-2.0
"""What multiplications from a table of multiples have in common, word by word.

The passes of tablechain and tableserial add the same words and make the same entries; they differ
in when, and in how the entries of the modulus are made.
"""

from __future__ import annotations

from typing import NamedTuple

from redcore.verify.words import FALSE, Size, Word, concat, coq, ite, leaf

FILE = "redc_algebra_tables.v"
"""What Coq proves of these functions."""


class Plan(NamedTuple):
    """What a pass that makes an entry does: it reads ``row`` and ``column`` of the table; with
    ``divides`` it adds that and one to the sum before without its lowest digit, else to b or m.
    The sum goes to ``to_row`` and ``to_column``."""

    row: Word
    column: Word
    divides: Word
    to_row: Word
    to_column: Word


def next_row(row: Word) -> Word:
    """The row behind one that is not the last."""
    return concat(row.bit(1) | row.bit(0), ~row.bit(0))


def build_plan(count: Word) -> Plan:
    """Pass ``count`` of those with b, of 12: T[i + 1, q] of T[i, q]."""
    row, column = count.piece(3, 2), count.piece(1, 0)
    return Plan(row, column, FALSE, next_row(row), column)


def add(x: Word, entry: Word, carry: Word) -> tuple[Word, Word]:
    """A word of a sum, and the carry into the next one."""
    wide = x.width + 1
    total = x.wide(wide) + entry.wide(wide) + carry.wide(wide)
    return total.low(x.width), total.top()


def shifted(word: Word, above: Word, last: Word) -> Word:
    """A word of a sum without its lowest digit; ``above`` is the next word, ``last``: there is
    none."""
    digit = [above.bit(at) & ~last for at in (0, 1)]
    return word.entered(digit[0]).entered(digit[1])


def digit(left: Word, ends: Word, above: Word) -> tuple[Word, Word]:
    """The lowest digit of what is left of a word of a, and what is left behind it: that, or with
    ``ends`` the next word."""
    return left.piece(1, 0), ite(ends, above, left.half().half())


def chosen(index: Word, words: list[Word]) -> Word:
    """The word of this number; any of them where there is none."""
    if len(words) == 1:
        return words[0]
    below = index.width - 1
    lower, upper = words[: 1 << below], words[1 << below :]
    if not upper:
        return chosen(index.low(below), lower)
    if below == 0:
        return ite(index, upper[0], lower[0])
    low = index.low(below)
    return ite(index.top(), chosen(low, upper), chosen(low, lower))


def definitions() -> str:
    """These functions as Coq has them, for words of any size."""
    n = Size()
    count, carry, last, ends = leaf("count", 4), leaf("carry", 1), leaf("last", 1), leaf("ends", 1)
    x, entry, word, above, left = (
        leaf(name, n) for name in ("x", "entry", "word", "above", "left")
    )
    return (
        coq("tables_build_plan", [count], [*build_plan(count)])
        + coq("tables_add", [x, entry, carry], [*add(x, entry, carry)])
        + coq("tables_shifted", [word, above, last], [shifted(word, above, last)])
        + coq("tables_digit", [left, ends, above], [*digit(left, ends, above)])
    )
