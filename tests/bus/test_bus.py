# SPDX-License-Identifier: Apache-2.0
"""Units on every bus, driven by the communities' masters; each unit has words of other sizes.

The quick tier reaches the other buses through the emulator (test_emulate.py).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import redcore.bundle  # it knows the face of a unit on a bus
from redcore.catalogue import parts
from redcore.design import Design
from redcore.face import face_of
from redcore.units.buses import REGISTER_BUSES
from redcore.units.hosted import Hosted

HERE = Path(__file__).parent
# the simulator imports this file, too, and knows none of these folders
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "axi")]

from bus_cases import CASES, FOUND_BY_BOTH, Seeded  # noqa: E402

import cocotb_runner  # noqa: E402
from patched import patched_sources  # noqa: E402
from test_every_bus import UNIT_LINES, on_bus  # noqa: E402

pytestmark = pytest.mark.kept
assert redcore.bundle

PRIME_CASES = {
    "axi": "prime-csa --width 40 --set bases=12 threads=2",
    "tilelink": "prime-gen-cios --width 40 --set random_bases=4",  # three words of 17 bits
}
"""No modulus, one operand or none, results of another size."""

CURVE_CASES = {"apb": "curve-csa --width 16"}
"""Random bits beside the bus, moduli that are primes, a result of 0 where there is none."""
SEVERAL_CURVES = {
    "axi": "curve-cios --width 40 --set scalar_bits=8 blinding=8 copies=2",
    "stream": "curve-cios --width 40 --set scalar_bits=8 blinding=8 copies=2",
}
"""A status beside each of three words of 17 bits, of two cores in turn."""


def kind_of(line: str) -> str:
    """The unit of a line, or ``mul``."""
    return parts(line.split()[0])[0] or "mul"


LINES = [(bus, line) for table in (CASES, PRIME_CASES, CURVE_CASES) for bus, line in table.items()]
"""Words of other sizes than the smallest."""
LINES += [
    (bus, line)
    for unit, line in UNIT_LINES.items()
    for bus in REGISTER_BUSES
    if (bus, unit) not in {(bus, kind_of(line)) for bus, line in LINES}
]
"""With these, each unit on each bus."""
STREAMS = [
    "cios --width 40 --set moduli=3 checks=1",  # three words of 17 bits
    "curve-csa --width 16",
    "exp-cios --width 24 --set exp_bits=20",
    "modmul-scalable --width 24",  # three of 8
    "prime-cios --width 40 --set primes=3",
    "prime-gen-cios --width 40 --set primes=3 random_bases=4",
]
"""All but RSA, whose packets are those of tests/axi."""


RANDOM_BITS = """  // A random bit in each cycle, the same for each core: Marsaglia's xorshift.
  logic [@LAST:0] rnd_valid, rnd_ready, rnd_data;
  logic [31:0] state_q = 32'd1, first, second;
  assign first     = state_q ^ (state_q << 13);
  assign second    = first ^ (first >> 17);
  assign rnd_valid = '1;
  assign rnd_data  = {@LAST + 1{state_q[0]}};
  always_ff @(posedge clk) if (|rnd_ready) state_q <= second ^ (second << 5);
"""


def wrapper(design: Design) -> str:
    """The design's ports, named as the masters know them: without a direction."""
    family = design.family
    all_ports = face_of(design, None, 0).ports
    drawn = {port.name: port.bits for port in all_ports if port.name.startswith("rnd_")}
    random_bits = RANDOM_BITS.replace("@LAST", str(max([*drawn.values(), 1]) - 1))
    ports = [port for port in all_ports if port.name not in drawn]
    names = {port.name: port.name.rpartition("_")[0] for port in all_ports}
    names |= {"rst_ni": "rst_n", "s_wb_dat_i": "s_wb_datwr", "s_wb_dat_o": "s_wb_datrd"}
    # Select lines are counted by the master of APB.
    declared = ",\n".join(
        f"  {'input  wire' if port.input else 'output'} logic"
        f"{' [0:0]' if port.name == 's_apb_psel_i' else port.range} {names[port.name]}"
        for port in ports
    )
    connected = ", ".join(f".{port.name}({names[port.name]})" for port in all_ports)
    return (
        f"`default_nettype none\nmodule bus_top (\n{declared}\n);\n"
        f"{random_bits if drawn else ''}"
        f"  {family.module} u_dut ({connected});\nendmodule\n`default_nettype wire\n"
    )


