# SPDX-License-Identifier: Apache-2.0
"""Measured tables in the documents: ``python -m redcore.generate.figures`` rewrites them.

A table stands between ``<!-- figures: NAME -->`` and ``<!-- end of figures -->`` and is the content
of ``benchmarks/NAME.md``, which ``python -m benchmarks NAME`` writes. What of it is not of the
present RTL is marked, or named below it, as is what is not known to be: RTL changes faster than all
figures can be made anew.
A figure within a sentence stands between ``<!-- figure: ROW.KEY -->`` and ``<!-- end -->`` and is
of the row of that name in ``benchmarks/prose.json``; ``ROW.age`` is where older RTL is told.
Between ``<!-- figure: NAME[KEY=VALUE ...].COLUMN -->`` and ``<!-- end -->`` it is of the row of
``benchmarks/NAME.json`` with these values, marked if that is of older RTL; between ``<!-- goal:
NAME: SENTENCE -->`` and ``<!-- end -->`` stands whether that goal of the record is met. Between
``<!-- dates: NAME -->``, or ``NAME[KEY=VALUE ...]``, and ``<!-- end -->`` stand the first and the
last date of these rows, marked if one is of older RTL.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from redcore import rtl
from redcore.errors import BadInput
from redcore.generate import generated

_SECTION = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)
_FIGURE = re.compile(r"(<!-- figure: (\w+)\.(\w+) -->).*?(<!-- end -->)", re.DOTALL)
_OF_ROW = re.compile(r"(<!-- figure: (\w+)\[([^\]]+)\]\.(\w+) -->).*?(<!-- end -->)", re.DOTALL)
_GOAL = re.compile(r"(<!-- goal: (\w+): (.+?) -->).*?(<!-- end -->)", re.DOTALL)
_DATES = re.compile(r"(<!-- dates: (\w+)(?:\[([^\]]+)\])? -->).*?(<!-- end -->)", re.DOTALL)
VERDICTS = {True: "met", False: "missed", None: "not measured"}
OLDER_FIGURE = ", measured on older RTL"
OLDER_MODELS = "- models of older RTL: "
OLDER_ROWS = "- of older RTL: "
MARK = "†"
MARKED = f"- {MARK} of older RTL"
MARKED_PARTS = f"{MARKED}, or by an older check or model"
"""Of rows that say which of redcore's own files they rest on, too."""
_NAMED = 5
"""Rows of older RTL up to which each is named; of more they are counted by family."""
OF_SOURCES = "- of the sources of "
UNKNOWN = "- which RTL these figures are of was not recorded"
UNKNOWN_ROWS = "- which RTL the other rows are of was not recorded"


def contents() -> dict[Path, str]:
    """Every page of the documents with its tables as the benchmarks last wrote them."""
    root = generated.repository()
    # Pages quote a record many times.
    record_of = cache(_record)

    def of_row(match: re.Match[str]) -> str:
        return f"{match[1]}{figure_of(record_of(match[2]), match[3], match[4])}{match[5]}"

    def verdict(match: re.Match[str]) -> str:
        record = record_of(match[2])
        # a goal of what has no row yet is not in the record
        met = record.get("goals", {}).get(match[3])
        # a goal does not say which rows it looks at
        mark = f" {MARK}" if met is not None and any(map(is_old, record["rows"])) else ""
        return f"{match[1]}{VERDICTS[met]}{mark}{match[4]}"

    def dated(match: re.Match[str]) -> str:
        return f"{match[1]}{dates_of(record_of(match[2]), match[3] or '')}{match[4]}"

    def printed(match: re.Match[str]) -> str:
        table = (root / "benchmarks" / f"{match[2]}.md").read_text(encoding="utf-8")
        # the page has its own licence line
        _, _, measurements = table.partition("\n")
        record = record_of(match[2])
        told = "".join(f"{line}\n" for line in age(record))
        marked = _marked(measurements.rstrip(), record)
        return f"{match[1]}{marked}\n{told and chr(10) + told}{match[3]}"

    named = {row["name"]: row for row in record_of("prose")["rows"]}

    def quoted(match: re.Match[str]) -> str:
        row = named[match[2]]
        age = OLDER_FIGURE if is_old(row) else ""
        return f"{match[1]}{age if match[3] == 'age' else format(row[match[3]], ',')}{match[4]}"

    found = {}
    rules = (
        (_SECTION, printed), (_FIGURE, quoted), (_OF_ROW, of_row), (_GOAL, verdict), (_DATES, dated)
    )  # fmt: skip
    for path in [root / "SECURITY.md", *sorted((root / "docs").rglob("*.md"))]:
        text = path.read_text(encoding="utf-8")
        for pattern, written in rules:
            text = pattern.sub(written, text)
        found[path] = text
    return found


def _record(name: str) -> dict[str, Any]:
    path = generated.repository() / "benchmarks" / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def figure_of(record: Mapping[str, Any], chosen: str, column: str) -> str:
    """A figure of the one row of a record that has these values, ``KEY=VALUE ...``, in quotes where
    there are spaces in one.

    Where there is no such row it has not been measured. Raises KeyError where no row has the
    column, ValueError where several rows are meant.
    """
    rows = _chosen(record, chosen)
    if len(rows) > 1:
        raise ValueError(f"{len(rows)} rows have {chosen}")
    if not any(column in row for row in record["rows"]):
        raise KeyError(column)
    value = rows[0].get(column) if rows else None
    if value is None:
        return "-"
    if isinstance(value, float):
        said = f"{value:,.2f}" if value < 10 else f"{value:,.1f}"
    else:
        said = format(value, ",") if isinstance(value, int) else str(value)
    return f"{said} {MARK}" if is_old(rows[0]) else said


