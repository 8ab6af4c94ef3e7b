# SPDX-License-Identifier: Apache-2.0
"""Square roots modulo primes of every kind that the ways of finding them tell apart."""

from __future__ import annotations

import random

import pytest

from redcore.units.curve.curves import CURVES
from redcore.units.curve.square_root import square_root


@pytest.mark.parametrize("prime", [3, 5, 7, 13, 17, 41, 97, 193, 251, 257])
def test_every_number_of_a_small_prime(prime: int) -> None:
    roots = {root * root % prime: root for root in reversed(range(prime // 2 + 1))}
    for number in range(-prime, 2 * prime):
        assert square_root(number, prime) == roots.get(number % prime), number


def test_squares_of_named_primes() -> None:
    """p224's prime is 1 modulo 2^96, the longest way."""
    choose = random.Random(1)
    for prime in {curve.prime for curve in CURVES.values()}:
        for root in (0, 1, prime - 1, *(choose.randrange(prime) for _ in range(8))):
            assert square_root(root * root, prime) == min(root, (prime - root) % prime), prime
