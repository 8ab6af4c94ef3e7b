# SPDX-License-Identifier: Apache-2.0
"""No table in the documents passes off a model or a measurement of older RTL as a present one."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from benchmarks import study  # noqa: E402  the repository's folder, which is no installed package

from redcore import rtl  # noqa: E402
from redcore.catalogue import family  # noqa: E402
from redcore.errors import BadInput  # noqa: E402
from redcore.generate import figures  # noqa: E402
from redcore.model import models  # noqa: E402

SECTION = re.compile(r"<!-- figures: (\w+) -->\n(.*?)<!-- end of figures -->", re.DOTALL)
FIGURE = re.compile(r"<!-- figure: (\w+)\.(\w+) -->(.*?)<!-- end -->", re.DOTALL)
OF_ROW = re.compile(r"<!-- figure: (\w+)\[([^\]]+)\]\.(\w+) -->(.*?)<!-- end -->", re.DOTALL)
GOAL = re.compile(r"<!-- goal: (\w+): (.+?) -->(.*?)<!-- end -->", re.DOTALL)
DESIGN = family("csa").design(32)


def printed() -> list[tuple[str, str, str, dict[str, Any]]]:
    """Page, name, text and record of every table in the documents."""
    found = [
        (str(page.relative_to(ROOT)), match[1], match[2])
        for page in sorted((ROOT / "docs").rglob("*.md"))
        for match in SECTION.finditer(page.read_text(encoding="utf-8"))
    ]
    assert found
    return [
        (page, name, text, json.loads((ROOT / "benchmarks" / f"{name}.json").read_text("utf-8")))
        for page, name, text in found
    ]


def test_what_is_printed_of_a_stale_model_says_so() -> None:
    """A table that quotes a model, by name or in a record of predictions, marks the stale ones."""
    stale = {path.stem for path in models.SHIPPED.glob("*.json") if models.load(path).is_stale}
    quoting = [each for each in printed() if "models" in each[3] or "cross_validated" in each[3]]
    assert quoting
    unmarked = []
    for page, name, text, record in quoting:
        marks = [line for line in text.splitlines() if line.startswith(figures.OLDER_MODELS)]
        told = set(", ".join(marks).removeprefix(figures.OLDER_MODELS).split(", ")) - {""}
        wanted = stale & set(record["models"])
        unmarked += [f"{page}, {name}: {each}" for each in sorted(wanted ^ told)]
    assert not unmarked, f"stale models without a mark, or marked and present: {unmarked}"


def is_old(row: dict[str, Any]) -> bool:
    """Whether a row has the hash of other RTL than its design, family or modules have now."""
    then = row.get("rtl_sha256")
    for name, digest in row.get("parts_sha256", {}).items():
        text = (
            (ROOT / name).read_bytes()
            if "*" not in name
            else "\n".join(
                f"{file.relative_to(ROOT)} {hashlib.sha256(file.read_bytes()).hexdigest()}"
                for file in sorted(ROOT.glob(name))
            ).encode()
        )
        if hashlib.sha256(text).hexdigest()[:16] != digest:
            return True
    if isinstance(then, dict):
        if not all((rtl.rtl_folder() / f"{module}.sv").is_file() for module in then):
            return True  # a module of it has another name now, or is no more
        return then != {module: rtl.digest(rtl.sources(module)) for module in then}
    if then is None:
        return False
    if "design" not in row:
        return bool(models.source_hash(family(row["family"])) != then)
    core, _, rest = row["design"].partition(" --width ")
    width, _, sets = rest.partition(" --set ")
    try:
        design = family(core).design(int(width), family(core).parse_settings(sets.split()))
    except BadInput:
        return True  # there is no such design any more
    return bool(rtl.digest(design.sources()) != then)


def called(row: dict[str, Any]) -> str:
    rests = row.get("rtl_sha256", row.get("parts_sha256", ()))
    return str(row.get("design") or row.get("family") or ", ".join(rests))


def unnamed(lines: list[str], rows: list[dict[str, Any]]) -> list[str]:
    """What is of older RTL and not named below a table, or named and of the present."""
    named = ", ".join(line for line in lines if line.startswith(figures.OLDER_ROWS))
    old = [called(row) for row in rows if is_old(row)]
    counts = Counter(each.partition(" ")[0] for each in old)
    missed = [
        each
        for each in dict.fromkeys(old)
        if each not in named
        and not re.search(
            rf"\b{counts[each.partition(' ')[0]]} rows? of {each.partition(' ')[0]}\b", named
        )
    ]
    return missed + [named] * (bool(named) and not old)


@pytest.mark.kept(reads=("benchmarks", "docs"))
def test_what_is_printed_of_older_measurements_says_so() -> None:
    """Each row of older RTL is named below its table; so is that the RTL was not recorded."""
    unmarked = []
    for page, name, text, record in printed():
        if record.get("computed") or (record.get("models") and "figures" not in record["rows"][0]):
            continue  # formulas, or predictions alone
        if record.get("python_only"):
            continue  # of no RTL
        lines = text.splitlines()
        rows = record.get("rows", [{}])
        if record.get("lines") == "rows":
            cells = [line.split(" | ")[0] for line in lines if line.startswith("| ")][2:]
            assert len(cells) == len(rows), (page, name)
            for cell, row in zip(cells, rows, strict=True):
                if cell.endswith(figures.MARK) != is_old(row):
                    unmarked.append(f"{page}, {name}: {called(row)}")
            if any(map(is_old, rows)) != bool({figures.MARKED, figures.MARKED_PARTS} & {*lines}):
                unmarked.append(f"{page}, {name}: the mark is not explained, or without use")
        else:
            unmarked += [f"{page}, {name}: {each}" for each in unnamed(lines, rows)]
        without = sum(not {"rtl_sha256", "parts_sha256"} & row.keys() for row in rows)
        if without and not {figures.UNKNOWN, figures.UNKNOWN_ROWS} & {*lines}:
            unmarked.append(f"{page}, {name}: the RTL of {without} rows was not recorded")
    assert not unmarked, f"measurements of older or unknown RTL without a mark: {unmarked}"


def test_figures_in_sentences_are_of_their_row() -> None:
    """A measured one stands beside its mark of older RTL; a computed one is computed anew."""
    text = (ROOT / "benchmarks" / "prose.json").read_text("utf-8")
    rows = {row["name"]: row for row in json.loads(text)["rows"]}
    quoted = set()
    for page in sorted((ROOT / "docs").rglob("*.md")):
        found = FIGURE.findall(page.read_text(encoding="utf-8"))
        ages = {name: text for name, key, text in found if key == "age"}
        for name, key, printed_text in found:
            quoted.add(name)
            row = rows[name]
            if "rtl_sha256" in row:
                assert ages[name] == (figures.OLDER_FIGURE if is_old(row) else ""), (page, name)
            else:
                assert key == "latency_cycles"
                core, _, rest = row["design"].partition(" --width ")
                width, _, sets = rest.partition(" --set ")
                design = family(core).design(int(width), family(core).parse_settings(sets.split()))
                assert row[key] == design.geometry.latency_cycles
            if key != "age":
                assert printed_text == f"{row[key]:,}", (page, name, key)
    assert quoted == {*rows}


def quoted_of_records() -> list[tuple[str, re.Pattern[str], tuple[str, ...]]]:
    """Page, kind and parts of every figure and verdict that is quoted from a record."""
    return [
        (str(page.relative_to(ROOT)), pattern, match)
        for page in sorted((ROOT / "docs").rglob("*.md"))
        for pattern in (OF_ROW, GOAL)
        for match in pattern.findall(page.read_text(encoding="utf-8"))
    ]


def test_figures_and_verdicts_are_those_of_their_records() -> None:
    """A figure is its row's, with the mark of older RTL; a goal is one of its study's."""
    wrong, found = [], quoted_of_records()
    assert {pattern for _, pattern, _ in found} == {OF_ROW, GOAL}
    for page, pattern, (name, what, *rest) in found:
        record = json.loads((ROOT / "benchmarks" / f"{name}.json").read_text("utf-8"))
        if pattern is GOAL:
            met = record.get("goals", {}).get(what)  # none where there is no row yet
            said = {True: "met", False: "missed"}.get(met, "not measured")
            aged = met is not None and any(map(is_old, record["rows"]))
            wrong += [(page, name, what)] * (rest != [said + f" {figures.MARK}" * aged])
            continue
        (column, text), keys = rest, dict(each.split("=", 1) for each in shlex.split(what))
        rows = [row for row in record["rows"] if all(str(row.get(k)) == v for k, v in keys.items())]
        assert len(rows) <= 1, (page, name, what)
        number, marked = text.removesuffix(f" {figures.MARK}"), text.endswith(figures.MARK)
        value = rows[0][column] if rows else None
        if value in (None, "-"):
            wrong += [(page, name, what)] * (number != "-")
            continue
        shown = 10.0 ** -len(number.partition(".")[2])  # the last digit that is
        if abs(float(number.replace(",", "")) - value) > 0.51 * shown or marked != is_old(rows[0]):
            wrong.append((page, name, what))
    assert not wrong, "python -m redcore.generate.figures"


def test_a_figure_of_a_row_that_is_not_there() -> None:
    record = {"rows": [{"width": 8, "mhz": 1234.56}, {"width": 9, "mhz": None}, {"width": 9}]}
    assert figures.figure_of(record, "width=8", "mhz") == "1,234.6"
    assert figures.figure_of(record, "width=10", "mhz") == "-"
    named = {"rows": [{"what": "cios, sigma=3", "ms": 0.5}]}
    assert figures.figure_of(named, 'what="cios, sigma=3"', "ms") == "0.50"
    assert figures.figure_of({"rows": record["rows"][:2]}, "width=9", "mhz") == "-"
    with pytest.raises(ValueError, match="2 rows have width=9"):
        figures.figure_of(record, "width=9", "mhz")
    with pytest.raises(KeyError):
        figures.figure_of(record, "width=8", "ghz")
    row = {"design": DESIGN.command_line(), "rtl_sha256": "0" * 16, "lut": 1_000}
    assert figures.figure_of({"rows": [row]}, f"lut={1_000}", "lut") == f"1,000 {figures.MARK}"


def test_a_tree_is_another_with_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what is in files, and by their names; and a row that counts a tree names it."""
    monkeypatch.setattr(figures.generated, "repository", lambda: tmp_path)
    file = tmp_path / "rtl" / "part" / "a.sv"
    file.parent.mkdir(parents=True)
    seen = []
    for change in (
        lambda: file.write_text("module a;"),
        lambda: file.write_text("module b;"),
        lambda: file.rename(file.with_name("b.sv")),
        lambda: file.write_text("module a;"),
        lambda: (tmp_path / "rtl" / "a.py").write_text("no RTL"),
    ):
        change()
        figures._of_part.cache_clear()
        seen.append(figures.parts_hashes(["rtl/**/*.sv"])["rtl/**/*.sv"])
    figures._of_part.cache_clear()
    assert len(set(seen)) == 4 and seen[-1] == seen[-2] and all(seen)
    assert figures.parts_hashes(["src/**/*.py"]) == {"src/**/*.py": ""}
    figures._of_part.cache_clear()
    cases = {str(one.known["what"]): one.parts for one in study.studies()["shape"].cases()}
    assert {"rtl/**/*.sv"} < set(cases["lines of RTL"])
    assert {"src/**/*.py"} < set(cases["lines of Python"])
    assert all(len(parts) > 1 for parts in cases.values())


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, []),
        ({"rows": 1}, [f"{figures.OLDER_ROWS}{DESIGN.command_line()}"]),
        ({"none": 1}, [figures.UNKNOWN]),
        ({"no rows": 1}, [figures.UNKNOWN]),
        ({"one more": 1}, [figures.UNKNOWN_ROWS]),
        ({"module": 1}, [f"{figures.OLDER_ROWS}redc_rsa"]),
        ({"family": 1}, [f"{figures.OLDER_ROWS}csa"]),
        ({"gone": 1}, [f"{figures.OLDER_ROWS}redc_gone"]),
        ({"computed": 1}, []),
        ({"lines": 1}, [figures.MARKED]),
        ({"parts": 1}, [figures.MARKED_PARTS]),
        ({"tree": 1}, [f"{figures.OLDER_ROWS}rtl/**/*.sv"]),
        ({"files alone": 1}, [f"{figures.OLDER_ROWS}LICENSE, README.md"]),
        ({"python only": 1}, [f"{figures.OF_SOURCES}2026-11-23"]),
        ({"models": 1}, [f"{figures.OLDER_MODELS}csa--ecp5"]),
    ],
    ids=lambda each: "-".join(each) if isinstance(each, dict) else "",
)
def test_age_of_a_record(
    change: dict[str, int], told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"design": DESIGN.command_line(), "rtl_sha256": rtl.digest(DESIGN.sources())}
    record: dict[str, Any] = {"models": ["csa--ecp5"], "rows": [row]}
    if "rows" in change:
        row["rtl_sha256"] = "0" * 16
    if "none" in change:
        del row["rtl_sha256"]
    if "one more" in change:
        record["rows"] = [row, {"design": DESIGN.command_line()}]
    if "module" in change:
        record["rows"] = [row, {"rtl_sha256": {"redc_rsa": "0" * 16}}]
    if "gone" in change:
        record["rows"] = [row, {"rtl_sha256": {"redc_gone": "0" * 16}}]
    if "family" in change:
        then = {"rtl_sha256": models.source_hash(DESIGN.family)}
        record["rows"] = [row, {"family": "csa", "rtl_sha256": "0" * 16}, {"family": "csa", **then}]
    if "lines" in change:
        record |= {"lines": "rows", "rows": [row, {**row, "rtl_sha256": "0" * 16}]}
    if "parts" in change:
        parts = figures.parts_hashes(["LICENSE", "README.md"])
        older = {**row, "parts_sha256": {**parts, "LICENSE": "0" * 16}}
        record |= {"lines": "rows", "rows": [{**row, "parts_sha256": parts}, older]}
    if "files alone" in change:
        parts = figures.parts_hashes(["LICENSE", "README.md"])
        record = {"rows": [{"parts_sha256": parts}, {"parts_sha256": {**parts, "LICENSE": "0"}}]}
    if "tree" in change:
        now = figures.parts_hashes(["rtl/**/*.sv"])
        rows = [{"parts_sha256": now}, {"parts_sha256": {"rtl/**/*.sv": "0" * 16}}]
        assert [is_old(each) for each in rows] == [False, True]
        record = {"rows": rows}
    if "python only" in change:
        record = {"python_only": True, "date": "2026-11-23", "rows": [{"module": "cache"}]}
    if "no rows" in change:
        record = {"spaces": {}}
    if "computed" in change:
        record = {"computed": True, "rows": [{"width": 8}]}
    monkeypatch.setattr(figures, "_is_stale", lambda name: "models" in change)
    assert figures.age(record) == told
