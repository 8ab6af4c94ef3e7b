# SPDX-License-Identifier: Apache-2.0
"""Prime testers and generators in simulation: built, driven, their answers read."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from redcore.design import Design, index_bits
from redcore.errors import CheckFailed
from redcore.simulate import compile as build
from redcore.simulate.loaded import Loaded
from redcore.units import compose
from redcore.units.prime.model import PrimeGenerator, PrimeTester

DRIVER = Path(__file__).with_name("driver.cpp")
TOP = "prime_bench"
"""The module that puts the unit beside its exponentiator."""


class _Job(ctypes.Structure):
    """As ``Job`` in driver.cpp; compared when a library is loaded."""

    _fields_ = (
        ("count", ctypes.c_uint64),
        ("numbers", ctypes.c_char_p),
        ("results", ctypes.c_void_p),
        ("random", ctypes.c_char_p),
        ("random_count", ctypes.c_uint64),
        ("answers", ctypes.c_void_p),
        ("accepted", ctypes.c_void_p),
        ("answered", ctypes.c_void_p),
        ("patience", ctypes.c_uint64),
        ("bytes", ctypes.c_uint32),
        ("word_bits", ctypes.c_uint32),
        ("beats", ctypes.c_uint32),
        ("stalls", ctypes.c_uint32),
        ("lone", ctypes.c_uint32),
        ("err", ctypes.c_uint32),
        ("random_used", ctypes.c_uint64),
        ("done", ctypes.c_uint64),
        ("cycles", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class Answer:
    """A tester's answer to one candidate, and the cycles from its first beat to the answer."""

    prime: bool
    reason: int
    passed: int
    cycles: int


@dataclass(frozen=True)
class Found:
    """A generator's prime, its counts, and the cycles from the request to the first beat."""

    prime: int
    count: int
    tested: int
    cycles: int


def library(
    unit: PrimeTester | PrimeGenerator,
    exponentiator: Design,
    extra: Mapping[str, int] | None = None,
    replaced: Sequence[Path] = (),
    cycles: int | None = None,
    trace: bool = False,
) -> Path:
    """The compiled unit on an exponentiator.

    ``extra`` sets more of the unit's RTL parameters; ``replaced`` are files that stand in for the
    library's of the same names; ``cycles`` is about how many are to be simulated, where that is
    known; ``trace`` makes ``PrimeBench.dump`` possible.
    """
    return compiled(sources(unit, exponentiator, TOP, extra), replaced, cycles, trace)


def compiled(
    files: Sequence[Path],
    replaced: Sequence[Path] = (),
    cycles: int | None = None,
    trace: bool = False,
) -> Path:
    """The compiled simulation of these files, the top ``TOP`` last; arguments as of ``library``."""
    by_name = {path.name: path for path in replaced}
    files = [by_name.get(path.name, path) for path in files]
    return build.library(files, TOP, {}, trace=trace, driver=DRIVER, cycles=cycles)


def sources(
    unit: PrimeTester | PrimeGenerator,
    exponentiator: Design,
    module: str,
    extra: Mapping[str, int] | None = None,
) -> list[Path]:
    """The files of a unit on an exponentiator, the top ``module`` last; ``extra`` as above."""
    tests = isinstance(unit, PrimeTester)
    context = {
        "unit": "redc_prime_tester" if tests else "redc_prime_generator",
        "tests": tests,
        "settings": {**unit.rtl_parameters(), **(extra or {})},
        "word_bits": unit.word_bits,
        "length_bits": unit.width.bit_length(),
        "index_bits": index_bits(exponentiator.geometry.moduli),
        "round_bits": (unit.bases + unit.random_bases).bit_length(),
    }
    return compose.sources(__package__, module, "prime_top.sv.j2", exponentiator, context)


class PrimeBench(Loaded):
    """A tester or a generator in simulation."""

    def __init__(self, unit: PrimeTester | PrimeGenerator, library: Path, seed: int = 1) -> None:
        super().__init__(library, _Job, "prime", ctypes.c_uint64(seed))
        self._library.prime_run.restype = ctypes.c_char_p
        self.unit = unit
        self._random = random.Random(seed)
        self.reset()
        self.bits: list[int] = []
        self.err = False
        self._job = _Job()

    def reset(self) -> None:
        """Hold reset for a few cycles."""
        self._library.prime_reset(self._live())

    @property
    def cycles(self) -> int:
        """Cycles of what is going on, or was last."""
        return int(self._job.cycles)

    def run(
        self,
        numbers: Sequence[int],
        stalls: bool = False,
        lone: bool = False,
        random_bits: int = 0,
        patience: int = 1_000_000,
        tell: Callable[[], None] | None = None,
    ) -> list[Answer]:
        """The answers to the candidates, in order; ``bits`` are then the random bits taken.

        ``tell`` is called now and then meanwhile.
        """
        size = self._size()
        raw = b"".join(number.to_bytes(size, "little") for number in numbers)
        job = _Job(numbers=raw, stalls=stalls, lone=lone, patience=patience)
        answers, cycles, _ = self._run(job, len(numbers), random_bits, tell)
        return [
            Answer(bool(told & 1), told >> 8 & 0xFF, told >> 16, span)
            for told, span in zip(answers, cycles, strict=True)
        ]

    def generate(
        self,
        count: int,
        stalls: bool = False,
        random_bits: int | Sequence[int] = 100_000,
        patience: int = 1_000_000,
        tell: Callable[[], None] | None = None,
        lone: bool = True,
    ) -> list[Found]:
        """So many primes; ``bits`` are then the random bits taken. ``tell`` is as of ``run``.

        Each is asked for when the one before is there, or, not ``lone``, as soon as it is taken.
        """
        job = _Job(stalls=stalls, lone=lone, patience=patience)
        told, cycles, primes = self._run(job, count, random_bits, tell)
        return [
            Found(prime, counts & 0xFFFF, counts >> 16, span)
            for prime, counts, span in zip(primes, told, cycles, strict=True)
        ]

    def _size(self) -> int:
        return -(-self.unit.bits // 64) * 8

    def _run(
        self,
        job: _Job,
        count: int,
        random_bits: int | Sequence[int],
        tell: Callable[[], None] | None = None,
    ) -> tuple[list[int], list[int], list[int]]:
        size = self._size()
        self._job = job
        job.count, job.bytes = count, size
        job.word_bits, job.beats = self.unit.word_bits, self.unit.beats
        if isinstance(random_bits, int):
            random_bits = [self._random.getrandbits(1) for _ in range(random_bits)]
        job.random, job.random_count = bytes(random_bits), len(random_bits)
        answers = (ctypes.c_uint32 * count)()
        times = [(ctypes.c_uint64 * count)() for _ in range(2)]
        results = ctypes.create_string_buffer(count * size)
        job.answers = ctypes.addressof(answers)
        job.results = ctypes.addressof(results)
        job.accepted, job.answered = map(ctypes.addressof, times)
        handle = self._live()
        fault = self._watched(
            lambda: self._library.prime_run(handle, ctypes.byref(job)).decode(), tell
        )
        self.bits = list(random_bits[: job.random_used])
        self.err = bool(job.err)
        if fault:
            raise CheckFailed(f"{fault} after {job.done} answers")
        cycles = [last - first for first, last in zip(*times, strict=True)]
        raw = results.raw
        primes = [int.from_bytes(raw[k * size : k * size + size], "little") for k in range(count)]
        return list(answers), cycles, primes
