# SPDX-License-Identifier: Apache-2.0
"""cocotb tests of a unit behind registers on any bus. Run by test_bus.py."""

from __future__ import annotations

import json
import os
from typing import Any

import cocotb
from bus_device import Registers
from bus_masters import TileLink
from cocotb.triggers import ClockCycles, FallingEdge
from unit_numbers import Numbers

from redcore.catalogue import design_of
from redcore.generate.registers import Register, registers
from redcore.units.hosted import OPERATION_OF, host_words

CONFIG = json.loads(os.environ["REDCORE_BENCH"])
DESIGN = design_of(CONFIG["design"])
"""The unit, without the bus."""
BUS: str = CONFIG["bus"]
GEOMETRY = DESIGN.geometry
NUMBERS = Numbers(DESIGN, CONFIG["seed"])
MODULAR = NUMBERS.modular
NUMBER = host_words(GEOMETRY.word_bits, GEOMETRY.beats)
WORDS = 1 if NUMBERS.finds else NUMBER
RESULT_WORDS = 1 if NUMBERS.tests else NUMBER
MODULUS_WORDS = MODULAR * host_words(GEOMETRY.word_bits, GEOMETRY.modulus_beats or GEOMETRY.beats)
ROOM = 2 * WORDS * (0x10001 if MODULAR else 1)
"""Of empty FIFOs."""
LIMIT: dict[str, Any] = {"timeout_time": 20, "timeout_unit": "ms"}
"""Of each test: a bus that hangs fails, and does not hang the bench."""
MAP: dict[str, Register] = {register.name: register for register in registers("redc_host")}
WORD_PORTS = ("MODULUS", "A", "B")


def bits(name: str, *fields: str) -> int:
    """A register's value with all bits of these fields set."""
    return sum(
        (1 << field.high + 1) - (1 << field.low)
        for field in MAP[name].fields
        if field.name in fields
    )


class Device(Registers):
    """The registers by name, and what a driver does with them."""

    def __init__(self, dut: Any) -> None:
        super().__init__(dut, BUS, MAP, NUMBERS.choose)
        self.choose.seed(CONFIG["seed"])

    async def start(self) -> None:
        await self.reset()
        await self.until("busy", 0)

    async def until(self, field: str, value: int) -> None:
        for _ in range(400_000):  # a prime of some bits takes so many reads of a fast bus
            if (await self.state())[field] == value:
                return
        raise AssertionError(f"STATUS.{field} is never {value}")

    async def put(self, name: str, number: int, words: int = WORDS) -> None:
        """Each word once there is room for it."""
        room = {"MODULUS": "modulus_room", "A": "a_room", "B": "b_room"}[name]
        for word in range(words):
            await self.until(room, 1)
            await self.write(name, number >> 32 * word & 0xFFFFFFFF)

    async def load(self, modulus: int) -> None:
        if not MODULAR:
            return
        given = DESIGN.family.modulus_words(DESIGN.width, DESIGN.values, modulus)
        # Beats of the modulus and of the constant behind it are words of the unit.
        await self.put("MODULUS", given, MODULUS_WORDS)

    async def give(self, a: int, b: int) -> None:
        """Operands, or the one that there is."""
        await self.put("A", a)
        if MODULAR:
            await self.put("B", b)

    async def result(self) -> int:
        return (await self.told())[1]

    async def told(self) -> tuple[int, int]:
        """The status that comes with a result's last word, and the result."""
        found = status = 0
        for word in range(RESULT_WORDS):
            await self.until("result_ready", 1)
            status = (await self.state())["result_status"]
            assert not status or DESIGN.family.status_bits
            found |= await self.read("RESULT") << 32 * word
        return status, found

    async def works(self) -> None:
        modulus = NUMBERS.modulus()
        await self.load(modulus)
        a, b = NUMBERS.operands(modulus)
        await self.give(a, b)
        NUMBERS.right(await self.result(), a, b, modulus)


async def device(dut: Any) -> Device:
    made = Device(dut)
    await made.start()
    return made


