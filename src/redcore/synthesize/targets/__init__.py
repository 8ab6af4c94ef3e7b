# SPDX-License-Identifier: Apache-2.0
"""The devices redcore synthesizes for, one module for each vendor; :mod:`.device` says of what."""

from __future__ import annotations

from redcore.design import nearest
from redcore.errors import BadInput
from redcore.synthesize.targets import asic, gowin, ice40, lattice, xilinx
from redcore.synthesize.targets import vendor as vendors
from redcore.synthesize.targets.device import (
    Capacity,
    Counting,
    Dsp,
    Harness,
    Target,
    cell_faces,
    cell_models,
)

_TARGETS: dict[str, Target] = {
    each.name: each
    for each in (*lattice.TARGETS, *ice40.TARGETS, *gowin.TARGETS, *xilinx.TARGETS, *asic.TARGETS)
}


def targets() -> dict[str, Target]:
    """All targets by name, place-and-route ones first."""
    return dict(_TARGETS)


def target(name: str) -> Target:
    """The target called ``name`` (any case), ``liberty:FILE``, or ``TOOL:PART`` of a vendor's tool.

    Raises BadInput with the nearest right name, or with what is wrong about the file.
    """
    if name.lower().startswith(asic.PREFIX):
        return asic.liberty(name)
    if by_vendor := vendors.vendor(name):
        return by_vendor
    found = _TARGETS.get(name.lower())
    if found is None:
        raise BadInput(
            f"there is no target {name!r}; there are {', '.join(_TARGETS)}"
            f"{nearest(name.lower(), _TARGETS)}"
        )
    return found
