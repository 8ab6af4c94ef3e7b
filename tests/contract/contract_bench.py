# SPDX-License-Identifier: Apache-2.0
"""cocotb tests of the multiplier contract, for any design of any family.

Run by test_contract.py, never by pytest itself. The design comes in the environment variable
REDCORE_BENCH as JSON; nothing here knows a family but through its geometry and golden model.
"""

from __future__ import annotations

import importlib
import json
import os
import random
from collections import deque
from collections.abc import Callable
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from redcore.catalogue import family
from redcore.design import Design, Family

CONFIG = json.loads(os.environ["REDCORE_BENCH"])


def _family() -> Family:
    """A registered family, or one of the tests' own by module and class."""
    if "class" in CONFIG:
        module, name = CONFIG["class"].split(":")
        found: Family = getattr(importlib.import_module(module), name)()
        return found
    return family(CONFIG["family"])


DESIGN: Design = _family().design(CONFIG["width"], CONFIG["settings"])
GEOMETRY = DESIGN.geometry
OWN = DESIGN.family.known_moduli(DESIGN.width, DESIGN.values)
ONE = OWN[0] if DESIGN.family.one_modulus else 0
"""The modulus that the core is built for; 0 where it takes every odd one."""
TOP = ONE or (1 << DESIGN.width) - 1


def modulus_below_top(less: int) -> int:
    """So much less than the greatest modulus, where there is more than one."""
    return ONE or TOP - less


ABSENT = range(GEOMETRY.moduli, 1 << max(1, (GEOMETRY.moduli - 1).bit_length()))
"""Places that an index can name and that are not there."""
NO_MODULUS = 0
"""Stands for the modulus of such a place."""


# From reset to a result at the latest, with room for loads that derive constants from m.
PATIENCE = 400 + 20 * (GEOMETRY.latency_cycles + DESIGN.width + GEOMETRY.beats)


def real(place: int) -> int:
    """The place that is meant: a core with a single one does not look at the index."""
    return place if GEOMETRY.moduli > 1 else 0


def words(value: int) -> list[int]:
    """An operand's beats, least significant first."""
    mask = (1 << GEOMETRY.word_bits) - 1
    return [value >> (GEOMETRY.word_bits * beat) & mask for beat in range(GEOMETRY.beats)]


