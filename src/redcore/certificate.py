# SPDX-License-Identifier: Apache-2.0
"""What is known of a bundle's very design: proved, assumed, simulated, timed, and how to see again.

A certificate says nothing that its commands do not repeat. What was not looked at is said, too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from redcore import toolchain, verify
from redcore.bundle import BuildReport
from redcore.bundle.report import CERTIFICATE, now
from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.progress import Counted
from redcore.synthesize import mapped_netlist, synthesis_keys
from redcore.toolchain import NEXTPNR
from redcore.units.exp.family import Exponentiator
from redcore.verify.harness import formal_folder

OWN = (*CERTIFICATE, "report.json", "report.md")
"""Files that are written once the others are there; a certificate does not name them in itself, and
the reports, the last ones, have no hash."""

MOST, LEAST, WORK = 20_000, 200, 4_000_000_000
"""Operations of the campaign, at most and at least, and the cycles times bits that they take."""

NETLIST = "that the mapped netlist does what the RTL does"
FORM = (
    "that the RTL with the device's slices, memories and adders does at this width what its generic"
    " form does, which proofs and campaign are of (redcore's own tests compare each such part with"
    " its generic form; the bundle's bench runs what ships)"
)
MULTIPLIER = "multiplier"
"""Before a property of an exponentiator's multiplier, and the command that proves these again."""
ROLES = {
    "redcore": "chooses, asks and tells",
    "python": "runs redcore",
    "verilator": "simulates",
    "g++": "compiles simulations",
    "make": "compiles simulations",
    "gmpy2": "reference arithmetic, by GMP",
    "gmp": "reference arithmetic",
    "pyosys": "brings Yosys and ABC",
    "yosys": "synthesizes, and reads RTL for proofs",
    "abc": "maps, and decides what gates do",
    "bitwuzla": "decides steps of words in proofs at width",
    "coq": "proves what holds for every width",
    **{f"{kind}{tool}": "places and routes" for kind in ("", "yowasp-") for tool in NEXTPNR},
    "cocotb": "benches of redcore's own tests",
    "edalize": "drives vendors' tools",
}
"""What the tools of a certificate are there for."""

NOT_SHOWN = ("what power, radiation or faults make of the hardware",)


def certify(
    report: BuildReport, add: Callable[[str, str], None], progress: Counted | None = None
) -> None:
    """Prove and simulate the design of a bundle, and write its certificate with ``add``.

    Raises CheckFailed, with the certificate written, where a proof or the campaign fails.
    """
    told = findings(report, progress)
    hashes: dict[str, str] = dict(told["sources_sha256"])
    data, text, sums = CERTIFICATE
    for name, content in ((data, json.dumps(told, indent=2) + "\n"), (text, page(told))):
        add(name, content)
        hashes[name] = hashlib.sha256(content.encode()).hexdigest()
    add(sums, "".join(f"{digest}  {name}\n" for name, digest in hashes.items()))
    if told["failures"]:
        raise CheckFailed("; ".join(told["failures"]))


