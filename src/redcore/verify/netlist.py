# SPDX-License-Identifier: Apache-2.0
"""The mapped netlist does what the RTL does: a map from its registers to the RTL's, and a proof.

Each register of the RTL is given a value of the netlist's registers: by the net that kept its name,
which may be another's register where two were merged, or a constant. If every power-up of the
netlist is one of the RTL, and a step from any state of the netlist gives the outputs and the
registers that the RTL gives from the state it stands for, then whatever the netlist does for all
time the RTL does, too, by induction. The map is only a guess; the proof decides. Where a register
is not in the netlist, the proof is for each of its values.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from redcore import cache, processes
from redcore.design import Design
from redcore.errors import BadInput
from redcore.progress import Told
from redcore.synthesize import cell_models, mapped_netlist
from redcore.synthesize.job import SynthesisJob
from redcore.synthesize.store import Store, key_of
from redcore.synthesize.targets import Target
from redcore.verify import solver, yosys
from redcore.verify.gates import Graph, Loop, Module, Net, Register, random_values
from redcore.verify.keys import key_of_parts
from redcore.verify.memories import BLOCKS, fill_memories, kind, places, with_places

QUESTION_SECONDS = 300
"""For ABC, on all that is left when equal gates are one."""

PARTS = ("design", "synthesize/cells", *(
    f"verify/{name}.py" for name in ("netlist", "gates", "memories", "solver", "aiger", "yosys")
))  # fmt: skip
"""What of redcore decides a proof, beside the netlist."""

_RUNS = 1024
_RUNS_AT_A_TIME, _CYCLES, _RESET_CYCLES = 64, 256, 3
"""Random runs from a reset on."""
_NAMED = 4
_INVERTED = {"x": "x", "0": "1", "1": "0"}
"""So many differences are named."""

KINDS = ("matched", "merged", "constant", "derived", "told", "unread")
"""How a register of the RTL is found in the netlist."""

_SAYS = "the mapped netlist does what the RTL does, from power-up and for all time"
_GENERIC = "its generic form is meant, as in proofs and campaigns"
_DEVICE = "the form with the device's cells is meant, not the one of proofs and campaigns"

_MODELS = {
    "synth_ecp5": ("+/ecp5/cells_bb.v", "+/ecp5/cells_sim.v"),
    "synth_xilinx": ("+/xilinx/cells_xtra.v", "+/xilinx/cells_sim.v"),
}
"""Yosys's faces and models of a technology's cells, by the command that maps to them."""

_ASSUMED = {
    "synth_ecp5": (
        "cells do what Yosys's models of them (ecp5/cells_sim.v) do",
        "the device's global set and reset (GSR) is not used",
    ),
    "synth_xilinx": ("cells do what Yosys's models of them (xilinx/cells_sim.v) do",),
}
_ALWAYS = (
    "Yosys reads SystemVerilog as it is meant, and turns operators into gates rightly",
    "registers that the RTL gives no value at power-up may have any",
)
_OWN = "{0} does what redcore's model of it (synthesize/cells/{0}.v) does"
_BOXES = "equal {} with equal parameters, power-up and inputs have equal outputs"

_FLAT = ("proc", "flatten -noscopeinfo", "opt_clean", "memory_collect", "opt_clean")
_RESET = (
    "{} registers of the netlist that hold what others tell do so from the {} cycle of a reset"
    " on, and what is proved is from then on; what a reset does not set may have any value then"
)
_CYCLE_WORDS = ("first", "second", "third")
_ALIKE = "{} registers of the netlist that hold what others tell do so when it powers up"
_GATES = (
    "memory_map", "opt_clean", "dffunmap",
    "techmap -map products.v", "techmap", "simplemap", "opt_clean",
)  # fmt: skip
"""From cells and their models to a flat module with memories, and to one of simple gates.
Nothing is optimized, and no register is moved or dropped but what nothing reads."""

PRODUCTS = """
(* techmap_celltype = "$mul" *)
module product (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  wire [Y_WIDTH-1:0] a;
  wire [(B_WIDTH+1)*Y_WIDTH-1:0] sums;
  genvar row, at;
  generate
    for (at = 0; at < Y_WIDTH; at = at + 1) begin : extended
      if (at < A_WIDTH) assign a[at] = A[at];
      else assign a[at] = A_SIGNED ? A[A_WIDTH-1] : 1'b0;
    end
    assign sums[Y_WIDTH-1:0] = {Y_WIDTH{1'b0}};
    for (row = 0; row < B_WIDTH; row = row + 1) begin : rows
      localparam LESS = B_SIGNED && row == B_WIDTH - 1;
      wire [Y_WIDTH:0] carry;
      assign carry[0] = LESS;
      for (at = 0; at < Y_WIDTH; at = at + 1) begin : bits
        wire more, sum;
        if (at < row) assign more = LESS;
        else assign more = (a[at-row] & B[row]) ^ LESS;
        assign sum = sums[row*Y_WIDTH+at];
        assign sums[(row+1)*Y_WIDTH+at] = sum ^ more ^ carry[at];
        assign carry[at+1] = (sum & more) | (carry[at] & (sum ^ more));
      end
    end
  endgenerate
  assign Y = sums[B_WIDTH*Y_WIDTH +: Y_WIDTH];
endmodule
"""
"""A product as a row for each bit of B, from the lowest on, each added to the sum of those before;
of a signed B the last one is taken off.

Yosys cuts a product into those of parts of B for several slices. The sum of a slice's rows is then
one of the sums here, by the very same gates: no solver has to find that of two multipliers.
"""


@dataclass(frozen=True)
class NetlistResult:
    """What is known of one design's netlist on one target.

    ``status`` is proved, failed, undecided (ABC's time ran out, or what differs reads registers
    that were not found in the netlist) or unavailable (memories, or a cell without a model).
    ``registers`` counts the RTL's bits: matched, merged (with another that is matched), constant,
    derived (a gate behind registers), told (not in the netlist, which has registers that hold what
    it tells), unread (not in the netlist, and no output depends on it).
    """

    design: str
    target: str
    status: str
    registers: dict[str, int]
    cells: dict[str, int]
    compared: int
    """Outputs, next values of registers and inputs of black boxes; ``asked`` of them were left to
    ABC."""
    asked: int
    seconds: float
    assumptions: list[str]
    command: str
    reason: str = ""
    trace: str = ""
    generic: bool = False
    """Whether the RTL's generic form is meant, of which proofs and campaigns are, too; otherwise
    the form that ships, in which cells of the device stand."""

    @property
    def property_name(self) -> str:
        """As of other proofs."""
        return "netlist"

    @property
    def ok(self) -> bool:
        """Nothing that was asked is wrong, or was too much."""
        return self.status in ("proved", "unavailable")

    def as_entry(self) -> dict[str, Any]:
        """The result as JSON takes it, with a truth value for each status."""
        verdict = {name: self.status == name for name in ("proved", "bounded", "failed")}
        says = f"{_SAYS}; {_GENERIC if self.generic else _DEVICE}"
        return {"property": self.property_name, **verdict, **asdict(self), "says": says}


def prove_netlist(
    design: Design,
    target: Target,
    *,
    seconds: int = QUESTION_SECONDS,
    progress: Told | None = None,
    store: Store | None = None,
    keep: bool = True,
) -> NetlistResult:
    """Prove that what ``redcore synth`` makes of a design for ``target`` does what its RTL does.

    Raises BadInput for a target whose cells have no models, CheckFailed where Yosys refuses the
    design, RuntimeError where it does not read what it has made.
    """
    mapper = target.synthesis.split()[0]
    if mapper not in _MODELS:
        raise BadInput(
            f"--netlist knows the cells of ECP5 and Xilinx devices, not those of {target.name}"
        )
    job = SynthesisJob.of(design, target)
    told = progress or (lambda step: None)
    netlist = mapped_netlist(design, target, store)
    own = key_of_parts(PARTS, ("pyosys",))
    key = key_of(step="netlist", mapping=job.mapping_key, netlist=netlist, own=own, seconds=seconds)
    if keep and (kept := cache.answer_as(key, NetlistResult)) is not None:
        return kept
    found = compare(job, netlist, seconds, told)
    if keep and found.status != "undecided":
        cache.keep_answer(key, asdict(found))
    return found


def compare(job: SynthesisJob, netlist: dict[str, Any], seconds: int, tell: Told) -> NetlistResult:
    """Prove that ``netlist``, of the job's top module, does what the job's sources do."""
    began = time.monotonic()
    kinds = Counter(str(cell["type"]) for cell in netlist["cells"].values())
    mapper = job.target.synthesis.split()[0]
    found = NetlistResult(
        design=job.design.label(),
        target=job.target.name,
        status="unavailable",
        registers={},
        cells=dict(sorted(kinds.items())),
        compared=0,
        asked=0,
        seconds=0.0,
        assumptions=[*_ALWAYS, *_ASSUMED[mapper]],
        command=f"redcore verify {job.design.command_line()} --netlist --target {job.target.name}",
    )
    tell("netlist: reading")
    with tempfile.TemporaryDirectory(prefix="redcore-netlist-") as name:
        folder = Path(name)
        blocks = tuple(sorted(kinds.keys() & BLOCKS.keys()))
        gate = _gates(job, netlist, blocks, folder)
        boxes = sorted({str(cell["type"]) for cell in gate.boxes.values()})
        types = {name: kind(cell) for name, cell in netlist["cells"].items()}
        # A slice or a block memory is the same cell on both sides.
        forms = (True, False) if job.design.family.has_technology else (True,)
        for generic in (False,) if len(forms) > 1 and (boxes or blocks) else forms:
            rtl = _rtl(job, blocks, generic)
            recoded = any(is_recoded(rtl, gate, name) for name in rtl.widths)
            codes = _codes(job, folder) if recoded else {}
            proof = Proof(rtl, gate, types, codes, _inputs(netlist))
            tell("netlist: comparing")
            status, asked = proof.decide(folder, seconds)
            if status != "undecided":
                break
            # A difference says something where both forms have the same registers.
            if not proof.out_of_time and len(rtl.registers) == len(
                _rtl(job, blocks, False).registers
            ):
                break
    return replace(
        found,
        status=status,
        registers=proof.kinds,
        compared=len(proof.pairs),
        asked=asked,
        seconds=round(time.monotonic() - began, 2),
        assumptions=[
            *found.assumptions,
            *(_OWN.format(name) for name in sorted(BLOCKS.keys() & kinds.keys())),
            *map(_BOXES.format, boxes),
            *filter(None, [proof.starts]),
        ],
        reason=proof.reason,
        generic=generic,
    )


def _rtl(job: SynthesisJob, blocks: tuple[str, ...], generic: bool) -> Module:
    """The RTL as simple gates, in its generic form or with the cells of the device."""
    read, mapper = job.script[0], job.target.synthesis.split()[0]
    if generic:
        read = read.replace(f" -G Technology={job.target.technology}", " -G Technology=0")
    sources = tuple(sorted(job.sources.items()))
    return _rtl_module(sources, read, job.module, mapper, blocks, job.design.label())


def _gates(
    job: SynthesisJob, netlist: dict[str, Any], blocks: tuple[str, ...], folder: Path
) -> Module:
    """The netlist as simple gates."""
    mapper = job.target.synthesis.split()[0]
    reading = _Reading(folder, job.module, f"the netlist of {job.design.label()}")
    (folder / "mapped.json").write_text(
        json.dumps({"creator": "redcore", "modules": {job.module: with_places(netlist)}}),
        encoding="utf-8",
    )
    cells = reading.cells(mapper, blocks)
    gates = reading.run((*cells, "read_json mapped.json", reading.top, *_FLAT, *_GATES))
    return Module(gates["modules"][job.module])


@lru_cache(maxsize=4)
def _rtl_module(
    sources: tuple[tuple[str, bytes], ...],
    read: str,
    top: str,
    mapper: str,
    blocks: tuple[str, ...],
    label: str,
) -> Module:
    """The sources' module ``top`` as simple gates; once for several netlists of it."""
    with tempfile.TemporaryDirectory(prefix="redcore-rtl-") as name:
        reading = _Reading(Path(name), top, f"the RTL of {label}")
        _write(sources, reading.folder)
        flat = reading.run((read, *reading.cells(mapper, blocks), reading.top, *_FLAT))
        fill_memories(flat["modules"][top])
        (reading.folder / "flat.json").write_text(json.dumps(flat), encoding="utf-8")
        return Module(reading.run(("read_json flat.json", *_GATES))["modules"][top])


def _write(sources: Iterable[tuple[str, bytes]], folder: Path) -> None:
    for path, content in sources:
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(content)


class _Reading:
    """A folder in which Yosys reads ``what``, each time in a process of its own."""

    def __init__(self, folder: Path, module: str, what: str) -> None:
        self.folder = folder
        self.top = f"hierarchy -check -top {module}"
        self._what = what
        (folder / "products.v").write_text(PRODUCTS, encoding="utf-8")

    def cells(self, mapper: str, blocks: Iterable[str]) -> list[str]:
        """Commands that read the models of a technology's cells, of ``blocks`` redcore's own."""
        faces, models = _MODELS[mapper]
        found = [
            f"read_verilog -overwrite -lib {faces}",
            f"read_verilog -overwrite {models}",
        ]
        for model in cell_models(" ".join(f"{name} i_cell (" for name in blocks)):
            (self.folder / model.name).write_bytes(model.read_bytes())
            found += [f"delete ={model.stem}", f"read_verilog -defer {model.name}"]
        return found

    def run(self, script: Iterable[str]) -> dict[str, Any]:
        """The design after the commands, as Yosys's JSON has it."""
        file = self.folder / "read.json"
        failed = f"Yosys cannot read {self._what}"
        yosys.run([*script, f"write_json {file.name}"], file, failed, folder=self.folder)
        told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return told


Codes = Mapping[int, str]
"""The codes of a state machine's states in the netlist, lowest bit last, by those of the RTL."""


def _codes(job: SynthesisJob, folder: Path) -> dict[str, Codes]:
    """Of the registers that Yosys takes for states of machines: what it makes of their values.

    That is a guess of what the synthesis did; whether it did the same, the proof sees.
    """
    _write(job.sources.items(), folder)
    told = folder / "codes.txt"
    machines = ("opt_expr", "opt_clean", "opt -nodffe -nosdff", f"fsm -encfile {told.name}")
    failed = f"Yosys finds no state machine in {job.design.label()}"
    yosys.run([job.script[0], "proc", "flatten", *machines], told, failed, folder=folder)
    found: dict[str, dict[int, str]] = {}
    for line in told.read_text(encoding="utf-8").splitlines():
        word, first, second = line.split()
        if word == ".fsm":
            found[second.removeprefix("\\")] = codes = {}
        else:
            codes[int(first, 2)] = second
    return dict(found)


def is_recoded(rtl: Module, gate: Module, name: str) -> bool:
    """Whether registers of that name have other codes in the netlist."""
    bits = gate.widths.get(name, 0)
    return bits not in (0, rtl.widths[name]) and any(
        gate.named[name, at] in gate.registers for at in range(bits)
    )


def _inputs(netlist: Mapping[str, Any]) -> set[str]:
    """Names that nets have at the inputs of the netlist's cells, once their models are inside."""
    return {
        f"{name}.{pin}"
        for name, cell in netlist["cells"].items()
        for pin, direction in cell["port_directions"].items()
        if direction == "input"
    }


@dataclass
class _Pair:
    """Two literals that must be equal, what they are, and the nets that they are of."""

    what: str
    rtl: int
    gate: int
    of_rtl: Net = "0"
    of_gate: tuple[Net, ...] = ()


class Proof:
    """The map, what must be equal, and why it is not."""

    def __init__(
        self, rtl: Module, gate: Module, kinds: Mapping[str, str],
        codes: Mapping[str, Codes] | None = None, inputs: Set[str] = frozenset(),
    ) -> None:  # fmt: skip
        self.rtl, self.gate = rtl, gate
        self._codes = codes or {}
        self._legal: dict[str, int] = {}
        """Of state machines: whether the RTL's registers, any as inputs, hold a state's code."""
        self._kinds = kinds
        """Types of the netlist's cells, by name."""
        self._inputs = inputs
        """Names of nets at their inputs: a register that was in front of one may be inside now."""
        self.graph = Graph()
        self.pairs: list[_Pair] = []
        self.kinds: dict[str, int] = {}
        self.reason = ""
        self.out_of_time = False
        """Whether a question was asked that ABC did not answer."""
        self._known: dict[Net, int] = {}
        """Literals of the netlist's nets, over inputs and its registers."""
        self._mine: dict[Net, int] = {}
        """Literals of the RTL's nets; a register's is the value that the map gives it."""
        self._state: dict[Net, int] = {}
        """The inputs of the graph that are the netlist's registers."""
        self._map: dict[Net, int] = {}
        """Over ``_state``, by the RTL's registers."""
        self._free: dict[int, Net] = {}
        """Registers of the RTL that have no value yet, by the input of the graph in its place."""
        self._twins: dict[Net, int] = {}
        """Registers of the netlist that hold what others tell, and what that is."""
        self._any_known: dict[Net, int] = {}
        self._any_mine: dict[Net, int] = {}
        """As ``_known`` and ``_mine`` where such registers may hold anything."""
        self._undefined: set[int] = set()
        """Inputs of the graph for what the RTL leaves open."""
        self.starts = ""
        """What is assumed of the beginning, beside what always is."""
        self._coded: dict[int, int] = {}
        """Of ``_free`` those that hold a state's code, which is another in the netlist, and what
        stands in their place: that of a state, whatever they hold."""
        self._guessed: set[Net] = set()
        """Registers of the RTL that have a value by what they do, and not by their name."""

    def decide(self, folder: Path, seconds: int) -> tuple[str, int]:
        """The status and how many questions ABC was asked."""
        if refusal := self._refused():
            self.reason = refusal
            return "failed", 0
        if unknown := self._unknown():
            self.reason = unknown
            return "unavailable", 0
        self._begin()
        try:
            self._by_name()
            self._build()
        except Loop as loop:
            self.reason = f"gates drive each other in a ring at {loop}"
            return "failed", 0
        self._decode()
        while any(
            found()
            for found in (self._guess, self._copies, self._choose, self._doubles, self._follow)
        ):
            pass
        self._count()
        self.reason = (
            self._shorted() or self._moved() or self._starts_otherwise() or self._other_boxes()
        )
        if self.reason:
            return "failed", 0
        self._compare()
        if apart := self._begins(folder, seconds):
            self.reason = apart
            return "undecided", 0
        open_pairs = [each for each in self.pairs if each.rtl != each.gate]
        if not open_pairs:
            return "proved", 0
        if wrong := self._simulated(open_pairs):
            return self._blame(wrong), 0
        return self._solved(open_pairs, folder, seconds), len(open_pairs)

    def _refused(self) -> str:
        """Why the two have not the same face and one clock, or nothing."""
        faces = [
            {name: (direction, len(bits)) for name, (direction, bits) in each.ports.items()}
            for each in (self.rtl, self.gate)
        ]
        if faces[0] != faces[1]:
            other = sorted(n for n in {*faces[0], *faces[1]} if faces[0].get(n) != faces[1].get(n))
            return f"the netlist has other ports: {', '.join(other)}"
        for each, name in ((self.rtl, "RTL"), (self.gate, "netlist")):
            for cell, told in each.boxes.items():
                if told["type"].startswith("$"):
                    return (
                        f"{cell} of the {name} is no gate, and no register of the rising edge of"
                        f" clk_i ({told['type']})"
                    )
            (clock,) = each.ports["clk_i"][1]
            for register in each.registers.values():
                if register.clock != clock:
                    return f"{each.call(register.value)} of the {name} is not clocked by clk_i"
        return ""

    def _unknown(self) -> str:
        """Which cell has no model and no partner, or nothing."""
        for name, cell in self.gate.boxes.items():
            other = self.rtl.boxes.get(name)
            if other is None or other["type"] != cell["type"]:
                return f"the cell {name} of the netlist ({cell['type']}) has no model"
        for name, cell in self.rtl.boxes.items():
            if name not in self.gate.boxes:
                return f"the cell {name} of the RTL ({cell['type']}) is not in the netlist"
        return ""

    def _begin(self) -> None:
        """Inputs of the graph: ports, what black boxes give, the netlist's registers."""
        for name, (direction, bits) in self.gate.ports.items():
            if direction == "input":
                for net, other in zip(bits, self.rtl.ports[name][1], strict=True):
                    self._known[net] = self._mine[other] = self.graph.input()
        of_pin = {pin: net for net, pin in self.rtl.box_nets("output").items()}
        for net, pin in self.gate.box_nets("output").items():
            self._known[net] = self.graph.input()
            if (mate := of_pin.get(pin)) is not None:
                self._mine[mate] = self._known[net]
        self._state = {net: self.graph.input() for net in self.gate.registers}
        self._known |= self._state

    def _by_name(self) -> None:
        """Give registers of the RTL the value of the netlist's net that has a name of theirs."""
        found = {
            register: each
            for register in self.rtl.registers
            if (each := self._namesake(register)) is not None
        }
        self.gate.build(self.graph, self._known, found.values())
        for register in self.rtl.registers:
            if register in found:
                self._map[register] = self._mine[register] = self._known[found[register]]
            else:
                self._mine[register] = self.graph.input()
                self._free[self._mine[register]] = register

    def _namesake(self, register: Net) -> Net | None:
        """Of several nets with names of a register one that a flip-flop drives."""
        names = self.rtl.names.get(register, ())
        kept = (
            place
            for name, bit in names
            for place in places(name, bit, self.rtl.widths[name], self._kinds)
        )
        nets = [
            self.gate.named[name]
            for name in (*filter(self._is_kept, names), *kept)
            if name in self.gate.named and self.gate.driven(self.gate.named[name])
        ]
        stored = (net for net in nets if net in self.gate.registers)
        return next(stored, nets[0] if nets else None)

    def _is_kept(self, name: tuple[str, int]) -> bool:
        """Whether a net of that name in the netlist may be what it is in the RTL."""
        return name[0] not in self._inputs and not self._is_recoded(name[0])

    def _is_recoded(self, name: str) -> bool:
        return is_recoded(self.rtl, self.gate, name)

    def _decode(self) -> None:
        """State machines whose states have other codes in the netlist: its registers hold what the
        RTL's tell, which hold a code of a state."""
        places = {register: literal for literal, register in self._free.items()}
        both = self.graph.both
        for name, codes in self._codes.items():
            bits = [self.rtl.named.get((name, at)) for at in range(self.rtl.widths.get(name, 0))]
            if not bits or not self._is_recoded(name) or not places.keys() >= {*bits}:
                continue
            own = [places[bit] for bit in bits if bit is not None]

            def says(code: int, own: Sequence[int] = own) -> int:
                """Whether the RTL's registers have that code."""
                found = 1
                for at, literal in enumerate(own):
                    found = both(found, literal ^ (~code >> at & 1))
                return found

            legal = 0
            for code in codes:
                legal = self.graph.either(legal, says(code))
            # What is no code stands for the first one: that there is always one is proved.
            first = min(codes)
            shown = {
                literal: self.graph.choose(legal, first >> at & 1, literal)
                for at, literal in enumerate(own)
            }
            self._legal[name] = legal
            self._coded |= shown
            self._replace(shown)
            copies: dict[int, int] = {}
            for at in range(self.gate.widths[name]):
                net = self.gate.named[name, at]
                if net in self._state:
                    told = 0
                    for code, new in codes.items():
                        if new[-1 - at : len(new) - at] == "1":
                            told = self.graph.either(told, says(code))
                    (copies[self._state[net]],) = self.graph.substituted([told], shown)
                    self._twins[net] = copies[self._state[net]]
            self._replace(copies, copies=True)

    def _build(self) -> None:
        """All literals that will be compared."""
        for each, known in ((self.gate, self._known), (self.rtl, self._mine)):
            nets = [r.following for r in each.registers.values()]
            nets += [n for kind, bits in each.ports.values() if kind == "output" for n in bits]
            nets += each.box_nets("input")
            before = len(self.graph.inputs)
            each.build(self.graph, known, nets)
            self._undefined = set(self.graph.inputs[before:])
        self._any_known, self._any_mine = dict(self._known), dict(self._mine)

    def _guess(self) -> bool:
        """Find registers or constants for those without a name in the netlist that matter: such as
        have the same next value in random states. Whether any was found."""
        needed, open_ = self._needed()
        if not needed:
            return False
        ones = (1 << _RUNS) - 1
        values = random_values(self.graph.inputs, _RUNS, seed=2)
        nexts = [self._mine[self.rtl.registers[self._free[each]].following] for each in needed]
        low, high = (
            self.graph.simulate(nexts, values | dict.fromkeys(self._free, fill), ones)
            for fill in (0, ones)
        )
        gates = list(self.gate.registers.values())
        after = self.graph.simulate([self._known[each.following] for each in gates], values, ones)
        found: dict[int, int] = {}
        # What others decide that have no value yet waits for these: filled as they are here it may
        # be taken for a constant.
        alone = [
            leaves <= {free}
            for free, leaves in zip(needed, self.graph.among(nexts, open_), strict=True)
        ]
        for free, sure, when_low, when_high in zip(needed, alone, low, high, strict=True):
            if not sure:
                continue
            # What powers up otherwise is another register, however alike the two go on.
            start = self.rtl.registers[self._free[free]].start
            if when_low == 0 and start != "1":
                found[free] = 0
                continue
            if when_high == ones and start != "0":
                found[free] = 1
                continue
            keeps = when_low ^ when_high  # in the runs in which the register keeps its value
            for register, following in zip(gates, after, strict=True):
                literal = self._state[register.value]
                own = values[literal]
                if following == when_low ^ (keeps & own) and start in ("x", register.start):
                    found[free] = literal
                    break
                if following ^ ones == when_low ^ (keeps & (own ^ ones)) and start in (
                    "x",
                    _INVERTED.get(register.start),
                ):
                    found[free] = literal ^ 1
                    break
        self._give(found)
        return bool(found)

    def _needed(self) -> tuple[list[int], Set[int]]:
        """Registers without a value that matter, and all that may be given one."""
        self._compare()
        open_ = self._free.keys() - self._coded.keys()
        found: list[int] = []
        reached = {each.rtl for each in self.pairs if each.rtl != each.gate}
        while reached:  # and what decides of them
            new = [2 * node for node in self.graph.cone(reached) if 2 * node in open_]
            new = [each for each in new if each not in found]
            found += new
            reached = {self._mine[self.rtl.registers[self._free[each]].following] for each in new}
        return found, open_

    def _give(self, found: Mapping[int, int]) -> None:
        """Registers have these values, which is a guess."""
        for free, literal in found.items():
            given = self._free.pop(free)
            self._map[given] = literal
            self._guessed.add(given)
        self._replace(found)

    def _copies(self) -> bool:
        """Find registers of the netlist that hold what others tell. Whether any was found.

        Yosys gives a memory's address a register of its own beside the one that has it, and keeps
        what a small table says of a register in one, too: by the name of the table's output.
        """
        self._compare()
        registers, used, needed = self._untold()
        if not needed:
            return False
        after = self._after(self._known, self._mine)
        # What others decide of which nothing is known waits for these.
        reads = self.graph.among([after[each] for each in needed], {*needed})
        alone = {copy for copy, leaves in zip(needed, reads, strict=True) if leaves <= {copy}}
        used |= self._free.keys()
        those = sorted(used & registers.keys())
        named = {copy: self._told(registers[copy].value, used) for copy in needed}
        told = {copy: literal for copy, literal in named.items() if literal is not None}
        # Both the values that a copy may have and the next ones, in random states.
        ones = (1 << _RUNS) - 1
        values = random_values(self.graph.inputs, _RUNS, seed=3)
        low, high = (
            self.graph.simulate(
                [after[each] for each in needed], values | dict.fromkeys(needed, fill), ones
            )
            for fill in (0, ones)
        )
        # A slice has more bits than a factor of the RTL: registers that are given a constant.
        tried = [*told.values(), 0, 1, *those]
        nexts = self.graph.substituted(tried, after)
        first, then = (
            self.graph.simulate(each, values | dict.fromkeys(needed, 0), ones)
            for each in (tried, nexts)
        )
        own = dict(zip(told, zip(told.values(), first, then, strict=False), strict=True))
        others = [*zip(tried, first, then, strict=True)][len(told) :]
        found: dict[int, int] = {}
        for copy, when_low, when_high in zip(needed, low, high, strict=True):
            if copy not in alone:
                continue
            keeps = when_low ^ when_high  # in the runs in which it keeps its value
            for literal, value, following in [own[copy]] if copy in own else others:
                if following == when_low ^ (keeps & value):
                    found[copy] = literal
                    break
        self._hold(found)
        return bool(found)

    def _untold(self) -> tuple[dict[int, Register], set[int], list[int]]:
        """The netlist's registers, those that stand for one of the RTL's, and others that matter
        and hold nothing that is known: a slice may have one such behind another."""
        used = {literal & ~1 for literal in self._map.values()}
        registers = {self._state[net]: each for net, each in self.gate.registers.items()}
        wrong = [pair.gate for pair in self.pairs if pair.rtl != pair.gate]
        found: list[int] = []
        while wrong:  # and what decides of them
            cone = (2 * node for node in self.graph.cone(wrong))
            new = [each for each in cone if each in registers and each not in used]
            new = [each for each in new if each not in found]
            found += new
            wrong = [self._known[registers[each].following] for each in new]
        return registers, used, found

    def _doubles(self) -> bool:
        """Find registers of the netlist, several in the RTL, too, that get the same value from any
        state, so that one may do another's work. Whether any was found."""
        self._compare()
        registers, used, _ = self._untold()
        wrong = [pair for pair in self.pairs if pair.rtl != pair.gate]
        sides = [side for pair in self._simulated(wrong) for side in (pair.rtl, pair.gate)]
        cone = (2 * node for node in self.graph.cone(sides))
        reached = [each for each in cone if each in registers and each in used]
        values = random_values(self.graph.inputs, _RUNS, seed=5)
        nexts = [self._any_known[registers[each].following] for each in reached]
        told = self.graph.simulate(nexts, values, (1 << _RUNS) - 1)
        first: dict[tuple[int, str], int] = {}
        found: dict[int, int] = {}
        for literal, value in zip(reached, told, strict=True):
            other = first.setdefault((value, registers[literal].start), literal)
            if other != literal:
                found[literal] = other
        self._hold(found)
        return bool(found)

    def _hold(self, found: Mapping[int, int]) -> None:
        """Registers of the netlist hold this, which is proved of each step."""
        nets = {literal: net for net, literal in self._state.items()}
        self._twins |= {nets[copy]: literal for copy, literal in found.items()}
        self._replace(found, copies=True)

    def _follow(self) -> bool:
        """Find registers, of either side, by what they do in random runs from a reset on. Whether
        any was found.

        So are those found that decide of each other, as the bits of a code beside another one.
        """
        needed, _ = self._needed()
        registers, used, copies = self._untold()
        wrong = [pair for pair in self.pairs if pair.rtl != pair.gate]
        if not self._simulated(wrong):
            return False
        ones = (1 << _RUNS_AT_A_TIME) - 1
        draw = random.Random(4)
        after = self._after(self._known, self._mine)
        (reset,) = self.gate.ports["rst_ni"][1]
        # Registers of the netlist, and what is not in it and is carried along.
        carried = {each: self._coded.get(each, each) for each in self._free}
        seen = [*registers, *carried.values()]
        traces = [0] * len(seen)
        state = {each: draw.getrandbits(_RUNS_AT_A_TIME) for each in after}
        for cycle in range(_CYCLES):
            values = {each: draw.getrandbits(_RUNS_AT_A_TIME) for each in self.graph.inputs}
            values |= state
            values[self._known[reset]] = ones if cycle >= _RESET_CYCLES else 0
            now = self.graph.simulate([*after.values(), *seen], values, ones)
            state = dict(zip(after, now, strict=False))
            if 2 * cycle >= _CYCLES:  # what was there at first is mostly gone
                traces = [
                    trace << _RUNS_AT_A_TIME | value
                    for trace, value in zip(traces, now[len(after) :], strict=True)
                ]
        of = dict(zip([*registers, *carried], traces, strict=True))
        turned = (1 << _RUNS_AT_A_TIME * (_CYCLES - _CYCLES // 2)) - 1
        found: dict[int, int] = {}
        for free in needed:
            start = self.rtl.registers[self._free[free]].start
            for literal, register in registers.items():
                if of[literal] == of[free] and start in ("x", register.start):
                    found[free] = literal
                elif of[literal] == of[free] ^ turned and start in (
                    "x",
                    _INVERTED.get(register.start),
                ):
                    found[free] = literal ^ 1
                else:
                    continue
                break
        self._give(found)
        if found:
            return True
        told = {of[each]: each for each in sorted(used & registers.keys(), reverse=True)}
        told |= {of[each]: literal for each, literal in carried.items()}
        found = {copy: told[of[copy]] for copy in copies if of[copy] in told}
        found = self._alike(found, after)
        self._hold(found)
        return bool(found)

    def _alike(self, found: Mapping[int, int], after: Mapping[int, int]) -> dict[int, int]:
        """Those of the netlist's registers that go on to hold what is said, in random states, if
        all of them do now."""
        kept = dict(found)
        values = random_values(self.graph.inputs, _RUNS, seed=6)
        while kept:
            then = self.graph.substituted([*kept.values()], after)
            sides = self.graph.substituted([*then, *(after[copy] for copy in kept)], kept)
            told = self.graph.simulate(sides, values, (1 << _RUNS) - 1)
            pairs = zip(kept, told, told[len(kept) :], strict=False)
            apart = [copy for copy, a, b in pairs if a != b]
            if not apart:
                break
            for copy in apart:
                del kept[copy]
        return kept

    def _choose(self) -> bool:
        """Choose what the RTL leaves open so that it does what the netlist does. Whether anything
        was chosen."""
        self._compare()
        found: dict[int, int] = {}
        for pair in self.pairs:
            if pair.rtl == pair.gate:
                continue
            cone = {2 * node for node in self.graph.cone([pair.rtl])}
            if len(open_ := cone & self._undefined) == 1 and not open_ & found.keys():
                (one,) = open_
                (when_low,) = self.graph.substituted([pair.rtl], {one: 0})
                found[one] = self.graph.differ(when_low, pair.gate)
        chosen = {one for value in found.values() for one in self._open(value)}
        found = {one: value for one, value in found.items() if one not in chosen}
        self._undefined -= found.keys()
        self._replace(found)
        return bool(found)

    def _open(self, literal: int) -> Set[int]:
        """What the RTL leaves open of that which a literal depends on."""
        return self._undefined & {2 * node for node in self.graph.cone([literal])}

    def _told(self, register: Net, used: Set[int]) -> int | None:
        """What the RTL says of a name of the netlist's register, if registers alone decide it."""
        nets = [
            self.rtl.named[name]
            for name in self.gate.names.get(register, ())
            if name in self.rtl.named and self.rtl.driven(self.rtl.named[name])
        ]
        self.rtl.build(self.graph, self._mine, nets)
        for net in nets:
            leaves = (2 * node for node in self.graph.cone([self._mine[net]]))
            if all(each in used for each in leaves if self.graph.is_input(each)):
                return self._mine[net]
        return None

    def _after(self, known: Mapping[Net, int], mine: Mapping[Net, int]) -> dict[int, int]:
        """Next values of the netlist's registers, and of the RTL's that have no value in it: these
        are carried along as they are."""
        return {
            self._state[net]: known[each.following] for net, each in self.gate.registers.items()
        } | {free: mine[self.rtl.registers[net].following] for free, net in self._free.items()}

    def _replace(self, found: Mapping[int, int], *, copies: bool = False) -> None:
        """Put values in the places of inputs, wherever they are."""
        tables = [self._mine, self._known, self._map]
        if not copies:
            tables += [self._any_known, self._any_mine]
        for table in tables:
            made = self.graph.substituted([*table.values()], found)
            table |= dict(zip(table, made, strict=True))

    def _count(self) -> None:
        """How the RTL's registers are found in the netlist."""
        used: set[int] = set()
        telling = self.graph.cone(self._twins.values())
        told = sum(2 * node in self._free for node in telling)
        kinds: Counter[str] = Counter(told=told, unread=len(self._free) - told)
        for literal in self._map.values():
            if literal < 2:
                kinds["constant"] += 1
            elif literal & ~1 not in self._state.values():
                kinds["derived"] += 1
            else:
                kinds["merged" if literal & ~1 in used else "matched"] += 1
                used.add(literal & ~1)
        self.kinds = {kind: kinds[kind] for kind in KINDS}

    def _moved(self) -> str:
        """Which register is a gate in the netlist that depends on more than registers."""
        registers = {0, *self._state.values()}
        for register, literal in self._map.items():
            if literal & ~1 in registers:
                continue
            leaves = (2 * node for node in self.graph.cone([literal]))
            if any(self.graph.is_input(each) and each not in registers for each in leaves):
                return (
                    f"the register {self.rtl.call(register)} is none in the netlist: a gate of its"
                    " name depends on inputs"
                )
        return ""

    def _starts_otherwise(self) -> str:
        """Which register may power up with a value that the RTL does not give it."""
        values = {
            self._state[net]: int(each.start)
            for net, each in self.gate.registers.items()
            if each.start != "x"
        }
        begins = self.graph.substituted([*self._map.values()], values)
        for register, literal in zip(self._map, begins, strict=True):
            start = self.rtl.registers[register].start
            if start != "x" and literal != int(start):
                other = literal if literal < 2 else "either"
                return (
                    f"the register {self.rtl.call(register)} powers up as {start} in the RTL and as"
                    f" {other} in the netlist"
                )
        return ""

    def _shorted(self) -> str:
        """Which net has two drivers."""
        for each, name in ((self.rtl, "RTL"), (self.gate, "netlist")):
            for net in each.shorts:
                return f"more than one cell drives {each.call(net)} of the {name}"
        return ""

    def _other_boxes(self) -> str:
        """Which black box is another one in the netlist."""
        for name, cell in self.gate.boxes.items():
            mate = self.rtl.boxes[name]
            if _said(cell) != _said(mate):
                return f"the cell {name} has other parameters in the netlist"
            for pin in sorted(_joined(cell) ^ _joined(mate)):
                return f"the input {pin} of the cell {name} is open in one of the two"
            for pin, bits in cell["connections"].items():
                if len(mate["connections"].get(pin, ())) != len(bits):
                    return f"the cell {name} has another {pin} in the netlist"
        return ""

    def _compare(self) -> None:
        """All pairs, as far as the map goes."""
        mine, known = self._mine, self._known
        self.pairs = []
        for name, (direction, bits) in self.gate.ports.items():
            if direction == "output":
                for at, (net, other) in enumerate(zip(bits, self.rtl.ports[name][1], strict=True)):
                    what = f"the output {name}[{at}]"
                    self.pairs.append(_Pair(what, mine[other], known[net], other, (net,)))
        for name, cell in self.gate.boxes.items():
            for pin, bits in cell["connections"].items():
                if cell["port_directions"][pin] == "input":
                    others = self.rtl.boxes[name]["connections"].get(pin, ())
                    for at, (net, other) in enumerate(zip(bits, others, strict=False)):
                        what = f"the input {pin}[{at}] of the cell {name}"
                        self.pairs.append(_Pair(what, mine[other], known[net], other, (net,)))
        after = self._after(known, mine)
        following = self.graph.substituted([*self._map.values()], after)
        nets = {literal: net for net, literal in self._state.items()}
        for register, gate in zip(self._map, following, strict=True):
            net = self.rtl.registers[register].following
            what = f"the register {self.rtl.call(register)}"
            there = [
                self.gate.registers[nets[2 * node]].following
                for node in self.graph.cone([self._map[register]])
                if 2 * node in nets
            ]
            self.pairs.append(_Pair(what, mine[net], gate, net, tuple(there)))
        told = self.graph.substituted([*self._twins.values()], after)
        for copy, literal in zip(self._twins, told, strict=True):
            net = self.gate.registers[copy].following
            what = f"the copy {self.gate.call(copy)}"
            self.pairs.append(_Pair(what, literal, known[net], "0", (net,)))
        legal = self.graph.substituted([*self._legal.values()], after)
        for name, literal in zip(self._legal, legal, strict=True):
            self.pairs.append(_Pair(f"the code of {name}", literal, 1))

    def _begins(self, folder: Path, seconds: int) -> str:
        """Say from when on registers that hold what others tell do so: from a reset on, if any
        state is one of theirs behind a few cycles of it, else from power-up by assumption. What
        speaks against that, or nothing."""
        if not self._twins:
            return ""
        reset = self._known[self.gate.ports["rst_ni"][1][0]]
        after = self._after(self._any_known, self._any_mine)
        copies = [after[self._state[copy]] for copy in self._twins]
        told = self.graph.substituted([*self._twins.values()], after)
        # And what a reset sets is what it sets in the RTL.
        mine = [self._any_mine[self.rtl.registers[each].following] for each in self._map]
        sets = self.graph.substituted(mine, {reset: 0})
        gates = self.graph.substituted([*self._map.values()], after)
        told += [own for own in sets if own < 2]
        # A state machine has a code of a state.
        told += self.graph.substituted([*self._legal.values()], after)
        copies += [gate for own, gate in zip(sets, gates, strict=True) if own < 2]
        copies += [1] * len(self._legal)
        # A slice's second register is right once its first one is.
        cycle, held, left = "", dict[int, int](), [*range(len(told))]
        for word in _CYCLE_WORDS:
            sides = self.graph.substituted([*told, *copies], {reset: 0} | held)
            pairs = [_Pair(str(at), sides[at], sides[len(told) + at]) for at in left]
            open_ = [pair for pair in pairs if pair.rtl != pair.gate]
            wrong = {pair.what for pair in self._simulated(open_)}
            asked = [pair for pair in open_ if pair.what not in wrong]
            if asked and self._solved(asked, folder, seconds) != "proved":
                break
            if not wrong:
                cycle = word
                break
            left = [at for at in left if str(at) in wrong]
            right = {at: pair for at, pair in enumerate(self._twins.items()) if at not in left}
            if len(right) == len(held):
                break
            held = {self._state[copy]: literal for copy, literal in right.values()}
        count = len(self._twins)
        self.starts = _RESET.format(count, cycle) if cycle else _ALIKE.format(count)
        self.reason = ""
        return "" if cycle else self._begun_apart()

    def _begun_apart(self) -> str:
        """Which copies power up as something else than what they are to hold, in a sentence."""
        begun = {
            self._state[net]: int(register.start)
            for net, register in self.gate.registers.items()
            if register.start in ("0", "1")
        }
        held = self.graph.substituted([*self._twins.values()], begun)
        apart = [
            self.gate.call(copy)
            for copy, value in zip(self._twins, held, strict=True)
            if value < 2 and self.gate.registers[copy].start not in ("x", str(value))
        ]
        told = ", ".join(apart[:_NAMED])
        return f"powers up as something else than what it is to hold: {told}" if apart else ""

    def _simulated(self, pairs: Sequence[_Pair]) -> list[_Pair]:
        """The pairs that random states tell apart."""
        values = random_values(self.graph.inputs, _RUNS, seed=1)
        sides = [each.rtl for each in pairs] + [each.gate for each in pairs]
        found = self.graph.simulate(sides, values, (1 << _RUNS) - 1)
        halves = zip(pairs, found, found[len(pairs) :], strict=False)
        return [pair for pair, a, b in halves if a != b]

    def _blame(self, wrong: Sequence[_Pair]) -> str:
        """Say what differs, and which of the RTL's registers it reads that are not there.

        Returns the status: where all that differs reads such, or rests on a guess, the map may be
        what is wrong.
        """
        named = ", ".join(each.what for each in wrong[:_NAMED])
        more = f" and {len(wrong) - _NAMED} more" if len(wrong) > _NAMED else ""
        self.reason = f"the netlist differs from the RTL at {named}{more}"
        lost = [
            {2 * node for node in self.graph.cone([each.rtl]) if 2 * node in self._free}
            for each in wrong
        ]
        if any(lost):
            names = sorted(self.rtl.call(self._free[each]) for each in set().union(*lost))
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            self.reason += f"; not found in the netlist: {', '.join(names[:_NAMED])}{more}"
        if machines := sorted(
            {
                name
                for register in self._free.values()
                for name, _ in self.rtl.names.get(register, ())
                if self._is_recoded(name)
            }
        ):
            self.reason += f"; the codes of {', '.join(machines)} are others in the netlist"
            return "undecided"
        sure = [pair for pair, names in zip(wrong, lost, strict=True) if not names]
        return "failed" if any(map(self._is_sure, sure)) else "undecided"

    def _is_sure(self, pair: _Pair) -> bool:
        """Whether a difference is one whatever was guessed: of names alone."""
        following = {self.rtl.registers[each].following for each in self._guessed}
        used = {literal & ~1 for literal in self._map.values()}
        unused: set[Net] = {net for net, literal in self._state.items() if literal not in used}
        unused.add("x")  # a pin that Yosys leaves to the placer
        return (
            pair.of_rtl not in following
            and not self.rtl.leaves(pair.of_rtl) & {*self._guessed, "x"}
            and not any(self.gate.leaves(net) & unused for net in pair.of_gate)
            and not pair.what.startswith("the copy")
        )

    def _solved(self, pairs: Sequence[_Pair], folder: Path, seconds: int) -> str:
        """ABC's word on all pairs at once; a difference is looked at again here."""
        told = [self.graph.differ(each.rtl, each.gate) for each in pairs]
        leaves = self.graph.write(told, folder / "miter.aig")
        wall = solver.wall_seconds(seconds)
        try:
            said = processes.run(
                [solver.abc_program(), "-q",
                 # Without &put there is no network whose example could be written.
                 f"&read miter.aig; &put; &cec -m -T {wall}; write_cex -a example.txt"],
                cwd=folder, timeout=2 * wall + 60,
            ).stdout  # fmt: skip
        except subprocess.TimeoutExpired:
            said = "it was ended past its time"
        if re.search(r"Networks are equivalent", said):
            return "proved"
        example = folder / "example.txt"
        if example.is_file():
            lines = example.read_text(encoding="ascii").splitlines()
            bits = [int(bit) for line in lines if re.fullmatch("[01]+", line) for bit in line]
            values = dict.fromkeys(self.graph.inputs, 0) | dict(zip(leaves, bits, strict=False))
            found = self.graph.simulate(told, values, 1)
            if wrong := [pair for pair, bit in zip(pairs, found, strict=True) if bit]:
                return self._blame(wrong)
        if "NOT EQUIVALENT" in said:
            self.reason = "ABC says that netlist and RTL differ, by an example where they do not"
        else:
            self.reason, self.out_of_time = f"ABC came to no end: {said[-200:]}", True
        return "undecided"


def _joined(cell: Mapping[str, Any]) -> set[str]:
    """The inputs of a cell that are joined to anything."""
    return {
        pin
        for pin, bits in cell["connections"].items()
        if cell["port_directions"][pin] == "input" and any(bit not in ("x", "z") for bit in bits)
    }


def _said(cell: dict[str, Any] | Any) -> dict[str, str]:
    """A cell's parameters, numbers without leading zeros."""
    return {
        name: str(int(value, 2)) if re.fullmatch("[01]+", str(value)) else str(value)
        for name, value in cell["parameters"].items()
    }
