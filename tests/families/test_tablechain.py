# SPDX-License-Identifier: Apache-2.0
"""What docs/families/tablechain.md derives about tablechain, recomputed; widths and words beyond
the generic tests; and faults in what only this family has."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from patched import patched_sources
from redcore import rtl, synthesize, toolchain
from redcore.catalogue import family
from redcore.design import Design, Value
from redcore.errors import BadInput
from redcore.families.tablechain import digit_bits, iterations, leaves, r_bits, sum_bits
from redcore.simulate import exhaust, simulate
from redcore.verify.proofs import Effort, prove

pytestmark = pytest.mark.kept

CELLS = Path(synthesize.__file__).parent / "cells"


def entries(b: int, m: int, radix: int) -> dict[tuple[int, int], int]:
    """The table as the method defines it: i b + (q + j m) / r, j = -q / m mod r."""
    inverse = pow(m, -1, radix)
    table = {}
    for q in range(radix):
        total = q + -q * inverse % radix * m
        assert total % radix == 0
        table |= {(i, q): i * b + total // radix for i in range(radix)}
    return table


def sums(width: int, radix: int, a: int, b: int, m: int) -> list[int]:
    """The running sum behind each iteration, from the table."""
    table, digit, found = entries(b, m, radix), digit_bits(radix), [0]
    for k in range(iterations(width, radix)):
        last = found[-1]
        found.append(last // radix + table[(a >> (digit * k)) % radix, last % radix])
    return found


@pytest.mark.parametrize(("radix", "most", "less"), [(8, 17, 8), (4, 9, 4), (2, 5, 2)])
@pytest.mark.parametrize("width", [4, 5])
def test_iteration_computes_the_product_within_its_bounds(
    radix: int, most: int, less: int, width: int
) -> None:
    """Every operand: the contract's product, sums at most most * m - less, all in their bits."""
    core = family("tablechain")
    values = core.complete(width, {"radix": radix, "word": 6})
    reached = 0
    for m in range(1, 1 << width, 2):
        for a in range(2 * m):
            for b in range(2 * m):
                found = sums(width, radix, a, b, m)
                assert max(found) <= most * m - less
                assert found[-1] == core.product(width, values, a, b, m) < 2 * m
                reached = max(reached, *found)
    assert reached < 1 << sum_bits(width, radix)


@pytest.mark.parametrize("radix", [2, 4, 8])
def test_sums_need_their_topmost_bit(radix: int) -> None:
    """With a modulus just below 2^n and the largest operands."""
    width = 16
    m = (1 << width) - 1
    digit = digit_bits(radix)
    a = (1 << digit * ((width + 1) // digit)) - 1
    assert max(sums(width, radix, a, 2 * m - 1, m)) >> (sum_bits(width, radix) - 1) == 1


@pytest.mark.parametrize("radix", [2, 4, 8])
@pytest.mark.parametrize("m", [1, 3, 5, 7, 0x8001, 0xFFFF])
def test_entries_of_the_modulus_are_its_multiples_divided(radix: int, m: int) -> None:
    """floor(j m / r) + 1 for q > 0, at q = -j m mod r; and 0: so the schedule makes them."""
    table = entries(0, m, radix)
    made = {-j * m % radix: j * m // radix + 1 for j in range(1, radix)}
    assert {0: 0} | made == {q: table[0, q] for q in range(radix)}


@pytest.mark.parametrize("width", [8, 64, 255, 256, 521, 1024])
@pytest.mark.parametrize("radix", [2, 4, 8])
def test_r_is_the_least_in_whole_digits(width: int, radix: int) -> None:
    digit = digit_bits(radix)
    assert 0 <= r_bits(width, radix) - (width + 2) < digit
    assert iterations(width, radix) == r_bits(width, radix) // digit + 1


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (6, {"word": 6}),
        (6, {"radix": 2, "word": 5}),
        (5, {"word": 4, "moduli": 3, "checks": 1}),
        (6, {"word": 6, "storage": "bram"}),
        (6, {"radix": 2, "word": 4, "storage": "bram"}),
        (6, {"radix": 8, "word": 6}),
        (5, {"radix": 8, "word": 6, "moduli": 2, "checks": 1}),
    ],
)
def test_exhaustive_beyond_the_generic(width: int, settings: dict[str, Value]) -> None:
    assert exhaust(family("tablechain").design(width, settings), stalls=True).failures() == []


@pytest.mark.full
@pytest.mark.parametrize("word", [6, 9])
def test_every_product_of_8_bits_in_radix_8(word: int) -> None:
    """For every odd modulus, in two words and in one."""
    design = family("tablechain").design(8, {"radix": 8, "word": word})
    assert exhaust(design, stalls=True).failures() == []


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (48, {"word": 12}),  # the topmost word has a bit less than two digits
        (48, {"word": 24, "storage": "bram"}),
        (64, {"word": 6, "moduli": 3, "checks": 1}),
        (300, {"word": 6}),  # 51 words, all but two of which building does not wait for
        (384, {"word": 6}),  # 65, of which it waits for some
        (521, {}),
        (600, {"word": 9, "storage": "bram"}),
        (1024, {}),
    ],
)
def test_radix_8(width: int, settings: dict[str, Value]) -> None:
    """Random and edge values under stalls, as many cycles as Python says whatever they are."""
    design = family("tablechain").design(width, {"radix": 8} | settings)
    result = simulate(design, [], 1000, stalls=True)
    assert result.failures() == []
    assert result.interval_cycles == design.geometry.interval_cycles


