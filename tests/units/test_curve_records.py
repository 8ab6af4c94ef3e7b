# SPDX-License-Identifier: Apache-2.0
"""What is recorded of curve processors by formulas alone is what the formulas say now."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from benchmarks.studies.curve_bounds import STUDIES as BOUNDS  # noqa: E402  no installed package
from benchmarks.studies.curves import STUDIES as CURVES  # noqa: E402
from benchmarks.study import Case, Study  # noqa: E402

pytestmark = pytest.mark.kept(reads=("benchmarks",))

COMPUTED = {each.name: each for each in (*BOUNDS, *CURVES) if each.computed}
QUICK = {
    "curve_loops": {"cios", "csa", "barrett", "tablechain"},
    "curve_bounds": {"p192"},
    "curve_cycles": {"x25519"},
}
"""By what is known of a case; all others in the full tier."""


def of_study(study: Study) -> list[Any]:
    def in_quick(one: Case) -> bool:
        known = {str(each) for each in one.known.values()}
        cheap = study.name != "curve_bounds" or bool(known & {"cios", "csa"})
        return bool(known & QUICK[study.name]) and cheap

    return [
        pytest.param(
            study, one,
            id=" ".join([study.name, *(str(one.known[name]) for name in study.key
                                       if name in one.known)]),
            marks=[] if in_quick(one) else [pytest.mark.full],
        )
        for one in study.cases()
    ]  # fmt: skip


def rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((ROOT / "benchmarks" / f"{name}.json").read_text())[
        "rows"
    ]
    return found


@pytest.mark.parametrize(
    ("study", "one"), [each for study in COMPUTED.values() for each in of_study(study)]
)
def test_a_row_is_what_the_formulas_say(study: Study, one: Case) -> None:
    """Nothing else tells that a row without RTL is old."""
    recorded = study.rows_of(one, rows(study.name))
    computed = json.loads(json.dumps(list(study.run(one))))
    assert recorded == computed


def test_sentences_quote_the_table() -> None:
    quoted = {row["name"]: row for row in rows("prose")}
    for row in rows("curve_cycles"):
        if f"{row['curve']}_job" in quoted:
            assert quoted.pop(f"{row['curve']}_job")["latency_cycles"] == row["cycles"]
    assert not [name for name in quoted if name.endswith("_job")]
