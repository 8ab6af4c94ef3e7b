# SPDX-License-Identifier: Apache-2.0
"""The tool chain is found, described, and its absence told with the way to mend it."""

from __future__ import annotations

import os
import shlex
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


def test_a_compiler_that_comes_later_is_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as without:
        without.setenv("PATH", str(tmp_path))
        assert toolchain.compiler_version() is None
        assert not {"g++", "make"} & toolchain.tool_versions().keys()
    assert toolchain.compiler_version()
    assert {"g++", "make"} <= toolchain.tool_versions().keys()


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


def test_what_makefiles_compile_is_kept_by_all_that_decides_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OBJCACHE", raising=False)
    keeper = shlex.split(toolchain.verilator_environment()["OBJCACHE"])
    (tmp_path / "code.cpp").write_text('#include "value.h"\nint value() { return VALUE; }\n')

    def compiled(value: int, *flags: str) -> tuple[bytes, int]:
        """The object, and how many the cache holds."""
        (tmp_path / "value.h").write_text(f"#define VALUE {value}\n")
        command = [*keeper, "g++", *flags, "-c", "-o", "made.o", "code.cpp"]
        subprocess.run(command, cwd=tmp_path, check=True)
        made = tmp_path / "made.o"
        content = made.read_bytes()
        made.unlink()
        return content, len(list((tmp_path / "cache" / "simulate").glob("object-*.o")))

    first, _ = compiled(1)
    assert compiled(1) == (first, 1)
    other, kept = compiled(2)
    assert other != first and kept == 2
    assert compiled(1, "-O2")[1] == 3
    (tmp_path / "code.cpp").write_text("int value() { return }\n")
    refused = [*keeper, "g++", "-c", "code.cpp"]
    assert subprocess.run(refused, cwd=tmp_path, capture_output=True, check=False).returncode == 1
    assert len(list((tmp_path / "cache" / "simulate").glob("*"))) == 3


def test_the_users_own_compiler_cache_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OBJCACHE", "ccache")
    assert toolchain.verilator_environment()["OBJCACHE"] == "ccache"
