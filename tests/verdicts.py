# SPDX-License-Identifier: Apache-2.0
"""Verdicts of whole tests, kept as long as nothing that decides them has changed.

A test that is marked ``kept`` and has passed is not run again while these are as they were: the
test itself, the Python that its file and the helpers beside it import, directly or not, all RTL and
harnesses, the other files that are no Python (drivers, templates), what the mark names as
``reads``, what else of the project it opened, the machine, the compiler, the browser if the test
drives one, and the version of every installed package. Where the mark names parameters of the test
that are designs, families or files of RTL (``kept("design")``), their RTL stands for all RTL. Only
what has passed is kept.

``pytest --no-verdicts`` runs them all.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import os
import platform
import re
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from redcore import cache as kept_answers
from redcore import rtl, toolchain
from redcore.design import Design, Family
from redcore.doctor import browser
from redcore.simulate.compile import COVERAGE

OURS = Path(__file__).resolve().parents[1]
RTL = ("rtl", "formal", "examples")
ALWAYS = ("src", "tests")
"""Folders whose files decide every verdict, but those of Python: of these, the imported ones."""
GENERATED = {"__pycache__", ".venv", ".git", "build", ".mypy_cache", ".ruff_cache"}
SEARCHED = {
    "catalogue.py": "units",
    "families/__init__.py": "families",
    "verify/induction.py": "verify/width",
}
"""Modules that find others by themselves, and the folder where they look."""
WHOLE = {"setup", "call", "teardown"}
_NAMES = re.compile(r"\bredcore(?:\.\w+)+")
"""Modules as texts name them: programs of other processes, attributes that are exchanged."""
_PROGRAM = re.compile(r"\"(\w+\.py)\"")
"""Programs that a module starts, beside it or below."""


def no_verdicts() -> bool:
    """Whether every test is to be run, and measured."""
    return "REDCORE_NO_VERDICTS" in os.environ or COVERAGE in os.environ


def python_files(test: Path) -> frozenset[Path]:
    """The test, the helpers beside it and above, and what these import, wherever in their text."""
    kept = _walked.get((test, OURS))
    if kept is None or any(_stamp(path) != stamp for path, stamp in kept.stamps.items()):
        kept = _walked[test, OURS] = _walk(test)
    return kept.files


def _walk(test: Path) -> _Walk:
    found: set[Path] = set()
    stamps: dict[str, int | None] = {}
    ahead = [test]
    for folder in test.parents:
        if OURS in folder.parents:
            stamps[str(folder)] = _stamp(str(folder))  # of names that it holds
            ahead += (each for each in folder.glob("*.py") if not each.name.startswith("test_"))
    while ahead:
        path = ahead.pop()
        if path not in found and path.is_file():
            found.add(path)
            stamp = stamps[str(path)] = _stamp(str(path))
            ahead += _imported(path, OURS, stamp)
    return _Walk(frozenset(found), stamps)


def _stamp(path: str) -> int | None:
    """When the file or the names in the folder were changed last; None where it is gone."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None


@dataclass(frozen=True)
class _Walk:
    """What :func:`python_files` found: true as long as no stamp is another.

    It is asked three times a test, and to walk anew takes 8 ms.
    """

    files: frozenset[Path]
    stamps: Mapping[str, int | None]


_walked: dict[tuple[Path, Path], _Walk] = {}
"""By test and project."""


@cache
def _imported(path: Path, ours: Path, _: int | None) -> tuple[Path, ...]:
    """Files of what one file imports, and of the packages around them."""
    text = path.read_text(encoding="utf-8")
    names = set(_NAMES.findall(text))
    for node in _imports(ast.parse(text).body):
        if isinstance(node, ast.Import):
            names |= {each.name for each in node.names}
        else:
            near = path.parents[node.level - 1].relative_to(ours).parts if node.level else ()
            start = ".".join(filter(None, (*near, node.module)))
            names |= {start, *(f"{start}.{each.name}" for each in node.names)}
    package = ours / "src"
    parts = (name.split(".") for name in names)
    wholes = {"/".join(each[:count]) for each in parts for count in range(1, len(each) + 1)}
    # As text: paths of all that could be there would take most of the time.
    found = {
        Path(file)
        for folder in {package, path.parent, ours / "tests", ours / "benchmarks", ours}
        for whole in wholes
        for file in (f"{folder}/{whole}.py", f"{folder}/{whole}/__init__.py")
        if os.path.isfile(file)
    }
    if path.is_relative_to(package):
        for program in set(_PROGRAM.findall(text)):
            found |= set(path.parent.rglob(program))
    for searching, where in SEARCHED.items():
        if path == package / "redcore" / searching:
            found |= set((package / "redcore" / where).rglob("*.py"))
    return tuple(sorted(found))


