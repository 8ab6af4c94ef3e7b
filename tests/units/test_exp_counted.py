# SPDX-License-Identifier: Apache-2.0
"""Cycles of long exponentiations: periods that are counted give what playing all of them gives."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest

from redcore.catalogue import family, general
from redcore.design import Pace
from redcore.explore.space import grid_of
from redcore.units.exp.family import METHODS
from redcore.units.exp.schedule import job_cycles

pytestmark = pytest.mark.kept

MULTIPLIERS = [family(name) for name in general()]


def _paces(of: type[Pace] = Pace) -> list[type[Pace]]:
    return [of, *(each for below in of.__subclasses__() for each in _paces(below))]


@pytest.mark.parametrize("multiplier", MULTIPLIERS, ids=lambda each: each.name)
def test_counted_periods_give_what_playing_gives(
    multiplier: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = Random(multiplier.name)  # type: ignore[attr-defined]
    asked = []
    for width in (16, 33, 128, 768):
        grid = grid_of(multiplier, width)  # type: ignore[arg-type]
        for method in METHODS:
            for _ in range(4 if width < 700 else 1):
                inner = choose.choice(grid)
                # one word or several, shorter exponents, windows that do not divide them
                built = choose.choice((width, width + 64, choose.randrange(1, 2 * width)))
                length = choose.choice((built, choose.randrange(1, built + 1)))
                copies = 2 if method == "rtl_dual" else 1
                dual = copies == 2 and choose.random() < 0.5
                asked.append((inner, copies, method, built, length, choose.randrange(1, 7), dual))
    counted = [job_cycles.__wrapped__(*each) for each in asked]
    for pace in _paces():
        monkeypatch.setattr(pace, "state", lambda self, now: (object(),))  # never as before
    assert counted == [job_cycles.__wrapped__(*each) for each in asked]


def test_a_long_exponent_costs_no_more_than_its_first_bits() -> None:
    """4096 bits on a pipeline of many stages, which took seconds bit by bit."""
    inner = next(each for each in MULTIPLIERS if each.name == "csa").design(
        4096, {"stages": 64, "add_stages": 256}
    )
    began = process_time()
    for method in METHODS:
        job_cycles.__wrapped__(inner, 2 if method == "rtl_dual" else 1, method, 4096, 4096, 5)
    assert process_time() - began < 1.5
