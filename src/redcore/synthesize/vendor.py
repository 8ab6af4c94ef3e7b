# SPDX-License-Identifier: Apache-2.0
"""Synthesis, place and route by a vendor's tool, through edalize, with the same record of results.

The tools differ in how much SystemVerilog and which parameters they take, and a core has more ports
than a package has pins. So they get it as plain Verilog (:mod:`redcore.synthesize.plain`), and a
further module gives it three pins: a shift register in front of the inputs and, behind the outputs,
a register each, chained by XOR so that no tool may drop one. Those registers, and one LUT for each
XOR, are taken off the reported numbers.

edalize writes the project and starts the tool in a child process; the reports are read here, by the
lines and tables that the vendors document. A tool may end badly after its reports, at the bit
stream: what counts is that they are there.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from redcore import toolchain
from redcore.design import Design
from redcore.errors import BadInput, CheckFailed, extra
from redcore.progress import Told
from redcore.synthesize import plain, run
from redcore.synthesize.harness import CLOCK
from redcore.synthesize.store import Store, key_of
from redcore.synthesize.targets import Target
from redcore.synthesize.targets.vendor import TOOLS, options

PERIOD_NS = 2.5
"""The clock asked for, 400 MHz as of nextpnr."""
_TOP = "redc_pins"

Figures = dict[str, float]
"""lut, lutram, ff, carry, dsp, bram (in blocks of the smallest size) and fmax_mhz."""


@dataclass(frozen=True)
class Reports:
    """How a tool's reports are found and read: file patterns, and the reader of their texts."""

    patterns: tuple[str, ...]
    read: Callable[[Sequence[str]], Figures]


def _first(pattern: str, text: str, default: float | None = None) -> float:
    """The number that ``pattern`` finds first; raise CheckFailed where there is none."""
    found = re.search(pattern, text, re.MULTILINE)
    if found:
        return float(found[1].replace(",", ""))
    if default is None:
        raise CheckFailed(f"the report has no line like {pattern!r}")
    return default


def _rows(line: str, text: str) -> Callable[..., float]:
    """What reads the number of a line by its title, which stands in the place of ``{}``."""
    return lambda title, default=None: _first(line.replace("{}", title), text, default)


def read_vivado(texts: Sequence[str]) -> Figures:
    """``report_utilization`` and ``report_timing_summary`` (AMD UG904, UG906)."""
    used, timing = texts
    row = _rows(r"^\|\s*{}\*?\s*\|\s*([0-9.]+)\s*\|", used)
    slack = _first(r"WNS\(ns\)[^\n]*\n[-\s]*\n\s*(-?[0-9.]+)", timing)
    return {
        "lut": row("(?:Slice|CLB) LUTs"),
        "lutram": row("LUT as Memory", 0),
        "ff": row("(?:Slice|CLB) Registers"),
        "carry": row("CARRY[48]", 0),
        "dsp": row("DSPs", 0),
        "bram": 2 * row("Block RAM Tile", 0),
        "fmax_mhz": 1000 / (PERIOD_NS - slack),
    }


def read_ise(texts: Sequence[str]) -> Figures:
    """The map report and the timing report (Xilinx UG628)."""
    used, timing = texts
    row = _rows(r"^\s*Number (?:of|used as) {}:\s+([0-9,]+)", used)
    return {
        "lut": row(r"(?:Slice LUTs|4 input LUTs)"),
        "lutram": row("Memory", 0),
        "ff": row(r"(?:Slice Registers|Slice Flip Flops)"),
        "carry": 0,
        "dsp": row(r"(?:DSP48\w*|MULT18X18\w*)", 0),
        "bram": row(r"(?:RAMB8BWERs|RAMB18\w*|RAMB16\w*|Block RAMs)", 0),
        "fmax_mhz": _first(r"Maximum frequency:\s*([0-9.]+)\s*MHz", timing),
    }


def read_quartus(texts: Sequence[str]) -> Figures:
    """The fitter's summary and the timing analyzer's report (Intel, Quartus handbook)."""
    used, timing = texts
    row = _rows(r"^{}\s*:\s*([0-9,]+)", used)
    elements = row(r"Total logic elements", 0)
    return {
        "lut": elements or row(r"Logic utilization \(in ALMs\)"),
        "lutram": 0,
        "ff": row("Total registers"),
        "carry": 0,
        "dsp": row(r"(?:Total DSP Blocks|Embedded Multiplier 9-bit elements)", 0),
        "bram": row(r"Total RAM Blocks", 0),
        "fmax_mhz": _first(rf"^;\s*([0-9.]+) MHz\s*;\s*[0-9.]+ MHz\s*;\s*{CLOCK}\s*;", timing),
    }


