# SPDX-License-Identifier: Apache-2.0
"""Attacks on traces without noise: each has to succeed where nothing protects, and fail elsewhere.

Known to the attacker are the unit, its schedule, and what it does with exponents of his own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np
import numpy.typing as npt

from redcore.catalogue import family
from redcore.design import Design, Value, number
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.formulas import Loop, digits
from redcore.verify.leakage.subjects import OnContract
from redcore.verify.leakage.traces import WHOLE, Built, Measured, Traces, compiled

Array = npt.NDArray[np.float64]
_KNOWN = 6
"""Traces of exponents that the attacker knows, from which he has the cycle to look at."""
CELLS = "gen_bank[0].gen_blocks.gen_operand[0].u_values.gen_generic.i_memory"
"""The memory of a curve's sums, among them what digits pick, in block memory."""
_BEHIND = 60
"""Cycles behind a pick's beginning among which that of its first word in memory is."""


@dataclass(frozen=True)
class Success:
    """How an attack went: trials with every bit right, and the share of bits that were."""

    trials: int
    whole: int
    bits: float


def split(values: Array) -> npt.NDArray[np.bool_]:
    """Two clusters of numbers, those of the upper one true: the cut with least variance inside."""
    order = np.sort(values)
    best, cut = np.inf, order[-1]
    for at in range(1, len(order)):
        if order[at] > order[at - 1]:
            inside = order[:at].var() * at + order[at:].var() * (len(order) - at)
            if inside < best:
                best, cut = inside, order[at]
    return np.asarray(values >= cut)


def bit_period(design: Design) -> int:
    """Cycles that one more bit of the exponent takes, of methods other than windows.

    Of a window, those of one square: the bits are gone through by it.
    """
    of = design if design.values["method"] != "window" else _with(design, method="ltr")
    bits = number(of.values, "exp_bits")
    longer, shorter = (of.family.geometry(of.width, {**of.values, "exp_bits": bits - less})
                       for less in (0, 1))  # fmt: skip
    period = longer.latency_cycles - shorter.latency_cycles
    return int(period) // (2 if of is not design else 1)


def single_trace(design: Design, part: str, trials: int, seed: int = 1) -> Success:
    """Read the exponent of an exponentiator from one trace each, of registers named so, or all.

    The samples of one cycle in each bit's turn are put into two clusters: the upper one are the
    ones. With ``part`` the memory of values this is simple power analysis of its writes; with all
    registers horizontal clustering. From known exponents comes only which cycle to look at.
    """
    subject = OnContract(design, seed)
    bits, period = number(design.values, "exp_bits"), bit_period(design)
    done, raw = _recorded(subject, compiled(subject, None), part, _KNOWN + trials, seed)
    length = raw.shape[1]
    true = np.array(
        [[values["exponent"] >> at & 1 for at in range(bits)] for values in done.values], dtype=bool
    )
    if design.values["method"] != "rtl":
        true = true[:, ::-1]  # the highest one first
    turns = period * np.arange(bits)
    known = [
        np.mean([(split(raw[at, first + turns]) == true[at]).mean() for at in range(_KNOWN)])
        for first in range(length - period * (bits - 1))
    ]
    first = int(np.argmax(known))
    right = np.array([split(raw[at, first + turns]) == true[at] for at in range(_KNOWN, len(raw))])
    return Success(trials, int(right.all(axis=1).sum()), float(right.mean()))


def _recorded(
    subject: OnContract, built: Built, part: str, jobs: int, seed: int
) -> tuple[Measured, Array]:
    """Jobs drawn for an attack, and what toggled in each of them, by cycle: of registers named so,
    or all."""
    with Traces(subject, built, seed) as bench:
        bench.only(part)
        length, expected = bench.length()
        choose = random.Random(f"{seed} attack")
        drawn = [(*subject.draw(choose, "", False), 0) for _ in range(jobs)]
        done = bench.run(drawn, length, expected, moments=False, raw=WHOLE)
    assert done.raw is not None
    return done, done.raw.astype(float)


class PlacesOfTheirOwn(CurveUnit):
    """A curve processor in which each pick has a place of its own."""

    apart = False


