# SPDX-License-Identifier: Apache-2.0
"""cocotb tests of the packets on AXI4-Stream, driven by cocotbext-axi. Run by test_axi.py."""

from __future__ import annotations

import json
import os
import random
import re
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly, RisingEdge, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from rsa_keys import Key, RandomSource, Words, command, pauses, status

from redcore import rtl

CONFIG = json.loads(os.environ["REDCORE_BENCH"])
WIDTH: int = CONFIG["width"]
STAND_IN: bool = CONFIG["stand_in"]
EXPONENT: int = CONFIG["parameters"]["PublicExponent"]
WORDS = Words(WIDTH)
LIMIT: dict[str, Any] = {"timeout_time": 5 if STAND_IN else 40, "timeout_unit": "ms"}
"""Of each test: a bus that hangs fails, and does not hang the bench."""
PATIENCE_MS = 2 if STAND_IN else 20

_PACKAGE = (rtl.rtl_folder() / "redc_rsa_stream_pkg.sv").read_text(encoding="utf-8")
STATUS_HEADER, STATUS_KEEP = (
    int(re.search(rf"{name}\s*= 8'd(\d+)", _PACKAGE)[1]) for name in ("StatusHeader", "StatusKeep")
)
WANTED = {
    "LoadKey": 3 * WORDS.full + 5 * WORDS.half,
    "LoadPublic": 2 * WORDS.full,
    "Public": WORDS.full,
    "Private": WORDS.full,
    "PrivateCrt": WORDS.full,
}
"""Operand words, of the commands that have some."""


@dataclass(frozen=True)
class Answer:
    """A packet from the device."""

    tag: int
    status: int
    key: int
    words: list[int]


class Device:
    """Packets by command."""

    def __init__(self, dut: Any, choose: random.Random) -> None:
        self.dut = dut
        self.choose = choose
        self.trng = RandomSource(dut, choose)

    async def start(self) -> None:
        """Clock, reset, both streams, a random source."""
        dut = self.dut
        dut.aresetn.value = 0
        dut.trng_valid.value = 0
        dut.trng_data.value = 0
        dut.read_lock.value = 0
        cocotb.start_soon(Clock(dut.aclk, 10, unit="ns").start())
        reset = {"reset": dut.aresetn, "reset_active_level": False}
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.aclk, **reset)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.aclk, **reset)
        for stream in (self.source, self.sink):
            stream.log.setLevel("WARNING")
        cocotb.start_soon(self.trng.run())
        cocotb.start_soon(self._watch())
        await ClockCycles(dut.aclk, 4)
        dut.aresetn.value = 1
        await ClockCycles(dut.aclk, 4)

    async def _watch(self) -> None:
        """What is offered stays as it is until it is taken."""
        dut, held = self.dut, None
        while True:
            if held is None and not int(dut.m_axis_tvalid.value):
                await RisingEdge(dut.m_axis_tvalid)  # nothing to be seen before
            await FallingEdge(dut.aclk)
            await ReadOnly()
            if not int(dut.aresetn.value):
                held = None
                continue
            names = ("tdata", "tkeep", "tlast")
            now = tuple(int(getattr(dut, f"m_axis_{name}").value) for name in names)
            here = int(dut.m_axis_tvalid.value)
            if held is not None:
                assert here and now == held, "an offer changed before it was taken"
            if here:
                assert now[1] == 15
            held = now if here and not int(dut.m_axis_tready.value) else None

    def stall(self, on: bool) -> None:
        """Pauses on both streams, or none."""
        for number, stream in enumerate((self.source, self.sink)):
            often = self.choose.choice([0.2, 0.5, 0.8])
            stream.set_pause_generator(pauses(number, often) if on else None)
            stream.pause = False

    async def send(
        self, words: list[int], broken: set[int] | None = None, strobes: int | None = None
    ) -> None:
        """A packet; the words at the places of ``broken`` lack bytes."""
        keep = []
        for place in range(len(words)):
            mask = 15
            if place in (broken or set()):
                mask = self.choose.randrange(15) if strobes is None else strobes
            keep += [mask >> lane & 1 for lane in range(4)]
        data = b"".join(word.to_bytes(4, "little") for word in words)
        await self.source.send(AxiStreamFrame(data, tkeep=keep))

    async def answer(self) -> Answer:
        """The next packet from the device."""
        frame = await with_timeout(self.sink.recv(), PATIENCE_MS, "ms")
        data = bytes(frame.tdata)
        assert len(data) % 4 == 0
        words = [int.from_bytes(data[k : k + 4], "little") for k in range(0, len(data), 4)]
        head = words[0]
        assert head >> 10 & 0x3F == 0
        return Answer(head >> 16, head & 0xFF, head >> 8 & 3, words[1:])

    async def ask(self, code: str, words: list[int] | None = None) -> Answer:
        """A command and its answer."""
        tag = self.choose.getrandbits(16)
        await self.send([tag << 16 | command(code), *(words or [])])
        answer = await self.answer()
        assert answer.tag == tag
        return answer

    async def ok(self, code: str, words: list[int] | None = None) -> list[int]:
        """The output of a command that succeeds."""
        answer = await self.ask(code, words)
        assert answer.status == status("Ok"), f"{code}: {answer}"
        return answer.words

    async def works(self) -> Key:
        """Whatever was before, a key can be loaded and used."""
        key = Key.random(WIDTH, EXPONENT, self.choose)
        await self.ok("LoadKey", WORDS.key(key))
        x = self.choose.randrange(key.n - 3)
        right = pow(x, key.e, key.n)
        assert WORDS.number(await self.ok("Public", WORDS.words(x))) == right
        assert WORDS.number(await self.ok("PrivateCrt", WORDS.words(right))) == x
        return key