def findings(report: BuildReport, progress: Counted | None = None) -> dict[str, Any]:
    """What ``certificate.json`` says."""
    design = report.design
    line = design.command_line()
    dates = {"begun": now()}
    beside = _multiplier(design)
    proofs, unproved = _proofs(report, beside)
    if not any(each["property"].startswith(MULTIPLIER) for each in proofs):
        beside = None
    dates["proofs"] = now()
    campaign, count = None, 0
    if not design.family.other_face:
        count = max(LEAST, min(MOST, int(WORK / verify.cost(design)))) // 100 * 100
        campaign = verify.multiplications(
            design.family, count, report.seed, progress, designs=[design]
        ).as_json()
        dates["campaign"] = now()
    failures = [f"{each['property']}: {each['reason']}" for each in proofs if each["failed"]]
    if campaign and campaign["failed"]:
        failures.append(f"{campaign['failed']} runs of the campaign failed")
    netlist = _netlist_proof(report)
    dates["netlist"] = now()
    if netlist and netlist["failed"]:
        failures.append(f"netlist: {netlist['reason']}")
    mapped = bool(netlist and netlist["proved"])
    same = not design.family.has_technology or not report.target.technology
    generic = same or bool(netlist and mapped and netlist["generic"])
    keys = synthesis_keys(report.synthesis)
    timing = ("latency_cycles", "interval_cycles", "interval_estimated", "constant_time")
    known = report.to_json()
    told = {
        "date": dates["netlist"],
        "design": line,
        "family": design.family.name,
        "width": design.width,
        "parameters": design.values,
        "modulus": known["modulus"],
        "target": report.target.name,
        "seed": report.seed,
        "failures": failures,
        "proofs": proofs,
        "not_proved": unproved,
        "assumptions": sorted({text for each in proofs for text in each["assumptions"]}),
        "netlist": netlist,
        "not_shown": [
            *([] if mapped else [NETLIST]),
            *([] if generic else [FORM]),
            *NOT_SHOWN,
        ],
        "checks": report.checks,
        "campaign": campaign,
        "coverage": _coverage(campaign),
        "timing": {name: known[name] for name in timing}
        | {"target": report.target.name}
        | {name: keys.get(name) for name in ("fmax_mhz", "fmax_estimated_mhz")},
        "sources_sha256": _hashes(report),
        "netlist_sha256": _netlist(report),
        "redcore_sha256": _own_hash(),
        "tool_versions": {**toolchain.every_version(), **report.tool_versions},
        "commands": report.commands
        | {"parameters": f"redcore info {line}".strip()}
        | {"tools": "redcore doctor"}
        | {"hashes": f"sha256sum --check --quiet {CERTIFICATE[2]}"}
        | {"proofs": _proving(line)}
        | ({MULTIPLIER: _proving(beside.command_line())} if beside else {})
        | ({"netlist": netlist["command"]} if netlist else {})
        | ({"campaign": _campaign_command(line, count, report.seed)} if campaign else {}),
    }
    return told | {"statements": list(_statements(told, report.dates, dates))}


def _statements(
    told: Mapping[str, Any], built: Mapping[str, str], dates: Mapping[str, str]
) -> Iterator[dict[str, str]]:
    """Each thing that is said: in which words, when it was found, and what finds it again.

    What redcore keeps of the same sources, tools and question counts as found when it was asked
    for. ``built`` has dates of the stages of the bundle, ``dates`` those of the certificate.
    """
    commands: Mapping[str, str] = told["commands"]
    begun = dates["begun"]

    def stated(what: str, says: str, when: str, command: str) -> dict[str, str]:
        command = commands.get(command, commands["build"])
        return {"statement": what, "says": says, "date": when, "command": command}

    yield stated("parameters", told["design"], begun, "parameters")
    files, netlist = len(told["sources_sha256"]), told["netlist"]
    yield stated("hashes of files", f"{files} files", told["date"], "hashes")
    digest = told["netlist_sha256"] or "none"
    yield stated("hash of the netlist", digest, told["date"], "build")
    for each in told["proofs"]:
        what = f"proof: {each['property']}"
        of = MULTIPLIER if each["property"].startswith(MULTIPLIER) else "proofs"
        yield stated(what, f"{each['status']}: {each['says']}", dates["proofs"], of)
    if not told["proofs"]:
        yield stated("proofs", f"none: {told['not_proved']}", dates["proofs"], "proofs")
    says = f"{netlist['status']}: {netlist['says']}" if netlist else "not looked at"
    yield stated("proof: netlist", says, dates["netlist"], "netlist")
    for each in told["checks"]:
        name = each["name"]
        if "test bench" in name:
            command = stage = "plain Verilog" if "plain" in name else "test bench"
        else:
            command, stage = "simulate", "check against GMP"
        says = f"{each['outcome']}: {each['vectors']:,} operations"
        yield stated(f"check: {name}", says, built.get(stage, begun), command)
    if told["campaign"]:
        says = f"{told['campaign']['vectors']:,} operations, {told['campaign']['failed']} runs fail"
        yield stated("campaign", says, dates["campaign"], "campaign")
        yield stated("coverage", _met(told["coverage"]), dates["campaign"], "campaign")
    timing = told["timing"]
    says = f"latency {timing['latency_cycles']}, interval {timing['interval_cycles']}"
    yield stated("timing: cycles", says, built.get("test bench", begun), "test bench")
    placed, estimated = timing["fmax_mhz"], timing["fmax_estimated_mhz"]
    says = "not placed, no estimate" if estimated is None else f"{estimated} MHz, estimated"
    says = says if placed is None else f"{placed} MHz, placed and routed"
    yield stated("timing: clock", says, built.get("synthesis", begun), "synthesize")
    yield stated("tools", f"{len(told['tool_versions'])} versions", begun, "tools")


