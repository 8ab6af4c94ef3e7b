# SPDX-License-Identifier: Apache-2.0
"""Run a tool as a child process: its words to a log, its progress to the caller, none left."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from redcore import processes, toolchain
from redcore.errors import BadInput, Stopped
from redcore.progress import Told

_CHILD = Path(__file__).with_name("child.py")
_LOOK_SECONDS = 0.3
_PACKAGES = {"yosys": "pyosys", "edalize": "edalize"} | {
    tool: f"yowasp-{tool}" for tool in toolchain.NEXTPNR
}
_NEXTPNR_STEP = re.compile(
    r"^Info: (Packing|Pack|Creating initial|Running main|Running simulated|Setting up routing"
    r"|Routing)",
    re.M,
)
_STEP = {
    "yosys": re.compile(r"^\d+(?:\.\d+)*\. Executing ([A-Za-z0-9_ ]+?) (?:pass|command)", re.M)
} | dict.fromkeys((*toolchain.NEXTPNR, "edalize"), _NEXTPNR_STEP)
_STEP_WORDS = {
    "Packing": "packing",
    "Pack": "packing",
    "Creating initial": "placing",
    "Running main": "placing",
    "Running simulated": "placing",
    "Setting up routing": "routing",
    "Routing": "routing",
}


@dataclass(frozen=True)
class Ended:
    """How a tool ended: its exit status (negative: the signal that ended it) and all it said."""

    status: int
    log: str


def require(tool: str) -> None:
    """Raise BadInput with what to install where ``tool`` is neither on PATH nor in a package."""
    package = _PACKAGES[tool]
    found = importlib.util.find_spec(package.replace("-", "_")) is not None
    if not found and (tool in ("yosys", "edalize") or toolchain.native_nextpnr(tool) is None):
        raise BadInput(f"the Python package {package} is missing: pip install {package}")


def run(
    tool: str,
    arguments: Sequence[str],
    folder: Path,
    progress: Told | None,
    stop: Event | None = None,
) -> Ended:
    """Run ``tool`` in ``folder`` to its end; an interrupt of the caller ends it, too.

    So does ``stop``, once it is set: the tool is killed and Stopped is raised.
    """
    require(tool)
    if processes.ended_by() is not None:
        raise Stopped(f"{tool} was not started")
    log = folder / f"{tool}.log"
    command = [sys.executable, "-P", str(_CHILD), str(os.getpid()), tool, *arguments]
    with log.open("wb") as output:
        child = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT,
            # A group of its own: ended as a whole below, and not by the terminal's interrupt.
            start_new_session=True,
        )  # fmt: skip
    try:
        said = None
        while True:
            try:
                status = child.wait(_LOOK_SECONDS)
                if processes.ended_by() is not None:  # and so, it may be, was the tool
                    raise Stopped(f"{tool} was stopped")
                break
            except subprocess.TimeoutExpired:
                if stop is not None and stop.is_set():
                    raise Stopped(f"{tool} was stopped") from None
                step = _step(tool, log)
                if progress and step and step != said:
                    progress(f"{tool}: {step}")
                    said = step
    except BaseException:
        processes.end_group(child)
        raise
    return Ended(status, log.read_text(encoding="utf-8", errors="replace"))


def _step(tool: str, log: Path) -> str | None:
    """What the tool does now, from the end of its log."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 20_000))
        text = file.read().decode("utf-8", errors="replace")
    found = _STEP[tool].findall(text)
    return _STEP_WORDS.get(found[-1], found[-1]) if found else None
