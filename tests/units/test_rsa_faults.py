# SPDX-License-Identifier: Apache-2.0
"""Bits of registers turned in a private operation, steps skipped: no wrong result leaves."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.studies.faults import (
    SMALL,
    Faults,
    Flip,
    control,
    everywhere,
)

from redcore.catalogue import family
from redcore.units.rsa.model import Rsa, Status

pytestmark = pytest.mark.kept


def made(name: str = "csa", replaced: tuple[Path, ...] = ()) -> Faults:
    multiplier = family(name).design(16, {"moduli": 3})
    return Faults(Rsa.on(multiplier, **SMALL), multiplier, replaced)


@pytest.fixture(scope="module")
def faults() -> Iterator[Faults]:
    with made() as unit:
        yield unit


def test_no_wrong_result_leaves(faults: Faults) -> None:
    """A sample of the study (`python -m benchmarks faults`); the operation behind some is right."""
    counts: Counter[str] = Counter()
    for number, flip in enumerate(faults.some(600, seed=7)):
        outcome = faults.outcome(flip)
        counts[outcome] += 1
        assert outcome != "wrong out", flip
        if outcome == "reported" and number % 8 == 0:
            assert faults.following() == (Status.OK, True), flip
    assert counts["no answer"] <= 3, counts
    assert counts["reported"] > 20 and counts["masked"] > 200, counts


SEQUENCER = ("fetch_q", "read_address_q", "following_q", "target_q", "stack_q", "is_q", "ins_q")


@pytest.mark.parametrize("name", SEQUENCER)
def test_a_bit_that_moves_the_program_is_a_fault(faults: Faults, name: str) -> None:
    """In one cycle of sixteen, each bit from another one on."""
    register, found = faults.register(f".i_sequencer.{name}"), Counter[str]()
    for bit in range(register.bits):
        found += faults.every(register, 0, bit, bit % 16, 16)
    assert set(found) <= {"masked", "reported"}, found
    assert found["reported"] > found["masked"], found


def test_a_step_skipped_or_repeated_lets_nothing_wrong_out(faults: Faults) -> None:
    """Whatever the parities say: they are turned, too."""
    steps = faults.steps()
    outcomes = Counter(faults.outcome(*faults.skipped(cycle)) for cycle in steps[::2])
    twice = [*pairwise(steps)][1::2]
    outcomes.update(faults.outcome(*faults.repeated(before, cycle)) for before, cycle in twice)
    assert set(outcomes) <= {"masked", "reported"}, outcomes
    assert outcomes["reported"] > 100, outcomes


def test_a_turned_bit_is_seen_by_the_logic_behind_it(faults: Faults) -> None:
    """What is turned is the register: a bit of the key in memory makes the operation fail."""
    memory = max(
        (each for each in faults.registers if "memory_q" in each.name),
        key=lambda each: each.elements,
    )
    found = Counter(
        faults.outcome(Flip(0, memory, element, 0)) for element in range(memory.elements)
    )
    assert found["reported"] >= 4, found


@pytest.mark.full
@pytest.mark.parametrize("name", ["csa", "cios"])
def test_no_bit_of_control_lets_a_wrong_result_out(name: str) -> None:
    with made(name) as unit:
        for place, outcome, _ in control(unit):
            assert outcome != "wrong out", place


@pytest.mark.full
def test_no_bit_lets_a_wrong_result_out(faults: Faults) -> None:
    for place, outcome, _ in everywhere(faults):
        assert outcome != "wrong out", place
