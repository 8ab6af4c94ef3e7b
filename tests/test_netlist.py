# SPDX-License-Identifier: Apache-2.0
"""Netlists are proved equal to their RTL, and wrong ones are not."""

from __future__ import annotations

import copy
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from redcore.catalogue import family
from redcore.errors import BadInput
from redcore.synthesize import mapped_netlist, target
from redcore.synthesize.job import SynthesisJob
from redcore.verify import prove_netlist, yosys
from redcore.verify.gates import Graph, Module
from redcore.verify.netlist import PRODUCTS, NetlistResult, Proof, _codes, compare
from tiers import tiers

pytestmark = pytest.mark.kept

ECP5, XILINX = "ecp5-85k", "xc7"
FLIP_FLOPS = {"TRELLIS_FF": ("DI", "Q"), "FDRE": ("D", "Q"), "FDSE": ("D", "Q")}
Netlist = dict[str, Any]
Cell = dict[str, Any]


WITHOUT = ("csa", "interleaved", "systolic", "barrett", "carrychain")
"""Families without memories."""
FAMILIES = [
    *((name, device) for name in WITHOUT[:4] for device in (ECP5, XILINX)),
    *((name, ECP5) for name in ("carrychain", "tablechain", "tableserial", "scalable", "cios",
                                "array", "productscan")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "device", "width"),
    [
        ("csa", ECP5, 64),
        ("csa", XILINX, 64),
        ("carrychain", ECP5, 64),
        ("fold", ECP5, 8),
        ("radix4", ECP5, 8),  # states have both codes
        ("radix4", ECP5, 32),  # and one part reads the copies of another
        ("carrychain", XILINX, 16),  # registers that decide of each other have lost their names
        ("tableserial", XILINX, 16),  # block memories
        ("cios", XILINX, 16),  # registers move into the multiplier slices
    ]
    + [
        pytest.param(name, device, 64, marks=pytest.mark.full)
        for name, device in [
            *(
                (each, ECP5)
                for each in ("scalable", "cios", "fold", "radix4", "tablechain", "productscan")
            ),
            *((each, XILINX) for each in ("cios", "fold", "radix4", "carrychain")),
        ]
    ]
    # two slices share a product, two registers at each input
    + [pytest.param("productscan", XILINX, 24, marks=pytest.mark.full)]
    + [pytest.param(*each, 256, marks=pytest.mark.full) for each in FAMILIES],
)
def test_the_netlist_is_the_rtl(name: str, device: str, width: int) -> None:
    found = prove_netlist(family(name).design(width), target(device), keep=False)
    assert (found.status, found.reason) == ("proved", "")
    assert found.asked > 0
    # Of the form that proofs are of, where no slice and no block memory is instantiated.
    boxes = {"MULT18X18D", "DP16KD", "DSP48E1", "RAMB18E1", "RAMB36E1"} & found.cells.keys()
    assert found.generic == (not boxes or (name in ("fold", "solinas") and device == XILINX))
    flip_flops = sum(found.cells.get(each, 0) for each in FLIP_FLOPS)
    if name in WITHOUT:
        # Those of carrychain's units that tell what others hold are said to.
        told = re.search(r"(\d+) registers of the netlist that hold", " ".join(found.assumptions))
        copies = int(told[1]) if told else 0
        assert name == "carrychain" or copies == 0
        assert found.registers["matched"] == flip_flops - copies
    elif "TRELLIS_DPR16X4" in found.cells:  # bits of words, too
        assert found.registers["matched"] > flip_flops


def test_words_of_few_digits_are_the_rtl() -> None:
    """A word of at most eight digits has one group of them, and none beside it is read."""
    found = prove_netlist(family("tablechain").design(64, {"word": 12}), target(ECP5), keep=False)
    assert (found.status, found.reason) == ("proved", "")


def test_a_device_without_models_is_refused() -> None:
    with pytest.raises(BadInput, match="ice40-hx8k"):
        prove_netlist(family("csa").design(8), target("ice40-hx8k"))


# Wrong netlists -----------------------------------------------------------------------------------


WIDTH = {"csa": 8, "fold": 8, "radix4": 8}


@cache
def job(device: str, name: str = "csa") -> tuple[SynthesisJob, Netlist]:
    """A small design with every kind of cell that has no memory, or one with memories."""
    design, chosen = family(name).design(WIDTH.get(name, 64)), target(device)
    return SynthesisJob.of(design, chosen), mapped_netlist(design, chosen)


WRONG = ("failed", "undecided")
"""A register that has lost its name is found by its next value, or, where that is wrong, not."""