def picks(
    settings: Mapping[str, Value], width: int, modulus: int, trials: int, *, apart: bool = True,
    part: str = CELLS, seed: int = 1,
) -> Success:  # fmt: skip
    """Read the lowest bit of a curve's digits from one trace each, of the cells that picks write,
    or of other registers.

    Cells that hold an entry of the table are written over by the same one or by another one, as the
    bit is that of the digit before or is not. Where the picks of a digit toggle anything, or are in
    the upper one of two clusters, that is taken for a change. Of ``apart`` see
    ``redcore.units.curve.schedule.allocate``. From known scalars come only how far behind its
    beginning a pick is written, and which rule to take.
    """
    unit = (CurveUnit if apart else PlacesOfTheirOwn)(family("csa"))
    design = unit.design(width, settings)
    programs = unit.programs(width, design.values)
    (loop,) = (part for part in programs.main.program if isinstance(part, Loop) and part.window)
    # When those of an iteration begin that choose between two entries, each of them.
    begun = [
        [at for one, at in unit.begins(width, design.values) if one == pick]
        for pick in loop.body
        if pick.kind == "pick" and pick.bit == 0
    ]
    subject = OnContract(design, seed, modulus)
    built = compiled(subject, None)
    done, raw = _recorded(subject, built, part, _KNOWN + trials, seed)
    count = programs.lengths["scalar"]
    true = []
    for values in done.values:
        found = list(digits(loop, {"scalar": (values["scalar"], count)}))
        true.append(np.array([(one ^ other) & 1 for one, other in pairwise(found)], dtype=bool))
    # The words of a value are written one behind the other.
    raw = np.cumsum(np.pad(raw, ((0, 0), (1, 0))), axis=1)
    words = programs.sizes.words

    def read(at: int, behind: int, rule: Callable[[Array], Any]) -> npt.NDArray[np.bool_]:
        first = np.array(begun)[:, 1:] + behind
        return np.asarray(rule((raw[at, first + words] - raw[at, first]).sum(axis=0)))

    def known(way: tuple[int, Callable[[Array], Any]]) -> float:
        return float(np.mean([(read(at, *way) == true[at]).mean() for at in range(_KNOWN)]))

    way = max(product(range(_BEHIND), (split, lambda one: one > 0)), key=known)
    right = np.array([read(at, *way) == true[at] for at in range(_KNOWN, len(raw))])
    return Success(trials, int(right.all(axis=1).sum()), float(right.mean()))


def correlation(design: Design, traces: int, trials: int, seed: int = 1) -> Success:
    """Find the two upper windows of a fixed exponent from jobs with known messages.

    For each of the values they may have, the power that the exponentiation then has come to and
    its next squares are computed, and their ones are correlated with every sample (Brier, Clavier &
    Olivier 2004); the right one is to have the largest sum. A trial is an exponent.
    """
    subject = OnContract(design, seed)
    bits, window = number(design.values, "exp_bits"), number(design.values, "window")
    guesses = range(1 << window, 1 << 2 * window)
    whole, bits_right = 0, 0.0
    built = compiled(subject, None)
    for trial in range(trials):
        choose = random.Random(f"{seed} correlation {trial}")
        secret = choose.choice(guesses)
        exponent = secret << bits - 2 * window | choose.getrandbits(bits - 2 * window)
        jobs = []
        for _ in range(traces):
            values = {"message": choose.randrange(subject.modulus), "exponent": exponent}
            jobs.append((subject.inputs(values), values, 0))
        with Traces(subject, built, seed + trial) as bench:
            bench.whole_alone()
            length, expected = bench.length()
            done = bench.run(jobs, length, expected, moments=False, raw=WHOLE)
        assert done.raw is not None
        raw, score = done.raw.astype(float), np.zeros(len(guesses))
        for squares in range(window + 1):
            score += _correlations(_ones(subject, done.values, guesses, squares), raw)
        found = guesses[int(score.argmax())]
        whole += found == secret
        bits_right += 1 - (found ^ secret).bit_count() / (2 * window)
    return Success(trials, whole, bits_right / trials)


def _ones(
    subject: OnContract, values: list[dict[str, int]], guesses: range, squares: int
) -> Array:
    """Of each guess and job the ones of that power, squared so often, as the unit holds it."""
    modulus = subject.modulus
    radix = pow(2, subject.r_bits, modulus)
    return np.array(
        [
            [
                (pow(each["message"], guess << squares, modulus) * radix % modulus).bit_count()
                for each in values
            ]
            for guess in guesses
        ],
        dtype=float,
    )


def _correlations(predicted: Array, raw: Array) -> Array:
    """The largest |correlation| of each row of predictions with any sample."""
    x = predicted - predicted.mean(axis=1, keepdims=True)
    y = raw - raw.mean(axis=0)
    x /= np.sqrt((x**2).sum(axis=1, keepdims=True)) + 1e-12
    y /= np.sqrt((y**2).sum(axis=0)) + 1e-12
    return np.asarray(np.abs(x @ y).max(axis=1))


def _with(design: Design, **settings: Value) -> Design:
    return family(design.family.name).design(design.width, {**design.values, **settings})
