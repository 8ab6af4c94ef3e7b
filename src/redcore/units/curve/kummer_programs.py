# SPDX-License-Identifier: Apache-2.0
"""The program of ``rtl/redc_curve.sv`` on Kummer surfaces of curves of genus 2: points
(x : y : z : t) by squares of theta functions (Gaudry 2007), which come and go as x/y, x/z and x/t
(Renes, Schwabe, Smith & Batina 2016)."""

from __future__ import annotations

from functools import cache

from redcore.units.curve.programs import ProgramText, indented, inversion, unchanged

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


_CONSTANTS = ("k2", "k3", "k4", "e2", "e3", "e4", "f", "g", "h", "ee", "c")
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
    still = unchanged(*_WRAPPED, *_CONSTANTS)
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


@cache
def kummer_text(long: bool) -> ProgramText:
    """A scalar times a point of a Kummer surface, checked; ``long``: of more bits than a number."""
    others = ("low_raw", "high_raw", "spare_raw") if long else ()
    return ProgramText(
        _kummer(long), tuple(f"{name}_raw" for name in _WRAPPED), _CONSTANTS,
        ("ResultY", "ResultZ", "ResultT"), 64, others=others, long=long,
    )  # fmt: skip
