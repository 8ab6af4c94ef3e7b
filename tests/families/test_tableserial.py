# SPDX-License-Identifier: Apache-2.0
"""What docs/families/tableserial.md derives about tableserial, recomputed step by step; widths and
words beyond the generic tests; and faults in what only this family has."""

from __future__ import annotations

from pathlib import Path

import pytest

from patched import patched_sources
from redcore import rtl, synthesize
from redcore.catalogue import family
from redcore.design import Value
from redcore.families.tableserial import beats, digits, most_word, usual_word
from redcore.simulate import exhaust, simulate

pytestmark = pytest.mark.kept

CELLS = Path(synthesize.__file__).parent / "cells"


def made(b: int, m: int) -> dict[tuple[int, int], int]:
    """The table as the passes make it, in their order."""
    table, divided = {(0, 0): 0}, 0
    for count in range(12):
        j, phase = divmod(count, 4)
        if phase < 3:
            total = table[j, 0] + m
            table[j + 1, 0] = total
            divided, low = total // 4, total % 4
        else:
            table[0, -low % 4] = divided + 1
    for count in range(12):
        i, q = divmod(count, 4)
        table[i + 1, q] = table[i, q] + b
    return table


def sums(width: int, a: int, b: int, m: int) -> list[int]:
    """The running sum behind each iteration."""
    table, found = made(b, m), [0]
    for k in range(digits(width) + 1):
        found.append(found[-1] // 4 + table[(a >> 2 * k) % 4, found[-1] % 4])
    return found[1:]


@pytest.mark.parametrize("m", [1, 3, 5, 7, 0x8001, 0xFFFF])
@pytest.mark.parametrize("b", [0, 1, 0x1234])
def test_passes_make_the_table_of_the_method(m: int, b: int) -> None:
    inverse = pow(m, -1, 4)
    for (i, q), entry in made(b, m).items():
        total = q + -q * inverse % 4 * m
        assert total % 4 == 0 and entry == i * b + total // 4


@pytest.mark.parametrize("width", [4, 5])
def test_iteration_computes_the_product_within_its_words(width: int) -> None:
    core = family("tableserial")
    values = core.complete(width, {})
    bits = values["word"] * beats(width, int(values["word"]))
    for m in range(1, 1 << width, 2):
        for a in range(2 * m):
            for b in range(2 * m):
                found = sums(width, a, b, m)
                assert max(found) <= 9 * m - 4 < 1 << min(width + 4, int(bits))
                assert found[-1] == core.product(width, values, a, b, m) < 2 * m


@pytest.mark.parametrize("width", [4, 5, 8, 33, 255, 256, 257, 521, 1024, 2048, 8192])
def test_words_hold_the_sum_and_all_digits(width: int) -> None:
    """Where the words end, those of a do: the last digit is there, and is 0."""
    for word in {4, usual_word(width), most_word(width)}:
        bits = word * beats(width, word)
        assert word % 2 == 0 and bits >= width + 4 and bits >= 2 * (digits(width) + 1)
        assert 2 * digits(width) >= width + 2 > width + 1


@pytest.mark.parametrize(
    ("width", "settings"),
    [(5, {}), (4, {"moduli": 3, "checks": 1})],
)
def test_exhaustive_beyond_the_generic(width: int, settings: dict[str, Value]) -> None:
    assert exhaust(family("tableserial").design(width, settings), stalls=True).failures() == []


@pytest.mark.parametrize(("width", "word"), [(17, 4), (17, 6), (64, 8), (130, 34)])
def test_words_of_every_kind(width: int, word: int) -> None:
    """Five and more words, as many as a power of two and not; half a word of digits on top."""
    design = family("tableserial").design(width, {"word": word})
    assert simulate(design, [], 400, stalls=True).failures() == []


@pytest.mark.full
@pytest.mark.parametrize("width", [128, 256, 384, 521, 1024])
def test_many_random_products(width: int) -> None:
    assert simulate(family("tableserial").design(width), [], 10_000, stalls=True).failures() == []


SEEDED = {
    "entries with b from the wrong ones": (
        "redc_mul_tableserial",
        "{read_entry[3] | read_entry[2], ~read_entry[2], read_entry[1:0]}",
        "{read_entry[3] | read_entry[2], ~read_entry[2], read_entry[0], read_entry[1]}",
    ),
    "entries of the modulus without their one": (
        "redc_mul_tableserial",
        "counts_q <= ~second_last_q | divides_q;",
        "counts_q <= ~second_last_q;",
    ),
    "entries of the modulus in one order": (
        "redc_mul_tableserial",
        "low_q[1] ^ low_q[0], low_q[0]}",
        "low_q[1], low_q[0]}",
    ),
    "a first iteration on what is left": (
        "redc_mul_tableserial",
        ".read_address_i({zero_q | first_q, word_q})",
        ".read_address_i({zero_q, word_q})",
    ),
    "a digit of the multiplier left out": (
        "redc_mul_tableserial",
        "{digit_word_q, digit_q} <= '0;",
        "{digit_word_q, digit_q} <= {PlaceBits'(0), DigitBits'(1)};",
    ),
    "a word that goes back shifted by a bit": (
        "redc_mul_tableserial",
        ".second_data_i(a_word >> 2)",
        ".second_data_i(a_word >> 1)",
    ),
    "a word that goes back in iterations alone": (
        "redc_mul_tableserial",
        ".second_write_i(takes_digit & top)",
        ".second_write_i(iterate_q & top)",
    ),
    "an iteration too few": (
        "redc_mul_tableserial",
        "localparam int unsigned LastDigit = Sizes.digits % Digits;",
        "localparam int unsigned LastDigit = (Sizes.digits % Digits) ^ 1;",
    ),
    "no carry between words": (
        "redc_mul_tableserial",
        "else if (second_valid_q) carry_q <= carry;",
        "else if (second_valid_q) carry_q <= 1'b0;",
    ),
    "the lowest word's digit above the last one": (
        "redc_mul_tableserial",
        "sum[1:0] & {2{~third_last_q & ~zero_q}}",
        "sum[1:0] & {2{~zero_q}}",
    ),
    "results that do not wait": (
        "redc_mul_tableserial",
        "ask_q          <= finish_q ? take & ~top : finish_d;",
        "ask_q          <= finish_q ? answer_q & ~top : finish_d;",
    ),
    "the last sum's digit for the next pass": (
        "redc_mul_tableserial",
        "if (second_valid_q) lowest_q <= third_last_q;",
        "if (second_valid_q) lowest_q <= 1'b1;",
    ),
}


@pytest.mark.parametrize("fault", SEEDED)
def test_seeded_faults_are_found(fault: str, tmp_path: Path) -> None:
    module, right, wrong = SEEDED[fault]
    sources = rtl.sources("redc_mul_tableserial")
    files = patched_sources(tmp_path, sources, {module: [(right, wrong)]})
    # more words than four, as with four the lowest digit is taken as it comes
    design = family("tableserial").design(17, {"word": 4})
    assert simulate(design, [], 300, stalls=True, sources=files).failures()


@pytest.mark.parametrize(("width", "settings"), [(64, {}), (33, {"word": 6, "moduli": 3})])
def test_with_a_device_s_own_cells(width: int, settings: dict[str, Value], tmp_path: Path) -> None:
    """ECP5's carry cells and block memories in place of what stands for them elsewhere."""
    right = "parameter int unsigned Technology = 0"
    patches = {"redc_mul_tableserial": [(right, right.replace("0", "1"))]}
    files = patched_sources(tmp_path, rtl.sources("redc_mul_tableserial"), patches)
    cells = [CELLS / f"{name}.v" for name in ("CCU2C", "DP16KD", "LUT4", "PFUMX", "L6MUX21")]
    design = family("tableserial").design(width, settings)
    assert simulate(design, [], 300, stalls=True, sources=[*files, *cells]).failures() == []
