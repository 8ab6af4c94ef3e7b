# SPDX-License-Identifier: Apache-2.0
"""The ``redcore`` command: reads options, calls the library, prints tables or one JSON object.

stdout carries the answer and nothing else; progress, logs and errors go to stderr. Exit codes: 0
success, 1 a check failed, 2 bad input (one sentence says what to change), 130 interrupted.

The commands themselves are in :mod:`redcore.commands`. Everything heavy is imported inside them,
so that ``redcore --help`` answers at once.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import typer
from typer.exceptions import TyperException

from redcore.commands import build, cores, doctor, power
from redcore.commands import run as run_commands
from redcore.commands.options import say
from redcore.errors import BadInput, CheckFailed

OK, FAILED, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141

app = typer.Typer(
    name="redcore",
    help="Modular arithmetic cores in hardware: look up, simulate, prove, synthesize, bundle.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for commands in (cores, power, build, doctor):
    app.add_typer(commands.app)
app.add_typer(run_commands.app, name="run")


def main() -> int:
    """The program: run the command line of this process; return the exit code."""
    _end_children_on_signals()
    return run(sys.argv[1:])


def run(arguments: Sequence[str]) -> int:
    """Carry out one command line; return the exit code."""
    # Parsed and called directly: app() would turn interrupts and broken pipes into its own codes.
    command = typer.main.get_command(app)
    try:
        with command.make_context("redcore", list(arguments)) as context:
            command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as ended:  # --help
        return ended.exit_code
    except TyperException as error:
        say(_usage_sentence(error))
        return BAD_INPUT
    except BadInput as error:
        say(str(error))
        return BAD_INPUT
    except CheckFailed as error:
        say(str(error))
        return FAILED
    except (KeyboardInterrupt, typer.Abort):
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of stdout has left. Python would complain again while flushing at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    return OK


def _usage_sentence(error: TyperException) -> str:
    """The parser's complaint, and where to look."""
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "redcore"
    separator = " See" if message.endswith("?") else "; see"
    return f"{message}{separator} {path} --help"


def _end_children_on_signals() -> None:
    """Ctrl-C and a polite kill also end compilers and tools that were started.

    A tool's own children (make's compilers) would otherwise outlive it when the signal reaches
    only this process, so all descendants are ended while their parents are still known.
    """

    def end(number: int, frame: object) -> NoReturn:
        for pid in _descendants(os.getpid()):
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


def _descendants(root: int) -> list[int]:
    """Process ids of all children, grandchildren and so on of ``root``."""
    import subprocess

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


if __name__ == "__main__":
    sys.exit(main())
