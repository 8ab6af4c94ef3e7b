# SPDX-License-Identifier: Apache-2.0
"""A quick check of all of the multiplier contract, on a model that holds many mutants of a core.

What ``redcore simulate`` checks (cycles, products against GMP with idles and back-pressure, changes
of the modulus), and what tests/contract does beside it, at the same speed: results that wait until
the core is full, a modulus among operands that do not stop, reset in the middle of work, illegal
input and ``err_o``.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import ceil
from pathlib import Path

from redcore.design import Design, index_bits
from redcore.simulate import compile as build
from redcore.simulate import design_moduli, first_wrong
from redcore.simulate.check import Checker
from redcore.simulate.loaded import Loaded
from redcore.simulate.simulator import Load, Simulator

DRIVER = Path(__file__).with_name("mutants.cpp")
VECTORS = 1500
"""Multiplications with stalls, as the quick tests of each family take."""
SHAKES = 96
"""Resets in the middle of work: as many as it takes that one of a single cycle, often the least
that clears what moves on every cycle, falls onto each of some dozens of registers."""
POWER_UPS = 40
"""Fresh cores, with other contents of their registers, which answer a few multiplications."""
_ROSE = "err_o rose"


class Becoming(Loaded):
    """A bench of a model with a port ``mutsel``, beside the bench's own class: as the mutant of
    ``_number``, which is set before it is opened; 0 is the core itself."""

    _number: int

    def reset(self) -> None:
        """As which mutant, too."""
        self._library.redc_become.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
        self._library.redc_become(self._live(), self._number)
        super().reset()


class Mutated(Becoming, Simulator):
    """A core as one of its mutants."""

    def __init__(self, design: Design, number: int, sources: Sequence[Path], seed: int = 1) -> None:
        self._number = number
        super().__init__(design, seed, sources)

    def _library_of(self, files: Sequence[Path], trace: bool, cycles: int | None) -> Path:
        return compiled(self.design, files)

    def error(self) -> bool:
        """The level of err_o."""
        self._library.redc_error.argtypes = [ctypes.c_void_p]
        return bool(self._library.redc_error(self._live()))

    def shake(self, cycles: int, reset_cycles: int, quiet_cycles: int) -> list[str]:
        """Anything for so many cycles, a reset, and nothing; the faults."""
        told = self._library.redc_shake
        told.argtypes = [ctypes.c_void_p, *[ctypes.c_uint32] * 4]
        told(self._live(), cycles, reset_cycles, quiet_cycles, self.geometry.moduli)
        return self._faults()

    def _check_modulus(self, load: Load) -> None:
        """Any that the words hold: illegal ones are among what is checked."""

    def _check_place(self, index: int) -> None:
        """Any that the ports carry."""


def compiled(design: Design, files: Sequence[Path]) -> Path:
    """The model; Verilator takes its parameters from the file."""
    return build.library(files, design.family.module, {}, driver=DRIVER, cycles=0)


def wrong(design: Design, number: int, sources: Sequence[Path], seed: int = 1) -> str:
    """What of a mutant is seen to be wrong first, in a sentence; nothing where nothing is."""

    return wrong_of(design, lambda at: Mutated(design, number, sources, seed + at), seed)


def wrong_of(
    design: Design, opened: Callable[[int], Mutated], seed: int = 1, vectors: int = VECTORS
) -> str:
    """The same of a core that ``opened`` gives, each time anew, of a power-up's number."""
    if told := first_wrong(design, lambda: opened(0), vectors, seed):
        return told
    return next(iter(_contract(design, opened, seed)), "")


def _contract(design: Design, opened: Callable[[int], Mutated], seed: int) -> Iterator[str]:
    """The first breach of the rest of the contract, if any."""
    choose = random.Random(f"{design.label()} {seed}")
    for part in (_full, _among_operands, _resets, _illegal, _alone, _absent):
        with opened(0) as core:
            yield from islice(part(core, choose), 1)
    # What registers hold at power-up is another each time, and the first answers do not tell.
    for power_up in range(1, POWER_UPS + 1):
        with opened(power_up) as core:
            work = Work(core, choose)
            yield from work.load(*choose.sample(work.moduli, min(3, len(work.moduli))))
            yield from work.idle()


