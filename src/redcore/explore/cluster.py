# SPDX-License-Identifier: Apache-2.0
"""Jobs on a Dask cluster: the same runs, on many machines.

A worker measures with its own bench and store, and hands back the store's lines with the figures,
so that the caller's store knows them, too. Dask gives the job of a worker that has died to another
one; what the dead one had handed back is not run again.
"""

from __future__ import annotations

import threading
import uuid
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from redcore.cluster import RETRIES, connect, gone, plainly
from redcore.explore.points import Figures, Measurer, ToolRun

_GOES_ON = "what was finished is in the result store, and the same command goes on from there"

_stops: dict[str, threading.Event] = {}
"""On a worker: what ends the jobs of a run."""


@dataclass(frozen=True)
class Answer:
    """What a worker hands back."""

    figures: Figures
    exported: Any


def work(run: str, bench: Measurer, job: ToolRun) -> Answer:
    """On a worker: measure, unless the run has been stopped."""
    stop = _stops.setdefault(run, threading.Event())
    figures = bench.measure(job, stop)
    return Answer(figures, bench.export(job))


def end(run: str) -> None:
    """On a worker: end the jobs of a run, those that come later, too."""
    _stops.setdefault(run, threading.Event()).set()


class Cluster:
    """The cluster whose scheduler is at an address such as ``tcp://host:8786``.

    Raises BadInput where Dask is not installed or nobody answers.
    """

    def __init__(self, bench: Measurer, scheduler: str) -> None:
        self._client = connect(scheduler)
        self._bench, self._run = bench, uuid.uuid4().hex
        self._executor = self._client.get_executor(retries=RETRIES)

    @property
    def count(self) -> int:
        """The threads of all workers there are now. Raises CheckFailed without a scheduler."""
        try:
            threads: dict[str, int] = self._client.nthreads()
        except (OSError, CancelledError):
            raise gone(_GOES_ON) from None
        return max(1, sum(threads.values()))

    def submit(self, job: ToolRun, stop: threading.Event) -> Future[Figures]:
        """As in Workers; ``stop`` stays here, workers are told by ``stop()``."""
        answered: Future[Figures] = Future()

        def take(future: Future[Answer]) -> None:
            try:
                with plainly(_GOES_ON):
                    answer = future.result()
                self._bench.accept(job, answer.exported)
                answered.set_result(answer.figures)
            except BaseException as fault:
                answered.set_exception(fault)

        self._executor.submit(work, self._run, self._bench, job).add_done_callback(take)
        return answered

    def stop(self) -> None:
        """Tell every worker, and take back what no worker has begun."""
        with suppress(OSError):  # nobody can be told where the scheduler is gone
            self._client.run(end, self._run)

    def close(self) -> None:
        """Leave the cluster; it goes on without us."""
        self._executor.shutdown(wait=False)
        self._client.close()
