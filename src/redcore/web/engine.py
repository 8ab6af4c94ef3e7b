# SPDX-License-Identifier: Apache-2.0
"""From the form's texts to points with figures: what the page shows, without the page.

This is all that the page knows of the model and of the explorer, so that either may change. Nothing
here imports the web framework.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from redcore import moduli
from redcore.errors import BadInput
from redcore.explore.belief import model_of_the_package
from redcore.explore.objective import OBJECTIVES, Constraints, Objective
from redcore.explore.points import Figures, Synthesis
from redcore.explore.points import Job as Run
from redcore.explore.space import families_of, kinds, neighbours, space
from redcore.families import Design, registered
from redcore.families import family as family_named
from redcore.synthesize import SynthesisResult, Target
from redcore.synthesize.targets import target as target_named
from redcore.synthesize.targets import targets
from redcore.web.fields import written

UPLOAD_LIMIT = 64 * 1024
"""Bytes of a key file; a certificate of an 8192-bit key has about 4 KiB."""
_TEXT_LIMIT = 3000
"""Characters of a modulus as text: 8192 bits have 2467 decimal digits."""
MOST_DESIGNS = 32
"""Designs of one run of syntheses."""

_KIND_TITLES = {
    "mul": "Modular multiplication",
    "exp": "Modular exponentiation",
    "prime": "Prime test",
    "prime-gen": "Prime generation",
    "rsa": "RSA private operation",
}
_OBJECTIVE_TITLES = {
    "throughput": "Throughput",
    "latency": "Latency",
    "area": "Area",
    "throughput-per-area": "Throughput per area",
}
MIX = "mix"

DEFAULT_FORM: dict[str, Any] = {
    "kind": "mul",
    "start": "width",
    "width": "256",
    "modulus": "p256",
    "upload": None,
    "target": "ecp5-85k",
    "objective": "throughput-per-area",
    "mix": "throughput=1,area=0.5",
    "max_lut": "",
    "max_ff": "",
    "max_dsp": "",
    "max_bram": "",
    "min_freq": "",
    "families": [],
}
"""The form as a newcomer finds it; every value is what its field holds, mostly text."""


def kind_titles() -> dict[str, str]:
    """What can be asked for: names and titles."""
    return {kind: _KIND_TITLES.get(kind, kind.capitalize()) for kind in kinds()}


def objective_titles() -> dict[str, str]:
    """What may be best: names and titles; the last one is a mix that the user writes."""
    return {name: _OBJECTIVE_TITLES.get(name, name) for name in OBJECTIVES} | {MIX: "A mix"}


def target_titles() -> dict[str, str]:
    """Devices: names and titles, those with place and route first."""
    return {name: f"{name} · {each.title}" for name, each in targets().items()}


def family_titles() -> dict[str, str]:
    """The multipliers: names and titles."""
    return {name: each.title for name, each in registered().items() if each.kind == "mul"}


SpaceKey = tuple[str, int, str, tuple[str, ...]]
"""Kind, width in bits, target and families."""


@dataclass(frozen=True)
class Question:
    """A form that makes sense. ``modulus`` is None where it starts from the width."""

    kind: str
    width: int
    target: Target
    objective: Objective
    constraints: Constraints
    families: tuple[str, ...]
    modulus: moduli.NamedModulus | None

    @property
    def space_key(self) -> SpaceKey:
        """What decides the points, but not which is best."""
        return self.kind, self.width, self.target.name, self.families


def read(form: Mapping[str, Any]) -> tuple[Question | None, dict[str, str]]:
    """The question a form asks, or None and one sentence for each field that cannot be taken."""
    errors: dict[str, str] = {}

    def kept(name: str, value: Any, allowed: Iterable[str]) -> str:
        if value in allowed:
            return str(value)
        errors[name] = "Choose one of the list."
        return ""

    kind = kept("kind", form.get("kind"), kinds())
    target_name = kept("target", form.get("target"), targets())
    modulus: moduli.NamedModulus | None = None
    width = 0
    if form.get("start") == "modulus":
        try:
            modulus = read_modulus(form.get("modulus"), form.get("upload"))
            width = modulus.bits
            _check_width(width, "a modulus of ")
        except BadInput as error:
            errors["modulus"] = sentence(error)
    else:
        try:
            width = _whole(form.get("width"), "the width")
            _check_width(width, "a width of ")
        except BadInput as error:
            errors["width"] = sentence(error)
    limits: dict[str, int | None] = {}
    for name in ("max_lut", "max_ff", "max_dsp", "max_bram"):
        try:
            limits[name] = _limit(form.get(name))
        except BadInput as error:
            errors[name] = sentence(error)
    frequency: float | None = None
    try:
        frequency = _frequency(form.get("min_freq"))
    except BadInput as error:
        errors["min_freq"] = sentence(error)
    objective: Objective | None = None
    try:
        mixed = form.get("objective") == MIX
        objective = Objective.parse(str(form.get("mix") if mixed else form.get("objective")))
    except BadInput as error:
        errors["mix" if form.get("objective") == MIX else "objective"] = sentence(error)
    chosen = [str(name) for name in form.get("families") or []]
    if unknown := [name for name in chosen if name not in family_titles()]:
        errors["families"] = f"There is no family {unknown[0]}."
    if not errors and chosen and not _legal_families(kind, width, chosen):
        spans = ", ".join(
            f"{f.name} {f.minimum_width} to {f.maximum_width}" for f in families_of(kind, chosen)
        )
        errors["families"] = f"None of these takes {width} bits; they take {spans}."
    if errors or objective is None:
        return None, errors
    return (
        Question(
            kind,
            width,
            target_named(target_name),
            objective,
            Constraints(**limits, min_freq_mhz=frequency),
            tuple(sorted(chosen)),
            modulus,
        ),
        {},
    )


def _legal_families(kind: str, width: int, names: Sequence[str]) -> list[str]:
    return [
        each.name
        for each in families_of(kind, names)
        if each.minimum_width <= width <= each.maximum_width
    ]


def widths() -> tuple[int, int]:
    """The least and the greatest width that any multiplier takes, in bits."""
    each = [family for family in registered().values() if family.kind == "mul"]
    return min(f.minimum_width for f in each), max(f.maximum_width for f in each)


def _check_width(width: int, what: str) -> None:
    least, most = widths()
    if not least <= width <= most:
        raise BadInput(f"{what}{width} bits is outside {least} to {most}")


def _whole(text: Any, what: str) -> int:
    words = str(text if text is not None else "").strip()
    try:
        if len(words) > 20:
            raise ValueError
        return int(words, 0)
    except ValueError:
        raise BadInput(f"{what} is a whole number, such as 256") from None


def _limit(text: Any) -> int | None:
    words = str(text if text is not None else "").strip().replace(",", "").replace("_", "")
    if not words:
        return None
    value = _whole(words, "a limit")
    if value < 0:
        raise BadInput("a limit is not below 0")
    return value


def _frequency(text: Any) -> float | None:
    words = str(text if text is not None else "").strip()
    if not words:
        return None
    try:
        value = float(words)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and 0 < value <= 10_000):
        raise BadInput("a clock is a number of MHz above 0, such as 150")
    return value


def read_modulus(text: Any, upload: Mapping[str, str] | None = None) -> moduli.NamedModulus:
    """The modulus of the form: an uploaded one, else what the text says.

    Raises BadInput. Unlike the command line's, a text never names a file of this machine.
    """
    if upload:
        found = moduli.NamedModulus(None, int(upload["value"], 16), upload["title"])
        moduli.check(found)
        return found
    words = str(text or "").strip()
    if not words:
        raise BadInput("give a name such as p256, or a number, or upload a key")
    if words.startswith(moduli.RSA_PREFIX):
        raise BadInput("upload the key file instead of naming it")
    if len(words) > _TEXT_LIMIT:
        raise BadInput(f"more than {_TEXT_LIMIT} characters; no core is that wide")
    return moduli.modulus(words)


def read_upload(name: str, content: bytes) -> dict[str, str]:
    """The modulus of an uploaded key or certificate, as the form keeps it; raises BadInput.

    ``name`` is the browser's word: only its last part, and only printable characters, are used.
    """
    if len(content) > UPLOAD_LIMIT:
        raise BadInput(f"the file has more than {UPLOAD_LIMIT // 1024} KiB; a key is smaller")
    last = PureWindowsPath(PurePosixPath(name).name).name
    safe = "".join(c for c in last if c.isprintable())[:60] or "file"
    found = moduli.from_pem(Path(safe), content)
    moduli.check(found)
    _check_width(found.bits, "an RSA modulus of ")
    return {"value": hex(found.value), "title": found.title, "name": safe}


def sentence(error: Exception) -> str:
    """An error as a field says it: a capital letter, a full stop."""
    text = " ".join(str(error).split())
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


@dataclass
class Candidate:
    """A design with what is known of it. ``ranges`` has low and high of what is predicted."""

    key: str
    design: Design
    predicted: Figures | None = None
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)
    extrapolates: tuple[str, ...] = ()
    """Why the model is on unknown ground, one sentence each."""
    basis: str = ""

    @property
    def family(self) -> str:
        """The family's name."""
        return self.design.family.name

    def settings(self) -> list[tuple[str, str]]:
        """Parameters that are not at their defaults come first."""
        defaults = self.design.family.complete(self.design.width, {})
        own = [(n, str(v)) for n, v in self.design.settings if v != defaults[n]]
        rest = [(n, str(v)) for n, v in self.design.settings if v == defaults[n]]
        return own + rest


