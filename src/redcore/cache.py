# SPDX-License-Identifier: Apache-2.0
"""The files in the cache folder: whole or not there, and together no larger than a limit.

A file that is kept carries the checksum of its content in its name, so that what was cut short or
damaged is known before it is used, and made again. What was used least recently goes first once the
limit is passed; what a process has been given, or was just made, stays until the process is done.
Any number of processes may use one folder.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from redcore import json_text, toolchain

_GOES = (
    ("simulate", "*.so", 0),
    ("simulate", "*.o", 0),
    ("simulate", "*.gch", 0),
    ("synthesis/netlists", "*.json.gz", 0),
    ("composed", "*/*.sv", 600),
    ("proofs", "*.json", 600),
    ("campaigns", "*.jsonl", 600),
    ("synthesis/locks", "*", 24 * 3600),
    # What a writer that was killed has left, and a table that was set aside.
    ("synthesis/netlists", ".*.part", 24 * 3600),
    ("composed", "*/*.part", 24 * 3600),
    ("proofs", "*.part", 24 * 3600),
    ("synthesis", "*.damaged", 24 * 3600),
)
"""What may go: folder, names, and for how many seconds after its last use it may not, as it is
handed on by its name. The table of results stays, a few hundred bytes each; so do the user's own
models."""

Answer = TypeVar("Answer")

_COUNTED_SECONDS = 30.0
_COUNTED_PART = 16
"""What is in the cache is counted again after so long, and before a process has added this part of
what was free: to count takes 0.05 s where 4,000 files are, for each file that is added."""
_counted: dict[tuple[Path, int], tuple[int, float]] = {}
"""By folder and limit: bytes that this process may add, and until when, before it counts again."""

_HELD_AT_MOST = 32
"""Files that one process holds at a time; each takes a file descriptor."""
_held: OrderedDict[Path, int] = OrderedDict()
_guard = Lock()


@dataclass(frozen=True)
class _Entry:
    path: Path
    size: int
    used: float
    """Time stamp of the last use: files are touched when they are used."""


def find(folder: Path, stem: str, suffix: str) -> Path | None:
    """The file that ``keep`` put there, whole, and held for this process; None where there is none.

    A damaged one is removed.
    """
    try:
        names = os.listdir(folder)  # in half the time of a pattern
    except OSError:
        return None
    for name in names:
        if not (name.startswith(f"{stem}-") and name.endswith(suffix)):
            continue
        path = folder / name
        try:
            if not _hold(path):
                continue
            if path.name == f"{stem}-{_checksum(path)}{suffix}":
                os.utime(path)
                return path
            path.unlink(missing_ok=True)
        except OSError:
            continue  # another process was faster
    return None


def keep(made: Path, folder: Path, stem: str, suffix: str) -> Path:
    """Move a finished file of the same file system to where ``find`` finds it."""
    one_at_a_time = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        if found := find(folder, stem, suffix):
            return found  # another process has made it meanwhile
        target = folder / f"{stem}-{_checksum(made)}{suffix}"
        os.replace(made, target)
        _hold(target)
    finally:
        os.close(one_at_a_time)
    trim(target)
    return target


def answer(key: str) -> Any:
    """The answer that :func:`keep_answer` kept under ``key``; None where there is none as it was
    written: part of one would look like a whole one."""
    path = _answers() / f"{key}.json"
    try:
        kept = json_text.parsed(path.read_text(encoding="utf-8"))
        os.utime(path)
        value, told = kept["answer"], kept["blake2b"]
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return value if told == _checksum_of(value) else None


def answer_as(key: str, form: Callable[..., Answer]) -> Answer | None:
    """``form`` of the fields that were kept under ``key``; None where they are not its fields."""
    kept = answer(key)
    try:
        return form(**kept)
    except (TypeError, ValueError):
        return None


def keep_answer(key: str, value: Any) -> None:
    """Keep what a proof, campaign or bench has told, as JSON; ``key`` is of all that decides it."""
    path = _answers() / f"{key}.json"
    # Written beside and renamed, so that an interrupted run leaves no half an answer.
    part = path.with_suffix(f".{os.getpid()}.part")
    kept = {"answer": value, "blake2b": _checksum_of(value)}
    part.write_text(json.dumps(kept), encoding="utf-8")
    part.replace(path)
    trim(path)


def _checksum_of(value: Any) -> str:
    """Of an answer as JSON has it."""
    text = json.dumps(value, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _answers() -> Path:
    folder = toolchain.cache_folder() / "proofs"
    folder.mkdir(exist_ok=True)
    return folder


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()[:32]


def _hold(path: Path) -> bool:
    """Keep others from removing the file while this process may use it; False where it is gone."""
    with _guard:
        if handle := _held.pop(path, None):
            os.close(handle)
        handle = os.open(path, os.O_RDONLY)
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_SH)
        try:
            there = os.path.samestat(os.fstat(handle), os.stat(path))
        except OSError:
            there = False
        if not there:
            os.close(handle)
            return False
        _held[path] = handle
        while len(_held) > _HELD_AT_MOST:
            os.close(_held.popitem(last=False)[1])
    return True


def size() -> int:
    """Bytes in the whole cache folder."""
    total = 0
    for folder, _, names in os.walk(toolchain.cache_folder()):  # passes over folders that are gone
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(folder, name)).st_size
    return total


def trim(added: Path | None = None) -> None:
    """Remove what was used least recently until the cache is within its limit.

    ``added`` has just been put there and stays; nothing happens where it is outside the cache, and
    where a count of a moment ago says that there is room: several processes may add at once, so
    each takes a small part of it.
    """
    folder, limit = toolchain.cache_folder(), toolchain.cache_limit()
    if added is not None and (not added.is_relative_to(folder) or _has_room(folder, limit, added)):
        return
    excess = size() - limit
    if excess <= 0:
        _counted[folder, limit] = -excess // _COUNTED_PART, time.monotonic() + _COUNTED_SECONDS
        return
    now = time.time()
    found = [
        entry
        for where, names, rest in _GOES
        for entry in _files(folder / where, names)
        if entry.path != added and now - entry.used >= rest
    ]
    for entry in sorted(found, key=lambda entry: entry.used):
        if excess <= 0:
            break
        if _removed(entry.path):
            excess -= entry.size


def _has_room(folder: Path, limit: int, added: Path) -> bool:
    """Whether the last count left room for ``added``, which is taken from it."""
    left, until = _counted.pop((folder, limit), (0, 0.0))
    with contextlib.suppress(OSError):  # gone already: another process has trimmed
        left -= added.lstat().st_size
    if left <= 0 or time.monotonic() > until:
        return False
    _counted[folder, limit] = left, until
    return True


def _files(folder: Path, names: str) -> Iterator[_Entry]:
    for path in folder.glob(names):
        with contextlib.suppress(OSError):  # gone meanwhile
            state = path.lstat()
            if not path.is_dir():
                yield _Entry(path, state.st_size, state.st_mtime)


def _removed(path: Path) -> bool:
    """Remove a file unless a process holds it."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
    except OSError:
        return False
    return True