def judged(device: str, change: Callable[[Netlist], None], name: str = "csa") -> NetlistResult:
    """What is found of the netlist once ``change`` has been at it."""
    asked, netlist = job(device, name)
    wrong = copy.deepcopy(netlist)
    change(wrong)
    assert wrong != netlist
    return compare(asked, wrong, 60, lambda step: None)


def cells(netlist: Netlist, kind: str) -> Iterator[tuple[str, Cell]]:
    return ((name, cell) for name, cell in netlist["cells"].items() if cell["type"] == kind)


def outside(netlist: Netlist) -> set[Any]:
    """Nets that take any value by themselves: ports and flip-flops."""
    nets = {
        net
        for port in netlist["ports"].values()
        if port["direction"] == "input"
        for net in port["bits"]
    }
    for kind, (_, output) in FLIP_FLOPS.items():
        nets |= {cell["connections"][output][0] for _, cell in cells(netlist, kind)}
    return nets


def seen(netlist: Netlist, kind: str, inputs: tuple[str, ...]) -> Cell:
    """A LUT of which every bit is seen: between registers or ports, each of its inputs another."""
    free = outside(netlist)
    ends = {
        cell["connections"][data][0]
        for flip_flop, (data, _) in FLIP_FLOPS.items()
        for _, cell in cells(netlist, flip_flop)
    }
    for _, cell in cells(netlist, kind):
        nets = [cell["connections"][pin][0] for pin in inputs]
        outputs = [
            nets[0]
            for pin, nets in cell["connections"].items()
            if cell["port_directions"][pin] == "output"
        ]
        if len(set(nets)) == len(nets) and free.issuperset(nets) and ends & set(outputs):
            return cell
    raise AssertionError(f"no {kind} stands between registers")


def turned(bits: str, at: int) -> str:
    """A parameter's text with a bit turned, counted from the lowest."""
    place = len(bits) - 1 - at
    return bits[:place] + "10"[int(bits[place])] + bits[place + 1 :]


LUTS = {
    ECP5: {"LUT4": ("A", "B", "C", "D")},
    XILINX: {"LUT2": ("I0", "I1"), "LUT3": ("I0", "I1", "I2")},
}


@pytest.mark.parametrize("at", tiers(range(4), 2))
@pytest.mark.parametrize(
    ("device", "kind"), [(device, kind) for device, kinds in LUTS.items() for kind in kinds]
)
def test_one_bit_of_a_lut(device: str, kind: str, at: int) -> None:
    def change(netlist: Netlist) -> None:
        told = seen(netlist, kind, LUTS[device][kind])["parameters"]
        told["INIT"] = turned(told["INIT"], at)

    found = judged(device, change)
    assert found.status in WRONG
    assert "differs from the RTL at" in found.reason


def test_a_difference_that_only_the_solver_finds_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random states had found each seeded fault, and an example of ABC's was never read."""

    def change(netlist: Netlist, at: int) -> None:
        told = sorted(cells(netlist, "LUT4"))[at][1]["parameters"]
        told["INIT"] = turned(told["INIT"], 1)

    def wrong_at(at: int) -> NetlistResult:
        return judged(ECP5, lambda netlist: change(netlist, at))

    at = next(at for at in range(6, 104, 6) if wrong_at(at).status == "failed")
    monkeypatch.setattr(Proof, "_simulated", lambda self, pairs: [])
    found = wrong_at(at)
    assert found.status == "failed" and found.asked > 0
    assert "differs from the RTL at" in found.reason


def test_the_generic_form_is_what_the_netlist_is() -> None:
    """Of which proofs are: with a carry that is wrong for some operands in one of the two forms,
    a proof of the netlist against the device's form had said that all is well."""
    asked, netlist = job(ECP5, "carrychain")
    name = "rtl/redc_prim_carry_chain.sv"
    text = asked.sources[name].decode()
    right = "{1'b0, x} + {1'b0, y}"
    assert text.count(right) == 1, "the generic form's line"
    wrong = text.replace(right, "{1'b0, x & ~Width'(&y)} + {1'b0, y}")
    found = compare(
        replace(asked, sources={**asked.sources, name: wrong.encode()}),
        netlist, 60, lambda step: None,
    )  # fmt: skip
    assert found.status in WRONG and found.generic
    assert "differs from the RTL at" in found.reason


