# SPDX-License-Identifier: Apache-2.0
"""copies: whole cores side by side behind one face (``rtl/redc_mul_several.sv``).

A family of its own for each that has the multiplier contract: multipliers and exponentiators. A
unit with another face says itself what several of it are (``register_several``). The family
keeps the name of the one it copies, so that ``csa --set copies=4`` is four of that core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import log2
from pathlib import Path

from redcore.design import (
    COPIES,
    Alternating,
    Design,
    Family,
    Geometry,
    Memory,
    Pace,
    Terms,
    Value,
    index_bits,
    number,
)
from redcore.design import family as families
from redcore.units import compose
from redcore.units.around import Around

SLICE_CYCLES = 2
"""How much later a result comes, and the next job is taken, with ``redc_mul_slice`` in front."""


class Several(Around):
    """Several of another family's core, which take jobs in turn and answer in order."""

    added = COPIES

    def __init__(self, one: Family) -> None:
        super().__init__(one)
        self.kind, self.other_face = one.kind, one.other_face
        self.status_bits = one.status_bits
        self.title = f"several of: {one.title}"
        self.module = f"{one.module}_copies"
        self.parameters = (*one.parameters, COPIES)

    def __reduce__(self) -> tuple[Callable[..., Family], tuple[Family]]:
        """Made anew from the one, so that there is one in each process."""
        return several, (self.one,)

    def _around(self, settings: Mapping[str, Value]) -> Family | None:
        """On a bus they are copies of what is on it, as where both are asked for at once: a bus
        around these would count their sources of random bits twice."""
        return super()._around(settings) and self.one._around(settings)

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        """All of them."""
        return number(values, COPIES.name) * (self.single(width, values),)

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Those of one; several multipliers are told nothing of their operands."""
        return super().rules(width, values) + [
            f"{name}=1 is for one core, which is told; copies={values[COPIES.name]} are not"
            for name in self.one.told(values)
        ]

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """That of one, so many times as often."""
        return self._of(self.single(width, values).geometry, width, values)

    def outlook(self, width: int, values: Mapping[str, Value]) -> Geometry | None:
        """That of one, so many times as often."""
        one = self.single(width, values).outlook
        return self._of(one, width, values) if one.at_least else None

    def geometry_at(self, width: int, values: Mapping[str, Value], exponent_bits: int) -> Geometry:
        """The same with exponents of that length."""
        one = self.one.geometry_at(width, self.own(values), exponent_bits)
        return self._of(one, width, values)

    def sliced(self, width: int, values: Mapping[str, Value]) -> bool:
        """Whether registers stand in front of each: exponentiators fill a device, so that words and
        turns have a long way to a core, and must not go on inside it in the same cycle. Where a
        multiplier's number is one word these registers would be many, so such copies have none."""
        inside = self.one.inside(width, self.own(values)) if self.kind == "exp" else ()
        return any(each.geometry.beats > 1 for each in inside)

    def _of(self, one: Geometry, width: int, values: Mapping[str, Value]) -> Geometry:
        """A beat a cycle goes to any of them, so an interval is at least an operand's beats.

        A bound from below where that is the limit and a core takes some at once, and where cores
        open now and then, as they are waited for one after another.
        """
        copies = number(values, COPIES.name)
        pace = self.one.pace(width, self.own(values)) if self.kind == "mul" else Pace(one)
        every, crowd = pace.every, Fraction(1 + max(pace.loading, pace.leaving))
        more = SLICE_CYCLES if self.sliced(width, values) else 0
        interval = max((one.interval_cycles + Fraction(more, one.slots)) / copies, crowd)
        crowded = one.slots > 1 and 1 < crowd == interval
        return replace(
            one,
            slots=copies * one.slots,
            latency_cycles=one.latency_cycles + more,
            interval_cycles=interval,
            slack_cycles=max(one.slack_cycles, every - 1),
            interval_estimated=one.interval_estimated or every > interval or crowded,
        )

    def pace(self, width: int, values: Mapping[str, Value]) -> Pace:
        """Theirs, in turn."""
        paces = [each.pace() for each in self.inside(width, values)]
        return Alternating(paces)

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """What shares out and collects, and nothing of the cores: two turns, a word's choice."""
        copies = number(values, COPIES.name)
        one = self.single(width, values).outlook
        word, turns = one.word_bits, 2.0 * copies
        held = 4.0 * (1 + word) * copies if self.sliced(width, values) else 0.0
        return Terms(
            lut={"turns": 2 * turns, "choice": word * copies / 3, "slices": held},
            ff={"turns": turns + copies, "slices": 2 * held},
            carry={},
            delay={"each": 1.0, "choice": log2(copies)},
        )

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """None: the proofs are of one."""
        return []

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        one = self.single(width, values)
        context = {
            "copies": number(values, COPIES.name),
            "design": Design(self, width, tuple(values.items())),
            "index_bits": index_bits(one.geometry.moduli),
            "sliced": self.sliced(width, values),
        }
        return compose.sources("redcore.units", self.module, "copies_top.sv.j2", one, context)


def copies_of(design: Design) -> int:
    """How many cores a design has."""
    return number(design.values, COPIES.name) if isinstance(design.family, Several) else 1


_KINDS: dict[str, type[Several]] = {}


def register_several(kind: str, copies: type[Several]) -> None:
    """Several of that kind are made so."""
    _KINDS[kind] = copies


@cache
def several(one: Family) -> Several:
    """The family of copies of another one, always the same."""
    return _KINDS.get(one.kind, Several)(one)


families.several_of = several
