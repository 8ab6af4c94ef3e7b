# SPDX-License-Identifier: Apache-2.0
"""The best core for a width, a device and constraints: the model ranks, real runs decide.

Every legal design of the grid gets a belief (:mod:`redcore.explore.belief`). The design whose
measurement promises most is measured, the beliefs are corrected, and so on until no other design
can be expected to be better. Method: expected improvement with constraints (Jones, Schonlau & Welch
1998; Gardner et al. 2014). What was done and why is in the result, sentence by sentence.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any

from redcore.errors import BadInput, Stopped
from redcore.explore.belief import (
    NOISE,
    Belief,
    Guess,
    Guesses,
    Predictor,
    counted,
    figures,
    model_of_the_package,
)
from redcore.explore.events import Explained, OnEvent, Progress, ignore
from redcore.explore.objective import (
    Constraints,
    Limit,
    Objective,
    best_of,
    pareto,
    quantity,
)
from redcore.explore.points import ESTIMATED, MODEL, Bench, Figures, Point, Synthesis
from redcore.explore.space import (
    Overrides,
    families_of,
    grid_of,
    neighbours,
    space,
    unit_designs,
)
from redcore.explore.sweep import Tally, Workers, run_jobs, workers
from redcore.families.base import Design, Family
from redcore.synthesize.dsp_blocks import is_crowding
from redcore.synthesize.targets import Target

TOLERANCE = 0.01
"""An optimum is confirmed when no other design can be expected to be better by more than this."""
WORTH = 0.003
"""The expected gain below which another synthesis is not worth its time, as a part of the best."""
MOST_SYNTHESES = 16
AROUND = 3
"""Designs to measure before an optimum counts as confirmed, where there are as many that fit."""
_SURE = 1.645
_SHORT = 600
"""Designs that are looked at again after each measurement, and ..."""
_SHORT_EACH = 40
"""... how many of each family at least."""
_ROUNDS_OF_NEIGHBOURS = 4
_ON_FRONT = 12
"""Designs of each multiplier that a unit is tried on, at most."""
_CONFIRMED_RELAXATIONS = 4
"""How many of the designs that would fit with one constraint relaxed are measured, at most."""
_UNPLACED = {ESTIMATED: " (estimated)", MODEL: " (by the model)"}
_NORMAL = NormalDist()


@dataclass(frozen=True)
class TuneRequest:
    """What is wanted.

    ``overrides`` are the values to try of some parameters; ``designs`` replaces the whole space.
    ``max_syntheses`` bounds the runs of the tools, by default a tenth of the space within 4 and
    ``MOST_SYNTHESES``. Without ``place``, as on targets without place and route, the runs measure
    areas, and a clock that the tools cannot estimate is the model's. ``jobs``, ``scheduler`` and
    ``seed`` are as in ``explore``.
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
            f"{self.limit.value:,g}, {_name(self.point.design)} would fit{how}"
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
    """Designs were measured, but none has the clock that was asked about."""

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
        point = self.nearest
        assert point is not None
        found = point.measured
        assert found is not None
        clock = f" at {found.fmax_mhz:.1f} MHz" if found.fmax_mhz else ""
        return (
            f"nearest is {_name(point.design)}: {found.lut_in_all:,} LUTs, {found.ff:,} flip-flops,"
            f" {found.dsp} DSP and {found.bram} memory blocks{clock}"
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


def tune(
    request: TuneRequest,
    on_event: OnEvent | None = None,
    stop: threading.Event | None = None,
    predictor: Predictor = model_of_the_package,
    bench: Bench | None = None,
) -> TuneResult:
    """Find the best design for ``request``; see TuneResult for how sure that is.

    Once ``stop`` is set, the tools are ended within about a second and the best so far is the
    answer. Raises BadInput where the request makes no sense.
    """
    if request.max_syntheses is not None and request.max_syntheses < 1:
        raise BadInput(f"--max-syntheses must be at least 1, not {request.max_syntheses}")
    search = _Search(request, on_event or ignore, stop or threading.Event(), predictor)
    used: Bench = bench or Synthesis()
    stopped = False
    try:
        search.rank()
        with workers(used, request.jobs, request.scheduler) as where:
            search.run(used, where)
    except Stopped:
        stopped = True
    return search.result(stopped)


@dataclass(frozen=True)
class _Candidate:
    """A design with what is believed of it: in the middle, and at the better end."""

    design: Design
    guesses: Guesses
    middle: Figures
    bright: Figures
    score: float
    sd: float
    chance: float
    """Of keeping all constraints."""


class _Search:
    """One run of ``tune``."""

    def __init__(
        self, request: TuneRequest, tell: OnEvent, stop: threading.Event, predictor: Predictor
    ) -> None:
        self.request, self.tell, self.stop = request, tell, stop
        self.target, self.objective = request.target, request.objective
        self.limits = request.constraints.limits(request.target)
        self.belief = Belief(predictor, request.target)
        self.tally = Tally(request.target, (request.seed,), tell)
        self.sentences: list[str] = []
        self.began = time.monotonic()
        self.space: list[Design] = []
        self.short: dict[Design, None] = {}
        self.confirmed, self.headroom = False, math.inf
        self.needs_clock = self.objective.needs_clock or bool(request.constraints.min_freq_mhz)
        self.places = request.place and request.target.places
        self.budget = 1
        self.spent = False  # the budget, before anything was found that fits or cannot

    def say(self, text: str) -> None:
        """One sentence more of the explanation."""
        self.sentences.append(text)
        self.tell(Explained(text))

    # beliefs -----------------------------------------------------------------------------------

    def consider(self, design: Design) -> _Candidate:
        """What is believed of a design now."""
        guesses = self.belief.guesses(design)
        middle, bright = figures(design, guesses), figures(design, guesses, _SURE)
        score, best = (self.objective.score(each, self.target) for each in (middle, bright))
        assert score is not None and best is not None
        # independent errors: the better end of all figures at once is farther than likely
        clock, area = self.objective.exponents()
        parts = (clock * guesses["clock"].sd, area * self._area_sd(guesses, middle))
        chance = 1.0
        for limit in self.limits:
            chance *= _chance(limit, guesses)
        return _Candidate(design, guesses, middle, bright, score, math.hypot(*parts), chance)

    def _area_sd(self, guesses: Guesses, middle: Figures) -> float:
        """How uncertain the logarithm of the area is: as that of its largest part."""
        room = self.target.capacity
        ff_rules = room is not None and middle.ff * room.lut > middle.lut_in_all * room.ff
        return guesses["ff" if ff_rules else "lut"].sd

    def _crowded(self, design: Design, expected: Figures) -> bool:
        """Whether one of its family with as few multipliers had too many controls for the device.

        Controls grow with multipliers, and no model knows them before a netlist has shown them.
        """
        return any(
            point.measured is not None
            and expected.dsp >= point.measured.dsp
            and point.design.family is design.family
            and is_crowding(point.measured.failure)
            for point in self.tally.points.values()
        )

    def possible(self, candidate: _Candidate) -> bool:
        """Whether it keeps every constraint at the better end of its error bars."""
        if self._crowded(candidate.design, candidate.middle):
            return False
        return all(limit.excess(candidate.bright, self.target) <= 0 for limit in self.limits)

    def score(self, point: Point) -> float:
        """Of a measured point that fits."""
        assert point.measured is not None
        score = self.objective.score(point.measured, self.target)
        assert score is not None
        return score

    def best(self) -> Point | None:
        """The best measured point that fits; of equal ones the smallest."""
        return best_of(self.tally.points.values(), self.objective, self.request.constraints)

    # the model's part --------------------------------------------------------------------------

    def rank(self) -> None:
        """Beliefs about the whole space; the explanation of each family; the short list."""
        request = self.request
        self.space = list(self._space() if request.designs is None else request.designs)
        if not self.space:
            raise BadInput("there is no design to choose from")
        self.budget = request.max_syntheses or min(
            MOST_SYNTHESES, max(4, math.ceil(len(self.space) / 10))
        )
        ranked = self._considered(self.space)
        if request.designs is None:
            ranked = self._with_neighbours(ranked)
        by_family: dict[Family, list[_Candidate]] = {}
        for candidate in ranked:
            by_family.setdefault(candidate.design.family, []).append(candidate)
        hopeful = [each for each in ranked if self.possible(each)]
        leader = max(hopeful, key=self._promise, default=None)
        designs = "1 design" if len(ranked) == 1 else f"{len(ranked):,} designs"
        families = "1 family" if len(by_family) == 1 else f"{len(by_family)} families"
        self.say(
            f"{designs} of {families} ranked by the model; "
            + (
                f"{_name(leader.design)} leads with {self._describe(leader.middle)}"
                if leader
                else "none is expected to fit"
            )
        )
        unsure = [
            family
            for family, theirs in by_family.items()
            if self.belief.predicted(theirs[0].design) is None
        ]
        if unsure:
            self.say(
                f"no model on {self.target.name} of {', '.join(each.name for each in unsure)}: "
                "guessed by what they are made of, so runs decide (redcore calibrate makes a model)"
            )
        # what is only guessed at tells nothing against others
        sure = [each for each in hopeful if self.belief.predicted(each.design) is not None]
        yardstick = max(sure, key=self._promise, default=None)
        for family, theirs in by_family.items():
            if family in unsure or (yardstick and family is yardstick.design.family):
                continue
            self._explain_family(family, theirs, yardstick)
        self.short = dict.fromkeys(self._shortened(ranked, by_family))

    def _space(self) -> list[Design]:
        """The grid; of a unit, only on those designs of a multiplier that could pay.

        A unit is no better than its multiplier in area, time alone and time of many.
        """
        request = self.request
        whole = (request.width, self.target, request.families, request.overrides)
        chosen = families_of(request.kind, request.families)
        inner = [getattr(each, "multiplier", None) for each in chosen]
        if not all(isinstance(each, Family) for each in inner):
            return space(request.kind, *whole)
        found: list[Design] = []
        for unit, multiplier in zip(chosen, inner, strict=True):
            assert isinstance(multiplier, Family)
            names = {p.name for p in multiplier.parameters}
            theirs = {n: v for n, v in (request.overrides or {}).items() if n in names}
            ranked = self._considered(grid_of(multiplier, request.width, theirs))
            found += unit_designs(unit, self._worth_a_unit(ranked), request.overrides)
        return found or space(request.kind, *whole)

    def _worth_a_unit(self, ranked: list[_Candidate]) -> list[Design]:
        """Of a multiplier's designs those that no other one is expected to beat, thinned out."""
        points = [
            Point(each.design, self.target, measured=each.middle)
            for each in ranked
            if self.possible(each)
        ]
        front = pareto(points, ("throughput", "area", "latency"))
        step = max(1.0, len(front) / _ON_FRONT)
        places = dict.fromkeys(int(k * step) for k in range(_ON_FRONT))
        return [front[place].design for place in places if place < len(front)]

    def _considered(self, designs: Sequence[Design]) -> list[_Candidate]:
        found = []
        for design in designs:
            if self.stop.is_set():
                raise Stopped("stopped")
            found.append(self.consider(design))
        return found

    def _with_neighbours(self, ranked: list[_Candidate]) -> list[_Candidate]:
        """The grid is coarse: walk from its best designs to better ones between its steps."""
        known = {each.design for each in ranked}
        for _ in range(_ROUNDS_OF_NEIGHBOURS):
            top = sorted(ranked, key=self._promise, reverse=True)[:6]
            near = {n for each in top for n in neighbours(each.design, self.request.overrides)}
            fresh = sorted(near - known, key=lambda design: design.label())
            if not fresh:
                break
            known |= near
            ranked = ranked + self._considered(fresh)
        self.space = [each.design for each in ranked]
        return ranked

    def _promise(self, candidate: _Candidate) -> tuple[bool, float]:
        likely = candidate.chance >= 0.5
        return likely, candidate.score if likely else candidate.chance

    def _shortened(
        self, ranked: list[_Candidate], by_family: dict[Family, list[_Candidate]]
    ) -> list[Design]:
        """The designs worth looking at again and again."""

        def hope(candidate: _Candidate) -> tuple[bool, float]:
            return self.possible(candidate), candidate.score + _SURE * candidate.sd

        chosen = sorted(ranked, key=hope, reverse=True)[:_SHORT]
        for theirs in by_family.values():
            chosen += sorted(theirs, key=hope, reverse=True)[:_SHORT_EACH]
            # and those that come closest where nothing fits
            chosen += sorted(theirs, key=self._worst_excess)[:_SHORT_EACH]
        return list(dict.fromkeys(each.design for each in chosen))

    def _worst_excess(self, candidate: _Candidate) -> float:
        return max(
            (limit.excess(candidate.middle, self.target) for limit in self.limits), default=0.0
        )

    def _explain_family(
        self, family: Family, theirs: list[_Candidate], leader: _Candidate | None
    ) -> None:
        """Why a family is left, where it is."""
        hopeful = [each for each in theirs if self.possible(each)]
        if not hopeful:
            self.say(f"{family.name} left: {self._cannot(theirs)}")
            return
        if leader is None:
            return
        bound = max(each.score + _SURE * each.sd for each in hopeful)
        if bound < leader.score - _SURE * leader.sd:
            champion = max(hopeful, key=lambda each: each.score + _SURE * each.sd)
            self.say(
                f"{family.name} left: at most {self._describe(champion.bright)}, where "
                f"{leader.design.family.name} is expected at {self._describe(leader.middle)}"
            )

    def _cannot(self, theirs: list[_Candidate]) -> str:
        """The constraint that none of a family's designs can keep, and how near they come."""
        width = theirs[0].design.width
        for limit in self.limits:
            excesses = [(limit.excess(each.bright, self.target), each) for each in theirs]
            least, nearest = min(excesses, key=lambda each: each[0])
            if least > 0:
                value = _value(limit, nearest.bright)
                return (
                    f"cannot reach {limit.value:,g} {limit.unit} at {width} bits, at most "
                    f"{value:,.0f} by the model"
                    if limit.least
                    else f"needs {value:,.0f} {limit.unit} or more at {width} bits by the model, "
                    f"above {limit.text()}"
                )
        return "no design of it is expected to keep all constraints together"

    def _describe(self, found: Figures) -> str:
        return self.objective.describe(found, self.target)

    # the tools' part ---------------------------------------------------------------------------

    def run(self, bench: Bench, where: Workers) -> None:
        """Measure and correct until the optimum is confirmed, or the budget is spent."""
        while True:
            rest = [self.consider(each) for each in self.short if each not in self.tally.points]
            best = self.best()
            left = self.budget - len(self.tally.ran)
            chosen = self._next(rest, best, min(where.count, max(left, 0)))
            if not chosen:
                break
            self._measure([each.design for each in chosen], bench, where)
            self._look_around()
        self._finish(bench, where)

    def _next(self, rest: list[_Candidate], best: Point | None, count: int) -> list[_Candidate]:
        """The designs to measure now; none where the search is over, which is explained."""
        if best is None:
            return self._first(rest, count)
        score = self.score(best)
        hopeful = [each for each in rest if self.possible(each)]
        bound = max((each.score + _SURE * each.sd for each in hopeful), default=-math.inf)
        self.headroom = max(0.0, math.expm1(bound - score))
        name, found = _name(best.design), self._describe(best.measured or Figures())
        good = sum(point.good for point in self.tally.points.values())
        if self.headroom <= TOLERANCE and good < AROUND and hopeful and count >= 1:
            # a model may be sure and wrong: its next best is asked, too
            return sorted(hopeful, key=lambda each: -each.score - _SURE * each.sd)[:1]
        if self.headroom <= TOLERANCE:
            self.confirmed = True
            self.say(
                f"{name} it is, with {found}: by the model's error bars no other design can be "
                f"more than {TOLERANCE:.0%} better"
            )
            return []
        gains = [(each.chance * self._gain(each, score), each) for each in hopeful]
        gains.sort(key=lambda each: -each[0])
        if not gains or gains[0][0] < WORTH:
            self.say(
                f"{name} it is, with {found}: another synthesis promises less than {WORTH:.1%}"
                f" (the most promising design would be {self.headroom:.0%} better at the very end"
                " of its error bars)"
            )
            return []
        if count < 1:
            self.say(
                f"{name} is the best of {len(self.tally.ran)} syntheses, which were to be enough, "
                f"with {found}; {_name(gains[0][1].design)} could be better by the model: "
                f"--max-syntheses allows more"
            )
            return []
        return [each for gain, each in gains[:count] if gain >= WORTH]

    def _first(self, rest: list[_Candidate], count: int) -> list[_Candidate]:
        """While nothing measured fits: what is most likely to, the best of what likely does."""
        hopeful = [each for each in rest if self.possible(each)]
        if count < 1:
            if hopeful:
                self.spent = True
                name = _name(max(hopeful, key=self._promise).design)
                self.say(
                    f"no design that fits was found in {len(self.tally.ran)} syntheses, which were "
                    f"to be enough; {name} may fit by the model: --max-syntheses allows more"
                )
            return []
        if hopeful:
            return sorted(hopeful, key=self._promise, reverse=True)[:count]
        tried = [each for each in self.tally.points.values() if each.good]
        nearest = sorted(rest, key=self._worst_excess)
        if len(tried) >= 2 or not nearest:
            return []
        self.say(f"nothing can fit by the model; {_name(nearest[0].design)} comes nearest")
        return nearest[:1]

    def _gain(self, candidate: _Candidate, best: float) -> float:
        """The expected improvement of the score over the best one, noise of a run included."""
        clock, area = self.objective.exponents()
        noise = math.hypot(clock * NOISE["clock"], area * NOISE["lut"])
        spread = math.hypot(candidate.sd, noise)
        z = (candidate.score - best) / spread
        return spread * (z * _NORMAL.cdf(z) + _NORMAL.pdf(z))

    def _measure(self, designs: Sequence[Design], bench: Bench, where: Workers) -> None:
        """Run the tools, learn, and say what came out."""
        expected = {each: self.consider(each) for each in designs}

        self._run(designs, self.needs_clock and self.places, bench, where)
        for design in designs:
            point = self._with_clock(self.tally.points[design])
            before = best.design if (best := self._best_but(design)) else None
            found = point.measured
            assert found is not None
            if found.failure:
                self.say(f"{_name(design)} left: {found.failure}")
                continue
            self.belief.observe(design, found)
            self.say(self._outcome(point, expected[design], before))

    def _with_clock(self, point: Point) -> Point:
        """The point with the model's clock, where a clock counts and the tools gave none."""
        found, predicted = point.measured, self.belief.predicted(point.design)
        if (
            self.needs_clock
            and found
            and found.failure is None
            and found.fmax_mhz is None
            and predicted
            and predicted.fmax_mhz
        ):
            clock = predicted.fmax_mhz.value
            point = replace(
                point, measured=Figures.at_clock(point.design, found, round(clock, 1), MODEL)
            )
            self.tally.points[point.design] = point
        return point

    def _best_but(self, design: Design) -> Point | None:
        found = self.best()
        return None if found is None or found.design == design else found

    def _outcome(self, point: Point, expected: _Candidate, leader: Design | None) -> str:
        found = point.measured
        assert found is not None
        area = found.lut_in_all / max(1, expected.middle.lut_in_all) - 1
        off = [f"LUTs {area:+.0%}"]
        if found.fmax_mhz and expected.middle.fmax_mhz and found.clock != MODEL:
            off.append(f"clock {found.fmax_mhz / expected.middle.fmax_mhz - 1:+.0%}")
        clock = f" at {found.fmax_mhz:.1f} MHz" if found.fmax_mhz else ""
        if found.clock in _UNPLACED:
            clock += _UNPLACED[found.clock]
        broken = [limit for limit in self.limits if limit.excess(found, self.target) > 0]
        verdict = (
            "does not keep " + " and ".join(limit.text() for limit in broken)
            if broken
            else f"behind {_name(leader)}"
            if leader
            else "the best so far"
        )
        how = "measured" if point.ran else "known from before"
        return (
            f"{_name(point.design)} {how}: {self._describe(found)}, {found.lut_in_all:,} LUTs"
            f"{clock}; {' and '.join(off)} against what was expected; {verdict}"
        )

    def _look_around(self) -> None:
        """Neighbours of what looks best now join the short list."""
        if self.request.designs is not None:
            return
        best = self.best()
        if best is None:
            return
        for each in neighbours(best.design, self.request.overrides):
            self.short.setdefault(each, None)

    def _finish(self, bench: Bench, where: Workers) -> None:
        """Measure what the answer speaks of.

        Where the clock was not asked for, the chosen design is placed all the same. Where nothing
        fits, what would with one constraint relaxed is measured, so that it is known to.
        """
        best = self.best()
        if best is not None:
            if not self.needs_clock and self.places:
                self._run([best.design], True, bench, where)
            return
        for _ in range(0 if self.spent else _CONFIRMED_RELAXATIONS):
            rest = [self.consider(each) for each in self.short if each not in self.tally.points]
            found = self._binding(tuple(self.tally.points.values()), rest)
            guessed = [each.point.design for each in found if each.point.measured is None]
            if not guessed:
                break
            self._measure(guessed[:1], bench, where)

    def _run(self, designs: Sequence[Design], place: bool, bench: Bench, where: Workers) -> None:
        def told(seconds_left: float | None) -> None:
            self.tell(Progress(len(self.tally.ran), self.budget, None))

        jobs = self.tally.jobs(designs, place)
        run_jobs(jobs, bench, where, self.tally.begin, self.tally.end, told, self.stop)

    # the answer --------------------------------------------------------------------------------

    def result(self, stopped: bool) -> TuneResult:
        """All that was found."""
        points = tuple(
            replace(point, predicted=self.belief.predicted(point.design))
            for point in self.tally.points.values()
        )
        best = self.best()
        chosen = next((each for each in points if best and each.design == best.design), None)
        rest = [self.consider(each) for each in self.short if each not in self.tally.points]
        rest.sort(key=self._promise, reverse=True)
        binding: tuple[Relaxation, ...] = ()
        nearest = None
        if chosen is None and not stopped:
            nearest = self._nearest(points)
        clockless = (
            nearest is not None
            and self.needs_clock
            and not any(each.measured and each.measured.fmax_mhz for each in points)
        )
        if nearest is not None and not self.spent and not clockless:
            binding = self._binding(points, rest)
            for each in binding:
                self.say(each.text())
        space_by_family: dict[str, int] = {}
        for design in dict.fromkeys([*self.space, *self.short]):
            name = design.family.name
            space_by_family[name] = space_by_family.get(name, 0) + 1
        return TuneResult(
            request=self.request,
            chosen=chosen,
            points=points,
            expected=tuple(self._expectation(each) for each in rest[:20]),
            space=space_by_family,
            basis=self._basis(),
            explanations=tuple(self.sentences),
            syntheses_run=len(self.tally.ran),
            seconds=time.monotonic() - self.began,
            confirmed=self.confirmed and chosen is not None,
            headroom=None if math.isinf(self.headroom) else round(self.headroom, 4),
            binding=binding,
            nearest=nearest,
            spent=self.spent,
            stopped=stopped,
            clockless=clockless,
        )

    def _expectation(self, candidate: _Candidate) -> Point:
        predicted = self.belief.predicted(candidate.design)
        return Point(candidate.design, self.target, predicted=predicted)

    def _basis(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for design in self.space:
            name = design.family.name
            if name not in found:
                predicted = self.belief.predicted(design)
                found[name] = (
                    "no model: learned from the runs alone"
                    if predicted is None
                    else str(getattr(predicted, "basis", "model"))
                )
        return found

    def _nearest(self, points: Sequence[Point]) -> Point | None:
        """The measured point that breaks its worst constraint by least."""

        def worst(point: Point) -> float:
            assert point.measured is not None
            found = point.measured
            return max((limit.excess(found, self.target) for limit in self.limits), default=0.0)

        return min((each for each in points if each.good), key=worst, default=None)

    def _binding(
        self, points: Sequence[Point], rest: Sequence[_Candidate]
    ) -> tuple[Relaxation, ...]:
        """For each constraint: with all others kept, the least it would have to give way."""
        known = [(each.measured, each) for each in points if each.good and each.measured]
        guessed = [(each.middle, self._expectation(each)) for each in rest]
        found = []
        for limit in self.limits:
            others = [each for each in self.limits if each is not limit]
            kept = [
                (limit.excess(what, self.target), place, _value(limit, what), point)
                for place, (what, point) in enumerate([*known, *guessed])
                if not any(other.excess(what, self.target) > 0 for other in others)
            ]
            if kept:
                excess, _, value, point = min(kept, key=lambda each: each[:2])
                if math.isfinite(excess) or not limit.value:
                    needed = math.floor(value) if limit.least else math.ceil(value)
                    found.append(Relaxation(limit, needed, point))
        return tuple(found)


def _value(limit: Limit, found: Figures) -> float:
    """The figure that a limit is about; 0 where there is none."""
    value = {
        "lut": found.lut_in_all,
        "ff": found.ff,
        "dsp": found.dsp,
        "bram": found.bram,
        "clock": found.fmax_mhz,
    }[limit.metric]
    return float(value or 0.0)


def _chance(limit: Limit, guesses: Guesses) -> float:
    """How likely a constraint is kept."""
    guess: Guess = guesses[limit.metric]
    if limit.least:
        if not limit.value:
            return 1.0
        distance = guess.mean - math.log(limit.value)
    else:
        distance = counted(limit.value) - guess.mean
    spread = math.hypot(guess.sd, NOISE[limit.metric]) if guess.sd else 0.0
    if not spread:
        return float(distance >= -1e-9)
    return _NORMAL.cdf(distance / spread)


def _name(design: Design) -> str:
    """A design for people: the family, and what is not as by default."""
    defaults = design.family.complete(design.width, {})
    sets = " ".join(f"{name}={value}" for name, value in design.settings if value != defaults[name])
    return f"{design.family.name} ({sets})" if sets else design.family.name


__all__ = ["Relaxation", "TuneRequest", "TuneResult", "quantity", "tune"]
