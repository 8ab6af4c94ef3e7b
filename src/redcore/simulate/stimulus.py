# SPDX-License-Identifier: Apache-2.0
"""What is fed to a core: moduli and operands, edge values mixed with random ones, from one seed.

The schedule of a seed is a stream: the first K multiplications are the same however many follow,
so a run can be repeated up to the point where it failed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from redcore.design import Design
from redcore.simulate.simulator import Load

_WINDOW = 8
"""Multiplications offered while a modulus waits, which stops most cores from taking them; the
driver holds back the next ones until the modulus is in."""


def edge_moduli(width: int) -> list[int]:
    """Odd moduli that stress a core: smallest, largest, long runs of equal bits."""
    top = 1 << width
    alternating = int("01" * width, 2) % top
    values = [
        top - 1,
        (top >> 1) + 1,
        (top >> 1) - 1,
        3,
        1,
        top - 3,
        alternating | 1,
        (alternating << 1 | 1) % top,
        (1 << (width // 2)) + 1,
        (top >> 1) + (1 << (width // 2)) - 1,
        5,
    ]
    return list(dict.fromkeys(value for value in values if 0 < value < top))


def default_moduli(width: int, seed: int) -> list[int]:
    """The moduli of a run that was given none: the edge ones and as many random odd ones."""
    choose = random.Random(f"moduli {seed} {width}")
    edges = edge_moduli(width)
    drawn = [choose.getrandbits(width) | 1 | 1 << (width - 1) for _ in edges[1:]]
    drawn.append(choose.getrandbits(max(2, width // 2)) | 1)
    mixed = [value for pair in zip(edges, drawn, strict=True) for value in pair]
    return list(dict.fromkeys(mixed))


def edge_operands(width: int, modulus: int, limit: int) -> list[int]:
    """Operands below ``limit`` (bound * modulus) where carries and comparisons may slip."""
    top = 1 << width
    middle = width // 2
    values = [
        0, 1, modulus - 1, limit - 1, modulus, modulus + 1, 2, limit - 2, modulus >> 1,
        (modulus >> 1) + 1, (top >> 1) - 1, top >> 1, top - 1, top, top + 1, (1 << middle) - 1,
        1 << middle, (top - 1) ^ ((1 << middle) - 1), int("01" * width, 2) % top,
    ]  # fmt: skip
    return list(dict.fromkeys(value for value in values if 0 <= value < limit))


def _run_of_ones(choose: random.Random, bits: int) -> int:
    """A long carry run: ones between two random bits, sometimes with a hole or complemented."""
    high, low = sorted((choose.randrange(bits + 1), choose.randrange(bits + 1)), reverse=True)
    value = (1 << high) - (1 << low)
    kind = choose.randrange(3)
    if kind == 1:
        value ^= 1 << choose.randrange(bits)
    elif kind == 2:
        value ^= (1 << bits) - 1
    return value


@dataclass(frozen=True)
class Piece:
    """Multiplications ``(a, b, place)`` and the loads among them, in order."""

    batch: list[tuple[int, int, int]]
    loads: list[Load]


class Schedule:
    """Pieces of a run over ``moduli``, changing the modulus during the run.

    All places are loaded first. Then the modulus of a random place changes after a random number of
    multiplications; it is offered while operands go on. As the core decides which of the operands
    around it still use the old modulus, these are below ``bound`` times the smaller of the two.
    """

    def __init__(self, design: Design, moduli: Sequence[int], seed: int, piece: int) -> None:
        self._geometry = design.geometry
        self._design = design
        self._width = design.width
        self._moduli = moduli
        self._piece = piece
        self._choose = random.Random(f"operands {seed} {design.width}")
        self._next_modulus = 0
        self.in_place: list[int] = []
        """The modulus of each place before the piece last given."""

    def pieces(self, count: int) -> Iterator[Piece]:
        """Pieces with ``count`` multiplications in all; use a piece before asking for the next."""
        places, limits_of = self._geometry.moduli, self._design.operand_limits
        now = [self._take_modulus() for _ in range(places)]
        limits = [limits_of(modulus) for modulus in now]
        pools = [self._pool(modulus) for modulus in now]
        loads = [Load(modulus, place) for place, modulus in enumerate(now)]
        self.in_place = list(now)
        change = self._distance()
        while count > 0:
            batch: list[tuple[int, int, int]] = []
            guarded, guard_end = 0, -1
            while len(batch) < self._piece:
                at = len(batch)
                if at == guard_end:
                    limits[guarded] = limits_of(now[guarded])
                    pools[guarded] = self._pool(now[guarded])
                # A change must not reach over the end of its piece.
                if change <= 0 and at + _WINDOW < self._piece:
                    guarded, guard_end = self._choose.randrange(places), at + _WINDOW
                    old, new = now[guarded], self._take_modulus()
                    loads.append(Load(new, guarded, at, guard_end))
                    limits[guarded] = limits_of(min(old, new))
                    pools[guarded] = self._pool(min(old, new))
                    now[guarded] = new
                    change = self._distance()
                place = self._choose.randrange(places) if places > 1 else 0
                (a_limit, b_limit), (a_pool, b_pool) = limits[place], pools[place]
                batch.append(
                    (self._operand(a_limit, a_pool), self._operand(b_limit, b_pool), place)
                )
                change -= 1
            used = batch[:count]
            yield Piece(used, [load for load in loads if load.start < len(used)])
            for load in loads:
                self.in_place[load.place] = load.modulus
            count -= len(used)
            loads = []

    def _distance(self) -> int:
        """Multiplications until the next change, which costs a drained pipeline."""
        return self._choose.randint(_WINDOW + 2, 200 + 4 * self._geometry.slots)

    def _take_modulus(self) -> int:
        value = self._moduli[self._next_modulus % len(self._moduli)]
        self._next_modulus += 1
        return value

    def _pool(self, modulus: int) -> tuple[list[int], list[int]]:
        a_limit, b_limit = self._design.operand_limits(modulus)
        edges = edge_operands(self._width, modulus, a_limit)
        if a_limit == b_limit:
            return edges, edges
        return edges, edge_operands(b_limit.bit_length() - 1, modulus, b_limit)

    def _operand(self, limit: int, pool: list[int]) -> int:
        choose = self._choose
        kind = choose.random()
        if kind < 0.7:
            value = choose.getrandbits(limit.bit_length())
            return value if value < limit else value - limit
        if kind < 0.9:
            return pool[int((kind - 0.7) * 5 * len(pool))]
        return _run_of_ones(choose, limit.bit_length()) % limit
