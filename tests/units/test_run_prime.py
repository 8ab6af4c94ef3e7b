# SPDX-License-Identifier: Apache-2.0
"""``redcore run prime`` and ``redcore run prime-gen``."""

from __future__ import annotations

import json

import pytest
from gmpy2 import is_prime

from redcore.cli import run as redcore

pytestmark = pytest.mark.kept


def answer_to(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, object]:
    assert redcore(["run", *options, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize(
    ("number", "prime"),
    [(0xFFF1, True), (0xFFF3, False), (0, False), (2, True), (3, True), (1729, False)],
)
def test_tells_primes(capsys: pytest.CaptureFixture[str], number: int, prime: bool) -> None:
    answer = answer_to(
        capsys, "prime", "--family", "cios", "--width", "16", "--p", hex(number), "--bases", "5"
    )
    assert answer["prime"] is prime and is_prime(number) is prime
    assert isinstance(answer["cycles"], int) and answer["cycles"] > 0


def test_random_bases_and_no_trial_division(capsys: pytest.CaptureFixture[str]) -> None:
    answer = answer_to(
        capsys, "prime", "--width", "32", "--p", "2147483647", "--primes", "0", "--bases", "0",
        "--random-bases", "4",
    )  # fmt: skip
    assert answer["prime"] is True and answer["bases_passed"] == 4


def test_a_strong_pseudoprime_passes_its_own_base(capsys: pytest.CaptureFixture[str]) -> None:
    """2047 is the least one to base 2: the hardware says what its bases say."""
    options = ("prime", "--width", "16", "--p", "2047", "--primes", "0", "--bases")
    assert answer_to(capsys, *options, "1")["prime"] is True
    assert answer_to(capsys, *options, "2")["prime"] is False


def test_makes_a_prime(capsys: pytest.CaptureFixture[str]) -> None:
    answer = answer_to(capsys, "prime-gen", "--width", "48", "--random-bases", "6", "--seed", "5")
    prime = int(str(answer["result"]), 16)
    assert is_prime(prime) and prime >> 46 == 3 and prime % 65537 != 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["prime", "--width", "16", "--p", "0x10000"], "16 bits"),
        (["prime", "--width", "16", "--p", "-3"], "16 bits"),
        (["prime", "--width", "16", "--p", "x"], "whole number"),
        (["prime", "--width", "16", "--p", "15", "--bases", "0"], "no base"),
        (["prime", "--width", "16", "--p", "15", "--primes", "300"], "primes=300"),
        (["prime", "--width", "16", "--p", "15", "--family", "cioss"], "nearest: cios"),
        (["prime-gen", "--width", "64", "--e", "4"], "public_exponent=4"),
        (["prime-gen", "--width", "64", "--e", "1"], "public_exponent=1"),
        (["prime-gen", "--width", "6"], "width=6"),
    ],
)
def test_bad_input_gets_a_sentence(
    capsys: pytest.CaptureFixture[str], options: list[str], told: str
) -> None:
    assert redcore(["run", *options]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.full
@pytest.mark.parametrize(
    "options",
    [
        ("prime", "--width", "8", "--p", "251", "--bases", "2", "--primes", "3"),
        ("prime-gen", "--width", "8", "--random-bases", "2", "--primes", "3", "--e", "0"),
        ("rsa-keygen", "--width", "16", "--random-bases", "2", "--primes", "5", "--e", "3"),
    ],
    ids=lambda options: options[0],
)
def test_time_at_the_placed_clock(
    options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    answer = answer_to(capsys, *options, "--target", "ecp5-85k")
    clock, seconds = answer["fmax_mhz"], answer["time_at_fmax"]
    assert isinstance(clock, float) and 20 < clock < 700
    assert seconds == pytest.approx(int(str(answer["cycles"])) / clock / 1e6)