@pytest.mark.parametrize("number", [0, 1, 2, 3])
@pytest.mark.parametrize(("name", "bits"), [("fold", (0,)), ("radix4", range(16))])
def test_a_lut_where_registers_are_others(name: str, bits: Sequence[int], number: int) -> None:
    """In fold constants stand for registers that follow each other; radix4's states have codes,
    and a single bit of a LUT may be read in none of them."""

    def change(netlist: Netlist) -> None:
        ends = {cell["connections"]["DI"][0] for _, cell in cells(netlist, "TRELLIS_FF")
                if not isinstance(cell["connections"].get("LSR", ["0"])[0], int)
                and not isinstance(cell["connections"].get("CE", ["1"])[0], int)}  # fmt: skip
        found = [cell for _, cell in cells(netlist, "LUT4") if cell["connections"]["Z"][0] in ends]
        told = found[number * len(found) // 4]["parameters"]
        for at in bits:
            told["INIT"] = turned(told["INIT"], at)

    assert judged(ECP5, change, name).status in WRONG


@pytest.mark.parametrize(
    ("device", "kind", "pins"),
    [
        (ECP5, "CCU2C", ("A0", "A1")),
        (ECP5, "PFUMX", ("ALUT", "BLUT")),
        (ECP5, "L6MUX21", ("D0", "D1")),
        (XILINX, "LUT6_2", ("I0", "I5")),
    ],
)
def test_two_wires_are_exchanged(device: str, kind: str, pins: tuple[str, str]) -> None:
    def change(netlist: Netlist) -> None:
        for _, cell in cells(netlist, kind):
            at = cell["connections"]
            first, second = pins
            if at[first] != at[second] and not {*at[first], *at[second]} & {"x", "z"}:
                at[first], at[second] = at[second], at[first]
                return

    assert judged(device, change).status in WRONG


def test_two_bits_of_a_carry_chain_are_exchanged() -> None:
    def change(netlist: Netlist) -> None:
        pins = next(cells(netlist, "CARRY4"))[1]["connections"]
        pins["S"] = [pins["S"][1], pins["S"][0], *pins["S"][2:]]

    assert judged(XILINX, change).status in WRONG


@pytest.mark.parametrize(
    ("device", "kind"), [(ECP5, "TRELLIS_FF"), (XILINX, "FDRE"), (XILINX, "FDSE")]
)
def test_a_register_is_dropped(device: str, kind: str) -> None:
    """Its output is its input instead."""

    def change(netlist: Netlist) -> None:
        name, cell = next(cells(netlist, kind))
        data, output = FLIP_FLOPS[kind]
        (old,), (new,) = cell["connections"][output], cell["connections"][data]
        del netlist["cells"][name]
        places = [net["bits"] for net in netlist["netnames"].values()]
        places += [port["bits"] for port in netlist["ports"].values()]
        places += [bits for c in netlist["cells"].values() for bits in c["connections"].values()]
        for bits in places:
            bits[:] = [new if bit == old else bit for bit in bits]

    found = judged(device, change)
    assert found.status in WRONG
    assert "register" in found.reason or "ring" in found.reason


@pytest.mark.parametrize(
    ("device", "kind", "change"),
    [
        (ECP5, "TRELLIS_FF", {"REGSET": "SET"}),
        (ECP5, "TRELLIS_FF", {"CEMUX": "INV"}),
        (ECP5, "TRELLIS_FF", {"LSRMUX": "INV"}),
        (ECP5, "TRELLIS_FF", {"CLKMUX": "INV"}),
        (XILINX, "FDRE", {"IS_C_INVERTED": "1"}),
        (XILINX, "FDRE", {"IS_D_INVERTED": "1"}),
        (XILINX, "FDSE", {"IS_S_INVERTED": "1"}),
    ],
)
def test_a_register_is_another(device: str, kind: str, change: dict[str, str]) -> None:
    """Reset to the other value, enabled, reset or clocked by the other level or edge."""

    def other(netlist: Netlist) -> None:
        (name,) = (each for each in change)
        for _, cell in cells(netlist, kind):
            told, at = cell["parameters"], cell["connections"]
            varies = {"CEMUX": "CE", "LSRMUX": "LSR", "REGSET": "LSR"}.get(name)
            if varies is None or isinstance(at.get(varies, ["0"])[0], int):
                told |= change
                return

    found = judged(device, other)
    assert found.status in WRONG
    assert "clk_i" in found.reason or "register" in found.reason


@pytest.mark.parametrize("device", [ECP5, XILINX])
def test_an_enable_is_tied(device: str) -> None:
    def change(netlist: Netlist) -> None:
        kind = "TRELLIS_FF" if device == ECP5 else "FDRE"
        for _, cell in cells(netlist, kind):
            if isinstance(cell["connections"].get("CE", ["1"])[0], int):
                cell["connections"]["CE"] = ["1"]
                return

    found = judged(device, change)
    assert found.status in WRONG and "register" in found.reason


def test_a_port_is_missing() -> None:
    found = judged(ECP5, lambda netlist: netlist["ports"].pop("err_o"))
    assert (found.status, "err_o" in found.reason) == ("failed", True)


def test_a_cell_that_nobody_knows_is_no_proof() -> None:
    def change(netlist: Netlist) -> None:
        name, cell = next(cells(netlist, "TRELLIS_FF"))
        pins = {"A0": cell["connections"]["DI"], "P0": cell["connections"]["Q"]}
        netlist["cells"][name] = cell | {
            "type": "MULT18X18D",
            "parameters": {},
            "connections": pins,
            "port_directions": {"A0": "input", "P0": "output"},
        }

    found = judged(ECP5, change)
    assert (found.status, "MULT18X18D" in found.reason) == ("unavailable", True)


def test_a_second_driver() -> None:
    def change(netlist: Netlist) -> None:
        _, lut = next(cells(netlist, "LUT4"))
        _, register = next(cells(netlist, "TRELLIS_FF"))
        short = copy.deepcopy(lut)
        short["connections"]["Z"] = list(register["connections"]["Q"])
        netlist["cells"]["short"] = short

    found = judged(ECP5, change)
    assert found.status == "failed"
    assert "more than one cell drives" in found.reason


def with_memory(change: Callable[[Cell], None]) -> NetlistResult:
    """What is found of a netlist in which a memory cell is another one."""
    return judged(ECP5, lambda netlist: change(first_memory(netlist)), "cios")


def first_memory(netlist: Netlist) -> Cell:
    return next(cells(netlist, "TRELLIS_DPR16X4"))[1]


@pytest.mark.full
@pytest.mark.parametrize("pin", ["DI", "DO", "WAD"])
def test_two_wires_of_a_memory_are_exchanged(pin: str) -> None:
    def change(cell: Cell) -> None:
        wires = cell["connections"][pin]
        wires[0], wires[1] = wires[1], wires[0]

    assert with_memory(change).status in WRONG


@pytest.mark.full
@pytest.mark.parametrize("change", [{"WREMUX": "INV"}, {"WREMUX": "1"}, {"WCKMUX": "INV"}])
def test_a_memory_is_written_otherwise(change: dict[str, str]) -> None:
    found = with_memory(lambda cell: cell["parameters"].update(change))
    assert found.status in WRONG


@pytest.mark.full
def test_two_memories_have_each_others_data() -> None:
    def change(netlist: Netlist) -> None:
        first, second, *_ = (cell["connections"] for _, cell in cells(netlist, "TRELLIS_DPR16X4"))
        first["DI"], second["DI"] = second["DI"], first["DI"]

    assert judged(ECP5, change, "tablechain").status in WRONG


# Registers without names --------------------------------------------------------------------------


def pair(starts: str, named: bool, swapped: bool = False) -> Module:
    """Two registers of one input with outputs of their own, and what they power up with."""

    def port(direction: str, bit: int) -> dict[str, Any]:
        return {"direction": direction, "bits": [bit]}

    def register(value: int) -> Cell:
        return {"type": "$_DFF_P_", "connections": {"C": [2], "D": [4], "Q": [value]}}

    values = [(5, starts[0]), (6, starts[1])]
    return Module({
        "ports": {"clk_i": port("input", 2), "rst_ni": port("input", 3), "d_i": port("input", 4),
                  "x_o": port("output", 5), "y_o": port("output", 6)},
        "cells": {f"r{value}": register(value)
                  for value, _ in (reversed(values) if swapped else values)},
        "netnames": {f"kept{value}": {"hide_name": int(not named), "bits": [value],
                                      "attributes": {"init": start}}
                     for value, start in values},
    })  # fmt: skip


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("starts", ["01", "10", "11", "x1"])
def test_a_register_without_a_name_is_told_by_how_it_powers_up(
    starts: str, swapped: bool, tmp_path: Path
) -> None:
    proof = Proof(pair(starts, True), pair(starts, False, swapped), {})
    assert (proof.decide(tmp_path, 10)[0], proof.reason) == ("proved", "")


def crossed(starts: str, second: int = 4) -> Module:
    """The same two, each output with the other's register; the second may have other data."""
    return Module({
        "ports": {"clk_i": {"direction": "input", "bits": [2]},
                  "rst_ni": {"direction": "input", "bits": [3]},
                  "d_i": {"direction": "input", "bits": [4]},
                  "x_o": {"direction": "output", "bits": [6]},
                  "y_o": {"direction": "output", "bits": [5]}},
        "cells": {f"r{value}": {"type": "$_DFF_P_",
                                "connections": {"C": [2], "D": [data], "Q": [value]}}
                  for value, data in ((5, 4), (6, second))},
        "netnames": {f"kept{value}": {"hide_name": 0, "bits": [value],
                                      "attributes": {"init": start}}
                     for value, start in zip((5, 6), starts, strict=True)},
    })  # fmt: skip


@pytest.mark.parametrize("starts", ["xx", "00", "11"])
def test_of_two_registers_one_may_do_the_others_work(starts: str, tmp_path: Path) -> None:
    proof = Proof(pair(starts, True), crossed(starts), {})
    assert (proof.decide(tmp_path, 10)[0], proof.reason) == ("proved", "")
    assert proof.starts.startswith("1 registers") and "first cycle of a reset" in proof.starts


@pytest.mark.parametrize(("starts", "second"), [("01", 4), ("10", 4), ("xx", 3), ("xx", 5)])
def test_of_two_registers_that_differ_none_may(starts: str, second: int, tmp_path: Path) -> None:
    """They power up otherwise, or one has other data, though it be the other a cycle later."""
    proof = Proof(pair(starts, True), crossed(starts, second), {})
    assert proof.decide(tmp_path, 10)[0] in WRONG


def test_a_register_without_a_name_that_powers_up_otherwise(tmp_path: Path) -> None:
    proof = Proof(pair("01", True), pair("00", False), {})
    assert proof.decide(tmp_path, 10)[0] in WRONG


# Small texts --------------------------------------------------------------------------------------

HELD = """
module machine (
  input wire clk_i, rst_ni, go_i, stop_i, output logic [1:0] out_o, output logic on_o
);
  logic first_q, then_q, last_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) first_q <= 1'b1;
    if (go_i) then_q <= first_q;
    if (stop_i) last_q <= then_q;
    out_o <= {go_i, stop_i} & {2{last_q}};
  end
  assign on_o = go_i;
endmodule
"""
"""Registers that hold 1 once they hold anything that is said, each told by the one before."""


def test_constants_that_follow_each_other_are_found(tmp_path: Path) -> None:
    asked, netlist = machine(tmp_path, HELD)
    assert sum(cell["type"] == "TRELLIS_FF" for cell in netlist["cells"].values()) == 2
    found = compare(asked, netlist, 60, lambda step: None)
    assert (found.status, found.reason, found.registers["constant"]) == ("proved", "", 3)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("first_q <= 1'b1", "first_q <= 1'b0"), ("{2{last_q}}", "{2{~last_q}}")],
)
def test_other_constants_are_not_proved(right: str, wrong: str, tmp_path: Path) -> None:
    asked, _ = machine(tmp_path / "right", HELD)
    _, netlist = machine(tmp_path / "wrong", HELD.replace(right, wrong))
    assert compare(asked, netlist, 60, lambda step: None).status in WRONG


