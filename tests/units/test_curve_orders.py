# SPDX-License-Identifier: Apache-2.0
"""Orders of loops that a long search has found: the file is current, the search finds them."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from redcore.catalogue import design_of, family
from redcore.design import Design, Value, plain
from redcore.generate import orders as generator
from redcore.units.curve import orders
from redcore.units.curve.bounds import LoopReport
from redcore.units.curve.curves import CURVES
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.formulas import Loop, read
from redcore.units.curve.places import after, single_writers
from redcore.units.curve.play import Machine, Sizes
from redcore.units.curve.schedule import arrange

pytestmark = pytest.mark.kept

STALE = "run python -m redcore.generate.orders"


def named(multiplier: str, curve: str, **more: Value) -> Design:
    one = CURVES[curve]
    return family(f"curve-{multiplier}").design(one.width, {**one.settings, **more})


def loops_of(design: Design) -> list[LoopReport]:
    assert isinstance(design.family, CurveUnit)
    return list(design.family.programs(design.width, design.values).main.loops)


def of(key: str) -> dict[str, Any]:
    return next(one for one in orders.entries() if one["key"] == key)


@pytest.mark.parametrize("entry", orders.entries(), ids=lambda entry: str(entry["key"]))
def test_a_loop_of_the_file_has_its_cycles(entry: dict[str, Any]) -> None:
    """So its key is still a loop's, and a program has places for all values with its order."""
    reports = [one for one in loops_of(design_of(entry["design"])) if one.over == entry["over"]]
    cycles = [plain(one.cycles) for one in reports]
    assert entry["cycles"] in cycles, STALE
    assert entry["cycles"] <= entry["listed"]
    assert all(entry["listed"] > Fraction(105, 100) * one.bound.cycles for one in reports)


def test_signatures_go_through_the_loops_of_the_file() -> None:
    """Signing has more values that live through the loop, and there are places for them."""
    for multiplier, curve in (("array", "p192"), ("array", "p256"), ("cios", "ed25519")):
        cycles = [
            [loop.cycles for loop in loops_of(design) if loop.over == "scalar"]
            for design in (
                named(multiplier, curve),
                named(multiplier, curve, task="sign", **CURVES[curve].signing),
            )
        ]
        assert cycles[0] == cycles[1], (multiplier, curve)


def test_the_same_loop_of_other_names_has_the_order() -> None:
    """Its key is of what it does; on another multiplier, or with another step, it has none."""
    text = "for bit in scalar:\n    {0} = u * u\n    {1} = {0} + u\n    {2} = {1} * {0}"
    machine = [
        Machine(one, Sizes.of(one, 32, "bram"))
        for one in (family("cios").design(128), family("csa").design(128))
    ]

    def key(names: str, on: Machine = machine[0], text: str = text) -> str:
        (loop,) = read(text.format(*names))
        assert isinstance(loop, Loop)
        return orders.key_of(loop.body, [set(), {0}, {0, 1}], on)

    assert key("abc") == key("xyz")
    others = {key("abc"), key("abc", machine[1]), key("abc", text=text.replace("+", "-"))}
    assert len(others) == 3


def test_an_order_without_places_is_not_taken() -> None:
    """Then a program is scheduled as if there were none."""
    machine = Machine(family("cios").design(128), Sizes.of(family("cios").design(128), 32, "bram"))
    body = "".join(f"    a{at} = w + w\n    v = v + a{at}\n" for at in range(9))
    program = read(f"w = unit + unit\nv = unit + unit\nfor bit in scalar:\n{body}")
    fixed = {"unit": (0, 0)}
    loop = next(part for part in single_writers(program) if isinstance(part, Loop))
    key = orders.key_of(loop.body, after(loop.body, fixed), machine)
    far_apart = [*range(0, 18, 2), *range(1, 18, 2)]
    named_so = [loop.body[at].target for at in far_apart]

    def order(places: int, known: dict[str, list[int]]) -> list[str]:
        found = arrange([program], machine, {"scalar": 9}, fixed, 1, places, orders=known)
        (there,) = (part for part in found.program if isinstance(part, Loop))
        return [one.target for one in there.body]

    assert order(16, {key: far_apart}) == named_so
    assert order(8, {key: far_apart}) == order(8, {}) != named_so


def test_the_search_is_the_same_for_a_same_seed_and_respects_what_comes_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(generator, "_MOVES", 1000)
    *_, (loop, report) = generator.far_loops(named("cios", "kummer1271"))
    assert loop.cost(loop.order) == report.cycles
    as_written = list(range(len(loop.body)))

    def found(seed: int, fits: bool = True) -> list[int]:
        least = report.bound.cycles
        return generator.searched(
            as_written, loop.before, loop.cost, lambda order: fits, least, seed
        )

    first, again, other = found(1), found(1), found(2)
    assert first == again != other
    assert loop.cost(first) < loop.cost(as_written)
    assert sorted(first) == list(range(len(loop.body)))
    at = {one: number for number, one in enumerate(first)}
    assert all(at[one] < at[number] for number, those in enumerate(loop.before) for one in those)
    assert found(1, fits=False) == as_written


def test_the_generator_keeps_what_is_there_and_searches_for_the_rest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generator, "_MOVES", 300)
    design = named("cios", "kummer1271")
    monkeypatch.setattr(generator, "designs", lambda: [design, design])
    kept = [one for one in orders.entries() if one["design"] == design.command_line()]
    assert len(kept) == 2
    monkeypatch.setattr(generator, "entries", lambda: kept)
    ((_, text),) = generator.contents().items()
    assert json.loads(text)["loops"] == kept and not capsys.readouterr().err
    monkeypatch.setattr(generator, "entries", lambda: kept[:1])
    ((_, text),) = generator.contents().items()
    first, second = json.loads(text)["loops"]
    assert first == kept[0] and second["key"] == kept[1]["key"]
    assert kept[1]["cycles"] <= second["cycles"] <= second["listed"]
    assert "kummer" in capsys.readouterr().err


@pytest.mark.full
def test_all_far_loops_are_in_the_file() -> None:
    found = {one["key"] for one in orders.entries()}
    missing = [
        (design.short(), design.width, report.over)
        for design in generator.designs()
        for loop, report in generator.far_loops(design)
        if loop.key not in found
    ]
    assert not missing, STALE
