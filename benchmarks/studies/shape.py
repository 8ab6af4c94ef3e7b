# SPDX-License-Identifier: Apache-2.0
"""The library's size and order beside those of before its rooms were built, by one command.

Before is the revision named here, read by Git; now is the working tree. Rows name the files that
they count, so that one of another tree is marked.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from benchmarks import study
from benchmarks.figures import FOLDER
from benchmarks.study import Case, Row, Rows, Study
from redcore import rtl, toolchain
from redcore.errors import CheckFailed

ROOT = FOLDER.parent
BEFORE = "4d2c221~1"
"""The last one with a shell in each family, thirty benchmark programs and units in five folders."""
TOY = ROOT / "tests" / "toy_unit"


@cache
def before() -> Mapping[str, str]:
    """The texts of that revision's RTL and Python, and its pyproject.toml; CheckFailed without."""
    command = ["git", "archive", BEFORE, "rtl", "src", "pyproject.toml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True)
    if done.returncode:
        raise CheckFailed(f"Git has no revision {BEFORE} here: {done.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        return {
            member.name: file.read().decode()
            for member in archive
            if re.fullmatch(r"rtl/.*\.sv|src/.*\.py|pyproject\.toml", member.name)
            and (file := archive.extractfile(member)) is not None
        }


@cache
def now() -> Mapping[str, str]:
    """The same of the working tree."""
    found = [*(ROOT / "rtl").rglob("*.sv"), *(ROOT / "src").rglob("*.py"), ROOT / "pyproject.toml"]
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sorted(found)}


def lines(texts: Mapping[str, str], end: str) -> int:
    """Of all files whose names end so."""
    return sum(text.count("\n") for name, text in texts.items() if name.endswith(end))


def old_scope() -> int:
    """Lines of today's RTL that the modules of before need, those that still have their names."""
    names = {Path(name).stem for name in before() if name.endswith(".sv")}
    there = [name for name in sorted(names) if (ROOT / "rtl" / f"{name}.sv").is_file()]
    needed = {path for name in there for path in rtl.sources(name)}
    return sum(path.read_text("utf-8").count("\n") for path in needed)


def contracts(texts: Mapping[str, str]) -> int:
    """Contracts between imports that are declared."""
    return texts["pyproject.toml"].count("[[tool.importlinter.contracts]]")


def kept() -> str:
    """What import-linter says of them."""
    program = Path(sys.executable).with_name("lint-imports")
    said = subprocess.run([program, "--no-cache"], cwd=ROOT, capture_output=True, text=True).stdout
    found = re.search(r"Contracts: (\d+) kept, (\d+) broken", said)
    if found is None:
        raise CheckFailed("lint-imports says nothing of contracts")
    return f"{found[1]} kept, {found[2]} broken"


def rows_by_state() -> str:
    """Of all records."""
    total = {state: sum(each[state] for each in study.counts().values()) for state in study.STATES}
    return ", ".join(f"{count:,} {state}" for state, count in total.items())


def files(texts: Mapping[str, str], end: str) -> int:
    """Whose names end so."""
    return sum(name.endswith(end) for name in texts)


@cache
def sizes() -> dict[str, tuple[int | str | None, int | str]]:
    """What is told: before, and now."""
    then, today = before(), now()
    own = [path for path in TOY.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {
        "lines of RTL": (lines(then, ".sv"), lines(today, ".sv")),
        "lines of RTL that the modules of before need": (lines(then, ".sv"), old_scope()),
        "lines of Python": (lines(then, ".py"), lines(today, ".py")),
        "files of RTL": (files(then, ".sv"), files(today, ".sv")),
        "files of Python": (files(then, ".py"), files(today, ".py")),
        "contracts of imports": (contracts(then), kept()),
        "files of a toy unit, and others that it touches": (
            None,
            f"{len(own)}, and its layer in pyproject.toml",
        ),
        "rows of records": (None, rows_by_state()),
    }


OWN = "benchmarks/studies/shape.py"
RTL, PYTHON, CONTRACTS = "rtl/**/*.sv", "src/**/*.py", "pyproject.toml"
COUNTED = {
    "lines of RTL": (RTL,),
    "lines of RTL that the modules of before need": (RTL,),
    "lines of Python": (PYTHON,),
    "files of RTL": (RTL,),
    "files of Python": (PYTHON,),
    "contracts of imports": (CONTRACTS, PYTHON),
    "files of a toy unit, and others that it touches": ("tests/toy_unit/**/*.*",),
    "rows of records": (RTL, PYTHON, "benchmarks/studies/*.py"),
}
"""What each row counts, as patterns of the files; the records' own texts are no part of the last,
which is one of them."""
FEWER = ("lines of RTL", "lines of RTL that the modules of before need", "lines of Python")


def cases() -> Iterator[Case]:
    """A row for each."""
    for what, parts in COUNTED.items():
        yield Case({"what": what}, parts=(OWN, *parts))


def measured(one: Case) -> Iterator[Row]:
    """Before and now."""
    then, today = sizes()[one.known["what"]]
    versions = {"import-linter": toolchain.package_version("import-linter")}
    yield {"before": then, "now": today, "tool_versions": versions}


def goals(rows: Rows) -> dict[str, bool | None]:
    """Fewer lines were asked for."""
    return {
        f"fewer {row['what']}": row["now"] < row["before"] for row in rows if row["what"] in FEWER
    }


STUDIES = [
    Study(
        "shape",
        "lines, files, contracts of imports and rows of records, before the rooms and now",
        ("what",),
        cases,
        measured,
        {"what": "of the library", "before": "before", "now": "now", "date": "date"},
        tools=(),
        about={"before": BEFORE},
        goals=goals,
    ),
]
