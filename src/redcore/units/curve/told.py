# SPDX-License-Identifier: Apache-2.0
"""What a scheduled program says of itself: its loops, their bounds, an iteration as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from redcore.design import plain
from redcore.units.curve.formulas import Loop
from redcore.units.curve.schedule import LoopReport, Machine, Scheduled, gantt


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


def loop_keys(program: Scheduled, machine: Machine) -> Iterator[dict[str, Any]]:
    """Each loop of a program in its order: what it goes through, how often, and an iteration."""
    loops = [part for part in program.program if isinstance(part, Loop)]
    for loop, report in zip(loops, program.loops, strict=True):
        yield {
            "loop": report.over,
            "iterations": report.iterations,
            "bits": report.window or 1,
            **bound_keys(report),
            "gantt": gantt(loop, machine),
        }
