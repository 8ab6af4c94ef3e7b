# SPDX-License-Identifier: Apache-2.0
"""Results as the JSON objects that the command line promises: fixed names, plain numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from redcore.design import Family, Geometry, Parameter, Value
from redcore.families import registered

if TYPE_CHECKING:
    from redcore.synthesize.targets import Target


def family_keys(family: Family) -> dict[str, Any]:
    """A family as ``redcore list`` shows it; what depends on the width is null, and in words."""
    return {
        "name": family.name,
        "kind": family.kind,
        "title": family.title,
        "source": family.source,
        "minimum_width": family.minimum_width,
        "maximum_width": family.maximum_width,
        "parameters": [
            {
                "name": parameter.name,
                "rtl": parameter.rtl,
                "doc": parameter.doc,
                "default": None if callable(parameter.default) else parameter.default,
                "default_text": parameter.default_text(),
                "choices": list(parameter.choices),
                "minimum": _fixed(parameter, parameter.minimum),
                "maximum": _fixed(parameter, parameter.maximum),
                "range_text": parameter.range_text(),
            }
            for parameter in family.all_parameters
        ],
        "presets": {name: dict(values) for name, values in family.presets.items()},
    }


def _fixed(parameter: Parameter, bound: int | Callable[[int], int] | None) -> int | None:
    """A bound of whole numbers; null where there is none, or none that holds at every width."""
    return None if parameter.choices or callable(bound) else bound


def unit_keys(name: str, example: Family, multipliers: list[str]) -> dict[str, Any]:
    """A unit as ``redcore list`` shows it: once, with the parameters that are its own."""
    keys = family_keys(example)
    theirs = {parameter.name for parameter in registered()[multipliers[0]].parameters}
    return keys | {
        "name": name,
        "title": example.title.partition(":")[0]
        + f" any multiplier ({name}-csa, {name}-cios, ...)",
        "source": example.source.partition("; multiplier")[0],
        "parameters": [entry for entry in keys["parameters"] if entry["name"] not in theirs],
        "multipliers": multipliers,
    }


def info_keys(
    family: Family, width: int, values: dict[str, Value], reasons: list[str]
) -> dict[str, Any]:
    """A point of a family's parameter space; sizes and cycles are null where it is not legal."""
    known = Geometry(word_bits=0, latency_cycles=0, interval_cycles=Fraction()).to_json()
    design = None if reasons else family.design(width, values)
    said = design.geometry.to_json() if design else dict.fromkeys(known)
    return {
        "family": family.name,
        "width": width,
        "parameters": values,
        "valid": not reasons,
        "reasons": reasons,
        **said,
        "follows_operands": design.follows_operands if design else None,
    }


def target_keys(target: Target) -> dict[str, Any]:
    """A target as ``redcore targets`` shows it; sizes are null for a whole family or for gates."""
    room = target.capacity
    return {
        "name": target.name,
        "vendor": target.vendor,
        "family": target.family,
        "part": target.part,
        "title": target.title,
        "flow": target.flow,
        "lut_inputs": target.lut_inputs or None,
        "lut": room and room.lut,
        "ff": room and room.ff,
        "dsp": room and room.dsp,
        "dsp_shape": str(target.dsp) if target.dsp else None,
        "bram": room and room.bram,
        "bram_bits": target.ram_bits or None,
        "source": target.source or None,
    }