class Work:
    """Legal work for a core, and what is wrong with its answers."""

    def __init__(self, core: Mutated, choose: random.Random) -> None:
        self.core, self.choose, self.design = core, choose, core.design
        self.moduli = design_moduli(core.design, 3)
        self.in_place: list[int] = []

    def load(self, *moduli: int) -> list[str]:
        """One in each place."""
        places = self.core.geometry.moduli
        self.in_place = [moduli[place % len(moduli)] for place in range(places)]
        loads = [Load(modulus, place) for place, modulus in enumerate(self.in_place)]
        return self.core.run([], loads).faults

    def pairs(self, count: int, smallest: int | None = None) -> list[tuple[int, int, int]]:
        """Operands, often at an edge; below the limits of ``smallest``, where it is given."""
        found = []
        for _ in range(count):
            place = self.choose.randrange(len(self.in_place))
            a, b = self.design.operand_limits(smallest or self.in_place[place])
            found.append((self._operand(a), self._operand(b), place))
        return found

    def _operand(self, limit: int) -> int:
        draw = self.choose.randrange
        return self.choose.choice([0, limit - 1, draw(limit), draw(limit), draw(limit)])

    def right(self, batch: Sequence[tuple[int, int, int]], stalls: bool = False) -> list[str]:
        """What is wrong with a batch whose moduli stay."""
        run = self.core.run(batch, stalls=stalls)
        return run.faults or self.judged(batch, run.results)

    def judged(self, batch: Sequence[tuple[int, int, int]], results: Sequence[int]) -> list[str]:
        """What is wrong with its answers."""
        checker = Checker(self.design)
        for (a, b, place), result in zip(batch, results, strict=True):
            if not checker.right(a, b, self.in_place[place], result, True):
                return [f"a={a:#x} b={b:#x} m={self.in_place[place]:#x} gave {result:#x}"]
        return []

    def idle(self) -> list[str]:
        """Time for a late err_o: a few multiplications, as they come after each other."""
        return self.right(self.pairs(self.core.geometry.slots + 2))


def _span(core: Mutated) -> int:
    geometry = core.geometry
    return geometry.latency_cycles + int(geometry.slots * geometry.interval_cycles)


def _full(core: Mutated, choose: random.Random) -> Iterator[str]:
    """Results wait so long that nothing more fits in, and operands so long that all is empty."""
    work = Work(core, choose)
    core.longest_stall = 2 * _span(core)
    for modulus in work.moduli[:4]:
        yield from work.load(modulus, *choose.sample(work.moduli, min(3, len(work.moduli))))
        yield from work.right(work.pairs(12 * core.geometry.slots + 24), stalls=True)


def _among_operands(core: Mutated, choose: random.Random) -> Iterator[str]:
    """A modulus gets its turn though operands keep coming, and results are of the right one."""
    work, geometry = Work(core, choose), core.geometry
    big = max(work.moduli)
    small = max((each for each in work.moduli if each != big), default=big)
    limit = 3 * _span(core) + 8 * geometry.beats + 8 * core.design.width
    count = 2 * geometry.slots + 8 + ceil(limit / geometry.interval_cycles)
    for number in range(4):
        yield from work.load(big, small)
        place = number % geometry.moduli
        start = choose.randint(1, 2 * geometry.slots + 2)
        batch = work.pairs(count, min(big, small))
        new = small if work.in_place[place] == big else big
        run = core.run(batch, [Load(new, place, start, count)])
        yield from run.faults
        if not run.loaded[-1]:
            yield "a modulus was not accepted while operands kept coming"
        for at, loaded in enumerate(run.loaded):
            if loaded and work.in_place[place] != new:
                work.in_place[place] = new
            yield from work.judged(batch[at : at + 1], run.results[at : at + 1])


def _resets(core: Mutated, choose: random.Random) -> Iterator[str]:
    """A reset drops all that is under way, and what comes after it is right."""
    work, span = Work(core, choose), _span(core)
    for number in range(SHAKES):
        yield from work.load(*choose.sample(work.moduli, min(3, len(work.moduli))))
        if number % 2:
            yield from work.idle()
        quiet = 0 if number % 3 == 0 else 2 * span + 8
        cycles = choose.randint(1, 3 * span)
        yield from core.shake(cycles, choose.choice((1, 1, 1, 2, 3)), quiet)
        if number % 3 == 0:  # as a fresh one, with stalls and a load at once
            yield from work.load(*choose.sample(work.moduli, min(2, len(work.moduli))))
            yield from work.right(work.pairs(core.geometry.slots + 2), stalls=True)
    yield from work.load(*work.moduli[:3])
    yield from work.idle()


