# SPDX-License-Identifier: Apache-2.0
"""A design on a target as the tools see it, and its steps: mapped by Yosys, placed by nextpnr.

Every step's outcome goes to the result store (:mod:`redcore.synthesize.store`): a netlist is
synthesized once, another seed repeats place and route only, and an interrupted run loses no more
than the step it was in.
"""

from __future__ import annotations

import json
import re
import shlex
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from redcore import toolchain
from redcore.design import Design
from redcore.errors import CheckFailed
from redcore.progress import Told
from redcore.synthesize import estimate, harness, run
from redcore.synthesize.dsp_blocks import crowding
from redcore.synthesize.harness import CLOCK, wrap
from redcore.synthesize.result import SynthesisResult, TimingPath
from redcore.synthesize.store import Store, key_of
from redcore.synthesize.targets import Target, cell_faces
from redcore.synthesize.targets.asic import PS_PER_FO4, nand2_area

FREQUENCY_MHZ = 400
"""The clock asked of nextpnr. Any value from 250 to 600 gave bit-identical results."""

_NEXTPNR_FLAGS = (
    "--timing-allow-fail", "--freq", str(FREQUENCY_MHZ),
    "--json", "netlist.json", "--report", "report.json",
)  # fmt: skip

_WRITE = "write_json netlist.json"
_HARNESS_SOURCE = Path(harness.__file__).read_text(encoding="utf-8")
"""Part of the key of what was placed with a harness."""


@dataclass(frozen=True)
class SynthesisJob:
    """A design on a target as the tools see it: file contents and commands, with no path in it."""

    design: Design
    module: str
    target: Target
    sources: Mapping[str, bytes]
    script: tuple[str, ...]
    versions: Mapping[str, str]

    @classmethod
    def of(cls, design: Design, target: Target) -> SynthesisJob:
        module, numbers = design.family.module, design.rtl_parameters(target.technology)
        sources = {f"rtl/{path.name}": path.read_bytes() for path in design.sources()}
        files = " ".join(sources)
        parameters = "".join(f" -G {k}={v}" for k, v in numbers.items())
        library = ""
        if design.family.has_technology:
            text = b"\n".join(sources.values()).decode("utf-8")
            for cell, face in cell_faces(target, text).items():
                sources[f"primitives/{cell}.sv"] = face.encode()
                library += f" -v primitives/{cell}.sv"
        versions = toolchain.tool_versions()
        gates = target.library is not None
        if target.library is not None:
            sources["cells.lib"] = target.library.encode()
        script = (
            f"read_slang --top {module}{parameters}{library} {files}",
            *target.prepare,
            f"{target.synthesis} -top {module}",
            *target.finish,
            *([_WRITE] if target.places or target.estimated else []),
            f"tee -q -o stat.json stat -json {'-liberty cells.lib' if gates else '-tech xilinx'}",
        )
        return cls(design, module, target, sources, script, versions)

    @property
    def tools(self) -> tuple[str, ...]:
        return ("yosys", self.target.placer) if self.target.places else ("yosys",)

    @property
    def subject(self) -> str:
        return f"{self.design.command_line()} --target {self.target.name}"

    @property
    def mapping_key(self) -> str:
        # A netlist that is not kept does not matter to what is kept.
        script = [line for line in self.script if line != _WRITE or self.target.places]
        return key_of(
            step="map",
            sources={name: content.decode("utf-8") for name, content in self.sources.items()},
            script=script,
            yosys=self.versions.get("yosys"),
        )

    def placing_arguments(self, seed: int) -> tuple[str, ...]:
        device = self.target.place_and_route
        pins = () if self.target.harness else ("--out-of-context",)
        return (*device, *pins, *_NEXTPNR_FLAGS, "--seed", str(seed))

    def placing_key(self, seed: int) -> str:
        placer, around = self.target.placer, self.target.harness
        pins = {} if around is None else {"harness": repr(around), "how": _HARNESS_SOURCE}
        return key_of(
            step="place",
            mapping=self.mapping_key,
            arguments=self.placing_arguments(seed),
            nextpnr=self.versions.get(placer),
            **pins,
        )

    def placing_subject(self, seed: int) -> str:
        return f"{self.subject} --seed {seed}"

    def commands(self, seed: int, place: bool) -> tuple[str, ...]:
        """Them for a user's own tools, in a folder with the sources."""
        yosys = f"yosys -p '{'; '.join(self.script)}'"
        nextpnr = f"{self.target.placer} {self.placing_by_hand(seed)}"
        around = [f"python {self.pins_by_hand()}"] if self.target.harness else []
        return (yosys, *around, nextpnr) if place else (yosys,)

    def placing_by_hand(self, seed: int) -> str:
        """The arguments of nextpnr, whose report may not take the place of a bundle's."""
        arguments = [a.replace("report.json", "placed.json") for a in self.placing_arguments(seed)]
        return shlex.join(arguments)

    def pins_by_hand(self) -> str:
        """What Python is told to put pins around ``netlist.json``."""
        return f"-m redcore.synthesize.harness {self.target.name} {self.module}"


