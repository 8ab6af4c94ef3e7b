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
from redcore.verify.width.line import InLine
from redcore.verify.width.systolic_control import Control
from redcore.verify.words import (
    FALSE,
    Size,
    Width,
    Word,
    const,
    coq,
    from_low,
    ite,
    leaf,
    repeat,
)

CELLS_ASKED = 32
"""Cells that a question is about: at 1024 bits none took 16 s, all cells at once up to 118 s."""


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
    """The default parameters."""
    values = dict(proof.design.values)
    if values["moduli"] != 1 or values["checks"] != 0:
        raise NotDescribed("the proof of systolic covers moduli=1 and checks=0")
    _Data(proof, Control(proof))


def entries(word: Word, first: int, cells: int) -> Word:
    """Bits ``first``, ``first`` + 2 and so on of a word, zeros above it; an entry per cell."""
    return from_low(
        word.bit(at) if at < word.width else FALSE for at in range(first, first + 2 * cells, 2)
    )


def operand_a(a: Word, cells: int) -> Operand:
    """The columns' bits of a."""
    return Operand(entries(a, 0, cells), entries(a, 1, cells))


def operand_m(m: Word, cells: int) -> Operand:
    """The columns' bits of m, which is halved with the sum."""
    return Operand(entries(m, 1, cells), entries(m, 2, cells))


class _Data(InLine):
    """What stands in the cells is what the specification has there."""

    def __init__(self, proof: Proof, control: Control) -> None:
        own_m = proof.net("i_shell.gen_one_modulus.gen_ahead.i_modulus.data_q")
        super().__init__(proof, control, control.tail, own_m)
        self.control = control
        self.n = n = proof.design.width
        words = [(name, n + 1 if name == "rest" else control.cells) for name in Cells._fields]
        self.ahead, self.behind = (
            Cells(*(proof.ghost(f"{place}_{name}", width) for name, width in words))
            for place in ("front", "tail")
        )
        self.specification()
        self.operands()
        self.line()
        self.results()

    def same(self, name: str, region: Word, word: Word, value: Word) -> None:
        """Invariants: a word has the value's bits where the region's are 1, as far as it goes."""
        differ = (word ^ value.low(word.width)) & region.low(word.width)
        for first in range(0, word.width, CELLS_ASKED):
            last = min(first + CELLS_ASKED, word.width) - 1
            bits = differ.piece(last, first)
            self.proof.invariant(f"{name}, cells {first} to {last}", bits.eq(0), data=True)

    def specification(self) -> None:
        """A cycle of the line for the multiplication in front and for the one in the tail."""
        proof, control, cells = self.proof, self.control, self.control.cells
        accept, finish = control.accept, control.finish
        ends = control.time.eq(control.iterations - 2)
        begin = start(cells, proof.input("b_i"))
        after = step(self.ahead, operand_a(self.a, cells), operand_m(self.m, cells), ends)
        tail_operands = operand_a(self.tail_a, cells), operand_m(self.tail_m, cells)
        tail_after = step(self.behind, *tail_operands, FALSE)
        for ghost, first, following in zip(self.ahead, begin, after, strict=True):
            proof.follows(ghost, ite(accept, first, following))
        for ghost, handed, following in zip(self.behind, after, tail_after, strict=True):
            proof.follows(ghost, ite(finish, handed, following))

    def operands(self) -> None:
        """Operands as they came."""
        control = self.control
        self.holds("a stands", control.front, self.proof.net("i_a.data_q"), self.a)
        self.holds("b is shifted", control.front, self.proof.net("i_b.data_q"), self.ahead.rest)

    def each(self, name: str, bit: int = 0) -> Word:
        """A bit of a register of all cells."""
        nets = (self.proof.net(f"gen_cell[{j}].i_cell.{name}") for j in range(self.control.cells))
        return from_low(net.bit(bit) for net in nets)

    def copy_of_a(self, bit: int) -> Word:
        """A bit of each cell's copy of a; the first cell has none, and reads the operand."""
        name, cells = "gen_cell[{}].i_cell.gen_copy_a.a_q", range(1, self.control.cells)
        copies = (self.proof.net(name.format(j)).bit(bit) for j in cells)
        return from_low([self.proof.net("i_a.data_q").bit(bit), *copies])

    def line(self) -> None:
        """Bits and tokens in the cells that front has begun, and that the tail has not ended."""
        proof, control, cells = self.proof, self.control, self.control.cells
        ahead, behind = self.ahead, self.behind
        control.says("the last iteration begins", control.front.implies(
            ahead.last.eq(const(0, cells).pushed(control.finish))
        ))  # fmt: skip
        control.says("the last iteration goes on", control.tail.implies(
            behind.last.eq(control.token.low(cells))
        ))  # fmt: skip
        high = self.each("high_q")
        with_m = self.n // 2  # cells above have no bit of m, and no quotient bit
        for place, region, now, a in (
            ("front", control.begun, ahead, operand_a(self.a, cells)),
            ("tail", control.open, behind, operand_a(self.tail_a, cells)),
        ):
            for name, word, value in (
                ("high columns", high, now.high),
                ("bits of b", proof.wire("b").low(cells), now.b),
                ("quotient bits", proof.wire("q").low(with_m), now.q),
                ("carries of m", proof.wire("carry_m").low(cells), now.carry_m),
                ("carries of a", proof.wire("carry_a").low(cells), now.carry_a),
                ("low bits of a", self.copy_of_a(0), a.low),
                ("high bits of a", self.copy_of_a(1), a.high),
            ):
                self.same(f"{place}: {name}", region, word, value)
        for name in ("high", "b", "q", "carry_m", "carry_a"):
            above = getattr(ahead, name) & ~control.begun.low(cells)
            self.holds(f"no {name} ahead of front", control.front, above, const(0, cells))

    def results(self) -> None:
        """Bits of the result in cells that the tail has ended, and in the output register."""
        proof, control, held = self.proof, self.control, self.control.held
        nets = [proof.net(f"gen_cell[{j}].i_cell.result_q") for j in range(held)]
        collected = (self.behind.low_p, self.behind.high_p)
        for at, value in enumerate(collected):
            ended = repeat(control.tail, held) & ~control.open.low(held)
            self.same(f"result bits {at}", ended, from_low(net.bit(at) for net in nets), value)
        bits = from_low(word.bit(j) for j in range(held) for word in collected).low(self.n + 1)
        self.answers(control, control.moves, bits, control.whole, algebra())
