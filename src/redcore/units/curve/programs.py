# SPDX-License-Identifier: Apache-2.0
"""The programs of ``rtl/redc_curve.sv``, and the places that the hardware gives a meaning.

Derivations: ``docs/units/curve.md``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, product

from redcore.units.curve.formulas import Program, read

# Bank 0 is written by the adder, bank 1 by the multiplier. What stays comes first.
UNIT, MODULUS = (0, 0), (0, 1)
"""The number 1, and the modulus; the constants behind it as they came follow."""
ZERO = (1, 0)

_DOUBLE = """
for bit in radix:
    power = power + power
"""


def inversion(z: str = "z", one: str = "one") -> str:
    """What makes ``inverse`` of a number, by the exponent that was written."""
    return f"""
# z^(p - 2)
p0 = {one} * {one}
p1 = {z} * {one}
for bit in exponent:
    chosen = choose(p0, p1)
    p1 = p0 * p1
    p0 = chosen**2
inverse = choose(p0, p1)
"""


def _random(one: str = "one") -> str:
    return f"""
# A power of 3 that nobody knows: it has an inverse modulo any other prime. There are enough of
# them; of 2, there are 521 modulo 2^521 - 1.
power = {one} * {one}
for bit in random:
    thrice = power + power + power
    power = choose(power, thrice)**2
"""


def _no_random(one: str = "one") -> str:
    return f"power = {one} * {one}"


LADDER_TEXT = """
x1 = below(u) * r2
{random}
x2 = one * power
z2 = zero * one
x3 = x1 * power
z3 = one * power
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
{inverse}
result = reduced((x * inverse) * unit)
Result = nonzero(result)
zero((Result * r2) * z - x)
"""

# ----------------------------------------------------------------------------------------------
# Short Weierstrass curves y^2 = x^3 + a x + b. What differs by a is a part of its own: how the
# products of a sum become its coordinates (Renes, Costello & Batina 2016), and a x.
# ----------------------------------------------------------------------------------------------

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


def indented(text: str) -> str:
    """A text as the body of a loop."""
    return "".join(f"    {line}\n" for line in text.strip().splitlines())


def tree(to: str, entries: list[str]) -> str:
    """The entry of a digit, by its bits from the lowest on: half of what is left stays each time.

    An entry is never chosen beside what its place holds, so that no write changes nothing.
    """
    text = ""
    for bit in range((len(entries) - 1).bit_length()):
        left = [f"{to}{bit}{chr(97 + at)}" for at in range(len(entries) // 2)]
        left = left if len(left) > 1 else [to]
        for at, name in enumerate(left):
            text += f"{name} = pick({entries[2 * at]}, {entries[2 * at + 1]}, {bit})\n"
        entries = left
    return text


@dataclass(frozen=True)
class _Kind:
    """What the coefficient a makes of the formulas: the constants that come, and the parts."""

    constants: tuple[str, ...]
    middle: str
    doubling: str
    right: str
    """a x + b from x: y^2 without x^3."""


_ANY = _Kind(("a", "b"), _MIDDLE_ANY, _SQUARES + _MIDDLE_ANY + _DOUBLED, "a * {x} + b")
_THREE = _Kind(
    ("b",), _MIDDLE_THREE, _SQUARES + _MIDDLE_THREE + _DOUBLED, "b - ({x} + {x} + {x})"
)
_NONE = _Kind(("b",), _MIDDLE_NONE, _SQUARES_NONE + _DOUBLED_NONE, "b")


class _Text:
    """The parts of a program on y^2 = x^3 + a x + b."""

    def __init__(self, kind: _Kind) -> None:
        self.kind = kind
        self.added = kind.middle + _SUM
        self.still = "".join(f"zero({name} * unit - {name}_raw)\n" for name in kind.constants)

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
        count = 1 << window
        text = "ox = zero\noy = one\noz = zero\n"
        points = {}
        for name in "gp":
            text += f"{name}1x = {name}x\n{name}1y = {name}y\n{name}1z = one\n"
            points[name] = ["o", *(f"{name}{number}" for number in range(1, count))]
            for number in range(2, count):
                if number % 2:
                    text += self._sum(f"{name}{number - 1}", f"{name}1", f"{name}{number}")
                else:
                    text += self._double(f"{name}{number // 2}", f"{name}{number}")
        entries = {}
        for (first, one), (second, other) in product(*map(enumerate, points.values())):
            entry = one if other == "o" else other if one == "o" else f"{one}{other}"
            if "o" not in (one, other):
                text += self._sum(one, other, entry)
            digit = sum(
                (number >> at & 1) << (2 * at + low)
                for low, number in ((1, first), (0, second))
                for at in range(window)
            )
            entries[digit] = entry
        table = [entries[digit] for digit in range(len(entries))]
        picks = "".join(tree(f"w{axis}", [one + axis for one in table]) for axis in "xyz")
        return f"""{text}
