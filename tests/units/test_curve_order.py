# SPDX-License-Identifier: Apache-2.0
"""Orders of curves: what one point tells."""

from __future__ import annotations

import time

from redcore.units.curve.curves import CURVES
from redcore.units.curve.weierstrass import Weierstrass, is_on_curve, is_order, point_by_chords


def test_an_order_of_the_right_size_is_told_from_one_point() -> None:
    """Against all points of every curve modulo a prime, for all numbers of that size."""
    prime, a = 61, 58
    for b in range(1, prime):
        if (4 * a**3 + 27 * b * b) % prime:
            points = [
                (x, y)
                for x in range(prime)
                for y in range(prime)
                if is_on_curve((x, y), a, b, prime)
            ]
            for order in range(47, 78):
                right = not any(point_by_chords(each, order, a, prime) for each in points)
                assert is_order(order, a, b, prime) == right, (b, order)


def test_an_order_is_told_at_once() -> None:
    """Of the longest named curve, of the same in other coordinates, and of a wrong one."""
    curve = CURVES["p521"]
    assert isinstance(curve, Weierstrass)
    m = curve.prime
    began = time.process_time()
    assert is_order(curve.order, curve.a, curve.b, m)
    assert is_order(curve.order, curve.a * 3**4 % m, curve.b * 3**6 % m, m)
    assert not is_order(curve.order, curve.a, curve.b + 1, m)
    assert time.process_time() - began < 1
