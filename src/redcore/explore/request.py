# SPDX-License-Identifier: Apache-2.0
"""What is asked of the tuner, and what it answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from redcore.design import COPIES, Design
from redcore.errors import BadInput
from redcore.explore.objective import METRICS, Constraints, Limit, Objective, pareto
from redcore.explore.points import Figures, Point
from redcore.explore.space import Overrides
from redcore.synthesize.targets import Target

_WHOLE = ("rsa",)
"""Kinds that have a device to themselves where nothing else is said."""


@dataclass(frozen=True)
class TuneRequest:
    """What is wanted.

    ``overrides`` are the values to try of some parameters; ``designs`` replaces the whole space.
    ``modulus`` is one that designs are made for alone, as in ``space``.
    ``max_syntheses`` bounds the designs that the tools are run for, by default ``MOST_SYNTHESES``.
    Without ``place``, as on targets without place and route, the runs measure areas, and a clock
    that the tools cannot estimate is the model's. ``jobs``, ``scheduler`` and
    ``seed`` are as in ``explore``. ``copies``: where throughput alone counts and a resource is
    limited, as many whole cores as there is room for. Raises BadInput for limits that mean nothing
    on the target.
    """

    width: int
    target: Target
    kind: str = "mul"
    families: Sequence[str] | None = None
    objective: Objective = field(default_factory=lambda: Objective.parse("throughput"))
    constraints: Constraints = field(default_factory=Constraints)
    overrides: Overrides | None = None
    designs: Sequence[Design] | None = None
    max_syntheses: int | None = None
    place: bool = True
    seed: int = 1
    jobs: int | None = None
    scheduler: str | None = None
    copies: bool = False
    modulus: int | None = None

    @property
    def fills(self) -> bool:
        """Whether to search for as many copies as fit: in a limit, or in the whole device.

        A multiplier or an exponentiator is as a rule a part of something, which needs room, too.
        """
        asked = self.constraints
        limited = (asked.max_lut, asked.max_ff, asked.max_dsp, asked.max_bram)
        return (
            self.copies
            and set(self.objective.weights) == {"throughput"}
            and (self.kind in _WHOLE or any(each is not None for each in limited))
            and self.designs is None
            and COPIES.name not in (self.overrides or {})
        )

    def __post_init__(self) -> None:
        if names := self.constraints.meaningless(self.target):
            options = " and ".join(f"--{name.replace('_', '-')}" for name in names)
            raise BadInput(
                f"{self.target.name} is made of gates and has no LUTs, DSP or memory blocks: leave"
                f" out {options} (--objective area looks for the smallest)"
            )


@dataclass(frozen=True)
class Relaxation:
    """What one constraint alone would have to be for something to fit, and what would."""

    limit: Limit
    needed: float
    point: Point

    def text(self) -> str:
        """For people."""
        sign = "at most" if self.limit.least else "at least"
        how = "" if self.point.measured else " (by the model)"
        return (
            f"with {self.limit.option} {sign} {self.needed:,.0f} {self.limit.unit} instead of "
            f"{self.limit.value:,g}, {self.point.design.short()} would fit{how}"
        )

    def to_json(self) -> dict[str, Any]:
        """The constraint, its value as asked and as needed, and the point that would fit."""
        return {
            "constraint": self.limit.metric,
            "option": self.limit.option,
            "asked": self.limit.value,
            "needed": self.needed,
            "measured": self.point.measured is not None,
            "design": self.point.design.command_line(),
        }


@dataclass(frozen=True)
class TuneResult:
    """What was found and how.

    ``confirmed``: by the model's error bars no other design of the space can be better by more than
    ``TOLERANCE``; ``headroom`` is by how much the most promising one could be, as a part. Where
    nothing fits, ``chosen`` is None, ``binding`` the constraints that each alone stand in the way,
    and ``nearest`` the design that misses by least.
    """

    request: TuneRequest
    chosen: Point | None
    points: tuple[Point, ...]
    expected: tuple[Point, ...]
    """The most promising designs that were not measured, by the model."""
    space: dict[str, int]
    basis: dict[str, str]
    """Each family's model, in a few words."""
    explanations: tuple[str, ...]
    syntheses_run: int
    seconds: float
    confirmed: bool = False
    headroom: float | None = None
    binding: tuple[Relaxation, ...] = ()
    nearest: Point | None = None
    spent: bool = False
    """``max_syntheses`` were run before it was clear whether anything fits."""
    stopped: bool = False
    clockless: bool = False
    """No design has the clock that was asked about."""
    nearest_figures: Figures | None = None
    """Of ``nearest``: measured, or expected where nothing was run."""

    @property
    def pareto(self) -> list[Point]:
        """Of the measured points, on throughput and area; on area alone without a clock."""
        clocked = any(point.measured and point.measured.fmax_mhz for point in self.points)
        return pareto(self.points, ("throughput", "area") if clocked else ("area",))

    @cached_property
    def failure(self) -> str | None:
        """Why there is no answer, in one sentence; None where there is."""
        if self.chosen:
            return None
        if self.stopped:
            return "stopped before anything that fits was found"
        if self.spent:
            return self.explanations[-1]
        if self.clockless:
            way = "leave --no-pnr out, or " if self.request.target.places else ""
            return (
                f"no design has a clock on {self.request.target.name}, which the objective or"
                f" --min-freq needs; {way}take --objective area without --min-freq"
            )
        if self.binding:
            return "nothing fits: " + "; ".join(each.text() for each in self.binding)
        if self.nearest is None:
            return "nothing fits, and no design could be measured"
        return f"nothing fits, whichever single constraint is dropped; {self._nearest_text()}"

    def _nearest_text(self) -> str:
        point, found = self.nearest, self.nearest_figures
        assert point is not None and found is not None
        how = "" if point.measured else " (by the model)"
        clock = f" at {found.fmax_mhz:.1f} MHz" if found.fmax_mhz else ""
        return (
            f"nearest is {point.design.short()}: {found.lut_in_all:,} LUTs, "
            f"{found.ff:,} flip-flops,"
            f" {found.dsp} DSP and {found.bram} memory blocks{clock}{how}"
        )

    def to_json(self) -> dict[str, Any]:
        """As ``redcore tune --json`` prints it."""
        request = self.request
        return {
            "kind": request.kind,
            "width": request.width,
            "target": request.target.name,
            "families": list(self.space),
            "objective": request.objective.text,
            "constraints": request.constraints.to_json(),
            "limits": [
                {"constraint": each.metric, "value": each.value, "device": each.device}
                for each in request.constraints.limits(request.target)
            ],
            "model": {"space": self.space, "basis": self.basis},
            "candidates": [point.to_json() for point in (*self.points, *self.expected)],
            "chosen": self.chosen and self.chosen.to_json(),
            "confirmed": self.confirmed,
            "headroom": self.headroom,
            "binding": [each.to_json() for each in self.binding],
            "spent": self.spent,
            "nearest": self.nearest and self.nearest.to_json(),
            "failure": self.failure,
            "explanations": list(self.explanations),
            "syntheses_run": self.syntheses_run,
            "pareto": [point.to_json() for point in self.pareto],
            "seconds": round(self.seconds, 1),
            "stopped": self.stopped,
        }


