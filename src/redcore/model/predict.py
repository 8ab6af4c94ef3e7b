# SPDX-License-Identifier: Apache-2.0
"""From a calibrated model to a prediction, and to what it does not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import hypot, log2

from redcore.catalogue import UNITS, parts
from redcore.design import BUS, COPIES, Design, number
from redcore.errors import BadInput
from redcore.model import thesis
from redcore.model.fitting import Law
from redcore.model.models import AREAS, Model, find, memory_of, terms_of
from redcore.model.prediction import Estimate, Prediction
from redcore.synthesize import Target, target
from redcore.units.copies import Several
from redcore.units.hosted import Hosted

_MARGIN = 0.02
"""How far beyond the observed range a term may lie without being told."""
NOISE = {"lut": 0.01, "ff": 0.005, "carry": 0.01, "delay": 0.04}
"""Relative standard deviation that no model knows, however good the fit: the logic optimizer's
choices, and of the clock the seeds of place and route (together those of
csa_ecp5_clock, cios_ecp5_clock and carrychain_ecp5_clock in benchmarks/)."""
_PUBLISHED_ERROR = 1.12
"""The source's two clocks beside its model are 2 and 10 % lower (Le Masle 2009, section 5.5.1)."""
_UNLIKE = 2.0
"""Strangeness above which a design is called unlike all that were observed."""
_MATTERS = 0.05
"""The part of a figure that a term has to add beyond what was observed of it to be told."""
OLDER_RTL = "the RTL has changed since"
"""What a prediction's basis ends with where its model is of older RTL."""


DOUBLING = {"lut": 0.07, "ff": 0.03, "carry": 0.1, "delay": 0.04}
UNSEEN = {"lut": 0.42, "ff": 0.8, "carry": 0.8, "delay": 0.4}
"""Relative standard deviation of a law's error, beyond what it was fitted to: for each doubling,
and for a term or a choice that was never observed. They are what models fitted without the ends of
their observations need to hold four of five of these (benchmarks/model_ranges.md). Of DSP and
memory blocks, whose laws are exact, as of LUTs."""


def has_model(family_name: str, target_name: str) -> bool:
    """Whether ``predict`` has a model for designs of the family on the target."""
    device = target(target_name)
    unit, multiplier = parts(family_name)
    needed = [family_name]
    needed += [f"exp-{multiplier}"] if unit in UNITS and unit != "exp" else []
    needed += [multiplier] if unit else []
    return all(find(name, device) is not None for name in needed)


def predict(design: Design, target: Target) -> Prediction:
    """Area, clock, throughput and latency of ``design`` on ``target``, without synthesis.

    A unit is predicted as the sum of the designs inside it and what it adds. Raises BadInput where
    there is no model of the family, or of a design inside, for the target's devices.
    """
    return Predictor(target).predict(design)


class Predictor:
    """Predictions of many designs for one target: what they share is looked up and said once.

    That is the models, which are files, and what is inside of units.
    """

    def __init__(self, target: Target, quick: bool = False) -> None:
        """``quick``: times are of ``Design.outlook``, for searches, which ask for areas alone."""
        self._target, self._quick = target, quick
        self._models: dict[str, Model | None] = {}
        self._complete: dict[str, bool] = {}
        self._inside: dict[Design, Prediction] = {}

    def knows(self, family_name: str) -> bool:
        """Whether there is a model for the family's designs; see ``has_model``."""
        if family_name not in self._complete:
            self._complete[family_name] = has_model(family_name, self._target.name)
        return self._complete[family_name]

    def predict(self, design: Design) -> Prediction:
        """As the function of that name."""
        if isinstance(design.family, Several):
            return self._copies(design, design.family)
        if isinstance(design.family, Hosted):
            bus = design.values[BUS.name]
            raise BadInput(
                f"registers and streams in front of a unit are in no model; leave out bus={bus}, or"
                f" measure it: redcore synth {design.command_line()} --target {self._target.name}"
            )
        model = self._model(design.family.name)
        inside = Counter(design.family.inside(design.width, design.values))
        if not inside:
            return from_model(model, design, self._target, self._quick)
        parts = [(each, self._part(each), count) for each, count in inside.items()]
        return with_inside(model, design, self._target, parts, self._quick)

    def _copies(self, design: Design, family: Several) -> Prediction:
        """The sum of them, and what shares out and collects, whose cells are counted.

        Nobody has measured how the clock falls as a device fills, which is told.
        """
        inside = Counter(family.inside(design.width, design.values))
        said = {each: self._part(each) for each in inside}
        terms = design.terms(memory_of(self._target))
        area = {
            name: reduce(
                Estimate.plus,
                (getattr(said[each], name).scaled(count) for each, count in inside.items()),
            )
            for name in AREAS
        }
        for name, amounts in (("lut", terms.lut), ("ff", terms.ff)):
            cells = sum(amounts.values())
            area[name] = area[name].plus(Estimate(cells, cells / 2, 2 * cells))
        one, copies = next(iter(said.values())), number(design.values, COPIES.name)
        period = one.fmax_mhz and one.fmax_mhz.inverse(1e3)
        note = f"copies={copies}: the clock is that of one; of so full a device none was calibrated"
        reasons = (*one.extrapolates, note)
        return assemble(
            design, self._target, area, period, reasons, f"{copies} times: {one.basis}", one.stale,
            self._quick,
        )  # fmt: skip

    def _part(self, design: Design) -> Prediction:
        """Of what is inside others, once."""
        if design not in self._inside:
            self._inside[design] = self.predict(design)
        return self._inside[design]

    def _model(self, name: str) -> Model:
        if name not in self._models:
            self._models[name] = find(name, self._target)
        model = self._models[name]
        if model is None:
            raise BadInput(
                f"there is no model of {name} on {self._target.name}; calibrate one with:"
                f" redcore calibrate {name} --target {self._target.name}"
            )
        return model


