# SPDX-License-Identifier: Apache-2.0
"""The fields of the question and the figures of the answer: names, units, explanations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass


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


FIELDS: Mapping[str, Field] = {
    field.name: field
    for field in (
        Field(
            "kind",
            "Function",
            "What the core computes. Multiplication: a·b mod m. Exponentiation: x^e mod m, by an "
            "exponentiator on one of the multipliers.",
        ),
        Field(
            "start",
            "Start from",
            "A core is built for a word length and takes any odd modulus of at most that many "
            "bits. Give the length, or a modulus that it follows from.",
        ),
        Field(
            "width",
            "Width",
            "Word length n of operands and modulus, in bits. Area grows with it; so does the "
            "number of cycles of one operation.",
            "bits",
        ),
        Field(
            "modulus",
            "Modulus",
            "The odd number m that results are reduced by: a name such as p256 or modp2048, or a "
            "decimal or 0x hexadecimal number. The width is its length in bits.",
        ),
        Field(
            "upload",
            "RSA key or certificate",
            "A PEM file of at most 64 KiB. Only the modulus n is read from it; the file is not "
            "kept, and private parts are neither used nor stored.",
        ),
        Field(
            "target",
            "Target",
            "The FPGA, or the family of FPGAs, that LUTs, flip-flops and clock are given for. "
            "‘Area only’: no open place and route knows the device, so there is no clock.",
        ),
        Field(
            "objective",
            "Objective",
            "What the best design is best at, among those that keep the constraints. Throughput: "
            "operations per second with the pipeline full. Latency: time of one operation. Area: "
            "LUTs, a DSP block or block RAM counting as the LUTs that the device has for each of "
            "them. Throughput per area: operations per second for each LUT of that area.",
        ),
        Field(
            "max_lut",
            "Max. LUTs",
            "Upper limit for look-up tables. Leave it empty for what the device holds.",
        ),
        Field(
            "max_ff",
            "Max. flip-flops",
            "Upper limit for flip-flops (registers). Leave it empty for what the device holds.",
        ),
        Field(
            "max_dsp",
            "Max. DSP blocks",
            "Upper limit for hard multipliers; 0 keeps to designs of LUTs alone. Leave it empty "
            "for what the device holds.",
        ),
        Field(
            "max_bram",
            "Max. block RAMs",
            "Upper limit for block RAMs. Leave it empty for what the device holds.",
        ),
        Field(
            "min_freq",
            "Min. clock",
            "Lower limit for the clock frequency, where the core shares a given clock. Leave it "
            "empty where any clock will do.",
            "MHz",
        ),
        Field(
            "families",
            "Families",
            "The architectures to choose from; none chosen means all, without those that show "
            "secrets to one power trace where there are secrets. Each is a published way to build "
            "the core, with parameters of its own.",
        ),
        Field(
            "x",
            "Horizontal axis",
            "The figure that the chart shows from left to right.",
        ),
        Field("y", "Vertical axis", "The figure that the chart shows from bottom to top."),
        Field(
            "around",
            "Synthesize",
            "Which points to run through synthesis, place and route: those next to the model's "
            "optimum in score, the trade-off curve (nothing is better in both axes), what is "
            "compared below, or the selected point.",
        ),
        Field(
            "count",
            "Designs",
            "How many designs at most. Each takes seconds at small widths and minutes at large "
            "ones; what has been synthesized before is not run again.",
        ),
        Field(
            "seed",
            "Seed",
            "Starting point of the placer. Other seeds give clocks a few per cent apart.",
        ),
        Field(
            "bundle_modulus",
            "Modulus",
            "The bundle is checked against GMP with this modulus, and its test bench carries "
            "vectors for it. The core itself takes any odd modulus of its width.",
        ),
    )
}

FIGURES: Mapping[str, Figure] = {
    figure.name: figure
    for figure in (
        Figure(
            "ops_per_second",
            "Throughput",
            "/s",
            1,
            "Operations per second with all slots of the pipeline busy: clock / interval.",
        ),
        Figure(
            "time_per_op_ns",
            "Latency",
            "ns",
            -1,
            "Time of one operation with nothing else in flight: latency in cycles / clock.",
        ),
        Figure("fmax_mhz", "Clock", "MHz", 1, "Highest clock frequency after place and route."),
        Figure(
            "area",
            "Area",
            "LUTs",
            -1,
            "One number for all resources, which the objective counts: LUTs with the places of "
            "carry cells, or flip-flops where they need more room, and for each DSP block or block "
            "RAM as many LUTs as the device has for each of them.",
        ),
        Figure("lut", "LUTs", "", -1, "Look-up tables, memory in LUTs included, without carry."),
        Figure("ff", "Flip-flops", "", -1, "One-bit registers."),
        Figure("carry", "Carry cells", "", -1, "Cells of dedicated carry logic."),
        Figure("dsp", "DSP blocks", "", -1, "Hard multipliers."),
        Figure("bram", "Block RAMs", "", -1, "Blocks of dedicated memory."),
        Figure(
            "latency_cycles",
            "Latency in cycles",
            "cycles",
            -1,
            "Clock cycles from the first operand word to the last result word; exact.",
        ),
        Figure(
            "interval_cycles",
            "Interval",
            "cycles",
            -1,
            "Clock cycles per operation with all slots of the pipeline busy; exact.",
        ),
    )
}

CYCLES = ("latency_cycles", "interval_cycles")
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
