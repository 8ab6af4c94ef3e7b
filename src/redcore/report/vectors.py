# SPDX-License-Identifier: Apache-2.0
"""Test vectors for a bundle's own test bench: what the core must give, agreed by two references."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import gmpy2

from redcore.errors import CheckFailed
from redcore.families.base import Design
from redcore.simulate import edge_operands

STEADY = 64
"""Multiplications with one modulus, back to back, over which the bench measures the interval."""


@dataclass(frozen=True)
class Vector:
    """One multiplication: modulus ``m`` in place ``index``, operands, exact result of the core."""

    index: int
    m: int
    a: int
    b: int
    product: int


def vectors(design: Design, moduli: Sequence[int], seed: int) -> list[Vector]:
    """Vectors for ``moduli[0]`` (enough for the steady state), then a few for each other modulus.

    The first modulus's vectors come first and share place 0; the others take turns on all places.
    """
    draw = random.Random(f"{seed}/{design.label()}")
    pairs = _pairs(design, moduli[0], STEADY, draw)
    found = [_vector(design, 0, moduli[0], a, b) for a, b in pairs]
    for number, m in enumerate(moduli[1:], start=1):
        place = number % design.geometry.moduli
        found += [_vector(design, place, m, a, b) for a, b in _pairs(design, m, 8, draw)]
    return found


def text(design: Design, found: Sequence[Vector]) -> str:
    """The file that the bench reads: one ``index_modulus_a_b_product`` per line, hexadecimal."""
    digits = hex_digits(design)
    lines = []
    for v in found:
        numbers = [f"{value:0{digits}x}" for value in (v.m, v.a, v.b, v.product)]
        lines.append("_".join([f"{v.index:08x}", *numbers]) + "\n")
    return "".join(lines)


def hex_digits(design: Design) -> int:
    """Hexadecimal digits of an operand as it travels, all its words together."""
    return -(-design.geometry.word_bits * design.geometry.beats // 4)


def _pairs(design: Design, m: int, count: int, draw: random.Random) -> list[tuple[int, int]]:
    """``count`` operand pairs below bound*m: every pair of edge values that fits, then random ones.

    One in three of the places is kept for random pairs.
    """
    top = design.geometry.bound * m
    edges = edge_operands(design.width, m, top)
    corners = [(a, b) for a in edges for b in edges]
    draw.shuffle(corners)
    # The largest operands are always there: they decide whether the bound holds.
    chosen = [(top - 1, top - 1), (m - 1, 1 % top), *corners][: count - count // 3]
    while len(chosen) < count:
        chosen.append((draw.randrange(top), draw.randrange(top)))
    return chosen


def _vector(design: Design, index: int, m: int, a: int, b: int) -> Vector:
    """The exact result from the family's model, checked against GMP's own arithmetic."""
    product = design.product(a, b, m)
    inverse = gmpy2.invert(gmpy2.mpz(1) << design.geometry.r_bits, m) if m > 1 else 0
    if product % m != a * b * inverse % m or not 0 <= product < design.geometry.bound * m:
        raise CheckFailed(
            f"the model of {design.label()} disagrees with GMP: a={a:#x} b={b:#x} m={m:#x}"
        )
    return Vector(index, m, a, b, product)
