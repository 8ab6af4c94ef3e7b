# SPDX-License-Identifier: Apache-2.0
"""Is the core right, does it keep the contract, and are its cycles what its formulas say?"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from gmpy2 import mpz

from redcore.design import Design, Geometry, ceil_div, plain
from redcore.errors import BadInput
from redcore.progress import Counted
from redcore.simulate.simulator import Answers, Load, Run, Simulator, check_modulus
from redcore.simulate.stimulus import (
    Piece,
    Schedule,
    design_moduli,
    edge_moduli,
    edge_operands,
    fitting,
)
from redcore.writable import require_writable

_RESTS = 12
"""Idle cycles before a lone one are fewer: what stands idle may repeat itself in up to six."""
_LONE_CYCLES = 150_000
"""Clock cycles spent on lone multiplications when latency is measured."""
_EXACT_ALWAYS = 256
_EXACT_EVERY = 64
"""The golden model, slower than the congruence, judges the first results and one in so many."""
_REPORTED_FAULTS = 8
_SQUARES_EVERY = 3
"""Of a core that is told of squares one multiplication in so many is one."""


@dataclass(frozen=True)
class Mismatch:
    """The first wrong result: what was asked, what came, what was right, and how to see it again.

    ``index`` counts the multiplications of the run from 0, or is None in the timing measurement
    that comes before. ``command`` repeats the run up to this point.
    """

    index: int | None
    a: int
    b: int
    modulus: int
    got: int
    expected: int
    command: str
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """Numbers as 0x strings."""
        numbers = {n: hex(getattr(self, n)) for n in ("a", "b", "modulus", "got", "expected")}
        return {"index": self.index, **numbers, "command": self.command}

    def __str__(self) -> str:
        return (
            f"wrong product: a={self.a:#x} b={self.b:#x} m={self.modulus:#x} gave {self.got:#x}, "
            f"expected {self.expected:#x}{self.note}; to repeat: {self.command}"
        )


@dataclass(frozen=True)
class SimulationResult:
    """What a simulation found. ``ok`` sums it up; ``failures()`` says in sentences what is wrong.

    ``latency_cycles`` and ``interval_cycles`` are measured; None where the core never answered.
    ``constant_time``: latency, and the cycles of acceptance and answer in a full pipeline, were the
    same for all operands and moduli tried. ``cycles_equal_formula``: they are the family's.
    ``faults`` are breaches of the handshake contract. ``vectors_per_second`` counts generating,
    simulating and checking, not compiling.
    """

    vectors: int
    mismatches: int
    first_mismatch: Mismatch | None
    faults: tuple[str, ...]
    latency_cycles: int | None
    interval_cycles: Fraction | None
    constant_time: bool
    cycles_equal_formula: bool
    vectors_per_second: float
    seconds: float
    timing_note: str = ""
    waveform_fault: str = ""
    """Why there is no waveform, where one was asked for."""

    @property
    def ok(self) -> bool:
        """Nothing wrong."""
        wrong = self.mismatches or self.waveform_fault or self.faults
        return not wrong and self.constant_time and self.cycles_equal_formula

    def failures(self) -> list[str]:
        """What is wrong, one sentence each; empty when all is right."""
        told = list(self.faults)
        if self.first_mismatch is not None:
            told.append(f"{self.mismatches} of {self.vectors} wrong; first {self.first_mismatch}")
        return told + [note for note in (self.timing_note, self.waveform_fault) if note]

    def as_json(self) -> dict[str, Any]:
        """The result as JSON takes it; big numbers as 0x strings, a broken interval as a float."""
        first = self.first_mismatch
        interval = self.interval_cycles
        return {
            "vectors": self.vectors,
            "mismatches": self.mismatches,
            "first_mismatch": None if first is None else first.as_json(),
            "faults": list(self.faults),
            "latency_cycles": self.latency_cycles,
            "interval_cycles": None if interval is None else plain(interval),
            "constant_time": self.constant_time,
            "cycles_equal_formula": self.cycles_equal_formula,
            "vectors_per_second": round(self.vectors_per_second, 1),
            "ok": self.ok,
            "failures": self.failures(),
        }


class Checker:
    """Judges results by congruence and range, all of them, and by the golden model."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._r_bits = design.geometry.r_bits
        self._bound = design.geometry.bound
        self.multiplies = design.family.kind == "mul"

    def right(self, a: int, b: int, modulus: int, result: int, exact: bool) -> bool:
        """In range and ``result * 2**r_bits == a*b (mod m)``; ``exact``: also the model's."""
        if not self.multiplies:
            return result == self._design.product(a, b, modulus)
        if result >= self._bound * modulus:
            return False
        if ((mpz(result) << self._r_bits) - mpz(a) * b) % modulus != 0:
            return False
        return not exact or result == self._design.product(a, b, modulus)


