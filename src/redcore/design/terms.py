# SPDX-License-Identifier: Apache-2.0
"""What area and clock of a design are made of, for the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from redcore.design.geometry import ceil_div
from redcore.design.parameter import Value, number

_CELLS = "memory cells"


@dataclass(frozen=True)
class Memory:
    """What a LUT used as memory holds on a target, for the terms below.

    A cell holds ``words`` words of ``bits`` bits; deeper memories are read through multiplexers.
    ``block``: LUTs hold none, and a cell is a block memory.
    """

    words: int = 16
    bits: int = 4
    block: bool = False

    def terms(self, *memories: tuple[int, int]) -> dict[str, float]:
        """Cells and multiplexed bits of memories, each given as bits of a word and depth."""
        return {
            _CELLS: float(
                sum(ceil_div(width, self.bits) * self._ways(depth) for width, depth in memories)
            ),
            "memory multiplexers": float(
                sum(width * (self._ways(depth) - 1) for width, depth in memories if depth)
            ),
        }

    def _ways(self, depth: int) -> int:
        return ceil_div(depth, self.words)


@dataclass(frozen=True)
class Terms:
    """What a design is made of, as numbers that a fit gives a price each (``redcore.model``).

    Each resource is a sum of terms, a physical quantity by name (rows, words, memory cells); its
    price on a target is found by least squares, is never negative, and 0 where a target has no
    such thing. ``delay`` are what the longest path passes, in the same way.
    """

    lut: Mapping[str, float]
    ff: Mapping[str, float]
    carry: Mapping[str, float]
    delay: Mapping[str, float]
    dsp: Mapping[str, float] = field(default_factory=dict)
    bram: Mapping[str, float] = field(default_factory=dict)

    def in_blocks(self) -> Terms:
        """The same where each cell of a memory is a block memory."""
        cells = self.lut.get(_CELLS, 0.0)
        return replace(self, lut={**self.lut, _CELLS: 0.0}, bram={**self.bram, _CELLS: cells})


def plain_terms(width: int, values: Mapping[str, Value]) -> dict[str, float]:
    """Terms of a core that is so much of everything for a bit, places for moduli, and checks."""
    moduli = number(values, "moduli")
    return {
        "each": 1,
        "bits": width,
        "modulus places": width * (moduli - 1),
        "several moduli": width * float(moduli > 1),
        "checks": width * number(values, "checks"),
    }
