# SPDX-License-Identifier: Apache-2.0
"""Ports of tops that are written for a design."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Port:
    """A port with its concrete width in bits; 0 means a plain bit."""

    name: str
    bits: int
    doc: str

    @property
    def input(self) -> bool:
        """Whether it goes into the design."""
        return self.name.endswith("_i") or self.name.endswith("_ni")

    @property
    def range(self) -> str:
        """As SystemVerilog has it."""
        return f" [{self.bits - 1}:0]" if self.bits else ""

    @property
    def vhdl(self) -> str:
        """Its type in VHDL."""
        return f"std_logic_vector({self.bits - 1} downto 0)" if self.bits else "std_logic"


CLOCK_AND_RESET = (
    Port("clk_i", 0, "Clock."),
    Port("rst_ni", 0, "Reset of the control, active low, synchronous."),
)
