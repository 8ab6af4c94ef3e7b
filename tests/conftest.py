# SPDX-License-Identifier: Apache-2.0
"""What holds for all tests: verdicts that are kept, and that the report tells of them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import cocotb_runner
import verdicts


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-verdicts", action="store_true", help="run tests whose verdict is kept, too"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--no-verdicts"):
        os.environ["REDCORE_NO_VERDICTS"] = "1"
    config.pluginmanager.register(verdicts.Verdicts(), "verdicts")


@pytest.fixture(autouse=True)
def _kept_verdicts(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test whose bench was not run says so in its report."""
    before = len(cocotb_runner.answered)
    yield
    if len(cocotb_runner.answered) > before:
        request.node.user_properties.append(("verdict", "kept"))


@pytest.fixture
def no_coq(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coq takes seconds, and is asked in tests of its own."""
    monkeypatch.setattr(shutil, "which", lambda name: None)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that nothing is in: answers from elsewhere must not decide a test."""
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where simulated netlists leave their records."""
    monkeypatch.chdir(tmp_path)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for several in terminalreporter.stats.values() for report in several]
    kept = {
        report.nodeid
        for report in reports
        if ["verdict", "kept"] in map(list, getattr(report, "user_properties", ()))
    }
    if kept:
        terminalreporter.write_line(
            f"{len(kept)} tests or benches were not run: nothing that decides their verdict has"
            " changed since an earlier run (--no-verdicts runs them)"
        )
