# SPDX-License-Identifier: Apache-2.0
"""A tool in a process of its own: ``child.py PARENT yosys SCRIPT``, ``child.py PARENT TOOL ...``.

Yosys ends its process at the first error, and nextpnr (WebAssembly) may trap: neither may take the
caller with it. Run by path, so it imports nothing of redcore. PARENT is the caller's process id; on
Linux the tool ends with its caller however that ends, so that a killed run leaves nothing running.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import shutil
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1


def _end_with(parent: int) -> None:
    """Ask Linux to end this process when its parent ends; elsewhere nothing is done."""
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before the request
        sys.exit(f"process {parent}, which this one works for, has ended")


def _yosys(script: Path) -> None:
    from pyosys import libyosys

    design = libyosys.Design()
    for line in script.read_text(encoding="utf-8").splitlines():
        libyosys.run_pass(line, design)


def _nextpnr(tool: str, arguments: list[str]) -> int:
    """A native nextpnr where one is on PATH, the WebAssembly one otherwise."""
    # A nextpnr-himbaechel may be built for all devices at once and not say so in its name.
    names = (tool, "nextpnr-himbaechel") if "himbaechel" in tool else (tool,)
    for native in filter(None, map(shutil.which, names)):
        os.execv(native, [native, *arguments])
    name = tool.replace("-", "_")
    wheel = importlib.import_module(f"yowasp_{name}")
    return int(getattr(wheel, f"run_{name}")(arguments))


def main() -> int:
    """Run the tool that the arguments name; returns its exit status."""
    parent, tool, *arguments = sys.argv[1:]
    _end_with(int(parent))
    if tool == "yosys":
        _yosys(Path(arguments[0]))
        return 0
    return _nextpnr(tool, arguments)


if __name__ == "__main__":
    sys.exit(main())
