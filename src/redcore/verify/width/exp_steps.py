# SPDX-License-Identifier: Apache-2.0
"""What ``redc_exp``'s methods ask the multiplier for, and what they make of its answers.

The specification that the solver compares with the RTL, and that Coq proves to give the power.
"""

from __future__ import annotations

from redcore.verify.algebra import Algebra
from redcore.verify.words import Size, Word, coq, ite, leaf

Pair = tuple[Word, Word]
Operands = dict[int, Pair]
"""What each kind of products is of."""


def next_bit(rest: Word) -> Pair:
    """The exponent's highest bit, and what is left behind it."""
    return rest.top(), rest.double()


def lowest_bit(rest: Word) -> Pair:
    """The exponent's lowest bit, and what is left behind it."""
    return rest.low(1), rest.half()


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


def kept(bit: Word, product: Word, before: Word) -> Word:
    """Right to left: the product where the bit is 1, else what was there before."""
    return ite(bit, product, before)


def both(before: Word, low: Word, high: Word) -> Pair:
    """Of a rung of the ladder the first product: of the two that are one power apart, the product
    of the rung ``before`` first."""
    return ite(before, low, high), ite(before, high, low)


def one_of(bit: Word, low: Word, high: Word) -> Pair:
    """The second one: the square of the higher one where the bit is 1, else of the lower one."""
    return ite(bit, high, low), ite(bit, high, low)


def rung(bit: Word, product: Word, squared: Word) -> Pair:
    """The two behind it, the lower one first."""
    return ite(bit, product, squared), ite(bit, squared, product)


def digit(number: Word, bit: Word) -> Word:
    """A digit with one bit more below."""
    return bit if number.width == 1 else number.pushed(bit)


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


THEOREMS = {
    "ltr": "left_to_right_power",
    "ladder": "ladder_power",
    "rtl": "right_to_left_power",
    "window": "window_power",
}
"""What Coq proves of a method."""


def algebra(method: str) -> Algebra:
    """What Coq proves of these, for every width and every multiplier that keeps the contract."""
    n = Size()
    names = ("value", "r2", "one", "squared", "base", "product", "modulus", "rest", "low", "high")
    value, r2, one, squared, base, product, modulus, rest, low, high = (
        leaf(name, n) for name in names
    )
    bit, before = leaf("bit", 1), leaf("before", 1)
    definitions = (
        ("next_bit", [rest], next_bit(rest)),
        ("convert", [value, r2], convert(value, r2)),
        ("begin", [bit, value, one, r2], begin(bit, value, one, r2)),
        ("square", [value], square(value)),
        ("times", [squared, base], times(squared, base)),
        ("chosen", [bit, squared, product], [chosen(bit, squared, product)]),
        ("lowest_bit", [rest], lowest_bit(rest)),
        ("kept", [bit, product, value], [kept(bit, product, value)]),
        ("both", [before, low, high], both(before, low, high)),
        ("one_of", [bit, low, high], one_of(bit, low, high)),
        ("rung", [bit, product, squared], rung(bit, product, squared)),
        ("digit", [value, bit], [digit(value, bit)]),
        ("leave", [value, one], leave(value, one)),
        ("unit", [modulus], [unit(modulus)]),
        ("result", [value, modulus], [result(value, modulus)]),
    )
    return Algebra(
        "redc_algebra_exp.v",
        THEOREMS[method],
        "for every width and any M with M(a, b) R = a b modulo m, operands and results below bound"
        " m, and M(a, 1) at most m: x^e mod m, for x < m and the exponent's lowest bits, as many as"
        " its length",
        "\n".join(coq(f"exp_{name}", of, gives) for name, of, gives in definitions),
    )
