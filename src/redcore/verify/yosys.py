# SPDX-License-Identifier: Apache-2.0
"""Yosys's commands in a child process, as Yosys ends its process on an error."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from redcore import processes

_CHILD = Path(__file__).with_name("yosys_child.py")
"""Run by path: as a module it would import redcore first, which takes longer than a small proof."""


def run(
    script: Iterable[str],
    wanted: Path,
    failed: str,
    *,
    folder: Path | None = None,
    error: type[Exception] = RuntimeError,
) -> str:
    """Run commands that write the file ``wanted``, in ``folder``; what Yosys said.

    Raises ``error`` with the sentence ``failed`` and the end of the log where it does not, and
    BadInput or OSError where it was killed or the disk is full.
    """
    child = [sys.executable, "-P", str(_CHILD)]
    done = processes.run(child, input="\n".join(script), cwd=folder)
    processes.refuse_faults_of_host(done, "Yosys", wanted.parent)
    if done.returncode or not wanted.is_file():
        raise error(f"{failed}:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout
