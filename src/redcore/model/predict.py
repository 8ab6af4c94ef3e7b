# SPDX-License-Identifier: Apache-2.0
"""From a calibrated model to a prediction, and to what it does not know."""

from __future__ import annotations

from collections.abc import Mapping

from redcore.errors import BadInput
from redcore.families.base import Design
from redcore.model.fitting import Law
from redcore.model.models import AREAS, Model, find, memory_of, terms_of
from redcore.model.prediction import Estimate, Prediction
from redcore.synthesize import Target, target

_MARGIN = 0.02
"""How far beyond the observed range a term may lie without being told."""
_UNLIKE = 1.5
"""Leverage above which a design is called unlike all that were observed."""


def has_model(family_name: str, target_name: str) -> bool:
    """Whether ``predict`` has a model for designs of the family on the target."""
    return find(family_name, target(target_name)) is not None


def predict(design: Design, target: Target) -> Prediction:
    """Area, clock, throughput and latency of ``design`` on ``target``, without synthesis.

    Raises BadInput where there is no model of the family for the target's devices.
    """
    model = find(design.family.name, target)
    if model is None:
        raise BadInput(
            f"there is no model of {design.family.name} on {target.name}; calibrate one with:"
            f" redcore calibrate {design.family.name} --target {target.name}"
        )
    return from_model(model, design, target)


def from_model(model: Model, design: Design, target: Target) -> Prediction:
    """What one model says of a design."""
    terms = design.terms(memory_of(target))
    area = {name: model.laws[name].estimate(terms_of(terms, name)) for name in AREAS}
    period = model.laws["delay"].estimate(terms.delay) if model.has_clock else None
    basis = model.basis
    if model.is_stale:
        basis += "; the RTL has changed since"
    return assemble(design, target, area, period, _extrapolates(model, design, target), basis)


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
    widths = [each.width for each in model.observations]
    if design.width > max(widths):
        reasons.append(f"width={design.width} is above {max(widths)}, the widest calibrated")
    if design.width < min(widths):
        reasons.append(f"width={design.width} is below {min(widths)}, the narrowest calibrated")
    reasons += _new_choices(model, design)
    terms = design.terms(memory_of(target))
    for resource, law in model.laws.items():
        reasons += _beyond(resource, law, terms_of(terms, resource), bool(reasons))
    return tuple(dict.fromkeys(reasons))


def _new_choices(model: Model, design: Design) -> list[str]:
    """Named choices and switches that no observation has."""
    reasons = []
    for name, value in design.settings:
        seen = {each.settings[name] for each in model.observations}
        if isinstance(value, str) and value not in seen:
            reasons.append(f"no design with {name}={value} was calibrated")
    return reasons


def _beyond(resource: str, law: Law, terms: Mapping[str, float], told: bool) -> list[str]:
    """Terms outside their observed range; else, whether all of them together are unlike any."""
    reasons = []
    for name, price in law.prices.items():
        seen = [row.get(name, 0.0) for row in law.rows]
        amount, most = terms.get(name, 0.0), max(seen)
        # what such a term adds has to matter
        if price and amount > most * (1 + _MARGIN) + _MARGIN:
            added = price * (amount - most)
            if added > 0.05 * max(1.0, law.value(terms)):
                reasons.append(
                    f"{resource}: {name} = {amount:.4g} is above {most:.4g}, the most calibrated"
                )
    if not reasons and not told and law.leverage(terms) > _UNLIKE:
        reasons.append(f"{resource}: the design is unlike all that were calibrated")
    return reasons
