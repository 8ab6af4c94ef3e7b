# SPDX-License-Identifier: Apache-2.0
"""Relative power: toggles counted from waveforms, weights by hand, the mapped netlist checked."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fresh_caches import fresh_cache
from redcore import power
from redcore.catalogue import family
from redcore.cli import BAD_INPUT, OK
from redcore.cli import run as command
from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.power.vcd import toggles
from redcore.power.weights import WEIGHTS, kind_of
from redcore.synthesize import Store, run, target

pytestmark = pytest.mark.kept(reads=("benchmarks",))

ROOT = Path(__file__).resolve().parent.parent
VCD = """$version somebody $end
 $scope module core $end
  $var wire 1 ! n1 $end
  $var wire 4 " bus [3:0] $end
   $var wire 1 ! alias $end
 $enddefinitions $end
#0
0!
b0000 "
#1
1!
b1 "
#2
0!
b0110 "
#3
bx110 "
1!
#4
0!
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def test_toggles_are_counted_by_bit_within_the_span(tmp_path: Path) -> None:
    file = tmp_path / "wave.vcd"
    file.write_text(VCD)
    found = toggles(file, 1, 4)
    assert found["n1", 0] == found["alias", 0] == 3
    # 0000, 0001, 0110, x110: an unknown is no toggle
    assert [found["bus", bit] for bit in range(4)] == [2, 1, 1, 0]
    assert toggles(file, 2, 3)["n1", 0] == 1
    assert toggles(file, 10, 20)["n1", 0] == 0


def test_weights_come_out_by_hand() -> None:
    module: dict[str, Any] = {
        "ports": {"p_o": {"direction": "output", "bits": [5]}},
        "netnames": {"n4": {"bits": [4]}, "p_o": {"bits": [5]}},
        "cells": {
            "l": {
                "type": "$lut",
                "port_directions": {"A": "input", "Y": "output"},
                "connections": {"A": [5, 3], "Y": [4]},
            },
            "f": {
                "type": "$_DFF_P_",
                "port_directions": {"C": "input", "D": "input", "Q": "output"},
                "connections": {"C": [2], "D": [4], "Q": [5]},
            },
        },
    }
    said = power._weigh(module, {("n4", 0): 6, ("p_o", 0): 3}, cycles=10, operations=2)
    wires = 6 * (WEIGHTS["net"] + WEIGHTS["pin"]) + 3 * (WEIGHTS["net"] + 2 * WEIGHTS["pin"])
    logic = 6 * WEIGHTS["lut"] + 3 * WEIGHTS["register"]
    energy = wires + logic + 10 * WEIGHTS["clock"]
    assert said["power"] == pytest.approx(energy / 10, abs=0.01)
    assert said["energy_per_operation"] == pytest.approx(energy / 2, abs=0.1)
    assert said["shares"]["interconnect"] == pytest.approx(wires / energy, abs=1e-4)
    assert sum(said["shares"].values()) == pytest.approx(1, abs=1e-3)
    assert said["activity"] == {"lut": 0.6, "register": 0.3}
    same = dict.fromkeys([("n4", 0), ("p_o", 0)], 2.5)
    equal = power._weigh(module, same, cycles=10, operations=2)
    wires = 2.5 * (2 * WEIGHTS["net"] + 3 * WEIGHTS["pin"])
    logic = 2.5 * (WEIGHTS["lut"] + WEIGHTS["register"])
    assert equal["power"] == pytest.approx((wires + logic) / 10 + WEIGHTS["clock"], abs=0.01)
    assert equal["activity"] == {"lut": 0.25, "register": 0.25}
    with pytest.raises(CheckFailed, match="lacks 2 of 2 nets"):
        power._weigh(module, {}, cycles=10, operations=2)


def test_kinds_of_cells() -> None:
    kinds = {"$_DFFE_PP_": "register", "$add": "adder", "$mul": "multiplier", "$lut": "lut"}
    assert {cell: kind_of(cell) for cell in kinds} == kinds
    assert kind_of("$mem_v2") == "memory"
    assert set(kinds.values()) | {"memory", "clock", "net", "pin"} == set(WEIGHTS)


def test_a_core_is_measured_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fresh_cache(tmp_path, monkeypatch)
    design = family("interleaved").design(8)
    assert command(["power", "interleaved", "--width", "8", "--json"]) == OK
    answer = json.loads(capsys.readouterr().out)
    assert answer["label"].startswith("relative")
    monkeypatch.setattr(power.run, "run", None)
    result = power.measure(design, target("xc5v"))
    assert answer["relative_power"] == result.power > 0
    # whole multiplications, in the steady state
    assert result.cycles == result.operations * design.geometry.interval_cycles
    assert result.energy_per_operation == pytest.approx(
        result.power * result.cycles / result.operations, rel=1e-3
    )
    assert 0.02 < result.activity["register"] < 0.6
    assert result.cells["register"] > 3 * 8


