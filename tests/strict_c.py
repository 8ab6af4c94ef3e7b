# SPDX-License-Identifier: Apache-2.0
"""C99 without a warning: what drivers in C are compiled by."""

from __future__ import annotations

import subprocess
from pathlib import Path

STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")


def compiled(made: Path, *words: str | Path, folder: Path | None = None) -> Path:
    """What gcc makes of files and options, in a folder."""
    subprocess.run(["gcc", *STRICT, *map(str, words), "-o", str(made)], cwd=folder, check=True)
    return made


def c_drivers(bundle: Path, scratch: Path) -> list[str]:
    """Those in a bundle's ``software``, each compiled with nothing but what stands beside it."""
    sources = sorted((bundle / "software").glob("*.c"))
    for source in sources:
        compiled(scratch / f"{source.stem}.o", "-c", source.name, folder=source.parent)
    return [source.name for source in sources]
