# SPDX-License-Identifier: Apache-2.0
"""Designs with what the model says of them: the points of the page, made once for each space.

Nothing here imports the web framework.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from redcore.catalogue import family as family_named
from redcore.design import Design, Geometry, Value, brief
from redcore.explore.belief import (
    Belief,
    Guesses,
    figures,
    from_guess,
    package_model,
)
from redcore.explore.objective import (
    Constraints,
    equivalent_area,
)
from redcore.explore.points import Figures
from redcore.explore.promising import SURE, promising
from redcore.model.prediction import Prediction
from redcore.synthesize import Target
from redcore.synthesize.targets import target as target_named
from redcore.units.base import Named, Unit
from redcore.web.asked import Question, SpaceKey, legal_families

_TURN_SECONDS = 0.01
"""How long the model is asked at a stretch."""
_AREAS = ("lut", "ff", "carry", "dsp", "bram", "lut_in_all")


@dataclass
class Candidate:
    """A design with what is known of it. ``ranges`` has low and high of what is predicted.

    ``geometry`` has its cycles, or at first bounds of them where they take long to know.
    """

    key: str
    design: Design
    geometry: Geometry
    predicted: Figures | None = None
    guesses: Guesses = field(default_factory=dict)
    prediction: Prediction | None = None
    """What the model says, as it says it; None where it is only guessed."""
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)
    extrapolates: tuple[str, ...] = ()
    """Why the model is on unknown ground, one sentence each."""
    guessed: bool = False
    """Whether the clock is only guessed: no model has one for the device."""
    target: Target | None = None

    @property
    def family(self) -> str:
        """The family's name."""
        return self.design.family.name

    @property
    def shows(self) -> str:
        """Of a design for secrets: what one power trace shows of them; or nothing."""
        said = self.design.follows_operands if self.design.family.holds_secrets else ""
        return f"For secrets take another multiplier: {said}." if said else ""

    @cached_property
    def named(self) -> Named | None:
        """The name that says some of the parameters, such as a curve's."""
        family = self.design.family
        if not isinstance(family, Unit):
            return None
        return family.recognized(self.design.width, self.design.values)

    @cached_property
    def defaults(self) -> dict[str, Value]:
        """Parameters as they are without any being set, but for what a name says."""
        said = self.named.settings if self.named else {}
        return self.design.family.complete(self.design.width, said)

    @cached_property
    def label(self) -> str:
        """The design's, with a name in place of what it says."""
        if self.named is None:
            return brief(self.design.label())
        unsaid = self.design.family.unsaid(self.design.values)
        own = [
            f"{name}{brief(value)}"
            for name, value in self._told
            if value != self.defaults[name] and name not in unsaid
        ]
        return "-".join((self.family, self.named.name, *own))

    @property
    def named_by(self) -> str:
        """What its name is one of, such as curve."""
        family = self.design.family
        return family.name_of if isinstance(family, Unit) else ""

    @property
    def title(self) -> str:
        """The family's; with a name in place of what all are that the unit does."""
        family = self.design.family
        if self.named is None or not isinstance(family, Unit):
            return family.title
        return f"{self.named.name} on: {family.multiplier.title}"

    def settings(self) -> list[tuple[str, str]]:
        """Parameters that have an effect, those first that are not at their defaults."""
        own = [(n, brief(v)) for n, v in self._told if v != self.defaults[n]]
        rest = [(n, brief(v)) for n, v in self._told if v == self.defaults[n]]
        return own + rest

    @property
    def _told(self) -> Iterator[tuple[str, Value]]:
        """The parameters that a name does not say, and that have an effect."""
        family, left = self.design.family, set(self.named.settings if self.named else ())
        if isinstance(family, Unit):
            effective = {each.name for each in family.to_be_said(self.design.values)}
            left |= {each.name for each in family.own if not each.searched} - effective
        return ((name, value) for name, value in self.design.settings if name not in left)

    def count(self) -> None:
        """Have cycles of its own in place of bounds, which may take a second."""
        if not self.geometry.at_least:
            return
        self.geometry = self.design.geometry
        if self.predicted is not None:
            self.predicted = Figures.at_clock(
                self.design, self.predicted, self.predicted.fmax_mhz, "predicted"
            )
            self.ranges = {**self.ranges, **_timed(self.predicted, self.ranges)}


