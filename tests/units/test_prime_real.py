# SPDX-License-Identifier: Apache-2.0
"""Prime tester and generator on the real exponentiator and real multipliers."""

from __future__ import annotations

import random
from pathlib import Path
from statistics import mean

import pytest
from gmpy2 import gcd, is_prime, next_prime
from prime_simulator import PrimeBench, build_unit, exponentiator

from redcore.catalogue import family, general
from redcore.units.exp.family import METHODS_ON_ONE
from redcore.units.exp.schedule import job_cycles
from redcore.units.prime.model import PrimeGenerator, PrimeTester, Reason, strong_test

pytestmark = pytest.mark.kept

THESIS = {"stages": 2, "replicas": 4, "final_sub": 0, "add_stages": 4}
"""Le Masle 2009, table 5.4: p = 2, r = 4, adders cut in four."""
THESIS_MEAN_CYCLES = 407_550
"""Its 3.3 ms at 123.5 MHz."""
# Arnault 1995: 397 digits, passes the strong test to every prime below 307.
ARNAULT_P = int(
    "29674495668685510550154174642905332730771991799853043350995075531276838753171770199594238596"
    "428121188033664754218345562493168782883"
)
ARNAULT = ARNAULT_P * (313 * (ARNAULT_P - 1) + 1) * (353 * (ARNAULT_P - 1) + 1)

MULTIPLIERS = general()


@pytest.mark.full
@pytest.mark.parametrize("name", MULTIPLIERS)
def test_on_every_multiplier(name: str, tmp_path: Path) -> None:
    """All numbers of nine bits, and random ones of the width, two at a time, under stalls."""
    width = max(18, family(name).minimum_width)
    multiplier = family(name).design(width, {"moduli": 2})
    geometry = multiplier.geometry
    tester = PrimeTester(width, geometry.word_bits, geometry.beats, 4, 2, 1, threads=2)
    choose = random.Random(width)
    numbers = [*range(1 << 9), *(choose.getrandbits(width) | 1 for _ in range(80))]
    beside = exponentiator(multiplier, threads=2)
    with PrimeBench(tester, build_unit(tester, tmp_path, beside)) as bench:
        for stalls in (False, True):
            answers = bench.run(numbers, stalls=stalls, random_bits=40_000)
            assert [answer.prime for answer in answers] == [is_prime(n) for n in numbers]


@pytest.mark.full
@pytest.mark.parametrize("method", METHODS_ON_ONE)
@pytest.mark.parametrize("name", ["interleaved", "csa", "cios"])
def test_cycles_follow_from_the_exponentiator_s(name: str, method: str, tmp_path: Path) -> None:
    """Exactly where the multiplier is always ready; else but for waits to be in step with it."""
    width = 40
    multiplier = family(name).design(width)
    geometry = multiplier.geometry
    tester = PrimeTester(width, geometry.word_bits, geometry.beats, 3, 5)
    choose = random.Random(3)
    numbers = [choose.getrandbits(width) | 1 for _ in range(100)]
    numbers += [int(next_prime(number)) for number in numbers[:6]]

    def exponentiation(length: int) -> int:
        return int(job_cycles(multiplier, 1, method, width, length, 4)[0])

    beside = exponentiator(multiplier, method=method)
    with PrimeBench(tester, build_unit(tester, tmp_path, beside)) as bench:
        answers = bench.run(numbers, lone=True)
    waits = set()
    for number, answer in zip(numbers, answers, strict=True):
        verdict = tester.verdict(number)
        assert answer.prime == verdict.prime
        jobs = len(verdict.rounds) + sum(entry.squarings for entry in verdict.rounds)
        wait = answer.cycles - tester.cycles(number, verdict, exponentiation)
        if jobs:
            waits.add(wait if name == "interleaved" else wait // (4 * width + 8 * jobs))
        else:
            assert wait == 0
    if name == "interleaved":
        assert len(waits) == 1
    else:
        # R^2 mod m and the modulus: at most some passes over the width.
        assert max(waits) <= 4


@pytest.mark.full
def test_512_bits_beside_the_thesis(tmp_path: Path) -> None:
    """Primes and products of two; random numbers in far fewer cycles than in table 5.4."""
    multiplier = family("csa").design(512, THESIS)
    geometry = multiplier.geometry
    tester = PrimeTester(512, geometry.word_bits, geometry.beats, 53, 5)
    choose = random.Random(1)
    primes = [int(next_prime(choose.getrandbits(512) | 1 << 511)) for _ in range(2)]
    products = [
        int(next_prime(choose.getrandbits(256))) * int(next_prime(choose.getrandbits(256)))
        for _ in range(3)
    ]
    # The source's goes right to left.
    beside = exponentiator(multiplier, method="rtl")
    with PrimeBench(tester, build_unit(tester, tmp_path, beside)) as bench:
        answers = bench.run([*primes, *products], lone=True)
        assert [answer.prime for answer in answers] == [True] * 2 + [False] * 3
        assert all(answer.reason == Reason.WITNESS for answer in answers[2:])
        assert mean(answer.cycles for answer in answers[:2]) < THESIS_MEAN_CYCLES
        numbers = [choose.getrandbits(512) | 1 << 511 | 1 for _ in range(100)]
        answers = bench.run(numbers, lone=True)
        assert [answer.prime for answer in answers] == [is_prime(number) for number in numbers]
        assert mean(answer.cycles for answer in answers) < THESIS_MEAN_CYCLES / 10


@pytest.mark.full
def test_arnault_s_number_of_397_digits(tmp_path: Path) -> None:
    """Passes for 20 primes (and for 62, in three times the time); random bases tell."""
    assert not is_prime(ARNAULT) and strong_test(ARNAULT, 293).passed
    width = ARNAULT.bit_length()
    multiplier = family("csa").design(width, {"stages": 2, "replicas": 16, "final_sub": 0})
    geometry = multiplier.geometry
    for bases, random_bases, prime in ((20, 0, True), (1, 8, False)):
        tester = PrimeTester(width, geometry.word_bits, geometry.beats, 53, bases, random_bases)
        folder = tmp_path / str(bases)
        folder.mkdir()
        with PrimeBench(tester, build_unit(tester, folder, exponentiator(multiplier))) as bench:
            (answer,) = bench.run([ARNAULT], random_bits=30_000, patience=10**9)
        assert answer.prime == prime


@pytest.mark.full
@pytest.mark.parametrize(("width", "count"), [(64, 20), (256, 3), (512, 2)])
def test_generated_primes(width: int, count: int, tmp_path: Path) -> None:
    multiplier = family("csa").design(width, THESIS)
    geometry = multiplier.geometry
    generator = PrimeGenerator(width, geometry.word_bits, geometry.beats)
    with PrimeBench(generator, build_unit(generator, tmp_path, exponentiator(multiplier))) as bench:
        found = bench.generate(count, random_bits=400_000, patience=10**8)
    bits = iter(bench.bits)
    for one in found:
        search = generator.search(bits)
        assert (one.prime, one.count, one.tested) == (search.prime, search.count, search.tested)
        assert is_prime(one.prime) and one.prime >> (width - 2) == 3
        assert gcd(one.prime - 1, 65537) == 1
