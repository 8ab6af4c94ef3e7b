# SPDX-License-Identifier: Apache-2.0
"""Relative dynamic power: how often each net of the mapped core toggles, times what it drives.

The core is mapped to LUTs, registers, adders, multipliers and memories (Yosys), that netlist
multiplies random numbers in the simulator with all slots busy (Verilator; every product is
checked), and each toggle of each net over whole multiplications counts with the weight of its
driver, of the net, and of every pin on it. Registers also cost their clock, every cycle.

With an assumed activity, the same for all nets, nothing is simulated: that is what vendors'
estimators do where they know no better, and it serves cores of any face.

The figures are **relative**: no volts, no technology, no glitches (each net settles once a cycle),
no leakage. They compare design points with each other. :mod:`redcore.power.weights` has the
weights.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from redcore import toolchain
from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.power.vcd import toggles
from redcore.power.weights import WEIGHTS, kind_of
from redcore.progress import Told
from redcore.simulate.check import Checker
from redcore.simulate.simulator import Load, Simulator, check_modulus
from redcore.simulate.stimulus import design_moduli
from redcore.synthesize import run
from redcore.synthesize.store import Store, key_of
from redcore.synthesize.targets import Target

LABEL = (
    "relative: weighted toggles, not watts; comparable between designs mapped alike, "
    "at the same clock"
)
ASSUMED = (
    "relative: weighted cells at an assumed activity, not watts; comparable between designs mapped "
    "alike, at the same clock"
)
GROUPS = ("interconnect", "logic", "clock", "multipliers", "memory")


@dataclass(frozen=True)
class PowerResult:
    """Relative figures of one design point; the unit is one toggle of a LUT's output, unloaded.

    ``power`` is per cycle, with all slots busy, and so a power at any one clock;
    ``energy_per_operation`` is over the cycles of one multiplication. ``shares`` divides it by
    where it goes. ``activity`` are toggles per net and cycle, by kind of driver.
    """

    lut_inputs: int
    operations: int
    cycles: int
    power: float
    energy_per_operation: float
    shares: dict[str, float]
    activity: dict[str, float]
    cells: dict[str, int]
    """Cells of the mapped netlist by kind; of adders, multipliers and memories the output bits."""
    seed: int
    assumed_activity: float | None = None
    label: str = LABEL


def measure(
    design: Design,
    target: Target,
    modulus: int | None = None,
    operations: int = 8,
    seed: int = 1,
    progress: Told | None = None,
    store: Store | None = None,
    activity: float | None = None,
) -> PowerResult:
    """Map ``design`` with the LUT size and blocks of ``target`` and measure ``operations``.

    ``modulus`` is a random one of the full width where None. With ``activity``, toggles per net and
    cycle, that is assumed of every net and nothing is simulated. Raises BadInput for a target of
    gates, an illegal modulus, fewer operations than one, an activity outside 0 to 1, or a core of
    another face without an activity, and CheckFailed where the mapped netlist gives a wrong
    product.
    """
    if target.lut_inputs == 0:
        raise BadInput(f"{target.name} has no LUTs; relative power takes a target with LUTs")
    if operations < 1:
        raise BadInput(f"operations={operations} must be at least 1")
    if activity is not None and not 0 < activity <= 1:
        raise BadInput(f"activity={activity} must be above 0 and at most 1")
    choose = random.Random(seed)
    if modulus is None:
        top = 1 << (design.width - 1)
        modulus = top | choose.getrandbits(design.width - 1) | 1
        if design.family.prime_moduli:
            modulus = max(design_moduli(design, seed))
    if activity is None:
        design.require_contract()
        check_modulus(design, modulus)
    store = store or Store(toolchain.cache_folder() / "synthesis")
    tell = progress or (lambda step: None)
    script = _script(design.family.module, design.rtl_parameters(), design.sources(), target)
    sources = {f"rtl/{path.name}": path.read_text(encoding="utf-8") for path in design.sources()}
    versions = toolchain.tool_versions()
    code = [Path(__file__).with_name(name).read_text() for name in ("vcd.py", "weights.py")]
    key = key_of(
        step="power",
        sources=sources,
        script=script,
        design=design.command_line(),
        modulus=modulus,
        operations=operations,
        seed=seed,
        activity=activity,
        code=[Path(__file__).read_text(), *code],
        tools=[versions.get("yosys"), versions.get("verilator")],
    )
    value = store.get(key)
    if value is None:
        with store.lock(key):
            value = store.get(key)
            if value is None:
                with tempfile.TemporaryDirectory(prefix="redcore-") as name:
                    tell("yosys: mapping")
                    module = _map(
                        design.family.module, sources, script, Path(name), design.command_line()
                    )
                    if activity is None:
                        value = _measure(
                            design, module, modulus, operations, seed, tell, Path(name)
                        )
                    else:
                        cycles = ceil(operations * design.geometry.interval_cycles)
                        counted = dict.fromkeys(_nets(module), activity * cycles)
                        value = _weigh(module, counted, cycles, operations)
                store.put(key, "power", design.command_line(), value)
    return PowerResult(
        lut_inputs=target.lut_inputs,
        operations=operations,
        seed=seed,
        assumed_activity=activity,
        label=LABEL if activity is None else ASSUMED,
        **value,
    )


def mapped(
    files: Sequence[Path], top: str, parameters: Mapping[str, int], target: Target, folder: Path
) -> tuple[Path, dict[tuple[str, int], tuple[str, float]]]:
    """The mapped netlist of ``top`` in ``folder``; of each net, by name and bit, kind and weight.

    A weight is what a toggle costs: that of its driver, of its wire and of the pins on it. Raises
    BadInput for a target of gates and CheckFailed where Yosys does not map it.
    """
    if target.lut_inputs == 0:
        raise BadInput(f"{target.name} has no LUTs; toggles of nets take a target with LUTs")
    sources = {f"rtl/{path.name}": path.read_text(encoding="utf-8") for path in files}
    module = _map(top, sources, _script(top, parameters, files, target), folder, top)
    pins = _pins(module)
    kinds = {
        bit: kind_of(cell["type"])
        for cell in module["cells"].values()
        for pin, bits in cell["connections"].items()
        if cell["port_directions"][pin] == "output"
        for bit in bits
        if isinstance(bit, int)
    }
    found, seen = {}, set()
    for name, bit in _nets(module).items():
        if bit in kinds and bit not in seen:
            seen.add(bit)
            wire = WEIGHTS["net"] + WEIGHTS["pin"] * pins.get(bit, 0)
            found[name] = kinds[bit], WEIGHTS[kinds[bit]] + wire
    return folder / "mapped.v", found


def _script(
    top: str, parameters: Mapping[str, int], sources: Sequence[Path], target: Target
) -> list[str]:
    """The Yosys commands: adders, multipliers and memories stay, the rest becomes LUTs."""
    given = "".join(f" -G {k}={v}" for k, v in parameters.items())
    files = " ".join(f"rtl/{path.name}" for path in sources)
    blocks = "t:$add t:$sub t:$mem*" + (" t:$mul" if target.dsp else "")
    return [
        f"read_slang --top {top}{given} {files}",
        *("proc", "flatten", "opt_expr", "opt_clean", "opt -full", "wreduce", "peepopt", "share"),
        *("memory_dff", "memory_collect", "opt -fast -full"),
        f"select -set blocks {blocks}",
        "techmap @blocks %n",
        "select -clear",
        "opt -fast",
        "simplemap t:$dff*",
        "dfflegalize -cell $_DFF_P_ 01 -cell $_DFFE_PP_ 01",
        f"abc -lut {target.lut_inputs}",
        "opt_clean -purge",
        # One name for each bit, which Verilog, JSON and the waveform share.
        *("splitnets", "rename -hide w:*", "rename -enumerate -pattern n%", "clean"),
        *("write_verilog -noattr mapped.v", "write_json mapped.json"),
    ]


def _map(
    top: str, sources: Mapping[str, str], script: list[str], folder: Path, label: str
) -> dict[str, Any]:
    """The mapped module, as Yosys writes it; ``mapped.v`` in the folder is the same.

    Raises CheckFailed, which says what Yosys said of the design of this ``label``.
    """
    (folder / "rtl").mkdir()
    for path, content in sources.items():
        (folder / path).write_text(content, encoding="utf-8")
    (folder / "script.ys").write_text("\n".join(script) + "\n", encoding="utf-8")
    ended = run.run("yosys", ["script.ys"], folder, None)
    if ended.status != 0:
        raise CheckFailed(f"Yosys did not map {label}: {ended.log.strip()[-300:]}")
    modules = json.loads((folder / "mapped.json").read_bytes())["modules"]
    module: dict[str, Any] = modules[top]
    return module


def _measure(
    design: Design,
    module: dict[str, Any],
    modulus: int,
    operations: int,
    seed: int,
    tell: Told,
    folder: Path,
) -> dict[str, Any]:
    netlist = folder / "mapped.v"
    _add_parameters(netlist, design)
    tell("verilator: compiling the netlist")
    wave = folder / "wave.vcd"
    first, end = _simulate(design, netlist, wave, modulus, operations, seed)
    tell("counting toggles")
    counted = toggles(wave, 2 * first, 2 * end)
    return _weigh(module, counted, end - first, operations)


def _add_parameters(netlist: Path, design: Design) -> None:
    """The simulator sets the core's parameters; the mapped module takes them and ignores them."""
    text = netlist.read_text(encoding="utf-8")
    module = design.family.module
    names = ", ".join(f"parameter {name} = 0" for name in design.rtl_parameters())
    head = f"module {module}("
    if head not in text:
        raise CheckFailed(f"the mapped netlist has no {head}")
    netlist.write_text(text.replace(head, f"module {module} #({names}) (", 1), encoding="utf-8")


