# SPDX-License-Identifier: Apache-2.0
"""Results as the JSON objects that the command line promises: fixed names, plain numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from redcore.families.base import Family, Value, registered

if TYPE_CHECKING:
    from redcore.synthesize import SynthesisResult
    from redcore.synthesize.targets import Target


def number(value: Fraction | int) -> int | float:
    """A cycle count as JSON has it: whole where it is whole."""
    return int(value) if value == int(value) else float(value)


def family_keys(family: Family) -> dict[str, Any]:
    """A family as ``redcore list`` shows it; defaults that depend on the width are null."""
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
                "choices": list(parameter.choices),
            }
            for parameter in family.parameters
        ],
        "presets": {name: dict(values) for name, values in family.presets.items()},
    }


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
    geometry = None if reasons else family.geometry(width, values)
    return {
        "family": family.name,
        "width": width,
        "parameters": values,
        "valid": not reasons,
        "reasons": reasons,
        "word_bits": geometry and geometry.word_bits,
        "beats": geometry and geometry.beats,
        "r_bits": geometry and geometry.r_bits,
        "bound": geometry and geometry.bound,
        "slots": geometry and geometry.slots,
        "moduli": geometry and geometry.moduli,
        "latency_cycles": geometry and geometry.latency_cycles,
        "interval_cycles": geometry and number(geometry.interval_cycles),
        "interval_estimated": geometry and geometry.interval_estimated,
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


_SYNTHESIS = (
    "lut", "ff", "carry", "dsp", "bram", "lutram", "lut_in_all", "fmax_mhz", "time_per_op_ns",
    "ops_per_second", "fmax_estimated_mhz", "fmax_estimate_basis", "gates_nand2", "area",
    "delay_fo4", "delay_ps",
)  # fmt: skip


def synthesis_keys(result: SynthesisResult | None) -> dict[str, Any]:
    """What synthesis (and place and route) found; every figure null where it did not get there."""
    return {key: getattr(result, key, None) for key in _SYNTHESIS}
