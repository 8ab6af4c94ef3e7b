# SPDX-License-Identifier: Apache-2.0
"""What of the RTL its own benches cover at small widths: lines and toggles, by module.

Verilator counts both in each simulation. A line or a bit counts as covered where one simulated
design of any parameters covers it, and as a gap where the RTL has it for some design and none
does. A bit has two toggles, up and down.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from covered_parts import FOLDER, alone, digest, digests, is_kept, keep, run_part, test_files
from covered_python import percent
from covered_reasons import of_lines, of_signal
from figures import table, versions, write

from redcore import rtl
from redcore.simulate.compile import COVERAGE

PARTS = FOLDER / "rtl"
_NAMED = 6
"""Gaps without a reason that the table names; the record has all."""
GOAL = 98.0
PLAN = {
    # of each test file the tests that run RTL as it is, at small widths
    "test_families": "exhaustive_at_width_4 or parameter_at_its_ends",
    "test_contract": "contract_holds",
    "test_carrychain": "test_exhaustive_at_width_4",
    "test_cios": "several_digits",
    "test_radix4": "inside_exhaustively",
    "test_scalable": "exhaustive_beyond or precision_changes",
    "test_csa": "known_cycles",
    "test_adders": "adder_and_subtractor",
    "test_blocks": "keep_their_words or keep_the_order or keeps_the_order or hands_on or reads",
    "test_array": "exhaustive_at_width_5 or frames_shorter",
    "test_fold": "every_pair or of_every_kind",
    "test_solinas": "every_pair or of_every_kind or as_they_are_drawn",
    "test_productscan": "exhaustive_beyond or of_every_kind",
    "test_tablechain": "exhaustive_beyond",
    "test_tableserial": "exhaustive_beyond or words_of_every_kind",
    "test_exp": "shapes or every_multiplier or illegal_numbers or place_that_is_not_there"
    " or length_is_set or two_multipliers or job_in_flight or moduli_keep",
    "test_exp_r2": "every_odd_modulus or two_sizes",
    "test_exp_memory": "exhaustive_with_two_words or large_tables",
    "test_modmul": "every_multiplier or exhaustive or chosen_at_run_time or in_flight_together",
    "test_copies": "every_product",
    "test_curve": "every_point or products_cycles or what_is_refused or gets_in_between",
    "test_curve_weierstrass": "every_point or on_every_multiplier or what_is_refused",
    "test_curve_edwards": "every_point or malformed or scalar_parts or every_signature",
    "test_curve_kummer": "every_point or every_scalar or what_is_refused",
    "test_curve_ecdsa": "tiny_curve or key_and_nonce or is_not_signed or is_not_verified",
    "test_curve_multipliers": "every_point or products_cycles or refused_job",
    "test_curve_clear": "clear_in_each_cycle",
    "test_curve_random": "stuck_source or dead_from_the_start or same_cycles",
    "test_curve_drawn": "drawn_designs",
    "test_bus": "registers_on_a_bus or streams",
    "test_mul_several": "contract_timing",
    "test_mul_slice": "two_cycles_later",
    "test_mul_wide_narrow": "both_halves or place_that_is_not_there",
    "test_prime_tester": "twelve_bits or hard_numbers or past_the_width or after_a_reset",
    "test_prime_generator": "model_finds or every_prime or stuck_source",
    "test_prime_residues": "zero_tells or any_modulus",
    "test_random_repetition": "every_string",
    "test_rsa": "random_commands_answer or each_error or operands_wait or stuck_random"
    " or source_that_stalls or exactly_the_width or without_key_generation or only_where_that",
    "test_axi": "stand_in or on_the_core",
}
_STAND_INS = {"rsa_stand_in.sv": "redc_rsa_(axi|stream)"}
"""What works in benches with that file; the multiplier beside a stand-in does not."""
_POINT = re.compile(r"^C '(.*)' (\d+)$")

Points = dict[str, dict[str, Counter[str]]]
"""How often each point was passed, by module and kind (line, toggle), by where and what it is."""


def run(files: Sequence[str], jobs: str) -> int:
    """Run the test files of the plan whose coverage is not kept; 1 where a test failed."""
    failed = 0
    for test_file in test_files(files):
        told = PARTS / f"{test_file.stem}.json"
        chosen = ("-k", PLAN.get(test_file.stem, ""), "-m", "not full")
        if test_file.stem not in PLAN or is_kept(told, chosen):
            continue
        with alone(PARTS / test_file.stem) as free:
            failed += free and not _run_part(test_file, told, chosen, jobs)
    return int(failed > 0)


def _run_part(test_file: Path, told: Path, chosen: Sequence[str], jobs: str) -> bool:
    """Whether the tests of one file passed."""
    folder = PARTS / test_file.stem
    (folder / "counts").mkdir()
    before = digests(rtl.rtl_folder().glob("*.sv"))
    (folder / "begun.json").write_text(json.dumps(before), encoding="utf-8")
    part = run_part(
        test_file,
        folder,
        ("-n", jobs, "--no-verdicts", *chosen),
        {COVERAGE: str(folder / "counts")},
    )
    found = points((folder / "counts").glob("*.dat"))
    shutil.rmtree(folder / "counts")
    known = {name: then for name, then in before.items() if Path(name).stem in found}
    own = {"options": chosen, "files": known | digests([test_file]), "points": found}
    keep(told, part | own)
    return bool(part["passed"])


def points(files: Iterable[Path]) -> Points:
    """All that was counted, added up; of the library's modules alone."""
    folder = rtl.rtl_folder()
    library = {path.stem for path in folder.glob("*.sv")}
    found: Points = defaultdict(lambda: defaultdict(Counter))
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")
        work = next((modules for name, modules in _STAND_INS.items() if f"/{name}\1" in text), "")
        for row in text.splitlines():
            if match := _POINT.match(row):
                fields = dict(
                    part.split("\x02", 1) for part in match[1].split("\x01") if "\x02" in part
                )
                page, _, module = fields["page"].partition("/")
                module = module.partition("__")[0]  # with parameters: its name and theirs
                kind = page.removeprefix("v_").replace("branch", "line")
                # a bench may have a module of its own under a library's name
                ours = module in library and Path(fields["f"]).parent.name == folder.name
                ours &= not work or bool(re.match(work, module))
                if ours and kind in ("line", "toggle"):
                    column = f".{fields['n']}" if kind == "line" else ""
                    what = f"{fields['l']}{column}: {fields.get('o', '')}"
                    found[module][kind][what] += int(match[2])
    return found


