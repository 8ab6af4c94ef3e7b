# SPDX-License-Identifier: Apache-2.0
"""A unit behind registers in a bundle: what goes through the bus, and comes back, is checked."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import Any

from redcore import driver, rtl
from redcore.bundle import vectors as bench_vectors
from redcore.design import Design
from redcore.driver import Modular
from redcore.driver.registers import words_of
from redcore.emulate import Simulated
from redcore.errors import BadInput
from redcore.face import CHECK_STAGE, Face, counted
from redcore.moduli import NamedModulus
from redcore.ports import Port
from redcore.progress import Staged
from redcore.simulate import default_moduli
from redcore.units.buses import REGISTER_BUSES
from redcore.units.hosted import Hosted, host_words

_END = 0x454E4421
_MODULUS, _JOB = 1, 2
_CYCLES = 400_000
"""Of the bench's jobs, about."""
_MOST_JOBS = 24


class HostedFace(Face):
    """Ports, bench and check of a design behind registers."""

    bench_template = "hosted_testbench.sv.j2"
    exact_cycles = None
    constant_time = None

    def __init__(self, design: Design, modulus: NamedModulus | None, seed: int) -> None:
        """Raise BadInput where the design has no registers."""
        super().__init__(design, modulus, seed)
        assert isinstance(design.family, Hosted)
        self.family = design.family
        self.bus = str(design.values["bus"])
        if self.bus not in REGISTER_BUSES:
            raise BadInput(
                f"bus={self.bus} has no bundle: its ports are the unit's streams under other names;"
                f" take bus=none, or registers: {', '.join(REGISTER_BUSES)}"
            )
        self.unit = self.family.single(design.width, design.values)

    @property
    def ports(self) -> list[Port]:
        return self.family.ports(self.design.width, self.design.values)

    @property
    def header(self) -> list[str]:
        title = REGISTER_BUSES[self.bus].title
        return [
            f"Contract  registers of rtl/redc_host.sv on {title}; {self.summary[0]}",
            "Timing    that of the unit; no access waits for it.",
            "Leakage   that of the unit.",
        ]

    @property
    def summary(self) -> list[str]:
        """The formula, and how numbers travel."""
        g = self.unit.geometry
        formula = self.unit.family.formula(self.unit.width, self.unit.values)
        return [
            f"{formula.replace(' * ', ' · ')}, m odd and of at most {self.unit.width} bits.",
            f"Numbers are {counted(host_words(g.word_bits, g.beats), 'word')} of 32 bits, behind "
            f"registers on {REGISTER_BUSES[self.bus].title}: `software/redc_host.rdl`.",
        ]

    @property
    def constants(self) -> dict[str, tuple[str, int]]:
        g = self.unit.geometry
        return {
            "WIDTH": ("positive", self.unit.width),
            "OPERAND_WORDS": ("positive", host_words(g.word_bits, g.beats)),
            "BOUND": ("positive", g.bound),
        }

    @property
    def software(self) -> list[Path]:
        """Map, header and driver in C."""
        found = [rtl.rtl_folder() / f"redc_host.{kind}" for kind in ("h", "rdl")]
        folder = Path(driver.__file__).parent / "c"
        return [*found, *(folder / name for name in ("redc_bus.h", "redc_modular.h",
                                                     "redc_modular.c"))]  # fmt: skip

    @cached_property
    def _jobs(self) -> list[tuple[int, list[tuple[int, int]]]]:
        """Moduli, and operands for each: the bundle's modulus first."""
        assert self.modulus is not None
        draw = random.Random(f"{self.seed}/{self.design.label()}")
        others = default_moduli(self.unit.width, self.seed)[:2]
        most = max(1, _CYCLES // ceil(self.unit.geometry.interval_cycles))
        each = max(1, min(_MOST_JOBS, most) // 3)
        found = []
        for m in dict.fromkeys([self.modulus.value, *others]):
            limits = self.unit.operand_limits(m)
            pairs = [(limits[0] - 1, limits[1] - 1)]
            pairs += [
                (draw.randrange(limits[0]), draw.randrange(limits[1])) for _ in range(each - 1)
            ]
            found.append((m, pairs))
        return found

    @property
    def operations(self) -> int:
        return 2 * sum(len(pairs) for _, pairs in self._jobs)

    @property
    def _words(self) -> tuple[int, int]:
        """Of a modulus and of an operand."""
        g = self.unit.geometry
        beats = bench_vectors.modulus_beats(self.unit)
        return host_words(g.word_bits, beats), host_words(g.word_bits, g.beats)

    @cached_property
    def _script(self) -> list[int]:
        """A step is its kind and its words: a modulus, or a, b and the result."""
        found: list[int] = []
        for_modulus, for_operand = self._words
        for m, pairs in self._jobs:
            words = self.family.modulus_words(self.unit.width, self.design.values, m)
            found += [_MODULUS, *words_of(words, for_modulus)]
            for a, b in pairs:
                found.append(_JOB)
                for number in (a, b, self.unit.product(a, b, m)):
                    found += words_of(number, for_operand)
        return found

    def vector_text(self) -> str:
        """A word a line, and one at the end that shows that all is there."""
        return "".join(f"{word:08x}\n" for word in [*self._script, _END])

    def bench_context(self) -> dict[str, Any]:
        for_modulus, for_operand = self._words
        return {
            "bus": self.bus,
            "words": len(self._script) + 1,
            "end": _END,
            "modulus_words": for_modulus,
            "operand_words": for_operand,
            "modulus_kind": _MODULUS,
            "patience": 64 * self.unit.geometry.latency_cycles
            + 4 * self.unit.geometry.modulus_cycles
            + 100_000,
        }

    def check(self, vectors: int, tell: Staged) -> Iterator[dict[str, Any]]:
        """Through the registers, by the driver, on a simulated unit."""
        began, wrong, done = time.perf_counter(), [], 0
        wanted = min(vectors, self.operations // 2)
        with Simulated(self.design, self.seed) as core:
            unit = Modular(core)
            for m, pairs in self._jobs:
                words = self.family.modulus_words(self.unit.width, self.design.values, m)
                unit.load_modulus(words)
                for a, b in pairs:
                    got, right = unit.compute(a, b), self.unit.product(a, b, m)
                    if got != right:
                        wrong.append(f"a={a:#x} b={b:#x} m={m:#x} gave {got:#x}, not {right:#x}")
                    done += 1
                    tell(CHECK_STAGE, min(done, wanted), wanted)
        seconds = time.perf_counter() - began
        yield self.entry("through the registers", done, False, wrong, seconds, exact=False)

    def default_vectors(self) -> int:
        return self.operations // 2
