# SPDX-License-Identifier: Apache-2.0
"""What ``redc_rsa`` behind a bus holds once a key is forgotten: the bus keeps nothing of it, too.

Every register and every memory word of the whole top is compared by name, as in
``test_rsa_forgets.py``: one and the same whatever key there was.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from test_rsa_forgets import SMALL, State, keys, same

from redcore import rtl
from redcore.catalogue import family
from redcore.design import Value
from redcore.generate.registers import registers
from redcore.simulate import compile as build
from redcore.simulate.loaded import Loaded
from redcore.units import compose
from redcore.units.rsa import bench
from redcore.units.rsa.hosts import HOSTS
from redcore.units.rsa.model import Command, Key, Rsa, Status, to_words

pytestmark = pytest.mark.kept

DRIVER = Path(__file__).with_name("rsa_bus_driver.cpp")
NEVER = (1 << 64) - 1
DRAWN, NOTHING = 2, 3
"""What the random source gives, besides bits of one level."""
MAP = {register.name: register.address for register in registers("redc_rsa_axi")}


class _Job(ctypes.Structure):
    """As ``Job`` in rsa_bus_driver.cpp; compared when a library is loaded."""

    _fields_ = (
        ("fault_at", ctypes.c_uint64),
        ("random", ctypes.c_uint32),
        ("write", ctypes.c_uint32),
        ("address", ctypes.c_uint32),
        ("data", ctypes.c_uint32),
        ("keep", ctypes.c_uint32),
        ("answered", ctypes.c_uint32),
        ("refused", ctypes.c_uint32),
    )


class Stream(Loaded):
    """The unit behind packets."""

    def __init__(self, unit: Rsa, library: Path) -> None:
        super().__init__(library, _Job, "bus", ctypes.c_uint64(1))
        self._library.bus_access.restype = ctypes.c_char_p
        self._library.bus_state.restype = ctypes.c_char_p
        self.unit = unit
        self._job = _Job(fault_at=NEVER, random=DRAWN, keep=15)
        self.reset()

    def source(self, level: int) -> None:
        """What the random source gives from now on; what it draws, it draws from the start."""
        self._job.random = level
        self._library.bus_seed(self._live(), ctypes.c_uint64(1))

    def reset(self) -> None:
        self._library.bus_reset(self._live())

    def wait(self, cycles: int) -> None:
        self._library.bus_wait(self._live(), ctypes.byref(self._job), ctypes.c_uint64(cycles))

    def access(self, write: bool, address: int = 0, data: int = 0) -> tuple[int, bool]:
        """The data and whether it was refused, or is a packet's last word."""
        self._job.write, self._job.address, self._job.data = write, address, data
        fault = self._library.bus_access(self._live(), ctypes.byref(self._job)).decode()
        assert not fault and self._job.answered, fault or "no answer"
        return self._job.data, bool(self._job.refused)

    def job(
        self, command: Command, words: Sequence[int] = (), fault_at: int = NEVER
    ) -> tuple[Status, list[int]]:
        """A whole command: its status and its output."""
        self._job.fault_at = fault_at
        answer = self._command(command, list(words))
        self._job.fault_at = NEVER
        return answer

    def begin(self, command: Command, words: Sequence[int]) -> None:
        """A command with its operands; its answer is not awaited."""
        for left, word in zip(range(len(words), -1, -1), [command, *words], strict=True):
            self.access(True, left == 0, word)

    def _command(self, command: Command, words: list[int]) -> tuple[Status, list[int]]:
        self.begin(command, words)
        output, last = list[int](), False
        while not last:
            word, last = self.access(False)
            output.append(word)
        return Status(output[0] & 255), output[1:]

    def ok(self, command: Command, words: Sequence[int] = ()) -> list[int]:
        status, output = self.job(command, words)
        assert status is Status.OK, (command, status)
        return output

    def state(self) -> State:
        """Every register, memory and signal some cycles after the unit's last work.

        What counts how long a word has stood goes on until then.
        """
        while int(self._state()["core.rsa_bench.i_unit.i_core.busy_o"], 16):
            self.wait(200)
        self.wait(20)
        return self._state()

    def _state(self) -> State:
        lines = self._library.bus_state(self._live()).decode().splitlines()
        return dict(line.split(" ") for line in lines)