async def device(dut: Any, seed: int = 1) -> Device:
    """A device that was reset."""
    found = Device(dut, random.Random(seed))
    await found.start()
    return found


@cocotb.test(**LIMIT)
async def commands_with_stalls(dut: Any) -> None:
    bus = await device(dut)
    for stalls in (False, True):
        bus.stall(stalls)
        assert (await bus.ask("Generate")).key == 2
        key = WORDS.to_key(await bus.ok("ReadKey"))
        key.check(WIDTH, EXPONENT)
        for x in (0, 1, key.n - 1, bus.choose.randrange(key.n - 3)):
            right = pow(x, key.e, key.n)
            assert WORDS.number(await bus.ok("Public", WORDS.words(x))) == right
            assert WORDS.number(await bus.ok("Private", WORDS.words(right))) == x
            assert WORDS.number(await bus.ok("PrivateCrt", WORDS.words(right))) == x
        public = WORDS.words(key.n) + WORDS.words(key.e)
        dut.read_lock.value = 1
        assert await bus.ok("ReadKey") == public
        dut.read_lock.value = 0
        assert await bus.ok("ReadKey") == WORDS.key(key)
        assert (await bus.ask("LoadPublic", public)).key == 1
        assert await bus.ok("ReadKey") == public
        assert (await bus.ask("Private", WORDS.words(1))).status == status("NoKey")
        assert (await bus.ask("Clear")).key == 0
        assert (await bus.ask("ReadKey")).status == status("NoKey")
        await bus.works()


@cocotb.test(**LIMIT)
async def packets_may_queue_up(dut: Any) -> None:
    bus = await device(dut)
    bus.stall(True)
    key = Key.random(WIDTH, EXPONENT, bus.choose)
    numbers = [bus.choose.randrange(key.n - 3) for _ in range(6)]
    await bus.send([command("LoadKey"), *WORDS.key(key)])
    for tag, x in enumerate(numbers):
        await bus.send([tag << 16 | command("Public"), *WORDS.words(x)])
    assert (await bus.answer()).key == 2
    for tag, x in enumerate(numbers):
        answer = await bus.answer()
        assert answer.tag == tag and answer.status == 0 and answer.key == 2
        assert WORDS.number(answer.words) == pow(x, key.e, key.n)


