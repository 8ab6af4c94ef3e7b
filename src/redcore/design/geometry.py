# SPDX-License-Identifier: Apache-2.0
"""Sizes and cycles of a design, and when it takes and answers multiplications."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, Self


def power_of_two(least: int) -> int:
    """The least power of two that is not below ``least``, which is positive."""
    return 1 << (least - 1).bit_length()


def ceil_div(numerator: int, denominator: int) -> int:
    """The quotient, rounded up."""
    return -(-numerator // denominator)


def index_bits(count: int) -> int:
    """Bits of an index into ``count`` places, at least one (``redc_pkg``)."""
    return max(1, (count - 1).bit_length())


def plain(value: Fraction | int) -> int | float:
    """A cycle count as JSON has it: whole where it is whole."""
    return int(value) if value == int(value) else float(value)


@dataclass(frozen=True, kw_only=True)
class Geometry:
    """What the multiplier contract exposes of a design: sizes in bits, times in clock cycles.

    An operand is ``beats`` words of ``word_bits``, least significant first. The result is
    ``a*b*2**-r_bits mod m``, below ``bound * m``, as operands must be. ``latency_cycles`` runs from
    the first accepted operand beat to the last result beat with nothing else in flight;
    ``interval_cycles`` is the steady-state cost of one multiplication with all ``slots`` busy.
    ``modulus_cycles`` is how long a core that derives constants takes no operands after a modulus,
    at most; 0 where a lone multiplication's time is enough.
    ``slack_cycles``: a lone latency may be off by so many, depending on the moment of the offer
    (never on data). ``interval_estimated``: the interval is not exact: a
    bound from below, or of a unit whose time depends on what it is given the mean.
    ``modulus_beats`` are the words of the modulus stream where they are more than an operand's.
    ``at_least``: all cycle counts are bounds from below, as of ``Design.outlook``.
    """

    word_bits: int
    beats: int = 1
    r_bits: int = 0
    bound: int = 1
    slots: int = 1
    moduli: int = 1
    latency_cycles: int
    interval_cycles: Fraction
    modulus_cycles: int = 0
    modulus_beats: int = 0
    slack_cycles: int = 0
    interval_estimated: bool = False
    at_least: bool = False

    def to_json(self) -> dict[str, Any]:
        """What ``redcore info`` and a bundle's report say of it."""
        names = ("word_bits", "beats", "r_bits", "bound", "slots", "moduli", "latency_cycles")
        found = {name: getattr(self, name) for name in names}
        return found | {
            "interval_cycles": plain(self.interval_cycles),
            "interval_estimated": self.interval_estimated,
        }


class Pace:
    """When a core takes multiplications and answers them.

    This one is of a core that takes one every interval, rounded up, wherever it stands. ``every``
    is the period in which an idle core is ready for a cycle; 1 where it is ready all the time.
    ``loading`` and ``leaving`` are the cycles from the first beat of operands, or of a result that
    has waited, to the last one.
    """

    every: int = 1

    def __init__(self, geometry: Geometry) -> None:
        self.loading = self.leaving = geometry.beats - 1
        self.loaded = 0
        """The cycle of the last operand beat of what was taken last."""
        self._latency = geometry.latency_cycles
        self._spacing = ceil(geometry.interval_cycles)
        self._next = 0
        self._opened: int | None = None  # a cycle in which the idle core was ready at first

    def take(self, ready: int, free: int = 0) -> tuple[int, int]:
        """Cycles of the first operand beat and the last result beat of what is offered next.

        ``ready`` is the first cycle of the offer, whose beats follow as they are taken; ``free``
        the first one in which a beat of the result may leave. From then on all are taken at once.
        """
        taken = max(ready, self._next)
        self.loaded = taken + self.loading
        answered = max(taken + self._latency, free + self.leaving)
        self._next = answered - self._latency + self._spacing
        return taken, answered

    def take_square(self, ready: int, free: int = 0) -> tuple[int, int]:
        """The same of a pair that the core is told to be one number twice."""
        return self.take(ready, free)

    def idle_in_step(self, opened: int) -> None:
        """Nothing has been offered yet, and the idle core is ready in cycle ``opened``.

        Without it, one that is ready in some cycles only is so when the first offer comes.
        """
        self._opened = opened

    def state(self, now: int) -> tuple[object, ...]:
        """All that later answers depend on, in cycles after ``now``; no offer comes before that.

        Two equal states answer the same offers alike, so that a long play may be cut short.
        """
        return (max(0, self._next - now),)

    def move(self, cycles: int) -> None:
        """Make all that was so much later."""
        self._next += cycles

    def copy(self) -> Self:
        """Another one that goes on from here by itself."""
        twin = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list):
                own = [each.copy() if isinstance(each, Pace) else each for each in value]
                setattr(twin, name, own)
        return twin

    def _open_at(self, ready: int, opened: int | None) -> int:
        """The cycle from ``ready`` on in which an idle core is ready that was so in ``opened``."""
        if opened is None:
            return ready
        return opened + self.every * max(0, ceil_div(ready - opened, self.every))


class Alternating(Pace):
    """Some of the same core behind ``redc_mul_several``, taken in turn.

    They are alike at first: a core that stands idle is ready when the others are.
    """

    def __init__(self, paces: Sequence[Pace]) -> None:
        self._paces = list(paces)
        self.loading, self.leaving, self.loaded = paces[0].loading, paces[0].leaving, 0
        self._number = 0
        self._next = self._answered = 0

    def take(self, ready: int, free: int = 0) -> tuple[int, int]:
        """As in the base class; results leave in order."""
        pace = self._paces[self._number % len(self._paces)]
        self._number += 1
        free = max(free, self._answered + 1)
        taken, self._answered = pace.take(max(ready, self._next), free)
        if self._number == 1:
            for other in self._paces[1:]:
                other.idle_in_step(taken)
        self.loaded = pace.loaded
        self._next = self.loaded + 1
        return taken, self._answered

    def state(self, now: int) -> tuple[object, ...]:
        return (
            min(self._number, 2),
            self._number % len(self._paces),
            max(0, self._next - now),
            self._answered - now,
            *(pace.state(now) for pace in self._paces),
        )

    def move(self, cycles: int) -> None:
        self._next += cycles
        self._answered += cycles
        for pace in self._paces:
            pace.move(cycles)
