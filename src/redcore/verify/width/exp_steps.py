# SPDX-License-Identifier: Apache-2.0
"""What ``redc_exp``'s methods ask the multiplier for, and what they make of its answers.

The specification that the solver compares with the RTL, and that Coq proves to give the power.
"""

from __future__ import annotations

from redcore.verify.words import Word, ite

Pair = tuple[Word, Word]


def convert(value: Word, r2: Word) -> Pair:
    """The first product: x into the Montgomery domain."""
    return value, r2


def begin(bit: Word, value: Word, one: Word, r2: Word) -> Pair:
    """The second one: x where the highest bit is 1, else 1."""
    return ite(bit, value, one), r2


def square(value: Word) -> Pair:
    """Of a bit the first one."""
    return value, value


def times(squared: Word, base: Word) -> Pair:
    """Of a bit the second one: the square times x."""
    return squared, base


def chosen(bit: Word, squared: Word, product: Word) -> Word:
    """What goes on: the product where the bit is 1, else the square."""
    return ite(bit, product, squared)


def leave(value: Word, one: Word) -> Pair:
    """The last one: out of the Montgomery domain."""
    return value, one


def unit(modulus: Word) -> Word:
    """The number 1 modulo m."""
    one = modulus.eq(1)
    return (~one).wide(modulus.width)


def result(value: Word, modulus: Word) -> Word:
    """A value of at most m, below m."""
    return value.gated(~value.eq(modulus))
