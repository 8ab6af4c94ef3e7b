# SPDX-License-Identifier: Apache-2.0
"""The designs of a unit that could pay: a unit's whole grid is too many to ask a model about.

A unit is no better than its multiplier in area, time alone and time of many. So it is tried on
those designs of each multiplier that no other is expected to beat, and of its own settings those
that could pay on the fastest or on the smallest of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from redcore.design import Design, Family, Value
from redcore.explore.objective import Objective, pareto
from redcore.explore.points import Figures, Point
from redcore.explore.space import (
    Overrides,
    families_of,
    filled,
    grid_of,
    left_out,
    own_values,
    space,
)
from redcore.synthesize.targets import Target

Believe = Callable[[Design], tuple[Figures, bool]]
"""What is expected of a design, and whether it might keep all constraints."""
SURE = 1.645
"""Standard deviations towards the better within which a constraint might be kept."""
_AXES = ("throughput", "area", "latency")
_ON_FRONT = 16
"""Designs of each multiplier that a unit is tried on, at most, evenly over their front,"""
_DENSEST = 4
"""and so many more."""
_PER_AREA = Objective.parse("throughput-per-area")


def promising(
    kind: str,
    width: int,
    target: Target,
    believe: Believe,
    families: Sequence[str] | None = None,
    overrides: Overrides | None = None,
    only: str | None = None,
    modulus: int | None = None,
) -> list[Design]:
    """The legal designs of a kind that are worth the model's look; of multipliers the whole grid.

    ``only`` takes one of the families, and may find nothing; ``modulus`` is as in ``space``. Raises
    BadInput as that does.
    """
    chosen = families_of(kind, [only] if only else families, width, modulus)
    given = overrides or {}
    found: list[Design] = []
    for unit in chosen:
        multiplier = getattr(unit, "multiplier", None)
        if not isinstance(multiplier, Family):
            return space(kind, width, [only] if only else families, overrides, modulus)
        # What of operands a multiplier is told is for the unit to choose.
        names = {p.name for p in multiplier.parameters} - {*multiplier.told_parameters}
        theirs = {name: values for name, values in given.items() if name in names}
        inner = [
            each
            for each in grid_of(multiplier, width, theirs)
            if not left_out(unit, unit.complete(width, _settings(each)), families)
        ]
        front = _front(inner, target, believe)
        # The fastest and the smallest, the ends, among them, and those that do most in their area.
        steps = min(len(front), _ON_FRONT) - 1
        places = {k * (len(front) - 1) // max(steps, 1) for k in range(steps + 1)}
        places |= set(_densest(front, target, believe))
        thinned = [front[place] for place in sorted(places)]
        found += _units(unit, thinned, target, believe, given)
    return found if found or only else space(kind, width, families, overrides, modulus)


def _densest(front: Sequence[Design], target: Target, believe: Believe) -> list[int]:
    """Places of the few designs of a front that do most for their area."""
    scores = [_PER_AREA.score(believe(each)[0], target) for each in front]
    known = [place for place, score in enumerate(scores) if score is not None]
    return sorted(known, key=lambda place: -(scores[place] or 0.0))[:_DENSEST]


def _units(
    unit: Family, multipliers: Sequence[Design], target: Target, believe: Believe, given: Overrides
) -> list[Design]:
    """A unit's designs on a multiplier's, which are in the order of a front: the fastest first."""
    grid = own_values(unit, multipliers[0], given) if multipliers else {}
    every = [dict(zip(grid, each, strict=True)) for each in product(*grid.values())]
    ends = list(dict.fromkeys([*multipliers[:1], *multipliers[-1:]]))
    tried = [_legal(unit, inner, every) for inner in ends]
    worth: dict[tuple[Value, ...], None] = {}
    for designs in tried:
        for each in _front(designs, target, believe):
            worth[tuple(each.values[name] for name in grid)] = None
    own = [dict(zip(grid, each, strict=True)) for each in worth]
    between = [_legal(unit, inner, own) for inner in multipliers[1:-1]]
    return [design for designs in (*tried, *between) for design in designs]


def _legal(unit: Family, multiplier: Design, own: Sequence[dict[str, Value]]) -> list[Design]:
    """A unit with each of its own settings on one multiplier, where that is legal."""
    fixed = _settings(multiplier)
    found = []
    for each in own:
        whole = filled(unit, multiplier.width, {**each, **fixed})
        if unit.worth_trying(multiplier.width, whole):
            found.append(unit.legal(multiplier.width, whole))
    return [each for each in found if each is not None]


def _settings(multiplier: Design) -> dict[str, Value]:
    """Those of a multiplier's settings that a unit on it has, too."""
    return {n: v for n, v in multiplier.settings if n not in multiplier.family.chosen_around}


def _front(designs: Sequence[Design], target: Target, believe: Believe) -> list[Design]:
    """Those that no other is expected to beat; of those that might fit, where any might."""
    said = [(design, *believe(design)) for design in designs]
    fits = any(fit for _, _, fit in said)
    points = [Point(each, target, measured=what) for each, what, fit in said if fit or not fits]
    return [point.design for point in pareto(points, _AXES)]
