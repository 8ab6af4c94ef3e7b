# SPDX-License-Identifier: Apache-2.0
"""Orders of loops of curve programs: ``python -m redcore.generate.orders`` searches for them.

A loop that ``redcore.units.curve.schedule`` leaves more than 5 % above its bound is searched for
longer here, and ``orders.json`` has the order that was found. Loops that are there already stay as
they are; ``--again`` searches for them, too, from their orders on. A loop takes up to some minutes,
all of them about an hour.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import frexp
from pathlib import Path
from random import Random
from typing import Any

from redcore.catalogue import family, multipliers
from redcore.design import Design, Value, plain
from redcore.generate import generated
from redcore.units.curve.bounds import LoopReport
from redcore.units.curve.curves import CURVES
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.formulas import Loop, Part
from redcore.units.curve.orders import FILE, entries, key_of
from redcore.units.curve.parameters import FORMS
from redcore.units.curve.places import NoPlaceError, after, allocate, single_writers
from redcore.units.curve.play import Machine
from redcore.units.curve.programmed import Written
from redcore.units.curve.schedule import arrange, steady

_MOVES = 50_000
_SEEDS = (1, 2, 3)
_LOST = 4
"""Cycles that a move may lose at first, twice as many half as often, and so on; none at last."""
_CLOSE = 8
"""How far most instructions are moved at most."""
_OFTEN = 0.5

Order = list[int]


def designs() -> Iterator[Design]:
    """The named curves on each multiplier that takes their primes, by default, on several
    multipliers, with signatures to verify, and where a point's order is asked for; Kummer surfaces
    of 128 bits as they are recorded."""
    for name in multipliers("curve"):
        multiplier = family(name)
        for one in CURVES.values():
            own = multiplier.settings_for(one.width, one.prime)
            if multiplier.one_modulus and not own:
                continue
            more: list[dict[str, Value]] = [{}]
            if one.signing and not multiplier.one_modulus:
                more.append({"task": "verify", **one.signing})
            if "full_order" in FORMS[str(one.settings["form"])].takes:
                more.append({"full_order": 1})
            if name == "cios":
                more += [{"multipliers": 2}, {"multipliers": 4}]
            for each in more:
                yield family(f"curve-{name}").design(one.width, {**one.settings, **own, **each})
    surface: dict[str, Value] = {"form": "kummer", "scalar_bits": 256}
    shapes: tuple[dict[str, Value], ...] = (
        {"sigma": 4}, {"sigma": 3}, {"sigma": 3, "version": "small"},
        {"sigma": 3, "multipliers": 2}, {"sigma": 3, "multipliers": 4},
        {"sigma": 3, "version": "small", "multipliers": 2},
    )  # fmt: skip
    for shape in shapes:
        yield family("curve-cios").design(128, surface | shape)


def searched(
    start: Order,
    before: Sequence[set[int]],
    cost: Callable[[Order], Fraction],
    fits: Callable[[Order], bool],
    least: Fraction,
    seed: int,
) -> Order:
    """The best order that ``fits`` of those that moves of single instructions lead to.

    A move may lose some cycles, fewer and fewer, so that the search leaves where no move gains.
    """
    chance = Random(seed).random
    count = len(start)
    behind: list[list[int]] = [[] for _ in start]
    for one, those in enumerate(before):
        for other in those:
            behind[other].append(one)
    order, found = start, start
    now = best = cost(start)
    place = {one: at for at, one in enumerate(order)}
    for number in range(_MOVES):
        old = int(chance() * count)
        moved = order[old]
        low = max((place[one] + 1 for one in before[moved]), default=0)
        high = min((place[one] - 1 for one in behind[moved]), default=count - 1)
        if chance() < _OFTEN:
            low, high = max(low, old - _CLOSE), min(high, old + _CLOSE)
        if low >= high:
            continue
        new = low + int(chance() * (high - low))
        new += new >= old
        tried = order[:old] + order[old + 1 :]
        tried.insert(new, moved)
        # No logarithm, which is not the same everywhere.
        lost = _LOST * (1 - number / _MOVES) * -frexp(chance())[1]
        if (then := cost(tried)) - now > lost:
            continue
        order, now = tried, then
        for at in range(min(old, new), max(old, new) + 1):
            place[order[at]] = at
        if now < best and fits(order):
            found, best = order, now
            if best <= least:
                break
    return found


class _Loop:
    """A loop of a program, and the program around it."""

    def __init__(self, written: Written, machine: Machine, parts: list[Part], number: int) -> None:
        self._text, self._fixed, self._machine = written.text, written.fixed, machine
        self._parts, self._number = parts, number
        named = single_writers([part for stage in written.main for part in stage])
        loops = [part for part in named if isinstance(part, Loop)]
        at = sum(isinstance(part, Loop) for part in parts[:number])
        self.body = loops[at].body
        self.before = after(self.body, written.fixed)
        self.key = key_of(self.body, self.before, machine)
        numbers = {one: at for at, one in enumerate(self.body)}
        self.order = [numbers[one] for one in self._loop.body]

    @property
    def _loop(self) -> Loop:
        loop = self._parts[self._number]
        assert isinstance(loop, Loop)
        return loop

    def take(self, order: Order) -> None:
        """From now on the program has that one."""
        body = tuple(self.body[one] for one in order)
        self._parts[self._number] = replace(self._loop, body=body)

    def fits(self, order: Order) -> bool:
        """Whether the program has places for all values with it."""
        before = self._parts[self._number]
        self.take(order)
        try:
            text = self._text
            allocate(
                tuple(self._parts), self._fixed, text.kept_places, text.places, careful=True
            )
        except NoPlaceError:
            return False
        finally:
            self._parts[self._number] = before
        return True

    def cost(self, order: Order) -> Fraction:
        """Cycles of an iteration."""
        return steady((self.body[one] for one in order), self._machine)


def far_loops(design: Design) -> Iterator[tuple[_Loop, LoopReport]]:
    """The loops of a design that are far above their bounds without the file's orders."""
    unit = design.family
    assert isinstance(unit, CurveUnit)
    written = unit.written(design.width, design.values)
    machine = Machine(unit.multiplier_design(design.width, design.values), written.sizes)
    text = written.text
    found = arrange(
        written.main, machine, written.lengths, written.fixed, text.kept_places, text.places,
        orders={},
    )  # fmt: skip
    parts = list(found.program)
    numbers = [number for number, part in enumerate(parts) if isinstance(part, Loop)]
    for number, report in zip(numbers, found.loops, strict=True):
        if report.far:
            yield _Loop(written, machine, parts, number), report