def from_model(model: Model, design: Design, target: Target, quick: bool = False) -> Prediction:
    """What one model says of a design; of a unit, what it adds.

    ``quick`` is as of ``Predictor``.
    """
    terms = design.terms(memory_of(target))
    outside = {name: beyond(model, name, design, terms_of(terms, name)) for name in model.laws}

    said = {
        name: law.estimate(
            terms_of(terms, name),
            NOISE.get(name, 0.0),
            outside[name].spread(name),
            design.width,
        )
        for name, law in model.laws.items()
    }
    area = {name: said[name] for name in AREAS}
    period = said.get("delay")
    basis = model.basis
    if period is None and design.family.name == "csa" and target.family == "xc5v":
        period = _published_period(design)
        basis += (
            "; clock by Le Masle 2009, equation 4.5 with its constants, of its own core with the"
            " vendor's tools: not measured here"
        )
    if model.is_stale:
        basis += f"; {OLDER_RTL}"
    reasons = tuple(dict.fromkeys(reason for each in outside.values() for reason in each.reasons))
    return assemble(design, target, area, period, reasons, basis, model.is_stale, quick)


def _published_period(design: Design) -> Estimate:
    """The clock period in ns that the source gives for as many replicas on its Virtex-5."""
    clock = thesis.clock_mhz(thesis.virtex5(design.width), number(design.values, "replicas"))
    return Estimate(1e3 / clock, 1e3 / clock / _PUBLISHED_ERROR, 1e3 / clock * _PUBLISHED_ERROR)


_CALLED = {"mul": "multiplier", "exp": "exponentiator"}
"""What a design inside a unit is called, by its kind."""


def with_inside(
    model: Model,
    design: Design,
    target: Target,
    inside: Sequence[tuple[Design, Prediction, int]],
    quick: bool = False,
) -> Prediction:
    """A unit with designs inside it, each so many times: areas add, the slowest sets the clock.

    The unit's law of the clock is of whole designs whose other parts were the faster ones.
    """
    unit = from_model(model, design, target, quick)
    area = {name: getattr(unit, name) for name in AREAS}
    for _, said, count in inside:
        area = {name: each.plus(getattr(said, name).scaled(count)) for name, each in area.items()}
    parted = [unit, *(said for _, said, _ in inside)]
    periods = [each.fmax_mhz.inverse(1e3) for each in parted if each.fmax_mhz]
    period = max(periods, key=lambda each: each.value) if len(periods) == len(parted) else None
    bases = [f"{_CALLED[each.family.kind]}: {said.basis}" for each, said, _ in inside]
    return assemble(
        design,
        target,
        area,
        period,
        tuple(dict.fromkeys(reason for each in parted for reason in each.extrapolates)),
        "; ".join([f"unit: {unit.basis}", *bases]),
        any(each.stale for each in parted),
        quick,
    )