MACHINE = """
module machine (
  input wire clk_i, rst_ni, go_i, stop_i, output logic [1:0] out_o, output logic on_o
);
  typedef enum logic [2:0] {Idle, First, Second, Third, Last} state_e;
  state_e state_q;
  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle: if (go_i) state_q <= First;
      First: state_q <= stop_i ? Last : Second;
      Second: state_q <= Third;
      Third: if (!stop_i) state_q <= go_i ? First : Last;
      default: state_q <= Idle;
    endcase
    if (!rst_ni) state_q <= Idle;
  end
  assign on_o = state_q == Second || state_q == Last;
  always_ff @(posedge clk_i) out_o <= {state_q == Third, state_q == First};
endmodule
"""


def machine(folder: Path, text: str = MACHINE, device: str = ECP5) -> tuple[SynthesisJob, Netlist]:
    """A small text and what Yosys makes of it, as of ``MACHINE`` a register for each state."""
    given = SynthesisJob.of(family("csa").design(8), target(device))
    (folder / "rtl").mkdir(parents=True)
    (folder / "rtl/machine.sv").write_text(text, encoding="utf-8")
    script = (
        "read_slang --top machine rtl/machine.sv",
        f"{given.target.synthesis} -top machine",
    )
    out = folder / "netlist.json"
    yosys.run([*script, "write_json netlist.json"], out, "no netlist", folder=folder)
    asked = replace(
        given, module="machine", sources={"rtl/machine.sv": text.encode()}, script=script
    )
    return asked, json.loads(out.read_text(encoding="utf-8"))["modules"]["machine"]


