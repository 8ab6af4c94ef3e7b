# SPDX-License-Identifier: Apache-2.0
"""Formulas of short Weierstrass curves y^2 = x^3 + a x + b as parts of programs. What differs by a
is a part of its own: how the products of a sum become its coordinates (Renes, Costello & Batina
2016), and a x."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from redcore.units.curve.programs import affine, indented, joint_table, tree, unchanged

_PRODUCTS = """
xx = {p}x * {q}x
yy = {p}y * {q}y
zz = {p}z * {q}z
xy = ({p}x + {p}y) * ({q}x + {q}y) - (xx + yy)
xz = ({p}x + {p}z) * ({q}x + {q}z) - (xx + zz)
yz = ({p}y + {p}z) * ({q}y + {q}z) - (yy + zz)
"""
_SQUARES = """
xx = x**2
yy = y**2
zz = z**2
xy = x * y
xz = x * z
yz = y * z
xy = xy + xy
xz = xz + xz
yz = yz + yz
"""
_SQUARES_NONE = """
yy = y**2
zz = z**2
xy = x * y
yz = y * z
"""
_MIDDLE_ANY = """
azz = a * zz
u = a * xz + b3 * zz
minus = yy - u
plus = yy + u
t = a * (xx - azz) + b3 * xz
s = xx + xx + xx + azz
"""
_MIDDLE_THREE = """
u = b * zz - xz
u = u + u + u
minus = yy - u
plus = yy + u
zz = zz + zz + zz
t = b * xz - xx - zz
t = t + t + t
s = xx + xx + xx - zz
"""
_MIDDLE_NONE = """
u = b3 * zz
minus = yy - u
plus = yy + u
t = b3 * xz
s = xx + xx + xx
"""
_SUM = """
{r}x = xy * minus - yz * t
{r}y = plus * minus + s * t
{r}z = yz * plus + xy * s
"""
_DOUBLED = """
yy = yy + yy
yy = yy + yy
dx = xy * minus - yz * t
dy = plus * minus + s * t
dz = yz * yy
"""
_DOUBLED_NONE = """
yy8 = yy + yy
yy8 = yy8 + yy8
yy8 = yy8 + yy8
u = b3 * zz
minus = yy - (u + u + u)
plus = yy + u
dx = xy * minus
dx = dx + dx
dy = plus * minus + u * yy8
dz = yz * yy8
"""


@dataclass(frozen=True)
class Kind:
    """What the coefficient a makes of the formulas: the constants that come, and the parts."""

    constants: tuple[str, ...]
    middle: str
    doubling: str
    right: str
    """a x + b from x: y^2 without x^3."""


KINDS = {
    "any": Kind(("a", "b"), _MIDDLE_ANY, _SQUARES + _MIDDLE_ANY + _DOUBLED, "a * {x} + b"),
    "-3": Kind(("b",), _MIDDLE_THREE, _SQUARES + _MIDDLE_THREE + _DOUBLED, "b - ({x} + {x} + {x})"),
    "0": Kind(("b",), _MIDDLE_NONE, _SQUARES_NONE + _DOUBLED_NONE, "b"),
}


class Text:
    """The parts of a program on y^2 = x^3 + a x + b."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.added = kind.middle + _SUM
        self.still = unchanged(*kind.constants)

    def on_curve(self, check: str, x: str, y: str) -> str:
        """What refuses what is no point."""
        right = self.kind.right.format(x=x)
        return f"{check}({y}**2 - {x}**2 * {x} - ({right}))"

    def ladder(self, over: str = "scalar", x: str = "px", y: str = "py") -> str:
        """Times a point, checked: k P + P is (k + 1) P."""
        both = _PRODUCTS.format(p="d", q="s") + self.added.format(r="s")
        return f"""scaled = {x} * power
dx = zero
dy = power
dz = zero * one
sx = scaled
scaled = {y} * power
sy = scaled
sz = power
for bit in {over}:
    x = choose(dx, sx)
    y = choose(dy, sy)
    z = choose(dz, sz)
{indented(both)}{indented(self.kind.doubling)}
# k P = (x : y : z) and (k + 1) P
x = choose(dx, sx)
y = choose(dy, sy)
z = choose(dz, sz)
nx = choose(sx, dx)
ny = choose(sy, dy)
nz = choose(sz, dz)

# k P + P is (k + 1) P
qx = {x}
qy = {y}
qz = one
{_PRODUCTS.format(p="", q="q")}{self.added.format(r="e")}
zero(ex * nz - nx * ez)
zero(ey * nz - ny * ez)
"""

    def times(self, window: int, x: str = "px", y: str = "py") -> str:
        """The scalar times a point: by the ladder, or by digits of several bits."""
        return self.window(window, x, y) if window > 1 else self.ladder("scalar", x, y)

    def _sum(self, p: str, q: str, to: str) -> str:
        """The sum of two points by the beginnings of their names."""
        return _PRODUCTS.format(p=p, q=q) + self.added.format(r=to)

    def _double(self, p: str, to: str) -> str:
        """Twice a point."""
        names = {axis: p + axis for axis in "xyz"} | {f"d{axis}": to + axis for axis in "xyz"}
        return re.sub(r"\bd?[xyz]\b", lambda name: names[name[0]], self.kind.doubling)

    def _digits(self, over: str, picks: str, window: int) -> str:
        """A sum of multiples of points, from (x : y : z) on, by digits of what is gone through."""
        doublings = self._double("", "d") + (window - 1) * self._double("d", "d")
        return f"""for digit in windows({over}, {window}):
{indented(picks)}{indented(doublings)}{indented(self._sum("d", "w", ""))}
"""

    def window(self, window: int, x: str = "px", y: str = "py") -> str:
        """Times a point by digits of as many bits.

        An odd scalar's bits but for the lowest one stand for 1 and -1 each, behind a 1 at the top:
        so a digit stands for an odd multiple of the point, and none of them for infinity. Where
        the scalar is even, that was one more than it.
        """
        odd = [f"p{number}" for number in range(1, 1 << window, 2)]
        table = "".join(self._sum(low, "twice", high) for low, high in pairwise(odd))
        places = (("wx", "x"), ("y1", "y"), ("wz", "z"))
        picks = "".join(tree(to, [one + axis for one in odd]) for to, axis in places)
        picks += f"minus = zero - y1\nwy = pick(minus, y1, {window - 1})\n"
        return f"""p1x = {x} * power
p1y = {y} * power
p1z = power * one
{self._double("p1", "twice")}{table}
x = p1x
y = p1y
z = p1z
{self._digits("scalar", picks, window)}
cx = p1x
cy = zero - p1y
cz = p1z
{self._sum("", "c", "e")}
x = choose(ex, x)
y = choose(ey, y)
z = choose(ez, z)
"""

    def joint(self, window: int) -> str:
        """``scalar`` times (gx, gy) and ``second`` times (px, py), their sum, by as many bits of
        both at a time."""
        text, table = joint_table(
            window,
            "o",
            lambda name: f"{name}1x = {name}x\n{name}1y = {name}y\n{name}1z = one\n",
            self._sum,
            self._double,
        )
        picks = "".join(tree(f"w{axis}", [one + axis for one in table]) for axis in "xyz")
        return f"""ox = zero
oy = one
oz = zero
{text}
x = zero
y = one
z = zero
{self._digits("scalar, second", picks, window)}"""

    def affine(self, x: str = "ResultX", y: str = "ResultY") -> str:
        """Both coordinates, on the curve."""
        return affine("z", x, y, self.on_curve("zero", "rx", "ry"))
