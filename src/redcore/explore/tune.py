# SPDX-License-Identifier: Apache-2.0
"""The best core for a width, a device and constraints: the model ranks, real runs decide.

Every legal design of the grid gets a belief (:mod:`redcore.explore.belief`). The design whose
measurement promises most is measured, the beliefs are corrected, and so on until no other design
can be expected to be better. Method: expected improvement with constraints (Jones, Schonlau & Welch
1998; Gardner et al. 2014). What was done and why is in the result, sentence by sentence.
"""

from __future__ import annotations

import gc
import math
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain

from redcore.design import Design, Family
from redcore.errors import BadInput, Stopped
from redcore.explore.acquisition import Acquisition, Candidate
from redcore.explore.belief import Predictor, package_model
from redcore.explore.events import OnEvent, RunsDone, ignore
from redcore.explore.filling import filled_by, kin, one_more, scaled, to_be_placed
from redcore.explore.objective import Constraints
from redcore.explore.points import MODEL, Figures, Measurer, Point, Synthesis
from redcore.explore.promising import SURE
from redcore.explore.request import Relaxation, TuneRequest, TuneResult, nearest_of, relaxations
from redcore.explore.sentences import count_of, marks_of, outcome_of, why_none
from redcore.explore.space import what_is_left_out
from redcore.explore.sweep import Workers, run_jobs, workers

TOLERANCE = 0.01
"""An optimum is confirmed when no other design can be expected to be better by more than this."""
WORTH = 0.003
"""The expected gain below which another synthesis is not worth its time, as a part of the best."""
MOST_SYNTHESES = 3
"""Designs that confirm the model's answer, unless more are asked for; as many may fail besides."""
AROUND = 3
"""Designs to measure before an optimum counts as confirmed, where there are as many that fit."""
_CONFIRMED_RELAXATIONS = 4
"""How many of the designs that would fit with one constraint relaxed are measured, at most, within
the runs that are left."""


def tune(
    request: TuneRequest,
    on_event: OnEvent | None = None,
    stop: threading.Event | None = None,
    predictor: Predictor | None = None,
    bench: Measurer | None = None,
) -> TuneResult:
    """Find the best design for ``request``; see TuneResult for how sure that is.

    Once ``stop`` is set, the tools are ended within about a second and the best so far is the
    answer. Without ``predictor`` the model is redcore's own. Raises BadInput where the request
    makes no sense.
    """
    if request.max_syntheses is not None and request.max_syntheses < 1:
        raise BadInput(f"--max-syntheses must be at least 1, not {request.max_syntheses}")
    search = _Search(
        request, on_event or ignore, stop or threading.Event(), predictor or package_model()
    )
    used: Measurer = bench or Synthesis()
    stopped = False
    try:
        search.rank()
        search.explain()
        with workers(used, request.jobs, request.scheduler) as where:
            search.run(used, where)
    except Stopped:
        stopped = True
    return search.result(stopped)


