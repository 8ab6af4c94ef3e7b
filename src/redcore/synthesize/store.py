# SPDX-License-Identifier: Apache-2.0
"""Results that are never computed twice: an SQLite table of figures, and files of netlists.

A key is the SHA-256 of everything that decides the value (contents of sources, parameters, flags,
seed, tool versions), so a value never goes stale and there is nothing to invalidate. A step's value
is written as soon as that step has finished: an interrupted run loses at most the step it was in.
Any number of processes and threads may use one store at once.
"""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import json
import os
import sqlite3
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import IO, Any

from redcore import cache, json_text
from redcore.errors import BadInput, Stopped

_SCHEMA = """
CREATE TABLE IF NOT EXISTS results (
    key     TEXT PRIMARY KEY,
    step    TEXT NOT NULL,
    subject TEXT NOT NULL,
    value   TEXT NOT NULL,
    made    TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) WITHOUT ROWID
"""
_WAIT_SECONDS = 60.0
"""How long a writer waits for another one; writes take milliseconds."""

_ADVICE = {
    "SQLITE_FULL": "make room on its disk",
    "SQLITE_READONLY": "make it and its folder writable",
    "SQLITE_CANTOPEN": "make it and its folder writable",
    "SQLITE_BUSY": "wait for the process that holds it",
    "SQLITE_LOCKED": "wait for the process that holds it",
    "SQLITE_CORRUPT": "delete it",
    "SQLITE_NOTADB": "delete it",
}
"""What helps, by SQLite's error; what is whole must not be deleted for it."""

_LOOK_SECONDS = 0.1
"""How often one who may be stopped looks whether a lock is free."""


def _locked(file: IO[str], wait: bool) -> bool:
    """Whether the lock on ``file`` could be had; with ``wait`` not before it can."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def key_of(**inputs: Any) -> str:
    """The key of a value that ``inputs`` decide; they must be JSON data."""
    text = json.dumps(inputs, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Store:
    """The store in ``folder``, which is made where it is not there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._database = folder / "results.sqlite"
        self._netlists = folder / "netlists"
        self._locks = folder / "locks"
        for each in (self._netlists, self._locks):
            each.mkdir(parents=True, exist_ok=True)
        # one maker at a time: two that find no table would both write it
        with self.lock("schema"):
            self._set_damaged_aside()
            with self._connection() as connection:
                connection.execute(_SCHEMA)

    def _set_damaged_aside(self) -> None:
        """Keep a table that SQLite cannot read under another name, so that a new one begins."""
        if not self._database.exists() or not self._damaged():
            return
        aside = self._database.with_suffix(".damaged")
        os.replace(self._database, aside)
        Path(f"{self._database}-journal").unlink(missing_ok=True)
        print(f"the result store was damaged and begins anew; the old is {aside}", file=sys.stderr)

    def _damaged(self) -> bool:
        """Whether the table cannot be read, whoever uses it now."""
        try:
            with closing(sqlite3.connect(self._database, timeout=_WAIT_SECONDS)) as connection:
                said = connection.execute("PRAGMA quick_check(1)").fetchall()
        except sqlite3.OperationalError:
            return False  # in use, or not to be opened: where it is used says why
        except sqlite3.DatabaseError:
            return True
        return said != [("ok",)]

    def get(self, key: str) -> dict[str, Any] | None:
        """The value stored under ``key``, or None."""
        with self._connection() as connection:
            row = connection.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
        try:
            value = None if row is None else json_text.parsed(row[0])
        except ValueError:  # not as it was written
            return None
        return value if isinstance(value, dict) else None

    def put(self, key: str, step: str, subject: str, value: dict[str, Any]) -> None:
        """Store ``value``; ``step`` and ``subject`` tell a reader of the table what it is."""
        with self._connection() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO results (key, step, subject, value) VALUES (?, ?, ?, ?)",
                (key, step, subject, json.dumps(value, sort_keys=True)),
            )

    def subjects(self, step: str) -> list[str]:
        """What values of a step there are, by what they are of; some may be of other sources."""
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT DISTINCT subject FROM results WHERE step = ? ORDER BY subject", (step,)
            ).fetchall()
        return [row[0] for row in rows]

    def netlist(self, key: str) -> bytes | None:
        """The netlist stored under ``key``, or None where there is none or it is damaged."""
        file = self._netlist_file(key)
        try:
            content = gzip.decompress(file.read_bytes())
            os.utime(file)
        except (OSError, EOFError, ValueError, zlib.error):  # gzip's own error is an OSError
            return None
        return content

    def put_netlist(self, key: str, content: bytes) -> None:
        """Store a netlist; it appears under its key only when complete."""
        handle, partial = tempfile.mkstemp(dir=self._netlists, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                # no time stamp: equal netlists make equal files
                file.write(gzip.compress(content, compresslevel=3, mtime=0))
            os.replace(partial, self._netlist_file(key))
            cache.trim(self._netlist_file(key))
        except BaseException:
            Path(partial).unlink(missing_ok=True)
            raise

    @contextmanager
    def lock(self, key: str, stop: Event | None = None) -> Iterator[None]:
        """Hold ``key`` alone, so that two processes that want one value compute it once.

        The operating system frees the lock of a process that ends in any way. A wait for the lock
        ends with Stopped once ``stop`` is set.
        """
        with (self._locks / key).open("w") as file:
            while not _locked(file, wait=stop is None):
                if stop is not None and stop.wait(_LOOK_SECONDS):
                    raise Stopped("stopped while another process was making the same result")
            yield

    def _netlist_file(self, key: str) -> Path:
        return self._netlists / f"{key}.json.gz"

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """One transaction on a connection of its own, which may thus come from any thread.

        A rollback journal, not a write-ahead log: the last of several connections to close a log
        locks others out without their time-out. A transaction asks for its write lock at once, as
        one that reads first may not wait for it.
        """
        opened = sqlite3.connect(self._database, timeout=_WAIT_SECONDS, isolation_level="IMMEDIATE")
        try:
            with closing(opened) as connection, connection:
                yield connection
        except sqlite3.DatabaseError as error:
            name = getattr(error, "sqlite_errorname", "")  # Python's own errors have none
            advice = _ADVICE.get("_".join(name.split("_")[:2]), "mend that")
            raise BadInput(
                f"the result store {self._database} cannot be used ({error}); {advice}, run again"
            ) from error
