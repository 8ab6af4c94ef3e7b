# SPDX-License-Identifier: Apache-2.0
"""Designs drawn from all legal ones: results, and in every cycle what is stated of it.

``DRAWN`` and ``DRAWN_SEED`` in the environment say how many of each family are drawn, and from
which seed, with --no-verdicts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from drawn import exponentiators, faults, multipliers
from redcore.catalogue import design_of
from redcore.design import Design
from redcore.families import registered

pytestmark = pytest.mark.kept

MULTIPLIERS = [each.name for each in registered().values() if each.kind == "mul"]
DRAWN = int(os.environ.get("DRAWN", "8"))
SEED = int(os.environ.get("DRAWN_SEED", "1"))
SOME = {multipliers: ("array", "csa", "tablechain"), exponentiators: ("carrychain", "cios")}
"""Those of which the quick tests draw one."""

Draw = Callable[[str, int], Iterator[Design]]

FOUND = [
    # Words of operands are not taken one a cycle where digits are cut out of them.
    "exp-array --width 7 --set method=rtl threads=2 exp_bits=6 r2=outside rows=1 digit=2"
    " q_register=1 wide_digit=4",
    # A second multiplication is taken before the interval is over, and the third one later.
    "exp-scalable --width 8 --set method=ladder radix=4 word=4 stages=8 retimed=1",
    # Words of a result are apart, and those of the next one behind them wait.
    "tableserial --width 8 --set copies=10",
    "exp-productscan --width 14 --set method=rtl_dual",
]
FOUND_TOO = [
    "exp-array --width 7 --set method=rtl_dual rows=1 digit=2 q_register=1 wide_digit=4",
    "exp-tableserial --width 20 --set method=rtl_dual exp_bits=7 word=4",
    "exp-tableserial --width 20 --set method=rtl_dual exp_bits=7 word=4 threads=2",
    "exp-scalable --width 8 --set method=rtl radix=4 word=4 stages=8 retimed=1",
    "scalable --width 8 --set radix=4 word=4 stages=8 retimed=1",
    "productscan --width 8 --set copies=9 digit=5 step=1",
    "productscan --width 256 --set copies=3",
]
"""Of other families or methods, with the same faults."""


@pytest.mark.parametrize(
    "line", [*FOUND, *(pytest.param(line, marks=pytest.mark.full) for line in FOUND_TOO)]
)
def test_what_was_once_wrong(line: str) -> None:
    assert faults(design_of(line)) == []


@pytest.mark.parametrize(
    ("draw", "name"), [(draw, name) for draw, names in SOME.items() for name in names]
)
def test_a_drawn_design(draw: Draw, name: str) -> None:
    for design in islice(draw(name, 1), 1):
        assert faults(design) == [], design.command_line()


@pytest.mark.full
@pytest.mark.parametrize("name", MULTIPLIERS)
@pytest.mark.parametrize("draw", list(SOME))
def test_drawn_designs(draw: Draw, name: str) -> None:
    for design in islice(draw(name, SEED), DRAWN):
        assert faults(design) == [], design.command_line()
