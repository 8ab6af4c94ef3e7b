# SPDX-License-Identifier: Apache-2.0
"""A certificate says what was found of a bundle's design, and what was not looked at."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from redcore import certificate, cli, toolchain, verify
from redcore.bundle import BuildReport
from redcore.catalogue import family
from redcore.commands.options import amount
from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.moduli import modulus
from redcore.synthesize import mapped_netlist, target
from redcore.verify import CampaignEntry, CampaignResult, WidthResult
from redcore.verify.netlist import NetlistResult

pytestmark = pytest.mark.kept

FIELDS = {
    "date", "design", "family", "width", "parameters", "modulus", "target", "seed", "failures",
    "proofs", "not_proved", "assumptions", "netlist", "not_shown", "checks", "campaign",
    "coverage", "timing", "sources_sha256", "netlist_sha256", "redcore_sha256", "tool_versions",
    "commands", "statements",
}  # fmt: skip
TOOLS = {
    "bitwuzla", "coq", "abc", "yosys", "verilator", "gmp", "gmpy2", "python", "redcore", "g++",
    "make", *toolchain.NEXTPNR,
}  # fmt: skip
"""What a certificate has to tell the version of, or that it is missing."""
STATEMENTS = {
    "parameters", "hashes of files", "hash of the netlist", "proof: result", "proof: netlist",
    "check: GMP", "check: the bundle's own test bench", "campaign", "coverage", "timing: cycles",
    "timing: clock", "tools",
}  # fmt: skip
"""Of the bundle of ``report``, each with its date and command."""


BENCH_DATE = "2026-01-02T00:00:00+00:00"


def report(tmp_path: Path, name: str = "csa", width: int = 64) -> BuildReport:
    """Of a bundle of one file."""
    (tmp_path / "rtl").mkdir()
    (tmp_path / "rtl" / "a.sv").write_text("module a; endmodule\n")
    return BuildReport(
        family(name).design(width), modulus("p192") if name == "csa" else None, target("asic"),
        tmp_path, 1, {"build": "redcore build csa"}, {"yosys": "0.70"},
        files=["rtl/a.sv", "report.json"],
        dates={"test bench": BENCH_DATE, "check against GMP": "2026-01-01T00:00:00+00:00"},
        checks=[
            {"name": name, "vectors": 100, "mismatches": 0, "outcome": "passed",
             "constant_time": True} for name in ("GMP", "the bundle's own test bench")
        ],
    )  # fmt: skip


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What proofs and campaign give; a test changes it."""
    told: dict[str, Any] = {"status": "proved", "reason": "p is wrong", "failures": []}

    def prove(designs: Sequence[Design], *_: Any, **__: Any) -> list[WidthResult]:
        if told["status"] == "refused":
            raise BadInput("no description covers it")
        return [
            WidthResult(
                design=each.label(), property_name="result", status=told["status"],
                says="p is right", questions=1, seconds=0.1, assumptions=["m is odd"],
                reason=told["reason"],
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
    assert told["timing"]["target"] == "asic" and told.keys() == FIELDS
    assert (told["parameters"], told["modulus"]) == (
        family("csa").design(64).values,
        hex(modulus("p192").value),
    )
    assert told["failures"] == []
    words = shlex.split(told["commands"]["campaign"])
    asked = amount(words[words.index("--campaign") + 1])
    assert (asked.count, asked.multiplications) == (found["count"], True)


def test_each_statement_has_its_date_and_its_command(tmp_path: Path, found: dict[str, Any]) -> None:
    told, page = certified(report(tmp_path))
    stated = {each["statement"]: each for each in told["statements"]}
    assert stated.keys() == STATEMENTS and len(stated) == len(told["statements"])
    for each in stated.values():
        assert each.keys() == {"statement", "says", "date", "command"} and all(each.values())
        assert datetime.fromisoformat(each["date"]).utcoffset() == timedelta(0)
        assert each["command"] in told["commands"].values()
        row = f"| {each['statement']} | {each['says']} | {each['date']} | `{each['command']}` |"
        assert row in page
    assert stated["check: the bundle's own test bench"]["date"] == BENCH_DATE
    assert stated["timing: cycles"]["date"] == BENCH_DATE
    assert stated["check: GMP"]["date"] == "2026-01-01T00:00:00+00:00"
    asked = {name: stated[name]["command"].split() for name in ("proof: result", "campaign")}
    assert "--prove" in asked["proof: result"] and "--campaign" in asked["campaign"]
    assert stated["coverage"]["says"] == "1 of 2 cases met"
    assert told["coverage"] == {"cases": 2, "met": 1, "never_met": ["result: the sum is m"]}
    assert stated["hash of the netlist"]["says"] == "none"
    for name, value in {**told["parameters"], "width": 64, "modulus": told["modulus"],
                        "target": "asic", "seed": 1}.items():  # fmt: skip
        assert f"| {name} | {value} |" in page


def test_every_tool_is_named_or_said_to_be_missing(
    tmp_path: Path, found: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    told, page = certified(report(tmp_path))
    versions = told["tool_versions"]
    assert versions.keys() >= TOOLS and all(versions.values())
    assert re.search(r"\d+\.\d+", versions["gmp"]) and "ABC 1" in versions["abc"]
    for name, version in versions.items():
        assert f"| {name} | {version} | {certificate.ROLES[name]} |" in page
    # The same where nothing is installed.
    monkeypatch.setattr(toolchain, "package_version", lambda name: None)
    monkeypatch.setattr(toolchain, "_first_line", lambda *command: None)
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(certificate, "_netlist_proof", lambda report: None)
    (tmp_path / "again").mkdir()
    bare, page = certified(report(tmp_path / "again"))
    missing = {name for name, text in bare["tool_versions"].items() if text == "not there"}
    assert missing == TOOLS - {"python", "yosys"} | versions.keys() - TOOLS
    assert bare["tool_versions"]["yosys"] == "0.70"  # took part, as the report says
    assert f"| coq | not there | {certificate.ROLES['coq']} |" in page


def test_the_hash_of_redcore_itself_follows_its_files(
    tmp_path: Path, found: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of Python, harnesses and theorems; names count, too."""
    package, formal = tmp_path / "redcore", tmp_path / "formal"
    for folder, name in ((package, "a.py"), (package / "rtl", "b.sv"), (formal, "c.v")):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("text")
    monkeypatch.setattr(certificate, "__file__", str(package / "certificate.py"))
    monkeypatch.setattr(certificate, "formal_folder", lambda: formal)
    seen = [certificate._own_hash()]
    (package / "rtl" / "b.sv").write_text("hashed by itself")
    assert certificate._own_hash() == seen[0]
    for change in (
        lambda: (package / "a.py").write_text("other"),
        lambda: (formal / "c.v").write_text("other"),
        lambda: (package / "a.py").rename(package / "d.py"),
    ):
        change()
        seen.append(certificate._own_hash())
    assert len(set(seen)) == 4
    told, page = certified(report(tmp_path))
    assert told["redcore_sha256"] == seen[-1] and seen[-1] in page


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


def test_what_a_solver_gave_up_is_no_failure(tmp_path: Path, found: dict[str, Any]) -> None:
    found |= {"status": "undecided", "reason": "the solver gave up"}
    told, page = certified(report(tmp_path))
    assert [(e["status"], e["failed"]) for e in told["proofs"]] == [("undecided", False)]
    says = "result: undecided: the solver gave up"
    assert told["not_proved"] == says and told["failures"] == []
    assert f"- not proved: {says}" in page
    # A failure stays one, whatever its sentence mentions.
    found |= {"status": "failed", "reason": "undecided: an undecided one waits"}
    (tmp_path / "third").mkdir()
    with pytest.raises(CheckFailed, match="an undecided one"):
        certified(report(tmp_path / "third"))


@pytest.mark.parametrize("status", ["open", "unavailable"])
def test_all_that_is_not_proved_is_listed(
    status: str, tmp_path: Path, found: dict[str, Any]
) -> None:
    found |= {"status": status, "reason": "no description"}
    told, page = certified(report(tmp_path))
    assert told["not_proved"] == f"result: {status}: no description"
    assert f"- not proved: result: {status}: no description" in page


def test_the_certificate_s_own_files_have_hashes(tmp_path: Path, found: dict[str, Any]) -> None:
    files: dict[str, str] = {}
    certificate.certify(report(tmp_path), files.__setitem__)
    for name in ("certificate.json", "certificate.md"):
        digest = hashlib.sha256(files[name].encode()).hexdigest()
        assert f"{digest}  {name}\n" in files["certificate.sha256"]


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


def test_an_exponentiator_s_multiplier_is_proved_beside_it(
    tmp_path: Path, found: dict[str, Any]
) -> None:
    """The unit's proof is of any multiplier that keeps the contract: that its own one does is
    another proof, which stood nowhere."""
    told, page = certified(report(tmp_path, "exp-csa", 32))
    assert [e["property"] for e in told["proofs"]] == ["result", "multiplier: result"]
    assert "| multiplier: result | proved |" in page
    unit = told["commands"]["proofs"]
    assert unit.startswith("redcore verify exp-csa --width 32 ")
    beside = told["commands"]["multiplier"]
    assert beside.startswith("redcore verify csa --width 32 ") and beside.endswith(" --prove")
    of = {each["statement"]: each["command"] for each in told["statements"]}
    assert (of["proof: result"], of["proof: multiplier: result"]) == (unit, beside)


def test_no_command_for_a_multiplier_that_is_not_proved(
    tmp_path: Path, found: dict[str, Any]
) -> None:
    found["status"] = "refused"
    told, _ = certified(report(tmp_path, "exp-csa", 32))
    assert told["proofs"] == [] and "multiplier" not in told["commands"]


def test_a_multiplier_that_fails_fails_the_certificate(
    tmp_path: Path, found: dict[str, Any]
) -> None:
    found["status"] = "failed"
    with pytest.raises(CheckFailed, match="multiplier: result: p is wrong"):
        certified(report(tmp_path, "exp-csa", 32))


@pytest.mark.parametrize(
    ("generic", "status"), [(True, "proved"), (False, "proved"), (True, "failed")]
)
def test_which_form_of_the_rtl_is_meant_is_said(
    tmp_path: Path,
    found: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    generic: bool,
    status: str,
) -> None:
    """What is proved and simulated is the generic form, what ships may be another one."""
    entry = NetlistResult(
        "csa-64", "ecp5-85k", status, {}, {}, 1, 1, 0.1, [], "redcore verify", generic=generic
    ).as_entry()
    monkeypatch.setattr(certificate, "_netlist_proof", lambda report: dict(entry, failed=False))
    monkeypatch.setattr(certificate, "_netlist", lambda report: None)
    told, page = certified(replace(report(tmp_path), target=target("ecp5-85k")))
    shown = generic and status == "proved"
    assert (certificate.FORM in told["not_shown"]) != shown
    assert (f"- {certificate.FORM}" in page) != shown
    assert ("generic form is meant" in told["netlist"]["says"]) == generic


# A bundle as a user has it ------------------------------------------------------------------------


def answered(line: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What a command of the certificate answers as JSON; it has to end well."""
    program, *arguments = shlex.split(line)
    assert program == "redcore"
    assert cli.run([*arguments, "--json"]) == 0, capsys.readouterr().err
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def made(folder: Path, design: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The certificate of a bundle that was built for it."""
    line = f"redcore build {design} --modulus 251 --target ecp5-85k --certificate --vectors 100"
    answered(f"{line} --out {folder}", capsys)
    told: dict[str, Any] = json.loads((folder / "certificate.json").read_text())
    return told


def hashes_are_right(folder: Path, told: dict[str, Any]) -> bool:
    """As the certificate's own command sees it, by no Python."""
    command = shlex.split(told["commands"]["hashes"])
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


@pytest.mark.full
def test_a_bundle_s_certificate_is_true(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each field is found again, from the bundle's files or by the command that it names."""
    folder = tmp_path / "bundle"
    told = made(folder, "interleaved --width 8", capsys)
    page = (folder / "certificate.md").read_text()
    design, commands = family("interleaved").design(8), dict(told["commands"])
    assert (told["family"], told["width"], told["parameters"]) == ("interleaved", 8, design.values)
    assert told["modulus"] == "0xfb" and told["failures"] == [] and "**Failed:**" not in page
    assert told["design"] == design.command_line()
    assert told["not_shown"] == list(certificate.NOT_SHOWN)  # the netlist is proved
    assert told.keys() == FIELDS, "a field that no test looks at"
    # Sources and netlist.
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    assert told["sources_sha256"] == {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in files.items()
        if name not in certificate.OWN
    }
    assert any(name.startswith("rtl/") for name in told["sources_sha256"])
    netlist = mapped_netlist(design, target("ecp5-85k"))
    text = json.dumps(netlist, sort_keys=True).encode()
    assert told["netlist_sha256"] == hashlib.sha256(text).hexdigest()
    assert told["tool_versions"] == toolchain.every_version()
    assert told["redcore_sha256"] == certificate._own_hash()
    assert (told["target"], told["seed"]) == ("ecp5-85k", 1)
    proofs = {f"proof: {each['property']}" for each in told["proofs"]}
    checks = {f"check: {each['name']}" for each in told["checks"]}
    stated = {each["statement"] for each in told["statements"]}
    assert stated == STATEMENTS - {"check: GMP", "proof: result"} | proofs | checks
    assert len(checks) == 3 and len(proofs) > 8
    assert {each["command"] for each in told["statements"]} <= set(commands.values())
    days = {each["date"][:10] for each in told["statements"]} | {told["date"][:10]}
    assert days <= {f"{datetime.now(UTC) - timedelta(days=day):%Y-%m-%d}" for day in (0, 1)}
    # What was found is found again.
    proved = answered(commands.pop("proofs"), capsys)
    again = {(e["property"], e["status"]) for e in proved["properties"]}
    assert {(e["property"], e["status"]) for e in told["proofs"]} == again
    assert ("result", "proved") in again and told["not_proved"] == ""
    assert "m is odd or even but not zero, b is below m (the contract)" in told["assumptions"]
    assert all(text in page for text in told["assumptions"])
    (mapped,) = answered(commands.pop("netlist"), capsys)["properties"]
    assert told["netlist"]["status"] == mapped["status"] == "proved"
    assert told["netlist"]["assumptions"] == mapped["assumptions"]
    simulated = answered(commands.pop("campaign"), capsys)["campaign"]
    for name in ("vectors", "runs", "failed", "cases", "never_met"):
        assert told["campaign"][name] == simulated[name], name
    assert told["campaign"]["vectors"] == 20_000
    assert told["coverage"]["cases"] == len(simulated["cases"])
    assert told["coverage"]["never_met"] == simulated["never_met"]
    info = answered(commands.pop("parameters"), capsys)  # which names how many copies, too
    assert {**info["parameters"], **told["parameters"]} == info["parameters"]
    versions = answered(commands.pop("tools"), capsys)["versions"]
    assert versions == told["tool_versions"]
    timing = told["timing"]
    placed = answered(commands.pop("synthesize"), capsys)
    assert (timing["target"], timing["fmax_mhz"]) == ("ecp5-85k", placed["fmax_mhz"])
    checked = answered(commands.pop("simulate"), capsys)
    assert timing["latency_cycles"] == checked["latency_cycles"] == 9
    assert timing["interval_cycles"] == checked["interval_cycles"]
    assert timing["interval_estimated"] is False  # measured and counted are the same above
    assert timing["constant_time"] is checked["constant_time"] is True
    assert timing["fmax_estimated_mhz"] == placed["fmax_estimated_mhz"]
    # The rest of the commands: the bundle's own, in its folder, and the bundle again.
    assert hashes_are_right(folder, {"commands": {"hashes": commands.pop("hashes")}})
    built = commands.pop("build")
    assert str(folder) in built
    again_at = tmp_path / "again"
    answered(built.replace(str(folder), str(again_at)), capsys)
    repeated = json.loads((again_at / "certificate.json").read_text())
    assert repeated["sources_sha256"].keys() == told["sources_sha256"].keys()
    rtl = [name for name in told["sources_sha256"] if name.startswith(("rtl/", "tb/"))]
    assert all(repeated["sources_sha256"][name] == told["sources_sha256"][name] for name in rtl)
    assert repeated["netlist_sha256"] == told["netlist_sha256"]
    for line in commands.values():
        environment = os.environ | {"PYTHON": sys.executable}
        ran = subprocess.run(
            shlex.split(line), cwd=folder, env=environment, capture_output=True, check=False
        )
        assert ran.returncode == 0, (line, ran.stderr)
    # A source that was changed is told.
    assert hashes_are_right(folder, told)
    source = folder / rtl[0]
    source.write_text(source.read_text() + "\n")
    assert not hashes_are_right(folder, told)


@pytest.mark.full
def test_a_certificate_without_a_proof_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = made(tmp_path / "bundle", "scalable --width 32", capsys)
    page = (tmp_path / "bundle" / "certificate.md").read_text()
    assert told["proofs"] == [] and told["assumptions"] == []
    assert f"Nothing: {told['not_proved']}." in page and len(told["not_proved"]) > 20
    assert told["campaign"]["failed"] == 0 and hashes_are_right(tmp_path / "bundle", told)