class Bench:
    """Drives all three streams one clock cycle at a time and watches what must always hold.

    ``go_operand``, ``go_modulus`` and ``go_result`` decide each cycle whether a stream may start a
    beat, or take one. ``expected`` holds the results due, filled as operands are accepted with the
    modulus in force then.
    """

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.operands: deque[tuple[int, int, int]] = deque()
        self.moduli: deque[tuple[int, int]] = deque()
        self.go_operand: Callable[[], bool] = lambda: True
        self.go_modulus: Callable[[], bool] = lambda: True
        self.go_result: Callable[[], bool] = lambda: True
        self.in_force: dict[int, int] = {}
        self.judge = True
        self.clear()
        self.cycles = 0

    def clear(self) -> None:
        """Forget all that is under way, as reset makes the core do."""
        self.modulus_used = 0
        self.in_beat = self.mod_beat = self.out_beat = 0
        self.in_valid = self.mod_valid = False
        self.held: tuple[int, int] | None = None
        self.expected: deque[int] = deque()
        self.due: deque[tuple[int, int, int]] = deque()
        self.partial: list[int] = []
        self.answered = self.accepted = self.loaded = 0
        self.results: list[int] = []

    async def start(self) -> None:
        """Clock and first reset."""
        cocotb.start_soon(Clock(self.dut.clk_i, 10, unit="ns").start())
        await FallingEdge(self.dut.clk_i)
        await self.reset()

    async def reset(self, cycles: int = 3) -> None:
        """Reset with all streams quiet; the caller decides what stays in the queues."""
        dut = self.dut
        dut.rst_ni.value = 0
        for name in ("mod_valid_i", "in_valid_i", "out_ready_i", "mod_last_i", "in_last_i"):
            getattr(dut, name).value = 0
        for name in ("mod_data_i", "mod_idx_i", "a_i", "b_i", "in_idx_i"):
            getattr(dut, name).value = 0
        for _ in range(cycles):
            await FallingEdge(dut.clk_i)
        dut.rst_ni.value = 1
        self.clear()

    @property
    def in_flight(self) -> int:
        """Multiplications whose first beat is accepted and whose last result beat is not taken."""
        return self.accepted + (self.in_beat > 0) - self.answered

    def error(self) -> bool:
        """The level of err_o."""
        return bool(int(self.dut.err_o.value))

    async def cycle(self) -> None:
        """One clock cycle; starts and ends at a falling edge."""
        dut = self.dut
        last_beat = GEOMETRY.beats - 1
        if not self.in_valid and self.operands and self.go_operand():
            a, b, place = self.operands[0]
            dut.a_i.value = words(a)[self.in_beat]
            dut.b_i.value = words(b)[self.in_beat]
            dut.in_idx_i.value = place
            dut.in_last_i.value = int(self.in_beat == last_beat)
            self.in_valid = True
        if not self.mod_valid and self.moduli and self.go_modulus():
            modulus, place = self.moduli[0]
            dut.mod_data_i.value = words(modulus)[self.mod_beat]
            dut.mod_idx_i.value = place
            dut.mod_last_i.value = int(self.mod_beat == last_beat)
            self.mod_valid = True
        ready = self.go_result()
        dut.in_valid_i.value = int(self.in_valid)
        dut.mod_valid_i.value = int(self.mod_valid)
        dut.out_ready_i.value = int(ready)
        await ReadOnly()
        in_fire = self.in_valid and bool(int(dut.in_ready_o.value))
        mod_fire = self.mod_valid and bool(int(dut.mod_ready_o.value))
        out_valid = bool(int(dut.out_valid_o.value))
        out = (int(dut.p_o.value), int(dut.out_last_o.value)) if out_valid else None
        if self.held is not None:
            assert out_valid, "out_valid_o fell before the result was taken"
            assert out == self.held, "p_o or out_last_o changed before the result was taken"
        self.held = out if not ready else None
        # An operand accepted in the same cycle as a modulus still goes with the one before.
        if in_fire:
            self._operand_taken()
        if mod_fire:
            self._modulus_taken()
        if out is not None and ready:
            self._result_taken(*out)
        self.cycles += 1
        await FallingEdge(dut.clk_i)

    def _modulus_taken(self) -> None:
        modulus, place = self.moduli[0]
        self.mod_valid = False
        self.mod_beat += 1
        if self.mod_beat == GEOMETRY.beats:
            self.mod_beat = 0
            self.moduli.popleft()
            if real(place) not in ABSENT:
                self.in_force[real(place)] = modulus
            self.loaded += 1

    def _operand_taken(self) -> None:
        a, b, place = self.operands[0]
        if self.in_beat == 0:
            self.modulus_used = self.in_force.get(real(place), NO_MODULUS)
        self.in_valid = False
        self.in_beat += 1
        if self.in_beat == GEOMETRY.beats:
            self.in_beat = 0
            self.operands.popleft()
            self.accepted += 1
            used = self.modulus_used
            self.due.append((a, b, used))
            judged = self.judge and used != NO_MODULUS
            self.expected.append(DESIGN.product(a, b, used) if judged else -1)

    def _result_taken(self, word: int, last: int) -> None:
        assert self.due, "a result came that no multiplication asked for"
        self.partial.append(word)
        assert last == int(len(self.partial) == GEOMETRY.beats), "out_last_o is on the wrong beat"
        if len(self.partial) == GEOMETRY.beats:
            value = sum(part << (GEOMETRY.word_bits * i) for i, part in enumerate(self.partial))
            self.partial = []
            a, b, modulus = self.due.popleft()
            due = self.expected.popleft()
            self.answered += 1
            self.results.append(value)
            if due >= 0:
                assert value == due, (
                    f"a={a:#x} b={b:#x} m={modulus:#x}: {value:#x}, expected {due:#x}"
                )

    async def until(self, done: Callable[[], bool], what: str, limit: int = PATIENCE) -> None:
        """Cycles until ``done()``; fails naming ``what`` when ``limit`` cycles are not enough."""
        for _ in range(limit):
            if done():
                return
            await self.cycle()
        assert done(), f"{what} did not happen within {limit} cycles"

    async def drain(self) -> None:
        """Until everything offered is accepted and answered."""
        while self.operands or self.moduli or self.due:
            state = (len(self.operands), len(self.moduli), self.answered)
            await self.until(
                lambda state=state: (len(self.operands), len(self.moduli), self.answered) != state,
                f"the next handshake ({self.in_flight} in flight)",
            )

    async def load(self, modulus: int, place: int = 0) -> None:
        """Load a modulus, alone."""
        self.moduli.append((modulus, place))
        await self.drain()


