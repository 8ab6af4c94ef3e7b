# SPDX-License-Identifier: Apache-2.0
"""The cache stays within its limit: least recently used first, nothing that is in use."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from redcore import cache, cli, toolchain
from redcore.catalogue import family
from redcore.errors import BadInput
from redcore.synthesize.store import Store
from redcore.verify import campaigns, proofs
from redcore.verify.proofs import Effort, PropertyResult
from redcore.verify.properties import PROPERTIES

KIB = 1024


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of ten KiB."""
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("REDCORE_CACHE_LIMIT", "10K")
    (tmp_path / "cache" / "simulate").mkdir(parents=True)
    return tmp_path / "cache"


def put(folder: Path, name: str, age: float, size: int = 3 * KIB) -> Path:
    """A file of that size, used so many seconds ago."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(size))
    used = time.time() - age
    os.utime(path, (used, used))
    return path


def test_the_least_recently_used_goes_first_of_all_parts(folder: Path) -> None:
    old = put(folder, "synthesis/netlists/a.json.gz", 5000)
    older = put(folder, "proofs/b.json", 6000)
    oldest = put(folder, "composed/c/top.sv", 9000)
    young = put(folder, "simulate/d-0.so", 100)
    cache.trim()
    assert [path.exists() for path in (oldest, older, old, young)] == [False, True, True, True]
    put(folder, "campaigns/csa.jsonl", 4000)
    put(folder, "simulate/runtime-e-0.o", 3000)
    cache.trim()
    assert [path.exists() for path in (older, old, young)] == [False, False, True]
    assert cache.size() <= 10 * KIB


@pytest.mark.parametrize(
    "name",
    [
        "synthesis/netlists/.x.part",
        "composed/c/y.part",
        "proofs/z.part",
        "synthesis/results.damaged",
        "synthesis/locks/k",
    ],
)
def test_what_killed_writers_left_goes_before_what_is_used(name: str, folder: Path) -> None:
    """It counts, so it has to go: a cache full of it would keep nothing else."""
    left = put(folder, name, 30 * 24 * 3600, 8 * KIB)
    good = put(folder, "simulate/d-0.so", 100)
    cache.trim()
    assert good.exists() and not left.exists()


@pytest.mark.parametrize("name", ["composed/c/top.sv", "proofs/b.json", "campaigns/csa.jsonl"])
def test_what_is_handed_on_by_its_name_stays_for_a_while(name: str, folder: Path) -> None:
    young = put(folder, name, 100, 20 * KIB)
    cache.trim()
    assert young.exists()
    old = put(folder, name, 1000, 20 * KIB)
    cache.trim()
    assert not old.exists()


def test_what_was_found_is_young(folder: Path) -> None:
    made = cache.keep(put(folder, "simulate/build", 0), folder / "simulate", "key", ".so")
    os.utime(made, (1000, 1000))
    assert cache.find(folder / "simulate", "key", ".so") == made
    assert made.stat().st_mtime > time.time() - 60
    os.close(cache._held.pop(made))


def test_what_was_just_added_stays_whatever_the_limit(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDCORE_CACHE_LIMIT", "0")
    store = Store(folder / "synthesis")
    for key in "ab":
        store.put_netlist(key, b"{}" * 1000)
    assert store.netlist("a") is None and store.netlist("b") == b"{}" * 1000


def test_models_and_the_table_of_results_stay(folder: Path) -> None:
    model = put(folder, "models/csa--ecp5.json", 90000, 30 * KIB)
    store = Store(folder / "synthesis")
    store.put("k", "map", "a subject", {"lut": 1})
    netlist = put(folder, "synthesis/netlists/a.json.gz", 100)
    cache.trim()
    assert model.exists() and not netlist.exists()
    assert store.get("k") == {"lut": 1}


def test_what_was_just_made_or_handed_out_stays(folder: Path) -> None:
    builds = []
    for number in range(5):
        made = put(folder, f"simulate/build-{number}", 0, 4 * KIB)
        made.write_bytes(bytes([number]) * 4 * KIB)
        builds.append(cache.keep(made, folder / "simulate", f"key{number}", ".so"))
    # All are held by this process. Another one is told so by the operating system.
    assert all(path.exists() for path in builds)
    trims = "from redcore import cache; cache.trim(); print(cache.size())"
    subprocess.run([sys.executable, "-c", trims], check=True)
    assert all(path.exists() for path in builds)
    for path in builds:
        os.close(cache._held.pop(path))
    assert cache.find(folder / "simulate", "key0", ".so") == builds[0]  # used, and held again
    subprocess.run([sys.executable, "-c", trims], check=True)
    assert [path.exists() for path in builds] == [True, False, False, False, True]
    os.close(cache._held.pop(builds[0]))


def test_a_netlist_outside_the_cache_removes_nothing(folder: Path, tmp_path: Path) -> None:
    old = put(folder, "simulate/d-0.so", 100, 20 * KIB)
    Store(tmp_path / "elsewhere").put_netlist("k", b"{}" * 1000)
    assert old.exists()
    Store(folder / "synthesis").put_netlist("k", b"{}" * 1000)
    assert not old.exists()
    assert Store(folder / "synthesis").netlist("k") == b"{}" * 1000


def test_a_use_makes_young(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDCORE_CACHE_LIMIT", "1M")
    store = Store(folder / "synthesis")
    for key in "ab":
        store.put_netlist(key, b"{}" * 1000)
        file = folder / "synthesis" / "netlists" / f"{key}.json.gz"
        os.utime(file, (1000, 1000 + ord(key)))
    assert store.netlist("a") is not None
    monkeypatch.setenv("REDCORE_CACHE_LIMIT", str(cache.size() - 1))
    cache.trim()
    assert store.netlist("a") is not None and store.netlist("b") is None


class Proved:
    """Stands for a question that is answered at once, and for the netlists it is asked of."""

    def __init__(self, *_: object) -> None:
        self.scratch = self.netlist = self.content = lambda *_: "content"

    def answer(self, effort: Effort, started: float) -> PropertyResult:
        """Proved."""
        return PropertyResult("csa", "answers", "proved", "", None, 5, "", "", 0.0)


def keep_proof(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a proof that was just made."""
    monkeypatch.setattr(proofs, "_Question", Proved)
    netlists: Any = Proved()
    proofs._task(family("csa").design(8), PROPERTIES[0], netlists, Effort(), True, Event())
    return toolchain.cache_folder() / "proofs" / "content.json"