@cocotb.test(**LIMIT)
async def what_it_is(dut: Any) -> None:
    bus = await device(dut)
    assert await bus.read("ID") == int.from_bytes(b"MOD1", "big")
    assert bus.fields("VERSION", await bus.read("VERSION"))["major_version"] == 1
    told = bus.fields("WORDS", await bus.read("WORDS"))
    assert told == {"operand": WORDS, "modulus": MODULUS_WORDS}
    assert await bus.read("RESULT_WORDS") == RESULT_WORDS
    told = bus.fields("NUMBERS", await bus.read("NUMBERS"))
    assert told == {"width": DESIGN.width, "r_bits": GEOMETRY.r_bits}
    told = bus.fields("UNIT", await bus.read("UNIT"))
    kind = OPERATION_OF.get(DESIGN.family.kind, 15)  # another
    assert told == {"operation": kind, "bound": GEOMETRY.bound, "moduli": GEOMETRY.moduli,
                    "status_bits": DESIGN.family.status_bits}  # fmt: skip
    for name, register in MAP.items():
        if register.readable and name not in ("RESULT", "WORDS", "NUMBERS", "UNIT", "STATUS"):
            value = await bus.read(name)
            live = {"ROOM": ROOM, "IRQ_STATUS": bits("IRQ_STATUS", "operand_room"),
                    "LENGTH": int(DESIGN.values.get("exp_bits", 0)),
                    "RESULT_WORDS": RESULT_WORDS}  # fmt: skip
            assert value == live.get(name, register.reset), name
    assert await bus.causes() == set()


@cocotb.test(**LIMIT)
async def jobs_with_and_without_pauses(dut: Any) -> None:
    """Many moduli and operands, queued as far as there is room; results in order, none lost."""
    bus = await device(dut)
    for stalled in (False, True):
        bus.master.stall(stalled)
        for _ in range(2):
            modulus, given = NUMBERS.modulus(), []
            await bus.load(modulus)
            for number in range(5):
                a, b = NUMBERS.operands(modulus)
                await bus.give(a, b)
                given.append((a, b))
                if number % 2:
                    NUMBERS.right(await bus.result(), *given.pop(0), modulus)
            for a, b in given:
                NUMBERS.right(await bus.result(), a, b, modulus)
            await bus.until("busy", 0)
    assert await bus.causes() == set()


@cocotb.test(skip=not MODULAR, **LIMIT)
async def a_modulus_waits_for_what_is_under_way(dut: Any) -> None:
    """Written while an operation goes on: it is for the operands behind it alone."""
    bus = await device(dut)
    for _ in range(3):
        jobs = []
        for _ in range(2):
            modulus = NUMBERS.modulus()
            await bus.load(modulus)
            a, b = NUMBERS.operands(modulus)
            await bus.give(a, b)
            jobs.append((a, b, modulus))
        for a, b, modulus in jobs:
            NUMBERS.right(await bus.result(), a, b, modulus)
        await bus.until("busy", 0)
    assert await bus.causes() == set()


@cocotb.test(skip=BUS != "axi", **LIMIT)
async def a_cause_that_comes_as_it_is_cleared_stays(dut: Any) -> None:
    """Reads and writes of AXI4-Lite are at once: a read is refused as CAUSE is written, too."""
    bus = await device(dut)
    held = dut.u_dut.i_host.i_registers
    cause = MAP["CAUSE"].address
    met = 0
    for delay in range(12):
        await bus.read("RESULT", True)
        reading = cocotb.start_soon(bus.read("RESULT", True))
        await ClockCycles(dut.clk, delay % 6)
        writing = cocotb.start_soon(bus.write("CAUSE", bits("CAUSE", "result_empty")))
        while not (reading.done() and writing.done()):
            await FallingEdge(dut.clk)
            if held.wr_i.value == 1 and held.wr_addr_i.value == cause:
                comes = int(held.cause_set.value)
                await ClockCycles(dut.clk, 1)
                await FallingEdge(dut.clk)
                met += comes != 0
                assert int(held.cause_q.value) & comes == comes
        await bus.causes()
    assert met, "never in the same cycle"


@cocotb.test(**LIMIT)
async def illegal_traffic_changes_nothing(dut: Any) -> None:
    """Refused accesses of all kinds among jobs: told in CAUSE, and the jobs are right."""
    bus = await device(dut)
    choose = bus.choose
    bus.master.stall(True)
    inside = {register.address for register in MAP.values()}
    outside = [a for a in range(0, 4096, 4) if a not in inside]
    modulus = NUMBERS.modulus()
    await bus.load(modulus)
    await bus.until("busy", 0)  # a unit takes its time for constants, while the modulus waits
    a, b = NUMBERS.operands(modulus)
    for word in range(WORDS):
        for _ in range(8):
            kind = choose.randrange(7)
            if kind == 0:
                await bus.master.write(choose.choice(outside), choose.getrandbits(32), 15, True)
                told = {"address"}
            elif kind == 1:
                assert await bus.master.read(choose.choice(outside), True) == 0
                told = {"address"}
            elif kind == 2:
                name = choose.choice([r.name for r in MAP.values() if not r.writable])
                await bus.write(name, choose.getrandbits(32), True)
                told = {"access"}
            elif kind == 3:
                assert await bus.read(choose.choice(WORD_PORTS), True) == 0
                told = {"access"}
            elif kind == 4:
                name = choose.choice(("A", "B", "PLACE", "LENGTH"))
                # The master of AXI names the first byte by the address.
                some = [1, 3, 7] if BUS == "axi" else [1, 2, 4, 8, 3, 12, 5, 7]
                await bus.write(name, 0, True, choose.choice(some))
                told = {"access"}
            elif kind == 5:
                assert await bus.read("RESULT", True) == 0
                told = {"result_empty"}
            else:
                await bus.write("PLACE", GEOMETRY.moduli, True)
                told = {"access"} if word == 0 else {"order"}
            assert await bus.causes() == told, kind
        await bus.put("A", a >> 32 * word & 0xFFFFFFFF, 1)
        await bus.write("MODULUS", 0, True)
        assert await bus.causes() == {"order" if MODULAR else "access"}
    if MODULAR:
        await bus.put("B", b)
    else:
        await bus.write("B", 0, True)
        assert await bus.causes() == {"access"}
    NUMBERS.right(await bus.result(), a, b, modulus)
    # Up to the brim of a FIFO and beyond: b is missing, or nobody takes results.
    for _ in range(6 * WORDS if MODULAR else 400):
        if not (await bus.state())["a_room"]:
            break
        await bus.write("A", 0)
    else:
        raise AssertionError("there is always room")
    await bus.write("A", 0, True)
    assert await bus.causes() == {"full"}
    if isinstance(bus.master, TileLink):
        await tilelink_illegal(bus, bus.master)


async def tilelink_illegal(bus: Device, master: TileLink) -> None:
    """Messages that TileLink itself does not allow; sizes below four that it does."""
    address = MAP["IRQ_ENABLE"].address
    for opcode, at, mask, size in (
        (2, 0, 15, 2), (3, 0, 15, 2), (5, 0, 15, 2), (7, 0, 15, 2), (0, 0, 7, 2), (4, 2, 15, 2),
        (4, 1, 2, 1), (1, 0, 3, 0), (1, 2, 3, 1), (4, 0, 15, 3), (0, 0, 15, 3), (0, 1, 1, 0),
    ):  # fmt: skip
        error, word = await master.message(opcode, address + at, 0xFFFFFFFF, mask, size)
        assert error and word == 0, (opcode, at, mask, size)
    assert await bus.read("IRQ_ENABLE") == 0
    assert await bus.causes() == set()
    error, _ = await master.message(0, address, 0x5, 1, 0)
    assert not error and await bus.read("IRQ_ENABLE") == 5
    error, word = await master.message(4, address + 2, 0, 0xC, 1)
    assert not error and word == 5


@cocotb.test(**LIMIT)
async def interrupt_is_a_level(dut: Any) -> None:
    bus = await device(dut)

    async def line() -> int:
        await ClockCycles(dut.clk, 1)
        return int(dut.irq.value)

    await bus.works()
    await bus.until("busy", 0)
    assert not await line(), "nothing is enabled"
    await bus.write("IRQ_ENABLE", bits("IRQ_ENABLE", "done"))
    assert await line()
    await bus.write("IRQ_STATUS", bits("IRQ_STATUS", "error"))
    assert await line(), "another bit was cleared"
    await bus.write("IRQ_STATUS", bits("IRQ_STATUS", "done"))
    assert not await line()
    await bus.write("IRQ_ENABLE", bits("IRQ_ENABLE", "operand_room"))
    assert await line()
    await bus.write("IRQ_ENABLE", bits("IRQ_ENABLE", "error"))
    assert not await line()
    await bus.write("ID", 0, True)
    assert await line()
    await bus.causes()
    assert await line(), "clearing the cause does not clear the event"
    await bus.write("IRQ_STATUS", 0xFFFFFFFF)
    assert not await line()
    await bus.write("IRQ_ENABLE", bits("IRQ_ENABLE", "done"))
    await bus.write("CONTROL", bits("CONTROL", "reset"))
    await bus.until("busy", 0)
    assert await line(), "a reset has ended"


