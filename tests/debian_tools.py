# SPDX-License-Identifier: Apache-2.0
"""Debian's own Verilator, Yosys, Icarus Verilog and GHDL, for tests of what is handed over.

Unpacked, not installed: what is on PATH decides what other tests and users run. `make debian-tools`
fetches them (20 MB); a test that needs them does it, too.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

PACKAGES = (
    "verilator", "yosys", "berkeley-abc", "iverilog", "ghdl-mcode", "ghdl-common", "libgnat-12"
)  # fmt: skip
"""Debian 12: 5.006, 0.23 with its ABC, 11.0, 2.0 with its runtime."""

FOLDER = Path(sys.prefix) / "debian-tools"
"""Goes with the virtual environment."""

_PROGRAMS = {
    "verilator": "VERILATOR_ROOT=$usr/share/verilator; export VERILATOR_ROOT\n"
    'exec "$usr/bin/verilator_bin" "$@"',
    "yosys": 'exec "$usr/bin/yosys" "$@"',
    "berkeley-abc": 'exec "$usr/bin/berkeley-abc" "$@"',
    "iverilog": 'exec "$usr/bin/iverilog" -B "$(echo "$usr"/lib/*/ivl)" "$@"',
    "ghdl": "GHDL_PREFIX=$usr/lib/ghdl/mcode; export GHDL_PREFIX\n"
    "LD_LIBRARY_PATH=$(echo $usr/lib/*-linux-gnu); export LD_LIBRARY_PATH\n"
    'exec "$usr/bin/ghdl-mcode" "$@"',
    "vvp": 'exec "$usr/bin/vvp" -M "$(echo "$usr"/lib/*/ivl)" "$@"',
}
"""Programs that were built for /usr are told where they are."""


def fetch() -> None:
    """Download and unpack the packages; raise RuntimeError with a sentence where it cannot be."""
    if (FOLDER / "bin").is_dir():
        return
    if shutil.which("apt-get") is None or shutil.which("dpkg") is None:
        raise RuntimeError("Debian's packages need apt-get and dpkg")
    folder = Path(tempfile.mkdtemp(prefix="debian-tools-", dir=FOLDER.parent))
    try:
        if not _download(folder) and not (os.geteuid() == 0 and _update() and _download(folder)):
            raise RuntimeError(
                f"apt-get download {' '.join(PACKAGES)} failed; is this Debian, and was"
                " apt-get update run?"
            )
        for package in folder.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, folder / "unpacked"], check=True)
            package.unlink()
        (folder / "bin").mkdir()
        for program, lines in _PROGRAMS.items():
            script = folder / "bin" / program
            script.write_text(f"#!/bin/sh\nusr={FOLDER}/unpacked/usr\n{lines}\n", encoding="utf-8")
            script.chmod(0o755)
        folder.chmod(0o755)
        with contextlib.suppress(OSError):  # another process was faster
            folder.rename(FOLDER)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _download(folder: Path) -> bool:
    command = ["apt-get", "download", "-qq", *PACKAGES]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


def _update() -> bool:
    return subprocess.run(["apt-get", "update", "-qq"], check=False).returncode == 0


def plain_environment() -> dict[str, str]:
    """The environment of a user of Debian who has these tools and nothing of this project.

    Skips the test where they cannot be had, and fails it in continuous integration.
    """
    try:
        fetch()
    except RuntimeError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))
    return {"PATH": f"{FOLDER / 'bin'}:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C"}


if __name__ == "__main__":
    try:
        fetch()
    except RuntimeError as error:
        print(f"debian-tools: {error}", file=sys.stderr)
