# SPDX-License-Identifier: Apache-2.0
"""From a design to netlists that a solver can read: the wrapper, and what Yosys is told."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from math import ceil
from pathlib import Path

from redcore.design import Design, index_bits
from redcore.ports import contract_ports
from redcore.verify import yosys
from redcore.verify.keys import key_of_parts

_DECIDE = ("design", "families", "units", "verify", "ports.py")
"""What of redcore decides a proof: what asks, and the formulas that it asks about."""

SourcesOf = Callable[[Design], Sequence[Path]]
"""Where a design's RTL is: the files, packages first."""


def library_sources(design: Design) -> list[Path]:
    """The design's files in the library's own RTL folder."""
    return design.sources()


@cache
def formal_folder() -> Path:
    """The folder of proof harnesses: beside the package in a wheel, in the checkout otherwise."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "formal", package.parent.parent / "formal"):
        if (folder / "redc_proof_contract.sv").is_file():
            return folder
    raise FileNotFoundError("redcore's folder of proof harnesses is missing; reinstall the package")


def answer_limit(design: Design) -> int:
    """The most cycles from acceptance to answer, or to ready, while nothing is stalled.

    A multiplication waits at most for all slots ahead of it, one interval each, and then takes the
    latency of a lone one; deriving the constants of a new modulus is allowed a lone one's time, or
    what the geometry says where that is more.
    """
    geometry = design.geometry
    ahead = geometry.slots * ceil(geometry.interval_cycles)
    return geometry.latency_cycles + max(ahead, geometry.modulus_cycles)


def capacity(design: Design) -> int:
    """The most multiplications accepted and not delivered, for a core of any inside.

    A multiplication stays in each place that can hold one for at least a cycle, so that there are
    at most as many places as cycles of latency.
    """
    return design.geometry.latency_cycles


def sizes(design: Design) -> dict[str, int]:
    """The numbers of ``redc_proof_pkg`` for a design."""
    geometry = design.geometry
    limit = answer_limit(design)
    # Up to bound*m for an m of Width bits, and at least what the words hold.
    operand_bits = design.width + (geometry.bound - 1).bit_length()
    # With R above m, a Montgomery product of integers is below (bound^2 + 1) * m.
    montgomery = geometry.r_bits >= design.width
    levels = (geometry.bound**2).bit_length() if montgomery else 2 * operand_bits
    return {
        "Width": design.width,
        "OperandBits": operand_bits,
        "WordBits": geometry.word_bits,
        "Beats": geometry.beats,
        "BeatBits": index_bits(geometry.beats),
        "RBits": geometry.r_bits,
        "Bound": geometry.bound,
        "ReduceLevels": levels,
        "Slots": geometry.slots,
        "Capacity": capacity(design),
        "CountBits": (capacity(design) + 1).bit_length(),
        "Moduli": geometry.moduli,
        "Checks": int(design.values.get("checks", 0)),
        "IdxBits": index_bits(geometry.moduli),
        "Latency": geometry.latency_cycles,
        "AnswerLimit": limit,
        "TimeBits": (limit + 2).bit_length(),
    }


def wrapper(design: Design, chooses: str = "") -> str:
    """What the harnesses build on: ``redc_proof_pkg`` and ``redc_proof_dut``.

    ``chooses`` is a port of 16 bits that the core has instead of parameters, which are chosen.
    """
    known = sizes(design)
    numbers = "\n".join(f"  localparam int unsigned {n} = {v};" for n, v in known.items())
    own = design.family.known_moduli(design.width, design.values)
    takes = f"m == {design.width}'h{own[0]:x}" if design.family.one_modulus else "m[0]"
    numbers += (
        "\n  function automatic logic takes(input logic [Width-1:0] m);"
        f"\n    return {takes};\n  endfunction"
    )
    stream = contract_ports(known["WordBits"], known["IdxBits"])
    ports = ",\n".join(
        f"    {'input ' if port.input else 'output'} logic{port.range} {port.name}"
        for port in stream
    )
    settings = ",\n".join(f"      .{n}({v})" for n, v in design.rtl_parameters().items())
    wires = ",\n".join(f"      .{each.name}({each.name})" for each in stream)
    # Nothing is told of operands, which is always right.
    wires += "".join(f",\n      .{name}(1'b0)" for name in design.family.told_of_operands)
    given = f" #(\n{settings}\n  )"
    if chooses:
        given = ""
        ports += f",\n    input  logic [15:0] {chooses}_i"
        wires += f",\n      .{chooses}({chooses}_i)"
    return (
        f"package redc_proof_pkg;\n{numbers}\nendpackage\n\n"
        f"module redc_proof_dut import redc_proof_pkg::*; (\n{ports}\n);\n"
        f"  {design.family.module}{given} u_core (\n{wires}\n  );\nendmodule\n"
    )


def yosys_script(top: str, files: Sequence[Path], netlist: Path) -> list[str]:
    """The Yosys commands from SystemVerilog to a binary AIGER file.

    Registers start at arbitrary values, whatever the RTL gives them at power-up: but for the
    harness's own, so that its first cycle is a reset (``-ff2anyinit`` before anything may take them
    for don't-care). Undriven wires are arbitrary in every cycle.
    """
    names = " ".join(str(file) for file in files)
    return [
        f"read_slang --top {top} {names}",
        f"hierarchy -check -top {top}",
        *one_clock(netlist),
        "setattr -unset init w:* w:started_q %d",
        "formalff -clk2ff -ff2anyinit",
        "opt_clean",
        "memory_map -formal",
        "formalff -clk2ff -ff2anyinit",
        "setundef -undriven -anyseq",
        "opt -full",
        "techmap",
        "opt -fast",
        "formalff -clk2ff -ff2anyinit",
        "simplemap",
        "dffunmap",
        "aigmap",
        "opt_clean",
        f"write_aiger -zinit -symbols {netlist}",
    ]


def translate(
    design: Design, top: str, folder: Path, sources_of: SourcesOf = library_sources
) -> Path:
    """Write ``folder/<top>.aig`` for a harness around the design.

    Raises RuntimeError with the end of Yosys's log where it cannot read the RTL.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wrapped = folder / "redc_proof_dut.sv"
    wrapped.write_text(wrapper(design), encoding="utf-8")
    netlist = folder / f"{top}.aig"
    files = [*sources_of(design), wrapped, formal_folder() / f"{top}.sv"]
    write_netlist(yosys_script(top, files, netlist), netlist, design.label())
    return netlist


