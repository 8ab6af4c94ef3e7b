# SPDX-License-Identifier: Apache-2.0
"""Masters of the buses, the communities' own where there are some, behind one way to ask them.

``refused`` is what the access is expected to be; each master fails where it is not so.
"""

from __future__ import annotations

import random
from typing import Any

from cocotb.triggers import FallingEdge, RisingEdge
from cocotbext.apb import ApbBus, ApbMaster
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from cocotbext.wishbone.driver import WBOp, WishboneMaster


class Axi:
    """AXI4-Lite by cocotbext-axi."""

    def __init__(self, dut: Any, choose: random.Random) -> None:
        self.choose = choose
        self.master = AxiLiteMaster(
            AxiLiteBus.from_prefix(dut, "s_axi"), dut.clk, dut.rst_n, reset_active_level=False
        )
        for name in ("write_if", "read_if"):
            getattr(self.master, name).log.setLevel("WARNING")

    async def write(
        self, address: int, data: int, strobes: int = 15, refused: bool = False
    ) -> None:
        """Bytes next to each other, as the master has it."""
        if strobes == 0:
            return
        first = (strobes & -strobes).bit_length() - 1
        count = strobes.bit_count()
        assert strobes == ((1 << count) - 1) << first
        part = data.to_bytes(4, "little")[first : first + count]
        done = await self.master.write(address + first, part)
        assert (done.resp == AxiResp.SLVERR) == refused, (hex(address), done)

    async def read(self, address: int, refused: bool = False) -> int:
        done = await self.master.read(address, 4)
        assert (done.resp == AxiResp.SLVERR) == refused, (hex(address), done)
        return int.from_bytes(done.data, "little")

    def stall(self, on: bool) -> None:
        """Pauses on all five channels, or none."""

        def pauses() -> Any:
            while True:
                yield self.choose.random() < 0.5

        for channel in (
            self.master.write_if.aw_channel,
            self.master.write_if.w_channel,
            self.master.write_if.b_channel,
            self.master.read_if.ar_channel,
            self.master.read_if.r_channel,
        ):
            channel.set_pause_generator(pauses() if on else None)
            channel.pause = False


class Apb:
    """APB by cocotbext-apb."""

    def __init__(self, dut: Any, choose: random.Random) -> None:
        self.choose = choose
        self.on = False
        self.master = ApbMaster(ApbBus.from_prefix(dut, "s_apb"), dut.clk)
        self.master.log.setLevel("WARNING")
        self.master.return_int = True

    async def _idle(self) -> None:
        self.master.intra_delay = self.choose.randrange(4) if self.on else 0

    async def write(
        self, address: int, data: int, strobes: int = 15, refused: bool = False
    ) -> None:
        await self._idle()
        await self.master.write(address, data, strb=strobes, error_expected=refused)

    async def read(self, address: int, refused: bool = False) -> int:
        await self._idle()
        return int(await self.master.read(address, error_expected=refused))

    def stall(self, on: bool) -> None:
        """Idle cycles between transfers."""
        self.on = on


class Wishbone:
    """Wishbone classic by cocotbext-wishbone."""

    def __init__(self, dut: Any, choose: random.Random) -> None:
        self.choose = choose
        self.on = False
        self.master = WishboneMaster(dut, "s_wb", dut.clk, width=32, timeout=1000)
        self.master.log.setLevel("WARNING")

    async def _access(self, address: int, data: int | None, sel: int, refused: bool) -> int:
        idle = self.choose.randrange(4) if self.on else 0
        assert address % 4 == 0
        (done,) = await self.master.send_cycle([WBOp(address // 4, data, idle, sel)])
        assert done.ack == (2 if refused else 1), (hex(address), done.ack)
        return int(done.datrd)

    async def write(
        self, address: int, data: int, strobes: int = 15, refused: bool = False
    ) -> None:
        await self._access(address, data, strobes, refused)

    async def read(self, address: int, refused: bool = False) -> int:
        return await self._access(address, None, 15, refused)

    def stall(self, on: bool) -> None:
        """Idle cycles within a cycle."""
        self.on = on


class TileLink:
    """TL-UL, of our own: there is no model of it for cocotb in the package index."""

    GET, PUT_FULL, PUT_PARTIAL = 4, 0, 1

    def __init__(self, dut: Any, choose: random.Random) -> None:
        self.dut = dut
        self.choose = choose
        self.on = False
        for name in ("valid", "opcode", "param", "size", "source", "address", "mask", "data"):
            getattr(dut, f"tl_a_{name}").value = 0
        dut.tl_d_ready.value = 0

    async def message(
        self, opcode: int, address: int, data: int, mask: int, size: int
    ) -> tuple[int, int]:
        """Any message, legal or not; the answer's error and data."""
        dut, source = self.dut, self.choose.randrange(256)
        await FallingEdge(dut.clk)
        while self.on and self.choose.random() < 0.5:
            await FallingEdge(dut.clk)
        told = {"opcode": opcode, "param": 0, "size": size, "source": source, "mask": mask}
        for name, value in (told | {"address": address, "data": data, "valid": 1}).items():
            getattr(dut, f"tl_a_{name}").value = value
        while True:
            await RisingEdge(dut.clk)
            if int(dut.tl_a_ready.value):
                break
        await FallingEdge(dut.clk)
        dut.tl_a_valid.value = 0
        for name in ("opcode", "size", "source", "mask", "address", "data"):
            getattr(dut, f"tl_a_{name}").value = self.choose.randrange(2)
        held: tuple[int, ...] | None = None
        while True:
            dut.tl_d_ready.value = int(not self.on or self.choose.random() < 0.5)
            await RisingEdge(dut.clk)
            now = tuple(
                int(getattr(dut, f"tl_d_{name}").value)
                for name in ("valid", "opcode", "param", "size", "source", "sink", "data", "error")
            )
            assert held is None or held == now, "an answer changed before it was taken"
            if now[0]:
                held = now
                if int(dut.tl_d_ready.value):
                    break
            await FallingEdge(dut.clk)
        await FallingEdge(dut.clk)
        dut.tl_d_ready.value = 0
        assert not int(dut.tl_d_valid.value), "answered twice"
        _, told_opcode, param, told_size, told_source, sink, word, error = held
        assert (param, sink, told_source, told_size) == (0, 0, source, size)
        assert told_opcode == (1 if opcode == self.GET else 0)
        assert opcode == self.GET or word == 0
        return error, word

    async def write(
        self, address: int, data: int, strobes: int = 15, refused: bool = False
    ) -> None:
        opcode = self.PUT_FULL if strobes == 15 else self.PUT_PARTIAL
        error, _ = await self.message(opcode, address, data, strobes, 2)
        assert bool(error) == refused, hex(address)

    async def read(self, address: int, refused: bool = False) -> int:
        error, word = await self.message(self.GET, address, 0, 15, 2)
        assert bool(error) == refused, hex(address)
        return word

    def stall(self, on: bool) -> None:
        """Idle cycles before messages, and answers that wait."""
        self.on = on


MASTERS: dict[str, type] = {"axi": Axi, "apb": Apb, "wishbone": Wishbone, "tilelink": TileLink}
