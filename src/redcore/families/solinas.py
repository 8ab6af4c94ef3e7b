# SPDX-License-Identifier: Apache-2.0
"""solinas: Montgomery multiplication modulo one prime of few powers of two, products in slices, no
products for the reduction (``rtl/redc_mul_solinas.sv``).

Same rules and formulas as ``rtl/redc_mul_solinas_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivations: ``docs/families/solinas.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
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
)
from redcore.families.fold import (
    DIGIT_BITS,
    DIGIT_LIMIT,
    ONE_MODULUS,
    ROWS,
    WORD,
    levels_of,
    takes_instead,
    usual_rows,
    words_to,
)

BETWEEN = ("e1", "e2", "e3")
"""The exponents between 0 and the width."""
COLUMN_CYCLES, CARRY_CYCLES, AGAIN_CYCLES, OFFER_CYCLES = 7, 3, 3, 3
"""From the last product of a column until its limb may be reduced, without the adders behind the
slices; from there until it leaves, without the adders that reduce; more, until it is a limb of the
quotient, where that counts in itself; until a result of which enough has come is offered."""
_LONG_DIGIT = 14
"""Bits from which on digits make good use of a slice."""
KNOWN: dict[int, tuple[int, int, int, int]] = {
    192: (64, 0, 0, 1),
    256: (96, 192, 224, 4),
    384: (32, 96, 128, 6),
    448: (224, 0, 0, 1),
    521: (0, 0, 0, 0),
}
"""e1, e2, e3 and minus of the primes of this form that have names: P-192, P-256, P-384, that of
Curve448, P-521."""


@lru_cache(maxsize=1024)
def usual_terms(width: int) -> tuple[int, int, int, int]:
    """Those of the named prime of so many bits, else the 2^width - 2^e - 1 that is prime with e
    nearest to half the width, else 2^width - 1."""
    from gmpy2 import is_prime

    if width in KNOWN:
        return KNOWN[width]
    half = width // 2
    least = max(DIGIT_BITS, half - half // 2)
    near = sorted(range(least, half + half // 2), key=lambda e: abs(e - half))
    for e in near:
        if e + 2 <= width and is_prime((1 << width) - (1 << e) - 1):
            return (e, 0, 0, 1)
    return (0, 0, 0, 0)


def _usual(at: int, width: int) -> int:
    return usual_terms(width)[at]


def longest_limb(terms: Sequence[tuple[int, bool]]) -> int:
    """Bits: up to twice the lowest exponent a limb counts in itself no more than once, where that
    power is added and the next one is above the limb."""
    (lowest, less), *others = terms
    return min(2 * lowest, others[0][0]) if others and not less else lowest


def usual_rows_of(width: int) -> int:
    """As usual, unless the prime allows no limbs of so many digits that are worth a slice."""
    longest = longest_limb(_usual_terms(width))
    return max(1, min(usual_rows(width), longest // _LONG_DIGIT))


def usual_digit(width: int) -> int:
    """The shortest that makes as few limbs as the longest does whose limb the prime allows."""
    rows = usual_rows_of(width)
    longest = min(DIGIT_LIMIT, longest_limb(_usual_terms(width)) // rows)
    limbs = max(2, ceil_div(width + 2, rows * longest))
    return max(DIGIT_BITS, ceil_div(width + 2, rows * limbs))


def _usual_terms(width: int) -> list[tuple[int, bool]]:
    return terms_of(width, dict(zip((*BETWEEN, "minus"), usual_terms(width), strict=True)))


@dataclass(frozen=True)
class Sizes:
    """What follows from the parameters; the names are those of ``redc_mul_solinas_pkg``."""

    limbs: int
    digits: int
    beats: int
    terms: int
    late: int
    minuses: int
    again: bool
    sum_levels: int
    early_levels: int
    late_levels: int
    spacing: int
    chain: int
    interval: int
    gap: int
    release_limb: int
    start: int
    latency: int
    slots: int
    ring: int


def terms_of(width: int, values: Mapping[str, Value]) -> list[tuple[int, bool]]:
    """Exponents of the powers of two above 1, the lowest first, and whether they are subtracted."""
    minus = int(values["minus"])
    between = [(int(values[name]), bool(minus >> at & 1)) for at, name in enumerate(BETWEEN)]
    return [*((e, less) for e, less in between if e), (width, False)]


def prime_of(width: int, values: Mapping[str, Value]) -> int:
    """The modulus."""
    return sum(-(1 << e) if less else 1 << e for e, less in terms_of(width, values)) - 1


def settings_of(width: int, modulus: int) -> dict[str, int]:
    """The parameters for a modulus; none where it is not of the form.

    m + 1 as powers of two with signs, no two of them next to each other (the non-adjacent form).
    """
    rest, at = modulus + 1, 0
    powers: list[tuple[int, bool]] = []
    while rest:
        if rest & 1:
            less = rest & 3 == 3
            powers.append((at, less))
            rest += 1 if less else -1
        rest >>= 1
        at += 1
    *between, top = powers
    if top != (width, False) or len(between) > len(BETWEEN):
        return {}
    if between and (not between[-1][1] or between[-1][0] > width - 2):
        return {}
    if longest_limb(powers) < DIGIT_BITS:
        return {}
    exponents = [e for e, _ in between] + [0] * (len(BETWEEN) - len(between))
    minus = sum(less << number for number, (_, less) in enumerate(between))
    return dict(zip(BETWEEN, exponents, strict=True)) | {"minus": minus}


class Course:
    """When limbs of a product come, enter the reduction, and leave, in cycles.

    A column of products may have to wait for the limb of the operands that it is the first to read,
    a limb of the product for a limb of the quotient.
    """

    def __init__(self, limbs: int, sum_levels: int, early: int, spacing: int, waits: list[int]):
        self._limbs, self._early, self._spacing = limbs, early, spacing
        self._waits = waits  # of the limbs of operands, from the first word on
        self._behind = sum_levels + COLUMN_CYCLES

    def run(self, taken: int, free: int, reduced: int) -> tuple[int, list[int]]:
        """The cycle behind the last product, and those in which limbs enter.

        ``taken`` is the first word's, ``free`` the first one in which the slices are free,
        ``reduced`` that in which the last limb before entered.
        """
        limbs, begins, at = self._limbs, free, reduced
        entered = []
        for column in range(2 * limbs):
            if column < limbs:
                begins = max(begins, taken + self._waits[column])
                ends = begins + column + 1
                behind = 1 if column == 0 else self._spacing
            else:
                ends = begins + max(1, 2 * limbs - 1 - column)
                behind = (self._spacing, self._early)[column - limbs] if column < limbs + 2 else 1
            at = max(at + behind, ends - 1 + self._behind)
            entered.append(at)
            begins = ends
        return begins, entered


@lru_cache(maxsize=4096)
def _sizes(width: int, terms: tuple[tuple[int, bool], ...], digit: int, rows: int, word: int
           ) -> tuple[Sizes, Course]:  # fmt: skip
    limb = rows * digit
    limbs = max(2, ceil_div(width + 2, limb))
    digits = limbs * rows
    beats = ceil_div(digits, word)
    late = sum(e < 2 * limb for e, _ in terms)
    early_levels = max(1, levels_of(1 + len(terms) - late))
    late_levels = levels_of(1 + late)
    again = terms[0][0] < limb
    spacing = late_levels + CARRY_CYCLES + again * AGAIN_CYCLES
    chain = spacing * limbs + early_levels + limbs - 2
    interval = max(limbs**2 + 1, beats, chain + 1)
    sum_levels = levels_of(2 * rows - 1)
    waits = [words_to(n, rows, word) + 1 for n in range(limbs)]
    course = Course(limbs, sum_levels, early_levels, spacing, waits)
    released = _release(limbs, rows, word, early_levels)
    ended, entered = course.run(0, 0, -1)
    start = ended - 1 - limbs**2
    behind = early_levels + late_levels + CARRY_CYCLES + OFFER_CYCLES + beats - 1
    latency = entered[limbs + released] + behind
    slots = ceil_div(latency - start + 3, interval)
    found = Sizes(
        limbs=limbs,
        digits=digits,
        beats=beats,
        terms=len(terms),
        late=late,
        minuses=sum(less for _, less in terms),
        again=again,
        sum_levels=sum_levels,
        early_levels=early_levels,
        late_levels=late_levels,
        spacing=spacing,
        chain=chain,
        interval=interval,
        gap=interval - limbs**2 - 1,
        release_limb=released,
        start=start,
        latency=latency,
        slots=slots,
        ring=power_of_two(slots * limbs),
    )
    return found, course


def _release(limbs: int, rows: int, word: int, early_levels: int) -> int:
    """The first limb of a result that no word has to wait for, once it has come."""
    for limb in range(limbs - 1, -1, -1):
        waited = 0
        for behind in range(limb + 1, limbs):
            products = max(1, limbs - 1 - behind)
            waited += max(products, early_levels if behind == 1 else 1)
            if waited > behind * rows // word:
                return limb + 1
    return 0


def sizes(width: int, values: Mapping[str, Value]) -> Sizes:
    """Those of a design."""
    return _both(width, values)[0]


def _both(width: int, values: Mapping[str, Value]) -> tuple[Sizes, Course]:
    digit, rows, word = numbers(values, "digit", "rows", "word")
    return _sizes(width, tuple(terms_of(width, values)), digit, rows, word)


class InAdvance(Pace):
    """Operands are taken while the ones before are multiplied; two pairs of them have room."""

    def __init__(self, geometry: Geometry, found: Sizes, course: Course) -> None:
        super().__init__(geometry)
        self._beats = geometry.beats
        self._sizes, self._course = found, course
        self._behind = found.latency - course.run(0, 0, -1)[1][found.limbs + found.release_limb]
        # when the pair before, and the one before that, was read for the last time, and when the
        # last limb of the product before was reduced
        self._ends = [-found.gap - 1, -1]
        self._reduced = -1

    def take(self, ready: int, free: int = 0) -> tuple[int, int]:
        """As in the base class. Words come one a cycle; a result that waits keeps none of the
        core's places."""
        found, (before, earlier) = self._sizes, self._ends
        taken = max(ready, self._next, earlier + 1)
        self._next = taken + self._beats
        ended, entered = self._course.run(taken, before + 1 + found.gap, self._reduced)
        self._ends = [ended - 1, before]
        self._reduced = entered[-1]
        self.loaded = taken + self.loading
        answered = entered[found.limbs + found.release_limb] + self._behind
        return taken, max(answered, free + self.leaving)

    def state(self, now: int) -> tuple[object, ...]:
        """As in the base class."""
        gap, reduced = self._sizes.gap + 1, self._reduced
        before, earlier = self._ends
        limits = (self._next, before + gap, earlier + 1, reduced + 1)
        return tuple(max(0, limit - now) for limit in limits)

    def move(self, cycles: int) -> None:
        self._next += cycles
        self._ends = [end + cycles for end in self._ends]
        self._reduced += cycles


