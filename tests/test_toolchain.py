# SPDX-License-Identifier: Apache-2.0
"""The tool chain is found, described, and its absence told with the way to mend it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from redcore import toolchain
from redcore.errors import BadInput


def test_verilator_runs_in_its_environment() -> None:
    environment = toolchain.verilator_environment()
    first = environment["PATH"].split(os.pathsep)[0]
    assert first == str(toolchain.verilator_program().parent)
    run = subprocess.run(
        [str(toolchain.verilator_program()), "--version"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0
    assert "VERILATOR_ROOT" not in run.stderr


def test_missing_compiler_is_told_with_the_cure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput) as told:
        toolchain.require_compiler()
    message = str(told.value)
    assert message.startswith("g++ and make not found")
    for cure in ("apt-get install g++ make", "dnf install gcc-c++ make", "xcode-select --install"):
        assert cure in message


def test_only_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make = tmp_path / "make"
    make.write_text("#!/bin/sh\n")
    make.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput, match=r"^g\+\+ not found"):
        toolchain.require_compiler()


def test_versions_are_known() -> None:
    versions = toolchain.tool_versions()
    assert {"verilator", "yosys", "g++", "make", "gmpy2", "python"} <= versions.keys()
    assert all(version.strip() for version in versions.values())


def test_cache_folder_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "a" / "b"))
    assert toolchain.cache_folder() == tmp_path / "a" / "b"
    assert (tmp_path / "a" / "b").is_dir()


def test_unusable_cache_folder_is_bad_input(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(BadInput, match="REDCORE_CACHE"):
        toolchain.cache_folder()
