# SPDX-License-Identifier: Apache-2.0
"""Places of what a curve processor chooses: written over something that tells nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from redcore.catalogue import design_of, family
from redcore.units.curve import orders, places, programmed, schedule
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.formulas import FULL, Loop, Operation
from redcore.units.curve.places import Place, overwritten
from redcore.units.curve.schedule import Scheduled
from redcore.verify.leakage.attacks import PlacesOfTheirOwn

pytestmark = pytest.mark.kept

BLINDED: dict[str, int | str] = {"form": "weierstrass", "a": -3, "b": 9, "order": 65223}
CASES = [
    (name, {**BLINDED, "window": window}) for name in ("csa", "cios") for window in range(1, 6)
]


def main_of(name: str, width: int, settings: dict[str, int | str]) -> Scheduled:
    design = family(f"curve-{name}").design(width, settings)
    assert isinstance(design.family, CurveUnit)
    return design.family.programs(width, design.values).main


def over_operands(main: Scheduled) -> Iterator[Operation]:
    """Choices that are written over one of what they choose from, by bits that are not public:
    those of the order that a point has to have are."""
    for part in main.program:
        if isinstance(part, Loop) and part.over == FULL:
            continue
        for one in part.body if isinstance(part, Loop) else (part,):
            if isinstance(one, Operation) and one.kind in ("choose", "pick") and one.a != one.b:
                where = main.places
                if where[one.target] in (where[one.a], where[one.b]):
                    yield one


def over_picks(main: Scheduled) -> Iterator[Operation]:
    """Picks in whose place a pick was before, in the same iteration or in the one before."""
    for part in main.program:
        if isinstance(part, Loop) and part.window:
            last: dict[Place, Operation] = {}
            for one in (*part.body, *part.body):
                place = main.places[one.target]
                if one.kind == "pick" and place in last and last[place].kind == "pick":
                    yield one
                last[place] = one


EDWARDS: dict[str, int | str] = {"form": "edwards", "a": 1, "b": 68, "order": 84, "window": 4}
SEVERAL = [
    (name, 7, {**EDWARDS, "blinding": blinding, "multipliers": multipliers})
    for name in ("csa", "productscan")
    for multipliers in (1, 3)
    for blinding in (0, 7)
]


@pytest.mark.parametrize(
    ("name", "width", "settings"),
    [*SEVERAL, *((name, 16, settings) for name, settings in CASES)],
    ids=str,
)
def test_each_value_is_where_it_is_read(
    name: str, width: int, settings: dict[str, int | str]
) -> None:
    """On productscan with three multipliers a sum that nobody reads was the last one of the loop
    over digits, and came to the place of an entry of the table."""
    design = family(f"curve-{name}").design(width, settings)
    assert isinstance(design.family, CurveUnit)
    found = design.family.programs(width, design.values)
    for one in (found.load, found.main):
        assert not list(overwritten(one.program, one.places, found.text.fixed))


def test_two_values_in_one_place_are_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the lifetimes say: what is made of them is looked at by itself."""
    design = family("curve-csa").design(16, CASES[0][1])
    assert isinstance(design.family, CurveUnit)

    def all_in_one(*given: Any) -> dict[str, Place]:
        _, fixed, kept, *_ = given
        found = places.allocate(*given)
        return {name: fixed.get(name, (place[0], kept)) for name, place in found.items()}

    monkeypatch.setattr(schedule, "allocate", all_in_one)
    programmed.scheduled.cache_clear()
    with pytest.raises(RuntimeError, match="are another value's when they are read"):
        design.family.programs(16, design.values)


@pytest.mark.parametrize(("name", "settings"), CASES, ids=str)
def test_what_is_chosen_is_written_over_something_else(
    name: str, settings: dict[str, int | str]
) -> None:
    main = main_of(name, 16, settings)
    assert not list(over_operands(main)) and not list(over_picks(main))
    kinds = {one.kind for part in main.program if isinstance(part, Loop) for one in part.body}
    assert ("pick" in kinds) == (int(settings["window"]) > 1)


@pytest.mark.parametrize("entry", orders.entries(), ids=lambda entry: str(entry["key"]))
def test_with_the_orders_of_the_file_it_is_so_too(entry: dict[str, Any]) -> None:
    """There places are given with more care; what is verified is public, and its picks may."""
    one = design_of(entry["design"])
    assert isinstance(one.family, CurveUnit)
    main = one.family.programs(one.width, one.values).main
    assert not list(over_operands(main))
    assert one.values["task"] == "verify" or not list(over_picks(main))


def test_picks_in_places_of_their_own_are_found() -> None:
    unit = PlacesOfTheirOwn(family("csa"))
    values = unit.design(16, {**BLINDED, "window": 3}).values
    assert list(over_picks(unit.programs(16, values).main))


def test_montgomerys_ladder_chooses_so_too() -> None:
    assert not list(over_operands(main_of("cios", 255, {})))
