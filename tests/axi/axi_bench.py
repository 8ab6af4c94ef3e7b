# SPDX-License-Identifier: Apache-2.0
"""cocotb tests of the registers on AXI4-Lite, driven by cocotbext-axi. Run by test_axi.py."""

from __future__ import annotations

import contextlib
import json
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly, RisingEdge, Timer
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from rsa_keys import Key, RandomSource, Words, command, pauses, status

from redcore.generate.registers import Register, registers

CONFIG = json.loads(os.environ["REDCORE_BENCH"])
WIDTH: int = CONFIG["width"]
STAND_IN: bool = CONFIG["stand_in"]
EXPONENT: int = CONFIG["parameters"]["PublicExponent"]
WORDS = Words(WIDTH)
LIMIT: dict[str, Any] = {"timeout_time": 5 if STAND_IN else 40, "timeout_unit": "ms"}
"""Of each test: a bus that hangs fails, and does not hang the bench."""
OPERAND_ROOM = CONFIG["parameters"].get("OperandWords", 16)
RESULT_ROOM = CONFIG["parameters"].get("ResultWords", WORDS.full)
RANDOM_ROOM = 4
READS_PRIVATE: int = CONFIG["parameters"]["ReadPrivate"]
HIGH_BITS = [1 << bit for bit in range(7, 12)]
MAP: dict[str, Register] = {register.name: register for register in registers("redc_rsa_axi")}
BY_ADDRESS = {register.address: register for register in MAP.values()}
PATIENCE = 100_000 if STAND_IN else 100_000_000
"""In ns, a tenth as many cycles."""


def fields(name: str, value: int) -> dict[str, int]:
    """A register's value, field by field."""
    return {field.name: value >> field.low & ((1 << field.bits) - 1) for field in MAP[name].fields}


def bits(name: str, *set_fields: str) -> int:
    """The register's value with all bits of these fields set."""
    return sum(
        (1 << field.high + 1) - (1 << field.low)
        for field in MAP[name].fields
        if field.name in set_fields
    )


class Refused(Exception):
    """An access was answered with SLVERR."""