class Registers(Stream):
    """The unit behind registers, with its random bits from software."""

    def source(self, level: int) -> None:
        self._words = random.Random(1)
        self._level = level
        self._job.random = NOTHING

    def reset(self) -> None:
        super().reset()
        self.source(DRAWN)
        self._write("CONTROL", 2)

    def _read(self, name: str) -> int:
        data, refused = self.access(False, MAP[name])
        assert not refused, name
        return data

    def _write(self, name: str, data: int) -> None:
        assert not self.access(True, MAP[name], data)[1], name

    def begin(self, command: Command, words: Sequence[int]) -> None:
        self._write("COMMAND", command)
        for left, word in zip(range(len(words) - 1, -1, -1), words, strict=True):
            while not self._read("OPERAND_LEVEL") >> 16:
                self._feed()
            self._write("OPERAND" if left else "OPERAND_LAST", word)

    def _feed(self) -> None:
        """Random words where the unit waits for some."""
        if self._read("STATUS") >> 3 & 1 and self._read("RANDOM_LEVEL") >> 16:
            word = self._words.getrandbits(32)
            self._write("RANDOM", word if self._level == DRAWN else -self._level & 0xFFFFFFFF)

    def _command(self, command: Command, words: list[int]) -> tuple[Status, list[int]]:
        self.begin(command, words)
        output = list[int]()
        while (status := self._read("STATUS")) & 5:
            if status & 4:
                output.append(self._read("RESULT"))
            else:
                self._feed()
                self.wait(20)
        self._write("CAUSE", 0xFFFFFFFF)
        self._write("IRQ_STATUS", 0xFFFFFFFF)
        return Status(status >> 8 & 15), output


BUSES = {"axi": Registers, "stream": Stream}


def use(bus: Stream, key: Key | None) -> None:
    """Each operation with the key, or with one made here; it is read last."""
    if key is None:
        bus.ok(Command.GENERATE)
    else:
        bus.ok(Command.LOAD_KEY, bus.unit.key_words(key))
    for command in (Command.PUBLIC, Command.PRIVATE, Command.PRIVATE_CRT):
        bus.ok(command, to_words(12345, bus.unit.full_words))
    words = bus.ok(Command.READ_KEY)
    assert key is None or words == bus.unit.key_words(key)


def cleared(bus: Stream, key: Key | None) -> None:
    use(bus, key)
    bus.ok(Command.CLEAR)


def after_reset(bus: Stream, key: Key | None) -> None:
    use(bus, key)
    bus.reset()


def reset_midway(bus: Stream, key: Key | None) -> None:
    use(bus, key)
    bus.begin(Command.PRIVATE_CRT, to_words(5, bus.unit.full_words))
    bus.wait(500)
    bus.reset()


def after_fault(bus: Stream, key: Key | None) -> None:
    for at in range(40, 80):
        use(bus, key)
        words = to_words(5, bus.unit.full_words)
        if bus.job(Command.PRIVATE, words, fault_at=at)[0] is Status.FAULT:
            return
    raise AssertionError("no fault shows")


def after_stuck_source(bus: Stream, key: Key | None) -> None:
    use(bus, key)
    bus.source(1)
    while (status := bus.job(Command.PRIVATE, to_words(5, bus.unit.full_words))[0]) is Status.OK:
        continue
    assert status is Status.RANDOM_STUCK
    bus.source(DRAWN)


def after_bad_key(bus: Stream, key: Key | None) -> None:
    """It is refused, and what there was before goes, too."""
    use(bus, key)
    third = keys(bus.unit.width, 3)[2]
    bad = bus.unit.key_words(replace(third, n=third.n - 1))
    assert bus.job(Command.LOAD_KEY, bad)[0] is Status.BAD_KEY