class Superseded(Exception):
    """Nobody wants the answer any more."""


class _Spaces:
    """The points of the latest spaces, each made once however many ask for it at a time."""

    MOST = 24

    def __init__(self) -> None:
        self._known: OrderedDict[SpaceKey, tuple[Candidate, ...]] = OrderedDict()
        self._making: dict[SpaceKey, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: SpaceKey, wanted: Callable[[], bool]) -> tuple[Candidate, ...]:
        """All points with the model's figures; raises Superseded once ``wanted`` says no."""
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                if key in self._known:
                    self._known.move_to_end(key)
                    return self._known[key]
            points = self._make(key, wanted)
            with self._lock:
                self._known[key] = points
                while len(self._known) > self.MOST:
                    self._making.pop(self._known.popitem(last=False)[0], None)
        return points

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._known.clear()

    @staticmethod
    def _make(key: SpaceKey, wanted: Callable[[], bool]) -> tuple[Candidate, ...]:
        kind, width, target_name, families = key
        device = target_named(target_name)
        takes = _legal_families(kind, width, families or list(family_titles()))
        found = []
        for design in space(kind, width, device, takes):
            if not wanted():
                raise Superseded
            found.append(predicted(design, device))
            time.sleep(0)  # lets the server's other thread have its turn, so that pages stay quick
        return tuple(found)


