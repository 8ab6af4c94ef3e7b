# SPDX-License-Identifier: Apache-2.0
"""Test vectors for a bundle's own test bench: what the core must give, agreed by two references."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from redcore.design import Design, Geometry, number
from redcore.errors import CheckFailed
from redcore.simulate import edge_operands

_CYCLES = 1_000_000
"""What a pass of the bench may take, about, in clock cycles."""
_MOST_STEADY = 64
_MOST_OTHERS = 8


@dataclass(frozen=True)
class Plan:
    """How much a bench does.

    ``steady`` operations with the first modulus go back to back, over which the interval is
    measured; ``others`` follow with each further modulus, of which ``moduli`` are taken.
    ``exponent_bits`` is how far exponents are gone through, None where there are none;
    ``geometry`` has the cycles with such exponents.
    """

    steady: int
    others: int
    moduli: int
    exponent_bits: int | None
    geometry: Geometry


@dataclass(frozen=True)
class Vector:
    """One operation: modulus ``m`` in place ``index``, operands, exact result of the core."""

    index: int
    m: int
    a: int
    b: int
    product: int


def plan(design: Design) -> Plan:
    """What a bench of this design can do in a minute or so.

    A multiplier gets all. A slower unit gets fewer operations, and where these take too long, too,
    shorter exponents than it is built for.
    """
    geometry = design.geometry
    least = 4 + 2 * geometry.slots
    exponent = None
    if "exp_bits" in design.values:
        longest = number(design.values, "exp_bits")
        most = _CYCLES * longest // (2 * least * ceil(geometry.interval_cycles))
        exponent = min(longest, max(8, most))
        geometry = design.family.geometry_at(design.width, design.values, exponent)
    affordable = max(1, _CYCLES // ceil(geometry.interval_cycles))
    steady = min(_MOST_STEADY, max(least, affordable // 2))
    others = min(_MOST_OTHERS, max(1, affordable // 32))
    return Plan(steady, others, max(1, (affordable - steady) // others), exponent, geometry)


def vectors(design: Design, moduli: Sequence[int], seed: int) -> list[Vector]:
    """Vectors for ``moduli[0]`` (enough for the steady state), then a few for each other modulus.

    The first modulus's vectors come first and share place 0; the others take turns on all places.
    """
    amount = plan(design)
    draw = random.Random(f"{seed}/{design.label()}")
    exponent = amount.exponent_bits
    pairs = _pairs(design, moduli[0], amount.steady, exponent, draw)
    found = [_vector(design, 0, moduli[0], a, b) for a, b in pairs]
    for turn, m in enumerate(moduli[1 : 1 + amount.moduli], start=1):
        place = turn % design.geometry.moduli
        pairs = _pairs(design, m, amount.others, exponent, draw)
        found += [_vector(design, place, m, a, b) for a, b in pairs]
    return found


def text(design: Design, found: Sequence[Vector]) -> str:
    """The file that the bench reads: one ``index_modulus_a_b_product`` per line, hexadecimal.

    The modulus has what follows it on its stream above it.
    """
    modulus, operand = modulus_digits(design), hex_digits(design)
    lines = []
    for v in found:
        words = design.family.modulus_words(design.width, design.values, v.m)
        numbers = [f"{words:0{modulus}x}"]
        numbers += [f"{value:0{operand}x}" for value in (v.a, v.b, v.product)]
        lines.append("_".join([f"{v.index:08x}", *numbers]) + "\n")
    return "".join(lines)


def hex_digits(design: Design) -> int:
    """Hexadecimal digits of an operand as it travels, all its words together."""
    return -(-design.geometry.word_bits * design.geometry.beats // 4)


def modulus_beats(design: Design) -> int:
    """Words on the modulus stream."""
    return design.geometry.modulus_beats or design.geometry.beats


def modulus_digits(design: Design) -> int:
    """Hexadecimal digits of what the modulus stream carries."""
    return -(-design.geometry.word_bits * modulus_beats(design) // 4)


def _pairs(
    design: Design, m: int, count: int, exponent: int | None, draw: random.Random
) -> list[tuple[int, int]]:
    """``count`` operand pairs: every pair of edge values that fits, then random ones.

    ``exponent``: the bits of an exponent, None where b is none.

    One in three of the places is kept for random pairs.
    """
    a_top, b_top = design.operand_limits(m)
    if exponent is not None:
        b_top = min(b_top, 1 << exponent)
    a_edges = edge_operands(design.width, m, a_top)
    b_edges = edge_operands(b_top.bit_length() - 1 if exponent else design.width, m, b_top)
    corners = [(a, b) for a in a_edges for b in b_edges]
    draw.shuffle(corners)
    # The largest operands are always there: they decide whether the bound holds.
    chosen = [(a_top - 1, b_top - 1), (m - 1, 1 % b_top), *corners][: count - count // 3]
    while len(chosen) < count:
        chosen.append((draw.randrange(a_top), draw.randrange(b_top)))
    if design.family.told(design.values):
        # It is told of squares, so that there have to be some.
        chosen = [(a, a if at % 3 == 2 else b) for at, (a, b) in enumerate(chosen)]
    return chosen


def _vector(design: Design, index: int, m: int, a: int, b: int) -> Vector:
    """The exact result from the family's model, checked against other arithmetic."""
    product = design.product(a, b, m)
    right = design.family.otherwise(design.width, design.values, a, b, m)
    limit = design.family.result_limit(design.width, design.values, m)
    reduced = product % m if limit == design.geometry.bound * m else product
    if right not in (None, reduced) or not 0 <= product < limit:
        raise CheckFailed(
            f"the model of {design.label()} disagrees with GMP: a={a:#x} b={b:#x} m={m:#x}"
        )
    return Vector(index, m, a, b, product)