def test_states_of_other_codes_are_found(tmp_path: Path) -> None:
    asked, netlist = machine(tmp_path)
    assert len(netlist["netnames"]["state_q"]["bits"]) == 5  # a register each
    found = compare(asked, netlist, 60, lambda step: None)
    assert (found.status, found.reason) == ("proved", "")
    assert found.registers["told"] == 3 and "from the first cycle of a reset" in str(found)


def test_another_map_of_states_is_not_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two states have each other's codes, or one has another's."""
    asked, netlist = machine(tmp_path)
    right = _codes(asked, tmp_path)
    (codes,) = right.values()
    first, second, *_ = codes
    for change in ({first: codes[second], second: codes[first]}, {first: codes[second]}):
        wrong = {name: {**codes, **change} for name in right}
        monkeypatch.setattr("redcore.verify.netlist._codes", lambda *_, wrong=wrong: wrong)
        assert compare(asked, netlist, 60, lambda step: None).status in WRONG


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Second: state_q <= Third;", "Second: state_q <= Last;"),
        ("if (!rst_ni) state_q <= Idle;", "if (!rst_ni) state_q <= First;"),
        ("if (!rst_ni) state_q <= Idle;", ""),
        ("state_q == Second || state_q == Last", "state_q == Second || state_q == Third"),
        ("if (!stop_i) state_q <= go_i ? First", "if (stop_i) state_q <= go_i ? First"),
    ],
)
def test_another_machine_is_not_proved(right: str, wrong: str, tmp_path: Path) -> None:
    """The netlist is of one text, the RTL of another."""
    assert MACHINE.count(right) == 1
    asked, _ = machine(tmp_path / "right")
    _, netlist = machine(tmp_path / "wrong", MACHINE.replace(right, wrong))
    assert compare(asked, netlist, 60, lambda step: None).status in WRONG


# Block memories -----------------------------------------------------------------------------------

BLOCK = """
module machine (
  input wire clk_i, rst_ni, input wire [Lanes-1:0] write_i, input wire read_i,
  input wire [Place-1:0] write_address_i, read_address_i,
  input wire [Bits-1:0] data_i, output logic [Bits-1:0] data_o
);
  localparam int Lane = Bits / Lanes;
  (* ram_style = "block" *) logic [Bits-1:0] memory_q [1 << Place];
  always_ff @(posedge clk_i) begin
    for (int lane = 0; lane < Lanes; lane++)
      if (write_i[lane]) memory_q[write_address_i][Lane*lane+:Lane] <= data_i[Lane*lane+:Lane];
    if (read_i) data_o <= memory_q[READ];
  end
