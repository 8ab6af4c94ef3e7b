# SPDX-License-Identifier: Apache-2.0
"""Cores as they are mapped to a device's cells, as Verilog that a simulator takes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from redcore.design import Design
from redcore.power import _add_parameters
from redcore.synthesize import cell_models, mapped_netlist
from redcore.synthesize.targets import Target
from redcore.verify import yosys
from redcore.verify.memories import BLOCKS
from redcore.verify.netlist import _MODELS

MODELS = {
    **_MODELS,
    "synth_nexus": ("+/nexus/cells_xtra.v", "+/nexus/cells_sim.v"),
    "synth_gowin": ("+/gowin/cells_xtra_gw2a.v", "+/gowin/cells_sim.v"),
    "synth_ice40": ("", "+/ice40/cells_sim.v"),
}
"""Yosys's faces and models of a technology's cells, by the command that maps to them."""

CELLS = Path(__file__).with_name("cells")
OWN = {
    "synth_nexus": ("nexus.v", {"PDPSC16K", "DP16K"}),
    "synth_gowin": ("gowin.v", {"SPX9", "DPX9B", "MULT9X9", "MULT18X18"}),
}
"""Models of cells that Yosys has faces of alone, in ``CELLS``, and which these are."""

Change = Callable[[dict[str, Any]], None]


def mapped_core(design: Design, device: Target, folder: Path, change: Change | None = None) -> Path:
    """What ``redcore synth`` maps a design to, its cells' models inside, in a file of ``folder``.

    ``change`` may change the netlist's cells before. The module takes the core's parameters, as the
    simulator sets them, and does nothing with them.
    """
    module, mapper = design.family.module, device.synthesis.split()[0]
    netlist = mapped_netlist(design, device)
    if change:
        change(netlist["cells"])
    own_models, modelled = OWN.get(mapper, ("", set()))
    _gather_contents(netlist["cells"], modelled)
    (folder / "mapped.json").write_text(
        json.dumps({"creator": "redcore", "modules": {module: netlist}}), encoding="utf-8"
    )
    faces, models = MODELS[mapper]
    script = [f"read_verilog -overwrite -lib {faces}"] if faces else []
    script.append(f"read_verilog -overwrite -defer {models}")
    used = {str(cell["type"]) for cell in netlist["cells"].values()}
    # Names of cells are those of other technologies, too.
    own = {"synth_ecp5": used, "synth_xilinx": used & BLOCKS.keys()}.get(mapper, set())
    for model in cell_models(" ".join(f"{name} i_cell (" for name in own)):
        (folder / model.name).write_bytes(model.read_bytes())
        script += [f"delete ={model.stem}", f"read_verilog -overwrite -defer {model.name}"]
    if used & modelled:
        script += [f"delete ={name}" for name in sorted(modelled)]
        for name in ("shared.v", own_models):
            (folder / name).write_bytes((CELLS / name).read_bytes())
            script.append(f"read_verilog -overwrite -defer {name}")
    made = folder / "mapped.v"
    top = f"hierarchy -check -top {module}"
    flat = ("proc", "flatten -noscopeinfo", "opt_expr", "opt_clean")
    script += ["read_json mapped.json", top, *flat, f"write_verilog -noattr {made.name}"]
    yosys.run(script, made, f"Yosys cannot read what it made of {design.label()}", folder=folder)
    text = re.sub(  # Verilator takes no unknown value as an index
        r"(\d+'[bh])([0-9a-fxz]+)",
        lambda found: found[1] + re.sub("[xz]", "0", found[2]),
        made.read_text(encoding="utf-8"),
    )
    made.write_text(text, encoding="utf-8")
    _add_parameters(made, design)
    return made


def _gather_contents(cells: dict[str, Any], kinds: set[str]) -> None:
    """What memories of these kinds hold at first, as one parameter, groups of nine bits."""
    for cell in cells.values():
        if cell["type"] not in kinds:
            continue
        of = cell["parameters"]
        slices = sorted(name for name in of if name.startswith(("INITVAL_", "INIT_RAM_")))
        if not slices:
            continue
        words = [of.pop(name) for name in slices]
        if words[0].startswith("0x"):  # Nexus: a group in ten bits
            bits = "".join(f"{int(word, 16):0320b}"[::-1] for word in words)
            groups = [bits[at : at + 9] for at in range(0, len(bits), 10)]
        else:
            groups = [word[::-1] for word in words]
        of["INIT"] = "".join(groups)[::-1].replace("x", "0")
