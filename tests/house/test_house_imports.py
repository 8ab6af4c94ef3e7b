# SPDX-License-Identifier: Apache-2.0
"""Modules import downwards only, as the contracts in ``pyproject.toml`` have it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _linted(source: Path) -> subprocess.CompletedProcess[str]:
    """``lint-imports`` on the package in the folder ``source``."""
    return subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_import_contracts_are_kept() -> None:
    done = _linted(ROOT / "src")
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


def test_an_import_of_something_above_is_found(tmp_path: Path) -> None:
    source = tmp_path / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    below = source / "redcore" / "synthesize" / "store.py"
    below.write_text(below.read_text() + "\nimport redcore.explore\n")
    done = _linted(source)
    assert done.returncode == 1
    assert "redcore.synthesize.store -> redcore.explore" in done.stdout
