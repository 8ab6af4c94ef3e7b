# SPDX-License-Identifier: Apache-2.0
"""Which points answer a question, and how they compare: what the page shows, without the page.

With ``asked`` and ``candidates`` this is all that the page knows of the model and of the explorer,
so that either may change. Nothing here imports the web framework.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any

from redcore.design import Design
from redcore.errors import BadInput
from redcore.explore.belief import (
    trusted,
    uncertainty,
)
from redcore.explore.objective import (
    Limit,
    equivalent_area,
    undominated,
)
from redcore.explore.points import Figures, Point, Synthesis, ToolRun
from redcore.explore.request import Relaxation, nearest_of, relaxations
from redcore.explore.space import left_out, neighbours, what_is_left_out
from redcore.synthesize import SynthesisResult, Target
from redcore.web.asked import Question, sentence
from redcore.web.candidates import SPACES, Candidate, Superseded, Told, predicted, unheard
from redcore.web.fields import CYCLES, FIELDS, TIMED, written

MOST_DESIGNS = 32
"""Designs of one run of syntheses."""

_OPTION = re.compile(r" \(--[^)]*\)")
"""An option of the command line in a sentence, which a page has not."""
_NEAR = 4.0
"""Where nothing fits, designs that break a constraint by so much more than the nearest one does
are not near to fitting."""


@dataclass
class Answer:
    """The points of a question and which of them are best."""

    question: Question
    points: tuple[Candidate, ...]
    fitting: frozenset[str]
    best: Candidate | None
    ranked: list[Candidate]
    """All that fit, best first."""
    reason: str | None = None
    """Why there is no best one."""
    nearest: Candidate | None = None
    """Where nothing fits: the design that is nearest to it."""

    def point(self, key: str) -> Candidate | None:
        """The point of that key."""
        return self._by_key.get(key)

    @cached_property
    def shown(self) -> frozenset[str]:
        """Keys of what the chart is about: what fits; where nothing does, what comes near to it.

        Without a model, all.
        """
        target = self.question.target
        limits = self.question.constraints.limits(target)
        if self.fitting or self.nearest is None:
            return self.fitting or frozenset(each.key for each in self.points)
        worst: dict[str, float] = {}
        for each in self.points:
            if each.predicted is not None:
                every = [limit.excess(each.predicted, target) for limit in limits]
                worst[each.key] = max((far for far in every if far < math.inf), default=0.0)
        most = min(worst.values()) + math.log(_NEAR)
        return frozenset({k for k, far in worst.items() if far <= most} | {self.nearest.key})

    @property
    def left_out(self) -> str:
        """Which multipliers are not among the points, and why, in the page's words; or nothing."""
        question = self.question
        said = what_is_left_out(question.kind, question.width, question.families, question.one)
        return sentence(BadInput(_OPTION.sub("", said))) if said else ""

    @cached_property
    def unmodelled(self) -> list[str]:
        """Families of which the model knows nothing here."""
        known = {each.family for each in self.points if each.predicted is not None}
        return sorted({each.family for each in self.points} - known)

    @cached_property
    def _by_key(self) -> dict[str, Candidate]:
        return {each.key: each for each in self.points}


def answer(
    question: Question, wanted: Callable[[], bool] = lambda: True, told: Told = unheard
) -> Answer:
    """The model's answer; seconds for a new space, and at once for a known one.

    ``told`` hears how far it is. Raises BadInput where the space is empty, and Superseded where
    ``wanted`` says no meanwhile.
    """
    points = SPACES.get(question.space_key, wanted, told)
    target = question.target
    modelled = [each for each in points if each.predicted is not None]
    if not modelled:
        unmodelled = (
            f"There is no model for {target.name} yet: the points show cycles, which are exact. "
            "Run syntheses for area and clock."
        )
        return Answer(question, points, frozenset(), None, [], unmodelled)
    scored: list[tuple[Rank, Candidate]] = []
    fitting: set[str] = set()
    limits = question.constraints.limits(target)
    for each in modelled:
        assert each.predicted is not None
        if any(limit.excess(each.predicted, target) > 0 for limit in limits):
            continue
        fitting.add(each.key)
        rank = _rank(each, each.predicted, question)
        if rank is not None:
            scored.append((rank, each))
    scored.sort(key=itemgetter(0))
    _count_best(scored, question, wanted)
    reason, nearest = None, None
    if not fitting:
        reason, nearest = _nothing_fits(question, modelled)
    elif not scored:
        reason = (
            f"{target.name} has no clock to be had, which the objective needs: "
            "take ‘Area’, or a device with place and route."
        )
    ranked = [each for _, each in scored]
    return Answer(question, points, frozenset(fitting), ranked[0] if ranked else None, ranked,
                  reason, nearest)  # fmt: skip