class Device:
    """The registers by name, and what a driver does with them."""

    def __init__(self, dut: Any, choose: random.Random) -> None:
        self.dut = dut
        self.choose = choose
        self.master: AxiLiteMaster
        self.trng = RandomSource(dut, choose)

    async def start(self) -> None:
        """Clock, reset, master, a random source, and the watch on the channels."""
        dut = self.dut
        dut.aresetn.value = 0
        dut.trng_valid.value = 0
        dut.trng_data.value = 0
        cocotb.start_soon(Clock(dut.aclk, 10, unit="ns").start())
        self.master = AxiLiteMaster(
            AxiLiteBus.from_prefix(dut, "s_axi"), dut.aclk, dut.aresetn, reset_active_level=False
        )
        for name in ("write_if", "read_if"):
            getattr(self.master, name).log.setLevel("WARNING")
        cocotb.start_soon(self.trng.run())
        for valid, ready, payload in (
            ("bvalid", "bready", ("bresp",)),
            ("rvalid", "rready", ("rdata", "rresp")),
        ):
            cocotb.start_soon(self._watch(valid, ready, payload))
        await ClockCycles(dut.aclk, 4)
        dut.aresetn.value = 1
        # Until the FIFOs are overwritten there is no room in them.
        await ClockCycles(dut.aclk, 4 + max(OPERAND_ROOM, RESULT_ROOM, RANDOM_ROOM))

    async def _watch(self, valid: str, ready: str, payload: tuple[str, ...]) -> None:
        """A response stays as it is until it is taken."""
        dut, held = self.dut, None
        while True:
            if held is None and not int(getattr(dut, f"s_axi_{valid}").value):
                await RisingEdge(getattr(dut, f"s_axi_{valid}"))  # nothing to be seen before
            await FallingEdge(dut.aclk)
            await ReadOnly()
            if not int(dut.aresetn.value):
                held = None
                continue
            now = tuple(int(getattr(dut, f"s_axi_{name}").value) for name in payload)
            here = int(getattr(dut, f"s_axi_{valid}").value)
            if held is not None:
                assert here, f"{valid} fell before {ready}"
                assert now == held, f"{payload} changed before {ready}"
            held = now if here and not int(getattr(dut, f"s_axi_{ready}").value) else None

    def stall(self, on: bool) -> None:
        """Pauses on all five channels, or none."""
        channels = [
            self.master.write_if.aw_channel,
            self.master.write_if.w_channel,
            self.master.write_if.b_channel,
            self.master.read_if.ar_channel,
            self.master.read_if.r_channel,
        ]
        for number, channel in enumerate(channels):
            often = self.choose.choice([0.2, 0.5, 0.8])
            channel.set_pause_generator(pauses(number, often) if on else None)
            channel.pause = False

    async def read(self, name: str | int) -> int:
        """A register's value; raise Refused for SLVERR."""
        address = name if isinstance(name, int) else MAP[name].address
        answer = await self.master.read(address, 4 - address % 4)
        value = int.from_bytes(answer.data, "little")
        if answer.resp != AxiResp.OKAY:
            assert answer.resp == AxiResp.SLVERR
            assert value == 0, "a refused read gives 0"
            raise Refused(name)
        return value

    async def write(self, name: str | int, value: int) -> None:
        """Write a register; raise Refused for SLVERR."""
        address = name if isinstance(name, int) else MAP[name].address
        data = value.to_bytes(4, "little")[: 4 - address % 4]
        answer = await self.master.write(address, data)
        if answer.resp != AxiResp.OKAY:
            assert answer.resp == AxiResp.SLVERR
            raise Refused(name)

    async def state(self) -> dict[str, int]:
        """STATUS, field by field."""
        return fields("STATUS", await self.read("STATUS"))

    async def until(self, done: Callable[[dict[str, int]], bool], what: str) -> dict[str, int]:
        """Read STATUS until it is as wanted."""
        for nap in self._naps():
            state = await self.state()
            if done(state):
                return state
            await Timer(nap, "ns")
        raise AssertionError(f"{what} did not happen: {state}")

    @staticmethod
    def _naps() -> Iterator[int]:
        """Times between two looks, in ns: longer and longer ones, up to PATIENCE in all."""
        total = 0
        while total < PATIENCE:
            nap = 10 * (1 + total // 200)
            total += nap
            yield nap

    async def put(self, words: list[int]) -> None:
        """Operand words, no faster than there is room, the last one marked."""
        left, room = list(words), 0
        while left:
            if not room:
                room = fields("OPERAND_LEVEL", await self.read("OPERAND_LEVEL"))["room"]
                continue
            room -= 1
            word = left.pop(0)
            await self.write("OPERAND" if left else "OPERAND_LAST", word)

    async def job(self, code: str, words: list[int] | None = None) -> tuple[int, list[int]]:
        """A whole job: its status and its result words."""
        await self.write("COMMAND", command(code))
        if words is not None:
            await self.put(words)
        result: list[int] = []
        last = False
        for nap in self._naps():
            state = await self.state()
            while state["result_ready"]:
                level = fields("RESULT_LEVEL", await self.read("RESULT_LEVEL"))
                if not level["words"]:
                    break
                assert not last, "a word behind the last one"
                last = bool(level["last"])
                result.append(await self.read("RESULT"))
            if not state["busy"] and not (await self.state())["result_ready"]:
                assert last == bool(result), "the last word is not marked"
                assert not (await self.state())["operands_wanted"]
                return state["job_status"], result
            await Timer(nap, "ns")
        raise AssertionError(f"{code} did not end")

    async def ok(self, code: str, words: list[int] | None = None) -> list[int]:
        """The result of a job that succeeds."""
        ended, result = await self.job(code, words)
        assert ended == status("Ok"), f"{code} ended with {ended}"
        return result

    async def causes(self) -> set[str]:
        """The causes that are set, cleared by this."""
        value = await self.read("CAUSE")
        await self.write("CAUSE", value)
        return {name for name, one in fields("CAUSE", value).items() if one}

    async def refused(self, action: Any) -> set[str]:
        """Why an access was refused; fails where it was not."""
        assert await self.causes() == set()
        try:
            await action
        except Refused:
            return await self.causes()
        raise AssertionError("the access was not refused")

    async def works(self) -> None:
        """Load a key, use it in all ways: whatever was before, the next job works."""
        key = Key.random(WIDTH, EXPONENT, self.choose)
        await self.ok("LoadKey", WORDS.key(key))
        x = self.choose.randrange(key.n - 3)
        right = pow(x, key.e, key.n)
        assert WORDS.number(await self.ok("Public", WORDS.words(x))) == right
        assert WORDS.number(await self.ok("Private", WORDS.words(right))) == x
        assert WORDS.number(await self.ok("PrivateCrt", WORDS.words(right))) == x
        assert await self.causes() == set()

    def nothing_waits(self) -> None:
        """No FIFO holds a word, or what was one."""
        jobs = self.dut.i_rsa.i_jobs
        for fifo in (jobs.i_operands, jobs.i_results, jobs.i_random):
            ram = fifo.gen_distributed.i_entries.gen_port[0].gen_whole.gen_distributed
            assert all(int(word.value) == 0 for word in ram.memory_q)
            assert int(fifo.level_o.value) == 0
        assert int(jobs.bits_q.value) == 0


async def device(dut: Any, seed: int = 1) -> Device:
    """A device that was reset."""
    found = Device(dut, random.Random(seed))
    await found.start()
    return found


@cocotb.test(**LIMIT)
async def registers_are_those_of_the_map(dut: Any) -> None:
    """Every byte address around the map, and with any higher bit: there and aligned, or SLVERR."""
    bus = await device(dut)
    addresses = [*range(0x80), *(high | low for low in range(0x80) for high in HIGH_BITS), 0xFFF]
    for address in addresses:
        register = BY_ADDRESS.get(address)
        try:
            value = await bus.read(address)
        except Refused:
            assert not (register and register.readable) or register.name == "RESULT"
            told = "address" if register is None else "access"
            if register and register.name == "RESULT":
                told = "result_empty"
            assert await bus.causes() == {told}, hex(address)
        else:
            assert register and register.readable, hex(address)
            expected = register.reset
            expected |= {
                "WIDTH": WIDTH,
                "FIFOS": OPERAND_ROOM | RESULT_ROOM << 16,
                "OPERAND_LEVEL": OPERAND_ROOM << 16,
                "RANDOM_LEVEL": RANDOM_ROOM << 16,
                "READ_PRIVATE_REGWEN": READS_PRIVATE,
                "IRQ_STATUS": bits("IRQ_STATUS", "error") * (address > 0),
            }.get(register.name, 0)
            if register.name == "CAUSE":
                continue
            assert value == expected, f"{register.name} is {value:#x}"
    for address in addresses:
        register = BY_ADDRESS.get(address)
        await bus.causes()
        try:
            await bus.write(address, 0)
        except Refused:
            causes = await bus.causes()
            if register is None:
                assert causes == {"address"}
            elif not register.writable:
                assert causes == {"access"}
            else:
                assert register.name in ("OPERAND", "OPERAND_LAST")
                assert causes == {"operand_unwanted"}
        else:
            assert register and register.writable, hex(address)
            if register.name == "COMMAND":
                await bus.write("CONTROL", bits("CONTROL", "zeroize"))
                await bus.until(lambda state: not state["busy"], "the end")
    await bus.works()


@cocotb.test(**LIMIT)
async def byte_strobes(dut: Any) -> None:
    bus = await device(dut)
    mask = (1 << 5) - 1
    await bus.write("IRQ_ENABLE", 0xFFFFFFFF)
    assert await bus.read("IRQ_ENABLE") == mask
    address = MAP["IRQ_ENABLE"].address
    # Byte 0 alone; then the others alone, which leave byte 0 as it is.
    assert (await bus.master.write(address, b"\x15")).resp == AxiResp.OKAY
    assert await bus.read("IRQ_ENABLE") == 0x15
    await _strobes(bus, address, 0xFFFFFFFF, 0b1110)
    assert await bus.read("IRQ_ENABLE") == 0x15
    await _strobes(bus, address, 0, 0b0001)
    assert await bus.read("IRQ_ENABLE") == 0
    # CAUSE has bits in two bytes; clear in one what is set in the other.
    for _ in range(2):
        assert await bus.refused(bus.write("ID", 0)) == {"access"}
    with contextlib.suppress(Refused):
        await bus.write("ID", 0)
    await _strobes(bus, MAP["CAUSE"].address, 0xFFFFFFFF, 0b1110)
    assert fields("CAUSE", await bus.read("CAUSE"))["access"]
    await _strobes(bus, MAP["CAUSE"].address, 0xFFFFFFFF, 0b0001)
    assert await bus.read("CAUSE") == 0
    # CONTROL: byte 1 alone touches nothing.
    await bus.write("CONTROL", bits("CONTROL", "software_random"))
    await _strobes(bus, MAP["CONTROL"].address, 0, 0b0010)
    assert await bus.read("CONTROL") == bits("CONTROL", "software_random")
    await bus.write("CONTROL", 0)
    # No byte at all is legal anywhere that can be written, and does nothing.
    for name in ("CONTROL", "COMMAND", "CAUSE", "OPERAND", "OPERAND_LAST", "RANDOM"):
        assert await _strobes(bus, MAP[name].address, 0xFFFFFFFF, 0) == AxiResp.OKAY
    state = await bus.state()
    assert not state["busy"] and not state["operands_wanted"]
    assert fields("RANDOM_LEVEL", await bus.read("RANDOM_LEVEL"))["words"] == 0
    # Words and commands are whole, or refused.
    await bus.write("COMMAND", command("LoadPublic"))
    for name in ("COMMAND", "OPERAND", "OPERAND_LAST", "RANDOM"):
        for strobes in range(1, 15):
            assert await _strobes(bus, MAP[name].address, 0, strobes) == AxiResp.SLVERR
        assert await bus.causes() == {"access"}
    assert fields("OPERAND_LEVEL", await bus.read("OPERAND_LEVEL"))["words"] == 0
    key = Key.random(WIDTH, EXPONENT, bus.choose)
    await bus.put(WORDS.words(key.n) + WORDS.words(key.e))
    assert (await bus.until(lambda state: not state["busy"], "the end"))["key"] == 1
    await bus.works()


async def _strobes(bus: Device, address: int, value: int, strobes: int) -> AxiResp:
    """One write with any strobes."""
    write = bus.master.write_if
    await write.wait()
    # Below the master's own queue: it would make contiguous strobes of what it is given.
    write._process_write_resp_cr.cancel()
    address_beat = write.aw_channel._transaction_obj()
    address_beat.awaddr, address_beat.awprot = address, 0
    data_beat = write.w_channel._transaction_obj()
    data_beat.wdata, data_beat.wstrb = value, strobes
    await write.aw_channel.send(address_beat)
    await write.w_channel.send(data_beat)
    answer = await write.b_channel.recv()
    write._process_write_resp_cr = cocotb.start_soon(write._process_write_resp())
    return AxiResp(int(answer.bresp))


@cocotb.test(**LIMIT)
async def addresses_and_data_of_writes_come_in_any_order(dut: Any) -> None:
    bus = await device(dut)
    write = bus.master.write_if
    for first, second in ((write.aw_channel, write.w_channel), (write.w_channel, write.aw_channel)):
        for lag in (0, 1, 2, 5, 20):
            value = bus.choose.getrandbits(5)
            second.pause = True
            done = bus.master.init_write(MAP["IRQ_ENABLE"].address, value.to_bytes(4, "little"))
            await ClockCycles(dut.aclk, 6)
            assert first.idle(), "one channel waits for the other"
            # Reads go on meanwhile.
            assert await bus.read("WIDTH") == WIDTH
            await ClockCycles(dut.aclk, lag)
            second.pause = False
            await done.wait()
            assert await bus.read("IRQ_ENABLE") == value


@cocotb.test(**LIMIT)
async def accesses_back_to_back(dut: Any) -> None:
    """A write and a read every second cycle, in order, whatever the responses wait for."""
    bus = await device(dut)
    values = [bus.choose.getrandbits(5) for _ in range(40)]
    for stalls in (False, True):
        bus.stall(stalls)
        start = cocotb.utils.get_sim_time("ns")
        writes = [
            bus.master.init_write(MAP["IRQ_ENABLE"].address, value.to_bytes(4, "little"))
            for value in values
        ]
        reads = [
            bus.master.init_read(MAP[name].address, 4)
            for _ in range(20)
            for name in ("ID", "WIDTH")
        ]
        for event in (*writes, *reads):
            await event.wait()
            assert event.data.resp == AxiResp.OKAY
        assert [int.from_bytes(event.data.data, "little") for event in reads] == [
            MAP["ID"].reset, WIDTH
        ] * 20  # fmt: skip
        assert await bus.read("IRQ_ENABLE") == values[-1]
        if not stalls:
            assert (cocotb.utils.get_sim_time("ns") - start) / 10 < 2 * len(values) + 30


@cocotb.test(skip=not READS_PRIVATE, **LIMIT)
async def jobs_with_stalls_everywhere(dut: Any) -> None:
    bus = await device(dut)
    for stalls in (False, True, True) if STAND_IN else (True,):
        bus.stall(stalls)
        key = Key.random(WIDTH, EXPONENT, bus.choose)
        assert await bus.ok("LoadKey", WORDS.key(key)) == []
        assert (await bus.state())["key"] == 2
        assert await bus.ok("ReadKey") == WORDS.key(key)
        for x in (0, 1, key.n - 1, *(bus.choose.randrange(key.n - 3) for _ in range(2))):
            right = pow(x, key.e, key.n)
            assert WORDS.number(await bus.ok("Public", WORDS.words(x))) == right
            assert WORDS.number(await bus.ok("PrivateCrt", WORDS.words(right))) == x
        assert WORDS.number(await bus.ok("Private", WORDS.words(right))) == x
        assert await bus.ok("LoadPublic", WORDS.words(key.n) + WORDS.words(key.e)) == []
        assert (await bus.state())["key"] == 1
        assert await bus.ok("ReadKey") == WORDS.words(key.n) + WORDS.words(key.e)
        assert await bus.ok("Clear") == []
        assert (await bus.state())["key"] == 0
    assert await bus.causes() == set()


async def _generated(bus: Device) -> Key:
    """The key in the device, checked."""
    key = WORDS.to_key(await bus.ok("ReadKey"))
    key.check(WIDTH, EXPONENT)
    return key


@cocotb.test(skip=not READS_PRIVATE, **LIMIT)
async def keys_from_either_random_source(dut: Any) -> None:
    bus = await device(dut)
    assert await bus.ok("Generate") == []
    first = await _generated(bus)
    # Software: the port is not asked any more; without a word the job waits, and says so.
    bus.trng.on = False
    await bus.write("CONTROL", bits("CONTROL", "software_random"))
    await bus.write("IRQ_ENABLE", bits("IRQ_ENABLE", "random_wanted"))
    await bus.write("COMMAND", command("Generate"))
    await bus.until(lambda state: bool(state["random_wanted"]), "the wish for random bits")
    for _ in range(50):
        state = await bus.state()
        assert state["busy"] and state["random_wanted"]
        assert int(dut.irq.value)
    words = 0
    while (await bus.state())["busy"]:
        if fields("RANDOM_LEVEL", await bus.read("RANDOM_LEVEL"))["room"]:
            await bus.write("RANDOM", bus.choose.getrandbits(32))
            words += 1
    assert words
    second = await _generated(bus)
    assert first.n != second.n
    # Back to the port: what software wrote is left where it is.
    await bus.write("CONTROL", 0)
    bus.trng.on = True
    await bus.ok("Generate")
    await _generated(bus)
    assert await bus.causes() == set()
    # Room for so many words and no more.
    await bus.ok("Clear")
    room = fields("RANDOM_LEVEL", await bus.read("RANDOM_LEVEL"))["room"]
    assert room == RANDOM_ROOM
    for _ in range(room + 1):  # one of them moves on
        await bus.write("RANDOM", 5)
        await ClockCycles(dut.aclk, 2)
    assert await bus.refused(bus.write("RANDOM", 5)) == {"random_full"}
    await bus.works()


@cocotb.test(skip=not STAND_IN, **LIMIT)
async def software_bits_are_used_from_bit_0_up(dut: Any) -> None:
    """The stand-in keeps its last 64 bits: they are those of the words, each bit once."""
    bus = await device(dut)
    await bus.write("CONTROL", bits("CONTROL", "software_random"))
    words = [bus.choose.getrandbits(32) for _ in range(4)]
    for word in words:
        await bus.write("RANDOM", word)
    await bus.ok("Generate")
    stream = [word >> bit & 1 for word in words for bit in range(32)][:100]
    expected = int("".join(map(str, stream[-64:])), 2)
    assert int(dut.i_rsa.i_core.draw_q.value) == expected


@cocotb.test(skip=not READS_PRIVATE, **LIMIT)
async def a_stalled_random_source_makes_the_job_wait_alone(dut: Any) -> None:
    bus = await device(dut)
    bus.trng.on = False
    await bus.write("COMMAND", command("Generate"))
    await bus.until(lambda state: bool(state["random_wanted"]), "the wish for random bits")
    bus.stall(True)
    for _ in range(100):
        state = await bus.state()
        assert state["busy"] and state["random_wanted"] and not state["result_ready"]
    bus.trng.on = True
    await bus.until(lambda state: not state["busy"], "the end")
    await _generated(bus)


@cocotb.test(skip=not READS_PRIVATE, **LIMIT)
async def a_stuck_random_source_is_told(dut: Any) -> None:
    bus = await device(dut)
    for level in (0, 1) if STAND_IN else (0,):
        await bus.works()
        bus.trng.level = level
        ended, result = await bus.job("Generate")
        assert ended == status("RandomStuck") and not result
        assert await bus.causes() == {"job"}
        assert (await bus.state())["key"] == 0
        assert (await bus.job("ReadKey"))[0] == status("NoKey")
        assert await bus.causes() == {"job"}
        bus.trng.level = None
        await bus.works()
        await bus.ok("Generate")
        await _generated(bus)


@cocotb.test(**LIMIT)
async def every_error_is_told_and_the_next_job_works(dut: Any) -> None:
    bus = await device(dut)
    key = Key.random(WIDTH, EXPONENT, bus.choose)
    x = WORDS.words(5)
    # Starting without a key, or with half of one.
    for code in ("Public", "Private", "PrivateCrt"):
        assert await bus.job(code, x) == (status("NoKey"), [])
        assert await bus.causes() == {"job"}
    assert await bus.job("ReadKey") == (status("NoKey"), [])
    assert await bus.causes() == {"job"}
    await bus.ok("LoadPublic", WORDS.words(key.n) + WORDS.words(key.e))
    for code in ("Private", "PrivateCrt"):
        assert await bus.job(code, x) == (status("NoKey"), [])
        assert await bus.causes() == {"job"}
    # What the core refuses.
    assert (await bus.job("LoadKey", WORDS.key(key)[:-1]))[0] == status("Length")
    assert await bus.causes() == {"job"}
    await bus.works()
    assert (await bus.job("Public", [*x, 0]))[0] == status("Length")
    assert await bus.causes() == {"job"}
    await bus.ok("LoadKey", WORDS.key(key))
    for code in ("Public", "Private", "PrivateCrt"):
        assert (await bus.job(code, WORDS.words(key.n)))[0] == status("BadOperand")
        assert await bus.causes() == {"job"}
    even = WORDS.words(key.n - 1) + WORDS.words(key.e)
    assert (await bus.job("LoadPublic", even))[0] == status("BadKey")
    assert await bus.causes() == {"job"}
    await bus.works()
    # Operands that nobody wants: idle, behind the last one, and of a job without operands.
    assert await bus.refused(bus.write("OPERAND", 1)) == {"operand_unwanted"}
    assert await bus.refused(bus.write("OPERAND_LAST", 1)) == {"operand_unwanted"}
    await bus.write("COMMAND", command("Public"))
    await bus.put(x)
    assert await bus.refused(bus.write("OPERAND", 1)) == {"operand_unwanted"}
    assert await bus.refused(bus.write("COMMAND", command("Public"))) == {"command"}
    await bus.until(lambda state: not state["busy"] or state["result_ready"], "a result")
    bus.trng.on = False
    # Words of the result are there: no job before they are read.
    if WORDS.full <= RESULT_ROOM:
        await bus.until(lambda state: not state["busy"], "the end")
    assert await bus.refused(bus.write("COMMAND", command("Clear"))) == {"command"}
    result = []
    while len(result) < WORDS.full:
        if (await bus.state())["result_ready"]:
            result.append(await bus.read("RESULT"))
    assert await bus.refused(bus.read("RESULT")) == {"result_empty"}
    await bus.until(lambda state: not state["busy"], "the end")
    bus.trng.on = True
    await bus.works()
    bus.trng.on = False
    await bus.write("COMMAND", command("Generate"))
    assert await bus.refused(bus.write("OPERAND", 1)) == {"operand_unwanted"}
    bus.trng.on = True
    await bus.until(lambda state: not state["busy"], "the end")
    # Codes there are not.
    for code in (8, 15, 1 << 31):
        assert await bus.refused(bus.write("COMMAND", code)) == {"command"}
    await bus.works()


@cocotb.test(skip=not READS_PRIVATE, **LIMIT)
async def a_full_operand_fifo_refuses_and_loses_nothing(dut: Any) -> None:
    bus = await device(dut)
    key = Key.random(WIDTH, EXPONENT, bus.choose)
    words = WORDS.key(key)
    await bus.write("COMMAND", command("LoadKey"))
    refusals = 0
    for number, word in enumerate(words):
        while True:
            try:
                last = number == len(words) - 1
                await bus.write("OPERAND_LAST" if last else "OPERAND", word)
                break
            except Refused:
                refusals += 1
                assert await bus.causes() == {"operand_full"}
    if OPERAND_ROOM == 1 and STAND_IN:
        assert refusals, "the FIFO was never full: nothing was tested"
    await bus.until(lambda state: not state["busy"], "the end")
    assert await bus.ok("ReadKey") == words


async def _taken(dut: Any, *channels: str) -> dict[str, int]:
    """In which cycle from now each channel's next transfer is taken."""
    taken: dict[str, int] = {}
    cycle = 0
    while len(taken) < len(channels):
        await FallingEdge(dut.aclk)
        await ReadOnly()
        cycle += 1
        for name in channels:
            handshake = (getattr(dut, f"s_axi_{name}{end}").value for end in ("valid", "ready"))
            if all(int(level) for level in handshake):
                taken.setdefault(name, cycle)
    return taken


@cocotb.test(**LIMIT)
async def what_comes_as_it_is_cleared_stays(dut: Any) -> None:
    """A read is refused in the very cycle of the write that clears what an earlier one left."""
    bus = await device(dut)
    for cleared, value in (
        ("CAUSE", bits("CAUSE", "result_empty")),
        ("IRQ_STATUS", bits("IRQ_STATUS", "error")),
    ):
        assert await bus.refused(bus.read("RESULT")) == {"result_empty"}
        await bus.write("IRQ_STATUS", bits("IRQ_STATUS", "error"))
        with contextlib.suppress(Refused):
            await bus.read("RESULT")
        watch = cocotb.start_soon(_taken(dut, "aw", "w", "ar"))
        clearing = cocotb.start_soon(bus.write(cleared, value))
        with contextlib.suppress(Refused):
            await bus.read("RESULT")
        await clearing
        taken = await watch
        assert len(set(taken.values())) == 1, f"not in one cycle: {taken}"
        assert fields("IRQ_STATUS", await bus.read("IRQ_STATUS"))["error"]
        assert await bus.causes() == {"result_empty"}
    await bus.works()


@cocotb.test(**LIMIT)
async def a_lock_on_reading_private_keys_stays_until_reset(dut: Any) -> None:
    bus = await device(dut)
    key = Key.random(WIDTH, EXPONENT, bus.choose)
    whole, public = WORDS.key(key), WORDS.words(key.n) + WORDS.words(key.e)

    async def reads(words: list[int], enabled: int) -> None:
        assert await bus.read("READ_PRIVATE_REGWEN") == enabled
        assert await bus.ok("ReadKey") == words
        assert (await bus.state())["key"] == 2, "the key stays"

    async def zeroize() -> None:
        await bus.write("CONTROL", bits("CONTROL", "zeroize"))
        await bus.until(lambda state: not state["busy"], "the end")
        await bus.ok("LoadKey", whole)

    await bus.ok("LoadKey", whole)
    await reads(whole if READS_PRIVATE else public, READS_PRIVATE)
    # Nothing but a 0 in its own byte does anything.
    await bus.write("READ_PRIVATE_REGWEN", 0xFFFFFFFF)
    await _strobes(bus, MAP["READ_PRIVATE_REGWEN"].address, 0, 0b1110)
    await zeroize()
    await reads(whole if READS_PRIVATE else public, READS_PRIVATE)
    await bus.write("READ_PRIVATE_REGWEN", 0)
    await reads(public, 0)
    for _ in range(2):
        await bus.write("READ_PRIVATE_REGWEN", 0xFFFFFFFF)
        await reads(public, 0)
        await zeroize()
    await bus.works()
    dut.aresetn.value = 0
    await ClockCycles(dut.aclk, 2)
    dut.aresetn.value = 1
    await ClockCycles(dut.aclk, 3)
    await bus.ok("LoadKey", whole)
    await reads(whole if READS_PRIVATE else public, READS_PRIVATE)
    assert await bus.causes() == set()


@cocotb.test(**LIMIT)
async def interrupt_is_a_level(dut: Any) -> None:
    bus = await device(dut)

    async def line() -> int:
        await ClockCycles(dut.aclk, 1)
        return int(dut.irq.value)

    key = Key.random(WIDTH, EXPONENT, bus.choose)
    await bus.ok("LoadKey", WORDS.key(key))
    assert fields("IRQ_STATUS", await bus.read("IRQ_STATUS"))["done"]
    assert not await line(), "nothing is enabled"
    await bus.write("IRQ_ENABLE", bits("IRQ_ENABLE", "done"))
    assert await line()
    await bus.write("IRQ_STATUS", bits("IRQ_STATUS", "error"))
    assert await line(), "another bit was cleared"
    await bus.write("IRQ_STATUS", bits("IRQ_STATUS", "done"))
    assert not await line()
    # Operands wanted, room for them; then a result; then the end.
    await bus.write("IRQ_ENABLE", bits("IRQ_ENABLE", "operand_room"))
    assert not await line()
    await bus.write("COMMAND", command("Public"))
    assert await line()
    await bus.put(WORDS.words(7))
    assert not await line()
    await bus.write("IRQ_ENABLE", bits("IRQ_ENABLE", "result_ready"))
    await bus.until(lambda state: bool(state["result_ready"]), "a result")
    assert await line()
    await bus.write("IRQ_STATUS", bits("IRQ_STATUS", "result_ready", "operand_room"))
    assert await line(), "a level is not cleared by writing"
    result = []
    while len(result) < WORDS.full:
        if (await bus.state())["result_ready"]:
            result.append(await bus.read("RESULT"))
    assert WORDS.number(result) == pow(7, key.e, key.n)
    assert not await line()
    await bus.write("IRQ_ENABLE", bits("IRQ_ENABLE", "done"))
    await bus.until(lambda state: not state["busy"], "the end")
    assert await line()
    await bus.write("IRQ_STATUS", 0xFFFFFFFF)
    assert not await line()
    # Errors.
    await bus.write("IRQ_ENABLE", bits("IRQ_ENABLE", "error"))
    assert not await line()
    with contextlib.suppress(Refused):
        await bus.read(0xFFC)
    assert await line()
    await bus.causes()
    assert await line(), "clearing the cause does not clear the event"
    await bus.write("IRQ_STATUS", 0xFFFFFFFF)
    assert not await line()


@cocotb.test(**LIMIT)
async def zeroization_leaves_nothing(dut: Any) -> None:
    """At any moment of any job: the key is gone, FIFOs are overwritten, the next job works."""
    bus = await device(dut)
    key = Key.random(WIDTH, EXPONENT, bus.choose)
    jobs: list[tuple[str, list[int] | None]] = [
        ("Generate", None),
        ("LoadKey", WORDS.key(key)),
        ("LoadKey", WORDS.key(key)[:3]),
        ("PrivateCrt", WORDS.words(3)),
        ("Private", WORDS.words(3)),
        ("ReadKey", None),
        ("Clear", None),
    ]
    for code, words in jobs:
        for wait in (0, 3, 10, 40, bus.choose.randrange(200)) if STAND_IN else (400,):
            await bus.ok("LoadKey", WORDS.key(key))
            await bus.write("RANDOM", 0xFFFFFFFF)
            await bus.write("RANDOM", 0xFFFFFFFF)
            await bus.write("COMMAND", command(code))
            for word in (words or [])[:OPERAND_ROOM]:
                try:
                    await bus.write("OPERAND", word)
                except Refused:
                    break
            await ClockCycles(dut.aclk, wait + 1)
            await bus.write("IRQ_STATUS", 0xFFFFFFFF)
            await bus.write("CONTROL", bits("CONTROL", "zeroize"))
            state = await bus.until(lambda state: not state["busy"], "the end of zeroization")
            assert not state["key"] and not state["result_ready"] and not state["operands_wanted"]
            assert fields("IRQ_STATUS", await bus.read("IRQ_STATUS"))["done"]
            await bus.causes()
            bus.nothing_waits()
            assert await bus.job("ReadKey") == (status("NoKey"), [])
            await bus.causes()
    await bus.works()
    # Clear overwrites the FIFOs, too.
    await bus.ok("ReadKey")
    await bus.ok("Clear")
    bus.nothing_waits()


@cocotb.test(**LIMIT)
async def a_key_that_is_gone_leaves_no_words(dut: Any) -> None:
    """Neither its own nor those of jobs with it, however it goes, as soon as the job has ended."""
    bus = await device(dut)
    key = Key.random(WIDTH, EXPONENT, bus.choose)
    wrong = WORDS.key(replace(key, n=key.n - 1))
    ends: list[tuple[str, list[int] | None, str]] = [
        ("LoadKey", wrong, "BadKey"),
        ("LoadKey", WORDS.key(key)[:-1], "Length"),
        ("LoadPublic", wrong[: 2 * WORDS.full], "BadKey"),
    ]
    if STAND_IN:
        ends.append(("PrivateCrt", WORDS.words(key.n - 2), "Fault"))
    if READS_PRIVATE:
        ends.append(("Generate", None, "RandomStuck"))
    for code, words, told in ends:
        bus.trng.level = None
        await bus.ok("LoadKey", WORDS.key(key))
        await bus.ok("ReadKey")
        await bus.ok("Public", WORDS.words(3))
        await bus.write("RANDOM", 0xFFFFFFFF)
        await bus.write("RANDOM", 0xFFFFFFFF)
        bus.trng.level = 0 if told == "RandomStuck" else None
        assert await bus.job(code, words) == (status(told), [])
        assert (await bus.state())["key"] == 0
        bus.nothing_waits()
        assert await bus.causes() == {"job"}
    bus.trng.level = None
    await bus.works()


@cocotb.test(**LIMIT)
async def zeroization_keeps_off_commands_until_it_is_done(dut: Any) -> None:
    bus = await device(dut)
    for _ in range(20 if STAND_IN else 4):
        event = bus.master.init_write(
            MAP["CONTROL"].address, bits("CONTROL", "zeroize").to_bytes(4, "little")
        )
        await event.wait()
        for _ in range(bus.choose.randrange(4)):
            assert (await bus.state())["busy"] in (0, 1)
        try:
            await bus.write("COMMAND", command("ReadKey"))
        except Refused:
            assert await bus.causes() == {"command"}
        await bus.until(lambda state: not state["busy"], "the end")
        await bus.causes()
    await bus.works()


@cocotb.test(**LIMIT)
async def reset_in_mid_job(dut: Any) -> None:
    bus = await device(dut)
    for wait in (0, 1, 5, 17, 60, 150) if STAND_IN else (10, 3000):
        await bus.ok("LoadKey", WORDS.key(Key.random(WIDTH, EXPONENT, bus.choose)))
        await bus.write("IRQ_ENABLE", 0x1F)
        await bus.write("COMMAND", command("Private"))
        await bus.put(WORDS.words(3))
        await ClockCycles(dut.aclk, wait + 1)
        reading = bus.master.init_read(MAP["STATUS"].address, 4)
        await FallingEdge(dut.aclk)
        dut.aresetn.value = 0
        await ClockCycles(dut.aclk, bus.choose.choice([1, 2, 5]))
        await FallingEdge(dut.aclk)
        assert not int(dut.irq.value)
        assert not int(dut.s_axi_bvalid.value) and not int(dut.s_axi_rvalid.value)
        dut.aresetn.value = 1
        await ClockCycles(dut.aclk, 3)
        assert reading is not None
        for name in ("CAUSE", "IRQ_STATUS", "IRQ_ENABLE", "CONTROL"):
            assert await bus.read(name) == 0, name
        state = await bus.state()
        assert not any(state.values()), state
        assert await bus.job("ReadKey") == (status("NoKey"), [])
        await bus.causes()
    await bus.works()


@cocotb.test(skip=not STAND_IN, **LIMIT)
async def faults_of_the_core_are_told(dut: Any) -> None:
    bus = await device(dut)
    key = Key.random(WIDTH, EXPONENT, bus.choose)
    await bus.ok("LoadKey", WORDS.key(key))
    assert await bus.job("PrivateCrt", WORDS.words(key.n - 2)) == (status("Fault"), [])
    assert await bus.causes() == {"job"}
    assert (await bus.state())["key"] == 0
    await bus.works()
    await bus.ok("LoadKey", WORDS.key(key))
    await bus.ok("PrivateCrt", WORDS.words(key.n - 3))
    assert await bus.causes() == {"core"}
    assert (await bus.state())["core_error"]
    assert await bus.causes() == set(), "told once"
    await bus.write("CONTROL", bits("CONTROL", "zeroize"))
    state = await bus.until(lambda state: not state["busy"], "the end")
    assert not state["core_error"]
    await bus.works()