def operand(choose: random.Random, modulus: int) -> int:
    """Below bound * modulus, often at an edge."""
    limit = GEOMETRY.bound * modulus
    return choose.choice(
        [0, 1 % limit, modulus - 1, limit - 1, *(choose.randrange(limit) for _ in range(8))]
    )


def burst(choose: random.Random, longest: int) -> Callable[[], bool]:
    """Go and stop in runs of random length."""
    state = {"left": 0, "go": False}

    def step() -> bool:
        if not state["left"]:
            state["go"] = not state["go"]
            state["left"] = choose.choice([1, 1, 2, 3, choose.randint(1, longest)])
        state["left"] -= 1
        return bool(state["go"])

    return step


async def ready_bench(dut: Any, moduli: list[int] | None = None) -> Bench:
    """A bench with a modulus in every place."""
    bench = Bench(dut)
    await bench.start()
    for place in range(GEOMETRY.moduli):
        await bench.load(
            (moduli or [modulus_below_top(2 * place)])[place % len(moduli or [0])], place
        )
    return bench


@cocotb.test()
async def results_come_in_order_under_stalls_and_idles(dut: Any) -> None:
    choose = random.Random(1)
    bench = await ready_bench(dut)
    longest = int(2 * GEOMETRY.interval_cycles) + 2
    for kind in range(6):
        bench.go_operand = burst(choose, longest) if kind & 1 else lambda: True
        bench.go_result = burst(choose, longest) if kind & 2 else lambda: True
        bench.go_modulus = burst(choose, 4)
        count = 3 * GEOMETRY.slots + 8
        for _ in range(count):
            place = choose.randrange(GEOMETRY.moduli)
            modulus = bench.in_force[place]
            bench.operands.append((operand(choose, modulus), operand(choose, modulus), place))
        before = bench.answered
        await bench.drain()
        assert bench.answered - before == count
        place = choose.randrange(GEOMETRY.moduli)
        await bench.load(ONE or choose.randrange(1, TOP + 1, 2), place)


@cocotb.test()
async def results_wait_for_ready(dut: Any) -> None:
    choose = random.Random(2)
    bench = await ready_bench(dut)
    bench.go_result = lambda: False
    for _ in range(4 * GEOMETRY.slots + 8):
        bench.operands.append((operand(choose, TOP), operand(choose, bench.in_force[0]), 0))
    bench.operands = deque(
        (a % (GEOMETRY.bound * bench.in_force[0]), b, place) for a, b, place in bench.operands
    )
    hold = 3 * GEOMETRY.latency_cycles + int(GEOMETRY.interval_cycles * GEOMETRY.slots) + 20
    await bench.until(lambda: bench.held is not None, "the first result")
    for _ in range(hold):
        await bench.cycle()
    assert bench.answered == 0
    full = bench.accepted
    for _ in range(hold):
        await bench.cycle()
    assert bench.accepted == full, "operands went on into a core whose results are not taken"
    bench.go_result = lambda: True
    await bench.drain()


