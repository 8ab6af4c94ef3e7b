# SPDX-License-Identifier: Apache-2.0
"""What people read: help, explanations of parameters, figures, summaries."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer

from redcore import cli
from redcore.catalogue import UNITS, family
from redcore.cli import run
from redcore.commands.terminal import for_people
from redcore.design import COPIES
from redcore.explore import Figures
from redcore.families import registered
from redcore.synthesize import SynthesisResult, synthesis_keys

pytestmark = pytest.mark.kept

EVERY_FAMILY = (*registered(), *(f"{unit}-cios" for unit in UNITS))


@pytest.mark.parametrize("name", EVERY_FAMILY)
def test_info_without_a_width_explains_every_parameter(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["info", name]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert run(["info", name, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    chosen = family(name)
    assert (told["name"], told["minimum_width"]) == (name, chosen.minimum_width)
    parameters = chosen.all_parameters
    assert set(parameters) >= {*chosen.parameters, COPIES}
    assert [each["name"] for each in told["parameters"]] == [p.name for p in parameters]
    for parameter, each in zip(parameters, told["parameters"], strict=True):
        assert f"│ {parameter.name} │" in shown
        assert parameter.doc.split()[0] in shown
        assert each["doc"] == parameter.doc
        assert each["range_text"] and each["default_text"]
        if parameter.choices:
            assert each["range_text"] == ", ".join(parameter.choices)
            assert each["minimum"] is each["maximum"] is None
        elif not callable(parameter.minimum):
            assert each["minimum"] == parameter.minimum
            assert each["range_text"].split()[0 if parameter.maximum else 1] == str(
                parameter.minimum
            )
        if callable(parameter.default):
            assert each["default"] is None
            some = each["default_text"]
            assert some == "the width" or str(parameter.default_for(256)) in some
        else:
            assert each["default"] == parameter.default
            assert each["default_text"] == str(parameter.default)


def options() -> dict[str, dict[str, tuple[str, object]]]:
    """By command: each option's help and default."""
    found: dict[str, dict[str, tuple[str, object]]] = {}

    def walk(path: str, command: object) -> None:
        for name, inner in getattr(command, "commands", {}).items():
            walk(f"{path} {name}".strip(), inner)
        if not hasattr(command, "commands"):
            found[path] = {
                option: (getattr(each, "help", None) or "", each.default)
                for each in command.params  # type: ignore[attr-defined]
                for option in each.opts
            }

    walk("", typer.main.get_command(cli.app))
    return found


def test_every_option_has_help_that_says_its_default_once() -> None:
    for command, theirs in options().items():
        for option, (text, default) in theirs.items():
            assert text, f"{command} {option}"
            if isinstance(default, int) and not isinstance(default, bool):
                doubled = rf"\b{default:,}\b|\b{default}\b"
                assert not re.search(rf"\((?:{doubled})\)", text), f"{command} {option}: {text}"


def test_seed_says_what_it_decides_of_each_command() -> None:
    given = ("run mul", "run modmul", "run exp", "run curve", "run ecdh", "run ecdsa-sign",
             "run ecdsa-verify", "run ed25519-sign", "run ed25519-verify")  # fmt: skip
    words = {
        "simulate": "operands",
        "synth": "place and route",
        "verify": "--campaign",
        "build": "operands and placement",
        "export": "operands",
        "power": "operands",
        "tune": "place and route",
        "emulate": "registers",
        **dict.fromkeys(given, "placement"),
        "run prime": "random bases",
        "run prime-gen": "the prime follows",
        "run rsa-keygen": "the key follows",
        "run rsa": "blind",
    }
    told = {
        command: theirs["--seed"][0] for command, theirs in options().items() if "--seed" in theirs
    }
    assert told.keys() == words.keys()
    for command, word in words.items():
        assert word in told[command], command
    # those that run on given numbers may say the same
    assert len(set(told.values())) >= len(words) - len(given) + 1


# ---- figures ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "yes"),
        (False, "no"),
        (None, "-"),
        (303.123456789012, "303.1"),
        (7951.456789, "7,951"),
        (0.000123456789, "0.0001235"),
        (9375000.123, "9,375,000"),
        (33407, "33,407"),
        ("0x1234567890", "0x1234567890"),
        (["a", 2], "a, 2"),
    ],
)
def test_figures_are_rounded_for_people(value: object, text: str) -> None:
    assert for_people(value) == text


LONG = re.compile(r"\d\.\d{4,}|(?<![\w.])\d{6,}(?![\w.])")
"""More digits than anybody reads."""


