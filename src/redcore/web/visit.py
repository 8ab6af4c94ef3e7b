# SPDX-License-Identifier: Apache-2.0
"""One visitor's state: the question and its answer, what was measured, what is compared."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

from redcore.design import Design
from redcore.errors import BadInput
from redcore.synthesize import Target
from redcore.synthesize.targets import target as target_named
from redcore.web import asked, candidates, chart, engine, jobs
from redcore.web.asked import Question
from redcore.web.candidates import Candidate
from redcore.web.engine import Answer
from redcore.web.fields import FIGURES
from redcore.web.jobs import Job, Queue, Step

MOST_COMPARED = 5
RUN_FORM: dict[str, Any] = {"around": "around", "count": "6", "seed": "1"}
AXES: dict[str, Any] = {"x": "area", "y": "ops_per_second"}
FORMS = {"form": asked.DEFAULT_FORM, "run": RUN_FORM, "axes": AXES}


class Visit:
    """What the panels share. ``store`` outlives the visit: forms, axes, what is compared."""

    def __init__(self, queue: Queue, owner: str, store: MutableMapping[str, Any]) -> None:
        self.queue = queue
        self.owner = owner
        self.store = store
        # What was kept may be of another release, or damaged.
        for name, new in FORMS.items():
            store[name] = kept(store.get(name), new)
        for axis, name in AXES.items():
            if store["axes"][axis] not in FIGURES:
                store["axes"][axis] = name
        compared = store.get("compare")
        known = compared if isinstance(compared, list) else []
        store["compare"] = [each for each in known if isinstance(each, dict)]
        self.form: dict[str, Any] = store["form"]
        self.question: Question | None = None
        """The one that ``answer`` is of; it stands until a new one has its answer."""
        self.answer: Answer | None = None
        self.fresh = False
        """Whether the answer is of the form as it is now; only then it may be acted on."""
        self.hidden: set[str] = set()
        """Families that the chart leaves out."""
        self.outside = False
        """Whether the chart shows designs that break a constraint."""
        self.measured: dict[str, dict[str, Any]] = {}
        self.extra: dict[str, Candidate] = {}
        """Measured points outside the question's space."""
        self.selected: str | None = None

    def read_measurements(self) -> None:
        """What this visitor's syntheses found for the question's device and width."""
        self.measured, self.extra = {}, {}
        if self.question is None:
            return
        known = {each.key for each in self.answer.points} if self.answer else set()
        for job in reversed(self.queue.jobs(self.owner)):
            if job.kind != "syntheses":
                continue
            for step in job.steps:
                point = self._measured_point(step)
                if point is not None and step.result is not None:
                    self.measured[point.key] = step.result
                    if point.key not in known:
                        self.extra[point.key] = point

    def _measured_point(self, step: Step) -> Candidate | None:
        """The point of a finished synthesis that belongs to the question; None for others."""
        request, question = step.request, self.question
        if (
            question is None
            or step.state != jobs.DONE
            or request.get("target") != question.target.name
            or request.get("width") != question.width
        ):
            return None
        try:
            point = _cached_candidate(request, question.target)
        except BadInput:  # of another release
            return None
        return point if question.is_of(point.design) else None

    def point(self, key: str | None) -> Candidate | None:
        """The point of that key, in the space or beside it."""
        if key is None:
            return None
        if key in self.extra:
            return self.extra[key]
        return self.answer.point(key) if self.answer else None

    def colour(self, point: Candidate) -> str:
        """A point's family's colour."""
        every = {each.family for each in self.answer.points} if self.answer else set()
        every |= {each.family for each in self.extra.values()} | {point.family}
        return chart.colour(point.family, sorted(every))

    def current(self) -> Job | None:
        """The syntheses that are shown: the active ones, else the latest."""
        mine = [job for job in self.queue.jobs(self.owner) if job.kind == "syntheses"]
        return next((job for job in mine if job.active), mine[0] if mine else None)

    def compared(self) -> list[tuple[dict[str, Any], Candidate, Target]]:
        """What is compared: how it is kept, the point, its device."""
        found = []
        for entry in self.store["compare"]:
            try:
                target = target_named(str(entry.get("target")))
                found.append((entry, _cached_candidate(entry, target), target))
            except BadInput:  # of another release
                continue
        return found

    def compare(self, point: Candidate) -> None:
        """Put a point among those that are compared; the oldest goes where there are too many."""
        if self.question is None:
            return
        entry = candidates.identity(point.design) | {"target": self.question.target.name}
        kept = [each for each in self.store["compare"] if each != entry]
        self.store["compare"] = [*kept[-(MOST_COMPARED - 1) :], entry]

    def forget(self, entry: dict[str, Any]) -> None:
        """Compare a point no longer."""
        self.store["compare"] = [each for each in self.store["compare"] if each != entry]

    def measurement(self, point: Candidate, target: Target) -> dict[str, Any] | None:
        """What this visitor's syntheses found for a point on any device."""
        for job in self.queue.jobs(self.owner):
            for step in job.steps:
                if (
                    job.kind == "syntheses"
                    and step.state == jobs.DONE
                    and step.request.get("target") == target.name
                    and _same(step.request, point.design)
                ):
                    return step.result
        return None

    def best(self) -> Candidate | None:
        """The best measured point, else the model's optimum."""
        if self.question is None:
            return None
        pairs = [(p, m) for key, m in self.measured.items() if (p := self.point(key)) is not None]
        ranked = engine.best_measured(pairs, self.question)
        return ranked[0][0] if ranked else self.answer.best if self.answer else None


def _same(entry: Mapping[str, Any], design: Design) -> bool:
    return candidates.identity(design).items() <= entry.items()


_CANDIDATES: dict[tuple[Any, ...], Candidate] = {}


def kept(found: Any, new: Mapping[str, Any]) -> dict[str, Any]:
    """A form as it was kept: its own fields alone, each with what such a field holds."""
    known = found if isinstance(found, dict) else {}
    kinds = {name: dict if value is None else type(value) for name, value in new.items()}
    return dict(new) | {
        name: known[name] for name, kind in kinds.items() if isinstance(known.get(name), kind)
    }


def _cached_candidate(entry: Mapping[str, Any], target: Target) -> Candidate:
    """The point that was written down; raises BadInput where it is none."""
    name, width, values = (entry.get(each) for each in ("family", "width", "values"))
    if not isinstance(name, str) or not isinstance(width, int) or not isinstance(values, dict):
        raise BadInput("this is no design")
    if not all(isinstance(each, int | str) for each in values.values()):
        raise BadInput("these are no parameters")
    key = (name, width, tuple(sorted(values.items())), target.name)
    if key not in _CANDIDATES:
        if len(_CANDIDATES) > 2000:
            _CANDIDATES.clear()
        _CANDIDATES[key] = candidates.candidate(entry, target)
    return _CANDIDATES[key]
