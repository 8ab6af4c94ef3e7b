# SPDX-License-Identifier: Apache-2.0
"""a b mod m of plain numbers on any multiplier, and conversion into and out of Montgomery form."""

from redcore.units.modmul.family import ModularMultiplier
from redcore.units.modmul.run import COMMANDS

__all__ = ["COMMANDS", "UNITS"]

UNITS = ((ModularMultiplier, None),)
