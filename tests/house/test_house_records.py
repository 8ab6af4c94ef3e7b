# SPDX-License-Identifier: Apache-2.0
"""Records of measurements: each row says of itself where it comes from, tables are made of rows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from benchmarks import study  # noqa: E402  the repository's folder, which is no installed package

from redcore.catalogue import family  # noqa: E402
from redcore.errors import CheckFailed  # noqa: E402
from redcore.generate import figures  # noqa: E402

STUDIES = study.studies()


def records() -> dict[str, dict[str, Any]]:
    """Every record that has rows."""
    every = {path.stem: json.loads(path.read_text("utf-8")) for path in study.FOLDER.glob("*.json")}
    return {name: each for name, each in every.items() if "rows" in each}


@pytest.mark.kept(reads=("benchmarks",))
@pytest.mark.parametrize("name", STUDIES)
def test_a_table_is_made_of_its_rows(name: str) -> None:
    """`python -m benchmarks --render` would leave no difference; every row is a case's."""
    one, record = STUDIES[name], records()[name]
    text = one.path.with_suffix(".md").read_text(encoding="utf-8")
    assert text.partition("\n")[2] == one.render(record["rows"])
    assert record["command"] == f"python -m benchmarks {name}"
    cases = list(one.cases())
    for row in record["rows"]:
        assert len([each for each in cases if one.rows_of(each, [row])]) == 1, one.key_of(row)
    keys = [one.key_of(row) for row in record["rows"]]
    assert len(keys) == len({*keys})


def test_each_row_says_where_it_comes_from() -> None:
    """Command, RTL or files, tools and date; what was computed or predicted needs none."""
    silent = []
    for name, record in records().items():
        rows = [row for row in figures.measured(record) if not row.get("computed")]
        for at, row in enumerate(rows):
            wanted = {"command", "tool_versions", "date", "rtl_sha256"}
            wanted -= {"rtl_sha256"} if row.get("parts_sha256") else set()  # of no RTL
            silent += [f"{name}, row {at}: {key}" for key in sorted(wanted) if not row.get(key)]
    assert not silent


COMPUTED = [name for name, one in STUDIES.items() if one.computed]
IN_SECONDS: dict[str, list[set[str]]] = {
    "curve_bounds": [{"by the ladder"}, {"p192", "cios"}, {"p192", "csa"}],
    "curve_cycles": [{"x25519"}, {"x448"}, {"p256"}, {"kummer1271"}, {"ed25519"}],
}
"""Of studies whose cases take seconds each those that are computed anew in the quick tests: what is
known of them."""


def recomputed(name: str, every: bool) -> list[str]:
    """The cases of a computed study whose rows are not what its formulas say today."""
    one, rows, wrong = STUDIES[name], records()[name]["rows"], []
    for each in one.cases():
        known = {*map(str, each.known.values())}
        if not every and not any(asked <= known for asked in IN_SECONDS.get(name, [set()])):
            continue
        if one.rows_of(each, rows) != json.loads(json.dumps([*one.run(each)])):
            wrong.append(" ".join(map(str, each.known.values())))
    return wrong


@pytest.mark.kept(reads=("benchmarks",))
@pytest.mark.parametrize("name", COMPUTED)
def test_what_was_computed_is_what_formulas_say(name: str) -> None:
    """Rows of formulas have no hash of RTL that could be old: they are computed anew."""
    assert not recomputed(name, every=False), f"python -m benchmarks {name} --again"


@pytest.mark.full
@pytest.mark.parametrize("name", IN_SECONDS)
def test_all_that_was_computed_is_what_formulas_say(name: str) -> None:
    assert not recomputed(name, every=True), f"python -m benchmarks {name} --again"


def test_sentences_about_curves_quote_the_table() -> None:
    quoted = {row["name"]: row for row in records()["prose"]["rows"]}
    for row in records()["curve_cycles"]["rows"]:
        if f"{row['curve']}_job" in quoted:
            assert quoted.pop(f"{row['curve']}_job")["latency_cycles"] == row["cycles"]
    assert not [name for name in quoted if name.endswith("_job")]


def toy(ran: list[int], **changes: Any) -> study.Study:
    """Squares of widths; measuring tells what was run."""

    def measure(one: study.Case) -> Iterator[study.Row]:
        ran.append(one.known["width"])
        if one.known["width"] == 24:
            raise CheckFailed("24 is never squared")
        yield {"square": one.known["width"] ** 2}

    return study.Study(
        "toy",
        "squares",
        ("family", "width"),
        lambda: (study.case("csa", width, family="csa") for width in (8, 16, 24)),
        measure,
        {"width": "bits", "square": "squared"},
        goals=lambda rows: {"small": all(row.get("square", 0) < 200 for row in rows)},
        **changes,
    )


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """The widths that the toy was run at, in a folder of its own."""
    found: list[int] = []
    monkeypatch.setattr(study, "FOLDER", tmp_path)
    monkeypatch.setattr("benchmarks.figures.FOLDER", tmp_path)
    monkeypatch.setattr(study, "studies", lambda: {"toy": toy(found)})
    return found


def rows(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "toy.json").read_text("utf-8"))["rows"]
    return found