@cocotb.test()
async def a_waiting_modulus_leaves_accepted_multiplications_alone(dut: Any) -> None:
    """It waits and stops the operands while the results that came before cannot leave, or is taken
    at once by a core whose multiplications take their modulus along: the results tell."""
    choose = random.Random(3)
    smaller = modulus_below_top(2 * GEOMETRY.moduli + 4)
    bench = await ready_bench(dut)
    for place in range(GEOMETRY.moduli):
        # Below the smaller modulus, so that each operand is legal before and after the change.
        for _ in range(3 * GEOMETRY.slots + 6):
            bench.operands.append((operand(choose, smaller), operand(choose, smaller), place))
        bench.go_result = lambda: False
        start = bench.accepted
        await bench.until(
            lambda start=start: bench.accepted > start and not bench.in_beat, "an operand"
        )
        loads = bench.loaded
        bench.moduli.append((smaller, place))
        for _ in range(GEOMETRY.latency_cycles + 8):
            await bench.cycle()
        waiting = bench.accepted
        for _ in range(2 * GEOMETRY.latency_cycles + int(2 * GEOMETRY.interval_cycles) + 8):
            await bench.cycle()
        if bench.loaded == loads:
            assert bench.accepted == waiting, "a waiting modulus must stop operands"
        bench.go_result = lambda: True
        await bench.drain()
        assert bench.in_force[place] == smaller


@cocotb.test()
async def a_modulus_is_accepted_though_operands_keep_coming(dut: Any) -> None:
    choose = random.Random(4)
    smaller = modulus_below_top(2 * GEOMETRY.moduli + 4)
    bench = await ready_bench(dut)

    def feed() -> bool:
        while len(bench.operands) < 4:
            place = choose.randrange(GEOMETRY.moduli)
            bench.operands.append((operand(choose, smaller), operand(choose, smaller), place))
        return True

    feed()
    bench.go_operand = feed
    for change in range(6):
        target = bench.accepted + choose.randint(1, 2 * GEOMETRY.slots + 2)
        await bench.until(
            lambda target=target: bench.accepted >= target,
            "operands",
            PATIENCE * (GEOMETRY.slots + 1),
        )
        loads = bench.loaded
        bench.moduli.append((smaller if change % 2 else TOP, change % GEOMETRY.moduli))
        limit = (
            3 * GEOMETRY.latency_cycles
            + int(3 * GEOMETRY.slots * GEOMETRY.interval_cycles)
            + 8 * GEOMETRY.beats
            + 8 * DESIGN.width
        )
        await bench.until(
            lambda loads=loads: bench.loaded > loads, "the modulus being accepted", limit
        )
    bench.go_operand = lambda: True
    await bench.drain()


@cocotb.test()
async def reset_in_flight_drops_everything(dut: Any) -> None:
    choose = random.Random(5)
    bench = await ready_bench(dut)
    span = GEOMETRY.latency_cycles + int(GEOMETRY.slots * GEOMETRY.interval_cycles)
    for attempt in range(8):
        bench.go_result = (lambda: True) if attempt % 2 else (lambda: False)
        for _ in range(2 * GEOMETRY.slots + 2):
            modulus = bench.in_force[0]
            bench.operands.append((operand(choose, modulus), operand(choose, modulus), 0))
        start = bench.accepted
        await bench.until(lambda start=start: bench.accepted > start, "an operand")
        for _ in range(choose.randint(0, span)):
            await bench.cycle()
        if attempt % 3 == 2:
            bench.moduli.append((modulus_below_top(2), 0))
            await bench.cycle()
        bench.operands.clear()
        bench.moduli.clear()
        await bench.reset(choose.randint(1, 3))
        assert not bench.error()
        bench.go_result = lambda: True
        for _ in range(2 * span + 8):
            await bench.cycle()  # any result now fails: none is due
        modulus = ONE or choose.randrange(1, TOP + 1, 2)
        for place in range(GEOMETRY.moduli):
            await bench.load(modulus, place)
        for _ in range(GEOMETRY.slots + 2):
            place = choose.randrange(GEOMETRY.moduli)
            bench.operands.append((operand(choose, modulus), operand(choose, modulus), place))
        await bench.drain()


