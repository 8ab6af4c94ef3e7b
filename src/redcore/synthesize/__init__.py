# SPDX-License-Identifier: Apache-2.0
"""From a design to LUTs, flip-flops and a clock: Yosys, and nextpnr where it knows the device.

Every step's outcome goes to the result store (:mod:`redcore.synthesize.store`): a netlist is
synthesized once, another seed repeats place and route only, and an interrupted run loses no more
than the step it was in.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from redcore import toolchain
from redcore.errors import BadInput, CheckFailed
from redcore.families.base import Design
from redcore.synthesize import estimate, harness, run
from redcore.synthesize.dsp_blocks import crowding
from redcore.synthesize.harness import CLOCK, wrap
from redcore.synthesize.run import Progress
from redcore.synthesize.store import Store, key_of
from redcore.synthesize.targets import Target, instantiates, primitives, target, targets
from redcore.synthesize.targets.asic import PS_PER_FO4, nand2_area
from redcore.units.compose import Top

FREQUENCY_MHZ = 400
"""The clock asked of nextpnr. Any value from 250 to 600 gave bit-identical results."""

_NEXTPNR_FLAGS = (
    "--timing-allow-fail", "--freq", str(FREQUENCY_MHZ),
    "--json", "netlist.json", "--report", "report.json",
)  # fmt: skip

MAX_SEED = 2**31 - 1
"""The largest seed that every nextpnr takes."""

_WRITE = "write_json netlist.json"
_HARNESS_SOURCE = Path(harness.__file__).read_text(encoding="utf-8")
"""Part of the key of what was placed with a harness."""


@dataclass(frozen=True)
class SynthesisResult:
    """What one design takes on one target, and the clock it reaches there with one seed.

    ``lut`` counts logic LUTs and those of distributed memory (``lutram`` of them), not carry cells;
    on Xilinx devices with two-output LUTs the logic part is Yosys's estimate of logic cells, which
    packs pairs of small LUTs, those that feed a carry chain, too, which no device can: optimistic
    for adders (``cells`` has the LUTs as they are). ``carry``, ``dsp`` and ``bram`` count cells as
    ``Target.counting`` says. ``fmax_mhz`` is None without place and route, or where that failed.
    """

    target: str
    seed: int
    tool_versions: dict[str, str]
    lut: int
    ff: int
    carry: int
    dsp: int
    bram: int
    lutram: int
    lut_in_all: int
    """``lut`` and the LUT places that carry cells take (two for each CCU2C)."""
    fmax_mhz: float | None
    time_per_op_ns: float | None
    """Latency of one multiplication at that clock: latency_cycles / fmax."""
    ops_per_second: float | None
    """Multiplications per second with all slots busy: fmax / interval_cycles."""
    commands: tuple[str, ...]
    """What to type to repeat it, in a folder that holds ``rtl/``."""
    failure: str | None = None
    cells: dict[str, int] = field(default_factory=dict)
    """Cells of the mapped netlist by type: what the figures were counted from."""
    fmax_estimated_mhz: float | None = None
    """A clock where nothing is placed: an estimate, as ``fmax_estimate_basis`` says."""
    fmax_estimate_basis: str | None = None
    """From what the clock was estimated, and by what it was calibrated: one sentence."""
    path: tuple[str, ...] = ()
    """The cell types along the path that the estimate is of."""
    path_ns: float | None = None
    """Its delay in nanoseconds before the family's factor."""
    area: float | None = None
    """Of a target of gates: the sum of the cells' areas, in the library's unit."""
    gates_nand2: float | None = None
    """That area in NAND2 gates; None where the library has no cell of that name."""
    delay_ps: float | None = None
    """Of a Liberty file: the slowest path through gates, as ABC sees it, without wires, registers'
    own delays and set-up."""
    delay_fo4: float | None = None
    """The same of the generic cells, in delays of an inverter with a fan-out of four."""
    placed: dict[str, int] = field(default_factory=dict)
    """What nextpnr says it used, by kind of place, the harness included; empty where not placed."""
    harness_ff: int = 0
    """Registers that were put at the ports to place the core; in no other figure but ``placed``."""

    def fits(self, device: Target) -> bool | None:
        """Whether the design fits the device; None where the target is a whole family."""
        room = device.capacity
        if room is None:
            return None
        return (
            self.lut_in_all <= room.lut
            and self.ff <= room.ff
            and self.dsp <= room.dsp
            and self.bram <= room.bram
        )


@dataclass(frozen=True)
class MedianSynthesis:
    """Runs that differ in the seed of place and route alone, and the one with the median clock."""

    median: SynthesisResult
    runs: tuple[SynthesisResult, ...]


