# SPDX-License-Identifier: Apache-2.0
"""What of the Python modules tests cover: statements and branches, as coverage.py counts them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from covered_parts import FOLDER, ROOT, digests, is_kept, keep, run_part, test_files
from figures import table, write

from redcore import toolchain

SOURCE = ROOT / "src" / "redcore"
PARTS = FOLDER / "python"
GOAL = 95.0
# Child processes, too: Python ends some by os._exit.
_SETTINGS = """[run]
branch = True
source = {source}
data_file = {data}
parallel = True
patch =
    subprocess
    _exit
[report]
exclude_also =
    if TYPE_CHECKING:
"""


def run(files: Sequence[str], full: bool, jobs: str) -> int:
    """Run the test files whose coverage is not kept; 1 where a test failed."""
    tier = ("-m", "" if full else "not full")
    failed = 0
    for test_file in test_files(files):
        told = PARTS / f"{test_file.stem}.json"
        if is_kept(told, tier):
            continue
        folder = PARTS / test_file.stem
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        settings, data = folder / "settings", folder / "covered"
        settings.write_text(_SETTINGS.format(source=SOURCE, data=data), encoding="utf-8")
        coverage = (f"--cov-config={settings}", "--cov", "--cov-report=")
        before = digests(SOURCE.rglob("*.py"))
        part = run_part(test_file, folder, ("-n", jobs, *coverage, *tier), {})
        touched = {str(Path(each).relative_to(ROOT)) for each in _measured(data)}
        known = {name: then for name, then in before.items() if name in touched}
        keep(told, part | {"options": tier, "files": known | digests([test_file])})
        failed += not part["passed"]
    return int(failed > 0)


def _measured(data: Path) -> list[str]:
    """The modules of which a part has run anything."""
    from coverage import CoverageData

    if not data.is_file():
        return []
    read = CoverageData(str(data))
    read.read()
    return [name for name in read.measured_files() if read.arcs(name)]


def _together() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The report of coverage.py over all parts, and the parts, of source as it is now."""
    from coverage import Coverage, CoverageData

    settings, data, report = (PARTS / name for name in ("settings", "all", "report.json"))
    settings.write_text(_SETTINGS.format(source=SOURCE, data=data), encoding="utf-8")
    data.unlink(missing_ok=True)
    sum_ = CoverageData(str(data))
    parts = [json.loads(path.read_text("utf-8")) for path in sorted(PARTS.glob("test_*.json"))]
    now = digests(SOURCE.rglob("*.py"))
    for part in parts:
        kept = PARTS / Path(part["test_file"]).stem / "covered"
        if kept.is_file():
            own = CoverageData(str(kept))
            own.read()
            fresh = {name for name, then in part["files"].items() if now.get(name) == then}
            for name in own.measured_files():
                arcs = own.arcs(name)
                if arcs and str(Path(name).relative_to(ROOT)) in fresh:
                    sum_.add_arcs({name: arcs})
    sum_.write()
    reporter = Coverage(data_file=str(data), config_file=str(settings))
    reporter.load()
    reporter.json_report(outfile=str(report))
    return json.loads(report.read_text(encoding="utf-8")), parts


def _gaps(file: dict[str, Any], lines: Sequence[str]) -> list[str]:
    """Statements that were not run, neighbours together, and branches that were never taken."""
    missing = set(file["missing_lines"])
    named: list[list[int]] = []
    executable = sorted(missing | set(file["executed_lines"]))
    for line in executable:
        if line in missing:
            follows = named and executable.index(line) == executable.index(named[-1][-1]) + 1
            named[-1].append(line) if follows else named.append([line])
    told = [f"{each[0]}: {lines[each[0] - 1].strip()}" for each in named]
    for start, end in file["missing_branches"]:
        if start not in missing and abs(end) not in missing:
            to = "the end" if end < 0 else f"{end}: {lines[end - 1].strip()}"
            told.append(f"{start}: {lines[start - 1].strip()} -> {to}")
    return told


def rows(report: dict[str, Any]) -> list[dict[str, Any]]:
    """A row for each module, statements and branches together."""
    found = []
    for name, file in sorted(report["files"].items()):
        path = Path(name) if Path(name).is_absolute() else ROOT / name
        told = file["summary"]
        points = told["num_statements"] + told["num_branches"]
        covered = told["covered_lines"] + told["covered_branches"]
        found.append(
            {
                "module": str(path.relative_to(SOURCE.parent)),
                "points": points,
                "covered": covered,
                "percent": percent(covered, points),
                "gaps": _gaps(file, path.read_text(encoding="utf-8").splitlines()),
            }
        )
    return found


def percent(covered: int, points: int) -> float:
    """100 of nothing."""
    return round(100 * covered / points, 1) if points else 100.0


def record() -> None:
    """Write the record of all parts that are kept."""
    report, parts = _together()
    found = rows(report)
    total = {key: sum(row[key] for row in found) for key in ("points", "covered")}
    all_ = {"module": "all", **total, "percent": percent(total["covered"], total["points"])}
    figures = {
        "command": "python benchmarks/covered.py python",
        "date": date.today().isoformat(),
        "tool_versions": {
            each: toolchain.package_version(each) for each in ("coverage", "pytest", "pytest-cov")
        },
        "python_only": True,
        "goal_percent": GOAL,
        "tests": [
            {key: part[key] for key in ("test_file", "last", "passed", "cpu_seconds", "date")}
            for part in parts
        ],
        "all": all_,
        "rows": found,
    }
    columns = {"module": "module", "percent": "%", "points": "statements and branches"}
    write("coverage_python", figures, table([all_, *found], columns))