def impossible(request: TuneRequest, predictor: Predictor | None = None) -> str | None:
    """Why no design can keep the request's own constraints, where the model knows without a run.

    None where one might, or nothing is asked for. Raises BadInput as ``tune`` does.
    """
    if request.constraints == Constraints():
        return None
    search = _Search(request, ignore, threading.Event(), predictor or package_model())
    search.rank()
    return search.result(False).failure if search.hopeless else None


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without Python's collector of circles: hundreds of thousands of values are made that stay,
    and looking through all of them again and again takes a tenth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class _Search(Acquisition):
    """One run of ``tune``."""

    # the model's part --------------------------------------------------------------------------

    @_uncollected()
    def rank(self) -> None:
        """Beliefs about the whole space; the model's answer; the short list."""
        request = self.request
        self.space = list(self._space() if request.designs is None else request.designs)
        if not self.space:
            raise BadInput("there is no design to choose from")
        self.budget = request.max_syntheses or MOST_SYNTHESES
        ranked = self._considered(self.space)
        unclocked = [each for each in ranked if self._never_clocked(each.design)]
        if unclocked:
            ranked = [each for each in ranked if not self._never_clocked(each.design)]
        if not ranked:
            self.clockless = True
            return
        if request.designs is None:
            ranked = self._with_neighbours(ranked)
        by_family: dict[Family, list[Candidate]] = {}
        for candidate in ranked:
            by_family.setdefault(kin(candidate.design.family), []).append(candidate)
        if request.fills:
            by_family = {family: self._filled(theirs) for family, theirs in by_family.items()}
            ranked = [each for theirs in by_family.values() for each in theirs]
        hopeful = [each for each in ranked if self.possible(each)]
        leader = max(hopeful, key=self._promise, default=None)
        designs = "1 design" if len(ranked) == 1 else f"{len(ranked):,} designs"
        families = "1 family" if len(by_family) == 1 else f"{len(by_family)} families"
        self.say(
            f"{designs} of {families} ranked by the model; "
            + (
                f"{leader.design.short()} leads with {self._describe(leader.middle)}"
                + marks_of(leader)
                if leader
                else "none is expected to fit"
            )
        )
        self.short = dict.fromkeys(self._shortened(ranked, by_family))
        self.hopeless = not hopeful and not any(map(self._conceivable, ranked))
        self.ranked, self.unclocked = by_family, unclocked

    def explain(self) -> None:
        """What the model's answer leaves out, and each family."""
        request, by_family = self.request, self.ranked
        if not by_family:
            return
        hopeful = [each for each in chain(*by_family.values()) if self.possible(each)]
        if hopeful and max(hopeful, key=self._promise).at_least:
            hopeful = self.exact(hopeful, self._promise)
            leader = hopeful[0]
            self.say(
                f"with cycles that are counted {leader.design.short()} leads with "
                f"{self._describe(leader.middle)}{marks_of(leader)}"
            )
        if request.designs is None and (
            sentence := what_is_left_out(
                request.kind, request.width, request.families, request.modulus
            )
        ):
            self.say(sentence)
        if self.unclocked:
            names = dict.fromkeys(kin(each.design.family).name for each in self.unclocked)
            self.say(
                f"{', '.join(names)} left: no model on {self.target.name} knows the clock, and "
                "without placement no run tells it"
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
        stale = [
            family
            for family, theirs in by_family.items()
            if (said := self.belief.predicted(theirs[0].design)) is not None and said.stale
        ]
        if stale:
            self.say(
                f"the model of {', '.join(each.name for each in stale)} is of older RTL: what is "
                "expected may be off (redcore calibrate makes a new one)"
            )
        # what is only guessed at tells nothing against others
        sure = [each for each in hopeful if self.belief.predicted(each.design) is not None]
        yardstick = next(iter(self.exact(sure, self._promise)), None)
        for family, theirs in by_family.items():
            if family in unsure or (yardstick and family is kin(yardstick.design.family)):
                continue
            self._explain_family(family, theirs, yardstick)
        if self.hopeless:
            self.say("no run of the tools is needed: by the model nothing comes near")

    def _explain_family(
        self, family: Family, theirs: list[Candidate], leader: Candidate | None
    ) -> None:
        """Why a family is left, where it is."""
        hopeful = [each for each in theirs if self.possible(each)]
        if not hopeful:
            self.say(f"{family.name} left: {why_none(theirs, self.limits, self.target)}")
            return
        if leader is None:
            return
        bound = max(each.score + SURE * each.sd for each in hopeful)
        if bound < leader.score - SURE * leader.sd:
            champion = max(hopeful, key=lambda each: each.score + SURE * each.sd)
            self.say(
                f"{family.name} left: at most {self._describe(champion.bright)}, where "
                f"{leader.design.family.name} is expected at {self._describe(leader.middle)}"
            )

    # the tools' part ---------------------------------------------------------------------------

    def run(self, bench: Measurer, where: Workers) -> None:
        """Measure and correct until the optimum is confirmed, or the budget is spent."""
        if self.clockless or self.hopeless:
            return
        while True:
            rest = [self.consider(each) for each in self.short if each not in self.tally.points]
            best = self.best()
            chosen = self._next(rest, best, min(where.count, max(self._left(), 0)))
            if not chosen:
                break
            self._measure([each.design for each in chosen], bench, where)
            self._look_around()
        self._finish(bench, where)

    def _left(self) -> int:
        """How many designs may be run yet: what failed confirms nothing, and does not count."""
        ran = self.tally.ran
        failed = sum(not self.tally.points[each].good for each in ran if each in self.tally.points)
        spared = 0 if self.request.max_syntheses else min(failed, MOST_SYNTHESES)
        return self.budget + spared - len(ran)

    def _next(self, rest: list[Candidate], best: Point | None, count: int) -> list[Candidate]:
        """The designs to measure now; none where the search is over, which is explained."""
        if best is None:
            return self._first(rest, count)
        score = self.score(best)
        hopeful = [each for each in rest if self.possible(each)]
        hopeful = self.exact(hopeful, self._bright)
        bound = max(map(self._bright, hopeful), default=-math.inf)
        self.headroom = max(0.0, math.expm1(bound - score))
        name, found = best.design.short(), self._describe(best.measured or Figures())
        good = sum(point.good for point in self.tally.points.values())
        if self.headroom <= TOLERANCE and good < AROUND and hopeful and count >= 1:
            # a model may be sure and wrong: its next best is asked, too
            return self.exact(hopeful, lambda each: each.trusted + SURE * each.sd)[:1]
        if self.headroom <= TOLERANCE:
            self.confirmed = True
            self.say(
                f"{name} it is, with {found}: by the model's error bars no other design can be "
                f"more than {TOLERANCE:.0%} better"
            )
            return []

        def gain_of(each: Candidate) -> float:
            return each.chance * self._gain(each, score)

        gains = [(gain_of(each), each) for each in self.exact(hopeful, gain_of, max(count, 1))]
        if not gains or gains[0][0] < WORTH:
            self.say(
                f"{name} it is, with {found}: another synthesis promises less than {WORTH:.1%}"
                f" (the most promising design would be {self.headroom:.0%} better at the very end"
                " of its error bars)"
            )
            return []
        if count < 1:
            self.say(
                f"{name} is the best of {count_of(len(self.tally.ran))} to be enough, "
                f"with {found}; {gains[0][1].design.short()} could be better by the model: "
                f"--max-syntheses allows more"
            )
            return []
        return [each for gain, each in gains[:count] if gain >= WORTH]

    def _first(self, rest: list[Candidate], count: int) -> list[Candidate]:
        """While nothing measured fits: what is most likely to, the best of what likely does."""
        hopeful = [each for each in rest if self.possible(each)]
        if count < 1:
            if hopeful:
                self.spent = True
                name = max(hopeful, key=self._promise).design.short()
                self.say(
                    f"no design that fits was found in {count_of(len(self.tally.ran))} to be "
                    f"enough; {name} may fit by the model: --max-syntheses allows more"
                )
            return []
        if hopeful:
            return self.exact(hopeful, self._promise, count)[:count]
        tried = [each for each in self.tally.points.values() if each.good]
        nearest = sorted(rest, key=self._worst_excess)
        if len(tried) >= 2 or not nearest:
            return []
        self.say(f"nothing can fit by the model; {nearest[0].design.short()} comes nearest")
        return nearest[:1]

    def _measure(self, designs: Sequence[Design], bench: Measurer, where: Workers) -> None:
        """Run the tools, learn, and say what came out."""
        for design in designs:
            self.belief.be_exact(design)
        expected = {each: self.consider(each) for each in designs}

        runs = {each: self._placed_for(expected[each]) for each in designs}
        self._run([*runs.values()], self.needs_clock and self.places, bench, where)
        for design, run in runs.items():
            if run != design:
                placed = self.tally.points[run]
                self.tally.points[design] = scaled(design, placed)
                full = filled_by(placed, self.limits, self.target)
                if full is not None and full != design:
                    self.belief.be_exact(full)
                    expected[full] = self.consider(full)
                    if full not in self.tally.points:
                        self.tally.points[full] = scaled(full, placed)
                    design = full
            point = self._with_clock(self.tally.points[design])
            before = best.design if (best := self._best_but(design)) else None
            found = point.measured
            assert found is not None
            if found.failure:
                self.say(f"{design.short()} left: {found.failure}")
                continue
            self.belief.observe(design, found)
            self.say(outcome_of(point, expected[design], before, self.limits, self.objective))

    def _placed_for(self, candidate: Candidate) -> Design:
        """What is run for a design: the same, or fewer copies of a full device's."""
        if not self.request.fills:
            return candidate.design
        return to_be_placed(candidate.design, candidate.middle, self.target)

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

    def _look_around(self) -> None:
        """Neighbours of what looks best now join the short list."""
        if self.request.designs is not None:
            return
        best = self.best()
        # where copies did not fit after all fewer may
        around = [best] if best else self.tally.points.values() if self.request.fills else []
        for each in [near for point in around for near in self._neighbours(point.design)]:
            self.short.setdefault(each, None)

    def _finish(self, bench: Measurer, where: Workers) -> None:
        """Measure what the answer speaks of.

        Where the clock was not asked for, the chosen design is placed all the same. Where nothing
        fits, what would with one constraint relaxed is measured, so that it is known to.
        """
        best = self.best()
        if best is not None:
            if not self.needs_clock and self.places:
                self._run([best.design], True, bench, where)
            return
        left = 0 if self.spent else self._left()
        for _ in range(min(left, _CONFIRMED_RELAXATIONS)):
            rest = [self.consider(each) for each in self.short if each not in self.tally.points]
            found = self._binding(tuple(self.tally.points.values()), rest)
            guessed = [each.point.design for each in found if each.point.measured is None]
            if not guessed:
                break
            self._measure(guessed[:1], bench, where)

    def _run(self, designs: Sequence[Design], place: bool, bench: Measurer, where: Workers) -> None:
        def told(seconds_left: float | None) -> None:
            self.tell(RunsDone(len(self.tally.ran), self.budget, None))

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
        rest: list[Candidate] = []
        if not stopped:  # who stops it wants to know what there is, and now
            rest = [self.consider(each) for each in self.short if each not in self.tally.points]
            rest.sort(key=self._promise, reverse=True)
        binding: tuple[Relaxation, ...] = ()
        nearest: Point | None = None
        nearest_figures: Figures | None = None
        if chosen is None and not stopped:
            if self.hopeless and rest:
                near = min(rest, key=self._worst_excess)
                nearest, nearest_figures = self._expectation(near), near.middle
            else:
                nearest = self._nearest(points)
                nearest_figures = nearest.measured if nearest else None
        clockless = self.clockless or (
            nearest is not None
            and not self.hopeless
            and self.needs_clock
            and not any(each.measured and each.measured.fmax_mhz for each in points)
        )
        if nearest is not None and not self.spent and not clockless:
            binding = self._binding(points, rest)
            for each in binding:
                self.say(each.text())
        if chosen and chosen.measured and self.request.fills:
            more = one_more(chosen.design, chosen.measured, self.limits, self.target)
            if more:
                self.say(more)
        if chosen and chosen.design.family.holds_secrets and chosen.design.follows_operands:
            self.say(f"for secrets take another multiplier: {chosen.design.follows_operands}")
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
            nearest_figures=nearest_figures,
        )

    def _expectation(self, candidate: Candidate) -> Point:
        predicted = self.belief.predicted(candidate.design)
        at_least = candidate.at_least
        return Point(candidate.design, self.target, predicted=predicted, at_least=at_least)

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
        known = [(each.measured, each) for each in points if each.good and each.measured]
        return nearest_of(known, self.limits, self.target)

    def _binding(
        self, points: Sequence[Point], rest: Sequence[Candidate]
    ) -> tuple[Relaxation, ...]:
        """For each constraint: with all others kept, the least it would have to give way."""
        known = [(each.measured, each) for each in points if each.good and each.measured]
        guessed = [(each.middle, self._expectation(each)) for each in rest]
        return relaxations([*known, *guessed], self.limits, self.target)
