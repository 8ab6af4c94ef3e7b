# SPDX-License-Identifier: Apache-2.0
"""What is known of a bundle's very design: proved, assumed, simulated, timed, and how to see again.

A certificate says nothing that its commands do not repeat. What was not looked at is said, too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from redcore import verify
from redcore.bundle import BuildReport
from redcore.errors import BadInput, CheckFailed
from redcore.progress import Counted
from redcore.synthesize import mapped_netlist, synthesis_keys

FILES = ("certificate.json", "certificate.md", "certificate.sha256")
OWN = (*FILES, "report.json", "report.md")
"""Files that change once the others are there; a certificate has no hash of them."""

MOST, LEAST, WORK = 20_000, 200, 4_000_000_000
"""Operations of the campaign, at most and at least, and the cycles times bits that they take."""

NETLIST = "that the mapped netlist does what the RTL does"
NOT_SHOWN = ("what power, radiation or faults make of the hardware",)


def certify(
    report: BuildReport, add: Callable[[str, str], None], progress: Counted | None = None
) -> None:
    """Prove and simulate the design of a bundle, and write its certificate with ``add``.

    Raises CheckFailed, with the certificate written, where a proof or the campaign fails.
    """
    told = findings(report, progress)
    add(FILES[0], json.dumps(told, indent=2) + "\n")
    add(FILES[1], page(told))
    hashes = told["sources_sha256"].items()
    add(FILES[2], "".join(f"{digest}  {name}\n" for name, digest in hashes))
    if told["failures"]:
        raise CheckFailed("; ".join(told["failures"]))


def findings(report: BuildReport, progress: Counted | None = None) -> dict[str, Any]:
    """What ``certificate.json`` says."""
    design = report.design
    line = design.command_line()
    proofs, unproved = _proofs(report)
    campaign, count = None, 0
    if not design.family.other_face:
        count = max(LEAST, min(MOST, int(WORK / verify.cost(design)))) // 100 * 100
        campaign = verify.multiplications(
            design.family, count, report.seed, progress, designs=[design]
        ).as_json()
    failures = [f"{each['property']}: {each['reason']}" for each in proofs if each["failed"]]
    if campaign and campaign["failed"]:
        failures.append(f"{campaign['failed']} runs of the campaign failed")
    netlist = _netlist_proof(report)
    if netlist and netlist["failed"]:
        failures.append(f"netlist: {netlist['reason']}")
    mapped = bool(netlist and netlist["proved"])
    keys = synthesis_keys(report.synthesis)
    timing = ("latency_cycles", "interval_cycles", "interval_estimated", "constant_time")
    known = report.to_json()
    return {
        "design": line,
        "family": design.family.name,
        "width": design.width,
        "parameters": design.values,
        "modulus": known["modulus"],
        "failures": failures,
        "proofs": proofs,
        "not_proved": unproved,
        "assumptions": sorted({text for each in proofs for text in each["assumptions"]}),
        "netlist": netlist,
        "not_shown": [*([] if mapped else [NETLIST]), *NOT_SHOWN],
        "campaign": campaign,
        "timing": {name: known[name] for name in timing}
        | {"target": report.target.name}
        | {name: keys.get(name) for name in ("fmax_mhz", "fmax_estimated_mhz")},
        "sources_sha256": _hashes(report),
        "netlist_sha256": _netlist(report),
        "tool_versions": report.tool_versions,
        "commands": report.commands
        | {"hashes": f"sha256sum --check --quiet {FILES[2]}"}
        | {"proofs": f"redcore verify {line} --prove".replace("  ", " ")}
        | ({"netlist": netlist["command"]} if netlist else {})
        | ({"campaign": _campaign_command(line, count, report.seed)} if campaign else {}),
    }


def _campaign_command(line: str, count: int, seed: int) -> str:
    return f"redcore verify {line} --campaign {count / 1000:g}k --seed {seed}"


def _proofs(report: BuildReport) -> tuple[list[dict[str, Any]], str]:
    """Entries of all properties, or none, and what is not proved and why."""
    design = report.design
    if design.family.other_face or design.family.kind != "mul":
        return [], f"{design.family.name} has no proofs"
    try:
        entries = [found.as_entry() for found in verify.prove_at_width([design])]
    except BadInput as error:
        return [], str(error)
    undecided = [each for each in entries if each["status"] == "undecided"]
    return entries, "; ".join(f"{each['property']}: {each['reason']}" for each in undecided)


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
    lines = [f"# Certificate of {told['design']}", ""]
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
        met = len(campaign["cases"]) - len(campaign["never_met"])
        lines.append(
            f"{campaign['vectors']:,} operations with stalls against GMP, {campaign['failed']} of"
            f" {campaign['runs']} runs failed; {met} of {len(campaign['cases'])} cases met."
        )
        lines += [f"- never met: {case}" for case in campaign["never_met"]]
    else:
        lines.append("Only by the bundle's own checks, which the report lists.")
    lines += ["", "## Timing", ""]
    lines += [f"- {name}: {value}" for name, value in told["timing"].items() if value is not None]
    lines += ["", "## Not shown", "", *(f"- {text}" for text in told["not_shown"])]
    lines += ["", "## Tools", ""]
    lines += [f"- {name} {version}" for name, version in told["tool_versions"].items()]
    lines += ["", "## Again", "", "```sh", *told["commands"].values(), "```", ""]
    lines += ["## Hashes (SHA-256)", "", "| file | hash |", "|---|---|"]
    lines += [f"| {name} | `{value}` |" for name, value in told["sources_sha256"].items()]
    lines.append(f"| mapped netlist | {told['netlist_sha256'] or 'none'} |")
    return "\n".join(lines) + "\n"
