# SPDX-License-Identifier: Apache-2.0
"""The programs of ``rtl/redc_curve.sv``, and the places that the hardware gives a meaning.

Derivations: ``docs/units/curve.md``.
"""

from __future__ import annotations

from redcore.units.curve.formulas import Program, read

# Bank 0 is written by the adder, bank 1 by the multiplier. What stays comes first.
UNIT, MODULUS, RAW = (0, 0), (0, 1), (0, 2)
"""The number 1, the modulus, and the constant as it came."""
ZERO = (1, 0)
KEPT = {
    "unit": UNIT, "m": MODULUS, "a24_raw": RAW, "zero": ZERO,
    "one": (0, 3), "r2": (0, 4), "a24": (1, 1),
}  # fmt: skip
"""1 and R^2 as numbers of the multiplier, and the curve's constant as one."""
KEPT_PLACES = 5
"""Of each bank."""
OPERAND = (0, KEPT_PLACES)
"""Where u comes."""

_LOAD = """
power = unit
{radix}
one = power
{radix}
r2 = power
a24 = below(a24_raw) * r2
Exponent = m - (unit + unit)
"""
_DOUBLE = """
for bit in radix:
    power = power + power
"""


def load(r_bits: int) -> Program:
    """What follows from a modulus: R, R^2, the constant times R, and p - 2."""
    return read(_LOAD.format(radix=_DOUBLE if r_bits else ""))


LADDER_TEXT = """
x1 = below(u) * r2
x2 = one * one
z2 = zero * one
x3 = x1 * one
z3 = one * one
for bit in scalar:
    a = x2 + z2
    b = x2 - z2
    c = x3 + z3
    d = x3 - z3
    aa = choose(a, c)**2
    bb = choose(b, d)**2
    e = aa - bb
    da = d * a
    cb = c * b
    x3 = (da + cb)**2
    z3 = x1 * (da - cb)**2
    x2 = aa * bb
    z2 = e * (aa + a24 * e)

# k P = (x : z) and (k + 1) P = (v : w)
x = choose(x2, x3)
z = choose(z2, z3)
v = choose(x3, x2)
w = choose(z3, z2)

# P, k P and -(k + 1) P lie on a line
zw = z * w
xv = x * v
cross = x * w + v * z
first = x1 * zw + cross
second = x1 * cross + xv
third = x1 * xv
half = a24 * zw
half = half + half + zw
third = third * (first + half + half)
third = third + third
zero((second - zw)**2 - (third + third))

# u and the constant are still what came, which the line does not tell
zero(x1 * unit - u)
zero(a24 * unit - a24_raw)

# z^(p - 2)
p0 = one * one
p1 = z * one
for bit in exponent:
    chosen = choose(p0, p1)
    p1 = p0 * p1
    p0 = chosen**2
inverse = choose(p0, p1)
result = reduced((x * inverse) * unit)
Result = nonzero(result)
zero((Result * r2) * z - x)
"""
LADDER = read(LADDER_TEXT)
"""u of a scalar times a point of a Montgomery curve, from u alone, checked."""


def flush(count: int) -> Program:
    """So many products of ones, and two sums: nothing of a job is left in multiplier and adder."""
    lines = ["gone = one * one"] * count + ["last = one + one"] * 2
    return read("\n".join(lines))