def _cut() -> Iterator[dict[str, Any]]:
    """Parts that have not ended, with what they have covered so far."""
    for begun in sorted(PARTS.glob("test_*/begun.json")):
        counts = begun.parent / "counts"
        if counts.is_dir():
            files = sorted(counts.glob("*.dat"))
            yield {
                "test_file": begun.parent.name,
                "passed": None,
                "last": f"cut after {len(files)} simulations",
                "cpu_seconds": None,
                "date": date.today().isoformat(),
                "files": json.loads(begun.read_text(encoding="utf-8")),
                "points": points(files),
            }


def _together(parts: Iterable[Mapping[str, Any]]) -> Points:
    """The points of all parts, of modules as they are now."""
    found: Points = defaultdict(lambda: defaultdict(Counter))
    for part in parts:
        for module, kinds in part["points"].items():
            file = rtl.rtl_folder() / f"{module}.sv"
            if part["files"].get(f"rtl/{module}.sv") == digest(file):
                for kind, counts in kinds.items():
                    found[module][kind].update(counts)
    return found


_BIT = re.compile(r"^(\d+): (.*?)((?:\[\d+\])*):(0->1|1->0)$")


def gaps(counts: Mapping[str, int]) -> dict[str, list[str]]:
    """Toggles that never were, by signal: bits, and whether they never rose or never fell."""
    named: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for what, count in counts.items():
        if not count and (match := _BIT.match(what)):
            named[match[2]][match[3]].add("rises" if match[4] == "0->1" else "falls")
    return {
        signal: [
            bit + (" never moves" if len(ways) == 2 else f" never {min(ways)}")
            for bit, ways in bits.items()
        ]
        for signal, bits in named.items()
    }


