# SPDX-License-Identifier: Apache-2.0
"""One runner for all that is measured: studies are declared, rows are resumed, tables are rendered.

A :class:`Study` declares its cases (a design, the target and seeds of a synthesis, what is known of
it beforehand), what is measured of one, the columns of its table and its goals. A row of a record
holds, beside what is known and measured, ``design``, ``command``, ``rtl_sha256``, ``tool_versions``
and ``date`` of its own run, so that rows of one table may be of different days and RTL.

A row is current while the RTL, and the files, that it names by hash are the present ones (a row of
no RTL names files alone); a case is
run again where one of its rows is not, or is not there. Records are written after each row. The
table ``benchmarks/NAME.md`` is made of ``NAME.json`` alone;
``python -m redcore.generate.figures`` puts it into the documents and marks rows of older RTL.

    python -m benchmarks --list                  how many rows are current, old or missing
    python -m benchmarks NAME [WORD ...] --list  each case of a study with its state
    python -m benchmarks NAME [WORD ...]         run what is not current; WORD: key=value, or value
    python -m benchmarks NAME --again            run what is current, too
    python -m benchmarks --render [NAME ...]     tables anew from the records, nothing is measured
"""

from __future__ import annotations

import argparse
import fcntl
import importlib
import json
import os
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psutil

from benchmarks.figures import FOLDER, table, tell, versions, write
from redcore import rtl
from redcore.catalogue import family
from redcore.design import Design, Value
from redcore.errors import BadInput, CheckFailed, Stopped
from redcore.generate.figures import is_old, measured, parts_hashes
from redcore.synthesize import SynthesisResult, stored, synthesize, synthesize_median, target
from redcore.synthesize.result import MedianSynthesis

Row = dict[str, Any]

_LOOK_SECONDS = 1.0
"""Between two looks at how long a synthesis has had a processor for."""


@dataclass(frozen=True)
class Case:
    """What one run measures: a design, and what its rows say that is known before."""

    known: Mapping[str, Any]
    design: Design | None = None
    target: str = ""
    seeds: Sequence[int] = (1,)
    place: bool = True
    modules: Sequence[str] = ()
    """The RTL, where the design's own is not what is run."""
    parts: Sequence[str] = ()
    """Files of the repository that its rows rest on, too: what judges, a model."""

    def rtl(self) -> str | dict[str, str] | None:
        """The hash that its rows are known by."""
        if self.modules:
            return {module: rtl.digest(rtl.sources(module)) for module in self.modules}
        return rtl.digest(self.design.sources()) if self.design else None


def case(
    name: str,
    width: int,
    settings: Mapping[str, Value] | None = None,
    place: str = "",
    seeds: Sequence[int] = (1,),
    /,
    **known: Any,
) -> Case:
    """A case of a family's design on a target; its width and target are known of its rows."""
    where = {"target": place} if place else {}
    design = family(name).design(width, settings or {})
    return Case({"width": width, **where, **known}, design, place, seeds)


def python_of(*folders: str) -> list[str]:
    """Files of packages of redcore, as parts of a case."""
    source = FOLDER.parent / "src" / "redcore"
    return [
        str(path.relative_to(FOLDER.parent))
        for folder in folders
        for path in sorted((source / folder).glob("*.py"))
    ]


def unplaced(one: Case) -> Case:
    """The same, as synthesized alone."""
    return replace(one, place=False)


