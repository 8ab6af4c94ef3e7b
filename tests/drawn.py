# SPDX-License-Identifier: Apache-2.0
"""Designs that are drawn from all legal ones, and what is wrong with one in simulation.

Results are GMP's, cycles are those that ``redcore info`` states, for every job and whatever came
before it, and a multiplier takes and answers as its ``Pace`` plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from random import Random
from typing import Any

from gmpy2 import is_prime, next_prime

from redcore.catalogue import family
from redcore.design import Design, number
from redcore.simulate import Load, Run, Simulator, design_moduli, simulate
from redcore.units.exp.family import Exponentiator
from redcore.units.prime.bench import PrimeBench
from redcore.units.prime.generator import PrimeGeneratorUnit
from redcore.units.prime.tester import PrimeTesterUnit
from redcore.units.prime.unit import PrimeUnit
from redcore.verify import random_designs

WIDEST = 22
"""Bits of drawn designs: several words of every kind, built in a second or two."""
THREADS = 6
"""Of drawn exponentiators, at most: more only take longer."""
VECTORS = 60
OFFERED = 30
"""Multiplications of a row in which a multiplier's pace is compared."""


def multipliers(name: str, seed: int) -> Iterator[Design]:
    """Multipliers of a family, one in two of them several at once."""
    choose = Random(f"copies {name} {seed}")
    for design in random_designs(family(name), seed, WIDEST):
        copies = choose.choice((1, 1, 1, 2, 3, 5))
        yield design.family.design(design.width, design.values | {"copies": copies})


def exponentiators(multiplier: str, seed: int) -> Iterator[Design]:
    """Exponentiators, most with exponents of any length up to twice the width."""
    choose = Random(f"exponents {multiplier} {seed}")
    for design in random_designs(family(f"exp-{multiplier}"), seed, WIDEST):
        longest = choose.choice((0, 1, 1, 1)) * choose.randint(1, 2 * design.width + 2)
        settings = design.values | ({"exp_bits": longest} if longest else {})
        settings["threads"] = min(THREADS, number(settings, "threads"))
        yield design.family.design(design.width, settings)


def units(kind: str, multiplier: str, seed: int) -> Iterator[Design]:
    """Of any other unit on the contract."""
    return random_designs(family(f"{kind}-{multiplier}"), seed, WIDEST)


def limited(name: str, seed: int, widest: int, most: Mapping[str, int]) -> Iterator[Design]:
    """Designs with no more of those parameters than that, which would only take longer."""
    for design in random_designs(family(name), seed, widest):
        known = design.values
        fewer = {one: min(limit, number(known, one)) for one, limit in most.items() if one in known}
        if not design.family.reasons(design.width, known | fewer):
            yield design.family.design(design.width, known | fewer)


def prime_testers(multiplier: str, seed: int) -> Iterator[Design]:
    """Prime testers with few bases."""
    most = {"threads": THREADS, "primes": 12, "bases": 4, "random_bases": 2}
    return limited(f"prime-{multiplier}", seed, WIDEST, most)


def prime_generators(multiplier: str, seed: int) -> Iterator[Design]:
    """Prime generators with few bases."""
    most = {"primes": 12, "bases": 3, "random_bases": 2}
    return limited(f"prime-gen-{multiplier}", seed, WIDEST, most)


def faults(design: Design) -> list[str]:
    """What is wrong with a design, with stalls and without; nothing where all is right."""
    if isinstance(design.family, PrimeTesterUnit):
        return tester_faults(design)
    if isinstance(design.family, PrimeGeneratorUnit):
        return generator_faults(design)
    found = list(simulate(design, [], VECTORS, stalls=True).failures())
    if found:
        return found
    if isinstance(design.family, Exponentiator):
        return job_faults(design)
    return pace_faults(design) if design.family.kind == "mul" else []


