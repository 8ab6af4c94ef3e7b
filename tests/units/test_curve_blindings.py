# SPDX-License-Identifier: Apache-2.0
"""Random bits of coordinates and of scalars, each with or without the others: results, cycles, how
many bits are taken, and for what."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from curve_simulator import CurveBench, Status, cycles_of, joined, same_cycles
from edwards_curves import SMALL, group, points
from edwards_curves import design as edwards

from redcore.catalogue import family
from redcore.cli import run as redcore
from redcore.design import Design
from redcore.simulate import Simulator
from redcore.units.copies import Several
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.weierstrass import point_by_chords
from tiers import tiers

pytestmark = pytest.mark.kept

BOTH = [(5, 3), (5, 0), (0, 3), (0, 0), (1, 6), (6, 1)]
"""Bits of coordinates, bits of a scalar."""
TASKS = [
    "weierstrass",
    "edwards",
    "weierstrass sign",
    "edwards sign",
]
WEIERSTRASS = {"form": "weierstrass", "a": -3, "b": 7, "order": 57}
"""Modulo 61, points of which (1, 26) is one."""


def signing_group() -> tuple[dict[str, int | str], int]:
    """A curve of prime order modulo 61, with a base point."""
    for b in range(1, 61):
        some = [
            (x, y) for x, y in product(range(61), repeat=2) if (y * y - x**3 - 2 * x - b) % 61 == 0
        ]
        order = len(some) + 1
        if order in (53, 59):
            x, y = some[0]
            given = {"form": "weierstrass", "a": 2, "b": b, "base_x": x, "base_y": y}
            return {**given, "order": order, "task": "sign"}, order
    raise AssertionError


def jobs_of(task: str, **settings: int | str) -> tuple[Design, list[tuple[int, int]]]:
    """A design modulo 61, and operands, most of them right ones."""
    choose = Random(task)
    if task == "weierstrass":
        one = family("curve-csa").design(6, WEIERSTRASS | settings)
        some = [point_by_chords((1, 26), k, -3, 61) or (1, 1) for k in range(1, 12)]
        return one, [(joined(one, each), choose.randrange(64)) for each in some * 2]
    if task == "edwards":
        p, a, d, order = SMALL[0]
        one = edwards("csa", 6, SMALL[0], order=order, **settings)
        return one, [(joined(one, each), choose.randrange(64)) for each in points(p, a, d)[:22]]
    if task == "weierstrass sign":
        given, order = signing_group()
        one = family("curve-csa").design(6, given | settings)
        numbers = [[choose.randrange(order) for _ in range(3)] for _ in range(22)]
        return one, [(joined(one, (z, 0)), joined(one, (k, d))) for z, k, d in numbers]
    small, base, order = group()
    given = {"task": "sign", "order": order, "base_x": base[0], "base_y": base[1]}
    one = edwards("csa", 6, small, scalar_bits=6, **given, **settings)
    numbers = [[choose.randrange(order) for _ in range(4)] for _ in range(22)]
    return one, [(joined(one, (h, 0, 0)), joined(one, (k, r, s))) for h, k, r, s in numbers]


@pytest.mark.parametrize("window", [1, pytest.param(3, marks=pytest.mark.full)])
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(("coordinates", "scalar"), tiers(BOTH, 2))
def test_results_cycles_and_bits(coordinates: int, scalar: int, task: str, window: int) -> None:
    """The same results, in the stated cycles, by as many random bits as there are to be."""
    one, jobs = jobs_of(task, blinding=coordinates, scalar_blinding=scalar, window=window)
    assert one.values["scalar_blinding"] == scalar
    right = [one.product(a, b, 61) for a, b in jobs]
    assert sum(map(bool, right)) > 12
    if coordinates or scalar:
        assert same_cycles(one, 61, jobs) == right
    else:  # no stall comes between operands and result
        with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
            core.load_modulus(61)
            done = core.run([(a, b, 0) for a, b in jobs])
        assert done.results == right
        cycles = {b - a for a, b in zip(done.accepted, done.answered, strict=True)}
        assert cycles == {one.geometry.latency_cycles}
    unit = one.family
    assert isinstance(unit, CurveUnit)
    with CurveBench(one) as bench:
        bench.load(61, *unit.form(6, one.values, 61).constants())
        bench.wait(one.geometry.modulus_cycles + 100)
        for a, b in jobs[:3]:
            assert bench.give(True, [a], [b], 100_000)
            assert len(bench.wait(one.geometry.latency_cycles)) == coordinates + scalar
            status, result = bench.take()
            assert result == one.product(a, b, 61) and (status is Status.DONE) == bool(result)


def test_as_many_bits_are_of_the_scalar_as_of_coordinates() -> None:
    """Unless it is said, and but where nothing blinds it."""
    for settings, bits in (
        ({}, 3),
        ({"blinding": 5}, 5),
        ({"blinding": 0}, 0),
        ({"scalar_blinding": 0}, 0),
        ({"scalar_blinding": -1}, 3),
        ({"order": 0}, 0),
        ({"order": 0, "scalar_blinding": 0}, 0),
    ):
        one = family("curve-csa").design(6, WEIERSTRASS | settings)
        assert one.values["scalar_blinding"] == bits
    for settings, bits in (
        ({"form": "weierstrass"}, 32),
        ({}, 0),
        ({"form": "weierstrass", "scalar_blinding": 5}, 5),
    ):
        # As copies the parameters are as they come; what is inside has them whole.
        unit = family("curve-csa")
        assert isinstance(unit, CurveUnit)
        one = unit.design(256, {"copies": 2, **settings})
        assert isinstance(one.family, Several)
        assert one.family.single(256, one.values).values["scalar_blinding"] == bits
        assert unit.form(256, one.family.own(one.values)).scalar_blinding == bits
        assert ("scalar_blinding" in one.command_line()) == ("scalar_blinding" in settings)
    tried = {each.name: each.default_for(256) for each in family("curve-cios").parameters}
    unit = family("curve-cios")
    found = unit.legal(256, tried | {"form": "weierstrass", "copies": 1, "blinding": 0})
    assert found and found == unit.design(256, {"form": "weierstrass", "blinding": 0})


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            "form=montgomery scalar_blinding=4",
            "scalar_blinding=4 has no effect with form=montgomery",
        ),
        ("form=kummer scalar_blinding=4", "scalar_blinding=4 has no effect with form=kummer"),
        ("form=edwards order=0 scalar_blinding=4", "scalar_blinding=4 blinds nothing with order=0"),
        (
            "form=edwards task=verify scalar_blinding=4",
            "scalar_blinding=4 blinds nothing with task=verify, whose numbers are public",
        ),
        ("form=edwards scalar_blinding=257", "scalar_blinding=257"),
    ],
)
def test_what_blinds_nothing_is_refused(
    settings: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert redcore(["info", "curve-cios", "--width", "256", "--set", *settings.split()]) == 2
    said = capsys.readouterr().err
    assert told in said and said.count("\n") == 1
