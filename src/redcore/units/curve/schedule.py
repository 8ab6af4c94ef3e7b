# SPDX-License-Identifier: Apache-2.0
"""From formulas to a program for its multipliers: an order, a place for every value, the cycles.

The hardware begins instructions in the program's order, each when its operands are there, so a
schedule is an order. It is found by list scheduling on the play of the hardware with exactly that
multiplier (``redcore.units.curve.play``), and that of loops is then improved by moving
instructions, as iterations overlap. Of some loops a longer search has found the order
(``redcore.units.curve.orders``).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import islice, product

from redcore.units.copies import copies_of
from redcore.units.curve.bounds import PLAYED, LoopReport, latencies_of, loop_bound, unit_of
from redcore.units.curve.formulas import Loop, Modulo, Operation, Part, Program, unknown
from redcore.units.curve.orders import key_of, shipped
from redcore.units.curve.places import (
    NoPlaceError,
    Place,
    after,
    allocate,
    overwritten,
    reads,
    single_writers,
)
from redcore.units.curve.play import Machine, Play

_MOVES = 300
_SETTLED = 3
"""Of the iterations of a loop that are played to compare orders, those before they count."""
_AHEAD = (1 << 20, 96, 48)
"""How far ahead instructions begin, tried in turn."""


@dataclass(frozen=True)
class Scheduled:
    """A program in its order, with its places."""

    program: Program
    places: Mapping[str, Place]
    loops: tuple[LoopReport, ...]


def _heights(block: Sequence[Operation], latencies: Mapping[str, int]) -> list[int]:
    """The longest way from each operation to the end of the block."""
    height = [0] * len(block)
    readers: dict[str, list[int]] = defaultdict(list)
    for number in reversed(range(len(block))):
        one = block[number]
        later = readers.pop(one.target, [])
        height[number] = latencies[unit_of(one)] + max(
            (height[other] for other in later), default=0
        )
        for name in reads(one):
            readers[name].append(number)
    return height


def _listed(
    block: Sequence[Operation],
    play: Play,
    heights: Sequence[int],
    before: Sequence[set[int]],
    ahead: int,
    near: int = 0,
) -> list[int]:
    """List scheduling: what can begin first, of these what has the longest way to go.

    Nothing begins that is ``ahead`` or more behind the first one left. What can begin up to
    ``near`` cycles later than the first counts as if it could then, with so much less of its way.
    """
    left = set(range(len(block)))
    order: list[int] = []
    while left:
        end = min(left) + ahead
        ready = [number for number in left if number < end and not before[number] & left]
        at = {n: play.earliest(block[n].kind, block[n].target, *reads(block[n])) for n in ready}
        limit = min(at.values()) + near
        chosen = min(
            (n for n in ready if at[n] <= limit), key=lambda n: (at[n] - heights[n], at[n], n)
        )
        one = block[chosen]
        play.issue(one.kind, one.target, one.a, one.b)
        order.append(chosen)
        left.discard(chosen)
    return order


def steady(block: Iterable[Operation], machine: Machine) -> Fraction:
    """Cycles of an iteration, once some have gone by."""
    play = machine.play()
    body = [(one.kind, one.target, one.a, one.b) for one in block]
    ends: list[int] = []
    seen: dict[tuple[object, ...], int] = {}
    while len(ends) < PLAYED:
        for one in body:
            at = play.issue(*one)
        ends.append(at)
        first = seen.setdefault(play.state(), len(ends))
        if first < len(ends):  # all that follows is as it was
            period = len(ends) - first
            longer = at - ends[first - 1]
            while len(ends) < PLAYED:
                ends.append(ends[-period] + longer)
    return Fraction(ends[-1] - ends[_SETTLED - 1], PLAYED - _SETTLED)


def _improved(
    block: Sequence[Operation], order: list[int], machine: Machine, before: Sequence[set[int]]
) -> list[int]:
    """Moves single instructions as long as iterations get no slower; the same for a same seed."""
    chance = random.Random(1)

    @cache
    def cost(one: tuple[int, ...]) -> Fraction:
        """Some moves lead to where others were, many to nowhere."""
        return steady((block[number] for number in one), machine)

    best = cost(tuple(order))
    least = loop_bound(block, machine).cycles
    for _ in range(_MOVES):
        if best <= least:
            break
        old = chance.randrange(len(order))
        moved = order[old]
        rest = order[:old] + order[old + 1 :]
        low = max((rest.index(n) + 1 for n in before[moved]), default=0)
        high = min((k for k, n in enumerate(rest) if moved in before[n]), default=len(rest))
        new = chance.randint(low, high)
        tried = [*rest[:new], moved, *rest[new:]]
        if (now := cost(tuple(tried))) <= best:
            order, best = tried, now
    return order


def _ordered(
    body: Sequence[Operation],
    looped: bool,
    machine: Machine,
    before: Sequence[set[int]],
    ahead: int,
) -> list[int]:
    """The order of a block; ``looped``: of a loop's."""
    heights = _heights(body, latencies_of(machine))
    order = _listed(body, machine.play(), heights, before, ahead)
    if not looped:
        return order
    if copies_of(machine.multiplier) > 1:
        # The way through the sums counts more where products wait less.
        other = _listed(body, machine.play(), heights, before, ahead, machine.sizes.spacing)
        order = min(order, other, key=lambda each: steady((body[n] for n in each), machine))
    return _improved(body, order, machine, before)


