# SPDX-License-Identifier: Apache-2.0
"""``redcore run mul`` and the page that explains Montgomery form: the numbers are right."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from redcore.catalogue import family, general
from redcore.cli import run as redcore
from redcore.errors import BadInput, CheckFailed
from redcore.simulate import Simulator
from redcore.units.mul.run import multiply

pytestmark = pytest.mark.kept

PAGE = Path(__file__).resolve().parents[2] / "docs" / "montgomery.md"


@pytest.mark.parametrize("name", general())
def test_every_multiplier_gives_the_product(name: str) -> None:
    design = family(name).design(max(8, family(name).minimum_width))
    for a, b, m in ((100, 200, 239), (238, 238, 239), (0, 5, 251), (0, 0, 1)):
        done = multiply(design, a, b, m)
        assert done.result == a * b % m
        r_bits = design.geometry.r_bits
        assert (done.raw << r_bits) % m == a * b % m
        assert done.r2 == (pow(2, 2 * r_bits, m) if r_bits else None)
        products = 2 if r_bits else 1
        assert done.cycles == products * done.raw_cycles
        assert abs(done.raw_cycles - design.geometry.latency_cycles) <= design.geometry.slack_cycles


def test_the_command_tells_what_came_about(capsys: pytest.CaptureFixture[str]) -> None:
    line = "run mul --family cios --width 32 --a 0xfffffff0 --b 7 --m 0xfffffffb --json"
    assert redcore(line.split()) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["result"] == hex(0xFFFFFFF0 * 7 % 0xFFFFFFFB)
    assert told["family"] == "cios" and "unit" not in told
    assert told["cycles"] == 2 * told["raw_cycles"]
    assert told["fmax_mhz"] is None and told["time_at_fmax"] is None
    assert f"R = 2^{told['r_bits']}" in told["how"]
    assert int(told["r2"], 16) == pow(2, 2 * told["r_bits"], 0xFFFFFFFB)
    assert redcore(["run", "mul", "--width", "16", "--a", "3", "--b", "5", "--m", "251"]) == 0
    assert "result" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "width"),
    [
        ("mul --a 12345 --b 67890 --m 1000003", 20),
        ("mul --family csa --a 3 --b 4 --m 5", 4),
        ("exp --x 3 --e 5 --m 1000003", 20),
        ("modmul --a 3 --b 4 --m 1000003", 20),
        ("prime --p 1000003", 20),
        ("prime --p 1000003 --width 24", 24),
    ],
)
def test_the_width_is_by_default_the_number_s(
    words: str, width: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Or the least one that the multiplier has."""
    assert redcore(["run", *words.split(), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["width"] == width


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--a 251 --b 1 --m 251", "a=0xfb must be at least 0 and below the modulus 0xfb"),
        ("--a 1 --b -1 --m 251", "b=-0x1 must be at least 0"),
        ("--a 1 --b 1 --m 250", "odd"),
        ("--a 1 --b 1 --m 0x10001", "bits"),
        ("--a 1 --b 1 --m 251 --family exp-csa", "there is no multiplier 'exp-csa'"),
    ],
)
def test_bad_numbers_are_refused(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert redcore(["run", "mul", "--width", "16", *words.split()]) == 2
    assert sentence in capsys.readouterr().err


def test_hardware_that_errs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Simulator.run

    def wrong(self: Simulator, *given: object, **options: object) -> object:
        run = right(self, *given, **options)  # type: ignore[arg-type]
        run.results[:] = [result + 1 for result in run.results]
        return run

    monkeypatch.setattr(Simulator, "run", wrong)
    with pytest.raises(CheckFailed, match="GMP denies"):
        multiply(family("csa").design(8), 100, 200, 239)
    with pytest.raises(BadInput):
        multiply(family("csa").design(8), 239, 200, 239)


def test_the_page_s_numbers_are_those_of_hardware(capsys: pytest.CaptureFixture[str]) -> None:
    """Each M(x, y) of the page by the simulated core, each command of it as it is printed."""
    text = PAGE.read_text(encoding="utf-8")
    claims = [tuple(map(int, found)) for found in re.findall(
        r"M\((\d+), (\d+)\)(?: = [^*|\n]*\*\*| \| )(\d+)", text
    )]  # fmt: skip
    assert len(claims) == 6
    with Simulator(family("csa").design(8)) as core:
        core.load_modulus(239)
        assert core.multiply([(x, y) for x, y, _ in claims]) == [result for *_, result in claims]
    for value, of in re.findall(r"(\d+) = (\d+) · 256 mod 239", text):
        assert int(value) == int(of) * 256 % 239
    assert (256 % 239, 17 * 225 % 239, 17 * 17 % 239, 100 * 200 % 239) == (17, 1, 50, 163)
    commands = re.findall(r"^redcore (run mul .*)$", text, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        assert redcore(shlex.split(command)) == 0
        told = capsys.readouterr().out
    assert json.loads(told)["result"] == hex(0x1234 * 0x5678)