def synthesis(
    more: Callable[[Case, SynthesisResult], Row] | None = None, minutes: float | None = None
) -> Measure:
    """Measures by synthesis: the median of the case's seeds; ``more`` adds what a study needs.

    What is not placed with all seeds within so many ``minutes`` of a processor's time has the area
    that it is mapped to, no clock, and says so as its failure; what is not mapped in them has no
    figures.
    """

    def measure(one: Case) -> Iterator[Row]:
        assert one.design is not None
        outcome = _synthesized(one, minutes)
        result, runs = outcome.median, outcome.runs
        geometry = one.design.geometry
        interval = geometry.interval_cycles
        width = one.design.width
        yield {
            "target": result.target,
            **{name: getattr(result, name) for name in FIGURES},
            "lut4_per_bit": round(result.lut_in_all / width, 3),
            "seeds": sum(run.fmax_mhz is not None for run in runs),
            "fmax_mhz_by_seed": {run.seed: run.fmax_mhz for run in runs},
            "failures": [run.failure for run in runs if run.failure],
            "latency_cycles": geometry.latency_cycles,
            "interval_cycles": interval.numerator if interval.denominator == 1 else float(interval),
            "commands": list(result.commands),
            "tool_versions": result.tool_versions,
            "command": f"redcore synth {one.design.command_line()} --target {one.target}"
            f" --seed {result.seed}" + ("" if one.place else " --no-pnr"),
            **(more(one, result) if more else {}),
        }

    return measure


def _synthesized(one: Case, minutes: float | None) -> MedianSynthesis:
    """A case's synthesis with each of its seeds; one without a clock where time was up."""
    assert one.design is not None
    device = target(one.target)
    limit = at_most(minutes) if minutes is not None and one.place else nullcontext(Event())
    with limit as over:
        try:
            if len(one.seeds) > 1 and one.place:
                return synthesize_median(one.design, device, one.seeds, progress=tell, stop=over)
            result = synthesize(
                one.design, device, one.place, one.seeds[0], progress=tell, stop=over
            )
        except Stopped:
            if not over.is_set():  # it is the run that is to end
                raise
            mapped = stored(one.design, device, place_and_route=False)
            if mapped is None:
                raise CheckFailed(f"not synthesized within {minutes:g} minutes") from None
            result = replace(mapped, failure=f"not placed within {minutes:g} minutes")
        return MedianSynthesis(result, (result,))


@contextmanager
def at_most(minutes: float) -> Iterator[Event]:
    """An event that is set once the tools started meanwhile have had a processor for so long.

    It is their own time that counts: whatever else the machine does takes nothing of it, so that a
    design is not recorded as too large for having been placed beside another.
    """
    over, done = Event(), Event()
    before = {child.pid for child in psutil.Process().children(recursive=True)}

    def watch() -> None:
        had: dict[int, float] = {}
        while sum(had.values()) < 60 * minutes:
            if done.wait(_LOOK_SECONDS):
                return
            for child in psutil.Process().children(recursive=True):
                with suppress(psutil.Error):  # it has ended meanwhile
                    if child.pid not in before:
                        times = child.cpu_times()
                        had[child.pid] = times.user + times.system
        over.set()

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield over
    finally:
        done.set()
        watcher.join()


AREAS = ("lut", "lutram", "lut_in_all", "ff", "carry", "dsp", "bram")
FIGURES = (*AREAS, "fmax_mhz", "failure", "time_per_op_ns", "ops_per_second")
"""Of a synthesis, by its result's own names."""

Measure = Callable[[Case], Iterable[Row]]
Rows = Sequence[Row]


