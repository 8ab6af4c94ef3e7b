# SPDX-License-Identifier: Apache-2.0
"""Campaigns of units that have a face of their own: commands of RSA units, candidates of prime
testers, searches of prime generators.

Answers are those of the integer models for the same random bits, and GMP says of each number
whether it is prime. As for multipliers, the cases that a run has met are counted; those that a unit
can meet stand with zero before it begins.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from gmpy2 import is_prime, next_prime

from redcore.design import Design, Family, Value
from redcore.errors import BadInput, CheckFailed
from redcore.units.copies import copies_of
from redcore.units.prime import bench as prime_bench
from redcore.units.prime.bench import Answer, Found
from redcore.units.prime.generator import PrimeGeneratorUnit
from redcore.units.prime.model import PRIME_BITS, PrimeTester, Reason
from redcore.units.prime.tester import PrimeTesterUnit
from redcore.units.rsa import bench as rsa_bench
from redcore.units.rsa.family import RsaUnit
from redcore.units.rsa.model import OPERATIONS, Command, Held, Rsa, Status
from redcore.verify.unit_checks import prime as prime_check
from redcore.verify.unit_checks import rsa as rsa_check

WIDTHS = (16, 64, 128, 256)
"""Of the default parameters where these are legal; a key of 256 bits is made in seconds."""
ALONE: dict[str, Value] = {"bus": "none", "copies": 1}
"""What is said of drawn designs: the unit itself is driven, one of it."""
SEVERAL = 24
"""Candidates of one turn, or a sixth as many primes; with stalls in every second turn."""
_SMALL = 40
"""Below it, or so far from the top, a candidate is at an end of the range."""
_PSEUDOPRIMES = (561, 1105, 1729, 2047, 3277, 4033, 8321, 65281, 3215031751, 3825123056546413051)
"""Of Carmichael, and strong ones to base 2; the last two pass the first four and nine primes."""


@dataclass(frozen=True)
class Worked:
    """What a run has found: operations carried out, what was wrong first, cases and their hits."""

    operations: int
    failures: list[str]
    cases: dict[str, int]


def works(design: Design, operations: int, seed: int, sources: Sequence[Path] = ()) -> Worked:
    """``operations`` of a unit, with stalls; ends at what is wrong first.

    ``sources`` are files that stand in for the library's of the same names. Raises BadInput for a
    design that cannot be driven so.
    """
    if reason := refusal(design):
        raise BadInput(reason)
    return _WORKS[design.family.kind](design, operations, seed, sources)


def widths(family: Family) -> list[int]:
    """Widths at which a unit is tried with its default parameters."""
    return [width for width in WIDTHS if not family.reasons(width, {})]


def refusal(design: Design) -> str:
    """Why there is no campaign of a design with a face of its own; empty where there is."""
    family, values = design.family, design.values
    known = isinstance(family, RsaUnit | PrimeTesterUnit | PrimeGeneratorUnit)
    if not known and copies_of(design) == 1:
        return (
            f"{family.name} has a face of its own, which campaigns do not know;"
            f" `{family.other_face}` simulates it"
        )
    if not known or values.get("bus", "none") != "none":
        return f"a campaign of {family.name} is of one unit alone: leave copies and bus out"
    return ""


def _rsa(design: Design, operations: int, seed: int, sources: Sequence[Path]) -> Worked:
    """Commands, legal and not, on keys of all kinds, in any order."""
    family = design.family
    assert isinstance(family, RsaUnit)
    unit = family.unit(design.width, design.values)
    multiplier = family.multiplier_design(design.width, design.values)
    cycles = ceil(2 * operations * design.geometry.latency_cycles)
    library = rsa_bench.library(unit, multiplier, replaced=sources, cycles=cycles)
    with rsa_bench.RsaBench(unit, library, seed) as bench:
        choose = random.Random(seed)
        pair = rsa_check.Pair(unit, bench, choose, rsa_bench.PATIENCE)
        done = 0
        try:
            for done in range(1, operations + 1):
                # Half the keys that are drawn are wrong, and without one most commands end at once.
                held = pair.model.held is not Held.NONE or choose.random() < 0.5
                if wrong := next(pair.any_command() if held else pair.load(), ""):
                    return Worked(done, [wrong], _of_commands(unit, pair.met))
        except CheckFailed as fault:
            return Worked(done, [str(fault)], _of_commands(unit, pair.met))
    return Worked(operations, [], _of_commands(unit, pair.met))


_ENDS = {
    Command.LOAD_KEY: (Status.OK, Status.LENGTH, Status.BAD_KEY),
    Command.LOAD_PUBLIC: (Status.OK, Status.LENGTH, Status.BAD_KEY),
    Command.READ_KEY: (Status.OK, Status.NO_KEY),
    Command.CLEAR: (Status.OK,),
}
_ENDS_OF_OPERATIONS = (Status.OK, Status.NO_KEY, Status.LENGTH, Status.BAD_OPERAND)


def _of_commands(unit: Rsa, met: Counter[tuple[Command, Status]]) -> dict[str, int]:
    """How often each command ended in each way, in words; a private one may find a wrong key."""
    made = (Status.OK,) if unit.generate else (Status.UNSUPPORTED,)
    ends = {Command.GENERATE: made, **_ENDS}
    ends |= dict.fromkeys(OPERATIONS, _ENDS_OF_OPERATIONS)
    for private in (Command.PRIVATE, Command.PRIVATE_CRT):
        ends[private] += (Status.FAULT,)
    wanted = [(command, status) for command, each in ends.items() for status in each]
    return {
        f"{command.name.lower()} ends with {status.name.lower()}": met[command, status]
        for command, status in dict.fromkeys([*wanted, *met])
    }


def _tests(design: Design, operations: int, seed: int, sources: Sequence[Path]) -> Worked:
    """Candidates of all kinds."""
    family = design.family
    assert isinstance(family, PrimeTesterUnit)
    unit = family.unit(design.width, design.values)
    choose, cases = random.Random(seed), Counter(dict.fromkeys(_cases_of_tests(unit), 0))
    with _opened(design, operations, seed, sources) as bench:
        while (done := len(bench.found)) < operations:
            count = min(SEVERAL, operations - done)
            numbers = [candidate(unit, choose) for _ in range(count)]
            turn = prime_check.answers(unit, bench, numbers, stalls=done // SEVERAL % 2 == 1)
            wrong = _first(turn)
            for number, answer in zip(numbers, bench.found[done:], strict=False):
                assert isinstance(answer, Answer)
                cases.update(_of_answer(number, answer))
                # A composite number may pass, a prime one does not fail.
                if not answer.prime and number < 1 << unit.width and is_prime(number):
                    wrong = wrong or f"{number:#x} is prime, and said not to be"
            if wrong:
                return Worked(len(bench.found), [wrong], dict(cases))
    return Worked(operations, [], dict(cases))


def candidate(unit: PrimeTester, choose: random.Random) -> int:
    """A number for a tester: of any size, prime, of few factors, at an end of what it takes."""
    width, top = unit.width, 1 << unit.width
    size = choose.choice((width, width, choose.randint(2, width)))
    half = choose.getrandbits(max(2, size // 2))
    kinds: tuple[Callable[[], int], ...] = (
        lambda: choose.getrandbits(size),
        lambda: choose.getrandbits(size) | 1,
        lambda: int(next_prime(choose.getrandbits(size))),
        lambda: int(next_prime(choose.getrandbits(size))),
        lambda: int(next_prime(half)) ** 2,
        lambda: int(next_prime(half) * next_prime(choose.getrandbits(max(2, size // 2)))),
        lambda: choose.choice(_PSEUDOPRIMES),
        lambda: choose.randrange(min(top, _SMALL)),
        lambda: top - 1 - choose.randrange(min(top, _SMALL)),
        lambda: (choose.getrandbits(8) | 1) << choose.randrange(width) | 1,  # many squarings
        lambda: choose.getrandbits(unit.bits),
    )
    return choose.choice(kinds)() % (1 << unit.bits)


def _cases_of_tests(unit: PrimeTester) -> list[str]:
    """Those that a tester can meet whatever its bases; see ``_of_answer``."""
    cases = [_kind(prime, reason) for prime, reason in _ANSWERS]
    if unit.bits == unit.width:
        cases.remove(_kind(False, Reason.RANGE))
    cases += ["even", "below 2", *_SIZES]
    return cases


_SIZES = f"of at most {PRIME_BITS} bits", "of more bits"
_ANSWERS = (
    (True, Reason.TRIAL), (False, Reason.TRIAL), (False, Reason.WITNESS),
    (True, Reason.PASSED), (False, Reason.RANGE),
)  # fmt: skip


def _kind(prime: bool, reason: Reason) -> str:
    return f"{'prime' if prime else 'not prime'} by {reason.name.lower()}"


def _of_answer(number: int, answer: Answer) -> Iterator[str]:
    reason = Reason(answer.reason)
    yield _kind(answer.prime, reason)
    if reason is Reason.WITNESS:
        yield "not prime by witness" + (" behind others" if answer.passed else " at once")
    if number % 2 == 0:
        yield "even"
    if number < 2:
        yield "below 2"
    if number >> PRIME_BITS == 0:
        yield _SIZES[0]
    elif reason is not Reason.RANGE:
        yield _SIZES[1]


def _searches(design: Design, operations: int, seed: int, sources: Sequence[Path]) -> Worked:
    """Primes, alone and one right behind the other."""
    family = design.family
    assert isinstance(family, PrimeGeneratorUnit)
    unit = family.unit(design.width, design.values)
    cases = Counter(dict.fromkeys(_CASES_OF_SEARCHES, 0))
    with _opened(design, operations, seed, sources) as bench:
        turn = 0
        while (done := len(bench.found)) < operations:
            count = min(SEVERAL // 6, operations - done)
            found = prime_check.primes(unit, bench, count, turn % 2 == 0, turn // 2 % 2 == 1)
            wrong, turn = _first(found), turn + 1
            for one in bench.found[done:]:
                assert isinstance(one, Found)
                cases.update(_of_search(one))
                if not is_prime(one.prime) or one.prime.bit_length() != unit.width:
                    wrong = wrong or f"{one.prime:#x} is no prime of {unit.width} bits"
            if wrong:
                return Worked(len(bench.found), [wrong], dict(cases))
    return Worked(operations, [], dict(cases))


_CASES_OF_SEARCHES = (
    "the first number", "a later number", "none divided away", "some divided away",
    "the first that is tested", "composites tested before",
)  # fmt: skip


def _of_search(one: Found) -> Iterator[str]:
    yield "the first number" if one.count == 1 else "a later number"
    yield "none divided away" if one.count == one.tested else "some divided away"
    yield "the first that is tested" if one.tested == 1 else "composites tested before"


def _opened(
    design: Design, operations: int, seed: int, sources: Sequence[Path]
) -> prime_check.Noted:
    family, width, values = design.family, design.width, design.values
    assert isinstance(family, PrimeTesterUnit | PrimeGeneratorUnit)
    unit, exponentiator = family.unit(width, values), family.exponentiator(width, values)
    cycles = operations * design.geometry.latency_cycles
    library = prime_bench.library(unit, exponentiator, replaced=sources, cycles=cycles)
    return prime_check.Noted(unit, library, seed, prime_check.patience_with(design))


def _first(wrong: Iterator[str]) -> str:
    """What is wrong first; nothing where nothing is."""
    try:
        return next(wrong, "")
    except CheckFailed as fault:
        return str(fault)
    except RuntimeError:  # of a generator of Python
        return "the model takes more random bits"


_WORKS: dict[str, Callable[[Design, int, int, Sequence[Path]], Worked]] = {
    "rsa": _rsa,
    "prime": _tests,
    "prime-gen": _searches,
}
"""By the kind of unit."""
