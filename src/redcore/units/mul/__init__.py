# SPDX-License-Identifier: Apache-2.0
"""A multiplier by itself, as no unit is around it: on the user's own numbers."""

from redcore.units.mul.run import COMMANDS

__all__ = ["COMMANDS", "UNITS"]

UNITS = ()
