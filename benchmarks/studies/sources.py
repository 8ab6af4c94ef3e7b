# SPDX-License-Identifier: Apache-2.0
"""Each source's designs beside ours in the same area: throughput, from what is on file.

Nothing is synthesized here. Areas are those of the studies of published points, clocks the
estimates of ``estimates`` and of the tuner's record, as nothing open places on these devices;
published ones are their vendors' after place and route. And GMP, which one source compares itself
with.
"""

from __future__ import annotations

import random
import re
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import Any

import gmpy2

from benchmarks.figures import FOLDER
from benchmarks.studies.cores import SECONDS, processor
from benchmarks.study import Case, Row, Rows, Study
from redcore import json_text
from redcore.catalogue import family
from redcore.design import Value
from redcore.model.predict import Predictor
from redcore.synthesize import target

LEAST = 2.0
"""Times a source's throughput, in its own area."""
LE_MASLE, DALY = "Le Masle 2009", "Daly & Marnane 2002"
GALLIN, PAKZAD = "Gallin & Tisserand 2019", "Pakzad 2023"
TENCA = "Tenca, Todorov & Koç 2001"


@dataclass(frozen=True)
class Point:
    """A published design: its area is LUTs or flip-flops, whichever are more; Mop/s."""

    source: str
    name: str
    width: int
    target: str
    area: int | None
    rate: float | None
    dsp: int = 0


@dataclass(frozen=True)
class Ours:
    """A design of ours as recorded; its clock is estimated."""

    design: str
    width: int
    target: str
    area: int
    dsp: int
    rate: float


def record(name: str) -> dict[str, Any]:
    """What is on file."""
    found: dict[str, Any] = json_text.parsed((FOLDER / f"{name}.json").read_bytes())
    return found


PAPERS = ("carrychain", "cios", "csa", "radix4")


@cache
def ours() -> tuple[Ours, ...]:
    """Designs with an area for a device, and a clock."""
    clocks = {
        (row["design"], row["target"]): row["estimated_mhz"] for row in record("estimates")["rows"]
    }
    found = {
        (row["design"], row["target"]): Ours(
            row["design"],
            row["width"],
            row["target"],
            max(row["lut"], row["ff"]),
            row["dsp"],
            clocks[row["design"], row["target"]] / row["interval_cycles"],
        )
        for paper in PAPERS
        for row in record(f"{paper}_published")["rows"]
        if (row["design"], row["target"]) in clocks
    }
    tuned = next(row for row in record("tune")["rows"] if row["question"] == "thesis")
    area, rate = max(tuned["lut_in_all"], tuned["ff"]), tuned["rate"] / 1e6
    return (*found.values(), Ours(tuned["design"], 512, "xc5v", area, 0, rate))


def points() -> Iterator[Point]:
    """What the five sources print."""
    for row in record("csa_published")["rows"]:
        if not row["final_sub"]:
            name = f"p = {row['stages']}, r = {row['replicas']}"
            area = max(row["published_lut"], row["published_ff"])
            yield Point(LE_MASLE, name, 512, "xc5v", area, row["published_mops"])
    for row in record("carrychain_published")["rows"]:
        name = f"table {row['table']}, {row['published_name']}"
        every = row["published_interval_cycles"]
        rate = None if isinstance(every, str) else row["published_mhz"] / every
        # a slice has two LUTs and two registers
        yield Point(DALY, name, row["width"], "xcve", 2 * row["published_slices"], rate)
    printed = record("published_points")
    for row in printed["gallin_tisserand"]["rows"]:
        if row["name"] != "MA16":  # another work's
            area, rate = max(row["lut"], row["ff"]), 8e3 / row["eight_ns"]
            yield Point(GALLIN, row["name"], row["width"], "xc7", area, rate, row["dsp"])
    clocks = {
        row["design"]: row["published_mhz"]
        for row in record("estimates")["rows"]
        if row["target"] == "xc7"
    }
    for row in record("radix4_published")["rows"]:
        if row["width"] == 128 and row["published_lut"] and row["design"] in clocks:
            rate = clocks[row["design"]] / row["published_cycles"]
            yield Point(PAKZAD, row["name"], 128, "xc7", row["published_lut"], rate)
    for row in printed["pakzad"]["rows"]:
        name = f"{row['name']}, {row['device']}"
        yield Point(PAKZAD, name, 256, "xc7", row["lut"], row["mhz"] / row["cycles"])
    for row in record("scalable_published")["rows"]:
        for width in (256, 1024):
            yield Point(TENCA, f"{row['stages']} stages", width, "0.5 um CMOS", None, None)


def cases() -> Iterator[Case]:
    """A row for each point."""
    for one in points():
        yield Case({"source": one.source, "name": one.name, "width": one.width})