@pytest.mark.parametrize(
    ("width", "settings", "rule"),
    [
        (64, {"radix": 6}, "radix=6 is neither 2 nor 4 nor 8"),
        (64, {"radix": 8, "word": 8}, "word=8 is not a multiple of 3, a digit of radix=8"),
        (
            64,
            {"radix": 8, "word": 6, "storage": "bram"},
            "storage=bram takes words of three digits",
        ),
        (8, {"radix": 8, "word": 12}, "word"),
    ],
)
def test_illegal_sets_are_refused(width: int, settings: dict[str, Value], rule: str) -> None:
    with pytest.raises(BadInput, match=rule):
        family("tablechain").design(width, settings)


def test_the_next_row_is_found_without_an_adder() -> None:
    """As redc_mul_tablechain_pkg's `row_code`, `behind_three` and `column_of` say."""
    codes = [0, 1, 2, 5, 3, 7, 6, 4]
    for digit, code in enumerate(codes):
        low, middle, high = code & 1, code >> 1 & 1, code >> 2
        behind = 1 - (high ^ (low & (1 - middle)))
        assert codes[(digit + 1) % 8] == (code << 1 & 7) | behind
    for m in (1, 3, 5, 7):
        other = 7 - m  # its two upper bits turned over
        for multiple in range(1, 8):
            x, y, z = multiple & 1, multiple >> 1 & 1, multiple >> 2
            second, third = other >> 1 & 1, other >> 2
            top = z ^ (y & second) ^ (x & third) ^ (x & y & second)
            assert -multiple * m % 8 == x | (y ^ (x & second)) << 1 | top << 2


@pytest.mark.full
@pytest.mark.parametrize("width", [128, 192, 256, 384, 521, 1024, 2048, 4096])
@pytest.mark.parametrize("radix", [2, 4, 8])
def test_many_random_products(width: int, radix: int) -> None:
    result = simulate(
        family("tablechain").design(width, {"radix": radix}), [], 100_000, stalls=True
    )
    assert result.failures() == []


@pytest.mark.full
def test_a_reset_of_one_cycle_from_any_registers_is_enough() -> None:
    """Of all operands at once the first product: a step from before the reset spoiled it."""
    design = family("tablechain").design(4, {"word": 4})
    effort = Effort(prove_seconds=20, bound_seconds=60, bound_cycles=0)
    (found,) = prove([design], ["result"], effort=effort, jobs=1, keep=False)
    assert found.ok, found.reason


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (287, {"word": 6}),  # 48 units, one leaf
        (288, {"word": 6}),  # 49 in two leaves
        (600, {"word": 6, "moduli": 2}),
        (300, {"word": 6, "checks": 1}),
        (200, {"radix": 2, "word": 4}),
        (64, {"word": 8}),
        (47, {"word": 24}),
        (4, {"word": 6}),
    ],
)
def test_words_in_block_memory(width: int, settings: dict[str, Value]) -> None:
    """Few words and many, leaves, places of results that are no power of two."""
    design = family("tablechain").design(width, settings | {"storage": "bram"})
    assert simulate(design, [], 1000, stalls=True).failures() == []


def test_leaves_are_as_documented() -> None:
    assert [leaves(words) for words in (1, 48, 49, 96, 97)] == [1, 1, 2, 2, 3]


@pytest.mark.full
def test_radix_8_is_model_checked_in_part() -> None:
    """At 4 bits; the others' searches take too long, as the first answer is 151 cycles behind."""
    design = family("tablechain").design(4, {"radix": 8, "word": 6, "storage": "lutram"})
    effort = Effort(prove_seconds=30, bound_seconds=8, bound_cycles=0)
    names = ["last", "error", "lost", "invented"]
    found = prove([design], names, effort=effort, jobs=1, keep=False)
    assert [each.status for each in found] == ["proved"] * len(names)


