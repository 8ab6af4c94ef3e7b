# SPDX-License-Identifier: Apache-2.0
"""csa: carry-save radix-2 Montgomery multiplication (``rtl/redc_mul_csa.sv``).

Same rules and formulas as ``rtl/redc_mul_csa_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivations of the bounds: ``docs/families/csa.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import log2

from redcore.design import (
    CHECKS,
    MODULI,
    Family,
    Geometry,
    Memory,
    Pace,
    Parameter,
    Terms,
    Value,
    ceil_div,
    flag,
    number,
    numbers,
    register,
)


def r_bits(width: int, final_sub: int) -> int:
    """Iterations, which is log2 R: the width, or two more where nothing is subtracted last."""
    return width if final_sub else width + 2


def word_bits(width: int, final_sub: int) -> int:
    """Bits of an operand: below m, or below 2m."""
    return width if final_sub else width + 1


def block_cycles(width: int, stages: int, replicas: int, final_sub: int) -> list[int]:
    """Cycles that each block keeps a multiplication, first block first."""
    each, more = divmod(r_bits(width, final_sub), stages)
    return [ceil_div(each + (block < more), replicas) for block in range(stages)]


def add_words(width: int, add_stages: int, final_sub: int) -> int:
    """Words of the adders, hence cycles of an addition."""
    bits = word_bits(width, final_sub)
    return ceil_div(bits, ceil_div(bits, add_stages))


def final_cycles(width: int, add_stages: int, final_sub: int, interval: int) -> int:
    """Cycles of the sum and the final subtraction, behind the blocks."""
    words = add_words(width, add_stages, final_sub)
    if not final_sub:
        return words
    in_place = words + 2 + min(words - 1, 3)
    return in_place if in_place <= interval else 2 * words + 1


def _parts(width: int, values: Mapping[str, Value]) -> tuple[list[int], int, int]:
    """A design's cycles of each block, those between multiplications, and words of the adders."""
    stages, replicas, final_sub = numbers(values, "stages", "replicas", "final_sub")
    blocks = block_cycles(width, stages, replicas, final_sub)
    words = add_words(width, number(values, "add_stages"), final_sub)
    return blocks, max(2, blocks[0]), words


def stage_cycles(width: int, values: Mapping[str, Value]) -> list[int]:
    """Cycles that each stage of the pipeline keeps a multiplication, first stage first.

    The same as ``stage_cycles`` of the RTL's package, with the cycle by which data run behind the
    control counted in the first stage.
    """
    final_sub = number(values, "final_sub")
    blocks, interval, words = _parts(width, values)
    each = min(words, interval)
    groups = [min(each, words - start) for start in range(0, words, each)]
    final = final_cycles(width, number(values, "add_stages"), final_sub, interval)
    if not final_sub:
        last = groups
    elif final <= interval and final != 2 * words + 1:
        last = [final]
    else:
        last = [*groups, *groups, 1]
    return [*groups, *blocks, *last, 1]


class Pipeline(Pace):
    """Stages in a row, each holding one multiplication until the next one is free.

    Where the data run behind the control (``lags``), the front opens in every third cycle only.
    """

    def __init__(self, geometry: Geometry, stages: Sequence[int], lags: bool) -> None:
        super().__init__(geometry)
        self._stages = stages
        self._left = [0] * len(stages)  # the cycle in which each stage was last left
        self._taken: int | None = None
        self.every = 3 if lags else 1

    def take(self, ready: int, free: int = 0) -> tuple[int, int]:
        """As in the base class; the first one is offered when the front is open."""
        opened = self._opened
        if self._taken is not None:
            opened = max(self._left[0], self._taken + self.every)
        taken = self._taken = self.loaded = at = self._open_at(ready, opened)
        for stage, cycles in enumerate(self._stages):
            behind = self._left[stage + 1] if stage + 1 < len(self._stages) else free
            at = self._left[stage] = max(at + cycles, behind)
        return taken, at

    def state(self, now: int) -> tuple[object, ...]:
        taken = None if self._taken is None else self._taken - now
        return taken, *(left - now for left in self._left)

    def move(self, cycles: int) -> None:
        self._left = [left + cycles for left in self._left]
        self._taken = None if self._taken is None else self._taken + cycles


