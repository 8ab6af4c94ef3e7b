# SPDX-License-Identifier: Apache-2.0
"""The prime tester: all numbers of 12 and of 16 bits, pseudoprimes, stalls, cycles, refusals.

Most tests put a stand-in in the place of the exponentiator (``prime_exp_stand_in.sv``).
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from gmpy2 import is_prime, next_prime
from prime_simulator import STAND_IN_CYCLES, PrimeBench, build_unit

from redcore import rtl
from redcore.errors import BadInput, CheckFailed
from redcore.simulate import refusal
from redcore.units.prime.model import (
    MAX_PRIMES,
    PRIME_BITS,
    PrimeTester,
    Reason,
    Verdict,
    fips_rounds,
    first_primes,
    strong_test,
)

pytestmark = pytest.mark.kept

# Jaeschke 1993: the first composite that passes the strong tests to the first k primes.
JAESCHKE = {
    1: 2047,
    2: 1373653,
    3: 25326001,
    4: 3215031751,
    5: 2152302898747,
    6: 3474749660383,
    7: 341550071728321,
}
# Arnault 1995: passes for all primes up to 31.
ARNAULT = 1195068768795265792518361315725116351898245581
# OEIS A001262 below 2^16.
PSEUDOPRIMES_TO_2 = [
    2047, 3277, 4033, 4681, 8321, 15841, 29341, 42799, 49141, 52633, 65281,
]  # fmt: skip


def compare(
    tester: PrimeTester, bench: PrimeBench, numbers: list[int], above: int = 0, **how: int
) -> list[Verdict]:
    """The hardware's answers are the model's, with the same reasons and, alone, cycles.

    ``above``: words of the exponentiator's face above the tester's.
    """
    answers = bench.run(numbers, **how)
    bits = iter(bench.bits)

    def exponentiation(length: int) -> int:
        return STAND_IN_CYCLES + 2 * (tester.beats + above - 1)

    expected = [tester.verdict(number, bits) for number in numbers]
    for number, answer, verdict in zip(numbers, answers, expected, strict=True):
        assert (answer.prime, answer.reason, answer.passed) == (
            verdict.prime,
            verdict.reason,
            verdict.passed,
        ), number
        if how.get("lone"):
            cycles = tester.cycles(number, verdict, exponentiation, load=above)
            assert answer.cycles == cycles, number
    assert next(bits, None) is None
    return expected


@pytest.mark.parametrize(
    ("word_bits", "beats", "above", "primes", "bases", "random_bases"),
    [
        (16, 1, 0, 0, 1, 0),
        (4, 4, 0, 9, 0, 1),
        (16, 1, 2, 0, 1, 1),
        (6, 3, 1, 9, 1, 1),
        pytest.param(17, 1, 0, 1, 2, 0, marks=pytest.mark.full),
        pytest.param(16, 1, 0, 53, 3, 1, marks=pytest.mark.full),
        pytest.param(6, 3, 0, 0, 40, 0, marks=pytest.mark.full),
    ],
)
def test_every_number_of_twelve_bits(
    word_bits: int,
    beats: int,
    above: int,
    primes: int,
    bases: int,
    random_bases: int,
    tmp_path: Path,
) -> None:
    tester = PrimeTester(16, word_bits, beats, primes, bases, random_bases)
    numbers = list(range(1 << 12))
    library = build_unit(tester, tmp_path, extra={"FaceBeats": beats + above})
    with PrimeBench(tester, library) as bench:
        expected = compare(tester, bench, numbers, above, lone=1, random_bits=400_000)
    wrong = {
        n for n, verdict in zip(numbers, expected, strict=True) if verdict.prime != is_prime(n)
    }
    if random_bases == 0:
        assert wrong == ({2047, 3277, 4033} if (primes, bases) == (0, 1) else set())


@pytest.mark.full
@pytest.mark.parametrize(
    ("primes", "bases", "count"), [(0, 1, 11), (0, 2, 0), (1, 1, 11), (53, 1, 0)]
)
def test_every_number_of_sixteen_bits(primes: int, bases: int, count: int, tmp_path: Path) -> None:
    """Exactly the strong pseudoprimes to the bases are answered wrongly, as the page lists them."""
    tester = PrimeTester(16, 16, 1, primes, bases, 0, threads=2)
    numbers = list(range(1 << 16))
    with PrimeBench(tester, build_unit(tester, tmp_path)) as bench:
        answers = bench.run(numbers)
    wrong = [n for n, answer in zip(numbers, answers, strict=True) if answer.prime != is_prime(n)]
    divisors = first_primes(max(primes, 1) + 1)[1:] if primes else []
    known = [
        n
        for n in range(5, 1 << 16, 2)
        if not is_prime(n)
        and all(n % prime for prime in divisors)
        and all(strong_test(n, base).passed for base in first_primes(bases))
    ]
    assert wrong == known and len(known) == count
    if (primes, bases) == (0, 1):
        assert wrong == PSEUDOPRIMES_TO_2


def hard_numbers(choose: random.Random) -> list[int]:
    """Of up to 64 bits: Carmichael numbers, pseudoprimes, squares, edges, random ones."""
    numbers = [0, 1, 2, 3, 4, 5, 9, 25, 2**64 - 1, 2**64 - 59, 2**63, 2**63 + 1, 2**61 - 1]
    numbers += [561, 1105, 1729, 2465, 2821, 6601, 8911, 825265, 321197185, 9746347772161]
    numbers += [*JAESCHKE.values(), 3825123056546413051, 18446744073709551557]
    # s as large as it gets
    numbers += [
        65537,
        3 * 2**30 + 1,
        5 * 2**55 + 1,
        2**32 + 1,
        257,
        641 * 6700417,
        2**63 + 2**62 + 1,
    ]
    for bits in (9, 12, 17, 24, 32):
        prime = int(next_prime(choose.getrandbits(bits) | 1 << (bits - 1)))
        numbers += [prime, prime * prime % 2**64, prime * int(next_prime(prime)) % 2**64]
    numbers += [choose.getrandbits(64) | 1 for _ in range(40)]
    numbers += [int(next_prime(choose.getrandbits(choose.randrange(8, 64)))) for _ in range(20)]
    return numbers


@pytest.mark.parametrize(
    ("word_bits", "beats", "primes", "bases", "random_bases", "threads", "wild"),
    [
        (22, 3, 1, 2, 2, 3, True),
        (66, 1, 20, 12, 0, 1, False),
        pytest.param(8, 8, 0, 1, 3, 4, True, marks=pytest.mark.full),
        pytest.param(64, 1, 0, 60, 0, 2, True, marks=pytest.mark.full),
        pytest.param(66, 1, 20, 12, 0, 1, True, marks=pytest.mark.full),
    ],
)
def test_hard_numbers_in_order_under_stalls(
    word_bits: int,
    beats: int,
    primes: int,
    bases: int,
    random_bases: int,
    threads: int,
    wild: bool,
    tmp_path: Path,
) -> None:
    tester = PrimeTester(64, word_bits, beats, primes, bases, random_bases, threads)
    choose = random.Random(word_bits)
    numbers = hard_numbers(choose) * 2
    choose.shuffle(numbers)
    with PrimeBench(tester, build_unit(tester, tmp_path, wild=wild), seed=7) as bench:
        for stalls in (False, True):
            answers = bench.run(numbers, stalls=stalls, random_bits=200_000)
            for number, answer in zip(numbers, answers, strict=True):
                if not random_bases:
                    verdict = tester.verdict(number)
                    told = (answer.prime, answer.reason, answer.passed)
                    assert told == (verdict.prime, verdict.reason, verdict.passed), number
                elif number not in (*JAESCHKE.values(), 3825123056546413051):
                    # Which base tells depends on the bits, but these bases tell.
                    assert answer.prime == is_prime(number), number
            if threads == 1 or not random_bases:
                continue
            # Bits are shared in the order of the draws; all of them were used for bases.
            assert bench.bits and len(bench.bits) < 200_000


@pytest.mark.parametrize("bases", [1, 4])
def test_first_number_that_passes(bases: int, tmp_path: Path) -> None:
    """Jaeschke's psi: the first composite that passes the strong tests to the first k primes."""
    tester = PrimeTester(64, 64, 1, 0, bases)
    psi = JAESCHKE[bases]
    with PrimeBench(tester, build_unit(tester, tmp_path)) as bench:
        (answer,) = bench.run([psi])
        assert answer.prime and answer.reason == Reason.PASSED and not is_prime(psi)
        below = list(range(psi - 400, psi))
        for number, told in zip(below, bench.run(below), strict=True):
            assert told.prime == is_prime(number)


