# SPDX-License-Identifier: Apache-2.0
"""What the pages of interleaved, barrett and systolic derive, recomputed; cycles and proofs."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from redcore import rtl
from redcore.catalogue import family
from redcore.design import Design
from redcore.families.barrett import derive_steps, digits
from redcore.simulate import Load, Simulator, exhaust, refusal, simulate
from redcore.simulate.compile import TINY_CYCLES
from redcore.verify import failures, prove
from redcore.verify.harness import answer_limit

pytestmark = pytest.mark.kept(reads=("benchmarks",))

PAGES = Path(__file__).parents[2] / "docs" / "families"
BASELINES = ("barrett", "interleaved", "systolic")
WIDTHS = (8, 16, 33, 64, 128, 255, 256, 384, 521, 1024, 2048)


def rows(page: str, columns: int) -> list[tuple[int, ...]]:
    """The rows of numbers in the tables of a page that have so many columns."""
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8").replace(",", "")
    found = re.findall(r"^\|" + r" (\d+) \|" * columns + "$", text, re.M)
    return [tuple(map(int, row)) for row in found]


def estimate(x: int, m: int, n: int, digit: int) -> int:
    """Barrett's quotient as docs/families/barrett.md writes it."""
    base, most = 1 << digit, digits(n, digit)
    used = next(k for k in range(1, most + 1) if m < base**k)
    mu = base ** (most + used) // m
    return x // base ** (used - 1) * mu // base ** (most + 1)


# ---- cycles --------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [4, 5, *WIDTHS])
def test_cycles_are_at_most_the_published_ones(n: int) -> None:
    """Le Masle's algorithm 2 has n iterations; Daly and Marnane give 2 (n + 2) - 1 cycles."""
    interleaved = family("interleaved").design(n, {"pace": 1}).geometry
    assert interleaved.interval_cycles == n and interleaved.latency_cycles == n + 1
    systolic = family("systolic").design(n).geometry
    assert systolic.interval_cycles == n + 3
    assert systolic.latency_cycles == n + 5 + n // 2 <= 2 * (n + 2) - 1


def test_the_page_s_cycles_of_the_array() -> None:
    table = rows("systolic", 4)
    assert [row[0] for row in table] == [128, 256, 512, 1024]
    for n, latency, published, interval in table:
        geometry = family("systolic").design(n).geometry
        assert (geometry.latency_cycles, geometry.interval_cycles) == (latency, Fraction(interval))
        assert published == 2 * (n + 2) - 1


@pytest.mark.parametrize(
    ("digit", "latency", "interval"), [(1, 775, 774), (2, 390, 389), (4, 198, 197), (8, 102, 101)]
)
def test_known_cycles_of_barrett(digit: int, latency: int, interval: int) -> None:
    geometry = family("barrett").design(256, {"digit": digit}).geometry
    assert (geometry.latency_cycles, geometry.interval_cycles) == (latency, Fraction(interval))


def test_dividing_mu_is_no_longer_than_answers_may_take() -> None:
    for n in (*range(4, 70), *WIDTHS, 8192):
        for digit in range(1, min(8, n) + 1):
            design = family("barrett").design(n, {"digit": digit})
            assert derive_steps(n, digit) < answer_limit(design)


def equalities(design: Design) -> list[str]:
    """What a family's package must say of a design, as SystemVerilog comparisons."""
    package = f"{design.family.module}_pkg"
    width, geometry = design.width, design.geometry
    given = f"{width}, {design.values['pace']}" if "pace" in design.values else f"{width}"
    said = [
        f"{package}::latency({given}) == {geometry.latency_cycles}",
        f"{package}::interval({given}) == {geometry.interval_cycles}",
        f"{package}::slots() == {geometry.slots}",
    ]
    if design.family.name == "systolic":
        said.append(f"{package}::word_bits({width}) == {geometry.word_bits}")
        said.append(f"{package}::r_bits({width}) == {geometry.r_bits}")
    return said


@pytest.mark.parametrize("name", ["interleaved", "systolic"])
def test_the_package_says_the_same(name: str, tmp_path: Path) -> None:
    core = family(name)
    said = [line for n in (8, 9, *WIDTHS) for line in equalities(core.design(n, {}))]
    text = "\n".join(f'  if (!({line})) begin : gen_{i}\n    $error("no: {line}");\n  end'
                     for i, line in enumerate(said))  # fmt: skip
    path = tmp_path / "redc_said.sv"
    path.write_text(f"module redc_said;\n{text}\nendmodule\n", encoding="utf-8")
    files = [file for file in rtl.sources(core.module) if file.stem.endswith("_pkg")]
    assert refusal([*files, path], "redc_said", {}) is None


