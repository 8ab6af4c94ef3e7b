# SPDX-License-Identifier: Apache-2.0
"""Power traces of a unit in simulation: what toggles, cycle by cycle, and its statistics."""

from __future__ import annotations

import ctypes
import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from redcore.errors import CheckFailed
from redcore.power import mapped
from redcore.simulate import compile as build
from redcore.simulate.loaded import Loaded
from redcore.synthesize.targets import Target
from redcore.verify.leakage.statistics import Moments
from redcore.verify.leakage.subjects import Inputs, OnContract, Subject
from redcore.verify.registers import Sequential, in_simulation, sequential

DRIVER = Path(__file__).with_name("driver.cpp")
REGISTERS, NETS = "registers", "nets"
WHOLE = "all"
"""The channel that all others add up to."""
AFTER = 8
"""Samples behind the last cycle of a job."""
MOST_SAMPLES = 2_000_000
"""Of all channels together; above it, only the whole is kept."""
_CHECKED = 16
"""Answers of a run that are compared with the model's."""


class _Job(ctypes.Structure):
    """As ``Job`` in driver.cpp; compared when the library is loaded."""

    _fields_ = (
        ("count", ctypes.c_uint64),
        ("length", ctypes.c_uint64),
        ("expected", ctypes.c_uint64),
        ("a", ctypes.c_char_p),
        ("b", ctypes.c_char_p),
        ("keys", ctypes.c_char_p),
        ("classes", ctypes.c_char_p),
        ("a_bytes", ctypes.c_uint64),
        ("b_bytes", ctypes.c_uint64),
        ("key_bytes", ctypes.c_uint64),
        ("reference", ctypes.c_void_p),
        ("sums", ctypes.c_void_p),
        ("raw", ctypes.c_void_p),
        ("result", ctypes.c_void_p),
        ("answered", ctypes.c_void_p),
        ("raw_channel", ctypes.c_uint32),
        ("replay", ctypes.c_uint32),
        ("command", ctypes.c_uint32),
        ("exponent_bits", ctypes.c_uint32),
        ("counted", ctypes.c_uint64 * 2),
        ("left_out", ctypes.c_uint64 * 2),
        ("taken", ctypes.c_uint64),
        ("given", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class Signal:
    """A signal, or a bit of it, that counts: its place among all, bit or -1, channel, weight."""

    place: int
    bit: int
    channel: str
    weight: float


@dataclass(frozen=True)
class Built:
    """A compiled unit, and what of it counts."""

    library: Path
    registers: dict[str, Sequential] = field(default_factory=dict)
    """Of RTL: what keeps a value over a clock edge."""
    weights: dict[tuple[str, int], tuple[str, float]] | None = None
    """Of a netlist: weights of its nets by name and bit."""


@dataclass(frozen=True)
class Measured:
    """Of one run: moments, and of each trace its class, the values and, if wanted, samples."""

    moments: Moments
    classes: list[int]
    values: list[dict[str, int]]
    answered: list[int]
    left_out: tuple[int, int]
    taken: int
    """The cycle of the last operand."""
    given: int
    """That of the answer's first word."""
    raw: npt.NDArray[np.float32] | None = field(default=None, compare=False)


def compiled(subject: Subject, target: Target | None, folder: Path | None = None) -> Built:
    """The unit's simulation: its RTL, or mapped to the LUTs and blocks of ``target``."""
    if target is None:
        path = build.library(
            subject.sources(), subject.top, subject.parameters, driver=DRIVER, visible=True
        )
        return Built(path, sequential(subject.sources(), subject.top, subject.parameters))
    with tempfile.TemporaryDirectory(prefix="redcore-") as name:
        at = folder or Path(name)
        netlist, weights = mapped(subject.sources(), subject.top, subject.parameters, target, at)
        path = build.library([netlist], subject.top, {}, driver=DRIVER, visible=True)
    return Built(path, weights=weights)


class Traces(Loaded):
    """A unit that is set up: modulus or key are loaded."""

    def __init__(self, subject: Subject, built: Built, seed: int) -> None:
        design = subject.design
        geometry = design.geometry
        sizes = (geometry.word_bits, geometry.beats, geometry.modulus_beats or geometry.beats)
        lanes = 1
        if isinstance(subject, OnContract):
            lanes = design.family.random_lanes(design.values)
        super().__init__(
            built.library, _Job, "leakage", ctypes.c_uint64(seed),
            *map(ctypes.c_uint32, (*sizes, lanes)),
        )  # fmt: skip
        self.subject = subject
        for name in ("signals", "load", "command", "run"):
            self._function(name).restype = ctypes.c_char_p
        self.signals = self._signals(built)
        self.channels = [WHOLE, *dict.fromkeys(each.channel for each in self.signals)]
        self._choose()
        if isinstance(subject, OnContract):
            self._do("load", subject.setup)
        else:
            words = subject.setup
            self._do("command", 1, words, ctypes.c_uint64(len(words) // 4))

    def _signals(self, built: Built) -> list[Signal]:
        lines = [
            line.rsplit(" ", 3)
            for line in self._library.leakage_signals(self._live()).decode().splitlines()
        ]
        if built.weights is None:
            return _shortened(self._registers(built, lines))
        found = []
        seen: set[tuple[str, int]] = set()
        for place, (name, _, bits, _) in enumerate(lines):
            own = name.rsplit(".", 1)[1]
            for bit in range(int(bits)):
                key = own.replace("__024", "$"), bit
                if key in built.weights and key not in seen:
                    seen.add(key)
                    found.append(Signal(place, bit, *built.weights[key]))
        if len(seen) < 0.95 * len(built.weights):
            raise CheckFailed(
                f"the simulation shows {len(seen)} of {len(built.weights)} nets of the netlist"
            )
        return _shortened(found)

    def _registers(self, built: Built, lines: Sequence[Sequence[str]]) -> list[Signal]:
        """What keeps a value over a clock edge, each once."""
        shown = {name: int(elements) for name, _, _, elements in lines}
        kept = in_simulation(built.registers, self.subject.top, shown)
        found = []
        for place, (name, _, bits, _) in enumerate(lines):
            if (one := kept.get(name)) is None:
                continue
            scope = name.rsplit(".", 1)[0]
            whole = one.elements > 1 or len(one.bits) == int(bits)
            found += [Signal(place, bit, scope, 1.0) for bit in ((-1,) if whole else one.bits)]
        if not found:
            raise CheckFailed(f"{self.subject.top} has no registers to look at")
        return found

    def _choose(self) -> None:
        numbers = {name: at for at, name in enumerate(self.channels)}
        count = len(self.signals)
        self._library.leakage_choose(
            self._live(), ctypes.c_uint64(count),
            (ctypes.c_uint32 * count)(*[each.place for each in self.signals]),
            (ctypes.c_int32 * count)(*[each.bit for each in self.signals]),
            (ctypes.c_uint32 * count)(*[numbers[each.channel] for each in self.signals]),
            (ctypes.c_double * count)(*[each.weight for each in self.signals]),
            ctypes.c_uint32(len(self.channels)),
        )  # fmt: skip

    def whole_alone(self) -> None:
        """Keep the sum of all signals and none of the parts: for long jobs."""
        self.channels = [WHOLE]
        self.signals = [Signal(each.place, each.bit, WHOLE, each.weight) for each in self.signals]
        self._choose()

    def only(self, part: str) -> None:
        """Look at registers of instances with that in their names alone."""
        self.signals = [each for each in self.signals if part in each.channel]
        self.whole_alone()

    def _do(self, name: str, *given: Any) -> None:
        function, handle = self._function(name), self._live()
        fault = self._watched(lambda: function(handle, *given).decode())
        if fault:
            raise CheckFailed(f"{self.subject.design.label()}: {fault}")

    def length(self) -> tuple[int, int]:
        """Samples of a job, and the cycle of its answer; one job is done."""
        geometry = self.subject.design.geometry
        whole = max(int(geometry.latency_cycles), int(geometry.interval_cycles))
        limit = 2 * whole + 1000
        inputs, values = self.subject.draw(random.Random(0), "", False)
        done = self.run([(inputs, values, 0)], limit, moments=False)
        if not done.answered[0]:
            raise CheckFailed(f"{self.subject.design.label()} does not answer in {limit} cycles")
        # As often as a multiplier is ready, at the most: the next job meets it as the first one.
        behind = max(0, whole - int(geometry.latency_cycles)) + AFTER
        return -(-(done.answered[0] + behind) // 12) * 12, done.answered[0]

    def run(
        self,
        jobs: Sequence[tuple[Inputs, dict[str, int], int]],
        length: int,
        expected: int = 0,
        *,
        moments: bool = True,
        raw: str | None = None,
        replay: bool = False,
        tell: Callable[[], None] | None = None,
    ) -> Measured:
        """Do jobs of two classes one after another.

        Each has inputs, values and class. ``expected`` is the cycle of the answer. ``raw`` names
        a channel whose samples are kept; ``replay`` gives each job the same random bits. Raises
        CheckFailed where one of the first results is wrong, or a job takes another time than
        ``expected`` and must not.
        """
        subject, count, channels = self.subject, len(jobs), len(self.channels)
        job = _Job()
        first = jobs[0][0]
        job.count, job.length, job.expected = count, length, expected
        job.a, job.b, job.keys = (
            b"".join(part) + bytes(8)
            for part in zip(*((one.a, one.b, one.key) for one, _, _ in jobs), strict=True)
        )
        job.classes = bytes(one for _, _, one in jobs)
        job.a_bytes, job.b_bytes, job.key_bytes = len(first.a), len(first.b), len(first.key)
        reference = np.zeros((channels, length))
        sums = np.zeros((2, channels, 4, length))
        job.reference = reference.ctypes.data
        samples = None
        if moments:
            job.sums = sums.ctypes.data
        if raw is not None:
            samples = np.zeros((count, length), dtype=np.float32)
            job.raw, job.raw_channel = samples.ctypes.data, self.channels.index(raw)
        result = ctypes.create_string_buffer(count * len(first.a) + 8)
        answered = np.zeros(count, dtype=np.uint32)
        job.result, job.answered = ctypes.addressof(result), answered.ctypes.data
        job.replay, job.command = replay, subject.command
        job.exponent_bits = int(subject.design.values.get("exp_bits", 0))
        function, handle = self._function("run"), self._live()
        fault = self._watched(lambda: function(handle, ctypes.byref(job)).decode(), tell)
        if fault:
            raise CheckFailed(f"{subject.design.label()}: {fault}")
        out = (int(job.left_out[0]), int(job.left_out[1]))
        if expected and subject.same_time and any(out):
            raise CheckFailed(f"{sum(out)} of {count} jobs take another time than the others")
        size = len(first.a)
        for at in range(min(_CHECKED, count)):
            given = int.from_bytes(result.raw[at * size : (at + 1) * size], "little")
            if answered[at] and not subject.right(jobs[at][1], given):
                raise CheckFailed(f"job {at} of {subject.design.label()} is answered wrongly")
        return Measured(
            Moments.of_sums((int(job.counted[0]), int(job.counted[1])), reference, sums),
            [one for _, _, one in jobs],
            [values for _, values, _ in jobs],
            answered.tolist(),
            out,
            int(job.taken),
            int(job.given),
            samples,
        )


def _shortened(signals: list[Signal]) -> list[Signal]:
    """Channels without what the names of all begin with."""
    names = [each.channel.split(".") for each in signals]
    deep = min(map(len, names))
    same = next((at for at in range(deep) if len({parts[at] for parts in names}) > 1), 0)
    return [
        replace(each, channel=".".join(parts[same:])) if same else each
        for each, parts in zip(signals, names, strict=True)
    ]
