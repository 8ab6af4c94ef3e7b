# SPDX-License-Identifier: Apache-2.0
"""Stands before the compiler in Verilator's makefiles (OBJCACHE): what was compiled is kept.

Verilator's runtime is the same in every bench, and takes most of a small one's build. This file is
run as a program; see :func:`redcore.toolchain.verilator_environment`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from redcore import cache, toolchain


def key(command: list[str], source: Path) -> str:
    """Of all that decides the object: command, compiler, source, headers beside it."""
    root = toolchain.verilator_root() / "include"
    # The runtime sees no header of the design; those of the packages go with their versions.
    beside = [] if source.parent == root else [*Path().glob("*.h"), *Path().glob("*.cpp")]
    digest = hashlib.sha256()
    versions = [toolchain.package_version(name) for name in ("verilator", "cocotb")]
    for text in (*command, toolchain.compiler_version(), *versions):
        digest.update(f"{text}\0".encode())
    for file in (source, *sorted(beside)):
        digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:32]


def main(command: list[str]) -> int:
    """Run a compiler's command line, or take its object from the cache; the exit code."""
    sources = [part for part in command if part.endswith(".cpp")]
    if "-c" not in command or len(sources) != 1:
        return subprocess.run(command, check=False).returncode
    source = Path(sources[0])
    target = Path(command[command.index("-o") + 1]) if "-o" in command else Path(f"{source.stem}.o")
    stem, folder = f"object-{key(command, source)}", toolchain.cache_folder() / "simulate"
    folder.mkdir(exist_ok=True)
    if (found := cache.find(folder, stem, ".o")) is None:
        code = subprocess.run(command, check=False).returncode
        if code != 0:
            return code
        with tempfile.TemporaryDirectory(prefix="build-", dir=folder) as scratch:
            cache.keep(Path(shutil.copy(target, scratch)), folder, stem, ".o")
    else:
        shutil.copyfile(found, target)
    return os.EX_OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
