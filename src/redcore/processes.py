# SPDX-License-Identifier: Apache-2.0
"""Ending: a program that is asked to end does so soon, and leaves nothing running.

Python hears of a signal in its main thread alone, and only between two of its own instructions.
That thread may be waiting for a pool whose threads start one tool after another, or be inside a
library. So a thread of its own sees to the end: it hears of the signal at once, lets no tool be
started any more, ends those that run, and ends the program where that does not end by itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NoReturn

from redcore.errors import BadInput, Stopped

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks a program to end: Ctrl-C, a polite kill, a terminal that is closed."""

_PATIENCE_SECONDS = 1.0
"""How long a program may take to end by itself, telling what it has, once it was asked to."""
_LOOK_SECONDS = 0.05
_STOP_LOOK_SECONDS = 0.2
_NO_ROOM_BYTES = 64 << 10
"""A disk with less is full: tools do not always say so."""
_STARTS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"})
"""What Python calls the start of a process in its audit events."""
_PR_SET_CHILD_SUBREAPER = 36


class Interrupted(KeyboardInterrupt):
    """The signal ``number`` has asked the program to end; ``code`` is what it is to return."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number
        self.code = 128 + number


class _Ending:
    """What is known of the end of this process."""

    number: int | None = None
    stop: threading.Event | None = None
    """Where there is one, the main thread looks at it, and is not interrupted."""
    told = False
    """The main thread has been interrupted."""
    last_words: Callable[[int], None] | None = None
    others: frozenset[int] = frozenset()
    """Children that are not ours to end, and all below them: the shell's, the user's browser."""


_end = _Ending()
_stop: ContextVar[threading.Event | None] = ContextVar("redcore_stop", default=None)


def end_children_on_signals(last_words: Callable[[int], None] | None = None) -> None:
    """From now on a signal ends this program, and all that it has started, in about a second.

    Children that are there already are not its own: a shell may start a program in a process that
    has some (``exec``, ``> >(tee log)``). They are left alone, and so is :func:`leave_alone`.
    The main thread gets :class:`Interrupted` at once, a KeyboardInterrupt. Where that has not led
    to an end in a second, ``last_words`` is called with the signal's number and the process ends.
    Does nothing outside the main thread, where the caller's own handlers stay.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    _end.last_words = last_words
    with contextlib.suppress(OSError):  # neither /proc nor ps
        _end.others |= frozenset(descendants(os.getpid()))
    adopt_orphans()
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    # Written to by Python's own handler in C, whatever the main thread is doing.
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    for number in SIGNALS:
        # What is ignored at the start (nohup) stays so; but shells ignore Ctrl-C for what they
        # start in the background, and a kill -INT of it means what it says.
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _interrupt)
    threading.Thread(target=_see_to_the_end, args=(reader,), name="end", daemon=True).start()


def leave_alone(child: int) -> None:
    """The process ``child`` and those below it are to go on when this program ends."""
    _end.others |= {child}


