# SPDX-License-Identifier: Apache-2.0
"""Debian's own Verilator, Yosys, Icarus Verilog and GHDL, for tests of what is handed over.

Unpacked, not installed: what is on PATH decides what other tests and users run. `make debian-tools`
fetches them (70 MB); a test that needs them does it, too. Those of releases newer than the machine
run with their release's own libraries.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

LIBRARIES = (
    "libc6", "libgcc-s1", "libstdc++6", "zlib1g", "libbz2-1.0", "libreadline8t64", "libtinfo6",
    "libffi8", "libtcl8.6",
)  # fmt: skip


@dataclass(frozen=True)
class Release:
    """A release of Debian, as its archive calls it, and packages of it."""

    packages: tuple[str, ...]
    libraries: bool = True
    moves: bool = False
    """Other versions tomorrow, perhaps with other libraries: a test is skipped where they fail."""


RELEASES = {
    "bookworm": Release(
        ("verilator", "yosys", "berkeley-abc", "iverilog", "ghdl-mcode", "ghdl-common",
         "libgnat-12"), libraries=False,
    ),
    "trixie": Release(
        ("verilator", "yosys", "yosys-abc", "iverilog", "ghdl-mcode", "ghdl-common", *LIBRARIES)
    ),
    "sid": Release(("iverilog", "ghdl-mcode", "ghdl-common", *LIBRARIES[:7]), moves=True),
}  # fmt: skip
"""Debian 12: Verilator 5.006, Yosys 0.23 with its ABC, Icarus 11.0, GHDL 2.0 with its runtime.
Debian 13: 5.032, 0.52, 12.0, 5.0. Unstable: the newest Icarus and GHDL."""

_PROGRAMS = {
    "verilator": "VERILATOR_ROOT=$usr/share/verilator; export VERILATOR_ROOT\n"
    'exec $run "$usr/bin/verilator_bin" "$@"',
    "yosys": 'exec $run "$usr/bin/yosys" "$@"',
    "berkeley-abc": 'exec "$usr/bin/berkeley-abc" "$@"',
    "iverilog": 'exec $run "$usr/bin/iverilog" -B "$(echo "$usr"/lib/*/ivl)" "$@"',
    "ghdl": "GHDL_PREFIX=$usr/lib/ghdl/mcode${run:+/vhdl}; export GHDL_PREFIX\n"
    '[ "$run" ] || { LD_LIBRARY_PATH=$(echo $usr/lib/*-linux-gnu); export LD_LIBRARY_PATH; }\n'
    'exec $run "$usr/bin/ghdl-mcode" "$@"',
    "vvp": 'exec $run "$usr/bin/vvp" -M "$(echo "$usr"/lib/*/ivl)" "$@"',
}
"""Programs that were built for /usr are told where they are."""

_OWN_LIBRARIES = (
    "libraries=$(echo $usr/lib/*-linux-gnu)\n"
    'run="$(echo $libraries/ld-linux*.so.*) --library-path $libraries"\n'
)


def folder_of(release: str) -> Path:
    """Where its tools are; goes with the virtual environment."""
    return Path(sys.prefix) / ("debian-tools" if release == "bookworm" else f"debian-{release}")


def fetch(release: str = "bookworm") -> None:
    """Download and unpack the packages; raise RuntimeError with a sentence where it cannot be."""
    target, chosen = folder_of(release), RELEASES[release]
    if (target / "bin").is_dir():
        _beside_the_loader(target)
        return
    if shutil.which("apt-get") is None or shutil.which("dpkg") is None:
        raise RuntimeError("Debian's packages need apt-get and dpkg")
    folder = Path(tempfile.mkdtemp(prefix="debian-tools-", dir=target.parent))
    try:
        if not _downloaded(folder, release):
            raise RuntimeError(
                f"apt-get download {' '.join(chosen.packages)} failed for {release}; is this"
                " Debian, and was apt-get update run?"
            )
        for package in folder.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, folder / "unpacked"], check=True)
            package.unlink()
        usr, own = f"usr={target}/unpacked/usr", _OWN_LIBRARIES if chosen.libraries else "run=\n"
        there = "\n".join(map(str, (folder / "unpacked/usr/bin").iterdir()))
        scripts = {
            folder / "bin" / name: lines for name, lines in _PROGRAMS.items() if f"/{name}" in there
        }
        if chosen.libraries:  # what Icarus and Yosys start need them, too
            for name in ("lib/*/ivl/ivl", "lib/*/ivl/ivlpp", "bin/yosys-abc"):
                for program in (folder / "unpacked/usr").glob(name):
                    inner = program.rename(program.with_name(f"{program.name}-program"))
                    inner = inner.relative_to(folder / "unpacked/usr")
                    scripts[program] = f'exec $run "$usr/{inner}" "$@"'
        (folder / "bin").mkdir()
        for script, lines in scripts.items():
            script.write_text(f"#!/bin/sh\n{usr}\n{own}{lines}\n", encoding="utf-8")
            script.chmod(0o755)
        folder.chmod(0o755)
        with contextlib.suppress(OSError):  # another process was faster
            folder.rename(target)
        _beside_the_loader(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _beside_the_loader(folder: Path) -> None:
    """What Yosys looks for beside the program that runs, which is the loader of its libraries."""
    usr = folder / "unpacked/usr"
    for loader in usr.glob("lib/*/ld-linux*.so.*"):
        for name, place in (("share", "share/yosys"), ("yosys-abc", "bin/yosys-abc")):
            link = loader.with_name(name)
            if (usr / place).exists() and not link.is_symlink():
                with contextlib.suppress(FileExistsError):  # another process was faster
                    link.symlink_to(Path("../..") / place)


def _apt(folder: Path, *words: str) -> bool:
    return subprocess.run(
        ["apt-get", *words], cwd=folder, capture_output=True, check=False
    ).returncode == 0  # fmt: skip


def _downloaded(folder: Path, release: str) -> bool:
    """Whether its packages are in the folder; of another release by lists of its own."""
    download = ("download", "-qq", *RELEASES[release].packages)
    if release == "bookworm":
        return _apt(folder, *download) or (
            os.geteuid() == 0 and _apt(folder, "update", "-qq") and _apt(folder, *download)
        )
    told = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Origin: Debian", "Component: main",
         "Created-By: Packages"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    state = folder / "apt"
    (state / "lists" / "partial").mkdir(parents=True)
    keys = "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
    mirror = next((uri for uri in told.stdout.split() if "security" not in uri), "")
    (state / "sources.list").write_text(f"deb {keys} {mirror} {release} main\n", encoding="utf-8")
    options = {
        "Dir::Etc::sourcelist": state / "sources.list", "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": state / "lists", "Dir::Cache": state, "Dir::State::status": os.devnull,
        "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
        "Acquire::Languages": "none",
    }  # fmt: skip
    words = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
    return _apt(folder, *words, "update", "-qq") and _apt(folder, *words, *download)


def plain_environment(release: str = "bookworm") -> dict[str, str]:
    """The environment of a user of Debian who has these tools and nothing of this project.

    Skips the test where they cannot be had, and fails it in continuous integration.
    """
    try:
        fetch(release)
    except RuntimeError as error:
        if os.environ.get("CI") and not RELEASES[release].moves:
            pytest.fail(str(error))
        pytest.skip(str(error))
    programs = folder_of(release) / "bin"
    return {"PATH": f"{programs}:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C"}


if __name__ == "__main__":
    for each in RELEASES:
        try:
            fetch(each)
        except RuntimeError as error:
            print(f"debian-tools: {error}", file=sys.stderr)
