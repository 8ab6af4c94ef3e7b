# SPDX-License-Identifier: Apache-2.0
"""When the instructions of ``rtl/redc_curve.sv`` begin, played on its multiplier's pace.

Every constant here is a count of registers in the RTL; tests hold the cycles equal to simulation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from redcore.design import Design, Pace, ceil_div
from redcore.units.copies import copies_of
from redcore.units.curve.formulas import PRODUCTS

WAITING = 2
"""Pairs of operands that wait for the multiplier (``Waiting`` in the RTL)."""
_OFFER = 4
"""From a product's beginning to its first operand word at the multiplier's queue."""
_SUM = 5
"""From a sum's beginning to that of what reads it, besides its words."""
_QUIET = 6
"""From a sum's beginning to the end of all its words, besides these twice."""
_KNOWN = 2
"""From a product's last word, or its first part, to what reads it, and from an operand's last word
leaving the queue to a product that needs its room."""
_GATHER = 4
"""Cycles for a bit of a digit, one more where instructions begin more than four apart."""
_GATHERED = 3
"""From the beginning of the instruction before a loop over digits to its own, besides these."""


@dataclass(frozen=True)
class Sizes:
    """How values are cut into words: an operand's word has ``parts`` of them, ``bits`` each.

    ``late`` is the cycle more that block memory takes.
    """

    bits: int
    parts: int
    words: int
    spacing: int
    in_flight: int
    late: int

    @property
    def gather(self) -> int:
        """Cycles for a bit of a digit."""
        return _GATHER + (self.spacing > 4)

    @classmethod
    def of(cls, multiplier: Design, chunk: int, memory: str) -> Sizes:
        """Words of several beats stay whole; a single one is cut into at most ``chunk`` bits."""
        geometry = multiplier.geometry
        parts = ceil_div(geometry.word_bits, chunk) if geometry.beats == 1 else 1
        bits = ceil_div(geometry.word_bits, parts)
        words = parts * geometry.beats
        in_flight = geometry.slots + WAITING + 1
        return cls(bits, parts, words, max(words, 4), in_flight, int(memory == "bram"))


class Turns(Pace):
    """Several multipliers, which take products in turn; their results wait outside for their turn
    (``rtl/redc_curve_turns.sv``), so that none of them is ever held back."""

    def __init__(self, paces: Sequence[Pace], beats: int) -> None:
        self._paces, self._beats, self.every = list(paces), beats, paces[0].every
        self.loading, self.leaving, self.loaded = paces[0].loading, paces[0].leaving, 0
        self._number = 0
        self._next, self._answered = 0, -1

    def take(self, ready: int, free: int = 0) -> tuple[int, int]:
        """As in the base class; a word of results leaves in each cycle."""
        pace = self._paces[self._number % len(self._paces)]
        self._number += 1
        taken, made = pace.take(max(ready, self._next))
        if self._number == 1:  # alike at first
            for other in self._paces[1:]:
                other.idle_in_step(taken)
        self.loaded = pace.loaded
        self._next = self.loaded + 1
        self._answered = max(made, self._answered + self._beats, free + self._beats - 1)
        return taken, self._answered

    def idle_in_step(self, opened: int) -> None:
        """As in the base class, all of them."""
        for pace in self._paces:
            pace.idle_in_step(opened)

    def state(self, now: int) -> tuple[object, ...]:
        """As in the base class; a turn counts, and which of them have begun."""
        return (
            self._number % len(self._paces),
            min(self._number, len(self._paces)),
            max(0, self._next - now),
            max(0, self._answered + self._beats - now),
            *(pace.state(now) for pace in self._paces),
        )

    def move(self, cycles: int) -> None:
        self._next += cycles
        self._answered += cycles
        for pace in self._paces:
            pace.move(cycles)

    def openings(self, now: int) -> tuple[int, ...]:
        """The first cycle from ``now`` on in which each takes operands, by their turn."""
        count = len(self._paces)
        turns = (self._paces[(self._number + at) % count] for at in range(count))
        return tuple(pace.copy().take(now)[0] for pace in turns)


def pace_of(multiplier: Design) -> Pace:
    """A fresh one of a multiplier, or of several."""
    if copies_of(multiplier) == 1:
        return multiplier.pace()
    inside = multiplier.family.inside(multiplier.width, multiplier.values)
    return Turns([one.pace() for one in inside], multiplier.geometry.beats)


