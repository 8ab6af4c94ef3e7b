# SPDX-License-Identifier: Apache-2.0
"""Programs that start compilers and tools: they leave none running when they are ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NoReturn


def end_children_on_signals() -> None:
    """Ctrl-C and a polite kill also end compilers and tools that were started.

    A tool's own children (make's compilers) would otherwise outlive it when the signal reaches
    only this process, so all descendants are ended while their parents are still known.
    """

    def end(number: int, frame: object) -> NoReturn:
        for pid in descendants(os.getpid()):
            try:
                os.kill(pid, signal.SIGTERM)
            except OSError:  # it has ended by itself
                continue
        if number == signal.SIGTERM:
            sys.exit(128 + number)
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            signal.signal(number, end)
        except ValueError:  # not in the main thread: the caller's handlers stay
            return


def descendants(root: int) -> list[int]:
    """Process ids of all children, grandchildren and so on of ``root``."""
    listing = (
        subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=False
        ).stdout
        if not Path("/proc/self/stat").exists()
        else _process_table()
    )
    children: dict[int, list[int]] = {}
    for line in listing.splitlines():
        pid, parent = map(int, line.split())
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    pending = [root]
    while pending:
        offspring = children.get(pending.pop(), [])
        found += offspring
        pending += offspring
    return found


def _process_table() -> str:
    """Process and parent ids from /proc, as ``ps`` prints them; containers often lack that."""
    lines = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                # The parent is the second field after the name, which may hold blanks itself.
                after_name = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            lines.append(f"{entry.name} {after_name[1]}")
    return "\n".join(lines)
