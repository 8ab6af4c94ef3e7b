# SPDX-License-Identifier: Apache-2.0
"""The documentation site, built once for all tests of a run that look at it."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = (
    "docs", "benchmarks", "mkdocs.yml", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md",
)  # fmt: skip
"""What the site is made of, beside RTL and Python."""


def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, which was built without a warning; by one worker for all others."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / "site"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            part = shared / "site.part"
            done = subprocess.run(
                [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", part],
                cwd=ROOT, capture_output=True, text=True, check=False,
                env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
            )  # fmt: skip
            assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
            part.rename(folder)
    return folder
