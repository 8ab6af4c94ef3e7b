# SPDX-License-Identifier: Apache-2.0
"""The quick check of curve processors: jobs of every status, moduli, clears and dead sources."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from redcore.design import Design, Value
from redcore.errors import CheckFailed
from redcore.simulate import design_moduli, first_wrong
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.form import CurveForm
from redcore.verify import shaken
from redcore.verify.unit_checks import becoming
from redcore.verify.unit_checks.curve_bench import DRIVER, CurveBench, Status

LINES: tuple[tuple[str, int, dict[str, Value]], ...] = (
    ("curve-csa", 6, {"a24": 5, "scalar_bits": 4}),
    ("curve-cios", 20, {"a24": 5, "scalar_bits": 3, "blinding": 3, "clear": 1}),
    (
        "curve-csa",
        8,
        {"form": "weierstrass", "a": -3, "b": 3, "scalar_bits": 3, "blinding": 3, "clear": 1,
         "chunk": 4},
    ),
    ("curve-csa", 8, {"a24": 5, "scalar_bits": 3, "multipliers": 2}),
)  # fmt: skip
VECTORS = 24
JOBS = 40
CLEARS = 24
RESETS = 12


class Mutated(shaken.Mutated):
    """A processor behind the contract, as one of its mutants."""

    def _library_of(self, files: Sequence[Path], trace: bool, cycles: int | None) -> Path:
        return _library(self.design, files)


class Bench(shaken.Becoming, CurveBench):
    """A processor that takes any numbers, as one of its mutants."""

    def __init__(self, design: Design, number: int, files: Sequence[Path], seed: int) -> None:
        self._number = number
        super().__init__(design, seed, files)

    def _library_of(self, files: Sequence[Path], visible: bool, cycles: int) -> Path:
        return _library(self.design, files)


def _library(design: Design, files: Sequence[Path]) -> Path:
    """With both drivers, which stand on one of the contract."""
    base = '#include "driver.cpp"\n'
    texts = [path.read_text(encoding="utf-8") for path in (shaken.DRIVER, DRIVER)]
    return becoming.compiled(design, files, texts[0] + texts[1].replace(base, ""))


def wrong(design: Design, number: int, sources: Sequence[Path], seed: int = 1) -> str:
    """What of a mutant is seen to be wrong first, in a sentence; nothing where nothing is."""

    def opened() -> Mutated:
        return Mutated(design, number, sources, seed)

    if told := first_wrong(design, opened, VECTORS, seed):
        return told
    choose = random.Random(f"{design.label()} {seed}")
    for part in (_jobs, _moduli, _clears, _sources, _resets):
        with Bench(design, number, sources, seed) as bench:
            try:
                if told := next(part(_Given(bench, choose)), ""):
                    return told
            except (AssertionError, CheckFailed) as fault:
                return f"{part.__name__.strip('_')}: {fault}"
    return ""


class _Given:
    """A bench, and what is right of its jobs."""

    def __init__(self, bench: Bench, choose: random.Random) -> None:
        self.bench, self.choose, self.design = bench, choose, bench.design
        self.prime = max(design_moduli(bench.design, 1))
        self.form = self._of(self.prime)
        self.bits = bench.design.geometry.word_bits * bench.design.geometry.beats
        self.point = self.form.first_point()

    def _of(self, prime: int) -> CurveForm:
        unit = self.design.family
        assert isinstance(unit, CurveUnit)
        return unit.form(self.design.width, self.design.values, prime)

    def load(self) -> None:
        """The prime and its constants."""
        self.bench.load(self.prime, *self.form.constants())

    def right(self, joined: int, scalar: int) -> tuple[Status, int]:
        """Of a job."""
        form, point = self.form, self.form.split(joined)
        known = max(point) < self.prime and form.has(point)
        if not known or scalar >> form.scalar_bits:
            return Status.RANGE, 0
        result = form.joined(form.multiple(point, scalar))
        return (Status.DONE, result) if result else (Status.ZERO, 0)

    def job(self) -> tuple[int, int]:
        """Any: points of the curve and others, scalars of its range and others."""
        choose, form = self.choose, self.form
        point = form.multiple(self.point, choose.randrange(1, 1 << form.scalar_bits))
        point = point or self.point
        each = form.number_bits or self.bits
        kind = choose.randrange(10)
        if kind == 0:
            point = tuple(choose.getrandbits(each) for _ in point)
        elif kind == 1:
            at = choose.randrange(len(point))
            point = tuple(
                (n + self.prime) % (1 << each) if k == at else n for k, n in enumerate(point)
            )
        elif kind == 2:
            point = tuple(0 for _ in point)
        scalar = choose.randrange(1 << form.scalar_bits)
        if kind == 3:
            scalar = 1 << choose.randrange(form.scalar_bits, self.bits)
        elif kind == 4:
            scalar = choose.choice((0, 1, (1 << form.scalar_bits) - 1))
        return form.joined(point), scalar & (1 << self.bits) - 1

    def wrong(self, joined: int, scalar: int) -> str:
        """What of a job is."""
        found, right = self.bench.multiply(joined, scalar), self.right(joined, scalar)
        return "" if found == right else f"{scalar} times {joined:#x} gave {found}, not {right}"

    def good(self) -> str:
        """The next job, of a point and a scalar that have a result."""
        scalar = 5 & (1 << self.form.scalar_bits) - 1
        return self.wrong(self.form.joined(self.point), scalar)


def _jobs(given: _Given) -> Iterator[str]:
    """Of every status, in the same cycles, prompt and with a source that stalls."""
    given.load()
    yield from filter(None, [given.good()])
    took = set()
    for _ in range(JOBS):
        begun = given.bench.cycle
        yield from filter(None, [given.wrong(*given.job())])
        took.add(given.bench.cycle - begun)
    if len(took) > 1:
        yield f"jobs take {sorted(took)} cycles"
    if given.bench.err:
        yield "err_o is high though moduli and constants fit"
    given.bench.stall()
    for _ in range(JOBS // 4):
        yield from filter(None, [given.wrong(*given.job())])


def _moduli(given: _Given) -> Iterator[str]:
    """One that is refused gives err_o and no result; the next one brings all back."""
    bench, (*constants,) = given.bench, given.form.constants()
    bad = [(given.prime & ~1, *constants)]
    bad += [
        (given.prime, *(given.prime if k == at else n for k, n in enumerate(constants)))
        for at in range(len(constants))
    ]
    for numbers in bad:
        bench.reset()
        given.load()
        yield from filter(None, [given.good()])
        if bench.err:
            yield "err_o is high though all was legal"
        bench.load(*numbers)
        yield from filter(None, [_without(given, f"with {numbers}")])
        if not bench.err:
            yield f"err_o is low with {numbers}"
        given.load()
        yield from filter(None, [given.good()])


def _without(given: _Given, when: str) -> str:
    """A job that may have no result."""
    found = given.bench.multiply(given.form.joined(given.point), 1)
    return "" if found[0] is not Status.DONE and not found[1] else f"{found} {when}"


def _clears(given: _Given) -> Iterator[str]:
    """Of a job the whole result or none; none without a modulus; with one all is as ever."""
    if not given.design.values.get("clear"):
        return
    bench, over = given.bench, int(given.design.geometry.interval_cycles) + 40
    joined, scalar = given.form.joined(given.point), 3
    right = given.right(joined, scalar)
    for number in range(CLEARS):
        given.load()
        when, stalls = given.choose.randrange(over), number % 2 == 1
        found = bench.cleared(joined, scalar, when, stalls)
        if found not in (right, (Status.FAULT, 0)):
            yield f"cleared in cycle {when}: {found}"
        yield from filter(None, [_without(given, f"behind a clear in cycle {when}")])
        bench.load_cleared(given.choose.randrange(60), stalls, given.prime,
                           *given.form.constants())  # fmt: skip
        given.load()
        yield from filter(None, [given.good()])


def _sources(given: _Given) -> Iterator[str]:
    """A source that is stuck gives no result until a reset; one that lives is not asked idly."""
    for bit in (0, 1):
        given.bench.reset()
        given.load()
        yield from filter(None, [given.good()])
        given.bench.wait(2000)
        if bits := given.bench.wait(100):
            yield f"{len(bits)} random bits were taken though nothing goes on"
        given.bench.stick(bit)
        given.bench.give(True, [given.form.joined(given.point)], [1], 100_000)
        states = []
        for _ in range(24):
            try:
                states.append(given.bench.take()[0])
            except AssertionError:
                break
            if not given.bench.give(True, [given.form.joined(given.point)], [1], 100_000):
                break
        if states.count(Status.DONE) == 24:
            yield f"a source that is stuck at {bit} is not seen"
        given.bench.stick(None)
        given.bench.reset()
        given.load()
        yield from filter(None, [given.good()])


def _resets(given: _Given) -> Iterator[str]:
    """In the middle of a job: what comes after it is right."""
    for _ in range(RESETS):
        given.load()
        given.bench.give(True, [given.form.joined(given.point)], [1], 100_000)
        given.bench.wait(given.choose.randrange(int(given.design.geometry.latency_cycles)))
        given.bench.reset()
        given.load()
        yield from filter(None, [given.good()])
