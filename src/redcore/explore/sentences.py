# SPDX-License-Identifier: Apache-2.0
"""What the tuner says of designs, in words."""

from __future__ import annotations

from collections.abc import Sequence

from redcore.design import Design
from redcore.explore.acquisition import Candidate
from redcore.explore.objective import Limit, Objective
from redcore.explore.points import ESTIMATED, HALF, MODEL, Point
from redcore.explore.request import value_of
from redcore.synthesize.targets import Target

_UNPLACED = {
    ESTIMATED: " (estimated)",
    MODEL: " (by the model)",
    HALF: " (estimated: another number of copies was placed)",
}


def count_of(count: int) -> str:
    """How many were run, up to "to be enough"."""
    return "1 synthesis, which was" if count == 1 else f"{count} syntheses, which were"


def marks_of(candidate: Candidate) -> str:
    """Marks behind what is expected of a design, where it does not rest on observations."""
    marks = ["extrapolated"] * candidate.extrapolated + ["clock guessed"] * candidate.clockless
    marks += ["at best: its cycles are a bound"] * candidate.at_least
    return f" ({', '.join(marks)})" if marks else ""


def why_none(theirs: list[Candidate], limits: Sequence[Limit], target: Target) -> str:
    """The constraint that none of a family's designs can keep, and how near they come."""
    width = theirs[0].design.width
    for limit in limits:
        excesses = [(limit.excess(each.bright, target), each) for each in theirs]
        least, nearest = min(excesses, key=lambda each: each[0])
        if least > 0:
            value = value_of(limit, nearest.bright, target)
            middle = min((each.middle for each in theirs), key=lambda it: limit.excess(it, target))
            end = (
                "at the better end of the model's error bars (expected: "
                f"{value_of(limit, middle, target):,.0f})"
            )
            return (
                f"cannot reach {limit.value:,g} {limit.unit} at {width} bits, at most "
                f"{value:,.0f} {end}"
                if limit.least
                else f"needs {value:,.0f} {limit.unit} or more at {width} bits {end}, "
                f"above {limit.text()}"
            )
    return "no design of it is expected to keep all constraints together"


def outcome_of(
    point: Point,
    expected: Candidate,
    leader: Design | None,
    limits: Sequence[Limit],
    objective: Objective,
) -> str:
    """What a run found, against what was expected, and where that leaves the design."""
    found = point.measured
    assert found is not None
    area = found.lut_in_all / max(1, expected.middle.lut_in_all) - 1
    luts = "" if found.gates is not None else f", {found.lut_in_all:,} LUTs"
    off = [f"LUTs {area:+.0%}"] if luts else []
    if more := found.bram - expected.middle.bram:
        off.append(f"block memories {more:+,}")
    if found.fmax_mhz and expected.middle.fmax_mhz and found.clock != MODEL:
        off.append(f"clock {found.fmax_mhz / expected.middle.fmax_mhz - 1:+.0%}")
    clock = f" at {found.fmax_mhz:.1f} MHz" if found.fmax_mhz else ""
    if found.clock in _UNPLACED:
        clock += _UNPLACED[found.clock]
    broken = [limit for limit in limits if limit.excess(found, point.target) > 0]
    verdict = (
        "does not keep " + " and ".join(limit.text() for limit in broken)
        if broken
        else f"behind {leader.short()}"
        if leader
        else "the best so far"
    )
    how = "measured" if point.ran else "known from before"
    against = f"; {' and '.join(off)} against what was expected{marks_of(expected)}" if off else ""
    said = objective.describe(found, point.target)
    return f"{point.design.short()} {how}: {said}{luts}{clock}{against}; {verdict}"