@pytest.mark.parametrize(
    ("width", "settings"),
    [(5, {"word": 6}), (64, {"word": 12, "storage": "bram"}), (48, {"moduli": 2, "checks": 1})],
)
def test_radix_8_lints_clean(width: int, settings: dict[str, Value]) -> None:
    design = family("tablechain").design(width, {"radix": 8} | settings)
    own = [f"-G{key}={value}" for key, value in design.rtl_parameters().items()]
    run = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "--quiet", "-Wall", *own,
         "--top-module", "redc_mul_tablechain", *design.sources()],
        env=toolchain.verilator_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr


SEEDED = {
    "a row of the table from the wrong one": (
        "redc_mul_tablechain",
        "address[w+2][2*Digit-2:Digit], turned[w+2]",
        "turned[w+2], address[w+2][2*Digit-2:Digit]",
    ),
    "the entries of the modulus without their one": (
        "redc_mul_tablechain_schedule",
        "soon_d.carry  = divides_q;",
        "soon_d.carry  = 1'b0;",
    ),
    "the entries of the modulus in one order": (
        "redc_mul_tablechain_pkg",
        "multiple[1] ^ (multiple[0] & ~bits[1])",
        "multiple[1] ^ multiple[0]",
    ),
    "a digit of the multiplier left out": (
        "redc_mul_tablechain_digits",
        "{at_q, count_q, ends_q, beyond_q} <= '0;",
        "{at_q, count_q, ends_q, beyond_q} <= '0; at_q <= AtBits'(1);",
    ),
    "no zeros above the multiplier": (
        "redc_mul_tablechain_digits",
        "if (!more_q) chosen_q <= '0;",
        "if (1'b0) chosen_q <= '0;",
    ),
    "a digit that the upper unit does not hand down": (
        "redc_mul_tablechain",
        ".high_i(low[w+1])",
        ".high_i('0)",
    ),
    "the last carry lost": (
        "redc_mul_tablechain",
        ".carry_i(carry[w])",
        ".carry_i((w == Beats - 1) ? 1'b0 : carry[w])",
    ),
    "the upper unit's digit handed down without its carry": (
        "redc_mul_tablechain_unit",
        "2'(entry_q[Digit-1:0]), carry_i)",
        "2'(entry_q[Digit-1:0]), 1'b0)",
    ),
    "a table of words that came too late": (
        "redc_mul_tablechain_schedule",
        "proof_q & ~full_i;",
        "1'b0 & proof_q;",
    ),
    "a table that does not wait for the last word": (
        "redc_mul_tablechain_schedule",
        "(index_q == IndexBits'(Sizes.proof - 1))",
        "(index_q == IndexBits'(Sizes.build - 2))",
    ),
    "the first iteration on what building left": (
        "redc_mul_tablechain_schedule",
        "soon_d.forced = ~state_q.iterate | first_q;",
        "soon_d.forced = ~state_q.iterate;",
    ),
    "results written where a register has not got its word yet": (
        "redc_mul_tablechain_results",
        " & (index[0] != 3'(Direct - 1))",
        "",
    ),
    "a result that has a place for a part of it alone": (
        "redc_mul_tablechain_results",
        "(~owed_q[1] & gone_q)",
        "~owed_q[1]",
    ),
    "the quotient digit without its carry": (
        "redc_mul_tablechain_unit",
        "{(x[0] & y[0]) | (x[0] & carry_in)",
        "{(x[0] & carry_in)",
    ),
}


def is_found(fault: tuple[str, str, str], designs: Iterable[Design], tmp_path: Path) -> bool:
    """Whether the check of any of the designs fails with the fault in a module."""
    module, right, wrong = fault
    sources = rtl.sources("redc_mul_tablechain")
    files = patched_sources(tmp_path, sources, {module: [(right, wrong)]})
    return any(simulate(one, [], 2000, stalls=True, sources=files).failures() for one in designs)


@pytest.mark.parametrize("fault", SEEDED)
def test_seeded_faults_are_found(fault: str, tmp_path: Path) -> None:
    # few words, which building could overtake, and more than one multiplexer takes
    designs = (family("tablechain").design(width, {"word": 4}) for width in (15, 39))
    assert is_found(SEEDED[fault], designs, tmp_path)


