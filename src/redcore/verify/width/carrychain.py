# SPDX-License-Identifier: Apache-2.0
"""carrychain at any width: words of the running sum, as if they worked on one product alone.

A word makes iteration i a cycle behind the word below it. What stands in the words is told for a
multiplication that begins with nothing in them, so that a word that the first iteration has not
reached stays zero; of the core's registers those are compared that have begun.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from redcore.verify.algebra import Algebra
from redcore.verify.induction import NotDescribed, Proof
from redcore.verify.words import FALSE, Size, Width, Word, const, coq, ite, leaf


class Unit(NamedTuple):
    """What stands in a word of the sum.

    ``addend`` is what the next iteration adds; ``add_a`` and ``add_m`` are the multiplier's and
    the quotient's bit that it was made with, and the carries are those out of the word by making
    addend and sum. ``last``: the word makes its last iteration; ``kept`` is what that one made.
    """

    sum: Word
    addend: Word
    add_a: Word
    add_m: Word
    carry_a: Word
    carry_s: Word
    last: Word
    kept: Word


class Below(NamedTuple):
    """What a word is told by the one below."""

    add_a: Word
    add_m: Word
    carry_a: Word
    carry_s: Word
    last: Word


def nothing(bits: Width) -> Unit:
    """A word before the first iteration."""
    zero = const(0, bits)
    return Unit(zero, zero, FALSE, FALSE, FALSE, FALSE, FALSE, zero)


def quotient(now: Unit) -> Word:
    """The quotient's bit that goes with the sum that the lowest word is making: its bit 1. Its bit
    0 is zero, so the carry from there is either operand's."""
    half = now.sum.half()
    return half.half().low(1) ^ now.addend.half().low(1) ^ half.low(1)


def handed_down(now: Unit, above: Unit) -> Word:
    """The lowest bit of the sum that the word above is making."""
    return above.sum.half().low(1) ^ above.addend.low(1) ^ now.carry_s


def word(now: Unit, below: Below, high: Word, a: Word, m: Word) -> Unit:
    """A cycle of one word; ``a`` and ``m`` are its bits of 2a and m."""
    wide = now.sum.width + 1
    addend = a.gated(below.add_a).wide(wide) + m.gated(below.add_m).wide(wide)
    addend += below.carry_a.wide(wide)
    total = now.sum.entered(high).wide(wide) + now.addend.wide(wide) + below.carry_s.wide(wide)
    made = total.low(now.sum.width)
    return Unit(
        made,
        addend.low(now.sum.width),
        below.add_a,
        below.add_m,
        addend.top(),
        total.top(),
        below.last,
        ite(now.last, made, now.kept),
    )


def step(
    now: Sequence[Unit], bit: Word, ends: Word, a: Sequence[Word], m: Sequence[Word]
) -> list[Unit]:
    """A cycle of all words, the lowest first. ``bit`` is the multiplier's bit for the lowest;
    ``ends``: its next iteration is the last one."""
    below = Below(bit, quotient(now[0]), FALSE, FALSE, ends)
    after = []
    for at, own in enumerate(now):
        high = handed_down(own, now[at + 1]) if at + 1 < len(now) else FALSE
        after.append(word(own, below, high, a[at], m[at]))
        below = Below(own.add_a, own.add_m, own.carry_a, own.carry_s, own.last)
    return after


def unit_of(name: str, bits: Width) -> Unit:
    """Leaves for what stands in a word."""
    wide = ("sum", "addend", "kept")
    return Unit(*(leaf(f"{name}{x}", bits if x in wide else 1) for x in Unit._fields))


def algebra() -> Algebra:
    """What Coq proves of :func:`word`, :func:`quotient` and :func:`handed_down` for words of any
    size and any number of them, which it puts side by side as :func:`step` does."""
    n = Size()
    now, above = unit_of("", n), unit_of("above_", n)
    below = Below(*(leaf(f"below_{x}", 1) for x in Below._fields))
    high, a, m = leaf("high", 1), leaf("a", n), leaf("m", n)
    return Algebra(
        "redc_algebra_carrychain.v",
        "carrychain_value",
        "for every width w, cut into words of 3 bits and more, the topmost with 4 more, the words"
        " that are kept of w + 3 iterations, each word a cycle behind the one below, are p < 2 m"
        " with 2^(w + 2) p = a b mod m, for a and b < 2 m, m < 2^w odd",
        coq("carrychain_quotient", [now.sum, now.addend], [quotient(now)])
        + coq(
            "carrychain_high",
            [now.carry_s, above.sum, above.addend],
            [handed_down(now, above)],
        )
        + coq("carrychain_word", [*now, *below, high, a, m], [*word(now, below, high, a, m)]),
    )


def describe(proof: Proof) -> None:
    """Not yet: the RTL is not compared."""
    raise NotDescribed("the RTL of carrychain is not compared with its specification yet")