def _pairs(design: Design, modulus: int, count: int, choose: Random) -> list[tuple[int, int, int]]:
    """Operands of so many multiplications, at any of its places."""
    first, second = design.operand_limits(modulus)
    places = design.geometry.moduli
    return [
        (choose.randrange(first), choose.randrange(second), choose.randrange(places))
        for _ in range(count)
    ]


def pace_faults(design: Design) -> list[str]:
    """Where a multiplier takes or answers in other cycles than its pace: offered at once, soon
    after the one before, or when much of it or all is idle."""
    geometry, choose = design.geometry, Random(3)
    modulus = design_moduli(design, 3)[0]
    latency, interval = geometry.latency_cycles, int(geometry.interval_cycles)
    with Simulator(design, cycles=20_000) as core:
        for most in (0, 1, 3, interval + 2, latency + 5, 2 * latency + 20):
            core.reset()
            for place in range(geometry.moduli):
                core.load_modulus(modulus, place)
            rests = [0, *(choose.randint(0, most) for _ in range(OFFERED - 1))]
            run = core.run(_pairs(design, modulus, OFFERED, choose), rests=rests)
            if run.faults:
                return run.faults
            pace, offered = design.pace(), 0
            played = []
            for rest in rests:
                played.append(pace.take(offered + rest))
                offered = pace.loaded + 1
            seen = list(zip(run.accepted, run.answered, strict=True))
            for at, ((taken, answered), was) in enumerate(zip(played, seen, strict=True)):
                cycles = was[0] - seen[0][0], was[1] - seen[0][0]
                expected = taken - played[0][0], answered - played[0][0]
                if cycles != expected:
                    return [f"number {at} behind {rests[: at + 1]}: {cycles}, played {expected}"]
    return []


def job_faults(design: Design, seed: int = 7) -> list[str]:
    """Exponents of any length and new moduli in turn, alone at any moment and one behind another:
    each job takes the cycles of its length."""
    choose, longest = Random(seed), number(design.values, "exp_bits")
    moduli, places = design_moduli(design, seed), range(design.geometry.moduli)
    lengths = [longest, 1, 2, 3, longest - 1, 4, 9, longest, 1, longest]
    lengths = [min(longest, max(1, each)) for each in lengths]
    lengths += [choose.randint(1, longest) for _ in range(6)]
    with Simulator(design, cycles=20_000) as core:
        loaded = [choose.choice(moduli) for _ in places]
        core.run([], [Load(modulus, place) for place, modulus in enumerate(loaded)])
        for turn, length in enumerate(lengths):
            core.set_exponent_bits(length)
            loads = []
            if turn % 3 == 2:
                place = choose.choice(places)
                loaded[place] = choose.choice(moduli)
                loads = [Load(loaded[place], place)]
            used = [choose.choice(places) for _ in range(4)]
            jobs = [
                (choose.randrange(loaded[place]), choose.getrandbits(length), place)
                for place in used
            ]
            right = [design.product(x, e, loaded[place]) for x, e, place in jobs]
            for lone, most in ((True, 0), (True, 12), (False, 0), (True, 0)):
                rests = [choose.randint(0, most) for _ in jobs] if most else []
                run = core.run(jobs, loads, lone=lone, rests=rests)
                loads = []
                told = f"{length} bits, {'alone' if lone else 'in a row'}, behind {rests}: "
                if run.faults or run.results != right:
                    return [told + (run.faults or [f"{run.results}, {right} are right"])[0]]
                if wrong := _other_cycles(design, length, run, lone, not rests):
                    return [told + wrong]
    return []


def _other_cycles(design: Design, length: int, run: Run, lone: bool, at_once: bool) -> str:
    """Cycles that are not those of the length. Several threads overlap jobs, as their multiplier
    has room."""
    assert isinstance(design.family, Exponentiator)
    slack, alone = design.geometry.slack_cycles, number(design.values, "threads") == 1
    latency, interval = design.family.job_cycles(design.width, design.values, length)
    times = {out - into for into, out in zip(run.accepted, run.answered, strict=True)}
    apart = {after - before for before, after in pairwise(run.accepted)}
    if (lone or alone) and any(abs(time - latency) > slack for time in times):
        return f"latencies {sorted(times)}, stated {latency}"
    if alone and at_once and any(abs(time - interval) > slack for time in apart):
        return f"intervals {sorted(apart)}, stated {interval}"
    return ""


