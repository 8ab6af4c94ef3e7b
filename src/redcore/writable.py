# SPDX-License-Identifier: Apache-2.0
"""Whether something can be written, asked before it is computed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redcore.errors import BadInput


def require_writable(path: Path) -> None:
    """Raise BadInput unless a file can be written at ``path``, which need not be there."""
    with _told(path, "file"):
        if path.is_dir():
            raise BadInput(f"cannot write {path}: it is a folder; name a file")
        if not path.parent.is_dir():
            raise BadInput(f"cannot write {path}: there is no folder {path.parent}")
        if path.exists():  # a file, or a device such as /dev/stdout
            if not os.access(path, os.W_OK):
                raise BadInput(f"cannot write {path}: Permission denied; name another file")
            return
        _try(path.parent)


def require_writable_folder(folder: Path) -> None:
    """Raise BadInput unless files can be made in ``folder``, which need not be there."""
    with _told(folder, "folder"):
        there = folder.absolute()
        while not there.exists():
            there = there.parent
        _try(there)


def _try(folder: Path) -> None:
    # Permissions alone do not tell: the whole file system may be read-only.
    with tempfile.TemporaryFile(dir=folder):
        pass


@contextmanager
def _told(wanted: Path, kind: str) -> Iterator[None]:
    """What the operating system has against it, a name of thousands of characters too."""
    try:
        yield
    except OSError as error:
        raise BadInput(
            f"cannot write {wanted}: {error.strerror or error}; name another {kind}"
        ) from None
