# SPDX-License-Identifier: Apache-2.0
"""What ``redc_curve`` and the multiplier beside it hold after a job: nothing of its operands.

Every register and every memory word of the composed top is compared by name.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from curve_simulator import CurveBench, Status

from redcore.catalogue import family
from redcore.families import registered

pytestmark = pytest.mark.kept

PRIME, CONSTANT = 65521, 5
WAIT = 4000


def same(found: Mapping[str, str], expected: Mapping[str, str]) -> None:
    differing = [name for name in expected if found[name] != expected[name]]
    assert found.keys() == expected.keys()
    told = [f"{name}: {found[name][:60]} {expected[name][:60]}" for name in differing]
    assert not told, "\n".join(told)


@pytest.mark.parametrize("multiplier", registered())
def test_nothing_of_a_job_is_left(multiplier: str) -> None:
    """Of any two jobs, of refused ones, and of one that a reset cut short."""
    design = family(f"curve-{multiplier}").design(16)
    with CurveBench(design, visible=True) as bench:

        def after(*jobs: tuple[int, int, Status]) -> dict[str, str]:
            bench.reset()
            bench.load(PRIME, CONSTANT)
            for u, scalar, status in jobs:
                assert bench.multiply(u, scalar)[0] is status
            bench.wait(WAIT)
            return bench.state()

        one = after((1234, 0x8765, Status.DONE))
        same(after((4321, 0xFFFF, Status.DONE)), one)
        same(after((PRIME, 0x8765, Status.RANGE)), one)
        same(after((0, 0x8765, Status.ZERO)), one)
        two = after((77, 2, Status.DONE), (4321, 0xFFFF, Status.DONE))
        same(after((0, 3, Status.ZERO), (1234, 0x8765, Status.DONE)), two)


@pytest.mark.parametrize("multiplier", registered())
@pytest.mark.parametrize("when", [40, 1111, 3333])
def test_nothing_of_a_job_is_left_that_a_reset_cuts_short(multiplier: str, when: int) -> None:
    design = family(f"curve-{multiplier}").design(16)

    def after(u: int, scalar: int) -> dict[str, str]:
        with CurveBench(design, visible=True) as bench:
            bench.load(PRIME, CONSTANT)
            assert bench.give(True, [u], [scalar], 100_000)
            bench.wait(when)
            bench.reset()
            bench.wait(WAIT)
            return bench.state()

    same(after(4321, 0xFFFF), after(1234, 0x8765))
