# SPDX-License-Identifier: Apache-2.0
"""Synthesis: targets, what is counted as what, the clock, failures, interrupts, recorded areas."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from netlists import multipliers
from redcore import cli, rtl, toolchain
from redcore.catalogue import family
from redcore.design import Design, Value
from redcore.errors import BadInput, CheckFailed
from redcore.families import registered
from redcore.synthesize import (
    Target,
    budgets,
    harness,
    mapped_netlist,
    run,
    synthesize,
    synthesize_median,
    target,
    targets,
)
from redcore.synthesize.dsp_blocks import crowding, is_crowding
from redcore.synthesize.job import SynthesisJob
from redcore.synthesize.store import Store
from redcore.synthesize.targets import Capacity
from redcore.synthesize.targets.device import NO_LUTRAM
from toy_core import Sketch

pytestmark = pytest.mark.kept(reads=("benchmarks",))

ROOT = Path(__file__).resolve().parent.parent
BUDGETS = budgets.load(ROOT / "benchmarks" / "budgets.json")
PLACE = "ecp5-25k"
FREE_CELLS = {
    "Xilinx": {"GND", "INV", "VCC", "MULT_AND", "XORCY"} | {f"MUXF{n}" for n in range(5, 10)},
    "Lattice": {"PFUMX", "L6MUX21", "VHI", "VLO"},
    "Gowin": {"GND", "VCC", "MUX2_LUT5", "MUX2_LUT6", "MUX2_LUT7", "MUX2_LUT8"},
}
"""Xilinx's inverter goes into the LUT behind it; the others are wired to LUTs that are counted."""

RAM = """
  logic [3:0] ram [16];
  always_ff @(posedge clk_i) if (we_i) ram[x_i[3:0]] <= x_i[7:4];
  always_ff @(posedge clk_i) y_o <= 16'(ram[x_i[11:8]]);
"""
BLOCK_RAM = """
  logic [15:0] ram [4096];
  always_ff @(posedge clk_i) begin
    if (we_i) ram[x_i[11:0]] <= x_i;
    y_o <= ram[x_i[11:0]];
  end
"""
ADD = "  always_ff @(posedge clk_i) y_o <= x_i + y_o;\n"
MULTIPLY = "  always_ff @(posedge clk_i) y_o <= 16'((32'(x_i) * 32'(y_o)) >> 9);\n"
SWAPPED = """
  always_ff @(posedge clk_i) y_o <= 16'((32'(x_i) * 32'({x_i[7:0], x_i[15:8]})) >> 9);
"""
SHIFT = """
  logic [29:0] shift_q;
  always_ff @(posedge clk_i) shift_q <= {shift_q[28:0], x_i[0]};
  assign y_o = {15'b0, shift_q[29]};
"""
WIDE_LUT = "  always_ff @(posedge clk_i) y_o <= {15'b0, x_i[{y_o[0], we_i, x_i[15:14]}]};\n"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def sketch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Design]:
    """A design whose module has the given body."""

    def write(body: str) -> Design:
        file = tmp_path / "redc_sketch.sv"
        file.write_text(
            "module redc_sketch #(parameter int unsigned Width = 8) (\n"
            "  input  wire logic clk_i, input wire logic we_i,\n"
            "  input  wire logic [15:0] x_i, output logic [15:0] y_o\n"
            f");\n{body}endmodule\n"
        )
        monkeypatch.setattr(rtl, "sources", lambda module: [file])
        return Sketch().design(8)

    return write