# ---- interleaved ---------------------------------------------------------------------------------


def test_two_subtractions_after_each_bit_are_enough_and_needed() -> None:
    most = 0
    for m in range(1, 32, 2):
        for part in range(m):
            for b in range(m):
                most = max(most, (2 * part + b) // m)
    assert most == 2


# ---- barrett -------------------------------------------------------------------------------------


@pytest.mark.parametrize("digit", range(1, 6))
def test_the_estimate_is_at_most_two_short(digit: int) -> None:
    n = 5
    for m in range(1, 1 << n, 2):
        for x in {a * b for a in range(m) for b in range(a, m)}:
            short = x // m - estimate(x, m, n, digit)
            assert 0 <= short <= 2
            assert 2 * (x % m + short * m) < 5 * m


SHORT = rows("barrett", 6)


@pytest.mark.parametrize("row", SHORT, ids=lambda row: f"digit{row[0]}")
def test_two_corrections_are_needed(row: tuple[int, ...]) -> None:
    digit, n, m, a, b, short = row
    assert m % 2 and max(a, b) < m < 1 << n
    assert a * b // m - estimate(a * b, m, n, digit) == short == 2


@pytest.mark.parametrize(
    "row",
    [row if row[0] in (1, 4) else pytest.param(row, marks=pytest.mark.full) for row in SHORT],
    ids=lambda row: f"digit{row[0]}",
)
def test_two_corrections_are_made(row: tuple[int, ...]) -> None:
    digit, n, m, a, b, _ = row
    with Simulator(family("barrett").design(n, {"digit": digit}), cycles=TINY_CYCLES) as core:
        run = core.run([(a, b, 0), (b, a, 0)], [Load(m)])
    assert run.results == [a * b % m] * 2


def test_barrett_s_table_is_complete() -> None:
    assert [row[0] for row in SHORT] == list(range(1, 9))


def test_the_second_guard_bit_is_needed() -> None:
    n, m, a, b = 8, 241, 240, 209
    left = a * b - estimate(a * b, m, n, 1) * m
    assert left == 514 >= 1 << (n + 1)
    with Simulator(family("barrett").design(n), cycles=TINY_CYCLES) as core:
        assert core.run([(a, b, 0)], [Load(m)]).results == [a * b % m]


# ---- systolic ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [4, 5])
def test_the_array_s_recurrence(n: int) -> None:
    """Every partial sum is below m + 2a, every result below 2m and right; 5 bits need n + 3."""
    most = 0
    for m in range(1, 1 << n, 2):
        for a in range(2 * m):
            for b in range(2 * m):
                part = 0
                for i in range(n + 3):
                    part = (part + (part & 1) * m) // 2 + (b >> i & 1) * a
                    assert part < m + 2 * a or part == 0
                    most = max(most, part)
                assert part == family("systolic").design(n).product(a, b, m) < 2 * m
    assert n == 4 or most == 136 >= 1 << (n + 2)


# ---- the cores -----------------------------------------------------------------------------------


CONTROL = [
    *("last", "stable", "invented", "lost", "capacity"),
    *("latency", "answer", "in_ready", "mod_ready", "timing"),
]


@pytest.mark.parametrize("name", ["interleaved", "systolic"])
def test_the_contract_is_proved(name: str) -> None:
    """At width 4, the shortest of the control properties; `full` takes them all."""
    results = prove([family(name).design(4)], ["stable", "invented", "capacity", "timing"])
    assert failures(results) == []
    assert {result.status for result in results} == {"proved"}


@pytest.mark.full
@pytest.mark.parametrize("name", BASELINES)
def test_the_whole_contract_is_proved(name: str) -> None:
    results = prove(family(name).proof_designs([4]), CONTROL)
    assert failures(results) == []
    assert {result.status for result in results} == {"proved"}
    assert failures(prove(family(name).proof_designs([4]), ["result"])) == []


@pytest.mark.full
@pytest.mark.parametrize("n", WIDTHS)
@pytest.mark.parametrize("name", BASELINES)
def test_every_width(name: str, n: int) -> None:
    result = simulate(family(name).design(n), [], 300 if n <= 256 else 100, stalls=True)
    assert result.failures() == [] and result.constant_time and result.cycles_equal_formula


@pytest.mark.full
@pytest.mark.parametrize("n", [4, 5, 6])
def test_barrett_exhaustively_for_every_digit(n: int) -> None:
    for digit in range(1, n + 1):
        assert exhaust(family("barrett").design(n, {"digit": digit}), stalls=True).failures() == []