SPACES = _Spaces()


def predicted(design: Design, target: Target) -> Candidate:
    """A design with the model's figures, where there is a model for it."""
    found = Candidate(design.command_line(), design)
    prediction = model_of_the_package(design, target)
    if prediction is None:
        return found
    resources = Figures(
        **{
            name: round(getattr(prediction, name).value)
            for name in ("lut", "ff", "carry", "dsp", "bram", "lut_in_all")
        }
    )
    clock = prediction.fmax_mhz
    mhz = None if clock is None else clock.value
    found.predicted = Figures.at_clock(design, resources, mhz, "predicted")
    for name in ("lut", "ff", "carry", "dsp", "bram", "lut_in_all", "fmax_mhz",
                 "time_per_op_ns", "ops_per_second"):  # fmt: skip
        estimate = getattr(prediction, name, None)
        if estimate is not None:
            found.ranges[name] = (float(estimate.low), float(estimate.high))
    found.extrapolates = tuple(getattr(prediction, "extrapolates", ()))
    found.basis = str(getattr(prediction, "basis", ""))
    return found


def candidate(key: Mapping[str, Any], target: Target) -> Candidate:
    """The point that ``identity`` has written down."""
    design = family_named(key["family"]).design(int(key["width"]), key["values"])
    return predicted(design, target)


def identity(design: Design) -> dict[str, Any]:
    """A design as JSON."""
    return {"family": design.family.name, "width": design.width, "values": design.values}


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

    def point(self, key: str) -> Candidate | None:
        """The point of that key."""
        return self._by_key.get(key)

    @cached_property
    def unmodelled(self) -> list[str]:
        """Families of which the model knows nothing here."""
        known = {each.family for each in self.points if each.predicted is not None}
        return sorted({each.family for each in self.points} - known)

    @cached_property
    def _by_key(self) -> dict[str, Candidate]:
        return {each.key: each for each in self.points}


