# SPDX-License-Identifier: Apache-2.0
"""What tests cover: branches of the Python modules, lines and toggles of the RTL ones.

Runs pytest with those arguments (none: all tests, the long ones too) and writes
benchmarks/covered.json and .md. Of the RTL counts what our own driver simulates; cocotb benches are
not added. A line or a bit counts as covered where one simulated design of any parameters covers it,
and as a gap where the RTL has it for some design and none covers it.

    python benchmarks/covered.py [PYTEST ARGUMENT ...]
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from figures import rtl_of, table, versions, write

from redcore import rtl
from redcore.simulate.compile import COVERAGE

_POINT = re.compile(r"^C '(.*)' (\d+)$")
_NAMED = 12
"""Gaps of a module that the record names."""


def points(files: Iterable[Path]) -> dict[str, Counter[tuple[str, str]]]:
    """How often each point was passed, by module: a kind (line, toggle) and where or what it is."""
    found: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for file in files:
        for row in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if match := _POINT.match(row):
                fields = dict(
                    part.split("\x02", 1) for part in match[1].split("\x01") if "\x02" in part
                )
                kind, _, page = fields["page"].partition("/")
                module = page.partition("__")[0]  # of one with parameters: its name and a number
                what = f"{fields['l']}: {fields.get('o', '')}"
                found[module][kind.removeprefix("v_"), what] += int(match[2])
    return found


def rtl_rows(files: Iterable[Path]) -> list[dict[str, Any]]:
    """A row for each module of the library."""
    found = points(files)
    rows = []
    for module in sorted(set(found) & {path.stem for path in rtl.rtl_folder().glob("*.sv")}):
        row: dict[str, Any] = {"module": module}
        for kind in ("line", "toggle"):
            own = {what: count for (each, what), count in found[module].items() if each == kind}
            missed = [what for what, count in own.items() if not count]
            row |= {f"{kind}s": len(own), f"{kind}s_covered": len(own) - len(missed)}
            row[f"{kind}_percent"] = percent(len(own) - len(missed), len(own))
            row[f"{kind}_gaps"] = missed[:_NAMED]
        rows.append(row | {"rtl_sha256": rtl_of(module)[module]})
    return rows


def python_rows(report: dict[str, Any]) -> list[dict[str, Any]]:
    """A row for each Python module: statements and branches together, as coverage.py counts."""
    rows = []
    for name, file in sorted(report["files"].items()):
        told = file["summary"]
        all_ = told["num_statements"] + told["num_branches"]
        covered = told["covered_lines"] + told["covered_branches"]
        rows.append(
            {
                "module": name.removeprefix("src/"),
                "points": all_,
                "covered": covered,
                "percent": percent(covered, all_),
                "gaps": file["missing_lines"][:_NAMED],
            }
        )
    return rows


def percent(covered: int, all_: int) -> float:
    """100 of nothing."""
    return round(100 * covered / all_, 1) if all_ else 100.0


def main(arguments: list[str]) -> int:
    """Run, add up, write; the exit code of pytest."""
    chosen = arguments or ["-m", "", "-n", "auto"]
    with tempfile.TemporaryDirectory(prefix="redcore-coverage-") as name:
        report, folder = Path(name) / "python.json", Path(name) / "rtl"
        folder.mkdir()
        command = ["pytest", "-q", "--cov=redcore", "--cov-branch", f"--cov-report=json:{report}"]
        ended = subprocess.run(
            [sys.executable, "-m", *command, "--no-verdicts", *chosen],
            env=os.environ | {COVERAGE: str(folder)},
            check=False,
        )
        python = python_rows(json.loads(report.read_text(encoding="utf-8")))
        hardware = rtl_rows(folder.glob("*.dat"))
    record = {
        "command": " ".join(["python benchmarks/covered.py", *arguments]),
        "date": date.today().isoformat(),
        "versions": versions("verilator", "python"),
        "tests_passed": ended.returncode == 0,
        "goals": {"python_percent": 95, "rtl_percent": 98},
        "rows": hardware,
        "python": python,
    }
    lines = {
        "module": "module", "line_percent": "lines %", "toggle_percent": "toggles %",
        "lines": "lines", "toggles": "toggles",
    }  # fmt: skip
    several = {"module": "Python module", "percent": "statements and branches %", "points": "of"}
    text = f"Measured by `{record['command']}` on {record['date']}.\n\n"
    write("covered", record, f"{text}{table(hardware, lines)}\n{table(python, several)}")
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
