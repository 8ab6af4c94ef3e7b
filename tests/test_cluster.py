# SPDX-License-Identifier: Apache-2.0
"""Sweeps and campaigns on a Dask cluster of two workers on this machine, one of which is killed in
mid-run."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import pytest

from redcore import cli
from redcore.catalogue import family
from redcore.errors import BadInput, CheckFailed
from redcore.explore import Event, Finished, Started, explore, space
from redcore.explore.points import Figures, ToolRun
from redcore.synthesize import target
from redcore.verify import campaign, campaigns, multiplications
from stand_in_bench import StandIn

distributed = pytest.importorskip("distributed")

TARGET = target("ecp5-25k")
DESIGNS = space(
    "mul", 16, ["csa"],
    {"stages": [1, 2, 3, 4], "replicas": [1, 2, 3, 4], "add_stages": [1], "final_sub": [1]},
)  # fmt: skip


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a scheduler with two workers, each a process with one thread."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as started:
        yield started.scheduler_address


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 240
    while not condition():
        assert time.monotonic() < deadline, "nothing happened for four minutes"
        time.sleep(0.01)


def test_a_killed_worker_loses_nothing_and_nothing_runs_twice(cluster: str, tmp_path: Path) -> None:
    bench = StandIn(tmp_path, slow=0.5)
    with distributed.Client(cluster) as client:
        victim = next(iter(client.run(os.getpid).values()))
    seen: list[str] = []

    def lines_of_victim() -> int:
        return sum(by == victim for _, by, _ in bench.lines())

    def in_mid_run() -> bool:
        """Whether it has been at its run for long enough to have handed back the one before."""
        before = lines_of_victim()
        time.sleep(0.1)
        return bench.busy(victim) and lines_of_victim() == before

    def kill() -> None:
        until(lambda: len(seen) >= 4 and in_mid_run())
        os.kill(victim, signal.SIGKILL)

    def note(event: Event) -> None:
        if isinstance(event, Finished):
            seen.append(event.point.design.label())

    # Beside the sweep: while an event is looked at no other run is given out.
    with ThreadPoolExecutor(1) as beside:
        killing = beside.submit(kill)
        result = explore(DESIGNS, TARGET, note, scheduler=cluster, bench=bench)
        killing.result()
    assert [point.design for point in result.points] == DESIGNS
    assert all(point.good for point in result.points)
    assert sorted(seen) == sorted(design.label() for design in DESIGNS)
    ended, begun = Counter(bench.runs("end")), Counter(bench.runs("begin"))
    assert set(ended.values()) == {1}, "a finished run was repeated"
    assert len(ended) == len(DESIGNS)
    # the one that the dead worker was at began again
    assert sum(begun.values()) == len(DESIGNS) + 1

    again = explore(DESIGNS, TARGET, scheduler=cluster, bench=bench)
    assert again.syntheses_run == 0
    assert [p.measured for p in again.points] == [p.measured for p in result.points]
    assert len(bench.runs("begin")) == sum(begun.values())


def test_stop_ends_what_the_workers_do(cluster: str, tmp_path: Path) -> None:
    bench, stop = StandIn(tmp_path, slow=60.0), threading.Event()

    def stop_soon(event: Event) -> None:
        if isinstance(event, Started):
            threading.Timer(1.0, stop.set).start()

    began = time.monotonic()
    result = explore(DESIGNS, TARGET, stop_soon, stop, scheduler=cluster, bench=bench)
    assert result.stopped
    assert time.monotonic() - began < 15
    assert not bench.runs("end")
    # the workers are free again
    quick = explore(DESIGNS[:2], TARGET, scheduler=cluster, bench=StandIn(tmp_path))
    assert len(quick.points) == 2


def test_a_scheduler_that_is_not_there_is_bad_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("redcore.cluster.CONNECT_SECONDS", 1)
    with pytest.raises(BadInput, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:1'"):
        explore(DESIGNS, TARGET, scheduler="tcp://127.0.0.1:1", bench=StandIn(tmp_path))
    with pytest.raises(BadInput, match="no Dask scheduler answers"):
        campaign(family("csa"), 1, scheduler="tcp://127.0.0.1:1")


def test_a_campaign_on_a_cluster_is_the_same_and_is_kept(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came back is not simulated again, here either; a run that fails is told as here."""
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "here"))
    core, told = family("interleaved"), list[tuple[int, int]]()

    def note(done: int, total: int) -> None:
        told.append((done, total))

    there = campaign(core, 6, 5, note, vectors=50, widest=24, scheduler=cluster)
    assert there.ok and there.resumed == 0 and told == [(done, 6) for done in range(7)]
    again = campaign(core, 6, 5, vectors=50, widest=24)
    assert again.resumed == 6 and again.entries == there.entries
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "elsewhere"))
    assert campaign(core, 6, 5, vectors=50, widest=24, jobs=1).entries == there.entries
    design = core.design(8)
    whole = multiplications(core, 400, 3, designs=[design], scheduler=cluster)
    assert whole.ok and sum(entry.vectors for entry in whole.entries) == 400
    (own,) = design.sources()[-1:]
    wrong = tmp_path / own.name
    wrong.write_text(own.read_text().replace("endmodule", "nonsense endmodule"))
    files = [*design.sources()[:-1], wrong]
    failed = multiplications(core, 200, 3, designs=[design], sources=files, scheduler=cluster)
    assert len(failed.failed) == len(failed.entries) > 0


class Deadly(StandIn):
    """A bench that the worker dies of."""

    def measure(self, job: ToolRun, stop: threading.Event) -> Figures:
        die()


def die(*_: object) -> NoReturn:
    os._exit(1)


def test_workers_that_die_again_and_again_are_told(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "here"))
    with pytest.raises(CheckFailed, match=r"died one after another at the same run.*goes on"):
        explore(DESIGNS[:1], TARGET, scheduler=cluster, bench=Deadly(tmp_path))
    monkeypatch.setattr(campaigns, "_run_alone", die)
    with pytest.raises(CheckFailed, match=r"died one after another at the same run.*goes on"):
        campaign(family("csa"), 1, vectors=50, widest=24, scheduler=cluster)


def test_a_scheduler_that_goes_away_is_told(tmp_path: Path) -> None:
    """What had come back before is in the store."""
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    ) as own:
        bench, done = StandIn(tmp_path, slow=1.0), list[Event]()

        def note(event: Event) -> None:
            if isinstance(event, Finished):
                done.append(event)
                own.close()

        address = own.scheduler_address
        with pytest.raises(CheckFailed, match=r"scheduler is gone; .* result store"):
            explore(DESIGNS, TARGET, note, scheduler=address, bench=bench)
    assert len(done) == 1
    assert len(explore(DESIGNS[:4], TARGET, bench=StandIn(tmp_path)).points) == 4
    ended = Counter(bench.runs("end"))
    assert set(ended.values()) == {1}, "a finished run was repeated"


def test_a_scheduler_without_a_campaign_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["verify", "csa", "--prove", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert "--scheduler is of --campaign" in capsys.readouterr().err
