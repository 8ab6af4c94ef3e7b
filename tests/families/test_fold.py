# SPDX-License-Identifier: Apache-2.0
"""What docs/families/fold.md derives about fold: bounds, two foldings, cycles; digits, limbs and c
of every kind; where it is refused; and faults in what only this family has."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from patched import patched_sources
from redcore import rtl, synthesize
from redcore.catalogue import UNITS, family, multipliers, on
from redcore.design import Value
from redcore.errors import BadInput
from redcore.families.fold import KNOWN, sizes, usual_c
from redcore.moduli import modulus
from redcore.simulate import exhaust, refusal, simulate

pytestmark = pytest.mark.kept

CELLS = Path(synthesize.__file__).parent / "cells"
SECP256K1 = (1 << 32) + 977
FOLD = family("fold")


def test_the_named_primes_are_the_defaults() -> None:
    named = {"curve25519": 255, "secp256k1": 256, "p521": 521}
    for name, width in named.items():
        design = FOLD.design(width)
        assert FOLD.known_moduli(width, design.values) == [modulus(name).value]
    assert usual_c(127) == 1 and set(named.values()) < set(KNOWN)


@pytest.mark.parametrize("name", ["curve25519", "secp256k1"])
def test_nine_slices_and_twenty_six_cycles(name: str) -> None:
    width = modulus(name).bits
    assert FOLD.design(width).values["rows"] == 3
    assert FOLD.design(width).geometry.interval_cycles == 26


@pytest.mark.full
def test_the_defaults_are_legal_at_every_width() -> None:
    for width in range(FOLD.minimum_width, FOLD.maximum_width + 1):
        assert FOLD.reasons(width, {}) == []


@pytest.mark.parametrize(
    ("width", "settings"),
    [(16, {}), (64, {}), (255, {}), (256, {}), (192, {"digit": 18}), (255, {"c": 31, "digit": 18})],
)
def test_two_foldings_are_enough(width: int, settings: dict[str, Value]) -> None:
    """On whole numbers: what is above the width behind the first folding, and the result."""
    values = FOLD.complete(width, settings)
    c, found = int(values["c"]), sizes(width, values)
    m = (1 << width) - c
    choose = random.Random(width)
    whole = found.digits * int(values["digit"])
    for _ in range(500):
        a, b = (choose.choice([2 * m - 1, m, choose.randrange(2 * m)]) for _ in range(2))
        upper, lower = divmod(a * b, 1 << whole)
        sum_ = lower + (c << found.spare) * upper
        above, kept = divmod(sum_, 1 << width)
        assert above <= (1 << found.spare) + 4 * c
        assert (kept + c * above - a * b) % m == 0 and kept + c * above < 2 * m
        assert FOLD.product(width, values, a, b, m) in (kept + c * above, kept + c * above + m)


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (7, {}),
        (7, {"checks": 1, "digit": 5}),
        (8, {"c": 3, "digit": 5}),
        pytest.param(9, {}, marks=pytest.mark.full),
        pytest.param(9, {"digit": 4, "rows": 1}, marks=pytest.mark.full),
        pytest.param(9, {"c": 5, "digit": 6}, marks=pytest.mark.full),
    ],
)
def test_every_pair_of_operands(width: int, settings: dict[str, Value]) -> None:
    assert exhaust(FOLD.design(width, settings), stalls=True).failures() == []


EVERY_KIND: list[tuple[int, dict[str, Value]]] = [
    (14, {"digit": 5, "rows": 1}),
    (21, {"digit": 6, "rows": 2, "word": 1}),
    (21, {"digit": 6, "rows": 2, "word": 2}),
    (33, {"digit": 9, "rows": 3, "word": 2}),
    (45, {"digit": 5, "rows": 3, "word": 2}),
    (50, {"digit": 6, "rows": 4, "word": 1}),
    (63, {"digit": 7, "rows": 3, "word": 2}),
    (64, {"digit": 18, "rows": 1, "word": 1, "c": 59}),
    (86, {"digit": 17, "rows": 1, "word": 1}),
    (120, {"digit": 11, "rows": 3, "word": 1}),
    (190, {"digit": 16, "rows": 4, "word": 2}),
    (255, {"digit": 17, "rows": 3, "word": 2, "c": 0xFFFFF1}),
    (255, {"digit": 18, "rows": 3, "word": 2}),
    (255, {"digit": 17, "rows": 2, "word": 2}),
    (256, {"digit": 17, "rows": 4, "word": 2}),
    (256, {"digit": 17, "rows": 1, "word": 1}),
    (256, {"digit": 18, "rows": 3, "word": 1, "c": (1 << 48) - 1}),
    (256, {"digit": 18, "rows": 3, "word": 2, "c": 0x5555_5555_5555}),
    (521, {"digit": 18, "rows": 3, "word": 2}),
]


@pytest.mark.parametrize(("width", "settings"), EVERY_KIND)
def test_digits_limbs_and_c_of_every_kind(width: int, settings: dict[str, Value]) -> None:
    """Exact or not, c whole or in pieces, limbs from two on, words that begin within limbs."""
    design = FOLD.design(width, settings)
    assert simulate(design, [], 400, stalls=True).failures() == []


@pytest.mark.full
@pytest.mark.parametrize("width", [64, 127, 128, 192, 255, 256, 384, 521, 1024])
def test_many_random_products(width: int) -> None:
    assert simulate(FOLD.design(width), [], 20_000, stalls=True).failures() == []


@pytest.mark.parametrize(
    ("width", "settings", "said"),
    [
        (256, {"c": 18}, "c=18 is even"),
        (256, {"word": 2, "rows": 1}, "word=2 is above rows=1"),
        (64, {"digit": 18, "rows": 3, "c": (1 << 21) + 1}, "two foldings are not enough"),
        (64, {"digit": 18, "rows": 4}, "have no bit of width=64 in two limbs"),
        (64, {"c": (1 << 31) + 1}, "two foldings are not enough"),
        (256, {"digit": 6, "rows": 4}, "digit=6 is too short for sums of 44 digits"),
        (256, {"moduli": 2}, "moduli=2 is above 1"),
        (256, {"c": 1 << 48 | 1}, "c=281474976710657 is above 281474976710655"),
    ],
)
def test_what_is_refused(width: int, settings: dict[str, Value], said: str) -> None:
    """By Python in a sentence, and by the RTL, at elaboration."""
    reasons = FOLD.reasons(width, settings)
    assert reasons and said in reasons[0]
    numbers = FOLD.rtl_parameters(width, FOLD.complete(width, settings))
    found = refusal(rtl.sources(FOLD.module), FOLD.module, numbers)
    assert found and "redc_mul_fold" in found


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("p224", "with a small c; cios and array take any odd modulus"),
        ("p256", "with a small c; solinas can be built for it, cios and array take any"),
        (hex((1 << 255) - 31), "c=19; --set c=31 makes it that of this one"),
    ],
)
def test_what_helps_with_another_modulus_is_told(name: str, said: str) -> None:
    """Another c, where it is of the form, or another multiplier."""
    one = modulus(name)
    assert said in FOLD.modulus_reason(one.bits, FOLD.complete(one.bits, {}), one.value)


def test_another_modulus_is_refused() -> None:
    with pytest.raises(BadInput, match=r"is not 0x7f.*ed, for which fold is built"):
        simulate(FOLD.design(255), [(1 << 255) - 31], 1)
    own = FOLD.design(255, {"c": 31})
    assert simulate(own, [(1 << 255) - 31], 20).failures() == []


@pytest.mark.parametrize("unit", UNITS)
def test_units_that_take_any_modulus_refuse_it(unit: str) -> None:
    if unit == "curve":
        assert "fold" in multipliers(unit) and on(unit, "fold").one_modulus
        return
    assert "fold" not in multipliers(unit)
    for named in (lambda: on(unit, "fold"), lambda: family(f"{unit}-fold")):
        with pytest.raises(BadInput, match=f"^{unit} takes any odd modulus, and fold is built"):
            named()


def test_signatures_take_two_moduli() -> None:
    curve = on("curve", "fold")
    settings: dict[str, Value] = {"form": "weierstrass", "task": "sign"}
    (said,) = curve.reasons(256, settings)
    assert said.startswith("task=sign takes a multiplier of two moduli, those of the field and of")
    assert said.endswith("and fold has one: take another, such as cios")


SEEDED = {
    "a carry between the foldings": (
        "redc_mul_fold_reduce",
        ".y1_i({(Digit + 1){(row != 0) | ~sum_first}})",
        ".y1_i({(Digit + 1){row != 0}})",
    ),
    "a carry of the foldings within a limb": (
        "redc_mul_fold_reduce",
        "? over_q : sum[(row+Rows-1)%Rows][Digit+:Over];",
        "? over_q : '0;",
    ),
    "another c": (
        "redc_mul_fold_pkg",
        "return multiple_t'(less) <<",
        "return multiple_t'(less + 2) <<",
    ),
    "no second folding": (
        "redc_mul_fold_reduce",
        "folds_q  <= begins | (run_next & (next_next < order_t'(Drain)));",
        "folds_q  <= begins;",
    ),
    "no folding of what is above the width in the highest limb": (
        "redc_mul_fold_reduce",
        "| (~Below[row] & {(Digit + 1){folds_q}}))};",
        "| (~Below[row] & {(Digit + 1){folds_q & ~begins_q}}))};",
    ),
    "what was folded is added, too": (
        "redc_mul_fold_reduce",
        "kept_q   <= run_next & (next_next != Top);",
        "kept_q   <= run_next;",
    ),
    "a lower limb that does not wait": (
        "redc_mul_fold_reduce",
        "l_q[row] <= (lower[row] & {(Digit + 1){comes_q}})",
        "l_q[row] <= (lower[row] & {(Digit + 1){1'b0}})",
    ),
    "a carry between limbs of the product": (
        "redc_mul_limbs_columns",
        "(Digit+2)'((row == 0) ? over_q",
        "(Digit+2)'((row == 0) ? Over'(0)",
    ),
    "the column that is carried alone": (
        "redc_mul_limbs_order",
        "assign last_o  = (go & edge_q) | flush_q;",
        "assign last_o  = go & edge_q & ~flush_q;",
    ),
    "carries of the result from limb to limb": (
        "redc_mul_fold_reduce",
        "carry_out_q <= carry[Rows] & ~result_last_q[0];",
        "carry_out_q <= 1'b0;",
    ),
    "carries of the result that pass a digit": (
        "redc_mul_fold_reduce",
        "makes_q[row] | (passes_q[row] & carry[row])",
        "makes_q[row]",
    ),
    "operands that are overwritten": (
        "redc_mul_limbs",
        "((taken_q == 2'd1) & ~take) | ends)",
        "(taken_q <= 2'd2) | ends)",
    ),
    "results that are overwritten": (
        "redc_mul_fold_pkg",
        "1 << $clog2(s.slots * s.limbs)",
        "1 << $clog2(s.limbs)",
    ),
    "a column that does not wait for its limb": (
        "redc_mul_limbs_order",
        "assign go      = ~needs_q | (some_q & open_q);",
        "assign go      = ~needs_q | ((some_q | run_q) & open_q);",
    ),
}


@pytest.mark.parametrize("fault", SEEDED)
def test_seeded_faults_are_found(fault: str, tmp_path: Path) -> None:
    module, right, wrong = SEEDED[fault]
    files = patched_sources(tmp_path, rtl.sources(FOLD.module), {module: [(right, wrong)]})
    for width, settings in ((48, {"digit": 7, "rows": 2}), (45, {"digit": 5, "rows": 3})):
        if simulate(FOLD.design(width, settings), [], 1500, stalls=True, sources=files).failures():
            return
    pytest.fail(f"{fault}: not found")


@pytest.mark.parametrize(("width", "settings"), [(64, {}), (255, {})])
def test_with_a_device_s_own_cells(width: int, settings: dict[str, Value], tmp_path: Path) -> None:
    """ECP5's carry cells and multipliers in place of what stands for them."""
    right = "parameter int unsigned Technology = 0"
    patches = {"redc_mul_fold": [(right, right.replace("0", "1"))]}
    files = patched_sources(tmp_path, rtl.sources(FOLD.module), patches)
    names = ("CCU2C", "LUT4", "PFUMX", "L6MUX21", "MULT18X18D")
    cells = [CELLS / f"{name}.v" for name in names]
    design = FOLD.design(width, settings)
    assert simulate(design, [], 300, stalls=True, sources=[*files, *cells]).failures() == []
