# SPDX-License-Identifier: Apache-2.0
"""A curve processor that takes any numbers, with its status and its state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from redcore.design import Design
from redcore.simulate import Simulator
from redcore.units.curve.family import CurveUnit
from redcore.verify.unit_checks.curve_bench import CurveBench, Status, cycles_of

__all__ = ["CurveBench", "Status", "cycles_of"]


def joined(one: Design, point: Sequence[int]) -> int:
    """Numbers as they travel."""
    assert isinstance(one.family, CurveUnit)
    return one.family.joined(one.width, one.values, tuple(point))


def of_source(name: str) -> bool:
    """Whether that is no state of jobs: a random bit at its port, or what the test of the source
    counts, which goes on from job to job."""
    return any(part in name for part in ("u_repetition", "rnd_data_i", "u_random.random"))


def of_jobs(state: dict[str, str]) -> dict[str, str]:
    """Of a state, what jobs leave."""
    return {name: text for name, text in state.items() if not of_source(name)}


STALLED = [200, pytest.param(1000, marks=pytest.mark.full)]
"""How many of a thousand jobs a test gives with stalls, too: of its tier."""


def same_cycles(
    one: Design, prime: int, jobs: Sequence[tuple[int, int]], stalled: int = 200
) -> list[int]:
    """Results of jobs, points and scalars, all right, each in the stated cycles; the first
    ``stalled`` with stalls, too."""
    with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
        core.load_modulus(prime)
        done = core.run([(point, scalar, 0) for point, scalar in jobs])
    right = [one.product(point, scalar, prime) for point, scalar in jobs]
    assert done.results == right and not done.faults
    cycles = {b - a for a, b in zip(done.accepted, done.answered, strict=True)}
    assert cycles == {one.geometry.latency_cycles}
    assert {b - a for a, b in pairwise(done.accepted)} == {one.geometry.interval_cycles}
    few = min(stalled, len(jobs) // 2 * 2)
    assert same_cycles_under_stalls(one, prime, jobs[:few]) == right[:few]
    return right


OFTEN = ("csa", "cios", "tableserial", "fold", "solinas")
"""Multipliers whose curves every test of the quick tier has: one of one word, one of several, one
whose operands come in words, those of one prime. The others are there with the ladder alone."""


def tier(multiplier: str) -> list[pytest.MarkDecorator]:
    """The marks of a test that takes every multiplier, for one of them."""
    return [] if multiplier in OFTEN else [pytest.mark.full]


def on_multipliers(designs: Iterable[Design]) -> list[Any]:
    """Designs for ``parametrize``; what is not OFTEN is in the full tier."""
    return [
        pytest.param(one, marks=tier(one.family.name.removeprefix("curve-"))) for one in designs
    ]


def same_cycles_under_stalls(
    one: Design,
    prime: int,
    jobs: Sequence[tuple[int, int]],
    sources: Sequence[Path] | None = None,
) -> list[int]:
    """Results of jobs, an even number: the other half meets the stalls that the first half met, of
    operands, results and random bits, and is accepted and answered in the same cycles."""
    half = len(jobs) // 2
    assert half and len(jobs) == 2 * half
    results: list[int] = []
    times = []
    for given in (jobs[:half], jobs[half:]):
        # One seed: what stalls is the same.
        with Simulator(one, 1, sources, cycles=cycles_of(one, len(jobs))) as core:
            core.load_modulus(prime)
            done = core.run([(point, scalar, 0) for point, scalar in given], stalls=True)
        assert not done.faults
        results += done.results
        times.append((done.accepted, done.answered, done.cycles))
    assert times[0] == times[1], "other cycles under the same stalls"
    waits = {b - a for a, b in zip(times[0][0], times[0][1], strict=True)}
    assert len(waits) > 1 or half < 4  # it stalled
    return results