_SYNCHRONOUS = ("$dff", "$dffe", "$sdff", "$sdffe", "$sdffce", "$memwr_v2", "$memrd_v2")
"""Cells with a memory that change at an edge of a clock alone, if their parameters say so."""
_KEEPS = re.compile(r"\$_?(.*ff|.*dff.*|.*latch.*|sr|mem(?!init).*)\b")


def one_clock(netlist: Path) -> list[str]:
    """Yosys commands to registers and memories in one module, as ``write_netlist`` checks them."""
    return ["proc", "flatten", "opt_clean", f"write_json {netlist.with_suffix('.json')}"]


def _refuse_other_clocks(text: str, top: str) -> None:
    """Netlists for proofs step all registers at once, from any contents.

    RuntimeError where one has not the rising edge of clk_i, changes at other times than an edge, or
    is a memory of which the RTL says what it holds at power-up.
    """
    module = json.loads(text)["modules"][top]
    clock = module["ports"]["clk_i"]["bits"]
    cells = module["cells"]
    given = {
        cell["parameters"]["MEMID"] for cell in cells.values() if cell["type"] == "$meminit_v2"
    }
    for name, cell in cells.items():
        kind, parameters = cell["type"], cell["parameters"]
        if not _KEEPS.match(kind):
            continue
        enabled = bool(int(parameters.get("CLK_ENABLE", "1"), 2))
        if kind == "$memrd_v2" and not enabled:
            continue
        if kind not in _SYNCHRONOUS or not enabled or "1" in cell["connections"].get("ARST", ()):
            raise RuntimeError(f"{top}: {name} changes at other times than a clock's edge ({kind})")
        if cell["connections"]["CLK"] != clock or not int(parameters["CLK_POLARITY"], 2):
            raise RuntimeError(f"{top}: {name} is not clocked by the rising edge of clk_i")
        if kind == "$memwr_v2" and parameters["MEMID"] in given:
            raise RuntimeError(f"{top}: {name} writes what has contents at power-up")


def write_netlist(script: Iterable[str], netlist: Path, name: str) -> None:
    """Run Yosys's commands in a child, to write ``netlist``; ``name`` is what is read.

    The netlist's name is that of the top module, and :func:`one_clock` is among the commands.
    Raises RuntimeError with the end of Yosys's log where it cannot, and where registers are not
    all of one clock.
    """
    cells = netlist.with_suffix(".json")
    try:
        yosys.run(script, netlist, f"Yosys cannot read {name}")
    finally:  # what Yosys says of other clocks tells nobody which they are
        if cells.is_file():
            _refuse_other_clocks(cells.read_text(encoding="utf-8"), netlist.stem)


@cache
def _own() -> str:
    return key_of_parts(_DECIDE, ("pyosys",))


def content(design: Design, files: Iterable[Path], *said: str) -> str:
    """A key of all that decides what is proved of a design whose RTL is in ``files``: with what is
    ``said`` of the question, formulas, tools, harnesses, and all that asks."""
    digest = hashlib.sha256()
    for text in (
        design.label(), repr(design.geometry), wrapper(design), _own(), *said
    ):  # fmt: skip
        digest.update(text.encode() + b"\0")
    decide = [each for each in formal_folder().iterdir() if each.suffix in (".sv", ".v")]
    for file in (*files, *sorted(decide)):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