Rank = tuple[float, float, str]
"""Sorts designs, the best first: the score, below zero; of equal ones the smallest; the name."""


def _rank(point: Candidate, known: Figures, question: Question) -> Rank | None:
    """Where a design stands with these figures; None where the objective lacks one of them.

    With the model's, as ``tune`` ranks them: what is extrapolated counts a deviation less.
    """
    score = question.objective.score(known, question.target)
    if score is None:
        return None
    if known is point.predicted:
        sd = uncertainty(question.objective, point.guesses, known, question.target)
        score = trusted(score, sd, point.prediction)
    return -score, equivalent_area(known, question.target), point.key


def _count_best(
    scored: list[tuple[Rank, Candidate]], question: Question, wanted: Callable[[], bool]
) -> None:
    """Have the best one's cycles counted, where there were bounds: with its own none is better, so
    that it is the best of all."""
    while scored and (best := scored[0][1]).geometry.at_least:
        if not wanted():
            raise Superseded
        best.count()
        assert best.predicted is not None
        rank = _rank(best, best.predicted, question)
        assert rank is not None
        scored[0] = rank, best
        scored.sort(key=itemgetter(0))


def _nothing_fits(question: Question, modelled: Sequence[Candidate]) -> tuple[str, Candidate]:
    """Which constraint to relax and how far, and the design that is nearest; as ``tune`` does."""
    target = question.target
    limits = question.constraints.limits(target)
    said = [
        (each.predicted, Point(each.design, target, measured=each.predicted))
        for each in modelled
        if each.predicted is not None
    ]
    by_design = {each.design: each for each in modelled}
    ways = relaxations(said, limits, target)
    if ways:
        # the user's own first: a device's size is not to be had otherwise
        ways = tuple(sorted(ways, key=lambda each: each.limit.device))
        first = by_design[ways[0].point.design]
        told = " ".join(_way(each, by_design[each.point.design]) for each in ways)
        return f"Nothing fits. {told}", first
    point = nearest_of(said, limits, target)
    assert point is not None and point.measured is not None
    found = point.measured
    broken = ", ".join(_named(each, target) for each in limits if each.excess(found, target) > 0)
    near = by_design[point.design]
    return (
        f"Nothing fits, whichever single constraint is dropped. Nearest is {near.label} "
        f"with {found.lut_in_all:,} LUTs, {found.ff:,} flip-flops, {found.dsp} DSP blocks and "
        f"{found.bram} block RAMs; it breaks {broken}."
    ), near


def _named(limit: Limit, target: Target) -> str:
    if limit.device:
        return f"the {limit.value:,g} {limit.unit} of {target.name}"
    name = "min_freq" if limit.least else f"max_{limit.metric}"
    return f"‘{FIELDS[name].label}’ {limit.value:,g}"


def _way(each: Relaxation, point: Candidate) -> str:
    """One constraint that alone stands in the way, and the design that does."""
    target = each.point.target
    if each.limit.device:
        change = (
            f"With {each.needed:,.0f} {each.limit.unit} instead of {_named(each.limit, target)}"
        )
    else:
        sign = "at most" if each.limit.least else "at least"
        asked = f"{each.limit.value:,g}"
        label = _named(each.limit, target).removesuffix(f" {asked}")
        change = f"With {label} {sign} {each.needed:,.0f} instead of {asked}"
    return f"{change}, {point.label} would fit by the model."


