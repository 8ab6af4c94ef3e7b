# SPDX-License-Identifier: Apache-2.0
"""fold: multiplication modulo one prime 2^k - c, products in slices, then folding
(``rtl/redc_mul_fold.sv``).

Same rules and formulas as ``rtl/redc_mul_fold_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivations: ``docs/families/fold.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import log2

from redcore.design import (
    CHECKS,
    Family,
    Geometry,
    Memory,
    Pace,
    Parameter,
    Terms,
    Value,
    ceil_div,
    numbers,
    power_of_two,
    register,
    registered,
)

DIGIT_LIMIT = 18
"""Bits of the widest digit that a multiplier slice takes."""

DIGIT_BITS = 4
"""Bits of the shortest one."""
WHOLE_BITS = 12
"""Bits of the longest c 2^s that is added as it is, without being cut into digits."""
PART_BITS = 24
"""Bits of c in each of its two RTL parameters."""
_LUTS_A_BIT, _REGISTERS_A_BIT = 6, 18
"""Of a limb, as they were synthesized at 64 and 255 bits."""
KNOWN = {127: 1, 255: 19, 256: 2**32 + 977, 521: 1}
"""c of the primes of this form that have names."""


def levels_of(count: int) -> int:
    """Levels of adders that make one number of so many."""
    return (count - 1).bit_length()


def usual_rows(width: int) -> int:
    """Three, unless an operand is short."""
    return 3 if width >= 100 else 2 if width >= 40 else 1


ROWS = Parameter(
    "rows", "Rows", "digits of each operand that are multiplied in a cycle, on as many"
    " slices squared", default=usual_rows, minimum=1, maximum=4,
)  # fmt: skip
WORD = Parameter(
    "word", "Word", "digits of a word of the streams",
    default=lambda width: min(2, usual_rows(width)), minimum=1, maximum=2,
)  # fmt: skip
ONE_MODULUS = Parameter(
    "moduli", "Moduli", "moduli held: the one", default=1, minimum=1, maximum=1, grid=(),
)  # fmt: skip


def takes_instead(width: int, modulus: int) -> str:
    """The multipliers that take a modulus for which one of these cannot be built, in words."""
    built = [name for name, one in registered().items() if one.settings_for(width, modulus)]
    fits = f"{' and '.join(built)} can be built for it, " if built else ""
    return f"{fits}cios and array take any odd modulus"


def words_to(limb: int, rows: int, word: int) -> int:
    """Words of an operand that have come with that of its limb of that number."""
    return ceil_div(rows * (limb + 1), word)


@lru_cache(maxsize=1024)
def usual_c(width: int) -> int:
    """That of the named prime of so many bits, else the least one that makes a prime, else 1."""
    from gmpy2 import is_prime

    if width in KNOWN:
        return KNOWN[width]
    most = (1 << width // 2) // 4
    return next((c for c in range(1, most, 2) if is_prime((1 << width) - c)), 1)


def usual_digit(width: int) -> int:
    """The shortest that makes as few limbs as the longest does, of an exact number if there is."""
    rows = usual_rows(width)
    limbs = max(2, ceil_div(width + 1, rows * DIGIT_LIMIT))
    digit, rest = divmod(width, rows * limbs)
    if not rest and rows > 1 and rows * limbs % 2 and digit < DIGIT_LIMIT:
        return max(4, digit)
    digit = max(4, ceil_div(width + 1, rows * limbs))
    # two limbs, and the width ends between them
    while width % (rows * digit) == 0:
        digit -= 1
    return digit


@dataclass(frozen=True)
class Sizes:
    """What follows from the parameters; the names are those of ``redc_mul_fold_pkg``."""

    limbs: int
    digits: int
    exact: bool
    spare: int
    beats: int
    whole: bool
    pieces: int
    drain: int
    sum_levels: int
    times_levels: int
    fold_levels: int
    interval: int
    gap: int
    start: int
    latency: int
    slots: int
    ring: int

    @property
    def run(self) -> int:
        """Cycles with the multiplier's addresses: products, and one more."""
        return self.limbs**2 + 1


