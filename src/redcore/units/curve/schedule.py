# SPDX-License-Identifier: Apache-2.0
"""From formulas to a program for its multipliers: an order, a place for every value, the cycles.

The hardware begins instructions in the program's order, each when its operands are there, so a
schedule is an order. It is found by list scheduling on the play of the hardware with exactly that
multiplier (``redcore.units.curve.play``), and that of loops is then improved by moving
instructions, as iterations overlap.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from redcore.design import Design, Pace
from redcore.units.copies import copies_of
from redcore.units.curve.formulas import PRODUCTS, Loop, Modulo, Operation, Part, Program, unknown
from redcore.units.curve.play import Play, Sizes, pace_of

Place = tuple[int, int]
"""Bank (0 the adder's, 1 the multiplier's) and number."""

_MOVES = 300
_PLAYED = 7
_SETTLED = 3
"""Iterations of a loop that are played to compare orders, and those before they count."""
_AHEAD = (1 << 20, 96, 48)
"""How far ahead instructions begin, tried in turn."""
_MEANT = 3
"""The last places of bank 0: what is behind a loop's only operation, exponent, result."""


@dataclass(frozen=True)
class Bound:
    """What no order of a loop beats, in cycles of an iteration.

    ``products`` by their interval, ``reads`` of words, ``path``: the longest way around. ``turn``:
    where each product needs all those of the iteration before, all products one behind the other
    and the shortest way from the last one to the next iteration's first; 0 elsewhere.
    """

    products: Fraction
    reads: int
    path: int
    turn: int

    @property
    def cycles(self) -> Fraction:
        """The largest of them."""
        return max(self.products, *map(Fraction, (self.reads, self.path, self.turn)))


@dataclass(frozen=True)
class LoopReport:
    """A loop of a scheduled program: iterations, cycles of one in steady state, its bound."""

    over: str
    iterations: int
    cycles: Fraction
    bound: Bound
    window: int = 0
    """Bits of a number in an iteration, 0 of one that goes from bit to bit."""

    @property
    def busy(self) -> float:
        """The share of the multiplier's intervals that is used, 0 to 1."""
        return float(self.bound.products / self.cycles)


@dataclass(frozen=True)
class Scheduled:
    """A program in its order, with its places."""

    program: Program
    places: Mapping[str, Place]
    loops: tuple[LoopReport, ...]


class Machine:
    """The multipliers, behind one face, and the processor around them."""

    def __init__(self, multiplier: Design, sizes: Sizes) -> None:
        self.multiplier = multiplier
        self.sizes = sizes

    def play(self, begin: int = 0, pace: Pace | None = None) -> Play:
        """A fresh play from a cycle on; on a fresh pace of the multiplier, if none is given."""
        beats = self.multiplier.geometry.beats
        return Play(self.sizes, beats, pace or pace_of(self.multiplier), begin)


# ----------------------------------------------------------------------------------------------
# Names: a value has one writer, but for those that a loop carries.
# ----------------------------------------------------------------------------------------------


def _reads(one: Operation) -> tuple[str, ...]:
    return (one.a, one.b)


def _carried(body: Iterable[Operation]) -> set[str]:
    """What an iteration reads of the one before, or of what stands before the loop."""
    written: set[str] = set()
    found: set[str] = set()
    for one in body:
        found |= set(_reads(one)) - written
        written.add(one.target)
    return found & written


def single_writers(program: Sequence[Part]) -> Program:
    """The same program where each assignment has a name of its own.

    What a loop carries keeps the name that it has before the loop; it is the last assignment of
    that name in the body, behind which none of the old value is read.
    """
    current: dict[str, str] = {}
    counts: dict[str, int] = defaultdict(int)

    def written(name: str) -> str:
        counts[name] += 1
        # What goes out has its place by its name.
        return name if counts[name] == 1 or name[0].isupper() else f"{name}.{counts[name]}"

    def renamed(one: Operation, target: str | None = None) -> Operation:
        a, b = current.get(one.a, one.a), current.get(one.b, one.b)
        current[one.target] = target or written(one.target)
        return replace(one, target=current[one.target], a=a, b=b)

    found: list[Part] = []
    for part in program:
        if isinstance(part, Operation):
            found.append(renamed(part))
            continue
        if isinstance(part, Modulo):
            found.append(part)
            continue
        before = {name: current[name] for name in _carried(part.body) if name in current}
        last = {one.target: number for number, one in enumerate(part.body)}
        body = []
        for number, one in enumerate(part.body):
            carried = one.target in before and last[one.target] == number
            body.append(renamed(one, before[one.target] if carried else None))
        found.append(replace(part, body=tuple(body)))
    return tuple(found)