def _simulate(
    design: Design, netlist: Path, wave: Path, modulus: int, operations: int, seed: int
) -> tuple[int, int]:
    """Run the netlist; the first cycle and the one after the last of the steady state."""
    choose = random.Random(seed + 1)
    fill = design.geometry.slots + 1
    limits = design.operand_limits(modulus)
    batch = [
        (choose.randrange(limits[0]), choose.randrange(limits[1]), 0)
        for _ in range(2 * fill + operations)
    ]
    everything = 1 << 62
    with Simulator(design, seed, [netlist], (wave, 0, everything)) as core:
        try:
            core.load_modulus(modulus)
            loads = [Load(modulus, place) for place in range(1, design.geometry.moduli)]
            done = core.run(batch, loads)
        except CheckFailed as failure:
            raise CheckFailed(
                f"the mapped netlist of {design.command_line()} fails: {failure}"
            ) from failure
    checker = Checker(design)
    wrong = [
        number
        for number, ((a, b, _), result) in enumerate(zip(batch, done.results, strict=False))
        if not checker.right(a, b, modulus, result, exact=True)
    ]
    if done.faults or wrong or len(done.results) < len(batch):
        said = "; ".join(done.faults) or f"multiplication {wrong[:1]} is wrong"
        raise CheckFailed(f"the mapped netlist of {design.command_line()} fails: {said}")
    return done.accepted[fill], done.accepted[fill + operations]