class Play:
    """Instructions in order, each once what it waits for is there."""

    def __init__(self, sizes: Sizes, beats: int, pace: Pace, begin: int = 0) -> None:
        self._sizes = sizes
        self._beats = beats
        self._pace = pace
        self._next = begin
        self._free: dict[Hashable, int] = {}  # place: when what reads or writes it may begin
        self._quiet = 0  # when all is written
        self._popped = 0  # when the last pair of operands had left the queue
        self._taken = -1  # when the multiplier took the last joined word
        # When a further product may begin, for the room in the queue, and under way.
        self._room: deque[int] = deque([0] * WAITING, WAITING)
        self._slots: deque[int] = deque([0] * sizes.in_flight, sizes.in_flight)

    def earliest(self, kind: str, *places: Hashable) -> int:
        """When an instruction on these places could begin now, its destination among them."""
        free = self._free
        at = self._next
        for place in places:
            if (then := free.get(place, 0)) > at:
                at = then
        if kind in PRODUCTS:
            at = max(at, self._room[0], self._slots[0])
        return at

    def issue(self, kind: str, target: Hashable, a: Hashable, b: Hashable) -> int:
        """The cycle in which the instruction begins."""
        at = self.earliest(kind, target, a, b)
        sizes = self._sizes
        self._next = at + sizes.spacing
        if kind in PRODUCTS:
            self._free[target] = self._multiply(at)
        else:
            self._free[target] = at + sizes.late + sizes.words + _SUM
            self._quiet = max(self._quiet, at + sizes.late + 2 * sizes.words + _QUIET)
        return at

    def _multiply(self, at: int) -> int:
        sizes = self._sizes
        if sizes.parts == 1:
            _, answered = self._pace.take(max(at + sizes.late + _OFFER, self._popped + 1))
            self._popped = self._pace.loaded
            known = answered + _KNOWN
        else:
            first = max(at + sizes.late + _OFFER, self._taken + 1)
            self._popped = first + sizes.parts - 1
            self._taken, answered = self._pace.take(self._popped + 1)
            known = answered + 1 + _KNOWN
            self._quiet = max(self._quiet, known + sizes.parts - 1)
        self._room.append(self._popped + _KNOWN)
        self._slots.append(known)
        return known

    def state(self) -> tuple[object, ...]:
        """All that later beginnings depend on, in cycles after the next one may come.

        Equal after two iterations of a loop, so are all that follow: a long play may be cut short.
        Places are told in the order in which they were written first.
        """
        now = self._next
        return (
            *(max(0, then - now) for then in self._free.values()),
            *(max(0, then - now) for then in self._room),
            *(max(0, then - now) for then in self._slots),
            max(0, self._popped - now),
            max(0, self._taken - now),
            self._pace.state(now),
        )

    def there(self, place: Hashable) -> int:
        """When what reads a value may begin."""
        return self._free[place]

    def loop(self, digit: int = 0) -> int:
        """The cycle in which a loop begins; one over digits of that many bits waits for them."""
        at = self._next
        if digit:
            at = max(at, at - self._sizes.spacing + digit * self._sizes.gather + _GATHERED)
        self._next = at + self._sizes.spacing
        return at

    def modulo(self) -> None:
        """Goes on with a modulus once all is written."""
        self._next = self.halt() + self._sizes.spacing

    def halt(self) -> int:
        """The cycle in which the program ends."""
        return max(self._next, self._quiet, *self._free.values())


class Machine:
    """The multipliers, behind one face, and the processor around them."""

    def __init__(self, multiplier: Design, sizes: Sizes) -> None:
        self.multiplier = multiplier
        self.sizes = sizes

    @property
    def interval(self) -> Fraction:
        """Cycles from product to product at best: each loads its operands in turn, and none waits
        for the results of others to leave."""
        one, several = self.multiplier, copies_of(self.multiplier)
        if several == 1:
            return one.geometry.interval_cycles
        one = one.family.inside(one.width, one.values)[0]
        return max(one.geometry.interval_cycles / several, Fraction(1 + one.pace().loading))

    def play(self, begin: int = 0, pace: Pace | None = None) -> Play:
        """A fresh play from a cycle on; on a fresh pace of the multiplier, if none is given."""
        beats = self.multiplier.geometry.beats
        return Play(self.sizes, beats, pace or pace_of(self.multiplier), begin)
