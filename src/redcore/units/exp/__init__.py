# SPDX-License-Identifier: Apache-2.0
"""The exponentiator."""

from redcore.units.exp.family import Exponentiator
from redcore.units.exp.run import COMMANDS

__all__ = ["COMMANDS", "UNITS"]

UNITS = ((Exponentiator, None),)
