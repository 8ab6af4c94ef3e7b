# SPDX-License-Identifier: Apache-2.0
"""A scheduled program as ``rtl/redc_curve_issue.sv`` reads it; fields as in ``redc_curve_pkg``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from redcore.design import ceil_div, index_bits
from redcore.units.curve.formulas import FULL, Loop, Modulo, Operation
from redcore.units.curve.places import Place
from redcore.units.curve.play import Sizes
from redcore.units.curve.schedule import Scheduled

_KINDS = (
    "add", "sub", "choose", "mul", "square", "reduce", "below", "zero", "nonzero", "valid",
    "loop", "halt", "modulo", "pick",
)  # fmt: skip
_NUMBERS = {"exponent": 1, FULL: 1, "random": 2, "second": 2}
"""Which of the numbers a loop goes through; the scalar's bits, those of its higher part, or any,
are 0. A second scalar is where random bits are not; the order that a point has to have takes the
place of the exponent."""
_DIGITS = 3
"""That of a loop over digits, of the scalar and what is beside it."""
_PICK_BITS = 3
"""Of a pick, which bit of the digit it sees."""


@dataclass(frozen=True)
class Fields:
    """Bits of an instruction's fields."""

    place: int
    word: int
    bit: int
    pick: int

    @classmethod
    def of(cls, sizes: Sizes, most: int, places: int, picks: bool) -> Fields:
        """Those of the RTL with these sizes, with loops of at most ``most`` bits."""
        words = max(sizes.words, ceil_div(most, sizes.bits))
        place, word, bit = 1 + index_bits(places), index_bits(words), index_bits(sizes.bits)
        return cls(place, word, bit, _PICK_BITS * picks)

    @property
    def operand(self) -> int:
        """Bits of an operand."""
        return max(self.pick + 3 * self.place, 2 + self.word + self.bit)

    @property
    def instruction(self) -> int:
        """Bits of an instruction."""
        return 5 + self.operand

    def _place(self, place: Place) -> int:
        return place[0] << (self.place - 1) | place[1]

    def operation(self, one: Operation, where: Mapping[str, Place], last: bool) -> int:
        """An operation on its places; ``last`` in its loop."""
        target, a, b = (self._place(where[name]) for name in (one.target, one.a, one.b))
        operand = ((one.bit << self.place | target) << self.place | a) << self.place | b
        return self._whole(one.kind, operand, last)

    def loop(self, loop: Loop, length: int, bits: int) -> int:
        """A loop through ``length`` bits in words of ``bits`` each."""
        word, bit = divmod(length - 1, bits)
        number = _DIGITS if loop.window else _NUMBERS.get(loop.over, 0)
        return self._whole("loop", (number << self.word | word) << self.bit | bit)

    def modulo(self, one: Modulo) -> int:
        """A change of modulus."""
        return self._whole("modulo", _NUMBERS.get(one.exponent, 0) << 1 | one.modulus)

    def halt(self) -> int:
        """The end of a program."""
        return self._whole("halt", 0)

    def _whole(self, kind: str, operand: int, last: bool = False) -> int:
        return (last << 4 | _KINDS.index(kind)) << self.operand | operand


def encode(
    scheduled: Scheduled, fields: Fields, bits: int, lengths: Mapping[str, int], padded: Operation
) -> list[int]:
    """The instructions of a program, its end the last one."""
    where, found = scheduled.places, []
    for part in scheduled.program:
        if isinstance(part, Operation):
            found.append(fields.operation(part, where, last=False))
            continue
        if isinstance(part, Modulo):
            found.append(fields.modulo(part))
            continue
        found.append(fields.loop(part, lengths[part.over], bits))
        body = part.body if len(part.body) > 1 else (*part.body, padded)
        found += [fields.operation(one, where, one is body[-1]) for one in body]
    return [*found, fields.halt()]


def packed(instructions: Sequence[int], fields: Fields) -> str:
    """All instructions as a SystemVerilog number, the first lowest."""
    number = sum(word << (fields.instruction * at) for at, word in enumerate(instructions))
    return f"{len(instructions) * fields.instruction}'h{number:x}"