def arrange(
    stages: Sequence[Program],
    machine: Machine,
    lengths: Mapping[str, int],
    fixed: Mapping[str, Place],
    kept: int,
    places: int,
    apart: bool = True,
    orders: Mapping[str, Sequence[int]] | None = None,
) -> Scheduled:
    """Programs one after the other in a good order for this machine, and their places.

    Nothing moves from one to another. Where the good order takes more places than there are, what
    is further behind waits, and at last all is done as it is written, which needs the fewest.
    ``lengths`` are the bits of what loops go through, ``fixed`` the places of values that have one,
    ``apart`` and ValueError are as of ``allocate``; a loop through what has no length is one, too.
    ``orders`` are those of loops by their keys, the shipped ones if left out; they are not taken
    where the program has no places with them.
    """
    orders = shipped() if orders is None else orders
    for part in (part for stage in stages for part in stage):
        if isinstance(part, Loop) and part.over not in lengths:
            raise unknown(part.over, lengths)
    named = iter(single_writers([part for stage in stages for part in stage]))
    blocks: list[Loop | Modulo | list[Operation]] = []
    for stage in stages:
        blocks.append([])
        for part in islice(named, len(stage)):
            if not isinstance(part, Operation):
                blocks += [part, []]
            else:
                last = blocks[-1]
                assert isinstance(last, list)
                last.append(part)

    befores = {
        at: after(block if isinstance(block, list) else block.body, fixed)
        for at, block in enumerate(blocks)
        if not isinstance(block, Modulo)
    }
    known = {
        at: order
        for at, block in enumerate(blocks)
        if isinstance(block, Loop)
        and (order := orders.get(key_of(block.body, befores[at], machine)))
    }

    def scheduled(ahead: int, known: Mapping[int, Sequence[int]]) -> Scheduled:
        ordered: list[Part] = []
        reports = []
        for at, block in enumerate(blocks):
            if isinstance(block, Modulo):
                ordered.append(block)
                continue
            body = block if isinstance(block, list) else block.body
            order: Sequence[int] = range(len(body))
            if at in known:
                order = known[at]
            elif ahead:
                order = _ordered(body, isinstance(block, Loop), machine, befores[at], ahead)
            if isinstance(block, Loop):
                loop = replace(block, body=tuple(body[number] for number in order))
                ordered.append(loop)
                cycles = steady(loop.body, machine)
                bound = loop_bound(body, machine)
                count = block.iterations(lengths)
                reports.append(LoopReport(block.over, count, cycles, bound, block.window))
            else:
                ordered += [body[number] for number in order]
        program = tuple(ordered)
        found = allocate(program, fixed, kept, places, apart, bool(known))
        if lost := {*overwritten(program, found, fixed)}:
            raise RuntimeError(f"places of {sorted(lost)} are another value's when they are read")
        return Scheduled(program, found, tuple(reports))

    none: Mapping[int, Sequence[int]] = {}
    tried = [*product([known, none], _AHEAD), (known, 0)] if known else product([none], _AHEAD)
    for taken, ahead in tried:
        with suppress(NoPlaceError):
            return scheduled(ahead, taken)
    return scheduled(0, none)


def begins(
    scheduled: Scheduled, play: Play, lengths: Mapping[str, int], padded: Operation
) -> Iterator[tuple[Operation, int]]:
    """Each operation with the cycle in which it begins, played on its places; ``padded`` goes
    behind the only operation of a loop."""
    where = scheduled.places

    def issue(one: Operation) -> tuple[Operation, int]:
        return one, play.issue(one.kind, where[one.target], where[one.a], where[one.b])

    for part in scheduled.program:
        if isinstance(part, Operation):
            yield issue(part)
            continue
        if isinstance(part, Modulo):
            play.modulo()
            continue
        play.loop(part.window * (1 + bool(part.joint)))
        body = part.body if len(part.body) > 1 else (*part.body, padded)
        for _ in range(part.iterations(lengths)):
            for one in body:
                yield issue(one)


def cycles(scheduled: Scheduled, play: Play, lengths: Mapping[str, int], padded: Operation) -> int:
    """The cycle in which a program halts; as of ``begins``."""
    for _ in begins(scheduled, play, lengths, padded):
        pass
    return play.halt()