@pytest.fixture
def fake_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Put a shell script of a name and with some commands first on PATH."""

    def write(name: str, commands: str) -> None:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        script = folder / name
        script.write_text(
            f'#!/bin/sh\n[ "$1" = --version ] && {{ echo "fake {name}"; exit 0; }}\n' + commands
        )
        script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    return write


@pytest.fixture
def fake_nextpnr(fake_tool: Callable[[str, str], None]) -> Callable[[str], None]:
    """Put a shell script called nextpnr-ecp5 first on PATH."""
    return lambda commands: fake_tool("nextpnr-ecp5", commands)


REPORT = """echo '{"fmax": {"clk_i": {"achieved": 250.0, "constraint": 400}}}' > report.json\n"""


def no_tool(*_: object) -> run.Ended:
    raise AssertionError("a tool was run again")


# Targets ------------------------------------------------------------------------------------------


def test_a_mistyped_target_names_the_nearest() -> None:
    assert target("ECP5-85K").name == "ecp5-85k"
    with pytest.raises(BadInput, match=r"no target 'ecp5-84k'.*nearest: ecp5-85k"):
        target("ecp5-84k")
    with pytest.raises(BadInput, match=r"nearest: xc5vlx50t"):
        target("xc5vlx50")


def test_the_part_of_the_source_paper_has_its_data_sheet_capacity() -> None:
    room = target("xc5vlx50t").capacity
    assert room is not None
    assert (room.lut, room.ff) == (28_800, 28_800)
    assert target("xc5v").capacity is None


def test_what_is_placed_and_by_what() -> None:
    placers = {each.name: each.placer for each in targets().values() if each.places}
    assert {name: placer for name, placer in placers.items() if "ecp5" not in name} == {
        "lifcl-40": "nextpnr-nexus",
        "ice40-hx8k": "nextpnr-ice40",
        "ice40-up5k": "nextpnr-ice40",
        "gw1n-9": "nextpnr-himbaechel-gowin",
        "gw2a-18": "nextpnr-himbaechel-gowin",
        "gw5a-25": "nextpnr-himbaechel-gowin",
    }


@pytest.mark.parametrize("device", targets().values(), ids=lambda device: device.name)
def test_a_target_is_described_whole(device: Target) -> None:
    if device.library is not None:
        assert (device.places, device.lut_inputs, device.capacity) == (False, 0, None)
        return
    assert device.vendor in ("Lattice", "Gowin", "Xilinx")
    assert device.ram_bits in (4096, 18432)
    assert (device.part is None) == (device.capacity is None) == (not device.source)
    if device.capacity is not None:
        assert (device.capacity.dsp > 0) == (device.dsp is not None)
    # no cell type adds to two resources
    tables = vars(device.counting).values()
    assert sum(map(len, tables)) == len({cell for units in tables for cell in units})


def test_the_command_lists_every_target(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["targets", "--json"]) == cli.OK
    entries = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)["targets"]}
    assert list(entries) == list(targets())
    up5k = entries["ice40-up5k"]
    assert (up5k["lut"], up5k["dsp"], up5k["dsp_shape"]) == (5280, 8, "16x16 + 32 bits")
    assert "nextpnr-ice40" in up5k["flow"]
    assert "estimate" in entries["xc7a35t"]["flow"]
    assert entries["asic"]["lut_inputs"] is None


# Counting -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "body", "expected"),
    [
        ("ecp5-25k", ADD, {"carry": 8, "ff": 16, "lut_in_all": 16, "lut": 0}),
        ("ecp5-25k", MULTIPLY, {"dsp": 1}),
        # four LUT4s hold the bits, two more go with the write port
        ("ecp5-25k", RAM, {"lutram": 6, "lut": 6, "ff": 4, "bram": 0}),
        ("ecp5-25k", BLOCK_RAM, {"bram": 4, "lut": 0, "lutram": 0}),
        # Yosys's estimate packs the two-input LUTs in pairs, those of a carry chain, too
        ("xc5v", ADD, {"carry": 4, "ff": 16, "lut": 8, "lut_in_all": 8}),
        ("xc5v", MULTIPLY, {"dsp": 1}),
        ("xc7", BLOCK_RAM, {"bram": 4, "lut": 0}),
        ("xc5v", SHIFT, {"lutram": 1, "lut": 1}),
        ("xcve", ADD, {"carry": 15, "ff": 16}),
        # one bit a carry cell; the top bit's carry is of no use, and the LUTs make the sums
        ("ice40-hx8k", ADD, {"carry": 15, "ff": 16, "lut": 16, "lut_in_all": 16}),
        ("ice40-hx8k", MULTIPLY, {"dsp": 0}),
        ("ice40-up5k", MULTIPLY, {"dsp": 1}),
        ("ice40-up5k", BLOCK_RAM, {"bram": 16}),
        # a cell more begins the chain
        ("lifcl-40", ADD, {"carry": 9, "ff": 16, "lut": 0, "lut_in_all": 18}),
        ("lifcl-40", SWAPPED, {"dsp": 1}),
        ("lifcl-40", RAM, {"lutram": 6, "lut": 6, "ff": 4, "bram": 0}),
        ("lifcl-40", BLOCK_RAM, {"bram": 4, "lut": 0}),
        ("gw1n-9", ADD, {"carry": 16, "ff": 16, "lut": 0, "lut_in_all": 16}),
        ("gw1n-9", RAM, {"lutram": 6, "ff": 4, "bram": 0}),
        ("gw2a-18", MULTIPLY, {"dsp": 1}),
        ("gw2a-18", BLOCK_RAM, {"bram": 4, "lut": 0}),
        ("gw5a-25", RAM, {"lutram": 0, "dsp": 0}),
    ],
)
def test_cells_are_counted_as_documented(
    name: str, body: str, expected: dict[str, int], sketch: Callable[[str], Design], store: Store
) -> None:
    result = synthesize(sketch(body), target(name), place_and_route=False, store=store)
    assert {key: getattr(result, key) for key in expected} == expected, result.cells


def test_wide_multiplexers_on_ecp5_count_as_their_lut4s(
    sketch: Callable[[str], Design], store: Store
) -> None:
    result = synthesize(sketch(WIDE_LUT), target(PLACE), place_and_route=False, store=store)
    assert result.cells["PFUMX"] > 0
    assert result.lut == result.cells["LUT4"]


def test_duplicated_registers_survive(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    """redc_prim_fanout's copies are equal on purpose; Yosys merges equals unless told not to."""

    class Fanout(Sketch):
        module = "redc_prim_fanout"

    design = Fanout().design(8)
    monkeypatch.setattr(type(design), "rtl_parameters", lambda *_: {"Copies": 8})
    result = synthesize(design, target(PLACE), place_and_route=False, store=store)
    assert result.ff == 8


