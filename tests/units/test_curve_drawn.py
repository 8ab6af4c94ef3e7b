# SPDX-License-Identifier: Apache-2.0
"""Curve processors that nobody chose: parameters, multiplier and a small curve are drawn.

What jobs give is compared with sums of points, one after the other, by the affine laws alone.
``DRAWN`` and ``DRAWN_SEED`` in the environment say how many are drawn, and from which seed on, with
--no-verdicts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, product
from random import Random

import pytest
from curve_simulator import joined
from gmpy2 import is_prime

from redcore.catalogue import family
from redcore.design import Design, Value
from redcore.errors import BadInput
from redcore.families import registered
from redcore.simulate import Simulator
from redcore.units.curve.edwards import NEUTRAL, is_on_edwards, multiple
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.weierstrass import is_on_curve, point_by_chords

pytestmark = pytest.mark.kept

Point = tuple[int, int]
MULTIPLIERS = sorted(registered())
DRAWN = int(os.environ.get("DRAWN", "39"))
SEED = int(os.environ.get("DRAWN_SEED", "2"))
PRIMES = [p for p in range(17, 256) if is_prime(p)]


@dataclass(frozen=True)
class Group:
    """A curve's points over a small field, (x, y), and multiples of them by the affine laws;
    ``neutral`` is what a job gives no result for: a point, or None for the one at infinity."""

    settings: dict[str, Value]
    points: list[Point]
    neutral: Point | None
    times: Callable[[Point, int], Point | None]

    @property
    def order(self) -> int:
        """Points in all."""
        return len(self.points) + (self.neutral is None)

    def order_of(self, point: Point) -> int:
        """The least multiple of a point that is neutral."""
        return next(k for k in count(1) if self.times(point, k) == self.neutral)


def weierstrass(p: int, a: int, b: int) -> Group:
    """y^2 = x^3 + a x + b."""
    points = [each for each in product(range(p), range(p)) if is_on_curve(each, a, b, p)]
    settings: dict[str, Value] = {"form": "weierstrass", "a": a, "b": b}
    return Group(settings, points, None, lambda point, k: point_by_chords(point, k, a, p))


def edwards(p: int, a: int, d: int) -> Group:
    """a x^2 + y^2 = 1 + d x^2 y^2, a a square and d none: no sum divides by zero."""
    points = [each for each in product(range(p), range(p)) if is_on_edwards(each, a, d, p)]
    settings: dict[str, Value] = {"form": "edwards", "a": a, "b": d}
    return Group(settings, points, NEUTRAL, lambda point, k: multiple(point, k, a, d, p))


def drawn_group(chance: Random, p: int) -> Group | None:
    """One over that field, if the numbers that were drawn give one."""
    if chance.random() < 0.5:
        a, b = chance.choice([-3, 0, chance.randrange(1, p)]), chance.randrange(p)
        return weierstrass(p, a, b) if (4 * a**3 + 27 * b * b) % p else None
    squares = {x * x % p for x in range(1, p)}
    a, d = chance.choice([-1, 1, chance.randrange(2, p)]), chance.randrange(2, p)
    return edwards(p, a, d) if a % p in squares and d not in squares else None


def drawn(seed: int) -> tuple[Design, int, Group]:
    """A design, its prime and its curve."""
    chance = Random(seed)
    while True:
        p = chance.choice(PRIMES)
        width, group = p.bit_length(), drawn_group(chance, p)
        unit = family(f"curve-{chance.choice(MULTIPLIERS)}")
        assert isinstance(unit, CurveUnit)
        if group is None:
            continue
        settings: dict[str, Value] = {
            **group.settings,
            "scalar_bits": width,
            "order": group.order if chance.random() < 0.75 else 0,
            "window": chance.randrange(1, 6),
            "multipliers": chance.choice([1, 1, 2, 3, 4]),
            "memory": chance.choice(["lutram", "bram"]),
            "blinding": chance.choice([0, 1, width // 2, width]),
            "chunk": chance.choice([4, 5, 8, 32]),
            "clear": chance.randrange(2),
        }
        of_multiplier = {each.name for each in unit.multiplier.parameters} - {"copies", "moduli"}
        for each in unit.parameters:
            if each.name in of_multiplier and each.choices and chance.random() < 0.5:
                settings[each.name] = chance.choice(each.choices)
        try:
            one = unit.design(width, settings)
        except BadInput:
            continue
        if not unit.modulus_reason(width, one.values, p):
            return one, p, group


def jobs(one: Design, p: int, group: Group, seed: int) -> Iterator[tuple[int, int, int]]:
    """Points, scalars and results that are right, 0 for none."""
    chance = Random(seed)
    bits = int(one.values["scalar_bits"])
    for point in chance.sample(group.points, min(12, len(group.points))):
        order = group.order_of(point)
        near = [0, 1, 2, order - 1, order, group.order - 1, group.order, (1 << bits) - 1]
        # By the ladder points with y = 0 and the neutral one are refused: see the unit's page.
        twisted = group.neutral is None and point[1] == 0
        for scalar in (*near, chance.getrandbits(bits)):
            if scalar < 1 << bits:
                result = None if twisted else group.times(point, scalar)
                right = 0 if result in (None, group.neutral) else joined(one, result)
                yield joined(one, point), scalar, right
    for _ in range(4):
        point = chance.randrange(p), chance.randrange(p)
        if point not in group.points:
            yield joined(one, point), 1, 0


def assert_right(one: Design, p: int, group: Group, seed: int) -> None:
    given = list(jobs(one, p, group, seed))
    with Simulator(one, seed, cycles=len(given) * int(one.geometry.interval_cycles)) as core:
        core.load_modulus(p)
        for stalls in (False, True):
            done = core.run([(point, scalar, 0) for point, scalar, _ in given], stalls=stalls)
            wrong = [
                (job, hex(result))
                for job, result in zip(given, done.results, strict=True)
                if result != job[2]
            ]
            assert not wrong and not done.faults, f"{one.command_line()} modulo {p}: {wrong[:3]}"
            if not stalls:
                waits = {b - a for a, b in zip(done.accepted, done.answered, strict=True)}
                assert waits == {one.geometry.latency_cycles}


def test_an_entry_of_the_table_keeps_its_place() -> None:
    """It lost it to a sum that nobody reads: a fifth of all jobs of this design was wrong."""
    group = edwards(79, 1, 68)
    settings: dict[str, Value] = {
        **group.settings, "order": 84, "window": 4, "multipliers": 3, "scalar_bits": 7, "chunk": 8,
        "blinding": 7,
    }  # fmt: skip
    assert_right(family("curve-productscan").design(7, settings), 79, group, 1)


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(SEED, SEED + DRAWN))]
)
def test_drawn_designs_multiply(seed: int) -> None:
    assert_right(*drawn(seed), seed)
