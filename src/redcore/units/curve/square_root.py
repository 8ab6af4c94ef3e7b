# SPDX-License-Identifier: Apache-2.0
"""Square roots modulo a prime."""

from __future__ import annotations

from itertools import count

from gmpy2 import legendre


def square_root(square: int, prime: int) -> int | None:
    """The smaller number whose square is ``square`` modulo an odd prime; None where there is none.

    By Tonelli's and Shanks's way: a root but for a factor whose order is a power of two, which a
    number that is no square then takes out bit by bit.
    """
    square %= prime
    if square == 0:
        return 0
    if legendre(square, prime) != 1:
        return None
    odd, twos = prime - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    factor = pow(next(one for one in count(2) if legendre(one, prime) == -1), odd, prime)
    root, rest = pow(square, (odd + 1) // 2, prime), pow(square, odd, prime)
    for bit in reversed(range(twos - 1)):
        if pow(rest, 1 << bit, prime) != 1:
            root, rest = root * factor % prime, rest * factor * factor % prime
        factor = factor * factor % prime
    return min(root, prime - root)
