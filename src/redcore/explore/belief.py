# SPDX-License-Identifier: Apache-2.0
"""What is believed of a design before it is measured: the model, corrected by what was measured.

A belief is a normal distribution of the logarithm of each figure. Its mean and spread are the
model's; the differences between model and measurements are then interpolated over the parameters
(a Gaussian process for each family and figure), so that a measurement corrects its neighbours much
and its family a little. Method: Rasmussen & Williams 2006, algorithm 2.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from statistics import NormalDist

import numpy as np

from redcore.design import Design, Geometry, Value
from redcore.explore.objective import Objective
from redcore.explore.points import MODEL, Figures
from redcore.model.models import AREAS, find, memory_of, terms_of
from redcore.model.predict import Predictor as Shared
from redcore.model.prediction import Estimate, Prediction
from redcore.synthesize.targets import Target
from redcore.synthesize.targets import target as target_named

Predictor = Callable[[Design, Target], Prediction | None]
"""The model; None where it knows nothing of the family."""

QUANTITIES = ("lut", "ff", "dsp", "bram", "clock")
NOISE = {"lut": 0.01, "ff": 0.01, "dsp": 0.01, "bram": 0.01, "clock": 0.03}
"""Scatter of a measurement that no model can know, as a standard deviation of the logarithm: that
of the clock is what placement does (benchmarks/tune_exhaustive.md)."""
_SHARED = 0.4
"""The part of the model's variance that all designs of a family have in common."""
_OCTAVES = 2.0
"""Over how many doublings of a parameter the model's error changes its mind."""
_HALF_RANGE = NormalDist().inv_cdf(0.9)
"""Standard deviations from the middle to either end of a model's range, which holds 80 %."""


@dataclass(frozen=True)
class Guess:
    """The logarithm of a figure (of a count: of one more than it): mean and standard deviation."""

    mean: float
    sd: float

    def at(self, sigmas: float) -> float:
        """The logarithm so many deviations above the mean."""
        return self.mean + sigmas * self.sd


Guesses = dict[str, Guess]


def counted(value: float) -> float:
    """A count as its logarithm is taken, so that none may be zero."""
    return math.log1p(max(value, 0.0))


def _guess(estimate: Estimate, count: bool) -> Guess:
    def scale(value: float) -> float:
        return counted(value) if count else math.log(max(value, 1e-3))

    spread = (scale(estimate.high) - scale(estimate.low)) / (2 * _HALF_RANGE)
    return Guess(scale(estimate.value), max(spread, 0.0))


def from_guess(guess: Guess, count: bool) -> tuple[float, float]:
    """The range that a guess gives a figure, as a model's: it holds four of five."""
    ends = (guess.at(-_HALF_RANGE), guess.at(_HALF_RANGE))
    low, high = (math.expm1(each) if count else math.exp(each) for each in ends)
    return max(0.0, low), high


_CELLS_A_TERM, _NS_A_TERM = 1.0, 0.4
"""What a term of a family's own description is taken to cost where nobody has measured it."""
_ELSEWHERE, _SIX_INPUTS = "ecp5-85k", 0.57
"""The target that every family of the library is calibrated for, and what the LUTs of a design with
four inputs come to with six (0.5 to 0.61 of the families' defaults at 64 bits)."""