def pieces_of(multiple: int, digit: int) -> list[int]:
    """The half digits of a number, lowest first, two for each digit."""
    half = ceil_div(digit, 2)
    found = []
    for _ in range(ceil_div(multiple.bit_length(), digit)):
        low = multiple & ((1 << digit) - 1)
        found += [low & ((1 << half) - 1), low >> half]
        multiple >>= digit
    return found


def sizes(width: int, values: Mapping[str, Value]) -> Sizes:
    """Those of a design."""
    c, digit, rows, word = numbers(values, "c", "digit", "rows", "word")
    limb = rows * digit
    limbs = max(2, width // limb)
    exact = limbs * limb == width and digit < DIGIT_LIMIT and word == 2 and limbs * rows % 2 == 1
    if not exact:
        limbs = max(2, ceil_div(width + 1, limb))
    digits = limbs * rows
    spare = digits * digit - width
    beats = ceil_div(digits, word)
    multiple = c << min(spare, 80)
    whole = multiple.bit_length() <= WHOLE_BITS and multiple.bit_length() + 2 <= digit
    parts = pieces_of(multiple, digit)
    pieces = sum(part > 0 for part in parts)
    sum_levels = levels_of(2 * rows - 1)
    if whole:
        times = fold = levels_of(multiple.bit_count() + 1)
    else:
        times = levels_of(max(part.bit_count() for part in parts))
        fold = times + levels_of(2 * pieces + 1)
    busy = (limbs - 1) * (limbs - 2) // 2 + fold + limbs + 4
    interval = max(limbs**2 + 1, beats, busy)
    late = max(
        words_to(n, rows, word) - 1 - n * (n + 1) // 2 for n in range(limbs)
    )  # fmt: skip
    start = max(0, late) + 2
    latency = start + limbs**2 + sum_levels + 2 * fold + beats + 15
    slots = ceil_div(latency - start + 3, interval)
    return Sizes(
        limbs=limbs,
        digits=digits,
        exact=exact,
        spare=spare,
        beats=beats,
        whole=whole,
        pieces=pieces,
        drain=1 if whole else ceil_div(len(parts) // 2 + 2, rows),
        sum_levels=sum_levels,
        times_levels=times,
        fold_levels=fold,
        interval=interval,
        gap=interval - limbs**2 - 1,
        start=start,
        latency=latency,
        slots=slots,
        ring=power_of_two(slots * limbs),
    )


class InAdvance(Pace):
    """Operands are taken while the ones before are multiplied; two pairs of them have room."""

    def __init__(self, geometry: Geometry, found: Sizes) -> None:
        super().__init__(geometry)
        self._beats = geometry.beats
        self._sizes = found
        self._behind = found.latency - found.start - found.limbs**2
        # when the pair before, and the one before that, was read for the last time
        self._ends = [-found.gap - 1, -1]

    def take(self, ready: int, free: int = 0) -> tuple[int, int]:
        """As in the base class. Words come one a cycle; a result that waits keeps none of the
        core's places."""
        found, (before, earlier) = self._sizes, self._ends
        taken = max(ready, self._next, earlier + 1)
        self._next = taken + self._beats
        begun = max(taken + found.start, before + 1 + found.gap)
        self._ends = [begun + found.limbs**2, before]
        self.loaded = taken + self.loading
        return taken, max(self._ends[0] + self._behind, free + self.leaving)

    def state(self, now: int) -> tuple[object, ...]:
        """As in the base class."""
        gap = self._sizes.gap + 1
        before, earlier = self._ends
        return (max(0, self._next - now), max(0, before + gap - now), max(0, earlier + 1 - now))

    def move(self, cycles: int) -> None:
        self._next += cycles
        self._ends = [end + cycles for end in self._ends]


def digits_of(number: int, digit: int, count: int) -> list[int]:
    """So many digits, lowest first; the highest one has what is above them, too."""
    mask = (1 << digit) - 1
    found = [number >> digit * at & mask for at in range(count - 1)]
    return [*found, number >> digit * (count - 1)]


def carried_once(sums: list[int], digit: int) -> list[int]:
    """What each digit has above its bits, added to the next one; the highest keeps its own."""
    mask = (1 << digit) - 1
    kept = [*(one & mask for one in sums[:-1]), sums[-1]]
    above = [one >> digit for one in sums[:-1]]
    return [one + below for one, below in zip(kept, [0, *above], strict=True)]


def upper_and_lower(products: Iterable[tuple[int, int]], digit: int, count: int) -> list[int]:
    """Digits' sums of numbers below 4^digit and a bit, each at its digit, cut in two."""
    sums = [0] * count
    for at, product in products:
        sums[at] += product & ((1 << digit) - 1)
        sums[at + 1] += product >> digit
    return sums


class Fold(Family):
    """The family's registry entry."""

    name = "fold"
    title = "Multiplier modulo one prime 2^k - c on DSP slices, which folds what is above k bits"
    source = "redcore; Crandall 1992 for the reduction"
    module = "redc_mul_fold"
    has_technology = True
    one_modulus = True
    minimum_width = 7
    maximum_width = 1024
    parameters = (
        Parameter(
            "c", "C", "the modulus is 2^width - c; odd", default=usual_c, minimum=1,
            maximum=(1 << 2 * PART_BITS) - 1, grid=(),
        ),
        Parameter(
            "digit", "Digit", "bits of a digit, the factor of a slice", default=usual_digit,
            minimum=DIGIT_BITS, maximum=DIGIT_LIMIT,
        ),
        ROWS,
        WORD,
        ONE_MODULUS,
        CHECKS,
    )  # fmt: skip

    def rtl_parameters(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        """c in two parts."""
        given = super().rtl_parameters(width, values)
        high, low = divmod(int(values["c"]), 1 << PART_BITS)
        found: dict[str, int] = {}
        for name, value in given.items():
            found |= {"C": low, "CHigh": high} if name == "C" else {name: value}
        return found

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """c is odd and small enough for two foldings; words are of a limb; sums fit digits."""
        c, digit, rows, word = numbers(values, "c", "digit", "rows", "word")
        reasons = []
        if c % 2 == 0:
            reasons.append(f"c={c} is even, and so would the modulus be")
        if word > rows:
            reasons.append(f"word={word} is above rows={rows}")
        if reasons:
            return reasons
        found = sizes(width, values)
        if found.spare >= rows * digit:
            return [
                f"rows={rows} digits of digit={digit} have no bit of width={width} in two limbs;"
                " take less"
            ]
        if 2 * found.digits + 9 > 1 << digit or (
            not found.whole and 8 * found.pieces + 4 >= 1 << digit
        ):
            return [f"digit={digit} is too short for sums of {found.digits} digits"]
        if c * (4 * c + (1 << found.spare) + 4) > 1 << (width - 1):
            return [
                f"c={c} is too large for width={width} with digits of {found.spare} bits more:"
                " two foldings are not enough"
            ]
        return []

    def known_moduli(self, width: int, values: Mapping[str, Value]) -> list[int]:
        return [(1 << width) - int(values["c"])]

    def modulus_reason(self, width: int, values: Mapping[str, Value], modulus: int) -> str:
        own = (1 << width) - int(values["c"])
        if modulus == own:
            return ""
        c = (1 << width) - modulus
        if not self.reasons(width, {**values, "c": c}):
            return (
                f"is not {own:#x}, for which {self.name} is built: 2^{width} - c, c={values['c']};"
                f" --set c={c} makes it that of this one"
            )
        return (
            f"is not of the form that {self.name} is built for, 2^{width} - c with a small c;"
            f" {takes_instead(width, modulus)}"
        )

    def settings_for(self, width: int, modulus: int) -> Mapping[str, Value]:
        found: dict[str, Value] = {"c": (1 << width) - modulus}
        return {} if self.reasons(width, found) else found

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """Which of a b mod m and m more it is follows from the digits that fold: they are not
        carried through, so the bits above the width may be one less than in the whole number."""
        c, digit = numbers(values, "c", "digit")
        found = sizes(width, values)
        count = found.digits
        x, y = digits_of(a, digit, count), digits_of(b, digit, count)
        products = ((i + j, x[i] * y[j]) for i in range(count) for j in range(count))
        whole = carried_once(upper_and_lower(products, digit, 2 * count), digit)
        lower, upper = whole[:count], whole[count:]
        multiple, half = c << found.spare, ceil_div(digit, 2)
        length = count + len(pieces_of(multiple, digit)) + 3
        if found.whole:
            sums = [low + multiple * high for low, high in zip(lower, upper, strict=True)]
        else:
            parts = (
                (at + number // 2, part * high << (number % 2 * half))
                for number, part in enumerate(pieces_of(multiple, digit))
                for at, high in enumerate(upper)
            )
            sums = upper_and_lower(parts, digit, length)
            filled = [*lower, *[0] * (length - count)]
            sums = [one + low for one, low in zip(sums, filled, strict=True)]
        sums = carried_once([*sums, *[0] * (length - len(sums))], digit)
        # The bits of the highest limb's digits that are below the width.
        places = range(count)
        kept = 0
        for at in places:
            bits = width - digit * at
            mask = (1 << max(0, bits)) - 1 if bits <= digit else (1 << digit + 1) - 1
            kept += (sums[at] & mask) << digit * at
        above = sum(one << digit * at for at, one in enumerate(sums)) - kept
        return kept + c * (above >> width)

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """A product of two limbs a cycle, and one cycle more."""
        digit, word = numbers(values, "digit", "word")
        found = sizes(width, values)
        return Geometry(
            word_bits=word * digit,
            beats=found.beats,
            bound=2,
            slots=found.slots,
            latency_cycles=found.latency,
            interval_cycles=Fraction(found.interval),
        )

    def pace(self, width: int, values: Mapping[str, Value]) -> InAdvance:
        return InAdvance(self.geometry(width, values), sizes(width, values))

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """What each digit of a limb has, and each product; the terms of c; the memories' depth."""
        digit, rows, word, checks = numbers(values, "digit", "rows", "word", "checks")
        found = sizes(width, values)
        parts = [c for c in pieces_of(int(values["c"]) << min(found.spare, 80), digit) if c]
        ones = sum(part.bit_count() for part in parts)
        common: dict[str, float] = {"each": 1, "checks": word * digit * checks}
        limb = float(rows * digit)
        # what is in a memory as deep as limbs are many
        deep = limb * log2(found.limbs)
        products = float(rows * rows * digit)
        return Terms(
            lut=common
            | {"limb": _LUTS_A_BIT * limb, "products": products, "deep": deep, "c": limb * ones},
            ff=common
            | {
                "limb": _REGISTERS_A_BIT * limb,
                "products": 2 * products,
                "words": 14.0 * word * digit / 2,
                "c": limb * ones,
            },
            carry={"each": 1, "limb": 4 * limb, "products": products / 2, "c": limb * ones / 4,
                   "checks": word * digit * checks},
            delay={
                "each": 1,
                "digit": digit,
                "spread": log2(1 + rows),
                "deep": log2(found.limbs),
                "checks": checks,
            },
            dsp={"slices": rows * rows},
        )  # fmt: skip

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """Digits as by default and shorter ones, with and without checks."""
        return [{}, {"checks": 1}]

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Digits as long as slices take them."""
        found = super().levels(width)
        return found | {"c": (usual_c(width),), "digit": (16, 17, 18), "moduli": (1,)}

    def digit_bits(self, width: int, values: Mapping[str, Value]) -> int:
        """A digit."""
        return int(values["digit"])


register(Fold())
