# SPDX-License-Identifier: Apache-2.0
"""carrychain at any width: words of the running sum, as if they worked on one product alone.

A word makes iteration i a cycle behind the word below it. What stands in the words is told for a
multiplication that begins with nothing in them, so that a word that the first iteration has not
reached stays zero; of the core's registers those are compared that have begun.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from redcore.design import number
from redcore.verify.algebra import Algebra
from redcore.verify.induction import NotDescribed, Proof
from redcore.verify.width.carrychain_control import MODULUS, Control
from redcore.verify.width.line import InLine
from redcore.verify.words import (
    FALSE,
    TRUE,
    Size,
    Width,
    Word,
    concat,
    const,
    coq,
    from_low,
    ite,
    leaf,
)


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


class Place(NamedTuple):
    """Which word it is, and what comes from outside: the multiplier's bit for the lowest word, and
    whether that one's next iteration is the last."""

    lowest: Word
    topmost: Word
    bit: Word
    ends: Word


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


def word(now: Unit, below: Unit, above: Unit, place: Place, a: Word, m: Word) -> Unit:
    """A cycle of one word between its neighbours; ``a`` and ``m`` are its bits of 2a and m."""
    first = place.lowest
    wide = now.sum.width + 1
    add_a = ite(first, place.bit, below.add_a)
    add_m = ite(first, quotient(now), below.add_m)
    addend = a.gated(add_a).wide(wide) + m.gated(add_m).wide(wide)
    addend += (below.carry_a & ~first).wide(wide)
    half = now.sum.entered(handed_down(now, above) & ~place.topmost)
    total = half.wide(wide) + now.addend.wide(wide) + (below.carry_s & ~first).wide(wide)
    made = total.low(now.sum.width)
    return Unit(
        made,
        addend.low(now.sum.width),
        add_a,
        add_m,
        addend.top(),
        total.top(),
        ite(first, place.ends, below.last),
        ite(now.last, made, now.kept),
    )


def step(
    now: Sequence[Unit], bit: Word, ends: Word, a: Sequence[Word], m: Sequence[Word]
) -> list[Unit]:
    """A cycle of all words, the lowest first; ``bit`` and ``ends`` as in :class:`Place`."""
    top = len(now) - 1
    return [
        word(
            own,
            now[max(j - 1, 0)],
            now[min(j + 1, top)],
            Place(const(j == 0, 1), const(j == top, 1), bit, ends),
            a[j],
            m[j],
        )
        for j, own in enumerate(now)
    ]


def unit_of(name: str, bits: Width) -> Unit:
    """Leaves for what stands in a word."""
    wide = ("sum", "addend", "kept")
    return Unit(*(leaf(f"{name}{x}", bits if x in wide else 1) for x in Unit._fields))


def algebra() -> Algebra:
    """What Coq proves of :func:`word`, for words of any size and any number of them."""
    n = Size()
    now, below, above = (unit_of(name, n) for name in ("", "below_", "above_"))
    place = Place(*(leaf(name, 1) for name in Place._fields))
    a, m = leaf("a", n), leaf("m", n)
    told = [below.add_a, below.add_m, below.carry_a, below.carry_s, below.last]
    return Algebra(
        "redc_algebra_carrychain.v",
        "carrychain_value",
        "for every width w, cut into words of 3 bits and more, the topmost with 4 more, the words"
        " that are kept of w + 3 iterations, each word a cycle behind the one below, are p < 2 m"
        " with 2^(w + 2) p = a b mod m, for a and b < 2 m, m < 2^w odd",
        coq(
            "carrychain_word",
            [*now, *told, above.sum, above.addend, *place, a, m],
            [*word(now, below, above, place, a, m)],
        ),
    )


def describe(proof: Proof) -> None:
    """The default parameters, and words of any size."""
    fixed = {"variant": "monarch4", "moduli": 1, "checks": 0}
    for name, value in fixed.items():
        if proof.design.values[name] != value:
            raise NotDescribed(
                "the proof of carrychain covers "
                + ", ".join(f"{each}={wanted}" for each, wanted in fixed.items())
            )
    _Data(proof, Control(proof))


