# SPDX-License-Identifier: Apache-2.0
"""The command line: JSON keys, exit codes, one-sentence errors, --set, signals, pipes."""

from __future__ import annotations

import errno
import json
import os
import pty
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from redcore import __version__, cli, processes
from redcore.cli import run
from redcore.commands.options import spread_set
from redcore.design import Design
from redcore.units.curve.curves import CURVES

PROGRAM = [sys.executable, "-m", "redcore.cli"]


def answer(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    """Run with --json; stdout must be exactly one JSON object."""
    assert run([*arguments, "--json"]) == code
    result = json.loads(capsys.readouterr().out)
    assert isinstance(result, dict)
    return result


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 2) -> str:
    """Run; stdout must be empty and stderr one line, which is returned."""
    assert run(list(arguments)) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("redcore: ")
    assert captured.err.count("\n") == 1
    return captured.err.strip()


# ---- --set ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("csa --set a=1 b=2 --json", "csa --set a=1 --set b=2 --json"),
        ("--set a=1 b=2 c=3", "--set a=1 --set b=2 --set c=3"),
        ("--set a=1 --set b=2 c=3", "--set a=1 --set b=2 --set c=3"),
        ("--set=a=1 b=2", "--set=a=1 --set b=2"),
        ("--set a=1 csa b=2", "--set a=1 csa b=2"),
        ("--set a=1 --modulus=7 b=2", "--set a=1 --modulus=7 b=2"),
        ("--set a=1 -- b=2", "--set a=1 -- b=2"),
        ("--width 8", "--width 8"),
        ("", ""),
    ],
)
def test_set_is_spread(given: str, expected: str) -> None:
    assert spread_set(given.split()) == expected.split()


@pytest.mark.parametrize(
    "settings",
    [
        ["--set", "stages=2", "replicas=3"],
        ["--set", "stages=2", "--set", "replicas=3"],
        ["--set=stages=2", "replicas=0x3"],
    ],
)
def test_every_form_of_set_means_the_same(
    capsys: pytest.CaptureFixture[str], settings: Sequence[str]
) -> None:
    result = answer(capsys, "info", "csa", *settings, "--width", "32")
    assert (result["parameters"]["stages"], result["parameters"]["replicas"]) == (2, 3)
    result = answer(capsys, "info", "--width", "0x20", "csa", *settings)
    assert (result["width"], result["parameters"]["replicas"]) == (32, 3)


# ---- answers ----------------------------------------------------------------------------------


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"redcore {__version__}\n"


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    families = answer(capsys, "list")["families"]
    csa = next(entry for entry in families if entry["name"] == "csa")
    assert {"name", "kind", "title", "source", "parameters"} <= csa.keys()
    names = [parameter["name"] for parameter in csa["parameters"]]
    assert {"stages", "replicas", "add_stages", "final_sub", "moduli"} <= set(names)
    units = {entry["name"]: entry for entry in families if "multipliers" in entry}
    buildable = {"curve", "exp", "modmul", "prime", "prime-gen", "rsa"}
    assert set(units) == buildable, "all that build takes are listed"
    assert "prime-csa" in units["prime"]["title"]
    assert "prime-gen-csa" in units["prime-gen"]["title"]
    assert "bus" in {parameter["name"] for parameter in units["rsa"]["parameters"]}
    own = [parameter["name"] for parameter in units["prime-gen"]["parameters"]]
    assert {"random_bases", "public_exponent"} <= set(own) and "stages" not in own
    assert run(["list"]) == 0
    assert "csa" in capsys.readouterr().out


INFO_KEYS = {
    "family", "width", "parameters", "valid", "reasons", "word_bits", "beats", "r_bits", "bound",
    "slots", "latency_cycles", "interval_cycles",
}  # fmt: skip


def test_info(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, "info", "csa", "--width", "256")
    assert result.keys() >= INFO_KEYS
    assert result["valid"] is True
    assert result["reasons"] == []
    assert run(["info", "csa", "--width", "256"]) == 0
    assert str(result["latency_cycles"]) in capsys.readouterr().out


