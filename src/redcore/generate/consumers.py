# SPDX-License-Identifier: Apache-2.0
"""The page of consumers and units: ``python -m redcore.generate.consumers`` rewrites its table.

A cell is a test that runs the consumer's own tool on the unit: what tests say of themselves
(``mark.consumer``, ``tests/consumers.py``), so that no cell outlives its test.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from redcore.catalogue import UNITS
from redcore.errors import CheckFailed
from redcore.generate import generated

PAGE = "docs/consumers.md"
_SECTION = re.compile(r"(<!-- consumers -->\n).*?(<!-- end of consumers -->)", re.DOTALL)
_COLUMNS = {"mul": "multipliers"} | {unit: f"`{unit}`" for unit in UNITS}

Cell = tuple[str, str, str, str]
"""Tool, unit (``mul`` for multipliers), test, and its tier, quick or full."""


def cells() -> list[Cell]:
    """What pytest collects of the files that have such marks."""
    root = generated.repository()
    files = [
        path for path in sorted((root / "tests").rglob("test_*.py"))
        if "mark.consumer(" in path.read_text(encoding="utf-8")
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "consumers.json"
        done = subprocess.run(
            [sys.executable, str(root / "tests" / "consumers.py"), str(told), *map(str, files)],
            cwd=root, check=False, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            raise CheckFailed(f"pytest cannot collect the tests: {done.stdout[-2000:]}")
        return [tuple(each) for each in json.loads(told.read_text(encoding="utf-8"))]


def tables(found: Sequence[Cell]) -> str:
    """Consumers by units, and the tests behind the cells."""
    tiers: dict[tuple[str, str], set[str]] = {}
    tests: dict[str, dict[str, None]] = {}
    for tool, unit, test, tier in found:
        tiers.setdefault((tool, unit), set()).add(tier)
        tests.setdefault(tool, {})[test] = None
    rows = [f"| consumer | {' | '.join(_COLUMNS.values())} |", "|---" * (len(_COLUMNS) + 1) + "|"]
    for tool in sorted(tests, key=str.lower):
        told = [tiers.get((tool, unit), set()) for unit in _COLUMNS]
        words = ["quick" if "quick" in each else "full" if each else "" for each in told]
        rows.append(f"| {tool} | {' | '.join(words)} |")
    rows += ["", "| consumer | tests |", "|---|---|"]
    for tool in sorted(tests, key=str.lower):
        names = ", ".join(f"`{test.removeprefix('tests/')}`" for test in tests[tool])
        rows.append(f"| {tool} | {names} |")
    return "\n".join(rows) + "\n"


def contents() -> dict[Path, str]:
    """The page with its tables as the tests are now."""
    path = generated.repository() / PAGE
    text = path.read_text(encoding="utf-8")
    return {path: _SECTION.sub(lambda match: f"{match[1]}{tables(cells())}{match[2]}", text)}


if __name__ == "__main__":
    generated.write(contents())