class Solinas(Family):
    """The family's registry entry."""

    name = "solinas"
    title = "Montgomery multiplier modulo one prime of few powers of two, products on DSP slices"
    source = "redcore; Solinas 1999 for the primes"
    module = "redc_mul_solinas"
    has_technology = True
    one_modulus = True
    minimum_width = 7
    maximum_width = 1024
    parameters = (
        *(
            Parameter(
                name, name.upper(), words, default=partial(_usual, at),
                maximum=lambda width: width - 2, grid=(),
            )
            for at, (name, words) in enumerate(zip(BETWEEN, (
                "the modulus is 2^width +- 2^e3 +- 2^e2 +- 2^e1 - 1; 0: none of these",
                "the next power of two; 0: no more",
                "the highest one below the width's; 0: no more",
            ), strict=True))
        ),
        Parameter(
            "minus", "Minus", "which of these are subtracted, the highest always: 1 for e1, 2 for"
            " e2, 4 for e3, or a sum of these", default=partial(_usual, 3),
            maximum=7, grid=(),
        ),
        Parameter(
            "digit", "Digit", "bits of a digit, the factor of a slice", default=usual_digit,
            minimum=DIGIT_BITS, maximum=DIGIT_LIMIT,
        ),
        Parameter(
            "rows", "Rows", ROWS.doc, default=usual_rows_of, minimum=1, maximum=4,
        ),
        Parameter(
            "word", "Word", WORD.doc, default=lambda width: min(2, usual_rows_of(width)), minimum=1,
            maximum=2,
        ),
        ONE_MODULUS,
        CHECKS,
    )  # fmt: skip

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Exponents ascend, the highest is subtracted; a limb is not above the lowest."""
        digit, rows, word, minus = numbers(values, "digit", "rows", "word", "minus")
        between = [int(values[name]) for name in BETWEEN]
        said = ", ".join(f"{name}={e}" for name, e in zip(BETWEEN, between, strict=True))
        given = [e for e in between if e]
        if between[: len(given)] != sorted(set(given)):
            return [f"{said} do not ascend, zeros last"]
        if minus >> len(given) or (given and not minus >> (len(given) - 1)):
            return [f"minus={minus} has to subtract the highest of {said}, and none that is 0"]
        if word > rows:
            return [f"word={word} is above rows={rows}"]
        longest = longest_limb(terms_of(width, values))
        if rows * digit > longest:
            return [
                f"limbs of rows={rows} digits of digit={digit} are longer than {longest} bits,"
                " which the lowest exponents allow"
            ]
        digits = max(2, ceil_div(width + 2, rows * digit)) * rows
        if 2 * digits + 9 > 1 << digit:
            return [f"digit={digit} is too short for sums of {digits} digits"]
        return []

    def known_moduli(self, width: int, values: Mapping[str, Value]) -> list[int]:
        return [prime_of(width, values)]

    def modulus_reason(self, width: int, values: Mapping[str, Value], modulus: int) -> str:
        own = prime_of(width, values)
        if modulus == own:
            return ""
        text = " ".join(
            f"{'-' if less else '+'} 2^{e}" for e, less in reversed(terms_of(width, values))
        )
        built = f"is not {own:#x}, for which {self.name} is built: {text[2:]} - 1"
        if found := settings_of(width, modulus):
            asked = " ".join(f"{name}={value}" for name, value in found.items())
            return f"{built}; --set {asked} makes it that of this one"
        return (
            f"is not of the form that {self.name} is built for, 2^{width} +- 2^e3 +- 2^e2 +- 2^e1"
            f" - 1; {takes_instead(width, modulus)}"
        )

    def settings_for(self, width: int, modulus: int) -> Mapping[str, Value]:
        found: Mapping[str, Value] = settings_of(width, modulus)
        return {} if self.reasons(width, found) else found

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """A product of two limbs a cycle, and one cycle more."""
        digit, word = numbers(values, "digit", "word")
        found = sizes(width, values)
        return Geometry(
            word_bits=word * digit,
            beats=found.beats,
            r_bits=found.digits * digit,
            bound=2,
            slots=found.slots,
            latency_cycles=found.latency,
            interval_cycles=Fraction(found.interval),
        )

    def pace(self, width: int, values: Mapping[str, Value]) -> InAdvance:
        return InAdvance(self.geometry(width, values), *_both(width, values))

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """What each digit of a limb has, and each product; the prime's terms; the memories' depth;
        the quotient's limbs that are kept."""
        digit, rows, word, checks = numbers(values, "digit", "rows", "word", "checks")
        found = sizes(width, values)
        common: dict[str, float] = {"each": 1, "checks": word * digit * checks}
        limb = float(rows * digit)
        # what is in a memory as deep as limbs are many
        deep = limb * log2(found.limbs)
        products = float(rows * rows * digit)
        return Terms(
            lut=common
            | {"limb": limb, "products": products, "deep": deep, "terms": limb * found.terms},
            ff=common
            | {
                "limb": limb,
                "products": 2 * products,
                "words": 14.0 * word * digit / 2,
                "terms": limb * found.terms,
                "kept": limb * (found.limbs - 2),
            },
            carry={"each": 1, "limb": 4 * limb, "products": products / 2,
                   "terms": limb * found.terms / 2, "checks": word * digit * checks},
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
        """Digits as by default, with and without checks."""
        return [{}, {"checks": 1}]

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Digits as long as slices take them."""
        found = super().levels(width)
        usual = dict(zip((*BETWEEN, "minus"), usual_terms(width), strict=True))
        own = {name: (value,) for name, value in usual.items()}
        return found | own | {"digit": (15, 16, 17, 18), "moduli": (1,)}

    def digit_bits(self, width: int, values: Mapping[str, Value]) -> int:
        """A digit."""
        return int(values["digit"])


register(Solinas())