def read_lattice(texts: Sequence[str]) -> Figures:
    """The map report and the trace report of Diamond and Radiant."""
    used, timing = texts
    row = _rows(r"^\s*Number of {}\s*:\s+([0-9,]+)", used)
    # Diamond says a sentence, Radiant a row of its clock summary.
    clock = r"(?:Report:|Actual \(all paths\))[^\n]*?([0-9.]+)\s*MHz"
    return {
        "lut": row("LUT4s"),
        "lutram": 0,
        "ff": row("(?:slice )?registers"),
        "carry": row(r"(?:ripple logic|CCU2\w*)", 0),
        "dsp": row(r"(?:MULT18X18\w*|Used DSP MULT Sites|DSP)", 0),
        "bram": row(r"(?:block RAMs|EBRs?)", 0),
        "fmax_mhz": _first(clock, timing),
    }


def read_gowin(texts: Sequence[str]) -> Figures:
    """The place-and-route report and the timing report (Gowin SUG100, SUG940)."""
    used, timing = texts
    lut = _first(r"^\s*--LUT,ALU,ROM16\s*\|\s*[0-9]+\((\d+) LUT", used)
    ram = 4 * _first(r"^\s*--SSRAM\(RAM16\)\s*\|\s*(\d+)", used, 0)
    plain = re.sub(r"<[^>]+>", " ", timing)
    return {
        "lut": lut + ram,
        "lutram": ram,
        "ff": _first(r"^\s*Register\s*\|\s*(\d+)", used),
        "carry": _first(r"LUT, (\d+) ALU", used, 0),
        "dsp": _first(r"^\s*--MULT18X18\s*\|\s*(\d+)", used, 0),
        "bram": _first(r"^\s*BSRAM\s*\|\s*(\d+)", used, 0),
        "fmax_mhz": _first(rf"{CLOCK}\s+[0-9.]+\s*\(MHz\)\s+([0-9.]+)\s*\(MHz\)", plain),
    }


REPORTS = {
    "vivado": Reports(("*_utilization_placed.rpt", "*_timing_summary_routed.rpt"), read_vivado),
    "ise": Reports(("*_map.mrp", "*.twr"), read_ise),
    "quartus": Reports(("*.fit.summary", "*.sta.rpt"), read_quartus),
    "radiant": Reports(("*.mrp", "*.twr"), read_lattice),
    "diamond": Reports(("*.mrp", "*.twr"), read_lattice),
    "gowin": Reports(("*.rpt.txt", "*_tr*.html"), read_gowin),
}