def test_a_named_curve_says_width_and_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    keys = answer(capsys, "info", "curve-solinas", "--curve", "p384")
    same = answer(capsys, "info", "curve-solinas", "--width", "384", "--set", "form=weierstrass")
    assert keys == same
    keys = answer(capsys, "info", "curve-cios", "--curve", "Ed25519", "--set", "task=sign")
    values = keys["parameters"]
    assert keys["width"] == 256 and values["form"] == "edwards" and values["scalar_bits"] == 253
    keys = answer(capsys, "info", "curve-fold", "--curve", "secp256k1", "--set", "memory=lutram")
    assert keys["parameters"]["c"] == 2**32 + 977 and keys["parameters"]["memory"] == "lutram"
    keys = answer(capsys, "predict", "curve-cios", "--curve", "x25519", "--target", "ecp5-85k")
    assert keys["width"] == 255 and keys["parameters"]["a24"] == 121665


class Taken(Exception):
    """What a command hands on, and nothing is done with."""


@pytest.mark.parametrize(
    ("command", "where"),
    [
        ("power curve-cios", "redcore.power.measure"),
        ("emulate curve-cios", "redcore.emulate.Simulated"),
        ("verify curve-cios --leakage", "redcore.verify.leakage.leakage"),
        ("verify curve-cios --mutants 5", "redcore.verify.mutation.mutants"),
        ("verify curve-cios --netlist --target xc7", "redcore.verify.prove_netlist"),
        ("verify curve-cios --prove", "redcore.verify.prove_at_width"),
        ("verify curve-cios --campaign 0.004k", "redcore.verify.multiplications"),
    ],
)
def test_it_says_them_to_every_command(
    command: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """power, emulate and verify refused ``--curve``, or knew no such option."""

    def take(*given: Any, **named: Any) -> None:
        raise Taken(given, named)

    monkeypatch.setattr(where, take)
    with pytest.raises(Taken) as taken:
        run([*command.split(), "--curve", "ed25519", "--set", "sigma=3"])
    given, named = taken.value.args
    designs = [one for each in (*given, *named.values())
               for one in (each if isinstance(each, list) else [each])
               if isinstance(one, Design)]  # fmt: skip
    assert [one.width for one in designs] == [256]
    right = {"form": "edwards", "a": -1, "order": CURVES["ed25519"].settings["order"], "sigma": 3}
    assert right.items() <= designs[0].values.items()
    if "--leakage" in command:
        assert named["modulus"] == CURVES["ed25519"].prime
    if "power" in command:
        assert CURVES["ed25519"].prime in given


def test_info_on_an_illegal_set_says_why_and_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["info", "csa", "--width", "16", "--set", "stages=4", "replicas=5"]
    assert run([*arguments, "--json"]) == 2
    captured = capsys.readouterr()
    result = json.loads(captured.out)
    assert result.keys() >= INFO_KEYS
    assert result["valid"] is False
    assert len(result["reasons"]) == 1
    assert result["latency_cycles"] is None
    assert result["reasons"][0] in captured.err
    assert result["reasons"][0] in refusal(capsys, *arguments)


def test_simulate(capsys: pytest.CaptureFixture[str]) -> None:
    design = ["csa", "--width", "9", "--set", "stages=2", "replicas=2"]
    stated = answer(capsys, "info", *design)
    result = answer(
        capsys, "simulate", *design, "--modulus", "0x1f5", "--vectors", "300", "--stalls"
    )
    assert result["vectors"] == 300
    assert result["mismatches"] == 0
    assert result["constant_time"] is True
    assert result["latency_cycles"] == stated["latency_cycles"]
    assert Fraction(result["interval_cycles"]) == Fraction(stated["interval_cycles"])
    assert result["vectors_per_second"] > 0
    assert run(["simulate", *design, "--vectors", "10"]) == 0
    captured = capsys.readouterr()
    assert "constant_time" in captured.out
    assert captured.err == "", "no progress where stderr is not a terminal"


def test_simulate_exits_1_on_a_mismatch(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong golden model makes every product a mismatch; the first is told with a reproducer."""
    from redcore.catalogue import family

    chosen = family("csa")
    right = chosen.product
    monkeypatch.setattr(
        type(chosen), "product", lambda _, *arguments: right(*arguments) ^ 1, raising=True
    )
    result = answer(capsys, "simulate", "csa", "--width", "9", "--vectors", "20", code=1)
    assert result["mismatches"] > 0
    command = result["first_mismatch"]["command"]
    assert command.startswith("redcore simulate csa --width 9")


@pytest.mark.kept
def test_synth(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, "synth", "csa", "--width", "8", "--target", "xc5v")
    assert result.keys() >= {
        "target", "tool_versions", "lut", "ff", "carry", "dsp", "bram", "fmax_mhz",
        "time_per_op_ns", "ops_per_second",
    }  # fmt: skip
    assert result["target"] == "xc5v"
    assert result["lut"] > 8
    assert result["dsp"] == 0
    assert result["fmax_mhz"] is None
    assert result["tool_versions"]["yosys"]


def test_synth_exits_1_on_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    import redcore.synthesize

    right = redcore.synthesize.synthesize
    monkeypatch.setattr(
        redcore.synthesize,
        "synthesize",
        lambda *given, **options: replace(right(*given, **options), failure="nextpnr crashed"),
    )
    arguments = ["synth", "csa", "--width", "8", "--target", "xc5v"]
    assert answer(capsys, *arguments, code=1)["failure"] == "nextpnr crashed"


@pytest.mark.parametrize("status", ["proved", "bounded", "failed", "undecided"])
def test_verify(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, status: str
) -> None:
    """The proofs themselves are tested in test_verify.py; here, what the command makes of them."""
    import redcore.verify

    asked: list[int] = []

    def prove(designs: Any, **options: Any) -> list[redcore.verify.PropertyResult]:
        asked.extend(design.width for design in designs)
        return [
            redcore.verify.PropertyResult(
                design="csa-4", property_name="result", status=status, how="induction", cycles=None,
                cover_cycle=3, reason="p is wrong", trace="cycle 1\ncycle 2", seconds=0.1,
            )
        ]  # fmt: skip

    monkeypatch.setattr(redcore.verify, "prove", prove)
    code = 1 if status in ("failed", "undecided") else 0
    result = answer(capsys, "verify", "csa", "--prove", code=code)
    assert set(asked) == {4}
    assert result["campaign"] is None
    counts = {"parameter_sets": 1, **dict.fromkeys(redcore.verify.STATUSES, 0), status: 1}
    assert result["properties"] == {"result": counts}
    assert run(["verify", "csa", "--prove"]) == code
    captured = capsys.readouterr()
    assert "result" in captured.out
    assert ("p is wrong" in captured.err) == (code == 1)


@pytest.mark.parametrize("status", ["proved", "failed", "undecided", "unavailable"])
def test_verify_at_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, status: str
) -> None:
    """The proofs themselves are tested in test_width.py; here, what the command makes of them."""
    import redcore.verify

    def prove(designs: Any, *_: Any, **options: Any) -> list[redcore.verify.WidthResult]:
        return [
            redcore.verify.WidthResult(
                design=design.label(), property_name="result", status=status, says="p is right",
                questions=3, seconds=0.1, assumptions=["m is odd"], reason="p is wrong",
            )
            for design in designs
        ]  # fmt: skip

    monkeypatch.setattr(redcore.verify, "prove_at_width", prove)
    arguments = ["verify", "csa", "--prove", "--width", "16", "--width", "20", "--set", "stages=2"]
    code = 1 if status in ("failed", "undecided") else 0
    entries = answer(capsys, *arguments, code=code)["properties"]
    assert [each["design"] for each in entries] == ["csa-16-stages2", "csa-20-stages2"]
    for each in entries:
        assert each["property"] == "result"
        assert each["proved"] == (status == "proved")
        assert each["failed"] == (status == "failed")
        assert each["bounded"] is False
        assert (each["seconds"], each["assumptions"]) == (0.1, ["m is odd"])
    assert run(arguments) == code
    captured = capsys.readouterr()
    assert status in captured.out
    assert "m is odd" in captured.out
    assert ("p is wrong" in captured.err) == (code == 1)


@pytest.mark.kept
def test_verify_campaign(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, "verify", "csa", "--campaign", "1", "--seed", "3")
    assert result["properties"] == {}
    assert result["campaign"]["passed"] == 1
    assert result["campaign"]["failed"] == 0
    assert result["campaign"]["cases"]["modulus changed"] > 0


@pytest.mark.kept
def test_verify_campaign_of_multiplications(capsys: pytest.CaptureFixture[str]) -> None:
    """With a suffix the number counts multiplications, here of one design; gaps are said."""
    asked = ["verify", "csa", "--campaign", "1k", "--width", "8", "--set", "checks=1"]
    told = answer(capsys, *asked)["campaign"]
    assert (told["designs"], told["vectors"], told["failed"]) == (1, 1000, 0)
    assert told["never_met"] == [case for case, hits in told["cases"].items() if not hits]
    assert run(asked) == 0
    shown = " ".join(capsys.readouterr().out.split())
    met = len(told["cases"]) - len(told["never_met"])
    assert f"{met} of {len(told['cases'])} cases met" in shown
    assert ("never met" in shown) == bool(told["never_met"])


def test_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, "doctor")
    assert result["ready"] is True
    assert result["missing"] == []
    assert all(tool["version"] for tool in result["tools"] if tool["needed"])


def test_doctor_says_how_to_get_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    find = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "g++" else find(name))
    result = answer(capsys, "doctor", code=1)
    assert result["missing"] == ["g++"]
    entry = next(tool for tool in result["tools"] if tool["name"] == "g++")
    assert set(entry["install"]) == {"debian", "fedora", "macos"}
    assert run(["doctor"]) == 1
    captured = capsys.readouterr()
    assert "dnf install gcc-c++" in captured.out
    assert captured.err == "redcore: missing: g++\n"


# ---- refusals ---------------------------------------------------------------------------------

BUILD = ["--width", "16", "--modulus", "0xfff1", "--target", "ecp5-85k"]


@pytest.mark.kept
@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ("info cas --width 8", ["no family 'cas'", "nearest: csa"]),
        ("info csa --width 8 --set stagse=2", ["no parameter 'stagse'", "nearest: stages"]),
        ("info csa --width 8 --set stages", ["name=value"]),
        ("info csa --width 8 --set stages=x", ["stages takes a whole number"]),
        ("info csa --width 3", ["width=3 is below 4"]),
        ("info csa --width 8 --set stages=0", ["stages=0 is below 1"]),
        ("info csa --width 8 --set add_stages=9", ["add_stages=9 is above 8"]),
        ("info csa --width eight", ["'eight' is not a whole number"]),
        ("info csa --set stages=2", ["give --width"]),
        ("info csa --width 8 --set stages=1 stages=2", ["stages twice", "leave one"]),
        ("info csa --width 8 --set stages=1 --set stages=1", ["stages twice"]),
        ("info csa-exp --width 8", ["no family 'csa-exp'", "nearest: exp-csa"]),
        ("info cios-prime-gen --width 8", ["nearest: prime-gen-cios"]),
        ("info exp_csa --width 8", ["nearest: exp-csa"]),
        ("info CSA --width 8", ["nearest: csa"]),
        ("info exp-cas --width 8", ["nearest: exp-csa"]),
        ("simulate csa", ["give --width", "--curve"]),
        ("tune --target ecp5-85k", ["give --width", "--curve"]),
        ("power csa", ["give --width", "--curve"]),
        ("emulate csa --curve p256", ["curve-cios", "not of csa"]),
        ("verify curve-cios --leakage", ["give its --width, or --curve"]),
        ("verify curve-cios --curve p256 --width 256 --mutants 5", ["says the width"]),
        ("verify curve-cios --curve p256 --campaign 1", ["draws widths", "1k"]),
        ("verify csa --curve p256 --prove", ["curve-cios", "not of csa"]),
        ("info csa --curve p256", ["curve-cios", "not of csa"]),
        ("info curve-cios --curve p257", ["no curve 'p257'", "nearest: p256"]),
        ("info curve-cios --curve p256 --width 256", ["says the width", "leave out --width"]),
        ("info curve-cios --curve x25519 --set task=sign", ["x25519 has no signatures", "p256"]),
        ("info curve-cios --curve p256 --set a=1", ["a is -3 on p256", "leave it out"]),
        ("info curve-solinas --curve x25519", ["modulus of x25519 is not", "fold can be built"]),
        ("synth curve-fold --curve secp256k1 --set task=sign --target xc7", ["two moduli"]),
        ("tune --curve p256 --target ecp5-85k --set task=sign,verify", ["task takes one value"]),
        ("tune --curve p256 --target ecp5-85k --kind exp", ["exp has no designs by name"]),
        ("tune --curve p256 --target ecp5-85k --family fold", ["solinas can be built"]),
        (
            "tune --curve p256 --target ecp5-85k --family solinas --set task=sign",
            ["nothing is legal at width=256 with these parameters: task=sign"],
        ),
        ("build --curve p256 --modulus p256 --target ecp5-85k --out x", ["leave out --modulus"]),
        ("info --width 8", ["Missing argument 'FAMILY'"]),
        ("info csa --width 8 --jsno", ["--jsno", "--json"]),
        ("info csa --width", ["--width"]),
        ("info csa --width 8 extra", ["extra"]),
        ("lits", ["No such command 'lits'", "list"]),
        ("simulate csa --width 8 --modulus 0x10", ["is even"]),
        ("simulate csa --width 8 --modulus 0", ["is not positive"]),
        ("simulate csa --width 8 --modulus p265", ["nearest: p256"]),
        ("simulate csa --width 8 --modulus p256", ["256 bits", "--width 256"]),
        ("simulate csa --width 8 --modulus rsa:none.pem", ["none.pem", "No such file"]),
        ("simulate csa --width 8 --vectors 0", ["--vectors must be at least 1"]),
        ("simulate csa --width 8 --waveform x.txt", [".vcd"]),
        ("synth csa --width 8 --target ecp5-58k", ["ecp5-58k", "nearest: ecp5-85k"]),
        ("synth csa --width 8 --target hx8k", ["nearest: ice40-hx8k"]),
        (
            "build --width 16 --modulus 7 --target ecp5-85k --out x --objective speed",
            ["no objective 'speed'", "throughput"],
        ),
        ("tune --width 16 --target ecp5-58k", ["nearest: ecp5-85k"]),
        ("tune --width 16 --target ecp5-85k --family cas", ["no multiplier 'cas'", "nearest: csa"]),
        ("tune --width 16 --target ecp5-85k --kind ex", ["no kind 'ex'", "nearest: exp"]),
        ("tune --width 16 --target ecp5-85k --objective throughput=0", ["weight of throughput"]),
        ("tune --width 16 --target ecp5-85k --max-lut -1", ["--max-lut", "not -1"]),
        ("tune --width 64 --target asic --max-lut 0", ["asic is made of gates", "out --max-lut ("]),
        ("explore --width 64 --target asic --max-dsp 1 --max-bram 1", ["--max-dsp and --max-bram"]),
        ("tune --width 16 --target ecp5-85k --max-syntheses 0", ["--max-syntheses", "not 0"]),
        ("tune --width 16 --target ecp5-85k --set stage=1", ["'stage'", "nearest: stages"]),
        ("tune --width 16 --target ecp5-85k --set stages=8..1", ["'8..1'", "empty"]),
        ("tune --width 3 --target ecp5-85k", ["nothing is legal at width=3"]),
        ("explore --width 16 --target ecp5-85k --axes area,speed", ["no axis 'speed'"]),
        ("explore --width 16 --target ecp5-85k --family csa --seeds 1,x", ["'x'"]),
        ("explore --width 16 --target ecp5-85k --family csa --jobs 0", ["--jobs", "not 0"]),
        ("build csa --width 16 --modulus 6 --target ecp5-85k --out x", ["is even"]),
        ("build csa --width 16 --modulus 7 --target ecp5 --out x", ["'ecp5'", "nearest"]),
        ("build csa --width 16 --modulus 7 --target ecp5-85k --out x --seed -1", ["seed=-1"]),
        ("verify csa", ["--prove"]),
        ("verify csa --prove --set stages=2", ["--width"]),
        ("verify csa --netlist --width 8", ["--target"]),
        ("verify csa --netlist --target xc7", ["--width"]),
        ("verify csa --prove --target xc7", ["--netlist"]),
        ("verify csa --campaign 1k --thorough", ["--thorough is of --prove"]),
        ("verify csa --netlist --width 8 --target xc7 --seed 2", ["--seed is of --campaign"]),
        ("verify csa --prove --seed 2", ["--seed is of --campaign"]),
        ("verify csa --campaign 1 --width 8", ["draws widths", "1k"]),
        ("verify csa --campaign 1.2345k", ["'1.2345k'", "500k or 10M"]),
        ("verify csa --campaign M", ["'M'", "500k or 10M"]),
        ("verify csa --campaign 10m", ["'10m'", "500k or 10M"]),
        ("verify csa --campaign 10000000", ["at most 100000", "has a suffix"]),
        ("verify csa --campaign 11G", ["at most 10000000000"]),
        ("verify csa --campaign=-1k", ["below zero", "-1000"]),
        ("verify scalable --prove --width 64", ["no proof at a given width", "--campaign"]),
        ("verify systolic --prove --width 2", ["nothing to prove", "4 to 8192"]),
        ("verify exp-csa --prove", ["a proof of exp-csa is of one width", "give --width N"]),
        ("verify prime-csa --prove", ["a face of its own", "redcore run prime"]),
        ("verify rsa-csa --prove --campaign 1", ["a face of its own", "redcore run rsa"]),
        ("synth csa --width 8 --target=", ["no target ''"]),
        ("synth csa --width 8 --target asic --seed -1", ["seed=-1", "start at 0"]),
        ("synth csa --width 8 --target asic --seed 2147483648", ["is above 2147483647"]),
        ("tune --width 16 --target ecp5-85k --set stages=1..99999999999", ["10,000 values"]),
        ("tune --width 16 --target ecp5-85k --min-freq nan", ["--min-freq", "not nan"]),
        ("tune --width 16 --target ecp5-85k --min-freq inf", ["--min-freq", "not inf"]),
        ("calibrate csa --target ecp5-85k --width 3", ["--width 3", "4 to 8192"]),
        ("calibrate csa --target ecp5-85k --points 0", ["--points", "not 0"]),
        ("calibrate csa --target ecp5-85k --clock-points -1", ["--clock-points", "not -1"]),
        ("run exp --width 8 --x 3 --e 5 --m 7 --set bus=apb", ["bus=apb", "redcore emulate"]),
        ("run prime --p 97 --width 8 --set bus=axi", ["bus=axi", "redcore emulate"]),
        ("predict csa --width 8 --set bus=axi --target ecp5-85k", ["no model", "redcore synth"]),
        ("run exp --width 8 --x 3 --e 5 --m 7 --bits 2", ["--bits", "3 at least"]),
        ("run exp --width 8 --x 3 --e 5 --m 7 --bits 0", ["--bits", "3 at least"]),
        ("run exp --width 8 --x 3 --e 5 --m 7 --set exp_bits=2", ["set exp_bits to 3"]),
        ("run exp --width 8 --x 3 --e 5 --m 7 --target xc7", ["xc7 has no place and route"]),
        ("run prime-gen --width 16 --random-bases -5", ["--random-bases", "not -5"]),
        ("run rsa-keygen --width 32 --random-bases -1", ["--random-bases", "not -1"]),
        ("verify cas --prove", ["nearest: csa"]),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: str,
    parts: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for form in (arguments.split(), [*arguments.split(), "--json"]):
        if "below" in parts[0] or "above" in parts[0]:
            if form[-1] == "--json":
                continue  # info prints its object then: tested above
        elif form[-2:] == ["--width", "--json"]:
            continue  # there --json is taken for the width
        sentence = refusal(capsys, *form)
        for part in parts:
            assert part in sentence
    assert not list(tmp_path.iterdir()), "a refused command leaves nothing behind"


def test_missing_compiler(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))
    find = shutil.which
    monkeypatch.setattr(
        shutil, "which", lambda name, *rest, **more: None if name == "g++" else find(name)
    )
    sentence = refusal(capsys, "simulate", "csa", "--width", "8")
    for part in ("g++", "apt-get install", "dnf install", "xcode-select"):
        assert part in sentence


# ---- the program ------------------------------------------------------------------------------


def test_help_is_quick_and_names_every_command() -> None:
    started = time.monotonic()
    result = subprocess.run([*PROGRAM, "--help"], capture_output=True, text=True, check=True)
    assert time.monotonic() - started < 5  # 0.3 s on an idle machine
    for command in ("list", "info", "simulate", "synth", "build", "verify", "doctor"):
        assert command in result.stdout


def test_broken_pipe_is_quiet() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as stdout:
        result = subprocess.run(
            [*PROGRAM, "list", "--json"],
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert result.returncode == cli.BROKEN_PIPE
    assert result.stderr == ""


def test_broken_pipe_of_tables_and_help_is_quiet() -> None:
    """Rich, which draws them, ends programs by itself."""
    for arguments in (["targets"], ["--help"]):
        read_end, write_end = os.pipe()
        os.close(read_end)
        with os.fdopen(write_end, "wb") as stdout:
            result = subprocess.run(
                [*PROGRAM, *arguments],
                stdout=stdout,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert (result.returncode, result.stderr) == (cli.BROKEN_PIPE, ""), arguments


def test_closed_stdout() -> None:
    """Who closes it wants the exit code."""
    words = shlex.join([*PROGRAM, "targets"])
    result = subprocess.run(["sh", "-c", f"{words} >&-"], capture_output=True, check=False)
    assert (result.returncode, result.stderr) == (0, b"")


def test_a_compiler_s_full_disk_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A compiler stands in that says in its own words what a full disk made it say."""
    compiler = tmp_path / "bin" / "g++"
    compiler.parent.mkdir()
    compiler.write_text(
        "#!/bin/sh\necho 'ld: final link failed: No space left on device' >&2\nexit 1\n", "utf-8"
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{compiler.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "cache"))
    told = refusal(capsys, "simulate", "csa", "--width", "16")
    folder = tmp_path / "cache" / "simulate"
    assert told.startswith(f"redcore: cannot write {folder}: No space left on device")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a file that is always full")
def test_full_disk_is_one_sentence() -> None:
    for arguments in (["list", "--json"], ["targets"]):
        with Path("/dev/full").open("w") as stdout:
            result = subprocess.run(
                [*PROGRAM, *arguments], stdout=stdout, stderr=subprocess.PIPE, check=False
            )
        assert result.returncode == cli.BAD_INPUT
        assert result.stderr.startswith(b"redcore: cannot write: No space left on device")
        assert result.stderr.count(b"\n") == 1


def test_cache_that_takes_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A folder that is there and cannot be written to, as its rights or the disk say."""
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))
    allowed = os.access
    monkeypatch.setattr(
        os, "access", lambda path, *rest, **more: path != tmp_path and allowed(path, *rest, **more)
    )
    sentence = refusal(capsys, "simulate", "csa", "--width", "8")
    assert str(tmp_path) in sentence
    assert "set REDCORE_CACHE" in sentence
    monkeypatch.undo()
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))

    def refuse(folder: Path, *rest: object, **more: object) -> None:
        if folder != tmp_path:
            raise OSError(errno.EROFS, "Read-only file system", str(folder))

    monkeypatch.setattr(Path, "mkdir", refuse)
    for words in ("simulate csa --width 8", "synth csa --width 8 --target asic"):
        sentence = refusal(capsys, *words.split())
        assert "Read-only file system" in sentence
        assert str(tmp_path) in sentence


def test_title_of_an_answer_stays_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["info", "csa", "--width", "16"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "Carry-save radix-2 Montgomery multiplier, pipelined and replicated, 16 bits"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for children in /proc")
def test_interrupt_ends_children(tmp_path: Path) -> None:
    """Ctrl-C that reaches only redcore: exit code 130, one line, and no compiler goes on."""
    process = subprocess.Popen(
        [*PROGRAM, "simulate", "csa", "--width", "1024", "--vectors", "100"],
        env=os.environ | {"REDCORE_CACHE": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    children = _wait_for(lambda: processes.descendants(process.pid), 30)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == ""
    assert err == "redcore: interrupted\n"
    assert _wait_for(lambda: not any(map(_alive, children)), 10)


def _alive(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def _wait_for(condition: Any, seconds: float) -> Any:
    """The first true value of ``condition``; fail when it stays false for ``seconds``."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"still waiting after {seconds} s")


def test_progress_shows_on_a_terminal_only() -> None:
    program = (
        "import time; from redcore.commands.terminal import progress_bar\n"
        "with progress_bar() as tell:\n    tell('thinking', 1, 2); time.sleep(0.3)\n"
    )
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stderr=terminal,
        stdout=subprocess.PIPE,
        env=os.environ | {"TERM": "xterm"},
    )
    process.wait(timeout=30)
    os.close(terminal)
    shown = os.read(controller, 100_000).decode()
    os.close(controller)
    assert "thinking" in shown
    assert process.stdout is not None
    assert process.stdout.read() == b""
    quiet = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert quiet.stderr == b""