def dates_of(record: Mapping[str, Any], chosen: str) -> str:
    """When the rows of a record that have these values were measured: first and last day."""
    rows = _chosen(record, chosen)
    if not rows:
        return VERDICTS[None]
    days = [row["date"] for row in rows]
    first, last = min(days), max(days)
    said = first if first == last else f"{first} to {last}"
    return f"{said} {MARK}" if any(map(is_old, rows)) else said


def _chosen(record: Mapping[str, Any], chosen: str) -> list[Mapping[str, Any]]:
    """The rows that have these values, ``KEY=VALUE ...``."""
    wanted = dict(each.split("=", 1) for each in shlex.split(chosen))
    return [
        row
        for row in record["rows"]
        if all(str(row.get(key, "")) == value for key, value in wanted.items())
    ]


def _marked(text: str, record: Mapping[str, Any]) -> str:
    """A table with a mark behind the first cell of each row of older RTL, if its lines are rows."""
    if not _by_line(record):
        return text
    title, rule, *lines = text.split("\n")
    for at, row in enumerate(record["rows"]):
        if is_old(row):
            first, rest = lines[at].split(" | ", 1)
            lines[at] = f"{first} {MARK} | {rest}"
    return "\n".join([title, rule, *lines])


def _by_line(record: Mapping[str, Any]) -> bool:
    return record.get("lines") == "rows"


def age(record: Mapping[str, Any]) -> list[str]:
    """What of a benchmark's record is not of the present RTL, or not known to be, a line each.

    A record names the models that it rests on; each row has a hash of the RTL of its design, of all
    its family or of each of its modules, from the run that measured it; where it is of no RTL, of
    the files of the repository that it rests on. A record that is ``computed`` from formulas is of
    no RTL, nor is one of Python's sources, whose day is told: ``python_only``.
    """
    lines = []
    old = [name for name in record.get("models", ()) if _is_stale(name)]
    if old:
        lines.append(OLDER_MODELS + ", ".join(old))
    if record.get("python_only"):
        lines.append(f"{OF_SOURCES}{record['date']}")
    if "rows" not in record:
        return [*lines, UNKNOWN]
    rows = measured(record)
    unknown = [each for each in rows if not {"rtl_sha256", "parts_sha256"} & each.keys()]
    named = [_called(each) for each in rows if is_old(each)]
    older = list(dict.fromkeys(named))
    if older and _by_line(record):
        lines.append(MARKED_PARTS if any("parts_sha256" in each for each in rows) else MARKED)
        older = []
    if len(older) > _NAMED:
        counts = Counter(name.partition(" ")[0] for name in named)
        older = [f"{count} row{'s' * (count > 1)} of {name}" for name, count in counts.items()]
    if older:
        lines.append(OLDER_ROWS + ", ".join(older))
    if unknown:
        lines.append(UNKNOWN if len(unknown) == len(rows) else UNKNOWN_ROWS)
    return lines


def measured(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The rows of a record that were measured on RTL, not computed or predicted."""
    rows = [each for each in record.get("rows", ()) if isinstance(each, Mapping)]
    if record.get("computed") or record.get("python_only"):
        return []
    if record.get("models") and not any("design" in r for r in rows):
        return []
    return rows


def is_old(row: Mapping[str, Any]) -> bool:
    """Whether the RTL that a row says it was measured on is not the present one any more, or what
    else it rests on: files of the repository, by name or by a pattern of names."""
    parts: Mapping[str, str] = row.get("parts_sha256", {})
    if any(_of_part(name) != digest for name, digest in parts.items()):
        return True
    then = row.get("rtl_sha256")
    if isinstance(then, Mapping):
        return any(_of_module(module) != digest for module, digest in then.items())
    if then is None:
        return False
    now = _of_design(row["design"]) if "design" in row else _of_family(row["family"])
    return bool(then != now)


def _called(row: Mapping[str, Any]) -> str:
    rests = row.get("rtl_sha256", row.get("parts_sha256", ()))
    return str(row.get("design") or row.get("family") or ", ".join(rests))


def parts_hashes(names: Iterable[str]) -> dict[str, str]:
    """Of files of the repository, as rows have them; a name with a star stands for all that it
    matches, whose names count, too."""
    return {name: _of_part(name) for name in names}


@cache
def _of_part(name: str) -> str:
    root = generated.repository()
    if "*" in name:
        every = sorted(path for path in root.glob(name) if path.is_file())
        told = (
            f"{path.relative_to(root).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}"
            for path in every
        )
        return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16] if every else ""
    path = root / name
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""


@cache
def _of_module(module: str) -> str | None:
    try:
        return rtl.digest(rtl.sources(module))
    except FileNotFoundError:  # it is no more
        return None


@cache
def _of_family(name: str) -> str:
    from redcore.catalogue import family
    from redcore.model import models

    return models.source_hash(family(name))


@cache
def _of_design(line: str) -> str | None:
    """The hash of the RTL of a design as the command line names it; None if it is legal no more."""
    from redcore.catalogue import design_of

    try:
        return rtl.digest(design_of(line).sources())
    except BadInput:
        return None


@cache
def _is_stale(name: str) -> bool:
    """Whether a model that comes with redcore, named as its file, is of older RTL."""
    from redcore.model import models

    return models.load(models.SHIPPED / f"{name}.json").is_stale


if __name__ == "__main__":
    generated.write(contents())