endmodule
"""
"""What is read while it is written is what was there."""
APART, SAME = "read_address_i", "write_address_i"


@cache
def block(bits: int, place: int, lanes: int = 1, read: str = APART) -> tuple[SynthesisJob, Netlist]:
    """A memory of so many bits a word and of the address."""
    numbers = {"Bits": bits, "Place": place, "Lanes": lanes}
    given = ", ".join(f"int {name} = {number}" for name, number in numbers.items())
    text = BLOCK.replace("module machine (", f"module machine #(parameter {given}) (")
    with tempfile.TemporaryDirectory(prefix="redcore-block-") as name:
        return machine(Path(name), text.replace("READ", read), XILINX)


def blocks(netlist: Netlist) -> list[Cell]:
    return [cell for cell in netlist["cells"].values() if cell["type"].startswith("RAMB")]


@pytest.mark.parametrize(
    ("shape", "kind", "words"),
    [
        ((4, 3), "RAMB18E1", 4),
        ((18, 2, 2), "RAMB18E1", 18),
        ((72, 2), "RAMB36E1", 72),
        ((20, 2, 1, SAME), "RAMB18E1", 36),
        *(
            pytest.param(*shape, marks=pytest.mark.full)
            for shape in (
                ((9, 3), "RAMB18E1", 9),
                ((18, 2), "RAMB18E1", 18),
                ((9, 3, 1, SAME), "RAMB18E1", 9),
                ((36, 2), "RAMB18E1", 36),
                ((36, 2, 4), "RAMB18E1", 36),
            )
        ),
    ],
)
def test_block_memory_does_what_the_memory_does(
    shape: tuple[Any, ...], kind: str, words: int
) -> None:
    """Of each shape that Yosys makes of one."""
    asked, netlist = block(*shape)
    told = blocks(netlist)[0]
    widths = [told["parameters"][f"{way}_WIDTH_{p}"] for way in ("READ", "WRITE") for p in "AB"]
    assert (told["type"], max(int(width, 2) for width in widths)) == (kind, words)
    found = compare(asked, netlist, 60, lambda step: None)
    assert (found.status, found.reason) == ("proved", "")


def exchanged(pin: str, first: int, second: int) -> Callable[[Cell], None]:
    def change(cell: Cell) -> None:
        wires = cell["connections"][pin]
        assert wires[first] != wires[second]
        wires[first], wires[second] = wires[second], wires[first]

    return change


def told_otherwise(**parameters: str) -> Callable[[Cell], None]:
    return lambda cell: cell["parameters"].update(parameters)


def tied(pin: str, to: str) -> Callable[[Cell], None]:
    def change(cell: Cell) -> None:
        cell["connections"][pin] = [to] * len(cell["connections"][pin])

    return change


@pytest.mark.parametrize(
    "change",
    tiers(
        [
            exchanged("DIADI", 0, 1),
            exchanged("DOBDO", 0, 1),
            exchanged("ADDRARDADDR", 4, 5),
            exchanged("ADDRBWRADDR", 4, 6),
            told_otherwise(WRITE_MODE_A="WRITE_FIRST"),
            told_otherwise(WRITE_MODE_A="NO_CHANGE"),
            told_otherwise(IS_ENARDEN_INVERTED="1"),
            told_otherwise(IS_ENBWREN_INVERTED="1"),
            told_otherwise(IS_RSTRAMB_INVERTED="1"),
            told_otherwise(IS_CLKARDCLK_INVERTED="1"),
            told_otherwise(DOB_REG=f"{1:032b}"),
            told_otherwise(READ_WIDTH_B=f"{9:032b}"),
            tied("WEA", "1"),
            tied("WEA", "0"),
            tied("ENBWREN", "1"),
        ],
        4,
    ),
)
def test_a_block_memory_is_another(change: Callable[[Cell], None]) -> None:
    asked, netlist = block(18, 2)
    wrong = copy.deepcopy(netlist)
    (cell,) = blocks(wrong)
    change(cell)
    assert compare(asked, wrong, 60, lambda step: None).status in WRONG


# Products -----------------------------------------------------------------------------------------

PRODUCT = """
module machine (
  input wire clk_i, rst_ni, valid_i, input wire [17:0] x_i, y_i, output logic [35:0] p_o
);
  logic [17:0] x_q, y_q, before_x_q, before_y_q;
  logic        valid_q;
  always_ff @(posedge clk_i) begin
    before_x_q <= x_i;
    before_y_q <= y_i;
    x_q <= before_x_q;
    y_q <= before_y_q;
    valid_q <= valid_i;
    if (!valid_q) p_o <= '0;
    else p_o <= 36'(x_q) * 36'(y_q);
  end
