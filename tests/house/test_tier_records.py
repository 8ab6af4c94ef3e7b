# SPDX-License-Identifier: Apache-2.0
"""What is recorded of a run of a test file, and which files are."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from benchmarks.studies import tiers

HEAD = "collecting ... collected 5 items / 1 deselected / 4 selected"


def test_ends_are_counted() -> None:
    lines = [
        "============ test session starts ============", HEAD, "",
        "tests/test_a.py::test_one PASSED                         [ 25%]",
        "tests/test_a.py::test_two[a b] FAILED                    [ 50%]",
        "tests/test_a.py::test_three SKIPPED (no tool [x])        [ 75%]",
        "tests/test_a.py::test_four ERROR                         [100%]",
        "FAILED tests/test_a.py::test_two[a b] - assert PASSED [ 50%] in 'x'",
    ]  # fmt: skip
    assert tiers.counted(lines, False) == {
        "tests": 4, "passed": 1, "failed": 2, "skipped": 1, "not_run": 0,
    }  # fmt: skip


def test_what_was_cut_off_is_told() -> None:
    lines = [HEAD, "tests/test_a.py::test_one PASSED      [ 25%]"]
    assert tiers.counted(lines, True)["not_run"] == 3
    assert "failure" not in tiers.counted(lines, True)
    assert tiers.counted(lines, False)["failure"] == "3 tests have not ended"


@pytest.mark.parametrize("lines", [[], ["collected 2 items / 2 deselected / 0 selected"]])
def test_no_test_is_no_result(lines: list[str]) -> None:
    row = tiers.counted(lines, False)
    assert row["failure"] == "no test was found"
    assert tiers.none_fails([row])["no test fails"] is False


def test_goals() -> None:
    right = {"passed": 3, "failed": 0, "not_run": 0}
    assert tiers.none_fails([right]) == {"no test fails": True, "every test was run": None}
    assert tiers.none_fails([right, {**right, "failed": 1}])["no test fails"] is False


def test_a_run_is_read_and_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two tests, one of which does not end, the other one has."""
    monkeypatch.setattr(tiers, "ROOT", tmp_path)
    (tmp_path / "conftest.py").write_text(
        "def pytest_addoption(parser):\n"
        "    parser.addoption('--no-verdicts', action='store_true')\n"
    )
    (tmp_path / "test_it.py").write_text(
        "import time\n"
        "def test_a(): pass\n"
        "def test_b(): open('begun', 'w').close(); time.sleep(600)\n"
    )

    class Soon(Event):
        """Set once the second test has begun."""

        def is_set(self) -> bool:
            return (tmp_path / "begun").exists()

    row = tiers.counted(tiers._output("test_it.py", "not full", Soon()), True)
    assert (row["tests"], row["passed"], row["not_run"]) == (2, 1, 1)


def test_files_that_claims_name_are_recorded_in_both_tiers() -> None:
    known = [(one.known["file"], one.known["tier"]) for one in tiers.cases()]
    assert ("tests/units/test_rsa_forgets.py", "quick") in known
    assert ("tests/units/test_rsa_forgets.py", "full") in known
    assert ("tests/test_drawn.py", "full") in known
    assert ("tests/test_drawn.py", "quick") not in known
    security = (tiers.ROOT / "SECURITY.md").read_text(encoding="utf-8")
    files = set(tiers._NAMED.findall(security))
    assert len(files) > 10 and all((tiers.ROOT / file).is_file() for file in files)
    assert {file for file, tier in known if tier == "quick"} == files
