# SPDX-License-Identifier: Apache-2.0
"""Several prime testers or generators behind one face: numbers in turn, answers in order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import repeat
from pathlib import Path

import pytest
from gmpy2 import is_prime, next_prime

from redcore import rtl
from redcore.catalogue import family
from redcore.design import Design, Value
from redcore.errors import CheckFailed
from redcore.simulate import compile as build
from redcore.simulate.compile import BRIEF_CYCLES
from redcore.units.prime.bench import PrimeBench, compiled
from redcore.units.prime.copies import SeveralPrime
from redcore.units.prime.model import Reason
from redcore.units.prime.run import check_prime, generate_prime
from redcore.units.random_bits import RandomBits

pytestmark = pytest.mark.kept

LIMIT = 64
"""So many equal random bits in a row are too many."""


def _testers(copies: int, **settings: Value) -> Design:
    own = {"primes": 3, "bases": 2, "word": 8, "copies": copies, **settings}
    return family("prime-cios").design(24, own)


def generators(copies: int) -> Design:
    own: dict[str, Value] = {"primes": 3, "random_bases": 3, "public_exponent": 3}
    return family("prime-gen-csa").design(24, {**own, "copies": copies})


def opened(design: Design, replaced: Sequence[Path] = (), seed: int = 1) -> PrimeBench:
    assert isinstance(design.family, SeveralPrime)
    files = design.family.bench_sources(design.width, design.values)
    unit = design.family.unit(design.width, design.values)
    return PrimeBench(unit, compiled(files, replaced, BRIEF_CYCLES), seed)


def candidates(count: int) -> list[int]:
    choose = random.Random(count)
    odd = [choose.getrandbits(24) | 1 for _ in range(count)]
    return [int(next_prime(n)) % (1 << 24) if k % 3 == 0 else n for k, n in enumerate(odd)]


@pytest.mark.parametrize("settings", [{}, {"threads": 2}, {"random_bases": 2}], ids=str)
@pytest.mark.parametrize("copies", [2, 3])
def test_candidates_side_by_side_are_answered_in_order(
    copies: int, settings: dict[str, Value]
) -> None:
    numbers = candidates(90)
    with opened(_testers(copies, **settings)) as bench:
        for stalls in (False, True):
            answers = bench.run(numbers, stalls, random_bits=1 << 16)
            # The first two primes let 2047 and the like through, and none of these.
            assert [each.prime for each in answers] == [is_prime(n) for n in numbers]
            assert not bench.err


def test_they_test_so_many_times_as_often() -> None:
    prime = (1 << 24) - 3
    assert is_prime(prime)
    took = []
    for copies in (2, 4):
        with opened(_testers(copies)) as bench:
            bench.run([prime] * 40)
            took.append(bench.cycles)
    assert took[0] / took[1] == pytest.approx(2, rel=0.1)
    two, one = (_testers(copies).geometry.interval_cycles for copies in (4, 2))
    assert two * 2 == one


def test_primes_side_by_side_are_primes() -> None:
    with opened(generators(3)) as bench:
        alone = sum(found.cycles for found in bench.generate(12))
        for stalls in (False, True):
            found = bench.generate(30, stalls, lone=False)
            assert all(is_prime(each.prime) and each.prime >> 22 == 3 for each in found)
            assert len({each.prime for each in found}) > 20
            assert not bench.err
            if not stalls:
                # Those that are done wait for the one before, and searches are unlike.
                assert bench.cycles / 30 < alone / 12 / 1.3


@pytest.mark.parametrize("level", [0, 1])
def test_a_stuck_source_is_told_whoever_takes_its_bits(level: int) -> None:
    with opened(generators(3)) as bench:
        alive = [next(bit) for bit in repeat(RandomBits.seeded(3), 200)]
        with pytest.raises(CheckFailed):
            bench.generate(1000, random_bits=[*alive, *[level] * 1000], patience=20_000, lone=False)
        assert bench.err
        run = next(k for k, bit in enumerate(reversed(bench.bits)) if bit != level)
        assert run == LIMIT


def test_each_is_run_by_its_command() -> None:
    assert check_prime(_testers(2), 16777213).prime
    assert check_prime(_testers(2), 16777215).reason == Reason.TRIAL.name.lower()
    assert is_prime(generate_prime(generators(2)).prime)


@pytest.mark.parametrize(
    ("module", "parameters", "told"),
    [
        ("redc_prim_turns", {"Copies": 0}, "Copies=0 is not within 1 to 1024"),
        ("redc_prim_turns", {"Copies": 1025}, "Copies=1025 is not within 1 to 1024"),
        ("redc_prim_turns", {"Bits": 0}, "Bits=0 is below 1"),
        ("redc_random_share", {"Users": 0}, "Users=0 is below 1"),
        ("redc_random_share", {"Repetition": 2}, "Repetition=2 is neither 0 nor 1"),
    ],
)
def test_illegal_parameters_are_refused(module: str, parameters: dict[str, int], told: str) -> None:
    with pytest.raises(CheckFailed, match=f"{module}: {told}"):
        build.library(rtl.sources(module), module, parameters)


SEEDED = {
    "results from whoever is ready": (
        "redc_prim_turns", "|(copy_out_valid_i & out_turn_q);", "|copy_out_valid_i;"
    ),
    "the turn goes on at every word": (
        "redc_prim_turns", "in_valid_i & in_ready_o & in_last_i", "in_valid_i & in_ready_o"
    ),
    "a stuck source is used on": (
        "redc_random_share", "rnd_ready_o = ~stuck_o & (|user_ready_i);",
        "rnd_ready_o = |user_ready_i;",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SEEDED)
def test_seeded_faults_are_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, text, other = SEEDED[name]
    source = (rtl.rtl_folder() / f"{module}.sv").read_text(encoding="utf-8")
    assert source.count(text) == 1
    (tmp_path / f"{module}.sv").write_text(source.replace(text, other), encoding="utf-8")
    plain = opened

    def changed(design: Design, replaced: Sequence[Path] = (), seed: int = 1) -> PrimeBench:
        return plain(design, [*replaced, tmp_path / f"{module}.sv"], seed)

    monkeypatch.setitem(globals(), "opened", changed)
    with pytest.raises((AssertionError, CheckFailed)):
        test_candidates_side_by_side_are_answered_in_order(2, {})
        test_a_stuck_source_is_told_whoever_takes_its_bits(0)
