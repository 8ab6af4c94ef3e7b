# SPDX-License-Identifier: Apache-2.0
"""The fields of the question and the figures of the answer: names, units, explanations."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Field:
    """An input of the form. ``help`` is shown on hover and read out by screen readers."""

    name: str
    label: str
    help: str
    unit: str = ""


@dataclass(frozen=True)
class Figure:
    """A number of a design. ``better`` is 1 where more is better, -1 where less is."""

    name: str
    label: str
    unit: str
    better: int
    help: str


_TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
FIELDS: Mapping[str, Field] = {n: Field(n, **each) for n, each in _TEXTS["fields"].items()}
FIGURES: Mapping[str, Figure] = {n: Figure(n, **each) for n, each in _TEXTS["figures"].items()}
CYCLES = ("latency_cycles", "interval_cycles")
TIMED = (*CYCLES, "time_per_op_ns")
CLOCKED = ("ops_per_second", "time_per_op_ns", "fmax_mhz")


def written(name: str, value: float | None) -> str:
    """A figure as people read it, with its unit."""
    if value is None:
        return "–"
    if name == "ops_per_second":
        return f"{scaled(value)}/s"
    if name == "time_per_op_ns":
        if value >= 1e6:
            return f"{value / 1e6:.3g} ms"
        return f"{value / 1e3:.3g} µs" if value >= 1e3 else f"{value:.3g} ns"
    if name == "fmax_mhz":
        return f"{value:.1f} MHz"
    if name in CYCLES:
        return f"{value:,.2f}".rstrip("0").rstrip(".") + " cycles"
    return f"{value:,.0f}"


def span(name: str, low: float, high: float) -> str:
    """A range in the unit of its upper end."""
    if high == math.inf:
        return f"above {written(name, low)}"
    if name == "fmax_mhz":
        return f"{low:.0f} – {high:.0f} MHz"
    text = written(name, high)
    unit = text.lstrip("0123456789.,e+")
    factor = {" G/s": 1e9, " M/s": 1e6, " k/s": 1e3, " ms": 1e6, " µs": 1e3}.get(unit, 1.0)
    digits = f"{low / factor:.3g}" if unit else written(name, low)
    return f"{digits} – {text}"


def scaled(value: float) -> str:
    """Three digits and a prefix: 12.3 M."""
    for limit, prefix in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= limit:
            return f"{value / limit:.3g}{prefix}"
    return f"{value:.3g} "


_PARTS = {"lut": "LUTs", "ff": "flip-flops", "carry": "carry cells", "dsp": "DSP blocks",
          "bram": "block RAMs", "delay": "the clock"}  # fmt: skip


def unsure(reason: str) -> str:
    """Why the model is less sure of a design, in a sentence."""
    part, colon, rest = reason.partition(": ")
    if colon and part in _PARTS:
        reason = f"of {_PARTS[part]}, {rest}"
    return f"Less sure here than the ranges say: {reason}."


def duration(seconds: float) -> str:
    """A time to wait, in a few words."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
