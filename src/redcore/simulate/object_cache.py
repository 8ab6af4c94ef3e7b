# SPDX-License-Identifier: Apache-2.0
"""Stands before the compiler in Verilator's makefiles (OBJCACHE): what was compiled is kept.

Verilator's runtime is the same in every bench, and takes most of a small one's build. This file is
run as a program; see :func:`redcore.toolchain.verilator_environment`.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from redcore import cache, toolchain

HEADER_PAYS = 8
"""Objects compiled with the same flags from which on it is parsed for keeping: a bench's runtime is
four of them, and to parse it takes as long as three models save."""


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


def flags(command: list[str], source: Path, target: Path) -> list[str]:
    """The options of a compiler's command line that are the same for the next source."""
    own = {str(source), str(target), "-o", "-c", "-MMD", "-I."}
    return [part for part in command if part not in own]


@contextlib.contextmanager
def with_header(command: list[str], alike: list[str], folder: Path) -> Iterator[list[str]]:
    """The command line, with Verilator's header parsed already where that is or will be of use.

    g++ takes it where the flags are those that it was parsed with, and reads the text elsewhere.
    """
    stem = _stem(alike).replace("object", "header")
    with tempfile.TemporaryDirectory(prefix="build-", dir=folder) as scratch:
        header = Path(scratch) / "parsed.h"
        header.write_text(toolchain.HEADER, encoding="ascii")
        if (found := cache.find(folder, stem, ".gch")) is None:
            made = Path(scratch) / "made.gch"
            parse = [*alike, "-x", "c++-header", str(header), "-o", str(made)]
            if subprocess.run(parse, check=False).returncode != 0:
                yield command
                return
            found = cache.keep(made, folder, stem, ".gch")
        with contextlib.suppress(FileNotFoundError):  # removed meanwhile: g++ reads the text
            os.link(found, f"{header}.gch")
        yield [*command, "-include", str(header)]


def _stem(alike: list[str]) -> str:
    """How the names of objects begin that were compiled with the same flags."""
    versions = (toolchain.compiler_version(), toolchain.package_version("verilator"))
    text = "\0".join(map(str, (*alike, *versions, toolchain.HEADER)))
    return f"object-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def main(command: list[str]) -> int:
    """Run a compiler's command line, or take its object from the cache; the exit code."""
    sources = [part for part in command if part.endswith(".cpp")]
    if "-c" not in command or len(sources) != 1:
        return subprocess.run(command, check=False).returncode
    source = Path(sources[0])
    target = Path(command[command.index("-o") + 1]) if "-o" in command else Path(f"{source.stem}.o")
    alike = flags(command, source, target)
    folder = toolchain.cache_folder() / "simulate"
    folder.mkdir(exist_ok=True)
    stem = f"{_stem(alike)}-{key(command, source)}"
    if (found := cache.find(folder, stem, ".o")) is None:
        objects = itertools.islice(folder.glob(f"{_stem(alike)}-*.o"), HEADER_PAYS)
        pays = len(list(objects)) == HEADER_PAYS
        with (
            with_header(command, alike, folder) if pays else contextlib.nullcontext(command) as line
        ):
            code = subprocess.run(line, check=False).returncode
        if code != 0:
            return code
        with tempfile.TemporaryDirectory(prefix="build-", dir=folder) as scratch:
            cache.keep(Path(shutil.copy(target, scratch)), folder, stem, ".o")
    else:
        shutil.copyfile(found, target)
    return os.EX_OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
