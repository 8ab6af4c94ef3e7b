# SPDX-License-Identifier: Apache-2.0
"""What is believed of designs, and which of them a run promises most of.

Method: expected improvement with constraints (Jones, Schonlau & Welch 1998; Gardner et al. 2014).
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from redcore.design import Design, Family
from redcore.errors import Stopped
from redcore.explore.belief import (
    NOISE,
    Belief,
    Guess,
    Guesses,
    Predictor,
    counted,
    figures,
    trusted,
    uncertainty,
)
from redcore.explore.events import Explained, OnEvent
from redcore.explore.filling import room_for, so_many
from redcore.explore.objective import Limit, best_of
from redcore.explore.points import Figures, Point
from redcore.explore.promising import SURE, promising
from redcore.explore.request import TuneRequest
from redcore.explore.space import left_out, neighbours
from redcore.explore.sweep import Tally
from redcore.synthesize.dsp_blocks import is_crowding
from redcore.units.copies import copies_of

_SHORT = 600
"""Designs that are looked at again after each measurement, and ..."""
_SHORT_EACH = 40
"""... how many of each family at least."""
_ROUNDS_OF_NEIGHBOURS = 4
_FILLING = 60
"""Cores of each family that are tried in copies: those that would reach most."""
_FAR = math.log(8)
"""By how much, beyond its error bars, a model has to rule a design out to be believed unasked.

