# SPDX-License-Identifier: Apache-2.0
"""Campaigns of RSA units, prime testers and prime generators: what is right, wrong and refused."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from gmpy2 import is_prime

from redcore import cli, rtl
from redcore.catalogue import family
from redcore.design import Design, Value
from redcore.errors import BadInput
from redcore.units.prime.tester import PrimeTesterUnit
from redcore.verify import campaign, multiplications, unit_campaigns

RSA: dict[str, Value] = {
    "public_exponent": 17, "primes": 3, "random_bases": 1, "blinding": 8, "read_private": 1,
}  # fmt: skip
DESIGNS = {
    "rsa": ("rsa-csa", 16, RSA, 700),
    "prime": ("prime-csa", 16, {"primes": 3, "bases": 2, "random_bases": 1}, 400),
    "threads": ("prime-csa", 12, {"primes": 1, "bases": 1, "random_bases": 2, "threads": 3}, 200),
    "prime-gen": ("prime-gen-csa", 12, {"primes": 3, "random_bases": 2, "public_exponent": 7}, 60),
}


def made(name: str) -> tuple[Design, int]:
    line, width, settings, count = DESIGNS[name]
    return family(line).design(width, settings), count


@pytest.mark.parametrize("name", DESIGNS)
def test_a_unit_is_right_and_meets_its_cases(name: str) -> None:
    design, count = made(name)
    found = multiplications(design.family, count, 3, designs=[design], jobs=1)
    assert found.ok, found.failed[0].failures
    assert sum(entry.vectors for entry in found.entries) == count
    assert found.cases and not found.never_met


def test_it_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))
    design, _ = made("prime")
    short = multiplications(design.family, 30, designs=[design], jobs=1)
    again = multiplications(design.family, 30, designs=[design], jobs=1)
    assert short.resumed == 0 and again.resumed == len(again.entries) == 1
    assert again.entries == short.entries
    monkeypatch.setattr(unit_campaigns, "works", lambda *_: pytest.fail("it was kept"))
    assert multiplications(design.family, 30, designs=[design], jobs=1).ok


FAULTS = {
    "a key that is refused": (
        "rsa",
        "redc_rsa_control.sv",
        "= status_arg.status;",
        "= status_arg.status | 4'd1;",
    ),
    "a wrong power": (
        "rsa",
        "redc_rsa.sv",
        "assign receive_in       = from_prime ? prime : power;",
        "assign receive_in       = from_prime ? prime : power ^ 1'b1;",
    ),
    "a reason": (
        "prime",
        "redc_prime_answers.sv",
        "assign out_reason_o = head_q.decided ? head_q.reason : ",
        "assign out_reason_o = head_q.decided ? 2'd1 ^ head_q.reason : 2'd1 ^ ",
    ),
    # No model knows which thread takes a bit: what GMP says is what is left.
    "a verdict of one of several threads": (
        "threads",
        "redc_prime_answers.sv",
        "assign out_prime_o  = head_q.decided ? head_q.prime : ",
        "assign out_prime_o  = head_q.decided ? ~head_q.prime : ~",
    ),
    "other bits": (
        "prime-gen",
        "redc_prime_generator.sv",
        "assign drawn = fixed | (free_place & rnd_data_i);",
        "assign drawn = fixed | (free_place & ~rnd_data_i);",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_hardware_is_found(fault: str, tmp_path: Path) -> None:
    name, file, before, after = FAULTS[fault]
    design, count = made(name)
    text = (rtl.rtl_folder() / file).read_text(encoding="utf-8")
    assert text.count(before) == 1
    (wrong := tmp_path / file).write_text(text.replace(before, after), encoding="utf-8")
    found = multiplications(
        design.family, count, designs=[design], jobs=1, sources=[wrong]
    )  # fmt: skip
    assert [bool(entry.failures) for entry in found.entries] == [True]
    assert 0 < found.entries[0].vectors <= count


@pytest.mark.parametrize("name", ["prime", "prime-gen"])
def test_gmp_has_the_last_word(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Model and hardware may share a mistake."""
    design, _ = made(name)
    right = name == "prime"
    monkeypatch.setattr(unit_campaigns, "is_prime", lambda number: right)
    (wrong,) = unit_campaigns.works(design, 60, 1).failures
    assert ("is prime, and said not to be" if right else "is no prime of 12 bits") in wrong


def test_candidates_are_of_all_kinds() -> None:
    unit_family = family("prime-csa")
    assert isinstance(unit_family, PrimeTesterUnit)
    unit = unit_family.unit(64, unit_family.design(64).values)
    choose = random.Random(1)
    drawn = [unit_campaigns.candidate(unit, choose) for _ in range(600)]
    assert all(0 <= number < 1 << unit.bits for number in drawn)
    kinds = {
        "primes": sum(map(is_prime, drawn)),
        "squares": sum(is_prime(int(n**0.5)) and int(n**0.5) ** 2 == n for n in drawn),
        "pseudoprimes": sum(n in unit_campaigns._PSEUDOPRIMES for n in drawn),
        "even": sum(n % 2 == 0 for n in drawn),
        "small": sum(n < 40 for n in drawn),
        "large": sum(n > (1 << 64) - 41 for n in drawn),
    }
    assert all(count > 10 for count in kinds.values()), kinds


def test_drawn_designs_are_of_one_unit_alone() -> None:
    found = campaign(family("prime-csa"), 2, 5, vectors=20, widest=32, jobs=1)
    assert found.ok and len({entry.design for entry in found.entries}) == 2
    assert [entry.vectors for entry in found.entries] == [20, 20]
    assert not any("bus=" in entry.design.replace("bus=none", "") for entry in found.entries)


@pytest.mark.parametrize(
    ("line", "settings", "told"),
    [
        ("rsa-csa", {"copies": 2}, "of one unit alone: leave copies and bus out"),
        ("rsa-csa", {"bus": "apb"}, "of one unit alone: leave copies and bus out"),
        ("prime-csa", {"copies": 2}, "of one unit alone: leave copies and bus out"),
        ("exp-csa", {"bus": "apb"}, "campaigns do not know; `redcore emulate` simulates it"),
    ],
)
def test_what_has_no_campaign_is_refused(line: str, settings: dict[str, Value], told: str) -> None:
    design = family(line).design(64, settings)
    with pytest.raises(BadInput, match=told):
        multiplications(design.family, 100, designs=[design])


def test_widths_are_those_of_legal_defaults() -> None:
    assert unit_campaigns.widths(family("prime-csa")) == [16, 64, 128, 256]
    assert unit_campaigns.widths(family("rsa-csa")) == [64, 128, 256]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    line = "verify prime-csa --width 12 --set primes=3 bases=1 --campaign 1k --json"
    assert cli.run(line.split()) == 0
    assert '"vectors": 1000' in capsys.readouterr().out
    assert (
        cli.run(["verify", "rsa-csa", "--campaign", "2k", "--width", "64", "--set", "bus=apb"]) == 2
    )
    assert "leave copies and bus out" in capsys.readouterr().err