def bench(
    line: str,
    bus: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    patches: dict[str, list[tuple[str, str]]] | None = None,
) -> dict[str, str]:
    """Failures of the bench on a unit and a bus, texts of its files perhaps replaced."""
    design = on_bus(line, bus)
    files = design.sources()
    if patches:
        files = list(patched_sources(folder, files, patches))
    top = folder / "bus_top.sv"
    top.write_text(wrapper(design), encoding="utf-8")
    config = {"design": line, "bus": bus, "seed": 3}
    module = {"rsa": "rsa_bus_bench"}.get(kind_of(line), "bus_bench")
    return cocotb_runner.run(
        "unit_stream_bench" if bus == "stream" else module,
        [*files, top],
        "bus_top",
        {},
        config,
        folder,
        monkeypatch,
        bool(patches),
    )


def on_bus_of(bus: str, line: str) -> Any:
    tool = f"{REGISTER_BUSES[bus].title}, a cocotb master"
    tier = [] if line == CASES["axi"] else [pytest.mark.full]
    return pytest.param(bus, line, marks=[pytest.mark.consumer(tool, of="line"), *tier])


@pytest.mark.parametrize(("bus", "line"), [on_bus_of(bus, line) for bus, line in LINES])
def test_registers_on_a_bus(
    bus: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bench(line, bus, tmp_path, monkeypatch) == {}


@pytest.mark.full
@pytest.mark.parametrize("bus", SEVERAL_CURVES)
def test_several_curve_units_say_why(
    bus: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bench(SEVERAL_CURVES[bus], bus, tmp_path, monkeypatch) == {}


@pytest.mark.consumer("AXI4-Stream, cocotbext-axi", of="line")
@pytest.mark.parametrize(
    "line",
    [pytest.param(line, marks=() if line == STREAMS[0] else pytest.mark.full) for line in STREAMS],
)
def test_streams(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bench(line, "stream", tmp_path, monkeypatch) == {}


def test_every_unit_is_on_every_bus() -> None:
    assert {(bus, kind_of(line)) for bus, line in LINES} == {
        (bus, unit) for bus in REGISTER_BUSES for unit in UNIT_LINES
    }
    assert {kind_of(line) for line in STREAMS} == UNIT_LINES.keys() - {"rsa"}


SEEDED: dict[str, Seeded] = {
    **FOUND_BY_BOTH,
    # Operands that the host itself does not hold behind a modulus are none: units take that first.
    "a modulus overtakes operands": (
        "wishbone",
        "redc_host_registers",
        "else if (operands_wait_i) cause_write.order = 1'b1;",
        "else if (1'b0) cause_write.order = 1'b1;",
    ),
    "a refused access is not told": (
        "wishbone",
        "redc_bus_wishbone",
        "assign s_wb_ack_o = done & ~err & req;",
        "assign s_wb_ack_o = done & req;",
    ),
    "a result of whole words has one more": (
        "wishbone",
        "redc_host_scatter",
        "assign short_left  = level_q <= LevelBits'(Out);",
        "assign short_left  = level_q < LevelBits'(Out);",
    ),
    "a status is that of the result behind": (
        "apb",
        "redc_host",
        "result_ready ? 4'(result_told[32 +: StatusBits]) : '0;",
        "result_ready ? 4'(told_q) : '0;",
    ),
    "a word stays in a FIFO": ("axi", "redc_prim_queue", "wipe_i ? '0 : data_i", "data_i"),
    "a frame of words has an end after each": (
        "stream",
        "redc_mul_cios_on_bus",
        "assign m_axis_tlast_o     = out_last;",
        "assign m_axis_tlast_o     = 1'b1;",
    ),
    "operands are for the first place": (
        "stream",
        "redc_mul_cios_on_bus",
        "assign in_idx             = s_axis_op_tuser_i[1:0];",
        "assign in_idx             = s_axis_op_tuser_i[1:0] & 2'd0;",
    ),
    "an operand of RSA that no job wants is taken": (
        "wishbone",
        "redc_rsa_axi_regs",
        "cause_write.operand_unwanted = 1'b1;",
        "operand_push_o = 1'b1;",
    ),
}


@pytest.mark.full
@pytest.mark.parametrize("fault", SEEDED)
def test_seeded_faults_are_found(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus, file, text, other = SEEDED[fault]
    line = UNIT_LINES["rsa"] if file.startswith("redc_rsa") else CASES.get(bus, STREAMS[0])
    line = CURVE_CASES[bus] if "told_q" in other else line
    assert bench(line, bus, tmp_path, monkeypatch, {file: [(text, other)]})


def test_axi_stream_is_the_unit_s_own_words() -> None:
    """Whole bytes, a below and b above, the place and the exponent's length beside them."""
    design = on_bus("exp-csa --width 33 --set exp_bits=40 moduli=3", "stream")
    assert isinstance(design.family, Hosted)
    bits = {port.name: port.bits for port in design.family.ports(design.width, design.values)}
    assert bits["s_axis_mod_tdata_i"] == bits["m_axis_tdata_o"] == 40
    assert bits["s_axis_op_tdata_i"] == 80 and bits["s_axis_op_tuser_i"] == 2 + 6