def unknown(design: Design, target: Target, inside: Sequence[Guesses] = ()) -> Guesses:
    """Of a family without a model on the target: from what its designs are made of, at a guess.

    Its parts have the prices that they have elsewhere, if there is a model of the family there.
    ``inside`` is what is believed of the designs inside a unit, which its own parts add to.
    """
    memory = memory_of(target)
    terms = design.terms(memory)
    unsure_of_cells, own = (
        0.7,
        {
            "lut": _CELLS_A_TERM * sum(terms.lut.values())
            + target.luts_per_carry * sum(terms.carry.values()) / 2,
            "ff": _CELLS_A_TERM * sum(terms.ff.values()),
            "dsp": float(sum(terms.dsp.values())),
            "bram": float(sum(terms.bram.values())),
        },
    )
    elsewhere = target_named(_ELSEWHERE)
    if model := find(design.family.name, elsewhere):
        cells = {name: model.laws[name].value(terms_of(terms, name)) for name in AREAS}
        cells["lut"] += elsewhere.luts_per_carry * cells["carry"]
        if target.lut_inputs == 6:
            cells["lut"] *= _SIX_INPUTS
        unsure_of_cells, own["lut"], own["ff"] = 0.4, cells["lut"], cells["ff"]
    guesses: Guesses = {}
    for name, count in own.items():
        of_cells = name in ("lut", "ff") or (name == "bram" and memory.block)
        unsure = unsure_of_cells if of_cells else 0.1
        known = [(math.expm1(each[name].mean), each[name].sd) for each in inside]
        # what is inside several times is wrong by the same each time
        errors = math.hypot(unsure * count, sum(amount * sd for amount, sd in known))
        total = count + sum(amount for amount, _ in known)
        guesses[name] = Guess(counted(total), errors / total if total else 0.0)
    period = max(1.0, _NS_A_TERM * sum(terms.delay.values()))
    own_clock = Guess(math.log(1e3 / period), 0.4)
    clocks = [own_clock, *(each["clock"] for each in inside)]
    guesses["clock"] = min(clocks, key=lambda each: each.mean)
    return guesses


def from_model(predicted: Prediction) -> Guesses:
    """What a model's prediction says."""
    clock = predicted.fmax_mhz
    return {
        "lut": _guess(predicted.lut_in_all, True),
        "ff": _guess(predicted.ff, True),
        "dsp": _guess(predicted.dsp, True),
        "bram": _guess(predicted.bram, True),
        "clock": Guess(math.log(150.0), 0.5) if clock is None else _guess(clock, False),
    }


def figures(
    design: Design, guesses: Guesses, sigmas: float = 0.0, geometry: Geometry | None = None
) -> Figures:
    """The figures in the middle of a belief, or ``sigmas`` towards the better for each of them.

    ``geometry`` has the cycles, those of the design itself by default.
    """
    counts = {
        name: max(0, round(math.expm1(guesses[name].at(-sigmas))))
        for name in ("lut", "ff", "dsp", "bram")
    }
    resources = Figures(
        lut=counts["lut"],
        lut_in_all=counts["lut"],
        ff=counts["ff"],
        dsp=counts["dsp"],
        bram=counts["bram"],
    )
    clock = math.exp(guesses["clock"].at(sigmas))
    return Figures.at_clock(design, resources, clock, MODEL, geometry)


def uncertainty(objective: Objective, guesses: Guesses, middle: Figures, target: Target) -> float:
    """The standard deviation of a score: of the area's logarithm that of its largest part.

    Errors are independent: the better end of all figures at once is farther than likely.
    """
    room = target.capacity
    ff_rules = room is not None and middle.ff * room.lut > middle.lut_in_all * room.ff
    clock, area = objective.exponents()
    return math.hypot(clock * guesses["clock"].sd, area * guesses["ff" if ff_rules else "lut"].sd)


def trusted(score: float, sd: float, predicted: Prediction | None) -> float:
    """The score that a design may be chosen for: of what a model extrapolates, a deviation less.

    The best of many extrapolations is the one that is too good by most.
    """
    return score - sd if predicted is not None and predicted.extrapolates else score


def _logarithms(measured: Figures) -> dict[str, float]:
    found = {
        "lut": counted(measured.lut_in_all),
        "ff": counted(measured.ff),
        "dsp": counted(measured.dsp),
        "bram": counted(measured.bram),
    }
    if measured.fmax_mhz and measured.clock != MODEL:
        found["clock"] = math.log(measured.fmax_mhz)
    return found


