# SPDX-License-Identifier: Apache-2.0
"""The quick checks of prime testers and generators: answers and random bits are the model's."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from redcore.design import Design, Value
from redcore.errors import CheckFailed
from redcore.units.prime.bench import DRIVER, Answer, Found, PrimeBench
from redcore.units.prime.generator import PrimeGeneratorUnit
from redcore.units.prime.model import PrimeGenerator, PrimeTester
from redcore.units.prime.tester import PrimeTesterUnit
from redcore.verify import shaken
from redcore.verify.unit_checks import becoming

TESTERS: tuple[tuple[str, int, dict[str, Value]], ...] = (
    ("prime-csa", 8, {"primes": 3, "bases": 2, "random_bases": 1, "window": 2}),
    ("prime-cios", 16, {"primes": 5, "bases": 0, "random_bases": 2, "method": "ltr"}),
    ("prime-csa", 9, {"primes": 1, "bases": 2, "threads": 3, "stages": 2}),
)
GENERATORS: tuple[tuple[str, int, dict[str, Value]], ...] = (
    ("prime-gen-csa", 8, {"primes": 3, "random_bases": 1, "public_exponent": 7, "window": 2}),
    ("prime-gen-cios", 16, {"primes": 5, "bases": 1, "random_bases": 1, "public_exponent": 3}),
)
NUMBERS = 60
"""Drawn ones, beside those below 40 and those at the top."""
PRIMES = 40
RESETS = 12
PATIENCE = 20_000
"""Cycles without an answer, at least, after which there is none."""
BITS = 4_000
"""Random bits for a prime that is searched, at least."""


class Noted(PrimeBench):
    """A unit whose answers are noted in ``found``; one comes within ``patience`` cycles."""

    def __init__(
        self, unit: PrimeTester | PrimeGenerator, library: Path, seed: int, patience: int
    ) -> None:
        self.found: list[Answer | Found] = []
        self.patience = patience
        super().__init__(unit, library, seed)


class Mutated(shaken.Becoming, Noted):
    """A unit as one of its mutants."""

    def __init__(
        self,
        unit: PrimeTester | PrimeGenerator,
        library: Path,
        number: int,
        seed: int,
        patience: int,
    ) -> None:
        self._number = number
        super().__init__(unit, library, seed, patience)


def tester_wrong(design: Design, number: int, sources: Sequence[Path], seed: int = 1) -> str:
    """What of a tester's mutant is seen to be wrong first, in a sentence, or nothing."""
    assert isinstance(design.family, PrimeTesterUnit)
    unit = design.family.unit(design.width, design.values)
    return _wrong(design, unit, number, sources, seed)


def generator_wrong(design: Design, number: int, sources: Sequence[Path], seed: int = 1) -> str:
    """The same of a generator's."""
    assert isinstance(design.family, PrimeGeneratorUnit)
    unit = design.family.unit(design.width, design.values)
    return _wrong(design, unit, number, sources, seed)


def _wrong(
    design: Design,
    unit: PrimeTester | PrimeGenerator,
    number: int,
    sources: Sequence[Path],
    seed: int,
) -> str:
    """Answers are the model's, and come in the cycles of the unit itself, which other tests hold
    against formulas."""
    library = becoming.compiled(design, sources, becoming.becoming(DRIVER))
    patience = patience_with(design)

    def run(which: int) -> tuple[str, list[int]]:
        with Mutated(unit, library, which, seed, patience) as bench:
            choose = random.Random(seed)
            try:
                if isinstance(unit, PrimeTester):
                    told = next(_testing(unit, bench, choose), "")
                else:
                    told = next(_generating(unit, bench, choose), "")
            except CheckFailed as fault:
                told = str(fault)
            except RuntimeError:  # of a generator of Python
                told = "the model takes more random bits"
            return told, [each.cycles for each in bench.found]

    told, took = run(number)
    if not number:
        _TOOK[library, seed] = took
    elif not told and (library, seed) not in _TOOK:
        _TOOK[library, seed] = run(0)[1]
    if told or took == _TOOK[library, seed]:
        return told
    pairs = zip(took, _TOOK[library, seed], strict=True)
    mine, right = next(pair for pair in pairs if pair[0] != pair[1])
    return f"an answer takes {mine} cycles, not {right}"


