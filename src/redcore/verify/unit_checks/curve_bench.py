# SPDX-License-Identifier: Apache-2.0
"""A curve processor that takes any numbers, with its status and its state."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path

from redcore.design import Design
from redcore.simulate import compile as build
from redcore.simulate.loaded import Loaded
from redcore.simulate.simulator import _buffer_bytes, _Job
from redcore.units.curve.family import CurveUnit

DRIVER = Path(__file__).with_name("curve_driver.cpp")


class Status(IntEnum):
    """``status_e`` of redc_curve_pkg."""

    DONE = 0
    RANGE = 1
    ZERO = 2
    FAULT = 3


def cycles_of(one: Design, jobs: int) -> int:
    """About how many cycles jobs take, which decides how thoroughly the model is compiled."""
    return int(jobs * one.geometry.interval_cycles)


class CurveBench(Loaded):
    """One design of ``curve-...`` whose words have at most 64 bits, reset; made for about so many
    jobs."""

    def __init__(
        self,
        design: Design,
        seed: int = 1,
        sources: Sequence[Path] | None = None,
        visible: bool = False,
        jobs: int = 16,
    ) -> None:
        g = design.geometry
        self.design, self._beats, self._word = design, g.beats, g.word_bits
        unit = design.family
        assert isinstance(unit, CurveUnit)
        # Of seeded faults some make a job that never ends.
        self._patience = ctypes.c_uint64(100_000 + 10 * g.latency_cycles)
        self._number_beats = unit.multiplier_design(design.width, design.values).geometry.beats
        files = list(sources or design.sources())
        # With names a thorough compilation takes 9 s of a processor, this one 4 s.
        cycles = build.TINY_CYCLES if visible else cycles_of(design, jobs)
        path = self._library_of(files, visible, cycles)
        sizes = (g.word_bits, g.beats, _buffer_bytes(g.word_bits * g.beats, g.beats))
        super().__init__(path, _Job, "redc", ctypes.c_uint64(seed), *map(ctypes.c_uint32, sizes))
        self._library.curve_state.restype = ctypes.c_char_p
        self._library.curve_wait.restype = ctypes.c_uint64
        self._give_random(1)
        self.reset()

    def _library_of(self, files: Sequence[Path], visible: bool, cycles: int) -> Path:
        """The compiled processor of the design."""
        module = self.design.family.module
        return build.library(files, module, {}, driver=DRIVER, visible=visible, cycles=cycles)

    def reset(self) -> None:
        """Some cycles of reset."""
        self._library.redc_reset(self._live(), ctypes.c_uint32(4))

    def _words(self, numbers: Sequence[int], beats: int) -> ctypes.Array[ctypes.c_uint64]:
        mask = (1 << self._word) - 1
        every = [n >> self._word * k & mask for n in numbers for k in range(beats)]
        return (ctypes.c_uint64 * len(every))(*every)

    def give(self, operands: bool, a: Sequence[int], b: Sequence[int], most: int) -> bool:
        """Numbers on a stream, each in its words; whether all were taken."""
        beats = self._beats if operands else self._number_beats
        words, others = self._words(a, beats), self._words(b, beats)
        given = self._library.curve_give(
            self._live(), int(operands), words, others, len(words), ctypes.c_uint64(most)
        )
        return bool(given == len(words))

    def load(self, modulus: int, *constants: int) -> None:
        """A modulus and the curve's constants."""
        numbers = [modulus, *constants]
        assert self.give(False, numbers, [0] * len(numbers), 1_000_000)

    def multiply(self, u: int, scalar: int) -> tuple[Status, int]:
        """The status of a job, and what it gives."""
        assert self.give(True, [u], [scalar], self._patience.value)
        return self.take()

    def take(self) -> tuple[Status, int]:
        """The status of the job that was given, and its result."""
        words = (ctypes.c_uint64 * self._beats)()
        status = self._library.curve_take(self._live(), words, self._beats, self._patience)
        assert status >= 0
        return Status(status), sum(word << self._word * k for k, word in enumerate(words))

    def clear(self) -> None:
        """A cycle of clear_i."""
        assert self._library.curve_clear(self._live()), "the design has no clear_i"

    def cleared(
        self, u: int, scalar: int, when: int, stalls: bool = False, held: int = 0
    ) -> tuple[Status, int]:
        """Status and result of a job in which clear_i is high in cycle ``when`` from the first
        offer of its operands on. ``stalls``: offers and results pause; ``held``: results wait until
        so many cycles behind the clear."""
        words = (ctypes.c_uint64 * self._beats)()
        a, b = (self._words([each], self._beats) for each in (u, scalar))
        status = self._library.curve_cleared(
            self._live(), 1, a, b, self._beats, ctypes.c_uint64(when), int(stalls),
            ctypes.c_uint64(held), words, self._beats,
        )  # fmt: skip
        assert status >= 0, status
        return Status(status), sum(word << self._word * k for k, word in enumerate(words))

    def load_cleared(self, when: int, stalls: bool, modulus: int, *constants: int) -> None:
        """A modulus and constants, with clear_i high in cycle ``when`` from the first offer on."""
        words = self._words([modulus, *constants], self._number_beats)
        status = self._library.curve_cleared(
            self._live(), 0, words, words, len(words), ctypes.c_uint64(when), int(stalls),
            ctypes.c_uint64(0), words, 0,
        )  # fmt: skip
        assert status == 0

    def stick(self, bit: int | None) -> None:
        """The source of random bits gives that one always; None: it is alive again."""
        self._library.curve_stick(self._live(), -1 if bit is None else bit)

    def together(self, u: int, scalar: int, modulus: int, most: int) -> int:
        """Jobs taken, one behind the other, before a modulus's first word that is offered from the
        first of them on; -1 where it is not taken within ``most`` cycles. Of words of one beat."""
        given = (ctypes.c_uint64(number) for number in (u, scalar, modulus, most))
        return int(self._library.curve_together(self._live(), *given))

    def wait(self, cycles: int) -> list[int]:
        """So many cycles without an offer; the random bits that were taken meanwhile."""
        drawn = (ctypes.c_uint8 * max(1, cycles))()
        count = self._library.curve_wait(self._live(), ctypes.c_uint64(cycles), drawn)
        return list(drawn[:count])

    def stall(self) -> None:
        """Random bits come now and then, from now on."""
        self._library.curve_stall(self._live())

    @property
    def err(self) -> bool:
        """err_o."""
        return bool(self._library.curve_err(self._live()))

    def state(self) -> dict[str, str]:
        """Every register and memory word by name; of a visible build."""
        text: str = self._library.curve_state(self._live()).decode()
        return dict(line.rsplit(" ", 1) for line in text.splitlines())