x = zero
y = one
z = zero
{self._digits("scalar, second", picks, window)}"""

    def affine(self, x: str = "ResultX", y: str = "ResultY") -> str:
        """Both coordinates, on the curve."""
        return f"""nonzero(z)
{{inverse}}
{x} = reduced((x * inverse) * unit)
rx = {x} * r2
zero(rx * z - x)
{y} = reduced((y * inverse) * unit)
ry = {y} * r2
zero(ry * z - y)
{self.on_curve("zero", "rx", "ry")}
"""


def _weierstrass(kind: _Kind, window: int) -> str:
    text = _Text(kind)
    return f"""
px = below(x_raw) * r2
py = below(y_raw) * r2
{text.on_curve("valid", "px", "py")}
nonzero(py)
b3 = b + b + b
{{random}}
{text.times(window)}
# The point and the constants are still what came
zero(px * unit - x_raw)
zero(py * unit - y_raw)
{text.still}
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


def _sign(kind: _Kind, window: int) -> str:
    text = _Text(kind)
    return f"""
{_MODULO_M}
{text.on_curve("valid", "gx", "gy")}
b3 = b + b + b
{{random}}
{text.times(window, x="gx", y="gy")}
zero(gx * unit - gx_raw)
zero(gy * unit - gy_raw)
{text.still}
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
zero(r * unit - r_raw)
zero(z * unit - z_raw)
zero(k * unit - k_raw)
zero(d * unit - d_raw)
modulo(m)
"""


def _verify(kind: _Kind, window: int) -> str:
    text = _Text(kind)
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
zero(gx * unit - gx_raw)
zero(gy * unit - gy_raw)
zero(px * unit - x_raw)
zero(py * unit - y_raw)
{text.still}
{text.affine("ax", "ay")}
modulo(n, second)
zero(reduced(ax) - r_raw)
Exponent = reduced(zero)
modulo(m)
ResultV = reduced(unit)
ResultW = reduced(zero)
ResultX = reduced(zero)
"""


# ----------------------------------------------------------------------------------------------
# Kummer surfaces of curves of genus 2: points (x : y : z : t) by squares of theta functions (Gaudry
# 2007), which come and go as x/y, x/z and x/t (Renes, Schwabe, Smith & Batina 2016).
# ----------------------------------------------------------------------------------------------

_AXES = "xyzt"


def _hadamard(p: str, to: str) -> str:
    """The sums and differences of four coordinates."""
    x, y, z, t = (p + axis for axis in _AXES)
    return f"""low = {x} + {y}
high = {z} + {t}
{to}x = low + high
{to}y = low - high
low = {x} - {y}
high = {z} - {t}
{to}z = low + high
{to}t = low - high
"""


def _kummer_sum(p: str, q: str, third: str, to: str) -> str:
    """From the sums and differences of two points, the first one's times 1/A^2 to 1/D^2, their sum;
    ``third`` is their difference, as the names of x/y, x/z and x/t."""
    products = "".join(f"s{axis} = {p}{axis} * {q}{axis}\n" for axis in _AXES)
    scaled = "".join(
        f"{to}{axis} = {third}{number} * q{axis}**2\n" for number, axis in enumerate("yzt", 2)
    )
    return f"{products}{_hadamard('s', 'q')}{to}x = qx**2\n{scaled}"


def _scaled(p: str) -> str:
    """Of a point's sums and differences ``p``, these times 1/A^2 to 1/D^2."""
    others = "".join(f"m{axis} = e{number} * {p}{axis}\n" for number, axis in enumerate("yzt", 2))
    return f"mx = {p}x\n{others}"


