# SPDX-License-Identifier: Apache-2.0
"""What measuring programs share: what a row says of itself, tables, progress on stderr, records."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from redcore import rtl, toolchain
from redcore.design import Design

FOLDER = Path(__file__).parent
_LICENCE = "<!-- SPDX-License-Identifier: Apache-2.0 -->"
ORIGIN = ("command", "rtl_sha256", "tool_versions", "date")
"""What a row says of where it comes from, which stays when anything else is computed anew."""


def versions(*tools: str) -> dict[str, str]:
    """The versions of those tools that decide a figure."""
    found = toolchain.tool_versions()
    return {tool: found[tool] for tool in tools}


def synthesized(design: Design, device: str) -> dict[str, Any]:
    """The origin of a row that is a synthesis of today."""
    return {
        "command": f"redcore synth {design.command_line()} --target {device} --seed 1",
        "rtl_sha256": rtl.digest(design.sources()),
        "tool_versions": versions("yosys", "nextpnr-ecp5"),
        "date": date.today().isoformat(),
    }


def tell(step: str) -> None:
    """Progress: a line for each run of a tool."""
    if "reading" in step or step.startswith("wrote"):
        print(step, file=sys.stderr, flush=True)


def table(rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str]) -> str:
    """A Markdown table of ``rows``; ``columns`` are the keys to show and their titles."""
    lines = [list(columns.values()), ["---"] * len(columns)]
    lines += [[_cell(row.get(key)) for key in columns] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.2f}" if value < 10 else f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def write(name: str, figures: Mapping[str, Any], markdown: str) -> None:
    """Write ``benchmarks/NAME.json`` and ``NAME.md``."""
    text = json.dumps(figures, indent=2)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    (FOLDER / f"{name}.md").write_text(f"{_LICENCE}\n{markdown}", encoding="utf-8")
