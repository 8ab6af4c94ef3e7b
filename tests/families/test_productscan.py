# SPDX-License-Identifier: Apache-2.0
"""What docs/families/productscan.md derives about productscan, recomputed step by step; widths and
digits beyond the generic tests; and faults in what only this family has."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from patched import patched_sources
from redcore import rtl, synthesize
from redcore.catalogue import family
from redcore.design import Value
from redcore.families.productscan import LONG, usual_step, words
from redcore.simulate import Load, Simulator, exhaust, simulate
from redcore.verify import failures, prove
from redcore.verify.harness import wrapper

pytestmark = pytest.mark.kept

CELLS = Path(synthesize.__file__).parent / "cells"


def quotient(digit: int, lowest: int, m_0: int) -> tuple[int, int]:
    """The quotient's digit and what it carries, bit by bit."""
    q = 0
    for k in range(digit):
        bit = lowest % 2
        lowest = (lowest + bit * m_0) // 2
        q |= bit << k
    return q, lowest


def walk(count: int, square: bool = False) -> list[tuple[int, int, bool]]:
    """Places of x and y in their order, and whether they are those of q and m; by the table."""
    places = []
    for column in range(2 * count - 1):
        low = max(0, column - count + 1)
        top = column // 2 if square else min(column, count - 1)
        down = [(x, column - x, False) for x in range(top, low - 1, -1)]
        up = [(x, column - x, True) for x in range(low, min(column, count - 1) + 1)]
        places += down + up + ([(count, 0, True)] if column == count else [])
    return [place for place in places if place != (0, 0, True)]


def columns(
    digit: int, count: int, a: int, b: int, m: int, square: bool = False
) -> tuple[int, int, int]:
    """The result as the columns make it, the largest sum, and how many products there are."""
    base, mask = 1 << digit, (1 << digit) - 1
    x = {(j, False): a >> digit * j & mask for j in range(count)}
    y = {(j, False): b >> digit * j & mask for j in range(count)}
    y |= {(j, True): m >> digit * j & mask for j in range(1, count)} | {(0, True): 1}
    places, total, most, result = walk(count, square), 0, 0, 0
    for column in range(2 * count):
        for place, other, reduces in places:
            if place + other == column:
                twice = square and not reduces and place != other
                total += (1 + twice) * x[place, reduces] * y[other, reduces]
        most = max(most, total)
        if column < count:
            q, carry = quotient(digit, total % base, m & mask)
            assert (total + q * (m & mask)) // base == total // base + carry and carry < base
            x |= {(column, True): q, (column + 1, True): carry}
        else:
            result |= total % base << digit * (column - count)
        total >>= digit
    assert total == 0
    return result, most, len(places)


@pytest.mark.parametrize(("width", "digit"), [(4, 4), (5, 4), (9, 4), (64, 18), (130, 17)])
def test_columns_compute_the_product_within_the_sum(width: int, digit: int) -> None:
    core = family("productscan")
    values = core.complete(width, {"digit": digit, "step": 1})
    count = words(width, digit)
    top = (1 << width) - 1
    for m in {1, 3, 5, top, top - 2, (1 << width - 1) + 1}:
        for a in {0, 1, m - 1, m, 2 * m - 1}:
            for b in {0, 1, m, 2 * m - 1, (2 * m - 1) & 0x5555555555}:
                result, most, products = columns(digit, count, a, b, m)
                assert result == core.product(width, values, a, b, m) < 2 * m
                assert most <= 2 * count * ((1 << digit) - 1) << digit
                assert products == 2 * count * count


@pytest.mark.parametrize(("width", "digit"), [(9, 4), (13, 4), (64, 18), (130, 17)])
def test_columns_compute_the_square_with_fewer_products(width: int, digit: int) -> None:
    core = family("productscan")
    values = core.complete(width, {"digit": digit, "step": 1, "squares": 1})
    count = words(width, digit)
    top = (1 << width) - 1
    for m in {1, 3, top, top - 2, (1 << width - 1) + 1}:
        for a in {0, 1, m - 1, m, 2 * m - 1, (2 * m - 1) & 0x5555555555}:
            result, most, products = columns(digit, count, a, a, m, square=True)
            assert result == core.product(width, values, a, a, m) < 2 * m
            assert most <= 2 * count * ((1 << digit) - 1) << digit
            assert products == count * count + count * (count + 1) // 2


