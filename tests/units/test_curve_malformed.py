# SPDX-License-Identifier: Apache-2.0
"""Malformed input on real curves: points that are none, coordinates at and above p, small orders,
scalars at the ends of their range; of signatures keys, nonces, hashes and what is verified. Each
gets its status and nothing else, in the same cycles, and the job behind it is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from random import Random
from typing import TypeVar

import pytest
from curve_simulator import CurveBench, Status
from malformed_points import Case, design, malformed, number_bits
from malformed_signatures import Job, malformed_signatures

from redcore.design import Design
from redcore.units.curve.curves import CURVES
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.form import SIGN, VERIFY

pytestmark = pytest.mark.kept

T = TypeVar("T", Case, Job)


def of_each_kind(
    kinds: dict[str, Callable[[Random], T]], good: Callable[[Random], T], count: int, choose: Random
) -> Iterator[T]:
    """Each kind with a right job behind it, and then again and again, in other orders."""

    def endless() -> Iterator[T]:
        for kind in kinds.values():
            yield kind(choose)
            yield good(choose)
        order, shuffle = list(kinds.values()), Random(1)
        while True:
            shuffle.shuffle(order)
            yield from (kind(choose) for kind in order)

    return islice(endless(), count)


def statuses(
    one: Design, name: str, jobs: Iterable[tuple[int, int, Status, int]], count: int
) -> dict[Status, int]:
    """How often each status is told of so many jobs and two more; each job with its operands, its
    status and its result."""
    assert isinstance(one.family, CurveUnit)
    prime = CURVES[name].prime
    constants = one.family.form(one.width, one.values, prime).constants()
    told = dict.fromkeys(Status, 0)
    took = set()
    with CurveBench(one, seed=count, jobs=count) as bench:
        bench.load(prime, *constants)
        for number, (a, b, status, result) in enumerate(jobs):
            begun = bench.cycle
            assert bench.multiply(a, b) == (status, result), (name, hex(a), hex(b))
            if number:  # the first one waits for the modulus
                took.add(bench.cycle - begun)
            assert not bench.err
            told[status] += 1
    assert len(took) == 1
    assert sum(told.values()) == count + 2
    return told


OFTEN = ("p256", "x25519", "ed25519")
"""Curves of which each kind is given in the quick tier."""


@pytest.mark.parametrize(
    ("name", "count"),
    [
        *((name, 2 * len(malformed(name).kinds)) for name in OFTEN),
        *(pytest.param(name, 1000, marks=pytest.mark.full) for name in CURVES),
    ],
)
def test_each_gets_its_status_and_the_next_job_is_right(name: str, count: int) -> None:
    given, bits, curve = malformed(name), number_bits(name), CURVES[name]
    good: Case = (curve.base, 0x123456789ABCDEF, Status.DONE)

    def joined(numbers: tuple[int, ...]) -> int:
        return sum(each << at * bits for at, each in enumerate(numbers))

    def jobs() -> Iterator[tuple[int, int, Status, int]]:
        every = of_each_kind(given.kinds, lambda _: good, count, Random(count))
        for point, scalar, status in chain([good], every, [good]):
            end = given.right(point, scalar) if status is Status.DONE else ()
            yield joined(point), scalar, status, joined(end)

    told = statuses(design(name), name, jobs(), count)
    assert min(told[each] for each in (Status.DONE, Status.RANGE, Status.ZERO)) >= count // 15


SIGNING = [name for name, one in CURVES.items() if one.signing]
SIGNATURES = {SIGN: 150, VERIFY: 300}
"""How many of them."""


@pytest.mark.parametrize(
    ("name", "task", "count"),
    [
        ("p256", VERIFY, 2 * len(malformed_signatures("p256", VERIFY))),
        *(
            pytest.param(name, task, count, marks=pytest.mark.full)
            for name in SIGNING
            for task, count in SIGNATURES.items()
        ),
    ],
)
def test_so_it_is_of_signatures(name: str, task: str, count: int) -> None:
    kinds, bits = malformed_signatures(name, task), number_bits(name)
    good, choose = kinds["right"], Random(count)

    def joined(numbers: tuple[int, ...]) -> int:
        return sum(each << at * bits for at, each in enumerate(numbers))

    def jobs() -> Iterator[tuple[int, int, Status, int]]:
        every = of_each_kind(kinds, good, count, choose)
        for first, second, status, result in chain([good(choose)], every, [good(choose)]):
            yield joined(first), joined(second), status, joined(result)

    assert count >= 2 * len(kinds)
    told = statuses(design(name, task), name, jobs(), count)
    assert min(told[Status.DONE], told[Status.RANGE]) >= count // 8
    assert (told[Status.FAULT] > 0) == (task == VERIFY)