@pytest.mark.full
@pytest.mark.parametrize("core", ["csa", "cios", "carrychain"])
@pytest.mark.parametrize("name", [name for name in targets() if name != "asic"])
def test_every_target_maps(name: str, core: str, store: Store) -> None:
    """Each cell is counted or known to be free."""
    settings: dict[str, Value] = {"variant": "ramadd"} if core == "carrychain" else {"moduli": 2}
    design = family(core).design(8, settings)
    result = synthesize(design, target(name), place_and_route=False, store=store)
    counted = {cell for units in vars(target(name).counting).values() for cell in units}
    assert set(result.cells) <= counted | FREE_CELLS[target(name).vendor]
    assert result.lut > 0
    assert result.ff > 0
    assert result.fmax_mhz is None
    assert result.failure is None


@pytest.mark.full
@pytest.mark.parametrize("core", registered())
@pytest.mark.parametrize("name", ["lifcl-40", "ice40-up5k", "gw1n-9", "gw5a-25", "xcve", "asic"])
def test_every_family_maps_to_a_device_of_each_kind(name: str, core: str, store: Store) -> None:
    device = target(name)
    result = synthesize(family(core).design(16), device, place_and_route=False, store=store)
    if device.library is None:
        counted = {cell for units in vars(device.counting).values() for cell in units}
        assert set(result.cells) <= counted | FREE_CELLS[device.vendor]
        assert result.lut > 0
    assert result.ff > 0


# Harness ------------------------------------------------------------------------------------------


def _mapped(body: str, name: str, sketch: Callable[[str], Design], store: Store) -> Any:
    """The netlist of a sketch on a target, as it is, and with the harness."""
    design = sketch(body)
    job = SynthesisJob.of(design, target(name))
    synthesize(design, target(name), store=store)
    bare = store.netlist(job.mapping_key)
    assert bare is not None
    shape = target(name).harness
    assert shape is not None
    wrapped, registers = harness.wrap(bare, "redc_sketch", shape)
    return (
        json.loads(bare)["modules"]["redc_sketch"],
        json.loads(wrapped)["modules"]["redc_sketch"],
        registers,
    )


