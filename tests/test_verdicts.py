# SPDX-License-Identifier: Apache-2.0
"""A bench or a test whose verdict is kept runs again once anything that decides it is another."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import cocotb_runner
import verdicts
from redcore import rtl
from redcore.catalogue import family

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
    shutil.copy(Path(__file__).with_name("verdicts.py"), pytester.path)
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
    ended.stdout.fnmatch_lines("1 tests or benches were not run: *--no-verdicts runs them*")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """A small project; the key of a test in it, as its files are at that moment."""
    for name, text in {
        "tests/units/test_it.py": "def test_it():\n    from redcore.units.toy import run",
        "tests/units/its_bench.py": "import redcore.moduli",
        "tests/units/test_other.py": "",
        "tests/conftest.py": "",
        "src/redcore/__init__.py": "",
        "src/redcore/moduli.py": "",
        "src/redcore/units/__init__.py": "",
        "src/redcore/units/toy/__init__.py": "from .model import model",
        "src/redcore/units/toy/model.py": "'''See redcore.catalogue.'''",
        "src/redcore/units/toy/driver.cpp": "",
        "src/redcore/catalogue.py": "",
        "src/redcore/units/found/__init__.py": "",
        "src/redcore/web/__init__.py": "",
        "rtl/redc_toy.sv": "",
        "formal/redc_proof.sv": "",
        "benchmarks/model.json": "{}",
        "docs/page.md": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(verdicts, "OURS", tmp_path)

    def found(*reads: str, drives: Sequence[str] = ()) -> str:
        verdicts._other_files.cache_clear()
        mark = pytest.mark.kept(reads=reads).mark
        path = tmp_path / "tests/units/test_it.py"
        item: Any = SimpleNamespace(
            nodeid="test_it",
            path=path,
            fixturenames=drives,
            get_closest_marker={"kept": mark}.get,
        )
        return verdicts.key(item)

    return found


@pytest.mark.parametrize(
    "name",
    [
        "tests/units/test_it.py",
        "tests/units/its_bench.py",
        "tests/conftest.py",
        "src/redcore/__init__.py",
        "src/redcore/moduli.py",
        "src/redcore/units/toy/__init__.py",
        "src/redcore/units/toy/model.py",
        "src/redcore/units/toy/driver.cpp",
        "src/redcore/units/found/__init__.py",
        "rtl/redc_toy.sv",
        "formal/redc_proof.sv",
    ],
)
def test_what_decides_a_test_makes_another_key(
    name: str, project: Callable[..., str], tmp_path: Path
) -> None:
    before = project()
    assert project() == before
    (tmp_path / name).write_text("another = 1")
    assert project() != before


def test_what_decides_nothing_leaves_the_key(project: Callable[..., str], tmp_path: Path) -> None:
    before, reading = project(), project("benchmarks")
    for name in ("tests/units/test_other.py", "src/redcore/web/__init__.py", "docs/page.md"):
        (tmp_path / name).write_text("another = 1")
    assert (project(), project("benchmarks")) == (before, reading)
    (tmp_path / "benchmarks" / "model.json").write_text("[]")
    assert project() == before and project("benchmarks") != reading
    page = project("docs/page.md")
    (tmp_path / "docs/page.md").write_text("another page")
    assert project() == before and project("docs/page.md") != page


def test_tools_decide_every_test(
    project: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = project()
    monkeypatch.setattr(verdicts, "tools", lambda: "another g++")
    assert project() != before


def test_the_browser_decides_what_drives_it(
    project: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdicts, "browser_version", lambda: "one")
    before, driving = project(), project(drives=["browser"])
    monkeypatch.setattr(verdicts, "browser_version", lambda: "another")
    assert project() == before and project(drives=["browser"]) != driving


def test_the_rtl_of_a_design_decides_where_that_is_named() -> None:
    design = family("interleaved").design(8)
    mark = pytest.mark.kept("of").mark
    for of in (design, design.family, rtl.rtl_folder() / f"{design.family.module}.sv"):
        item: Any = SimpleNamespace(
            path=Path(__file__).with_name("test_families.py"),
            callspec=SimpleNamespace(params={"of": of}),
            get_closest_marker={"kept": mark}.get,
        )
        decides = verdicts.decides(item)
        assert {path for path in decides if path.parent == rtl.rtl_folder()} == set(
            design.sources()
        )


def test_all_that_python_imports_is_known(tmp_path: Path) -> None:
    """Families and units, which are found by themselves, among it."""
    program = (
        "import redcore.catalogue, redcore.cli, redcore.bundle, redcore.model, sys; "
        "print(*(m.__file__ for n, m in sys.modules.items() if n.partition('.')[0] == 'redcore'))"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    imported = {Path(name) for name in ended.stdout.decode().split()}
    assert len(imported) > 50
    asks = tmp_path / "test_it.py"
    asks.write_text("import redcore.catalogue, redcore.cli, redcore.bundle, redcore.model")
    assert imported <= verdicts.python_files(asks)


def test_what_looks_for_modules_by_itself_is_known() -> None:
    """Names that are computed are in no text: where they are looked for stands in SEARCHED."""
    package = rtl.rtl_folder().parent / "src" / "redcore"
    looking = re.compile(r"iter_modules\(|import_module\(f\"(?!yowasp)")
    found = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if looking.search(path.read_text())
    }
    assert found == {*verdicts.SEARCHED}


@pytest.mark.parametrize(
    ("asks", "program"),
    [
        ("synthesize/flow.py", "synthesize/child.py"),
        ("verify/yosys.py", "verify/yosys_child.py"),
        ("toolchain.py", "simulate/object_cache.py"),
        ("verify/at_width.py", "verify/width/tablechain.py"),
        ("verify/at_width.py", "verify/induction_child.py"),
    ],
)
def test_programs_of_other_processes_decide(asks: str, program: str, tmp_path: Path) -> None:
    package = rtl.rtl_folder().parent / "src" / "redcore"
    test = tmp_path / "test_it.py"
    test.write_text(f"import redcore.{asks.removesuffix('.py').replace('/', '.')}")
    assert package / program in verdicts.python_files(test)


MARKED = """
import pathlib
import pytest

