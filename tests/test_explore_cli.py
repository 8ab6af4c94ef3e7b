# SPDX-License-Identifier: Apache-2.0
"""`redcore tune`, `explore` and `build` without a family, on a bench that measures by formula."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from redcore import cli
from redcore.commands.search import time_left
from redcore.design import Design
from redcore.synthesize import target
from stand_in_bench import Keeping

pytestmark = pytest.mark.kept


@pytest.fixture(autouse=True)
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Keeping:
    """Every command measures with this one."""
    made = Keeping(tmp_path)
    for name in ("sweep", "tune", "sampled"):
        module = importlib.import_module(f"redcore.explore.{name}")
        monkeypatch.setattr(module, "Synthesis", lambda: made)
    return made


def run(capsys: pytest.CaptureFixture[str], words: str) -> tuple[int, Any, str]:
    """Exit code, the JSON object, and what was said."""
    code = cli.run([*words.split(), "--json"])
    said = capsys.readouterr()
    return code, json.loads(said.out), said.err


TUNE = "tune --width 64 --target ecp5-85k --family csa --set add_stages=4 final_sub=1 stages=1..8"


def test_tune_answers_with_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer, _ = run(capsys, f"{TUNE} replicas=1..8 --max-lut 4000 --min-freq 120")
    assert code == 0
    assert {"constraints", "model", "candidates", "chosen", "syntheses_run", "pareto"} <= set(
        answer
    )
    assert answer["constraints"] == {
        "max_lut": 4000, "max_ff": None, "max_dsp": None, "max_bram": None, "min_freq": 120.0,
    }  # fmt: skip
    found = answer["chosen"]["measured"]
    assert found["lut_in_all"] <= 4000
    assert found["fmax_mhz"] >= 120
    assert answer["syntheses_run"] == len([c for c in answer["candidates"] if c["measured"]]) > 0
    assert answer["explanations"]


def test_tune_exits_with_1_where_nothing_fits(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer, said = run(capsys, f"{TUNE} replicas=1 --max-lut 100")
    assert code == 1
    assert answer["chosen"] is None
    assert [each["constraint"] for each in answer["binding"]] == ["lut"]
    assert said.splitlines()[-1].startswith("redcore: nothing fits: with --max-lut at least ")
    assert answer["binding"][0]["needed"] > 100


def test_tune_says_where_there_is_no_clock(capsys: pytest.CaptureFixture[str]) -> None:
    """Areas alone answer no question about throughput; no constraint is to blame for it."""
    words = "tune --width 16 --target ice40-hx8k --family interleaved --no-pnr"
    code, answer, said = run(capsys, words)
    assert code == 1
    assert answer["chosen"] is None
    assert answer["binding"] == []
    assert said.splitlines()[-1].startswith("redcore: no design has a clock on ice40-hx8k")
    assert "leave --no-pnr out" in said
    code, answer, _ = run(capsys, f"{words} --objective area")
    assert code == 0
    assert answer["chosen"]["measured"]["fmax_mhz"] is None


def test_tune_looks_for_the_smallest_where_no_tool_gives_a_clock(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = "tune --width 16 --family interleaved --target"
    code, answer, said = run(capsys, f"{words} asic")
    assert (code, answer["objective"]) == (0, "area")
    assert "redcore: asic has no clock, so the smallest was looked for (--objective area)" in said
    _, answer, said = run(capsys, f"{words} ecp5-25k")
    assert answer["objective"] == "throughput" and "smallest" not in said


@pytest.mark.parametrize("as_json", ["", " --json"])
def test_tune_tells_its_steps_on_stderr_and_answers_on_stdout(
    as_json: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(f"{TUNE} replicas=1..8{as_json}".split()) == 0
    shown = capsys.readouterr()
    assert "ranked by the model" in shown.err
    assert "against what was expected" in shown.err
    if as_json:
        assert json.loads(shown.out)["explanations"] == shown.err.splitlines()
    else:
        assert shown.out.startswith("Chosen\n")
        assert "ranked by the model" not in shown.out


def test_build_tells_each_step_of_its_choice_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "build --width 16 --modulus 7 --target ecp5-85k --max-lut 1 --out"
    assert cli.run([*words.split(), str(tmp_path / "out")]) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) > 1 and len(told) == len({each.removeprefix("redcore: ") for each in told})


def test_explore_sweeps_and_names_the_best(
    capsys: pytest.CaptureFixture[str], bench: Keeping
) -> None:
    words = "explore --width 16 --target ecp5-85k --family csa --jobs 2 --axes throughput,lut"
    grid = "--set stages=1,2,4 replicas=1,2 add_stages=1 final_sub=1"
    code, answer, _ = run(capsys, f"{words} {grid} --seeds 1,2,3")
    assert code == 0
    assert len(answer["candidates"]) == answer["syntheses_run"] == 6
    assert len(bench.runs("end")) == 18
    assert answer["axes"] == ["throughput", "lut"]
    rates = [each["measured"]["ops_per_second"] for each in answer["candidates"]]
    assert answer["chosen"]["measured"]["ops_per_second"] == max(rates)
    areas = [each["measured"]["lut_in_all"] for each in answer["pareto"]]
    assert areas == sorted(areas, reverse=True)
    code, again, _ = run(capsys, f"{words} {grid} --seeds 1,2,3 --max-lut 10")
    assert (code, again["chosen"], again["syntheses_run"]) == (1, None, 0)
    code, area, _ = run(capsys, f"{words} {grid} --no-pnr")
    assert code == 0
    assert area["chosen"]["measured"]["fmax_mhz"] is None
    assert cli.run(f"{words} {grid}".split()) == 0
    assert "best for throughput: csa --width 16" in capsys.readouterr().out


@pytest.mark.parametrize("search", ["", " --search 3"])
def test_explore_measures_nothing_where_nothing_can_fit(
    search: str, bench: Keeping, capsys: pytest.CaptureFixture[str]
) -> None:
    """As tune: the model knows, and says which constraint would have to be what."""
    words = "explore --width 64 --target ecp5-85k --family csa --set stages=1..8 --max-lut 0"
    code, answer, said = run(capsys, words + search)
    assert code == 1
    assert answer["candidates"] == [] and answer["chosen"] is None and not bench.runs("end")
    assert "nothing fits: with --max-lut at least" in said.splitlines()[-1]
    assert cli.run([*words.split(), *search.split()]) == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("command", ["tune --max-syntheses 1", "explore"])
def test_an_answer_for_secrets_says_what_a_trace_shows(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    grid = "window=4 threads=1 memory=lutram method=window"
    words = f"{command} --kind exp --width 16 --target ecp5-85k --set {grid} --family"
    _, answer, said = run(capsys, f"{words} barrett")
    assert answer["chosen"]["follows_operands"].startswith("barrett writes")
    assert f"for secrets take another multiplier: {answer['chosen']['follows_operands']}" in said
    _, answer, said = run(capsys, f"{words} interleaved")
    assert answer["chosen"]["follows_operands"] == "" and "for secrets" not in said


def test_explore_shows_both_times(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a pipeline the interval is a part of the latency; a table with one of them hides that."""
    words = (
        "explore --width 64 --target ecp5-85k --family csa --set stages=4 replicas=1 add_stages=4"
    )
    _, answer, _ = run(capsys, f"{words} final_sub=1")
    figures = answer["pareto"][0]["measured"]
    assert figures["interval_ns"] < figures["latency_ns"] / 2
    assert cli.run([*words.split(), "final_sub=1"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "latency ns" in shown and "interval ns" in shown
    assert f"{figures['latency_ns']:,.0f} \u2502 {figures['interval_ns']:,.0f} \u2502" in shown


def test_explore_lets_optuna_choose(capsys: pytest.CaptureFixture[str]) -> None:
    words = "explore --width 16 --target ecp5-85k --family csa --search 5 --jobs 1"
    code, answer, _ = run(capsys, words)
    assert code == 0
    assert len(answer["candidates"]) == 5
    assert cli.run([*words.split(), "--seeds", "1,2"]) == 2
    assert "give --seeds one seed" in capsys.readouterr().err


@dataclass
class Bundled:
    """What a bundle would be made of."""

    design: Design
    passed: bool = True
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {"family": self.design.family.name, "parameters": self.design.values}


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch) -> list[Design]:
    """The designs that bundles were made of; their folders get a report and nothing else."""
    made: list[Design] = []

    def build_bundle(design: Design, modulus: object, target: object, out: Path, **_: Any) -> Any:
        made.append(design)
        out.mkdir()
        (out / "report.md").write_text("a report\n")
        return Bundled(design)

    monkeypatch.setattr("redcore.bundle.build_bundle", build_bundle)
    return made


def test_build_without_a_family_takes_the_tuners(
    capsys: pytest.CaptureFixture[str], bundled: list[Design], tmp_path: Path
) -> None:
    words = f"build --width 32 --modulus 0xfffffffb --target ecp5-85k --out {tmp_path / 'b'}"
    code, answer, said = run(capsys, f"{words} --objective throughput-per-area")
    assert code == 0
    assert answer["tune"]["chosen"]["parameters"] == bundled[0].values == answer["parameters"]
    assert answer["tune"]["chosen"]["family"] == bundled[0].family.name
    assert answer["tune"]["syntheses_run"] <= 3
    room = target("ecp5-85k").capacity
    assert room is not None
    assert answer["tune"]["constraints"]["max_lut"] == room.lut // 10
    assert "choosing within 1/10 of ecp5-85k" in said


def test_build_within_limits_and_a_named_family(
    capsys: pytest.CaptureFixture[str], bundled: list[Design], tmp_path: Path
) -> None:
    words = f"build csa --width 32 --modulus 0xfffffffb --target ecp5-85k --out {tmp_path / 'b'}"
    code, answer, _ = run(capsys, f"{words} --max-lut 700 --min-freq 150")
    assert code == 0
    assert bundled[0].family.name == "csa"
    assert answer["tune"]["chosen"]["measured"]["lut_in_all"] <= 700
    code = cli.run([*words.split(), "--max-lut", "10"])
    assert code == 2, "what is there is looked at before the search"
    assert "is not empty" in capsys.readouterr().err
    code = cli.run([*words.split(), "--max-lut", "10", "--force"])
    assert code == 1
    assert "nothing fits" in capsys.readouterr().err
    assert len(bundled) == 1


def test_build_with_a_family_alone_asks_nobody(
    capsys: pytest.CaptureFixture[str], bundled: list[Design], bench: Keeping, tmp_path: Path
) -> None:
    words = f"build csa --width 32 --modulus 0xfffffffb --target ecp5-85k --out {tmp_path / 'b'}"
    code, answer, _ = run(capsys, f"{words} --set stages=2")
    assert code == 0
    assert "tune" not in answer
    assert bundled[0].values["stages"] == 2
    assert not bench.runs("begin")


def test_the_time_left_reads_well() -> None:
    assert time_left(None) == ""
    assert time_left(7.2) == "7 s left"
    assert time_left(600) == "10 min left"
    assert time_left(3 * 3600) == "3.0 h left"
