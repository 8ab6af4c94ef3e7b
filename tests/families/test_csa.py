# SPDX-License-Identifier: Apache-2.0
"""What docs/families/csa.md derives about csa, recomputed; and its formulas beside the source's."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from redcore.catalogue import family

pytestmark = pytest.mark.kept

PAGE = Path(__file__).parents[2] / "docs" / "families" / "csa.md"
ROWS = re.findall(r"^\|" + r" (\d+) \|" * 6 + "$", PAGE.read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_one_iteration_less_leaves_the_range(row: tuple[str, ...]) -> None:
    """The page's counterexamples: with n + 1 iterations a result reaches 2m."""
    n, m, a, b, result, bound = map(int, row)
    assert m % 2 == 1 and m < 1 << n and a < 2 * m and b < 2 * m
    radix = 1 << (n + 1)
    quotient = -a * b * pow(m, -1, radix) % radix
    assert (a * b + quotient * m) // radix == result >= bound == 2 * m


def test_the_page_has_counterexamples() -> None:
    assert [int(row[0]) for row in ROWS] == [4, 5, 6, 7, 8]


@pytest.mark.parametrize("n", [4, 5])
def test_two_iterations_more_are_enough(n: int) -> None:
    """Every odd m below 2^n, every a and b below 2m: the result is below 2m again."""
    design = family("csa").design(n, {"final_sub": 0})
    for m in range(1, 1 << n, 2):
        for a in range(2 * m):
            for b in range(2 * m):
                result = design.product(a, b, m)
                assert result < 2 * m
                assert (result << design.geometry.r_bits) % m == a * b % m


def _up(numerator: int, denominator: int) -> int:
    return -(-numerator // denominator)


def _source_latency(n: int, p: int, r: int) -> int:
    """Equation 3.2 of Le Masle 2009, with the second block size rounded down as its text has it."""
    longer = n % p
    cycles = [_up(n // p + (block < longer), r) + 2 for block in range(p)]
    return sum(cycles) + p - 1


@pytest.mark.parametrize("n", [4, 7, 32, 33, 256, 512, 521, 1024])
def test_cycles_are_at_most_the_source_s(n: int) -> None:
    """Interval and latency against equations 3.3 and 3.2, adder and subtractor stages added."""
    for p in (1, 2, 3, 4, 6, 8):
        for r in (1, 2, 3, 4, 8):
            if p * r > n:
                continue
            for add_stages in sorted({1, 2, 3, 4, 8, n // 16 or 1, n}):
                if add_stages > n:
                    continue
                values = {"stages": p, "replicas": r, "add_stages": add_stages}
                reduced = family("csa").design(n, values).geometry
                assert reduced.interval_cycles <= _up(_up(n, p), r) + 2
                assert reduced.latency_cycles <= _source_latency(n, p, r) + 3 * add_stages
                plain = family("csa").design(n, values | {"final_sub": 0}).geometry
                # the source runs n + 3 iterations there
                assert plain.interval_cycles <= _up(_up(n + 3, p), r) + 2
                assert plain.latency_cycles <= _source_latency(n + 3, p, r) + 2 * add_stages


@pytest.mark.parametrize(
    ("values", "latency", "interval"),
    [({}, 278, 256), ({"final_sub": 0}, 275, 258), ({"stages": 4, "replicas": 4}, 86, 16)],
)
def test_known_cycles(values: dict[str, int | str], latency: int, interval: int) -> None:
    """Three designs of 256 bits by number, so that a changed formula is seen."""
    geometry = family("csa").design(256, {"add_stages": 8, **values}).geometry
    assert (geometry.latency_cycles, geometry.interval_cycles) == (latency, Fraction(interval))