def moduli_in_use(
    run: Run, loads: Sequence[Load], in_place: Sequence[int], places: Sequence[int]
) -> list[int]:
    """The modulus each answered multiplication of a run was made with."""
    now = list(in_place)
    used: list[int] = []
    passed = 0
    for loaded, place in zip(run.loaded, places, strict=False):
        while passed < loaded:
            now[loads[passed].place] = loads[passed].modulus
            passed += 1
        used.append(now[place])
    return used


def _modulus_of(piece: Piece, answers: Answers, in_place: Sequence[int], at: int) -> int:
    """The modulus that one answered multiplication of a piece was made with."""
    place = piece.batch.places[at]
    came = reversed(piece.loads[: answers.loaded[at]])
    return next((load.modulus for load in came if load.place == place), in_place[place])


Batch = Sequence[tuple[int, int, int]]
"""Multiplications: a, b and the place of the modulus."""

Observer = Callable[[Piece, Answers, Sequence[int]], None]


@dataclass
class _Tally:
    """What has been found so far."""

    checker: Checker
    design: Design
    command: Callable[[int | None], str]
    mismatches: int = 0
    vectors: int = 0
    first: Mismatch | None = None
    first_cycles: tuple[int, int] | None = None
    faults: list[str] = field(default_factory=list)

    def judge(
        self, batch: Batch, moduli: Sequence[int], run: Run, start: int | None,
        exact_all: bool = False,
    ) -> None:  # fmt: skip
        """Check a run's results; ``start`` is the number of its first multiplication."""
        right, every = self.checker.right, _EXACT_EVERY
        for offset, ((a, b, _), modulus, result) in enumerate(
            zip(batch, moduli, run.results, strict=False)
        ):
            number = self.vectors + offset
            exact = exact_all or number < _EXACT_ALWAYS or number % every == 0
            if not right(a, b, modulus, result, exact):
                self.mismatches += 1
                if self.first is None:
                    self._record(batch, moduli, run, offset, start)
        self.vectors += len(run.results)
        self._note(run.faults)

    def judge_piece(
        self, core: Simulator, piece: Piece, answers: Answers, in_place: Sequence[int], start: int
    ) -> None:
        """Check a piece's results: all of them in bulk, some by the golden model.

        Where one is wrong, or the core is no multiplier, each is checked by itself.
        """
        batch, count = piece.batch, answers.count
        wrong = core.wrong(batch, answers, in_place, piece.loads) if self.checker.multiplies else 1
        exact = [
            at
            for at in range(count)
            if self.vectors + at < _EXACT_ALWAYS or (self.vectors + at) % _EXACT_EVERY == 0
        ]
        if wrong == 0 and all(
            answers.results[at]
            == self.design.product(
                batch.a[at], batch.b[at], _modulus_of(piece, answers, in_place, at)
            )
            for at in exact
        ):
            self.vectors += count
            self._note(answers.faults)
            return
        run, before = answers.run(), self.mismatches
        items = batch.items()
        used = moduli_in_use(run, piece.loads, in_place, [place for _, _, place in items])
        self.judge(items, used, run, start)
        if wrong and self.checker.multiplies and self.mismatches == before:
            raise RuntimeError("products that were wrong in bulk are right one by one")

    def _note(self, faults: Sequence[str]) -> None:
        self.faults += faults[: max(0, _REPORTED_FAULTS - len(self.faults))]

    def _record(
        self, batch: Batch, moduli: Sequence[int], run: Run, offset: int, start: int | None
    ) -> None:
        a, b, _ = batch[offset]
        modulus, got = moduli[offset], run.results[offset]
        index = None if start is None else start + offset
        # Two in a row that fit the one after: at small widths a single one may be chance.
        after = [
            self.design.product(*batch[i][:2], moduli[i])
            for i in range(offset + 1, min(offset + 3, len(run.results)))
        ]
        came = run.results[offset : offset + 2]
        note = " (results from here on are the next ones: one was lost)" if came == after else ""
        expected = self.design.product(a, b, modulus)
        self.first = Mismatch(index, a, b, modulus, got, expected, self.command(index), note)
        self.first_cycles = (run.accepted[offset], run.answered[offset])