def synthesize(
    design: Design | Top,
    target: Target,
    place_and_route: bool = True,
    seed: int = 1,
    progress: Progress | None = None,
    store: Store | None = None,
    stop: Event | None = None,
) -> SynthesisResult:
    """Synthesize ``design`` for ``target``; place and route it with ``seed`` where that can be.

    Of a composed top, which has no cycle counts of its own, the result has no times.

    Without place and route (not asked for, or none for the target) the clock is None. A failure or
    crash of nextpnr is a result that says so. Raises BadInput for a missing tool or a seed out of
    range, CheckFailed with Yosys's words when it refuses the design, and Stopped soon after
    ``stop`` has been set.
    """
    check_seed(seed)
    store = store or default_store()
    if target.tool is not None:
        if isinstance(design, Top):
            raise BadInput(f"{target.name} takes families of cores only, not {design.subject}")
        return _by_vendor(design, target, seed, progress or (lambda step: None), store)
    place = place_and_route and target.places
    job = _Job.of(design, target)
    if found := _stored(job, store, seed, place):
        return found
    tell = progress or (lambda step: None)
    mapped = _map(job, store, tell, with_netlist=place, stop=stop)
    placed = _place(job, store, seed, tell, stop) if place else {}
    return _result(job, mapped, placed, seed, place)


def check_seed(seed: int) -> None:
    """Raise BadInput for a seed that place and route does not take."""
    if seed < 0:
        raise BadInput(f"seed={seed} is negative; seeds start at 0")
    if seed > MAX_SEED:
        raise BadInput(f"seed={seed} is above {MAX_SEED}, the most that place and route takes")


def default_store() -> Store:
    """The store in the cache folder, which everything uses that is not given another."""
    return Store(toolchain.cache_folder() / "synthesis")


def stored(
    design: Design, target: Target, place_and_route: bool, seed: int = 1, store: Store | None = None
) -> SynthesisResult | None:
    """What ``synthesize`` would give without running a tool, or None where it would have to."""
    if target.tool is not None:
        return None  # a vendor's results are looked up where they are made
    place = place_and_route and target.places
    return _stored(_Job.of(design, target), store or default_store(), seed, place)


@dataclass(frozen=True)
class Entry:
    """One line of the result store."""

    key: str
    step: str
    subject: str
    value: dict[str, Any]


def entries(
    design: Design, target: Target, store: Store, place_and_route: bool = True, seed: int = 1
) -> list[Entry]:
    """The store's lines that a result is made of, as far as they are there.

    Put into another store, they make the result known there (but not the netlist).
    """
    job = _Job.of(design, target)
    steps = [(job.mapping_key, "map", job.subject)]
    if place_and_route and target.places:
        steps.append((job.placing_key(seed), "place", job.placing_subject(seed)))
    values = [(step, store.get(step[0])) for step in steps]
    return [Entry(*step, value) for step, value in values if value is not None]


