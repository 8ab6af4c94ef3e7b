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
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from redcore import moduli
from redcore.catalogue import family as family_named
from redcore.design import Design
from redcore.errors import BadInput
from redcore.explore.belief import (
    Belief,
    Guesses,
    figures,
    from_guess,
    package_model,
    trusted,
    uncertainty,
)
from redcore.explore.objective import (
    OBJECTIVES,
    Constraints,
    Limit,
    Objective,
    equivalent_area,
    undominated,
)
from redcore.explore.points import Figures, Point, Synthesis, ToolRun
from redcore.explore.promising import SURE, promising
from redcore.explore.request import Relaxation, nearest_of, relaxations
from redcore.explore.space import families_of, kinds, left_out, neighbours, what_is_left_out
from redcore.families import registered
from redcore.model.prediction import Prediction
from redcore.synthesize import SynthesisResult, Target
from redcore.synthesize.targets import target as target_named
from redcore.synthesize.targets import targets
from redcore.web.fields import FIELDS, written

UPLOAD_LIMIT = 64 * 1024
"""Bytes of a key file; a certificate of an 8192-bit key has about 4 KiB."""
_TEXT_LIMIT = 3000
"""Characters of a modulus as text: 8192 bits have 2467 decimal digits."""
_MOST_MHZ = 10_000
_TURN_SECONDS = 0.01
"""How long the model is asked at a stretch."""
MOST_DESIGNS = 32
"""Designs of one run of syntheses."""

_NEAR = 4.0
"""Where nothing fits, designs that break a constraint by so much more than the nearest one does
are not near to fitting."""

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
_AREAS = ("lut", "ff", "carry", "dsp", "bram", "lut_in_all")

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


Answered = TypeVar("Answered")
SpaceKey = tuple[str, int, str, tuple[str, ...], Constraints | None]
"""Kind, width in bits, target and families; of units the constraints, too: what of a multiplier
could pay depends on them."""


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
        units = self.constraints if self.kind != "mul" else None
        return self.kind, self.width, self.target.name, self.families, units


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

    def tried(name: str, asked: Callable[[], Answered]) -> Answered | None:
        try:
            return asked()
        except BadInput as error:
            errors[name] = sentence(error)
            return None

    modulus: moduli.NamedModulus | None = None
    if form.get("start") == "modulus":
        modulus = tried("modulus", lambda: _modulus(form))
        width = modulus.bits if modulus else 0
    else:
        width = tried("width", lambda: _width(form)) or 0
    limits = {
        name: tried(name, lambda name=name: _limit(form.get(name)))  # type: ignore[misc]
        for name in ("max_lut", "max_ff", "max_dsp", "max_bram")
    }
    frequency = tried("min_freq", lambda: _frequency(form.get("min_freq")))
    part = "mix" if form.get("objective") == MIX else "objective"
    objective = tried(part, lambda: Objective.parse(str(form.get(part))))
    chosen = [str(name) for name in form.get("families") or []]
    if unknown := [name for name in chosen if name not in family_titles()]:
        errors["families"] = f"There is no family {unknown[0]}."
    if not errors and chosen and not _legal_families(kind, width, chosen):
        spans = ", ".join(
            f"{f.name} {f.minimum_width} to {f.maximum_width}" for f in families_of(kind, chosen)
        )
        errors["families"] = f"None of these takes {width} bits; they take {spans}."
    constraints = Constraints(**limits, min_freq_mhz=frequency)
    for name in constraints.meaningless(target_named(target_name)) if target_name else ():
        errors[name] = f"{target_name} is made of gates and has none of these: leave it empty."
    if errors or objective is None:
        return None, errors
    return (
        Question(
            kind,
            width,
            target_named(target_name),
            objective,
            constraints,
            tuple(sorted(chosen)),
            modulus,
        ),
        {},
    )


def _modulus(form: Mapping[str, Any]) -> moduli.NamedModulus:
    found = read_modulus(form.get("modulus"), form.get("upload"))
    _check_width(found.bits, "a modulus of ")
    return found


def _width(form: Mapping[str, Any]) -> int:
    found = _whole(form.get("width"), "the width")
    _check_width(found, "a width of ")
    return found


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
    if not (math.isfinite(value) and 0 < value <= _MOST_MHZ):
        raise BadInput(f"a clock is a number of MHz above 0 and at most {_MOST_MHZ:,}, such as 150")
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
    try:
        return moduli.modulus(words)
    except BadInput as error:
        # The command line's advice, but for what is refused here.
        advice = str(error).replace(f" {moduli.RSA_PREFIX}FILE.pem,", "")
        raise BadInput(advice.replace(repr(words), _brief(words))) from None


def check_fits(found: moduli.NamedModulus, design: Design) -> None:
    """Raise BadInput where a design does not take the modulus."""
    moduli.check(found)
    if found.bits > design.width:
        raise BadInput(
            f"the modulus has {found.bits} bits and this design takes {design.width} at most; give "
            f"a smaller one, or ask for a width of {found.bits} bits"
        )


