# SPDX-License-Identifier: Apache-2.0
"""The prime generator: its primes are the model's, bit for bit of the random source; refusals."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from gmpy2 import gcd, is_prime
from prime_simulator import STAND_IN_CYCLES, Found, PrimeBench, build_unit

from redcore import rtl
from redcore.errors import BadInput, CheckFailed
from redcore.simulate import refusal
from redcore.units.prime.model import PrimeGenerator

pytestmark = pytest.mark.kept


def compare(generator: PrimeGenerator, bench: PrimeBench, count: int, stalls: bool) -> list[Found]:
    """The hardware finds what the model finds, in the same cycles where nothing waits."""
    found = bench.generate(count, stalls=stalls, random_bits=count * 4000)
    bits = iter(bench.bits)
    for one in found:
        search = generator.search(bits, lambda _: STAND_IN_CYCLES + 2 * (generator.beats - 1))
        assert (one.prime, one.count, one.tested) == (search.prime, search.count, search.tested)
        assert stalls or one.cycles == search.cycles
    assert next(bits, None) is None
    return found


@pytest.mark.parametrize(
    ("width", "word_bits", "beats", "primes", "random_bases", "exponent", "stalls"),
    [
        (60, 8, 8, 1, 4, 3, False),
        (12, 4, 4, 9, 9, 17, True),
        pytest.param(64, 66, 1, 20, 3, 65537, False, marks=pytest.mark.full),
        pytest.param(64, 66, 1, 20, 3, 65537, True, marks=pytest.mark.full),
        pytest.param(16, 16, 1, 53, 20, 0, False, marks=pytest.mark.full),
    ],
)
def test_finds_what_the_model_finds(
    width: int,
    word_bits: int,
    beats: int,
    primes: int,
    random_bases: int,
    exponent: int,
    stalls: bool,
    tmp_path: Path,
) -> None:
    generator = PrimeGenerator(width, word_bits, beats, primes, 0, random_bases, exponent)
    generator.check()
    with PrimeBench(generator, build_unit(generator, tmp_path, wild=stalls)) as bench:
        found = compare(generator, bench, 60, stalls)
        assert not bench.err
    for one in found:
        assert is_prime(one.prime) and one.prime >> (width - 2) == 3
        assert not exponent or gcd(one.prime - 1, exponent) == 1


def test_every_prime_of_eight_bits_is_found(tmp_path: Path) -> None:
    """Also past the end of the range, where it draws anew; those above a long gap come often."""
    generator = PrimeGenerator(8, 9, 1, 30, 4, 2, 7)
    with PrimeBench(generator, build_unit(generator, tmp_path)) as bench:
        found = Counter(one.prime for one in compare(generator, bench, 600, False))
    assert set(found) == {n for n in range(192, 256) if is_prime(n) and n % 7 != 1}
    assert found[223] > 2 * found[199]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (".Tested(1)", ".Tested(0)"),
        ("assign unfit = multiple | shares_factor;", "assign unfit = shares_factor;"),
        ("offset_q <= offset_q + 1'b1;", "offset_q <= offset_q;"),
        ("StSettle: if (settled_q) state_q <= StLook;", "StSettle: state_q <= StLook;"),
        ("(past_q | (Bits == Width & ~sum)) ? StDraw : StGive", "StGive"),
    ],
    ids=["exponent", "trial primes", "offset", "residues too early", "past the end"],
)
def test_damage_is_found(before: str, after: str, tmp_path: Path) -> None:
    generator = PrimeGenerator(8, 9, 1, 30, 4, 2, 7)
    name = "redc_prime_generator.sv"
    text = (rtl.rtl_folder() / name).read_text(encoding="utf-8")
    assert text.count(before) == 1
    damaged = build_unit(generator, tmp_path, replace={name: text.replace(before, after)})
    with PrimeBench(generator, damaged) as bench, pytest.raises((AssertionError, CheckFailed)):
        compare(generator, bench, 100, False)


@pytest.mark.parametrize("level", [0, 1])
def test_a_stuck_source_is_reported(level: int, tmp_path: Path) -> None:
    generator = PrimeGenerator(64, 64, 1, 20, 0, 3, 65537)
    with PrimeBench(generator, build_unit(generator, tmp_path)) as bench:
        compare(generator, bench, 3, False)
        with pytest.raises(CheckFailed, match="no handshake"):
            bench.generate(1, random_bits=[level] * 1000, patience=20_000)
        assert bench.err and len(bench.bits) <= 64
        # A good source does not help before the reset, and does after it.
        with pytest.raises(CheckFailed, match="no handshake"):
            bench.generate(1, patience=20_000)
        assert not bench.bits
        bench.reset()
        compare(generator, bench, 3, False)
        assert not bench.err


def test_default_rounds_are_those_of_fips() -> None:
    assert PrimeGenerator(1024, 1024).random_bases == 5
    assert PrimeGenerator(1536, 1536).random_bases == 4
    assert PrimeGenerator(2048, 2048).random_bases == 4


REFUSED = [
    ({"Width": 7}, "Width=7 is below 8"),
    ({"Primes": 0}, "Primes=0"),
    ({"Primes": 256}, "Primes=256"),
    ({"Width": 8, "Primes": 43}, "reaches 3*2^(Width=8-2)"),
    ({"PublicExponent": 1}, "PublicExponent=1"),
    ({"PublicExponent": 4}, "PublicExponent=4"),
    ({"PublicExponent": 1023 * 1023}, "PublicExponent=1046529"),
    ({"PublicExponent": (1 << 20) + 7}, "PublicExponent=1048583"),
    ({"RandomBases": 0}, "or none at all"),
]


@pytest.mark.parametrize(("change", "words"), REFUSED, ids=lambda value: str(value))
def test_illegal_parameters_are_refused(change: dict[str, int], words: str) -> None:
    sources = rtl.sources("redc_prime_generator")
    legal = dict(PrimeGenerator(16, 16, 1, 42, 0, 3).rtl_parameters())
    assert refusal(sources, "redc_prime_generator", legal) is None
    assert refusal(sources, "redc_prime_generator", {**legal, "Width": 8}) is None
    told = refusal(sources, "redc_prime_generator", {**legal, **change})
    assert told is not None and "redc_prime_" in told and words in told
    names = {"Width": "width", "WordBits": "word_bits", "Beats": "beats", "Primes": "primes",
             "Bases": "bases", "RandomBases": "random_bases",
             "PublicExponent": "public_exponent"}  # fmt: skip
    values = {names[name]: value for name, value in {**legal, **change}.items()}
    with pytest.raises(BadInput):
        PrimeGenerator(**values).check()