def ended_by() -> int | None:
    """The signal that has asked this program to end, or None."""
    return _end.number


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that a signal sets instead of interrupting the main thread.

    For what has a partial answer to give inside the block: it has a second for that. Interrupted is
    raised at the block's end.
    """
    before = _end.stop
    _end.stop = stop = threading.Event()
    try:
        yield stop
    finally:
        _end.stop = before
    if _end.number is not None and before is None:
        _end.told = True
        raise Interrupted(_end.number)


def leave(code: int) -> NoReturn:
    """End a program that was asked to, without waiting for anything; ``code`` is its exit code."""
    try:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        sys.stderr = None  # what other threads still have to say is of the end alone
        _kill_all()
    finally:
        os._exit(code)


@contextmanager
def ended_with(stop: threading.Event) -> Iterator[None]:
    """Tools that this thread starts by :func:`run` are ended once ``stop`` is set."""
    token = _stop.set(stop)
    try:
        yield
    finally:
        _stop.reset(token)


def run(
    command: Sequence[str | Path],
    *,
    input: str | None = None,
    timeout: float | None = None,
    **options: Any,
) -> subprocess.CompletedProcess[str]:
    """Run a tool to its end and return its exit status and what it said, as text.

    It has a session of its own: a terminal's Ctrl-C reaches this program alone, which ends it. What
    it says when it is ended is not taken for an answer: that raises Interrupted, or Stopped
    where it was an event of :func:`ended_with`. ``timeout`` in seconds is as of subprocess.run.
    """
    stop = _stop.get()
    if stop is not None and stop.is_set():
        raise Stopped("stopped")
    began = time.monotonic()
    child = subprocess.Popen(
        list(map(str, command)),
        stdin=subprocess.DEVNULL if input is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )
    with child:
        try:
            while True:
                left = None if timeout is None else began + timeout - time.monotonic()
                look = _STOP_LOOK_SECONDS if stop is not None else None
                waits = [each for each in (left, look) if each is not None]
                try:
                    out, err = child.communicate(input, max(0.0, min(waits)) if waits else None)
                    break
                except subprocess.TimeoutExpired:
                    input = None  # it has been handed over
                    if stop is not None and stop.is_set():
                        raise Stopped("stopped") from None
                    if left is not None and left <= _STOP_LOOK_SECONDS:
                        raise
        except BaseException:
            end_group(child)
            raise
    if _end.number is not None:
        raise Interrupted(_end.number)
    return subprocess.CompletedProcess(child.args, child.returncode, out, err)


def refuse_faults_of_host(run: subprocess.CompletedProcess[str], tool: str, path: Path) -> None:
    """Raise what a tool's failure is where it says nothing of what the tool was given: BadInput
    where a signal has ended it, OSError where the disk of ``path``, which it writes to, is full."""
    if run.returncode == 0:
        return
    if run.returncode < 0:
        name = signal.Signals(-run.returncode).name
        raise BadInput(
            f"{tool} was ended by {name}, perhaps for want of memory; run the same command again"
        )
    no_room = os.strerror(errno.ENOSPC)
    full = shutil.disk_usage(path).free < _NO_ROOM_BYTES
    if full or no_room in run.stdout + run.stderr:
        raise OSError(errno.ENOSPC, no_room, str(path))


def end_group(child: subprocess.Popen[Any]) -> None:
    """End a process that was started with a session of its own, and all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def leave_to_parent() -> None:
    """In a worker process: a terminal's Ctrl-C is the parent's business, which ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def descendants(root: int) -> list[int]:
    """Process ids of all children, grandchildren and so on of ``root`` that have not ended.

    Without those that are not ours to end, and what is below them.
    """
    listing = (
        subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=False
        ).stdout
        if not Path("/proc/self/stat").exists()
        else _process_table()
    )
    children: dict[int, list[int]] = {}
    ended: set[int] = set()
    for line in listing.splitlines():
        pid, parent, state = line.split()
        children.setdefault(int(parent), []).append(int(pid))
        if state.startswith(("Z", "X")):
            ended.add(int(pid))
    found: list[int] = []
    pending = [root]
    while pending:
        offspring = [pid for pid in children.get(pending.pop(), []) if pid not in _end.others]
        found += offspring
        pending += offspring
    return [pid for pid in found if pid not in ended]


def _process_table() -> str:
    """Process id, parent, state from /proc, as ``ps`` prints them, which containers often lack."""
    lines = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                # State and parent come after the name, which may hold blanks itself.
                # The name is bytes of any kind, and cut off after fifteen of them.
                stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
                after_name = stat.rpartition(")")[2].split()
            except OSError:
                continue
            lines.append(f"{entry.name} {after_name[1]} {after_name[0]}")
    return "\n".join(lines)


def _interrupt(number: int, frame: object) -> None:
    """In the main thread, as Python handles signals."""
    _end.number = _end.number or number
    stop = _end.stop
    if stop is not None:
        stop.set()
    elif not _end.told:
        _end.told = True  # once: what is cleaned up now is not to be cut short
        raise Interrupted(_end.number)


def _see_to_the_end(reader: int) -> None:
    """Wait for a signal, then see to it that the process ends, and all that it has started."""
    while (number := os.read(reader, 1)[0]) not in SIGNALS:
        continue  # another signal that somebody handles
    deadline = time.monotonic() + _PATIENCE_SECONDS
    _end.number = _end.number or number
    try:
        stop = _end.stop  # the main thread may take it away meanwhile
        if stop is not None:
            stop.set()
        sys.addaudithook(_start_nothing)
        _ask_all(deadline)
    finally:
        # Whatever fails above, nothing is left running and the program ends.
        try:
            time.sleep(max(0.0, deadline - time.monotonic()))
            _kill_all()
            with contextlib.suppress(OSError, ValueError, TypeError):  # stderr may be closed
                if _end.last_words is not None and select.select([], [sys.stderr], [], 0)[1]:
                    _end.last_words(_end.number)
        finally:
            os._exit(128 + _end.number)


def _ask_all(deadline: float) -> None:
    """Ask all descendants to end, until ``deadline``, as time.monotonic tells it."""
    asked: set[int] = set()
    while time.monotonic() < deadline:
        # Again and again: one may have been about to start when the signal came.
        for pid in descendants(os.getpid()):
            if pid not in asked:
                asked.add(pid)
                _send(pid, signal.SIGTERM)
        time.sleep(_LOOK_SECONDS)


def _start_nothing(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook that stops the starts of processes of which Python tells.

    Workers of multiprocessing (spawn) are started without an event: those are ended as they come.
    """
    own = arguments[:1] == ("ps",)  # of `descendants`, where there is no /proc
    if event in _STARTS and _end.number is not None and not own:
        raise Interrupted(_end.number)


def _kill_all() -> None:
    """End what is left of the descendants; orphans of those that end are then found, too."""
    # multiprocessing's tracker of semaphores is one of them. For one that another thread gives back
    # now, a new tracker would be started, which does not know it and says so in a traceback.
    if tracker := sys.modules.get("multiprocessing.resource_tracker"):
        vars(tracker)["unregister"] = lambda *_: None
    for _ in range(20):
        left = descendants(os.getpid())
        for pid in left:
            _send(pid, signal.SIGKILL)
        if not left:
            return
        time.sleep(0.01)


def _send(pid: int, number: int) -> None:
    with contextlib.suppress(OSError):  # it has ended by itself
        os.kill(pid, number)


def adopt_orphans() -> None:
    """On Linux: a tool's child whose parent has ended becomes ours, and is found in the table."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
