# SPDX-License-Identifier: Apache-2.0
"""The ``redcore`` command: reads options, calls the library, prints tables or one JSON object.

stdout carries the answer and nothing else; progress, logs and errors go to stderr. Exit codes: 0
success, 1 a check failed, 2 bad input (one sentence says what to change), 128 and its number for a
signal: 130 after Ctrl-C, 143 after a polite kill.

The commands themselves are in :mod:`redcore.commands`. Everything heavy is imported inside them,
so that ``redcore --help`` answers at once.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from collections.abc import Sequence
from functools import cache, partial
from typing import Annotated

import typer
from typer.exceptions import TyperException

from redcore import __version__
from redcore.commands import build, cores, doctor, emulate, model, plot, power, search, serve
from redcore.commands import run as run_commands
from redcore.commands.options import say
from redcore.errors import BadInput, CheckFailed, Stopped
from redcore.processes import end_children_on_signals, ended_by, leave

OK, FAILED, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)
"""What the system says where nothing can be written."""

app = typer.Typer(
    name="redcore",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for commands in (cores, model, power, search, build, plot, emulate, serve, doctor):
    app.add_typer(commands.app)
app.add_typer(run_commands.app, name="run")


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"redcore {__version__}")
        raise typer.Exit


@app.callback()
def _every_command(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_show_version, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Modular arithmetic cores in hardware: look up, simulate, prove, synthesize, bundle."""


def main() -> int:
    """The program: run the command line of this process; return the exit code."""
    end_children_on_signals(_say_interrupted)
    if sys.stdout is None:  # closed by the caller, who wants the exit code alone
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - it stays open as long as the program
    try:
        return run(sys.argv[1:])
    finally:
        # Whatever came of it meanwhile: the reader of a pipe hears of Ctrl-C, too, and has left.
        number = ended_by()
        if number is not None:
            _say_interrupted(number)
            leave(128 + number)


_command = cache(partial(typer.main.get_command, app))
"""The commands and their options, of all functions' signatures: found once, not at each call."""


def run(arguments: Sequence[str]) -> int:
    """Carry out one command line; return the exit code."""
    # Parsed and called directly: app() would turn interrupts and broken pipes into its own codes.
    command = _command()
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
    except (KeyboardInterrupt, Stopped, typer.Abort):
        number = ended_by() or signal.SIGINT
        _say_interrupted(number)
        return 128 + number
    except BrokenPipeError:
        leave_stdout()
        return BROKEN_PIPE
    except SystemExit as ended:
        if ended.code != FAILED:
            raise
        return BROKEN_PIPE  # so rich ends a program when the reader of its table has left
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        if error.filename is None:  # it may be stdout
            leave_stdout()
        where = f" {error.filename}" if error.filename else ""
        say(f"cannot write{where}: {error.strerror}; make room, or let REDCORE_CACHE name a folder")
        return BAD_INPUT
    return OK


@cache
def _say_interrupted(number: int) -> None:
    """One line on stderr, once."""
    with contextlib.suppress(OSError):  # the reader of stderr may have left
        say("interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}")


def leave_stdout() -> None:
    """Write no more to a stdout that takes nothing; Python would complain while flushing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage_sentence(error: TyperException) -> str:
    """The parser's complaint, and where to look."""
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "redcore"
    separator = " See" if message.endswith("?") else "; see"
    return f"{message}{separator} {path} --help"


if __name__ == "__main__":
    sys.exit(main())
