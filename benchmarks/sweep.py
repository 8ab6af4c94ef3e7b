# SPDX-License-Identifier: Apache-2.0
"""Small sweeps for the plots: csa over stages and replicas, and every family beside it.

On ecp5-85k, 64 bits, placed and routed with one seed: csa as in Le Masle 2009, figures 5.1, 5.2,
5.18 and 5.22, and each other multiplier with its default parameters. On Virtex-5, area alone: csa
with the source's 512 bits, for the lines of its figures 5.19 to 5.21. Writes benchmarks/sweep.json
and .md after each design; one that has not been run is in the record as "not run", one that a tool
failed at with what the tool said.

    python benchmarks/sweep.py [SECONDS]

SECONDS: begin no synthesis after that many; results are kept, another run goes on, and 0 records
what the result store has.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from figures import measured, table, tell, write

from redcore.errors import CheckFailed
from redcore.families import Design, family, registered
from redcore.synthesize import SynthesisResult, stored, synthesize, target

SEED = 1
ECP5, VIRTEX5 = "ecp5-85k", "xc5v"
PLACED_WIDTH, MAPPED_WIDTH = 64, 512
SWEPT = "csa"
GRID = [(stages, replicas) for stages in (1, 2, 3, 4) for replicas in (1, 2, 3, 4, 6)]
LINES = [(1, 1), (2, 1), (3, 1), (4, 1), (1, 3), (2, 3), (3, 3), (4, 2), (4, 3), (1, 4)]
"""Four stages, three replicas, and one replica; csa_published.json has (3, 4) and (4, 4)."""
COLUMNS = {
    "family": "family",
    "width": "bits",
    "target": "target",
    "stages": "stages",
    "replicas": "replicas",
    "lut": "LUTs",
    "lut_in_all": "with carry cells",
    "ff": "registers",
    "dsp": "DSP",
    "fmax_mhz": "MHz, seed 1",
    "latency_cycles": "latency",
    "interval_cycles": "interval",
    "ops_per_second": "multiplications per second",
    "state": "state",
}
_FIGURES = ("lut", "lut_in_all", "ff", "dsp", "fmax_mhz", "ops_per_second")


def sweep() -> list[tuple[Design, str]]:
    """Every design with its target, those of csa by size."""
    csa = family(SWEPT)

    def designs(width: int, points: list[tuple[int, int]]) -> list[Design]:
        return [
            csa.design(width, {"stages": stages, "replicas": replicas, "final_sub": 1})
            for stages, replicas in sorted(points, key=lambda each: each[0] * each[1])
        ]

    others = [
        each.design(PLACED_WIDTH)
        for each in registered().values()
        if each.kind == "mul" and each is not csa
    ]
    return [
        *((design, ECP5) for design in (*others, *designs(PLACED_WIDTH, GRID))),
        *((design, VIRTEX5) for design in designs(MAPPED_WIDTH, LINES)),
    ]


def row(design: Design, name: str, result: SynthesisResult | str | None) -> dict[str, Any]:
    """A line of the record; ``result`` is None before its run, a sentence where a tool refused."""
    geometry = design.geometry
    entry: dict[str, Any] = {
        "design": design.command_line(),
        "family": design.family.name,
        "width": design.width,
        "stages": design.values.get("stages", "-") if design.family.name == SWEPT else "-",
        "replicas": design.values.get("replicas", "-"),
        "target": name,
        "latency_cycles": geometry.latency_cycles,
        "interval_cycles": float(geometry.interval_cycles),
        **dict.fromkeys(_FIGURES, "-"),
    }
    if result is None:
        return entry | {"state": "not run"}
    if isinstance(result, str):
        return entry | {"state": f"failed: {result}"}
    entry |= measured(result) | {"lut_in_all": result.lut_in_all}
    if result.failure:
        return entry | {"state": f"failed: {result.failure}"}
    if result.fmax_mhz:
        entry |= {"fmax_mhz": result.fmax_mhz, "ops_per_second": round(result.ops_per_second or 0)}
    return entry | {"state": "placed" if result.fmax_mhz else "mapped"}


def main() -> None:
    """Measure design by design; the record is whole after each."""
    ends = time.monotonic() + float(sys.argv[1]) if len(sys.argv) > 1 else float("inf")
    wanted = sweep()
    results: list[SynthesisResult | str | None] = [
        stored(design, target(name), True, SEED) for design, name in wanted
    ]
    record(wanted, results)
    for place, (design, name) in enumerate(wanted):
        if results[place] is not None:
            continue
        if time.monotonic() >= ends:
            break
        tell(f"reading {design.command_line()} for {name}")
        try:
            results[place] = synthesize(design, target(name), seed=SEED)
        except CheckFailed as error:
            results[place] = str(error)
        record(wanted, results)


def record(wanted: list[tuple[Design, str]], results: list[SynthesisResult | str | None]) -> None:
    """Write what is known."""
    rows = [row(*each, result) for each, result in zip(wanted, results, strict=True)]
    versions: dict[str, str] = {}
    for result in results:
        versions |= result.tool_versions if isinstance(result, SynthesisResult) else {}
    figures = {
        "command": "python benchmarks/sweep.py",
        "tool_versions": versions,
        "seed": SEED,
        "rows": rows,
    }
    write("sweep", figures, table(rows, COLUMNS))


if __name__ == "__main__":
    main()
