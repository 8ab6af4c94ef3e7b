# SPDX-License-Identifier: Apache-2.0
"""What no order of a loop beats, and what a scheduled program says of itself beside that: its
loops, an iteration as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from redcore.design import plain
from redcore.units.curve.formulas import PRODUCTS, Loop, Operation, Program
from redcore.units.curve.play import Machine

PLAYED = 7
"""Iterations of a loop that are played, until it is in steady state."""
_FAR = Fraction(105, 100)


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
    def far(self) -> bool:
        """Whether that is more than 5 % above the bound."""
        return self.cycles > _FAR * self.bound.cycles

    @property
    def busy(self) -> float:
        """The share of the multiplier's intervals that is used, 0 to 1."""
        return float(self.bound.products / self.cycles)


def unit_of(one: Operation) -> str:
    return "mul" if one.kind in PRODUCTS else "add"


def latencies_of(machine: Machine) -> dict[str, int]:
    """From the beginning of an operation to that of what reads it, nothing else under way."""
    found = {}
    for kind in ("mul", "add"):
        play = machine.play()
        begun = play.issue(kind, "p", "a", "b")
        found[kind] = play.earliest("add", "p") - begun
    return found


def loop_bound(block: Sequence[Operation], machine: Machine) -> Bound:
    """What an iteration takes at least, however many go before and after it."""
    latencies = latencies_of(machine)
    at: dict[str, int] = {}
    ends = []
    rounds = 2 * len(block)
    for _ in range(rounds):
        for one in block:
            ready = max(at.get(name, 0) for name in (one.a, one.b))
            at[one.target] = ready + latencies[unit_of(one)]
        ends.append(max(at.values()))
    products = sum(one.kind in PRODUCTS for one in block)
    half = rounds // 2
    return Bound(
        products * machine.interval,
        len(block) * machine.sizes.spacing,
        -(-(ends[-1] - ends[half - 1]) // (rounds - half)),
        turn(block, machine, latencies["add"]),
    )


def turn(block: Sequence[Operation], machine: Machine, sum_latency: int) -> int:
    """``Bound.turn``."""
    sums = _sums_around(tuple(block))
    if sums is None:
        return 0
    play, products = machine.play(), sum(one.kind in PRODUCTS for one in block)
    known = 0
    for number in range(products):
        play.issue("mul", number, "a", "b")
        known = play.there(number)
    return known + sums * sum_latency


@lru_cache(maxsize=1024)
def _sums_around(block: tuple[Operation, ...]) -> int | None:
    """Sums on the shortest way from a product to one of the next iteration; None unless each of
    these needs all products before."""
    # Of each value, the way from each product of the iteration before: sums alone.
    ways: dict[str, dict[int, int]] = {}
    needs: dict[str, set[int]] = {}
    shortest: list[int] = []
    products = sum(each.kind in PRODUCTS for each in block)
    for iteration in range(2):
        for number, one in enumerate(block):
            sources = [ways.get(name, {}) for name in (one.a, one.b)]
            before: dict[int, int] = {}
            for source in sources:
                for product, way in source.items():
                    before[product] = max(way, before.get(product, 0))
            needed = set().union(*(needs.get(name, set()) for name in (one.a, one.b)))
            if one.kind not in PRODUCTS:
                ways[one.target] = {product: way + 1 for product, way in before.items()}
                needs[one.target] = needed
            elif iteration:
                if len(needed) < products:
                    return None
                # From a product that is no operand itself the way leads through others.
                shortest += [before[product] for product in before if product >= 0]
                ways[one.target], needs[one.target] = {}, needed
            else:
                ways[one.target], needs[one.target] = {number: 0}, needed | {number}
    return min(shortest, default=None)


def bound_keys(loop: LoopReport) -> dict[str, Any]:
    """A loop's cycles beside what no order beats; and beside two of these bounds, the products and
    the longest way, which are those of any schedule."""
    bound = loop.bound
    two = max(bound.products, Fraction(bound.path))
    return {
        "cycles": plain(loop.cycles),
        "products": plain(bound.products),
        "reads": bound.reads,
        "path": bound.path,
        "turn": bound.turn,
        "bound": plain(bound.cycles),
        "above_percent": round(100 * float(loop.cycles / bound.cycles - 1), 1),
        "above_two_percent": round(100 * float(loop.cycles / two - 1), 1),
        "busy_percent": round(100 * loop.busy, 1),
    }


def iteration(loop: Loop, machine: Machine) -> list[tuple[int, int, Operation]]:
    """An iteration in steady state: of each operation the cycle in which it begins, counted from
    the first one, and that in which what reads its result may begin."""
    play = machine.play()
    rows: list[tuple[int, int, Operation]] = []
    for _ in range(PLAYED):
        rows = [
            (play.issue(one.kind, one.target, one.a, one.b), play.there(one.target), one)
            for one in loop.body
        ]
    first = rows[0][0]
    return [(begun - first, there - first, one) for begun, there, one in rows]


_SIGNS = {"add": "+", "sub": "-", "mul": "*", "choose": "or", "square": "or", "pick": "or"}


def told(one: Operation) -> str:
    """An operation as it is shown."""
    return f"{one.target} = {one.a} {_SIGNS[one.kind]} {one.b}"


def gantt(loop: Loop, machine: Machine, columns: int = 64) -> list[str]:
    """An iteration in steady state as lines of text: when each operation begins, and its result's
    way to what reads it; ``#`` the multiplier, ``=`` the adder."""
    rows = iteration(loop, machine)
    end = max(there for _, there, _ in rows)
    lines = []
    for begun, there, one in rows:
        low, high = (at * columns // end for at in (begun, there))
        mark = "#" if one.kind in PRODUCTS else "="
        lines.append(f"{begun:5} {told(one):20}{' ' * low}{mark * max(1, high - low)}")
    return lines


def loop_keys(
    program: Program, reports: Sequence[LoopReport], machine: Machine
) -> Iterator[dict[str, Any]]:
    """Each loop of a program in its order: what it goes through, how often, and an iteration."""
    loops = [part for part in program if isinstance(part, Loop)]
    for loop, report in zip(loops, reports, strict=True):
        yield {
            "loop": report.over,
            "iterations": report.iterations,
            "bits": report.window or 1,
            **bound_keys(report),
            "operations": [
                {
                    "does": told(one),
                    "unit": "multiplier" if one.kind in PRODUCTS else "adder",
                    "begins": begun,
                    "there": there,
                }
                for begun, there, one in iteration(loop, machine)
            ],
            "gantt": gantt(loop, machine),
        }