@cache
def tool_version(tool: str) -> str | None:
    """The first line with a digit that the tool says of itself; None where it says none."""
    program = shutil.which(TOOLS[tool].program)
    if program is None:
        return None
    said = subprocess.run(
        [program, "-version" if tool == "vivado" else "--version"],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    lines = (said.stdout + said.stderr).splitlines()
    return next((line.strip() for line in lines if re.search(r"\d", line)), None)


def require(tool: str) -> None:
    """Raise BadInput where the vendor's program is not on PATH, or edalize is not installed."""
    program = TOOLS[tool].program
    if shutil.which(program) is None:
        raise BadInput(
            f"{tool} is not on PATH (its program {program} was not found): install it from "
            f"{TOOLS[tool].vendor} and source its settings, or take a target of `redcore targets`"
        )
    if toolchain.package_version("edalize") is None:
        raise BadInput(f"the Python package edalize is missing: {extra('vendor')}")


def pins(ports: dict[str, Any], module: str) -> tuple[str, int, int]:
    """The Verilog of the pins' module, its registers, and how many of them have an XOR in front.

    ``ports`` are those of ``module`` in Yosys's ``write_json``.
    """
    taken = {
        name: len(port["bits"])
        for name, port in ports.items()
        if port["direction"] == "input" and name != CLOCK
    }
    given = {
        name: len(port["bits"]) for name, port in ports.items() if port["direction"] == "output"
    }
    inside, outside = sum(taken.values()), sum(given.values())
    lines = [
        f"module {_TOP} (input {CLOCK}, input harness_i, output harness_o);",
        f"  reg [{inside - 1}:0] taken_q;",
        f"  reg [{outside - 1}:0] given_q;",
        f"  wire [{outside - 1}:0] given;",
        f"  always @(posedge {CLOCK}) taken_q <= {{taken_q[{max(inside - 2, 0)}:0], harness_i}};",
        f"  always @(posedge {CLOCK})",
        f"    given_q <= {{given_q[{max(outside - 2, 0)}:0], 1'b0}} ^ given;",
        f"  assign harness_o = given_q[{outside - 1}];",
    ]
    connections = [f".{CLOCK}({CLOCK})"]
    for bus, widths in (("taken_q", taken), ("given", given)):
        low = 0
        for name, width in widths.items():
            connections.append(f".{name}({bus}[{low + width - 1}:{low}])")
            low += width
    joined = ",\n    ".join(connections)
    lines += [f"  {module} i_core (\n    {joined}\n  );", "endmodule"]
    return "\n".join(lines) + "\n", inside + outside, outside - 1


def figures(design: Design, target: Target, tell: Told, store: Store) -> dict[str, Any]:
    """What the vendor's tool reports of ``design``: :data:`Figures`, or a failure in words.

    With them ``harness_ff`` and ``versions``. Raises BadInput where the tool is missing and
    CheckFailed where Yosys refuses the design.
    """
    assert target.tool is not None and target.part is not None
    require(target.tool)
    module, numbers = design.family.module, design.rtl_parameters()
    sources = {f"rtl/{path.name}": path.read_text(encoding="utf-8") for path in design.sources()}
    versions = {
        "yosys": toolchain.package_version("pyosys"),
        "edalize": toolchain.package_version("edalize"),
        target.tool: tool_version(target.tool),
    }
    key = key_of(
        step="vendor", sources=sources, script=plain.script([*sources], module, numbers),
        target=target.name, versions=versions,
        code=[Path(each).read_text(encoding="utf-8") for each in (plain.__file__, __file__)],
    )  # fmt: skip
    if found := store.get(key):
        return found
    with tempfile.TemporaryDirectory(prefix="redcore-") as name:
        folder = Path(name)
        tell("yosys: reading")
        core = plain.plain_verilog(sources, module, numbers)
        (folder / "core.v").write_text(core.text, encoding="utf-8")
        text, registers, chained = pins(core.ports, module)
        (folder / "pins.v").write_text(text, encoding="utf-8")
        reports = REPORTS[target.tool]
        clock = target.clock_format
        constraint = f"clock.{clock.suffix}"
        (folder / constraint).write_text(clock.clock(CLOCK, 1000 / PERIOD_NS), encoding="utf-8")
        edam = {
            "name": "redcore",
            "toplevel": _TOP,
            "files": [
                {"name": "core.v", "file_type": "verilogSource"},
                {"name": "pins.v", "file_type": "verilogSource"},
                {"name": constraint, "file_type": clock.file_type},
            ],
            "tool_options": {target.tool: options(target.tool, target.part)},
            "flow_options": options(target.tool, target.part),
        }
        (folder / "edam.json").write_text(json.dumps(edam), encoding="utf-8")
        tell(f"{target.tool}: building")
        ended = run.run("edalize", [target.tool], folder, None)
        value = _read(reports, folder, ended)
    value |= {"harness_ff": registers, "versions": {k: v for k, v in versions.items() if v}}
    if "failure" not in value:
        value["ff"] -= registers
        value["lut"] -= chained
        store.put(key, "vendor", f"{design.command_line()} --target {target.name}", value)
    return value


def _read(reports: Reports, folder: Path, ended: run.Ended) -> dict[str, Any]:
    texts = []
    for pattern in reports.patterns:
        files = sorted(folder.rglob(pattern))
        if not files:
            lines = [line.strip() for line in ended.log.splitlines() if line.strip()]
            errors = [line for line in lines if re.search(r"\berror\b", line, re.IGNORECASE)]
            last = (errors or lines or ["it said nothing"])[-1]
            return {"failure": f"the tool left no report {pattern}: {last}"}
        texts.append(files[-1].read_text(encoding="utf-8", errors="replace"))
    try:
        return {name: round(number, 2) for name, number in reports.read(texts).items()}
    except CheckFailed as error:
        return {"failure": str(error)}