def keep_campaign(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a campaign that has just gone on."""
    entry = campaigns.CampaignEntry("csa", 1, [])
    monkeypatch.setattr(campaigns, "_run", lambda *_: entry)
    monkeypatch.setattr(campaigns, "_key", lambda *_: "key")
    campaigns.campaign(family("csa"), 1, jobs=1)
    return toolchain.cache_folder() / "proofs" / "key.json"


def keep_top(_: pytest.MonkeyPatch) -> Path:
    """A top module that was just composed."""
    return family("exp-csa").design(16).sources()[-1]


@pytest.mark.parametrize("keep", [keep_proof, keep_campaign, keep_top])
def test_whatever_is_added_makes_room(
    keep: Callable[[pytest.MonkeyPatch], Path], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = put(folder, "simulate/d-0.so", 100, 20 * KIB)
    made = keep(monkeypatch)
    assert made.is_relative_to(folder) and made.exists() and not old.exists()


def test_a_build_that_another_process_removes_meanwhile_is_passed_over(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder, "simulate/build-x/model.cpp", 0)
    put(folder, "simulate/d-0.so", 0, 4 * KIB)
    look = os.scandir

    def removed_first(path: int | str | Path = ".") -> Any:
        if not isinstance(path, int) and Path(path).name == "build-x":
            shutil.rmtree(path)
        return look(path)

    monkeypatch.setattr(os, "scandir", removed_first)
    assert cache.size() == 4 * KIB
    cache.trim()
    assert not (folder / "simulate" / "build-x").exists()


@pytest.mark.parametrize(
    ("text", "size"),
    [("", 5 << 30), ("0", 0), ("7", 7), ("1.5K", 1536), ("500 MB", 500 << 20), ("2tib", 2 << 40)],
)
def test_limits(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDCORE_CACHE_LIMIT", text)
    assert toolchain.cache_limit() == size


@pytest.mark.parametrize("text", ["many", "-1", "5X", "1e9", "5GG", "²", "nan"])
def test_a_bad_limit_is_one_sentence(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDCORE_CACHE_LIMIT", text)
    with pytest.raises(BadInput, match=r"REDCORE_CACHE_LIMIT=.* is no size; write one as"):
        toolchain.cache_folder()
    assert cli.run(["doctor"]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and "REDCORE_CACHE_LIMIT" in told.err


def test_doctor_tells_size_and_limit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(folder, "simulate/d-0.so", 100, 4 * KIB)
    cli.run(["doctor", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["cache_bytes"], told["cache_limit_bytes"]) == (4 * KIB, 10 * KIB)
    assert told["cache"] == str(folder)
    cli.run(["doctor"])
    assert "4 KB of at most 10 KB" in capsys.readouterr().out


def test_the_cache_is_counted_before_much_is_added(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To count takes longer than to add: a process does it before it takes a sixteenth of the room,
    and after half a minute."""
    monkeypatch.setenv("REDCORE_CACHE_LIMIT", "64K")
    counts: list[int] = []
    whole = cache.size
    monkeypatch.setattr(cache, "size", lambda: counts.append(0) or whole())
    for number in range(4):
        cache.trim(put(folder, f"proofs/{number}.json", 5000, KIB))
    assert len(counts) == 1
    cache.trim(put(folder, "proofs/4.json", 5000, KIB))
    assert len(counts) == 2
    # What another process has added is found by the next count.
    put(folder, "proofs/much.json", 9000, 70 * KIB)
    cache.trim(put(folder, "proofs/5.json", 5000, KIB))
    assert len(counts) == 2
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 31)
    cache.trim(put(folder, "proofs/6.json", 5000, KIB))
    assert len(counts) == 3 and not (folder / "proofs" / "much.json").exists()
    assert (folder / "proofs" / "0.json").exists()