def test_what_is_current_is_not_run_again(
    ran: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A row is written at once, says all of itself, and is run again when its RTL is older."""
    assert study.main(["toy", "width=8"]) == 0
    (row,) = rows(tmp_path)
    design = family("csa").design(8)
    assert row["design"] == design.command_line()
    assert row["rtl_sha256"] == study.rtl.digest(design.sources())
    assert row["command"] == "python -m benchmarks toy family=csa width=8 --again"
    assert row["tool_versions"]["yosys"] and row["date"] and row["square"] == 64
    assert study.main(["toy"]) == 1  # 16 misses the goal
    assert ran == [8, 16, 24]
    failed = rows(tmp_path)[2]
    assert failed["failure"] == "24 is never squared" and failed["rtl_sha256"]
    text = (tmp_path / "toy.md").read_text("utf-8")
    assert "| 24 | - |" in text and "- csa 24: 24 is never squared" in text
    assert "- small: missed" in text
    record = json.loads((tmp_path / "toy.json").read_text("utf-8"))
    record["rows"][0]["rtl_sha256"] = "0" * 16
    del record["rows"][1]["rtl_sha256"]
    (tmp_path / "toy.json").write_text(json.dumps(record), encoding="utf-8")
    assert study.counts()["toy"] == {"current": 1, "old": 1, "unknown": 1, "missing": 0}
    capsys.readouterr()
    assert study.main(["--stale", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"rows": 3, "stale": 2}
    assert study.main(["toy", "--list"]) == 0
    listed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in listed] == ["old", "unknown", "current"]
    assert listed[0][1:] == ["family=csa", "width=8"]
    assert study.main(["toy", "24", "--list", "--json"]) == 0
    assert [each["state"] for each in json.loads(capsys.readouterr().out)] == ["current"]
    assert study.main(["toy"]) == 1
    assert ran == [8, 16, 24, 8, 16]
    assert study.main(["toy", "24", "--again"]) == 1
    assert ran == [8, 16, 24, 8, 16, 24]
    assert [row["width"] for row in rows(tmp_path)] == [8, 16, 24]


def test_runs_at_the_same_time_keep_each_others_rows(
    ran: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = toy(ran)

    def measure(one: study.Case) -> Iterator[study.Row]:
        if one.known["width"] == 8:
            study.main(["toy", "16"])  # another one begins and ends meanwhile
        yield from plain.measure(one)

    monkeypatch.setattr(study, "studies", lambda: {"toy": replace(plain, measure=measure)})
    study.main(["toy", "8"])
    assert [row["width"] for row in rows(tmp_path)] == [8, 16]


@pytest.mark.parametrize(
    "words",
    [
        ["none"], ["none", "--list"], ["toy", "width=9"], ["toy", "9"], ["--render", "none"],
        ["--render", "toy", "none"], ["--stale", "toy"], ["--again"],
    ],
)  # fmt: skip
def test_what_is_not_there_is_refused(words: list[str], ran: list[int]) -> None:
    assert study.main(words) == 2
    assert ran == []


def test_tables_are_rendered_without_measuring(ran: list[int], tmp_path: Path) -> None:
    study.main(["toy", "8"])
    (tmp_path / "toy.md").unlink()
    assert study.main(["--render"]) == 0
    assert "| 8 | 64 |" in (tmp_path / "toy.md").read_text("utf-8")
    assert ran == [8]


def test_a_reader_who_leaves_early_gets_no_traceback() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "benchmarks", "shape", "--list"],
            cwd=ROOT,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        os.close(writing)
    assert (ran.returncode, ran.stderr) == (141, "")


def test_what_is_not_placed_in_time_has_an_area_and_no_clock(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A synthesis that is to be placed at once is mapped; what ends in time has its clock."""
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))
    one = study.case("tableserial", 32, None, "ecp5-25k", (1, 2))
    (mapped,) = study.synthesis()(study.unplaced(one))
    (late,), (done,) = (list(study.synthesis(minutes=each)(one)) for each in (0.0, 10.0))
    assert late["fmax_mhz"] is None and late["failure"] == "not placed within 0 minutes"
    assert done["fmax_mhz"] > 0 and done["failure"] is None and done["seeds"] == 2
    assert late["lut_in_all"] == done["lut_in_all"] == mapped["lut_in_all"] > 0


def test_what_is_not_mapped_in_time_has_no_figures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))
    monkeypatch.setattr(study, "stored", lambda *_, **__: None)
    one = study.case("tableserial", 32, None, "ecp5-25k", (1, 2))
    with pytest.raises(CheckFailed, match="not synthesized within 0 minutes"):
        list(study.synthesis(minutes=0.0)(one))


def test_a_synthesis_has_as_much_of_a_processor_as_is_said_whatever_else_runs() -> None:
    """A tool that waits does not use its time up, one that computes does, and its own alone."""
    busy = "while True: pass"
    idle = "import time; time.sleep(60)"
    another = subprocess.Popen([sys.executable, "-c", busy])
    tools = []
    try:
        with study.at_most(1.5 / 60) as over:
            tools.append(subprocess.Popen([sys.executable, "-c", idle]))
            assert not over.wait(4)
            tools.append(subprocess.Popen([sys.executable, "-c", busy]))
            assert over.wait(60)
    finally:
        for each in [another, *tools]:
            each.kill()
            each.wait()