def test_every_square_of_nine_bits() -> None:
    """Three words, the fewest: each m, and each a, told to be a square and not."""
    design = family("productscan").design(9, {"digit": 4, "step": 2, "squares": 1})
    with Simulator(design, cycles=20_000_000) as core:
        core.tell_squares(True)
        for m in range(1, 512, 2):
            run = core.run([(a, a, 0) for a in range(2 * m)], [Load(m)])
            assert run.faults == []
            assert run.results == [design.product(a, a, m) for a in range(2 * m)]


SQUARED: list[tuple[int, dict[str, Value]]] = [
    (10, {"digit": 4, "step": 1}),
    (13, {"digit": 4, "step": 2, "moduli": 3, "checks": 1}),
    (40, {"digit": 4, "step": 1}),
    (64, {}),
    (130, {"digit": 17, "step": 1}),
    (256, {"step": 3}),
    (1024, {}),
]


@pytest.mark.parametrize(("width", "settings"), SQUARED)
def test_squares_among_products(width: int, settings: dict[str, Value]) -> None:
    """With stalls and moduli that change; then at full rate, as fast as the columns' pace says."""
    design = family("productscan").design(width, settings | {"squares": 1})
    assert simulate(design, [], 300, stalls=True).failures() == []
    m, draw, pace = (1 << width) - 1, random.Random(width), design.pace()
    latency, interval = design.family.square_cycles(width, design.values)
    assert interval <= design.geometry.interval_cycles
    kinds = [draw.random() < 0.5 for _ in range(40)]
    pairs = [(draw.randrange(2 * m), draw.randrange(2 * m)) for _ in kinds]
    batch = [(a, a if square else b, 0) for square, (a, b) in zip(kinds, pairs, strict=True)]
    with Simulator(design, cycles=200_000) as core:
        core.load_modulus(m)
        core.tell_squares(True)
        lone = core.run([(a, a, 0) for a, _ in pairs[:5]], lone=True)
        run = core.run(batch)
    assert lone.faults == run.faults == []
    assert {out - into for into, out in zip(lone.accepted, lone.answered, strict=True)} == {latency}
    origin, ready, said = run.accepted[0], 0, []
    for square in kinds:
        taken, answered = (pace.take_square if square else pace.take)(ready)
        said.append((taken, answered))
        ready = pace.loaded + 1
    assert said == [
        (into - origin, out - origin) for into, out in zip(run.accepted, run.answered, strict=True)
    ]


def test_a_square_of_two_that_differ_is_told(tmp_path: Path) -> None:
    """With checks, of the first word and of the last."""
    right = "begun_q ? next_square_q : in_square_i"
    files = patched_sources(
        tmp_path, rtl.sources("redc_mul_productscan"), {"redc_mul_productscan": [(right, "1'b1")]}
    )
    design = family("productscan").design(40, {"digit": 8, "step": 2, "squares": 1, "checks": 1})
    for a, b in ((5, 6), (1 << 39, 0), (7, 7)):
        with Simulator(design, sources=files) as core:
            core.load_modulus((1 << 40) - 1)
            faults = core.run([(a, b, 0)]).faults
            assert any("err_o rose" in fault for fault in faults) == (a != b), faults


@pytest.mark.parametrize("width", [1024, LONG, LONG + 1, 2048, 3072, 4096])
def test_nearly_every_cycle_has_a_product(width: int) -> None:
    """With the default step; with one bit less it is not so up to LONG."""

    def busy(step: int) -> float:
        geometry = family("productscan").design(width, {"step": step}).geometry
        return float(2 * geometry.beats**2 / geometry.interval_cycles)

    assert busy(usual_step(width)) >= 0.98
    assert width > LONG or busy(1) < 0.98


@pytest.mark.parametrize(
    ("width", "settings"),
    [(5, {"digit": 4, "step": 1}), (6, {"digit": 4, "step": 2, "moduli": 3, "checks": 1})],
)
def test_exhaustive_beyond_the_generic(width: int, settings: dict[str, Value]) -> None:
    assert exhaust(family("productscan").design(width, settings), stalls=True).failures() == []


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (40, {"digit": 4, "step": 1}),
        (130, {"digit": 17, "step": 1}),
        (270, {"digit": 18, "step": 1}),
        (286, {"digit": 16, "step": 4}),
        (512, {"digit": 18, "step": 9}),
        (1024, {}),
    ],
)
def test_digits_and_steps_of_every_kind(width: int, settings: dict[str, Value]) -> None:
    """Two digits to 57; as many as a power of two less one, and as that."""
    assert (
        simulate(family("productscan").design(width, settings), [], 300, stalls=True).failures()
        == []
    )


