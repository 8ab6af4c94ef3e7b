# SPDX-License-Identifier: Apache-2.0
"""Values of a program: a name of its own for each assignment, and a place in the banks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from redcore.units.curve.formulas import PRODUCTS, Loop, Modulo, Operation, Part, Program, unknown

Place = tuple[int, int]
"""Bank (0 the adder's, 1 the multiplier's) and number."""

_MEANT = 3
"""The last places of bank 0: what is behind a loop's only operation, exponent, result."""


def reads(one: Operation) -> tuple[str, ...]:
    return (one.a, one.b)


def _carried(body: Iterable[Operation]) -> set[str]:
    """What an iteration reads of the one before, or of what stands before the loop."""
    written: set[str] = set()
    found: set[str] = set()
    for one in body:
        found |= set(reads(one)) - written
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


def after(block: Sequence[Operation], fixed: Mapping[str, Place]) -> list[set[int]]:
    """For each operation what has to begin before: writers, and readers of what it overwrites.

    Names with the same fixed place are one value after the other.
    """
    found: list[set[int]] = []
    writer: dict[str | Place, int] = {}
    readers: dict[str | Place, set[int]] = defaultdict(set)
    for number, one in enumerate(block):
        target, *read = (fixed.get(name, name) for name in (one.target, *reads(one)))
        before = {writer[name] for name in (target, *read) if name in writer}
        before |= readers[target] - {number}
        for name in read:
            readers[name].add(number)
        writer[target] = number
        found.append(before)
    return found


def _bank(kind: str) -> int:
    return int(kind in PRODUCTS)


class NoPlaceError(ValueError):
    """More values are alive at once than a bank has places."""


def allocate(
    program: Program,
    fixed: Mapping[str, Place],
    kept: int,
    places: int,
    apart: bool = True,
    careful: bool = False,
) -> dict[str, Place]:
    """A place for every value, from ``kept`` on and below ``places``, of those that are not fixed.

    A value keeps its place from its first writer to its last reader, and through every loop that it
    is alive before. What a choice gives never takes the place of what it chooses from, and what a
    digit has picked takes that of something else: written over an entry of the table, its place
    would change, or not, by the digit. Without ``apart`` each pick has a place of its own, which
    does: for attacks that have to succeed. ``careful``: picks go, where they can, to places that
    have something else first in an iteration, so that fewer programs have none. ValueError where a
    bank has no place left, a value writers of two banks or one of another bank than its fixed
    place, and where a name is read that has no value yet.
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
            for name in reads(one):
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
            if secret or ((read := {*reads(one)} - {*fixed}) and read <= picked):
                picked.add(one.target)
            born.setdefault(one.target, at)
            loop.setdefault(one.target, number)
            dies[one.target] = max(at, dies.get(one.target, at))
            at += 1
        if isinstance(part, Loop):
            # Its turn, behind the last operation: the next iteration reads them again.
            at += 1
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
        if careful:
            first = {place: next((one for one in had[place] if loop[one] == loop[name]), None)
                     for place in free}  # fmt: skip
            if name in picked:
                free.sort(key=lambda place: first[place] is None or first[place] in picked)
            else:  # first where a pick would be first and last
                free.sort(key=lambda place: not {first[place], *had[place][-1:]} <= picked)
        if not free:
            raise NoPlaceError(f"no place is left for {name} in bank {bank[name]}")
        found[name] = free[0]
        ends[free[0]] = dies[name]
        had[free[0]].append(name)
    for place, names in had.items():
        for number in {loop[name] for name in names if name in picked}:
            inside = [name for name in names if loop[name] == number]
            if inside[0] in picked and inside[-1] in picked:
                raise NoPlaceError(f"{inside[0]} comes to {place} behind {inside[-1]}")
    return found


def overwritten(
    program: Program, found: Mapping[str, Place], fixed: Mapping[str, Place]
) -> Iterator[str]:
    """Values that are read where another one is by then; none in what :func:`allocate` gives.

    Goes through the program in the order of its operations, through each loop twice, and knows of
    no lifetimes.
    """
    holds: dict[Place, str] = {}
    for part in program:
        if isinstance(part, Modulo):
            continue
        for one in (part,) if isinstance(part, Operation) else 2 * tuple(part.body):
            for name in reads(one):
                there = holds.get(found[name], name)  # nobody's: it comes with the job
                if there != name and fixed.get(there, there) != fixed.get(name, name):
                    yield name
            holds[found[one.target]] = one.target
