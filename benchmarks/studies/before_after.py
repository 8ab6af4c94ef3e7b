# SPDX-License-Identifier: Apache-2.0
"""Area and clock of families before the shared shell, memory and queue, and now.

The RTL of before is that of a revision, read by Git and mapped and placed by the same tools with
the same commands as today's. Parameters that it had not yet are left out: their defaults are what
it did.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median

from benchmarks.figures import tell
from benchmarks.same_netlists import extract, rtl_at
from benchmarks.studies.shape import BEFORE
from benchmarks.study import Case, Row, Rows, Study, case
from redcore.design import Design
from redcore.synthesize import SynthesisResult, Target, default_store, synthesize_median, target
from redcore.synthesize.job import SynthesisJob, map_design, place_design, result_of

DEVICE, SEEDS = "ecp5-85k", (1, 2, 3)
WIDTH = 256
FAMILIES = (
    "barrett", "carrychain", "cios", "csa", "interleaved", "radix4", "scalable", "systolic",
)  # fmt: skip
MOST = 1.03
"""What area may grow by, and clock fall by."""


def cases() -> Iterator[Case]:
    """Each family's default design."""
    for name in FAMILIES:
        yield case(name, WIDTH, {}, DEVICE, SEEDS, family=name)


def job_of(design: Design, device: Target, folder: Path) -> SynthesisJob:
    """The design of the RTL in that folder, without the parameters that it does not have."""
    with rtl_at(folder):
        job = SynthesisJob.of(design, device)
    text = job.sources[f"rtl/{job.module}.sv"].decode()
    has = set(re.findall(r"\bparameter int unsigned (\w+)", text))

    def known(option: re.Match[str]) -> str:
        return option[0] if option[1] in has else ""

    return replace(job, script=tuple(re.sub(r" -G (\w+)=\S+", known, line) for line in job.script))


def before(design: Design, device: Target) -> tuple[SynthesisResult, ...]:
    """The results of all seeds with the RTL of before."""
    with tempfile.TemporaryDirectory(prefix="redcore-") as name:
        job = job_of(design, device, extract(BEFORE, Path(name)))
    store = default_store()
    mapped = map_design(job, store, tell, True, None)
    return tuple(
        result_of(job, mapped, place_design(job, store, seed, tell, None), seed, True)
        for seed in SEEDS
    )


def told(results: tuple[SynthesisResult, ...]) -> Row:
    """Cells, and the median of the clocks; a seed that fails counts as the slowest."""
    area = results[0]
    return {
        "lut": area.lut_in_all,
        "ff": area.ff,
        "area": max(area.lut_in_all, area.ff),
        "dsp": area.dsp,
        "fmax_mhz": round(median(each.fmax_mhz or 0.0 for each in results), 1),
    }


def measured(one: Case) -> Iterator[Row]:
    """Both, and what became of one in the other."""
    assert one.design is not None
    device = target(one.target)
    old = told(before(one.design, device))
    now = told(synthesize_median(one.design, device, SEEDS, progress=tell).runs)
    yield {
        **{f"{name}_before": value for name, value in old.items()},
        **{f"{name}_now": value for name, value in now.items()},
        "area_ratio": round(now["area"] / old["area"], 3),
        "clock_ratio": round(now["fmax_mhz"] / old["fmax_mhz"], 3) if old["fmax_mhz"] else None,
    }


def goals(rows: Rows) -> Mapping[str, bool | None]:
    """No family worse by more than 3 %."""
    found: dict[str, bool | None] = {}
    for row in rows:
        area, clock = row["area_ratio"], row["clock_ratio"]
        found[f"{row['family']}: area at most 3 % more"] = area <= MOST
        found[f"{row['family']}: clock at most 3 % less"] = (
            None if clock is None else clock * MOST >= 1
        )
    return found


STUDIES = [
    Study(
        "before_after",
        "area and clock of the families at 256 bits, before the shared modules and now",
        ("family",),
        cases,
        measured,
        {
            "family": "family",
            "lut_before": "LUT4 before", "lut_now": "now",
            "ff_before": "FF before", "ff_now": "now ",
            "fmax_mhz_before": "MHz before", "fmax_mhz_now": "now  ",
            "area_ratio": "area, now / before", "clock_ratio": "clock, now / before",
        },
        tools=("yosys", "nextpnr-ecp5"),
        about={"before": BEFORE},
        goals=goals,
    ),
]  # fmt: skip