@pytest.mark.full
@pytest.mark.parametrize("width", [128, 256, 521, 1024, 2048, 4096])
def test_many_random_products(width: int) -> None:
    assert simulate(family("productscan").design(width), [], 10_000, stalls=True).failures() == []


WAITS = "the last digit of the quotient is the other product's"
SEEDED = {
    "the last column of the quotient ends without its carry": (
        "redc_mul_productscan_walk",
        "returns | y_second_q | (upper_q & (x_q == second))",
        "returns | y_second_q | (x_q == second)",
    ),
    "no turn in columns of the result": (
        "redc_mul_productscan_walk",
        "~reduces_q & (x_least_q | y_most_q)",
        "~reduces_q & x_least_q",
    ),
    "a digit of the quotient is not waited for": (
        "redc_mul_productscan_walk",
        "known_q <= known_i | (known_q & ~column_o);",
        "known_q <= 1'b1;",
    ),
    "a digit of the quotient is read as it is written": (
        "redc_mul_productscan",
        ".known_i(ready)",
        ".known_i(found)",
    ),
    "the product of q_0 and m_0": (
        "redc_mul_productscan_walk",
        "~passes_q & ~(reduces_q & x_least_q & y_least_q)",
        "~passes_q",
    ),
    "a product on the way back from column Beats": (
        "redc_mul_productscan_walk",
        "useful_o = goes & ~last_q & ~passes_q &",
        "useful_o = goes & ~last_q &",
    ),
    "the last column has a product": (
        "redc_mul_productscan_walk",
        "useful_o = goes & ~last_q & ~passes_q &",
        "useful_o = goes & ~passes_q &",
    ),
    "m_0 where a 1 should be": (
        "redc_mul_productscan",
        "if (first_q) mod_q[Bits-1:1] <= '0;",
        "if (1'b0) mod_q[Bits-1:1] <= '0;",
    ),
    "operands come a column too early": (
        "redc_mul_productscan",
        "may_d     = (may_q & ~accept) | (column_q[1] & result_late_q[1]);",
        "may_d     = (may_q & ~accept) | column_q[1];",
    ),
    "operands come as long as there are columns": (
        "redc_mul_productscan",
        "may_d     = (may_q & ~accept) | (column_q[1] & result_late_q[1]);",
        "may_d     = result;",
    ),
    "results that do not wait": (
        "redc_mul_productscan_walk",
        "(ends & result_q & pending_i & ~passes_q)",
        "(ends & result_q & pending_i & ~passes_q & 1'b0)",
    ),
    "an illegal operand's rest": (
        "redc_mul_productscan",
        "if (!run && !pending_q) sum_q <= '0;",
        "if (1'b0) sum_q <= '0;",
    ),
    "a bit too few of the sum": (
        "redc_mul_productscan",
        "2 * Bits + $clog2(2 * Beats)",
        "2 * Bits + $clog2(2 * Beats) - 1",
    ),
    "the carry is that of a bit before": (
        "redc_mul_productscan_quotient",
        "else if (!ready_o) carry_q <= sum[Step][Digit:1];",
        "else if (!ready_o && !done_o) carry_q <= sum[Step][Digit:1];",
    ),
    WAITS: (
        "redc_mul_productscan_walk",
        "(reduces_q & y_second_q & ~upper_q & ~known_q)",
        "(reduces_q & y_second_q & ~upper_q & ~known_q & ~x_most_q)",
    ),
    "what the last digit of the quotient carries": (
        "redc_mul_productscan_walk",
        "~passes_q & ~(reduces_q & x_least_q & y_least_q)",
        "~passes_q & ~(reduces_q & y_least_q & (x_least_q | (result_q & ~upper_q)))",
    ),
    "what the last column is carried": (
        "redc_mul_productscan",
        "else sum_q <= sum;",
        "else if (!(run && result && !reduces && !useful)) sum_q <= sum;",
    ),
    "a column ends a cycle early": (
        "redc_mul_productscan",
        "shifts = column_q[Delay];",
        "shifts = column_q[Delay-(result_late_q[Delay]?1:0)];",
    ),
    "a column of the quotient ends a cycle early": (
        "redc_mul_productscan",
        "shifts = column_q[Delay];",
        "shifts = column_q[Delay-(result_late_q[Delay]?0:1)];",
    ),
    "a bit of the quotient too few": (
        "redc_mul_productscan_quotient",
        "if (!busy_q) q_q <= {1'b1, {(Digit - 1){1'b0}}};",
        "if (!busy_q) q_q <= {1'b0, 1'b1, {(Digit - 2){1'b0}}};",
    ),
}


