# SPDX-License-Identifier: Apache-2.0
"""The result store: nothing lost by a kill, nothing computed twice, any number of users at once."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from redcore.errors import BadInput
from redcore.synthesize.store import Store, key_of


def _python(code: str, *arguments: str) -> subprocess.Popen[str]:
    """Run ``code`` in another process; its standard output can be read line by line."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_key_follows_every_input_and_not_their_order() -> None:
    key = key_of(sources={"a.sv": "module a;"}, seed=1)
    assert key == key_of(seed=1, sources={"a.sv": "module a;"})
    assert len({key, key_of(sources={"a.sv": "module a;"}, seed=2), key_of(seed=1)}) == 3
    assert key != key_of(sources={"a.sv": "module a; "}, seed=1)


def test_values_and_netlists_come_back_in_a_new_store(tmp_path: Path) -> None:
    first = Store(tmp_path / "store")
    assert first.get("k") is None
    assert first.netlist("k") is None
    first.put("k", "map", "a design", {"cells": {"LUT4": 3}})
    first.put_netlist("k", b"{}" * 1000)
    second = Store(tmp_path / "store")
    assert second.get("k") == {"cells": {"LUT4": 3}}
    assert second.netlist("k") == b"{}" * 1000


def test_a_damaged_netlist_counts_as_none(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put_netlist("k", b"content" * 1000)
    (file,) = (tmp_path / "netlists").glob("k*")
    file.write_bytes(file.read_bytes()[:20])
    assert store.netlist("k") is None


@pytest.mark.parametrize("damage", ["no database", "cut short", "overwritten"])
def test_a_damaged_table_is_set_aside_and_begun_anew(
    damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, table = Store(tmp_path), tmp_path / "results.sqlite"
    for number in range(200):
        store.put(f"k{number}", "map", "a subject of some length", {"lut": number})
    whole = table.read_bytes()
    cut = {
        "no database": b"this is not a database" * 100,
        "cut short": whole[: len(whole) // 2],
        "overwritten": whole[:4096] + bytes(range(256)) * 16 + whole[8192:],
    }[damage]
    table.write_bytes(cut)
    again = Store(tmp_path)
    again.put("new", "map", "a subject", {"lut": 1})
    assert again.get("new") == {"lut": 1}
    assert (tmp_path / "results.damaged").read_bytes() == cut
    assert "results.damaged" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "advice"),
    [("SQLITE_FULL", "make room on its disk"), ("SQLITE_READONLY_DIRECTORY", "writable"),
     ("SQLITE_BUSY", "wait for the process that holds it"), ("", "mend that")],
)  # fmt: skip
def test_no_advice_loses_results(
    name: str, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that is whole stays, whatever is in the way of it."""
    error = sqlite3.OperationalError("in the way")
    if name:
        error.sqlite_errorname = name
    store = Store(tmp_path)

    class Connection:
        def __enter__(self) -> None:
            raise error

        def __exit__(self, *_: object) -> None:
            """Nothing to give back."""

        close = __exit__

    monkeypatch.setattr(sqlite3, "connect", lambda *_, **__: Connection())
    with pytest.raises(BadInput, match=rf"\(in the way\); .*{advice}.*, run again") as told:
        store.put("key", "step", "subject", {"a": 1})
    assert "delete" not in str(told.value)


def test_a_netlist_damaged_inside_counts_as_none(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put_netlist("k", bytes(range(256)) * 1000)
    (file,) = (tmp_path / "netlists").glob("k*")
    content = bytearray(file.read_bytes())
    content[20:60] = b"\xff" * 40
    file.write_bytes(content)
    assert store.netlist("k") is None


def test_a_killed_writer_loses_only_what_it_had_not_finished(tmp_path: Path) -> None:
    writer = _python(
        """
        import sys
        from pathlib import Path
        from redcore.synthesize.store import Store

        store, number = Store(Path(sys.argv[1])), 0
        while True:
            store.put_netlist(str(number), bytes(1000 + number))
            store.put(str(number), "map", "a design", {"number": number})
            print(number, flush=True)
            number += 1
        """,
        str(tmp_path),
    )
    assert writer.stdout is not None
    last = -1
    while last < 20:
        last = int(writer.stdout.readline())
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    last = max([last, *map(int, writer.stdout.read().split())])
    store = Store(tmp_path)
    for number in range(last + 1):
        assert store.get(str(number)) == {"number": number}
        assert store.netlist(str(number)) == bytes(1000 + number)
    with sqlite3.connect(tmp_path / "results.sqlite") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_processes_write_at_once(tmp_path: Path) -> None:
    code = """
        import sys
        from pathlib import Path
        from redcore.synthesize.store import Store

        for number in range(100):
            Store(Path(sys.argv[1])).put(sys.argv[2] + str(number), "map", "", {"number": number})
        """
    writers = [_python(code, str(tmp_path), name) for name in "abcd"]
    assert [writer.wait() for writer in writers] == [0] * 4
    store = Store(tmp_path)
    for name in "abcd":
        assert [store.get(f"{name}{number}") for number in range(100)] == [
            {"number": number} for number in range(100)
        ]


def test_a_lock_is_held_alone_and_freed_by_a_kill(tmp_path: Path) -> None:
    holder = _python(
        """
        import sys, time
        from pathlib import Path
        from redcore.synthesize.store import Store

        with Store(Path(sys.argv[1])).lock("k"):
            print("held", flush=True)
            time.sleep(600)
        """,
        str(tmp_path),
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    waiter = _python(
        """
        import sys
        from pathlib import Path
        from redcore.synthesize.store import Store

        print("waiting", flush=True)
        with Store(Path(sys.argv[1])).lock("k"):
            print("held", flush=True)
        """,
        str(tmp_path),
    )
    assert waiter.stdout is not None
    assert waiter.stdout.readline() == "waiting\n"
    with pytest.raises(subprocess.TimeoutExpired):
        waiter.wait(0.5)
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    assert waiter.wait(30) == 0
    assert waiter.stdout.read() == "held\n"
