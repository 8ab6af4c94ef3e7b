# SPDX-License-Identifier: Apache-2.0
"""The programs of ``rtl/redc_curve.sv`` on y^2 = x^3 + a x + b: scalar multiplication, and
signatures (FIPS 186-5, section 6)."""

from __future__ import annotations

from functools import cache

from redcore.units.curve.programs import (
    ACCEPTED,
    ProgramText,
    by_digits,
    inversion,
    unchanged,
)
from redcore.units.curve.weierstrass_formulas import KINDS, Kind, Text


def _multiply(kind: Kind, window: int) -> str:
    text = Text(kind)
    return f"""
px = below(x_raw) * r2
py = below(y_raw) * r2
{text.on_curve("valid", "px", "py")}
nonzero(py)
b3 = b + b + b
{{random}}
{text.times(window)}
# The point and the constants are still what came
{unchanged(px="x", py="y")}{text.still}
{text.affine()}
"""


# ----------------------------------------------------------------------------------------------
# Signatures (FIPS 186-5, section 6): n is the order of the base point (gx, gy). A modulo that says
# nothing new waits until the exponent is written.
# ----------------------------------------------------------------------------------------------

_EXPONENT = """
modulo({m})
Exponent = {m}{raw} - (unit + unit)
modulo({m})
"""
_MODULO_M = _EXPONENT.format(m="m", raw="")
_MODULO_N = _EXPONENT.format(m="n", raw="_raw")


def _sign(kind: Kind, window: int) -> str:
    text = Text(kind)
    return f"""
{_MODULO_M}
{text.on_curve("valid", "gx", "gy")}
b3 = b + b + b
{{random}}
{text.times(window, x="gx", y="gy")}
{unchanged("gx", "gy")}{text.still}
{text.affine("ax", "ay")}
{_MODULO_N}
valid(below(spare_raw))
z = below(z_raw) * r2n
k = nonzero(below(k_raw)) * r2n
d = nonzero(below(d_raw)) * r2n
r_raw = reduced(ax)
ResultR = nonzero(r_raw)
r = ResultR * r2n

# s = (z + r d) / k, all times a power of 3 that nobody knows
{{random_n}}
kp = k * power
sum = z * power + r * (d * power)
{inversion("kp", "onen")}
s = reduced((sum * inverse) * unit)
ResultS = nonzero(s)

# s k = z + r d, made anew, and what went in is still what came
zero((ResultS * r2n) * (k * power) - (z * power + r * (d * power)))
zero(reduced(ax) - r_raw)
{unchanged("r", "z", "k", "d")}modulo(m)
"""


def _verify(kind: Kind, window: int) -> str:
    text = Text(kind)
    return f"""
{_MODULO_N}
valid(below(spare_raw))
z = below(z_raw) * r2n
rr = nonzero(below(r_raw)) * r2n
s = nonzero(below(s_raw)) * r2n
{inversion("s", "onen")}
zero((s * inverse) - onen)
first = (z * inverse) * unit
second = (rr * inverse) * unit
modulo(n, scalar)
Exponent = reduced(first)
modulo(n, second)
Exponent = reduced(second)
{_MODULO_M}
px = below(x_raw) * r2
py = below(y_raw) * r2
{text.on_curve("valid", "px", "py")}
{text.on_curve("valid", "gx", "gy")}
nonzero(py)
b3 = b + b + b
{{random}}
{text.joint(window)}
{unchanged("gx", "gy", px="x", py="y")}{text.still}
{text.affine("ax", "ay")}
modulo(n, second)
zero(reduced(ax) - r_raw)
Exponent = reduced(zero)
modulo(m)
{ACCEPTED}"""


@cache
def weierstrass_text(task: str, kind: str, window: int = 1) -> ProgramText:
    """A scalar times a point, checked, by the ladder with a window of 1; or a signature (r, s) of z
    by the key d with the nonce k, or whether r, s is one of z by the owner of the point x, y; by
    the coefficient a: -3, 0 or any."""
    parts = KINDS[kind]
    if task == "multiply":
        digit, places = by_digits(window, 32)
        return ProgramText(
            _multiply(parts, window), ("x_raw", "y_raw"), parts.constants, ("ResultX", "ResultY"),
            places, window=digit,
        )  # fmt: skip
    constants = (*parts.constants, "gx", "gy")
    if task == "sign":
        digit, places = by_digits(window, 64)
        return ProgramText(
            _sign(parts, window), ("z_raw", "spare_raw"), constants, ("ResultR", "ResultS"),
            places, window=digit, others=("k_raw", "d_raw"),
        )  # fmt: skip
    return ProgramText(
        _verify(parts, window), ("x_raw", "y_raw", "z_raw"), constants,
        ("ResultV", "ResultW", "ResultX"), 128 if window > 1 else 64, window=window,
        others=("r_raw", "s_raw", "spare_raw"), joint=True,
    )  # fmt: skip
