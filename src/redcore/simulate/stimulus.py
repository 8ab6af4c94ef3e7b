# SPDX-License-Identifier: Apache-2.0
"""What is fed to a core: moduli and operands, edge values mixed with random ones, from one seed.

The schedule of a seed is a stream: the first K multiplications are the same however many follow,
so a run can be repeated up to the point where it failed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from redcore.design import Design
from redcore.errors import BadInput
from redcore.simulate.bulk import Batch, Drawing
from redcore.simulate.simulator import Load, Simulator

_WINDOW = 8
"""Multiplications offered while a modulus waits, which stops most cores from taking them; the
driver holds back the next ones until the modulus is in."""


def _primes(values: Sequence[int]) -> list[int]:
    """The nearest prime that is not above each, or 5."""
    from gmpy2 import is_prime

    return [next((one for one in range(value, 5, -2) if is_prime(one)), 5) for value in values]


def edge_moduli(width: int, prime: bool = False) -> list[int]:
    """Odd moduli that stress a core: smallest, largest, long runs of equal bits; or primes near."""
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
    values = [value for value in values if 0 < value < top]
    return list(dict.fromkeys(_primes(values) if prime else values))


def default_moduli(width: int, seed: int, prime: bool = False) -> list[int]:
    """The moduli of a run that was given none: the edge ones and as many random odd ones; or
    primes near them."""
    choose = random.Random(f"moduli {seed} {width}")
    edges = edge_moduli(width, prime)
    drawn = [choose.getrandbits(width) | 1 | 1 << (width - 1) for _ in edges[1:]]
    drawn.append(choose.getrandbits(max(2, width // 2)) | 1)
    drawn = _primes(drawn) if prime else drawn
    mixed = [value for pair in zip(edges, drawn, strict=True) for value in pair]
    return list(dict.fromkeys(mixed))


def fitting(design: Design, moduli: Iterable[int]) -> list[int]:
    """Those that are moduli of the design."""
    reason = design.family.modulus_reason
    return [one for one in moduli if not reason(design.width, design.values, one)]


def usual_moduli(design: Design, seed: int) -> list[int]:
    """The default moduli of a design's width that fit it, if any."""
    return fitting(design, default_moduli(design.width, seed, design.family.prime_moduli))


def design_moduli(design: Design, seed: int) -> list[int]:
    """The usual moduli of a design, or else those that it knows; BadInput without any."""
    family, width = design.family, design.width
    found = usual_moduli(design, seed) or fitting(design, family.known_moduli(width, design.values))
    if not found:
        tried = default_moduli(width, seed, family.prime_moduli)[0]
        reason = family.modulus_reason(width, design.values, tried)
        raise BadInput(f"give --modulus: {tried:#x}, as others, {reason}")
    return found


def edge_operands(width: int, modulus: int, limit: int, words: Iterable[int] = ()) -> list[int]:
    """Operands below ``limit`` (bound * modulus) where carries and comparisons may slip.

    ``words`` are sizes in bits that a core cuts operands into: whole words of ones, words with
    their lowest or highest bit alone.
    """
    top = 1 << width
    middle = width // 2
    values = [
        0, 1, modulus - 1, limit - 1, modulus, modulus + 1, 2, limit - 2, modulus >> 1,
        (modulus >> 1) + 1, (top >> 1) - 1, top >> 1, top - 1, top, top + 1, (1 << middle) - 1,
        1 << middle, (top - 1) ^ ((1 << middle) - 1), int("01" * width, 2) % top,
    ]  # fmt: skip
    for size in words:
        each = top // ((1 << size) - 1)  # the lowest bit of every word but a broken highest one
        ones, high = (1 << size) - 1, each << (size - 1)
        values += [ones, modulus >> size << size, each % top, high % top, each * ones % top - ones]
    return list(dict.fromkeys(value for value in values if 0 <= value < limit))


@dataclass(frozen=True)
class Piece:
    """Multiplications and the loads among them, in order."""

    batch: Batch
    loads: list[Load]


class Schedule:
    """Pieces of a run over ``moduli``, changing the modulus during the run.

    All places are loaded first. Then the modulus of a random place changes after a random number of
    multiplications; it is offered while operands go on. As the core decides which of the operands
    around it still use the old modulus, these are below ``bound`` times the smaller of the two.

    Of ten operands seven are random, two are edge values and one is a long carry run: ones between
    two random bits, sometimes with a hole or complemented.
    """

    def __init__(self, core: Simulator, moduli: Sequence[int], seed: int, piece: int) -> None:
        self._core = core
        self._design = design = core.design
        self._geometry = design.geometry
        self._width = design.width
        self._words = design.word_sizes()
        self._moduli = moduli
        self._piece = piece
        self._choose = random.Random(f"operands {seed} {design.width}")
        self._next_modulus = 0
        self.in_place: list[int] = []
        """The modulus of each place before the piece last given."""

    def pieces(self, count: int) -> Iterator[Piece]:
        """Pieces with ``count`` multiplications in all; use a piece before asking for the next."""
        core, choose, places = self._core, self._choose, self._geometry.moduli
        drawing = core.drawing(choose.getrandbits(64))
        now = [self._take_modulus() for _ in range(places)]
        for place, modulus in enumerate(now):
            self._set(drawing, place, modulus)
        loads = [Load(modulus, place) for place, modulus in enumerate(now)]
        self.in_place = list(now)
        change = self._distance()
        while count > 0:
            batch, at = core.batch(self._piece), 0
            guarded, guard_end = 0, -1
            while at < self._piece:
                if at == guard_end:
                    self._set(drawing, guarded, now[guarded])
                # A change must not reach over the end of its piece.
                if change <= 0 and at + _WINDOW < self._piece:
                    guarded, guard_end = choose.randrange(places), at + _WINDOW
                    old, new = now[guarded], self._take_modulus()
                    loads.append(Load(new, guarded, at, guard_end))
                    self._set(drawing, guarded, min(old, new))
                    now[guarded] = new
                    change = self._distance()
                if at < guard_end:
                    end = guard_end
                elif 0 < change < self._piece - at:
                    end = at + change
                else:
                    end = self._piece
                drawing.draw(batch, at, end)
                change -= end - at
                at = end
            batch.shorten(min(count, self._piece))
            yield Piece(batch, [load for load in loads if load.start < batch.count])
            for load in loads:
                self.in_place[load.place] = load.modulus
            count -= batch.count
            loads = []

    def _distance(self) -> int:
        """Multiplications until the next change, which costs a drained pipeline."""
        return self._choose.randint(_WINDOW + 2, 200 + 4 * self._geometry.slots)

    def _take_modulus(self) -> int:
        value = self._moduli[self._next_modulus % len(self._moduli)]
        self._next_modulus += 1
        return value

    def _set(self, drawing: Drawing, place: int, modulus: int) -> None:
        """Draw operands of a place for a modulus from now on."""
        a_limit, b_limit = limits = self._design.operand_limits(modulus)
        edges = second = edge_operands(self._width, modulus, a_limit, self._words)
        if a_limit != b_limit:
            second = edge_operands(b_limit.bit_length() - 1, modulus, b_limit)
        drawing.set(place, limits, (edges, second))