@pytest.mark.parametrize("name", ["ice40-hx8k", "lifcl-40", "gw2a-18"])
def test_the_harness_puts_a_register_at_every_port_bit(
    name: str,
    sketch: Callable[[str], Design],
    store: Store,
    fake_tool: Callable[[str, str], None],
) -> None:
    shape = target(name).harness
    assert shape is not None
    fake_tool(target(name).placer, REPORT)
    bare, whole, registers = _mapped(ADD, name, sketch, store)
    # 17 input bits, and 16 outputs
    assert registers == 33
    # where no pin can bring the clock, it starts inside
    pins = {"harness_i", "harness_o"} | ({"clk_i"} if shape.clock_buffer is None else set())
    assert set(whole["ports"]) == pins
    added = {cell: what for cell, what in whole["cells"].items() if cell not in bare["cells"]}
    rows = [what["connections"] for what in added.values() if what["type"] == shape.register]
    assert len(rows) == 33
    (clock,) = {row[shape.clock][0] for row in rows}
    assert clock == bare["ports"]["clk_i"]["bits"][0]
    driven = {row[shape.output][0] for row in rows}
    read = {row[shape.data][0] for row in rows}
    assert len(driven) == 33
    for port, what in bare["ports"].items():
        bits = set(what["bits"])
        if what["direction"] == "output":
            assert bits <= read
        elif port != "clk_i":
            assert bits <= driven
    # what was there is there yet, but for pins that had to be opened
    opened = dict(shape.opened)
    for cell, what in bare["cells"].items():
        now = dict(whole["cells"][cell]["connections"])
        was = dict(what["connections"])
        if now != was:
            pin = opened[what["type"]]
            assert (now.pop(pin), was.pop(pin)) != (None, None)
        assert now == was


@pytest.mark.parametrize(
    "name",
    [
        "ice40-hx8k",
        "lifcl-40",
        "gw2a-18",
        *(pytest.param(each, marks=pytest.mark.full) for each in ("ice40-up5k", "gw1n-9")),
        pytest.param("gw5a-25", marks=pytest.mark.full),
    ],
)
def test_a_core_is_placed_with_the_harness(name: str, store: Store) -> None:
    result = synthesize(family("csa").design(8), target(name), store=store)
    assert result.failure is None
    assert result.fmax_mhz is not None
    assert 30 < result.fmax_mhz < 700
    # clock and reset have no data; rest of the ports: three operands and a result, and handshakes
    assert result.harness_ff > 4 * 8
    placed = max(number for kind, number in result.placed.items() if "FF" in kind or "LC" in kind)
    assert placed >= result.ff + result.harness_ff
    assert result.fits(target(name))
    assert "redcore.synthesize.harness" in result.commands[1]


# Clock --------------------------------------------------------------------------------------------


def test_a_placed_core_and_its_second_seed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    design = family("csa").design(8)
    steps: list[str] = []
    first = synthesize(design, target(PLACE), progress=steps.append, store=store)
    assert first.failure is None
    assert first.fmax_mhz is not None
    assert 50 < first.fmax_mhz < 700
    assert first.time_per_op_ns == pytest.approx(
        design.geometry.latency_cycles / first.fmax_mhz * 1000
    )
    assert first.ops_per_second == pytest.approx(
        first.fmax_mhz * 1e6 / float(design.geometry.interval_cycles)
    )
    assert first.lut_in_all == first.lut + 2 * first.carry
    assert set(first.tool_versions) == {"yosys", "nextpnr-ecp5"}
    assert any(step.startswith("yosys") for step in steps)
    assert any(step.startswith("nextpnr") for step in steps)
    path = first.slowest_path
    assert path is not None
    assert path.logic_ns + path.wires_ns == pytest.approx(1e3 / first.fmax_mhz, abs=0.1)
    assert path.begin.endswith(".Q") and path.begin in path.steps[0]
    assert path.end in path.steps[-1] and path.wires_ns > 0 and len(path.steps) > 2
    assert str(path).startswith(f"{path.begin} to {path.end}: ")

    # another seed places again and does not synthesize
    tools: list[str] = []
    original = run.run

    def watched(tool: str, *rest: Any) -> run.Ended:
        tools.append(tool)
        return original(tool, *rest)

    monkeypatch.setattr(run, "run", watched)
    second = synthesize(design, target(PLACE), seed=2, store=store)
    assert tools == ["nextpnr-ecp5"]
    assert second.cells == first.cells

    monkeypatch.setattr(run, "run", no_tool)
    assert synthesize(design, target(PLACE), store=store) == first
    area = synthesize(design, target(PLACE), place_and_route=False, store=store)
    assert (area.lut, area.fmax_mhz, area.failure) == (first.lut, None, None)
    assert area.slowest_path is None


