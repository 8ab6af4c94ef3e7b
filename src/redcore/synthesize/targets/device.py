# SPDX-License-Identifier: Apache-2.0
"""What the toolkit knows of a device: how to map to it, what it holds, how its cells count.

Every figure of a result follows from two tables of a :class:`Target`, so that a reader can check it
by hand: cells are counted by type, and each type adds a whole number of units to one resource.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Counting:
    """What one cell of a type adds to each resource.

    ``lut`` are logic LUTs, ``lutram`` the LUTs that hold or address distributed memory and shift
    registers; a result's ``lut`` is the sum of both. ``bram`` counts the smallest block of the
    device (its size is ``Target.ram_bits``), a double-size block as two. ``dsp`` counts the
    device's multipliers as its data sheet does (``Target.dsp``). A cell in none of the tables is
    free: constants, buffers, and multiplexers between LUTs that are counted already.
    """

    lut: Mapping[str, int]
    lutram: Mapping[str, int]
    ff: Mapping[str, int]
    carry: Mapping[str, int]
    dsp: Mapping[str, int]
    bram: Mapping[str, int]
    two_output: Mapping[str, int] = field(default_factory=dict)
    """LUTs with two outputs that a core instantiates; they add to ``lut``."""


@dataclass(frozen=True)
class Capacity:
    """What a device holds, in the units of :class:`Counting`."""

    lut: int
    ff: int
    dsp: int
    bram: int


@dataclass(frozen=True)
class Dsp:
    """The shape of a device's multiplier: factors of ``a`` and ``b`` bits, an adder behind it.

    ``signed`` multipliers take unsigned factors of a bit less. ``adder`` is 0 where a block has no
    adder of its own, or none that the open tools reach.
    """

    a: int
    b: int
    adder: int
    signed: bool

    def __str__(self) -> str:
        behind = f" + {self.adder} bits" if self.adder else ""
        return f"{self.a}x{self.b}{' signed' if self.signed else ''}{behind}"


@dataclass(frozen=True)
class DspBlock:
    """Multipliers beside each other that share the nets which control their registers.

    A block takes at most ``nets`` different ones of each kind, constants included. ``ports`` are,
    by the kind's name for people, the pins of the cell called ``cell``.
    """

    cell: str
    multipliers: int
    nets: int
    ports: Mapping[str, tuple[str, ...]] = field(hash=False)


@dataclass(frozen=True)
class Harness:
    """How a core with more ports than the device has pins is given registers and three pins.

    :mod:`redcore.synthesize.harness` says what is built. ``register`` is the plain flip-flop of the
    device with the names of its pins, ``tied`` what else it needs (``0`` or ``1``);
    ``constants`` are the cells that drive those, where a netlist may not hold bare constants.
    ``buffers`` are the input and output cells of pins, with pins I and O, where nextpnr wants them
    in the netlist. ``files`` hold the pins' places. ``opened`` are pins (cell type, pin) that
    Yosys ties to a constant and nextpnr wants left open.
    """

    register: str
    clock: str
    data: str
    output: str
    tied: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By value (``0``, ``1``): cell type and its output pin."""
    buffers: tuple[str, str] | None = None
    clock_buffer: tuple[str, str] | None = None
    """Cell and output pin that the clock begins at, instead of a pin of the package."""
    files: Mapping[str, str] = field(default_factory=dict)
    opened: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ClockFormat:
    """How a tool is told a clock: the file's suffix, its type in FuseSoC and edalize, its text.

    ``text`` is formatted with the clock's port, ``period_ns`` and ``mhz``. A comment begins with
    ``#`` in each of these formats.
    """

    suffix: str
    file_type: str
    text: str

    def clock(self, port: str, mhz: float) -> str:
        """The lines that ask for ``mhz`` at the clock port ``port``."""
        return self.text.format(port=port, mhz=f"{mhz:g}", period_ns=f"{1000 / mhz:.3f}")


_CREATE_CLOCK = "create_clock -name {port} -period {period_ns} [get_ports {port}]\n"
SDC = ClockFormat("sdc", "SDC", _CREATE_CLOCK)
"""Synopsys Design Constraints: tools for ASICs, Quartus (UG-683068), Gowin (SUG940)."""
XDC = ClockFormat("xdc", "xdc", _CREATE_CLOCK)
"""Xilinx Design Constraints of Vivado (UG903)."""
UCF = ClockFormat(
    "ucf",
    "UCF",
    'NET "{port}" TNM_NET = "{port}";\n'
    'TIMESPEC "TS_{port}" = PERIOD "{port}" {period_ns} ns HIGH 50%;\n',
)
"""User constraints of ISE (UG625), which reads no SDC."""
LPF = ClockFormat("lpf", "LPF", 'FREQUENCY PORT "{port}" {mhz} MHZ;\n')
"""Lattice preferences of Diamond and nextpnr-ecp5 (FPGA-TN-02032)."""
PDC = ClockFormat("pdc", "PDC", _CREATE_CLOCK)
"""Post-synthesis constraints of Radiant, for Nexus; nextpnr-nexus reads them, too."""
PCF = ClockFormat("pcf", "PCF", "set_frequency {port} {mhz}\n")
"""Physical constraints of nextpnr-ice40 (its docs/ice40.md)."""


