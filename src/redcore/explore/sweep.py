# SPDX-License-Identifier: Apache-2.0
"""Many designs measured at once, on this machine's cores or on a cluster.

Nothing has to be saved: each run's outcome is in the result store as soon as it is there, and a
sweep begins with what the store knows. So one that was killed goes on where it was.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from redcore.design import Design
from redcore.errors import BadInput, CheckFailed, Stopped
from redcore.explore.events import Finished, OnEvent, RunsDone, Started, ignore
from redcore.explore.objective import check_axes, pareto
from redcore.explore.points import Figures, Measurer, Point, Synthesis, ToolRun
from redcore.processes import Interrupted
from redcore.synthesize.targets import Target

_LOOK_SECONDS = 0.2


def cores() -> int:
    """The processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers(Protocol):
    """Where jobs are run."""

    @property
    def count(self) -> int:
        """How many jobs are worth giving at once."""
        ...

    def submit(self, job: ToolRun, stop: threading.Event) -> Future[Figures]:
        """Begin a job; Stopped or cancelled once ``stop`` is set."""
        ...

    def stop(self) -> None:
        """End what is running, also where ``stop`` of ``submit`` is not seen."""
        ...


class Threads:
    """This machine: each thread waits for the tools it has started."""

    def __init__(self, bench: Measurer, count: int) -> None:
        if count < 1:
            raise BadInput(f"--jobs must be at least 1, not {count}")
        self.count = count
        self._bench = bench
        self._pool = ThreadPoolExecutor(count)

    def submit(self, job: ToolRun, stop: threading.Event) -> Future[Figures]:
        """As in Workers."""
        return self._pool.submit(self._bench.measure, job, stop)

    def stop(self) -> None:
        """Nothing to do: ``stop`` of ``submit`` is seen."""

    def close(self) -> None:
        """Wait for what is running."""
        self._pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def workers(
    bench: Measurer, jobs: int | None = None, scheduler: str | None = None
) -> Iterator[Workers]:
    """The cores of this machine, or the Dask cluster at ``scheduler``."""
    if scheduler is None:
        with closing(Threads(bench, cores() if jobs is None else jobs)) as threads:
            yield threads
        return
    from redcore.explore.cluster import Cluster

    with closing(Cluster(bench, scheduler)) as cluster:
        yield cluster


