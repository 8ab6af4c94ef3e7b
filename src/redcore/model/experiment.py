# SPDX-License-Identifier: Apache-2.0
"""Which few designs to synthesize so that a model can be fitted: a designed experiment.

The designs are chosen from hundreds of candidates so that the information matrix of the terms
has a large determinant (D-optimal), by adding greedily and then exchanging as Fedorov's algorithm
does; a candidate's size counts against it, as what matters is the time in which much is learned.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from math import log

import numpy as np

from redcore.design import Design, Family, Memory, Value
from redcore.model.fitting import Matrix

WIDTHS = (128, 192, 256, 384, 512, 1024, 2048)
POINTS = 16
_CANDIDATES = 500
LARGEST = 5_000
"""Bits of terms in a candidate: beyond, synthesis takes too long and no small device has room."""
_RIDGE = 1e-4
_THRIFT = 0.5
"""How much a candidate's size counts; 0 would take the largest ones."""
_RARE = 0.12
"""The share of candidates with several moduli or with checks, which few designs have."""


def usual_widths(family: Family) -> tuple[int, ...]:
    """The widths that a family is calibrated at, in bits."""
    return family.calibration_widths or WIDTHS


def size(design: Design) -> float:
    """A rough measure of how much there is to synthesize."""
    terms = design.terms(Memory())
    return sum(terms.ff.values()) + sum(terms.lut.values())


def _settings(
    family: Family,
    width: int,
    every: Mapping[str, tuple[Value, ...]],
    rng: random.Random,
    between: bool,
) -> dict[str, Value] | None:
    """A legal set of values from the family's levels, or between them; None where it failed."""
    settings: dict[str, Value] = {}
    for name, levels in every.items():
        # no level is left at a width that is narrower than all of them
        values = levels or (family.parameter(name).default_for(width),)
        if name in ("moduli", "checks"):
            settings[name] = values[-1] if rng.random() < _RARE else values[0]
            continue
        settings[name] = (
            _between(values, rng) if between else rng.choice(values)
        )
    return None if family.reasons(width, settings) else settings


def _between(values: Sequence[Value], rng: random.Random) -> Value:
    """Any value of a range, small ones as likely as large ones; one of the named choices."""
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) < 3:
        return rng.choice(values)
    low, high = min(numbers), max(numbers)
    return min(high, int(low * ((high + 1) / low) ** rng.random())) if low else rng.choice(values)


def sample(
    family: Family,
    widths: Sequence[int],
    count: int,
    seed: int,
    between: bool = False,
    largest: float = LARGEST,
) -> list[Design]:
    """Different legal designs at random, none larger than ``largest``.

    ``between`` takes any number in the range of a parameter's levels and not only the levels, as
    for designs that a model is tested on.
    """
    rng = random.Random(f"{family.name} {seed}")
    found: dict[str, Design] = {}
    levels = cache(family.levels)
    for _ in range(10 * count):
        if len(found) == count:
            break
        width = rng.choice(widths)
        settings = _settings(family, width, levels(width), rng, between)
        if settings is None:
            continue
        design = family.design(width, settings)
        if size(design) <= largest:
            found.setdefault(design.command_line(), design)
    return list(found.values())


def _rows(designs: Sequence[Design], memory: Memory, clock: bool) -> list[Matrix]:
    """A matrix for each kind of figure: terms in parts of their sum, as errors are relative."""
    matrices = []
    for kind in ("delay",) if clock else ("lut", "ff"):
        terms = [getattr(design.terms(memory), kind) for design in designs]
        names = list(dict.fromkeys(name for each in terms for name in each))
        matrix = np.array([[each.get(name, 0.0) for name in names] for each in terms])
        # a term is worth as much as any other, whatever its unit
        typical = np.array(
            [np.mean(column[column > 0]) if column.any() else 1.0 for column in matrix.T]
        )
        matrix = matrix / typical
        if not clock:
            matrix = matrix / matrix.sum(axis=1, keepdims=True)
        matrices.append(matrix)
    return matrices


def experiment(
    family: Family,
    memory: Memory,
    widths: Sequence[int] = WIDTHS,
    points: int = POINTS,
    clock: bool = False,
    largest: float = LARGEST,
) -> list[Design]:
    """The designs to synthesize; with ``clock``, those to place and route.

    Each point has its width beforehand, as nothing should rest on a formula in the width alone:
    the narrowest and the widest with default parameters, then the others, narrow ones more often.
    Settings are chosen for the information they add, but for every third point, which is taken at
    random: it shows where the terms are not the whole truth.
    """
    pool = sample(family, widths, _CANDIDATES, seed=1, largest=largest)
    defaults = [family.design(width) for width in sorted({min(widths), max(widths)})]
    candidates = defaults + [design for design in pool if design not in defaults]
    of_width = np.array([design.width for design in candidates])
    matrices = _rows(candidates, memory, clock)
    thrift = np.array([_THRIFT * log(max(1.0, size(design))) for design in candidates])
    chosen = list(range(len(defaults)))
    spare = np.ones(len(candidates), dtype=bool)
    spare[chosen] = False
    at_random: set[int] = set()
    for width in _schedule(widths, points - len(chosen)):
        if not spare.any():
            break
        here = spare & (of_width == width)
        here = here if here.any() else spare
        if len(chosen) % 3 == 0:
            # candidates come in random order
            at_random.add(len(chosen))
            best = int(np.argmax(here))
        else:
            best = int(np.argmax(np.where(here, _gains(matrices, chosen) - thrift, -np.inf)))
        chosen.append(best)
        spare[best] = False
    for place in range(len(defaults), len(chosen)):
        if place in at_random:
            continue
        gains = _gains(matrices, chosen[:place] + chosen[place + 1 :]) - thrift
        allowed = np.where(spare & (of_width == of_width[chosen[place]]), gains, -np.inf)
        best = int(np.argmax(allowed))
        if allowed[best] > gains[chosen[place]] + 1e-9:
            spare[chosen[place]], spare[best] = True, False
            chosen[place] = best
    return [candidates[index] for index in chosen]


def _schedule(widths: Sequence[int], points: int) -> list[int]:
    """A width for each point: the less often the wider, the widest not at all.

    It is the width furthest behind its share, which falls with the root of the width.
    """
    ordered = sorted(set(widths))[:-1] or list(widths)
    shares = {width: width**-0.5 for width in ordered}
    given = dict.fromkeys(ordered, 0)
    turn = []
    for _ in range(points):
        width = max(ordered, key=lambda each: shares[each] / (given[each] + 1))
        given[width] += 1
        turn.append(width)
    return turn


def _gains(matrices: Sequence[Matrix], chosen: Sequence[int]) -> Matrix:
    """How much each candidate would add to the logarithm of the determinants."""
    total = np.zeros(len(matrices[0]))
    for matrix in matrices:
        rows = matrix[list(chosen)]
        inverse = np.linalg.inv(rows.T @ rows + _RIDGE * np.eye(matrix.shape[1]))
        total += np.log1p(np.einsum("ij,jk,ik->i", matrix, inverse, matrix))
    return total