OF_SQUARES = {
    "a digit with itself counts twice": (
        "redc_mul_productscan_walk", "~(opens_q & even_q)", "1'b1"
    ),
    "the first product of every column counts once": (
        "redc_mul_productscan_walk", "~(opens_q & even_q)", "~opens_q"
    ),
    "no product counts twice": ("redc_mul_productscan", "twice_late ? SumBits", "1'b0 ? SumBits"),
    "twice a cycle late": ("redc_mul_productscan", ".Cycles(4)) i_twice", ".Cycles(5)) i_twice"),
    "the middle stands": (
        "redc_mul_productscan_walk",
        "{middle_y_q, middle_x_q + 1'b1}",
        "{middle_x_q + 1'b1, middle_y_q}",
    ),
    "a pair is walked as the next one": (
        "redc_mul_productscan_walk", "      if (!run_q) begin\n        square_q <= square_i;\n",
        "      square_q <= square_i;\n      if (!run_q) begin\n",
    ),
    "the second word says whether it is a square": (
        "redc_mul_productscan", "begun_q ? next_square_q : in_square_i", "in_square_i",
    ),
    "the highest digit is not known": (
        "redc_mul_productscan_walk", "middle_x_q == highest;", "1'b0;"
    ),
    "the highest digit of b is not known": (
        "redc_mul_productscan_walk", "middle_y_q == highest;", "1'b0;"
    ),
    "the lowest digit is not known": (
        "redc_mul_productscan_walk", "middle_x_least  <= middle_x_q == '0;",
        "middle_x_least  <= 1'b0;",
    ),
    "the next digit of the quotient is not waited for": (
        "redc_mul_productscan_walk", "middle_y_second <= middle_y_q == place_t'(1);",
        "middle_y_second <= 1'b0;",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", OF_SQUARES)
def test_seeded_faults_of_squares_are_found(fault: str, tmp_path: Path) -> None:
    module, right, wrong = OF_SQUARES[fault]
    sources = rtl.sources("redc_mul_productscan")
    files = patched_sources(tmp_path, sources, {module: [(right, wrong)]})
    design = family("productscan").design(30, {"digit": 4, "step": 1, "squares": 1})
    assert simulate(design, [], 300, stalls=True, sources=files).failures()


@pytest.mark.parametrize("fault", SEEDED)
def test_seeded_faults_are_found(fault: str, tmp_path: Path) -> None:
    module, right, wrong = SEEDED[fault]
    sources = rtl.sources("redc_mul_productscan")
    files = patched_sources(tmp_path, sources, {module: [(right, wrong)]})
    # the last digit of the quotient is waited for where there are few
    width = 22 if fault == WAITS else 30
    design = family("productscan").design(width, {"digit": 4, "step": 1})
    assert simulate(design, [], 300, stalls=True, sources=files).failures()


@pytest.mark.parametrize(
    ("width", "settings"),
    [(64, {}), (33, {"digit": 6, "step": 3, "moduli": 3})],
)
def test_with_a_device_s_own_cells(width: int, settings: dict[str, Value], tmp_path: Path) -> None:
    """ECP5's carry cells, multiplier and block memories in place of what stands for them."""
    right = "parameter int unsigned Technology = 0"
    patches = {"redc_mul_productscan": [(right, right.replace("0", "1"))]}
    files = patched_sources(tmp_path, rtl.sources("redc_mul_productscan"), patches)
    names = ("CCU2C", "DP16KD", "LUT4", "PFUMX", "L6MUX21", "MULT18X18D")
    cells = [CELLS / f"{name}.v" for name in names]
    design = family("productscan").design(width, settings)
    assert simulate(design, [], 300, stalls=True, sources=[*files, *cells]).failures() == []


def test_a_proof_leaves_no_input_open() -> None:
    """What nobody drives would be anything: squares of two that differ, too."""
    design = family("productscan").design(10, {"digit": 4, "step": 2, "squares": 1})
    text, core = wrapper(design), rtl.sources("redc_mul_productscan")[-1]
    inputs = re.findall(r"input +wire logic.* (\w+)[,\n]", core.read_text(encoding="utf-8"))
    assert core.stem == "redc_mul_productscan" and "in_square_i" in inputs
    assert {name for name in inputs if f".{name}(" not in text} == set()


@pytest.mark.full
def test_control_is_proved() -> None:
    """Though it waits for a mark that moves among the bits of the quotient's digit."""
    design = next(iter(family("productscan").proof_designs([4])))
    results = prove([design], ["timing", "capacity"])
    assert failures(results) == []
    assert {result.status for result in results} == {"proved"}
