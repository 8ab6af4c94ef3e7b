# SPDX-License-Identifier: Apache-2.0
"""Which mapped netlists are proved to be their RTL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from benchmarks.study import Case, Row, Rows, Study, case, tell
from redcore.catalogue import registered
from redcore.design import Value
from redcore.synthesize import target
from redcore.verify import prove_netlist

TARGETS = ("ecp5-85k", "xc7")
WIDTHS = (64, 256)
UNITS: dict[str, dict[str, Value]] = {"exp-csa": {"method": "ltr"}, "exp-carrychain": {}}
"""Units at the narrower width, with settings."""


def cases() -> Iterator[Case]:
    """Every family by default, on both technologies whose cells have models; some units."""
    for width in WIDTHS:
        for place in TARGETS:
            for name in registered():
                yield case(name, width, {}, place, family=name)
    for place in TARGETS:
        for name, settings in UNITS.items():
            yield case(name, WIDTHS[0], settings, place, family=name)


def proved(one: Case) -> Iterator[Row]:
    """One proof; synthesis is not counted in its seconds."""
    assert one.design is not None
    found = prove_netlist(one.design, target(one.known["target"]), progress=tell)
    yield {
        "verdict": found.status,
        "generic": "yes" if found.generic else "no",
        **found.registers,
        "compared": found.compared,
        "asked": found.asked,
        "seconds": found.seconds,
        "assumptions": found.assumptions,
        "reason": found.reason,
        "proof": found.command,
    }


def reached(rows: Rows) -> Mapping[str, bool | None]:
    """Nothing is wrong, and 64 bits on ECP5 are proved."""
    small = [
        row
        for row in rows
        if (row["width"], row["target"]) == (64, TARGETS[0]) and row["family"] in registered()
    ]
    return {
        "no netlist is wrong": (
            all(row.get("verdict") != "failed" for row in rows) if rows else None
        ),
        "every family is proved at 64 bits on ECP5": all(
            row.get("verdict") == "proved" for row in small
        )
        if len(small) == len(registered())
        else None,
    }


def left(rows: Rows) -> Iterator[str]:
    """What stands in the way, of each that is not proved."""
    for row in rows:
        if row.get("reason"):
            yield f"{row['family']}, {row['width']} bits, {row['target']}: {row['reason']}"


STUDIES = [
    Study(
        "netlists",
        "mapped netlists proved to be their RTL",
        ("family", "width", "target"),
        cases,
        proved,
        {
            "family": "family",
            "width": "bits",
            "target": "target",
            "verdict": "verdict",
            "generic": "generic form",
            "matched": "matched",
            "merged": "merged",
            "constant": "constant",
            "derived": "derived",
            "told": "told",
            "unread": "unread",
            "compared": "compared",
            "asked": "of them by ABC",
            "seconds": "seconds",
            "date": "date",
        },
        goals=reached,
        notes=left,
    ),
]
