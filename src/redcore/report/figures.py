# SPDX-License-Identifier: Apache-2.0
"""Measured tables in the documents: ``python -m redcore.report.figures`` rewrites them.

A table stands between ``<!-- figures: NAME -->`` and ``<!-- end of figures -->`` and is the content
of ``benchmarks/NAME.md``, which the script of the same name writes.
"""

from __future__ import annotations

import re
from pathlib import Path

from redcore.report import generated

_SECTION = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)


def contents() -> dict[Path, str]:
    """Every page of the documents with its tables as the benchmarks last wrote them."""
    root = generated.repository()

    def measured(match: re.Match[str]) -> str:
        table = (root / "benchmarks" / f"{match[2]}.md").read_text(encoding="utf-8")
        # the page has its own licence line
        _, _, measurements = table.partition("\n")
        return f"{match[1]}{measurements.rstrip()}\n{match[3]}"

    return {
        path: _SECTION.sub(measured, path.read_text(encoding="utf-8"))
        for path in sorted((root / "docs").rglob("*.md"))
    }


if __name__ == "__main__":
    generated.write(contents())