class _Data(InLine):
    """What stands in the words is what the specification has there."""

    def __init__(self, proof: Proof, control: Control) -> None:
        super().__init__(proof, control, control.behind, proof.net(f"{MODULUS}data_q"))
        self.control = control
        n, units = control.n, control.units
        size = number(proof.design.values, "word")
        self.sum_bits = n + 4
        self.start = [size * j for j in range(units)]
        self.sizes = [size] * (units - 1) + [self.sum_bits - size * (units - 1)]
        self.ahead, self.late = (
            [self.unit(f"{place}_{j}_", self.sizes[j]) for j in range(units)]
            for place in ("front", "tail")
        )
        self.rest = proof.ghost("front_rest", n + 1)
        self.specification()
        self.operands()
        for j in range(units):
            self.front_word(j)
            self.tail_word(j)
        self.results()

    def unit(self, name: str, bits: int) -> Unit:
        """Ghosts of one word."""
        return Unit(*(self.proof.ghost(str(each.info), each.width) for each in unit_of(name, bits)))

    def words(self, value: Word) -> list[Word]:
        """A multiple, cut as the sum is."""
        value = value.wide(self.sum_bits)
        pairs = zip(self.start, self.sizes, strict=True)
        return [value.piece(at + bits - 1, at) for at, bits in pairs]

    def multiples(self, a: Word, m: Word) -> tuple[list[Word], list[Word]]:
        """Words of 2a and m."""
        return self.words(concat(a, FALSE)), self.words(m)

    def specification(self) -> None:
        """A cycle for the multiplication in front, and for the one behind it."""
        proof, control = self.proof, self.control
        accept, finish = control.accept, control.finish
        after = step(self.ahead, self.rest.bit(0), finish, *self.multiples(self.a, self.m))
        late = self.multiples(self.tail_a, self.tail_m)
        tail_after = step(self.late, FALSE, FALSE, *late)
        for own, following in zip(self.ahead, after, strict=True):
            for ghost, first, then in zip(own, nothing(own.sum.width), following, strict=True):
                proof.follows(ghost, ite(accept, first, then))
        for own, handed, following in zip(self.late, after, tail_after, strict=True):
            for ghost, first, then in zip(own, handed, following, strict=True):
                proof.follows(ghost, ite(finish, first, then))
        proof.follows(self.rest, ite(accept, proof.input("b_i"), self.rest.half()))

    def operands(self) -> None:
        """Operands as they came."""
        proof, control = self.proof, self.control
        self.holds("b is shifted", control.front, proof.net("i_b.data_q"), self.rest)
        if control.units > 1:
            upper = concat(*reversed(self.multiples(self.a, self.m)[0][1:]))
            self.holds("a stands", control.front, proof.net("gen_hold.i_a.data_q"), upper)

    def fields(self, j: int) -> dict[str, Word]:
        """What word j has in the RTL."""
        net, unit = self.proof.net, f"gen_unit[{j}].i_unit."
        found = {"sum": net(f"{unit}sum_q"), "addend": net(f"{unit}gen_prepared.addend_q")}
        if j + 1 < self.control.units:
            found |= {name: net(name).bit(j + 1) for name in ("add_a", "add_m")}
            carries = net("carry").piece(2 * j + 3, 2 * j + 2)
            found |= {"carry_a": carries.bit(0), "carry_s": carries.bit(1)}
            found["low carry_s"] = net("low_carry").bit(2 * j + 3)
        return found

    def region(self, j: int, name: str, regions: Word, more: int) -> Word:
        """Where a field of word j is that of a multiplication; carries of the sum stay a cycle
        longer."""
        return regions.bit(j + more + (name in ("carry_s", "low carry_s")))

    def front_word(self, j: int) -> None:
        """Word j, from its first iteration of front on."""
        proof, control, own = self.proof, self.control, self.ahead[j]
        a = self.multiples(self.a, self.m)[0][j]
        operand = proof.net(f"gen_unit[{j}].i_unit.a_q")
        self.holds(f"front {j}: a", control.begun.bit(j), operand, a)
        for name, word in self.fields(j).items():
            value = getattr(own, name.removeprefix("low "))
            self.holds(f"front {j}: {name}", self.region(j, name, control.begun, 1), word, value)
        for name in ("sum", "addend", "add_a", "add_m", "carry_a", "carry_s"):
            before = control.front & ~self.region(j, name, control.begun, 1)
            word = getattr(own, name)
            self.holds(f"front {j}: no {name} before", before, word, const(0, word.width))
        self.holds(f"front {j}: not the last", control.front, own.last, FALSE)

    def tail_word(self, j: int) -> None:
        """Word j, until its last iteration of the one behind front."""
        proof, control, own = self.proof, self.control, self.late[j]
        open_now = control.open
        if j > 0:
            a = self.multiples(self.tail_a, self.tail_m)[0][j]
            operand = proof.net(f"gen_unit[{j}].i_unit.a_q")
            self.holds(f"tail {j}: a", open_now.bit(j - 1), operand, a)
        for name, word in self.fields(j).items():
            value = getattr(own, name.removeprefix("low "))
            self.holds(f"tail {j}: {name}", self.region(j, name, open_now, 0), word, value)
        last = open_now.bit(j) & (~open_now.bit(j - 1) if j else TRUE)
        self.holds(f"tail {j}: the last", control.behind, own.last, last)
        ended = control.behind & ~open_now.bit(j)
        result = proof.net(f"gen_unit[{j}].i_unit.result_q")
        self.holds(f"tail {j}: result", ended, result, own.kept)
        moved = control.moving & const(j, control.bits).lt(control.move_time)
        self.holds(f"moving {j}", moved, proof.net(f"gen_unit[{j}].i_unit.p_o"), own.kept)

    def results(self) -> None:
        """The words of a result, once the topmost is there."""
        control = self.control
        whole = from_low(each.kept for each in self.late).piece(control.n + 1, 1)
        least = control.iterations + control.units + 1
        self.answers(control, control.complete, whole, least, algebra())