@cocotb.test(**LIMIT)
async def reset_at_any_moment(dut: Any) -> None:
    """By CONTROL and by the port: nothing is left, FIFOs are overwritten, the next job works."""
    bus = await device(dut)
    host = dut.u_dut.i_host
    for number in range(6):
        modulus = NUMBERS.modulus() | 0xFF
        await bus.load(modulus)
        a, b = ((value | 1) % modulus for value in NUMBERS.operands(modulus))
        await bus.give(a, b)
        await bus.put("A", 0xDEAD, 1)
        await ClockCycles(dut.clk, bus.choose.randrange(60))
        if number % 2:
            await bus.write("CONTROL", bits("CONTROL", "reset"))
        else:
            dut.rst_n.value = 0
            await ClockCycles(dut.clk, 3)
            dut.rst_n.value = 1
            await ClockCycles(dut.clk, 3)
        await bus.until("busy", 0)
        state = await bus.state()
        assert not state["result_ready"] and state["a_room"]
        assert state["modulus_room"] == MODULAR
        assert await bus.read("ROOM") == ROOM
        operands = [host.i_modulus, host.i_a, host.i_b] if MODULAR else [host.i_a]
        fifos = [host.i_result_words, *(each.gen_stream.i_words for each in operands)]
        for fifo in fifos:
            ram = fifo.gen_distributed.i_entries.gen_port[0].gen_whole
            assert all(int(word.value) == 0 for word in ram.gen_distributed.memory_q), fifo
        await bus.causes()
        await bus.works()
    assert await bus.causes() == set()


@cocotb.test(skip=not DESIGN.family.status_bits, **LIMIT)
async def a_refused_job_says_why(dut: Any) -> None:
    """Of each kind, between jobs that are done, two of them waiting: in order, and gone behind a
    reset."""
    bus = await device(dut)
    for stalled in (False, True):
        bus.master.stall(stalled)
        for given, jobs in NUMBERS.refusals():
            await bus.put("MODULUS", given, MODULUS_WORDS)
            for pair in zip(jobs[::2], jobs[1::2], strict=True):
                for a, b, *_ in pair:
                    await bus.give(a, b)
                for *_, right, status in pair:
                    assert await bus.told() == (status, right)
            await bus.until("busy", 0)
            assert not (await bus.state())["result_status"]
        await bus.write("CONTROL", bits("CONTROL", "reset"))
        await bus.until("busy", 0)
        await bus.causes()
        await bus.works()


@cocotb.test(skip=GEOMETRY.moduli == 1, **LIMIT)
async def places_hold_moduli_each(dut: Any) -> None:
    bus = await device(dut)
    moduli = [NUMBERS.modulus() for _ in range(GEOMETRY.moduli)]
    for place, modulus in enumerate(moduli):
        await bus.write("PLACE", place)
        await bus.load(modulus)
        await bus.until("busy", 0)
    for place in (1, 0, *range(GEOMETRY.moduli)):
        await bus.write("PLACE", place)
        a, b = NUMBERS.operands(moduli[place])
        await bus.put("A", a)
        await bus.put("B", b)
        assert await bus.result() == DESIGN.product(a, b, moduli[place])


@cocotb.test(skip="exp_bits" not in DESIGN.values, **LIMIT)
async def length_is_how_far_an_exponent_goes(dut: Any) -> None:
    bus = await device(dut)
    modulus, longest = NUMBERS.modulus(), int(DESIGN.values["exp_bits"])
    await bus.load(modulus)
    for length in (1, longest // 2, longest):
        await bus.until("busy", 0)
        await bus.write("LENGTH", length)
        a, b = NUMBERS.operands(modulus)
        await bus.put("A", a)
        await bus.put("B", b)
        assert await bus.result() == pow(a, b & ((1 << length) - 1), modulus)
    await bus.until("busy", 0)
    for length in (0, longest + 1):
        await bus.write("LENGTH", length, True)
        assert await bus.causes() == {"access"}


@cocotb.test(skip=BUS != "axi", **LIMIT)
async def writes_and_reads_overlap(dut: Any) -> None:
    """Offered before earlier ones are answered, with pauses on all channels: each is answered."""
    bus = await device(dut)
    bus.master.stall(True)
    master, address = bus.master.master, MAP["IRQ_ENABLE"].address
    writes = [master.init_write(address, bytes([k % 16, 0, 0, 0])) for k in range(40)]
    reads = [master.init_read(address, 4) for _ in range(40)]
    for event in (*writes, *reads):
        await event.wait()
    assert await bus.read("IRQ_ENABLE") == 39 % 16
    assert await bus.causes() == set()
