# SPDX-License-Identifier: Apache-2.0
"""Formulas of twisted Edwards curves a x^2 + y^2 = 1 + d x^2 y^2 as parts of programs, in extended
coordinates (X : Y : Z : T) with x = X / Z, y = Y / Z, T = X Y / Z (Hisil, Wong, Carter &
Dawson 2008; RFC 8032, section 5.1.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from redcore.design import ceil_div
from redcore.units.curve.programs import (
    USUAL_EXPONENT,
    WHOLE_ORDER,
    affine,
    indented,
    joint_table,
    tree,
    unchanged,
)


@dataclass(frozen=True)
class Kind:
    """What the coefficient a makes of the formulas.

    A point that is added comes as an entry (u, v, z, t): what a sum takes of it.
    """

    constants: tuple[str, ...]
    squares: str
    """a x^2 + y^2 of the squares xx and yy."""
    entry: str
    """The entry {q} of the point {p}."""
    products: str
    """aa, bb and e of the sum of the point {p} and the entry {q}."""
    difference: str
    """h of the sum."""
    doubled: str
    """g and h of a doubling."""
    negative: str
    """u and v of the entry {w} that is negative to {q}."""
    signed: str
    """u and v of the entry w by the sign of a digit, from those of the picked entry n; a v that is
    the same for both signs is picked as that of w."""


_SHIFTED = """
{q}u = {p}x
{q}v = {p}y
{q}z = {p}z
{q}t = d * {p}t
"""
_CROSSED = """
aa = {p}x * {q}u
bb = {p}y * {q}v
e = ({p}x + {p}y) * ({q}u + {q}v) - (aa + bb)
"""
_NEGATIVE = (
    "{w}u = zero - {q}u\n{w}v = {q}v\n",
    "mu = zero - nu\nwu = pick(mu, nu, {sign})\n",
)
KINDS = {
    "-1": Kind(
        ("d",),
        "yy - xx",
        """
{q}u = {p}y - {p}x
{q}v = {p}y + {p}x
{q}z = {p}z + {p}z
{q}t = d2 * {p}t
""",
        """