def test_an_assumed_activity_serves_any_face(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is simulated, so a prime tester has a figure, too: above its multiplier's."""
    fresh_cache(tmp_path, monkeypatch)
    found = {}
    for name in ("interleaved", "prime-interleaved"):
        options = [name, "--width", "8", "--activity", "0.125", "--json"]
        assert command(["power", *options]) == OK
        found[name] = json.loads(capsys.readouterr().out)
        assert found[name]["label"] == power.ASSUMED and found[name]["assumed_activity"] == 0.125
        assert set(found[name]["activity"].values()) == {0.125}
    powers = [each["relative_power"] for each in found.values()]
    assert 0 < powers[0] < powers[1]
    assert command(["power", "interleaved", "--width", "8", "--json"]) == OK
    measured = json.loads(capsys.readouterr().out)
    assert measured["assumed_activity"] is None and measured["relative_power"] != powers[0]


@pytest.mark.full
@pytest.mark.parametrize("name", ["cios", "radix4", "carrychain", "scalable", "exp-csa"])
def test_every_kind_of_core_is_measured(name: str, store: Store) -> None:
    result = power.measure(family(name).design(16), target("ecp5-25k"), operations=2, store=store)
    assert result.power > 0
    assert result.shares["interconnect"] > 0.3
    assert (result.shares["multipliers"] > 0) == (name == "cios")


def test_a_wrong_netlist_is_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the mapping must not become a figure: here, the tables of some LUTs."""
    original = power._add_parameters

    def seeded(netlist: Path, design: Design) -> None:
        original(netlist, design)
        text, count = re.subn(
            r"'h([0-9a-f]*)([0-9a-f]) >>",
            lambda found: f"'h{found[1]}{int(found[2], 16) ^ 1:x} >>",
            netlist.read_text(),
            count=5,
        )
        assert count == 5
        netlist.write_text(text)

    monkeypatch.setattr(power, "_add_parameters", seeded)
    with pytest.raises(CheckFailed, match="the mapped netlist of interleaved"):
        power.measure(family("interleaved").design(8), target("xc5v"), store=store)


@pytest.mark.parametrize(
    ("output", "told"), [("mod_ready_o", "a modulus waits"), ("out_last_o", "out_last_o is 0")]
)
def test_a_netlist_that_breaks_the_contract_is_found(
    output: str, told: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that takes no modulus, and one without a last word."""
    original = power._add_parameters

    def stuck(netlist: Path, design: Design) -> None:
        original(netlist, design)
        text, count = re.subn(
            rf"assign {output} = [^;]*;", f"assign {output} = 1'b0;", netlist.read_text()
        )
        assert count == 1
        netlist.write_text(text)

    monkeypatch.setattr(power, "_add_parameters", stuck)
    with pytest.raises(CheckFailed, match=f"the mapped netlist of inter.* fails: .*{told}"):
        power.measure(family("interleaved").design(8), target("xc5v"), store=store)


def test_what_yosys_does_not_map_is_told_in_its_words(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power.run, "run", lambda *_: run.Ended(1, "ERROR: no such pass"))
    with pytest.raises(CheckFailed, match=r"did not map interleaved --width 8.*no such pass"):
        power.measure(family("interleaved").design(8), target("xc5v"), store=store)


def test_a_netlist_of_another_module_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    design = family("interleaved").design(8)

    def other(tool: str, arguments: object, folder: Path, *_: object) -> run.Ended:
        module = {"ports": {}, "cells": {}, "netnames": {}}
        (folder / "mapped.json").write_text(json.dumps({"modules": {design.family.module: module}}))
        (folder / "mapped.v").write_text("module other(a);\nendmodule\n")
        return run.Ended(0, "")

    monkeypatch.setattr(power.run, "run", other)
    with pytest.raises(CheckFailed, match=rf"has no module {design.family.module}\("):
        power.measure(design, target("xc5v"), store=store)


def test_what_cannot_be_measured_is_refused(store: Store) -> None:
    assert command(["power", "csa", "--width", "8", "--target", "asic"]) == BAD_INPUT
    design = family("csa").design(8)
    with pytest.raises(BadInput, match="asic has no LUTs"):
        power.measure(design, target("asic"), store=store)
    with pytest.raises(BadInput, match="operations=0"):
        power.measure(design, target("xc5v"), operations=0, store=store)
    with pytest.raises(BadInput, match="must be odd"):
        power.measure(design, target("xc5v"), modulus=10, store=store)
    for activity in (0.0, -0.1, 1.5):
        with pytest.raises(BadInput, match="must be above 0 and at most 1"):
            power.measure(design, target("xc5v"), store=store, activity=activity)
    with pytest.raises(BadInput, match="a face of its own"):
        power.measure(family("prime-csa").design(16), target("xc5v"), store=store)


def test_recorded_figures_meet_the_trends_of_the_source() -> None:
    figures = json.loads((ROOT / "benchmarks" / "power.json").read_text())
    assert figures["label"] == power.LABEL
    missed = [trend for trend, met in figures["goals"].items() if met is not True]
    # docs/power.md says why one is not met as measured: busy slots, not cells alone, decide
    assert len(figures["goals"]) == 12
    assert all(trend.startswith("figure 5.17: at two stages") for trend in missed)
    grid = [
        row
        for row in figures["rows"]
        if row["family"] == "csa" and row["width"] == 32 and row["assumed_activity"] is None
    ]
    powers = {(row["stages"], row["replicas"]): row["power"] for row in grid}
    assert powers[1, 1] < powers[2, 1]
    assert powers[1, 1] < powers[1, 2] < powers[1, 4]