@pytest.mark.full
def test_arnault(tmp_path: Path) -> None:
    """A composite that passes for all primes up to 31; 37 tells. So does a random base, mostly."""
    assert not is_prime(ARNAULT) and ARNAULT.bit_length() == 150
    for bases, prime in ((11, True), (12, False)):
        tester = PrimeTester(150, 152, 1, 53, bases)
        with PrimeBench(tester, build_unit(tester, tmp_path)) as bench:
            (answer,) = compare(tester, bench, [ARNAULT], lone=1)
        assert answer.prime == prime and answer.passed == 11


@pytest.mark.full
def test_random_bases_are_spread_evenly(tmp_path: Path) -> None:
    """Every base within 2 to n - 2 as often as it may be: those that lie, for n = 4033."""
    number = 4033
    liars = [base for base in range(2, number - 1) if strong_test(number, base).passed]
    tester = PrimeTester(16, 16, 1, 0, 0, 1)
    with PrimeBench(tester, build_unit(tester, tmp_path), seed=3) as bench:
        expected = compare(tester, bench, [number] * 6000, random_bits=300_000)
    share = sum(verdict.prime for verdict in expected) / len(expected)
    assert abs(share - len(liars) / (number - 3)) < 0.02


def test_candidates_past_the_width_and_wrong_last(tmp_path: Path) -> None:
    tester = PrimeTester(10, 4, 4, 5, 2)
    library = build_unit(tester, tmp_path, extra={"Checks": 1})
    with PrimeBench(tester, library) as bench:
        compare(tester, bench, list(range(1024)), lone=1)
        assert not bench.err
        compare(tester, bench, [1023, 1024, 1021, 3 << 12, 65535, 1019], lone=1)
        assert bench.err
        bench.reset()
        compare(tester, bench, [1021])
        assert not bench.err