def answer(question: Question, wanted: Callable[[], bool] = lambda: True) -> Answer:
    """The model's answer; seconds for a new space, and at once for a known one.

    Raises BadInput where the space is empty, and Superseded where ``wanted`` says no meanwhile.
    """
    points = SPACES.get(question.space_key, wanted)
    target = question.target
    modelled = [each for each in points if each.predicted is not None]
    if not modelled:
        unmodelled = (
            f"There is no model for {target.name} yet: the points show cycles, which are exact. "
            "Run syntheses for area and clock."
        )
        return Answer(question, points, frozenset(), None, [], unmodelled)
    broken: dict[str, int] = {}
    scored: list[tuple[float, Candidate]] = []
    fitting: set[str] = set()
    for each in modelled:
        assert each.predicted is not None
        limits = question.constraints.broken(each.predicted, target)
        for limit in limits:
            broken[limit.text()] = broken.get(limit.text(), 0) + 1
        if limits:
            continue
        fitting.add(each.key)
        score = question.objective.score(each.predicted, target)
        if score is not None:
            scored.append((score, each))
    scored.sort(key=lambda pair: (-pair[0], pair[1].key))
    reason = None
    if not fitting and broken:
        hardest = max(broken, key=lambda text: broken[text])
        reason = f"Nothing fits: {broken[hardest]} of {len(modelled)} designs break {hardest}."
    elif not scored:
        reason = (
            f"{target.name} has no clock to be had, which the objective needs: "
            "take ‘Area’, or a device with place and route."
        )
    ranked = [each for _, each in scored]
    return Answer(question, points, frozenset(fitting), ranked[0] if ranked else None, ranked,
                  reason)  # fmt: skip


def figure(point: Candidate, measurement: Mapping[str, Any] | None, name: str) -> float | None:
    """One figure of a point, the measured one where there is one."""
    if name == "latency_cycles":
        return float(point.design.geometry.latency_cycles)
    if name == "interval_cycles":
        return float(point.design.geometry.interval_cycles)
    if measurement is not None:
        value = measurement.get(name)
    else:
        value = point.predicted and getattr(point.predicted, name)
    return None if value is None else float(value)


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
    for each in points:
        a = figure(each, measured_by_key.get(each.key), x)
        b = figure(each, measured_by_key.get(each.key), y)
        if a is not None and b is not None:
            placed.append((-x_better * a, -y_better * b, each.key, each))
    found: list[Candidate] = []
    least = math.inf
    for _, cost, _, each in sorted(placed, key=lambda entry: entry[:3]):
        if cost < least:
            found.append(each)
            least = cost
    return found


def around(found: Answer, count: int) -> list[Candidate]:
    """The designs to synthesize around the model's optimum: it, its neighbours, the runners-up.

    Half of them are the best neighbours, one step away in one parameter, that keep the
    constraints; the others the next best wherever they are, for the model may rank them wrongly.
    """
    if found.best is None:
        return []
    question = found.question
    near: list[tuple[float, Candidate]] = []
    for design in neighbours(found.best.design):
        each = predicted(design, question.target)
        if each.predicted is None or question.constraints.broken(each.predicted, question.target):
            continue
        score = question.objective.score(each.predicted, question.target)
        if score is not None:
            near.append((score, each))
    near.sort(key=lambda pair: (-pair[0], pair[1].key))
    wanted = [found.best, *(each for _, each in near[: count // 2]), *found.ranked]
    unique = {each.key: each for each in wanted}
    return list(unique.values())[:count]


def measured(result: SynthesisResult, design: Design) -> dict[str, Any]:
    """A synthesis as a job keeps it: figures, and a line for the log."""
    return _kept(Figures.of(design, result), result.tool_versions)


def known(design: Design, target: Target, seed: int) -> dict[str, Any] | None:
    """What the result store has of a synthesis already; quick."""
    found = Synthesis().known(Run(design, target, seed, target.places))
    return None if found is None or found.failure else _kept(found, {})


def _kept(figures: Figures, versions: Mapping[str, str]) -> dict[str, Any]:
    words = [f"{figures.lut:,} LUTs", f"{figures.ff:,} flip-flops"]
    if figures.fmax_mhz is not None:
        words.append(written("fmax_mhz", figures.fmax_mhz))
        words.append(written("ops_per_second", figures.ops_per_second))
    return figures.to_json() | {"tool_versions": dict(versions), "summary": ", ".join(words)}


def best_measured(
    points: Iterable[tuple[Candidate, Mapping[str, Any]]], question: Question
) -> list[tuple[Candidate, Mapping[str, Any]]]:
    """Measured points that keep the constraints, best first."""
    scored = []
    for point, measurement in points:
        figures = figures_of(measurement)
        if figures.failure or question.constraints.broken(figures, question.target):
            continue
        score = question.objective.score(figures, question.target)
        if score is not None:
            scored.append((-score, point.key, point, measurement))
    scored.sort(key=lambda entry: entry[:2])
    return [(point, measurement) for _, _, point, measurement in scored]


def figures_of(measurement: Mapping[str, Any]) -> Figures:
    """The figures of a job's result."""
    given: dict[str, Any] = {name: measurement.get(name) for name in Figures.__dataclass_fields__}
    return Figures(**given)
