# SPDX-License-Identifier: Apache-2.0
"""A unit's registers on any bus, by name: what the benches of register buses share."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import cocotb
from bus_masters import MASTERS
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles

from redcore.generate.registers import Register


class Registers:
    """``registers``, by name, behind the master of a bus."""

    def __init__(
        self, dut: Any, bus: str, registers: Mapping[str, Register], choose: random.Random
    ) -> None:
        self.dut = dut
        self.bus = bus
        self.registers = registers
        self.choose = choose

    async def reset(self) -> None:
        """Clock, master, reset."""
        dut = self.dut
        dut.rst_n.value = 0
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        self.master = MASTERS[self.bus](dut, self.choose)
        await ClockCycles(dut.clk, 4)
        dut.rst_n.value = 1
        await ClockCycles(dut.clk, 4)

    def fields(self, name: str, value: int) -> dict[str, int]:
        """A register's value, field by field."""
        return {
            field.name: value >> field.low & ((1 << field.bits) - 1)
            for field in self.registers[name].fields
        }

    async def write(self, name: str, value: int, refused: bool = False, strobes: int = 15) -> None:
        await self.master.write(self.registers[name].address, value, strobes, refused)

    async def read(self, name: str, refused: bool = False) -> int:
        return int(await self.master.read(self.registers[name].address, refused))

    async def state(self) -> dict[str, int]:
        return self.fields("STATUS", await self.read("STATUS"))

    async def causes(self) -> set[str]:
        """What CAUSE says; it is cleared."""
        value = await self.read("CAUSE")
        await self.write("CAUSE", value)
        assert await self.read("CAUSE") == 0
        return {name for name, bit in self.fields("CAUSE", value).items() if bit}
