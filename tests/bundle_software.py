# SPDX-License-Identifier: Apache-2.0
"""Drivers in C that a bundle brings along."""

from __future__ import annotations

import subprocess
from pathlib import Path


def c_drivers(bundle: Path, scratch: Path) -> list[str]:
    """Those in a bundle's ``software``, each compiled with nothing but what stands beside it."""
    sources = sorted((bundle / "software").glob("*.c"))
    for source in sources:
        done = subprocess.run(
            ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-c", source.name,
             "-o", str(scratch / f"{source.stem}.o")],
            cwd=source.parent, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    return [source.name for source in sources]
