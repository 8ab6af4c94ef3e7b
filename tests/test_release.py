# SPDX-License-Identifier: Apache-2.0
"""``make release`` in a clone with a tag: what comes of it is what belongs there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
VERSION = "1.2.3"
VALIDATE = """
import json, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
text = open(sys.argv[1], encoding="utf-8").read()
version = SchemaVersion.from_version(json.loads(text)["specVersion"])
sys.exit(str(JsonStrictValidator(version).validate_str(text) or "") or 0)
"""
"""By the schema of CycloneDX that its own library brings."""


def asked(*command: str | Path, **more: Any) -> str:
    """What a command says; it has to succeed."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, **more
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as it is here, its last commit with a tag, and released."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    made = tmp_path_factory.mktemp("release") / "redcore"
    asked("git", "clone", "--quiet", ROOT, made)
    git = ["git", "-C", made, "-c", "user.name=test", "-c", "user.email=test@localhost"]
    for name in asked(
        "git", "-C", ROOT, "ls-files", "--modified", "--others", "--exclude-standard"
    ).splitlines():
        if (ROOT / name).is_file():
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, made / name)
        else:
            (made / name).unlink()
    asked(*git, "add", "--all")
    asked(*git, "commit", "--quiet", "--allow-empty", "--message", "as it is here")
    asked(*git, "tag", f"v{VERSION}")
    environment = {**os.environ, "PYTHONPATH": str(made / "src")}
    for name in ("MAKEFLAGS", "MAKELEVEL", "VIRTUAL_ENV"):
        environment.pop(name, None)
    # The environment of these tests makes it, and is not installed anew.
    venv = Path(sys.prefix)
    asked(
        "make", "release", f"--old-file={venv}/.ready", f"VENV={venv}", f"PYTHON={sys.executable}",
        cwd=made, env=environment,
    )  # fmt: skip
    return made


def tracked(clone: Path, *below: str) -> set[str]:
    return set(asked("git", "-C", clone, "ls-files", "--", *below).splitlines())


def nothing_else(names: Iterable[str], allowed: str) -> None:
    """Every name is one that belongs there."""
    assert not [name for name in names if not re.fullmatch(allowed, name)]


@pytest.mark.full
def test_there_are_four_files_of_the_tag_s_version(clone: Path) -> None:
    assert {path.name for path in (clone / "dist").iterdir()} == {
        f"redcore-{VERSION}-py3-none-any.whl", f"redcore-{VERSION}.tar.gz",
        f"redcore-rtl-{VERSION}.tar.gz", "redcore.cdx.json",
    }  # fmt: skip
    said = asked(clone / "build" / "release" / "bin" / "redcore", "--version")
    assert said.strip() == f"redcore {VERSION}"
    assert not asked("git", "-C", clone, "status", "--porcelain"), "it left something behind"


@pytest.mark.full
def test_the_archive_is_rtl_alone(clone: Path) -> None:
    with tarfile.open(clone / "dist" / f"redcore-rtl-{VERSION}.tar.gz") as packed:
        members = packed.getmembers()
        names = {member.name.partition("/")[2] for member in members}
        assert all(member.isfile() and member.mode == 0o644 for member in members)
        for member in members:
            path = member.name.partition("/")[2]
            content = packed.extractfile(member)
            assert content and content.read() == (clone / path).read_bytes()
    assert {name for name in names if name.startswith("rtl/")} == tracked(clone, "rtl")
    nothing_else(
        names,
        r"rtl/\w+\.(sv|svh|rdl|h|xml|f|vlt|core)|Bender\.yml|CHANGELOG\.md|CITATION\.cff|"
        r"LICENSE|SECURITY\.md",
    )


@pytest.mark.full
def test_the_wheel_has_the_package_and_its_rtl(clone: Path) -> None:
    with zipfile.ZipFile(clone / "dist" / f"redcore-{VERSION}-py3-none-any.whl") as wheel:
        assert wheel.testzip() is None
        names = set(wheel.namelist())
        told = wheel.read(f"redcore-{VERSION}.dist-info/METADATA").decode()
    assert f"\nVersion: {VERSION}\n" in told
    nothing_else(names, rf"redcore/.*|redcore-{VERSION}\.dist-info/.*")
    nothing_else(names, r"(?!.*(__pycache__|\.pyc$|/tests?/)).*")
    inside = {name.removeprefix("redcore/") for name in names if name.startswith("redcore/")}
    of_package = {name.removeprefix("src/redcore/") for name in tracked(clone, "src/redcore")}
    assert inside == of_package | tracked(clone, "rtl", "formal", "LICENSE")


@pytest.mark.full
def test_the_sdist_has_what_is_tracked_and_no_more(clone: Path) -> None:
    with tarfile.open(clone / "dist" / f"redcore-{VERSION}.tar.gz") as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert names - tracked(clone) == {"PKG-INFO"}
    below = ("src", "rtl", "formal", "tests", "docs", "examples", "benchmarks", "packages")
    assert tracked(clone, *below) <= names
    assert {"LICENSE", "Makefile", "README.md", "constraints.txt", "pyproject.toml"} <= names


@pytest.mark.full
def test_the_bill_of_materials_is_cyclonedx_and_of_the_wheel_s_environment(clone: Path) -> None:
    bill = clone / "dist" / "redcore.cdx.json"
    tools = clone / "build" / "release-tools" / "bin" / "python"
    asked(tools, "-c", VALIDATE, bill)
    told = json.loads(bill.read_text(encoding="utf-8"))
    broken = clone / "build" / "broken.cdx.json"
    broken.write_text(json.dumps(told | {"components": [{"name": "typeless"}]}), encoding="utf-8")
    refused = subprocess.run([tools, "-c", VALIDATE, broken], capture_output=True, check=False)
    assert refused.returncode != 0, "the schema takes anything"

    assert told["bomFormat"] == "CycloneDX" and told["metadata"]["component"]["name"] == "redcore"
    listed = {each["name"].lower(): each["version"] for each in told["components"]}
    project = tomllib.loads((clone / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[<>=!~\[; ]", line)[0].lower() for line in project["dependencies"]}
    assert needed <= listed.keys()
    assert not {"pytest", "cocotb", "mkdocs", "nicegui", "cyclonedx-bom"} & listed.keys()
    pinned = dict(
        line.lower().split("==")
        for line in (clone / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line and not line.startswith("#")
    )
    assert {name: listed[name] for name in needed} == {name: pinned[name] for name in needed}
