# SPDX-License-Identifier: Apache-2.0
"""What docs/families/productscan.md derives about productscan, recomputed step by step; widths and
digits beyond the generic tests; and faults in what only this family has."""

from __future__ import annotations

from pathlib import Path

import pytest

from patched import patched_sources
from redcore import rtl, synthesize
from redcore.catalogue import family
from redcore.design import Value
from redcore.families.productscan import LONG, usual_step, words
from redcore.simulate import exhaust, simulate
from redcore.verify import failures, prove

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


def walk(count: int) -> list[tuple[int, int, bool]]:
    """Places of x and y in their order, and whether they are those of q and m; by the table."""
    places = []
    for column in range(2 * count - 1):
        low = max(0, column - count + 1)
        down = [(x, column - x, False) for x in range(min(column, count - 1), low - 1, -1)]
        up = [(x, column - x, True) for x in range(low, min(column, count - 1) + 1)]
        places += down + up + ([(count, 0, True)] if column == count else [])
    return [place for place in places if place != (0, 0, True)]


def columns(digit: int, count: int, a: int, b: int, m: int) -> tuple[int, int, int]:
    """The result as the columns make it, the largest sum, and how many products there are."""
    base, mask = 1 << digit, (1 << digit) - 1
    x = {(j, False): a >> digit * j & mask for j in range(count)}
    y = {(j, False): b >> digit * j & mask for j in range(count)}
    y |= {(j, True): m >> digit * j & mask for j in range(1, count)} | {(0, True): 1}
    places, total, most, result = walk(count), 0, 0, 0
    for column in range(2 * count):
        for place, other, reduces in places:
            if place + other == column:
                total += x[place, reduces] * y[other, reduces]
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
        "redc_mul_productscan",
        "y_least_q | (upper_q & x_most_q)",
        "y_least_q | x_most_q",
    ),
    "no turn in columns of the result": (
        "redc_mul_productscan",
        "~reduces_q & (x_least_q | y_most_q)",
        "~reduces_q & x_least_q",
    ),
    "a digit of the quotient is not waited for": (
        "redc_mul_productscan",
        "known_q <= ready | (known_q & ~column);",
        "known_q <= 1'b1;",
    ),
    "a digit of the quotient is read as it is written": (
        "redc_mul_productscan",
        "known_q <= ready | (known_q & ~column);",
        "known_q <= found | (known_q & ~column);",
    ),
    "the product of q_0 and m_0": (
        "redc_mul_productscan",
        "~passes & ~(reduces_q & x_least_q & y_least_q)",
        "~passes",
    ),
    "a product on the way back from column Beats": (
        "redc_mul_productscan",
        "useful = goes & ~last_q & ~passes &",
        "useful = goes & ~last_q &",
    ),
    "the last column has a product": (
        "redc_mul_productscan",
        "useful = goes & ~last_q & ~passes &",
        "useful = goes & ~passes &",
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
        "may_d     = upper_q;",
    ),
    "results that do not wait": (
        "redc_mul_productscan",
        "(ends & result_q & pending_q & ~passes)",
        "(ends & result_q & pending_q & ~passes & 1'b0)",
    ),
    "an illegal operand's rest": (
        "redc_mul_productscan",
        "if (!run_q && !pending_q) sum_q <= '0;",
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
        "redc_mul_productscan",
        "(reduces_q & y_second_q & ~upper_q & ~known_q)",
        "(reduces_q & y_second_q & ~upper_q & ~known_q & ~x_most_q)",
    ),
    "what the last digit of the quotient carries": (
        "redc_mul_productscan",
        "~passes & ~(reduces_q & x_least_q & y_least_q)",
        "~passes & ~(reduces_q & y_least_q & (x_least_q | (result_q & ~upper_q)))",
    ),
    "what the last column is carried": (
        "redc_mul_productscan",
        "else sum_q <= sum;",
        "else if (!last_q) sum_q <= sum;",
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


@pytest.mark.full
def test_control_is_proved() -> None:
    """Though it waits for a mark that moves among the bits of the quotient's digit."""
    design = next(iter(family("productscan").proof_designs([4])))
    results = prove([design], ["timing", "capacity"])
    assert failures(results) == []
    assert {result.status for result in results} == {"proved"}