Models are off by half at times, where the RTL has changed since, or nothing like it was measured.
"""
_NORMAL = NormalDist()


@dataclass(frozen=True)
class Candidate:
    """A design with what is believed of it: in the middle, and at the better end."""

    design: Design
    middle: Figures
    bright: Figures
    score: float
    sd: float
    trusted: float
    """The score that it may be chosen for."""
    chance: float
    """Of keeping all constraints."""
    extrapolated: bool = False
    """The model was calibrated on nothing like it."""
    clockless: bool = False
    """The model has no clock on the target, and the one that is taken is a guess."""
    at_least: bool = False
    """Its cycles are a bound from below, so that it is no better than this."""


class Acquisition:
    """Beliefs about a space of designs, and choices by them."""

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
        self.ranked: dict[Family, list[Candidate]] = {}
        self.unclocked: list[Candidate] = []
        self.confirmed, self.headroom = False, math.inf
        self.needs_clock = self.objective.needs_clock or bool(request.constraints.min_freq_mhz)
        self.places = request.place and request.target.places
        self.budget = 1
        self.spent = False  # the budget, before anything was found that fits or cannot
        self.clockless = False  # no tool and no model gives the clock that is asked about
        self.hopeless = False  # nothing fits by so much that no tool needs to be asked

    def say(self, text: str) -> None:
        """One sentence more of the explanation."""
        self.sentences.append(text)
        self.tell(Explained(text))

    # beliefs -----------------------------------------------------------------------------------

    def consider(self, design: Design) -> Candidate:
        """What is believed of a design now."""
        guesses = self.belief.guesses(design)
        geometry = self.belief.geometry(design)
        middle, bright = (figures(design, guesses, each, geometry) for each in (0.0, SURE))
        score, best = (self.objective.score(each, self.target) for each in (middle, bright))
        assert score is not None and best is not None
        sd = uncertainty(self.objective, guesses, middle, self.target)
        chance = 1.0
        for limit in self.limits:
            chance *= chance_of(limit, guesses)
        predicted = self.belief.predicted(design)
        return Candidate(
            design, middle, bright, score, sd, trusted(score, sd, predicted), chance,
            predicted is not None and bool(predicted.extrapolates),
            self.needs_clock and predicted is not None and predicted.fmax_mhz is None
            and not self.tally.ran,
            geometry.at_least,
        )  # fmt: skip

    def exact(
        self, candidates: Iterable[Candidate], worth: Callable[[Candidate], Any], count: int = 1
    ) -> list[Candidate]:
        """All, best first; the first ``count`` with their own cycles instead of bounds.

        With its own cycles none is better than with a bound, so these are the first of all. Equal
        ones stay in the order in which they came.
        """
        came = list(candidates)
        order = {each.design: place for place, each in enumerate(came)}
        found = sorted(came, key=worth, reverse=True)
        place = 0
        while place < min(count, len(found)):
            if not found[place].at_least:
                place += 1
                continue
            if self.stop.is_set():
                raise Stopped("stopped")
            self.belief.be_exact(found[place].design)
            found[place] = self.consider(found[place].design)
            found.sort(key=lambda each: order[each.design])
            found.sort(key=worth, reverse=True)
        return found

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

    def _never_clocked(self, design: Design) -> bool:
        """Whether a clock counts that no run will measure and no model knows."""
        if not self.needs_clock or self.places or self.target.estimated:
            return False
        predicted = self.belief.predicted(design)
        return predicted is None or not predicted.fmax_mhz

    def possible(self, candidate: Candidate) -> bool:
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

    # choices ------------------------------------------------------------------------------------

    def _conceivable(self, candidate: Candidate) -> bool:
        """Whether it keeps every constraint if the model is wrong as it hardly ever is."""
        return all(limit.excess(candidate.bright, self.target) <= _FAR for limit in self.limits)

    def _space(self) -> list[Design]:
        """The grid; of a unit, those designs that could pay."""
        request = self.request

        def believe(design: Design) -> tuple[Figures, bool]:
            if self.stop.is_set():
                raise Stopped("stopped")
            candidate = self.consider(design)
            return candidate.middle, self.possible(candidate)

        whole = (request.width, self.target, believe, request.families, request.overrides)
        return promising(request.kind, *whole, modulus=request.modulus)

    def _considered(self, designs: Sequence[Design]) -> list[Candidate]:
        found = []
        for design in designs:
            if self.stop.is_set():
                raise Stopped("stopped")
            found.append(self.consider(design))
        return found

    def _with_neighbours(self, ranked: list[Candidate]) -> list[Candidate]:
        """The grid is coarse: walk from its best designs to better ones between its steps."""
        known = {each.design for each in ranked}
        for _ in range(_ROUNDS_OF_NEIGHBOURS):
            top = sorted(ranked, key=self._promise, reverse=True)[:6]
            near = {n for each in top for n in self._neighbours(each.design)}
            fresh = sorted(near - known, key=lambda design: design.label())
            if not fresh:
                break
            known |= near
            ranked = ranked + self._considered(fresh)
        self.space = [each.design for each in ranked]
        return ranked

    def _neighbours(self, design: Design) -> list[Design]:
        """Those that may be an answer, in as many copies as there is room for where it has some."""
        request = self.request
        filled = request.fills and copies_of(design) > 1 and so_many(design, 1)
        near = neighbours(filled or design, request.overrides)
        found = [n for n in near if not left_out(n.family, n.values, request.families)]
        return [self._fill(each) for each in (filled, *found)] if filled else found

    def _filled(self, theirs: list[Candidate]) -> list[Candidate]:
        """Of a family's cores those that promise most in copies, in as many as there is room for.

        What is expected of copies is so many times what is expected of one, so few have to be
        looked at as they are.
        """

        def together(each: Candidate) -> float:
            return each.trusted + math.log(self._room(each.design))

        hopeful = [each for each in theirs if self.possible(each)]
        best = sorted(hopeful, key=together, reverse=True)[:_FILLING]
        found = list(dict.fromkeys(self._fill(each.design) for each in best))
        return self._considered(found) or theirs

    def _room(self, one: Design) -> int:
        """How many the constraints leave room for, by what is expected of the second one.

        The first may have more in it, which counts when all are looked at together.
        """
        two = so_many(one, 2)
        each = two.family.inside(two.width, two.values)[-1] if two else one
        return room_for(one, self.limits, self.belief.guesses(each))

    def _fill(self, one: Design) -> Design:
        """As many as there is room for, what shares out and collects among it."""
        copies = self._room(one)
        while copies > 1 and (many := so_many(one, copies)) is not None:
            candidate = self.consider(many)
            over = max(limit.excess(candidate.middle, self.target) for limit in self.limits)
            if over <= 0:
                return many
            copies = min(copies - 1, math.floor(copies / math.exp(over)))
        return one

    def _promise(self, candidate: Candidate) -> tuple[bool, float]:
        likely = candidate.chance >= 0.5
        return likely, candidate.trusted if likely else candidate.chance

    def _bright(self, candidate: Candidate) -> float:
        """The score at the better end of its error bars."""
        return candidate.score + SURE * candidate.sd

    def _shortened(
        self, ranked: list[Candidate], by_family: dict[Family, list[Candidate]]
    ) -> list[Design]:
        """The designs worth looking at again and again."""

        def hope(candidate: Candidate) -> tuple[bool, float]:
            return self.possible(candidate), self._bright(candidate)

        chosen = sorted(ranked, key=hope, reverse=True)[:_SHORT]
        for theirs in by_family.values():
            chosen += sorted(theirs, key=hope, reverse=True)[:_SHORT_EACH]
            # and those that come closest where nothing fits
            chosen += sorted(theirs, key=self._worst_excess)[:_SHORT_EACH]
        return list(dict.fromkeys(each.design for each in chosen))

    def _worst_excess(self, candidate: Candidate) -> float:
        return max(
            (limit.excess(candidate.middle, self.target) for limit in self.limits), default=0.0
        )

    def _gain(self, candidate: Candidate, best: float) -> float:
        """The expected improvement of the score over the best one, noise of a run included."""
        clock, area = self.objective.exponents()
        noise = math.hypot(clock * NOISE["clock"], area * NOISE["lut"])
        spread = math.hypot(candidate.sd, noise)
        z = (candidate.trusted - best) / spread
        return spread * (z * _NORMAL.cdf(z) + _NORMAL.pdf(z))

    def _describe(self, found: Figures) -> str:
        return self.objective.describe(found, self.target)


def chance_of(limit: Limit, guesses: Guesses) -> float:
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