def patience_with(design: Design) -> int:
    """Cycles without an answer after which a unit of that design gives none."""
    # What is stated is of a number without squarings behind its powers; some have nearly as many as
    # bits, for each base.
    return max(PATIENCE, 16 * design.geometry.slots * design.geometry.latency_cycles)


_TOOK: dict[tuple[Path, int], list[int]] = {}
"""Cycles of a unit's answers, by its library and a seed."""


def _testing(unit: PrimeTester, bench: Noted, choose: random.Random) -> Iterator[str]:
    """Candidates alone, with stalls, and behind a reset in the middle."""
    top = 1 << unit.width
    numbers = [*range(40), *range(top - 12, top)]
    numbers += [choose.getrandbits(unit.width) | choose.randrange(2) for _ in range(NUMBERS)]
    if unit.bits > unit.width:
        numbers += [top, top + 1, (1 << unit.bits) - 1]
    yield from answers(unit, bench, numbers)
    yield from answers(unit, bench, numbers, stalls=True)
    if bench.err:
        yield "err_o is high"
    for at in range(RESETS):
        with suppress(CheckFailed):
            bench.run(numbers, random_bits=4 * at, patience=60, stalls=True)
        bench.reset()
        yield from answers(unit, bench, numbers[20 : 24 + at])


def answers(
    unit: PrimeTester, bench: Noted, numbers: Sequence[int], stalls: bool = False
) -> Iterator[str]:
    """What is wrong with the answers to them; of several threads bits go to any of them."""
    # Each base is drawn of as many bits as a number has, and drawn again where it is too large.
    offered = max(10 * BITS, 2 * unit.bits * unit.random_bases * len(numbers))
    found = bench.run(
        numbers, stalls=stalls, lone=not stalls, random_bits=offered, patience=bench.patience
    )
    bench.found += found
    if unit.threads > 1 and unit.random_bases:
        return
    bits = iter(bench.bits)
    for number, answer in zip(numbers, found, strict=True):
        verdict = unit.verdict(number, bits)
        told = (verdict.prime, verdict.reason, verdict.passed)
        if (answer.prime, answer.reason, answer.passed) != told:
            yield f"{number:#x}: {answer}, not {told}"
    if next(bits, None) is not None:
        yield "random bits are taken that the model does not take"


def _generating(unit: PrimeGenerator, bench: Noted, choose: random.Random) -> Iterator[str]:
    """Primes alone, one right behind the other, with stalls, and behind a reset in the middle."""
    for lone, stalls in ((True, False), (False, False), (True, True)):
        yield from primes(unit, bench, PRIMES, lone, stalls)
    if bench.err:
        yield "err_o is high"
    for at in range(RESETS):
        with suppress(CheckFailed):
            bench.generate(3, stalls=True, random_bits=20 * at, patience=60)
        bench.reset()
        yield from primes(unit, bench, 2)
    for level in (0, 1):
        with suppress(CheckFailed):
            bench.generate(200, random_bits=bits_of(unit) * [level], patience=bench.patience)
            yield f"a source that is stuck at {level} still serves"
        if not bench.err:
            yield f"err_o is low with a source that is stuck at {level}"
        bench.reset()
    yield from primes(unit, bench, 3)


def bits_of(unit: PrimeGenerator) -> int:
    """More random bits than a search takes: each candidate's, and those of a prime's bases."""
    return max(BITS, 3 * unit.bits * (unit.random_bases + 25))


def primes(
    unit: PrimeGenerator, bench: Noted, count: int, lone: bool = True, stalls: bool = False
) -> Iterator[str]:
    bits_given = bits_of(unit) * count
    found = bench.generate(
        count, stalls, random_bits=bits_given, patience=bench.patience, lone=lone
    )
    bench.found += found
    bits = iter(bench.bits)
    for one in found:
        right = unit.search(bits)
        if (one.prime, one.count, one.tested) != (right.prime, right.count, right.tested):
            yield f"{one}, not {right.prime} of {right.count}, {right.tested} tested"
    if next(bits, None) is not None:
        yield "random bits are taken that the model does not take"