def run_jobs(
    jobs: Sequence[ToolRun],
    bench: Measurer,
    where: Workers,
    begun: Callable[[ToolRun], None],
    ended: Callable[[ToolRun, Figures, float, bool], None],
    told: Callable[[float | None], None],
    stop: threading.Event,
) -> None:
    """Measure ``jobs``; those that the bench knows come first and cost nothing.

    ``ended`` is told figures, seconds and whether a tool was run; ``told`` the seconds left, after
    each. Raises Stopped once ``stop`` is set, when everything that was running has ended.
    """
    todo: deque[ToolRun] = deque()
    for job in dict.fromkeys(jobs):
        if stop.is_set():
            raise Stopped("stopped")
        if (known := bench.known(job)) is None:
            todo.append(job)
        else:
            ended(job, known, 0.0, False)
            told(None)
    running: dict[Future[Figures], tuple[ToolRun, float]] = {}
    spent: list[float] = []
    quit_now = threading.Event()  # ours alone: an interrupt ends the jobs, not the caller's event
    try:
        while todo or running:
            if stop.is_set():
                raise Stopped("stopped")
            while todo and len(running) < where.count:
                job = todo.popleft()
                begun(job)
                running[where.submit(job, quit_now)] = (job, time.monotonic())
            done, _ = wait(running, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                job, start = running.pop(future)
                figures = future.result()
                now = time.monotonic()
                ended(job, figures, now - start, True)
                spent.append(now - start)
                told(_left(spent, [now - begun for _, begun in running.values()], len(todo), where))
    finally:
        if running:
            quit_now.set()
            where.stop()
            wait(running)
            for future, (job, start) in running.items():
                # a job may have finished between the wish to stop and its end, or the cluster fails
                with suppress(Stopped, CancelledError, Interrupted, CheckFailed):
                    ended(job, future.result(), time.monotonic() - start, True)


def _left(spent: list[float], running: list[float], waiting: int, where: Workers) -> float:
    """Seconds left: each run takes as long as those before on average."""
    usual = sum(spent) / len(spent)
    work = waiting * usual + sum(max(0.0, usual - each) for each in running)
    return work / min(where.count, max(1, waiting + len(running)))


@dataclass(frozen=True)
class ExploreResult:
    """What a sweep found: a point for each design whose runs are done, in the designs' order.

    ``syntheses_run`` counts the designs for which a tool was run. ``stopped``: it was ended before
    all were done.
    """

    points: tuple[Point, ...]
    axes: tuple[str, ...]
    syntheses_run: int
    seconds: float
    stopped: bool = False

    @property
    def pareto(self) -> list[Point]:
        """The points that no other one beats on every axis."""
        return pareto(self.points, self.axes)

    def to_json(self) -> dict[str, Any]:
        """As ``redcore explore --json`` prints it."""
        return {
            "candidates": [point.to_json() for point in self.points],
            "pareto": [point.to_json() for point in self.pareto],
            "axes": list(self.axes),
            "syntheses_run": self.syntheses_run,
            "seconds": round(self.seconds, 1),
            "stopped": self.stopped,
        }


class Tally:
    """Collects runs into points: a design is done when all its seeds are."""

    def __init__(self, target: Target, seeds: Sequence[int], on_event: OnEvent) -> None:
        if not seeds:
            raise BadInput("name at least one seed")
        self.points: dict[Design, Point] = {}
        self.ran: set[Design] = set()
        self._target, self._seeds, self._tell = target, tuple(dict.fromkeys(seeds)), on_event
        self._runs: dict[Design, dict[int, Figures]] = {}
        self._seconds: dict[Design, float] = {}
        self._begun: set[Design] = set()
        self._start = time.monotonic()

    def jobs(self, designs: Sequence[Design], place: bool = True) -> list[ToolRun]:
        """The runs of ``designs``, design by design; without place and route there is one seed."""
        seeds = self._seeds if place and self._target.places else self._seeds[:1]
        return [ToolRun(design, self._target, seed, place) for design in designs for seed in seeds]

    def begin(self, job: ToolRun) -> None:
        """A tool works on it now."""
        if job.design not in self._begun:
            self._begun.add(job.design)
            self._tell(Started(job.design))

    def end(self, job: ToolRun, figures: Figures, seconds: float, ran: bool) -> None:
        """A run is done."""
        design = job.design
        runs = self._runs.setdefault(design, {})
        runs[job.seed] = figures
        self._seconds[design] = self._seconds.get(design, 0.0) + seconds
        if ran:
            self.ran.add(design)
        seeds = len(self._seeds) if job.place and self._target.places else 1
        if len(runs) < seeds:
            return
        ordered = sorted(runs.values(), key=lambda each: each.fmax_mhz or 0.0)
        point = Point(
            design,
            self._target,
            measured=ordered[(len(ordered) - 1) // 2],
            seconds=self._seconds[design],
            ran=design in self.ran,
            by_seed={seed: runs[seed].fmax_mhz for seed in sorted(runs)},
        )
        self.points[design] = point
        self._tell(Finished(point))

    def result(self, order: Sequence[Design], axes: Sequence[str], stopped: bool) -> ExploreResult:
        """What is done by now, in that order of the designs."""
        return ExploreResult(
            tuple(self.points[each] for each in order if each in self.points),
            tuple(axes), len(self.ran), time.monotonic() - self._start, stopped,
        )  # fmt: skip


def explore(
    designs: Sequence[Design],
    target: Target,
    on_event: OnEvent | None = None,
    stop: threading.Event | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
    seeds: Sequence[int] = (1,),
    place: bool = True,
    axes: Sequence[str] = ("throughput", "area"),
    bench: Measurer | None = None,
) -> ExploreResult:
    """Measure every design on ``target``, ``jobs`` at once (the machine's cores by default).

    With several ``seeds`` a design's clock is the median of theirs. ``scheduler`` is the address of
    a Dask cluster to use instead of this machine. Once ``stop`` is set, the tools are ended within
    about a second, and what is finished is returned. Raises BadInput where the cluster is not
    there.
    """
    check_axes(axes)
    tell, halt = on_event or ignore, stop or threading.Event()
    used: Measurer = bench or Synthesis()
    tally = Tally(target, seeds, tell)
    unique = list(dict.fromkeys(designs))
    todo, stopped = tally.jobs(unique, place), False

    def told(seconds_left: float | None) -> None:
        tell(RunsDone(len(tally.points), len(unique), seconds_left))

    try:
        with workers(used, jobs, scheduler) as where:
            run_jobs(todo, used, where, tally.begin, tally.end, told, halt)
    except Stopped:
        stopped = True
    return tally.result(unique, axes, stopped)