def _imports(statements: Iterable[ast.AST]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Imports among statements, and in the blocks of these."""
    for node in statements:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _imports(getattr(node, block, ()))


@cache
def _other_files(folders: tuple[str, ...], ours: Path) -> tuple[Path, ...]:
    """The files below folders of the project that are no Python, and files that are named."""
    found: list[Path] = []
    for folder in folders:
        if (ours / folder).is_file():
            found.append(ours / folder)
        for path, inside, names in os.walk(ours / folder):
            inside[:] = [name for name in inside if name not in GENERATED]
            found += [Path(path, name) for name in names if not name.endswith((".py", ".pyc"))]
    return tuple(found)


@cache
def _digest(path: str, _size: int, _time: int) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def contents(files: Iterable[Path]) -> dict[str, str]:
    """The digest of each file at this moment by its path in the project; none for one gone."""
    found = {}
    for path in sorted(map(str, files)):
        try:
            state = os.stat(path)
            found[_name(path, OURS)] = _digest(path, state.st_size, state.st_mtime_ns)
        except FileNotFoundError:
            found[_name(path, OURS)] = ""
    return found


_name = cache(os.path.relpath)
"""A file's path in the project."""


def _rtl_of(of: Design | Family | Path) -> set[Path]:
    """The library's files of a design, of any design of a family, or of the module in a file."""
    if isinstance(of, Design):
        files = of.sources()
    else:
        files = rtl.sources(of.stem if isinstance(of, Path) else of.module)
    return {path for path in files if path.is_relative_to(OURS)}


@cache
def tools() -> str:
    """Compiler, machine, and every installed package with its version."""
    installed = importlib.metadata.distributions()
    # Not our own: it counts commits, and its sources are looked at themselves.
    packages = sorted(
        {f"{each.name}=={each.version}" for each in installed if each.name != "redcore"}
    )
    told = [sys.version, platform.platform(), toolchain.compiler_version() or "", *packages]
    return "\n".join(told)


@cache
def browser_version() -> str:
    """What the browser that tests drive says of itself; nothing where there is none."""
    path = browser()
    if path is None:
        return ""
    asked = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    return asked.stdout


def decides(item: pytest.Item) -> set[Path]:
    """The files of the project that decide the verdict of a marked test."""
    mark = item.get_closest_marker("kept")
    assert mark is not None
    reads: tuple[str, ...] = mark.kwargs.get("reads", ())
    found = set(python_files(item.path))
    for folder in reads:
        found |= set((OURS / folder).rglob("*.py"))
    for name in mark.args:
        found |= _rtl_of(item.callspec.params[name])  # type: ignore[attr-defined]
    return found.union(_other_files((*ALWAYS, *reads, *(() if mark.args else RTL)), OURS))


def key(item: pytest.Item) -> str:
    """Of all that decides the verdict and is known before the test is run."""
    told = ["a test", item.nodeid, tools(), repr(contents(decides(item)))]
    if "browser" in getattr(item, "fixturenames", ()):
        told.append(browser_version())
    return hashlib.sha256("\0".join(told).encode()).hexdigest()


def _ours(opened: Iterable[str]) -> set[Path]:
    """Those of the files that are the project's; the text of a module that was compiled before."""
    found = set()
    for path in map(Path, opened):
        if path.is_relative_to(OURS):
            if path.parent.name == "__pycache__":
                path = path.parents[1] / f"{path.name.partition('.')[0]}.py"
            if path.is_file() and not GENERATED & set(path.relative_to(OURS).parts):
                found.add(path)
    return found


class Verdicts:
    """What pytest asks of the verdicts."""

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}
        """Of each test that is being run in order to be kept."""
        self._passed: set[str] = set()
        self._opened: set[str] | None = None
        self._shared: dict[pytest.FixtureDef[Any], set[str]] = {}
        """What fixtures that several tests share opened as they were set up."""
        self._in_command = re.compile(rf"{re.escape(str(OURS))}(?:/[\w.-]+)+")
        sys.addaudithook(self._note)

    def _note(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._opened is not None:
            if event == "open" and isinstance(arguments[0], str | os.PathLike):
                self._opened.add(os.path.abspath(os.fsdecode(arguments[0])))
            elif event == "subprocess.Popen":
                self._opened |= set(self._in_command.findall(str(arguments[1])))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Any:
        """A test whose verdict is kept is reported without being run."""
        if item.get_closest_marker("kept") is None or no_verdicts():
            return None
        found = key(item)
        kept = kept_answers.answer(found)
        if kept is None or kept["files"] != contents(OURS / name for name in kept["files"]):
            self._keys[item.nodeid], self._passed, self._opened = found, set(), set()
            return None
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for when in ("setup", "call", "teardown"):
            report = pytest.TestReport(
                item.nodeid, item.location, dict.fromkeys(item.keywords, 1), "passed", None, when,
                user_properties=[("verdict", "kept")],
            )  # fmt: skip
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        # What tests before it have set up ends where it would have ended.
        item.session._setupstate.teardown_exact(nextitem)
        return True

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any]
    ) -> Generator[None, Any, Any]:
        """What a shared fixture opens decides each test that has it, not the first one alone."""
        if fixturedef.scope == "function":
            return (yield)
        around, self._opened = self._opened, self._shared.setdefault(fixturedef, set())
        try:
            return (yield)
        finally:
            self._opened = around

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[Any]:
        """What has passed from setup to teardown is kept, where nothing changed meanwhile."""
        report: pytest.TestReport = yield
        if report.passed and not hasattr(report, "wasxfail"):
            self._passed.add(report.when)
        if report.when == "teardown":
            found = self._keys.pop(item.nodeid, None)
            opened, self._opened = self._opened or set(), None
            known: Any = item
            for fixtures in known._fixtureinfo.name2fixturedefs.values():
                opened = opened.union(*(self._shared.get(each, ()) for each in fixtures))
            if found and self._passed == WHOLE and found == key(item):
                more = contents(_ours(opened) - decides(item))
                kept_answers.keep_answer(found, {"test": item.nodeid, "files": more})
        return report