def assemble(
    design: Design,
    target: Target,
    area: Mapping[str, Estimate],
    period: Estimate | None,
    extrapolates: tuple[str, ...],
    basis: str,
    stale: bool,
    quick: bool = False,
) -> Prediction:
    """A prediction from areas and a clock period in ns; ``quick`` is as of ``Predictor``."""
    geometry = design.outlook if quick else design.geometry
    return Prediction(
        **{name: area[name] for name in AREAS},
        lut_in_all=area["lut"].plus(area["carry"].scaled(target.luts_per_carry))
        if target.luts_per_carry
        else area["lut"],
        fmax_mhz=period and period.inverse(1e3),
        time_per_op_ns=period and period.scaled(geometry.latency_cycles),
        ops_per_second=period and period.inverse(1e9 / float(geometry.interval_cycles)),
        extrapolates=extrapolates,
        basis=basis,
        stale=stale,
    )


@dataclass(frozen=True)
class Beyond:
    """How far a design lies outside of what a law was fitted to, and why, a sentence each.

    ``doublings`` are of the part that is farthest outside: as a rule parts are so together.
    ``unseen``: a term or a named choice was never observed.
    """

    doublings: float
    unseen: bool
    reasons: tuple[str, ...]

    def spread(self, resource: str) -> float:
        """The relative standard deviation that the law's error has on account of it."""
        doubling, unseen = (each.get(resource, each["lut"]) for each in (DOUBLING, UNSEEN))
        return hypot(doubling * self.doublings, unseen * self.unseen)


def beyond(model: Model, resource: str, design: Design, terms: Mapping[str, float]) -> Beyond:
    """Where a design, of these terms, lies outside of all that a resource's law was fitted to."""
    law = model.laws[resource]
    unseen = [*_new_choices(model, design), *_new_terms(law, terms)]
    far = [*_ranges(model, resource, design), *_farther_terms(resource, law, terms)]
    strangeness = 0.0 if unseen or far else law.strangeness(terms)
    if strangeness > _UNLIKE:
        # a leverage is the square of a distance
        distance = log2(strangeness / _UNLIKE) / 2
        far = [(distance, f"{resource}: the design is unlike all that were calibrated")]
    reasons = (*unseen, *(reason for _, reason in far))
    return Beyond(max((each for each, _ in far), default=0.0), bool(unseen), reasons)


def _ranges(model: Model, resource: str, design: Design) -> list[tuple[float, str]]:
    """Doublings, with the reason, of the width and of numbers that lie outside the observed ones.

    A clock is observed of fewer designs than an area. What says what a design does, and not how,
    is not searched, and is judged by its terms alone.
    """
    found: list[tuple[float, str]] = []
    values = design.values
    for name, (least, most) in model.ranges(resource).items():
        value = design.width if name == "width" else number(values, name)
        if least <= value <= most:
            continue
        narrow, wide = ("narrowest", "widest") if name == "width" else ("least", "most")
        of = f"{resource}: " if name != "width" or resource == "delay" else ""
        if value > most:
            reason = f"{of}{name}={value} is above {most}, the {wide} calibrated"
            found.append((_doublings(value, most), reason))
        if value < least:
            reason = f"{of}{name}={value} is below {least}, the {narrow} calibrated"
            found.append((_doublings(least, value), reason))
    return found


def _doublings(large: float, small: float) -> float:
    """How often the smaller of two counts is doubled until it is the larger one."""
    return log2((1 + max(0, large)) / (1 + max(0, small)))


def _new_choices(model: Model, design: Design) -> list[str]:
    """Named choices that no observation has."""
    return [
        f"no design with {name}={value} was calibrated"
        for name, value in design.settings
        if isinstance(value, str) and value not in model.seen.get(name, {value})
    ]


def _new_terms(law: Law, terms: Mapping[str, float]) -> list[str]:
    """Terms that no observation has."""
    return [
        f"no design with {name} was calibrated"
        for name, amount in terms.items()
        if amount and not law.most.get(name, 0.0)
    ]


def _farther_terms(resource: str, law: Law, terms: Mapping[str, float]) -> list[tuple[float, str]]:
    """Terms so far above what was observed of them that it matters.

    The doublings are the figure's own, by what they add beyond the observed amount.
    """
    highest = law.most
    found: list[tuple[float, str]] = []
    more = {
        name
        for name, amount in terms.items()
        if amount and name in highest and amount > highest[name] * (1 + _MARGIN) + _MARGIN
    }
    if not more:
        return found
    value = max(1.0, law.value(terms))
    for name, most in highest.items():
        if name not in more:
            continue
        amount = terms[name]
        added = law.prices.get(name, 0.0) * (amount - most) / value
        if added > _MATTERS:
            reason = f"{resource}: {name} = {amount:.4g} is above {most:.4g}, the most calibrated"
            found.append((-log2(1 - min(added, 1 - _MATTERS)), reason))
    return found