class Belief:
    """The beliefs about all designs of a search, corrected by each measurement."""

    def __init__(self, predictor: Predictor, target: Target) -> None:
        self._predict, self._target = predictor, target
        self._predicted: dict[Design, Prediction | None] = {}
        self._prior: dict[Design, Guesses] = {}
        self._seen: dict[str, dict[Design, Figures]] = {}
        self._solved: dict[tuple[str, str], _Residuals | None] = {}
        self._scheduled: set[Design] = set()

    def geometry(self, design: Design) -> Geometry:
        """Sizes and cycles; of a design that was never asked to be exact what is quick to have."""
        return design.geometry if design in self._scheduled else design.outlook

    def be_exact(self, design: Design) -> None:
        """From now on its cycles are those of the design, which may take a second to know."""
        self._scheduled.add(design)

    def predicted(self, design: Design) -> Prediction | None:
        """What the model says, as it says it."""
        if design not in self._predicted:
            self._predicted[design] = self._predict(design, self._target)
        return self._predicted[design]

    def prior(self, design: Design) -> Guesses:
        """The belief without any measurement."""
        if design not in self._prior:
            predicted = self.predicted(design)
            self._prior[design] = (
                unknown(design, self._target, self._inside(design))
                if predicted is None
                else from_model(predicted)
            )
        return self._prior[design]

    def _inside(self, design: Design) -> list[Guesses]:
        """What is believed of the designs inside a unit."""
        return [self.prior(each) for each in design.family.inside(design.width, design.values)]

    def observe(self, design: Design, measured: Figures) -> None:
        """Learn what was measured of a design."""
        self._seen.setdefault(design.family.name, {})[design] = measured
        for quantity in QUANTITIES:
            self._solved.pop((design.family.name, quantity), None)

    def guesses(self, design: Design) -> Guesses:
        """The belief now."""
        prior = self.prior(design)
        seen = self._seen.get(design.family.name)
        if not seen:
            return prior
        found = dict(prior)
        for quantity, guess in prior.items():
            residuals = self._residuals(design.family.name, quantity)
            if residuals is not None and guess.sd > 0.0:
                found[quantity] = residuals.correct(design, guess)
        return found

    def _residuals(self, family: str, quantity: str) -> _Residuals | None:
        if (family, quantity) not in self._solved:
            known = []
            for design, measured in self._seen[family].items():
                value = _logarithms(measured).get(quantity)
                if value is not None:
                    known.append((design, self.prior(design)[quantity], value))
            solved = _Residuals(known, NOISE[quantity]) if known else None
            self._solved[family, quantity] = solved
        return self._solved[family, quantity]


class _Residuals:
    """Differences of one figure between measurements and model in one family, interpolated."""

    def __init__(self, known: Sequence[tuple[Design, Guess, float]], noise: float) -> None:
        errors = np.array([value - guess.mean for _, guess, value in known])
        usual = np.array([math.hypot(guess.sd, noise) for _, guess, _ in known])
        # a model that is off by more than it says is believed so much less
        self._doubt = max(1.0, math.sqrt(float(np.mean((errors / usual) ** 2))))
        self._known = [(design, guess.sd * self._doubt) for design, guess, _ in known]
        covariance = np.array([self._shared(*each) for each in self._known])
        self._inverse = np.linalg.inv(covariance + noise**2 * np.eye(len(known)))
        self._weights = self._inverse @ errors

    def _shared(self, design: Design, sd: float) -> list[float]:
        return [sd * other_sd * likeness(design, other) for other, other_sd in self._known]

    def correct(self, design: Design, prior: Guess) -> Guess:
        """The belief about a design's figure, given those that are known."""
        sd = prior.sd * self._doubt
        shared = np.array(self._shared(design, sd))
        variance = sd**2 - float(shared @ self._inverse @ shared)
        return Guess(prior.mean + float(shared @ self._weights), math.sqrt(max(variance, 0.0)))


def likeness(one: Design, other: Design) -> float:
    """How far the model's errors of two designs of a family go together, 0 to 1."""
    distance = sum(
        _distance(a, b)
        for (_, a), (_, b) in zip_longest(one.settings, other.settings, fillvalue=("copies", 1))
        if a != b
    )
    return _SHARED + (1 - _SHARED) * math.exp(-distance / 2)


def _distance(one: Value, other: Value) -> float:
    # -1 says "as another one": it is no amount.
    if isinstance(one, int) and isinstance(other, int) and min(one, other) >= 0:
        return (math.log2((1 + one) / (1 + other)) / _OCTAVES) ** 2
    return 1.0


def package_model() -> Predictor:
    """The model that comes with redcore; what many designs share is predicted once."""
    shared: dict[str, Shared] = {}

    def predict(design: Design, target: Target) -> Prediction | None:
        model = shared.setdefault(target.name, Shared(target, quick=True))
        return model.predict(design) if model.knows(design.family.name) else None

    return predict
