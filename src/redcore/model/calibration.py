# SPDX-License-Identifier: Apache-2.0
"""Runs a designed experiment on real tools and fits a model to it.

Every synthesis goes to the result store, so an interrupted calibration goes on where it stopped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from statistics import median_low

from redcore import toolchain
from redcore.design import Design, Family
from redcore.errors import BadInput, CheckFailed
from redcore.model.experiment import LARGEST, POINTS, experiment, usual_widths
from redcore.model.models import (
    AREAS,
    Model,
    Observation,
    calibrate,
    calibration_of,
    find,
    memory_of,
    model_name,
    refuse_too_few,
)
from redcore.model.predict import from_model, has_model, predict
from redcore.progress import Told
from redcore.synthesize import Store, Target, stored, synthesize, targets
from redcore.units.around import Around

_FASTER = 1.1
"""How much faster the designs inside a unit have to be, so that its clock is its own."""
LEAST_WIDTH = 8
"""Narrower designs are control alone, and nobody's multiplier."""

CLOCK_POINTS = 12
CLOCK_WIDTHS = (128, 256, 512, 1024)
_LARGEST_PLACED = 4_000
"""Bits of terms in a design that is placed and routed: beyond, a run takes many minutes."""
LARGEST_UNIT = 30_000
"""The same of a unit around an exponentiator: its terms are cells, and there are few."""


def plan(
    family: Family,
    target: Target,
    widths: Sequence[int] | None = None,
    points: int = POINTS,
    clock_points: int = CLOCK_POINTS,
) -> tuple[list[Design], list[Design]]:
    """The designs to synthesize for their area, and those to place and route as well.

    ``widths`` in bits, the family's usual ones for None; those out of its range are left out.
    """
    memory = memory_of(target)
    wanted = usual_widths(family) if widths is None else widths
    legal = [each for each in wanted if family.takes_width(each)]
    largest, largest_placed = LARGEST, _LARGEST_PLACED
    if family.other_face:
        largest = largest_placed = LARGEST_UNIT
    areas = experiment(family, memory, legal, points, False, largest) if points else []
    if not target.places or not clock_points:
        return areas, []
    placed = [each for each in legal if each in CLOCK_WIDTHS] or legal
    clocks = experiment(family, memory, placed, clock_points, True, largest_placed)
    return areas, clocks


def observe(
    designs: Sequence[Design],
    target: Target,
    place: bool,
    progress: Told | None = None,
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
        found.append(alone(design, Observation.of(design, result), target, progress))
    return found


def alone(
    design: Design, seen: Observation, target: Target, progress: Told | None = None
) -> Observation:
    """What a unit adds to the designs inside it; observations of anything else are as they are.

    Areas of a multiplier are taken from the result store, from its model where that knows such
    designs (synthesizing it would take as long again), or else from a synthesis.
    """
    inside = Counter(design.family.inside(design.width, design.values))
    if not inside:
        return seen
    areas = [(_areas(each, target, progress), count) for each, count in inside.items()]
    rest = {
        name: max(0, getattr(seen, name) - round(sum(each[name] * count for each, count in areas)))
        for name in AREAS
    }
    return replace(own_clock(design, seen, target), family=design.family.name, **rest)


def own_clock(design: Design, seen: Observation, target: Target) -> Observation:
    """Without its clock where a design inside a unit is as slow: it says nothing of the unit."""
    if seen.fmax_mhz is None:
        return seen
    inside = set(design.family.inside(design.width, design.values))
    known = [predict(each, target) for each in inside if has_model(each.family.name, target.name)]
    clocks = [said.fmax_mhz.value for said in known if said.fmax_mhz]
    if clocks and min(clocks) < _FASTER * seen.fmax_mhz:
        return replace(seen, fmax_mhz=None, seeds=0)
    return seen


def _areas(design: Design, target: Target, progress: Told | None) -> dict[str, float]:
    """Areas of a design inside a unit by the cheapest way that is good enough.

    Not a model's for another unit: what is around it is small, and would be lost in its error.
    """
    result = stored(design, target, place_and_route=False)
    unit = bool(design.family.inside(design.width, design.values))
    known = None if unit else find(design.family.name, target)
    if result is None and known is not None:
        said = from_model(known, design, target)
        if not said.extrapolates:
            return {name: getattr(said, name).value for name in AREAS}
    result = result or synthesize(design, target, place_and_route=False, progress=progress)
    return {name: getattr(result, name) for name in AREAS}


def remembered(family: Family, target: Target) -> list[Observation]:
    """What the result store holds of the family on the target, of the present sources and tools.

    Of a unit, on whichever multiplier; of a target, on every one that shares its calibration.
    """
    store = Store(toolchain.cache_folder() / "synthesis")
    found = []
    for step in ("place", "map"):
        for subject in store.subjects(step):
            design, device, seed = _subject(family, subject)
            if design is None or device is None or design.width < LEAST_WIDTH:
                continue
            if calibration_of(device) != calibration_of(target):
                continue
            result = stored(design, device, step == "place", seed, store)
            if result is not None:
                found.append(alone(design, Observation.of(design, result), target))
    return found


def _subject(family: Family, subject: str) -> tuple[Design | None, Target | None, int]:
    """Design, target and seed that a line of the store is about; no design of another family."""
    from redcore.catalogue import design_of

    line, _, device = subject.partition(" --target ")
    name, _, seed = device.partition(" --seed ")
    if name not in targets():
        return None, None, 1
    try:
        design = design_of(line)
    except BadInput:  # parameters or rules have changed
        return None, None, 1
    if not observes(design, family):
        return None, None, 1
    return design, targets()[name], int(seed or 1)


def observes(design: Design, family: Family) -> bool:
    """Whether a design's figures say something to the model of a family.

    Not those of several copies or of a bus around it, whose cells the model has no terms for.
    """
    around = isinstance(design.family, Around)
    return not around and model_name(design.family) == model_name(family)


def merged(observations: Sequence[Observation]) -> list[Observation]:
    """One observation a design, with the median of its clocks where they are of several seeds."""
    groups: dict[tuple[object, ...], list[Observation]] = {}
    for each in observations:
        key = (each.family, each.width, *sorted(each.settings.items()))
        groups.setdefault(key, []).append(each)
    return [_one(group) for group in groups.values()]


def _one(group: Sequence[Observation]) -> Observation:
    """Of one design: the one of most seeds, else the median of different clocks."""
    most = max(group, key=lambda each: each.seeds)
    clocks = {each.fmax_mhz for each in group if each.fmax_mhz}
    if most.seeds != 1 or len(clocks) == 1:
        return most
    return replace(most, fmax_mhz=median_low(sorted(clocks)), seeds=len(clocks))


def run(
    family: Family,
    target: Target,
    widths: Sequence[int] | None = None,
    points: int = POINTS,
    clock_points: int = CLOCK_POINTS,
    progress: Told | None = None,
) -> Model:
    """The whole calibration: plan, synthesize, fit.

    Raises BadInput before anything runs where plan and result store together have too few designs.
    """
    areas, clocks = plan(family, target, widths, points, clock_points)
    seen = remembered(family, target)
    designs = {*areas, *clocks, *(each.design(family) for each in seen)}
    refuse_too_few(family, len(designs))
    seen += observe(areas, target, False, progress) + observe(clocks, target, True, progress)
    return calibrate(family, target, merged(seen), toolchain.tool_versions())
