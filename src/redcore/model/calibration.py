# SPDX-License-Identifier: Apache-2.0
"""Runs a designed experiment on real tools and fits a model to it.

Every synthesis goes to the result store, so an interrupted calibration goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from redcore import toolchain
from redcore.errors import CheckFailed
from redcore.families.base import Design, Family
from redcore.model.experiment import POINTS, WIDTHS, experiment
from redcore.model.models import Model, Observation, calibrate, memory_of
from redcore.synthesize import Progress, Target, synthesize

CLOCK_POINTS = 12
CLOCK_WIDTHS = (128, 256, 512, 1024)
_LARGEST_PLACED = 6_000
"""Bits of terms in a design that is placed and routed: beyond, a run takes many minutes."""


def plan(
    family: Family,
    target: Target,
    widths: Sequence[int] = WIDTHS,
    points: int = POINTS,
    clock_points: int = CLOCK_POINTS,
) -> tuple[list[Design], list[Design]]:
    """The designs to synthesize for their area, and those to place and route as well.

    Widths out of the family's range are left out.
    """
    memory = memory_of(target)
    legal = [each for each in widths if family.minimum_width <= each <= family.maximum_width]
    areas = experiment(family, memory, legal, points)
    if not target.places or not clock_points:
        return areas, []
    placed = [each for each in legal if each in CLOCK_WIDTHS] or legal
    clocks = experiment(family, memory, placed, clock_points, True, _LARGEST_PLACED)
    return areas, clocks


def observe(
    designs: Sequence[Design],
    target: Target,
    place: bool,
    progress: Progress | None = None,
) -> list[Observation]:
    """Synthesize each design; what a tool refuses is told and left out."""
    found = []
    for number, design in enumerate(designs, 1):
        tell = progress or (lambda step: None)
        tell(f"{number} of {len(designs)}: {design.command_line()}")
        try:
            result = synthesize(design, target, place_and_route=place, progress=progress)
        except CheckFailed as error:
            tell(f"left out: {error}")
            continue
        if result.failure:
            tell(f"no clock: {result.failure}")
        found.append(Observation.of(design, result))
    return found


def merged(observations: Sequence[Observation]) -> list[Observation]:
    """One observation a design: clocks stay with the areas of the same design."""
    found: dict[tuple[object, ...], Observation] = {}
    for each in observations:
        key = (each.width, *sorted(each.settings.items()))
        known = found.get(key)
        if known is None or (each.fmax_mhz and not known.fmax_mhz):
            found[key] = replace(each)
    return list(found.values())


def run(
    family: Family,
    target: Target,
    widths: Sequence[int] = WIDTHS,
    points: int = POINTS,
    clock_points: int = CLOCK_POINTS,
    progress: Progress | None = None,
) -> Model:
    """The whole calibration: plan, synthesize, fit."""
    areas, clocks = plan(family, target, widths, points, clock_points)
    seen = observe(areas, target, False, progress) + observe(clocks, target, True, progress)
    return calibrate(family, target, merged(seen), toolchain.tool_versions())
