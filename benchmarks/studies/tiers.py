# SPDX-License-Identifier: Apache-2.0
"""Test files, tier by tier: what the last recorded run of each said, and on which RTL.

Recorded are those that ``SECURITY.md`` names, in both tiers, and every file with tests of the full
tier. No verdict is taken from an earlier run.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from threading import Event, Thread

from benchmarks.figures import FOLDER, tell
from benchmarks.study import Case, Row, Rows, Study, at_most

ROOT = FOLDER.parent
MINUTES = 20.0
"""Of a processor, after which a file is stopped; how many of its tests were not run is told."""
TIERS = {"quick": "not full", "full": "full"}
"""Pytest's expression of the marks of each."""

_NAMED = re.compile(r"`(tests/[\w/]+\.py)`")
_OF_THE_FULL_TIER = re.compile(r"pytest\.mark\.full\b|\btiers\(")
_CHOSEN = re.compile(r"collected (\d+) items?(?: / (\d+) deselected)?(?: / (\d+) selected)?")
_ENDED = re.compile(r" (PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS)\s+(?:\(.*\)\s+)?\[\s*\d+%\]$")


def cases() -> Iterator[Case]:
    """Each file in each tier that it has tests of."""
    named = set(_NAMED.findall((ROOT / "SECURITY.md").read_text(encoding="utf-8")))
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        file = path.relative_to(ROOT).as_posix()
        of_full = bool(_OF_THE_FULL_TIER.search(path.read_text(encoding="utf-8")))
        for tier, wanted in (("quick", file in named), ("full", of_full)):
            if wanted:
                yield Case({"file": file, "tier": tier}, parts=(file, "rtl/*.sv"))


def ran(one: Case) -> Iterator[Row]:
    """A file's tests of a tier, within ``MINUTES``."""
    file, marks = one.known["file"], TIERS[one.known["tier"]]
    tell(f"reading {file}: {marks}")
    with at_most(MINUTES) as over:
        lines = _output(file, marks, over)
        stopped = over.is_set()
    yield counted(lines, stopped)


def _output(file: str, marks: str, over: Event) -> list[str]:
    """The lines of a run of pytest, which is ended once ``over`` is set."""
    command = (sys.executable, "-m", "pytest", "-v", "--no-verdicts", "-m", marks, file)
    run = subprocess.Popen(
        command, cwd=ROOT, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "COLUMNS": "300"},
    )  # fmt: skip
    ended = Event()

    def watch() -> None:
        while not ended.wait(1):
            if over.is_set():
                os.killpg(run.pid, signal.SIGKILL)
                return

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        assert run.stdout is not None
        return [line.rstrip() for line in run.stdout]
    finally:
        ended.set()
        watcher.join()
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()


def counted(lines: list[str], stopped: bool) -> Row:
    """What a run says of so many tests; one that selects none, or does not end, is no result."""
    found = next(filter(None, map(_CHOSEN.search, lines)), None)
    chosen = int(found[3] or int(found[1]) - int(found[2] or 0)) if found else 0
    ends = Counter(match[1] for match in map(_ENDED.search, lines) if match)
    failed = ends["FAILED"] + ends["ERROR"] + ends["XPASS"]
    skipped = ends["SKIPPED"] + ends["XFAIL"]
    left = chosen - ends["PASSED"] - failed - skipped
    reason = ""
    if not chosen:
        reason = "no test was found"
    elif left > 0 and not stopped:
        reason = f"{left} tests have not ended"
    return {
        "tests": chosen,
        "passed": ends["PASSED"],
        "failed": failed,
        "skipped": skipped,
        "not_run": max(0, left),
        **({"failure": reason} if reason else {}),
    }


def none_fails(rows: Rows) -> dict[str, bool | None]:
    """Of those that were run, and whether all were."""
    whole = [not row.get("not_run") for row in rows]
    everything = len(rows) == sum(1 for _ in cases()) and all(whole)
    return {
        "no test fails": all(not row.get("failed") and not row.get("failure") for row in rows),
        "every test was run": True if everything else None,
    }


STUDIES = [
    Study(
        "test_files",
        "test files by tier: what their last recorded run said",
        ("file", "tier"),
        cases,
        ran,
        {"file": "file", "tier": "tier", "tests": "tests", "passed": "passed", "failed": "failed",
         "skipped": "skipped", "not_run": "not run", "date": "date"},
        tools=("verilator", "gmpy2"),
        goals=none_fails,
    ),
]  # fmt: skip
