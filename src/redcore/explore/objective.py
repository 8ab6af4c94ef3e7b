# SPDX-License-Identifier: Apache-2.0
"""What "best" means: an objective, constraints, one area for LUTs, DSP blocks and memories.

An objective is a product of powers of throughput, latency and area, so that a mix needs no scales:
``throughput=1,area=0.5`` is throughput / area^0.5, and throughput per area is
``throughput=1,area=1``. Derivation and reasons: docs/tune.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from operator import itemgetter, le
from statistics import median
from typing import Any, TypeVar

from redcore.design import nearest
from redcore.errors import BadInput
from redcore.explore.points import Figures, Point
from redcore.synthesize.targets import Capacity, Target, targets

Kept = TypeVar("Kept")
_SIGN = {"throughput": 1, "latency": -1, "area": -1}
_NAMED: dict[str, dict[str, float]] = {
    "throughput": {"throughput": 1.0},
    "latency": {"latency": 1.0},
    "area": {"area": 1.0},
    "throughput-per-area": {"throughput": 1.0, "area": 1.0},
}
OBJECTIVES = tuple(_NAMED)
_NEXT_TO_NONE = 0.5
"""Stands for a limit of nothing at all where distances are logarithms."""


def default_objective(target: Target) -> str:
    """Throughput, or area where no tool gives a clock."""
    return "throughput" if target.places or target.estimated else "area"


def _held(room: Capacity, resource: str) -> int:
    return int(getattr(room, resource))


@cache
def _typical(resource: str) -> float:
    """LUTs that known devices have for one of a resource, in the middle."""
    rooms = [each.capacity for each in targets().values() if each.capacity]
    return median(room.lut / _held(room, resource) for room in rooms if _held(room, resource))


def _luts_for(resource: str, target: Target) -> float:
    """LUTs that the device has for one of a resource; as others do where it has none."""
    room = target.capacity
    if room is None or not _held(room, resource):
        return _typical(resource)
    return room.lut / _held(room, resource)


def equivalent_area(figures: Figures, target: Target) -> float:
    """One area, in LUTs, so that families with and without DSP blocks can be compared.

    A logic cell holds a LUT and its flip-flops, so logic takes whichever there are more of. A DSP
    or memory block counts as the LUTs that the device has for each of them: using the n-th part of
    a device's blocks costs what the n-th part of its LUTs does. A target that is a family of
    devices takes the median of all known devices. On a target of gates it is the gates.
    """
    if figures.gates is not None:
        return figures.gates
    logic = max(figures.lut_in_all, figures.ff * _luts_for("ff", target))
    dsp = figures.dsp * _luts_for("dsp", target) if figures.dsp else 0.0
    return logic + dsp + (figures.bram * _luts_for("bram", target) if figures.bram else 0.0)


METRICS: dict[str, Callable[[Figures, Target], float | None]] = {
    "throughput": lambda figures, target: figures.ops_per_second,
    "latency": lambda figures, target: figures.time_per_op_ns,
    "area": equivalent_area,
    "lut": lambda figures, target: figures.lut_in_all,
    "ff": lambda figures, target: figures.ff,
    "dsp": lambda figures, target: figures.dsp,
    "bram": lambda figures, target: figures.bram,
    "clock": lambda figures, target: figures.fmax_mhz,
}
"""Figures that may be an axis of a Pareto front. ``lut`` includes the places of carry cells."""
_LARGER_IS_BETTER = {"throughput", "clock"}


@dataclass(frozen=True)
class Objective:
    """What is to be as good as can be: the exponents of throughput, latency and area."""

    text: str
    weights: Mapping[str, float]

    @classmethod
    def parse(cls, text: str) -> Objective:
        """Read a name from OBJECTIVES or a mix such as ``throughput=1,area=0.5``."""
        if text in _NAMED:
            return cls(text, _NAMED[text])
        if "=" not in text:
            raise BadInput(
                f"there is no objective {text!r}; there are {', '.join(OBJECTIVES)}, and mixes such"
                f" as throughput=1,area=0.5{nearest(text, OBJECTIVES)}"
            )
        weights: dict[str, float] = {}
        for part in text.split(","):
            name, _, number = (each.strip() for each in part.partition("="))
            if name not in _SIGN:
                raise BadInput(f"a mix is of throughput, latency and area, not {name!r}")
            try:
                weight = float(number)
            except ValueError:
                weight = math.nan
            if not (math.isfinite(weight) and weight > 0):
                raise BadInput(f"the weight of {name} must be a number above 0, not {number!r}")
            if name in weights:
                raise BadInput(f"{name} has two weights in {text!r}")
            weights[name] = weight
        return cls(text, weights)

    @property
    def needs_clock(self) -> bool:
        """Whether area alone does not decide."""
        return set(self.weights) != {"area"}

    def score(self, figures: Figures, target: Target) -> float | None:
        """The logarithm of what is maximized; None where a figure is missing."""
        total = 0.0
        for name, weight in self.weights.items():
            value = METRICS[name](figures, target)
            if not value:
                return None
            total += _SIGN[name] * weight * math.log(value)
        return total

    def exponents(self) -> tuple[float, float]:
        """How the score moves with the logarithms of clock and area."""
        clock = self.weights.get("throughput", 0.0) + self.weights.get("latency", 0.0)
        return clock, -self.weights.get("area", 0.0)

    def describe(self, figures: Figures, target: Target) -> str:
        """The figures that count for this objective, for people."""
        words = [_WORDS[name](METRICS[name](figures, target)) for name in self.weights]
        if self.text == "throughput-per-area" and figures.ops_per_second:
            rate = 1e3 * figures.ops_per_second / equivalent_area(figures, target)
            words.append(f"{quantity(rate)}/s per 1,000 LUTs")
        told = ", ".join(words)
        return told if figures.gates is None else told.replace("LUTs' area", "gates")


def quantity(value: float) -> str:
    """A number with three digits and M or k."""
    for limit, letter in ((1e6, " M"), (1e3, " k")):
        if value >= limit:
            return f"{value / limit:.3g}{letter}"
    return f"{value:.3g} "


_WORDS: dict[str, Callable[[float | None], str]] = {
    "throughput": lambda value: f"{quantity(value)}op/s" if value else "no clock",
    "latency": lambda value: f"{value:,.0f} ns" if value else "no clock",
    "area": lambda value: f"{value:,.0f} LUTs' area",
}


@dataclass(frozen=True)
class Limit:
    """One constraint: ``metric`` at most (or at least) ``value``."""

    metric: str
    option: str
    unit: str
    value: float
    least: bool = False
    device: bool = False
    """The device's own, not asked for."""

    def excess(self, figures: Figures, target: Target) -> float:
        """How far it is broken, as a logarithm; up to 0 where it is kept."""
        value = METRICS[self.metric](figures, target)
        if value is None or (self.least and value <= 0):
            return math.inf
        if self.least:
            return math.log(self.value / value) if self.value else -math.inf
        if not self.value:  # so that less is nearer, as with any other limit
            return math.log(value / _NEXT_TO_NONE) if value else -math.inf
        return math.log(value / self.value) if value else -math.inf

    def text(self) -> str:
        """The constraint for people."""
        whose = "the device's" if self.device else self.option
        return f"{whose} {self.value:,g} {self.unit}"


