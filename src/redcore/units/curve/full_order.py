# SPDX-License-Identifier: Apache-2.0
"""Whether a curve has points of a prime order: what ``full_order`` takes."""

from __future__ import annotations

from functools import cache
from itertools import islice
from math import isqrt

from gmpy2 import legendre

from redcore.design import ceil_div
from redcore.units.curve.weierstrass import Point, point_by_chords

_TRIED = 8
"""Points of which one shows it, each but for a chance of one in the order."""
_COFACTORS = 64
"""Of a curve of known size there is one; more are tried on small ones."""


@cache
def has_order(order: int, big: int, scale: int, prime: int) -> bool:
    """Whether B v^2 = u^3 + A u^2 + u modulo a prime has points of a prime order; ``big`` is A,
    ``scale`` B.

    A cofactor times a point is one, where that is not infinity and the order times it is. The
    cofactors are those for which the number of points has its size (Hasse).
    """
    about, off = prime + 1, isqrt(4 * prime)
    cofactors = range(ceil_div(about - off, order), (about + off) // order + 1)
    if len(cofactors) > _COFACTORS:
        return False
    # (u, 1) is on the curve b v^2 = u^3 + A u^2 + u, the same one where B b is a square.
    values = ((u, (u**3 + big * u * u + u) % prime) for u in range(1, prime))
    points = ((u, b) for u, b in values if legendre(b * scale, prime) == 1)
    for u, b in islice(points, _TRIED):
        for cofactor in cofactors:
            end: Point | None = point_by_chords((u, 1), cofactor, 1, prime, big, b)
            if end and point_by_chords(end, order, 1, prime, big, b) is None:
                return True
    return False
