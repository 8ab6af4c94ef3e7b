# SPDX-License-Identifier: Apache-2.0
"""Parts of a coverage run: test files, each run by itself, and what is known of its last run."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from redcore import toolchain

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "coverage"


def test_files(chosen: Sequence[str] = ()) -> list[Path]:
    """The test files, or those of them that are asked for by path."""
    every = sorted((ROOT / "tests").rglob("test_*.py"), key=lambda path: (len(path.parts), path))
    asked = [Path(each).resolve() for each in chosen]
    return [path for path in every if not asked or path in asked]


def digest(path: Path) -> str:
    """Of the content of a file; empty where there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""


def digests(paths: Iterable[Path]) -> dict[str, str]:
    """By path in the repository."""
    return {str(path.relative_to(ROOT)): digest(path) for path in paths}


def is_kept(told: Path, options: Sequence[str]) -> bool:
    """Whether the part of that description need not be run again."""
    if not told.is_file():
        return False
    part = json.loads(told.read_text(encoding="utf-8"))
    return part["options"] == [*options] and all(
        digest(ROOT / name) == then for name, then in part["files"].items()
    )


@contextmanager
def alone(folder: Path) -> Iterator[bool]:
    """The folder of a part, emptied; False where another run is at that part."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        yield True


def run_part(
    test_file: Path, folder: Path, options: Sequence[str], environment: Mapping[str, str]
) -> dict[str, Any]:
    """Run pytest on one file, with a cache in which only simulations' builds are kept.

    A result that is taken from a cache covers nothing of what makes it.
    """
    shared, own = toolchain.cache_folder() / "simulate", folder / "cache"
    shared.mkdir(parents=True, exist_ok=True)
    own.mkdir(parents=True)
    (own / "simulate").symlink_to(shared)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["pytest", "-q", "-p", "no:cacheprovider", *options, str(test_file)]
    ended = subprocess.run(
        [sys.executable, "-m", *command],
        env=os.environ | {"REDCORE_CACHE": str(own), **environment},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    shutil.rmtree(own, ignore_errors=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    (folder / "log.txt").write_text(ended.stdout, encoding="utf-8")
    last = (ended.stdout.strip().splitlines() or [""])[-1]
    name = test_file.relative_to(ROOT)
    print(f"{name}: {last} ({seconds:.0f} s of processor time)", file=sys.stderr, flush=True)
    # 5: no test of this tier in the file
    return {
        "test_file": str(name),
        "passed": ended.returncode in (0, 5),
        "last": last,
        "cpu_seconds": round(seconds),
        "date": date.today().isoformat(),
        "options": [*options],
    }


def keep(told: Path, part: Mapping[str, Any]) -> None:
    """Write the description of a part, whole or not at all."""
    fresh = told.with_suffix(".part")
    fresh.write_text(json.dumps(part, indent=1), encoding="utf-8")
    fresh.replace(told)