def _after(block: Sequence[Operation], fixed: Mapping[str, Place]) -> list[set[int]]:
    """For each operation what has to begin before: writers, and readers of what it overwrites.

    Names with the same fixed place are one value after the other.
    """
    found: list[set[int]] = []
    writer: dict[str | Place, int] = {}
    readers: dict[str | Place, set[int]] = defaultdict(set)
    for number, one in enumerate(block):
        target, *read = (fixed.get(name, name) for name in (one.target, *_reads(one)))
        before = {writer[name] for name in (target, *read) if name in writer}
        before |= readers[target] - {number}
        for name in read:
            readers[name].add(number)
        writer[target] = number
        found.append(before)
    return found


# ----------------------------------------------------------------------------------------------
# Orders.
# ----------------------------------------------------------------------------------------------


def _unit(one: Operation) -> str:
    return "mul" if one.kind in PRODUCTS else "add"


def _latencies(machine: Machine) -> dict[str, int]:
    """From the beginning of an operation to that of what reads it, nothing else under way."""
    found = {}
    for kind in ("mul", "add"):
        play = machine.play()
        begun = play.issue(kind, "p", "a", "b")
        found[kind] = play.earliest("add", "p") - begun
    return found


def _heights(block: Sequence[Operation], latencies: Mapping[str, int]) -> list[int]:
    """The longest way from each operation to the end of the block."""
    height = [0] * len(block)
    readers: dict[str, list[int]] = defaultdict(list)
    for number in reversed(range(len(block))):
        one = block[number]
        later = readers.pop(one.target, [])
        height[number] = latencies[_unit(one)] + max(
            (height[other] for other in later), default=0
        )
        for name in _reads(one):
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
        at = {n: play.earliest(block[n].kind, block[n].target, *_reads(block[n])) for n in ready}
        limit = min(at.values()) + near
        chosen = min(
            (n for n in ready if at[n] <= limit), key=lambda n: (at[n] - heights[n], at[n], n)
        )
        one = block[chosen]
        play.issue(one.kind, one.target, one.a, one.b)
        order.append(chosen)
        left.discard(chosen)
    return order


def _steady(block: Iterable[Operation], machine: Machine) -> Fraction:
    """Cycles of an iteration, once some have gone by."""
    play = machine.play()
    body = [(one.kind, one.target, one.a, one.b) for one in block]
    ends = []
    for _ in range(_PLAYED):
        for one in body:
            at = play.issue(*one)
        ends.append(at)
    return Fraction(ends[-1] - ends[_SETTLED - 1], _PLAYED - _SETTLED)


def _improved(
    block: Sequence[Operation], order: list[int], machine: Machine, before: Sequence[set[int]]
) -> list[int]:
    """Moves single instructions as long as iterations get no slower; the same for a same seed."""
    chance = random.Random(1)

    def cost(one: Sequence[int]) -> Fraction:
        return _steady((block[number] for number in one), machine)

    best = cost(order)
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
        if (now := cost(tried)) <= best:
            order, best = tried, now
    return order


