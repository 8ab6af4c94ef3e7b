# SPDX-License-Identifier: Apache-2.0
"""A compiled core in this process: modulus loads and multiplications in, results and cycles out.

:class:`Simulator` moves data and watches the contract; it does not judge results.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from redcore.design import Design, Value, index_bits
from redcore.errors import BadInput, CheckFailed
from redcore.simulate import bulk
from redcore.simulate import compile as build
from redcore.simulate.bulk import Batch, Drawing, Numbers
from redcore.simulate.loaded import Loaded

_RESET_CYCLES = 4
_AT_ONCE = 1 << 22
"""Cycles times bits that are over in milliseconds: less than a thread is worth to wait for them."""


class _Job(ctypes.Structure):
    """As ``Job`` in driver.cpp; compared when a library is loaded."""

    _fields_ = (
        ("count", ctypes.c_uint64),
        ("a", ctypes.c_void_p),
        ("b", ctypes.c_void_p),
        ("place", ctypes.c_void_p),
        ("load_count", ctypes.c_uint64),
        ("modulus", ctypes.c_char_p),
        ("load_place", ctypes.c_void_p),
        ("load_from", ctypes.c_void_p),
        ("load_until", ctypes.c_void_p),
        ("result", ctypes.c_void_p),
        ("accepted", ctypes.c_void_p),
        ("answered", ctypes.c_void_p),
        ("loaded", ctypes.c_void_p),
        ("patience", ctypes.c_uint64),
        ("longest_stall", ctypes.c_uint64),
        ("stalls", ctypes.c_uint32),
        ("lone", ctypes.c_uint32),
        ("rests", ctypes.c_void_p),
        ("results", ctypes.c_uint64),
        ("most_in_flight", ctypes.c_uint64),
        ("cycles", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class Load:
    """A modulus on its way into place ``place``.

    It is offered once ``start`` multiplications of the batch are accepted, while operands go on; no
    more than ``until`` are offered before it is accepted. ``until == start`` holds operands back.
    """

    modulus: int
    place: int = 0
    start: int = 0
    until: int = 0


@dataclass(frozen=True)
class Run:
    """What came out of one batch. Cycles are clock edges since the simulator was made.

    ``results`` may be shorter than the batch when the core stopped answering; ``faults`` then says
    so, as it does for every other breach of the contract. ``loaded[i]`` is how many of the batch's
    loads had been accepted when multiplication i was; ``accepted`` is the edge of its first operand
    beat and ``answered`` the edge of its last result beat.
    """

    results: list[int]
    accepted: list[int]
    answered: list[int]
    loaded: list[int]
    faults: list[str] = field(default_factory=list)
    most_in_flight: int = 0
    cycles: int = 0


@dataclass(frozen=True)
class Answers:
    """What came out of one batch, as the driver gives it; ``count`` of all lists are answered."""

    count: int
    results: Numbers
    accepted: ctypes.Array[ctypes.c_uint64]
    answered: ctypes.Array[ctypes.c_uint64]
    loaded: ctypes.Array[ctypes.c_uint64]
    faults: list[str]
    most_in_flight: int
    cycles: int

    def run(self) -> Run:
        """The same in Python's numbers."""
        size, raw, count = self.results.size, memoryview(self.results.raw), self.count
        return Run(
            results=[
                int.from_bytes(raw[at : at + size], "little") for at in range(0, count * size, size)
            ],
            accepted=self.accepted[:count],
            answered=self.answered[:count],
            loaded=self.loaded[:count],
            faults=self.faults,
            most_in_flight=self.most_in_flight,
            cycles=self.cycles,
        )


def _bind(library: ctypes.CDLL) -> None:
    library.redc_set_beats.argtypes = [ctypes.c_void_p, *[ctypes.c_uint32] * 2]
    library.redc_set_modulus_beats.argtypes = [ctypes.c_void_p, *[ctypes.c_uint32] * 2]
    library.redc_set_bits.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    library.redc_tell_squares.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    library.redc_reset.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    library.redc_faults.restype = ctypes.c_char_p
    for name in ("set_beats", "set_modulus_beats", "set_bits", "tell_squares", "clear_faults"):
        getattr(library, f"redc_{name}").restype = None


