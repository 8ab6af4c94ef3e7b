# SPDX-License-Identifier: Apache-2.0
"""Scalar multiplication on curves, scheduled from formulas for the multiplier of each design."""

from redcore.units.curve.family import CurveUnit
from redcore.units.curve.run import COMMANDS

__all__ = ["COMMANDS", "UNITS"]

UNITS = ((CurveUnit, None),)
