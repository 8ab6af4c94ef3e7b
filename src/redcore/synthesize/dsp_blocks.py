# SPDX-License-Identifier: Apache-2.0
"""Whether a netlist's multipliers fit a device's DSP blocks with the nets that control them.

Multipliers of a block share their clocks, enables and clears. nextpnr knows that, and where there
are too few blocks for the nets it moves multipliers about without end: that has to be said before.
"""

from __future__ import annotations

import json
import re
from typing import Any

from redcore.design import ceil_div
from redcore.synthesize.targets import Target

_SAID = "does not fit: its {} multipliers have {} {} of their own"
_Net = int | str
"""A number, or a constant: ``0`` or ``1``."""


def crowding(netlist: bytes, module: str, device: Target) -> str | None:
    """Why the multipliers of ``netlist`` (Yosys's JSON) cannot be placed, in a sentence, or None.

    Each net that not all multipliers have needs a place in at least one block; what all have takes
    one in every block. No design that fits is refused.
    """
    block, room = device.dsp_block, device.capacity
    if block is None or room is None:
        return None
    blocks = room.dsp // block.multipliers
    if netlist.count(f'"{block.cell}"'.encode()) <= blocks:  # a block for each, and no need to read
        return None
    cells: list[dict[str, Any]] = [
        cell
        for cell in json.loads(netlist)["modules"][module]["cells"].values()
        if cell["type"] == block.cell
    ]
    for kind, pins in block.ports.items():
        used: list[set[_Net]] = [
            {net for pin in pins for net in cell["connections"].get(pin, ())} for cell in cells
        ]
        shared = set.intersection(*used)
        own = len(set.union(*used) - shared)
        free = block.nets - len(shared)
        if own and ceil_div(own, free) > blocks:
            said = _SAID.format(len(cells), own, kind)
            return f"{said}, a DSP block takes {free}, and the device has {blocks} blocks"
    return None


def is_crowding(failure: str | None) -> bool:
    """Whether a failure is one that ``crowding`` told."""
    return re.match(_SAID.format(r"\d+", r"\d+", ".*"), failure or "") is not None