def stored_result(
    job: SynthesisJob, store: Store, seed: int, place: bool
) -> SynthesisResult | None:
    """The whole result from the store; the netlist is not needed for it."""
    mapped = stored_mapping(job, store)
    placed = store.get(job.placing_key(seed)) if place else {}
    if mapped is None or placed is None:
        return None
    if job.target.estimated and "path_ns" not in mapped:
        return None
    return result_of(job, mapped, placed, seed, place)


def stored_mapping(job: SynthesisJob, store: Store) -> dict[str, Any] | None:
    """What the store has of the mapping; None where it lacks something that the target asks for."""
    found = store.get(job.mapping_key)
    return None if found and job.target.estimated and "path_ns" not in found else found


def map_design(
    job: SynthesisJob, store: Store, tell: Told, with_netlist: bool, stop: Event | None
) -> dict[str, Any]:
    """Cells of the mapped netlist, from the store or from Yosys, whose netlist is stored, too."""
    key = job.mapping_key

    def known() -> dict[str, Any] | None:
        found = stored_mapping(job, store)
        return None if found and with_netlist and not store.netlist(key) else found

    if found := known():
        return found
    with store.lock(key, stop), tempfile.TemporaryDirectory(prefix="redcore-") as name:
        if found := known():  # another process has made it meanwhile
            return found
        folder = Path(name)
        tell("yosys: reading")
        for path, content in job.sources.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_bytes(content)
        (folder / "script.ys").write_text("\n".join(job.script) + "\n", encoding="utf-8")
        ended = run.run("yosys", ["script.ys"], folder, tell, stop)
        if ended.status != 0:
            raise CheckFailed(f"Yosys did not synthesize {job.subject}: {_last_words(ended)}")
        stat = json.loads((folder / "stat.json").read_text(encoding="utf-8"))["design"]
        value = {
            "cells": stat["num_cells_by_type"],
            "estimated_lc": stat.get("estimated_num_lc"),
        }
        if job.target.library is not None:
            value |= {"area": stat["area"], "delay_ps": _abc_delay(ended.log)}
        if job.target.places or with_netlist:
            store.put_netlist(key, (folder / "netlist.json").read_bytes())
        if job.target.estimated:
            netlist = json.loads((folder / "netlist.json").read_bytes())
            found_path = estimate.longest_path(netlist["modules"][job.module])
            value |= {
                "path_ns": round(found_path.nanoseconds, 4),
                "path": list(found_path.cells),
            }
        store.put(key, "map", job.subject, value)
        return value


def place_design(
    job: SynthesisJob, store: Store, seed: int, tell: Told, stop: Event | None
) -> dict[str, Any]:
    """The clock in MHz or the failure, from the store or from nextpnr."""
    key = job.placing_key(seed)
    if found := store.get(key):
        return found
    with store.lock(key, stop), tempfile.TemporaryDirectory(prefix="redcore-") as name:
        if found := store.get(key):
            return found
        folder = Path(name)
        netlist = store.netlist(job.mapping_key)
        if netlist is None:
            raise CheckFailed("the netlist vanished from the result store; run again")
        if crowded := crowding(netlist, job.module, job.target):
            value = {"failure": crowded, "harness_ff": 0}
            store.put(key, "place", job.placing_subject(seed), value)
            return value
        placer, around, registers = job.target.placer, job.target.harness, 0
        tell(f"{placer}: reading (seed {seed})")
        if around:
            netlist, registers = wrap(netlist, job.module, around)
            for file, text in around.files.items():
                (folder / file).write_text(text, encoding="utf-8")
        (folder / "netlist.json").write_bytes(netlist)
        # Names are relative: the WebAssembly nextpnr sees another folder under /tmp than we do.
        ended = run.run(placer, job.placing_arguments(seed), folder, tell, stop)
        value = _outcome(ended, folder / "report.json") | {"harness_ff": registers}
        if ended.status >= 0:  # what a signal ended may well succeed another time
            store.put(key, "place", job.placing_subject(seed), value)
        return value


def _outcome(ended: run.Ended, report: Path) -> dict[str, Any]:
    """The clock that nextpnr reports and the places it used, or its failure."""
    if ended.status != 0:
        return {"failure": f"place and route failed: {_last_words(ended)}"}
    try:
        said = json.loads(report.read_text(encoding="utf-8"))
        achieved = [each["achieved"] for name, each in said["fmax"].items() if CLOCK in name]
        used = {kind: each["used"] for kind, each in said.get("utilization", {}).items()}
        placed = {kind: number for kind, number in sorted(used.items()) if number}
        found = {"fmax_mhz": round(min(achieved), 2), "placed": placed}
        return found | {"slowest_path": _slowest_path(said)}
    except (OSError, ValueError, KeyError) as error:
        return {"failure": f"place and route reported no clock for {CLOCK} ({error})"}