def rows(found: Points, origin: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row for each module of the library that was simulated."""
    result = []
    for module, kinds in sorted(found.items()):
        row: dict[str, Any] = {"module": module}
        for kind in ("line", "toggle"):
            counts = kinds.get(kind, {})
            covered = sum(count > 0 for count in counts.values())
            row |= {f"{kind}s": len(counts), f"{kind}s_covered": covered}
            row[f"{kind}_percent"] = percent(covered, len(counts))
        source = (rtl.rtl_folder() / f"{module}.sv").read_text(encoding="utf-8").splitlines()
        reasons = of_lines(kinds.get("line", {}), source)
        row["line_gaps"] = [
            {
                "line": f"{what}: {source[int(what.partition('.')[0]) - 1].strip()}",
                "reason": words,
            }
            for what, words in reasons.items()
        ]
        row["toggle_gaps"] = [
            {
                "signal": signal,
                "bits": bits,
                "toggles": sum(1 + bit.endswith("moves") for bit in bits),
                "reason": of_signal(module, signal, bits, "\n".join(source)),
            }
            for signal, bits in gaps(kinds.get("toggle", {})).items()
        ]
        digest_now = rtl.digest(rtl.sources(module))
        result.append(row | {"rtl_sha256": {module: digest_now}, **origin})
    return result


def record() -> None:
    """Write the record of all parts that are kept."""
    parts = [json.loads(path.read_text("utf-8")) for path in sorted(PARTS.glob("test_*.json"))]
    parts += _cut()
    ran = {Path(part["test_file"]).stem for part in parts}
    origin = {
        "command": "python benchmarks/covered.py rtl",
        "tool_versions": versions("verilator"),
        "date": date.today().isoformat(),
    }
    found = rows(_together(parts), origin)
    all_: dict[str, Any] = {"module": "all"}
    for kind in ("line", "toggle"):
        points_, covered = (sum(row[f"{kind}s{end}"] for row in found) for end in ("", "_covered"))
        all_ |= {f"{kind}s": points_, f"{kind}s_covered": covered}
        all_[f"{kind}_percent"] = percent(covered, points_)
        all_[f"{kind}s_open"] = sum(
            gap.get("toggles", 1)
            for row in found
            for gap in row[f"{kind}_gaps"]
            if not gap["reason"]
        )
    modules = {path.stem for path in rtl.rtl_folder().glob("*.sv")}
    packages = {name for name in modules if name.endswith("_pkg")}
    figures = {
        "command": origin["command"],
        "lines": "rows",
        "goal_percent": GOAL,
        "all": all_,
        "not_simulated": sorted(modules - packages - {row["module"] for row in found}),
        "not_run": sorted(PLAN.keys() - ran),
        "tests": [
            {key: part[key] for key in ("test_file", "last", "passed", "cpu_seconds", "date")}
            for part in parts
        ],
        "rows": found,
    }
    columns = {
        "module": "module", "line_percent": "lines, %", "lines": "of",
        "toggle_percent": "toggles, %", "toggles": "of ", "gaps": "not covered",
    }  # fmt: skip
    short = [f"{part['test_file']} ({part['last']})" for part in parts if part["passed"] is None]
    lacking = ", ".join([*sorted(PLAN.keys() - ran), *short])
    together = (
        f"All modules together: {all_['line_percent']} % of {all_['lines']:,} lines and "
        f"{all_['toggle_percent']} % of {all_['toggles']:,} toggles; "
        f"{all_['lines_open']:,} lines and {all_['toggles_open']:,} toggles that are not covered "
        "have no reason yet.\n"
    )
    if lacking:
        together += f"\nNot run, or not to the end: {lacking}.\n"
    told = [row | {"gaps": _told(row)} for row in found]
    write("coverage_rtl", figures, f"{table(told, columns)}\n{together}")


def _told(row: Mapping[str, Any]) -> str:
    """The gaps of a module in words: reasons, and what has none by its name."""
    words: dict[str, int] = Counter()
    without = []
    for gap in row["line_gaps"]:
        if gap["reason"]:
            words[gap["reason"]] += 1
        else:
            without.append(f"line {gap['line'].partition('.')[0]}")
    for gap in row["toggle_gaps"]:
        if gap["reason"]:
            words[gap["reason"]] += gap["toggles"]
        else:
            without.append(f"`{gap['signal']}`")
    more = [f"{len(without) - _NAMED} more"] if len(without) > _NAMED else []
    names = ", ".join([*dict.fromkeys(without[:_NAMED]), *more])
    return "; ".join(
        [*(f"{number} {each}" for each, number in words.items()), *filter(None, [names])]
    )
