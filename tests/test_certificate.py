# SPDX-License-Identifier: Apache-2.0
"""A certificate says what was found of a bundle's design, and what was not looked at."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from redcore import certificate, verify
from redcore.bundle import BuildReport
from redcore.catalogue import family
from redcore.commands.options import amount
from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.moduli import modulus
from redcore.synthesize import target
from redcore.verify import CampaignEntry, CampaignResult, WidthResult

pytestmark = pytest.mark.kept


def report(tmp_path: Path, name: str = "csa", width: int = 64) -> BuildReport:
    """Of a bundle of one file."""
    (tmp_path / "rtl").mkdir()
    (tmp_path / "rtl" / "a.sv").write_text("module a; endmodule\n")
    return BuildReport(
        family(name).design(width), modulus("p192") if name == "csa" else None, target("asic"),
        tmp_path, 1, {"build": "redcore build csa"}, {"yosys": "0.70"},
        files=["rtl/a.sv", "report.json"],
    )  # fmt: skip


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What proofs and campaign give; a test changes it."""
    told: dict[str, Any] = {"status": "proved", "failures": []}

    def prove(designs: Sequence[Design], *_: Any, **__: Any) -> list[WidthResult]:
        if told["status"] == "refused":
            raise BadInput("no description covers it")
        return [
            WidthResult(
                design=each.label(), property_name="result", status=told["status"],
                says="p is right", questions=1, seconds=0.1, assumptions=["m is odd"],
                reason="p is wrong",
            )
            for each in designs
        ]  # fmt: skip

    def simulated(core: Any, count: int, *_: Any, designs: Sequence[Design]) -> CampaignResult:
        told["count"] = count
        line = designs[0].command_line()
        cases = {"a is 0": 3, "result: the sum is m": 0}
        entry = CampaignEntry(line, count, told["failures"], cases)
        return CampaignResult(core.name, 1, 0, [entry])

    monkeypatch.setattr(verify, "prove_at_width", prove)
    monkeypatch.setattr(verify, "multiplications", simulated)
    return told


def certified(of: BuildReport) -> tuple[dict[str, Any], str]:
    files: dict[str, str] = {}
    certificate.certify(of, files.__setitem__)
    return json.loads(files["certificate.json"]), files["certificate.md"]


def test_a_certificate_says_what_was_found(tmp_path: Path, found: dict[str, Any]) -> None:
    told, page = certified(report(tmp_path))
    assert told["design"] == family("csa").design(64).command_line()
    assert [(e["property"], e["proved"]) for e in told["proofs"]] == [("result", True)]
    assert told["assumptions"] == ["m is odd"] and "assumed: m is odd" in page
    text = (tmp_path / "rtl" / "a.sv").read_bytes()
    assert told["sources_sha256"] == {"rtl/a.sv": hashlib.sha256(text).hexdigest()}
    assert told["campaign"]["never_met"] == ["result: the sum is m"]
    assert "never met: result: the sum is m" in page and "1 of 2 cases met" in page
    assert told["timing"]["latency_cycles"] == family("csa").design(64).geometry.latency_cycles
    assert told["netlist_sha256"] is None  # nothing was synthesized
    assert told["failures"] == []
    words = shlex.split(told["commands"]["campaign"])
    asked = amount(words[words.index("--campaign") + 1])
    assert (asked.count, asked.multiplications) == (found["count"], True)


@pytest.mark.parametrize(
    ("change", "says"),
    [({"status": "failed"}, "result: p is wrong"), ({"failures": ["wrong"]}, "1 runs")],
)
def test_what_fails_is_written_and_fails(
    tmp_path: Path, found: dict[str, Any], change: dict[str, Any], says: str
) -> None:
    found |= change
    files: dict[str, str] = {}
    with pytest.raises(CheckFailed, match=says):
        certificate.certify(report(tmp_path), files.__setitem__)
    assert says in json.loads(files["certificate.json"])["failures"][0]
    assert f"**Failed:** {says}" in files["certificate.md"]


def test_what_was_not_looked_at_is_said(tmp_path: Path, found: dict[str, Any]) -> None:
    found["status"] = "refused"
    told, page = certified(report(tmp_path))
    assert told["proofs"] == [] and told["not_proved"] == "no description covers it"
    assert "Nothing: no description covers it." in page
    assert all(text in page for text in certificate.NOT_SHOWN)


def test_a_unit_with_a_face_of_its_own(tmp_path: Path, found: dict[str, Any]) -> None:
    told, page = certified(report(tmp_path, "prime-csa", 32))
    assert told["campaign"] is None and told["not_proved"] == "prime-csa has no proofs"
    assert "count" not in found
    assert "campaign" not in told["commands"]
    assert "Only by the bundle's own checks" in page