def _kummer_step() -> str:
    """One of k P and (k + 1) P doubled, and their sum, whose difference is P."""
    choices = "".join(
        f"c{axis} = choose(a{axis}, b{axis})\no{axis} = choose(b{axis}, a{axis})\n"
        for axis in _AXES
    )
    return f"""{_hadamard("d", "a")}{_hadamard("s", "b")}{choices}{_scaled("c")}
{_kummer_sum("m", "c", "k", "d")}{_kummer_sum("m", "o", "w", "s")}"""


def _unwrapped(wrapped: str, to: str) -> str:
    """The point with these x/y, x/z and x/t."""
    w2, w3, w4 = (f"{wrapped}{number}" for number in (2, 3, 4))
    return f"""{to}y = {w3} * {w4}
{to}z = {w2} * {w4}
{to}t = {w2} * {w3}
{to}x = {w2} * {to}y
"""


def _on_surface(check: str, p: str) -> str:
    """What refuses a point that is not on the surface."""
    x, y, z, t = (p + axis for axis in _AXES)
    return f"""{check}(({x}**2 + {y}**2 + {z}**2 + {t}**2
    - (f * ({x} * {t} + {y} * {z}) + g * ({x} * {z} + {y} * {t}) + h * ({x} * {y} + {z} * {t})))**2
    - ee * (({x} * {y}) * ({z} * {t})))
"""


def _not_neutral(y: str, z: str, t: str) -> str:
    """What refuses three zeros: c is no square, so u^2 - c v^2 is 0 for zeros alone."""
    return f"nonzero((({y})**2 - c * ({z})**2)**2 - c * ({t})**2)\n"


_KUMMER_CONSTANTS = ("k2", "k3", "k4", "e2", "e3", "e4", "f", "g", "h", "ee", "c")
_WRAPPED = ("w2", "w3", "w4")
# Both parts go through the number of the scalar: behind a job, and by a reset, it is overwritten.
_HIGH = f"""
modulo(m, high)
Exponent = below(high_raw)
modulo(m, scalar)
highest = high_raw * power
count = zero + zero
further = power + zero
for bit in high:
    counted = choose(count, further)
    further = count + further
    count = counted + counted
{indented(_kummer_step())}
# All bits of it were gone through
valid(choose(count, further) * unit - highest)
valid(below(spare_raw))
Exponent = low_raw
modulo(m)
""" + "".join(
    f"""doubled = choose(d{axis}, s{axis})
s{axis} = choose(s{axis}, d{axis}) * one
d{axis} = doubled * one
"""
    for axis in _AXES
)