def test_a_tester_works_after_a_reset_in_the_middle(tmp_path: Path) -> None:
    tester = PrimeTester(16, 8, 2, 3, 3, 1, threads=2)
    with PrimeBench(tester, build_unit(tester, tmp_path)) as bench:
        for length in range(5, 400, 13):
            with pytest.raises(CheckFailed, match="no handshake"):
                bench.run([65521, 65519, 4033] * 40, random_bits=4000, patience=2, stalls=True)
            bench.bits = []
            bench.reset()
            numbers = [65521, length, 65497, 0, 4033]
            told = bench.run(numbers, random_bits=4000)
            assert [answer.prime for answer in told] == [is_prime(number) for number in numbers]


SEEDS = {
    "a root of 1 passes": ("thread", "equal_q | (is_one_q & ~squaring_q)", "equal_q | is_one_q"),
    "a squaring too few": ("thread", "squares_none_q <= squares_q == '0",
                           "squares_none_q <= squares_q <= LengthBits'(1)"),
    "n - 1 is not seen": ("thread", "passes      = equal_q | ", "passes      = "),
    "n is its own base": ("thread", "small_q & (low_q == base)", "1'b0"),
    "the base n - 1": ("thread", "number_top & ~drawn_q);", "~drawn_q);"),
    "the base 1": ("thread", "in_range_q <= above_q & (", "in_range_q <= ("),
    "one place too far": ("thread", "<= PlaceBits'(Bits) - PlaceBits'(twos_q);",
                          "<= PlaceBits'(Bits) - PlaceBits'(twos_q) - 1'b1;"),
    "s counts the lowest bit": ("trial", "high = top & ~last_q", "high = top"),
    "numbers on the list": ("trial", "if (match_q || large_q", "if (large_q"),
    "a bit of the length too few": ("trial", "length_q + LengthBits'(seen_q)",
                                    "length_q + LengthBits'(before_q)"),
    "an answer twice": ("answers", "some_q & ~get & ~got_q", "some_q & ~get"),
    "one place for all moduli": ("tester", "mod_last[mod_thread], mod_thread}",
                                 "mod_last[mod_thread], IndexBits'(0)}"),
    "results to the wrong thread": ("tester", ".data_i(exp_thread)", ".data_i('0)"),
    "a longer queue than there is": ("answers", "(fill_q == count_t'(Last))", "1'b0"),
}  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_a_seeded_bug_is_found(seed: str, tmp_path: Path) -> None:
    """What the tests above look at is enough to see each of these."""
    unit, right, wrong = SEEDS[seed]
    text = (rtl.rtl_folder() / f"redc_prime_{unit}.sv").read_text(encoding="utf-8")
    assert text.count(right) == 1
    replace = {f"redc_prime_{unit}.sv": text.replace(right, wrong)}
    found = []
    for number, (primes, bases, random_bases, threads) in enumerate(
        [(0, 1, 0, 1), (1, 4, 0, 3), (0, 0, 1, 1)]
    ):
        tester = PrimeTester(16, 16, 1, primes, bases, random_bases, threads)
        folder = tmp_path / str(number)
        folder.mkdir()
        # a queue that several threads fill
        queue = {"Queue": 4} if threads > 1 else {}
        library = build_unit(tester, folder, extra=queue, replace=replace)
        with PrimeBench(tester, library) as bench:
            try:
                numbers = list(range(1 << 12))
                compare(tester, bench, numbers, lone=int(threads == 1), random_bits=200_000)
            except (AssertionError, CheckFailed, StopIteration) as fault:
                found.append(fault)
    assert found


