# SPDX-License-Identifier: Apache-2.0
"""interleaved and systolic beside published cores of their kind, on the nearest target there is.

Writes benchmarks/baselines_published.json and .md. The published LUTs are the vendor's after place
and route, ours Yosys's estimate. No figures are at hand for a Barrett multiplier in logic.

    python benchmarks/baselines_published.py
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from figures import measured, table, tell, write

from redcore.families import family
from redcore.synthesize import synthesize, target


@dataclass(frozen=True)
class Published:
    """A core of a publication: LUTs, clock and cycles of one multiplication, on ``device``."""

    family: str
    width: int
    target: str
    source: str
    device: str
    lut: int
    mhz: float
    cycles: int


PUBLISHED = (
    Published(
        "interleaved", 256, "xc6v", "Islam et al. 2020, by Pakzad 2023, table 5.1.1",
        "Virtex-6", 1551, 160.7, 257,
    ),
    # 360 bits, which are two more than the modulus has; 2.5 CLBs of two LUT4 (and a LUT3) a bit;
    # 2 * 360 - 1 cycles.
    Published(
        "systolic", 358, "xcv", "Marnane 1998, by Daly & Marnane 2002, section 5",
        "XC4025", 1800, 50.0, 719,
    ),
)  # fmt: skip


def main() -> None:
    """Synthesize each point and write the table."""
    rows: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    for point in PUBLISHED:
        design = family(point.family).design(point.width)
        result = synthesize(design, target(point.target), progress=tell)
        versions |= result.tool_versions
        rows.append(
            {
                "design": design.command_line(),
                "family": point.family,
                "width": point.width,
                **measured(result),
                "source": point.source,
                "device": point.device,
                "published_lut": point.lut,
                "published_mhz": point.mhz,
                "published_cycles": point.cycles,
                "latency_cycles": design.geometry.latency_cycles,
                "interval_cycles": float(design.geometry.interval_cycles),
            }
        )
    columns = {
        "family": "family",
        "width": "bits",
        "source": "published by",
        "device": "on",
        "published_lut": "LUTs",
        "published_mhz": "MHz",
        "published_cycles": "cycles",
        "target": "ours for",
        "lut": "LUTs here",
        "ff": "registers here",
        "latency_cycles": "latency here",
        "interval_cycles": "interval here",
    }
    figures = {
        "command": "python benchmarks/baselines_published.py",
        "tool_versions": versions,
        "rows": rows,
    }
    write("baselines_published", figures, table(rows, columns))


if __name__ == "__main__":
    main()