def _illegal(core: Mutated, choose: random.Random) -> Iterator[str]:
    """Illegal input raises err_o where the core checks, stays until reset, and never hangs; whose
    modulus and operands are legal is right, also among illegal ones."""
    work, design = Work(core, choose), core.design
    checks = bool(design.values.get("checks", 0))
    top = 1 << core.operand_bits
    tried = sorted(work.moduli)
    tried = [tried[-1], tried[0], *choose.sample(tried, min(4, len(tried)))]
    for modulus in dict.fromkeys(tried):
        a_limit, b_limit = design.operand_limits(modulus)
        pairs = [(a_limit, 0), (0, b_limit)]
        pairs += [(choose.randrange(a_limit, top), choose.randrange(b_limit)) if a_limit < top
                  else (a_limit, 0)]  # fmt: skip
        pairs += [(choose.randrange(a_limit), choose.randrange(b_limit, top)) if b_limit < top
                  else (0, b_limit)]  # fmt: skip
        pairs += [(a_limit, 0), (0, b_limit)]
        bad = [modulus - 1, 0, choose.randrange(0, 1 << design.width, 2)]
        kinds: list[tuple[int, int] | int] = [*(pair for pair in pairs if max(pair) < top), *bad]
        for kind in kinds:
            core.reset()
            place = choose.randrange(core.geometry.moduli)
            yield from work.load(modulus)
            yield from work.right([(a_limit - 1, b_limit - 1, place)])
            if core.error():
                yield "err_o is high though all was legal"
            if isinstance(kind, tuple):
                told, dirty = f"operands {kind}", -1
                at = choose.randrange(core.geometry.slots + 2)
            else:
                told, dirty, at = f"{kind:#x} as modulus", place, -1
                yield from _but_error(core.run([], [Load(kind, place)]).faults)
            # Whatever the values, every one is answered.
            batch = work.pairs(2 * core.geometry.slots + 4)
            if isinstance(kind, tuple):
                batch[at] = (*kind, place)
            yield from _beside(work, batch, at, dirty)
            if core.error() != checks:
                yield f"{told}, with m={modulus:#x}: err_o is {int(not checks)}"
            yield from _but_error(core.run([], [Load(modulus, place)]).faults)
            yield from _beside(work, work.pairs(core.geometry.slots + 4))


def _beside(
    work: Work, batch: Sequence[tuple[int, int, int]], illegal: int = -1, dirty: int = -1
) -> list[str]:
    """What is wrong with a batch, but for the one at ``illegal``, and those of the place ``dirty``,
    whose modulus is none."""
    run = work.core.run(batch)
    legal = [at for at, (_, _, place) in enumerate(batch) if at != illegal and place != dirty]
    return _but_error(run.faults) or work.judged(
        [batch[at] for at in legal], [run.results[at] for at in legal]
    )


def _but_error(faults: Sequence[str]) -> list[str]:
    return [text for text in faults if _ROSE not in text]


def _alone(core: Mutated, choose: random.Random) -> Iterator[str]:
    """Of a single place an index says nothing."""
    if core.geometry.moduli > 1:
        return
    work = Work(core, choose)
    for index in (1, 0):
        modulus = choose.choice(work.moduli)
        work.in_place = [modulus, modulus]
        yield from core.run([], [Load(modulus, index)]).faults
        yield from work.right(work.pairs(2 * core.geometry.slots + 4), stalls=True)


def _absent(core: Mutated, choose: random.Random) -> Iterator[str]:
    """A place that is not there raises err_o, and the others keep their moduli."""
    work, geometry = Work(core, choose), core.geometry
    absent = range(geometry.moduli, 1 << index_bits(geometry.moduli))
    if geometry.moduli < 2 or not absent or not core.design.values.get("checks", 0):
        return
    moduli = sorted(work.moduli)[-geometry.moduli :]
    for place in (absent[0], absent[-1]):
        for of_modulus in (False, True):
            core.reset()
            yield from work.load(*moduli)
            yield from work.idle()
            legal = work.pairs(2 * geometry.moduli + 2)
            if of_modulus:
                run = core.run(legal, [Load(moduli[0] - 2, place, 0, 0)])
                results = run.results
            else:
                run = core.run([(2, 3, place), *legal])
                results = run.results[1:]
            yield from _but_error(run.faults) or work.judged(legal, results)
            yield from _beside(work, legal)
            if not core.error():
                yield f"place {place} of the {'modulus' if of_modulus else 'operands'}: err_o is 0"