REFUSED = [
    ({"Width": 7}, "Width=7"),
    ({"Width": 17}, "Width=17"),
    ({"WordBits": 1, "Beats": 16}, "WordBits=1"),
    ({"Primes": 256}, "Primes=256"),
    ({"Bases": 257}, "Bases=257"),
    ({"Bases": 0, "RandomBases": 0}, "or none at all"),
    ({"RandomBases": 1025}, "RandomBases=1025"),
    ({"Threads": 0}, "Threads=0"),
    ({"Threads": 65}, "Threads=65"),
    ({"Beats": 2, "FaceBeats": 1}, "FaceBeats=1 is below Beats=2"),
    ({"Checks": 2}, "Checks=2"),
]


@pytest.mark.parametrize(("change", "words"), REFUSED, ids=lambda value: str(value))
def test_illegal_parameters_are_refused(change: dict[str, int], words: str) -> None:
    sources = rtl.sources("redc_prime_tester")
    legal = dict(PrimeTester(16, 16, 1, 5, 1).rtl_parameters())
    assert refusal(sources, "redc_prime_tester", legal) is None
    told = refusal(sources, "redc_prime_tester", {**legal, **change})
    assert told is not None and "redc_prime_tester: " in told and words in told
    if not {"Checks", "FaceBeats"} & change.keys():
        names = {"Width": "width", "WordBits": "word_bits", "Beats": "beats", "Primes": "primes",
                 "Bases": "bases", "RandomBases": "random_bases", "Threads": "threads"}  # fmt: skip
        values = {names[name]: value for name, value in {**legal, **change}.items()}
        with pytest.raises(BadInput):
            PrimeTester(**values).check()


def test_package_and_model_hold_the_same_primes(tmp_path: Path) -> None:
    """And the same numbers of rounds: the package refuses to elaborate where one differs."""
    table = ", ".join(f"11'd{prime}" for prime in reversed(first_primes(MAX_PRIMES)))
    checks = [f'if (redc_prime_pkg::FirstPrimes != {{{table}}}) $error("primes");']
    checks += [
        f'if (redc_prime_pkg::fips_rounds({width}) != {fips_rounds(width)}) $error("{width}");'
        for width in (8, 511, 512, 1023, 1024, 1535, 1536, 4096)
    ]
    assert max(first_primes(MAX_PRIMES)).bit_length() == PRIME_BITS
    top = tmp_path / "top.sv"
    top.write_text("module top; " + "\n".join(checks) + "\nendmodule\n", encoding="utf-8")
    assert refusal([*rtl.sources("redc_prime_pkg"), top], "top", {}) is None
    top.write_text(top.read_text().replace("11'd1619", "11'd1617"), encoding="utf-8")
    told = refusal([*rtl.sources("redc_prime_pkg"), top], "top", {})
    assert told is not None and "primes" in told