def _nets(module: dict[str, Any]) -> dict[tuple[str, int], int]:
    """The bit of the netlist behind each name and place in it."""
    return {
        (name, place): bit
        for name, net in module["netnames"].items()
        for place, bit in enumerate(net["bits"])
        if isinstance(bit, int)
    }


def _pins(module: dict[str, Any]) -> dict[int, int]:
    """How many inputs of cells, and outputs of the design, a net drives."""
    pins: dict[int, int] = {}
    for cell in module["cells"].values():
        for pin, bits in cell["connections"].items():
            if cell["port_directions"][pin] == "input":
                for bit in bits:
                    if isinstance(bit, int):
                        pins[bit] = pins.get(bit, 0) + 1
    for port in module["ports"].values():
        if port["direction"] == "output":
            for bit in port["bits"]:
                if isinstance(bit, int):
                    pins[bit] = pins.get(bit, 0) + 1
    return pins


def _weigh(
    module: dict[str, Any], counted: Mapping[tuple[str, int], float], cycles: int, operations: int
) -> dict[str, Any]:
    """Weights times toggles, over every net of the netlist."""
    pins = _pins(module)
    named = {bit: counted[name] for name, bit in _nets(module).items() if name in counted}
    spent = dict.fromkeys(GROUPS, 0.0)
    cells: dict[str, int] = {}
    moved: dict[str, float] = {}
    unseen = 0
    for cell in module["cells"].values():
        kind = kind_of(cell["type"])
        for pin, bits in cell["connections"].items():
            if cell["port_directions"][pin] != "output":
                continue
            for bit in bits:
                if not isinstance(bit, int):
                    continue
                cells[kind] = cells.get(kind, 0) + 1
                if kind == "register":
                    spent["clock"] += WEIGHTS["clock"] * cycles
                if bit not in named:
                    unseen += 1
                    continue
                times = named[bit]
                moved[kind] = moved.get(kind, 0) + times
                wire = WEIGHTS["net"] + WEIGHTS["pin"] * pins.get(bit, 0)
                spent["interconnect"] += times * wire
                group = {"multiplier": "multipliers", "memory": "memory"}.get(kind, "logic")
                spent[group] += times * WEIGHTS[kind]
    total = sum(cells.values())
    if unseen > total // 20:
        raise CheckFailed(f"the waveform lacks {unseen} of {total} nets of the netlist")
    energy = sum(spent.values())
    return {
        "cycles": cycles,
        "power": round(energy / cycles, 2),
        "energy_per_operation": round(energy / operations, 1),
        "shares": {group: round(part / energy, 4) for group, part in spent.items()},
        "activity": {
            kind: round(moved.get(kind, 0) / number / cycles, 4)
            for kind, number in sorted(cells.items())
        },
        "cells": dict(sorted(cells.items())),
    }