@dataclass(frozen=True)
class Target:
    """A device, or a family of devices where ``part`` and ``capacity`` are None.

    ``lut_inputs`` is 4 or 6, 0 for gates. ``luts_per_carry`` are the LUT places that a carry cell
    takes itself (a Xilinx carry cell works on LUTs that are counted already). ``dual_output``: a
    LUT may serve as two smaller ones; area is then Yosys's estimate of logic cells, which packs
    pairs as the vendor's tool does. ``prepare`` are Yosys commands on the read design,
    ``synthesis`` is the Yosys command but for the top module. ``place_and_route`` holds the device
    options of the nextpnr called ``placer`` and is empty where there is no place and route (figures
    are then area only).
    """

    name: str
    family: str
    part: str | None
    title: str
    synthesis: str
    counting: Counting = field(repr=False, hash=False)
    clock_format: ClockFormat
    """What the tool reads that the device's makers or its place and route have for clocks."""
    lut_inputs: int = 4
    dual_output: bool = False
    luts_per_carry: int = 0
    capacity: Capacity | None = None
    place_and_route: tuple[str, ...] = ()
    technology: int = 0
    """What the RTL parameter ``Technology`` is set to, so that cores use this target's cells."""
    cells: tuple[str, ...] = ()
    """Those cells, of which ``synthesize/cells`` has models."""
    vendor: str = ""
    placer: str = "nextpnr-ecp5"
    harness: Harness | None = field(default=None, repr=False, hash=False)
    """How a core is given pins; None where nextpnr places a core without any."""
    prepare: tuple[str, ...] = ()
    finish: tuple[str, ...] = ()
    """Yosys commands after ``synthesis``."""
    tool: str | None = None
    """The vendor's tool that does all of it (:mod:`redcore.synthesize.vendor`)."""
    library: str | None = field(default=None, repr=False)
    """The Liberty text of a target of gates, which are counted by area instead of by type."""
    dsp: Dsp | None = None
    dsp_block: DspBlock | None = field(default=None, repr=False)
    """What limits the multipliers beside their number; None where nothing does."""
    ram_bits: int = 0
    """Bits of the block memory that counts as one."""
    estimated: bool = False
    """Whether a clock is estimated from the mapped netlist (:mod:`redcore.synthesize.estimate`)."""
    source: str = ""
    """Where the capacity is from."""

    @property
    def places(self) -> bool:
        """Whether place and route, and so a clock, can be had."""
        return bool(self.place_and_route or self.tool)

    @property
    def flow(self) -> str:
        """What is done for this target, in a few words."""
        if self.tool is not None:
            return f"{self.tool}: area and clock"
        if self.library is not None:
            return "Yosys, ABC: area in gates and delay"
        if self.places:
            return f"Yosys, {self.placer}: area and clock"
        return "Yosys: area, and an estimate of the clock" if self.estimated else "Yosys: area"


_CELLS = Path(__file__).parent.parent / "cells"

NO_LUTRAM = ("setattr -unset ram_style -unset ramstyle -unset syn_ramstyle m:*",)
"""``Target.prepare`` of a device without memory in LUTs.

Cores ask for such memory by attributes of several tools, of which Yosys heeds each; without them it
takes block memory or registers.
"""


def cell_models(text: str) -> list[Path]:
    """Simulation models, in plain Verilog, of the devices' cells that RTL instantiates."""
    paths, instance = _cells()
    found = {match[1] for match in instance.finditer(text)}
    return [path for path in paths if path.stem in found]


def cell_faces(target: Target, text: str) -> dict[str, str]:
    """Of the target's own cells that RTL instantiates: name and a module with nothing in it.

    For front ends that do not know the cells, and for synthesis, which has them itself.
    """
    return {
        path.stem: _face(path.read_text(encoding="utf-8"))
        for path in cell_models(text)
        if path.stem in target.cells
    }


@cache
def _cells() -> tuple[list[Path], re.Pattern[str]]:
    """The models' files, and what an instance of one of their cells begins with."""
    paths = sorted(_CELLS.glob("*.v"))
    names = "|".join(path.stem for path in paths)
    return paths, re.compile(rf"\b({names})\b\s*(?:\w+\s*|#)?\(")


_TYPES = {
    " wire ": " wire logic ", "output wire logic ": "output      logic ", "  //": "  ///",
    "parameter [": "parameter logic [", "parameter integer ": "parameter int ", " 320'h0": " '0",
}  # fmt: skip
"""Plain Verilog and what a face says: results are kept under faces' text as it has always been."""


def _face(model: str) -> str:
    """What a model's file says of parameters and ports, in SystemVerilog."""
    head = re.search(r"^module .*?^\);$", model, re.M | re.S)
    assert head is not None
    ports = head[0]
    for plain, typed in _TYPES.items():
        ports = ports.replace(plain, typed)
    return (
        "// SPDX-License-Identifier: Apache-2.0\n"
        f"`default_nettype none\n\n(* blackbox *)\n{ports}\nendmodule\n\n`default_nettype wire\n"
    )


def each(names: str, units: int = 1) -> dict[str, int]:
    """The same number of units for every cell type named."""
    return dict.fromkeys(names.split(), units)
