# SPDX-License-Identifier: Apache-2.0
"""How near `redcore tune` comes to exhaustive search, and with how many syntheses.

Three spaces small enough to measure whole, on ecp5-85k, each placed with one seed: csa at 64 bits,
cios at 128, scalable at 256. Then the tuner, which starts knowing none of it, is given a tenth of
the syntheses; its answer is compared for each objective and some constraints. Writes
benchmarks/tune_exhaustive.json and .md; runs are in the result store, so it can be interrupted.
Exit status 1 when an aim is missed.

    python benchmarks/tune_exhaustive.py [csa] [cios] [scalable]
"""

from __future__ import annotations

import json
import math
import sys
import threading
from collections.abc import Sequence
from statistics import median
from typing import Any

from figures import FOLDER, table, tell, versions, write

from redcore.design import Design
from redcore.explore import (
    Constraints,
    Event,
    Figures,
    Finished,
    Objective,
    Point,
    RunsDone,
    Synthesis,
    ToolRun,
    TuneRequest,
    best_of,
    explore,
    space,
    tune,
)
from redcore.synthesize import target

TARGET = "ecp5-85k"
SEED = 1
AIM = 0.03
"""How much worse than the best of all the tuner's answer may be."""
SHARE = 10
"""The tuner may run one of so many syntheses."""
SPACES: dict[str, tuple[int, dict[str, list[int | str]]]] = {
    "csa": (
        64,
        {
            "stages": list(range(1, 9)),
            "replicas": list(range(1, 9)),
            "add_stages": [4],
            "final_sub": [1],
        },
    ),
    "cios": (
        128,
        {
            "word": [17, 18, 34],
            "sigma": [1, 2, 3, 4, 6],
            "latency_reduction": [0, 1],
            "version": ["fast"],
            "storage": ["lutram"],
        },
    ),
    "scalable": (
        256,
        {
            "radix": [2, 4, 8],
            "word": [8, 16],
            "stages": [2, 4, 8, 12, 16],
            "retimed": [1],
        },
    ),
}
"""Width and values of each parameter; what is not named is as by default."""

OBJECTIVES = ("throughput", "latency", "throughput-per-area", "throughput=1,area=0.5", "area")
"""Asked without constraints; throughput also within the median area, and above nine tenths
of the median clock."""
COLUMNS = {
    "space": "space",
    "size": "designs",
    "objective": "objective",
    "constraint": "constraint",
    "best": "best of all",
    "found": "tuner's",
    "shortfall_percent": "worse by, %",
    "syntheses": "syntheses",
    "allowed": "a tenth",
    "confirmed": "confirmed",
    "model": "model knows it",
    "met": "within 3 %",
}


class Fresh:
    """A bench that knows nothing at first; what it is asked to measure it looks up in the store."""

    def __init__(self, bench: Synthesis) -> None:
        self.bench = bench
        self.measured: dict[ToolRun, Figures] = {}

    def known(self, job: ToolRun) -> Figures | None:
        """What this search has measured."""
        return self.measured.get(job)

    def measure(self, job: ToolRun, stop: threading.Event) -> Figures:
        """The same run as a synthesis would be, which it is where the store does not have it."""
        self.measured[job] = self.bench.measure(job, stop)
        return self.measured[job]

    def export(self, job: ToolRun) -> Any:
        """Not used: everything runs here."""
        raise NotImplementedError

    def accept(self, job: ToolRun, exported: Any) -> None:
        """Not used: everything runs here."""
        raise NotImplementedError


def designs(name: str) -> list[Design]:
    """The whole space of a family."""
    width, values = SPACES[name]
    return space("mul", width, [name], values)


def progress(event: Event) -> None:
    """A line for each design."""
    if isinstance(event, Finished) and event.point.measured:
        tell(f"wrote {event.point.design.label()} {event.point.measured}")
    elif isinstance(event, RunsDone):
        tell(f"wrote {event.done} of {event.total}, {event.seconds_left} s left")


def questions(points: Sequence[Point]) -> list[tuple[str, Constraints, str]]:
    """Objective, constraints and their name; limits are near the medians of what was measured."""
    found = [point.measured for point in points if point.good and point.measured]
    area = round(median(each.lut_in_all for each in found))
    # clocks that differ by the scatter of placement alone are nobody's question
    clock = round(0.9 * median(each.fmax_mhz or 0.0 for each in found))
    return [
        *((objective, Constraints(), "-") for objective in OBJECTIVES),
        ("throughput", Constraints(max_lut=area), f"--max-lut {area}"),
        ("throughput", Constraints(min_freq_mhz=clock), f"--min-freq {clock}"),
    ]


def compare(name: str, points: Sequence[Point]) -> list[dict[str, Any]]:
    """The tuner beside the best of all, for each question."""
    rows = []
    everything = designs(name)
    device = target(TARGET)
    for text, constraints, shown in questions(points):
        objective = Objective.parse(text)
        best = best_of(points, objective, constraints)
        assert best is not None and best.measured is not None
        request = TuneRequest(
            SPACES[name][0],
            device,
            objective=objective,
            constraints=constraints,
            designs=everything,
            max_syntheses=len(everything) // SHARE,
            seed=SEED,
            jobs=1,
        )
        result = tune(request, bench=Fresh(Synthesis()))
        found = result.chosen and result.chosen.measured
        short = 1.0
        if found:
            ideal, score = (objective.score(each, device) for each in (best.measured, found))
            assert ideal is not None and score is not None
            short = 1 - math.exp(score - ideal)
        rows.append(
            {
                "space": f"{name}, {SPACES[name][0]} bits",
                "size": len(everything),
                "objective": text,
                "constraint": shown,
                "best": best.design.label(),
                "found": result.chosen.design.label() if result.chosen else "none",
                "best_figures": best.measured.to_json(),
                "found_figures": found.to_json() if found else None,
                "shortfall_percent": round(100 * short, 2),
                "syntheses": result.syntheses_run,
                "allowed": len(everything) // SHARE,
                "confirmed": result.confirmed,
                "model": "no model" not in result.basis[name],
                "met": short <= AIM and result.syntheses_run <= len(everything) / SHARE,
                "explanations": list(result.explanations),
            }
        )
    return rows


def main(arguments: list[str]) -> int:
    """Sweep, then compare; returns the exit status."""
    names = [each for each in arguments if each in SPACES] or list(SPACES)
    path = FOLDER / "tune_exhaustive.json"
    known: dict[str, Any] = json.loads(path.read_text())["spaces"] if path.is_file() else {}
    for name in names:
        swept = explore(designs(name), target(TARGET), progress, jobs=1, seeds=(SEED,))
        failed = [point.design.label() for point in swept.points if not point.good]
        rows = compare(name, swept.points)
        known[name] = {"failed": failed, "rows": rows}
        every = [row for each in SPACES if each in known for row in known[each]["rows"]]
        figures = {
            "command": "python benchmarks/tune_exhaustive.py",
            "tool_versions": versions("yosys", "nextpnr-ecp5"),
            "target": TARGET,
            "seed": SEED,
            "aim": AIM,
            "grids": {each: SPACES[each][1] for each in known},
            "spaces": known,
        }
        write("tune_exhaustive", figures, table(every, COLUMNS))
    return 0 if all(row["met"] for each in known.values() for row in each["rows"]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
