# SPDX-License-Identifier: Apache-2.0
"""Coverage is added up rightly: what one design has not and another has, what has changed since."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
import covered_parts  # noqa: E402  programs of the repository, no installed package
import covered_python  # noqa: E402
import covered_reasons  # noqa: E402
import covered_rtl  # noqa: E402


def point(page: str, line: int, what: str, count: int) -> str:
    """A line of Verilator's file of coverage."""
    fields = {"f": "/a/rtl/x.sv", "l": str(line), "n": "7", "page": page, "o": what}
    return "C '" + "".join(f"\1{key}\2{value}" for key, value in fields.items()) + f"' {count}\n"


@pytest.fixture
def counted(tmp_path: Path) -> list[Path]:
    """Two designs: the wider has bits that the other has not; one module is nobody's."""
    files = [tmp_path / "a.dat", tmp_path / "b.dat"]
    files[0].write_text(
        point("v_toggle/redc_prim_delay__W1", 9, "d_i[0]:0->1", 3)
        + point("v_toggle/redc_prim_delay__W1", 9, "d_i[0]:1->0", 0)
        + point("v_line/redc_prim_delay__W1", 20, "block", 0)
        + point("v_line/bench", 20, "block", 0)
    )
    files[1].write_text(
        point("v_toggle/redc_prim_delay__W2", 9, "d_i[0]:1->0", 1)
        + point("v_toggle/redc_prim_delay__W2", 9, "d_i[1]:0->1", 0)
        + point("v_toggle/redc_prim_delay__W2", 9, "d_i[1]:1->0", 0)
        + point("v_toggle/redc_prim_delay__W2", 11, "q_o[0]:1->0", 0)
        + point("v_branch/redc_prim_delay__W2", 20, "if", 2)
    )
    return files


def test_points_of_several_designs_are_one_module_s(counted: list[Path]) -> None:
    found = covered_rtl.points(counted)
    assert set(found) == {"redc_prim_delay"}
    assert found["redc_prim_delay"]["line"] == {"20.7: block": 0, "20.7: if": 2}
    assert covered_rtl.gaps(found["redc_prim_delay"]["toggle"]) == {
        "d_i": ["[1] never moves"],
        "q_o": ["[0] never falls"],
    }
    (row,) = covered_rtl.rows(found, {"date": "2026-01-01"})
    assert (row["lines"], row["line_percent"]) == (2, 50.0)
    assert (row["toggles"], row["toggles_covered"], row["toggle_percent"]) == (5, 2, 40.0)
    assert row["line_gaps"][0]["line"].startswith("20.7: block: ") and row["date"] == "2026-01-01"
    assert [gap["signal"] for gap in row["toggle_gaps"]] == ["d_i", "q_o"]


def test_reasons_are_read_off_the_source() -> None:
    source = """
  function automatic int unsigned twice(int unsigned x);
    return 2 * x;
  endfunction
  function automatic logic is(logic x);
    return x;
  endfunction
  default: state_q <= StIdle;
  if (a) b <= c;
  assign last_o = 1'b1;
  wire unused_all = ^{spare, other.part};
"""
    counts = {"3.5: block": 0, "6.5: block": 2, "8.3: case": 0, "9.3: if": 0, "9.4: else": 1}
    assert covered_reasons.of_lines(counts, source.split("\n")) == {
        "3.5: block": covered_reasons.CONSTANT,
        "8.3: case": covered_reasons.DEFAULT,
        "9.3: if": None,
    }
    told = {
        ("last_o", " never falls"): covered_reasons.TIED,
        ("spare", "[1] never moves"): covered_reasons.UNREAD,
        ("gen_a.unused", " never moves"): covered_reasons.UNREAD,
        ("other.part", " never moves"): covered_reasons.UNREAD,
        ("spare_q", "[1] never moves"): None,
        ("block_m", "[2][0] never falls"): "of a lowest bit of moduli, which are odd",
        ("block_m", "[2][1] never falls"): None,
    }
    for (signal, gap), words in told.items():
        assert covered_reasons.of_signal("redc_x", signal, [gap], source) == words, signal


def test_what_is_of_older_rtl_does_not_count(counted: list[Path]) -> None:
    found = covered_rtl.points(counted)
    file = "rtl/redc_prim_delay.sv"
    now = covered_parts.digest(ROOT / file)
    for digest, left in ((now, {"redc_prim_delay"}), ("0" * 16, set())):
        part: dict[str, Any] = {"files": {file: digest}, "points": found}
        assert set(covered_rtl._together([part])) == left


def test_gaps_of_python_are_told_by_their_text() -> None:
    lines = ["if a:", "    b()", "    c()", "d()", "if e:", "    f()", "g()"]
    file = {
        "missing_lines": [2, 3],
        "executed_lines": [1, 4, 5, 6, 7],
        "missing_branches": [[1, 2], [5, 7], [5, -1]],
    }
    told = covered_python._gaps(file, lines)
    assert told == ["2: b()", "5: if e: -> 7: g()", "5: if e: -> the end"]


def test_a_part_is_kept_until_what_it_ran_changes(tmp_path: Path) -> None:
    told, file = tmp_path / "part.json", "tests/test_covered.py"
    assert not covered_parts.is_kept(told, ("-m", "x"))
    part = {"options": ("-m", "x"), "files": {file: covered_parts.digest(ROOT / file)}}
    covered_parts.keep(told, part)
    assert covered_parts.is_kept(told, ("-m", "x"))
    assert not covered_parts.is_kept(told, ("-m", ""))
    told.write_text(json.dumps(part | {"files": {file: "0"}}))
    assert not covered_parts.is_kept(told, ("-m", "x"))


def test_one_run_at_a_part_at_a_time(tmp_path: Path) -> None:
    part = tmp_path / "part"
    with covered_parts.alone(part) as first, covered_parts.alone(part) as second:
        assert (first, second) == (True, False)
    with covered_parts.alone(part) as third:
        assert third