HERE = pathlib.Path(__file__).parent

@pytest.fixture(scope="module")
def counted():
    with (HERE.parent / "build" / "ran.log").open("a") as log:
        log.write("x")
        yield (HERE.parent / "shared.txt").read_text()

@pytest.mark.kept
@pytest.mark.parametrize("number", range(3))
def test_kept(number, counted):
    assert counted == "right" and (HERE.parent / "table.txt").read_text() == "right"

@pytest.mark.kept
def test_wrong():
    assert False

def test_unmarked():
    pass
"""


def test_a_test_that_passed_is_not_run_again(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor what is set up for it; a wrong one is, and all are once a file that it read changes."""
    monkeypatch.setenv("REDCORE_CACHE", str(pytester.path / "cache"))
    monkeypatch.delenv("REDCORE_NO_VERDICTS", raising=False)
    folder, made = pytester.mkdir("tests"), pytester.mkdir("build")
    for name in ("conftest.py", "verdicts.py"):
        shutil.copy(Path(__file__).with_name(name), folder)
    (folder / "cocotb_runner.py").write_text("answered = []")
    (folder / "test_it.py").write_text(MARKED)
    for name in ("table.txt", "shared.txt"):
        (pytester.path / name).write_text("right")

    def run(*options: str) -> tuple[int, str]:
        ended = pytester.runpytest_subprocess("-p", "no:cacheprovider", *options)
        ended.assert_outcomes(passed=4, failed=1)
        return len((made / "ran.log").read_text()), ended.stdout.str()

    assert run()[0] == 1
    ran, told = run()
    assert ran == 1 and "3 tests or benches were not run" in told
    assert run("--no-verdicts")[0] == 2
    for name in ("table.txt", "shared.txt"):
        (pytester.path / name).write_text("wrong")
        ended = pytester.runpytest_subprocess("-p", "no:cacheprovider")
        ended.assert_outcomes(passed=1, failed=4)
        (pytester.path / name).write_text("right")
