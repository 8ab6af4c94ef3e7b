# SPDX-License-Identifier: Apache-2.0
"""What a device's cells make of each core multiplies: its mapped netlist, simulated.

That is a check of what is mapped that rests on no map of registers, as the proof of netlists does,
and goes for technologies that the proof has no models of.
"""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mapped_cores import mapped_core
from redcore.catalogue import family, multipliers
from redcore.design import Design
from redcore.errors import CheckFailed
from redcore.simulate.check import Checker
from redcore.simulate.simulator import Load, Simulator
from redcore.simulate.stimulus import design_moduli
from redcore.synthesize import mapped_netlist, target

DEVICES = ("ecp5-85k", "xc7", "lifcl-40", "gw2a-18", "ice40-hx8k")
WORDS = {"array": 40, "cios": 40, "productscan": 40, "scalable": 40, "tableserial": 40}
"""Bits of several words or digits; others are mapped at 16."""
SLICES = {"array", "cios", "fold", "productscan", "solinas"}
"""On multiplier slices: without one they are large."""
WITHOUT_MODEL = {
    "gw2a-18": SLICES | {"tableserial"},  # multipliers, a kind of block memory
    "lifcl-40": {"array", "productscan", "tableserial"},  # a kind of block memory
}
"""What Yosys has no models of, by device."""
PRODUCTS = 40


def design(name: str) -> Design:
    return family(name).design(WORDS.get(name, 16))


def wrong(core: Design, netlist: Path) -> list[str]:
    """What is wrong with products of random numbers, one behind the other, under stalls."""
    choose = random.Random(f"{core.label()}")
    modulus = max(design_moduli(core, seed=1))
    below = core.operand_limits(modulus)
    batch = [(choose.randrange(below[0]), choose.randrange(below[1]), 0) for _ in range(PRODUCTS)]
    with Simulator(core, 1, [netlist]) as simulated:
        simulated.load_modulus(modulus)
        done = simulated.run(
            batch, [Load(modulus, place) for place in range(1, core.geometry.moduli)]
        )
    assert len(done.results) == PRODUCTS
    checker = Checker(core)
    return done.faults + [
        f"{a} * {b} mod {modulus} is not {result}"
        for (a, b, _), result in zip(batch, done.results, strict=True)
        if not checker.right(a, b, modulus, result, exact=True)
    ]


def cases() -> list[Any]:
    """Each family on ECP5 and on one device of generic cells, families with cells of their own on
    Xilinx, too; all others in the full tier."""
    found = []
    for at, name in enumerate(sorted(multipliers())):
        known = [each for each in DEVICES if name not in WITHOUT_MODEL.get(each, ())]
        generic = [each for each in known[2:] if name not in SLICES or each != "ice40-hx8k"]
        quick = {known[0], *generic[at % max(1, len(generic)) :][:1]}
        if family(name).has_technology:
            quick.add(known[1])
        found += [
            pytest.param(name, device, marks=[] if device in quick else [pytest.mark.full])
            for device in known
        ]
    return found


@pytest.mark.parametrize(("name", "device"), cases())
def test_a_mapped_core_multiplies(name: str, device: str, tmp_path: Path) -> None:
    core = design(name)
    assert not wrong(core, mapped_core(core, target(device), tmp_path))


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
    """Each LUT's table turned over: of all that a core has most are seen by products or stalls."""
    core = design("csa")

    def turn(cells: dict[str, Any]) -> None:
        luts = [cell for _, cell in sorted(cells.items()) if cell["type"] == kind]
        of = luts[len(luts) // 2]["parameters"]
        name = next(each for each in of if "INIT" in each)
        of[name] = of[name].translate(str.maketrans("01", "10"))

    netlist = mapped_core(core, target(device), tmp_path, turn)
    with Simulator(core, 1, [netlist]):
        pass  # it compiles
    with suppress(CheckFailed):  # it may not come to an end
        assert wrong(core, netlist)
