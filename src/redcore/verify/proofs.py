# SPDX-License-Identifier: Apache-2.0
"""Proves the multiplier contract for small designs of any registered family.

Every question goes to a child process; answers are kept by content in the cache folder.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from math import ceil
from pathlib import Path
from threading import Event, Lock
from time import monotonic
from typing import Any

from redcore import cache, processes
from redcore.design import Design
from redcore.progress import Counted
from redcore.verify import harness, solver
from redcore.verify.aiger import Aiger, Signal
from redcore.verify.properties import PROPERTIES, Finding, Property, chosen


@dataclass(frozen=True)
class Effort:
    """How long to try, per property and design whose answers come within ``_USUAL_LIMIT`` cycles.

    Where they take longer, all but splitting have as many times the seconds as cycles: a search has
    to go through so many before anything is seen. ``prove_seconds`` for each method of an unbounded
    proof; ``split_seconds`` for all the cases of a property that is split by data, 0 for no
    splitting; ``cover_seconds`` for the cover; ``bound_seconds`` for the search from reset, over
    ``bound_cycles`` cycles beyond those the cover needed and one interval.
    """

    prove_seconds: int = 60
    split_seconds: int = 0
    bound_seconds: int = 60
    bound_cycles: int = 12
    cover_seconds: int = 60

    def for_limit(self, cycles: int) -> Effort:
        """The effort for a design whose answers come within so many cycles."""
        times = max(1.0, cycles / _USUAL_LIMIT)
        return replace(
            self,
            prove_seconds=round(times * self.prove_seconds),
            bound_seconds=round(times * self.bound_seconds),
            cover_seconds=round(times * self.cover_seconds),
        )


_USUAL_LIMIT = 60
"""Cycles to an answer that the seconds of an effort are for."""
_FIRST_SECONDS = 5
"""For the search before a proof, which the one of ``bound_seconds`` after it does again."""

QUICK = Effort()
THOROUGH = Effort(prove_seconds=300, split_seconds=7200, bound_seconds=900, bound_cycles=24)


STATUSES = ("proved", "bounded", "failed", "undecided")


@dataclass(frozen=True)
class PropertyResult:
    """What is known of one property of one design.

    ``status`` is ``proved`` (for all time, by induction), ``bounded`` (from reset up to ``cycles``
    cycles), ``failed`` or ``undecided`` (the solver gave up before anything was checked).
    ``cover_cycle`` is the cycle, counted from 1, of the run found in which the check has seen what
    it needs; None where there is none. ``reason`` and ``trace`` tell of a failure.
    """

    design: str
    property_name: str
    status: str
    how: str
    cycles: int | None
    cover_cycle: int | None
    reason: str
    trace: str
    seconds: float

    @property
    def ok(self) -> bool:
        """Proved or bounded."""
        return self.status in ("proved", "bounded")

    def as_json(self) -> dict[str, Any]:
        """The result as JSON takes it."""
        return asdict(self)

    def as_entry(self) -> dict[str, Any]:
        """The result among those of one design: a truth value for each status."""
        verdict = {name: self.status == name for name in ("proved", "bounded", "failed")}
        rest = {key: value for key, value in asdict(self).items() if key != "property_name"}
        found = next(each for each in PROPERTIES if each.name == self.property_name)
        return {
            "property": self.property_name, **verdict, **rest, "says": found.says, "assumptions": []
        }  # fmt: skip


def prove(
    designs: Iterable[Design],
    properties: Iterable[str] | None = None,
    progress: Counted | None = None,
    *,
    effort: Effort = QUICK,
    jobs: int | None = None,
    sources_of: harness.SourcesOf = harness.library_sources,
    keep: bool = True,
) -> list[PropertyResult]:
    """Prove properties (all for None) of designs.

    ``jobs`` questions run at a time, as many as the host has processors for None. ``keep`` reads
    and writes the cache of answers. Results come in the order of designs and properties. Raises
    BadInput for an unknown property and RuntimeError where the RTL does not elaborate.
    """
    wanted = chosen(properties)
    tasks = [(design, entry) for design in designs for entry in wanted]
    results: dict[int, PropertyResult] = {}
    with tempfile.TemporaryDirectory(prefix="redcore-verify-") as name:
        netlists, stop = _Netlists(Path(name), sources_of), Event()
        with ThreadPoolExecutor(max_workers=jobs or os.cpu_count() or 1) as pool:
            futures = {
                pool.submit(_task, design, entry, netlists, effort, keep, stop): index
                for index, (design, entry) in enumerate(tasks)
            }
            try:
                for done, future in enumerate(as_completed(futures), start=1):
                    results[futures[future]] = future.result()
                    if progress is not None:
                        progress(done, len(tasks))
            except BaseException:
                stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return [results[index] for index in range(len(tasks))]


def summary(results: Iterable[PropertyResult]) -> dict[str, dict[str, int]]:
    """Per property: ``parameter_sets``, and how many there are of each status."""
    counts: dict[str, Counter[str]] = {}
    for result in results:
        counts.setdefault(result.property_name, Counter())[result.status] += 1
    return {
        name: {
            "parameter_sets": count.total(),
            **{status: count[status] for status in STATUSES},
        }
        for name, count in counts.items()
    }


class _Netlists:
    """Each design's netlists, translated once and read once per harness."""

    def __init__(self, folder: Path, sources_of: harness.SourcesOf) -> None:
        self.folder = folder
        self.sources_of = sources_of
        self._number = itertools.count()
        self._locks: dict[tuple[Design, str], Lock] = {}
        self._made: dict[tuple[Design, str], Aiger] = {}
        self._guard = Lock()

    def scratch(self) -> Path:
        """A new folder of its own."""
        with self._guard:
            folder = self.folder / str(next(self._number))
        folder.mkdir()
        return folder

    def netlist(self, design: Design, top: str) -> Aiger:
        """The harness ``top`` around the design."""
        key = (design, top)
        with self._guard:
            lock = self._locks.setdefault(key, Lock())
        with lock:
            if key not in self._made:
                path = harness.translate(design, top, self.scratch(), self.sources_of)
                self._made[key] = Aiger(path)
            return self._made[key]

    def content(self, design: Design, entry: Property, effort: Effort) -> str:
        """A key of all that decides the answer."""
        return harness.content(design, self.sources_of(design), entry.name, repr(effort))