def contents(again: bool = False) -> dict[Path, str]:
    """The file, with the loops that it has and with those that were searched for."""
    known = {one["key"]: one for one in entries()}
    found: dict[str, dict[str, Any]] = {}
    for design in designs():
        for loop, report in far_loops(design):
            entry = found.get(loop.key) or known.get(loop.key)
            if entry and (loop.key in found or not again):
                loop.take(entry["order"])
                found[loop.key] = entry
                continue
            start = entry["order"] if entry else loop.order
            least = report.bound.cycles
            tried = [
                searched(start, loop.before, loop.cost, loop.fits, least, seed) for seed in _SEEDS
            ]
            order = min(tried, key=loop.cost)
            cycles = loop.cost(order)
            said = f"{design.short()} {design.width}: {report.over}"
            print(
                f"{said}: {plain(report.cycles)} to {plain(cycles)}, bound {plain(least)}",
                file=sys.stderr,
            )
            loop.take(order)
            found[loop.key] = {
                "key": loop.key, "design": design.command_line(), "over": report.over,
                "listed": plain(report.cycles), "cycles": plain(cycles), "order": order,
            }  # fmt: skip
    lines = ",\n".join(json.dumps(one) for one in found.values())
    return {FILE: f'{{"loops": [\n{lines}\n]}}\n'}


if __name__ == "__main__":
    generated.write(contents("--again" in sys.argv[1:]))
