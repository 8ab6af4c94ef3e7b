# SPDX-License-Identifier: Apache-2.0
"""From a calibrated model to a prediction, and to what it does not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from redcore.errors import BadInput
from redcore.families.base import Design, number
from redcore.model import thesis
from redcore.model.fitting import Law
from redcore.model.models import AREAS, Model, find, memory_of, terms_of
from redcore.model.prediction import Estimate, Prediction
from redcore.synthesize import Target, target
from redcore.units import OTHER_FACES, parts

_MARGIN = 0.02
"""How far beyond the observed range a term may lie without being told."""
_MAPPING = {"lut": 0.01, "ff": 0.005, "carry": 0.01}
"""Relative standard deviation that the logic optimizer's choices leave, however good the fit."""
_SEED = 0.04
"""Relative standard deviation of the clock over seeds of place and route, which no model knows
(benchmarks/csa_ecp5_clock.json, cios_ecp5_clock.json)."""
_PUBLISHED_ERROR = 1.12
"""The source's two clocks beside its model are 2 and 10 % lower (Le Masle 2009, section 5.5.1)."""
_UNLIKE = 2.0
"""Strangeness above which a design is called unlike all that were observed."""


def has_model(family_name: str, target_name: str) -> bool:
    """Whether ``predict`` has a model for designs of the family on the target."""
    device = target(target_name)
    unit, multiplier = parts(family_name)
    needed = [family_name]
    needed += [f"exp-{multiplier}"] if unit in OTHER_FACES else []
    needed += [multiplier] if unit else []
    return all(find(name, device) is not None for name in needed)


def predict(design: Design, target: Target) -> Prediction:
    """Area, clock, throughput and latency of ``design`` on ``target``, without synthesis.

    A unit is predicted as the sum of the designs inside it and what it adds. Raises BadInput where
    there is no model of the family, or of a design inside, for the target's devices.
    """
    model = _model(design.family.name, target)
    inside = Counter(design.family.inside(design.width, design.values))
    if not inside:
        return from_model(model, design, target)
    return with_inside(
        model, design, target, [(each, predict(each, target), inside[each]) for each in inside]
    )


def _model(name: str, target: Target) -> Model:
    model = find(name, target)
    if model is None:
        raise BadInput(
            f"there is no model of {name} on {target.name}; calibrate one with:"
            f" redcore calibrate {name} --target {target.name}"
        )
    return model


def from_model(model: Model, design: Design, target: Target) -> Prediction:
    """What one model says of a design; of a unit, what it adds."""
    terms = design.terms(memory_of(target))
    area = {
        name: model.laws[name].estimate(terms_of(terms, name), _MAPPING.get(name, 0.0))
        for name in AREAS
    }
    period = model.laws["delay"].estimate(terms.delay, _SEED) if model.has_clock else None
    basis = model.basis
    if period is None and design.family.name == "csa" and target.family == "xc5v":
        period = _published_period(design)
        basis += (
            "; clock by Le Masle 2009, equation 4.5 with its constants, of its own core with the"
            " vendor's tools: not measured here"
        )
    if model.is_stale:
        basis += "; the RTL has changed since"
    return assemble(design, target, area, period, _extrapolates(model, design, target), basis)


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
) -> Prediction:
    """A unit with designs inside it, each so many times: areas add, the slowest sets the clock.

    The unit's law of the clock is of whole designs whose other parts were the faster ones.
    """
    unit = from_model(model, design, target)
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
    )


def assemble(
    design: Design,
    target: Target,
    area: Mapping[str, Estimate],
    period: Estimate | None,
    extrapolates: tuple[str, ...],
    basis: str,
) -> Prediction:
    """A prediction from areas and a clock period in ns."""
    geometry = design.geometry
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
    )


def _extrapolates(model: Model, design: Design, target: Target) -> tuple[str, ...]:
    """What of the design lies outside of all that was observed, one sentence each."""
    reasons = []
    narrowest, widest = model.widths
    if design.width > widest:
        reasons.append(f"width={design.width} is above {widest}, the widest calibrated")
    if design.width < narrowest:
        reasons.append(f"width={design.width} is below {narrowest}, the narrowest calibrated")
    reasons += _new_choices(model, design)
    terms = design.terms(memory_of(target))
    for resource, law in model.laws.items():
        reasons += _beyond(resource, law, terms_of(terms, resource), bool(reasons))
    return tuple(dict.fromkeys(reasons))


def _new_choices(model: Model, design: Design) -> list[str]:
    """Named choices and switches that no observation has."""
    reasons = []
    for name, value in design.settings:
        seen = model.seen.get(name)
        if isinstance(value, str) and seen and value not in seen:
            reasons.append(f"no design with {name}={value} was calibrated")
    return reasons


def _beyond(resource: str, law: Law, terms: Mapping[str, float], told: bool) -> list[str]:
    """Terms outside their observed range; else, whether all of them together are unlike any."""
    reasons = []
    for name, amount in terms.items():
        price, most = law.prices.get(name, 0.0), law.most.get(name, 0.0)
        if amount and not most:
            reasons.append(f"no design with {name} was calibrated")
            continue
        # what such a term adds has to matter
        if price and amount > most * (1 + _MARGIN) + _MARGIN:
            added = price * (amount - most)
            if added > 0.05 * max(1.0, law.value(terms)):
                reasons.append(
                    f"{resource}: {name} = {amount:.4g} is above {most:.4g}, the most calibrated"
                )
    if not reasons and not told and law.strangeness(terms) > _UNLIKE:
        reasons.append(f"{resource}: the design is unlike all that were calibrated")
    return reasons
