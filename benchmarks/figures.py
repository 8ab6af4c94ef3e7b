# SPDX-License-Identifier: Apache-2.0
"""What the benchmark scripts share: progress on stderr, figures as JSON and as a Markdown table."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redcore import toolchain
from redcore.synthesize import SynthesisResult

FOLDER = Path(__file__).parent


def versions(*tools: str) -> dict[str, str]:
    """The versions of those tools that decide a figure."""
    found = toolchain.tool_versions()
    return {tool: found[tool] for tool in tools}


def tell(step: str) -> None:
    """Progress: a line for each run of a tool."""
    if "reading" in step or step.startswith("wrote"):
        print(step, file=sys.stderr)


def table(rows: Sequence[dict[str, Any]], columns: dict[str, str]) -> str:
    """A Markdown table of ``rows``; ``columns`` are the keys to show and their titles."""
    lines = [list(columns.values()), ["---"] * len(columns)]
    lines += [[_cell(row[key]) for key in columns] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.2f}" if value < 10 else f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


_LICENCE = "<!-- SPDX-License-Identifier: Apache-2.0 -->"


def measured(result: SynthesisResult) -> dict[str, Any]:
    """The part of a result that figures quote."""
    return {
        "target": result.target,
        "lut": result.lut,
        "lutram": result.lutram,
        "ff": result.ff,
        "carry": result.carry,
        "dsp": result.dsp,
        "bram": result.bram,
        "commands": list(result.commands),
    }


def write(name: str, figures: dict[str, Any], markdown: str) -> None:
    """Write ``benchmarks/NAME.json`` and ``NAME.md``."""
    text = json.dumps(figures, indent=2)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    (FOLDER / f"{name}.md").write_text(f"{_LICENCE}\n{markdown}", encoding="utf-8")
    tell(f"wrote benchmarks/{name}.json and benchmarks/{name}.md")
