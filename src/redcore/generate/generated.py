# SPDX-License-Identifier: Apache-2.0
"""Generated files of the repository: one way to write them and to see whether they are current."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from redcore import rtl
from redcore.errors import BadInput


def repository() -> Path:
    """The checkout this package runs from; BadInput in an installed wheel, which has none."""
    root = rtl.rtl_folder().parent
    if not (root / "pyproject.toml").is_file():
        raise BadInput("generated files belong to a checkout: run this from an editable install")
    return root


def outdated(contents: Mapping[Path, str]) -> list[Path]:
    """The files whose content on disk is not the generated one."""
    return [
        path
        for path, content in contents.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != content
    ]


def write(contents: Mapping[Path, str]) -> None:
    """Write the files that differ and name them on stderr."""
    for path in outdated(contents):
        path.write_text(contents[path], encoding="utf-8")
        print(f"wrote {path.name}", file=sys.stderr)