def figure(point: Candidate, measurement: Mapping[str, Any] | None, name: str) -> float | None:
    """One figure of a point, the measured one where there is one."""
    if name in CYCLES and (measurement is None or measurement.get(name) is None):
        return float(getattr(point.geometry, name))
    if name == "area":
        known = figures_of(measurement) if measurement is not None else point.predicted
        if known is None or point.target is None:
            return None
        return equivalent_area(known, point.target)
    if measurement is not None:
        value = measurement.get(name)
    else:
        value = point.predicted and getattr(point.predicted, name)
    return None if value is None else float(value)


def bound(point: Candidate, measurement: Mapping[str, Any] | None, name: str) -> str:
    """The sign before a figure that is a bound, as long as a design's cycles are not counted."""
    if measurement is not None or not point.geometry.at_least:
        return ""
    return "≤ " if name == "ops_per_second" else "≥ " if name in TIMED else ""


def front(
    points: Iterable[Candidate],
    measured_by_key: Mapping[str, Mapping[str, Any]],
    x: str,
    y: str,
    x_better: int,
    y_better: int,
) -> list[Candidate]:
    """The points that no other beats in both axes, along the first."""
    placed = []
    for each in sorted(points, key=lambda each: each.key):
        a = figure(each, measured_by_key.get(each.key), x)
        b = figure(each, measured_by_key.get(each.key), y)
        if a is not None and b is not None:
            placed.append(((-x_better * a, -y_better * b), each))
    return undominated(placed)


def around(found: Answer, count: int) -> list[Candidate]:
    """The designs to synthesize around the model's optimum: it, its neighbours, the runners-up.

    Half of them are the best neighbours, one step away in one parameter, that keep the
    constraints; the others the next best wherever they are, for the model may rank them wrongly.
    """
    if found.best is None:
        return []
    question = found.question
    near: list[tuple[Rank, Candidate]] = []
    for design in neighbours(found.best.design, question.overrides):
        if left_out(design.family, design.values, question.families):
            continue
        each = predicted(design, question.target)
        if each.predicted is None or question.constraints.broken(each.predicted, question.target):
            continue
        rank = _rank(each, each.predicted, question)
        if rank is not None:
            near.append((rank, each))
    near.sort(key=itemgetter(0))
    wanted = [found.best, *(each for _, each in near[: count // 2]), *found.ranked]
    unique = {each.key: each for each in wanted}
    return list(unique.values())[:count]


def measured(result: SynthesisResult, design: Design) -> dict[str, Any]:
    """A synthesis as a job keeps it: figures, and a line for the log."""
    return _kept(design, Figures.of(design, result), result.tool_versions)


def known(design: Design, target: Target, seed: int) -> dict[str, Any] | None:
    """What the result store has of a synthesis already; quick."""
    found = Synthesis().known(ToolRun(design, target, seed, target.places))
    return None if found is None or found.failure else _kept(design, found, {})


def _kept(design: Design, figures: Figures, versions: Mapping[str, str]) -> dict[str, Any]:
    geometry = design.geometry
    cycles = {name: float(getattr(geometry, name)) for name in CYCLES}
    words = [f"{figures.lut:,} LUTs", f"{figures.ff:,} flip-flops"]
    if figures.fmax_mhz is not None:
        words.append(written("fmax_mhz", figures.fmax_mhz))
        words.append(written("ops_per_second", figures.ops_per_second))
    told = {"tool_versions": dict(versions), "summary": ", ".join(words)}
    return figures.to_json() | cycles | told


def best_measured(
    points: Iterable[tuple[Candidate, Mapping[str, Any]]], question: Question
) -> list[tuple[Candidate, Mapping[str, Any]]]:
    """Measured points that keep the constraints, best first."""
    scored = []
    for point, measurement in points:
        figures = figures_of(measurement)
        if figures.failure or question.constraints.broken(figures, question.target):
            continue
        rank = _rank(point, figures, question)
        if rank is not None:
            scored.append((rank, point, measurement))
    scored.sort(key=itemgetter(0))
    return [(point, measurement) for _, point, measurement in scored]


def figures_of(measurement: Mapping[str, Any]) -> Figures:
    """The figures of a job's result."""
    names = Figures.__dataclass_fields__
    return Figures(**{name: measurement[name] for name in names if name in measurement})