def _buffer_bytes(bits: int, beats: int) -> int:
    """Bytes of a number in a buffer of the driver.

    A multiple of 8, as the driver copies whole ports; and it reads 8 from any beat on.
    """
    return -(-bits // 64) * 8 + (8 if beats > 1 else 0)


class Simulator(Loaded):
    """One core of ``design``, reset and ready; close it, or use it in a ``with`` block.

    ``seed`` decides idles, back-pressure and the registers' values before reset. ``sources``
    replaces the RTL files that the design's module needs. ``waveform`` takes a path and the first
    and end cycle to dump as VCD; this needs a separate, slower build. ``cycles`` is about how many
    are to be simulated, where that is known. The first use of a design compiles it (seconds; more
    for wide cores with many blocks), later ones take it from the cache.
    """

    def __init__(
        self,
        design: Design,
        seed: int = 1,
        sources: Sequence[Path] | None = None,
        waveform: tuple[Path, int, int] | None = None,
        cycles: int | None = None,
    ) -> None:
        self._take(design)
        geometry = self.geometry
        files = list(sources) if sources is not None else design.sources()
        path = self._library_of(files, waveform is not None, cycles)
        sizes = (geometry.word_bits, geometry.beats, self._size)
        super().__init__(path, _Job, "redc", ctypes.c_uint64(seed), *map(ctypes.c_uint32, sizes))
        _bind(self._library)
        self._tell_modulus_beats()
        if lanes := design.family.random_lanes(design.values):
            self._give_random(lanes)
        self.set_exponent_bits(design.values.get("exp_bits"))
        if waveform is not None:
            self.dump(*waveform)
        self.reset()

    def _library_of(self, files: Sequence[Path], trace: bool, cycles: int | None) -> Path:
        """The compiled core of the design."""
        design = self.design
        return build.library(
            files, design.family.module, design.rtl_parameters(), trace=trace, cycles=cycles
        )

    def _take(self, design: Design) -> None:
        """What follows from the design's sizes."""
        self.design = design
        self.geometry = geometry = design.geometry
        bits = geometry.word_bits * geometry.beats
        self.operand_bits = bits
        self._size = _buffer_bytes(bits, geometry.beats)
        self._modulus_beats = geometry.modulus_beats or geometry.beats
        self._modulus_bits = geometry.word_bits * self._modulus_beats
        self._modulus_size = _buffer_bytes(self._modulus_bits, self._modulus_beats)
        round_trip = int(
            geometry.latency_cycles + geometry.interval_cycles + geometry.beats + design.width
        )
        self._patience = 2000 + 20 * round_trip
        self.longest_stall = min(2 * int(geometry.interval_cycles) + 2, self._patience // 4)
        """Cycles that a stream rests or goes at most, of runs with stalls."""

    def go_on_as(self, design: Design) -> None:
        """Go on, without a reset, as a design of the same build: another width set at run time.

        The next modulus has to be one of that width. Raises BadInput for another build's design.
        """
        old, new = (entry.rtl_parameters() for entry in (self.design, design))
        if (design.family.name, new) != (self.design.family.name, old):
            raise BadInput(f"{design.label()} is not built as {self.design.label()} is")
        self._take(design)
        self._library.redc_set_beats(self._live(), self.geometry.beats, self._size)
        self._tell_modulus_beats()

    def _tell_modulus_beats(self) -> None:
        self._library.redc_set_modulus_beats(self._live(), self._modulus_beats, self._modulus_size)

    def set_exponent_bits(self, bits: Value | None) -> None:
        """How many bits of each exponent an exponentiator goes through from now on.

        Without effect on a core that has no port for it.
        """
        self._library.redc_set_bits(self._live(), int(bits or 0))

    def tell_squares(self, told: bool) -> None:
        """Whether a pair of equal operands is told to be a square from now on.

        At first it is not. Without effect on a core that has no port for it.
        """
        self._library.redc_tell_squares(self._live(), told)

    def reset(self) -> None:
        """Hold reset for a few cycles; all in flight is dropped, moduli must be loaded anew."""
        if self._library.redc_reset(self._live(), _RESET_CYCLES) != 0:
            raise CheckFailed("; ".join(self._faults()))

    def load_modulus(self, modulus: int, index: int = 0) -> None:
        """Load an odd modulus of at most the design's width into place ``index``."""
        self._checked(self.run([], [Load(modulus, index)]))

    def multiply(self, batch: Sequence[tuple[int, int] | tuple[int, int, int]]) -> list[int]:
        """The results, in order, of ``(a, b)`` or ``(a, b, index)``, each below bound * modulus.

        Raises CheckFailed when the core breaks the contract or stops answering.
        """
        full = [(item[0], item[1], item[2] if len(item) == 3 else 0) for item in batch]
        return self._checked(self.run(full)).results

    def run(
        self,
        batch: Sequence[tuple[int, int, int]],
        loads: Sequence[Load] = (),
        stalls: bool = False,
        lone: bool = False,
        tell: Callable[[], None] | None = None,
        rests: Sequence[int] = (),
    ) -> Run:
        """Send the batch of ``(a, b, index)`` and the loads through the core until all is answered.

        ``stalls`` adds idles and back-pressure on all three streams; ``lone`` sends each
        multiplication only when the one before is answered (after all loads). ``rests`` are the
        cycles by which each is offered later than it might be, none where there are no more.
        ``tell`` is called now and then while it runs, and may look at ``cycle``. Raises BadInput
        for an operand that does not fit the port, an index out of range (of the ports where the
        core checks its input, else of its places) or a modulus that is even, zero or too wide.
        """
        for _, _, index in batch:
            self._check_place(index)
        packed = Batch(len(batch), self._size)
        packed.a.raw[:] = self._pack([a for a, _, _ in batch]) or packed.a.raw
        packed.b.raw[:] = self._pack([b for _, b, _ in batch]) or packed.b.raw
        packed.places[: len(batch)] = [index for _, _, index in batch]
        return self.send(packed, loads, stalls, lone, tell, rests).run()

    def send(
        self,
        batch: Batch,
        loads: Sequence[Load] = (),
        stalls: bool = False,
        lone: bool = False,
        tell: Callable[[], None] | None = None,
        rests: Sequence[int] = (),
    ) -> Answers:
        """As ``run``, with a batch that has its form already, and is legal."""
        handle = self._live()
        for load in loads:
            self._check_modulus(load)
        count, total = batch.count, len(loads)
        job = _Job()
        job.count = count
        job.a, job.b = (_address(each.raw) for each in (batch.a, batch.b))
        job.place = ctypes.addressof(batch.places)
        job.load_count = total
        design = self.design
        moduli = self._pack_as(
            self._modulus_bits,
            self._modulus_size,
            (
                design.family.modulus_words(design.width, design.values, load.modulus)
                for load in loads
            ),
        )
        job.modulus = moduli
        load_place = (ctypes.c_uint32 * max(1, total))(*[load.place for load in loads])
        load_from = (ctypes.c_uint64 * max(1, total))(*[min(load.start, count) for load in loads])
        load_until = (ctypes.c_uint64 * max(1, total))(*[load.until for load in loads])
        job.load_place = ctypes.addressof(load_place)
        job.load_from = ctypes.addressof(load_from)
        job.load_until = ctypes.addressof(load_until)
        results = Numbers(count, self._size)
        job.result = _address(results.raw)
        times = [(ctypes.c_uint64 * max(1, count))() for _ in range(3)]
        job.accepted, job.answered, job.loaded = map(ctypes.addressof, times)
        job.patience = self._patience
        job.longest_stall = self.longest_stall
        job.stalls = stalls
        job.lone = lone
        resting = (ctypes.c_uint32 * count)(*rests[:count]) if rests else None
        job.rests = ctypes.addressof(resting) if resting else None
        if (count + total) * self.geometry.latency_cycles * design.width < _AT_ONCE:
            self._library.redc_run(handle, ctypes.byref(job))
        else:
            self._watched(lambda: self._library.redc_run(handle, ctypes.byref(job)), tell)
        return Answers(
            count=int(job.results),
            results=results,
            accepted=times[0],
            answered=times[1],
            loaded=times[2],
            faults=self._faults(),
            most_in_flight=int(job.most_in_flight),
            cycles=int(job.cycles),
        )

    def drawing(self, seed: int) -> Drawing:
        """Random operands for this core's places, from a seed of 64 bits."""
        return Drawing(self._library, self.geometry.moduli, self._size, seed)

    def batch(self, count: int) -> Batch:
        """Room for multiplications."""
        return Batch(count, self._size)

    def wrong(
        self, batch: Batch, answers: Answers, in_place: Sequence[int], loads: Sequence[Load]
    ) -> int | None:
        """How many answers of a multiplier are not in range or not congruent to their product.

        ``in_place`` are the moduli of the places before the batch. None where GMP cannot be asked
        in bulk.
        """
        return bulk.wrong(
            self._library, self.geometry.r_bits, self.geometry.bound, batch, answers.results,
            answers.loaded, answers.count, in_place, [(load.modulus, load.place) for load in loads],
        )  # fmt: skip

    def _pack(self, values: Iterable[int]) -> bytes:
        return self._pack_as(self.operand_bits, self._size, values)

    @staticmethod
    def _pack_as(bits: int, size: int, values: Iterable[int]) -> bytes:
        try:
            parts = [int(value).to_bytes(size, "little") for value in values]
        except OverflowError:
            raise BadInput(f"an operand is negative or wider than {bits} bits") from None
        if bits < size * 8:
            limit = 1 << bits
            for part in parts:
                if int.from_bytes(part, "little") >= limit:
                    raise BadInput(f"an operand is wider than {bits} bits")
        return b"".join(parts)

    def _check_modulus(self, load: Load) -> None:
        check_modulus(self.design, load.modulus)
        self._check_place(load.place)

    def _check_place(self, index: int) -> None:
        """A core that checks its input may be given every index that its ports can carry."""
        moduli = self.geometry.moduli
        checks = self.design.values.get("checks", 0)
        top = 1 << index_bits(moduli) if checks else moduli
        if not 0 <= index < top:
            raise BadInput(f"modulus index {index} is outside 0 to {top - 1}")

    def _faults(self) -> list[str]:
        text = self._library.redc_faults(self._live()).decode()
        self._library.redc_clear_faults(self._live())
        return [str(line) for line in text.splitlines()]

    def _checked(self, run: Run) -> Run:
        if run.faults:
            raise CheckFailed(f"{self.design.label()}: " + "; ".join(run.faults))
        return run


def _address(raw: bytearray) -> int:
    """Of a buffer that outlives its use."""
    return ctypes.addressof(ctypes.c_char.from_buffer(raw))


def check_modulus(design: Design, modulus: int) -> None:
    """Raise BadInput unless ``modulus`` is odd, positive and of at most the design's width."""
    if modulus <= 0 or modulus % 2 == 0:
        raise BadInput(f"the modulus {modulus:#x} must be odd and above zero")
    if modulus.bit_length() > design.width:
        raise BadInput(
            f"the modulus has {modulus.bit_length()} bits and the core {design.width}; "
            f"take --width {modulus.bit_length()} or more"
        )
    if reason := design.family.modulus_reason(design.width, design.values, modulus):
        raise BadInput(f"the modulus {modulus:#x} {reason}")
