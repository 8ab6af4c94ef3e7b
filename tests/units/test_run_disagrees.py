# SPDX-License-Identifier: Apache-2.0
"""``redcore run`` where hardware or GMP says otherwise: it ends with 1 and tells what differs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from redcore import pem, rtl
from redcore.cli import run as redcore
from redcore.units.prime import run as prime_run
from redcore.units.random_bits import taken
from redcore.units.rsa import run as rsa_run

pytestmark = pytest.mark.kept

CHECK_FAILED = 1
EXP = ("exp", "--family", "csa", "--width", "8", "--x", "3", "--e", "5", "--m", "251")
PRIME = ("prime", "--width", "8", "--bases", "2", "--primes", "3", "--p")
PRIME_GEN = ("prime-gen", "--width", "8", "--random-bases", "2", "--primes", "3", "--e", "0")
RSA_KEYGEN = ("rsa-keygen", "--width", "16", "--random-bases", "2", "--primes", "5", "--e", "3")
RSA = ("rsa", "--blinding", "8", "--key", "KEY")
P, Q, E = 2**32 - 5, 2**32 - 17, 65537
OTHER_BITS = (
    "redc_prime_generator.sv",
    "assign drawn = fixed | (free_place & rnd_data_i);",
    "assign drawn = fixed | (free_place & ~rnd_data_i);",
)
POWER = "assign receive_in       = from_prime ? prime : power;"


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str], None]:
    """Another library of RTL, with one text in one file replaced."""

    def damage(file: str, before: str, after: str) -> None:
        folder = tmp_path / "rtl"
        shutil.copytree(rtl.rtl_folder(), folder)
        text = (folder / file).read_text(encoding="utf-8")
        assert text.count(before) == 1
        (folder / file).write_text(text.replace(before, after), encoding="utf-8")
        monkeypatch.setattr(rtl, "rtl_folder", lambda: folder)

    return damage


def failure(capsys: pytest.CaptureFixture[str], folder: Path, options: tuple[str, ...]) -> str:
    """What the command says as it ends with 1, and nothing of a result."""
    key = folder / "key.pem"
    if "KEY" in options:
        pem.write(key, pem.private_key(P, Q, E, pow(E, -1, (P - 1) * (Q - 1) // 2)))
    chosen = [str(key) if each == "KEY" else each for each in options]
    capsys.readouterr()
    assert redcore(["run", *chosen, "--json"]) == CHECK_FAILED
    told = capsys.readouterr()
    assert "result" not in told.out
    return told.err


FAULTS = {
    "exp: a wrong power": (
        EXP,
        ("redc_exp_result.sv", "assign p_o        = word", "assign p_o = (word ^ 1'b1)"),
        "gave 0xf2 for 0x3^0x5 mod 0xfb; GMP says 0xf3",
    ),
    "exp: an error where there is none": (
        EXP,
        ("redc_exp.sv", "assign err_o = mul_err_i;", "assign err_o = mul_err_i | out_valid_o;"),
        "err_o",
    ),
    "prime: turned round": (
        (*PRIME, "251"),
        (
            "redc_prime_answers.sv",
            "assign out_prime_o  = head_q.decided ? head_q.prime : ",
            "assign out_prime_o  = head_q.decided ? ~head_q.prime : ~",
        ),
        "for 0xfb; its model says",
    ),
    "prime: another reason": (
        (*PRIME, "251"),
        (
            "redc_prime_answers.sv",
            "assign out_reason_o = head_q.decided ? head_q.reason : ",
            "assign out_reason_o = head_q.decided ? 2'd1 ^ head_q.reason : 2'd1 ^ ",
        ),
        "for 0xfb; its model says",
    ),
    "prime-gen: another number": (
        PRIME_GEN,
        OTHER_BITS,
        "; its model 0x",
    ),
    "rsa-keygen: another key": (
        # Of 16 bits there are so few keys that other random bits made the same one.
        ("rsa-keygen", "--width", "32", "--random-bases", "2", "--primes", "5", "--e", "3"),
        ("redc_rsa_primes.sv", "toggle_q : rnd_data_i)", "toggle_q : ~rnd_data_i)"),
        "the hardware ",
    ),
    "rsa-keygen: a refusal": (
        RSA_KEYGEN,
        ("redc_rsa_control.sv", "= status_arg.status;", "= status_arg.status | 4'd1;"),
        "the key generator answered",
    ),
    "rsa: a refused key": (
        (*RSA, "--encrypt", "5"),
        ("redc_rsa_control.sv", "= status_arg.status;", "= status_arg.status | 4'd1;"),
        "loading the key was answered with",
    ),
    "rsa: a wrong power": (
        (*RSA, "--encrypt", "5"),
        ("redc_rsa.sv", POWER, POWER.replace("power;", "power ^ 1'b1;")),
        f"GMP says {pow(5, E, P * Q):#x}",
    ),
    "rsa: a fault in secret, which the unit tells itself": (
        (*RSA, "--plain", "--decrypt", "5"),
        ("redc_rsa.sv", POWER, POWER.replace("power;", "power ^ 1'b1;")),
        "loading the key was answered with FAULT",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_hardware_is_told(
    fault: str,
    damaged: Callable[[str, str, str], None],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    options, damage, told = FAULTS[fault]
    damaged(*damage)
    assert told in failure(capsys, tmp_path, options)


def test_a_prime_that_is_not_found_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Model and hardware may share a mistake: the last word is GMP's."""
    monkeypatch.setattr(prime_run, "is_prime", lambda number: True)
    told = failure(capsys, tmp_path, (*PRIME, "247"))
    assert "0xf7 is prime; the tester said it is not" in told


@pytest.mark.parametrize(
    ("module", "options", "told"),
    [(prime_run, PRIME_GEN, "; its model 0x"), (rsa_run, RSA_KEYGEN, "is not of two primes")],
    ids=["prime-gen", "rsa-keygen"],
)
def test_primes_that_are_none_are_told(
    module: object,
    options: tuple[str, ...],
    told: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "is_prime", lambda number: False)
    assert told in failure(capsys, tmp_path, options)


@pytest.mark.parametrize(
    "options",
    [PRIME_GEN, (*PRIME, "251", "--random-bases", "2"), RSA_KEYGEN],
    ids=["prime-gen", "prime", "rsa-keygen"],
)
def test_too_few_random_bits_are_told(
    options: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Hardware that takes fewer than its model is wrong, whatever it answers."""
    for module in (prime_run, rsa_run):
        monkeypatch.setattr(module, "taken", lambda bits: taken(bits[:-1]))
    assert "random bits; its model takes more" in failure(capsys, tmp_path, options)
