# SPDX-License-Identifier: Apache-2.0
"""What is proved by induction of a design as it ships, at which width and in what time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from benchmarks.study import Case, Row, Rows, Study, case, tell
from redcore.design import Value
from redcore.verify import prove_at_width
from redcore.verify.induction import SAYS

CASES: tuple[tuple[str, dict[str, Value], tuple[int, ...]], ...] = (
    ("interleaved", {}, (8, 64, 256)),
    ("interleaved", {"word": 0, "pace": 1}, (1024, 2048)),
    ("csa", {"stages": 1, "replicas": 1}, (64, 256, 1024, 2048)),
    ("barrett", {}, (64, 256)),
    ("barrett", {"word": 0}, (1024,)),
    ("barrett", {"digit": 4}, (64, 256)),
    ("radix4", {}, (31, 64, 256)),
    ("radix4", {"split": 1}, (1024, 2048)),
    ("systolic", {}, (8, 64, 256, 1024)),
    ("carrychain", {}, (8, 64, 256, 1024, 2048)),
    ("tablechain", {}, (8, 64, 256)),
    ("tablechain", {"storage": "lutram"}, (1024, 2048)),
    ("tableserial", {}, (8, 64, 256)),
    ("tableserial", {"word": 34}, (256,)),
    ("cios", {}, (256, 512, 1024)),
    ("exp-csa", {"method": "window"}, (64, 256)),
    ("exp-csa", {"method": "ltr"}, (64, 256)),
    ("exp-csa", {"method": "ltr", "final_sub": 0}, (256,)),
    ("exp-csa", {"method": "ladder"}, (64, 256)),
    ("exp-csa", {"method": "rtl"}, (64, 256)),
)


def cases() -> Iterator[Case]:
    """The families that have such a proof, at widths that take minutes."""
    for name, settings, widths in CASES:
        said = " ".join(f"{key}={value}" for key, value in settings.items())
        for width in widths:
            yield case(name, width, settings, family=name, settings=said)


def proved(one: Case) -> Iterator[Row]:
    """All properties of one design, Coq's included, asked anew."""
    assert one.design is not None
    tell(f"reading proofs of {one.design.label()}")
    began = time.monotonic()
    found = prove_at_width([one.design], keep=False)
    by_status: dict[str, list[str]] = {}
    for each in found:
        by_status.setdefault(getattr(each, "status", "bounded"), []).append(each.property_name)
    rest = [f"{status}: {', '.join(by_status[status])}" for status in by_status if status != PROVED]
    assumptions: dict[str, list[str]] = {}
    for each in found:
        for assumption in each.assumptions:
            assumptions.setdefault(assumption, []).append(each.property_name)
    yield {
        "proved": ", ".join(by_status.get(PROVED, [])),
        "rest": "; ".join(rest),
        "wrong": by_status.get("failed", []),
        "questions": sum(each.questions for each in found if hasattr(each, "questions")),
        "seconds": round(time.monotonic() - began, 1),
        "assumptions": "; ".join(
            text if len(of) > len(found) / 2 else f"{text} ({', '.join(of)})"
            for text, of in assumptions.items()
        ),
    }


PROVED = "proved"


WHOLE = ("interleaved", "csa", "barrett", "radix4", "systolic", "carrychain", "tablechain",
         "tableserial")  # fmt: skip
"""Families that are proved wholly by default parameters (of csa those are in ``settings``)."""


def none_wrong(rows: Rows) -> Mapping[str, bool | None]:
    """No property fails, and the families whose description is whole are proved wholly."""
    own = [
        row
        for row in rows
        if row["family"] in WHOLE and row["width"] >= 256 and "digit" not in row["settings"]
    ]
    return {
        "no property fails": not any(row["wrong"] for row in rows if "wrong" in row),
        f"{', '.join(WHOLE)}: every property at 256 bits and more": (
            all(len(row["proved"].split(", ")) == len(SAYS) for row in own)
            if {row["family"] for row in own} == {*WHOLE}
            else None
        ),
    }


STUDIES = [
    Study(
        "at_width",
        "what is proved by induction of designs as they ship",
        ("family", "settings", "width"),
        cases,
        proved,
        {
            "family": "family",
            "settings": "settings",
            "width": "bits",
            "proved": "proved",
            "rest": "not proved",
            "questions": "questions",
            "seconds": "seconds",
            "assumptions": "assumptions left",
            "date": "date",
        },
        tools=("pyosys",),
        goals=none_wrong,
    ),
]
