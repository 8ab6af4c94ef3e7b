# SPDX-License-Identifier: Apache-2.0
"""Programs of curves on integers: what a modulus leaves them, and those with a wrong value in them,
as a fault makes it on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from redcore.units.curve.formulas import Loop, Operation, Program

Body = tuple[Operation, ...]


def kept_values(p: int, r: int, constants: Mapping[str, int]) -> dict[str, int]:
    """What a modulus leaves, with R and what came behind it."""
    values = {"unit": 1, "zero": 0, "m": p, "one": r % p, "r2": r * r % p}
    for name, one in constants.items():
        values |= {f"{name}_raw": one % p, name: one * r % p}
    return values


def faulty_programs(
    program: Program, changed: Callable[[Loop, Body], Program]
) -> Iterator[tuple[str, Program]]:
    """The program with 1 added behind each of its operations; of a loop with a body that is changed
    so, what ``changed`` makes of both, if anything, takes its place."""

    def turned(one: Operation) -> Operation:
        return Operation("add", one.target, one.target, "unit")

    for at, part in enumerate(program):
        before, after = program[:at], program[at + 1 :]
        if isinstance(part, Operation):
            yield f"{part.target} {at}", (*before, part, turned(part), *after)
        elif isinstance(part, Loop):
            for number, one in enumerate(part.body):
                body = (*part.body[: number + 1], turned(one), *part.body[number + 1 :])
                if loops := changed(part, body):
                    yield f"{one.target} {number} in {part.over}", (*before, *loops, *after)


def once(loop: Loop, body: Body) -> Program:
    """A loop whose middle part, of a number of its own, has another body."""
    return tuple(
        replace(loop, over=f"{loop.over}{k}", body=body if k == 1 else loop.body) for k in range(3)
    )


def once_for_the_scalar(loop: Loop, body: Body) -> Program:
    """The same, of no other loop."""
    return once(loop, body) if loop.over == "scalar" else ()
