# SPDX-License-Identifier: Apache-2.0
"""Each target's bundle has the clock in the format that the target's tool reads."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from redcore.bundle.contract_face import ContractFace
from redcore.bundle.report import BuildReport
from redcore.bundle.writer import Writer
from redcore.catalogue import family
from redcore.face import face_of
from redcore.moduli import modulus
from redcore.synthesize import run
from redcore.synthesize.harness import wrap
from redcore.synthesize.targets import Target, asic, target, targets
from redcore.synthesize.targets.vendor import TOOLS

pytestmark = pytest.mark.kept

FORMATS = {
    # by suffix: FuseSoC's file type, and the line that asks for 100 MHz
    "sdc": ("SDC", "create_clock -name clk_i -period 10.000 [get_ports clk_i]"),
    "xdc": ("xdc", "create_clock -name clk_i -period 10.000 [get_ports clk_i]"),
    "ucf": ("UCF", 'TIMESPEC "TS_clk_i" = PERIOD "clk_i" 10.000 ns HIGH 50%;'),
    "lpf": ("LPF", 'FREQUENCY PORT "clk_i" 100 MHZ;'),
    "pdc": ("PDC", "create_clock -name clk_i -period 10.000 [get_ports clk_i]"),
    "pcf": ("PCF", "set_frequency clk_i 100"),
}
READ_BY = {
    # by family of the target: what the tool for it reads
    "ecp5": "lpf", "nexus": "pdc", "ice40": "pcf", "gw1n": "sdc", "gw2a": "sdc", "gw5a": "sdc",
    "xcup": "xdc", "xcu": "xdc", "xc7": "xdc",  # Vivado's
    "xc6v": "ucf", "xc6s": "ucf", "xc5v": "ucf", "xc4v": "ucf", "xc3sda": "ucf", "xc3sa": "ucf",
    "xc3se": "ucf", "xc3s": "ucf", "xc2vp": "ucf", "xc2v": "ucf", "xcve": "ucf", "xcv": "ucf",
    "asic": "sdc", "liberty": "sdc",
    "vivado": "xdc", "ise": "ucf", "quartus": "sdc", "radiant": "pdc", "diamond": "lpf",
    "gowin": "sdc",
}  # fmt: skip


def test_every_target_has_the_clock_as_its_tool_reads_it(tmp_path: Path) -> None:
    cells = tmp_path / "cells.lib"
    cells.write_text(asic.generic_library(), encoding="utf-8")
    names = [*targets(), *(tool.example for tool in TOOLS.values()), f"liberty:{cells}"]
    for number, name in enumerate(names):
        design, device = family("csa").design(16), target(name)
        folder = tmp_path / str(number)
        report = BuildReport(design, None, device, folder, 1, {}, {})
        writer = Writer(report, ContractFace(design, modulus("0xfff1"), 1), 0.0)
        writer.write_sources()
        suffix = READ_BY[device.family]
        kind, line = FORMATS[suffix]
        written = {path.suffix[1:]: path for path in (folder / "constraints").iterdir()}
        assert written.keys() == {"sdc", suffix}, name
        assert line in written[suffix].read_text(encoding="utf-8").splitlines(), name
        core = yaml.safe_load((folder / f"redcore_{writer.name}.core").read_text(encoding="utf-8"))
        listed = core["filesets"]["constraints"]["files"]
        # one alone: a tool that reads both would be told the clock twice
        assert listed == [{f"constraints/{written[suffix].name}": {"file_type": kind}}], name


@pytest.mark.parametrize("name", ["csa", "exp-csa", "prime-csa", "prime-gen-csa", "rsa-csa"])
def test_every_name_in_a_constraint_is_a_port(name: str, tmp_path: Path) -> None:
    """A constraint whose name is nothing's is passed over in silence by some tools."""
    design = family(name).design(48)
    for number, device in enumerate(map(target, ("ecp5-25k", "lifcl-40", "ice40-hx8k", "xc6s"))):
        folder = tmp_path / str(number)
        report = BuildReport(design, None, device, folder, 1, {}, {})
        chosen = modulus("0xfff1") if design.family.takes_modulus else None
        writer = Writer(report, face_of(design, chosen, 1), 0.0)
        writer.write_sources()
        top = (folder / "rtl" / f"{writer.top}.sv").read_text(encoding="utf-8")
        inputs = set(re.findall(r"^\s*input\s+wire\s+logic\s+(\w+)", top, re.M))
        for path in (folder / "constraints").iterdir():
            lines = path.read_text(encoding="utf-8").splitlines()
            found = [named for line in lines if line[:1] != "#" for named in _named(line)]
            assert found and set(found) <= inputs, (path.name, found)


NAMED = (
    r"get_ports (\w+)",
    r'PORT "(\w+)"',
    r"set_frequency (\w+)",
    r'NET "(\w+)"',
    r'IO_LOC "(\w+)"',
)


def _named(line: str) -> list[str]:
    """The ports that a line of any format names."""
    return [name for pattern in NAMED for name in re.findall(pattern, line)]


@pytest.mark.parametrize("device", targets().values(), ids=lambda device: device.name)
def test_every_pin_that_a_harness_places_is_its_own(device: Target) -> None:
    if device.harness is None:
        return
    netlist = {
        "modules": {
            "core": {
                "ports": {
                    "clk_i": {"direction": "input", "bits": [2]},
                    "d_i": {"direction": "input", "bits": [3]},
                    "q_o": {"direction": "output", "bits": [4]},
                },
                "cells": {},
                "netnames": {},
            }
        }
    }
    wrapped, _ = wrap(json.dumps(netlist).encode(), "core", device.harness)
    ports = json.loads(wrapped)["modules"]["core"]["ports"]
    for text in device.harness.files.values():
        found = [name for line in text.splitlines() for name in _named(line)]
        assert found and set(found) <= set(ports)


@pytest.mark.full
@pytest.mark.parametrize("name", ["ecp5-25k", "ice40-hx8k", "lifcl-40", "gw1n-9"])
def test_place_and_route_takes_the_file(name: str, tmp_path: Path) -> None:
    """nextpnr says the clock that it read, whatever it says of pins afterwards."""
    device = target(name)
    (tmp_path / "t.v").write_text(
        "module t(input clk_i, input d_i, output reg q_o);\n"
        "always @(posedge clk_i) q_o <= d_i;\nendmodule\n"
    )
    synthesis = re.sub(" -noiopads?", "", device.synthesis)
    (tmp_path / "t.ys").write_text(
        f"read_verilog t.v\n{synthesis} -top t\nwrite_json t.json\n", encoding="utf-8"
    )
    assert run.run("yosys", ["t.ys"], tmp_path, None).status == 0
    form = device.clock_format
    (tmp_path / f"t.{form.suffix}").write_text(form.clock("clk_i", 125.0), encoding="utf-8")
    taken = [each for each in device.place_and_route if "pins." not in each]
    while taken[-1] in ("--pdc", "--vopt"):  # these were of the places of pins
        taken.pop()
    arguments = [*taken, f"--{form.suffix}", f"t.{form.suffix}", "--json", "t.json"]
    said = run.run(device.placer, arguments, tmp_path, None).log
    assert "constraining clock net 'clk_i' to 125.00 MHz" in said
