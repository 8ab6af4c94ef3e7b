# SPDX-License-Identifier: Apache-2.0
"""Designs drawn from all legal ones: results, and in every cycle what is stated of it.

``DRAWN`` and ``DRAWN_SEED`` in the environment say how many of each family are drawn, and from
which seed, with --no-verdicts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

import pytest

from drawn import exponentiators, faults, multipliers, prime_generators, prime_testers, units
from redcore import catalogue
from redcore.catalogue import design_of
from redcore.design import Design

pytestmark = pytest.mark.kept

DRAWN = int(os.environ.get("DRAWN", "8"))
SEED = int(os.environ.get("DRAWN_SEED", "1"))

Draw = Callable[[str, int], Iterator[Design]]
DRAWS: dict[str, Draw] = {
    "multipliers": multipliers,
    "exponentiators": exponentiators,
    "modmul": partial(units, "modmul"),
    "curve": partial(units, "curve"),
    "testers": prime_testers,
    "generators": prime_generators,
}
UNIT_OF = {"exponentiators": "exp", "testers": "prime", "generators": "prime-gen"}
ALL = [
    (draw, name)
    for draw in DRAWS
    for name in catalogue.multipliers("" if draw == "multipliers" else UNIT_OF.get(draw, draw))
]
"""A unit that takes any modulus is not to be had on a multiplier that is built for one."""
QUICK = [("multipliers", "array"), ("multipliers", "csa"), ("exponentiators", "interleaved")]
"""Of which one is drawn in the quick tests."""

FOUND = [
    # Words of operands are not taken one a cycle where digits are cut out of them.
    "exp-array --width 7 --set method=rtl threads=2 exp_bits=6 r2=outside rows=1 digit=2"
    " q_register=1 wide_digit=4",
    # A second multiplication is taken before the interval is over, and the third one later.
    "exp-scalable --width 8 --set method=ladder radix=4 word=4 stages=8 retimed=1",
    # Words of a result are apart, and those of the next one behind them wait.
    "tableserial --width 8 --set copies=10",
    "exp-productscan --width 14 --set method=rtl_dual",
    # Words know a cycle late that a column of the result has ended.
    "productscan --width 8 --set digit=6 step=2",
    # More jobs than the multiplier has slots: its pattern of answers does not go into them.
    "modmul-cios --width 11 --set operation=in jobs=11",
]
FOUND_TOO = [
    "exp-array --width 7 --set method=rtl_dual rows=1 digit=2 q_register=1 wide_digit=4",
    "exp-tableserial --width 20 --set method=rtl_dual exp_bits=7 word=4",
    "exp-tableserial --width 20 --set method=rtl_dual exp_bits=7 word=4 threads=2",
    "exp-scalable --width 8 --set method=rtl radix=4 word=4 stages=8 retimed=1",
    "scalable --width 8 --set radix=4 word=4 stages=8 retimed=1",
    "productscan --width 8 --set copies=9 digit=5 step=1",
    "productscan --width 256 --set copies=3",
    # They begin in order: one that missed its place holds those behind it.
    "cios --width 13 --set word=2 sigma=9 latency_reduction=0 version=small checks=1",
    # mu of a new modulus takes longer than R^2, which is 1
    "prime-barrett --width 8 --set method=ladder window=2 threads=2 primes=1 bases=4"
    " random_bases=1 digit=1 word=7",
]
"""Of other families or methods, with the same faults; and of what takes longer to build."""


@pytest.mark.parametrize(
    "line", [*FOUND, *(pytest.param(line, marks=pytest.mark.full) for line in FOUND_TOO)]
)
def test_what_was_once_wrong(line: str) -> None:
    assert faults(design_of(line)) == []


@pytest.mark.parametrize(("draw", "name"), QUICK)
def test_a_drawn_design(draw: str, name: str) -> None:
    for design in islice(DRAWS[draw](name, 1), 1):
        assert faults(design) == [], design.command_line()


@pytest.mark.full
@pytest.mark.parametrize(("draw", "name"), ALL)
def test_drawn_designs(draw: str, name: str) -> None:
    for design in islice(DRAWS[draw](name, SEED), DRAWN):
        assert faults(design) == [], design.command_line()
