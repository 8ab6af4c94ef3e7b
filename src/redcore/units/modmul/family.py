# SPDX-License-Identifier: Apache-2.0
"""modmul: a b mod m of plain numbers, into and out of Montgomery form (``rtl/redc_modmul.sv``).

The cycles are those of the unit's choices, played here on the multiplier's latency and acceptance;
tests hold them equal to simulation. ``docs/units/modmul.md`` says how it works.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import log2
from pathlib import Path

from redcore.design import (
    CHECKS,
    MODULI,
    Design,
    Geometry,
    Memory,
    Parameter,
    Terms,
    Value,
    index_bits,
    number,
)
from redcore.units import compose
from redcore.units.base import Unit
from redcore.units.exp.family import PARAMETERS
from redcore.units.exp.r2 import r2_cycles

OPERATIONS = ("plain", "product", "in", "out")
"""By the number that ``op_i`` of the RTL takes."""
_OF_EXP = {p.name: p for p in PARAMETERS}
_OWN = (
    Parameter(
        "operation",
        "-",
        "plain: a b mod m; product: the multiplier's own a b / R; in: a R, into Montgomery form;"
        " out: a / R, out of it",
        default="plain",
        choices=OPERATIONS,
        grid=(),
    ),
    Parameter("jobs", "Jobs", "operations in flight", default=2, minimum=1, maximum=64),
    Parameter(
        "memory",
        "Storage",
        "where products that wait and constants are",
        default="lutram",
        choices=("registers", "lutram"),
        grid=(),
    ),
    _OF_EXP["r2"],
    _OF_EXP["chunk"],
)


class ModularMultiplier(Unit):
    """The unit on one family of multipliers."""

    kind = "modmul"
    operation = "product"
    title = "Modular product of plain numbers"
    source = "Montgomery 1985"
    own = _OWN
    behind = (MODULI, CHECKS)

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        """Its multiplier."""
        return (self.multiplier_design(width, values),)

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The multiplier's rules."""
        return self.multiplier.reasons(width, self.inner(values))

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Words and bound as the multiplier's, no R; cycles of what ``operation`` says."""
        multiplier = self.multiplier_design(width, values)
        mul, jobs = multiplier.geometry, number(values, "jobs")
        passes = 2 if values["operation"] == "plain" else 1
        latency, _, _ = cycles(multiplier, 1, passes)
        _, interval, exact = cycles(multiplier, jobs, passes)
        outside = values["r2"] == "outside"
        inside = r2_cycles(mul.word_bits, mul.beats, mul.r_bits, number(values, "chunk"))
        return Geometry(
            word_bits=mul.word_bits,
            beats=mul.beats,
            r_bits=0,
            bound=mul.bound,
            slots=jobs,
            moduli=number(values, "moduli"),
            latency_cycles=latency,
            interval_cycles=interval,
            modulus_cycles=(0 if outside else inside) + mul.modulus_cycles + 2 * mul.beats,
            modulus_beats=2 * mul.beats if outside else mul.beats,
            slack_cycles=mul.slack_cycles,
            # What goes through again goes before what is new: the last of a row are early.
            interval_estimated=not exact or mul.interval_estimated or (jobs > 1 and passes > 1),
        )

    def formula(self, width: int, values: Mapping[str, Value]) -> str:
        """What ``operation`` says."""
        r_bits = self.multiplier_design(width, values).geometry.r_bits
        return {
            "plain": "p = a * b mod m",
            "product": f"p = a * b * 2^-{r_bits} mod m",
            "in": f"p = a * 2^{r_bits} mod m",
            "out": f"p = a * 2^-{r_bits} mod m",
        }[str(values["operation"])]

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """By the multiplier's own golden model, so that a result of m and more is told exactly."""
        multiplier = self.multiplier_design(width, values)
        square = pow(2, 2 * multiplier.geometry.r_bits, m)
        match values["operation"]:
            case "plain":
                return multiplier.product(multiplier.product(a, b, m), square, m)
            case "product":
                return multiplier.product(a, b, m)
            case "in":
                return multiplier.product(a, square, m)
            case _:
                return multiplier.product(a, 1 % m, m)

    def otherwise(
        self, width: int, values: Mapping[str, Value], a: int, b: int, m: int
    ) -> int | None:
        """By Python's own arithmetic."""
        r_bits = self.multiplier_design(width, values).geometry.r_bits
        inverse = pow(1 << r_bits, -1, m) if m > 1 else 0
        match values["operation"]:
            case "plain":
                return a * b % m
            case "product":
                return a * b * inverse % m
            case "in":
                return (a << r_bits) % m
            case _:
                return a * inverse % m

    def modulus_words(self, width: int, values: Mapping[str, Value], modulus: int) -> int:
        """m, and R^2 mod m above it where it comes from outside."""
        if values["r2"] == "inside":
            return modulus
        mul = self.multiplier_design(width, values).geometry
        return modulus | pow(2, 2 * mul.r_bits, modulus) << (mul.word_bits * mul.beats)

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """What the unit adds to its multiplier: products that wait, R^2, and choices."""
        mul = self.multiplier_design(width, values).geometry
        word, beats, moduli = mul.word_bits, mul.beats, number(values, "moduli")
        jobs, chunk = number(values, "jobs"), min(number(values, "chunk"), mul.word_bits)
        kept, inside = values["memory"] == "registers", float(values["r2"] == "inside")
        memories = [] if kept else [(word, jobs * beats), (word, moduli * beats)]
        area: dict[str, float] = {
            "each": 1,
            "word": word,
            "kept": word * beats * (jobs + moduli) * float(kept),
            "constant": word * inside,
            "chunk": chunk * inside,
            "counters": log2(2 * jobs * beats),
        }
        return Terms(
            lut=area | memory.terms(*memories),
            ff=area,
            carry={"each": 1, "chunk": chunk * inside},
            delay={"each": 1, "bits": word / 64, "waiting": log2(2 * jobs * beats)},
        )

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Those of the unit; the multiplier keeps its defaults."""
        own = {p.name: (p.default_for(width),) for p in self.parameters}
        return own | {"jobs": (1, 2, 4), "chunk": (16, 32, 64), "r2": ("inside", "outside")}

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """Library files and the composed top."""
        multiplier = self.multiplier_design(width, values)
        mul = multiplier.geometry
        unit = {
            p.rtl: p.rtl_value(values[p.name])
            for p in (*_OWN, MODULI, CHECKS)
            if p.name != "operation"
        }
        sizes = {
            "Width": width,
            "WordBits": mul.word_bits,
            "Beats": mul.beats,
            "RBits": mul.r_bits,
            "Bound": mul.bound,
        }
        context = {
            "unit": sizes | unit,
            "operation": OPERATIONS.index(str(values["operation"])),
            "formula": self.formula(width, values),
            "index_bits": index_bits(number(values, "moduli")),
            "own": self.geometry(width, values),
        }
        return compose.sources(__package__, self.module, "modmul_top.sv.j2", multiplier, context)


_PLAYED = 400
"""Jobs after which a steady state has shown itself, or the interval is a mean."""


@lru_cache(maxsize=4096)
def cycles(multiplier: Design, jobs: int, passes: int) -> tuple[int, Fraction, bool]:
    """Latency, interval, and whether that is exact, of jobs that are offered all the time.

    What ``rtl/redc_modmul.sv`` does: a cycle for each choice, and what has gone through once
    before what is new; the multiplier follows its own pace.
    """
    pace = multiplier.pace()
    accepted: list[int] = []
    answered: list[int] = []
    waiting: list[int] = []  # when each product can be chosen to go through again
    flying: list[int] = []  # when the last words of jobs' results leave
    seen: dict[object, tuple[int, int]] = {}
    now = 0  # the cycle in which something may be chosen
    while len(answered) < _PLAYED:
        flying = [cycle for cycle in flying if cycle >= now]
        if waiting and waiting[0] <= now:
            del waiting[0]
            taken, end = pace.take(now + 1)
            flying.append(end)
            answered.append(end)
        elif len(waiting) + len(flying) < jobs:
            taken, end = pace.take(now + 1)
            accepted.append(taken)
            if passes == 1:
                flying.append(end)
                answered.append(end)
            else:
                waiting.append(end + 1)
        else:
            now = min([cycle + 1 for cycle in flying] + waiting[:1])
            continue
        now = pace.loaded + 1
        state = (
            tuple(cycle - now for cycle in waiting),
            tuple(cycle - now for cycle in flying),
            pace.state(now),
        )
        if state in seen:
            count, cycle = seen[state]
            if (done := len(answered) - count) > 0:
                return answered[0] - accepted[0], Fraction(now - cycle, done), True
        seen[state] = len(answered), now
    half = _PLAYED // 2
    return (
        answered[0] - accepted[0],
        Fraction(answered[-1] - answered[half - 1], _PLAYED - half),
        False,
    )