def in_its_area(one: Case) -> Iterator[Row]:
    """As many whole cores of ours as the point's area takes, of the design that does most then."""
    known = (one.known["source"], one.known["name"], one.known["width"])
    (point,) = (each for each in points() if (each.source, each.name, each.width) == known)
    row: Row = {"target": point.target, "area": point.area, "dsp": point.dsp}
    row["published_mops"] = round(point.rate, 3) if point.rate else None
    same = [each for each in ours() if (each.width, each.target) == (point.width, point.target)]
    same = [each for each in same if not each.dsp or point.dsp]
    if point.area is None or point.rate is None:
        why = "gates and ratios of times alone are printed" if point.area is None else "no cycles"
        yield row | {"missing": why}
        return
    if not same:
        yield row | {"missing": "no clock of ours on file"}
        return

    def copies(each: Ours) -> int:
        assert point.area is not None
        most = point.area // each.area
        return min(most, point.dsp // each.dsp) if each.dsp else most

    best = max(same, key=lambda each: copies(each) * each.rate)
    if not copies(best):
        least = min(each.area for each in same)
        yield row | {"missing": f"our smallest with a clock takes {least:,}", "met": False}
        return
    rate = copies(best) * best.rate
    yield row | {
        "ours": re.sub(r" moduli=1 checks=0$", "", best.design),
        "copies": copies(best),
        "our_area": copies(best) * best.area,
        "mops": round(rate, 3),
        "ratio": round(rate / point.rate, 2),
        "met": rate >= LEAST * point.rate,
    }


def source_goals(rows: Rows) -> dict[str, bool | None]:
    """Of each source: every design that can be compared; what cannot be is not measured."""
    found: dict[str, bool | None] = {}
    for source in (LE_MASLE, DALY, GALLIN, PAKZAD, TENCA):
        met = [row.get("met") for row in rows if row["source"] == source]
        goal = f"{source}: at least {LEAST:g} times the throughput of each design in its area"
        found[goal] = False if False in met else None if None in met else True
    return found


def lacking(rows: Rows) -> Iterator[str]:
    """How many rows of each source are missing, and why."""
    for source in dict.fromkeys(row["source"] for row in rows):
        own = [row for row in rows if row["source"] == source]
        why = [row["missing"] for row in own if "missing" in row and "met" not in row]
        if why:
            reasons = "; ".join(dict.fromkeys(why))
            yield f"{source}: {len(why)} of {len(own)} rows are missing: {reasons}"


# GMP ----------------------------------------------------------------------------------------------

PAPERS_SPEED = 16
"""Times GMP's speed, says the source of its design at p = 6, r = 8."""
BESIDE_GMP: dict[str, dict[str, Value]] = {
    "its p and r": {"stages": 6, "replicas": 8},
    "the tuner's choice": {"stages": 7, "replicas": 3, "final_sub": 0},
}
RUNS = 5


def gmp_cases() -> Iterator[Case]:
    """512 bits, as the source."""
    for which, settings in BESIDE_GMP.items():
        yield Case(
            {"which": which}, family("csa").design(512, settings), "xc5v",
            parts=("src/redcore/model/data/csa--xilinx6.json",),
        )  # fmt: skip


@cache
def gmp_rate(width: int) -> float:
    """Modular multiplications a second on one core: products reduced by division, in a chain.

    From Python, whose empty loop is subtracted; handling a number still takes some tens of ns.
    """
    source = random.Random(width)
    m = gmpy2.mpz(source.getrandbits(width) | 1 << (width - 1) | 1)
    a, b = gmpy2.mpz(source.randrange(m)), gmpy2.mpz(source.randrange(m))
    count, rates = 200_000 * SECONDS, []
    for _ in range(RUNS):
        began = time.process_time()
        for _ in repeat(None, count):
            a = a * b % m
        middle = time.process_time()
        for _ in repeat(None, count):
            pass
        rates.append(count / (2 * middle - began - time.process_time()))
    return statistics.median(rates)


def beside_gmp(one: Case) -> Iterator[Row]:
    """The model's clock is the source's equation with its constants, whichever design it is of."""
    assert one.design is not None
    expected = Predictor(target(one.target)).predict(one.design)
    assert expected.fmax_mhz is not None
    core, interval = gmp_rate(one.design.width), float(one.design.geometry.interval_cycles)
    mops = expected.fmax_mhz.value / interval
    yield {
        "interval": round(interval),
        "expected_mhz": round(expected.fmax_mhz.value, 1),
        "mops": round(mops, 2),
        "gmp_mops": round(core / 1e6, 2),
        "processor": processor(),
        "ratio": round(mops / (core / 1e6), 2),
        "published_ratio": PAPERS_SPEED if one.known["which"] == "its p and r" else None,
    }


STUDIES = [
    Study(
        "beside_sources",
        "throughput of each source's designs beside ours in the same area, from what is on file",
        ("source", "name", "width"),
        cases,
        in_its_area,
        {"source": "source", "name": "its design", "width": "bits", "target": "device",
         "area": "A", "dsp": "DSP", "published_mops": "million a second", "ours": "ours",
         "copies": "of them", "our_area": "A of ours", "mops": "million a second, estimated",
         "ratio": "ratio", "met": f"at least {LEAST:g}", "missing": "why not"},
        goals=source_goals,
        notes=lacking,
        shown=lambda rows: [row for row in rows if row["area"] is not None],
        computed=True,
    ),
    Study(
        "beside_gmp",
        "csa at 512 bits beside GMP on one core, as Le Masle 2009 has it",
        ("which",),
        gmp_cases,
        beside_gmp,
        {"which": "csa with", "interval": "interval", "expected_mhz": "MHz, by the source's model",
         "mops": "million a second", "gmp_mops": "GMP, one core", "processor": "processor",
         "ratio": "ratio", "published_ratio": "published"},
        tools=("gmpy2",),
        about={"source": LE_MASLE, "width": 512},
    ),
]  # fmt: skip
