# SPDX-License-Identifier: Apache-2.0
"""The programs of ``rtl/redc_curve.sv`` on twisted Edwards curves a x^2 + y^2 = 1 + d x^2 y^2:
scalar multiplication, and the parts of signatures (RFC 8032)."""

from __future__ import annotations

from functools import cache

from redcore.units.curve.edwards_formulas import KINDS, Kind, Text
from redcore.units.curve.programs import ACCEPTED, ProgramText, by_digits, unchanged


def _multiply(kind: Kind, window: int, full: int) -> str:
    text = Text(kind)
    return f"""
px = below(x_raw) * r2
py = below(y_raw) * r2
{text.on_curve("valid", "px", "py")}{text.begun}
{text.full("px", "py") if full else ""}{{random}}
{text.times(window, "px", "py")}
# The point and the constants are still what came
{unchanged(px="x", py="y")}{text.still}
{text.affine()}
"""


# ----------------------------------------------------------------------------------------------
# Signatures (RFC 8032, section 5.1): n is the order of the base point (gx, gy).
# ----------------------------------------------------------------------------------------------


def _sign(kind: Kind, window: int) -> str:
    """k times the base point, and r + h s modulo n. Of one signature they are two jobs, as h is a
    hash of the point. The key s is a sum of two numbers that nobody knows where it is multiplied;
    both products are made anew by other ones."""
    text = Text(kind)
    return f"""
modulo(m)
{text.on_curve("valid", "gx", "gy")}{text.begun}
{{random}}
{text.times(window, "gx", "gy")}
{unchanged("gx", "gy")}{text.still}
{text.affine()}
modulo(n)
valid(below(spare_raw))
valid(below(other_raw))
below(k_raw)
hashed = below(h_raw) * r2n
nonce = below(r_raw) * r2n
key = below(s_raw) * r2n
{{random_n}}
ResultS = reduced((nonce + hashed * power + hashed * (key - power)) * unit)
twice = power + power
zero(ResultS * r2n - nonce - (hashed * (key - twice) + hashed * twice))
{unchanged(hashed="h", nonce="r", key="s")}modulo(m)
"""


def _verify(kind: Kind, window: int) -> str:
    """Whether S B - h A is R: no quotient is taken."""
    text = Text(kind)
    return f"""
modulo(n, second)
below(s_raw)
Exponent = below(h_raw)
modulo(m)
ax = below(x_raw) * r2
ay = below(y_raw) * r2
qx = below(rx_raw) * r2
qy = below(ry_raw) * r2
{text.on_curve("valid", "ax", "ay")}
{text.on_curve("valid", "gx", "gy")}{text.begun}
px = zero - ax
py = ay
{text.joint(window)}
nonzero(z)
zero(x - qx * z)
zero(y - qy * z)
{unchanged("gx", "gy", ax="x", ay="y", qx="rx", qy="ry")}{text.still}
# No loop comes behind that of the digits: both numbers go, or a bit of them stays in registers
modulo(n, scalar)
Exponent = reduced(zero)
modulo(n, second)
Exponent = reduced(zero)
modulo(m)
{ACCEPTED}"""


@cache
def edwards_text(task: str, kind: str, window: int = 1, full: int = 0) -> ProgramText:
    """A scalar times a point, whose order has ``full`` bits where it is asked; or that of the base
    point and the scalar part of a signature, or whether a signature is one; by the coefficient a:
    -1, 1 or any."""
    parts = KINDS[kind]
    digit, places = by_digits(window, 32)
    if task == "multiply":
        return ProgramText(
            _multiply(parts, window, full), ("x_raw", "y_raw"),
            (*parts.constants, *("l",) * (full > 0)), ("ResultX", "ResultY"),
            places, window=digit, full=full,
        )  # fmt: skip
    constants = (*parts.constants, "gx", "gy")
    if task == "sign":
        return ProgramText(
            _sign(parts, window), ("h_raw", "spare_raw", "other_raw"), constants,
            ("ResultX", "ResultY", "ResultS"), 2 * places, window=digit,
            others=("k_raw", "r_raw", "s_raw"),
        )  # fmt: skip
    return ProgramText(
        _verify(parts, window), ("x_raw", "y_raw", "h_raw"), constants,
        ("ResultV", "ResultW", "ResultX"), 128, window=window,
        others=("s_raw", "rx_raw", "ry_raw"), joint=True,
    )  # fmt: skip
