# SPDX-License-Identifier: Apache-2.0
"""What a device's cells make of each core multiplies: its mapped netlist, simulated.

That is a check of what is mapped that rests on no map of registers, as the proof of netlists does,
and goes for technologies that the proof has no models of.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mapped_cores import mapped_core
from redcore.catalogue import family, multipliers
from redcore.design import Design, Value
from redcore.simulate.check import SimulationResult, simulate
from redcore.synthesize import mapped_netlist, target

DEVICES = ("ecp5-85k", "xc7", "lifcl-40", "gw2a-18", "ice40-hx8k")
WORDS: dict[str, tuple[int, dict[str, Value]]] = {
    "array": (40, {}),
    "cios": (40, {}),
    "productscan": (40, {}),
    "scalable": (40, {}),
    "tablechain": (64, {"word": 6}),
    "tableserial": (40, {}),
}
"""Bits and settings of several words or digits; others are mapped at 16."""
SLICES = {"array", "cios", "fold", "productscan", "solinas"}
"""On multiplier slices: without one they are large."""
PRODUCTS = 40
"""Beside those that the cycles are measured with."""


def design(name: str) -> Design:
    return family(name).design(*WORDS.get(name, (16, {})))


def checked(core: Design, netlist: Path) -> SimulationResult:
    """Products of random and edge values for several moduli, under stalls, and cycles."""
    return simulate(core, [], PRODUCTS, stalls=True, sources=[netlist])


def cases() -> list[Any]:
    """Each family on each technology; in the full tier where products are made of LUTs."""
    return [
        pytest.param(name, device, marks=[pytest.mark.full] if of_luts else [])
        for name in sorted(multipliers())
        for device in DEVICES
        for of_luts in [name in SLICES and device == "ice40-hx8k"]
    ]


def test_tablechain_in_radix_8_multiplies(tmp_path: Path) -> None:
    """Tables of 64 entries, in cells of that many."""
    core = family("tablechain").design(64, {"radix": 8, "word": 12})
    result = checked(core, mapped_core(core, target("xc7"), tmp_path))
    assert result.ok, result.failures()


def test_the_smallest_multiplies_on_a_slice_of_ice40(tmp_path: Path) -> None:
    """Which no other family is built on here, at digits of its 16 bits."""
    core, device = family("productscan").design(40, {"digit": 16}), target("ice40-up5k")
    kinds: set[str] = set()

    def look(cells: dict[str, Any]) -> None:
        kinds.update(cell["type"] for cell in cells.values())

    result = checked(core, mapped_core(core, device, tmp_path, look))
    assert result.ok, result.failures()
    assert "SB_MAC16" in kinds


@pytest.mark.parametrize(("name", "device"), cases())
def test_a_mapped_core_multiplies(name: str, device: str, tmp_path: Path) -> None:
    core = design(name)
    result = checked(core, mapped_core(core, target(device), tmp_path))
    assert result.ok, result.failures()


def test_registers_of_a_slice_stay_two() -> None:
    """Yosys took a register in front of a slice for one of the slice's own, which had two already,
    where the one behind the pre-adder, which is not used, was said to be absent."""
    netlist = mapped_netlist(family("cios").design(72, {"word": 68}), target("xc7"))
    slices = [cell for cell in netlist["cells"].values() if cell["type"] == "DSP48E1"]
    # Of one register only the second one's enable is used.
    kinds = {
        (int(cell["parameters"]["AREG"], 2), cell["connections"]["CEA1"] != ["0"])
        for cell in slices
    }
    assert kinds == {(1, False), (2, True)}


@pytest.mark.parametrize(("device", "kind"), [("ecp5-85k", "LUT4"), ("ice40-hx8k", "SB_LUT4")])
def test_a_wrong_cell_is_found(device: str, kind: str, tmp_path: Path) -> None:
    """A LUT's table turned over."""
    core = design("csa")

    def turn(cells: dict[str, Any]) -> None:
        luts = [cell for _, cell in sorted(cells.items()) if cell["type"] == kind]
        of = luts[len(luts) // 2]["parameters"]
        name = next(each for each in of if "INIT" in each)
        of[name] = of[name].translate(str.maketrans("01", "10"))

    assert not checked(core, mapped_core(core, target(device), tmp_path, turn)).ok


@pytest.mark.parametrize(
    ("device", "kind", "port"),
    [
        ("lifcl-40", "PDPSC16K", "CEW"),
        ("lifcl-40", "DP16K", "WEA"),
        ("gw2a-18", "DPX9B", "WREA"),
        ("gw2a-18", "SPX9", "WRE"),
        ("gw2a-18", "MULT18X18", "ASIGN"),
        ("gw2a-18", "MULT9X9", "ASIGN"),
    ],
)
def test_a_wrong_block_is_found(device: str, kind: str, port: str, tmp_path: Path) -> None:
    """A memory that takes nothing, a multiplier that reads a number as negative: the models that
    are written here are what tells."""
    core = design({"MULT18X18": "productscan", "MULT9X9": "fold"}.get(kind, "tableserial"))

    def turn(cells: dict[str, Any]) -> None:
        of = next(cell for _, cell in sorted(cells.items()) if cell["type"] == kind)["connections"]
        if port != "ASIGN":
            of[port] = ["0"]
        else:  # as 1, of a number whose highest bit is its next one
            of[port], of["A"] = ["1"], [*of["A"][:-1], of["A"][-2]]

    assert not checked(core, mapped_core(core, target(device), tmp_path, turn)).ok