def _powers(
    unit: PrimeUnit[Any], design: Design
) -> tuple[Callable[[int], int], Callable[[int], int], int]:
    """Cycles of a power by the exponent's length, the same with all waits to be in step with the
    multiplier, and how long R^2 mod m takes."""
    powers = unit.power_cycles(design.width, design.values)
    waits = 8 * (unit.multiplier_design(design.width, design.values).pace().every - 1)
    load = unit.exponentiator(design.width, design.values).geometry.modulus_cycles
    return powers, lambda length: powers(length) + waits, load


def tester_faults(design: Design) -> list[str]:
    """Answers of a prime tester that are not the model's, alone and with stalls; more cycles alone
    than are stated, but for waits to be in step, or fewer than without a wait for R^2 mod m."""
    unit, width = design.family, design.width
    assert isinstance(unit, PrimeTesterUnit)
    tester, choose = unit.unit(width, design.values), Random(5)
    numbers = [choose.getrandbits(width) | 1 for _ in range(30)]
    numbers += [int(next_prime(each >> 1)) for each in numbers[:8]]
    numbers += [0, 1, 2, 3, 9, (1 << width) - 1, 1 << (width - 1), 561 % (1 << width)]
    powers, in_step, load = _powers(unit, design)
    with PrimeBench(tester, unit.simulation(width, design.values)) as bench:
        for lone in (True, False):
            answers = bench.run(numbers, lone=lone, stalls=not lone, random_bits=50_000)
            # Where several are tested at once bits go to whichever draws; primes pass with any.
            if not lone and tester.random_bases and tester.threads > 1:
                pairs = zip(numbers, answers, strict=True)
                lost = [each for each, told in pairs if is_prime(each) and not told.prime]
                return [f"{lost[0]:#x} is prime"] if lost else []
            bits = iter(bench.bits)
            for each, answer in zip(numbers, answers, strict=True):
                verdict = tester.verdict(each, bits)
                told = (answer.prime, answer.reason, answer.passed)
                if told != (verdict.prime, verdict.reason, verdict.passed):
                    return [f"{each:#x}: {told}, {verdict} is right"]
                most = tester.cycles(each, verdict, in_step, load)
                least = tester.cycles(each, verdict, powers)
                if lone and not least <= answer.cycles <= most:
                    return [f"{each:#x}: {answer.cycles} cycles, {least} to {most} are stated"]
    return []


def generator_faults(design: Design) -> list[str]:
    """Primes of a generator that are not the model's for the same random bits, with stalls and
    without; fewer cycles than without a wait for R^2 mod m, or more than waits to be in step."""
    unit, width = design.family, design.width
    assert isinstance(unit, PrimeGeneratorUnit)
    generator, count = unit.unit(width, design.values), 12
    powers, in_step, load = _powers(unit, design)
    with PrimeBench(generator, unit.simulation(width, design.values)) as bench:
        for stalls in (False, True):
            found = bench.generate(count, stalls=stalls, random_bits=count * 4000)
            bits, again = iter(bench.bits), iter(bench.bits)
            for one in found:
                search = generator.search(bits, powers)
                most = generator.search(again, in_step, load).cycles
                right = search.prime, search.count, search.tested
                if (one.prime, one.count, one.tested) != right:
                    return [f"{one}, {right} is right"]
                if not stalls and not search.cycles <= one.cycles <= most:
                    return [f"{one}: {search.cycles} to {most} cycles are stated"]
            if next(bits, None) is not None:
                return ["more random bits are taken than are needed"]
    return []
