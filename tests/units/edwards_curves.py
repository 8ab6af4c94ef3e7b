# SPDX-License-Identifier: Apache-2.0
"""Small Edwards curves, their points by trying all numbers, and their sums by the affine law."""

from __future__ import annotations

from functools import cache

from gmpy2 import is_prime

from redcore.catalogue import family
from redcore.design import Design
from redcore.units.curve.edwards import NEUTRAL, Point, added, is_complete, is_on_edwards, multiple
from redcore.units.curve.family import CurveUnit

Small = tuple[int, int, int, int]
"""A prime, a, d, and the number of points."""
SMALL: list[Small] = [(61, -1, 2, 56), (61, 1, 7, 52), (61, 5, 2, 48), (53, 4, 5, 48)]
WIDE: Small = (65521, -1, 17, 0)
PAIRED: Small = (65521, -1, 118, 65092)
"""Its number of points is 4 times a prime, and it has 16 bits."""
PAIRED_POINT: Point = (6, 22440)
"""Of the order 65092."""
PAIRED_BASE: Point = (47871, 10110)
PAIRED_SIGNING: dict[str, int | str] = {
    "order": 16273, "base_x": PAIRED_BASE[0], "base_y": PAIRED_BASE[1]
}  # fmt: skip
"""What a design that signs or verifies has of the base, of order 16273."""
KINDS = {-1: "-1", 1: "1", 5: "any", 4: "any"}


def design(multiplier: str, width: int, small: Small, **settings: int | str) -> Design:
    _, a, d, _ = small
    return family(f"curve-{multiplier}").design(
        width, {"form": "edwards", "a": a, "b": d, **settings}
    )


def joined(one: Design, *numbers: int) -> int:
    assert isinstance(one.family, CurveUnit)
    return one.family.joined(one.width, one.values, numbers)


@cache
def points(p: int, a: int, d: int) -> list[Point]:
    return [(x, y) for x in range(p) for y in range(p) if is_on_edwards((x, y), a, d, p)]


@cache
def group(p: int = 61, a: int = -1) -> tuple[Small, Point, int]:
    """A small curve whose number of points is a cofactor times a prime, a base, and the prime."""
    for d in range(2, p):
        if is_complete(a, d, p):
            count = len(points(p, a, d))
            order = count // (8 if count % 8 == 0 else 4)
            if is_prime(order) and order > 5:
                bases = (one for one in points(p, a, d) if one != NEUTRAL)
                base = next(one for one in bases if multiple(one, order, a, d, p) == NEUTRAL)
                return (p, a, d, count), base, order
    raise AssertionError


def right(point: Point, scalar: int, p: int, a: int, d: int) -> Point | None:
    """By sums one behind the other; None of what is refused."""
    if point not in points(p, a, d):
        return None
    found = NEUTRAL
    for _ in range(scalar):
        found = added(found, point, a, d, p)
    return None if found == NEUTRAL else found