@pytest.mark.parametrize(
    "words",
    [
        "info rsa-csa --width 64",
        "simulate csa --width 16 --vectors 50",
        "synth csa --width 16 --target xc7 --no-pnr",
        "power csa --width 16 --activity 0.125",
        "run prime --width 16 --p 0xfff1 --primes 0 --bases 1",
        "predict csa --width 256 --target ecp5-85k",
        "predict csa --width 256 --target xc7a35t",
    ],
)
def test_no_command_prints_raw_values(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words.split()) == 0
    shown = capsys.readouterr().out
    assert not re.search(r"\b(True|False|None)\b", shown), shown
    assert not LONG.search(shown), shown
    assert "time_per_op_ns" not in shown


def test_latency_and_interval_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """In `synth`, `predict` and what `tune` and `explore` measure; the older key is the latency."""
    assert run(["predict", "csa", "--width", "256", "--target", "ecp5-85k", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    geometry = family("csa").design(256).geometry
    clock = said["fmax_mhz"]["value"]
    assert said["latency_ns"] == said["time_per_op_ns"]
    assert said["latency_ns"]["value"] == pytest.approx(geometry.latency_cycles * 1e3 / clock)
    assert said["interval_ns"]["value"] == pytest.approx(
        float(geometry.interval_cycles) * 1e3 / clock
    )
    assert said["interval_ns"]["low"] < said["interval_ns"]["value"] < said["interval_ns"]["high"]
    measured = Figures.at_clock(family("csa").design(256), Figures(), 200.0, "placed").to_json()
    assert measured["latency_ns"] == measured["time_per_op_ns"] == geometry.latency_cycles * 5
    assert measured["interval_ns"] == pytest.approx(float(geometry.interval_cycles) * 5)
    assert Figures().to_json()["interval_ns"] is None
    result = SynthesisResult(
        target="t", seed=1, tool_versions={}, lut_in_all=1, fmax_mhz=200.0,
        time_per_op_ns=measured["latency_ns"], ops_per_second=measured["ops_per_second"],
        commands=(),
    )  # fmt: skip
    keys = synthesis_keys(result)
    assert keys["latency_ns"] == keys["time_per_op_ns"] == measured["latency_ns"]
    assert keys["interval_ns"] == pytest.approx(measured["interval_ns"])
    assert run(["predict", "csa", "--width", "256", "--target", "ecp5-85k"]) == 0
    shown = capsys.readouterr().out
    assert "latency_ns" in shown and "interval_ns" in shown


def test_build_shows_a_summary_and_where_the_report_is(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither 100 lines nor Markdown; figures, checks, the path."""
    monkeypatch.setattr("redcore.bundle.build.run_bench", lambda *arguments: None)
    out = tmp_path / "bundle"
    words = f"build csa --width 16 --modulus 0xfff1 --target xc5v --vectors 40 --out {out}"
    assert run(words.split()) == 0
    shown = capsys.readouterr().out
    assert len(shown.splitlines()) < 40
    for raw in ("# ", "|---", "```", "<!--"):
        assert raw not in shown
    for told in ("latency", "LUTs", "mismatches", "passed", str(out / "report.md")):
        assert told in shown
    assert (out / "report.md").read_text().startswith("<!-- SPDX")


def once_options() -> list[tuple[str, str]]:
    """Each command with each of its options that take one value."""
    found = []

    def look(group: Any, before: str) -> None:
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                look(command, f"{before}{name} ")
                continue
            found.extend(
                (before + name, option.opts[0])
                for option in command.params
                if option.param_type_name == "option"
                and not (option.multiple or getattr(option, "is_flag", False))
            )

    look(typer.main.get_command(cli.app), "")
    return found


def test_of_two_values_none_is_silently_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    """Whichever command, whichever option; other options that are missing are not the matter."""
    pairs = once_options()
    assert len(pairs) > 80 and ("tune", "--max-lut") in pairs and ("run exp", "--x") in pairs
    for command, option in pairs:
        assert run([*command.split(), option, "1", option, "2"]) == 2, (command, option)
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err == (f"redcore: {option} takes one value, and is given more than once\n"), (
            command
        )


def test_what_may_come_twice_still_may(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["info", "csa", "--width", "64", "--json", "--json", "--set", "stages=2"]
    assert run([*words, "--set", "replicas=2"]) == 0
    assert '"stages": 2' in (told := capsys.readouterr().out) and '"replicas": 2' in told


def test_gates_have_no_rows_of_luts(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["synth", "interleaved", "--width", "16"]
    assert run([*words, "--target", "asic"]) == 0
    rows = {line.split()[1] for line in capsys.readouterr().out.splitlines() if "\u2502" in line}
    assert {"ff", "gates_nand2", "delay_fo4"} <= rows
    assert not rows & {"lut", "carry", "dsp", "bram", "lutram", "lut_in_all"}
    assert run([*words, "--target", "ecp5-25k", "--no-pnr"]) == 0
    rows = {line.split()[1] for line in capsys.readouterr().out.splitlines() if "\u2502" in line}
    assert {"lut", "carry", "ff"} <= rows and "gates_nand2" not in rows