def _coverage(campaign: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Which of the cases that the design can meet its campaign has met; None without one."""
    if campaign is None:
        return None
    never = campaign["never_met"]
    return {
        "cases": len(campaign["cases"]),
        "met": len(campaign["cases"]) - len(never),
        "never_met": never,
    }


def _met(coverage: Mapping[str, Any]) -> str:
    return f"{coverage['met']} of {coverage['cases']} cases met"


def _own_hash() -> str:
    """Of redcore's own sources, the harnesses and theorems of ``formal/`` among them.

    A version says less where redcore is run from a checkout.
    """
    package, digest = Path(__file__).resolve().parent, hashlib.sha256()
    own = {
        path.relative_to(package).as_posix(): path
        for path in package.rglob("*.*")
        if path.is_file()
    }
    files = {
        name: path for name, path in own.items()
        if path.suffix != ".pyc" and name.split("/")[0] not in ("formal", "rtl")
    }  # fmt: skip
    files |= {f"formal/{path.name}": path for path in formal_folder().glob("*.*")}
    for name in sorted(files):
        digest.update(f"{hashlib.sha256(files[name].read_bytes()).hexdigest()}  {name}\n".encode())
    return digest.hexdigest()


def _campaign_command(line: str, count: int, seed: int) -> str:
    return f"redcore verify {line} --campaign {count / 1000:g}k --seed {seed}"


def _proving(line: str) -> str:
    return f"redcore verify {line} --prove".replace("  ", " ")


def _multiplier(design: Design) -> Design | None:
    """The multiplier of which an exponentiator's proof assumes that it keeps its contract."""
    unit = design.family
    if isinstance(unit, Exponentiator):
        return unit.multiplier_design(design.width, design.values)
    return None


def _proofs(report: BuildReport, beside: Design | None) -> tuple[list[dict[str, Any]], str]:
    """Entries of all properties, or none, and what is not proved and why.

    An exponentiator's proof is of any multiplier; ``beside`` is its own one, which is proved, too.
    """
    design = report.design
    if design.family.other_face or not verify.can_be_proved(design):
        return [], f"{design.family.name} has no proofs"
    try:
        entries = [found.as_entry() for found in verify.prove_at_width([design])]
    except BadInput as error:
        return [], str(error)
    if beside is not None:
        try:
            of_it = [found.as_entry() for found in verify.prove_at_width([beside])]
        except BadInput as error:
            return entries, f"{MULTIPLIER}: {error}"
        entries += [each | {"property": f"{MULTIPLIER}: {each['property']}"} for each in of_it]
    rest = [each for each in entries if not (each["proved"] or each["failed"])]
    return entries, "; ".join(
        ": ".join(filter(None, (each["property"], each["status"], each["reason"]))) for each in rest
    )


def _hashes(report: BuildReport) -> dict[str, str]:
    return {
        name: hashlib.sha256((report.bundle / name).read_bytes()).hexdigest()
        for name in sorted(report.files)
        if name not in OWN
    }


def _netlist(report: BuildReport) -> str | None:
    """Of the mapped netlist as JSON with sorted keys; None where the target's tool gives none."""
    if report.synthesis is None:
        return None
    try:
        netlist = mapped_netlist(report.design, report.target)
    except BadInput:
        return None
    return hashlib.sha256(json.dumps(netlist, sort_keys=True).encode()).hexdigest()


def _netlist_proof(report: BuildReport) -> dict[str, Any] | None:
    """Whether the netlist is the RTL; None where there is no netlist whose cells have models."""
    if report.synthesis is None:
        return None
    try:
        return verify.prove_netlist(report.design, report.target).as_entry()
    except BadInput:
        return None


def page(told: Mapping[str, Any]) -> str:
    """What ``certificate.md`` says."""
    lines = [f"# Certificate of {told['design']}", "", f"Of {told['date']}.", ""]
    lines += ["| parameter | value |", "|---|---|"]
    exact = {"width": told["width"], **told["parameters"], "modulus": told["modulus"]}
    exact |= {"target": told["target"], "seed": told["seed"]}
    lines += [f"| {name} | {value} |" for name, value in exact.items() if value is not None]
    lines.append("")
    lines += [f"**Failed:** {failure}" for failure in told["failures"]]
    lines += ["", "## Proved", ""]
    if told["proofs"]:
        lines += ["| property | status | what it says |", "|---|---|---|"]
        lines += [f"| {e['property']} | {e['status']} | {e['says']} |" for e in told["proofs"]]
        lines += ["", *(f"- assumed: {text}" for text in told["assumptions"])]
        lines += [f"- not proved: {told['not_proved']}"] if told["not_proved"] else []
    else:
        lines.append(f"Nothing: {told['not_proved']}.")
    if netlist := told["netlist"]:
        reason = f": {netlist['reason']}" if netlist["reason"] else ""
        lines += ["", f"Netlist for {netlist['target']}, {netlist['says']}: "
                  f"{netlist['status']}{reason}."]  # fmt: skip
        lines += [f"- assumed: {text}" for text in netlist["assumptions"]]
    lines += ["", "## Simulated", ""]
    campaign = told["campaign"]
    if campaign:
        lines.append(
            f"{campaign['vectors']:,} operations with stalls against GMP, {campaign['failed']} of"
            f" {campaign['runs']} runs failed; {_met(told['coverage'])}."
        )
        lines += [f"- never met: {case}" for case in campaign["never_met"]]
    else:
        lines.append("Only by the bundle's own checks.")
    for check in told["checks"]:
        lines.append(f"- {check['name']}: {check['vectors']:,} operations, {check['outcome']}")
    lines += ["", "## Timing", ""]
    lines += [f"- {name}: {value}" for name, value in told["timing"].items() if value is not None]
    lines += ["", "## Not shown", "", *(f"- {text}" for text in told["not_shown"])]
    lines += ["", "## Tools", "", "| tool | version | for |", "|---|---|---|"]
    lines += [
        f"| {name} | {version} | {ROLES.get(name, '')} |"
        for name, version in told["tool_versions"].items()
    ]
    lines += [
        "",
        "## Again",
        "",
        "Each statement, when it was found (UTC), and what finds it again.",
        "",
    ]
    lines += ["| statement | | date | command |", "|---|---|---|---|"]
    lines += [
        f"| {e['statement']} | {e['says']} | {e['date']} | `{e['command']}` |"
        for e in told["statements"]
    ]
    lines.append("")
    lines += ["## Hashes (SHA-256)", "", "| file | hash |", "|---|---|"]
    lines += [f"| {name} | `{value}` |" for name, value in told["sources_sha256"].items()]
    lines.append(f"| mapped netlist | {told['netlist_sha256'] or 'none'} |")
    lines.append(f"| redcore itself | {told['redcore_sha256']} |")
    return "\n".join(lines) + "\n"
