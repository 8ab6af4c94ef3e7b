# SPDX-License-Identifier: Apache-2.0
"""What of the Python modules tests cover: statements and branches, as coverage.py counts them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from covered_parts import FOLDER, ROOT, alone, digests, is_kept, keep, run_part, test_files
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
        with alone(PARTS / test_file.stem) as free:
            failed += free and not _run_part(test_file, told, tier, jobs)
    return int(failed > 0)


def _run_part(test_file: Path, told: Path, tier: Sequence[str], jobs: str) -> bool:
    """Whether the tests of one file passed."""
    folder = PARTS / test_file.stem
    settings, data = folder / "settings", folder / "covered"
    settings.write_text(_SETTINGS.format(source=SOURCE, data=data), encoding="utf-8")
    coverage = (f"--cov-config={settings}", "--cov", "--cov-report=")
    before = digests(SOURCE.rglob("*.py"))
    part = run_part(test_file, folder, ("-n", jobs, "--no-verdicts", *coverage, *tier), {})
    touched = {str(Path(each).relative_to(ROOT)) for each in _measured(data)}
    known = {name: then for name, then in before.items() if name in touched}
    keep(told, part | {"options": tier, "files": known | digests([test_file])})
    return bool(part["passed"])


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
    every = list(SOURCE.rglob("*.py"))
    sum_.add_arcs({str(path): [] for path in every})
    sum_.touch_files(map(str, every))
    parts = [json.loads(path.read_text("utf-8")) for path in sorted(PARTS.glob("test_*.json"))]
    now = digests(every)
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
    all_ = _sum("all", found)
    ran = {part["test_file"] for part in parts}
    lacking = [each for path in test_files() if (each := str(path.relative_to(ROOT))) not in ran]
    told = ", ".join(Path(each).stem for each in lacking)
    figures = {
        "command": "python benchmarks/covered.py python",
        "date": date.today().isoformat(),
        "tool_versions": {
            each: toolchain.package_version(each) for each in ("coverage", "pytest", "pytest-cov")
        },
        "python_only": True,
        "source_sha256": hashlib.sha256(
            json.dumps(digests(sorted(SOURCE.rglob("*.py")))).encode()
        ).hexdigest()[:16],
        "goal_percent": GOAL,
        "not_run": lacking,
        "tests": [
            {key: part[key] for key in ("test_file", "last", "passed", "cpu_seconds", "date")}
            for part in parts
        ],
        "all": all_,
        "rows": found,
    }
    rooms = sorted({_room(row["module"]) for row in found})
    sums = [_sum(each, [row for row in found if _room(row["module"]) == each]) for each in rooms]
    columns = {
        "module": "Python of", "modules": "modules", "points": "statements and branches",
        "percent": "covered, %", "below": f"modules below {GOAL:.0f} %",
    }  # fmt: skip
    without = f"\nTests that were not run: {told}.\n" if told else ""
    write("coverage_python", figures, table([*sums, all_], columns) + without)


def _room(module: str) -> str:
    """The package of a module, or the module itself."""
    return module.removeprefix("redcore/").partition("/")[0].removesuffix(".py")


def _sum(name: str, found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Of several modules together, and which of them miss the goal."""
    total = {key: sum(row[key] for row in found) for key in ("points", "covered")}
    below = [
        f"{row['module'].removeprefix(f'redcore/{name}/').removesuffix('.py')} {row['percent']}"
        for row in found
        if row["percent"] < GOAL
    ]
    return {
        "module": name,
        "modules": len(found),
        **total,
        "percent": percent(total["covered"], total["points"]),
        "below": ", ".join(below) if name != "all" else str(len(below)),
    }