def nearest_of(
    said: Sequence[tuple[Figures, Point]], limits: Sequence[Limit], target: Target
) -> Point | None:
    """Of points with their figures the one that breaks its worst constraint by least."""

    def worst(each: tuple[Figures, Point]) -> float:
        return max((limit.excess(each[0], target) for limit in limits), default=0.0)

    return min(said, key=worst)[1] if said else None


def relaxations(
    said: Sequence[tuple[Figures, Point]], limits: Sequence[Limit], target: Target
) -> tuple[Relaxation, ...]:
    """For each constraint: with all others kept, the least it would have to give way.

    Empty where no single one helps. Of points that miss by the same the first is named.
    """
    found = []
    for limit in limits:
        others = [each for each in limits if each is not limit]
        kept = [
            (limit.excess(what, target), place, value_of(limit, what, target), point)
            for place, (what, point) in enumerate(said)
            if not any(other.excess(what, target) > 0 for other in others)
        ]
        if kept:
            excess, _, value, point = min(kept, key=lambda each: each[:2])
            if math.isfinite(excess) or not limit.value:
                needed = math.floor(value) if limit.least else math.ceil(value)
                found.append(Relaxation(limit, needed, point))
    return tuple(found)


def value_of(limit: Limit, found: Figures, target: Target) -> float:
    """The figure that a limit is about; 0 where there is none."""
    return float(METRICS[limit.metric](found, target) or 0.0)
