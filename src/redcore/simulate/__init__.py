# SPDX-License-Identifier: Apache-2.0
"""Simulation of any core behind the multiplier contract, in this process, through Verilator."""

from redcore.simulate.check import Mismatch, SimulationResult, exhaust, first_wrong, simulate
from redcore.simulate.compile import refusal
from redcore.simulate.simulator import Load, Run, Simulator, check_modulus
from redcore.simulate.stimulus import (
    default_moduli,
    design_moduli,
    edge_moduli,
    edge_operands,
    fitting,
    usual_moduli,
)

__all__ = [
    "Load",
    "Mismatch",
    "Run",
    "SimulationResult",
    "Simulator",
    "check_modulus",
    "default_moduli",
    "design_moduli",
    "edge_moduli",
    "edge_operands",
    "exhaust",
    "first_wrong",
    "fitting",
    "refusal",
    "simulate",
    "usual_moduli",
]