@dataclass(frozen=True)
class Constraints:
    """Upper limits of resources and a lower one of the clock; None leaves it to the device.

    ``max_lut`` is of all LUT places, those of carry cells included.
    """

    max_lut: int | None = None
    max_ff: int | None = None
    max_dsp: int | None = None
    max_bram: int | None = None
    min_freq_mhz: float | None = None

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            option = f"--{name.removesuffix('_mhz').replace('_', '-')}"
            if value is not None and not math.isfinite(value):
                raise BadInput(f"{option} must be a finite number, not {value}")
            if value is not None and value < 0:
                raise BadInput(f"{option} must not be below zero, not {value}")

    def meaningless(self, target: Target) -> list[str]:
        """The fields that limit what a target of gates has none of."""
        names = ("max_lut", "max_dsp", "max_bram") if target.library is not None else ()
        return [name for name in names if getattr(self, name) is not None]

    def limits(self, target: Target) -> list[Limit]:
        """All that hold on ``target``: the tighter one of the user's and the device's."""
        found: list[Limit] = []
        for metric, unit in (
            ("lut", "LUTs"),
            ("ff", "flip-flops"),
            ("dsp", "DSP blocks"),
            ("bram", "memory blocks"),
        ):
            asked: int | None = getattr(self, f"max_{metric}")
            room = None if target.capacity is None else _held(target.capacity, metric)
            if asked is not None and (room is None or asked <= room):
                found.append(Limit(metric, f"--max-{metric}", unit, asked))
            elif room is not None:
                found.append(Limit(metric, f"--max-{metric}", unit, room, device=True))
        if self.min_freq_mhz:
            found.append(Limit("clock", "--min-freq", "MHz", self.min_freq_mhz, least=True))
        return found

    def broken(self, figures: Figures, target: Target) -> list[Limit]:
        """Those that figures do not keep."""
        return [each for each in self.limits(target) if each.excess(figures, target) > 0]

    def to_json(self) -> dict[str, Any]:
        """As asked for: null is what was not."""
        return {name.removesuffix("_mhz"): value for name, value in asdict(self).items()}