IN_RADIX_8 = {
    "rows in another order than the one in which they are written": (
        "redc_mul_tablechain_pkg",
        "{3'd4, 3'd6, 3'd7, 3'd3, 3'd5, 3'd2, 3'd1, 3'd0}",
        "{3'd4, 3'd6, 3'd7, 3'd5, 3'd3, 3'd2, 3'd1, 3'd0}",
    ),
    "a row written behind another one": (
        "redc_mul_tablechain_pkg",
        "~(row[2] ^ (row[0] & ~row[1]))",
        "~row[2]",
    ),
    "multiples of the modulus that do not look at its third bit": (
        "redc_mul_tablechain_pkg",
        "(multiple[0] & ~bits[2])",
        "multiple[0]",
    ),
    "multiples of the modulus without a carry": (
        "redc_mul_tablechain_pkg",
        " ^ (&multiple[1:0] & ~bits[1])",
        "",
    ),
    "six multiples of the modulus": (
        "redc_mul_tablechain_schedule",
        "Told'(Rows - 1));",
        "Told'(Rows - 2));",
    ),
    "the last entry left out": (
        "redc_mul_tablechain_schedule",
        "soon_d.write  = state_q.boot | state_q.build | divides_q;",
        "soon_d.write  = state_q.boot | state_q.build & ~last_q | divides_q;",
    ),
    "a digit handed down without its second carry": (
        "redc_mul_tablechain_unit",
        "return x ^ y ^ {second, first, carry_in};",
        "return x ^ y ^ {x[1] & y[1], first, carry_in};",
    ),
    "a quotient digit of two bits": (
        "redc_mul_tablechain_unit",
        "three_of(3'(sum[Top:Digit])",
        "three_of(3'(sum[Top-1:Digit])",
    ),
}


@pytest.mark.parametrize("fault", IN_RADIX_8)
def test_seeded_faults_of_radix_8_are_found(fault: str, tmp_path: Path) -> None:
    designs = (family("tablechain").design(width, {"radix": 8, "word": 6}) for width in (15, 39))
    assert is_found(IN_RADIX_8[fault], designs, tmp_path)


IN_BLOCKS = {
    "a word asked for as late as from distributed memory": (
        "redc_mul_tablechain_digits",
        "(at_q == AtBits'(Digits - 1 - Lead))",
        "(at_q == AtBits'(Digits - 2))",
    ),
    "the lowest word not asked for at once": (
        "redc_mul_tablechain_digits",
        ".read_address_i(fetch_i ? '0 : PlaceBits'(count_q))",
        ".read_address_i(PlaceBits'(count_q))",
    ),
    "a word that is read while another one waits": (
        "redc_mul_tablechain_results",
        ".read_address_i(read_q), .read_i(moves)",
        ".read_address_i(read_q), .read_i(1'b1)",
    ),
    "a result that is read before its first word is there": (
        "redc_mul_tablechain_results",
        "Registers + 1 + 32'(Block)",
        "Registers + 1",
    ),
    "units of the second leaf a word ahead": (
        "redc_mul_tablechain_load",
        "else if (valid[w/Branch]) load_q[w]",
        "else if (valid[w/Branch] | (w >= Branch & valid_q)) load_q[w]",
    ),
    "the second leaf without its word": (
        "redc_mul_tablechain_load",
        "leaf_o[l]} = copies[l];",
        "leaf_o[l]} = copies[l] & ~((l == 1) ? (Word + 2)'(1) : '0);",
    ),
}


@pytest.mark.parametrize("fault", IN_BLOCKS)
def test_seeded_faults_of_block_memory_are_found(fault: str, tmp_path: Path) -> None:
    designs = (
        family("tablechain").design(width, {"radix": radix, "word": 6, "storage": "bram"})
        for width, radix in ((60, 4), (39, 2), (300, 4))
    )
    assert is_found(IN_BLOCKS[fault], designs, tmp_path)


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (64, {"word": 24}),
        (64, {"word": 6}),
        (64, {"word": 4}),
        (64, {"word": 20, "storage": "bram"}),
        (300, {"word": 6, "storage": "bram"}),
        (64, {"radix": 8, "word": 12}),
    ],
)
def test_with_a_device_s_own_cells(width: int, settings: dict[str, Value], tmp_path: Path) -> None:
    """ECP5's carry cells, multiplexers and block memories in place of what stands for them."""
    files = []
    for path in rtl.sources("redc_mul_tablechain"):
        text = path.read_text(encoding="utf-8")
        if path.stem == "redc_mul_tablechain":
            assert text.count(".Technology(Technology)") == 3
            text = text.replace(".Technology(Technology)", ".Technology(1)")
        files.append(tmp_path / path.name)
        files[-1].write_text(text, encoding="utf-8")
    names = ("CCU2C", "DP16KD", "LUT4", "PFUMX", "L6MUX21")
    cells = [CELLS / f"{name}.v" for name in names]
    design = family("tablechain").design(width, settings)
    assert simulate(design, [], 500, stalls=True, sources=[*files, *cells]).failures() == []