def synthesize_median(
    design: Design,
    target: Target,
    seeds: Sequence[int] = (1, 2, 3),
    progress: Progress | None = None,
    store: Store | None = None,
) -> MedianSynthesis:
    """Place and route with each seed; the median clock is what the design may be said to reach.

    A failed run counts as the slowest. Of an even number the lower of the middle two is taken.
    """
    if not seeds:
        raise BadInput("the median needs at least one seed")
    if not target.places:
        raise BadInput(
            f"{target.name} has no place and route, so there is no clock to take a median of"
        )
    runs = tuple(
        synthesize(design, target, seed=seed, progress=progress, store=store) for seed in seeds
    )
    ordered = sorted(runs, key=lambda each: each.fmax_mhz or 0.0)
    return MedianSynthesis(ordered[(len(ordered) - 1) // 2], runs)


@dataclass(frozen=True)
class _Job:
    """A design on a target as the tools see it: file contents and commands, with no path in it."""

    design: Design | Top
    module: str
    target: Target
    sources: Mapping[str, bytes]
    script: tuple[str, ...]
    versions: Mapping[str, str]

    @classmethod
    def of(cls, design: Design | Top, target: Target) -> _Job:
        if isinstance(design, Top):
            module, paths, has_technology = design.module, design.files, design.has_technology
            numbers = {"Technology": target.technology} if has_technology else {}
        else:
            module, paths = design.family.module, design.sources()
            has_technology = design.family.has_technology
            numbers = design.rtl_parameters(target.technology)
        sources = {f"rtl/{path.name}": path.read_bytes() for path in paths}
        files = " ".join(sources)
        parameters = "".join(f" -G {k}={v}" for k, v in numbers.items())
        library = ""
        if has_technology:
            text = b"\n".join(sources.values()).decode("utf-8")
            for cells in primitives(target, text):
                sources[f"primitives/{cells.name}"] = cells.read_bytes()
                library += f" -v primitives/{cells.name}"
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
        design = self.design
        subject = design.subject if isinstance(design, Top) else design.command_line()
        return f"{subject} --target {self.target.name}"

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
        yosys = f"yosys -p '{'; '.join(self.script)}'"
        nextpnr = " ".join((self.target.placer, *self.placing_arguments(seed)))
        between = "python -m redcore.synthesize.harness"
        around = [f"{between} {self.target.name} {self.module}"] if self.target.harness else []
        return (yosys, *around, nextpnr) if place else (yosys,)


def _stored(job: _Job, store: Store, seed: int, place: bool) -> SynthesisResult | None:
    """The whole result from the store; the netlist is not needed for it."""
    mapped = _mapped(job, store)
    placed = store.get(job.placing_key(seed)) if place else {}
    if mapped is None or placed is None:
        return None
    if job.target.estimated and "path_ns" not in mapped:
        return None
    return _result(job, mapped, placed, seed, place)


def _mapped(job: _Job, store: Store) -> dict[str, Any] | None:
    """What the store has of the mapping; None where it lacks something that the target asks for."""
    found = store.get(job.mapping_key)
    return None if found and job.target.estimated and "path_ns" not in found else found


def _map(
    job: _Job, store: Store, tell: Progress, with_netlist: bool, stop: Event | None
) -> dict[str, Any]:
    """Cells of the mapped netlist, from the store or from Yosys, whose netlist is stored, too."""
    key = job.mapping_key

    def known() -> dict[str, Any] | None:
        found = _mapped(job, store)
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
        if job.target.places:
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


def _place(
    job: _Job, store: Store, seed: int, tell: Progress, stop: Event | None
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
        return {"fmax_mhz": round(min(achieved), 2), "placed": placed}
    except (OSError, ValueError, KeyError) as error:
        return {"failure": f"place and route reported no clock for {CLOCK} ({error})"}


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


def _result(
    job: _Job, mapped: dict[str, Any], placed: dict[str, Any], seed: int, place: bool
) -> SynthesisResult:
    cells: dict[str, int] = mapped["cells"]
    counting = job.target.counting

    def count(units: Mapping[str, int]) -> int:
        return sum(number * units.get(cell, 0) for cell, number in cells.items())

    logic = mapped["estimated_lc"] if job.target.dual_output else count(counting.lut)
    logic += count(counting.two_output)
    lutram, carry = count(counting.lutram), count(counting.carry)
    fmax = placed.get("fmax_mhz")
    geometry = None if isinstance(job.design, Top) else job.design.geometry
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
        time_per_op_ns=geometry.latency_cycles * 1e3 / fmax if fmax and geometry else None,
        ops_per_second=float(fmax * 1e6 / geometry.interval_cycles) if fmax and geometry else None,
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
        placed=placed.get("placed", {}),
        harness_ff=placed.get("harness_ff", 0),
    )


def _by_vendor(
    design: Design, target: Target, seed: int, tell: Progress, store: Store
) -> SynthesisResult:
    """The result of a vendor's tool; the seed does nothing there."""
    from redcore.synthesize import vendor

    said = vendor.figures(design, target, tell, store)
    fmax = said.get("fmax_mhz")
    geometry = design.geometry

    def count(name: str) -> int:
        return int(said.get(name, 0))

    return SynthesisResult(
        target=target.name,
        seed=seed,
        tool_versions=said["versions"],
        lut=count("lut"),
        ff=count("ff"),
        carry=count("carry"),
        dsp=count("dsp"),
        bram=count("bram"),
        lutram=count("lutram"),
        lut_in_all=count("lut"),
        fmax_mhz=fmax,
        time_per_op_ns=fmax and geometry.latency_cycles * 1e3 / fmax,
        ops_per_second=fmax and float(fmax * 1e6 / geometry.interval_cycles),
        commands=(f"redcore synth {design.command_line()} --target '{target.name}'",),
        failure=said.get("failure"),
        harness_ff=said["harness_ff"],
    )


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


__all__ = [
    "Entry",
    "MedianSynthesis",
    "Progress",
    "Store",
    "SynthesisResult",
    "Target",
    "default_store",
    "entries",
    "instantiates",
    "primitives",
    "stored",
    "synthesize",
    "synthesize_median",
    "target",
    "targets",
]