def _slowest_path(report: dict[str, Any]) -> dict[str, Any] | None:
    """The fields of a :class:`TimingPath`: in nextpnr's report the longest from clock to clock."""
    clocked = [
        each["path"]
        for each in report.get("critical_paths", ())
        if CLOCK in each["from"] and CLOCK in each["to"] and each["path"]
    ]
    if not clocked:
        return None
    path = max(clocked, key=lambda steps: sum(step["delay"] for step in steps))
    wires = sum(step["delay"] for step in path if step["type"] == "routing")
    return {
        "begin": _pin(path[0]["from"]),
        "end": _pin(path[-1]["to"]),
        "logic_ns": round(sum(step["delay"] for step in path) - wires, 3),
        "wires_ns": round(wires, 3),
        "steps": [
            f"{step['delay']:.2f} ns {step['type']}, {_pin(step['to'])}"
            for step in path
            if step["delay"]
        ],
    }


def _pin(place: dict[str, Any]) -> str:
    return f"{place['cell']}.{place['port']}"


def _abc_delay(log: str) -> float | None:
    """The delay in ps that ABC's ``stime`` said last, or None where it said none."""
    found = re.findall(r"\bDelay\s*=\s*([0-9.]+)\s*ps", log)
    return float(found[-1]) if found else None


def _last_words(ended: run.Ended) -> str:
    """Why a tool failed, in one line: its error, else how it ended and the last line it said."""
    lines = [line.strip() for line in ended.log.splitlines() if line.strip()]
    # The cause comes first in slang's list, and as the last `ERROR:` line of the others.
    errors = [line for line in lines if re.search(r"\berror:", line, re.IGNORECASE)]
    if errors:
        return errors[0]
    traps = [line for line in lines if "wasm trap" in line or "exhausted" in line]
    if traps:
        trap = re.sub(r"^\d+: ", "", traps[-1])
        return f"nextpnr crashed ({trap}); long carry chains are known to do that, cut them shorter"
    how = f"signal {-ended.status}" if ended.status < 0 else f"exit status {ended.status}"
    return f"{how}, after: {lines[-1]}" if lines else how


def _in_words(failure: str | None) -> str | None:
    """A failure as it is told: nextpnr names a cell, in many words, of what does not fit."""
    full = re.search(r"no BELs remaining to implement cell type '(\w+)'", failure or "")
    return f"does not fit: no {full[1]} of the device is left" if full else failure


def result_of(
    job: SynthesisJob, mapped: dict[str, Any], placed: dict[str, Any], seed: int, place: bool
) -> SynthesisResult:
    cells: dict[str, int] = mapped["cells"]
    counting = job.target.counting

    def count(units: Mapping[str, int]) -> int:
        return sum(number * units.get(cell, 0) for cell, number in cells.items())

    logic = mapped["estimated_lc"] if job.target.dual_output else count(counting.lut)
    logic += count(counting.two_output)
    lutram, carry = count(counting.lutram), count(counting.carry)
    fmax = placed.get("fmax_mhz")
    geometry = job.design.geometry
    used = job.tools if place else job.tools[:1]
    basis = estimate.BASES.get(job.target.family) if job.target.estimated else None
    return SynthesisResult(
        target=job.target.name,
        seed=seed,
        tool_versions={tool: job.versions[tool] for tool in used if tool in job.versions},
        lut=logic + lutram,
        ff=count(counting.ff),
        carry=carry,
        dsp=count(counting.dsp),
        bram=count(counting.bram),
        lutram=lutram,
        lut_in_all=logic + lutram + carry * job.target.luts_per_carry,
        fmax_mhz=fmax,
        time_per_op_ns=geometry.latency_cycles * 1e3 / fmax if fmax else None,
        ops_per_second=float(fmax * 1e6 / geometry.interval_cycles) if fmax else None,
        commands=job.commands(seed, place),
        failure=_in_words(placed.get("failure")),
        cells=cells,
        fmax_estimated_mhz=estimate.estimated_mhz(mapped["path_ns"], basis.factor)
        if basis
        else None,
        fmax_estimate_basis=basis.words if basis else None,
        **_gate_figures(job.target, mapped),
        path=tuple(mapped.get("path", ())),
        path_ns=mapped.get("path_ns"),
        slowest_path=_timing_path(placed.get("slowest_path")),
        placed=placed.get("placed", {}),
        harness_ff=placed.get("harness_ff", 0),
    )


def _timing_path(stored: dict[str, Any] | None) -> TimingPath | None:
    return TimingPath(**stored | {"steps": tuple(stored["steps"])}) if stored else None


def _gate_figures(target: Target, mapped: dict[str, Any]) -> dict[str, float | None]:
    """Area and delay of a target of gates; nothing for others."""
    if target.library is None:
        return {}
    area, delay = float(mapped["area"]), mapped["delay_ps"]
    unit = nand2_area(target.library)
    generic = target.family == "asic"
    return {
        "area": round(area, 3),
        "gates_nand2": round(area / unit, 1) if unit else None,
        "delay_ps": None if generic else delay,
        "delay_fo4": round(delay / PS_PER_FO4, 2) if generic and delay is not None else None,
    }