@dataclass(frozen=True)
class _Timing:
    latency: int | None
    interval: Fraction | None
    constant: bool
    equal: bool
    note: str

    def result(self, tally: _Tally, checked: int, seconds: float, fault: str) -> SimulationResult:
        """With what else was found."""
        return SimulationResult(
            vectors=checked,
            mismatches=tally.mismatches,
            first_mismatch=tally.first,
            faults=tuple(tally.faults),
            latency_cycles=self.latency,
            interval_cycles=self.interval,
            constant_time=self.constant,
            cycles_equal_formula=self.equal,
            vectors_per_second=checked / seconds if checked and seconds else 0.0,
            seconds=seconds,
            timing_note=self.note,
            waveform_fault=fault,
        )


def simulate(
    design: Design,
    moduli: Sequence[int],
    vectors: int,
    seed: int = 1,
    stalls: bool = False,
    progress: Counted | None = None,
    waveform: Path | None = None,
    sources: Sequence[Path] | None = None,
    observe: Observer | None = None,
) -> SimulationResult:
    """Measure the core's cycles, then check ``vectors`` multiplications; all from one seed.

    ``moduli`` are used in turn, changing during the run; none means a set of edge and random ones.
    ``stalls`` adds idles and back-pressure. ``progress`` is called with (done, all). ``waveform``
    names a VCD file for the first wrong multiplication, or where none is wrong for the run's first
    ones. ``sources`` replaces the design's RTL files. ``observe`` is shown each piece, its answers
    and the moduli that were in their places before it. Raises BadInput for bad numbers or files.
    """
    design.require_contract()
    if vectors < 0:
        raise BadInput(f"vectors={vectors} must not be below zero")
    for modulus in moduli:
        check_modulus(design, modulus)
    if waveform is not None:
        _check_waveform(waveform)
    chosen = list(moduli) or design_moduli(design, seed)

    def command(index: int | None) -> str:
        given = "".join(f" --modulus {modulus:#x}" for modulus in moduli)
        # What followed in the pipeline may matter too.
        count = 1 if index is None else min(vectors, index + 2 * design.geometry.slots + 2)
        return (
            f"redcore simulate {design.command_line()}{given} --seed {seed} --vectors {count}"
            f"{' --stalls' if stalls else ''}"
        )

    tally = _Tally(Checker(design), design, command)
    cycles = _measuring_cycles(design) + math.ceil(vectors * design.geometry.interval_cycles)
    with Simulator(design, seed, sources, cycles=cycles) as core:
        timing = _measure(core, list(moduli), tally)
    measured = tally.vectors
    began = time.perf_counter()
    if not tally.faults:
        with Simulator(design, seed, sources, cycles=cycles) as core:
            _check(core, chosen, vectors, seed, stalls, tally, progress, observe)
    seconds = time.perf_counter() - began
    checked = tally.vectors - measured
    waveform_fault = ""
    if waveform is not None:
        try:
            _dump(design, chosen, vectors, seed, stalls, tally, waveform, sources)
        except (BadInput, OSError) as error:  # the result is there all the same
            waveform_fault = f"there is no waveform: {error}"
    return timing.result(tally, checked, seconds, waveform_fault)


def first_wrong(
    design: Design, opened: Callable[[], Simulator], vectors: int, seed: int = 1
) -> str:
    """What is wrong first, in a sentence, or nothing: as ``simulate`` with stalls does it, but it
    ends there, for cores of which most are wrong.

    ``opened`` gives the core, reset, each time anew.
    """
    tally = _Tally(Checker(design), design, lambda _: design.command_line())
    with opened() as core:
        timing = _measure(core, [], tally)
    if not (tally.faults or tally.first or timing.note):
        with opened() as core:
            _check(core, design_moduli(design, seed), vectors, seed, True, tally, None)
    first = [str(tally.first)] if tally.first else []
    return next(iter([*tally.faults, *first, *filter(None, [timing.note])]), "")


