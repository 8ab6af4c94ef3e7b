# SPDX-License-Identifier: Apache-2.0
"""systolic at any width: the line of cells, as if it worked on one multiplication alone.

Cell j makes iteration i in cycle i + j of a multiplication. What stands at the cells' inputs in a
cycle is a word for each kind of bit, an entry per cell, so that a cycle of all cells is a few
operations on words.
"""

from __future__ import annotations

from typing import NamedTuple

from redcore.verify.algebra import Algebra
from redcore.verify.induction import NotDescribed, Proof
from redcore.verify.words import FALSE, Size, Width, Word, const, coq, leaf


class Cells(NamedTuple):
    """What stands at the cells' inputs, an entry per cell.

    ``high`` is the high column's bit of the last partial sum, ``low_p`` and ``high_p`` are the
    bits of the result collected so far; ``rest`` is b from the present iteration's bit on.
    """

    high: Word
    b: Word
    q: Word
    carry_m: Word
    carry_a: Word
    last: Word
    low_p: Word
    high_p: Word
    rest: Word


class Operand(NamedTuple):
    """Bits 2j and 2j + 1 of a, or 2j + 1 and 2j + 2 of m, an entry per cell."""

    low: Word
    high: Word


def full_adders(x: Word, y: Word, z: Word) -> tuple[Word, Word]:
    """Sum and carry bit of each column."""
    return x ^ y ^ z, (x & y) | (x & z) | (y & z)


def start(cells: Width, b: Word) -> Cells:
    """Before the first iteration."""
    zero = const(0, cells)
    first = zero.pushed(b.low(1))
    return Cells(zero, first, zero, zero, zero, zero, zero, zero, b)


def step(now: Cells, a: Operand, m: Operand, ends: Word) -> Cells:
    """A cycle; ``ends``: the first cell's next iteration is the last one."""
    mid, carry_m = full_adders(now.high, now.carry_m, m.low & now.q)
    low, carry_a = full_adders(mid, now.carry_a, a.low & now.b)
    mid, carry_m = full_adders(low.half(), carry_m, m.high & now.q)
    high, carry_a = full_adders(mid, carry_a, a.high & now.b)
    quotient = low.low(1)
    rest = now.rest.half()
    return Cells(
        high,
        now.b.pushed(rest.low(1)),
        now.q.pushed(quotient),
        carry_m.pushed(quotient),
        carry_a.pushed(FALSE),
        now.last.pushed(ends),
        now.low_p ^ ((now.low_p ^ low) & now.last),
        now.high_p ^ ((now.high_p ^ high) & now.last),
        rest,
    )


def algebra() -> Algebra:
    """What Coq proves of :func:`start` and :func:`step` for every number of cells."""
    n = Size()
    now = Cells(*(leaf(name, n) for name in Cells._fields))
    a, m = (Operand(leaf(f"{name}_low", n), leaf(f"{name}_high", n)) for name in "am")
    return Algebra(
        "redc_algebra_systolic.v",
        "systolic_value",
        "for every width w and n cells of two columns, 2 n > w + 2, the bits that the cells have"
        " collected once the last one of w + 3 iterations has left a cell are p < 2 m with"
        " 2^(w + 2) p = a b mod m, for a and b < 2 m, m < 2^w odd",
        coq("systolic_start", [now.rest], [*start(n, now.rest)])
        + coq(
            "systolic_step", [*now, *a, *m, leaf("ends", 1)], [*step(now, a, m, leaf("ends", 1))]
        ),
    )


def describe(proof: Proof) -> None:
    """The algebra alone: the RTL is not compared with it yet."""
    raise NotDescribed("systolic has no proof at a given width yet")
