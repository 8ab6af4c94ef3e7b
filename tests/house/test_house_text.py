# SPDX-License-Identifier: Apache-2.0
"""Rules for every text file: licence line, no traces of one machine, line length."""

from __future__ import annotations

import re
import subprocess
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[2]

# Nobody edits these, or their format has no comments.
WITHOUT_LICENCE_LINE = {"LICENSE", "py.typed"}
WITHOUT_COMMENTS = {".json", ".ipynb", ".hex", ".csv", ".pem"}
LINE_LIMIT = {".sv": 100, ".py": 100, ".cpp": 100}

# Written in pieces, so that this file does not match itself.
MACHINE_PATH = re.compile(r"(?<![\w.])/" + r"(home/\w|root/|work/|Users/\w|tmp/\w|mnt/\w)")
REGISTRY_HOST = re.compile(
    "|".join(["pypi" + r"\.(org|python)", "python" + "hosted", "index-" + "url", "find-" + "links"])
)


def tracked_files() -> list[Path]:
    """The repository's text files; new ones count before they are added."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    paths = [ROOT / name for name in listing.split("\0") if name]
    return sorted(path for path in paths if path.is_file() and path.suffix != ".png")


@pytest.fixture(scope="module")
def texts() -> dict[Path, str]:
    found = {path: path.read_text(encoding="utf-8") for path in tracked_files()}
    assert any(path.suffix == ".sv" for path in found)
    return found


def _names(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def test_every_file_has_the_licence_line(texts: dict[Path, str]) -> None:
    missing = [
        path
        for path, text in texts.items()
        if path.name not in WITHOUT_LICENCE_LINE
        and path.suffix not in WITHOUT_COMMENTS
        and "SPDX-License-Identifier: Apache-2.0" not in "\n".join(text.splitlines()[:4])
    ]
    assert not _names(missing)


@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY_HOST], ids=["paths", "registries"])
def test_no_traces_of_one_machine(texts: dict[Path, str], pattern: re.Pattern[str]) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path, text in texts.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]
    assert not found


def test_lines_are_short_and_end_cleanly(texts: dict[Path, str]) -> None:
    found = []
    for path, text in texts.items():
        limit = LINE_LIMIT.get(path.suffix)
        for number, line in enumerate(text.splitlines(), start=1):
            if limit and len(line) > limit:
                found.append(f"{path.relative_to(ROOT)}:{number}: {len(line)} columns")
            if limit and line != line.rstrip():
                found.append(f"{path.relative_to(ROOT)}:{number}: blanks at the end")
        if text and not text.endswith("\n"):
            found.append(f"{path.relative_to(ROOT)}: no newline at the end")
    assert not found


def test_the_patterns_match_what_they_forbid() -> None:
    assert MACHINE_PATH.search("see /" + "home/someone/x")
    assert REGISTRY_HOST.search("--index-" + "url=x")
    assert not MACHINE_PATH.search("build/p256, tests/work/x, ../root/y")


def test_the_layout_names_all_that_python_has() -> None:
    """Modules and packages of src/redcore, and units, in docs/architecture.md."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    layout = page.partition("## Layout")[2].partition("\n## ")[0]
    source = ROOT / "src" / "redcore"
    packages = {path.parent.name for path in source.glob("*/__init__.py")}
    modules = {path.name for path in source.glob("*.py")} - {"__init__.py"}
    named = set(re.findall(r"^  (\w+(?:/|\.py))", layout, re.MULTILINE))
    assert named == {f"{name}/" for name in packages} | modules
    units = re.search(r"  units/ +[^(]*\(([^)]*)\)", layout)
    assert units is not None
    assert set(re.findall(r"\w+", units[1])) >= {
        path.parent.name for path in source.glob("units/*/__init__.py")
    }


def test_constraints_pin_every_dependency() -> None:
    """The exact versions cover pyproject.toml, so that make installs what was tested."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        asked += extra
    pinned = {
        line.partition("==")[0].lower()
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line and not line.startswith("#")
    }
    names = {re.split(r"[<>=!~\[; ]", entry)[0].lower() for entry in asked} - {"redcore"}
    assert not names - pinned


def test_what_is_pinned_takes_the_oldest_python() -> None:
    """Or make installs nothing there: pip refuses what wants a later one, 3.11.5 say."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = f"{project['requires-python'].removeprefix('>=')}.0"
    wants = {
        f"{each.name}=={each.version}": each.metadata.get("Requires-Python") or ""
        for each in distributions()
    }
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").lower().splitlines()
    assert not {
        name: asked
        for name, asked in wants.items()
        if name.lower() in pinned and not SpecifierSet(asked).contains(oldest)
    }


def test_an_extra_is_installed_from_a_clone_or_a_wheel() -> None:
    """No index has redcore; what messages say is an extra that is there."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    told = {name for text in sources for name in re.findall(r"\{extra\('(\w+)'\)\}", text)}
    assert told >= {"plots", "web"} and told <= project["optional-dependencies"].keys()
    assert not [text for text in sources if re.search(r"pip install '?redcore\b", text)]
