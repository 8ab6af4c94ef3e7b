# SPDX-License-Identifier: Apache-2.0
"""Designs with what the model says of them: the points of the page, made once for each space.

Nothing here imports the web framework.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from redcore.catalogue import family as family_named
from redcore.design import Design
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
from redcore.web.asked import Question, SpaceKey, family_titles, legal_families

_TURN_SECONDS = 0.01
"""How long the model is asked at a stretch."""
_AREAS = ("lut", "ff", "carry", "dsp", "bram", "lut_in_all")


@dataclass
class Candidate:
    """A design with what is known of it. ``ranges`` has low and high of what is predicted."""

    key: str
    design: Design
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

    def settings(self) -> list[tuple[str, str]]:
        """Parameters that are not at their defaults come first."""
        defaults = self.design.family.complete(self.design.width, {})
        own = [(n, str(v)) for n, v in self.design.settings if v != defaults[n]]
        rest = [(n, str(v)) for n, v in self.design.settings if v == defaults[n]]
        return own + rest


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
        kind, width, target_name, families, constraints = key
        device = target_named(target_name)
        limits = (constraints or Constraints()).limits(device)
        takes = legal_families(kind, width, families or list(family_titles()))
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
        for name in takes:
            for design in promising(kind, width, device, believe, families, only=name):
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
    found = Candidate(design.command_line(), design, prediction=prediction, target=target)
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
        middle = figures(design, guesses)
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
    found.predicted = Figures.at_clock(design, middle, mhz, "predicted")
    if mhz:
        low, high = ranges["fmax_mhz"]
        rate, time_ns = found.predicted.ops_per_second, found.predicted.time_per_op_ns
        if rate and time_ns:  # cycles are exact
            ranges["ops_per_second"] = (rate * low / mhz, rate * high / mhz)
            ranges["time_per_op_ns"] = (time_ns * mhz / high, time_ns * mhz / low)
    low, high = (_area_at(middle, ranges, end, target) for end in (0, 1))
    ranges["area"] = (low, high)
    return found


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
