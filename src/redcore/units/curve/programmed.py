# SPDX-License-Identifier: Apache-2.0
"""The programs of a design, as they are written and scheduled for its multiplier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from redcore.design import Design
from redcore.units.copies import copies_of
from redcore.units.curve import programs
from redcore.units.curve.bounds import LoopReport, loop_bound
from redcore.units.curve.encode import Fields, encode
from redcore.units.curve.formulas import FULL, PRODUCTS, Loop, Operation, Part, Program
from redcore.units.curve.montgomery import LADDER
from redcore.units.curve.places import Place
from redcore.units.curve.play import Machine, Sizes
from redcore.units.curve.programs import ProgramText
from redcore.units.curve.schedule import Scheduled, arrange, steady

PADDED = Operation("choose", "nothing'", "unit", "unit")
"""Behind the only operation of a loop."""


@dataclass(frozen=True, eq=False)
class Written:
    """The two programs of a design as they are written, in no order yet, and their sizes.

    All here is quick to have. ``flush`` is the last stage of the main program.
    """

    text: ProgramText
    load: Sequence[Program]
    main: Sequence[Program]
    lengths: Mapping[str, int]
    sizes: Sizes
    fields: Fields
    blinded: int
    """Random bits of the scalar."""

    @property
    def fixed(self) -> Mapping[str, Place]:
        """Places with a meaning."""
        return {**self.text.fixed, PADDED.target: (0, self.text.places - 3)}

    @property
    def length(self) -> int:
        """Instructions, with the ends of both programs; a schedule changes none of it."""
        return sum(1 + sum(map(_length, chain(*stages))) for stages in (self.load, self.main))


def _length(part: Part) -> int:
    """Instructions of a part; a loop is one more, and has two at least."""
    return 1 + max(2, len(part.body)) if isinstance(part, Loop) else 1


@dataclass(frozen=True, eq=False)
class Programs:
    """The two programs of a design, and what they go through."""

    text: ProgramText
    load: Scheduled
    main: Scheduled
    lengths: Mapping[str, int]
    sizes: Sizes
    fields: Fields
    instructions: tuple[int, ...]
    entry: int
    flush: int
    blinded: int
    """As of ``Written``."""


@lru_cache(maxsize=1024)
def written(
    multiplier: Design,
    scalar_bits: int,
    sizes: Sizes,
    text: ProgramText = LADDER,
    blinding: int = 32,
    scalar_blinding: int = 0,
) -> Written:
    """The programs for one multiplier, before they are scheduled; with random bits of coordinates
    and of the scalar."""
    geometry = multiplier.geometry
    number_bits = geometry.word_bits * geometry.beats
    lengths = {
        "scalar": number_bits if text.long else scalar_bits + scalar_blinding,
        "high": scalar_bits - number_bits,
        "exponent": multiplier.width,
        "radix": geometry.r_bits,
        "random": blinding,
        "second": scalar_bits,
        FULL: text.full,
    }
    several = copies_of(multiplier)
    load = _even([text.load(geometry.r_bits)], several, lengths)
    program = text.program(blinding > 0)
    if any(_waits(part, Machine(multiplier, sizes)) for part in program):
        program = text.program(blinding > 0, at_once=True)
    main = _even([program], several, lengths)
    most = max(geometry.r_bits, lengths["scalar"])
    fields = Fields.of(sizes, most, text.places, text.window > 0)
    flush = programs.flush(2 * geometry.slots + 2 * several)
    return Written(text, load, [*main, flush], lengths, sizes, fields, scalar_blinding)


@lru_cache(maxsize=1024)
def scheduled(
    multiplier: Design,
    scalar_bits: int,
    sizes: Sizes,
    text: ProgramText = LADDER,
    blinding: int = 32,
    scalar_blinding: int = 0,
    apart: bool = True,
) -> Programs:
    """The programs for one multiplier, made once; ``apart`` is as of ``schedule.allocate``."""
    found = written(multiplier, scalar_bits, sizes, text, blinding, scalar_blinding)
    machine, lengths, fields = Machine(multiplier, sizes), found.lengths, found.fields
    places, kept, fixed = text.places, text.kept_places, found.fixed
    load = arrange(found.load, machine, lengths, fixed, kept, places)
    main = arrange(found.main, machine, lengths, fixed, kept, places, apart)
    first, second = (encode(one, fields, sizes.bits, lengths, PADDED) for one in (load, main))
    whole, flush = (*first, *second), found.main[-1]
    begins = len(first), len(whole) - 1 - len(flush)
    return Programs(text, load, main, lengths, sizes, fields, whole, *begins, found.blinded)


def _waits(part: Part, machine: Machine) -> bool:
    """Whether that is an inversion that waits too long for its choices, here; there are few orders
    of it."""
    if not isinstance(part, Loop) or part.over != "exponent":
        return False
    cycles, bound = steady(part.body, machine), loop_bound(part.body, machine)
    return LoopReport(part.over, 1, cycles, bound).far


def _even(stages: list[Program], several: int, lengths: Mapping[str, int]) -> list[Program]:
    """Programs, and products of ones behind them, so that each multiplier makes as many.

    Then each job finds the multipliers as the one before did: whose turn it is, and of those that
    take operands now and then in which cycles.
    """
    products = 0
    for part in chain(*stages):
        if isinstance(part, Operation):
            products += part.kind in PRODUCTS
        elif isinstance(part, Loop):
            body = sum(one.kind in PRODUCTS for one in part.body)
            products += part.iterations(lengths) * body
    spare = -products % several
    return [*stages, programs.spare(spare)] if spare else stages