endmodule
"""
"""Factors of a bit more than a slice of Xilinx takes: the bit goes through another slice, which has
registers of its own for the other factor, and the product's upper ones."""


@cache
def product(text: str = PRODUCT) -> tuple[SynthesisJob, Netlist]:
    with tempfile.TemporaryDirectory(prefix="redcore-product-") as name:
        return machine(Path(name), text, XILINX)


def slices(netlist: Netlist) -> list[Cell]:
    """The slice of the lower bits of y, and that of the last one, which has the product."""
    both = [cell for _, cell in cells(netlist, "DSP48E1")]
    return sorted(both, key=lambda cell: int(cell["parameters"]["PREG"], 2))


def test_a_product_of_two_slices_is_the_product() -> None:
    asked, netlist = product()
    assert len(slices(netlist)) == 2
    found = compare(asked, netlist, 60, lambda step: None)
    assert (found.status, found.reason) == ("proved", "")
    assert "from the second cycle of a reset" in str(found.assumptions)


def tied_at(pin: str, at: int, to: str) -> Callable[[Cell], None]:
    return lambda cell: cell["connections"][pin].__setitem__(at, to)


@pytest.mark.parametrize(
    ("number", "change"),
    tiers(
        [
            (0, exchanged("A", 0, 17)),
            (0, exchanged("B", 15, 16)),
            (0, exchanged("P", 0, 16)),
            (0, exchanged("PCOUT", 20, 21)),
            (0, tied_at("A", 18, "1")),
            (0, tied_at("B", 17, "1")),
            (1, exchanged("A", 3, 4)),
            (1, exchanged("P", 17, 18)),
            (1, tied_at("B", 1, "1")),
            (1, tied_at("B", 17, "1")),
            (1, tied("RSTP", "0")),
            (1, tied_at("OPMODE", 4, "0")),
            (1, told_otherwise(AREG=f"{1:032b}", ACASCREG=f"{1:032b}")),
            (1, told_otherwise(PREG=f"{0:032b}")),
        ],
        4,
    ),
)
def test_a_product_of_two_slices_is_another(number: int, change: Callable[[Cell], None]) -> None:
    asked, netlist = product()
    wrong = copy.deepcopy(netlist)
    change(slices(wrong)[number])
    assert wrong != netlist
    assert compare(asked, wrong, 60, lambda step: None).status in WRONG


