# SPDX-License-Identifier: Apache-2.0
"""cocotb tests of the RSA unit's registers on any bus. Run by test_bus.py.

What the registers do is tried in depth by tests/axi on AXI4-Lite; here, jobs and refusals by each
bus's own master.
"""

from __future__ import annotations

import json
import os
import random
from typing import Any

import cocotb
from bus_device import Registers
from cocotb.triggers import ClockCycles
from rsa_keys import Key, Words, command, status

from redcore.catalogue import design_of
from redcore.generate.registers import Register, registers

CONFIG = json.loads(os.environ["REDCORE_BENCH"])
DESIGN = design_of(CONFIG["design"])
"""The unit, without the bus."""
BUS: str = CONFIG["bus"]
EXPONENT = int(DESIGN.values["public_exponent"])
WORDS = Words(DESIGN.width)
LIMIT: dict[str, Any] = {"timeout_time": 100, "timeout_unit": "ms"}
"""Of each test: a bus that hangs fails, and does not hang the bench."""
MAP: dict[str, Register] = {register.name: register for register in registers("redc_rsa_axi")}
INSIDE = {register.address for register in MAP.values()}
OUTSIDE = [address for address in range(0, 4096, 4) if address not in INSIDE]
READ_ONLY = [name for name, register in MAP.items() if not register.writable]
WRITE_ONLY = [name for name, register in MAP.items() if not register.readable]


class Device(Registers):
    """The registers by name, and what a driver does with them."""

    def __init__(self, dut: Any) -> None:
        super().__init__(dut, BUS, MAP, random.Random(CONFIG["seed"]))
        self.illegal = False
        """Whether accesses that are refused come among those of jobs."""
        self.refusals = 0

    async def start(self) -> None:
        await self.reset()
        await self.until_idle()

    async def until_idle(self) -> dict[str, int]:
        for _ in range(20_000):
            state = await self.state()
            if not state["busy"]:
                return state
            await ClockCycles(self.dut.clk, 20)
        raise AssertionError("it is busy for ever")

    async def refuse(self) -> None:
        """Some access that is refused in this state; a job's end may come between, and is told."""
        state, choose = await self.state(), self.choose
        kind = choose.choice(["outside", "read_only", "write_only", "part", "empty", "command",
                              "unwanted"])  # fmt: skip
        if kind == "outside":
            told, address = "address", choose.choice(OUTSIDE)
            if choose.random() < 0.5:
                await self.master.write(address, choose.getrandbits(32), 15, True)
            else:
                assert await self.master.read(address, True) == 0
        elif kind == "read_only":
            told = "access"
            await self.write(choose.choice(READ_ONLY), choose.getrandbits(32), True)
        elif kind == "write_only":
            told = "access"
            assert await self.read(choose.choice(WRITE_ONLY), True) == 0
        elif kind == "part":
            told = "access"
            # The master of AXI names the first byte by the address.
            some = [1, 3, 7] if BUS == "axi" else [1, 2, 4, 8, 3, 12, 5, 7]
            name = choose.choice(["COMMAND", "OPERAND", "OPERAND_LAST", "RANDOM"])
            await self.write(name, 0, True, choose.choice(some))
        elif (
            kind == "empty"
            and not state["result_ready"]
            and (not state["busy"] or state["operands_wanted"])
        ):
            told = "result_empty"
            assert await self.read("RESULT", True) == 0
        elif kind == "command":
            # Busy, or no command at all.
            told = "command"
            code = choose.randrange(8) if state["operands_wanted"] else choose.randrange(8, 1 << 32)
            await self.write("COMMAND", code, True)
        elif kind == "unwanted" and not state["operands_wanted"] and not state["busy"]:
            told = "operand_unwanted"
            await self.write(choose.choice(["OPERAND", "OPERAND_LAST"]), 1, True)
        else:
            return
        self.refusals += 1
        assert await self.causes() - {"job"} == {told}, kind

    async def some_refusals(self) -> None:
        for _ in range(self.choose.randrange(4) if self.illegal else 0):
            await self.refuse()

    async def job(self, code: str, words: list[int]) -> tuple[int, list[int]]:
        """A whole job: its status and its result words."""
        await self.some_refusals()
        await self.write("COMMAND", command(code))
        for place, word in enumerate(words):
            while not self.fields("OPERAND_LEVEL", await self.read("OPERAND_LEVEL"))["room"]:
                pass
            await self.some_refusals()
            last = place + 1 == len(words)
            await self.write("OPERAND_LAST" if last else "OPERAND", word)
        await self.some_refusals()
        result: list[int] = []
        for _ in range(20_000):
            state = await self.state()
            if state["result_ready"]:
                await self.some_refusals()
                result.append(await self.read("RESULT"))
            elif not state["busy"]:
                return state["job_status"], result
            else:
                await ClockCycles(self.dut.clk, 20)
        raise AssertionError(f"{code} does not end")

    async def ok(self, code: str, words: list[int]) -> list[int]:
        ended, result = await self.job(code, words)
        assert ended == status("Ok"), f"{code} ended with {ended}"
        return result

    async def works(self) -> None:
        """A key is loaded and used in all ways."""
        key = Key.random(DESIGN.width, EXPONENT, self.choose)
        await self.ok("LoadKey", WORDS.key(key))
        x = self.choose.randrange(key.n)
        power = pow(x, key.e, key.n)
        assert WORDS.number(await self.ok("Public", WORDS.words(x))) == power
        assert WORDS.number(await self.ok("Private", WORDS.words(power))) == x
        assert WORDS.number(await self.ok("PrivateCrt", WORDS.words(power))) == x


async def device(dut: Any) -> Device:
    made = Device(dut)
    await made.start()
    return made


@cocotb.test(**LIMIT)
async def jobs_with_and_without_pauses(dut: Any) -> None:
    bus = await device(dut)
    assert await bus.read("ID") == int.from_bytes(b"RSA1", "big")
    assert await bus.read("WIDTH") == DESIGN.width
    for stalled in (False, True):
        bus.master.stall(stalled)
        await bus.works()
    assert await bus.causes() == set()


@cocotb.test(**LIMIT)
async def illegal_traffic_changes_nothing(dut: Any) -> None:
    """Refused accesses of all kinds before, within and behind jobs, all of which are right."""
    bus = await device(dut)
    bus.illegal = True
    for stalled in (False, True):
        bus.master.stall(stalled)
        await bus.works()
    assert bus.refusals > 50


@cocotb.test(**LIMIT)
async def illegal_jobs_are_told_and_the_next_works(dut: Any) -> None:
    """No key, an operand that is n, too few words, a key whose parts do not belong together."""
    bus = await device(dut)
    key = Key.random(DESIGN.width, EXPONENT, bus.choose)
    assert await bus.job("Private", WORDS.words(3)) == (status("NoKey"), [])
    assert await bus.causes() == {"job"}
    await bus.works()
    await bus.ok("LoadKey", WORDS.key(key))
    for code, words, told in (
        ("Public", WORDS.words(key.n), "BadOperand"),
        ("PrivateCrt", WORDS.words(3)[:-1], "Length"),
        ("LoadKey", [words ^ 2 * (k == 0) for k, words in enumerate(WORDS.key(key))], "BadKey"),
    ):
        assert await bus.job(code, words) == (status(told), []), code
        assert await bus.causes() == {"job"}
        await bus.works()