def _kummer(long: bool) -> str:
    coordinates = "".join(f"{name} = below({name}_raw) * r2\n" for name in _WRAPPED)
    begun = "".join(f"d{axis} = n{axis} * power\ns{axis} = p{axis} * power\n" for axis in _AXES)
    found = "".join(
        f"{axis} = choose(d{axis}, s{axis})\nv{axis} = choose(s{axis}, d{axis})\n" for axis in _AXES
    )
    squares = "".join(f"s{axis} = m{axis} * c{axis}\n" for axis in _AXES)
    still = "".join(
        f"zero({name} * unit - {name}_raw)\n" for name in (*_WRAPPED, *_KUMMER_CONSTANTS)
    )
    results = "".join(
        f"""Result{axis.upper()} = reduced((x * (inverse * {others})) * unit)
zero((Result{axis.upper()} * r2) * {axis} - x)
"""
        for axis, others in (("y", "zt"), ("z", "yt"), ("t", "yz"))
    )
    return f"""
{coordinates}
{_unwrapped("w", "p")}{_on_surface("valid", "p")}
# 2 P is not neutral; where a number is 0 and the equation holds all the same, all of it is 0
{_hadamard("p", "c")}{_scaled("c")}{squares}{_hadamard("s", "q")}
qx = qx**2
{_not_neutral(*(f"qx - k{n} * (k{n} * q{axis}**2)" for n, axis in enumerate("yzt", 2)))}
{_unwrapped("k", "n")}
{{random}}
{begun}
{_HIGH if long else ""}
for bit in scalar:
{indented(_kummer_step())}

# k P = (x : y : z : t), and (k + 1) P: both on the surface
{found}
{_on_surface("zero", "")}{_on_surface("zero", "v")}
{_not_neutral(*(f"x - k{n} * {axis}" for n, axis in enumerate("yzt", 2)))}
# The point and the constants are still what came
{still}
zt = z * t
yt = y * t
yz = y * z
yzt = y * zt
nonzero(x * yzt)
{inversion("yzt")}
{results}
"""


# ----------------------------------------------------------------------------------------------
# Forms.
# ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Form:
    """A form of curves: its program, and where what comes and goes has its place.

    ``numbers`` are those of a point, ``constants`` what comes behind the modulus; ``places`` are
    values in each memory.
    """

    text: str
    numbers: tuple[str, ...]
    constants: tuple[str, ...]
    results: tuple[str, ...]
    places: int
    order: bool = False
    """Whether the order of the point comes behind the constants: scalars are blinded."""
    window: int = 0
    """Bits of a scalar in a digit of it, 0 where it is gone through bit by bit."""
    others: tuple[str, ...] = ()
    """Numbers that come beside the first ones, one each: there is a second modulus, the order n."""
    long: bool = False
    """Whether the scalar is longer than a number: these beside are its words, and the second
    modulus is the first one again."""
    joint: bool = False
    """Whether a digit has bits of two scalars."""

    @property
    def pairs(self) -> bool:
        """Whether there is a second modulus."""
        return bool(self.others)

    @property
    def signs(self) -> bool:
        """Whether that is the order."""
        return self.pairs and not self.long

    @property
    def kept(self) -> Mapping[str, tuple[int, int]]:
        """1, the modulus and the constants; 1 and R^2 as numbers of the multiplier, constants
        too."""
        count = self.behind
        return {
            "unit": UNIT,
            "m": MODULUS,
            "zero": ZERO,
            **{f"{name}_raw": (0, 2 + at) for at, name in enumerate(self.constants)},
            "one": (0, 2 + count),
            "r2": (0, 3 + count),
            **{name: (1, 1 + at) for at, name in enumerate(self.constants)},
            **(self._second if self.signs else {}),
        }

    @property
    def _second(self) -> Mapping[str, tuple[int, int]]:
        """What is kept of the second modulus."""
        count = self.behind
        return {"n_raw": (0, 1 + count), "onen": (0, 4 + count), "r2n": (0, 5 + count)}

    @property
    def behind(self) -> int:
        """Numbers behind a modulus."""
        return len(self.constants) + (self.order or self.pairs)

    @property
    def kept_places(self) -> int:
        """Of each bank."""
        return 4 + self.behind + 2 * self.signs

    @property
    def fixed(self) -> Mapping[str, tuple[int, int]]:
        """All places with a meaning."""
        return {
            **self.kept,
            **{name: (0, self.kept_places + at) for at, name in enumerate(self.numbers)},
            **{name: (1, self.kept_places + at) for at, name in enumerate(self.others)},
            "Exponent": (0, self.places - 2),
            **dict.fromkeys(self.results, (0, self.places - 1)),
        }

    def program(self, randomized: bool = True) -> Program:
        """The operations of a job."""
        return _read(self.whole(randomized))

    def whole(self, randomized: bool = True) -> str:
        """The text with what is of all forms."""
        made = _random if randomized else _no_random
        return self.text.format(random=made(), random_n=made("onen"), inverse=inversion())

    def load(self, r_bits: int) -> Program:
        """What follows from a modulus: R, R^2, the constants times R, and p - 2."""
        radix = _DOUBLE if r_bits else ""

        def powers(one: str, r2: str) -> str:
            return f"""
power = unit
{radix}
{one} = power
{radix}
{r2} = power
"""

        return read(f"""
{powers("one", "r2")}
{"".join(f"{name} = below({name}_raw) * r2{chr(10)}" for name in self.constants)}
Exponent = m - (unit + unit)
{f"modulo(n){powers('onen', 'r2n')}" if self.signs else ""}
""")