class CarrySave(Family):
    """The family's registry entry."""

    name = "csa"
    title = "Carry-save radix-2 Montgomery multiplier, pipelined and replicated"
    source = "Le Masle 2009, section 3.3, algorithms 6 and 7"
    module = "redc_mul_csa"
    has_technology = True
    amount = "replicas"
    parameters = (
        Parameter(
            "stages", "Stages", "pipeline blocks that the iterations are divided over", default=1,
            minimum=1, maximum=lambda width: width,
        ),
        Parameter(
            "replicas", "Replicas",
            "carry-save rows in series in each block; stages * replicas <= width", default=1,
            minimum=1, maximum=lambda width: width,
        ),
        # chains of 16 bits keep up with the rows on ECP5 (benchmarks/csa_ecp5_clock.json)
        Parameter(
            "add_stages", "AddStages", "words that the adders are cut into, one carry chain each",
            default=lambda width: ceil_div(width, 16), minimum=1, maximum=lambda width: width,
            grid=lambda width: (ceil_div(width, chain) for chain in (8, 16, 32, 64)),
        ),
        flag(
            "final_sub", "FinalSub",
            "1: results below m; 0: operands and results below 2m, two iterations more",
        ),
        MODULI,
        CHECKS,
    )  # fmt: skip
    presets: Mapping[str, Mapping[str, Value]] = {
        "small": {"stages": 1, "replicas": 1},
        "balanced": {"stages": 2, "replicas": 2},
        "fast": {"stages": 4, "replicas": 4},
    }

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Rows in all may not outnumber the modulus's bits (Le Masle 2009, equation 3.1)."""
        stages, replicas = numbers(values, "stages", "replicas")
        if stages * replicas > width:
            return [
                f"stages * replicas = {stages} * {replicas} = {stages * replicas}"
                f" is above width={width}"
            ]
        return []

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles; the interval is at least 2: the output register refills when empty."""
        final_sub = number(values, "final_sub")
        blocks, interval, words = _parts(width, values)
        final = final_cycles(width, number(values, "add_stages"), final_sub, interval)
        latency = words + sum(blocks) + final + 1
        return Geometry(
            word_bits=word_bits(width, final_sub),
            r_bits=r_bits(width, final_sub),
            bound=1 if final_sub else 2,
            slots=ceil_div(latency, interval),
            moduli=number(values, "moduli"),
            latency_cycles=latency,
            interval_cycles=Fraction(interval),
        )

    def pace(self, width: int, values: Mapping[str, Value]) -> Pipeline:
        """That of a row of stages."""
        geometry = self.geometry(width, values)
        words = add_words(width, number(values, "add_stages"), number(values, "final_sub"))
        lags = words >= 2 and geometry.interval_cycles >= 3
        return Pipeline(geometry, stage_cycles(width, values), lags)

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """Rows of full adders, what each block holds, the triangle of multiplier bits, adders."""
        stages, replicas, final_sub = numbers(values, "stages", "replicas", "final_sub")
        moduli, checks = numbers(values, "moduli", "checks")
        bits = word_bits(width, final_sub)
        _, interval, words = _parts(width, values)
        chain = ceil_div(bits, words)
        pipelined = words + 2 + min(words - 1, 3) > interval
        groups = ceil_div(words, min(words, interval))
        iterations = r_bits(width, final_sub)
        short = sum(
            (iterations // stages + (block < iterations % stages)) % replicas != 0
            for block in range(stages)
        )
        several = float(moduli > 1)
        lut: dict[str, float] = {
            "each": 1,
            "bits": bits,
            "row bits": bits * stages * replicas,
            "block bits": bits * stages,
            "bits between blocks": bits * (stages - 1),
            # rows that are crossed in one cycle are mapped for speed, at the price of copies
            "rows in series": bits * stages * replicas * (replicas - 1),
            "late entries": bits * short,
            "heads": stages * (replicas - 1) * replicas,
            "blocks": stages,
            "words": words,
            "subtraction": bits * final_sub,
            "pipelined subtraction": bits * final_sub * pipelined,
            "grouped adders": bits * (groups - 1),
            "modulus places": bits * (moduli - 1),
            "moduli along": bits * stages * several,
            "checks": bits * checks,
        }
        ff: dict[str, float] = {
            "each": 1,
            "bits": bits,
            "block bits": bits * stages,
            "triangle": bits * (stages - 1) / 2,
            "copied selects": bits * stages * replicas / 32,
            "blocks": stages,
            "words": words,
            "behind control": bits * float(words >= 2 and interval >= 3),
            "subtraction": bits * final_sub,
            "pipelined subtraction": bits * final_sub * pipelined,
            "grouped adders": bits * (groups - 1),
            "modulus places": bits * moduli * several,
            "moduli along": bits * stages * several,
            "checks": bits * checks,
        }
        carry: dict[str, float] = {
            "each": 1,
            "bits": bits,
            "words": words,
            "subtraction": bits * final_sub,
            "pipelined subtraction": bits * final_sub * pipelined,
            "blocks": stages,
            "checks": bits * checks,
        }
        delay: dict[str, float] = {
            "each": 1,
            "rows": replicas - 1,
            "several rows": float(replicas > 1),
            "spread": log2(bits * stages * (replicas + 1)),
            "chain": max(0, chain - 16),
            "not behind control": float(not (words >= 2 and interval >= 3)),
            # whether a stage is free ripples back through all of them in one cycle
            "pipeline": len(stage_cycles(width, values)),
        }
        return Terms(lut=lut, ff=ff, carry=carry, delay=delay)

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Blocks and rows that devices have room for; chains of 8 to 64 bits."""
        most = max(1, 40_000 // width)
        some = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32)
        counts = tuple(count for count in some if count <= min(width, most))
        cuts = sorted({ceil_div(width, chain) for chain in (8, 16, 32, 64) if chain <= width})
        own = {"stages": counts, "replicas": counts, "add_stages": tuple(cuts) or (1,)}
        return super().levels(width) | own

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """Every legal (stages, replicas, final_sub), with the adders in one word and in two."""
        return [
            {
                "stages": stages,
                "replicas": replicas,
                "final_sub": final_sub,
                "add_stages": 1 + (stages + replicas) % 2,
            }
            for final_sub in (1, 0)
            for stages in range(1, width + 1)
            for replicas in range(1, width // stages + 1)
        ]


register(CarrySave())