@dataclass
class Asking:
    """A question on its way to its answer; the page looks at it to say how far that is."""

    question: Question
    designs: int = 0
    done: int = 0
    families: int = 0

    def told(self, designs: int, done: int, families: int) -> None:
        """Hear of progress."""
        self.designs, self.done, self.families = designs, done, families

    @property
    def share(self) -> float:
        """How much of it is done, 0 to 1."""
        return self.done / self.families if self.families else 0.0

    def text(self) -> str:
        """For people."""
        if not self.families:
            return "Asking the model …"
        return (
            f"Asking the model: {self.designs:,} designs so far, {self.done} of {self.families} "
            "families"
        )


class Superseded(Exception):
    """Nobody wants the answer any more."""


Told = Callable[[int, int, int], None]
"""Hears how far an answer is: designs so far, families done, families in all."""


def unheard(_designs: int, _done: int, _families: int) -> None:
    return


class _Spaces:
    """The points of the latest spaces, each made once however many ask for it at a time."""

    MOST = 24
    BELIEFS = 4
    """Widths and devices of which every prediction is kept, for other constraints and units."""

    def __init__(self) -> None:
        self._known: OrderedDict[SpaceKey, tuple[Candidate, ...]] = OrderedDict()
        self._making: dict[SpaceKey, threading.Lock] = {}
        self._beliefs: OrderedDict[tuple[int, str], Belief] = OrderedDict()
        self._lock = threading.Lock()

    def get(
        self, key: SpaceKey, wanted: Callable[[], bool], told: Told = unheard
    ) -> tuple[Candidate, ...]:
        """All points with the model's figures; raises Superseded once ``wanted`` says no."""
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        while not making.acquire(timeout=0.1):  # another visitor asks the same
            if not wanted():
                raise Superseded
        try:
            with self._lock:
                if key in self._known:
                    self._known.move_to_end(key)
                    return self._known[key]
            points = self._make(key, wanted, told)
            with self._lock:
                self._known[key] = points
                while len(self._known) > self.MOST:
                    self._making.pop(self._known.popitem(last=False)[0], None)
        finally:
            making.release()
        return points

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._known.clear()
            self._beliefs.clear()

    def _belief(self, width: int, target: Target) -> Belief:
        with self._lock:
            key = width, target.name
            found = self._beliefs.setdefault(key, Belief(package_model(), target))
            self._beliefs.move_to_end(key)
            while len(self._beliefs) > self.BELIEFS:
                self._beliefs.popitem(last=False)
        return found

    def _make(self, key: SpaceKey, wanted: Callable[[], bool], told: Told) -> tuple[Candidate, ...]:
        kind, width, target_name, families, fixed, one, constraints = key
        device = target_named(target_name)
        limits = (constraints or Constraints()).limits(device)
        takes = legal_families(kind, width, families, one)
        belief = self._belief(width, device)
        looked, slept = 0, time.monotonic()

        def look() -> None:
            nonlocal looked, slept
            if not wanted():
                raise Superseded
            looked += 1
            told(looked, len(done), len(takes))
            # Lets the server's other thread have its turn, so that pages stay quick. Not at each
            # design: on a busy machine a turn is milliseconds, more than a design takes.
            if time.monotonic() - slept > _TURN_SECONDS:
                time.sleep(0)
                slept = time.monotonic()

        def believe(design: Design) -> tuple[Figures, bool]:
            look()
            said, quick = belief.guesses(design), design.outlook
            bright = figures(design, said, SURE, quick)
            return figures(design, said, geometry=quick), all(
                e.excess(bright, device) <= 0 for e in limits
            )

        done: list[str] = []
        found: list[Candidate] = []
        for family in takes:
            name = family.name
            given = {each: [value] for each, value in fixed if each in family.names}
            for design in promising(kind, width, device, believe, families, given, name, one):
                if kind == "mul":
                    look()
                found.append(predicted(design, device, belief))
            done.append(name)
        told(looked, len(done), len(takes))
        return tuple(found)


