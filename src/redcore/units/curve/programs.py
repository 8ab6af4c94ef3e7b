# SPDX-License-Identifier: Apache-2.0
"""What the programs of ``rtl/redc_curve.sv`` have in common, and the places with a meaning there.

Derivations: ``docs/units/curve.md``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

from redcore.units.curve.formulas import Program, read

# Bank 0 is written by the adder, bank 1 by the multiplier. What stays comes first.
UNIT, MODULUS = (0, 0), (0, 1)
"""The number 1, and the modulus; the constants behind it as they came follow."""
ZERO = (1, 0)

_DOUBLE = """
for bit in radix:
    power = power + power
"""


_CHOSEN = """
for bit in exponent:
    chosen = choose(p0, p1)
    p1 = p0 * p1
    p0 = chosen**2
"""
_AT_ONCE = """
for bit in exponent:
    both = p0 * p1
    p0 = choose(p0, p1)**2
    p1 = both
"""


def inversion(z: str = "z", one: str = "one") -> str:
    """What makes ``inverse`` of a number, by the exponent that was written."""
    return f"""
# z^(p - 2)
p0 = {one} * {one}
p1 = {z} * {one}{_CHOSEN}inverse = choose(p0, p1)
"""


def _at_once(text: str) -> str:
    """The text with inversions that choose what they square as they square it.

    No product waits for a choice. The other product moves, while the square is under way, to where
    the adder writes, so that nothing that is still read is overwritten.
    """
    return re.sub(rf"p1 = (\w+) \* \w+{re.escape(_CHOSEN)}", rf"p1 = \1{_AT_ONCE}", text)


WHOLE_ORDER = "Exponent = l_raw\ngate = one + zero(Exponent - l_raw)\n"
"""What makes a loop over ``full`` go through the order that a point has to have. What reads
``gate``, which is ``one``, begins when that is written."""


USUAL_EXPONENT = "Exponent = m - (unit + unit)\n"
"""That of inversions again; before the next loop over the scalar."""


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


def unchanged(*names: str, **of: str) -> str:
    """What refuses numbers that are no longer what came under their names, or those given by
    ``of``."""
    pairs = dict(zip(names, names, strict=True)) | of
    return "".join(f"zero({name} * unit - {came}_raw)\n" for name, came in pairs.items())


ACCEPTED = """ResultV = reduced(unit)
ResultW = reduced(zero)
ResultX = reduced(zero)
"""
"""The result of a signature that is one."""


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


def joint_table(
    window: int,
    neutral: str,
    begun: Callable[[str], str],
    added: Callable[[str, str, str], str],
    doubled: Callable[[str, str], str],
) -> tuple[str, list[str]]:
    """What makes the sums of multiples of the points g and p, and these by a digit, in which bits
    of both numbers take turns.

    The texts of a point from its two coordinates, of a sum of two points, and of twice a point.
    """
    text, points = "", []
    for name in "gp":
        named = [neutral, *(f"{name}{number}" for number in range(1, 1 << window))]
        text += begun(name)
        for number in range(2, 1 << window):
            if number % 2:
                text += added(named[number - 1], named[1], named[number])
            else:
                text += doubled(named[number // 2], named[number])
        points.append(named)
    table = [""] * (1 << 2 * window)
    for (first, one), (second, other) in product(*map(enumerate, points)):
        entry = one if other == neutral else other if one == neutral else f"{one}{other}"
        if neutral not in (one, other):
            text += added(one, other, entry)
        digit = sum(
            (number >> at & 1) << (2 * at + low)
            for low, number in ((1, first), (0, second))
            for at in range(window)
        )
        table[digit] = entry
    return text, table


def affine(is_point: str, x: str, y: str, on_curve: str) -> str:
    """Both coordinates of (x : y : z), which is refused where ``is_point`` is 0, checked on the
    curve as rx and ry."""
    return f"""nonzero({is_point})
{{inverse}}
{x} = reduced((x * inverse) * unit)
rx = {x} * r2
zero(rx * z - x)
{y} = reduced((y * inverse) * unit)
ry = {y} * r2
zero(ry * z - y)
{on_curve}
"""


@dataclass(frozen=True)
class ProgramText:
    """The text of a program, and where what comes and goes has its place.

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
    full: int = 0
    """Bits of the order that a point has to have; 0 where nobody asks."""

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

    def program(self, randomized: bool = True, at_once: bool = False) -> Program:
        """The operations of a job; ``at_once``: inversions choose as they square."""
        text = self.whole(randomized)
        return _read(_at_once(text) if at_once else text)

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

        return _read(f"""
{powers("one", "r2")}
{"".join(f"{name} = below({name}_raw) * r2{chr(10)}" for name in self.constants)}
{USUAL_EXPONENT}{f"modulo(n){powers('onen', 'r2n')}" if self.signs else ""}
""")


_read = cache(read)


def by_digits(window: int, least: int) -> tuple[int, int]:
    """Bits of a scalar's digit, 0 for the ladder, and places: at least those of the ladder."""
    return (window, max(least, 128 if window > 4 else 64)) if window > 1 else (0, least)


def flush(count: int) -> Program:
    """So many products of ones, and two sums: nothing of a job is left in multiplier and adder."""
    return spare(count) + read("\n".join(["last = one + one"] * 2))


def spare(count: int) -> Program:
    """So many products of ones."""
    return read("\n".join(["gone = one * one"] * count))
