# SPDX-License-Identifier: Apache-2.0
"""Vendors' own tools: ``vivado:PART``, ``quartus:FAMILY:PART``, ``ise:PART`` and so on.

Each is driven by edalize and takes a part of the tool's own naming; see
:mod:`redcore.synthesize.vendor`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from redcore.errors import BadInput
from redcore.synthesize.targets.device import LPF, PDC, SDC, UCF, XDC, ClockFormat, Counting, Target


@dataclass(frozen=True)
class VendorTool:
    """A tool as edalize calls it. ``program`` is what must be on PATH, ``example`` a target."""

    name: str
    vendor: str
    program: str
    lut_inputs: int
    clock_format: ClockFormat
    example: str


TOOLS: Mapping[str, VendorTool] = {
    tool.name: tool
    for tool in (
        VendorTool("vivado", "Xilinx", "vivado", 6, XDC, "vivado:xc7a100tcsg324-1"),
        VendorTool("ise", "Xilinx", "xtclsh", 6, UCF, "ise:xc6slx45-2-csg324"),
        VendorTool("quartus", "Altera", "quartus_sh", 6, SDC, "quartus:Cyclone V:5CSEMA5F31C6"),
        VendorTool("radiant", "Lattice", "radiantc", 4, PDC, "radiant:LIFCL-40-9BG400C"),
        VendorTool("diamond", "Lattice", "diamondc", 4, LPF, "diamond:LFE5U-85F-8BG756C"),
        VendorTool("gowin", "Gowin", "gw_sh", 4, SDC, "gowin:GW2A-LV18PG256C8/I7"),
    )
}

_ISE_FAMILIES = {
    "xc2vp": "virtex2p",
    "xc2v": "virtex2",
    "xc3s": "spartan3",
    "xc4v": "virtex4",
    "xc5v": "virtex5",
    "xc6v": "virtex6",
    "xc6s": "spartan6",
    "xc7a": "artix7",
    "xc7k": "kintex7",
    "xc7v": "virtex7",
    "xc7z": "zynq",
}


def options(tool: str, part: str) -> dict[str, str]:
    """What edalize calls the device; raise BadInput where the part cannot be read."""
    example = TOOLS[tool].example
    if tool == "quartus":
        family, colon, device = part.partition(":")
        if not (family and colon and device):
            raise BadInput(f"Quartus needs family and device: quartus:FAMILY:PART, as in {example}")
        return {"family": family, "device": device}
    if tool == "ise":
        found = re.fullmatch(r"(xc\w+)(-\d+)-?(\w+)", part.lower())
        begin = next((key for key in _ISE_FAMILIES if part.lower().startswith(key)), None)
        if not found or not begin:
            raise BadInput(f"ISE needs device, speed and package of a part, as in {example}")
        return {
            "family": _ISE_FAMILIES[begin],
            "device": found[1],
            "package": found[3],
            "speed": found[2],
        }
    return {"part": part}


def vendor(name: str) -> Target | None:
    """The target of a vendor's tool; None for other names. Raises BadInput for a missing part."""
    tool, colon, part = name.partition(":")
    known = TOOLS.get(tool.lower())
    if known is None:
        return None
    if not (colon and part):
        raise BadInput(f"{tool} needs a part: {known.example}")
    options(known.name, part)
    return Target(
        name=f"{known.name}:{part}",
        family=known.name,
        part=part,
        title=f"{part}, by {known.name}",
        synthesis="",
        lut_inputs=known.lut_inputs,
        counting=Counting(lut={}, lutram={}, ff={}, carry={}, dsp={}, bram={}),
        clock_format=known.clock_format,
        vendor=known.vendor,
        tool=known.name,
    )
