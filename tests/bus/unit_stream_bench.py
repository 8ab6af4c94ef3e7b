# SPDX-License-Identifier: Apache-2.0
"""cocotb tests of a unit on AXI4-Stream, driven by cocotbext-axi. Run by test_bus.py."""

from __future__ import annotations

import json
import os
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from rsa_keys import pauses
from unit_numbers import Numbers

from redcore.catalogue import design_of
from redcore.design import index_bits

CONFIG = json.loads(os.environ["REDCORE_BENCH"])
DESIGN = design_of(CONFIG["design"])
"""The unit, without the bus."""
GEOMETRY = DESIGN.geometry
NUMBERS = Numbers(DESIGN, CONFIG["seed"])
LIMIT: dict[str, Any] = {"timeout_time": 40, "timeout_unit": "ms"}
"""Of each test: a stream that hangs fails, and does not hang the bench."""
PATIENCE_MS = 10
EXP_BITS = int(DESIGN.values.get("exp_bits", 0))
PLACE_BITS = index_bits(GEOMETRY.moduli)
EACH = 8 * -(-GEOMETRY.word_bits // 8)
"""Bits of a word in whole bytes."""
SOURCES = ("s_axis_mod", "s_axis_op") if NUMBERS.modular else ("s_axis",)
Job = tuple[int, int, int]
"""Two operands and the modulus."""


class Device:
    """Frames of whole numbers, a word a beat."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.choose = NUMBERS.choose
        self.choose.seed(CONFIG["seed"])

    async def start(self) -> None:
        """Clock, reset, the streams, and the watch on what comes out."""
        dut = self.dut
        dut.rst_n.value = 0
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        with_reset = {"reset": dut.rst_n, "reset_active_level": False, "byte_lanes": 1}
        self.modulus, *_, self.operands = (
            AxiStreamSource(AxiStreamBus.from_prefix(dut, name), dut.clk, **with_reset)
            for name in (SOURCES[0], SOURCES[-1])
        )
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, **with_reset)
        self.streams = [self.modulus, self.operands, self.sink][not NUMBERS.modular :]
        for stream in self.streams:
            stream.log.setLevel("WARNING")
        cocotb.start_soon(self._watch())
        await self.reset()

    async def reset(self) -> None:
        """By the port; what was queued up and half received is dropped."""
        dut = self.dut
        dut.rst_n.value = 0
        await ClockCycles(dut.clk, 3)
        assert not int(dut.m_axis_tvalid.value) and not int(dut.err.value)
        for stream in self.streams:
            stream.clear()
        self.sink.current_frame = None
        dut.rst_n.value = 1
        await ClockCycles(dut.clk, 3)

    async def _watch(self) -> None:
        """What is offered stays as it is until it is taken; bits above the word are 0."""
        dut, held = self.dut, None
        while True:
            await FallingEdge(dut.clk)
            await ReadOnly()
            now = (int(dut.m_axis_tdata.value), int(dut.m_axis_tlast.value))
            if DESIGN.family.status_bits:
                now += (int(dut.m_axis_tuser.value),)
            here = int(dut.m_axis_tvalid.value)
            if not int(dut.rst_n.value):
                held = None
                continue
            assert held is None or (here and held == now), "an offer changed before it was taken"
            if here:
                assert NUMBERS.tests or not now[0] >> GEOMETRY.word_bits
            held = now if here and not int(dut.m_axis_tready.value) else None

    def stall(self, on: bool) -> None:
        """Pauses on all streams, or none."""
        for number, stream in enumerate(self.streams):
            often = self.choose.choice([0.2, 0.5, 0.8])
            stream.set_pause_generator(pauses(number, often) if on else None)
            stream.pause = False

    def words(self, number: int, beats: int = GEOMETRY.beats) -> list[int]:
        """Its words; what is above a word in the last byte is not looked at."""
        bits = GEOMETRY.word_bits
        beside = self.choose.getrandbits(EACH - bits) << bits if bits < EACH else 0
        return [number >> bits * k & (1 << bits) - 1 | beside for k in range(beats)]

    async def load(self, modulus: int, place: int = 0) -> None:
        given = DESIGN.family.modulus_words(DESIGN.width, DESIGN.values, modulus)
        words = self.words(given, GEOMETRY.modulus_beats or GEOMETRY.beats)
        await self.modulus.send(AxiStreamFrame(words, tuser=place))

    async def give(self, a: int, b: int, place: int = 0, length: int = EXP_BITS) -> None:
        """Operands, or the one that there is."""
        if NUMBERS.modular:
            pairs = zip(self.words(a), self.words(b), strict=True)
            frame = AxiStreamFrame(
                [low | high << EACH for low, high in pairs], tuser=place | length << PLACE_BITS
            )
        else:
            frame = AxiStreamFrame([a & 0xFF] if NUMBERS.finds else self.words(a))
        await self.operands.send(frame)

    async def result(self) -> int:
        return (await self.told())[1]

    async def told(self) -> tuple[int, int]:
        """The status that comes with a result's last word, and the result: one frame, of as many
        words as a result has."""
        frame = await with_timeout(self.sink.recv(), PATIENCE_MS, "ms")
        assert len(frame.tdata) == (1 if NUMBERS.tests else GEOMETRY.beats)
        status = frame.tuser
        if isinstance(status, list):
            status = status[-1]
        found = sum(word << GEOMETRY.word_bits * k for k, word in enumerate(frame.tdata))
        return int(status or 0), found

    async def job(self) -> Job:
        """A modulus and operands for it, given; what they are."""
        modulus = NUMBERS.modulus()
        if NUMBERS.modular:
            await self.load(modulus)
            # The streams are apart: operands are held back until theirs is loaded.
            await self.modulus.wait()
        a, b = NUMBERS.operands(modulus)
        await self.give(a, b)
        return a, b, modulus

    async def works(self) -> None:
        job = await self.job()
        NUMBERS.right(await self.result(), *job)
        assert not int(self.dut.err.value)


async def device(dut: Any) -> Device:
    made = Device(dut)
    await made.start()
    return made


@cocotb.test(**LIMIT)
async def jobs_with_and_without_pauses(dut: Any) -> None:
    """Operands queued up behind a modulus: results in order, none lost, whole frames."""
    bus = await device(dut)
    for stalled in (False, True, True):
        bus.stall(stalled)
        jobs = [await bus.job()]
        for _ in range(4):
            a, b = NUMBERS.operands(jobs[0][2])
            await bus.give(a, b)
            jobs.append((a, b, jobs[0][2]))
        for job in jobs:
            NUMBERS.right(await bus.result(), *job)
        await ClockCycles(dut.clk, 50)
        assert bus.sink.empty(), "a frame that nobody asked for"
    assert not int(dut.err.value)


@cocotb.test(skip=not DESIGN.family.status_bits, **LIMIT)
async def a_refused_job_says_why(dut: Any) -> None:
    """Of each kind, between jobs that are done and wait, too: in order."""
    bus = await device(dut)
    for stalled in (False, True):
        bus.stall(stalled)
        for given, jobs in NUMBERS.refusals():
            beats = GEOMETRY.modulus_beats or GEOMETRY.beats
            await bus.modulus.send(AxiStreamFrame(bus.words(given, beats), tuser=0))
            await bus.modulus.wait()
            for a, b, *_ in jobs:
                await bus.give(a, b)
            for *_, right, status in jobs:
                assert await bus.told() == (status, right)
        await bus.reset()
        await bus.works()


@cocotb.test(skip=GEOMETRY.moduli == 1, **LIMIT)
async def places_hold_moduli_each(dut: Any) -> None:
    bus = await device(dut)
    bus.stall(True)
    moduli = [NUMBERS.modulus() for _ in range(GEOMETRY.moduli)]
    for place, modulus in enumerate(moduli):
        await bus.load(modulus, place)
    await bus.modulus.wait()
    for place in (1, 0, *range(GEOMETRY.moduli)):
        a, b = NUMBERS.operands(moduli[place])
        await bus.give(a, b, place)
        NUMBERS.right(await bus.result(), a, b, moduli[place])


@cocotb.test(skip=EXP_BITS == 0, **LIMIT)
async def length_is_how_far_an_exponent_goes(dut: Any) -> None:
    bus = await device(dut)
    modulus = NUMBERS.modulus()
    await bus.load(modulus)
    await bus.modulus.wait()
    for length in (1, EXP_BITS // 2, EXP_BITS):
        a, b = NUMBERS.operands(modulus)
        await bus.give(a, b, 0, length)
        assert await bus.result() == pow(a, b & (1 << length) - 1, modulus)


@cocotb.test(skip=not NUMBERS.modular, **LIMIT)
async def illegal_numbers_end_and_a_reset_forgets_them(dut: Any) -> None:
    """An even modulus, and operands that are too large: an answer comes, ``err`` where it is
    checked, and all is as it was after a reset."""
    bus = await device(dut)
    bus.stall(True)
    every = (1 << GEOMETRY.word_bits * GEOMETRY.beats) - 1
    for even in (True, False):
        modulus = NUMBERS.modulus() & ~even
        await bus.load(modulus)
        await bus.modulus.wait()
        a, b = (1, 1) if even else (every, every)
        await bus.give(a, b)
        await bus.result()
        if DESIGN.values.get("checks"):
            assert int(dut.err.value)
        await bus.reset()
        await bus.works()


@cocotb.test(**LIMIT)
async def reset_at_any_moment(dut: Any) -> None:
    """In the middle of a frame and of a job: nothing of it is left."""
    bus = await device(dut)
    for wait in (0, 1, 2, 5, 40, bus.choose.randrange(400)):
        bus.stall(bool(wait % 2))
        await bus.job()
        await bus.give(*NUMBERS.operands(3))
        await ClockCycles(dut.clk, wait + 1)
        await bus.reset()
        await bus.works()
    await ClockCycles(dut.clk, 50)
    assert bus.sink.empty()
