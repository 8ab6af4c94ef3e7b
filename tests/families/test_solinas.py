# SPDX-License-Identifier: Apache-2.0
"""What docs/families/solinas.md derives about solinas: the quotient, bounds, cycles; digits, limbs
and primes of every kind; where it is refused; and faults in what only this family has."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from patched import patched_sources
from redcore import rtl, synthesize
from redcore.catalogue import UNITS, family, multipliers, on
from redcore.design import Value
from redcore.errors import BadInput
from redcore.families.solinas import (
    COLUMN_CYCLES,
    KNOWN,
    Course,
    prime_of,
    sizes,
    terms_of,
)
from redcore.moduli import modulus
from redcore.simulate import exhaust, refusal, simulate

pytestmark = pytest.mark.kept

CELLS = Path(synthesize.__file__).parent / "cells"
SOLINAS = family("solinas")
NAMED = {"p192": 192, "p256": 256, "p384": 384, "p521": 521}
SM2: dict[str, Value] = {"e1": 64, "e2": 96, "e3": 224, "minus": 6}


def test_the_named_primes_are_the_defaults() -> None:
    for name, width in NAMED.items():
        assert prime_of(width, SOLINAS.complete(width, {})) == modulus(name).value
    assert prime_of(448, SOLINAS.complete(448, {})) == (1 << 448) - (1 << 224) - 1
    assert {*NAMED.values(), 448} == set(KNOWN)


def test_p256_takes_nine_slices_and_twenty_six_cycles() -> None:
    design = SOLINAS.design(256)
    assert design.values["rows"] == 3 and design.geometry.interval_cycles == 26


@pytest.mark.full
def test_the_defaults_are_legal_at_every_width() -> None:
    for width in range(SOLINAS.minimum_width, SOLINAS.maximum_width + 1):
        assert SOLINAS.reasons(width, {}) == []


@pytest.mark.parametrize(
    ("width", "settings"), [(16, {}), (64, {}), (192, {}), (256, {}), (256, SM2), (384, {})]
)
def test_limbs_are_their_own_quotient(width: int, settings: dict[str, Value]) -> None:
    """On whole numbers, limb by limb: what is subtracted is added inverted, with ones around it."""
    values = SOLINAS.complete(width, settings)
    found, m = sizes(width, values), prime_of(width, values)
    bits = int(values["digit"]) * int(values["rows"])
    mask, radix = (1 << bits) - 1, 1 << bits * found.limbs
    choose = random.Random(width)
    for _ in range(200):
        a, b = (choose.choice([2 * m - 1, m, 0, choose.randrange(2 * m)]) for _ in range(2))
        quotient, carry, result = 0, found.minuses, 0
        for limb in range(2 * found.limbs):
            at = bits * limb
            sum_ = (a * b >> at & mask) + carry
            for exponent, less in terms_of(width, values):
                sum_ += (quotient << exponent >> at & mask) ^ (mask if less else 0)
            if limb < found.limbs:
                if found.again:  # without what it has at the lowest exponent and above
                    sum_ += (sum_ & mask) << terms_of(width, values)[0][0] & mask
                quotient |= (sum_ & mask) << at
            else:
                result |= (sum_ & mask) << at - bits * found.limbs
            carry = sum_ >> bits
        assert quotient == -a * b * pow(m, -1, radix) % radix
        assert result * radix == a * b + quotient * m and result < 2 * m
        assert SOLINAS.product(width, values, a, b, m) == result


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (7, {}),
        (7, {"checks": 1, "digit": 5}),
        (8, {"e1": 4, "minus": 1, "digit": 4}),
        pytest.param(9, {"e1": 5, "minus": 1, "digit": 5}, marks=pytest.mark.full),
        pytest.param(
            9, {"e1": 4, "e2": 6, "e3": 7, "minus": 5, "digit": 4}, marks=pytest.mark.full
        ),
        pytest.param(9, {"e1": 4, "e2": 5, "e3": 7, "minus": 7, "digit": 4, "checks": 1},
                     marks=pytest.mark.full),
    ],
)  # fmt: skip
def test_every_pair_of_operands(width: int, settings: dict[str, Value]) -> None:
    assert exhaust(SOLINAS.design(width, settings), stalls=True).failures() == []


EVERY_KIND: list[tuple[int, dict[str, Value]]] = [
    (14, {"e1": 6, "minus": 1, "digit": 6, "rows": 1}),
    (20, {"e1": 0, "minus": 0, "digit": 5, "rows": 2}),
    (21, {"e1": 12, "minus": 1, "digit": 6, "rows": 2, "word": 1}),
    (21, {"e1": 13, "e2": 15, "minus": 2, "digit": 6, "rows": 2, "word": 2}),
    (33, {"e1": 27, "e2": 29, "e3": 31, "minus": 4, "digit": 9, "rows": 3}),
    (42, {"e1": 15, "e2": 16, "e3": 17, "minus": 7, "digit": 5, "rows": 3}),
    (42, {"e1": 30, "e2": 31, "e3": 40, "minus": 6, "digit": 5, "rows": 3}),
    (50, {"e1": 24, "minus": 1, "digit": 6, "rows": 4, "word": 1}),
    (64, {"e1": 18, "minus": 1, "digit": 18, "rows": 1, "word": 1}),
    (86, {"e1": 17, "e2": 84, "minus": 3, "digit": 17, "rows": 1, "word": 1}),
    (120, {"e1": 33, "e2": 66, "minus": 2, "digit": 11, "rows": 3, "word": 1}),
    (127, {"e1": 0, "minus": 0}),
    (190, {"e1": 64, "e2": 128, "minus": 2, "digit": 16, "rows": 4, "word": 2}),
    (192, {}),
    (256, {"digit": 16}),
    (256, {"digit": 17, "word": 1}),
    (256, {"digit": 16, "rows": 4}),
    (256, {"digit": 18, "rows": 1, "word": 1}),
    (256, {"digit": 15, "rows": 2}),
    (256, {**SM2, "digit": 18, "rows": 3}),
    (256, {**SM2, "digit": 16, "rows": 4}),
    (42, {"e1": 8, "e2": 16, "minus": 2, "digit": 8, "rows": 2}),
    (36, {"e1": 11, "e2": 21, "e3": 34, "minus": 6, "digit": 5, "rows": 4, "word": 1}),
    (192, {"e1": 26, "e2": 52, "e3": 190, "minus": 4, "digit": 13, "rows": 4}),
    (256, {"e1": 18, "e2": 36, "e3": 0, "minus": 2, "digit": 18, "rows": 2}),
    (384, {}),
    (384, {"digit": 18}),
    (384, {"digit": 16}),
    (384, {"digit": 16, "rows": 2}),
    (384, {"digit": 16, "rows": 4}),
    (448, {}),
    (521, {}),
]


@pytest.mark.parametrize(("width", "settings"), EVERY_KIND)
def test_digits_limbs_and_primes_of_every_kind(width: int, settings: dict[str, Value]) -> None:
    """Two limbs and many, terms that reach the next limb and that do not, of either sign, next to
    each other and to the width, words that begin within limbs."""
    design = SOLINAS.design(width, settings)
    assert simulate(design, [], 400, stalls=True).failures() == []


COUNTS_IN_ITSELF = [kind for kind in EVERY_KIND if kind[1].get("e1") in (8, 11)]


def drawn(seed: int) -> tuple[int, dict[str, Value]]:
    """Any legal design."""
    choose = random.Random(seed)
    while True:
        width = choose.choice([choose.randrange(7, 40), choose.randrange(40, 300)])
        between = sorted(choose.sample(range(4, width), min(choose.randrange(4), width - 4)))
        minus = choose.randrange(8) % (1 << len(between)) | (1 << len(between)) // 2
        rows = choose.randrange(1, 5)
        values: dict[str, Value] = {"minus": minus, "rows": rows, "digit": choose.randrange(4, 19)}
        values["word"] = choose.randrange(1, 3)
        named = itertools.zip_longest(("e1", "e2", "e3"), between, fillvalue=0)
        values |= {str(name): int(e) for name, e in named}
        if not SOLINAS.reasons(width, values):
            return width, values


@pytest.mark.parametrize(
    "seed",
    [*range(6), *(pytest.param(seed, marks=pytest.mark.full) for seed in range(6, 150))],
)
def test_designs_as_they_are_drawn(seed: int) -> None:
    width, values = drawn(seed)
    assert simulate(SOLINAS.design(width, values), [], 300, stalls=True).failures() == []


def test_no_more_limbs_wait_than_have_places() -> None:
    """Whatever the number of limbs, multiplications one behind the other, places of 8."""
    for limbs, spacing, early in itertools.product(range(2, 40), range(3, 10), (1, 2, 3)):
        course = Course(limbs, 0, early, spacing, [2] * limbs)
        interval = max(limbs**2 + 1, spacing * limbs + early + limbs - 1)
        come: list[int] = []
        leave: list[int] = []
        free, reduced = 2, -1
        for _ in range(3):
            at = free
            for column in range(2 * limbs):
                at += column + 1 if column < limbs else max(1, 2 * limbs - 1 - column)
                come.append(at - 1 + COLUMN_CYCLES - 1)
            ended, entered = course.run(0, free, reduced)
            leave += [cycle - 1 for cycle in entered]
            free, reduced = ended + interval - limbs**2 - 1, entered[-1]
        for at in come:
            waiting = sum(x <= at <= y for x, y in zip(come, leave, strict=True))
            assert waiting <= min(spacing, 4 if limbs == 2 else spacing)


@pytest.mark.full
@pytest.mark.parametrize("width", [64, 127, 128, 192, 255, 256, 384, 448, 521, 1024])
def test_many_random_products(width: int) -> None:
    assert simulate(SOLINAS.design(width), [], 20_000, stalls=True).failures() == []


@pytest.mark.parametrize(
    ("width", "settings", "said"),
    [
        (256, {"e1": 192, "e2": 96}, "e1=192, e2=96, e3=224 do not ascend"),
        (256, {"e2": 0}, "e1=96, e2=0, e3=224 do not ascend"),
        (256, {"e3": 255}, "e3=255 is above 254"),
        (256, {"minus": 2}, "minus=2 has to subtract the highest"),
        (256, {"e3": 0, "minus": 4}, "minus=4 has to subtract the highest"),
        (256, {"minus": 8}, "minus=8 is above 7"),
        (256, {"word": 2, "rows": 1}, "word=2 is above rows=1"),
        (384, {"rows": 4, "digit": 17}, "are longer than 64 bits, which the lowest exponents"),
        (192, {"rows": 4, "digit": 17}, "are longer than 64 bits, which the lowest exponents"),
        (256, {**SM2, "e1": 50, "e2": 52}, "are longer than 52 bits, which the lowest exponents"),
        (256, {"digit": 5, "rows": 4}, "digit=5 is too short for sums of 52 digits"),
        (256, {"moduli": 2}, "moduli=2 is above 1"),
    ],
)
def test_what_is_refused(width: int, settings: dict[str, Value], said: str) -> None:
    """By Python in a sentence, and by the RTL, at elaboration."""
    reasons = SOLINAS.reasons(width, settings)
    assert reasons and said in reasons[0]
    numbers = SOLINAS.rtl_parameters(width, SOLINAS.complete(width, settings))
    found = refusal(rtl.sources(SOLINAS.module), SOLINAS.module, numbers)
    assert found and "redc_mul_solinas" in found


@pytest.mark.parametrize("exponents", [(96, 192, (1 << 32) - 1), ((1 << 32) - 2, 0, 0)])
def test_exponents_near_the_end_of_a_parameter_are_refused(exponents: tuple[int, ...]) -> None:
    """Where a sum would wrap."""
    values = SOLINAS.complete(256, {}) | dict(zip(("e1", "e2", "e3"), exponents, strict=True))
    values["minus"] = 4 if exponents[2] else 1
    found = refusal(rtl.sources(SOLINAS.module), SOLINAS.module,
                    SOLINAS.rtl_parameters(256, values))  # fmt: skip
    assert found and "above Width=256" in found


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("p224", "is not of the form that solinas is built for"),
        ("curve25519", "2^e1 - 1; fold can be built for it, cios and array take any odd modulus"),
        ("0xfffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff",
         "--set e1=64 e2=96 e3=224 minus=6"),
    ],
)  # fmt: skip
def test_what_helps_with_another_modulus_is_told(name: str, said: str) -> None:
    """Its parameters, where it is of the form."""
    one = modulus(name)
    assert said in SOLINAS.modulus_reason(one.bits, SOLINAS.complete(one.bits, {}), one.value)


def test_another_modulus_is_refused() -> None:
    with pytest.raises(BadInput, match=r"for which solinas is built: 2\^256 - 2\^224 \+ 2\^192"):
        simulate(SOLINAS.design(256), [(1 << 256) - 189], 1)
    own = SOLINAS.design(256, SM2)
    sm2 = 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFF
    assert simulate(own, [sm2], 20).failures() == []


@pytest.mark.parametrize("unit", UNITS)
def test_units_that_take_any_modulus_refuse_it(unit: str) -> None:
    if unit == "curve":
        assert "solinas" in multipliers(unit) and on(unit, "solinas").one_modulus
    else:
        assert "solinas" not in multipliers(unit)
        with pytest.raises(BadInput, match=f"^{unit} takes any odd modulus, and solinas is built"):
            on(unit, "solinas")


SEEDED = {
    "a quotient's limb that is not carried through": (
        "redc_mul_solinas_reduce",
        "carry[row] ? plus_one_q[row] : digit_q[row]",
        "digit_q[row]",
    ),
    "carries that do not pass a digit": (
        "redc_mul_solinas_reduce",
        "makes_q[row] | (passes_q[row] & carry[row])",
        "makes_q[row]",
    ),
    "carries from limb to limb": (
        "redc_mul_solinas_reduce",
        "carry_q <= carry[Rows] & ~first[SumAt+1];",
        "carry_q <= 1'b0;",
    ),
    "a carry into the next product": (
        "redc_mul_solinas_reduce",
        "carry_q <= carry[Rows] & ~first[SumAt+1];",
        "carry_q <= carry[Rows];",
    ),
    "what a limb's digits have above their bits": (
        "redc_mul_solinas_reduce",
        "last[SumAt] ? OverBits'(Sizes.minuses) : sum[Rows-1][Digit+:OverBits]",
        "OverBits'(last[SumAt] ? Sizes.minuses : 0)",
    ),
    "no one below what is subtracted": (
        "redc_mul_solinas_reduce",
        "last[SumAt] ? OverBits'(Sizes.minuses)",
        "last[SumAt] ? OverBits'(0)",
    ),
    "a quotient that outlives its product": (
        "redc_mul_solinas_reduce",
        "(!rst_ni || (enter_q && clears_q))",
        "(!rst_ni)",
    ),
    "a limb that does not wait for the quotient": (
        "redc_mul_solinas_reduce",
        "if (next_q < index_t'(Limbs)) wait_q <= '1;",
        "if (next_q < index_t'(Limbs)) wait_q <= '1 >> 1;",
    ),
    "the first upper limb does not wait": (
        "redc_mul_solinas_reduce",
        "if (next_q < index_t'(Limbs)) wait_q <= '1;",
        "if (next_q < index_t'(Limbs - 1)) wait_q <= '1;",
    ),
    "another sign": (
        "redc_mul_solinas_pkg",
        "(minuses >> number) % 2 == 1",
        "(minuses >> number) % 2 == 1 && number != 0",
    ),
    "a shift by a bit less": (
        "redc_mul_solinas_reduce",
        "localparam int unsigned From  = Below * Bits + i - Exponent;",
        "localparam int unsigned From  = (Below * Bits + i - Exponent + 1) % Bits;",
    ),
    "results that are read too early": (
        "redc_mul_solinas_pkg",
        "s.release_limb = limb;",
        "s.release_limb = 0;",
    ),
    "a limb that does not count in itself": (
        "redc_mul_solinas_reduce",
        "assign added = first_pass_q << Lowest;",
        "assign added = '0;",
    ),
    "a carry of a limb that counts in itself": (
        "redc_mul_solinas_reduce",
        "else if (again_carry) over_q <= over_q + 1'b1;",
        "",
    ),
    "too few places for limbs that wait": (
        "redc_mul_solinas_reduce",
        "localparam int unsigned Places    = 8;",
        "localparam int unsigned Places    = 2;",
    ),
}


@pytest.mark.parametrize("fault", SEEDED)
def test_seeded_faults_are_found(fault: str, tmp_path: Path) -> None:
    module, right, wrong = SEEDED[fault]
    files = patched_sources(tmp_path, rtl.sources(SOLINAS.module), {module: [(right, wrong)]})
    for width, settings in [*EVERY_KIND[4:7], *EVERY_KIND[9:11], *COUNTS_IN_ITSELF]:
        found = simulate(SOLINAS.design(width, settings), [], 1500, stalls=True, sources=files)
        if found.failures():
            return
    pytest.fail(f"{fault}: not found")


@pytest.mark.parametrize(("width", "settings"), [(64, {}), (256, {})])
def test_with_a_device_s_own_cells(width: int, settings: dict[str, Value], tmp_path: Path) -> None:
    """ECP5's carry cells and multipliers in place of what stands for them."""
    right = "parameter int unsigned Technology = 0"
    patches = {"redc_mul_solinas": [(right, right.replace("0", "1"))]}
    files = patched_sources(tmp_path, rtl.sources(SOLINAS.module), patches)
    names = ("CCU2C", "LUT4", "PFUMX", "L6MUX21", "MULT18X18D")
    cells = [CELLS / f"{name}.v" for name in names]
    design = SOLINAS.design(width, settings)
    assert simulate(design, [], 300, stalls=True, sources=[*files, *cells]).failures() == []
