# SPDX-License-Identifier: Apache-2.0
"""A bench that measures by formula, slowly if need be, and writes down what it was asked to do."""

from __future__ import annotations

import json
import math
import os
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event

from redcore.errors import Stopped
from redcore.explore import Figures, ToolRun


def formula(job: ToolRun) -> Figures:
    """Something like the truth: rows take LUTs, rows in series take time, placement scatters."""
    design, values = job.design, job.design.values
    scatter = random.Random(f"{design.label()} {job.seed}")
    rows = int(values.get("stages", 1)) * int(values.get("replicas", 1))
    lut = round(design.width * (3 + 2 * rows) * scatter.uniform(0.99, 1.01))
    resources = Figures(lut=lut, lut_in_all=lut, ff=round(1.2 * lut))
    deep = int(values.get("replicas", 1)) - 1
    clock = 300 / (1 + 0.25 * deep) * math.exp(scatter.gauss(0.0, 0.02))
    if not job.place:
        return resources
    return Figures.at_clock(design, resources, round(clock, 2), "placed")


@dataclass(frozen=True)
class StandIn:
    """Remembers in ``folder``; writes every run it begins and ends to ``log``.

    Both outlive the process, and processes share them. ``slow``: seconds a run takes.
    """

    folder: Path
    slow: float = 0.0
    truth: Callable[[ToolRun], Figures] = formula

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def known(self, job: ToolRun) -> Figures | None:
        file = self._file(job)
        return Figures(**json.loads(file.read_text())) if file.is_file() else None

    def measure(self, job: ToolRun, stop: Event) -> Figures:
        self.write("begin", job)
        until = time.monotonic() + self.slow
        while (left := until - time.monotonic()) > 0:
            if stop.wait(min(left, 0.05)):
                raise Stopped("stopped")
        found = self.truth(job)
        self.write("end", job)
        return found

    def export(self, job: ToolRun) -> object:
        return asdict(self.truth(job))

    def accept(self, job: ToolRun, exported: object) -> None:
        assert isinstance(exported, dict)
        self.remember(job, Figures(**exported))

    def remember(self, job: ToolRun, figures: Figures) -> None:
        """As the result store does: whole or not at all."""
        part = self._file(job).with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(asdict(figures)))
        part.replace(self._file(job))

    def write(self, what: str, job: ToolRun) -> None:
        with self.log.open("a") as file:
            file.write(f"{what} {os.getpid()} {job.subject}\n")

    def runs(self, what: str) -> list[str]:
        """The subjects of the runs that began or ended, in order."""
        return [subject for done, _, subject in self.lines() if done == what]

    def busy(self, pid: int) -> bool:
        """Whether a process (with one thread) is in the middle of a run."""
        theirs = [what for what, by, _ in self.lines() if by == pid]
        return bool(theirs) and theirs[-1] == "begin"

    def lines(self) -> list[tuple[str, int, str]]:
        """What was written: begin or end, the process, the run."""
        lines = self.log.read_text().splitlines() if self.log.is_file() else []
        parts = [line.split(" ", 2) for line in lines]
        return [(what, int(pid), subject) for what, pid, subject in parts]

    def _file(self, job: ToolRun) -> Path:
        return self.folder / f"{job.design.label()}-{job.seed}-{job.place}.json"


@dataclass(frozen=True)
class Keeping(StandIn):
    """One that remembers by itself what it has measured, as the result store does."""

    def measure(self, job: ToolRun, stop: Event) -> Figures:
        found = StandIn.measure(self, job, stop)
        self.remember(job, found)
        return found
