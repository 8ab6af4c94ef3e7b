# SPDX-License-Identifier: Apache-2.0
"""Bits of registers turned in a job of a curve processor: what the check of the result sees."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.studies.faults import CurveFaults, Flip, sampled

pytestmark = pytest.mark.kept


@pytest.fixture(scope="module")
def faults() -> Iterator[CurveFaults]:
    with CurveFaults("curve-csa") as unit:
        yield unit


def test_a_turned_bit_gives_nothing_that_is_no_point(faults: CurveFaults) -> None:
    """A sample of the study (`python -m benchmarks faults`); the job behind some is right."""
    counts: Counter[str] = Counter()
    for number, flip in enumerate(faults.some(150, seed=11)):
        outcome = faults.outcome(flip)
        counts[outcome] += 1
        assert outcome != "wrong out", flip
        if outcome == "reported":
            assert number % 4 or faults.goes_on(), flip
    assert counts["reported"] > 3 and counts["masked"] > 80, counts


def test_a_turned_bit_of_the_scalar_gives_another_point(faults: CurveFaults) -> None:
    """That is no fault that the curve's equation shows."""
    bits = faults.register(".u_bits.gen_port[0].gen_whole.gen_distributed.memory_q")
    found = {faults.outcome(Flip(faults.cycles // 2, bits, 0, bit)) for bit in range(bits.bits)}
    assert "another point" in found and "wrong out" not in found, found


@pytest.mark.full
def test_a_larger_sample_gives_nothing_that_is_no_point(faults: CurveFaults) -> None:
    for place, outcome, _ in sampled(faults):
        assert outcome not in ("wrong out", "following wrong"), place
