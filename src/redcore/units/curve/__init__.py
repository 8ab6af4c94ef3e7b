# SPDX-License-Identifier: Apache-2.0
"""Scalar multiplication on curves, scheduled from formulas for the multiplier of each design."""

from redcore.units.curve import ecdsa_run, edwards_run, run
from redcore.units.curve.family import CurveUnit

__all__ = ["COMMANDS", "UNITS"]

UNITS = ((CurveUnit, None),)
COMMANDS = (*run.COMMANDS, *ecdsa_run.COMMANDS, *edwards_run.COMMANDS)
