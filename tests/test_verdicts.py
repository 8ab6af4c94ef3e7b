# SPDX-License-Identifier: Apache-2.0
"""A bench whose verdict is kept runs again once anything that decides it is another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cocotb_runner

pytest_plugins = "pytester"


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Asks for a verdict; True where the bench was run for it."""
    ran: list[dict[str, str]] = []

    def run(*arguments: Any) -> dict[str, str]:
        folder = arguments[5]
        used = [tmp_path / "some_bench.py", tmp_path / "model.py", Path("/usr/lib/other.py")]
        (folder / "files.txt").write_text("\n".join(map(str, used)))
        ran.append({"a test": "its failure"})
        return ran[-1]

    for name in ("core.sv", "some_bench.py", "model.py"):
        (tmp_path / name).write_text(name)
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("REDCORE_NO_VERDICTS", raising=False)
    monkeypatch.setattr(cocotb_runner, "OURS", tmp_path)
    monkeypatch.setattr(cocotb_runner, "_run", run)
    monkeypatch.setattr(cocotb_runner, "answered", [])

    def ask(parameters: dict[str, int] | None = None, config: int = 1) -> bool:
        before = len(ran)
        told = cocotb_runner.run(
            "some_bench",
            [tmp_path / "core.sv"],
            "core",
            parameters or {"Width": 8},
            {"seed": config},
            tmp_path,
            monkeypatch,
        )
        assert told == {"a test": "its failure"}
        return len(ran) > before

    return ask


def test_a_verdict_is_kept_and_counted(bench: Callable[..., bool]) -> None:
    assert bench() and not bench() and not bench()
    assert cocotb_runner.answered == ["some_bench", "some_bench"]


@pytest.mark.parametrize("name", ["core.sv", "some_bench.py", "model.py"])
def test_rtl_bench_and_what_it_imports_decide(
    name: str, bench: Callable[..., bool], tmp_path: Path
) -> None:
    assert bench()
    (tmp_path / name).write_text("another")
    assert bench() and not bench()


def test_a_file_that_is_gone_decides(bench: Callable[..., bool], tmp_path: Path) -> None:
    assert bench()
    (tmp_path / "model.py").unlink()
    assert bench()


def test_parameters_configuration_and_tools_decide(
    bench: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bench() and bench({"Width": 9}) and bench(config=2) and not bench()
    monkeypatch.setattr(cocotb_runner.toolchain, "compiler_version", lambda: "another g++")
    assert bench()


def test_all_run_where_that_is_asked_for(
    bench: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bench()
    monkeypatch.setenv("REDCORE_NO_VERDICTS", "1")
    assert bench() and bench()


def test_the_report_says_what_was_not_run(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makeconftest(Path(__file__).with_name("conftest.py").read_text())
    pytester.makepyfile(
        cocotb_runner="answered = []",
        test_it="""
        import cocotb_runner

        def test_kept():
            cocotb_runner.answered.append("a bench")

        def test_other():
            pass
        """,
    )
    ended = pytester.runpytest_subprocess("-n", "2")
    ended.assert_outcomes(passed=2)
    ended.stdout.fnmatch_lines("1 benches were not run: *--no-verdicts runs them*")