def _task(
    design: Design,
    entry: Property,
    netlists: _Netlists,
    effort: Effort,
    keep: bool,
    stop: Event,
) -> PropertyResult:
    key = netlists.content(design, entry, effort) if keep else ""
    if keep and (known := cache.answer_as(key, PropertyResult)) is not None:
        return known
    started = monotonic()
    with processes.ended_with(stop):
        netlist = netlists.netlist(design, entry.top)
        question = _Question(design, entry, netlist, netlists.scratch())
        result = question.answer(effort, started)
    if keep:
        cache.keep_answer(key, result.as_json())
    return result


class _Question:
    """One property of one design on its way to an answer."""

    def __init__(self, design: Design, entry: Property, netlist: Aiger, folder: Path) -> None:
        self.design = design
        self.entry = entry
        self.netlist = netlist
        self.folder = folder
        self.bad = self._single(entry.bad, "bad")
        self.cover_cycle: int | None = None

    def _single(self, output: str, stem: str, fixed: dict[Signal, int] | None = None) -> Path:
        path = self.folder / f"{stem}.aig"
        self.netlist.write_single(self.netlist.output(output), path, fixed)
        return path

    def answer(self, effort: Effort, started: float) -> PropertyResult:
        """Cover first: a check that never sees its event proves nothing."""

        def result(
            status: str, how: str, cycles: int | None = None, reason: str = "", trace: str = ""
        ) -> PropertyResult:
            return PropertyResult(
                self.design.label(),
                self.entry.name,
                status,
                how,
                cycles,
                self.cover_cycle,
                reason,
                trace,
                round(monotonic() - started, 2),
            )

        limit = harness.answer_limit(self.design)
        effort = effort.for_limit(limit)
        cover = solver.reach(
            self._single(self.entry.cover, "cover"), 4 * limit + 16, effort.cover_seconds
        )
        if cover.run is not None:
            self._replay(cover.run, self.entry.cover)
            self.cover_cycle = len(cover.run)

        def failed(run: list[list[int]], how: str) -> PropertyResult:
            self._replay(run, self.entry.bad)
            reason = f"violated in cycle {len(run)} after power-up: not so that {self.entry.says}"
            return result("failed", how, len(run), reason, self._trace(run))

        # A short search from reset finds most bugs sooner than a proof attempt does.
        depth = (self.cover_cycle or limit) + 2
        first = solver.reach(self.bad, depth, min(_FIRST_SECONDS, effort.bound_seconds))
        if first.run is not None:
            return failed(first.run, first.how)
        if self.cover_cycle is None:
            said = "can never be" if cover.proved else f"was not within {cover.frames} cycles"
            vacuous = f"vacuous: what is to be checked {said} seen: {self.entry.covered}"
            return result("failed", "cover", None, vacuous)
        if first.proved:
            return result("proved", first.how)
        if self.entry.split:
            if effort.split_seconds and self._split(effort):
                return result("proved", "case by case")
        else:
            attempt = solver.never(self.bad, effort.prove_seconds, control=True)
            if attempt.run is not None:
                return failed(attempt.run, attempt.how)
            if attempt.proved:
                return result("proved", attempt.how)
        # Deep enough for another multiplication close behind, and some stalls.
        interval = ceil(self.design.geometry.interval_cycles)
        wanted = self.cover_cycle + interval + effort.bound_cycles
        bounded = solver.reach(self.bad, wanted, effort.bound_seconds)
        if bounded.run is not None:
            return failed(bounded.run, bounded.how)
        cycles = max(first.frames, bounded.frames)
        if cycles < self.cover_cycle:
            return result(
                "undecided",
                "bmc",
                cycles,
                f"the solver gave up after {cycles} cycles, and the event to be checked takes"
                f" {self.cover_cycle}",
            )
        return result("bounded", "bmc", cycles)

    def _split(self, effort: Effort) -> bool:
        """Prove case by case, each odd modulus and multiplicand; False where one is undecided.

        The cases are all there are: the picked modulus is odd, the picked b below bound * m.
        """
        started = monotonic()
        bound = self.design.geometry.bound
        for modulus in range(1, 1 << self.design.width, 2):
            for b in range(bound * modulus):
                left = effort.split_seconds - (monotonic() - started)
                if left < 1:
                    return False
                fixed = self._bits("any_picked_m_i", modulus) | self._bits("any_picked_b_i", b)
                case = self._single(self.entry.bad, "case", fixed)
                if not solver.never(case, int(left)).proved:
                    return False
        return True

    def _bits(self, name: str, value: int) -> dict[Signal, int]:
        return {
            signal: value >> signal.bit & 1
            for signal in self.netlist.inputs
            if signal is not None and signal.name == name
        }

    def _replay(self, run: list[list[int]], output: str) -> None:
        """Hold the solver to its word: the run must make the output 1 on the whole netlist."""
        if not self.netlist.run(run)[-1][output]:
            raise RuntimeError(f"the solver's run does not reach {output} of {self.design.label()}")

    def _trace(self, run: list[list[int]]) -> str:
        """The run as a table, one line per port and one column per cycle, numbers hexadecimal."""
        cycles = self.netlist.run(run)
        names = [name for name in cycles[0] if name.startswith("see_")]
        fixed = [name for name in cycles[0] if name.startswith("any_picked_")]
        lines = [
            f"{name.removeprefix('any_').removesuffix('_i')} = {cycles[0][name]:#x}"
            for name in fixed
        ]
        # see_ports are packed: two-copy ports show copy x in the low bit, y in the next.
        rows = [["cycle", *(str(index + 1) for index in range(len(cycles)))]]
        rows += [
            [name.removeprefix("see_"), *(f"{cycle[name]:x}" for cycle in cycles)] for name in names
        ]
        head = max(len(row[0]) for row in rows)
        cell = max(len(text) for row in rows for text in row[1:])
        lines += [
            f"{row[0]:{head}} " + " ".join(f"{text:>{cell}}" for text in row[1:]) for row in rows
        ]
        return "\n".join(lines)


def failures(results: Sequence[Finding]) -> list[str]:
    """What failed, one entry each, with its trace."""
    return [
        f"{result.design}: {result.property_name}: {result.reason}"
        + (f"\n{result.trace}" if result.trace else "")
        for result in results
        if not result.ok
    ]