SPACES = _Spaces()


def predicted(design: Design, target: Target, belief: Belief | None = None) -> Candidate:
    """A design with the model's figures, where there is a model for it.

    On devices whose clock is only estimated, after synthesis, what no model knows is guessed as
    ``redcore tune`` does; ``guessed`` says so.
    """
    belief = belief or Belief(package_model(), target)
    prediction = belief.predicted(design)
    found = Candidate(
        design.command_line(), design, design.outlook, prediction=prediction, target=target
    )
    if prediction is None and not target.estimated:
        return found
    guesses = found.guesses = belief.prior(design)
    ranges = found.ranges
    if prediction is not None:
        estimates = {name: getattr(prediction, name) for name in _AREAS}
        middle = Figures(**{name: round(each.value) for name, each in estimates.items()})
        ranges |= {name: (each.low, each.high) for name, each in estimates.items()}
        older = ("the model is of older RTL",) if prediction.stale else ()
        found.extrapolates = (*older, *prediction.extrapolates)
    else:
        middle = figures(design, guesses, geometry=found.geometry)
        for name in _AREAS:
            if (said := "lut" if name == "lut_in_all" else name) in guesses:
                ranges[name] = from_guess(guesses[said], count=True)
        found.extrapolates = (
            f"there is no model of {design.family.name} here, its area is guessed from its parts",
        )
    clock = prediction.fmax_mhz if prediction is not None else None
    if clock is None and target.estimated:
        found.guessed = True
        mhz: float | None = math.exp(guesses["clock"].mean)
        ranges["fmax_mhz"] = from_guess(guesses["clock"], count=False)
    else:
        mhz = None if clock is None else clock.value
        if clock is not None:
            ranges["fmax_mhz"] = (float(clock.low), float(clock.high))
    found.predicted = Figures.at_clock(design, middle, mhz, "predicted", found.geometry)
    ranges |= _timed(found.predicted, ranges)
    low, high = (_area_at(middle, ranges, end, target) for end in (0, 1))
    ranges["area"] = (low, high)
    return found


def _timed(
    middle: Figures, ranges: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """The ranges of rate and time, which are the clock's: cycles are exact."""
    mhz, rate, time_ns = middle.fmax_mhz, middle.ops_per_second, middle.time_per_op_ns
    if not (mhz and rate and time_ns):
        return {}
    low, high = ranges["fmax_mhz"]
    return {
        "ops_per_second": (rate * low / mhz, rate * high / mhz),
        "time_per_op_ns": (time_ns * mhz / high, time_ns * mhz / low),
    }


def _area_at(
    middle: Figures, ranges: Mapping[str, tuple[float, float]], end: int, target: Target
) -> float:
    """The area in one number at the low or the high end of all its parts."""
    parts: dict[str, Any] = {
        name: ranges[name][end] for name in ("lut_in_all", "ff", "dsp", "bram") if name in ranges
    }
    return equivalent_area(replace(middle, **parts), target)


def candidate(key: Mapping[str, Any], target: Target) -> Candidate:
    """The point that ``identity`` has written down."""
    design = family_named(key["family"]).design(int(key["width"]), key["values"])
    return predicted(design, target)


def identity(design: Design) -> dict[str, Any]:
    """A design as JSON."""
    return {"family": design.family.name, "width": design.width, "values": design.values}
