# SPDX-License-Identifier: Apache-2.0
"""Units that work on any multiplier: named ``UNIT-MULTIPLIER``, families like the multipliers.

A unit has the multiplier's contract towards its user and the same contract mirrored towards a
multiplier beside it. Which multiplier that is, with which parameters, is written into a small top
module when a design is made (``redcore.units.compose``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from redcore.errors import BadInput
from redcore.families.base import Family, nearest, registered
from redcore.units.exp import Exponentiator

UNITS: dict[str, Callable[[Family], Family]] = {"exp": Exponentiator}
"""Units by name; each makes a family from the multiplier's."""


@cache
def on(unit: str, multiplier: str) -> Family:
    """The family of ``unit`` on ``multiplier``; raise BadInput with the nearest right names."""
    if unit not in UNITS:
        raise BadInput(
            f"there is no unit {unit!r}; there are {', '.join(UNITS)}{nearest(unit, UNITS)}"
        )
    multipliers = registered()
    if multiplier not in multipliers:
        raise BadInput(
            f"there is no multiplier {multiplier!r} for {unit}-...; there are"
            f" {', '.join(multipliers)}{nearest(multiplier, multipliers)}"
        )
    return UNITS[unit](multipliers[multiplier])


def units() -> list[Family]:
    """Every unit on every multiplier."""
    return [on(unit, multiplier) for unit in UNITS for multiplier in registered()]


__all__ = ["UNITS", "Exponentiator", "on", "units"]