@cocotb.test(skip=not CONFIG["checks"])
async def illegal_input_raises_a_sticky_error_and_never_hangs(dut: Any) -> None:
    choose = random.Random(6)
    modulus = modulus_below_top(2)
    limit = GEOMETRY.bound * modulus
    bench = await ready_bench(dut, [modulus])
    settle = 2 * GEOMETRY.latency_cycles + 2 * DESIGN.width + 16

    async def legal() -> None:
        for _ in range(GEOMETRY.slots + 2):
            bench.operands.append((operand(choose, modulus), operand(choose, modulus), 0))
        await bench.drain()

    for _ in range(3):
        await legal()
    bench.operands.append((limit - 1, limit - 1, 0))
    await bench.drain()
    for _ in range(settle):
        await bench.cycle()
    assert not bench.error(), "err_o rose though everything was legal"
    wrong: list[tuple[str, tuple[int, int] | None, int | None]] = [
        ("a = limit", (limit, 0), None),
        ("b = limit", (0, limit), None),
        ("an even modulus", None, modulus - 1),
        ("a zero modulus", None, 0),
    ]
    if ONE:
        other = ONE ^ (1 << DESIGN.width // 2)
        wrong += [("another modulus", None, ONE - 2), ("another word", None, other)]
    for name, pair, bad in wrong:
        bench.judge = False
        if pair is not None:
            bench.operands.append((*pair, 0))
        if bad is not None:
            bench.moduli.append((bad, 0))
        await bench.drain()
        for _ in range(settle):
            await bench.cycle()
        assert bench.error(), f"{name} did not raise err_o"
        await legal()  # whatever the values, every one is answered
        assert bench.error(), f"err_o after {name} did not stay"
        bench.judge = True
        await bench.reset()
        for _ in range(4):
            await bench.cycle()
        assert not bench.error(), "reset did not clear err_o"
        for place in range(GEOMETRY.moduli):
            await bench.load(modulus, place)
        await legal()
        assert not bench.error()


@cocotb.test(skip=not CONFIG["checks"] or not ABSENT)
async def an_absent_place_raises_a_sticky_error_and_leaves_the_others_alone(dut: Any) -> None:
    choose = random.Random(7)
    moduli = [modulus_below_top(2 * place) for place in range(GEOMETRY.moduli)]
    smallest = modulus_below_top(2 * GEOMETRY.moduli + 4)
    bench = await ready_bench(dut, moduli)
    settle = 2 * GEOMETRY.latency_cycles + 2 * DESIGN.width + 16

    async def legal() -> None:
        # Below every modulus, whichever a place holds.
        for place in (*range(GEOMETRY.moduli),) * 2:
            bench.operands.append((operand(choose, smallest), operand(choose, smallest), place))
        await bench.drain()

    for absent in (ABSENT[0], ABSENT[-1]):
        for stream in ("operands", "modulus"):
            await legal()
            assert not bench.error()
            if stream == "operands":
                bench.operands.append((2, 3, absent))
            else:
                bench.moduli.append((smallest, absent))
            await legal()
            for _ in range(settle):
                await bench.cycle()
            assert bench.error(), f"place {absent} of the {stream} did not raise err_o"
            await legal()  # each of the others has the modulus that it had
            assert bench.error(), f"err_o after place {absent} of the {stream} did not stay"
            await bench.reset()
            # A place that is not there is no modulus to go on with; the first real one is.
            bench.moduli.append((smallest, absent))
            for place, modulus in reversed([*enumerate(moduli)]):
                bench.moduli.append((modulus, place))
            await bench.until(lambda: not bench.moduli, "moduli being accepted")
            bench.operands.append((2, 3, absent))
            await legal()
            assert bench.error()
            await bench.reset()
            for place, modulus in enumerate(moduli):
                await bench.load(modulus, place)