def check_axes(axes: Sequence[str]) -> None:
    """Raise BadInput for an axis that there is not."""
    for axis in axes:
        if axis not in METRICS:
            raise BadInput(
                f"there is no axis {axis!r}; there are {', '.join(METRICS)}{nearest(axis, METRICS)}"
            )


def undominated(costed: Iterable[tuple[tuple[float, ...], Kept]]) -> list[Kept]:
    """What nothing beats in every cost, in the order of the costs; of equal ones the first."""
    front: list[tuple[tuple[float, ...], Kept]] = []
    # in this order only an earlier one can beat a later one, and with two costs the last kept does
    for costs, each in sorted(costed, key=itemgetter(0)):
        if not any(all(map(le, kept, costs)) for kept, _ in reversed(front)):
            front.append((costs, each))
    return [each for _, each in front]


def pareto(points: Iterable[Point], axes: Sequence[str] = ("throughput", "area")) -> list[Point]:
    """The measured points that no other one beats on every axis, best on the first axis first.

    Of points that are equal on all axes the first is kept.
    """
    check_axes(axes)
    costed: list[tuple[tuple[float, ...], Point]] = []
    for point in points:
        if not point.good or point.measured is None:
            continue
        values = [METRICS[axis](point.measured, point.target) for axis in axes]
        if any(value is None for value in values):
            continue
        costs = tuple(
            -value if axis in _LARGER_IS_BETTER else value
            for axis, value in zip(axes, values, strict=True)
            if value is not None
        )
        costed.append((costs, point))
    return undominated(costed)


def best_of(
    points: Iterable[Point], objective: Objective, constraints: Constraints | None = None
) -> Point | None:
    """The measured point that keeps the constraints and is best; of equal ones the smallest."""
    asked = constraints or Constraints()
    scored: list[tuple[float, float, Point]] = []
    for point in points:
        found = point.measured
        if found is None or not point.good or asked.broken(found, point.target):
            continue
        score = objective.score(found, point.target)
        if score is not None:
            scored.append((score, -equivalent_area(found, point.target), point))
    return max(scored, key=lambda each: each[:2], default=(0.0, 0.0, None))[2]
