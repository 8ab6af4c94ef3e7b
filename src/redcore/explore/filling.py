# SPDX-License-Identifier: Apache-2.0
"""Whole cores side by side: as many as limits leave room for, and what one more would take.

A search for throughput within a limit of resources is one for throughput for each part of that
limit. Copies add up, so their number follows from what is expected of one, and stays out of the
search. A device that is full takes long to place: half as many copies are placed instead.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from redcore.design import COPIES, Design, Family
from redcore.explore.belief import NOISE, Guesses
from redcore.explore.objective import Limit, quantity
from redcore.explore.points import HALF, Figures, Point
from redcore.explore.request import value_of
from redcore.synthesize.targets import Target
from redcore.units.copies import Several, copies_of

_LARGE = 0.25
"""The part of a device's resource beyond which copies are not placed all together."""
_ROUNDING = 1e-9
"""So that what fits exactly does."""


def kin(family: Family) -> Family:
    """The family of one, where it is of copies."""
    return family.one if isinstance(family, Several) else family


def so_many(design: Design, copies: int) -> Design | None:
    """The design with another number of copies; None where it cannot have as many."""
    family = kin(design.family)
    own = {name: value for name, value in design.values.items() if name != COPIES.name}
    return family.legal(design.width, own | {COPIES.name: copies})


def room_for(design: Design, limits: Iterable[Limit], guesses: Guesses) -> int:
    """How many of a core the limits leave room for, a deviation less than expected; at least 1.

    No more than bring something: words come and leave one at a time.
    """
    rooms: list[float] = [_that_bring_something(design)]
    for limit in limits:
        guess = guesses[limit.metric]
        if not limit.least and guess.mean > 0:
            spread = math.hypot(guess.sd, NOISE[limit.metric]) if guess.sd else 0.0
            rooms.append(limit.value / math.expm1(guess.mean + spread) + _ROUNDING)
    return max(1, math.floor(min(rooms)))


def _that_bring_something(one: Design) -> int:
    """How many copies are as fast as any number of them."""
    most = COPIES.most(0) or 1
    many = so_many(one, most) or one
    return min(most, math.ceil(one.geometry.interval_cycles / many.geometry.interval_cycles))


def filled_by(placed: Point, limits: Iterable[Limit], target: Target) -> Design | None:
    """As many of its copies as the limits leave room for by what was measured of these; None where
    not even one fits."""
    found, copies, one = placed.measured, copies_of(placed.design), so_many(placed.design, 1)
    if found is None or found.failure or one is None:
        return None
    rooms: list[float] = [_that_bring_something(one)]
    for limit in limits:
        if not limit.least and (used := value_of(limit, found, target)):
            rooms.append(copies * limit.value / used + _ROUNDING)
    room = math.floor(min(rooms))
    return so_many(one, room) if room else None


def to_be_placed(design: Design, expected: Figures, target: Target) -> Design:
    """The design, or half as many copies where it takes a large part of the device."""
    room, copies = target.capacity, copies_of(design)
    if room is None or copies == 1:
        return design
    parts = (
        (expected.lut_in_all, room.lut),
        (expected.ff, room.ff),
        (expected.dsp, room.dsp),
        (expected.bram, room.bram),
    )
    if not any(used > _LARGE * held for used, held in parts):
        return design
    return so_many(design, -(-copies // 2)) or design


def scaled(design: Design, placed: Point) -> Point:
    """The point of a design by the measured one of fewer copies: an estimate, and called so."""
    found = placed.measured
    assert found is not None
    if found.failure:
        return replace(placed, design=design)
    times = copies_of(design) / copies_of(placed.design)
    counts = {
        name: round(times * getattr(found, name))
        for name in ("lut", "ff", "carry", "dsp", "bram", "lut_in_all")
    }
    whole = Figures.at_clock(design, replace(found, **counts), found.fmax_mhz, HALF)
    return replace(placed, design=design, measured=whole)


def one_more(design: Design, found: Figures, limits: Sequence[Limit], target: Target) -> str:
    """Which resource is the first to run out, and what another copy would need and give."""
    copies = copies_of(design)
    used = {
        limit: value_of(limit, found, target)
        for limit in limits
        if not limit.least and value_of(limit, found, target)
    }
    more = so_many(design, copies + 1)
    if not used or not found.ops_per_second or more is None:
        return ""
    gains = float(design.geometry.interval_cycles / more.geometry.interval_cycles) - 1
    if not gains:
        return (
            f"words of operands or results limit it, not {target.name}'s resources: one more core "
            "brings nothing"
        )
    binding = min(used, key=lambda limit: (limit.value - used[limit]) / used[limit])
    each, left = used[binding] / copies, binding.value - used[binding]
    cores = "1 core takes" if copies == 1 else f"{copies} cores take"
    return (
        f"{binding.unit} run out first: {cores} {used[binding]:,.0f} of {binding.text()}; one "
        f"more needs {each:,.0f} where {left:,.0f} are left, and gives "
        f"{quantity(found.ops_per_second * gains)}op/s more"
        + ("; by what was measured it fits" if left >= each else "")
    )