@cocotb.test(**LIMIT)
async def malformed_packets_are_told_and_the_next_works(dut: Any) -> None:
    """Every length from none to two too many, every place of a broken word, every bad header."""
    bus = await device(dut)
    key = await bus.works()
    for stalls in (False, True) if STAND_IN else (True,):
        bus.stall(stalls)
        for code, wanted in WANTED.items():
            if stalls and code == "Private":
                continue
            good = {"LoadKey": WORDS.key(key), "LoadPublic": WORDS.key(key)[: 2 * WORDS.full]}.get(
                code, WORDS.words(3)
            )
            assert len(good) == wanted
            for length in range(wanted + 3):
                for broken in [None, *range(length + 1)]:
                    if length == wanted and broken is None:
                        continue
                    # The core takes its time to forget a key and to take another.
                    if not STAND_IN and bus.choose.random() > 0.15:
                        continue
                    words = [*good, 0, 0][:length]
                    places = set() if broken is None else {broken}
                    await bus.send([7 << 16 | command(code), *words], places)
                    answer = await bus.answer()
                    told = status("Length")
                    # Length is seen in the header already where there is no operand at all.
                    if broken is not None and (broken == 0 or length > 0):
                        told = STATUS_KEEP
                    assert answer.status == told, (code, length, broken, answer)
                    assert answer.words == [] and answer.tag == 7
                    if not answer.key:
                        await bus.ok("LoadKey", WORDS.key(key))
        for code in ("Generate", "ReadKey", "Clear"):
            for extra in (1, 2, 5):
                answer = await bus.ask(code, [0] * extra)
                assert answer.status == status("Length") and not answer.words
                assert answer.key == 2, "the command was carried out"
        for header in (8, 255, 1 << 8 | command("Clear"), 1 << 15 | command("Public")):
            for extra in (0, 1, WORDS.full, 20):
                await bus.send([header | 9 << 16, *([1] * extra)])
                assert await bus.answer() == Answer(9, STATUS_HEADER, 2, [])
        for strobes in range(15):
            await bus.send([command("Clear")], {0}, strobes)
            assert (await bus.answer()).status == STATUS_KEEP
            await bus.send([command("Public"), *WORDS.words(3)], {0}, strobes)
            assert (await bus.answer()).status == STATUS_KEEP
    await bus.works()


@cocotb.test(**LIMIT)
async def refusals_of_the_core_are_passed_on(dut: Any) -> None:
    bus = await device(dut)
    for code in ("Public", "Private", "PrivateCrt"):
        answer = await bus.ask(code, WORDS.words(3))
        assert answer.status == status("NoKey") and answer.key == 0 and not answer.words
    key = await bus.works()
    for code in ("Public", "Private", "PrivateCrt"):
        answer = await bus.ask(code, WORDS.words(key.n))
        assert answer.status == status("BadOperand") and answer.key == 2 and not answer.words
    answer = await bus.ask("LoadPublic", WORDS.words(key.n - 1) + WORDS.words(key.e))
    assert answer.status == status("BadKey") and answer.key == 0
    await bus.works()
    bus.trng.level = 0
    answer = await bus.ask("Generate")
    assert answer.status == status("RandomStuck") and answer.key == 0
    bus.trng.level = None
    await bus.works()


@cocotb.test(**LIMIT)
async def a_stalled_random_source_makes_a_packet_wait(dut: Any) -> None:
    bus = await device(dut)
    bus.trng.on = False
    await bus.send([command("Generate")])
    await with_timeout(RisingEdge(dut.trng_ready), PATIENCE_MS, "ms")
    await ClockCycles(dut.aclk, 500)
    assert bus.sink.empty() and int(dut.trng_ready.value)
    bus.trng.on = True
    assert (await bus.answer()).status == 0
    WORDS.to_key(await bus.ok("ReadKey")).check(WIDTH, EXPONENT)


@cocotb.test(**LIMIT)
async def reset_in_mid_packet(dut: Any) -> None:
    bus = await device(dut)
    for code in ("LoadKey", "Private", "ReadKey", "Generate"):
        for wait in (0, 2, 9, bus.choose.randrange(150)) if STAND_IN else (300,):
            key = await bus.works()
            words = {"LoadKey": WORDS.key(key), "Private": WORDS.words(3)}.get(code, [])
            await bus.send([command(code), *words])
            await ClockCycles(dut.aclk, wait + 1)
            dut.aresetn.value = 0
            await ClockCycles(dut.aclk, 3)
            assert not int(dut.m_axis_tvalid.value)
            bus.source.clear()
            bus.sink.clear()
            bus.sink.current_frame = None
            dut.aresetn.value = 1
            await ClockCycles(dut.aclk, 3)
            answer = await bus.ask("ReadKey")
            assert answer.status == status("NoKey") and answer.key == 0
    await bus.works()


@cocotb.test(skip=not STAND_IN, **LIMIT)
async def faults_of_the_core_are_told(dut: Any) -> None:
    bus = await device(dut)
    key = await bus.works()
    answer = await bus.ask("PrivateCrt", WORDS.words(key.n - 2))
    assert answer.status == status("Fault") and answer.key == 0 and not answer.words
    key = await bus.works()
    assert not int(dut.error.value)
    await bus.ok("PrivateCrt", WORDS.words(key.n - 3))
    assert int(dut.error.value)
