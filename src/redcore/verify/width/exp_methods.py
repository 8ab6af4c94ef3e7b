# SPDX-License-Identifier: Apache-2.0
"""The order of products of each method of ``redc_exp``, and in which slots their results are.

What they are products of is in ``exp_steps``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from redcore.verify.words import FALSE, Word, const, ite

NONE, CHOOSE, FIRST, SECOND, BUILD, SQUARE, TIMES, LAST = 0, 1, 8, 9, 10, 11, 12, 14
"""Kinds of products, by the RTL's phases: conversions, entries of the table, the two of a bit or of
a digit, the last. By ``CHOOSE`` no product is asked for: the table is waited for."""


@dataclass(frozen=True)
class Method:
    """``uses``: kinds that use up a bit, which come from the ``highest`` or the lowest on.
    ``before``: which kinds come before one; ``pairs``: which are in flight together. ``slots``: the
    line of a kind's slot, of each parity; ``turns``: the kinds behind which parity changes, which
    the first square does as well where it is alone (``fresh``). ``sources``: what a and b ever come
    from, as redc_exp_pkg has it. ``counts``: products before one of a kind, beside two for each bit
    used; of windows that is another sum."""

    highest: bool
    uses: Sequence[int]
    before: Mapping[int, Sequence[int]]
    pairs: Sequence[tuple[int, int]]
    slots: Mapping[int, tuple[int, int]]
    turns: Sequence[int]
    sources: tuple[int, int]
    counts: Mapping[int, int]
    fresh: bool = False

    @property
    def kinds(self) -> tuple[int, ...]:
        """All kinds of its products."""
        return tuple(self.before)


METHODS = {
    "ltr": Method(
        highest=True,
        uses=(SECOND, TIMES),
        before={
            FIRST: (NONE,), SECOND: (FIRST,), SQUARE: (SECOND, TIMES), TIMES: (SQUARE,),
            LAST: (SECOND, TIMES),
        },
        pairs=((FIRST, SECOND),),
        slots={FIRST: (1, 1), SECOND: (2, 2), SQUARE: (2, 2), TIMES: (4, 4), LAST: (4, 4)},
        turns=(),
        sources=(0b001_0110, 0b011_0111),
        counts={FIRST: 0, SECOND: 1, SQUARE: 0, TIMES: 1, LAST: 0},
    ),
    "ladder": Method(
        highest=True,
        uses=(TIMES,),
        before={
            FIRST: (NONE,), SECOND: (FIRST,), SQUARE: (SECOND, TIMES), TIMES: (SQUARE,),
            LAST: (TIMES,),
        },
        pairs=((FIRST, SECOND), (SQUARE, TIMES)),
        slots={FIRST: (1, 1), SECOND: (2, 2), SQUARE: (4, 1), TIMES: (8, 2), LAST: (4, 4)},
        turns=(TIMES,),
        sources=(0b001_1111, 0b011_1111),
        counts={FIRST: 0, SECOND: 1, SQUARE: 2, TIMES: 3, LAST: 2},
    ),
    "rtl": Method(
        highest=False,
        uses=(SECOND, TIMES),
        before={
            FIRST: (NONE,), SECOND: (FIRST,), SQUARE: (SECOND, SQUARE, TIMES),
            TIMES: (SQUARE, TIMES), LAST: (SECOND, TIMES),
        },
        pairs=((FIRST, SECOND), (SECOND, SQUARE), (SQUARE, TIMES), (TIMES, SQUARE)),
        slots={FIRST: (1, 1), SECOND: (2, 2), SQUARE: (4, 1), TIMES: (2, 2), LAST: (4, 4)},
        turns=(TIMES,),
        sources=(0b001_0111, 0b011_0101),
        counts={FIRST: 0, SECOND: 1, SQUARE: 1, TIMES: 2, LAST: 0},
        fresh=True,
    ),
    "window": Method(
        highest=True,
        uses=(),
        before={
            FIRST: (NONE,), SECOND: (FIRST,), BUILD: (SECOND, BUILD), CHOOSE: (SECOND, BUILD),
            SQUARE: (SECOND, BUILD, SQUARE, TIMES), TIMES: (SQUARE,), LAST: (SECOND, BUILD, TIMES),
        },
        pairs=((FIRST, SECOND), (SECOND, BUILD)),
        slots={
            FIRST: (2, 2), SECOND: (4, 4), BUILD: (1, 1), SQUARE: (1, 1), TIMES: (1, 1),
            LAST: (4, 4),
        },
        turns=(),
        sources=(0b101_0111, 0b111_0011),
        counts={},
    ),
}  # fmt: skip


def among(word: Word, values: Sequence[int]) -> Word:
    """One bit: the word is one of these."""
    found = FALSE
    for value in values:
        found |= word.eq(value)
    return found


def following(name: str, kind: Word, left: Word, fresh: Word) -> Word:
    """The kind of product behind one, with ``left`` bits of the exponent to come, its own among
    them; ``fresh``: nothing is squared yet."""
    own = {each: const(each, kind.width) for each in METHODS[name].kinds}
    ends = left.eq(1)
    next_bit = ite(ends, own[LAST], own[SQUARE])
    behind_square, behind_times = own[TIMES], next_bit
    if name == "rtl":
        # The first square has no product beside it, and the last product no square.
        behind_square = ite(fresh & ~ends, own[SQUARE], own[TIMES])
        behind_times = ite(ends, own[LAST], ite(left.eq(2), own[TIMES], own[SQUARE]))
    then = {
        FIRST: own[SECOND],
        SECOND: own[SQUARE] if name == "ladder" else next_bit,
        SQUARE: behind_square,
        TIMES: behind_times,
    }
    result = const(NONE, kind.width)
    for each, behind in then.items():
        result = ite(kind.eq(each), behind, result)
    return result


def fewer(name: str, kind: Word, left: Word, fresh: Word) -> Word:
    """Right to left, one product less than ``counts`` says: before the first square and the last
    product."""
    if name != "rtl":
        return FALSE
    return kind.eq(SQUARE) & fresh | kind.eq(TIMES) & left.eq(1)