@dataclass(frozen=True)
class Study:
    """What is measured, shown and wanted. ``key`` are the columns that tell its rows apart."""

    name: str
    title: str
    key: tuple[str, ...]
    cases: Callable[[], Iterable[Case]]
    measure: Measure
    columns: Mapping[str, str]
    tools: tuple[str, ...] = ("yosys",)
    """Whose versions a row names where its measurement does not."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What the record says beside its rows: the source, constants."""
    goals: Callable[[Rows], Mapping[str, bool | None]] = lambda rows: {}
    """Sentences and whether they hold; None where it was not measured."""
    finish: Callable[[list[Row]], Mapping[str, Any]] = lambda rows: {}
    """What follows from all rows together; it may add to them."""
    shown: Callable[[Rows], Rows] | None = None
    """The table's lines, where they are not the rows."""
    notes: Callable[[Rows], Iterable[str]] = lambda rows: ()
    computed: bool = False
    """Computed from formulas, of no RTL."""

    @property
    def path(self) -> Path:
        """Its record."""
        return FOLDER / f"{self.name}.json"

    def record(self) -> dict[str, Any]:
        """What is on file."""
        if not self.path.is_file():
            return {"rows": []}
        found: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
        return found

    def key_of(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        """What tells a row from the others."""
        return tuple(str(row.get(name, "")) for name in self.key)

    def rows_of(self, one: Case, rows: Rows) -> list[Row]:
        """The rows on file that are of a case."""
        known = {name: str(one.known[name]) for name in self.key if name in one.known}
        return [
            row for row in rows if all(str(row.get(name, "")) == v for name, v in known.items())
        ]

    def state(self, one: Case, rows: Rows) -> str:
        """Of a case: ``missing``, ``unknown`` (of which RTL), ``old`` or ``current``."""
        found = self.rows_of(one, rows)
        if not found:
            return "missing"
        return max((state_of(row, self.computed) for row in found), key=STATES.index)

    def run(self, one: Case) -> Iterator[Row]:
        """Measure a case: rows that say all of themselves."""
        words = " ".join(f"{name}={one.known[name]}" for name in self.key if name in one.known)
        said: Row = {**one.known}
        if one.design is not None:
            said["design"] = one.design.command_line()
        if not self.computed:
            said |= {
                "command": f"python -m benchmarks {self.name} {words} --again",
                **({"rtl_sha256": one.rtl()} if one.rtl() else {}),
                **({"parts_sha256": parts_hashes(one.parts)} if one.parts else {}),
                "tool_versions": versions(*self.tools),
                "date": date.today().isoformat(),
            }
        try:
            for row in self.measure(one):
                yield said | row
        except CheckFailed as error:
            yield said | {"failure": str(error), "failures": [str(error)]}

    def add(self, row: Row) -> bool:
        """Write record and table with a row, beside what other runs wrote meanwhile."""
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            rows = {self.key_of(other): other for other in self.record()["rows"]}
            return self.write((rows | {self.key_of(row): row}).values())
        finally:
            os.close(folder)

    def write(self, rows: Iterable[Row]) -> bool:
        """Write record and table; returns whether no goal is missed."""
        rows, order = list(rows), list(self.cases())
        places = {id(row): at for at, one in enumerate(order) for row in self.rows_of(one, rows)}
        rows = sorted(rows, key=lambda row: places.get(id(row), len(order)))
        record = {
            "command": f"python -m benchmarks {self.name}",
            **({"computed": True} if self.computed else {}),
            **({"lines": "rows"} if self.shown is None else {}),
            **self.about,
            **self.finish(rows),
        }
        goals = self.goals(rows)
        record |= {"goals": goals} if goals else {}
        write(self.name, record | {"rows": rows}, self.render(rows))
        return all(met is not False for met in goals.values())

    def render(self, rows: Rows) -> str:
        """The table, goals and notes of rows, as Markdown."""
        words = {True: "met", False: "missed", None: "not measured"}
        said = [f"- {goal}: {words[met]}\n" for goal, met in self.goals(rows).items()]
        said += [f"- {note}\n" for note in (*self.failures(rows), *self.notes(rows))]
        lines = self.shown(rows) if self.shown else rows
        return table(lines, self.columns) + ("\n" * bool(said)) + "".join(said)

    def failures(self, rows: Rows) -> Iterator[str]:
        """What tools said where they failed."""
        for row in rows:
            said = row.get("failures") or filter(None, [row.get("failure")])
            for sentence in dict.fromkeys(each for each in said if isinstance(each, str)):
                yield f"{' '.join(str(row.get(name, '')) for name in self.key)}: {sentence}"


STATES = ("current", "old", "unknown", "missing")


def state_of(row: Row, computed: bool = False) -> str:
    """Of a row."""
    if computed or row.get("computed"):
        return "current"
    if not row.get("rtl_sha256") and not row.get("parts_sha256"):
        return "unknown"
    return "old" if is_old(row) else "current"


def studies() -> dict[str, Study]:
    """All that are declared, by name."""
    from benchmarks import studies as package

    found = [
        each
        for module in pkgutil.iter_modules(package.__path__)
        for each in importlib.import_module(f"{package.__name__}.{module.name}").STUDIES
    ]
    return {each.name: each for each in sorted(found, key=lambda each: each.name)}


def chosen(study: Study, words: Sequence[str]) -> list[Case]:
    """The cases that all words name; BadInput where there is none."""
    found = [
        one
        for one in study.cases()
        if all(
            str(one.known.get(name)) == value if mark else name in map(str, one.known.values())
            for name, mark, value in (word.partition("=") for word in words)
        )
    ]
    if not found:
        raise BadInput(f"no case of {study.name} is {' '.join(words)}; by {', '.join(study.key)}")
    return found


def counts() -> dict[str, dict[str, int]]:
    """Of each record, its rows by state; a study's case without a row counts as missing.

    Records of programs that are no studies (models) are counted, too.
    """
    found = {}
    for path in sorted(FOLDER.glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        rows = measured(record) if isinstance(record, dict) else []
        if rows:
            states = [state_of(row) for row in rows]
            found[path.stem] = {state: states.count(state) for state in STATES}
    for name, study in studies().items():
        rows = study.record()["rows"]
        states = [state_of(row, study.computed) for row in rows]
        states += ["missing" for one in study.cases() if not study.rows_of(one, rows)]
        found[name] = {state: states.count(state) for state in STATES}
    return dict(sorted(found.items()))


def main(arguments: Sequence[str] | None = None) -> int:
    """The runner; returns 1 where a goal is missed with what was run, 2 on what it does not
    know."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", nargs="?", help="a study")
    parser.add_argument("words", nargs="*", help="which rows: key=value, or a value")
    parser.add_argument("--list", action="store_true", help="studies, or one's cases, by state")
    parser.add_argument("--stale", action="store_true", help="how many rows there are, and old")
    parser.add_argument("--json", action="store_true", help="--list or --stale as JSON")
    parser.add_argument("--render", action="store_true", help="tables from the records")
    parser.add_argument("--again", action="store_true", help="run what is current, too")
    options = parser.parse_args(arguments)
    try:
        known = studies()
        asked = [options.name, *options.words] if options.render else [options.name]
        for name in asked:
            if name is not None and name not in known:
                raise BadInput(f"no study is called {name}; --list names them")
        if options.render:
            for study in known.values():
                if asked == [None] or study.name in asked:
                    study.write(study.record()["rows"])
            return 0
        if options.stale and options.name is not None:
            raise BadInput("--stale is of all studies; NAME --list says it of one")
        if options.again and options.name is None:
            raise BadInput("--again is of one study: give its name")
        if options.stale or options.name is None:
            return _told(counts(), options.stale, options.json)
        if options.list:
            return _told_of(known[options.name], options.words, options.json)
        return _run(known[options.name], options.words, options.again)
    except BadInput as error:
        print(error, file=sys.stderr)
        return 2


def _told(found: Mapping[str, Mapping[str, int]], stale: bool, as_json: bool) -> int:
    total = {state: sum(each[state] for each in found.values()) for state in STATES}
    if stale:
        rows = total["current"] + total["old"] + total["unknown"]
        answer = {"rows": rows, "stale": rows - total["current"]}
        print(json.dumps(answer) if as_json else f"{answer['stale']} of {rows} rows are stale")
    elif as_json:
        print(json.dumps({**found, "all": total}))
    else:
        for name, each in {**found, "all": total}.items():
            print(f"{name:26}" + "".join(f"{each[state]:6} {state}" for state in STATES))
    return 0


def _told_of(study: Study, words: Sequence[str], as_json: bool) -> int:
    rows = study.record()["rows"]
    states = [(one.known, study.state(one, rows)) for one in chosen(study, words)]
    if as_json:
        print(json.dumps([{**known, "state": state} for known, state in states], default=str))
    else:
        for known, state in states:
            print(f"{state:8}", " ".join(f"{name}={known.get(name)}" for name in study.key))
    return 0


def _run(study: Study, words: Sequence[str], again: bool) -> int:
    met = True
    for one in chosen(study, words):
        if not again and study.state(one, study.record()["rows"]) == "current":
            continue
        tell(f"reading {study.name}: {' '.join(map(str, one.known.values()))}")
        for row in study.run(one):
            met = study.add(row)
    return 0 if met else 1