def test_the_lower_bits_of_a_product_are_exchanged() -> None:
    asked, netlist = product()
    wrong = copy.deepcopy(netlist)
    low = slices(wrong)[0]["connections"]["P"]
    ends = [cell["connections"] for _, cell in cells(wrong, "FDRE")
            if cell["connections"]["D"][0] in low]  # fmt: skip
    ends[0]["D"], ends[1]["D"] = ends[1]["D"], ends[0]["D"]
    assert compare(asked, wrong, 60, lambda step: None).status in WRONG


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("x_q) * 36'(y_q)", "x_q) * 36'(y_q[16:0])"), ("x_q <= before_x_q", "x_q <= x_i")],
)
def test_another_product_is_not_proved(right: str, wrong: str) -> None:
    assert PRODUCT.count(right) == 1
    asked, _ = product()
    _, netlist = product(PRODUCT.replace(right, wrong))
    assert compare(asked, netlist, 60, lambda step: None).status in WRONG


@pytest.mark.parametrize(
    ("a", "b", "y", "signed"),
    [(3, 3, 6, 0), (3, 3, 6, 1), (4, 2, 4, 1), (2, 4, 8, 1), (1, 3, 2, 0), (3, 1, 5, 1)],
)
def test_rows_are_the_product(a: int, b: int, y: int, signed: int, tmp_path: Path) -> None:
    """Of all values: what both sides' products are made of before they are compared."""
    (tmp_path / "products.v").write_text(PRODUCTS, encoding="utf-8")
    kind = "signed" if signed else ""
    (tmp_path / "one.v").write_text(
        f"module one (input {kind} [{a - 1}:0] a, input {kind} [{b - 1}:0] b,"
        f" output {kind} [{y - 1}:0] y); assign y = a * b; endmodule\n",
        encoding="utf-8",
    )
    out = tmp_path / "one.json"
    script = ("read_verilog one.v", "techmap -map products.v",
              "select -assert-none t:$mul", "techmap", "simplemap", "opt_clean",
              f"write_json {out.name}")  # fmt: skip
    yosys.run(script, out, "no product", folder=tmp_path)
    module = Module(json.loads(out.read_text(encoding="utf-8"))["modules"]["one"])
    graph, known = Graph(), dict[Any, int]()
    pins = {name: nets for name, (_, nets) in module.ports.items()}
    for net in (*pins["a"], *pins["b"]):
        known[net] = graph.input()
    module.build(graph, known, pins["y"])

    def value(bits: int, width: int) -> int:
        return bits - (1 << width) if signed and bits >> width - 1 else bits

    for first in range(1 << a):
        for second in range(1 << b):
            given = {known[net]: first >> at & 1 for at, net in enumerate(pins["a"])}
            given |= {known[net]: second >> at & 1 for at, net in enumerate(pins["b"])}
            found = graph.simulate([known[net] for net in pins["y"]], given, 1)
            told = sum(bit << at for at, bit in enumerate(found))
            assert told == value(first, a) * value(second, b) % (1 << y)


# Memories of LUTs on Xilinx -----------------------------------------------------------------------

LINE = """
module machine (
  input wire clk_i, rst_ni, input wire [1:0] place_i, input wire [9:0] data_i,
  output logic [9:0] data_o
);
  (* ram_style = "distributed" *) logic [9:0] memory_q [4];
  always_ff @(posedge clk_i) begin
    memory_q[place_i] <= data_i;
    data_o <= memory_q[place_i];
  end
endmodule
"""
"""What is read is where it is written: a cell has eight bits of a word."""


def test_a_memory_read_where_it_is_written(tmp_path: Path) -> None:
    asked, netlist = machine(tmp_path, LINE, XILINX)
    memories = [cell["connections"] for _, cell in cells(netlist, "RAM32M")]
    assert len(memories) == 2 and all("DOD" in pins for pins in memories)
    found = compare(asked, netlist, 60, lambda step: None)
    assert (found.status, found.reason) == ("proved", "")


@pytest.mark.parametrize(
    "change",
    tiers(
        [
            exchanged("DIA", 0, 1),
            exchanged("DOD", 0, 1),
            exchanged("ADDRA", 0, 1),
            exchanged("ADDRD", 0, 1),
            tied("WE", "0"),
            told_otherwise(IS_WCLK_INVERTED="1"),
        ],
        2,
    ),
)
def test_a_memory_read_where_it_is_written_is_another(
    change: Callable[[Cell], None], tmp_path: Path
) -> None:
    asked, netlist = machine(tmp_path, LINE, XILINX)
    whole = [cell for _, cell in cells(netlist, "RAM32M")
             if len({*cell["connections"]["DIA"]}) == 2]  # fmt: skip
    change(whole[0])
    assert compare(asked, netlist, 60, lambda step: None).status in WRONG