def loop_bound(block: Sequence[Operation], machine: Machine) -> Bound:
    """What an iteration takes at least, however many go before and after it."""
    latencies = _latencies(machine)
    at: dict[str, int] = {}
    ends = []
    rounds = 2 * len(block)
    for _ in range(rounds):
        for one in block:
            ready = max(at.get(name, 0) for name in _reads(one))
            at[one.target] = ready + latencies[_unit(one)]
        ends.append(max(at.values()))
    products = sum(one.kind in PRODUCTS for one in block)
    half = rounds // 2
    return Bound(
        products * machine.multiplier.geometry.interval_cycles,
        len(block) * machine.sizes.spacing,
        -(-(ends[-1] - ends[half - 1]) // (rounds - half)),
        _turn(block, machine, latencies["add"]),
    )


def gantt(loop: Loop, machine: Machine, columns: int = 64) -> list[str]:
    """An iteration in steady state as lines of text: when each operation begins, and its result's
    way to what reads it; ``#`` the multiplier, ``=`` the adder."""
    play = machine.play()
    rows: list[tuple[int, int, Operation]] = []
    for _ in range(_PLAYED):
        rows = [
            (play.issue(one.kind, one.target, one.a, one.b), play.there(one.target), one)
            for one in loop.body
        ]
    first, end = rows[0][0], max(there for _, there, _ in rows)
    lines = []
    for begun, there, one in rows:
        low, high = ((at - first) * columns // (end - first) for at in (begun, there))
        mark = "#" if one.kind in PRODUCTS else "="
        signs = {"add": "+", "sub": "-", "mul": "*", "choose": "or", "square": "or",
                 "pick": "or"}  # fmt: skip
        text = f"{one.target} = {one.a} {signs[one.kind]} {one.b}"
        lines.append(f"{begun - first:5} {text:20}{' ' * low}{mark * max(1, high - low)}")
    return lines


def _turn(block: Sequence[Operation], machine: Machine, sum_latency: int) -> int:
    """``Bound.turn``."""
    # Of each value, the way from each product of the iteration before: sums alone, in cycles.
    ways: dict[str, dict[int, int]] = {}
    needs: dict[str, set[int]] = {}
    shortest: list[int] = []
    for iteration in range(2):
        for number, one in enumerate(block):
            sources = [ways.get(name, {}) for name in _reads(one)]
            before: dict[int, int] = {}
            for source in sources:
                for product, way in source.items():
                    before[product] = max(way, before.get(product, 0))
            needed = set().union(*(needs.get(name, set()) for name in _reads(one)))
            if one.kind not in PRODUCTS:
                ways[one.target] = {product: way + sum_latency for product, way in before.items()}
                needs[one.target] = needed
            elif iteration:
                if len(needed) < sum(each.kind in PRODUCTS for each in block):
                    return 0
                # From a product that is no operand itself the way leads through others.
                shortest += [before[product] for product in before if product >= 0]
                ways[one.target], needs[one.target] = {}, needed
            else:
                ways[one.target], needs[one.target] = {number: 0}, needed | {number}
    if not shortest:
        return 0
    play, products = machine.play(), sum(one.kind in PRODUCTS for one in block)
    known = 0
    for number in range(products):
        play.issue("mul", number, "a", "b")
        known = play.there(number)
    return known + min(shortest)


# ----------------------------------------------------------------------------------------------
# Places.
# ----------------------------------------------------------------------------------------------


def _bank(kind: str) -> int:
    return int(kind in PRODUCTS)


class _NoPlaceError(ValueError):
    """More values are alive at once than a bank has places."""


def allocate(
    program: Program, fixed: Mapping[str, Place], kept: int, places: int, apart: bool = True
) -> dict[str, Place]:
    """A place for every value, from ``kept`` on and below ``places``, of those that are not fixed.

    A value keeps its place from its first writer to its last reader, and through every loop that it
    is alive before. What a choice gives never takes the place of what it chooses from, and what a
    digit has picked takes that of something else: written over an entry of the table, its place
    would change, or not, by the digit. Without ``apart`` each pick has a place of its own, which
    does: for attacks that have to succeed. ValueError where a bank has no place left, a value
    writers of two banks or one of another bank than its fixed place, and where a name is read that
    has no value yet.
    """
    born: dict[str, int] = {}
    dies: dict[str, int] = {}
    bank: dict[str, int] = {}
    chosen: set[str] = set()
    picked: set[str] = set()
    loop: dict[str, int] = {}
    at = 0
    for number, part in enumerate(program):
        begin, alive = at, set(born) | set(fixed)
        if isinstance(part, Modulo):
            continue
        for one in (part,) if isinstance(part, Operation) else part.body:
            for name in _reads(one):
                if name not in born and name not in fixed:
                    raise unknown(name, {*born, *fixed})
                dies[name] = at
            if fixed.get(one.target, (_bank(one.kind), 0))[0] != _bank(one.kind):
                raise ValueError(f"{one.target} has its place in the other unit's bank")
            if bank.setdefault(one.target, _bank(one.kind)) != _bank(one.kind):
                raise ValueError(f"{one.target} is a sum and a product; a loop carries it")
            if one.kind in ("choose", "pick"):
                chosen.add(one.target)
            secret = one.kind == "pick" and isinstance(part, Loop) and not part.joint
            if secret or ((read := {*_reads(one)} - {*fixed}) and read <= picked):
                picked.add(one.target)
            born.setdefault(one.target, at)
            loop.setdefault(one.target, number)
            dies[one.target] = max(at, dies.get(one.target, at))
            at += 1
        if isinstance(part, Loop):
            for name in alive:
                if dies.get(name, -1) >= begin:
                    dies[name] = max(dies[name], at - 1)
    if not apart:
        dies |= dict.fromkeys(picked, at)
        picked = set()
    found = dict(fixed)
    ends = {found[name]: dies.get(name, -1) for name in found if found[name][1] >= kept}
    # Of each place the names that it has had, in the order of a loop's iteration.
    had: dict[Place, list[str]] = defaultdict(list)
    for name in sorted(born, key=born.__getitem__):
        if name in found:
            continue
        # A reader's place may be written by what reads it.
        free = [
            place
            for number in range(kept, places - _MEANT * (bank[name] == 0))
            if ends.get(place := (bank[name], number), -1) <= born[name] - (name in chosen)
        ]
        if name in picked:  # where something else of the iteration was
            free.sort(key=lambda place: not had[place] or loop[had[place][-1]] != loop[name])
            free = [place for place in free if not {*had[place][-1:]} & picked]
        else:  # first where something was picked
            free.sort(key=lambda place: not {*had[place][-1:]} & picked)
        if not free:
            raise _NoPlaceError(f"no place is left for {name} in bank {bank[name]}")
        found[name] = free[0]
        ends[free[0]] = dies[name]
        had[free[0]].append(name)
    for place, names in had.items():
        for number in {loop[name] for name in names if name in picked}:
            inside = [name for name in names if loop[name] == number]
            if inside[0] in picked and inside[-1] in picked:
                raise _NoPlaceError(f"{inside[0]} comes to {place} behind {inside[-1]}")
    return found


# ----------------------------------------------------------------------------------------------
# All of it.
# ----------------------------------------------------------------------------------------------


def arrange(
    stages: Sequence[Program],
    machine: Machine,
    lengths: Mapping[str, int],
    fixed: Mapping[str, Place],
    kept: int,
    places: int,
    apart: bool = True,
) -> Scheduled:
    """Programs one after the other in a good order for this machine, and their places.

    Nothing moves from one to another. Where the good order takes more places than there are, what
    is further behind waits, and at last all is done as it is written, which needs the fewest.
    ``lengths`` are the bits of what loops go through, ``fixed`` the places of values that have one,
    ``apart`` and ValueError are as of ``allocate``; a loop through what has no length is one, too.
    """
    for part in (part for stage in stages for part in stage):
        if isinstance(part, Loop) and part.over not in lengths:
            raise unknown(part.over, lengths)
    named = iter(single_writers([part for stage in stages for part in stage]))
    latencies = _latencies(machine)
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

    def scheduled(ahead: int) -> Scheduled:
        ordered: list[Part] = []
        reports = []
        for block in blocks:
            if isinstance(block, Modulo):
                ordered.append(block)
                continue
            body = block if isinstance(block, list) else block.body
            before = _after(body, fixed)
            order = list(range(len(body)))
            if ahead:
                heights = _heights(body, latencies)
                order = _listed(body, machine.play(), heights, before, ahead)
                if isinstance(block, Loop) and copies_of(machine.multiplier) > 1:
                    # The way through the sums counts more where products wait less.
                    near = machine.sizes.spacing
                    other = _listed(body, machine.play(), heights, before, ahead, near)
                    order = min(
                        order, other, key=lambda each: _steady((body[n] for n in each), machine)
                    )
            if isinstance(block, Loop):
                if ahead:
                    order = _improved(body, order, machine, before)
                loop = replace(block, body=tuple(body[number] for number in order))
                ordered.append(loop)
                cycles = _steady(loop.body, machine)
                bound = loop_bound(body, machine)
                count = block.iterations(lengths)
                reports.append(LoopReport(block.over, count, cycles, bound, block.window))
            else:
                ordered += [body[number] for number in order]
        program = tuple(ordered)
        return Scheduled(program, allocate(program, fixed, kept, places, apart), tuple(reports))

    for ahead in _AHEAD:
        with suppress(_NoPlaceError):
            return scheduled(ahead)
    return scheduled(ahead=0)


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


def cycles(
    scheduled: Scheduled, play: Play, lengths: Mapping[str, int], padded: Operation
) -> int:
    """The cycle in which a program halts; as of ``begins``."""
    for _ in begins(scheduled, play, lengths, padded):
        pass
    return play.halt()