def next_private(bus: Stream, key: Key | None) -> None:
    use(bus, key)
    bus.source(DRAWN)
    bus.ok(Command.LOAD_KEY, bus.unit.key_words(keys(bus.unit.width, 3)[2]))


def next_public(bus: Stream, key: Key | None) -> None:
    use(bus, key)
    third = keys(bus.unit.width, 3)[2]
    size = bus.unit.full_words
    bus.ok(Command.LOAD_PUBLIC, [*to_words(third.n, size), *to_words(third.e, size)])


def next_made(bus: Stream, key: Key | None) -> None:
    use(bus, key)
    bus.source(DRAWN)
    bus.ok(Command.GENERATE)


def zeroized(bus: Stream, key: Key | None) -> None:
    """Registers alone have it; packets have nothing like it, and are reset."""
    use(bus, key)
    if isinstance(bus, Registers):
        bus.access(True, MAP["CONTROL"], 3)
        while bus.access(False, MAP["STATUS"])[0] & 1:
            bus.wait(20)
    else:
        bus.reset()


ENDS: list[Callable[[Stream, Key | None], None]] = [
    cleared, after_reset, reset_midway, after_fault, after_stuck_source, after_bad_key,
    next_private, next_public, next_made, zeroized,
]  # fmt: skip


FOLLOWED = (after_bad_key, next_public)
"""By a key that takes no random bits."""


def forgets(
    bus: str, ends: Sequence[Callable[[Stream, Key | None], None]], replaced: Sequence[Path] = ()
) -> None:
    """Of two keys, and of one made here, nothing is left, whatever ends them."""
    design = family("csa").design(32, {"moduli": 3})
    changes: dict[str, Value] = {**SMALL, "read_private": 1, "blinding": 16}
    unit = Rsa.on(design, **changes)
    wide, context = unit.top_context(design, faults=True)
    context |= {"host": HOSTS[bus]}
    by_name = {path.name: path for path in replaced}
    files = compose.sources(bench.__package__, bench.TOP, "rsa_top.sv.j2", wide, context)
    files = [by_name.get(path.name, path) for path in files]
    library = build.library(files, bench.TOP, {}, driver=DRIVER, visible=True, cycles=0)
    one, other, _ = keys(unit.width, 3)
    for end in ends:
        states = list[State]()
        for key in (one, other, None):
            with BUSES[bus](unit, library) as driven:
                end(driven, key)
                state = driven.state()
            # The test of the random source goes on with the bits of before where a key follows.
            source = ".i_random.i_repetition." if end in FOLLOWED else "none"
            states.append({name: value for name, value in state.items() if source not in name})
        for state in states[1:]:
            same(state, states[0], f"{bus}, {end.__name__}")


@pytest.mark.parametrize("bus", ["axi", pytest.param("stream", marks=pytest.mark.full)])
def test_nothing_of_a_key_is_left(bus: str) -> None:
    forgets(bus, ENDS)


WIPES = "WipeBits'(WipeCycles);"
SEEDED = {
    after_reset: (f"wipe_left_q  <= {WIPES}", "wipe_left_q  <= '0;"),
    next_private: (f"if (replaces) wipe_left_q <= {WIPES}", ""),
    next_made: ("fifo_rst_n = rst_ni & (wipe_left_q != WipeBits'(1))", "fifo_rst_n = rst_ni"),
}


@pytest.mark.full
@pytest.mark.parametrize("end", SEEDED)
def test_what_would_be_left_is_found(
    end: Callable[[Stream, Key | None], None], tmp_path: Path
) -> None:
    text, other = SEEDED[end]
    name = "redc_rsa_axi_jobs.sv"
    source = (rtl.rtl_folder() / name).read_text(encoding="utf-8")
    assert source.count(text) == 1
    (tmp_path / name).write_text(source.replace(text, other), encoding="utf-8")
    with pytest.raises(AssertionError, match=r"differ, .*i_jobs\."):
        forgets("axi", [end], [tmp_path / name])