def exhaust(
    design: Design,
    stalls: bool = False,
    progress: Counted | None = None,
    sources: Sequence[Path] | None = None,
) -> SimulationResult:
    """Every odd modulus of at most the design's width, every legal a and b.

    The count grows as 8**width; made for widths up to about 7. Each result is held against the
    congruence, the range and the golden model.
    """
    geometry = design.geometry
    moduli = fitting(design, range(1, 1 << design.width, 2))
    total = sum(math.prod(design.operand_limits(modulus)) for modulus in moduli)

    def command(index: int | None) -> str:
        return f"redcore simulate {design.command_line()} --vectors 1000"

    tally = _Tally(Checker(design), design, command)
    cycles = math.ceil(total * geometry.interval_cycles)
    with Simulator(design, 1, sources, cycles=cycles) as core:
        timing = _measure(core, [], tally)
    measured = tally.vectors
    began = time.perf_counter()
    with Simulator(design, 1, sources, cycles=cycles) as core:
        for number, modulus in enumerate(moduli):
            if tally.faults:
                break
            place = number % geometry.moduli
            a_limit, b_limit = design.operand_limits(modulus)
            batch = [(a, b, place) for a in range(a_limit) for b in range(b_limit)]
            run = core.run(batch, [Load(modulus, place)], stalls=stalls)
            tally.judge(
                batch, [modulus] * len(batch), run, tally.vectors - measured, exact_all=True
            )
            if progress:
                progress(tally.vectors - measured, total)
    return timing.result(tally, tally.vectors - measured, time.perf_counter() - began, "")


