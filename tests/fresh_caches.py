# SPDX-License-Identifier: Apache-2.0
"""Caches of a test's own, which need not compile Verilator's runtime once more."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from redcore.simulate import compile as build


def with_runtime(cache: Path) -> Path:
    """Make the folder ``cache``, with the runtime that every simulation links, and nothing else.

    To compile it takes some 6 s of a processor. A copy, not a link: what a test does to it does
    not reach the cache that it comes from.
    """
    runtime = build._runtime(trace=False)
    inside = cache / "simulate"
    inside.mkdir(parents=True)
    shutil.copy2(runtime, inside)
    return cache


def fresh_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a folder as the cache of this process and its children."""
    monkeypatch.setenv("REDCORE_CACHE", str(with_runtime(cache)))