def _brief(words: str) -> str:
    """A text as a message may repeat it: the ends of a long one."""
    return repr(words if len(words) <= 48 else f"{words[:24]}…{words[-12:]}")


def read_upload(name: str, content: bytes) -> dict[str, str]:
    """The modulus of an uploaded key or certificate, as the form keeps it; raises BadInput.

    ``name`` is the browser's word: only its last part, and only printable characters, are used.
    """
    if len(content) > UPLOAD_LIMIT:
        raise BadInput(f"the file has more than {UPLOAD_LIMIT // 1024} KiB; a key is smaller")
    last = name.replace("\\", "/").rpartition("/")[2]
    safe = "".join(c for c in last if c.isprintable()) or "file"
    # The ends of a long name tell keys apart, and what kind of file it is.
    safe = safe if len(safe) <= 120 else f"{safe[:80]}…{safe[-30:]}"
    found = moduli.from_pem(Path(safe), content)
    moduli.check(found)
    _check_width(found.bits, "an RSA modulus of ")
    return {"value": hex(found.value), "title": found.title, "name": safe}


def sentence(error: Exception) -> str:
    """An error as a field says it: a capital letter, a full stop."""
    # A number of thousands of digits would fill the page.
    words = str(error).split()
    text = " ".join(w if len(w) <= 80 else f"{w[:24]}…{w[-12:]}" for w in words)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


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


def _unheard(_designs: int, _done: int, _families: int) -> None:
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
        self, key: SpaceKey, wanted: Callable[[], bool], told: Told = _unheard
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
        takes = _legal_families(kind, width, families or list(family_titles()))
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
            said = belief.guesses(design)
            bright = figures(design, said, SURE)
            return figures(design, said), all(e.excess(bright, device) <= 0 for e in limits)

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
        said = what_is_left_out(question.kind, question.width, question.families)
        return sentence(BadInput(said.partition(" (--")[0])) if said else ""

    @cached_property
    def unmodelled(self) -> list[str]:
        """Families of which the model knows nothing here."""
        known = {each.family for each in self.points if each.predicted is not None}
        return sorted({each.family for each in self.points} - known)

    @cached_property
    def _by_key(self) -> dict[str, Candidate]:
        return {each.key: each for each in self.points}


def answer(
    question: Question, wanted: Callable[[], bool] = lambda: True, told: Told = _unheard
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
        return "Nothing fits. " + " ".join(_way(each, target) for each in ways), first
    point = nearest_of(said, limits, target)
    assert point is not None and point.measured is not None
    found = point.measured
    broken = ", ".join(_named(each, target) for each in limits if each.excess(found, target) > 0)
    return (
        f"Nothing fits, whichever single constraint is dropped. Nearest is {point.design.label()} "
        f"with {found.lut_in_all:,} LUTs, {found.ff:,} flip-flops, {found.dsp} DSP blocks and "
        f"{found.bram} block RAMs; it breaks {broken}."
    ), by_design[point.design]


def _named(limit: Limit, target: Target) -> str:
    if limit.device:
        return f"the {limit.value:,g} {limit.unit} of {target.name}"
    name = "min_freq" if limit.least else f"max_{limit.metric}"
    return f"‘{FIELDS[name].label}’ {limit.value:,g}"


def _way(each: Relaxation, target: Target) -> str:
    """One constraint that alone stands in the way."""
    if each.limit.device:
        change = (
            f"With {each.needed:,.0f} {each.limit.unit} instead of {_named(each.limit, target)}"
        )
    else:
        sign = "at most" if each.limit.least else "at least"
        asked = f"{each.limit.value:,g}"
        label = _named(each.limit, target).removesuffix(f" {asked}")
        change = f"With {label} {sign} {each.needed:,.0f} instead of {asked}"
    return f"{change}, {each.point.design.label()} would fit by the model."


def figure(point: Candidate, measurement: Mapping[str, Any] | None, name: str) -> float | None:
    """One figure of a point, the measured one where there is one."""
    if name == "latency_cycles":
        return float(point.design.geometry.latency_cycles)
    if name == "interval_cycles":
        return float(point.design.geometry.interval_cycles)
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
    for design in neighbours(found.best.design):
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
    return _kept(Figures.of(design, result), result.tool_versions)


def known(design: Design, target: Target, seed: int) -> dict[str, Any] | None:
    """What the result store has of a synthesis already; quick."""
    found = Synthesis().known(ToolRun(design, target, seed, target.places))
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
        rank = _rank(point, figures, question)
        if rank is not None:
            scored.append((rank, point, measurement))
    scored.sort(key=itemgetter(0))
    return [(point, measurement) for _, point, measurement in scored]


def figures_of(measurement: Mapping[str, Any]) -> Figures:
    """The figures of a job's result."""
    names = Figures.__dataclass_fields__
    return Figures(**{name: measurement[name] for name in names if name in measurement})