def _piece(design: Design) -> int:
    """Multiplications per call of the driver: short enough for Ctrl-C, long enough for speed.

    It depends on the design alone, so that a shorter run has the same beginning.
    """
    geometry = design.geometry
    weight = max(1, int(geometry.interval_cycles)) * max(1, design.width // 64)
    return min(4096, max(64, 16 * geometry.slots, 2_000_000 // weight))


def _check(
    core: Simulator,
    moduli: Sequence[int],
    vectors: int,
    seed: int,
    stalls: bool,
    tally: _Tally,
    progress: Counted | None,
    observe: Observer | None = None,
) -> None:
    schedule = Schedule(core, moduli, seed, _piece(core.design))
    done = 0
    squares = bool(core.design.family.told(core.design.values))
    core.tell_squares(squares)
    for piece in schedule.pieces(vectors):
        if squares:
            piece.batch.square(_SQUARES_EVERY)
        answers = core.send(piece.batch, piece.loads, stalls=stalls)
        tally.judge_piece(core, piece, answers, schedule.in_place, done)
        if observe:
            observe(piece, answers, schedule.in_place)
        done += answers.count
        if progress:
            progress(done, vectors)
        if answers.faults:
            break


def _edges(design: Design, modulus: int) -> tuple[list[int], list[int], int, int]:
    """Edge values of a and of b, and one mixed value of each."""
    a_limit, b_limit = design.operand_limits(modulus)
    edges = edge_operands(design.width, modulus, a_limit)
    mixed = modulus * 0x9E3779B97F4A7C15F39CC0605CEDC835 >> 3
    if a_limit == b_limit:
        return edges, edges, mixed % a_limit, mixed % a_limit
    second = edge_operands(b_limit.bit_length() - 1, modulus, b_limit)
    return edges, second, mixed % a_limit, mixed % b_limit


_SPREAD = 8
"""Moduli over which the latency is measured."""


def _lone_each(geometry: Geometry) -> int:
    """Lone multiplications of each of them."""
    return max(2, min(40, _LONE_CYCLES // (geometry.latency_cycles + 8) // _SPREAD))


def _full_pipeline(geometry: Geometry) -> tuple[int, int]:
    """Multiplications until the pipeline is full, and those over which the interval is measured."""
    return 2 * geometry.slots + 2, 4 * geometry.slots * geometry.interval_cycles.denominator


def _mean_interval(answered: Sequence[int]) -> Fraction:
    """Cycles between answers, the mean: of one period of theirs where they have one that shows,
    which need not go into all of them."""
    apart = [after - before for before, after in pairwise(answered)]
    shown = (n for n in range(1, len(apart) // 2 + 1) if apart[n:] == apart[:-n])
    period = next(shown, len(apart))
    return Fraction(sum(apart[:period]), period)


def _full_runs(design: Design) -> int:
    """Moduli over which the interval is measured."""
    _, steady = _full_pipeline(design.geometry)
    return 6 if steady * design.width < 100_000 else 3


def _measuring_cycles(design: Design) -> int:
    """About how many cycles ``_measure`` takes."""
    geometry = design.geometry
    lone = _SPREAD * _lone_each(geometry) * geometry.latency_cycles
    full = _full_runs(design) * sum(_full_pipeline(geometry)) * geometry.interval_cycles
    return lone + math.ceil(full)


def _measure(core: Simulator, given: Sequence[int], tally: _Tally) -> _Timing:
    """Latency of lone multiplications and the steady interval, over edge and random data."""
    design, geometry = core.design, core.geometry
    moduli = list(given) or design_moduli(design, 0)
    edges = edge_moduli(design.width, design.family.prime_moduli) if not given else []
    edges = fitting(design, edges)
    latencies: set[int] = set()
    lone_each = _lone_each(geometry)
    spread = list(dict.fromkeys([*edges[:5], *moduli]))[:_SPREAD]
    for number, modulus in enumerate(spread):
        place = number % geometry.moduli
        edge, second, mixed, other = _edges(design, modulus)
        pairs = [(a, b, place) for a in (*edge[:4], mixed) for b in (*second[:4], other)]
        pairs += [(a, b, place) for a, b in zip(edge, second, strict=False)]
        pairs = pairs[number % 2 :: max(1, len(pairs) // lone_each)]
        # At once behind the one before, or at any step of what is idle then.
        rests = [at * 5 % _RESTS for at in range(len(pairs))] if number % 2 else []
        run = core.run(pairs, [Load(modulus, place)], lone=True, rests=rests)
        tally.judge(pairs, [modulus] * len(pairs), run, None)
        latencies |= {out - into for into, out in zip(run.accepted, run.answered, strict=True)}
        if run.faults:
            return _Timing(None, None, False, False, "the latency could not be measured")
    warm, steady = _full_pipeline(geometry)
    patterns: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    interval: Fraction | None = None
    for number, modulus in enumerate(spread[: _full_runs(design)]):
        place = number % geometry.moduli
        edge, second, _, _ = _edges(design, modulus)
        # Each of several copies as often, so that the next run begins at the first one, too.
        turns = int(design.values.get("copies", 1))
        count = ceil_div(warm + steady + 1, turns) * turns
        batch = [
            (edge[(number + i) % len(edge)], second[(i * (number + 3)) % len(second)], place)
            if number % 3
            else (edge[number % len(edge)], second[0], place)
            for i in range(count)
        ]
        core.run([], [Load(modulus, place)])
        run = core.run(batch)
        tally.judge(batch, [modulus] * count, run, None)
        if run.faults:
            return _Timing(None, None, False, False, "the interval could not be measured")
        origin = run.accepted[0]
        accepted, answered = (
            tuple(cycle - origin for cycle in cycles) for cycles in (run.accepted, run.answered)
        )
        patterns.add((accepted, answered))
        this = _mean_interval(run.answered[warm : warm + steady + 1])
        interval = this if interval is None else max(interval, this)
    latency = max(latencies)
    notes = []
    slack = geometry.slack_cycles
    spread_out = latency - min(latencies) > slack
    constant = not spread_out and (len(patterns) == 1 or slack > 0)
    if spread_out:
        notes.append(f"latency depends on the data: {min(latencies)} to {latency} cycles")
    if len(patterns) > 1 and not slack:
        notes.append("the cycles of a full pipeline depend on the data")
    assert interval is not None
    equal = abs(latency - geometry.latency_cycles) <= slack and (
        geometry.interval_estimated or abs(interval - geometry.interval_cycles) <= slack
    )
    if not equal:
        notes.append(
            f"measured latency {latency} and interval {interval} cycles, the family's formulas say "
            f"{geometry.latency_cycles} and {geometry.interval_cycles}"
        )
    return _Timing(latency, interval, constant, equal, "; ".join(notes))


def _check_waveform(path: Path) -> None:
    if path.suffix.lower() != ".vcd":
        raise BadInput(f"the waveform {path} must end in .vcd")
    if not path.parent.is_dir():
        raise BadInput(f"the folder of the waveform {path} does not exist; make it first")
    require_writable(path)


def _dump(
    design: Design,
    moduli: Sequence[int],
    vectors: int,
    seed: int,
    stalls: bool,
    tally: _Tally,
    path: Path,
    sources: Sequence[Path] | None,
) -> None:
    """Repeat the run in a traced build, dumping around the first wrong result or the start."""
    geometry = design.geometry
    span = int(geometry.latency_cycles + 4 * geometry.interval_cycles) + 64
    first, end = 0, 8 * span
    count = min(vectors, 4 * geometry.slots + 16)
    wrong = tally.first
    if wrong is not None and wrong.index is not None and tally.first_cycles is not None:
        into, out = tally.first_cycles
        first, end = max(0, into - 2 * span), out + span
        count = min(vectors, wrong.index + 2 * geometry.slots + 2)
    again = _Tally(tally.checker, design, tally.command)
    with Simulator(design, seed, sources, waveform=(path, first, end)) as core:
        if wrong is not None and wrong.index is None:
            core.run([(wrong.a, wrong.b, 0)], [Load(wrong.modulus)])
        else:
            _check(core, moduli, count, seed, stalls, again, None)