_read = cache(read)

MONTGOMERY = Form(LADDER_TEXT, ("u",), ("a24",), ("Result",), 16)
"""u of a scalar times a point of a Montgomery curve, from u alone, checked."""
_KINDS = {"any": _ANY, "-3": _THREE, "0": _NONE}


def by_digits(window: int, least: int) -> tuple[int, int]:
    """Bits of a scalar's digit, 0 for the ladder, and places: at least those of the ladder."""
    return (window, max(least, 128 if window > 4 else 64)) if window > 1 else (0, least)


@cache
def weierstrass_form(kind: str, window: int = 1) -> Form:
    """A scalar times a point of y^2 = x^3 + a x + b, checked, for any a, a = -3 or a = 0; by the
    ladder with a window of 1."""
    parts = _KINDS[kind]
    digit, places = by_digits(window, 32)
    return Form(
        _weierstrass(parts, window), ("x_raw", "y_raw"), parts.constants, ("ResultX", "ResultY"),
        places, window=digit,
    )  # fmt: skip


@cache
def signature_form(task: str, kind: str, window: int = 1) -> Form:
    """A signature (r, s) of z by the key d with the nonce k, or whether r, s is one of z by the
    owner of the point x, y; by the coefficient a."""
    parts = _KINDS[kind]
    constants = (*parts.constants, "gx", "gy")
    if task == "sign":
        digit, places = by_digits(window, 64)
        return Form(
            _sign(parts, window), ("z_raw", "spare_raw"), constants, ("ResultR", "ResultS"),
            places, window=digit, others=("k_raw", "d_raw"),
        )  # fmt: skip
    return Form(
        _verify(parts, window), ("x_raw", "y_raw", "z_raw"), constants,
        ("ResultV", "ResultW", "ResultX"), 128 if window > 1 else 64, window=window,
        others=("r_raw", "s_raw", "spare_raw"), joint=True,
    )  # fmt: skip


WEIERSTRASS = {kind: weierstrass_form(kind) for kind in _KINDS}
"""By the ladder."""
SIGNATURES = {
    (task, kind): signature_form(task, kind, window)
    for task, window in (("sign", 1), ("verify", 2))
    for kind in _KINDS
}
"""As they are by default where no order is known."""


def weierstrass(a: int, order: bool = False, task: str = "multiply", window: int = 1) -> Form:
    """The form with that coefficient; ``order`` as there."""
    kind = str(a) if a in (-3, 0) else "any"
    form = weierstrass_form(kind, window)
    if task != "multiply":
        form = signature_form(task, kind, window)
    return replace(form, order=order)


@cache
def kummer_form(long: bool) -> Form:
    """A scalar times a point of a Kummer surface, checked; ``long``: of more bits than a number."""
    others = ("low_raw", "high_raw", "spare_raw") if long else ()
    return Form(
        _kummer(long), tuple(f"{name}_raw" for name in _WRAPPED), _KUMMER_CONSTANTS,
        ("ResultY", "ResultZ", "ResultT"), 64, others=others, long=long,
    )  # fmt: skip


def flush(count: int) -> Program:
    """So many products of ones, and two sums: nothing of a job is left in multiplier and adder."""
    return spare(count) + read("\n".join(["last = one + one"] * 2))


def spare(count: int) -> Program:
    """So many products of ones."""
    return read("\n".join(["gone = one * one"] * count))