aa = ({p}y - {p}x) * {q}u
bb = ({p}y + {p}x) * {q}v
e = bb - aa
""",
        "bb + aa",
        "g = yy - xx\nh = yy + xx\n",
        "{w}u = {q}v\n{w}v = {q}u\n",
        "wu = pick(nv, nu, {sign})\nwv = pick(nu, nv, {sign})\n",
    ),
    "1": Kind(
        ("d",),
        "xx + yy",
        _SHIFTED,
        _CROSSED,
        "bb - aa",
        "g = yy + xx\nh = yy - xx\n",
        *_NEGATIVE,
    ),
    "any": Kind(
        ("a", "d"),
        "a * xx + yy",
        _SHIFTED,
        _CROSSED,
        "bb - a * aa",
        "axx = a * xx\ng = yy + axx\nh = yy - axx\n",
        *_NEGATIVE,
    ),
}
_ENTRY = "uvzt"


class Text:
    """The parts of a program."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.still = unchanged(*kind.constants)
        # With a = -1 entries have 2 d T: what the sum takes is twice as much throughout.
        self.begun = "d2 = d + d\n" if kind.constants == ("d",) and "d2" in kind.entry else ""

    def on_curve(self, check: str, x: str, y: str) -> str:
        """What refuses what is no point."""
        return f"""xx = {x}**2
yy = {y}**2
{check}({self.kind.squares} - one - d * (xx * yy))
"""

    def entry(self, p: str, q: str) -> str:
        """What a sum takes of a point."""
        return self.kind.entry.format(p=p, q=q)

    def sum(self, p: str, q: str, to: str, whole: bool = True) -> str:
        """The sum of a point and an entry, T of it only if it is ``whole``."""
        return f"""{self.kind.products.format(p=p, q=q)}
cc = {p}t * {q}t
dd = {p}z * {q}z
f = dd - cc
g = dd + cc
h = {self.kind.difference}
{self._point(to, whole)}"""

    def double(self, p: str, to: str, whole: bool = True) -> str:
        """Twice a point; of its T nothing is taken. What is doubled is so before its product, as
        products wait for what follows these."""
        return f"""
yy = {p}y**2
xx = {p}x**2
zz = {p}z * ({p}z + {p}z)
e = ({p}x + {p}x) * {p}y
{self.kind.doubled}f = zz - g
{self._point(to, whole)}"""

    @staticmethod
    def _point(to: str, whole: bool) -> str:
        last = f"{to}t = e * h\n" if whole else ""
        return f"{to}y = g * h\n{to}x = e * f\n{to}z = f * g\n{last}"

    def scaled(self, to: str, x: str, y: str) -> str:
        """A point of two coordinates, times what nobody knows."""
        return f"""{to}x = {x} * power
{to}y = {y} * power
{to}z = one * power
{to}t = {to}x * {y}
"""

    def ladder(self, x: str, y: str) -> str:
        """Times a point, checked: k P + P is (k + 1) P."""
        both = self.entry("s", "q") + self.sum("d", "q", "s")
        chosen = "".join(f"{axis} = choose(d{axis}, s{axis})\n" for axis in "xyz")
        others = "".join(f"n{axis} = choose(s{axis}, d{axis})\n" for axis in "xyz")
        return f"""dx = zero * one
dy = one * power
dz = one * power
dt = zero * one
{self.scaled("s", x, y)}
for bit in scalar:
{indented(chosen)}{indented(both)}{indented(self.double("", "d"))}
# k P, and (k + 1) P
{chosen}t = choose(dt, st)
{others}
# k P + P is (k + 1) P
bx = {x}
by = {y}
bz = one
bt = {x} * {y}
{self.entry("b", "q")}{self.sum("", "q", "e", whole=False)}
zero(ex * nz - nx * ez)
zero(ey * nz - ny * ez)
"""

    @staticmethod
    def _cover(window: int) -> str:
        """Sums that nobody reads, behind each doubling: in an iteration there are more sums than
        picks, since where a pick was another value is written before the next one
        (``schedule.allocate``)."""
        picks, sums = 4 << (window - 1), 5 * window
        pairs = [*combinations(("e", "f", "g", "h", "xx"), 2)]
        return "".join(
            f"over{number} = {one} + {other}\n"
            for number, (one, other) in enumerate(pairs[: max(0, ceil_div(picks - sums, window))])
        )

    def _digits(self, over: str, picks: Sequence[str], window: int, cover: str = "") -> str:
        """A sum of multiples of points, from (x : y : z) on, by digits of what is gone through: T
        is made where a sum takes it. ``picks`` make the entry w, and stand before doublings that
        they are divided among: so few of their values are there at once. ``cover`` goes behind
        each doubling."""
        text = ""
        for number in range(window):
            text += "".join(picks[number::window])
            text += self.double("d" if number else "", "d", number == window - 1) + cover
        return f"""for digit in windows({over}, {window}):
{indented(text)}{indented(self.sum("d", "w", "", whole=False))}
"""

    def window(self, window: int, x: str, y: str) -> str:
        """Times a point by digits of as many bits, as ``programs`` has them: of an odd scalar, and
        of an even one that was one more than it."""
        odd = range(1, 1 << window, 2)
        table = "".join(
            self.sum(f"p{low}", "two", f"p{high}") + self.entry(f"p{high}", f"c{high}")
            for low, high in pairwise(odd)
        )
        sign = self.kind.signed.format(sign=window - 1)
        places = {"u": "nu", "v": "nv" if "nv" in sign else "wv", "z": "wz", "t": "nt"}
        picks = [tree(to, [f"c{at}{axis}" for at in odd]) for axis, to in places.items()]
        picks[1] += sign
        picks[3] += f"mt = zero - nt\nwt = pick(mt, nt, {window - 1})\n"
        return f"""{self.scaled("p1", x, y)}
{self.double("p1", "p2")}{self.entry("p2", "two")}{self.entry("p1", "c1")}{table}
x = {x} * power
y = {y} * power
z = one * power
{self._digits("scalar", picks, window, self._cover(window))}
# The same point with T, and less P
bx = x * z
by = y * z
bz = z * z
bt = x * y
{self.kind.negative.format(q="c1", w="less")}lessz = c1z
lesst = zero - c1t
{self.sum("b", "less", "e", whole=False)}
x = choose(ex, bx)
y = choose(ey, by)
z = choose(ez, bz)
"""

    def full(self, x: str, y: str) -> str:
        """What refuses a point of another order: so many times it is the neutral one. Each bit of
        the order doubles, and adds the entry w, of the neutral point or of this one; both together
        are b. Their z are the same, and nothing is multiplied by it."""
        both = "".join(f"b{axis} = n{axis} + c{axis}\nw{axis} = n{axis} + zero\n" for axis in "uvt")
        chosen = "".join(f"o = b{axis} - w{axis}\nw{axis} = choose(w{axis}, o)\n" for axis in "uvt")
        added = self.sum("f", "w", "f", whole=False)
        twice = "fz + fz" if "{p}z + {p}z" in self.kind.entry else "fz + zero"
        return f"""
{WHOLE_ORDER}ox = zero
oy = one
oz = gate
ot = zero
px = {x}
py = {y}
pz = one
pt = {x} * {y}
{self.entry("o", "n")}{self.entry("p", "c")}{both}
fx = zero * gate
fy = one * gate
fz = one * gate
for bit in full:
{indented(chosen)}{indented(self.double("f", "f"))}{indented(added.replace("fz * wz", twice))}
valid(fx)
valid(fy - fz)
nonzero(fz)
{unchanged("l")}{USUAL_EXPONENT}"""

    def times(self, window: int, x: str, y: str) -> str:
        """The scalar times a point."""
        return self.window(window, x, y) if window > 1 else self.ladder(x, y)

    def joint(self, window: int) -> str:
        """``scalar`` times (gx, gy) and ``second`` times (px, py), their sum, by as many bits of
        both at a time."""

        def entered(point: str, text: str) -> str:
            return text + self.entry(point, f"c{point}")

        text, table = joint_table(
            window,
            "o0",
            lambda name: entered(
                f"{name}1",
                f"{name}1x = {name}x\n{name}1y = {name}y\n{name}1z = one\n"
                f"{name}1t = {name}x * {name}y\n",
            ),
            lambda one, other, to: entered(to, self.sum(one, f"c{other}", to)),
            lambda one, to: entered(to, self.double(one, to)),
        )
        picks = [tree(f"w{axis}", [f"c{one}{axis}" for one in table]) for axis in _ENTRY]
        neutral = entered("o0", "o0x = zero\no0y = one\no0z = one\no0t = zero\n")
        return f"""{neutral}{text}
x = zero * one
y = one * one
z = one * one
{self._digits("scalar, second", picks, window)}"""

    def affine(self) -> str:
        """Both coordinates, on the curve; y is 1 of the neutral point alone."""
        return affine("y - z", "ResultX", "ResultY", self.on_curve("zero", "rx", "ry"))
