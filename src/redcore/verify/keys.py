# SPDX-License-Identifier: Apache-2.0
"""Keys of what decides an answer that is kept: parts of redcore, and tools."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from redcore import toolchain


def key_of_parts(parts: Iterable[str], tools: Iterable[str]) -> str:
    """A key of files of redcore, or all in folders of it, and of the tools' versions."""
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parent.parent
    for name in parts:
        where = package / name
        for file in sorted(where.rglob("*.*")) if where.is_dir() else [where]:
            if file.suffix != ".pyc":
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    for tool in tools:
        digest.update(f"{tool} {toolchain.package_version(tool)}".encode())
    return digest.hexdigest()
