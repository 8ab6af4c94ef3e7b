# SPDX-License-Identifier: Apache-2.0
"""The cycles that no order of a program beats, without one: what a search ranks designs by.

Instructions begin in the program's order and none moves from one block to another, so a block
begins no earlier than the one before has ended. In a block each instruction begins no earlier than
what it reads is there; then all take their turns, one a spacing, and so do products, one an
interval. Where products need each other in turn, a loop takes its ``turn``. What is relaxed is how
all of these go together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from redcore.design import ceil_div
from redcore.units.curve.bounds import latencies_of, turn, unit_of
from redcore.units.curve.formulas import PRODUCTS, Loop, Modulo, Operation, Program
from redcore.units.curve.play import WAITING, Machine


def least_cycles(
    stages: Sequence[Program], machine: Machine, lengths: Mapping[str, int], begin: int = 0
) -> int:
    """The cycle in which programs one behind the other halt, or an earlier one.

    ``lengths`` are the bits of what loops go through, ``begin`` is the first instruction's cycle.
    """
    runs = _Runs(machine, begin)
    for stage in stages:
        block: list[Operation] = []
        for part in stage:
            if isinstance(part, Operation):
                block.append(part)
                continue
            runs.block(block)
            block = []
            if isinstance(part, Modulo):
                runs.modulo()
            else:
                runs.loop(part, part.iterations(lengths))
        runs.block(block)
    return runs.halt()


class _Runs:
    """The earliest cycles so far: of the next instruction, of values, of the next product."""

    def __init__(self, machine: Machine, begin: int) -> None:
        self._machine, self._spacing = machine, machine.sizes.spacing
        # When products are taken is counted in these parts of a cycle, so that all is whole.
        self._interval, self._parts = machine.interval.as_integer_ratio()
        # At first a multiplier takes as many as it has slots, one right behind the other.
        self._ahead = (machine.multiplier.geometry.slots + 1) * self._interval
        # Operands of some more wait for it, and what is behind them is not held back.
        self._queued = self._ahead + WAITING * self._interval
        self._latencies = latencies_of(machine)
        self._next = begin
        self._there: dict[str, int] = {}
        self._taken = begin * self._parts

    def block(self, block: Iterable[Operation], padded: bool = False) -> None:
        """Instructions in whichever order."""
        begins, products = [], []
        for one in block:
            at = max(self._next, self._there.get(one.a, 0), self._there.get(one.b, 0))
            self._there[one.target] = at + self._latencies[unit_of(one)]
            begins.append(at)
            if one.kind in PRODUCTS:
                products.append(at)
        for at in sorted(begins):
            self._next = max(self._next, at) + self._spacing
        if padded:
            self._next += self._spacing
        for at in sorted(products):
            self._taken = max(self._taken, at * self._parts) + self._interval
        self._next = max(self._next, ceil_div(self._taken - self._queued, self._parts))

    def loop(self, loop: Loop, count: int) -> None:
        """Iterations in turn; once they go on as before, as many as are left at once."""
        digit = loop.window * (1 + bool(loop.joint))
        self._next = self._machine.play(self._next).loop(digit) + self._spacing
        around = turn(loop.body, self._machine, self._latencies["add"])
        first = self._next
        seen: dict[tuple[object, ...], tuple[int, int]] = {}
        left = count
        while left:
            state = self._state()
            if state in seen:
                before, then = seen[state]
                rounds, left = divmod(left, before - left)
                self._move(rounds * (self._next - then))
                seen = {}
                if not left:
                    break
            seen[state] = left, self._next
            self.block(loop.body, padded=len(loop.body) == 1)
            left -= 1
        self._next = max(self._next, first + (count - 1) * around)

    def modulo(self) -> None:
        """Goes on once all is there."""
        self._next = self.halt() + self._spacing

    def halt(self) -> int:
        """The cycle in which a program ends here, or an earlier one."""
        taken = ceil_div(self._taken - self._ahead, self._parts)
        answered = taken + self._latencies["mul"]
        return max(chain((self._next, answered), self._there.values()))

    def _state(self) -> tuple[object, ...]:
        """What later cycles depend on, from the next instruction on."""
        ahead = ((name, at - self._next) for name, at in self._there.items() if at > self._next)
        return (max(0, self._taken - self._next * self._parts), *sorted(ahead))

    def _move(self, cycles: int) -> None:
        """Makes all so much later."""
        if self._taken > self._next * self._parts:
            self._taken += cycles * self._parts
        self._there = {
            name: at + cycles if at > self._next else at for name, at in self._there.items()
        }
        self._next += cycles