def test_a_change_of_source_is_synthesized_again(
    sketch: Callable[[str], Design], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = synthesize(sketch(ADD), target("xc5v"), store=store)
    after = synthesize(sketch(SHIFT), target("xc5v"), store=store)
    assert before.cells != after.cells
    monkeypatch.setattr(run, "run", no_tool)
    assert synthesize(sketch(ADD), target("xc5v"), store=store) == before


def test_commands_hold_no_path_of_this_machine(
    sketch: Callable[[str], Design], store: Store, tmp_path: Path
) -> None:
    result = synthesize(sketch(ADD), target(PLACE), place_and_route=False, store=store)
    assert str(tmp_path) not in " ".join(result.commands)
    assert "rtl/redc_sketch.sv" in result.commands[0]


def test_the_median_of_three_seeds(
    sketch: Callable[[str], Design], fake_nextpnr: Callable[[str], None], store: Store
) -> None:
    clocks = "case $seed in 1) f=300;; 2) f=200;; 3) f=250;; *) exit 1;; esac\n"
    find = "for word; do seed=$word; done\n"
    fake_nextpnr(find + clocks + REPORT.replace("250.0", "'$f'"))
    outcome = synthesize_median(sketch(ADD), target(PLACE), store=store)
    assert (outcome.median.fmax_mhz, outcome.median.seed) == (250.0, 3)
    assert [each.fmax_mhz for each in outcome.runs] == [300.0, 200.0, 250.0]
    # a failed seed counts as the slowest
    outcome = synthesize_median(sketch(ADD), target(PLACE), (1, 2, 4), store=store)
    assert outcome.median.fmax_mhz == 200.0
    with pytest.raises(BadInput, match="xc5v has no place and route"):
        synthesize_median(sketch(ADD), target("xc5v"), store=store)


# Failures -----------------------------------------------------------------------------------------


def test_a_failure_of_nextpnr_is_a_result(
    sketch: Callable[[str], Design],
    fake_nextpnr: Callable[[str], None],
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake_nextpnr('echo "Info: Packing"; echo "ERROR: no room left" >&2; exit 1\n')
    result = synthesize(sketch(ADD), target(PLACE), store=store)
    assert result.failure is not None
    assert "ERROR: no room left" in result.failure
    assert (result.fmax_mhz, result.time_per_op_ns, result.ops_per_second) == (None, None, None)
    assert result.carry == 8
    monkeypatch.setattr(run, "run", no_tool)
    assert synthesize(sketch(ADD), target(PLACE), store=store) == result


def test_what_does_not_fit_is_told_without_the_cell_s_long_name(
    sketch: Callable[[str], Design], fake_nextpnr: Callable[[str], None], store: Store
) -> None:
    said = "Unable to place cell 'i_a.i_b_SB_LUT4', no BELs remaining to implement cell type 'X_LC'"
    fake_nextpnr(f'echo "ERROR: {said}" >&2; exit 1\n')
    result = synthesize(sketch(ADD), target(PLACE), store=store)
    assert result.failure == "does not fit: no X_LC of the device is left"


@pytest.mark.parametrize(
    ("count", "controls", "kind"),
    [
        (72, lambda index: {}, None),
        (54, lambda index: {"CE0": 10 + index}, None),
        (55, lambda index: {"CE0": 10 + index}, "55 clock enables"),
        # another constant takes another place
        (36, lambda index: {"CE0": 10 + index, "CE2": "0"}, None),
        (37, lambda index: {"CE0": 10 + index, "CE2": "0"}, "37 clock enables"),
        # a net that two multipliers have counts once
        (72, lambda index: {"CE0": 10 + index // 2}, None),
        (55, lambda index: {"RST1": 10 + index}, "55 clears"),
        (72, lambda index: {"CLK0": 10 + index}, None),
        (72, lambda index: {"CLK0": 10 + index, "CLK1": "0"}, "72 clocks"),
    ],
)
def test_multipliers_with_too_many_controls_do_not_fit(
    count: int, controls: Callable[[int], dict[str, Any]], kind: str | None
) -> None:
    """ECP5's 18 blocks of four multipliers take four nets of each kind."""
    said = crowding(multipliers(count, controls), "top", target("ecp5-45k"))
    assert is_crowding(said) == (kind is not None)
    assert f"have {kind} of their own" in (said or f"have {kind} of their own")
    # a block for each
    assert crowding(multipliers(7, controls), "top", target("ecp5-25k")) is None


def test_crowded_multipliers_are_a_result_and_nextpnr_is_not_asked(
    fake_nextpnr: Callable[[str], None], store: Store
) -> None:
    """Of 24 multipliers 18 have an enable of their own, and a block has room for three of these."""
    fake_nextpnr(REPORT)
    design = family("cios").design(54, {"word": 54, "sigma": 1})
    device = target("ecp5-12k")
    fine = synthesize(design, device, store=store)
    assert (fine.dsp, fine.failure, fine.fmax_mhz) == (24, None, 250.0)
    for blocks, fits in ((6, True), (5, False)):
        small = replace(
            device, capacity=Capacity(24_000, 24_000, 4 * blocks, 32), place_and_route=("--small",)
        )
        other = synthesize(design, small, seed=blocks, store=store)
        assert (other.failure is None) == fits, other.failure
        assert is_crowding(other.failure) == (not fits)
        assert (other.lut, other.fmax_mhz) == (fine.lut, 250.0 if fits else None)


def test_a_crash_of_nextpnr_is_a_result_and_is_tried_again(
    sketch: Callable[[str], Design], fake_nextpnr: Callable[[str], None], store: Store
) -> None:
    fake_nextpnr('echo "Info: Routing.."; kill -SEGV $$\n')
    result = synthesize(sketch(ADD), target(PLACE), store=store)
    assert result.failure is not None
    assert "signal 11" in result.failure
    assert "Routing" in result.failure
    fake_nextpnr(REPORT)
    assert synthesize(sketch(ADD), target(PLACE), store=store).fmax_mhz == 250.0


def test_a_trap_of_the_webassembly_nextpnr_is_named(
    sketch: Callable[[str], Design], fake_nextpnr: Callable[[str], None], store: Store
) -> None:
    """What it does on carry chains of a thousand bits, in its own words."""
    fake_nextpnr(
        "cat <<'END'\n"
        "Info: Routing complete.\n"
        "Traceback (most recent call last):\n"
        "wasmtime._trap.Trap: error while executing at wasm backtrace:\n"
        "    0: memory fault at wasm address 0xffffffe4 in linear memory of size 0x11850000\n"
        "    1: wasm trap: out of bounds memory access\n"
        "END\nexit 1\n"
    )
    result = synthesize(sketch(ADD), target(PLACE), store=store)
    assert result.failure is not None
    assert "nextpnr crashed (wasm trap: out of bounds memory access)" in result.failure
    assert (result.fmax_mhz, result.carry) == (None, 8)


def test_a_report_without_the_clock_is_a_failure(
    sketch: Callable[[str], Design], fake_nextpnr: Callable[[str], None], store: Store
) -> None:
    fake_nextpnr("echo '{\"fmax\": {}}' > report.json\n")
    result = synthesize(sketch(ADD), target(PLACE), store=store)
    assert result.failure is not None
    assert "no clock" in result.failure


def test_what_yosys_refuses_is_told_in_its_words(
    sketch: Callable[[str], Design], store: Store
) -> None:
    body = '  if (Width == 8) begin : gen_refuse\n    $error("Width=%0d is bad", Width);\n  end\n'
    with pytest.raises(CheckFailed, match="Width=8 is bad"):
        synthesize(sketch(body), target(PLACE), store=store)


def test_a_tool_that_ends_without_a_word_is_told_by_its_status(
    sketch: Callable[[str], Design], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "run", lambda *_: run.Ended(-9, ""))
    with pytest.raises(CheckFailed, match=r"Yosys did not synthesize .*: signal 9$"):
        synthesize(sketch(ADD), target(PLACE), store=store)


def test_a_netlist_that_vanishes_is_told(
    sketch: Callable[[str], Design], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may empty the cache between two steps; the area is kept."""
    monkeypatch.setattr(store, "netlist", lambda key: None)
    for ask in (synthesize, mapped_netlist):
        with pytest.raises(CheckFailed, match="the netlist vanished from the result store"):
            ask(sketch(ADD), target(PLACE), store=store)
    monkeypatch.undo()
    with pytest.raises(BadInput, match="asic gives no netlist"):
        mapped_netlist(family("csa").design(8), target("asic"), store=store)


def test_a_negative_seed_is_bad_input(sketch: Callable[[str], Design], store: Store) -> None:
    with pytest.raises(BadInput, match="seed=-1"):
        synthesize(sketch(ADD), target(PLACE), seed=-1, store=store)


def test_a_missing_tool_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match="pip install pyosys"):
        run.require("yosys")
    monkeypatch.setenv("PATH", "")
    for tool in toolchain.NEXTPNR:
        with pytest.raises(BadInput, match=f"pip install yowasp-{tool}"):
            run.require(tool)


# Interrupts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_run_leaves_no_child_and_keeps_the_netlist(
    how: signal.Signals,
    tmp_path: Path,
    fake_nextpnr: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if how == signal.SIGKILL and not sys.platform.startswith("linux"):
        pytest.skip("only Linux ends the children of a process that was killed")
    pid_file = tmp_path / "pid"
    fake_nextpnr(f"echo $$ > {pid_file}.part; mv {pid_file}.part {pid_file}; exec sleep 600\n")
    # Python leaves SIGINT alone where it was ignored at the start, as in a shell's background jobs.
    code = """
        import signal
        import sys
        from pathlib import Path
        from redcore.catalogue import family
        from redcore.synthesize import Store, synthesize, target

        signal.signal(signal.SIGINT, signal.default_int_handler)

        synthesize(family("csa").design(8), target("ecp5-25k"), store=Store(Path(sys.argv[1])))
        """
    store = tmp_path / "store"
    caller = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), str(store)], stderr=subprocess.DEVNULL
    )
    _until(pid_file.exists)
    child = int(pid_file.read_text())
    assert _runs(child)
    caller.send_signal(how)
    assert caller.wait(30) != 0
    _until(lambda: not _runs(child))

    fake_nextpnr(REPORT)
    tools: list[str] = []
    original = run.run

    def watched(tool: str, *rest: Any) -> run.Ended:
        tools.append(tool)
        return original(tool, *rest)

    monkeypatch.setattr(run, "run", watched)
    result = synthesize(family("csa").design(8), target(PLACE), store=Store(store))
    assert tools == ["nextpnr-ecp5"]
    assert result.fmax_mhz == 250.0


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline, "nothing happened for two minutes"
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    """Whether the process is there and not just waiting for its parent to notice its end."""
    try:
        state = subprocess.run(
            ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=True
        ).stdout
    except subprocess.CalledProcessError:
        return False
    return not state.startswith("Z")


# Recorded areas -----------------------------------------------------------------------------------


@pytest.mark.parametrize("recorded", BUDGETS, ids=lambda budget: budget.subject.label)
def test_area_is_exactly_as_recorded(recorded: budgets.Budget, store: Store) -> None:
    """A smaller core fails as well, until `python benchmarks/record_budgets.py` has recorded it."""
    assert budgets.measure(recorded.subject, store) == recorded


def test_a_device_without_memory_in_luts_takes_what_asks_for_it(store: Store) -> None:
    """Yosys heeds the attributes of other tools, too, so all of a memory's have to go."""
    asked = (rtl.rtl_folder() / "redc_prim_ram.sv").read_text(encoding="utf-8")
    for attribute in set(re.findall(r"\b(\w*ram_?style) =", asked)):
        assert f"-unset {attribute} " in NO_LUTRAM[0], attribute
    design = family("cios").design(16, {"storage": "lutram"})
    result = synthesize(design, target("ice40-hx8k"), place_and_route=False, store=store)
    assert result.lut and result.lutram == 0


def test_budgets_come_back_from_their_file(tmp_path: Path) -> None:
    file = tmp_path / "budgets.json"
    changed = [replace(BUDGETS[0], yosys="0.0"), *BUDGETS[1:]]
    budgets.save(file, changed)
    assert budgets.load(file) == changed
    assert all(set(budget.resources) == set(budgets.RESOURCES) for budget in BUDGETS)


def test_budgets_cover_every_family() -> None:
    assert {budget.subject.family for budget in BUDGETS} == set(registered())


# Recorded figures ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["csa_published", "csa_ecp5_clock", "targets"])
def test_figures_on_file_name_their_tools_and_command(name: str) -> None:
    figures = json.loads((ROOT / "benchmarks" / f"{name}.json").read_text())
    assert figures["command"] == f"python -m benchmarks {name}"
    for row in figures["rows"]:
        assert row["tool_versions"]["yosys"] and row["command"] and row["date"]
        assert row["lut"] > 0 and row["commands"]
