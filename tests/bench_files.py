# SPDX-License-Identifier: Apache-2.0
"""Imported first by a bench in the simulator: tells at its end which of our files it has used.

They stand in the file that the environment variable REDCORE_BENCH_FILES names, one a line.
"""

from __future__ import annotations

import atexit
import os
import sys
from pathlib import Path

_opened: set[str] = set()


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str | os.PathLike):
        _opened.add(os.path.abspath(os.fspath(arguments[0])))


def _tell() -> None:
    imported = {getattr(module, "__file__", None) for module in [*sys.modules.values()]}
    used = {path for path in _opened | imported if path and not path.endswith(".pyc")}
    Path(os.environ["REDCORE_BENCH_FILES"]).write_text("\n".join(sorted(used)))


sys.addaudithook(_note)
atexit.register(_tell)
